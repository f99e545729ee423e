"""What happened at a table in a gaming day besides its rounds: irregularities, faults, stops, gaps, orders, alarms."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tablectl import events as e
from tablectl.journal.played import TABLE_CLOSED
from tablectl.journal.told import Stamp, Told, Unread

__all__ = ["Alarm", "DeviceEvent", "Fault", "Happenings", "Irregularity", "Start", "Suspension"]

DeviceEvent: TypeAlias = e.DeviceRemoved | e.DeviceCovered | e.DeviceReturned | e.DeviceTested


@dataclass(slots=True)
class Irregularity:
    """All irregularities of one kind with the same clause and remedies; a round is named as often as it had one."""

    kind: str
    cite: str | None
    remedies: tuple[str, ...]
    count: int = 0
    rounds: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Fault:
    """A fault from when it was latched until a person cleared it; `cleared` is None while it is latched."""

    device: str
    fault: str
    message: str
    latched: Stamp
    cleared: Stamp | None = None
    credential: str = ""
    reason: str = ""


@dataclass(slots=True)
class Suspension:
    """Play stood still, by order of a floorperson, until one let it go on."""

    at: Stamp
    reason: str
    credential: str
    resumed: Stamp | None = None
    resumed_by: str = ""


@dataclass(slots=True)
class Alarm:
    """All alarms of one source and kind; the message is that of the last one."""

    source: str
    kind: str
    message: str
    count: int
    first: Stamp
    last: Stamp


@dataclass(slots=True)
class Start:
    """The daemon was started: after a ``stop``, after a ``crash`` (nothing says that it stopped), or ``first``.

    `resumed`: in the middle of a round, which went on.
    """

    at: Stamp
    event: e.TableStarted
    after: str
    resumed: bool = False


class Happenings:
    """Takes the events of one day; made from the day before, as faults and suspensions go on over the night."""

    def __init__(self, before: Happenings | None = None) -> None:
        self.irregularities: dict[tuple[str, str | None, tuple[str, ...]], Irregularity] = {}
        faults: list[Fault] = [] if before is None else before.faults
        suspensions: list[Suspension] = [] if before is None else before.suspensions
        running: bool | None = None if before is None else before.running
        self.faults: list[Fault] = [replace(fault) for fault in faults if fault.cleared is None]
        self.suspensions: list[Suspension] = [replace(each) for each in suspensions if each.resumed is None]
        self.running: bool | None = running
        self.starts: list[Start] = []
        self.stops: list[tuple[Stamp, str]] = []
        self.changes: list[tuple[Stamp, e.TableChanged]] = []
        self.orders: list[tuple[Stamp, e.TableOrdered]] = []
        self.gaps: list[tuple[Stamp, e.PlayedWithout]] = []
        self.clock: list[tuple[Stamp, int]] = []
        self.alarms: dict[tuple[str, str], Alarm] = {}
        self.devices: list[tuple[Stamp, DeviceEvent]] = []
        self.shut: Counter[tuple[str, str, str]] = Counter()
        self.unknown: Counter[str] = Counter()

    def take(self, told: Told, round: int | None) -> None:
        """Take the next event of the day, and the number of the round that is open."""
        at, event = told.at, told.event
        match event:
            case e.IrregularityNoted() if event.kind != TABLE_CLOSED:
                self._irregular(event, round)
            case e.FaultLatched() | e.FaultCleared():
                self._fault(at, event)
            case e.TableStarted() | e.TableStopped() | e.TableSuspended() | e.TableResumed():
                self._stops(at, event)
            case e.TableChanged():
                self.changes.append((at, event))
            case e.TableOrdered():
                self.orders.append((at, event))
            case e.PlayedWithout():
                self.gaps.append((at, event))
            case e.ClockStepped():
                self.clock.append((at, event.step_ms))
            case e.AlarmRaised():
                self._alarm(at, event)
            case e.DeviceRemoved() | e.DeviceCovered() | e.DeviceReturned() | e.DeviceTested():
                self.devices.append((at, event))
            case e.SystemShut():
                self.shut[event.system, event.wager, event.reason] += 1
            case Unread(reason=""):
                self.unknown[event.kind] += 1
            case _:
                pass

    def _irregular(self, event: e.IrregularityNoted, round: int | None) -> None:
        key = event.kind, event.cite, event.remedies
        found = self.irregularities.setdefault(key, Irregularity(*key))
        found.count += 1
        if round is not None:
            found.rounds.append(round)

    def _fault(self, at: Stamp, event: e.FaultLatched | e.FaultCleared) -> None:
        latched = next(
            (f for f in self.faults if f.cleared is None and (f.device, f.fault) == (event.device, event.fault)), None
        )
        match event:
            case e.FaultLatched() if latched is None:
                self.faults.append(Fault(event.device, event.fault, event.message, at))
            case e.FaultCleared() if latched is not None:
                latched.cleared, latched.credential, latched.reason = at, event.credential, event.reason
            case _:
                pass

    def _stops(self, at: Stamp, event: e.TableStarted | e.TableStopped | e.TableSuspended | e.TableResumed) -> None:
        match event:
            case e.TableStarted():
                after = {None: "first", True: "crash", False: "stop"}[self.running]
                self.starts.append(Start(at, event, after))
                self.running = True
            case e.TableStopped():
                self.stops.append((at, event.reason))
                self.running = False
            case e.TableSuspended():
                self.suspensions.append(Suspension(at, event.reason, event.credential))
            case e.TableResumed(after="restart"):
                if self.starts:
                    self.starts[-1].resumed = True
            case e.TableResumed():
                for each in self.suspensions:
                    if each.resumed is None:
                        each.resumed, each.resumed_by = at, event.credential

    def _alarm(self, at: Stamp, event: e.AlarmRaised) -> None:
        key = event.source, event.kind
        found = self.alarms.get(key)
        if found is None:
            self.alarms[key] = Alarm(*key, event.message, 1, at, at)
        else:
            found.count += 1
            found.last, found.message = at, event.message
