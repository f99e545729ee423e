"""Free Bet Blackjack, 58 Pa. Code Chapter 672a.

Readings where the text leaves room:

- 672a.7(g)(1), (2): wagers against a dealer's Blackjack are settled in the order that is filed for all others.
- 672a.7(h)(1), 672a.8(e): a Blackjack is paid when its seat's turn comes, even money when it is chosen; its cards go to
  the rack, or lie under a Push 22 Wager that is still to be resolved.
- 672a.7(k): the hole card is turned up in every round, also if nothing depends on it.
- 672a.7(m): the dealer draws as long as a hand is held against his, or a Push 22 Wager lies there.
- 672a.7(n)(1): what remains of Blackjack, split and double wagers goes back on a 22; what was paid or lost stays so.
- 672a.7(q)(1): a hand above 21 loses at once. 672a.10(c): while a lammer lives on another hand of that player, the
  original wager stays to show what it is worth, and is lost at the settlement, or when the last of those hands is
  above 21, too.
- 672a.9(a)(1): a hard 9, 10 or 11 is doubled by a lammer alone, for all hands of a split. 672a.9(a)(2): other hands,
  those that lie on a lammer too, by a wager up to the original one.
- 672a.10(b): a pair of fives may be doubled or split, both free. A split of cards of value ten costs an equal wager
  each time.
- 672a.10(d): split aces are played like all others, unless one card each is filed (`split_aces`). New hands are played
  in the order in which they were made.
- 672a.6(c): a player who leaves loses what is open, when his turn comes or is settled.
- 672a.11(a): a lammer is paid what the original wager is paid, and is collected on a tie and on a dealer's 22.
- 672a.7(d)(1): after a shoe the dealer counts only if he finds that cards are missing; a wrong batch leaves the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tablectl.cards import Card, seat
from tablectl.events import Result
from tablectl.games.common import check_limits
from tablectl.games.twenty_one import (
    BLACKJACK,
    DOUBLE,
    INSURANCE,
    PLACES,
    SPLIT,
    Chapter,
    Hand,
    Play,
    Row,
    check_adjacent,
    check_seats,
    collect_insurance,
    deal_two,
    dealer_has_blackjack,
    dealing_clauses,
    deck_clocks,
    divide,
    double,
    draw_to_17,
    irregularities,
    offer_insurance,
    opening,
    play_hands,
    rack_astray,
    settle_rows,
    shuffling,
    to_stage,
    turn_hole_card,
)
from tablectl.hands.twenty_one import ACE, is_pair, is_ten
from tablectl.money import EVEN, ZERO, Odds
from tablectl.procedure.counts import count_shoe
from tablectl.procedure.dealing import collect_wagers, no_more_bets
from tablectl.procedure.game import Game, Setup
from tablectl.procedure.instructions import AnnounceHand, Choice, CollectCards, Decision, Stake
from tablectl.procedure.settlement import settle, settle_all, settled
from tablectl.procedure.stages import DEALER_DRAWS, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.free_bet_blackjack import (
    BLACKJACK_ODDS,
    INSURANCE_ODDS,
    FreeBetBlackjackRules,
    FreeBetBlackjackSubmission,
)

__all__ = ["GAME"]

CHAPTER: Final = "672a"
PUSH_22: Final = "push_22"

MOST_HANDS: Final = 4
FREE: Final = (9, 10, 11)
PUSHES: Final = 22
RED: Final = ("d", "h")
ONE_WAGER: Final = cite("672a.9(a)(2)")


async def round_of_play(table: Table) -> None:
    """672a.6 and 672a.7, in the order of the text."""
    stakes = await collect_wagers(table)  # 672a.7(c), 672a.6(c)
    await no_more_bets(table, stakes)
    play = Play(table, CLAUSES)
    await deal_two(play)  # 672a.7(e)
    await table.enter(Stage.DECIDING)
    if play.up.rank == ACE:  # 672a.7(f)
        await offer_insurance(play, table.rules.smallest_chip, paid_even if table.rules.even_money else None)
    if await dealer_has_blackjack(play):  # 672a.7(g)
        await against_blackjack(play)
    else:
        await collect_insurance(play)  # 672a.8(d)
        await play_hands(play)  # 672a.7(h)-(j)
        await against_dealer(play)
    await count_shoe(table)  # 672a.7(d)


async def against_blackjack(play: Play) -> None:
    """The dealer has a Blackjack: no more cards, a player's Blackjack alone goes back (672a.7(g)(1), (2))."""
    await rack_astray(play)
    await turn_hole_card(play, told=True)
    await settle_rows(play, play.table.rules.settlement, lambda number: rows_against_blackjack(play, number))


