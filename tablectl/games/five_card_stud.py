"""Five-card Stud, 58 Pa. Code section 637a.14.

Readings where the text leaves room; more are in `tablectl.games.poker_room` and `tablectl.procedure.poker`:

- 637a.14(c): there is no button; cards and antes begin with the seat farthest to the dealer's left.
- 637a.14(d), (f)(2): up cards of equal rank are told apart by suit, equal hands showing by who sits nearer to the
  dealer's left, both as written.
- 637a.14(e): after the Forced Bet a player may call it, or bet or raise to a whole bet; the player who has placed it is
  asked again only when somebody has.
- 637a.14(f)(1): a player who is all in and has the highest hand showing does not act: the next one clockwise does.
- 637a.14(i): equal hands divide the pot; an excess goes to the one with the highest card by rank and suit.
- 637a.18(n): the hole card that was turned up is the up card of that player, also for the Forced Bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.cards import Card, seat
from tablectl.games.poker_room import exposed_in_the_deal, irregularities, poker_game
from tablectl.hands.omaha import strength
from tablectl.hands.showing import by_suit, showing
from tablectl.procedure.game import Irregularity, Remedy
from tablectl.procedure.instructions import Incident
from tablectl.procedure.poker import PokerRound, sit_down
from tablectl.procedure.showdown import Showdown, Worth, finish
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.rules import cite
from tablectl.rules.five_card_stud import FiveCardStudSubmission

__all__ = ["GAME"]

SECTION: Final = "14"
_HAND: Final = 5


async def round_of_play(table: Table) -> None:
    """637a.14(c) to (i), in the order of the text."""
    play = await sit_down(table, cite("637a.14(b)"), least=table.rules.forced_bet, with_button=False, early=2)
    await play.antes(cite("637a.14(b)"))
    up: dict[int, list[Card]] = {}
    await play.begin_deal(cite("637a.14(c)"))
    await play.deal(1)
    left = [number for number in play.order if number in play.bets.live or number not in play.bets.seats]
    await deal_up(play, up, left, 2)
    if not play.is_over:
        forced = lowest({number: cards for number, cards in up.items() if number in play.bets.live})
        await play.post(forced, "forced_bet", table.rules.forced_bet, cite("637a.14(d)"))
        await play.betting_round(play.bets.clockwise(forced)[0], cite("637a.14(e)"), forced=forced)
    for number in range(3, _HAND + 1):
        if play.is_over:
            break
        clause = cite("637a.14(f)" if number == 3 else "637a.14(h)")
        await play.burn(clause)
        await deal_up(play, up, sorted(play.bets.live), number)
        if not play.is_over:
            await play.betting_round(highest(up, play.bets.live), cite("637a.14(g)"))
    await finish(play, Showdown(_rank, _excess, lambda _part, _shared: cite("637a.14(i)")))


async def deal_up(play: PokerRound, up: dict[int, list[Card]], seats: list[int], number: int) -> None:
    """One more card face up to each of these seats, the one of that number (637a.14(c), (f), (h))."""
    await play.give([seat(each) for each in seats])
    there = [each for each in seats if play.table.hands.get(seat(each)) and each in play.bets.live]
    cards = await play.turn_up([seat(each) for each in there], number)
    for each, card in zip(there, cards, strict=True):
        up.setdefault(each, []).append(card)


def lowest(up: dict[int, list[Card]]) -> int:
    """The seat with the lowest up card, by rank and then by suit (637a.14(d))."""
    return min(up, key=lambda number: by_suit(up[number][0]))


def highest(up: dict[int, list[Card]], live: Sequence[int]) -> int:
    """The seat with the highest hand showing, among equals the one closest to the dealer's left (637a.14(f))."""
    return max(sorted(live), key=lambda number: showing(up[number]))


def hole_card_exposed(incident: Incident, table: Table) -> bool:
    """The hole card was turned up in the dealing process, in time for the second one to stay face down."""
    return exposed_in_the_deal(incident, table) and not table.shown.lies_up(incident.position)


def _rank(cards: Sequence[Card]) -> Worth:
    return Worth(strength(cards))


def _excess(cards: Sequence[Card], _part: str) -> list[tuple[int, int]]:
    return sorted(map(by_suit, cards), reverse=True)


GAME = poker_game(
    "five_card_stud",
    "Five-card Stud",
    SECTION,
    8,
    _HAND,
    FiveCardStudSubmission,
    "c",
    round_of_play,
    irregularities(
        Irregularity(
            "card_exposed",
            Remedy.BY_THE_GAME,
            cite("637a.18(n)"),
            (Stage.DEALING,),
            ("seat",),
            holds=hole_card_exposed,
            named=("card_down",),
        ),
        hole_cards_protected=True,
    ),
)
