"""The acts of people between two rounds."""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.procedure.instructions.base import Instruction
from tablectl.records import record

__all__ = ["BarSeats", "ChangeDealer", "ClearLayout", "CloseGap", "Gap", "GiveOrder"]


@record
class ChangeDealer(Instruction[None]):
    """Another dealer takes over."""

    dealer: str
    before: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DealerChanged(self.dealer, self.before),)


@record
class GiveOrder(Instruction[None]):
    """An order goes on the record, with the badge of whoever gave it."""

    order: str
    detail: str
    number: int
    credential: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.TableOrdered(self.order, self.detail, self.number, self.credential),)


@record
class ClearLayout(Instruction[bool]):
    """Players take back every wager that still lies on the layout; False: the order that it is for is withdrawn."""

    interruptible: ClassVar[bool] = True
    cite: str


@record
class BarSeats(Instruction[None]):
    """From now on these seats, and no others, may not wager, as that clause lets it."""

    seats: tuple[int, ...]
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.SeatsBarred(self.seats, self.cite),)


@record
class Gap:
    """Rounds that were played without the controller: how many, why, and whose badge says so."""

    rounds: int
    reason: str
    credential: str


@record
class CloseGap(Instruction[None]):
    """A floorperson answers for what was played while the controller took no part."""

    gap: Gap

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.PlayedWithout(self.gap.rounds, self.gap.reason, self.gap.credential),)
