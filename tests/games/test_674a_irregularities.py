"""674a.13 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

Seat 1 stays in, seat 2 is out at its second question with a live Five Card Bonus; the stub count is due.
"""

from __future__ import annotations

import pytest

from tests.games.rounds import Incidents, dealt_singly, only_round, outcome
from tests.games.scenarios import Document

BOARD = "9c Kd 3h 4s Td"
HANDS = ("Kc 9h", "Ac 5c")
DEAL = [f"card {number}" for number in range(1, 10)]
ASKED = ["decision 1", "decision 2", "decision 1.2", "decision 2.2", "decision 1.3"]
MOMENTS = ["shuffle", *DEAL, "count", *ASKED, "settle 1"]
METHODS = ["manual_shoe", "from_hand", "automated_shoe"]
WAGERS = {
    "1": {"ante_across": "10.00", "ante_down": "10.00"},
    "2": {"ante_across": "20.00", "ante_down": "20.00", "five_card_bonus": "5.00"},
}
DECISIONS = {"1": ["bet 3", "bet", "bet 2"], "2": ["bet 2", "fold"]}
AFTER_THE_DEAL = [
    "ask 1",
    "ask 2",
    "expose community 2",
    "expose community 4",
    "ask 1",
    "ask 2",
    "settle 2 ante_across",
    "settle 2 ante_down",
    "settle 2 across",
    "expose community 1",
    "expose community 5",
    "ask 1",
    "expose community 3",
    "settle 2 five_card_bonus",
]
DONE = {"count": 0, "decision 1": 1, "decision 2": 2, "decision 1.2": 5, "decision 2.2": 6, "decision 1.3": 12}
BETS = {"decision 2": [(1, "across")], "decision 1.2": [(1, "across"), (2, "across")]}
BETS["decision 2.2"] = [(1, "across"), (1, "down"), (2, "across")]
BETS["decision 1.3"] = BETS["decision 2.2"]
BETS["settle 1"] = [(1, "across"), (1, "down"), (1, "middle"), (2, "across")]


def play(dealing: str = "manual_shoe", shuffler: str = "plain", incidents: Incidents = ()) -> Document:
    own = " ".join(HANDS) if dealing == "automated_shoe" else dealt_singly(*HANDS)
    script = {"wagers": WAGERS, "cards": f"{BOARD} {own}", "decisions": DECISIONS, "incidents": incidents}
    table = {"dealing": dealing, "shuffler": shuffler, "rounds_since_count": 4}
    return only_round(outcome(script, rules={"five_card_bonus": True}, table=table, game="criss_cross_poker"))


def place_of(number: int, dealing: str) -> str:
    if number <= 5:
        return "community"
    return f"seat {1 + ((number - 6) // 2 if dealing == 'automated_shoe' else (number - 6) % 2)}"


def acts_before(moment: str, dealing: str) -> list[str]:
    """The acts of the round up to the moment in which something is noticed."""
    cards = [f"card {number} -> {place_of(number, dealing)}" for number in range(1, 10)]
    if moment in DEAL:
        return ["no_more_bets", *cards[: int(moment.removeprefix("card "))]]
    if moment == "count":
        return ["no_more_bets", *cards]
    return ["no_more_bets", *cards, "count stub", *AFTER_THE_DEAL[: DONE.get(moment)]]


