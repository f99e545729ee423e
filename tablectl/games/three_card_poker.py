"""Three Card Poker, 58 Pa. Code Chapter 565.

Readings where the text leaves room:

- 565.11(b), (c): in the standard version a player who folds keeps the Pair Plus Wager in play, with the cards under it
  (`pair_plus_after_fold`); the 565.7(f) versions always forfeit it.
- 565.11(d)(1)-(3): reveal, collect, pay is done seat by seat.
- 565.7(a)(2): a player with Pair Plus alone is not asked, and is settled with the rest.
- 565.12(a): below queen-high the Ante is paid to everybody still in, whoever holds the better hand.
- 565.13(c), (d): "all wagers" are all that were bet in the round, forfeited ones in the tray too.
- 565.7(c): a player who leaves forfeits what is still open; the dealer collects it with the forfeits or at that
  seat's turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tablectl.cards import DEALER, Card, seat
from tablectl.events import Result
from tablectl.games.common import (
    IN_PLAY,
    check_limits,
    check_setup,
    deck_clocks,
    equipment,
    face_up,
    on_record,
    opening_of_2010,
    shuffling_of_2010,
    stub_clauses,
)
from tablectl.hands.three import ThreeCard, ThreeCardRank, rank3
from tablectl.money import EVEN, Odds
from tablectl.procedure.counts import retire_stub
from tablectl.procedure.dealing import collect_wagers, deal, no_more_bets
from tablectl.procedure.game import Game, Irregularity, Remedy, Setup
from tablectl.procedure.instructions import Ask, Choice, Expose, Left, PlaceWagers, Stake
from tablectl.procedure.irregularities import ask, attend
from tablectl.procedure.settlement import LOSERS_FIRST, awarded, forfeit_all, settle_all, settled
from tablectl.procedure.stages import ONE_DECISION, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Objection, cite
from tablectl.rules.three_card_poker import VERSION_CLAUSES, ThreeCardPokerRules, ThreeCardPokerSubmission

__all__ = ["GAME"]

CHAPTER = "565"
ANTE, PLAY, PAIR_PLUS, ANTE_BONUS = "ante", "play", "pair_plus", "ante_bonus"
WAGERS = (ANTE, PLAY, PAIR_PLUS, ANTE_BONUS)
BET, FOLD = "bet", "fold"
_FOLDS: Final = Choice(FOLD)

_QUEEN_HIGH = ThreeCardRank(ThreeCard.HIGH_CARD, (12,))
_MINI_ROYAL = ThreeCardRank(ThreeCard.STRAIGHT_FLUSH, (14,))
_RATIO = 5  # 565.7(f)(3)


async def round_of_play(table: Table) -> None:
    """565.7 to 565.11, in the order of the text."""
    stakes = await collect_wagers(table)  # 565.7(d)
    await no_more_bets(table, stakes)  # 565.8(b), 565.9(a)(3), 565.10(a)(2)
    await deal(table, 3, to=(*table.players, DEALER))  # 565.8(d), 565.9(b), 565.10(b)
    await retire_stub(table)  # 565.8(e)-(h), 565.9(c)-(f), 565.10(c)-(f)
    folded = await offer_play(table)  # 565.11(b)
    await collect_forfeits(table, folded)  # 565.11(c)
    dealer = await reveal_dealer(table)  # 565.11(c)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():  # 565.11(d)
        await settle_seat(table, number, dealer)


async def offer_play(table: Table) -> list[int]:
    """Each player with an Ante plays or forfeits, clockwise (565.11(b)); returns the seats that forfeit."""
    await table.enter(Stage.DECIDING)
    folded: list[int] = []
    for number in table.clockwise(with_wager=ANTE):
        if number in table.left:
            continue
        ante = table.amount(number, ANTE)
        decision = await ask(table, Ask(number, (Choice(BET, PLAY, ante), _FOLDS), cite("565.11(b)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("565.7(c)"))
        elif decision.verb == BET:
            play = Stake(number, PLAY, ante)
            await PlaceWagers((play,))
            table.stakes[number, PLAY, 0] = play
        else:
            folded.append(number)
    return folded


async def collect_forfeits(table: Table, folded: Sequence[int]) -> None:
    """Forfeited wagers are collected together, clockwise, before the dealer reveals (565.11(c))."""
    for number in table.seats:
        if number in folded:
            takes_pair_plus = table.open(number, PAIR_PLUS) and table.rules.fold_forfeits_pair_plus  # 565.11(b)
            lost = (ANTE, PAIR_PLUS) if takes_pair_plus else (ANTE,)
            await settle_all([settled(table, number, each, Result.FORFEITED, cite("565.11(c)")) for each in lost])
        if number in table.left:
            await forfeit_all(table, number)


async def reveal_dealer(table: Table) -> ThreeCardRank:
    """The dealer turns his own cards up (565.11(c))."""
    await table.enter(Stage.REVEALED)
    exposed = await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))
    return rank3(exposed.cards)


async def settle_seat(table: Table, number: int, dealer: ThreeCardRank) -> None:
    """Reveal one player's hand, collect what lost, give back, pay what won (565.11(d)(1)-(3))."""
    place = seat(number)
    cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
    if number in table.left:
        await forfeit_all(table, number)
        return
    rules: ThreeCardPokerRules = table.rules
    hand = rank3(cards)
    settlements: list[tuple[str, Result, str, Odds | None]] = []
    if table.open(number, PLAY):
        settlements += against_dealer(hand, dealer)
    if table.open(number, PAIR_PLUS):
        odds = row_paid(rules.pair_plus, hand, cards)
        if odds is None:
            settlements.append((PAIR_PLUS, Result.LOSE, "565.11(d)(2)", None))
        else:
            settlements.append((PAIR_PLUS, Result.WIN, "565.12(d)", odds))
    played = table.open(number, PLAY)
    settlements.sort(key=lambda settlement: LOSERS_FIRST[settlement[1]])
    rows = [settled(table, number, wager, result, cite(clause), odds) for wager, result, clause, odds in settlements]
    bonus = row_paid(rules.ante_bonus, hand, cards) if played else None
    if bonus is not None:
        rows.append(awarded(table, number, ANTE_BONUS, ANTE, bonus, rules.ante_bonus_cite))  # 565.12(e), (f)
    await settle_all(rows)


