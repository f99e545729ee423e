"""Feeds a procedure everything that it can be fed.

A procedure is a pure function of the results that it is given. So one *default* answer for each instruction makes a
smooth round, and every other declared outcome at every step, alone or together with another one, makes all the rest,
each path played from the start. An interrupt is an outcome like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablectl import events as e
from tablectl.engine.drive import Drive, Interrupted
from tablectl.procedure.instructions import AnyInstruction
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table, TableState


@dataclass
class Path:
    """One way through a round: what was answered at each step, and what happened."""

    results: list[object] = field(default_factory=list)
    instructions: list[AnyInstruction] = field(default_factory=list)
    events: list[e.Event] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)
    state: TableState | None = None

    def only(self, kind: type[Any]) -> list[Any]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def told(self) -> str:
        """Where the path left the smooth round, for the message of a failed check."""
        return "\n".join(
            f"{number}: {instruction!r} -> {result!r}"
            for number, (instruction, result) in enumerate(zip(self.instructions, self.results, strict=True))
        )


Answers = Callable[[AnyInstruction, Path], Sequence[object]]
"""Every declared outcome of one instruction after that path: the default first."""


def play(table: Table, answers: Answers, prefix: Sequence[object]) -> tuple[Path, list[Sequence[object]]]:
    """Play one round that begins with these results and goes on smoothly; also what else could have been answered."""
    path = Path()
    others: list[Sequence[object]] = []

    def record(step: int, instruction: AnyInstruction, result: object, events: tuple[e.Event, ...]) -> None:
        path.instructions.append(instruction)
        path.results.append(result)
        path.events += events

    def perform(step: int, instruction: AnyInstruction) -> object:
        path.stages.append(drive.stage)
        if len(path.results) < len(prefix):
            others.append(())
            return prefix[len(path.results)]
        default, *rest = answers(instruction, path)
        others.append(rest)
        return default

    drive = Drive(play_round(table), table.game.transitions, record)
    assert drive.advance(perform), "a path that goes nowhere"
    path.state = drive.value
    return path, others


def explore(
    new_table: Callable[[], Table], answers: Answers, *, further: Callable[[object], bool] | None = None
) -> Iterator[Path]:
    """The smooth path and every path with one deviation from it; those for which `further` holds go astray once more,
    by whatever else it holds for.
    """
    smooth, others = play(new_table(), answers, ())
    yield smooth
    for step, more in enumerate(others):
        for other in more:
            path, again = play(new_table(), answers, [*smooth.results[:step], other])
            yield path
            if further is None or not further(other):
                continue
            for later in range(step + 1, len(again)):
                for another in filter(further, again[later]):
                    yield play(new_table(), answers, [*path.results[:later], another])[0]


def interrupted(result: object) -> bool:
    """Whether an outcome is an irregularity that somebody noticed."""
    return isinstance(result, Interrupted)
