"""What comes before the wagers of a round: shuffle and cut (x.5)."""

from __future__ import annotations

from tablectl.events import Disposition
from tablectl.procedure.barring import lift_bars
from tablectl.procedure.cutting import cut
from tablectl.procedure.decks import alternates, judge, load_other, out_of_turn, shuffle_in_turn
from tablectl.procedure.devices import take_out_of_service
from tablectl.procedure.game import Shuffler
from tablectl.procedure.idle import finish_idle
from tablectl.procedure.instructions import Attest, Incident, OutOfService, Shuffle, Shuffled, ShuffleFault
from tablectl.procedure.irregularities import attend, handle
from tablectl.procedure.questions import clear_questions
from tablectl.procedure.shown import ShoeMemory, Shown
from tablectl.procedure.table import Preparation, Table, TableHalt
from tablectl.records import replace

__all__ = ["shuffle_and_cut"]


async def shuffle_and_cut(table: Table) -> None:
    """Shuffle, unless the deck came preshuffled (x.5(a)); what no device has shuffled is cut (x.5(c)).

    Where an order came between, it goes on from there; cards that were ready, or are to be shuffled by a new order, are
    shuffled anew.
    """
    clauses, done = table.game.shuffling, table.preparation
    if done.complete or (table.state.shuffle_ordered and not done.ordered):
        done = table.preparation = Preparation(
            done.idle, ordered=table.state.shuffle_ordered, asked=done.asked and not done.complete
        )
    await finish_idle(table)
    if not done.shuffled:
        table.was_cut = False
        done.shuffled = await _shuffled(table)
        await lift_bars(table)
        if clauses.per_shoe:  # an order, or an idle table, may have ended a shoe before its cover card came out
            table.state = replace(table.state, shoe=ShoeMemory())
            table.shown = Shown(table.state.round + 1, table.state.shoe)
    if done.recut:
        await cut(table, clauses.recut)
    elif done.cut_by is None and not table.reshuffles and clauses.needs_cut(by_device=done.shuffled == "device"):
        await cut(table, clauses.cut)
    done.complete = True
    table.state = replace(table.state, cover_card_at=None)


async def _shuffled(table: Table) -> str:
    """How the deck in play was shuffled: ``before`` it came, by ``device`` or by ``hand``."""
    deck, *others = table.state.decks
    if deck.preshuffled:
        table.state = replace(table.state, decks=(replace(deck, preshuffled=False), *others))
        await _keep_shuffler_busy(table)
        return "before"
    by = "device" if await _shuffle(table) else "hand"
    if table.preparation.asked:  # a player wants to see what the shuffler has kept (670a.5(g)(2), 672a.5(g)(2))
        clause = table.game.shuffling.idle
        for step in ("spread", "stack"):
            await attend(table, Attest(step, "dealer", table.deck, clause))
        await attend(table, Shuffle(table.deck, "hand"))
        by = "hand"
    return by


async def _shuffle(table: Table) -> bool:
    """Shuffle until it is done (x.5(a)), True if a device did; its wrong count removes the deck (x.5(b))."""
    while True:
        by = "hand" if table.shuffler is Shuffler.NONE or out_of_turn(table) else "device"
        result = await (shuffle_in_turn(table) if alternates(table) else attend(table, Shuffle(table.deck, by)))
        match result:
            case Shuffled(counted, claim):
                await judge(table, table.deck, claim)
                if counted is not None and counted != table.game.deck:
                    clause = table.game.wrong_shuffler_count or table.game.played_with
                    raise TableHalt("deck_count", clause, ("deck_removed",), Disposition.REMOVE)
                if counted is not None:
                    table.state = replace(table.state, rounds_since_count=0)
                if await clear_questions(table):
                    continue
                await _keep_shuffler_busy(table)
                return by == "device"
            case ShuffleFault(kind):
                await handle(table, Incident(kind))
            case OutOfService(kind, device, then):
                await take_out_of_service(table, kind, device, then, shuffling=True)


async def _keep_shuffler_busy(table: Table) -> None:
    """The deck that is not played goes into the shuffler, if two take turns."""
    given_up = await load_other(table)
    if given_up is not None:
        await take_out_of_service(table, given_up.kind, given_up.device, given_up.then)
