"""Every kind of tampering is found, and the verifier of exports comes to the same finding without our code."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tablectl.journal import (
    GENESIS,
    Damaged,
    Finding,
    Head,
    Reader,
    Reason,
    RowKind,
    Verdict,
    export_rows,
    heads_beside,
    read_heads,
    verify,
    verify_export,
)
from tests.journal.support import by_hand, entry, filled, opened, rechain

Act = Callable[[sqlite3.Connection], object]
SCRIPT = Path(verify_export.__file__)


def sql(*statements: str) -> Act:
    def act(connection: sqlite3.Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    return act


def edited_and_rechained(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE row SET body = '{}' WHERE seq = 15")
    rechain(connection, 15)


def edited_and_rechained_without_head_bodies(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE row SET body = '{}' WHERE seq = 15")
    rechain(connection, 15, heads=False)


def taken_out_and_renumbered(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM row WHERE seq = 15")
    connection.execute("UPDATE row SET seq = seq - 1 WHERE seq > 15")


def cut_and_grown_again(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE row SET kind = 'event', boot = 'boot-2', body = '{}' WHERE seq > 22")
    rechain(connection, 23)


# What is done to 30 rows, heads at 10, 20 and 30; the finding, the first bad row, and why.
CASES: dict[str, tuple[Act, Finding, int | None, Reason | None]] = {
    "nothing": (sql(), Finding.INTACT, None, None),
    "body": (sql("UPDATE row SET body = '{\"n\":99}' WHERE seq = 15"), Finding.ALTERED, 15, Reason.HASH),
    "body of the first row": (sql("UPDATE row SET body = '{}' WHERE seq = 1"), Finding.ALTERED, 1, Reason.HASH),
    "body of the last row": (sql("UPDATE row SET body = '{}' WHERE seq = 30"), Finding.ALTERED, 30, Reason.HASH),
    "wall clock": (sql("UPDATE row SET wall = '2020-01-01T00:00:00Z' WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "monotonic clock": (sql("UPDATE row SET mono_ns = mono_ns + 1 WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "kind": (sql("UPDATE row SET kind = 'input' WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "unknown kind": (sql("UPDATE row SET kind = 'bribe' WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "boot": (sql("UPDATE row SET boot = 'boot-2' WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "step": (sql("UPDATE row SET step = NULL WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "mark": (sql("UPDATE row SET synced = 1 - synced WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "mark that is no mark": (sql("UPDATE row SET synced = 2 WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "body of no text": (
        sql("UPDATE row SET body = CAST(x'7bff7d' AS TEXT) WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH,
    ),
    "hash": (sql("UPDATE row SET hash = zeroblob(32) WHERE seq = 7"), Finding.ALTERED, 7, Reason.HASH),
    "prev": (sql("UPDATE row SET prev = zeroblob(32) WHERE seq = 7"), Finding.ALTERED, 7, Reason.PREV),
    "middle row deleted": (sql("DELETE FROM row WHERE seq = 15"), Finding.ALTERED, 15, Reason.GAP),
    "first rows deleted": (sql("DELETE FROM row WHERE seq < 4"), Finding.ALTERED, 1, Reason.GAP),
    "deleted and renumbered": (taken_out_and_renumbered, Finding.ALTERED, 15, Reason.PREV),
    "head bodies forgotten": (
        edited_and_rechained_without_head_bodies, Finding.ALTERED, 20, Reason.HEAD_ROW,
    ),
    "edited and rechained": (edited_and_rechained, Finding.ALTERED, 11, Reason.OUTSIDE_HEAD),
    "cut and grown again": (cut_and_grown_again, Finding.ALTERED, 21, Reason.OUTSIDE_HEAD),
    "last row cut": (sql("DELETE FROM row WHERE seq = 30"), Finding.CUT, 30, None),
    "tail cut": (sql("DELETE FROM row WHERE seq > 12"), Finding.CUT, 13, None),
    "all cut": (sql("DELETE FROM row"), Finding.CUT, 1, None),
    "secret replaced": (sql("UPDATE row SET secret = x'00' WHERE seq = 7"), Finding.INTACT, None, None),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_tampering_is_found_by_both_verifiers(tmp_path: Path, case: str) -> None:
    act, finding, first_bad, reason = CASES[case]
    path = filled(tmp_path / "t.journal")
    by_hand(path, act)
    verdict = verify(path)
    assert (verdict.finding, verdict.first_bad, verdict.reason) == (finding, first_bad, reason), verdict.detail
    assert verdict.ok is (finding is Finding.INTACT)
    export = export_rows(path, tmp_path / "out.jsonl").lines
    said: list[str] = []
    status = verify_export.main([str(export), str(heads_beside(path))], said.append)
    assert said[0].startswith(f"{finding}: "), said
    assert status == {"intact": 0, "altered": 1, "cut": 2}[finding]


@pytest.mark.parametrize("case", ["edited and rechained", "cut and grown again", "tail cut", "all cut"])
def test_a_subscribers_heads_find_what_the_chain_alone_cannot(tmp_path: Path, case: str) -> None:
    act, finding, first_bad, _ = CASES[case]
    path = filled(tmp_path / "t.journal")
    copies = list(read_heads(heads_beside(path)))
    heads_beside(path).unlink()
    by_hand(path, act)
    alone = verify(path)
    assert alone.ok
    assert "no head was there to compare" in alone.detail
    verdict = verify(path, known_heads=copies)
    assert (verdict.finding, verdict.first_bad, verdict.heads) == (finding, first_bad, 3)


def test_head_that_is_not_of_a_head_row_counts_as_well(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    row = next(Reader(path).rows(after=24))
    assert verify(path, known_heads=[Head(row.seq, row.hash), Head(0, GENESIS)]).ok
    assert verify(path, known_heads=[Head(row.seq, GENESIS)]).first_bad == 21


def test_missing_file(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    path.unlink()
    verdict = verify(path)
    assert (verdict.finding, verdict.heads) == (Finding.MISSING, 3)
    assert "name row 30" in verdict.detail
    export = tmp_path / "out.jsonl"
    assert verify_export.main([str(export), str(heads_beside(path))]) == 3
    heads_beside(path).unlink()
    assert verify(path).finding is Finding.MISSING


def test_heads_can_be_elsewhere(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    heads_beside(path).rename(tmp_path / "heads")
    by_hand(path, CASES["tail cut"][0])
    assert verify(path).ok
    assert verify(path, tmp_path / "heads").finding is Finding.CUT


def test_row_that_is_none_is_not_read_as_one(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    by_hand(path, CASES["unknown kind"][0])
    with pytest.raises(Damaged, match="row 7 does not have the form of a row"):
        list(Reader(path).rows())


def test_damaged_file_is_altered_from_where_it_cannot_be_read(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal", 3000, every=3000)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    verdict = verify(path)
    assert (verdict.finding, verdict.reason) == (Finding.ALTERED, Reason.DAMAGED), verdict.detail
    path.write_bytes(b"nothing of the kind\n" * 500)
    assert verify(path).reason is Reason.DAMAGED
    path.write_bytes(b"")
    assert verify(path).reason is Reason.DAMAGED


def test_log_taken_away_after_a_crash_is_a_cut(tmp_path: Path) -> None:
    journal = opened(tmp_path / "t.journal")
    journal.append_now([entry(1)])
    journal.write_head_now()
    folder = tmp_path / "after"
    folder.mkdir()
    for name in ("t.journal", "t.journal.heads"):  # what is left of it without t.journal-wal
        shutil.copyfile(tmp_path / name, folder / name)
    journal.close_now()
    assert verify(folder / "t.journal").finding is Finding.CUT


async def test_while_the_daemon_appends(tmp_path: Path) -> None:
    journal = await asyncio.to_thread(opened, tmp_path / "t.journal")
    await journal.append([entry(n) for n in range(2000)])
    stop = asyncio.Event()

    async def appender() -> None:
        while not stop.is_set():
            await journal.append([entry(1)])
            await journal.write_head()

    async with asyncio.TaskGroup() as group:
        group.create_task(appender())
        verdicts: list[Verdict] = [await asyncio.to_thread(verify, journal.path) for _ in range(5)]
        stop.set()
    await journal.close()
    assert [verdict.finding for verdict in verdicts] == [Finding.INTACT] * 5
    assert verdicts[0].head.seq < verdicts[-1].head.seq <= journal.head().seq


class TestExport:
    """Lines, schema, and the verifier as a program of its own."""

    def test_line_has_exactly_the_fields_of_the_format(self, tmp_path: Path) -> None:
        journal = opened(tmp_path / "t.journal")
        journal.append_now([entry(1), entry(2, RowKind.INPUT)])
        by_hand(journal.path, lambda connection: connection.execute("UPDATE row SET secret = x'4173' WHERE seq = 2"))
        journal.close_now()
        done = export_rows(journal.path, tmp_path / "out.jsonl")
        assert done.rows == 2
        text = done.lines.read_text("utf-8")
        assert text.endswith("}\n")
        first, second = (json.loads(line) for line in text.splitlines())
        assert list(first) == ["seq", "prev", "hash", "kind", "boot", "mono_ns", "wall", "synced", "step", "body"]
        assert (second["seq"], second["prev"], second["kind"], second["step"]) == (2, first["hash"], "input", 2)
        assert second["body"] == '{"n":2}'
        assert type(second["synced"]) is bool
        schema = json.loads(done.schema.read_text("utf-8"))
        assert schema["required"] == list(first) == list(schema["properties"])
        assert schema["additionalProperties"] is False
        assert set(schema["properties"]["kind"]["enum"]) == set(RowKind)
        assert {file.name for file in tmp_path.glob("out*")} == {"out.jsonl", "out.jsonl.schema.json"}
        assert {file.stat().st_mode & 0o777 for file in tmp_path.glob("out*")} == {0o600}

    def test_part_of_a_journal(self, tmp_path: Path) -> None:
        path = filled(tmp_path / "t.journal")
        done = export_rows(path, tmp_path / "out.jsonl", after=7, until=25)
        assert done.rows == 18
        said: list[str] = []
        assert verify_export.main(["--from", "8", str(done.lines)], said.append) == 0
        assert said == ["intact: rows 8 to 25, no heads to compare\n"]
        assert verify_export.main([str(done.lines)], said.append) == 1
        assert said[1] == "altered: row 1 is not there, the next one is 8\n"
        assert verify_export.main(["--from", "x", str(done.lines)]) == 64

    def test_cannot_be_written(self, tmp_path: Path) -> None:
        from tablectl.errors import JournalFault

        path = filled(tmp_path / "t.journal")
        with pytest.raises(JournalFault, match="could not be written"):
            export_rows(path, tmp_path / "nowhere" / "out.jsonl")

    def test_verifier_runs_alone(self, tmp_path: Path) -> None:
        """Far from the checkout, without site-packages: it needs nothing but Python."""
        path = filled(tmp_path / "t.journal")
        export_rows(path, tmp_path / "out.jsonl")
        script = shutil.copy(SCRIPT, tmp_path / "check.py")

        def status(*names: str) -> tuple[int, str]:
            command = [sys.executable, "-I", "-S", script, *names]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

        assert status("out.jsonl", "t.journal.heads") == (0, "intact: rows 1 to 30, 3 heads agree\n")
        lines = (tmp_path / "out.jsonl").read_bytes().splitlines(keepends=True)
        (tmp_path / "torn.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:50])
        assert status("torn.jsonl")[0] == 1
        (tmp_path / "short.jsonl").write_bytes(b"".join(lines[:-1]))
        assert status("short.jsonl", "t.journal.heads")[0] == 2
        assert status("nowhere.jsonl")[0] == 3
        assert status()[0] == 64

    @pytest.mark.parametrize(
        ("field", "value"),
        [("synced", 1), ("step", 1.0), ("mono_ns", 5.0), ("seq", True), ("kind", 3), ("extra", 1), ("body", "\ud800")],
    )
    def test_verifier_takes_no_other_type_for_the_right_one(self, tmp_path: Path, field: str, value: object) -> None:
        export = export_rows(filled(tmp_path / "t.journal"), tmp_path / "out.jsonl", until=1).lines
        assert verify_export.main([str(export)], lambda _: None) == 0
        row = json.loads(export.read_text("utf-8")) | {field: value}
        export.write_text(json.dumps(row) + "\n", "utf-8")
        assert verify_export.main([str(export)], lambda _: None) == 1
