"""The manner in which a dealer has to set seven cards (561.13(c), (d)): rows of data, looked through in order.

What a hand holds is how often its ranks occur, the joker being an ace; a row says for one holding, under which
conditions, what goes to the low hand. The first row that fits and can be carried out decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tablectl.cards import JOKER, RANKS, SUITS, Card, deck
from tablectl.hands.pai_gow import PAI_GOW, low_rank
from tablectl.hands.poker import ACE, HandRank

__all__ = ["HOLDINGS", "MADE", "SHIPPED", "Band", "HouseWay", "Row", "holding_of"]

HIGHEST_CARDS: Final = "highest_cards"
"""The two highest cards that are in no combination; without any combination the highest card stays in the high hand."""
MADE: Final = ("made", "made_pair")
"""A straight, flush or better stays whole: the low hand is the best that it leaves, or a pair if it leaves one."""

HOLDINGS: Final[Mapping[str, tuple[tuple[int, ...], tuple[str, ...]]]] = {
    "no_pair": ((), (HIGHEST_CARDS,)),
    "pair": ((2,), (HIGHEST_CARDS,)),
    "two_pair": ((2, 2), (HIGHEST_CARDS, "low_pair")),
    "three_pair": ((2, 2, 2), ("high_pair", "middle_pair", "low_pair")),
    "three_of_a_kind": ((3,), (HIGHEST_CARDS, "one_of_three")),
    "two_threes": ((3, 3), ("pair_of_high_three", "pair_of_low_three")),
    "full_house": ((3, 2), ("pair", HIGHEST_CARDS)),
    "full_house_and_pair": ((3, 2, 2), ("high_pair", "low_pair", "pair_of_three")),
    "four_of_a_kind": ((4,), (HIGHEST_CARDS, "pair_of_four")),
    "four_and_pair": ((4, 2), ("pair", "pair_of_four")),
    "four_and_three": ((4, 3), ("pair_of_three", "pair_of_four")),
    "five_aces": ((5,), (HIGHEST_CARDS, "pair_of_five")),
    "five_aces_and_pair": ((5, 2), ("pair", "pair_of_five")),
}
"""How often ranks occur that occur more than once, and what may go to the low hand then.

