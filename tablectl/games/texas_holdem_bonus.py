"""Texas Hold 'Em Bonus Poker, 58 Pa. Code Chapter 563.

Readings where the text leaves room:

- 563.11(a): the players are asked one after the other, clockwise from the dealer's left; a fold is collected at once.
- 563.11(b)-(g): the board is dealt and the dealer's hand shown even if everybody has folded.
- 563.8(e), 563.9(c), 563.10(c): the stub goes to the rack once the River lies face up, before the dealer's hand.
- 563.11(h): seats that have folded and still have a Bonus Wager are visited in the same counterclockwise pass.
- 563.11(h)(2): an Ante that is not paid on a winning hand goes back.
- 563.7(e): a player who leaves forfeits what is still open, the Bonus Wager too; the dealer collects it when that seat
  would be asked next, or at its turn in the settlement.
- 563.7(b), (c): the posted minimum is that of the Ante, the posted maximum that of Ante and Bonus.
- 563.12(d): the odds for two pairs of aces take the place of those for one.
- 563.12(e): what one patron could win with the minimum wager is that of the posted minimum on Ante, Flop, Turn and
  River, and of $1 on the Bonus, which has a minimum of its own (563.7(c)).
- 563.13(a): it ends with the last River decision, or with the last fold if nobody is left. A Bonus Wager whose two
  cards are not dealt yet cannot be settled and goes back. "All" wagers are all that were bet, folded ones in the tray
  too. The odds are those of 563.12(c) alone, as the dealer has no hand any more.
- 563.13(b): the Bonus Wager is settled if both cards of everybody were out when the second face-up card was found.
- 563.13(c): until the river is dealt, as no card comes after it.
- 563.13(f): a shoe that the rest of the cards was taken out of (563.10(c)) is in use no longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tablectl.cards import COMMUNITY, DEALER, Card, seat
from tablectl.events import Result
from tablectl.games.common import (
    IN_PLAY,
    check_limits,
    check_one_position,
    check_setup,
    deck_clocks,
    equipment,
    on_record,
    opening_of_2010,
    shuffling_of_2010,
    stub_clauses,
    with_automated_shoe,
)
from tablectl.hands.poker import FIVE_CARD, Evaluator, HandRank
from tablectl.money import EVEN, Money, Odds, show
from tablectl.procedure.counts import retire_stub
from tablectl.procedure.dealing import burn, collect_wagers, deal, deal_board, no_more_bets
from tablectl.procedure.game import Game, Irregularity, PayoutLimit, Remedy, Setup
from tablectl.procedure.instructions import (
    AnnounceHand,
    Ask,
    Choice,
    CollectCards,
    Expose,
    ExposeVoided,
    Incident,
    Left,
    PlaceWagers,
    Stake,
)
from tablectl.procedure.irregularities import ask, attend
from tablectl.procedure.settlement import LOSERS_FIRST, forfeit_all, least_limit, settle, settle_all, settled
from tablectl.procedure.stages import ALTERNATING, Stage
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.texas_holdem_bonus import TexasHoldemBonusRules, TexasHoldemBonusSubmission

__all__ = ["GAME"]

CHAPTER: Final = "563"
ANTE, FLOP, TURN, RIVER, BONUS = "ante", "flop", "turn", "river", "bonus"
BET, CHECK, FOLD = "bet", "check", "fold"

_BOARD: Final = 5
_LEAST_BONUS: Final = Money(1_00)  # 563.7(c)
_ACE: Final = 14
_HANDS: Final = Evaluator(FIVE_CARD)


async def round_of_play(table: Table) -> None:
    """563.7 to 563.11, in the order of the text."""
    stakes = await collect_wagers(table)  # 563.7(b)
    await no_more_bets(table, stakes)  # 563.8(b), 563.9(a)(3), 563.10(a)(2)
    await deal(table, 2, to=(*table.players, DEALER))  # 563.8(d), 563.9(b), 563.10(b)
    await offer_flop(table)  # 563.11(a)
    flop = await deal_community(table, 3, cite("563.11(b)"))
    await offer_bet(table, TURN, cite("563.11(c)"))
    turn = await deal_community(table, 1, cite("563.11(d)"))
    await offer_bet(table, RIVER, cite("563.11(e)"))
    river = await deal_community(table, 1, cite("563.11(f)"))
    await retire_stub(table)  # 563.8(e)-(h), 563.9(c)-(f), 563.10(c)-(f)
    dealer = await reveal_dealer(table, (*flop, *turn, *river))  # 563.11(g)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():  # 563.11(h)
        await settle_seat(table, number, dealer)


async def offer_flop(table: Table) -> None:
    """Each player places a Flop Wager of twice the Ante, or folds and forfeits it, clockwise (563.11(a))."""
    await table.enter(Stage.DECIDING)
    for number in table.clockwise(with_wager=ANTE):
        if number in table.left:
            await forfeit_all(table, number)
            continue
        ante = table.amount(number, ANTE)
        flop = None if ante is None else Money(2 * ante)
        decision = await ask(table, Ask(number, (Choice(BET, FLOP, flop), Choice(FOLD)), cite("563.11(a)")))
        if isinstance(decision, Left):
            await leave(table, number)
        elif decision.verb == BET:
            await place(table, Stake(number, FLOP, flop))  # 563.11(a)(1)
        else:
            await settle(table, number, ANTE, Result.FORFEITED, cite("563.11(a)(2)"))
            if not table.open(number, BONUS):  # 563.11(a)(2)(i): with a Bonus Wager the cards stay
                await CollectCards(seat(number), len(table.hands[seat(number)]), cite("563.11(a)(2)(ii)"))


async def offer_bet(table: Table, wager: str, clause: Cite) -> None:
    """Each player with a Flop Wager places a Turn or River Wager equal to the Ante, or checks (563.11(c), (e))."""
    for number in table.clockwise(with_wager=FLOP):
        if number in table.left:
            await forfeit_all(table, number)
            continue
        ante = table.amount(number, ANTE)
        decision = await ask(table, Ask(number, (Choice(BET, wager, ante), Choice(CHECK)), clause))
        if isinstance(decision, Left):
            await leave(table, number)
        elif decision.verb == BET:
            await place(table, Stake(number, wager, ante))


async def place(table: Table, stake: Stake) -> None:
    """Put a wager on the layout that a decision has made."""
    await PlaceWagers((stake,))
    table.stakes[stake.seat, stake.wager, 0] = stake


async def leave(table: Table, number: int) -> None:
    """Whoever leaves instead of deciding abandons his wagers (563.7(e))."""
    table.left.setdefault(number, cite("563.7(e)"))
    await forfeit_all(table, number)


async def deal_community(table: Table, count: int, clause: Cite) -> list[Card]:
    """Burn the next card, and turn the next ones up for all (563.11(b), (d), (f))."""
    await table.enter(Stage.DEALING)
    board = table.hands.setdefault(COMMUNITY, [])
    before = len(board)
    await burn(table, clause)
    await deal_board(table, count)
    await table.enter(Stage.DECIDING)
    shown: list[Card] = []
    for number, card in enumerate(board[before:], before + 1):
        shown += (await attend(table, Expose(COMMUNITY, number, (card,)))).cards
    return shown


@dataclass(frozen=True, slots=True)
class Shown:
    """What everybody sees when the players' hands are turned up: the board, and the dealer's cards and hand."""

    board: tuple[Card, ...]
    cards: tuple[Card, ...]
    hand: HandRank


async def reveal_dealer(table: Table, board: tuple[Card, ...]) -> Shown:
    """The cover card is laid aside, the dealer's two cards are turned up, and his hand announced (563.11(g))."""
    await table.enter(Stage.REVEALED)
    cards = (await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))).cards
    hand = _HANDS.rank((*cards, *board))
    await AnnounceHand(DEALER, hand.category, cite("563.11(g)"))
    return Shown(board, cards, hand)


