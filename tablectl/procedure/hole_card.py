"""The hole card of the 21 games: read without being seen, and held against what was read once it lies face up.

A card reader device tells one bit. It is used under an ace and a card of value ten alone; one that does not work, or
that has told what the cards belie, stops the play at the table by the chapter's clause (672a.12(j), 673a.13(j)).
"""

from __future__ import annotations

from typing import Final

from tablectl.cards import DEALER, Card
from tablectl.hands.twenty_one import gives_blackjack, may_give_blackjack
from tablectl.procedure.instructions import Incident, Peek, Peeked, ReaderFailed
from tablectl.procedure.irregularities import attend, handle
from tablectl.procedure.table import Table
from tablectl.rules import Cite

__all__ = ["READER_FAULT", "READER_MISUSED", "check_peek", "peek", "peek_or_surrender"]

READER_FAULT: Final = "card_reader_fault"
READER_MISUSED: Final = "card_reader_misused"


async def peek(table: Table, up: Card, clause: Cite) -> bool:
    """Whether the hole card makes a Blackjack of `up`, as the reader tells; False where it is not to be asked.

    `TableHalt` by the chapter's rule for a reader that does not work.
    """
    return (await peek_or_surrender(table, up, clause, ())).blackjack


async def peek_or_surrender(table: Table, up: Card, clause: Cite, seats: tuple[int, ...]) -> Peeked:
    """As `peek`; and which of these seats surrender before the reader is used (673a.9(a)(2))."""
    due = may_give_blackjack(up)
    act = Peek(clause, due, seats if due else ())
    while True:
        told = await attend(table, act)
        match told:
            case Peeked():
                return told
            case ReaderFailed():
                await handle(table, Incident(READER_FAULT, DEALER))
            case None:
                return Peeked(False)


async def check_peek(table: Table, up: Card, hole: Card, told: bool) -> None:
    """Now that the hole card is seen: a reader that has told something else does not work."""
    if may_give_blackjack(up) and gives_blackjack(up, hole) is not told:
        await handle(table, Incident(READER_FAULT, DEALER))
