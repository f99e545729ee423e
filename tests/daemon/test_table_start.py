"""Starting with things missing, beside another daemon, with a driver that breaks: states, not failed starts."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tablectl.journal import RowKind
from tests.daemon.tables import table, tapped, until
from tests.support import Broker


async def test_ready_with_nothing_there_and_play_begins_when_it_comes(tmp_path: Path, mosquitto: Broker) -> None:
    mosquitto.stop()
    async with table(tmp_path, broker=mosquitto, start=False) as rig:
        for device in ("panel", "shoe", "shuffler", "wagers", "scanner", "badges"):
            await rig.equipment.unplug(device)
        await rig.daemon.start()
        await rig.ready()
        mosquitto.start()
        async with tapped(mosquitto) as tap:
            await until(lambda: len(tap.document("/state").get("missing", [])) == 6, lambda: str(tap.retained))
            assert tap.document("/state")["connected"] == []
            assert len(tap.document("/state")["latches"]) == 6
            for device in ("shoe", "wagers", "scanner", "badges", "panel", "shuffler"):
                await rig.equipment.replug(device)
            await until(lambda: tap.document("/state")["missing"] == [], lambda: str(tap.document("/state")))
            await rig.deal()
            assert rig.document() == rig.expected()
            intents = [json.loads(row.body)["command"]["$"] for row in rig.rows(RowKind.INTENT)]
            assert intents == ["StartShuffle"], "a device that comes late is told once"
            assert rig.events(e.IrregularityNoted) == []
            await rig.shows("FLOORPERSON'S BADGE", within=True)


async def test_watchdog_is_fed_by_the_table_alone(tmp_path: Path) -> None:
    """The table waits for its commit while somebody else holds the journal; everything else in the process goes on."""
    async with table(tmp_path, environment={"WATCHDOG_USEC": "200000"}) as rig:
        await rig.ready()
        before = rig.manager.count("WATCHDOG=1")
        await until(lambda: rig.manager.count("WATCHDOG=1") > before + 2, "beats")
        with closing(sqlite3.connect(rig.journal, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await rig.press("enter")
            await asyncio.sleep(0.3)  # a beat may have been under way
            waiting = rig.manager.count("WATCHDOG=1")
            await asyncio.sleep(0.5)  # five periods: that nothing comes can be seen in no other way
            assert rig.manager.count("WATCHDOG=1") == waiting
            other.execute("ROLLBACK")
        await until(lambda: rig.manager.count("WATCHDOG=1") > waiting + 1, "it goes on")
        await rig.recorded("KeyPressed", 1)


async def test_second_daemon_on_the_journal_is_refused(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="SEAT 1: BET")
        second = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tablectl", "run", str(tmp_path / "table.toml"), stderr=asyncio.subprocess.PIPE
        )
        _out, err = await asyncio.wait_for(second.communicate(), 15)
        assert second.returncode == 3
        assert rig.daemon.process is not None
        assert f"in use by the process with pid {rig.daemon.process.pid}" in err.decode()
        assert "Traceback" not in err.decode()
        await rig.deal()
        assert rig.document() == rig.expected()
        boots = {row.boot for row in rig.rows()}
        assert len(boots) == 2, "that of the seed and that of the daemon"


_PLUGINS = """
from dataclasses import replace
from tablectl.equipment import Badge
from tablectl_drivers.link.driver import LinkDriver

class Raising(LinkDriver):
    def events(self):
        return broken(super().events(), ValueError("bad line \\udcff"))

class Ending(LinkDriver):
    def events(self):
        return broken(super().events(), None)

class Unsending(LinkDriver):
    async def send(self, command, command_id, *, boot=None):
        raise RuntimeError("no such pipe")

async def broken(real, error):
    count = 0
    async for delivery in real:
        yield delivery
        count += 1
        if count == 3:
            if error is None:
                return
            raise error

class Muttering(LinkDriver):
    def events(self):
        return muttered(super().events())

async def muttered(real):
    async for delivery in real:
        yield replace(delivery, message=Badge(4711)) if isinstance(delivery.message, Badge) else delivery

