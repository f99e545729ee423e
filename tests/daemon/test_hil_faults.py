"""Faults by script: lines that lose, damage, repeat and delay, and devices that go and come back, change no outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablectl.engine.scenario import parse
from tablectl.engine.script import play
from tablectl.errors import ScenarioError
from tablectl.journal import heads_beside, verify
from tablectl_hil.faults import Fault, load
from tablectl_hil.tableside import run_scenario
from tests.engine.scenarios import without_deck

ROUND = {
    "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
    "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
    "decisions": {"1": ["bet"], "3": ["fold"]},
}


def scenario(rounds: int) -> dict[str, Any]:
    return {"game": "three_card_poker", "table": {"shuffler": "counting"}, "round": [ROUND] * rounds}


def fault(round: int, at: str, device: str, act: str, **arguments: object) -> Fault:
    return Fault.model_validate({"round": round, "at": at, "device": device, "act": act, "with": arguments})


async def test_faults_of_lines_and_devices_change_no_outcome(tmp_path: Path) -> None:
    noisy = {"corrupt_percent": 10, "lose_percent": 10, "duplicate_percent": 10}
    faults = [
        *(fault(1, "wagers", device, "wire", direction="out", **noisy) for device in ("panel", "shoe", "wagers")),
        *(fault(1, "wagers", device, "wire", direction="in", **noisy) for device in ("panel", "shoe", "scanner")),
        *(fault(2, "shuffle", device, "wire", direction="out") for device in ("panel", "shoe", "wagers")),
        *(fault(2, "shuffle", device, "wire", direction="in") for device in ("panel", "shoe", "scanner")),
        fault(2, "card 4", "shoe", "unplug", for_ms=200),
        fault(2, "decision 1", "wagers", "unplug", for_ms=200),
        fault(3, "card 2", "shoe", "babble", count=400),
        fault(3, "decision 3", "panel", "babble", count=400),
    ]
    played = parse(scenario(3))
    document = await run_scenario(played, tmp_path, "all", faults)
    expected = [without_deck(round) for round in play(played)["rounds"]]
    assert [without_deck(round) for round in document["rounds"]] == expected
    journal = tmp_path / "journal.db"
    assert verify(journal, heads_beside(journal)).ok


async def test_fault_whose_moment_does_not_come_is_an_error(tmp_path: Path) -> None:
    never = [fault(1, "decision 5", "shoe", "unplug", for_ms=100)]
    with pytest.raises(ScenarioError, match="moment decision 5 did not come"):
        await run_scenario(parse(scenario(1)), tmp_path, "all", never)


def test_faults_file_lists_everything_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "faults.toml"
    path.write_text('[[fault]]\nat = "card 0"\ndevice = "shoe"\nact = "unplug"\nwhen = 3\n', encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load(path)
    assert [line.split(": ")[1] for line in str(caught.value).splitlines()] == ["fault.0.at", "fault.0.when"]
