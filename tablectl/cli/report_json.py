"""The report of a gaming day as JSON: every key stands in `REPORT.md`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tablectl.cli.report_house import house_document
from tablectl.cli.telling import money, stamp, sums
from tablectl.journal.account import Account
from tablectl.journal.day import DayDeck, GamingDay
from tablectl.journal.happenings import Happenings
from tablectl.journal.meterbook import MeterBook
from tablectl.journal.played import Sums
from tablectl.journal.staff import Staff
from tablectl.money import Money, show

__all__ = ["SCHEMA", "report_document"]

SCHEMA: Final = 1
"""Goes up when a key goes or changes its meaning; new keys may come at any time."""


def report_document(day: GamingDay, table: str | None, journal: Path) -> dict[str, Any]:
    """The whole report."""
    problems = day.check()
    return {
        "schema": SCHEMA,
        "table": table,
        "journal": str(journal),
        "training": day.training,
        "day": day.number,
        "game": day.game,
        "opened": stamp(day.opened),
        "closed": stamp(day.closed),
        "closed_by": day.closed_by or None,
        "complete": day.closed is not None,
        "from": stamp(day.first),
        "to": stamp(day.last),
        "balance": {"ok": not problems, "problems": problems},
        "rounds": _rounds(day),
        **_wagers(day.account),
        "corrections": _corrections(day.account),
        "corrected": _corrected(day.account.corrected),
        **_happenings(day.happenings, day),
        "decks": [_deck(deck) for deck in day.decks],
        **_staff(day.staff),
        "progressive": None if day.meter.empty else _meter(day.meter),
        "house": None if day.house.empty else house_document(day.house),
    }


def _rounds(day: GamingDay) -> dict[str, Any]:
    account = day.account
    return {
        "first": account.first,
        "last": account.last,
        **{outcome: account.outcomes[outcome] for outcome in ("completed", "void", "suspended")},
        "open": None if day.open_round is None else day.open_round.number,
        "hands": account.hands,
        "causes": [
            {"outcome": outcome, "cause": cause, "cite": cite, "count": len(rounds), "rounds": rounds}
            for (outcome, cause, cite), rounds in account.causes.items()
        ],
    }


def _wagers(account: Account) -> dict[str, Any]:
    return {
        "wagers": [
            {
                "wager": name,
                **sums(kind.sums),
                "vigorish": money(kind.vigorish),
                "results": dict(kind.results),
                "odds": dict(kind.odds),
            }
            for name, kind in account.kinds.items()
        ],
        "seats": [
            {
                "seat": number,
                "rounds": seat.rounds,
                **sums(seat.sums),
                "corrected_net": money(Money(seat.sums.net + seat.corrected)) if seat.sums.known else None,
            }
            for number, seat in sorted(account.seats.items())
        ],
        "total": sums(account.total),
        "standing": [
            {
                "round": each.round,
                "seat": each.wager.seat,
                "wager": each.wager.wager,
                "hand": each.wager.hand,
                "amount": money(each.wager.amount),
            }
            for each in account.standing
        ],
    }


def _corrections(account: Account) -> list[dict[str, Any]]:
    return [
        {
            "when": stamp(each.at),
            "corrects": each.event.corrects,
            "earlier_day": each.earlier,
            "round": each.event.round,
            "seat": each.event.seat,
            "wager": each.event.wager,
            "hand": each.event.hand,
            "paid": show(each.event.paid),
            "collected": show(each.event.collected),
            "credential": each.event.credential,
        }
        for each in account.corrections
    ]


def _corrected(corrected: Sums) -> dict[str, Any]:
    known = corrected.known
    return {
        "paid": show(corrected.paid) if known else None,
        "collected": show(corrected.collected) if known else None,
        "net": show(corrected.net) if known else None,
    }


def _happenings(of: Happenings, day: GamingDay) -> dict[str, Any]:
    return {
        "irregularities": [
            {
                "kind": each.kind,
                "cite": each.cite,
                "remedies": list(each.remedies),
                "count": each.count,
                "rounds": each.rounds,
            }
            for each in of.irregularities.values()
        ],
        "faults": [
            {
                "device": each.device,
                "fault": each.fault,
                "message": each.message,
                "latched": stamp(each.latched),
                "cleared": stamp(each.cleared),
                "seconds": each.latched.seconds_until(each.cleared or day.last),
                "credential": each.credential,
                "reason": each.reason,
            }
            for each in of.faults
        ],
        "devices": [
            {
                "when": stamp(at),
                "event": event.name,
                "device": event.device,
                "dealing": getattr(event, "dealing", None),
                "passed": getattr(event, "passed", None),
                "cite": getattr(event, "cite", None),
                "credential": getattr(event, "credential", ""),
            }
            for at, event in of.devices
        ],
        "shut": [
            {"system": system, "wager": wager, "reason": reason, "rounds": count}
            for (system, wager, reason), count in of.shut.items()
        ],
        "alarms": [
            {
                "source": each.source,
                "kind": each.kind,
                "message": each.message,
                "count": each.count,
                "first": stamp(each.first),
                "last": stamp(each.last),
            }
            for each in of.alarms.values()
        ],
        "clock": [{"when": stamp(at), "step_ms": step} for at, step in of.clock],
        "gaps": [
            {"when": stamp(at), "rounds": gap.rounds, "reason": gap.reason, "credential": gap.credential}
            for at, gap in of.gaps
        ],
        "orders": [
            {
                "when": stamp(at),
                "order": order.order,
                "detail": order.detail,
                "number": order.number,
                "credential": order.credential,
            }
            for at, order in of.orders
        ],
        **_standstills(of, day),
        "unknown_events": dict(of.unknown),
    }


def _standstills(of: Happenings, day: GamingDay) -> dict[str, Any]:
    return {
        "suspensions": [
            {
                "when": stamp(each.at),
                "reason": each.reason,
                "credential": each.credential,
                "resumed": stamp(each.resumed),
                "resumed_by": each.resumed_by,
                "seconds": each.at.seconds_until(each.resumed or day.last),
            }
            for each in of.suspensions
        ],
        "starts": [
            {
                "when": stamp(each.at),
                "after": each.after,
                "resumed": each.resumed,
                "version": each.event.version,
                "edition": each.event.edition,
                "configuration": each.event.configuration,
            }
            for each in of.starts
        ],
        "stops": [{"when": stamp(at), "reason": reason} for at, reason in of.stops],
        "changes": [
            {
                "when": stamp(at),
                "what": list(event.what),
                "edition": event.edition,
                "configuration": event.configuration,
                "minimum": money(event.minimum),
                "minimum_before": money(event.minimum_before),
                "maximum": money(event.maximum),
                "maximum_before": money(event.maximum_before),
                "credential": event.credential,
            }
            for at, event in of.changes
        ],
    }


def _deck(of: DayDeck) -> dict[str, Any]:
    deck = of.deck
    return {
        "deck": deck.id,
        "back": deck.back,
        "cards": deck.cards,
        "dice": deck.dice,
        "came": stamp(deck.came),
        "brought_by": deck.brought_by,
        "rounds": of.rounds,
        "wrong_counts": sum(check.right is False for check in deck.checks),
        "questions": [
            {
                "when": stamp(asked.at),
                "what": asked.what,
                "detail": asked.detail,
                "closed": stamp(asked.closed),
                "credential": asked.credential,
                "reason": asked.reason,
            }
            for asked in deck.questions
        ],
        "card_acts": [
            {
                "when": stamp(act.at),
                "what": act.what,
                "card": act.card or None,
                "back": act.back,
                "credential": act.credential,
            }
            for act in deck.card_acts
        ],
        "left": stamp(deck.left),
        "clause": deck.clause or None,
    }


def _staff(of: Staff) -> dict[str, Any]:
    return {
        "dealers": [
            {
                "credential": credential,
                "rounds": dealer.rounds,
                "times": [{"from": stamp(come), "to": stamp(gone)} for come, gone in dealer.times],
            }
            for credential, dealer in of.dealers.items()
        ],
        "floorpersons": [
            {
                "credential": credential,
                "acts": [{"when": stamp(act.at), "event": act.name, "detail": act.detail} for act in acts],
            }
            for credential, acts in of.floor.items()
        ],
    }


def _meter(of: MeterBook) -> dict[str, Any]:
    last = of.last
    return {
        "display_before": None if of.before is None else show(of.before.display),
        "display": money(of.display),
        "wagered": show(of.wagered),
        "returned": show(of.returned),
        "wins": show(of.wins),
        "hits": of.hits,
        "lowered": {reason: show(Money(amount)) for reason, amount in of.lowered.items()},
        "accounts": None
        if last is None
        else {
            "display": show(last.display),
            "wagered": show(last.wagered),
            "hits": last.hits,
            "wins": show(last.wins),
            "overflow": show(last.overflow),
            "reserve": show(last.reserve),
            "seed": show(last.seed),
            "lowered": show(last.lowered),
        },
        "reconciled": None if last is None else not of.differences,
        "differences": [{"when": stamp(at), "kind": kind, "message": text} for at, kind, text in of.differences],
        "awards": [
            {
                "when": stamp(each.at),
                "round": each.round,
                "seat": each.seat,
                "hand": each.hand,
                "award": each.award,
                "amount": money(each.amount),
                "credential": each.credential,
                "documented_by": None if each.documented is None else list(each.documented),
            }
            for each in of.awards
        ],
    }
