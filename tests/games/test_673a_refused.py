"""What chapter 673a forbids in a filing, a table or a round, and scenarios that nobody can play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from tablectl.games import game
from tablectl.money import Money, dollars
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.procedure.opening import check_decks
from tablectl.rules.double_back_jack import DoubleBackJackSubmission
from tests.games.rounds import outcome

GAME = game("double_back_jack")
ROUND: dict[str, Any] = {
    "wagers": {"1": {"blackjack": "10.00"}},
    "cards": "2c 8c 7h 8d Td",
    "decisions": {"1": ["stand"]},
}
UNDER_AN_ACE = {"cards": "2c 8c Ah 7d 9d"}
BUST = {"cards": "2c 8c 7h 7d Td Ks"}

# changes to the round, the table, the filed rules; seat and stage of the refusal
Case = tuple[Mapping[str, object], Mapping[str, object], Mapping[str, object], int | None, str]

FORBIDDEN: dict[str, Case] = {
    "673a.2(a) seven boxes": ({}, {"seats": 7}, {}, None, "RULES"),
    "673a.2(a) a seventh seat": ({"wagers": {"7": {"blackjack": "5.00"}}}, {}, {}, 7, "OPEN"),
    "673a.3(a) no deck": ({}, {}, {"decks": 0}, None, "RULES"),
    "673a.3(b) one deck with a shuffler of batches": ({}, {"shuffler": "plain"}, {"decks": 1}, None, "RULES"),
    "673a.6(c) split before the deal": (
        {"wagers": {"1": {"blackjack": "5.00", "split": "5.00"}}},
        {},
        {},
        1,
        "OPEN",
    ),
    "673a.6(c) insurance before the deal": ({"wagers": {"1": {"insurance": "5.00"}}}, {}, {}, 1, "OPEN"),
    "673a.6(d) below the minimum": ({}, {"minimum": "10.01"}, {}, 1, "OPEN"),
    "673a.6(d) above the maximum": ({}, {"maximum": "9.99"}, {}, 1, "OPEN"),
    "673a.6(e) two boxes that are not filed": (
        {"wagers": {"1": {"blackjack": "5.00"}, "2": {"blackjack": "5.00"}}, "players": {"p1": [1, 2]}},
        {},
        {},
        None,
        "OPEN",
    ),
    "673a.6(e) boxes with one between": (
        {"wagers": {"1": {"blackjack": "5.00"}, "3": {"blackjack": "5.00"}}, "players": {"p1": [1, 3]}},
        {},
        {"adjacent_positions": 2},
        None,
        "OPEN",
    ),
    "673a.7(a) from the hand": ({}, {"dealing": "from_hand", "shuffler": "plain"}, {}, None, "RULES"),
    "673a.7(a) in stacks": ({}, {"dealing": "automated_shoe"}, {}, None, "RULES"),
    "673a.7(i) another verb": ({"decisions": {"1": ["fold"]}}, {}, {}, 1, "DECIDING"),
    "673a.7(i) no decision": ({"decisions": {}}, {}, {}, 1, "DECIDING"),
    "673a.7(i) insurance under a seven": ({"decisions": {"1": ["insurance"]}}, {}, {}, 1, "DECIDING"),
    "673a.7(i) a pair of different values": (
        {"cards": "2c 8c 7h 7d Td 2d 2h", "decisions": {"1": ["split"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "673a.7(i) a third hand": (
        {"cards": "2c 8c 7h 8d Td 8h 3c 4c", "decisions": {"1": ["split", "split"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "673a.7(i) double on three cards": (
        {"cards": "2c 2d 7h 8d Td 3h", "decisions": {"1": ["hit", "double"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "673a.7(i) surrender on three cards": (
        {"cards": "2c 2d 7h 8d Td 3h", "decisions": {"1": ["hit", "surrender"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "673a.7(i) surrender after a split": (
        {"cards": "2c 8c 7h 8d Td 3h 3d", "decisions": {"1": ["split", "surrender"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "673a.10(a) double above the original wager": ({"decisions": {"1": ["double 10.01"]}}, {}, {}, 1, "DECIDING"),
    "673a.10(a) double for nothing": ({"decisions": {"1": ["double 0.00"]}}, {}, {}, 1, "DECIDING"),
    "673a.7(i) split for less": ({"decisions": {"1": ["split 5.00"]}}, {}, {}, 1, "DECIDING"),
    "673a.7(l) another amount": (
        {**BUST, "decisions": {"1": ["hit", "second_chance 5.00"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "673a.7(l) a card without the wager": ({**BUST, "decisions": {"1": ["hit", "hit"]}}, {}, {}, 1, "DECIDING"),
    "673a.8(a) a play instead of the answer": ({**UNDER_AN_ACE, "decisions": {"1": ["stand"]}}, {}, {}, 1, "DECIDING"),
    "673a.8(b) insurance above half": (
        {**UNDER_AN_ACE, "decisions": {"1": ["insurance 5.01", "stand"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "673a.8(a) even money": ({**UNDER_AN_ACE, "decisions": {"1": ["even_money"]}}, {}, {}, 1, "DECIDING"),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_673a_forbidden(case: str) -> None:
    changes, table, rules, seat, stage = FORBIDDEN[case]
    document = outcome({**ROUND, **changes}, table=table, rules=rules, game="double_back_jack")
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])


def test_673a_7_decisions_that_nobody_is_asked_for() -> None:
    """A Blackjack, 21 and a hand after its second chance card are not asked."""
    for cards, said in (
        ("2c Ac 7h Kd Td", ["stand"]),
        ("2c 8c 7h 7d Td 6s", ["hit", "stand"]),
        ("2c 8c 7h 7d Td Ks Th", ["hit", "second_chance", "stand"]),
    ):
        error = outcome({**ROUND, "cards": cards, "decisions": {"1": said}}, game="double_back_jack")["error"]
        assert (error["seat"], error["stage"], error["message"]) == (
            1,
            "DECIDING",
            "decision 'stand' was not asked for",
        )


@pytest.mark.parametrize("kind", ["wrong_card_count", "card_exposed", "house_way_wrong", "shoe_jam", "earthquake"])
def test_673a_13_kinds_that_the_chapter_does_not_know(kind: str) -> None:
    incident = {"at": "decision 1", "kind": kind, "position": "seat 1"}
    error = outcome({**ROUND, "incidents": [incident]}, game="double_back_jack")["error"]
    assert "673a" in error["message"]
    assert kind in error["message"]


def test_673a_3_b_two_batches_with_a_shuffler_that_is_not_continuous() -> None:
    def objections(decks: int, **setup: object) -> list[str]:
        shuffled = {"shuffler": Shuffler.COUNTING, **setup}
        return [
            each.cite
            for each in check_decks(GAME, Setup(Dealing.MANUAL_SHOE, seats=6, decks=decks, **shuffled))  # type: ignore[arg-type]
        ]

    assert objections(2) == []
    assert objections(1) == ["673a.3(b)"]
    assert objections(1, continuous=True) == []
    assert objections(2, continuous=True) == ["673a.3(b)"]
    assert objections(1, shuffler=Shuffler.NONE) == []
    assert "673a.3(b)" in objections(2, backs=("red", "red"))


# The filing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", range(1, 9))
def test_673a_3_a_any_number_of_decks_from_one_on(decks: int) -> None:
    filed = DoubleBackJackSubmission(decks=decks)
    assert list(filed.objections()) == []
    assert GAME.as_filed(filed).deck == 52 * decks


@pytest.mark.parametrize(
    "filed",
    [
        {"decks": 9},
        {"decks": "6"},
        {"decks": True},
        {"settlement": "both"},
        {"adjacent_positions": 0},
        {"adjacent_positions": 7},
        {"adjacent_positions": True},
        {"second_chance": "never"},
        {"bar_mid_shoe": 1},
        {"smallest_chip": "0.00"},
        {"push_22": "A"},
        {"even_money": True},
    ],
)
def test_filing_that_is_not_well_formed(filed: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        DoubleBackJackSubmission.model_validate(filed)


def test_673a_12_paytables_and_options() -> None:
    tables = {(table.wager, row): odds for table in DoubleBackJackSubmission.paytables() for row, odds in table.rows}
    assert tables == {
        ("blackjack", "blackjack"): "2:1",
        ("blackjack", "win"): "1:1",
        ("split", "win"): "1:1",
        ("double", "win"): "1:1",
        ("second_chance", "win"): "1:1",
        ("insurance", "win"): "2:1",
    }
    assert {option.key: (option.default, option.cite) for option in DoubleBackJackSubmission.options()} == {
        "smallest_chip": ("1.00", None),
        "decks": (6, "673a.3(a)"),
        "settlement": ("collect_then_pay", "673a.7(t)"),
        "adjacent_positions": (1, "673a.6(e)"),
        "second_chance": ("every_hand", "673a.7(l)"),
        "bar_mid_shoe": (False, "673a.6(b)"),
    }


def test_673a_6_e_adjacent_boxes_up_to_the_number_filed() -> None:
    wagers = {str(seat): {"blackjack": "10.00"} for seat in (2, 3, 4)}
    script = {
        "wagers": wagers,
        "cards": "2c 8c 8d 8h 7h Tc Td Th 9d",
        "decisions": {seat: ["stand"] for seat in wagers},
        "players": {"p1": [4, 2, 3]},
    }
    filed = {"adjacent_positions": 3}
    assert "error" not in outcome(script, rules=filed, game="double_back_jack")
    error = outcome(script, rules={"adjacent_positions": 2}, game="double_back_jack")["error"]
    assert error["cite"] == "673a.6(e)"


def test_673a_6_b_who_did_not_wager_may_not_before_the_shuffle() -> None:
    first = {**ROUND, "cards": "2c 8c 7h 9d Td"}
    second = {
        "wagers": {"1": {"blackjack": "10.00"}, "2": {"blackjack": "10.00"}},
        "cards": "8c 8d 7h 9d Tc Td",
        "decisions": {"1": ["stand"], "2": ["stand"]},
    }
    assert "error" not in outcome(first, second, game="double_back_jack")
    error = outcome(first, second, rules={"bar_mid_shoe": True}, game="double_back_jack")["error"]
    assert (error["seat"], error["cite"]) == (2, "673a.6(b)")
    over = {**first, "incidents": [{"at": "card 4", "kind": "cover_card"}]}
    shuffled = {**second, "cards": f"3c {second['cards']}"}
    assert "error" not in outcome(over, shuffled, rules={"bar_mid_shoe": True}, game="double_back_jack")


def test_673a_6_d_amounts_that_are_not_known_are_within_every_limit() -> None:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 6, minimum=dollars("5.00"), maximum=dollars("50.00"))
    rules = DoubleBackJackSubmission().filed()

    def seats(*stakes: Stake) -> list[int]:
        return [seat for seat, _objection in GAME.check_wagers(rules, setup, stakes)]

    assert seats(Stake(1, "blackjack", None), Stake(2, "blackjack", Money(499)), Stake(3, "blackjack", Money(500))) == [
        2
    ]
