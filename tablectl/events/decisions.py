"""Decisions that players make together: what they declare, what they take back, and when nothing changes any more."""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.money import Money
from tablectl.records import record

__all__ = ["DecisionsLocked", "HandDeclared", "WagerWithdrawn"]


@record
class HandDeclared(Event):
    """A seat has declared its hand as a winning one of that kind, or takes that back: ``nothing``."""

    name: ClassVar[str] = "round.declared"
    seat: int
    what: str


@record
class WagerWithdrawn(Event):
    """A wager is off the layout again, as its seat has decided otherwise while it still could."""

    name: ClassVar[str] = "round.withdrawn"
    seat: int
    wager: str
    hand: int
    amount: Money | None


@record
class DecisionsLocked(Event):
    """The dealer announced that no decision can be changed any more."""

    name: ClassVar[str] = "round.decisions_locked"
    cite: str
