"""The bytes and tables printed in drivers/PROTOCOL.md are those of the code."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest

from tablectl.cards import JOKER, FaceDown, card
from tablectl.equipment import (
    Capability,
    CardLeft,
    DeviceState,
    DispenseStack,
    Fault,
    Kind,
    Lamp,
    Mode,
    ShowPrompt,
    StackTaken,
    WagerSpot,
)
from tablectl.money import dollars
from tablectl_drivers.link import device, frames, framing, host
from tablectl_drivers.link.frames import (
    Acknowledge,
    Answer,
    Describe,
    Event,
    Frame,
    Hello,
    NoSession,
    Order,
    Ping,
    Pong,
    Status,
)
from tablectl_drivers.link.framing import Decoder
from tablectl_drivers.link.layout import Family, Form
from tablectl_drivers.link.payloads import CAPABILITY, COMMANDS, FAULT, KIND, LAMP, MESSAGES, MODE

TEXT = (Path(__file__).parents[2] / "drivers" / "PROTOCOL.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^(?P<title>\S[^\n]*):\n\n    (?P<bytes>[0-9A-F ]+)$", TEXT, re.MULTILINE)

BOOT = 0xC0FFEE01
STACK = (FaceDown(card("2c")), FaceDown(None), FaceDown(JOKER), FaceDown(card("Th")))
PROMPT = ShowPrompt("Seat 3: bet or fold?", ("bet", "fold"), ("bet",), True)
MEANING: list[tuple[str, int, Frame]] = [
    ("HELLO of a host that knows nothing", 0x1A2B, Hello(None, 0)),
    ("HELLO of a host that has committed", 0x1A2B, Hello(BOOT, 7)),
    (
        "DESCRIBE",
        0x1A2B,
        Describe(BOOT, 1, 1, Kind.SHOE, "Sample shoe", "S-42", "1.0", (Capability.READS,)),
    ),
    (
        "EVENT 1, state",
        0x1A2B,
        Event(1, 0, MESSAGES.encode(DeviceState(Mode.READY, Lamp.GREEN, False, None, False, None))),
    ),
    ("EVENT 2, the first card", 0x1A2B, Event(2, 0, MESSAGES.encode(CardLeft(1, FaceDown(card("As")), False)))),
    ("ACK, committed 2", 0x1A2B, Acknowledge(2, 2, False)),
    ("COMMAND 4711", 0x1A2B, Order(4711, COMMANDS.encode(DispenseStack(3)))),
    ("ANSWER to command 4711, accepted", 0x1A2B, Answer(4711, Status.ACCEPTED, "")),
    ("ANSWER to command 4711, refused", 0x1A2B, Answer(4711, Status.REFUSED, "stack waiting")),
    ("EVENT 3, the stack", 0x1A2B, Event(3, 0, MESSAGES.encode(StackTaken(4711, STACK, (1,))))),
    (
        "EVENT 4, 10.00",
        0x1A2B,
        Event(4, 0, MESSAGES.encode(WagerSpot(3, "pair_plus", True, dollars("10.00")))),
    ),
    ("COMMAND 4712", 0x1A2B, Order(4712, COMMANDS.encode(PROMPT))),
    ("PING", 0x1A2B, Ping(1, 2, 3)),
    ("PONG", 0x1A2B, Pong(1)),
    ("NO SESSION", 0, NoSession(BOOT)),
]


def test_every_example_has_its_meaning_here() -> None:
    assert len(EXAMPLES) == len(MEANING) == 15


@pytest.mark.parametrize(("example", "meaning"), list(zip(EXAMPLES, MEANING, strict=True)))
def test_worked_bytes(example: tuple[str, str], meaning: tuple[str, int, Frame]) -> None:
    title, printed = example
    begins, session, content = meaning
    assert title.startswith(begins)
    wire = bytes.fromhex(printed)
    (body,) = Decoder().feed(wire, 0.0)
    assert frames.decode(body) == (session, content)
    assert frames.encode(session, content) == wire


NAMES = {"hole-card reader": "card reader", "progressive system": "progressive", "random number generator": "rng"}


def table(heading: str) -> list[list[str]]:
    """The rows of the table with that first line."""
    rows = re.search(rf"^{re.escape(heading)}.*\n\| -.*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    assert rows is not None
    return [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows[1].splitlines()]


@pytest.mark.parametrize(
    ("column", "values", "form"),
    [(1, Kind, KIND), (2, Capability, CAPABILITY), (3, Mode, MODE), (4, Lamp, LAMP), (5, Fault, FAULT)],
)
def test_codes(column: int, values: type[StrEnum], form: Form[StrEnum]) -> None:
    rows = table("| code | kind |")
    printed = {int(row[0]): NAMES.get(row[column], row[column]).replace("-", " ") for row in rows if row[column]}
    written = {}
    for value in values:
        out = bytearray()
        form.put(out, value)
        written[out[0]] = value.replace("_", " ")
    assert {number: name.removesuffix(" sensors") for number, name in printed.items()} == {
        number: name.removesuffix(" sensors") for number, name in written.items()
    }


@pytest.mark.parametrize(
    ("heading", "family"),
    [("| type | from |", frames._FRAMES), ("| type | message |", MESSAGES), ("| type | command |", COMMANDS)],
)
def test_types(heading: str, family: Family[object]) -> None:
    assert {int(row[0], 16) for row in table(heading)} == set(family._by_byte)


def test_figures() -> None:
    section = TEXT.split("## 11")[1]
    figures = dict(re.findall(r"^\| ([a-zA-Z ]+) \| (?:at least )?([\d.]+(?: m?s)?)", section, re.MULTILINE))
    assert figures["longest body"] == str(framing.LONGEST_BODY)
    assert figures["frame given up without a further byte"] == f"{framing.PARTIAL_S * 1000:.0f} ms"
    assert figures["HELLO repeated"] == f"{frames.HELLO_S * 1000:.0f} ms"
    assert figures["PING"] == f"{frames.HEARTBEAT_S:.0f} s"
    assert figures["either end lost"] == f"{frames.LOST_S:.0f} s"
    assert figures["event sent again"] == f"{frames.RESEND_S * 1000:.0f} ms"
    assert figures["command sent again"] == f"{frames.RESEND_S * 1000:.0f} ms"
    assert figures["window"] == str(frames.WINDOW)
    assert int(figures["events kept by a device"]) <= device.EVENTS_KEPT
    assert figures["actuations remembered by a device"] == str(device.COMMANDS_KEPT)
    assert "given up after 2 s" in section
    assert host.COMMAND_S == 2.0
