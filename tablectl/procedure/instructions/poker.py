"""The acts of the poker room: the deal around the table, forced bets, betting, showdown and pots.

An act that is done for several places may have a result for the first of them only, as `DealAround` may.
"""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.cards import COMMUNITY, Card, FaceDown, Position, seat
from tablectl.money import ZERO, Money
from tablectl.procedure.instructions.base import Instruction
from tablectl.procedure.instructions.dealing import DealAround
from tablectl.procedure.instructions.rounds import Ask, Decision, Exposed
from tablectl.records import record

__all__ = [
    "AskBet",
    "AwardPot",
    "BeginDeal",
    "Conceded",
    "DealForButton",
    "FormPots",
    "GiveButton",
    "PostBet",
    "ReturnBet",
    "SeatPlayers",
    "SettlePots",
    "Show",
    "TakeRake",
    "TurnFaceUp",
    "TurnUpForButton",
]

_POT = "pot"


@record
class SeatPlayers(Instruction[None]):
    """These seats take part with these stacks; the button, if there is one, lies before that seat."""

    seats: tuple[int, ...]
    stacks: tuple[Money, ...]
    button: int | None
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        seated = [e.PlayerSeated(number, stack) for number, stack in zip(self.seats, self.stacks, strict=True)]
        return (*seated, *(() if self.button is None else (e.ButtonPlaced(self.button, self.cite),)))


@record
class PostBet(Instruction[None]):
    """A player places an ante, a blind, a straddle or a forced bet.

    What was noticed at the last card before comes first.
    """

    interruptible: ClassVar[bool] = True
    seat: int
    bet: str
    amount: Money
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        posted = e.BetPosted(self.seat, self.bet, self.amount, self.cite)
        return posted, e.WagerMade(self.seat, _POT, 0, self.amount)


@record
class BeginDeal(Instruction[tuple[int, ...] | None]):
    """The dealer begins to deal to these seats in this order; the result is another one if he does it wrong."""

    seats: tuple[int, ...]
    cite: str


@record
class TurnFaceUp(Instruction[Exposed]):
    """Turn up one card at each of these places; `first` is the number of the first of them at its place."""

    interruptible: ClassVar[bool] = True
    at: tuple[Position, ...]
    first: int
    down: tuple[FaceDown, ...]

    @property
    def position(self) -> Position:
        """Where the next card lies."""
        return self.at[0]

    @property
    def place(self) -> int:
        """Its number there."""
        return self.first

    @property
    def cards(self) -> tuple[FaceDown, ...]:
        """The next card."""
        return self.down[:1]

    @property
    def among(self) -> tuple[FaceDown, ...]:
        """It is known which card lies there."""
        return ()

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Exposed)
        return tuple(
            [
                e.CardsExposed(place, self.first + (n if place is COMMUNITY else 0), (card,))
                for n, (place, card) in enumerate(zip(self.at, result.cards, strict=False))
            ]
        )


@record
class DealForButton(DealAround):
    """Deal a single card to each of these places, by whose rank the button is given away; before any bet."""


@record
class TurnUpForButton(TurnFaceUp):
    """These single cards lie face up before everybody."""

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Exposed)
        shown = zip(self.at, result.cards, strict=False)
        return tuple([e.ButtonCardShown(place.number, card) for place, card in shown])


@record
class GiveButton(Instruction[None]):
    """The button goes before the seat that has been dealt this card."""

    seat: int
    card: Card
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.ButtonDrawn(self.seat, self.card, self.cite),)


@record
class AskBet(Ask):
    """Ask a seat to bet; `bet` is what it has bet in this betting round already.

    A bet or a raise names what that comes to then: from `least` to `most` in multiples of `unit`, or exactly `most`.
    """

    bet: Money = ZERO
    least: Money = ZERO
    most: Money = ZERO
    unit: Money = ZERO

    def allows(self, total: Money) -> bool:
        """Whether a bet or a raise may come to that."""
        return total == self.most or (self.least <= total <= self.most and total % self.unit == 0)

    def events(self, result: object) -> tuple[e.Event, ...]:
        seat = self.seat
        if type(result) is not Decision:
            return (*self.interrupted(), e.SeatDecided(seat, "leave", None, ()))
        amount = result.amount
        decided = e.SeatDecided(seat, result.verb, amount, ())
        if self.again:
            asked: tuple[e.Event, ...] = (decided,)
        else:
            asked = e.SeatAsked(seat, tuple([choice.verb for choice in self.choices]), 0), decided
        if not amount:
            return asked
        chips = amount if result.verb == "call" else Money(amount - self.bet)
        return (*asked, e.WagerMade(seat, _POT, 0, chips))


@record
class ReturnBet(Instruction[None]):
    """What nobody has called goes back (637a.17(d)), or what a player is refunded (637a.18(k)(3))."""

    seat: int
    amount: Money
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.BetReturned(self.seat, self.amount, self.cite),)


@record
class TakeRake(Instruction[None]):
    """So much lies in the rake area now."""

    total: Money
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.RakeTaken(self.total, self.cite),)


@record
class FormPots(Instruction[None]):
    """The pots as they are to be won; what is taken off them goes into the drop box and the boxes of the funds."""

    pots: tuple[e.PotFormed, ...]

    def events(self, result: object) -> tuple[e.Event, ...]:
        return self.pots


@record
class Conceded:
    """The player discards the hand unseen."""


@record
class Show(Instruction[Exposed | Conceded]):
    """A player shows the whole hand, or discards it as a losing one if he `may_concede` (637a.18(e))."""

    interruptible: ClassVar[bool] = True
    seat: int
    cards: tuple[FaceDown, ...]
    may_concede: bool
    cite: str
    among: tuple[FaceDown, ...] = ()

    @property
    def position(self) -> Position:
        """Whose cards they are."""
        return seat(self.seat)

    @property
    def place(self) -> int:
        """The cards of a whole hand are not numbered."""
        return 0

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, Exposed):
            return (e.HandShown(self.seat, result.cards),)
        return (e.HandConceded(self.seat),)


@record
class AwardPot(Instruction[None]):
    """A share of a pot is pushed to a seat."""

    award: e.PotAwarded

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (self.award,)


@record
class SettlePots(Instruction[None]):
    """What became of everything that the seats have put in, as one row for each of them."""

    rows: tuple[e.WagerSettled, ...]

    def events(self, result: object) -> tuple[e.Event, ...]:
        return self.rows
