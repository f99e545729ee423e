"""Decisions that players make together: declared hands, the lock, and cards that are thrown away."""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import Input
from tablectl.engine.menu import ENTER, Digits
from tablectl.engine.performances.keys import key_of_press, words
from tablectl.engine.prompts import LINE, Prompt, position_of
from tablectl.procedure import instructions as acts

__all__ = ["DECISIONS_LOCKED", "Declarations", "LockIn", "ThrowAway"]

DECISIONS_LOCKED: Final = "decisions_locked"


class Declarations(Performance):
    """Hands that lie declared before their players: a seat's key names the kind, the next press the next kind."""

    def __init__(self, act: acts.Declare, desk: Desk) -> None:
        self._act = act
        self._said: dict[int, str] = {}

    def begin(self) -> Answer:
        return Taken.HELD if self._act.seats else Done(())

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key is None:
            return Taken.IGNORED
        if key == ENTER:
            return Done(tuple(acts.Declaration(number, self._said[number]) for number in sorted(self._said)))
        position = position_of(key)
        if position is None or position.number not in self._act.seats:
            return Taken.IGNORED
        kinds = self._act.kinds
        said = self._said.pop(position.number, None)
        following = 0 if said is None else kinds.index(said) + 1
        if following < len(kinds):
            self._said[position.number] = kinds[following]
        return Taken.HELD

    def prompt(self) -> Prompt:
        said = ", ".join(f"{number} {words(what)}" for number, what in sorted(self._said.items())) or "NONE"
        text = f"DECLARED: {said}. ENTER"
        if len(text) > LINE:
            text = "DECLARED: " + " ".join(f"{n} {what[0].upper()}" for n, what in sorted(self._said.items()))
        return Prompt(text, (*(f"seat_{number}" for number in self._act.seats), ENTER))


class LockIn(Performance):
    """The dealer says that all decisions are locked in; before that a seat's key lets it decide anew."""

    def __init__(self, act: acts.LockDecisions, desk: Desk) -> None:
        self._act = act
        self._desk = desk

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == DECISIONS_LOCKED:
            return Done(None)
        position = None if key is None else position_of(key)
        if position is None or position.number not in self._act.seats:
            return Taken.IGNORED
        number = position.number
        self._desk.decides_anew[number] = self._desk.picture.order  # what lies there is of the decision taken back
        self._desk.folded = [folded for folded in self._desk.folded if folded != number]
        self._desk.passed_up.pop(number, None)
        return Done(number)

    def prompt(self) -> Prompt:
        return Prompt("ALL DECISIONS LOCKED IN? OR SEAT", (DECISIONS_LOCKED, *(f"seat_{n}" for n in self._act.seats)))


class ThrowAway(Performance):
    """How many cards a seat throws away, as the dealer counts them into the rack."""

    def __init__(self, act: acts.Discard, desk: Desk) -> None:
        self._act = act
        self._digits = Digits(most=1)

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key is None:
            return Taken.IGNORED
        number = self._digits.value
        if key == ENTER and number is not None and self._act.least <= number <= self._act.most:
            return Done(acts.Discarded(number))
        if key not in self._keys:
            return Taken.IGNORED
        self._digits = Digits(most=1)  # another digit takes the place of the one before
        self._digits.key(key)
        return Taken.HELD

    def prompt(self) -> Prompt:
        may = f"{self._act.least}-{self._act.most}"
        return Prompt(f"SEAT {self._act.seat} THROWS AWAY {may}: {self._digits.text}_", (*self._keys, ENTER))

    @property
    def _keys(self) -> tuple[str, ...]:
        return tuple(f"digit_{number}" for number in range(self._act.least, self._act.most + 1))