def against_dealer(hand: ThreeCardRank, dealer: ThreeCardRank) -> list[tuple[str, Result, str, Odds | None]]:
    """How Ante and Play fare against the dealer's hand (565.12(a)-(c))."""
    if dealer < _QUEEN_HIGH:
        return [(ANTE, Result.WIN, "565.12(a)", EVEN), (PLAY, Result.RETURNED, "565.12(a)", None)]
    if hand > dealer:
        return [(ANTE, Result.WIN, "565.12(b)", EVEN), (PLAY, Result.WIN, "565.12(b)", EVEN)]
    if hand == dealer:
        return [(ANTE, Result.PUSH, "565.12(c)", None), (PLAY, Result.PUSH, "565.12(c)", None)]
    return [(ANTE, Result.LOSE, "565.11(d)(2)", None), (PLAY, Result.LOSE, "565.11(d)(2)", None)]


_ROWS: Mapping[ThreeCard, str] = {
    ThreeCard.STRAIGHT_FLUSH: "straight_flush",
    ThreeCard.THREE_OF_A_KIND: "three_of_a_kind",
    ThreeCard.STRAIGHT: "straight",
    ThreeCard.FLUSH: "flush",
    ThreeCard.PAIR: "pair",
}


def row_paid(table: Mapping[str, Odds], hand: ThreeCardRank, cards: Sequence[Card]) -> Odds | None:
    """The odds that a paytable gives this hand: its highest row that the hand fills, None if there is none."""
    if hand == _MINI_ROYAL:
        if cards[0].suit == "s" and "mini_royal_spades" in table:
            return table["mini_royal_spades"]
        if "mini_royal" in table:
            return table["mini_royal"]
    row = _ROWS.get(hand.category)
    return None if row is None else table.get(row)


