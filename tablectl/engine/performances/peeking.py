"""The hole card goes into the reader: one bit, from the device or as the dealer reads it off."""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import NO, YES, Report
from tablectl.engine.performances.keys import key_of_press, lost_or
from tablectl.engine.prompts import Prompt, position_of
from tablectl.equipment import CardPresent, Fault, HoleCardRead, HoleCardUnread, Kind, ReadHoleCard
from tablectl.procedure import instructions as acts
from tablectl.procedure.hole_card import READER_FAULT

__all__ = ["peek"]

_OF_THE_CARD: Final = (Fault.UNREADABLE, Fault.INCOMPLETE)
"""What is no fault of the reader's: the card is put in once more."""


class _Peek(Performance):
    """A peek; one that is not due is not waited for. Until the card is read, the key of a seat says that it gives up.

    The same key once more takes that back.
    """

    def __init__(self, act: acts.Peek) -> None:
        self._act = act
        self._gives_up: list[int] = []

    def begin(self) -> Answer:
        return Taken.HELD if self._act.due else Done(None)

    def report(self, report: Report) -> Answer:
        """A reader that does not work is what comes of the act, also while the device is waiting for the card."""
        return Done(acts.ReaderFailed()) if report.incident.kind == READER_FAULT else Taken.IGNORED

    def _seat(self, given: Input) -> Answer:
        """The key of a seat that may surrender."""
        where = position_of(key_of_press(given) or "")
        if where is None or where.kind != "seat" or where.number not in self._act.seats:
            return Taken.IGNORED
        if where.number in self._gives_up:
            self._gives_up.remove(where.number)
        else:
            self._gives_up.append(where.number)
        return Taken.HELD

    def _told(self, blackjack: bool) -> Answer:
        return Done(acts.Peeked(blackjack, tuple(seat for seat in self._act.seats if seat in self._gives_up)))

    @property
    def _seats(self) -> tuple[str, ...]:
        return tuple(f"seat_{number}" for number in self._act.seats)

    @property
    def _surrendered(self) -> str:
        return " SURR. " + "".join(str(number) for number in sorted(self._gives_up))


class PeekByKeys(_Peek):
    """The reader of the table is not connected: the dealer says what its light has shown him, YES or NO."""

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        return self._told(key == YES) if key in (YES, NO) else self._seat(given)

    def prompt(self) -> Prompt:
        text = f"HOLE CARD IN, BLACKJACK?{self._surrendered}" if self._gives_up else "HOLE CARD INTO READER: BLACKJACK?"
        return Prompt(text, (YES, NO, *self._seats))


class PeekByReader(_Peek):
    """The reader waits for the card and tells; a card that it could not read goes in again."""

    def __init__(self, act: acts.Peek, desk: Desk, device: str) -> None:
        super().__init__(act)
        self._desk = desk
        self._device = device
        self._command_id = 0
        self._again = False
        self.command = (device, ReadHoleCard()) if act.due else None

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        match given.message:
            case HoleCardRead(command, blackjack) if command == self._command_id:
                return self._told(blackjack)
            case HoleCardUnread(command, fault) if command == self._command_id:
                self._again = True
                return Taken.AGAIN if fault in _OF_THE_CARD else Done(acts.ReaderFailed())
            case CommandFailed(command) if command == self._command_id:
                return Done(acts.ReaderFailed())
            case CardPresent() if given.device == self._device:
                return Taken.HELD
            case _:
                return self._seat(given)

    def prompt(self) -> Prompt:
        text = "NOT READ: HOLE CARD IN AGAIN" if self._again else "HOLE CARD INTO THE READER"
        if self._gives_up:
            text = f"HOLE CARD IN{' AGAIN' if self._again else ''}.{self._surrendered}"
        return Prompt(lost_or(self._desk, self._device, text), self._seats)


def peek(act: acts.Peek, desk: Desk) -> Performance:
    """The table's reader, or the dealer who reads one that is not connected."""
    device = desk.picture.find(Kind.CARD_READER)
    return PeekByKeys(act) if device is None else PeekByReader(act, desk, device)
