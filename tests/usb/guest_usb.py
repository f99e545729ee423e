"""Inside the virtual machine: drivers, the real libusb, the real kernel, and cables that are pulled.

The devices on USB/IP are emulated in this process; the one on a serial adapter is emulated by the host, which is asked
to pull its cable by the lines ``@unplug`` and ``@plug`` on the console.
"""

from __future__ import annotations

import asyncio
import errno
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tablectl.devices import Device, LinkState
from tablectl.devices.watcher import Appeared, Vanished
from tablectl.equipment import DeviceState, Fault, KeyPressed, Kind, LinkLost, LinkUp, ShowPrompt
from tablectl_drivers.hid.driver import XkeysDriver
from tablectl_drivers.link.driver import LinkDriver
from tablectl_drivers.usb.address import parse
from tablectl_drivers.usb.bus import Bus, Gone, Received, Role, Stalled, Timeout
from tablectl_drivers.usb.watch import UsbWatcher
from tablectl_hil.control import Piece
from tablectl_hil.usb_backend import UsbDevice, UsbInterface
from tablectl_hil.usb_ip import VhciBus, free_socket
from tablectl_hil.usb_link import PRODUCT, VENDOR, UsbEmulator
from tablectl_hil.usb_panels import XkeysPanel
from tests.drivers.rig import Watch

PATIENT_S = 60.0
OPTIONS = {"retry_ms": 100, "retry_max_ms": 500, "lost_after_ms": 20_000, "command_timeout_ms": 20_000}


class Patient(Watch):
    """A watch for a machine on which everything takes its time."""

    async def until_fault(self) -> Fault | None:
        return (await self.until(DeviceState)).fault


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.drivers.rig.DEADLINE_S", PATIENT_S)
    monkeypatch.setattr("tablectl_drivers.hid.driver._GREETING_S", PATIENT_S)
    monkeypatch.setattr("tablectl_drivers.hid.driver._ACCEPT_S", PATIENT_S)


@asynccontextmanager
async def watched(driver: Device) -> AsyncIterator[Patient]:
    async with driver as device:
        yield Patient(device)


async def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENT_S
    while not condition():
        assert time.monotonic() < deadline, "it has not happened"
        await asyncio.sleep(0.05)


@asynccontextmanager
async def link_panel(interface: UsbInterface | None = None) -> AsyncIterator[UsbEmulator]:
    notices: list[dict[str, object]] = []
    piece = Piece("panel", Kind.PANEL)
    emulator = UsbEmulator(piece, VhciBus(), "", interface or UsbInterface(), notices.append)
    try:
        yield emulator
    finally:
        emulator.close()


def link_driver() -> LinkDriver:
    return LinkDriver("panel", Kind.PANEL, f"usb:{VENDOR:04x}:{PRODUCT:04x}?serial=EMU-panel", OPTIONS)


async def test_link_pulled_out_and_put_back_elsewhere() -> None:
    async with link_panel() as emulator, watched(link_driver()) as watch:
        await watch.up()
        assert emulator.do("press", {"key": "bet"})
        assert await watch.until(KeyPressed) == KeyPressed("bet")
        await watch.device.send(ShowPrompt("NO MORE BETS", ("bet",), (), False), 1)
        socket = emulator.usb.device.port

        before = time.monotonic()
        emulator.usb.unplug()
        assert (await watch.until(LinkLost)).reason == "it was unplugged"
        assert time.monotonic() - before < 5
        await eventually(lambda: socket == f"vhci {free_socket()}")
        others, other = VhciBus(), UsbDevice(0x1209, 0x0099, None, lambda _, data: None)
        others.plug(other)  # takes its socket, so that it comes back in another one
        assert await watch.until_fault() is Fault.SWAPPED
        emulator.usb.plug()
        await watch.up()
        assert watch.device.health().state is LinkState.UP
        assert emulator.do("press", {"key": "fold"})
        assert await watch.until(KeyPressed) == KeyPressed("fold")
        others.unplug(other)


