"""What ten devices on one table cost while nothing happens, and how long an event takes over each transport.

Run it by itself, or with `make bench`. The share of a core should be at most 5 %; of the latencies the ratios count:
each is the way from what a hand does to its delivery by the driver, beside the least that the transport itself takes.
What is emulated in this process, and on its loop, is in it; the kernel's USB and input layers are not.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import threading
import time
import tty
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from tablectl.devices import Delivery, Device, Options
from tablectl.devices.registry import load
from tablectl.equipment import Capability, Kind, LinkUp
from tablectl_drivers.link.driver import LinkDriver
from tablectl_hil.conform_device import InProcess
from tablectl_hil.conform_emulated import Over, emulated
from tablectl_hil.conform_panels import Contacts
from tablectl_hil.control import Piece, emulators

IDLE_S: Final = 20.0
MOST_PERCENT: Final = 5.0
EVENTS: Final = 300
POLLS: Final = 60
POLL_S: Final = 0.2
TABLE: Final = (
    Piece("panel", Kind.PANEL, (Capability.CARD_KEYS, Capability.DIGITS, Capability.TEXT)),
    Piece("shoe", Kind.SHOE, (Capability.READS,)),
    Piece("shuffler", Kind.SHUFFLER, (Capability.COUNTS, Capability.IDENTIFIES)),
    Piece("wagers", Kind.WAGER_SENSORS, (Capability.AMOUNTS,)),
    Piece("scanner", Kind.CARD_SCANNER),
    Piece("badges", Kind.CREDENTIAL_READER),
    Piece("reader", Kind.CARD_READER),
    Piece("progressive", Kind.PROGRESSIVE, (Capability.METER,)),
    Piece("shaker", Kind.SHAKER, (Capability.THREE_DICE,)),
    Piece("rng", Kind.RNG, (Capability.SELF_TEST,)),
)
PANEL: Final = Piece("panel", Kind.PANEL)
READER: Final = Piece("badges", Kind.CREDENTIAL_READER)
AT_ONCE: Final[Options] = {"press_ms": 0, "release_ms": 0}
OTHERS: Final[tuple[tuple[str, Piece, Options], ...]] = (
    ("xkeys", PANEL, {}),
    ("osdp", READER, {"poll_ms": 200}),
    ("linux-input", Piece("second", Kind.CREDENTIAL_READER), {}),
)

Work = Callable[[], Awaitable[object]]
Move = Callable[[], Coroutine[None, None, None]]


# Idle -----------------------------------------------------------------------------------------------------------------


async def idle(mixed: bool) -> float:
    """The share of a core, in percent, that ten devices take of the process of the daemon while nothing happens.

    `mixed`: three of them are on USB, RS-485 and a Linux input device, and emulated in this process.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            served = TABLE[len(OTHERS) :] if mixed else TABLE
            equipment, _ = await stack.enter_async_context(emulators(Path(folder), served))
            devices: list[Device] = [LinkDriver(it.id, it.kind, equipment.port(it.id), {}) for it in served]
            for name, piece, options in OTHERS if mixed else ():
                kit = await stack.enter_async_context(emulated(load(name), piece, options))
                await kit.equipment.add(piece)
                stack.push_async_callback(kit.equipment.remove, piece.id)
                devices.append(load(name)(piece.id, piece.kind, kit.port, kit.options))
            assert len(devices) == len(TABLE)
            async with asyncio.TaskGroup() as tasks:
                watched = []
                for device in devices:
                    await stack.enter_async_context(device)
                    up = asyncio.Event()
                    watched.append(tasks.create_task(_listen(device.events(), up)))
                    await up.wait()
                await asyncio.sleep(1)
                begun, used = time.perf_counter(), time.process_time()
                await asyncio.sleep(IDLE_S)
                share = (time.process_time() - used) / (time.perf_counter() - begun) * 100
                for task in watched:
                    task.cancel()
    return share


async def _listen(events: AsyncIterator[Delivery], up: asyncio.Event) -> None:
    async for delivery in events:
        delivery.acknowledge()
        if isinstance(delivery.message, LinkUp):
            up.set()


# The least that a transport takes -------------------------------------------------------------------------------------


async def _timed(work: Work) -> float:
    begun = time.perf_counter()
    await work()
    return (time.perf_counter() - begun) * 1e6


async def _read_back(reads: int, writes: int) -> list[float]:
    """Microseconds from a byte that is written to the callback that reads it, in one process."""
    loop, arrived = asyncio.get_running_loop(), asyncio.Event()

    def read() -> None:
        os.read(reads, 64)
        arrived.set()

    async def there() -> None:
        arrived.clear()
        os.write(writes, b"x")
        await arrived.wait()

    loop.add_reader(reads, read)
    times = [await _timed(there) for _ in range(EVENTS)]
    loop.remove_reader(reads)
    os.close(reads)
    os.close(writes)
    return times


