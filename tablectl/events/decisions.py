"""Decisions that players make together, and hands that are set: what they declare, take back, and lay down."""

from __future__ import annotations

from typing import ClassVar

from tablectl.cards import Card, Position
from tablectl.events.base import Event
from tablectl.money import Money
from tablectl.records import record

__all__ = ["DecisionsLocked", "HandDeclared", "HandsSet", "LammersPlaced", "WagerWithdrawn"]


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


@record
class LammersPlaced(Event):
    """Envy lammers lie next to the wagers of these seats, which may get Envy Bonuses by it."""

    name: ClassVar[str] = "round.lammers"
    seats: tuple[int, ...]
    cite: str


@record
class HandsSet(Event):
    """The cards of a position, which lie open, as its high hand and its low hand."""

    name: ClassVar[str] = "round.set"
    position: Position
    high: tuple[Card, ...]
    low: tuple[Card, ...]
    cite: str
