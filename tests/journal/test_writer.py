"""Who commits: the caller itself when it is alone and the disk is quick, the journal's thread otherwise."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tablectl.errors import JournalFault, Misuse
from tablectl.journal import Entry, Journal, Reader, Reading, RowKind, SystemClock, verify
from tablectl.records import canonical
from tests.journal.support import BOOT, entry


class WatchedClock(SystemClock):
    """Notes which thread makes each transaction."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[str] = []

    def read(self) -> Reading:
        here = threading.current_thread() is threading.main_thread()
        self.threads.append("loop" if here else "thread")
        return super().read()


@pytest.fixture
def clock() -> WatchedClock:
    return WatchedClock()


@pytest.fixture
async def journal(tmp_path: Path, clock: WatchedClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Journal]:
    monkeypatch.setattr("tablectl.journal.writer._QUICK_S", 60.0)  # a busy machine must not decide the outcome
    made = await asyncio.to_thread(Journal.open, tmp_path / "t.journal", boot=BOOT, clock=clock)
    yield made
    await made.close()


async def test_single_appends_are_committed_by_the_caller(journal: Journal, clock: WatchedClock) -> None:
    for number in range(1, 4):
        assert await journal.append([entry(number)]) == (number,)
        assert Reader(journal.path).head() == journal.head()
    await journal.save_cursor(3)
    assert Reader(journal.path).cursor() == 3
    assert clock.threads == ["loop"] * 4


async def test_what_comes_in_a_crowd_is_committed_at_once_by_the_thread(journal: Journal, clock: WatchedClock) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(journal.append([entry(number)])) for number in range(1, 21)]
    assert [task.result() for task in tasks] == [(number,) for number in range(1, 21)]
    assert clock.threads[0] == "loop"
    assert set(clock.threads[1:]) == {"thread"}
    assert len(clock.threads) < 20
    clock.threads.clear()
    await journal.append([entry(21)])
    assert clock.threads == ["loop"]


async def test_nothing_overtakes_what_is_queued(journal: Journal, clock: WatchedClock) -> None:
    head = asyncio.create_task(journal.write_head())
    await asyncio.sleep(0)
    assert await journal.append([entry(1)]) == (2,)
    assert (await head).seq == 1
    assert clock.threads[0] == "thread"


@pytest.mark.parametrize("entries", [[entry(n) for n in range(65)], [Entry(RowKind.EVENT, f'"{"x" * 65_536}"')]])
async def test_much_is_committed_by_the_thread(journal: Journal, clock: WatchedClock, entries: list[Entry]) -> None:
    await journal.append(entries)
    assert clock.threads == ["thread"]


async def test_slow_disk_does_not_hold_the_loop_up_twice(
    journal: Journal, clock: WatchedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablectl.journal.writer._QUICK_S", 0.0)
    await journal.append([entry(1)])
    await journal.append([entry(2)])
    monkeypatch.setattr("tablectl.journal.writer._QUICK_S", 60.0)
    await journal.append([entry(3)])
    await journal.append([entry(4)])
    assert clock.threads == ["loop", "thread", "thread", "loop"]


async def test_whoever_appends_without_a_pause_leaves_others_their_turn(journal: Journal) -> None:
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    task = asyncio.create_task(other())
    for number in range(50):
        await journal.append([entry(number)])
    task.cancel()
    assert turns >= 40


async def test_who_waits_for_rows_goes_before_who_appended_them(journal: Journal) -> None:
    order: list[str] = []

    async def follow() -> None:
        await journal.wait(0)
        order.append("follower")

    async with asyncio.TaskGroup() as group:
        group.create_task(follow())
        await asyncio.sleep(0)
        await journal.append([entry(1)])
        order.append("appender")
    assert order == ["follower", "appender"]


async def test_failure_reaches_the_caller_and_leaves_nothing_open(
    journal: Journal, clock: WatchedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Reading:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(clock, "read", broken)
        with pytest.raises(KeyboardInterrupt):
            await journal.append([entry(1)])
    assert await journal.append([entry(2)]) == (1,)
    journal.path.rename(journal.path.with_name("elsewhere"))
    for _ in range(2):
        with pytest.raises(JournalFault, match="removed or replaced"):
            await journal.append([entry(3)])
    journal.path.with_name("elsewhere").rename(journal.path)
    assert verify(journal.path).head.seq == 1


async def test_noted_cursor_goes_with_the_callers_own_commit(journal: Journal, clock: WatchedClock) -> None:
    journal.note_cursor(3)
    await journal.append([entry(1)])
    assert Reader(journal.path).cursor() == 3
    journal.note_cursor(4)
    await journal.append([entry(2)], cursor=7)
    assert Reader(journal.path).cursor() == 7
    journal.note_cursor(8)
    await journal.close()
    assert Reader(journal.path).cursor() == 8
    assert clock.threads == ["loop", "loop", "thread"]


async def test_text_that_is_no_utf_8_is_refused_whoever_made_it(journal: Journal) -> None:
    with pytest.raises(Misuse, match="not JSON"):
        await journal.append([Entry(RowKind.EVENT, canonical("\ud800"))])
    assert journal.head().seq == 0
