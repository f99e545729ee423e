"""How long the real daemon takes from its start to READY, and back into an interrupted round; what it costs while idle.

Run it as ``python -m tests.benchmarks.bench_start``, or with ``make bench``. All starts are warm: files in the page
cache, bytecode compiled. The interrupted round is one of seven seats, stopped before its last settlement; it is looked
for at the beginning of a journal and behind a hundred thousand rows.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from tablectl.cards import seat
from tablectl.daemon.config import TableConfig, load
from tablectl.engine.core import Core
from tablectl.engine.identity import Identity
from tablectl.engine.recovery import recover, resume_points
from tablectl.engine.rows import entry
from tablectl.engine.scenario import Scenario, parse
from tablectl.events import CardDealt, Disposition, Outcome, RoundClosed
from tablectl.journal import Entry, Journal, RowKind
from tablectl.surveillance.publisher import Publisher
from tablectl_hil.tableside import kit_for, pieces, table_text
from tests.benchmarks.bench_press import PANEL, panel
from tests.engine.bench import Bench
from tests.support import Broker

T = TypeVar("T")

STARTS = 7
LONG = 100_000
HANDS = 8
IDLE_S = 5.0
DEADLINE_S = 20.0


class Interrupted(BaseException):
    """The daemon is gone."""


class RealTable(Bench):
    """A table in one process under the identity of a real configuration, with `before` rows in its journal already."""

    def __init__(self, scenario: Scenario, config: TableConfig, before: int) -> None:
        self._config = config
        self._before = before
        super().__init__(scenario, kit_for(scenario, "all"))

    def start(self, identity: Identity) -> None:
        """Begin behind rounds of sixty events."""
        if not self.journal.kept:
            earlier = [
                RoundClosed(number // 60, Outcome.COMPLETED, None, None, "blue-1", Disposition.RESHUFFLE)
                if number % 60 == 0
                else CardDealt(number % 60, seat(1), None)
                for number in range(1, self._before + 1)
            ]
            self.journal.append([entry(RowKind.EVENT, sequence=n, event=event) for n, event in enumerate(earlier, 1)])
        super().start(identity)

    def make(self, identity: Identity) -> Callable[..., Core]:
        return self._config.make_core


def scenario() -> Scenario:
    seats = [str(number) for number in range(1, 8)]
    return parse(
        {
            "game": "three_card_poker",
            "table": {"shuffler": "counting"},
            "round": [
                {
                    "wagers": {number: {"ante": "10.00", "pair_plus": "5.00"} for number in seats},
                    "cards": "As Kd Qc 2d 5h 9h 9c 7c 2h",
                    "decisions": {number: ["bet"] for number in seats},
                }
            ],
        }
    )


def interrupted(played: Scenario, config: TableConfig, before: int) -> list[Entry]:
    """A table in its first round, of whose hands one has not been turned up yet; `before` rows come before it."""
    table = RealTable(played, config, before)
    kept = table.journal.kept

    def look() -> None:
        if sum('"$":"CardsExposed"' in row.body for row in kept[before:] if row.kind is RowKind.EVENT) == HANDS - 1:
            raise Interrupted

    with contextlib.suppress(Interrupted):
        table.play(look)
    assert table.core.state.round == 0
    return [Entry(row.kind, row.body, row.step, row.secret) for row in kept]


def write(config: TableConfig, entries: Sequence[Entry], published: int) -> None:
    """A journal of those entries, some of which are published."""
    journal = Journal.open(config.journal, boot="bench")
    for first in range(0, len(entries), 1000):
        journal.append_now(entries[first : first + 1000], cursor=published)
    journal.close_now()


@contextlib.contextmanager
def daemon(config: Path, folder: Path) -> Iterator[tuple[float, int]]:
    """The real daemon: seconds from its start to READY, and its pid; stopped at the end."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, (folder / "log").open("ab") as log:
        address = folder / "notify"
        address.unlink(missing_ok=True)
        manager.bind(str(address))
        manager.settimeout(DEADLINE_S)
        environment = {**os.environ, "NOTIFY_SOCKET": str(address)}
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "tablectl", "run", str(config)], stdout=log, stderr=log, env=environment
        )
        try:
            while "READY=1" not in manager.recv(4096).decode().splitlines():
                pass
            yield time.perf_counter() - began, process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(DEADLINE_S)
    assert process.returncode == 0, (folder / "log").read_text()


