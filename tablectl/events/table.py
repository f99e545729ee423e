"""The table, its equipment and its people."""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.records import record

__all__ = [
    "TableClosed",
    "TableOpened",
    "TableOrdered",
    "DealerChanged",
    "AlarmRaised",
    "ClockStepped",
    "DeviceRemoved",
    "FaultCleared",
    "FaultLatched",
    "TableStarted",
    "TableStopped",
]


@record
class TableStarted(Event):
    """The daemon runs: program version, digest of the filed rules, digest of the configuration."""

    name: ClassVar[str] = "table.started"
    version: str
    edition: str
    configuration: str


@record
class TableStopped(Event):
    """The daemon ended on purpose."""

    name: ClassVar[str] = "table.stopped"
    reason: str


@record
class ClockStepped(Event):
    """The machine's wall clock was set, forward by so much (back: negative)."""

    name: ClassVar[str] = "clock.stepped"
    step_ms: int


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
