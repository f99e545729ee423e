"""Pai Gow Poker, 58 Pa. Code Chapter 561.

Readings where the text leaves room:

- 561.2(a): the table has six places, neither more nor less: four cards remain only where there are seven hands.
- 561.3(c): the chapter that it names is this one.
- 561.6(d): combination first, kickers after; to the letter a pair of twos with an ace would beat a pair of threes. What
  it calls a tie hand counts for the dealer (561.13(g)(2), (i)).
- 561.6(c): in a flush the joker is the highest card that is missing.
- 561.7(b): a player who leaves loses the wager, collected at that seat's turn.
- 561.7(e): "counterclockwise" for two equal wagers of one player: the seat nearer to the dealer's right first. The
  others set their hands clockwise from the dealer's left.
- 561.9(e), (g): the same cards, collected once.
- 561.10(a)(3), (b), (c): "no more bets", then the starting position, then the seven stacks. The leftmost goes to the
  starting position, the others follow clockwise.
- 561.13(e): a surrender takes the whole wager, and may be said until that player's hands are turned up, after the
  dealer's hands are seen, too.
- 561.13(g)(3), (4): a player who leaves it to the house way is set by it; one who sets himself may do it wrongly.
- 561.14(a), (b): either way it is no roll.
- 561.14(d): the wager of a hand that is void goes back. While stacks are made by hand (j) rules instead.
- 561.14(j), (k): both begin again with "no more bets", in a new round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from tablectl.cards import DEALER, Card, Position, position, seat
from tablectl.events import Result
from tablectl.games.common import IN_PLAY, check_limits, deck_clocks
from tablectl.games.pai_gow import check_adjacent, irregularities
from tablectl.hands.pai_gow import low_rank, may_be_set, pai_gow_rank
from tablectl.hands.poker import HandRank
from tablectl.money import EVEN
from tablectl.procedure.adjacent import setting_order
from tablectl.procedure.counts import count_remainder
from tablectl.procedure.dealing import (
    collect_unwagered,
    collect_wagers,
    deal,
    deal_stacks_by_hand,
    deliver_stacks,
    hand_needs_shuffler,
    no_more_bets,
)
from tablectl.procedure.game import (
    CutStyle,
    Dealing,
    DealingClauses,
    Game,
    Irregularity,
    OpeningClauses,
    Remedy,
    Setup,
    ShuffleClauses,
    Shuffler,
)
from tablectl.procedure.instructions import (
    AnnounceResult,
    Ask,
    Choice,
    CollectCards,
    Incident,
    Left,
    SetHands,
    Stake,
    Surrendered,
    TurnUpHands,
)
from tablectl.procedure.irregularities import ask, attend, begin_decisions
from tablectl.procedure.settlement import forfeit_all, settle
from tablectl.procedure.stages import ONE_DECISION, Stage
from tablectl.procedure.starting import (
    BUTTON,
    StartClauses,
    cover_shaker,
    fresh_dice,
    places_from,
    starting_position,
)
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.pai_gow_poker import PaiGowPokerRules, PaiGowPokerSubmission, vigorish

__all__ = ["GAME"]

CHAPTER: Final = "561"
SEATS: Final = 6
HAND, LOW = 7, 2
PAI_GOW: Final = "pai_gow"
SET, HOUSE_WAY, SURRENDER = "set", "house_way", "surrender"

_START: Final = StartClauses(shaker=cite("561.12(b)"), rng=cite("561.12(c)"), button=cite("561.12(d)"))
_CHOICES: Final = (Choice(SET, sets=LOW), Choice(HOUSE_WAY), Choice(SURRENDER))
_LAST_STACK: Final = position(f"stack {SEATS + 1}")
_UNWAGERED: Final[Mapping[Dealing, Cite]] = {
    Dealing.MANUAL_SHOE: cite("561.9(g)"),
    Dealing.FROM_HAND: cite("561.10(g)"),
    Dealing.AUTOMATED_SHOE: cite("561.11(g)"),
}


@dataclass(frozen=True, slots=True)
class Hands:
    """A high hand and a low hand; `correct` if they are of five and two cards, the high one not below the low one."""

    high: HandRank
    low: HandRank
    correct: bool = True


@dataclass(slots=True)
class Played:
    """Seats that have set their own hands, and those whose wager wins and is paid last."""

    own: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)


async def round_of_play(table: Table) -> None:
    """561.7 to 561.13, in the order of the text."""
    rules: PaiGowPokerRules = table.rules
    await fresh_dice(table, rules.starting_position, cite("561.8(a)(1)(iii)"))
    stakes = await collect_wagers(table)  # 561.7(c)
    await no_more_bets(table, stakes)  # 561.9(a), 561.10(a)(3), 561.11(a)(2)
    start = await starting_position(table, rules.starting_position, _START)  # 561.9(b), 561.10(b), 561.11(b)
    await deal_hands(table, places_from(table, start))  # 561.9(c), 561.10(c), 561.11(c)
    await cover_shaker(rules.starting_position, _START.shaker)
    await count_remainder(table)  # 561.9(d)-(f), 561.10(d)-(f), 561.11(d)-(f)
    await collect_unwagered(table, _UNWAGERED[table.dealing])
    played = Played()
    await set_hands(table, played)  # 561.13(a), (b)
    dealer = await set_dealer(table)  # 561.13(c), (d)
    for number in table.counterclockwise():  # 561.13(f)-(k)
        await compare(table, played, number, dealer)
    for number in played.winners:  # 561.13(l), (m)
        await pay(table, number)


async def deal_hands(table: Table, places: Sequence[Position]) -> None:
    """Seven cards to each of the seven places, whether there is a wager or not."""
    if table.dealing is Dealing.FROM_HAND:
        await deal_stacks_by_hand(table, HAND, len(places))
        await deliver_stacks(table, places)
    else:
        await deal(table, HAND, places)


# Setting the hands (561.13(a)-(d)) ------------------------------------------------------------------------------------


async def set_hands(table: Table, played: Played) -> None:
    """Each player sets a high hand and a low hand, leaves that to the house way, or surrenders."""
    rules: PaiGowPokerRules = table.rules
    await begin_decisions(table)  # 561.14(d)
    order = await setting_order(table, PAI_GOW, cite("561.7(e)"), may_share=rules.adjacent_positions)
    for number in order:
        if number in table.left or number in table.voided:
            continue
        decision = await ask(table, Ask(number, _CHOICES, cite("561.13(a)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("561.7(b)"))
        elif decision.verb == SURRENDER:
            await surrender(table, number)
        elif decision.verb == SET:
            played.own.append(number)


async def set_dealer(table: Table) -> Hands:
    """The dealer's seven cards are turned up and set in the manner that is filed (561.13(c), (d))."""
    await table.enter(Stage.REVEALED)
    cards = await turn_up(table, DEALER)
    assert cards is not None, "the dealer does not surrender"
    await table.enter(Stage.SETTLING)
    low = table.rules.house_way.low(cards)
    return as_set(cards, await attend(table, SetHands(DEALER, tuple(cards), low, LOW, cite("561.13(c)"))))


