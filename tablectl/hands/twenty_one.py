"""Point counts of the twenty-one games, as chapters 672a and 673a count them (672a.3(d), 673a.3(d))."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from tablectl.cards import Card

__all__ = [
    "ACE",
    "TWENTY_ONE",
    "Total",
    "gives_blackjack",
    "is_blackjack",
    "is_pair",
    "is_ten",
    "low_value",
    "may_give_blackjack",
    "total21",
    "value",
]

ACE: Final = 14
TWENTY_ONE: Final = 21

_TEN: Final = 10
_HIGH_ACE: Final = 11


class Total(NamedTuple):
    """What a hand counts: `soft` while one of its aces counts eleven."""

    points: int
    soft: bool

    @property
    def bust(self) -> bool:
        """Whether it counts more than 21."""
        return self.points > TWENTY_ONE

    def __str__(self) -> str:
        return f"soft {self.points}" if self.soft else str(self.points)


def value(card: Card) -> int:
    """What the card counts by itself: its face, ten for a picture, eleven for an ace."""
    return _HIGH_ACE if card.rank == ACE else min(card.rank, _TEN)


def low_value(card: Card) -> int:
    """What the card counts where an ace is one."""
    return 1 if card.rank == ACE else min(card.rank, _TEN)


def total21(cards: Iterable[Card]) -> Total:
    """The point count of a hand of any size: one ace counts eleven unless that makes more than 21."""
    points, aces = 0, False
    for card in cards:
        rank = card.rank
        if rank < _TEN:
            points += rank
        elif rank < ACE:
            points += _TEN
        else:
            points += 1
            aces = True
    if aces and points + _TEN <= TWENTY_ONE:
        return _total(points + _TEN, True)
    return _total(points, False)


_total: Final = cache(Total)


def is_ten(card: Card) -> bool:
    """Whether it is a card of value ten: a ten, jack, queen or king."""
    return _TEN <= card.rank < ACE


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Whether these are an ace and a card of value ten alone; whether they are the first two dealt is not seen here."""
    return len(cards) == 2 and gives_blackjack(cards[0], cards[1])


def gives_blackjack(up: Card, hole: Card) -> bool:
    """Whether that hole card makes a Blackjack of the card turned up."""
    return (up.rank == ACE and is_ten(hole)) or (is_ten(up) and hole.rank == ACE)


def may_give_blackjack(up: Card) -> bool:
    """Whether a hole card could do so: under an ace and a card of value ten alone."""
    return up.rank >= _TEN


def is_pair(cards: Sequence[Card]) -> bool:
    """Whether these are two cards of the same value: a king and a ten are a pair."""
    return len(cards) == 2 and value(cards[0]) == value(cards[1])
