"""The driver against emulated device files."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import structlog

from tablectl.devices import LinkState, Options, Resume
from tablectl.devices.registry import load
from tablectl.equipment import (
    Badge,
    BadgeUnreadable,
    DeviceState,
    Fault,
    KeyPressed,
    KeyReleased,
    Kind,
    LinkLost,
    LinkUp,
    ShowPrompt,
)
from tablectl.errors import CommandRefused, ConfigurationError
from tablectl_drivers.linux_input.codes import KEYS, LAMPS
from tablectl_drivers.linux_input.driver import LinuxInputDriver
from tablectl_drivers.linux_input.files import FILES, Facts
from tablectl_hil.input_box import EmulatedFiles, InputBox
from tests.drivers.rig import QUICK, Watch

BET, FOLD = KEYS["KEY_F1"], KEYS["BTN_TRIGGER_HAPPY2"]
PANEL_KEYS = "bet=KEY_F1 fold=BTN_TRIGGER_HAPPY2"
FACTS = Facts(
    "Button box", "usb-1/input0", "B7", 0x1209, 0xB0C, 0x110, frozenset((BET, FOLD)), frozenset((LAMPS["LED_NUML"],))
)
READER = Facts("Badge reader", "usb-2/input0", "", 0x08FF, 0x0009, 1, frozenset(range(1, 100)))
AT_ONCE: Options = {"press_ms": 0, "release_ms": 0}
PORT = "evdev:by-id/it"


@pytest.fixture
def here() -> Iterator[EmulatedFiles]:
    files = EmulatedFiles()
    token = FILES.set(files)
    yield files
    FILES.reset(token)


@pytest.fixture
def box(here: EmulatedFiles) -> InputBox:
    return here.add("by-id/it", InputBox(FACTS))


def panel(options: Options | None = None, *, port: str = PORT, resume: Resume | None = None) -> LinuxInputDriver:
    chosen: Options = {**QUICK, "keys": PANEL_KEYS, **(options or {})}
    return LinuxInputDriver("it", Kind.PANEL, port, chosen, resume=resume)


def reader(options: Options | None = None, *, resume: Resume | None = None) -> LinuxInputDriver:
    chosen: Options = {**QUICK, **(options or {})}
    return LinuxInputDriver("it", Kind.CREDENTIAL_READER, PORT, chosen, resume=resume)


@asynccontextmanager
async def up(driver: LinuxInputDriver) -> AsyncIterator[Watch]:
    async with driver:
        watch = Watch(driver)
        await watch.up()
        yield watch


# Configuration --------------------------------------------------------------------------------------------------------


def test_it_is_installed_by_its_name() -> None:
    assert load("linux-input") is LinuxInputDriver


@pytest.mark.parametrize(
    ("kind", "options", "problems"),
    [
        (Kind.SHOE, {}, ["kind: shoe is not served"]),
        (Kind.PANEL, {}, ["keys: no buttons are named"]),
        (Kind.PANEL, {"keys": "bet"}, ["keys: 'bet': expected KEY=CODE"]),
        (Kind.PANEL, {"keys": "bet=KEY_NOSUCH"}, ["keys: 'KEY_NOSUCH' is no key"]),
        (Kind.PANEL, {"keys": "bet=KEY_A fold=30"}, ["keys: 'fold=30': this key or this code is there twice"]),
        (Kind.PANEL, {"keys": "bet=30", "lamps": "bet=KEY_A"}, ["lamps: 'KEY_A' is no key"]),
        (Kind.PANEL, {"keys": "bet=30", "length": 4, "stuck_ms": 1}, ["length: unknown key", "stuck_ms: 1: expected"]),
        (Kind.CREDENTIAL_READER, {"keys": "bet=30", "length": 65}, ["keys: unknown key", "length: 65: expected"]),
        (Kind.CREDENTIAL_READER, {"serial": 7, "gap_ms": True}, ["serial: 7: expected text", "gap_ms: True: expected"]),
    ],
)
def test_sections_that_cannot_be(kind: Kind, options: Options, problems: list[str]) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        LinuxInputDriver.check("it", kind, PORT, options)
    assert len(refusal.value.problems) == len(problems)
    for problem, told in zip(problems, refusal.value.problems, strict=True):
        assert told.startswith(f"[devices.it] {problem}")


# Buttons --------------------------------------------------------------------------------------------------------------


async def test_it_says_what_it_is(box: InputBox) -> None:
    async with panel() as device:
        (up_message,) = await Watch(device).take(1)
        assert isinstance(up_message, LinkUp)
        it = up_message.description
        assert (it.model, it.serial, it.firmware) == ("Button box", "B7", "110")


async def test_two_buttons_3_ms_apart_come_in_order(box: InputBox) -> None:
    async with up(panel()) as watch:
        now = asyncio.get_running_loop().time()
        box.set(FOLD, down=True, at=now)
        box.set(BET, down=True, at=now + 0.003)
        assert await watch.take(2) == [KeyPressed("fold"), KeyPressed("bet")]


async def test_a_bouncing_contact_is_one_press_and_repetition_none(box: InputBox) -> None:
    async with up(panel({"release_ms": 30})) as watch:
        opened = asyncio.get_running_loop().time()
        await asyncio.sleep(
            0.08
        )  # the time that the contact takes: it is all read at once, and told apart by its stamps
        levels = [(0, True), (1, False), (2, True), (20, False), (22, True), (23, False), (26, True), (27, False)]
        for at, down in levels:
            box.set(BET, down, at=opened + at / 1000)
        for _ in range(5):
            box.repeat(BET)
        box.set(FOLD, down=True)
        assert await watch.take(3) == [KeyPressed("bet"), KeyReleased("bet"), KeyPressed("fold")]


async def test_a_held_button_is_stuck_until_it_is_let_go(box: InputBox) -> None:
    async with up(panel({**AT_ONCE, "stuck_ms": 1000})) as watch:
        box.set(BET, down=True)
        pressed, stuck = await watch.take(2)
        assert pressed == KeyPressed("bet")
        assert isinstance(stuck, DeviceState)
        assert stuck.fault is Fault.STUCK
        box.set(BET, down=False)
        released, freed = await watch.take(2)
        assert released == KeyReleased("bet")
        assert isinstance(freed, DeviceState)
        assert freed.fault is None


async def test_what_is_down_at_the_beginning_was_not_pressed(box: InputBox) -> None:
    box.set(BET, down=True)
    async with up(panel(AT_ONCE)) as watch:
        box.set(FOLD, down=True)
        box.set(BET, down=False)
        box.set(BET, down=True)
        assert await watch.take(3) == [KeyPressed("fold"), KeyReleased("bet"), KeyPressed("bet")]


async def test_other_keys_and_odd_events_are_nothing(box: InputBox) -> None:
    async with up(panel(AT_ONCE)) as watch:
        box.send((4, 4, 0x70004), (1, 77, 1), (2, 0, 5))
        box.set(BET, down=True)
        assert await watch.take(1) == [KeyPressed("bet")]


async def test_what_the_kernel_had_no_room_for_is_asked_for_and_told(box: InputBox) -> None:
    async with up(panel(AT_ONCE)) as watch:
        box.set(FOLD, down=True)
        assert await watch.take(1) == [KeyPressed("fold")]
        box.overrun((BET, True), (FOLD, False))
        fault, *rest = await watch.take(3)
        assert isinstance(fault, DeviceState)
        assert fault.fault is Fault.PROTOCOL
        assert rest == [KeyPressed("bet"), KeyReleased("fold")]
        assert watch.device.health().bad_frames == 1


async def test_lamps_are_set_where_there_are_any(box: InputBox) -> None:
    async with up(panel({"lamps": "bet=LED_NUML"})) as watch:
        await watch.device.send(ShowPrompt("Seat 3", ("bet", "fold"), (), True), 1)
        assert box.lamps == {0: True}
        await watch.device.send(ShowPrompt("", ("fold",), (), False), 2)
        assert box.lamps == {0: False}
        await watch.device.send(ShowPrompt("", (), ("bet",), False), 3)
        assert box.lamps == {0: True}
    assert box.lamps == {0: False}


async def test_a_panel_without_lamps_takes_prompts(box: InputBox) -> None:
    async with up(panel()) as watch:
        await watch.device.send(ShowPrompt("", ("bet",), (), False), 1)


# Badges ---------------------------------------------------------------------------------------------------------------


async def test_a_badge_that_is_spoiled_cannot_be_read_and_is_not_told(here: EmulatedFiles) -> None:
    it = here.add("by-id/it", InputBox(READER))
    digits = [KEYS[f"KEY_{digit}"] for digit in "98765"]
    with structlog.testing.capture_logs() as logs:
        async with up(reader({"length": 5, "gap_ms": 20})) as watch:
            it.tap(*digits, KEYS["KEY_DOT"], KEYS["KEY_ENTER"])
            it.tap(*digits[:3])
            assert await watch.take(2) == [BadgeUnreadable(), BadgeUnreadable()]
            assert watch.device.health().last_error == "what was typed had no end"
            it.tap(*digits, KEYS["KEY_ENTER"])
            assert await watch.take(1) == [Badge("98765")]
            with pytest.raises(CommandRefused, match="credential_reader takes no ShowPrompt"):
                await watch.device.send(ShowPrompt("", (), (), False), 1)
    assert [log["event"] for log in logs].count("credential_unreadable") == 2
    assert "987" not in repr(logs)


# Coming and going -----------------------------------------------------------------------------------------------------


async def test_unplugged_and_back(box: InputBox) -> None:
    async with up(panel(AT_ONCE)) as watch:
        box.unplug()
        assert await watch.take(1) == [LinkLost("it was unplugged")]
        box.plug()
        assert isinstance((await watch.take(2))[0], LinkUp)
        assert watch.device.health().reconnects == 1


async def test_another_box_in_its_place_is_noticed(box: InputBox) -> None:
    async with up(panel(AT_ONCE)) as watch:
        box.unplug()
        box.plug(replace(FACTS, uniq="B8"))
        lost, back, swapped, _ = await watch.take(4)
        assert isinstance(lost, LinkLost)
        assert isinstance(back, LinkUp)
        assert isinstance(swapped, DeviceState)
        assert swapped.fault is Fault.SWAPPED


@pytest.mark.parametrize(
    ("facts", "options", "reason"),
    [
        (FACTS, {"serial": "B8"}, "serial number B7 (Button box) is in its place, expected B8"),
        (replace(FACTS, keys=frozenset((BET,))), {}, "'Button box' (1209:0b0c) has no button or lamp for fold"),
        (FACTS, {"lamps": "bet=LED_MAIL"}, "'Button box' (1209:0b0c) has no button or lamp for bet"),
    ],
)
async def test_what_is_not_the_configured_device_is_not_used(
    here: EmulatedFiles, facts: Facts, options: Options, reason: str
) -> None:
    here.add("by-id/it", InputBox(facts))
    async with panel(options) as device:
        swapped, lost = await Watch(device).take(2)
        assert isinstance(swapped, DeviceState)
        assert swapped.fault is Fault.SWAPPED
        assert lost == LinkLost(reason)
        assert device.health().state is LinkState.REFUSED


async def test_a_device_that_somebody_else_has_is_waited_for(box: InputBox) -> None:
    box.grabbed = True
    async with panel() as device:
        watch = Watch(device)
        (lost,) = await watch.take(1)
        assert isinstance(lost, LinkLost)
        assert "another program has grabbed it" in lost.reason
        box.grabbed = False
        assert isinstance((await watch.take(1))[0], LinkUp)


async def test_a_device_is_found_by_its_attributes_under_any_name(here: EmulatedFiles) -> None:
    one = here.add("event3", InputBox(FACTS))
    async with up(panel(AT_ONCE, port="evdev:?vendor=1209&uniq=B7")) as watch:
        one.unplug()
        assert isinstance((await watch.take(1))[0], LinkLost)
        here.add("event9", InputBox(FACTS))
        back, _ = await watch.take(2)
        assert isinstance(back, LinkUp)


async def test_a_device_that_opens_never_keeps_nobody_from_stopping(here: EmulatedFiles, box: InputBox) -> None:
    hangs = threading.Event()
    here.before_open = lambda: void(hangs.wait(20))
    async with asyncio.timeout(2), panel():
        await asyncio.sleep(0)
    hangs.set()


def void(_: object) -> None: ...
