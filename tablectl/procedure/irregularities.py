"""What is done when something goes wrong: the one place that turns a noticed incident into the chapter's remedy.

*Local* irregularities are mended where they happen; *round-ending* ones raise `VoidRound`, which unwinds to the round's
epilogue; *standing* ones are latches of devices and never reach a running procedure.
"""

from __future__ import annotations

from typing import TypeVar

from tablectl.events import Disposition
from tablectl.procedure.game import Irregularity, Remedy
from tablectl.procedure.instructions import Ask, Decision, Incident, Instruction, Interrupt, Left, Note
from tablectl.procedure.table import Table, VoidRound
from tablectl.rules import Cite

__all__ = ["ask", "attend", "find", "handle", "note", "void"]

R = TypeVar("R")


async def attend(table: Table, instruction: Instruction[R]) -> R:
    """Await a person; an irregularity noticed meanwhile is dealt with first, then the person is awaited again."""
    while True:
        try:
            return await instruction
        except Interrupt as interrupt:
            await handle(table, interrupt.incident)
            instruction = instruction.repeated()


async def ask(table: Table, question: Ask) -> Decision | Left:
    """Await a seat's decision as `attend` does; a seat that leaves while it is asked is not asked again."""
    while True:
        try:
            return await question
        except Interrupt as interrupt:
            await handle(table, interrupt.incident)
            if question.seat in table.left:
                return Left()
            question = question.repeated()


def find(table: Table, incident: Incident) -> Irregularity | None:
    """The chapter's rule for this incident as it was noticed, or None where no clause speaks of it."""
    return next((rule for rule in table.game.irregularities if rule.applies(incident, table)), None)


async def handle(table: Table, incident: Incident) -> None:
    """Apply the remedy; returns when play goes on, raises `VoidRound` when the round is over.

    What no clause speaks of is recorded, and the round is completed without a remedy. One card found face up is out of
    the round, a second one voids it (x.13(a)).
    """
    rule = find(table, incident)
    if rule is None:
        await note(incident, None, ())
        return
    match rule.remedy:
        case Remedy.VOID:
            assert rule.cite is not None
            raise void(incident, rule.cite)
        case Remedy.FORFEIT:
            if incident.position is not None and incident.position.number not in table.left:
                table.left.append(incident.position.number)
            await note(incident, rule.cite, ())
        case Remedy.DISCARD:
            table.face_up += 1
            if table.face_up > 1:
                assert rule.cite is not None
                raise void(incident, rule.cite)
            await note(incident, rule.cite, rule.remedy.remedies)
        case Remedy.RECORD | Remedy.RESUME | Remedy.RESHUFFLE | Remedy.REMOVE_DEVICE:
            await note(incident, rule.cite, rule.remedy.remedies)


async def note(incident: Incident, clause: Cite | None, remedies: tuple[str, ...]) -> None:
    """Put an irregularity and its remedies on the record."""
    await Note(incident.kind, incident.position, clause, remedies)


def void(
    incident: Incident,
    clause: Cite,
    remedies: tuple[str, ...] = Remedy.VOID.remedies,
    disposition: Disposition = Disposition.RESHUFFLE,
) -> VoidRound:
    """The control exception that voids the round by that clause."""
    return VoidRound(incident, clause, remedies, disposition)
