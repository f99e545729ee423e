"""Messages and commands as bytes: the tables of their type bytes, fields and codes, for each version of the link.

A card is one byte: suit (0 clubs, 1 diamonds, 2 hearts, 3 spades) times 16 plus rank (2 to 14), hexadecimal 40 for the
joker, 00 for a card without identity.

A version has all that older ones have, under the same numbers; so the tables hold everything with its number, and the
last number of each table that an older version has. What a version does not have cannot be said or understood in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from tablectl.cards import JOKER, Card, FaceDown, deck
from tablectl.equipment import (
    AwardRecorded,
    Badge,
    BadgeUnreadable,
    BatchInserted,
    Capability,
    CardLeft,
    CardPresent,
    CardScanned,
    CardsEjected,
    CardUnreadable,
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
    KeyPressed,
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
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    StartShuffle,
    WagersOpened,
    WagerSpot,
    WagersReturned,
    WinLight,
)
from tablectl.errors import DecodeError
from tablectl_drivers.link.layout import (
    BOOL,
    TEXT,
    U8,
    U16,
    U32,
    U64,
    Family,
    Form,
    Reader,
    code,
    composed,
    listed,
    optional,
)

__all__ = [
    "CAPABILITY",
    "COMMANDS",
    "FAULT",
    "KIND",
    "LAMP",
    "LIES",
    "LIGHT",
    "MESSAGES",
    "METER_REASON",
    "MODE",
    "NEWEST",
    "VERSIONS",
    "Vocabulary",
    "vocabulary",
]

T = TypeVar("T")
_Members = Mapping[int, tuple[type[T], tuple[Form[Any], ...]]]

_KINDS: Final = {
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
_CAPABILITIES: Final = {
    Capability.AMOUNTS: 1,
    Capability.READS: 2,
    Capability.DISPENSES: 3,
    Capability.COUNTS: 4,
    Capability.IDENTIFIES: 5,
    Capability.CONTINUOUS: 6,
    Capability.CARD_KEYS: 7,
    Capability.DIGITS: 8,
    Capability.TEXT: 9,
    Capability.BACKS: 10,
    Capability.BATCHES: 11,
    Capability.RESHUFFLES: 12,
    Capability.METER: 13,
    Capability.REFUSES_LATE: 14,
    Capability.THREE_DICE: 15,
    Capability.SIX_DICE: 16,
    Capability.TEN_DICE: 17,
    Capability.SELF_TEST: 18,
    Capability.RELEASES: 19,
}
_MODES: Final = {Mode.READY: 1, Mode.BUSY: 2, Mode.SERVICE: 3, Mode.SORT: 4, Mode.UNKNOWN: 5, Mode.COUNT: 6}
_FAULTS: Final = {
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
    Fault.STUCK: 11,
    Fault.DOOR_OPEN: 12,
    Fault.SELF_TEST: 13,
    Fault.FOREIGN: 14,
    Fault.UNREADABLE: 15,
}

KIND: Final = code(_KINDS)
CAPABILITY: Final = code(_CAPABILITIES)
MODE: Final = code(_MODES)
FAULT: Final = code(_FAULTS)
LAMP: Final = code({Lamp.NONE: 1, Lamp.GREEN: 2, Lamp.YELLOW: 3, Lamp.RED: 4, Lamp.UNKNOWN: 5})
LIGHT: Final = code({SeatLight.NONE: 1, SeatLight.AWAITING: 2, SeatLight.PLACED: 3, SeatLight.LOCKED: 4})
LIES: Final = code(
    {DieLies.FLAT: 1, DieLies.COCKED: 2, DieLies.COCKED_TWICE: 3, DieLies.STACKED: 4, DieLies.OFF_TABLE: 5}
)
METER_REASON: Final = code({MeterReason.CORRECTION: 1, MeterReason.OVER_LIMIT: 2, MeterReason.SEED_RECOVERY: 3})

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
_DIE: Final = composed(Die, optional(U8), U8, LIES)


def _messages(mode: Form[Mode], fault: Form[Fault]) -> _Members[Message]:
    return {
        0x01: (DeviceState, (mode, LAMP, BOOL, optional(U16), BOOL, optional(fault))),
        0x02: (KeyPressed, (TEXT,)),
        0x03: (CardLeft, (U16, _FACE_DOWN, BOOL)),
        0x04: (StackTaken, (U64, listed(_FACE_DOWN), listed(U8))),
        0x05: (StackFailed, (U64, listed(_FACE_DOWN), fault)),
        0x06: (ShuffleFinished, (U64, optional(U16))),
        0x07: (ShuffleFailed, (U64, fault)),
        0x08: (WagerSpot, (U8, TEXT, BOOL, optional(U64))),
        0x09: (CardScanned, (_CARD,)),
        0x0A: (CardUnreadable, ()),
        0x0B: (Badge, (TEXT,)),
        0x0C: (KeyReleased, (TEXT,)),
        0x0D: (BadgeUnreadable, ()),
        0x0E: (CardPresent, (BOOL,)),
        0x0F: (HoleCardRead, (U64, BOOL)),
        0x10: (HoleCardUnread, (U64, fault)),
        0x11: (SelfTested, (U64, BOOL, TEXT)),
        0x12: (DeckRead, (U64, optional(U16), listed(_CARD), listed(_CARD), U16, optional(TEXT), U16, optional(U32))),
        0x13: (BatchInserted, (U32, optional(U16))),
        0x14: (CardsEjected, (U64, optional(U16))),
        0x15: (DoorMoved, (BOOL,)),
        0x16: (SeatSensor, (U8, BOOL)),
        0x17: (WagersOpened, (U64,)),
        0x18: (LockedOut, (U64, listed(U8))),
        0x19: (LateWager, (U8, BOOL)),
        0x1A: (WagersReturned, (U64, listed(U8))),
        0x1B: (MeterRules, (U64, U64, optional(U64), U32, U32)),
        0x1C: (Meter, (U64, U64, U64, U32, U64, U64, U64, U64, U64)),
        0x1D: (AwardRecorded, (U64, U8, U64, U64)),
        0x1E: (MeterLowered, (U64, METER_REASON, U64, U64)),
        0x1F: (WinLight, (U8, BOOL)),
        0x20: (Shaken, (U16,)),
        0x21: (DiceRead, (U64, U16, listed(_DIE))),
        0x22: (DiceAge, (U64, U32, U32)),
        0x23: (NumberDrawn, (U64, U32)),
    }


_COMMANDS: Final[_Members[Command]] = {
    0x01: (ShowPrompt, (TEXT, listed(TEXT), listed(TEXT), BOOL)),
    0x02: (DispenseStack, (U8,)),
    0x03: (StartShuffle, ()),
    0x04: (ReadHoleCard, ()),
    0x05: (SelfTest, ()),
    0x06: (EjectCards, ()),
    0x07: (SetSeatLights, (listed(LIGHT),)),
    0x08: (OpenWagers, ()),
    0x09: (LockOut, ()),
    0x0A: (ReturnWagers, ()),
    0x0B: (ReadMeter, ()),
    0x0C: (RecordAward, (U8, U64, BOOL)),
    0x0D: (LowerMeter, (METER_REASON, U64)),
    0x0E: (ReadDice, ()),
    0x0F: (NewDice, ()),
    0x10: (DrawNumber, (U32, U32)),
}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What can be said in one version of the link; `LinkUp` and `LinkLost` are a driver's own words and have no bytes.

    `capability` has the form of one capability; a device leaves out those that the version does not have.
    """

    version: int
    messages: Family[Message]
    commands: Family[Command]
    capability: Form[Capability]
    capabilities: frozenset[Capability]