async def settle_seat(table: Table, number: int, dealer: Shown) -> None:
    """Turn one player's cards up, and settle all that he has wagered, the Bonus Wager last (563.11(h)(1)-(4))."""
    if number in table.left:
        await forfeit_all(table, number)
        return
    place = seat(number)
    cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
    if number in table.left:
        await forfeit_all(table, number)
        return
    if table.open(number, FLOP):
        hand = _HANDS.rank((*cards, *dealer.board))
        await AnnounceHand(place, hand.category, cite("563.11(h)"))
        wagers = [wager for wager in table.open_wagers(number) if wager != BONUS]
        settlements = [(wager, *against_dealer(table.rules, wager, hand, dealer.hand)) for wager in wagers]
        settlements.sort(key=lambda settlement: LOSERS_FIRST[settlement[1]])
        await settle_all([settled(table, number, *settlement) for settlement in settlements])
    if table.open(number, BONUS):
        await settle_bonus(table, number, cards, dealer.cards)


def against_dealer(
    rules: TexasHoldemBonusRules, wager: str, hand: HandRank, dealer: HandRank
) -> tuple[Result, Cite, Odds | None]:
    """How one wager fares against the dealer's hand, by which clause and at which odds (563.11(h)(1)-(3))."""
    if hand < dealer:
        return Result.LOSE, cite("563.11(h)(1)"), None
    if hand == dealer:
        return Result.PUSH, cite("563.11(h)(3)"), None
    if wager == ANTE and hand.strength < FIVE_CARD.categories.index(rules.ante_qualifier):
        return Result.RETURNED, cite("563.11(h)(2)"), None
    return Result.WIN, cite("563.12(b)"), EVEN


