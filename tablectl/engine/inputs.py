"""What the engine takes in: messages of devices, and the few that the daemon itself puts into the same queue."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.engine.rows import entry
from tablectl.equipment import Message
from tablectl.events import WagerSettled
from tablectl.journal import Entry, RowKind
from tablectl.records import record

__all__ = ["CommandFailed", "DaemonStarted", "Input", "RoundFound", "SettledRow", "TimerExpired"]


@record
class DaemonStarted:
    """The daemon runs (again): what it knew of links is out of date."""

    boot: str


@record
class TimerExpired:
    """The time that was asked for is over; a `token` that is not the current one is stale and ignored."""

    token: int


@record
class CommandFailed:
    """An actuation was refused by the device: it has not happened and will not."""

    command: int
    reason: str


@record
class SettledRow:
    """One wager's settlement, and the `sequence` of the event that records it."""

    sequence: int
    settled: WagerSettled


@record
class RoundFound:
    """A past round out of the journal, as somebody at the panel has asked for it; no `lines` if it is not there."""

    round: int
    lines: tuple[str, ...]
    rows: tuple[SettledRow, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """One message in the order in which it is taken; `boot` and `number` are the device's, empty and 0 our own."""

    device: str
    message: Message | DaemonStarted | TimerExpired | CommandFailed | RoundFound
    boot: str = ""
    number: int = 0

    def entry(self) -> Entry:
        """The input as a row of the journal."""
        return entry(RowKind.INPUT, None, device=self.device, boot=self.boot, number=self.number, message=self.message)
