"""The Rules Submission of Omaha High-low Split Eight or Better (637a.12)."""

from __future__ import annotations

from tablectl.rules.poker import OmahaSubmission

__all__ = ["OmahaHiloSubmission"]


class OmahaHiloSubmission(OmahaSubmission):
    """Everything that 637a.12 lets a certificate holder choose in Omaha High-low Split Eight or Better."""
