"""The acts around an electronic system that accepts wagers: lock-out, collection, awards, and the meter.

`system` is the kind of equipment (``progressive``, ``extra_roll``), `wager` the wager that it accepts.
"""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.equipment import Meter, MeterReason, MeterRules
from tablectl.money import Money
from tablectl.procedure.instructions.base import Instruction
from tablectl.procedure.instructions.rounds import Stake
from tablectl.records import record

__all__ = [
    "Accepted",
    "Adopted",
    "AdoptMeter",
    "BookMeter",
    "ChipsCounted",
    "CollectChips",
    "DocumentHandPay",
    "Documented",
    "LightWin",
    "LockOutWagers",
    "LookAtMeter",
    "MeterSaid",
    "NotLocked",
    "NotTakenOff",
    "OpenWagering",
    "TakeOffMeter",
    "TakenOff",
    "UndoLockOut",
    "Undone",
    "ValidateAward",
    "Validated",
    "VerifyHand",
    "WageringOpen",
    "WageringShut",
    "WinLit",
    "WinNotLit",
]

# Wagers that a system accepts -----------------------------------------------------------------------------------------


@record
class WageringOpen:
    """The system takes wagers for this round."""


@record
class WageringShut:
    """It does not: it is lost, has refused, or may not be used; its wagers are not offered in this round."""

    reason: str


@record
class OpenWagering(Instruction[WageringOpen | WageringShut]):
    """Let the system take wagers for a new round, unless it is `barred` for a reason."""

    system: str
    wager: str
    barred: str = ""

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.SystemShut(self.system, self.wager, result.reason),) if isinstance(result, WageringShut) else ()


@record
class Accepted:
    """The system takes no more: how many wagers it has accepted, and at which seats, None where it tells no seats."""

    count: int
    seats: tuple[int, ...] | None = None


@record
class NotLocked:
    """The system could not be told, so none of its wagers counts: the chips go back to the players."""

    reason: str


@record
class LockOutWagers(Instruction[Accepted | NotLocked]):
    """Let the system take no more wagers; `placed` are those that are seen on its spots."""

    interruptible: ClassVar[bool] = True
    system: str
    wager: str
    placed: tuple[Stake, ...]
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, Accepted):
            return (e.WagersLockedOut(self.system, result.count, result.seats or (), self.cite),)
        return (e.SystemShut(self.system, self.wager, result.reason),) if isinstance(result, NotLocked) else ()


@record
class ChipsCounted:
    """The chips as they were counted on the layout before the tray."""

    chips: int


@record
class CollectChips(Instruction[ChipsCounted]):
    """Collect the wagers, count them before the tray against what the system has accepted; equal, they go into it."""

    interruptible: ClassVar[bool] = True
    wager: str
    accepted: int
    placed: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, ChipsCounted)
        return (e.WagersVerified(self.wager, result.chips, self.accepted, self.cite),)


@record
class Undone:
    """The wagers are given back; `complete` when the system has undone its side."""

    complete: bool


@record
class UndoLockOut(Instruction[Undone]):
    """The accepted wagers count no more: `chips` of them come back from the tray, and the meter goes back with them."""

    system: str
    wager: str
    chips: int

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Undone)
        return (e.LockOutUndone(self.system, result.complete),)


# Awards ---------------------------------------------------------------------------------------------------------------


@record
class MeterSaid:
    """What the meter shows; `meter` and `rules` are the accounts where the system keeps them."""

    display: Money
    meter: Meter | None = None
    rules: MeterRules | None = None


@record
class LookAtMeter(Instruction[MeterSaid | None]):
    """What the meter shows now; `expected` is what it should, None where nobody knows.

    Only if it is `due` somebody reads it off the sign where the system cannot say it; else the result is then None.
    """

    interruptible: ClassVar[bool] = True
    system: str
    expected: Money | None
    due: bool

    def events(self, result: object) -> tuple[e.Event, ...]:
        if self.due and isinstance(result, MeterSaid):
            return (e.MeterRead(self.system, result.display),)
        return ()


@record
class VerifyHand(Instruction[None]):
    """The dealer verifies that the hand wins: `hand` as the paytable names it, `award` what that pays."""

    interruptible: ClassVar[bool] = True
    seat: int
    hand: str
    award: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.HandVerified(self.seat, self.hand, self.award, self.cite),)


@record
class WinLit:
    """The light is on; `display` is what the meter shows then, None where the system does not say it."""

    display: Money | None


@record
class WinNotLit:
    """The system has refused: the meter does not show that amount, or it is in a fault."""

    reason: str


@record
class LightWin(Instruction[WinLit | WinNotLit]):
    """The system takes the award off the meter and lights the seat's win light, which the dealer verifies.

    `amount` is zero for an award that leaves the meter alone; `reset`: it is the whole of it. `hits` is how many
    awards the system has taken so far, None where it keeps no accounts. `by_hand`: the system has refused, and the
    light is put on and looked at by people.
    """

    interruptible: ClassVar[bool] = True
    system: str
    seat: int
    amount: Money
    reset: bool
    hits: int | None
    cite: str
    by_hand: bool = False

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, WinLit):
            return (e.WinLightVerified(self.seat, self.amount, result.display, self.cite),)
        return ()


@record
class Validated:
    """A floorperson has validated it."""

    credential: str


@record
class ValidateAward(Instruction[Validated]):
    """A floorperson validates the award; `amount` is None where the wager's amount is not known."""

    interruptible: ClassVar[bool] = True
    seat: int
    hand: str
    award: str
    amount: Money | None
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Validated)
        return (e.AwardValidated(self.seat, self.hand, self.award, self.amount, result.credential, self.cite),)


@record
class Documented:
    """The documents are complete: the badges of the floorperson and of the second person."""

    credential: str
    second: str


@record
class DocumentHandPay(Instruction[Documented]):
    """An award that is not paid from the tray is documented by two persons; the cards stay until then."""

    interruptible: ClassVar[bool] = True
    seat: int
    amount: Money
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Documented)
        return (e.HandPayDocumented(self.seat, self.amount, result.credential, result.second, self.cite),)


# The meter ------------------------------------------------------------------------------------------------------------


@record
class BookMeter(Instruction[None]):
    """Our books of the meter were changed for that reason; `books` is how they stand now."""

    reason: str
    amount: Money
    books: Meter
    credential: str = ""
    second: str = ""

    def events(self, result: object) -> tuple[e.Event, ...]:
        b = self.books
        return (
            e.MeterBooked(
                self.reason,
                self.amount,
                b.display,
                b.wagered,
                b.hits,
                b.wins,
                b.overflow,
                b.reserve,
                b.seed,
                b.lowered,
                self.credential,
                self.second,
            ),
        )


@record
class TakenOff:
    """The system has taken it off; `second` is the badge of the second person."""

    second: str


@record
class NotTakenOff:
    """It was not taken off, and why."""

    reason: str


@record
class TakeOffMeter(Instruction[TakenOff | NotTakenOff]):
    """Take money off the meter, as two persons answer for; `credential` is the badge of the first."""

    interruptible: ClassVar[bool] = True
    reason: MeterReason
    amount: Money
    credential: str


@record
class Adopted:
    """A second person agrees that the meter is right as the system says it; `said` is None where it says nothing."""

    second: str
    said: MeterSaid | None


@record
class AdoptMeter(Instruction[Adopted]):
    """Our books are begun anew from what the system says, as two persons answer for."""

    interruptible: ClassVar[bool] = True
    system: str
    credential: str
