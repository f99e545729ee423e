"""Who appends: a thread that commits all that is queued at once, or the caller itself when that is quicker.

Order is the order of the calls. When a group cannot be committed, its requests are tried one by one and the first that
fails takes those behind it along: nothing is ever on disk behind something that its own caller was told is not.

The thread serves bursts, head rows and slow disks, and keeps the event loop free. Handing a single press over to it and
its answer back costs as much as the commit itself, so a few rows are committed in the event loop where nothing else is
under way and the last commit was quick: what the loop can wait for is then one commit that takes unexpectedly long.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import structlog

from tablectl.errors import DiskFull, JournalError, JournalFault, Misuse
from tablectl.journal.chain import Chain
from tablectl.journal.clock import Clock
from tablectl.journal.heads import append_head, heads_beside
from tablectl.journal.rows import Entry, Head, Row

__all__ = ["Outcome", "Request", "Writer", "own_copy"]

Outcome: TypeAlias = tuple[Row, ...] | JournalError
_Settled: TypeAlias = tuple[asyncio.AbstractEventLoop | None, "Future[Any] | asyncio.Future[Any]", object]

_log = structlog.get_logger(__name__)

CURSOR_DELAY_S = 0.25
_GROUP = 1024
_RECENT_ROWS = 1024
_QUICK_S = 0.005
_FEW_ENTRIES = 64
_FEW_CHARACTERS = 65_536


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

    @property
    def is_small(self) -> bool:
        """Whether committing it takes hardly longer than flushing the disk does."""
        if self.head or len(self.entries) > _FEW_ENTRIES:
            return False
        return sum([len(entry.body) for entry in self.entries]) <= _FEW_CHARACTERS


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """Somebody waits for a row after `after`."""

    after: int
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[int]
    at_once: Callable[[], None] | None


class _Note:
    """A cursor has been noted: the time to commit it without any rows has to be kept."""


class _Stop:
    """Nothing comes any more."""


class Writer:
    """Appends in the order of the calls, and knows the end of the chain and the rows committed last."""

    def __init__(self, path: Path, boot: str, clock: Clock) -> None:
        """Open the file in a new thread; raises what `open_writer` raises."""
        self.path = path
        self._queue: queue.SimpleQueue[Request | _Note | _Stop] = queue.SimpleQueue()
        # Whoever has the turn may use the chain; taken by the caller only while nothing is queued.
        self._turn = threading.Lock()
        self._chain: Chain
        self._quick = True
        # Under the lock, which is held for moments only, is all that several threads look at.
        self._lock = threading.Lock()
        self._head: Head
        self._cursor: int
        self._recent: deque[Row] = deque(maxlen=_RECENT_ROWS)
        self._waiting: list[_Waiting] = []
        self._unserved = 0
        self._crowded = False
        self._noted: int | None = None
        self._due = 0.0
        self._closed = False
        opened: Future[None] = Future()
        # A daemon thread: a program that ends without closing must end, and what was acknowledged is on disk.
        self._thread = threading.Thread(
            target=self._main, args=(opened, boot, clock), name=f"journal {path.name}", daemon=True
        )
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

    def commit_here(self, request: Request, loop: asyncio.AbstractEventLoop) -> Outcome | None:
        """Commit the request in the calling thread, that of `loop`; None when it is to be submitted instead.

        Whoever waits for rows on that loop is woken by it at once. `Misuse` when the journal is closed.
        """
        with self._lock:
            self._check_open()
            if self._unserved or self._crowded or not self._quick or not request.is_small:
                return None
            if not self._turn.acquire(blocking=False):
                return None
            # What else is appended in this turn of the loop comes in a crowd, and is committed at once by the thread.
            self._crowded = True
            loop.call_soon(self._disperse)
            self._forget_older_note(request)
        try:
            (outcome,) = self._serve([request])
        finally:
            self._turn.release()
        self._deliver([], [], loop)
        return outcome

    def submit(self, request: Request) -> None:
        """Queue the request; its reply comes after its commit. `Misuse` when the journal is closed."""
        with self._lock:
            self._check_open()
            self._unserved += 1
            self._forget_older_note(request)
            self._queue.put(request)

    def note_cursor(self, cursor: int) -> None:
        """Let the cursor go with the next transaction, or alone after `CURSOR_DELAY_S`."""
        with self._lock:
            self._check_open()
            if self._noted is None:
                self._due = time.monotonic() + CURSOR_DELAY_S
                self._queue.put(_Note())
            self._noted = cursor

    def recent(self, after: int) -> tuple[list[Row] | None, int]:
        """The rows after `after`, or None when the memory does not go back that far; and the newest row's number."""
        with self._lock:
            newest = self._head.seq
            if after >= newest:
                return [], newest
            if not self._recent or self._recent[0].seq > after + 1:
                return None, newest
            rows = list(itertools.takewhile(lambda row: row.seq > after, reversed(self._recent)))
        rows.reverse()
        return rows, newest

    def when_newer(
        self, after: int, loop: asyncio.AbstractEventLoop, at_once: Callable[[], None] | None = None
    ) -> asyncio.Future[int] | None:
        """The newest row's number as soon as one after `after` is committed; None when there is one already.

        A caller of `commit_here` in the same loop calls `at_once` before it goes on.
        """
        with self._lock:
            if self._closed:
                raise Misuse(f"{self.path}: the journal is closed.")
            if self._head.seq > after:
                return None
            future: asyncio.Future[int] = loop.create_future()
            self._waiting.append(_Waiting(after, loop, future, at_once))
            return future

    def forget(self, future: asyncio.Future[int]) -> None:
        """Drop a future of `when_newer` that nobody waits for any more."""
        with self._lock:
            self._waiting = [waiting for waiting in self._waiting if waiting.future is not future]

    def stop(self) -> None:
        """Commit what is queued, close the file and end the thread; blocks until then."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(_Stop())
        self._thread.join()

    def _check_open(self) -> None:
        if self._closed:
            raise Misuse(f"{self.path}: the journal is closed; nothing can be appended to it any more.")

    def _forget_older_note(self, request: Request) -> None:
        if request.cursor is not None:
            self._noted = None

    def _disperse(self) -> None:
        self._crowded = False

    # Whoever has the turn

    def _serve(self, group: Sequence[Request]) -> list[Outcome]:
        """What becomes of each request of the group."""
        began = time.monotonic()
        outcomes = self._attempt(group)
        self._quick = time.monotonic() - began < _QUICK_S
        if not isinstance(outcomes, JournalError):
            return outcomes
        if len(group) > 1 and self._chain.broken is None:
            return self._one_by_one(group)
        return [outcomes] * len(group)

    def _one_by_one(self, group: Sequence[Request]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for request in group:
            part = self._attempt([request])
            if isinstance(part, JournalError):
                return outcomes + [part] * (len(group) - len(outcomes))
            outcomes += part
        return outcomes

    def _attempt(self, group: Sequence[Request]) -> list[Outcome] | JournalError:
        """One transaction for the whole group: what each request gets, or why nothing of it was committed."""
        with self._lock:
            noted = self._noted  # later than every cursor in the group
        cursors = [request.cursor for request in group if request.cursor is not None]
        cursor = noted if noted is not None else cursors[-1] if cursors else None
        made = self._chain.append([None if request.head else request.entries for request in group], cursor)
        failed = isinstance(made, JournalError)
        with self._lock:
            if failed:
                self._due = time.monotonic() + CURSOR_DELAY_S
            if self._noted == noted and (not failed or self._chain.broken is not None):
                self._noted = None
            self._head, self._cursor = self._chain.head, self._chain.cursor
            if not isinstance(made, JournalError):
                self._recent += [
                    row if row.secret is None else replace(row, secret=None) for rows in made for row in rows
                ]
        if isinstance(made, JournalError):
            return made
        return [self._keep_head(request, rows) for request, rows in zip(group, made, strict=True)]

    def _keep_head(self, request: Request, rows: tuple[Row, ...]) -> Outcome:
        if request.head:
            try:
                append_head(heads_beside(self.path), rows[-1])
            except (DiskFull, JournalFault) as exc:
                return exc
        return rows

    def _deliver(
        self, group: Sequence[Request], outcomes: Sequence[Outcome], here: asyncio.AbstractEventLoop | None = None
    ) -> None:
        """Answer the group and wake who waits for rows; directly in the loop whose thread this is, if it is one."""
        settled: list[_Settled] = [
            (request.loop, request.reply, outcome) for request, outcome in zip(group, outcomes, strict=True)
        ]
        with self._lock:
            self._unserved -= len(group)
            newest = self._head.seq
            over = [waiting for waiting in self._waiting if waiting.after < newest]
            self._waiting = [waiting for waiting in self._waiting if waiting.after >= newest]
        for waiting in over:
            settled.append((waiting.loop, waiting.future, newest))
            if waiting.loop is here and waiting.at_once is not None and not waiting.future.done():
                try:
                    waiting.at_once()
                except Exception:  # noqa: BLE001 - it is committed all the same, and whoever waits is woken
                    _log.exception("at_once_failed", journal=str(self.path))
        _settle_all(settled, here)

    # The thread

    def _main(self, opened: Future[None], boot: str, clock: Clock) -> None:
        try:
            self._chain = Chain(self.path, boot, clock)
            self._head, self._cursor = self._chain.head, self._chain.cursor
        except BaseException as exc:  # noqa: BLE001 - the opener raises it
            opened.set_exception(exc)
            return
        opened.set_result(None)
        try:
            stopping = False
            while not stopping:
                group, stopping = self._gather()
                if group or self._is_note_due(stopping):
                    with self._turn:
                        outcomes = self._serve(group)
                    self._deliver(group, outcomes)
        finally:
            with self._turn:
                self._chain.close()
            self._release_waiting()

    def _gather(self) -> tuple[list[Request], bool]:
        """Everything that is queued, at least one thing unless a noted cursor is due; and whether to stop."""
        group: list[Request] = []
        with self._lock:
            wait = None if self._noted is None else max(0.0, self._due - time.monotonic())
        with suppress(queue.Empty):
            item = self._queue.get(timeout=wait)
            while True:
                if isinstance(item, _Stop):
                    return group, True
                if isinstance(item, Request):
                    group.append(item)
                if len(group) == _GROUP:
                    break
                item = self._queue.get_nowait()
        return group, False

    def _is_note_due(self, stopping: bool) -> bool:
        with self._lock:
            return self._noted is not None and (stopping or time.monotonic() >= self._due)

    def _release_waiting(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        closed = JournalError(f"{self.path}: the journal was closed while somebody waited for its next row.")
        _settle_all([(each.loop, each.future, closed) for each in waiting])


def _settle_all(settled: Sequence[_Settled], here: asyncio.AbstractEventLoop | None = None) -> None:
    """Set every future, with one call into each event loop but `here`, whose thread this is."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Settled]] = {}
    for item in settled:
        if item[0] is None or item[0] is here:
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
            future.set_exception(own_copy(outcome))
        else:
            future.set_result(outcome)


def own_copy(outcome: JournalError) -> JournalError:
    """An exception for one caller alone, as raising it adds that caller's traceback to it."""
    failure = type(outcome)(*outcome.args)
    failure.__cause__ = outcome.__cause__
    return failure
