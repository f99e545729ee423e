"""How cards are dealt, counted and thrown, clause by clause, played by script with stand-ins of each chapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablectl.engine.script import play
from tablectl.procedure.game import Game
from tests.procedure.irregular_games import (
    CRISS_CROSS,
    DICE,
    HOLD_EM,
    LUNAR,
    PAI_GOW_GAME,
    STUD,
    TWENTY_ONE,
    scenario,
)

BY_HAND = {"dealing": "from_hand", "shuffler": "plain"}
STACKS = {"dealing": "automated_shoe", "shuffler": "plain"}
ANTES = {"1": {"ante": "5.00"}, "4": {"ante": "10.00"}}
IN = {"1": ["bet"], "4": ["bet"]}


def outcome(game: Game, *rounds: Mapping[str, Any], **document: Any) -> dict[str, Any]:
    return play(scenario(game, {"round": list(rounds), **document}))


def round_of(game: Game, script: Mapping[str, Any], **document: Any) -> dict[str, Any]:
    played = outcome(game, script, **document)
    assert "error" not in played, played["error"]
    (only,) = played["rounds"]
    assert isinstance(only, dict)
    return only


def places(document: Mapping[str, Any]) -> list[str]:
    """Where each card went, in order."""
    return [act.partition(" -> ")[2] for act in document["order"] if act.startswith("card ")]


def pai_gow(**script: Any) -> dict[str, Any]:
    return {"wagers": {"2": {"pai_gow": "10.00"}}, "decisions": {"2": ["house_way"]}, **script}


# Pai gow --------------------------------------------------------------------------------------------------------------

AROUND = ["seat 5", "seat 6", "dealer", "seat 1", "seat 2", "seat 3", "seat 4"]


def test_561_9_c_single_cards_to_all_seven_places_from_the_starting_position() -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(dice=["1 3 6"]))
    assert document["order"][:3] == ["no_more_bets", "throw 1", "start seat 5"]
    assert places(document) == AROUND * 7
    assert document["order"][52] == "count remainder"


def test_561_10_c_seven_stacks_there_and_back_then_delivered() -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(dice=["1 3 6"]), table=BY_HAND)
    there = [f"stack {number}" for number in range(1, 8)]
    assert places(document) == (there + there[::-1]) * 3 + there
    delivered = [act for act in document["order"] if act.startswith("stack ")]
    assert delivered == [f"stack {number} -> {place}" for number, place in enumerate(AROUND, 1)]


def test_561_10_c_hand_of_a_seat_is_its_stack() -> None:
    """Stack 1 has cards 1, 14, 15, 28, 29, 42 and 43: seven aces and kings by their places, low cards elsewhere."""
    high = iter(["As", "Ah", "Ad", "Ac", "Ks", "Kh", "Kd"])
    low = iter(f"{rank}{suit}" for rank in "23456789TJ" for suit in "shdc")
    mine = (1, 14, 15, 28, 29, 42, 43)
    cards = " ".join(next(high) if number in mine else next(low, "") for number in range(1, 47))
    script = {**pai_gow(dice=["1 3 6"]), "wagers": {"5": {"pai_gow": "10.00"}}, "decisions": {"5": ["house_way"]}}
    document = round_of(PAI_GOW_GAME, {**script, "cards": cards}, table=BY_HAND)
    assert document["net"] == {"5": "10.00"}


def test_561_11_c_stacks_one_after_the_other() -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(dice=["1 3 6"]), table=STACKS)
    assert places(document) == [place for place in AROUND for _ in range(7)]


@pytest.mark.parametrize(("total", "start"), [("1 1 1", "seat 5"), ("2 2 2", "seat 2"), ("6 6 6", "seat 4")])
def test_561_12_b_count_counterclockwise_with_the_dealer_as_one(total: str, start: str) -> None:
    """Three, six and eighteen: the dealer is 1, 8 and 15."""
    document = round_of(PAI_GOW_GAME, pai_gow(dice=[total]))
    assert document["order"][2] == f"start {start}"


@pytest.mark.parametrize(("number", "start"), [(1, "dealer"), (2, "seat 6"), (7, "seat 1")])
def test_561_12_c_number_of_the_generator(number: int, start: str) -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(rng=[number]), rules={"starting_position": "rng"})
    assert document["order"][:3] == ["no_more_bets", f"rng {number}", f"start {start}"]


@pytest.mark.parametrize(
    ("button", "starts"),
    [
        (None, ["dealer", "seat 1", "seat 2"]),
        (6, ["seat 6", "dealer", "seat 1"]),
        ("dealer", ["dealer", "seat 1", "seat 2"]),
    ],
)
def test_561_12_d_button_moves_clockwise_round_by_round(button: object, starts: list[str]) -> None:
    table = STACKS if button is None else {**STACKS, "button": button}
    document = outcome(PAI_GOW_GAME, *[pai_gow()] * 3, rules={"starting_position": "button"}, table=table)
    assert [played["order"][1] for played in document["rounds"]] == [f"start {start}" for start in starts]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ({}, "there is no throw 1 in dice"),
        ({"dice": ["1 3"]}, "throw 1 is of 2 dice, expected 3"),
        ({"dice": ["1 3 6", "1 1 1"]}, "dice: nobody asked for all of it"),
        ({"dice": ["1 3 6"], "rng": [3]}, "rng: nobody asked for it"),
    ],
)
def test_throws_that_do_not_fit_are_refused(script: dict[str, Any], message: str) -> None:
    assert outcome(PAI_GOW_GAME, pai_gow(**script))["error"]["message"] == message


@pytest.mark.parametrize("numbers", [[], [0], [8]])
def test_numbers_that_do_not_fit_are_refused(numbers: list[int]) -> None:
    document = outcome(PAI_GOW_GAME, pai_gow(rng=numbers), rules={"starting_position": "rng"})
    assert document["error"]["message"] == "rng: expected a number from 1 to 7"


def test_from_the_hand_needs_a_shuffler_in_every_chapter() -> None:
    document = outcome(PAI_GOW_GAME, pai_gow(dice=["1 3 6"]), table={"dealing": "from_hand"})
    assert document["error"]["cite"] == "561.10(a)(1)"


# Boards ---------------------------------------------------------------------------------------------------------------


def test_655a_8_d_two_cards_one_after_the_other_then_the_board() -> None:
    document = round_of(STUD, {"wagers": ANTES, "decisions": IN})
    assert places(document) == ["seat 1", "seat 1", "seat 4", "seat 4", "community", "community", "community"]


def test_655a_10_b_c_stacks_then_the_board_from_the_hand() -> None:
    document = round_of(STUD, {"wagers": ANTES, "decisions": IN}, table=STACKS)
    assert places(document) == ["seat 1", "seat 1", "seat 4", "seat 4", "community", "community", "community"]


def test_655a_10_c_shoe_that_jams_has_given_no_board() -> None:
    """The board comes from the hand: a jam noticed at its first card is one of the shoe all the same."""
    script = {"wagers": ANTES, "incidents": [{"at": "card 3", "kind": "shoe_jam"}]}
    document = round_of(STUD, script, table=STACKS)
    assert (document["outcome"], document["cite"]) == ("void", "655a.13(f)")
    assert places(document) == ["seat 1", "seat 1", "seat 4"]


@pytest.mark.parametrize("table", [{}, BY_HAND], ids=["manual_shoe", "from_hand"])
def test_674a_8_board_first_then_single_cards(table: dict[str, Any]) -> None:
    document = round_of(CRISS_CROSS, {"wagers": ANTES, "decisions": IN}, table=table)
    assert places(document) == ["community"] * 5 + ["seat 1", "seat 4"] * 2


def test_674a_10_b_first_stack_is_the_board() -> None:
    document = round_of(CRISS_CROSS, {"wagers": ANTES, "decisions": IN}, table=STACKS)
    assert places(document) == ["community"] * 5 + ["seat 1", "seat 1", "seat 4", "seat 4"]


def test_563_11_b_burn_then_the_board() -> None:
    document = round_of(HOLD_EM, {"wagers": ANTES, "decisions": {"1": ["bet"], "4": ["fold"]}})
    assert places(document) == [*["seat 1", "seat 4", "dealer"] * 2, "burn", "community", "community", "community"]
    shown = [act for act in document["order"] if act.startswith("expose")]
    assert shown == ["expose community 1", "expose community 2", "expose community 3", "expose dealer", "expose seat 1"]


# Burned cards ---------------------------------------------------------------------------------------------------------

STAND = {"wagers": {"1": {"blackjack": "5.00"}}, "decisions": {"1": ["stand"]}}


def test_672a_7_c_first_card_of_the_batch_and_one_by_each_new_dealer() -> None:
    document = outcome(TWENTY_ONE, STAND, STAND, {**STAND, "new_dealer": True}, STAND)
    assert [played["order"][:2] for played in document["rounds"]] == [
        ["card 1 -> burn", "no_more_bets"],
        ["no_more_bets", "card 1 -> seat 1"],
        ["card 1 -> burn", "no_more_bets"],
        ["no_more_bets", "card 1 -> seat 1"],
    ]


def test_672a_7_c_one_card_does_for_a_new_dealer_with_a_full_batch() -> None:
    document = outcome(TWENTY_ONE, {**STAND, "new_dealer": True})
    assert places(document["rounds"][0]).count("burn") == 1


def test_672a_7_d_cover_card_ends_the_shoe_and_the_next_one_is_burned_into() -> None:
    covered = {**STAND, "incidents": [{"at": "card 3", "kind": "cover_card"}]}
    document = outcome(TWENTY_ONE, covered, STAND)
    assert [played["deck"]["disposition"] for played in document["rounds"]] == ["reshuffle", "continue"]
    assert places(document["rounds"][1])[0] == "burn"


def test_672a_12_a_face_up_card_is_no_burn() -> None:
    document = round_of(TWENTY_ONE, {**STAND, "cards": "^2c"})
    assert places(document)[:2] == ["rack", "burn"]
    assert document["remedies"] == ["card_discarded"]


# Counts ---------------------------------------------------------------------------------------------------------------


def count(**said: Any) -> list[dict[str, Any]]:
    return [{"at": "count", "kind": "deck_count", **said}]


def test_561_9_d_remainder_is_counted_in_every_round_whoever_shuffles() -> None:
    document = outcome(PAI_GOW_GAME, *[pai_gow(dice=["1 3 6"])] * 2, table={"shuffler": "counting"})
    assert [played["order"].count("count remainder") for played in document["rounds"]] == [1, 1]


@pytest.mark.parametrize(
    ("table", "clause"),
    [({}, "561.9(f)"), (BY_HAND, "561.10(f)"), (STACKS, "561.11(f)")],
    ids=["shoe", "hand", "stacks"],
)
def test_561_9_f_remainder_wrong(table: dict[str, Any], clause: str) -> None:
    wrong = pai_gow(dice=["1 3 6"], decisions={}, incidents=count(count=54, misdealt=True, position="seat 2"))
    misdealt = round_of(PAI_GOW_GAME, wrong, table=table)
    assert (misdealt["outcome"], misdealt["cause"], misdealt["cite"]) == ("void", "deck_count", clause)
    assert misdealt["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert misdealt["deck"]["disposition"] == "reshuffle"
    right = round_of(PAI_GOW_GAME, pai_gow(dice=["1 3 6"], decisions={}, incidents=count(count=52)), table=table)
    assert (right["outcome"], right["remedies"]) == ("void", ["wagers_returned", "deck_removed"])
    assert right["deck"]["disposition"] == "remove"


def test_561_14_f_face_up_card_lies_in_the_rack_and_the_remainder_is_one_fewer() -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(dice=["1 3 6"], cards="2c ^3c"))
    assert document["outcome"] == "completed"
    assert places(document)[:3] == ["seat 5", "rack", "seat 6"]


def test_563_8_h_misdealt_stub_orders_no_reshuffle_of_its_own() -> None:
    script = {"wagers": ANTES, "decisions": IN, "incidents": count(count=51, misdealt=True, position="seat 4")}
    document = round_of(HOLD_EM, script, table={"rounds_since_count": 4})
    assert (document["outcome"], document["cite"]) == ("void", "563.8(h)")
    assert document["remedies"] == ["wagers_returned"]
    assert [(row["wager"], row["returned"]) for row in document["wagers"]] == [
        ("ante", "5.00"),
        ("flop", "10.00"),
        ("ante", "10.00"),
        ("flop", "20.00"),
    ]


@pytest.mark.parametrize(("since", "due"), [(3, False), (4, True), (7, True)])
@pytest.mark.parametrize("shuffler", ["none", "plain", "counting"])
def test_671a_11_h_whole_deck_every_five_rounds_after_everything_is_paid(since: int, due: bool, shuffler: str) -> None:
    document = round_of(LUNAR, {"wagers": ANTES}, table={"rounds_since_count": since, "shuffler": shuffler})
    last = document["order"][-1]
    assert (last == "count deck") is (due and shuffler != "counting")


def test_671a_11_h_2_wrong_deck_leaves_after_a_round_that_is_completed() -> None:
    document = outcome(
        LUNAR, {"wagers": ANTES, "incidents": count(count=51)}, {"wagers": ANTES}, table={"rounds_since_count": 4}
    )
    first, second = document["rounds"]
    assert (first["outcome"], first["cause"], first["cite"]) == ("completed", None, None)
    assert first["remedies"] == ["deck_removed"]
    assert first["deck"] == {"id": "deck-1", "disposition": "remove"}
    assert first["net"] != {"1": "0.00", "4": "0.00"}, "what was paid stays paid"
    assert second["deck"]["id"] == "deck-2"
    assert "count deck" not in second["order"], "the count begins anew with the new deck"


def test_671a_11_h_deck_that_is_right_goes_on() -> None:
    document = outcome(LUNAR, *[{"wagers": ANTES}] * 7, table={"rounds_since_count": 4})
    counted = [played["order"][-1] == "count deck" for played in document["rounds"]]
    assert counted == [True, False, False, False, False, True, False]


# Dice -----------------------------------------------------------------------------------------------------------------


def dice(*throws: str, incidents: Any = ()) -> dict[str, Any]:
    return {"wagers": {"1": {"pip_1": "5.00"}}, "dice": list(throws), "incidents": list(incidents)}


@pytest.mark.parametrize(
    ("kind", "said", "clause"),
    [("die_off_table", {}, "675a.4(b)"), ("dice_stacked", {}, "675a.4(b)"), ("die_cocked", {"sides": 2}, "675a.4(c)")],
)
def test_675a_4_b_c_invalid_throw_is_thrown_again(kind: str, said: dict[str, Any], clause: str) -> None:
    wrong = [{"at": f"throw {number}", "kind": kind, **said} for number in (1, 2)]
    document = round_of(DICE, dice("2 2 2 2 2 2", "2 2 2 2 2 2", "1 1 1 1 1 1", incidents=wrong))
    assert document["order"] == ["no_more_bets", "throw 1", "throw 2", "throw 3", "settle 1 pip_1"]
    assert document["remedies"] == ["rethrown"]
    assert document["net"] == {"1": "5.00"}


def test_675a_4_c_die_that_rests_on_one_side_counts() -> None:
    document = round_of(DICE, dice("1 1 1 2 2 3", incidents=[{"at": "throw 1", "kind": "die_cocked", "sides": 1}]))
    assert document["order"] == ["no_more_bets", "throw 1", "settle 1 pip_1"]
    assert document["remedies"] == ["round_resumed"]
    assert document["net"] == {"1": "5.00"}
