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
    "HandAnnounced",
    "IrregularityNoted",
    "RoundClosed",
    "RoundOpened",
    "RoundVoided",
    "SeatAsked",
    "SeatDecided",
    "WagerMade",
    "WagerSettled",
    "spot",
    "together",
]


def spot(seat: int, wager: str, hand: int) -> str:
    """A wager of a seat as text: ``3 ante``, or ``3 split 1`` with the number of a hand above 0."""
    return f"{seat} {wager}{f' {hand}' if hand else ''}"


@record
class RoundOpened(Event):
    """A round begins: its number, the game, the deck that it is played with, how cards are shuffled and dealt.

    `back` is the colour of the deck's backs. `verified` is when a person at this table last verified the whole deck, in
    seconds since the epoch, 0 if that was never: what devices claim and count is none.
    """

    name: ClassVar[str] = "round.opened"
    round: int
    game: str
    deck: str
    dealing: str
    shuffler: str
    back: str = ""
    verified: int = 0


@record
class WagerMade(Event):
    """A wager lies on the layout; `amount` is None where only its presence is known. A lammer is a `free` one."""

    name: ClassVar[str] = "round.wagered"
    seat: int
    wager: str
    hand: int
    amount: Money | None
    free: bool = False


def together(before: WagerMade | None, more: WagerMade) -> WagerMade:
    """What lies on a spot to which chips were added (a pot): all of it, unknown if any of it is."""
    if before is None:
        return more
    unknown = before.amount is None or more.amount is None
    amount = None if unknown else Money((before.amount or 0) + (more.amount or 0))
    return WagerMade(more.seat, more.wager, more.hand, amount, more.free)


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
    """A seat was asked for a decision; `hand` is above 0 when it is about a hand that a split has made."""

    name: ClassVar[str] = "round.asked"
    seat: int
    choices: tuple[str, ...]
    hand: int = 0


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
class HandAnnounced(Event):
    """The dealer announced the best hand of a position, as its category."""

    name: ClassVar[str] = "round.announced"
    position: Position
    hand: str
    cite: str


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
    """All hands are void; the wagers that follow as settled are given back.

    What was settled before counts for nothing, but for the spots in `stands`, written as `spot` does.
    """

    name: ClassVar[str] = "round.voided"
    cause: str
    cite: str | None
    stands: tuple[str, ...] = ()


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
