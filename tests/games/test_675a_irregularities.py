"""675a.4(b), (c) at every throw of a round, and what is only recorded: with ten dice, in the Extra Roll, with six."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.rounds import Incidents, only_round, outcome
from tests.games.scenarios import Document, without_deck_ids

FIRST = "1 1 1 2 2 3 3 4 5 6"
MORE = "1 1 2 3 4 5 6"
SIX = "1 1 1 2 3 4"
WRONG = "6 6 6 6 6 6 6 6 6 6"
WAGERS = {
    "1": {"pip_1": "5.00", "like_5": "5.00", "extra_roll": "5.00", "millionaire_9": "1.00"},
    "4": {"pip_6": "10.00", "like_3": "10.00"},
}
OF_SIX = {"1": {"pip_1": "5.00", "like_3": "5.00"}, "4": {"pip_6": "10.00", "like_none": "10.00"}}
INVALID: list[dict[str, Any]] = [
    {"kind": "die_off_table"},
    {"kind": "dice_stacked"},
    {"kind": "die_cocked", "sides": 2},
]
IDS = ["off the table", "stacked", "cocked on two sides"]
RECORDED = ["player_left", "late_wager", "wager_changed", "wrong_stake", "deck_change_due", "device_lost"]


def play(dice: int = 10, throws: list[str] | None = None, incidents: Incidents = ()) -> Document:
    wagers = WAGERS if dice == 10 else OF_SIX
    smooth = [FIRST, MORE] if dice == 10 else [SIX]
    script = {"wagers": wagers, "dice": smooth if throws is None else throws, "incidents": incidents}
    document = outcome(script, rules={"dice": dice}, game="high_roll_dice")
    return only_round(without_deck_ids(document))


@pytest.mark.parametrize("wrong", INVALID, ids=IDS)
@pytest.mark.parametrize("times", [1, 2, 5])
def test_675a_4_b_and_c_first_throw_counts_for_nothing_while_it_is_invalid(wrong: dict[str, Any], times: int) -> None:
    incidents = [{"at": f"throw {number}", **wrong} for number in range(1, times + 1)]
    found = play(throws=[*[WRONG] * times, FIRST, MORE], incidents=incidents)
    smooth = play()
    assert found == {
        **smooth,
        "remedies": ["rethrown"],
        "order": [*smooth["order"][:3], *(f"throw {n + 1}" for n in range(times + 1)), *renumbered(smooth, times)],
    }


def renumbered(smooth: Document, times: int) -> list[str]:
    """What follows the first throw, with the second one's number."""
    return [f"throw {2 + times}" if act == "throw 2" else act for act in smooth["order"][4:]]


@pytest.mark.parametrize("wrong", INVALID, ids=IDS)
def test_675a_4_g_extra_roll_is_repeated_and_the_box_stays(wrong: dict[str, Any]) -> None:
    smooth = play()
    found = play(throws=[FIRST, "1 1 1 1 1 1 1", MORE], incidents=[{"at": "throw 2", **wrong}])
    assert found["wagers"] == smooth["wagers"]
    assert [act for act in found["order"] if act.startswith("throw")] == ["throw 1", "throw 2", "throw 3"]
    assert found["remedies"] == ["rethrown"]


@pytest.mark.parametrize("wrong", [*INVALID, {"kind": "die_cocked", "sides": 1}])
def test_675a_4_b_and_c_need_a_throw(wrong: dict[str, Any]) -> None:
    assert play(incidents=[{"at": "lock_out", **wrong}]) == play()


@pytest.mark.parametrize("wrong", INVALID, ids=IDS)
def test_675a_6_g_six_dice_are_thrown_again(wrong: dict[str, Any]) -> None:
    found = play(6, ["6 6 6 6 6 6", SIX], [{"at": "throw 1", **wrong}])
    assert found["wagers"] == play(6)["wagers"]
    assert found["remedies"] == ["rethrown"]


