"""What every driver does with every device: the contract of `tablectl.devices`, checked from the daemon's side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tablectl.devices import Delivery, LinkState
from tablectl.equipment import (
    Badge,
    BatchInserted,
    Capability,
    CardLeft,
    CardPresent,
    CardScanned,
    Command,
    DeviceState,
    DispenseStack,
    DoorMoved,
    DrawNumber,
    KeyPressed,
    Kind,
    LinkLost,
    LinkUp,
    Message,
    NumberDrawn,
    OpenWagers,
    ReadDice,
    ReadHoleCard,
    SeatSensor,
    SelfTest,
    Shaken,
    ShowPrompt,
    StartShuffle,
    WagerSpot,
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

__all__ = ["Stimuli"]

CLOSE_S: Final = 1.5
IDLE_S: Final = 4.0
REMEMBERED: Final = 32
CARDS: Final = tuple(f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA")


# What makes a device of each kind say something, and act ------------------------------------------------------------


@dataclass(slots=True)
class Stimuli:
    """Makes the device of a bench say messages of which it is known what they have to be."""

    bench: Bench
    watch: Watch
    said: int = 0
    _loaded: bool = False

    @property
    def able(self) -> frozenset[Capability]:
        """What the device can do."""
        description = self.watch.device.description
        return frozenset() if description is None else frozenset(description.capabilities)

    async def prepare(self) -> None:
        """Bring the device into the state in which it can say something."""
        if self.bench.kind is Kind.SHOE and Capability.DISPENSES not in self.able and not self._loaded:
            await self.bench.do("Put at least 52 cards into the shoe.", "load", cards=list(CARDS))
            self._loaded = True
            if Capability.COUNTS in self.able:
                await self.watch.until(DeviceState)

    async def one(self) -> list[type[Message]]:
        """Make it say something once; the classes of what it has to say, in order."""
        self.said += 1
        odd = self.said % 2 == 1
        bench = self.bench
        match bench.kind:
            case Kind.PANEL:
                await bench.do("Press any key once.", "press", key=f"key_{self.said}")
                return [KeyPressed]
            case Kind.SHOE if Capability.DISPENSES not in self.able:
                await bench.do("Draw one card from the shoe.", "take_card")
                return [CardLeft]
            case Kind.SHUFFLER if {Capability.COUNTS, Capability.BATCHES} & self.able:
                await bench.do("Put one card into the shuffler.", "insert", cards=[CARDS[self.said % 52]])
                said = {Capability.COUNTS: DeviceState, Capability.BATCHES: BatchInserted}
                return [message for able, message in said.items() if able in self.able]
            case Kind.SHOE | Kind.SHUFFLER:
                await bench.do(f"{'Open' if odd else 'Close'} the door of the device.", "door", open=odd)
                return [DoorMoved, DeviceState]
            case Kind.WAGER_SENSORS:
                await bench.do("Put a chip on a spot, beside what lies there.", "put", seat=1, wager="a", amount="1.00")
                return [WagerSpot]
            case Kind.CARD_SCANNER:
                await bench.do("Show a card to the scanner.", "show", card=CARDS[self.said % 52])
                return [CardScanned]
            case Kind.CREDENTIAL_READER:
                await bench.do("Hold a badge to the reader.", "badge", number=str(4710 + self.said))
                return [Badge]
            case Kind.CARD_READER:
                if odd:
                    await bench.do("Put a card into the reader.", "insert", blackjack=False)
                else:
                    await bench.do("Take the card out of the reader.", "withdraw")
                return [CardPresent]
            case Kind.PROGRESSIVE | Kind.EXTRA_ROLL:
                words = "Put a chip on the sensor of seat 1." if odd else "Take the chip off the sensor of seat 1."
                await bench.do(words, "place" if odd else "lift", seat=1)
                return [SeatSensor]
            case Kind.SHAKER:
                await bench.do("Shake the shaker once.", "shake")
                return [Shaken]
            case Kind.RNG:
                await self.watch.device.send(DrawNumber(1, 7), bench.new_id())
                return [NumberDrawn]

    async def some(self, count: int) -> list[type[Message]]:
        """Make it say something so many times."""
        await self.prepare()
        expected: list[type[Message]] = []
        for _ in range(count):
            expected += await self.one()
        return expected


async def _expect(watch: Watch, expected: list[type[Message]]) -> list[Delivery]:
    """Take deliveries of exactly these classes, each acknowledged."""
    found = []
    for cls in expected:
        delivery = await watch.beside()
        require(isinstance(delivery.message, cls), f"expected {cls.__name__}, found {type(delivery.message).__name__}")
        delivery.acknowledge()
        found.append(delivery)
    return found


def _actuation(kind: Kind, able: frozenset[Capability]) -> tuple[Command, str] | None:
    """An actuation that this device takes, and the act by which an emulator ends it."""
    if Capability.SELF_TEST in able:
        return SelfTest(), ""
    if Capability.DISPENSES in able:
        return DispenseStack(1), "take_stack"
    if kind is Kind.SHUFFLER or Capability.RESHUFFLES in able:
        return StartShuffle(), "finish"
    simple: dict[Kind, Command] = {
        Kind.CARD_READER: ReadHoleCard(),
        Kind.PROGRESSIVE: OpenWagers(),
        Kind.EXTRA_ROLL: OpenWagers(),
        Kind.SHAKER: ReadDice(),
        Kind.RNG: DrawNumber(0, 0xFFFFFFFF),
    }
    command = simple.get(kind)
    return None if command is None else (command, "")


async def _ready_to_act(bench: Bench, watch: Watch) -> tuple[Command, str]:
    """Bring the device into the state in which it takes its actuation."""
    stimuli = Stimuli(bench, watch)
    found = _actuation(bench.kind, stimuli.able)
    if found is None:
        raise NotApplicable("the device takes no actuation")
    command = found[0]
    match command:
        case DispenseStack():
            await bench.do("Put at least 52 cards into the shoe.", "load", cards=list(CARDS))
        case StartShuffle():
            act = "insert" if bench.kind is Kind.SHUFFLER else "load"
            await bench.do("Put 52 cards into the device.", act, cards=list(CARDS))
        case ReadHoleCard():
            await bench.do("Put a card into the reader.", "insert", blackjack=True)
        case _:
            pass
    return found


async def _act(bench: Bench, watch: Watch, command: Command, end: str, command_id: int) -> Message:
    await watch.device.send(command, command_id)
    if end == "take_stack":
        await bench.do("Take the stack of cards.", "take_stack")
    elif end:
        await bench.nudge(end)
    return await answer(watch, command, command_id)


def _kept(bench: Bench) -> None:
    if not bench.keeps:
        raise NotApplicable("the device keeps no messages")


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
        await _expect(watch, expected)
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
        await _expect(watch, await stimuli.some(2))


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


@check("alive-when-idle", "Stays up without anything to say, and measures the round trip.", slow=True)
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
            await _expect(watch, await stimuli.some(8))
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
        await _expect(watch, await stimuli.some(8))
        await bench.arrange("babble", count=0)
        health = watch.device.health()
        require(health.state is LinkState.UP, "the link has to stay up")
        require(health.bad_frames > 0, "garbage has to be counted")


# Commands -------------------------------------------------------------------------------------------------------------


@check("refuses-foreign", "A command of another kind of equipment is refused, each time.")
async def refuses_foreign(bench: Bench) -> None:
    async with up(bench) as watch:
        foreign = ShowPrompt("", (), (), False) if bench.kind is not Kind.PANEL else ReadHoleCard()
        command_id = bench.new_id()
        for _ in range(2):
            await refused(watch, foreign, command_id, f"by a {bench.kind}")


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
        command, end = await _ready_to_act(bench, watch)
        command_id = bench.new_id()
        first = await _act(bench, watch, command, end, command_id)
        await watch.device.send(command, command_id)
        again = await answer(watch, command, command_id)
        require(again == first, f"the result was {first}, and then {again}")
    async with up(bench) as watch:
        await watch.device.send(command, command_id)
        require(await answer(watch, command, command_id) == first, "the result is another one in a new session")


@check("remembers-32", f"It remembers its last {REMEMBERED} actuations with their results.")
async def remembers_32(bench: Bench) -> None:
    async with up(bench) as watch:
        command, end = await _ready_to_act(bench, watch)
        if end and not bench.emulated:
            raise NotRun(f"{REMEMBERED} acts of this device take too long")
        if end == "take_stack":
            await bench.nudge("load", cards=list(CARDS))
        ids = [bench.new_id() for _ in range(REMEMBERED)]
        first = await _act(bench, watch, command, end, ids[0])
        for command_id in ids[1:]:
            if isinstance(command, StartShuffle):
                await bench.nudge("insert" if bench.kind is Kind.SHUFFLER else "put_back", cards=["As"])
            await _act(bench, watch, command, end, command_id)
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
        if _actuation(bench.kind, Stimuli(bench, watch).able) is not None:
            command, end = await _ready_to_act(bench, watch)
            first = await _act(bench, watch, command, end, command_id)
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
