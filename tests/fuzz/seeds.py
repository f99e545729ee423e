"""What a fuzzer begins with for each target: what equipment really says, so that it need not guess a check value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tablectl.cards import FaceDown, card
from tablectl.equipment import (
    Badge,
    CardLeft,
    DeviceState,
    DispenseStack,
    KeyPressed,
    Kind,
    Lamp,
    Mode,
    ShowPrompt,
    StackTaken,
)
from tablectl_drivers.link import frames
from tablectl_drivers.link.frames import Describe, Event, Hello, Order
from tablectl_drivers.link.framing import Decoder
from tablectl_drivers.link.payloads import COMMANDS, MESSAGES
from tablectl_drivers.linux_input.codes import KEYS
from tablectl_drivers.linux_input.frames import EV_KEY, EV_SYN, encode
from tablectl_drivers.osdp import contents
from tablectl_drivers.osdp.contents import Command, Reply
from tablectl_drivers.osdp.packets import SecurityBlock
from tablectl_drivers.osdp.packets import encode as osdp
from tests.fuzz.targets import TARGETS

__all__ = ["seeds"]

_PART = b"\xff\x00"


def seeds() -> Iterator[bytes]:
    """Inputs of `targets.one_input`: each sample for each target, as one decoder's words are another's noise."""
    for number in range(len(TARGETS)):
        for sample in chain(_link(), _osdp(), _others()):
            yield bytes((number,)) + sample


def _link() -> Iterator[bytes]:
    messages = [
        MESSAGES.encode(it)
        for it in (
            KeyPressed("bet"),
            CardLeft(1, FaceDown(card("As")), False),
            StackTaken(4711, (FaceDown(card("2c")), FaceDown(None)), (1,)),
            DeviceState(Mode.READY, Lamp.GREEN, False, 52, False, None),
            Badge("4711"),
        )
    ]
    commands = [COMMANDS.encode(it) for it in (DispenseStack(3), ShowPrompt("READY", ("bet",), ("bet",), True))]
    whole = [
        frames.encode(5, Hello(None, 0)),
        frames.encode(5, Describe(1, 1, 1, Kind.SHOE, "Shoe", "S-1", "1.0", ())),
        *(frames.encode(5, Event(number, 0, it)) for number, it in enumerate(messages, 1)),
        *(frames.encode(5, Order(number, it)) for number, it in enumerate(commands, 1)),
    ]
    bodies = [Decoder().feed(frame, 0.0)[0] for frame in whole]
    yield from messages + commands + bodies
    yield b"".join(whole)
    yield _PART.join(whole)
    yield _PART.join(bodies)


def _osdp() -> Iterator[bytes]:
    identity = contents.Identity(b"\0\x1a\x2b", 7, 1, 42, (1, 2, 3))
    replies = [
        (Reply.PDID, bytes(identity)),
        (Reply.PDCAP, bytes(contents.Capabilities({contents.Function.LED: (1, 1)}))),
        (Reply.LSTATR, b"\1\0"),
        (Reply.RSTATR, b"\1"),
        (Reply.RAW, b"\0\1\x1a\0\x80\x12\x67\x40"),
        (Reply.FMT, b"\0\0\x05AB-17"),
        (Reply.NAK, b"\6"),
        (Reply.ACK, b""),
    ]
    yield b"".join(osdp(3, number % 4, code, data, reply=True) for number, (code, data) in enumerate(replies))
    yield osdp(3, 1, Command.POLL, b"", crc=False) + osdp(
        3, 0, Command.CHLNG, bytes(8), security=SecurityBlock(0x11, b"\1")
    )
    for code, data in replies:
        yield bytes((code,)) + data
    yield _PART.join(bytes((code,)) + data for code, data in replies)


def _others() -> Iterator[bytes]:
    yield bytes((0, 2, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0))  # an X-keys
    yield bytes((0, 214, 2, 0, 0, 35, 32, 4, 6, 0xC0, 17, 5, 4))
    yield b"\1\2\3\4\5\6\7\x08"
    yield b"".join(encode(1.0, *event) for event in ((EV_KEY, KEYS["KEY_F1"], 1), (EV_SYN, 0, 0), (EV_SYN, 3, 0)))
    yield bytes(byte for name in ("1", "2", "A", "4", "ENTER") for byte in (KEYS[f"KEY_{name}"], 9))
    yield bytes(byte for level in (1, 0, 1, 3, 2, 0) for byte in (level, 7))
    for text in ("/dev/serial/by-id/x?baud=9600", "05f3:0405?serial=A&port=1-2.3&interface=1", "?name=x&vendor=08ff"):
        yield text.encode()
    yield b"by-id/x-event-kbd"
    yield b"bet=1.1 fold=2.3"