@pytest.mark.parametrize(("dice", "throw"), [(10, 1), (10, 2), (6, 1)])
@pytest.mark.parametrize("said", [{"sides": 1}, {}], ids=["one side", "not said"])
def test_675a_4_c_die_on_one_side_counts_with_the_side_opposite(dice: int, throw: int, said: dict[str, int]) -> None:
    smooth = play(dice)
    found = play(dice, incidents=[{"at": f"throw {throw}", "kind": "die_cocked", **said}])
    assert found == {**smooth, "remedies": ["round_resumed"]}


@pytest.mark.parametrize("dice", [10, 6])
@pytest.mark.parametrize("kind", RECORDED)
def test_what_no_clause_mends_is_recorded_and_the_round_is_completed(dice: int, kind: str) -> None:
    found = play(dice, incidents=[{"at": "throw 1", "kind": kind, "position": "seat 1"}])
    assert found == play(dice)


@pytest.mark.parametrize("throw", [1, 2])
def test_675a_2_c_wagers_of_a_player_who_leaves_stay_in_play(throw: int) -> None:
    """The chapter has no word of forfeiture, so they win and lose like others."""
    found = play(incidents=[{"at": f"throw {throw}", "kind": "player_left", "position": "seat 1"}])
    assert [row["result"] for row in found["wagers"] if row["seat"] == 1] == ["win", "win", "lose", "lose"]


@pytest.mark.parametrize("throw", [1, 2])
def test_power_that_is_lost_undoes_nothing(throw: int) -> None:
    found = play(incidents=[{"at": f"throw {throw}", "kind": "power_loss"}])
    assert found == {**play(), "remedies": ["round_resumed"]}


@pytest.mark.parametrize("count", [0, 2, None])
def test_675a_4_a_chips_that_differ_from_what_the_sensors_took_suspend_the_table(count: int | None) -> None:
    said = {} if count is None else {"count": count}
    found = play(throws=[], incidents=[{"at": "lock_out", "kind": "progressive_count_mismatch", **said}])
    assert (found["outcome"], found["cause"], found["cite"]) == (
        "suspended",
        "progressive_count_mismatch",
        "675a.4(a)",
    )
    assert (found["remedies"], found["wagers"]) == (["floor_called"], [])
    assert found["order"] == ["no_more_bets", "lock_out"]
    assert found["deck"] == {"disposition": "continue"}


def test_moments_of_cards_do_not_come() -> None:
    script = {
        "wagers": WAGERS,
        "dice": [FIRST, MORE],
        "incidents": [{"at": "card 1", "kind": "late_wager", "position": "seat 1"}],
    }
    error = outcome(script, game="high_roll_dice")["error"]
    assert error["message"] == "late_wager: its moment card 1 did not come"


@pytest.mark.parametrize(
    ("hours", "outcome_"), [(0, "completed"), (23.99, "completed"), (24, "suspended"), (30, "suspended")]
)
def test_675a_3_b_1_dice_leave_the_table_after_24_hours(hours: float, outcome_: str) -> None:
    script = {"wagers": OF_SIX, "dice": [] if outcome_ == "suspended" else [SIX]}
    document = outcome(script, rules={"dice": 6}, table={"deck_hours": hours}, game="high_roll_dice")
    found = only_round(document)
    assert found["outcome"] == outcome_
    if outcome_ == "suspended":
        assert (found["cause"], found["cite"]) == ("deck_change_due", "675a.3(b)(1)")
        assert found["remedies"] == ["deck_removed"]
        assert found["deck"] == {"id": "dice-1", "disposition": "remove"}


def test_675a_3_b_1_new_dice_come_after_that() -> None:
    document = outcome(
        {"wagers": OF_SIX},
        {"wagers": OF_SIX, "dice": [SIX]},
        rules={"dice": 6},
        table={"deck_hours": 24},
        game="high_roll_dice",
    )
    assert [(played["outcome"], played["deck"]["id"]) for played in document["rounds"]] == [
        ("suspended", "dice-1"),
        ("completed", "dice-2"),
    ]
