"""The table device link over USB, kind by kind, against its emulators on an emulated bus."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar

from tablectl.equipment import Capability, Kind
from tablectl_hil.control import Piece
from tablectl_hil.usb_backend import INTERRUPT, UsbInterface
from tablectl_hil.usb_link import usb_equipment
from tests.drivers import test_conformance as serial
from tests.drivers.conformance import Bench, DeviceConformance


class UsbConformance(DeviceConformance):
    """The suite over USB: the same devices and acts as over serial lines."""

    bench_class: ClassVar[type[serial.Emulated]]
    interface = UsbInterface()

    @asynccontextmanager
    async def bench(self, bench_folder: Path) -> AsyncIterator[Bench]:
        async with usb_equipment(
            Piece("it", self.kind, tuple(self.capabilities)), interface=self.interface
        ) as equipment:
            yield self.bench_class(equipment, self.kind)


class TestPanel(UsbConformance):
    kind = Kind.PANEL
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.CARD_KEYS, Capability.DIGITS})
    bench_class: ClassVar[type[serial.Emulated]] = serial.PanelBench


class TestPanelOnInterruptEndpoints(TestPanel):
    """Eight bytes at a time, so that every frame is in pieces."""

    interface = UsbInterface(transfer=INTERRUPT, packet=8)


class TestReadingShoe(UsbConformance):
    kind = Kind.SHOE
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.READS})
    bench_class: ClassVar[type[serial.Emulated]] = serial.ReadingShoeBench


class TestAutomatedShoe(UsbConformance):
    kind = Kind.SHOE
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.DISPENSES})
    bench_class: ClassVar[type[serial.Emulated]] = serial.AutomatedShoeBench


class TestShuffler(UsbConformance):
    kind = Kind.SHUFFLER
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.COUNTS})
    bench_class: ClassVar[type[serial.Emulated]] = serial.ShufflerBench


class TestWagerSensors(UsbConformance):
    kind = Kind.WAGER_SENSORS
    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.AMOUNTS})
    bench_class: ClassVar[type[serial.Emulated]] = serial.WagerSensorsBench


class TestCardScanner(UsbConformance):
    kind = Kind.CARD_SCANNER
    bench_class: ClassVar[type[serial.Emulated]] = serial.ScannerBench


class TestCredentialReader(UsbConformance):
    kind = Kind.CREDENTIAL_READER
    bench_class: ClassVar[type[serial.Emulated]] = serial.ReaderBench
