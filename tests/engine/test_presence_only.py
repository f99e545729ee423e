"""Sensors that see presence only: results and odds stand, amounts are not known, and nobody is asked for one."""

from __future__ import annotations

from tablectl.engine.inputs import Input
from tablectl.engine.scenario import parse
from tablectl.equipment import KeyPressed, WagerSpot
from tests.engine.bench import NO_SCANNER, Bench

SCENARIO = {
    "game": "three_card_poker",
    "table": {"minimum": "5.00"},
    "round": [{"wagers": {"1": {"ante": "10.00"}}, "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h"}],
}


def test_round_with_presence_only_states_odds_instead_of_amounts() -> None:
    bench = Bench(parse(SCENARIO), NO_SCANNER)

    def press(key: str) -> None:
        bench.take(Input("panel", KeyPressed(key)))

    for key in ("shuffled", "cut"):
        press(key)
    for seat, wager in ((1, "ante"), (1, "pair_plus"), (3, "ante")):
        bench.take(Input("wagers", WagerSpot(seat, wager, True, None)))
    press("no_more_bets")
    bench.devices.load = SCENARIO["round"][0]["cards"].split()  # type: ignore[index]
    for _ in range(9):
        bench.take(Input("shoe", bench.devices._card()))
    bench.take(Input("wagers", WagerSpot(1, "play", True, None)))  # a chip on the spot is the decision
    press("fold")
    press("seat_1")  # another seat's key: the choice stands no longer, it is final
    press("expose")

    document = bench.document(1, ())
    rows = [(r["seat"], r["wager"], r["result"], r["odds"], r["cite"]) for r in document["wagers"]]
    assert rows == [  # A-K-Q of mixed suits against nine high: 565.12(a), (d), (e)
        (1, "ante", "win", "1:1", "565.12(a)"),
        (1, "play", "returned", None, "565.12(a)"),
        (1, "pair_plus", "win", "5:1", "565.12(d)"),
        (1, "ante_bonus", "win", "1:1", "565.12(e)"),
        (3, "ante", "forfeited", None, "565.11(c)"),
    ]
    for row in document["wagers"]:
        assert {row[key] for key in ("staked", "paid", "returned", "collected")} == {None}
    assert document["net"] == {"1": None, "3": None}