@dataclass(frozen=True, slots=True)
class _Last:
    """The last number of each table that a version has."""

    message: int
    command: int
    capability: int
    mode: int
    fault: int


_LASTS: Final = {1: _Last(0x0B, 0x03, 8, 5, 10), 2: _Last(0x23, 0x10, 19, 6, 15)}

VERSIONS: Final = tuple(sorted(_LASTS))
NEWEST: Final = VERSIONS[-1]


def _upto(numbers: Mapping[T, int], last: int) -> dict[T, int]:
    return {value: number for value, number in numbers.items() if number <= last}


def _made(version: int, last: _Last) -> Vocabulary:
    capabilities = _upto(_CAPABILITIES, last.capability)
    messages = _messages(code(_upto(_MODES, last.mode)), code(_upto(_FAULTS, last.fault)))
    return Vocabulary(
        version,
        Family("message", {byte: member for byte, member in messages.items() if byte <= last.message}),
        Family("command", {byte: member for byte, member in _COMMANDS.items() if byte <= last.command}),
        code(capabilities),
        frozenset(capabilities),
    )


_VOCABULARIES: Final = {version: _made(version, last) for version, last in _LASTS.items()}


def vocabulary(version: int) -> Vocabulary:
    """The vocabulary of one of `VERSIONS`."""
    return _VOCABULARIES[version]


MESSAGES: Final = vocabulary(NEWEST).messages
COMMANDS: Final = vocabulary(NEWEST).commands
