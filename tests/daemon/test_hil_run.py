"""`tablectl hil run` gives the outcome of `tablectl play`: a choice of scenario files; `make hil` plays them all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tablectl.cli import main
from tests.engine.scenarios import FILES, without_deck

CHOSEN = (
    "automated_shoe_jams",
    "both_required",
    "card_face_up",
    "counting_shuffler_finds_a_wrong_number",
    "drawn_in_error_at_the_last_card",
    "seven_seats",
    "shoe_out_of_service_at_the_shuffle",
    "stub_count_wrong_and_misdealt_from_hand",
    "two_face_up_cards_in_an_automated_shoe",
)
EVERYTHING = "TABLECTL_HIL_ALL" in os.environ  # set by `make hil`
PATHS = [path for path in FILES if EVERYTHING or any(path.stem.startswith(name) for name in CHOSEN)]


def documents(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    status = main(words)
    printed = json.loads(capsys.readouterr().out)
    assert status == 0
    found = printed if isinstance(printed, list) else [printed]
    return [{**document, "rounds": [without_deck(r) for r in document["rounds"]]} for document in found]


@pytest.mark.timeout(3600 if EVERYTHING else 120)
@pytest.mark.parametrize("sensors", ["all", "panel"])
def test_table_plays_scenario_files_as_the_script_does(capsys: pytest.CaptureFixture[str], sensors: str) -> None:
    assert len(PATHS) >= 8
    files = [str(path) for path in PATHS]
    expected = documents(capsys, "play", *files, "--json")
    assert documents(capsys, "hil", "run", *files, "--json", "--sensors", sensors) == expected


def test_what_the_chapter_forbids_is_refused_without_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = tmp_path / "refused.json"
    scenario.write_text('{"game": "three_card_poker", "table": {"dealing": "from_hand"}, "round": []}')
    assert main(["hil", "run", str(scenario), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["cite"] == "565.9(a)(1)"
