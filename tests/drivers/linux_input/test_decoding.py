"""What is read from a device file and what is typed, without any device; numbers are those of the kernel's headers."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl_drivers.driving import WrongDevice
from tablectl_drivers.linux_input import codes, files
from tablectl_drivers.linux_input.files import Address, Facts, SystemFiles, parse
from tablectl_drivers.linux_input.frames import EV_KEY, EV_SYN, SYN_DROPPED, Change, Decoder, Frame, encode
from tablectl_drivers.linux_input.typist import Spoiled, Typed, Typist

END = encode(5.0, EV_SYN, 0, 0)
EVENTS = st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 3))


def press(code: int, value: int = 1) -> bytes:
    return encode(5.0, EV_KEY, code, value)


def test_numbers_of_the_kernel() -> None:
    expected = {"KEY_ESC": 1, "KEY_A": 30, "KEY_Z": 44, "KEY_0": 11, "KEY_ENTER": 28, "KEY_F10": 68, "KEY_F12": 88}
    expected |= {"KEY_KP0": 82, "KEY_KPENTER": 96, "KEY_DELETE": 111, "KEY_F13": 183, "KEY_F24": 194}
    expected |= {"BTN_0": 0x100, "BTN_SOUTH": 0x130, "BTN_TRIGGER_HAPPY40": 0x2E7, "KEY_MACRO30": 0x2AD}
    assert {name: codes.KEYS[name] for name in expected} == expected
    assert (codes.LAMPS["LED_NUML"], codes.LAMPS["LED_CHARGING"]) == (0, 10)
    assert [files._request(2, number, size) for number, size in ((0x02, 8), (0x06, 256), (0x18, 96))] == [
        0x80084502,
        0x81004506,
        0x80604518,
    ]
    assert [files._request(1, number, 4) for number in (0x90, 0xA0)] == [0x40044590, 0x400445A0]


def test_frames() -> None:
    decoder = Decoder()
    assert decoder.feed(press(30) + press(48, 0)) == []
    assert decoder.feed(END) == [Frame(5.0, (Change(30, True), Change(48, False)))]
    assert decoder.feed(press(30, 2) + END) == []  # held on
    assert decoder.feed(encode(5.0, EV_SYN, SYN_DROPPED, 0) + press(1) + END + press(2) + END) == [
        Frame(5.0, (), True),
        Frame(5.0, (Change(2, True),)),
    ]
    assert press(30) == struct.pack("@qqHHi", 5, 0, 1, 30, 1)


@given(st.lists(EVENTS, max_size=30), st.integers(1, 50))
def test_frames_are_the_same_in_whatever_pieces_they_come(events: list[tuple[int, int, int]], cut: int) -> None:
    data = b"".join(encode(1.5, *event) for event in events) + END
    decoder = Decoder()
    pieces = [frame for at in range(0, len(data), cut) for frame in decoder.feed(data[at : at + cut])]
    assert pieces == Decoder().feed(data)
    told = [change for frame in pieces for change in frame.changes]
    assert len(told) <= sum(kind == EV_KEY and value in (0, 1) for kind, _, value in events)


@given(st.lists(st.binary(max_size=100), max_size=8))
def test_no_bytes_make_it_fail(pieces: list[bytes]) -> None:
    decoder = Decoder()
    for piece in pieces:
        decoder.feed(piece)


# Typing ---------------------------------------------------------------------------------------------------------------


def keys(text: str) -> list[int]:
    return [codes.KEYS[f"KEY_{name}"] for name in text.split()]


@pytest.mark.parametrize(
    ("typed", "length", "expected"),
    [
        ("0 0 4 7 1 1 ENTER", 0, Typed("004711")),
        ("KP4 KP7 KPENTER", 0, Typed("47")),
        ("LEFTSHIFT A 1 ENTER", 0, Typed("A1")),
        ("1 2 3 4 ENTER", 4, Typed("1234")),
        ("1 2 3 ENTER", 4, Spoiled("3 characters were typed, expected 4")),
        ("1 DOT 2 ENTER", 0, Spoiled("what was typed was not letters and digits alone, or none, or too many")),
        ("ENTER", 0, Spoiled("what was typed was not letters and digits alone, or none, or too many")),
        ("1 " * 65 + "ENTER", 0, Spoiled("what was typed was not letters and digits alone, or none, or too many")),
    ],
)
def test_a_number_is_what_comes_before_enter(typed: str, length: int, expected: Typed | Spoiled) -> None:
    typist = Typist(0.3, length)
    assert [it for code in keys(typed) for it in typist.down(code, 1.0)] == [expected]
    assert typist.deadline() == float("inf")


def test_a_pause_spoils_a_number() -> None:
    typist = Typist(0.3)
    for at, code in enumerate(keys("1 2 3")):
        assert typist.down(code, 1.0 + at * 0.2) == []
    assert typist.deadline() == pytest.approx(1.7)
    assert typist.tick(1.69) == []
    assert typist.down(codes.KEYS["KEY_4"], 1.8) == [Spoiled("what was typed had no end")]
    assert typist.down(codes.KEYS["KEY_ENTER"], 1.9) == [Typed("4")]


@given(st.lists(st.tuples(st.integers(0, 100), st.floats(0, 0.5)), max_size=40))
def test_every_number_was_typed(typed: list[tuple[int, float]]) -> None:
    typist, now, characters = Typist(0.3), 0.0, ""
    for code, pause in typed:
        now += pause
        characters += codes.CHARACTERS.get(code, "")
        for it in typist.down(code, now):
            assert isinstance(it, Spoiled) or (it.number and characters.endswith(it.number))


# Where devices are found ----------------------------------------------------------------------------------------------


def test_addresses() -> None:
    assert parse("evdev:by-id/usb-Box-event-kbd") == Address(Path("/dev/input/by-id/usb-Box-event-kbd"))
    assert parse("evdev:?vendor=1209&product=0b0c").attributes == (("vendor", "1209"), ("product", "0b0c"))


@pytest.mark.parametrize(
    ("port", "problem"),
    [
        ("usb:1:2", "no port of this driver"),
        ("evdev:", "or neither"),
        ("evdev:by-id/x?name=y", "a path and attributes"),
        ("evdev:?", "no attribute"),
        ("evdev:?colour=red", "colour=red"),
        ("evdev:?name=", "each with a value"),
        ("evdev:?vendor=12", "four hexadecimal digits"),
        ("evdev:?name=a&name=b", "one twice"),
    ],
)
def test_addresses_that_cannot_be(port: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse(port)


def test_a_device_is_found_by_what_the_system_knows_of_it(tmp_path: Path) -> None:
    for number, name in enumerate(("Keyboard", "Button box", "Button box")):
        device = tmp_path / f"event{number}" / "device"
        (device / "id").mkdir(parents=True)
        (device / "name").write_text(f"{name}\n")
        (device / "phys").write_text(f"usb-1/input{number}\n")
        (device / "id" / "vendor").write_text("1209\n")
        (device / "id" / "product").write_text("0b0c\n")
    here = SystemFiles(tmp_path, Path("/dev/input"))
    assert here.find(parse("evdev:?name=Keyboard&vendor=1209")) == Path("/dev/input/event0")
    assert here.find(parse("evdev:?name=Button box&phys=usb-1/input2")) == Path("/dev/input/event2")
    with pytest.raises(FileNotFoundError, match="no input device with uniq 7"):
        here.find(parse("evdev:?uniq=7"))
    with pytest.raises(WrongDevice, match=r"event1, /dev/input/event2\): say which"):
        here.find(parse("evdev:?name=Button box"))


def test_a_file_that_is_no_input_device_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "event0"
    path.touch()
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        SystemFiles().open(path)


def test_facts_and_attributes() -> None:
    facts = Facts("Box", "usb-1/input0", "", 0x1209, 0xB0C)
    assert facts.ids == "1209:0b0c"
    assert Address(None, (("name", "Box"), ("product", "0b0c"))).fits(facts)
    assert not Address(None, (("uniq", "7"),)).fits(facts)
