"""Reports of button panels as bytes, and what they mean; pure.

X-keys, as P.I. Engineering documents them for the second generation (here without the report id 0, which USB does not
carry)::

    input   unit id | data type | column 1 | column 2 | …            bit 0 of a column is its uppermost button
            data type: bit 0 the program switch, bit 1 set in the answer to «generate»; above 3 another kind of report
            unit id | 214 | mode | … | byte 9 lamps | byte 10 version | bytes 11, 12 product (little-endian)
    output  177                           generate: say the buttons as they are now
            179 | lamp | 0, 1, 2          indicator 6 (green) or 7 (red) off, on, flashing
            180 | 1 to 255                flash interval, 255 about four seconds
            181 | lamp | 0, 1, 2          backlight off, on, flashing; lamp = 8 * column + row from 0, then bank 2
            182 | bank | 0 or 255         all backlights of bank 0 or 1 off or on
            214                           describe yourself
            all filled up with zeros to 35 bytes
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from tablectl.errors import DecodeError

__all__ = [
    "GREEN",
    "MODELS",
    "RED",
    "Box",
    "Described",
    "LampState",
    "Levels",
    "Model",
    "Place",
    "Report",
    "all_off",
    "backlight",
    "decode",
    "describe",
    "flash_interval",
    "generate",
    "indicator",
    "places",
]

VENDOR: Final = 0x05F3
GREEN: Final = 6
RED: Final = 7
_OUTPUT_BYTES: Final = 35
_DESCRIPTION: Final = 214
_PLACE: Final = re.compile(r"([^\s=]+)=([0-9]{1,4})\.([0-9]{1,4})")

Place: TypeAlias = tuple[int, int]
"""Where a button is: column and row from 1 on an X-keys, byte and bit from 0 in the report of any other box."""


class LampState(IntEnum):
    """What a lamp does."""

    OFF = 0
    ON = 1
    FLASHING = 2


@dataclass(frozen=True, slots=True)
class Model:
    """One model of X-keys: its grid of buttons and where its second bank of backlights begins."""

    name: str
    columns: int
    rows: int
    bank: int


_XK24: Final = Model("XK-24", 4, 6, 32)
_XK60: Final = Model("XK-60", 10, 8, 80)
_XK80: Final = Model("XK-80", 10, 8, 80)

MODELS: Final[Mapping[int, Model]] = {
    **dict.fromkeys((1027, 1028, 1029), _XK24),
    **dict.fromkeys((1121, 1123, 1231, 1234), _XK60),
    **dict.fromkeys((1089, 1091, 1217, 1220), _XK80),
}
"""Models by product number; each has several, for what else it pretends to be beside the panel."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The buttons that are down; `generated` in the answer to `generate`, which says how things stand."""

    unit: int
    generated: bool
    down: frozenset[Place]


@dataclass(frozen=True, slots=True)
class Described:
    """What an X-keys says of itself."""

    unit: int
    version: int
    product: int


Report: TypeAlias = Levels | Described


def decode(model: Model, report: bytes) -> Report | None:
    """What an X-keys says; None for a report of another kind. `DecodeError` when it is too short for what it says."""
    if len(report) < 2:
        raise DecodeError(f"a report of {len(report)} bytes: expected unit id and data type at least")
    unit, kind = report[0], report[1]
    if kind == _DESCRIPTION:
        if len(report) < 13:
            raise DecodeError(f"a description of {len(report)} bytes: expected 13 at least")
        return Described(unit, report[10], int.from_bytes(report[11:13], "little"))
    if kind > 3:
        return None
    columns = report[2 : 2 + model.columns]
    if len(columns) < model.columns:
        raise DecodeError(f"a report of {len(report)} bytes: expected {2 + model.columns} of an {model.name} at least")
    down = frozenset(
        (column, row)
        for column, bits in enumerate(columns, 1)
        for row in range(1, model.rows + 1)
        if bits >> (row - 1) & 1
    )
    return Levels(unit, bool(kind & 2), down)


def generate() -> bytes:
    """Ask for the buttons as they are now."""
    return _output(177)


def describe() -> bytes:
    """Ask what it is."""
    return _output(_DESCRIPTION)


def indicator(lamp: int, state: LampState) -> bytes:
    """Set `GREEN` or `RED`, which are beside the buttons."""
    return _output(179, lamp, state)


def flash_interval(value: int) -> bytes:
    """Set how fast whatever flashes does, 1 to 255 of about 16 ms."""
    return _output(180, value)


def backlight(model: Model, place: Place, state: LampState) -> bytes:
    """Set the light of one button, in the first bank, which is blue."""
    column, row = place
    return _output(181, 8 * (column - 1) + row - 1, state)


def all_off() -> list[bytes]:
    """Put out the lights of all buttons, in both banks."""
    return [_output(182, bank, 0) for bank in (0, 1)]


def _output(*values: int) -> bytes:
    return bytes(values).ljust(_OUTPUT_BYTES, b"\0")


@dataclass(frozen=True, slots=True)
class Box:
    """A box of buttons by description: `id` is the first byte of its reports, None when they have no id.

    `places` are byte and bit from 0, the id counted as byte 0 where there is one; `inverted`: a bit is 0 when the
    button is down.
    """

    id: int | None
    places: frozenset[Place]
    inverted: bool = False

    def decode(self, report: bytes) -> frozenset[Place] | None:
        """The buttons that are down; None for a report with another id. `DecodeError` when it is too short."""
        if self.id is not None and report[:1] != bytes((self.id,)):
            return None
        need = 1 + max(byte for byte, _ in self.places)
        if len(report) < need:
            raise DecodeError(f"a report of {len(report)} bytes: expected {need} at least")
        return frozenset((byte, bit) for byte, bit in self.places if (report[byte] >> bit & 1) != self.inverted)


def places(text: str, first: int, columns: int, rows: int) -> dict[str, Place]:
    """The buttons that ``bet=1.3 fold=2.3 …`` names, each two numbers from `first`; `ValueError` says what is wrong."""
    found: dict[str, Place] = {}
    for word in text.split():
        match = _PLACE.fullmatch(word)
        place = (int(match[2]), int(match[3])) if match else (-1, -1)
        if match is None or not (0 <= place[0] - first < columns and 0 <= place[1] - first < rows):
            ranges = f"A from {first} to {first + columns - 1} and B from {first} to {first + rows - 1}"
            raise ValueError(f"{word!r} names no button: expected KEY=A.B, {ranges}")
        if match[1] in found or place in found.values():
            raise ValueError(f"{word!r}: this key or this button is there twice: expected each once")
        found[match[1]] = place
    if not found:
        raise ValueError("no buttons are named: expected KEY=A.B for each, such as bet=1.3 fold=2.3")
    return found
