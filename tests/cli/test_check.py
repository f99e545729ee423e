"""`tablectl check`: what it prints, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablectl.cli import main
from tests.daemon.test_config import SMALL


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t1.toml").write_text(SMALL, encoding="utf-8")
    other = SMALL.replace('"T1"', '"T2"').replace('"journal"', '"other"').replace("/dev/panel", "/dev/panel-2")
    (tmp_path / "t2.toml").write_text(other, encoding="utf-8")
    (tmp_path / "bad.toml").write_text(SMALL.replace("manual_shoe", "from_hand") + "[peple]\n", encoding="utf-8")
    return tmp_path


def test_a_right_file_is_summed_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "t1.toml")]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert lines[0] == f"{folder}/t1.toml: nothing is wrong"
    assert lines[1:6] == [
        "  table         T1 in pit-1, main: three_card_poker, 7 seats, no limits",
        "  dealing       manual_shoe, shuffler none",
        "  decks         1 at the table, backs red or blue",
        "  panel         panel, table-device-link at serial:/dev/panel",
        f"  journal       {folder}/journal",
    ]
    assert not (folder / "journal").exists()


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('minimum = "10.00"\nmaximum = "500.00"\n', "limits 10.00 to 500.00"),
        ('minimum = "10.00"\n', "minimum 10.00, no maximum"),
        ('maximum = "500.00"\n', "no minimum, maximum 500.00"),
    ],
)
def test_limits_in_words(keys: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "t1.toml"
    file.write_text(SMALL.replace("[table]\n", f"[table]\n{keys}"), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(f", 7 seats, {said}")


def test_whether_usb_is_watched_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "t1.toml"
    assert main(["check", str(file)]) == 0
    assert (
        "  usb           not watched, as there is no section [usb]: a strange device is no alarm\n"
        in capsys.readouterr().out
    )
    for section, said in (
        ("", "none"),
        ('allow = ["046d:c31c", "0781:5567?serial=4C53"]', "046d:c31c, 0781:5567?serial=4C53"),
    ):
        file.write_text(f"{SMALL}[usb]\n{section}\n", encoding="utf-8")
        assert main(["check", str(file)]) == 0
        assert f"  usb           watched, allowed beside the table's own devices: {said}\n" in capsys.readouterr().out
    assert main(["check", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["table"]["usb"] == {"allow": ["046d:c31c", "0781:5567?serial=4C53"]}


def test_all_problems_go_to_standard_error_with_status_2(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "bad.toml")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        f"{folder}/bad.toml:6: table.dealing: dealing from the hand needs an automated shuffler [565.9(a)(1)]",
        f"{folder}/bad.toml:14: peple: unknown section or key: did you mean 'people'?",
    ]


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--json", str(folder / "t1.toml"), str(folder / "bad.toml")]) == 2
    good, bad = json.loads(capsys.readouterr().out)
    assert (good["ok"], good["problems"]) == (True, [])
    assert good["table"]["devices"] == [
        {"id": "panel", "kind": "panel", "driver": "table-device-link", "port": "serial:/dev/panel"}
    ]
    assert good["table"]["rules"]["version"] == "standard"
    assert (bad["ok"], bad["table"]) == (False, None)
    assert [(problem["line"], problem["key"]) for problem in bad["problems"]] == [(6, "table.dealing"), (14, "peple")]
    assert main(["check", "--json", str(folder / "t1.toml")]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == f"{folder}/t1.toml"


def test_tables_of_one_machine_are_held_against_each_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "t1.toml"), str(folder / "t2.toml")]) == 0
    capsys.readouterr()
    (folder / "t2.toml").write_text(SMALL, encoding="utf-8")
    assert main(["check", str(folder / "t1.toml"), str(folder / "t2.toml")]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"{folder}/t2.toml: table.id: {folder}/t1.toml is table 'T1' already: give each table its own id",
        f"{folder}/t2.toml: table.journal: {folder}/t1.toml has this journal already: give each table its own file",
        f"{folder}/t2.toml: devices.panel.port: {folder}/t1.toml has panel there: give each table its own",
    ]


def test_a_file_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "none.toml")]) == 2
    assert "none.toml: cannot be read: No such file or directory" in capsys.readouterr().err
