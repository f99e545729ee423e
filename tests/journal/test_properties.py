"""Whatever is appended, in whatever batches, comes back as it was."""

from __future__ import annotations

import tempfile
from dataclasses import fields
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.journal import Entry, Finding, RowKind, export_rows, verify, verify_export
from tablectl.records import canonical
from tests.journal.support import hash_by_hand, opened

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
ENTRY = st.builds(
    Entry,
    kind=st.sampled_from([kind for kind in RowKind if kind is not RowKind.HEAD]),
    body=JSON.map(canonical),
    step=st.none() | st.integers(0, 2**63 - 1),
    secret=st.none() | st.binary(max_size=20),
)
# A batch, or None for a head; True in between for closing the journal and opening it again.
ACTS = st.lists(st.lists(ENTRY, max_size=5) | st.none() | st.just(True), max_size=8)


@given(ACTS)
@settings(max_examples=60)
def test_rows_are_what_was_appended_and_the_chain_holds(acts: list[list[Entry] | bool | None]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.journal"
        journal = opened(path)
        expected: list[Entry | None] = []
        for act in acts:
            if act is None:
                journal.write_head_now()
                expected.append(None)
            elif isinstance(act, list):
                seqs = journal.append_now(act)
                assert seqs == tuple(range(len(expected) + 1, len(expected) + len(act) + 1))
                expected += act
            else:
                journal.close_now()
                journal = opened(path)
        rows = list(journal.rows())
        journal.close_now()
        got = [None if row.kind is RowKind.HEAD else Entry(row.kind, row.body, row.step, row.secret) for row in rows]
        assert got == expected
        prev = "0" * 64
        for row in rows:
            columns = {field.name: getattr(row, field.name) for field in fields(row)}
            assert (row.prev, row.hash) == (prev, hash_by_hand(columns))
            prev = row.hash
        verdict = verify(path)
        assert (verdict.finding, verdict.head.seq) == (Finding.INTACT, len(expected))
        export = export_rows(path, Path(folder) / "out.jsonl").lines
        assert verify_export.main([str(export), f"{path}.heads"], lambda _: None) == 0
