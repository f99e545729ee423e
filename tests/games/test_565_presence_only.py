"""With sensors that see a wager but not its amount, results and odds stand and every amount is null."""

from __future__ import annotations

from functools import partial

from tablectl.engine.outcome import round_document
from tablectl.games import game
from tests.procedure.explorer import play
from tests.procedure.test_explorer import ONE, UNKNOWN, Case, answers

AMOUNTS = ("staked", "paid", "returned", "collected")


def document(case: Case) -> dict[str, object]:
    path, _others = play(case.table(), partial(answers, case, []), ())
    return round_document(game("three_card_poker"), path.events)


def test_amounts_are_null_and_all_else_is_the_same() -> None:
    known, unknown = document(Case("amounts", ONE)), document(Case("presence", UNKNOWN))
    rows = known["wagers"]
    assert isinstance(rows, list)
    assert [row["wager"] for row in rows] == ["ante", "play", "pair_plus"]
    assert all(row[amount] is not None for row in rows for amount in AMOUNTS)
    assert unknown["wagers"] == [{**row, **dict.fromkeys(AMOUNTS)} for row in rows]
    assert unknown["net"] == {"1": None}
    for key in ("outcome", "cause", "cite", "remedies", "order", "deck"):
        assert unknown[key] == known[key]
