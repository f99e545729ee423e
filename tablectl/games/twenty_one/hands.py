"""The play of the hands: insurance, decisions hand after hand, cards that come late.

Reading of x.12(h) (672a), x.13(h) (673a): a hand whose card was forgotten is set aside. When all other hands have
theirs, its player takes the card and goes on, or the hand is dead: the wagers of that hand go back, others stand.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from tablectl.cards import seat
from tablectl.events import Result
from tablectl.games.twenty_one.dealing import bury, give, wants_to_play_on
from tablectl.games.twenty_one.play import (
    BLACKJACK,
    DOUBLE,
    INSURANCE,
    MISSED_PLAYER,
    SECOND_CHANCE,
    SPLIT,
    Hand,
    Missed,
    Play,
    leave,
    place,
    to_stage,
)
from tablectl.hands.twenty_one import TWENTY_ONE
from tablectl.money import Money
from tablectl.procedure.instructions import Ask, Choice, Left, Stake
from tablectl.procedure.irregularities import ask
from tablectl.procedure.settlement import settle
from tablectl.procedure.stages import Stage
from tablectl.records import replace

__all__ = [
    "collect_insurance",
    "double",
    "divide",
    "most_insurance",
    "offer_insurance",
    "play_hand",
    "play_hands",
]

ACCEPT, REFUSE = "accept", "refuse"
NO_INSURANCE: Final = "no_insurance"

_HIT: Final = Choice("hit", draws=True)
_STAND: Final = Choice("stand")
_OFFERED: Final = (Choice(ACCEPT), Choice(REFUSE))


# Insurance ----------------------------------------------------------------------------------------------------------


def most_insurance(wager: Money | None, chip: Money) -> Money | None:
    """Half of the Blackjack Wager, or the next amount above it that can be laid in chips (x.8(b))."""
    return None if wager is None else Money(-(-wager // (2 * chip)) * chip)


async def offer_insurance(
    play: Play, chip: Money, even_money: Callable[[Play, Hand], Awaitable[None]] | None = None
) -> None:
    """Each player whose Blackjack Wager is open may insure it, clockwise (x.8(a), (b)).

    `even_money`: where it is filed, a player with a Blackjack may be paid by that instead (672a.8(e)).
    """
    table = play.table
    for number in table.clockwise(with_wager=BLACKJACK):
        if number in table.left:
            await leave(play, number)
            continue
        hand = play.hands[number][0]
        most = most_insurance(table.amount(number, BLACKJACK), chip)
        insured = Choice(INSURANCE, INSURANCE, most, up_to=True, limit=play.chapter.half)
        choices = [insured, Choice(NO_INSURANCE)]
        if even_money is not None and hand.blackjack:
            choices.append(Choice("even_money"))
        decision = await ask(table, Ask(number, tuple(choices), play.chapter.offer))
        if isinstance(decision, Left):
            await leave(play, number)
        elif decision.verb == INSURANCE:
            await place(table, Stake(number, INSURANCE, decision.amount))
        elif decision.verb == "even_money" and even_money is not None:
            await even_money(play, hand)


async def collect_insurance(play: Play) -> None:
    """The dealer has no Blackjack: Insurance Wagers are collected at once, counterclockwise (x.8(d))."""
    for number in reversed(play.table.seats):
        if play.table.open(number, INSURANCE):
            await settle(play.table, number, INSURANCE, Result.LOSE, play.chapter.lost)


# Hands --------------------------------------------------------------------------------------------------------------


async def play_hands(play: Play) -> None:
    """All hands are played, clockwise, those of one seat one after the other; cards that were forgotten come last."""
    while play.take(MISSED_PLAYER) is not None:
        pass  # nobody has asked for a card yet
    for number, hands in play.hands.items():
        if number in play.table.left:
            await leave(play, number)
            continue
        if not hands[0].over:
            await play.chapter.begin(play, hands[0])
        for hand in hands:  # which are more after a split
            await play_hand(play, hand)
    for hand, missed in play.late:
        await _serve_late(play, hand, missed)
    await to_stage(play.table, Stage.DECIDING)


async def play_hand(play: Play, hand: Hand) -> None:
    """One hand until it takes no more cards: its second one after a split, then what its player decides."""
    while not hand.done:
        if hand.seat in play.refused:  # x.12(c): no additional card for that player
            hand.done = True
        elif len(hand.cards) < 2:
            if not await give(play, hand):
                return
            hand.done = hand.single
        elif hand.total.points < TWENTY_ONE:
            if not await _decide(play, hand):
                return
        else:
            hand.done = True
            await _close(play, hand)


async def double(play: Play, hand: Hand, stake: Stake) -> None:
    """A hand is doubled: the wager or lammer is placed, and one card is dealt (x.9 of 672a, x.10 of 673a)."""
    await place(play.table, stake)
    hand.doubled = hand.done = True
    if await give(play, hand):
        await _close(play, hand)


async def divide(play: Play, hand: Hand, wager: Money | None, *, free: bool = False) -> Hand:
    """A pair is split: the second card makes a hand of its own, with that wager or a lammer; the new hand."""
    hands = play.hands[hand.seat]
    new = Hand(hand.seat, len(hands), [hand.cards.pop()], split=True)
    hand.split = True
    hands.append(new)
    await place(play.table, Stake(hand.seat, SPLIT, wager, new.number, free))
    return new


async def _close(play: Play, hand: Hand) -> None:
    """A hand takes no more cards as the dealer would give it: what comes of one that has 21, or more."""
    chapter, points = play.chapter, hand.total.points
    if points > TWENTY_ONE:
        await to_stage(play.table, Stage.DECIDING)
        await chapter.busted(play, hand)
    elif points == TWENTY_ONE and chapter.made_21 is not None:
        await to_stage(play.table, Stage.DECIDING)
        await chapter.made_21(play, hand)


async def _decide(play: Play, hand: Hand) -> bool:
    """One decision of the hand's player, carried out; False if its card was forgotten."""
    table, chapter = play.table, play.chapter
    await to_stage(table, Stage.DECIDING)

    def question(same: Ask) -> Ask:
        """What is asked is whether a card is taken that lies there already, if one does."""
        early = play.early
        return same if early is None else replace(same, choices=_OFFERED, cite=early[1].cite or same.cite)

    choices = (_HIT, _STAND, *chapter.choices(play, hand))
    decision = await ask(table, question(Ask(hand.seat, choices, chapter.decide, hand=hand.number)), question)
    if isinstance(decision, Left):
        await leave(play, hand.seat)
        return True
    if decision.verb in (ACCEPT, _HIT.verb):
        return await give(play, hand)
    if decision.verb == REFUSE:
        play.refused.append(hand.seat)
        hand.done = True
    elif decision.verb == _STAND.verb:
        hand.done = True
        play.missed(seat(hand.seat))  # what was reported of a card that nobody wanted is on record only
    else:
        await chapter.decided(play, hand, decision)
        return not any(late is hand for late, _missed in play.late)
    return True


async def _serve_late(play: Play, hand: Hand, missed: Missed) -> None:
    """The card that was forgotten, if the player still wants it, and what follows from it (x.12(h))."""
    clause = missed.rule.cite
    assert clause is not None
    if hand.seat in play.table.left:
        await leave(play, hand.seat)
    elif not await wants_to_play_on(play, hand.seat, clause):
        if not hand.over:
            await bury(play, hand, clause, hand.wager, DOUBLE, SECOND_CHANCE)
    elif await give(play, hand):
        if hand.done:
            await _close(play, hand)
        else:
            await play_hand(play, hand)
