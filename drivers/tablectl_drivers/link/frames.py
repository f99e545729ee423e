"""The frames of the link, and the figures that both ends keep to.

::

    version (u8) | type (u8) | session (u16) | fields of the type

All versions have these frames; they differ in the vocabulary (`payloads`).

The host begins a session by `Hello` with a session number of its own choice, other than 0 and other than the last. A
device has one session or none; it loses it when it is without power or has heard nothing for `LOST_S`. A frame of
another session is old and changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from tablectl.equipment import Capability, Description, Kind
from tablectl.errors import DecodeError
from tablectl_drivers.link.framing import frame
from tablectl_drivers.link.layout import BOOL, REST, TEXT, U8, U16, U32, U64, Family, Reader, code, listed, optional
from tablectl_drivers.link.payloads import KIND, NEWEST, VERSIONS, vocabulary

__all__ = [
    "ACKNOWLEDGE_S",
    "HEARTBEAT_S",
    "HELLO_S",
    "LOST_S",
    "RESEND_S",
    "VERSION",
    "WINDOW",
    "Acknowledge",
    "Answer",
    "Describe",
    "Event",
    "Frame",
    "Hello",
    "NoSession",
    "OtherVersion",
    "Order",
    "Ping",
    "Pong",
    "Status",
    "decode",
    "encode",
]

VERSION: Final = NEWEST
WINDOW: Final = 16
"""A device has sent at most so many events that are not committed yet: it bounds what the host keeps in memory."""
HELLO_S: Final = 0.5
HEARTBEAT_S: Final = 1.0
LOST_S: Final = 3.0
RESEND_S: Final = 0.25
ACKNOWLEDGE_S: Final = 0.02
"""So long the host waits for a commit before it says alone that an event has arrived."""


class Status(StrEnum):
    """How a device answers a command."""

    ACCEPTED = "accepted"
    REPEATED = "repeated"  # accepted before: it does not act again, and says the result again
    REFUSED = "refused"


# Host to device ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """Begin a session: describe yourself, say your state, and send all events after those that are committed.

    `boot` is the boot id that the host last knew, None when it knows none; under it all up to `committed` may go.
    """

    boot: int | None
    committed: int


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """All up to `committed` is in the journal and may be forgotten; all up to `received` need not be sent again.

    `resend`: something was damaged or is missing, all after `received` is wanted again at once.
    """

    committed: int
    received: int
    resend: bool


@dataclass(frozen=True, slots=True)
class Order:
    """A command under its id."""

    command_id: int
    command: bytes


@dataclass(frozen=True, slots=True)
class Ping:
    """The host is there; answered at once. It repeats the acknowledgement, which may have been lost."""

    stamp: int
    committed: int
    received: int


# Device to host ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Describe:
    """The answer to `Hello`: the boot id, the number of the oldest event still kept and of the next one to come."""

    boot: int
    oldest: int
    next: int
    kind: Kind
    model: str
    serial: str
    firmware: str
    capabilities: tuple[Capability, ...]

    @property
    def description(self) -> Description:
        """What the device says of itself."""
        return Description(self.kind, self.model, self.serial, self.firmware, self.capabilities)


@dataclass(frozen=True, slots=True)
class Event:
    """One message under its number; the `lost` numbers right before it had no room and will never come."""

    number: int
    lost: int
    message: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to an `Order`; `reason` says in words why it is refused, else it is empty."""

    command_id: int
    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to `Ping`, with its stamp."""

    stamp: int


@dataclass(frozen=True, slots=True)
class NoSession:
    """The device has no such session: sent with its number for a frame of it, and with 0 after power came."""

    boot: int


Frame: TypeAlias = Hello | Acknowledge | Order | Ping | Describe | Event | Answer | Pong | NoSession

_STATUS = code({Status.ACCEPTED: 0, Status.REPEATED: 1, Status.REFUSED: 2})
_NO_SESSION: Final = 0x85


def _frames(version: int) -> Family[Frame]:
    capability = vocabulary(version).capability
    return Family(
        "frame",
        {
            0x01: (Hello, (optional(U32), U32)),
            0x02: (Acknowledge, (U32, U32, BOOL)),
            0x03: (Order, (U64, REST)),
            0x04: (Ping, (U32, U32, U32)),
            0x81: (Describe, (U32, U32, U32, KIND, TEXT, TEXT, TEXT, listed(capability))),
            0x82: (Event, (U32, U16, REST)),
            0x83: (Answer, (U64, _STATUS, TEXT)),
            0x84: (Pong, (U32,)),
            _NO_SESSION: (NoSession, (U32,)),
        },
    )


_FRAMES: Final = {version: _frames(version) for version in VERSIONS}


class OtherVersion(DecodeError):
    """A whole frame of another version of the link than expected.

    `version` and `session` are those of the frame, `hello` and `describe` say whether it is one.
    """

    def __init__(self, body: bytes, expected: int) -> None:
        self.version = body[0]
        self.session = int.from_bytes(body[2:4], "little") if len(body) >= 4 else None
        self.hello = body[1:2] == b"\x01" and self.session is not None
        self.describe = body[1:2] == b"\x81" and self.session is not None
        super().__init__(f"the frame is of version {self.version} of the table device link, expected {expected}")


def encode(session: int, content: Frame, version: int = VERSION) -> bytes:
    """The bytes on the line for one frame; `ValueError` when a field does not fit."""
    fields = _FRAMES[version].encode(content)
    return frame(bytes((version, fields[0])) + session.to_bytes(2, "little") + fields[1:])


def decode(body: bytes, version: int = VERSION) -> tuple[int, Frame]:
    """Session and content of one frame's body; `OtherVersion` or plain `DecodeError` when it is not understood.

    `NoSession` is taken in every version that we have: a device that has just got power does not know the host's.
    """
    data = Reader(body)
    found = U8.get(data)
    if found != version and not (found in _FRAMES and body[1:2] == bytes((_NO_SESSION,))):
        raise OtherVersion(body, version)
    kind, session = data.take(1), U16.get(data)
    return session, _FRAMES[found].decode(kind + data.take(data.left))