class Choking(LinkDriver):
    def events(self):
        return choked(super().events())

async def choked(real):
    async for delivery in real:
        yield replace(delivery, acknowledge=choke) if isinstance(delivery.message, Badge) else delivery

def choke():
    raise RuntimeError("cannot swallow")
"""


def _with_drivers(folder: Path, monkeypatch: pytest.MonkeyPatch, drivers: dict[str, str]) -> dict[str, Any]:
    """What a table needs that has these drivers of `_PLUGINS` for these devices."""
    plugin = folder / "plugin"
    information = plugin / "breaking-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: breaking\nVersion: 1.0\n")
    points = [f"{driver.lower()} = breaking_drivers:{driver}" for driver in drivers.values()]
    (information / "entry_points.txt").write_text("\n".join(["[tablectl.drivers]", *points, ""]))
    (plugin / "breaking_drivers.py").write_text(_PLUGINS)
    monkeypatch.syspath_prepend(plugin)

    def edit(text: str) -> str:
        for device, driver in drivers.items():
            head, found, rest = text.partition(f"[devices.{device}]")
            text = head + found + rest.replace("table-device-link", driver.lower(), 1)
        return text

    return {"edit": edit, "environment": {"PYTHONPATH": str(plugin)}}


@pytest.mark.parametrize(
    ("driver", "told"),
    [
        ("Muttering", "TypeError: Badge.number: found 4711, expected str"),  # no later start could go on from there
        ("Choking", "RuntimeError: cannot swallow"),
    ],
)
async def test_defect_in_what_a_driver_delivers_costs_its_device_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: str, told: str
) -> None:
    async with table(tmp_path, **_with_drivers(tmp_path, monkeypatch, {"badges": driver})) as rig:
        await rig.ready()
        await rig.equipment.badge("badges", "4711")
        await until(lambda: len(rig.events(e.FaultLatched)) == 1, lambda: rig.log()[-2000:])
        (latched,) = rig.events(e.FaultLatched)
        assert isinstance(latched, e.FaultLatched)
        assert latched.message == f"its driver died: {told}"
        assert rig.daemon.running


async def test_drivers_that_break_are_devices_that_are_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drivers = {"scanner": "Raising", "badges": "Ending", "shuffler": "Unsending"}
    async with table(tmp_path, **_with_drivers(tmp_path, monkeypatch, drivers)) as rig:
        await rig.ready()
        await rig.equipment.act("scanner", "show_unreadable")
        await rig.equipment.badge("badges", "4711")
        await until(lambda: len(rig.events(e.FaultLatched)) == 3, lambda: rig.log()[-2000:])
        messages = {event.message for event in rig.events(e.FaultLatched) if isinstance(event, e.FaultLatched)}
        assert messages == {
            "its driver died: ValueError: bad line \\udcff",
            "its driver has ended",
            "its driver died: RuntimeError: no such pipe",
        }
        await rig.shows("FLOOR: ")  # the badge was taken before its reader's driver ended
        await rig.press("cancel")
        await rig.shows("SHUFFLER LOST: WAIT, OR IRREGULARITY")
        await rig.press("irregularity")
        await rig.shows("IRREGULARITY: ")
        while not rig.text.endswith("SHUFFLER OUT OF SERVICE"):
            before = rig.text
            await rig.press("next")
            await until(lambda before=before: rig.text != before, "the next one")  # type: ignore[misc]
        await rig.press("enter", "enter")  # no other method to deal by
        await rig.shows("COUNT THE RED DECK TAKEN OUT")
        await rig.press("digit_5", "digit_2", "enter", "removed", "shuffled", "cut")
        await until(lambda: rig.text.startswith("WAGERS"), lambda: f"wagers can be placed: {rig.text}")
        await rig.deal(to="DEALER")  # without a scanner the dealer's key alone
        await rig.press("expose")
        await until(lambda: rig.hands.events.closed() == 1, "the round is closed")
        assert rig.document()["wagers"] == rig.expected()["wagers"]
        assert rig.daemon.running
