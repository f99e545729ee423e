"""Decks: how they come, are shuffled, counted and go."""

from __future__ import annotations

from typing import ClassVar

from tablectl.cards import Position
from tablectl.events.base import Event
from tablectl.records import record

__all__ = [
    "DeckCut",
    "DeckRemoved",
    "DeckReceived",
    "StepAttested",
    "DeckShuffled",
]


@record
class DeckShuffled(Event):
    """The deck was shuffled; `counted` is what a counting shuffler says, `by` is ``hand`` or ``device``."""

    name: ClassVar[str] = "deck.shuffled"
    deck: str
    by: str
    counted: int | None


@record
class DeckRemoved(Event):
    """The whole deck left the table."""

    name: ClassVar[str] = "deck.removed"
    deck: str
    cite: str


@record
class DeckReceived(Event):
    """A deck came to the table: identity, colour of its backs, number of cards; `credential` brought it.

    `preshuffled`: it was inspected and shuffled before it came. `credential` is empty in a script.
    """

    name: ClassVar[str] = "deck.received"
    deck: str
    back: str
    cards: int
    preshuffled: bool
    credential: str


@record
class StepAttested(Event):
    """A person did one prescribed step and answers for it: `by` is ``dealer``, ``floorperson`` or ``both``.

    `deck` is the deck that it is about, or empty; `credential` is empty where no badge was wanted.
    """

    name: ClassVar[str] = "table.attested"
    step: str
    deck: str
    by: str
    credential: str
    cite: str


@record
class DeckCut(Event):
    """The deck was cut, by a seat or the dealer."""

    name: ClassVar[str] = "deck.cut"
    deck: str
    by: Position
    cite: str