def as_set(cards: Sequence[Card], low: Sequence[Card]) -> Hands:
    """What seven cards are worth with these of them in the low hand (561.6, 561.13(g)(3), (4))."""
    high = [card for card in cards if card not in low]
    if len(high) != HAND - LOW or len(low) != LOW:
        return Hands(pai_gow_rank(cards), low_rank(cards[:LOW]), correct=False)
    ranks = pai_gow_rank(high), low_rank(low)
    return Hands(*ranks, correct=may_be_set(*ranks))


async def turn_up(table: Table, place: Position) -> Sequence[Card] | None:
    """Turn the cards of that place up; who surrenders before that is served at once. None if that seat has done so."""
    hidden = tuple(table.hands[place])
    while True:
        may = tuple(
            number
            for number in table.seats
            if (place is DEALER or number <= place.number) and number not in table.left and table.open(number, PAI_GOW)
        )
        turned = await attend(table, TurnUpHands(place, hidden, may))
        if not isinstance(turned, Surrendered):
            return turned.cards
        await surrender(table, turned.seat)
        if place is not DEALER and turned.seat == place.number:
            return None


async def surrender(table: Table, number: int) -> None:
    """The wager is collected at once, and the seven cards, counted but not exposed (561.13(e))."""
    await settle(table, number, PAI_GOW, Result.SURRENDERED, cite("561.13(e)"))
    await CollectCards(seat(number), len(table.hands.pop(seat(number))), cite("561.13(e)"))


# Comparing and paying (561.13(f)-(m)) ---------------------------------------------------------------------------------


async def compare(table: Table, played: Played, number: int, dealer: Hands) -> None:
    """Turn one player's hands up and announce how the wager fares; it is paid later if it wins (561.13(f)-(l))."""
    cards = None if number in table.left else await turn_up(table, seat(number))
    if number in table.left:
        await forfeit_all(table, number)
    elif cards is not None:
        rules: PaiGowPokerRules = table.rules
        low = () if number in played.own else rules.house_way.low(cards)
        low = await attend(table, SetHands(seat(number), tuple(cards), low, LOW, cite("561.13(f)")))
        result = against_dealer(as_set(cards, low), dealer)
        await AnnounceResult(number, result.value, cite("561.13(f)"))
        if result is Result.LOSE:
            await settle(table, number, PAI_GOW, result, cite("561.13(h)"))
        elif result is Result.PUSH:
            await settle(table, number, PAI_GOW, result, cite("561.13(j)"))
        else:
            played.winners.append(number)


def against_dealer(hands: Hands, dealer: Hands) -> Result:
    """How a player's hands fare against the dealer's; an equal hand counts for the dealer (561.13(g), (i), (k))."""
    if not hands.correct:
        return Result.LOSE
    won = (hands.high > dealer.high) + (hands.low > dealer.low)
    return (Result.LOSE, Result.PUSH, Result.WIN)[won]


