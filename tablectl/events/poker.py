"""The poker room: stacks, blinds, pots, and who won them."""

from __future__ import annotations

from typing import ClassVar

from tablectl.cards import Card
from tablectl.events.base import Event
from tablectl.money import Money
from tablectl.records import record

__all__ = [
    "BetPosted",
    "BetReturned",
    "ButtonCardShown",
    "ButtonDrawn",
    "ButtonPlaced",
    "HandConceded",
    "HandShown",
    "PlayerSeated",
    "PotAwarded",
    "PotFormed",
    "RakeTaken",
]


@record
class PlayerSeated(Event):
    """A player takes part with so much in front of him."""

    name: ClassVar[str] = "round.seated"
    seat: int
    stack: Money


@record
class ButtonPlaced(Event):
    """The button lies in front of that seat."""

    name: ClassVar[str] = "round.button"
    seat: int
    cite: str


@record
class ButtonCardShown(Event):
    """A player's single card for the button lies face up; it is no card of the round, and is shuffled in again."""

    name: ClassVar[str] = "round.button_card"
    seat: int
    card: Card


@record
class ButtonDrawn(Event):
    """The button goes to that seat, by the rank of its card (637a.12(c)(1)(ii), 637a.13(c)(1)(ii))."""

    name: ClassVar[str] = "round.button_drawn"
    seat: int
    card: Card
    cite: str


@record
class BetPosted(Event):
    """A bet that a player has to place was placed: `bet` is an ante, a blind, a straddle, a kill or a forced bet."""

    name: ClassVar[str] = "round.posted"
    seat: int
    bet: str
    amount: Money
    cite: str


@record
class BetReturned(Event):
    """What nobody has called of a bet, or what a player is refunded, goes back."""

    name: ClassVar[str] = "round.bet_returned"
    seat: int
    amount: Money
    cite: str


@record
class RakeTaken(Event):
    """So much has gone into the rake area in the round until now (637a.17(b)(1)(i), (2)(i))."""

    name: ClassVar[str] = "round.raked"
    total: Money
    cite: str


@record
class PotFormed(Event):
    """A pot is to be won by one of these seats: its amount, and what is taken off it before."""

    name: ClassVar[str] = "round.pot"
    pot: str
    seats: tuple[int, ...]
    amount: Money
    rake: Money
    bad_beat: Money
    high_hand: Money


@record
class HandShown(Event):
    """A player has shown all cards at the showdown."""

    name: ClassVar[str] = "round.shown"
    seat: int
    cards: tuple[Card, ...]


@record
class HandConceded(Event):
    """A player has discarded the hand at the showdown without showing it (637a.18(e))."""

    name: ClassVar[str] = "round.conceded"
    seat: int


@record
class PotAwarded(Event):
    """A share of a pot went to a seat; `part` is ``high`` or ``low``."""

    name: ClassVar[str] = "round.awarded"
    pot: str
    seat: int
    part: str
    amount: Money
    cite: str
