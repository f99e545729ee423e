"""The conformance kit as it is used: steps by hand, the command, and its report."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import structlog

from tablectl.cli import EQUIPMENT, OK, USAGE, WRONG, main
from tablectl.devices import Options
from tablectl.devices.registry import load
from tablectl.equipment import Kind
from tablectl_drivers.link.driver import LinkDriver
from tablectl_hil.conform import HandBench, Terminal, conform
from tablectl_hil.conform_emulated import QUICK
from tablectl_hil.conform_emulated import emulated as kit_emulated
from tablectl_hil.conformance import CheckResult, NotRun, Outcome
from tablectl_hil.control import Equipment, Piece
from tests.drivers.rig import DEADLINE_S, emulated
from tests.drivers.test_conformance import Repeating, Stateless

# By hand --------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _typing(monkeypatch: pytest.MonkeyPatch, typed: bytes | None) -> Iterator[None]:
    """Standard input is a pipe on which that is typed; nothing is None, and the end of input is empty."""
    reading, writing = os.pipe()
    try:
        with open(reading, closefd=False) as standard_input:
            monkeypatch.setattr(sys, "stdin", standard_input)
            if typed:
                os.write(writing, typed)
            if typed == b"":
                os.close(writing)
            yield
    finally:
        monkeypatch.undo()
        os.close(reading)
        if typed != b"":
            os.close(writing)


class Robot:
    """A person who does what can be read on the terminal to the emulated scanner, and cannot find the power switch."""

    def __init__(self, equipment: Equipment) -> None:
        self.equipment = equipment
        self.asked: list[str] = []

    async def ask(self, question: str, answers: str) -> str:
        self.asked.append(question)
        for words, act in {
            "Show a card": ("show", {"card": "As"}),
            "Show As": ("show", {"card": "As"}),
            "Show Td": ("show", {"card": "Td"}),
            "Show 2c": ("show", {"card": "2c"}),
            "Show the back": ("show_unreadable", {}),
            "Pull": ("unplug", {}),
            "Put the device's cable back": ("replug", {}),
        }.items():
            if question.startswith(words):
                await self.equipment.act("by_hand", act[0], **act[1])
                return answers[0]
        raise NotRun(f"it could not be done: {question}")


async def test_steps_by_hand(bench_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablectl_hil.conform.QUIET_S", 0.05)
    async with emulated(bench_folder, Piece("by_hand", Kind.CARD_SCANNER)) as equipment:
        robot = Robot(equipment)
        told: list[CheckResult] = []
        report = await conform(
            "table-device-link",
            LinkDriver,
            Kind.CARD_SCANNER,
            equipment.port("by_hand"),
            QUICK,
            person=robot,
            slow=False,
            told=told.append,
        )
    outcomes = {result.id: result.outcome for result in told}
    assert list(report.results) == told
    assert report.conforms, [it for it in told if it.outcome is Outcome.FAIL]
    assert report.verdict.startswith("conforms as far as it was checked")
    for id in ("in-order", "lost-and-back", "absent", "scans", "kept-until-acknowledged"):
        assert outcomes[id] is Outcome.PASS, id
    for id in ("power-cycle", "says-changes-of-state", "line-lost", "memory-lost"):
        assert outcomes[id] is Outcome.NOT_RUN, id
    assert outcomes["acts-once"] is Outcome.NOT_APPLICABLE
    assert any("power" in question for question in robot.asked)


async def test_a_terminal_without_a_person_runs_no_step() -> None:
    with pytest.raises(NotRun, match="nobody was asked: press"):
        await Terminal(1.0, present=False).ask("press", " s")


@pytest.mark.parametrize(
    ("typed", "expected"), [(b"\n", " "), (b"s\n", "it could not be done"), (b"", "the terminal is closed")]
)
async def test_a_person_at_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: bytes, expected: str
) -> None:
    with _typing(monkeypatch, typed):
        terminal = Terminal(DEADLINE_S, present=True)
        if expected == " ":
            assert await terminal.ask("Press any key once.", " s") == " "
        else:
            with pytest.raises(NotRun, match=expected):
                await terminal.ask("Press any key once.", " s")
    assert "Press any key once." in capsys.readouterr().err


async def test_a_step_that_nobody_does_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with _typing(monkeypatch, None), pytest.raises(NotRun, match=r"nobody did it within 0\.05 s"):
        await Terminal(0.05, present=True).ask("Press any key once.", " s")


async def test_a_look_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for typed, seen in ((b"y\n", True), (b"n\n", False)):
        with _typing(monkeypatch, typed):
            bench = HandBench(LinkDriver, Kind.PANEL, "serial:x", {}, Terminal(DEADLINE_S, present=True))
            assert await bench.look("Is it lit?", lambda sights: False) is seen


# The command and its report -------------------------------------------------------------------------------------------


@pytest.fixture
def logging_as_before() -> Iterator[None]:
    """The command sets the log up; leave that of the test process as it was."""
    root = logging.getLogger()  # noqa: TID251
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    logging.captureWarnings(False)
    root.handlers[:] = handlers
    root.setLevel(level)


FAST = ("--option=retry_ms=20", "--option=retry_max_ms=50", "--option=lost_after_ms=2000")


@pytest.mark.usefixtures("logging_as_before")
def test_the_command_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["hil", "conform", "table-device-link", "--kind=card_reader", "--emulate", "--check=hole-card-bit", *FAST]
    assert main([*given, f"--report={tmp_path / 'report.md'}"]) == OK
    assert capsys.readouterr().out.splitlines()[-1] == "conforms (1 pass, 0 FAIL, 0 not applicable, 0 not run)"
    page = (tmp_path / "report.md").read_text()
    assert "| Device | Emulated hole-card reader, serial number EMU-it, firmware 1.0 (emulated) |" in page
    assert "| Driver | table-device-link (tablectl " in page
    assert "| hole-card-bit | Says one bit" in page
    assert main([*given, "--json", "--capability=self_test", f"--report={tmp_path / 'report.json'}"]) == OK
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads((tmp_path / "report.json").read_text())
    assert document["conforms"] is True
    assert document["device"]["capabilities"] == ["self_test"]
    assert [(it["id"], it["outcome"]) for it in document["results"]] == [("hole-card-bit", "pass")]


@pytest.mark.usefixtures("logging_as_before")
def test_the_command_fails_with_a_wrong_driver(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tablectl.devices.registry.load", lambda name: Stateless)
    given = ["hil", "conform", "stateless", "--kind=panel", "--emulate", "--check=command-ids", "--check=panel-prompts"]
    # A panel without its first state does not come up at all: the kit waits for it in vain.
    monkeypatch.setattr("tablectl_hil.conformance.Bench.deadline_s", 0.5)
    assert main([*given, *FAST]) == EQUIPMENT
    assert "no panel answers" in capsys.readouterr().err
    monkeypatch.setattr("tablectl.devices.registry.load", lambda name: Repeating)
    assert main(["hil", "conform", "repeating", "--kind=panel", "--emulate", "--check=in-order", *FAST]) == WRONG
    assert capsys.readouterr().out.splitlines()[-1].startswith("does not conform (0 pass, 1 FAIL")


@pytest.mark.usefixtures("logging_as_before")
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["--kind=lamp", "--emulate"], "--kind lamp: expected one of card_reader"),
        (["--kind=panel", "--emulate", "--capability=sings"], "--capability sings: expected one of amounts"),
        (["--kind=panel", "--emulate", "--option=fast"], "--option fast: expected KEY=VALUE"),
        (["--kind=panel", "--emulate", "--option=fast=1"], "[devices.it] fast: unknown key"),
        (["--kind=panel", "--port=ttyUSB0"], "[devices.it] port:"),
        (["--kind=panel", "--port=serial:x", "--over=bulk"], "--over bulk: only with --emulate"),
        (["--kind=panel", "--emulate", "--check=sings"], "--check sings: there is no such check"),
    ],
)
def test_a_command_that_cannot_be(given: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hil", "conform", "table-device-link", *given]) == USAGE
    assert problem in capsys.readouterr().err


# Every driver ---------------------------------------------------------------------------------------------------------

EVDEV: Final = "emulated, as a Linux input device"
DRIVERS: Final[tuple[tuple[str, str, Options, str], ...]] = (
    ("osdp", "credential_reader", {}, "emulated, on a serial line"),
    ("osdp", "credential_reader", {"secure_channel": False}, "emulated, on a serial line"),
    ("xkeys", "panel", {}, "emulated, on USB"),
    ("hid-buttons", "panel", {"report_id": 1}, "emulated, on USB"),
    ("linux-input", "panel", {}, EVDEV),
    ("linux-input", "credential_reader", {"length": 12}, EVDEV),
)


def as_arguments(options: Options) -> list[str]:
    return [f"--option={key}={json.dumps(value)}" for key, value in options.items()]


@pytest.mark.usefixtures("logging_as_before")
@pytest.mark.parametrize(
    ("driver", "kind", "options", "where", "more"),
    [
        ("table-device-link", "wager_sensors", {}, "emulated, on a serial line", []),
        ("table-device-link", "wager_sensors", {}, "emulated, on bulk endpoints of USB", ["--over=bulk"]),
        *((*it, []) for it in DRIVERS),
    ],
)
def test_the_command_emulates_a_device_for_every_driver(
    driver: str, kind: str, options: Options, where: str, more: list[str], tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    checks = ["--check=in-order", "--check=kept-until-acknowledged"]
    given = ["hil", "conform", driver, f"--kind={kind}", "--emulate", *checks, *as_arguments(options), *more]
    assert main([*given, f"--report={report}"]) == OK
    document = json.loads(report.read_text())
    assert (document["port"], document["emulated"], document["conforms"]) == (where, True, True)
    assert (document["link_version"] is None) is (driver != "table-device-link")
    assert "key_file" not in document["options"]
    outcomes = {it["id"]: (it["outcome"], it["reason"]) for it in document["results"]}
    assert outcomes["in-order"] == ("pass", "")
    kept, reason = outcomes["kept-until-acknowledged"]
    assert kept == ("pass" if driver == "table-device-link" else "not_applicable")
    assert reason.startswith("" if kept == "pass" else "the device keeps nothing")


@pytest.mark.usefixtures("logging_as_before")
@pytest.mark.parametrize(("driver", "kind", "options", "where"), DRIVERS)
async def test_the_command_with_a_port_and_nobody_there(
    driver: str,
    kind: str,
    options: Options,
    where: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is behind the port is emulated here, on a loop that goes on meanwhile; the command does not know that."""
    monkeypatch.setattr("tablectl_hil.conform.QUIET_S", 0.05)
    monkeypatch.setattr("tablectl_drivers.usb.port.READ_MS", 20)
    piece = Piece("it", Kind(kind))
    checks = [f"--check={id}" for id in ("describes-itself", "in-order", "kept-until-acknowledged", "locks-its-port")]
    async with kit_emulated(load(driver), piece, options) as kit:
        await kit.equipment.add(piece)
        command = ["hil", "conform", driver, f"--kind={kind}", f"--port={kit.port}", "--no-hands", *checks]
        command += [*as_arguments(kit.options), f"--report={tmp_path / 'report.md'}"]
        status = await asyncio.to_thread(main, command)
        await kit.equipment.remove(piece.id)
    said = capsys.readouterr().out.splitlines()
    assert status == OK, said
    assert [line[: line.index(":")] for line in said[:-1]] == [
        "PASS            describes-itself",
        "NOT_RUN         in-order",
        "NOT_APPLICABLE  kept-until-acknowledged",
        "PASS            locks-its-port",
    ]
    assert said[-1] == "conforms as far as it was checked (2 pass, 0 FAIL, 1 not applicable, 1 not run)"
    assert f"| Port | {kit.port} |" in (tmp_path / "report.md").read_text()