async def settle_bonus(table: Table, number: int, cards: Sequence[Card], dealer: Sequence[Card]) -> None:
    """Pay the Bonus Wager by the player's two cards, whatever became of other wagers (563.11(h)(4), 563.12(c), (d)).

    `dealer` are the dealer's cards, none in a void.
    """
    rules: TexasHoldemBonusRules = table.rules
    row = bonus_row(cards)
    if row is None:
        await settle(table, number, BONUS, Result.LOSE, cite("563.11(h)(4)"))
    elif row == "ace_ace" and rules.both_aces is not None and bonus_row(dealer) == "ace_ace":
        await settle(table, number, BONUS, Result.WIN, cite("563.12(d)"), rules.both_aces)
    else:
        await settle(table, number, BONUS, Result.WIN, cite("563.12(c)"), rules.bonus[row])


def bonus_row(cards: Sequence[Card]) -> str | None:
    """The row of 563.12(c) that two cards fill, None if there is none."""
    if len(cards) != 2:
        return None
    high, low = sorted((card.rank for card in cards), reverse=True)
    if high == low:
        if high == _ACE:
            return "ace_ace"
        return "pair_of_tens_through_twos" if high <= 10 else "king_king_queen_queen_or_jack_jack"
    if high != _ACE or low < 11:
        return None
    suits = "same_suit" if cards[0].suit == cards[1].suit else "different_suits"
    return f"ace_king_{suits}" if low == 13 else f"ace_queen_or_ace_jack_{suits}"


async def settle_bonus_in_void(table: Table, number: int) -> None:
    """All hands are void, and the Bonus Wager is settled all the same, if its two cards are there (563.13(a), (b))."""
    place = seat(number)
    hand = tuple(table.hands[place])
    if len(hand) < 2:
        await settle(table, number, BONUS, Result.VOID, cite("563.13(a)"))
        return
    await settle_bonus(table, number, (await ExposeVoided(place, hand)).cards, ())


def check_wagers(
    rules: TexasHoldemBonusRules, setup: Setup, stakes: Sequence[Stake]
) -> Iterator[tuple[int, Objection]]:
    """A Bonus Wager needs an Ante and has a minimum of its own (563.7(c)); posted limits hold for the Ante."""
    antes = [stake.seat for stake in stakes if stake.wager == ANTE]
    yield from check_limits(setup, stakes, cite("563.7(b)"), (ANTE,))
    for stake in stakes:
        if stake.wager != BONUS:
            continue
        if stake.seat not in antes:
            yield stake.seat, Objection(BONUS, "bonus needs an ante", cite("563.7(c)"))
        if stake.amount is not None and stake.amount < _LEAST_BONUS:
            yield stake.seat, Objection(BONUS, f"bonus below minimum {show(_LEAST_BONUS)}", cite("563.7(c)"))
    bonus_limits = replace(setup, minimum=None)
    yield from check_limits(bonus_limits, stakes, cite("563.7(b)"), (BONUS,))


def most_paid(rules: TexasHoldemBonusRules, setup: Setup) -> Money:
    """The most that is paid on one hand: $50,000, or what can be won with the minimum wagers (563.12(e))."""
    bonus = rules.best_bonus.pay(_LEAST_BONUS)
    return least_limit(setup, lambda ante: Money(5 * ante + bonus))  # Ante, twice that, Turn and River at even money


# Irregularities -----------------------------------------------------------------------------------------------------