def check_wagers(rules: ThreeCardPokerRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """What 565.7 and the filed version forbid in the wagers placed; limits and ratios need known amounts."""
    placed = {(stake.seat, stake.wager): stake for stake in stakes}
    yield from check_limits(setup, stakes, cite("565.7(a)(1)"), (ANTE,))
    yield from check_limits(setup, stakes, cite("565.7(a)(2)"), (PAIR_PLUS,))
    if rules.version == "standard":
        return
    clause = VERSION_CLAUSES[rules.version]
    for number in sorted(dict.fromkeys(stake.seat for stake in stakes)):
        message = _version_objection(rules, placed.get((number, ANTE)), placed.get((number, PAIR_PLUS)))
        if message is not None:
            yield number, Objection(PAIR_PLUS, message, clause)


def _version_objection(rules: ThreeCardPokerRules, ante: Stake | None, pair_plus: Stake | None) -> str | None:
    """Why one seat's wagers do not fit a 565.7(f) version, or None."""
    if ante is None:
        return "pair_plus needs an ante"
    if pair_plus is None:
        return "ante and pair_plus are needed" if rules.version == "both_required" else None
    if ante.amount is None or pair_plus.amount is None:
        return None
    match rules.version:
        case "pair_plus_needs_equal_ante" if ante.amount < pair_plus.amount:
            return "ante below pair_plus"
        case "pair_plus_needs_half_ante" if 2 * ante.amount < pair_plus.amount:
            return "ante below half of pair_plus"
        case "both_required" if max(ante.amount, pair_plus.amount) > _RATIO * min(ante.amount, pair_plus.amount):
            return f"over {_RATIO} times the other wager"
        case _:
            return None


def check_players(rules: ThreeCardPokerRules, players: Mapping[str, Sequence[int]]) -> Iterator[Objection]:
    """One player may play two adjacent positions, if that is filed (565.7(e))."""
    for player, seats in players.items():
        if len(seats) > 1 and not rules.adjacent_positions:
            yield Objection(
                "players", f"{player} plays {len(seats)} positions, adjacent_positions is not filed", _ADJACENT
            )
        elif len(seats) > 2 or (len(seats) == 2 and abs(seats[0] - seats[1]) != 1):
            yield Objection("players", f"{player} may play two adjacent positions at the most", _ADJACENT)


_ADJACENT = cite("565.7(e)")

IRREGULARITIES = (
    *face_up(cite("565.13(a)")),
    Irregularity(
        "drawn_in_error",
        Remedy.RESUME,
        cite("565.13(b)"),
        (Stage.OPEN, Stage.DEALING),  # a card that leaves the shoe before "no more bets" is the first one of the deal
        holds=lambda incident, table: table.ready and not incident.exposed,
    ),
    Irregularity("wrong_card_count", Remedy.VOID, cite("565.13(c)"), IN_PLAY, ("dealer", "seat")),
    Irregularity(
        "card_exposed",
        Remedy.VOID,
        cite("565.13(d)"),
        (Stage.DEALING, Stage.DECIDING, Stage.REVEALED),  # REVEALED is entered just before the dealer's own reveal
        ("dealer",),
    ),
    *equipment(CHAPTER, Remedy.REMOVE_DEVICE),
    *on_record(CHAPTER, left="7(c)", locked="7(d)", stakes="7(a)(1)"),
)

GAME = Game(
    id="three_card_poker",
    chapter=CHAPTER,
    title="Three Card Poker",
    seats=7,
    seats_cite=cite("565.2(a)"),
    hand=3,
    deck=52,
    wagers=WAGERS,
    opening=(ANTE, PAIR_PLUS),
    opening_cite=cite("565.7(a)"),
    submission=ThreeCardPokerSubmission,
    transitions=ONE_DECISION,
    dealing=stub_clauses(CHAPTER),
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening_of_2010(CHAPTER),
    shuffle_clauses=shuffling_of_2010(CHAPTER),
    wrong_shuffler_count=cite("565.5(b)"),
    irregularities=IRREGULARITIES,
    round_of_play=round_of_play,
    check_setup=check_setup(CHAPTER, 7, "565.2(a)"),
    check_wagers=check_wagers,
    check_players=check_players,
)
