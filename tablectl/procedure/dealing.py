"""Wagers up to "no more bets", and the dealing methods: single cards, stacks, boards, burned cards.

What a chapter says of order and method is put together from these by its round of play: from a manual shoe or the hand
cards come one by one, from an automated shoe stack by stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablectl.cards import BURN, COMMUNITY, DEALER, Position, position, seat
from tablectl.procedure.barring import barred_wagers
from tablectl.procedure.cutting import offer_order
from tablectl.procedure.decks import alternates
from tablectl.procedure.devices import ready_to_deal
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import (
    Burn,
    CollectCards,
    CollectWagers,
    Cut,
    DealAround,
    DeliverStack,
    Dispense,
    Dispensed,
    Draw,
    Drawn,
    FoundFaceUp,
    Incident,
    NoMoreBets,
    OfferCut,
    OutOfService,
    PutRight,
    ShoeJammed,
    Shuffle,
    Shuffled,
    ShuffleFault,
    Stake,
    once_around,
)
from tablectl.procedure.irregularities import attend, handle, once
from tablectl.procedure.progressive import lock_out, open_wagering, with_units
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite, Objection

__all__ = [
    "burn",
    "burn_first",
    "close_betting",
    "collect_unwagered",
    "collect_wagers",
    "deal",
    "deal_board",
    "deal_each",
    "deal_stacks_by_hand",
    "dealt_around",
    "deliver_stacks",
    "draw",
    "hand_needs_shuffler",
    "instead",
    "no_more_bets",
    "replace_exposed",
]


async def collect_wagers(table: Table) -> tuple[Stake, ...]:
    """Wagers as they stand when the dealer closes the betting; what the rules forbid is named and must be put right."""
    game = table.game
    await burn_first(table)
    wagers = await open_wagering(table)
    while True:
        stakes = with_units(table, await attend(table, CollectWagers(wagers, table.setup.seats)))
        objections = [*barred_wagers(table, stakes), *game.check_wagers(table.rules, table.setup, stakes)]
        if not objections:
            await burn_first(table)  # a dealer may have come meanwhile
            return stakes
        for number, objection in objections:
            await PutRight(number, table.stage.value, objection.message, objection.cite)


async def no_more_bets(table: Table, stakes: Sequence[Stake], clause: Cite | None = None) -> None:
    """Announce it; from here on these stakes stand (x.8(b), x.9(a)(3), x.10(a)(2)).

    The clause is that of the dealing method, if it is not another one by the filed rules. What electronic systems
    accept is locked out, collected and verified before anything is dealt.
    """
    await close_betting(table, stakes, clause)
    await lock_out(table, stakes)


async def close_betting(table: Table, stakes: Sequence[Stake], clause: Cite | None = None) -> None:
    """As `no_more_bets`, up to the lock-out, where the dealer does something else before that (670a.8(b)(1))."""
    await ready_to_deal(table)
    await table.enter(Stage.LOCKED)
    by_system = [system.wager for system in table.game.systems]
    laid = tuple(stake for stake in stakes if stake.wager not in by_system)
    await NoMoreBets(clause or table.clauses.no_more_bets, laid)
    for stake in laid:
        table.stakes[stake.seat, stake.wager, stake.hand] = stake


def hand_needs_shuffler(setup: Setup, clause: Cite) -> Iterator[Objection]:
    """What x.9(a)(1) forbids in a table's set-up: dealing from the hand without an automated shuffling device."""
    if setup.dealing is Dealing.FROM_HAND and setup.shuffler is Shuffler.NONE:
        yield Objection("dealing", "dealing from the hand needs an automated shuffler", clause)


# Hands --------------------------------------------------------------------------------------------------------------


async def deal(table: Table, count: int, to: Sequence[Position]) -> None:
    """Deal `count` cards face down to each of these places, by the method in use.

    From a manual shoe or the hand one card at a time, round after round (x.8(d), x.9(b)); from an automated shoe one
    whole stack after the other (x.10(b)).
    """
    await _begin(table, to)
    if table.dealing is Dealing.AUTOMATED_SHOE:
        for place in to:
            await _dispense(table, count, place)
        return
    await _deal_around(table, tuple(to) * count)


