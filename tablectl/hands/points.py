"""Point totals: an ace counts one, a picture ten, every other card its face (676a.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tablectl.cards import Card

__all__ = ["total"]

_ACE: Final = 14
_MOST: Final = 10


def total(cards: Iterable[Card]) -> int:
    """The sum of the cards' points; suits do not count, and there is no joker."""
    return sum(1 if card.rank == _ACE else min(card.rank, _MOST) for card in cards)