def started(config: Path, folder: Path) -> list[float]:
    times = []
    for _ in range(STARTS):
        with daemon(config, folder) as (seconds, _):
            times.append(seconds)
    return times


def command(*arguments: str) -> list[float]:
    times = []
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "tablectl", *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return times


def used(pid: int) -> float:
    """Seconds of processor time that the process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> float:
    """MiB that the process has in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def timed(act: Callable[[], T]) -> tuple[T, float]:
    """What it gives, and milliseconds: the best of three."""

    def once() -> tuple[T, float]:
        began = time.perf_counter()
        result = act()
        return result, (time.perf_counter() - began) * 1e3

    return min((once() for _ in range(3)), key=lambda done: done[1])


def recovered(config: TableConfig) -> dict[str, float]:
    """Milliseconds for each part of the way back into the round."""
    began = time.perf_counter()
    journal = Journal.open(config.journal, boot="bench")
    times = {"open": (time.perf_counter() - began) * 1e3}
    try:
        core, times["recover"] = timed(
            lambda: recover(journal, config.make_core, lambda: 0, config.identity, config.settings.floorpersons)
        )
        assert isinstance(core, Core), core.reason
        assert core.stage != "CLOSED"
        _, times["resume points"] = timed(lambda: resume_points(journal))
    finally:
        journal.close_now()
    return times


async def looked_back(config: TableConfig) -> float:
    """Milliseconds until the publisher has the ring of the last rounds, beside the running table."""
    journal = await asyncio.to_thread(Journal.open, config.journal, boot="bench")
    assert config.mqtt is not None
    publisher = Publisher(journal, config.place, config.mqtt, boot="bench")
    began = time.perf_counter()
    await publisher._look_back()
    seconds = time.perf_counter() - began
    await journal.close()
    return seconds * 1e3


def shown(name: str, times: Sequence[float]) -> str:
    return f"{name:<52} median {statistics.median(times) * 1e3:6.0f} ms   best {min(times) * 1e3:6.0f} ms"


def main() -> None:
    """Print the table."""
    print(shown("tablectl --version", command("--version")))
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name:
        folder = Path(name)
        broker = Broker(folder)
        broker.start()
        try:
            _starts(folder, ("127.0.0.1", broker.port))
            _recovery(folder, ("127.0.0.1", broker.port))
            _idle(folder, ("127.0.0.1", broker.port))
        finally:
            broker.stop()


def _starts(folder: Path, mqtt: tuple[str, int]) -> None:
    played = scenario()
    config = folder / "table.toml"
    made = pieces(played, kit_for(played, "all"))
    config.write_text(table_text(played, made, folder))
    print(shown("start to READY without [mqtt]", started(config, folder)))
    config.write_text(table_text(played, made, folder, mqtt=mqtt))
    print(shown("start to READY (to be below 1000 ms)", started(config, folder)))


def _recovery(folder: Path, mqtt: tuple[str, int]) -> None:
    played = scenario()
    for before in (0, LONG):
        there = folder / f"after-{before}"
        there.mkdir()
        path = there / "table.toml"
        path.write_text(table_text(played, pieces(played, kit_for(played, "all")), there, mqtt=mqtt))
        config = load(path)
        entries = interrupted(played, config, before)
        write(config, entries, before)
        times = recovered(config)
        parts = ", ".join(f"{part} {value:.1f}" for part, value in times.items())
        print(
            f"back into a round after {len(entries) - before} rows of it, {before} before it:"
            f" {sum(times.values()):.1f} ms (to be below 50): {parts}"
        )
        print(f"  and for the ring of the last rounds, beside the table: {asyncio.run(looked_back(config)):.1f} ms")
        print(shown(f"start to READY there, {before} rows before it", started(path, there)))


def _idle(folder: Path, mqtt: tuple[str, int]) -> None:
    there = folder / "idle"
    there.mkdir()
    config = there / "table.toml"
    config.write_text(table_text(scenario(), [PANEL], there, mqtt=mqtt))
    with panel(there), daemon(config, there) as (_, pid):
        time.sleep(3)  # noqa: TID251 - nothing is waited for: it is to have come to rest
        before = used(pid)
        time.sleep(IDLE_S)  # noqa: TID251
        print(f"idle: {resident(pid):.1f} MiB resident, {(used(pid) - before) / IDLE_S:.2%} of one processor")


def test_start() -> None:
    """Run by ``make bench``."""
    main()


if __name__ == "__main__":
    main()
