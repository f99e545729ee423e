"""Omaha High, 58 Pa. Code section 637a.12: see `tablectl.games.omaha`."""

from __future__ import annotations

from tablectl.games.omaha import omaha
from tablectl.rules.omaha_high import OmahaHighSubmission

__all__ = ["GAME"]

GAME = omaha("omaha_high", "Omaha High", OmahaHighSubmission, low=False)
