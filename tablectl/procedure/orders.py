"""Orders between two rounds: a dealer who takes over, and what a floorperson may want done (x.5(e), 657a.5(a) …)."""

from __future__ import annotations

from dataclasses import replace

from tablectl.events import Disposition
from tablectl.procedure.instructions import ChangeDealer, GiveOrder, Order
from tablectl.procedure.shuffling import cut
from tablectl.procedure.table import Table, TableHalt

__all__ = ["DEALER", "ORDERS", "obey"]

DEALER = "dealer"
ORDERS = ("reshuffle", "recut", "close")


async def obey(table: Table, order: Order) -> None:
    """Do what was ordered; the round, of which nothing is dealt yet, then begins again as far as that is needed."""
    if order.kind == DEALER:
        await ChangeDealer(order.credential, table.state.dealer)
        table.state = replace(table.state, dealer=order.credential, new_dealer=True)
        return
    await GiveOrder(order.kind, order.detail, order.number, order.credential)
    match order.kind:
        case "recut":
            if table.ready:
                await cut(table, table.game.shuffle_clauses.recut)
        case "reshuffle":
            table.ready = False
            table.state = replace(table.state, shuffle_ordered=True)
        case "close":
            raise TableHalt(
                "table_closed", table.game.opening_clauses.one_deck, (), Disposition.CONTINUE, order.credential
            )
        case _:
            pass
