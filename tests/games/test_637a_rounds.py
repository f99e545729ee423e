"""637a.12 to 637a.14, 637a.16 and 637a.17, clause by clause: order of acts, who may win, what is taken off the pots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document

CHECKS = ["check"] * 3
FOUR = {"1": "50.00", "2": "50.00", "3": "50.00", "4": "50.00"}


def dealt(order: Sequence[int], hands: Mapping[int, str], *more: str) -> str:
    """`cards` of a round in which these hands are dealt one card at a time in that order, and what follows them."""
    split = {seat: hand.split() for seat, hand in hands.items()}
    turns = range(len(next(iter(split.values()))))
    return " ".join([*(split[seat][turn] for turn in turns for seat in order), *more])


def played(
    game: str,
    stacks: Mapping[str, str],
    decisions: Mapping[str, Sequence[str]],
    cards: str = "",
    rules: Mapping[str, Any] | None = None,
    button: int = 4,
) -> Document:
    script = {"stacks": stacks, "cards": cards, "decisions": decisions}
    table = {} if game == "five_card_stud" else {"button": button}
    return only_round(outcome(script, rules=rules, table=table, game=game))


def acts(found: Document, *kinds: str) -> list[str]:
    return [act for act in found["order"] if act.startswith(kinds)]


def shares(found: Document, pot: int = 0) -> list[tuple[int, str, str]]:
    return [(share["seat"], share["part"], share["amount"]) for share in found["pots"][pot]["shares"]]


# Omaha ------------------------------------------------------------------------------------------------------------

CALLED = {"1": ["call", *CHECKS], "2": ["check", *CHECKS], "3": ["call", *CHECKS], "4": ["call", *CHECKS]}


def test_637a_12_b_each_player_places_the_ante() -> None:
    found = played("omaha_high", FOUR, CALLED, rules={"ante": "1.00"})
    assert acts(found, "post") == [*(f"post {n}" for n in (1, 2, 3, 4)), "post 1", "post 2"]
    assert found["pots"][0]["amount"] == "12.00"


def test_637a_12_c_1_i_button_begins_at_the_last_player_to_the_dealers_right() -> None:
    script = {"stacks": FOUR, "decisions": {"3": ["fold"], "4": ["fold"], "1": ["fold"]}}
    found = only_round(outcome(script, game="omaha_high"))
    assert acts(found, "post") == ["post 1", "post 2"]


def test_637a_12_c_2_button_rotates_clockwise_past_empty_seats() -> None:
    stacks = {"2": "50.00", "5": "50.00", "9": "50.00"}
    folds = [{"2": ["fold"], "5": ["fold"]}, {"5": ["fold"], "9": ["fold"]}, {"9": ["fold"], "2": ["fold"]}]
    rounds = [{"stacks": stacks, "decisions": said} for said in folds]
    document = outcome(*rounds, table={"button": 2}, game="omaha_high")
    assert "error" not in document, document["error"]
    posts = [acts(found, "post") for found in document["rounds"]]
    assert posts == [["post 5", "post 9"], ["post 9", "post 2"], ["post 2", "post 5"]]


def test_637a_12_d_f_blinds_come_before_the_cards_and_the_button_has_the_last_card() -> None:
    said = {"1": ["call", *CHECKS], "2": ["call", *CHECKS], "3": ["call", *CHECKS], "4": ["check", *CHECKS]}
    found = played("omaha_high", FOUR, said, button=2)
    assert found["order"][:2] == ["post 3", "post 4"]
    seats = [int(act.split()[-1]) for act in acts(found, "card") if "seat" in act]
    assert seats == [3, 4, 1, 2] * 4


@pytest.mark.parametrize("answer", ["straddle", "no_straddle"])
def test_637a_12_e_player_left_of_the_blinds_may_straddle(answer: str) -> None:
    is_placed = answer == "straddle"
    first = {"3": [answer, "check" if is_placed else "call"], "4": ["call"], "1": ["call"]}
    first["2"] = ["call" if is_placed else "check"]
    said = {seat: [*decided, *CHECKS] for seat, decided in first.items()}
    found = played("omaha_high", FOUR, said, rules={"straddle": "4.00"})
    assert acts(found, "post") == ["post 1", "post 2", *(["post 3"] if is_placed else [])]
    assert acts(found, "ask")[:2] == ["ask 3", "ask 4" if is_placed else "ask 3"]
    assert found["pots"][0]["amount"] == ("16.00" if is_placed else "8.00")


def test_637a_12_g_first_round_begins_left_of_the_blinds_and_ends_with_them() -> None:
    found = played("omaha_high", FOUR, CALLED)
    assert acts(found, "ask")[:4] == ["ask 3", "ask 4", "ask 1", "ask 2"]


def test_637a_12_h_i_j_a_card_is_burned_before_each_street_and_the_player_left_of_the_button_opens() -> None:
    found = played("omaha_high", FOUR, CALLED)
    after = found["order"][found["order"].index("card 17 -> burn") :]
    streets = [act for act in after if act.startswith(("card", "ask"))]
    asked = [f"ask {n}" for n in (1, 2, 3, 4)]
    flop = ["card 17 -> burn", *(f"card {n} -> community" for n in (18, 19, 20))]
    turn, river = ([f"card {n} -> burn", f"card {n + 1} -> community"] for n in (21, 23))
    assert streets == [*flop, *asked, *turn, *asked, *river, *asked]


BOARD = ("2s", "Kd", "8c", "5h", "3s", "7h", "4s", "Jd")  # burn, flop, burn, turn, burn, river


def test_637a_12_k_1_high_hand_of_two_own_and_three_common_cards_takes_the_pot() -> None:
    hands = {1: "Ks Kh 9d 9c", 2: "As Ac Qd Tc", 3: "Jh Js 2c 2d", 4: "Qs Qh 4c 4d"}
    found = played("omaha_high", FOUR, CALLED, dealt([1, 2, 3, 4], hands, *BOARD))
    assert shares(found) == [(1, "high", "8.00")]


def test_637a_12_k_2_i_high_and_low_divide_and_l_a_low_needs_eight_or_better() -> None:
    hands = {1: "Ks Kh 9d 9c", 2: "As 2c Qd Tc", 3: "Jh Js 2h 2d", 4: "Qs Qh 4c 4d"}
    found = played("omaha_hilo", FOUR, CALLED, dealt([1, 2, 3, 4], hands, *BOARD))
    assert shares(found) == [(1, "high", "4.00"), (2, "low", "4.00")]
    no_low = ("2s", "Kd", "Tc", "5h", "3s", "9h", "4s", "Jd")
    hands[2] = "As 2c Qd 8c"
    found = played("omaha_hilo", FOUR, CALLED, dealt([1, 2, 3, 4], hands, *no_low))
    assert [part for _seat, part, _amount in shares(found)] == ["high"]


def test_637a_12_m_the_same_cards_may_be_high_and_low() -> None:
    hands = {1: "Ks Kh 9d 9c", 2: "4h 6c Qd Tc", 3: "Jh Js 2h 2d", 4: "Qs Qh 4c Td"}
    board = ("2s", "3d", "8c", "5h", "3s", "7h", "9s", "Kd")
    found = played("omaha_hilo", FOUR, CALLED, dealt([1, 2, 3, 4], hands, *board))
    assert shares(found) == [(2, "high", "4.00"), (2, "low", "4.00")]


@pytest.mark.parametrize(("kill", "posted"), [("kill", "4.00"), ("half_kill", "3.00")])
def test_637a_12_n_winner_of_a_qualifying_pot_posts_the_kill(kill: str, posted: str) -> None:
    """Seat 3 takes $20 uncontested; in the next round the others need as much as it has posted to play."""
    first = {"stacks": FOUR, "decisions": {"3": ["raise 9.00", "bet 10.00"], "4": ["call", "fold"], "1": ["fold"]}}
    first["decisions"] |= {"2": ["fold"]}  # type: ignore[operator]
    second = {"stacks": FOUR, "decisions": {n: ["fold"] for n in ("4", "1", "2")}}
    rules = {"kill": kill, "kill_pot": "20.00"}
    document = outcome(first, second, rules=rules, table={"button": 4}, game="omaha_hilo")
    assert "error" not in document, document["error"]
    assert document["rounds"][0]["pots"][0]["amount"] == "21.00"
    assert acts(document["rounds"][1], "post") == ["post 2", "post 3", "post 3"]
    raised = {"stacks": FOUR, "decisions": {"4": [f"raise {posted}"]}}
    error = outcome(first, raised, rules=rules, table={"button": 4}, game="omaha_hilo")["error"]
    assert error["seat"] == 4


# Draw ---------------------------------------------------------------------------------------------------------------


def test_637a_13_d_e_f_blinds_follow_the_deal() -> None:
    said = {"1": ["call", "draw", "check"], "2": ["check", "draw", "check"], "3": ["fold"], "4": ["fold"]}
    found = played("five_card_draw_high", FOUR, said)
    assert found["order"][20:24] == ["post 1", "post 2", "ask 3", "ask 4"]
    assert [int(act.split()[-1]) for act in found["order"][:20]] == [1, 2, 3, 4] * 5


@pytest.mark.parametrize("count", range(6))
def test_637a_13_g_any_number_of_cards_and_one_burn_before_the_first(count: int) -> None:
    hands = {1: "Ks Kh 9d 9c 3h", 2: "As Ac Qd Tc 4h"}
    stacks = {"1": "50.00", "2": "50.00"}
    thrown = hands[1].split()[:count]
    said = {"1": ["call", " ".join(["draw", *thrown]), "check"], "2": ["check", "draw 4h", "check"]}
    found = played("five_card_draw_high", stacks, said, dealt([1, 2], hands), button=2)
    assert [act for act in found["order"] if act.endswith("burn")] == ["card 11 -> burn"]
    assert len([act for act in found["order"] if act.endswith("seat 1")]) == 5 + count
    assert acts(found, "show") == ["show 2", "show 1"]


@pytest.mark.parametrize(("low", "winner"), [("ace_to_five", 1), ("deuce_to_seven", 2)])
def test_637a_13_i_2_which_low_is_played_is_filed(low: str, winner: int) -> None:
    """Five to ace is the best hand of the one, and an ace-high of the other."""
    hands = {1: "As 2h 3d 4c 5h", 2: "2s 3h 4d 5c 7h"}
    said = {"1": ["call", "draw", "check"], "2": ["check", "draw", "check"]}
    stacks = {"1": "50.00", "2": "50.00"}
    found = played("five_card_draw_low", stacks, said, dealt([1, 2], hands), {"low": low}, button=2)
    assert shares(found) == [(winner, "low", "4.00")]


# Stud ---------------------------------------------------------------------------------------------------------------

STUD = {1: "As 9h", 2: "Kc 3h", 3: "7d 3c", 4: "Qs 5d"}


def test_637a_14_c_d_e_lowest_card_by_suit_is_forced_to_bet_and_the_next_player_acts() -> None:
    said = {"4": ["fold"], "1": ["fold"], "2": ["fold"]}
    found = played("five_card_stud", FOUR, said, dealt([1, 2, 3, 4], STUD))
    assert [int(act.split()[-1]) for act in found["order"][:8]] == [1, 2, 3, 4] * 2
    assert found["order"][8:] == ["post 3", "ask 4", "ask 1", "ask 2"]


def test_637a_14_f_g_h_best_hand_showing_opens_after_a_burn() -> None:
    said = {"4": ["call", *CHECKS], "1": ["call", *CHECKS], "2": ["call", *CHECKS], "3": CHECKS}
    streets = ("2s", "Td", "Kd", "3d", "8h", "2d", "Jc", "Jd", "8s", "8d", "2h", "Tc", "Kh", "4s", "4h")
    found = played("five_card_stud", FOUR, said, dealt([1, 2, 3, 4], STUD, *streets))
    openers = [found["order"][n + 5] for n, act in enumerate(found["order"]) if act.endswith("burn")]
    assert openers == ["ask 3", "ask 4", "ask 2"]  # a pair of threes, of eights, of kings


def test_637a_14_i_high_hand_wins() -> None:
    said = {"4": ["call", *CHECKS], "1": ["call", *CHECKS], "2": ["call", *CHECKS], "3": CHECKS}
    streets = ("2s", "Td", "Kd", "3d", "8h", "2d", "Jc", "Jd", "8s", "8d", "2h", "Tc", "Kh", "4s", "4h")
    found = played("five_card_stud", FOUR, said, dealt([1, 2, 3, 4], STUD, *streets))
    assert shares(found) == [(2, "high", "4.00")]


# Revenue, jackpots, showdown ----------------------------------------------------------------------------------------

BIG = {"3": ["raise 10.00", *CHECKS], "4": ["call", *CHECKS], "1": ["call", *CHECKS], "2": ["call", *CHECKS]}


@pytest.mark.parametrize(
    ("percent", "maximum", "rake"), [(10, "4.00", "4.00"), (10, "3.00", "3.00"), (9, "9.00", "3.00")]
)
def test_637a_17_b_1_percentage_rake_up_to_its_maximum(percent: int, maximum: str, rake: str) -> None:
    rules = {"rake": {"type": "percentage", "percent": percent, "maximum": maximum}}
    found = played("omaha_high", FOUR, BIG, rules=rules)
    assert (found["pots"][0]["amount"], found["pots"][0]["rake"]) == ("40.00", rake)


@pytest.mark.parametrize(("reached", "rake"), [("40.00", "2.00"), ("41.00", "1.00")])
def test_637a_17_b_2_incremental_rake_at_its_levels(reached: str, rake: str) -> None:
    rules = {"rake": {"type": "incremental", "steps": [["20.00", "1.00"], [reached, "2.00"]]}}
    assert played("omaha_high", FOUR, BIG, rules=rules)["pots"][0]["rake"] == rake


def test_637a_17_b_3_time_charge_takes_nothing_from_the_pot() -> None:
    assert played("omaha_high", FOUR, BIG, rules={"rake": {"type": "time"}})["pots"][0]["rake"] == "0.00"


def test_637a_17_d_uncalled_final_bet_is_no_part_of_the_pot() -> None:
    said = {"3": ["raise 10.00", "bet 40.00"], "4": ["call", "fold"], "1": ["fold"], "2": ["fold"]}
    found = played("omaha_high", FOUR, said, rules={"rake": {"type": "percentage", "percent": 10, "maximum": "9.00"}})
    assert (found["pots"][0]["amount"], found["pots"][0]["rake"]) == ("23.00", "2.00")
    assert found["net"]["3"] == "11.00"


@pytest.mark.parametrize(("fund", "least", "taken"), [("bad_beat", "40.00", True), ("high_hand", "41.00", False)])
def test_637a_15_c_16_c_contribution_after_the_rake_from_the_minimum_pot_on(fund: str, least: str, taken: bool) -> None:
    found = played("omaha_high", FOUR, BIG, rules={fund: {"drop": "1.00", "minimum_pot": least}})
    assert found["pots"][0]["drops"] == ({fund: "1.00"} if taken else {})


@pytest.mark.parametrize(
    ("last", "order"),
    [("4", [4, 1, 2, 3]), ("2", [2, 3, 4, 1]), (None, [3, 4, 1, 2])],
)
def test_637a_18_e_whoever_made_the_final_bet_shows_first_and_the_others_clockwise(
    last: str | None, order: list[int]
) -> None:
    """Nobody bets on the river: it is the last raise before."""
    said = {number: list(acts) for number, acts in BIG.items()}
    if last is not None:
        for number in said:
            before = int(number) < int(last)
            river = ["bet 5.00"] if number == last else ["check", "call"] if before else ["call"]
            said[number] = [*said[number][:3], *river]
    found = played("omaha_high", FOUR, said)
    assert acts(found, "show") == [f"show {number}" for number in order]
