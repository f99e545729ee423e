"""The frame of every round: deck, shuffle, the chapter's round of play, the void epilogue, closing."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from tablectl.events import Disposition, Outcome, Result, WagerSettled
from tablectl.money import ZERO
from tablectl.procedure.instructions import CloseRound, DeclareVoid, Note, Now, OpenRound, Ordered, RemoveDeck, Settle
from tablectl.procedure.opening import close_table, open_table, receive_deck
from tablectl.procedure.orders import obey
from tablectl.procedure.shuffling import deck_clock, devices_out_of_service, shuffle_and_cut
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Phase, Table, TableHalt, TableState, VoidRound

__all__ = ["next_procedure", "play_round"]


def next_procedure(table: Table) -> Coroutine[Any, Any, TableState]:
    """What a table does next: it opens, or plays a round."""
    return open_table(table) if table.state.phase is Phase.CLOSED else play_round(table)


async def play_round(table: Table) -> TableState:
    """One complete cycle from wagers to settlement; returns what goes on to the next round."""
    now = await Now()
    if not table.deck:
        await receive_deck(table)
        table.state = replace(table.state, rounds_since_count=0)
    number = table.state.round + 1
    await OpenRound(number, table.game.id, table.deck, table.dealing, table.shuffler)
    outcome, disposition = Outcome.COMPLETED, Disposition.RESHUFFLE
    cause: str | None = None
    clause: str | None = None
    closing = ""
    try:
        await table.enter(Stage.OPEN)
        await devices_out_of_service(table)
        await _play(table, now)
    except VoidRound as void:
        outcome, disposition, cause, clause = Outcome.VOID, void.disposition, void.incident.kind, void.cite
        await _void_epilogue(table, void)
    except TableHalt as halt:
        outcome, disposition, cause, clause = Outcome.SUSPENDED, halt.disposition, halt.cause, halt.cite
        closing = halt.credential
        await Note(halt.cause, None, halt.cite, halt.remedies)
    await table.enter(Stage.CLOSED)
    deck, *others = table.state.decks
    if disposition is Disposition.REMOVE:
        assert clause is not None
        await RemoveDeck(deck.id, clause)
        table.state = replace(table.state, decks=tuple(others))
    await CloseRound(number, outcome, cause, clause, deck.id, disposition)
    table.state = _after(table, number, outcome)
    return await close_table(table, closing) if closing else table.state


async def _play(table: Table, now: int) -> None:
    """Shuffle, cut, and the chapter's round; an order, which comes before anything is dealt, begins it again."""
    while True:
        try:
            if not table.ready:
                deck_clock(table, now)
                await shuffle_and_cut(table)
                deck_clock(table, now)  # hand and shoe have different hours, and a device may just have been given up
                table.ready = True
            return await table.game.round_of_play(table)
        except Ordered as ordered:
            await obey(table, ordered.order)


def _after(table: Table, number: int, outcome: Outcome) -> TableState:
    """What goes on to the next round."""
    played = outcome is not Outcome.SUSPENDED
    return replace(
        table.state,
        round=number,
        rounds_since_count=0 if table.counted else table.state.rounds_since_count + played,
        dealing=table.dealing.value,
        shuffler=table.shuffler.value,
        just_opened=table.state.just_opened and not played,
        new_dealer=table.state.new_dealer and not played,
        shuffle_ordered=False,
    )


async def _void_epilogue(table: Table, void: VoidRound) -> None:
    """Give every wager of the round back, collected ones too; nothing in here can raise another void."""
    await table.enter(Stage.VOID)
    await Note(void.incident.kind, void.incident.position, void.cite, void.remedies)
    await DeclareVoid(void.incident.kind, void.cite)
    for number in reversed(table.seats):
        for wager in table.game.wagers:
            stake = table.stakes.get((number, wager, 0))
            if stake is None:
                continue
            collected = paid = None if stake.amount is None else ZERO
            await Settle(
                WagerSettled(
                    seat=number,
                    wager=wager,
                    hand=0,
                    staked=stake.amount,
                    result=Result.VOID,
                    odds=None,
                    paid=paid,
                    returned=stake.amount,
                    collected=collected,
                    cite=void.cite,
                )
            )
