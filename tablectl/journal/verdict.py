"""Tells an intact journal from an altered, a cut and a missing one.

The chain alone finds whatever was changed without making all later hashes anew. Against somebody who does that, or cuts
the end off, or takes the whole file away, stand the heads that were kept elsewhere: in the file beside, and in the
copies of those to whom they were published. A forger would have to change all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tablectl.journal.heads import heads_beside, read_heads
from tablectl.journal.rows import GENESIS, Head, RowKind, digest, head_body
from tablectl.journal.store import Damaged, pages

__all__ = ["Finding", "Reason", "Verdict", "verify"]


class Finding(StrEnum):
    """What became of a journal."""

    INTACT = "intact"
    ALTERED = "altered"
    CUT = "cut"
    MISSING = "missing"


class Reason(StrEnum):
    """What is wrong with the first bad row of an altered journal."""

    GAP = "gap"
    PREV = "prev"
    HASH = "hash"
    HEAD_ROW = "head_row"
    OUTSIDE_HEAD = "outside_head"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The finding, in words in `detail`.

    `head` is the row up to which the chain holds, `heads` how many heads from outside were known. `first_bad` is the
    first row that is wrong or may be (altered), or is not there (cut, missing); `reason` is given when altered.
    """

    finding: Finding
    detail: str
    head: Head
    heads: int
    first_bad: int | None = None
    reason: Reason | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return self.finding is Finding.INTACT


def verify(path: Path | str, heads_path: Path | str | None = None, known_heads: Iterable[Head] = ()) -> Verdict:
    """Read the whole journal and compare it with itself, with the heads in its file and with `known_heads`.

    Without `heads_path`, the file beside the journal. Works while a daemon appends. Blocks: some seconds for a million
    rows. `JournalRefused` when nothing can be said: a newer schema, or a file that may not be read.
    """
    path = Path(path).resolve()
    # Heads first: each names a row that was committed before, so none can be ahead of the rows read afterwards.
    heads: dict[int, set[str]] = {}
    for head in (*read_heads(heads_beside(path) if heads_path is None else Path(heads_path)), *known_heads):
        if head.seq > 0:
            heads.setdefault(head.seq, set()).add(head.hash)
    count = sum(map(len, heads.values()))
    newest = max(heads, default=0)
    if not path.exists():
        known = f"Heads kept outside name row {newest}" if heads else "No head is known either"
        return Verdict(Finding.MISSING, f"{path}: there is no such file. {known}.", Head(0, GENESIS), count, 1)
    chain = _Chain(heads)
    try:
        bad = chain.read(path)
    except Damaged as exc:
        bad = chain.head.seq + 1, Reason.DAMAGED, f"from there on nothing can be read ({exc})"
    head = chain.head
    if bad is not None:
        seq, reason, what = bad
        return Verdict(Finding.ALTERED, f"{path}: altered, row {seq}: {what}.", head, count, seq, reason)
    if newest > head.seq:
        what = f"the file ends at row {head.seq}, but a head kept outside names row {newest}"
        return Verdict(Finding.CUT, f"{path}: cut, {what}.", head, count, head.seq + 1)
    assured = f"{count} heads kept outside agree" if heads else "no head was there to compare: a cut end would not show"
    return Verdict(Finding.INTACT, f"{path}: intact, {head.seq} rows; {assured}.", head, count)


class _Chain:
    """Follows the chain from its first row, as long as it holds."""

    def __init__(self, heads: dict[int, set[str]]) -> None:
        self.head = Head(0, GENESIS)
        self._heads = heads
        self._agreed = 0

    def read(self, path: Path) -> tuple[int, Reason, str] | None:
        """The first row that is wrong: its number, how, and in words."""
        for page in pages(path, tolerant=True):
            for row in page:
                if bad := self._take(row):
                    return bad
        return None

    def _take(self, row: Sequence[Any]) -> tuple[int, Reason, str] | None:
        seq, prev, stored, kind, body = row[0], row[1], row[2], row[3], row[9]
        due = self.head.seq + 1
        if seq != due:
            return due, Reason.GAP, f"it is not there, the next one is {seq}"
        if prev != bytes.fromhex(self.head.hash):
            return seq, Reason.PREV, "it does not follow the row before it: one of the two has been replaced"
        made = digest(row)
        if made is None or made != stored:
            return seq, Reason.HASH, "its content is not what its hash was made of"
        if kind == RowKind.HEAD and body != head_body(self.head):
            return seq, Reason.HEAD_ROW, "it is a head, but does not name the row before it"
        head = Head(seq, stored.hex())
        if seq in self._heads:
            if self._heads[seq] != {head.hash}:
                first = self._agreed + 1
                what = f"a head kept outside has another hash for row {seq}: rows from here on have been replaced"
                return first, Reason.OUTSIDE_HEAD, what
            self._agreed = seq
        self.head = head
        return None
