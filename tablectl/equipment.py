"""What equipment at a dealer table is, says and is told: kinds, capabilities, states, messages and commands.

Pure data. A device's *message* tells the daemon something; it is numbered by the device, committed to the journal and
only then acknowledged. A *command* tells the device something; one that moves cards or dice is an *actuation*: its id
is the sequence number of its intent in the journal, a device given the same id again answers with the same result and
does not act again. The answer to an actuation is a message that carries the command's id.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias

from tablectl.cards import Card, FaceDown
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "ACTUATIONS",
    "Badge",
    "Capability",
    "CardLeft",
    "CardScanned",
    "CardUnreadable",
    "Command",
    "Description",
    "DeviceState",
    "DispenseStack",
    "Fault",
    "KeyPressed",
    "Kind",
    "Lamp",
    "LinkLost",
    "LinkUp",
    "Message",
    "Mode",
    "ShowPrompt",
    "ShuffleFailed",
    "ShuffleFinished",
    "StackFailed",
    "StackTaken",
    "StartShuffle",
    "WagerSpot",
]


class Kind(StrEnum):
    """Kinds of equipment; a device of a table has exactly one."""

    PANEL = "panel"
    SHOE = "shoe"
    SHUFFLER = "shuffler"
    WAGER_SENSORS = "wager_sensors"
    CARD_SCANNER = "card_scanner"
    CREDENTIAL_READER = "credential_reader"
    CARD_READER = "card_reader"
    PROGRESSIVE = "progressive"
    EXTRA_ROLL = "extra_roll"
    SHAKER = "shaker"
    RNG = "rng"


class Capability(StrEnum):
    """What a device says of itself that it can do; capabilities choose the procedure."""

    AMOUNTS = "amounts"  # wager sensors: reads the amount on a spot, not only that something lies there
    READS = "reads"  # shoe: reads each card's identity, and whether it is face up, as the card leaves
    DISPENSES = "dispenses"  # shoe: dispenses stacks on command (an automated dealing shoe)
    COUNTS = "counts"  # shuffler: counts the cards after each shuffle
    IDENTIFIES = "identifies"  # shuffler: names missing, additional and unreadable cards
    CONTINUOUS = "continuous"  # shuffler: takes cards back and shuffles without end
    CARD_KEYS = "card_keys"  # panel: has keys for ranks and suits
    DIGITS = "digits"  # panel: has keys 0-9 and enter


class Mode(StrEnum):
    """What a device is doing."""

    READY = "ready"
    BUSY = "busy"
    SERVICE = "service"
    SORT = "sort"
    UNKNOWN = "unknown"


class Lamp(StrEnum):
    """Colour of a device's status light; one that cannot be told is `UNKNOWN`, and doubt stops play."""

    NONE = "none"
    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"
    UNKNOWN = "unknown"


class Fault(StrEnum):
    """Kinds of faults that are latched until a person with a badge clears them."""

    LOST = "lost"
    JAM = "jam"
    INCOMPLETE = "incomplete"
    WRONG_COUNT = "wrong_count"
    WRONG_MODE = "wrong_mode"
    RED_LIGHT = "red_light"
    TAMPER = "tamper"
    SWAPPED = "swapped"
    PROTOCOL = "protocol"
    OUT_OF_SERVICE = "out_of_service"


@record
class Description:
    """A device's description of itself, asked for after every open."""

    kind: Kind
    model: str
    serial: str
    firmware: str
    capabilities: tuple[Capability, ...]


# Messages: device to daemon --------------------------------------------------------------------------------------


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
)


# Commands: daemon to device ---------------------------------------------------------------------------------------


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


Command: TypeAlias = ShowPrompt | DispenseStack | StartShuffle

ACTUATIONS: Final = (DispenseStack, StartShuffle)
