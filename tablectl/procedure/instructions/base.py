"""What all acts have in common, and the irregularities that may come between."""

from __future__ import annotations

from collections.abc import Generator
from typing import ClassVar, Generic, Self, TypeAlias, TypeVar

from tablectl import events as e
from tablectl.cards import Position
from tablectl.records import record

__all__ = ["AnyInstruction", "Incident", "Instruction", "Interrupt", "Order", "Ordered"]

R_co = TypeVar("R_co", covariant=True)


@record
class Incident:
    """An irregularity as it was noticed: its kind and what was said of it.

    `card` is the number of the card at which it was noticed, where that is known.
    """

    kind: str
    position: Position | None = None
    exposed: bool = False
    count: int | None = None
    misdealt: bool = False
    then: str | None = None
    which: int | None = None
    sides: int | None = None
    total: int | None = None
    protected: bool = False
    reconstructed: bool = False
    blameless: bool = False
    card: int | None = None


@record
class Order:
    """What somebody with the right to it wants done between two rounds: `kind` says what, `credential` who.

    `detail` and `number` are what the order is about (a dealing method, a deck's number, rounds …).
    """

    kind: str
    credential: str
    detail: str = ""
    number: int = 0


class Interrupt(BaseException):
    """An irregularity delivered where a person was awaited. A control exception: procedures never catch it.

    Not `begun`: the person had not been asked yet.
    """

    def __init__(self, incident: Incident, *, begun: bool = True) -> None:
        self.incident = incident
        self.begun = begun
        super().__init__(incident.kind)


class Ordered(BaseException):
    """An order delivered where one can be given. A control exception: it unwinds to the frame of the round."""

    def __init__(self, order: Order) -> None:
        self.order = order
        super().__init__(order.kind)


class Instruction(Generic[R_co]):
    """Base of all acts; awaiting one hands it to the driver and returns its result.

    `interruptible`: an irregularity may come instead of the result. `orderable`: an `Order` may, too.
    """

    __slots__ = ()
    interruptible: ClassVar[bool] = False
    orderable: ClassVar[bool] = False

    def __await__(self) -> Generator[Instruction[R_co], R_co, R_co]:
        result = yield self
        return result

    def events(self, result: object) -> tuple[e.Event, ...]:
        """What happened at the table when this act had that result."""
        return ()

    def interrupted(self) -> tuple[e.Event, ...]:
        """What had happened already when the act was interrupted."""
        return ()

    def repeated(self) -> Self:
        """The act as it is awaited again after an interrupt."""
        return self


AnyInstruction: TypeAlias = Instruction[object]
