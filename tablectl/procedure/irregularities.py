"""What is done when something goes wrong: the one place that turns a noticed incident into the chapter's remedy.

*Local* irregularities are mended where they happen; *round-ending* ones raise `VoidRound`, which unwinds to the round's
epilogue; *standing* ones are latches of devices and never reach a running procedure, but a chapter may have one suspend
the table. Early acts, late wagers and devices' faults come here like anything that a person reports.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

from tablectl.cards import DEALER, seat
from tablectl.events import Disposition, Result
from tablectl.procedure.exposure import look_at
from tablectl.procedure.game import Irregularity, Remedy
from tablectl.procedure.instructions import (
    Ask,
    Attest,
    Choice,
    Decision,
    Incident,
    Instruction,
    Interrupt,
    Left,
    Note,
    Ordered,
)
from tablectl.procedure.people import DEALER_CHANGE, change_dealer
from tablectl.procedure.settlement import settle
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table, TableHalt, VoidRound
from tablectl.rules import Cite

__all__ = ["PLAY_ON", "VOID_HAND", "ask", "attend", "begin_decisions", "find", "handle", "note", "once", "void"]

PLAY_ON: Final = "play_on"
VOID_HAND: Final = "void_hand"
"""What a player may choose whose card was exposed."""

R = TypeVar("R")


async def attend(table: Table, instruction: Instruction[R]) -> R:
    """Await a person; an irregularity noticed meanwhile is dealt with first, then the person is awaited again.

    So is a dealer who takes over; any other order goes to the frame of the round.
    """
    while True:
        try:
            result = await instruction
        except Interrupt as interrupt:
            await handle(table, interrupt.incident)
            if not interrupt.begun:
                continue
        except Ordered as ordered:
            if ordered.order.kind != DEALER_CHANGE:
                raise
            await change_dealer(table, ordered.order)
        else:
            await look_at(table, instruction, result)
            return result
        instruction = instruction.repeated()


async def once(table: Table, instruction: Instruction[R]) -> R | Incident:
    """Await a person, and return an irregularity that came instead, unhandled: the act may have to be another then."""
    try:
        result = await instruction
    except Interrupt as interrupt:
        return interrupt.incident
    await look_at(table, instruction, result)
    return result


async def ask(table: Table, question: Ask) -> Decision | Left:
    """Await a seat's decision as `attend` does.

    A seat that leaves, or whose hand is voided, while it is asked is not asked again: the decision is then `VOID_HAND`.
    """
    while True:
        try:
            return await question
        except Interrupt as interrupt:
            await handle(table, interrupt.incident)
            if question.seat in table.left:
                return Left()
            if question.seat in table.voided:
                return Decision(VOID_HAND)
            question = question.repeated() if interrupt.begun else question


async def begin_decisions(table: Table) -> None:
    """Go over to the decisions; first come the options of players whose cards were exposed in the deal."""
    await table.enter(Stage.DECIDING)
    await _offer_options(table)


def find(table: Table, incident: Incident) -> Irregularity | None:
    """The chapter's rule for this incident as it was noticed, or None where no clause speaks of it."""
    return next((rule for rule in table.game.irregularities if rule.applies(incident, table)), None)


async def handle(table: Table, incident: Incident) -> Irregularity | None:
    """Apply the remedy and return the rule when play goes on; raise `VoidRound` when the round is over.

    `TableHalt` when the table is not to go on. What no clause speaks of is recorded, and the round is completed without
    a remedy. A floorperson is called first where the text or the filing asks for it.
    """
    rule = find(table, incident)
    table.noticed.append(incident)
    if rule is None:
        await note(incident, None, ())
        return None
    table.applied.append(rule)
    remedies = rule.remedies
    if rule.floor or incident.kind in table.setup.floor_called_for:
        await attend(table, Attest(incident.kind, "floorperson", "", rule.cite or ""))
        remedies = (*remedies, "floor_called")
    match rule.remedy:
        case Remedy.VOID | Remedy.REPLACE_DECK:
            raise _round_is_over(table, incident, rule, remedies)
        case Remedy.SUSPEND:
            assert rule.cite is not None
            raise TableHalt(incident.kind, rule.cite, tuple(dict.fromkeys(remedies)), Disposition.CONTINUE)
        case Remedy.FORFEIT:
            if incident.position is not None and rule.cite is not None:
                table.left.setdefault(incident.position.number, rule.cite)
        case Remedy.HAND_OPTION:
            await note(incident, rule.cite, remedies)
            await _option(table, incident, rule)
            return rule
        case Remedy.REPLACE_CARD:
            if incident.position is not None and rule.cite is not None:
                table.to_replace.append((incident.position, rule.cite))
        case Remedy.RESHUFFLE_DISCARDS:
            table.shoe_empty = True
        case Remedy.COVER_CARD:  # the shoe is over after this round (672a.7(d)); where it came out, the cut is offered
            table.state = replace(table.state, cover_card_at=incident.position or DEALER)
        case (
            Remedy.RECORD
            | Remedy.RESUME
            | Remedy.DISCARD
            | Remedy.RESHUFFLE
            | Remedy.RETHROW
            | Remedy.RESET_HAND
            | Remedy.REMOVE_DEVICE
            | Remedy.COVER_DEVICE
        ):
            pass
    await note(incident, rule.cite, remedies)
    return rule


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


def _round_is_over(table: Table, incident: Incident, rule: Irregularity, remedies: tuple[str, ...]) -> VoidRound:
    """What a rule that voids the round raises; wagers that it leaves to be settled are named if there are any."""
    assert rule.cite is not None
    disposition = Disposition.REMOVE if rule.remedy is Remedy.REPLACE_DECK else Disposition.RESHUFFLE
    if any(wager in rule.settles for _seat, wager, _hand in table.stakes):
        remedies = (*remedies, "bonus_settled")
    stands = tuple(table.standing) if rule.stands else ()
    return VoidRound(incident, rule.cite, remedies, disposition, rule.settles, stands)


async def _option(table: Table, incident: Incident, rule: Irregularity) -> None:
    """The player whose card was exposed may void the hand: asked at once, or as soon as the decisions begin."""
    number = 0 if incident.position is None else incident.position.number
    if number in table.seats and table.open_wagers(number):
        table.options[number] = incident, rule
        if table.stage is Stage.DECIDING:
            await _offer_options(table)


async def _offer_options(table: Table) -> None:
    """Ask the seats that have an option, clockwise; a hand that is voided has all its wagers returned."""
    for number in sorted(table.options):
        if number not in table.options:  # asked and answered while another one was
            continue
        incident, rule = table.options.pop(number)
        if number in table.left or number in table.voided:
            continue
        assert rule.cite is not None
        decision = await ask(table, Ask(number, (Choice(PLAY_ON), Choice(VOID_HAND)), rule.cite))
        if isinstance(decision, Left):
            await handle(table, Incident("player_left", seat(number)))
            table.left.setdefault(number, rule.cite)
        elif decision.verb == VOID_HAND and number not in table.voided:
            table.voided.append(number)
            await Note(incident.kind, seat(number), rule.cite, ("hand_void",))
            for _seat, wager, hand in table.open_stakes(number):
                await settle(table, number, wager, Result.VOID, rule.cite, hand=hand)
