"""Omaha hands: exactly two of a player's four cards with exactly three of the board's five (637a.12(k), (m)).

A `Board` is made once for a showdown; what each player makes with it is then ranked by a few sums and look-ups. High
hands are ranked as five-card poker hands, as a whole number that compares like `HandRank`. A low hand is eight or
better (637a.12(l)), as the set of its ranks: bit 0 is the ace, bit 7 the eight, so that the smaller number is the
better low.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from tablectl.cards import Card, deck
from tablectl.hands.poker import FIVE_CARD, Evaluator, HandRank

__all__ = ["Board", "high_hand", "low_ranks", "strength"]

_FIVE: Final = Evaluator(FIVE_CARD)
_WEIGHT: Final = {card: 5 ** (card.rank - 2) for card in deck()}  # a digit of base 5 for each rank
_BIT: Final = {card: 1 << card.rank - 2 for card in deck()}
_LOW_BIT: Final = {card: 1 << card.rank % 13 - 1 if card.rank % 13 in range(1, 9) else 0 for card in deck()}
_OWN: Final = 2
_OF_BOARD: Final = 3


class _Tables(NamedTuple):
    """`hands` from the lowest up; the place in it by the sum of weights (no flush), and by the ranks of a flush."""

    hands: list[HandRank]
    mixed: dict[int, int]
    suited: dict[int, int]


@cache
def _tables() -> _Tables:
    by_suit = {suit: {card.rank: card for card in deck() if card.suit == suit} for suit in "cdhs"}
    mixed: dict[int, HandRank] = {}
    suited: dict[int, HandRank] = {}
    for ranks in combinations_with_replacement(range(2, 15), 5):
        if max(Counter(ranks).values()) == 5:
            continue
        cards = [by_suit["cdhs"[ranks[:place].count(rank)]][rank] for place, rank in enumerate(ranks)]
        if len({*ranks}) == 5:
            suited[sum([_BIT[card] for card in cards])] = _FIVE.rank(cards)
            cards[0] = by_suit["d"][ranks[0]]
        mixed[sum([_WEIGHT[card] for card in cards])] = _FIVE.rank(cards)
    hands = sorted({*mixed.values(), *suited.values()})
    place = {hand: number for number, hand in enumerate(hands)}
    return _Tables(
        hands, {key: place[hand] for key, hand in mixed.items()}, {key: place[hand] for key, hand in suited.items()}
    )


def high_hand(high: int) -> HandRank:
    """The hand of that strength, with its category."""
    return _tables().hands[high]


def strength(cards: Sequence[Card]) -> int:
    """Five cards as a high hand: the whole number that compares like their `HandRank`."""
    tables = _tables()
    suit = cards[0].suit
    for card in cards:
        if card.suit != suit:
            return tables.mixed[sum([_WEIGHT[card] for card in cards])]
    return tables.suited[sum([_BIT[card] for card in cards])]


def low_ranks(low: int) -> tuple[int, ...]:
    """The ranks of a low hand, highest first, the ace as 1."""
    return tuple(rank for rank in range(8, 0, -1) if low >> rank - 1 & 1)


class Board:
    """The five community cards of a showdown."""

    __slots__ = ("_lows", "_suit", "_suited", "_sums", "cards")

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)
        threes = tuple(combinations(cards, _OF_BOARD))
        self._sums = {_WEIGHT[a] + _WEIGHT[b] + _WEIGHT[c]: None for a, b, c in threes}
        suit, often = Counter([card.suit for card in cards]).most_common(1)[0]
        self._suit = suit if often >= _OF_BOARD else None
        of_suit = [_BIT[card] for card in cards if card.suit == suit]
        self._suited = [a | b | c for a, b, c in combinations(of_suit, _OF_BOARD)]
        low_bits = {_LOW_BIT[card]: None for card in cards if _LOW_BIT[card]}
        self._lows = [a | b | c for a, b, c in combinations(low_bits, _OF_BOARD)]

    def high(self, own: Sequence[Card]) -> int:
        """The strength of the best high hand."""
        mixed, suited = _tables().mixed, _tables().suited
        a, b, c, d = [_WEIGHT[card] for card in own]
        twos = {a + b: None, a + c: None, a + d: None, b + c: None, b + d: None, c + d: None}
        best = max([mixed[two + three] for three in self._sums for two in twos])
        if self._suit is not None:
            of_suit = [_BIT[card] for card in own if card.suit == self._suit]
            for one, other in combinations(of_suit, _OWN):
                best = max(best, *[suited[one | other | three] for three in self._suited])
        return best

    def low(self, own: Sequence[Card]) -> int | None:
        """The best low hand of five different ranks from ace to eight, None where there is none."""
        if not self._lows:
            return None
        bits = {_LOW_BIT[card]: None for card in own if _LOW_BIT[card]}
        twos = [one | other for one, other in combinations(bits, _OWN)]
        made = [two | three for three in self._lows for two in twos if not two & three]
        return min(made) if made else None

    def is_low(self, made: Sequence[Card], low: int | None) -> bool:
        """Whether these five cards make that low hand."""
        return len(made) == 5 and sum([_LOW_BIT[card] for card in made]) == low and all(_LOW_BIT[c] for c in made)

    def made(self, own: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        """Every hand of five cards that a player may make, with the player's own cards first."""
        for two in combinations(own, _OWN):
            for three in combinations(self.cards, _OF_BOARD):
                yield (*two, *three)
