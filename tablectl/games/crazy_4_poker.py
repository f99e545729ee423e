"""Crazy 4 Poker, 58 Pa. Code Chapter 657a.

Readings where the text leaves room:

- 657a.1: "required" or not, the Queens Up Wager is optional (657a.7(d)(2)).
- 657a.6(c): combination first, kickers after; to the letter a pair of twos with an ace would beat a pair of threes.
- 657a.9(c): cards that are dealt from the hand come out of no shoe; the stub is that in the hand.
- 657a.11(b): a Play Wager is one, two or three times the Ante. Nobody at the table knows the cards when more than once
  is wagered: if they are less than a pair of aces it is noted when they are turned up, and settled as it lies.
- 657a.11(b)(2): the forfeit takes the Progressive Payout Wager; it leaves the Envy Bonuses for hands of others.
- 657a.11(c): the dealer's hand is revealed even if everybody has folded.
- 657a.11(c)(3)(i): below a king the Super Bonus goes back below a straight, whoever holds the better hand.
- 657a.11(c)(3)(ii)(A): of a hand below a straight that is lower than the dealer's the Super Bonus is lost.
- 657a.7(b): a player who leaves forfeits what is still open, Envy Bonuses too; the dealer collects it with the forfeits
  or at that seat's turn.
- 657a.13(c), (d): "all wagers" are all that were bet in the round, those in the tray too.
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
    deck_clocks,
    irregularities,
    opening,
    progressive_system,
    shuffling,
    stub_clauses,
)
from tablectl.hands.poker import FOUR_CARD, Evaluator, HandRank
from tablectl.money import EVEN, Odds
from tablectl.procedure.counts import retire_stub
from tablectl.procedure.dealing import collect_wagers, deal, no_more_bets
from tablectl.procedure.game import Game, Irregularity, Remedy, Setup
from tablectl.procedure.instructions import Ask, Choice, CollectCards, Expose, Incident, Left, PlaceWagers, Stake
from tablectl.procedure.irregularities import ask, attend, handle
from tablectl.procedure.progressive import pay_envies, settle_progressive
from tablectl.procedure.settlement import LOSERS_FIRST, forfeit_all, settle_all, settled
from tablectl.procedure.stages import ONE_DECISION, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.crazy_4_poker import SUPER_BONUS as SUPER_BONUS_ODDS
from tablectl.rules.crazy_4_poker import Crazy4PokerRules, Crazy4PokerSubmission

__all__ = ["GAME"]

CHAPTER: Final = "657a"
ANTE, SUPER_BONUS, PLAY, QUEENS_UP, PROGRESSIVE, ENVY = (
    "ante",
    "super_bonus",
    "play",
    "queens_up",
    "progressive",
    "envy",
)
BET, FOLD = "bet", "fold"
ACE, KING, QUEEN = 14, 13, 12

_MOST: Final = 3  # times the Ante, with a pair of aces or better
_HANDS: Final = Evaluator(FOUR_CARD)

Settlement = tuple[str, Result, Cite, Odds | None]


async def round_of_play(table: Table) -> None:
    """657a.7 to 657a.11, in the order of the text."""
    stakes = await collect_wagers(table)  # 657a.7(c)
    await no_more_bets(table, stakes)  # 657a.8(b), 657a.9(a)(3), 657a.10(a)(2)
    await deal(table, 5, to=(*table.players, DEALER))  # 657a.8(d), 657a.9(b), 657a.10(b)
    await retire_stub(table)  # 657a.8(e)-(h), 657a.9(c)-(f), 657a.10(c)-(f)
    folded = await offer_play(table)  # 657a.11(b)
    await collect_forfeits(table, folded)  # 657a.11(c)
    dealer = await reveal_dealer(table)  # 657a.11(c)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():  # 657a.11(c)-(e)
        await settle_seat(table, number, dealer)


async def offer_play(table: Table) -> list[int]:
    """Each player makes a Play Wager or forfeits, clockwise (657a.11(b)); returns the seats that forfeit."""
    await table.enter(Stage.DECIDING)
    folded: list[int] = []
    for number in table.clockwise(with_wager=ANTE):
        if number in table.left:
            continue
        ante = table.amount(number, ANTE)
        choices = (Choice(BET, PLAY, ante, most=_MOST), Choice(FOLD))
        decision = await ask(table, Ask(number, choices, cite("657a.11(b)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("657a.7(b)"))
        elif decision.verb == BET:
            play = Stake(number, PLAY, decision.amount)
            await PlaceWagers((play,))
            table.stakes[number, PLAY, 0] = play
        else:
            folded.append(number)
    return folded


async def collect_forfeits(table: Table, folded: Sequence[int]) -> None:
    """All forfeited wagers and the cards that go with them are collected, clockwise (657a.11(b)(1), (2), (c))."""
    for number in table.seats:
        if number in folded:
            lost = table.open_wagers(number)
            await settle_all([settled(table, number, each, Result.FORFEITED, cite("657a.11(c)")) for each in lost])
            cards = table.hands.pop(seat(number))
            await CollectCards(seat(number), len(cards), cite("657a.11(c)"))
        elif number in table.left:
            await forfeit_all(table, number)


async def reveal_dealer(table: Table) -> HandRank:
    """The dealer turns his five cards up and forms the best four of them (657a.11(c))."""
    await table.enter(Stage.REVEALED)
    exposed = await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))
    return _HANDS.rank(exposed.cards)


async def settle_seat(table: Table, number: int, dealer: HandRank) -> None:
    """Turn one player's cards up and settle all that he has wagered, in succession (657a.11(c)(1)-(3), (d), (e))."""
    rules: Crazy4PokerRules = table.rules
    place = seat(number)
    cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
    if number in table.left:
        await forfeit_all(table, number)
        return
    hand = _HANDS.rank(cards)
    await check_play(table, number, cards)
    settlements = sorted(against_dealer(hand, dealer), key=lambda settlement: LOSERS_FIRST[settlement[1]])
    rows = [settled(table, number, *settlement) for settlement in settlements]
    if table.open(number, QUEENS_UP):
        rows.append(queens_up(table, number, hand))  # 657a.11(d)
    await settle_all(rows)
    if rules.progressive is not None:
        if table.open(number, PROGRESSIVE):
            await settle_progressive(table, number, named(hand))  # 657a.11(e)(1)-(4)
        await pay_envies(table, ENVY, [(number, named(hand))])  # 657a.11(e)(5)


