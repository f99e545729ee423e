"""Dice and numbers: read by a device where there is one, else keyed as they lie or are shown."""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import DIGITS, ENTER, Report
from tablectl.engine.performances.keys import key_of_press, waits, words
from tablectl.engine.prompts import Prompt, first_that_fits
from tablectl.equipment import (
    DiceRead,
    DieLies,
    DoorMoved,
    DrawNumber,
    KeyPressed,
    Kind,
    LinkLost,
    LinkUp,
    NumberDrawn,
    ReadDice,
    Shaken,
)
from tablectl.procedure import instructions as acts

__all__ = ["ByKeys", "NumberByKeys", "number", "throw"]

_SHAKES: Final = 3  # 561.12(b), 675a.4(b)
_FACES: Final = tuple(f"digit_{face}" for face in range(1, 7))
_UNCOVER: Final = "done"
_TWICE: Final = 2
_GONE: Final = "device_lost"
_OF_THE_THROW: Final = ("no_roll", "die_off_table", "dice_stacked", "die_cocked")
_BAD: Final = (DieLies.FLAT, DieLies.COCKED, DieLies.COCKED_TWICE, DieLies.STACKED, DieLies.OFF_TABLE)
"""From what does not matter to what makes the throw invalid: the worst of all dice says what the throw is."""

_LIES: Final = {
    DieLies.OFF_TABLE: "die_off_table",
    DieLies.STACKED: "dice_stacked",
    DieLies.COCKED: "die_cocked",
    DieLies.COCKED_TWICE: "die_cocked",
}


def _counts(incident: acts.Incident) -> bool:
    """Whether the throw counts all the same: of a die that is cocked on one side the opposite one does (675a.4(c))."""
    return incident.kind == "die_cocked" and incident.sides != _TWICE


class ByKeys(Performance):
    """Dice as they lie, keyed one after the other; how often they were shaken nobody but the dealer sees.

    Of a die that is `cocked` on one side the face that counts is keyed (675a.4(c)).
    """

    def __init__(self, act: acts.ThrowDice, desk: Desk, cocked: acts.Incident | None = None) -> None:
        self._act = act
        self._desk = desk
        self._cocked = cocked
        self._faces: list[int] = []

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == "clear" and self._faces:
            self._faces.pop()
            return Taken.HELD
        if key in _FACES and len(self._faces) < self._act.dice:
            self._faces.append(int(key.removeprefix("digit_")))
            return Taken.HELD
        if key == ENTER and len(self._faces) == self._act.dice:
            return Done(acts.Thrown(tuple(self._faces), self._cocked))
        return Taken.IGNORED

    @property
    def begun(self) -> bool:
        """Whether anything was keyed or said of the dice."""
        return bool(self._faces) or self._cocked is not None

    def report(self, report: Report) -> Answer:
        if report.incident.kind not in _OF_THE_THROW:
            return Taken.IGNORED
        if _counts(report.incident):
            self._cocked = report.incident  # the throw counts, so its faces are still to be keyed
            return Taken.HELD
        return Done(acts.Thrown(tuple(self._faces), report.incident))

    def prompt(self) -> Prompt:
        text = "".join(str(face) for face in self._faces)
        if len(self._faces) == self._act.dice:
            told = f"TOTAL {sum(self._faces)}" if self._act.flat else text
            return Prompt(f"DICE: {told}? ENTER", (ENTER, "clear"))
        begun = f"SHAKE {_SHAKES} TIMES. DICE" if self._cocked is None else "COCKED: OPPOSITE SIDE COUNTS. DICE"
        line = first_that_fits(f"{begun}: {text}_", f"COCKED. DICE: {text}_")
        return Prompt(line, (*_FACES, *(("clear",) if text else ())))


