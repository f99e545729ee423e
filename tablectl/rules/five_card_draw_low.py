"""The Rules Submission of Five-card Draw Low (637a.13)."""

from __future__ import annotations

from tablectl.rules.poker import DrawLowSubmission

__all__ = ["FiveCardDrawLowSubmission"]


class FiveCardDrawLowSubmission(DrawLowSubmission):
    """Everything that 637a.13 lets a certificate holder choose in Five-card Draw Low."""
