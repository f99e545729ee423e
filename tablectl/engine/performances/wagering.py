"""Wagers before the deal, and the decisions of seats."""

from __future__ import annotations

from tablectl.cards import DEALER
from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import Input, TimerExpired
from tablectl.engine.menu import DIGITS, ENTER
from tablectl.engine.performances.keys import key_of_press, words
from tablectl.engine.prompts import Prompt, position_of
from tablectl.equipment import KeyPressed, WagerSpot
from tablectl.money import Money, show
from tablectl.procedure import instructions as acts

__all__ = ["AskSeat", "Collect"]


class Collect(Performance):
    """Wagers until "no more bets": chips that sensors see, or seat, wager, amount and enter on the panel."""

    def __init__(self, act: acts.CollectWagers, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._seat: int | None = None
        self._wager: str | None = None
        self._amount = ""

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key is None:
            return Taken.IGNORED
        if key == "no_more_bets":
            return self._close()
        position = position_of(key)
        if position is not None and position is not DEALER and position.number <= self._act.seats:
            self._seat, self._wager, self._amount = position.number, None, ""
        elif self._seat is not None and key in self._act.wagers:
            self._wager, self._amount = key, ""
        elif self._wager is not None and (key in DIGITS or (key == "point" and "." not in self._amount)):
            self._amount += "." if key == "point" else key.removeprefix("digit_")
        elif self._wager is not None and self._seat is not None and key == ENTER:
            return self._put(self._seat, self._wager)
        else:
            return Taken.IGNORED
        return Taken.HELD

    def prompt(self) -> Prompt:
        placed = len(self._stakes())
        always = (*(("no_more_bets",) if placed else ()), *(f"seat_{n}" for n in range(1, self._act.seats + 1)))
        if self._seat is None:
            return Prompt(f"WAGERS: {placed}. THEN NO MORE BETS", always)
        if self._wager is None:
            return Prompt(f"SEAT {self._seat}: WHICH WAGER?", (*always, *self._act.wagers))
        amount = (*DIGITS, *(() if "." in self._amount else ("point",)), ENTER)
        return Prompt(f"SEAT {self._seat} {words(self._wager)}: {self._amount}_", (*always, *self._act.wagers, *amount))

    def _put(self, seat: int, wager: str) -> Answer:
        dollars, _, cents = self._amount.partition(".")
        if len(cents) > 2 or (self._amount and not dollars):
            return Taken.IGNORED
        amount = int(dollars or 0) * 100 + int(cents.ljust(2, "0"))
        if self._amount and amount == 0:
            self._desk.picture.spots.pop((seat, wager), None)
        else:
            self._desk.picture.put(seat, wager, amount or None)
        self._seat, self._wager, self._amount = None, None, ""
        return Taken.HELD

    def _stakes(self) -> tuple[acts.Stake, ...]:
        spots = self._desk.picture.spots
        return tuple(
            acts.Stake(seat, wager, None if spot.amount is None else Money(spot.amount))
            for seat in range(1, self._act.seats + 1)
            for wager in self._act.wagers
            if (spot := spots.get((seat, wager))) is not None
        )

    def _close(self) -> Answer:
        stakes = self._stakes()
        if not stakes:
            return Taken.IGNORED
        self._desk.locked_at = self._desk.picture.order
        return Done(stakes)


class AskSeat(Performance):
    """A seat's choice: its key, which stands for a moment and may be replaced, or a chip on the spot that means it."""

    def __init__(self, act: acts.Ask, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._standing: str | None = None

    def begin(self) -> Answer:
        return self._chips()

    def offer(self, given: Input) -> Answer:
        match given.message:
            case TimerExpired(token):
                stands = self.deadline is not None and token == self.deadline[0]
                return self._final() if stands else Taken.IGNORED
            case KeyPressed(key):
                return self._pressed(key)
            case WagerSpot(seat, wager, present) if any(choice.wager == wager for choice in self._act.choices):
                if seat == self._act.seat:
                    return self._chips() if present else Taken.HELD
                stands = present and self._standing not in (None, "leave")
                return self._final() if stands else Taken.IGNORED
            case _:
                return Taken.IGNORED

    def prompt(self) -> Prompt:
        verbs = tuple(choice.verb for choice in self._act.choices)
        standing = () if self._standing is None else (self._standing,)
        if self._standing == "leave":
            return Prompt(f"SEAT {self._act.seat} LEAVES, WAGERS LOST? ENTER", (*verbs, ENTER), standing)
        asked = " OR ".join(words(verb) for verb in verbs)
        return Prompt(f"SEAT {self._act.seat}: {asked}?", (f"seat_{self._act.seat}", *verbs), standing)

    def _pressed(self, key: str) -> Answer:
        position = position_of(key)
        if position is not None:
            other = position.number != self._act.seat
            return self._final() if other and self._standing not in (None, "leave") else Taken.IGNORED
        if key == ENTER:
            return Taken.IGNORED if self._standing is None else self._final()
        if key != "leave" and all(choice.verb != key for choice in self._act.choices):
            return Taken.IGNORED
        self._standing = key
        wait = self._desk.settings.confirm_ms
        if key == "leave":  # destructive: a second, different key has to follow
            self.deadline = None
            return Taken.HELD
        self.deadline = (self._desk.new_token(), wait)
        return Taken.HELD if wait else self._final()

    def _final(self) -> Answer:
        if self._standing is None or self._standing == "leave":
            return Done(acts.Left()) if self._standing else Taken.IGNORED
        choice = next(choice for choice in self._act.choices if choice.verb == self._standing)
        return Done(acts.Decision(choice.verb, choice.amount))

    def _chips(self) -> Answer:
        for choice in self._act.choices:
            if choice.wager is None:
                continue
            spot = self._desk.picture.spots.get((self._act.seat, choice.wager))
            if spot is None or spot.order <= self._desk.locked_at:
                continue
            if spot.amount is None or choice.amount is None or spot.amount == choice.amount:
                return Done(acts.Decision(choice.verb, choice.amount))
            self._desk.notice = f"SEAT {self._act.seat}: {words(choice.wager)} MUST BE {show(choice.amount)}"
            return Taken.HELD
        return Taken.IGNORED
