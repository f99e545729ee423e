"""Scenario files with their outcome beside them, for whoever plays them: by script or at a live table."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

SCENARIOS = Path(__file__).parent.parent / "scenarios"

Document = dict[str, Any]


def scenario_files(game: str) -> list[Path]:
    """Every scenario of a game; each could be played at a real table, and has ``NAME.expected.json`` beside it."""
    return sorted((SCENARIOS / game).glob("*.toml"))


def expected_outcome(scenario: Path) -> Document:
    """The outcome that was worked out from the regulation for that file, without `deck.id`."""
    document: Document = json.loads(scenario.with_suffix(".expected.json").read_text(encoding="utf-8"))
    return document


def assert_money_is_conserved(document: Document) -> None:
    """Every row keeps the contract's sums, so that a slip of the pen in an expectation is found."""
    for played in document["rounds"]:
        if "pots" in played:
            _assert_pots_are_shared_out(played)
            continue
        net = dict.fromkeys(played["net"], 0)
        for row in played["wagers"]:
            staked, paid, returned, collected = (cents(row[key]) for key in ("staked", "paid", "returned", "collected"))
            assert staked == returned + collected
            assert (row["odds"] is None) == (paid == 0)
            net[str(row["seat"])] += paid - collected
        assert {seat: cents(amount) for seat, amount in played["net"].items()} == net


def _assert_pots_are_shared_out(played: Document) -> None:
    """What players put into pots and do not get back is rake and drops."""
    kept = 0
    for pot in played["pots"]:
        taken = cents(pot["rake"]) + sum(map(cents, pot["drops"].values()))
        assert cents(pot["amount"]) == taken + sum(cents(share["amount"]) for share in pot["shares"])
        assert all(share["seat"] in pot["seats"] for share in pot["shares"])
        kept += taken
    assert sum(map(cents, played["net"].values())) == -kept
    assert played["wagers"] == []


def cents(amount: str) -> int:
    """Dollars with two decimals in cents."""
    whole, part = amount.removeprefix("-").split(".")
    return (-1 if amount.startswith("-") else 1) * (int(whole) * 100 + int(part))


def without_amounts(played: Document) -> Document:
    """A round's document as a table gives it whose sensors see wagers and not their amounts."""
    nothing = dict.fromkeys(("staked", "paid", "returned", "collected"))
    rows = [{**row, **nothing} for row in played["wagers"]]
    return {**played, "wagers": rows, "net": dict.fromkeys(played["net"])}


def without_deck_ids(document: Document) -> Document:
    """The outcome document as expectations state it: nobody says in advance what a deck is called."""
    stripped = deepcopy(document)
    for played in stripped["rounds"]:
        assert isinstance(played["deck"].pop("id"), str)
    return stripped
