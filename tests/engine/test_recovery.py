"""A crash at every moment of a round, and what may not be resumed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.identity import Identity
from tablectl.engine.inputs import Input
from tablectl.engine.scenario import Scenario, load, parse
from tablectl.engine.script import play
from tablectl.engine.stranded import Stranded
from tablectl.equipment import Badge, KeyPressed
from tablectl.journal import Row, RowKind
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, IDENTITY, PLAIN_SHOE, Bench, Crash, Moment
from tests.engine.scenarios import FILES, fitting, without_deck
from tests.support import first_and_last

ROUND: dict[str, Any] = {
    "game": "three_card_poker",
    "table": {"shuffler": "counting"},
    "round": [
        {
            "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
            "cards": "As ^4s 2d 9c Kd 5h 7c Qc 9h 2h",
            "decisions": {"1": ["bet"], "3": ["fold"]},
            "incidents": [{"at": "decision 3", "kind": "wrong_stake"}],
        }
    ],
}
AUTOMATED = {**ROUND, "table": {"dealing": "automated_shoe", "shuffler": "counting"}}
VOID = {
    **ROUND,
    "round": [
        {
            **ROUND["round"][0],
            "decisions": {"1": ["bet"]},
            "incidents": [{"at": "decision 3", "kind": "card_exposed", "position": "dealer"}],
        }
    ],
}


class CrashAt:
    """Crashes at the `wanted`th moment, once; counts them."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.moments: list[Moment] = []
        self.happened = ""

    @property
    def passed(self) -> int:
        return len(self.moments)

    def to_try(self, smooth: Bench) -> list[int]:
        """The numbers of the moments to crash at, by what is written down at each; `make explore` tries them all."""
        rows = [moment.rows for moment in self.moments]
        kinds = []
        for place, moment in enumerate(self.moments):
            if moment == "before the commit":
                begin, end = moment.rows, next((n for n in rows[place:] if n > moment.rows), moment.rows)
            else:
                begin, end = next((n for n in reversed(rows[:place]) if n < moment.rows), 0), moment.rows
            kinds.append((str(moment), *(_told(row) for row in smooth.journal.kept[begin:end])))
        return [place + 1 for place in first_and_last(kinds)]

    def __call__(self, name: Moment) -> None:
        self.moments.append(name)
        if self.passed == self.wanted:
            self.happened = name
            raise Crash(name)


def _told(row: Row) -> tuple[str, ...]:
    """What a row says but for seats, cards and amounts: classes and verbs."""
    return row.kind.value, *dict.fromkeys(re.findall(r'"(?:\$|verb|stage|kind)":"(\w+)"', row.body))


def crash_everywhere(scenario: Scenario, kit: Kit) -> None:
    expected = [without_deck(document) for document in play(scenario)["rounds"]]
    counter = CrashAt(0)
    started = Bench(scenario, kit)  # what happens before the first input is not in question here
    started.moment = counter
    started.play()
    for wanted in counter.to_try(started):
        crash = CrashAt(wanted)
        bench = Bench(scenario, kit)
        bench.moment = crash
        documents = bench.play()
        assert bench.reasons == []
        assert crash.happened, f"moment {wanted} of {counter.passed} did not come"
        where = f"{crash.happened}, moment {wanted}"
        assert [without_deck(d) for d in documents] == expected, where
        sequences = [json.loads(row.body)["sequence"] for row in bench.journal.kept if row.kind is RowKind.EVENT]
        assert sequences == list(range(1, len(sequences) + 1)), where
        dealt = [event.number for event in bench.journal.events() if isinstance(event, e.CardDealt)]
        assert dealt == list(range(1, len(dealt) + 1)), where


@pytest.mark.parametrize("document", [ROUND, AUTOMATED, VOID], ids=["manual_shoe", "automated_shoe", "void"])
@pytest.mark.parametrize("kit", [ALL_SENSORS, PLAIN_SHOE], ids=["all_sensors", "plain_shoe"])
def test_crash_at_every_moment_goes_on_from_the_same_step(document: dict[str, object], kit: Kit) -> None:
    scenario = parse(document)
    crash_everywhere(scenario, fitting(scenario, kit))


