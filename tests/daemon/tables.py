"""A whole table for sabotage: the real daemon, emulators over ptys, what they say, and what must hold afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiomqtt

from tablectl import events as e
from tablectl.daemon.config import load
from tablectl.engine.core import Core
from tablectl.engine.outcome import RoundFold
from tablectl.engine.recovery import recover
from tablectl.engine.retrace import Finding, retrace
from tablectl.engine.rows import read_body
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play
from tablectl.journal import Reader, Row, RowKind, heads_beside, verify
from tablectl.money import Money
from tablectl_hil.control import Equipment, emulators
from tablectl_hil.robot import RobotDealer, View
from tablectl_hil.tableside import (
    Daemon,
    Events,
    Hands,
    kit_for,
    pieces,
    plan,
    seed_journal,
    set_meter,
    signs,
    table_text,
)
from tests.engine.scenarios import without_deck
from tests.support import Broker

PATIENCE_S: Final = 15.0
_LOOK_S: Final = 0.005
_FAST_LINK: Final = "retry_ms = 20\nretry_max_ms = 100\n"

TWO_SEATS: dict[str, Any] = {
    "game": "three_card_poker",
    "table": {"shuffler": "counting"},
    "round": [
        {
            "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
            "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
            "decisions": {"1": ["bet"], "3": ["fold"]},
        }
    ],
}
STACKS: dict[str, Any] = {
    **TWO_SEATS,
    "table": {"dealing": "automated_shoe", "shuffler": "counting"},
    "round": [{**TWO_SEATS["round"][0], "cards": "As Kd Qc 2d 5h 9h 9c 7c 2h"}],
}


async def until(condition: Callable[[], bool], what: str | Callable[[], str]) -> None:
    """Return when the condition holds; it is of another process, so looking is the only way to know."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"it did not come to this: {what if isinstance(what, str) else what()}")
        await asyncio.sleep(_LOOK_S)


class ServiceManager:
    """The other end of sd_notify(3)."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.name = f"tablectl-test-{secrets.token_hex(8)}"
        self._socket.bind(f"\0{self.name}")
        self.told: list[str] = []

    def read(self) -> list[str]:
        """Every line that came so far."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self.told += self._socket.recv(65_536).decode().splitlines()
        return self.told

    def count(self, line: str) -> int:
        """How often that line came."""
        return self.read().count(line)

    def close(self) -> None:
        """Let go of the socket."""
        self._socket.close()


