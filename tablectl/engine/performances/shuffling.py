"""Shuffling, and decks and devices that come and go."""

from __future__ import annotations

from typing import Final

from tablectl.engine.background import claim_of
from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.incidents import SHUFFLER_FAULTS, shuffle_result
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import Report
from tablectl.engine.performances.keys import key_of_press, lost_or
from tablectl.engine.prompts import Prompt
from tablectl.equipment import (
    Capability,
    DeckRead,
    DeviceState,
    Fault,
    KeyPressed,
    Kind,
    ShuffleFailed,
    ShuffleFinished,
    StartShuffle,
)
from tablectl.procedure import instructions as acts

__all__ = ["CarryOutCut", "Confirm", "OfferTheCut", "shuffle"]


class ByDevice(Performance):
    """A shuffle by the shuffler; after a fault it waits until the dealer has put that right and says so.

    One that says that it is empty is not told before the cards are in it.
    """

    def __init__(self, act: acts.Shuffle, desk: Desk, device: str) -> None:
        self._act = act
        self._desk = desk
        self._counts = desk.picture.links[device].can(Capability.COUNTS)
        self._command_id = 0
        self._given_up: acts.OutOfService | None = None
        self._claim: DeckRead | None = None
        self._start = (device, StartShuffle())
        self.command = None if desk.shuffle_failed or self._is_empty else self._start

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        match given.message:
            case DeckRead(command) as claim if command and command == self._command_id:
                self._claim = claim
                return Taken.HELD
            case ShuffleFinished(command, cards) if command == self._command_id:
                claimed = None if self._claim is None else claim_of(Kind.SHUFFLER.value, self._claim)
                return Done(self._given_up or acts.Shuffled(cards, claimed))
            case ShuffleFailed(command, fault) if command == self._command_id:
                return self._failed(SHUFFLER_FAULTS[0] if fault is Fault.JAM else SHUFFLER_FAULTS[1])
            case CommandFailed(command) if command == self._command_id:
                return self._failed(SHUFFLER_FAULTS[1])
            case KeyPressed("shuffle") if self.command is None:
                self.command = self._start
                return Taken.HELD
            case DeviceState() if self.command is None and not self._desk.shuffle_failed and not self._is_empty:
                self.command = self._start
                return Taken.HELD
            case _:
                return Taken.IGNORED

    @property
    def _is_empty(self) -> bool:
        state = self._desk.picture.links[self._start[0]].state
        return state is not None and state.cards_inside == 0

    def report(self, report: Report) -> Answer:
        result = shuffle_result(self._act, report.incident, self._counts)
        if isinstance(result, acts.OutOfService) and result.device != "shuffler" and self._command_id:
            self._given_up = result  # another device: the shuffler is let come to its end first
            return Taken.HELD
        return Taken.IGNORED if result is None else Done(result)

    def prompt(self) -> Prompt:
        if self.command is None and self._desk.shuffle_failed:
            return Prompt("SHUFFLER: PUT IT RIGHT, THEN SHUFFLE", ("shuffle",))
        if self.command is None:
            return Prompt("CARDS INTO THE SHUFFLER, OR SHUFFLE", ("shuffle",))
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
    """A shuffle by the table's shuffler, or by a shoe that reshuffles; else confirmed by the dealer."""
    device = desk.picture.find(Kind.SHUFFLER) if act.by == "device" else None
    if device is None and act.by == "device" and desk.table.setup.continuous:
        shoe = desk.picture.find(Kind.SHOE)
        device = shoe if shoe is not None and desk.picture.links[shoe].can(Capability.RESHUFFLES) else None
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
    "one_hand": ("10+ OFF TOP ONTO COVER CARD, REST ON TOP",),
    "cover_card": ("COVER CARD 10+ FROM TOP, ABOVE TO BOTTOM",),
    "offered": (
        "{}: 2ND COVER 10+ FROM EITHER END",
        "2ND COVER AND ALL ABOVE TO THE BOTTOM",
        "1ST COVER CARD TO THE BOTTOM",
        "A COVER CARD: RACK, OR 4 FROM BOTTOM",
    ),
    "offered_shoe": (
        "{}: COVER CARD 10+ FROM EITHER END",
        "ALL ABOVE IT TO THE BOTTOM",
        "COVER CARD 1/4 OR MORE FROM THE BOTTOM",
    ),
}
"""What is done, in the order of the text, a line for each press (565.5(d), 655a.5(d), 561.5(e), 672a.5(d))."""


class CarryOutCut(Performance):
    """The cut is carried out, whoever takes it: CUT after each of its steps."""

    def __init__(self, act: acts.Cut, _desk: Desk) -> None:
        self._by = act.by
        self._steps = _CUTS[act.style]
        self._step = 0

    def offer(self, given: Input) -> Answer:
        if key_of_press(given) != "cut":
            return Taken.IGNORED
        self._step += 1
        return Done(None) if self._step == len(self._steps) else Taken.HELD

    def prompt(self) -> Prompt:
        return Prompt(self._steps[self._step].format(str(self._by).upper()), ("cut",))


class OfferTheCut(Performance):
    """The cut is offered seat after seat: the key of the seat that takes it, or DEALER when none of the others will.

    One press is enough. NO puts on the record that the seat which is named refuses, NEXT passes over an empty place.
    """

    def __init__(self, act: acts.OfferCut, _desk: Desk) -> None:
        self._style = act.style
        self._left = list(act.seats)
        self._refused: list[int] = []

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == "dealer":
            return self._taken(None)
        if key not in ("no", "next"):
            by = next((number for number in self._left if key == f"seat_{number}"), None)
            return Taken.IGNORED if by is None else self._taken(by)
        asked = self._left.pop(0)
        if key == "no":
            self._refused.append(asked)
        return Taken.HELD if self._left else self._taken(None)

    def _taken(self, by: int | None) -> Done:
        return Done(acts.CutTaken(by, tuple(self._refused)))

    def prompt(self) -> Prompt:
        how = "STACK ON COVER CARD" if self._style == "offered" else "BACKS AWAY FROM YOU"
        keys = (*(f"seat_{number}" for number in self._left), "dealer")
        return Prompt(f"{how}: SEAT {self._left[0]} CUTS?", ("no", "next", *keys))
