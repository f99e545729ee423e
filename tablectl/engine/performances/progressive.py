"""Systems that accept wagers: their lock-out, the collection, awards, and what their meter says.

Where no such system is connected the dealer uses its own buttons and signs, and says on the panel what they show.
"""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import DIGITS, ENTER, Digits, Report
from tablectl.engine.performances.keys import Amount, key_of_press, waits, words
from tablectl.engine.performances.opening import ByBadge
from tablectl.engine.prompts import LINE, Prompt
from tablectl.equipment import (
    AwardRecorded,
    Badge,
    Capability,
    Kind,
    LinkLost,
    LockedOut,
    LockOut,
    LowerMeter,
    Meter,
    MeterLowered,
    OpenWagers,
    ReadMeter,
    RecordAward,
    ReturnWagers,
    WagersOpened,
    WagersReturned,
    WinLight,
)
from tablectl.money import show
from tablectl.procedure import instructions as acts

__all__ = [
    "Adopt",
    "CountChips",
    "Document",
    "Light",
    "Lock",
    "Look",
    "Open",
    "TakeOff",
    "Undo",
    "Validate",
    "verify_hand",
]

_LOST: Final = "device_lost"
_MISMATCH: Final = "progressive_count_mismatch"


class _OfSystem(Performance):
    """An act of a system, if the table has one that is connected; `device` is its id."""

    def __init__(self, desk: Desk, system: str) -> None:
        self._desk = desk
        self._kind = Kind(system)
        self._device = desk.picture.find(self._kind)
        self._command_id = 0

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    @property
    def _lost(self) -> bool:
        return self._device is not None and self._desk.picture.links[self._device].up is False

    @property
    def _keeps_meter(self) -> bool:
        return self._device is not None and self._desk.picture.links[self._device].can(Capability.METER)

    def _is_lost_now(self, given: Input) -> bool:
        return given.device == self._device and isinstance(given.message, LinkLost)

    def _failed(self, given: Input) -> bool:
        return isinstance(given.message, CommandFailed) and given.message.command == self._command_id


class Open(_OfSystem):
    """The system takes wagers for a new round; one that is not there, or refuses, takes none."""

    def __init__(self, act: acts.OpenWagering, desk: Desk) -> None:
        super().__init__(desk, act.system)
        self._act = act
        if self._device is not None:
            self.command = (self._device, OpenWagers())

    def begin(self) -> Answer:
        if self._act.barred:
            return Done(acts.WageringShut(self._act.barred))
        if self._device is None:
            return Done(acts.WageringOpen())
        return Done(acts.WageringShut("lost")) if self._lost else Taken.HELD

    def offer(self, given: Input) -> Answer:
        match given.message:
            case WagersOpened(command) if command == self._command_id:
                return Done(acts.WageringOpen())
            case _ if self._is_lost_now(given):
                return Done(acts.WageringShut("lost"))
            case _ if self._failed(given):
                return Done(acts.WageringShut("refused"))
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        return Done(acts.WageringShut("given_up")) if report.incident.kind == _LOST else Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt(waits(f"OPENING {words(self._act.wager)}"))


class Lock(_OfSystem):
    """The lock-out: by the system, or by the dealer on the system's own button, who keys how many it has accepted."""

    def __init__(self, act: acts.LockOutWagers, desk: Desk) -> None:
        super().__init__(desk, act.system)
        self._act = act
        self._digits = Digits(most=2)
        self._refused = False
        if self._device is not None:
            self.command = (self._device, LockOut())

    def begin(self) -> Answer:
        nothing_lies_there = self._lost and not self._act.placed
        return Done(acts.NotLocked("lost")) if nothing_lies_there else Taken.HELD

    def offer(self, given: Input) -> Answer:
        match given.message:
            case LinkLost() if given.device == self._device:
                return self.begin()
            case LockedOut(command, seats) if command == self._command_id:
                return Done(acts.Accepted(len(seats), tuple(sorted(seats))))
            case _ if self._failed(given):
                self._refused, self.command = True, None
                return Taken.HELD
            case _:
                return self._key(key_of_press(given))

    def report(self, report: Report) -> Answer:
        gone = self._device is not None and report.incident.kind == _LOST
        return Done(acts.NotLocked("given_up")) if gone else Taken.IGNORED

    def prompt(self) -> Prompt:
        wager = words(self._act.wager)
        if self._device is None:
            return Prompt(f"LOCK OUT {wager}. ACCEPTED: {self._digits.text}_", (*DIGITS, ENTER))
        if self._refused:
            return Prompt(f"{wager} NOT LOCKED: GIVE BACK, RETURNED", ("returned",))
        if self._lost:
            return Prompt(f"{wager} LOST: GIVE BACK, RETURNED", ("returned",))
        return Prompt(waits(f"LOCKING {wager} OUT"))

    def _key(self, key: str | None) -> Answer:
        if self._device is not None:
            if key != "returned" or not (self._lost or self._refused):
                return Taken.IGNORED
            return Done(acts.NotLocked("refused" if self._refused else "lost"))
        if key is not None and self._digits.key(key):
            return Taken.HELD
        if key != ENTER or self._digits.value is None:
            return Taken.IGNORED
        return Done(acts.Accepted(self._digits.value))


