"""The acts of a game of dice: how a set of dice comes, and what a throw comes to."""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.procedure.instructions.base import Instruction
from tablectl.procedure.instructions.decks import NewDeck
from tablectl.records import record

__all__ = ["CallDice", "ReceiveDice"]


@record
class ReceiveDice(Instruction[NewDeck]):
    """A floorperson brings a set of so many `dice`; `number` is that of the set at this table."""

    interruptible: ClassVar[bool] = True
    number: int
    dice: int

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, NewDeck)
        return (e.DiceReceived(result.deck, self.dice, result.credential),)


@record
class CallDice(Instruction[None]):
    """Call out the face that occurs most, and move the dice that show it into its box, in the open (675a.4(d), (e)).

    `count` dice show it, `more` of which have just come.
    """

    interruptible: ClassVar[bool] = True
    face: int
    count: int
    more: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DiceCalled(self.face, self.count, self.cite),)
