"""What chapter 563 or the filed rules forbid in a round, a table or a filing; what nobody can play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablectl.errors import ScenarioError
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.texas_holdem_bonus import TexasHoldemBonusSubmission
from tests.games.rounds import outcome
from tests.games.scenarios import Document

ROUND: dict[str, Any] = {
    "wagers": {"1": {"ante": "10.00", "bonus": "5.00"}},
    "cards": "Kh Qc Ks Jd 3c 9c 5d 2s 3d 7h 3h Kd",
    "decisions": {"1": ["bet", "bet", "check"]},
}
Keys = Mapping[str, object]
Case = tuple[Keys, Keys, Keys, int | None, str]


def play(changes: Keys, rules: Keys | None = None, table: Keys | None = None) -> Document:
    return outcome({**ROUND, **changes}, rules=rules or {}, table=table or {}, game="texas_holdem_bonus")


def wagers(**placed: str) -> Keys:
    return {"wagers": {"1": placed}}


FORBIDDEN: dict[str, Case] = {
    "563.7(b) ante below the minimum": (wagers(ante="9.99"), {}, {"minimum": "10.00"}, 1, "OPEN"),
    "563.7(b) ante above the maximum": (wagers(ante="50.01"), {}, {"maximum": "50.00"}, 1, "OPEN"),
    "563.7(b) bonus above the maximum": (wagers(ante="50.00", bonus="50.01"), {}, {"maximum": "50.00"}, 1, "OPEN"),
    "563.7(b) flop before the deal": (wagers(ante="5.00", flop="10.00"), {}, {}, 1, "OPEN"),
    "563.7(b) river before the deal": (wagers(ante="5.00", river="5.00"), {}, {}, 1, "OPEN"),
    "563.7(b) another game's wager": (wagers(ante="5.00", pair_plus="5.00"), {}, {}, 1, "OPEN"),
    "563.7(b) nobody wagers": ({"wagers": {}}, {}, {}, None, "OPEN"),
    "563.7(c) bonus alone": ({"wagers": {"4": {"bonus": "5.00"}}}, {}, {}, 4, "OPEN"),
    "563.7(c) bonus below one dollar": (wagers(ante="5.00", bonus="0.99"), {}, {}, 1, "OPEN"),
    "563.7(f) two positions": (
        {"wagers": {"1": {"ante": "5.00"}, "2": {"ante": "5.00"}}, "players": {"p1": [1, 2]}},
        {},
        {},
        None,
        "OPEN",
    ),
    "563.2(a) a seventh seat": ({"wagers": {"7": {"ante": "5.00"}}}, {}, {}, 7, "OPEN"),
    "563.2(a) a table for seven": ({}, {}, {"seats": 7}, None, "RULES"),
    "563.2(a) a table for five": ({}, {}, {"seats": 5}, None, "RULES"),
    "563.9(a)(1) from the hand without a shuffler": ({}, {}, {"dealing": "from_hand"}, None, "RULES"),
    "563.12(c) bonus odds too low": ({}, {"bonus_paytable": {"ace_ace": "29:1"}}, {}, None, "RULES"),
    "563.12(d) both aces too low": ({}, {"both_aces_pays": "999:1"}, {}, None, "RULES"),
    "563.12(a) odds for one": ({}, {"both_aces_pays": "1001 for 1"}, {}, None, "RULES"),
    "563.11(a) check before the flop": ({"decisions": {"1": ["check"]}}, {}, {}, 1, "DECIDING"),
    "563.11(a) a multiple of the flop wager": ({"decisions": {"1": ["bet 2"]}}, {}, {}, 1, "DECIDING"),
    "563.11(a) no decision": ({"decisions": {}}, {}, {}, 1, "DECIDING"),
    "563.11(c) fold after the flop": ({"decisions": {"1": ["bet", "fold"]}}, {}, {}, 1, "DECIDING"),
    "563.11(c) a decision is missing": ({"decisions": {"1": ["bet"]}}, {}, {}, 1, "DECIDING"),
    "563.11(e) fold after the turn": ({"decisions": {"1": ["bet", "check", "fold"]}}, {}, {}, 1, "DECIDING"),
    "563.11(e) a multiple of the river wager": ({"decisions": {"1": ["bet", "check", "bet 2"]}}, {}, {}, 1, "DECIDING"),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_563_forbidden(case: str) -> None:
    changes, rules, table, seat, stage = FORBIDDEN[case]
    document = play(changes, rules, table)
    error = document["error"]
    assert document["rounds"] == []
    assert set(error) == {"seat", "stage", "message", "cite"}
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])
    assert error["message"]


WRONG: dict[str, tuple[Keys, int | None, str, str]] = {
    "a decision too many": ({"decisions": {"1": ["bet", "bet", "check", "bet"]}}, 1, "DECIDING", "bet"),
    "a decision after a fold": ({"decisions": {"1": ["fold", "check"]}}, 1, "DECIDING", "check"),
    "a seat that does not take part": ({"decisions": {**ROUND["decisions"], "2": ["bet"]}}, 2, "DECIDING", "bet"),
    "a fourth question": ({"incidents": [{"at": "decision 1.4", "kind": "power_loss"}]}, None, "CLOSED", "1.4"),
    "a card after the river": ({"incidents": [{"at": "card 13", "kind": "power_loss"}]}, None, "CLOSED", "card 13"),
    "a kind that is not in the chapter": (
        {"incidents": [{"at": "card 1", "kind": "no_roll"}]},
        None,
        "OPEN",
        "no_roll",
    ),
    "dice": ({"dice": ["1 2 3"]}, None, "CLOSED", "dice"),
    "a meter": ({"meter": "10000.00"}, None, "OPEN", "meter"),
    "a cut": ({"cut": {"1": "cut"}}, None, "OPEN", "cut"),
    "stacks": ({"stacks": {"1": "10.00"}}, None, "OPEN", "stacks"),
}


@pytest.mark.parametrize("case", WRONG)
def test_563_scenario_that_cannot_be_played(case: str) -> None:
    changes, seat, stage, word = WRONG[case]
    error = play(changes)["error"]
    assert (error["seat"], error["stage"]) == (seat, stage)
    assert word in error["message"]


@pytest.mark.parametrize("card", ["Xj", "Kh Kh"])
def test_563_3_a_one_deck_of_52(card: str) -> None:
    with pytest.raises(ScenarioError):
        play({"cards": card})


def test_563_11_bet_is_bet_1() -> None:
    assert play({"decisions": {"1": ["bet 1", "bet 1", "check"]}}) == play({})


def test_563_7_c_bonus_of_one_dollar_below_the_posted_minimum() -> None:
    assert "error" not in play(wagers(ante="10.00", bonus="1.00"), table={"minimum": "10.00"})


def objections(*stakes: Stake) -> list[tuple[int, str, str]]:
    filed = TexasHoldemBonusSubmission().filed()
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 6, minimum=Money(1000), maximum=Money(5000))
    found = game("texas_holdem_bonus").check_wagers(filed, setup, stakes)
    return [(seat, objection.key, objection.cite) for seat, objection in found]


def test_563_7_where_only_presence_is_known_no_amount_is_judged() -> None:
    assert objections(Stake(1, "ante", None), Stake(1, "bonus", None)) == []
    assert objections(Stake(2, "bonus", None)) == [(2, "bonus", "563.7(c)")]


def test_563_7_every_objection_is_told() -> None:
    stakes = (Stake(1, "ante", Money(999)), Stake(2, "bonus", Money(99)), Stake(3, "ante", Money(1000)))
    assert objections(*stakes, Stake(3, "bonus", Money(5001))) == [
        (1, "ante", "563.7(b)"),
        (2, "bonus", "563.7(c)"),
        (2, "bonus", "563.7(c)"),
        (3, "bonus", "563.7(b)"),
    ]
