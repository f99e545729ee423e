"""`tablectl hil run` gives the outcome of `tablectl play`: a choice of scenario files; `make hil` plays them all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tablectl.cli import main
from tests.engine.scenarios import FILES, without_deck

CHOSEN = {
    "three_card_poker": (
        "automated_shoe_jams",
        "automated_shoe_jams_after_the_deal",
        "counting_shuffler_finds_a_wrong_number",
        "drawn_in_error_at_the_last_card",
        "seven_seats",
        "shoe_out_of_service_at_the_shuffle",
        "stub_count_wrong_and_misdealt_from_hand",
        "two_face_up_cards_in_an_automated_shoe",
    ),
    "texas_holdem_bonus": ("automated_shoe_with_the_stub_counted", "two_face_up_cards_on_the_board"),
    "criss_cross_poker": ("out_at_each_question",),
    "go_fore_it": ("skins_and_gopher_after_a_fold",),
    "lunar_poker": ("declared_hand_that_is_drawn_to", "settled_super_wagers_stand"),
    "mississippi_stud": ("six_seats_and_every_wager",),
    "crazy_4_poker": ("six_seats_and_every_wager",),
}
"""The files that are played in every run; of a game that is not named the first one is."""

EVERYTHING = "TABLECTL_HIL_ALL" in os.environ  # set by `make hil`
GAMES = list(dict.fromkeys(path.parent.name for path in FILES))


def chosen(game: str) -> list[Path]:
    files = [path for path in FILES if path.parent.name == game]
    names = CHOSEN.get(game, (files[0].stem,))
    return files if EVERYTHING else [path for path in files if path.stem in names]


def documents(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    status = main(words)
    printed = json.loads(capsys.readouterr().out)
    assert status == 0
    found = printed if isinstance(printed, list) else [printed]
    return [{**document, "rounds": [without_deck(r) for r in document["rounds"]]} for document in found]


@pytest.mark.timeout(3600 if EVERYTHING else 120)
@pytest.mark.parametrize("sensors", ["all", "panel"])
@pytest.mark.parametrize("game", GAMES)
def test_table_plays_scenario_files_as_the_script_does(
    capsys: pytest.CaptureFixture[str], game: str, sensors: str
) -> None:
    files = [str(path) for path in chosen(game)]
    assert EVERYTHING or len(files) == len(CHOSEN.get(game, ("the first",)))
    expected = documents(capsys, "play", *files, "--json")
    assert documents(capsys, "hil", "run", *files, "--json", "--sensors", sensors) == expected


def test_what_the_chapter_forbids_is_refused_without_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = tmp_path / "refused.json"
    scenario.write_text('{"game": "three_card_poker", "table": {"dealing": "from_hand"}, "round": []}')
    assert main(["hil", "run", str(scenario), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["cite"] == "565.9(a)(1)"
