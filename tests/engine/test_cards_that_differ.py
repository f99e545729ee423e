"""Two sources name different cards: shown once more, then the floorperson; the round is settled from the table."""

from __future__ import annotations

from tablectl import events as e
from tablectl.cards import DEALER, card
from tablectl.engine.inputs import Input
from tablectl.engine.scenario import parse
from tablectl.equipment import Badge, CardScanned, KeyPressed
from tests.engine.bench import ALL_SENSORS, Bench
from tests.engine.test_recovery import until

SCENARIO = {
    "game": "three_card_poker",
    "table": {"shuffler": "counting"},
    "round": [{"wagers": {"1": {"ante": "10.00"}}, "cards": "Kh Qs 9d 8h 4c 3d", "decisions": {"1": ["bet"]}}],
}


def at_the_reveal() -> Bench:
    bench = Bench(parse(SCENARIO), ALL_SENSORS)
    until(bench, lambda: bench.core.prompt().text.startswith("DEALER"))
    return bench


def show(bench: Bench, *names: str) -> None:
    for name in names:
        bench.take(Input("scanner", CardScanned(card(name))))


def exposed(bench: Bench) -> list[tuple[str, str]]:
    return [
        (event.position.name, " ".join(c.name for c in event.cards))
        for event in bench.journal.events()
        if isinstance(event, e.CardsExposed)
    ]


def noted(bench: Bench) -> list[tuple[str, object]]:
    return [(n.kind, n.position) for n in bench.journal.events() if isinstance(n, e.IrregularityNoted)]


def test_same_cards_in_any_order_are_no_conflict() -> None:
    bench = at_the_reveal()
    show(bench, "3d", "Qs", "8h")
    assert exposed(bench) == [("dealer", "Qs 8h 3d")]
    assert noted(bench) == []


def test_slip_of_the_scanner_is_put_right_by_showing_once_more() -> None:
    bench = at_the_reveal()
    show(bench, "Qs", "8h", "3c")
    assert bench.core.prompt().text == "DEALER: AGAIN CARD 1 OF 3"
    show(bench, "Qs", "8h")
    for key in ("rank_3", "suit_d"):  # the third one by the keys
        bench.take(Input("panel", KeyPressed(key)))
    assert exposed(bench) == [("dealer", "Qs 8h 3d")]
    assert noted(bench) == []


def test_cards_that_still_differ_are_looked_at_by_a_floorperson_and_the_table_counts() -> None:
    bench = at_the_reveal()
    show(bench, "Qs", "8h", "3c", "Qs", "8h", "3c")
    assert bench.core.prompt().text == "DEALER: CARDS DIFFER: FLOOR'S BADGE"
    bench.take(Input("reader", Badge("1")))  # no floorperson's
    assert exposed(bench) == []
    bench.take(Input("reader", Badge("4711")))
    assert exposed(bench) == [("dealer", "Qs 8h 3c")]
    assert noted(bench) == [("identity_conflict", DEALER)]
    show(bench, "Kh", "9d", "4c")
    result = bench.document(1, ())
    assert [(row["wager"], row["result"], row["cite"]) for row in result["wagers"]] == [
        ("ante", "win", "565.12(b)"),
        ("play", "win", "565.12(b)"),
    ]
