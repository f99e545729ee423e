"""672a.6 to 672a.11 clause by clause: one small round for each, its rows worked out from the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tablectl.engine.scenario import load
from tests.games.book_672a import by_the_book
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document, expected_outcome, scenario_files

GAME = "free_bet_blackjack"
Ends = dict[tuple[str, int], tuple[str, str, str]]


def play(
    cards: str,
    *decisions: str,
    rules: Mapping[str, object] | None = None,
    push_22: bool = False,
    seats: Sequence[int] = (1,),
    **others: Sequence[str],
) -> Document:
    """A round of ten dollars on each box, after a burned card; the decisions are those of the first seat."""
    placed = {"blackjack": "10.00", **({"push_22": "5.00"} if push_22 else {})}
    script = {
        "wagers": {str(number): placed for number in seats},
        "cards": f"2s {cards}",
        "decisions": {str(seats[0]): decisions, **{n.removeprefix("seat_"): said for n, said in others.items()}},
    }
    filed = {**({"push_22": "A"} if push_22 else {}), **(rules or {})}
    return only_round(outcome(script, rules=filed, game=GAME))


def ends(played: Document, seat: int = 1) -> Ends:
    """Result, what is paid and the clause of each wager of a seat, by wager and hand."""
    return {
        (row["wager"], row["hand"]): (row["result"], row["paid"], row["cite"].removeprefix("672a."))
        for row in played["wagers"]
        if row["seat"] == seat
    }


def main(played: Document, seat: int = 1) -> tuple[str, str, str]:
    return ends(played, seat)["blackjack", 0]


def acts(played: Document, what: str) -> list[str]:
    return [act for act in played["order"] if act.startswith(what)]


# 672a.7: the deal -----------------------------------------------------------------------------------------------------


def test_672a_7_c_one_card_is_burned_of_a_full_batch_and_by_a_new_dealer() -> None:
    script = {"wagers": {"1": {"blackjack": "10.00"}}, "cards": "Th 8c 9h Jc", "decisions": {"1": ["stand"]}}
    burned = {**script, "cards": f"2s {script['cards']}"}
    document = outcome(burned, script, {**burned, "new_dealer": True}, script, game=GAME)
    assert [acts(played, "card 1") for played in document["rounds"]] == [
        ["card 1 -> burn"],
        ["card 1 -> seat 1"],
        ["card 1 -> burn"],
        ["card 1 -> seat 1"],
    ]


def test_672a_7_e_cards_are_dealt_clockwise_the_dealers_after_the_players() -> None:
    played = play("Th 9h 8h 7c 9c 9d 9s Tc", "stand", seats=(2, 3, 6), seat_3=["stand"], seat_6=["stand"])
    places = ["burn", "seat 2", "seat 3", "seat 6", "dealer", "seat 2", "seat 3", "seat 6", "dealer"]
    assert [act.split(" -> ")[1] for act in acts(played, "card")] == places


@pytest.mark.parametrize("up", ["2c", "6c", "9c", "Tc", "Jc", "Qc", "Kc", "Ac"])
def test_672a_7_f_g_insurance_under_an_ace_the_reader_under_an_ace_and_a_ten(up: str) -> None:
    decisions = ["no_insurance", "stand"] if up == "Ac" else ["stand"]
    played = play(f"Th {up} 8h 7d", *decisions)
    assert len(acts(played, "ask")) == len(decisions)
    assert acts(played, "peek") == (["peek"] if up[0] in "ATJQK" else [])


def test_672a_7_g_1_two_blackjacks_give_the_wager_back() -> None:
    played = play("Ah Kc Kh Ac", push_22=True)
    assert ends(played) == {("blackjack", 0): ("push", "0.00", "7(g)(1)"), ("push_22", 0): ("lose", "0.00", "7(g)(1)")}


def test_672a_7_g_2_dealers_blackjack_takes_all_other_wagers() -> None:
    played = play("9h Kc 9d Ac", push_22=True)
    assert ends(played) == {("blackjack", 0): ("lose", "0.00", "7(g)(2)"), ("push_22", 0): ("lose", "0.00", "7(g)(2)")}
    assert acts(played, "card")[-1] == "card 5 -> dealer", "no additional card is dealt"


def test_672a_7_h_1_blackjack_is_paid_when_its_turn_comes() -> None:
    played = play("9h Ah 6c 9d Kh Tc 9c", "stand", seats=(1, 2))
    assert main(played, 2) == ("win", "15.00", "11(a)")
    order = played["order"]
    assert order.index("ask 1") < order.index("settle 2 blackjack") < order.index("expose dealer")


def test_672a_7_h_2_i_players_draw_clockwise() -> None:
    played = play("4h 3h 9c 4d 3d 9d 2h 5h", "hit", "stand", seats=(1, 4), seat_4=["hit", "stand"])
    assert played["order"][8:14] == ["ask 1", "card 8 -> seat 1", "ask 1", "ask 4", "card 9 -> seat 4", "ask 4"]


@pytest.mark.parametrize("cards", ["5h 9c 6d 8c Th", "Ah 9c 5d 8c 5h"])
def test_672a_7_j_1_no_card_on_a_hard_or_soft_21(cards: str) -> None:
    assert len(acts(play(cards, "hit"), "ask")) == 1


def test_672a_7_j_2_one_card_after_a_double() -> None:
    assert len(acts(play("Th 9c 2d 8c 2h", "double"), "ask")) == 1


# 672a.7: the dealer ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "drawn"),
    [("Th 6c 9h Tc Ac", 1), ("Th 6c 9h Ac", 0), ("Th Ac 9h 5c 5s", 1), ("Th 2c 9h 3c 2d 2h 3h Tc", 4)],
    ids=["16 draws", "a soft 17 stands", "a soft 16 draws", "until 17"],
)
def test_672a_7_l_dealer_draws_to_any_17(cards: str, drawn: int) -> None:
    played = play(cards, *(["no_insurance"] if " Ac 9h" in cards else []), "stand")
    hole = played["order"].index("expose dealer")
    assert [act.split()[-1] for act in played["order"][hole + 1 : hole + 1 + drawn]] == ["dealer"] * drawn
    assert played["order"][hole + 1 + drawn].startswith("settle")


def test_672a_7_m_nothing_is_drawn_when_nothing_depends_on_it() -> None:
    assert acts(play("Th 2c 6h 3c Kd", "hit"), "card")[-1] == "card 6 -> seat 1"
    assert acts(play("Ah 2c Kh 3c"), "card")[-1] == "card 5 -> dealer"


def test_672a_7_m_push_22_is_drawn_for() -> None:
    assert acts(play("Th 2c 6h 3c Kd Td 6d", "hit", push_22=True), "card")[-1] == "card 8 -> dealer"
    assert acts(play("Ah 7c Kh 9c 3h", push_22=True), "card")[-1] == "card 6 -> dealer"


def test_672a_7_n_1_dealers_22_gives_back_what_remains() -> None:
    # a free double and a wager; the lammer is collected
    played = play("5h 6c 5d Tc 9h 6s", "double", push_22=True)
    assert ends(played) == {
        ("blackjack", 0): ("push", "0.00", "7(n)(1)"),
        ("double", 0): ("lose", "0.00", "7(n)(1)"),
        ("push_22", 0): ("win", "100.00", "11(c)"),
    }


def test_672a_7_n_2_any_other_total_takes_push_22() -> None:
    played = play("Th 6c 9h Tc 7d", "stand", push_22=True)
    assert ends(played) == {("blackjack", 0): ("win", "10.00", "11(a)"), ("push_22", 0): ("lose", "0.00", "7(n)(2)")}


@pytest.mark.parametrize(
    ("own", "dealer", "end"),
    [
        ("Th 2h", "6c Tc 8c", ("win", "10.00", "11(a)")),
        ("Th 9h", "8c Tc", ("win", "10.00", "11(a)")),
        ("Th 8h", "8c Tc", ("push", "0.00", "7(p)")),
        ("Th 7h", "8c Tc", ("lose", "0.00", "7(q)(2)")),
        ("Th 2h", "6c Tc 6d", ("push", "0.00", "7(n)(1)")),
    ],
    ids=["672a.7(o)(1)", "672a.7(o)(2)", "672a.7(p)", "672a.7(q)(2)", "672a.7(o)(1) 22"],
)
def test_672a_7_o_p_q_totals_are_compared(own: str, dealer: str, end: tuple[str, str, str]) -> None:
    first, second = own.split()
    up, hole, *drawn = dealer.split()
    assert main(play(" ".join([first, up, second, hole, *drawn]), "stand")) == end


def test_672a_7_q_1_above_21_the_wager_is_lost_at_once() -> None:
    played = play("Th 6c 6h Tc Kd 8d", "hit")
    assert main(played) == ("lose", "0.00", "7(q)(1)")
    assert played["order"].index("settle 1 blackjack") < played["order"].index("expose dealer")


CCW = "Th 7h Tc 8c 9h 9d 9s Jc"  # 1 has 19, 2 has 16, 4 has 19, the dealer 18


def test_672a_7_r_1_all_that_is_lost_is_collected_first() -> None:
    played = play(CCW, "stand", seats=(1, 2, 4), seat_2=["stand"], seat_4=["stand"])
    assert acts(played, "settle") == ["settle 2 blackjack", "settle 4 blackjack", "settle 1 blackjack"]


def test_672a_7_r_2_or_player_by_player() -> None:
    rules = {"settlement": "player_by_player"}
    played = play(CCW, "stand", rules=rules, seats=(1, 2, 4), seat_2=["stand"], seat_4=["stand"])
    assert acts(played, "settle") == ["settle 4 blackjack", "settle 2 blackjack", "settle 1 blackjack"]


# 672a.8 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wager", "chip", "most"),
    [("10.00", "1.00", "5.00"), ("15.00", "1.00", "8.00"), ("1.00", "1.00", "1.00"), ("7.50", "2.50", "5.00")],
)
def test_672a_8_a_b_up_to_half_rounded_up_to_the_next_chip(wager: str, chip: str, most: str) -> None:
    script: dict[str, Any] = {"wagers": {"1": {"blackjack": wager}}, "cards": "2s Th Ac 9h Kc"}
    rules = {"smallest_chip": chip}
    alone = only_round(outcome({**script, "decisions": {"1": ["insurance"]}}, rules=rules, game=GAME))
    assert [row["staked"] for row in alone["wagers"] if row["wager"] == "insurance"] == [most]
    named = only_round(outcome({**script, "decisions": {"1": [f"insurance {most}"]}}, rules=rules, game=GAME))
    assert named == alone
    more = f"insurance {float(most) + 0.01:.2f}"
    assert outcome({**script, "decisions": {"1": [more]}}, rules=rules, game=GAME)["error"]["cite"] == "672a.8(b)"


def test_672a_8_c_11_b_insurance_pays_2_to_1() -> None:
    assert ends(play("Th Ac 9h Kc", "insurance"))["insurance", 0] == ("win", "10.00", "11(b)")


def test_672a_8_d_lost_insurance_is_collected_before_anybody_plays() -> None:
    played = play("Th Ac 9h 6c", "insurance", "stand")
    assert ends(played)["insurance", 0] == ("lose", "0.00", "8(d)")
    assert played["order"][6:11] == ["ask 1", "peek", "settle 1 insurance", "ask 1", "expose dealer"]


def test_672a_8_e_even_money_is_paid_when_it_is_chosen() -> None:
    rules = {"even_money": True}
    for hole in ("Kc", "6c"):
        played = play(f"Ah Ac Kh {hole}", "even_money", rules=rules)
        assert main(played) == ("win", "10.00", "8(e)")
        assert played["order"][6:9] == ["ask 1", "settle 1 blackjack", "peek"]


def test_672a_8_e_push_22_waits_for_the_dealer() -> None:
    played = play("Ah Ac Kh 3c 8d Ks", "even_money", rules={"even_money": True}, push_22=True)
    assert ends(played)["push_22", 0] == ("win", "40.00", "11(c)")


# 672a.9, 672a.10 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("own", ["4h 5h", "2h 7h", "5h 5d", "4h 6h", "6h 5h", "2h 9h"])
def test_672a_9_a_1_hard_9_10_and_11_are_doubled_by_a_lammer(own: str) -> None:
    first, second = own.split()
    played = play(f"{first} 8c {second} Tc Th", "double")
    (row,) = (row for row in played["wagers"] if row["wager"] == "double")
    assert (row["staked"], row["free"]) == ("0.00", True)


@pytest.mark.parametrize("own", ["3h 5h", "Ah 8h", "Ah 9h", "Ad Ah", "Th 2h", "Th 7h"])
def test_672a_9_a_2_other_hands_are_doubled_for_a_wager(own: str) -> None:
    first, second = own.split()
    for decision, staked in (("double", "10.00"), ("double 0.50", "0.50"), ("double 10.00", "10.00")):
        played = play(f"{first} 8c {second} Tc 2d", decision)
        (row,) = (row for row in played["wagers"] if row["wager"] == "double")
        assert (row["staked"], "free" in row) == (staked, False)


def test_672a_9_b_split_hands_are_doubled_by_the_same_rules() -> None:
    played = play("8h 9c 8d 8c 3h Th 4h 7d", "split", "double", "double 4.00")
    staked = {(row["wager"], row["hand"]): row["staked"] for row in played["wagers"]}
    assert staked == {("blackjack", 0): "10.00", ("double", 0): "0.00", ("split", 1): "0.00", ("double", 1): "4.00"}


@pytest.mark.parametrize("own", ["Th Kd", "Jh Qd", "Qs Qd"])
def test_672a_10_a_b_1_cards_of_value_ten_are_split_for_a_wager(own: str) -> None:
    first, second = own.split()
    played = play(f"{first} 8c {second} Tc 9h 8h", "split", "stand", "stand")
    assert ends(played) == {("blackjack", 0): ("win", "10.00", "11(a)"), ("split", 1): ("push", "0.00", "7(p)")}


@pytest.mark.parametrize("rank", "23456789A")
def test_672a_10_b_2_all_other_pairs_are_split_by_a_lammer(rank: str) -> None:
    played = play(f"{rank}h 8c {rank}d Tc Th Kh", "split", *([] if rank == "A" else ["stand", "stand"]))
    (row,) = (row for row in played["wagers"] if row["wager"] == "split")
    assert (row["staked"], row["free"], row["hand"]) == ("0.00", True, 1)


def test_672a_10_c_first_hand_is_completed_before_the_second_gets_a_card() -> None:
    played = play("8h 9c 8d 8c 2h 3h 7d", "split", "hit", "stand", "stand")
    assert played["order"][6:12] == [
        "ask 1",
        "card 6 -> seat 1",
        "ask 1",
        "card 7 -> seat 1",
        "ask 1",
        "card 8 -> seat 1",
    ]


def test_672a_10_c_1_paid_hand_above_21_is_collected_at_once() -> None:
    played = play("Th 9c Kd 8c 5h 7h 9d", "split", "hit", "stand")
    assert main(played) == ("lose", "0.00", "10(c)(1)")
    assert played["order"].index("settle 1 blackjack") < played["order"].index("card 8 -> seat 1")


def test_672a_10_c_2_original_wager_stays_under_a_lammer() -> None:
    played = play("8h 9c 8d 8c Th 7h Td", "split", "hit", "stand")
    assert ends(played) == {("blackjack", 0): ("lose", "0.00", "10(c)(2)"), ("split", 1): ("win", "10.00", "11(a)")}
    assert played["order"][-2:] == ["settle 1 blackjack", "settle 1 split 1"]


def test_672a_10_c_2_until_the_other_hands_are_above_21_too() -> None:
    played = play("8h 9c 8d 8c Th 7h Td 9h", "split", "hit", "hit")
    assert played["order"][-3:] == ["settle 1 split 1", "settle 1 blackjack", "expose dealer"]


def test_672a_10_c_2_a_dealers_22_does_not_revive_it() -> None:
    played = play("8h 6c 8d Tc Th 7h Td 6d", "split", "hit", "stand")
    assert ends(played) == {("blackjack", 0): ("lose", "0.00", "10(c)(2)"), ("split", 1): ("lose", "0.00", "7(n)(1)")}


def test_672a_10_d_up_to_four_hands() -> None:
    played = play("8h 9c 8d 8c 8s 8h 2c 2d 2h 2s", "split", "split", "split", "stand", "stand", "stand", "stand")
    assert [key for key in ends(played) if key[0] in ("blackjack", "split")] == [
        ("blackjack", 0),
        ("split", 1),
        ("split", 2),
        ("split", 3),
    ]


@pytest.mark.parametrize(("filed", "asked"), [("play_on", 3), ("one_card", 1)])
def test_672a_10_d_split_aces_as_filed(filed: str, asked: int) -> None:
    decisions = ["split", *["stand"] * (asked - 1)]
    assert len(acts(play("Ah 9c Ad 8c 5h 7h", *decisions, rules={"split_aces": filed}), "ask")) == asked


# 672a.11 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "to_one"),
    [
        ("6c Tc 6c", {"A": 50, "B": 50}),
        ("5h Th 7h", {"A": 50, "B": 50}),
        ("6c Ts 6c", {"A": 20, "B": 20}),
        ("6d Th 6d", {"A": 20, "B": 20}),
        ("6c Td 6c", {"A": 8, "B": 7}),
        ("2h 4h 3h 2h 2h 9s", {"A": 8, "B": 7}),
    ],
)
def test_672a_11_c_push_22_by_the_suits_of_the_dealer(dealer: str, to_one: dict[str, int]) -> None:
    up, hole, *drawn = dealer.split()
    for table, odds in to_one.items():
        played = play(" ".join(["Ts", up, "9s", hole, *drawn]), "stand", push_22=True, rules={"push_22": table})
        assert ends(played)["push_22", 0] == ("win", f"{5 * odds}.00", "11(c)")


def test_672a_11_a_blackjack_drops_what_no_chip_can_pay() -> None:
    script = {"wagers": {"1": {"blackjack": "0.25"}}, "cards": "2s Ah 9c Kh 8c"}
    assert main(only_round(outcome(script, rules={"smallest_chip": "0.25"}, game=GAME))) == ("win", "0.37", "11(a)")


def goes_smoothly(path: Path) -> bool:
    return not any(script.incidents or any(card.face_up for card in script.cards) for script in load(path).rounds)


SMOOTH = [path for path in scenario_files(GAME) if goes_smoothly(path)]


@pytest.mark.parametrize("path", SMOOTH, ids=[path.stem for path in SMOOTH])
def test_672a_expected_outcomes_are_the_books(path: Path) -> None:
    """The files' outcomes and the second working-out of the chapter agree, where nothing goes wrong."""
    scenario, burns = load(path), True
    rules = scenario.submission.model_dump(mode="json")
    for script, expected in zip(scenario.rounds, expected_outcome(path)["rounds"], strict=True):
        if expected["outcome"] == "completed":
            plain = script.model_dump(mode="json", include={"wagers", "decisions"})
            cards = " ".join(listed.card.name for listed in script.cards)
            found = by_the_book(rules, {**plain, "cards": cards}, burns=burns or script.new_dealer)
            assert found == expected
            burns = False
