"""The round of play, its decisions and its payouts, clause by clause (673a.7 to 673a.12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.games.rounds import only_round, outcome

Hands = Mapping[int, str]
Rows = dict[tuple[int, str, int], tuple[str, str, str]]
"""By seat, wager and hand: the result, what is won or lost, the clause."""


def dealt(hands: Hands, dealer: str, draws: str = "") -> str:
    """The cards of a first round: one burned, two for each seat and the dealer, then what is drawn."""
    two = [hand.split() for hand in (*(hands[seat] for seat in sorted(hands)), dealer)]
    return " ".join(["2c", *(first for first, _second in two), *(second for _first, second in two), draws]).strip()


def play(
    hands: Hands,
    dealer: str,
    draws: str = "",
    decisions: Mapping[int, Sequence[str]] | None = None,
    stakes: Mapping[int, str] | None = None,
    **rules: object,
) -> dict[str, Any]:
    """One round; every seat wagers 10.00 where nothing else is said."""
    script = {
        "wagers": {str(seat): {"blackjack": (stakes or {}).get(seat, "10.00")} for seat in hands},
        "cards": dealt(hands, dealer, draws),
        "decisions": {str(seat): list(verbs) for seat, verbs in (decisions or {}).items()},
    }
    return only_round(outcome(script, rules=rules, game="double_back_jack"))


def rows(played: Mapping[str, Any]) -> Rows:
    found: Rows = {}
    for row in played["wagers"]:
        won = f"+{row['paid']}" if row["paid"] != "0.00" else f"-{row['collected']}"
        found[row["seat"], row["wager"], row["hand"]] = row["result"], won, row["cite"]
    return found


def acts(played: Mapping[str, Any], *beginnings: str) -> list[str]:
    """The acts of those kinds, in order."""
    return [act for act in played["order"] if act.startswith(beginnings)]


# The deal and what comes before the decisions (673a.7(c)-(h)) ---------------------------------------------------------


def test_673a_7_c_first_card_of_a_full_shoe_is_burned_before_the_betting_is_closed() -> None:
    played = play({2: "Tc 9c"}, "7h Td", decisions={2: ["stand"]})
    assert played["order"][:3] == ["card 1 -> burn", "no_more_bets", "card 2 -> seat 2"]


def test_673a_7_e_two_cards_clockwise_to_boxes_with_a_wager_and_to_the_dealer() -> None:
    played = play({5: "Tc 9c", 2: "8c 9d"}, "7h Td", decisions={2: ["stand"], 5: ["stand"]})
    places = ["burn", "seat 2", "seat 5", "dealer", "seat 2", "seat 5", "dealer"]
    assert acts(played, "card") == [f"card {number} -> {place}" for number, place in enumerate(places, 1)]


@pytest.mark.parametrize("dealer", ["7h Td", "Ah Kd", "Kh Ad", "Ah 9d"])
def test_673a_7_f_blackjacks_are_paid_first_counterclockwise_whatever_the_dealer_has(dealer: str) -> None:
    decisions: dict[int, list[str]] = {3: [] if dealer == "Kh Ad" else ["no_insurance"]}
    if dealer in ("7h Td", "Ah 9d"):
        decisions[3] = [*decisions[3], "stand"] if dealer == "Ah 9d" else ["stand"]
    played = play({1: "As Kc", 3: "Tc 8c", 6: "Qs Ac"}, dealer, decisions=decisions)
    assert rows(played)[1, "blackjack", 0] == ("win", "+20.00", "673a.12(a)")
    assert rows(played)[6, "blackjack", 0] == ("win", "+20.00", "673a.12(a)")
    after = played["order"][played["order"].index("card 9 -> dealer") + 1 :]
    assert after[:2] == ["settle 6 blackjack", "settle 1 blackjack"]


def test_673a_7_g_insurance_is_offered_under_an_ace_alone_to_open_wagers_clockwise() -> None:
    under_ten = play({1: "Tc 9c", 2: "9d 9h"}, "Kh 8d", decisions={1: ["stand"], 2: ["stand"]})
    assert acts(under_ten, "ask", "peek") == ["peek", "ask 1", "ask 2"]
    said = {1: ["no_insurance", "stand"], 4: ["insurance", "stand"]}
    under_ace = play({1: "Tc 9c", 2: "As Kc", 4: "9d 9h"}, "Ah 8d", decisions=said)
    assert acts(under_ace, "ask", "peek") == ["ask 1", "ask 4", "peek", "ask 1", "ask 4"]


@pytest.mark.parametrize("up", ["Ah", "Th", "Jh", "Qh", "Kh"])
def test_673a_7_h_dealers_blackjack_ends_the_round_without_another_card(up: str) -> None:
    hole = "Kd" if up == "Ah" else "Ad"
    said = {2: ["no_insurance"], 3: ["no_insurance"]} if up == "Ah" else {}
    played = play({2: "Tc Ts", 3: "7c 7s"}, f"{up} {hole}", "9c", said)
    assert rows(played) == {
        (2, "blackjack", 0): ("lose", "-10.00", "673a.7(h)"),
        (3, "blackjack", 0): ("lose", "-10.00", "673a.7(h)"),
    }
    after = played["order"][played["order"].index("card 7 -> dealer") + 1 :]
    asked = ["ask 2", "ask 3"] if up == "Ah" else []
    assert after == [*asked, "peek", "expose dealer", "settle 3 blackjack", "settle 2 blackjack"]


@pytest.mark.parametrize("up", ["2h", "5h", "9h"])
def test_673a_7_h_reader_is_not_used_under_another_card(up: str) -> None:
    played = play({2: "Tc 9s"}, f"{up} Ad", "8s 7s 6s", {2: ["stand"]})
    assert acts(played, "peek") == []


# Decisions (673a.7(i)-(m), 673a.9-673a.11) ----------------------------------------------------------------------------


def test_673a_7_i_players_decide_clockwise_each_until_the_hand_is_done() -> None:
    said = {1: ["hit", "stand"], 2: ["stand"], 6: ["hit", "hit", "stand"]}
    played = play({6: "2h 3h", 1: "5c 4c", 2: "Tc 8s"}, "7h Td", "9d 4d 8d", said)
    assert acts(played, "ask") == ["ask 1", "ask 1", "ask 2", "ask 6", "ask 6", "ask 6"]
    assert acts(played, "card")[9:] == ["card 10 -> seat 1", "card 11 -> seat 6", "card 12 -> seat 6"]


def test_673a_7_k_1_no_card_and_no_question_with_21() -> None:
    played = play({2: "5c 4c"}, "7h Td", "Ac As", {2: ["hit", "hit"]})
    assert acts(played, "ask") == ["ask 2", "ask 2"], "9, then a soft 20, then 21"
    assert rows(played) == {(2, "blackjack", 0): ("win", "+10.00", "673a.12(a)")}
    soft = play({2: "5c 4c"}, "7h Td", "3s 9d", {2: ["hit", "hit"]})
    assert rows(soft)[2, "blackjack", 0][0] == "win"


def test_673a_7_k_2_doubled_hand_gets_one_card() -> None:
    played = play({2: "5c 4c"}, "7h Td", "2s", {2: ["double"]})
    assert acts(played, "ask") == ["ask 2"]
    assert rows(played) == {
        (2, "blackjack", 0): ("lose", "-10.00", "673a.7(s)(3)"),
        (2, "double", 0): ("lose", "-10.00", "673a.7(s)(3)"),
    }


SECOND_CHANCE: dict[str, tuple[str, str, dict[str, tuple[str, str, str]]]] = {
    # the second chance card of a hand of 25, the dealer's draw to 16, and how both wagers end
    "3 leaves 22": (
        "3s",
        "2d",
        {
            "blackjack": ("lose", "-10.00", "673a.7(l)(1)"),
            "second_chance": ("lose", "-10.00", "673a.7(l)(1)"),
        },
    ),
    "an ace counts one and leaves 24": (
        "As",
        "2d",
        {
            "blackjack": ("lose", "-10.00", "673a.7(l)(1)"),
            "second_chance": ("lose", "-10.00", "673a.7(l)(1)"),
        },
    ),
    "4 leaves 21": (
        "4s",
        "5d",
        {
            "blackjack": ("returned", "-0.00", "673a.7(l)(2)"),
            "second_chance": ("win", "+10.00", "673a.12(b)"),
        },
    ),
    "5 leaves 20 against 19": (
        "5s",
        "3d",
        {
            "blackjack": ("returned", "-0.00", "673a.7(s)(1)(i)"),
            "second_chance": ("win", "+10.00", "673a.12(b)"),
        },
    ),
    "5 leaves 20 against 20": (
        "5s",
        "4d",
        {
            "blackjack": ("push", "-0.00", "673a.7(s)(2)"),
            "second_chance": ("push", "-0.00", "673a.7(s)(2)"),
        },
    ),
    "a king leaves 15 against 17": (
        "Ks",
        "Ad",
        {
            "blackjack": ("lose", "-10.00", "673a.7(s)(3)"),
            "second_chance": ("lose", "-10.00", "673a.7(s)(3)"),
        },
    ),
    "a king leaves 15 against 22": (
        "Ks",
        "6d",
        {
            "blackjack": ("push", "-0.00", "673a.7(q)(1)"),
            "second_chance": ("push", "-0.00", "673a.7(q)(1)"),
        },
    ),
    "a king leaves 15 against 23": (
        "Ks",
        "7d",
        {
            "blackjack": ("returned", "-0.00", "673a.7(s)(1)(i)"),
            "second_chance": ("win", "+10.00", "673a.12(b)"),
        },
    ),
}


@pytest.mark.parametrize("case", SECOND_CHANCE)
def test_673a_7_l_second_chance(case: str) -> None:
    chance, draw, expected = SECOND_CHANCE[case]
    draws = f"9s {chance} {draw}"
    played = play({2: "Tc 6c"}, "6h Td", draws, {2: ["hit", "second_chance"]})
    assert rows(played) == {(2, wager, 0): row for wager, row in expected.items()}
    at_once = not any("q" in cite or "s" in cite for _result, _won, cite in expected.values() if ".7(" in cite)
    settled = played["order"].index("settle 2 blackjack")
    assert (settled < played["order"].index("expose dealer")) == at_once


def test_673a_7_l_a_bust_without_second_chance_is_collected_before_the_next_player() -> None:
    said = {1: ["hit", "no_second_chance"], 2: ["stand"]}
    played = play({1: "Tc 6c", 2: "Ts 9s"}, "6h Td", "9c 6d", said)
    after = played["order"][played["order"].index("card 8 -> seat 1") + 1 :]
    assert after[:3] == ["ask 1", "settle 1 blackjack", "ask 2"]
    assert rows(played)[1, "blackjack", 0] == ("lose", "-10.00", "673a.7(s)(3)"), "though the dealer has 22"
    assert rows(played)[2, "blackjack", 0][0] == "push"


def test_673a_7_l_second_chance_equals_the_current_wager_with_the_double_in_it() -> None:
    played = play({2: "7c 5c"}, "6h Td", "Ks 2d 3h", {2: ["double 4.00", "second_chance"]})
    staked = {row["wager"]: row["staked"] for row in played["wagers"]}
    assert staked == {"blackjack": "10.00", "double": "4.00", "second_chance": "14.00"}
    assert played["net"] == {"2": "14.00"}, "22 less 2 beats 19: the Second Chance alone is paid"


@pytest.mark.parametrize(
    ("filed", "split", "doubled"),
    [
        ("every_hand", True, True),
        ("no_split_hand", False, True),
        ("no_doubled_hand", True, False),
        ("neither", False, False),
    ],
)
def test_673a_7_l_second_chance_as_it_is_filed(filed: str, *, split: bool, doubled: bool) -> None:
    more = ["no_second_chance"] if split else []
    after_split = play({2: "Tc Kc"}, "7h Td", "5s 9s 9h", {2: ["split", "hit", *more, "stand"]}, second_chance=filed)
    assert len(acts(after_split, "ask")) == 3 + split
    more = ["no_second_chance"] if doubled else []
    after_double = play({2: "7c 5c"}, "7h Td", "Ks", {2: ["double", *more]}, second_chance=filed)
    assert len(acts(after_double, "ask")) == 1 + doubled


def test_673a_7_m_21_is_paid_before_the_hole_card_is_turned_up_and_cannot_tie() -> None:
    played = play({2: "7c 7d", 3: "Tc 9c"}, "7h 4d", "7s Ts", {2: ["hit"], 3: ["stand"]})
    assert rows(played) == {
        (2, "blackjack", 0): ("win", "+10.00", "673a.12(a)"),
        (3, "blackjack", 0): ("lose", "-10.00", "673a.7(s)(3)"),
    }
    order = played["order"]
    assert order.index("settle 2 blackjack") < order.index("ask 3") < order.index("expose dealer")


def test_673a_9_a_1_half_is_collected_at_once_under_a_low_card() -> None:
    said = {1: ["surrender"], 2: ["stand"]}
    played = play({1: "Tc 6c", 2: "Ts 9s"}, "9h Td", "", said, {1: "25.00"})
    assert rows(played)[1, "blackjack", 0] == ("surrendered", "-12.50", "673a.9(a)(1)")
    assert acts(played, "ask", "settle 1") == ["ask 1", "settle 1 blackjack", "ask 2"]


@pytest.mark.parametrize(("hole", "collected"), [("9d", "5.00"), ("Ad", "10.00")])
def test_673a_9_a_2_under_a_ten_half_or_all_after_the_reader_was_used(hole: str, collected: str) -> None:
    played = play({1: "Tc 6c"}, f"Kh {hole}", "", {1: ["surrender"]})
    assert rows(played) == {(1, "blackjack", 0): ("surrendered", f"-{collected}", "673a.9(a)(2)")}
    after = played["order"][played["order"].index("card 5 -> dealer") + 1 :]
    shown = ["peek", "settle 1 blackjack", "expose dealer"]
    assert after == (shown if hole == "9d" else ["peek", "expose dealer", "settle 1 blackjack"])


@pytest.mark.parametrize(("hole", "insurance"), [("9d", ("lose", "-5.00")), ("Kd", ("win", "+10.00"))])
def test_673a_9_b_insurance_and_surrender_are_settled_separately(hole: str, insurance: tuple[str, str]) -> None:
    played = play({1: "Tc 6c"}, f"Ah {hole}", "", {1: ["insurance", "surrender"]})
    surrendered = "-5.00" if hole == "9d" else "-10.00"
    assert rows(played)[1, "blackjack", 0] == ("surrendered", surrendered, "673a.9(a)(2)")
    assert rows(played)[1, "insurance", 0][:2] == insurance


@pytest.mark.parametrize("amount", ["", " 0.01", " 9.99", " 10.00"])
def test_673a_10_a_double_is_any_amount_up_to_the_original_wager(amount: str) -> None:
    played = play({2: "6c 5c"}, "7h Td", "9s", {2: [f"double{amount}"]})
    (doubled,) = (row for row in played["wagers"] if row["wager"] == "double")
    assert (doubled["staked"], doubled["paid"]) == (amount.strip() or "10.00",) * 2


def test_673a_10_c_split_hand_may_be_doubled() -> None:
    played = play({2: "8c 8d"}, "7h Td", "3s Ts 2s 9s", {2: ["split", "double", "double 6.00"]})
    assert rows(played) == {
        (2, "blackjack", 0): ("win", "+10.00", "673a.12(a)"),
        (2, "double", 0): ("win", "+10.00", "673a.12(a)"),
        (2, "split", 1): ("win", "+10.00", "673a.12(a)"),
        (2, "double", 1): ("win", "+6.00", "673a.12(a)"),
    }


@pytest.mark.parametrize("pair", ["7c 7d", "Kc Td", "Ac Ad"])
def test_673a_11_a_two_cards_of_one_value_make_two_hands_for_an_equal_wager(pair: str) -> None:
    played = play({2: pair}, "7h Td", "2s 2h", {2: ["split", "stand", "stand"]}, {2: "15.00"})
    assert [(row["wager"], row["hand"], row["staked"]) for row in played["wagers"]] == [
        ("blackjack", 0, "15.00"),
        ("split", 1, "15.00"),
    ]


def test_673a_11_b_second_hand_gets_its_card_when_the_first_is_complete() -> None:
    played = play({2: "8c 8d"}, "7h Td", "2s 5s 4h Ks", {2: ["split", "hit", "stand", "hit", "no_second_chance"]})
    after = played["order"][played["order"].index("card 5 -> dealer") + 1 :]
    assert after[:7] == ["ask 2", "card 6 -> seat 2", "ask 2", "card 7 -> seat 2", "ask 2", "card 8 -> seat 2", "ask 2"]
    assert "settle 2 split 1" in after


def test_673a_11_b_ace_and_ten_after_a_split_are_21_and_no_blackjack() -> None:
    played = play({2: "Ac Ad"}, "7h Td", "Ks Qs", {2: ["split"]})
    assert rows(played) == {
        (2, "blackjack", 0): ("win", "+10.00", "673a.12(a)"),
        (2, "split", 1): ("win", "+10.00", "673a.12(a)"),
    }


# The dealer's hand and the comparison (673a.7(n)-(t)) -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "draws", "drawn"),
    [
        ("6h Td", "As 9s", 1),  # 17
        ("6h Ad", "9s", 0),  # a soft 17
        ("2h Ad", "2s 2d 9s", 2),  # soft 15, soft 17
        ("5h Ad", "6s 5s 9s", 2),  # soft 16, 12, 17
        ("6h Td", "5s 9s", 1),  # 21
        ("8h Td", "9s", 0),
    ],
)
def test_673a_7_o_dealer_draws_to_any_17(dealer: str, draws: str, drawn: int) -> None:
    played = play({2: "Tc 9c"}, dealer, draws, {2: ["stand"]})
    after = played["order"][played["order"].index("expose dealer") + 1 :]
    assert [act for act in after if act.startswith("card")] == [f"card {6 + n} -> dealer" for n in range(drawn)]


@pytest.mark.parametrize(
    ("hand", "draws", "said"),
    [
        ("As Kd", "", []),
        ("Tc 6c", "9s", ["hit", "no_second_chance"]),
        ("6c 5c", "Ts", ["double"]),
        ("Tc 6c", "", ["surrender"]),
        ("Tc 6c", "9s 4s", ["hit", "second_chance"]),
    ],
)
def test_673a_7_p_dealer_draws_no_card_where_nothing_depends_on_it(hand: str, draws: str, said: list[str]) -> None:
    played = play({2: hand}, "7h 4d", f"{draws} 2s".strip(), {2: said} if said else {})
    assert played["order"][-1] == "expose dealer"
    assert not any(act.endswith("dealer") for act in acts(played, "card")[5:])


def test_673a_7_q_1_dealers_22_returns_every_wager_that_is_left() -> None:
    said = {2: ["split", "stand", "double"], 5: ["stand"]}
    played = play({2: "9c 9d", 5: "Tc Ts"}, "6h 6d", "9s 2s Th Tc", said)
    assert {row[:2] for row in rows(played).values()} == {("push", "-0.00")} | {("win", "+10.00")}
    assert {key: row[2] for key, row in rows(played).items()} == {
        (2, "blackjack", 0): "673a.7(q)(1)",
        (2, "split", 1): "673a.12(a)",
        (2, "double", 1): "673a.12(a)",
        (5, "blackjack", 0): "673a.7(q)(1)",
    }


COMPARED: list[tuple[str, str, str, str, str]] = [
    # player, dealer, his draw, result, clause
    ("Tc 9c", "8h Td", "", "win", "673a.12(a)"),
    ("Tc 9c", "9h Td", "", "push", "673a.7(s)(2)"),
    ("Tc 9c", "Jh Td", "", "lose", "673a.7(s)(3)"),
    ("Tc Ts", "6h Td", "5s", "lose", "673a.7(s)(3)"),
    ("Tc 2s", "6h Td", "7s", "win", "673a.12(a)"),
    ("Tc Ts", "6h Td", "6s", "push", "673a.7(q)(1)"),
    ("Tc 2s", "6h Td", "Ks", "win", "673a.12(a)"),
]


@pytest.mark.parametrize(("hand", "dealer", "draw", "result", "clause"), COMPARED)
def test_673a_7_r_s_totals_are_compared(hand: str, dealer: str, draw: str, result: str, clause: str) -> None:
    won = {"win": "+10.00", "push": "-0.00", "lose": "-10.00"}[result]
    played = play({2: hand}, dealer, draw, {2: ["stand"]})
    assert rows(played) == {(2, "blackjack", 0): (result, won, clause)}


def test_673a_7_t_losing_wagers_first_or_player_by_player() -> None:
    hands = {1: "Tc 9c", 3: "Ts 7s", 6: "Jc 8c"}
    said = {1: ["stand"], 3: ["stand"], 6: ["stand"]}
    orders = {
        filed: acts(play(hands, "8h Td", "", said, settlement=filed), "settle")
        for filed in ("collect_then_pay", "player_by_player")
    }
    assert orders == {
        "collect_then_pay": ["settle 3 blackjack", "settle 6 blackjack", "settle 1 blackjack"],
        "player_by_player": ["settle 6 blackjack", "settle 3 blackjack", "settle 1 blackjack"],
    }


def test_673a_7_t_2_of_one_player_the_losing_hand_comes_first() -> None:
    said = {2: ["split", "stand", "stand"]}
    played = play({2: "8c 8d"}, "8h Td", "Ac 2h", said, settlement="player_by_player")
    assert acts(played, "settle") == ["settle 2 split 1", "settle 2 blackjack"]


# Insurance (673a.8) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stake", "chip", "most"),
    [("10.00", "1.00", "5.00"), ("11.00", "1.00", "6.00"), ("25.00", "5.00", "15.00"), ("5.00", "0.50", "2.50")],
)
def test_673a_8_b_insurance_is_at_most_half_to_the_next_chip(stake: str, chip: str, most: str) -> None:
    played = play({2: "Tc 9c"}, "Ah Kd", "", {2: ["insurance"]}, {2: stake}, smallest_chip=chip)
    (insured,) = (row for row in played["wagers"] if row["wager"] == "insurance")
    assert insured["staked"] == most


@pytest.mark.parametrize("hole", ["Th", "Jd", "Qd", "Kd"])
def test_673a_8_a_insurance_wins_two_to_one_on_a_ten(hole: str) -> None:
    played = play({2: "Tc 9c"}, f"Ah {hole}", "", {2: ["insurance 4.00"]})
    assert rows(played)[2, "insurance", 0] == ("win", "+8.00", "673a.12(c)")


def test_673a_8_d_losing_insurance_is_collected_counterclockwise_before_a_card_is_drawn() -> None:
    said = {2: ["insurance", "hit", "stand"], 5: ["insurance", "stand"]}
    played = play({2: "5c 4c", 5: "Tc 9c"}, "Ah 9d", "Ks", said)
    assert rows(played)[2, "insurance", 0] == ("lose", "-5.00", "673a.8(d)")
    after = played["order"][played["order"].index("peek") + 1 :]
    assert after[:4] == ["settle 5 insurance", "settle 2 insurance", "ask 2", "card 8 -> seat 2"]


# Odds (673a.12) -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "hand", "dealer", "draws", "said", "wager", "odds"),
    [
        ("673a.12(a)", "As Kd", "7h Td", "", [], "blackjack", "2:1"),
        ("673a.12(a)", "Tc 9c", "7h Td", "", ["stand"], "blackjack", "1:1"),
        ("673a.12(b)", "Tc 6c", "7h Td", "9s 5s", ["hit", "second_chance"], "second_chance", "1:1"),
        ("673a.12(c)", "Tc 6c", "Ah Td", "", ["insurance"], "insurance", "2:1"),
    ],
)
def test_673a_12_odds(clause: str, hand: str, dealer: str, draws: str, said: list[str], wager: str, odds: str) -> None:
    played = play({2: hand}, dealer, draws, {2: said} if said else {})
    (row,) = (row for row in played["wagers"] if row["wager"] == wager)
    assert (row["result"], row["odds"], row["cite"]) == ("win", odds, clause)
