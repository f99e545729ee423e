"""Messages: what devices tell the daemon."""

from __future__ import annotations

from typing import TypeAlias

from tablectl.cards import Card, FaceDown
from tablectl.equipment.kinds import Description, DieLies, Fault, Lamp, MeterReason, Mode
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "AwardRecorded",
    "Badge",
    "BadgeUnreadable",
    "BatchInserted",
    "CardLeft",
    "CardPresent",
    "CardScanned",
    "CardUnreadable",
    "CardsEjected",
    "DeckRead",
    "DeviceState",
    "DiceAge",
    "DiceRead",
    "Die",
    "DoorMoved",
    "HoleCardRead",
    "HoleCardUnread",
    "KeyPressed",
    "KeyReleased",
    "LateWager",
    "LinkLost",
    "LinkUp",
    "LockedOut",
    "Message",
    "Meter",
    "MeterLowered",
    "MeterRules",
    "NumberDrawn",
    "SeatSensor",
    "SelfTested",
    "Shaken",
    "ShuffleFailed",
    "ShuffleFinished",
    "StackFailed",
    "StackTaken",
    "WagerSpot",
    "WagersOpened",
    "WagersReturned",
    "WinLight",
]


@record
class LinkUp:
    """The device is there and has described itself; `boot` is new when it has been without power."""

    description: Description


@record
class LinkLost:
    """The device is gone; said once, whatever is tried afterwards to reach it."""

    reason: str


@record
class DeviceState:
    """State of the device: on connection, on request, and whenever it changes.

    `cards_inside` is None where the device cannot tell; `fault` is None when there is none.
    """

    mode: Mode
    lamp: Lamp
    blinking: bool
    cards_inside: int | None
    tamper: bool
    fault: Fault | None


@record
class KeyPressed:
    """A button of the panel went down (after the panel's own filter); `key` is the button's name."""

    key: str


@record
class CardLeft:
    """A card left the shoe by hand; `count` runs from 1 since the shoe was loaded.

    `card` has an identity only from a reading shoe; `face_up` is False where the shoe cannot tell.
    """

    count: int
    card: FaceDown
    face_up: bool


@record
class StackTaken:
    """A dispensed stack was taken by the dealer: the answer to `DispenseStack`.

    `cards` are bottom to top as they left; `face_up` are the places (from 0) of cards that lay face up in it.
    """

    command: int
    cards: tuple[FaceDown, ...]
    face_up: tuple[int, ...]


@record
class StackFailed:
    """The stack was not dispensed, or not all of it: the other answer to `DispenseStack`."""

    command: int
    cards: tuple[FaceDown, ...]
    fault: Fault


@record
class ShuffleFinished:
    """A shuffle is complete; `cards` is what a counting shuffler counted, else None."""

    command: int
    cards: int | None


@record
class ShuffleFailed:
    """The shuffle jammed, stopped, or did not complete its cycle."""

    command: int
    fault: Fault


@record
class WagerSpot:
    """What lies on one wager's spot now; `amount` is in cents, None from a sensor that sees presence only.

    Nothing on the spot is `present` False.
    """

    seat: int
    wager: str
    present: bool
    amount: Money | None


@record
class CardScanned:
    """A card that lies face up on the table was shown to the scanner."""

    card: Card


@record
class CardUnreadable:
    """A card was shown to the scanner and could not be read."""


@record
class Badge:
    """A credential was presented: its number, nothing else of the person."""

    number: str


@record
class KeyReleased:
    """A button came up again; only panels that tell so, for acts that want a long press."""

    key: str


@record
class BadgeUnreadable:
    """A credential was presented and could not be read."""


@record
class CardPresent:
    """Whether a card lies in the hole-card reader now."""

    present: bool


@record
class HoleCardRead:
    """The answer to `ReadHoleCard`: one bit, whether the hole card makes a Blackjack, and never an identity."""

    command: int
    blackjack: bool


@record
class HoleCardUnread:
    """The other answer to `ReadHoleCard`: the card was not read, and why."""

    command: int
    fault: Fault


@record
class SelfTested:
    """The answer to `SelfTest`; `detail` says what did not pass."""

    command: int
    passed: bool
    detail: str


