"""What chapter 675a lets a certificate holder file, how its table may be set up, and which wagers it forbids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablectl.engine.scenario import parse
from tablectl.errors import ScenarioError
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.rules.high_roll_dice import HighRollDiceSubmission
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document

GAME = game("high_roll_dice")
TEN_THROWN = "1 1 1 2 2 3 3 4 5 6"
SIX: Mapping[str, object] = {"dice": 6}


def play(wagers: Mapping[str, str], rules: Mapping[str, object] | None = None, **table: Any) -> Document:
    dice = ["1 1 2 3 4 5"] if rules == SIX else [TEN_THROWN, "1 2 3 4 5 6 6"]
    thrown = dice[: 1 + ("extra_roll" in wagers)]
    return outcome({"wagers": {"2": wagers}, "dice": thrown}, rules=rules, table=table, game="high_roll_dice")


def refused(*given: Any, **table: Any) -> tuple[object, object, object]:
    error = play(*given, **table)["error"]
    return error["stage"], error["seat"], error["cite"]


def test_675a_5_and_6_paytables_are_as_printed() -> None:
    tables = {(table.wager, table.id): (table.cite, dict(table.rows)) for table in HighRollDiceSubmission.paytables()}
    kinds = {n: f"{name}_of_a_kind" for n, name in enumerate(("two", "three", "four", "five", "six"), 2)}
    kinds |= {7: "seven_of_a_kind", 8: "eight_of_a_kind"}
    assert tables == {
        ("pip", "ten_dice"): (
            "675a.5(a)",
            {"two": "6:1", "three": "6:1", "four": "5:1", "five": "4:1", "six": "4:1", "ace": "3:1"},
        ),
        ("like", "ten_dice"): (
            "675a.5(b)",
            dict(zip(kinds.values(), ("12:1", "3:5", "1:1", "4:1", "30:1", "400:1", "5000:1"), strict=True)),
        ),
        ("like", "extra_roll"): (
            "675a.5(d)",
            dict(zip([kinds[n] for n in range(3, 9)], ("6:1", "1:1", "2:1", "4:1", "10:1", "50:1"), strict=True)),
        ),
        ("millionaire", "ten_dice"): (
            "675a.5(c)",
            {"nine_of_a_kind": "$50000", "ten_of_a_kind": "$1000000"},
        ),
        ("pip", "six_dice"): (
            "675a.6(j)",
            {"two": "8:1", "three": "6:1", "four": "5:1", "five": "4:1", "six": "3:1", "ace": "2:1"},
        ),
        ("like", "six_dice"): (
            "675a.6(k)",
            {
                "no_match": "60:1",
                **dict(zip([kinds[n] for n in range(2, 7)], ("1:2", "2:1", "15:1", "200:1", "6000:1"), strict=True)),
            },
        ),
    }


def test_675a_6_a_options_are_the_number_of_dice_and_a_limit() -> None:
    options = {option.key: (option.default, option.cite) for option in HighRollDiceSubmission.options()}
    assert options == {
        "dice": (10, "675a.6(a)"),
        "payout_limit": ("none", "675a.5(e)"),
        "smallest_chip": ("1.00", None),
    }


@pytest.mark.parametrize("dice", [0, 5, 7, 9, 11, "10", True, 10.5])
def test_675a_6_a_only_ten_or_six_dice(dice: object) -> None:
    with pytest.raises(ScenarioError, match="dice"):
        parse({"game": "high_roll_dice", "rules": {"dice": dice}, "round": []})


@pytest.mark.parametrize(
    ("dice", "minimum", "least", "cite"),
    [
        (10, None, 50_000_00, "675a.5(e)"),
        (10, 9_98, 50_000_00, "675a.5(e)"),
        (10, 9_99, 50_009_94, "675a.5(e)"),  # 5,000 + 6 to 1 on 9.99
        (10, 25_00, 125_150_00, "675a.5(e)"),
        (6, None, 50_000_00, "675a.6(l)"),
        (6, 8_33, 50_046_64, "675a.6(l)"),  # 6,000 + 8 to 1 on 8.33
        (6, 100_00, 600_800_00, "675a.6(l)"),
    ],
)
def test_675a_5_e_limit_is_at_least_what_the_minimum_may_win(
    dice: int, minimum: int | None, least: int, cite: str
) -> None:
    """50,000 dollars, or the best that one throw can bring with the minimum on it, if that is more."""
    setup = Setup(Dealing.NONE, Shuffler.NONE, 6, None if minimum is None else Money(minimum))

    def objections(limit: int) -> list[str]:
        filed = HighRollDiceSubmission.model_validate(
            {"dice": dice, "payout_limit": f"{limit // 100}.{limit % 100:02d}"}
        )
        return [o.cite for o in (*filed.objections(), *GAME.objections(filed.filed(), setup))]

    assert objections(least) == []
    assert set(objections(least - 1)) == {cite}


@pytest.mark.parametrize(
    ("table", "cite"),
    [
        ({"seats": 7}, "675a.1(a)"),
        ({"seats": 0}, "675a.1(a)"),
        ({"shuffler": "plain"}, "675a.3(a)"),
        ({"dealing": "manual_shoe"}, "675a.3(a)"),
    ],
)
def test_675a_1_a_and_3_a_what_a_table_may_not_be(table: dict[str, Any], cite: str) -> None:
    assert refused({"pip_1": "5.00"}, **table) == ("RULES", None, cite)


def test_675a_3_a_cards_have_no_use() -> None:
    document = outcome({"wagers": {"1": {"pip_1": "5.00"}}, "cards": "As", "dice": [TEN_THROWN]}, game="high_roll_dice")
    assert document["error"]["message"] == "cards: High Roll Dice has no use for it"


def test_a_game_of_cards_is_dealt() -> None:
    document = outcome({"wagers": {"1": {"ante": "5.00"}}}, table={"dealing": "none"})
    assert (document["error"]["stage"], document["error"]["cite"]) == ("RULES", "565.3(a)")


@pytest.mark.parametrize(
    ("wagers", "cite"),
    [
        ({"like_4": "5.00"}, "675a.2(e)(1)"),
        ({"millionaire_9": "1.00"}, "675a.2(e)(1)"),
        ({"like_4": "5.00", "extra_roll": "5.00"}, "675a.2(e)(1)"),
        ({"pip_1": "5.00", "pip_2": "6.00"}, "675a.1(b)(2)(iv)"),
        ({"pip_1": "5.00", "like_4": "6.00"}, "675a.2(e)(2)"),
        ({"pip_1": "5.00", "like_4": "5.00", "like_5": "4.99"}, "675a.2(e)(2)"),
        ({"pip_1": "5.00", "extra_roll": "5.00"}, "675a.2(e)(3)"),
        ({"pip_1": "5.00", "like_4": "5.00", "extra_roll": "10.00"}, "675a.2(e)(3)"),
        ({"pip_1": "5.00", "millionaire_9": "1.01"}, "675a.2(e)(4)"),
        ({"pip_1": "5.00", "millionaire_10": "5.00"}, "675a.2(e)(4)"),
        ({"pip_1": "5.00", "like_none": "5.00"}, "675a.2(e)(2)"),
    ],
)
def test_675a_2_e_wagers_that_are_forbidden_with_ten_dice(wagers: dict[str, str], cite: str) -> None:
    assert refused(wagers) == ("OPEN", 2, cite)


@pytest.mark.parametrize(
    ("wagers", "cite"),
    [
        ({"like_4": "5.00"}, "675a.2(e)(1)"),
        ({"pip_1": "5.00", "pip_2": "6.00"}, "675a.6(b)(3)"),
        ({"pip_1": "5.00", "like_none": "6.00"}, "675a.6(d)"),
        ({"pip_1": "5.00", "like_7": "5.00"}, "675a.6(d)"),
        ({"pip_1": "5.00", "like_8": "5.00"}, "675a.6(d)"),
        ({"pip_1": "5.00", "millionaire_9": "1.00"}, "675a.6(d)"),
        ({"pip_1": "5.00", "like_4": "5.00", "extra_roll": "5.00"}, "675a.2(e)(3)"),
    ],
)
def test_675a_6_d_wagers_that_are_forbidden_with_six_dice(wagers: dict[str, str], cite: str) -> None:
    assert refused(wagers, SIX) == ("OPEN", 2, cite)


@pytest.mark.parametrize(("amount", "cite"), [("4.99", "675a.2(e)(1)"), ("100.01", "675a.2(e)(1)")])
def test_675a_2_e_1_posted_limits(amount: str, cite: str) -> None:
    assert refused({"pip_1": amount}, minimum="5.00", maximum="100.00") == ("OPEN", 2, cite)


@pytest.mark.parametrize("wager", ["pip_7", "like_1", "like_9", "millionaire_8", "ante"])
def test_675a_1_b_2_other_wagers_have_no_place(wager: str) -> None:
    assert refused({"pip_1": "5.00", wager: "5.00"}) == ("OPEN", 2, "675a.2(e)")


def test_675a_2_e_4_a_dollar_is_not_too_much() -> None:
    assert only_round(play({"pip_1": "5.00", "millionaire_9": "1.00", "millionaire_10": "0.01"}))["net"] == {
        "2": "13.99"
    }


def test_675a_2_e_1_at_least_one_seat_takes_part() -> None:
    error = outcome({"wagers": {}}, game="high_roll_dice")["error"]
    assert (error["stage"], error["cite"]) == ("OPEN", "675a.2(e)")


@pytest.mark.parametrize("kind", ["card_exposed", "deck_count", "no_roll", "dice_total_wrong", "shuffler_jam"])
def test_irregularities_of_cards_are_none_of_this_chapter(kind: str) -> None:
    incident = {"at": "throw 1", "kind": kind, "position": "seat 1", "count": 51}
    script = {"wagers": {"1": {"pip_1": "5.00"}}, "dice": [TEN_THROWN], "incidents": [incident]}
    assert "knows no irregularity" in outcome(script, game="high_roll_dice")["error"]["message"]


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ([], "there is no throw 1 in dice"),
        (["1 2 3 4 5 6"], "throw 1 is of 6 dice, expected 10"),
        ([TEN_THROWN, "1 1 1 1 1 1 1"], "dice: nobody asked for all of it"),
    ],
)
def test_675a_4_b_ten_dice_are_thrown(dice: list[str], message: str) -> None:
    document = outcome({"wagers": {"1": {"pip_1": "5.00"}}, "dice": dice}, game="high_roll_dice")
    assert document["error"]["message"] == message
