"""Hands of both pai gow games: five-card high hands and low hands of one or two cards, with the joker.

The joker is an ace, or whatever card makes a sequence or a suit of five whole (561.6(a), (c),
670a.6(a)); in a flush it stands for the highest rank that is missing. Ace to five is the second best straight and the
best straight flush (561.6(b)(3), (7)). A high hand and a low hand compare with each other directly: by combination,
then card by card, and where all cards of the low hand are matched the high hand is the higher one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Final

from tablectl.cards import JOKER, Card
from tablectl.hands.poker import ACE, FIVE_CARD, Evaluator, HandRank, Order

__all__ = ["PAI_GOW", "PAI_GOW_ORDER", "PaiGowEvaluator", "low_rank", "may_be_set", "pai_gow_rank"]

_RANKS: Final = range(ACE, 1, -1)
_COMPLETED: Final = 4
"""Natural cards that the joker makes into five."""

PAI_GOW_ORDER: Final = Order(5, (*FIVE_CARD.categories, "five_aces"), (6, 7, 8, 9, 10, 11, 12, 13, 5, 14))
"""561.6(b), 670a.6(b): five aces on top; ace to five is the best straight but one."""


class PaiGowEvaluator(Evaluator):
    """Ranks hands of which one card may be the joker: `rank(cards)` is the best five of five, six or seven cards."""

    def __init__(self) -> None:
        super().__init__(PAI_GOW_ORDER)
        self._with_joker: dict[int, dict[int, HandRank]] = {}
        self._joker_flushes: dict[int, HandRank] = {}

    def rank(self, cards: Sequence[Card]) -> HandRank:
        """The best hand that these cards make, five of them or more, in whatever order they lie."""
        if JOKER not in cards:
            return Evaluator.rank(self, cards)
        natural = [card for card in cards if card is not JOKER]
        table = self._with_joker.get(len(natural))
        if table is None:
            table = self._with_joker[len(natural)] = self._joker_table(len(natural))
        best = table[sum([_DIGIT[card.rank] for card in natural])]
        suits = [card.suit for card in natural]
        for suit in _SUITS:
            if suits.count(suit) >= _COMPLETED:
                flush = self._joker_flush(sum([1 << card.rank - 2 for card in natural if card.suit == suit]))
                return max(best, flush)
        return best

    def _joker_table(self, size: int) -> dict[int, HandRank]:
        """What `size` natural cards and a joker make whatever the suits, by the sum of their digits."""
        table = {}
        for ranks in combinations_with_replacement(_RANKS, size):
            if all(ranks[place] != ranks[place + 4] for place in range(size - 4)):
                best = max(self._unsuited(sorted((*ranks, ACE), reverse=True)))
                if ranks.count(ACE) == _COMPLETED:
                    best = self._made("five_aces", ACE)
                straight = self._nearly_straight(ranks)
                if straight is not None:
                    best = max(best, self._made("straight", straight))
                table[sum([_DIGIT[rank] for rank in ranks])] = best
        return table

    def _nearly_straight(self, ranks: Sequence[int]) -> int | None:
        """The place in the order of the best straight that a joker completes among these ranks."""
        there = [*ranks, *([1] if ACE in ranks else [])]
        for place in reversed(range(len(self.order.straights))):
            top = self.order.straights[place]
            if sum(top - below in there for below in range(self.order.size)) >= _COMPLETED:
                return place
        return None

    def _joker_flush(self, mask: int) -> HandRank:
        """The best hand of a joker and cards of one suit, at least four, whose ranks are the bits of `mask`."""
        flush = self._joker_flushes.get(mask)
        if flush is None:
            missing = [rank for rank in _RANKS if not mask >> rank - 2 & 1]
            flush = max(self._flush(mask | 1 << rank - 2) for rank in missing)
            self._joker_flushes[mask] = flush
        return flush


PAI_GOW: Final = PaiGowEvaluator()
"""The one evaluator of both games: its tables are made once in a process."""


def pai_gow_rank(cards: Sequence[Card]) -> HandRank:
    """The rank of five cards, or of the best five of six or seven."""
    return PAI_GOW.rank(cards)


def low_rank(cards: Sequence[Card]) -> HandRank:
    """The rank of a low hand of two cards (561) or one (670a): a pair or high cards; the joker is an ace."""
    ranks = sorted([card.rank or ACE for card in cards], reverse=True)
    if len(ranks) == 2 and ranks[0] == ranks[1]:
        return _LOW_PAIRS[ranks[0]]
    return HandRank(0, "high_card", tuple(ranks))


def may_be_set(high: HandRank, low: HandRank) -> bool:
    """Whether a high hand of that rank is equal to or higher than the low hand (561.13(a), 670a.11(b))."""
    return high >= low


_SUITS: Final = "cdhs"
_DIGIT: Final = {rank: 5 ** (rank - 2) for rank in _RANKS}
_LOW_PAIRS: Final = {rank: HandRank(PAI_GOW_ORDER.categories.index("pair"), "pair", (rank,)) for rank in _RANKS}
