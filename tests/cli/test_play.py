"""`tablectl play`, `rules` and `games` as a process: what they print, and with which exit status they end."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablectl.cli import main
from tests.games.scenarios import SCENARIOS, expected_outcome, without_deck_ids

GOOD = SCENARIOS / "three_card_poker" / "higher_hand_wins_and_a_fold.toml"
OTHER = SCENARIOS / "three_card_poker" / "two_face_up_cards_void_the_round.toml"

REFUSED = """
game = "three_card_poker"
[[round]]
wagers = { 1 = { pair_plus = "5.00" } }
[[round]]
wagers = { 2 = { ante = "10.00" } }
decisions = { 2 = ["check"] }
[[round]]
wagers = { 1 = { pair_plus = "5.00" } }
"""
MALFORMED = """
game = "three_card_poker"
[table]
colour = "green"
[[round]]
wagers = { 1 = { ante = 10 } }
"""


@pytest.fixture
def refused(tmp_path: Path) -> Path:
    path = tmp_path / "refused.toml"
    path.write_text(REFUSED, encoding="utf-8")
    return path


@pytest.fixture
def malformed(tmp_path: Path) -> Path:
    path = tmp_path / "malformed.toml"
    path.write_text(MALFORMED, encoding="utf-8")
    return path


def play(capsys: pytest.CaptureFixture[str], *paths: Path) -> tuple[int, Any, str]:
    status = main(["play", *(str(path) for path in paths), "--json"])
    printed = capsys.readouterr()
    return status, json.loads(printed.out), printed.err


def test_one_file_prints_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    status, document, errors = play(capsys, GOOD)
    assert (status, errors) == (0, "")
    assert without_deck_ids(document) == expected_outcome(GOOD)


def test_void_round_is_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    status, document, _ = play(capsys, OTHER)
    assert status == 0
    assert document["rounds"][0]["outcome"] == "void"


def test_several_files_print_a_list_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    status, documents, _ = play(capsys, OTHER, GOOD, OTHER)
    assert status == 0
    assert [without_deck_ids(d) for d in documents] == [expected_outcome(path) for path in (OTHER, GOOD, OTHER)]


def test_forbidden_round_is_status_1_with_the_rounds_before_it(
    capsys: pytest.CaptureFixture[str], refused: Path
) -> None:
    status, document, errors = play(capsys, refused)
    assert status == 1
    assert set(document) == {"game", "rounds", "error"}
    assert [played["outcome"] for played in document["rounds"]] == ["completed"]
    assert set(document["error"]) == {"seat", "stage", "message", "cite"}
    assert (document["error"]["seat"], document["error"]["stage"]) == (2, "DECIDING")
    assert "bet or fold" in document["error"]["message"]
    assert f"{refused}: round 2: seat 2: DECIDING: " in errors


def test_document_that_is_not_well_formed_is_status_2_with_every_fault(
    capsys: pytest.CaptureFixture[str], malformed: Path
) -> None:
    status, document, errors = play(capsys, malformed)
    assert status == 2
    assert "rounds" not in document
    for key in ("table.colour", "ante"):
        assert key in errors
        assert key in document["error"]["message"]
    assert str(malformed) in errors


def test_highest_status_of_all_files(capsys: pytest.CaptureFixture[str], refused: Path, malformed: Path) -> None:
    assert play(capsys, GOOD, refused)[0] == 1
    assert play(capsys, refused, GOOD)[0] == 1
    status, documents, _ = play(capsys, malformed, refused, GOOD)
    assert status == 2
    assert ["rounds" in document for document in documents] == [False, True, True]
    assert without_deck_ids(documents[2]) == expected_outcome(GOOD)


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("broken.toml", "game = ", "broken.toml"),
        ("broken.json", "{", "broken.json"),
        ("list.json", "[]", "list.json"),
        ("game.toml", 'game = "snap"\nround = []', "snap"),
        ("nothing.toml", "", "game"),
        ("rules.toml", 'game = "three_card_poker"\nround = []\n[rules]\nversion = "deluxe"', "version"),
        ("twice.json", '{"game": "three_card_poker", "round": [{"wagers": {"1": {}, "1": {}}}]}', "'1' stands twice"),
        ("nan.json", '{"game": "three_card_poker", "round": [], "table": {"deck_hours": NaN}}', "NaN"),
        ("inf.toml", 'game = "three_card_poker"\nround = []\n[table]\ndeck_hours = inf', "deck_hours"),
        ("deep.json", "[" * 100_000, "deep.json"),
        ("deep.toml", "a = " + "[" * 100_000, "deep.toml"),
        ("long.json", '{"game": ' + "9" * 5_000 + "}", "long.json"),
        ("latin.toml", "game = '\udce9'", "latin.toml"),
    ],
)
def test_file_that_cannot_be_read_as_a_scenario(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str, word: str
) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    status, document, errors = play(capsys, path)
    assert status == 2
    assert word in errors
    assert document == {"file": str(path), "error": {"message": errors.rstrip("\n")}}


def test_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _document, errors = play(capsys, tmp_path / "missing.toml")
    assert status == 2
    assert "missing.toml" in errors


def test_json_scenario_is_the_same_as_toml(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = {
        "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
        "cards": "Kh 7c Qs 9d 5d 8h 4c 2h 3d",
        "decisions": {"1": ["bet"], "3": ["fold"]},
    }
    path = tmp_path / "same.json"
    path.write_text(
        json.dumps({"game": "three_card_poker", "table": {"shuffler": "counting"}, "round": [script]}), encoding="utf-8"
    )
    status, document, _ = play(capsys, path)
    assert status == 0
    assert without_deck_ids(document) == expected_outcome(GOOD)


def test_for_people_it_prints_seats_results_and_clauses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", str(GOOD)]) == 0
    printed = capsys.readouterr().out
    for words in ("completed", "seat 1 pair_plus: lose", "565.12(b)", "seat 1 15.00", "seat 3 -25.00"):
        assert words in printed


def test_for_people_errors_are_on_the_other_stream(
    capsys: pytest.CaptureFixture[str], refused: Path, malformed: Path
) -> None:
    assert main(["play", str(malformed), str(refused)]) == 2
    printed = capsys.readouterr()
    assert "round 2: seat 2: DECIDING" in printed.err
    assert "round 1: completed" in printed.out


def test_as_a_process() -> None:
    command = [sys.executable, "-m", "tablectl", "play", str(GOOD), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert without_deck_ids(json.loads(done.stdout)) == expected_outcome(GOOD)


@pytest.mark.parametrize("command", [["games"], ["rules", "lunar_poker", "--sign"], ["play", str(GOOD), "--json"]])
def test_standard_output_that_is_full_is_said_in_one_line(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w", buffering=1)
    monkeypatch.setattr(sys, "stdout", full)
    assert main(command) == 3
    monkeypatch.undo()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tablectl: cannot write to standard output: No space left on device")
    with contextlib.suppress(OSError):
        full.close()


def as_a_process(redirected: str, *command: str) -> tuple[int, list[str]]:
    """Status and what was said on the other stream, with standard output as the shell redirects it."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirected}', "sh", sys.executable, "-m", "tablectl", *command],
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("redirected", "command"), [(">/dev/full", ["games"]), (">/dev/full", ["--help"]), (">&-", ["games"])]
)
def test_nothing_but_that_line_comes_of_output_that_cannot_be_written(redirected: str, command: list[str]) -> None:
    """Not at the end of the process, either, when Python writes what it has held back."""
    status, lines = as_a_process(redirected, *command)
    assert (status, len(lines)) == (3, 1)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_reader_who_went_away_is_told_nothing(unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tablectl", "games"],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [["play"], ["play", "--colour"], ["deal"], []])
def test_wrong_usage_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["play", "rules", "games"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert command in capsys.readouterr().out


def test_565_12_rules_print_every_paytable_with_its_clause(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "three_card_poker", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["game"], document["chapter"]) == ("three_card_poker", "565")
    tables = {(t["wager"], t["id"]): (t["cite"], dict(t["rows"])) for t in document["paytables"]}
    assert tables["pair_plus", "minimum"] == (
        "565.12(d)",
        {
            "mini_royal": "35:1",
            "straight_flush": "35:1",
            "three_of_a_kind": "25:1",
            "straight": "5:1",
            "flush": "3:1",
            "pair": "1:1",
        },
    )
    bonus = {id: found for (wager, id), found in tables.items() if wager == "ante_bonus"}
    assert bonus["standard"] == ("565.12(e)", {"straight_flush": "5:1", "three_of_a_kind": "4:1", "straight": "1:1"})
    spades = {"mini_royal_spades": "50:1"}
    assert bonus["A"] == (
        "565.12(f)",
        {**spades, "mini_royal": "5:1", "straight_flush": "4:1", "three_of_a_kind": "3:1", "straight": "1:1"},
    )
    assert bonus["B"] == (
        "565.12(f)",
        {**spades, "mini_royal": "50:1", "straight_flush": "8:1", "three_of_a_kind": "6:1"},
    )
    assert bonus["C"] == (
        "565.12(f)",
        {**spades, "mini_royal": "10:1", "straight_flush": "4:1", "three_of_a_kind": "3:1"},
    )
    assert all(isinstance(row, list) and len(row) == 2 for table in document["paytables"] for row in table["rows"])


def test_rules_print_every_option_with_default_and_clause(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "three_card_poker", "--json"]) == 0
    options = {o["key"]: o for o in json.loads(capsys.readouterr().out)["options"]}
    assert options["version"]["default"] == "standard"
    assert options["version"]["values"] == [
        "standard",
        "pair_plus_needs_equal_ante",
        "pair_plus_needs_half_ante",
        "both_required",
    ]
    assert {key: (o["default"], o["cite"]) for key, o in options.items() if key != "version"} == {
        "smallest_chip": ("1.00", None),
        "ante_bonus_paytable": ("A", "565.12(f)"),
        "ante_bonus_cells": ({"straight": "unset", "mini_royal_spades": "unset"}, "565.12(f)"),
        "pair_plus_paytable": (
            {
                "pair": "1:1",
                "flush": "3:1",
                "straight": "5:1",
                "three_of_a_kind": "25:1",
                "straight_flush": "35:1",
                "mini_royal": "35:1",
            },
            "565.12(d)",
        ),
        "pair_plus_after_fold": ("stays", "565.11(b)"),
        "adjacent_positions": (False, "565.7(e)"),
    }
    assert all(o["help"] for o in options.values())


def test_games_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json"]) == 0
    listed = {g["game"]: g for g in json.loads(capsys.readouterr().out)}
    assert listed["three_card_poker"]["chapter"] == "565"
    assert listed["three_card_poker"]["seats"] == 7


def test_rules_of_an_unknown_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "snap"]) == 2
    assert "three_card_poker" in capsys.readouterr().err
