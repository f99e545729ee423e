"""The one thread that appends: it drains its queue, commits all of it at once, and wakes everybody in one call.

Order is the order of the queue. When a group cannot be committed, its requests are tried one by one and the first that
fails takes those behind it along: nothing is ever on disk behind something that its own caller was told is not.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import structlog

from tablectl.errors import DiskFull, JournalError, JournalFault, Misuse, SecondWriter
from tablectl.journal.clock import Clock
from tablectl.journal.heads import append_head, heads_beside
from tablectl.journal.rows import GENESIS, Entry, Head, Row, RowKind, digest, head_body, row_of
from tablectl.journal.store import OUTBOX, fault, open_writer

__all__ = ["Request", "Writer"]

Outcome: TypeAlias = tuple[Row, ...] | JournalError
_Settled: TypeAlias = tuple[asyncio.AbstractEventLoop | None, "Future[Any] | asyncio.Future[Any]", object]

CURSOR_DELAY_S = 0.25
_GROUP = 1024
_RECENT_ROWS = 1024
_INSERT = "INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CURSOR = "INSERT INTO outbox VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor"

_log = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Request:
    """What one caller wants in one transaction; `head` asks for a head row. `loop` is None for a caller that blocks."""

    entries: Sequence[Entry] = ()
    cursor: int | None = None
    head: bool = False
    loop: asyncio.AbstractEventLoop | None = None
    reply: Future[tuple[Row, ...]] | asyncio.Future[tuple[Row, ...]] = field(default_factory=Future)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to commit."""
        return not self.entries and self.cursor is None and not self.head


@dataclass(frozen=True, slots=True)
class _Note:
    cursor: int


class _Stop:
    pass


