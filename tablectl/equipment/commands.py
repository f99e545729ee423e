"""Commands: what the daemon tells devices."""

from __future__ import annotations

from typing import Final, TypeAlias

from tablectl.equipment.kinds import MeterReason, SeatLight
from tablectl.equipment.messages import (
    AwardRecorded,
    CardsEjected,
    DiceAge,
    DiceRead,
    HoleCardRead,
    HoleCardUnread,
    LockedOut,
    Message,
    Meter,
    MeterLowered,
    NumberDrawn,
    SelfTested,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    WagersOpened,
    WagersReturned,
)
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "ACTUATIONS",
    "ANSWERS",
    "Command",
    "DispenseStack",
    "DrawNumber",
    "EjectCards",
    "LockOut",
    "LowerMeter",
    "NewDice",
    "OpenWagers",
    "ReadDice",
    "ReadHoleCard",
    "ReadMeter",
    "RecordAward",
    "ReturnWagers",
    "SelfTest",
    "SetSeatLights",
    "ShowPrompt",
    "StartShuffle",
]


@record
class ShowPrompt:
    """Show one line of at most 40 characters, light exactly the named keys, let those of `standing` blink; `beep` once.

    No actuation: it says the whole state of the display, so the last one counts and any may be lost.
    """

    text: str
    lit: tuple[str, ...]
    standing: tuple[str, ...]
    beep: bool


@record
class DispenseStack:
    """Dispense one stack of `count` cards (actuation)."""

    count: int


@record
class StartShuffle:
    """Shuffle the cards that were put in, then count and deliver them (actuation)."""


@record
class ReadHoleCard:
    """Read the card that is or will be put into the reader (actuation)."""


@record
class SelfTest:
    """Test yourself (actuation)."""


@record
class EjectCards:
    """Give out all cards that are inside (actuation)."""


@record
class SetSeatLights:
    """Set the lights of all seats, seat 1 first. No actuation: it says the whole state, so the last one counts."""

    lights: tuple[SeatLight, ...]


@record
class OpenWagers:
    """Take progressive or extra-roll wagers for a new round (actuation)."""


@record
class LockOut:
    """Take no more of them (actuation)."""


@record
class ReturnWagers:
    """The round is void: the wagers of the last lock-out go back, and the meter goes back with them (actuation)."""


@record
class ReadMeter:
    """Say what the meter is (actuation, though nothing moves: its answer is one point in the order of everything)."""


@record
class RecordAward:
    """Take an award off the meter and light the seat's win light (actuation).

    `reset` when it is the whole of the meter, which then starts anew; an amount that is not what the meter shows at
    that moment, or more than that, is refused. So of two such wins the second is of the reset amount.
    """

    seat: int
    amount: Money
    reset: bool


@record
class LowerMeter:
    """Take so much off the meter for a reason that is on record with a badge (actuation).

    A correction comes off the display, what is over the limit off the overflow, recovered seed money off the reserve.
    """

    reason: MeterReason
    amount: Money


@record
class ReadDice:
    """Read the dice that lie under the lifted shaker (actuation)."""


@record
class NewDice:
    """Other dice have been put in: their age begins (actuation)."""


@record
class DrawNumber:
    """Draw a whole number from `low` to `high`, each as likely (actuation)."""

    low: int
    high: int


Command: TypeAlias = (
    ShowPrompt
    | DispenseStack
    | StartShuffle
    | ReadHoleCard
    | SelfTest
    | EjectCards
    | SetSeatLights
    | OpenWagers
    | LockOut
    | ReturnWagers
    | ReadMeter
    | RecordAward
    | LowerMeter
    | ReadDice
    | NewDice
    | DrawNumber
)

ANSWERS: Final[dict[type[Command], tuple[type[Message], ...]]] = {
    DispenseStack: (StackTaken, StackFailed),
    StartShuffle: (ShuffleFinished, ShuffleFailed),
    ReadHoleCard: (HoleCardRead, HoleCardUnread),
    SelfTest: (SelfTested,),
    EjectCards: (CardsEjected,),
    OpenWagers: (WagersOpened,),
    LockOut: (LockedOut,),
    ReturnWagers: (WagersReturned,),
    ReadMeter: (Meter,),
    RecordAward: (AwardRecorded,),
    LowerMeter: (MeterLowered,),
    ReadDice: (DiceRead,),
    NewDice: (DiceAge,),
    DrawNumber: (NumberDrawn,),
}
"""For each actuation the messages of which exactly one answers it, with its id."""

ACTUATIONS: Final = tuple(ANSWERS)
"""Commands that move cards, dice or money: each has an intent, and its answer carries its id."""
