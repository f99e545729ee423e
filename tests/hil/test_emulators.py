"""The emulated equipment: what people do to it, what it says and shows, and its control channel."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tablectl.cards import deck
from tablectl.equipment import (
    Capability,
    CardLeft,
    DeviceState,
    DispenseStack,
    Fault,
    KeyPressed,
    Kind,
    Lamp,
    LinkLost,
    LinkUp,
    Mode,
    ShowPrompt,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    StartShuffle,
    WagerSpot,
)
from tablectl.errors import CommandRefused, CommandTimeout, ConfigurationError, LinkError
from tablectl.money import dollars
from tablectl_drivers.link.driver import LinkDriver
from tablectl_hil.control import ActFailed, Equipment, Notice, Piece, Shown, connect, emulators
from tablectl_hil.emulators import main
from tests.drivers.rig import DEADLINE_S, QUICK, Watch, emulated, opened, seen, unacknowledged

PANEL = Piece("panel", Kind.PANEL)
DECK = [card.name for card in deck()]


@asynccontextmanager
async def table(bench_folder: Path, piece: Piece) -> AsyncIterator[tuple[Equipment, Watch]]:
    """One emulated device and a driver for it, up."""
    async with emulated(bench_folder, piece) as equipment:
        device = LinkDriver(piece.id, piece.kind, equipment.port(piece.id), QUICK)
        async with device:
            watch = Watch(device)
            await watch.up()
            yield equipment, watch


def automated(*more: Capability, automatic: bool = False) -> Piece:
    return Piece("shoe", Kind.SHOE, (Capability.DISPENSES, *more), automatic)


def shuffler(automatic: bool = False) -> Piece:
    return Piece("shuffler", Kind.SHUFFLER, (Capability.COUNTS,), automatic)


# Panel ------------------------------------------------------------------------------------------------------------


async def test_two_keys_at_once_both_count_in_order_and_bounces_do_not(bench_folder: Path) -> None:
    async with table(bench_folder, PANEL) as (equipment, panel):
        for key in ("bet", "fold", "bet"):
            assert await equipment.press("panel", key, bounces=5) is True
        assert await panel.take(3) == [KeyPressed("bet"), KeyPressed("fold"), KeyPressed("bet")]


async def test_a_bounce_at_release_is_no_press(bench_folder: Path) -> None:
    async with table(bench_folder, PANEL) as (equipment, panel):
        assert await equipment.act("panel", "hold", key="bet") is True
        await equipment.act("panel", "release", key="bet")
        assert await equipment.act("panel", "hold", key="bet") is False
        await equipment.act("panel", "release", key="bet")
        assert await equipment.press("panel", "fold")
        assert await panel.take(2) == [KeyPressed("bet"), KeyPressed("fold")]


async def test_contacts_that_bounce_from_now_on(bench_folder: Path) -> None:
    async with table(bench_folder, PANEL) as (equipment, panel):
        await equipment.act("panel", "bounce", times=4)
        assert [await equipment.press("panel", key) for key in ("bet", "bet", "fold")] == [True] * 3
        assert await panel.take(3) == [KeyPressed("bet"), KeyPressed("bet"), KeyPressed("fold")]


async def test_a_held_key_is_one_press_and_then_a_stuck_key(bench_folder: Path) -> None:
    async with table(bench_folder, PANEL) as (equipment, panel):
        await equipment.act("panel", "stuck_after", ms=50)
        await equipment.act("panel", "hold", key="bet")
        pressed, stuck = await panel.take(2)
        assert pressed == KeyPressed("bet")
        assert isinstance(stuck, DeviceState)
        assert (stuck.fault, stuck.lamp) == (Fault.STUCK, Lamp.RED)
        await equipment.act("panel", "release", key="bet")
        (state,) = await panel.take(1)
        assert isinstance(state, DeviceState)
        assert state.fault is None


async def test_a_panel_without_a_host_is_dark_and_takes_no_press(bench_folder: Path) -> None:
    async with emulated(bench_folder, PANEL) as equipment:
        assert await equipment.press("panel", "bet") is False
        async with opened(equipment, "panel", Kind.PANEL) as panel:
            await panel.up()
            await panel.device.send(ShowPrompt("HELLO", ("bet",), (), False), 1)
            await seen(equipment, lambda: equipment.showing("panel") == Shown(1, "HELLO", ("bet",), ()))
        await seen(equipment, lambda: not equipment.present("panel"))
        assert equipment.showing("panel") == Shown()
        assert await equipment.press("panel", "bet") is False
        assert (await equipment.act("panel", "status"))["unacknowledged"] == 0


# Cables -----------------------------------------------------------------------------------------------------------


async def test_a_device_comes_back_under_another_name_of_its_port(bench_folder: Path) -> None:
    async with table(bench_folder, PANEL) as (equipment, panel):
        before = await equipment.act("panel", "status")
        for _ in range(3):
            await equipment.act("panel", "reenumerate", for_ms=20)
            assert isinstance((await panel.next()).message, LinkLost)
            await panel.up()
            after = await equipment.act("panel", "status")
            assert after["boot"] == before["boot"]
            assert after["port"] not in {"", before["port"]}
            assert str((bench_folder / "panel").readlink()) == after["port"]
            before = after
        await equipment.press("panel", "bet")
        assert await panel.take(1) == [KeyPressed("bet")]


async def test_a_cable_is_pulled_within_a_frame_of_the_devices(bench_folder: Path) -> None:
    async with table(bench_folder, PANEL) as (equipment, panel):
        await equipment.act("panel", "unplug_within_a_frame", direction="out", for_ms=20)
        for key in ("bet", "fold"):
            await equipment.press("panel", key)
        assert isinstance((await panel.next()).message, LinkLost)
        assert isinstance((await panel.next()).message, LinkUp)
        said = [message for message in await panel.take(3) if isinstance(message, KeyPressed)]
        assert said == [KeyPressed("bet"), KeyPressed("fold")]


async def test_a_cable_is_pulled_within_a_frame_of_the_hosts(bench_folder: Path) -> None:
    async with table(bench_folder, PANEL) as (equipment, panel):
        await equipment.act("panel", "unplug_within_a_frame", direction="in", for_ms=20)
        with pytest.raises((CommandTimeout, LinkError)):
            await panel.device.send(ShowPrompt("HALF", (), (), False), 1)
        await panel.up()
        assert equipment.showing("panel").text != "HALF"
        await panel.device.send(ShowPrompt("WHOLE", (), (), False), 2)
        await seen(equipment, lambda: equipment.showing("panel").text == "WHOLE")


async def test_swapped_devices_are_refused_and_come_back(bench_folder: Path) -> None:
    pieces = [Piece("a", Kind.PANEL), Piece("b", Kind.PANEL)]
    async with emulated(bench_folder, *pieces) as equipment, opened(equipment, "a", Kind.PANEL, serial="EMU-a") as it:
        up = await it.up()
        await equipment.act("a", "swap", other="b")
        assert isinstance((await it.next()).message, LinkLost)
        state = (await it.next()).message
        assert isinstance(state, DeviceState)
        assert state.fault is Fault.SWAPPED
        await equipment.press("b", "bet")
        await equipment.act("a", "swap", other="b")
        assert (await it.up()).boot == up.boot
        await equipment.press("a", "fold")
        assert await it.take(1) == [KeyPressed("fold")]
        with pytest.raises(ActFailed, match="a: there is no other device 'a': expected b"):
            await equipment.act("a", "swap", other="a")


# Shoes ------------------------------------------------------------------------------------------------------------


async def test_a_plain_shoe_counts_and_a_reading_shoe_reads(bench_folder: Path) -> None:
    pieces = [Piece("plain", Kind.SHOE), Piece("reading", Kind.SHOE, (Capability.READS,))]
    async with emulated(bench_folder, *pieces) as equipment:
        for id, seen_cards in (("plain", [None, None]), ("reading", ["As", "Kd"])):
            async with opened(equipment, id, Kind.SHOE) as shoe:
                await shoe.up()
                await equipment.load(id, ["^As", "Kd"])
                assert [await equipment.take_card(id) for _ in range(2)] == ["As", "Kd"]
                left = [message for message in await shoe.take(2) if isinstance(message, CardLeft)]
                assert [it.count for it in left] == [1, 2]
                assert [it.card.card and it.card.card.name for it in left] == seen_cards
                assert [it.face_up for it in left] == [id == "reading", False]
                await equipment.load(id, ["2c"])
                await equipment.take_card(id)
                assert (await shoe.until(CardLeft)).count == 1
                with pytest.raises(ActFailed, match="the shoe is empty"):
                    await equipment.take_card(id)


async def test_cards_that_a_sensor_misses_or_cannot_read(bench_folder: Path) -> None:
    async with table(bench_folder, Piece("shoe", Kind.SHOE, (Capability.READS,))) as (equipment, shoe):
        await equipment.load("shoe", ["As", "Kd", "2c"])
        await equipment.act("shoe", "miss_next", cards=1)
        await equipment.act("shoe", "unread_next", cards=1)
        for _ in range(3):
            await equipment.take_card("shoe")
        left = [message for message in await shoe.take(2) if isinstance(message, CardLeft)]
        assert [(it.count, it.card.card and it.card.card.name) for it in left] == [(1, None), (2, "2c")]


async def test_a_jammed_shoe_gives_no_card_until_it_is_cleared(bench_folder: Path) -> None:
    async with table(bench_folder, Piece("shoe", Kind.SHOE)) as (equipment, shoe):
        await equipment.load("shoe", ["As"])
        await equipment.act("shoe", "fail_now", fault="jam")
        with pytest.raises(ActFailed, match="in the fault jam"):
            await equipment.take_card("shoe")
        await equipment.clear("shoe")
        await equipment.take_card("shoe")
        jam, clear, card = await shoe.take(3)
        assert isinstance(jam, DeviceState)
        assert isinstance(clear, DeviceState)
        assert (jam.fault, jam.lamp, clear.fault, clear.lamp) == (Fault.JAM, Lamp.RED, None, Lamp.GREEN)
        assert isinstance(card, CardLeft)


async def test_a_stack_is_taken_by_the_dealer_and_a_card_found_face_up_is_replaced(bench_folder: Path) -> None:
    async with table(bench_folder, automated(Capability.READS)) as (equipment, shoe):
        await equipment.load("shoe", ["As", "^Kd", "2c", "3c", "4c"])
        await shoe.device.send(DispenseStack(2), 9)
        await seen(equipment, lambda: (equipment.told("shoe") or {}).get("count") == 2)
        with pytest.raises(CommandRefused, match="still waiting to be taken"):
            await shoe.device.send(DispenseStack(2), 10)
        assert await equipment.take_stack("shoe") == ["As", "Kd", "2c"]
        await seen(equipment, lambda: equipment.told("shoe") is None)
        taken = await shoe.until(StackTaken)
        assert [it.card and it.card.name for it in taken.cards] == ["As", "Kd", "2c"]
        assert (taken.command, taken.face_up) == (9, (1,))
        with pytest.raises(ActFailed, match="no stack is waiting"):
            await equipment.take_stack("shoe")


async def test_a_shoe_that_runs_out_or_jams_says_what_came_out(bench_folder: Path) -> None:
    async with table(bench_folder, automated(automatic=True)) as (equipment, shoe):
        await equipment.load("shoe", DECK[:5])
        await shoe.device.send(DispenseStack(3), 1)
        assert len((await shoe.until(StackTaken)).cards) == 3
        await shoe.device.send(DispenseStack(3), 2)
        failed = await shoe.until(StackFailed)
        assert (failed.command, len(failed.cards), failed.fault) == (2, 2, Fault.INCOMPLETE)
        with pytest.raises(CommandRefused, match="in the fault incomplete"):
            await shoe.device.send(DispenseStack(1), 3)
        await equipment.clear("shoe")
        await equipment.load("shoe", DECK)
        await equipment.act("shoe", "jam_after", cards=5)
        await shoe.device.send(DispenseStack(3), 4)
        assert len((await shoe.until(StackTaken)).cards) == 3
        await shoe.device.send(DispenseStack(3), 5)
        failed = await shoe.until(StackFailed)
        assert (failed.command, len(failed.cards), failed.fault) == (5, 2, Fault.JAM)
        assert await equipment.act("shoe", "remaining") == DECK[5:]


async def test_state_comes_before_the_result_that_it_goes_with(bench_folder: Path) -> None:
    async with table(bench_folder, automated()) as (equipment, shoe):
        await equipment.load("shoe", DECK)
        await equipment.fail_next("shoe", Fault.JAM)
        await shoe.device.send(DispenseStack(3), 4)
        loaded, state, failed = await shoe.take(3)
        assert isinstance(state, DeviceState)
        assert state.fault is Fault.JAM
        assert isinstance(failed, StackFailed)
        assert loaded == DeviceState(Mode.READY, Lamp.GREEN, False, 52, False, None)


# Shuffler ---------------------------------------------------------------------------------------------------------


async def test_a_shuffle_is_busy_until_it_is_finished_and_counted(bench_folder: Path) -> None:
    async with table(bench_folder, shuffler()) as (equipment, device):
        with pytest.raises(CommandRefused, match="no cards are inside"):
            await device.device.send(StartShuffle(), 1)
        await equipment.insert("shuffler", DECK)
        await device.device.send(StartShuffle(), 2)
        with pytest.raises(CommandRefused, match="is shuffling"):
            await device.device.send(StartShuffle(), 3)
        await equipment.finish("shuffler")
        inserted, busy, ready, finished = await device.take(4)
        assert inserted == ready == DeviceState(Mode.READY, Lamp.GREEN, False, 52, False, None)
        assert busy == DeviceState(Mode.BUSY, Lamp.GREEN, False, 52, False, None)
        assert finished == ShuffleFinished(2, 52)
        cards = await equipment.take("shuffler")
        assert sorted(cards) == sorted(DECK)
        assert cards != DECK


async def test_the_order_comes_from_the_seed(tmp_path: Path) -> None:
    orders = []
    for run, seed in enumerate((1, 1, 2)):
        folder = tmp_path / str(run)
        async with emulators(folder, [shuffler(automatic=True)], seed=seed) as (equipment, _):
            device = LinkDriver("shuffler", Kind.SHUFFLER, equipment.port("shuffler"), QUICK)
            async with device:
                watch = Watch(device)
                await watch.up()
                await equipment.insert("shuffler", DECK)
                await device.send(StartShuffle(), 1)
                await watch.until(ShuffleFinished)
                orders.append(await equipment.take("shuffler"))
    assert orders[0] == orders[1] != orders[2]


async def test_a_wrong_count_a_jam_and_an_unfinished_cycle(bench_folder: Path) -> None:
    async with table(bench_folder, shuffler(automatic=True)) as (equipment, device):
        await equipment.insert("shuffler", DECK)
        await equipment.act("shuffler", "miscount_next", by=-1)
        await device.device.send(StartShuffle(), 1)
        assert await device.until(ShuffleFinished) == ShuffleFinished(1, 51)
        await device.device.send(StartShuffle(), 2)
        assert await device.until(ShuffleFinished) == ShuffleFinished(2, 52)
        for number, fault in ((3, Fault.JAM), (4, Fault.INCOMPLETE)):
            await equipment.fail_next("shuffler", fault)
            await device.device.send(StartShuffle(), number)
            assert await device.until(ShuffleFailed) == ShuffleFailed(number, fault)
            with pytest.raises(CommandRefused, match=f"in the fault {fault}"):
                await device.device.send(StartShuffle(), 9 + number)
            await equipment.clear("shuffler")


@pytest.mark.parametrize("kept", [True, False])
async def test_a_shuffle_that_loses_power_is_incomplete(bench_folder: Path, kept: bool) -> None:
    async with table(bench_folder, shuffler()) as (equipment, device):
        await equipment.insert("shuffler", DECK)
        await device.device.send(StartShuffle(), 1)
        await unacknowledged(equipment, "shuffler", 2)
        await device.take(2)
        await equipment.power_cycle("shuffler", kept=kept)
        await device.until(LinkLost)
        if kept:
            assert await device.until(ShuffleFailed) == ShuffleFailed(1, Fault.INCOMPLETE)
        else:
            assert (await device.until(DeviceState)).fault is Fault.INCOMPLETE
            with pytest.raises(CommandRefused, match="in the fault incomplete"):
                await device.device.send(StartShuffle(), 1)


# Wager sensors ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amounts", [True, False])
async def test_chips_on_the_spots(bench_folder: Path, amounts: bool) -> None:
    piece = Piece("wagers", Kind.WAGER_SENSORS, (Capability.AMOUNTS,) if amounts else ())
    async with table(bench_folder, piece) as (equipment, sensors):
        await equipment.put("wagers", 1, "ante", "10.00")
        await equipment.put("wagers", 1, "ante", "2.50")
        await equipment.lift("wagers", 1, "ante")
        await equipment.lift("wagers", 1, "ante")
        await equipment.put("wagers", 2, "ante", "5.00")
        await equipment.lift_all("wagers")
        expected = [
            (1, True, "10.00"),
            (1, True, "12.50"),
            (1, False, "0.00"),
            (2, True, "5.00"),
            (2, False, "0.00"),
        ]
        assert await sensors.take(5) == [
            WagerSpot(seat, "ante", present, dollars(amount) if amounts else None) for seat, present, amount in expected
        ]
        with pytest.raises(ActFailed, match="is not an amount"):
            await equipment.put("wagers", 2, "ante", "5")


async def test_sensors_that_lost_their_memory_say_all_that_lies_there(bench_folder: Path) -> None:
    async with table(bench_folder, Piece("wagers", Kind.WAGER_SENSORS, (Capability.AMOUNTS,))) as (equipment, sensors):
        await equipment.put("wagers", 1, "ante", "10.00")
        await equipment.put("wagers", 2, "ante", "5.00")
        await equipment.lift("wagers", 2, "ante")
        await sensors.take(3)
        await unacknowledged(equipment, "wagers", 0)
        await equipment.power_cycle("wagers", kept=False)
        await sensors.up()
        assert await sensors.take(2) == [
            WagerSpot(1, "ante", True, dollars("10.00")),
            WagerSpot(2, "ante", False, dollars("0.00")),
        ]
        await equipment.unplug("wagers", for_ms=20)
        await sensors.up()
        await unacknowledged(equipment, "wagers", 0)


# State, memory, the control channel -------------------------------------------------------------------------------


async def test_any_state_can_be_shown(bench_folder: Path) -> None:
    async with table(bench_folder, shuffler()) as (equipment, device):
        await equipment.act("shuffler", "indicate", mode="sort", lamp="green", blinking=True, tamper=True)
        assert await device.take(1) == [DeviceState(Mode.SORT, Lamp.GREEN, True, 0, True, None)]
        await equipment.clear("shuffler")
        assert await device.take(1) == [DeviceState(Mode.READY, Lamp.GREEN, False, 0, False, None)]


async def test_equipment_keeps_its_state_while_the_daemon_is_away(bench_folder: Path) -> None:
    async with emulated(bench_folder, Piece("shoe", Kind.SHOE)) as equipment:
        await equipment.load("shoe", DECK)
        async with opened(equipment, "shoe", Kind.SHOE) as shoe:
            first = await shoe.up()
            await equipment.take_card("shoe")
            await shoe.take(1)
            await unacknowledged(equipment, "shoe", 0)
        await equipment.take_card("shoe")
        async with opened(equipment, "shoe", Kind.SHOE) as shoe:
            again = await shoe.next()
            assert again.boot == first.boot
            left = await shoe.until(CardLeft)
            assert left.count == 2
        await equipment.power_cycle("shoe", kept=False)
        await equipment.take_card("shoe")
        async with opened(equipment, "shoe", Kind.SHOE) as shoe:
            assert (await shoe.next()).boot != first.boot
            assert (await shoe.until(CardLeft)).count == 1


async def test_what_can_be_seen_is_told_to_everybody_and_to_those_who_come_later(bench_folder: Path) -> None:
    async with table(bench_folder, automated()) as (equipment, shoe):
        await equipment.load("shoe", DECK)
        await shoe.device.send(DispenseStack(2), 9)
        async with connect(bench_folder) as later:
            notices = later.notices()
            async with asyncio.timeout(DEADLINE_S):
                first = [await anext(notices), await anext(notices)]
            assert Notice("shoe", "attached", {"present": True}) in first
            assert Notice("shoe", "told", {"command": 9, "order": "DispenseStack", "count": 2}) in first
            assert later.present("shoe")
            await later.take_stack("shoe")
            async with asyncio.timeout(DEADLINE_S):
                assert await anext(notices) == Notice("shoe", "done", {"command": 9})
            await notices.aclose()  # type: ignore[attr-defined]
        assert equipment.told("shoe") is None


@pytest.mark.parametrize(
    ("device", "act", "arguments", "problem"),
    [
        ("shoe", "press", {}, "there is no device 'shoe': expected panel"),
        ("panel", "take_card", {}, "panel: there is no act 'take_card': expected babble, .*press"),
        ("panel", "perform", {}, "there is no act 'perform'"),
        ("panel", "press", {}, "press: missing a required argument: 'key'"),
        ("panel", "press", {"key": 3}, "press: found 3, expected str"),
        ("panel", "press", {"key": "bet", "force": 1}, "unexpected keyword argument 'force'"),
        ("panel", "fail_now", {"fault": "sad"}, "found 'sad', expected a Fault"),
        ("panel", "wire", {"direction": "up"}, "found 'up', expected one of"),
    ],
)
async def test_an_act_that_cannot_be_done_says_why(
    bench_folder: Path, device: str, act: str, arguments: dict[str, Any], problem: str
) -> None:
    async with emulated(bench_folder, PANEL) as equipment:
        with pytest.raises(ActFailed, match=problem):
            await equipment.act(device, act, **arguments)
        assert (await equipment.act("panel", "status"))["plugged"]


@pytest.mark.parametrize("line", [b"not json\n", b"[]\n", b'{"n": 1}\n', b'{"n": 1, "device": [], "act": 3}\n'])
async def test_a_request_that_is_none_is_answered_and_harms_nobody(bench_folder: Path, line: bytes) -> None:
    async with emulated(bench_folder, PANEL) as equipment:
        reader, writer = await asyncio.open_unix_connection(bench_folder / "control")
        writer.write(line)
        async with asyncio.timeout(DEADLINE_S):
            answer = json.loads(await reader.readline())
        assert "error" in answer
        writer.close()
        await writer.wait_closed()
        assert (await equipment.act("panel", "status"))["plugged"]


async def test_the_end_of_the_emulators_is_told(tmp_path: Path) -> None:
    async with emulators(tmp_path, [PANEL]) as (equipment, process):
        assert (tmp_path / "panel").is_symlink()
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        async with asyncio.timeout(DEADLINE_S):
            assert [it async for it in equipment.notices()] == []
        for act in (equipment.press("panel", "bet"), equipment.changed()):
            with pytest.raises(ActFailed, match="emulators"):
                await act
    assert not await asyncio.to_thread(lambda: list(tmp_path.iterdir()))


def test_the_command_line_of_a_piece() -> None:
    for piece in (PANEL, shuffler(automatic=True), automated(Capability.READS)):
        assert Piece.parse(str(piece)) == piece


@pytest.mark.parametrize(
    "text",
    ["panel", "=panel", "panel=lamp", "shoe=shoe:flies", "shoe=shoe,fast", "../x=shoe", ".x=shoe", "control=shoe"],
)
def test_a_piece_that_cannot_be(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigurationError, match="expected ID=KIND"):
        Piece.parse(text)
    assert main([str(tmp_path), f"--device={text}"]) == 2
    assert f"--device {text}" in capsys.readouterr().err
