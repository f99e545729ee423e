"""The bytes and tables printed in drivers/PROTOCOL.md are those of the code."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest

from tablectl.cards import JOKER, FaceDown, card
from tablectl.equipment import (
    ANSWERS,
    AwardRecorded,
    BadgeUnreadable,
    BatchInserted,
    Capability,
    CardLeft,
    CardPresent,
    CardsEjected,
    Command,
    DeckRead,
    DeviceState,
    DiceAge,
    DiceRead,
    Die,
    DieLies,
    DispenseStack,
    DoorMoved,
    DrawNumber,
    EjectCards,
    Fault,
    HoleCardRead,
    HoleCardUnread,
    KeyReleased,
    Kind,
    Lamp,
    LateWager,
    LockedOut,
    LockOut,
    LowerMeter,
    Message,
    Meter,
    MeterLowered,
    MeterReason,
    MeterRules,
    Mode,
    NewDice,
    NumberDrawn,
    OpenWagers,
    ReadDice,
    ReadHoleCard,
    ReadMeter,
    RecordAward,
    ReturnWagers,
    SeatLight,
    SeatSensor,
    SelfTest,
    SelfTested,
    SetSeatLights,
    Shaken,
    ShowPrompt,
    StackTaken,
    StartShuffle,
    WagersOpened,
    WagerSpot,
    WagersReturned,
    WinLight,
)
from tablectl.money import ZERO, dollars
from tablectl_drivers.link import device, frames, framing, host
from tablectl_drivers.link import payloads as payloads_module
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
from tablectl_drivers.link.payloads import (
    CAPABILITY,
    COMMANDS,
    FAULT,
    KIND,
    LAMP,
    LIES,
    LIGHT,
    MESSAGES,
    METER_REASON,
    MODE,
    vocabulary,
)

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
    ("DESCRIBE in version 1", 0x1A2B, Describe(BOOT, 1, 1, Kind.PANEL, "Old panel", "P-1", "0.9", ())),
    ("HELLO in version 1", 0x1A2B, Hello(None, 0)),
]
OLD = MEANING[-3:]  # these are in version 1


def payloads(heading: str) -> list[bytes]:
    """The hexadecimal payloads of the block below that heading; what follows two blanks is their meaning."""
    block = re.search(rf"^{re.escape(heading)}[^\n]*\n\n```\n(.*?)```", TEXT, re.MULTILINE | re.DOTALL)
    assert block is not None
    found = re.findall(r"^((?:[0-9A-F]{2} )*[0-9A-F]{2})(?: |$)", block[1], re.MULTILINE)
    return [bytes.fromhex(it) for it in found]


SAID: list[Message] = [
    KeyReleased("bet"),
    BadgeUnreadable(),
    CardPresent(True),
    HoleCardRead(4712, True),
    HoleCardUnread(4712, Fault.UNREADABLE),
    SelfTested(4712, False, "lamp"),
    DeckRead(4712, 52, (card("Qc"),), (card("Jc"),), 0, "red", 1, 7),
    BatchInserted(8, 52),
    CardsEjected(4712, 16),
    DoorMoved(True),
    SeatSensor(3, True),
    WagersOpened(4712),
    LockedOut(4712, (1, 3)),
    LateWager(5, True),
    WagersReturned(4712, (1, 3)),
    MeterRules(dollars("1000.00"), dollars("500.00"), dollars("10000.00"), 200_000, 50_000),
    Meter(0, dollars("1000.20"), dollars("1.00"), 0, ZERO, ZERO, dollars("0.05"), dollars("1000.00"), ZERO),
    AwardRecorded(4712, 3, dollars("1000.20"), dollars("500.00")),
    MeterLowered(4712, MeterReason.CORRECTION, dollars("0.20"), dollars("1000.00")),
    WinLight(3, True),
    Shaken(3),
    DiceRead(
        4712,
        3,
        (Die(5, 99, DieLies.FLAT), Die(2, 60, DieLies.COCKED), Die(None, 0, DieLies.OFF_TABLE)),
    ),
    DiceAge(0, 86_400, 42),
    NumberDrawn(4712, 7),
]
TOLD: list[Command] = [
    StartShuffle(),
    ReadHoleCard(),
    SelfTest(),
    EjectCards(),
    SetSeatLights((SeatLight.LOCKED, SeatLight.NONE, SeatLight.AWAITING)),
    OpenWagers(),
    LockOut(),
    ReturnWagers(),
    ReadMeter(),
    RecordAward(3, dollars("1000.20"), True),
    LowerMeter(MeterReason.SEED_RECOVERY, dollars("0.05")),
    ReadDice(),
    NewDice(),
    DrawNumber(1, 7),
]


def test_every_example_has_its_meaning_here() -> None:
    assert len(EXAMPLES) == len(MEANING) == 17


@pytest.mark.parametrize(
    ("printed", "meaning"), list(zip(payloads("Payloads of the other messages"), SAID, strict=True))
)
def test_worked_messages(printed: bytes, meaning: Message) -> None:
    assert MESSAGES.decode(printed) == meaning
    assert MESSAGES.encode(meaning) == printed


@pytest.mark.parametrize(
    ("printed", "meaning"), list(zip(payloads("Payloads of the other commands"), TOLD, strict=True))
)
def test_worked_commands(printed: bytes, meaning: Command) -> None:
    assert COMMANDS.decode(printed) == meaning
    assert COMMANDS.encode(meaning) == printed


def test_versions() -> None:
    for row in table("| version | messages |"):
        version, messages, commands, capabilities, modes, faults = row
        speech = vocabulary(int(version))
        assert f"01-{max(speech.messages._by_byte):02X}" == messages
        assert f"01-{max(speech.commands._by_byte):02X}" == commands
        assert f"1-{len(speech.capabilities)}" == capabilities
        last = payloads_module._LASTS[int(version)]
        assert (f"1-{last.mode}", f"1-{last.fault}") == (modes, faults)


def test_answers() -> None:
    """Section 7 names the answers of each actuation."""
    section = re.sub(
        r"\s+", " ", TEXT.split("An actuation is answered by exactly one message")[1].split("What else")[0]
    )
    named = {
        int(number, 16): set(re.findall(r"\*([^*]+)\*", names))
        for number, names in re.findall(r"([0-9A-F]{2}) by ((?:\*[^*]+\*(?: or )?)+)", section)
    }
    words = {int(row[0], 16): row[1] for row in table("| type | message |")}
    expected = {
        COMMANDS._by_class[actuation][0]: {words[MESSAGES._by_class[answer][0]] for answer in answers}
        for actuation, answers in ANSWERS.items()
    }
    assert named == expected


@pytest.mark.parametrize(("example", "meaning"), list(zip(EXAMPLES, MEANING, strict=True)))
def test_worked_bytes(example: tuple[str, str], meaning: tuple[str, int, Frame]) -> None:
    title, printed = example
    begins, session, content = meaning
    assert title.startswith(begins)
    wire = bytes.fromhex(printed)
    (body,) = Decoder().feed(wire, 0.0)
    version = 1 if meaning in OLD else 2
    assert body[0] == version
    assert frames.decode(body, version) == (session, content)
    assert frames.encode(session, content, version) == wire


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
    codes_are("| code | kind |", column, values, form)


@pytest.mark.parametrize(
    ("column", "values", "form"), [(1, SeatLight, LIGHT), (2, DieLies, LIES), (3, MeterReason, METER_REASON)]
)
def test_more_codes(column: int, values: type[StrEnum], form: Form[StrEnum]) -> None:
    codes_are("| code | seat light |", column, values, form)


def codes_are(heading: str, column: int, values: type[StrEnum], form: Form[StrEnum]) -> None:
    """A column of a table has the names and numbers of an enumeration."""
    rows = table(heading)
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
    [
        ("| type | from |", frames._FRAMES[frames.VERSION]),
        ("| type | message |", MESSAGES),
        ("| type | command |", COMMANDS),
    ],
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
