"""Whether the cards that were turned up look like those of a deck that was never shuffled.

A sorted deck, cut or not, has the ranks of each suit in sequence, up or down, one suit after the other. Dealt from such
a deck, the card with number *n* has the rank *c* + *n* or *c* - *n* (modulo 13), and between two crossings of a suit's
end all cards are of one suit. A *hypothesis* is such an order: direction, *c*, whether the ace is high or low, and the
suits. What was seen are *hands*: the numbers under which a place was dealt cards, and the cards that were turned up
there. The order within a hand is not believed, as players arrange what they hold.

With m cards seen in hands of sizes s, a given hypothesis says of each number which card it is. Of a shuffled deck, the
probability that at least g of those lie in the hands where they should is at most the expected number of sets of g that
do::

    sum over g1 + g2 + … = g of  product C(s_i, g_i) * (s_i)_(g_i)   /   (N)_g  *  k**g

where (x)_g is the falling factorial, N the number of cards and k how often each is in the deck. Times `HYPOTHESES` that
bounds the probability that any hypothesis fits so well; see `chance`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import permutations
from math import comb, perm
from typing import Final, NamedTuple, Protocol

from tablectl.cards import JOKER, SUITS, Card, deck

__all__ = ["CERTAIN", "HYPOTHESES", "Hand", "Seen", "chance", "is_sorted", "likeness", "surprise"]

_RANKS: Final = 13
HYPOTHESES: Final = 2 * 2 * _RANKS * 24
"""Two directions, ace high or low, thirteen places of the first card, the suits in each order."""

CERTAIN: Final = 10**12
"""Probabilities are whole parts of this, rounded up."""

_ALONE: Final = CERTAIN * 5 // 10**7
_TOGETHER: Final = CERTAIN * CERTAIN * 25 // 10**9
"""A round alone is taken for sorted at 5e-7, two rounds of a deck at a product of 2.5e-8.

The product of two probabilities that are at least uniform is below x with probability x * (1 - ln x): 4.7e-7 for that
x. Together a table that shuffles well is alarmed less than once in a million rounds.
"""


class Seen(Protocol):
    """Cards that were turned up at one place, and the numbers under which they were dealt, in no common order."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """They count from the beginning of the deck or shoe."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """As they lay."""


class Hand(NamedTuple):
    """Cards by themselves, with their numbers."""

    numbers: tuple[int, ...]
    cards: tuple[Card, ...]


def surprise(hands: Sequence[Seen], size: int) -> int:
    """How likely a shuffled deck of `size` cards shows this much order, at most, in parts of `CERTAIN`."""
    seen: list[Seen] = [_without_joker(hand) if JOKER in hand.cards else hand for hand in hands]
    sizes = tuple(sorted([len(hand.cards) for hand in seen if hand.cards]))
    fitting = likeness(seen, _least_of_note(sizes, size))
    return chance(sizes, size, fitting) if fitting else CERTAIN


def is_sorted(now: int, before: int) -> bool:
    """Whether the surprise of this round, or that of this and of the deck's last round, means that it was sorted."""
    return now <= _ALONE or now * before <= _TOGETHER


@lru_cache(maxsize=1024)
def chance(sizes: tuple[int, ...], size: int, fitting: int) -> int:
    """A bound on the probability that so many cards or more fit any hypothesis, hands being of these sizes."""
    ways = [1]
    for each in sizes:
        hand = [comb(each, g) * perm(each, g) for g in range(each + 1)]
        ways = [
            sum(ways[n - g] * hand[g] for g in range(min(n, each) + 1) if n - g < len(ways))
            for n in range(len(ways) + each)
        ]
    copies = max(1, size // 52)
    bounds: Iterator[int] = (
        -(-CERTAIN * HYPOTHESES * ways[g] * copies**g // perm(size, g))
        for g in range(1, min(fitting, len(ways) - 1) + 1)
    )
    return min([CERTAIN, *bounds])


def likeness(hands: Sequence[Seen], at_least: int = 0) -> int:
    """How many cards fit the hypothesis that fits best; 0 where that is fewer than `at_least`."""
    best = max(0, at_least - 1)
    counts = _counts(hands)
    bounds = _at_most(counts)
    if max(bounds) <= best:
        return best if best >= at_least else 0
    suits = [count.to_bytes(_SUIT, "little") for count in counts]
    for place, at_most in enumerate(bounds):
        if at_most > best:
            first, second, third, fourth = zip(*[suit[4 * place : 4 * place + 4] for suit in suits], strict=True)
            best = max(best, *[first[a] + second[b] + third[c] + fourth[d] for a, b, c, d in _ORDERS])
    return best if best >= at_least else 0


def _counts(hands: Sequence[Seen]) -> list[int]:
    """For each suit how its cards fit, as `_fit` has it."""
    counts = dict.fromkeys(SUITS, 0)
    for hand in hands:
        fits = _fits(hand.numbers)
        for card in hand.cards:
            counts[card.suit] += fits[card]
    return list(counts.values())


def _at_most(suits: Sequence[int]) -> bytes:
    """For each order of ranks: the most that fits, if each run could be of the suit that is best in it."""
    most, *others = suits
    for counts in others:
        at_least = ((most | _HIGH) - counts) & _HIGH  # the high bit of each byte in which `most` is no less
        keep = at_least - (at_least >> 7)
        most = most & keep | counts & (keep ^ _LOW)
    most += most >> 8
    most += most >> 16
    return most.to_bytes(_SUIT, "little")[::4]


_ORDERS: Final = tuple(permutations(range(len(SUITS))))
"""Which suit each run of thirteen steps is of."""
_DECK: Final = len(deck())
_SUIT: Final = 2 * _RANKS * 2 * 4
_HIGH: Final = int.from_bytes(b"\x80" * _SUIT, "little")
_LOW: Final = _HIGH - (_HIGH >> 7)


class _Fits(dict[Card, int]):
    """How cards fit that were dealt under one of these numbers, summed over them: each worked out once."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self._numbers = numbers

    def __missing__(self, card: Card) -> int:
        found = self[card] = sum([_fit(number % _DECK, card.rank) for number in self._numbers])
        return found


_fits: Final = lru_cache(maxsize=1024)(_Fits)


@cache
def _fit(number: int, rank: int) -> int:
    """Which rank the card with number 0 has in each direction if one of this rank is on a step with that number.

    These are counts in the bytes of one whole number, so that many are added and compared at once: for each direction,
    rank, and whether suits begin at the ace or at the two, a byte for each run of thirteen steps. A byte stays below
    128, as a run holds at most thirteen cards of a suit from each of eight decks.
    """
    found = 0
    for direction, first in ((1, 0), (-1, _RANKS)):
        step = direction * number
        start = (rank - step) % _RANKS
        for high, lowest in enumerate((1, 2)):
            run = (start + step - lowest) // _RANKS & 3
            found += 1 << 8 * (4 * (2 * (first + start) + high) + run)
    return found


@lru_cache(maxsize=1024)
def _least_of_note(sizes: tuple[int, ...], size: int) -> int:
    """The least number of fitting cards that is worth looking for: below it a shuffled deck does as well."""
    total = sum(sizes)
    return next((g for g in range(1, total + 1) if chance(sizes, size, g) < CERTAIN // 100), total + 1)


def _without_joker(hand: Seen) -> Hand:
    return Hand(hand.numbers, tuple(card for card in hand.cards if card is not JOKER))
