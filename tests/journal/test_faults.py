"""Disks that fill up, files that vanish, a second writer, and the death of the process."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tablectl.errors import DiskFull, JournalError, JournalFault, SecondWriter
from tablectl.journal import Entry, Finding, Journal, Reader, Reading, RowKind, heads_beside, read_heads, verify
from tests.journal.support import FixedClock, entry, filled, hash_by_hand, opened

ROOT = Path(__file__).parent.parent.parent
KILO = 1024

LIMITED = """
import asyncio, json, resource, sys
from tablectl.journal import Entry, Journal, RowKind
from tests.journal.test_faults import append_until_it_fails

async def main():
    journal = await asyncio.to_thread(Journal.open, sys.argv[1], boot="boot-1")
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200 * 1024, hard))
    done, failures = await append_until_it_fails(journal)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    done.append('{"after":1}')
    await journal.append([Entry(RowKind.EVENT, done[-1])])
    await journal.close()
    print(json.dumps({"done": done, "failures": failures}))

asyncio.run(main())
"""

ACKNOWLEDGE = """
import asyncio, os, sys
from tablectl.journal import Entry, Journal, RowKind

async def main():
    journal = await asyncio.to_thread(Journal.open, sys.argv[1], boot="boot-1")

    async def appender(name):
        turn = 0
        while True:
            turn += 1
            body = f'{{"of":{name},"turn":{turn}}}'
            (seq,) = await journal.append([Entry(RowKind.EVENT, body)])
            os.write(1, f"{seq} {body}\\n".encode())
            if name == 0 and turn % 10 == 0:
                await journal.write_head()

    async with asyncio.TaskGroup() as group:
        for name in range(4):
            group.create_task(appender(name))

asyncio.run(main())
"""


async def append_until_it_fails(journal: Journal) -> tuple[list[str], list[str]]:
    """Bodies of what was committed and names of the failures, with eight appenders at once, of which one is greedy."""
    done: list[str] = []
    failures: list[str] = []

    async def appender(name: int, size: int) -> None:
        turn = 0
        while not failures:
            turn += 1
            bodies = [f'{{"of":{name},"part":{part},"text":"{"x" * size}","turn":{turn}}}' for part in range(2)]
            try:
                await journal.append([Entry(RowKind.EVENT, body) for body in bodies])
            except JournalError as exc:
                failures.append(type(exc).__name__)
            else:
                done.extend(bodies)

    async with asyncio.TaskGroup() as group:
        for name in range(8):
            group.create_task(appender(name, 4000 if name == 7 else 300))
    return done, failures


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no small file system can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


async def test_full_disk_loses_nothing_and_the_journal_goes_on_when_there_is_room(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"\0" * 150 * KILO)
    journal = await asyncio.to_thread(opened, small_disk / "t.journal")
    done, failures = await append_until_it_fails(journal)
    assert set(failures) == {"DiskFull"}
    assert sorted(row.body for row in journal.rows()) == sorted(done)
    assert verify(journal.path).ok
    assert journal.free_space().free < 100 * KILO
    # A noted cursor does not get lost either: it is tried again.
    journal.note_cursor(77)
    head = journal.head()
    ballast.unlink()
    assert await journal.append([entry(1)]) == (head.seq + 1,)
    assert (journal.cursor(), Reader(journal.path).cursor()) == (77, 77)
    await journal.write_head()
    await journal.close()
    assert verify(journal.path).ok
    assert len(list(Reader(journal.path).rows())) == len(done) + 2


def test_no_room_to_begin_a_journal(small_disk: Path) -> None:
    with pytest.raises(OSError, match="No space"):
        (small_disk / "ballast").write_bytes(b"\0" * 600 * KILO)
    with pytest.raises(DiskFull, match=r"t\.journal"):
        opened(small_disk / "t.journal")
    (small_disk / "ballast").unlink()
    opened(small_disk / "t.journal").close_now()


def test_journal_on_a_disk_that_cannot_be_written_is_read_but_not_opened(small_disk: Path) -> None:
    path = filled(small_disk / "t.journal")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    assert verify(path).finding is Finding.INTACT
    with pytest.raises(JournalError, match="Read-only"):
        opened(path)


def test_failing_writes_lose_nothing_and_the_journal_goes_on(tmp_path: Path) -> None:
    """A limit on the size of files makes write(2) fail with EFBIG, which SQLite reports as an I/O error."""
    path = tmp_path / "t.journal"
    told = json.loads(run(LIMITED, path))
    assert set(told["failures"]) == {"JournalFault"}
    assert sorted(row.body for row in Reader(path).rows()) == sorted(told["done"])
    assert verify(path).ok


class GatedClock(FixedClock):
    """Holds the writer in a transaction until the gate is opened."""

    def __init__(self) -> None:
        self.gate = threading.Event()

    def read(self) -> Reading:
        assert self.gate.wait(10)
        return super().read()


async def test_of_a_group_that_fails_what_is_before_the_failure_is_committed(tmp_path: Path) -> None:
    clock = GatedClock()
    journal = await asyncio.to_thread(Journal.open, tmp_path / "t.journal", boot="boot-1", clock=clock)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    huge = Entry(RowKind.EVENT, f'"{"x" * 300 * KILO}"')
    outcomes: list[str] = []

    async def append(name: str, *entries: Entry) -> None:
        try:
            await (journal.append(entries) if entries else journal.write_head())
        except JournalFault:
            outcomes.append(f"{name} failed")
        else:
            outcomes.append(f"{name} done")

    try:
        async with asyncio.TaskGroup() as group:
            for name, entries in {
                "first": [],  # a head, which the thread commits: held by the clock, so that the others form one group
                "second": [entry(2)],
                "third": [entry(3), huge, entry(4)],
                "fourth": [entry(5)],
            }.items():
                group.create_task(append(name, *entries))
            await asyncio.sleep(0)  # all are queued now
            resource.setrlimit(resource.RLIMIT_FSIZE, (200 * KILO, hard))
            clock.gate.set()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert outcomes == ["first done", "second done", "third failed", "fourth failed"]
    assert await journal.append([entry(6)]) == (3,)
    await journal.close()
    assert [row.body for row in Reader(journal.path).rows()][1:] == ['{"n":2}', '{"n":6}']
    assert verify(journal.path).ok


def run(program: str, path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def foreign_row(path: Path) -> None:
    """Append a row that chains, as another program that knows the format would."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        last = dict(connection.execute("SELECT * FROM row ORDER BY seq DESC LIMIT 1").fetchone())
        row: dict[str, Any] = last | {"seq": last["seq"] + 1, "prev": last["hash"].hex(), "synced": False, "step": None}
        connection.execute(
            "INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row["seq"], last["hash"], bytes.fromhex(hash_by_hand(row)), row["kind"], row["boot"], row["mono_ns"],
                row["wall"], 0, None, row["body"], None,
            ),
        )  # fmt: skip
        connection.commit()


