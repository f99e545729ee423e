"""`tablectl hil conform`: the conformance kit against one driver and device, real or emulated, and its report.

With a real device each step that needs a hand is asked for at the terminal, and not run when nobody does it in time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, Protocol

from tablectl import __version__
from tablectl.devices import Device, Driver, Options, Resume
from tablectl.devices.registry import GROUP
from tablectl.equipment import Description, Kind, SeatLight
from tablectl_drivers.link.driver import LinkDriver
from tablectl_drivers.link.frames import VERSION
from tablectl_drivers.memoryless import MemorylessDriver
from tablectl_hil.conform_emulated import Over, emulated
from tablectl_hil.conformance import Bench, Check, CheckResult, NotRun, Outcome, Sights, Watch, run
from tablectl_hil.control import Equipment, Piece, Shown

__all__ = ["EmulatedBench", "HandBench", "Report", "ID", "Terminal", "conform", "emulated_bench", "emulated_conform"]

ID: Final = "it"
QUIET_S: Final = 0.3

_WORDS: Final = {
    Outcome.PASS: "pass",
    Outcome.FAIL: "FAIL",
    Outcome.NOT_APPLICABLE: "not applicable",
    Outcome.NOT_RUN: "not run",
}


def _keeps(driver: type[Driver]) -> bool:
    """Whether the devices of a driver keep what they say until it is acknowledged."""
    return not issubclass(driver, MemorylessDriver)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What can be seen at one device among the emulators."""

    equipment: Equipment
    id: str

    def showing(self) -> Shown:
        return self.equipment.showing(self.id)

    def lights(self) -> tuple[SeatLight, ...]:
        return self.equipment.lights(self.id)

    def present(self) -> bool:
        return self.equipment.present(self.id)


class EmulatedBench(Bench):
    """A driver for an emulated device, whose hands are the emulator's acts."""

    emulated = True

    def __init__(self, driver: type[Driver], piece: Piece, equipment: Equipment, options: Options) -> None:
        super().__init__()
        self.id = piece.id
        self.kind = piece.kind
        self.keeps = _keeps(driver)
        self._driver = driver
        self._equipment = equipment
        self._options = options

    def open(self, resume: Resume | None = None) -> AbstractAsyncContextManager[Device]:
        """A driver for it."""
        return self._driver(self.id, self.kind, self._equipment.port(self.id), self._options, resume=resume)

    async def do(self, words: str, act: str, **arguments: object) -> Any:
        """The emulator's act."""
        return await self._equipment.act(self.id, act, **arguments)

    async def arrange(self, act: str, **arguments: object) -> Any:
        """The emulator's act."""
        return await self._equipment.act(self.id, act, **arguments)

    async def look(self, words: str, seen: Callable[[Sights], bool]) -> bool:
        """What can be seen at the emulator, at last."""
        sights = _Seen(self._equipment, self.id)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.deadline_s):
                while not seen(sights):
                    await self._equipment.changed()
        return seen(sights)


class Asks(Protocol):
    """Somebody who can be asked to do things."""

    async def ask(self, question: str, answers: str) -> str:
        """The answer, one of the letters of `answers` (the first is that of an empty line); `NotRun` without one."""


class Terminal:
    """A person at the terminal, with `wait_s` seconds for each step; without a person every answer is `NotRun`."""

    def __init__(self, wait_s: float, *, present: bool) -> None:
        self._wait_s = wait_s
        self._present = present

    async def ask(self, question: str, answers: str) -> str:
        """Ask on the terminal."""
        if not self._present:
            raise NotRun(f"nobody was asked: {question}")
        sys.stderr.write(f"\n>>> {question}\n    [{'/'.join(answers)}] ")
        sys.stderr.flush()
        try:
            async with asyncio.timeout(self._wait_s):
                line = await _line(sys.stdin.fileno())
        except TimeoutError:
            raise NotRun(f"nobody did it within {self._wait_s:g} s: {question}") from None
        said = line.strip().lower()[:1] or answers[0]
        if said not in answers or said == "s":
            raise NotRun(f"it could not be done: {question}")
        return said


