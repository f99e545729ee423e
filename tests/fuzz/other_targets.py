"""What has to hold for any bytes that the decoders of other protocols are given, and for any text that names a port."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable
from typing import Final

from tablectl.errors import DecodeError
from tablectl_drivers.buttons import Buttons, Freed, Pressed, Released, Stuck
from tablectl_drivers.hid import reports
from tablectl_drivers.hid.reports import MODELS, Box, Levels
from tablectl_drivers.link import serial_port
from tablectl_drivers.linux_input import files
from tablectl_drivers.linux_input.codes import ENDS, KEYS
from tablectl_drivers.linux_input.frames import EVENT
from tablectl_drivers.linux_input.frames import Decoder as EventDecoder
from tablectl_drivers.linux_input.typist import Typed, Typist
from tablectl_drivers.osdp import contents, credential
from tablectl_drivers.osdp.contents import Card, CardText, Reply
from tablectl_drivers.osdp.control_panel import ControlPanel
from tablectl_drivers.osdp.happenings import Found, KeyGiven, Presented, Status, Timing
from tablectl_drivers.osdp.packets import LARGEST, Decoder, Packet, encode
from tablectl_drivers.usb import address as usb_address
from tablectl_hil.osdp_peripheral import Peripheral

PIECE: Final = 7
MOST_DATA: Final = LARGEST - 40
PART: Final = b"\xff\x00"
KEY: Final = bytes(range(16))
TIMING: Final = Timing(0.2, 8.0, 0.2, 3.0)


def osdp_stream(data: bytes) -> None:
    """The same packets whole and in pieces, each of them there, and the next good one always comes."""
    whole = Decoder()
    found = whole.feed(data) + whole.expire()
    pieces = Decoder()
    parts = [it for at in range(0, len(data), PIECE) for it in pieces.feed(data[at : at + PIECE])]
    assert parts + pieces.expire() == found
    assert all(_written(packet) in data for packet in found)
    following = encode(1, 0, Reply.ACK, b"", reply=True)
    after = Decoder()
    after.feed(data)
    after.expire()
    assert [it.code for it in after.feed(following)] == [Reply.ACK]


def _written(packet: Packet) -> bytes:
    """The packet as it has to have been on the line, with its check value."""
    security, crc, reply = packet.security, packet.crc, packet.reply
    head = packet.address, packet.sequence, packet.code, packet.data
    return encode(*head, reply=reply, crc=crc, security=security, mac=lambda _: packet.mac)


def osdp_contents(data: bytes) -> None:
    """A reply has the form of its code or is refused; a badge's number is text without a blank at either end."""
    try:
        said = contents.contents(data[0] if data else Reply.RAW, data[1:])
    except DecodeError:
        return
    if isinstance(said, Card):
        assert 0 <= said.value < 1 << said.bits
    if isinstance(said, Card | CardText):
        for format in credential.Format:
            with contextlib.suppress(DecodeError):
                number = credential.number(said, format)
                assert number == number.strip() != ""


def osdp_panel(data: bytes) -> None:
    """Whatever answers, a card is taken only from a reply that holds one, and with a key from no forger at all."""
    for key in (None, KEY):
        panel = ControlPanel(3, TIMING, random.Random(1), key=None if key is None else lambda: KEY)
        reader = Peripheral("it", 3, key, random.Random(2))
        panel.begin(0.0)
        now = 0.0
        while not panel.up:
            now += 0.01
            request, _ = panel.request(now)
            for answer in reader.answer(Decoder().feed(request)[0]):
                panel.receive(Decoder().feed(answer)[0], now)
        for part in data.split(PART):
            now += 0.3
            request, _ = panel.request(now)
            (asked,) = Decoder().feed(request)
            code, said = part[0] if part else Reply.ACK, part[1 : 1 + MOST_DATA]
            packet = Packet(3, True, asked.sequence, code, said, True, None, b"", said)
            happened = panel.receive(packet, now) or []
            assert not any(isinstance(it, Presented) for it in happened) or code in (Reply.RAW, Reply.FMT)
            assert key is None or not any(isinstance(it, Found | Status | Presented | KeyGiven) for it in happened)
            panel.silent(now)


