"""A table that runs by itself and shows it: emulated equipment, the real daemon, a broker, and a live view."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.daemon.config import load
from tablectl.engine.scenario import Scenario, parse
from tablectl.errors import TablectlError
from tablectl.surveillance.broker import BrokerSettings
from tablectl.surveillance.subscriber import Subscriber
from tablectl_hil.broker import Broker, broker
from tablectl_hil.onlooker import Onlooker
from tablectl_hil.players import Players, own_table
from tablectl_hil.robot import RobotDealer
from tablectl_hil.tableside import PANEL, Hands, plan, whole_table

__all__ = ["demo"]

PACE_S: Final = 0.25
_WIDE: Final = 14


async def demo(game: str, *, rounds: int | None, seed: int, pace_s: float, folder: Path | None) -> None:
    """Deal rounds of `game` until stopped (SIGINT, SIGTERM) or `rounds` are closed."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    table = parse(own_table(game))
    with tempfile.TemporaryDirectory(prefix="tablectl-demo-") as made:
        place = folder or Path(made)
        place.mkdir(parents=True, exist_ok=True)
        async with broker() as running:
            _say("broker", f"{running.kind} on {running.host}:{running.port}")
            if running.notice:
                _say("broker", running.notice)
            dealing = asyncio.create_task(_table(table, place, running, rounds, seed, pace_s), name="demo")
            stopping = asyncio.create_task(stop.wait(), name="stop")
            try:
                await asyncio.wait([dealing, stopping], return_when=asyncio.FIRST_COMPLETED)
            finally:
                ended = dealing.done()
                for task in (dealing, stopping):
                    task.cancel()
                await asyncio.wait([dealing, stopping])
            if ended:
                dealing.result()
    _say("table", "stopped")


async def _table(table: Scenario, folder: Path, running: Broker, rounds: int | None, seed: int, pace_s: float) -> None:
    _say("table", f"{table.game.title}, chapter {table.game.chapter}; its files are in {folder}")
    async with (
        whole_table(
            table,
            folder,
            "all",
            mqtt=(running.host, running.port, running.protocol),
            confirm_ms=int(pace_s * 1000),
            seed=seed,
            opened=(folder / "journal.db").exists(),  # a new table is opened before everybody's eyes
        ) as (hands, _daemon),
        asyncio.TaskGroup() as tasks,
    ):
        views = [
            tasks.create_task(_show_panel(hands), name="panel"),
            tasks.create_task(_show_events(running), name="events"),
        ]
        await _deal(table, hands, folder, rounds, seed, pace_s)
        for view in views:
            view.cancel()


async def _deal(table: Scenario, hands: Hands, folder: Path, rounds: int | None, seed: int, pace_s: float) -> None:
    players = Players(table, seed)
    number = before = hands.events.closed()
    state = table.first_state() if not before else Onlooker(load(folder / "table.toml")).state()
    while rounds is None or number < before + rounds:
        number += 1
        script = players.next_round(state=state)
        order, state = plan(table, script, state)
        robot = RobotDealer(table.game, script, order, hands.kit, hands.chips)
        await hands.deal(robot, number, pace_s=pace_s)


async def _show_panel(hands: Hands) -> None:
    async for notice in hands.equipment.notices():
        if notice.device == PANEL and notice.what == "shows" and notice.facts["text"]:
            lit = " ".join(key for key in notice.facts["lit"] if not key.startswith(("digit_", "rank_", "suit_")))
            _say("panel", f"{notice.facts['text']:<40} [{lit}]")


async def _show_events(running: Broker) -> None:
    settings = BrokerSettings(host=running.host, port=running.port, protocol=running.protocol)
    subscriber = Subscriber(settings, "tablectl/+/+/+", client_id="demo-view")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(subscriber.run(), name="subscriber")
        async for event in subscriber.events():
            _say(event.type.removeprefix("tablectl."), _facts(event.document.get("data", {})))


def _facts(data: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={_fact(value)}" for key, value in data.items() if value not in (None, [], False))


def _fact(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _say(what: str, text: str) -> None:
    print(f"{what:<{_WIDE}} {text}", flush=True)


def main(game: str, *, rounds: int | None, seed: int, pace_s: float, folder: Path | None) -> int:
    """Run the demonstration; returns an exit status."""
    try:
        asyncio.run(demo(game, rounds=rounds, seed=seed, pace_s=pace_s, folder=folder))
    except ExceptionGroup as group:
        if group.subgroup(BrokenPipeError):
            raise BrokenPipeError from None  # nobody looks any more
        for error in group.exceptions:
            if not isinstance(error, TablectlError):
                raise
            print(f"tablectl demo: {error}", file=sys.stderr)
        return 3
    return 0