class CountChips(Performance):
    """The chips before the tray: one key when they are as many as were accepted, else their number."""

    def __init__(self, act: acts.CollectChips, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._digits = Digits(most=2)

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == "collected" and not self._digits.text:
            return Done(acts.ChipsCounted(self._act.accepted))
        if key is not None and self._digits.key(key):
            return Taken.HELD
        if key != ENTER or self._digits.value is None:
            return Taken.IGNORED
        return Done(acts.ChipsCounted(self._digits.value))

    def report(self, report: Report) -> Answer:
        """That chips and system differ says the same; how many chips there are may still have to be keyed."""
        if report.incident.kind != _MISMATCH:
            return Taken.IGNORED
        told = (self._act.placed, report.incident.count)
        chips = next((number for number in told if number not in (None, self._act.accepted)), None)
        if chips is not None:
            return Done(acts.ChipsCounted(chips))
        self._desk.notice = f"KEY HOW MANY {words(self._act.wager)} CHIPS THERE ARE"[:LINE]
        return Taken.HELD

    def prompt(self) -> Prompt:
        wager = words(self._act.wager)
        if self._digits.text:
            return Prompt(f"{wager} CHIPS COUNTED: {self._digits.text}_", (*DIGITS, ENTER))
        return Prompt(f"{wager} {self._act.accepted} ACCEPTED: COUNT, COLLECTED", ("collected", *DIGITS))


class Undo(_OfSystem):
    """The wagers count no more; without a system that is connected the dealer says that it is done."""

    def __init__(self, act: acts.UndoLockOut, desk: Desk) -> None:
        super().__init__(desk, act.system)
        self._act = act
        if self._device is not None:
            self.command = (self._device, ReturnWagers())

    def offer(self, given: Input) -> Answer:
        match given.message:
            case WagersReturned(command) if command == self._command_id:
                return Done(acts.Undone(True))
            case _ if self._failed(given):
                return Done(acts.Undone(False))
            case _ if key_of_press(given) == "returned" and (self._device is None or self._lost):
                return Done(acts.Undone(self._device is None))
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        gone = self._device is not None and report.incident.kind == _LOST
        return Done(acts.Undone(False)) if gone else Taken.IGNORED

    def prompt(self) -> Prompt:
        wager = words(self._act.wager)
        if self._device is not None and not self._lost:
            return Prompt(waits(f"RETURNING {wager}"))
        if not self._act.chips:
            return Prompt(f"UNDO THE {wager} LOCK-OUT: RETURNED", ("returned",))
        return Prompt(f"RETURN {self._act.chips} {wager} FROM TRAY: RETURNED", ("returned",))


class Look(_OfSystem):
    """What the meter shows: said by the system, or keyed as the sign shows it."""

    def __init__(self, act: acts.LookAtMeter, desk: Desk) -> None:
        super().__init__(desk, act.system)
        self._act = act
        self._amount = Amount()
        if act.due and self._keeps_meter and self._device is not None:
            self.command = (self._device, ReadMeter())

    def begin(self) -> Answer:
        return Taken.HELD if self._act.due else self._known()

    def offer(self, given: Input) -> Answer:
        if not self._act.due:
            return self._known()
        match given.message:
            case Meter(command) if command == self._command_id != 0:
                return Done(self._said(given.message))
            case _ if self._failed(given):
                self.command = None
                return Taken.HELD
            case _ if self._by_hand:
                return self._key(key_of_press(given))
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        if self._device is None or report.incident.kind != _LOST:
            return Taken.IGNORED
        self.command = None
        return Taken.HELD if self._act.due else Done(None)

    def prompt(self) -> Prompt:
        if not self._act.due or not self._by_hand:
            return Prompt(waits("READING THE METER"))
        return Prompt(f"METER SHOWS: {self._amount.text}_", self._amount.keys)

    @property
    def _by_hand(self) -> bool:
        return self.command is None or self._lost

    def _known(self) -> Answer:
        """What is known without asking anybody; waited for while the system is about to say it."""
        if self._device is None or self._lost:
            return Done(None)
        link = self._desk.picture.links[self._device]
        if link.up and not self._keeps_meter:
            return Done(None)
        return Done(self._said(link.meter)) if link.up and link.meter is not None else Taken.HELD

    def _said(self, meter: Meter) -> acts.MeterSaid:
        assert self._device is not None
        return acts.MeterSaid(meter.display, meter, self._desk.picture.links[self._device].rules)

    def _key(self, key: str | None) -> Answer:
        if key is not None and self._amount.key(key):
            return Taken.HELD
        value = self._amount.value
        return Taken.IGNORED if key != ENTER or value is None else Done(acts.MeterSaid(value))


class Light(_OfSystem):
    """The system takes the award and lights the seat; where it does not, the dealer says that the light is on."""

    def __init__(self, act: acts.LightWin, desk: Desk) -> None:
        super().__init__(desk, act.system)
        self._act = act
        self._lit = False
        self._doubt = False
        self._recorded: acts.WinLit | None = None
        if not act.by_hand and self._keeps_meter and self._device is not None:
            self.command = (self._device, RecordAward(act.seat, act.amount, act.reset))

    def intended(self, command_id: int) -> None:
        super().intended(command_id)
        self._doubt = False

    def in_doubt(self) -> bool:
        self._doubt = True  # its meter tells whether it has taken the award: that outlives every power cycle
        return False

    def offer(self, given: Input) -> Answer:
        match given.message:
            case WinLight(seat, lit) if seat == self._act.seat:
                self._lit = lit
                return Taken.HELD
            case AwardRecorded(command, _, _, display) if command == self._command_id:
                return self._taken(acts.WinLit(display))
            case Meter() if self._doubt and given.device == self._device and self._act.hits is not None:
                taken = given.message.hits > self._act.hits
                return self._taken(acts.WinLit(given.message.display)) if taken else Taken.AGAIN
            case _ if self._failed(given) and isinstance(given.message, CommandFailed):
                return Done(acts.WinNotLit(given.message.reason))
            case _ if key_of_press(given) == "light_on" and self._by_hand:
                return Done(self._recorded or acts.WinLit(None))
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        if self.command is None or report.incident.kind != _LOST:
            return Taken.IGNORED
        self.command = None
        return Taken.HELD

    def prompt(self) -> Prompt:
        if not self._by_hand:
            return Prompt(waits(f"LIGHTING SEAT {self._act.seat}"))
        return Prompt(f"SEAT {self._act.seat} WIN LIGHT ON? LIGHT ON", ("light_on",))

    @property
    def _by_hand(self) -> bool:
        return self.command is None or self._lost or (self._doubt and self._act.hits is None)

    def _taken(self, recorded: acts.WinLit) -> Answer:
        if self._lit:
            return Done(recorded)
        self._recorded, self.command = recorded, None
        return Taken.HELD


class Validate(ByBadge):
    """A floorperson's badge."""

    def __init__(self, act: acts.ValidateAward, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act

    def offer(self, given: Input) -> Answer:
        return Done(acts.Validated(self._credential)) if self._badge(given) else Taken.IGNORED

    def prompt(self) -> Prompt:
        what = self._act.award.upper() if self._act.amount is None else show(self._act.amount)
        return Prompt(f"SEAT {self._act.seat} WINS {what}: BADGE", self._floor_keys)


class _ByTwo(ByBadge):
    """Two persons: a floorperson, and anybody else whose credential the table knows."""

    def _second(self, given: Input) -> str | None:
        """The second person: another badge, or where none could be shown the dealer's key DONE; empty: once more."""
        if isinstance(given.message, Badge):
            number = given.message.number
            if self._desk.settings.role(number) is not None and number != self._credential:
                return number
            self._desk.notice = f"BADGE {number}: IT WANTS ANOTHER PERSON'S"[:LINE]
            return ""
        if key_of_press(given) == "done" and not self._others:
            return self._desk.table.state.dealer or "dealer"
        return None

    @property
    def _others(self) -> bool:
        """Whether there is a reader, and somebody else's badge that it could read."""
        settings = self._desk.settings
        listed = (*settings.dealers, *settings.floorpersons, *settings.supervisors)
        alone = bool(listed) and all(number == self._credential for number in listed)
        return not self._desk.key_switch_counts and not alone

    def _ask(self, text: str) -> Prompt:
        return Prompt(f"{text}: 2ND BADGE") if self._others else Prompt(f"{text}: DONE", ("done",))


class Document(_ByTwo):
    """A hand pay: the cards stay until two persons say that the documents are complete."""

    def __init__(self, act: acts.DocumentHandPay, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act

    def offer(self, given: Input) -> Answer:
        if not self._credential:
            return Taken.HELD if self._badge(given) else Taken.IGNORED
        second = self._second(given)
        if not second:
            return Taken.IGNORED if second is None else Taken.HELD
        return Done(acts.Documented(self._credential, second))

    def prompt(self) -> Prompt:
        if not self._credential:
            return Prompt(f"SEAT {self._act.seat} HAND PAY {show(self._act.amount)}: BADGE", self._floor_keys)
        return self._ask(f"SEAT {self._act.seat} DOCUMENTED, CARDS STAY")


class TakeOff(_ByTwo):
    """Money is taken off the meter when a second person agrees with the first."""

    def __init__(self, act: acts.TakeOffMeter, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._credential = act.credential
        self._agreed = ""
        self._command_id = 0
        device = desk.picture.find(Kind.PROGRESSIVE)
        able = device is not None and desk.picture.links[device].can(Capability.METER)
        self._device = device if able else None

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        match given.message:
            case MeterLowered(command) if command == self._command_id and self._agreed:
                return Done(acts.TakenOff(self._agreed))
            case CommandFailed(command, reason) if command == self._command_id and self._agreed:
                return Done(acts.NotTakenOff(reason))
            case _ if key_of_press(given) == "cancel" and not self._agreed:
                return Done(acts.NotTakenOff("nobody has agreed"))
            case _ if not self._agreed:
                return self._agree(self._second(given))
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        """What becomes of it is not known then: the books are held against the meter after the round."""
        gone = bool(self._agreed) and report.incident.kind == _LOST
        return Done(acts.NotTakenOff("it gives no answer")) if gone else Taken.IGNORED

    def prompt(self) -> Prompt:
        if self._agreed:
            return Prompt(waits("THE METER GOES DOWN"))
        asked = self._ask(f"METER DOWN BY {show(self._act.amount)}")
        return Prompt(asked.text, (*asked.lit, "cancel"))

    def _agree(self, second: str | None) -> Answer:
        if not second:
            return Taken.IGNORED if second is None else Taken.HELD
        self._agreed = second
        if self._device is None:
            return Done(acts.TakenOff(second))
        self.command = (self._device, LowerMeter(self._act.reason, self._act.amount))
        return Taken.HELD


class Adopt(_ByTwo):
    """Our books begin anew with what the system says, when a second person agrees with the first."""

    def __init__(self, act: acts.AdoptMeter, desk: Desk) -> None:
        super().__init__(desk)
        self._credential = act.credential
        self._device = desk.picture.find(Kind(act.system))

    def offer(self, given: Input) -> Answer:
        if key_of_press(given) == "cancel":
            return Done(acts.Adopted("", None))
        second = self._second(given)
        if not second:
            return Taken.IGNORED if second is None else Taken.HELD
        return Done(acts.Adopted(second, self._said()))

    def prompt(self) -> Prompt:
        said = self._said()
        asked = self._ask("METER IS RIGHT" if said is None else f"METER RIGHT AT {show(said.display)}")
        return Prompt(asked.text, (*asked.lit, "cancel"))

    def _said(self) -> acts.MeterSaid | None:
        link = None if self._device is None else self._desk.picture.links[self._device]
        if link is None or link.meter is None:
            return None
        return acts.MeterSaid(link.meter.display, link.meter, link.rules)


def verify_hand(act: acts.VerifyHand, desk: Desk) -> Performance:
    """The dealer looks at the hand and says that it wins."""
    return _VerifyHand(act)


class _VerifyHand(Performance):
    def __init__(self, act: acts.VerifyHand) -> None:
        self._act = act

    def offer(self, given: Input) -> Answer:
        return Done(None) if key_of_press(given) == "verified" else Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt(f"SEAT {self._act.seat} {words(self._act.hand)}: VERIFIED", ("verified",))
