"""The driver on a real pty, with two emulated readers on one line in a process of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import structlog

from tablectl.devices import LinkState
from tablectl.devices.registry import load
from tablectl.equipment import (
    Badge,
    BadgeUnreadable,
    DeviceState,
    Fault,
    Kind,
    Lamp,
    LinkLost,
    LinkUp,
    Mode,
    ShowPrompt,
)
from tablectl.errors import CommandRefused, CommandTimeout, ConfigurationError, LinkError
from tablectl_drivers.osdp.driver import OsdpDriver
from tablectl_hil.control import Equipment
from tests.drivers.osdp.rig import KEY, badges, driver, some_number, table, up
from tests.drivers.rig import DEADLINE_S, Watch

OTHER = "00" * 15 + "ff"


async def until(equipment: Equipment, condition: Callable[[dict[str, Any]], bool], reader: str = "reader") -> None:
    """Wait until a reader's own status is as wanted."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            if condition(await equipment.act(reader, "status")):
                return
            await asyncio.sleep(0.005)


# Configuration --------------------------------------------------------------------------------------------------------


def test_it_is_installed_by_its_name() -> None:
    assert load("osdp") is OsdpDriver


@pytest.mark.parametrize(
    ("port", "problem"),
    [
        ("usb:1:2", "expected serial:PATH?address=A"),
        ("serial:", "names no path"),
        ("serial:x?address=127", "from 0 to 126"),
        ("serial:x?address=-1", "from 0 to 126"),
        ("serial:x?speed=1", "unknown setting 'speed'"),
        ("serial:x?baud=fast", "baud 'fast'"),
    ],
)
def test_a_port_that_cannot_be(port: str, problem: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        OsdpDriver.check("badge", Kind.CREDENTIAL_READER, port, {"key_file": "key"})
    (told,) = refusal.value.problems
    assert told.startswith("[devices.badge] port: ")
    assert problem in told


def test_all_problems_of_a_section_are_told_together() -> None:
    options: dict[str, str | int | bool] = {
        "format": "octal",
        "serial": "12",
        "feedback": "yes",
        "poll_ms": 0,
        "check": "parity",
        "key_file": 5,
        "colour": "red",
    }
    with pytest.raises(ConfigurationError) as refusal:
        OsdpDriver.check("badge", Kind.PANEL, "ttyS0", options)
    for key in ("kind", "port", *options):
        assert any(problem.startswith(f"[devices.badge] {key}: ") for problem in refusal.value.problems)
    assert len(refusal.value.problems) == 9


def test_a_key_must_be_given_or_expressly_done_without() -> None:
    with pytest.raises(ConfigurationError, match="key_file: it is missing"):
        OsdpDriver.check("badge", Kind.CREDENTIAL_READER, "serial:x", {})
    with pytest.raises(ConfigurationError, match="install_mode: it has no meaning"):
        OsdpDriver.check("badge", Kind.CREDENTIAL_READER, "serial:x", {"secure_channel": False, "install_mode": True})
    OsdpDriver.check("badge", Kind.CREDENTIAL_READER, "serial:x", {"secure_channel": False})


# A reader -------------------------------------------------------------------------------------------------------------


async def test_it_says_what_it_is_and_how_it_is(bench_folder: Path) -> None:
    async with table(bench_folder), driver(bench_folder, {"serial": "000000A0"}) as device:
        watch = Watch(device)
        first, second = await watch.next(), await watch.next()
        assert isinstance(first.message, LinkUp)
        description = first.message.description
        assert (description.model, description.serial, description.firmware) == ("001a2b-7.1", "000000a0", "1.2.3")
        assert second.message == DeviceState(Mode.READY, Lamp.NONE, False, None, False, None)
        health = device.health()
        assert health.state is LinkState.UP
        assert health.round_trip_ms is not None
        assert (health.bad_frames, health.retransmits, health.reconnects, health.last_error) == (0, 0, 0, None)
    assert device.health().state is LinkState.CLOSED


async def test_only_the_number_of_a_badge_leaves_the_driver(bench_folder: Path) -> None:
    with structlog.testing.capture_logs() as logs:
        async with up(bench_folder) as (equipment, watch):
            number = some_number()
            await badges(equipment, number)
            await equipment.act("reader", "press", digits="1234")
            await equipment.act("reader", "badge", bits="1" * 34)
            await equipment.act("reader", "badge_text", text="AB-17")
            assert await watch.take(3) == [Badge(str(number)), BadgeUnreadable(), Badge("AB-17")]
            assert watch.device.health().last_error == "a card of 34 bits, expected 26 (format wiegand26)"
    assert str(number) not in repr(logs)
    assert [log["event"] for log in logs].count("credential_unreadable") == 1


async def test_tampering_is_a_state(bench_folder: Path) -> None:
    async with up(bench_folder) as (equipment, watch):
        await equipment.act("reader", "tamper", open=True)
        assert await watch.take(1) == [DeviceState(Mode.READY, Lamp.NONE, False, None, True, Fault.TAMPER)]
        await equipment.act("reader", "tamper", open=False)
        assert await watch.take(1) == [DeviceState(Mode.READY, Lamp.NONE, False, None, False, None)]
        await equipment.act("reader", "take_head", missing=True)
        (state,) = await watch.take(1)
        assert isinstance(state, DeviceState)
        assert state.fault is Fault.OUT_OF_SERVICE


async def test_light_and_tone_tell_whether_a_card_had_a_number(bench_folder: Path) -> None:
    async with up(bench_folder, feedback=True) as (equipment, watch):
        await badges(equipment, 1)
        await watch.take(1)
        await until(equipment, lambda status: status["shown"] == ["green", "beep"])
        await equipment.act("reader", "badge", bits="1" * 26)
        await until(equipment, lambda status: status["shown"][2:] == ["red", "beepbeepbeep"])


async def test_commands(bench_folder: Path) -> None:
    async with up(bench_folder) as (_, watch):
        prompt = ShowPrompt("", (), (), False)
        with pytest.raises(CommandRefused, match="takes no ShowPrompt"):
            await watch.device.send(prompt, 1)
        with pytest.raises(CommandTimeout, match="started anew"):
            await watch.device.send(prompt, 1, boot="00000000")
        with pytest.raises(ValueError, match="no command id"):
            await watch.device.send(prompt, 0)


# Faults ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["corrupt", "lose", "duplicate", "wrong_sequence", "wrong_mac", "replay"])
async def test_a_bad_answer_costs_no_card(bench_folder: Path, fault: str) -> None:
    async with up(bench_folder) as (equipment, watch):
        await equipment.act("reader", "fault", **{fault: 2})
        await badges(equipment, 7, 8, 9)
        assert await watch.take(3) == [Badge("7"), Badge("8"), Badge("9")]
        health = watch.device.health()
        assert health.bad_frames + health.retransmits + health.duplicates > 0
        assert health.state is LinkState.UP


async def test_garbage_on_the_line_costs_no_card(bench_folder: Path) -> None:
    async with up(bench_folder) as (equipment, watch):
        for number in range(10):
            await equipment.act("line", "babble", count=50)
            await badges(equipment, number)
            await equipment.act("line", "babble", count=3)
        assert await watch.take(10) == [Badge(str(number)) for number in range(10)]


async def test_a_power_cycle_of_the_reader_is_got_over(bench_folder: Path) -> None:
    async with up(bench_folder) as (equipment, watch):
        await equipment.act("reader", "power_cycle")
        await until(equipment, lambda status: bool(status["secure"]))
        await badges(equipment, 5)
        assert await watch.take(1) == [Badge("5")]
        assert watch.device.health().reconnects == 0


async def test_a_silent_reader_is_lost_once(bench_folder: Path) -> None:
    async with up(bench_folder) as (equipment, watch):
        await equipment.act("reader", "fault", silent=True)
        assert await watch.take(1) == [LinkLost("no valid answer for 0.5 s")]
        with pytest.raises(LinkError, match="no valid answer"):
            await watch.device.send(ShowPrompt("", (), (), False), 1)
        await equipment.act("reader", "fault")
        up_again, state = await watch.take(2)
        assert isinstance(up_again, LinkUp)
        assert isinstance(state, DeviceState)
        assert watch.device.health().reconnects == 1


async def test_another_reader_in_its_place_is_noticed(bench_folder: Path) -> None:
    async with up(bench_folder) as (equipment, watch):
        await equipment.act("reader", "exchange", serial=0xB0, key=KEY.hex())
        up_again, swapped, state = await watch.take(3)
        assert isinstance(up_again, LinkUp)
        assert up_again.description.serial == "000000b0"
        assert isinstance(swapped, DeviceState)
        assert swapped.fault is Fault.SWAPPED
        assert isinstance(state, DeviceState)


async def test_a_reader_with_the_wrong_serial_number_is_not_used(bench_folder: Path) -> None:
    async with table(bench_folder) as equipment, driver(bench_folder, {"serial": "0000cafe"}) as device:
        watch = Watch(device)
        swapped, lost = await watch.take(2)
        assert isinstance(swapped, DeviceState)
        assert swapped.fault is Fault.SWAPPED
        assert lost == LinkLost("serial number 000000a0 answers on its port, expected 0000cafe")
        assert device.health().state is LinkState.REFUSED
        await badges(equipment, 1)
        await equipment.act("reader", "exchange", serial=0xCAFE, key=KEY.hex())
        assert isinstance((await watch.take(1))[0], LinkUp)


async def test_a_reader_with_the_wrong_key_is_not_used(bench_folder: Path) -> None:
    async with table(bench_folder, OTHER) as equipment, driver(bench_folder) as device:
        watch = Watch(device)
        await badges(equipment, 4711)
        swapped, lost = await watch.take(2)
        assert isinstance(swapped, DeviceState)
        assert swapped.fault is Fault.SWAPPED
        assert lost == LinkLost("it does not prove that it holds the key")
        await until(equipment, lambda status: status["heard"] > 20)
        await equipment.act("reader", "exchange", serial=0xA0, key=KEY.hex())
        assert isinstance((await watch.take(1))[0], LinkUp)  # nothing was said in between


# Keys -----------------------------------------------------------------------------------------------------------------


async def test_a_new_reader_gets_its_key_in_install_mode_only(bench_folder: Path) -> None:
    async with table(bench_folder, "") as equipment:
        async with driver(bench_folder) as device:
            watch = Watch(device)
            assert isinstance((await watch.take(2))[1], LinkLost)
            assert not (await equipment.act("reader", "status"))["own_key"]
        async with driver(bench_folder, {"install_mode": True}) as device:
            await Watch(device).up()
            assert (await equipment.act("reader", "status"))["own_key"]
        async with driver(bench_folder) as device:
            await Watch(device).up()


@pytest.mark.parametrize(
    ("text", "mode", "problem"),
    [
        (KEY.hex(), 0o640, "can be read by others (mode 0640)"),
        ("secret", 0o600, "does not hold 32 hexadecimal digits"),
        ("303132333435363738393a3b3c3d3e3f", 0o600, "the key that every reader has when it is new"),
        (None, 0, "No such file"),
    ],
)
async def test_a_key_that_cannot_be_used_is_told_and_looked_at_again(
    bench_folder: Path, tmp_path: Path, text: str | None, mode: int, problem: str
) -> None:
    key_file = tmp_path / "key"
    if text is not None:
        key_file.write_text(text)
        key_file.chmod(mode)
    async with table(bench_folder), driver(bench_folder, {"key_file": str(key_file)}) as device:
        watch = Watch(device)
        (lost,) = await watch.take(1)
        assert isinstance(lost, LinkLost)
        assert problem in lost.reason
        assert text is None or text not in lost.reason
        key_file.write_text(f"{KEY.hex().upper()}\n")
        key_file.chmod(0o600)
        assert isinstance((await watch.take(1))[0], LinkUp)


# The line -------------------------------------------------------------------------------------------------------------


async def test_two_readers_on_one_line(bench_folder: Path) -> None:
    async with table(bench_folder) as equipment, driver(bench_folder) as first:
        one = Watch(first)
        await one.up()
        async with driver(bench_folder, address=6) as second:
            other = Watch(second)
            await other.up()
            for number in range(5):
                await badges(equipment, number)
                await badges(equipment, 100 + number, reader="second")
            assert await one.take(5) == [Badge(str(number)) for number in range(5)]
            assert await other.take(5) == [Badge(str(100 + number)) for number in range(5)]
            await equipment.act("second", "fault", silent=True)
            await badges(equipment, 7)
            assert await one.take(1) == [Badge("7")]
            assert isinstance((await other.take(1))[0], LinkLost)
        await badges(equipment, 8)
        assert await one.take(1) == [Badge("8")]


async def test_two_readers_of_one_address_or_two_speeds_cannot_share_a_line(bench_folder: Path) -> None:
    async with table(bench_folder), driver(bench_folder) as first:
        await Watch(first).up()
        async with driver(bench_folder) as again:
            assert await Watch(again).take(1) == [LinkLost("another reader on the line has the address 5")]
        port = f"serial:{bench_folder / 'line'}?address=6"
        async with OsdpDriver("slow", Kind.CREDENTIAL_READER, port, {"secure_channel": False}) as slow:
            (lost,) = await Watch(slow).take(1)
            assert lost == LinkLost("the line runs at 115200 baud for another reader and cannot at 9600")


async def test_a_port_that_is_not_there_is_waited_for(bench_folder: Path) -> None:
    async with table(bench_folder) as equipment:
        await equipment.act("line", "unplug")
        async with driver(bench_folder) as device:
            watch = Watch(device)
            (lost,) = await watch.take(1)
            assert isinstance(lost, LinkLost)
            assert "No such file" in lost.reason
            await equipment.act("line", "replug")
            assert isinstance((await watch.take(1))[0], LinkUp)


async def test_events_end_with_the_driver_and_a_driver_is_opened_once(bench_folder: Path) -> None:
    async with up(bench_folder) as (_, watch):
        pass
    with pytest.raises(StopAsyncIteration):
        await watch.next()
    with pytest.raises(RuntimeError, match="opened before"):
        await watch.device.__aenter__()
