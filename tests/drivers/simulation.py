"""Both ends of the link back to back, with a line that can be bad, a clock that is a number, and a daemon's journal.

The daemon commits what is delivered after a while, acknowledges it then, and may be killed at any moment: what it had
not committed is gone with it, and the next one is opened with the last committed message.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tablectl.equipment import (
    Command,
    Description,
    DeviceState,
    DispenseStack,
    Kind,
    Lamp,
    Message,
    Mode,
    StackTaken,
)
from tablectl_drivers.link.device import DeviceSession
from tablectl_drivers.link.host import (
    Answered,
    Arrived,
    Down,
    Happening,
    HostSession,
    Missing,
    NotUnderstood,
    Refused,
    Unanswered,
    Up,
)
from tablectl_drivers.link.payloads import VERSIONS

STATE = DeviceState(Mode.READY, Lamp.GREEN, False, None, False, None)
DESCRIPTION = Description(Kind.SHOE, "Simulated", "1", "1", ())


class Shoe:
    """A mechanism that remembers what it has physically done."""

    def __init__(self) -> None:
        self.description = DESCRIPTION
        self.dispensed: Counter[int] = Counter()
        self.present: list[bool] = []
        self.refusal: str | None = None
        self.say_at_once: DeviceSession | None = None
        self.now = 0.0

    def perform(self, command: Command, command_id: int) -> str | None:
        if self.refusal is not None:
            return self.refusal
        self.dispensed[command_id] += 1
        if self.say_at_once is not None and isinstance(command, DispenseStack):
            self.say_at_once.say(StackTaken(command_id, (), ()), self.now)
        return None

    def report(self, complete: bool) -> Iterable[Message]:
        yield STATE

    def attached(self, present: bool) -> None:
        self.present.append(present)


@dataclass
class Line:
    """What the line does to frames, in either direction; the order of bytes stays."""

    lose: float = 0.0
    corrupt: float = 0.0
    duplicate: float = 0.0
    delay: float = 0.0
    cut: bool = False
    split: bool = False
    babble: float = 0.0


@dataclass
class Simulation:
    """One device, one line, a daemon after the other."""

    seed: int = 0
    room: int = 256
    device_versions: tuple[int, ...] = VERSIONS
    host_versions: tuple[int, ...] = VERSIONS
    now: float = 0.0
    line: Line = field(default_factory=Line)
    commit_s: float = 0.005

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.shoe = Shoe()
        self.boot = 1
        self.device = DeviceSession(self.shoe, self.boot, room=self.room, versions=self.device_versions)
        self.shoe.say_at_once = self.device
        self.said: dict[int, list[Message]] = {self.boot: []}
        self.journal: list[tuple[int, int, Message]] = []
        self.happened: list[Happening] = []
        self.delivered: Counter[tuple[int, int]] = Counter()
        self._queue: list[tuple[float, int, str, bytes | tuple[int, int, int, Message]]] = []
        self._order = itertools.count()
        self._last = {"device": 0.0, "host": 0.0}
        self.life = 0
        self.reopen_at = 0.0
        self.host = self._new_host()

    def _new_host(self) -> HostSession:
        resume = self.journal[-1][:2] if self.journal else None
        self.delivered.clear()
        host = HostSession(lambda device: None, chance=self.chance, resume=resume, versions=self.host_versions)
        host.open(self.now)
        return host

    # What happens from outside

    def say(self, message: Message) -> None:
        self.device.say(message, self.now)

    def kill_daemon(self) -> None:
        self.life += 1
        self.host = self._new_host()

    def cut_line(self) -> None:
        """What is on the line is lost; the host notices at once and opens again a little later."""
        self._queue = [item for item in self._queue if item[2] == "commit"]
        heapq.heapify(self._queue)
        self.host.close()
        self.reopen_at = self.now + 0.2

    def power_cycle(self, kept: bool) -> None:
        if not kept:
            self.boot += 1
        self.device.power_cycle(None if kept else self.boot)

    def order(self, command: Command, command_id: int) -> None:
        self.host.order(command_id, command, self.now)

    # Time

    def run(self, seconds: float) -> list[Happening]:
        """Let time pass; what has happened at the host meanwhile."""
        begun = len(self.happened)
        until = self.now + seconds
        while True:
            self._write()
            times = [self.host.deadline(), self.device.deadline(), self.reopen_at or float("inf")]
            if self._queue:
                times.append(self._queue[0][0])
            due = max(self.now, min(times))
            if due > until:
                break
            self.now = self.shoe.now = due
            self._step()
        self.now = self.shoe.now = until
        return self.happened[begun:]

    def _step(self) -> None:
        while self._queue and self._queue[0][0] <= self.now:
            _, _, where, what = heapq.heappop(self._queue)
            if where == "commit":
                assert isinstance(what, tuple)
                self._commit(*what)
            elif where == "host":
                assert isinstance(what, bytes)
                self._take(self.host.receive(what, self.now))
            else:
                assert isinstance(what, bytes)
                self.device.receive(what, self.now)
        if self.reopen_at and self.now >= self.reopen_at:
            self.reopen_at = 0.0
            self.host.open(self.now)
        self._take(self.host.tick(self.now))
        self.device.tick(self.now)

    def _take(self, happenings: list[Happening]) -> None:
        for happening in happenings:
            self.happened.append(happening)
            match happening:
                case Arrived(boot, number, message):
                    self.delivered[boot, number] += 1
                    entry = (self.life, boot, number, message)
                    due = self.now + self.commit_s
                    heapq.heappush(self._queue, (due, next(self._order), "commit", entry))
                case Down() | NotUnderstood() | Refused():
                    self.reopen_at = self.now + 0.2
                case Up() | Missing() | Answered() | Unanswered():
                    pass

    def _commit(self, life: int, boot: int, number: int, message: Message) -> None:
        if life == self.life:
            self.journal.append((boot, number, message))
            self.host.acknowledge(boot, number, self.now)

    def _write(self) -> None:
        for frame in self.host.outgoing(self.now):
            self._put("device", frame)
        for frame in self.device.outgoing():
            self._put("host", frame)

    def _put(self, to: str, frame: bytes) -> None:
        line, chance = self.line, self.chance
        if line.cut or chance.random() < line.lose:
            return
        if chance.random() < line.corrupt:
            damaged = bytearray(frame)
            damaged[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
            frame = bytes(damaged)
        if chance.random() < line.babble:
            frame = chance.randbytes(chance.randrange(60)) + frame
        for copy in [frame] * (2 if chance.random() < line.duplicate else 1):
            due = self._last[to] = max(self._last[to], self.now + 0.0005 + chance.random() * line.delay)
            pieces = [copy[at : at + 3] for at in range(0, len(copy), 3)] if line.split else [copy]
            for piece in pieces:
                heapq.heappush(self._queue, (due, next(self._order), to, piece))
