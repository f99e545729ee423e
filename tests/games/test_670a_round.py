"""Chapter 670a clause by clause: how hands are set and compared, and what becomes of each wager."""

from __future__ import annotations

import pytest

from tests.games.by_hand_670a import Round, Seat, script
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document

GAME = "six_card_fortune_pai_gow"
FILED = {"double_down": True, "fortune_bonus": True, "insurance": True, "progressive": True}
NOTHING = "As Qd Jh 9c 7d 3s"  # high A J 9 7 3, low Q
NINES = "9s 9d Kh 7c 5d 2c"  # high 9 9 7 5 2, low K


def seated(
    number: int, hand: str, low: str | None = None, *, fortune: int = 0, insurance: int = 0, progressive: int = 0
) -> Seat:
    return Seat(number, hand.split(), 1000, low, True, fortune, insurance, progressive)


def play(*seats: Seat, dealer: str = NINES, **more: object) -> Document:
    return only_round(outcome(script(Round(list(seats), dealer.split()), **more), rules=FILED, game=GAME))


def rows(played: Document, number: int) -> dict[str, tuple[str, str | None, str]]:
    """What becomes of each wager of a seat: result, odds, clause."""
    return {
        row["wager"]: (row["result"], row["odds"], row["cite"]) for row in played["wagers"] if row["seat"] == number
    }


def main(hand: str, low: str | None = None, dealer: str = NOTHING) -> tuple[str, str | None, str]:
    return rows(play(seated(3, hand, low), dealer=dealer), 3)["pai_gow"]


# Setting the hands ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "low"),
    [
        ("Ts Th Ad 8h 6c 3h", "Ad"),
        ("Ks Js 9h 7s 4d Xj", "Ks"),
        ("7s 7h 7c 4s 4c 4h", "7s"),
        ("Jd Js 8c 8s 4s 4c", "Jd"),
        ("4s 5c 6h 8s 7s 3d", "8s"),
    ],
)
def test_670a_11_a_1_player_who_asks_is_told_the_way_of_the_house(hand: str, low: str) -> None:
    told, own = (play(seated(2, hand, each), dealer=NOTHING) for each in (None, low))
    assert told == own


@pytest.mark.parametrize("low", ["Kd", "Jc", "8c", "6d", "4s", "2h"])
def test_670a_11_b_player_may_set_any_card_as_the_low_hand(low: str) -> None:
    result, _odds, clause = main("Kd Jc 8c 6d 4s 2h", low)
    assert result == "lose"
    assert (clause == "670a.11(f)(1)(v)") == (low == "Kd")


def test_670a_11_b_high_card_equal_to_the_low_card_is_set_rightly() -> None:
    """Kings that are set apart: king-high and a king."""
    assert main("Kd Ks 8c 6d 4s 2h", "Ks") == ("push", None, "670a.11(f)(2)(ii)")


def test_670a_11_c_double_down_is_offered_to_every_player_before_hands_are_set() -> None:
    played = play(seated(1, "Ts Th Ad 8h 6c 3h"), seated(4, "Kd Jh 8c 6d 4s 2h"))
    assert [act for act in played["order"] if act.startswith("ask")] == ["ask 1", "ask 4", "ask 1", "ask 4"]
    assert {row["staked"] for row in played["wagers"] if row["wager"] == "double_down"} == {"10.00"}


