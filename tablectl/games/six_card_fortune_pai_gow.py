"""Six-Card Fortune Pai Gow Poker, 58 Pa. Code Chapter 670a.

Readings where the text leaves room:

- 670a.2(a), 670a.8(e): eleven cards remain only where six cards go to six positions and the dealer, so that a table has
  six positions.
- 670a.6(c): combination first, kickers after; to the letter a pair of twos with an ace would beat a pair of threes. A
  player's joker as the low hand beats an ace and a joker, too; a dealer's is an ace. It ranks as an ace as well where
  the high hand may not be lower (670a.11(b)).
- 670a.7(b): a player who leaves loses what is still open, collected at that seat's turn, and Envy Bonuses; neither his
  hand nor one that is void gives any to others.
- 670a.7(f): "counterclockwise" for two equal wagers of one player: the seat nearer to the dealer's right first.
- 670a.11(b)-(d): first every player is offered the Double Down Wager, clockwise, then all of them set their hands.
- 670a.11(d): a straight or better is kept, whatever pair is in it; of six cards in sequence or of one suit the highest
  is low, but a royal flush is kept. The joker is low where five natural cards make the same; in the high hand it stays
  what makes it highest, an ace beside 2-3-4-5, although six cards to the seven need it as the six. A "Six-Card
  Fortune" straight is one of six cards.
- 670a.11(f): a part that is equal is the dealer's (670a.6(c)). With the other part won the wager ties.
- 670a.11(g): the dealer's hand is his high hand, which holds every pair that he has.
- 670a.11(h): main and Double Down Wagers are settled first, counterclockwise. Then, seat by seat in the same order, the
  Fortune Bonus, the Insurance and the Progressive Payout Wager; after the last seat the Envy Bonuses of the Fortune
  Bonus, then those of the progressive.
- 670a.11(h)(1)(ii), (3)(ii): both hands of a player who has two areas (670a.7(f)) are his own hands.
- 670a.11(h)(1)(i)(A), (B) mean the Fortune Bonus Wager. The joker is an ace, so that no hand with it is king-high.
- 670a.12(b)(2): an Envy lammer takes five dollars (670a.1), so that nobody gets the sums for one dollar.
- 670a.12(d)(1): seed and increment are settings of the meter, and no hands.
- 670a.13(d), (j): from an automated shoe (j) rules until all of 670a.10 is done.
- 670a.13(h), (k) say the same; (k) is cited for positions without a wager.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from tablectl.cards import DEALER, JOKER, Card, Position, seat
from tablectl.equipment import Kind
from tablectl.events import Result
from tablectl.games.common import (
    check_limits,
    check_setup,
    dealing_clauses,
    deck_clocks,
    opening,
    with_automated_shoe,
)
from tablectl.games.pai_gow import check_adjacent, irregularities
from tablectl.hands.pai_gow import PAI_GOW, PAI_GOW_ORDER
from tablectl.hands.poker import HandRank
from tablectl.hands.six_card import house_low, is_set_rightly, without, worth
from tablectl.money import EVEN, Odds
from tablectl.procedure.adjacent import setting_order
from tablectl.procedure.counts import count_remainder
from tablectl.procedure.dealing import close_betting, collect_unwagered, collect_wagers, deal
from tablectl.procedure.game import CutStyle, Dealing, Game, Irregularity, Remedy, Setup, ShuffleClauses
from tablectl.procedure.instructions import (
    AnnounceHand,
    Ask,
    Choice,
    Expose,
    Incident,
    Left,
    PlaceLammers,
    PlaceWagers,
    SetHands,
    Stake,
)
from tablectl.procedure.irregularities import ask, attend, begin_decisions
from tablectl.procedure.progressive import lock_out, pay_envies, pay_fixed_envies, settle_progressive
from tablectl.procedure.settlement import forfeit_all, settle_all, settled
from tablectl.procedure.stages import ONE_DECISION, Stage
from tablectl.procedure.starting import StartClauses, cover_shaker, fresh_dice, places_from, starting_position
from tablectl.procedure.systems import AwardClauses, WagerSystem
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.six_card_fortune_pai_gow import (
    FORTUNE,
    INSURANCE,
    OFFERED_BY,
    QUALIFYING,
    SixCardFortunePaiGowRules,
    SixCardFortunePaiGowSubmission,
    fortune_envy,
)

__all__ = ["GAME"]

CHAPTER: Final = "670a"
PAI_GOW_WAGER, DOUBLE_DOWN, FORTUNE_BONUS, INSURANCE_WAGER, PROGRESSIVE = (
    "pai_gow",
    "double_down",
    "fortune_bonus",
    "insurance",
    "progressive",
)
FORTUNE_ENVY, PROGRESSIVE_ENVY = "fortune_envy", "progressive_envy"
NO_DOUBLE_DOWN, SET, HOUSE_WAY = "no_double_down", "set", "house_way"
EIGHT: Final = 8

_HAND, _LOW, _SEATS = 6, 1, 6
_START: Final = StartClauses(shaker=cite("670a.5(i)(1)"), rng=cite("670a.5(i)(2)"))
_LAMMERS: Final[Mapping[Dealing, Cite]] = {
    Dealing.MANUAL_SHOE: cite("670a.8(b)(1)"),
    Dealing.FROM_HAND: cite("670a.9(a)(3)(i)"),
    Dealing.AUTOMATED_SHOE: cite("670a.10(a)(2)(i)"),
}
_LOCK_OUT: Final[Mapping[Dealing, Cite]] = {
    Dealing.MANUAL_SHOE: cite("670a.8(b)(2)"),
    Dealing.FROM_HAND: cite("670a.9(a)(3)(ii)"),
    Dealing.AUTOMATED_SHOE: cite("670a.10(a)(2)(ii)"),
}
_NOT_DOUBLED: Final = Choice(NO_DOUBLE_DOWN)
_SETTINGS: Final = (Choice(SET, sets=_LOW), Choice(HOUSE_WAY))
_PAIR: Final = PAI_GOW_ORDER.categories.index("pair")
_ENVIED: Final = ("four_of_a_kind", "straight_flush", "royal_flush", "five_aces")
"""Envy Bonus Qualifying Hands of the progressive (670a.1)."""
_HIGH_CARDS: Final = {8: "eight", 9: "nine", 10: "ten", 11: "jack", 12: "queen", 13: "king"}


@dataclass(slots=True)
class Played:
    """What the seats have decided, and their best hands; `lammers` are the seats that have an Envy lammer."""

    lammers: tuple[int, ...] = ()
    house_way: list[int] = field(default_factory=list)
    best: dict[int, HandRank] = field(default_factory=dict)


async def round_of_play(table: Table) -> None:
    """670a.7 to 670a.11, in the order of the text."""
    rules: SixCardFortunePaiGowRules = table.rules
    played = Played()
    await fresh_dice(table, rules.starting_position, cite("670a.2(d)(1)(i)"))
    stakes = await collect_wagers(table)  # 670a.7(c)
    await close_betting(table, stakes)  # 670a.8(b), 670a.9(a)(3), 670a.10(a)(2)
    played.lammers = await place_lammers(table)  # 670a.8(b)(1)
    await lock_out(table, stakes)  # 670a.8(b)(2)
    start = await starting_position(table, rules.starting_position, _START)  # 670a.8(c), 670a.9(b), 670a.10(b)
    await deal(table, _HAND, places_from(table, start))  # 670a.8(d), 670a.9(c), 670a.10(c)
    await count_remainder(table)  # 670a.8(e), (f), 670a.9(d), (e), 670a.10(d), (e)
    assert table.clauses.count_right is not None
    await collect_unwagered(table, table.clauses.count_right)  # 670a.8(g), 670a.9(f), 670a.10(f)
    await cover_shaker(rules.starting_position, cite("670a.5(i)(1)(iv)"))
    await begin_decisions(table)  # 670a.13(d)
    await offer_double_down(table)  # 670a.11(c)
    await set_hands(table, played)  # 670a.11(b)
    dealer = await reveal_dealer(table)  # 670a.11(d)
    for number in reversed(table.seats):  # 670a.11(e)-(g)
        await settle_seat(table, played, number, dealer)
    await settle_side_bets(table, played)  # 670a.11(h)


async def place_lammers(table: Table) -> tuple[int, ...]:
    """Envy lammers go next to the Fortune Bonus Wagers that qualify, before anything is dealt (670a.8(b)(1))."""
    wagered = [table.stakes[number, FORTUNE_BONUS, 0] for number in table.seats if table.open(number, FORTUNE_BONUS)]
    qualifying = tuple([it.seat for it in wagered if it.amount is not None and it.amount >= QUALIFYING])
    unknown = tuple([it.seat for it in wagered if it.amount is None])
    if not qualifying and not unknown:
        return ()
    return await attend(table, PlaceLammers(qualifying, unknown, _LAMMERS[table.dealing]))


# Decisions ----------------------------------------------------------------------------------------------------------


async def offer_double_down(table: Table) -> None:
    """Each player may place a Double Down Wager equal to the main one, clockwise (670a.11(c))."""
    rules: SixCardFortunePaiGowRules = table.rules
    if not rules.double_down:
        return
    for number in table.clockwise(with_wager=PAI_GOW_WAGER):
        if number in table.left:
            continue
        amount = table.amount(number, PAI_GOW_WAGER)
        choices = (Choice(DOUBLE_DOWN, DOUBLE_DOWN, amount), _NOT_DOUBLED)
        decision = await ask(table, Ask(number, choices, cite("670a.11(c)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("670a.7(b)"))
        elif decision.verb == DOUBLE_DOWN:
            stake = Stake(number, DOUBLE_DOWN, amount)
            await PlaceWagers((stake,))
            table.stakes[number, DOUBLE_DOWN, 0] = stake


async def set_hands(table: Table, played: Played) -> None:
    """Each player sets a high and a low hand, face down, or has it done as the dealer would (670a.11(a), (b)).

    Of two areas of one player the larger main wager comes first, of equal ones the one to the right (670a.7(f)).
    """
    adjacent: bool = table.rules.adjacent_positions
    for number in await setting_order(table, PAI_GOW_WAGER, cite("670a.7(f)"), may_share=adjacent):
        if number in table.left or not table.open(number, PAI_GOW_WAGER):
            continue
        decision = await ask(table, Ask(number, _SETTINGS, cite("670a.11(b)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("670a.7(b)"))
        elif decision.verb == HOUSE_WAY:
            played.house_way.append(number)


# The dealer's hand, and what is played against it -------------------------------------------------------------------


class Hands(NamedTuple):
    """A high hand and the card that is the low hand."""

    high: HandRank
    low: Card


async def reveal_dealer(table: Table) -> Hands:
    """The dealer turns his six cards up and sets them as it is written (670a.11(d))."""
    await table.enter(Stage.REVEALED)
    cards = (await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))).cards
    await table.enter(Stage.SETTLING)
    return await lay_down(table, DEALER, cards, (house_low(cards),), cite("670a.11(d)"))


async def lay_down(table: Table, place: Position, cards: Sequence[Card], low: tuple[Card, ...], clause: Cite) -> Hands:
    """The two hands of open cards; an empty `low`: the player has set them, and it is seen now which card is low."""
    (lowest,) = await attend(table, SetHands(place, tuple(cards), low, _LOW, clause))
    return Hands(PAI_GOW.rank(without(cards, lowest)), lowest)


async def settle_seat(table: Table, played: Played, number: int, dealer: Hands) -> None:
    """Reveal both hands of one player, then settle the main and the Double Down Wager (670a.11(e)-(g))."""
    if number in table.left:
        await forfeit_all(table, number)
    if not table.open_wagers(number):  # it has left, or its hand is void
        return
    place = seat(number)
    cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
    low = (house_low(cards),) if number in played.house_way else ()
    hands = None if number in table.left else await lay_down(table, place, cards, low, cite("670a.11(b)"))
    if hands is None or number in table.left:
        await forfeit_all(table, number)
        return
    played.best[number] = PAI_GOW.rank(cards)
    result, clause = against_dealer(hands, dealer)
    won = result is Result.WIN
    odds = EVEN if won else None
    rows = [settled(table, number, PAI_GOW_WAGER, result, cite("670a.12(a)") if won else clause, odds)]
    if table.open(number, DOUBLE_DOWN) and qualifies(dealer.high):
        clause = cite("670a.12(a)") if won else cite("670a.11(g)(1)")
        rows.append(settled(table, number, DOUBLE_DOWN, result, clause, odds))
    elif table.open(number, DOUBLE_DOWN):
        rows.append(settled(table, number, DOUBLE_DOWN, Result.RETURNED, cite("670a.11(g)(2)")))
    await settle_all(rows)


def against_dealer(hands: Hands, dealer: Hands) -> tuple[Result, Cite]:
    """Whether the main wager wins, loses or ties against the dealer's hands, and by which clause (670a.11(f))."""
    mine, his = worth(hands.low), worth(dealer.low)
    if not is_set_rightly(hands.high, hands.low):
        return Result.LOSE, cite("670a.11(f)(1)(v)")
    high_wins = hands.high > dealer.high
    low_wins = hands.low is JOKER or mine > his
    if high_wins and low_wins:
        return Result.WIN, cite("670a.11(f)(3)")
    if high_wins:
        return Result.PUSH, cite("670a.11(f)(2)(i)")
    if low_wins:
        return Result.PUSH, cite("670a.11(f)(2)(ii)")
    equal = hands.high == dealer.high, mine == his
    return Result.LOSE, cite(f"670a.11(f)(1){_LOST[equal]}")


