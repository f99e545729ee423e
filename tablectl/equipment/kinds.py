"""Kinds of equipment, what it can do, and the states it can be in."""

from __future__ import annotations

from enum import StrEnum

from tablectl.records import record

__all__ = [
    "Capability",
    "Description",
    "DieLies",
    "Fault",
    "Kind",
    "Lamp",
    "MeterReason",
    "Mode",
    "SeatLight",
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

    # wager sensors
    AMOUNTS = "amounts"  # reads the amount on a spot, not only that something lies there
    # shoe
    READS = "reads"  # reads each card's identity, and whether it is face up, as the card leaves
    DISPENSES = "dispenses"  # dispenses stacks on command (an automated dealing shoe)
    RESHUFFLES = "reshuffles"  # shuffles the cards that are put back
    # shuffler, and a shoe that reshuffles
    COUNTS = "counts"  # counts the cards after each shuffle
    # shuffler
    IDENTIFIES = "identifies"  # names missing, additional and unreadable cards
    CONTINUOUS = "continuous"  # takes cards back and shuffles without end
    BACKS = "backs"  # tells the colour of the cards' backs
    BATCHES = "batches"  # takes one batch in while the other is played
    # panel
    CARD_KEYS = "card_keys"  # has keys for ranks and suits
    DIGITS = "digits"  # has keys 0-9 and enter
    TEXT = "text"  # shows a line of text; one without shows lamps alone
    RELEASES = "releases"  # tells when a key comes up, for acts that want a long press
    # progressive, extra roll
    METER = "meter"  # progressive: keeps the meter
    REFUSES_LATE = "refuses_late"  # refuses a late wager; others record it, and neither counts it
    # shaker
    THREE_DICE = "three_dice"
    SIX_DICE = "six_dice"
    TEN_DICE = "ten_dice"
    # any
    SELF_TEST = "self_test"  # tests itself on command


class Mode(StrEnum):
    """What a device is doing."""

    READY = "ready"
    BUSY = "busy"
    SERVICE = "service"
    SORT = "sort"
    COUNT = "count"
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
    STUCK = "stuck"
    DOOR_OPEN = "door_open"
    SELF_TEST = "self_test"
    FOREIGN = "foreign"
    UNREADABLE = "unreadable"


class DieLies(StrEnum):
    """How a die lies after a throw."""

    FLAT = "flat"
    COCKED = "cocked"  # leaning, resting on one side of something
    COCKED_TWICE = "cocked_twice"  # resting on two sides
    STACKED = "stacked"
    OFF_TABLE = "off_table"


class SeatLight(StrEnum):
    """The light of a seat's progressive or extra-roll sensor."""

    NONE = "none"
    AWAITING = "awaiting"
    PLACED = "placed"
    LOCKED = "locked"


class MeterReason(StrEnum):
    """Why a progressive's meter may go down, other than by an award and by wagers that go back."""

    CORRECTION = "correction"
    OVER_LIMIT = "over_limit"
    SEED_RECOVERY = "seed_recovery"


@record
class Description:
    """A device's description of itself, asked for after every open."""

    kind: Kind
    model: str
    serial: str
    firmware: str
    capabilities: tuple[Capability, ...]
