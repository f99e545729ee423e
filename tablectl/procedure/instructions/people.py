"""The acts of people between two rounds."""

from __future__ import annotations

from tablectl import events as e
from tablectl.procedure.instructions.base import Instruction
from tablectl.records import record

__all__ = ["ChangeDealer", "GiveOrder"]


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
