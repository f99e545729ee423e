"""What makes a device of each kind say something, and act: so that it is known what it has to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from tablectl.cards import card
from tablectl.devices import Delivery
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
    Message,
    NumberDrawn,
    OpenWagers,
    ReadDice,
    ReadHoleCard,
    SeatSensor,
    SelfTest,
    Shaken,
    StartShuffle,
    WagerSpot,
)
from tablectl_hil.conformance import Bench, NotApplicable, Watch, answer, require

__all__ = ["CARDS", "Expected", "Stimuli", "actuation", "expect", "perform_to_end", "ready_to_act"]

Expected: TypeAlias = Message | type[Message]
"""A message that has to come, or its class alone where a real device may fill it in as it likes."""

CARDS: Final = tuple(f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA")


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

    async def one(self) -> list[Expected]:
        """Make it say something once; what it has to say, in order."""
        self.said += 1
        odd = self.said % 2 == 1
        bench = self.bench
        match bench.kind:
            case Kind.PANEL:
                await bench.do("Press any key once.", "press", key=f"key_{self.said}")
                return [KeyPressed(f"key_{self.said}") if bench.emulated else KeyPressed]
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
                shown = CARDS[self.said % 52]
                await bench.do("Show a card to the scanner.", "show", card=shown)
                return [CardScanned(card(shown)) if bench.emulated else CardScanned]
            case Kind.CREDENTIAL_READER:
                number = str(4710 + self.said)
                number = await bench.do("Hold a badge to the reader.", "badge", number=number) or number
                return [Badge(number) if bench.emulated else Badge]
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

    async def some(self, count: int) -> list[Expected]:
        """Make it say something so many times."""
        await self.prepare()
        expected: list[Expected] = []
        for _ in range(count):
            expected += await self.one()
        return expected


async def expect(watch: Watch, expected: list[Expected]) -> list[Delivery]:
    """Take deliveries of exactly these messages, each acknowledged."""
    found = []
    for one in expected:
        delivery = await watch.beside()
        as_expected = isinstance(delivery.message, one) if isinstance(one, type) else delivery.message == one
        wanted = one.__name__ if isinstance(one, type) else one
        require(as_expected, f"expected {wanted}, found", delivery.message)
        delivery.acknowledge()
        found.append(delivery)
    return found


def actuation(kind: Kind, able: frozenset[Capability]) -> tuple[Command, str] | None:
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


async def ready_to_act(bench: Bench, watch: Watch) -> tuple[Command, str]:
    """Bring the device into the state in which it takes its actuation."""
    stimuli = Stimuli(bench, watch)
    found = actuation(bench.kind, stimuli.able)
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


async def perform_to_end(bench: Bench, watch: Watch, command: Command, end: str, command_id: int) -> Message:
    """Give the actuation, and end it by the act `end` that goes with it; its answer."""
    await watch.device.send(command, command_id)
    if end == "take_stack":
        await bench.do("Take the stack of cards.", "take_stack")
    elif end:
        await bench.nudge(end)
    return await answer(watch, command, command_id)
