"""Whether the record of a day is what happened at the table: its report, its ledger of decks, the journal itself.

The commands that a person would give are run, and what they print as JSON is compared with the outcomes of the rounds.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tablectl.cli import main
from tablectl.money import Money, dollars, show
from tablectl_hil.day import Day
from tablectl_hil.robot import FLOORPERSON

__all__ = ["Record", "audit"]

_AMOUNTS: Final = ("staked", "paid", "returned", "collected")
_GOES_ON: Final = "continue"


@dataclass(frozen=True, slots=True)
class Record:
    """What the table's journal says of the day, as those commands print it."""

    report: Mapping[str, Any]
    decks: Sequence[Mapping[str, Any]]
    verdict: Mapping[str, Any]
    replay: Mapping[str, Any]

    @classmethod
    def read(cls, config: Path) -> Record:
        """Run the commands on the table of that configuration."""
        return cls(
            _printed("report", config),
            _printed("journal", "decks", config)["decks"],
            _printed("journal", "verify", config),
            _printed("journal", "replay", config),
        )


def audit(day: Day, record: Record) -> list[str]:
    """Everything in which the record is not what happened, in words; empty when it all agrees."""
    return [
        *_otherwise(day),
        *_differing("the report", _of_the_report(record.report), _of_the_day(day)),
        *(f"the report: {problem}" for problem in record.report["balance"]["problems"]),
        *_faults(record.report),
        *_house(day, record.report["house"]),
        *_decks(day, record.decks),
        *_differing("journal verify", {"finding": record.verdict["finding"]}, {"finding": "intact"}),
        *_differing("journal replay", {"not the same": record.replay["stretches"]}, {"not the same": []}),
    ]


