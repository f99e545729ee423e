r"""The table's memory: an append-only, hash-chained store in one SQLite file.

What is returned by an append is on disk (write-ahead log, synchronous=FULL). Rows are numbered 1, 2, 3 ... without
gaps; the number is the order of everything, times are labels. Bodies are canonical JSON text, which nothing in here
reads but the folds over event rows: `decks` (the deck ledger) and `day` (the gaming day).

Beside the database ``NAME`` lie ``NAME-wal`` and ``NAME-shm`` (SQLite's), ``NAME.lock`` (held by the daemon, with its
pid) and ``NAME.heads`` (ends of the chain), all of mode 0600.

**The hash of a row** is the SHA-256 of the UTF-8 bytes of the JSON array ::

    [seq, prev, kind, boot, mono_ns, wall, synced, step, body]

written without blanks: ``prev`` in 64 lower-case hexadecimal digits, ``synced`` as true or false, ``step`` as an
integer or null, integers in decimal digits, strings with the escapes of RFC 8785 only (``\"``, ``\\``,
``\b \f \n \r \t``, ``\u00xx`` for other characters below U+0020). ``prev`` of row 1 is 64 zeros. The column
``secret`` (identities of face-down cards) is not covered, so that it can be encrypted later; the body holds a
commitment to it.

A head row's body names number and hash of the row before it; its own number and hash go into the file of heads, and are
what is published. So an edited row, a cut end and a missing file are three findings of `verify`.
`verify_export.py`, which imports nothing of tablectl, checks an export.
"""

from tablectl.journal.clock import Clock, Reading, SystemClock
from tablectl.journal.export import Exported, export_lines, export_rows, line_schema
from tablectl.journal.heads import heads_beside, read_heads
from tablectl.journal.journal import Journal, Space, Tail
from tablectl.journal.rows import GENESIS, Entry, Head, Row, RowKind
from tablectl.journal.store import Damaged, Reader
from tablectl.journal.verdict import Finding, Reason, Verdict, verify

__all__ = [
    "GENESIS",
    "Clock",
    "Damaged",
    "Entry",
    "Exported",
    "Finding",
    "Head",
    "Journal",
    "Reader",
    "Reading",
    "Reason",
    "Row",
    "RowKind",
    "Space",
    "SystemClock",
    "Tail",
    "Verdict",
    "export_lines",
    "export_rows",
    "heads_beside",
    "line_schema",
    "read_heads",
    "verify",
]
