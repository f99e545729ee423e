"""The SQLite file itself: made private, opened with care, refused when it is not one of ours, read in short looks."""

from __future__ import annotations

import errno
import fcntl
import importlib.resources
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

from tablectl.errors import DiskFull, JournalError, JournalFault, JournalRefused, SecondWriter
from tablectl.journal.heads import heads_beside, last_head, sync_folder
from tablectl.journal.rows import COLUMNS, GENESIS, Head, Row, RowKind, digest, row_of

__all__ = [
    "APPLICATION_ID",
    "OUTBOX",
    "Damaged",
    "SCHEMA_VERSION",
    "Reader",
    "fault",
    "lock",
    "open_reader",
    "open_writer",
    "pages",
]

APPLICATION_ID = int.from_bytes(b"tctl")
"""In the header of the file, so that no other SQLite file is taken for a journal."""
SCHEMA_VERSION = 1
"""Newest `schema/NNN.sql`; the file's `user_version`."""
OUTBOX = "outbox"
"""Name of the one cursor kept so far."""

_PAGE = 512
_BUSY_S = 2.0
_NEWEST = 2**63 - 1
_RECENT = 256
_WHOLE_CHECK_BYTES = 8 * 2**20
_WAL_LIMIT_BYTES = 16 * 2**20


class Damaged(JournalRefused):
    """The file is there and can be opened, but is no journal, or not a whole one."""


