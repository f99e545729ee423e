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
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import comb, perm
from typing import Final

from tablectl.cards import JOKER, SUITS, Card, deck

__all__ = ["CERTAIN", "HYPOTHESES", "Hand", "chance", "is_sorted", "likeness", "surprise"]

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


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards that were turned up at one place, and the numbers under which they were dealt, in no common order."""

    numbers: tuple[int, ...]
    cards: tuple[Card, ...]


def surprise(hands: Sequence[Hand], size: int) -> int:
    """How likely a shuffled deck of `size` cards shows this much order, at most, in parts of `CERTAIN`."""
    seen = [_without_joker(hand) for hand in hands]
    sizes = tuple(sorted(len(hand.cards) for hand in seen if hand.cards))
    return chance(sizes, size, likeness(seen, _least_of_note(sizes, size)))


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


def likeness(hands: Sequence[Hand], at_least: int = 0) -> int:
    """How many cards fit the hypothesis that fits best; 0 where that is fewer than `at_least`."""
    best = max(0, at_least - 1)
    for direction in (1, -1):
        fits = _fits(direction)
        fitting = [0] * _RANKS  # by the rank of the card with number 0: what fits, counted as `_fits` has it
        for hand in hands:
            for number in hand.numbers:
                row = fits[number % len(fits)]
                for card in hand.cards:
                    start, one = row[card]
                    fitting[start] += one
        for total in fitting:
            if total >> _ALL > best:
                counts = total.to_bytes(_ALL // 8 + 2, "little")
                for lowest in range(0, _ALL // 8, _COUNTERS):
                    best = max(best, _in_suits(counts[lowest : lowest + _COUNTERS], best))
    return best if best >= at_least else 0


def _in_suits(counts: bytes, best: int) -> int:
    """Of cards on their steps, how many are of the best suits, if more than `best`: four runs, each of four suits."""
    at_most = max(counts[0:4]) + max(counts[4:8]) + max(counts[8:12]) + max(counts[12:16])
    if at_most <= best:
        return at_most
    return max([counts[a] + counts[b] + counts[c] + counts[d] for a, b, c, d in _SUITS_OF_RUNS])


_COUNTERS: Final = 4 * 4
_ALL: Final = 2 * 8 * _COUNTERS
_SUITS_OF_RUNS: Final = [tuple(4 * run + suit for run, suit in enumerate(suits)) for suits in permutations(range(4))]


@lru_cache(maxsize=2)
def _fits(direction: int) -> list[dict[Card, tuple[int, int]]]:
    """For each number, modulo the deck, and each card: which rank number 0 has if it fits, and the card as a count.

    Counts are bytes of one whole number, so that many are added at once: a byte for each run of thirteen steps and
    suit, first where suits begin at the ace, then where they begin at the two; above those (`_ALL`) how many there are.
    """
    rows = []
    for number in range(len(deck())):
        step = direction * number
        row = {}
        for card in deck():
            start = (card.rank - step) % _RANKS
            one = 1 << _ALL
            for high, lowest in enumerate((1, 2)):
                run = (start + step - lowest) // _RANKS & 3
                one += 1 << 8 * (_COUNTERS * high + 4 * run + SUITS.index(card.suit))
            row[card] = start, one
        rows.append(row)
    return rows


@lru_cache(maxsize=1024)
def _least_of_note(sizes: tuple[int, ...], size: int) -> int:
    """The least number of fitting cards that is worth looking for: below it a shuffled deck does as well."""
    total = sum(sizes)
    return next((g for g in range(1, total + 1) if chance(sizes, size, g) < CERTAIN // 100), total + 1)


def _without_joker(hand: Hand) -> Hand:
    return Hand(hand.numbers, tuple(card for card in hand.cards if card is not JOKER))
