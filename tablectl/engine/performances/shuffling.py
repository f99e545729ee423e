"""Shuffling, and decks and devices that come and go."""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.incidents import SHUFFLER_FAULTS, shuffle_result
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import Report
from tablectl.engine.performances.keys import key_of_press, lost_or
from tablectl.engine.prompts import Prompt
from tablectl.equipment import Capability, Fault, KeyPressed, Kind, ShuffleFailed, ShuffleFinished, StartShuffle
from tablectl.procedure import instructions as acts

__all__ = ["Confirm", "CutByDealer", "OfferTheCut", "shuffle"]


class ByDevice(Performance):
    """A shuffle by the shuffler; after a fault it waits until the dealer has put that right and says so."""

    def __init__(self, act: acts.Shuffle, desk: Desk, device: str) -> None:
        self._act = act
        self._desk = desk
        self._counts = desk.picture.links[device].can(Capability.COUNTS)
        self._command_id = 0
        self._given_up: acts.OutOfService | None = None
        self._start = (device, StartShuffle())
        self.command = None if desk.shuffle_failed else self._start

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        match given.message:
            case ShuffleFinished(command, cards) if command == self._command_id:
                return Done(self._given_up or acts.Shuffled(cards))
            case ShuffleFailed(command, fault) if command == self._command_id:
                return self._failed(SHUFFLER_FAULTS[0] if fault is Fault.JAM else SHUFFLER_FAULTS[1])
            case CommandFailed(command) if command == self._command_id:
                return self._failed(SHUFFLER_FAULTS[1])
            case KeyPressed("shuffle") if self.command is None:
                self.command = self._start
                return Taken.HELD
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        result = shuffle_result(self._act, report.incident, self._counts)
        if isinstance(result, acts.OutOfService) and result.device != "shuffler" and self._command_id:
            self._given_up = result  # another device: the shuffler is let come to its end first
            return Taken.HELD
        return Taken.IGNORED if result is None else Done(result)

    def prompt(self) -> Prompt:
        if self.command is None:
            return Prompt("SHUFFLER: PUT IT RIGHT, THEN SHUFFLE", ("shuffle",))
        return Prompt(lost_or(self._desk, self._start[0], "SHUFFLING"))

    def _failed(self, kind: str) -> Answer:
        self._desk.shuffle_failed = True
        return Done(acts.ShuffleFault(kind))


class ByHand(Performance):
    """A shuffle that the dealer confirms: by hand, or by a shuffler that is not connected."""

    def __init__(self, act: acts.Shuffle, desk: Desk) -> None:
        self._act = act
        self._counts = act.by == "device" and desk.table.shuffler.counts
        self._whole = desk.table.game.deck

    def offer(self, given: Input) -> Answer:
        if key_of_press(given) == "shuffled":
            return Done(acts.Shuffled(self._whole if self._counts else None))
        return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        result = shuffle_result(self._act, report.incident, self._counts)
        return Taken.IGNORED if result is None else Done(result)

    def prompt(self) -> Prompt:
        if self._act.by == "hand":
            return Prompt("SHUFFLE BY HAND, THEN SHUFFLED", ("shuffled",))
        return Prompt("SHUFFLER DONE, LIGHT GREEN? SHUFFLED", ("shuffled",))


def shuffle(act: acts.Shuffle, desk: Desk) -> Performance:
    """A shuffle by the table's shuffler, or confirmed by the dealer."""
    device = desk.picture.find(Kind.SHUFFLER) if act.by == "device" else None
    return ByHand(act, desk) if device is None else ByDevice(act, desk, device)


class Confirm(Performance):
    """An act of the dealer's that one key confirms."""

    def __init__(self, key: str, text: str) -> None:
        self._key = key
        self._text = text

    def offer(self, given: Input) -> Answer:
        return Done(None) if key_of_press(given) == self._key else Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt(self._text, (self._key,))


_CUTS: Final = {
    "one_hand": "CUT: 10+ OFF THE TOP, ONE HAND, THEN CUT",
    "cover_card": "COVER CARD 10+ FROM THE TOP, THEN CUT",
    "offered": "COVER CARD 10+ FROM EITHER END, THEN CUT",
    "offered_shoe": "CUT 10+ DEEP, COVER CARD 1/4 UP, THEN CUT",
}


class CutByDealer(Confirm):
    """The cut is carried out, whoever took it."""

    def __init__(self, act: acts.Cut, _desk: Desk) -> None:
        super().__init__("cut", _CUTS[act.style])


class OfferTheCut(Performance):
    """The cut is offered seat after seat: the key of the seat that takes it, or DEALER when all have refused."""

    def __init__(self, act: acts.OfferCut, desk: Desk) -> None:
        self._act = act

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == "dealer":
            return Done(acts.CutTaken(None))
        by = next((number for number in self._act.seats if key == f"seat_{number}"), None)
        return Taken.IGNORED if by is None else Done(acts.CutTaken(by))

    def prompt(self) -> Prompt:
        seats = self._act.seats
        where = f"SEAT {seats[0]}" if len(seats) == 1 else f"SEATS {seats[0]} TO {seats[-1]}"
        return Prompt(f"OFFER THE CUT, {where}: WHO CUTS?", (*(f"seat_{number}" for number in seats), "dealer"))