async def pay(table: Table, number: int) -> None:
    """Even money, less a vigorish of five percent of it (561.13(m))."""
    extract = partial(vigorish, table.rules)
    await settle(table, number, PAI_GOW, Result.WIN, cite("561.13(m)"), EVEN, vigorish=extract)


# What is forbidden, and what goes wrong -------------------------------------------------------------------------------


def check_setup(rules: PaiGowPokerRules, setup: Setup) -> Iterator[Objection]:
    """Six places; from the hand with a shuffler only; a button with a shuffler and an automated shoe only."""
    if setup.seats != SEATS:
        yield Objection("seats", f"{setup.seats} betting positions, {SEATS} have to be", cite("561.2(a)"))
    yield from hand_needs_shuffler(setup, cite("561.10(a)(1)"))
    fed = setup.dealing is Dealing.AUTOMATED_SHOE and setup.shuffler is not Shuffler.NONE
    if rules.starting_position == BUTTON and not fed:
        message = "a button needs an automated shuffler and an automated shoe"
        yield Objection("starting_position", message, cite("561.12(d)"))


def check_wagers(_rules: PaiGowPokerRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """The posted limits."""
    yield from check_limits(setup, stakes, cite("561.7(a)"), (PAI_GOW,))


def check_players(rules: PaiGowPokerRules, players: Mapping[str, Sequence[int]]) -> Iterator[Objection]:
    """One player may play two adjacent areas, if that is filed (561.7(d))."""
    yield from check_adjacent(rules, players, cite("561.7(d)"))


def _dealing(announced: str, *letters: str) -> DealingClauses:
    """The clauses of one way of dealing: announcement, deal, remainder, count, right, wrong (561.9-561.11)."""
    dealt, stub, count, right, wrong = (cite(f"{CHAPTER}.{letter}") for letter in letters)
    return DealingClauses(
        cite(f"{CHAPTER}.{announced}"), dealt, stub, count, right, wrong, ("wagers_returned", "cards_reshuffled")
    )


def _by_hand(_incident: Incident, table: Table) -> bool:
    return table.dealing is Dealing.FROM_HAND


def _while_stacks_are_made(_incident: Incident, table: Table) -> bool:
    return _LAST_STACK in table.hands


_OWN: Final = (
    Irregularity("card_exposed", Remedy.VOID, cite("561.14(j)"), (Stage.DEALING,), ("stack",), holds=_by_hand),
    Irregularity("card_exposed", Remedy.VOID, cite("561.14(j)"), (Stage.DEALING,), holds=_while_stacks_are_made),
    Irregularity("stacks_not_alternated", Remedy.VOID, cite("561.14(k)"), (Stage.DEALING,), holds=_by_hand),
    Irregularity("wrong_card_count", Remedy.VOID, cite("561.14(h)"), IN_PLAY, ("stack",), holds=_by_hand),
)

GAME = Game(
    id="pai_gow_poker",
    chapter=CHAPTER,
    title="Pai Gow Poker",
    seats=SEATS,
    seats_cite=cite("561.2(a)"),
    hand=HAND,
    deck=53,
    wagers=(PAI_GOW,),
    opening=(PAI_GOW,),
    opening_cite=cite("561.7(c)"),
    submission=PaiGowPokerSubmission,
    transitions=ONE_DECISION,
    dealing={
        Dealing.MANUAL_SHOE: _dealing("9(a)", "9(c)", "9(e)", "9(d)", "9(e)", "9(f)"),
        Dealing.FROM_HAND: _dealing("10(a)(3)", "10(c)", "10(e)", "10(d)", "10(e)", "10(f)"),
        Dealing.AUTOMATED_SHOE: _dealing("11(a)(2)", "11(c)", "11(e)", "11(d)", "11(e)", "11(f)"),
    },
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=OpeningClauses(
        one_deck=cite("561.3(a)"),
        two_decks=cite("561.3(b)"),
        inspect=cite("561.4(a)"),
        verify=cite("561.4(b)"),
        spread=cite("561.4(b)"),
        wash=cite("561.4(c)"),
        apart=cite("561.4(d)"),
        second_joker=cite("561.4(b)"),
    ),
    shuffle_clauses=ShuffleClauses(
        shuffle=cite("561.5(a)"),
        cut=cite("561.5(e)"),
        style=CutStyle.OFFERED,
        recut=cite("561.5(f)"),
        idle=cite("561.5(g)"),
        offers={"first_player": cite("561.5(d)(1)"), "from_the_right": cite("561.5(d)(2)")},
        turned_up=True,
    ),
    wrong_shuffler_count=cite("561.3(a)"),  # the chapter has no clause of its own for it
    irregularities=irregularities(
        CHAPTER,
        "14",
        *_OWN,
        counted=("dealer", "seat"),
        gone=Remedy.REMOVE_DEVICE,
        left="7(b)",
        locked="7(c)",
        stakes="7(a)",
    ),
    round_of_play=round_of_play,
    check_setup=check_setup,
    check_wagers=check_wagers,
    check_players=check_players,
    places=("dealer", "seat", "stack"),
)
