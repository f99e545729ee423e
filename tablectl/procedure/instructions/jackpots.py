"""The acts around what the house takes in the poker room, and around its jackpots (637a.15 to 637a.17).

`jackpot` is ``bad_beat`` or ``high_hand``.
"""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.money import Money
from tablectl.procedure.instructions.base import Instruction
from tablectl.procedure.jackpots import Jackpot, Owed, Slip
from tablectl.records import record

__all__ = [
    "AdjustDisplay",
    "Agreed",
    "AwardPeriod",
    "BookJackpot",
    "CheckTime",
    "Confirmed",
    "ContentsCounted",
    "ContentsSent",
    "Denied",
    "DropRake",
    "EmptyBox",
    "EndPeriod",
    "NotAgreed",
    "Owe",
    "PaidOut",
    "PayJackpot",
    "TakeTime",
    "TimeChecked",
    "TimeTaken",
    "VerifyBadBeat",
    "VerifyHighHand",
]

# The rake -------------------------------------------------------------------------------------------------------------


@record
class DropRake(Instruction[None]):
    """What lies in the rake area goes into the drop box."""

    amount: Money
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.RakeDropped(self.amount, self.cite),)


@record
class TimeTaken:
    """The dealer has collected it; `inactive` are seated players who take no part, and have paid all the same."""

    inactive: tuple[int, ...] = ()


@record
class TakeTime(Instruction[TimeTaken]):
    """Collect the time charge and put it into the rake area.

    It is `part` of each seat that plays and of each other one that is taken, up to `most`; or of the table. The next
    charge runs `since` then.
    """

    interruptible: ClassVar[bool] = True
    per: str
    part: Money
    seats: tuple[int, ...]
    most: int
    since: int
    cite: str

    def assessed(self, inactive: tuple[int, ...]) -> tuple[int, ...]:
        """The seats that pay, clockwise; of a charge per table all that are known of."""
        return tuple(sorted((*self.seats, *inactive)))

    def total(self, inactive: tuple[int, ...]) -> Money:
        """What that comes to."""
        return Money(self.part * (len(self.assessed(inactive)) if self.per == "player" else 1))

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, TimeTaken)
        seats = self.assessed(result.inactive)
        return (e.TimeCollected(self.per, self.part, seats, self.total(result.inactive), self.since, self.cite),)


@record
class TimeChecked:
    """A floorperson has verified it."""

    credential: str


@record
class CheckTime(Instruction[TimeChecked]):
    """A floorperson verifies the time charges that were collected, before they go into the drop box."""

    interruptible: ClassVar[bool] = True
    total: Money
    seats: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, TimeChecked)
        return (e.TimeCharged(self.total, result.credential, self.cite),)


# The books ------------------------------------------------------------------------------------------------------------


@record
class BookJackpot(Instruction[None]):
    """The books of a jackpot were changed for that reason; `now` is how it stands."""

    jackpot: str
    reason: str
    amount: Money
    now: Jackpot
    cite: str
    credential: str = ""
    second: str = ""

    def events(self, result: object) -> tuple[e.Event, ...]:
        b = self.now.books
        return (
            e.JackpotBooked(
                self.jackpot,
                self.reason,
                self.amount,
                self.now.display,
                self.now.pending,
                b.contributed,
                b.over,
                b.others,
                b.box,
                b.sent,
                b.fund,
                b.owed,
                b.paid,
                b.transferred,
                self.credential,
                self.second,
                self.cite,
            ),
        )


@record
class ContentsCounted:
    """The dealer has counted so much; the badges of the floorperson, and of whoever takes it to the cage."""

    amount: Money
    credential: str
    second: str


@record
class ContentsSent:
    """The locked box went to the cage: the badges of the floorperson, and of whoever takes it there."""

    credential: str
    second: str


