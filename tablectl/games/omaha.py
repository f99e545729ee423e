"""Omaha High and Omaha High-low Split Eight or Better, 58 Pa. Code section 637a.12.

Readings where the text leaves room; more are in `tablectl.games.poker_room` and `tablectl.procedure.poker`:

- 637a.12(d): with two players the one to the left of the button places the first blind, the button the second.
- 637a.12(k)(1): equal high hands divide the pot in Omaha High too, an excess by the same cards as in (k)(2)(ii).
- 637a.12(k)(2)(ii), (iii): the card that an excess goes by is of the five that make the hand, the highest or the lowest
  in which the tied hands differ. Of several ways to make the same hand the best for the player counts.
- 637a.12(k)(2): each pot is divided by itself: a low that only a player outside of a side pot has takes no half of it.
- 637a.12(n): a pot qualifies if one player has won all of it. In the next round that player posts, after the blinds, a
  bet of twice the highest blind (half as much again for a Half-kill), and all sizes of bets are as many times as much.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from tablectl.cards import Card
from tablectl.games.poker_room import exposed_in_the_deal, irregularities, poker_game
from tablectl.hands.omaha import Board, strength
from tablectl.hands.showing import by_suit
from tablectl.money import Money
from tablectl.procedure.game import Game, Irregularity, Remedy
from tablectl.procedure.poker import PokerRound, move_button, sit_down
from tablectl.procedure.showdown import HIGH, Showdown, Worth, finish
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite, Submission, cite

__all__ = ["omaha"]

SECTION: Final = "12"
_OWN: Final = 4
_BOARD: Final = 5
_STREETS: Final = ((3, cite("637a.12(h)")), (1, cite("637a.12(i)")), (1, cite("637a.12(j)")))


async def play_omaha(table: Table, *, low: bool) -> None:
    """637a.12(c) to (n), in the order of the text."""
    highest = max(table.rules.blinds)
    play = await sit_down(table, cite("637a.12(c)"), least=highest, with_button=True, early=2)
    await play.antes(cite("637a.12(b)"))
    last = await play.blinds(cite("637a.12(d)"))
    await post_kill(play)
    last = await play.straddle(last, cite("637a.12(e)"))
    await play.begin_deal(cite("637a.12(f)"))
    await play.deal(_OWN)
    await play.betting_round(play.bets.clockwise(last)[0], cite("637a.12(g)"))
    for cards, clause in _STREETS:
        if play.is_over:
            break
        await play.board(cards, clause)
        await play.betting_round(play.bets.clockwise(play.button)[0], clause)
    await divide(play, low=low)
    move_button(table, play)


async def post_kill(play: PokerRound) -> None:
    """The player who has won a qualifying pot posts the kill, whatever blind is his (637a.12(n))."""
    number, rules = play.table.state.kill, play.rules
    if rules.kill and number in play.bets.seats:
        await play.post(number, "kill", Money(max(rules.blinds) * rules.kill // 2), cite("637a.12(n)"))


async def divide(play: PokerRound, *, low: bool) -> None:
    """Showdown and division of the pots (637a.12(k) to (m))."""
    table = play.table
    board = Board(play.board_cards) if len(play.board_cards) == _BOARD else None

    def rank(cards: Sequence[Card]) -> Worth:
        assert board is not None
        made = board.low(cards) if low else None
        return Worth(board.high(cards), None if made is None else -made)

    def excess(cards: Sequence[Card], part: str) -> Any:
        assert board is not None
        return _highest(board, cards) if part == HIGH else _lowest(board, cards)

    awards = await finish(play, Showdown(rank, excess, _clause_hilo if low else _clause_high))
    kill = 0
    if play.rules.kill and awards:
        pot, shares = awards[0]
        winners = {number: None for part in shares.values() for number in part}
        if len(winners) == 1 and pot.amount >= play.rules.kill_pot:
            kill = next(iter(winners))
    if kill != table.state.kill:
        table.state = replace(table.state, kill=kill)


def _highest(board: Board, own: Sequence[Card]) -> list[tuple[int, int]]:
    """The cards of the best high hand, highest first, by rank and suit."""
    best = board.high(own)
    hands = [sorted(map(by_suit, made), reverse=True) for made in board.made(own) if strength(made) == best]
    return max(hands)


def _lowest(board: Board, own: Sequence[Card]) -> list[tuple[int, int]]:
    """The cards of the best low hand, lowest first, by rank and suit; the lower they are, the greater is this."""
    best = board.low(own)
    hands = [
        [(-rank, -suit) for rank, suit in sorted((card.rank % 13, "cdhs".index(card.suit)) for card in made)]
        for made in board.made(own)
        if board.is_low(made, best)
    ]
    return max(hands)


def _clause_high(_part: str, _shared: bool) -> Cite:
    return cite("637a.12(k)(1)")


def _clause_hilo(part: str, shared: bool) -> Cite:
    if not shared:
        return cite("637a.12(k)(2)(i)")
    return cite("637a.12(k)(2)(ii)" if part == HIGH else "637a.12(k)(2)(iii)")


IRREGULARITIES: Final = irregularities(
    Irregularity(
        "card_exposed",
        Remedy.REPLACE_CARD,
        cite("637a.18(p)"),
        (Stage.DEALING, Stage.DECIDING),
        ("seat",),
        holds=exposed_in_the_deal,
    ),
)


def omaha(game: str, title: str, submission: type[Submission], *, low: bool) -> Game:
    """One of the two Omaha games; `low`: the pot is split with the best low hand."""

    async def round_of_play(table: Table) -> None:
        await play_omaha(table, low=low)

    play: Callable[[Table], Coroutine[Any, Any, None]] = round_of_play
    return poker_game(game, title, SECTION, 10, _OWN, submission, "f", play, IRREGULARITIES)
