"""The suite that every driver passes, over OSDP with a secure channel and without."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from tablectl.devices import Device, Options, Resume
from tablectl.equipment import Badge, DeviceState, Kind, LinkUp, Message
from tablectl_hil.control import Equipment
from tests.drivers.conformance import Bench, DeviceConformance
from tests.drivers.osdp.rig import badges, driver, table
from tests.drivers.rig import Watch


class ReaderBench(Bench):
    """The emulated reader on its line."""

    def __init__(self, equipment: Equipment, options: Options) -> None:
        self.equipment = equipment
        self.options = options

    def open(self, resume: Resume | None = None) -> AbstractAsyncContextManager[Device]:
        return driver(self.equipment.directory, self.options, resume=resume)

    async def provoke(self, count: int) -> list[Message]:
        await badges(self.equipment, *range(4711, 4711 + count))
        return [Badge(str(number)) for number in range(4711, 4711 + count)]

    async def unplug(self) -> None:
        await self.equipment.act("line", "unplug")

    async def replug(self) -> None:
        await self.equipment.act("line", "replug")


class TestSecured(DeviceConformance):
    kind = Kind.CREDENTIAL_READER

    @asynccontextmanager
    async def bench(self, bench_folder: Path) -> AsyncIterator[Bench]:
        async with table(bench_folder) as equipment:
            yield ReaderBench(equipment, {})

    async def test_unacknowledged_messages_come_again_to_the_next_daemon(self, bench_folder: Path) -> None:
        """What OSDP cannot do: a reader keeps no message that it has handed over, and the next daemon begins anew."""
        async with self.bench(bench_folder) as bench:
            async with bench.open() as device:
                watch = Watch(device)
                before = await watch.up()
                for expected in await bench.provoke(3):
                    assert (await watch.next()).message == expected
            async with bench.open(resume=(before.boot, 2)) as device:
                watch = Watch(device)
                first, second = await watch.next(), await watch.next()
                assert isinstance(first.message, LinkUp)
                assert isinstance(second.message, DeviceState)
                assert (second.boot, second.number) == (first.boot, 1)
                assert first.boot != before.boot
                (expected,) = await bench.provoke(1)
                third = await watch.next()
                assert (third.message, third.number) == (expected, 2)


class TestUnsecured(TestSecured):
    @asynccontextmanager
    async def bench(self, bench_folder: Path) -> AsyncIterator[Bench]:
        async with table(bench_folder, "-") as equipment:
            yield ReaderBench(equipment, {"key_file": "", "secure_channel": False})
