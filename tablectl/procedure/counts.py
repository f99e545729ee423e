"""Counts that prove the deck: the stub, the remainder of pai gow, and the whole deck after a round.

`total` is always that of the whole deck, as the count shows it. A card that was found face up lies in the discard rack:
so many fewer remain to be counted, and the deck is complete all the same.
"""

from __future__ import annotations

from typing import Final

from tablectl.events import Disposition
from tablectl.procedure.instructions import CardsCount, CountCards, Incident
from tablectl.procedure.irregularities import attend, note, void
from tablectl.procedure.table import Table
from tablectl.rules import Cite

__all__ = ["count_deck", "count_remainder", "count_shoe", "retire_stub"]

_COUNT_EVERY: Final = 5  # rounds: 563.8(f), 565.8(f), 671a.11(h) and their kin
_NOT_MISDEALT: Final = ("wagers_returned", "deck_removed")


async def retire_stub(table: Table) -> None:
    """The stub goes to the discard rack, counted first when that is due (x.8(e)-(h), x.9(c)-(f), x.10(c)-(f)).

    It is due in the fifth round since the last count, unless the shuffler counts.
    """
    await _count_what_is_left(table, "stub", due=_is_due(table))


async def count_remainder(table: Table) -> None:
    """The cards that remain after the deal are spread face down and counted, in every round (561.9(d)-(f), 670a.8(e)).

    Four of a deck with one joker after seven hands of seven, eleven after seven hands of six.
    """
    await _count_what_is_left(table, "remainder", due=True)


async def count_deck(table: Table, clause: Cite, wrong: Cite) -> None:
    """The whole deck is counted after a round in which all is paid, when that is due (671a.11(h)).

    What was paid stays paid: a wrong deck leaves the table, and the round is completed.
    """
    whole = table.game.deck
    count = await attend(table, CountCards("deck", whole, whole, clause, _is_due(table)))
    if count is None:
        return
    table.counted = True
    if count.total != whole:
        table.deck_gone = wrong
        await note(_wrong(count), wrong, ("deck_removed",))


async def count_shoe(table: Table) -> None:
    """After a round from a shoe the dealer counts the batch if he finds that cards are missing (672a.7(d)(1)).

    A wrong batch leaves the table; what was paid stays paid, as no clause undoes it.
    """
    clauses, whole = table.clauses, table.game.deck
    assert clauses.count is not None, "the chapter has no such count"
    count = await attend(table, CountCards("deck", whole, whole, clauses.count, due=False))
    if count is None:
        return
    table.counted = True
    if count.total != whole:
        table.deck_gone = clauses.count
        await note(_wrong(count), clauses.count, ("deck_removed",))


async def _count_what_is_left(table: Table, what: str, *, due: bool) -> None:
    """A wrong number voids the round; the deck leaves the table unless the cards were misdealt (x.8(h))."""
    clauses, whole = table.clauses, table.game.deck
    assert clauses.count is not None, "the chapter has no such count"
    assert clauses.count_wrong is not None
    count = await attend(table, CountCards(what, whole - table.cards_out, whole, clauses.count, due))
    if count is None:
        return
    table.counted = True
    if count.total == whole:
        return
    if count.misdealt:
        raise void(_wrong(count), clauses.count_wrong, clauses.misdealt)
    raise void(_wrong(count), clauses.count_wrong, _NOT_MISDEALT, Disposition.REMOVE)


def _is_due(table: Table) -> bool:
    return not table.shuffler.counts and table.state.rounds_since_count + 1 >= _COUNT_EVERY


def _wrong(count: CardsCount) -> Incident:
    return Incident("deck_count", count.position, count=count.total, misdealt=count.misdealt)
