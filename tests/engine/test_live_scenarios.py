"""The live core plays every scenario file to the same outcome as the script, whatever equipment the table has.

With all sensors the journal of each is played again, too. The kits take turns with the files; `make hil` has each kit
take them all.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tablectl.engine.retrace import Finding, retrace
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, IDENTITY, PANEL_ALONE, PLAIN_SHOE, Bench
from tests.engine.scenarios import fitting, playable, scripted, without_deck

KITS = {"panel_alone": PANEL_ALONE, "panel_and_plain_shoe": PLAIN_SHOE, "all_sensors": ALL_SENSORS}
EVERYTHING = "TABLECTL_HIL_ALL" in os.environ
CASES = [
    pytest.param(path, kit, id=f"{path.parent.name}-{path.stem}-{name}")
    for number, path in enumerate(playable())
    for turn, (name, kit) in enumerate(KITS.items())
    if EVERYTHING or number % len(KITS) == turn
]


@pytest.mark.parametrize(("path", "kit"), CASES)
def test_live_table_gives_the_scripts_outcome(path: Path, kit: Kit) -> None:
    scenario, outcome = scripted(path)
    expected = [without_deck(document) for document in outcome["rounds"]]
    bench = Bench(scenario, fitting(scenario, kit))
    assert [without_deck(document) for document in bench.play()] == expected
    if kit is ALL_SENSORS:
        played_again_the_same(bench)


def played_again_the_same(bench: Bench) -> None:
    """The whole journal played again: a stretch for each round, and one for that which has begun after the last."""
    stretches = list(retrace(bench.journal.kept, bench.make(IDENTITY), IDENTITY))
    assert [stretch.detail for stretch in stretches if stretch.finding is not Finding.SAME] == []
    assert [stretch.round for stretch in stretches] == list(range(1, len(stretches) + 1))
    assert len(stretches) > len(bench.scenario.rounds)
    assert stretches[-1].detail == "not closed yet"
