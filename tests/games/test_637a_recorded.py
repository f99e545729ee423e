"""Hands that were played for money, as they are on public record: every seat has won what it won then.

Each is a scenario `recorded_N.toml`, and so is played by script, on the bench and at a table like every other one. What
each seat had more or less after it is written down here from the record. Where the house of that time took its rake in
another way than can be filed, the amounts are those before it.
"""

from __future__ import annotations

import pytest

from tablectl.engine.scenario import load
from tablectl.engine.script import play
from tests.games.scenarios import SCENARIOS, expected_outcome

RECORDED: dict[str, dict[str, dict[int, str]]] = {
    "omaha_hilo": {
        "recorded_1": {1: "-100.00", 2: "-1400.00", 3: "1500.00", 4: "0.00", 5: "0.00"},
        "recorded_2": {1: "1800.00", 2: "-200.00", 3: "0.00", 4: "-1600.00", 5: "0.00"},
        "recorded_3": {1: "-100.00", 2: "975.00", 3: "0.00", 4: "-875.00", 5: "0.00"},
        "recorded_4": {1: "-1400.00", 2: "-200.00", 3: "1600.00", 4: "0.00", 5: "0.00"},
        "recorded_5": {
            1: "0.00",
            2: "0.00",
            3: "0.00",
            4: "0.00",
            5: "-5.00",
            6: "0.00",
            7: "19.00",
            8: "-15.00",
            9: "0.00",
            10: "0.00",
        },
        "recorded_6": {5: "-2.50", 6: "0.75", 7: "0.75"},
    },
    "omaha_high": {
        "recorded_1": {1: "-4.00", 2: "254.00", 3: "-2.00", 4: "152.00", 5: "-400.00", 6: "0.00"},
        "recorded_2": {1: "-0.27", 2: "-0.53", 4: "-0.27", 5: "2.57", 6: "-1.45", 7: "0.00", 8: "0.00", 9: "-0.05"},
    },
    "five_card_draw_high": {
        "recorded_1": {1: "0.00", 3: "-0.20", 4: "0.33", 5: "-0.15", 6: "0.00"},
        "recorded_2": {1: "-3.00", 3: "10.10", 4: "-8.00"},
        "recorded_3": {1: "0.00", 2: "0.00", 3: "0.00", 4: "0.45", 5: "-0.50"},
    },
    "five_card_draw_low": {
        "recorded_1": {1: "-0.25", 2: "-2.50", 3: "-0.50", 4: "0.00", 5: "0.00", 6: "0.00", 7: "3.00"},
        "recorded_2": {1: "0.00", 2: "0.00", 3: "-2.00", 4: "0.00", 5: "-0.25", 6: "2.05", 7: "0.00"},
    },
    "five_card_stud": {
        "recorded_1": {1: "0.20", 4: "-0.22"},
    },
}
CASES = [(game, name) for game, hands in RECORDED.items() for name in hands]


@pytest.mark.parametrize(("game", "name"), CASES)
def test_637a_every_seat_has_won_what_it_won_then(game: str, name: str) -> None:
    won = {str(seat): amount for seat, amount in RECORDED[game][name].items()}
    path = SCENARIOS / game / f"{name}.toml"
    (played,) = play(load(path))["rounds"]
    assert played["outcome"] == "completed"
    assert played["net"] == won
    (expected,) = expected_outcome(path)["rounds"]
    assert expected["net"] == won, "as it was worked out from the text"


def test_every_recorded_hand_is_here() -> None:
    files = {(path.parent.name, path.stem) for path in SCENARIOS.glob("*/recorded_*.toml")}
    assert files == {*CASES}