async def against_dealer(play: Play) -> None:
    """The dealer turns his hole card up, draws if anything depends on that, and all is settled (672a.7(k)-(r))."""
    table = play.table
    await turn_hole_card(play, told=False)  # 672a.7(k)
    points = await draw_to_17(play, lambda: bool(play.live) or push_22_waits(table))  # 672a.7(l), (m)
    await settle_rows(play, table.rules.settlement, lambda number: rows_against(play, number, points))


def push_22_waits(table: Table) -> bool:
    """Whether a Push 22 Wager is still to be settled, other than that of a player who has left (672a.7(m))."""
    return any(table.open(number, PUSH_22) for number in table.seats if number not in table.left)


# What a hand may do ---------------------------------------------------------------------------------------------------


async def pay_blackjack(play: Play, hand: Hand) -> None:
    """A Blackjack is announced and paid as its turn comes (672a.7(h)(1))."""
    if hand.blackjack:
        await to_stage(play.table, Stage.DECIDING)
        await AnnounceHand(seat(hand.seat), BLACKJACK, cite("672a.7(h)(1)"))
        await pay(play, hand, cite("672a.11(a)"), BLACKJACK_ODDS)


async def paid_even(play: Play, hand: Hand) -> None:
    """Even money for a Blackjack under the dealer's ace (672a.8(e))."""
    await pay(play, hand, cite("672a.8(e)"), EVEN)


async def pay(play: Play, hand: Hand, clause: Cite, paid: Odds) -> None:
    """The Blackjack Wager is paid; the cards leave the table, or lie under a Push 22 Wager from now on."""
    await settle(play.table, hand.seat, BLACKJACK, Result.WIN, clause, paid)
    hand.close()
    if not play.table.open(hand.seat, PUSH_22):
        await CollectCards(seat(hand.seat), len(hand.cards), clause)


def choices(play: Play, hand: Hand) -> tuple[Choice, ...]:
    """Whether this hand may be doubled or split, and what that costs (672a.9(a), 672a.10(a), (b), (d))."""
    if len(hand.cards) != 2:
        return ()
    original = play.table.amount(hand.seat, BLACKJACK)
    doubled = Choice(DOUBLE) if is_free(hand) else Choice(DOUBLE, DOUBLE, original, up_to=True, limit=ONE_WAGER)
    if not is_pair(hand.cards) or len(play.hands[hand.seat]) == MOST_HANDS:
        return (doubled,)
    return doubled, (Choice(SPLIT, SPLIT, original) if is_ten(hand.cards[0]) else Choice(SPLIT))


def is_free(hand: Hand) -> bool:
    """Whether a lammer doubles the hand: two cards of a hard 9, 10 or 11 (672a.9(a)(1))."""
    total = hand.total
    return total.points in FREE and not total.soft


async def decided(play: Play, hand: Hand, decision: Decision) -> None:
    """A hand is doubled or split, by a wager or by a lammer (672a.9, 672a.10)."""
    original = play.table.amount(hand.seat, BLACKJACK)
    nothing = None if original is None else ZERO
    if decision.verb == DOUBLE:
        free = is_free(hand)
        await double(play, hand, Stake(hand.seat, DOUBLE, nothing if free else decision.amount, hand.number, free))
        return
    free = not is_ten(hand.cards[0])
    new = await divide(play, hand, nothing if free else original, free=free)
    if new.cards[0].rank == ACE and play.table.rules.split_aces == "one_card":
        hand.single = new.single = True


