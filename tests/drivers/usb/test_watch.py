"""Devices that nobody has allowed."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl_drivers.usb.address import Address
from tablectl_drivers.usb.watch import (
    Appeared,
    Change,
    Plugged,
    Unreadable,
    Vanished,
    Watcher,
    allowed,
    compare,
    snapshot,
    strangers,
)
from tests.drivers.rig import DEADLINE_S

PANEL = Plugged("1-1", 0x05F3, 0x0405, None, "P. I. Engineering XK-24")
SHOE = Plugged("1-2", 0x1209, 0x0001, "S7", "Shoe")
STICK = Plugged("1-3", 0x0781, 0x5567, "4C53", "SanDisk Cruzer")
ALLOW = allowed(["usb:05f3:0405?port=1-1", "usb:1209:0001?serial=S7"])


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


def test_an_allow_list_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="expected usb:VID:PID"):
        allowed(["usb:05f3:0405", "05f3:0405"])


DEVICES = st.builds(
    Plugged,
    st.sampled_from(["1-1", "1-2", "1-2.1"]),
    st.integers(1, 2),
    st.just(1),
    st.none() | st.sampled_from("AB"),
    st.just(""),
)
ENTRIES = st.builds(
    Address, st.integers(1, 2), st.just(1), st.none() | st.sampled_from("AB"), st.none() | st.sampled_from(["1-1"])
)


@given(st.frozensets(DEVICES), st.lists(ENTRIES))
def test_no_more_devices_pass_than_there_are_entries(plugged: frozenset[Plugged], entries: list[Address]) -> None:
    left = strangers(plugged, entries)
    assert left <= plugged
    assert len(plugged) - len(left) <= len(entries)
    assert strangers(plugged, []) == plugged


def put(root: Path, name: str, **attributes: str) -> Path:
    """Put a device into the list, all of it at once."""
    folder = root.with_name("aside") / name
    folder.mkdir(parents=True)
    for key, value in attributes.items():
        (folder / key).write_bytes(value.encode("utf-8", "surrogateescape") + b"\n")
    return folder.rename(root / name)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "devices"
    folder.mkdir()
    return folder


def take(folder: Path) -> None:
    """Take something away, all of it at once."""
    shutil.rmtree(folder.rename(folder.parent.parent / "away"))


def machine(root: Path) -> None:
    put(root, "usb1", idVendor="1d6b", idProduct="0002", serial="0000:00:14.0")
    put(root, "1-1", idVendor="05f3", idProduct="0405", manufacturer="P. I. Engineering", product="XK-24")
    put(root, "1-1:1.0", bInterfaceClass="03")
    put(root, "1-2", idVendor="1209", idProduct="0001", serial="S7", product="Shoe")


def test_the_list_of_the_kernel(root: Path) -> None:
    machine(root)
    assert snapshot(root) == {PANEL, SHOE}
    put(root, "1-4")  # being pulled out
    put(root, "1-5", idVendor="dead", idProduct="beef", serial="\udcff\udcfe")
    assert snapshot(root) - {PANEL, SHOE} == {Plugged("1-5", 0xDEAD, 0xBEEF, "��", "")}
    put(root, "1-6", idVendor="what", idProduct="0001")
    with pytest.raises(OSError, match="1-6"):
        snapshot(root)


async def test_it_looks_again_and_again(root: Path) -> None:
    machine(root)
    watcher = Watcher(ALLOW, every=0.01, read=lambda: snapshot(root))
    told: asyncio.Queue[Change] = asyncio.Queue()

    async def watch() -> None:
        async for change in watcher.changes():
            told.put_nowait(change)

    async def hear(count: int) -> Sequence[Change]:
        async with asyncio.timeout(DEADLINE_S):
            return [await told.get() for _ in range(count)]

    task = asyncio.create_task(watch())
    try:
        stick = put(root, "1-3", idVendor="0781", idProduct="5567", serial="4C53", product="Cruzer")
        (appeared,) = await hear(1)
        assert isinstance(appeared, Appeared)
        assert appeared.device.port == "1-3"
        assert watcher.strangers == {appeared.device}
        take(stick)
        assert await hear(1) == [Vanished(appeared.device)]
        take(root)
        (unreadable,) = await hear(1)
        assert isinstance(unreadable, Unreadable)
        root.mkdir()  # noqa: ASYNC240 - it waits for nothing
        put(root, "1-3", idVendor="0781", idProduct="5567", serial="4C53", product="Cruzer")
        assert await hear(1) == [appeared]
        assert told.empty()
    finally:
        task.cancel()
        await asyncio.wait([task])


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

    watcher = Watcher((), read=read)
    assert await watcher.look() == [Appeared(STICK)]
    assert await watcher.look() == [Unreadable("the USB devices cannot be listed: I/O")]
    assert await watcher.look() == []
    assert watcher.strangers == {STICK}
    assert await watcher.look() == [Vanished(STICK)]