def _in_mid_round() -> Bench:
    """A table that waits for seat 1's decision, with three wagers on the layout."""
    scenario = parse(ROUND)
    bench = Bench(scenario, ALL_SENSORS)
    steps = until(bench, lambda: bench.core.prompt().text.startswith("SEAT 1"))
    assert steps > 5
    return bench


def until(bench: Bench, reached: Callable[[], bool]) -> int:
    class Reached(BaseException):
        pass

    steps = 0

    def look() -> None:
        nonlocal steps
        steps += 1
        if reached():
            raise Reached

    with pytest.raises(Reached):
        bench.play(look)
    return steps


@pytest.mark.parametrize("field", ["version", "edition", "configuration"])
def test_round_of_another_version_rules_or_configuration_is_not_resumed(field: str) -> None:
    bench = _in_mid_round()
    changed: dict[str, Any] = {field: "other"}
    other = replace(IDENTITY, **changed)
    bench.start(other)
    assert isinstance(bench.core, Stranded)
    assert field in bench.core.reason
    assert bench.core.prompt().text == "ROUND 1 CANNOT GO ON: FLOOR'S BADGE"

    bench.take(Input("panel", KeyPressed("void_round")))  # nobody with a badge has been here
    bench.take(Input("reader", Badge("1")))  # not a floorperson's
    bench.take(Input("panel", KeyPressed("void_round")))
    assert bench.core.stage == "VOID"

    bench.take(Input("reader", Badge("4711")))
    bench.take(Input("panel", KeyPressed("void_round")))
    if field == "edition":  # the wagers go back, and the table goes on once the other rules are posted
        assert bench.core.prompt().text == "RULES CHANGED: NOTICE POSTED? BADGE"
        bench.take(Input("reader", Badge("4711")))
    assert bench.core.stage == "OPEN"
    document = without_deck(bench.document(1, ()))
    assert (document["outcome"], document["cause"]) == ("void", "power_loss")
    rows = [(row["seat"], row["wager"], row["result"], row["returned"]) for row in document["wagers"]]
    assert rows == [(1, "ante", "void", "10.00"), (1, "pair_plus", "void", "5.00"), (3, "ante", "void", "25.00")]
    assert document["net"] == {"1": "0.00", "3": "0.00"}
    assert bench.core.round == 2


def test_round_with_nothing_at_stake_is_given_up_without_asking() -> None:
    bench = Bench(parse(ROUND), ALL_SENSORS)
    until(bench, lambda: bench.core.prompt().text.startswith("WAGERS"))
    bench.start(Identity("1", "rules", "configuration"))
    assert not isinstance(bench.core, Stranded)
    assert bench.document(1, ())["outcome"] == "void"


def test_changed_row_is_not_resumed() -> None:
    bench = _in_mid_round()
    place = next(n for n, row in enumerate(bench.journal.kept) if "CardDealt" in row.body)
    row = bench.journal.kept[place]
    bench.journal.kept[place] = replace(row, body=row.body.replace('"number":1', '"number":2'))
    bench.start(IDENTITY)
    assert isinstance(bench.core, Stranded)
    assert f"row {row.seq} (event, step" in bench.core.reason


def test_changed_face_down_card_is_not_resumed_and_not_named() -> None:
    bench = _in_mid_round()
    place = next(n for n, row in enumerate(bench.journal.kept) if row.kind is RowKind.RESULT and row.secret)
    row = bench.journal.kept[place]
    assert row.secret is not None
    assert b"As" in row.secret
    bench.journal.kept[place] = replace(row, secret=row.secret.replace(b"As", b"Ks"))
    bench.start(IDENTITY)
    assert isinstance(bench.core, Stranded)
    assert "face-down cards" in bench.core.reason
    assert "As" not in bench.core.reason
    assert "Ks" not in bench.core.reason


@pytest.mark.parametrize("path", [path for path in FILES if "out_of_service" in path.stem or "suspen" in path.stem])
def test_crash_between_rounds_keeps_what_goes_on(path: Path) -> None:
    """A removed device, a missing deck and the rounds since the last count survive a restart after every input."""
    scenario = load(path)
    if "error" in play(scenario):
        pytest.skip("the script refuses it")
    expected = [without_deck(document) for document in play(scenario)["rounds"]]
    bench = Bench(scenario, fitting(scenario, PLAIN_SHOE))
    documents = bench.play(lambda: bench.start(IDENTITY))
    assert [without_deck(d) for d in documents] == expected
