"""Decisions that players make together, the cards that they exchange, and the hands that they set."""

from __future__ import annotations

from typing import ClassVar, Final

from tablectl import events as e
from tablectl.cards import Card, FaceDown, Position, seat
from tablectl.procedure.instructions.base import Instruction
from tablectl.procedure.instructions.rounds import Stake
from tablectl.records import record

__all__ = [
    "Declaration",
    "Declare",
    "Discard",
    "Discarded",
    "LockDecisions",
    "PlaceLammers",
    "SetHands",
    "Withdraw",
]

_NOTHING: Final = "nothing"


@record
class Declaration:
    """A seat says that its hand is a winning one of that kind; the cards lie face down before it."""

    seat: int
    what: str


@record
class Declare(Instruction[tuple[Declaration, ...]]):
    """Let these seats declare winning hands of these kinds; `again`: one of them has declared something before."""

    interruptible: ClassVar[bool] = True
    seats: tuple[int, ...]
    kinds: tuple[str, ...]
    cite: str
    again: bool = False

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, tuple)
        said = {declared.seat: declared.what for declared in result}
        told = self.seats if self.again else tuple(number for number in self.seats if number in said)
        return tuple(e.HandDeclared(number, said.get(number, _NOTHING)) for number in told)


@record
class LockDecisions(Instruction[int | None]):
    """Announce that all decisions are locked in; the result is a seat that wants to decide anew before that, if any."""

    interruptible: ClassVar[bool] = True
    seats: tuple[int, ...]
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DecisionsLocked(self.cite),) if result is None else ()


@record
class Withdraw(Instruction[None]):
    """A seat that decides anew takes back the wager of its decision."""

    stake: Stake

    def events(self, result: object) -> tuple[e.Event, ...]:
        s = self.stake
        return (e.WagerWithdrawn(s.seat, s.wager, s.hand, s.amount),)


@record
class Discarded:
    """So many cards went to the discard rack; `places` are theirs in the hand, from 0, where they are known."""

    count: int
    places: tuple[int, ...] = ()


@record
class Discard(Instruction[Discarded]):
    """Let a seat throw away from `least` to `most` of its cards, face down, to be replaced."""

    interruptible: ClassVar[bool] = True
    seat: int
    cards: tuple[FaceDown, ...]
    least: int
    most: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Discarded)
        return (e.CardsCollected(seat(self.seat), result.count, self.cite),)


@record
class PlaceLammers(Instruction[tuple[int, ...]]):
    """Place a lammer next to the wagers of these seats, and of those in `asked` that have one of enough, too.

    The result are all seats with a lammer; `asked` are those whose amount nobody but the dealer can see.
    """

    interruptible: ClassVar[bool] = True
    seats: tuple[int, ...]
    asked: tuple[int, ...]
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, tuple)
        return (e.LammersPlaced(result, self.cite),)


@record
class SetHands(Instruction[tuple[Card, ...]]):
    """The open cards of a position are its high hand and its low hand; the result is the low one, of `count` cards.

    `low` are those cards where it is known which they are: the dealer's, or those of a player who left it to him.
    """

    interruptible: ClassVar[bool] = True
    position: Position
    cards: tuple[Card, ...]
    low: tuple[Card, ...]
    count: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, tuple)
        high = list(self.cards)
        for card in result:
            high.remove(card)  # once: what was turned up is told as it lay there, even a card that was there twice
        return (e.HandsSet(self.position, tuple(high), result, self.cite),)
