"""Every scenario file of every game gives the outcome worked out by hand beside it, order of acts included."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.engine.scenario import load
from tablectl.engine.script import play
from tablectl.games import GAME_IDS
from tests.games.scenarios import (
    SCENARIOS,
    assert_money_is_conserved,
    expected_outcome,
    scenario_files,
    without_deck_ids,
)

GAMES = [name for name in GAME_IDS if (SCENARIOS / name).is_dir()]
FILES = [path for name in GAMES for path in scenario_files(name)]
IDS = [f"{path.parent.name}-{path.stem}" for path in FILES]


@pytest.mark.parametrize("name", GAMES)
def test_every_scenario_has_its_outcome(name: str) -> None:
    files = scenario_files(name)
    assert len(files) >= 12
    assert {path.name for path in (SCENARIOS / name).iterdir()} == {
        found for path in files for found in (path.name, f"{path.stem}.expected.json")
    }


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_scenario(path: Path) -> None:
    expected = expected_outcome(path)
    assert_money_is_conserved(expected)
    assert without_deck_ids(play(load(path))) == expected
