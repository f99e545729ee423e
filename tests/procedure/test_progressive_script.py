"""The progressive by script: lock-out, collection, awards, envies, the meter from round to round, voids."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.engine.scenario import parse
from tablectl.engine.script import play
from tests.procedure.progressive_stand_in import known

__all__ = ["known"]

pytestmark = pytest.mark.usefixtures("known")

# Seat 1: mini royal, seat 3: three of a kind, dealer: seven high.
ROYAL_AND_TRIPS = "As 9h 2c Ks 9d 5d Qs 9c 7h"
# Seat 1: mini royal, seat 2: mini royal, dealer: seven high.
TWO_ROYALS = "As Ah 2c Ks Kh 5d Qs Qh 7h"
# Seat 1: straight flush, seat 2: straight flush, dealer: seven high.
TWO_STRAIGHT_FLUSHES = "9s 9h 2c 8s 8h 5d 7s 7h 6c"
# Seat 1: jack high, seat 2: flush, dealer: seven high.
NOTHING_AND_FLUSH = "Js 9h 2c 4d 6h 5d 8c 2h 7h"


def played(game: str, *rounds: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    document = play(parse({"game": game, "table": {"shuffler": "counting"}, "round": list(rounds), **more}))
    assert "error" not in document, document["error"]
    found: list[dict[str, Any]] = document["rounds"]
    return found


def refused(game: str, *rounds: dict[str, Any], **more: Any) -> tuple[Any, ...]:
    error = play(parse({"game": game, "round": list(rounds), **more}))["error"]
    return error["seat"], error["stage"], error["message"], error["cite"]


def two(progressive: str = "1.00", cards: str = ROYAL_AND_TRIPS, other: int = 3, **more: Any) -> dict[str, Any]:
    """Two seats, both with the progressive and both playing on."""
    seats = ("1", str(other))
    return {
        "wagers": {seat: {"ante": "10.00", "progressive": progressive} for seat in seats},
        "cards": cards,
        "decisions": {seat: ["bet"] for seat in seats},
        **more,
    }


def rows(document: dict[str, Any], *wagers: str) -> list[tuple[Any, ...]]:
    return [
        (row["seat"], row["result"], row["odds"], row["paid"], row["returned"], row["collected"], row["cite"])
        for row in document["wagers"]
        if row["wager"] in wagers
    ]


# Lock-out and collection ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealing", "clause"),
    [("manual_shoe", "655a.8(b)"), ("from_hand", "655a.9(a)(3)"), ("automated_shoe", "655a.10(a)(2)")],
)
def test_655a_8_b_locked_out_and_collected_before_the_first_card(dealing: str, clause: str) -> None:
    (document,) = played(
        "like_655a", two(cards=NOTHING_AND_FLUSH, other=2), table={"shuffler": "plain", "dealing": dealing}
    )
    assert document["order"][:4] == ["no_more_bets", "lock_out", "collect_progressive", "card 1 -> seat 1"]
    (lost, *_rest) = [row for row in rows(document, "progressive") if row[1] == "lose"]
    assert lost == (1, "lose", None, "0.00", "0.00", "1.00", clause)


def test_655a_9_a_3_locked_out_even_if_nobody_wagers_on_it_and_then_nothing_is_collected() -> None:
    (document,) = played("like_655a", {"wagers": {"1": {"ante": "10.00"}}, "decisions": {"1": ["fold"]}})
    assert document["order"][:3] == ["no_more_bets", "lock_out", "card 1 -> seat 1"]


def test_progressive_that_is_not_filed_is_neither_locked_out_nor_taken() -> None:
    plain = {"wagers": {"1": {"ante": "10.00"}}, "decisions": {"1": ["fold"]}}
    (document,) = played("like_655a", plain, rules={"progressive": False})
    assert document["order"][:2] == ["no_more_bets", "card 1 -> seat 1"]
    assert refused("like_655a", two(), rules={"progressive": False}) == (
        *(1, "OPEN", "progressive: it is not offered"),
        "655a.7",
    )
    metered = {**plain, "meter": "10000.00"}
    message = "meter: Like 655a has no use for it"
    assert refused("like_655a", metered, rules={"progressive": False}) == (None, "OPEN", message, None)


def test_progressive_that_is_out_of_service_takes_no_wagers() -> None:
    table = {"devices": {"progressive": "out_of_service"}}
    assert refused("like_655a", two(), table=table)[2] == "progressive: its system is out of service"
    plain = {"wagers": {"1": {"ante": "10.00"}}, "decisions": {"1": ["fold"]}}
    for document in played("like_655a", plain, plain, table=table):
        assert document["order"][:2] == ["no_more_bets", "card 1 -> seat 1"]


def test_655a_7_d_3_progressive_needs_an_ante() -> None:
    script = {"wagers": {"2": {"pair_plus": "5.00", "progressive": "1.00"}}}
    assert refused("like_655a", script) == (2, "OPEN", "progressive needs an ante", "655a.7(d)(3)")


@pytest.mark.parametrize(("game", "clause"), [("like_655a", "655a.8(b)"), ("like_670a", "670a.8(b)(2)")])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_count_that_differs_from_the_chips_stops_the_deal(game: str, clause: str, count: int) -> None:
    incidents = [{"at": "lock_out", "kind": "progressive_count_mismatch", "count": count}]
    suspended, after = played(game, two(incidents=incidents, decisions={}), two())
    assert (suspended["outcome"], suspended["cause"], suspended["cite"]) == (
        *("suspended", "progressive_count_mismatch"),
        clause,
    )
    assert suspended["remedies"] == ["floor_called"]
    assert suspended["order"] == ["no_more_bets", "lock_out"]
    assert suspended["wagers"] == []
    assert suspended["net"] == {"1": "0.00", "3": "0.00"}
    assert suspended["deck"]["disposition"] == "continue"
    assert after["outcome"] == "completed"


def test_count_that_is_the_number_of_chips_is_no_mismatch() -> None:
    incidents = [{"at": "lock_out", "kind": "progressive_count_mismatch", "count": 2}]
    (document,) = played("like_655a", two(incidents=incidents))
    assert document["outcome"] == "completed"
    assert document["remedies"] == []


def test_mismatch_that_is_noticed_elsewhere_is_recorded_and_no_more() -> None:
    incidents = [{"at": "card 3", "kind": "progressive_count_mismatch", "count": 1}]
    (document,) = played("like_655a", two(incidents=incidents))
    assert (document["outcome"], document["remedies"]) == ("completed", [])


def test_late_wager_at_the_lock_out_is_not_recognised() -> None:
    incidents = [{"at": "lock_out", "kind": "late_wager", "position": "seat 3"}]
    (document,) = played("like_655a", two(incidents=incidents))
    assert (document["outcome"], document["remedies"]) == ("completed", [])
    assert document["order"][:3] == ["no_more_bets", "lock_out", "collect_progressive"]


# Awards ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["like_655a", "like_670a"])
def test_whole_meter_is_paid_and_leaves_the_reset_amount(game: str) -> None:
    first, second = played(game, two(meter="12345.67"), two())
    (award, trips) = rows(first, "progressive")
    assert award == (1, "win", "100% meter", "12345.67", "0.00", "1.00", "655a.12(c)(1)")
    assert trips == (3, "win", "300 for 1", "300.00", "0.00", "1.00", "655a.12(c)(1)")
    assert first["net"]["1"] == "12354.67"  # 10.00 of the ante and the meter, less the wager that is in the tray
    assert rows(second, "progressive")[0][3] == "10000.00"


def test_reset_amount_is_what_was_filed() -> None:
    _first, second = played("like_655a", two(meter="40000.00"), two(), rules={"progressive_reset": "15000.00"})
    assert rows(second, "progressive")[0][3] == "15000.00"


def test_meter_begins_at_the_initial_amount() -> None:
    (document,) = played("like_655a", two())
    assert rows(document, "progressive")[0][3] == "10000.00"


@pytest.mark.parametrize("game", ["like_655a", "like_670a"])
def test_655a_12_c_4_second_whole_meter_in_counterclockwise_order_gets_the_reset_amount(game: str) -> None:
    (document,) = played(game, two(cards=TWO_ROYALS, other=2, meter="33333.33"))
    assert [(row[0], row[3]) for row in rows(document, "progressive")] == [(1, "10000.00"), (2, "33333.33")]


def test_smaller_share_is_paid_to_the_cent_below_and_taken_off() -> None:
    # 10 % of 10000.05 is 1000.005; of the 9000.05 that are left it is 900.005, and of 8100.05 it is 810.005.
    script = two(cards=TWO_STRAIGHT_FLUSHES, other=2)
    first, second = played("like_655a", {**script, "meter": "10000.05"}, script)
    assert [(row[0], row[2], row[3]) for row in rows(first, "progressive")] == [
        (1, "10% meter", "900.00"),
        (2, "10% meter", "1000.00"),
    ]
    assert [(row[0], row[3]) for row in rows(second, "progressive")] == [(1, "729.00"), (2, "810.00")]


def test_what_the_round_before_left_is_what_it_said_if_nobody_won() -> None:
    nobody = two(cards=NOTHING_AND_FLUSH, other=2, meter="20000.00")
    _first, second = played("like_655a", nobody, two())
    assert rows(second, "progressive")[0][3] == "20000.00"


def test_odds_for_one_and_envies_leave_the_meter_alone() -> None:
    flush = two(cards=NOTHING_AND_FLUSH, other=2, progressive="5.00")
    first, second = played("like_655a", {**flush, "meter": "10500.00"}, two())
    assert rows(first, "progressive") == [
        (1, "lose", None, "0.00", "0.00", "5.00", "655a.8(b)"),
        (2, "win", "9 for 1", "45.00", "0.00", "5.00", "655a.12(c)(1)"),
    ]
    assert rows(second, "progressive")[0][3] == "10500.00"
    third = played("like_655a", two(meter="10500.00"), two())[1]
    assert rows(third, "progressive")[0][3] == "10000.00"


def test_670a_11_h_3_i_a_losing_progressive_has_its_own_clause() -> None:
    (document,) = played("like_670a", two(cards=NOTHING_AND_FLUSH, other=2))
    assert rows(document, "progressive")[0][-1] == "670a.11(h)(3)(i)(A)"


def test_655a_11_i_4_settled_at_each_seats_turn() -> None:
    (document,) = played("like_655a", two())
    tail = document["order"][document["order"].index("expose dealer") + 1 :]
    assert tail == [
        *("expose seat 3", "settle 3 ante", "settle 3 play", "settle 3 progressive"),
        *("expose seat 1", "settle 1 ante", "settle 1 play", "settle 1 progressive"),
        "settle 3 envy",
    ]


def test_670a_11_h_3_ii_envies_after_all_progressives() -> None:
    (document,) = played("like_670a", two(cards=TWO_ROYALS, other=2))
    assert document["order"][-4:] == ["settle 2 progressive", "settle 1 progressive", "settle 2 envy", "settle 1 envy"]


# Envies ---------------------------------------------------------------------------------------------------------------


def envies(document: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (row["seat"], row["on"], row["odds"], row["paid"], row["staked"], row["cite"])
        for row in document["wagers"]
        if row["wager"] == "envy"
    ]


def test_655a_12_c_5_envy_by_the_amount_of_the_wager_one_row_for_each_hand() -> None:
    script = {
        "wagers": {
            "1": {"ante": "10.00", "progressive": "1.00"},
            "2": {"ante": "10.00", "progressive": "5.00"},
            "4": {"ante": "10.00"},  # no wager, no envy, but its hand counts
        },
        # seat 1: mini royal, seat 2: straight flush, seat 4: straight flush, dealer: seven high
        "cards": "As 9h 6d 2c Ks 8h 5d 5c Qs 7h 4d 7s",
        "decisions": {"1": ["bet"], "2": ["bet"], "4": ["bet"]},
    }
    for game in ("like_655a", "like_670a"):
        (document,) = played(game, script)
        assert sorted(envies(document)) == [
            (1, 2, "$300", "300.00", "0.00", "655a.12(c)(5)"),
            (1, 4, "$300", "300.00", "0.00", "655a.12(c)(5)"),
            (2, 1, "$5000", "5000.00", "0.00", "655a.12(c)(5)"),
            (2, 4, "$1500", "1500.00", "0.00", "655a.12(c)(5)"),
        ]


def test_655a_11_h_fold_loses_the_progressive_and_not_the_envy() -> None:
    script = two(decisions={"1": ["bet"], "3": ["fold"]}, meter="20000.00")
    (document,) = played("like_655a", script)
    assert rows(document, "progressive") == [
        (1, "win", "100% meter", "20000.00", "0.00", "1.00", "655a.12(c)(1)"),
        (3, "forfeited", None, "0.00", "0.00", "1.00", "655a.11(h)"),
    ]
    assert envies(document) == [(3, 1, "$1000", "1000.00", "0.00", "655a.12(c)(5)")]


def test_nobody_gets_an_envy_for_the_own_hand_or_without_a_wager() -> None:
    script = two()
    del script["wagers"]["3"]["progressive"]
    (document,) = played("like_655a", script)
    assert envies(document) == []


# Voids ----------------------------------------------------------------------------------------------------------------


def test_void_gives_the_collected_wagers_back_from_the_tray() -> None:
    incidents = [{"at": "decision 3", "kind": "card_exposed", "position": "dealer"}]
    void = two(incidents=incidents, decisions={"1": ["bet"]}, progressive="5.00")
    first, second = played("like_655a", {**void, "meter": "11111.11"}, two())
    assert (first["outcome"], first["remedies"]) == ("void", ["wagers_returned", "cards_reshuffled"])
    assert rows(first, "progressive") == [
        (1, "void", None, "0.00", "5.00", "0.00", "565.13(d)"),
        (3, "void", None, "0.00", "5.00", "0.00", "565.13(d)"),
    ]
    assert first["net"] == {"1": "0.00", "3": "0.00"}
    settled = [act for act in first["order"] if act.startswith("settle")]
    assert settled == [
        "settle 3 ante",
        "settle 3 progressive",
        "settle 1 ante",
        "settle 1 play",
        "settle 1 progressive",
    ]
    assert rows(second, "progressive")[0][3] == "11111.11"  # as it showed, though nobody looked


def test_void_after_an_award_leaves_the_meter_as_it_was_before_it() -> None:
    incidents = [{"at": "settle 1", "kind": "wrong_card_count", "position": "dealer"}]
    void = two(cards=TWO_ROYALS, other=2, incidents=incidents, meter="30000.00")
    first, second = played("like_655a", void, two())
    assert first["outcome"] == "void"
    assert "settle 2 progressive" in first["order"]
    assert {row[1] for row in rows(first, "progressive")} == {"void"}
    assert envies(first) == []
    assert rows(second, "progressive")[0][3] == "30000.00"


# The extra roll -------------------------------------------------------------------------------------------------------


EXTRA = {
    "wagers": {str(seat): {"ante": "10.00", "extra_roll": "10.00"} for seat in (1, 2)},
    "cards": NOTHING_AND_FLUSH,
    "decisions": {"1": ["bet"], "2": ["bet"]},
}


def test_675a_4_a_extra_roll_is_the_houses_when_it_is_collected() -> None:
    (document,) = played("with_fee", EXTRA)
    assert document["order"][:5] == [
        *("no_more_bets", "lock_out", "settle 2 extra_roll", "settle 1 extra_roll", "card 1 -> seat 1")
    ]
    assert rows(document, "extra_roll") == [
        (seat, "lose", None, "0.00", "0.00", "10.00", "675a.4(a)") for seat in (1, 2)
    ]


def test_675a_4_a_no_lock_out_without_an_extra_roll() -> None:
    (document,) = played("with_fee", {"wagers": {"1": {"ante": "10.00"}}, "decisions": {"1": ["fold"]}})
    assert document["order"][:2] == ["no_more_bets", "card 1 -> seat 1"]


def test_void_gives_the_extra_roll_back_too() -> None:
    incidents = [{"at": "reveal", "kind": "wrong_card_count", "position": "seat 1"}]
    (document,) = played("with_fee", {**EXTRA, "incidents": incidents})
    assert rows(document, "extra_roll") == [
        (seat, "void", None, "0.00", "10.00", "0.00", "565.13(c)") for seat in (1, 2)
    ]
    assert document["net"] == {"1": "0.00", "2": "0.00"}
