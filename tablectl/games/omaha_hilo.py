"""Omaha High-low Split Eight or Better, 58 Pa. Code section 637a.12: see `tablectl.games.omaha`."""

from __future__ import annotations

from tablectl.games.omaha import omaha
from tablectl.rules.omaha_hilo import OmahaHiloSubmission

__all__ = ["GAME"]

GAME = omaha("omaha_hilo", "Omaha High-low Split Eight or Better", OmahaHiloSubmission, low=True)