_LOST: Final = {(False, False): "(i)", (False, True): "(ii)", (True, False): "(iii)", (True, True): "(iv)"}
"""The paragraph by which a wager is lost: whether the high hands are equal, and the low ones."""


def qualifies(dealer: HandRank) -> bool:
    """Whether the dealer has a pair of eights or better, which the Double Down Wager needs (670a.11(g))."""
    return dealer.strength > _PAIR or (dealer.strength == _PAIR and dealer.ranks[0] >= EIGHT)


# Fortune Bonus, Insurance, progressive ------------------------------------------------------------------------------


async def settle_side_bets(table: Table, played: Played) -> None:
    """Each player's cards as the best hand they make: his optional wagers, then the Envy Bonuses (670a.11(h))."""
    rules: SixCardFortunePaiGowRules = table.rules
    out = [wager for number, wager, _hand in table.stakes if number not in table.voided]
    for number in reversed(table.seats):
        if number in table.left:
            await forfeit_all(table, number)
        elif number in played.best:
            await settle_optional(table, number, played.best[number], out)
    holders = [(number, hand.category) for number, hand in played.best.items() if number not in table.left]
    envied = [holder for holder in holders if fortune_envy(holder[1]) is not None]
    if played.lammers and envied:  # 670a.11(h)(1)(ii)
        clause = cite("670a.12(b)(2)")
        await pay_fixed_envies(
            table, FORTUNE_ENVY, FORTUNE_BONUS, envied, lambda _wager, hand: fortune_envy(hand), clause, played.lammers
        )
    envied = [holder for holder in holders if rules.progressive is not None and holder[1] in _ENVIED]
    if envied:  # 670a.11(h)(3)(ii)
        await pay_envies(table, PROGRESSIVE_ENVY, envied)


