"""What has to hold for any bytes that a decoder is given: here of the table device link, elsewhere of the others.

No error but `DecodeError`, no hang, no invented message. ``make fuzz`` looks for such bytes, guided by coverage;
hypothesis does in the ordinary tests, with less patience.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from tablectl.equipment import Kind
from tablectl.errors import DecodeError
from tablectl_drivers.link import frames
from tablectl_drivers.link.device import DeviceSession
from tablectl_drivers.link.frames import Describe, Event
from tablectl_drivers.link.framing import Decoder, decode_cobs, encode_cobs, frame
from tablectl_drivers.link.host import Arrived, HostSession
from tablectl_drivers.link.payloads import VERSIONS, vocabulary
from tests.drivers.simulation import Shoe
from tests.fuzz import other_targets

PIECE: Final = 7


def cobs(data: bytes) -> None:
    """What decodes has a form that decodes to the same; what was encoded comes back."""
    assert decode_cobs(encode_cobs(data)) == data
    plain = decode_cobs(data)
    assert plain is None or decode_cobs(encode_cobs(plain)) == plain


def stream(data: bytes) -> None:
    """The same bodies whole and in pieces, none that has no good frame, and the next good frame always comes."""
    whole = Decoder().feed(data, 0.0)
    pieces = Decoder()
    assert [body for at in range(0, len(data), PIECE) for body in pieces.feed(data[at : at + PIECE], 0.0)] == whole
    decoder = Decoder()
    decoder.feed(data, 0.0)
    assert decoder.feed(frame(b"next"), 0.0)[-1] == b"next"


def payload(data: bytes) -> None:
    """A message or command has one form, in every version, and says in its errors nothing that it was given."""
    for version in VERSIONS:
        speech = vocabulary(version)
        for family in (speech.messages, speech.commands):
            try:
                value: Any = family.decode(data)
            except DecodeError:
                continue
            assert family.encode(value) == data


def body(data: bytes) -> None:
    """So has the body of a frame."""
    for version in VERSIONS:
        try:
            session, content = frames.decode(data, version) if data else (0, None)
        except DecodeError:
            continue
        if content is not None:
            assert Decoder().feed(frames.encode(session, content, data[0]), 0.0) == [data]


def host(data: bytes) -> None:
    """A host in a session is given a device's frames with these bodies: each message counts once, numbered in order."""
    it = HostSession(lambda device: None, chance=random.Random(1))
    it.open(0.0)
    (hello,) = Decoder().feed(it.outgoing(0.0)[0], 0.0)
    session = int.from_bytes(hello[2:4], "little")
    it.receive(frames.encode(session, Describe(1, 1, 1, Kind.SHOE, "", "1", "", ())), 0.0)
    arrived = []
    for number, part in enumerate(data.split(b"\xff\x00")):
        said = part if number % 3 else frames.encode(session, Event(number + 1, 0, part[:900]))
        arrived += [it.number for it in it.receive(said, number / 100) if isinstance(it, Arrived)]
        it.tick(number / 100)
        it.outgoing(number / 100)
    assert arrived == sorted(set(arrived))


def device(data: bytes) -> None:
    """A device is given these bytes, and as bodies of good frames too: it acts once for each id."""
    shoe = Shoe()
    it = DeviceSession(shoe, 1)
    it.receive(frames.encode(5, frames.Hello(None, 0)), 0.0)
    for number, part in enumerate(data.split(b"\xff\x00")):
        it.receive(part if number % 2 else frame(b"\x02\x03\x05\x00" + part[:900]), number / 100)
        it.tick(number / 100)
        it.outgoing()
    assert all(count == 1 for count in shoe.dispensed.values())


TARGETS: Final[tuple[Callable[[bytes], None], ...]] = (
    *(cobs, stream, payload, body, host, device),
    *other_targets.TARGETS,
)


def one_input(data: bytes) -> None:
    """The first byte chooses the target, the others are what it is given."""
    if data:
        TARGETS[data[0] % len(TARGETS)](data[1:])
