"""Opening a table: how each deck is received, looked through, spread, washed and stacked (x.4); and closing it."""

from __future__ import annotations

from dataclasses import replace

from tablectl.procedure.game import OpeningClauses
from tablectl.procedure.instructions import Attest, CloseTable, NewDeck, Now, OpenTable, ReceiveDeck, RemoveDeck
from tablectl.procedure.irregularities import attend
from tablectl.procedure.table import DeckState, Phase, Table, TableState
from tablectl.rules import Cite

__all__ = ["close_table", "open_table", "receive_deck", "spread_and_wash"]

DEALER, FLOORPERSON, BOTH = "dealer", "floorperson", "both"


async def open_table(table: Table) -> TableState:
    """Open for gaming; nothing can be dealt before it is complete.

    One deck or batch, two where they are to alternate: each is received, inspected, verified, spread for the first
    player, washed and stacked apart from the other (x.4(d)). Decks that come preinspected and preshuffled skip all of
    that where the chapter says so (x.4(e)).
    """
    clauses = table.game.opening_clauses
    while len(table.state.decks) < table.setup.decks:
        await receive_deck(table)
    for deck in table.state.decks:
        if not (deck.preshuffled and clauses.preshuffled):
            await spread_and_wash(table, deck.id, clauses.spread, clauses.wash)
    state = replace(table.state, day=table.state.day + 1, phase=Phase.OPEN, just_opened=True)
    await OpenTable(state.day, table.game.id, tuple(deck.id for deck in state.decks), state.dealer)
    return state


async def receive_deck(table: Table) -> NewDeck:
    """A deck comes to the table: the dealer inspects it, a floorperson verifies it (x.4(a), (b))."""
    clauses = table.game.opening_clauses
    number = table.state.deck_number + 1
    others = [deck.back for deck in table.state.decks]
    backs = tuple(back for back in table.setup.backs if back not in others)
    new = await attend(table, ReceiveDeck(number, table.game.deck, backs, clauses.preshuffled is not None))
    now = await Now()
    deck = DeckState(new.deck, new.back, now, new.preshuffled)
    table.state = replace(table.state, decks=(*table.state.decks, deck), deck_number=number)
    if not (new.preshuffled and clauses.preshuffled):
        await _look_through(table, new.deck, clauses)
    return new


async def _look_through(table: Table, deck: str, clauses: OpeningClauses) -> None:
    """Defects are looked for; of two jokers one is torn up before the cards are spread (561.4(b), 670a.4(b))."""
    await attend(table, Attest("inspect", DEALER, deck, clauses.inspect))
    if clauses.second_joker is not None:
        await attend(table, Attest("second_joker", BOTH, deck, clauses.second_joker))
    await attend(table, Attest("verify", FLOORPERSON, deck, clauses.verify))


async def spread_and_wash(table: Table, deck: str, spread: Cite, wash: Cite) -> None:
    """Face up for the first player to arrive, then face down, washed and stacked."""
    for step, clause in (("spread", spread), ("player_looked", spread), ("wash", wash), ("stack", wash)):
        await attend(table, Attest(step, DEALER, deck, clause))


async def close_table(table: Table, credential: str) -> TableState:
    """The end of the gaming day: every deck leaves the table, and the table is closed by a floorperson."""
    for deck in table.state.decks:
        await RemoveDeck(deck.id, table.game.opening_clauses.one_deck)
    await CloseTable(table.state.day, credential)
    return replace(table.state, decks=(), phase=Phase.CLOSED, rounds_since_count=0)
