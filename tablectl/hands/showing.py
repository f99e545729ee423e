"""Hands of one to four cards that lie face up in stud: too few for a straight or a flush (637a.14(f)(1))."""

from __future__ import annotations

from collections.abc import Sequence

from tablectl.cards import SUITS, Card

__all__ = ["by_suit", "showing"]


def showing(cards: Sequence[Card]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A key by which such hands compare: how often ranks occur, then which, the most frequent and highest first."""
    often: dict[int, int] = {}
    for card in cards:
        often[card.rank] = often.get(card.rank, 0) + 1
    found = sorted([(count, rank) for rank, count in often.items()], reverse=True)
    return tuple([count for count, _rank in found]), tuple([rank for _count, rank in found])


def by_suit(card: Card) -> tuple[int, int]:
    """A key by which single cards compare: rank, then spades over hearts, diamonds and clubs (637a.14(d))."""
    return card.rank, SUITS.index(card.suit)