# How the dealer sets his (by what a player's hands do to them) --------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "hand", "low", "clause"),
    [
        # a pair, two pairs, three, a full house, four: kept, and the highest card that is left is low
        ("9s 9d Kh 7c 5d 2c", "9h 9c Ks 7s 5h 2d", None, "670a.11(f)(1)(iv)"),
        ("9s 9d 5h 5c Kd 2c", "9h 9c 5s 5d Ks 2d", "Ks", "670a.11(f)(1)(iv)"),
        ("9s 9d 9h Kc 5d 2c", "8s 8d 8h Ks 5c 2d", "Ks", "670a.11(f)(1)(ii)"),
        ("9s 9d 9h 5c 5d 2c", "8s 8d 8h 5s 5h 2d", "2d", "670a.11(f)(1)(ii)"),
        ("9s 9d 9h 9c 5d 5c", "8s 8d 8h 8c 5s 5h", "5s", "670a.11(f)(1)(ii)"),
    ],
)
def test_670a_11_d_1_no_set_is_broken(dealer: str, hand: str, low: str | None, clause: str) -> None:
    assert main(hand, low, dealer)[2] == clause


def test_670a_11_d_1_i_the_lower_three_is_high_and_the_higher_one_a_pair() -> None:
    """Fives full beat fours full of sevens, and a seven is no more than the dealer's."""
    assert main("5s 5d 5h 2s 2h 7c", "7c", "7s 7d 7h 4s 4d 4h") == ("push", None, "670a.11(f)(2)(i)")


def test_670a_11_d_1_ii_of_three_pairs_one_card_of_the_highest_is_low() -> None:
    """Tens and twos beat nines and fours, and a jack is no more than the dealer's."""
    assert main("Ts Td 2h 2c Jc 7d", "Jc", "Js Jd 9h 9c 4s 4d") == ("push", None, "670a.11(f)(2)(i)")


@pytest.mark.parametrize(
    ("dealer", "hand", "low"),
    [
        ("4s 5d 6h 7c 8s 9d", "5s 6d 7h 8d 9h 9c", "9c"),  # nine-high beats eight-high, a nine is a copy
        ("As 2d 3h 4c 5s 6d", "3s 4d 5h 6c 7s Ah", "Ah"),  # seven-high beats two to six
        ("Kh Jh 9h 6h 4h 2h", "Qs Js 9s 7s 4s Kd", "Kd"),  # queen-high beats jack-high
        ("4h 5h 6h 7h 8h 9h", "5s 6s 7s 8s 9s 9c", "9c"),
    ],
)
def test_670a_11_d_2_of_six_the_lowest_five_are_high(dealer: str, hand: str, low: str) -> None:
    assert main(hand, low, dealer) == ("push", None, "670a.11(f)(2)(i)")


@pytest.mark.parametrize(
    ("dealer", "hand", "low", "clause"),
    [
        ("5h 6h 7h 8h 9s Kh", "Ts Js Qc Kd 9d 9c", "9c", "(f)(1)(ii)"),  # (3): a flush, and nine is low
        ("5h 6h 7h 8h 9h Ts", "8s 8d 8c Th Tc Td", "Th", "(f)(1)(ii)"),  # (4): a straight flush, and ten is low
        ("5h 6h 7h 8h 9h Kh", "8s 8d 8c Qc Qd Kd", "Kd", "(f)(1)(ii)"),  # (5): a straight flush, and king is low
        ("Ks Jd 9h 7c 4s 2d", "Kh Ts 9d 7s 4c Jc", "Jc", "(f)(2)(i)"),  # (6): king high, jack low
    ],
)
def test_670a_11_d_3_to_6_flush_straight_flush_or_nothing(dealer: str, hand: str, low: str, clause: str) -> None:
    if clause == "(f)(2)(i)":  # ten instead of nine: more than the dealer's K 9 7 4 2
        assert main(hand, low, dealer) == ("push", None, f"670a.11{clause}")
    else:
        assert main(hand, low, dealer)[2] == f"670a.11{clause}"


# Main wager and Double Down -------------------------------------------------------------------------------------------


def test_670a_11_e_hands_are_revealed_counterclockwise_from_the_dealers_right() -> None:
    hands = {1: "Ts Th Ad 8h 6c 3h", 2: "Kd Jh 8c 6d 4s 2h", 6: "Qs Jd 8s 6h 4c 3d"}
    played = play(*(seated(number, hand) for number, hand in hands.items()))
    shown = [act for act in played["order"] if act.startswith("expose")]
    assert shown == ["expose dealer", "expose seat 6", "expose seat 2", "expose seat 1"]