def osdp_reader(data: bytes) -> None:
    """Our emulated reader is given these bytes as a line gives them, and as packets to it."""
    reader = Peripheral("it", 3, KEY, random.Random(2))
    decoder = Decoder()
    for number, part in enumerate(data.split(PART)):
        framed = encode(3, number % 4, part[0] if part else 0x60, part[1 : 1 + MOST_DATA])
        for packet in decoder.feed(part) + decoder.expire() + decoder.feed(framed):
            for answer in reader.answer(packet):
                (it,) = Decoder().feed(answer)
                assert it.reply
                assert it.address == 3


def hid_report(data: bytes) -> None:
    """A report names buttons of the panel alone, or none; none is down in one that is too short."""
    for model in MODELS.values():
        with contextlib.suppress(DecodeError):
            said = reports.decode(model, data)
            if isinstance(said, Levels):
                assert all(1 <= a <= model.columns and 1 <= b <= model.rows for a, b in said.down)
                assert len(data) >= 2 + model.columns
    places = frozenset({(1, 0), (2, 7), (5, 3)})
    for id in (None, 1):
        for inverted in (False, True):
            with contextlib.suppress(DecodeError):
                down = Box(id, places, inverted).decode(data)
                assert down is None or (down <= places and len(data) > 5)


def input_events(data: bytes) -> None:
    """The same frames whole and in pieces; every change in them is an event that was there."""
    found = EventDecoder().feed(data)
    decoder = EventDecoder()
    assert [it for at in range(0, len(data), PIECE) for it in decoder.feed(data[at : at + PIECE])] == found
    there = Counter(
        (code, value) for _, _, kind, code, value in EVENT.iter_unpack(data[: len(data) - len(data) % EVENT.size])
    )
    said = Counter((change.code, int(change.down)) for frame in found for change in frame.changes)
    assert said <= there


def typed(data: bytes) -> None:
    """A number that was typed is made of the keys that were, in their order, and has the length that it has to have."""
    for length in (0, 4):
        typist = Typist(0.3, length)
        now, keys = 0.0, 0
        for code, pause in zip(data[::2], data[1::2], strict=False):
            now += pause / 256
            keys += code not in ENDS
            for it in typist.down(code, now):
                if isinstance(it, Typed):
                    assert it.number.isalnum()
                    assert 1 <= len(it.number) <= keys
                    assert not length or len(it.number) == length
                    assert all(f"KEY_{character}" in KEYS for character in it.number)


def buttons(data: bytes) -> None:
    """A button that was pressed comes up before it is pressed again, and what is stuck is down and freed once."""
    it = Buttons(stuck_s=1.0)
    down: set[str] = set()
    stuck = False
    now = 0.0
    for said, pause in zip(data[::2], data[1::2], strict=False):
        now += pause / 1000 if pause < 250 else 2.0
        for act in it.level(f"key {said >> 1 & 3}", bool(said & 1), now):
            match act:
                case Pressed(key):
                    assert key not in down
                    down.add(key)
                case Released(key):
                    assert key in down
                    down.remove(key)
                case Stuck(key):
                    assert key in down
                    stuck = True
                case Freed():
                    assert stuck
                    stuck = False
        assert bool(it.stuck) is stuck
        assert set(it.stuck) <= down


def ports(data: bytes) -> None:
    """Any text is a port, or a `ValueError` says what is wrong with it."""
    text = data.decode("utf-8", "replace")
    parsers: tuple[Callable[[str], object], ...] = (serial_port.parse, usb_address.parse, files.parse)
    for parse, scheme in zip(parsers, ("serial:", "usb:", "evdev:"), strict=True):
        for port in (text, scheme + text):
            with contextlib.suppress(ValueError):
                parse(port)
    for first, columns, rows in ((1, 10, 8), (0, 64, 8)):
        with contextlib.suppress(ValueError):
            found = reports.places(text, first, columns, rows)
            assert found
            assert len(set(found.values())) == len(found)


TARGETS: Final[tuple[Callable[[bytes], None], ...]] = (
    osdp_stream,
    osdp_contents,
    osdp_panel,
    osdp_reader,
    hid_report,
    input_events,
    typed,
    buttons,
    ports,
)
