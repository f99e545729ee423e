"""Writes rows as JSON Lines with their schema beside: to be read and checked without this program."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablectl.errors import DiskFull, JournalFault
from tablectl.journal.rows import RowKind
from tablectl.journal.store import pages

__all__ = ["Exported", "export_lines", "export_rows", "line_schema"]

_FIELDS = ("seq", "prev", "hash", "kind", "boot", "mono_ns", "wall", "synced", "step", "body")
_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export has written."""

    rows: int
    lines: Path
    schema: Path


def export_rows(journal: Path | str, target: Path | str, *, after: int = 0, until: int | None = None) -> Exported:
    """Write the rows after `after` up to and with `until` to `target`, and a line's schema to `target`.schema.json.

    Both appear whole or not at all, mode 0600, in place of older ones. Nothing is checked here: an altered journal is
    exported as it is. `JournalError` when the journal cannot be read or the files cannot be written.
    """
    lines = Path(target)
    schema = lines.with_name(f"{lines.name}.schema.json")
    count = 0

    def counted() -> Iterator[bytes]:
        nonlocal count
        for line in export_lines(journal, after=after, until=until):
            count += 1
            yield line

    _write(schema, iter([json.dumps(line_schema(), indent=2).encode() + b"\n"]))
    _write(lines, counted())
    return Exported(count, lines, schema)


def export_lines(journal: Path | str, *, after: int = 0, until: int | None = None) -> Iterator[bytes]:
    """The export lines of these rows, UTF-8 and ended by a newline; without the secrets."""
    for page in pages(Path(journal).resolve(), after, until, tolerant=True):
        for seq, prev, stored, kind, boot, mono_ns, wall, synced, step, body, _ in page:
            # A value that a row cannot have is handed on as it is, so that whoever checks the export finds it.
            mark = bool(synced) if synced in (0, 1) else synced
            values = (seq, _hex(prev), _hex(stored), kind, boot, mono_ns, wall, mark, step, body)
            text = json.dumps(
                dict(zip(_FIELDS, values, strict=True)), ensure_ascii=False, separators=(",", ":"), default=str
            )
            yield text.encode("utf-8", "surrogateescape") + b"\n"


def line_schema() -> dict[str, Any]:
    """JSON Schema of one export line."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One row of a dealer table's journal",
        "description": (
            "The export has one such object in each line, UTF-8, in the order of seq. hash is the SHA-256, in "
            "lower-case hexadecimal digits, of the UTF-8 bytes of this JSON array: [seq, prev, kind, boot, mono_ns, "
            "wall, synced, step, body]; written without blanks; integers in decimal digits; strings with the escapes "
            "of RFC 8785 only ("
            '\\", \\\\, \\b, \\f, \\n, \\r, \\t, \\u00xx in lower-case digits for other characters below U+0020) and '
            "every other character as itself."
        ),
        "type": "object",
        "additionalProperties": False,
        "required": list(_FIELDS),
        "properties": {
            "seq": {
                "type": "integer",
                "minimum": 1,
                "description": "1, 2, 3 ... without gaps: the order of everything",
            },
            "prev": {**_HASH, "description": "hash of the row before; 64 zeros in row 1"},
            "hash": {**_HASH, "description": "hash of this row, as described above"},
            "kind": {"enum": [kind.value for kind in RowKind], "description": "what the row records"},
            "boot": {"type": "string", "description": "which start of the program wrote the row"},
            "mono_ns": {"type": "integer", "description": "monotonic clock in nanoseconds since the machine's start"},
            "wall": {
                "type": "string",
                "format": "date-time",
                "description": "wall clock in UTC, a label: the order is seq",
            },
            "synced": {"type": "boolean", "description": "whether the wall clock was synchronised"},
            "step": {"type": ["integer", "null"], "description": "step of the procedure, where there is one"},
            "body": {
                "type": "string",
                "contentMediaType": "application/json",
                "description": "JSON text exactly as stored; in rows of kind head, number and hash of the row before",
            },
        },
    }


def _hex(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def _write(target: Path, parts: Iterator[bytes]) -> None:
    draft = target.with_name(f"{target.name}.part")
    try:
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as exc:
        kind = DiskFull if exc.errno in (errno.ENOSPC, errno.EDQUOT) else JournalFault
        raise kind(f"{target}: the export could not be written: {exc.strerror}. Choose another place for it.") from exc
    finally:
        draft.unlink(missing_ok=True)