async def settle_optional(table: Table, number: int, hand: HandRank, out: Container[str]) -> None:
    """One player's Fortune Bonus, Insurance and Progressive Payout Wager; a hand that gives envies is announced.

    `out` are the wagers that any player has made whose hand is not void.
    """
    bet, rows = table.open(number, FORTUNE_BONUS), []
    if bet:
        odds = FORTUNE.get(hand.category)
        rows.append(settled(table, number, FORTUNE_BONUS, *by(odds, "670a.12(b)(1)", "670a.11(h)(1)(i)(A)")))
    if FORTUNE_BONUS in out and fortune_envy(hand.category) is not None:
        await settle_all(rows)
        rows = []
        clause = cite("670a.11(h)(1)(i)(B)") if bet else cite("670a.11(h)(1)(i)(C)")
        await AnnounceHand(seat(number), hand.category, clause)
    if table.open(number, INSURANCE_WAGER):
        rows.append(settled(table, number, INSURANCE_WAGER, *by(insured(hand), "670a.12(c)", "670a.11(h)(2)(i)")))
    await settle_all(rows)
    if table.open(number, PROGRESSIVE):
        await settle_progressive(table, number, hand.category)  # 670a.11(h)(3)(i)
    if hand.category in _ENVIED and PROGRESSIVE in out:
        await AnnounceHand(seat(number), hand.category, cite("670a.11(h)(3)(i)(C)"))


