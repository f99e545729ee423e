"""The drivers for panels, against an emulated X-keys and an emulated box of buttons."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
import structlog

from tablectl.devices import Driver, LinkState, Options
from tablectl.devices.registry import load
from tablectl.equipment import (
    Capability,
    DeviceState,
    Fault,
    KeyPressed,
    KeyReleased,
    Kind,
    LinkLost,
    LinkUp,
    ShowPrompt,
)
from tablectl.errors import CommandTimeout, ConfigurationError, LinkError
from tablectl_drivers.hid import driver as hid_driver
from tablectl_drivers.hid.driver import HidButtonsDriver, XkeysDriver
from tablectl_drivers.usb.bus import BACKEND
from tablectl_hil.usb_backend import EmulatedBus, UsbDevice
from tablectl_hil.usb_panels import ButtonBox, XkeysPanel
from tests.drivers.rig import DEADLINE_S, QUICK, Watch

KEYS = "bet=1.1 fold=2.6 next=4.3"
BET, FOLD, NEXT = (1, 1), (2, 6), (4, 3)
AT_ONCE = {"press_ms": 0, "release_ms": 0}


@pytest.fixture
def bus() -> Iterator[EmulatedBus]:
    it = EmulatedBus()
    token = BACKEND.set(it)
    yield it
    BACKEND.reset(token)


@asynccontextmanager
async def opened(name: str, port: str, keys: str = KEYS, **options: str | int | bool) -> AsyncIterator[Watch]:
    async with load(name)("panel", Kind.PANEL, port, {**QUICK, **AT_ONCE, "keys": keys, **options}) as device:
        yield Watch(device)


@asynccontextmanager
async def xkeys(bus: EmulatedBus, **options: int) -> AsyncIterator[tuple[XkeysPanel, Watch]]:
    panel = XkeysPanel(bus)
    async with opened("xkeys", "usb:05f3:0405", KEYS, **options) as watch:
        await watch.up()
        yield panel, watch


async def seen(panel: XkeysPanel, **lamps: int) -> None:
    assert await asyncio.to_thread(panel.seen, DEADLINE_S, **lamps), panel.lamps


# X-keys


async def test_it_says_what_it_is(bus: EmulatedBus) -> None:
    XkeysPanel(bus, unit=9)
    async with opened("xkeys", "usb:05f3:0405") as watch:
        message = (await watch.next()).message
        assert isinstance(message, LinkUp)
        it = message.description
        assert (it.model, it.serial, it.firmware, it.capabilities) == ("XK-24", "unit 9", "17", (Capability.RELEASES,))


async def test_what_its_keys_are_chooses_what_it_can_do(bus: EmulatedBus) -> None:
    XkeysPanel(bus, product=1121, columns=10, rows=8, serial="S1")
    digits = [*(f"digit_{n}" for n in range(10)), "enter"]
    cards = [*(f"rank_{rank}" for rank in "A23456789TJQK"), *(f"suit_{suit}" for suit in "shdc")]
    keys = " ".join(f"{key}={n // 8 + 1}.{n % 8 + 1}" for n, key in enumerate([*digits, *cards]))
    async with opened("xkeys", "usb:05f3:0461?serial=S1", keys) as watch:
        message = (await watch.next()).message
        assert isinstance(message, LinkUp)
        assert message.description.serial == "S1"
        assert set(message.description.capabilities) == {Capability.CARD_KEYS, Capability.DIGITS, Capability.RELEASES}


async def test_a_prompt_lights_what_counts_and_lets_flash_what_stands(bus: EmulatedBus) -> None:
    async with xkeys(bus) as (panel, watch):
        assert await asyncio.to_thread(panel.indicated, DEADLINE_S, green=1, red=0)
        await watch.device.send(ShowPrompt("SEAT 3", ("bet", "fold"), (), False), 1)
        await seen(panel, c1r1=1, c2r6=1)
        await watch.device.send(ShowPrompt("SEAT 3", ("fold", "not_there"), ("bet",), True), 2)
        await seen(panel, c1r1=2, c2r6=1)
        assert await asyncio.to_thread(panel.indicated, DEADLINE_S, green=1, red=1)
        await watch.device.send(ShowPrompt("", (), (), False), 3)
        await seen(panel)
        assert await asyncio.to_thread(panel.indicated, DEADLINE_S, green=1, red=0)
        assert panel.usb.detached == {0}


async def test_it_is_dark_when_no_driver_has_it(bus: EmulatedBus) -> None:
    async with xkeys(bus) as (panel, watch):
        await watch.device.send(ShowPrompt("", ("bet",), (), True), 1)
        await seen(panel, c1r1=1)
    assert panel.lamps == {}
    assert await asyncio.to_thread(panel.indicated, 0, green=0, red=0)


async def test_without_an_endpoint_for_it_lamps_are_set_by_control_requests(bus: EmulatedBus) -> None:
    panel = XkeysPanel(bus, outward=False)
    async with opened("xkeys", "usb:05f3:0405") as watch:
        await watch.up()
        await watch.device.send(ShowPrompt("", ("bet",), (), False), 1)
        await seen(panel, c1r1=1)


async def test_two_buttons_in_one_report_and_one_that_is_not_used(bus: EmulatedBus) -> None:
    async with xkeys(bus) as (panel, watch):
        panel.hold(BET, FOLD, (3, 3))
        assert await watch.take(2) == [KeyPressed("bet"), KeyPressed("fold")]
        panel.release(FOLD)
        assert await watch.take(1) == [KeyReleased("fold")]


async def test_a_bouncing_contact_is_one_press(bus: EmulatedBus) -> None:
    async with xkeys(bus, press_ms=5, release_ms=20) as (panel, watch):
        for act in (panel.hold, panel.release, panel.hold):
            act(BET)
        assert await watch.take(1) == [KeyPressed("bet")]
        for act in (panel.release, panel.hold, panel.release):
            act(BET)
        panel.hold(FOLD)
        assert await watch.take(2) == [KeyPressed("fold"), KeyReleased("bet")]


async def test_a_stuck_button_is_a_fault_until_it_comes_up(bus: EmulatedBus) -> None:
    async with xkeys(bus, stuck_ms=1000) as (panel, watch):
        panel.hold(BET)
        assert await watch.take(1) == [KeyPressed("bet")]
        assert (await watch.until(DeviceState)).fault is Fault.STUCK
        panel.hold(FOLD)
        assert await watch.until(KeyPressed) == KeyPressed("fold")
        panel.unplug()
        await watch.until(LinkLost)
        panel.plug()
        await watch.until(LinkUp)
        assert (await watch.until(DeviceState)).fault is Fault.STUCK
        panel.release(BET)
        assert await watch.until(KeyReleased) == KeyReleased("bet")
        assert (await watch.until(DeviceState)).fault is None


async def test_a_button_that_is_down_at_the_beginning_was_not_pressed(bus: EmulatedBus) -> None:
    panel = XkeysPanel(bus)
    panel.hold(BET)
    async with opened("xkeys", "usb:05f3:0405") as watch:
        await watch.up()
        panel.hold(FOLD)
        panel.release(BET)
        assert await watch.take(2) == [KeyPressed("fold"), KeyReleased("bet")]


async def test_a_panel_that_does_not_answer_is_lost(bus: EmulatedBus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hid_driver, "_GREETING_S", 0.05)
    panel = XkeysPanel(bus)
    panel.mute = True
    async with opened("xkeys", "usb:05f3:0405") as watch:
        assert "has not answered" in (await watch.until(LinkLost)).reason
        with pytest.raises(LinkError, match="not connected"):
            await watch.device.send(ShowPrompt("", (), (), False), 1)
        monkeypatch.undo()
        panel.mute = False
        await watch.up()


async def test_another_model_than_its_number_says_is_refused(bus: EmulatedBus) -> None:
    panel = XkeysPanel(bus)
    panel.product = 1089
    async with opened("xkeys", "usb:05f3:0405") as watch:
        assert (await watch.until(DeviceState)).fault is Fault.SWAPPED
        assert "product 0441, expected an XK-24" in (await watch.until(LinkLost)).reason
        assert watch.device.health().state is LinkState.REFUSED


async def test_another_unit_in_its_place_is_a_fault(bus: EmulatedBus) -> None:
    async with xkeys(bus) as (panel, watch):
        panel.unplug()
        await watch.until(LinkLost)
        XkeysPanel(bus, unit=5)
        assert (await watch.until(DeviceState)).fault is Fault.SWAPPED


async def test_another_device_in_its_socket_is_a_fault(bus: EmulatedBus) -> None:
    async with xkeys(bus) as (panel, watch):
        panel.unplug()
        await watch.until(LinkLost)
        bus.plug(UsbDevice(0x046D, 0xC31C, None, lambda _, data: None), "1-1")
        assert (await watch.until(DeviceState)).fault is Fault.SWAPPED
        assert "046d:c31c" in (watch.device.health().last_error or "")


async def test_reports_that_cannot_be_are_counted_and_cost_nothing(bus: EmulatedBus) -> None:
    async with xkeys(bus) as (panel, watch):
        with structlog.testing.capture_logs() as logs:
            for report in (b"\0", b"\0\0\0", b"\0\xc1" + bytes(30), b"\0\xd6"):
                panel.usb.send(report)
            panel.hold(BET)
            assert await watch.take(1) == [KeyPressed("bet")]
        assert watch.device.health().bad_frames == 3
        assert [log["event"] for log in logs] == ["hid_report_not_understood"]


async def test_a_panel_that_takes_no_reports_is_lost(bus: EmulatedBus) -> None:
    async with xkeys(bus) as (panel, watch):
        panel.usb.set(deaf=True)
        sending = asyncio.create_task(watch.device.send(ShowPrompt("", ("bet",), (), False), 1))
        await asyncio.sleep(0)
        panel.unplug()
        with pytest.raises(CommandTimeout, match="did not take it"):
            await sending


# A box by description


async def test_a_box_with_report_ids_and_inverted_bits(bus: EmulatedBus) -> None:
    box = ButtonBox(bus, report_id=3, size=2)
    for bit in range(8):
        box.set(1, bit, 1)
    async with opened("hid-buttons", "usb:1209:0b0c", "bet=2.0 fold=2.1", report_id=3, inverted=True) as watch:
        await watch.up()
        box.usb.send(b"\x04\x00\x00")
        box.set(1, 0, 0)
        box.set(1, 1, 0)
        assert await watch.take(2) == [KeyPressed("bet"), KeyPressed("fold")]


@pytest.mark.parametrize("asked", [True, False])
async def test_what_is_down_is_known_if_the_box_can_be_asked(bus: EmulatedBus, asked: bool) -> None:
    box = ButtonBox(bus, asked=asked)
    box.set(0, 0, 1)
    async with opened("hid-buttons", "usb:1209:0b0c", "bet=0.0 fold=0.1") as watch:
        await watch.up()
        box.set(0, 1, 1)
        assert await watch.take(1) == ([KeyPressed("fold")] if asked else [KeyPressed("bet")])


async def test_a_box_has_no_lamps_and_takes_a_prompt(bus: EmulatedBus) -> None:
    ButtonBox(bus)
    async with opened("hid-buttons", "usb:1209:0b0c", "bet=0.0") as watch:
        await watch.up()
        await watch.device.send(ShowPrompt("NO MORE BETS", ("bet",), (), False), 1)


# Configuration


@pytest.mark.parametrize(
    ("driver", "port", "options", "problem"),
    [
        (XkeysDriver, "usb:05f3:9999", {"keys": KEYS}, "port: 05f3:9999 is no X-keys that this driver knows"),
        (XkeysDriver, "usb:1209:0405", {"keys": KEYS}, "port: 1209:0405 is no X-keys"),
        (XkeysDriver, "serial:x", {"keys": KEYS}, "port: 'serial:x' is no USB port"),
        (XkeysDriver, "usb:05f3:0405", {}, "keys: no buttons are named"),
        (XkeysDriver, "usb:05f3:0405", {"keys": 7}, "keys: "),
        (XkeysDriver, "usb:05f3:0405", {"keys": "bet=5.1"}, "keys: 'bet=5.1' names no button"),
        (XkeysDriver, "usb:05f3:0405", {"keys": KEYS, "report_id": 1}, "report_id: unknown key"),
        (XkeysDriver, "usb:05f3:0405", {"keys": KEYS, "stuck_ms": 5}, "stuck_ms: 5: expected milliseconds"),
        (HidButtonsDriver, "usb:1209:0b0c", {"keys": "a=0.8"}, "keys: 'a=0.8' names no button"),
        (HidButtonsDriver, "usb:1209:0b0c", {"keys": "a=0.1", "report_id": 256}, "report_id: 256: expected a number"),
        (HidButtonsDriver, "usb:1209:0b0c", {"keys": "a=0.1", "inverted": 1}, "inverted: 1: expected true or false"),
        (HidButtonsDriver, "usb:1209:0b0c", {"keys": "a=0.1", "press_ms": True}, "press_ms: True"),
    ],
)
def test_a_configuration_that_cannot_be(driver: type[Driver], port: str, options: Options, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=r"\[devices\.panel\]") as refusal:
        driver.check("panel", Kind.PANEL, port, options)
    assert problem in str(refusal.value)


def test_another_kind_is_not_served() -> None:
    with pytest.raises(ConfigurationError, match="kind: shoe is not served by this driver: expected panel"):
        XkeysDriver.check("shoe", Kind.SHOE, "usb:05f3:0405", {"keys": KEYS})