async def test_second_writer_does_not_fork_the_chain(tmp_path: Path) -> None:
    journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
    await journal.append([entry(1), entry(2)])
    foreign_row(journal.path)
    for _ in range(2):
        with pytest.raises(SecondWriter, match="ends at row 3, this daemon wrote row 2 last"):
            await journal.append([entry(3)])
    journal.note_cursor(5)
    await journal.close()
    assert [row.seq for row in Reader(journal.path).rows()] == [1, 2, 3]
    assert verify(journal.path).ok
    again = await asyncio.to_thread(opened, tmp_path / "t.journal", "boot-2")
    assert await again.append([entry(4)]) == (4,)
    await again.close()


async def test_write_lock_held_by_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablectl.journal.store._BUSY_S", 0.05)
    journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(SecondWriter, match="another process holds the journal's write lock"):
            await journal.append([entry(1)])
        connection.execute("ROLLBACK")
    assert await journal.append([entry(1)]) == (1,)
    await journal.close()


@pytest.mark.parametrize("name", ["t.journal", "t.journal-wal"])
async def test_file_taken_away_under_the_daemon(tmp_path: Path, name: str) -> None:
    """SQLite alone would write on into a file that has no name any more."""
    journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
    await journal.append([entry(1)])
    (tmp_path / name).rename(tmp_path / "elsewhere")
    with pytest.raises(JournalFault, match="removed or replaced"):
        await journal.append([entry(2)])
    (tmp_path / "elsewhere").rename(tmp_path / name)
    with pytest.raises(JournalFault, match="removed or replaced"):
        await journal.append([entry(2)])
    await journal.close()
    assert [row.seq for row in Reader(journal.path).rows()] == [1]


async def test_head_that_cannot_be_kept_beside_fails_alone(tmp_path: Path) -> None:
    journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
    heads_beside(journal.path).mkdir()
    async with asyncio.TaskGroup() as group:
        head = group.create_task(failing_head(journal))
        rows = [group.create_task(journal.append([entry(n)])) for n in range(3)]
    assert "row 1" in head.result()
    assert [task.result() for task in rows] == [(2,), (3,), (4,)]
    heads_beside(journal.path).rmdir()
    kept = await journal.write_head()
    assert list(read_heads(heads_beside(journal.path))) == [kept]
    await journal.close()
    assert [row.seq for row in Reader(journal.path).rows()] == [1, 2, 3, 4, 5]


async def failing_head(journal: Journal) -> str:
    with pytest.raises(JournalFault) as caught:
        await journal.write_head()
    return str(caught.value)


@pytest.mark.parametrize("after", [1, 40, 333])
def test_killed_process_loses_nothing_that_was_acknowledged(tmp_path: Path, after: int) -> None:
    path = tmp_path / "t.journal"
    with subprocess.Popen([sys.executable, "-c", ACKNOWLEDGE, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(after)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.readlines()
    verdict = verify(path)  # before anything has opened it for writing: the log is still there
    assert verdict.finding is Finding.INTACT, verdict
    rows = {row.seq: row.body for row in Reader(path).rows()}
    for line in told:
        if line.endswith("\n"):
            seq, body = line.rstrip("\n").split(" ", 1)
            assert rows[int(seq)] == body
    journal = opened(path, "boot-2")
    assert journal.append_now([entry(1)]) == (max(rows) + 1,)
    journal.close_now()
    assert verify(path).ok


def test_program_that_forgets_to_close_ends_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    program = """
import sys
from tablectl.journal import Entry, Journal, RowKind
print(Journal.open(sys.argv[1], boot="boot-1").append_now([Entry(RowKind.EVENT, "{}")]))
"""
    assert run(program, path) == "(1,)"
    assert verify(path).head.seq == 1
