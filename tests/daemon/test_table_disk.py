"""The journal's disk is full: nothing is acknowledged, shown or published that is not on it, and nothing is lost."""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablectl import events as e
from tests.daemon.tables import TWO_SEATS, Rig, table, tapped, until
from tests.support import Broker

STOPPED = "JOURNAL STOPPED"


class SmallDisk:
    """A file system of a megabyte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Leave no room at all."""
        fd = os.open(self._filler, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            for size in (65_536, 4096, 1):
                while _wrote(fd, size):
                    pass
        finally:
            os.close(fd)

    def empty(self) -> None:
        """Make room."""
        self._filler.unlink()


def _wrote(fd: int, size: int) -> bool:
    try:
        return os.write(fd, bytes(size)) > 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return False


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("needs to be allowed to mount a file system")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


async def _stop_journal(rig: Rig) -> None:
    """Let it run into the end of its disk: what still fits into allocated pages is taken."""
    while STOPPED not in rig.text:
        await rig.press("enter")  # does not count, is recorded
        await asyncio.sleep(0.002)  # or the device's memory would be full instead


async def test_full_disk_in_the_round(tmp_path: Path, disk: SmallDisk, mosquitto: Broker) -> None:
    place = disk.folder / "journal.db"
    environment = {"WATCHDOG_USEC": "2000000"}
    async with (
        table(tmp_path, broker=mosquitto, journal=place, environment=environment) as rig,
        tapped(mosquitto) as tap,
    ):
        await rig.deal(to="SEAT 1: BET")
        disk.fill()
        await _stop_journal(rig)
        rows = len(rig.rows())
        await until(lambda: STOPPED in tap.document("/state")["prompt"], "it is published")
        before = tap.document("/state")
        assert before["sequence"] == len(rig.events())
        await rig.equipment.put("wagers", 1, "play", "10.00")
        rig.robot(1)._decisions[1].clear()
        beats = rig.manager.count("WATCHDOG=1")
        await until(lambda: rig.manager.count("WATCHDOG=1") > beats + 1, "waiting for room is no death")
        assert len(rig.rows()) == rows
        assert tap.document("/state") == before
        assert STOPPED in rig.text
        assert (await rig.equipment.act("wagers", "status"))["unacknowledged"] == 1
        disk.empty()
        await rig.shows("SEAT 3: BET")
        await rig.deal()
        assert rig.document() == rig.expected()
        assert len(rig.events(e.SeatDecided)) == 2
        assert rig.log().count("journal_stopped") == 1


async def test_stops_and_starts_with_a_full_disk(tmp_path: Path, disk: SmallDisk) -> None:
    place = disk.folder / "journal.db"
    async with table(tmp_path, TWO_SEATS, journal=place) as rig:
        await rig.deal(to="DEAL CARD 5")
        disk.fill()
        await _stop_journal(rig)
        status, seconds = await rig.stop()
        assert (status, seconds < 2.0) == (0, True), rig.log()[-2000:]
        disk.fill()  # closing the journal has made some room
        await rig.daemon.start()
        assert rig.daemon.process is not None
        assert await asyncio.wait_for(rig.daemon.process.wait(), 15) == 3
        said = rig.log().splitlines()[-1]
        assert said.startswith("tablectl: ")
        assert str(disk.folder) in said
        assert "full" in said or "No space left" in said
        assert "Traceback" not in rig.log()
        disk.empty()
        await rig.daemon.start()
        await rig.deal()
        assert rig.document() == rig.expected()
