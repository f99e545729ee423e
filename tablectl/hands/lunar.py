"""Hands as chapter 671a looks at them: against the dealer, for the Super Wager, and for a second combination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from tablectl.cards import Card
from tablectl.hands.poker import ACE_KING, Evaluator, HandRank

__all__ = ["INSTANT", "LUNAR", "STRAIGHT", "is_at_least", "second_combination", "super_rows"]

LUNAR: Final = Evaluator(ACE_KING)
"""Ranks hands by 671a.6(a)-(c): the best five of the five or six cards that a player has."""

INSTANT: Final = ("royal_flush", "straight_flush")
"""Hands of the instant payout (671a.12(a))."""

STRAIGHT: Final = "straight"
_STRENGTH: Final = {category: place for place, category in enumerate(ACE_KING.categories)}
_LISTED: Final = ("four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")
_ROWS: Final = (
    "four_of_a_kind",
    "five_picture_cards",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "ace_king_queen",
    "same_colored_five",
)
_PICTURES: Final = (13, 12, 11)
_ACE_KING_QUEEN: Final = (14, 13, 12)
_RED: Final = ("d", "h")

_RANKS_MADE_OF: Final = {"pair": 1, "two_pair": 2, "three_of_a_kind": 1, "four_of_a_kind": 1}

Cards = tuple[Card, ...]


def is_at_least(category: str, least: str) -> bool:
    """Whether a hand of that category is as high as one of the other, or higher (671a.6(b))."""
    return _STRENGTH[category] >= _STRENGTH[least]


def super_rows(cards: Sequence[Card]) -> tuple[str, ...]:
    """Every row of 671a.6(d) that these five cards fill, highest first.

    To the letter a straight flush is neither a flush, which is not in order, nor a straight, which has several suits;
    but its cards have one colour, and those of a royal flush are an ace, a king and a queen as well.
    """
    ranks = [card.rank for card in cards]
    red = sum(card.suit in _RED for card in cards)
    category = LUNAR.rank(cards).category
    filled = [category] if category in _LISTED else []
    if all(rank in _PICTURES for rank in ranks):
        filled.append("five_picture_cards")
    if all(rank in ranks for rank in _ACE_KING_QUEEN):
        filled.append("ace_king_queen")
    if red in (0, len(cards)):
        filled.append("same_colored_five")
    return tuple(sorted(filled, key=_ROWS.index))


def second_combination(cards: Sequence[Card]) -> str | None:
    """The best other combination in a hand: one with a card that is not in the combination of its rank.

    A combination is the cards that make it, without kickers: two of a pair, an ace and a king, all five of a flush. It
    may be of the same category again, such as a straight that has another card (671a.11(f)(2)(ii)).
    """
    best = LUNAR.rank(cards)
    if len(cards) == LUNAR.order.size:
        return _ace_king_beside(cards, best)
    found = list(_combinations(cards))
    winning = [made for made in found if _makes(made, best)]
    seconds = [category for category, which in found if any(not _within(which, won) for _category, won in winning)]
    return max(seconds, key=_STRENGTH.__getitem__, default=None)


def _ace_king_beside(cards: Sequence[Card], best: HandRank) -> str | None:
    """Of five cards only an ace-king can be a second one, if it is not made of the first one's cards alone."""
    made = best.ranks[: _RANKS_MADE_OF.get(best.category, 0)]
    ranks = [card.rank for card in cards]
    has_both = bool(made) and 14 in ranks and 13 in ranks
    return "ace_king" if has_both and not (14 in made and 13 in made) else None


def _combinations(cards: Sequence[Card]) -> Iterator[tuple[str, Cards]]:
    """Every combination in these cards that 671a.12(d) pays."""
    for size in (2, 3, 4, 5):
        for which in combinations(cards, size):
            category = _category(which)
            if category is not None:
                yield category, which


def _category(cards: Cards) -> str | None:
    """What these cards make if none of them is a kicker."""
    if len(cards) == LUNAR.order.size:
        made = LUNAR.rank(cards).category
        return made if is_at_least(made, STRAIGHT) and made != "four_of_a_kind" else None
    ranks = sorted([card.rank for card in cards], reverse=True)
    if ranks[0] == ranks[-1]:
        return ("pair", "three_of_a_kind", "four_of_a_kind")[len(ranks) - 2]
    if ranks == [14, 13]:
        return "ace_king"
    return "two_pair" if len(ranks) == 4 and ranks[0] == ranks[1] and ranks[2] == ranks[3] else None


def _makes(made: tuple[str, Cards], best: HandRank) -> bool:
    """Whether that combination is the one of the hand's rank."""
    category, cards = made
    if category != best.category:
        return False
    if len(cards) == LUNAR.order.size:
        return LUNAR.rank(cards) == best
    ranks = [card.rank for card in cards]
    return all(rank in ranks for rank in best.ranks[: len(dict.fromkeys(ranks))])


def _within(cards: Cards, others: Cards) -> bool:
    return all(card in others for card in cards)
