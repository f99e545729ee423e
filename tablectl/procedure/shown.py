"""Which cards were dealt where in a round, and which of them everybody has seen since."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_
from typing import Any, ClassVar

from tablectl.cards import Card, FaceDown, Position
from tablectl.procedure.instructions import (
    Burn,
    DealAround,
    DealForButton,
    Dispense,
    Dispensed,
    Draw,
    Drawn,
    Expose,
    Exposed,
    ExposeVoided,
    FoundFaceUp,
    ShoeJammed,
    Show,
    Shuffle,
    TurnFaceUp,
    TurnUpForButton,
    TurnUpHands,
    once_around,
)
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
    """What goes on from round to round of one shoe: how many cards have left it, and what was turned up.

    `hands` are those of the last round, `times` says of all rounds how often each card was turned up.
    """

    out: int = 0
    hands: tuple[ShownHand, ...] = ()
    times: tuple[tuple[Card, int], ...] = ()


class _Place:
    """What was dealt to one place: the cards, and the number of each in the round."""

    __slots__ = ("cards", "numbers")

    def __init__(self) -> None:
        self.cards: list[FaceDown] = []
        self.numbers: list[int] = []

    @property
    def last(self) -> tuple[int, ...]:
        """The number of the card that was dealt last."""
        return (self.numbers[-1],)


class Shown:
    """The cards of one round in the order in which they were dealt, and what was turned up of them.

    `before` is what the shoe has shown in earlier rounds. A hand that is turned up in parts is one hand in the end, and
    so is one that is turned up, drawn to, and turned up again. `times` is how often each card was turned up; those that
    were not are left out, or there with 0. None was more often than `most`.
    """

    def __init__(self, number: int, before: ShoeMemory) -> None:
        self._round = number
        self._before = before
        self._places: dict[Position, _Place] = {}
        self._hands: list[ShownHand] = []
        self._hand_of: dict[int, ShownHand] = {}
        self.times = dict(before.times)
        self.most = max(self.times.values(), default=1)

    def take(self, act: object, result: object) -> tuple[Card, ...]:
        """Take note of an act and its result; the cards that it has turned up."""
        note = self._NOTES.get(type(act))
        return () if note is None else note(self, act, result)

    @property
    def last_rounds(self) -> list[ShownHand]:
        """What was turned up in this round and the one before, as far as that was of the same shoe."""
        before = [hand for hand in self._before.hands if hand.round >= self._round - 1]
        return before + self._hands

    def memory(self, out: int) -> ShoeMemory:
        """What the next round of the same shoe has to know, when so many cards have left in this one."""
        return ShoeMemory(self._before.out + out, tuple(self._hands), tuple(self.times.items()))

    def lies_up(self, at: Position | None) -> bool:
        """Whether the card that was dealt last, to that place or (None) to any, has been turned up."""
        places = self._places.values() if at is None else [self._places[at]] if at in self._places else []
        return max([place.numbers[-1] for place in places], default=0) in self._hand_of

    def dealt(self, number: int, card: FaceDown, to: Position) -> None:
        """The card with that number of the round went face down to a place."""
        place = self._places.get(to)
        if place is None:
            place = self._places[to] = _Place()
        place.cards.append(card)
        place.numbers.append(self._before.out + number)

    def found(self, number: int, card: Card | None) -> tuple[Card, ...]:
        """The card with that number lay face up and went to the rack; None where nothing could read it."""
        if card is None:
            return ()
        self._add(ShownHand(self._round, (self._before.out + number,), (card,)))
        return (card,)

    def _single(self, act: Draw | Burn | DealAround, result: object) -> tuple[Card, ...]:
        if type(result) is Drawn:
            self.dealt(act.number, result.card, act.to)
        elif isinstance(result, FoundFaceUp):
            return self.found(act.number, result.card)
        return ()

    def _stack(self, act: Dispense, result: object) -> tuple[Card, ...]:
        turned_up: tuple[Card, ...] = ()
        assert isinstance(result, Dispensed | ShoeJammed)
        for number, item in enumerate(result.cards, act.number):
            if isinstance(item, Drawn):
                self.dealt(number, item.card, act.to)
            else:
                turned_up += self.found(number, item.card)
        return turned_up

    def _around(self, act: DealAround, result: object) -> tuple[Card, ...]:
        if not isinstance(result, Dispensed):
            return self._single(act, result)
        cards = [item.card for item in result.cards if type(item) is Drawn]
        count, first = len(cards), act.number
        if count == len(result.cards):  # as `dealt` does it card by card
            around, out = once_around(act.places), self._before.out
            for turn, place in zip(range(count), around, strict=False):
                there = self._places.get(place)
                if there is None:
                    there = self._places[place] = _Place()
                there.cards += cards[turn :: len(around)]
                there.numbers += range(out + first + turn, out + first + count, len(around))
            return ()
        turned_up: tuple[Card, ...] = ()
        for number, (item, place) in enumerate(zip(result.cards, act.places, strict=False), first):
            if type(item) is Drawn:
                self.dealt(number, item.card, place)
            elif isinstance(item, FoundFaceUp):
                turned_up += self.found(number, item.card)
        return turned_up

    def _one_each(self, act: TurnFaceUp, result: object) -> tuple[Card, ...]:
        assert isinstance(result, Exposed)
        places = self._places
        for place, down, card in zip(act.at, act.down, result.cards, strict=False):
            there = places.get(place)
            numbers = self._numbers((down,), place) if there is None or there.cards[-1] is not down else there.last
            if numbers:
                self._turned_up(numbers, (), (card,))
        return result.cards

    def _exposed(self, act: Expose | ExposeVoided | TurnUpHands | Show, result: object) -> tuple[Card, ...]:
        if not isinstance(result, Exposed):
            return ()
        numbers = self._numbers(act.cards, act.position)
        among = self._numbers(act.among, act.position) if act.among else ()
        if numbers or among:
            self._turned_up(numbers, among, result.cards)
        return result.cards

    def _shuffled(self, _act: object, _result: object) -> tuple[Card, ...]:
        """In a round, when the shoe has run out: what was seen may come again."""
        self._before, self._places, self._hands, self._hand_of = ShoeMemory(), {}, [], {}
        self.times, self.most = {}, 1
        return ()

    def _turned_up(self, numbers: tuple[int, ...], among: tuple[int, ...], cards: tuple[Card, ...]) -> None:
        hand = ShownHand(self._round, numbers, cards)
        up = self._hand_of.keys()
        if not up.isdisjoint(numbers) or (among and not up.isdisjoint(among)):
            hand = self._again(hand, among)
        self._add(hand)

    def _again(self, hand: ShownHand, among: tuple[int, ...]) -> ShownHand:
        """Take back what was turned up before of a hand; the hand with that of it which is not shown now."""
        known, numbers = self._hand_of, hand.numbers
        before: list[ShownHand] = []
        for number in (*numbers, *among):
            if number in known:
                other = known[number]
                before.append(other)
                for each in other.numbers:
                    known.pop(each, None)
        gone = dict.fromkeys([number for other in before for number in other.numbers])
        self._hands = [other for other in self._hands if not other.numbers or other.numbers[0] not in gone]
        for other in before:
            for card in other.cards:
                self.times[card] -= 1
            if not all(number in numbers for number in other.numbers):  # some were thrown away since
                hand = _both(hand, other)
        return hand

    def _add(self, hand: ShownHand) -> None:
        self._hands.append(hand)
        known, times = self._hand_of, self.times
        for number in hand.numbers:
            known[number] = hand
        for card in hand.cards:
            times[card] = found = times.get(card, 0) + 1
            if found > 1:
                self.most = max(self.most, found)

    def _numbers(self, hidden: tuple[FaceDown, ...], at: Position) -> tuple[int, ...]:
        """The numbers under which these cards were dealt, as far as they are told apart: mostly to that place."""
        there = self._places.get(at)
        if there is not None and len(there.cards) == len(hidden) and all(map(is_, there.cards, hidden)):
            return tuple(there.numbers)
        if there is not None and len(hidden) == 1 and there.cards[-1] is hidden[0]:  # turned up as it was dealt
            return (there.numbers[-1],)
        if there is not None:
            found: list[int] = []
            for dealt_as, one in zip(there.numbers, there.cards, strict=True):  # what is left lies as it was dealt
                if len(found) < len(hidden) and one is hidden[len(found)]:
                    found.append(dealt_as)
            if len(found) == len(hidden):
                return tuple(found)
        numbers: list[int] = []
        places = self._places.values() if there is None else (there, *self._places.values())
        for card in hidden:
            dealt = (n for place in places for n, one in zip(place.numbers, place.cards, strict=True) if one is card)
            numbers += next(([number] for number in dealt if number not in numbers), [])
        return tuple(numbers)

    _NOTES: ClassVar[Mapping[type[Any], Callable[[Shown, Any, object], tuple[Card, ...]]]] = {
        Draw: _single,
        Burn: _single,
        Dispense: _stack,
        Expose: _exposed,
        ExposeVoided: _exposed,
        TurnUpHands: _exposed,
        Shuffle: _shuffled,
        DealAround: _around,
        DealForButton: _around,
        TurnFaceUp: _one_each,
        TurnUpForButton: _one_each,
        Show: _exposed,
    }


def _both(hand: ShownHand, other: ShownHand) -> ShownHand:
    """Two hands that have cards in common: all their cards, those that both have shown once."""
    left = list(hand.cards)
    more: list[Card] = []
    for card in other.cards:
        if card in left:
            left.remove(card)
        else:
            more.append(card)
    numbers = (*hand.numbers, *(number for number in other.numbers if number not in hand.numbers))
    return ShownHand(hand.round, numbers, (*hand.cards, *more))
