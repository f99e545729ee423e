"""Lunar Poker, 58 Pa. Code Chapter 671a.

Readings where the text leaves room:

- 671a.6(c): combination first, kickers after; to the letter a pair of twos with an ace would beat a pair of threes.
- 671a.6(d): a Super Wager is paid by the highest row that the hand fills. A straight flush or royal flush is not in the
  list and is paid nothing, unless filed otherwise (`super_straight_flush`).
- 671a.7(c)(3): another player's hand is one that has an Ante Wager on it, and not the player's own.
- 671a.11(b), (c): all hands are declared before the first decision; until the dealer has locked the decisions in, a
  seat may take its own back. A hand that is not declared loses every Super Wager on it, and has no instant payout: its
  player is asked like any other. A declared one that is turned up and is none has made no Bet Wager and no Options
  fee: it is collected.
- 671a.11(c)(1)-(4), (d)(1)-(4): all of it seat by seat.
- 671a.11(d): where the deck runs out before a player has all his cards, he has a wrong number of cards (671a.13(c)).
- 671a.11(f)(1): to see who has a straight, the hands are turned up, counterclockwise as in (f)(2).
- 671a.11(f)(2)(ii): a combination is the cards that make it, without kickers. The second one is the best other that has
  a card outside of the first, of the same category too. Straight flushes that were drawn have no instant payout.
- 671a.7(b): a player who leaves loses what is still open, collected at that seat's turn. Its hand is declared no more;
  Super Wagers of others on it lose, unless it was declared before.
- 671a.13(c): "all wagers" are all that were bet in the round. After the last one is settled nothing is undone, so that
  a wrong number of cards found when the deck is counted is on record only (671a.11(h)).
- 671a.13(d): the dealer's last card is not dealt to lie face down. What 671a.11(c)(1)-(3) has settled before stands,
  Super Wagers and instant payouts, unless filed otherwise (`settled_supers`); everything else goes back, Antes that
  were folded too. A house that wants a floorperson to confirm it says so for its table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tablectl.cards import DEALER, Card, FaceDown, Position, seat
from tablectl.events import Result
from tablectl.games.common import (
    check_limits,
    check_one_position,
    check_setup,
    deck_clocks,
    irregularities,
    opening,
    shuffling,
)
from tablectl.hands.lunar import INSTANT, LUNAR, STRAIGHT, is_at_least, second_combination, super_rows
from tablectl.hands.poker import HandRank
from tablectl.money import Money, Odds, show
from tablectl.procedure.counts import count_deck
from tablectl.procedure.dealing import collect_wagers, deal, no_more_bets
from tablectl.procedure.game import Dealing, DealingClauses, Game, Irregularity, Remedy, Setup
from tablectl.procedure.instructions import (
    Ask,
    Choice,
    CollectCards,
    Declare,
    Discard,
    Expose,
    Incident,
    Left,
    LockDecisions,
    PlaceWagers,
    Stake,
    Withdraw,
)
from tablectl.procedure.irregularities import ask, attend, begin_decisions, handle
from tablectl.procedure.settlement import awarded, forfeit_all, settle, settle_all, settled
from tablectl.procedure.stages import ALTERNATING, Stage
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.lunar_poker import BET as BET_ODDS
from tablectl.rules.lunar_poker import SUPER as SUPER_ODDS
from tablectl.rules.lunar_poker import UNQUALIFIED, LunarPokerRules, LunarPokerSubmission

__all__ = ["GAME"]

CHAPTER: Final = "671a"
SEATS: Final = 5
ANTE, BET, FEE, SUPER, SUPER_DEALER, SECOND_BET = "ante", "bet", "options_fee", "super", "super_dealer", "second_bet"
ON_SEAT: Final = tuple(f"super_seat_{number}" for number in range(1, SEATS + 1))
ON_OTHERS: Final = (SUPER_DEALER, *ON_SEAT)
FOLD, BUY, EXCHANGE = "fold", "buy", "exchange"
DECLARED_SUPER, DECLARED_INSTANT = "super", "instant"


@dataclass(slots=True)
class Played:
    """What the seats have declared and decided; `dealt` are the first cards of those whose discards nobody knows."""

    declared: dict[int, str] = field(default_factory=dict)
    decided: dict[int, str] = field(default_factory=dict)
    dealt: dict[int, tuple[FaceDown, ...]] = field(default_factory=dict)


async def round_of_play(table: Table) -> None:
    """671a.7 to 671a.11, in the order of the text."""
    stakes = await collect_wagers(table)  # 671a.7(d)
    await no_more_bets(table, stakes)  # 671a.8(b), 671a.9(a)(3), 671a.10(a)(2)
    await deal(table, 5, to=(*table.players, DEALER))  # 671a.8(c), 671a.9(b), 671a.10(b)
    await attend(table, Expose(DEALER, 5, tuple(table.hands[DEALER][-1:])))  # the last card of the dealer
    played = Played()
    await take_decisions(table, played)  # 671a.11(b), (c)
    for number in table.seats:  # 671a.11(c)(1)-(4)
        await settle_hand(table, played, number)
    for number in table.seats:  # 671a.11(d)
        await serve_options(table, played, number)
    dealer = await reveal_dealer(table)  # 671a.11(e)
    await settle_supers_on_dealer(table, dealer)  # 671a.11(e)(1), (2)
    await settle_bets(table, played, LUNAR.rank(dealer))  # 671a.11(f)
    await count_deck(table, cite("671a.11(h)"), cite("671a.11(h)(2)"))


# Decisions ----------------------------------------------------------------------------------------------------------


async def take_decisions(table: Table, played: Played) -> None:
    """Winning hands are declared, each player folds, bets or pays the fee, and all is locked in (671a.11(b), (c))."""
    await begin_decisions(table)
    seats = tuple(number for number in table.clockwise(with_wager=ANTE) if number not in table.left)
    await declare(table, played, seats)
    for number in seats:
        await decide(table, played, number)
    while True:
        there = tuple(number for number in seats if number not in table.left)
        anew = await attend(table, LockDecisions(there, cite("671a.11(c)")))
        if anew is None:
            return
        await take_back(table, played, anew)
        await declare(table, played, (anew,), again=True)
        await decide(table, played, anew)


async def declare(table: Table, played: Played, seats: tuple[int, ...], *, again: bool = False) -> None:
    """Players declare hands that are eligible for a Super Wager or an instant payout (671a.11(b))."""
    kinds = (DECLARED_SUPER, DECLARED_INSTANT)
    said = await attend(table, Declare(seats, kinds, cite("671a.11(b)"), again))
    for number in seats:
        played.declared.pop(number, None)
    played.declared |= {declared.seat: declared.what for declared in said}


async def decide(table: Table, played: Played, number: int) -> None:
    """One player folds, bets twice the Ante or pays an Options fee; an instant hand has nothing to decide."""
    if number in table.left or played.declared.get(number) == DECLARED_INSTANT:  # 671a.11(b)(2)
        return
    ante = table.amount(number, ANTE)
    choices = (
        Choice(FOLD),  # 671a.11(b)(1)
        Choice(BET, BET, twice(ante)),  # 671a.11(b)(2)
        Choice(BUY, FEE, ante),  # 671a.11(b)(3)
        Choice(EXCHANGE, FEE, ante, discards=(2, 5)),
    )
    decision = await ask(table, Ask(number, choices, cite("671a.11(b)")))
    if isinstance(decision, Left):
        table.left.setdefault(number, cite("671a.7(b)"))
        return
    played.decided[number] = decision.verb
    if decision.verb == BET:
        await place(table, Stake(number, BET, twice(ante)))
    elif decision.verb in (BUY, EXCHANGE):
        await place(table, Stake(number, FEE, ante))


async def take_back(table: Table, played: Played, number: int) -> None:
    """A decision that is not locked in yet is undone (671a.11(a)(3), (c))."""
    played.decided.pop(number, None)
    for wager in (BET, FEE):
        stake = table.stakes.pop((number, wager, 0), None)
        if stake is not None:
            await Withdraw(stake)


async def place(table: Table, stake: Stake) -> None:
    """A wager that a decision puts on the layout."""
    await PlaceWagers((stake,))
    table.stakes[stake.seat, stake.wager, stake.hand] = stake


def twice(ante: Money | None) -> Money | None:
    """The Bet Wager on that Ante; unknown if that is (671a.11(b)(2), (d)(3))."""
    return None if ante is None else Money(2 * ante)


def declares(cards: Sequence[Card]) -> str | None:
    """What a player who looks at five cards declares them to be (671a.11(b))."""
    if LUNAR.rank(cards).category in INSTANT:
        return DECLARED_INSTANT
    return DECLARED_SUPER if super_rows(cards) else None


# Super Wagers, instant payouts and folds (671a.11(c)) -----------------------------------------------------------------


async def settle_hand(table: Table, played: Played, number: int) -> None:
    """Settle the Super Wagers on one player's hand, then pay it at once or collect it if it has folded."""
    supers: Odds | None = None
    instant: Odds | None = None
    declared = played.declared.get(number)
    looked_at = number not in table.left or any(table.open(other, ON_SEAT[number - 1]) for other in table.seats)
    if declared is not None and looked_at:
        cards = await show_hand(table, played, number)  # 671a.11(c)(2), (3): verified before it is paid
        supers = super_odds(table.rules, cards)
        if declared == DECLARED_INSTANT:
            instant = table.rules.instant.get(LUNAR.rank(cards).category)
    await settle_supers_on(table, number, supers)  # 671a.11(c)(1), (2)
    if number in table.left:
        await forfeit_all(table, number)
    elif instant is not None:  # 671a.11(c)(3)
        await settle(table, number, ANTE, Result.WIN, cite("671a.12(a)"), instant)
        settled_for_good(table, number, ANTE)
        await to_the_rack(table, number, cite("671a.11(c)(3)"))
    elif played.decided.get(number, FOLD) == FOLD:
        await fold(table, number, cite("671a.11(c)(4)"))