async def _line(fd: int) -> str:
    """The next line that is typed; the event loop goes on meanwhile."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(fd, lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
    finally:
        loop.remove_reader(fd)
    data = os.read(fd, 1024)
    if not data:
        raise NotRun("the terminal is closed")
    return data.decode(errors="replace")


class HandBench(Bench):
    """A driver for a real device, and a person who does what is needed."""

    def __init__(self, driver: type[Driver], kind: Kind, port: str, options: Options, person: Asks) -> None:
        super().__init__()
        self.kind = kind
        self.keeps = _keeps(driver)
        self._driver = driver
        self._port = port
        self._options = options
        self._person = person

    def open(self, resume: Resume | None = None) -> AbstractAsyncContextManager[Device]:
        """A driver for it."""
        return self._driver(ID, self.kind, self._port, self._options, resume=resume)

    async def do(self, words: str, act: str, **arguments: object) -> Any:
        """Ask the person to do it."""
        await self._person.ask(f"{words} Enter when it is done, s if it cannot be done.", " s")

    async def look(self, words: str, seen: Callable[[Sights], bool]) -> bool:
        """Ask the person whether it is so."""
        return await self._person.ask(f"{words} y, n, or s if that cannot be seen.", "yns") == "y"


@dataclass(frozen=True, slots=True)
class Report:
    """What is filed: which device, with what, when, and what came of each check.

    `link_version` is the newest of the table device link; None for a driver of another protocol.
    """

    driver: str
    distribution: str
    tablectl: str
    link_version: int | None
    kind: Kind
    port: str
    options: Mapping[str, str | int | bool]
    emulated: bool
    date: str
    device: Description
    results: Sequence[CheckResult]

    def count(self, outcome: Outcome) -> int:
        """How many checks had that outcome."""
        return sum(result.outcome is outcome for result in self.results)

    @property
    def conforms(self) -> bool:
        """Whether nothing failed."""
        return self.count(Outcome.FAIL) == 0

    @property
    def verdict(self) -> str:
        """One line on all checks."""
        counts = ", ".join(f"{self.count(outcome)} {words}" for outcome, words in _WORDS.items())
        if not self.conforms:
            return f"does not conform ({counts})"
        if self.count(Outcome.NOT_RUN):
            return f"conforms as far as it was checked ({counts})"
        return f"conforms ({counts})"

    def document(self) -> dict[str, Any]:
        """The report as plain data."""
        fields = asdict(self)
        return {
            "verdict": self.verdict,
            "conforms": self.conforms,
            **fields,
            "results": [asdict(r) for r in self.results],
        }

    def text(self) -> str:
        """The report as a page of Markdown."""
        device = self.device
        facts = {
            "Verdict": self.verdict,
            "Date": self.date,
            "Device": f"{device.model}, serial number {device.serial}, firmware {device.firmware}"
            f"{' (emulated)' if self.emulated else ''}",
            "Kind": self.kind,
            "Capabilities": ", ".join(device.capabilities) or "none",
            "Driver": f"{self.driver} ({self.distribution})",
            "Port": self.port,
            "Options": ", ".join(f"{key} = {value!r}" for key, value in self.options.items()) or "none",
            "Checked with": f"tablectl {self.tablectl}"
            + ("" if self.link_version is None else f", table device link up to version {self.link_version}"),
        }
        lines = ["# Conformance report", "", "| | |", "| --- | --- |"]
        lines += [f"| {name} | {value} |" for name, value in facts.items()]
        lines += ["", "| check | requirement | result | |", "| --- | --- | --- | --- |"]
        for it in self.results:
            reason = " ".join(it.reason.split()).replace("|", "/")
            lines.append(f"| {it.id} | {it.requirement} | {_WORDS[it.outcome]} | {reason} |")
        return "\n".join(lines) + "\n"

    def write(self, path: Path) -> None:
        """Write it to a file: JSON where the name ends so, else Markdown."""
        text = json.dumps(self.document(), indent=2) + "\n" if path.suffix == ".json" else self.text()
        path.write_text(text, encoding="utf-8")


async def conform(
    name: str,
    driver: type[Driver],
    kind: Kind,
    port: str,
    options: Options,
    *,
    person: Asks,
    slow: bool = True,
    chosen: Callable[[Check], bool] = lambda check: True,
    told: Callable[[CheckResult], None] = lambda result: None,
) -> Report:
    """Check a real device on `port`; `TimeoutError` when it does not come up.

    `chosen` says which checks are made; `told` hears of each result at once.
    """
    driver.check(ID, kind, port, options)

    @contextlib.asynccontextmanager
    async def bench() -> AsyncIterator[Bench]:
        bench = HandBench(driver, kind, port, options, person)
        await _settle(bench)
        yield bench

    device, results = await run(bench, kind, slow=slow, chosen=chosen, told=told)
    return _report(name, driver, kind, port, options, False, device, results)


async def _settle(bench: Bench) -> None:
    """Take all that an earlier check has left with the device, so that it is not taken for what comes of the next."""
    async with bench.open() as device:
        watch = Watch(device, bench.deadline_s)
        with contextlib.suppress(TimeoutError):
            await watch.up()
            watch.deadline_s = QUIET_S
            while True:
                await watch.take(1)


async def emulated_conform(
    name: str,
    driver: type[Driver],
    piece: Piece,
    options: Options,
    *,
    over: Over | None = None,
    slow: bool = True,
    chosen: Callable[[Check], bool] = lambda check: True,
    told: Callable[[CheckResult], None] = lambda result: None,
) -> Report:
    """Check the driver against our emulated device for it, `piece`; `over` is for the table device link alone.

    `ConfigurationError` when there is none, or the options are wrong.
    """
    async with emulated(driver, piece, options, over) as kit:
        driver.check(piece.id, piece.kind, kit.port, kit.options)

        def bench() -> AbstractAsyncContextManager[Bench]:
            return emulated_bench(driver, piece, kit.equipment, kit.options)

        device, results = await run(bench, piece.kind, slow=slow, chosen=chosen, told=told)
    shown = {key: value for key, value in kit.options.items() if key not in kit.private}
    return _report(name, driver, piece.kind, kit.where, shown, True, device, results)


@contextlib.asynccontextmanager
async def emulated_bench(
    driver: type[Driver], piece: Piece, equipment: Equipment, options: Options
) -> AsyncIterator[Bench]:
    """A fresh emulated device among running emulators, with a driver."""
    await equipment.add(piece)
    try:
        yield EmulatedBench(driver, piece, equipment, options)
    finally:
        await equipment.remove(piece.id)


def _report(
    name: str,
    driver: type[Driver],
    kind: Kind,
    port: str,
    options: Options,
    emulated: bool,
    device: Description,
    results: Sequence[CheckResult],
) -> Report:
    point = next(iter(entry_points(group=GROUP, name=name)), None)
    dist = None if point is None else point.dist
    distribution = "unknown distribution" if dist is None else f"{dist.name} {dist.version}"
    date = datetime.now(UTC).isoformat(timespec="seconds")
    version = VERSION if issubclass(driver, LinkDriver) else None
    return Report(
        name, distribution, __version__, version, kind, port, dict(options), emulated, date, device, tuple(results)
    )
