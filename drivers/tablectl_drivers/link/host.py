"""The host's end of a session: takes bytes and the time, gives bytes and what has happened.

It does no I/O and reads no clock. `now` is in seconds of any steady clock. Its life is: `open`, then `receive` for all
bytes that come and `tick` at `deadline`, writing what `outgoing` gives after each; after `Down` or `Refused` the port
is opened anew and so is the session.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeAlias

from tablectl.equipment import Command, Message
from tablectl.errors import DecodeError
from tablectl_drivers.link import frames
from tablectl_drivers.link.frames import (
    ACKNOWLEDGE_S,
    HEARTBEAT_S,
    HELLO_S,
    LOST_S,
    RESEND_S,
    Acknowledge,
    Answer,
    Describe,
    Event,
    Frame,
    Hello,
    NoSession,
    Order,
    OtherVersion,
    Ping,
    Pong,
    Status,
)
from tablectl_drivers.link.framing import Decoder
from tablectl_drivers.link.payloads import VERSIONS, vocabulary

__all__ = [
    "COMMAND_S",
    "Admit",
    "Answered",
    "Arrived",
    "Down",
    "Happening",
    "HostSession",
    "Missing",
    "NotUnderstood",
    "Refused",
    "Unanswered",
    "Up",
]

COMMAND_S: Final = 2.0
_RESEND_PAUSE_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Up:
    """The device has described itself and is admitted; `same_boot` says that it has kept its memory."""

    device: Describe
    same_boot: bool


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message that comes for the first time in the life of this session object."""

    boot: int
    number: int
    message: Message


@dataclass(frozen=True, slots=True)
class Missing:
    """So many messages before the next one to arrive are lost for good."""

    boot: int
    count: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The device has answered the outstanding command."""

    command_id: int
    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """No answer to the outstanding command in time; a later one is not taken for the next command's."""

    command_id: int


