"""Devices that nobody has allowed."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.devices.watcher import Appeared, Change, Plugged, Readable, Unreadable, Vanished
from tablectl.errors import ConfigurationError
from tablectl_drivers.usb import sockets
from tablectl_drivers.usb.address import Address
from tablectl_drivers.usb.watch import PATIENCE, UsbWatcher, allowed, compare, snapshot, strangers
from tests.drivers.rig import DEADLINE_S
from tests.drivers.usb.kernel_list import KernelList

PANEL = Plugged("1-1", 0x05F3, 0x0405, None, "P. I. Engineering XK-24")
SHOE = Plugged("1-2", 0x1209, 0x0001, "S7", "Shoe")
STICK = Plugged("1-3", 0x0781, 0x5567, "4C53", "SanDisk Cruzer")
ENTRIES = ("05f3:0405?port=1-1", "usb:1209:0001?serial=S7")
ALLOW = allowed(ENTRIES)


def test_the_allowed_are_no_strangers_wherever_they_may_be() -> None:
    moved = Plugged("3-2", 0x1209, 0x0001, "S7", "Shoe")
    assert strangers({PANEL, moved}, ALLOW) == frozenset()
    assert strangers({PANEL, SHOE, STICK}, ALLOW) == {STICK}


def test_what_is_not_quite_the_allowed_is_a_stranger() -> None:
    others = {
        Plugged("1-4", 0x05F3, 0x0405, None, "another port"),
        Plugged("1-1", 0x05F3, 0x0406, None, "another product"),
        Plugged("1-5", 0x1209, 0x0001, "S8", "another serial number"),
        Plugged("1-6", 0x1209, 0x0001, None, "no serial number"),
    }
    assert strangers(others, ALLOW) == others


def test_of_two_with_the_same_serial_number_one_is_a_stranger() -> None:
    copy = Plugged("1-9", 0x1209, 0x0001, "S7", "Shoe")
    assert len(strangers({SHOE, copy}, ALLOW)) == 1
    pinned = allowed(["usb:1209:0001?serial=S7&port=1-9"])
    assert strangers({SHOE, copy}, pinned) == {SHOE}


def test_a_wide_entry_does_not_take_what_an_exact_one_allows() -> None:
    two = {SHOE, Plugged("1-0", 0x1209, 0x0001, None, "spare")}
    assert strangers(two, allowed(["usb:1209:0001", "usb:1209:0001?serial=S7"])) == frozenset()


def test_changes_between_two_looks() -> None:
    assert compare(frozenset({STICK}), frozenset({SHOE, PANEL})) == [Vanished(STICK), Appeared(PANEL), Appeared(SHOE)]
    assert compare(frozenset({STICK}), frozenset({STICK})) == []
    assert str(STICK) == "0781:5567 (SanDisk Cruzer) with serial number 4C53 on USB port 1-3"


PORTS = (
    "usb:05f3:0405?port=1-1",
    "usb:1209:0001?serial=S7&interface=1",
    "serial:/dev/ttyS1",
    "usb:wrong",
)


@pytest.mark.parametrize(
    ("allow", "problems"),
    [
        ((), []),
        (("0781:5567?serial=4C53", "usb:0781:5567?port=1-3", "046d:c31c", "046d:c31c"), []),  # two keyboards are two
        (("0781", "x:5567"), ["'usb:0781' names no vendor", "'usb:x:5567' names no vendor"]),
        (("0781:5567?port=x",), ["'usb:0781:5567?port=x' has port 'x'"]),
        (("0781:5567?interface=1",), ["names an interface, and a device is allowed whole: leave interface out"]),
        (("0781:5567?serial=4C53", "usb:0781:5567?serial=4C53"), ["is listed twice"]),
        (("05f3:0405?port=1-1",), ["'05f3:0405?port=1-1' is a configured device's port and so allowed already"]),
        (("1209:0001?serial=S7",), ["is a configured device's port"]),
        (("1209:0001",), []),  # one more of them
    ],
)
def test_an_allow_list_is_looked_at(allow: Sequence[str], problems: list[str]) -> None:
    if not problems:
        UsbWatcher.check(allow, PORTS)
        return
    with pytest.raises(ConfigurationError) as caught:
        UsbWatcher.check(allow, PORTS)
    assert len(caught.value.problems) == len(problems)
    for said, expected in zip(caught.value.problems, problems, strict=True):
        assert expected in said


DEVICES = st.builds(
    Plugged,
    st.sampled_from(["1-1", "1-2", "1-2.1"]),
    st.integers(1, 2),
    st.just(1),
    st.none() | st.sampled_from("AB"),
    st.just(""),
)
ADDRESSES = st.builds(
    Address, st.integers(1, 2), st.just(1), st.none() | st.sampled_from("AB"), st.none() | st.sampled_from(["1-1"])
)


@given(st.frozensets(DEVICES), st.lists(ADDRESSES))
def test_no_more_devices_pass_than_there_are_entries(plugged: frozenset[Plugged], entries: list[Address]) -> None:
    left = strangers(plugged, entries)
    assert left <= plugged
    assert len(plugged) - len(left) <= len(entries)
    assert strangers(plugged, []) == plugged


@given(
    st.builds(
        Plugged,
        st.just("1-2.3"),
        st.integers(0, 0xFFFF),
        st.integers(0, 0xFFFF),
        st.none() | st.text(min_size=1),
        st.text(),
    )
)
def test_the_entry_that_a_device_is_given_allows_it_and_no_other(device: Plugged) -> None:
    UsbWatcher.check([device.entry], ())
    other = Plugged("1-4", device.vendor, device.product, f"{device.serial}0", device.name)
    assert strangers({device, other}, allowed([device.entry])) == {other}


# The kernel's list


@pytest.fixture
def machine(tmp_path: Path) -> KernelList:
    made = KernelList(tmp_path / "machine")
    made.put("usb1", idVendor="1d6b", idProduct="0002", serial="0000:00:14.0")
    made.panel()
    made.put("1-1:1.0", bInterfaceClass="03")
    made.shoe()
    return made


def test_the_list_of_the_kernel(machine: KernelList) -> None:
    assert snapshot(machine.devices) == {PANEL, SHOE}
    machine.put("1-4")  # being pulled out
    machine.put("1-5", idVendor="dead", idProduct="beef", serial="\udcff\udcfe")
    assert snapshot(machine.devices) - {PANEL, SHOE} == {Plugged("1-5", 0xDEAD, 0xBEEF, "��", "")}
    machine.put("1-6", idVendor="what", idProduct="0001")
    with pytest.raises(OSError, match="1-6"):
        snapshot(machine.devices)


def test_a_machine_without_usb_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"there is no .*devices: this machine has no USB, or hides it from this program"):
        snapshot(tmp_path / "devices")


def test_what_a_device_says_of_itself_cannot_do_anything_to_a_terminal(machine: KernelList) -> None:
    machine.put("1-5", idVendor="0001", idProduct="0002", serial="\x1b[2J7", product="a\u202eb\nc")
    (device,) = snapshot(machine.devices) - {PANEL, SHOE}
    assert (device.serial, device.name) == ("\ufffd[2J7", "a\ufffdb\ufffdc")


def test_a_hub_is_no_stranger_unless_it_is_something_else_too(machine: KernelList) -> None:
    machine.put("1-4", idVendor="05e3", idProduct="0608", bDeviceClass="09")
    machine.put("1-4:1.0", bInterfaceClass="09")
    assert snapshot(machine.devices) == {PANEL, SHOE}
    machine.put("1-4:1.1")  # its interface is being taken away
    assert snapshot(machine.devices) == {PANEL, SHOE}
    machine.put("1-4:1.2", bInterfaceClass="03")
    assert [device.ids for device in snapshot(machine.devices) - {PANEL, SHOE}] == ["05e3:0608"]


# Looking again and again


def over(
    machine: KernelList, allow: Sequence[str] = ENTRIES, ports: Sequence[str] = (), patience: int = 0
) -> UsbWatcher:
    def lead(port: str) -> str | None:
        return sockets.socket(sockets.device_file(port), machine.numbers)

    return UsbWatcher(allow, ports, read=lambda: snapshot(machine.devices), lead=lead, patience=patience)


def unknown(watcher: UsbWatcher) -> bool:
    return watcher.strangers is None


async def test_it_looks_again_and_again(machine: KernelList) -> None:
    watcher = over(machine)
    assert await watcher.look() == []
    machine.stick()
    assert await watcher.look() == [Appeared(STICK)]
    assert await watcher.look() == []
    assert watcher.strangers == frozenset({STICK})
    machine.take("1-3")
    assert await watcher.look() == [Vanished(STICK)]
    shutil.rmtree(machine.devices)
    (unreadable,) = await watcher.look()
    assert isinstance(unreadable, Unreadable)
    assert unreadable.reason.startswith("the USB devices cannot be listed: there is no ")
    assert await watcher.look() == []
    assert unknown(watcher)
    machine.devices.mkdir()
    machine.stick()
    assert await watcher.look() == [Readable(), Appeared(STICK)]
    assert watcher.strangers == frozenset({STICK})


async def test_what_was_a_stranger_stays_one_while_the_list_cannot_be_read() -> None:
    answers: list[frozenset[Plugged] | OSError] = [
        frozenset({STICK}),
        OSError(5, "I/O"),
        OSError(5, "I/O"),
        frozenset(),
    ]

    def read() -> frozenset[Plugged]:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    watcher = UsbWatcher((), read=read, patience=0)
    assert await watcher.look() == [Appeared(STICK)]
    assert await watcher.look() == [Unreadable("the USB devices cannot be listed: I/O")]
    assert await watcher.look() == []
    assert watcher.strangers is None
    assert await watcher.look() == [Readable(), Vanished(STICK)]


async def test_a_stranger_that_comes_and_goes_all_the_time_is_told_once(machine: KernelList) -> None:
    watcher = over(machine, patience=PATIENCE)
    told: list[Change] = []
    for _ in range(20):
        machine.stick()
        told += await watcher.look()
        machine.take("1-3")
        for _ in range(PATIENCE):
            told += await watcher.look()
    assert told == [Appeared(STICK)]
    assert watcher.strangers == frozenset({STICK})
    assert await watcher.look() == [Vanished(STICK)]
    machine.stick()
    assert await watcher.look() == [Appeared(STICK)]


async def test_the_devices_that_ports_name_are_no_strangers(machine: KernelList) -> None:
    ports = ["usb:05f3:0405?port=1-1", "usb:1209:0001?serial=S7&interface=0", "usb:1209:0001?serial=S7&interface=1"]
    watcher = over(machine, (), ports)
    assert await watcher.look() == []
    machine.shoe("1-4")  # two interfaces of one device are one device
    assert [type(change) for change in await watcher.look()] == [Appeared]


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """A name such as udev makes, of a device file that every machine has."""
    (tmp_path / "by-id").mkdir()
    return made(tmp_path / "by-id" / "usb-Shoe_S7-if00")


def made(name: Path) -> Path:
    name.symlink_to(os.devnull)
    return name


def unmade(name: Path) -> None:
    name.unlink()


@pytest.mark.parametrize("form", ["serial:{}", "serial:{}?baud=9600&address=3", "evdev:{}"])
async def test_what_the_file_of_a_port_leads_to_is_no_stranger(machine: KernelList, named: Path, form: str) -> None:
    machine.own(named, "1-2")
    watcher = over(machine, ENTRIES[:1], [form.format(named)])
    assert await watcher.look() == []
    machine.shoe("1-4")  # a copy
    assert await watcher.look() == [Appeared(Plugged("1-4", 0x1209, 0x0001, "S7", "Shoe"))]
    machine.own(named, "1-4")  # udev names the one that came last: now the other is the one too many
    assert await watcher.look() == [Vanished(Plugged("1-4", 0x1209, 0x0001, "S7", "Shoe"), own=True), Appeared(SHOE)]


async def test_a_device_whose_file_is_still_being_made_is_no_stranger(machine: KernelList, named: Path) -> None:
    unmade(named)
    watcher = over(machine, ENTRIES[:1], [f"serial:{named}"], patience=PATIENCE)
    for _ in range(PATIENCE):
        assert await watcher.look() == []
    made(named)
    machine.own(named, "1-2")
    assert await watcher.look() == []
    unmade(named)  # pulled out: first the file goes, then the device
    assert await watcher.look() == []
    machine.take("1-2")
    for _ in range(2 * PATIENCE):
        assert await watcher.look() == []
    machine.stick()  # might be the one that is missed
    for _ in range(PATIENCE):
        assert await watcher.look() == []
    assert await watcher.look() == [Appeared(STICK)]


async def test_who_asks_once_is_told_at_once(machine: KernelList, named: Path) -> None:
    unmade(named)
    machine.stick()
    watcher = over(machine, ENTRIES, [f"serial:{named}"], patience=PATIENCE)
    assert await watcher.look(at_once=True) == [Appeared(STICK)]


async def test_a_serial_line_on_the_board_keeps_nobody_waiting(machine: KernelList, named: Path) -> None:
    machine.stick()
    watcher = over(machine, ENTRIES, [f"serial:{named}", "acme:7"], patience=PATIENCE)
    assert await watcher.look() == [Appeared(STICK)]


async def test_a_kernel_that_does_not_answer_is_told_and_asked_once(machine: KernelList) -> None:
    answer, asked = threading.Event(), []

    def read() -> frozenset[Plugged]:
        asked.append(threading.current_thread().name)
        answer.wait(DEADLINE_S)
        return snapshot(machine.devices)

    watcher = UsbWatcher(ENTRIES, read=read, deadline_s=0.01)
    try:
        reason = "the USB devices cannot be listed: the kernel has not answered for 0.01 seconds"
        assert await watcher.look() == [Unreadable(reason)]
        assert await watcher.look() == []
        assert asked == ["usb-watch"]
    finally:
        answer.set()
    changes: list[Change] = []
    async with asyncio.timeout(DEADLINE_S):
        while not changes:
            changes = await watcher.look()
    assert changes == [Readable()]


async def test_an_error_that_is_none_of_the_system_is_not_hidden() -> None:
    def read() -> frozenset[Plugged]:
        raise KeyError("a defect")

    with pytest.raises(KeyError):
        await UsbWatcher((), read=read).look()


def refused(call: Callable[[], object]) -> str:
    with pytest.raises((OSError, ValueError)) as caught:
        call()
    return str(caught.value)


def test_the_file_of_a_port() -> None:
    assert sockets.device_file("serial:/dev/serial/by-id/usb-X?baud=9600") == Path("/dev/serial/by-id/usb-X")
    assert sockets.device_file("evdev:by-id/usb-X-event-kbd") == Path("/dev/input/by-id/usb-X-event-kbd")
    assert "no input device" in refused(lambda: sockets.device_file("evdev:?name=Nobody's"))
    assert "evdev:" in refused(lambda: sockets.device_file("evdev:"))
    assert "no_such" in refused(lambda: sockets.socket(Path("/dev/no_such")))
    assert sockets.socket(Path(os.devnull)) is None
