"""What the house takes in the poker room, and the jackpots that a part of it feeds (637a.15 to 637a.17).

Before a round: the time charge, and the end of a qualifying period. After its pots are won: Bad Beat and High Hand are
verified while the cards lie there, then rake and contributions are in their boxes and on the books.

Readings where the text leaves room:

- 637a.15(f): a Bad Beat is the best losing hand of a showdown in a game of high hands. What is paid is what is
  displayed, as far as the fund has it; whatever was contributed since it was adjusted stays for the next one.
- 637a.15(h), 637a.16(d): a box goes to the cage between two rounds; it is counted at the table when that is closed.
- 637a.16(f): a hand is tracked when it is shown at the showdown. Equal hands are on the slip together if they divide
  the payout, or were made in the same round.
- 637a.16(d): a period ends with the first round that begins after its time; that round belongs to the next one.
- 637a.17(b)(3)(iii): time is charged with the first round that begins 20 or 30 minutes after the last charge, and once
  however long nobody has played; it runs from the first round of the gaming day.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tablectl.cards import RANKS
from tablectl.hands.omaha import high_hand
from tablectl.hands.poker import FIVE_CARD
from tablectl.money import ZERO, Money, show
from tablectl.procedure.instructions import (
    Attest,
    BookJackpot,
    CheckTime,
    Confirmed,
    ContentsCounted,
    DropRake,
    EmptyBox,
    EndPeriod,
    Now,
    Owe,
    RaiseAlarm,
    TakeTime,
    VerifyBadBeat,
    VerifyHighHand,
)
from tablectl.procedure.irregularities import attend
from tablectl.procedure.jackpots import (
    BAD_BEAT,
    HIGH_HAND,
    Jackpot,
    Owed,
    Period,
    Slip,
    jackpot_of,
    shares_of_bad_beat,
    with_jackpot,
)
from tablectl.procedure.pots import Pot
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite, cite
from tablectl.rules.poker import IncrementalRake, PokerRules, TimeRake

__all__ = ["after_the_pots", "before_the_round", "book", "empty_box", "empty_boxes", "hand_words", "is_offered"]

FULL_HOUSE: Final = "full_house"

_MINUTE: Final = 60
_DEALER: Final = "dealer"
_CLOCK: Final = "clock"
_DROPPED: Final = {BAD_BEAT: cite("637a.15(c)"), HIGH_HAND: cite("637a.16(c)")}
_BOXED: Final = {BAD_BEAT: cite("637a.15(d)"), HIGH_HAND: cite("637a.16(d)")}


def is_offered(table: Table, kind: str) -> bool:
    """Whether that jackpot is on file, and contributions to it are taken still."""
    filed = getattr(table.rules, kind, None)
    return filed is not None and not jackpot_of(table.state.room, kind).ended


def hand_words(value: int) -> str:
    """A hand by its strength: its category, and the ranks that make it what it is."""
    hand = high_hand(value)
    if hand.category in ("straight", "straight_flush", "royal_flush"):
        ranks = [FIVE_CARD.straights[hand.ranks[0]]]
    else:
        ranks = list(hand.ranks)
    return f"{hand.category} {' '.join(RANKS[rank - 2] for rank in ranks)}"


async def book(
    table: Table,
    kind: str,
    reason: str,
    amount: Money,
    jackpot: Jackpot,
    clause: Cite,
    credential: str = "",
    second: str = "",
) -> None:
    """That jackpot stands so from now on, which goes on the record."""
    table.state = replace(table.state, room=with_jackpot(table.state.room, kind, jackpot))
    await BookJackpot(kind, reason, amount, jackpot, clause, credential, second)


# Before a round -------------------------------------------------------------------------------------------------------


async def before_the_round(table: Table, seats: Sequence[int]) -> None:
    """What is due by the time: the time charge of those who are seated, and the end of a qualifying period."""
    rules = table.rules
    assert isinstance(rules, PokerRules)
    timed = isinstance(rules.rake, TimeRake)
    if not timed and rules.high_hand is None:
        return
    now = await Now()
    await _not_from_the_future(table, now)
    if isinstance(rules.rake, TimeRake):
        await _charge_time(table, rules.rake, tuple(seats), now)
    if rules.high_hand is not None:
        await _end_period(table, rules.high_hand.period_minutes * _MINUTE, now)


async def _not_from_the_future(table: Table, now: int) -> None:
    """What began later than now was noted by a clock that went ahead, or this one is behind: it begins anew.

    Nobody would be charged otherwise, and no period end, until the clock has caught up.
    """
    room = table.state.room
    if room.charged > now:
        await RaiseAlarm(_CLOCK, "clock_behind", "went back, time charge begins now")
        room = replace(room, charged=now)
    if room.high_hand.began > now:
        await RaiseAlarm(_CLOCK, "clock_behind", "went back, period begins now")
        room = with_jackpot(room, HIGH_HAND, replace(room.high_hand, began=now))
    table.state = replace(table.state, room=room)


async def _charge_time(table: Table, rake: TimeRake, seats: tuple[int, ...], now: int) -> None:
    """Collect the time charge if it is due; a floorperson verifies it, then it is dropped (637a.17(b)(3))."""
    room, every = table.state.room, rake.minutes * _MINUTE
    if not room.charged:
        table.state = replace(table.state, room=replace(room, charged=now))
    elif now - room.charged >= every:
        charged = room.charged + every if now - room.charged < 2 * every else now
        act = TakeTime(rake.per, rake.part, seats, table.setup.seats, charged, cite("637a.17(b)(3)(iv)"))
        taken = await attend(table, act)
        table.state = replace(
            table.state,
            room=replace(
                table.state.room,
                charged=charged,
                unverified=Money(room.unverified + act.total(taken.inactive)),
                unverified_seats=len(act.assessed(taken.inactive)),
            ),
        )
    unverified = table.state.room.unverified
    if unverified:
        clause = cite("637a.17(b)(3)(v)")
        await attend(table, CheckTime(unverified, table.state.room.unverified_seats, clause))
        table.state = replace(table.state, room=replace(table.state.room, unverified=ZERO, unverified_seats=0))
        await DropRake(unverified, clause)


async def _end_period(table: Table, length: int, now: int) -> None:
    """The box is emptied at the end of a qualifying period, and the next one begins (637a.16(d), (f), (g))."""
    jackpot = table.state.room.high_hand
    if not jackpot.period:
        begun = replace(jackpot, period=1, began=now)
        table.state = replace(table.state, room=with_jackpot(table.state.room, HIGH_HAND, begun))
        return
    if now - jackpot.began < length:
        return
    if jackpot.books.box:
        await empty_box(table, HIGH_HAND, here=False)
    jackpot = table.state.room.high_hand
    ended = Period(jackpot.period, jackpot.slips)
    began = jackpot.began + (now - jackpot.began) // length * length
    await EndPeriod(ended.number, tuple([slip.reference for slip in ended.slips]), began, cite("637a.16(g)"))
    begun = replace(
        jackpot,
        period=jackpot.period + 1,
        began=began,
        slips=(),
        waiting=(*[period for period in jackpot.waiting if period.slips], ended),
    )
    table.state = replace(table.state, room=with_jackpot(table.state.room, HIGH_HAND, begun))


# Boxes ----------------------------------------------------------------------------------------------------------------


async def empty_box(table: Table, kind: str, *, here: bool, credential: str = "") -> None:
    """The contents of a box are counted at the closed table, or go to the cage (637a.15(d), 637a.16(d))."""
    clause = _BOXED[kind]
    if kind == BAD_BEAT:
        await attend(table, Attest("compliance_notice", _DEALER, "", clause))
    dealer = table.state.dealer or _DEALER
    emptied = await attend(table, EmptyBox(kind, here, dealer, clause, credential))
    jackpot = jackpot_of(table.state.room, kind)
    counted = emptied.amount if isinstance(emptied, ContentsCounted) else None
    await differ(table, kind, counted, jackpot.books.box)
    books = jackpot.books.box_sent(counted)
    now = replace(jackpot, books=books, counted_day=table.state.day)
    amount = jackpot.books.box if counted is None else counted
    await book(table, kind, "sent", amount, now, clause, emptied.credential, emptied.second)


async def differ(table: Table, kind: str, counted: Money | None, booked: Money) -> None:
    """A count that is not what the books say is an alarm; it is the count that goes on."""
    if counted is not None and counted != booked:
        message = f"{show(counted)} counted, {show(booked)} by our books"
        await RaiseAlarm(kind, "count_differs", message)


async def empty_boxes(table: Table) -> None:
    """As the table is closed: each box is counted, that of the Bad Beat once in every gaming day (637a.15(d)).

    A display that was not adjusted in the day is an alarm (637a.15(h)). Time charges begin anew with the next day.
    """
    if not table.game.pots:
        return
    for kind in (BAD_BEAT, HIGH_HAND):
        jackpot = jackpot_of(table.state.room, kind)
        daily = kind == BAD_BEAT and is_offered(table, kind) and jackpot.counted_day != table.state.day
        if jackpot.books.box or daily:
            await empty_box(table, kind, here=True)
    jackpot = table.state.room.bad_beat
    if is_offered(table, BAD_BEAT) and jackpot.adjusted_day != table.state.day:
        message = f"the display of {show(jackpot.display)} was not adjusted in this gaming day"
        await RaiseAlarm(BAD_BEAT, "display_not_adjusted", message)
    table.state = replace(table.state, room=replace(table.state.room, charged=0))


# After the pots -------------------------------------------------------------------------------------------------------


async def after_the_pots(
    table: Table, made: Sequence[Pot], dealt: Sequence[int], values: Mapping[int, int], *, high: bool
) -> None:
    """Verify what has won a jackpot, then put rake and contributions into their boxes (637a.15(c), 637a.17(b)).

    `values` are the hands that were shown, by their strength; `high`: the game is one of high hands. From the first
    booking on nobody is awaited, so that the round cannot be voided any more.
    """
    rules = table.rules
    assert isinstance(rules, PokerRules)
    beaten = slips = None
    if values and high and rules.bad_beat is not None:
        beaten = await _bad_beat(table, rules, dealt, values)
    if values and rules.high_hand is not None:
        slips = await _high_hands(table, rules, dealt, values)
    rake = sum([pot.rake for pot in made])
    if rake:
        by_steps = isinstance(rules.rake, IncrementalRake)
        await DropRake(Money(rake), cite("637a.17(b)(2)(ii)" if by_steps else "637a.17(b)(1)(ii)"))
    for kind, filed in ((BAD_BEAT, rules.bad_beat), (HIGH_HAND, rules.high_hand)):
        drop = 0 if filed is None else sum([pot.drops.get(kind, ZERO) for pot in made])
        if drop:
            jackpot = jackpot_of(table.state.room, kind)
            now = replace(jackpot, books=jackpot.books.dropped(Money(drop)))
            await book(table, kind, "drop", Money(drop), now, _DROPPED[kind])
    if beaten is not None:
        await _owe_bad_beat(table, *beaten)
    if slips is not None:
        jackpot = replace(table.state.room.high_hand, slips=slips)
        table.state = replace(table.state, room=with_jackpot(table.state.room, HIGH_HAND, jackpot))


def _at_least(value: int, category: str) -> bool:
    return high_hand(value).strength >= FIVE_CARD.categories.index(category)


_Shares = tuple[tuple[str, int, Money], ...]


async def _bad_beat(
    table: Table, rules: PokerRules, dealt: Sequence[int], values: Mapping[int, int]
) -> tuple[_Shares, str] | None:
    """The shares of a Bad Beat that the shift supervisor has verified, with the badge (637a.15(f))."""
    filed, jackpot = rules.bad_beat, table.state.room.bad_beat
    assert filed is not None
    best = max(values.values())
    lost = max([value for value in values.values() if value < best], default=None)
    over = jackpot.ended and not jackpot.display
    if lost is None or over or len(dealt) < filed.minimum_players or not _at_least(lost, filed.qualifying):
        return None
    losers = tuple([number for number in sorted(values) if values[number] == lost])
    winners = tuple([number for number in sorted(values) if values[number] == best])
    offered = min(jackpot.display, jackpot.books.fund)
    amount = Money(offered * filed.payout_percent // 100 // rules.unit * rules.unit)
    clause = cite("637a.15(f)")
    verified = await attend(table, VerifyBadBeat(losers, hand_words(lost), winners, hand_words(best), amount, clause))
    if not isinstance(verified, Confirmed):
        return None
    await attend(table, Attest("pending_notice", _DEALER, "", cite("637a.15(f)(1)")))
    await attend(table, Attest("call_for_payout", _DEALER, "", cite("637a.15(f)(2)")))
    others = tuple([number for number in sorted(dealt) if number not in (*losers, *winners)])
    percents = filed.loser_percent, filed.winner_percent
    return shares_of_bad_beat(amount, rules.unit, losers, winners, others, percents), verified.credential


async def _owe_bad_beat(table: Table, shares: _Shares, credential: str) -> None:
    """What was won is owed, and what is displayed is about to be adjusted (637a.15(f)(1), (2))."""
    number, since = table.state.round + 1, await Now()
    owed = tuple([Owed(f"{number}-{seat}", seat, part, amount, since) for part, seat, amount in shares])
    jackpot, amount = table.state.room.bad_beat, Money(sum([share[2] for share in shares]))
    now = replace(jackpot, books=jackpot.books.awarded(amount), pending=True, owed=(*jackpot.owed, *owed))
    for each in owed:
        await Owe(BAD_BEAT, each, cite("637a.15(f)(2)"))
    await book(table, BAD_BEAT, "awarded", amount, now, cite("637a.15(f)(1)"), credential)


async def _high_hands(
    table: Table, rules: PokerRules, dealt: Sequence[int], values: Mapping[int, int]
) -> tuple[Slip, ...] | None:
    """The slip as it is after this round, None where it stays as it was (637a.16(f))."""
    filed, jackpot = rules.high_hand, table.state.room.high_hand
    assert filed is not None
    best = max(values.values())
    before = jackpot.slips
    leads = before[0].value if before else -1
    equal = best == leads and filed.equal_hands == "divided"
    if len(dealt) < filed.minimum_players or not _at_least(best, FULL_HOUSE) or not (best > leads or equal):
        return None
    made: list[Slip] = []
    for number in sorted(values):
        if values[number] == best:
            reference = f"{jackpot.period}-{table.state.round + 1}-{number}"
            slip = Slip(reference, number, hand_words(best), best, table.state.dealer, "")
            verified = await attend(table, VerifyHighHand(jackpot.period, slip, cite("637a.16(f)")))
            if isinstance(verified, Confirmed):
                made.append(replace(slip, floorperson=verified.credential))
    if not made:
        return None
    return (*before, *made) if equal else tuple(made)