def by(odds: Odds | None, paid: str, lost: str) -> tuple[Result, Cite, Odds | None]:
    """That a wager is paid at these odds by the one clause, or is lost by the other if there are none."""
    return (Result.LOSE, cite(lost), None) if odds is None else (Result.WIN, cite(paid), odds)


def insured(hand: HandRank) -> Odds | None:
    """What the Insurance Wager is paid for that hand; None if it is better than king-high (670a.12(c))."""
    if hand.category != "high_card" or hand.ranks[0] not in _HIGH_CARDS:
        return None
    return INSURANCE[f"{_HIGH_CARDS[hand.ranks[0]]}_high"]


# What is forbidden, and what goes wrong -----------------------------------------------------------------------------


def check_wagers(
    rules: SixCardFortunePaiGowRules, setup: Setup, stakes: Sequence[Stake]
) -> Iterator[tuple[int, Objection]]:
    """The main wager is needed to take part, the others have to be offered (670a.7(d), (e)); limits are as posted."""
    playing = [stake.seat for stake in stakes if stake.wager == PAI_GOW_WAGER]
    offered = {FORTUNE_BONUS: rules.fortune_bonus, INSURANCE_WAGER: rules.insurance}
    for stake in stakes:
        if not offered.get(stake.wager, True):
            yield stake.seat, Objection(stake.wager, f"{stake.wager} is not offered", OFFERED_BY[stake.wager])
        elif stake.seat not in playing:
            message = f"{stake.wager} needs a {PAI_GOW_WAGER}"
            yield stake.seat, Objection(stake.wager, message, OFFERED_BY[stake.wager])
    yield from check_limits(setup, stakes, cite("670a.7(d)"), (PAI_GOW_WAGER,))
    for wager in (FORTUNE_BONUS, INSURANCE_WAGER):
        yield from check_limits(setup, stakes, OFFERED_BY[wager], (wager,))


