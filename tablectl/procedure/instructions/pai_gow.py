"""What pai gow games have of their own: the shaker after the deal, two areas of one player, hands not yet seen."""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.cards import FaceDown, Position
from tablectl.procedure.instructions.base import Instruction
from tablectl.procedure.instructions.rounds import Exposed
from tablectl.records import record

__all__ = ["AnnounceResult", "CoverShaker", "SharedSeats", "Surrendered", "TurnUpHands"]


@record
class CoverShaker(Instruction[None]):
    """Cover the shaker, shake it once, and set it to the dealer's right (561.12(b), 670a.5(i)(1)(iv))."""

    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.ShakerCovered(self.cite),)


@record
class SharedSeats(Instruction[tuple[int, ...]]):
    """Tell which of these adjacent seats are one player's: a pair goes by its lower seat, in the result as well."""

    interruptible: ClassVar[bool] = True
    pairs: tuple[int, ...]
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, tuple)
        return tuple(e.SeatsShared((lower, lower + 1)) for lower in result)


@record
class Surrendered:
    """The player at that seat has announced that he surrenders."""

    seat: int


@record
class TurnUpHands(Instruction[Exposed | Surrendered]):
    """Turn the cards of a position up, unless one of these seats surrenders before that."""

    interruptible: ClassVar[bool] = True
    position: Position
    cards: tuple[FaceDown, ...]
    surrender: tuple[int, ...]

    @property
    def place(self) -> int:
        """The cards are turned up together."""
        return 0

    @property
    def among(self) -> tuple[FaceDown, ...]:
        """It is known which cards lie there."""
        return ()

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, Exposed):
            return (e.CardsExposed(self.position, 0, result.cards),)
        assert isinstance(result, Surrendered)
        return (e.SeatDecided(result.seat, "surrender", None, ()),)


@record
class AnnounceResult(Instruction[None]):
    """Announce how a seat's wager fares: ``win``, ``lose`` or ``push``; winners are paid later (561.13(f), (l))."""

    seat: int
    result: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.ResultAnnounced(self.seat, self.result, self.cite),)
