"""Hands of pai gow that are turned up unless somebody surrenders, and seats of which two are one player's."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import Input
from tablectl.engine.menu import CANCEL, ENTER
from tablectl.engine.performances.cards import Turn
from tablectl.engine.performances.keys import key_of_press
from tablectl.engine.prompts import Prompt, position_of
from tablectl.procedure import instructions as acts

__all__ = ["Share", "TurnUpUnless"]

_SURRENDER: Final = "surrender"


class TurnUpUnless(Turn):
    """Cards turned up as they always are; before the first of them is seen, SURRENDER and a seat's key say who does."""

    def __init__(self, act: acts.TurnUpHands, desk: Desk) -> None:
        super().__init__(act, desk)
        self._surrender = act.surrender
        self._who = False

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if self._who:
            position = None if key is None else position_of(key)
            if position is not None and position.number in self._surrender:
                return Done(acts.Surrendered(position.number))
            if key in (CANCEL, _SURRENDER):
                self._who = False
                return Taken.HELD
            return Taken.IGNORED
        if key == _SURRENDER and self._may_be_said:
            self._who = True
            return Taken.HELD
        return super().offer(given)

    def prompt(self) -> Prompt:
        if self._who:
            return Prompt("SURRENDER: WHICH SEAT?", (*(f"seat_{number}" for number in self._surrender), CANCEL))
        shown = super().prompt()
        return replace(shown, lit=(*shown.lit, _SURRENDER)) if self._may_be_said else shown

    @property
    def _may_be_said(self) -> bool:
        return bool(self._surrender) and not self._seen and not self._differed


class Share(Performance):
    """Pairs of adjacent seats: the key of the lower seat says that both are one player's, and takes that back."""

    def __init__(self, act: acts.SharedSeats, desk: Desk) -> None:
        self._act = act
        self._shared: list[int] = []

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == ENTER:
            return Done(tuple(sorted(self._shared)))
        position = None if key is None else position_of(key)
        if position is None or position.number not in self._act.pairs:
            return Taken.IGNORED
        lower = position.number
        if lower in self._shared:
            self._shared.remove(lower)
        elif lower - 1 not in self._shared and lower + 1 not in self._shared:
            self._shared.append(lower)
        else:
            return Taken.IGNORED
        return Taken.HELD

    def prompt(self) -> Prompt:
        said = " ".join(f"{lower}+{lower + 1}" for lower in sorted(self._shared)) or "NONE"
        return Prompt(f"ONE PLAYER ON TWO: {said}. ENTER", (*(f"seat_{lower}" for lower in self._act.pairs), ENTER))
