"""A byte to the broker's acknowledgement: journal and publisher against the bare minimum, in turns in one run.

Run it as ``python -m tests.benchmarks.bench_publish``, or with ``make bench``. *Bare* reads a byte, commits one row
with SQLite (WAL, synchronous=FULL), sends one QoS 1 publish and reads its acknowledgement: once with blocking calls in
one thread, once with the same calls waiting in an event loop. *Ours* is the same byte through the event loop,
`Journal.append` and `Publisher`. Compare the ratios only; the times depend on the disk.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import statistics
import struct
import tempfile
import time
from pathlib import Path

from tablectl.cards import seat
from tablectl.events import CardDealt
from tablectl.journal import Entry, Journal, RowKind
from tablectl.records import encode
from tablectl.surveillance.broker import BrokerSettings
from tablectl.surveillance.outbox import Place
from tablectl.surveillance.publisher import Publisher
from tests.support import Broker

ROUNDS = 1500
WARM_UP = 100
PAYLOAD = 330


class Bare:
    """The least that any implementation has to do."""

    def __init__(self, folder: Path, port: int) -> None:
        self.read_end, self.write_end = os.pipe()
        self.database = sqlite3.connect(folder / "bare.db", isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE row (seq INTEGER PRIMARY KEY, body TEXT)",
        ):
            self.database.execute(statement)
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = b"bare"
        variable = b"\x00\x04MQTT\x04\x02\x00\x00" + struct.pack(">H", len(name)) + name
        self.socket.sendall(bytes([0x10, len(variable)]) + variable)
        assert self.socket.recv(4) == b"\x20\x02\x00\x00"
        self.packet = 0

    def once(self) -> float:
        began = time.perf_counter()
        os.write(self.write_end, b"x")
        os.read(self.read_end, 1)
        self._commit_and_send()
        self._acknowledged()
        return time.perf_counter() - began

    async def once_in_loop(self) -> float:
        began = time.perf_counter()
        os.write(self.write_end, b"x")
        await readable(self.read_end)
        os.read(self.read_end, 1)
        self._commit_and_send()
        await readable(self.socket.fileno())
        self._acknowledged()
        return time.perf_counter() - began

    def _commit_and_send(self) -> None:
        self.database.execute("BEGIN IMMEDIATE")
        self.database.execute("INSERT INTO row (body) VALUES (?)", ("x" * 120,))
        self.database.execute("COMMIT")
        self.packet = self.packet % 65_535 + 1
        topic = b"bench/site/pit/bare/event/round/card"
        body = struct.pack(">H", len(topic)) + topic + struct.pack(">H", self.packet) + b"x" * PAYLOAD
        size = len(body)
        self.socket.sendall(bytes([0x32, size & 0x7F | 0x80, size >> 7]) + body)

    def _acknowledged(self) -> None:
        assert self.socket.recv(4) == b"\x40\x02" + struct.pack(">H", self.packet)

    def close(self) -> None:
        self.socket.close()
        self.database.close()
        os.close(self.read_end)
        os.close(self.write_end)


class Ours:
    """The same through the journal and the publisher."""

    def __init__(self, journal: Journal, publisher: Publisher) -> None:
        self.read_end, self.write_end = os.pipe()
        self.journal = journal
        self.publisher = publisher
        self.sequence = 0
        self.committed = 0.0
        self.pressed = asyncio.Event()
        asyncio.get_running_loop().add_reader(self.read_end, self._readable)

    def _readable(self) -> None:
        os.read(self.read_end, 1)
        self.pressed.set()

    async def once(self) -> float:
        began = time.perf_counter()
        os.write(self.write_end, b"x")
        await self.pressed.wait()
        self.pressed.clear()
        self.sequence += 1
        event = CardDealt(self.sequence, seat(1), None)
        body = encode({"sequence": self.sequence, "event": event}, [])
        (seq,) = await self.journal.append([Entry(RowKind.EVENT, body)])
        self.committed = time.perf_counter() - began
        await self.publisher.wait_acknowledged(seq)
        return time.perf_counter() - began

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.read_end)
        os.close(self.read_end)
        os.close(self.write_end)


async def readable(fd: int) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(fd, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(fd)


def line(name: str, times: list[float]) -> str:
    middle, late = statistics.median(times) * 1e3, statistics.quantiles(times, n=20)[-1] * 1e3
    return f"{name:<24} p50 {middle:6.2f} ms   p95 {late:6.2f} ms"


async def measure(folder: Path, port: int) -> None:
    journal = await asyncio.to_thread(Journal.open, folder / "table.db", boot="bench")
    place = Place("bench", "site", "pit", "ours")
    publisher = Publisher(journal, place, BrokerSettings(host="127.0.0.1", port=port), boot="bench")
    running = asyncio.create_task(publisher.run())
    bare, ours = Bare(folder, port), Ours(journal, publisher)
    times: dict[str, list[float]] = {"bare, blocking": [], "bare, in a loop": [], "ours, to the commit": [], "ours": []}
    for number in range(-WARM_UP, ROUNDS):
        measured = (bare.once(), await bare.once_in_loop(), 0.0, await ours.once())
        if number >= 0:
            for name, value in zip(times, measured, strict=True):
                times[name].append(value)
            times["ours, to the commit"][-1] = ours.committed
    bare.close()
    ours.close()
    publisher.stop()
    await running
    await journal.close()
    for name, values in times.items():
        print(line(name, values))
    for name in ("bare, blocking", "bare, in a loop"):
        print(f"ours to {name:<16} {statistics.median(times['ours']) / statistics.median(times[name]):.2f}")


def main() -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name:
        folder = Path(name)
        broker = Broker(folder, settings=["set_tcp_nodelay true"])
        broker.start()
        try:
            asyncio.run(measure(folder, broker.port))
        finally:
            broker.stop()


def test_publish() -> None:
    """Run by ``make bench``."""
    main()


if __name__ == "__main__":
    main()
