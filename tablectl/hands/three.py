"""Three-card hands as chapter 565 ranks them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from tablectl.cards import Card

__all__ = ["ThreeCard", "ThreeCardRank", "rank3"]


class ThreeCard(IntEnum):
    """Categories in ascending order: three of a kind above a straight, a straight above a flush (565.6(b))."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5


class ThreeCardRank(NamedTuple):
    """A hand's rank, comparing as the chapter does: category, then the ranks that make the combination, then the rest.

    `ranks` of a straight is its highest card alone; an ace that completes 2-3 counts as one, so that straight's is 3.
    """

    category: ThreeCard
    ranks: tuple[int, ...]


_WHEEL = (14, 3, 2)


def rank3(cards: Sequence[Card]) -> ThreeCardRank:
    """The rank of three cards (565.6(a)-(c)); suits never break a tie."""
    first, second, third = cards
    high, middle, low = sorted((first.rank, second.rank, third.rank), reverse=True)
    if middle in (high, low):
        if high == low:
            return ThreeCardRank(ThreeCard.THREE_OF_A_KIND, (high,))
        return ThreeCardRank(ThreeCard.PAIR, (middle, low if high == middle else high))
    flush = first.suit == second.suit == third.suit
    ranks = (high, middle, low)
    if high - low == 2 or ranks == _WHEEL:
        top = 3 if ranks == _WHEEL else high
        return ThreeCardRank(ThreeCard.STRAIGHT_FLUSH if flush else ThreeCard.STRAIGHT, (top,))
    return ThreeCardRank(ThreeCard.FLUSH if flush else ThreeCard.HIGH_CARD, ranks)
