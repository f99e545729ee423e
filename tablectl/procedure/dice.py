"""A set of dice and its shaker, which take the place of deck and shoe in a game of dice (675a.3).

A set has an identity and a time at the table as a deck has, and every round names it. What the sections on dice of
chapter 603a want inspected is not in our texts: the dealer and a floorperson answer for it together.
"""

from __future__ import annotations

from typing import Final

from tablectl.procedure.game import DiceClauses
from tablectl.procedure.instructions import Attest, NewDeck, Now, ReceiveDice
from tablectl.procedure.irregularities import attend
from tablectl.procedure.table import DeckState, Table
from tablectl.records import replace

__all__ = ["inspect_dice", "put_shaker_away", "receive_dice", "show_shaker", "take_over_shaker"]

_DEALER: Final = "dealer"
_BOTH: Final = "both"


async def receive_dice(table: Table, clauses: DiceClauses) -> NewDeck:
    """A set of dice comes to the table and is inspected before it is used (675a.3(a), 675a.6(e))."""
    number = table.state.deck_number + 1
    new = await attend(table, ReceiveDice(number, clauses.number(table.rules)))
    now = await Now()
    dice = DeckState(new.deck, "", now, verified=now)
    table.state = replace(table.state, decks=(*table.state.decks, dice), deck_number=number)
    await inspect_dice(table, clauses)
    return new


async def inspect_dice(table: Table, clauses: DiceClauses) -> None:
    """All dice are there and without fault: the dealer and a floorperson answer for it."""
    for dice in table.state.decks:
        await attend(table, Attest("inspect_dice", _BOTH, dice.id, clauses.inspect))


async def show_shaker(table: Table, clauses: DiceClauses) -> None:
    """The shaker stands at the table with the dice in it: without them nobody may play (675a.3(d))."""
    await attend(table, Attest("shaker", _DEALER, table.deck, clauses.present))


async def take_over_shaker(table: Table) -> None:
    """A dealer who has come since the last round takes the shaker into his custody before he shakes (675a.3(c))."""
    clauses = table.game.dice
    if clauses is not None and table.state.new_dealer:
        await attend(table, Attest("take_shaker", _DEALER, table.deck, clauses.custody))
        table.state = replace(table.state, new_dealer=False)


async def put_shaker_away(table: Table, clauses: DiceClauses) -> None:
    """At the end of the day the dealer hands the shaker over: it is left unattended at no time (675a.3(c))."""
    await attend(table, Attest("shaker_away", _DEALER, table.deck, clauses.custody))
