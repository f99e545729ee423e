"""The cut: who cuts, in what order it is offered, the recut, and the stack that goes into the shoe (x.5)."""

from __future__ import annotations

from tablectl.cards import DEALER, Position, seat
from tablectl.procedure.instructions import Cut, LoadShoe, OfferCut
from tablectl.procedure.irregularities import attend
from tablectl.procedure.table import Table
from tablectl.rules import Cite

__all__ = ["cut", "into_the_shoe", "offer_order"]


async def cut(table: Table, clause: Cite) -> None:
    """Cut by the dealer, or by the first of the players who accepts when it is offered to them.

    Cards that are ready are only marked for a recut (x.5(e), 561.5(f)): the frame of the round comes back to it. Then
    the player who has cut them cuts again, or the next one who is entitled to; the dealer where nobody is.
    """
    done = table.preparation
    if done.complete:
        done.complete, done.recut, table.ready = False, True, False
        return
    style = table.game.shuffling.style
    order: tuple[int, ...] = ()
    offer = clause
    if done.recut:
        order = done.entitled
    elif style.offered:
        order, offer = offer_order(table)
    by: Position = DEALER
    if order:
        taken = await attend(table, OfferCut(order, style.value, offer))
        by = DEALER if taken.by is None else seat(taken.by)
    await attend(table, Cut(table.deck, by, style.value, clause))
    done.cut_by, done.recut, table.was_cut = by, False, True
    done.entitled = () if by is DEALER else order[order.index(by.number) :]


def offer_order(table: Table) -> tuple[tuple[int, ...], Cite]:
    """To which seats the cut is offered, one after the other, and the clause of the first offer.

    In a game that is just beginning to the first player to arrive (561.5(d)(1), 672a.5(c)(1)); to the seat where the
    cover card came out in the round before (672a.5(c)(2)); else from the seat farthest to the dealer's right on
    counterclockwise (561.5(d)(2), 672a.5(c)(3), (4)). In 561 and 670a the others follow the first player, as (d)(2) has
    no condition; in the 21 games the dealer does. Who came first is not known where no cards were spread for him: then
    the dealer names him.
    """
    offers, state = table.game.shuffling.offers, table.state
    everybody = tuple(range(table.setup.seats, 0, -1))
    if state.just_opened:
        if not state.first_player:
            return everybody, offers["first_player"]
        others = tuple(number for number in everybody if number != state.first_player)
        return (state.first_player, *(() if "cover_card" in offers else others)), offers["first_player"]
    if state.cover_card_at is not None and not state.shuffle_ordered:
        if state.cover_card_at.kind == "seat":
            return (state.cover_card_at.number,), offers["cover_card"]
        return everybody, offers["cover_card_at_dealer"]
    return everybody, offers["from_the_right"]


async def into_the_shoe(table: Table) -> None:
    """In the 21 games the stack goes into the shoe after the cut: from then on it is not cut again (672a.5(d), (e))."""
    clauses = table.game.shuffle_clauses
    if clauses is not None and clauses.per_shoe and table.was_cut:
        await attend(table, LoadShoe(table.deck, clauses.cut))
        table.was_cut = False