None of it makes the low hand higher than the high hand (561.13(a)).
"""

_HOLDING_OF: Final = {counts: holding for holding, (counts, _lows) in HOLDINGS.items()}
_WHICH_GROUP: Final = {
    "pair": -1,
    "high_pair": -2,
    "low_pair": -1,
    "pair_of_low_three": 1,
}
"""Where among the groups the one lies that the low hand comes from, if it is not the first."""
_OTHERWISE: Final = {
    ("three_pair", "high_pair"): 0,
    ("three_pair", "middle_pair"): 1,
    ("four_and_three", "pair_of_three"): 1,
}

_WINDOWS: Final = (*(31 << top - 4 for top in range(6, ACE + 1)), 1 << ACE | 15 << 2)
"""Straights as bits of their ranks: bit 2 is a two, bit 14 an ace."""

Ranks = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """Ranks from `least` to `most`, 2 to 14."""

    least: int
    most: int

    @classmethod
    def of(cls, text: str) -> Band:
        """``2-6``, ``J-A``, or a single rank such as ``A``; `ValueError` for anything else."""
        least, dash, most = text.partition("-")
        found = [RANKS.find(rank) + 2 if len(rank) == 1 else 0 for rank in (least, most if dash else least)]
        if min(found) < 2 or found[0] > found[1]:
            raise ValueError(f"{text!r} are no ranks: expected such as 2-6, J-A or A")
        return cls(found[0], found[1])

    def __str__(self) -> str:
        least, most = RANKS[self.least - 2], RANKS[self.most - 2]
        return least if least == most else f"{least}-{most}"


@dataclass(frozen=True, slots=True)
class Row:
    """What goes to the `low` hand of that `holding`.

    `ranks` are those of its groups, larger groups first and higher ones before lower, `singles` those of its highest
    cards that are in no group; where they are left out, any will do.
    """

    holding: str
    low: str
    ranks: tuple[Band, ...] = ()
    singles: tuple[Band, ...] = ()

    @property
    def always(self) -> bool:
        """Whether every such hand can be set by it."""
        return not self.ranks and not self.singles and self.low not in MADE

    def fits(self, groups: Ranks, singles: Ranks) -> bool:
        """Whether its conditions are met."""
        return _within(groups, self.ranks) and _within(singles, self.singles)


class HouseWay:
    """Rows in the order in which they are looked through; `low(cards)` sets seven cards.

    Every holding has a row that always fits. How a set of ranks is set is worked out once and kept.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = tuple(rows)
        self._of: Mapping[str, tuple[Row, ...]] = {
            holding: tuple(row for row in rows if row.holding == holding) for holding in HOLDINGS
        }
        self._plans: dict[int, _Plan] = {}

    def low(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The two of these seven cards that go to the low hand, the higher one first."""
        key = 0
        for card in cards:
            key += _DIGIT[card.rank]
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan([card.rank for card in cards])
        if plan.made and (plan.straight or _may_be_flush(cards)):
            lows = list(_lows_of_made(cards))
            for wanted in plan.made:
                found = [set_so for set_so in lows if wanted == "made" or set_so[0].category == "pair"]
                if found:
                    return max(found, key=lambda set_so: set_so[:2])[2]
        return _cards_of(cards, plan.ranks)

    def _plan(self, known: Sequence[int]) -> _Plan:
        ranks = [rank or ACE for rank in known]
        holding, groups, singles = holding_of(ranks)
        made: tuple[str, ...] = ()
        for row in self._of[holding]:
            if row.fits(groups, singles):
                if row.low not in MADE:
                    return _Plan(made, _low_ranks(holding, row.low, groups, singles), bool(made) and _is_nearly(known))
                made = (*made, row.low)
        raise ValueError(f"no row sets {holding}")


@dataclass(frozen=True, slots=True)
class _Plan:
    """How one set of ranks is set: what is kept whole if it can be, and the ranks of the low hand otherwise.

    `straight`: five of the cards are a straight, whatever their suits.
    """

    made: tuple[str, ...]
    ranks: Ranks
    straight: bool


def holding_of(ranks: Sequence[int]) -> tuple[str, Ranks, Ranks]:
    """What seven ranks hold, the ranks of the groups (larger ones, then higher ones first), and the single cards."""
    counts: dict[int, int] = {}
    for rank in sorted(ranks, reverse=True):
        counts[rank] = counts.get(rank, 0) + 1
    groups = sorted([rank for rank in counts if counts[rank] > 1], key=lambda rank: -counts[rank])
    singles = tuple([rank for rank in counts if counts[rank] == 1])
    return _HOLDING_OF[tuple([counts[rank] for rank in groups])], tuple(groups), singles


def _low_ranks(holding: str, low: str, groups: Ranks, singles: Ranks) -> Ranks:
    if low == HIGHEST_CARDS:
        return singles[1:3] if holding == "no_pair" else singles[:2]
    rank = groups[_OTHERWISE.get((holding, low), _WHICH_GROUP.get(low, 0))]
    return (rank, singles[0]) if low == "one_of_three" else (rank, rank)


def _within(ranks: Ranks, bands: tuple[Band, ...]) -> bool:
    if len(ranks) < len(bands):
        return False
    return all(band.least <= rank <= band.most for rank, band in zip(ranks, bands, strict=False))


def _is_nearly(ranks: Sequence[int]) -> bool:
    """Whether five of these ranks are a straight, of which one may be the joker's."""
    needed, bits = 5 - (0 in ranks), 0
    for rank in ranks:
        bits |= 1 << rank
    return any((bits & window).bit_count() >= needed for window in _WINDOWS)


def _may_be_flush(cards: Sequence[Card]) -> bool:
    """Whether five of the cards are of one suit, of which one may be the joker."""
    suits = [card.suit for card in cards]
    needed = 5 - suits.count(JOKER.suit)
    return any(suits.count(suit) >= needed for suit in SUITS)


def _lows_of_made(cards: Sequence[Card]) -> Iterator[tuple[HandRank, HandRank, tuple[Card, ...]]]:
    """Low hands that leave a straight, a flush or better: rank of the low hand, of the high hand, the low cards."""
    ordered = _in_order(cards)
    for low in combinations(ordered, 2):
        high = PAI_GOW.rank([card for card in ordered if card not in low])
        if high.category in _COMPLETE:
            yield low_rank(low), high, low


def _cards_of(cards: Sequence[Card], ranks: Ranks) -> tuple[Card, ...]:
    """The first cards of these ranks; the joker stays in the high hand as long as it can."""
    low: list[Card] = []
    ordered = _in_order(cards)
    for rank in ranks:
        for card in ordered:
            if (card.rank or ACE) == rank and card not in low:
                low.append(card)
                break
    return tuple(low)


def _in_order(cards: Sequence[Card]) -> list[Card]:
    """From the highest to the lowest, the joker after the aces."""
    return sorted(cards, key=_ORDER.__getitem__)


_COMPLETE: Final = ("straight", "flush", "straight_flush", "royal_flush")
_DIGIT: Final = {0: 6**13, **{rank: 6 ** (rank - 2) for rank in range(2, ACE + 1)}}
_ORDER: Final = {
    card: place
    for place, card in enumerate(sorted(deck(joker=True), key=lambda c: (-(c.rank or ACE), c is JOKER, c.suit)))
}


def _rows(holding: str, *ways: str) -> Iterator[Row]:
    """Rows of one holding, each as ``LOW``, ``LOW RANK RANK`` or ``LOW RANK RANK / SINGLE SINGLE``."""
    for way in ways:
        conditions, _, singles = way.partition("/")
        low, *ranks = conditions.split()
        bands = (tuple(Band.of(text) for text in texts) for texts in (ranks, singles.split()))
        yield Row(holding, low, *bands)


SHIPPED: Final = HouseWay(
    (
        *_rows("no_pair", "made", HIGHEST_CARDS),
        *_rows("pair", "made", HIGHEST_CARDS),
        *_rows(
            "two_pair",
            "made_pair",
            "low_pair A",  # aces are always split from another pair
            "highest_cards 2-6 2-6 / K-A",  # two small pairs stay together below a king or an ace
            "highest_cards 2-T 2-T / A",  # two pairs up to tens, and a large one with a small one, below an ace
            "highest_cards J-K 2-6 / A",
            "low_pair",
        ),
        *_rows("three_pair", "high_pair"),
        *_rows("three_of_a_kind", "made_pair", "one_of_three A", HIGHEST_CARDS),
        *_rows("two_threes", "pair_of_high_three"),
        *_rows("full_house", "highest_cards 3-A 2 / A K", "pair"),
        *_rows("full_house_and_pair", "high_pair"),
        *_rows(
            "four_of_a_kind",
            "highest_cards 2-6",  # small ones stay together
            "highest_cards 7-T / A",  # larger ones below an ace only, the largest ones never
            "pair_of_four",
        ),
        *_rows("four_and_pair", "pair_of_four A 2-6", "pair"),
        *_rows("four_and_three", "pair_of_three"),
        *_rows("five_aces", "pair_of_five"),
        *_rows("five_aces_and_pair", "pair A K", "pair_of_five"),
    )
)
"""The manner that is shipped, of the kind that is usual: filed where nothing else is."""
