"""What chapter 655a forbids in a round, a table or a filing, and scenarios that nobody can play."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from tablectl.events import Outcome
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.mississippi_stud import MississippiStudSubmission
from tests.games.rounds import outcome

CARDS = "Jc Kd Js Th 6d"
ROUND: dict[str, object] = {
    "wagers": {"1": {"ante": "10.00"}},
    "cards": CARDS,
    "decisions": {"1": ["bet", "bet", "bet"]},
}
SIDE_BETS = {"three_card_bonus": "A", "progressive": True}
Case = tuple[Mapping[str, object], Mapping[str, object], int | None, str]

FORBIDDEN: dict[str, Case] = {
    "655a.7(d)(1) bonus alone": ({"wagers": {"2": {"three_card_bonus": "5.00"}}}, {}, 2, "OPEN"),
    "655a.7(d)(3) progressive alone": ({"wagers": {"2": {"progressive": "1.00"}}}, {}, 2, "OPEN"),
    "655a.7(d)(1) below the minimum": ({}, {"minimum": "10.01"}, 1, "OPEN"),
    "655a.7(d)(1) above the maximum": ({}, {"maximum": "9.99"}, 1, "OPEN"),
    "655a.7(d)(4) bonus below the minimum": (
        {"wagers": {"1": {"ante": "10.00", "three_card_bonus": "4.99"}}},
        {"minimum": "5.00"},
        1,
        "OPEN",
    ),
    "655a.7(c) a street before the deal": (
        {"wagers": {"1": {"ante": "10.00", "third_street": "10.00"}}},
        {},
        1,
        "OPEN",
    ),
    "655a.7(e) two positions": (
        {"wagers": {"1": {"ante": "5.00"}, "2": {"ante": "5.00"}}, "players": {"p1": [1, 2]}},
        {},
        None,
        "OPEN",
    ),
    "655a.2(a) a seventh seat": ({"wagers": {"7": {"ante": "5.00"}}}, {}, 7, "OPEN"),
    "655a.2(a) seven seats": ({}, {"seats": 7}, None, "RULES"),
    "655a.9(a)(1) from the hand without a shuffler": ({}, {"dealing": "from_hand", "shuffler": "none"}, None, "RULES"),
    "655a.11(b) another verb": ({"decisions": {"1": ["check"]}}, {}, 1, "DECIDING"),
    "655a.11(b) four times the ante": ({"decisions": {"1": ["bet 4"]}}, {}, 1, "DECIDING"),
    "655a.11(b) no multiple": ({"decisions": {"1": ["bet 0"]}}, {}, 1, "DECIDING"),
    "655a.11(d) a decision too few": ({"decisions": {"1": ["bet"]}}, {}, 1, "DECIDING"),
    "655a.11(f) an amount": ({"decisions": {"1": ["bet 3", "bet 2", "bet 10.00"]}}, {}, 1, "DECIDING"),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_655a_forbidden(case: str) -> None:
    changes, table, seat, stage = FORBIDDEN[case]
    table = {"shuffler": "counting", **table}
    document = outcome({**ROUND, **changes}, rules=SIDE_BETS, table=table, game="mississippi_stud")
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])
    assert error["message"]


@pytest.mark.parametrize(("wager", "clause"), [("three_card_bonus", "655a.7(d)(4)"), ("progressive", "655a.7(d)(3)")])
def test_655a_7_d_wagers_that_are_not_filed_are_refused(wager: str, clause: str) -> None:
    wagers = {"1": {"ante": "10.00", wager: "5.00"}}
    error = outcome({**ROUND, "wagers": wagers}, game="mississippi_stud")["error"]
    assert (error["seat"], error["stage"], error["cite"]) == (1, "OPEN", clause)


def test_655a_11_b_a_decision_too_many_is_refused() -> None:
    error = outcome({**ROUND, "decisions": {"1": ["fold", "bet"]}}, game="mississippi_stud")["error"]
    assert error["seat"] == 1


def test_655a_7_d_2_bet_is_bet_1() -> None:
    once = outcome({**ROUND, "decisions": {"1": ["bet 1", "bet 1", "bet"]}}, game="mississippi_stud")
    assert once == outcome(ROUND, game="mississippi_stud")


def test_655a_7_d_3_progressive_has_no_table_minimum() -> None:
    wagers = {"1": {"ante": "10.00", "progressive": "1.00"}}
    document = outcome(
        {**ROUND, "wagers": wagers}, rules=SIDE_BETS, table={"minimum": "10.00"}, game="mississippi_stud"
    )
    assert document["rounds"][0]["outcome"] == Outcome.COMPLETED.value


@pytest.mark.parametrize("kind", ["card_reader_fault", "house_way_wrong", "no_roll", "earthquake"])
def test_655a_13_knows_no_other_irregularity(kind: str) -> None:
    error = outcome({**ROUND, "incidents": [{"at": "card 1", "kind": kind}]}, game="mississippi_stud")["error"]
    assert kind in error["message"]


def test_655a_13_dealer_has_no_hand() -> None:
    for kind in ("card_exposed", "wrong_card_count"):
        incident = {"at": "card 5", "kind": kind, "position": "dealer"}
        found = outcome({**ROUND, "incidents": [incident]}, game="mississippi_stud")
        assert found == outcome(ROUND, game="mississippi_stud")


def test_655a_8_b_progressive_chips_that_differ_stop_the_table() -> None:
    wagers = {"1": {"ante": "10.00", "progressive": "1.00"}}
    incident = {"at": "lock_out", "kind": "progressive_count_mismatch", "count": 2}
    document = outcome({**ROUND, "wagers": wagers, "incidents": [incident]}, rules=SIDE_BETS, game="mississippi_stud")
    (played,) = document["rounds"]
    assert (played["outcome"], played["cause"], played["cite"]) == (
        "suspended",
        "progressive_count_mismatch",
        "655a.8(b)",
    )
    assert played["remedies"] == ["floor_called"]


# Filing ---------------------------------------------------------------------------------------------------------------


def test_655a_12_c_3_meter_begins_at_10000_or_more() -> None:
    (objection,) = MississippiStudSubmission.model_validate({"progressive_reset": "9999.99"}).objections()
    assert (objection.key, objection.cite) == ("progressive_reset", "655a.12(c)(3)")
    assert not list(MississippiStudSubmission.model_validate({"progressive_reset": "10000.00"}).objections())


@pytest.mark.parametrize(
    ("filed", "parts"), [("unset", None), ("21.5 %", 215_000), ("100 %", 1_000_000), ("0.0001 %", 1)]
)
def test_655a_12_c_3_rate_of_progression_is_filed(filed: str, parts: int | None) -> None:
    rules = MississippiStudSubmission.model_validate({"progressive": True, "progressive_rate": filed}).filed()
    assert rules.progressive is not None
    assert rules.progressive.rate == parts
    (listed,) = [each for each in MississippiStudSubmission.options() if each.key == "progressive_rate"]
    assert (listed.default, listed.cite) == ("unset", "655a.12(c)(3)")


@pytest.mark.parametrize("filed", ["0 %", "100.0001 %", "21,5 %", "21.5", "21.00001 %", "-1 %", 21, ""])
def test_655a_12_c_3_rate_that_is_none(filed: object) -> None:
    with pytest.raises(ValidationError, match="rate of progression"):
        MississippiStudSubmission.model_validate({"progressive_rate": filed})


@pytest.mark.parametrize("filed", [{"three_card_bonus": "E"}, {"progressive": "yes"}, {"payout_limit": "1.00"}])
def test_655a_12_d_only_what_the_chapter_lets_be_chosen_can_be_filed(filed: Mapping[str, object]) -> None:
    with pytest.raises(ValidationError):
        MississippiStudSubmission.model_validate(filed)


def test_655a_7_wagers_of_unknown_amounts_are_not_measured() -> None:
    stud = game("mississippi_stud")
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.COUNTING, 6, minimum=Money(5_00), maximum=Money(10_00))
    rules = MississippiStudSubmission.model_validate(SIDE_BETS).filed()
    assert not list(stud.check_wagers(rules, setup, [Stake(1, "ante", None), Stake(1, "three_card_bonus", None)]))


def test_655a_12_paytables_are_as_printed() -> None:
    listed = {(table.wager, table.id): dict(table.rows) for table in MississippiStudSubmission.paytables()}
    assert listed["third_street", "standard"]["pair_of_6s_to_10s"] == "push"
    assert listed["ante", "standard"]["royal_flush"] == "500:1"
    assert listed["progressive", "standard"]["straight_flush"] == "10% meter"
    assert listed["envy", "standard $5"] == {"royal_flush": "$5000", "straight_flush": "$1500"}
    assert [listed["three_card_bonus", table]["straight"] for table in "ABCD"] == ["6:1", "5:1", "5:1", "6:1"]
    assert [listed["three_card_bonus", table]["mini_royal"] for table in "ABCD"] == ["40:1", "40:1", "50:1", "50:1"]