def check_players(rules: Any, players: Mapping[str, Sequence[int]]) -> Iterator[Objection]:
    """One player may play two adjacent positions, if that is filed (670a.7(f))."""
    return check_adjacent(rules, players, cite("670a.7(f)"))


def _without_wager(incident: Incident, table: Table) -> bool:
    """670a.13(k) speaks of positions, 670a.13(h) of players and the dealer."""
    return incident.position is not None and incident.position.number not in table.seats


IRREGULARITIES: Final = (
    *irregularities(
        CHAPTER,
        "13",
        Irregularity(
            "card_exposed", Remedy.VOID, cite("670a.13(j)"), (Stage.DEALING,), ("seat",), holds=with_automated_shoe
        ),
        Irregularity(
            "wrong_card_count",
            Remedy.VOID,
            cite("670a.13(k)"),
            (Stage.DEALING, Stage.DECIDING, Stage.REVEALED, Stage.SETTLING),
            ("seat",),
            holds=_without_wager,
        ),
        counted=("dealer", "seat"),
        gone=Remedy.COVER_DEVICE,
        left="7(b)",
        locked="7(c)",
        stakes="7(e)(1)",
    ),
    Irregularity("progressive_count_mismatch", Remedy.RECORD, None, ()),  # where the chips are counted
)

