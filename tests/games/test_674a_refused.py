"""What chapter 674a forbids in a round, a table or a filing, and scenarios that nobody can play."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.criss_cross_poker import CrissCrossSubmission
from tests.games.rounds import outcome

CARDS = "9c Kd 3h 4s Td Kc 9h"
BONUS = {"five_card_bonus": True}
ROUND: dict[str, object] = {
    "wagers": {"1": {"ante_across": "10.00", "ante_down": "10.00"}},
    "cards": CARDS,
    "decisions": {"1": ["bet", "bet", "bet"]},
}
Case = tuple[Mapping[str, object], Mapping[str, object], Mapping[str, object], int | None, str]


def wagers(seat: int = 1, **placed: str) -> dict[str, object]:
    return {"wagers": {str(seat): placed}}


FORBIDDEN: dict[str, Case] = {
    "674a.7(d) across alone": (wagers(2, ante_across="5.00"), {}, {}, 2, "OPEN"),
    "674a.7(d) down alone": (wagers(2, ante_down="5.00"), {}, {}, 2, "OPEN"),
    "674a.7(d) unequal": (wagers(ante_across="5.00", ante_down="5.01"), {}, {}, 1, "OPEN"),
    "674a.7(d) below the minimum": ({}, {}, {"minimum": "10.01"}, 1, "OPEN"),
    "674a.7(d) above the maximum": ({}, {}, {"maximum": "9.99"}, 1, "OPEN"),
    "674a.7(d) a bet before the deal": (
        wagers(ante_across="5.00", ante_down="5.00", across="5.00"),
        {},
        {},
        1,
        "OPEN",
    ),
    "674a.7(e) bonus not offered": (
        wagers(ante_across="5.00", ante_down="5.00", five_card_bonus="5.00"),
        {},
        {},
        1,
        "OPEN",
    ),
    "674a.7(e) bonus alone": (wagers(five_card_bonus="5.00"), BONUS, {}, 1, "OPEN"),
    "674a.7(e) bonus below the minimum": (
        wagers(ante_across="5.00", ante_down="5.00", five_card_bonus="4.99"),
        BONUS,
        {"minimum": "5.00"},
        1,
        "OPEN",
    ),
    "674a.7(g) two positions": (
        {
            "wagers": {str(n): {"ante_across": "5.00", "ante_down": "5.00"} for n in (1, 2)},
            "players": {"p1": [1, 2]},
        },
        {},
        {},
        None,
        "OPEN",
    ),
    "674a.2(a) a seventh seat": (wagers(7, ante_across="5.00", ante_down="5.00"), {}, {}, 7, "OPEN"),
    "674a.2(a) seven seats": ({}, {}, {"seats": 7}, None, "RULES"),
    "674a.9(a)(1) from the hand without a shuffler": ({}, {}, {"dealing": "from_hand"}, None, "RULES"),
    "674a.12(d) limit too low": ({}, {"payout_limit": "49999.99"}, {}, None, "RULES"),
    "674a.12(d) limit too low for the minimum": (
        {},
        {"payout_limit": "66039.99"},
        {"minimum": "20.00"},
        None,
        "RULES",
    ),
    "674a.12(d) limit too low for the minimum and the bonus": (
        {},
        {"payout_limit": "66239.99", "five_card_bonus": True},
        {"minimum": "20.00"},
        None,
        "RULES",
    ),
    "674a.11(b) another verb": ({"decisions": {"1": ["check"]}}, {}, {}, 1, "DECIDING"),
    "674a.11(b) four times": ({"decisions": {"1": ["bet 4"]}}, {}, {}, 1, "DECIDING"),
    "674a.11(d) no times": ({"decisions": {"1": ["bet", "bet 0"]}}, {}, {}, 1, "DECIDING"),
    "674a.11(d) a part": ({"decisions": {"1": ["bet", "bet 1.5"]}}, {}, {}, 1, "DECIDING"),
    "674a.11(f) a multiple of a fold": ({"decisions": {"1": ["bet", "bet", "fold 2"]}}, {}, {}, 1, "DECIDING"),
    "674a.11(f) no decision": ({"decisions": {"1": ["bet", "bet 2"]}}, {}, {}, 1, "DECIDING"),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_674a_forbidden(case: str) -> None:
    changes, rules, table, seat, stage = FORBIDDEN[case]
    document = outcome({**ROUND, **changes}, rules=rules, table=table, game="criss_cross_poker")
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])
    assert error["message"]


@pytest.mark.parametrize(
    ("rules", "table"),
    [
        ({"payout_limit": "50000.00"}, {}),
        ({"payout_limit": "50000.00", "five_card_bonus": True}, {"minimum": "15.00"}),
        ({"payout_limit": "66040.00"}, {"minimum": "20.00"}),
        ({"payout_limit": "66240.00", "five_card_bonus": True}, {"minimum": "20.00"}),
        ({}, {"minimum": "1000.00", "maximum": "1000.00"}),
    ],
)
def test_674a_12_d_payout_limits_that_may_be_filed(rules: Mapping[str, object], table: Mapping[str, object]) -> None:
    limits = {"wagers": {"1": {"ante_across": "1000.00", "ante_down": "1000.00"}}}
    assert "error" not in outcome({**ROUND, **limits}, rules=rules, table=table, game="criss_cross_poker")


def test_674a_11_fold_is_the_last_answer() -> None:
    error = outcome({**ROUND, "decisions": {"1": ["bet", "fold", "bet"]}}, game="criss_cross_poker")["error"]
    assert (error["seat"], error["stage"]) == (1, "DECIDING")
    assert "not asked" in error["message"]


def test_674a_11_b_bet_is_bet_1() -> None:
    script = {**ROUND, "decisions": {"1": ["bet 1", "bet", "bet 1"]}}
    assert outcome(script, game="criss_cross_poker") == outcome(ROUND, game="criss_cross_poker")


def test_674a_11_has_no_dealers_hand_to_reveal() -> None:
    incident = {"at": "reveal", "kind": "power_loss"}
    error = outcome({**ROUND, "incidents": [incident]}, game="criss_cross_poker")["error"]
    assert "reveal" in error["message"]


def objections(*stakes: Stake, bonus: bool = True) -> list[tuple[int, str]]:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 6, minimum=Money(1000), maximum=Money(5000))
    rules = CrissCrossSubmission(five_card_bonus=bonus).filed()
    found = game("criss_cross_poker").check_wagers(rules, setup, stakes)
    return [(seat, objection.cite) for seat, objection in found]


def test_674a_7_where_only_presence_is_known_no_amount_is_judged() -> None:
    across, down = Stake(1, "ante_across", None), Stake(1, "ante_down", None)
    assert objections(across, down, Stake(1, "five_card_bonus", None)) == []
    assert objections(across, Stake(1, "ante_down", Money(2000))) == []
    assert objections(across) == [(1, "674a.7(d)")]


def test_674a_7_every_objection_is_told() -> None:
    stakes = (
        Stake(1, "ante_across", Money(1000)),
        Stake(1, "ante_down", Money(999)),
        Stake(2, "ante_down", Money(2000)),
        Stake(2, "five_card_bonus", Money(500)),
    )
    told = [(1, "674a.7(d)"), (1, "674a.7(d)"), (2, "674a.7(d)"), (2, "674a.7(e)")]
    assert sorted(objections(*stakes)) == told
    assert sorted(objections(*stakes, bonus=False)) == [*told, (2, "674a.7(e)")]


def test_674a_12_printed_tables() -> None:
    tables = {(table.wager, table.id): (table.cite, list(table.rows)) for table in CrissCrossSubmission.paytables()}
    names = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"]
    names += ["three_of_a_kind", "two_pair"]
    push = ("pair_of_6s_through_10s", "push")

    def rows(odds: str, last: str) -> list[tuple[str, str]]:
        return [(name, f"{pays}:1") for name, pays in zip([*names, last], odds.split(), strict=True)]

    bets = [*rows("500 100 40 12 8 5 3 2 1", "pair_of_jacks_queens_kings_or_aces"), push]
    antes = [("pair_of_jacks_or_better", "1:1"), push]
    bonus = rows("250 100 40 15 10 6 4 3 1", "pair_of_6s_or_better")
    assert tables == {
        ("ante_across", "standard"): ("674a.12(a)", antes),
        ("ante_down", "standard"): ("674a.12(a)", antes),
        ("across", "standard"): ("674a.12(b)", bets),
        ("down", "standard"): ("674a.12(b)", bets),
        ("middle", "standard"): ("674a.12(b)", bets),
        ("five_card_bonus", "standard"): ("674a.12(c)", bonus),
    }


@pytest.mark.parametrize(
    "document",
    [
        {"five_card_bonus": "yes"},
        {"payout_limit": 50000},
        {"payout_limit": "50000"},
        {"payout_limit": "unlimited"},
        {"payout_limit": None},
        {"colour": "red"},
    ],
)
def test_674a_submission_that_is_not_well_formed(document: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CrissCrossSubmission.model_validate(document)


def test_674a_options_are_listed() -> None:
    listed = {option.key: (option.default, option.cite) for option in CrissCrossSubmission.options()}
    assert listed["five_card_bonus"] == (False, "674a.7(e)")
    assert listed["payout_limit"] == ("none", "674a.12(d)")
