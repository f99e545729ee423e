"""Double Back Jack, 58 Pa. Code Chapter 673a.

Readings where the text leaves room:

- 673a.7(f), (h): a hand that was paid as a Blackjack is out of the round. Even if nobody has anything open any more,
  the hole card is read under an ace or a card of value ten, and turned up in the end.
- 673a.7(i), 673a.9(a): under an ace or a card of value ten a player may surrender until the reader is used, and lose
  the whole wager if the dealer has a Blackjack; and, as 673a.7(i) has it, at the turn. Insurance Wagers go first.
- 673a.7(l): the Second Chance is for every hand above 21, one that was split or doubled too, unless it is filed that
  these have none. Its wager equals all that the hand has wagered, both wagers of a doubled one. No card follows it.
- 673a.7(m): 21 is paid as soon as a hand has it, one that was split or doubled too.
- 673a.7(q)-(s): a bust without Second Chance is collected at once, and is not in the round when the dealer has 22.
  Above 22 the dealer is bust: who has not more than 21 wins.
- 673a.9(a): where half of a wager is no whole number of cents, the smaller part is collected.
- 673a.10(a): of a split hand, too, a double is at most the original Blackjack Wager. 673a.11(b): split aces are
  played like other cards.
- 673a.13(h): a hand that is dead for a forgotten card gets back all that it has wagered; a player's other hand
  stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tablectl.events import Result
from tablectl.games.common import check_limits
from tablectl.games.twenty_one import (
    BLACKJACK,
    DOUBLE,
    INSURANCE,
    PLACES,
    SECOND_CHANCE,
    SPLIT,
    Chapter,
    Hand,
    Play,
    Row,
    check_adjacent,
    check_seats,
    collect_insurance,
    deal_two,
    dealing_clauses,
    deck_clocks,
    divide,
    double,
    draw_to_17,
    give,
    irregularities,
    leave,
    offer_insurance,
    opening,
    place,
    play_hands,
    rack_astray,
    settle_rows,
    shuffling,
    to_stage,
    turn_hole_card,
)
from tablectl.hands.twenty_one import ACE, TWENTY_ONE, is_pair, low_value, may_give_blackjack, total21
from tablectl.money import EVEN, Money
from tablectl.procedure.counts import count_shoe
from tablectl.procedure.dealing import collect_wagers, no_more_bets
from tablectl.procedure.game import Game, Setup, Shuffler
from tablectl.procedure.hole_card import peek_or_surrender
from tablectl.procedure.instructions import Ask, Choice, Decision, Left, Stake
from tablectl.procedure.instructions.dealing import SURRENDER
from tablectl.procedure.irregularities import ask
from tablectl.procedure.settlement import settle, settle_all, settled
from tablectl.procedure.stages import DEALER_DRAWS, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.double_back_jack import BLACKJACK as NATURAL
from tablectl.rules.double_back_jack import INSURANCE as INSURED
from tablectl.rules.double_back_jack import DoubleBackJackRules, DoubleBackJackSubmission

__all__ = ["GAME"]

CHAPTER: Final = "673a"
PUSHES: Final = 22

_BUST: Final = cite("673a.7(s)(3)")
_ONE_WAGER: Final = cite("673a.10(a)")


async def round_of_play(table: Table) -> None:
    """673a.7, in the order of the text."""
    stakes = await collect_wagers(table)  # 673a.6(c), 673a.7(c): the burn comes before
    await no_more_bets(table, stakes)  # 673a.7(e)
    play = Play(table, CLAUSES)
    await deal_two(play)  # 673a.7(e)(1)-(4)
    await table.enter(Stage.DECIDING)
    await pay_blackjacks(play)  # 673a.7(f)
    if play.up.rank == ACE:
        await offer_insurance(play, table.rules.smallest_chip)  # 673a.7(g)
    seats = tuple(number for number in table.clockwise(with_wager=BLACKJACK) if number not in table.left)
    told = await peek_or_surrender(table, play.up, CLAUSES.peek, seats)  # 673a.7(h), 673a.9(a)(2)
    if told.blackjack:
        await dealer_has_blackjack(play, told.surrendered)  # 673a.7(h)
    else:
        await collect_insurance(play)  # 673a.8(d)
        for number in reversed(told.surrendered):
            await surrender(play, play.hands[number][0])
        await play_hands(play)  # 673a.7(i)-(m)
        await turn_hole_card(play, told=False)  # 673a.7(n)
        points = await draw_to_17(play, lambda: bool(play.live))  # 673a.7(o), (p)
        await settle_rows(play, table.rules.settlement, lambda number: compared(play, number, points))  # 673a.7(q)-(t)
    await count_shoe(table)  # 673a.7(d)(1)


async def pay_blackjacks(play: Play) -> None:
    """Blackjacks are paid before anything else, counterclockwise (673a.7(f))."""
    table = play.table
    for number in reversed(table.seats):
        hand = play.hands[number][0]
        if number not in table.left and not hand.over and hand.blackjack:
            await settle(table, number, BLACKJACK, Result.WIN, cite("673a.12(a)"), NATURAL)
            hand.close()


async def dealer_has_blackjack(play: Play, surrendered: Sequence[int]) -> None:
    """All Blackjack Wagers are collected, those of surrendered hands too, and insurance is paid (673a.7(h))."""
    table = play.table
    await rack_astray(play)
    await turn_hole_card(play, told=True)

    def rows(number: int) -> Iterator[Row]:
        for _seat, wager, hand in table.open_stakes(number):
            if wager == INSURANCE:
                yield Row(wager, hand, Result.WIN, cite("673a.12(c)"), INSURED)
            elif number in surrendered:
                yield Row(wager, hand, Result.SURRENDERED, cite("673a.9(a)(2)"))
            else:
                yield Row(wager, hand, Result.LOSE, cite("673a.7(h)"))

    await settle_rows(play, table.rules.settlement, lambda number: [*rows(number)])


# Decisions (673a.7(i)-(m)) --------------------------------------------------------------------------------------------


async def begin(_play: Play, _hand: Hand) -> None:
    """Nothing is done before a seat's first decision: Blackjacks are paid already."""


