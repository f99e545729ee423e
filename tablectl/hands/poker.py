"""Poker hands of four or five cards, and the best of more: one evaluator, with each chapter's order as data.

Hands compare by category, then by the ranks that make the combination, then by the other cards (563.6(c) and its kin:
combination first, kickers after); suits never break a tie.

Every card has a weight whose sum over a hand tells how often each rank and each suit occurs, so that a hand of any size
is ranked by one sum and two look-ups. The tables are made on first use; that of seven cards takes some tenths of a
second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from tablectl.cards import Card, deck

__all__ = ["ACE_KING", "FIVE_CARD", "FOUR_CARD", "Evaluator", "HandRank", "Order"]

ACE: Final = 14
KING: Final = 13
_RANK_BITS: Final = 31  # 5 ** 13 < 2 ** 31: a digit of base 5 for each rank, as a rank occurs at most four times
_RANK_MASK: Final = (1 << _RANK_BITS) - 1
_SUITS: Final = "cdhs"


class HandRank(NamedTuple):
    """A hand's rank: `strength` of its `category` in the chapter's order, then the ranks that decide among equals.

    `ranks` of a straight is its place in the order of straights; of all others first the ranks that make the
    combination, then the rest, each highest first.
    """

    strength: int
    category: str
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """How a chapter ranks hands of `size` cards: `categories` and `straights` from the lowest up.

    A straight is named by its highest card, that of an ace with the lowest cards by the highest of those.
    """

    size: int
    categories: tuple[str, ...]
    straights: tuple[int, ...]


FIVE_CARD: Final = Order(
    5,
    (
        "high_card",
        "pair",
        "two_pair",
        "three_of_a_kind",
        "straight",
        "flush",
        "full_house",
        "four_of_a_kind",
        "straight_flush",
        "royal_flush",
    ),
    (5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
)
"""563.6, 655a.6, 674a.6 and the poker room: ace to five is the lowest straight."""

ACE_KING: Final = Order(5, ("high_card", "ace_king", *FIVE_CARD.categories[1:]), FIVE_CARD.straights)
"""671a.6(b): an ace-king is the lowest hand that has a name; it ranks below a pair."""

FOUR_CARD: Final = Order(
    4,
    (
        "high_card",
        "pair",
        "two_pair",
        "straight",
        "flush",
        "three_of_a_kind",
        "straight_flush",
        "four_of_a_kind",
    ),
    (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
)
"""657a.6(b): four of a kind above a straight flush, three of a kind above a flush, a straight above two pairs."""


class Evaluator:
    """Ranks hands by one order: `rank(cards)` is the best hand of `order.size` of them."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self._strength = {category: place for place, category in enumerate(order.categories)}
        runs = [sum(1 << top - below for below in range(order.size)) for top in order.straights]
        self._straights = [*enumerate(runs)][::-1]
        self._by_size: dict[int, dict[int, HandRank]] = {}
        self._flushes: dict[int, HandRank] = {}
        self._flushed = [self._flush_suit(counts) for counts in range(1 << 3 * len(_SUITS))]

    def rank(self, cards: Sequence[Card]) -> HandRank:
        """The best hand that these cards make, at least `order.size` of them, in whatever order they lie."""
        total = sum(map(_weight, cards))
        table = self._by_size.get(len(cards))
        if table is None:
            table = self._table(len(cards))
        best = table[total & _RANK_MASK]
        suit = self._flushed[total >> _RANK_BITS]
        if suit is None:
            return best
        flush = self._flushes[sum([_BIT[card] for card in cards if card.suit == suit])]
        return max(best, flush)

    def _flush_suit(self, counts: int) -> str | None:
        """The suit that occurs often enough for a flush in packed counts of three bits each."""
        for place, suit in enumerate(_SUITS):
            if counts >> 3 * place & 7 >= self.order.size:
                return suit
        return None

    def _table(self, size: int) -> dict[int, HandRank]:
        if not self._flushes:
            self._flushes = {mask: self._flush(mask) for mask in range(1 << 13) if mask.bit_count() >= self.order.size}
        fewer = None if size == self.order.size else self._by_size.get(size - 1) or self._table(size - 1)
        table = {}
        for ranks in combinations_with_replacement(range(ACE, 1, -1), size):
            if all(ranks[place] != ranks[place + 4] for place in range(size - 4)):
                total = sum([_DIGIT[rank] for rank in ranks])
                if fewer is None:
                    table[total] = max(self._unsuited(ranks))
                else:  # the best of more lies in the hand without one of them
                    table[total] = max([fewer[total - _DIGIT[rank]] for rank in set(ranks)])
        self._by_size[size] = table
        return table

    def _made(self, category: str, *ranks: int) -> HandRank:
        return HandRank(self._strength[category], category, ranks)

    def _unsuited(self, ranks: Sequence[int]) -> Iterator[HandRank]:
        """Hands that these ranks, highest first, make whatever their suits: the best of them is what counts."""
        size = self.order.size
        distinct = list(dict.fromkeys(ranks))
        times = [(rank, ranks.count(rank)) for rank in distinct]
        of_a_kind = {count: [rank for rank, there in times if there >= count] for count in (2, 3, 4)}

        def others(*made: int) -> list[int]:
            return [rank for rank in ranks if rank not in made]

        yield self._made("high_card", *ranks[:size])
        if "ace_king" in self._strength and distinct[:2] == [ACE, KING]:
            yield self._made("ace_king", *ranks[:size])
        for rank in of_a_kind[2][:1]:
            yield self._made("pair", rank, *others(rank)[: size - 2])
        if len(of_a_kind[2]) > 1:
            high, low = of_a_kind[2][:2]
            yield self._made("two_pair", high, low, *others(high, low)[: size - 4])
        for rank in of_a_kind[3][:1]:
            yield self._made("three_of_a_kind", rank, *others(rank)[: size - 3])
            pairs = [pair for pair in of_a_kind[2] if pair != rank]
            if pairs and "full_house" in self._strength:
                yield self._made("full_house", rank, pairs[0])
        for rank in of_a_kind[4][:1]:
            yield self._made("four_of_a_kind", rank, *others(rank)[: size - 4])
        straight = self._straight(distinct)
        if straight is not None:
            yield self._made("straight", straight)

    def _straight(self, distinct: Sequence[int]) -> int | None:
        """The place in the order of the best straight among these ranks, an ace being low as well."""
        there = sum([1 << rank for rank in distinct]) | (ACE in distinct) << 1
        for place, run in self._straights:
            if there & run == run:
                return place
        return None

    def _flush(self, mask: int) -> HandRank:
        """The best hand of cards of one suit, whose ranks are the bits of `mask`."""
        ranks = [rank for rank in range(ACE, 1, -1) if mask >> rank - 2 & 1]
        straight = self._straight(ranks)
        if straight is None:
            return self._made("flush", *ranks[: self.order.size])
        if "royal_flush" in self._strength and self.order.straights[straight] == ACE:
            return self._made("royal_flush", straight)
        return self._made("straight_flush", straight)


_DIGIT: Final = [5 ** (rank - 2) if rank > 1 else 0 for rank in range(ACE + 1)]
_WEIGHT: Final = {card: _DIGIT[card.rank] + (1 << _RANK_BITS + 3 * _SUITS.index(card.suit)) for card in deck()}
_weight: Final = _WEIGHT.__getitem__
_BIT: Final = {card: 1 << card.rank - 2 for card in deck()}
