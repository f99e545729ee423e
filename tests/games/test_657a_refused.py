"""What chapter 657a forbids in a round, a table or a filing, and scenarios that nobody can play."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.crazy_4_poker import Crazy4PokerSubmission
from tests.games.rounds import dealt_singly, outcome

DEALER = "Kd Jh 8c 5s 3d"
CARDS = dealt_singly("As Ac 9h 6d 2d", DEALER)
KINGS = dealt_singly("Ks Kc 9h 6d 2d", DEALER)
MAIN = {"ante": "10.00", "super_bonus": "10.00"}
ROUND: dict[str, object] = {"wagers": {"1": MAIN}, "cards": CARDS, "decisions": {"1": ["bet"]}}
FILED = {"progressive": "A"}
Case = tuple[Mapping[str, object], Mapping[str, object], int | None, str]

FORBIDDEN: dict[str, Case] = {
    "657a.7(d)(1) ante alone": ({"wagers": {"2": {"ante": "10.00"}}}, {}, 2, "OPEN"),
    "657a.7(d)(1) super bonus alone": ({"wagers": {"2": {"super_bonus": "10.00"}}}, {}, 2, "OPEN"),
    "657a.7(d)(1) super bonus below ante": ({"wagers": {"1": {**MAIN, "super_bonus": "9.99"}}}, {}, 1, "OPEN"),
    "657a.7(d)(1) super bonus above ante": ({"wagers": {"1": {**MAIN, "super_bonus": "10.01"}}}, {}, 1, "OPEN"),
    "657a.7(d)(1) below the minimum": ({}, {"minimum": "10.01"}, 1, "OPEN"),
    "657a.7(d)(1) above the maximum": ({}, {"maximum": "9.99"}, 1, "OPEN"),
    "657a.7(d)(2) queens up alone": ({"wagers": {"1": MAIN, "2": {"queens_up": "5.00"}}}, {}, 2, "OPEN"),
    "657a.7(d)(2) queens up below the minimum": (
        {"wagers": {"1": {**MAIN, "queens_up": "4.99"}}},
        {"minimum": "5.00"},
        1,
        "OPEN",
    ),
    "657a.7(d)(3) progressive alone": ({"wagers": {"1": MAIN, "2": {"progressive": "1.00"}}}, {}, 2, "OPEN"),
    "657a.7(c) play before the deal": ({"wagers": {"1": {**MAIN, "play": "10.00"}}}, {}, 1, "OPEN"),
    "657a.7(e) two positions": ({"wagers": {"1": MAIN, "2": MAIN}, "players": {"p1": [1, 2]}}, {}, None, "OPEN"),
    "657a.2(a) a seventh seat": ({"wagers": {"7": MAIN}}, {}, 7, "OPEN"),
    "657a.2(a) seven seats": ({}, {"seats": 7}, None, "RULES"),
    "657a.9(a)(1) from the hand without a shuffler": ({}, {"dealing": "from_hand", "shuffler": "none"}, None, "RULES"),
    "657a.11(b) another verb": ({"decisions": {"1": ["check"]}}, {}, 1, "DECIDING"),
    "657a.11(b) four times the ante": ({"decisions": {"1": ["bet 4"]}}, {}, 1, "DECIDING"),
    "657a.11(b) three times with kings": ({"cards": KINGS, "decisions": {"1": ["bet 3"]}}, {}, 1, "DECIDING"),
    "657a.11(b) twice with kings": ({"cards": KINGS, "decisions": {"1": ["bet 2"]}}, {}, 1, "DECIDING"),
    "657a.11(b) no decision": ({"decisions": {}}, {}, 1, "DECIDING"),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_657a_forbidden(case: str) -> None:
    changes, table, seat, stage = FORBIDDEN[case]
    document = outcome({**ROUND, **changes}, rules=FILED, table={"shuffler": "counting", **table}, game="crazy_4_poker")
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])
    assert error["message"]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_657a_11_b_a_pair_of_aces_may_wager_up_to_three_times(times: int) -> None:
    (played,) = outcome({**ROUND, "decisions": {"1": [f"bet {times}"]}}, game="crazy_4_poker")["rounds"]
    (play,) = [row for row in played["wagers"] if row["wager"] == "play"]
    assert play["staked"] == f"{10 * times}.00"


def test_657a_11_b_less_than_aces_may_wager_the_ante() -> None:
    told = outcome({**ROUND, "cards": KINGS, "decisions": {"1": ["bet 1"]}}, game="crazy_4_poker")
    assert told == outcome({**ROUND, "cards": KINGS}, game="crazy_4_poker")
    refused = outcome({**ROUND, "cards": KINGS, "decisions": {"1": ["bet 2"]}}, game="crazy_4_poker")
    assert "1 times" in refused["error"]["message"]


def test_657a_7_d_3_progressive_that_is_not_filed_is_refused() -> None:
    error = outcome({**ROUND, "wagers": {"1": {**MAIN, "progressive": "1.00"}}}, game="crazy_4_poker")["error"]
    assert (error["seat"], error["stage"], error["cite"]) == (1, "OPEN", "657a.7(d)(3)")


@pytest.mark.parametrize("kind", ["card_reader_fault", "collusion", "no_roll", "earthquake"])
def test_657a_13_knows_no_other_irregularity(kind: str) -> None:
    incident = {"at": "card 1", "kind": kind, "position": "seat 1"}
    error = outcome({**ROUND, "incidents": [incident]}, game="crazy_4_poker")["error"]
    assert kind in error["message"]


@pytest.mark.parametrize(
    ("dealing", "clause"),
    [("manual_shoe", "657a.8(b)"), ("from_hand", "657a.9(a)(3)"), ("automated_shoe", "657a.10(a)(2)")],
)
def test_657a_8_b_progressive_chips_that_differ_stop_the_table(dealing: str, clause: str) -> None:
    wagers = {"1": {**MAIN, "progressive": "1.00"}}
    incident = {"at": "lock_out", "kind": "progressive_count_mismatch", "count": 2}
    table = {"dealing": dealing, "shuffler": "plain"}
    document = outcome(
        {**ROUND, "wagers": wagers, "incidents": [incident]}, rules=FILED, table=table, game="crazy_4_poker"
    )
    (played,) = document["rounds"]
    assert (played["outcome"], played["cause"], played["cite"]) == (
        "suspended",
        "progressive_count_mismatch",
        clause,
    )


# Filing ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("table", "least", "below"), [("A", "5000.00", "4999.99"), ("B", "1000.00", "999.99")])
def test_657a_12_d_3_least_amount_of_the_meter(table: str, least: str, below: str) -> None:
    filed = {"progressive": table, "progressive_reset": below}
    (objection,) = Crazy4PokerSubmission.model_validate(filed).objections()
    assert (objection.key, objection.cite) == ("progressive_reset", "657a.12(d)(3)")
    assert not list(Crazy4PokerSubmission.model_validate({**filed, "progressive_reset": least}).objections())
    assert not list(Crazy4PokerSubmission.model_validate({**filed, "progressive": "off"}).objections())


@pytest.mark.parametrize(
    ("filed", "parts"), [("unset", None), ("21.5 %", 215_000), ("100 %", 1_000_000), ("0.0001 %", 1)]
)
def test_657a_12_d_3_rate_of_progression_is_filed(filed: str, parts: int | None) -> None:
    rules = Crazy4PokerSubmission.model_validate({"progressive": "B", "progressive_rate": filed}).filed()
    assert rules.progressive is not None
    assert rules.progressive.rate == parts
    (listed,) = [each for each in Crazy4PokerSubmission.options() if each.key == "progressive_rate"]
    assert (listed.default, listed.cite) == ("unset", "657a.12(d)(3)")


@pytest.mark.parametrize("filed", ["0 %", "100.0001 %", "21,5 %", "21.5", "21.00001 %", "-1 %", 21, ""])
def test_657a_12_d_3_rate_that_is_none(filed: object) -> None:
    with pytest.raises(ValidationError, match="rate of progression"):
        Crazy4PokerSubmission.model_validate({"progressive_rate": filed})


@pytest.mark.parametrize("filed", [{"queens_up": "off"}, {"queens_up": "E"}, {"progressive": True}, {"envy": "A"}])
def test_657a_12_only_what_the_chapter_lets_be_chosen_can_be_filed(filed: Mapping[str, object]) -> None:
    with pytest.raises(ValidationError):
        Crazy4PokerSubmission.model_validate(filed)


def test_657a_7_wagers_of_unknown_amounts_are_not_measured() -> None:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.COUNTING, 6, minimum=Money(5_00), maximum=Money(10_00))
    stakes = [Stake(1, wager, None) for wager in ("ante", "super_bonus", "queens_up")]
    assert not list(game("crazy_4_poker").check_wagers(Crazy4PokerSubmission().filed(), setup, stakes))


def test_657a_12_paytables_are_as_printed() -> None:
    listed = {(table.wager, table.id): dict(table.rows) for table in Crazy4PokerSubmission.paytables()}
    assert listed["super_bonus", "standard"] == {
        "four_aces": "200:1",
        "four_of_a_kind": "30:1",
        "straight_flush": "15:1",
        "three_of_a_kind": "2:1",
        "flush": "3:2",
        "straight": "1:1",
    }
    assert [listed["queens_up", table]["straight_flush"] for table in "ABCD"] == ["30:1", "40:1", "30:1", "40:1"]
    assert [listed["queens_up", table]["three_of_a_kind"] for table in "ABCD"] == ["9:1", "8:1", "8:1", "7:1"]
    assert [listed["progressive", table]["three_of_a_kind"] for table in "AB"] == ["9 for 1", "15 for 1"]
    assert listed["envy", "B $5"] == {"four_aces": "$500", "four_of_a_kind": "$125"}
    assert listed["envy", "A $1"] == {"four_aces": "$100", "four_of_a_kind": "$10", "straight_flush": "$5"}
