"""Go Fore It, 58 Pa. Code Chapter 676a.

Readings where the text leaves room:

- 676a.5(c)(2) does not name preshuffled decks: they are cut like those that were shuffled by hand.
- 676a.5(d), 676a.9(c): cards that are dealt from the hand go into no shoe, and the stub comes from the hand.
- 676a.7(b): a player who leaves forfeits what is still open, Skins and Gopher too; the dealer collects it with the
  forfeits or at that seat's turn.
- 676a.11(b): asked of seats with a Front 9 Wager, which is every seat, as the others may not wager.
- 676a.11(c), (d): the dealer's hand is revealed even if nobody has anything open any more.
- 676a.11(d)(3)-(5): in each seat Front 9 and Back 9, then Skins, then Gopher, whichever of them lose.
- 676a.13(d): the hole cards of a seat that has folded count until everybody has decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tablectl.cards import DEALER, Card, seat
from tablectl.events import Result, WagerSettled
from tablectl.games.common import (
    check_limits,
    check_one_position,
    check_setup,
    dealing_clauses,
    deck_clocks,
    irregularities,
    opening,
    shuffling,
)
from tablectl.hands.points import total
from tablectl.money import EVEN
from tablectl.procedure.counts import retire_stub
from tablectl.procedure.dealing import collect_wagers, deal, no_more_bets
from tablectl.procedure.game import Dealing, Game, Irregularity, Remedy, Setup
from tablectl.procedure.instructions import Ask, Choice, CollectCards, Expose, Incident, Left, PlaceWagers, Stake
from tablectl.procedure.irregularities import ask, attend
from tablectl.procedure.settlement import forfeit_all, settle, settle_all, settled
from tablectl.procedure.stages import ONE_DECISION, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Objection, cite
from tablectl.rules.go_fore_it import BACK_9 as SCORES
from tablectl.rules.go_fore_it import PAR, GoForeItRules, GoForeItSubmission

__all__ = ["GAME"]

CHAPTER = "676a"
FRONT_9, BACK_9, SKINS, GOPHER = "front_9", "back_9", "skins", "gopher"
BET, FOLD = "bet", "fold"
ACE = 14

_OUT: Final = Choice(FOLD)


async def round_of_play(table: Table) -> None:
    """676a.7 to 676a.11, in the order of the text."""
    stakes = await collect_wagers(table)  # 676a.7(c)
    await no_more_bets(table, stakes)  # 676a.8(b), 676a.9(b), 676a.10(a)(2)
    await deal(table, 4, to=(*table.players, DEALER))  # 676a.8(b), 676a.9(b), 676a.10(b): the last two are hole cards
    await retire_stub(table)  # 676a.8(c)-(f), 676a.9(c)-(f), 676a.10(c)-(f)
    folded = await offer_back_9(table)  # 676a.11(b)
    await collect_forfeits(table, folded)  # 676a.11(c)
    dealer = await reveal_dealer(table)  # 676a.11(d)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():  # 676a.11(d)(1)-(5)
        await settle_seat(table, number, dealer)


async def offer_back_9(table: Table) -> list[int]:
    """Each player makes the Back 9 Wager or folds, clockwise (676a.11(b)); returns the seats that fold."""
    await table.enter(Stage.DECIDING)
    folded: list[int] = []
    for number in table.clockwise(with_wager=FRONT_9):
        if number in table.left:
            continue
        front_9 = table.amount(number, FRONT_9)  # 676a.7(d)(2)
        decision = await ask(table, Ask(number, (Choice(BET, BACK_9, front_9), _OUT), cite("676a.11(b)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("676a.7(b)"))
        elif decision.verb == BET:
            back_9 = Stake(number, BACK_9, front_9)
            await PlaceWagers((back_9,))
            table.stakes[number, BACK_9, 0] = back_9
        else:
            folded.append(number)
    return folded


async def collect_forfeits(table: Table, folded: Sequence[int]) -> None:
    """Forfeited Front 9 Wagers are collected; cards go to the rack, or under Skins and Gopher (676a.11(c))."""
    for number in table.seats:
        if number in folded:
            await settle(table, number, FRONT_9, Result.FORFEITED, cite("676a.11(c)"))
        if number in table.left:
            await forfeit_all(table, number)
        elif not table.open_wagers(number):
            cards = table.hands.pop(seat(number))
            await CollectCards(seat(number), len(cards), cite("676a.11(c)(1)"))


async def reveal_dealer(table: Table) -> int:
    """The dealer turns his own four cards up (676a.11(d)); returns what they total."""
    await table.enter(Stage.REVEALED)
    exposed = await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))
    return total(exposed.cards)


async def settle_seat(table: Table, number: int, dealer: int) -> None:
    """Turn one player's hand up, add up its points, and settle its wagers in succession (676a.11(d)(1)-(5))."""
    place = seat(number)
    cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
    if number in table.left:
        await forfeit_all(table, number)
        return
    points = total(cards)
    rows = []
    if table.open(number, BACK_9):
        rows += nines(table, number, points)
    if table.open(number, SKINS):
        if points < dealer:
            rows.append(settled(table, number, SKINS, Result.WIN, cite("676a.12(c)"), EVEN))
        else:  # 676a.2(b)(4): a tie loses
            rows.append(settled(table, number, SKINS, Result.LOSE, cite("676a.11(d)(4)(i)")))
    if table.open(number, GOPHER):
        rows.append(gopher(table, number, cards))
    await settle_all(rows)


