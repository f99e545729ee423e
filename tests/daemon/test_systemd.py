"""The unit and what goes with it, as systemd's own tools read them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tablectl.cli import main

FOLDER = Path(__file__).parents[2] / "systemd"
UNIT = FOLDER / "tablectl@.service"
PROGRAM = "/opt/tablectl/bin/tablectl"


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not on this machine")
    return found


def settings() -> dict[str, list[str]]:
    """The unit's settings, each with its values in order."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text("utf-8").splitlines():
        if line and line[0] not in "#[":
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def placed(folder: Path, text: str) -> Path:
    """An instance of the unit whose program is one that this machine has."""
    path = folder / "tablectl@t1.service"
    path.write_text(text.replace(PROGRAM, sys.executable), encoding="utf-8")
    return path


def test_systemd_finds_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    """`verify` ends with 0 for unknown keys and bad values, so what counts is that it prints nothing."""
    command = [tool("systemd-analyze"), "verify"]
    text = UNIT.read_text("utf-8")
    done = subprocess.run([*command, placed(tmp_path, text)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for wrong in ("WatchdgSec=20\n", "Restart=perhaps\n", "SystemCallFilter=@no-such-set\n"):
        broken = placed(tmp_path, text.replace("[Install]", f"{wrong}[Install]"))
        said = subprocess.run([*command, broken], capture_output=True, text=True, check=False).stderr
        assert said, f"{wrong!r} would not be noticed"


def test_the_unit_is_confined(tmp_path: Path) -> None:
    command = [tool("systemd-analyze"), "security", "--offline=true", "--threshold=20"]
    done = subprocess.run(
        [*command, placed(tmp_path, UNIT.read_text("utf-8"))], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Overall exposure level" in done.stdout
    bare = placed(tmp_path, f"[Service]\nExecStart={PROGRAM}\n")
    assert subprocess.run([*command, bare], capture_output=True, check=False).returncode != 0


def test_the_unit_never_gives_up_and_depends_on_no_device() -> None:
    unit = settings()
    assert unit["Type"] == ["notify"]
    assert unit["Restart"] == ["always"]
    assert unit["StartLimitIntervalSec"] == ["0"]
    assert int(unit["WatchdogSec"][0]) > 0
    for key in ("BindsTo", "Requires", "Requisite", "PartOf", "BindTo", "JoinsNamespaceOf"):
        assert key not in unit
    assert not re.search(r"\bdev-\S+\.device\b", UNIT.read_text("utf-8"))


def test_the_journal_may_ask_whether_the_clock_is_synchronised() -> None:
    unit = settings()
    last = unit["SystemCallFilter"][-1].split()
    assert {"adjtimex", "clock_adjtime"} <= set(last)
    assert "ProtectClock" not in unit
    assert unit["CapabilityBoundingSet"] == [""], "so that nobody can set it"


def test_the_unit_runs_the_command_that_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, *words = settings()["ExecStart"][0].replace("%i", "t1").split()
    assert program == PROGRAM
    assert words == ["run", "/etc/tablectl/t1.toml"]
    assert main([words[0], str(tmp_path / "t1.toml")]) == 2
    assert "t1.toml: cannot be read" in capsys.readouterr().err


def test_the_user_is_made(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    command = [tool("systemd-sysusers"), f"--root={tmp_path}", str(FOLDER / "tablectl.sysusers")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    passwd = (tmp_path / "etc" / "passwd").read_text("utf-8").strip().split(":")
    unit = settings()
    assert [passwd[0]] == unit["User"] == unit["Group"]
    assert passwd[5:] == ["/var/lib/tablectl", "/usr/sbin/nologin"]
    assert unit["StateDirectory"] == ["tablectl/%i"]


def test_the_udev_rules_are_well_formed_and_start_nothing() -> None:
    """The tool that would check them is newer than the systems that this runs on."""
    pair = re.compile(r'(\w+)(\{[^}]+\})?(==|!=|\+=|:=|=)"([^"]*)"')
    matches = {"ACTION", "SUBSYSTEM", "SUBSYSTEMS", "KERNEL", "DRIVERS", "TEST", "ENV", "ATTR"}
    sets = {"ENV", "ATTR", "GROUP", "MODE", "SYMLINK", "GOTO", "LABEL"}
    rules = []
    for line in (FOLDER / "99-tablectl.rules").read_text("utf-8").splitlines():
        if not line or (line[0] == "#" and not line.startswith("#SUBSYSTEM")):
            continue
        items = [item.strip() for item in line.removeprefix("#").split(", ")]
        found = [pair.fullmatch(item) for item in items]
        assert all(found), line
        for item in found:
            assert item is not None
            assert item[1] in (matches if item[3] in ("==", "!=") else sets), line
        rules.append(line)
    text = "\n".join(rules)
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in text
    assert re.findall(r'GOTO="(\w+)"', text) == re.findall(r'LABEL="(\w+)"', text)
    for word in ("SYSTEMD_WANTS", "RUN", "PROGRAM", "TAG"):
        assert word not in text
