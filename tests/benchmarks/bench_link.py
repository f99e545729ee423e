"""What the table device link costs: decoding against a bare COBS and CRC loop, and a key press against a bare pty.

Run it by itself, or with `make bench`. Ratios count; the rates depend on the machine.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import time
import tty
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

from tablectl.cards import FaceDown, deck
from tablectl.equipment import CardLeft, KeyPressed, Kind
from tablectl_drivers.link import frames
from tablectl_drivers.link.driver import LinkDriver
from tablectl_drivers.link.frames import Describe, Event
from tablectl_drivers.link.framing import Decoder
from tablectl_drivers.link.host import Arrived, HostSession
from tablectl_drivers.link.payloads import MESSAGES
from tablectl_hil.control import Piece, emulators

FRAMES = 20_000
CHUNK = 64
ROUNDS = 5
PRESSES = 300


def stream() -> tuple[bytes, bytes]:
    """The greeting of a device and its events, one for each card of a shoe that never ends."""
    cards = [MESSAGES.encode(CardLeft(n, FaceDown(card), False)) for n, card in enumerate(deck(), 1)]
    hello = frames.encode(SESSION, Describe(1, 1, 1, Kind.SHOE, "Shoe", "1", "1", ()))
    return hello, b"".join(frames.encode(SESSION, Event(n + 1, 0, cards[n % 52])) for n in range(FRAMES))


def bare(data: bytes) -> int:
    """The least that can be done: cut at the delimiters, undo COBS, check the CRC."""
    whole = 0
    for coded in data.split(b"\0"):
        if not coded:
            continue
        body = bytearray()
        at = 0
        while at < len(coded):
            after = at + coded[at]
            body += coded[at + 1 : after]
            if coded[at] != 255 and after < len(coded):
                body.append(0)
            at = after
        whole += crc32(body[:-4]) == int.from_bytes(body[-4:], "little")
    return whole


def decoder(data: bytes) -> int:
    """The decoder, as bytes come from a serial line: in pieces."""
    it = Decoder()
    return sum(len(it.feed(data[at : at + CHUNK], 0.0)) for at in range(0, len(data), CHUNK))


def session(data: bytes) -> int:
    """The host's whole session: frames, order, duplicates, messages, acknowledgements."""
    host = HostSession(lambda device: None, chance=random.Random(0))
    host.open(0.0)
    host._session = SESSION
    host.receive(HELLO, 0.0)
    arrived = 0
    for at in range(0, len(data), CHUNK):
        for happening in host.receive(data[at : at + CHUNK], 0.0):
            if isinstance(happening, Arrived):
                arrived += 1
                host.acknowledge(happening.boot, happening.number, 0.0)
        host.outgoing(0.0)
    return arrived


async def bare_pty() -> list[float]:
    """Microseconds from a byte written to a pty to the callback that reads it, in one process."""
    master, slave = os.openpty()
    tty.setraw(slave)
    loop = asyncio.get_running_loop()
    times = []
    arrived = asyncio.Event()

    def read() -> None:
        os.read(slave, 64)
        arrived.set()

    loop.add_reader(slave, read)
    for _ in range(PRESSES):
        begun = time.perf_counter()
        os.write(master, b"x")
        await arrived.wait()
        arrived.clear()
        times.append((time.perf_counter() - begun) * 1e6)
    loop.remove_reader(slave)
    os.close(master)
    os.close(slave)
    return times


async def pressed() -> tuple[list[float], list[float]]:
    """Microseconds from the order to press a key, over the control socket and the link, to its delivery here.

    Beside it the same way without the link: the control socket alone, there and back.
    """
    times, control = [], []
    with tempfile.TemporaryDirectory() as folder:
        panel = LinkDriver("panel", Kind.PANEL, f"serial:{folder}/panel", {})
        async with emulators(Path(folder), [Piece("panel", Kind.PANEL)]) as (equipment, _), panel:
            events = panel.events()
            for _ in range(2):
                (await anext(events)).acknowledge()
            for _ in range(PRESSES):
                begun = time.perf_counter()
                await equipment.act("panel", "status")
                control.append((time.perf_counter() - begun) * 1e6)
                begun = time.perf_counter()
                pressing = asyncio.create_task(equipment.press("panel", "bet"))
                delivery = await anext(events)
                times.append((time.perf_counter() - begun) * 1e6)
                assert delivery.message == KeyPressed("bet")
                delivery.acknowledge()
                await pressing
    return times, control


def main() -> None:
    """Print the table."""
    ways: dict[str, Callable[[bytes], int]] = {
        "bare COBS and CRC loop": bare,
        f"Decoder, {CHUNK} bytes at a time": decoder,
        "HostSession, acknowledging each": session,
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            begun = time.perf_counter()
            assert way(DATA) == FRAMES
            found[name].append(FRAMES / (time.perf_counter() - begun))
    base = statistics.median(found["bare COBS and CRC loop"])
    for name, rates in found.items():
        rate = statistics.median(rates)
        megabytes = rate * len(DATA) / FRAMES / 1e6
        print(f"{name:34} {rate:9.0f} frames/s {megabytes:7.2f} MB/s   {rate / base:5.2f} of bare")
    plain = statistics.median(asyncio.run(bare_pty()))
    times, control = asyncio.run(pressed())
    key, socket = statistics.median(times), statistics.median(control)
    print(f"{'byte over a bare pty':34} {plain:9.0f} us")
    print(f"{'control socket, there and back':34} {socket:9.0f} us")
    print(f"{'key press to delivery':34} {key:9.0f} us   {key / (plain + socket):5.2f} of both together")


SESSION = 7
HELLO, DATA = stream()


def test_rates() -> None:
    main()


if __name__ == "__main__":
    main()
