"""The one loop that drives a procedure, whoever performs its instructions: a script, a live table or a replay."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from enum import Enum
from typing import Any, Final, Generic, Protocol, TypeVar

from tablectl.events import Event
from tablectl.procedure.instructions import AnyInstruction, Enter, Incident, Interrupt, Order, Ordered
from tablectl.procedure.stages import Guard, Transitions
from tablectl.records import record

__all__ = ["PENDING", "Drive", "Interrupted", "Perform", "Record"]

S = TypeVar("S")


class _Pending(Enum):
    PENDING = "pending"


PENDING: Final = _Pending.PENDING
"""What a performer answers while it has no result yet."""


@record
class Interrupted:
    """In place of a result: an irregularity or an order that is thrown at the instruction.

    Not `begun`: it was noticed before, and nobody has been asked for the act yet.
    """

    incident: Incident | Order
    begun: bool = True


Perform = Callable[[int, AnyInstruction], object]
"""Step number and instruction to its result, to `Interrupted`, or to `PENDING`."""


class Record(Protocol):
    """Takes note of one finished step: number, instruction, result, and the events that follow from the two."""

    def __call__(self, step: int, instruction: AnyInstruction, result: object, events: tuple[Event, ...]) -> None:
        """Called once for each step, in order, before the next instruction is known."""


class Drive(Generic[S]):
    """One procedure on its way: `instruction` is the outstanding one (None at the end), `value` what it returned."""

    __slots__ = ("_guard", "_procedure", "_record", "_send", "instruction", "step", "value")

    def __init__(self, procedure: Coroutine[Any, Any, S], transitions: Transitions, record: Record) -> None:
        self._procedure = procedure
        self._send = procedure.send
        self._guard = Guard(transitions)
        self._record = record
        self.step = 0
        self.instruction: AnyInstruction | None = None
        self.value: S | None = None
        self._go(None)

    @property
    def stage(self) -> str:
        """The stage that the round is in."""
        return self._guard.stage.value

    def advance(self, perform: Perform) -> bool:
        """Go on until the procedure ends (True) or `perform` has no result for the outstanding instruction (False)."""
        record, send, allowed = self._record, self._send, self._guard.allowed
        instruction, step = self.instruction, self.step
        while instruction is not None:
            result = perform(step, instruction)
            if result is PENDING:
                return False
            if type(result) is Interrupted:
                record(step, instruction, result, instruction.interrupted() if result.begun else ())
                self._go(None, _thrown(result))
                instruction, step, allowed = self.instruction, self.step, self._guard.allowed
                continue
            record(step, instruction, result, instruction.events(result))
            try:  # what `_go` does, here as most of the time of a script is spent in this loop
                self.instruction = instruction = send(result)
            except StopIteration as end:
                self.instruction = None
                self.value = end.value
                return True
            self.step = step = step + 1
            kind = type(instruction)
            if kind is Enter or kind not in allowed:
                self._guard.check(instruction)
                allowed = self._guard.allowed
        return True

    def close(self) -> None:
        """Give the procedure up where it stands."""
        self._procedure.close()

    def _go(self, result: object, interrupt: Interrupt | Ordered | None = None) -> None:
        try:
            instruction = self._send(result) if interrupt is None else self._procedure.throw(interrupt)
        except StopIteration as end:
            self.instruction = None
            self.value = end.value
            return
        self.step += 1
        self.instruction = instruction
        kind = type(instruction)
        if kind is Enter or kind not in self._guard.allowed:
            self._guard.check(instruction)


def _thrown(by: Interrupted) -> Interrupt | Ordered:
    what = by.incident
    return Ordered(what) if isinstance(what, Order) else Interrupt(what, begun=by.begun)
