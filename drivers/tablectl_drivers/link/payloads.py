"""Messages and commands as bytes: the tables of their type bytes, fields and codes.

A card is one byte: suit (0 clubs, 1 diamonds, 2 hearts, 3 spades) times 16 plus rank (2 to 14), hexadecimal 40 for the
joker, 00 for a card without identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.cards import JOKER, Card, FaceDown, deck
from tablectl.equipment import (
    Badge,
    Capability,
    CardLeft,
    CardScanned,
    CardUnreadable,
    Command,
    DeviceState,
    DispenseStack,
    Fault,
    KeyPressed,
    Kind,
    Lamp,
    Message,
    Mode,
    ShowPrompt,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    StartShuffle,
    WagerSpot,
)
from tablectl.errors import DecodeError
from tablectl_drivers.link.layout import BOOL, TEXT, U8, U16, U64, Family, Form, Reader, code, listed, optional

__all__ = ["CAPABILITY", "COMMANDS", "FAULT", "KIND", "LAMP", "MESSAGES", "MODE"]

KIND: Final = code(
    {
        Kind.PANEL: 1,
        Kind.SHOE: 2,
        Kind.SHUFFLER: 3,
        Kind.WAGER_SENSORS: 4,
        Kind.CARD_SCANNER: 5,
        Kind.CREDENTIAL_READER: 6,
        Kind.CARD_READER: 7,
        Kind.PROGRESSIVE: 8,
        Kind.EXTRA_ROLL: 9,
        Kind.SHAKER: 10,
        Kind.RNG: 11,
    }
)
CAPABILITY: Final = code(
    {
        Capability.AMOUNTS: 1,
        Capability.READS: 2,
        Capability.DISPENSES: 3,
        Capability.COUNTS: 4,
        Capability.IDENTIFIES: 5,
        Capability.CONTINUOUS: 6,
        Capability.CARD_KEYS: 7,
        Capability.DIGITS: 8,
    }
)
MODE: Final = code({Mode.READY: 1, Mode.BUSY: 2, Mode.SERVICE: 3, Mode.SORT: 4, Mode.UNKNOWN: 5})
LAMP: Final = code({Lamp.NONE: 1, Lamp.GREEN: 2, Lamp.YELLOW: 3, Lamp.RED: 4, Lamp.UNKNOWN: 5})
FAULT: Final = code(
    {
        Fault.LOST: 1,
        Fault.JAM: 2,
        Fault.INCOMPLETE: 3,
        Fault.WRONG_COUNT: 4,
        Fault.WRONG_MODE: 5,
        Fault.RED_LIGHT: 6,
        Fault.TAMPER: 7,
        Fault.SWAPPED: 8,
        Fault.PROTOCOL: 9,
        Fault.OUT_OF_SERVICE: 10,
    }
)

_BYTE_OF: Final[Mapping[Card, int]] = {
    JOKER: 0x40,
    **{card: "cdhs".index(card.suit) << 4 | card.rank for card in deck()},
}
_CARD_OF: Final = {byte: card for card, byte in _BYTE_OF.items()}


def _put_card(out: bytearray, value: Card) -> None:
    out.append(_BYTE_OF[value])


def _get_card(data: Reader) -> Card:
    value = _CARD_OF.get(U8.get(data))
    if value is None:
        raise DecodeError("the data have a byte that stands for no card")
    return value


def _put_face_down(out: bytearray, value: FaceDown) -> None:
    out.append(0 if value.card is None else _BYTE_OF[value.card])


def _get_face_down(data: Reader) -> FaceDown:
    byte = U8.get(data)
    if byte and byte not in _CARD_OF:
        raise DecodeError("the data have a byte that stands for no card")
    return FaceDown(_CARD_OF.get(byte))


_CARD: Final = Form(_put_card, _get_card)
_FACE_DOWN: Final = Form(_put_face_down, _get_face_down)

MESSAGES: Final[Family[Message]] = Family(
    "message",
    {
        0x01: (DeviceState, (MODE, LAMP, BOOL, optional(U16), BOOL, optional(FAULT))),
        0x02: (KeyPressed, (TEXT,)),
        0x03: (CardLeft, (U16, _FACE_DOWN, BOOL)),
        0x04: (StackTaken, (U64, listed(_FACE_DOWN), listed(U8))),
        0x05: (StackFailed, (U64, listed(_FACE_DOWN), FAULT)),
        0x06: (ShuffleFinished, (U64, optional(U16))),
        0x07: (ShuffleFailed, (U64, FAULT)),
        0x08: (WagerSpot, (U8, TEXT, BOOL, optional(U64))),
        0x09: (CardScanned, (_CARD,)),
        0x0A: (CardUnreadable, ()),
        0x0B: (Badge, (TEXT,)),
    },
)
"""What a device says. `LinkUp` and `LinkLost` are a driver's own words and have no bytes."""

COMMANDS: Final[Family[Command]] = Family(
    "command",
    {
        0x01: (ShowPrompt, (TEXT, listed(TEXT), listed(TEXT), BOOL)),
        0x02: (DispenseStack, (U8,)),
        0x03: (StartShuffle, ()),
    },
)
