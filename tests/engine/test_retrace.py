"""A whole journal played again: rounds of every kind come out the same, and what was changed is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tablectl.engine.identity import Identity
from tablectl.engine.inputs import Input
from tablectl.engine.retrace import Finding, Stretch, retrace
from tablectl.engine.scenario import parse
from tablectl.equipment import Badge, KeyPressed
from tablectl.journal import Row, RowKind
from tablectl.procedure.table import Phase
from tests.engine.bench import ALL_SENSORS, IDENTITY, Bench, ListJournal
from tests.engine.test_floor import at

TWO_ROUNDS: dict[str, Any] = {
    "game": "three_card_poker",
    "table": {"shuffler": "counting"},
    "round": [
        {
            "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
            "cards": "As ^4s 2d 9c Kd 5h 7c Qc 9h 2h",
            "decisions": {"1": ["bet"], "3": ["fold"]},
            "incidents": [{"at": "decision 3", "kind": "wrong_stake"}],
        },
        {"wagers": {"2": {"ante": "10.00"}}, "decisions": {"2": ["bet"]}},
    ],
}
OTHER = replace(IDENTITY, version="other")


def retraced(bench: Bench, identity: Identity = IDENTITY) -> list[Stretch]:
    return list(retrace(bench.journal.kept, bench.make(identity), identity))


def findings(bench: Bench) -> list[Finding]:
    return [stretch.finding for stretch in retraced(bench)]


def played(restart: Callable[[Bench], None] = lambda _: None) -> Bench:
    bench = Bench(parse(TWO_ROUNDS), ALL_SENSORS)
    bench.play(lambda: restart(bench))
    return bench


class _Reached(BaseException):
    pass


def until(reached: str) -> Bench:
    """A table that shows this in its first round."""
    bench = Bench(parse(TWO_ROUNDS), ALL_SENSORS)

    def look() -> None:
        if bench.core.prompt().text.startswith(reached):
            raise _Reached

    with pytest.raises(_Reached):
        bench.play(look)
    return bench


def test_stretches_cover_every_row_from_the_first_snapshot_on() -> None:
    bench = played()
    stretches = retraced(bench)
    assert stretches[0].first == next(row.seq for row in bench.journal.kept if row.kind is RowKind.SNAPSHOT)
    assert stretches[-1].last == len(bench.journal.kept)
    for before, after in pairwise(stretches):
        assert after.first == before.last + 1
    assert [stretch.detail for stretch in stretches] == ["closed", "closed", "not closed yet"]


def test_opening_and_closing_of_the_table_are_no_rounds() -> None:
    scenario = parse(TWO_ROUNDS)
    begun = replace(scenario.first_state(), decks=(), deck_number=0, phase=Phase.CLOSED)
    bench = Bench(scenario, ALL_SENSORS, begun=begun)
    bench.play()
    stretches = retraced(bench)
    assert [stretch.what for stretch in stretches] == ["opening", "round", "round", "round"]
    assert [stretch.detail for stretch in stretches] == [*["closed"] * 3, "not closed yet"]
    visit = at("WAGERS: 0")
    visit.badge()
    visit.choose("CLOSE THE TABLE")
    assert visit.text.endswith("BADGE")
    stretches = retraced(visit.bench)
    assert [(stretch.what, stretch.detail) for stretch in stretches] == [
        ("closing", "closed"),
        ("opening", "not closed yet"),
    ]


def test_restarts_make_no_difference() -> None:
    bench = played(lambda bench: bench.start(IDENTITY))
    assert bench.reasons == []
    assert findings(bench) == [Finding.SAME] * 3


def test_a_round_that_was_voided_after_a_start_comes_out_the_same() -> None:
    bench = until("SEAT 1")
    bench.start(OTHER)
    bench.start(OTHER)  # stranded still
    bench.take(Input("reader", Badge("4711")))
    bench.take(Input("panel", KeyPressed("void_round")))
    first, second = retraced(bench)
    assert (first.round, first.finding) == (1, Finding.SAME)
    assert first.detail == "voided after a start that could not resume it"
    assert (second.round, second.finding) == (2, Finding.OTHER_IDENTITY)
    assert second.detail == "begun under version other, edition rules, configuration configuratio"


def test_the_void_of_a_round_is_worked_out_anew() -> None:
    bench = until("SEAT 1")
    bench.start(OTHER)
    bench.take(Input("reader", Badge("4711")))
    bench.take(Input("panel", KeyPressed("void_round")))
    change(bench, lambda row: "WagerSettled" in row.body, '"returned":1000', '"returned":900')
    (bad,) = [stretch for stretch in retraced(bench) if stretch.finding is Finding.DIFFERENT]
    assert bad.detail.endswith("(event) is no part of the void that the round's events give")


def test_a_round_with_nothing_at_stake_that_a_start_gave_up() -> None:
    bench = until("WAGERS")
    bench.start(OTHER)
    assert [(stretch.finding, stretch.detail) for stretch in retraced(bench)][:1] == [
        (Finding.SAME, "voided after a start that could not resume it")
    ]


def change(bench: Bench, which: Callable[[Row], bool], old: str, new: str) -> Row:
    place = next(n for n, row in enumerate(bench.journal.kept) if which(row) and old in row.body)
    row = bench.journal.kept[place]
    bench.journal.kept[place] = replace(row, body=row.body.replace(old, new))
    return row


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        (RowKind.RESULT, '"verb":"bet"', '"verb":"fold"'),
        (RowKind.EVENT, '"paid":1000', '"paid":2000'),
        (RowKind.INPUT, '"key":"no_more_bets"', '"key":"seat_1"'),
        (RowKind.INTENT, '"StartShuffle"', '"DispenseStack","count":3'),
        (RowKind.INTERRUPT, "wrong_stake", "late_wager"),
    ],
)
def test_a_row_that_was_changed_is_found_in_its_round_alone(kind: RowKind, old: str, new: str) -> None:
    bench = played()
    row = change(bench, lambda row: row.kind is kind, old, new)
    first, *others = retraced(bench)
    assert first.finding is Finding.DIFFERENT
    assert first.first < row.seq <= first.last
    assert [stretch.finding for stretch in others] == [Finding.SAME] * 2


def test_a_snapshot_that_was_changed_is_found() -> None:
    bench = played()
    second = [row for row in bench.journal.kept if row.kind is RowKind.SNAPSHOT][1]
    change(bench, lambda row: row is second, '"id":"deck-1"', '"id":"deck-9"')
    first = retraced(bench)[0]
    assert first.finding is Finding.DIFFERENT
    assert first.detail.startswith(f"row {second.seq} (snapshot, step None) differs")


@pytest.mark.parametrize("kind", [RowKind.RESULT, RowKind.EVENT, RowKind.INPUT])
def test_a_row_that_was_taken_out_is_found(kind: RowKind) -> None:
    bench = played()
    places = [n for n, row in enumerate(bench.journal.kept) if row.kind is kind]
    del bench.journal.kept[places[len(places) // 4]]
    assert retraced(bench)[0].finding is Finding.DIFFERENT


def test_a_changed_face_down_card_is_found_and_not_named() -> None:
    bench = played()
    place = next(n for n, row in enumerate(bench.journal.kept) if row.kind is RowKind.RESULT and row.secret)
    row = bench.journal.kept[place]
    assert row.secret is not None
    bench.journal.kept[place] = replace(row, secret=row.secret.replace(b"As", b"Ks"))
    first = retraced(bench)[0]
    assert first.finding is Finding.DIFFERENT
    assert "face-down cards" in first.detail
    assert "As" not in first.detail
    assert "Ks" not in first.detail


def test_a_round_that_was_cut_short_is_not_closed_yet() -> None:
    bench = until("SEAT 3")
    (only,) = retraced(bench)
    assert (only.finding, only.detail) == (Finding.SAME, "not closed yet")


def test_a_table_that_was_given_its_first_snapshot() -> None:
    """Its first start comes after the snapshot, and before the first step of the round."""
    bench = Bench(parse(TWO_ROUNDS), ALL_SENSORS)
    core = bench.make(IDENTITY)(None, None, 0, lambda: 0)
    core.snapshot()
    bench.journal = ListJournal()
    bench.journal.append(core.drain())
    bench.start(IDENTITY)
    bench.play(lambda: bench.start(IDENTITY))
    assert bench.reasons == []
    assert findings(bench) == [Finding.SAME] * 3