def nines(table: Table, number: int, points: int) -> list[WagerSettled]:
    """Par or less wins Front 9 at even money, and Back 9 by how low it is (676a.11(d)(3))."""
    if points > PAR:
        clause = cite("676a.11(d)(3)(ii)")
        return [settled(table, number, wager, Result.LOSE, clause) for wager in (FRONT_9, BACK_9)]
    score = next(score for score in SCORES if points <= score.most)
    return [
        settled(table, number, FRONT_9, Result.WIN, cite("676a.12(a)"), EVEN),
        settled(table, number, BACK_9, Result.WIN, cite("676a.12(b)"), score.odds),
    ]


def gopher(table: Table, number: int, cards: Sequence[Card]) -> WagerSettled:
    """Pay by the number of aces among the four cards (676a.11(d)(5))."""
    rules: GoForeItRules = table.rules
    odds = rules.gopher.get(sum(card.rank == ACE for card in cards))
    if odds is None:
        return settled(table, number, GOPHER, Result.LOSE, cite("676a.11(d)(5)(i)"))
    return settled(table, number, GOPHER, Result.WIN, cite("676a.12(d)"), odds)


def check_wagers(rules: GoForeItRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """A Front 9 Wager is needed to take part (676a.7(d)(1)); posted limits hold for each wager."""
    playing = [stake.seat for stake in stakes if stake.wager == FRONT_9]
    for stake in stakes:
        if stake.seat not in playing:
            yield stake.seat, Objection(stake.wager, f"{stake.wager} needs a front_9 wager", cite("676a.7(d)(1)"))
    for wager, clause in ((FRONT_9, "676a.7(d)(1)"), (SKINS, "676a.7(d)(3)"), (GOPHER, "676a.7(d)(4)")):
        yield from check_limits(setup, stakes, cite(clause), (wager,))


def _is_dealt_to(incident: Incident, table: Table) -> bool:
    """676a.13(d) is about the dealer's cards and the hole cards of those who play."""
    return incident.position in table.hands


GAME = Game(
    id="go_fore_it",
    chapter=CHAPTER,
    title="Go Fore It",
    seats=6,
    seats_cite=cite("676a.2(a)"),
    hand=4,
    deck=52,
    wagers=(FRONT_9, BACK_9, SKINS, GOPHER),
    opening=(FRONT_9, SKINS, GOPHER),
    opening_cite=cite("676a.7(d)"),
    submission=GoForeItSubmission,
    transitions=ONE_DECISION,
    dealing={
        Dealing.MANUAL_SHOE: dealing_clauses(CHAPTER, "8(b)", "8(b)", "8(c)", "8(d)", "8(e)", "8(f)"),
        Dealing.FROM_HAND: dealing_clauses(CHAPTER, "9(b)", "9(b)", "9(c)", "9(d)", "9(e)", "9(f)"),
        Dealing.AUTOMATED_SHOE: dealing_clauses(CHAPTER, "10(a)(2)", "10(b)", "10(c)", "10(d)", "10(e)", "10(f)"),
    },
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening(CHAPTER),
    shuffle_clauses=shuffling(CHAPTER),
    wrong_shuffler_count=cite("676a.5(b)"),
    irregularities=irregularities(
        CHAPTER,
        Irregularity(
            "card_exposed",
            Remedy.VOID,
            cite("676a.13(d)"),
            (Stage.DEALING, Stage.DECIDING),
            ("dealer", "seat"),
            holds=_is_dealt_to,
        ),
        counted=("dealer", "seat"),
        left="7(b)",
        locked="7(c)",
        stakes="7(d)(2)",
    ),
    round_of_play=round_of_play,
    check_setup=check_setup(CHAPTER, 6, "676a.2(a)"),
    check_wagers=check_wagers,
    check_players=check_one_position("676a.7(e)"),
)
