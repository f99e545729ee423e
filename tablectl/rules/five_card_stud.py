"""The Rules Submission of Five-card Stud (637a.14)."""

from __future__ import annotations

from tablectl.rules.poker import StudSubmission

__all__ = ["FiveCardStudSubmission"]


class FiveCardStudSubmission(StudSubmission):
    """Everything that 637a.14 lets a certificate holder choose in Five-card Stud."""
