"""A crash at every moment of rounds in which something goes wrong: the same step, the same outcome."""

from __future__ import annotations

import pytest

from tests.engine.bench import ALL_SENSORS, PANEL_ALONE
from tests.engine.scenarios import fitting
from tests.engine.test_chances import SHAKER, pai_gow
from tests.engine.test_irregular_games import CASES
from tests.engine.test_recovery import crash_everywhere
from tests.procedure.irregular_games import scenario


@pytest.mark.parametrize(
    "name",
    [
        "561 hand voided",
        "561 no roll",
        "563 bonus in a void",
        "637a replaced",
        "672a shoe is empty",
        "672a reader broken",
        "675a rethrown",
    ],
)
def test_crash_at_every_moment_at_a_table_with_a_panel_alone(name: str) -> None:
    game, document = CASES[name]
    read = scenario(game, document)
    crash_everywhere(read, fitting(read, PANEL_ALONE))


@pytest.mark.parametrize("name", ["563 bonus in a void", "655a board exposed", "672a shoe is empty"])
def test_crash_at_every_moment_at_a_table_with_sensors(name: str) -> None:
    game, document = CASES[name]
    read = scenario(game, document)
    crash_everywhere(read, fitting(read, ALL_SENSORS))


def test_crash_at_every_moment_of_a_throw() -> None:
    read = pai_gow(dice=["1 3 6", "2 2 2"], incidents=[{"at": "throw 1", "kind": "no_roll"}])
    crash_everywhere(read, fitting(read, SHAKER))