async def check_play(table: Table, number: int, cards: Sequence[Card]) -> None:
    """A Play Wager of more than the Ante on less than a pair of aces is on record (657a.11(b))."""
    ante, play = table.amount(number, ANTE), table.amount(number, PLAY)
    if ante is not None and play is not None and play > ante and most_times(cards) == 1:
        await handle(table, Incident("wrong_stake", seat(number)))


def most_times(cards: Sequence[Card]) -> int:
    """How many times the Ante a player with these cards may wager (657a.11(b))."""
    hand = _HANDS.rank(cards)
    pair = FOUR_CARD.categories.index("pair")
    aces = hand.strength > pair or (hand.strength == pair and hand.ranks[0] == ACE)
    return _MOST if aces else 1


def against_dealer(hand: HandRank, dealer: HandRank) -> list[Settlement]:
    """How Ante, Super Bonus and Play fare against the dealer's hand (657a.11(c)(3))."""
    bonus = SUPER_BONUS_ODDS.get(named(hand))
    paid = (SUPER_BONUS, Result.WIN, cite("657a.12(b)"), bonus)
    won = (PLAY, Result.WIN, cite("657a.12(a)"), EVEN)
    if dealer.category == "high_card" and dealer.ranks[0] < KING:
        clause = cite("657a.11(c)(3)(i)")
        returned = (SUPER_BONUS, Result.RETURNED, clause, None)
        return [(ANTE, Result.RETURNED, clause, None), paid if bonus else returned, won]
    if hand < dealer:
        clause = cite("657a.11(c)(3)(ii)(A)")
        lost = (SUPER_BONUS, Result.LOSE, clause, None)
        return [(ANTE, Result.LOSE, clause, None), paid if bonus else lost, (PLAY, Result.LOSE, clause, None)]
    if hand > dealer:
        returned = (SUPER_BONUS, Result.RETURNED, cite("657a.11(c)(3)(ii)(B)"), None)
        return [(ANTE, Result.WIN, cite("657a.12(a)"), EVEN), paid if bonus else returned, won]
    clause = cite("657a.11(c)(3)(ii)(C)")
    returned = (SUPER_BONUS, Result.RETURNED, clause, None)
    return [(ANTE, Result.PUSH, clause, None), paid if bonus else returned, (PLAY, Result.PUSH, clause, None)]


