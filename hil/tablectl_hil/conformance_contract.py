"""What every driver does with every device: the contract of `tablectl.devices`, checked from the daemon's side."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from tablectl.devices import LinkState
from tablectl.equipment import (
    Command,
    DeviceState,
    Kind,
    LinkLost,
    LinkUp,
    Message,
    ReadHoleCard,
    ShowPrompt,
    StartShuffle,
)
from tablectl.errors import CommandRefused, CommandTimeout, LinkError
from tablectl_hil.conformance import (
    Bench,
    Failed,
    NotApplicable,
    NotRun,
    Watch,
    answer,
    check,
    refused,
    require,
    state_of,
    up,
)
from tablectl_hil.conformance_stimuli import CARDS, Stimuli, actuation, expect, perform_to_end, ready_to_act

__all__: list[str] = []

CLOSE_S: Final = 1.5
IDLE_S: Final = 4.0
NOTHING_S: Final = 0.5
REMEMBERED: Final = 32


def _kept(bench: Bench) -> None:
    if not bench.keeps:
        raise NotApplicable("the device keeps nothing of what it has said, and takes no actuation")


async def _round_trip(bench: Bench, watch: Watch) -> None:
    """Let everything that was sent to the device arrive, by a command that it answers and cannot do."""
    await refused(watch, _foreign(bench), bench.new_id(), f"by a {bench.kind}")


def _foreign(bench: Bench) -> Command:
    """A command of another kind of equipment."""
    return ShowPrompt("", (), (), False) if bench.kind is not Kind.PANEL else ReadHoleCard()


def _not_kept(bench: Bench) -> None:
    if bench.keeps:
        raise NotApplicable("the device keeps its messages until they are acknowledged")


# Messages -------------------------------------------------------------------------------------------------------------


@check("describes-itself", "Says what it is on every open, then its state, both under its boot id.")
async def describes_itself(bench: Bench) -> None:
    async with bench.open() as device:
        watch = Watch(device, bench.deadline_s)
        first, second = await watch.next(), await watch.next()
        require(isinstance(first.message, LinkUp), f"expected LinkUp first, found {type(first.message).__name__}")
        description = device.description
        require(description is not None and description.kind is bench.kind, "the description is of another kind")
        require(description is not None and description.serial, "the description has no serial number")
        require(first.number == 0, "LinkUp is the driver's own word and has the number 0")
        state_of(second.message)
        require(second.boot == first.boot != "", "the state has to come under the boot id of LinkUp")
        require(second.number > 0, "the state is a message of the device and has a number")
        require(device.health().state is LinkState.UP, f"the link has to be up, found {device.health().state}")


@check("in-order", "Its messages come in order, once each, numbered without a gap.")
async def in_order(bench: Bench) -> None:
    async with up(bench) as watch:
        expected = await Stimuli(bench, watch).some(6 if bench.emulated else 3)
        await expect(watch, expected)
        numbers = watch.numbers
        require(numbers == list(range(numbers[0], numbers[0] + len(numbers))), "the numbers have a gap:", numbers)


@check(
    "kept-until-acknowledged", "What was not acknowledged comes again, the same under the same number; the rest not."
)
async def kept_until_acknowledged(bench: Bench) -> None:
    _kept(bench)
    async with up(bench) as watch:
        stimuli = Stimuli(bench, watch)
        expected = await stimuli.some(3)
        first = await watch.unacknowledged(len(expected))
        first[0].acknowledge()
        await _round_trip(bench, watch)
    async with bench.open((first[0].boot, first[0].number)) as device:
        watch = Watch(device, bench.deadline_s)
        require(isinstance((await watch.next()).message, LinkUp), "expected LinkUp first")
        again = await watch.unacknowledged(len(expected) - 1)
        require([it.message for it in again] == [it.message for it in first[1:]], "the messages are not the same")
        require([it.number for it in again] == [it.number for it in first[1:]], "the numbers are not the same")
        require({it.boot for it in again} == {first[0].boot}, "the boot id is not the same")


@check("resumes", "A daemon that has committed a message and died before it could say so does not get it again.")
async def resumes(bench: Bench) -> None:
    _kept(bench)
    async with up(bench) as watch:
        first = await watch.unacknowledged(len(await Stimuli(bench, watch).some(2)))
    async with bench.open((first[-1].boot, first[-1].number)) as device:
        watch = Watch(device, bench.deadline_s)
        require(isinstance((await watch.next()).message, LinkUp), "expected LinkUp first")
        delivery = await watch.next()
        require(delivery.number > first[-1].number, f"number {delivery.number} was committed and comes again")


@check(
    "begins-anew",
    "What keeps nothing begins anew with every daemon: another boot id, its state as message 1, and no command of"
    " before.",
)
async def begins_anew(bench: Bench) -> None:
    _not_kept(bench)
    async with bench.open() as device:
        watch = Watch(device, bench.deadline_s)
        before = await watch.up()
        await expect(watch, await Stimuli(bench, watch).some(2))
    async with bench.open((before.boot, watch.numbers[-1])) as device:
        watch = Watch(device, bench.deadline_s)
        first, second = await watch.next(), await watch.next()
        require(isinstance(first.message, LinkUp), f"expected LinkUp first, found {type(first.message).__name__}")
        state_of(second.message)
        require(first.boot == second.boot != before.boot, "the boot id has to be new, found", first.boot, second.boot)
        require(second.number == 1, f"the state has to be message 1, found {second.number}")
        await _not_given_again(watch, ShowPrompt("", (), (), False), bench.new_id(), before.boot)
        await expect(watch, await Stimuli(bench, watch).some(1))


@check(
    "unheard",
    "What is shown to it while no daemon is there was shown to nobody: it is not said later.",
    Kind.CREDENTIAL_READER,
    Kind.CARD_SCANNER,
)
async def unheard(bench: Bench) -> None:
    _not_kept(bench)
    async with up(bench) as watch:
        stimuli = Stimuli(bench, watch)
    await stimuli.some(1)
    async with up(bench) as watch:
        await expect(watch, await stimuli.some(1))
        watch.deadline_s = NOTHING_S
        with contextlib.suppress(TimeoutError):
            late = await watch.beside()
            raise Failed(f"one was shown while a daemon was there, and two were said; the second {late.message}")


@check("says-changes-of-state", "Says its state whenever mode, lamp, blinking, tampering or fault change.")
async def says_changes_of_state(bench: Bench) -> None:
    async with up(bench) as watch:
        await bench.do("Open the device's housing, so that it sees tampering.", "meddle")
        state = await watch.until(DeviceState)
        require(state.tamper and state.fault is not None, "tampering has to be said, with a fault; found", state)
        await bench.do("Close the housing and clear the device.", "clear")
        state = await watch.until(DeviceState)
        require(not state.tamper and state.fault is None, "a cleared device has to say so; found", state)


# The link -------------------------------------------------------------------------------------------------------------


@check("lost-and-back", "A lost device is said once; it comes back by itself, with its state and nothing missing.")
async def lost_and_back(bench: Bench) -> None:
    async with up(bench) as watch:
        stimuli = Stimuli(bench, watch)
        await stimuli.prepare()
        await bench.unplug()
        require(isinstance((await watch.beside()).message, LinkLost), "expected LinkLost")
        try:
            await watch.device.send(StartShuffle(), bench.new_id())
        except LinkError:
            pass
        else:
            raise Failed("a command to a device that is not there has to be a LinkError")
        await bench.replug()
        require(isinstance((await watch.next()).message, LinkUp), "expected LinkUp, and LinkLost once only")
        state_of((await watch.take(1))[0])
        await expect(watch, await stimuli.some(2))


@check(
    "absent", "A device that is not there is a state: the driver opens, says LinkLost once, and finds it when it comes."
)
async def absent(bench: Bench) -> None:
    await bench.unplug()
    async with bench.open() as device:
        watch = Watch(device, bench.deadline_s)
        require(isinstance((await watch.next()).message, LinkLost), "expected LinkLost")
        require(device.health().state is LinkState.LOST, f"expected the state lost, found {device.health().state}")
        await bench.replug()
        require(isinstance((await watch.next()).message, LinkUp), "expected LinkUp")


@check("locks-its-port", "A port that is in use is not opened a second time.")
async def locks_its_port(bench: Bench) -> None:
    async with up(bench), bench.open() as second:
        delivery = await Watch(second, bench.deadline_s).next()
        require(isinstance(delivery.message, LinkLost), "a second driver on the same port has to be without it")


@check("closes-in-time", "Closes within a second, whatever the device does.")
async def closes_in_time(bench: Bench) -> None:
    async with up(bench) as watch:
        if bench.emulated:
            with contextlib.suppress(NotApplicable):  # one whose line takes everything has no such moment
                await bench.arrange("deaf", on=True)
        begun = asyncio.get_running_loop().time()
    taken = asyncio.get_running_loop().time() - begun
    require(taken < CLOSE_S, f"closing took {taken:.1f} s")
    require(watch.device.health().state is LinkState.CLOSED, "a closed driver has to say that it is closed")
    try:
        while True:
            await watch.next()
    except StopAsyncIteration:
        pass


@check("alive-when-idle", "Stays up while there is nothing to say.", slow=True)
async def alive_when_idle(bench: Bench) -> None:
    async with up(bench) as watch:
        await asyncio.sleep(IDLE_S)
        health = watch.device.health()
        require(health.state is LinkState.UP, f"idle for {IDLE_S:g} s, the link is {health.state}")
        require(health.reconnects == 0, "the link came back although nothing happened to it")


@check("silence-is-lost", "A device that falls silent is lost, once, and comes back when it speaks again.", slow=True)
async def silence_is_lost(bench: Bench) -> None:
    async with up(bench) as watch:
        await bench.arrange("wire", direction="out", silent=True)
        require(isinstance((await watch.beside()).message, LinkLost), "expected LinkLost")
        await bench.arrange("wire", direction="out")
        require(isinstance((await watch.next()).message, LinkUp), "expected LinkUp")


def _bad_line(name: str, requirement: str, **faults: int | bool) -> Callable[[Bench], object]:
    @check(f"line-{name}", requirement)
    async def bad_line(bench: Bench) -> None:
        async with up(bench) as watch:
            stimuli = Stimuli(bench, watch)
            await stimuli.prepare()
            for direction in ("out", "in"):
                await bench.arrange("wire", direction=direction, **faults)
            await expect(watch, await stimuli.some(8))
            for direction in ("out", "in"):
                await bench.arrange("wire", direction=direction)
            require(watch.device.health().state is LinkState.UP, "the link has to stay up")

    return bad_line


_bad_line("split", "Frames that come byte by byte are taken whole.", split=True)
_bad_line("merged", "Frames that come together are taken apart.", merge_ms=20)
_bad_line("lost", "Lost frames lose no message.", lose_percent=10)
_bad_line("damaged", "Damaged frames lose and invent nothing.", corrupt_percent=10)
_bad_line("doubled", "Doubled frames double nothing.", duplicate_percent=50)
_bad_line("late", "Late frames lose nothing.", delay_ms=15)


@check("line-garbage", "Garbage between frames costs at most the frames that it touches, and invents nothing.")
async def line_garbage(bench: Bench) -> None:
    async with up(bench) as watch:
        stimuli = Stimuli(bench, watch)
        await stimuli.prepare()
        await bench.arrange("babble", count=200, every_ms=3)
        await expect(watch, await stimuli.some(8))
        await bench.arrange("babble", count=0)
        health = watch.device.health()
        require(health.state is LinkState.UP, "the link has to stay up")
        require(health.bad_frames > 0, "garbage has to be counted")


# Commands -------------------------------------------------------------------------------------------------------------


@check("refuses-foreign", "A command of another kind of equipment is refused, each time.")
async def refuses_foreign(bench: Bench) -> None:
    async with up(bench) as watch:
        command_id = bench.new_id()
        for _ in range(2):
            await refused(watch, _foreign(bench), command_id, f"by a {bench.kind}")


@check("command-ids", "An id out of range is not sent: 1 to 2**63 - 1.")
async def command_ids(bench: Bench) -> None:
    async with up(bench) as watch:
        for command_id in (0, -1, 1 << 63):
            try:
                await watch.device.send(ShowPrompt("", (), (), False), command_id)
            except ValueError:
                continue
            raise Failed(f"the command id {command_id} has to be a ValueError")


@check(
    "acts-once",
    "Given the same id again it does not act again, and says the same result again; so after a new session.",
)
async def acts_once(bench: Bench) -> None:
    async with up(bench) as watch:
        command, end = await ready_to_act(bench, watch)
        command_id = bench.new_id()
        first = await perform_to_end(bench, watch, command, end, command_id)
        await watch.device.send(command, command_id)
        again = await answer(watch, command, command_id)
        require(again == first, f"the result was {first}, and then {again}")
    async with up(bench) as watch:
        await watch.device.send(command, command_id)
        require(await answer(watch, command, command_id) == first, "the result is another one in a new session")


@check("remembers-32", f"It remembers its last {REMEMBERED} actuations with their results.")
async def remembers_32(bench: Bench) -> None:
    async with up(bench) as watch:
        command, end = await ready_to_act(bench, watch)
        if end and not bench.emulated:
            raise NotRun(f"{REMEMBERED} acts of this device take too long")
        if end == "take_stack":
            await bench.nudge("load", cards=list(CARDS))
        ids = [bench.new_id() for _ in range(REMEMBERED)]
        first = await perform_to_end(bench, watch, command, end, ids[0])
        for command_id in ids[1:]:
            if isinstance(command, StartShuffle):
                await bench.nudge("insert" if bench.kind is Kind.SHUFFLER else "put_back", cards=["As"])
            await perform_to_end(bench, watch, command, end, command_id)
        await watch.device.send(command, ids[0])
        require(await answer(watch, command, ids[0]) == first, "the result of the 32nd last id is another one")


@check("power-cycle", "After a power cycle the same boot id means the same memory, and another one that it is gone.")
async def power_cycle(bench: Bench) -> None:
    _kept(bench)
    boots = await _over_power_cycle(bench, kept=True)
    require(not bench.emulated or boots[0] == boots[1], "the memory was kept, and the boot id is another one")


@check("memory-lost", "A device that has lost its memory has another boot id, and is not given an old command again.")
async def memory_lost(bench: Bench) -> None:
    _kept(bench)
    if not bench.emulated:
        raise NotRun("only with an emulated device: its memory is taken away")
    boots = await _over_power_cycle(bench, kept=False)
    require(boots[0] != boots[1], "the memory is gone, and the boot id is the same")


async def _over_power_cycle(bench: Bench, kept: bool) -> tuple[str, str]:
    """Act, take power away and give it back, and give the same command again; the boot ids before and after."""
    async with bench.open() as device:
        watch = Watch(device, bench.deadline_s)
        boot = (await watch.up()).boot
        first: Message | None = None
        command: Command = ShowPrompt("", (), (), False)
        command_id = bench.new_id()
        if actuation(bench.kind, Stimuli(bench, watch).able) is not None:
            command, end = await ready_to_act(bench, watch)
            first = await perform_to_end(bench, watch, command, end, command_id)
        await bench.do("Take the device's power away and give it back.", "power_cycle", kept=kept)
        after = await watch.up()
        if after.boot != boot:
            await _not_given_again(watch, command, command_id, boot)
        elif first is not None:
            await watch.device.send(command, command_id, boot=boot)
            require(
                await answer(watch, command, command_id) == first, "the result is another one after the power cycle"
            )
        return boot, after.boot


async def _not_given_again(watch: Watch, command: Command, command_id: int, boot: str) -> None:
    try:
        await watch.device.send(command, command_id, boot=boot)
    except CommandTimeout:
        return
    except CommandRefused:
        raise Failed("a command of another boot id was given to the device") from None
    raise Failed("a command of another boot id was given to the device, which may act twice")
