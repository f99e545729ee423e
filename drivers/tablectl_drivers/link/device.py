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
    Command,
    Description,
    Message,
    ShowPrompt,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
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
from tablectl_drivers.link.payloads import COMMANDS, MESSAGES

__all__ = ["COMMANDS_KEPT", "EVENTS_KEPT", "DeviceSession", "Mechanism"]

COMMANDS_KEPT: Final = 32
EVENTS_KEPT: Final = 256
_RESULTS: Final = (StackTaken, StackFailed, ShuffleFinished, ShuffleFailed)


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


@dataclass(slots=True)
class _Kept:
    refusal: str | None
    result: Message | None = None


class DeviceSession:
    """One device: its unacknowledged events, its last commands with their results, and the session if there is one.

    `boot` is the id of this memory. `room` is how many events it can keep.
    """

    def __init__(self, mechanism: Mechanism, boot: int, *, room: int = EVENTS_KEPT) -> None:
        self._mechanism = mechanism
        self._boot = boot
        self._room = room
        self._decoder = Decoder()
        self._session = 0
        self._heard = 0.0
        self._out: list[bytes] = []
        self._events: deque[Event] = deque()
        self._next = 1
        self._lost = 0
        self._received = self._sent = 0
        self._resend_at: float | None = None
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._prompt = 0
        self._prompt_refusal: str | None = None
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
        if isinstance(message, _RESULTS) and message.command in self._kept:
            self._kept[message.command].result = message
        self._keep(message)
        self._pump(now)

    def receive(self, data: bytes, now: float) -> None:
        """Act on the bytes `data`, just read."""
        for body in self._decoder.feed(data, now):
            try:
                session, content = frames.decode(body)
            except OtherVersion as error:
                if error.greeting is not None:
                    self._describe(error.greeting)
            except DecodeError:
                continue
            else:
                self._take(session, content, now)

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
            self._lost = self._prompt = 0
        self._send(NoSession(self._boot))

    @property
    def _oldest(self) -> int:
        return self._events[0].number if self._events else self._next

    def _send(self, content: Frame, session: int | None = None) -> None:
        self._out.append(frames.encode(self._session if session is None else session, content))

    def _detach(self) -> None:
        if self.present:
            self._session = 0
            self._resend_at = None
            self._mechanism.attached(False)

    def _keep(self, message: Message) -> None:
        if len(self._events) < self._room:
            self._events.append(Event(self._next, min(self._lost, 0xFFFF), MESSAGES.encode(message)))
            self._lost = 0
        else:
            self._lost += 1
        self._next += 1

    def _take(self, session: int, content: Frame, now: float) -> None:
        if isinstance(content, Hello):
            self._take_hello(session, content, now)
        elif not isinstance(content, (Acknowledge, Ping, Order)):
            return  # our own words, on a line that echoes
        elif session != self._session or not self.present:
            self._send(NoSession(self._boot), session)
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

    def _take_hello(self, session: int, hello: Hello, now: float) -> None:
        self._heard = now
        known = hello.boot == self._boot and hello.committed < self._next
        if known:
            self._forget(hello.committed)
        self._received = self._sent = self._oldest - 1
        self._resend_at = None
        fresh = session != self._session
        self._session = session
        self._describe(session)
        if fresh:
            self._mechanism.attached(True)
            for message in self._mechanism.report(not known):
                self._keep(message)
        self._pump(now)

    def _describe(self, session: int) -> None:
        it = self._mechanism.description
        described = Describe(
            self._boot, self._oldest, self._next, it.kind, it.model, it.serial, it.firmware, it.capabilities
        )
        self._send(described, session)

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
                self._send(event)
                self._sent = event.number
        if self._resend_at is None and self._sent > self._received:
            self._resend_at = now + RESEND_S

    def _take_order(self, command_id: int, payload: bytes) -> None:
        kept = self._kept.get(command_id)
        if kept is not None:
            self._answer_again(command_id, kept)
            return
        try:
            command = COMMANDS.decode(payload)
        except DecodeError as error:
            self._send(Answer(command_id, Status.REFUSED, str(error)))
            return
        if isinstance(command, ShowPrompt):
            if command_id != self._prompt:
                self._prompt = command_id
                self._prompt_refusal = self._mechanism.perform(command, command_id)
            self._send(_answer(command_id, Status.ACCEPTED, self._prompt_refusal))
            return
        kept = self._kept[command_id] = _Kept(None)
        if len(self._kept) > COMMANDS_KEPT:
            self._kept.popitem(last=False)
        answer_at = len(self._out)  # before the result, which may be said within `perform`
        kept.refusal = self._mechanism.perform(command, command_id)
        answer = _answer(command_id, Status.ACCEPTED, kept.refusal)
        self._out.insert(answer_at, frames.encode(self._session, answer))

    def _answer_again(self, command_id: int, kept: _Kept) -> None:
        self._send(_answer(command_id, Status.REPEATED, kept.refusal))
        if kept.result is not None:
            message = MESSAGES.encode(kept.result)
            if all(event.message != message for event in self._events):
                self._keep(kept.result)


def _answer(command_id: int, status: Status, refusal: str | None) -> Answer:
    return Answer(command_id, status if refusal is None else Status.REFUSED, refusal or "")
