"""The frame of every round: deck, shuffle, the chapter's round of play, the void epilogue, closing."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from tablectl.events import Disposition, Outcome, Result, WagerSettled, spot
from tablectl.money import ZERO
from tablectl.procedure.barring import bar_absent
from tablectl.procedure.cutting import into_the_shoe
from tablectl.procedure.decks import deck_clock, decks_wanted, in_turn, warn_of_change
from tablectl.procedure.devices import (
    check_after_round,
    device_of,
    devices_out_of_service,
    latch_standing,
    repair_standing,
    take_out_of_service,
)
from tablectl.procedure.exposure import look_for_order
from tablectl.procedure.instructions import (
    CloseRound,
    DeclareVoid,
    Incident,
    Note,
    Now,
    OpenRound,
    Ordered,
    Stake,
)
from tablectl.procedure.opening import close_table, open_table, receive_deck
from tablectl.procedure.orders import obey, prove_decks
from tablectl.procedure.progressive import document_hand_pays, undo_lock_outs
from tablectl.procedure.questions import clear_questions, remove_deck
from tablectl.procedure.reconciliation import reconcile
from tablectl.procedure.settlement import settle_all
from tablectl.procedure.shown import ShoeMemory
from tablectl.procedure.shuffling import shuffle_and_cut
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import BeginAgain, Phase, Table, TableHalt, TableState, VoidRound
from tablectl.records import replace

__all__ = ["next_procedure", "play_round"]


def next_procedure(table: Table) -> Coroutine[Any, Any, TableState]:
    """What a table does next: it opens, or plays a round."""
    return open_table(table) if table.state.phase is Phase.CLOSED else play_round(table)


async def play_round(table: Table) -> TableState:
    """One complete cycle from wagers to settlement; returns what goes on to the next round."""
    await clear_questions(table)
    await repair_standing(table)
    now = await Now()
    while len(table.state.decks) < decks_wanted(table):
        await receive_deck(table)
        table.state = replace(table.state, rounds_since_count=0)
    await warn_of_change(table, now)
    number = table.state.round + 1
    deck = table.state.decks[0]
    await OpenRound(number, table.game.id, deck.id, table.dealing, table.shuffler, deck.back, deck.verified)
    outcome, disposition = Outcome.COMPLETED, Disposition.RESHUFFLE
    cause: str | None = None
    clause: str | None = None
    closing = ""
    try:
        await table.enter(Stage.OPEN)
        await _play(table, now)
    except VoidRound as void:
        outcome, disposition, cause, clause = Outcome.VOID, void.disposition, void.incident.kind, void.cite
        await _void_epilogue(table, void)
    except TableHalt as halt:
        outcome, disposition, cause, clause = Outcome.SUSPENDED, halt.disposition, halt.cause, halt.cite
        closing = halt.credential
        if table.stage is not Stage.OPEN:
            await table.enter(Stage.VOID)  # the way out of a round that is given up where it stands
            await undo_lock_outs(table)
        await Note(halt.cause, None, halt.cite, halt.remedies)
        await latch_standing(table, halt)
    dice_stay = table.game.dice is not None and disposition is not Disposition.REMOVE
    if dice_stay or (outcome is Outcome.COMPLETED and _shoe_goes_on(table)):
        disposition = Disposition.CONTINUE
    gone = clause
    if outcome is Outcome.COMPLETED and table.deck_gone is not None:  # found after everything was paid (671a.11(h))
        disposition, gone = Disposition.REMOVE, table.deck_gone
    await table.enter(Stage.CLOSED)
    await reconcile(table)
    if outcome is not Outcome.SUSPENDED:
        await bar_absent(table)
    deck = table.state.decks[0]
    await check_after_round(table, outcome)
    await look_for_order(table)
    if disposition is Disposition.REMOVE:
        assert gone is not None
        counted = cause == "deck_count" or table.deck_gone is not None
        await remove_deck(table, deck.id, gone, counted=counted)
    await CloseRound(number, outcome, cause, clause, deck.id, disposition)
    table.state = _after(table, number, outcome, disposition)
    return await close_table(table, closing) if closing else table.state


async def _play(table: Table, now: int) -> None:
    """Shuffle, cut, and the chapter's round; an order, which comes before anything is dealt, begins it again."""
    given_up: Incident | None = None
    while True:
        try:
            await devices_out_of_service(table)
            if given_up is not None:
                incident, given_up = given_up, None
                await take_out_of_service(table, incident.kind, device_of(incident), incident.then)
            if not table.ready:
                deck_clock(table, now)
                await prove_decks(table)
                table.back_in_deck = table.cards_out  # what was dealt before the round began again
                if table.game.dice is None:
                    await shuffle_and_cut(table)
                deck_clock(table, now)  # hand and shoe have different hours, and a device may just have been given up
                table.ready = True
                table.state = replace(table.state, burn_due=table.game.burn is not None)
            await into_the_shoe(table)
            await table.game.round_of_play(table)
            return await document_hand_pays(table)
        except Ordered as ordered:
            await obey(table, ordered.order)
        except BeginAgain as again:
            table.ready = table.ready and not again.shuffle
            given_up = None if again.shuffle else again.incident


def _shoe_goes_on(table: Table) -> bool:
    """In the 21 games until the cover card has come out (672a.5(a), 672a.7(d))."""
    clauses = table.game.shuffle_clauses
    return clauses is not None and clauses.per_shoe and table.state.cover_card_at is None


def _after(table: Table, number: int, outcome: Outcome, disposition: Disposition) -> TableState:
    """What goes on to the next round."""
    played = outcome is not Outcome.SUSPENDED
    remembers = disposition is Disposition.CONTINUE and not table.setup.continuous  # else the cards go back at once
    return replace(
        table.state,
        round=number,
        rounds_since_count=0 if table.counted else table.state.rounds_since_count + played,
        dealing=table.dealing.value,
        shuffler=table.shuffler.value,
        just_opened=table.state.just_opened and not played,
        new_dealer=table.state.new_dealer and not played,
        shuffle_ordered=False,
        decks=in_turn(table, disposition),
        shoe=table.shown.memory(table.cards_out) if remembers else ShoeMemory(),
        ready=table.ready and disposition is Disposition.CONTINUE and _shoe_goes_on(table),
    )


async def _void_epilogue(table: Table, void: VoidRound) -> None:
    """Give every wager of the round back, collected ones too; nothing in here can raise another void."""
    await table.enter(Stage.VOID)
    await Note(void.incident.kind, void.incident.position, void.cite, void.remedies)
    await DeclareVoid(void.incident.kind, void.cite, tuple(spot(*key) for key in void.stands))
    await undo_lock_outs(table)
    table.paid.clear()  # nothing of what was paid stands
    for number in reversed(table.seats):
        stakes = table.stakes_of(number)
        back = [key for key in stakes if key[1] not in void.settles and key not in void.stands]
        await settle_all([_given_back(table.stakes[key], void.cite) for key in back])
        if any(wager in void.settles for _seat, wager, _hand in stakes) and table.game.settle_in_void is not None:
            await table.game.settle_in_void(table, number)


def _given_back(stake: Stake, clause: str) -> WagerSettled:
    """One wager is returned, from the layout or out of the tray, whatever was done with it before."""
    nothing = None if stake.amount is None else ZERO
    return WagerSettled(
        seat=stake.seat,
        wager=stake.wager,
        hand=stake.hand,
        staked=stake.amount,
        result=Result.VOID,
        odds=None,
        paid=nothing,
        returned=stake.amount,
        collected=nothing,
        cite=clause,
        free=stake.free,
    )
