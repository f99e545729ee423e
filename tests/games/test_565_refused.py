"""What chapter 565 or the filed rules forbid, and documents that are not well formed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablectl.errors import ScenarioError
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.three_card_poker import ThreeCardPokerSubmission
from tests.games.rounds import dealt_singly, outcome

HAND = dealt_singly("Kh 9d 4c", "Qs 8h 3d")
ANTE: dict[str, Any] = {"wagers": {"1": {"ante": "10.00"}}, "cards": HAND, "decisions": {"1": ["bet"]}}


def wagers(**seats: dict[str, str]) -> dict[str, object]:
    return {**ANTE, "wagers": {seat.removeprefix("seat_"): placed for seat, placed in seats.items()}}


def version(name: str) -> dict[str, object]:
    return {"version": name}


EQUAL, HALF, BOTH = "pair_plus_needs_equal_ante", "pair_plus_needs_half_ante", "both_required"

Keys = Mapping[str, object]

FORBIDDEN: dict[str, tuple[Keys, Keys, Keys, int | None, str]] = {
    "565.2(a) a decision of an eighth seat": ({**ANTE, "decisions": {"1": ["bet"], "8": ["bet"]}}, {}, {}, 8, "OPEN"),
    "565.7(a)(1) ante below the minimum": (wagers(seat_1={"ante": "9.99"}), {}, {"minimum": "10.00"}, 1, "OPEN"),
    "565.7(a)(1) ante above the maximum": (wagers(seat_2={"ante": "10.01"}), {}, {"maximum": "10.00"}, 2, "OPEN"),
    "565.7(a)(2) pair plus below the minimum": (
        wagers(seat_1={"ante": "10.00", "pair_plus": "5.00"}),
        {},
        {"minimum": "10.00"},
        1,
        "OPEN",
    ),
    "565.7(a)(2) pair plus above the maximum": (
        wagers(seat_1={"pair_plus": "10.01"}),
        {},
        {"maximum": "10.00"},
        1,
        "OPEN",
    ),
    "565.7(a) play before the deal": (wagers(seat_1={"ante": "10.00", "play": "10.00"}), {}, {}, 1, "OPEN"),
    "565.7(a) bonus is no wager": (wagers(seat_1={"ante_bonus": "10.00"}), {}, {}, 1, "OPEN"),
    "565.7(a) nobody wagers": ({"wagers": {}}, {}, {}, None, "OPEN"),
    "565.7(f)(1) ante below pair plus": (
        wagers(seat_1={"ante": "9.99", "pair_plus": "10.00"}),
        version(EQUAL),
        {},
        1,
        "OPEN",
    ),
    "565.7(f)(1) pair plus alone": (wagers(seat_1={"pair_plus": "10.00"}), version(EQUAL), {}, 1, "OPEN"),
    "565.7(f)(2) ante below half": (
        wagers(seat_1={"ante": "10.00"}, seat_3={"ante": "4.99", "pair_plus": "10.00"}),
        version(HALF),
        {},
        3,
        "OPEN",
    ),
    "565.7(f)(2) pair plus alone": (wagers(seat_1={"pair_plus": "10.00"}), version(HALF), {}, 1, "OPEN"),
    "565.7(f)(3) ante over five times": (
        wagers(seat_1={"ante": "25.01", "pair_plus": "5.00"}),
        version(BOTH),
        {},
        1,
        "OPEN",
    ),
    "565.7(f)(3) pair plus over five times": (
        wagers(seat_1={"ante": "5.00", "pair_plus": "25.01"}),
        version(BOTH),
        {},
        1,
        "OPEN",
    ),
    "565.7(f)(3) ante alone": (wagers(seat_1={"ante": "5.00"}), version(BOTH), {}, 1, "OPEN"),
    "565.7(f)(3) pair plus alone": (wagers(seat_1={"pair_plus": "5.00"}), version(BOTH), {}, 1, "OPEN"),
    "565.2(a) an eighth seat": (wagers(seat_8={"ante": "5.00"}), {}, {}, 8, "OPEN"),
    "565.2(a) a seat that this table lacks": (wagers(seat_6={"ante": "5.00"}), {}, {"seats": 5}, 6, "OPEN"),
    "565.2(a) a table for eight": (ANTE, {}, {"seats": 8}, None, "RULES"),
    "565.9(a)(1) from the hand without a shuffler": (ANTE, {}, {"dealing": "from_hand"}, None, "RULES"),
    "565.12(d) pair plus odds too low": (ANTE, {"pair_plus_paytable": {"flush": "2:1"}}, {}, None, "RULES"),
    "565.12(d) a fraction too low": (ANTE, {"pair_plus_paytable": {"straight": "499:100"}}, {}, None, "RULES"),
    "565.12(d) odds for one": (ANTE, {"pair_plus_paytable": {"straight": "6 for 1"}}, {}, None, "RULES"),
    "565.7(e) two positions are not filed": (
        {**wagers(seat_1={"ante": "5.00"}, seat_2={"ante": "5.00"}), "players": {"p1": [1, 2]}},
        {},
        {},
        None,
        "OPEN",
    ),
    "565.7(e) not adjacent": (
        {**wagers(seat_1={"ante": "5.00"}, seat_3={"ante": "5.00"}), "players": {"p1": [1, 3]}},
        {"adjacent_positions": True},
        {},
        None,
        "OPEN",
    ),
    "565.7(e) three positions": (
        {
            **wagers(seat_1={"ante": "5.00"}, seat_2={"ante": "5.00"}, seat_3={"ante": "5.00"}),
            "players": {"p1": [1, 2, 3]},
        },
        {"adjacent_positions": True},
        {},
        None,
        "OPEN",
    ),
    "565.2(a) a player at a seat that is not there": (
        {**wagers(seat_7={"ante": "5.00"}), "players": {"p1": [7, 8]}},
        {"adjacent_positions": True},
        {},
        8,
        "OPEN",
    ),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_565_forbidden(case: str) -> None:
    script, rules, table, seat, stage = FORBIDDEN[case]
    document = outcome(script, rules=rules, table=table)
    error = document["error"]
    assert document["rounds"] == []
    assert set(error) == {"seat", "stage", "message", "cite"}
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])
    assert error["message"]


WRONG: dict[str, tuple[Mapping[str, object], int | None, str, tuple[str, ...]]] = {
    "another verb": ({"decisions": {"1": ["check"]}}, 1, "DECIDING", ("check", "bet", "fold")),
    "a multiple of the ante": ({"decisions": {"1": ["bet 2"]}}, 1, "DECIDING", ("bet 2",)),
    "a fold with a number": ({"decisions": {"1": ["fold 1"]}}, 1, "DECIDING", ("fold 1",)),
    "an empty decision": ({"decisions": {"1": [""]}}, 1, "DECIDING", ("bet", "fold")),
    "a decision is missing": ({"decisions": {}}, 1, "DECIDING", ("bet", "fold")),
    "a decision too many": ({"decisions": {"1": ["bet", "bet"]}}, 1, "DECIDING", ("bet",)),
    "a seat that does not take part": ({"decisions": {"1": ["bet"], "2": ["bet"]}}, 2, "DECIDING", ("bet",)),
    "a kind that is not in the chapter": (
        {"incidents": [{"at": "card 1", "kind": "card_reader_fault"}]},
        None,
        "OPEN",
        ("565", "card_reader_fault"),
    ),
    "a kind that is nowhere": ({"incidents": [{"at": "card 1", "kind": "earthquake"}]}, None, "OPEN", ("earthquake",)),
    "a moment that does not come": (
        {"incidents": [{"at": "card 7", "kind": "power_loss"}]},
        None,
        "CLOSED",
        ("card 7", "power_loss"),
    ),
    "a second question that is not asked": (
        {"incidents": [{"at": "decision 1.2", "kind": "power_loss"}]},
        None,
        "CLOSED",
        ("decision 1.2",),
    ),
    "a count that is not due": ({"incidents": [{"at": "count", "kind": "power_loss"}]}, None, "CLOSED", ("count",)),
    "dice": ({"dice": ["1 2 3"]}, None, "CLOSED", ("dice",)),
    "a meter": ({"meter": "10000.00"}, None, "OPEN", ("meter",)),
    "a cut": ({"cut": {"1": "cut"}}, None, "OPEN", ("cut",)),
    "stacks": ({"stacks": {"1": "10.00"}}, None, "OPEN", ("stacks",)),
}


@pytest.mark.parametrize("case", WRONG)
def test_565_scenario_that_cannot_be_played(case: str) -> None:
    """Seat, stage and what was expected are named, and the rounds before it are there."""
    changes, seat, stage, words = WRONG[case]
    document = outcome(ANTE, {**ANTE, **changes}, ANTE)
    assert len(document["rounds"]) == 1
    assert (document["error"]["seat"], document["error"]["stage"]) == (seat, stage)
    assert all(word in document["error"]["message"] for word in words), document["error"]


def objections(version: str, *stakes: Stake) -> list[tuple[int, str]]:
    filed = ThreeCardPokerSubmission.model_validate({"version": version}).filed()
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 7, minimum=Money(1000), maximum=Money(5000))
    return [(seat, objection.cite) for seat, objection in game("three_card_poker").check_wagers(filed, setup, stakes)]


def test_565_7_where_only_presence_is_known_no_amount_is_judged() -> None:
    """Sensors without amounts: what is missing is seen, a limit or a ratio is not; known amounts beside them are."""
    ante, pair_plus = Stake(1, "ante", None), Stake(1, "pair_plus", None)
    for name in ("standard", EQUAL, HALF, BOTH):
        assert objections(name, ante, pair_plus) == []
    assert objections(BOTH, ante) == [(1, "565.7(f)(3)")]
    assert objections(EQUAL, pair_plus) == [(1, "565.7(f)(1)")]
    assert objections("standard", ante, Stake(2, "ante", Money(999))) == [(2, "565.7(a)(1)")]


def test_565_7_every_objection_is_told() -> None:
    stakes = (Stake(1, "ante", Money(999)), Stake(2, "ante", Money(2000)), Stake(2, "pair_plus", Money(5001)))
    assert objections(EQUAL, *stakes) == [(1, "565.7(a)(1)"), (2, "565.7(a)(2)"), (2, "565.7(f)(1)")]


def test_565_11_b_pair_plus_alone_is_not_asked() -> None:
    script = {"wagers": {"1": {"pair_plus": "5.00"}}, "cards": HAND, "decisions": {"1": ["bet"]}}
    error = outcome(script)["error"]
    assert (error["seat"], error["stage"]) == (1, "DECIDING")
    assert "not asked" in error["message"]


def test_565_11_b_bet_with_one_is_bet() -> None:
    assert outcome({**ANTE, "decisions": {"1": ["bet 1"]}}) == outcome(ANTE)


def test_565_13_g_a_method_that_the_chapter_forbids_does_not_replace_another() -> None:
    incident = {"at": "shuffle", "kind": "shuffler_out_of_service", "then": "from_hand"}
    document = outcome({**ANTE, "incidents": [incident]}, table={"shuffler": "plain"})
    assert document["rounds"] == []
    assert document["error"]["cite"] == "565.9(a)(1)"


NOT_WELL_FORMED: dict[str, tuple[dict[str, object], str]] = {
    "unknown key": ({"colour": "red"}, "colour"),
    "no such card": ({"cards": "Kh 1s"}, "1s"),
    "a joker": ({"cards": "Kh Xj"}, "Xj"),
    "a card twice": ({"cards": "Kh 9d Kh"}, "Kh"),
    "a card twice, once face up": ({"cards": "Kh 9d ^Kh"}, "Kh"),
    "cards as a list": ({"cards": ["Kh"]}, "cards"),
    "a number as money": ({"wagers": {"1": {"ante": 10}}}, "ante"),
    "money without cents": ({"wagers": {"1": {"ante": "10"}}}, "10"),
    "no money at all": ({"wagers": {"1": {"ante": "0.00"}}}, "ante"),
    "negative money": ({"wagers": {"1": {"ante": "-1.00"}}}, "-1.00"),
    "a seat without wagers": ({"wagers": {"1": {}}}, "seat 1"),
    "seat zero": ({"wagers": {"0": {"ante": "1.00"}}}, "wagers"),
    "a seat with a nought": ({"wagers": {"01": {"ante": "1.00"}}}, "wagers.01"),
    "a seat in two ways of writing": ({"wagers": {"1": {"ante": "1.00"}, "01": {"ante": "5.00"}}}, "'01' is no seat"),
    "a seat with a blank": ({"decisions": {" 1": ["bet"]}}, "decisions"),
    "a truth value as text": (
        {"incidents": [{"at": "card 1", "kind": "drawn_in_error", "exposed": "yes"}]},
        "exposed",
    ),
    "a number as text": ({"incidents": [{"at": "count", "kind": "deck_count", "count": "51"}]}, "count"),
    "no such moment": ({"incidents": [{"at": "card zero", "kind": "power_loss"}]}, "card zero"),
    "no such position": (
        {"incidents": [{"at": "card 1", "kind": "card_exposed", "position": "seat 99"}]},
        "seat 99",
    ),
    "a stack where no stacks are made": (
        {"incidents": [{"at": "card 1", "kind": "card_exposed", "position": "stack 1"}]},
        "card_exposed at card 1: position: Three Card Poker has no stack 1",
    ),
    "an exposed card of nobody": ({"incidents": [{"at": "card 1", "kind": "card_exposed"}]}, "position"),
    "a wrong number of cards of nobody": ({"incidents": [{"at": "card 1", "kind": "wrong_card_count"}]}, "position"),
    "nobody left": ({"incidents": [{"at": "card 1", "kind": "player_left"}]}, "position"),
    "a count without a number": ({"incidents": [{"at": "count", "kind": "deck_count"}]}, "count"),
    "a misdeal of nobody": (
        {"incidents": [{"at": "count", "kind": "deck_count", "count": 51, "misdealt": True}]},
        "misdealt",
    ),
    "a misdeal with a whole deck": (
        {"incidents": [{"at": "count", "kind": "deck_count", "count": 52, "misdealt": True, "position": "seat 1"}]},
        "misdealt",
    ),
    "two players at one seat": ({"players": {"p1": [1, 2], "p2": [2, 3]}}, "seat 2"),
    "no such method": (
        {"incidents": [{"at": "shuffle", "kind": "shoe_out_of_service", "then": "by magic"}]},
        "then",
    ),
}


@pytest.mark.parametrize("case", NOT_WELL_FORMED)
def test_scenario_that_is_not_well_formed(case: str) -> None:
    """It is refused whole, before anything is played, and the round and the key are named."""
    changes, word = NOT_WELL_FORMED[case]
    with pytest.raises(ScenarioError) as refused:
        outcome(ANTE, {**ANTE, **changes})
    assert word in str(refused.value)
    assert "round" in str(refused.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seats", True),
        ("seats", "5"),
        ("seats", 5.0),
        ("rounds_since_count", "4"),
        ("rounds_since_count", -1),
        ("deck_hours", "8"),
        ("deck_hours", True),
        ("deck_hours", float("inf")),
        ("deck_hours", float("nan")),
        ("deck_hours", 1e308),
    ],
)
def test_table_key_of_a_wrong_type(key: str, value: object) -> None:
    with pytest.raises(ScenarioError, match=f"table.{key}: "):
        outcome(ANTE, table={key: value})


def test_minimum_above_the_maximum_is_not_well_formed() -> None:
    with pytest.raises(ScenarioError, match=r"minimum of 20\.00 is above the maximum of 10\.00"):
        outcome(ANTE, table={"minimum": "20.00", "maximum": "10.00"})


@pytest.mark.parametrize("value", ["yes", 1])
def test_565_7_e_is_filed_or_not(value: object) -> None:
    with pytest.raises(ScenarioError, match=r"rules\.adjacent_positions: "):
        outcome(ANTE, rules={"adjacent_positions": value})


def test_rounds_are_counted_from_1_in_what_is_not_well_formed() -> None:
    with pytest.raises(ScenarioError, match=r"round 2\.wagers\.1\.ante: "):
        outcome(ANTE, {**ANTE, "wagers": {"1": {"ante": 10}}})


def test_seats_as_numbers_or_as_text() -> None:
    by_number = {**ANTE, "wagers": {1: {"ante": "10.00"}}, "decisions": {1: ["bet"]}, "players": {"p1": ["1"]}}
    assert outcome(by_number) == outcome({**ANTE, "players": {"p1": [1]}})
