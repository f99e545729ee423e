"""Mississippi Stud, 58 Pa. Code Chapter 655a.

Readings where the text leaves room:

- 655a.11(d), (f): the order of 655a.11(b) holds for each street: clockwise from the dealer's left.
- 655a.11(c), (e), (g): the board is turned up even if everybody has folded.
- 655a.11(b), (d), (f), (h): a fold loses the Progressive Payout Wager at once, together with Ante and streets. The
  cards stay on the table if that or a Three Card Bonus Wager was made, since Envy Bonuses may still be paid. A folded
  hand is withdrawn, so that nobody gets an Envy Bonus for it, unless that is filed (`folded_hand_envy`).
- 655a.11(i): folded seats whose Three Card Bonus is open are visited in the same counterclockwise pass, their cards
  turned up; their hand is not announced, as it is in no competition.
- 655a.11(i)(4): the Progressive Payout Wager, then the Envy Bonuses for that hand, then the Three Card Bonus.
- 655a.7(b): a player who leaves loses what is still open, the Three Card Bonus and Envy Bonuses too; the dealer
  collects it when that seat would be asked next, or at its turn in the settlement. So does 655a.11(a)(3) with whoever
  exchanges information, until the last community card is turned up.
- 655a.12(b): the limit is that of the wagers of 655a.12(a). What one patron could win with the minimum wager is that
  of the posted minimum on the Ante and once on each street.
- 655a.13(c), (d): "all wagers" are all that were bet in the round, those in the tray too. A community card is exposed
  too early as long as one of them lies face down.
- 655a.13(f): a shoe that the rest of the cards was taken out of (655a.10(c)) is in use no longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tablectl.cards import COMMUNITY, Card, seat
from tablectl.events import Result
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
    with_automated_shoe,
)
from tablectl.hands.poker import FIVE_CARD, Evaluator, HandRank
from tablectl.hands.three import ThreeCard, ThreeCardRank, rank3
from tablectl.money import Money, Odds
from tablectl.procedure.counts import retire_stub
from tablectl.procedure.dealing import collect_wagers, deal_board, deal_each, no_more_bets
from tablectl.procedure.game import Dealing, Game, Irregularity, PayoutLimit, Remedy, Setup
from tablectl.procedure.instructions import (
    AnnounceHand,
    Ask,
    Choice,
    CollectCards,
    Expose,
    Incident,
    Left,
    PlaceWagers,
    Stake,
)
from tablectl.procedure.irregularities import ask, attend
from tablectl.procedure.progressive import pay_envies, settle_progressive
from tablectl.procedure.settlement import forfeit_all, least_limit, settle, settle_all, settled
from tablectl.procedure.stages import ONE_DECISION, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.mississippi_stud import ANTE_AND_STREETS, MississippiStudRules, MississippiStudSubmission

__all__ = ["GAME"]

CHAPTER: Final = "655a"
ANTE, THIRD, FOURTH, FIFTH = "ante", "third_street", "fourth_street", "fifth_street"
BONUS, PROGRESSIVE, ENVY = "three_card_bonus", "progressive", "envy"
MAIN: Final = (ANTE, THIRD, FOURTH, FIFTH)
BET, FOLD = "bet", "fold"
JACK, SIX = 11, 6

_BOARD: Final = 3
_HAND: Final = 2
_MOST: Final = 3  # times the Ante, on each street
_HANDS: Final = Evaluator(FIVE_CARD)
_MINI_ROYAL: Final = ThreeCardRank(ThreeCard.STRAIGHT_FLUSH, (14,))
_LOW_STRAIGHT: Final = (3,)  # ace, two and three


async def round_of_play(table: Table) -> None:
    """655a.7 to 655a.11, in the order of the text."""
    stakes = await collect_wagers(table)  # 655a.7(c)
    await no_more_bets(table, stakes)  # 655a.8(b), 655a.9(a)(3), 655a.10(a)(2)
    await deal_all(table)  # 655a.8(d), 655a.9(b), 655a.10(b), (c), (g)
    await retire_stub(table)  # 655a.8(e)-(h), 655a.9(c)-(f), 655a.10(c)-(f)
    await table.enter(Stage.DECIDING)
    await offer_street(table, THIRD, cite("655a.11(b)"))
    board = await turn_up(table, 1)  # 655a.11(c)
    await offer_street(table, FOURTH, cite("655a.11(d)"))
    board += await turn_up(table, 2)  # 655a.11(e)
    await offer_street(table, FIFTH, cite("655a.11(f)"))
    await table.enter(Stage.REVEALED)
    board += await turn_up(table, 3)  # 655a.11(g)
    await table.enter(Stage.SETTLING)
    for number in reversed(table.seats):  # 655a.11(i)
        await settle_seat(table, number, board)


async def deal_all(table: Table) -> None:
    """Two cards to each player, three to the board; a shoe that reshuffles may give those first (655a.10(g))."""
    if board_comes_first(table):
        await deal_board(table, _BOARD, in_a_stack=True)
        await deal_each(table, _HAND, table.players)
        return
    await deal_each(table, _HAND, table.players)
    await deal_board(table, _BOARD)


def board_comes_first(table: Table) -> bool:
    """655a.10(g) is filed, and the dealing shoe is one that reshuffles by itself."""
    rules: MississippiStudRules = table.rules
    return rules.community_first and table.reshuffles and table.dealing is Dealing.AUTOMATED_SHOE


async def offer_street(table: Table, street: str, clause: Cite) -> None:
    """Each player still in bets one, two or three times the Ante, or folds, clockwise (655a.11(b), (d), (f))."""
    for number in table.clockwise(with_wager=ANTE):
        if number in table.left:
            await forfeit_all(table, number)
            continue
        ante = table.amount(number, ANTE)
        decision = await ask(table, Ask(number, (Choice(BET, street, ante, most=_MOST), Choice(FOLD)), clause))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("655a.7(b)"))
            await forfeit_all(table, number)
        elif decision.verb == BET:
            stake = Stake(number, street, decision.amount)
            await PlaceWagers((stake,))
            table.stakes[number, street, 0] = stake
        else:
            await fold(table, number, clause)


async def fold(table: Table, number: int, clause: Cite) -> None:
    """Ante and streets are collected at once, the Progressive Payout Wager is lost; cards stay under a side bet."""
    side_bet = table.open(number, BONUS) or table.open(number, PROGRESSIVE)
    lost = [wager for wager in table.open_wagers(number) if wager in MAIN or wager == PROGRESSIVE]
    taken = {wager: clause if wager in MAIN else cite("655a.11(h)") for wager in lost}
    await settle_all([settled(table, number, wager, Result.FORFEITED, taken[wager]) for wager in lost])
    if not side_bet:
        place = seat(number)
        await CollectCards(place, len(table.hands.pop(place)), clause)


async def turn_up(table: Table, number: int) -> tuple[Card, ...]:
    """Turn the next community card up (655a.11(c), (e), (g))."""
    hidden = table.hands[COMMUNITY][number - 1]
    return (await attend(table, Expose(COMMUNITY, number, (hidden,)))).cards


async def settle_seat(table: Table, number: int, board: Sequence[Card]) -> None:
    """Turn one player's cards up, and settle all that he has wagered (655a.11(i)(1)-(4))."""
    rules: MississippiStudRules = table.rules
    place = seat(number)
    folded_for_envy = rules.folded_envy and rules.progressive is not None and place in table.hands
    if number in table.left:
        await forfeit_all(table, number)
        return
    if not table.open_wagers(number) and not folded_for_envy:
        return
    cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
    if number in table.left:
        await forfeit_all(table, number)
        return
    played = table.open(number, ANTE)
    hand = _HANDS.rank((*cards, *board))
    if played:
        await AnnounceHand(place, hand.category, cite("655a.11(i)"))
        await settle_main(table, number, hand)
    if table.open(number, PROGRESSIVE):
        await settle_progressive(table, number, hand.category)  # 655a.11(i)(4)(i)
    if rules.progressive is not None and (played or folded_for_envy):
        await pay_envies(table, ENVY, [(number, hand.category)])  # 655a.11(i)(4)(i)(E)
    if table.open(number, BONUS):
        await settle_bonus(table, number, board)


