"""Finding and opening devices by what does not change about them."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablectl_drivers.usb.address import WrongDevice, parse
from tablectl_drivers.usb.bus import Bus, Failed, Gone, Pipes, Received, Role, Stalled, Timeout, Written
from tablectl_hil.usb_backend import HID, INTERRUPT, EmulatedBus, UsbDevice, UsbInterface

IN, OUT = 0x81, 0x01


def device(serial: str | None, *interfaces: UsbInterface, product: int = 1) -> UsbDevice:
    taken: list[bytes] = []
    return UsbDevice(0x1209, product, serial, lambda _, data: taken.append(data), interfaces or (UsbInterface(),))


@pytest.fixture
def emulated() -> EmulatedBus:
    return EmulatedBus()


@pytest.fixture
def bus(emulated: EmulatedBus) -> Bus:
    return Bus(emulated)


def test_by_serial_number_wherever_it_is_plugged_in(emulated: EmulatedBus, bus: Bus) -> None:
    one, two = device("A"), device("B")
    emulated.plug(one, "1-1")
    emulated.plug(two, "1-2.4")
    assert bus.find(parse("usb:1209:0001?serial=B")).port == "1-2.4"
    emulated.unplug(two)
    emulated.plug(two, "3-1")
    assert bus.find(parse("usb:1209:0001?serial=B&port=1-2.4"), last="1-2.4").port == "3-1"


def test_by_port(emulated: EmulatedBus, bus: Bus) -> None:
    emulated.plug(device(None), "1-1")
    emulated.plug(device(None), "1-2")
    assert bus.find(parse("usb:1209:0001?port=1-2")).port == "1-2"


def test_one_of_two_alike_is_not_guessed(emulated: EmulatedBus, bus: Bus) -> None:
    emulated.plug(device("A"), "1-1")
    assert bus.find(parse("usb:1209:0001")).port == "1-1"
    emulated.plug(device("B"), "1-2")
    with pytest.raises(OSError, match=r"2 devices 1209:0001 are plugged in, on ports 1-1, 1-2: say"):
        bus.find(parse("usb:1209:0001"))


def test_nothing_there_is_not_the_wrong_device(emulated: EmulatedBus, bus: Bus) -> None:
    emulated.plug(device("C", product=9), "1-1")
    for port in ("usb:1209:0001", "usb:1209:0001?serial=B", "usb:1209:0001?port=1-2"):
        with pytest.raises(FileNotFoundError):
            bus.find(parse(port))


@pytest.mark.parametrize(
    ("port", "last", "found"),
    [
        ("usb:1209:0001?port=1-1", None, "1209:0009 with serial number C"),
        ("usb:1209:0001?serial=A", "1-1", "1209:0009 with serial number C"),
        ("usb:1209:0001?serial=A", "1-2", "1209:0001 without a serial number"),
        ("usb:1209:0001?serial=A&port=1-2", None, "1209:0001 without a serial number"),
    ],
)
def test_another_device_in_its_place(emulated: EmulatedBus, bus: Bus, port: str, last: str | None, found: str) -> None:
    emulated.plug(device("C", product=9), "1-1")
    emulated.plug(device(None), "1-2")
    with pytest.raises(WrongDevice, match=f"{found}.* is plugged in on USB port .*, expected 1209:0001"):
        bus.find(parse(port), last)


def test_the_interface_is_ours_alone(emulated: EmulatedBus, bus: Bus) -> None:
    emulated.plug(device("A"))
    pipes = bus.open(bus.find(parse("usb:1209:0001")), Role.STREAM)
    with pytest.raises(OSError, match="in use by another process") as refusal:
        bus.open(bus.find(parse("usb:1209:0001")), Role.STREAM)
    assert refusal.value.errno == errno.EBUSY
    pipes.close()
    pipes.close()
    bus.open(bus.find(parse("usb:1209:0001")), Role.STREAM).close()
    assert emulated.handles == 0


def test_what_the_kernel_uses_is_taken_from_it(emulated: EmulatedBus, bus: Bus) -> None:
    it = device("A", UsbInterface(usb_class=HID, transfer=INTERRUPT, kernel_driver=True))
    emulated.plug(it)
    bus.open(bus.devices()[0], Role.HID).close()
    assert it.detached == {0}


def test_without_rights_the_person_is_told_about_the_rules(emulated: EmulatedBus, bus: Bus) -> None:
    it = device("A")
    emulated.plug(it)
    listed = bus.find(parse("usb:1209:0001"))
    it.set(denied=True)
    with pytest.raises(PermissionError, match="udev rules"):
        bus.open(listed, Role.STREAM)
    assert bus.serial(bus.devices()[0]) is None


def test_the_interface_that_will_do_is_chosen(emulated: EmulatedBus, bus: Bus) -> None:
    keyboard = UsbInterface(0, HID, INTERRUPT, 8, outward=False)
    reports = UsbInterface(1, HID, INTERRUPT, 36)
    stream = UsbInterface(2, packet=32)
    it = device("A", keyboard, reports, stream)
    emulated.plug(it)
    for role, number, chosen in ((Role.STREAM, None, 1), (Role.STREAM, 2, 2), (Role.HID, None, 0), (Role.HID, 1, 1)):
        pipes = bus.open(bus.devices()[0], role, number)
        assert set(it.claimed) == {chosen}
        pipes.close()
    for role, number in ((Role.STREAM, 0), (Role.HID, 2), (Role.HID, 7)):
        with pytest.raises(OSError, match="the device has not"):
            bus.open(bus.devices()[0], role, number)
    assert emulated.handles == 0


@pytest.fixture
def opened(emulated: EmulatedBus, bus: Bus) -> Iterator[tuple[UsbDevice, Pipes]]:
    it = device("A")
    emulated.plug(it)
    pipes = bus.open(bus.devices()[0], Role.STREAM)
    yield it, pipes
    pipes.close()


def test_a_timeout_is_no_error_and_an_error_no_timeout(emulated: EmulatedBus, opened: tuple[UsbDevice, Pipes]) -> None:
    it, pipes = opened
    assert pipes.read(1) == Timeout()
    it.send(b"hello")
    assert pipes.read(1) == Received(b"hello")
    assert pipes.write(b"x" * 100, 10) == Written(100)
    it.set(deaf=True)
    assert pipes.write(b"x", 1) == Timeout()
    it.set(deaf=False, halts={IN: 1, OUT: 1})
    assert pipes.read(1) == Stalled()
    assert pipes.write(b"x", 1) == Stalled()
    assert pipes.clear(outward=False)
    assert pipes.clear(outward=True)
    assert pipes.read(1) == Timeout()
    assert it.cleared == [IN, OUT]
    it.errors.append(errno.EIO)
    assert pipes.read(1) == Failed("Input/Output Error")
    emulated.unplug(it)
    assert pipes.read(1) == Gone()
    assert pipes.write(b"x", 1) == Gone()
    assert not pipes.clear(outward=False)


def test_a_device_that_comes_back_is_not_the_one_that_was_opened(
    emulated: EmulatedBus, opened: tuple[UsbDevice, Pipes]
) -> None:
    it, pipes = opened
    emulated.unplug(it)
    emulated.plug(it)
    assert pipes.read(1) == Gone()


def test_what_the_kernel_does_not_list_is_gone(tmp_path: Path, emulated: EmulatedBus) -> None:
    """As where no udev tells libusb of removals."""
    it = device("from the device")
    emulated.plug(it, "1-1")
    bus = Bus(emulated)
    bus._sysfs = tmp_path
    assert bus.devices() == []
    (tmp_path / "1-1").mkdir()
    (tmp_path / "1-1" / "devnum").write_text(f"{it.address}\n")
    (listed,) = bus.devices()
    assert bus.serial(listed) == "from the device"
    (tmp_path / "1-1" / "serial").write_text("from the kernel\n")
    assert bus.serial(listed) == "from the kernel"
    (tmp_path / "1-1" / "devnum").write_text("77\n")
    assert bus.devices() == []