@pytest.mark.parametrize(
    ("hand", "low", "paragraph"),
    [
        ("Kc Td 8c 6h 4d 2s", None, "(i)"),
        ("Ks Qh 8s 5d 4h 2c", None, "(ii)"),
        ("Ah Jd 9h 7s 3d Tc", "Tc", "(iii)"),
        ("Ad Js 9s 7h 3h Qs", "Qs", "(iv)"),
        ("Ac Kh 8h 6d 4c 2h", "Ac", "(v)"),
    ],
)
def test_670a_11_f_1_main_wager_loses(hand: str, low: str | None, paragraph: str) -> None:
    assert main(hand, low) == ("lose", None, f"670a.11(f)(1){paragraph}")


@pytest.mark.parametrize(
    ("hand", "low", "paragraph"),
    [
        ("5c 5h Jc Td 8d 2h", None, "(i)"),
        ("6c 6s Qc Ts 8h 4s", None, "(i)"),  # a copy of the low hand is the dealer's: 670a.6(c)
        ("Kd Ks 8c 6h 4d 2c", "Ks", "(ii)"),
        ("Ah Js 9h 7s 3c Kh", "Kh", "(ii)"),  # a copy of the high hand
        ("Kd Qs 9h 8c 6s Xj", "Xj", "(v)"),  # below a joker, an ace, king-high is set wrongly
    ],
)
def test_670a_11_f_2_main_wager_ties(hand: str, low: str | None, paragraph: str) -> None:
    if paragraph == "(v)":
        assert main(hand, low) == ("lose", None, "670a.11(f)(1)(v)")
    else:
        assert main(hand, low) == ("push", None, f"670a.11(f)(2){paragraph}")


@pytest.mark.parametrize(
    ("hand", "low", "dealer"),
    [
        ("4c 4h Ac 8d 6s 2h", "Ac", NOTHING),
        ("Ah Js 9h 7s 4d Kh", "Kh", NOTHING),
        ("Ts Th Xj 8d 6c 3h", "Xj", "9s 9d Ah 7c 5d 2c"),  # a joker beats an ace
    ],
)
def test_670a_11_f_3_main_wager_wins(hand: str, low: str, dealer: str) -> None:
    assert main(hand, low, dealer) == ("win", "1:1", "670a.12(a)")


@pytest.mark.parametrize("hand", ["Ts Th Ac 8d 6c 3h", "8s 8h Ad 6d 5c 3c"])
def test_670a_6_c_of_the_dealer_a_joker_is_an_ace(hand: str) -> None:
    assert main(hand, None, "9s 9d Xj 7c 5d 2c")[0] in ("push", "lose")


@pytest.mark.parametrize("dealer", ["8s 8d Kh 7d 5d 2d", "3s 3d 2h 2c Kd 7c", "5s 6d 7h 8c 9s Kd", "Ks Xj As 9d 7c 4c"])
def test_670a_11_g_1_double_down_follows_the_main_wager_from_a_pair_of_eights_on(dealer: str) -> None:
    for hand in ("Ac Ad Ah Kc Th 3h", "Qs Qh Td 9h 4s 3c", "Qc Jd 9c 6h 4d 2s"):
        found = rows(play(seated(3, hand), dealer=dealer), 3)
        assert found["double_down"][:2] == found["pai_gow"][:2]
        assert found["double_down"][2] == ("670a.12(a)" if found["pai_gow"][0] == "win" else "670a.11(g)(1)")