async def settle_supers_on(table: Table, number: int, odds: Odds | None) -> None:
    """The owner's Super Wager comes first, then those of others on the same hand, clockwise."""
    rows = []
    own = [(number, SUPER)]
    for holder, wager in (*own, *((other, ON_SEAT[number - 1]) for other in table.seats)):
        if holder in table.left or not table.open(holder, wager):
            continue
        result, clause = (Result.LOSE, "671a.11(c)(1)") if odds is None else (Result.WIN, "671a.12(b)")
        rows.append(settled(table, holder, wager, result, cite(clause), odds))
        settled_for_good(table, holder, wager)
    await settle_all(rows)


def super_odds(rules: LunarPokerRules, cards: Sequence[Card]) -> Odds | None:
    """What a Super Wager on these five cards is paid, None for nothing (671a.6(d), 671a.12(b))."""
    if LUNAR.rank(cards).category in INSTANT:
        if rules.super_straight_flush == "not_paid":
            return None
        if rules.super_straight_flush == "as_flush":
            return SUPER_ODDS["flush"]
    rows = super_rows(cards)
    return SUPER_ODDS[rows[0]] if rows else None


def settled_for_good(table: Table, number: int, wager: str) -> None:
    """A dealer's card that is exposed later does not undo it, unless that is filed (671a.13(d))."""
    if table.rules.settled_supers_stand:
        table.standing.append((number, wager, 0))


