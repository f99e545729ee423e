"""Cards that lie spread for whoever comes first, at the opening and at an idle table; and a device's own test."""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import Report
from tablectl.engine.performances.keys import key_of_press, lost_or, waits, words
from tablectl.engine.prompts import Prompt
from tablectl.equipment import Capability, KeyPressed, Kind, LinkLost, LinkUp, SelfTest, SelfTested, WagerSpot
from tablectl.procedure import instructions as acts

__all__ = ["SelfTesting", "Spread", "Stored"]

_FACE_UP: Final = "face_up"
_SHOWN: Final = {
    "up": "FIRST PLAYER LOOKS AT THE CARDS: SEAT?",
    "turned_up": "PLAYER HERE: CARDS UP, HE LOOKS. SEAT?",
    "down": "PLAYER HERE, LOOKS AT THE CARDS: SEAT?",
}


class Spread(Performance):
    """The first player to arrive has looked: his seat's key, or DONE where a chip on his spot has shown the seat.

    A player may ask for cards that lie face down to be turned up: FACE UP says so before.
    """

    def __init__(self, act: acts.ShowCards, desk: Desk) -> None:
        self._act = act
        self._up = act.face != "down"
        came = sorted(desk.picture.spots.values(), key=lambda spot: spot.order)
        self._seat = came[0].seat if came else 0

    def offer(self, given: Input) -> Answer:
        match given.message:
            case WagerSpot(number, _wager, True) if not self._seat and number <= self._act.seats:
                self._seat = number
                return Taken.HELD
            case KeyPressed("done") if self._seat:
                return Done(acts.PlayerLooked(self._seat, self._up))
            case KeyPressed(key) if key == _FACE_UP and not self._up:
                self._up = True
                return Taken.HELD
            case KeyPressed(key) if key in self._keys:
                return Done(acts.PlayerLooked(self._keys[key], self._up))
            case _:
                return Taken.IGNORED

    @property
    def _keys(self) -> dict[str, int]:
        return {f"seat_{number}": number for number in range(1, self._act.seats + 1)}

    def prompt(self) -> Prompt:
        asked = () if self._up else (_FACE_UP,)
        if self._seat:
            return Prompt(f"SEAT {self._seat} IS FIRST. HAS LOOKED: DONE", ("done", *self._keys, *asked))
        return Prompt(_SHOWN[self._act.face], (*self._keys, *asked))


class Stored(Performance):
    """The deck that was in the shuffler comes into play: DONE, or SPREAD where a player asks to see it."""

    def __init__(self, act: acts.TakeStored, _desk: Desk) -> None:
        self._act = act

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        return Done(acts.StoredCards(key == "spread")) if key in ("done", "spread") else Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt(f"CARDS IN, {words(self._act.deck)} OUT: DONE OR SPREAD", ("done", "spread"))


class SelfTesting(Performance):
    """A device tests itself where it can. After a test that it has not passed it waits until it was put right: DONE."""

    def __init__(self, act: acts.RunSelfTest, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._device = desk.picture.find(Kind(act.device))
        self._waits = act.again
        self._command_id = 0

    def begin(self) -> Answer:
        return Taken.HELD if self._waits else self._start()

    def offer(self, given: Input) -> Answer:
        match given.message:
            case SelfTested(command, passed, detail) if command == self._command_id:
                return Done(acts.SelfTestDone(passed, detail))
            case CommandFailed(command, reason) if command == self._command_id:
                return Done(acts.SelfTestDone(False, reason))
            case KeyPressed("done") if self._waits:
                self._waits = False
                return self._start()
            case LinkUp() | LinkLost() if given.device == self._device and not self._waits:
                return self._start()
            case _:
                return Taken.IGNORED

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def report(self, report: Report) -> Answer:
        """A device that never comes to an end has not passed."""
        gone = bool(self._command_id) and report.incident.kind in ("device_lost", "card_reader_fault")
        return Done(acts.SelfTestDone(False, "it gives no answer")) if gone else Taken.IGNORED

    def prompt(self) -> Prompt:
        name = words(self._act.device)
        if self._waits:
            return Prompt(f"{name} FAILED: PUT IT RIGHT, DONE", ("done",))
        return Prompt(lost_or(self._desk, self._device or "", waits(f"{name} IN TEST")))

    def _start(self) -> Answer:
        """The test begins once it is known whether the device is there and can test itself."""
        link = None if self._device is None else self._desk.picture.links[self._device]
        if self._command_id or self._device is None or link is None:
            return Taken.HELD if self._command_id else Done(acts.SelfTestDone(None))
        if link.up is None:
            return Taken.HELD
        if not link.can(Capability.SELF_TEST):
            return Done(acts.SelfTestDone(None))
        self.command = self._device, SelfTest()
        return Taken.HELD
