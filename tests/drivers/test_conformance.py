"""The table device link, kind by kind, against its emulators."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import ClassVar

from tablectl.cards import FaceDown, card
from tablectl.devices import Device, Resume
from tablectl.equipment import (
    Badge,
    Capability,
    CardLeft,
    CardScanned,
    CardUnreadable,
    DeviceState,
    KeyPressed,
    Kind,
    Lamp,
    Message,
    Mode,
    WagerSpot,
)
from tablectl.money import dollars
from tablectl_drivers.link.driver import LinkDriver
from tablectl_hil.control import Equipment, Piece
from tests.drivers.conformance import Bench, DeviceConformance
from tests.drivers.rig import QUICK, emulated

NAMES = ("As", "Kd", "2c", "Th")


class Emulated(Bench):
    """An emulated device on the bench."""

    def __init__(self, equipment: Equipment, kind: Kind) -> None:
        self.equipment = equipment
        self.kind = kind

    def open(self, resume: Resume | None = None) -> AbstractAsyncContextManager[Device]:
        return LinkDriver("it", self.kind, self.equipment.port("it"), QUICK, resume=resume)

    async def unplug(self) -> None:
        await self.equipment.unplug("it")

    async def replug(self) -> None:
        await self.equipment.replug("it")


class PanelBench(Emulated):
    async def provoke(self, count: int) -> list[Message]:
        for number in range(count):
            assert await self.equipment.press("it", f"key_{number}")
        return [KeyPressed(f"key_{number}") for number in range(count)]


class ShoeBench(Emulated):
    reads = False
    taken = 0

    async def provoke(self, count: int) -> list[Message]:
        if not self.taken:
            await self.equipment.load("it", NAMES * 10)
        expected: list[Message] = []
        for _ in range(count):
            name = await self.equipment.take_card("it")
            self.taken += 1
            expected.append(CardLeft(self.taken, FaceDown(card(name) if self.reads else None), False))
        return expected


class ReadingShoeBench(ShoeBench):
    reads = True


class AutomatedShoeBench(Emulated):
    async def provoke(self, count: int) -> list[Message]:
        for number in range(count):
            await self.equipment.load("it", NAMES * (number + 1))
        return [
            DeviceState(Mode.READY, Lamp.GREEN, False, len(NAMES) * (number + 1), False, None)
            for number in range(count)
        ]


class ShufflerBench(Emulated):
    inside = 0

    async def provoke(self, count: int) -> list[Message]:
        expected: list[Message] = []
        for _ in range(count):
            await self.equipment.insert("it", ["As"])
            self.inside += 1
            expected.append(DeviceState(Mode.READY, Lamp.GREEN, False, self.inside, False, None))
        return expected


class WagerSensorsBench(Emulated):
    amounts = True
    lying = 0

    async def provoke(self, count: int) -> list[Message]:
        expected: list[Message] = []
        for _ in range(count):
            await self.equipment.put("it", 3, "ante", "10.00")
            self.lying += 1
            amount = dollars(f"{10 * self.lying}.00") if self.amounts else None
            expected.append(WagerSpot(3, "ante", True, amount))
        return expected


class PresenceBench(WagerSensorsBench):
    amounts = False


class ScannerBench(Emulated):
    async def provoke(self, count: int) -> list[Message]:
        expected: list[Message] = []
        for number in range(count):
            if number % 5 == 4:
                await self.equipment.act("it", "show_unreadable")
                expected.append(CardUnreadable())
            else:
                await self.equipment.show("it", NAMES[number % 4])
                expected.append(CardScanned(card(NAMES[number % 4])))
        return expected


class ReaderBench(Emulated):
    async def provoke(self, count: int) -> list[Message]:
        for number in range(count):
            await self.equipment.badge("it", f"{4711 + number}")
        return [Badge(f"{4711 + number}") for number in range(count)]


class LinkConformance(DeviceConformance):
    """The suite over the table device link."""

    bench_class: ClassVar[type[Emulated]]

    @asynccontextmanager
    async def bench(self, bench_folder: Path) -> AsyncIterator[Bench]:
        async with emulated(bench_folder, Piece("it", self.kind, tuple(self.capabilities))) as equipment:
            yield self.bench_class(equipment, self.kind)


class TestPanel(LinkConformance):
    kind = Kind.PANEL
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.CARD_KEYS, Capability.DIGITS})
    bench_class: ClassVar[type[Emulated]] = PanelBench


class TestPlainShoe(LinkConformance):
    kind = Kind.SHOE
    bench_class: ClassVar[type[Emulated]] = ShoeBench


class TestReadingShoe(LinkConformance):
    kind = Kind.SHOE
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.READS})
    bench_class: ClassVar[type[Emulated]] = ReadingShoeBench


class TestAutomatedShoe(LinkConformance):
    kind = Kind.SHOE
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.DISPENSES})
    bench_class: ClassVar[type[Emulated]] = AutomatedShoeBench


class TestShuffler(LinkConformance):
    kind = Kind.SHUFFLER
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.COUNTS})
    bench_class: ClassVar[type[Emulated]] = ShufflerBench


class TestWagerSensors(LinkConformance):
    kind = Kind.WAGER_SENSORS
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.AMOUNTS})
    bench_class: ClassVar[type[Emulated]] = WagerSensorsBench


class TestPresenceSensors(LinkConformance):
    kind = Kind.WAGER_SENSORS
    bench_class: ClassVar[type[Emulated]] = PresenceBench


class TestCardScanner(LinkConformance):
    kind = Kind.CARD_SCANNER
    bench_class: ClassVar[type[Emulated]] = ScannerBench


class TestCredentialReader(LinkConformance):
    kind = Kind.CREDENTIAL_READER
    bench_class: ClassVar[type[Emulated]] = ReaderBench
