"""What the journal's tests share: entries, tampering by hand, and a chain made without the journal's own code."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tablectl.journal import Entry, Journal, Reading, RowKind

BOOT = "boot-1"


class FixedClock:
    """A clock that stands still."""

    def read(self) -> Reading:
        return Reading("2026-11-29T20:00:00.000001Z", 5_000_000_000, synced=False)


def entry(number: int, kind: RowKind = RowKind.EVENT) -> Entry:
    return Entry(kind, f'{{"n":{number}}}', step=number)


def opened(path: Path, boot: str = BOOT) -> Journal:
    return Journal.open(path, boot=boot)


def filled(path: Path, rows: int = 30, every: int = 10) -> Path:
    """A closed journal of `rows` rows, of which each `every`th is a head."""
    journal = opened(path)
    try:
        while journal.head().seq < rows:
            first = journal.head().seq + 1
            journal.append_now([entry(number) for number in range(first, first + every - first % every)])
            journal.write_head_now()
    finally:
        journal.close_now()
    return path


def by_hand(path: Path, act: Callable[[sqlite3.Connection], object]) -> None:
    """Let `act` change the file as somebody with the database's tools would, guards taken off."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS row_is_never_deleted")
        connection.execute("DROP TRIGGER IF EXISTS row_is_never_changed")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        act(connection)
        connection.commit()


def hash_by_hand(row: dict[str, Any]) -> str:
    """The documented hash, worked out here without the journal's code."""
    text = json.dumps(
        [row[key] for key in ("seq", "prev", "kind", "boot", "mono_ns", "wall", "synced", "step", "body")],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return hashlib.sha256(text.encode()).hexdigest()


def rechain(connection: sqlite3.Connection, first: int, *, heads: bool = True) -> None:
    """Make all hashes from row `first` on anew, as a forger would, who also mends the bodies of head rows."""
    connection.row_factory = sqlite3.Row
    before = connection.execute("SELECT hash FROM row WHERE seq = ?", (first - 1,)).fetchone()
    prev = before["hash"].hex() if before else "0" * 64
    for found in connection.execute("SELECT * FROM row WHERE seq >= ? ORDER BY seq", (first,)).fetchall():
        row = dict(found) | {"prev": prev, "synced": bool(found["synced"])}
        if row["kind"] == "head" and heads:
            row["body"] = json.dumps({"hash": prev, "seq": row["seq"] - 1}, separators=(",", ":"))
        made = hash_by_hand(row)
        connection.execute(
            "UPDATE row SET prev = ?, hash = ?, body = ? WHERE seq = ?",
            (bytes.fromhex(prev), bytes.fromhex(made), row["body"], row["seq"]),
        )
        prev = made


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}
