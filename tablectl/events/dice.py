"""Dice: how a set of them comes, and what a throw has come to."""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.records import record

__all__ = ["DiceCalled", "DiceReceived"]


@record
class DiceReceived(Event):
    """A set of so many dice came to the table, where it takes the place of a deck; `credential` brought it.

    `credential` is empty in a script.
    """

    name: ClassVar[str] = "dice.received"
    deck: str
    dice: int
    credential: str


@record
class DiceCalled(Event):
    """The face that occurs most in a throw that counts, and how many dice show it; they lie in its box, uncovered.

    After an extra roll `count` has the dice in it that lay there before.
    """

    name: ClassVar[str] = "round.called"
    face: int
    count: int
    cite: str
