"""What ten devices on one table cost while nothing happens, and how long an event takes over each transport.

Run it by itself, or with `make bench`. The share of a core has a limit, 5 %; of the latencies the ratios count: each is
the way from the order to press a key to its delivery by the driver, beside the same order without the link.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

from tablectl.devices import Delivery
from tablectl.equipment import Capability, Kind, LinkUp
from tablectl_drivers.link.driver import LinkDriver
from tablectl_hil.control import Equipment, Piece, emulators
from tablectl_hil.usb_link import usb_equipment

IDLE_S = 20.0
MOST_PERCENT = 5.0
PRESSES = 300
TABLE = (
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
PANEL = TABLE[0]

Place = Callable[[], AbstractAsyncContextManager[Equipment]]


@asynccontextmanager
async def on_serial_lines() -> AsyncIterator[Equipment]:
    """A panel on a pty, emulated in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with emulators(Path(folder), [PANEL]) as (equipment, _):
            yield equipment


@asynccontextmanager
async def on_usb() -> AsyncIterator[Equipment]:
    """A panel on the emulated bus, in this process: libusb and the kernel are not in it."""
    async with usb_equipment(PANEL) as equipment:
        yield equipment


TRANSPORTS: dict[str, Place] = {
    "serial (pty, other process)": on_serial_lines,
    "USB (emulated bus, this process)": on_usb,
}


async def idle() -> float:
    """The share of a core, in percent, that ten devices take of the process of the daemon while nothing happens."""
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            equipment, _ = await stack.enter_async_context(emulators(Path(folder), TABLE))
            async with asyncio.TaskGroup() as tasks:
                watched = []
                for piece in TABLE:
                    device = await stack.enter_async_context(
                        LinkDriver(piece.id, piece.kind, equipment.port(piece.id), {})
                    )
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


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await work()
    return (time.perf_counter() - begun) * 1e6


async def latency(place: Place) -> tuple[list[float], list[float]]:
    """Microseconds from the order to press a key to its delivery, and of an order that says nothing over the link."""
    pressed, bare = [], []
    async with place() as equipment, LinkDriver("panel", Kind.PANEL, equipment.port("panel"), {}) as panel:
        events = panel.events()
        for _ in range(2):
            (await anext(events)).acknowledge()

        async def press() -> None:
            pressing = asyncio.create_task(equipment.press("panel", "bet"))
            (await anext(events)).acknowledge()
            await pressing

        for _ in range(PRESSES):
            bare.append(await _timed(lambda: equipment.act("panel", "status")))
            pressed.append(await _timed(press))
    return pressed, bare


def main() -> float:
    """Print what was measured; the share of a core while idle."""
    share = asyncio.run(idle())
    print(f"{'ten devices, idle':36} {share:8.2f} % of a core (at most {MOST_PERCENT:g})")
    for name, place in TRANSPORTS.items():
        pressed, bare = asyncio.run(latency(place))
        middle, control = statistics.median(pressed), statistics.median(bare)
        worst = sorted(pressed)[int(len(pressed) * 0.99)]
        print(
            f"{name:36} {middle:8.0f} us, 99 of 100 within {worst:.0f} us;"
            f" {middle / control:.2f} of the order alone ({control:.0f} us)"
        )
    return share


def test_devices() -> None:
    assert main() < MOST_PERCENT


if __name__ == "__main__":
    main()
