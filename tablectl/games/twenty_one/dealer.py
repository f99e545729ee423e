"""The dealer's hand of the twenty-one games: his hole card, the cards that he draws, and the end of the hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tablectl.cards import DEALER, FaceDown
from tablectl.games.twenty_one.dealing import draw_up, rack_astray
from tablectl.games.twenty_one.play import BLACKJACK, Play, to_stage
from tablectl.hands.twenty_one import total21
from tablectl.procedure.hole_card import check_peek, peek
from tablectl.procedure.instructions import AnnounceHand, DealerStands, Expose, Incident
from tablectl.procedure.irregularities import attend, handle, once
from tablectl.procedure.stages import Stage
from tablectl.rules import Cite

__all__ = ["dealer_has_blackjack", "draw_to_17", "turn_hole_card"]

STANDS_ON: Final = 17


async def dealer_has_blackjack(play: Play) -> bool:
    """Under an ace or a card of value ten the hole card goes into the reader: whether it makes a Blackjack (x.7(g))."""
    await to_stage(play.table, Stage.DECIDING)
    return await peek(play.table, play.up, play.chapter.peek)


async def turn_hole_card(play: Play, *, told: bool) -> None:
    """The dealer turns his hole card up; `told` is what the reader has said of it, if it was asked.

    With a Blackjack his hand is complete.
    """
    table = play.table
    await to_stage(table, Stage.DECIDING)
    hole = table.hands[DEALER][1]
    card = (await attend(table, Expose(DEALER, 0, (hole,)))).cards[0]
    table.hands[DEALER][1] = FaceDown(card)
    play.dealer.append(card)
    await to_stage(table, Stage.REVEALED)
    await check_peek(table, play.up, card, told)
    if told:
        await _stand(play, BLACKJACK, play.chapter.peek)


async def draw_to_17(play: Play, matters: Callable[[], bool]) -> int:
    """The dealer draws until he has 17 or more, as long as his point count matters at all; what it is in the end.

    He announces it after each card. A card that he draws beyond that, or that nobody can use, goes to the rack.
    """
    table, clause = play.table, play.chapter.draw
    points = total21(play.dealer).points
    while points < STANDS_ON and matters():
        await to_stage(table, Stage.DEALING)
        await draw_up(play, DEALER)
        points = total21(play.dealer).points
        await AnnounceHand(DEALER, str(points), clause)
    await rack_astray(play)
    await to_stage(table, Stage.REVEALED)
    await _stand(play, str(points), clause)
    return points


async def _stand(play: Play, total: str, clause: Cite) -> None:
    """The dealer's hand is complete, before anything is settled by it; one more card of his goes to the rack."""
    table = play.table
    while isinstance(incident := await once(table, DealerStands(total, clause)), Incident):
        await handle(table, incident)
        await rack_astray(play)
        await to_stage(table, Stage.REVEALED)
