"""The Rules Submission of Five-card Draw High (637a.13)."""

from __future__ import annotations

from tablectl.rules.poker import DrawSubmission

__all__ = ["FiveCardDrawHighSubmission"]


class FiveCardDrawHighSubmission(DrawSubmission):
    """Everything that 637a.13 lets a certificate holder choose in Five-card Draw High."""
