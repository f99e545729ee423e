"""Reports as bytes: what the maker documents, and whatever else may come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.errors import DecodeError
from tablectl_drivers.hid import reports
from tablectl_drivers.hid.reports import MODELS, Box, Described, LampState, Levels, decode, places

XK24, XK80 = MODELS[0x0405], MODELS[1089]


def test_the_models_by_product_number() -> None:
    assert {product: MODELS[product].name for product in (1027, 1029, 1121, 1123, 1089, 1091)} == {
        1027: "XK-24",
        1029: "XK-24",
        1121: "XK-60",
        1123: "XK-60",
        1089: "XK-80",
        1091: "XK-80",
    }


def test_buttons_by_column_and_row() -> None:
    report = bytes.fromhex("07 00 01 00 20 04") + bytes(26)
    assert decode(XK24, report) == Levels(7, False, frozenset({(1, 1), (3, 6), (4, 3)}))


def test_the_program_switch_is_no_button_and_does_not_hide_the_answer() -> None:
    assert decode(XK24, bytes.fromhex("00 03 00 00 00 00") + bytes(26)) == Levels(0, True, frozenset())


def test_bits_below_the_last_row_are_no_buttons() -> None:
    assert decode(XK24, bytes.fromhex("00 00 c0 c0 c0 c0")) == Levels(0, False, frozenset())
    assert decode(XK80, bytes(2) + b"\x80" * 10) == Levels(0, False, frozenset((column, 8) for column in range(1, 11)))


def test_its_description() -> None:
    report = bytes.fromhex("01 d6 02 00 00 23 20 04 06 c0 11 05 04") + bytes(19)
    assert decode(XK24, report) == Described(1, 17, 0x0405)


def test_other_reports_are_none_of_ours() -> None:
    assert decode(XK24, bytes((0, 193)) + bytes(30)) is None


@pytest.mark.parametrize("report", [b"", b"\0", bytes(5), bytes((0, 214, 0, 0))])
def test_a_report_that_is_too_short(report: bytes) -> None:
    with pytest.raises(DecodeError, match="expected"):
        decode(XK24, report)


def test_commands_as_documented() -> None:
    assert reports.generate() == bytes((177,)) + bytes(34)
    assert reports.describe() == bytes((214,)) + bytes(34)
    assert reports.indicator(reports.GREEN, LampState.ON)[:4] == bytes((179, 6, 1, 0))
    assert reports.backlight(XK24, (1, 1), LampState.ON)[:4] == bytes((181, 0, 1, 0))
    assert reports.backlight(XK24, (4, 6), LampState.FLASHING)[:4] == bytes((181, 29, 2, 0))
    assert reports.backlight(XK80, (10, 8), LampState.OFF)[:4] == bytes((181, 79, 0, 0))
    assert [report[:3] for report in reports.all_off()] == [bytes((182, 0, 0)), bytes((182, 1, 0))]
    assert reports.flash_interval(30)[:2] == bytes((180, 30))


@given(st.sampled_from(sorted(MODELS)), st.binary(max_size=40))
def test_whatever_comes_is_understood_dropped_or_refused(product: int, report: bytes) -> None:
    model = MODELS[product]
    try:
        understood = decode(model, report)
    except DecodeError:
        return
    if isinstance(understood, Levels):
        assert report[1] <= 3
        rebuilt = bytearray(model.columns)
        for column, row in understood.down:
            assert 1 <= row <= model.rows
            rebuilt[column - 1] |= 1 << (row - 1)
        mask = (1 << model.rows) - 1
        assert bytes(rebuilt) == bytes(bits & mask for bits in report[2 : 2 + model.columns])


def test_a_box_by_description() -> None:
    box = Box(None, frozenset({(0, 0), (1, 7)}))
    assert box.decode(b"\x01\x00") == frozenset({(0, 0)})
    assert box.decode(b"\xfe\xff") == frozenset({(1, 7)})
    assert Box(None, frozenset({(0, 0), (1, 7)}), inverted=True).decode(b"\x01\x00") == frozenset({(1, 7)})
    with pytest.raises(DecodeError, match="expected 2 at least"):
        box.decode(b"\x01")


def test_a_box_with_report_ids() -> None:
    box = Box(2, frozenset({(1, 0)}))
    assert box.decode(b"\x02\x01") == frozenset({(1, 0)})
    assert box.decode(b"\x01\x01") is None
    assert box.decode(b"") is None


PLACES = st.frozensets(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1)


@given(st.none() | st.integers(0, 255), PLACES, st.booleans(), st.binary(max_size=12))
def test_a_box_takes_anything(
    report_id: int | None, of: frozenset[tuple[int, int]], inverted: bool, report: bytes
) -> None:
    try:
        down = Box(report_id, of, inverted).decode(report)
    except DecodeError:
        return
    assert down is None or down <= of


def test_places_of_keys() -> None:
    assert places("bet=1.3  fold=4.6", 1, 4, 6) == {"bet": (1, 3), "fold": (4, 6)}
    assert places("bet=0.0 fold=63.7", 0, 64, 8) == {"bet": (0, 0), "fold": (63, 7)}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no buttons are named"),
        ("bet", "'bet' names no button"),
        ("bet=1.0", "A from 1 to 4 and B from 1 to 6"),
        ("bet=5.1", "names no button"),
        ("bet=1.1 bet=1.2", "is there twice"),
        ("bet=1.1 fold=1.1", "is there twice"),
        ("bet=²", "names no button"),
    ],
)
def test_places_that_cannot_be(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match="expected") as refusal:
        places(text, 1, 4, 6)
    assert problem in str(refusal.value)
