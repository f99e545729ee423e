"""The driver on real ptys, against emulators in a process of their own."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import signal
import threading
import tty
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import serial
import structlog

from tablectl.devices import Delivery, Driver, LinkState
from tablectl.devices.registry import load
from tablectl.equipment import (
    Capability,
    CardLeft,
    DeviceState,
    DispenseStack,
    Fault,
    KeyPressed,
    Kind,
    LinkLost,
    LinkUp,
    ShowPrompt,
    StackTaken,
    StartShuffle,
)
from tablectl.errors import CommandRefused, CommandTimeout, ConfigurationError, LinkError
from tablectl_drivers.driving import Pauses
from tablectl_drivers.link import frames, serial_port
from tablectl_drivers.link.connection import Connection
from tablectl_drivers.link.driver import LinkDriver
from tablectl_drivers.link.frames import Acknowledge, Describe, Event, Frame, Hello, Order
from tablectl_drivers.link.framing import Decoder
from tablectl_drivers.link.host import Arrived, Happening, HostSession
from tablectl_drivers.link.payloads import MESSAGES
from tablectl_drivers.link.serial_port import Address, SerialOpener, parse
from tablectl_hil.control import Equipment, Piece, emulators
from tests.drivers.rig import DEADLINE_S, QUICK, Watch, emulated, opened, seen, unacknowledged

PANEL = Piece("panel", Kind.PANEL)
SHOE = Piece("shoe", Kind.SHOE, (Capability.READS,))
AUTOMATED = Piece("automated", Kind.SHOE, (Capability.READS, Capability.DISPENSES))


@asynccontextmanager
async def panel(bench_folder: Path, **options: str | int) -> AsyncIterator[tuple[Equipment, Watch]]:
    """An emulated panel with its driver, up."""
    async with emulated(bench_folder, PANEL) as equipment:
        device = LinkDriver("panel", Kind.PANEL, equipment.port("panel"), {**QUICK, **options})
        async with device:
            it = Watch(device)
            await it.up()
            yield equipment, it


@asynccontextmanager
async def automated(bench_folder: Path) -> AsyncIterator[tuple[Equipment, Watch]]:
    """An emulated automated shoe with its driver."""
    async with emulated(bench_folder, AUTOMATED) as equipment:
        shoe = LinkDriver("automated", Kind.SHOE, equipment.port("automated"), QUICK)
        async with shoe:
            yield equipment, Watch(shoe)


# Configuration ----------------------------------------------------------------------------------------------------


def test_the_address_of_a_port() -> None:
    assert parse("serial:/dev/serial/by-id/usb-x") == Address("/dev/serial/by-id/usb-x", 115_200)
    assert parse("serial:shoe?baud=9600") == Address("shoe", 9600)


@pytest.mark.parametrize(
    ("port", "problem"),
    [
        ("/dev/ttyUSB0", "expected serial:PATH"),
        ("usb:1-1", "names no vendor and product"),
        ("serial:", "names no path"),
        ("serial:?baud=1", "names no path"),
        ("serial:x?speed=1", "unknown setting 'speed'"),
        ("serial:x?baud=fast", "baud 'fast'"),
        ("serial:x?baud=²", "baud '²'"),
        ("serial:x?baud=1", "from 300 to 4000000"),
    ],
)
def test_a_port_that_cannot_be(port: str, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=r"\[devices.panel\] port:") as refusal:
        LinkDriver.check("panel", Kind.PANEL, port, {})
    assert problem in str(refusal.value)


def test_all_problems_of_a_section_are_told_together() -> None:
    options: dict[str, str | int | bool] = {
        "colour": "red",
        "serial": "",
        "lost_after_ms": 1,
        "retry_ms": True,
        "command_timeout_ms": "long",
    }
    with pytest.raises(ConfigurationError) as refusal:
        LinkDriver.check("x", Kind.SHAKER, "ttyUSB0", options)
    assert len(refusal.value.problems) == 6
    for key in ("port", *options):
        assert any(problem.startswith(f"[devices.x] {key}: ") for problem in refusal.value.problems)
    with pytest.raises(ConfigurationError):
        LinkDriver("x", Kind.SHAKER, "ttyUSB0", options)


# Messages ---------------------------------------------------------------------------------------------------------


async def test_a_device_comes_up_with_its_description_and_state(bench_folder: Path) -> None:
    async with emulated(bench_folder, SHOE) as equipment, opened(equipment, "shoe", Kind.SHOE) as shoe:
        first, second = await shoe.next(), await shoe.next()
        assert isinstance(first.message, LinkUp)
        assert first.message.description == shoe.device.description
        assert first.message.description.capabilities == (Capability.READS,)
        assert first.message.description.serial == "EMU-shoe"
        assert (first.device, first.number) == ("shoe", 0)
        assert isinstance(second.message, DeviceState)
        assert second.number == 1
        assert first.boot == second.boot == (await equipment.act("shoe", "status"))["boot"]
        health = shoe.device.health()
        assert (health.state, health.bad_frames, health.reconnects, health.last_error) == (LinkState.UP, 0, 0, None)
    assert shoe.device.health().state is LinkState.CLOSED


async def test_events_come_in_order_and_are_kept_until_acknowledged(bench_folder: Path) -> None:
    async with emulated(bench_folder, SHOE) as equipment, opened(equipment, "shoe", Kind.SHOE) as shoe:
        await shoe.up()
        await equipment.load("shoe", ["As", "^Kd", "2c"])
        for _ in range(3):
            await equipment.take_card("shoe")
        cards = [await shoe.next() for _ in range(3)]
        left = [it.message for it in cards if isinstance(it.message, CardLeft)]
        assert [(it.count, str(it.card.card), it.face_up) for it in left] == [
            (1, "As", False),
            (2, "Kd", True),
            (3, "2c", False),
        ]
        assert "As" not in repr(cards)
        await unacknowledged(equipment, "shoe", 3)
        cards[0].acknowledge()
        cards[0].acknowledge()
        await unacknowledged(equipment, "shoe", 2)
        cards[1].acknowledge()
        cards[2].acknowledge()
        await unacknowledged(equipment, "shoe", 0)


async def test_what_was_not_acknowledged_comes_again_after_a_restart_and_what_is_committed_does_not(
    bench_folder: Path,
) -> None:
    async with emulated(bench_folder, PANEL) as equipment:
        async with opened(equipment, "panel", Kind.PANEL) as before:
            await before.up()
            for key in "abcd":
                await equipment.press("panel", key)
            first = [await before.next() for _ in range(4)]
            first[0].acknowledge()
            await unacknowledged(equipment, "panel", 3)
        # b was committed as well, but the daemon died before it could say so
        resume = (first[1].boot, first[1].number)
        async with opened(equipment, "panel", Kind.PANEL, resume=resume) as after:
            again = [await after.next() for _ in range(4)]
            assert isinstance(again[0].message, LinkUp)
            assert [it.message for it in again[1:3]] == [KeyPressed("c"), KeyPressed("d")]
            assert [it.number for it in again[1:3]] == [it.number for it in first[2:4]]
            assert isinstance(again[3].message, DeviceState)
            for delivery in again:
                delivery.acknowledge()
            await unacknowledged(equipment, "panel", 0)


async def test_a_fast_deal_goes_through(bench_folder: Path) -> None:
    deck = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
    async with emulated(bench_folder, SHOE) as equipment, opened(equipment, "shoe", Kind.SHOE) as shoe:
        await shoe.up()
        await equipment.load("shoe", deck)
        async with asyncio.TaskGroup() as tasks:
            for _ in deck:
                tasks.create_task(equipment.take_card("shoe"))
        messages = await shoe.take(len(deck))
        assert [str(it.card.card) for it in messages if isinstance(it, CardLeft)] == deck


# Commands ---------------------------------------------------------------------------------------------------------


async def test_a_prompt_is_shown(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        await it.device.send(ShowPrompt("Seat 3: bet or fold?", ("bet", "fold"), ("bet",), True), 17)
        await seen(equipment, lambda: equipment.showing("panel").command == 17)
        shown = equipment.showing("panel")
        assert (shown.text, shown.lit, shown.standing) == ("Seat 3: bet or fold?", ("bet", "fold"), ("bet",))


async def test_an_act_is_accepted_first_and_its_result_is_a_message(bench_folder: Path) -> None:
    async with automated(bench_folder) as (equipment, shoe):
        await shoe.up()
        await equipment.load("automated", ["As", "^Kd", "2c", "3c", "4c"])
        await shoe.device.send(DispenseStack(3), 2**63 - 1)
        await seen(equipment, lambda: equipment.told("automated") is not None)
        assert await equipment.take_stack("automated") == ["As", "Kd", "2c", "3c"]
        taken = await shoe.until(StackTaken)
        assert taken.command == 2**63 - 1
        assert [str(it.card) for it in taken.cards] == ["As", "Kd", "2c", "3c"]
        assert taken.face_up == (1,)


async def test_the_same_id_again_gives_the_same_result_without_a_second_act(bench_folder: Path) -> None:
    async with emulated(bench_folder, AUTOMATED) as equipment:
        async with opened(equipment, "automated", Kind.SHOE) as shoe:
            await shoe.up()
            await equipment.load("automated", ["As", "Kd", "2c", "3c"])
            await shoe.device.send(DispenseStack(1), 5)
            await equipment.take_stack("automated")
            first = await shoe.until(StackTaken)
            await unacknowledged(equipment, "automated", 0)
            boot = (await equipment.act("automated", "status"))["boot"]
            await shoe.device.send(DispenseStack(1), 5, boot=boot)
            assert await shoe.until(StackTaken) == first
            await unacknowledged(equipment, "automated", 0)
        # and to another daemon
        async with opened(equipment, "automated", Kind.SHOE) as later:
            await later.up()
            await later.device.send(DispenseStack(1), 5)
            assert await later.until(StackTaken) == first
        assert await equipment.act("automated", "remaining") == ["Kd", "2c", "3c"]


async def test_a_refusal_names_device_command_and_reason(bench_folder: Path) -> None:
    async with panel(bench_folder) as (_, it):
        with pytest.raises(CommandRefused, match=r"panel: StartShuffle \(command 3\) is refused: a panel takes no"):
            await it.device.send(StartShuffle(), 3)


async def test_no_answer_in_time_is_a_timeout_and_the_link_goes_on(bench_folder: Path) -> None:
    async with panel(bench_folder, command_timeout_ms=100) as (equipment, it):
        await equipment.wire("panel", "in", silent=True)
        with pytest.raises(CommandTimeout, match=r"ShowPrompt \(command 4\) was sent and not answered"):
            await it.device.send(ShowPrompt("lost", (), (), False), 4)
        await equipment.wire("panel", "in")
        await it.device.send(ShowPrompt("taken", (), (), False), 5)
        await seen(equipment, lambda: equipment.showing("panel").text == "taken")


async def test_a_lost_command_is_sent_again_within_its_time(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        await unacknowledged(equipment, "panel", 0)
        await equipment.wire("panel", "in", lose=1)
        await it.device.send(ShowPrompt("again", (), (), False), 4)
        assert it.device.health().retransmits >= 1


async def test_nothing_is_sent_to_a_device_that_is_not_there(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        await equipment.unplug("panel")
        await it.until(LinkLost)
        with pytest.raises(LinkError, match="was not sent: the device is not connected"):
            await it.device.send(ShowPrompt("", (), (), False), 4)


async def test_a_command_that_was_under_way_when_the_line_went_may_have_been_done(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        await equipment.wire("panel", "in", silent=True)
        async with asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(_outcome(it.device.send(ShowPrompt("", (), (), False), 4)))
            await equipment.unplug("panel")
        assert isinstance(sending.result(), CommandTimeout)


async def test_a_cancelled_command_leaves_the_link_in_order(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        await equipment.wire("panel", "in", silent=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                await it.device.send(ShowPrompt("cancelled", (), (), False), 4)
        await equipment.wire("panel", "in")
        await it.device.send(ShowPrompt("next", (), (), False), 5)
        await seen(equipment, lambda: equipment.showing("panel").text == "next")


async def test_commands_given_at_the_same_time_follow_each_other(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        async with asyncio.TaskGroup() as tasks:
            for number in range(1, 21):
                tasks.create_task(it.device.send(ShowPrompt(f"line {number}", (), (), False), number))
        await seen(equipment, lambda: equipment.showing("panel").text == "line 20")


@pytest.mark.parametrize("command_id", [0, -1, 2**63])
async def test_an_id_out_of_range_is_not_sent(tmp_path: Path, command_id: int) -> None:
    device = LinkDriver("panel", Kind.PANEL, f"serial:{tmp_path}/nothing", {})
    with pytest.raises(ValueError, match="is no command id"):
        await device.send(ShowPrompt("", (), (), False), command_id)


async def _outcome(sending: Awaitable[None]) -> Exception | None:
    try:
        await sending
    except (CommandTimeout, LinkError) as error:
        return error
    return None


# The line goes and comes ------------------------------------------------------------------------------------------


async def test_unplugged_and_plugged_in_again(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        before = await _pressed(equipment, it, "a")
        with structlog.testing.capture_logs() as log:
            await equipment.unplug("panel", for_ms=200)
            lost = await it.next()
            assert isinstance(lost.message, LinkLost)
            assert "unplugged or hung up" in lost.message.reason
            back = await it.next()  # the attempts that failed meanwhile are not told
            assert isinstance(back.message, LinkUp)
        assert [(it["event"], it["log_level"]) for it in log] == [("device_lost", "warning"), ("device_up", "info")]
        assert log[1]["failures"] > 1
        assert back.boot == before.boot
        assert isinstance((await it.next()).message, DeviceState)
        await _pressed(equipment, it, "b")
        health = it.device.health()
        assert (health.state, health.reconnects) == (LinkState.UP, 1)
        assert health.last_error is not None
        assert isinstance(it.device, LinkDriver)
        assert it.device._pauses.next() <= 0.02, "the pauses begin from the shortest again"
        await equipment.unplug("panel", for_ms=20)
        assert [type((await it.next()).message) for _ in range(2)] == [LinkLost, LinkUp]


async def test_a_delivery_from_before_the_line_went_is_acknowledged_after_it_came_back(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        await equipment.press("panel", "a")
        before = await it.next()
        await equipment.unplug("panel", for_ms=50)
        assert [type((await it.next()).message) for _ in range(2)] == [LinkLost, LinkUp]
        state = await it.next()
        assert isinstance(state.message, DeviceState), "the key is not delivered twice"
        await unacknowledged(equipment, "panel", 2)
        before.acknowledge()
        state.acknowledge()
        await unacknowledged(equipment, "panel", 0)
        assert it.device.health().duplicates >= 1


async def test_a_device_that_is_not_there_is_a_state_and_is_found_when_it_comes(bench_folder: Path) -> None:
    async with emulated(bench_folder, PANEL) as equipment:
        await equipment.unplug("panel")
        async with opened(equipment, "panel", Kind.PANEL) as it:
            lost = await it.next()
            assert isinstance(lost.message, LinkLost)
            assert "No such file or directory" in lost.message.reason
            assert it.device.health().state is LinkState.LOST
            await equipment.replug("panel")
            assert isinstance((await it.next()).message, LinkUp)


async def test_the_process_of_the_emulators_is_killed_and_another_one_takes_its_place(tmp_path: Path) -> None:
    async with emulators(tmp_path, [PANEL]) as (equipment, process), opened(equipment, "panel", Kind.PANEL) as it:
        before = await it.up()
        (tmp_path / "panel").unlink()  # its pty's name may soon be that of another one on this machine
        process.send_signal(signal.SIGKILL)
        assert isinstance((await it.next()).message, LinkLost)
        async with emulators(tmp_path, [PANEL]) as (again, _):
            after = await it.next()
            assert isinstance(after.message, LinkUp)
            assert after.boot != before.boot
            (await it.next()).acknowledge()
            await _pressed(again, it, "a")


async def test_silence_is_one_lost_device(bench_folder: Path) -> None:
    async with panel(bench_folder, lost_after_ms=500) as (equipment, it):
        await equipment.wire("panel", "out", silent=True)
        lost = await it.next()
        assert isinstance(lost.message, LinkLost)
        assert "fallen silent" in lost.message.reason
        await equipment.wire("panel", "out")
        assert isinstance((await it.next()).message, LinkUp)


async def test_power_lost_with_the_memory_is_a_new_boot_id_and_an_old_command_is_not_given_again(
    bench_folder: Path,
) -> None:
    async with emulated(bench_folder, AUTOMATED) as equipment:
        async with opened(equipment, "automated", Kind.SHOE) as shoe:
            before = await shoe.up()
            await equipment.load("automated", ["As", "Kd"])
            await equipment.power_cycle("automated", kept=True)
            assert (await shoe.up()).boot == before.boot
            await equipment.power_cycle("automated", kept=False)
            after = await shoe.up()
            assert after.boot != before.boot
            with pytest.raises(CommandTimeout, match="started anew"):
                await shoe.device.send(DispenseStack(1), 5, boot=before.boot)
            await shoe.device.send(DispenseStack(1), 6, boot=after.boot)
        assert await equipment.act("automated", "remaining") == ["Kd"]


@pytest.mark.parametrize(
    "faults",
    [
        {"split": True},
        {"merge_ms": 30},
        {"corrupt_percent": 20},
        {"duplicate_percent": 50},
        {"lose_percent": 20},
        {"delay_ms": 40},
    ],
    ids=lambda faults: next(iter(faults)),
)
async def test_a_bad_line_loses_and_invents_nothing(bench_folder: Path, faults: dict[str, int | bool]) -> None:
    async with panel(bench_folder) as (equipment, it):
        await equipment.wire("panel", "out", **faults)
        await equipment.wire("panel", "in", **faults)
        keys = [f"key_{n}" for n in range(30)]
        for key in keys:
            await equipment.press("panel", key)
        pressed = [message for message in await it.take(30) if isinstance(message, KeyPressed)]
        assert [message.key for message in pressed] == keys


async def test_babble_between_frames_invents_nothing(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        await equipment.act("panel", "babble", count=300, every_ms=3)
        keys = [f"key_{n}" for n in range(20)]
        for key in keys:
            await equipment.press("panel", key)
        pressed = [message for message in await it.take(20) if isinstance(message, KeyPressed)]
        assert [message.key for message in pressed] == keys
        assert it.device.health().bad_frames > 0
        assert it.device.health().state is LinkState.UP


# What is there is not what should be there ------------------------------------------------------------------------


async def test_another_kind_on_the_port_is_swapped_and_nothing_of_it_is_taken(bench_folder: Path) -> None:
    async with emulated(bench_folder, SHOE) as equipment, opened(equipment, "shoe", Kind.PANEL) as it:
        await _refused(it, "a shoe (Emulated shoe EMU-shoe) answers on its port, expected a panel")
        await unacknowledged(equipment, "shoe", 1)
        with pytest.raises(LinkError):
            await it.device.send(ShowPrompt("", (), (), False), 1)


async def test_another_serial_number_than_configured_is_swapped(bench_folder: Path) -> None:
    async with emulated(bench_folder, PANEL) as equipment:
        async with opened(equipment, "panel", Kind.PANEL, serial="EMU-other") as it:
            await _refused(it, "serial number EMU-panel (Emulated panel) answers on its port, expected EMU-other")
        async with opened(equipment, "panel", Kind.PANEL, serial="EMU-panel") as it:
            await it.up()


async def test_like_devices_that_change_places_are_noticed(bench_folder: Path) -> None:
    pieces = [Piece("a", Kind.PANEL), Piece("b", Kind.PANEL)]
    async with emulated(bench_folder, *pieces) as equipment, opened(equipment, "a", Kind.PANEL) as it:
        await it.up()
        other = (bench_folder / "b").readlink()
        await equipment.unplug("a")
        (bench_folder / "a").symlink_to(other)
        assert isinstance((await it.next()).message, LinkLost)
        assert isinstance((await it.next()).message, LinkUp)
        told = (await it.next()).message
        assert isinstance(told, DeviceState)
        assert told.fault is Fault.SWAPPED
        assert it.device.description is not None
        assert it.device.description.serial == "EMU-b"


@asynccontextmanager
async def acknowledging() -> AsyncIterator[tuple[Connection, list[bytes]]]:
    """A connection that has just acknowledged three messages, and what it has written since."""
    written: list[bytes] = []

    class Recorder:
        def write(self, data: bytes) -> None:
            written.append(data)

        async def close(self) -> None:
            pass

    async def opener(received: Callable[[bytes], None], lost: Callable[[str], None]) -> Recorder:
        return Recorder()

    happened: list[Happening] = []
    session = HostSession(lambda device: None, chance=random.Random(1))
    connection = Connection(session, opener, happened.append)
    running = asyncio.create_task(connection.run())
    try:
        await asyncio.sleep(0)
        events = [Event(number, 0, MESSAGES.encode(KeyPressed("a"))) for number in (1, 2, 3)]
        said: list[Frame] = [described(1, 1, 4), *events]
        connection._received(b"".join(frames.encode(session._session, it) for it in said))
        written.clear()
        for happening in happened:
            if isinstance(happening, Arrived):
                connection.acknowledge(happening.boot, happening.number)
        yield connection, written
    finally:
        running.cancel()
        await asyncio.wait([running])


async def test_acknowledgements_of_one_turn_go_out_together_and_soon() -> None:
    async with acknowledging() as (_connection, written):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        (sent,) = written
        (body,) = Decoder().feed(sent, 0.0)
        assert frames.decode(body)[1] == Acknowledge(3, 3, False)
        await asyncio.sleep(0)
        assert len(written) == 1


async def test_acknowledgement_leaves_with_the_command_that_follows_from_it() -> None:
    async with acknowledging() as (connection, written):
        await asyncio.sleep(0)  # whoever was told by what was acknowledged has its turn
        assert written == []
        connection.order(7, ShowPrompt("DEAL", (), (), False))
        (sent,) = written
        first, second = (frames.decode(body)[1] for body in Decoder().feed(sent, 0.0))
        assert {type(first), type(second)} == {Acknowledge, Order}
        assert Acknowledge(3, 3, False) in (first, second)
        await asyncio.sleep(0)
        assert len(written) == 1


async def test_a_port_is_locked(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        async with opened(equipment, "panel", Kind.PANEL) as second:
            lost = await second.next()
            assert isinstance(lost.message, LinkLost)
            assert "cannot be opened" in lost.message.reason
        await _pressed(equipment, it, "still_ours")


@asynccontextmanager
async def strange(device: Describe, *said: Event) -> AsyncIterator[tuple[str, asyncio.Queue[Frame]]]:
    """A device on a pty that answers each greeting with just that; its port, and what it heard."""
    master, slave = os.openpty()
    tty.setraw(slave)
    heard: asyncio.Queue[Frame] = asyncio.Queue()
    answer: list[Frame] = [device, *said]
    decoder = Decoder()

    def read() -> None:
        for body in decoder.feed(os.read(master, 4096), 0.0):
            session, content = frames.decode(body)
            heard.put_nowait(content)
            if isinstance(content, Hello):
                os.write(master, b"".join(frames.encode(session, it) for it in answer))

    asyncio.get_running_loop().add_reader(master, read)
    try:
        yield f"serial:{os.ttyname(slave)}", heard
    finally:
        asyncio.get_running_loop().remove_reader(master)
        os.close(master)
        os.close(slave)


def described(boot: int, oldest: int, following: int) -> Describe:
    return Describe(boot, oldest, following, Kind.PANEL, "Strange", "1", "1", ())


async def test_a_message_that_is_not_understood_is_a_fault_and_its_device_is_not_used_again() -> None:
    async with strange(described(1, 1, 2), Event(1, 0, b"\x7f\x3e")) as (port, heard):
        device = LinkDriver("panel", Kind.PANEL, port, QUICK)
        async with device:
            it = Watch(device)
            up, state, lost = [(await it.next()).message for _ in range(3)]
            assert isinstance(up, LinkUp)
            assert isinstance(state, DeviceState)
            assert state.fault is Fault.PROTOCOL
            assert isinstance(lost, LinkLost)
            assert "message 1 (type 7f, 2 bytes)" in lost.reason
            frames_heard: list[Frame] = []
            async with asyncio.timeout(DEADLINE_S):
                while sum(isinstance(frame, Hello) for frame in frames_heard) < 5:
                    frames_heard.append(await heard.get())
            assert device.health().state is LinkState.REFUSED
        assert not any(isinstance(frame, Acknowledge) and frame.committed for frame in frames_heard)
        with pytest.raises(StopAsyncIteration):  # told once, however often it was tried again
            await it.next()


async def test_messages_lost_for_good_are_a_fault() -> None:
    async with strange(described(0xAB, 5, 6)) as (port, _):
        device = LinkDriver("panel", Kind.PANEL, port, QUICK, resume=("000000ab", 2))
        async with device:
            it = Watch(device)
            assert isinstance((await it.next()).message, LinkUp)
            told = await it.next()
            assert isinstance(told.message, DeviceState)
            assert told.message.fault is Fault.PROTOCOL
            assert (told.boot, told.number) == ("000000ab", 0)
            assert device.health().last_error == "2 of its messages are lost for good"


@pytest.mark.parametrize("resume", [("another-driver's", 7), ("000000cd", 7), None])
async def test_a_resume_of_another_boot_id_means_nothing(resume: tuple[str, int] | None) -> None:
    state = Event(5, 0, MESSAGES.encode(KeyPressed("a")))
    async with strange(described(0xAB, 5, 6), state) as (port, _):
        device = LinkDriver("panel", Kind.PANEL, port, QUICK, resume=resume)
        async with device:
            it = Watch(device)
            assert isinstance((await it.next()).message, LinkUp)
            delivery = await it.next()
            assert (delivery.message, delivery.boot, delivery.number) == (KeyPressed("a"), "000000ab", 5)


def test_pauses_grow_to_a_cap_and_differ() -> None:
    pauses = Pauses(0.2, 3.0, random.Random(1))
    taken = [pauses.next() for _ in range(200)]
    for pause, full in zip(taken, [0.2, 0.4, 0.8, 1.6, *[3.0] * 196], strict=True):
        assert full / 2 <= pause <= full
    assert len(set(taken)) == 200
    pauses.reset()
    assert pauses.next() <= 0.2


async def _refused(it: Watch, reason: str) -> None:
    state, lost = await it.next(), await it.next()
    assert isinstance(state.message, DeviceState)
    assert state.message.fault is Fault.SWAPPED
    assert lost.message == LinkLost(reason)
    assert it.device.health().state is LinkState.REFUSED
    assert it.device.description is None


async def _pressed(equipment: Equipment, it: Watch, key: str) -> Delivery:
    await equipment.press("panel", key)
    delivery = await it.next()
    assert delivery.message == KeyPressed(key)
    delivery.acknowledge()
    return delivery


# The event loop is never held up ----------------------------------------------------------------------------------


async def test_a_device_that_takes_no_bytes_is_lost_and_the_port_closes_in_time() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    port = await SerialOpener(Address(os.ttyname(slave), 115_200))(lambda data: None, lost.set_result)
    try:
        for _ in range(40_000):
            port.write(b"x")
        async with asyncio.timeout(DEADLINE_S):
            assert "takes no bytes" in await lost
        port.write(b"more")
    finally:
        async with asyncio.timeout(2):
            await port.close()
        os.close(master)
        os.close(slave)


async def test_what_does_not_fit_at_once_is_written_when_there_is_room() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    port = await SerialOpener(Address(os.ttyname(slave), 115_200))(lambda data: None, pytest.fail)
    sent = bytes(range(256)) * 60
    port.write(sent[:8000])
    port.write(sent[8000:])
    loop = asyncio.get_running_loop()
    taken = bytearray()
    done = asyncio.Event()

    def read() -> None:
        taken.extend(os.read(master, 500))
        if len(taken) == len(sent):
            done.set()

    loop.add_reader(master, read)
    try:
        async with asyncio.timeout(DEADLINE_S):
            await done.wait()
        assert taken == sent
    finally:
        loop.remove_reader(master)
        await port.close()
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize("blocked", ["open", "close"])
async def test_leaving_does_not_wait_for_a_port_that_hangs(
    bench_folder: Path, monkeypatch: pytest.MonkeyPatch, blocked: str
) -> None:
    """No pty hangs in open or close as real hardware can, so pyserial is made to."""
    hanging, go_on = threading.Event(), threading.Event()

    def hang(self: serial.Serial, original: Callable[[serial.Serial], None]) -> None:
        if threading.current_thread().name == serial_port.THREAD:  # and not where garbage is collected
            hanging.set()
            go_on.wait(DEADLINE_S)
        original(self)

    original = getattr(serial.Serial, blocked)
    monkeypatch.setattr(serial.Serial, blocked, lambda self: hang(self, original))
    try:
        async with emulated(bench_folder, PANEL) as equipment:
            driver = load("table-device-link")("panel", Kind.PANEL, equipment.port("panel"), QUICK)
            async with asyncio.timeout(5):
                async with driver:
                    if blocked == "open":
                        await asyncio.to_thread(hanging.wait, DEADLINE_S)
                    else:
                        await Watch(driver).up()
            assert hanging.is_set()
            assert not go_on.is_set()
    finally:
        go_on.set()
        for thread in threading.enumerate():
            if thread.name == serial_port.THREAD:
                await asyncio.to_thread(thread.join, DEADLINE_S)


async def test_a_port_that_hangs_is_not_opened_a_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[threading.Thread] = []
    go_on = threading.Event()

    def hang(self: serial.Serial) -> None:
        attempts.append(threading.current_thread())
        go_on.wait(DEADLINE_S)
        raise OSError(errno.ENODEV, "gone after all")

    monkeypatch.setattr(serial.Serial, "open", hang)
    monkeypatch.setattr(serial_port, "OPEN_S", 0.02)
    opener = SerialOpener(Address("nowhere", 115_200))
    for _ in range(3):
        with pytest.raises(TimeoutError):
            await opener(lambda data: None, lambda reason: None)
    assert len(attempts) == 1
    go_on.set()
    await asyncio.to_thread(attempts[0].join, DEADLINE_S)
    with pytest.raises(OSError, match="gone after all"):
        await opener(lambda data: None, lambda reason: None)
    assert len(attempts) == 1


async def test_the_stream_ends_with_the_driver(bench_folder: Path) -> None:
    async with panel(bench_folder) as (_, it):
        pass
    for _ in range(2):
        with pytest.raises(StopAsyncIteration):
            await it.next()


async def test_a_defect_in_the_driver_reaches_whoever_reads_its_events(bench_folder: Path) -> None:
    async with panel(bench_folder) as (equipment, it):
        assert isinstance(it.device, Driver)

        def defect(happening: object) -> None:
            raise ZeroDivisionError("a defect")

        it.device._connection._happened = defect  # type: ignore[attr-defined]
        await equipment.press("panel", "a")
        with pytest.raises(ZeroDivisionError):
            await it.next()


async def test_a_driver_is_opened_once(bench_folder: Path) -> None:
    async with panel(bench_folder) as (_, it):
        with pytest.raises(RuntimeError, match="opened before"):
            await it.device.__aenter__()
