"""What a device can mean: messages that make no sense, whatever the round is in, are those of a device out of order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.equipment.commands import Command, DrawNumber
from tablectl.equipment.kinds import Kind
from tablectl.equipment.messages import (
    AwardRecorded,
    Badge,
    BadgeUnreadable,
    BatchInserted,
    CardLeft,
    CardPresent,
    CardScanned,
    CardsEjected,
    CardUnreadable,
    DeckRead,
    DeviceState,
    DiceAge,
    DiceRead,
    DoorMoved,
    HoleCardRead,
    HoleCardUnread,
    KeyPressed,
    KeyReleased,
    LateWager,
    LinkLost,
    LinkUp,
    LockedOut,
    Meter,
    MeterLowered,
    MeterRules,
    NumberDrawn,
    SeatSensor,
    SelfTested,
    Shaken,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    WagersOpened,
    WagerSpot,
    WagersReturned,
    WinLight,
)

__all__ = ["MOST_SEATS", "SAYS", "nonsense"]

MOST_SEATS: Final = 10
"""The most seats that a table of any game has (637a.12)."""

_FACES: Final = (1, 2, 3, 4, 5, 6)
_ANY: Final = (LinkUp, LinkLost, DeviceState, DoorMoved, SelfTested)
_SHUFFLES: Final = (ShuffleFinished, ShuffleFailed, DeckRead, BatchInserted, CardsEjected, CardLeft)
_SEATS: Final = (SeatSensor, WagersOpened, LockedOut, LateWager, WagersReturned)

SAYS: Final[Mapping[Kind, tuple[type, ...]]] = {
    Kind.PANEL: (KeyPressed, KeyReleased),
    Kind.SHOE: (*_SHUFFLES, StackTaken, StackFailed),
    Kind.SHUFFLER: _SHUFFLES,
    Kind.WAGER_SENSORS: (WagerSpot,),
    Kind.CARD_SCANNER: (CardScanned, CardUnreadable),
    Kind.CREDENTIAL_READER: (Badge, BadgeUnreadable),
    Kind.CARD_READER: (CardPresent, HoleCardRead, HoleCardUnread),
    Kind.PROGRESSIVE: (*_SEATS, MeterRules, Meter, AwardRecorded, MeterLowered, WinLight),
    Kind.EXTRA_ROLL: _SEATS,
    Kind.SHAKER: (Shaken, DiceRead, DiceAge),
    Kind.RNG: (NumberDrawn,),
}
"""What devices of each kind say, beside what each of them may: nobody shows a badge to a shoe."""


def nonsense(kind: Kind, message: object, acting: tuple[int, str, Command] | None = None) -> str:
    """What is wrong with a message that a device of that kind cannot mean; empty if it can be so.

    `acting`: id, device and command of the actuation that is under way. Never names a card.
    """
    if not isinstance(message, (*_ANY, *SAYS[kind])):
        return f"a {kind} says {type(message).__name__}"
    match message:
        case DiceRead(dice=dice):
            face = next((die.face for die in dice if die.face is not None and die.face not in _FACES), None)
            return "" if face is None else f"says that a die shows {face}"
        case NumberDrawn(command, number) if acting is not None and acting[0] == command:
            return _out_of_range(number, acting[2])
        case LockedOut(seats=seats) | WagersReturned(seats=seats) if len(set(seats)) < len(seats):
            return "names a seat twice"
        case LockedOut(seats=seats) | WagersReturned(seats=seats):
            return _strange(seats)
        case SeatSensor(seat) | LateWager(seat) | WinLight(seat) | WagerSpot(seat) | AwardRecorded(seat=seat):
            return _strange((seat,))
        case _:
            return ""


def _strange(seats: tuple[int, ...]) -> str:
    found = next((seat for seat in seats if not 1 <= seat <= MOST_SEATS), None)
    return "" if found is None else f"names seat {found}, which no table has"


def _out_of_range(number: int, asked: Command) -> str:
    if not isinstance(asked, DrawNumber) or asked.low <= number <= asked.high:
        return ""
    return f"says {number} for a number from {asked.low} to {asked.high}"
