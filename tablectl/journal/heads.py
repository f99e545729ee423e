"""Heads of the chain in a file of their own beside the database, so that a cut tail or a lost file can be told.

One JSON object in each line: ``{"boot":…,"hash":…,"seq":…,"wall":…}``; number and hash are those of a head row. A line
is on disk only after its row is. A crash may leave the last line torn; the next one then begins on a new line.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path

from tablectl.errors import DiskFull, JournalError, JournalFault
from tablectl.journal.rows import Head, Row
from tablectl.records import canonical

__all__ = ["append_head", "heads_beside", "last_head", "read_heads"]

_TAIL_BYTES = 16_384
"""Some hundred lines: far more than can be torn."""
_HASH_DIGITS = 64


def heads_beside(journal: Path) -> Path:
    """Where the heads of `journal` are."""
    return journal.with_name(f"{journal.name}.heads")


def append_head(path: Path, row: Row) -> None:
    """Append the head row `row` and bring it to disk; `DiskFull` or `JournalFault` when that fails."""
    line = canonical({"boot": row.boot, "hash": row.hash, "seq": row.seq, "wall": row.wall}).encode() + b"\n"
    try:
        fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.fchmod(fd, 0o600)
            size = os.fstat(fd).st_size
            if size and os.pread(fd, 1, size - 1) != b"\n":
                line = b"\n" + line
            if (written := os.write(fd, line)) != len(line):
                raise OSError(errno.ENOSPC, f"only {written} of {len(line)} bytes were written")
            os.fsync(fd)
        finally:
            os.close(fd)
        if not size:
            sync_folder(path.parent)
    except OSError as exc:
        raise _fault(path, row, exc) from exc


def read_heads(path: Path) -> Iterator[Head]:
    """All heads in the file, oldest first, lines that are torn left out; none when there is no file."""
    try:
        with path.open("rb") as lines:
            for line in lines:
                if head := _head(line):
                    yield head
    except FileNotFoundError:
        return
    except OSError as exc:
        raise JournalFault(f"{path}: the heads of the journal cannot be read: {exc.strerror}.") from exc


def last_head(path: Path) -> Head | None:
    """The newest head in the file, found from its end."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise JournalFault(f"{path}: the heads of the journal cannot be read: {exc.strerror}.") from exc
    return next((head for line in reversed(lines) if (head := _head(line))), None)


def sync_folder(folder: Path) -> None:
    """Bring the names in `folder` to disk: a new file is not safe before its name is."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _head(line: bytes) -> Head | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    seq, digest = data.get("seq"), data.get("hash")
    if type(seq) is not int or not isinstance(digest, str) or len(digest) != _HASH_DIGITS:
        return None
    return Head(seq, digest)


def _fault(path: Path, row: Row, exc: OSError) -> JournalError:
    kind = DiskFull if exc.errno in (errno.ENOSPC, errno.EDQUOT) else JournalFault
    return kind(
        f"{path}: the head of row {row.seq} could not be kept beside the journal: {exc.strerror}. The row itself is "
        "safe. Make room or mend the disk; the next head is tried again."
    )
