"""The device's end of a session: what firmware does, for emulators and for tests of the host's end.

It does no I/O and reads no clock. `now` is in seconds of any steady clock. It lives as long as the device has power:
`receive` for all bytes that come, `tick` at `deadline`, `say` for what the device has to tell, `power_cycle` for what
happens then, writing what `outgoing` gives after each.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from tablectl.equipment import (
    ACTUATIONS,
    ANSWERS,
    Command,
    Description,
    DeviceState,
    Fault,
    Lamp,
    Message,
    Mode,
)
from tablectl.errors import DecodeError
from tablectl_drivers.link import frames
from tablectl_drivers.link.frames import (
    LOST_S,
    RESEND_S,
    WINDOW,
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
from tablectl_drivers.link.payloads import MESSAGES, VERSIONS, vocabulary

__all__ = ["COMMANDS_KEPT", "EVENTS_KEPT", "DeviceSession", "Mechanism"]

COMMANDS_KEPT: Final = 32
EVENTS_KEPT: Final = 256
_UNSPEAKABLE: Final = DeviceState(Mode.UNKNOWN, Lamp.UNKNOWN, False, None, False, Fault.PROTOCOL)
"""What is said to a host instead of a message that its version of the link does not have: doubt, which stops play."""


class Mechanism(Protocol):
    """What is behind the link: the equipment itself."""

    @property
    def description(self) -> Description:
        """What it says of itself."""

    def perform(self, command: Command, command_id: int) -> str | None:
        """Begin the command and return None, or say why not; called once for each id."""

    def report(self, complete: bool) -> Iterable[Message]:
        """Its state now, a `DeviceState` first; `complete` with all that the host cannot know any more."""

    def attached(self, present: bool) -> None:
        """A host has begun a session, or is gone."""


@dataclass(frozen=True, slots=True)
class _Event:
    number: int
    lost: int
    message: Message


@dataclass(slots=True)
class _Kept:
    answers: tuple[type[Message], ...]
    refusal: str | None = None
    result: Message | None = None


class DeviceSession:
    """One device: its unacknowledged events, its last commands with their results, and the session if there is one.

    `boot` is the id of this memory. `room` is how many events it can keep. `versions` of the link are those that it
    has; it speaks the one in which it is greeted.
    """

    def __init__(
        self, mechanism: Mechanism, boot: int, *, room: int = EVENTS_KEPT, versions: tuple[int, ...] = VERSIONS
    ) -> None:
        self._mechanism = mechanism
        self._boot = boot
        self._room = room
        self._versions = versions
        self._version = max(versions)
        self._decoder = Decoder()
        self._session = 0
        self._heard = 0.0
        self._out: list[bytes] = []
        self._events: deque[_Event] = deque()
        self._next = 1
        self._lost = 0
        self._received = self._sent = 0
        self._resend_at: float | None = None
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._display = 0  # id of the last command that says the whole of a display
        self._display_refusal: str | None = None
        self.retransmits = 0

    @property
    def boot(self) -> int:
        """The id of this memory."""
        return self._boot

    @property
    def present(self) -> bool:
        """Whether a host has a session."""
        return self._session != 0

    @property
    def unacknowledged(self) -> int:
        """How many events wait for their acknowledgement."""
        return len(self._events)

    @property
    def bad_frames(self) -> int:
        """Frames that were damaged."""
        return self._decoder.bad

    def say(self, message: Message, now: float) -> None:
        """Keep a message until the host has committed it; one for which there is no room is counted as lost."""
        kept = self._kept.get(getattr(message, "command", 0))
        if kept is not None and isinstance(message, kept.answers):
            kept.result = message
        self._keep(message)
        self._pump(now)

    def receive(self, data: bytes, now: float) -> None:
        """Act on the bytes `data`, just read."""
        for body in self._decoder.feed(data, now):
            version = body[0] if body[0] in self._versions else self._version
            try:
                session, content = frames.decode(body, version)
            except OtherVersion as error:
                if error.hello and error.session is not None:
                    self._describe(error.session, max(self._versions))
            except DecodeError:
                continue
            else:
                self._take(session, content, version, now)

    def tick(self, now: float) -> None:
        """Do what is due at `now`."""
        self._decoder.expire(now)
        if self.present and now >= self._heard + LOST_S:
            self._detach()
        if self.present and self._resend_at is not None and now >= self._resend_at:
            self._again(now)

    def deadline(self) -> float:
        """When to call `tick`; infinity while no session is open."""
        if not self.present:
            return float("inf")
        return min(self._heard + LOST_S, float("inf") if self._resend_at is None else self._resend_at)

    def outgoing(self) -> list[bytes]:
        """The frames to write now, each whole, in order."""
        out, self._out = self._out, []
        return out

    def power_cycle(self, boot: int | None) -> None:
        """Power went and came back: the session is lost, and with a new `boot` the whole memory."""
        self._detach()
        self._decoder.reset()
        self._out.clear()
        if boot is not None:
            self._boot = boot
            self._events.clear()
            self._kept.clear()
            self._next = 1
            self._lost = self._display = 0
        self._send(NoSession(self._boot), version=min(self._versions))

    @property
    def _oldest(self) -> int:
        return self._events[0].number if self._events else self._next

    def _send(self, content: Frame, session: int | None = None, version: int | None = None) -> None:
        session = self._session if session is None else session
        self._out.append(frames.encode(session, content, version or self._version))

    def _detach(self) -> None:
        if self.present:
            self._session = 0
            self._resend_at = None
            self._mechanism.attached(False)

    def _keep(self, message: Message) -> None:
        MESSAGES.encode(message)  # what no frame has room for fails here, where it is made
        if len(self._events) < self._room:
            self._events.append(_Event(self._next, min(self._lost, 0xFFFF), message))
            self._lost = 0
        else:
            self._lost += 1
        self._next += 1

    def _take(self, session: int, content: Frame, version: int, now: float) -> None:
        if isinstance(content, Hello):
            self._take_hello(session, content, version, now)
        elif not isinstance(content, (Acknowledge, Ping, Order)):
            return  # our own words, on a line that echoes
        elif (session, version) != (self._session, self._version) or not self.present:
            self._send(NoSession(self._boot), session, version)
        else:
            self._heard = now
            match content:
                case Acknowledge(committed, received, resend):
                    self._take_acknowledgement(committed, received, now)
                    if resend and self._sent > self._received:
                        self._again(now)
                case Ping(stamp, committed, received):
                    self._send(Pong(stamp))
                    self._take_acknowledgement(committed, received, now)
                case Order(command_id, command):
                    self._take_order(command_id, command)
                    self._pump(now)

    def _take_hello(self, session: int, hello: Hello, version: int, now: float) -> None:
        self._heard = now
        known = hello.boot == self._boot and hello.committed < self._next
        if known:
            self._forget(hello.committed)
        self._received = self._sent = self._oldest - 1
        self._resend_at = None
        fresh = (session, version) != (self._session, self._version)
        self._session, self._version = session, version
        self._describe(session, version)
        if fresh:
            self._mechanism.attached(True)
            for message in self._mechanism.report(not known):
                self._keep(message)
        self._pump(now)

    def _describe(self, session: int, version: int) -> None:
        it = self._mechanism.description
        able = tuple(one for one in it.capabilities if one in vocabulary(version).capabilities)
        described = Describe(self._boot, self._oldest, self._next, it.kind, it.model, it.serial, it.firmware, able)
        self._send(described, session, version)

    def _take_acknowledgement(self, committed: int, received: int, now: float) -> None:
        if not committed <= received <= self._sent:
            return  # no host of ours says that; what it may not have is sent again
        full = len(self._events) >= self._room
        self._forget(committed)
        if full and self._lost and len(self._events) < self._room:
            for message in self._mechanism.report(True):
                self._keep(message)
        if received > self._received:
            self._received = received
            self._resend_at = now + RESEND_S if received < self._sent else None
        self._pump(now)

    def _forget(self, committed: int) -> None:
        while self._events and self._events[0].number <= committed:
            self._events.popleft()

    def _again(self, now: float) -> None:
        self.retransmits += self._sent - self._received
        self._sent = self._received
        self._resend_at = None
        self._pump(now)

    def _pump(self, now: float) -> None:
        """Send what has not been sent, as far as the window lets."""
        if not self.present:
            return
        for event in self._events:
            if event.number >= self._oldest + WINDOW:
                break
            if event.number > self._sent:
                self._send(Event(event.number, event.lost, self._said(event.message)))
                self._sent = event.number
        if self._resend_at is None and self._sent > self._received:
            self._resend_at = now + RESEND_S

    def _said(self, message: Message) -> bytes:
        speech = vocabulary(self._version).messages
        try:
            return speech.encode(message)
        except ValueError:
            return speech.encode(_UNSPEAKABLE)

    def _take_order(self, command_id: int, payload: bytes) -> None:
        kept = self._kept.get(command_id)
        if kept is not None:
            self._answer_again(command_id, kept)
            return
        try:
            command = vocabulary(self._version).commands.decode(payload)
        except DecodeError as error:
            self._send(Answer(command_id, Status.REFUSED, str(error)))
            return
        if not isinstance(command, ACTUATIONS):
            if command_id != self._display:
                self._display = command_id
                self._display_refusal = self._mechanism.perform(command, command_id)
            self._send(_answer(command_id, Status.ACCEPTED, self._display_refusal))
            return
        kept = self._kept[command_id] = _Kept(ANSWERS[type(command)])
        if len(self._kept) > COMMANDS_KEPT:
            self._kept.popitem(last=False)
        answer_at = len(self._out)  # before the result, which may be said within `perform`
        kept.refusal = self._mechanism.perform(command, command_id)
        answer = _answer(command_id, Status.ACCEPTED, kept.refusal)
        self._out.insert(answer_at, frames.encode(self._session, answer, self._version))

    def _answer_again(self, command_id: int, kept: _Kept) -> None:
        self._send(_answer(command_id, Status.REPEATED, kept.refusal))
        if kept.result is not None and all(event.message != kept.result for event in self._events):
            self._keep(kept.result)


def _answer(command_id: int, status: Status, refusal: str | None) -> Answer:
    return Answer(command_id, status if refusal is None else Status.REFUSED, refusal or "")
