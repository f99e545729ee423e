"""Wagers that an electronic system accepts and locks out, the awards of a progressive, and its meter."""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "AwardValidated",
    "HandPayDocumented",
    "HandVerified",
    "LockOutUndone",
    "MeterBooked",
    "MeterRead",
    "SystemShut",
    "WagersLockedOut",
    "WagersVerified",
    "WinLightVerified",
]


@record
class SystemShut(Event):
    """A system takes no wagers in this round: why, and which wagers these are."""

    name: ClassVar[str] = "system.shut"
    system: str
    wager: str
    reason: str


@record
class WagersLockedOut(Event):
    """The system takes no more wagers: how many it has accepted, and at which seats where it tells them."""

    name: ClassVar[str] = "system.locked_out"
    system: str
    accepted: int
    seats: tuple[int, ...]
    cite: str


@record
class WagersVerified(Event):
    """The chips on the layout were counted against what the system has accepted; if equal, they went to the tray."""

    name: ClassVar[str] = "system.verified"
    wager: str
    chips: int
    accepted: int
    cite: str


@record
class LockOutUndone(Event):
    """The accepted wagers count no more; `complete`: the system has undone its side, the meter included."""

    name: ClassVar[str] = "system.undone"
    system: str
    complete: bool


@record
class HandVerified(Event):
    """The dealer has looked at the hand of a progressive award: the hand as the paytable names it, and what it wins."""

    name: ClassVar[str] = "award.hand_verified"
    seat: int
    hand: str
    award: str
    cite: str


@record
class WinLightVerified(Event):
    """The seat's win light is on; `amount` was taken off the meter (zero: none), which then showed `display`."""

    name: ClassVar[str] = "award.light_verified"
    seat: int
    amount: Money
    display: Money | None
    cite: str


@record
class AwardValidated(Event):
    """A floorperson has validated the award; `amount` is None where the wager's amount is not known."""

    name: ClassVar[str] = "award.validated"
    seat: int
    hand: str
    award: str
    amount: Money | None
    credential: str
    cite: str


@record
class HandPayDocumented(Event):
    """An award that may not be paid from the tray is documented, by two persons; till then the cards had to stay."""

    name: ClassVar[str] = "award.documented"
    seat: int
    amount: Money
    credential: str
    second: str
    cite: str


@record
class MeterRead(Event):
    """What the meter showed when it was a player's turn to be paid from it."""

    name: ClassVar[str] = "meter.read"
    system: str
    display: Money


@record
class MeterBooked(Event):
    """Our books of the meter were changed, and how they stand now, rounded down to the cent.

    `reason` is ``opened``, ``wagers``, ``returned``, ``award``, ``correction``, ``over_limit``, ``seed_recovery`` or
    ``adopted``; what lowers the display has the badge of who answers for it, a correction those of two persons.
    """

    name: ClassVar[str] = "meter.booked"
    reason: str
    amount: Money
    display: Money
    wagered: Money
    hits: int
    wins: Money
    overflow: Money
    reserve: Money
    seed: Money
    lowered: Money
    credential: str
    second: str