async def deal_each(table: Table, count: int, to: Sequence[Position]) -> None:
    """Deal as `deal` does, but all cards of one place before those of the next (655a.8(d)(1), 655a.9(b)(1))."""
    await _begin(table, to)
    if table.dealing is Dealing.AUTOMATED_SHOE:
        for place in to:
            await _dispense(table, count, place)
        return
    await _deal_around(table, tuple([place for place in to for _ in range(count)]))


async def deal_board(table: Table, count: int, *, in_a_stack: bool = False) -> None:
    """Deal community cards face down, in the order in which they are numbered.

    `in_a_stack`: an automated shoe gives them as one stack (674a.10(b), 655a.10(g)); else they come one by one, from an
    automated shoe's cards out of the hand (563.10(c), 655a.10(c)).
    """
    await _begin(table, (COMMUNITY,))
    if in_a_stack and table.dealing is Dealing.AUTOMATED_SHOE:
        await _dispense(table, count, COMMUNITY)
        return
    await _deal_around(table, (COMMUNITY,) * count)


async def deal_stacks_by_hand(table: Table, count: int, stacks: int) -> None:
    """Make stacks of `count` cards before the dealer: first from left to right, then back, and so on (561.10(c))."""
    places = tuple(position(f"stack {number}") for number in range(1, stacks + 1))
    await _begin(table, places)
    await _deal_around(table, tuple([p for turn in range(count) for p in (places if turn % 2 == 0 else places[::-1])]))


async def deliver_stacks(table: Table, to: Sequence[Position]) -> None:
    """Deliver the stacks that were made by hand: the first to the first of these places, and so on."""
    for number, place in enumerate(to, 1):
        stack = position(f"stack {number}")
        await attend(table, DeliverStack(stack, place))  # what is noticed at the last card comes before (561.14(j))
        table.hands[place] = table.hands.pop(stack)


async def collect_unwagered(table: Table, clause: Cite) -> None:
    """Cards at positions without a wager are collected unseen (561.9(e), 670a.8(g))."""
    taking_part = table.seats
    for number in range(1, table.setup.seats + 1):
        if number not in taking_part and (hand := table.hands.pop(seat(number), None)):
            await CollectCards(seat(number), len(hand), clause)


async def _deal_around(table: Table, places: tuple[Position, ...]) -> None:
    """One card face down to each of these places; a face-up one goes to the rack and the next takes its place."""
    left = places
    while left:
        if table.to_replace:
            await replace_exposed(table)
        came = await once(table, DealAround(table.cards_out + 1, left))
        match came:
            case Dispensed(cards):
                left = await dealt_around(table, cards, left)
            case Drawn():
                left = await dealt_around(table, (came,), left)
            case _:
                await instead(table, came, left[0])


# Single cards -------------------------------------------------------------------------------------------------------


async def burn(table: Table, clause: Cite) -> None:
    """Take the next card off, face down; one that lies face up is none (563.11(b), 637a.12(h) …)."""
    while True:
        drawn = await once(table, Burn(table.cards_out + 1, clause))
        if isinstance(drawn, Drawn):
            table.cards_out += 1
            return
        await instead(table, drawn, BURN)


async def burn_first(table: Table) -> None:
    """Burn the first card of a full batch, or the one that each new dealer burns (672a.7(c), 673a.7(c)).

    One card does for both. It comes before the wagers, and an order that begins the round again does not repeat it.
    """
    clause = table.game.burn
    if clause is not None and (table.state.burn_due or table.state.new_dealer):
        await burn(table, clause)
        table.state = replace(table.state, burn_due=False, new_dealer=False)


