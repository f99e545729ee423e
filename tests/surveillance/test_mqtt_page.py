"""The page for surveillance says what the models say, and what it advises works."""

from __future__ import annotations

from pathlib import Path

from tablectl.journal import Head, read_heads
from tablectl.surveillance.models import JournalHead, to_json
from tests.surveillance.mqtt_page import PAGE, page


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.surveillance.mqtt_page"


def test_published_heads_in_a_file_are_what_verify_reads(tmp_path: Path) -> None:
    heads = [JournalHead(seq=seq, hash="ab" * 32, boot="b", time="2026-01-31T20:15:00.000000Z") for seq in (7, 9)]
    (tmp_path / "T1.heads").write_bytes(b"".join(to_json(head) + b"\n" for head in heads))
    assert list(read_heads(tmp_path / "T1.heads")) == [Head(7, "ab" * 32), Head(9, "ab" * 32)]
