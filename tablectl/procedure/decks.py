"""The decks at a table: whose turn it is, how long they may stay, what devices claim of them.

Two decks take turns where a shuffler is used and two are at the table (x.3(b)): one is shuffled while the other is
played. In the one-deck games they change places after each round, in the 21 games after each shoe. Only the deck that
is played is in the rack: it goes into the shuffler when the other one has come out.
"""

from __future__ import annotations

from typing import Final

from tablectl.events import Disposition
from tablectl.procedure.game import Shuffler
from tablectl.procedure.instructions import (
    DeckClaim,
    LoadShuffler,
    OutOfService,
    Shuffle,
    Shuffled,
    ShuffleFault,
    TakeShuffled,
    WarnDeckChange,
)
from tablectl.procedure.irregularities import attend
from tablectl.procedure.questions import MISSING, raise_question, remove_deck
from tablectl.procedure.table import DeckState, Table, TableHalt
from tablectl.records import replace

__all__ = [
    "all_out",
    "alternates",
    "decks_wanted",
    "deck_clock",
    "in_turn",
    "judge",
    "leave_one_deck",
    "load_other",
    "out_of_turn",
    "shuffle_in_turn",
    "warn_of_change",
]

_HOUR: Final = 3600
_MINUTE: Final = 60


# Turns --------------------------------------------------------------------------------------------------------------


def alternates(table: Table) -> bool:
    """Whether two decks take turns: one is shuffled by the device while the other is played (x.3(b))."""
    return table.setup.decks > 1 and table.shuffler is not Shuffler.NONE and not table.setup.continuous


def decks_wanted(table: Table) -> int:
    """How many decks (or batches) have to be at the table."""
    return table.setup.decks if alternates(table) else 1


def in_turn(table: Table, disposition: Disposition) -> tuple[DeckState, ...]:
    """The decks as the next round has them: after one that ends the deck's turn the shuffled one is played."""
    decks = table.state.decks
    if disposition is not Disposition.RESHUFFLE or len(decks) < 2 or not alternates(table):
        return decks
    played, *others = decks
    return (*others, played) if others[0].in_shuffler and not played.in_shuffler else decks


def out_of_turn(table: Table) -> bool:
    """Whether the deck in play is to be shuffled once more while the other one is in the shuffler: then by hand."""
    deck, *others = table.state.decks
    return alternates(table) and not deck.in_shuffler and bool(others) and others[0].in_shuffler


async def shuffle_in_turn(table: Table) -> Shuffled | ShuffleFault | OutOfService:
    """The deck to be played comes out of the shuffler, as it was shuffled while the other one was played (x.3(b)(3)).

    A deck that is to be shuffled once more while the other one is in the shuffler is shuffled by hand.
    """
    deck = table.state.decks[0]
    if not deck.in_shuffler:
        if out_of_turn(table):
            return await attend(table, Shuffle(deck.id, "hand"))
        given_up = await _load(table, deck)
        if given_up is not None:
            return given_up
        deck = table.state.decks[0]
    result = await attend(table, TakeShuffled(deck.id, deck.back))
    if isinstance(result, Shuffled):
        _put(table, replace(deck, in_shuffler=False))
    return result


async def load_other(table: Table) -> OutOfService | None:
    """The deck that is not played goes into the shuffler, if it is not there (x.3(b)(4), (5))."""
    deck, *others = table.state.decks
    if not alternates(table) or not others or others[0].in_shuffler:
        return None
    return await _load(table, others[0], out=deck.back)


async def leave_one_deck(table: Table) -> None:
    """Without a shuffler one deck is played; the other leaves the table (x.3(a), (b))."""
    all_out(table)
    for deck in table.state.decks[decks_wanted(table) :]:
        await remove_deck(table, deck.id, table.game.opening_of_decks.two_decks)


def all_out(table: Table) -> None:
    """No deck is in the shuffler any more."""
    table.state = replace(table.state, decks=tuple(replace(deck, in_shuffler=False) for deck in table.state.decks))


async def _load(table: Table, deck: DeckState, out: str = "") -> OutOfService | None:
    clause = table.game.opening_of_decks.two_decks
    given_up = await attend(table, LoadShuffler(deck.id, deck.back, out, table.game.deck, clause))
    if given_up is None:
        _put(table, replace(deck, in_shuffler=True, preshuffled=False))
    return given_up


def _put(table: Table, deck: DeckState) -> None:
    """Let this be the state of the deck with that identity."""
    decks = tuple(deck if known.id == deck.id else known for known in table.state.decks)
    table.state = replace(table.state, decks=decks)


# Time ---------------------------------------------------------------------------------------------------------------


def deck_clock(table: Table, now: int) -> None:
    """No new round with a deck whose time is over (x.3(c)); the poker room's chapter knows no such time."""
    if table.dealing not in table.game.deck_clocks:
        return
    hours, clause = table.game.deck_clocks[table.dealing]
    if now - table.state.decks[0].since >= hours * _HOUR:
        raise TableHalt("deck_change_due", clause, ("deck_removed",), Disposition.REMOVE)


async def warn_of_change(table: Table, now: int) -> None:
    """Say ahead that the deck in play has to be changed."""
    if table.dealing not in table.game.deck_clocks:
        return
    hours, clause = table.game.deck_clocks[table.dealing]
    deck = table.state.decks[0]
    left = deck.since + hours * _HOUR - now
    if 0 < left <= table.setup.warn_minutes * _MINUTE:
        await WarnDeckChange(deck.id, deck.back, -(-left // _MINUTE), clause, deck.warned)
        _put(table, replace(deck, warned=True))


# What devices claim -------------------------------------------------------------------------------------------------


async def judge(table: Table, deck: str, claim: DeckClaim | None) -> None:
    """Raise a question for all that a device finds wrong with a deck; that it finds nothing wrong proves nothing."""
    if claim is None:
        return
    for card in claim.missing:
        await raise_question(table, deck, MISSING, f"{claim.device}: {card} missing", (card,))
    for card in claim.extra:
        await raise_question(table, deck, "extra_card", f"{claim.device}: {card} extra", (card,))
    known = next((known.back for known in table.state.decks if known.id == deck), "")
    found = (
        ("wrong_count", claim.cards not in (None, table.game.deck), f"{claim.cards} cards"),
        ("unreadable_cards", claim.unreadable > 0, f"{claim.unreadable} cards unreadable"),
        ("odd_backs", claim.odd_backs > 0, f"{claim.odd_backs} cards with another back"),
        ("wrong_back", known != "" and claim.back not in (None, known), f"backs are {claim.back}"),
        ("other_batch", claim.other_batch, f"batch {claim.batch} instead"),
    )
    for what, is_wrong, detail in found:
        if is_wrong:
            await raise_question(table, deck, what, f"{claim.device}: {detail}")