GAME = Game(
    id="six_card_fortune_pai_gow",
    chapter=CHAPTER,
    title="Six-Card Fortune Pai Gow Poker",
    seats=_SEATS,
    seats_cite=cite("670a.2(a)"),
    hand=_HAND,
    deck=53,
    wagers=(
        PAI_GOW_WAGER,
        DOUBLE_DOWN,
        FORTUNE_BONUS,
        INSURANCE_WAGER,
        PROGRESSIVE,
        FORTUNE_ENVY,
        PROGRESSIVE_ENVY,
    ),
    opening=(PAI_GOW_WAGER, FORTUNE_BONUS, INSURANCE_WAGER, PROGRESSIVE),
    opening_cite=cite("670a.7(c)"),
    submission=SixCardFortunePaiGowSubmission,
    transitions=ONE_DECISION,
    dealing={
        Dealing.MANUAL_SHOE: dealing_clauses(CHAPTER, "8(b)", "8(d)", "8(e)", "8(e)", "8(g)", "8(f)"),
        Dealing.FROM_HAND: dealing_clauses(CHAPTER, "9(a)(3)", "9(c)", "9(d)", "9(d)", "9(f)", "9(e)"),
        Dealing.AUTOMATED_SHOE: dealing_clauses(CHAPTER, "10(a)(2)", "10(c)", "10(d)", "10(d)", "10(f)", "10(e)"),
    },
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=replace(opening(CHAPTER), second_joker=cite("670a.4(b)")),
    shuffle_clauses=ShuffleClauses(
        shuffle=cite("670a.5(a)"),
        cut=cite("670a.5(e)"),
        style=CutStyle.OFFERED,
        recut=cite("670a.5(f)"),
        idle=cite("670a.5(g)"),
        offers={"first_player": cite("670a.5(d)(1)"), "from_the_right": cite("670a.5(d)(2)")},
        ordered=cite("670a.5(a)"),
        reshuffling=cite("670a.5(h)"),
        exchange=cite("670a.5(g)(2)"),
    ),
    wrong_shuffler_count=cite("670a.5(h)"),
    irregularities=IRREGULARITIES,
    round_of_play=round_of_play,
    check_setup=check_setup(CHAPTER, _SEATS, "670a.8(e)", least=_SEATS),
    check_wagers=check_wagers,
    check_players=check_players,
    systems=(
        WagerSystem(
            kind=Kind.PROGRESSIVE,
            wager=PROGRESSIVE,
            offered=lambda rules: rules.progressive is not None,
            cite=OFFERED_BY[PROGRESSIVE],
            lock_out=_LOCK_OUT,
            unit=lambda rules, _seat, _stakes: rules.progressive.unit,
            progressive=lambda rules: rules.progressive,
            award=AwardClauses(
                hand=cite("670a.11(h)(3)(i)(B)(I)"),
                light=cite("670a.11(h)(3)(i)(B)(II)"),
                validate=cite("670a.11(h)(3)(i)(B)(III)"),
                pay=cite("670a.11(h)(3)(i)(B)(IV)"),
                by_hand="any_share",
                lose=cite("670a.11(h)(3)(i)(A)"),
            ),
        ),
    ),
)
