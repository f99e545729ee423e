"""What the house has taken in the poker room, and its jackpots: a part of the report of a gaming day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl import events as e
from tablectl.cli.telling import amount, joined, moment, plural, stamp, wrapped
from tablectl.journal.jackpotbook import HouseBook, JackpotBook
from tablectl.journal.told import Stamp
from tablectl.money import Money, show

__all__ = ["house_document", "house_lines"]

_ACCOUNTS = ("contributed", "over", "others", "box", "sent", "fund", "owed", "paid", "transferred")


def house_document(of: HouseBook) -> dict[str, Any]:
    """The key `house` of the report."""
    return {
        "pots": of.pots,
        "rake": show(of.raked),
        "time_charges": [
            {
                "when": stamp(at),
                "per": charge.per,
                "part": show(charge.part),
                "seats": list(charge.seats),
                "total": show(charge.total),
            }
            for at, charge in of.time_charges
        ],
        "dropped": show(of.dropped),
        "jackpots": {
            kind: _jackpot(jackpot, Money(of.contributed[kind]))
            for kind, jackpot in of.jackpots.items()
            if not jackpot.empty
        },
    }


def _jackpot(of: JackpotBook, contributed: Money) -> dict[str, Any]:
    last = of.last
    return {
        "contributed": show(contributed),
        "display": None if last is None else show(last.display),
        "pending": last is not None and last.pending,
        "accounts": None if last is None else {name: show(getattr(last, name)) for name in _ACCOUNTS},
        "booked": {reason: show(Money(cents)) for reason, cents in of.booked.items()},
        "over": show(of.over),
        "verified": [_verified(at, event) for at, event in of.verified],
        "refused": of.refused,
        "periods": [{"period": each.period, "pooled": show(each.pooled), "won": each.won} for each in of.periods],
        "payments": [
            {
                "when": stamp(each.at),
                "reference": each.owed.reference,
                "seat": each.owed.seat,
                "part": each.owed.part,
                "amount": show(each.owed.amount),
                "paid": each.paid is not None,
                "place": None if each.paid is None else each.paid.place,
                "credential": None if each.paid is None else each.paid.credential,
                "second": None if each.paid is None else each.paid.second,
            }
            for each in of.payments
        ],
    }


def _verified(at: Stamp, event: e.BadBeatVerified | e.HighHandRecorded) -> dict[str, Any]:
    bad_beat = isinstance(event, e.BadBeatVerified)
    return {
        "when": stamp(at),
        "seats": list(event.seats) if isinstance(event, e.BadBeatVerified) else [event.seat],
        "hand": event.hand,
        "reference": None if bad_beat else getattr(event, "reference", None),
        "credential": event.credential,
    }


def house_lines(of: HouseBook, first: Stamp) -> Iterator[str]:
    """The section of the text."""
    charges = f", {plural(len(of.time_charges), 'time charge')} {amount(of.charged)}" if of.time_charges else ""
    yield f"  rake of {plural(of.pots, 'pot')} {amount(of.raked)}{charges}; into the drop box {amount(of.dropped)}"
    for kind, jackpot in of.jackpots.items():
        if not jackpot.empty:
            yield from _told(kind.replace("_", " "), jackpot, Money(of.contributed[kind]), first)


def _told(name: str, of: JackpotBook, contributed: Money, first: Stamp) -> Iterator[str]:
    last = of.last
    if last is not None:
        pending = ", PENDING ADJUSTMENT" if last.pending else ""
        yield from wrapped(f"{name}: contributed {amount(contributed)}; display {amount(last.display)}{pending}")
        accounts = ((account, getattr(last, account)) for account in _ACCOUNTS)
        held = joined(f"{account} {amount(cents)}" for account, cents in accounts if cents)
        yield from wrapped(held or "all accounts 0.00", indent=4)
    if of.over:
        yield from wrapped(f"COUNTS DIFFER from the books by {amount(of.over)}", indent=4)
    for at, event in of.verified:
        seats = event.seats if isinstance(event, e.BadBeatVerified) else (event.seat,)
        slip = f" (slip {event.reference})" if isinstance(event, e.HighHandRecorded) else ""
        where = joined(str(number) for number in seats)
        yield from wrapped(
            f"{moment(at, first)} seat {where}: {event.hand}{slip}, verified by {event.credential}", indent=4
        )
    if of.refused:
        yield from wrapped(f"not verified: {plural(of.refused, 'hand')}", indent=4)
    for period in of.periods:
        yield from wrapped(f"period {period.period}: pooled {amount(period.pooled)}, won {period.won}", indent=4)
    for each in of.payments:
        owed, paid = each.owed, each.paid
        end = "NOT PAID YET" if paid is None else f"paid ({paid.place}) by {paid.credential} and {paid.second}"
        yield from wrapped(
            f"{moment(each.at, first)} {owed.reference}, seat {owed.seat} ({owed.part}): {amount(owed.amount)}, {end}",
            indent=4,
        )
