"""What events say of the jackpots and the time charge: a table goes on with it whose round could not be resumed.

What is booked as a round ends is booked with its end. So whatever is on the record of a round that is given up, orders
and what was due before the deal, stands; a hand that was verified in it does not.
"""

from __future__ import annotations

from collections.abc import Iterable

from tablectl import events as e
from tablectl.money import ZERO, Money
from tablectl.procedure.clock import room_set
from tablectl.procedure.jackpots import (
    ACCOUNTS,
    BAD_BEAT,
    HIGH_HAND,
    Books,
    Jackpot,
    Owed,
    Period,
    RoomState,
    jackpot_of,
)
from tablectl.records import replace

__all__ = ["room_after"]


def room_after(room: RoomState, events: Iterable[e.Event], day: int) -> RoomState:
    """The room as it is after these events of that gaming day."""
    for event in events:
        match event:
            case e.TimeCollected():
                room = replace(room, charged=event.since, unverified=event.total, unverified_seats=len(event.seats))
            case e.TimeCharged():
                room = replace(room, unverified=ZERO, unverified_seats=0)
            case e.JackpotBooked():
                room = _with(room, event.jackpot, _booked(jackpot_of(room, event.jackpot), event, day))
            case e.JackpotPaid():
                jackpot = jackpot_of(room, event.jackpot)
                room = _with(room, event.jackpot, replace(jackpot, owed=_without(jackpot.owed, event)))
            case e.JackpotOwed():
                jackpot = jackpot_of(room, event.jackpot)
                owed = Owed(event.reference, event.seat, event.part, event.amount, event.since)
                room = _with(room, event.jackpot, replace(jackpot, owed=(*jackpot.owed, owed)))
            case e.ClockStepped():
                room = room_set(room, event)
            case e.PeriodEnded():
                room = _with(room, HIGH_HAND, _ended(room.high_hand, event))
            case e.PeriodAwarded():
                room = _with(room, HIGH_HAND, replace(room.high_hand, waiting=room.high_hand.waiting[1:]))
            case _:
                pass
    return room


def _with(room: RoomState, kind: str, jackpot: Jackpot) -> RoomState:
    return replace(room, bad_beat=jackpot) if kind == BAD_BEAT else replace(room, high_hand=jackpot)


def _booked(jackpot: Jackpot, event: e.JackpotBooked, day: int) -> Jackpot:
    """What was not claimed is what was owed longest."""
    owed, gone = list(jackpot.owed), ZERO
    while event.reason == "unclaimed" and owed and gone < event.amount:
        gone = Money(gone + owed.pop(0).amount)
    return replace(
        jackpot,
        books=Books(**{name: getattr(event, name) for name in ACCOUNTS}),
        display=event.display,
        pending=event.pending,
        ended=jackpot.ended or event.reason == "ended",
        counted_day=day if event.reason == "sent" else jackpot.counted_day,
        adjusted_day=day if event.reason == "adjusted" else jackpot.adjusted_day,
        owed=tuple(owed),
    )


def _without(owed: tuple[Owed, ...], paid: e.JackpotPaid) -> tuple[Owed, ...]:
    """All but the one that was paid."""
    told = paid.reference, paid.seat, paid.amount
    which = next((n for n, each in enumerate(owed) if (each.reference, each.seat, each.amount) == told), len(owed))
    return (*owed[:which], *owed[which + 1 :])


def _ended(jackpot: Jackpot, event: e.PeriodEnded) -> Jackpot:
    period = Period(event.period, jackpot.slips)
    return replace(
        jackpot,
        period=event.period + 1,
        began=event.next_began,
        slips=(),
        waiting=(*[earlier for earlier in jackpot.waiting if earlier.slips], period),
    )
