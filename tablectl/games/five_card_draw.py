"""Five-card Draw High and Low, 58 Pa. Code section 637a.13.

Readings where the text leaves room; more are in `tablectl.games.poker_room` and `tablectl.procedure.poker`:

- 637a.13(g): whoever is left draws, a player who is all in too. The one burn comes before the first card that is drawn;
  where nobody draws, none is burned.
- 637a.13(g)(2): the deck is short when the dealer says so; what has been discarded until then is shuffled, folded hands
  and the burn card too.
- 637a.13(i): equal hands divide the pot; an excess goes to the one with the highest card by rank and suit, among low
  hands to the one with the lowest, as in 637a.12(k)(2).
- 637a.13(i)(2): which low is played is filed; in deuce to seven the ace is the highest card.
- 637a.18: no clause speaks of a card that is exposed in the deal of this game: it is on record, and the hand is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.cards import SUITS, Card, seat
from tablectl.games.poker_room import irregularities, poker_game
from tablectl.hands.low import ACE_TO_FIVE, LOWS
from tablectl.hands.omaha import strength
from tablectl.hands.showing import by_suit
from tablectl.procedure.game import Game, Irregularity, Remedy
from tablectl.procedure.instructions import Ask, Choice, Discard, Left, Note
from tablectl.procedure.irregularities import ask_while, attend
from tablectl.procedure.poker import PokerRound, move_button, sit_down
from tablectl.procedure.showdown import LOW, Showdown, Worth, finish
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.rules import Submission, cite

__all__ = ["five_card_draw"]

SECTION: Final = "13"
DRAW: Final = "draw"
_HAND: Final = 5
_MAY_DRAW: Final = (Choice(DRAW, discards=(0, _HAND)),)


async def play_draw(table: Table, *, low: bool) -> None:
    """637a.13(c) to (i), in the order of the text."""
    play = await sit_down(table, cite("637a.13(c)"), least=max(table.rules.blinds), with_button=True, early=1)
    await play.antes(cite("637a.13(b)"))
    await play.begin_deal(cite("637a.13(d)"))
    await play.deal(_HAND)
    last = await play.blinds(cite("637a.13(e)"))
    await play.betting_round(play.bets.clockwise(last)[0], cite("637a.13(f)"))
    if not play.is_over:
        await draw_cards(play)
    if not play.is_over:
        await play.betting_round(play.bets.clockwise(play.button)[0], cite("637a.13(h)"))
    await finish(play, showdown(table.rules.low) if low else _HIGH)
    move_button(table, play)


async def draw_cards(play: PokerRound) -> None:
    """Each player who is left may draw new cards, from the left of the button on (637a.13(g))."""
    table = play.table
    burned = False
    for number in play.bets.clockwise(play.button):
        if number not in play.bets.live or play.is_over:
            continue
        if table.stage is not Stage.DECIDING:
            await table.enter(Stage.DECIDING)
        wanted = await _discards(play, number)
        if not wanted or number not in play.bets.live:
            continue
        await table.enter(Stage.DEALING)
        if not burned:
            await play.burn(cite("637a.13(g)(1)"))
            burned = True
        await play.give((seat(number),) * wanted)


async def _discards(play: PokerRound, number: int) -> int:
    """Ask one player how many cards he wants, and take those away that he discards."""
    table, clause = play.table, cite("637a.13(g)")

    async def goes_on() -> bool:
        await play.put_right()
        return number in play.bets.live and not play.is_over

    decision = await ask_while(table, lambda again: Ask(number, _MAY_DRAW, clause, again), goes_on)
    if decision is None:
        return 0
    if isinstance(decision, Left):
        play.bets.fold(number)
        await Note("player_left", seat(number), cite("637a.18(k)(4)"), ("hand_dead",))
        return 0
    hand = table.hands[seat(number)]
    thrown = await attend(table, Discard(number, tuple(hand), 0, _HAND, clause))
    await play.put_right()
    if thrown.count:
        play.discarded(number, thrown.count, thrown.places)
    return thrown.count


def _high(cards: Sequence[Card]) -> Worth:
    return Worth(strength(cards))


def _highest(cards: Sequence[Card], _part: str) -> list[tuple[int, int]]:
    return sorted(map(by_suit, cards), reverse=True)


_HIGH: Final = Showdown(_high, _highest, lambda _part, _shared: cite("637a.13(i)(1)"))


def showdown(low: str) -> Showdown:
    """How low hands of that kind compare; equal ones by their lowest card."""
    rank = LOWS[low]
    ace = 1 if low == ACE_TO_FIVE else 14

    def lowest(cards: Sequence[Card], _part: str) -> list[tuple[int, int]]:
        ranked = sorted((ace if card.rank == 14 else card.rank, SUITS.index(card.suit)) for card in cards)
        return [(-rank, -suit) for rank, suit in ranked]  # the greater has the excess

    return Showdown(
        lambda cards: Worth(None, rank(cards).order), lowest, lambda _part, _shared: cite("637a.13(i)(2)"), LOW
    )


IRREGULARITIES: Final = irregularities(
    Irregularity("insufficient_cards", Remedy.RESHUFFLE_DISCARDS, cite("637a.13(g)(2)"), (Stage.DEALING,)),
)


def five_card_draw(game: str, title: str, submission: type[Submission], *, low: bool) -> Game:
    """One of the two draw games; `low`: the best low hand wins."""

    async def round_of_play(table: Table) -> None:
        await play_draw(table, low=low)

    return poker_game(game, title, SECTION, 8, _HAND, submission, "d", round_of_play, IRREGULARITIES)