class Writer:
    """Owns the connection that appends, and knows the end of the chain and the rows committed last."""

    def __init__(self, path: Path, boot: str, clock: Clock) -> None:
        """Open the file in a new thread; raises what `open_writer` raises."""
        self.path = path
        self._log_path = path.with_name(f"{path.name}-wal")
        self._boot = boot
        self._clock = clock
        self._queue: queue.SimpleQueue[Request | _Note | _Stop] = queue.SimpleQueue()
        self._lock = threading.Lock()
        # Under the lock, as the event loop looks at them while the thread goes on.
        self._head = Head(0, GENESIS)
        self._cursor = 0
        self._recent: deque[Row] = deque(maxlen=_RECENT_ROWS)
        self._waiting: list[tuple[int, asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._closed = False
        # Of the thread alone.
        self._noted: int | None = None
        self._due = 0.0
        self._files: tuple[object, ...] = ()
        self._broken: JournalError | None = None
        self._failures = 0
        opened: Future[None] = Future()
        # A daemon thread: a program that ends without closing must end, and what was acknowledged is on disk.
        self._thread = threading.Thread(target=self._main, args=(opened,), name=f"journal {path.name}", daemon=True)
        self._thread.start()
        try:
            opened.result()
        except BaseException:
            self.stop()
            raise

    @property
    def head(self) -> Head:
        """The end of the chain as it was committed last."""
        with self._lock:
            return self._head

    @property
    def cursor(self) -> int:
        """The outbox cursor as it was committed last."""
        with self._lock:
            return self._cursor

    def submit(self, request: Request) -> None:
        """Queue the request; its reply comes after its commit. `Misuse` when the journal is closed."""
        self._put(request)

    def note_cursor(self, cursor: int) -> None:
        """Let the cursor go with the next transaction, or alone after `CURSOR_DELAY_S`."""
        self._put(_Note(cursor))

    def recent(self, after: int) -> tuple[list[Row] | None, int]:
        """The rows after `after`, or None when the memory does not go back that far; and the newest row's number."""
        with self._lock:
            newest = self._head.seq
            if after >= newest:
                return [], newest
            if not self._recent or self._recent[0].seq > after + 1:
                return None, newest
            return list(itertools.islice(self._recent, after + 1 - self._recent[0].seq, None)), newest

    def when_newer(self, after: int, loop: asyncio.AbstractEventLoop) -> asyncio.Future[None] | None:
        """A future that is done when a row after `after` is committed; None when there is one already."""
        with self._lock:
            if self._closed:
                raise Misuse(f"{self.path}: the journal is closed.")
            if self._head.seq > after:
                return None
            future = loop.create_future()
            self._waiting.append((after, loop, future))
            return future

    def forget(self, future: asyncio.Future[None]) -> None:
        """Drop a future of `when_newer` that nobody waits for any more."""
        with self._lock:
            self._waiting = [waiting for waiting in self._waiting if waiting[2] is not future]

    def stop(self) -> None:
        """Commit what is queued, close the file and end the thread; blocks until then."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(_Stop())
        self._thread.join()

    def _put(self, item: Request | _Note) -> None:
        with self._lock:
            if self._closed:
                raise Misuse(f"{self.path}: the journal is closed; nothing can be appended to it any more.")
            self._queue.put(item)

    # From here on: the thread.

    def _main(self, opened: Future[None]) -> None:
        try:
            connection = open_writer(self.path)
            try:
                self._load(connection)
            except BaseException:
                connection.close()
                raise
        except BaseException as exc:  # noqa: BLE001 - the opener raises it
            opened.set_exception(exc)
            return
        opened.set_result(None)
        try:
            stopping = False
            while not stopping:
                group, stopping = self._gather()
                if group or (self._noted is not None and (stopping or time.monotonic() >= self._due)):
                    self._serve(connection, group)
        finally:
            with suppress(sqlite3.Error):
                connection.close()
            self._release_waiting()

    def _load(self, connection: sqlite3.Connection) -> None:
        self._head = _end(connection)
        found = connection.execute("SELECT cursor FROM outbox WHERE name = ?", (OUTBOX,)).fetchone()
        self._cursor = 0 if found is None else found[0]
        self._files = self._identities()

    def _gather(self) -> tuple[list[Request], bool]:
        """Everything that is queued, at least one thing unless a noted cursor is due; and whether to stop."""
        group: list[Request] = []
        wait = None if self._noted is None else max(0.0, self._due - time.monotonic())
        with suppress(queue.Empty):
            item = self._queue.get(timeout=wait)
            while True:
                if isinstance(item, _Stop):
                    return group, True
                if isinstance(item, Request):
                    group.append(item)
                    self._noted = None if item.cursor is not None else self._noted
                else:
                    self._due = self._due if self._noted is not None else time.monotonic() + CURSOR_DELAY_S
                    self._noted = item.cursor
                if len(group) >= _GROUP:
                    break
                item = self._queue.get_nowait()
        return group, False

    def _serve(self, connection: sqlite3.Connection, group: list[Request]) -> None:
        outcomes = self._attempt(connection, group)
        if isinstance(outcomes, JournalError) and len(group) > 1 and self._broken is None:
            self._deliver(group, self._one_by_one(connection, group))
        else:
            self._deliver(group, [outcomes] * len(group) if isinstance(outcomes, JournalError) else outcomes)

    def _one_by_one(self, connection: sqlite3.Connection, group: list[Request]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for request in group:
            part = self._attempt(connection, [request])
            if isinstance(part, JournalError):
                return outcomes + [part] * (len(group) - len(outcomes))
            outcomes += part
        return outcomes

    def _attempt(self, connection: sqlite3.Connection, group: Sequence[Request]) -> list[Outcome] | JournalError:
        """One transaction for the whole group: what each request gets, or why nothing of it was committed."""
        if self._broken is not None:
            self._noted = None
            return self._broken
        cursor = next((request.cursor for request in reversed(group) if request.cursor is not None), self._noted)
        try:
            made = self._transact(connection, group, cursor)
        except sqlite3.Error as exc:
            failure = fault(exc, self.path, "appending")
            failure.__cause__ = exc
            return self._failed(connection, failure)
        except JournalError as exc:
            self._broken = exc
            return self._failed(connection, exc)
        except Exception as exc:  # noqa: BLE001 - a defect of ours must reach the callers, not end the thread unseen
            self._broken = JournalFault(f"{self.path}: appending failed by a defect of the program: {exc!r}.")
            self._broken.__cause__ = exc
            return self._failed(connection, self._broken)
        rows = [row for part in made for row in part]
        with self._lock:
            if rows:
                self._head = Head(rows[-1].seq, rows[-1].hash)
                self._recent.extend(row if row.secret is None else replace(row, secret=None) for row in rows)
            if cursor is not None:
                self._cursor = cursor
        self._noted = None
        if self._failures:
            _log.info("journal_append_recovered", journal=str(self.path), failures=self._failures)
            self._failures = 0
        return [self._keep_head(request, part) for request, part in zip(group, made, strict=True)]

    def _transact(
        self, connection: sqlite3.Connection, group: Sequence[Request], cursor: int | None
    ) -> list[list[Row]]:
        if self._identities() != self._files:
            raise JournalFault(
                f"{self.path}: the journal's file or its log was removed or replaced while the daemon had it open. "
                "Nothing more is written. Stop the daemon, put the file back and run `tablectl journal verify`."
            )
        connection.execute("BEGIN IMMEDIATE")
        end = _end(connection)
        if end != self._head:
            raise SecondWriter(
                f"{self.path}: somebody else has appended to this journal: it ends at row {end.seq}, this daemon wrote "
                f"row {self._head.seq} last. Nothing more is written. Find the other program, then restart the daemon."
            )
        made: list[list[Row]] = []
        reading = self._clock.read()
        for request in group:
            entries = [Entry(RowKind.HEAD, head_body(end))] if request.head else request.entries
            part: list[Row] = []
            for entry in entries:
                columns = [
                    end.seq + 1, bytes.fromhex(end.hash), b"", entry.kind.value, self._boot, reading.mono_ns,
                    reading.wall, int(reading.synced), entry.step, entry.body, entry.secret,
                ]  # fmt: skip
                columns[2] = digest(columns)
                connection.execute(_INSERT, columns)
                part.append(row_of(columns))
                end = Head(part[-1].seq, part[-1].hash)
            made.append(part)
        if cursor is not None:
            connection.execute(_CURSOR, (OUTBOX, cursor))
        connection.execute("COMMIT")
        return made

    def _failed(self, connection: sqlite3.Connection, failure: JournalError) -> JournalError:
        # After a failed flush SQLite takes the rows back, but a power cut may still find them whole in the log. Hence
        # recovery takes every row in the file for true, also one whose writer was told that it had failed.
        with suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        self._due = time.monotonic() + CURSOR_DELAY_S
        if not self._failures:
            _log.error("journal_append_failed", journal=str(self.path), error=str(failure))
        self._failures += 1
        return failure

    def _keep_head(self, request: Request, rows: list[Row]) -> Outcome:
        if request.head:
            try:
                append_head(heads_beside(self.path), rows[-1])
            except (DiskFull, JournalFault) as exc:
                return exc
        return tuple(rows)

    def _identities(self) -> tuple[object, ...]:
        """Which files the names stand for: SQLite itself would write on into a file that has lost its name."""
        found: list[object] = []
        for file in (self.path, self._log_path):
            try:
                state = file.stat()
            except OSError:
                found.append(None)
            else:
                found.append((state.st_dev, state.st_ino))
        return tuple(found)

    def _deliver(self, group: Sequence[Request], outcomes: Sequence[Outcome]) -> None:
        settled: list[_Settled] = [
            (request.loop, request.reply, outcome) for request, outcome in zip(group, outcomes, strict=True)
        ]
        with self._lock:
            newest = self._head.seq
            ready = [waiting for waiting in self._waiting if waiting[0] < newest]
            self._waiting = [waiting for waiting in self._waiting if waiting[0] >= newest]
        _settle_all(settled + [(loop, future, None) for _, loop, future in ready])

    def _release_waiting(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        closed = JournalError(f"{self.path}: the journal was closed while somebody waited for its next row.")
        _settle_all([(loop, future, closed) for _, loop, future in waiting])


def _end(connection: sqlite3.Connection) -> Head:
    found = connection.execute("SELECT seq, hash FROM row ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(0, GENESIS) if found is None else Head(found[0], found[1].hex())


def _settle_all(settled: Sequence[_Settled]) -> None:
    """Set every future, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Settled]] = {}
    for item in settled:
        if item[0] is None:
            _settle([item])
        else:
            by_loop.setdefault(item[0], []).append(item)
    for loop, items in by_loop.items():
        with suppress(RuntimeError):  # a loop that is closed has nobody left who waits
            loop.call_soon_threadsafe(_settle, items)


def _settle(settled: Sequence[_Settled]) -> None:
    for _, future, outcome in settled:
        if future.done():  # its caller was cancelled meanwhile; the rows are committed all the same
            continue
        if isinstance(outcome, JournalError):
            # An exception of its own for each caller, as raising one adds that caller's traceback to it.
            failure = type(outcome)(*outcome.args)
            failure.__cause__ = outcome.__cause__
            future.set_exception(failure)
        else:
            future.set_result(outcome)