async def fold(table: Table, number: int, clause: Cite) -> None:
    """The Ante of a hand that is given up is collected, and its cards go to the rack (671a.11(c)(4), (d)(4))."""
    await settle(table, number, ANTE, Result.FORFEITED, clause)
    await to_the_rack(table, number, clause)


async def to_the_rack(table: Table, number: int, clause: Cite) -> None:
    """The cards of a hand that is over."""
    cards = table.hands.pop(seat(number))
    await CollectCards(seat(number), len(cards), clause)


# Options fees (671a.11(d)) --------------------------------------------------------------------------------------------


async def serve_options(table: Table, played: Played, number: int) -> None:
    """Collect one player's fee, deal the new cards, and ask once more whether to bet."""
    chosen = played.decided.get(number)
    if number in table.left:
        await forfeit_all(table, number)
    elif chosen in (BUY, EXCHANGE) and table.open(number, FEE):
        await settle(table, number, FEE, Result.LOSE, cite("671a.11(d)(1)"))
        wanted = 1 if chosen == BUY else await discard(table, played, number)  # 671a.11(d)(1)(i), (ii)
        await new_cards(table, seat(number), wanted)
        await table.enter(Stage.DECIDING)
        await decide_again(table, number)


async def discard(table: Table, played: Played, number: int) -> int:
    """The player throws away two to five cards; returns how many (671a.11(d)(1)(ii))."""
    hand = table.hands[seat(number)]
    thrown = await attend(table, Discard(number, tuple(hand), 2, 5, cite("671a.11(d)(1)(ii)")))
    if thrown.places:
        table.hands[seat(number)] = [card for where, card in enumerate(hand) if where not in thrown.places]
    else:  # they lie face down in the rack: which of the five are left is seen when they are turned up
        played.dealt[number] = tuple(hand)
        table.hands[seat(number)] = [FaceDown()] * (len(hand) - thrown.count)
    return thrown.count