async def busted(play: Play, hand: Hand) -> None:
    """A hand above 21 loses at once, unless the original wager still marks what a lammer is worth (672a.10(c))."""
    number = hand.seat
    hand.close()
    if hand.number == 0 and lammer_lives(play, number):
        await lose(play, hand, DOUBLE, cite("672a.7(q)(1)"))  # 672a.10(c)(2): the cards lie under the original wager
        return
    clause = cite("672a.10(c)(1)" if hand.split and not has_lammer(play, hand) else "672a.7(q)(1)")
    lost = [wager for wager in (hand.wager, DOUBLE) if play.table.open(number, wager, hand.number)]
    await settle_all([settled(play.table, number, each, Result.LOSE, clause, hand=hand.number) for each in lost])
    await CollectCards(seat(number), len(hand.cards), clause)
    first = play.hands[number][0]
    if first is not hand and first.bust and not lammer_lives(play, number):
        await lose(play, first, BLACKJACK, cite("672a.10(c)(2)"))


async def lose(play: Play, hand: Hand, wager: str, clause: Cite) -> None:
    """Collect that wager or lammer of a hand, if it lies there."""
    if play.table.open(hand.seat, wager, hand.number):
        await settle(play.table, hand.seat, wager, Result.LOSE, clause, hand=hand.number)


def lammer_lives(play: Play, number: int) -> bool:
    """Whether a lammer lies on a hand of that seat that is not lost."""
    return any(not hand.over and has_lammer(play, hand) for hand in play.hands[number])


def has_lammer(play: Play, hand: Hand) -> bool:
    """Whether a lammer was placed for the hand, by a split or to double it."""
    stakes = play.table.stakes
    keys = ((hand.seat, wager, hand.number) for wager in (hand.wager, DOUBLE))
    return any(key in stakes and stakes[key].free for key in keys)


# Settlement -----------------------------------------------------------------------------------------------------------


def rows_against(play: Play, number: int, points: int) -> list[Row]:
    """How the wagers of a seat end against that point count of the dealer (672a.7(n)-(q))."""
    table = play.table
    rows: list[Row] = []
    for hand in play.hands[number]:
        wagers = [wager for wager in (hand.wager, DOUBLE) if table.open(number, wager, hand.number)]
        rows += [row_against(play, hand, wager, points) for wager in wagers]
        if hand.number == 0 and table.open(number, PUSH_22):
            rows.append(row_of_push_22(table.rules, play.dealer, points))
    return rows


def row_against(play: Play, hand: Hand, wager: str, points: int) -> Row:
    """One wager or lammer of a hand: a lammer wins as the original wager does, and is collected otherwise."""
    free = play.table.stakes[hand.seat, wager, hand.number].free
    own = hand.total.points
    if hand.bust:  # it lies there for the lammers of other hands
        return Row(wager, hand.number, Result.LOSE, cite("672a.10(c)(2)"))
    tied = Result.LOSE if free else Result.PUSH
    if points == PUSHES:
        return Row(wager, hand.number, tied, cite("672a.7(n)(1)"))
    if points > PUSHES or own > points:
        on = play.table.amount(hand.seat, BLACKJACK) if free else None
        return Row(wager, hand.number, Result.WIN, cite("672a.11(a)"), EVEN, on)
    if own == points:
        return Row(wager, hand.number, tied, cite("672a.7(p)"))
    return Row(wager, hand.number, Result.LOSE, cite("672a.7(q)(2)"))


def row_of_push_22(rules: FreeBetBlackjackRules, dealer: Sequence[Card], points: int) -> Row:
    """The Push 22 Wager wins on a dealer's 22, by the suits of his cards (672a.7(n), 672a.11(c))."""
    if points != PUSHES or rules.push_22 is None:
        return Row(PUSH_22, 0, Result.LOSE, cite("672a.7(n)(2)"))
    return Row(PUSH_22, 0, Result.WIN, cite("672a.11(c)"), rules.push_22[push_22_row(dealer)])


