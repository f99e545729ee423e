"""What comes around the cards of a deal: burned cards, stacks, dice, numbers and the starting position."""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.cards import BURN, RACK, FaceDown, Position
from tablectl.procedure.instructions.base import Incident, Instruction
from tablectl.procedure.instructions.rounds import Drawn, Exposed, FoundFaceUp
from tablectl.records import record

__all__ = ["Burn", "CollectCards", "DeliverStack", "ExposeVoided", "ReadNumber", "SetStart", "ThrowDice", "Thrown"]


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
    """A stack that lies before the dealer goes to its position."""

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
