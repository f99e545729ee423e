"""A button press on a pty to the broker's acknowledgement: the real daemon against the bare minimum, in turns.

Run it as ``python -m tests.benchmarks.bench_press``, or with ``make bench``. The panel is a process of its own that
speaks the table device link; each time begins right before it writes to its pty.

*Daemon* is everything that runs at a table: driver, core, journal, acknowledgement, prompt, status and publisher, with
a robot that deals whole rounds on a panel alone. A press that brings about several events has ended with the
acknowledgement of the last. *Bare* is eight bytes read from a pty, one row committed with SQLite (WAL,
synchronous=FULL) and one awaited QoS 1 publish of aiomqtt, in the same event loop and on the same disk: a press with
one event is measured by it. *Bare, as much* commits as many rows at once and awaits as many publishes, one by one, as
the press before it brought about (together they meet Nagle's algorithm at the broker, and take 40 ms). Compare the
ratios only; the times depend on disk and load.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import multiprocessing.connection
import os
import select
import sqlite3
import statistics
import tempfile
import time
import tty
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiomqtt

from tablectl.daemon.config import load
from tablectl.daemon.logs import set_up
from tablectl.daemon.service import Service
from tablectl.engine.scenario import Scenario, parse
from tablectl.equipment import (
    Capability,
    Command,
    Description,
    DeviceState,
    KeyPressed,
    Kind,
    Lamp,
    Message,
    Mode,
    ShowPrompt,
)
from tablectl.journal import RowKind
from tablectl_drivers.link.device import DeviceSession
from tablectl_hil.control import Piece
from tablectl_hil.robot import RobotDealer, View
from tablectl_hil.tableside import kit_for, plan, table_text
from tests.support import Broker

ROUNDS = 16
WARM_UP = 1
PAYLOAD = 400
SETTLE_S = 0.003
REST_S = 0.006
DEADLINE_S = 10.0
PANEL = Piece("panel", Kind.PANEL, (Capability.CARD_KEYS, Capability.DIGITS))
BARE = b"pressed!"


class Panel:
    """The panel behind its link: shows what it is told."""

    def __init__(self) -> None:
        self.description = Description(Kind.PANEL, "Bench", "1", "1", PANEL.capabilities)
        self.shown = ""

    def perform(self, command: Command, command_id: int) -> str | None:
        assert isinstance(command, ShowPrompt)
        self.shown = command.text
        return None

    def report(self, complete: bool) -> Iterable[Message]:
        yield DeviceState(Mode.READY, Lamp.GREEN, False, None, False, None)

    def attached(self, present: bool) -> None:
        pass


class Line:
    """The panel's end of a pty that the host finds at a path."""

    def __init__(self, path: Path) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        path.symlink_to(os.ttyname(slave))


def panel_process(folder: Path, orders: multiprocessing.connection.Connection) -> None:
    """Serve a panel at ``panel`` and a line for plain bytes at ``plain`` in the folder, until nobody orders any more.

    Orders are ``(key, rest)``, answered by the time of the press: for `rest` seconds the panel then does nothing, as a
    real one does not compute on the daemon's processor. `BARE` is answered by the time of the bytes, and None by what
    is shown and when the last press was acknowledged, once it is.
    """
    line, plain = Line(folder / "panel"), Line(folder / "plain")
    panel = Panel()
    session = DeviceSession(panel, 1)
    acknowledged: float | None = 0.0
    orders.send(None)
    while True:
        for frame in session.outgoing():
            os.write(line.master, frame)
        wait = max(0.0, min(1.0, session.deadline() - time.monotonic()))
        ready, _, _ = select.select([orders.fileno(), line.master], [], [], wait)
        now = time.monotonic()
        if line.master in ready:
            session.receive(os.read(line.master, 4096), now)
            if acknowledged is None and not session.unacknowledged:
                acknowledged = time.perf_counter()
        if orders.fileno() in ready:
            try:
                order = orders.recv()
            except EOFError:
                return
            if order is None:
                idle = session.present and acknowledged is not None
                orders.send(("shown", panel.shown if idle else None, acknowledged))
            elif order == BARE:
                began = time.perf_counter()
                os.write(plain.master, BARE)
                orders.send(("began", began))
            else:
                key, rest = order
                acknowledged = None
                session.say(KeyPressed(key), now)
                frames = b"".join(session.outgoing())
                began = time.perf_counter()
                os.write(line.master, frames)
                orders.send(("began", began))
                select.select([], [], [], rest)
        session.tick(now)