@pytest.mark.parametrize("dealer", ["7s 7d Kh 9d 5d 2d", "2s 2d Kh 9d 5d 3d", "Ks Jd 9h 7c 4s 2d", "Xj Jd 9h 7c 4s 2d"])
@pytest.mark.parametrize("hand", ["Ts Th Ad 8h 6c 3h", "Qs Qh Tc 8s 4c 3c", "Qc Jh 8d 6h 4d 3s"])
def test_670a_11_g_2_double_down_is_returned_below_a_pair_of_eights(dealer: str, hand: str) -> None:
    found = rows(play(seated(3, hand), dealer=dealer), 3)
    assert found["double_down"] == ("returned", None, "670a.11(g)(2)")


# Fortune Bonus, Insurance, progressive --------------------------------------------------------------------------------

FIVE_ACES = "As Ad Ah Ac Xj 4h"
ROYAL = "Qs Js Ts Ks As 4h"
STRAIGHT_FLUSH = "Js Ts 8s 9s 7s 4h"
FOURS = "4s 4d 4h 4c Jd 8h"
FULL_HOUSE = "4s 4d 4h Jc Jd 8h"
FLUSH = "Qs Ts 8s 6s 3s 4h"
STRAIGHT = "Tc 9h 8s 7s 6d 4h"
THREE = "4s 4d 4h Jc Td 8h"
TWO_PAIR = "4s 4d Jh Jc Td 8h"
DEALER = "2s 3d 2h 3c Kd Qc"
NINES_FULL = "9h 9d 9c Qd Qc Ah"


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        (FIVE_ACES, "1000:1"),
        (ROYAL, "250:1"),
        (STRAIGHT_FLUSH, "100:1"),
        (FOURS, "50:1"),
        (FULL_HOUSE, "15:1"),
        (FLUSH, "10:1"),
        (STRAIGHT, "8:1"),
        (THREE, "5:1"),
    ],
)
def test_670a_12_b_1_fortune_bonus_is_paid_by_the_best_hand(hand: str, odds: str) -> None:
    """Also where it is set apart, or set wrongly."""
    for low in hand.split():
        found = rows(play(seated(3, hand, low, fortune=500), dealer=DEALER), 3)
        assert found["fortune_bonus"] == ("win", odds, "670a.12(b)(1)"), "670a.11(h)(1)(i)(B)"


def test_670a_11_h_1_i_A_fortune_bonus_below_three_of_a_kind_is_collected() -> None:  # noqa: N802
    found = rows(play(seated(3, TWO_PAIR, fortune=500), dealer=DEALER), 3)
    assert found["fortune_bonus"] == ("lose", None, "670a.11(h)(1)(i)(A)")


ENVIES = {FIVE_ACES: 5000, ROYAL: 1000, STRAIGHT_FLUSH: 250, FOURS: 75, FULL_HOUSE: 25, FLUSH: None, THREE: None}
OTHER = "9d 8c 6h 5c 5h 2d"
LAST = "9h 8d 6c 5d 5s 2c"


@pytest.mark.parametrize("hand", ENVIES)
@pytest.mark.parametrize("bets", [0, 500])
def test_670a_11_h_1_ii_envies_go_to_whoever_has_a_lammer_but_the_holder(hand: str, bets: int) -> None:
    """Seat 6 has the hand, with the wager or not (670a.11(h)(1)(i)(C)); seat 2 has a lammer, seat 1 not (670a.1)."""
    seats = seated(1, LAST, fortune=499), seated(2, OTHER, fortune=500), seated(6, hand, fortune=bets)
    played = play(*seats, dealer="2s 3d 2h 3c Kd Qc")
    paid = [(row["seat"], row["odds"], row["on"]) for row in played["wagers"] if row["wager"] == "fortune_envy"]
    amount = ENVIES[hand]
    assert paid == ([] if amount is None else [(2, f"${amount}", 6)])
    assert {row["cite"] for row in played["wagers"] if row["wager"] == "fortune_envy"} <= {"670a.12(b)(2)"}


