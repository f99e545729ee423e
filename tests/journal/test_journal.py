"""Appending, reading, following, heads and cursor of an open journal."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import structlog

from tablectl.errors import JournalError, Misuse
from tablectl.journal import GENESIS, Entry, Head, Journal, Reader, RowKind, heads_beside, read_heads, verify
from tests.journal.support import BOOT, FixedClock, entry, modes, opened


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    made = await asyncio.to_thread(opened, tmp_path / "t.journal")
    yield made
    await made.close()


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true"
        await asyncio.sleep(0.005)


async def test_row_has_the_documented_hash(tmp_path: Path) -> None:
    # Both numbers are sha256sum's, over [1,"000…","event","boot-1",…] and the like written out by hand.
    journal = Journal.open(tmp_path / "t.journal", boot=BOOT, clock=FixedClock())
    await journal.append([Entry(RowKind.EVENT, '{"a":"\\"ü\\n"}', step=7), Entry(RowKind.INPUT, "{}")])
    first, second = journal.rows()
    await journal.close()
    assert first.prev == GENESIS
    assert first.hash == "0c50a258e56bbb5a205887de10b1e0bf3d43d59854ce026b253881e7420d028f"
    assert second.prev == first.hash
    assert second.hash == "158d3ef19ed99c2bdaee2d2bb7f24be4ae5b711a109152e2e8493850198105e3"


async def test_rows_are_what_was_appended(journal: Journal) -> None:
    seqs = await journal.append(
        [Entry(RowKind.INPUT, '{"key":"BET"}'), Entry(RowKind.RESULT, '{"card":null}', step=4, secret=b"As")]
    )
    assert seqs == (1, 2)
    first, second = journal.rows()
    assert (first.kind, first.body, first.step, first.secret) == (RowKind.INPUT, '{"key":"BET"}', None, None)
    assert (second.kind, second.body, second.step, second.secret) == (RowKind.RESULT, '{"card":null}', 4, b"As")
    assert (second.seq, second.boot) == (2, BOOT)
    assert second.mono_ns <= time.monotonic_ns()
    assert abs(time.time() - datetime.fromisoformat(second.wall).timestamp()) < 60
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", second.wall)
    assert "As" not in repr(second)
    assert journal.head() == Head(2, second.hash)


async def test_64_appenders_keep_their_own_rows_together_and_in_order(journal: Journal) -> None:
    async def appender(name: int) -> None:
        for turn in range(5):
            seqs = await journal.append(
                [Entry(RowKind.EVENT, f'{{"of":{name},"part":{n},"turn":{turn}}}') for n in range(3)]
            )
            assert seqs == tuple(range(seqs[0], seqs[0] + 3))

    async with asyncio.TaskGroup() as group:
        for name in range(64):
            group.create_task(appender(name))
    rows = list(journal.rows())
    assert [row.seq for row in rows] == list(range(1, 64 * 5 * 3 + 1))
    for name in range(64):
        mine = [row.body for row in rows if row.body.startswith(f'{{"of":{name},')]
        assert mine == [f'{{"of":{name},"part":{n},"turn":{turn}}}' for turn in range(5) for n in range(3)]
    assert verify(journal.path).ok
    # Committed in groups: far fewer moments than appends.
    assert len({row.mono_ns for row in rows}) < 64 * 5 / 4


async def test_one_callers_appends_are_in_the_order_of_the_calls(journal: Journal) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(journal.append([entry(n)])) for n in range(100)]
    assert [task.result() for task in tasks] == [(n,) for n in range(1, 101)]


async def test_nothing_to_append_is_no_transaction(journal: Journal) -> None:
    assert await journal.append([]) == ()
    assert journal.append_now([]) == ()
    assert journal.head() == Head(0, GENESIS)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (Entry(RowKind.EVENT, '{"b":1,"a":2}'), "canonical"),
        (Entry(RowKind.EVENT, '{"a": 1}'), "canonical"),
        (Entry(RowKind.EVENT, '{"a":1,"a":1}'), "canonical"),
        (Entry(RowKind.EVENT, '"\\u00fc"'), "canonical"),
        (Entry(RowKind.EVENT, "{"), "not JSON"),
        (Entry(RowKind.EVENT, "NaN"), "not JSON"),
        (Entry(RowKind.EVENT, '"\ud800"'), "not JSON"),
        (Entry(RowKind.EVENT, '"\\ud800"'), "canonical"),
        (Entry(RowKind.HEAD, "{}"), "write_head"),
        (Entry(RowKind.EVENT, "{}", step=-1), "step"),
        (Entry("event", "{}"), "kind"),  # type: ignore[arg-type]
        (Entry(RowKind.EVENT, "{}", secret="As"), "secret"),  # type: ignore[arg-type]
    ],
)
async def test_bad_entry_is_refused_with_all_beside_it(journal: Journal, bad: Entry, why: str) -> None:
    with pytest.raises(Misuse, match=why) as caught:
        await journal.append([entry(1), bad])
    assert "Entry 1 of 2" in str(caught.value)
    assert list(journal.rows()) == []
    assert await journal.append([entry(1)]) == (1,)


async def test_rows_can_be_chosen(journal: Journal) -> None:
    kinds = [RowKind.INPUT, RowKind.RESULT, RowKind.EVENT]
    await journal.append([entry(n, kinds[n % 3]) for n in range(1, 1501)])
    assert [row.seq for row in journal.rows(after=10, until=13)] == [11, 12, 13]
    assert [row.seq for row in journal.rows(kinds=[RowKind.EVENT], limit=3)] == [2, 5, 8]
    assert [row.seq for row in journal.rows(kinds=[RowKind.EVENT])] == list(range(2, 1501, 3))
    chosen = [row.seq for row in journal.rows(after=600, kinds=[RowKind.EVENT, RowKind.INPUT], limit=550)]
    assert chosen == [seq for seq in range(601, 1501) if seq % 3 != 1][:550]
    assert list(journal.rows(kinds=[])) == []
    assert len(list(journal.rows(limit=512))) == 512
    assert list(journal.rows(after=1500)) == []
    last = journal.last(RowKind.RESULT)
    assert last is not None
    assert last.seq == 1498
    assert journal.last(RowKind.LATCH) is None


async def test_newest_snapshot_is_found_without_a_look_at_the_rows_after_it(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    await journal.append([entry(1, RowKind.SNAPSHOT), *[entry(n) for n in range(2, 3001)]])
    counted: list[None] = []
    connect = sqlite3.connect

    def counting(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_progress_handler(lambda: counted.append(None), 1_000)  # 3,000 rows take some ten thousand steps
        return connection

    monkeypatch.setattr(sqlite3, "connect", counting)
    last = journal.last(RowKind.SNAPSHOT)
    assert last is not None
    assert (last.seq, counted) == (1, [])
    assert journal.last(RowKind.INTERRUPT) is None
    assert counted


async def test_slow_reader_does_not_keep_the_log_from_being_emptied(journal: Journal) -> None:
    await journal.append([entry(n) for n in range(1000)])
    rows = journal.rows()
    next(rows)
    with closing(sqlite3.connect(journal.path)) as connection:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert busy == 0
    assert len(list(rows)) == 999


async def test_every_file_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
        await journal.append([entry(1)])
        await journal.write_head()
    finally:
        os.umask(before)
    assert modes(tmp_path) == dict.fromkeys(
        ["t.journal", "t.journal-wal", "t.journal-shm", "t.journal.lock", "t.journal.heads"], 0o600
    )
    await journal.close()
    journal.path.chmod(0o644)
    again = await asyncio.to_thread(opened, journal.path)
    assert set(modes(tmp_path).values()) == {0o600}
    await again.close()


async def test_appending_goes_on_after_a_restart(tmp_path: Path) -> None:
    journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
    await journal.append([entry(1), entry(2)], cursor=2)
    await journal.close()
    again = await asyncio.to_thread(opened, tmp_path / "t.journal", "boot-2")
    assert again.cursor() == 2
    assert await again.append([entry(3)]) == (3,)
    rows = list(again.rows())
    await again.close()
    assert [row.boot for row in rows] == ["boot-1", "boot-1", "boot-2"]
    assert verify(again.path).ok


async def test_closed_journal_takes_nothing_and_lost_nothing(tmp_path: Path) -> None:
    journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
    async with asyncio.TaskGroup() as group:
        queued = [group.create_task(journal.append([entry(n)])) for n in range(20)]
        await asyncio.sleep(0)  # the appends are queued, not yet answered
        group.create_task(journal.close())
    assert [task.result() for task in queued] == [(n,) for n in range(1, 21)]
    await journal.close()
    with pytest.raises(Misuse, match="closed"):
        await journal.append([entry(1)])
    with pytest.raises(Misuse, match="closed"):
        await journal.wait(20)
    assert len(list(Reader(journal.path).rows())) == 20


async def test_cancelled_append_is_committed_all_the_same(journal: Journal) -> None:
    task = asyncio.create_task(journal.append([entry(1)]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await journal.append([entry(2)]) == (2,)


class TestFollowing:
    """`tail` and `wait`: what the publisher lives on."""

    async def test_wait_returns_when_something_newer_is_committed(self, journal: Journal) -> None:
        waiting = asyncio.create_task(journal.wait(0))
        await asyncio.sleep(0)
        assert not waiting.done()
        await journal.append([entry(1), entry(2)])
        assert await waiting == 2
        assert await journal.wait(1) == 2

    async def test_wait_sees_what_another_thread_appends(self, journal: Journal) -> None:
        waiting = asyncio.create_task(journal.wait(0))
        await asyncio.sleep(0)
        await asyncio.to_thread(journal.append_now, [entry(1)])
        assert await waiting == 1

    async def test_whoever_waits_in_this_loop_has_the_rows_before_the_append_returns(self, journal: Journal) -> None:
        had: list[list[int]] = []

        def at_once() -> None:
            tail = journal.recent(0)
            assert tail is not None
            had.append([row.seq for row in tail.rows])
            assert all(row.secret is None for row in tail.rows)

        waiting = asyncio.create_task(journal.wait(0, at_once))
        await asyncio.sleep(0)
        appending = asyncio.create_task(journal.append([replace(entry(1), secret=b"7h"), entry(2)]))
        await asyncio.sleep(0)
        assert had == [[1, 2]]
        assert not appending.done()
        assert await waiting == 2
        await appending
        await journal.append([entry(3)])
        assert had == [[1, 2]], "nobody waits any more"

    async def test_what_goes_wrong_with_rows_at_once_is_no_matter_of_the_append(self, journal: Journal) -> None:
        def at_once() -> None:
            raise RuntimeError("not now")

        waiting = [asyncio.create_task(journal.wait(0, at_once)), asyncio.create_task(journal.wait(0))]
        await asyncio.sleep(0)
        with structlog.testing.capture_logs() as logs:
            assert await journal.append([entry(1)]) == (1,)
        assert [await each for each in waiting] == [1, 1]
        assert [log["event"] for log in logs] == ["at_once_failed"]

    async def test_rows_of_another_thread_are_waited_for(self, journal: Journal) -> None:
        had: list[int] = []
        waiting = asyncio.create_task(journal.wait(0, lambda: had.append(1)))
        await asyncio.sleep(0)
        await asyncio.to_thread(journal.append_now, [entry(1)])
        assert await waiting == 1
        assert had == []

    async def test_whoever_does_not_wait_any_more_is_not_called(self, journal: Journal) -> None:
        had: list[int] = []
        waiting = asyncio.create_task(journal.wait(0, lambda: had.append(1)))
        await asyncio.sleep(0)
        waiting.cancel()
        await journal.append([entry(1)])
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert had == []

    async def test_memory_gives_all_rows_after_one_or_says_that_it_is_too_short(self, journal: Journal) -> None:
        for first in range(1, 2001, 400):
            await journal.append([entry(n) for n in range(first, first + 400)])
        for after in (1999, 1998, 1500, 976):
            tail = journal.recent(after)
            assert tail is not None
            assert [row.seq for row in tail.rows] == list(range(after + 1, 2001))
        assert journal.recent(975) is None
        nothing = journal.recent(2000)
        assert nothing is not None
        assert (nothing.rows, nothing.upto) == ((), 2000)

    async def test_cancelled_wait_leaves_nothing_behind(self, journal: Journal) -> None:
        waiting = asyncio.create_task(journal.wait(0))
        await asyncio.sleep(0)
        assert len(journal._writer._waiting) == 1
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert journal._writer._waiting == []

    async def test_wait_ends_when_the_journal_is_closed(self, journal: Journal) -> None:
        waiting = asyncio.create_task(journal.wait(0))
        await asyncio.sleep(0)
        await journal.close()
        with pytest.raises(JournalError, match="closed"):
            await waiting

    async def test_recent_rows_come_from_memory_without_their_secrets(self, journal: Journal) -> None:
        await journal.append([replace(entry(n), secret=b"7h") for n in range(1, 9)])
        assert journal._writer.recent(3)[0] is not None
        tail = await journal.tail(3)
        assert tail.rows == tuple(replace(row, secret=None) for row in journal.rows(after=3))
        assert tail.upto == 8
        assert (await journal.tail(8)).rows == ()

    async def test_chosen_kinds_move_on_over_the_others(self, journal: Journal) -> None:
        await journal.append([entry(1), entry(2, RowKind.INPUT), entry(3, RowKind.INPUT)])
        tail = await journal.tail(0, [RowKind.EVENT])
        assert ([row.seq for row in tail.rows], tail.upto) == ([1], 3)
        tail = await journal.tail(1, [RowKind.EVENT])
        assert (tail.rows, tail.upto) == ((), 3)

    @pytest.mark.parametrize("kinds", [None, [RowKind.EVENT]])
    async def test_follower_that_was_away_gets_all_rows_once(self, tmp_path: Path, kinds: list[RowKind] | None) -> None:
        journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
        await journal.append(
            [replace(entry(n, [RowKind.EVENT, RowKind.INPUT][n % 2]), secret=b"7h") for n in range(3000)]
        )
        await journal.close()
        again = await asyncio.to_thread(opened, tmp_path / "t.journal", "boot-2")
        await again.append([entry(n) for n in range(1100)])  # more than is kept in memory
        got, upto = [], 0
        while upto < again.head().seq:
            tail = await again.tail(upto, kinds)
            assert tail.upto > upto
            got += list(tail.rows)
            upto = tail.upto
        expected = [replace(row, secret=None) for row in again.rows(kinds=kinds)]
        await again.close()
        assert got == expected


class TestCursor:
    """The outbox cursor: saved, or noted to go along."""

    async def test_goes_in_the_transaction_of_the_rows(self, journal: Journal) -> None:
        await journal.append([entry(1)], cursor=1)
        assert (journal.cursor(), Reader(journal.path).cursor()) == (1, 1)
        await journal.save_cursor(9)
        assert (journal.cursor(), Reader(journal.path).cursor()) == (9, 9)
        assert journal.head().seq == 1

    async def test_noted_goes_with_the_next_rows(self, journal: Journal) -> None:
        journal.note_cursor(3)
        journal.note_cursor(4)
        await journal.append([entry(1)])
        assert Reader(journal.path).cursor() == 4

    async def test_noted_goes_on_its_own_after_a_while(self, journal: Journal) -> None:
        journal.note_cursor(5)
        await until(lambda: journal.cursor() == 5)
        assert Reader(journal.path).cursor() == 5

    async def test_noted_is_not_lost_by_closing(self, journal: Journal) -> None:
        journal.note_cursor(6)
        await journal.close()
        assert Reader(journal.path).cursor() == 6

    async def test_saved_wins_over_noted_before(self, journal: Journal) -> None:
        journal.note_cursor(5)
        await journal.save_cursor(7)
        await journal.close()
        assert Reader(journal.path).cursor() == 7


class TestHeads:
    """Head rows and the file beside."""

    async def test_names_the_row_before_and_is_kept_beside(self, journal: Journal) -> None:
        await journal.append([entry(1), entry(2)])
        before = journal.head()
        head = await journal.write_head()
        row = journal.last(RowKind.HEAD)
        assert row is not None
        assert row.body == f'{{"hash":"{before.hash}","seq":2}}'
        assert head == Head(3, row.hash) == journal.head()
        assert list(read_heads(heads_beside(journal.path))) == [head]

    async def test_of_an_empty_journal(self, journal: Journal) -> None:
        await journal.write_head()
        row = journal.last(RowKind.HEAD)
        assert row is not None
        assert row.body == f'{{"hash":"{GENESIS}","seq":0}}'
        assert verify(journal.path).ok

    async def test_torn_last_line_is_passed_over(self, journal: Journal) -> None:
        first = await journal.write_head()
        beside = heads_beside(journal.path)
        with beside.open("ab") as file:
            file.write(b'{"boot":"boot-1","hash":"ab')
        assert list(read_heads(beside)) == [first]
        second = await journal.write_head()
        assert list(read_heads(beside)) == [first, second]
        await journal.close()
        again = await asyncio.to_thread(opened, journal.path, "boot-2")
        await again.close()


async def test_free_space_is_that_of_the_folder(journal: Journal) -> None:
    space = journal.free_space()
    assert 0 < space.free <= space.total
