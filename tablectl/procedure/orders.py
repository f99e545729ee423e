"""Orders between two rounds: a dealer who takes over, and what a floorperson may want done (x.5(e), 657a.5(a) …)."""

from __future__ import annotations

from typing import Final

from tablectl.events import Disposition
from tablectl.procedure.barring import bar
from tablectl.procedure.cutting import cut
from tablectl.procedure.decks import all_out
from tablectl.procedure.devices import obey_upkeep_order, upkeep_orders
from tablectl.procedure.dice import inspect_dice
from tablectl.procedure.idle import begin_idle
from tablectl.procedure.instructions import (
    AnyInstruction,
    ClearLayout,
    CloseGap,
    CountCards,
    Gap,
    GiveOrder,
    Order,
)
from tablectl.procedure.irregularities import attend
from tablectl.procedure.jackpot_orders import JACKPOT_ORDERS, jackpot_orders, obey_jackpot_order
from tablectl.procedure.people import DEALER_CHANGE, change_dealer
from tablectl.procedure.questions import remove_deck
from tablectl.procedure.reconciliation import meter_orders, obey_meter_order
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Phase, Table, TableHalt
from tablectl.records import replace

__all__ = ["BAR", "PLAYED", "UNBAR", "can_be_obeyed", "obey", "possible", "prove_decks"]

RECUT, RESHUFFLE, CHANGE_DECK, CHANGE_DICE, BAR, UNBAR, NOTICE, PLAYED, CLOSE = (
    "recut",
    "reshuffle",
    "change_deck",
    "change_dice",
    "bar",
    "unbar",
    "limits_notice",
    "played_without",
    "close",
)
_BETWEEN_ROUNDS: Final = (Stage.CLOSED, Stage.OPEN)


def possible(table: Table) -> tuple[str, ...]:
    """The orders of a floorperson that can be obeyed now, in the order in which they are offered."""
    if table.stage is not Stage.OPEN or table.state.phase is not Phase.OPEN:
        return ()
    clauses = table.game.shuffle_clauses
    filed = table.game.barring(table.rules) is not None
    may = {
        RECUT: table.ready and table.was_cut,
        RESHUFFLE: table.ready and clauses is not None and not (clauses.reshuffling and table.setup.continuous),
        CHANGE_DECK if table.game.dice is None else CHANGE_DICE: bool(table.state.decks),
        UNBAR: bool(table.state.barred),
        BAR: filed and len(table.state.barred) < table.setup.seats,
        NOTICE: True,
        PLAYED: True,
        **dict.fromkeys(meter_orders(table), True),
        **dict.fromkeys(jackpot_orders(table), True),
        **dict.fromkeys(upkeep_orders(table), True),
        CLOSE: True,
    }
    return tuple(kind for kind, is_possible in may.items() if is_possible)


def can_be_obeyed(order: Order, instruction: AnyInstruction, stage: Stage) -> bool:
    """Whether the order can be given in place of this instruction's result.

    A dealer takes over before the wagers are locked, at any act that awaits a person. Rounds that were played without
    the controller may have ended the one that it still has open.
    """
    if order.kind == DEALER_CHANGE:
        return instruction.interruptible and stage in _BETWEEN_ROUNDS
    if order.kind == PLAYED:
        return instruction.interruptible and stage is not Stage.CLOSED
    return instruction.orderable


async def obey(table: Table, order: Order) -> None:
    """Do what was ordered; the round, of which nothing is dealt yet, then begins again as far as that is needed."""
    if order.kind == DEALER_CHANGE:
        await change_dealer(table, order)
        return
    if order.kind == PLAYED:
        await _close_gap(table, Gap(order.number, order.detail, order.credential))
        return
    await GiveOrder(order.kind, order.detail, order.number, order.credential)
    clause = table.game.played_with
    match order.kind:
        case "recut":
            if table.ready and table.was_cut:
                await cut(table, table.game.shuffling.recut)
        case "reshuffle":
            table.ready = False
            table.state = replace(table.state, shuffle_ordered=True)
        case "idle":
            begin_idle(table)
        case "change_deck" | "change_dice":
            raise TableHalt("deck_change_ordered", clause, ("deck_removed",), Disposition.REMOVE)
        case "bar" | "unbar":
            await _bar_or_let(table, order)
        case "meter_down" | "meter_right":
            await obey_meter_order(table, order)
        case "set_card_aside" | "replace_card" | "shuffler_back" | "shoe_back":
            await obey_upkeep_order(table, order)
        case kind if kind in JACKPOT_ORDERS:
            await obey_jackpot_order(table, order)
        case "close":
            if await attend(table, ClearLayout(clause)):
                raise TableHalt("table_closed", clause, (), Disposition.CONTINUE, order.credential)
        case _:
            pass


async def _bar_or_let(table: Table, order: Order) -> None:
    clause = table.game.barring(table.rules)
    others = [number for number in table.state.barred if number != order.number]
    if clause is not None:
        await bar(table, (*others, order.number) if order.kind == BAR else others, clause)


async def _close_gap(table: Table, gap: Gap) -> None:
    """Rounds without the controller go on the record, and no round is dealt before the decks are counted.

    Nobody can tell what became of a round that was under way: its wagers have no rows, and nothing of it is undone.
    """
    await CloseGap(gap)
    table.ready = False
    table.state = replace(table.state, gaps=(*table.state.gaps, gap), decks_unproven=True)
    if table.stage is not Stage.OPEN:
        raise TableHalt(PLAYED, table.game.played_with, ("floor_called",), Disposition.RESHUFFLE)


async def prove_decks(table: Table) -> None:
    """Count every deck at the table after rounds that the controller did not see; a wrong one leaves it.

    Dice are inspected.
    """
    if not table.state.decks_unproven:
        return
    if table.game.dice is not None:
        await inspect_dice(table, table.game.dice)
        table.state = replace(table.state, decks_unproven=False)
        return
    clause = table.clauses.count_wrong or table.game.wrong_shuffler_count or table.game.played_with
    whole = table.game.deck
    all_out(table)
    for place, deck in enumerate(table.state.decks):
        count = await attend(table, CountCards("deck", whole, whole, clause, due=True))
        assert count is not None, "a count that is due is made"
        if count.total == whole:
            continue
        if place == 0:
            raise TableHalt("deck_count", clause, ("deck_removed",), Disposition.REMOVE)
        await remove_deck(table, deck.id, clause, counted=True)
    table.counted = True
    table.state = replace(table.state, decks_unproven=False, shuffle_ordered=True)