def _printed(*command: str | Path) -> dict[str, Any]:
    """What a command prints, as JSON; whatever its exit status is."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main([*map(str, command), "--json"])
    said: dict[str, Any] = json.loads(printed.getvalue())
    return said


def _otherwise(day: Day) -> Iterator[str]:
    """Rounds that ended otherwise than by script."""
    for planned, outcome in zip(day.rounds, day.outcomes, strict=True):
        name = f"round {planned.number} ({planned.mishap or 'nothing wrong'})"
        yield from _differing(name, outcome, planned.expected)


# The report -----------------------------------------------------------------------------------------------------------


def _of_the_report(report: Mapping[str, Any]) -> dict[str, Any]:
    """What of the report follows from what was seen at the table."""
    rounds = report["rounds"]
    return {
        "complete": report["complete"],
        "closed by": report["closed_by"],
        "balance": report["balance"]["ok"],
        "rounds": {outcome: rounds[outcome] for outcome in ("completed", "void", "suspended")},
        "total": {amount: report["total"][amount] for amount in _AMOUNTS},
        "wagers": {
            kind["wager"]: {"results": kind["results"], **{amount: kind[amount] for amount in _AMOUNTS}}
            for kind in report["wagers"]
        },
        "seats": {seat["seat"]: seat["net"] for seat in report["seats"]},
        "irregularities": {
            _named(each["kind"], each["cite"], each["remedies"]): each["rounds"] for each in report["irregularities"]
        },
        "dealers": {dealer["credential"]: dealer["rounds"] for dealer in report["dealers"]},
        "starts": [start["after"] for start in report["starts"]],
        "suspensions": [(each["credential"], each["resumed_by"]) for each in report["suspensions"]],
        "orders": [each["order"] for each in report["orders"]],
        "left on the layout": report["standing"],
        "unknown events": report["unknown_events"],
    }


def _of_the_day(day: Day) -> dict[str, Any]:
    """The same from the outcomes of its rounds."""
    rows = [row for outcome in day.outcomes for row in outcome["wagers"]]
    rows += [row for planned in day.rounds for row in planned.rows]
    outcomes = Counter(outcome["outcome"] for outcome in day.outcomes)
    kinds = {row["wager"]: [each for each in rows if each["wager"] == row["wager"]] for row in rows}
    seats = sorted({row["seat"] for row in rows})
    noted: dict[str, list[int]] = {}
    for planned in day.rounds:
        for event in planned.noted:
            noted.setdefault(_named(event.kind, event.cite, event.remedies), []).append(planned.number)
    acts = [act for planned in day.rounds for act in planned.acts]
    return {
        "complete": True,
        "closed by": FLOORPERSON,
        "balance": True,
        "rounds": {
            "completed": outcomes["completed"],
            "void": outcomes["void"],
            "suspended": outcomes["suspended"],
        },
        "total": _sums(rows),
        "wagers": {
            kind: {"results": dict(Counter(row["result"] for row in of)), **_sums(of)} for kind, of in kinds.items()
        },
        "seats": {seat: _net([row for row in rows if row["seat"] == seat]) for seat in seats},
        "irregularities": noted,
        "dealers": dict(day.dealers),
        "starts": ["first", *["crash"] * day.mishaps["power_loss"]],
        "suspensions": [(FLOORPERSON, FLOORPERSON)] * acts.count("suspend"),
        "orders": [*(act for act in acts if act.endswith("_back")), "close"],
        "left on the layout": list(_left(day)),
        "unknown events": {},
    }


def _left(day: Day) -> Iterator[dict[str, Any]]:
    """What lay on the layout when a round was suspended, unsettled; systems have given theirs back."""
    systems = [system.wager for system in day.table.game.systems]
    for planned in day.rounds:
        if planned.expected["outcome"] != "suspended":
            continue
        done = {(row["seat"], row["hand"], row["wager"]) for row in planned.expected["wagers"]}
        for made in sorted(planned.made, key=lambda event: (event.seat, event.hand)):
            if made.wager not in systems and (made.seat, made.hand, made.wager) not in done:
                where = {"round": planned.number, "seat": made.seat, "wager": made.wager, "hand": made.hand}
                yield {**where, "amount": None if made.amount is None else show(made.amount)}


def _named(kind: str, cite: str | None, remedies: Sequence[str]) -> str:
    return f"{kind} [{cite}] {' '.join(remedies)}".rstrip()


def _sums(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {amount: show(Money(sum(dollars(row[amount]) for row in rows))) for amount in _AMOUNTS}


def _net(rows: Iterable[Mapping[str, Any]]) -> str:
    return show(Money(sum(dollars(row["paid"]) - dollars(row["collected"]) for row in rows)))


def _house(day: Day, house: Mapping[str, Any] | None) -> Iterator[str]:
    """What the house took of a poker room is what the pots had less, and the boxes were counted right."""
    if not day.table.game.pots:
        return
    pots = [pot for outcome in day.outcomes for pot in outcome["pots"]]
    jackpots = [kind for kind in ("bad_beat", "high_hand") if getattr(day.table.rules, kind) is not None]
    off = {kind: _dollars(pot["drops"].get(kind, "0.00") for pot in pots) for kind in jackpots}
    rake = _dollars(pot["rake"] for pot in pots)
    wanted = {"pots": len(pots), "rake": rake, "dropped": rake, "jackpots": {kind: off[kind] for kind in jackpots}}
    found = {key: (house or {})[key] for key in ("pots", "rake", "dropped")} if house else {}
    told: Mapping[str, Any] = (house or {}).get("jackpots", {})
    found["jackpots"] = {kind: told[kind]["contributed"] if kind in told else "0.00" for kind in jackpots}
    yield from _differing("the report's poker room", found, wanted)
    for kind, jackpot in told.items():
        accounts = jackpot["accounts"] or {}
        for name, amount in (("box", "0.00"), ("over", "0.00")):
            if accounts.get(name, amount) != amount:
                yield f"the report: {kind}: {name} is {accounts[name]} at the end of the day"


def _dollars(amounts: Iterable[str]) -> str:
    return show(Money(sum(map(dollars, amounts))))


def _faults(report: Mapping[str, Any]) -> Iterator[str]:
    """Every fault was cleared by a person."""
    for fault in report["faults"]:
        if fault["cleared"] is None or fault["credential"] != FLOORPERSON:
            yield f"the report: {fault['device']} {fault['fault']} was not cleared by {FLOORPERSON}"


# Decks ----------------------------------------------------------------------------------------------------------------


def _decks(day: Day, decks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Every deck came whole and has left, its questions are closed, and each round was dealt from one of them."""
    dice = day.table.game.dice
    act_of_play = "card " if dice is None else "throw "
    whole = ("cards", day.table.game.deck) if dice is None else ("dice", dice.number(day.table.rules))
    dealt = sum(any(act.startswith(act_of_play) for act in outcome["order"]) for outcome in day.outcomes)
    if day.table.game.burn is not None and day.outcomes[-1]["deck"]["disposition"] != _GOES_ON:
        dealt += 1  # the round in which the table is closed has burned the first card of a full shoe
    yield from _differing("journal decks", {"rounds": sum(deck["rounds"] for deck in decks)}, {"rounds": dealt})
    for deck in decks:
        if deck[whole[0]] != whole[1]:
            yield f"journal decks: {deck['deck']} has {deck[whole[0]]} {whole[0]}"
        if deck["left"] is None:
            yield f"journal decks: {deck['deck']} has not left the table"
        for asked in deck["questions"]:
            if asked["closed"] is None:
                yield f"journal decks: {deck['deck']}: {asked['what']} is still a question"


def _differing(where: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """What differs in two documents, one line for each key."""
    for key in dict.fromkeys([*wanted, *found]):
        if found.get(key) != wanted.get(key):
            yield f"{where}: {key} is {found.get(key)!r}, expected {wanted.get(key)!r}"