async def settle_main(table: Table, number: int, hand: HandRank) -> None:
    """Ante and streets lose, push or are paid, all by the same row (655a.11(i)(1)-(3))."""
    row = row_paid(hand)
    result, clause, odds = Result.LOSE, cite("655a.11(i)(1)"), None
    if row is not None:
        result, clause, odds = Result.WIN, cite("655a.12(a)"), ANTE_AND_STREETS[row]
    elif hand.category == "pair" and hand.ranks[0] >= SIX:
        result, clause = Result.PUSH, cite("655a.12(a)")
    await settle_all([settled(table, number, wager, result, clause, odds) for wager in MAIN])


def row_paid(hand: HandRank) -> str | None:
    """The row of 655a.12(a) that pays this hand, None for a push or a loss."""
    if hand.category == "pair":
        return "pair_of_jacks_or_better" if hand.ranks[0] >= JACK else None
    return hand.category if hand.category in ANTE_AND_STREETS else None


async def settle_bonus(table: Table, number: int, board: Sequence[Card]) -> None:
    """Pay the Three Card Bonus by the three community cards (655a.11(i)(4)(ii))."""
    odds = bonus_paid(table.rules, board)
    if odds is None:
        await settle(table, number, BONUS, Result.LOSE, cite("655a.11(i)(1)"))
    else:
        await settle(table, number, BONUS, Result.WIN, cite("655a.12(d)"), odds)


