"""The deal around the table and what comes around it: burned cards, stacks, dice, numbers and the starting position."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Final

from tablectl import events as e
from tablectl.cards import BURN, DEALER, RACK, FaceDown, Position
from tablectl.procedure.instructions.base import Incident, Instruction
from tablectl.procedure.instructions.rounds import Dispensed, Drawn, Exposed, FoundFaceUp
from tablectl.records import record

__all__ = [
    "SURRENDER",
    "Burn",
    "CollectCards",
    "DealAround",
    "DealerStands",
    "DeliverStack",
    "ExposeVoided",
    "Peek",
    "Peeked",
    "ReadNumber",
    "ReaderFailed",
    "SetStart",
    "ThrowDice",
    "Thrown",
    "once_around",
]


SURRENDER: Final = "surrender"
"""What a player says who gives his hand up."""


@record
class DealAround(Instruction[Dispensed | Drawn | FoundFaceUp]):
    """Deal one card to each of these places, one after the other, the first of them the `number`th of the round.

    It ends early behind a card that was found face up, and where somebody has noticed something. The result may also be
    that of the first place only; then it is awaited again for the rest. So a table deals card by card, and a script all
    at once.
    """

    interruptible: ClassVar[bool] = True
    number: int
    places: tuple[Position, ...]

    @property
    def to(self) -> Position:
        """Where the next card goes."""
        return self.places[0]

    def events(self, result: object) -> tuple[e.Event, ...]:
        if type(result) is Dispensed:
            if FoundFaceUp not in map(type, result.cards):
                return _all_dealt(self.number, self.places[: len(result.cards)])
            dealt = e.CardDealt
            first = self.number
            return tuple(
                [
                    dealt(first + n, RACK, item.card) if type(item) is FoundFaceUp else dealt(first + n, place, None)
                    for n, (item, place) in enumerate(zip(result.cards, self.places, strict=False))
                ]
            )
        if isinstance(result, FoundFaceUp):
            return (e.CardDealt(self.number, RACK, result.card),)
        return (e.CardDealt(self.number, self.to, None),)


@lru_cache(maxsize=1024)
def once_around(places: tuple[Position, ...]) -> tuple[Position, ...]:
    """The places of one round, where cards go to the same ones in each round; else all of them."""
    around = tuple(dict.fromkeys(places))
    return around if around and places == around * (len(places) // len(around)) else places


@lru_cache(maxsize=1024)
def _all_dealt(first: int, places: tuple[Position, ...]) -> tuple[e.Event, ...]:
    """A card face down to each of these places; hands are mostly dealt to the same ones as before."""
    return tuple([e.CardDealt(number, place, None) for number, place in enumerate(places, first)])


@record
class Burn(Instruction[Drawn | FoundFaceUp]):
    """Take the `number`th card of the round off, face down, before others are dealt."""

    interruptible: ClassVar[bool] = True
    number: int
    cite: str

    @property
    def to(self) -> Position:
        """Where it goes."""
        return BURN

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, FoundFaceUp):
            return (e.CardDealt(self.number, RACK, result.card),)
        return (e.CardDealt(self.number, BURN, None),)


@record
class DeliverStack(Instruction[None]):
    """A stack that lies before the dealer goes to its position; what was noticed as stacks were made comes before."""

    interruptible: ClassVar[bool] = True

    stack: Position
    to: Position

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.StackDelivered(self.stack, self.to),)


@record
class CollectCards(Instruction[None]):
    """So many cards of a position go to the discard rack without being exposed."""

    position: Position
    cards: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.CardsCollected(self.position, self.cards, self.cite),)


@record
class ExposeVoided(Instruction[Exposed]):
    """Turn up the cards of a hand that is void, for a wager that is settled all the same; nothing can come between."""

    position: Position
    cards: tuple[FaceDown, ...]

    @property
    def place(self) -> int:
        """The cards of a player's hand are not numbered."""
        return 0

    @property
    def among(self) -> tuple[FaceDown, ...]:
        """It is known which cards lie there."""
        return ()

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Exposed)
        return (e.CardsExposed(self.position, 0, result.cards),)


@record
class Peeked:
    """The card reader has told whether the hole card makes a Blackjack: that one bit, and never which card it is.

    `surrendered` are the seats that have given up before.
    """

    blackjack: bool
    surrendered: tuple[int, ...] = ()


@record
class ReaderFailed:
    """The card reader does not work: it could not tell."""


@record
class Peek(Instruction[Peeked | ReaderFailed | None]):
    """Move the hole card face down into the reader, which nobody sees it by (672a.7(g), 673a.7(h)).

    A peek that is not `due`, as the card turned up rules a Blackjack out, is not made, and its result is None; a dealer
    who makes it all the same interrupts. Until the card is read, these `seats` may surrender (673a.9(a)(2)).
    """

    interruptible: ClassVar[bool] = True
    cite: str
    due: bool
    seats: tuple[int, ...] = ()

    def events(self, result: object) -> tuple[e.Event, ...]:
        if not isinstance(result, Peeked):
            return ()
        given_up = (e.SeatDecided(seat, SURRENDER, None, ()) for seat in result.surrendered)
        return (*given_up, e.HoleCardPeeked(result.blackjack, self.cite))


@record
class DealerStands(Instruction[None]):
    """The dealer draws no card any more: he announces the point count of his hand, and goes on to settle."""

    interruptible: ClassVar[bool] = True
    total: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.HandAnnounced(DEALER, self.total, self.cite),)


@record
class Thrown:
    """The dice as they lie, and what is wrong with the throw or its announcement, if anything."""

    faces: tuple[int, ...]
    incident: Incident | None = None


@record
class ThrowDice(Instruction[Thrown]):
    """Shake the dice at least three times, then uncover or throw them: the `number`th time in this round.

    `flat`: they stay in the shaker, and a die that does not lie flat in it makes it no roll; else they are thrown.
    """

    interruptible: ClassVar[bool] = True
    number: int
    dice: int
    flat: bool
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Thrown)
        return (e.DiceThrown(self.number, result.faces, None if result.incident is None else result.incident.kind),)


@record
class ReadNumber(Instruction[int]):
    """Let the random number generator choose a whole number from `low` to `high`."""

    interruptible: ClassVar[bool] = True
    low: int
    high: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, int)
        return (e.NumberChosen(result),)


@record
class SetStart(Instruction[None]):
    """The deal, or the delivery of the stacks, begins at this position."""

    position: Position
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.StartChosen(self.position, self.cite),)
