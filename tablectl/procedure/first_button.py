"""The button is given to a player by the rank of a card, where that is filed (637a.12(c)(1)(ii), 637a.13(c)(1)(ii)).

Readings where the text leaves room:

- A single card is dealt to each player who takes part, from the dealer's left on, and lies face up at once. The highest
  has the button; an ace is high, and cards of one rank go by suit as in 637a.12(k)(2)(iv).
- These are no cards of a round: no wager lies on the table yet. The whole deck is shuffled and cut after them, as it is
  before every deal (637a.18(g)(1)), so that a card may come again in the round.
- Play commences when the table is opened for the gaming day.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablectl.cards import Card, FaceDown, seat
from tablectl.hands.showing import by_suit
from tablectl.procedure.devices import ready_to_deal
from tablectl.procedure.instructions import (
    DealForButton,
    Dispensed,
    Drawn,
    GiveButton,
    Incident,
    TurnUpForButton,
)
from tablectl.procedure.irregularities import attend, handle
from tablectl.procedure.shown import Shown
from tablectl.procedure.shuffling import shuffle_and_cut
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite

__all__ = ["draw_button"]


async def draw_button(table: Table, seats: Sequence[int], clause: Cite) -> None:
    """Deal one card face up to each of these seats, give the button to the highest, and shuffle and cut the deck.

    Whatever comes between from the first card on, nothing else is dealt before the cards have been shuffled.
    """
    await ready_to_deal(table)
    table.ready = False
    cards = await _one_each(table, seats)
    highest = max(range(len(seats)), key=lambda place: by_suit(cards[place]))
    await GiveButton(seats[highest], cards[highest], clause)
    table.state = replace(table.state, button=seat(seats[highest]))
    table.back_in_deck = table.cards_out
    table.shown = Shown(table.state.round + 1, table.state.shoe)  # and what was seen may come again
    await shuffle_and_cut(table)
    table.ready = True


async def _one_each(table: Table, seats: Sequence[int]) -> list[Card]:
    """A card face up before each of these seats; one that lay face up in the deck is none of them."""
    places = tuple([seat(number) for number in seats])
    down: list[FaceDown] = []
    while len(down) < len(places):
        came = await attend(table, DealForButton(table.cards_out + 1, places[len(down) :]))
        for item in came.cards if isinstance(came, Dispensed) else (came,):
            table.cards_out += 1
            if isinstance(item, Drawn):
                down.append(item.card)
            else:
                await handle(table, Incident("card_face_up"))
    shown: list[Card] = []
    while len(shown) < len(places):
        turned = await attend(table, TurnUpForButton(places[len(shown) :], 1, tuple(down[len(shown) :])))
        shown += turned.cards
    return shown
