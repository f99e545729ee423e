"""Chapter 565: every scenario file gives the outcome worked out by hand beside it, order of acts included."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.engine.scenario import load
from tablectl.engine.script import play
from tests.games.scenarios import SCENARIOS, expected_outcome, scenario_files, without_deck_ids

FILES = scenario_files("three_card_poker")


def test_every_scenario_has_its_outcome() -> None:
    folder = SCENARIOS / "three_card_poker"
    assert len(FILES) >= 30
    assert {path.name for path in folder.iterdir()} == {
        name for path in FILES for name in (path.name, f"{path.stem}.expected.json")
    }


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_565_scenario(path: Path) -> None:
    assert without_deck_ids(play(load(path))) == expected_outcome(path)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_565_scenario_conserves_money(path: Path) -> None:
    """Every row of an expectation keeps the contract's sums, so that a slip of the pen in it is found."""
    for played in expected_outcome(path)["rounds"]:
        net = dict.fromkeys(played["net"], 0)
        for row in played["wagers"]:
            staked, paid, returned, collected = (cents(row[key]) for key in ("staked", "paid", "returned", "collected"))
            assert staked == returned + collected
            assert (row["odds"] is None) == (paid == 0)
            net[str(row["seat"])] += paid - collected
        assert {seat: cents(amount) for seat, amount in played["net"].items()} == net


def cents(amount: str) -> int:
    whole, part = amount.removeprefix("-").split(".")
    return (-1 if amount.startswith("-") else 1) * (int(whole) * 100 + int(part))


def test_565_3_c_another_deck_after_the_old_one_was_removed() -> None:
    """The deck of a round is named; after a removal it is another one, otherwise the same."""
    removed = play(load(SCENARIOS / "three_card_poker/several_rounds_with_another_deck_in_between.toml"))
    first, *others = [played["deck"]["id"] for played in removed["rounds"]]
    assert len(others) == 5
    assert len({*others}) == 1
    assert first not in others
