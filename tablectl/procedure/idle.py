"""An open table at which nobody plays: the cards lie spread until a player comes, then are shuffled (x.5(f), (g))."""

from __future__ import annotations

from tablectl.procedure.game import Shuffler
from tablectl.procedure.instructions import Attest, IdleCards, TakeStored
from tablectl.procedure.irregularities import attend
from tablectl.procedure.table import Preparation, Table
from tablectl.records import replace

__all__ = ["IDLE", "begin_idle", "finish_idle"]

IDLE = "idle"
"""The dealer's order that the cards be spread, as nobody plays."""
_DEALER = "dealer"
_LOOKED = "looked"
_STORED = "stored"


def begin_idle(table: Table) -> None:
    """The cards are taken out of shoe and rack and spread; what follows is done before the next shuffle."""
    if table.reshuffles:
        return  # the clause of such a device takes the idle rule away
    clauses = table.game.shuffling
    spread = "spread_idle" if clauses.turned_up else "spread_face_down"
    exchanged = clauses.exchange is not None and table.shuffler is not Shuffler.NONE
    then = ("stack", _STORED) if exchanged else ("wash", "stack")
    table.ready = False
    table.preparation = Preparation(idle=(spread, _LOOKED, *then))


async def finish_idle(table: Table) -> None:
    """Go on with an idle table from where an order came between, until the cards are stacked."""
    done = table.preparation
    while done.idle:
        step = done.idle[0]
        if step == _LOOKED:
            await _wait_for_player(table)
        elif step == _STORED:
            await _take_stored(table)
        else:
            await attend(table, Attest(step, _DEALER, table.deck, _clause(table, step)))
        done.idle = done.idle[1:]


def _clause(table: Table, step: str) -> str:
    """The wash is that of the opening (655a.4(c)), but in the chapters that say it once more (670a.5(g)(1))."""
    clauses = table.game.shuffling
    if step in ("wash", "stack") and clauses.exchange is None:
        return table.game.opening_of_decks.wash
    return clauses.idle


async def _wait_for_player(table: Table) -> None:
    """The first player to arrive may look at the cards; the game then begins with him as after the opening."""
    clauses = table.game.shuffling
    face = "turned_up" if clauses.turned_up else "down"
    looked = await attend(table, IdleCards(table.deck, face, table.setup.seats, clauses.idle))
    table.state = replace(table.state, just_opened=True, first_player=looked.seat)


async def _take_stored(table: Table) -> None:
    """The spread cards go into the shuffler, and the other deck or batch comes into play (670a.5(g)(2) …).

    It is dealt as the shuffler has kept it, unless a player asks that it be spread and shuffled once more. Where there
    is no other, the spread cards are shuffled.
    """
    clause = table.game.shuffling.exchange
    in_play, *others = table.state.decks
    if not others or not others[0].in_shuffler or clause is None:
        return
    stored = await attend(table, TakeStored(others[0].id, in_play.id, clause))
    table.state = replace(table.state, decks=(*others, in_play))
    table.preparation.asked = stored.spread