def test_670a_11_h_1_ii_more_than_one_envy_and_none_for_the_dealers_hand() -> None:
    seats = (
        seated(1, "9d 8c 6h 5c 5h Kd", fortune=1000),
        seated(4, "Ts Td Th Qs Qd 2c", fortune=500),
        seated(5, "7s 7d 7h Jc Jd 2d"),
    )
    played = play(*seats, dealer="4s 4d 4h 4c Kh 2h")
    paid = [(row["seat"], row["odds"], row["on"]) for row in played["wagers"] if row["wager"] == "fortune_envy"]
    assert paid == [(1, "$25", 4), (1, "$25", 5), (4, "$25", 5)]


@pytest.mark.parametrize("wager", ["fortune", "progressive"])
@pytest.mark.parametrize(
    ("players", "paid"),
    [
        ({}, [(1, "4"), (2, "1"), (2, "4"), (4, "1")]),
        ({"p": [1, 2]}, [(1, "4"), (2, "4"), (4, "1")]),
    ],
)
def test_670a_11_h_1_ii_and_3_ii_no_envy_for_the_other_hand_of_the_same_player(
    wager: str, players: dict[str, list[int]], paid: list[tuple[int, str]]
) -> None:
    """670a.7(f): seats 1 and 2 are one player's, or two players'; seats 1 and 4 hold a hand that gives envies."""
    fortune, progressive = (500 if wager == each else 0 for each in ("fortune", "progressive"))
    hands = {1: FOURS, 2: OTHER, 4: ROYAL.replace("4h", "2c")}
    seats = [seated(number, hand, fortune=fortune, progressive=progressive) for number, hand in hands.items()]
    told = script(Round(seats, DEALER.replace("2h", "6s").split()), players=players)
    played = only_round(outcome(told, rules={**FILED, "adjacent_positions": True}, game=GAME))
    envies = [(row["seat"], str(row["on"])) for row in played["wagers"] if row["wager"] == f"{wager}_envy"]
    assert envies == paid


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        ("8s 7d 6h 4c 3s 2s", "100:1"),
        ("9s 7d 6h 4c 3s 2s", "30:1"),
        ("Ts 7d 6h 4c 3s 2s", "10:1"),
        ("Js 7d 6h 4c 3s 2s", "7:1"),
        ("Qs 7d 6h 4c 3s 2s", "4:1"),
        ("Ks 7d 6h 4c 3s 2s", "3:1"),
    ],
)
def test_670a_12_c_insurance_is_paid_by_the_highest_card(hand: str, odds: str) -> None:
    found = rows(play(seated(5, hand, insurance=500), dealer=NINES_FULL), 5)
    assert found["insurance"] == ("win", odds, "670a.12(c)"), "670a.11(h)(2)(ii)"


@pytest.mark.parametrize(
    "hand", ["As 7d 6h 4c 3s 2s", "Xj 8d 6h 4c 3s 2s", "4s 4d Kh Jc Td 8h", "7s 6d 5h 4c 3s Kh", FLUSH, THREE]
)
def test_670a_11_h_2_i_insurance_on_more_than_king_high_is_collected(hand: str) -> None:
    found = rows(play(seated(5, hand, insurance=500), dealer=NINES_FULL), 5)
    assert found["insurance"] == ("lose", None, "670a.11(h)(2)(i)")