@dataclass(frozen=True, slots=True)
class Refused:
    """What answers is not the device that it should be; nothing of it was taken."""

    device: Describe
    reason: str


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A whole frame that breaks the protocol: its message is not taken, and the session is over."""

    boot: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Down:
    """The session is over."""

    reason: str


Happening: TypeAlias = Up | Arrived | Missing | Answered | Unanswered | Refused | NotUnderstood | Down

Admit: TypeAlias = Callable[[Describe], str | None]
"""Why this device must not be used; None when it may."""


class _State(Enum):
    IDLE = auto()
    GREETING = auto()
    UP = auto()


@dataclass(slots=True)
class _Outstanding:
    command_id: int
    order: Order
    until: float
    again: float


class HostSession:
    """One device as the host sees it, over all sessions with it since the driver was opened.

    `resume` is boot id and number of the last committed message. `lost_after` and `command_timeout` are in seconds.
    `versions` of the link are those that the host has; it speaks the newest one that the device has too.
    """

    def __init__(
        self,
        admit: Admit,
        *,
        chance: random.Random,
        resume: tuple[int, int] | None = None,
        lost_after: float = LOST_S,
        command_timeout: float = COMMAND_S,
        versions: tuple[int, ...] = VERSIONS,
    ) -> None:
        self._admit = admit
        self._chance = chance
        self._lost_after = lost_after
        self._heartbeat = min(HEARTBEAT_S, lost_after / 3)
        self._command_timeout = command_timeout
        self._decoder = Decoder()
        self._state = _State.IDLE
        self._session = 0
        self._versions = versions
        self._version = max(versions)
        self._out: list[bytes] = []
        self._boot: int | None = None
        self._received = 0
        if resume is not None:
            self._boot, self._received = resume
        self._uncommitted: dict[int, bool] = {}  # what has arrived, in order; True when acknowledged before an earlier
        self._outstanding: _Outstanding | None = None
        self._began = self._heard = self._next_hello = self._next_ping = 0.0
        self._acknowledge_at: float | None = None
        self._resend = False
        self._resent = float("-inf")
        self._stamp = 0
        self._stamped = 0.0
        self.round_trip: float | None = None
        self.retransmits = 0
        self.duplicates = 0
        self._strange = 0

    @property
    def up(self) -> bool:
        """Whether a device is there and admitted."""
        return self._state is _State.UP

    @property
    def version(self) -> int:
        """The version of the link that is spoken with the device: the newest that both have."""
        return self._version

    def knows(self, command: Command) -> bool:
        """Whether that version has the command."""
        return vocabulary(self._version).commands.has(type(command))

    @property
    def boot(self) -> int | None:
        """The boot id last heard of."""
        return self._boot

    @property
    def bad_frames(self) -> int:
        """Frames that were damaged or not understood."""
        return self._decoder.bad + self._strange

    @property
    def _committed(self) -> int:
        """All messages up to this one are committed."""
        return next(iter(self._uncommitted)) - 1 if self._uncommitted else self._received

    def open(self, now: float) -> None:
        """Begin a new session, on a port that has just been opened."""
        chosen = self._chance.randint(1, 0xFFFF)
        self._session = chosen if chosen != self._session else chosen % 0xFFFF + 1
        self._version = max(self._versions)
        self._decoder.reset()
        self._out.clear()
        self._state = _State.GREETING
        self._outstanding = self._acknowledge_at = None
        self._resend = False
        self._began = self._heard = now
        self._hello(now)

    def close(self) -> None:
        """End the session without a word, as when the port is gone."""
        self._state = _State.IDLE
        self._outstanding = self._acknowledge_at = None
        self._out.clear()

    def order(self, command_id: int, command: Command, now: float) -> None:
        """Send a command; only while `up`, and one at a time. `ValueError` when the command does not fit a frame."""
        if not self.up or self._outstanding is not None:
            raise RuntimeError("a command is sent while the device is up and no other command is outstanding")
        self._acknowledge_due(now)  # a device that knows its result committed says it again, instead of not yet
        order = Order(command_id, vocabulary(self._version).commands.encode(command))
        self._send(order)
        self._outstanding = _Outstanding(command_id, order, now + self._command_timeout, now + RESEND_S)

    def withdraw(self) -> None:
        """Wait no longer for an answer to the outstanding command; one that still comes is not taken."""
        self._outstanding = None

    def acknowledge(self, boot: int, number: int, now: float) -> None:
        """That message is committed; one of another boot id, or one already acknowledged, changes nothing."""
        if boot != self._boot or number not in self._uncommitted:
            return
        self._uncommitted[number] = True
        while self._uncommitted and self._uncommitted[self._committed + 1]:
            del self._uncommitted[self._committed + 1]
        self._acknowledge_at = now

    def receive(self, data: bytes, now: float) -> list[Happening]:
        """What the bytes `data`, just read, mean."""
        happened: list[Happening] = []
        bad = self._decoder.bad
        for body in self._decoder.feed(data, now):
            if self._state is _State.IDLE:
                break
            try:
                session, content = frames.decode(body, self._version)
            except OtherVersion as error:
                if self._state is _State.GREETING and self._older(error, now):
                    continue
                self._strange += 1
                happened += self._over(NotUnderstood(self._boot, str(error)))
                break
            except DecodeError as error:
                self._strange += 1
                happened += self._over(NotUnderstood(self._boot, str(error)))
                break
            happened += self._take(session, content, now)
        if self._decoder.bad > bad:
            self._ask_again(now)
        return happened

    def tick(self, now: float) -> list[Happening]:
        """Do what is due at `now`; all bytes that have come are given to `receive` first."""
        self._decoder.expire(now)
        if self._state is _State.IDLE:
            return []
        if now >= self._heard + self._lost_after:
            silent = "no device answers" if self._state is _State.GREETING else "the device has fallen silent"
            return self._over(Down(f"{silent}: nothing understood for {self._lost_after:g} s"))
        happened: list[Happening] = []
        if self._state is _State.GREETING:
            if now >= self._next_hello:
                self.retransmits += 1
                self._hello(now)
        else:
            if now >= self._next_ping:
                self._ping(now)
            happened = self._tick_order(now)
        return happened

    def deadline(self) -> float:
        """When to call `tick`; infinity while no session is open."""
        if self._state is _State.IDLE:
            return float("inf")
        times = [self._heard + self._lost_after]
        times.append(self._next_hello if self._state is _State.GREETING else self._next_ping)
        if self._acknowledge_at is not None:
            times.append(self._acknowledge_at)
        if self._outstanding is not None:
            times += (self._outstanding.until, self._outstanding.again)
        return min(times)

    def outgoing(self, now: float) -> list[bytes]:
        """The frames to write now, each whole, in order."""
        self._acknowledge_due(now)
        out, self._out = self._out, []
        return out

    def _send(self, content: Frame) -> None:
        self._out.append(frames.encode(self._session, content, self._version))

    def _older(self, frame: OtherVersion, now: float) -> bool:
        """Whether a frame of another version, before the session, is of no concern; greet a device that is older."""
        if frame.version not in self._versions:
            return False
        if frame.describe and frame.session == self._session and frame.version < self._version:
            self._version = frame.version
            self._heard = now
            self._hello(now)
        return True

    def _acknowledge_due(self, now: float) -> None:
        if self.up and self._acknowledge_at is not None and now >= self._acknowledge_at:
            self._send(Acknowledge(self._committed, self._received, self._resend))
            self._acknowledge_at, self._resend = None, False

    def _hello(self, now: float) -> None:
        self._send(Hello(self._boot, self._committed))
        self._next_hello = now + HELLO_S

    def _ping(self, now: float) -> None:
        self._stamp = (self._stamp + 1) & 0xFFFFFFFF
        self._stamped = now
        self._send(Ping(self._stamp, self._committed, self._received))
        self._next_ping = now + self._heartbeat

    def _tick_order(self, now: float) -> list[Happening]:
        waiting = self._outstanding
        if waiting is None:
            return []
        if now >= waiting.until:
            self._outstanding = None
            return [Unanswered(waiting.command_id)]
        if now >= waiting.again:
            waiting.again = now + RESEND_S
            self.retransmits += 1
            self._send(waiting.order)
        return []

    def _over(self, last: Happening) -> list[Happening]:
        self.close()
        return [last]

    def _ask_again(self, now: float) -> None:
        """Have the device send again what may have been damaged, though not for each piece of a burst of noise."""
        if self.up and now >= self._resent + _RESEND_PAUSE_S:
            self._resent = now
            self._resend = True
            self._acknowledge_at = now

    def _take(self, session: int, content: Frame, now: float) -> list[Happening]:
        if isinstance(content, NoSession):
            return self._take_no_session(session, now)
        if session != self._session or not isinstance(content, (Describe, Event, Answer, Pong)):
            return []  # of an old session, or our own words on a line that echoes
        self._heard = now
        match content:
            case Describe() if self._state is _State.GREETING:
                return self._take_description(content, now)
            case Event() if self.up and self._boot is not None:
                return self._take_event(self._boot, content, now)
            case Answer() if self._outstanding is not None and self._outstanding.command_id == content.command_id:
                self._outstanding = None
                return [Answered(content.command_id, content.status, content.reason)]
            case Pong() if content.stamp == self._stamp:
                self.round_trip = now - self._stamped
        return []

    def _take_no_session(self, session: int, now: float) -> list[Happening]:
        if self.up and session in {0, self._session}:
            return self._over(Down("the device has started again"))
        if self._state is _State.GREETING and session == 0:
            self._hello(now)
        return []

    def _take_description(self, device: Describe, now: float) -> list[Happening]:
        reason = self._admit(device)
        if reason is not None:
            return self._over(Refused(device, reason))
        same = device.boot == self._boot
        wrong = _misnumbered(device, self._received if same else 0)
        if wrong is not None:
            return self._over(NotUnderstood(device.boot, wrong))
        happened: list[Happening] = [Up(device, same)]
        missing = device.oldest - 1 - self._received
        if same and missing > 0:
            happened.append(Missing(device.boot, missing))
        if not same:
            self._boot = device.boot
            self._uncommitted.clear()
        if not same or missing > 0:
            self._received = device.oldest - 1
        self._state = _State.UP
        self._ping(now)
        return happened

    def _take_event(self, boot: int, event: Event, now: float) -> list[Happening]:
        awaited = self._received + 1
        if event.number < awaited:
            self.duplicates += 1
            self._acknowledge_at = now
            return []
        if event.number - event.lost > awaited:
            self._ask_again(now)
            return []
        try:
            message = vocabulary(self._version).messages.decode(event.message)
        except DecodeError as error:
            self._strange += 1
            what = f"message {event.number} (type {event.message[:1].hex() or 'none'}, {len(event.message)} bytes)"
            return self._over(NotUnderstood(boot, f"{what}: {error}"))
        happened: list[Happening] = []
        if event.number > awaited:
            happened.append(Missing(boot, event.number - awaited))
        self._received = event.number
        self._uncommitted[event.number] = False
        if self._acknowledge_at is None:
            self._acknowledge_at = now + ACKNOWLEDGE_S
        return [*happened, Arrived(boot, event.number, message)]


def _misnumbered(device: Describe, received: int) -> str | None:
    """What cannot be in the numbers that a device gives, `received` being the last number that came from it."""
    if not 1 <= device.oldest <= device.next:
        return f"it says that its oldest message is {device.oldest} and its next one will be {device.next}"
    if device.next <= received:
        return (
            f"its next message would be {device.next}, but {received} have come under the same boot id"
            f" {device.boot:08x}: it has lost its memory and not taken a new boot id"
        )
    return None
