"""What the journal costs over bare SQLite commits in the same run, and how fast it is read and checked.

Run it by itself, or with `make bench`. Ratios count; the rates depend on the disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tablectl.journal import Entry, Journal, RowKind, verify
from tablectl.records import canonical

COMMITS = 1500
ROUNDS = 3
BODY = canonical({"$": "CardDealt", "position": "3.2", "text": "x" * 250})


def bare(path: Path) -> float:
    """Single-row commits per second of the plainest table, WAL and FULL, in the thread that asks."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE row (seq INTEGER PRIMARY KEY, body TEXT)")
        begun = time.perf_counter()
        for _ in range(COMMITS):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO row (body) VALUES (?)", (BODY,))
            connection.execute("COMMIT")
        return COMMITS / (time.perf_counter() - begun)


async def appended(path: Path, appenders: int, batch: int = 1) -> float:
    """Awaited appends per second, of `batch` entries each, by so many callers at once."""
    journal = await asyncio.to_thread(Journal.open, path, boot="bench")
    entries = [Entry(RowKind.EVENT, BODY, step=1)] * batch

    async def appender() -> None:
        for _ in range(COMMITS // appenders):
            await journal.append(entries)

    begun = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(appenders):
            group.create_task(appender())
    rate = COMMITS // appenders * appenders / (time.perf_counter() - begun)
    await journal.close()
    return rate


def blocking(path: Path) -> float:
    """Appends per second by a caller that blocks: the thread without the event loop."""
    journal = Journal.open(path, boot="bench")
    begun = time.perf_counter()
    for _ in range(COMMITS):
        journal.append_now([Entry(RowKind.EVENT, BODY, step=1)])
    rate = COMMITS / (time.perf_counter() - begun)
    journal.close_now()
    return rate


def checked(path: Path, rows: int = 50_000) -> tuple[float, float, float]:
    """Rows per second read, and verified; and milliseconds to open a journal of that length."""
    journal = Journal.open(path, boot="bench")
    for _ in range(rows // 1000):
        journal.append_now([Entry(RowKind.EVENT, BODY, step=1)] * 1000)
    journal.write_head_now()
    begun = time.perf_counter()
    for _ in journal.rows():
        pass
    read = rows / (time.perf_counter() - begun)
    begun = time.perf_counter()
    assert verify(path).ok
    proven = rows / (time.perf_counter() - begun)
    journal.close_now()
    begun = time.perf_counter()
    Journal.open(path, boot="bench").close_now()
    return read, proven, (time.perf_counter() - begun) * 1000


def main() -> None:
    """Print the table."""
    ways: dict[str, Callable[[Path], float]] = {
        "bare SQLite commit": bare,
        "append_now": blocking,
        "append, 1 caller": lambda path: asyncio.run(appended(path, 1)),
        "append, 1 caller, 10 entries": lambda path: asyncio.run(appended(path, 1, 10)),
        "append, 8 callers": lambda path: asyncio.run(appended(path, 8)),
        "append, 64 callers": lambda path: asyncio.run(appended(path, 64)),
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(ROUNDS):
            for number, (name, way) in enumerate(ways.items()):
                found[name].append(way(Path(folder, f"{turn}-{number}.journal")))
        read, proven, opening = checked(Path(folder, "long.journal"))
    base = statistics.median(found["bare SQLite commit"])
    for name, rates in found.items():
        rate = statistics.median(rates)
        print(f"{name:30} {rate:9.0f} commits/s   {rate / base:6.2f} of bare")
    print(f"{'rows()':30} {read:9.0f} rows/s      {read / base:6.2f} of bare")
    print(f"{'verify()':30} {proven:9.0f} rows/s      {proven / base:6.2f} of bare")
    print(f"{'open a journal of 50,000 rows':30} {opening:9.1f} ms")


def test_rates() -> None:
    main()


if __name__ == "__main__":
    main()
