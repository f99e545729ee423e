"""The live core plays every scenario file to the same outcome as the script, whatever equipment the table has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.engine.scenario import load
from tablectl.engine.script import play
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, PANEL_ALONE, PLAIN_SHOE, Bench
from tests.engine.scenarios import fitting, playable, without_deck

KITS = {"panel_alone": PANEL_ALONE, "panel_and_plain_shoe": PLAIN_SHOE, "all_sensors": ALL_SENSORS}


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@pytest.mark.parametrize("path", playable(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_live_table_gives_the_scripts_outcome(path: Path, kit: Kit) -> None:
    scenario = load(path)
    expected = [without_deck(document) for document in play(scenario)["rounds"]]
    assert [without_deck(d) for d in Bench(scenario, fitting(scenario, kit)).play()] == expected
