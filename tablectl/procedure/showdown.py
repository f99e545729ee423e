"""The end of a round of poker: who shows in what order, the pots and what is taken off them, and who has what of each.

Readings where the text leaves room:

- 637a.18(e): the final bet is the last bet or raise of the round of play, or the last blind.
- 637a.18(e): a hand may be conceded as long as somebody else who has not conceded can win each pot.
- The pots are awarded from the main pot on, in each the high part first, clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tablectl.cards import Card, seat
from tablectl.events import PotAwarded, PotFormed, Result, WagerSettled
from tablectl.hands.omaha import strength
from tablectl.money import ZERO, Money
from tablectl.procedure.house_take import after_the_pots, is_offered
from tablectl.procedure.instructions import AwardPot, Conceded, Exposed, FormPots, Incident, SettlePots, Show
from tablectl.procedure.irregularities import handle, once
from tablectl.procedure.jackpots import BAD_BEAT, HIGH_HAND
from tablectl.procedure.poker import POT, PokerRound
from tablectl.procedure.pots import Pot, divide, pots, take_drop, take_rake
from tablectl.procedure.stages import Stage
from tablectl.records import frozen
from tablectl.rules import Cite, cite

__all__ = ["BAD_BEAT", "HIGH", "HIGH_HAND", "LOW", "Awards", "Showdown", "Worth", "finish"]

HIGH: Final = "high"
LOW: Final = "low"

Awards = list[tuple[Pot, dict[str, dict[int, Money]]]]
"""Each pot with what each seat has won of its parts."""

_MOST_EXCESS: Final = Money(1_00)  # 637a.12(k)(2)(i)-(iii)
_SHOW: Final = cite("637a.18(e)")


@frozen
class Worth:
    """What a hand is worth, the higher the better; None for a part that it cannot win."""

    high: Any
    low: Any = None


@dataclass(frozen=True, slots=True)
class Showdown:
    """How a game's hands compare: `rank` says what one is worth.

    `excess` orders equal hands of one part: the greater one has what cannot be divided. `clause` is that of an award of
    a part, shared or not. `alone` is the part that the last player left wins.
    """

    rank: Callable[[Sequence[Card]], Worth]
    excess: Callable[[Sequence[Card], str], Any]
    clause: Callable[[str, bool], Cite]
    alone: str = HIGH


async def finish(play: PokerRound, by: Showdown) -> Awards:
    """Showdown if more than one player is left; then the pots are formed and awarded, and all is settled."""
    table = play.table
    made = pots(play.bets.put, play.bets.live)
    hands: dict[int, tuple[Card, ...]] = {}
    if len(play.bets.live) > 1:
        await table.enter(Stage.REVEALED)
        hands = await _show(play)
        made = pots(play.bets.put, play.bets.live)  # without hands that were lost at the showdown (637a.18(k))
    await table.enter(Stage.SETTLING)
    if play.raked:
        await play.rake_as_play_progresses()  # a hand may have been refunded since the last betting round
    take_rake(made, play.rules.rake, play.rules.unit)
    for fund, filed in ((BAD_BEAT, play.rules.bad_beat), (HIGH_HAND, play.rules.high_hand)):
        if filed is not None and is_offered(table, fund):
            take_drop(made, fund, filed.drop, filed.minimum_pot)
    await FormPots(tuple([_formed(pot) for pot in made]))
    worth = {number: by.rank(cards) for number, cards in hands.items()}
    won: dict[int, int] = {}
    awards = [(pot, _shares(pot, worth, hands, by, play.rules.unit)) for pot in made]
    for pot, shares in awards:
        for part, of_part in shares.items():
            for number in sorted(of_part):
                amount = of_part[number]
                if amount:
                    won[number] = won.get(number, 0) + amount
                    await AwardPot(PotAwarded(pot.name, number, part, amount, by.clause(part, len(of_part) > 1)))
    await _settle(play, won, by.clause(by.alone, False))
    rules = play.rules
    if rules.rake is not None or rules.bad_beat is not None or rules.high_hand is not None:
        tracked = worth if rules.bad_beat is not None or rules.high_hand is not None else {}
        values = {number: strength(hands[number]) if by.alone == LOW else each.high for number, each in tracked.items()}
        dealt = [number for number in play.order if number in play.bets.seats]
        await after_the_pots(table, made, dealt, values, high=by.alone == HIGH)
    return awards


def _formed(pot: Pot) -> PotFormed:
    drops = pot.drops
    return PotFormed(pot.name, pot.seats, pot.amount, pot.rake, drops.get(BAD_BEAT, ZERO), drops.get(HIGH_HAND, ZERO))


async def _show(play: PokerRound) -> dict[int, tuple[Card, ...]]:
    """Whoever made the final bet shows first, the others clockwise; losing hands may be conceded (637a.18(e))."""
    bets = play.bets
    first = bets.last or 0
    shown: dict[int, tuple[Card, ...]] = {}
    for number in [n for n in bets.seats if n >= first] + [n for n in bets.seats if n < first]:
        came: Exposed | Conceded | None = None
        while came is None and number in bets.live and not play.is_over:
            came = await _hand_of(play, number)
        if isinstance(came, Exposed):
            shown[number] = came.cards
        elif came is not None:
            bets.conceded.append(number)
    return {number: cards for number, cards in shown.items() if number in bets.live}


async def _hand_of(play: PokerRound, number: int) -> Exposed | Conceded | None:
    """What one player shows; None after an irregularity, which may have cost a hand."""
    bets, table = play.bets, play.table
    may = not play.rules.disclose_discarded and _others_can_win(pots(bets.put, bets.live), number, bets.conceded)
    down = tuple(table.hands[seat(number)])
    came = await once(table, Show(number, down, may, _SHOW, play.among.get(number, ())))
    if not isinstance(came, Incident):
        return came
    await handle(table, came)
    await play.put_right()
    return None


def _others_can_win(made: Sequence[Pot], number: int, conceded: Sequence[int]) -> bool:
    """Whether each pot that the seat can win has somebody else left for it."""
    for pot in made:
        if number in pot.seats and not any(other != number and other not in conceded for other in pot.seats):
            return False
    return True


def _shares(
    pot: Pot, worth: dict[int, Worth], hands: dict[int, tuple[Card, ...]], by: Showdown, unit: Money
) -> dict[str, dict[int, Money]]:
    """Who has what of one pot: its high and its low part (637a.12(k), 637a.13(i), 637a.14(i))."""
    there = [number for number in pot.seats if number in worth]
    if len(pot.seats) == 1 or not there:
        return {by.alone: {pot.seats[0]: pot.left}}
    high = max([worth[number].high for number in there if worth[number].high is not None], default=None)
    low = max([worth[number].low for number in there if worth[number].low is not None], default=None)
    low_part = ZERO if low is None else pot.left
    if high is not None and low is not None:
        low_part = Money(pot.left // 2 // unit * unit)  # an excess goes to the high half
    shares = {}
    if high is not None:
        best = [number for number in there if worth[number].high == high]
        shares[HIGH] = _divide(Money(pot.left - low_part), best, hands, HIGH, by, unit)
    if low is not None:
        best = [number for number in there if worth[number].low == low]
        shares[LOW] = _divide(low_part, best, hands, LOW, by, unit)
    return shares


def _divide(
    amount: Money, best: list[int], hands: dict[int, tuple[Card, ...]], part: str, by: Showdown, unit: Money
) -> dict[int, Money]:
    if len(best) == 1:
        return {best[0]: amount}
    if amount % (unit * len(best)):
        best = sorted(best, key=lambda number: by.excess(hands[number], part), reverse=True)
    return divide(amount, best, unit, _MOST_EXCESS)


async def _settle(play: PokerRound, won: dict[int, int], clause: Cite) -> None:
    """One row for each seat: what it put in, what went back to it, what it won of the others' money."""
    rows = []
    for number in play.bets.seats:
        put = play.bets.put[number]
        back = play.uncalled.get(number, 0) + play.refunded.get(number, 0)
        more = won.get(number, 0)
        staked = put + back
        returned = back + min(more, put)
        play.table.settled[number, POT, 0] = None
        if staked:
            rows.append(
                WagerSettled(
                    seat=number,
                    wager=POT,
                    hand=0,
                    staked=Money(staked),
                    result=Result.WIN if more > put else Result.LOSE if more < put else Result.RETURNED,
                    odds=None,
                    paid=Money(max(0, more - put)),
                    returned=Money(returned),
                    collected=Money(staked - returned),
                    cite=clause,
                )
            )
    await SettlePots(tuple(rows))
