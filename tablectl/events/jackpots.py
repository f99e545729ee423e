"""What the house takes in the poker room, and the jackpots that players are paid out of a part of it.

Of a player there is nothing but the seat and the reference that stands on the paper slip.
"""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "BadBeatRefused",
    "BadBeatVerified",
    "BoxCounted",
    "BoxSent",
    "HighHandRecorded",
    "HighHandRefused",
    "JackpotBooked",
    "JackpotOwed",
    "JackpotPaid",
    "PeriodAwarded",
    "PeriodEnded",
    "RakeDropped",
    "TimeCharged",
    "TimeCollected",
]


@record
class RakeDropped(Event):
    """The dealer has put so much out of the rake area into the drop box."""

    name: ClassVar[str] = "rake.dropped"
    amount: Money
    cite: str


@record
class TimeCollected(Event):
    """The time charge lies in the rake area: so much of each of these seats, or of the whole table.

    The next one runs since that second of the epoch.
    """

    name: ClassVar[str] = "rake.time_collected"
    per: str
    part: Money
    seats: tuple[int, ...]
    total: Money
    since: int
    cite: str


@record
class TimeCharged(Event):
    """A floorperson has verified the time charges that were collected."""

    name: ClassVar[str] = "rake.time_charged"
    total: Money
    credential: str
    cite: str


@record
class JackpotBooked(Event):
    """The books of a jackpot at this table were changed for that reason, and how they stand now, in cents.

    `reason` is ``drop``, ``sent``, ``counted`` (in the cage), ``adjusted``, ``awarded``, ``paid``, ``unclaimed``,
    ``won_elsewhere``, ``carried_over`` or ``ended``. contributed + over + others = box + sent + fund + owed + paid +
    transferred. `pending`: what is displayed is about to be adjusted.
    """

    name: ClassVar[str] = "jackpot.booked"
    jackpot: str
    reason: str
    amount: Money
    display: Money
    pending: bool
    contributed: Money
    over: Money
    others: Money
    box: Money
    sent: Money
    fund: Money
    owed: Money
    paid: Money
    transferred: Money
    credential: str
    second: str
    cite: str


@record
class BoxCounted(Event):
    """A dealer has counted a box at the closed table before a floorperson and surveillance, and both have signed.

    `second` is the badge of whoever takes it to the cage, empty where none was shown.
    """

    name: ClassVar[str] = "jackpot.box_counted"
    jackpot: str
    amount: Money
    dealer: str
    credential: str
    second: str
    cite: str


@record
class BoxSent(Event):
    """A box went to the cage to be counted there, with somebody of the security department (`second`)."""

    name: ClassVar[str] = "jackpot.box_sent"
    jackpot: str
    credential: str
    second: str
    cite: str


@record
class BadBeatVerified(Event):
    """The shift supervisor has verified a Bad Beat: the hand that lost, the seats that won, and what is paid in all."""

    name: ClassVar[str] = "jackpot.bad_beat_verified"
    seats: tuple[int, ...]
    hand: str
    winners: tuple[int, ...]
    beaten_by: str
    amount: Money
    credential: str
    cite: str


@record
class BadBeatRefused(Event):
    """The shift supervisor has found that it is none."""

    name: ClassVar[str] = "jackpot.bad_beat_refused"
    seats: tuple[int, ...]
    hand: str
    credential: str
    cite: str


@record
class HighHandRecorded(Event):
    """A floorperson has verified a hand and written it on the High Hand Tracking Slip: it is the one to beat now."""

    name: ClassVar[str] = "jackpot.high_hand_recorded"
    period: int
    reference: str
    seat: int
    hand: str
    dealer: str
    credential: str
    cite: str


@record
class HighHandRefused(Event):
    """A floorperson has not verified a hand for the High Hand Jackpot."""

    name: ClassVar[str] = "jackpot.high_hand_refused"
    period: int
    seat: int
    hand: str
    credential: str
    cite: str


@record
class PeriodEnded(Event):
    """A qualifying period is over; `references` are the highest hands that were made here.

    The next one has begun at that second of the epoch.
    """

    name: ClassVar[str] = "jackpot.period_ended"
    period: int
    references: tuple[str, ...]
    next_began: int
    cite: str


@record
class PeriodAwarded(Event):
    """The pooled contributions of a period, and by whom they were won: ``here``, ``elsewhere``, ``nobody``."""

    name: ClassVar[str] = "jackpot.period_awarded"
    period: int
    pooled: Money
    won: str
    credential: str
    second: str
    cite: str


@record
class JackpotOwed(Event):
    """So much of a jackpot is a player's: his part (``loser``, ``winner``, ``table``, ``high_hand``).

    It may be claimed since that second of the epoch.
    """

    name: ClassVar[str] = "jackpot.owed"
    jackpot: str
    reference: str
    seat: int
    part: str
    amount: Money
    since: int
    cite: str


@record
class JackpotPaid(Event):
    """A player was paid at the ``table`` or in the ``cage``, as two persons answer for."""

    name: ClassVar[str] = "jackpot.paid"
    jackpot: str
    reference: str
    seat: int
    amount: Money
    place: str
    credential: str
    second: str
    cite: str
