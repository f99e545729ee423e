"""What comes before the wagers of a round: the deck's clock, devices that are out, shuffle and cut (x.3, x.5)."""

from __future__ import annotations

from dataclasses import replace

from tablectl.cards import DEALER, Position, seat
from tablectl.events import Disposition
from tablectl.procedure.game import Dealing, Shuffler
from tablectl.procedure.instructions import (
    Cut,
    Incident,
    OfferCut,
    OutOfService,
    PutRight,
    RemoveDevice,
    Shuffle,
    Shuffled,
    ShuffleFault,
)
from tablectl.procedure.irregularities import attend, find, handle, note
from tablectl.procedure.table import Table, TableHalt
from tablectl.rules import Cite, Objection

__all__ = ["cut", "deck_clock", "devices_out_of_service", "offer_order", "shuffle_and_cut"]

_HOUR = 3600


def deck_clock(table: Table, now: int) -> None:
    """No new round with a deck whose time is over (x.3(c))."""
    hours, clause = table.game.deck_clocks[table.dealing]
    if now - table.state.decks[0].since >= hours * _HOUR:
        raise TableHalt("deck_change_due", clause, ("deck_removed",), Disposition.REMOVE)


async def shuffle_and_cut(table: Table) -> None:
    """Shuffle, unless the deck came preshuffled (x.5(a)); what no device has shuffled is cut (x.5(c))."""
    deck = table.state.decks[0]
    by_device = False
    if deck.preshuffled:
        table.state = replace(table.state, decks=(replace(deck, preshuffled=False), *table.state.decks[1:]))
    else:
        by_device = await _shuffle(table)
    if table.game.shuffle_clauses.needs_cut(by_device=by_device):
        await cut(table, table.game.shuffle_clauses.cut)


async def _shuffle(table: Table) -> bool:
    """Shuffle until it is done (x.5(a)), True if a device did; its wrong count removes the deck (x.5(b))."""
    while True:
        by = "hand" if table.shuffler is Shuffler.NONE else "device"
        result = await attend(table, Shuffle(table.deck, by))
        match result:
            case Shuffled(counted):
                if counted is not None and counted != table.game.deck:
                    raise TableHalt(
                        "deck_count", table.game.wrong_shuffler_count, ("deck_removed",), Disposition.REMOVE
                    )
                if counted is not None:
                    table.state = replace(table.state, rounds_since_count=0)
                return by == "device"
            case ShuffleFault(kind):
                await handle(table, Incident(kind))
            case OutOfService(kind, device, then):
                await _take_out_of_service(table, kind, device, then)


async def cut(table: Table, clause: Cite) -> None:
    """Cut by the dealer, or by the first of the players who accepts when it is offered to them."""
    style = table.game.shuffle_clauses.style
    by: Position = DEALER
    if style.offered:
        order, offer = offer_order(table)
        taken = await attend(table, OfferCut(order, offer))
        by = DEALER if taken.by is None else seat(taken.by)
    await attend(table, Cut(table.deck, by, style.value, clause))


def offer_order(table: Table) -> tuple[tuple[int, ...], Cite]:
    """To which seats the cut is offered, one after the other, and the clause.

    In a game that is just beginning to the first player to arrive (561.5(d)(1), 672a.5(c)(1)); to the seat where the
    cover card came out in the round before (672a.5(c)(2)); else from the seat farthest to the dealer's right on
    counterclockwise (561.5(d)(2), 672a.5(c)(3), (4)).
    """
    offers, state = table.game.shuffle_clauses.offers, table.state
    if state.just_opened and state.first_player:
        return (state.first_player,), offers["first_player"]
    if state.cover_card_at is not None and not state.shuffle_ordered:
        if state.cover_card_at.kind == "seat":
            return (state.cover_card_at.number,), offers["cover_card"]
        return _from_the_right(table), offers["cover_card_at_dealer"]
    return _from_the_right(table), offers["from_the_right"]


def _from_the_right(table: Table) -> tuple[int, ...]:
    return tuple(range(table.setup.seats, 0, -1))


async def devices_out_of_service(table: Table) -> None:
    """Devices that are known to be out of service leave the table before another method is used (x.13(g))."""
    for device in table.state.out_of_service:
        await _take_out_of_service(table, f"{device}_out_of_service", device, None)
    table.state = replace(table.state, out_of_service=())


async def _take_out_of_service(table: Table, kind: str, device: str, then: str | None) -> None:
    incident = Incident(kind, then=then)
    rule = find(table, incident)
    if rule is None or rule.cite is None:
        await note(incident, None, ())
        return
    shuffler = Shuffler.NONE if device == "shuffler" else table.shuffler
    dealing = table.dealing if then is None else Dealing(then)
    setup = replace(table.setup, dealing=dealing, shuffler=shuffler)
    if then is None and (device == "shoe" or any(table.game.check_setup(table.rules, setup))):
        dealing = Dealing.MANUAL_SHOE  # the method that needs no device
        setup = replace(setup, dealing=dealing)
    objections = list(table.game.check_setup(table.rules, setup))
    if device == "shoe" and dealing is Dealing.AUTOMATED_SHOE:
        objections.append(Objection("dealing", "the automated shoe is the device that does not work", rule.cite))
    for objection in objections:
        await PutRight(None, table.stage.value, objection.message, objection.cite)
        raise TableHalt(kind, rule.cite, ("floor_called",), Disposition.CONTINUE)
    table.setup, table.dealing, table.shuffler = setup, dealing, shuffler
    table.state = replace(table.state, removed=(*table.state.removed, device))
    await note(incident, rule.cite, rule.remedy.remedies)
    await RemoveDevice(device, rule.cite, dealing.value)
