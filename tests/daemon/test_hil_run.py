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
    "free_bet_blackjack": ("cover_card_ends_the_shoe", "exposed_card_is_refused_by_all", "free_split_up_to_four_hands"),
    "double_back_jack": (
        "card_reader_fails_at_the_hole_card",
        "second_chance_of_split_and_doubled_hands",
        "surrender_under_an_ace",
    ),
    "high_roll_dice": ("extra_roll_invalid_or_cocked", "six_dice_several_seats"),
    "six_card_fortune_pai_gow": ("card_of_a_player_exposed_and_hand_void", "six_seats_and_every_wager"),
    "omaha_hilo": (
        "hand_is_conceded",
        "incremental_rake_and_two_funds",
        "kill_after_a_scooped_pot",
        "two_face_up_cards_are_a_misdeal",
    ),
    "omaha_high": ("button_by_a_card", "exposed_card_is_exchanged", "player_left_out_before_two_bets"),
    "five_card_draw_high": ("deck_runs_short", "winning_hand_is_shown_others_concede"),
    "five_card_draw_low": ("new_card_falls_off_the_table",),
    "five_card_stud": ("hole_card_exposed", "side_pot_and_concession"),
    "pai_gow_poker": ("every_result_at_six_seats", "from_the_hand", "surrenders"),
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


def test_position_that_no_panel_has_is_refused_before_a_table_is_set_up(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """By script it is recorded, as no clause speaks of it; at a table nobody could report it."""
    path = tmp_path / "nowhere.toml"
    path.write_text(
        'game = "mississippi_stud"\n[[round]]\nwagers = { 1 = { ante = "10.00" } }\ndecisions = { 1 = ["fold"] }\n'
        'incidents = [{ at = "decision 1", kind = "card_exposed", position = "dealer" }]\n'
    )
    assert main(["play", str(path)]) == 0
    capsys.readouterr()
    assert main(["hil", "run", str(path)]) == 2
    assert "round 1: incidents: card_exposed at decision 1.1: a panel of Mississippi Stud has no key for dealer" in (
        capsys.readouterr().err
    )
