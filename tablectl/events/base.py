"""What all events have in common."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

__all__ = ["Disposition", "Event", "Outcome", "Result"]


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
