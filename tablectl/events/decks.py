"""Decks: how they come, are shuffled, counted and go."""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.records import record

__all__ = [
    "DeckRemoved",
    "DeckReplaced",
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
class DeckReplaced(Event):
    """Another deck came to the table; `credential` is the badge of whoever brought it, empty in a script."""

    name: ClassVar[str] = "deck.replaced"
    deck: str
    credential: str