def assert_void(moment: str, kind: str, clause: str, dealing: str, position: str) -> None:
    played = play(dealing, incidents=[{"at": moment, "kind": kind, "position": position}])
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", kind, clause)
    assert played["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert played["deck"]["disposition"] == "reshuffle"
    opening = [(int(seat), wager) for seat, placed in WAGERS.items() for wager in placed]
    made = [*opening, *BETS.get(moment, [])]
    rows = [(row["seat"], row["wager"]) for row in played["wagers"]]
    assert sorted(rows) == sorted(made), "all wagers of the round come back, those of a seat that is out as well"
    assert {(row["result"], row["cite"]) for row in played["wagers"]} == {("void", clause)}
    assert played["net"] == {"1": "0.00", "2": "0.00"}
    if dealing != "automated_shoe":  # a stack is out of the shoe before anybody can notice something about its cards
        returned = [f"settle {seat} {wager}" for place in (2, 1) for seat, wager in rows if seat == place]
        assert played["order"] == [*acts_before(moment, dealing), *returned]


def assert_no_remedy(
    moment: str, kind: str, dealing: str = "manual_shoe", shuffler: str = "plain", **more: object
) -> None:
    played = play(dealing, shuffler, incidents=[{"at": moment, "kind": kind, **more}])
    assert played == play(dealing, shuffler), "an incident without a remedy changes nothing"
    assert (played["outcome"], played["remedies"]) == ("completed", [])


@pytest.mark.parametrize("moment", MOMENTS[1:])
@pytest.mark.parametrize("position", ["community", "seat 1", "seat 2"])
@pytest.mark.parametrize("dealing", METHODS)
def test_674a_13_c_wrong_number_of_cards_voids_until_the_round_is_over(
    moment: str, position: str, dealing: str
) -> None:
    assert_void(moment, "wrong_card_count", "674a.13(c)", dealing, position)


@pytest.mark.parametrize("moment", MOMENTS[1:-1])
@pytest.mark.parametrize("dealing", METHODS)
def test_674a_13_d_board_card_seen_before_its_turn(moment: str, dealing: str) -> None:
    assert_void(moment, "card_exposed", "674a.13(d)", dealing, "community")


@pytest.mark.parametrize("moment", ["shuffle", "settle 1"])
def test_674a_13_d_begins_with_the_deal_and_ends_with_the_centre(moment: str) -> None:
    assert_no_remedy(moment, "card_exposed", position="community")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("position", ["seat 1", "seat 3", "dealer", "burn"])
def test_674a_13_d_is_about_the_board_alone(moment: str, position: str) -> None:
    assert_no_remedy(moment, "card_exposed", position=position)


@pytest.mark.parametrize("moment", MOMENTS)
def test_674a_13_c_there_is_no_dealers_hand(moment: str) -> None:
    assert_no_remedy(moment, "wrong_card_count", position="dealer")


@pytest.mark.parametrize("moment", DEAL)
def test_674a_13_f_automated_shoe_that_stops_in_the_deal_voids(moment: str) -> None:
    played = play("automated_shoe", incidents=[{"at": moment, "kind": "shoe_jam"}])
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", "shoe_jam", "674a.13(f)")
    returned = [f"settle {seat} {wager}" for seat in ("2", "1") for wager in WAGERS[seat]]
    assert played["order"] == [*acts_before(moment, "automated_shoe"), *returned]


@pytest.mark.parametrize("moment", ["shuffle", "decision 1", "decision 1.3", "settle 1"])
def test_674a_13_f_is_over_when_all_cards_are_dealt(moment: str) -> None:
    assert_no_remedy(moment, "shoe_jam", "automated_shoe")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("dealing", METHODS[:2])
def test_674a_13_f_g_are_about_automated_shoes(moment: str, dealing: str) -> None:
    assert_no_remedy(moment, "shoe_jam", dealing)
    assert_no_remedy(moment, "shoe_out_of_service", dealing)


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
def test_674a_13_e_shuffler_fault_is_mended_by_shuffling_again(kind: str) -> None:
    faulty = play(incidents=[{"at": "shuffle", "kind": kind}] * 2)
    assert faulty == {**play(), "remedies": ["cards_reshuffled"]}


@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize("dealing", METHODS)
def test_674a_13_a_face_up_card_is_replaced_by_the_next(number: int, dealing: str) -> None:
    """With two of clubs face up in its place, every later card moves on by one; all else stays as it was."""
    own = " ".join(HANDS) if dealing == "automated_shoe" else dealt_singly(*HANDS)
    listed = f"{BOARD} {own}".split()
    listed.insert(number - 1, "^2c")
    script = {"wagers": WAGERS, "cards": " ".join(listed), "decisions": DECISIONS}
    table = {"dealing": dealing, "shuffler": "plain", "rounds_since_count": 4}
    rules = {"five_card_bonus": True}
    played = only_round(outcome(script, rules=rules, table=table, game="criss_cross_poker"))
    places = [place_of(place, dealing) for place in range(1, 10)]
    places.insert(number - 1, "rack")
    assert played["order"][1:11] == [f"card {place} -> {to}" for place, to in enumerate(places, 1)]
    smooth = play(dealing)
    assert played["remedies"] == ["card_discarded"]
    assert {**played, "remedies": [], "order": played["order"][11:]} == {**smooth, "order": smooth["order"][10:]}


@pytest.mark.parametrize("dealing", METHODS)
def test_674a_13_a_second_face_up_card_voids(dealing: str) -> None:
    incidents = [{"at": f"card {number}", "kind": "card_face_up"} for number in (2, 7)]
    played = play(dealing, incidents=incidents)
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", "card_face_up", "674a.13(a)")
    assert played["remedies"] == ["wagers_returned", "cards_reshuffled"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_674a_13_b_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    """While another one comes; of a card whose face was seen the clause says nothing."""
    drawn = {"at": moment, "kind": "drawn_in_error"}
    remedies = ["round_resumed"] if moment in (*DEAL, "count") else []
    assert play(incidents=[drawn]) == {**play(), "remedies": remedies}
    assert play(incidents=[{**drawn, "exposed": True}]) == play()


RECORDED = ["late_wager", "wager_changed", "wrong_stake", "identity_conflict", "deck_change_due", "device_lost"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", RECORDED)
def test_674a_7_c_what_is_only_recorded_moves_no_chip(moment: str, kind: str) -> None:
    assert_no_remedy(moment, kind, position="seat 1")


@pytest.mark.parametrize("moment", MOMENTS)
def test_power_loss_undoes_nothing(moment: str) -> None:
    assert play(incidents=[{"at": moment, "kind": "power_loss"}]) == {**play(), "remedies": ["round_resumed"]}


@pytest.mark.parametrize("moment", ["decision 1", "decision 2", "decision 1.2", "decision 1.3"])
def test_674a_7_b_who_is_out_and_leaves_loses_the_bonus_too(moment: str) -> None:
    left = {"at": moment, "kind": "player_left", "position": "seat 2"}
    answered = {"decision 1": 0, "decision 2": 0, "decision 1.2": 1, "decision 1.3": 2}[moment]
    decisions = {"1": DECISIONS["1"], "2": DECISIONS["2"][:answered]}
    script = {"wagers": WAGERS, "cards": f"{BOARD} {dealt_singly(*HANDS)}", "decisions": decisions, "incidents": [left]}
    rules = {"five_card_bonus": True}
    played = only_round(outcome(script, rules=rules, table={"shuffler": "counting"}, game="criss_cross_poker"))
    rows = {row["wager"]: (row["result"], row["cite"]) for row in played["wagers"] if row["seat"] == 2}
    assert rows["five_card_bonus"] == ("forfeited", "674a.7(b)")
    out = moment == "decision 1.3"
    assert rows["ante_across"] == ("forfeited", "674a.11(d)" if out else "674a.7(b)")
