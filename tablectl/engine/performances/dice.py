"""A set of dice that comes to the table, and the dice that are called out and moved into their box."""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import Report
from tablectl.engine.performances.keys import key_of_press, lost_or, waits
from tablectl.engine.performances.opening import ByBadge
from tablectl.engine.performances.shuffling import Confirm
from tablectl.engine.prompts import Prompt
from tablectl.equipment import DiceAge, Kind, LinkLost, NewDice
from tablectl.procedure import instructions as acts

__all__ = ["ReceiveSet", "call"]

_HERE: Final = "done"
_FACES: Final = {
    1: ("ACE", "ACES"),
    2: ("TWO", "TWOS"),
    3: ("THREE", "THREES"),
    4: ("FOUR", "FOURS"),
    5: ("FIVE", "FIVES"),
    6: ("SIX", "SIXES"),
}


class ReceiveSet(ByBadge):
    """A floorperson brings a set of dice: badge, then a key. A shaker that is connected counts their age from then."""

    def __init__(self, act: acts.ReceiveDice, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._device = desk.picture.find(Kind.SHAKER)
        self._command_id = 0

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        if not self._credential:
            return Taken.HELD if self._badge(given) else Taken.IGNORED
        match given.message:
            case DiceAge(command) | CommandFailed(command) if command and command == self._command_id:
                return self._received()
            case LinkLost() if self.command is not None and given.device == self._device:
                return self._received()
            case _ if self.command is None and key_of_press(given) == _HERE:
                return self._tell_shaker()
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        gone = self.command is not None and report.incident.kind == "device_lost"
        return self._received() if gone else Taken.IGNORED

    def prompt(self) -> Prompt:
        number, dice = self._act.number, self._act.dice
        if not self._credential:
            return Prompt(f"SET {number} OF {dice} DICE: BADGE", self._floor_keys)
        if self.command is not None and self._device is not None:
            return Prompt(lost_or(self._desk, self._device, waits("TELLING THE SHAKER")))
        return Prompt(f"SET {number} OF {dice} DICE IS HERE: DONE", (_HERE,))

    def _tell_shaker(self) -> Answer:
        if self._device is None or not self._desk.picture.links[self._device].up:
            return self._received()
        self.command = (self._device, NewDice())
        return Taken.HELD

    def _received(self) -> Answer:
        return Done(acts.NewDeck(f"dice-{self._act.number}", self._credential))


def call(act: acts.CallDice, _desk: Desk) -> Performance:
    """The dealer calls it out, moves the dice and says so; after an extra roll there may be none to be moved."""
    one, several = _FACES[act.face]
    if not act.more:
        return Confirm("done", f"NO MORE {several}, CALL {act.count}: DONE")
    return Confirm("done", f"{act.more} {one if act.more == 1 else several} TO THEIR BOX, UNCOVERED: DONE")
