"""What only pai gow games tell of: the shaker after the deal, two areas of one player, a result before it is paid."""

from __future__ import annotations

from typing import ClassVar

from tablectl.events.base import Event
from tablectl.records import record

__all__ = ["ResultAnnounced", "SeatsShared", "ShakerCovered"]


@record
class ShakerCovered(Event):
    """After the deal the shaker was covered, shaken once, and set to the dealer's right."""

    name: ClassVar[str] = "round.shaker_covered"
    cite: str


@record
class SeatsShared(Event):
    """One player plays these two adjacent seats in this round."""

    name: ClassVar[str] = "round.shared"
    seats: tuple[int, ...]


@record
class ResultAnnounced(Event):
    """The dealer announced how a seat's wager fares: ``win``, ``lose`` or ``push``; it is not paid yet."""

    name: ClassVar[str] = "round.result"
    seat: int
    result: str
    cite: str
