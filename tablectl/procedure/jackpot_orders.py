"""What a floorperson may order of the jackpots between two rounds (637a.15(d) to (i), 637a.16(d) to (i)).

The amounts are those that the cage and the finance department tell; a second person answers for what is displayed and
for what is paid.
"""

from __future__ import annotations

from typing import Final

from tablectl.money import ZERO, Money
from tablectl.procedure.house_take import book, differ, empty_box, is_offered
from tablectl.procedure.instructions import (
    AdjustDisplay,
    Agreed,
    AwardPeriod,
    Now,
    Order,
    Owe,
    PaidOut,
    PayJackpot,
    RaiseAlarm,
)
from tablectl.procedure.irregularities import attend
from tablectl.procedure.jackpots import (
    BAD_BEAT,
    HIGH_HAND,
    Jackpot,
    Owed,
    Period,
    equal_shares,
    jackpot_of,
)
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import cite

__all__ = ["CARRIED", "JACKPOT_ORDERS", "WON_ELSEWHERE", "WON_HERE", "jackpot_orders", "obey_jackpot_order"]

WON_HERE: Final = "high_hand_won_here"
WON_ELSEWHERE: Final = "high_hand_won_elsewhere"
CARRIED: Final = "high_hand_carried_over"

_BOX, _COUNTED, _DISPLAY, _PAID, _END, _UNCLAIMED = "box", "counted", "display", "paid", "end", "unclaimed"
_BAD_BEAT_ORDERS: Final = tuple(f"{BAD_BEAT}_{what}" for what in (_BOX, _COUNTED, _DISPLAY, _PAID, _END))
_HIGH_HAND_ORDERS: Final = tuple(f"{HIGH_HAND}_{what}" for what in (_BOX, _COUNTED, _DISPLAY, _PAID, _UNCLAIMED))
JACKPOT_ORDERS: Final = (*_BAD_BEAT_ORDERS, *_HIGH_HAND_ORDERS, WON_HERE, WON_ELSEWHERE, CARRIED)
"""All of them; those that end in ``counted``, ``display``, ``here``, ``elsewhere`` and ``over`` need an amount."""

_DAY_S: Final = 24 * 60 * 60
_COUNT_CITES: Final = {BAD_BEAT: cite("637a.15(e)"), HIGH_HAND: cite("637a.16(e)")}
_DISPLAY_CITES: Final = {BAD_BEAT: cite("637a.15(h)(1)"), HIGH_HAND: cite("637a.16(g)")}
_PAY_CITES: Final = {BAD_BEAT: cite("637a.15(g)"), HIGH_HAND: cite("637a.16(h)")}
_PLACES: Final = {BAD_BEAT: ("table", "cage"), HIGH_HAND: ("cage",)}


def jackpot_orders(table: Table) -> tuple[str, ...]:
    """Those that can be obeyed now, in the order in which they are offered."""
    if not table.game.pots:
        return ()
    found: list[str] = []
    for kind in (BAD_BEAT, HIGH_HAND):
        jackpot = jackpot_of(table.state.room, kind)
        books, offered = jackpot.books, is_offered(table, kind)
        may = {
            _PAID: bool(jackpot.owed),
            _BOX: bool(books.box),
            _COUNTED: bool(books.sent),
            _DISPLAY: offered or bool(books.fund) or jackpot.pending,
            _END: kind == BAD_BEAT and (offered or (table.rules.bad_beat is None and bool(books.fund))),
            _UNCLAIMED: kind == HIGH_HAND and bool(jackpot.owed),
        }
        found += [f"{kind}_{what}" for what, is_possible in may.items() if is_possible]
    waiting, books = table.state.room.high_hand.waiting, table.state.room.high_hand.books
    if waiting and not books.sent:  # what the boxes held is counted, so that the pooled amount can be told
        found += [WON_HERE, WON_ELSEWHERE] if waiting[0].slips else [WON_ELSEWHERE, CARRIED]
    return tuple(found)


async def obey_jackpot_order(table: Table, order: Order) -> None:
    """Do what was ordered, if it can be done still; `number` is the amount in cents where one is told."""
    if order.kind not in jackpot_orders(table):
        return
    if order.kind in (WON_HERE, WON_ELSEWHERE, CARRIED):
        await _award_period(table, order)
        return
    kind = BAD_BEAT if order.kind.startswith(BAD_BEAT) else HIGH_HAND
    match order.kind.removeprefix(f"{kind}_"):
        case "box":
            await empty_box(table, kind, here=False, credential=order.credential)
        case "counted":
            await _counted(table, kind, Money(order.number), order.credential)
        case "display":
            await _adjust(table, kind, Money(order.number), order.credential)
        case "paid":
            await _pay(table, kind, order.credential)
        case "end":
            await _end_bad_beat(table, order.credential)
        case _:
            await _unclaimed(table, order.credential)


async def _counted(table: Table, kind: str, amount: Money, credential: str) -> None:
    """The cage has counted, or verified, what was on its way (637a.15(e), 637a.16(e))."""
    jackpot = jackpot_of(table.state.room, kind)
    await differ(table, kind, amount, jackpot.books.sent)
    now = replace(jackpot, books=jackpot.books.counted(amount))
    await book(table, kind, "counted", amount, now, _COUNT_CITES[kind], credential)