class ByShaker(Performance):
    """Dice that the shaker reads: shaken at least three times, then uncovered (its lid, or the key DONE).

    While the shaker is lost they are keyed as they lie; if it comes back before one is, it reads them.
    """

    def __init__(self, act: acts.ThrowDice, desk: Desk, device: str) -> None:
        self._act = act
        self._desk = desk
        self._device = device
        self._command_id = 0
        self._shakes = 0
        self._unread: ByKeys | None = None
        self._lost = False

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        if given.device == self._device and isinstance(given.message, LinkLost | LinkUp):
            return self._link(given.message)
        if self._unread is not None:
            return self._unread.offer(given)
        match given.message:
            case Shaken() if given.device == self._device:  # counted here: those before "no more bets" are none
                self._shakes += 1
                return Taken.HELD
            case KeyPressed("done") | DoorMoved(True) if self.command is None:
                return self._uncover(given)
            case DiceRead(command) as read if command == self._command_id:
                return self._read(read)
            case CommandFailed(command) if command == self._command_id:
                return self._by_keys()
            case _:
                return Taken.IGNORED

    def _link(self, message: LinkLost | LinkUp) -> Answer:
        """The shaker went or came back; the shakes before that count."""
        if isinstance(message, LinkLost) and self._unread is None:
            self._lost = True
            return self._by_keys(notice="SHAKER LOST: KEY THE DICE")
        if isinstance(message, LinkUp) and self._lost and self._unread is not None and not self._unread.begun:
            self._lost, self._unread = False, None
            return Taken.HELD
        return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        if self._unread is not None:
            return self._unread.report(report)
        if report.incident.kind == _GONE and self.command is not None:  # it never answers
            return self._by_keys(notice="KEY THE DICE AS THEY LIE")
        if report.incident.kind == "die_cocked" and _counts(report.incident):
            return self._by_keys(report.incident)  # what the shaker does not see is told, and so is what lies there
        return ByKeys(self._act, self._desk).report(report)

    def prompt(self) -> Prompt:
        if self._unread is not None:
            return self._unread.prompt()
        if self.command is not None:
            return Prompt(waits("READING THE DICE"))
        if self._shakes < _SHAKES:
            return Prompt(f"SHAKE THE DICE: {self._shakes} OF {_SHAKES}")
        return Prompt("UNCOVER THE DICE: DONE" if self._act.flat else "THROW THE DICE: DONE", (_UNCOVER,))

    def _uncover(self, given: Input) -> Answer:
        if isinstance(given.message, DoorMoved) and given.device != self._device:
            return Taken.IGNORED
        if self._shakes < _SHAKES:
            self._desk.notice = f"ONLY {self._shakes} SHAKES: COVER, SHAKE {_SHAKES} TIMES"
            return Taken.HELD
        self.command = (self._device, ReadDice())
        return Taken.HELD

    def _read(self, read: DiceRead) -> Answer:
        """What the shaker has read; a face that it is not told, or too few dice, is keyed."""
        faces = tuple(die.face for die in read.dice if die.face is not None)
        wrong = max((die.lies for die in read.dice), key=_BAD.index, default=DieLies.FLAT)
        incident = None
        if wrong is not DieLies.FLAT:
            kind = "no_roll" if self._act.flat else _LIES[wrong]
            sides = None if kind != "die_cocked" else 1 + (wrong is DieLies.COCKED_TWICE)
            incident = acts.Incident(kind, sides=sides)
            if not _counts(incident):
                return Done(acts.Thrown(faces, incident))
        if len(faces) != self._act.dice:
            return self._by_keys(incident)
        return Done(acts.Thrown(faces, incident))

    def _by_keys(self, cocked: acts.Incident | None = None, notice: str = "DICE NOT READABLE: KEY THEM") -> Answer:
        self.command = None
        self._unread = ByKeys(self._act, self._desk, cocked)
        self._desk.notice = notice
        return Taken.AGAIN


def throw(act: acts.ThrowDice, desk: Desk) -> Performance:
    """Dice by the table's shaker, or keyed."""
    link, device = desk.picture.usable(Kind.SHAKER), desk.picture.find(Kind.SHAKER)
    return ByKeys(act, desk) if link is None or device is None else ByShaker(act, desk, device)


class NumberByDevice(Performance):
    """A number that the random number generator chooses and shows; if it is lost or will not say, it is keyed."""

    def __init__(self, act: acts.ReadNumber, desk: Desk, device: str) -> None:
        self._act = act
        self._desk = desk
        self._command_id = 0
        self._keyed: NumberByKeys | None = None
        self._device = device
        self.command = (device, DrawNumber(act.low, act.high))

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        if self._keyed is not None:
            return self._keyed.offer(given)
        match given.message:
            case NumberDrawn(command, chosen) if command == self._command_id:
                return Done(chosen)
            case CommandFailed(command) if command == self._command_id:
                return self._by_keys("NO NUMBER CAME: KEY WHAT IS SHOWN")
            case LinkLost() if given.device == self._device:
                return self._by_keys(f"{words(self._device)} LOST: KEY WHAT IT SHOWS")
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        """A generator that never answers is done without."""
        gone = self._keyed is None and report.incident.kind == _GONE
        return self._by_keys("KEY THE NUMBER THAT IS SHOWN") if gone else Taken.IGNORED

    def prompt(self) -> Prompt:
        if self._keyed is not None:
            return self._keyed.prompt()
        return Prompt(waits("CHOOSING A NUMBER"))

    def _by_keys(self, notice: str) -> Answer:
        self.command, self._keyed = None, NumberByKeys(self._act)
        self._desk.notice = notice
        return Taken.AGAIN


class NumberByKeys(Performance):
    """A number that the generator shows and the dealer keys."""

    def __init__(self, act: acts.ReadNumber) -> None:
        self._act = act

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        return Done(int(key.removeprefix("digit_"))) if key is not None and key in self._keys else Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt(f"NUMBER SHOWN, {self._act.low} TO {self._act.high}?", self._keys)

    @property
    def _keys(self) -> tuple[str, ...]:
        return DIGITS[self._act.low : self._act.high + 1]


def number(act: acts.ReadNumber, desk: Desk) -> Performance:
    """A number by the table's generator, or keyed."""
    link, device = desk.picture.usable(Kind.RNG), desk.picture.find(Kind.RNG)
    return NumberByKeys(act) if link is None or device is None else NumberByDevice(act, desk, device)
