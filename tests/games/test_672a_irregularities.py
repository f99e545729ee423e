"""672a.12 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

Two seats play against an eight. What is worked out here is where each window begins and ends, what the players' options
come to, and that an incident outside of its window changes nothing in the outcome.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.rounds import Incidents, only_round, outcome
from tests.games.scenarios import Document

GAME = "free_bet_blackjack"
# burn; 1: 5c 7d, then 6h = 18; 2: 9c 9d; dealer 8c 8d 4h = 20
CARDS = "2h 5c 9c 8c 7d 9d 8d 6h 4h"
DEAL = [f"card {number}" for number in range(2, 8)]
DRAWN = ["card 8", "card 9"]
DECISIONS = ["decision 1", "decision 1.2", "decision 2"]
MOMENTS = ["shuffle", "card 1", *DEAL, *DECISIONS, *DRAWN, "peek", "reveal", "settle 2"]
SMOOTH = [
    "card 1 -> burn",
    "no_more_bets",
    "card 2 -> seat 1",
    "card 3 -> seat 2",
    "card 4 -> dealer",
    "card 5 -> seat 1",
    "card 6 -> seat 2",
    "card 7 -> dealer",
    "ask 1",
    "card 8 -> seat 1",
    "ask 1",
    "ask 2",
    "expose dealer",
    "card 9 -> dealer",
    "settle 2 blackjack",
    "settle 1 blackjack",
]


def play(incidents: Incidents = (), cards: str = CARDS, shuffler: str = "none", **decisions: list[str]) -> Document:
    said = {"1": ["hit", "stand"], "2": ["stand"], **{name.removeprefix("seat_"): d for name, d in decisions.items()}}
    script = {
        "wagers": {"1": {"blackjack": "10.00"}, "2": {"blackjack": "20.00"}},
        "cards": cards,
        "decisions": said,
        "incidents": incidents,
    }
    return only_round(outcome(script, table={"shuffler": shuffler}, game=GAME))


def noticed(moment: str, kind: str, **more: object) -> list[dict[str, object]]:
    return [{"at": moment, "kind": kind, **more}]


def test_round_without_an_incident_is_what_it_is_worked_out_to_be() -> None:
    played = play()
    assert played["order"] == SMOOTH
    assert [(row["seat"], row["result"], row["cite"]) for row in played["wagers"]] == [
        (1, "lose", "672a.7(q)(2)"),
        (2, "lose", "672a.7(q)(2)"),
    ]
    assert (played["net"], played["remedies"]) == ({"1": "-10.00", "2": "-20.00"}, [])


def assert_only_recorded(moment: str, kind: str, shuffler: str = "none", **more: object) -> None:
    assert play(noticed(moment, kind, **more), shuffler=shuffler) == play(shuffler=shuffler)


def assert_resumed(moment: str, kind: str, *remedies: str, shuffler: str = "none", **more: object) -> None:
    played = play(noticed(moment, kind, **more), shuffler=shuffler)
    assert played == {**play(shuffler=shuffler), "remedies": list(remedies)}


# 672a.12(a), (b) ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 10))
def test_672a_12_a_face_up_card_is_out_wherever_it_comes(number: int) -> None:
    cards = CARDS.split()
    cards.insert(number - 1, "^Kh")
    played, smooth = play(cards=" ".join(cards)), play()
    assert played["remedies"] == ["card_discarded"]
    assert played["wagers"] == smooth["wagers"]
    assert f"card {number} -> rack" in played["order"]
    gone = [act for act in played["order"] if "rack" not in act and "burn" not in act]
    assert [act.split(" -> ")[-1] for act in gone] == [act.split(" -> ")[-1] for act in SMOOTH if "burn" not in act]


@pytest.mark.parametrize("moment", [moment for moment in MOMENTS if moment not in ("shuffle", "settle 2")])
def test_672a_12_b_unseen_card_is_the_next_one(moment: str) -> None:
    assert_resumed(moment, "drawn_in_error", "round_resumed")


@pytest.mark.parametrize("moment", ["shuffle"])
def test_672a_12_b_needs_cards_that_are_ready(moment: str) -> None:
    assert_only_recorded(moment, "drawn_in_error")


# 672a.12(c) -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["shuffle", "card 1", *DEAL[:-1]])
def test_672a_12_c_begins_when_everybody_has_two_cards(moment: str) -> None:
    assert_only_recorded(moment, "drawn_in_error", exposed=True)


@pytest.mark.parametrize("moment", DRAWN)
def test_672a_12_c_card_that_somebody_is_due_is_his(moment: str) -> None:
    assert_resumed(moment, "drawn_in_error", "round_resumed", exposed=True)


def test_672a_12_c_who_is_asked_may_accept() -> None:
    played = play(noticed("decision 1", "drawn_in_error", exposed=True), seat_1=["accept", "stand"])
    assert played == {**play(), "remedies": ["round_resumed"]}


def test_672a_12_c_who_refuses_gets_no_card_any_more() -> None:
    played = play(noticed("decision 1", "drawn_in_error", exposed=True), seat_1=["refuse"], seat_2=["accept"])
    # 1 stays with 12, 2 goes to 24 by the six, the dealer draws the four
    assert played["order"] == [
        *SMOOTH[:9],
        "ask 2",
        "card 8 -> seat 2",
        "settle 2 blackjack",
        "expose dealer",
        "card 9 -> dealer",
        "settle 1 blackjack",
    ]
    assert played["remedies"] == ["round_resumed"]


def test_672a_12_c_refused_by_all_it_is_the_dealers_if_he_draws() -> None:
    # 8 and 8 and the six are 22 of the dealer
    played = play(noticed("decision 1", "drawn_in_error", exposed=True), seat_1=["refuse"], seat_2=["refuse"])
    assert played["order"][8:12] == ["ask 1", "ask 2", "expose dealer", "card 8 -> dealer"]
    assert [row["cite"] for row in played["wagers"]] == ["672a.7(n)(1)"] * 2
    assert played["remedies"] == ["round_resumed"]


def test_672a_12_c_refused_by_all_it_goes_to_the_rack_if_the_dealer_stands() -> None:
    cards = CARDS.replace("8d", "9h")
    played = play(noticed("decision 1", "drawn_in_error", exposed=True), cards, seat_1=["refuse"], seat_2=["refuse"])
    assert played["order"][8:12] == ["ask 1", "ask 2", "expose dealer", "card 8 -> rack"]
    assert played["remedies"] == ["card_discarded"]


def test_672a_12_c_refused_when_the_last_seat_is_asked() -> None:
    played = play(noticed("decision 2", "drawn_in_error", exposed=True), seat_2=["refuse"])
    assert played["order"][11:14] == ["ask 2", "expose dealer", "card 9 -> dealer"]


def test_672a_12_c_a_refusal_holds_for_the_other_hands_of_a_split() -> None:
    cards = "2h 8h 9c 8c 8s 9d 8d 3h"
    script = noticed("decision 1.2", "drawn_in_error", exposed=True)
    played = play(script, cards, seat_1=["split", "refuse"], seat_2=["accept", "stand"])
    # after the split 8h has got the 3h; the next card, the 2c, goes to seat 2
    assert played["order"][8:13] == ["ask 1", "card 8 -> seat 1", "ask 1", "ask 2", "card 9 -> seat 2"]


def test_672a_12_c_during_insurance_it_waits_for_the_first_player() -> None:
    cards = "2h 5c 9c Ac 7d 9d 8d 6h"
    script = noticed("decision 2", "drawn_in_error", exposed=True)
    played = play(script, cards, seat_1=["no_insurance", "accept", "stand"], seat_2=["no_insurance", "stand"])
    assert played["order"][8:14] == ["ask 1", "ask 2", "peek", "ask 1", "card 8 -> seat 1", "ask 1"]
    assert played["remedies"] == ["round_resumed"]


def test_672a_12_c_under_a_dealers_blackjack_nobody_gets_it() -> None:
    cards = "2h 5c 9c Ac 7d 9d Kd 6h"
    script = noticed("decision 1", "drawn_in_error", exposed=True)
    played = play(script, cards, seat_1=["no_insurance"], seat_2=["no_insurance"])
    assert played["order"][8:13] == ["ask 1", "ask 2", "peek", "card 8 -> rack", "expose dealer"]
    assert played["remedies"] == ["card_discarded"]


# 672a.12(d), (e) ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hole", ["9h", "Th", "Jh"])
def test_672a_12_d_dealers_card_beyond_his_total_is_out(hole: str) -> None:
    cards = CARDS.replace("8d", hole)
    smooth = play(cards=cards)
    played = play(noticed("card 9", "dealer_drew_past_17"), cards)
    acts = list(smooth["order"])
    acts.insert(acts.index("expose dealer") + 1, "card 9 -> rack")
    assert played == {**smooth, "order": acts, "remedies": ["card_discarded"]}


def test_672a_12_d_after_the_cards_that_he_has_to_draw() -> None:
    played = play(noticed("card 10", "dealer_drew_past_17"))
    assert played["order"][13:15] == ["card 9 -> dealer", "card 10 -> rack"]


def test_672a_12_d_beyond_a_blackjack_too() -> None:
    cards = CARDS.replace("8c", "Ac").replace("8d", "Kd")
    played = play(noticed("card 8", "dealer_drew_past_17"), cards, seat_1=["no_insurance"], seat_2=["no_insurance"])
    assert played["order"][8:] == [
        "ask 1",
        "ask 2",
        "peek",
        "expose dealer",
        "card 8 -> rack",
        "settle 2 blackjack",
        "settle 1 blackjack",
    ]
    assert [row["cite"] for row in played["wagers"]] == ["672a.7(g)(2)"] * 2
    assert played["remedies"] == ["card_discarded"]


@pytest.mark.parametrize("moment", [*DEAL, *DECISIONS, "reveal"])
def test_672a_12_d_speaks_of_a_hand_that_is_complete(moment: str) -> None:
    assert_only_recorded(moment, "dealer_drew_past_17")


@pytest.mark.parametrize(("moment", "cards"), [("card 4", "2h 5c 9c 7d 9d 8c 8d 6h 4h"), ("card 7", CARDS)])
def test_672a_12_e_dealer_who_passes_himself_over_is_dealt_last(moment: str, cards: str) -> None:
    which = 1 if moment == "card 4" else 2
    played = play(noticed(moment, "dealer_missed_own_card", which=which), cards)
    smooth = play()
    places = ["seat 1", "seat 2", *(["dealer"] if which == 2 else []), "seat 1", "seat 2", "dealer", "dealer"][:6]
    assert [act.split(" -> ")[1] for act in played["order"][2:8]] == places
    assert played["wagers"] == smooth["wagers"]
    assert played["remedies"] == ["round_resumed"]


@pytest.mark.parametrize("moment", ["card 2", "card 3", "card 5", "card 6", *DECISIONS, *DRAWN, "reveal"])
def test_672a_12_e_speaks_of_the_dealers_first_two_cards(moment: str) -> None:
    assert_only_recorded(moment, "dealer_missed_own_card", which=1)


# 672a.12(f) -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(2, 10))
def test_672a_12_f_empty_shoe_is_filled_with_the_discards(number: int) -> None:
    cards = CARDS.split()
    cards.insert(number - 1, "Ks")
    played, smooth = play(noticed(f"card {number}", "insufficient_cards"), " ".join(cards)), play()
    assert played["remedies"] == ["cards_reshuffled"]
    assert f"card {number} -> burn" in played["order"]
    assert played["wagers"] == smooth["wagers"]
    assert played["deck"]["disposition"] == "continue"


def test_672a_12_f_cards_may_come_again() -> None:
    # six aces of spades are out; the seventh is burned after the reshuffle, the eighth is dealt
    first = {
        "wagers": {"1": {"blackjack": "10.00"}, "2": {"blackjack": "10.00"}},
        "cards": "As As As 9h As As Kd As As As",
        "decisions": {"1": ["split", "stand", "stand"], "2": ["stand"]},
        "incidents": noticed("card 9", "insufficient_cards"),
    }
    assert only_round(outcome(first, game=GAME))["remedies"] == ["cards_reshuffled"]


@pytest.mark.parametrize("shuffler", ["plain", "counting"])
@pytest.mark.parametrize("kind", ["shuffler_out_of_service", "shuffler_jam", "shuffle_incomplete"])
@pytest.mark.parametrize("number", [9, 10])
def test_672a_12_l_shuffler_that_fails_after_the_shoe_ran_out_does_not_end_the_round(
    shuffler: str, kind: str, number: int
) -> None:
    """The other batch is in it, so that the discards are shuffled by hand; it is covered before the next round."""
    cards = CARDS.split()
    cards.insert(7, "Ks")
    empty = noticed("card 8", "insufficient_cards")
    played = play([*empty, *noticed(f"card {number}", kind)], " ".join(cards), shuffler=shuffler)
    assert (played["outcome"], played["remedies"]) == ("completed", ["cards_reshuffled"])
    assert played["wagers"] == play()["wagers"]


# 672a.12(g), (h) ------------------------------------------------------------------------------------------------------


def test_672a_12_g_no_card_at_all_is_a_dead_hand() -> None:
    script = [*noticed("card 3", "player_missed_card"), *noticed("card 5", "player_missed_card", position="seat 2")]
    played = play(script, "2h 5c 8c 7d 8d 6h 4h", seat_2=[])
    assert played["order"][2:8] == [
        "card 2 -> seat 1",
        "card 3 -> dealer",
        "card 4 -> seat 1",
        "settle 2 blackjack",
        "card 5 -> dealer",
        "ask 1",
    ]
    row = played["wagers"][1]
    assert (row["result"], row["returned"], row["cite"]) == ("returned", "20.00", "672a.12(g)")
    assert played["remedies"] == ["hand_dead"]


@pytest.mark.parametrize("moment", ["card 3", "card 6"])
@pytest.mark.parametrize("option", ["play_on", "void_hand"])
def test_672a_12_g_one_card_is_the_players_option(moment: str, option: str) -> None:
    late = option == "play_on"
    cards = "2h 5c 9c 8c 7d 9d 8d 6h 4h" if moment == "card 6" else "2h 5c 8c 7d 9c 9d 8d 6h 4h"
    cards = cards if late else cards.replace(" 9d", "")
    played = play(noticed(moment, "player_missed_card"), cards, seat_2=[option, *(["stand"] if late else [])])
    asked = played["order"].index("ask 2")
    assert [act.split(" -> ")[-1] for act in played["order"][asked - 2 : asked]] in (
        ["seat 1", "seat 2"],
        ["dealer", "seat 1"],
    )
    row = played["wagers"][1]
    if late:
        assert played["order"][asked + 1 : asked + 3] == ["card 6 -> seat 2", "card 7 -> dealer"]
        assert played["wagers"] == play()["wagers"]
    else:
        assert played["order"][asked + 1 : asked + 3] == ["settle 2 blackjack", "card 6 -> dealer"]
        assert (row["result"], row["cite"]) == ("returned", "672a.12(g)")
    assert played["remedies"] == ["round_resumed" if late else "hand_dead"]


@pytest.mark.parametrize(
    "incident", [noticed("decision 1", "player_missed_card"), noticed("card 8", "player_missed_card")]
)
def test_672a_12_h_the_card_comes_after_those_of_the_others(incident: Incidents) -> None:
    played = play(incident, seat_1=["hit", "play_on", "stand"])
    assert played["order"][8:13] == ["ask 1", "ask 2", "ask 1", "card 8 -> seat 1", "ask 1"]
    assert played["wagers"] == play()["wagers"]
    assert played["remedies"] == ["round_resumed"]


@pytest.mark.parametrize(
    "incident", [noticed("decision 1", "player_missed_card"), noticed("card 8", "player_missed_card")]
)
def test_672a_12_h_or_the_hand_is_dead(incident: Incidents) -> None:
    played = play(incident, seat_1=["hit", "void_hand"])
    assert played["order"][8:13] == ["ask 1", "ask 2", "ask 1", "settle 1 blackjack", "expose dealer"]
    row = played["wagers"][0]
    assert (row["result"], row["returned"], row["cite"]) == ("returned", "10.00", "672a.12(h)")
    assert played["remedies"] == ["hand_dead"]


def test_672a_12_h_who_stands_has_asked_for_no_card() -> None:
    played = play(noticed("decision 1.2", "player_missed_card"))
    assert (played["order"], played["wagers"]) == (SMOOTH, play()["wagers"])


def test_672a_12_h_another_hand_of_the_seat_goes_on() -> None:
    # 8h 8s split: the 3h forgotten for the first hand, the second gets it = 11, stands; then the 5d comes late
    cards = "2h 8h 9c 8c 8s 9d 8d 3h 5d"
    incident = noticed("card 8", "player_missed_card", position="seat 1")
    played = play(incident, cards, seat_1=["split", "stand", "play_on", "stand"])
    assert played["order"][8:15] == [
        "ask 1",
        "card 8 -> seat 1",
        "ask 1",
        "ask 2",
        "ask 1",
        "card 9 -> seat 1",
        "ask 1",
    ]


def test_672a_12_h_a_card_of_his_own_is_nothing_the_dealer_forgets_for_a_player() -> None:
    assert_only_recorded("card 9", "player_missed_card", position="seat 1")


# 672a.12(i)-(l) -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["card 7", *DECISIONS, "card 8", "peek"])
def test_672a_12_i_needless_look_is_told_to_a_floorperson(moment: str) -> None:
    assert_resumed(moment, "card_reader_misused", "round_resumed", "floor_called")


@pytest.mark.parametrize("moment", ["shuffle", "card 1", *DEAL[:-1]])
def test_672a_12_i_needs_a_hole_card(moment: str) -> None:
    assert_only_recorded(moment, "card_reader_misused")


@pytest.mark.parametrize("moment", MOMENTS)
def test_672a_12_j_broken_reader_stops_the_table_at_any_time(moment: str) -> None:
    played: dict[str, Any] = play(noticed(moment, "card_reader_fault"))
    assert (played["outcome"], played["cause"], played["cite"]) == ("suspended", "card_reader_fault", "672a.12(j)")
    assert (played["wagers"], played["remedies"]) == ([], ["floor_called"])
    assert played["deck"]["disposition"] == "continue"
    assert set(played["net"].values()) == {"0.00"}


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
@pytest.mark.parametrize("shuffler", ["plain", "counting", "identifying"])
def test_672a_12_k_shuffler_fault_is_mended_by_shuffling_again(kind: str, shuffler: str) -> None:
    assert_resumed("shuffle", kind, "cards_reshuffled", shuffler=shuffler)


@pytest.mark.parametrize("moment", [*DEAL, *DECISIONS, "reveal"])
@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete", "shuffler_out_of_service"])
def test_672a_12_k_l_nothing_is_shuffled_in_a_round(kind: str, moment: str) -> None:
    assert_only_recorded(moment, kind, shuffler="plain")


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete", "shuffler_out_of_service"])
def test_672a_12_k_l_without_a_shuffler_there_is_none_to_jam_or_cover(kind: str) -> None:
    assert_only_recorded("shuffle", kind)


def test_672a_12_l_shuffler_is_covered_before_the_cards_are_shuffled_by_hand() -> None:
    assert_resumed("shuffle", "shuffler_out_of_service", "device_covered", shuffler="counting")


# What the chapter says elsewhere --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 10))
def test_672a_7_d_cover_card_ends_the_shoe_after_the_round(number: int) -> None:
    smooth = play()
    played = play(noticed(f"card {number}", "cover_card"))
    assert played == {**smooth, "deck": {**smooth["deck"], "disposition": "reshuffle"}}


@pytest.mark.parametrize(("number", "asked"), [(3, [2]), (5, [1]), (8, [1]), (4, [2, 1]), (9, [2, 1]), (1, [2, 1])])
def test_672a_5_c_cut_is_offered_where_the_cover_card_came(number: int, asked: list[int]) -> None:
    script = {
        "wagers": {"1": {"blackjack": "10.00"}, "2": {"blackjack": "20.00"}},
        "cards": CARDS,
        "decisions": {"1": ["hit", "stand"], "2": ["stand"]},
    }
    cut = {str(seat): "no_cut" for seat in asked}
    document = outcome(
        {**script, "incidents": noticed(f"card {number}", "cover_card")}, {**script, "cut": cut}, game=GAME
    )
    assert [act for act in document["rounds"][1]["order"] if "burn" not in act][: len(asked)] == [
        f"ask {seat}" for seat in asked
    ]


@pytest.mark.parametrize("moment", ["card 3", *DECISIONS, "reveal"])
@pytest.mark.parametrize("kind", ["late_wager", "wager_changed", "power_loss", "identity_conflict", "device_lost"])
def test_672a_6_c_what_is_only_recorded_moves_no_chip(moment: str, kind: str) -> None:
    played = play(noticed(moment, kind))
    assert {**played, "remedies": []} == play()
    assert played["remedies"] == (["round_resumed"] if kind == "power_loss" else [])


@pytest.mark.parametrize("moment", ["card 4", "decision 1", "decision 2", "reveal"])
def test_672a_6_c_seat_that_leaves_loses_what_is_open(moment: str) -> None:
    decisions: list[str] = ["stand"] if moment == "reveal" else []
    played = play(noticed(moment, "player_left", position="seat 2"), seat_2=decisions)
    row = played["wagers"][1]
    assert (row["result"], row["collected"], row["cite"]) == ("forfeited", "20.00", "672a.6(c)")
    assert played["net"]["2"] == "-20.00"


@pytest.mark.parametrize("push_22", ["off", "A"])
def test_672a_7_m_nothing_depends_on_the_dealer_when_all_have_left(push_22: str) -> None:
    wagers = {"blackjack": "10.00"} if push_22 == "off" else {"blackjack": "10.00", "push_22": "5.00"}
    script = {
        "wagers": {"1": wagers},
        "cards": "2h Tc 8c 9d 8d 4h",
        "decisions": {"1": ["stand"]},
        "incidents": noticed("reveal", "player_left", position="seat 1"),
    }
    played = only_round(outcome(script, rules={"push_22": push_22}, game=GAME))
    assert played["order"][7:] == ["expose dealer", *(f"settle 1 {wager}" for wager in wagers)]
    assert {(row["result"], row["cite"]) for row in played["wagers"]} == {("forfeited", "672a.6(c)")}


@pytest.mark.parametrize("moment", ["settle 1", "settle 2"])
def test_672a_12_j_broken_reader_stops_the_table_before_a_blackjack_is_settled(moment: str) -> None:
    cards = CARDS.replace("8c", "Kc").replace("8d", "Ad")
    played = play(noticed(moment, "card_reader_fault"), cards, seat_1=[], seat_2=[])
    assert (played["outcome"], played["cite"], played["wagers"]) == ("suspended", "672a.12(j)", [])
    assert played["order"][8:] == ["peek", "expose dealer"]
