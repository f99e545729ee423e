"""What the journal is made of: entries, rows, heads, and the hash that chains them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from tablectl.errors import Misuse
from tablectl.records import Canonical, canonical, frozen

__all__ = [
    "COLUMNS",
    "GENESIS",
    "Entry",
    "Head",
    "Row",
    "RowKind",
    "checked",
    "digest",
    "head_body",
    "row_hash",
    "row_of",
]

GENESIS = "0" * 64
"""Hash of the row before the first one."""

COLUMNS = "seq, prev, hash, kind, boot, mono_ns, wall, synced, step, body, secret"
"""Columns of table `row`, in the order of the fields of `Row`."""


class RowKind(StrEnum):
    """What a row records."""

    SNAPSHOT = "snapshot"
    INPUT = "input"
    INTENT = "intent"
    RESULT = "result"
    INTERRUPT = "interrupt"
    EVENT = "event"
    LATCH = "latch"
    HEAD = "head"


@frozen
class Entry:
    """What is to be appended: `body` is canonical JSON text, `step` the procedure's step where there is one.

    `secret` (identities of face-down cards) is stored beside the row and not hashed: a commitment to it belongs into
    the body. It is in no repr, export or tail.
    """

    kind: RowKind
    body: str
    step: int | None = None
    secret: bytes | None = None

    def __repr__(self) -> str:
        return f"Entry({self.kind!r}, {self.body!r}, {self.step})"


@frozen
class Row:
    """One committed row: `prev` and `hash` in 64 lower-case hexadecimal digits, `wall` in RFC 3339 UTC."""

    seq: int
    prev: str
    hash: str
    kind: RowKind
    boot: str
    mono_ns: int
    wall: str
    synced: bool
    step: int | None
    body: str
    secret: bytes | None = None

    def __repr__(self) -> str:
        return f"Row({self.seq}, {self.kind!r}, {self.step}, {self.body!r})"


@frozen
class Head:
    """The end of the chain at some moment: number and hash of its last row (0 and `GENESIS` when there is none)."""

    seq: int
    hash: str


def digest(row: Sequence[object]) -> bytes | None:
    """SHA-256 of a row, from its columns as they are in the file; None when they are no row at all.

    The package's docstring defines it. Bytes that are not UTF-8 are expected as surrogate escapes and hashed as such.
    """
    seq, prev, _, kind, boot, mono_ns, wall, synced, step, body = row[:10]
    # A type or a value that no row has must not be read as one that it has: 2 is not a second way of writing true.
    if not isinstance(prev, bytes) or type(synced) is not int or synced not in (0, 1):
        return None
    try:
        return row_hash(seq, prev.hex(), kind, boot, mono_ns, wall, synced == 1, step, body)
    except (TypeError, ValueError):
        return None


def row_hash(*fields: object) -> bytes:
    """SHA-256 over the fields of a row: seq, prev, kind, boot, mono_ns, wall, synced, step, body."""
    try:
        text = _quickly(fields) if _PLAIN.issuperset(map(type, fields)) else _compact(fields).encode()
    except UnicodeEncodeError:  # bytes that are not UTF-8, as surrogate escapes
        text = _compact(fields).encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).digest()


_PLAIN: Final = frozenset((str, int, bool, type(None)))
_quickly: Final = msgspec.json.Encoder().encode
"""As `_compact`, for what rows are made of; of other things it would make what no row has."""
_compact: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def head_body(head: Head) -> str:
    """Body of a head row: number and hash of the row before it."""
    return canonical({"hash": head.hash, "seq": head.seq})


def row_of(columns: Sequence[Any]) -> Row:
    """The row in `columns`; `ValueError` for a kind that does not exist."""
    seq, prev, digest_, kind, boot, mono_ns, wall, synced, step, body, secret = columns
    return Row(seq, prev.hex(), digest_.hex(), RowKind(kind), boot, mono_ns, wall, bool(synced), step, body, secret)


def checked(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries, or `Misuse` for the first that may not be stored; nothing of them is stored then."""
    taken = tuple(entries)
    for number, entry in enumerate(taken):
        if problem := _problem(entry):
            raise Misuse(f"Entry {number} of {len(taken)} ({entry.kind}) cannot be appended to the journal: {problem}.")
    return taken


def _problem(entry: Entry) -> str | None:
    if type(entry.kind) is not RowKind:
        return f"its kind is not one of {', '.join(RowKind)}"
    if entry.kind is RowKind.HEAD:
        return "head rows are written by write_head() alone"
    if entry.step is not None and (type(entry.step) is not int or not 0 <= entry.step < 2**63):
        return f"its step {entry.step!r} is not a number from 0"
    if entry.secret is not None and type(entry.secret) is not bytes:
        return "its secret is not bytes"
    # Never the body itself in the text: whose mistake it is decides what it holds.
    try:
        entry.body.encode()
        if type(entry.body) is Canonical:
            return None
        again = canonical(json.loads(entry.body))
    except (ValueError, RecursionError) as exc:
        return f"its body is not JSON ({type(exc).__name__})"
    if again != entry.body:
        return "its body is JSON, but not canonical (sorted keys, no blanks, no escapes beyond the necessary)"
    return None
