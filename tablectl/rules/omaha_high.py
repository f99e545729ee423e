"""The Rules Submission of Omaha High (637a.12)."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules import Objection, cite
from tablectl.rules.poker import OmahaSubmission

__all__ = ["OmahaHighSubmission"]


class OmahaHighSubmission(OmahaSubmission):
    """Everything that 637a.12 lets a certificate holder choose in Omaha High: as 637a.12(n) has it, without a kill."""

    def objections(self) -> Iterator[Objection]:
        """What all Omaha games may not have, and a kill."""
        yield from super().objections()
        if self.kill != "none":
            yield Objection("kill", f"{self.kill} is for Omaha High-low Split only", cite("637a.12(n)"))