async def bare_pty() -> list[float]:
    """A byte over a pty."""
    master, slave = os.openpty()
    tty.setraw(slave)
    return await _read_back(slave, master)


async def bare_pipe() -> list[float]:
    """A byte over a pipe."""
    reads, writes = os.pipe()
    return await _read_back(reads, writes)


async def bare_thread() -> list[float]:
    """A thread that is woken, and calls back."""
    loop, arrived, wanted = asyncio.get_running_loop(), asyncio.Event(), threading.Semaphore(0)

    def serve() -> None:
        for _ in range(EVENTS):
            wanted.acquire()
            loop.call_soon_threadsafe(arrived.set)

    async def there() -> None:
        arrived.clear()
        wanted.release()
        await arrived.wait()

    thread = threading.Thread(target=serve)
    thread.start()
    times = [await _timed(there) for _ in range(EVENTS)]
    thread.join()
    return times


async def half_a_poll() -> list[float]:
    """What an event waits for on average, as the reader says nothing by itself."""
    return [POLL_S / 2 * 1e6]


# Events ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Transport:
    """A driver with its emulated device, `bare` the least that the way takes, and what that is."""

    driver: str
    piece: Piece
    bare: Callable[[], Awaitable[list[float]]]
    what: str
    over: Over | None = None
    polled: bool = False


TRANSPORTS: Final = {
    "link, serial (pty)": Transport("table-device-link", PANEL, bare_pty, "a byte over a pty", Over.SERIAL),
    "link, USB": Transport("table-device-link", PANEL, bare_thread, "a thread that calls back", Over.BULK),
    "OSDP, polled every 200 ms": Transport("osdp", READER, half_a_poll, "half a poll", polled=True),
    "X-keys": Transport("xkeys", PANEL, bare_thread, "a thread that calls back"),
    "HID box": Transport("hid-buttons", PANEL, bare_thread, "a thread that calls back"),
    "Linux input": Transport("linux-input", PANEL, bare_pipe, "a byte over a pipe"),
}


@asynccontextmanager
async def opened(it: Transport) -> AsyncIterator[tuple[AsyncIterator[Delivery], Move]]:
    """What the driver delivers, and what makes the device say one thing more."""
    driver = load(it.driver)
    chosen = {"poll_ms": int(POLL_S * 1000)} if it.polled else {} if it.over else AT_ONCE
    async with emulated(driver, it.piece, chosen, it.over) as kit:
        await kit.equipment.add(it.piece)
        equipment, id = kit.equipment, it.piece.id
        async with driver(id, it.piece.kind, equipment.port(id), kit.options) as device:
            events = device.events()
            for _ in range(2):
                (await anext(events)).acknowledge()
            down = False

            async def move() -> None:
                nonlocal down
                down = not down
                if isinstance(equipment, InProcess) and isinstance(equipment.device, Contacts):
                    equipment.device.contact("bet", down)
                elif it.polled:
                    await equipment.act(id, "badge", number="4711")
                else:
                    await equipment.act(id, "press", key="bet")

            yield events, move
        await equipment.remove(id)


async def latency(it: Transport) -> list[float]:
    """Microseconds from what a hand does to its delivery, each acknowledged."""
    chance = random.Random(1)
    times = []
    async with opened(it) as (events, move):

        async def one() -> None:
            moving = asyncio.create_task(move())
            (await anext(events)).acknowledge()
            await moving

        for _ in range(POLLS if it.polled else EVENTS):
            if it.polled:
                await asyncio.sleep(chance.random() * POLL_S)  # a badge comes at any time
            times.append(await _timed(one))
    return times


def main() -> None:
    """Print what was measured."""
    for name, mixed in (("ten devices on serial lines, idle", False), ("the same with three others among them", True)):
        share = asyncio.run(idle(mixed))
        print(f"{name:40} {share:8.2f} % of a core ({share / MOST_PERCENT:.2f} of what it may be)")
    for name, transport in TRANSPORTS.items():
        times, bare = asyncio.run(latency(transport)), asyncio.run(_await(transport.bare))
        middle, least = statistics.median(times), statistics.median(bare)
        worst = sorted(times)[int(len(times) * 0.99)]
        print(
            f"{name:40} {middle:8.0f} us, 99 of 100 within {worst:.0f} us;"
            f" {middle / least:.2f} of {transport.what} ({least:.0f} us)"
        )


async def _await(work: Callable[[], Awaitable[list[float]]]) -> list[float]:
    return await work()


def test_devices() -> None:
    with structlog.testing.capture_logs():
        main()


if __name__ == "__main__":
    test_devices()
