"""What is done when something goes wrong: the one place that turns a noticed incident into the chapter's remedy.

*Local* irregularities are mended where they happen; *round-ending* ones raise `VoidRound`, which unwinds to the round's
epilogue; *standing* ones are latches of devices and never reach a running procedure, but a chapter may have one suspend
the table. Early acts, late wagers and devices' faults come here like anything that a person reports.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from tablectl.cards import DEALER, seat
from tablectl.events import Disposition, Result
from tablectl.procedure.exposure import look_at, may_be_wrong
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
from tablectl.procedure.settlement import settle_all, settled
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import BeginAgain, Table, TableHalt, VoidRound
from tablectl.records import replace
from tablectl.rules import Cite

__all__ = [
    "PLAY_ON",
    "VOID_HAND",
    "ask",
    "ask_while",
    "attend",
    "begin_decisions",
    "find",
    "handle",
    "note",
    "once",
    "void",
]

PLAY_ON: Final = "play_on"
VOID_HAND: Final = "void_hand"
"""What a player may choose whose card was exposed."""

_OUT_OF_SERVICE: Final = (Remedy.REMOVE_DEVICE, Remedy.COVER_DEVICE)

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
            if (turned_up := table.shown.take(instruction, result)) and may_be_wrong(table, turned_up):
                await look_at(table, turned_up)
            return result
        instruction = instruction.repeated()


async def once(table: Table, instruction: Instruction[R]) -> R | Incident:
    """Await a person, and return an irregularity that came instead, unhandled: the act may have to be another then."""
    try:
        result = await instruction
    except Interrupt as interrupt:
        return interrupt.incident
    if (turned_up := table.shown.take(instruction, result)) and may_be_wrong(table, turned_up):
        await look_at(table, turned_up)
    return result


async def ask(table: Table, question: Ask, anew: Callable[[Ask], Ask] = lambda same: same) -> Decision | Left:
    """Await a seat's decision as `attend` does.

    A seat that leaves, or whose hand is voided, while it is asked is not asked again: the decision is then `VOID_HAND`.
    `anew` is what the question becomes after an irregularity.
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
            question = anew(question.repeated() if interrupt.begun else question)


async def ask_while(
    table: Table, question: Callable[[bool], Ask], goes_on: Callable[[], Coroutine[Any, Any, bool]]
) -> Decision | Left | None:
    """Await a seat's decision; after an irregularity `goes_on` does what is the game's own to do.

    It says whether the seat is still to be asked: then the question is made anew (`question`, told whether it has been
    asked before). Else there is no decision.
    """
    begun = False
    while True:
        try:
            return await question(begun)
        except Interrupt as interrupt:
            await handle(table, interrupt.incident)
            begun = begun or interrupt.begun
            if not await goes_on():
                return None


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
    if rule is not None and rule.remedy in _OUT_OF_SERVICE:
        assert table.stage is Stage.OPEN, "a device is covered or taken away between two rounds"
        raise BeginAgain(incident, shuffle=False)  # carried out there, and then it is on the record
    if rule is None or (rule.remedy is Remedy.RESHUFFLE and _is_of_another_deck(table)):
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
        case remedy:
            _set_about(table, incident, rule)
    await note(incident, rule.cite, remedies)
    if remedy is Remedy.HAND_OPTION:
        await _option(table, incident, rule)
    elif remedy is Remedy.RESHUFFLE and table.ready:  # found when the shuffle was thought to be done
        raise BeginAgain(incident, shuffle=True)
    return rule


def _set_about(table: Table, incident: Incident, rule: Irregularity) -> None:
    """Leave word of what has to be done for those remedies that are carried out in the course of the round."""
    where, clause = incident.position, rule.cite
    match rule.remedy:
        case Remedy.FORFEIT if where is not None and clause is not None:
            table.left.setdefault(where.number, clause)
        case Remedy.BY_THE_GAME:
            table.for_the_game.append((incident, rule))
        case Remedy.REPLACE_CARD if where is not None and clause is not None:
            table.to_replace.append((where, clause))
        case Remedy.RESHUFFLE_DISCARDS:
            table.shoe_empty = True
        case Remedy.COVER_CARD:  # the shoe is over after this round (672a.7(d)); where it came out, the cut is offered
            table.state = replace(table.state, cover_card_at=where or DEALER)
        case _:
            pass


def _is_of_another_deck(table: Table) -> bool:
    """Whether the shuffler has other cards in it than those that are ready: these are shuffled before their turn."""
    return table.ready and (table.game.shuffling.per_shoe or len(table.state.decks) > 1)


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
            back = table.open_stakes(number)
            await settle_all([settled(table, *spot[:2], Result.VOID, rule.cite, hand=spot[2]) for spot in back])
