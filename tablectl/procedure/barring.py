"""Players who did not wager and may not before the cards are shuffled, where that is filed (672a.6(b), 673a.6(b)).

A seat stands for whoever plays there, as nothing at the table knows one player from another: after each round the seats
without a wager are barred. A floorperson may let a seat wager again, and a reshuffle lets all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablectl.procedure.instructions import BarSeats, Stake
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite, Objection

__all__ = ["bar", "bar_absent", "barred_wagers", "lift_bars"]


def barred_wagers(table: Table, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """Wagers of seats that are barred: they have to be taken back."""
    clause = table.game.barring(table.rules)
    if clause is None:
        return
    for number in dict.fromkeys(stake.seat for stake in stakes):
        if number in table.state.barred:
            yield number, Objection("barred", "barred until the shuffle", clause)


async def bar_absent(table: Table) -> None:
    """After a round, bar the seats that had no wager in it."""
    clause = table.game.barring(table.rules)
    if clause is not None and table.stakes:
        absent = [n for n in range(1, table.setup.seats + 1) if n not in table.seats]
        await bar(table, (*table.state.barred, *absent), clause)


async def lift_bars(table: Table) -> None:
    """The cards have been reshuffled: everybody may wager."""
    clause = table.game.barring(table.rules)
    if clause is not None:
        await bar(table, (), clause)


async def bar(table: Table, seats: Sequence[int], clause: Cite) -> None:
    """Let these seats be the ones that are barred."""
    barred = tuple(sorted(dict.fromkeys(seats)))
    if barred != table.state.barred:
        await BarSeats(barred, clause)
        table.state = replace(table.state, barred=barred)
