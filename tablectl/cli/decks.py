"""`tablectl journal decks`: the deck ledger, and what was played with a deck whose wholeness is in doubt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from tablectl.cli.telling import amount, columns, duration, joined, moment, money, plural, stamp, sums, wrapped
from tablectl.errors import Misuse
from tablectl.events import Outcome, TableStarted
from tablectl.games import game
from tablectl.journal import Reader, RowKind
from tablectl.journal.decks import CardAct, Check, Deck, DeckLedger, How, Question, Since, Stretch, Unseen
from tablectl.journal.played import Played, Sums
from tablectl.journal.told import Stamp, told

__all__ = ["cards_of", "print_affected", "print_decks"]


def print_decks(journal: Path, *, as_json: bool) -> None:
    """Print every deck that ever came to the table."""
    ledger, training, _now = _read(journal, None)
    if as_json:
        document = {"journal": str(journal), "training": training, "decks": [_deck(deck) for deck in ledger.decks]}
        print(json.dumps(document, indent=2))
        return
    _print_training(training)
    for deck in ledger.decks:
        print("\n".join(_deck_lines(deck)))
    if not ledger.decks:
        print("no deck has come to the table yet")


def print_affected(journal: Path, id: str, since: Since, *, as_json: bool) -> None:
    """Print the rounds, seats and wagers in doubt of one deck; `Misuse` names the decks that are known."""
    ledger, training, now = _read(journal, id)
    stays = ledger.of(id)
    if not stays:
        known = ", ".join(dict.fromkeys(deck.id for deck in ledger.decks)) or "none at all"
        raise Misuse(f"{journal}: no deck {id!r} ever came to this table: the decks in this journal are {known}")
    doubtful = [[stretch for stretch in deck.stretches(since) if stretch.in_doubt] for deck in stays]
    rounds = _once(stretch.rounds for stretches in doubtful for stretch in stretches)
    if as_json:
        document = {
            "journal": str(journal),
            "training": training,
            "deck": id,
            "since": since.value,
            "stays": [
                {**_deck(deck), "stretches": [_stretch(stretch) for stretch in stretches]}
                for deck, stretches in zip(stays, doubtful, strict=True)
            ],
            "rounds": [_round(played) for played in rounds],
            "seats": _seats(rounds),
            "total": _total(rounds),
            "in_doubt_by": {other.value: len(_in_doubt(stays, other)) for other in Since},
        }
        print(json.dumps(document, indent=2))
        return
    _print_training(training)
    for deck, stretches in zip(stays, doubtful, strict=True):
        print("\n".join(_deck_lines(deck)))
        for stretch in stretches:
            print("\n".join(_stretch_lines(stretch, deck, now)))
    print("\n".join(_in_all(rounds, stays, since)))


def cards_of(id: str) -> int | None:
    """How many cards a deck of that game has; None if that is filed, or for a game that this program does not know."""
    try:
        known = game(id)
        return None if known.deck_by is not None else known.deck or None
    except Misuse:
        return None


def _read(journal: Path, keep: str | None) -> tuple[DeckLedger, bool, Stamp | None]:
    """The ledger, whether the journal is one of training, and when its last event was."""
    ledger, training, now = DeckLedger(cards_of, keep), False, None
    for each in told(Reader(journal).rows(kinds=[RowKind.EVENT])):
        ledger.take(each)
        training = training or (isinstance(each.event, TableStarted) and each.event.training)
        now = each.at
    return ledger, training, now


def _once(rounds: Iterable[Sequence[Played]]) -> list[Played]:
    """Each round once: one that was counted in its middle lies in two stretches."""
    return list({played.number: played for some in rounds for played in some}.values())


def _in_doubt(stays: Sequence[Deck], since: Since) -> list[Played]:
    return _once(stretch.rounds for deck in stays for stretch in deck.stretches(since) if stretch.in_doubt)


# JSON -----------------------------------------------------------------------------------------------------------------


def _deck(deck: Deck) -> dict[str, Any]:
    return {
        "deck": deck.id,
        "back": deck.back,
        "cards": deck.cards,
        "dice": deck.dice,
        "came": stamp(deck.came),
        "brought_by": deck.brought_by,
        "preshuffled": deck.preshuffled,
        "checks": [_check(check) for check in deck.checks],
        "proven": None if (proven := deck.proven()) is None else _check(proven),
        "identified": None if (identified := deck.proven(Since.IDENTIFIED)) is None else _check(identified),
        "questions": [_question(asked) for asked in deck.questions],
        "card_acts": [_card_act(act) for act in deck.card_acts],
        "unseen": [_unseen(gap) for gap in deck.unseen],
        "rounds": deck.rounds,
        "first_round": deck.first_round,
        "last_round": None if deck.last_round is None else deck.last_round.number,
        "void": deck.void,
        "hands": deck.hands,
        "rounds_since_proven": deck.unproven,
        "left": stamp(deck.left),
        "clause": deck.clause or None,
    }


def _check(check: Check) -> dict[str, Any]:
    return {
        "when": stamp(check.at),
        "round": check.round,
        "what": check.what,
        "how": check.how.value,
        "by": check.by,
        "by_device": check.by_device,
        "cards": check.cards,
        "right": check.right,
        "detail": check.detail,
    }


def _question(asked: Question) -> dict[str, Any]:
    return {
        "when": stamp(asked.at),
        "what": asked.what,
        "detail": asked.detail,
        "cards": list(asked.cards),
        "closed": stamp(asked.closed),
        "credential": asked.credential,
        "reason": asked.reason,
    }


def _card_act(act: CardAct) -> dict[str, Any]:
    return {
        "when": stamp(act.at),
        "what": act.what,
        "card": act.card or None,
        "back": act.back,
        "credential": act.credential,
        "reason": act.reason,
    }


def _unseen(gap: Unseen) -> dict[str, Any]:
    return {"when": stamp(gap.at), "rounds": gap.rounds, "reason": gap.reason, "credential": gap.credential}


def _stretch(stretch: Stretch) -> dict[str, Any]:
    return {
        "since": None if stretch.since is None else _check(stretch.since),
        "until": None if stretch.until is None else _check(stretch.until),
        "found": [_finding(found) for found in stretch.found],
        "unseen": [_unseen(gap) for gap in stretch.unseen],
        "rounds": [played.number for played in stretch.rounds],
    }


def _finding(found: Check | Question | CardAct) -> dict[str, Any]:
    match found:
        case Check():
            return {"kind": "check", **_check(found)}
        case Question():
            return {"kind": "question", **_question(found)}
        case CardAct():
            return {"kind": "card", **_card_act(found)}


def _round(played: Played) -> dict[str, Any]:
    closed = played.closed
    return {
        "round": played.number,
        "deck": played.deck,
        "opened": stamp(played.opened),
        "closed": stamp(played.closed_at),
        "outcome": played.outcome,
        "cause": None if closed is None else closed.cause,
        "cite": None if closed is None else closed.cite,
        "dealer": played.dealer,
        "hands": played.hands,
        "seats": [{"seat": seat, "wagers": _wagers(played, seat), **sums(played.sums(seat))} for seat in played.seats],
    }


def _wagers(played: Played, seat: int) -> list[dict[str, Any]]:
    settled = [
        {
            "wager": row.wager,
            "hand": row.hand,
            "staked": money(row.staked),
            "result": row.result.value,
            "odds": row.odds,
            "paid": money(row.paid),
            "returned": money(row.returned),
            "collected": money(row.collected),
        }
        for row in (each.row for each in played.settled)
        if row.seat == seat
    ]
    standing = [
        {
            "wager": wager.wager,
            "hand": wager.hand,
            "staked": money(wager.amount),
            **dict.fromkeys(("result", "odds", "paid", "returned", "collected")),
        }
        for wager in played.standing
        if wager.seat == seat
    ]
    return settled + standing


def _by_seat(rounds: Sequence[Played]) -> dict[int, tuple[int, Sums]]:
    """Of each seat the number of rounds, and what its wagers came to."""
    found: dict[int, tuple[int, Sums]] = {}
    for played in rounds:
        for seat in played.seats:
            number, total = found.get(seat, (0, Sums()))
            for each in played.settled:
                if each.row.seat == seat:
                    total.add(each.row)
            found[seat] = number + 1, total
    return dict(sorted(found.items()))


def _all(rounds: Sequence[Played]) -> Sums:
    total = Sums()
    for played in rounds:
        for each in played.settled:
            total.add(each.row)
    return total


def _seats(rounds: Sequence[Played]) -> list[dict[str, Any]]:
    return [{"seat": seat, "rounds": number, **sums(total)} for seat, (number, total) in _by_seat(rounds).items()]


def _total(rounds: Sequence[Played]) -> dict[str, Any]:
    return {
        "rounds": len(rounds),
        "void": sum(played.outcome == Outcome.VOID for played in rounds),
        "suspended": sum(played.outcome == Outcome.SUSPENDED for played in rounds),
        "hands": sum(played.hands for played in rounds),
        "standing": sum(len(played.standing) for played in rounds if played.closed is not None),
        **sums(_all(rounds)),
    }


# Text -----------------------------------------------------------------------------------------------------------------


def _print_training(training: bool) -> None:
    if training:
        print("TRAINING: nothing in this journal was played for money.")


def _deck_lines(deck: Deck) -> Iterator[str]:
    size = "number of cards unknown" if deck.cards is None else f"{deck.cards} cards"
    if deck.dice is not None:
        size = f"{deck.dice} dice"
    yield f"{deck.id}: {joined([deck.back, size, 'preshuffled' if deck.preshuffled else ''])}"
    facts: list[tuple[str, str]] = []
    if deck.came is None:
        facts.append(("came", "not on the record: it was at the table when the journal began"))
    else:
        facts.append(("came", f"{moment(deck.came)}{f' with {deck.brought_by}' if deck.brought_by else ''}"))
    checks = sorted((mark for mark in deck.marks if not isinstance(mark, Played)), key=lambda mark: mark.at.sequence)
    for _key, group in groupby(checks, key=_kind):
        first, *more = group
        text = _mark_words(first)
        if more:
            text += f"; {len(more)} more until {moment(more[-1].at, first.at)}"
        facts.append((_mark_name(first), text))
    void = f", {deck.void} void" if deck.void else ""
    numbers = "" if deck.last_round is None else f" ({deck.first_round} to {deck.last_round.number})"
    played = f"{deck.rounds}{numbers}{void}, {plural(deck.hands, 'hand')}"
    facts.append(("rounds", f"{played}; {deck.unproven} since it was last proven whole"))
    if deck.left is not None:
        facts.append(("left", f"{moment(deck.left)} [{deck.clause}]"))
    for name, text in facts:
        yield from wrapped(f"{name:<9} {text}", hang=10)


def _kind(mark: Check | Question | CardAct | Unseen) -> tuple[object, ...]:
    """What checks that are told in one line have in common; nothing else is like another."""
    if isinstance(mark, Check):
        return mark.what, mark.how, mark.by, mark.cards, mark.right, mark.detail
    return (mark.at.sequence,)


def _mark_name(mark: Check | Question | CardAct | Unseen) -> str:
    match mark:
        case Check():
            return mark.how.value
        case Question():
            return "question"
        case CardAct():
            return "card"
        case Unseen():
            return "gap"


def _mark_words(mark: Check | Question | CardAct | Unseen) -> str:
    at = moment(mark.at)
    match mark:
        case Check():
            return f"{at} {_check_words(mark)}"
        case Question():
            if mark.closed is None:
                return f"{at} {mark.what}: {mark.detail}; STILL OPEN"
            open_for = duration(mark.at.seconds_until(mark.closed))
            by = f" by {mark.credential}" if mark.credential else ""
            return f"{at} {mark.what}: {mark.detail}; cleared{by} after {open_for}: {mark.reason}"
        case CardAct():
            what = {"set_aside": "was set aside", "replaced": "was replaced", "refused": "was refused"}[mark.what]
            back = f" ({mark.back} back)" if mark.back else ""
            reason = f": {mark.reason}" if mark.reason else ""
            return f"{at} {mark.card or 'a card that nobody can name'}{back} {what} by {mark.credential}{reason}"
        case Unseen():
            rounds = plural(mark.rounds, "round")
            return f"{at} {rounds} without the controller: {mark.reason}, says {mark.credential}"


def _check_words(check: Check) -> str:
    """``52 in shuffle by shuffler, right``."""
    cards = "" if check.cards is None else f"{check.cards} cards, "
    verdict = {True: "right", False: "WRONG", None: "not known whether right"}[check.right]
    if check.how is How.ATTESTED:
        return f"{check.what} by {check.by}"
    if check.how is How.CLAIMED:
        verdict = check.detail or "nothing wrong"
    elif check.detail:
        verdict = f"{verdict}: {check.detail}"
    return f"{cards}{check.what} by {check.by}: {verdict}"


def _stretch_lines(stretch: Stretch, deck: Deck, now: Stamp | None) -> Iterator[str]:
    yield ""
    since = "it came" if stretch.since is None else f"{moment(stretch.since.at)} {_proof(stretch.since)}"
    yield from wrapped(f"In doubt since {since}", indent=0)
    for found in stretch.found:
        yield from wrapped(f"then {_mark_name(found)}: {_mark_words(found)}")
    if stretch.until is not None:
        yield from wrapped(f"until {moment(stretch.until.at)} {_proof(stretch.until)}")
    elif deck.left is not None:
        yield from wrapped(f"until it left {moment(deck.left)}")
    elif now is not None:
        yield from wrapped(f"until now, {moment(now)}")
    for gap in stretch.unseen:
        yield from wrapped(f"GAP {_mark_words(gap)}: seats and wagers are not on the record")
    for played in stretch.rounds:
        yield from _round_lines(played)
    if not stretch.rounds:
        yield "  no round"


def _proof(check: Check) -> str:
    return f"({check.how.value}: {_check_words(check)})"


def _round_lines(played: Played) -> Iterator[str]:
    closed, end = played.closed, played.closed_at
    until = "" if end is None else f" - {moment(end, played.opened)}"
    outcome = played.outcome if played.outcome == Outcome.COMPLETED else played.outcome.upper()
    cause = "" if closed is None or closed.cause is None else f": {closed.cause} [{closed.cite or 'no clause'}]"
    yield from wrapped(f"round {played.number}, {moment(played.opened)}{until}, {outcome}{cause}")
    rows = [
        (
            f"seat {each.row.seat}",
            f"{each.row.wager}{f' {each.row.hand}' if each.row.hand else ''}",
            amount(each.row.staked),
            each.row.result.value,
            f"paid {amount(each.row.paid)}",
            f"collected {amount(each.row.collected)}",
        )
        for each in sorted(played.settled, key=lambda each: (each.row.seat, each.row.hand))
    ]
    rows += [(f"seat {w.seat}", w.wager, amount(w.amount), "not settled", "", "") for w in played.standing]
    if rows:
        yield from columns(rows, right=(2,), indent=4)


def _in_all(rounds: Sequence[Played], stays: Sequence[Deck], since: Since) -> Iterator[str]:
    yield ""
    total = _total(rounds)
    more = "".join(f", {total[name]} {name}" for name in ("void", "suspended") if total[name])
    yield from wrapped(f"In doubt: {plural(len(rounds), 'round')}{more}, {plural(total['hands'], 'hand')}", indent=0)
    if rounds:
        head = ("", "ROUNDS", "WAGERS", "STAKED", "PAID", "RETURNED", "COLLECTED", "NET")
        table = [head, *(_sum_row(f"seat {n}", k, s) for n, (k, s) in _by_seat(rounds).items())]
        table.append(_sum_row("total", len(rounds), _all(rounds)))
        yield from columns(table, right=range(1, 8))
        yield "  Net is what the players have won; a dash: presence alone was seen."
    wider = {other: len(_in_doubt(stays, other)) for other in Since if other is not since}
    if since is Since.PROVEN and wider[Since.IDENTIFIED] > len(rounds):
        yield from wrapped(
            f"Counting is not identifying: {wider[Since.IDENTIFIED]} rounds since its cards were last identified, see"
            " --since identified.",
            indent=0,
        )


def _sum_row(name: str, rounds: int, total: Sums) -> tuple[str, ...]:
    known = [total.staked, total.paid, total.returned, total.collected, total.net]
    return name, str(rounds), str(total.count), *(amount(each if total.known else None) for each in known)
