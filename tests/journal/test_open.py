"""Which files are opened for appending, and which are refused without being touched."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tablectl.errors import JournalRefused, NeedsPerson, SecondWriter
from tablectl.journal import Damaged, Reader, heads_beside, verify
from tests.journal.support import by_hand, entry, filled, opened, rechain

HOLD = """
import sys
from tablectl.journal import Journal
journal = Journal.open(sys.argv[1], boot="other")
print("open", flush=True)
sys.stdin.read()
"""


def content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def refused(path: Path, kind: type[JournalRefused], words: str) -> None:
    before = content(path)
    with pytest.raises(kind, match=words) as caught:
        opened(path)
    assert isinstance(caught.value, NeedsPerson)
    assert str(path) in str(caught.value)
    assert content(path) == before
    # The lock was given back: what is refused for the same reason again is not "in use".
    with pytest.raises(kind, match=words):
        opened(path)


def test_new_journal_has_the_settings_that_keep_it_safe(tmp_path: Path) -> None:
    opened(tmp_path / "t.journal").close_now()
    with closing(sqlite3.connect(tmp_path / "t.journal")) as connection:
        found = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "user_version", "application_id")
        }
    assert found == {"journal_mode": "wal", "user_version": 1, "application_id": int.from_bytes(b"tctl")}


def test_writer_flushes_every_commit(tmp_path: Path) -> None:
    from tablectl.journal.store import open_writer

    with closing(open_writer(tmp_path / "t.journal")) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(JournalRefused, match="folder exists"):
        opened(tmp_path / "nowhere" / "t.journal")


def test_newer_schema(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    by_hand(path, lambda connection: connection.execute("PRAGMA user_version = 2"))
    refused(path, JournalRefused, "schema 2, this program knows up to 1")
    with pytest.raises(JournalRefused, match="schema 2"):
        list(Reader(path).rows())
    with pytest.raises(JournalRefused, match="schema 2"):
        verify(path)


def test_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE row (seq INTEGER PRIMARY KEY)")
    refused(path, Damaged, "not a journal of tablectl")


def test_other_tables_than_those_of_the_schema(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    by_hand(path, lambda connection: connection.execute("DROP TABLE outbox"))
    refused(path, Damaged, "tables are not those of schema 1")


def test_no_database_at_all(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    path.write_bytes(b"dealer's notes\n" * 1000)
    refused(path, Damaged, "damaged or is no SQLite database")


def test_half_a_file(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal", 1000, every=1000)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    refused(path, Damaged, "damaged")


def test_page_of_garbage(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal", 1000, every=1000)
    whole = bytearray(path.read_bytes())
    whole[5 * 4096 : 6 * 4096] = b"\xa5" * 4096
    path.write_bytes(whole)
    refused(path, Damaged, "damaged")


def test_altered_row_near_the_end(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    by_hand(path, lambda connection: connection.execute("UPDATE row SET body = '{}' WHERE seq = 25"))
    refused(path, Damaged, "row 25 has been altered")


def test_row_taken_out_near_the_end(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    by_hand(path, lambda connection: connection.execute("DELETE FROM row WHERE seq = 25"))
    refused(path, Damaged, "row 25 has been altered or removed")


def test_end_cut_off(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    by_hand(path, lambda connection: connection.execute("DELETE FROM row WHERE seq > 29"))
    refused(path, JournalRefused, "names row 30, but the file ends at row 29")


def test_end_made_anew(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")

    def forge(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE row SET body = '{}' WHERE seq = 25")
        rechain(connection, 25)

    by_hand(path, forge)
    refused(path, JournalRefused, "names row 30, but the file has another row there")


def test_lost_file_is_not_begun_anew(tmp_path: Path) -> None:
    path = filled(tmp_path / "t.journal")
    path.unlink()
    with pytest.raises(JournalRefused, match=r"missing, but t\.journal\.heads names row 30"):
        opened(path)
    assert not path.exists()
    heads_beside(path).rename(tmp_path / "kept")
    opened(path).close_now()


def test_lost_file_whose_log_is_left_keeps_that_log(tmp_path: Path) -> None:
    journal = opened(tmp_path / "t.journal")
    journal.append_now([entry(1)])
    folder = tmp_path / "after"
    folder.mkdir()
    log = folder / "t.journal-wal"
    log.write_bytes((tmp_path / "t.journal-wal").read_bytes())
    journal.close_now()
    for left in (None, b""):
        if left is not None:
            (folder / "t.journal").write_bytes(left)
        before = content(log)
        with pytest.raises(JournalRefused, match=r"missing, but t\.journal-wal holds rows"):
            opened(folder / "t.journal")
        assert content(log) == before


def test_empty_file_left_by_a_crash_becomes_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    path.touch()
    with pytest.raises(Damaged, match="empty"):
        Reader(path).head()
    journal = opened(path)
    assert journal.append_now([entry(1)]) == (1,)
    journal.close_now()


def test_second_daemon_is_refused_with_the_pid_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    link = tmp_path / "other-name"
    link.symlink_to(path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        for name in (path, link):
            with pytest.raises(SecondWriter, match=re.escape(f"pid {process.pid}.")):
                opened(name)
        assert Reader(path).head().seq == 0  # readers are welcome
        process.kill()
    opened(path).close_now()


def test_second_opening_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    journal = opened(tmp_path / "t.journal")
    with pytest.raises(SecondWriter, match="in use"):
        opened(tmp_path / "t.journal")
    journal.append_now([entry(1)])
    journal.close_now()