def fault(exc: sqlite3.Error, path: Path, doing: str) -> JournalError:
    """What a failure of SQLite means for the person at the table."""
    name = getattr(exc, "sqlite_errorname", "")
    if name == "SQLITE_FULL":
        return DiskFull(
            f"{path}: the disk is full ({doing}). What was committed is safe, this has not been written. Make room on "
            "that file system, never by removing files of the journal; it goes on as soon as there is room."
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return SecondWriter(
            f"{path}: another process holds the journal's write lock ({doing}). Nothing has been written. Close every "
            "other program that has this file open for writing."
        )
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return Damaged(
            f"{path}: the file is damaged or is no SQLite database ({doing}: {exc}). Keep it as it is for the "
            "investigation and run `tablectl journal verify`; go on with a copy that verifies, or with a new journal."
        )
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
        return JournalRefused(
            f"{path}: the file cannot be opened as needed ({doing}: {exc}). Check that it and its folder exist, belong "
            "to the user of the daemon and are on a disk that can be written."
        )
    return JournalFault(
        f"{path}: the disk or SQLite failed ({doing}: {name or type(exc).__name__}, {exc}). What was committed is "
        "safe. Check the disk; restart the daemon once it is sound."
    )


def lock(path: Path) -> int:
    """Hold the journal for this process until the returned descriptor is closed; `SecondWriter` names the holder.

    The lock is on a file beside, as an SQLite lock is given up between transactions.
    """
    beside = path.with_name(f"{path.name}.lock")
    try:
        fd = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as exc:
        raise JournalRefused(
            f"{beside}: the journal cannot be locked: {exc.strerror}. Check that the folder exists and that the user "
            "of the daemon may write to it."
        ) from exc
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.fchmod(fd, 0o600)
        os.truncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
    except BlockingIOError:
        holder = os.pread(fd, 32, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(fd)
        raise SecondWriter(
            f"{path}: this journal is in use by the process with pid {holder}. One table has one daemon: stop that "
            "one, or give this one a journal of its own."
        ) from None
    except OSError as exc:
        os.close(fd)
        kind = DiskFull if exc.errno == errno.ENOSPC else JournalRefused
        raise kind(f"{beside}: the journal cannot be locked: {exc.strerror}. Check the disk.") from exc
    return fd


def open_writer(path: Path) -> sqlite3.Connection:
    """The one connection that appends; makes the file when there is none and nothing says that there was one.

    `JournalRefused` for a file that is foreign, newer, damaged, shorter than its heads say, or whose last rows do not
    chain; `DiskFull` and `JournalFault` when it cannot be made.
    """
    try:
        _make_private(path)
        connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as exc:
        raise fault(exc, path, "opening it") from exc
    except OSError as exc:
        kind = DiskFull if exc.errno == errno.ENOSPC else JournalRefused
        raise kind(f"{path}: the journal cannot be opened: {exc.strerror}. Check path, rights and disk.") from exc
    try:
        _prepare(connection, path)
        _check_end(connection, path)
    except sqlite3.Error as exc:
        connection.close()
        raise fault(exc, path, "opening it") from exc
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(path: Path, *, tolerant: bool = False) -> sqlite3.Connection:
    """A connection that cannot write, for one short look; works beside a running daemon.

    `tolerant` gives text that is not UTF-8 as surrogate escapes instead of failing. Raises as `open_writer`; also
    `JournalRefused` when there is no file.
    """
    if not path.exists():
        raise JournalRefused(f"{path}: there is no such journal. Check the path in the table's configuration.")
    if _is_empty(path):
        raise Damaged(f"{path}: the file is empty, not a journal.")
    try:
        connection = _connect_read_only(path)
    except sqlite3.Error as exc:
        raise fault(exc, path, "opening it for reading") from exc
    try:
        if tolerant:
            connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        _check_schema(connection, path)
    except sqlite3.Error as exc:
        connection.close()
        raise fault(exc, path, "opening it for reading") from exc
    except BaseException:
        connection.close()
        raise
    return connection


def pages(
    path: Path,
    after: int = 0,
    until: int | None = None,
    kinds: Iterable[RowKind] | None = None,
    limit: int | None = None,
    *,
    tolerant: bool = False,
) -> Iterator[list[Sequence[Any]]]:
    """Columns of the rows after `after` up to and with `until`, in order, some hundred at a time.

    Each page is a look of its own, so that a slow consumer never keeps the write-ahead log from being emptied.
    """
    wanted = None if kinds is None else sorted(set(kinds))
    chosen = "" if wanted is None else f"{_of_kinds(wanted)} AND "
    query = f"SELECT {COLUMNS} FROM row WHERE {chosen}seq > ? AND seq <= ? ORDER BY seq LIMIT ?"  # noqa: S608
    last = _NEWEST if until is None else until
    left = _NEWEST if limit is None else limit
    while left > 0:
        size = min(_PAGE, left)
        with closing(open_reader(path, tolerant=tolerant)) as connection:
            try:
                page = connection.execute(query, (after, last, size)).fetchall()
            except sqlite3.Error as exc:
                raise fault(exc, path, f"reading the rows after {after}") from exc
        if page:
            yield page
            after = page[-1][0]
        if len(page) < size:
            return
        left -= size


def _of_kinds(kinds: Sequence[RowKind]) -> str:
    """The condition: written out, as the index of the rare kinds is not used for a kind that is bound.

    With one kind it gives the order; with several a look at every row is cheaper than sorting.
    """
    listed = ", ".join(f"'{kind.value}'" for kind in kinds)
    return f"kind = {listed}" if len(kinds) == 1 else f"+kind IN ({listed})"


class Reader:
    """Reads a journal, beside a running daemon or without one; every call is a short look of its own."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path).resolve()

    def rows(
        self,
        after: int = 0,
        until: int | None = None,
        kinds: Iterable[RowKind] | None = None,
        limit: int | None = None,
    ) -> Iterator[Row]:
        """The rows after `after` up to and with `until`, in order, with their secrets; `JournalError` if unreadable."""
        for page in pages(self.path, after, until, kinds, limit):
            for columns in page:
                yield self._row(columns)

    def last(self, kind: RowKind) -> Row | None:
        """The newest row of this kind."""
        query = f"SELECT {COLUMNS} FROM row WHERE {_of_kinds([kind])} ORDER BY seq DESC LIMIT 1"  # noqa: S608
        columns = self._one(query)
        return None if columns is None else self._row(columns)

    def head(self) -> Head:
        """The end of the chain as it is in the file."""
        columns = self._one("SELECT seq, hash FROM row ORDER BY seq DESC LIMIT 1")
        return Head(0, GENESIS) if columns is None else Head(columns[0], columns[1].hex())

    def cursor(self, name: str = OUTBOX) -> int:
        """How far the named reader has got; 0 when it never said."""
        columns = self._one("SELECT cursor FROM outbox WHERE name = ?", (name,))
        return 0 if columns is None else int(columns[0])

    def _one(self, query: str, values: tuple[object, ...] = ()) -> tuple[Any, ...] | None:
        with closing(open_reader(self.path)) as connection:
            try:
                columns: tuple[Any, ...] | None = connection.execute(query, values).fetchone()
            except sqlite3.Error as exc:
                raise fault(exc, self.path, "reading it") from exc
        return columns

    def _row(self, columns: Sequence[Any]) -> Row:
        try:
            return row_of(columns)
        except (ValueError, AttributeError, TypeError) as exc:
            raise Damaged(
                f"{self.path}: row {columns[0]} does not have the form of a row. The file has been altered; keep it as "
                "it is and run `tablectl journal verify`."
            ) from exc


def _make_private(path: Path) -> None:
    beside = [path.with_name(f"{path.name}-{suffix}") for suffix in ("wal", "shm")]
    if _is_empty(path):
        # SQLite throws away the log of an empty database: what was lost with the file might still be in there.
        if beside[0].exists() and beside[0].stat().st_size:
            _refuse_to_begin(path, beside[0], "holds rows of it")
        if head := last_head(heads_beside(path)):
            _refuse_to_begin(path, heads_beside(path), f"names row {head.seq}")
    # SQLite gives its -wal and -shm files the mode of the database, so it must be private before SQLite sees it.
    # Never opened again by us: closing any descriptor of the file would drop SQLite's own locks in this process.
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        sync_folder(path.parent)
    except FileExistsError:
        pass
    for file in (path, *beside):
        if file.exists():
            file.chmod(0o600)


def _is_empty(path: Path) -> bool:
    return not path.exists() or path.stat().st_size == 0


def _refuse_to_begin(path: Path, witness: Path, what: str) -> NoReturn:
    raise JournalRefused(
        f"{path}: the journal is missing, but {witness.name} {what}. Nothing is begun anew over a lost journal: put "
        f"the file back, or keep {witness.name} for the investigation and move it away."
    )


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA synchronous = FULL")
    # The schema comes before the log is chosen, so that a crash leaves an empty file or a whole journal.
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,) and _is_empty(path)
    version = 0 if empty else _check_schema(connection, path)
    if version < SCHEMA_VERSION:
        _migrate(connection, version)
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal" or connection.execute("PRAGMA synchronous").fetchone() != (2,):
        raise JournalRefused(f"{path}: SQLite cannot use a write-ahead log there. Put the journal on a local disk.")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}")
    (pages_,), (size,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    # Reading a long journal whole would keep the table waiting: that is what `verify` does once the table is ready.
    if pages_ * size <= _WHOLE_CHECK_BYTES:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise Damaged(
                f"{path}: the file is damaged ({found}). Keep it as it is for the investigation and run "
                "`tablectl journal verify`; go on with a copy that verifies, or with a new journal."
            )


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring the file from `version` to `SCHEMA_VERSION`, all of it or nothing."""
    folder = importlib.resources.files("tablectl.journal") / "schema"
    steps = [(folder / f"{number:03}.sql").read_text("utf-8") for number in range(version + 1, SCHEMA_VERSION + 1)]
    header = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
    try:
        connection.executescript("\n".join(["BEGIN IMMEDIATE;", *steps, header, "COMMIT;"]))
    except sqlite3.Error:
        if connection.in_transaction:
            connection.rollback()
        raise


def _check_schema(connection: sqlite3.Connection, path: Path) -> int:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID or version < 1:
        raise Damaged(
            f"{path}: this is not a journal of tablectl (application id {application}, expected {APPLICATION_ID}). "
            "Check the path in the table's configuration; the file has not been touched."
        )
    if version > SCHEMA_VERSION:
        raise JournalRefused(
            f"{path}: the journal has schema {version}, this program knows up to {SCHEMA_VERSION}. Run the version of "
            "tablectl that wrote it, or a newer one; the file has not been touched."
        )
    try:
        connection.execute(f"SELECT {COLUMNS} FROM row LIMIT 0")  # noqa: S608
        connection.execute("SELECT name, cursor FROM outbox LIMIT 0")
    except sqlite3.OperationalError as exc:
        if getattr(exc, "sqlite_errorname", "") != "SQLITE_ERROR":
            raise
        raise Damaged(f"{path}: the journal's tables are not those of schema {version} ({exc}).") from exc
    return int(version)


def _check_end(connection: sqlite3.Connection, path: Path) -> None:
    """The last rows chain and the newest head kept outside is in the file: cheap, and enough to go on appending."""
    query = f"SELECT {COLUMNS} FROM row ORDER BY seq DESC LIMIT {_RECENT}"  # noqa: S608
    newest = connection.execute(query).fetchall()
    end, following = (newest[0][0], newest[0][2]) if newest else (0, None)
    for offset, row in enumerate(newest):
        if row[0] != end - offset or row[2] != following or digest(row) != row[2]:
            raise Damaged(
                f"{path}: row {end - offset} has been altered or removed. Nothing is appended to a journal that does "
                "not chain; keep it as it is and run `tablectl journal verify`."
            )
        following = row[1]
    head = last_head(heads_beside(path))
    if head is None:
        return
    found = connection.execute("SELECT hash FROM row WHERE seq = ?", (head.seq,)).fetchone()
    if found is None or found[0].hex() != head.hash:
        what = f"ends at row {end}" if found is None else "has another row there"
        raise JournalRefused(
            f"{path}: a head kept in {heads_beside(path).name} names row {head.seq}, but the file {what}: rows have "
            "been cut off or replaced. Keep both files as they are and run `tablectl journal verify`."
        )


def _connect_read_only(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as exc:
        connection.close()
        wal = path.with_name(f"{path.name}-wal")
        if getattr(exc, "sqlite_errorname", "") != "SQLITE_CANTOPEN" or (wal.exists() and wal.stat().st_size):
            raise
        # A copy on a medium that cannot be written, with nothing left in its log: nobody can be writing to it.
        return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    return connection
