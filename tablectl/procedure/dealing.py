"""Wagers up to "no more bets", the three dealing methods, and what becomes of the stub, for the one-deck games."""

from __future__ import annotations

from collections.abc import Sequence

from tablectl.cards import FaceDown, Position
from tablectl.events import Disposition
from tablectl.procedure.game import Dealing
from tablectl.procedure.instructions import (
    CollectWagers,
    CountCards,
    Dispense,
    Dispensed,
    Draw,
    Drawn,
    FoundFaceUp,
    Incident,
    NoMoreBets,
    PutRight,
    ShoeJammed,
    Stake,
)
from tablectl.procedure.irregularities import attend, handle, void
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table

__all__ = ["collect_wagers", "deal", "no_more_bets", "retire_stub"]

_STUB_COUNT_EVERY = 5  # rounds: 563.8(f), 565.8(f) and their kin


async def collect_wagers(table: Table) -> tuple[Stake, ...]:
    """Wagers as they stand when the dealer closes the betting; what the rules forbid is named and must be put right."""
    game = table.game
    while True:
        stakes = await attend(table, CollectWagers(game.opening, table.setup.seats))
        objections = list(game.check_wagers(table.rules, table.setup, stakes))
        if not objections:
            return stakes
        for number, objection in objections:
            await PutRight(number, table.stage.value, objection.message, objection.cite)


async def no_more_bets(table: Table, stakes: Sequence[Stake]) -> None:
    """Announce it; from here on these stakes stand (x.8(b), x.9(a)(3), x.10(a)(2))."""
    await table.enter(Stage.LOCKED)
    await NoMoreBets(table.clauses.no_more_bets, tuple(stakes))
    for stake in stakes:
        table.stakes[stake.seat, stake.wager, stake.hand] = stake


async def deal(table: Table, count: int, to: Sequence[Position]) -> None:
    """Deal `count` cards face down to each of these places, by the method in use.

    From a manual shoe or the hand one card at a time, round after round (x.8(d), x.9(b)); from an automated shoe one
    whole stack after the other (x.10(b)).
    """
    await table.enter(Stage.DEALING)
    for place in to:
        table.hands[place] = []
    if table.dealing is Dealing.AUTOMATED_SHOE:
        for place in to:
            await _dispense(table, count, place)
    else:
        for _ in range(count):
            for place in to:
                table.hands[place].append(await _draw(table, place))


async def retire_stub(table: Table) -> None:
    """The stub goes to the discard rack, counted first when that is due (x.8(e)-(h), x.9(c)-(f), x.10(c)-(f)).

    It is due in the fifth round since the last count, unless the shuffler counts. A face-up card that was discarded
    lies in the rack, so the deck is complete without it.
    """
    clauses = table.clauses
    whole = table.game.deck
    due = not table.shuffler.counts and table.state.rounds_since_count + 1 >= _STUB_COUNT_EVERY
    count = await attend(table, CountCards("stub", whole - table.cards_out, whole, clauses.count, due))
    if count is None:
        return
    table.counted = True
    if count.total == whole:
        return
    incident = Incident("deck_count", count.position, count=count.total, misdealt=count.misdealt)
    if count.misdealt:
        raise void(incident, clauses.count_wrong, ("wagers_returned",))
    raise void(incident, clauses.count_wrong, ("wagers_returned", "deck_removed"), Disposition.REMOVE)


async def _draw(table: Table, to: Position) -> FaceDown:
    """One card for that place; a face-up one goes to the rack and the next takes its place."""
    while True:
        drawn = await attend(table, Draw(table.cards_out + 1, to))
        table.cards_out += 1
        if isinstance(drawn, Drawn):
            return drawn.card
        await handle(table, Incident("card_face_up"))


async def _dispense(table: Table, count: int, to: Position) -> None:
    hand = table.hands[to]
    while len(hand) < count:
        result = await attend(table, Dispense(table.cards_out + 1, count - len(hand), to))
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
