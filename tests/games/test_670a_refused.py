"""What chapter 670a forbids in a round, a table or a filing, and scenarios that nobody can play."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from tablectl.events import LammersPlaced
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import PlaceLammers, Stake
from tablectl.rules.six_card_fortune_pai_gow import SixCardFortunePaiGowSubmission
from tests.games.by_hand_670a import Round, Seat, script
from tests.games.rounds import outcome

GAME = "six_card_fortune_pai_gow"
HAND = ["Ts", "Th", "Ad", "8d", "6c", "3h"]
PLAYED = Round([Seat(1, HAND, 1000)], ["9s", "9d", "Kh", "7c", "5d", "2c"])
ROUND = {key: told for key, told in script(PLAYED).items() if key != "meter"}
MAIN = {"pai_gow": "10.00"}
FILED = {"double_down": True, "fortune_bonus": True, "insurance": True, "progressive": True}
Case = tuple[Mapping[str, object], Mapping[str, object], int | None, str]


def beside(**wagers: str) -> dict[str, object]:
    """Seat 1 with these wagers beside the main one."""
    return {"wagers": {"1": {**MAIN, **wagers}}}


def alone(wager: str) -> dict[str, object]:
    """Seat 2 with that wager and no other."""
    return {"wagers": {"1": MAIN, "2": {wager: "5.00"}}}


FORBIDDEN: dict[str, Case] = {
    "670a.7(e)(2) fortune bonus alone": (alone("fortune_bonus"), {}, 2, "OPEN"),
    "670a.7(e)(3) insurance alone": (alone("insurance"), {}, 2, "OPEN"),
    "670a.7(e)(4) progressive alone": (alone("progressive"), {}, 2, "OPEN"),
    "670a.7(d) below the minimum": ({}, {"minimum": "10.01"}, 1, "OPEN"),
    "670a.7(d) above the maximum": ({}, {"maximum": "9.99"}, 1, "OPEN"),
    "670a.7(e)(2) fortune bonus above the maximum": (beside(fortune_bonus="10.01"), {"maximum": "10.00"}, 1, "OPEN"),
    "670a.7(e)(3) insurance below the minimum": (beside(insurance="4.99"), {"minimum": "5.00"}, 1, "OPEN"),
    "670a.7(c) double down before the deal": (beside(double_down="10.00"), {}, 1, "OPEN"),
    "670a.7(f) two positions that is not filed": (
        {"wagers": {"1": MAIN, "2": MAIN}, "players": {"p1": [1, 2]}},
        {},
        None,
        "OPEN",
    ),
    "670a.2(a) a seventh seat": ({"wagers": {"7": MAIN}}, {}, 7, "OPEN"),
    "670a.8(e) seven positions": ({}, {"seats": 7}, None, "RULES"),
    "670a.8(e) five positions": ({}, {"seats": 5}, None, "RULES"),
    "670a.9(a)(1) from the hand without a shuffler": ({}, {"dealing": "from_hand", "shuffler": "none"}, None, "RULES"),
    "670a.11(c) another verb": ({"decisions": {"1": ["double"]}}, {}, 1, "DECIDING"),
    "670a.11(b) another verb": ({"decisions": {"1": ["double_down", "fold"]}}, {}, 1, "DECIDING"),
    "670a.11(b) a card that it has not": ({"decisions": {"1": ["double_down", "set 2c"]}}, {}, 1, "DECIDING"),
    "670a.11(b) no card": ({"decisions": {"1": ["double_down", "set"]}}, {}, 1, "DECIDING"),
    "670a.11(b) two cards": ({"decisions": {"1": ["double_down", "set Ts Th"]}}, {}, 1, "DECIDING"),
    "670a.11(b) no decision": ({"decisions": {"1": ["double_down"]}}, {}, 1, "DECIDING"),
    "670a.5(i)(1) no dice": ({"dice": []}, {}, None, "LOCKED"),
    "670a.5(i)(1) two dice": ({"dice": ["1 2"]}, {}, None, "LOCKED"),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_670a_forbidden(case: str) -> None:
    changes, table, seat_, stage = FORBIDDEN[case]
    document = outcome({**ROUND, **changes}, rules=FILED, table={"shuffler": "counting", **table}, game=GAME)
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat_, stage, case.partition(" ")[0])
    assert error["message"]


@pytest.mark.parametrize(
    ("wager", "clause"),
    [("fortune_bonus", "670a.7(e)(2)"), ("insurance", "670a.7(e)(3)"), ("progressive", "670a.7(e)(4)")],
)
def test_670a_7_e_what_is_not_filed_is_refused(wager: str, clause: str) -> None:
    filed = {**FILED, wager: False}
    error = outcome({**ROUND, **beside(**{wager: "5.00"})}, rules=filed, game=GAME)["error"]
    assert (error["seat"], error["stage"], error["cite"]) == (1, "OPEN", clause)


def test_670a_7_e_1_double_down_that_is_not_filed_is_not_offered() -> None:
    error = outcome(ROUND, rules={**FILED, "double_down": False}, game=GAME)["error"]
    assert (error["seat"], error["stage"], error["cite"]) == (1, "DECIDING", "670a.11(b)")
    assert "no_double_down" in error["message"]


@pytest.mark.parametrize("seats", [[1, 3], [1, 2, 3]])
def test_670a_7_f_one_player_has_two_adjacent_positions_at_the_most(seats: list[int]) -> None:
    told = {**ROUND, "wagers": {str(number): MAIN for number in seats}, "players": {"p1": seats}}
    error = outcome(told, rules={**FILED, "adjacent_positions": True}, game=GAME)["error"]
    assert (error["seat"], error["cite"]) == (None, "670a.7(f)")


@pytest.mark.parametrize("number", [0, 8])
def test_670a_5_i_2_the_generator_chooses_from_one_to_seven(number: int) -> None:
    told = {**ROUND, "dice": [], "rng": [number]}
    error = outcome(told, rules={**FILED, "starting_position": "rng"}, game=GAME)["error"]
    assert (error["stage"], error["cite"]) == ("LOCKED", "670a.5(i)(2)")


@pytest.mark.parametrize("kind", ["card_reader_fault", "collusion", "die_off_table", "stacks_not_alternated"])
def test_670a_13_knows_no_other_irregularity(kind: str) -> None:
    incident = {"at": "card 1", "kind": kind, "position": "seat 1"}
    error = outcome({**ROUND, "incidents": [incident]}, rules=FILED, game=GAME)["error"]
    assert kind in error["message"]


@pytest.mark.parametrize(
    ("dealing", "clause"),
    [
        ("manual_shoe", "670a.8(b)(2)"),
        ("from_hand", "670a.9(a)(3)(ii)"),
        ("automated_shoe", "670a.10(a)(2)(ii)"),
    ],
)
def test_670a_8_b_2_progressive_chips_that_differ_stop_the_table(dealing: str, clause: str) -> None:
    incident = {"at": "lock_out", "kind": "progressive_count_mismatch", "count": 2}
    told = {**ROUND, **beside(progressive="1.00"), "incidents": [incident]}
    document = outcome(told, rules=FILED, table={"dealing": dealing, "shuffler": "plain"}, game=GAME)
    (played,) = document["rounds"]
    assert (played["outcome"], played["cause"], played["cite"]) == ("suspended", "progressive_count_mismatch", clause)
    assert not [act for act in played["order"] if act.startswith(("throw", "card"))]


# Filing ---------------------------------------------------------------------------------------------------------------


def test_670a_12_d_2_least_amount_of_the_meter() -> None:
    (objection,) = SixCardFortunePaiGowSubmission.model_validate({"progressive_reset": "4999.99"}).objections()
    assert (objection.key, objection.cite) == ("progressive_reset", "670a.12(d)(2)")
    assert not list(SixCardFortunePaiGowSubmission.model_validate({"progressive_reset": "5000.00"}).objections())


@pytest.mark.parametrize(
    "filed", [{"starting_position": "button"}, {"progressive": "A"}, {"house_way": "shipped"}, {"fortune_bonus": 1}]
)
def test_670a_only_what_the_chapter_lets_be_chosen_can_be_filed(filed: Mapping[str, object]) -> None:
    with pytest.raises(ValidationError):
        SixCardFortunePaiGowSubmission.model_validate(filed)


def test_670a_7_wagers_of_unknown_amounts_are_not_measured() -> None:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.COUNTING, 6, minimum=Money(5_00), maximum=Money(10_00))
    stakes = [Stake(1, wager, None) for wager in ("pai_gow", "fortune_bonus", "insurance")]
    rules = SixCardFortunePaiGowSubmission.model_validate(FILED).filed()
    assert not list(game(GAME).check_wagers(rules, setup, stakes))


def test_670a_12_paytables_are_as_printed() -> None:
    listed = {(table.wager, table.id): (table.cite, dict(table.rows)) for table in game(GAME).submission.paytables()}
    assert listed["pai_gow", "standard"] == listed["double_down", "standard"] == ("670a.12(a)", {"win": "1:1"})
    hands = ("five_aces", "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight")

    def of(*paid: str) -> dict[str, str]:
        return dict(zip((*hands, "three_of_a_kind"), paid, strict=False))

    assert listed["fortune_bonus", "standard"] == (
        "670a.12(b)(1)",
        of("1000:1", "250:1", "100:1", "50:1", "15:1", "10:1", "8:1", "5:1"),
    )
    envy = "670a.12(b)(2)"
    assert listed["fortune_envy", "standard $1"] == (envy, of("$1000", "$200", "$50", "$15", "$5"))
    assert listed["fortune_envy", "standard $5"] == (envy, of("$5000", "$1000", "$250", "$75", "$25"))
    ranks = ("eight", "nine", "ten", "jack", "queen", "king")
    odds = ("100:1", "30:1", "10:1", "7:1", "4:1", "3:1")
    high = {f"{rank}_high": paid for rank, paid in zip(ranks, odds, strict=True)}
    assert listed["insurance", "standard"] == ("670a.12(c)", high)
    assert listed["progressive", "standard"] == (
        "670a.12(d)(1)",
        of("100% meter", "10% meter", "300 for 1", "150 for 1", "15 for 1", "6 for 1", "3 for 1"),
    )
    envy = "670a.12(d)(4)"
    assert listed["progressive_envy", "standard $1"] == (envy, of("$100", "$50", "$10", "$5"))
    assert listed["progressive_envy", "standard $5"] == (envy, of("$500", "$250", "$50", "$25"))
    assert len(listed) == 9


def test_670a_8_b_1_lammers_are_on_record_as_they_lie() -> None:
    (lammers,) = PlaceLammers((1,), (4,), "670a.8(b)(1)").events((1, 4))
    assert isinstance(lammers, LammersPlaced)
    assert lammers.seats == (1, 4)
