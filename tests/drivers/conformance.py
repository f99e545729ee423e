"""What every driver of every kind does with every device: an abstract suite, subclassed for each kind.

A subclass says how a driver and its device are opened, and how the device is made to say something. What holds for one
kind alone is tested beside it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import ClassVar

import pytest

from tablectl.devices import Device, LinkState, Resume
from tablectl.equipment import Capability, DeviceState, Kind, LinkLost, LinkUp, Message, ShowPrompt, StartShuffle
from tablectl.errors import CommandRefused, LinkError
from tests.drivers.rig import Watch


class Bench(ABC):
    """One device on the bench, real or emulated."""

    @abstractmethod
    def open(self, resume: Resume | None = None) -> AbstractAsyncContextManager[Device]:
        """A driver for it."""

    @abstractmethod
    async def provoke(self, count: int) -> list[Message]:
        """Make it say so many messages one after the other; what they have to be."""

    @abstractmethod
    async def unplug(self) -> None:
        """Take its line away."""

    @abstractmethod
    async def replug(self) -> None:
        """Bring its line back."""


class DeviceConformance(ABC):
    """The suite; `kind` and `capabilities` are those of the device on the bench."""

    kind: ClassVar[Kind]
    capabilities: ClassVar[frozenset[Capability]] = frozenset()

    @abstractmethod
    def bench(self, bench_folder: Path) -> AbstractAsyncContextManager[Bench]:
        """Put a device on the bench."""

    @asynccontextmanager
    async def up(self, bench_folder: Path) -> AsyncIterator[tuple[Bench, Watch]]:
        """The device on the bench, up, its state taken."""
        async with self.bench(bench_folder) as bench, bench.open() as device:
            watch = Watch(device)
            await watch.up()
            yield bench, watch

    async def test_it_describes_itself_and_says_its_state(self, bench_folder: Path) -> None:
        async with self.bench(bench_folder) as bench, bench.open() as device:
            watch = Watch(device)
            first, second = await watch.next(), await watch.next()
            assert isinstance(first.message, LinkUp)
            assert first.message.description.kind is self.kind is device.kind
            assert set(first.message.description.capabilities) == self.capabilities
            assert first.number == 0
            assert isinstance(second.message, DeviceState)
            assert second.message.fault is None
            assert (second.boot, second.number) == (first.boot, 1)
            assert device.health().state is LinkState.UP

    async def test_its_messages_come_in_order_and_numbered_without_a_gap(self, bench_folder: Path) -> None:
        async with self.up(bench_folder) as (bench, watch):
            expected = await bench.provoke(20)
            deliveries = [await self._next_acknowledged(watch) for _ in expected]
            assert [message for message, _ in deliveries] == expected
            numbers = [number for _, number in deliveries]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))

    async def test_unacknowledged_messages_come_again_to_the_next_daemon(self, bench_folder: Path) -> None:
        async with self.bench(bench_folder) as bench:
            async with bench.open() as device:
                watch = Watch(device)
                await watch.up()
                expected = await bench.provoke(3)
                first = [await watch.next() for _ in expected]
            async with bench.open(resume=(first[0].boot, first[0].number)) as device:
                watch = Watch(device)
                assert isinstance((await watch.next()).message, LinkUp)
                again = [await watch.next() for _ in expected[1:]]
                assert [it.message for it in again] == expected[1:]
                assert [it.number for it in again] == [it.number for it in first[1:]]

    async def test_lost_once_and_back_with_nothing_missing(self, bench_folder: Path) -> None:
        async with self.up(bench_folder) as (bench, watch):
            await bench.unplug()
            assert isinstance((await watch.next()).message, LinkLost)
            with pytest.raises(LinkError):
                await watch.device.send(StartShuffle(), 1)
            await bench.replug()
            assert isinstance((await watch.next()).message, LinkUp)
            assert isinstance((await self._next_acknowledged(watch))[0], DeviceState)
            expected = await bench.provoke(2)
            assert [(await self._next_acknowledged(watch))[0] for _ in expected] == expected

    async def test_a_command_of_another_kind_is_refused(self, bench_folder: Path) -> None:
        async with self.up(bench_folder) as (_, watch):
            foreign = StartShuffle() if self.kind is not Kind.SHUFFLER else ShowPrompt("", (), (), False)
            for _ in range(2):
                with pytest.raises(CommandRefused, match=watch.device.id):
                    await watch.device.send(foreign, 1)

    async def _next_acknowledged(self, watch: Watch) -> tuple[Message, int]:
        delivery = await watch.next()
        delivery.acknowledge()
        return delivery.message, delivery.number
