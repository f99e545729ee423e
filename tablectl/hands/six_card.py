"""Six cards of which one is the low hand: how the dealer has to set them, and what one card is worth (670a.11(d)).

The written way comes to this: of the six settings the high hand keeps the highest combination that the cards hold,
none is broken for the low hand (670a.11(d)(1), (3)-(5)); among those that keep it the low card is the highest, which
leaves the lowest straight or flush of six cards (670a.11(d)(2)), and takes the low card from the higher of two threes
or the highest of three pairs (670a.11(d)(1)(i), (ii)). Where there is nothing, the highest card has to stay in the high
hand (670a.11(d)(6), 670a.11(b)).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.cards import JOKER, Card, deck
from tablectl.hands.pai_gow import PAI_GOW
from tablectl.hands.poker import ACE, HandRank

__all__ = ["house_low", "is_set_rightly", "without", "worth"]

_HEIGHT: Final = {card: (card.rank or ACE, card is JOKER) for card in deck(joker=True)}
"""The order of cards as low hands: a joker before an ace."""


def house_low(cards: Sequence[Card]) -> Card:
    """The low hand as the dealer sets these six cards: the highest that leaves all that they make in the high hand."""
    best = PAI_GOW.rank(cards).strength
    from_the_highest = sorted(cards, key=_HEIGHT.__getitem__, reverse=True)
    if not best:
        return from_the_highest[1]
    for low in from_the_highest:
        high = PAI_GOW.rank(without(cards, low))
        if high.strength == best and is_set_rightly(high, low):
            return low
    raise AssertionError("five of six cards make what all of them make")


def without(cards: Sequence[Card], low: Card) -> tuple[Card, ...]:
    """The high hand that a low card leaves; a card that lies there twice, which no deck holds, stays once."""
    place = cards.index(low)
    return (*cards[:place], *cards[place + 1 :])


def worth(low: Card) -> int:
    """The rank of one card as a low hand; the joker is an ace (670a.6(a))."""
    return low.rank or ACE


def is_set_rightly(high: HandRank, low: Card) -> bool:
    """Whether the high hand is equal to the low one or higher (670a.11(b)): card by card, or by any combination."""
    return high.strength > 0 or high.ranks[0] >= (low.rank or ACE)
