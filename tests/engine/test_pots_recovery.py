"""A crash at every moment of a round of poker, and journals of such rounds retraced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tablectl.engine.scenario import load
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, PANEL_ALONE, PLAIN_SHOE
from tests.engine.scenarios import fitting
from tests.engine.test_recovery import crash_everywhere

SCENARIOS = Path(__file__).parent.parent / "scenarios"
ROUNDS = (
    ("omaha_high", "exposed_card_is_exchanged", PLAIN_SHOE),
    ("omaha_high", "button_by_a_card", ALL_SENSORS),
    ("omaha_hilo", "button_by_a_card_stays_after_a_misdeal", PANEL_ALONE),
    ("omaha_hilo", "hand_is_conceded", ALL_SENSORS),
    ("five_card_draw_low", "new_card_falls_off_the_table", PLAIN_SHOE),
    ("five_card_stud", "hole_card_exposed", ALL_SENSORS),
)


@pytest.mark.parametrize(("game", "name", "kit"), ROUNDS, ids=[f"{game}-{name}" for game, name, _kit in ROUNDS])
def test_637a_crash_at_every_moment_goes_on_from_the_same_step(game: str, name: str, kit: Kit) -> None:
    scenario = load(SCENARIOS / game / f"{name}.toml")
    scenario = replace(scenario, rounds=scenario.rounds[:1])
    crash_everywhere(scenario, fitting(scenario, kit))