@contextlib.contextmanager
def panel(folder: Path) -> Iterator[multiprocessing.connection.Connection]:
    """A panel in a process of its own; what it takes orders by."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=panel_process, args=(folder, theirs))
    process.start()
    theirs.close()
    ours.recv()
    try:
        yield ours
    finally:
        ours.close()
        process.join()


class Bare:
    """The least that any implementation has to do."""

    def __init__(self, folder: Path, line: int, client: aiomqtt.Client) -> None:
        self._line = line
        self._client = client
        self._database = sqlite3.connect(folder / "bare.db", isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE row (seq INTEGER PRIMARY KEY, body TEXT)",
        ):
            self._database.execute(statement)
        self._arrived = asyncio.Event()
        asyncio.get_running_loop().add_reader(line, self._read)

    def _read(self) -> None:
        assert os.read(self._line, 8) == BARE
        self._arrived.set()

    async def pressed(self, rows: int, events: int) -> float:
        """Wait for the bytes, and do what has to be done; when it was over."""
        await self._arrived.wait()
        self._arrived.clear()
        self._database.execute("BEGIN IMMEDIATE")
        self._database.executemany("INSERT INTO row (body) VALUES (?)", [("x" * 150,)] * rows)
        self._database.execute("COMMIT")
        for _ in range(events):
            await self._client.publish("bench/site/pit/bare/event/round/card", b"x" * PAYLOAD, qos=1)
        return time.perf_counter()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._line)
        self._database.close()


@dataclass
class Times:
    """In seconds: the bare loop, and for each press with events how far the daemon was when.

    `as_much` is the bare loop with the rows and the events of the press at the same place of `last`.
    """

    bare: list[float] = field(default_factory=list)
    as_much: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)
    one: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)


class Bench:
    """Presses keys in turns with the bare loop."""

    def __init__(self, service: Service, bare: Bare, panel: multiprocessing.connection.Connection) -> None:
        assert service._publisher is not None
        assert service._live is not None
        self._service = service
        self._publisher = service._publisher
        self.live = service._live
        self._journal = self.live._journal
        self._bare = bare
        self._panel = panel
        self._acknowledged: list[tuple[int, float]] = []
        self._said: dict[str, Any] = {}
        self.times = Times()
        release = self._publisher._release

        def noted() -> None:
            self._acknowledged.append((self._publisher.acknowledged, time.perf_counter()))
            release()

        self._publisher._release = noted  # type: ignore[method-assign]

    async def quiet(self) -> None:
        """Wait until everything has come to rest, and the panel shows what it should."""
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            self._panel.send(None)
            await asyncio.sleep(SETTLE_S)
            self._listen()
            line = self.live.status.prompt.line()
            told = self._service._telling is None and self._publisher._drained()
            if told and self._publisher.connected and self._said.get("shown", (None,))[0] == line:
                return
        raise TimeoutError(f"the panel shows {self._said.get('shown')}, expected {self.live.status.prompt.line()!r}")

    def _listen(self) -> None:
        while self._panel.poll():
            what, *said = self._panel.recv()
            self._said[what] = said

    async def press(self, key: str, *, rest: bool) -> None:
        """Press, wait until all is over, and note the times."""
        before = self._journal.head().seq
        self._acknowledged.clear()
        self._panel.send((key, REST_S if rest else 0.0))
        await asyncio.sleep(REST_S)
        deadline = time.monotonic() + DEADLINE_S
        while self._journal.head().seq == before:
            assert time.monotonic() < deadline, f"the press of {key} does not arrive"
            await asyncio.sleep(SETTLE_S)
        await self.quiet()
        (began,), (_, told) = self._said.pop("began"), self._said["shown"]
        rows = (await self._journal.tail(before)).rows
        events = [row.seq for row in rows if row.kind is RowKind.EVENT]
        times = self.times
        if not events:
            return
        if not rest:
            times.told.append(told - began)
            return
        first, last = (
            next(at for upto, at in self._acknowledged if upto >= seq) - began for seq in (events[0], events[-1])
        )
        times.first.append(first)
        times.last.append(last)
        if len(events) == 1:
            times.one.append(last)
        times.events.append(len(events))
        times.rows.append(len(rows))
        times.as_much.append(await self.bare(len(rows), len(events)))

    async def bare(self, rows: int = 1, events: int = 1) -> float:
        """The time that the bare loop takes for so much."""
        self._panel.send(BARE)
        over = await self._bare.pressed(rows, events)
        while "began" not in self._said:
            self._listen()
        (began,) = self._said.pop("began")
        taken: float = over - began
        return taken


def scenario() -> Scenario:
    """Rounds of two seats, everything keyed in on the panel."""
    rounds = [
        {
            "wagers": {"1": {"ante": "5.00"}, "3": {"ante": "5.00"}},
            "cards": "As Kd Qc Js 2d 5h 9h 8h 9c",
            "decisions": {"1": ["bet"], "3": ["bet"]},
        }
    ] * (ROUNDS + WARM_UP)
    return parse({"game": "three_card_poker", "table": {"dealing": "from_hand", "shuffler": "plain"}, "round": rounds})


async def deal(bench: Bench, played: Scenario) -> None:
    """Deal all rounds, in every fourth of them for the times of the acknowledgements to the panel."""
    kit = kit_for(played, "panel")
    state = played.first_state()
    for number, script in enumerate(played.rounds):
        if number == WARM_UP:
            bench.times = Times()
        order, state = plan(played, script, state)
        robot = RobotDealer(played.game, script, order, kit)
        closed = bench.live.core.rounds_closed
        while bench.live.core.rounds_closed == closed:
            await bench.quiet()
            act = robot.act(View(bench.live.status.prompt))
            assert act is not None, bench.live.status
            assert act.name == "press"
            bench.times.bare.append(await bench.bare())
            await bench.quiet()
            await bench.press(act.facts["key"], rest=number % 4 != 3)


async def measure(folder: Path, port: int, orders: multiprocessing.connection.Connection) -> Times:
    """Run the daemon and deal at its table."""
    played = scenario()
    config = folder / "table.toml"
    config.write_text(table_text(played, [PANEL], folder, mqtt=("127.0.0.1", port)))
    service = Service(load(config))
    running = asyncio.create_task(service.run())
    line = os.open(folder / "plain", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    async with aiomqtt.Client("127.0.0.1", port) as client:
        bare = Bare(folder, line, client)
        async with asyncio.timeout(DEADLINE_S):
            while service._publisher is None or not service._publisher.connected:
                assert not running.done(), running
                await asyncio.sleep(SETTLE_S)
        bench = Bench(service, bare, orders)
        await deal(bench, played)
        bare.close()
    os.close(line)
    service.stop()
    await running
    return bench.times


def shown(name: str, times: list[float], base: float) -> str:
    middle, late = statistics.median(times) * 1e3, statistics.quantiles(times, n=20)[-1] * 1e3
    return f"{name:<44} p50 {middle:6.2f} ms   p95 {late:6.2f} ms   {middle / base:5.2f} of bare   ({len(times)})"


def report(times: Times) -> None:
    """Print the table."""
    base = statistics.median(times.bare) * 1e3
    one = statistics.median(times.one) * 1e3 / base
    every = statistics.median(mine / bare for mine, bare in zip(times.last, times.as_much, strict=True))
    print(shown("bare: 8 bytes, commit, awaited publish", times.bare, base))
    print(shown("press with one event, to its PUBACK", times.one, base))
    print(shown("press to PUBACK of its last event", times.last, base))
    print(shown("press to PUBACK of its first event", times.first, base))
    print(shown("bare, as much as such a press", times.as_much, base))
    print(shown("press to its acknowledgement at the panel", times.told, base))
    print(f"such a press: {statistics.mean(times.rows):.1f} rows, {statistics.mean(times.events):.1f} events")
    last = statistics.median(times.last) * 1e3 / base
    print(f"ratios (to be at most 2): one event {one:.2f}, every press {last:.2f}; to bare with as much {every:.2f}")


def main() -> None:
    """Print the ratio."""
    set_up("warning")
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name, panel(Path(name)) as orders:
        folder = Path(name)
        broker = Broker(folder)
        broker.start()
        try:
            report(asyncio.run(measure(folder, broker.port, orders)))
        finally:
            broker.stop()


def test_press() -> None:
    """Run by ``make bench``."""
    main()


if __name__ == "__main__":
    main()
