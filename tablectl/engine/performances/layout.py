"""Wagers that have to be taken back off the layout before something else can be done."""

from __future__ import annotations

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import Input
from tablectl.engine.menu import CANCEL
from tablectl.engine.performances.keys import key_of_press, words
from tablectl.engine.prompts import Prompt
from tablectl.equipment import Kind, SeatSensor, WagerSpot
from tablectl.procedure import instructions as acts

__all__ = ["TakeBack"]


class TakeBack(Performance):
    """The layout until it is clear: what sensors see has to be lifted, of the rest the dealer says that it is gone."""

    def __init__(self, act: acts.ClearLayout, desk: Desk) -> None:
        self._desk = desk

    def begin(self) -> Answer:
        return Taken.HELD if self._desk.picture.spots else Done(True)

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == CANCEL:
            return Done(False)
        if isinstance(given.message, WagerSpot | SeatSensor):
            return self.begin()
        if key != "done" or not self._by_hand:
            return Taken.IGNORED
        picture = self._desk.picture
        if self._watched:
            picture.forget_keyed()
        else:
            picture.spots.clear()
        return self.begin()

    def prompt(self) -> Prompt:
        lies = next(iter(sorted(self._desk.picture.spots)), None)
        if lies is None:  # it is clear, and the act is over with the next input
            return Prompt("THE LAYOUT IS CLEAR: DONE", ("done", CANCEL))
        seat, wager = lies
        keys = ("done", CANCEL) if self._by_hand else (CANCEL,)
        return Prompt(f"SEAT {seat}: TAKE {words(wager)} BACK{' DONE' if self._by_hand else ''}", keys)

    @property
    def _watched(self) -> bool:
        """Whether sensors watch the layout now."""
        return self._desk.picture.usable(Kind.WAGER_SENSORS) is not None

    @property
    def _by_hand(self) -> bool:
        """Whether something lies there that the dealer alone can tell of."""
        return not self._watched or any(spot.keyed for spot in self._desk.picture.spots.values())
