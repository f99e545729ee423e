"""The frame of every round: deck, shuffle, the chapter's round of play, the void epilogue, closing."""

from __future__ import annotations

from dataclasses import replace

from tablectl.events import Disposition, Outcome, Result, WagerSettled
from tablectl.money import ZERO
from tablectl.procedure.game import Dealing, Shuffler
from tablectl.procedure.instructions import (
    CloseRound,
    DeclareVoid,
    Incident,
    Note,
    Now,
    OpenRound,
    OutOfService,
    PutRight,
    RemoveDeck,
    RemoveDevice,
    ReplaceDeck,
    Settle,
    Shuffle,
    Shuffled,
    ShuffleFault,
)
from tablectl.procedure.irregularities import attend, find, handle, note
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table, TableHalt, TableState, VoidRound
from tablectl.rules import Objection

__all__ = ["play_round"]

_HOUR = 3600


async def play_round(table: Table) -> TableState:
    """One complete cycle from wagers to settlement; returns what goes on to the next round."""
    now = await Now()
    if not table.deck:
        await _replace_deck(table, now)
    number = table.state.round + 1
    await OpenRound(number, table.game.id, table.deck, table.dealing, table.shuffler)
    outcome, disposition = Outcome.COMPLETED, Disposition.RESHUFFLE
    cause: str | None = None
    clause: str | None = None
    try:
        await table.enter(Stage.OPEN)
        await _devices_out_of_service(table)
        _deck_clock(table, now)
        await _shuffle(table)
        _deck_clock(table, now)  # hand and shoe have different hours, and a device may just have been given up
        await table.game.round_of_play(table)
    except VoidRound as void:
        outcome, disposition, cause, clause = Outcome.VOID, void.disposition, void.incident.kind, void.cite
        await _void_epilogue(table, void)
    except TableHalt as halt:
        outcome, disposition, cause, clause = Outcome.SUSPENDED, halt.disposition, halt.cause, halt.cite
        await Note(halt.cause, None, halt.cite, halt.remedies)
    await table.enter(Stage.CLOSED)
    deck = table.deck
    if disposition is Disposition.REMOVE:
        assert clause is not None
        await RemoveDeck(deck, clause)
        table.deck = ""
    await CloseRound(number, outcome, cause, clause, deck, disposition)
    played = outcome is not Outcome.SUSPENDED
    since = 0 if table.counted else table.state.rounds_since_count + played
    return replace(
        table.state,
        round=number,
        deck=table.deck,
        rounds_since_count=since,
        dealing=table.dealing.value,
        shuffler=table.shuffler.value,
    )


async def _replace_deck(table: Table, now: int) -> None:
    """Another deck comes to a table that has none."""
    new = await ReplaceDeck(table.state.deck_number + 1)
    table.deck = new.deck
    table.state = replace(
        table.state, deck=new.deck, deck_number=table.state.deck_number + 1, deck_since=now, rounds_since_count=0
    )


def _deck_clock(table: Table, now: int) -> None:
    """No new round with a deck whose time is over (x.3(c))."""
    hours, clause = table.game.deck_clocks[table.dealing]
    if now - table.state.deck_since >= hours * _HOUR:
        raise TableHalt("deck_change_due", clause, ("deck_removed",), Disposition.REMOVE)


async def _shuffle(table: Table) -> None:
    """Shuffle until it is done (x.5(a)); a counting shuffler's wrong count removes the deck (x.5(b))."""
    while True:
        by = "hand" if table.shuffler is Shuffler.NONE else "device"
        result = await attend(table, Shuffle(table.deck, by))
        match result:
            case Shuffled(counted):
                if counted is not None and counted != table.game.deck:
                    raise TableHalt(
                        "deck_count", table.game.wrong_shuffler_count, ("deck_removed",), Disposition.REMOVE
                    )
                if counted is not None:
                    table.state = replace(table.state, rounds_since_count=0)
                return
            case ShuffleFault(kind):
                await handle(table, Incident(kind))
            case OutOfService(kind, device, then):
                await _take_out_of_service(table, kind, device, then)


async def _devices_out_of_service(table: Table) -> None:
    """Devices that are known to be out of service leave the table before another method is used (x.13(g))."""
    for device in table.state.out_of_service:
        await _take_out_of_service(table, f"{device}_out_of_service", device, None)
    table.state = replace(table.state, out_of_service=())


async def _take_out_of_service(table: Table, kind: str, device: str, then: str | None) -> None:
    incident = Incident(kind, then=then)
    rule = find(table, incident)
    if rule is None or rule.cite is None:
        await note(incident, None, ())
        return
    shuffler = Shuffler.NONE if device == "shuffler" else table.shuffler
    dealing = table.dealing if then is None else Dealing(then)
    setup = replace(table.setup, dealing=dealing, shuffler=shuffler)
    if then is None and (device == "shoe" or any(table.game.check_setup(table.rules, setup))):
        dealing = Dealing.MANUAL_SHOE  # the method that needs no device
        setup = replace(setup, dealing=dealing)
    objections = list(table.game.check_setup(table.rules, setup))
    if device == "shoe" and dealing is Dealing.AUTOMATED_SHOE:
        objections.append(Objection("dealing", "the automated shoe is the device that does not work", rule.cite))
    for objection in objections:
        await PutRight(None, table.stage.value, objection.message, objection.cite)
        raise TableHalt(kind, rule.cite, ("floor_called",), Disposition.CONTINUE)
    table.setup, table.dealing, table.shuffler = setup, dealing, shuffler
    table.state = replace(table.state, removed=(*table.state.removed, device))
    await note(incident, rule.cite, rule.remedy.remedies)
    await RemoveDevice(device, rule.cite, dealing.value)


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