def choices(play: Play, hand: Hand) -> tuple[Choice, ...]:
    """What a hand may choose with its first two cards (673a.9(a), 673a.10(a), 673a.11(a))."""
    if len(hand.cards) != 2:
        return ()
    wager = play.table.amount(hand.seat, BLACKJACK)
    doubles = Choice(DOUBLE, DOUBLE, wager, up_to=True, limit=_ONE_WAGER)
    if hand.split:
        return (doubles,)
    splits = (Choice(SPLIT, SPLIT, wager),) if is_pair(hand.cards) else ()
    return (doubles, *splits, Choice(SURRENDER))


async def decided(play: Play, hand: Hand, decision: Decision) -> None:
    """Double, split or surrender."""
    match decision.verb:
        case "double":
            await double(play, hand, Stake(hand.seat, DOUBLE, decision.amount, hand.number))
        case "split":
            await divide(play, hand, decision.amount)
        case _:
            await surrender(play, hand)


async def surrender(play: Play, hand: Hand) -> None:
    """A hand is given up for half of its wager (673a.9(a)(1), (2))."""
    clause = "673a.9(a)(2)" if may_give_blackjack(play.up) else "673a.9(a)(1)"
    wager = play.table.amount(hand.seat, BLACKJACK)
    half = None if wager is None else Money(wager // 2)
    await settle(play.table, hand.seat, BLACKJACK, Result.SURRENDERED, cite(clause), part=half)
    hand.close()


async def busted(play: Play, hand: Hand) -> None:
    """A hand above 21: a Second Chance Wager may be made for one more card, which is subtracted (673a.7(l))."""
    table = play.table
    wagers = open_wagers(play, hand)
    if SECOND_CHANCE in wagers:  # its card was forgotten, and has come late (673a.13(h))
        await second_chance(play, hand)
        return
    if has_second_chance(table.rules, hand):
        amounts = [table.amount(hand.seat, wager, hand.number) for wager in wagers]
        known = [amount for amount in amounts if amount is not None]
        current = Money(sum(known)) if len(known) == len(amounts) else None
        offered = (Choice(SECOND_CHANCE, SECOND_CHANCE, current), Choice("no_second_chance"))
        decision = await ask(table, Ask(hand.seat, offered, cite("673a.7(l)"), hand=hand.number))
        if isinstance(decision, Left):
            await leave(play, hand.seat)
            return
        if decision.verb == SECOND_CHANCE:
            await place(table, Stake(hand.seat, SECOND_CHANCE, decision.amount, hand.number))
            if await give(play, hand):
                await to_stage(table, Stage.DECIDING)
                await second_chance(play, hand)
            return
    await settle_hand(play, hand, Result.LOSE, _BUST)


def has_second_chance(rules: DoubleBackJackRules, hand: Hand) -> bool:
    """Whether it is filed that such a hand has a Second Chance."""
    if hand.split and not rules.second_chance_on_split:
        return False
    return not hand.doubled or rules.second_chance_on_double


async def second_chance(play: Play, hand: Hand) -> None:
    """The second chance card lies there: the hand is lost, paid at once, or held against the dealer's (673a.7(l))."""
    points = counts(play, hand)
    if points > TWENTY_ONE:
        await settle_hand(play, hand, Result.LOSE, cite("673a.7(l)(1)"))
    elif points == TWENTY_ONE:
        await settle_hand(play, hand, Result.RETURNED, cite("673a.7(l)(2)"))


async def made_21(play: Play, hand: Hand) -> None:
    """A hand without Second Chance that has 21 is paid, whatever the dealer has (673a.7(m))."""
    await settle_hand(play, hand, Result.WIN, cite("673a.12(a)"))


async def settle_hand(play: Play, hand: Hand, result: Result, clause: Cite) -> None:
    """Settle all wagers of one hand at once; where they are given back, its Second Chance has won."""
    rows = []
    for wager in open_wagers(play, hand):
        fared, by, odds = result, clause, EVEN if result is Result.WIN else None
        if wager == SECOND_CHANCE and result is Result.RETURNED:
            fared, by, odds = Result.WIN, cite("673a.12(b)"), EVEN
        rows.append(settled(play.table, hand.seat, wager, fared, by, odds, hand=hand.number))
    await settle_all(rows)
    hand.close()


def open_wagers(play: Play, hand: Hand) -> list[str]:
    """What lies on the layout for that hand, without the Insurance Wager, in the order of the list."""
    open_stakes = play.table.open_stakes(hand.seat)
    return [wager for _seat, wager, number in open_stakes if number == hand.number and wager != INSURANCE]


def counts(play: Play, hand: Hand) -> int:
    """What a hand counts; a second chance card, an ace as one, is subtracted (673a.7(l))."""
    if (hand.seat, SECOND_CHANCE, hand.number) not in play.table.stakes:
        return hand.total.points
    *before, card = hand.cards
    return total21(before).points - low_value(card)


# The dealer's hand (673a.7(q)-(s)) ------------------------------------------------------------------------------------


def compared(play: Play, number: int, dealer: int) -> list[Row]:
    """How the open wagers of one seat are settled against the dealer's point count."""
    rows: list[Row] = []
    for hand in play.hands[number]:
        if hand.over:
            continue
        points = counts(play, hand)
        wagers = open_wagers(play, hand)
        if dealer == PUSHES:  # 673a.7(q)(1)
            rows += [Row(wager, hand.number, Result.PUSH, cite("673a.7(q)(1)")) for wager in wagers]
        elif points > dealer or dealer > TWENTY_ONE:  # 673a.7(r)(1)
            rows += _won(hand, wagers)
        elif points == dealer:  # 673a.7(r)(2)
            rows += [Row(wager, hand.number, Result.PUSH, cite("673a.7(s)(2)")) for wager in wagers]
        else:  # 673a.7(r)(3)
            rows += [Row(wager, hand.number, Result.LOSE, cite("673a.7(s)(3)")) for wager in wagers]
    return rows


def _won(hand: Hand, wagers: Sequence[str]) -> Iterator[Row]:
    """A winning hand: with a Second Chance that alone is paid (673a.7(s)(1))."""
    for wager in wagers:
        if wager == SECOND_CHANCE:
            yield Row(wager, hand.number, Result.WIN, cite("673a.12(b)"), EVEN)
        elif SECOND_CHANCE in wagers:
            yield Row(wager, hand.number, Result.RETURNED, cite("673a.7(s)(1)(i)"))
        else:
            yield Row(wager, hand.number, Result.WIN, cite("673a.12(a)"), EVEN)


# What is forbidden ----------------------------------------------------------------------------------------------------


def check_setup(rules: DoubleBackJackRules, setup: Setup) -> Iterator[Objection]:
    """What 673a.2(a), 673a.3(b) and 673a.7(a) forbid in a table's set-up."""
    yield from check_seats(CHAPTER)(rules, setup)
    batches = setup.shuffler is not Shuffler.NONE and not setup.continuous
    if batches and rules.decks < 2:
        message = f"{rules.decks} deck, a shuffler that is not continuous needs two or more"
        yield Objection("decks", message, cite("673a.3(b)"))


def check_wagers(_rules: Any, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """What 673a.6 forbids in the wagers placed: those outside the posted limits."""
    yield from check_limits(setup, stakes, cite("673a.6(d)"), (BLACKJACK,))


CLAUSES: Final = Chapter(
    offer=cite("673a.8(a)"),
    half=cite("673a.8(b)"),
    lost=cite("673a.8(d)"),
    insured=cite("673a.12(c)"),
    left=cite("673a.6(c)"),
    peek=cite("673a.7(h)"),
    decide=cite("673a.7(i)"),
    turn=cite("673a.7(n)"),
    draw=cite("673a.7(o)"),
    undealt=cite("673a.13(g)"),
    begin=begin,
    choices=choices,
    decided=decided,
    busted=busted,
    made_21=made_21,
)

GAME: Final = Game(
    id="double_back_jack",
    chapter=CHAPTER,
    title="Double Back Jack",
    seats=6,
    seats_cite=cite("673a.2(a)"),
    hand=2,
    deck=52,
    deck_by=lambda filed: 52 * filed.decks,
    wagers=(BLACKJACK, SPLIT, DOUBLE, SECOND_CHANCE, INSURANCE),
    opening=(BLACKJACK,),
    opening_cite=cite("673a.6(c)"),
    submission=DoubleBackJackSubmission,
    transitions=DEALER_DRAWS,
    dealing=dealing_clauses(CHAPTER),
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening(CHAPTER),
    shuffle_clauses=shuffling(CHAPTER),
    wrong_shuffler_count=cite("673a.7(d)(1)"),
    irregularities=irregularities(CHAPTER, 13),
    round_of_play=round_of_play,
    check_setup=check_setup,
    check_wagers=check_wagers,
    check_players=check_adjacent("673a.6(e)"),
    barring=lambda rules: cite("673a.6(b)") if rules.bar_mid_shoe else None,
    places=PLACES,
    burn=cite("673a.7(c)"),
)
