"""Chapter 565: what its scenario files have beside their outcomes."""

from __future__ import annotations

from tablectl.engine.scenario import load
from tablectl.engine.script import play
from tests.games.scenarios import SCENARIOS, scenario_files


def test_there_are_scenarios_enough() -> None:
    assert len(scenario_files("three_card_poker")) >= 30


def test_565_3_c_another_deck_after_the_old_one_was_removed() -> None:
    """The deck of a round is named; after a removal it is another one, otherwise the same."""
    removed = play(load(SCENARIOS / "three_card_poker/several_rounds_with_another_deck_in_between.toml"))
    first, *others = [played["deck"]["id"] for played in removed["rounds"]]
    assert len(others) == 5
    assert len({*others}) == 1
    assert first not in others
