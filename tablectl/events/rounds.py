"""The round of play."""

from __future__ import annotations

from typing import ClassVar

from tablectl.cards import Card, Position
from tablectl.events.base import Disposition, Event, Outcome, Result
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "BettingLocked",
    "CardDealt",
    "CardsCounted",
    "CardsExposed",
    "IrregularityNoted",
    "RoundClosed",
    "RoundOpened",
    "RoundVoided",
    "SeatAsked",
    "SeatDecided",
    "WagerMade",
    "WagerSettled",
]


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
