"""How cards and dice come to their places: starting position, throws, stacks, cards that are collected unseen."""

from __future__ import annotations

from typing import ClassVar

from tablectl.cards import Position
from tablectl.events.base import Event
from tablectl.records import record

__all__ = ["CardsCollected", "DiceThrown", "HoleCardPeeked", "NumberChosen", "StackDelivered", "StartChosen"]


@record
class DiceThrown(Event):
    """The dice were uncovered or thrown for the `number`th time in the round; `faces` are those that can be told.

    `incident` is the irregularity that came with it, by which it may not count.
    """

    name: ClassVar[str] = "round.thrown"
    number: int
    faces: tuple[int, ...]
    incident: str | None


@record
class NumberChosen(Event):
    """The random number generator has shown this number."""

    name: ClassVar[str] = "round.number"
    number: int


@record
class StartChosen(Event):
    """The deal, or the delivery of the stacks, begins at this position."""

    name: ClassVar[str] = "round.start"
    position: Position
    cite: str


@record
class StackDelivered(Event):
    """A stack that was made by hand was delivered to its position."""

    name: ClassVar[str] = "round.delivered"
    stack: Position
    to: Position


@record
class CardsCollected(Event):
    """Cards of a position went to the discard rack without being shown to anybody."""

    name: ClassVar[str] = "round.collected"
    position: Position
    cards: int
    cite: str


@record
class HoleCardPeeked(Event):
    """The hole card, which nobody has seen, was in the reader: that has told whether it makes a Blackjack."""

    name: ClassVar[str] = "round.peeked"
    blackjack: bool
    cite: str