async def new_cards(table: Table, to: Position, wanted: int) -> None:
    """The cards that take the place of those, from the same shoe or deck."""
    if table.cards_out + wanted > table.game.deck:
        await handle(table, Incident("wrong_card_count", to))
    await deal(table, wanted, (to,))


async def decide_again(table: Table, number: int) -> None:
    """The player folds and loses the Ante, or bets twice as much (671a.11(d)(3), (4))."""
    if number not in table.left:
        bet = twice(table.amount(number, ANTE))
        decision = await ask(table, Ask(number, (Choice(FOLD), Choice(BET, BET, bet)), cite("671a.11(d)(3)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("671a.7(b)"))
        elif decision.verb == BET:
            await place(table, Stake(number, BET, bet))
        else:
            await fold(table, number, cite("671a.11(d)(4)"))
    if number in table.left:
        await forfeit_all(table, number)


# The dealer's hand (671a.11(e), (f)) ----------------------------------------------------------------------------------


async def reveal_dealer(table: Table) -> Sequence[Card]:
    """The dealer turns his own five cards up (671a.11(e))."""
    await table.enter(Stage.REVEALED)
    exposed = await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))
    await table.enter(Stage.SETTLING)
    return exposed.cards


async def settle_supers_on_dealer(table: Table, dealer: Sequence[Card]) -> None:
    """Super Wagers on the dealer's hand, clockwise (671a.11(e)(1), (2))."""
    odds = super_odds(table.rules, dealer)
    for number in table.seats:
        if number in table.left:
            await forfeit_all(table, number)
        elif table.open(number, SUPER_DEALER) and odds is None:
            await settle(table, number, SUPER_DEALER, Result.LOSE, cite("671a.11(e)(1)"))
        elif table.open(number, SUPER_DEALER):
            await settle(table, number, SUPER_DEALER, Result.WIN, cite("671a.12(b)"), odds)


async def settle_bets(table: Table, played: Played, dealer: HandRank) -> None:
    """Ante and Bet of each player who is still there, counterclockwise (671a.11(f)(1), (2))."""
    qualifies = is_at_least(dealer.category, "ace_king")  # 671a.6(b)(10)
    for number in table.counterclockwise():
        cards = () if number in table.left else await show_hand(table, played, number)
        if number in table.left:
            await forfeit_all(table, number)
        elif not qualifies:
            await settle_unqualified(table, number, cards)
        else:
            await settle_against(table, number, cards, dealer)


async def settle_unqualified(table: Table, number: int, cards: Sequence[Card]) -> None:
    """The dealer has less than an ace-king: the Bet goes back, the Ante is paid (671a.11(f)(1))."""
    row = STRAIGHT if is_at_least(LUNAR.rank(cards).category, STRAIGHT) else "below"
    bet = settled(table, number, BET, Result.RETURNED, cite("671a.11(f)(1)"))
    await settle_all([bet, settled(table, number, ANTE, Result.WIN, cite("671a.12(c)"), UNQUALIFIED[row])])


async def settle_against(table: Table, number: int, cards: Sequence[Card], dealer: HandRank) -> None:
    """One hand against a dealer who qualifies (671a.11(f)(2)(i)-(iii))."""
    hand = LUNAR.rank(cards)
    if hand <= dealer:
        result, clause = (Result.LOSE, "671a.11(f)(2)(i)") if hand < dealer else (Result.PUSH, "671a.11(f)(2)(iii)")
        await settle_all([settled(table, number, wager, result, cite(clause)) for wager in (ANTE, BET)])
        return
    rows = [
        settled(table, number, ANTE, Result.RETURNED, cite("671a.11(f)(2)(ii)")),
        settled(table, number, BET, Result.WIN, cite("671a.12(d)"), BET_ODDS[hand.category]),
    ]
    second = second_combination(cards)
    if second is not None:
        rows.append(awarded(table, number, SECOND_BET, BET, BET_ODDS[second], cite("671a.12(d)")))
    await settle_all(rows)


async def show_hand(table: Table, played: Played, number: int) -> Sequence[Card]:
    """Turn one player's cards up."""
    place = seat(number)
    hand = tuple(table.hands[place])
    exposed = await attend(table, Expose(place, 0, hand, played.dealt.get(number, ())))
    return exposed.cards


# What is forbidden ----------------------------------------------------------------------------------------------------


def check_wagers(rules: LunarPokerRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """What 671a.7 forbids in the wagers placed; limits and ratios need known amounts."""
    placed = {(stake.seat, stake.wager): stake for stake in stakes}
    for number in dict.fromkeys(stake.seat for stake in stakes):
        ante, own = placed.get((number, ANTE)), placed.get((number, SUPER))
        if ante is None:
            yield number, Objection(ANTE, "an ante is needed", cite("671a.7(c)(1)"))
        elif own is None:
            yield number, Objection(SUPER, "ante needs a super", cite("671a.7(c)(2)"))
        elif ante.amount is not None and own.amount is not None and own.amount < ante.amount:
            yield number, Objection(SUPER, f"super below the ante {show(ante.amount)}", cite("671a.7(c)(2)"))
    for stake in stakes:
        if stake.wager in ON_OTHERS:
            message = _on_another(rules, stake, placed)
            if message is not None:
                yield stake.seat, Objection(stake.wager, message, cite("671a.7(c)(3)"))
    yield from check_limits(setup, stakes, cite("671a.7(c)(1)"), (ANTE,))
    yield from check_limits(setup, stakes, cite("671a.7(c)(2)"), (SUPER,))
    yield from check_limits(setup, stakes, cite("671a.7(c)(3)"), ON_OTHERS)


def _on_another(rules: LunarPokerRules, stake: Stake, placed: dict[tuple[int, str], Stake]) -> str | None:
    """Why a Super Wager on the hand of the dealer or of another player may not be placed, or None."""
    if not rules.super_on_others:
        return f"{stake.wager} is not filed"
    if stake.wager == SUPER_DEALER:
        return None
    hand = ON_SEAT.index(stake.wager) + 1
    if hand == stake.seat:
        return f"{stake.wager} is on its own hand"
    return None if (hand, ANTE) in placed else f"{stake.wager}: nobody plays there"


# Irregularities -------------------------------------------------------------------------------------------------------


def _lies_face_down(incident: Incident, table: Table) -> bool:
    """671a.13(d) is about cards of the dealer that are dealt face down: not about the last one, which is turned up."""
    drawing = any(wager == FEE for _seat, wager, _hand in table.settled)
    if table.stage is not Stage.DEALING or drawing or len(table.hands.get(DEALER, ())) < GAME.hand:
        return True
    return incident.card not in (None, table.cards_out)


def _something_is_open(_incident: Incident, table: Table) -> bool:
    """When everything is settled there is no hand left that could be void."""
    return any(table.open_wagers(number) for number in table.seats)


def _irregularities() -> tuple[Irregularity, ...]:
    exposed = Irregularity(
        "card_exposed",
        Remedy.VOID,
        cite("671a.13(d)"),
        (Stage.DEALING, Stage.DECIDING),
        ("dealer",),
        holds=_lies_face_down,
        stands=True,
    )
    known = irregularities(CHAPTER, exposed, counted=("dealer", "seat"), left="7(b)", locked="7(d)", stakes="7(c)(1)")
    return tuple(replace(rule, holds=_something_is_open) if rule.kind == "wrong_card_count" else rule for rule in known)


GAME: Final = Game(
    id="lunar_poker",
    chapter=CHAPTER,
    title="Lunar Poker",
    seats=SEATS,
    seats_cite=cite("671a.2(a)"),
    hand=5,
    deck=52,
    wagers=(ANTE, BET, FEE, SUPER, *ON_OTHERS, SECOND_BET),
    opening=(ANTE, SUPER, *ON_OTHERS),
    opening_cite=cite("671a.7(c)"),
    submission=LunarPokerSubmission,
    transitions=ALTERNATING,
    dealing={
        Dealing.MANUAL_SHOE: DealingClauses(cite("671a.8(b)"), cite("671a.8(c)")),
        Dealing.FROM_HAND: DealingClauses(cite("671a.9(a)(3)"), cite("671a.9(b)")),
        Dealing.AUTOMATED_SHOE: DealingClauses(cite("671a.10(a)(2)"), cite("671a.10(b)")),
    },
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening(CHAPTER),
    shuffle_clauses=shuffling(CHAPTER),
    wrong_shuffler_count=cite("671a.5(b)"),
    irregularities=_irregularities(),
    round_of_play=round_of_play,
    check_setup=check_setup(CHAPTER, SEATS, "671a.2(a)"),
    check_wagers=check_wagers,
    check_players=check_one_position("671a.7(e)"),
    declares=declares,
)
