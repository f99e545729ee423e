"""Strange USB devices at a table: on the record, told to surveillance, and no reason to stop the game."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tablectl import events as e
from tablectl.daemon.strangers import Strangers
from tablectl.devices.watcher import Change
from tablectl.events import AlarmRaised
from tablectl_drivers.usb.watch import UsbWatcher, snapshot
from tests.daemon.tables import PATIENCE_S, Rig, table, tapped, until
from tests.drivers.usb.kernel_list import KernelList, needs_umockdev
from tests.support import Broker

STICK = "0781:5567 (SanDisk Cruzer) with serial number 4C53 on USB port 1-3"


def alarms(rig: Rig) -> list[AlarmRaised]:
    return [event for event in rig.events(e.AlarmRaised) if isinstance(event, AlarmRaised)]


def allowing(text: str) -> str:
    return text + '\n[usb]\nallow = ["05f3:0405?port=1-1"]\n'


@needs_umockdev
async def test_a_stranger_is_an_alarm_and_the_round_goes_on(tmp_path: Path, mosquitto: Broker) -> None:
    machine = KernelList(tmp_path / "machine")
    machine.panel()
    machine.put("1-4", idVendor="05e3", idProduct="0608", bDeviceClass="09")
    machine.shoe()
    place = {"edit": allowing, "environment": machine.environment}
    async with table(tmp_path, broker=mosquitto, **place) as rig, tapped(mosquitto) as tap:  # type: ignore[arg-type]
        # One is there at the start.
        await until(lambda: len(alarms(rig)) == 1, rig.log)
        await until(lambda: len(tap.document("/state").get("strangers") or ()) == 1, lambda: str(tap.retained))
        await rig.deal(to="SEAT 3")
        machine.stick()
        await until(lambda: len(alarms(rig)) == 2, rig.log)
        there, stick = alarms(rig)
        assert there.message.startswith("1209:0001 (Shoe) with serial number S7 on USB port 1-2 is plugged in, and")
        assert stick == AlarmRaised(
            "usb",
            "stranger",
            f"{STICK} is plugged in, and nobody has allowed it: find out who did that and what it is, and take it out;"
            ' if it belongs there, add "0781:5567?serial=4C53" to usb.allow and start the table anew',
        )
        await until(lambda: len(tap.document("/state")["strangers"]) == 2, lambda: str(tap.retained))
        first, second = tap.document("/state")["strangers"]
        assert (first["ids"], first["serial"], first["name"], first["port"]) == ("1209:0001", "S7", "Shoe", "1-2")
        assert (second["ids"], second["port"]) == ("0781:5567", "1-3")
        told = [json.loads(payload) for topic, payload in tap.messages if topic.endswith("event/alarm/raised")]
        assert [event["data"]["kind"] for event in told] == ["stranger", "stranger"]
        assert told[1]["data"]["message"] == stick.message
        logged = [json.loads(line) for line in rig.log().splitlines() if "usb_stranger" in line]
        assert {"level": "error", "ids": "0781:5567", "serial": "4C53", "port": "1-3"}.items() <= logged[-1].items()

        await rig.deal()
        assert rig.document() == rig.expected()
        assert tap.document("/state")["latches"] == []
        await rig.shows("SHUFFL")  # the next round begins

        machine.take("1-3")
        await until(lambda: len(alarms(rig)) == 3, rig.log)
        assert alarms(rig)[2].kind == "stranger_gone"
        assert alarms(rig)[2].message.startswith(f"{STICK} is not plugged in any more: find out who has taken it")
        await until(lambda: len(tap.document("/state")["strangers"]) == 1, lambda: str(tap.retained))


@needs_umockdev
async def test_who_is_still_there_after_a_restart_is_told_again(tmp_path: Path) -> None:
    machine = KernelList(tmp_path / "machine")
    machine.panel()
    machine.stick()
    async with table(tmp_path, edit=allowing, environment=machine.environment) as rig:
        await until(lambda: len(alarms(rig)) == 1, rig.log)
        status, seconds = await rig.stop()
        assert status == 0
        assert seconds < 5
        await rig.daemon.start()
        await until(lambda: len(alarms(rig)) == 2, rig.log)
        assert alarms(rig)[0] == alarms(rig)[1]


@needs_umockdev
async def test_on_a_machine_without_usb_the_table_plays_and_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "machine" / "sys").mkdir(parents=True)
    machine = {"LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": str(tmp_path / "machine")}
    async with table(tmp_path, edit=allowing, environment=machine) as rig:
        await rig.ready()
        await until(lambda: bool(alarms(rig)), rig.log)
        await rig.deal()
        assert rig.document() == rig.expected()
        (alarm,) = alarms(rig)
        assert (alarm.source, alarm.kind) == ("usb", "unwatched")
        assert "this machine has no USB, or hides it from this program" in alarm.message
        assert rig.log().count("usb_not_watched") == 1


# Who watches may break


class Breaking(UsbWatcher):
    """Reads a list, and has a defect as long as `broken` says so."""

    broken = ""

    async def look(self, *, at_once: bool = False) -> list[Change]:
        if self.broken:
            raise RuntimeError(self.broken)
        return await super().look(at_once=at_once)


async def hear(told: asyncio.Queue[AlarmRaised], count: int) -> list[str]:
    async with asyncio.timeout(PATIENCE_S):
        return [(await told.get()).kind for _ in range(count)]


@pytest.fixture
def machine(tmp_path: Path) -> KernelList:
    made = KernelList(tmp_path / "machine")
    made.stick()
    return made


async def test_who_watches_may_die_and_come_back(machine: KernelList) -> None:
    watcher = Breaking((), read=lambda: snapshot(machine.devices), patience=0)
    told: asyncio.Queue[AlarmRaised] = asyncio.Queue()
    strangers = Strangers(watcher, told.put_nowait, every_s=0.001)
    task = asyncio.create_task(strangers.run())
    try:
        assert await hear(told, 1) == ["stranger"]
        (document,) = strangers.documents() or ()
        assert (document.ids, document.serial, document.port) == ("0781:5567", "4C53", "1-3")
        watcher.broken = "a defect"
        assert await hear(told, 1) == ["unwatched"]
        assert strangers.documents() is None
        machine.take("1-3")
        watcher.broken = ""
        assert await hear(told, 2) == ["watched", "stranger_gone"]
        assert strangers.documents() == ()
        assert told.empty()
    finally:
        task.cancel()
        await asyncio.wait([task])