@record
class EmptyBox(Instruction[ContentsCounted | ContentsSent]):
    """Count the contents of a box `here`, at the closed table, or have it taken to the cage.

    `credential` is the badge of the floorperson who has ordered it, empty where none has.
    """

    interruptible: ClassVar[bool] = True
    jackpot: str
    here: bool
    dealer: str
    cite: str
    credential: str = ""

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, ContentsCounted):
            clause = f"{self.cite}(1)"
            counted = e.BoxCounted(self.jackpot, result.amount, self.dealer, result.credential, result.second, clause)
            return (counted,)
        assert isinstance(result, ContentsSent)
        return (e.BoxSent(self.jackpot, result.credential, result.second, f"{self.cite}(2)"),)


@record
class Agreed:
    """A second person answers for it, too."""

    second: str


@record
class NotAgreed:
    """It is not done."""


@record
class AdjustDisplay(Instruction[Agreed | NotAgreed]):
    """Somebody of the finance department adjusts what is displayed to that, before the floorperson of `credential`."""

    interruptible: ClassVar[bool] = True
    jackpot: str
    amount: Money
    credential: str
    cite: str


# Verification ---------------------------------------------------------------------------------------------------------


@record
class Confirmed:
    """It was verified by the bearer of that badge."""

    credential: str


@record
class Denied:
    """It was looked at by the bearer of that badge, and is not so."""

    credential: str


@record
class VerifyBadBeat(Instruction[Confirmed | Denied]):
    """The shift supervisor verifies a Bad Beat before it is paid: the hand and seats that have lost, and the winners.

    The cards stay on the table until then.
    """

    interruptible: ClassVar[bool] = True
    seats: tuple[int, ...]
    hand: str
    winners: tuple[int, ...]
    beaten_by: str
    amount: Money
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, Denied):
            return (e.BadBeatRefused(self.seats, self.hand, result.credential, self.cite),)
        assert isinstance(result, Confirmed)
        verified = e.BadBeatVerified(
            self.seats, self.hand, self.winners, self.beaten_by, self.amount, result.credential, self.cite
        )
        return (verified,)


@record
class VerifyHighHand(Instruction[Confirmed | Denied]):
    """A floorperson verifies a hand that is the highest of the period so far, and writes it on the slip.

    `slip` is that line without the floorperson's badge.
    """

    interruptible: ClassVar[bool] = True
    period: int
    slip: Slip
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        slip = self.slip
        if isinstance(result, Denied):
            return (e.HighHandRefused(self.period, slip.seat, slip.hand, result.credential, self.cite),)
        assert isinstance(result, Confirmed)
        recorded = e.HighHandRecorded(
            self.period, slip.reference, slip.seat, slip.hand, slip.dealer, result.credential, self.cite
        )
        return (recorded,)


# Awards ---------------------------------------------------------------------------------------------------------------


@record
class EndPeriod(Instruction[None]):
    """A qualifying period is over."""

    period: int
    references: tuple[str, ...]
    next_began: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.PeriodEnded(self.period, self.references, self.next_began, self.cite),)


@record
class AwardPeriod(Instruction[None]):
    """The pooled amount of a period is announced, and who has won it."""

    period: int
    pooled: Money
    won: str
    credential: str
    second: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        awarded = e.PeriodAwarded(self.period, self.pooled, self.won, self.credential, self.second, self.cite)
        return (awarded,)


@record
class Owe(Instruction[None]):
    """A player is to be paid that share."""

    jackpot: str
    owed: Owed
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        o = self.owed
        return (e.JackpotOwed(self.jackpot, o.reference, o.seat, o.part, o.amount, o.since, self.cite),)


@record
class PaidOut:
    """One of those that are owed was paid, at the ``table`` or in the ``cage``; `second` is the second badge.

    `which` is its place among them, from 0.
    """

    place: str
    second: str
    which: int = 0


@record
class PayJackpot(Instruction[PaidOut | NotAgreed]):
    """A player is paid one of those that are `owed`, in one of these places; `credential` is a floorperson's badge."""

    interruptible: ClassVar[bool] = True
    jackpot: str
    owed: tuple[Owed, ...]
    places: tuple[str, ...]
    credential: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        if not isinstance(result, PaidOut):
            return ()
        o = self.owed[result.which]
        paid = e.JackpotPaid(
            self.jackpot, o.reference, o.seat, o.amount, result.place, self.credential, result.second, self.cite
        )
        return (paid,)