async def dealt_around(
    table: Table, cards: Sequence[Drawn | FoundFaceUp], left: tuple[Position, ...]
) -> tuple[Position, ...]:
    """Put cards where they were dealt, which is to the first of these places; those that still get one."""
    hands = table.hands
    drawn = [item.card for item in cards if type(item) is Drawn]
    if len(drawn) == len(cards):
        around = once_around(left)
        for turn, place in zip(range(len(drawn)), around, strict=False):
            hands.setdefault(place, []).extend(drawn[turn :: len(around)])
        table.cards_out += len(drawn)
        return left[len(drawn) :]
    for item in cards:
        if type(item) is Drawn:
            hands.setdefault(left[0], []).append(item.card)
            table.cards_out += 1
            left = left[1:]
        else:
            assert isinstance(item, FoundFaceUp)
            await instead(table, item, left[0])
    return left


async def draw(table: Table, to: Position) -> None:
    """Draw one card for that place; a face-up one goes to the rack and the next takes its place."""
    while True:
        if table.to_replace:
            await replace_exposed(table)
        drawn = await once(table, Draw(table.cards_out + 1, to))
        if isinstance(drawn, Drawn):
            table.cards_out += 1
            table.hands.setdefault(to, []).append(drawn.card)
            return
        await instead(table, drawn, to)


async def replace_exposed(table: Table) -> None:
    """The next card takes the place of one that was exposed, which is out of the round (637a.18(p))."""
    while table.to_replace:
        place, clause = table.to_replace.pop(0)
        if table.hands.get(place):
            table.hands[place].pop()
            await CollectCards(place, 1, clause)
            await draw(table, place)


async def instead(table: Table, came: FoundFaceUp | Incident, to: Position) -> None:
    """Deal with what came instead of the card that was wanted."""
    match came:
        case FoundFaceUp():
            table.cards_out += 1
            await handle(table, Incident("card_face_up"))
        case Incident(kind="cover_card", position=None):
            await handle(table, replace(came, position=to))  # it comes before the card for that place
        case Incident():
            await handle(table, came)
    if table.shoe_empty:
        table.shoe_empty = False
        await _reshuffle_discards(table)


async def _reshuffle_discards(table: Table) -> None:
    """Nothing is left to draw from: the discards are shuffled and cut (672a.12(f), 673a.13(f), 637a.13(g)(2))."""
    by = "hand" if table.shuffler is Shuffler.NONE or alternates(table) else "device"  # else the other deck is in it
    while not isinstance(result := await attend(table, Shuffle(table.deck, by)), Shuffled):
        match result:
            case ShuffleFault(kind):
                await handle(table, Incident(kind))
            case OutOfService(kind, _device, then):
                await handle(table, Incident(kind, then=then))
                by = "hand"
    clauses = table.game.shuffling
    by_whom: Position = DEALER
    if clauses.style.offered:
        order, offer = offer_order(table)
        taken = await attend(table, OfferCut(order, clauses.style.value, offer))
        by_whom = DEALER if taken.by is None else seat(taken.by)
    if clauses.needs_cut(by_device=by == "device"):
        await attend(table, Cut(table.deck, by_whom, clauses.style.value, clauses.cut))
    if table.game.burn is not None:
        await burn(table, table.game.burn)


async def _begin(table: Table, to: Sequence[Position]) -> None:
    if table.stage is not Stage.DEALING:
        await table.enter(Stage.DEALING)
    for place in to:
        table.hands.setdefault(place, [])


async def _dispense(table: Table, count: int, to: Position) -> None:
    """One stack for that place; cards that lie face up in it go to the rack, and the shoe gives as many more."""
    hand = table.hands[to]
    wanted = len(hand) + count
    while len(hand) < wanted:
        result = await attend(table, Dispense(table.cards_out + 1, wanted - len(hand), to))
        for item in result.cards:
            table.cards_out += 1
            if isinstance(item, FoundFaceUp):
                await handle(table, Incident("card_face_up"))
            else:
                hand.append(item.card)
        match result:
            case Dispensed():
                pass
            case ShoeJammed():
                await handle(table, Incident("shoe_jam"))
