"""The device on the event loop: what its threads do when it is slow, stalled, unplugged, swapped or hangs."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import structlog

from tablectl.devices import LinkState
from tablectl.equipment import DeviceState, Fault, KeyPressed, Kind, LinkLost, LinkUp, ShowPrompt
from tablectl.errors import CommandTimeout, LinkError
from tablectl_drivers.usb import port
from tablectl_drivers.usb.address import WrongDevice, parse
from tablectl_drivers.usb.bus import Bus, Role
from tablectl_drivers.usb.port import UsbOpener, UsbPort
from tablectl_hil.control import Piece
from tablectl_hil.usb_backend import EmulatedBus, UsbDevice
from tablectl_hil.usb_link import UsbEmulator, UsbEquipment, usb_equipment
from tests.drivers.rig import DEADLINE_S, Watch, opened, seen

PANEL = Piece("panel", Kind.PANEL)
IN, OUT = 0x81, 0x01


class Ends:
    """One opened port and everything that it told."""

    def __init__(self, serial: str | None = "A", where: str = "usb:1209:0001") -> None:
        self.bus = EmulatedBus()
        self.taken = b""
        self.device = UsbDevice(0x1209, 1, serial, self._take)
        self.opener = UsbOpener(parse(where), Role.STREAM, bus=Bus(self.bus))
        self.got = b""
        self.lost: list[str] = []
        self.told = asyncio.Event()

    def _take(self, _interface: int, data: bytes) -> None:
        self.taken += data

    def received(self, data: bytes) -> None:
        self.got += data
        self.told.set()

    def end(self, reason: str) -> None:
        self.lost.append(reason)
        self.told.set()

    async def open(self) -> UsbPort:
        return await self.opener(self.received, self.end)

    async def until_lost(self) -> str:
        async with asyncio.timeout(DEADLINE_S):
            while not self.lost:
                self.told.clear()
                await self.told.wait()
        return self.lost[0]

    async def until_got(self, data: bytes) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while self.got != data:
                self.told.clear()
                await self.told.wait()


@asynccontextmanager
async def ends() -> AsyncIterator[tuple[Ends, UsbPort]]:
    it = Ends()
    it.bus.plug(it.device)
    line = await it.open()
    try:
        yield it, line
    finally:
        await line.close()


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name in {port.READER, port.WRITER}]


async def threads_end() -> None:
    for thread in threads():
        await asyncio.to_thread(thread.join, DEADLINE_S)
    assert threads() == []


async def test_bytes_go_both_ways_and_closing_ends_the_threads() -> None:
    async with ends() as (it, line):
        sent = bytes(range(256)) * 20
        it.device.send(sent)
        await it.until_got(sent)
        line.write(sent)
        line.write(b"more")
        await asyncio.wait_for(line.drained(), DEADLINE_S)
        assert it.taken == sent + b"more"
    assert it.bus.handles == 0
    assert it.lost == []
    await threads_end()


async def test_a_stalled_pipe_is_cleared_once_and_then_reported() -> None:
    async with ends() as (it, _):
        with structlog.testing.capture_logs() as logs:
            it.device.set(halts={IN: 1})
            it.device.send(b"after")
            await it.until_got(b"after")
            assert [log["event"] for log in logs] == ["usb_stall_cleared"]
            assert it.lost == []
            it.device.set(halts={IN: -1})
            assert "stalled, and again after it was cleared" in await it.until_lost()
            assert it.device.cleared == [IN, IN]


async def test_the_same_for_the_pipe_from_us() -> None:
    async with ends() as (it, line):
        it.device.set(halts={OUT: 1})
        line.write(b"one")
        await asyncio.wait_for(line.drained(), DEADLINE_S)
        assert it.taken == b"one"
        it.device.set(halts={OUT: -1})
        line.write(b"two")
        assert "its pipe from us is stalled" in await it.until_lost()


async def test_unplugged_while_it_is_read_and_while_it_is_written() -> None:
    async with ends() as (it, line):
        it.device.set(deaf=True)
        line.write(b"x" * 1000)
        it.bus.unplug(it.device)
        assert await it.until_lost() == "it was unplugged"
        with pytest.raises(ConnectionError, match="unplugged"):
            await line.drained()
    assert it.lost == ["it was unplugged"]


async def test_a_device_that_takes_no_bytes_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "WRITE_S", 0.1)
    monkeypatch.setattr(port, "WRITE_MS", 20)
    async with ends() as (it, line):
        it.device.set(deaf=True)
        line.write(b"x")
        assert "takes no bytes" in await it.until_lost()


async def test_what_waits_for_it_is_bounded() -> None:
    async with ends() as (it, line):
        it.device.set(deaf=True)
        for _ in range(20):
            line.write(b"x" * 1000)
        assert it.lost == ["the device takes no bytes: 17000 are waiting"]


async def test_a_loop_that_is_behind_loses_nothing() -> None:
    async with ends() as (it, _):
        sent = bytes(range(250)) * 64  # 250 packets, more than are handed over at once
        it.device.send(sent)
        time.sleep(0.1)  # noqa: TID251, ASYNC251 - the loop stands still, which is the point
        await it.until_got(sent)


async def test_a_device_that_hangs_is_left_to_its_threads() -> None:
    it = Ends()
    it.bus.plug(it.device)
    line = await it.open()
    it.device.set(hangs=True)
    line.write(b"x")
    assert await asyncio.to_thread(it.device.stuck.wait, DEADLINE_S)
    began = time.monotonic()
    await line.close()
    assert time.monotonic() - began < 1.0
    assert threads()
    it.bus.unplug(it.device)
    await threads_end()
    assert it.bus.handles == 0
    assert it.lost == []


async def test_opening_that_hangs_is_waited_for_and_not_begun_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "OPEN_S", 0.05)
    it = Ends()
    it.bus.plug(it.device)
    attempts = []
    go = threading.Event()
    claim = it.bus.claim_interface

    def slow(handle: object, interface: int) -> None:
        attempts.append(interface)
        go.wait()
        claim(handle, interface)  # type: ignore[arg-type]

    monkeypatch.setattr(it.bus, "claim_interface", slow)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            await it.open()
    go.set()
    line = await it.open()
    assert attempts == [0]
    await line.close()


async def test_whoever_does_not_wait_for_the_opening_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    it = Ends()
    it.bus.plug(it.device)
    going, go = threading.Event(), threading.Event()
    claim = it.bus.claim_interface

    def slow(handle: object, interface: int) -> None:
        going.set()
        go.wait()
        claim(handle, interface)  # type: ignore[arg-type]

    monkeypatch.setattr(it.bus, "claim_interface", slow)
    opening = asyncio.create_task(it.open())
    await asyncio.to_thread(going.wait)
    opening.cancel()
    await asyncio.wait([opening])
    go.set()
    await threads_end()
    assert it.bus.handles == 0


async def test_it_can_be_opened_after_it_could_not() -> None:
    it = Ends()
    with pytest.raises(FileNotFoundError, match="no USB device 1209:0001 is plugged in"):
        await it.open()
    it.bus.plug(it.device)
    await (await it.open()).close()


async def test_the_same_serial_number_in_another_socket_is_the_same_device() -> None:
    it = Ends(where="usb:1209:0001?serial=A")
    it.bus.plug(it.device, "1-1")
    await (await it.open()).close()
    it.bus.unplug(it.device)
    it.bus.plug(UsbDevice(0x1209, 1, "B", it._take), "1-1")
    with pytest.raises(WrongDevice, match="serial number B is plugged in on USB port 1-1"):
        await it.open()
    it.bus.plug(it.device, "1-2")
    with structlog.testing.capture_logs() as logs:
        await (await it.open()).close()
    assert [(log["event"], log["now"]) for log in logs] == [("usb_device_moved", "1-2")]


# The driver over it


@asynccontextmanager
async def panel(lost_after_ms: int = 3000) -> AsyncIterator[tuple[UsbEquipment, UsbEmulator, Watch]]:
    async with (
        usb_equipment(PANEL) as equipment,
        opened(equipment, "panel", Kind.PANEL, lost_after_ms=lost_after_ms) as watch,
    ):
        await watch.up()
        yield equipment, equipment.devices["panel"], watch


async def test_unplugged_in_mid_write_and_back_in_another_socket() -> None:
    async with panel() as (equipment, emulator, watch):
        emulator.usb.device.set(deaf=True)
        command = asyncio.create_task(watch.device.send(ShowPrompt("x", (), (), False), 1))
        await asyncio.sleep(0)
        await equipment.unplug("panel")
        with pytest.raises((CommandTimeout, LinkError)):
            await command
        assert (await watch.until(LinkLost)).reason == "it was unplugged"
        emulator.usb.device.set(deaf=False)
        emulator.usb.socket = "4-3.2"
        await equipment.replug("panel")
        await watch.up()
        await watch.device.send(ShowPrompt("back", ("bet",), (), False), 2)
        await seen(equipment, lambda: equipment.showing("panel").text == "back")
        assert await equipment.press("panel", "bet")
        assert await watch.until(KeyPressed) == KeyPressed("bet")


async def test_a_press_that_is_not_acknowledged_is_not_said_twice() -> None:
    async with panel() as (equipment, _, watch):
        assert await equipment.press("panel", "bet")
        assert (await watch.next()).message == KeyPressed("bet")  # not acknowledged
        await equipment.unplug("panel")
        assert isinstance((await watch.next()).message, LinkLost)
        await equipment.replug("panel")
        assert isinstance((await watch.next()).message, LinkUp)
        assert isinstance((await watch.next()).message, DeviceState)
        assert watch.device.health().duplicates == 1


async def test_another_device_in_its_socket_is_a_fault_told_once() -> None:
    async with panel() as (equipment, emulator, watch):
        await equipment.unplug("panel")
        await watch.until(LinkLost)
        stranger = UsbDevice(0x1209, 1, "STRANGER", lambda _, data: None)
        equipment.bus.plug(stranger, emulator.usb.socket)
        assert (await watch.until(DeviceState)).fault is Fault.SWAPPED
        assert watch.device.health().state is LinkState.REFUSED
        assert "STRANGER" in (watch.device.health().last_error or "")
        equipment.bus.unplug(stranger)
        await equipment.replug("panel")
        told = await watch.take(2)
        assert [type(message) for message in told] == [LinkUp, DeviceState]


async def test_a_device_that_falls_silent_is_lost_and_found_again() -> None:
    async with panel(lost_after_ms=500) as (equipment, _, watch):
        await equipment.wire("panel", "out", silent=True)
        assert "silent" in (await watch.until(LinkLost)).reason
        await equipment.wire("panel", "out")
        await watch.up()


async def test_garbage_costs_nothing_but_the_frame_that_it_touches() -> None:
    async with panel() as (equipment, _, watch):
        for number in range(10):
            await equipment.act("panel", "babble", count=40)
            assert await equipment.press("panel", f"key_{number}")
        assert await watch.take(10) == [KeyPressed(f"key_{number}") for number in range(10)]


async def test_two_drivers_cannot_have_one_device() -> None:
    async with panel() as (equipment, _, _), opened(equipment, "panel", Kind.PANEL) as second:
        assert "in use by another process" in (await second.until(LinkLost)).reason


async def test_closed_within_a_second_whatever_the_device_does() -> None:
    async with usb_equipment(PANEL) as equipment:
        usb = equipment.devices["panel"].usb.device
        async with opened(equipment, "panel", Kind.PANEL) as watch:
            await watch.up()
            usb.set(hangs=True)
            assert await asyncio.to_thread(usb.stuck.wait, DEADLINE_S)
            began = time.monotonic()
        assert time.monotonic() - began < 1.0
        usb.set(hangs=False)