async def _adjust(table: Table, kind: str, amount: Money, credential: str) -> str | None:
    """What is displayed becomes what the finance department maintains; the badge of who has adjusted it, or None."""
    clause = _DISPLAY_CITES[kind]
    agreed = await attend(table, AdjustDisplay(kind, amount, credential, clause))
    if not isinstance(agreed, Agreed):
        return None
    jackpot = jackpot_of(table.state.room, kind)
    now = replace(
        jackpot,
        books=jackpot.books.maintained(amount),
        display=amount,
        pending=False,
        adjusted_day=table.state.day,
    )
    await book(table, kind, "adjusted", amount, now, clause, credential, agreed.second)
    return agreed.second


async def _pay(table: Table, kind: str, credential: str) -> None:
    """One player is paid what is owed (637a.15(g), 637a.16(h))."""
    jackpot, clause = jackpot_of(table.state.room, kind), _PAY_CITES[kind]
    paid = await attend(table, PayJackpot(kind, jackpot.owed, _PLACES[kind], credential, clause))
    if isinstance(paid, PaidOut):
        amount = jackpot.owed[paid.which].amount
        left = (*jackpot.owed[: paid.which], *jackpot.owed[paid.which + 1 :])
        now = replace(jackpot, books=jackpot.books.paid_out(amount), owed=left)
        await book(table, kind, "paid", amount, now, clause, credential, paid.second)


async def _end_bad_beat(table: Table, credential: str) -> None:
    """Contributions are terminated; what there is stays to be won, or goes over, as is filed (637a.15(c), (i)).

    It goes over where no Bad Beat is on file any more, as nobody could win it.
    """
    jackpot, clause = table.state.room.bad_beat, cite("637a.15(i)")
    filed = table.rules.bad_beat
    goes_over = filed is None or filed.discontinuation == "transferred"
    display = ZERO if goes_over else jackpot.display
    agreed = await attend(table, AdjustDisplay(BAD_BEAT, display, credential, clause))
    if isinstance(agreed, Agreed):
        gone = jackpot.books.fund if goes_over else ZERO
        books = jackpot.books.gone_over() if goes_over else jackpot.books
        now = replace(jackpot, books=books, display=display, ended=True)
        await book(table, BAD_BEAT, "ended", gone, now, clause, credential, agreed.second)


async def _unclaimed(table: Table, credential: str) -> None:
    """What was not claimed in time is distributed as is filed (637a.16(b)(6), (i))."""
    filed, jackpot = table.rules.high_hand, table.state.room.high_hand
    now, clause = await Now(), cite("637a.16(i)")
    days = 0 if filed is None else filed.claim_days
    late = [each for each in jackpot.owed if now - each.since >= days * _DAY_S]
    if not late:
        await RaiseAlarm(HIGH_HAND, "not_unclaimed_yet", f"nobody has waited for {days} days")
        return
    amount = Money(sum([each.amount for each in late]))
    kept = filed is None or filed.unclaimed == "next_period"
    left = replace(
        jackpot,
        books=jackpot.books.unclaimed(amount, kept=kept),
        owed=tuple([each for each in jackpot.owed if each not in late]),
    )
    await book(table, HIGH_HAND, "unclaimed", amount, left, clause, credential)


async def _award_period(table: Table, order: Order) -> None:
    """The pooled amount of the longest ended period is displayed, and is the winners' (637a.16(g), (h))."""
    pooled = Money(order.number)
    second = await _adjust(table, HIGH_HAND, pooled, order.credential)
    if second is None:
        return
    jackpot = table.state.room.high_hand
    period, *later = jackpot.waiting
    won = {WON_HERE: "here", WON_ELSEWHERE: "elsewhere", CARRIED: "nobody"}[order.kind]
    clause = cite("637a.16(h)")
    await AwardPeriod(period.number, pooled, won, order.credential, second, clause)
    jackpot = replace(jackpot, waiting=tuple(later))
    if won == "here":
        reason, now = "awarded", await _owed(table, jackpot, period)
    elif won == "elsewhere":
        reason, now = "won_elsewhere", replace(jackpot, books=jackpot.books.won_elsewhere(), display=ZERO)
    else:
        reason, now = "carried_over", jackpot
    await book(table, HIGH_HAND, reason, pooled, now, clause, order.credential, second)


async def _owed(table: Table, jackpot: Jackpot, period: Period) -> Jackpot:
    """The whole fund is owed to those on the slip, in equal shares (637a.16(b)(5), (h))."""
    since, amount = await Now(), jackpot.books.fund
    shares = equal_shares(amount, len(period.slips), table.rules.unit)
    owed = [
        Owed(slip.reference, slip.seat, HIGH_HAND, share, since)
        for slip, share in zip(period.slips, shares, strict=True)
        if share
    ]
    for each in owed:
        await Owe(HIGH_HAND, each, cite("637a.16(h)"))
    return replace(jackpot, books=jackpot.books.awarded(amount), display=ZERO, owed=(*jackpot.owed, *owed))
