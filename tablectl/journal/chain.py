"""The end of the chain in the file: every transaction that appends to it is made here, by one thread at a time."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import structlog

from tablectl.errors import JournalError, JournalFault, SecondWriter
from tablectl.journal.clock import Clock, Reading
from tablectl.journal.rows import GENESIS, Entry, Head, Row, RowKind, head_body, row_hash
from tablectl.journal.store import OUTBOX, fault, open_writer

__all__ = ["Batch", "Chain"]

Batch: TypeAlias = Sequence[Entry] | None
"""Entries that stand next to each other; None for a head row."""

_INSERT = "INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CURSOR = "INSERT INTO outbox VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor"

_log = structlog.get_logger(__name__)


class Chain:
    """Owns the connection that appends, and knows the end of the chain and the outbox cursor as they are committed.

    `broken` says why nothing can be appended any more, however often it is tried.
    """

    def __init__(self, path: Path, boot: str, clock: Clock) -> None:
        """Open the file; raises what `open_writer` raises."""
        self._path = path
        self._boot = boot
        self._clock = clock
        self._names = str(path), f"{path}-wal"
        self._failures = 0
        self.broken: JournalError | None = None
        self._connection = open_writer(path)
        try:
            self.head = self._end()
            found = self._connection.execute("SELECT cursor FROM outbox WHERE name = ?", (OUTBOX,)).fetchone()
            self.cursor: int = 0 if found is None else found[0]
            self._files = self._identities()
        except BaseException:
            self._connection.close()
            raise

    def append(self, batches: Sequence[Batch], cursor: int | None) -> list[tuple[Row, ...]] | JournalError:
        """Commit all batches and the cursor in one transaction: the rows of each, or why nothing of it is committed."""
        if self.broken is not None:
            return self.broken
        try:
            made = self._transact(batches, cursor)
        except sqlite3.Error as exc:
            failure = fault(exc, self._path, "appending")
            failure.__cause__ = exc
            return self._failed(failure)
        except JournalError as exc:
            self.broken = exc
            return self._failed(exc)
        except Exception as exc:  # noqa: BLE001 - a defect of ours must reach the callers, not end a thread unseen
            self.broken = JournalFault(f"{self._path}: appending failed by a defect of the program: {exc!r}.")
            self.broken.__cause__ = exc
            return self._failed(self.broken)
        except BaseException:
            self._roll_back()
            raise
        if self._failures:
            _log.info("journal_append_recovered", journal=str(self._path), failures=self._failures)
            self._failures = 0
        return made

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def _transact(self, batches: Sequence[Batch], cursor: int | None) -> list[tuple[Row, ...]]:
        if self._identities() != self._files:
            raise JournalFault(
                f"{self._path}: the journal's file or its log was removed or replaced while the daemon had it open. "
                "Nothing more is written. Stop the daemon, put the file back and run `tablectl journal verify`."
            )
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        end = self._end()
        if end != self.head:
            raise SecondWriter(
                f"{self._path}: somebody else has appended to this journal: it ends at row {end.seq}, this daemon "
                f"wrote row {self.head.seq} last. Nothing more is written. Find the other program, then restart the "
                "daemon."
            )
        made: list[tuple[Row, ...]] = []
        reading = self._clock.read()
        for batch in batches:
            rows, columns = self._chained(end, batch, reading)
            connection.executemany(_INSERT, columns)
            made.append(rows)
            if rows:
                end = Head(rows[-1].seq, rows[-1].hash)
        if cursor is not None:
            connection.execute(_CURSOR, (OUTBOX, cursor))
        connection.execute("COMMIT")
        self.head = end
        self.cursor = self.cursor if cursor is None else cursor
        return made

    def _chained(self, end: Head, batch: Batch, reading: Reading) -> tuple[tuple[Row, ...], list[tuple[object, ...]]]:
        """The rows that follow `end`, and their columns."""
        boot, mono_ns, wall, synced = self._boot, reading.mono_ns, reading.wall, reading.synced
        seq, prev = end.seq, end.hash
        before = bytes.fromhex(prev)
        rows: list[Row] = []
        columns: list[tuple[object, ...]] = []
        for entry in (Entry(RowKind.HEAD, head_body(end)),) if batch is None else batch:
            seq += 1
            kind, step, body, secret = entry.kind, entry.step, str(entry.body), entry.secret
            text = str(kind)
            made = row_hash(seq, prev, text, boot, mono_ns, wall, synced, step, body)
            hash = made.hex()
            rows.append(Row(seq, prev, hash, kind, boot, mono_ns, wall, synced, step, body, secret))
            columns.append((seq, before, made, text, boot, mono_ns, wall, int(synced), step, body, secret))
            prev, before = hash, made
        return tuple(rows), columns

    def _failed(self, failure: JournalError) -> JournalError:
        # After a failed flush SQLite takes the rows back, but a power cut may still find them whole in the log. Hence
        # recovery takes every row in the file for true, also one whose writer was told that it had failed.
        self._roll_back()
        if not self._failures:
            _log.error("journal_append_failed", journal=str(self._path), error=str(failure))
        self._failures += 1
        return failure

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _end(self) -> Head:
        found = self._connection.execute("SELECT seq, hash FROM row ORDER BY seq DESC LIMIT 1").fetchone()
        return Head(0, GENESIS) if found is None else Head(found[0], found[1].hex())

    def _identities(self) -> tuple[object, ...]:
        """Which files the names stand for: SQLite itself would write on into a file that has lost its name."""
        found: list[object] = []
        for name in self._names:
            try:
                state = os.stat(name)  # noqa: PTH116 - with every transaction: a path object doubles its cost
            except OSError:
                found.append(None)
            else:
                found.append((state.st_dev, state.st_ino))
        return tuple(found)