@record
class DeckRead:
    """What a device found in the cards it holds, its own claim; `command` is 0 when it says so by itself.

    `cards` is None where it does not count; `missing` and `extra` are named by identifying devices only; `unreadable`
    is a number of cards, and so is `odd_backs`: those with another back than `back`, the colour of most; `back` and
    `batch` are None where it cannot tell. Said before the result of the shuffle that it belongs to.
    """

    command: int
    cards: int | None
    missing: tuple[Card, ...]
    extra: tuple[Card, ...]
    unreadable: int
    back: str | None
    odd_backs: int
    batch: int | None


@record
class BatchInserted:
    """A batch was put in while another one is played; batches are numbered from 1."""

    batch: int
    cards: int | None


@record
class CardsEjected:
    """The answer to `EjectCards`: the device is empty; `cards` is how many came out, None where it does not count."""

    command: int
    cards: int | None


@record
class DoorMoved:
    """A door or cover of the device was opened or closed."""

    open: bool


@record
class SeatSensor:
    """Whether a chip lies on a seat's progressive or extra-roll sensor."""

    seat: int
    placed: bool


@record
class WagersOpened:
    """The answer to `OpenWagers`: sensors take wagers for the next round."""

    command: int


@record
class LockedOut:
    """The answer to `LockOut`: from now on no wager counts; `seats` are those whose wager the system has accepted."""

    command: int
    seats: tuple[int, ...]


@record
class LateWager:
    """A chip came after the lock-out; `accepted` is False where the system refuses it, and it never counts."""

    seat: int
    accepted: bool


@record
class WagersReturned:
    """The answer to `ReturnWagers`: the wagers of these seats count no more, and the meter is as it was before them."""

    command: int
    seats: tuple[int, ...]


@record
class MeterRules:
    """What a progressive's meter goes by, said on connection: it does not change while the table is open.

    `limit` is None where there is none; the rates are parts of a million of each wager, to display and to reserve.
    """

    base: Money
    reset: Money
    limit: Money | None
    increment_ppm: int
    hidden_ppm: int


@record
class Meter:
    """A progressive's meter in cents, as it is: on connection, after each change, and as the answer to `ReadMeter`.

    `command` is 0 but in that answer. `wagered`, `hits` (a number), `wins`, `lowered` and `seed` only grow, but for
    wagers that go back. Exactly, `seed` + `wagered` times both rates = `display` + `reserve` + `overflow` + `wins` +
    `lowered`; each is said rounded down to the cent, and the rest of a cent is kept.
    """

    command: int
    display: Money
    wagered: Money
    hits: int
    wins: Money
    overflow: Money
    reserve: Money
    seed: Money
    lowered: Money


@record
class AwardRecorded:
    """The answer to `RecordAward`: the award was taken off the meter; `display` is what it shows now."""

    command: int
    seat: int
    amount: Money
    display: Money


@record
class MeterLowered:
    """The answer to `LowerMeter`: so much was taken off for that reason; `display` is what the meter shows now."""

    command: int
    reason: MeterReason
    amount: Money
    display: Money


@record
class WinLight:
    """A seat's win light went on or off."""

    seat: int
    lit: bool


@record
class Shaken:
    """The shaker was shaken; `shakes` is how often since it was last read."""

    shakes: int


@record
class Die:
    """One die: its upper face, None where that cannot be told, how sure that is in percent, and how it lies."""

    face: int | None
    confidence: int
    lies: DieLies


@record
class DiceRead:
    """The answer to `ReadDice`: what lies there after `shakes` shakes."""

    command: int
    shakes: int
    dice: tuple[Die, ...]


@record
class DiceAge:
    """How long and for how many throws these dice have been in use: on connection, and the answer to `NewDice`."""

    command: int
    seconds: int
    throws: int


@record
class NumberDrawn:
    """The answer to `DrawNumber`."""

    command: int
    number: int


Message: TypeAlias = (
    LinkUp
    | LinkLost
    | DeviceState
    | KeyPressed
    | CardLeft
    | StackTaken
    | StackFailed
    | ShuffleFinished
    | ShuffleFailed
    | WagerSpot
    | CardScanned
    | CardUnreadable
    | Badge
    | KeyReleased
    | BadgeUnreadable
    | CardPresent
    | HoleCardRead
    | HoleCardUnread
    | SelfTested
    | DeckRead
    | BatchInserted
    | CardsEjected
    | DoorMoved
    | SeatSensor
    | WagersOpened
    | LockedOut
    | LateWager
    | WagersReturned
    | MeterRules
    | Meter
    | AwardRecorded
    | MeterLowered
    | WinLight
    | Shaken
    | DiceRead
    | DiceAge
    | NumberDrawn
)