def bonus_paid(rules: MississippiStudRules, board: Sequence[Card]) -> Odds | None:
    """The odds that the board pays, None if it is below a pair."""
    hand = rank3(board)
    category = hand.category
    if hand.ranks == _LOW_STRAIGHT and not rules.low_ace:
        category = {ThreeCard.STRAIGHT: ThreeCard.HIGH_CARD, ThreeCard.STRAIGHT_FLUSH: ThreeCard.FLUSH}.get(
            category, category
        )
    row = "mini_royal" if hand == _MINI_ROYAL else category.name.lower()
    return None if rules.three_card_bonus is None else rules.three_card_bonus.get(row)


def check_wagers(rules: MississippiStudRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """An Ante is needed to take part (655a.7(d)(1), (3)); posted limits hold for what lies on the layout."""
    antes = [stake.seat for stake in stakes if stake.wager == ANTE]
    needs = cite("655a.7(d)(1)")
    for stake in stakes:
        if stake.wager == BONUS and rules.three_card_bonus is None:
            yield stake.seat, Objection(BONUS, "three_card_bonus is not offered", cite("655a.7(d)(4)"))
        elif stake.seat not in antes:
            clause = cite("655a.7(d)(3)") if stake.wager == PROGRESSIVE else needs
            yield stake.seat, Objection(stake.wager, f"{stake.wager} needs an ante", clause)
    yield from check_limits(setup, stakes, needs, (ANTE,))
    yield from check_limits(setup, stakes, cite("655a.7(d)(4)"), (BONUS,))


def most_paid(_rules: MississippiStudRules, setup: Setup) -> Money:
    """The most that is paid on one hand: $50,000, or what can be won with the minimum wagers (655a.12(b))."""
    best = ANTE_AND_STREETS["royal_flush"]
    return least_limit(setup, lambda ante: best.pay(Money(len(MAIN) * ante)))


# Irregularities -----------------------------------------------------------------------------------------------------


def _cards_come_from_the_shoe(incident: Incident, table: Table) -> bool:
    """655a.13(f) is about an automated shoe: after the hands the board comes out of the dealer's hand (655a.10(c))."""
    return with_automated_shoe(incident, table) and (COMMUNITY not in table.hands or board_comes_first(table))


GAME = Game(
    id="mississippi_stud",
    chapter=CHAPTER,
    title="Mississippi Stud",
    seats=6,
    seats_cite=cite("655a.2(a)"),
    hand=_HAND,
    deck=52,
    wagers=(*MAIN, BONUS, PROGRESSIVE, ENVY),
    opening=(ANTE, BONUS, PROGRESSIVE),
    opening_cite=cite("655a.7(c)"),
    submission=MississippiStudSubmission,
    transitions=ONE_DECISION,
    dealing=stub_clauses(CHAPTER),
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening(CHAPTER),
    shuffle_clauses=shuffling(CHAPTER),
    wrong_shuffler_count=cite("655a.5(b)"),
    irregularities=(
        *irregularities(
            CHAPTER,
            Irregularity(
                "card_exposed",
                Remedy.VOID,
                cite("655a.13(d)"),
                (
                    Stage.DEALING,
                    Stage.DECIDING,
                    Stage.REVEALED,
                ),  # REVEALED is entered just before the last is turned up
                ("community",),
            ),
            Irregularity(
                "collusion",
                Remedy.FORFEIT,
                cite("655a.11(a)(3)"),
                (Stage.DEALING, Stage.DECIDING, Stage.REVEALED),
                ("seat",),
            ),
            counted=("seat", "community"),
            left="7(b)",
            locked="7(c)",
            stakes="7(d)(2)",
            dispenses=_cards_come_from_the_shoe,
        ),
        Irregularity("progressive_count_mismatch", Remedy.RECORD, None, ()),  # where the chips are counted
    ),
    round_of_play=round_of_play,
    check_setup=check_setup(CHAPTER, 6, "655a.2(a)"),
    check_wagers=check_wagers,
    check_players=check_one_position("655a.7(e)"),
    places=("seat", "community"),
    systems=(progressive_system(CHAPTER, PROGRESSIVE, [f"11(i)(4)(i)({letter})" for letter in "ABCD"]),),
    payout_limit=PayoutLimit(MAIN, most_paid),
)