def push_22_row(dealer: Sequence[Card]) -> str:
    """The row of 672a.11(c) that these cards fill."""
    suits = [card.suit for card in dealer]
    if suits.count(suits[0]) == len(suits):
        return "same_suit"
    red = [suit in RED for suit in suits]
    return "same_color" if all(red) or not any(red) else "other"


def rows_against_blackjack(play: Play, number: int) -> list[Row]:
    """How the wagers of a seat end against a dealer's Blackjack (672a.7(g)(1), (2))."""
    has_it = play.hands[number][0].blackjack
    clause = cite("672a.7(g)(1)" if has_it else "672a.7(g)(2)")
    ends = {
        BLACKJACK: Row(BLACKJACK, 0, Result.PUSH if has_it else Result.LOSE, clause),
        PUSH_22: Row(PUSH_22, 0, Result.LOSE, clause),
        INSURANCE: Row(INSURANCE, 0, Result.WIN, cite("672a.11(b)"), INSURANCE_ODDS),
    }
    return [row for wager, row in ends.items() if play.table.open(number, wager)]


# What is forbidden ----------------------------------------------------------------------------------------------------


def check_wagers(
    rules: FreeBetBlackjackRules, setup: Setup, stakes: Sequence[Stake]
) -> Iterator[tuple[int, Objection]]:
    """A Blackjack Wager is needed to take part (672a.6(d)), Push 22 may be added where it is filed (672a.6(e))."""
    playing = [stake.seat for stake in stakes if stake.wager == BLACKJACK]
    for stake in stakes:
        if stake.wager == PUSH_22 and rules.push_22 is None:
            yield stake.seat, Objection(PUSH_22, "push_22 is not offered", cite("672a.6(e)"))
        elif stake.seat not in playing:
            yield stake.seat, Objection(stake.wager, f"{stake.wager} needs a blackjack", cite("672a.6(d)"))
    yield from check_limits(setup, stakes, cite("672a.6(d)"), (BLACKJACK,))
    yield from check_limits(setup, stakes, cite("672a.6(e)"), (PUSH_22,))


CLAUSES: Final = Chapter(
    offer=cite("672a.8(a)"),
    half=cite("672a.8(b)"),
    lost=cite("672a.8(d)"),
    insured=cite("672a.11(b)"),
    left=cite("672a.6(c)"),
    peek=cite("672a.7(g)"),
    decide=cite("672a.7(h)(2)"),
    turn=cite("672a.7(k)"),
    draw=cite("672a.7(l)"),
    undealt=cite("672a.12(g)"),
    begin=pay_blackjack,
    choices=choices,
    decided=decided,
    busted=busted,
)

GAME: Final = Game(
    id="free_bet_blackjack",
    chapter=CHAPTER,
    title="Free Bet Blackjack",
    seats=6,
    seats_cite=cite("672a.2(a)"),
    hand=2,
    deck=6 * 52,
    wagers=(BLACKJACK, SPLIT, DOUBLE, PUSH_22, INSURANCE),
    opening=(BLACKJACK, PUSH_22),
    opening_cite=cite("672a.6(c)"),
    submission=FreeBetBlackjackSubmission,
    transitions=DEALER_DRAWS,
    dealing=dealing_clauses(CHAPTER),
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening(CHAPTER),
    shuffle_clauses=shuffling(CHAPTER),
    wrong_shuffler_count=cite("672a.7(d)(1)"),
    irregularities=irregularities(CHAPTER, 12),
    round_of_play=round_of_play,
    check_setup=check_seats(CHAPTER),
    check_wagers=check_wagers,
    check_players=check_adjacent("672a.6(f)"),
    barring=lambda rules: cite("672a.6(b)") if rules.bar_mid_shoe else None,
    places=PLACES,
    burn=cite("672a.7(c)"),
    deck_by=lambda filed: 52 * filed.decks,
)
