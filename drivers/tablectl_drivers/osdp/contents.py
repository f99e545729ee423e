"""What commands and replies of OSDP 2 carry, as far as a credential reader at a table needs them."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from tablectl.errors import DecodeError

__all__ = [
    "Capabilities",
    "Card",
    "CardText",
    "Command",
    "Contents",
    "Function",
    "Identity",
    "LocalStatus",
    "Nak",
    "NakReason",
    "ReaderStatus",
    "Reply",
    "buzzer",
    "contents",
    "key_set",
    "led",
]


class Command(IntEnum):
    """Codes of commands, panel to reader."""

    POLL = 0x60
    ID = 0x61
    CAP = 0x62
    LSTAT = 0x64
    RSTAT = 0x67
    LED = 0x69
    BUZ = 0x6A
    KEYSET = 0x75
    CHLNG = 0x76
    SCRYPT = 0x77


class Reply(IntEnum):
    """Codes of replies, reader to panel."""

    ACK = 0x40
    NAK = 0x41
    PDID = 0x45
    PDCAP = 0x46
    LSTATR = 0x48
    RSTATR = 0x4B
    RAW = 0x50
    FMT = 0x51
    KEYPAD = 0x53
    CCRYPT = 0x76
    RMAC_I = 0x78
    BUSY = 0x79


class NakReason(IntEnum):
    """Why a reader does not take a command."""

    CHECK = 1
    LENGTH = 2
    UNKNOWN_COMMAND = 3
    SEQUENCE = 4
    SECURITY_BLOCK = 5
    UNSECURED = 6
    BIO_TYPE = 7
    BIO_FORMAT = 8
    RECORD = 9


class Function(IntEnum):
    """What a reader can be capable of, as far as it matters here."""

    LED = 4
    BUZZER = 5
    SECURE_CHANNEL = 9


@dataclass(frozen=True, slots=True)
class Identity:
    """What a reader is: `vendor` is the maker's OUI."""

    vendor: bytes
    model: int
    version: int
    serial: int
    firmware: tuple[int, int, int]

    def __bytes__(self) -> bytes:
        """As the data of PDID."""
        return struct.pack("<3sBBI3B", self.vendor, self.model, self.version, self.serial, *self.firmware)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a reader can do: level of compliance and number of items by function; unknown functions are kept."""

    functions: dict[int, tuple[int, int]]

    def __bytes__(self) -> bytes:
        """As the data of PDCAP."""
        return b"".join(bytes((function, *rest)) for function, rest in self.functions.items())

    def has(self, function: Function) -> bool:
        """Whether it says that it can do that."""
        return self.functions.get(function, (0, 0))[0] > 0


@dataclass(frozen=True, slots=True)
class LocalStatus:
    """The case and the power of a reader."""

    tamper: bool
    power_failed: bool


@dataclass(frozen=True, slots=True)
class ReaderStatus:
    """The heads that belong to a reader: whether one is missing or tampered with."""

    missing: bool
    tamper: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A card as bits: `value` holds `bits` of them, the first one highest."""

    bits: int
    value: int


@dataclass(frozen=True, slots=True)
class CardText:
    """A card that the reader itself has made characters of."""

    text: str


@dataclass(frozen=True, slots=True)
class Nak:
    """A command that was not taken; `reason` may be one that the standard does not list."""

    reason: int

    def __str__(self) -> str:
        """In words."""
        try:
            return NakReason(self.reason).name.lower().replace("_", " ")
        except ValueError:
            return f"reason {self.reason}"


@dataclass(frozen=True, slots=True)
class Plain:
    """A reply of which nothing but its code matters."""

    code: int


Contents: TypeAlias = Identity | Capabilities | LocalStatus | ReaderStatus | Card | CardText | Nak | Plain

_MOST_BITS: Final = 1024


def contents(code: int, data: bytes) -> Contents:
    """What a reply carries; `DecodeError` when its data do not have the form of its code."""
    match code:
        case Reply.PDID:
            if len(data) != 12:
                raise _malformed("PDID", data)
            vendor, model, version, serial, *firmware = struct.unpack("<3sBBI3B", data)
            return Identity(vendor, model, version, serial, (firmware[0], firmware[1], firmware[2]))
        case Reply.PDCAP:
            if len(data) % 3:
                raise _malformed("PDCAP", data)
            triples = (data[at : at + 3] for at in range(0, len(data), 3))
            return Capabilities({function: (level, items) for function, level, items in triples})
        case Reply.LSTATR:
            if len(data) != 2:
                raise _malformed("LSTATR", data)
            return LocalStatus(data[0] != 0, data[1] != 0)
        case Reply.RSTATR:
            if not data:
                raise _malformed("RSTATR", data)
            return ReaderStatus(1 in data, any(head > 1 for head in data))
        case Reply.RAW:
            return _card(data)
        case Reply.FMT:
            return _card_text(data)
        case Reply.NAK:
            if not data:
                raise _malformed("NAK", data)
            return Nak(data[0])
        case _:
            return Plain(code)


def _card(data: bytes) -> Card:
    if len(data) < 5:
        raise _malformed("RAW", None)
    bits = data[2] | data[3] << 8
    held = data[4:]
    if not 1 <= bits <= _MOST_BITS or len(held) != (bits + 7) // 8:
        raise _malformed("RAW", None)
    return Card(bits, int.from_bytes(held, "big") >> (-bits % 8))


def _card_text(data: bytes) -> CardText:
    text = data[3:]
    if len(data) < 4 or data[2] != len(text) or not all(0x20 < byte < 0x7F for byte in text):
        raise _malformed("FMT", None)
    return CardText(text.decode("ascii"))


def _malformed(what: str, data: bytes | None) -> DecodeError:
    """`data` None: they are a card's, and stay out of every message."""
    return DecodeError(f"a {what} reply with data of a wrong form{'' if data is None else f': {data.hex()}'}")


# Data of commands -----------------------------------------------------------------------------------------------------

_GREEN: Final = 2
_RED: Final = 1


def led(good: bool) -> bytes:
    """Data of LED: the first light of the first head green or red for half a second, then as it was."""
    colour = _GREEN if good else _RED
    temporary = struct.pack("<BBBBBH", 2, 5, 0, colour, 0, 5)
    return bytes((0, 0)) + temporary + bytes(5)


def buzzer(good: bool) -> bytes:
    """Data of BUZ: one short tone, or three."""
    return bytes((0, 2, 1, 1, 1 if good else 3))


def key_set(key: bytes) -> bytes:
    """Data of KEYSET: the reader's new base key."""
    return bytes((1, len(key))) + key
