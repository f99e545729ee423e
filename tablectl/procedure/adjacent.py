"""Two adjacent betting areas of one player: in which order hands are set (561.7(d), (e), 670a.7(f))."""

from __future__ import annotations

from tablectl.procedure.instructions import SharedSeats
from tablectl.procedure.irregularities import attend
from tablectl.procedure.table import Table
from tablectl.rules import Cite

__all__ = ["setting_order"]


async def setting_order(table: Table, wager: str, clause: Cite, *, may_share: bool) -> list[int]:
    """Seats with that wager open, clockwise; of two that are one player's the larger wager is set first.

    Equal wagers are set counterclockwise, and so are those whose amounts nobody knows. `may_share`: it is filed that a
    player may have two adjacent areas; who has is in `Table.partners` from then on.
    """
    order = list(table.clockwise(wager))
    pairs = tuple(number for number in order if number + 1 in order)
    if not may_share or not pairs:
        return order
    for lower in await attend(table, SharedSeats(pairs, clause)):
        table.partners |= {lower: lower + 1, lower + 1: lower}
        first, second = table.amount(lower, wager), table.amount(lower + 1, wager)
        if first is None or second is None or second >= first:
            place = order.index(lower)
            order[place : place + 2] = [lower + 1, lower]
    return order
