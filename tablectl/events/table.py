"""The table, its equipment and its people."""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.records import record

__all__ = [
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