def _somebody_is_to_decide(_incident: Incident, table: Table) -> bool:
    """563.13(a) is about a card that is exposed before everybody has folded or placed the last wager, or checked."""
    board = table.hands.get(COMMUNITY)
    if board is None:
        return True
    if len(board) == _BOARD or (len(board) == _BOARD - 1 and table.stage is Stage.DEALING):
        return False
    return any(number not in table.left for number in table.clockwise(FLOP))


def _a_bonus_can_be_settled(incident: Incident, table: Table) -> bool:
    """563.13(a): some player has wagered on two cards that he has."""
    wagered = [number for number in table.seats if (number, BONUS, 0) in table.stakes]
    has_cards = any(len(table.hands.get(seat(number), ())) == 2 for number in wagered)
    return has_cards and _somebody_is_to_decide(incident, table)


def _hands_are_dealt(_incident: Incident, table: Table) -> bool:
    """563.13(b): each player and the dealer have received their first two cards."""
    return all(len(table.hands.get(place, ())) >= 2 for place in (*table.players, DEALER))


def _nobody_has_seen_it(incident: Incident, table: Table) -> bool:
    """563.13(c) is about a card whose face was not exposed, once the cards are ready to be dealt."""
    return table.ready and not incident.exposed


def _stacks_are_dispensed(incident: Incident, table: Table) -> bool:
    """563.13(f) is about an automated shoe: the board comes out of the hand (563.10(c))."""
    return with_automated_shoe(incident, table) and COMMUNITY not in table.hands


_BEFORE_THE_LAST_DECISION: Final = (Stage.DEALING, Stage.DECIDING)

IRREGULARITIES: Final = (
    Irregularity(
        "card_exposed",
        Remedy.VOID,
        cite("563.13(a)"),
        _BEFORE_THE_LAST_DECISION,
        ("dealer",),
        holds=_a_bonus_can_be_settled,
        named=("wagers_returned",),
        settles=(BONUS,),
    ),
    Irregularity(
        "card_exposed",
        Remedy.VOID,
        cite("563.13(a)"),
        _BEFORE_THE_LAST_DECISION,
        ("dealer",),
        holds=_somebody_is_to_decide,
        named=("wagers_returned",),
    ),
    Irregularity("card_face_up", Remedy.DISCARD, cite("563.13(b)"), (Stage.DEALING,), once=True),
    Irregularity(
        "card_face_up", Remedy.VOID, cite("563.13(b)"), (Stage.DEALING,), holds=_hands_are_dealt, settles=(BONUS,)
    ),
    Irregularity("card_face_up", Remedy.VOID, cite("563.13(b)"), (Stage.DEALING,)),
    Irregularity(
        "drawn_in_error",
        Remedy.RESUME,
        cite("563.13(c)"),
        (Stage.OPEN, Stage.DEALING, Stage.DECIDING),
        holds=_nobody_has_seen_it,
    ),
    Irregularity("wrong_card_count", Remedy.VOID, cite("563.13(d)"), IN_PLAY, ("dealer", "seat")),
    *equipment(CHAPTER, Remedy.REMOVE_DEVICE, dispenses=_stacks_are_dispensed),
    Irregularity("wrong_stake", Remedy.RECORD, cite("563.7(c)"), (Stage.OPEN,)),
    *on_record(CHAPTER, left="7(e)", locked="7(b)", stakes="11(a)"),
)

GAME = Game(
    id="texas_holdem_bonus",
    chapter=CHAPTER,
    title="Texas Hold 'Em Bonus Poker",
    seats=6,
    seats_cite=cite("563.2(a)"),
    hand=2,
    deck=52,
    wagers=(ANTE, FLOP, TURN, RIVER, BONUS),
    opening=(ANTE, BONUS),
    opening_cite=cite("563.7(b)"),
    submission=TexasHoldemBonusSubmission,
    transitions=ALTERNATING,
    dealing=stub_clauses(CHAPTER),
    deck_clocks=deck_clocks(CHAPTER),
    opening_clauses=opening_of_2010(CHAPTER),
    shuffle_clauses=shuffling_of_2010(CHAPTER),
    wrong_shuffler_count=cite("563.5(b)"),
    irregularities=IRREGULARITIES,
    round_of_play=round_of_play,
    check_setup=check_setup(CHAPTER, 6, "563.2(a)", least=6),
    check_wagers=check_wagers,
    check_players=check_one_position("563.7(f)"),
    places=("dealer", "seat", "community"),
    settle_in_void=settle_bonus_in_void,
    payout_limit=PayoutLimit((ANTE, FLOP, TURN, RIVER, BONUS), most_paid),
)
