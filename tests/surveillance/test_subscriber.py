"""The subscriber's half: whatever order and number events come in, they are delivered once and in order."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tablectl.surveillance.subscriber import Collector

SOURCE = "/erie/pit 2/T7"


def event(sequence: int, source: str = SOURCE, id_: str | None = None) -> dict[str, Any]:
    return {"source": source, "sequence": sequence, "id": id_ or f"T7/{sequence * 3}", "type": "tablectl.round.card"}


def part(first: int, last: int) -> dict[str, Any]:
    return {"first": first, "last": last, "round": None, "events": [event(n) for n in range(first, last + 1)]}


def feed(collector: Collector, *documents: dict[str, Any]) -> list[int]:
    return [e.sequence for document in documents for e in collector.feed(json.dumps(document).encode())]


@given(st.integers(1, 40), st.integers(0, 10_000), st.sets(st.integers(1, 40)))
def test_any_order_with_repetitions_and_losses_is_mended(count: int, seed: int, lost: set[int]) -> None:
    chance = random.Random(seed)
    coming = [event(n) for n in range(1, count + 1) if n not in lost]
    coming += [event(n) for n in chance.choices(range(1, count + 1), k=5) if n not in lost]
    coming += [part(first, min(first + 9, count)) for first in range(1, count + 1, 10)]
    chance.shuffle(coming)
    collector = Collector(start=1)
    assert feed(collector, *coming) == list(range(1, count + 1))
    assert collector.gaps(SOURCE) == []
    assert collector.findings == []


def test_gap_is_known_until_the_ring_fills_it() -> None:
    collector = Collector(start=1)
    assert feed(collector, event(1), event(2), event(5), event(6), event(9)) == [1, 2]
    assert collector.gaps(SOURCE) == [range(3, 5), range(7, 9)]
    assert feed(collector, part(3, 4)) == [3, 4, 5, 6]
    assert collector.gaps(SOURCE) == [range(7, 9)]
    assert feed(collector, part(1, 8)) == [7, 8, 9]
    assert collector.duplicates == 6


def test_who_comes_late_begins_with_what_comes_first() -> None:
    collector = Collector()
    assert feed(collector, event(100), event(99), event(101)) == [100, 101]
    assert collector.gaps("/elsewhere") == []


def test_tables_are_kept_apart() -> None:
    collector = Collector(start=1)
    assert feed(collector, event(1), event(1, "/erie/pit 2/T8", "T8/1"), event(2)) == [1, 1, 2]
    assert collector.duplicates == 0


def test_two_ids_for_one_sequence_are_a_finding() -> None:
    collector = Collector(start=1)
    feed(collector, event(1), event(3), event(3, id_="T7/77"), event(1, id_="T7/78"))
    assert len(collector.findings) == 2
    assert "T7/9 and as T7/77" in collector.findings[0]


def test_what_is_no_event_is_a_finding_and_nothing_else() -> None:
    collector = Collector(start=1)
    for payload in (b"", b"[]", b"1", b"{}", b'{"events":[{}]}', b"\xff"):
        assert collector.feed(payload) == []
    assert len(collector.findings) == 6
    assert feed(collector, event(1)) == [1]
