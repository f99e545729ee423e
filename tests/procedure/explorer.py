"""Feeds a procedure everything that it can be fed.

A procedure is a pure function of the results that it is given. So one *default* answer for each instruction makes a
smooth round, and every other declared outcome, alone or together with another one, makes the rest, each path played
from the start. An interrupt is an outcome like any other. Ordinary runs try each at the first and the last of like
steps, and each two together once; `make explore` tries them at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablectl import events as e
from tablectl.engine.drive import Drive, Interrupted
from tablectl.procedure.instructions import AnyInstruction
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table, TableState
from tests.support import EXPLORE_ALL, first_and_last


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
    """The smooth path and paths with one deviation from it; those for which `further` holds go astray once more, by
    whatever else it holds for.
    """
    smooth, others = play(new_table(), answers, ())
    yield smooth
    astray = [(step, place) for step, more in enumerate(others) for place in range(len(more))]
    tried: set[Hashable] = set()
    for number in first_and_last([_kind(smooth, step, place, others[step][place]) for step, place in astray]):
        step, place = astray[number]
        other = others[step][place]
        path, again = play(new_table(), answers, [*smooth.results[:step], other])
        yield path
        if further is None or not further(other):
            continue
        for later in range(step + 1, len(again)):
            for later_place, another in enumerate(again[later]):
                if not further(another):
                    continue
                both = _said(place, other), _kind(path, later, later_place, another)
                if EXPLORE_ALL or both not in tried:
                    tried.add(both)
                    yield play(new_table(), answers, [*path.results[:later], another])[0]


def _kind(path: Path, step: int, place: int, other: object) -> Hashable:
    """What makes two deviations alike: the instruction, for whom it is, the stage, and what is answered."""
    instruction = path.instructions[step]
    whom = getattr(instruction, "to", None) or getattr(instruction, "position", None)
    return type(instruction), getattr(whom, "kind", ""), path.stages[step], _said(place, other)


def _said(place: int, other: object) -> Hashable:
    """An irregularity is itself wherever it is noticed; of results cards and amounts do not count."""
    return other if isinstance(other, Interrupted) else (type(other), getattr(other, "verb", ""), place)


def interrupted(result: object) -> bool:
    """Whether an outcome is an irregularity that somebody noticed."""
    return isinstance(result, Interrupted)
