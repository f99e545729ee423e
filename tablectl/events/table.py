"""The table, its equipment and its people."""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "TableClosed",
    "TableOpened",
    "TableOrdered",
    "DealerChanged",
    "AlarmRaised",
    "ClockStepped",
    "DeviceCovered",
    "DeviceRemoved",
    "DeviceReturned",
    "DeviceTested",
    "FaultCleared",
    "FaultLatched",
    "PaymentCorrected",
    "PlayedWithout",
    "SeatsBarred",
    "TableChanged",
    "TableResumed",
    "TableStarted",
    "TableStopped",
    "TableSuspended",
]


@record
class TableStarted(Event):
    """The daemon runs: program version, digest of the filed rules, digest of the configuration; whether in training."""

    name: ClassVar[str] = "table.started"
    version: str
    edition: str
    configuration: str
    training: bool = False


@record
class TableStopped(Event):
    """The daemon ended on purpose."""

    name: ClassVar[str] = "table.stopped"
    reason: str


@record
class ClockStepped(Event):
    """The machine's wall clock was set, forward by so much (back: negative).

    Moments from `began`, when the daemon was started, to `until` were taken by the clock as it was before: in seconds
    since the epoch, by that clock; 0 where that is not known.
    """

    name: ClassVar[str] = "clock.stepped"
    step_ms: int
    began: int = 0
    until: int = 0


@record
class AlarmRaised(Event):
    """Something around the table needs a person, though play goes on: its source, kind and what it is."""

    name: ClassVar[str] = "alarm.raised"
    source: str
    kind: str
    message: str


@record
class FaultLatched(Event):
    """A device has a fault that a person has to clear; it survives a power cycle."""

    name: ClassVar[str] = "fault.latched"
    device: str
    fault: str
    message: str


@record
class FaultCleared(Event):
    """A person with a badge cleared a latched fault, with a reason."""

    name: ClassVar[str] = "fault.cleared"
    device: str
    fault: str
    credential: str
    reason: str


@record
class DeviceRemoved(Event):
    """A device that does not work has left the table, so that another method may be used."""

    name: ClassVar[str] = "device.removed"
    device: str
    cite: str
    dealing: str


@record
class DeviceCovered(Event):
    """A device that does not work was covered or signed as out of order, so that another method may be used."""

    name: ClassVar[str] = "device.covered"
    device: str
    cite: str
    dealing: str


@record
class DeviceReturned(Event):
    """A device that was out of service is in use again: a floorperson says so."""

    name: ClassVar[str] = "device.returned"
    device: str
    dealing: str
    shuffler: str
    credential: str


@record
class DeviceTested(Event):
    """A device has tested itself before it is used; `detail` says what did not pass."""

    name: ClassVar[str] = "device.tested"
    device: str
    passed: bool
    detail: str
    cite: str


@record
class TableOpened(Event):
    """The opening is complete, with these decks: the gaming day of that number begins; `dealer` is a credential."""

    name: ClassVar[str] = "table.opened"
    day: int
    game: str
    decks: tuple[str, ...]
    dealer: str


@record
class TableClosed(Event):
    """The gaming day is over; `credential` is the floorperson's."""

    name: ClassVar[str] = "table.closed"
    day: int
    credential: str


@record
class DealerChanged(Event):
    """Another dealer is at the table: credentials, empty where nobody has said so."""

    name: ClassVar[str] = "table.dealer"
    dealer: str
    before: str


@record
class TableOrdered(Event):
    """Somebody with the right to it ordered something between two rounds."""

    name: ClassVar[str] = "table.ordered"
    order: str
    detail: str
    number: int
    credential: str


@record
class TableSuspended(Event):
    """Play stands still by order of a floorperson, for that reason."""

    name: ClassVar[str] = "table.suspended"
    reason: str
    credential: str


@record
class TableResumed(Event):
    """Play goes on from where it stood: after a floorperson's order, or after a restart in the middle of a round.

    `after` is ``suspension`` or ``restart``; `credential` is empty after a restart, as nobody is asked then.
    """

    name: ClassVar[str] = "table.resumed"
    after: str
    credential: str


@record
class PlayedWithout(Event):
    """So many rounds were played while the controller took no part: a floorperson closes the gap and says why."""

    name: ClassVar[str] = "table.gap"
    rounds: int
    reason: str
    credential: str


@record
class SeatsBarred(Event):
    """These seats, and no others, may not wager until the cards are reshuffled or a floorperson lets them."""

    name: ClassVar[str] = "table.barred"
    seats: tuple[int, ...]
    cite: str


@record
class PaymentCorrected(Event):
    """A payment is put right later, with a floorperson's approval; the record that it corrects stays as it is.

    `corrects` is the `sequence` of that record, an event `round.settled`. `paid` is what the house pays in addition,
    `collected` what it takes back; one of them is zero.
    """

    name: ClassVar[str] = "table.corrected"
    corrects: int
    round: int
    seat: int
    wager: str
    hand: int
    paid: Money
    collected: Money
    credential: str


@record
class TableChanged(Event):
    """The table goes on under another program, game, rules, limits or set-up than before; nothing was at stake.

    `what` names all that changed: ``version``, ``game``, ``rules``, ``limits``, ``set_up``. For game, rules and limits
    a floorperson's badge has said that the notice is posted; else `credential` is empty.
    """

    name: ClassVar[str] = "table.changed"
    what: tuple[str, ...]
    edition: str
    edition_before: str
    configuration: str
    configuration_before: str
    minimum: Money | None
    minimum_before: Money | None
    maximum: Money | None
    maximum_before: Money | None
    credential: str
