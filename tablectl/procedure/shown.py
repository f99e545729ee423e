"""Which cards were dealt where in a round, and which of them everybody has seen since."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from tablectl.cards import Card, FaceDown, Position
from tablectl.procedure.instructions import (
    Burn,
    Dispense,
    Dispensed,
    Draw,
    Drawn,
    Expose,
    Exposed,
    ExposeVoided,
    FoundFaceUp,
    ShoeJammed,
    Shuffle,
)
from tablectl.procedure.sequences import Hand
from tablectl.records import record

__all__ = ["ShoeMemory", "Shown", "ShownHand"]


@record
class ShownHand:
    """Cards that were turned up at one place in that round; `numbers` count from the beginning of the shoe."""

    round: int
    numbers: tuple[int, ...]
    cards: tuple[Card, ...]


@record
class ShoeMemory:
    """What goes on from round to round of one shoe: how many cards have left it, and what was turned up."""

    out: int = 0
    hands: tuple[ShownHand, ...] = ()


@dataclass(slots=True)
class _Dealt:
    number: int
    card: FaceDown


class Shown:
    """The cards of one round in the order in which they were dealt, and what was turned up of them.

    `before` is what the shoe has shown in earlier rounds. A hand that is turned up in parts is one hand in the end, and
    so is one that is turned up, drawn to, and turned up again.
    """

    def __init__(self, number: int, before: ShoeMemory) -> None:
        self._round = number
        self._before = before
        self._dealt: list[_Dealt] = []
        self._dealt_to: dict[Position, list[_Dealt]] = {}
        self._hands: list[Hand] = []

    def take(self, act: object, result: object) -> bool:
        """Take note of an act and its result; whether it has turned cards up."""
        if isinstance(act, Draw | Burn) and isinstance(result, Drawn):
            self._deal(act.number, result.card, act.to)
        elif isinstance(act, Draw | Burn) and isinstance(result, FoundFaceUp):
            return self._face_up(act.number, result.card)
        elif isinstance(act, Dispense) and isinstance(result, Dispensed | ShoeJammed):
            return self._stack(act.number, result.cards, act.to)
        elif isinstance(act, Expose | ExposeVoided) and isinstance(result, Exposed):
            among = self._numbers(act.among, act.position) if isinstance(act, Expose) else []
            self._turned_up(self._numbers(act.cards, act.position), among, result.cards)
            return True
        elif isinstance(act, Shuffle):  # in a round, when the shoe has run out: what was seen may come again
            self._before, self._dealt, self._dealt_to, self._hands = ShoeMemory(), [], {}, []
        return False

    @property
    def cards(self) -> list[Card]:
        """Every card that was turned up, as often as there were such cards."""
        before = [card for hand in self._before.hands for card in hand.cards]
        return [*before, *(card for hand in self._hands for card in hand.cards)]

    @property
    def last_rounds(self) -> list[Hand]:
        """What was turned up in this round and the one before, as far as that was of the same shoe."""
        before = [Hand(hand.numbers, hand.cards) for hand in self._before.hands if hand.round >= self._round - 1]
        return [*before, *(Hand(self._in_shoe(hand.numbers), hand.cards) for hand in self._hands)]

    def memory(self, out: int) -> ShoeMemory:
        """What the next round of the same shoe has to know, when so many cards have left in this one."""
        hands = (ShownHand(self._round, self._in_shoe(hand.numbers), hand.cards) for hand in self._hands)
        return ShoeMemory(self._before.out + out, (*self._before.hands, *hands))

    def _in_shoe(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self._before.out + number for number in numbers)

    def _face_up(self, number: int, card: Card | None) -> bool:
        if card is not None:
            self._hands.append(Hand((number,), (card,)))
        return card is not None

    def _deal(self, number: int, card: FaceDown, to: Position) -> None:
        dealt = _Dealt(number, card)
        self._dealt.append(dealt)
        self._dealt_to.setdefault(to, []).append(dealt)

    def _stack(self, first: int, items: tuple[Drawn | FoundFaceUp, ...], to: Position) -> bool:
        turned_up = False
        for number, item in enumerate(items, first):
            if isinstance(item, Drawn):
                self._deal(number, item.card, to)
            else:
                turned_up = self._face_up(number, item.card) or turned_up
        return turned_up

    def _turned_up(self, numbers: list[int], among: list[int], cards: tuple[Card, ...]) -> None:
        if not numbers and not among:
            return
        hand = Hand(tuple(numbers), cards)
        before = [other for other in self._hands if any(n in numbers or n in among for n in other.numbers)]
        self._hands = [other for other in self._hands if other not in before]
        for other in before:
            if not all(number in numbers for number in other.numbers):  # of those some were thrown away since
                hand = _both(hand, other)
        self._hands.append(hand)

    def _numbers(self, hidden: tuple[FaceDown, ...], at: Position) -> list[int]:
        """The numbers under which these cards were dealt, as far as they are told apart: mostly to that place."""
        numbers: list[int] = []
        for card in hidden:
            for dealt in chain(self._dealt_to.get(at, ()), self._dealt):
                if dealt.card is card and dealt.number not in numbers:
                    numbers.append(dealt.number)
                    break
        return numbers


def _both(hand: Hand, other: Hand) -> Hand:
    """Two hands that have cards in common: all their cards, those that both have shown once."""
    left = list(hand.cards)
    more: list[Card] = []
    for card in other.cards:
        if card in left:
            left.remove(card)
        else:
            more.append(card)
    numbers = (*hand.numbers, *(number for number in other.numbers if number not in hand.numbers))
    return Hand(numbers, (*hand.cards, *more))
