"""Criss-Cross Poker, 58 Pa. Code Chapter 674a.

The community cards are numbered as they are dealt: 1 in the box farthest from the dealer, 2, 3 and 4 in the middle row,
5 in the box before the dealer. So 2, 3, 4 are the horizontal line of the cross, 1, 3, 5 the vertical one.

Readings where the text leaves room:

- 674a.5(d): cards that are dealt from the hand go into no shoe.
- 674a.7(b): a player who leaves forfeits what is still open, the Five Card Bonus too; the dealer collects it when that
  seat would be asked next, or at its turn in the settlement.
- 674a.7(c): a wager may not be increased or withdrawn after "no more bets" either.
- 674a.11(b), (d), (f): whoever does not bet is out, and his wagers and cards are collected before the next player is
  asked. Bets are one, two or three times the Ante, in whole multiples.
- 674a.11(c), (e), (g): the board is turned up even if nobody is in any more.
- 674a.11(h): in each seat the Across Hand, then the Down Hand, then the Middle Bet, then the Five Card Bonus. Seats
  that are out are visited for their bonus in the same counterclockwise pass; a lost bonus is collected.
- 674a.11(h)(4): the Middle Bet follows the higher of the two hands, so that a push of one against a loss of the other
  is a push.
- 674a.12(d): the limit covers all that a player is paid in the round, the Five Card Bonus too.
- 674a.13(d): until the card in the centre is turned up, as until then there are cards that nobody may see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tablectl.cards import COMMUNITY, Card, seat
from tablectl.events import Result, WagerSettled
from tablectl.games.common import (
    check_limits,
    check_one_position,
    check_setup,
    deck_clocks,
    irregularities,
    opening,
    shuffling,
    stub_clauses,
)
from tablectl.hands.poker import FIVE_CARD, Evaluator, HandRank
from tablectl.money import EVEN, Odds, show
from tablectl.procedure.counts import retire_stub
from tablectl.procedure.dealing import collect_wagers, deal, deal_board, no_more_bets
from tablectl.procedure.game import Game, Irregularity, PayoutLimit, Remedy, Setup
from tablectl.procedure.instructions import Ask, Choice, CollectCards, Expose, Left, PlaceWagers, Stake
from tablectl.procedure.irregularities import ask, attend
from tablectl.procedure.settlement import forfeit_all, least_limit, settle, settle_all, settled
from tablectl.procedure.stages import ONE_DECISION, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.criss_cross_poker import BET as BET_PAYS
from tablectl.rules.criss_cross_poker import BONUS as BONUS_PAYS
from tablectl.rules.criss_cross_poker import CrissCrossRules, CrissCrossSubmission

__all__ = ["GAME"]

CHAPTER: Final = "674a"
ANTE_ACROSS, ANTE_DOWN = "ante_across", "ante_down"
ACROSS, DOWN, MIDDLE, BONUS = "across", "down", "middle", "five_card_bonus"
WAGERS: Final = (ANTE_ACROSS, ANTE_DOWN, ACROSS, DOWN, MIDDLE, BONUS)
BET, FOLD = "bet", "fold"

_MOST: Final = 3  # a Bet is one to three times an Ante (674a.11(b), (d), (f))
_HORIZONTAL: Final = (2, 3, 4)
_VERTICAL: Final = (1, 3, 5)
_CENTRE: Final = 3
_SIX, _JACK = 6, 11
_OUT: Final = Choice(FOLD)
_HANDS: Final = Evaluator(FIVE_CARD)

Board = Mapping[int, Card]
"""The community cards that lie face up, by their numbers."""


async def round_of_play(table: Table) -> None:
    """674a.7 to 674a.11, in the order of the text."""
    stakes = await collect_wagers(table)  # 674a.7(c)
    await no_more_bets(table, stakes)  # 674a.8(b), 674a.9(a)(3), 674a.10(a)(2)
    await deal_board(table, 5, in_a_stack=True)  # 674a.8(d), 674a.9(b), 674a.10(b): the cross comes first
    await deal(table, 2, to=table.players)
    await retire_stub(table)  # 674a.8(e)-(h), 674a.9(c)-(f), 674a.10(c)-(f)
    await table.enter(Stage.DECIDING)
    await offer_bet(table, ACROSS, ANTE_ACROSS, cite("674a.11(b)"))
    board = await turn_up(table, 2, 4)  # 674a.11(c)
    await offer_bet(table, DOWN, ANTE_DOWN, cite("674a.11(d)"))
    board |= await turn_up(table, 1, 5)  # 674a.11(e)
    await offer_bet(table, MIDDLE, ANTE_ACROSS, cite("674a.11(f)"))
    await table.enter(Stage.REVEALED)
    board |= await turn_up(table, _CENTRE)  # 674a.11(g)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():  # 674a.11(g), (h)
        await settle_seat(table, number, board)


async def offer_bet(table: Table, wager: str, ante: str, clause: Cite) -> None:
    """Each player who is still in bets one to three times an Ante, or is out, clockwise (674a.11(b), (d), (f))."""
    for number in table.clockwise(with_wager=ANTE_ACROSS):
        if number in table.left:
            await forfeit_all(table, number)
            continue
        choices = (Choice(BET, wager, table.amount(number, ante), most=_MOST), _OUT)
        decision = await ask(table, Ask(number, choices, clause))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("674a.7(b)"))
            await forfeit_all(table, number)
        elif decision.verb == BET:
            bet = Stake(number, wager, decision.amount)
            await PlaceWagers((bet,))
            table.stakes[number, wager, 0] = bet
        else:
            await put_out(table, number, clause)


async def put_out(table: Table, number: int, clause: Cite) -> None:
    """Everything but the Five Card Bonus is collected, and the cards go to the rack (674a.11(b), (d), (f))."""
    lost = [wager for wager in table.open_wagers(number) if wager != BONUS]
    await settle_all([settled(table, number, wager, Result.FORFEITED, clause) for wager in lost])
    await CollectCards(seat(number), len(table.hands.pop(seat(number))), clause)


async def turn_up(table: Table, *numbers: int) -> dict[int, Card]:
    """Turn these community cards up, one after the other (674a.11(c), (e), (g))."""
    board: dict[int, Card] = {}
    for number in numbers:
        hidden = table.hands[COMMUNITY][number - 1]
        (board[number],) = (await attend(table, Expose(COMMUNITY, number, (hidden,)))).cards
    return board


async def settle_seat(table: Table, number: int, board: Board) -> None:
    """Turn the cards of a player who is still in up, and settle all his wagers (674a.11(g), (h))."""
    if table.open(number, MIDDLE) and number not in table.left:
        place = seat(number)
        cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
        if number not in table.left:
            await settle_hands(table, number, cards, board)
    if number in table.left:
        await forfeit_all(table, number)
    elif table.open(number, BONUS):  # 674a.11(h)(5)
        await settle_bonus(table, number, tuple(board.values()))


async def settle_hands(table: Table, number: int, cards: Sequence[Card], board: Board) -> None:
    """The Across Hand, the Down Hand, and the Middle Bet on the higher of the two (674a.11(h)(1)-(4))."""
    rows = []
    across, down = (_HANDS.rank((*cards, *(board[place] for place in line))) for line in (_HORIZONTAL, _VERTICAL))
    for hand, ante, bet, lost in (
        (across, ANTE_ACROSS, ACROSS, "674a.11(h)(1)(i)"),
        (down, ANTE_DOWN, DOWN, "674a.11(h)(2)(i)"),
    ):
        won = hand >= _JACKS
        rows.append(settled_by(table, number, ante, hand, EVEN if won else None, cite("674a.12(a)"), cite(lost)))
        rows.append(settled_by(table, number, bet, hand, bet_pays(hand), cite("674a.12(b)"), cite(lost)))
    best = max(across, down)
    rows.append(settled_by(table, number, MIDDLE, best, bet_pays(best), cite("674a.12(b)"), cite("674a.11(h)(3)")))
    await settle_all(rows)


def settled_by(
    table: Table, number: int, wager: str, hand: HandRank, odds: Odds | None, paid: Cite, lost: Cite
) -> WagerSettled:
    """A hand wins at these odds; without any it pushes from sixes to tens, and loses below."""
    if odds is not None:
        return settled(table, number, wager, Result.WIN, paid, odds)
    if hand >= _SIXES:
        return settled(table, number, wager, Result.PUSH, paid)
    return settled(table, number, wager, Result.LOSE, lost)


async def settle_bonus(table: Table, number: int, board: Sequence[Card]) -> None:
    """The Five Card Bonus is paid by the five community cards alone (674a.11(h)(5))."""
    hand = _HANDS.rank(board)
    if hand < _SIXES:
        await settle(table, number, BONUS, Result.LOSE, cite("674a.11(h)(5)"))
        return
    row = "pair_of_6s_or_better" if hand.category == "pair" else hand.category
    await settle(table, number, BONUS, Result.WIN, cite("674a.12(c)"), BONUS_PAYS[row])


def bet_pays(hand: HandRank) -> Odds | None:
    """The odds of 674a.12(b) for that hand, None where it pushes or loses."""
    if hand < _JACKS:
        return None
    return BET_PAYS["pair_of_jacks_queens_kings_or_aces" if hand.category == "pair" else hand.category]


def _least_pair(rank: int) -> HandRank:
    return HandRank(FIVE_CARD.categories.index("pair"), "pair", (rank,))


_SIXES: Final = _least_pair(_SIX)
_JACKS: Final = _least_pair(_JACK)


# What is forbidden --------------------------------------------------------------------------------------------------


def check_table(rules: CrissCrossRules, setup: Setup) -> Iterator[Objection]:
    """At most six seats, a shuffler where the cards come from the hand, and a payout limit that is high enough."""
    yield from check_setup(CHAPTER, 6, "674a.2(a)")(rules, setup)
    least = least_limit(setup, rules.won_with)
    if rules.payout_limit is not None and rules.payout_limit < least:
        message = f"{show(rules.payout_limit)} is below {show(least)}, which can be won with the minimum wager"
        yield Objection("payout_limit", message, cite("674a.12(d)"))


def check_wagers(rules: CrissCrossRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """Two equal Antes, and a Five Card Bonus beside them where it is offered (674a.7(d), (e)); posted limits."""
    placed = {(stake.seat, stake.wager): stake.amount for stake in stakes}
    for number in sorted(dict.fromkeys(stake.seat for stake in stakes)):
        antes = [wager for wager in (ANTE_ACROSS, ANTE_DOWN) if (number, wager) in placed]
        if len(antes) == 1:
            other = ANTE_DOWN if antes == [ANTE_ACROSS] else ANTE_ACROSS
            yield number, Objection(other, f"{antes[0]} needs {other}", cite("674a.7(d)"))
        elif antes:
            across, down = (placed[number, ante] for ante in antes)
            if across != down and across is not None and down is not None:
                yield number, Objection(ANTE_DOWN, "ante_across and ante_down differ", cite("674a.7(d)"))
        if (number, BONUS) in placed and not rules.five_card_bonus:
            yield number, Objection(BONUS, "five_card_bonus is not offered", cite("674a.7(e)"))
        elif (number, BONUS) in placed and not antes:
            yield number, Objection(BONUS, "five_card_bonus needs both antes", cite("674a.7(e)"))
    yield from check_limits(setup, stakes, cite("674a.7(d)"), (ANTE_ACROSS, ANTE_DOWN))
    yield from check_limits(setup, stakes, cite("674a.7(e)"), (BONUS,))


GAME = Game(
    id="criss_cross_poker",
    chapter=CHAPTER,
    title="Criss-Cross Poker",
    seats=6,
    seats_cite=cite("674a.2(a)"),
    hand=2,
    deck=52,
    wagers=WAGERS,
    opening=(ANTE_ACROSS, ANTE_DOWN, BONUS),
    opening_cite=cite("674a.7(d)"),
    submission=CrissCrossSubmission,
    transitions=ONE_DECISION,
    dealing=stub_clauses(CHAPTER),
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening(CHAPTER),
    shuffle_clauses=shuffling(CHAPTER),
    wrong_shuffler_count=cite("674a.5(b)"),
    irregularities=irregularities(
        CHAPTER,
        Irregularity(
            "card_exposed",
            Remedy.VOID,
            cite("674a.13(d)"),
            (Stage.DEALING, Stage.DECIDING, Stage.REVEALED),  # REVEALED is entered just before the centre is turned up
            ("community",),
        ),
        counted=("seat", "community"),
        left="7(b)",
        locked="7(c)",
        stakes="7(d)",
    ),
    round_of_play=round_of_play,
    check_setup=check_table,
    check_wagers=check_wagers,
    check_players=check_one_position("674a.7(g)"),
    places=("seat", "community"),
    payout_limit=PayoutLimit(WAGERS, lambda rules, _setup: rules.payout_limit),
)
