"""`Journal`: what the daemon appends to, and what everything that is published is read from."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

from tablectl.errors import JournalError
from tablectl.journal.clock import Clock, SystemClock
from tablectl.journal.rows import Entry, Head, Row, RowKind, checked
from tablectl.journal.store import Reader, lock
from tablectl.journal.writer import Request, Writer, own_copy

__all__ = ["Journal", "Space", "Tail"]

_TAIL_ROWS = 512


@dataclass(frozen=True, slots=True)
class Tail:
    """The chosen rows, without their secrets, and the number up to which all rows have been looked at."""

    rows: tuple[Row, ...]
    upto: int


@dataclass(frozen=True, slots=True)
class Space:
    """Room on the file system of the journal, in bytes; `free` is what this user may still take."""

    free: int
    total: int


class Journal:
    """One table's journal, open for appending; made by `open`, ended by `close`.

    Whatever is returned by an append is on disk. Coroutines may be used from any event loop; nothing here blocks a loop
    but the calls that say so, and a few rows that are appended alone: for one commit, while the disk is quick.
    """

    def __init__(self, writer: Writer, lock_fd: int) -> None:
        self._writer = writer
        self._reader = Reader(writer.path)
        self._lock_fd: int | None = lock_fd

    @classmethod
    def open(cls, path: Path | str, *, boot: str, clock: Clock | None = None) -> Journal:
        """Open the journal at `path`, or begin one where there never was one; blocks, so call it in a worker.

        `boot` names this start of the daemon. `SecondWriter` when another process has it open; `JournalRefused` when
        the file is not a journal, newer, damaged, altered at its end, cut or missing against the heads kept beside.
        """
        # Two names of one file must not be two locks.
        resolved = Path(path).resolve()
        fd = lock(resolved)
        try:
            return cls(Writer(resolved, boot, clock or SystemClock()), fd)
        except BaseException:
            os.close(fd)
            raise

    @property
    def path(self) -> Path:
        """The database file."""
        return self._writer.path

    async def append(self, entries: Sequence[Entry], *, cursor: int | None = None) -> tuple[int, ...]:
        """Commit the entries as one whole, next to each other, and return their numbers; with them the outbox cursor.

        `Misuse` for an entry that may not be stored. `DiskFull`, `JournalFault`, `SecondWriter`: nothing of it has been
        committed, nor anything that was queued behind it at that time. A cancelled caller's entries are committed.
        """
        return tuple([row.seq for row in await self._ask(Request(checked(entries), cursor))])

    def append_now(self, entries: Sequence[Entry], *, cursor: int | None = None) -> tuple[int, ...]:
        """`append` for tools and tests: blocks."""
        return tuple(row.seq for row in self._ask_now(Request(checked(entries), cursor)))

    async def write_head(self) -> Head:
        """Commit a head row that names the row before it, keep it in the file beside, and return its number and hash.

        Raises as `append`; when keeping it beside fails, the row is committed all the same.
        """
        (row,) = await self._ask(Request(head=True))
        return Head(row.seq, row.hash)

    def write_head_now(self) -> Head:
        """`write_head` for tools and tests: blocks."""
        (row,) = self._ask_now(Request(head=True))
        return Head(row.seq, row.hash)

    async def save_cursor(self, value: int) -> None:
        """Commit the outbox cursor; raises as `append`."""
        await self._ask(Request(cursor=value))

    def note_cursor(self, value: int) -> None:
        """Let the outbox cursor go with the next transaction, or on its own after 250 ms; a crash may lose it."""
        self._writer.note_cursor(value)

    def cursor(self) -> int:
        """The outbox cursor as it is committed; 0 when there never was one."""
        return self._writer.cursor

    def head(self) -> Head:
        """The end of the chain as it is committed."""
        return self._writer.head

    def rows(
        self,
        after: int = 0,
        until: int | None = None,
        kinds: Iterable[RowKind] | None = None,
        limit: int | None = None,
    ) -> Iterator[Row]:
        """The rows after `after` up to and with `until`, in order, with their secrets; each page blocks shortly."""
        return self._reader.rows(after, until, kinds, limit)

    def last(self, kind: RowKind) -> Row | None:
        """The newest row of this kind; blocks shortly."""
        return self._reader.last(kind)

    async def tail(self, after: int, kinds: Iterable[RowKind] | None = None) -> Tail:
        """The next rows after `after`: from memory when they are recent, else some hundred of them from the file.

        Go on from `upto`; when that is `head().seq`, `wait` for more.
        """
        wanted = None if kinds is None else tuple(kinds)
        recent = self.recent(after, wanted)
        if recent is not None:
            return recent
        newest = self._writer.head.seq
        read = await asyncio.to_thread(self._read_tail, after, newest, wanted)
        return Tail(read, read[-1].seq if len(read) == _TAIL_ROWS else newest)

    def recent(self, after: int, kinds: tuple[RowKind, ...] | None = None) -> Tail | None:
        """All rows after `after`, from memory; None when it does not go back that far."""
        rows, newest = self._writer.recent(after)
        if rows is None:
            return None
        chosen = rows if kinds is None else [row for row in rows if row.kind in kinds]
        return Tail(tuple(chosen), max(after, newest))

    async def wait(self, after: int, at_once: Callable[[], None] | None = None) -> int:
        """Return the number of the newest row as soon as it is above `after`; `JournalError` when closed meanwhile.

        `at_once` is called before, as soon as a row is committed, if that is done in this very loop.
        """
        future = self._writer.when_newer(after, asyncio.get_running_loop(), at_once)
        if future is None:
            return self._writer.head.seq
        try:
            return await future
        finally:
            if future.cancelled():
                self._writer.forget(future)

    def free_space(self) -> Space:
        """Room left for the journal."""
        usage = shutil.disk_usage(self.path.parent)
        return Space(free=usage.free, total=usage.total)

    async def close(self) -> None:
        """Commit what is queued and close the file; a second time does nothing."""
        await asyncio.to_thread(self.close_now)

    def close_now(self) -> None:
        """`close` for tools and tests: blocks."""
        self._writer.stop()
        fd, self._lock_fd = self._lock_fd, None
        if fd is not None:
            os.close(fd)

    async def _ask(self, request: Request) -> tuple[Row, ...]:
        if request.is_empty:
            return ()
        loop = asyncio.get_running_loop()
        outcome = self._writer.commit_here(request, loop)
        if outcome is not None:
            await asyncio.sleep(0)  # whoever waited for these rows goes first, and others have their turn
            if isinstance(outcome, JournalError):
                raise own_copy(outcome)
            return outcome
        reply: asyncio.Future[tuple[Row, ...]] = loop.create_future()
        request.loop, request.reply = loop, reply
        self._writer.submit(request)
        return await reply

    def _ask_now(self, request: Request) -> tuple[Row, ...]:
        if request.is_empty:
            return ()
        reply: Future[tuple[Row, ...]] = Future()
        request.reply = reply
        self._writer.submit(request)
        return reply.result()

    def _read_tail(self, after: int, until: int, kinds: tuple[RowKind, ...] | None) -> tuple[Row, ...]:
        return tuple(replace(row, secret=None) for row in self._reader.rows(after, until, kinds, _TAIL_ROWS))