def named(hand: HandRank) -> str:
    """The hand as Super Bonus and progressive name it: four aces have a row of their own (657a.12(b), (d)(1))."""
    return "four_aces" if hand.category == "four_of_a_kind" and hand.ranks[0] == ACE else hand.category


def queens_up(table: Table, number: int, hand: HandRank) -> WagerSettled:
    """Pay the Queens Up Wager by the player's hand alone (657a.11(d), 657a.12(c))."""
    rules: Crazy4PokerRules = table.rules
    row = hand.category
    if row == "pair":
        row = "pair_of_queens_or_better" if hand.ranks[0] >= QUEEN else "low_pair"
    odds = rules.queens_up.get(row)
    if odds is None:
        return settled(table, number, QUEENS_UP, Result.LOSE, cite("657a.11(d)"))
    return settled(table, number, QUEENS_UP, Result.WIN, cite("657a.12(c)"), odds)


def check_wagers(_rules: Crazy4PokerRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """Ante and Super Bonus go together in equal amounts, and nothing goes without them (657a.7(d))."""
    placed = {(stake.seat, stake.wager): stake.amount for stake in stakes}
    both = cite("657a.7(d)(1)")
    for number in sorted(dict.fromkeys(stake.seat for stake in stakes)):
        plays = (number, ANTE) in placed and (number, SUPER_BONUS) in placed
        for wager, clause in ((QUEENS_UP, cite("657a.7(d)(2)")), (PROGRESSIVE, cite("657a.7(d)(3)"))):
            if (number, wager) in placed and not plays:
                yield number, Objection(wager, "needs ante and super_bonus", clause)
        for wager, other in ((ANTE, SUPER_BONUS), (SUPER_BONUS, ANTE)):
            if (number, wager) in placed and (number, other) not in placed:
                yield number, Objection(wager, f"{wager} needs {other}", both)
        ante, bonus = placed.get((number, ANTE)), placed.get((number, SUPER_BONUS))
        if ante is not None and bonus is not None and ante != bonus:
            yield number, Objection(SUPER_BONUS, "ante and super_bonus differ", both)
    yield from check_limits(setup, stakes, both, (ANTE, SUPER_BONUS))
    yield from check_limits(setup, stakes, cite("657a.7(d)(2)"), (QUEENS_UP,))


GAME = Game(
    id="crazy_4_poker",
    chapter=CHAPTER,
    title="Crazy 4 Poker",
    seats=6,
    seats_cite=cite("657a.2(a)"),
    hand=5,
    deck=52,
    wagers=(ANTE, SUPER_BONUS, PLAY, QUEENS_UP, PROGRESSIVE, ENVY),
    opening=(ANTE, SUPER_BONUS, QUEENS_UP, PROGRESSIVE),
    opening_cite=cite("657a.7(c)"),
    submission=Crazy4PokerSubmission,
    transitions=ONE_DECISION,
    dealing=stub_clauses(CHAPTER),
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening(CHAPTER),
    shuffle_clauses=shuffling(CHAPTER),
    wrong_shuffler_count=cite("657a.5(b)"),
    irregularities=(
        *irregularities(
            CHAPTER,
            Irregularity("card_exposed", Remedy.VOID, cite("657a.13(d)"), (Stage.DEALING, Stage.DECIDING), ("dealer",)),
            Irregularity("wrong_stake", Remedy.RECORD, cite("657a.11(b)"), (Stage.SETTLING,), ("seat",)),
            counted=("dealer", "seat"),
            left="7(b)",
            locked="7(c)",
            stakes="11(b)",
        ),
        Irregularity("progressive_count_mismatch", Remedy.RECORD, None, ()),  # where the chips are counted
    ),
    round_of_play=round_of_play,
    check_setup=check_setup(CHAPTER, 6, "657a.2(a)"),
    check_wagers=check_wagers,
    check_players=check_one_position("657a.7(e)"),
    systems=(progressive_system(CHAPTER, PROGRESSIVE, [f"11(e)({number})" for number in range(1, 5)]),),
    most_times=most_times,
)