class Tap:
    """Everything that a broker passes on, from a subscription to all topics."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self.retained: dict[str, bytes] = {}

    def document(self, topic: str) -> dict[str, Any]:
        """The last document of a topic that ends so; empty when there was none."""
        found = [payload for name, payload in self.retained.items() if name.endswith(topic)]
        document: dict[str, Any] = json.loads(found[-1]) if found and found[-1] else {}
        return document

    async def run(self, broker: Broker, subscribed: asyncio.Event) -> None:
        """Listen until cancelled."""
        async with aiomqtt.Client(broker.host, broker.port, identifier=f"tap-{secrets.token_hex(4)}") as client:
            await client.subscribe("#", qos=1)
            subscribed.set()
            async for message in client.messages:
                payload = message.payload
                assert isinstance(payload, bytes)
                self.messages.append((str(message.topic), payload))
                if "/event/" not in str(message.topic):
                    self.retained[str(message.topic)] = payload


@contextlib.asynccontextmanager
async def tapped(broker: Broker) -> AsyncIterator[Tap]:
    """A tap that listens."""
    tap, subscribed = Tap(), asyncio.Event()
    task = asyncio.create_task(tap.run(broker, subscribed))
    try:
        await asyncio.wait_for(subscribed.wait(), PATIENCE_S)
        yield tap
    finally:
        task.cancel()
        await asyncio.wait([task])


@dataclass
class Rig:
    """A table in a folder; `emulators` is their process, `manager` hears what the daemon tells its service manager."""

    scenario: Scenario
    folder: Path
    hands: Hands
    daemon: Daemon
    emulators: asyncio.subprocess.Process
    manager: ServiceManager
    journal: Path
    _robots: list[RobotDealer] = field(default_factory=list)

    @property
    def equipment(self) -> Equipment:
        """The emulated equipment."""
        return self.hands.equipment

    @property
    def text(self) -> str:
        """The panel's line."""
        return self.equipment.showing("panel").text

    @property
    def lit(self) -> tuple[str, ...]:
        """The panel's lamps."""
        return self.equipment.showing("panel").lit

    def log(self) -> str:
        """What the daemon has logged."""
        return (self.folder / "daemon.log").read_text("utf-8")

    async def shows(self, text: str, *, within: bool = False) -> None:
        """Wait until the panel shows a line that begins with this (or has it somewhere)."""

        def seen() -> bool:
            return text in self.text if within else self.text.startswith(text)

        await until(seen, lambda: f"the panel shows {text!r}; it shows {self.text!r}\n{self.log()[-3000:]}")

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            assert await self.equipment.press("panel", key), f"the panel is dark: {key}"

    def rows(self, *kinds: RowKind, after: int = 0) -> list[Row]:
        """Rows of the journal; none when there is no journal yet."""
        return list(Reader(self.journal).rows(after, kinds=kinds or None)) if self.journal.exists() else []

    def inputs(self, name: str) -> list[dict[str, Any]]:
        """The messages of that class that are in the journal as inputs."""
        bodies = [json.loads(row.body)["message"] for row in self.rows(RowKind.INPUT)]
        return [body for body in bodies if body["$"] == name]

    def events(self, *kinds: type[e.Event]) -> list[e.Event]:
        """The events in the journal."""
        found = [read_body(row, event=e.Event)["event"] for row in self.rows(RowKind.EVENT)]
        return [event for event in found if not kinds or isinstance(event, kinds)]

    async def recorded(self, name: str, count: int) -> None:
        """Wait until so many messages of that class are in the journal."""
        await until(lambda: len(self.inputs(name)) >= count, f"{count} inputs {name}")

    def robot(self, number: int) -> RobotDealer:
        """The robot that deals round `number` of the scenario, always the same one."""
        if number > len(self._robots):
            order: list[str] = []
            state = self.scenario.first_state()
            read: list[Money] = []
            for script in self.scenario.rounds[:number]:
                read = signs(self.scenario, script, state)
                order, state = plan(self.scenario, script, state)
            script = self.scenario.rounds[number - 1]
            kit, chips = self.hands.kit, self.hands.chips
            self._robots.append(RobotDealer(self.scenario.game, script, order, kit, chips, read))
        return self._robots[number - 1]

    async def deal(self, number: int = 1, *, to: str | None = None) -> None:
        """Let the robot deal that round, up to a line of the panel that begins with `to`."""

        def there(view: View) -> bool:
            return to is not None and view.prompt.text.startswith(to)

        await self.hands.deal(self.robot(number), number, until=there)

    def document(self, number: int = 1) -> dict[str, Any]:
        """The outcome of a round."""
        fold = RoundFold(self.scenario.game)
        fold.extend(self.hands.events.round(number))
        return without_deck(fold.document(self.scenario.rounds[number - 1].wagers))

    def expected(self, number: int = 1) -> dict[str, Any]:
        """The outcome of the same round by script."""
        return without_deck(play(self.scenario)["rounds"][number - 1])

    async def clear_fault(self, reason: str = "digit_3") -> None:
        """Badge and reason, at the gate."""
        await self.shows("FLOORPERSON'S BADGE", within=True)
        await self.equipment.badge("badges", "4711")
        await until(lambda: reason in self.lit, lambda: f"{reason} counts: {self.text!r} {self.lit}")
        await self.press(reason)

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """Send the signal; exit status and seconds until then."""
        process = self.daemon.process
        assert process is not None
        begin = time.monotonic()
        process.send_signal(how)
        status = await asyncio.wait_for(process.wait(), PATIENCE_S)
        return status, time.monotonic() - begin

    async def ready(self) -> None:
        """Wait until the service manager has been told that the table serves."""
        await until(lambda: "READY=1" in self.manager.read(), lambda: f"READY=1\n{self.log()[-3000:]}")

    def whole(self) -> None:
        """What must hold of the journal however the table was treated."""
        whole(self.journal)
        config = load(self.folder / "table.toml")
        core = recover(Reader(self.journal), config.make_core, lambda: int(time.time()), config.identity)
        assert isinstance(core, Core), core.reason
        for stretch in retrace(Reader(self.journal).rows(), config.make_core, config.identity):
            assert stretch.finding is Finding.SAME, stretch