@pytest.mark.parametrize(
    ("hand", "odds", "paid", "left"),
    [
        (FIVE_ACES, "100% meter", "20000.00", "10000.00"),
        (ROYAL, "10% meter", "2000.00", "18000.00"),
        (STRAIGHT_FLUSH, "300 for 1", "600.00", "20000.00"),
        (FOURS, "150 for 1", "300.00", "20000.00"),
        (FULL_HOUSE, "15 for 1", "30.00", "20000.00"),
        (FLUSH, "6 for 1", "12.00", "20000.00"),
        (STRAIGHT, "3 for 1", "6.00", "20000.00"),
    ],
)
def test_670a_12_d_1_progressive_is_paid_for_one_or_from_the_meter(hand: str, odds: str, paid: str, left: str) -> None:
    """And 670a.12(d)(2), (3): what the meter shows is paid, what is left or reset goes on to the next round."""
    first = script(Round([seated(2, hand, progressive=200)], DEALER.split()), meter="20000.00")
    second = script(Round([seated(2, ROYAL, progressive=100)], DEALER.split()))
    del second["meter"]
    document = outcome(first, second, rules=FILED, game=GAME)
    won, then = (
        next(row for row in played["wagers"] if row["wager"] == "progressive") for played in document["rounds"]
    )
    assert (won["result"], won["odds"], won["paid"], won["cite"]) == ("win", odds, paid, "670a.12(d)(1)")
    assert (won["returned"], won["collected"]) == ("0.00", "2.00")
    assert int(then["paid"].replace(".", "")) * 10 == int(left.replace(".", ""))


def test_670a_12_d_3_what_the_meter_is_said_to_show_goes_on_though_nobody_made_the_wager() -> None:
    first = script(Round([seated(2, THREE)], DEALER.split()), meter="23456.70")
    second = script(Round([seated(2, ROYAL, progressive=100)], DEALER.split()))
    del second["meter"]
    document = outcome(first, second, rules=FILED, game=GAME)
    (won,) = (row for row in document["rounds"][1]["wagers"] if row["wager"] == "progressive")
    assert (won["odds"], won["paid"]) == ("10% meter", "2345.67")


def test_670a_11_h_3_i_A_progressive_below_a_straight_is_lost() -> None:  # noqa: N802
    found = rows(play(seated(3, THREE, progressive=100), dealer=DEALER), 3)
    assert found["progressive"] == ("lose", None, "670a.11(h)(3)(i)(A)")


@pytest.mark.parametrize(
    ("hand", "one", "five"),
    [(FIVE_ACES, 100, 500), (ROYAL, 50, 250), (STRAIGHT_FLUSH, 10, 50), (FOURS, 5, 25), (FULL_HOUSE, None, None)],
)
def test_670a_12_d_4_envies_by_the_amount_of_the_progressive_wager(
    hand: str, one: int | None, five: int | None
) -> None:
    """670a.11(h)(3)(ii): to everybody who made it, but not for the own hand."""
    seats = seated(1, LAST, progressive=499), seated(2, OTHER, progressive=500), seated(6, hand, progressive=100)
    played = play(*seats, dealer=DEALER)
    paid = [(row["seat"], row["odds"], row["on"]) for row in played["wagers"] if row["wager"] == "progressive_envy"]
    assert paid == ([] if one is None else [(1, f"${one}", 6), (2, f"${five}", 6)])


def test_670a_11_h_seat_by_seat_and_then_the_envies_of_the_one_and_of_the_other() -> None:
    seats = (
        seated(1, LAST, fortune=500, insurance=100, progressive=100),
        seated(6, FOURS, fortune=500, insurance=100, progressive=100),
    )
    played = play(*seats, dealer=DEALER)
    settled = [act for act in played["order"] if act.startswith("settle")]
    assert settled == [
        *("settle 6 pai_gow", "settle 6 double_down", "settle 1 pai_gow", "settle 1 double_down"),
        *("settle 6 fortune_bonus", "settle 6 insurance", "settle 6 progressive"),
        *("settle 1 fortune_bonus", "settle 1 insurance", "settle 1 progressive"),
        *("settle 1 fortune_envy", "settle 1 progressive_envy"),
    ]


def test_670a_12_a_no_vigorish_on_a_winning_wager() -> None:
    played = play(Seat(3, ["Ts", "Th", "Ad", "8h", "6c", "3h"], 1, double=True), dealer=NINES)
    assert [(row["wager"], row["paid"]) for row in played["wagers"]] == [("pai_gow", "0.01"), ("double_down", "0.01")]
