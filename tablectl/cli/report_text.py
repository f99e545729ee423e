"""The report of a gaming day as text for 80 columns: a section that has nothing to say is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from tablectl.cli.report_house import house_lines
from tablectl.cli.telling import amount, columns, duration, joined, moment, plural, wrapped
from tablectl.events import DeviceCovered, DeviceRemoved, DeviceReturned, DeviceTested, Outcome
from tablectl.journal.account import Account
from tablectl.journal.day import GamingDay
from tablectl.journal.decks import CardAct, Question
from tablectl.journal.happenings import DeviceEvent
from tablectl.journal.meterbook import MeterBook
from tablectl.journal.played import Sums
from tablectl.journal.told import Stamp
from tablectl.money import Money

__all__ = ["report_lines"]


def report_lines(day: GamingDay, table: str | None) -> Iterator[str]:
    """The whole report, line by line."""
    yield from _head(day, table)
    sections = {
        "ROUNDS": _rounds(day),
        "WAGERS": _wagers(day.account),
        "SEATS": _seats(day.account),
        "LEFT ON THE LAYOUT in suspended rounds": _standing(day.account),
        "CORRECTIONS, which leave the rounds as they are": _corrections(day.account),
        "BALANCE": _balance(day),
        "IRREGULARITIES": _irregularities(day),
        "FAULTS": _faults(day),
        "DEVICES": _devices(day),
        "DECKS": _decks(day),
        "PROGRESSIVE METER": () if day.meter.empty else _meter(day.meter, day.first),
        "POKER ROOM": () if day.house.empty else house_lines(day.house, day.first),
        "DEALERS": _dealers(day),
        "FLOORPERSONS": _floor(day),
        "ORDERS": _orders(day),
        "SUSPENSIONS": _suspensions(day),
        "PLAYED WITHOUT THE CONTROLLER": _gaps(day),
        "CHANGES": _changes(day),
        "STARTS AND STOPS": _daemon(day),
        "CLOCK": _clock(day),
        "ALARMS": _alarms(day),
        "EVENTS THAT THIS PROGRAM DOES NOT KNOW": _unknown(day),
    }
    for title, lines in sections.items():
        told = list(lines)
        if told:
            yield ""
            yield title
            yield from told


def _head(day: GamingDay, table: str | None) -> Iterator[str]:
    if day.training:
        yield "TRAINING: nothing in this report was played for money."
    at = "" if table is None else f" of table {table}"
    yield from wrapped(f"GAMING DAY {day.number}{at}{f', {day.game}' if day.game else ''}", indent=0)
    opened = "opening not on the record" if day.opened is None else f"opened {moment(day.opened)}"
    if day.closed is None:
        yield from wrapped(f"{opened}, NOT CLOSED YET: as far as {moment(day.last, day.opened)}")
    else:
        yield from wrapped(f"{opened}, closed {moment(day.closed, day.opened)} by {day.closed_by or 'nobody named'}")


# Rounds and money -----------------------------------------------------------------------------------------------------


def _rounds(day: GamingDay) -> Iterator[str]:
    account = day.account
    counts = joined(f"{outcome.value} {account.outcomes[outcome]}" for outcome in Outcome)
    numbers = "" if account.first is None else f" ({account.first} to {account.last})"
    yield f"  {counts}{numbers}; {plural(account.hands, 'hand')}"
    if day.open_round is not None:
        yield f"  round {day.open_round.number} is under way, and not in here"
    for (outcome, cause, cite), rounds in account.causes.items():
        yield from wrapped(f"{outcome}: {cause} [{cite or 'no clause'}] {_of_rounds(rounds)}")


def _wagers(account: Account) -> Iterator[str]:
    if not account.kinds:
        return
    head = ("", "COUNT", "STAKED", "RETURNED", "COLLECTED", "PAID", "NET")
    rows = [_row(name, kind.sums) for name, kind in account.kinds.items()]
    yield from columns([head, *rows, _row("total", account.total)], right=range(1, 7))
    if account.total.unknown:
        yield from wrapped(
            f"Of {plural(account.total.unknown, 'wager')} presence alone was seen: no amounts are known."
        )
    for name, kind in account.kinds.items():
        ended = joined(f"{result} {count}" for result, count in kind.results.items())
        won = joined(f"{odds} {count}" for odds, count in kind.odds.items())
        vigorish = "" if kind.vigorish is None else f"; vigorish {amount(kind.vigorish)}"
        yield from wrapped(f"{name}: {ended}{f'; paid at {won}' if won else ''}{vigorish}")
    yield from wrapped(
        "Staked = returned + collected. Net is what the players have won (paid - collected); the other way round it is"
        " what the layout has won. Drop, fills and credits are not in this journal, so neither is the table's win."
    )


def _seats(account: Account) -> Iterator[str]:
    if not account.seats:
        return
    head = ("", "ROUNDS", "WAGERS", "STAKED", "RETURNED", "COLLECTED", "PAID", "NET")
    rows = [
        (f"seat {number}", str(seat.rounds), *_row("", seat.sums)[1:]) for number, seat in sorted(account.seats.items())
    ]
    yield from columns([head, *rows], right=range(1, 8))


def _row(name: str, sums: Sums) -> tuple[str, ...]:
    amounts = (sums.staked, sums.returned, sums.collected, sums.paid, sums.net)
    return name, str(sums.count), *(amount(each if sums.known else None) for each in amounts)


def _standing(account: Account) -> Iterator[str]:
    rows = [
        (f"round {each.round}", f"seat {each.wager.seat}", each.wager.wager, amount(each.wager.amount))
        for each in account.standing
    ]
    if rows:
        yield from columns(rows, right=(3,))


def _corrections(account: Account) -> Iterator[str]:
    for each in account.corrections:
        event = each.event
        what = f"paid {amount(event.paid)}" if event.paid else f"collected {amount(event.collected)}"
        earlier = ", of an earlier day" if each.earlier else ""
        yield from wrapped(
            f"{moment(each.at)} round {event.round}, seat {event.seat} {event.wager} (event {event.corrects}{earlier}):"
            f" {what} by {event.credential}"
        )


def _balance(day: GamingDay) -> Iterator[str]:
    account, problems = day.account, day.check()
    for problem in problems:
        yield from wrapped(f"DOES NOT BALANCE: {problem}")
    if not problems:
        yield "  all sums agree"
    as_settled = _net(account.total)
    if account.corrections:
        yield f"  net as settled {as_settled}, with the corrections {_net(account.corrected)}"
    else:
        yield f"  net {as_settled}"


def _net(sums: Sums) -> str:
    return amount(sums.net if sums.known else None)


# What happened --------------------------------------------------------------------------------------------------------


def _irregularities(day: GamingDay) -> Iterator[str]:
    for each in day.happenings.irregularities.values():
        remedies = joined(each.remedies) or "no remedy"
        where = f" {_of_rounds(each.rounds)}" if each.rounds else ""
        yield from wrapped(f"{each.count} {each.kind} [{each.cite or 'no clause'}]: {remedies}{where}")


def _faults(day: GamingDay) -> Iterator[str]:
    for each in day.happenings.faults:
        if each.cleared is None:
            end = f"STILL LATCHED after {duration(each.latched.seconds_until(day.last))}"
        else:
            end = (
                f"cleared by {each.credential} after {duration(each.latched.seconds_until(each.cleared))}:"
                f" {each.reason}"
            )
        yield from wrapped(f"{moment(each.latched)} {each.device}: {each.fault}; {end}")


def _devices(day: GamingDay) -> Iterator[str]:
    for at, event in day.happenings.devices:
        yield from wrapped(f"{moment(at)} {event.device} {_device(event)}")
    for (system, wager, reason), count in day.happenings.shut.items():
        yield from wrapped(f"{system} took no {wager} in {plural(count, 'round')}: {reason}")


def _device(event: DeviceEvent) -> str:
    match event:
        case DeviceRemoved():
            return f"was removed [{event.cite}], then {event.dealing}"
        case DeviceCovered():
            return f"was covered [{event.cite}], then {event.dealing}"
        case DeviceReturned():
            return f"is in use again, says {event.credential}"
        case DeviceTested():
            result = "passed its self-test" if event.passed else f"FAILED ITS SELF-TEST: {event.detail}"
            return f"{result} [{event.cite}]"


def _decks(day: GamingDay) -> Iterator[str]:
    for each in day.decks:
        deck = each.deck
        came = "was there already" if deck.came is None else f"came {moment(deck.came)}"
        brought = f" with {deck.brought_by}" if deck.brought_by else ""
        left = "still at the table" if deck.left is None else f"left {moment(deck.left, deck.came)} [{deck.clause}]"
        size = f"{deck.dice} dice" if deck.dice is not None else "" if deck.cards is None else f"{deck.cards} cards"
        yield from wrapped(
            f"{deck.id} ({joined([deck.back, size])}): {came}{brought}, {plural(each.rounds, 'round')}, {left}"
        )
        for check in deck.checks:
            if check.right is False:
                yield from wrapped(f"{moment(check.at)} {check.what} by {check.by}: {_wrong(check.cards)}", indent=4)
        for asked in deck.questions:
            yield from wrapped(_question(asked, day.last), indent=4)
        for act in deck.card_acts:
            yield from wrapped(_card(act), indent=4)


def _wrong(cards: int | None) -> str:
    return "WRONG" if cards is None else f"{cards} cards, WRONG"


def _question(asked: Question, now: Stamp) -> str:
    if asked.closed is None:
        end = f"STILL OPEN after {duration(asked.at.seconds_until(now))}"
    else:
        by = f" by {asked.credential}" if asked.credential else ""
        end = f"cleared{by} after {duration(asked.at.seconds_until(asked.closed))}: {asked.reason}"
    return f"{moment(asked.at)} {asked.what}: {asked.detail}; {end}"


def _card(act: CardAct) -> str:
    back = f", {act.back} back" if act.back else ""
    return f"{moment(act.at)} card {act.what}: {act.card or 'not known which'}{back}, by {act.credential}"


def _meter(meter: MeterBook, first: Stamp) -> Iterator[str]:
    before = "" if meter.before is None else f"{amount(meter.before.display)} before, "
    yield f"  display {before}{amount(meter.display)} now"
    if meter.last is not None:
        yield from wrapped(
            f"in by wagers {amount(meter.wagered)}, of which taken out again {amount(meter.returned)}; wins"
            f" {amount(meter.wins)} in {plural(meter.hits, 'award')}"
        )
        for reason, lowered in meter.lowered.items():
            yield f"  lowered by {reason}: {amount(Money(lowered))}"
    for award in meter.awards:
        documented = "" if award.documented is None else f", documented by {' and '.join(award.documented)}"
        yield from wrapped(
            f"{moment(award.at, first)} round {award.round}, seat {award.seat}: {award.hand} wins {award.award},"
            f" {amount(award.amount)}, validated by {award.credential}{documented}"
        )
    for at, kind, message in meter.differences:
        yield from wrapped(f"{moment(at)} NOT RECONCILED, {kind}: {message}")
    if meter.last is not None and not meter.differences:
        yield "  reconciled: books and system never differed"


# People and standstills -----------------------------------------------------------------------------------------------


def _dealers(day: GamingDay) -> Iterator[str]:
    for credential, dealer in day.staff.dealers.items():
        times = joined(
            f"{moment(come, day.first)} - {'' if gone is None else moment(gone, day.first)}".rstrip()
            for come, gone in dealer.times
        )
        yield from wrapped(
            f"{credential or 'nobody named'}: {plural(dealer.rounds, 'round')}{f', {times}' if times else ''}"
        )


def _floor(day: GamingDay) -> Iterator[str]:
    for credential, acts in day.staff.floor.items():
        counted = Counter(f"{act.name} {act.detail}".strip() for act in acts)
        done = joined(f"{what}{f' ({count}x)' if count > 1 else ''}" for what, count in counted.items())
        span = f"{moment(acts[0].at, day.first)} - {moment(acts[-1].at, day.first)}"
        yield from wrapped(f"{credential}, {span}: {done}")


def _orders(day: GamingDay) -> Iterator[str]:
    for at, order in day.happenings.orders:
        more = f" {order.detail}" if order.detail else ""
        number = f" {order.number}" if order.number else ""
        yield from wrapped(f"{moment(at)} {order.order}{number}{more} by {order.credential or 'nobody named'}")


def _suspensions(day: GamingDay) -> Iterator[str]:
    for each in day.happenings.suspensions:
        if each.resumed is None:
            end = "STILL SUSPENDED"
        else:
            end = f"resumed by {each.resumed_by} after {duration(each.at.seconds_until(each.resumed))}"
        yield from wrapped(f"{moment(each.at)} {each.reason} by {each.credential}; {end}")


def _gaps(day: GamingDay) -> Iterator[str]:
    for at, gap in day.happenings.gaps:
        yield from wrapped(
            f"{moment(at)} {plural(gap.rounds, 'round')}: {gap.reason}, says {gap.credential}; their wagers are in no"
            " sum"
        )


def _changes(day: GamingDay) -> Iterator[str]:
    for at, event in day.happenings.changes:
        limits = ""
        if "limits" in event.what:
            limits = (
                f"; limits {amount(event.minimum_before)} to {amount(event.maximum_before)}, now"
                f" {amount(event.minimum)} to {amount(event.maximum)}"
            )
        notice = f"; notice posted, says {event.credential}" if event.credential else ""
        yield from wrapped(f"{moment(at)} {joined(event.what) or 'nothing'}{limits}{notice}")


def _daemon(day: GamingDay) -> Iterator[str]:
    said = {
        "first": "started for the first time",
        "stop": "started",
        "crash": "STARTED WITHOUT HAVING BEEN STOPPED: a crash or a power cut",
    }
    told = [
        (each.at, f"{said[each.after]}, version {each.event.version}{', round resumed' if each.resumed else ''}")
        for each in day.happenings.starts
    ]
    told += [(at, f"stopped: {reason}") for at, reason in day.happenings.stops]
    for at, text in sorted(told, key=lambda each: each[0].sequence):
        yield from wrapped(f"{moment(at)} {text}")


def _clock(day: GamingDay) -> Iterator[str]:
    for at, step in day.happenings.clock:
        yield f"  {moment(at)} the clock was set {'back' if step < 0 else 'forward'} by {abs(step)} ms"


def _alarms(day: GamingDay) -> Iterator[str]:
    for each in day.happenings.alarms.values():
        until = "" if each.count == 1 else f" to {moment(each.last, each.first)}, {each.count} times"
        yield from wrapped(f"{moment(each.first)}{until} {each.source} {each.kind}: {each.message}")


def _unknown(day: GamingDay) -> Iterator[str]:
    if day.happenings.unknown:
        yield from wrapped(joined(f"{kind} {count}" for kind, count in day.happenings.unknown.items()))


def _of_rounds(rounds: Iterable[int]) -> str:
    """``in round 3``, ``in rounds 3, 7, 9`` and no more than ten of them."""
    numbers = list(dict.fromkeys(rounds))
    shown = ", ".join(str(number) for number in numbers[:10])
    more = f" and {len(numbers) - 10} more" if len(numbers) > 10 else ""
    return f"in {'round' if len(numbers) == 1 else 'rounds'} {shown}{more}"