def whole(journal: Path) -> None:
    """Events are contiguous, the chain is intact, and the chips of every closed round add up."""
    verdict = verify(journal, heads_beside(journal))
    assert verdict.ok, verdict.detail
    bodies = [read_body(row, sequence=int, event=e.Event) for row in Reader(journal).rows(kinds=[RowKind.EVENT])]
    assert [body["sequence"] for body in bodies] == list(range(1, len(bodies) + 1))
    made: dict[tuple[int, str, int], e.WagerMade] = {}
    settled: dict[tuple[int, str, int], e.WagerSettled] = {}
    for body in bodies:
        match body["event"]:
            case e.RoundOpened():
                made, settled = {}, {}
            case e.WagerMade() as wager:
                made[wager.seat, wager.wager, wager.hand] = wager
            case e.WagerSettled() as row:
                settled[row.seat, row.wager, row.hand] = row
                if row.staked is not None:
                    assert row.returned is not None
                    assert row.collected is not None
                    assert row.staked == row.returned + row.collected, row
            case e.RoundClosed() as closed:
                assert made.keys() <= settled.keys(), f"round {closed.round}: {made.keys() - settled.keys()}"
            case _:
                pass


@contextlib.asynccontextmanager
async def table(
    folder: Path,
    document: Mapping[str, Any] = TWO_SEATS,
    *,
    sensors: str = "all",
    broker: Broker | None = None,
    confirm_ms: int = 0,
    start: bool = True,
    journal: Path | None = None,
    program: Sequence[str] = (sys.executable, "-m", "tablectl"),
    environment: Mapping[str, str] | None = None,
    debug: bool = False,
    opened: bool = True,
    edit: Callable[[str], str] = lambda text: text,
) -> AsyncIterator[Rig]:
    """A whole table; whatever becomes of it, its journal is looked at in the end.

    `edit` changes the text of the configuration, `journal` is another place for it than the folder. A table that is not
    `opened` has no journal yet.
    """
    scenario = parse(dict(document))
    kit = kit_for(scenario, sensors)
    made = pieces(scenario, kit)
    mqtt = None if broker is None else (broker.host, broker.port)
    text = table_text(scenario, made, folder, mqtt=mqtt, confirm_ms=confirm_ms)
    text = text.replace('driver = "table-device-link"\n', f'driver = "table-device-link"\n{_FAST_LINK}')
    if journal is not None:
        text = text.replace(str(folder / "journal.db"), str(journal))
    config = folder / "table.toml"
    config.write_text(edit(text), encoding="utf-8")
    with contextlib.closing(ServiceManager()) as manager:
        daemon = Daemon(
            config,
            folder / "daemon.log",
            program=program,
            options=("--log-level", "debug") if debug else (),
            environment={"NOTIFY_SOCKET": f"@{manager.name}", **(environment or {})},
        )
        place = journal or folder / "journal.db"
        async with emulators(folder, made) as (equipment, process):
            hands = Hands(equipment, kit, Events(place), lambda: daemon.running)
            rig = Rig(scenario, folder, hands, daemon, process, manager, place)
            if opened:
                await asyncio.to_thread(seed_journal, config, scenario)
            await set_meter(equipment, scenario, made)
            if kit.shuffler is not None:
                await equipment.act(kit.shuffler, "insert", cards=_fresh_deck())
            try:
                if start:
                    await daemon.start()
                yield rig
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGCONT)
                await daemon.stop()
            rig.whole()


def _fresh_deck() -> list[str]:
    return [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
