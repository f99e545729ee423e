"""Frozen records of what happened at the table.

An event is a function of one instruction and its result alone. The *name* of each class is what `tablectl.` is put in
front of in the published type. The meaning of an event never changes between versions: stakes, the tray and the outcome
of a round are folds over events. No event holds the identity of a card that nobody at the table has seen.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from tablectl.cards import Card, Position
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "AlarmRaised",
    "BettingLocked",
    "CardDealt",
    "CardsCounted",
    "CardsExposed",
    "ClockStepped",
    "Disposition",
    "Event",
    "FaultCleared",
    "FaultLatched",
    "IrregularityNoted",
    "DeckRemoved",
    "DeckReplaced",
    "DeckShuffled",
    "DeviceRemoved",
    "Outcome",
    "Result",
    "RoundClosed",
    "RoundOpened",
    "RoundVoided",
    "SeatAsked",
    "SeatDecided",
    "TableStarted",
    "TableStopped",
    "WagerMade",
    "WagerSettled",
]


class Result(StrEnum):
    """How one wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    RETURNED = "returned"
    FORFEITED = "forfeited"
    SURRENDERED = "surrendered"
    VOID = "void"


class Outcome(StrEnum):
    """How one round ended."""

    COMPLETED = "completed"
    VOID = "void"
    SUSPENDED = "suspended"


class Disposition(StrEnum):
    """What becomes of the deck after the round."""

    RESHUFFLE = "reshuffle"
    CONTINUE = "continue"
    REMOVE = "remove"


class Event:
    """Base of all events."""

    __slots__ = ()
    name: ClassVar[str]


@record
class TableStarted(Event):
    """The daemon runs: program version, digest of the filed rules, digest of the configuration."""

    name: ClassVar[str] = "table.started"
    version: str
    edition: str
    configuration: str


@record
class TableStopped(Event):
    """The daemon ended on purpose."""

    name: ClassVar[str] = "table.stopped"
    reason: str


@record
class ClockStepped(Event):
    """The machine's wall clock was set, forward by so much (back: negative)."""

    name: ClassVar[str] = "clock.stepped"
    step_ms: int


@record
class AlarmRaised(Event):
    """Something around the table needs a person, though play goes on: its source, kind and what it is."""

    name: ClassVar[str] = "alarm.raised"
    source: str
    kind: str
    message: str


@record
class FaultLatched(Event):
    """A device has a fault that a person has to clear; it survives a power cycle."""

    name: ClassVar[str] = "fault.latched"
    device: str
    fault: str
    message: str


@record
class FaultCleared(Event):
    """A person with a badge cleared a latched fault, with a reason."""

    name: ClassVar[str] = "fault.cleared"
    device: str
    fault: str
    credential: str
    reason: str


@record
class RoundOpened(Event):
    """A round begins: its number, the game, the deck that it is played with, how cards are shuffled and dealt."""

    name: ClassVar[str] = "round.opened"
    round: int
    game: str
    deck: str
    dealing: str
    shuffler: str


@record
class DeckShuffled(Event):
    """The deck was shuffled; `counted` is what a counting shuffler says, `by` is ``hand`` or ``device``."""

    name: ClassVar[str] = "deck.shuffled"
    deck: str
    by: str
    counted: int | None


@record
class DeckRemoved(Event):
    """The whole deck left the table."""

    name: ClassVar[str] = "deck.removed"
    deck: str
    cite: str


@record
class DeckReplaced(Event):
    """Another deck came to the table; `credential` is the badge of whoever brought it, empty in a script."""

    name: ClassVar[str] = "deck.replaced"
    deck: str
    credential: str


@record
class DeviceRemoved(Event):
    """A device that does not work has left the table, so that another method may be used."""

    name: ClassVar[str] = "device.removed"
    device: str
    cite: str
    dealing: str


@record
class WagerMade(Event):
    """A wager lies on the layout; `amount` is None where only its presence is known."""

    name: ClassVar[str] = "round.wagered"
    seat: int
    wager: str
    hand: int
    amount: Money | None


@record
class BettingLocked(Event):
    """The dealer announced that no more bets are taken."""

    name: ClassVar[str] = "round.locked"
    cite: str


@record
class CardDealt(Event):
    """The `number`th card of the round left the shoe, hand or stack; `card` is known when its face was seen."""

    name: ClassVar[str] = "round.card"
    number: int
    to: Position
    card: Card | None


@record
class CardsCounted(Event):
    """Cards were counted: `what` is ``stub``, ``remainder`` or ``deck``, `total` is that of the whole deck."""

    name: ClassVar[str] = "round.counted"
    what: str
    total: int
    cite: str


@record
class SeatAsked(Event):
    """A seat was asked for a decision."""

    name: ClassVar[str] = "round.asked"
    seat: int
    choices: tuple[str, ...]


@record
class SeatDecided(Event):
    """The seat's decision, as its verb and what came with it."""

    name: ClassVar[str] = "round.decided"
    seat: int
    verb: str
    amount: Money | None
    cards: tuple[Card, ...]


@record
class CardsExposed(Event):
    """The cards of a position were turned up before everybody; `place` numbers a community card, else 0."""

    name: ClassVar[str] = "round.exposed"
    position: Position
    place: int
    cards: tuple[Card, ...]


@record
class WagerSettled(Event):
    """Chips of one wager moved: staked = returned + collected, `paid` is what the house adds.

    Amounts are None where only presence is known. `on` is the seat whose hand an envy pays for.
    """

    name: ClassVar[str] = "round.settled"
    seat: int
    wager: str
    hand: int
    staked: Money | None
    result: Result
    odds: str | None
    paid: Money | None
    returned: Money | None
    collected: Money | None
    cite: str | None
    free: bool = False
    vigorish: Money | None = None
    on: int | None = None


@record
class IrregularityNoted(Event):
    """Something went wrong and this was done about it; `cite` is None where no clause speaks of it."""

    name: ClassVar[str] = "round.irregularity"
    kind: str
    position: Position | None
    cite: str | None
    remedies: tuple[str, ...]


@record
class RoundVoided(Event):
    """All hands are void; the wagers that follow as settled are given back."""

    name: ClassVar[str] = "round.voided"
    cause: str
    cite: str | None


@record
class RoundClosed(Event):
    """The round is over."""

    name: ClassVar[str] = "round.closed"
    round: int
    outcome: Outcome
    cause: str | None
    cite: str | None
    deck: str
    disposition: Disposition
