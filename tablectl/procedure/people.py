"""The people of the table, as far as the shared procedures know them: by the numbers of their credentials."""

from __future__ import annotations

from typing import Final

from tablectl.procedure.instructions import ChangeDealer, Order
from tablectl.procedure.table import Table
from tablectl.records import replace

__all__ = ["DEALER_CHANGE", "change_dealer"]

DEALER_CHANGE: Final = "dealer"
"""The order that a dealer's own badge is."""


async def change_dealer(table: Table, order: Order) -> None:
    """The dealer whose badge it is takes over; he burns a card before his first deal where the chapter has it so."""
    if order.credential != table.state.dealer:
        await ChangeDealer(order.credential, table.state.dealer)
        table.state = replace(table.state, dealer=order.credential, new_dealer=True)
