"""Low hands of five cards: ace to five, and deuce to seven.

In *ace to five* the ace is the lowest card, straights and flushes do not count, and a pair is worse than any hand
without one; the best hand is five to ace. In *deuce to seven* the ace is high and straights and flushes count, so that
the best hand is seven, five, four, three, two of more than one suit.

Every hand of ranks has its place in a table that is made on first use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from tablectl.cards import Card, deck
from tablectl.hands.poker import FIVE_CARD, Evaluator, HandRank, Order

__all__ = ["ACE_TO_FIVE", "DEUCE_TO_SEVEN", "LOWS", "LowRank", "ace_to_five", "deuce_to_seven"]

ACE_TO_FIVE: Final = "ace_to_five"
DEUCE_TO_SEVEN: Final = "deuce_to_seven"

_SIZE: Final = 5
_ACE: Final = 14


class LowRank(NamedTuple):
    """A low hand: the higher its `order`, the better it is; hands of one order are equal.

    `category` is what it is as a high hand, `high_card` for the best ones. `ranks` are those that decide, as they do
    so: first those that make a combination, then the rest, each highest first; in ace to five the ace is 1.
    """

    order: int
    category: str
    ranks: tuple[int, ...]


def ace_to_five(cards: Sequence[Card]) -> LowRank:
    """The rank of five cards as an ace-to-five low."""
    return _ace_to_five()[sum([_ACE_LOW[card] for card in cards])]


def deuce_to_seven(cards: Sequence[Card]) -> LowRank:
    """The rank of five cards as a deuce-to-seven low."""
    return _deuce_to_seven()[_HIGH.rank(cards)]


LOWS: Final[dict[str, Callable[[Sequence[Card]], LowRank]]] = {
    ACE_TO_FIVE: ace_to_five,
    DEUCE_TO_SEVEN: deuce_to_seven,
}
"""The lows that can be filed, by their names."""

_HIGH: Final = Evaluator(Order(_SIZE, FIVE_CARD.categories, FIVE_CARD.straights[1:]))
_ACE_LOW: Final = {card: _SIZE ** (card.rank % 13) for card in deck()}  # a digit of base 5 for each rank, the ace too
_BY_COUNTS: Final = {
    (1, 1, 1, 1, 1): "high_card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two_pair",
    (3, 1, 1): "three_of_a_kind",
    (3, 2): "full_house",
    (4, 1): "four_of_a_kind",
}


@cache
def _ace_to_five() -> dict[int, LowRank]:
    """By the sum of the cards' weights, every hand of ranks that a deck can make."""
    hands = []
    for ranks in combinations_with_replacement(range(1, 14), _SIZE):
        counts = Counter(ranks)
        if max(counts.values()) < _SIZE:
            deciding = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
            shape = tuple(sorted(counts.values(), reverse=True))
            hands.append((list(_BY_COUNTS).index(shape), deciding, shape, ranks))
    hands.sort(reverse=True)
    return {
        sum([_SIZE ** (rank % 13) for rank in ranks]): LowRank(order, _BY_COUNTS[shape], deciding)
        for order, (_category, deciding, shape, ranks) in enumerate(hands)
    }


@cache
def _deuce_to_seven() -> dict[HandRank, LowRank]:
    """By the rank as a high hand; the worst of these is the best low."""
    hands = sorted({_HIGH.rank(cards) for cards in _representatives()}, reverse=True)
    return {hand: LowRank(order, hand.category, hand.ranks) for order, hand in enumerate(hands)}


def _representatives() -> Iterable[list[Card]]:
    """One hand of each combination of ranks in several suits, and one of each in one suit."""
    by_suit = {suit: {card.rank: card for card in deck() if card.suit == suit} for suit in "cdhs"}
    for ranks in combinations_with_replacement(range(2, _ACE + 1), _SIZE):
        counts = Counter(ranks)
        if max(counts.values()) == _SIZE:
            continue
        if len(counts) == _SIZE:
            yield [by_suit["c"][rank] for rank in ranks]
            yield [by_suit["c"][ranks[0]], *(by_suit["d"][rank] for rank in ranks[1:])]
        else:  # two of a rank are of two suits
            yield [by_suit["cdhs"[ranks[:place].count(rank)]][rank] for place, rank in enumerate(ranks)]
