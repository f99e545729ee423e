"""The conformance kit: every kind of our link passes it, and a driver or device that is wrong does not."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import operator
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
import structlog

from tablectl.cli import EQUIPMENT, OK, USAGE, WRONG, main
from tablectl.devices import Delivery, Driver, Resume
from tablectl.equipment import Capability, Command, DeviceState, Kind, LinkUp
from tablectl_drivers.link.driver import LinkDriver
from tablectl_hil.conform import QUICK, HandBench, Terminal, conform, emulated_bench
from tablectl_hil.conformance import Check, CheckResult, NotRun, Outcome, checks_for, run, run_check
from tablectl_hil.control import Equipment, Piece, connect
from tests.drivers.rig import DEADLINE_S, emulated

VARIANTS: Final = {
    piece.id: piece
    for piece in (
        Piece("panel", Kind.PANEL),
        Piece(
            "full_panel", Kind.PANEL, (Capability.CARD_KEYS, Capability.DIGITS, Capability.TEXT, Capability.RELEASES)
        ),
        Piece("plain_shoe", Kind.SHOE),
        Piece("reading_shoe", Kind.SHOE, (Capability.READS,)),
        Piece("automated_shoe", Kind.SHOE, (Capability.DISPENSES, Capability.READS)),
        Piece("reshuffling_shoe", Kind.SHOE, (Capability.RESHUFFLES, Capability.COUNTS)),
        Piece("plain_shuffler", Kind.SHUFFLER),
        Piece("counting_shuffler", Kind.SHUFFLER, (Capability.COUNTS, Capability.SELF_TEST)),
        Piece("identifying_shuffler", Kind.SHUFFLER, (Capability.COUNTS, Capability.IDENTIFIES, Capability.BACKS)),
        Piece("batch_shuffler", Kind.SHUFFLER, (Capability.COUNTS, Capability.IDENTIFIES, Capability.BATCHES)),
        Piece("continuous_shuffler", Kind.SHUFFLER, (Capability.COUNTS, Capability.CONTINUOUS)),
        Piece("amounts", Kind.WAGER_SENSORS, (Capability.AMOUNTS,)),
        Piece("presence", Kind.WAGER_SENSORS),
        Piece("scanner", Kind.CARD_SCANNER),
        Piece("badge_reader", Kind.CREDENTIAL_READER),
        Piece("card_reader", Kind.CARD_READER),
        Piece("tested_card_reader", Kind.CARD_READER, (Capability.SELF_TEST,)),
        Piece("metered", Kind.PROGRESSIVE, (Capability.METER,)),
        Piece("refusing", Kind.PROGRESSIVE, (Capability.METER, Capability.REFUSES_LATE)),
        Piece("extra_roll", Kind.EXTRA_ROLL),
        Piece("three_dice", Kind.SHAKER, (Capability.THREE_DICE,)),
        Piece("six_dice", Kind.SHAKER, (Capability.SIX_DICE,)),
        Piece("ten_dice", Kind.SHAKER, (Capability.TEN_DICE,)),
        Piece("rng", Kind.RNG, (Capability.SELF_TEST,)),
    )
}
SLOW: Final = ("full_panel", "rng")  # what waits for time to pass is the link's alone


@pytest.fixture(scope="module")
def results(bench_folder: Path) -> dict[tuple[str, str], CheckResult]:
    """What came of every check of every variant; they run beside each other, as they mostly wait."""

    async def all_variants() -> dict[tuple[str, str], CheckResult]:
        found: dict[tuple[str, str], CheckResult] = {}

        async def one(piece: Piece, equipment: Equipment, chosen: Callable[[Check], bool], beside: str = "") -> None:
            twin = replace(piece, id=f"{piece.id}{beside}")
            bench = functools.partial(emulated_bench, LinkDriver, twin, equipment, QUICK)
            _, came = await run(bench, piece.kind, chosen=chosen)
            found.update({(piece.id, result.id): result for result in came})

        async with connect(bench_folder) as equipment, asyncio.TaskGroup() as tasks:
            for piece in VARIANTS.values():
                tasks.create_task(one(piece, equipment, lambda check: not check.slow))
            for id in SLOW:
                for slow in (check for check in checks_for(VARIANTS[id].kind) if check.slow):
                    chosen = functools.partial(operator.is_, slow)
                    tasks.create_task(one(VARIANTS[id], equipment, chosen, f"_{slow.id}"))
        return found

    return asyncio.run(all_variants())


@pytest.mark.parametrize(
    ("variant", "check"),
    [
        (piece.id, check.id)
        for piece in VARIANTS.values()
        for check in checks_for(piece.kind)
        if not check.slow or piece.id in SLOW
    ],
)
def test_conforms(results: dict[tuple[str, str], CheckResult], variant: str, check: str) -> None:
    result = results[variant, check]
    assert result.outcome in {Outcome.PASS, Outcome.NOT_APPLICABLE}, result.reason


def test_every_check_applies_to_some_variant(results: dict[tuple[str, str], CheckResult]) -> None:
    passed = {id for (_, id), result in results.items() if result.outcome is Outcome.PASS}
    assert passed == {check.id for kind in Kind for check in checks_for(kind)}


# What is wrong is found -----------------------------------------------------------------------------------------------


class Forgetful(LinkDriver):
    """Acknowledges what it delivers, committed or not."""

    async def _acknowledging(self, stream: AsyncIterator[Delivery]) -> AsyncIterator[Delivery]:
        async for delivery in stream:
            delivery.acknowledge()
            yield delivery

    def events(self) -> AsyncIterator[Delivery]:
        return self._acknowledging(super().events())


class Repeating(LinkDriver):
    """Delivers everything twice."""

    async def _twice(self, stream: AsyncIterator[Delivery]) -> AsyncIterator[Delivery]:
        async for delivery in stream:
            yield delivery
            yield delivery

    def events(self) -> AsyncIterator[Delivery]:
        return self._twice(super().events())


class Renumbering(LinkDriver):
    """Retries an actuation under another id, and whatever boot id the device has."""

    async def send(self, command: Command, command_id: int, *, boot: str | None = None) -> None:
        await super().send(command, command_id ^ 1 if boot is not None else command_id)


class Unresumed(LinkDriver):
    """Does not know where the last daemon stopped."""

    def __init__(
        self, id: str, kind: Kind, port: str, options: dict[str, str | int], resume: Resume | None = None
    ) -> None:
        super().__init__(id, kind, port, options)


class Stateless(LinkDriver):
    """Keeps the state to itself."""

    async def _without(self, stream: AsyncIterator[Delivery]) -> AsyncIterator[Delivery]:
        first = True
        async for delivery in stream:
            if not (isinstance(delivery.message, DeviceState) and first):
                yield delivery
            first = isinstance(delivery.message, LinkUp)

    def events(self) -> AsyncIterator[Delivery]:
        return self._without(super().events())


@pytest.mark.parametrize(
    ("driver", "check"),
    [
        (Forgetful, "kept-until-acknowledged"),
        (Repeating, "in-order"),
        (Renumbering, "memory-lost"),
        (Unresumed, "resumes"),
        (Stateless, "describes-itself"),
    ],
)
async def test_a_driver_that_is_wrong_fails(bench_folder: Path, driver: type[Driver], check: str) -> None:
    piece = Piece("wrong", Kind.RNG)
    (wanted,) = (it for it in checks_for(Kind.RNG) if it.id == check)
    async with connect(bench_folder) as equipment, emulated_bench(driver, piece, equipment, QUICK) as bench:
        bench.deadline_s = 1.0
        result = await run_check(wanted, bench, ())
    assert result.outcome is Outcome.FAIL
    assert result.reason


@pytest.mark.parametrize(
    ("piece", "check", "act", "arguments"),
    [
        (VARIANTS["metered"], "meter-on-connection", "drift", {"cents": 5}),
        (VARIANTS["metered"], "lock-out", "blind", {"seat": 3}),
        (VARIANTS["extra_roll"], "lock-out", "invent_next", {"seat": 7}),
        (VARIANTS["counting_shuffler"], "shuffle", "miscount_next", {"by": 1}),
        (VARIANTS["identifying_shuffler"], "deck-identified", "claim_next", {}),
        (VARIANTS["amounts"], "spots", "misread_next", {"amount": "1.00"}),
        (VARIANTS["reading_shoe"], "shoe-counts", "miss_next", {"cards": 1}),
        (VARIANTS["rng"], "rng-even", "draw_next", {"numbers": [3] * 350}),
        (VARIANTS["rng"], "self-test", "self_test_fails", {"detail": "source"}),
        (VARIANTS["three_dice"], "shaker-faces", "arrange", {"dice": ["1", "2"]}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_device_that_is_wrong_fails(
    bench_folder: Path, piece: Piece, check: str, act: str, arguments: dict[str, object]
) -> None:
    (wanted,) = (it for it in checks_for(piece.kind) if it.id == check)
    piece = replace(piece, id="wrong")
    async with connect(bench_folder) as equipment, emulated_bench(LinkDriver, piece, equipment, QUICK) as bench:
        bench.deadline_s = 1.0
        await equipment.act("wrong", act, **arguments)
        result = await run_check(wanted, bench, piece.capabilities)
    assert result.outcome is Outcome.FAIL


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
            assert await bench.look("Is it lit?", lambda equipment, id: False) is seen


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
        (["--kind=panel", "--emulate", "--check=sings"], "--check sings: there is no such check"),
    ],
)
def test_a_command_that_cannot_be(given: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hil", "conform", "table-device-link", *given]) == USAGE
    assert problem in capsys.readouterr().err
