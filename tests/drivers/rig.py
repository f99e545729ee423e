"""A driver with its emulated device: deliveries taken one by one, everything with a deadline."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from tablectl.devices import Delivery, Device, Resume
from tablectl.devices.registry import load
from tablectl.equipment import Kind, LinkUp, Message
from tablectl_hil.control import Equipment, Piece, connect

T = TypeVar("T")
DEADLINE_S = 10.0
QUICK = {"retry_ms": 20, "retry_max_ms": 50}


@pytest.fixture(scope="session")
def bench_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of one process of emulators that runs as long as the tests."""
    folder = tmp_path_factory.mktemp("bench")
    command = [sys.executable, "-m", "tablectl_hil.emulators", str(folder), "--until-eof"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), "the emulators did not start"
        yield folder
        process.communicate(timeout=DEADLINE_S)


@asynccontextmanager
async def emulated(folder: Path, *pieces: Piece) -> AsyncIterator[Equipment]:
    """Fresh devices in the process that serves `folder`, for as long as the block runs."""
    async with connect(folder) as equipment:
        for piece in pieces:
            await equipment.add(piece)
        try:
            yield equipment
        finally:
            for piece in pieces:
                await equipment.remove(piece.id)


class Watch:
    """One opened device and the stream of what it says."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._events = device.events()

    async def next(self) -> Delivery:
        """The next delivery, not acknowledged."""
        async with asyncio.timeout(DEADLINE_S):
            return await anext(self._events)

    async def take(self, count: int) -> list[Message]:
        """The next messages, each acknowledged."""
        messages = []
        for _ in range(count):
            delivery = await self.next()
            delivery.acknowledge()
            messages.append(delivery.message)
        return messages

    async def until(self, kind: type[T]) -> T:
        """The next message of that class; those before it are taken too."""
        while True:
            (message,) = await self.take(1)
            if isinstance(message, kind):
                return message

    async def up(self) -> Delivery:
        """Take what comes up to and with the state that follows the next `LinkUp`; the delivery of that `LinkUp`."""
        while True:
            delivery = await self.next()
            delivery.acknowledge()
            if isinstance(delivery.message, LinkUp):
                (await self.next()).acknowledge()
                return delivery


@asynccontextmanager
async def opened(
    equipment: Equipment,
    id: str,
    kind: Kind,
    *,
    resume: Resume | None = None,
    **options: str | int,
) -> AsyncIterator[Watch]:
    """The driver for an emulated device, trying again quickly."""
    driver = load("table-device-link")
    async with driver(id, kind, equipment.port(id), {**QUICK, **options}, resume=resume) as device:
        yield Watch(device)


async def seen(equipment: Equipment, condition: Callable[[], bool]) -> None:
    """Wait until something can be seen on the emulated equipment."""
    async with asyncio.timeout(DEADLINE_S):
        while not condition():
            await equipment.changed()


async def unacknowledged(equipment: Equipment, device: str, count: int) -> None:
    """Wait until the device keeps exactly so many events."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            status = await equipment.act(device, "status")
            if status["unacknowledged"] == count:
                return
            await asyncio.sleep(0.005)