async def test_typed_results_from_the_real_libusb() -> None:
    bus = VhciBus()
    taken: list[bytes] = []
    device = UsbDevice(VENDOR, 0x0002, "S1", lambda _, data: taken.append(data))
    bus.plug(device)
    libusb = Bus()
    address = parse(f"usb:{VENDOR:04x}:0002?serial=S1")

    def found() -> bool:
        try:
            return bool(libusb.find(address))
        except OSError:
            return False

    await eventually(found)
    pipes = libusb.open(libusb.find(address), Role.STREAM)
    with pytest.raises(OSError, match="in use by another process") as busy:
        libusb.open(Bus().find(address), Role.STREAM)
    assert busy.value.errno == errno.EBUSY
    assert pipes.read(200) == Timeout()
    device.send(b"hello")
    assert pipes.read(5000) == Received(b"hello")
    pipes.write(b"x" * 200, 5000)
    assert b"".join(taken) == b"x" * 200
    device.set(deaf=True)
    assert pipes.write(b"y", 200) == Timeout()
    device.set(deaf=False, halts={0x81: 1})
    assert pipes.read(5000) == Stalled()
    assert pipes.clear(outward=False)
    assert device.cleared == [0x81]
    device.send(b"again")
    assert pipes.read(5000) == Received(b"again")
    reading = asyncio.create_task(asyncio.to_thread(pipes.read, 20_000))
    await asyncio.sleep(0.3)
    bus.unplug(device)
    assert await reading == Gone()
    pipes.close()
    await eventually(lambda: not found())


def kernel_has_it() -> bool:
    """Whether the kernel's own driver for human interface devices has an interface."""
    return any(":" in path.name for path in Path("/sys/bus/usb/drivers/usbhid").iterdir())


async def test_x_keys_is_taken_from_the_kernel_and_lit() -> None:
    bus = VhciBus()
    panel = XkeysPanel(bus, serial="X1")
    driver = XkeysDriver("panel", Kind.PANEL, "usb:05f3:0405?serial=X1", {"keys": "bet=1.1 fold=2.6"})
    await eventually(kernel_has_it)
    async with watched(driver) as watch:
        up = await watch.up()
        assert isinstance(up.message, LinkUp)
        assert up.message.description.model == "XK-24"
        assert not kernel_has_it()
        panel.hold((2, 6))
        assert await watch.until(KeyPressed) == KeyPressed("fold")
        await watch.device.send(ShowPrompt("", ("bet",), ("fold",), False), 1)
        assert await asyncio.to_thread(panel.seen, PATIENT_S, c1r1=1, c2r6=2)
        panel.unplug()
        await watch.until(LinkLost)
        panel.release((2, 6))
        panel.plug()
        await watch.up()
    panel.unplug()


async def test_a_stranger_is_seen() -> None:
    bus = VhciBus()
    watcher = UsbWatcher(["0627:0001"], patience=0)
    known = {change.device for change in await watcher.look() if isinstance(change, Appeared)}
    stick = UsbDevice(0x0781, 0x5567, "4C53", lambda _, data: None)
    bus.plug(stick)
    seen: list[object] = []
    while not seen:
        seen += [it for it in await watcher.look() if isinstance(it, Appeared) and it.device not in known]
        await asyncio.sleep(0.1)
    (appeared,) = seen
    assert isinstance(appeared, Appeared)
    assert (appeared.device.vendor, appeared.device.serial) == (0x0781, "4C53")
    bus.unplug(stick)
    changes: list[object] = []
    while appeared.device in (watcher.strangers or ()):
        changes += await watcher.look()
        await asyncio.sleep(0.1)
    assert Vanished(appeared.device) in changes


def adapter() -> Path:
    """The only serial adapter, by the name that does not change."""
    (name,) = Path("/dev/serial/by-id").iterdir()
    return name


async def test_the_adapter_that_a_port_leads_to_is_no_stranger() -> None:
    for ports, serials in (([], {"A1"}), ([f"serial:{adapter()}"], set())):
        watcher = UsbWatcher([], ports)
        changes = await watcher.look()
        assert {it.device.serial for it in changes if isinstance(it, Appeared)} & {"A1"} == serials


async def test_serial_adapter_pulled_out_and_put_back() -> None:
    name = adapter()
    async with watched(LinkDriver("shoe", Kind.SHOE, f"serial:{name}", OPTIONS)) as watch:
        await watch.up()
        before = time.monotonic()
        print("\n@unplug", flush=True)
        assert "unplugged" in (await watch.until(LinkLost)).reason
        print(f"\n@lost after {time.monotonic() - before:.2f} s", flush=True)
        assert not name.exists()
        print("\n@plug", flush=True)
        await watch.up()
        assert name.exists()
