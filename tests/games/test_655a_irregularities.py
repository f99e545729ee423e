"""655a.13 and 655a.11(a)(3) at every moment of a round: inside the window the remedy, outside it nothing."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.games.by_hand_655a import Round, Seat, document, places, script
from tests.games.rounds import Incidents, only_round, outcome
from tests.games.scenarios import Document

PLAYED = Round([Seat(1, ["Jc", "Kd"], 10_00), Seat(2, ["Td", "2c"], 5_00, [2])], ["Js", "Th", "6d"], counted=True)
DEAL = [f"card {number}" for number in range(1, 8)]
ASKED = ["decision 1", "decision 2", "decision 1.2", "decision 2.2", "decision 1.3"]
MOMENTS = [*DEAL, "count", *ASKED, "settle 1"]
METHODS = ["manual_shoe", "from_hand", "automated_shoe"]


def play(incidents: Incidents = (), dealing: str = "manual_shoe", shuffler: str = "plain") -> Document:
    table = {"dealing": dealing, "shuffler": shuffler, "rounds_since_count": 4 if shuffler == "plain" else 0}
    return only_round(outcome(script(PLAYED, incidents=incidents), table=table, game="mississippi_stud"))


def staked_by(moment: str) -> int:
    """How many wagers lie there then: both Antes, and a street for each decision before it."""
    decided = ASKED.index(moment) if moment in ASKED else len(ASKED) if moment.startswith("settle") else 0
    return 2 + decided - (decided > ASKED.index("decision 2.2"))


def assert_void(moment: str, kind: str, clause: str, position: str, dealing: str) -> None:
    played = play([{"at": moment, "kind": kind, "position": position}], dealing)
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", kind, clause)
    assert played["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert played["deck"]["disposition"] == "reshuffle"
    assert {(row["result"], row["cite"]) for row in played["wagers"]} == {("void", clause)}
    assert len(played["wagers"]) == staked_by(moment)
    assert played["net"] == {"1": "0.00", "2": "0.00"}


def assert_no_remedy(incident: Mapping[str, object], dealing: str = "manual_shoe", shuffler: str = "plain") -> None:
    played = play([incident], dealing, shuffler)
    assert played == play((), dealing, shuffler)
    assert (played["outcome"], played["remedies"]) == ("completed", [])


def test_round_without_an_incident_is_what_it_is_worked_out_to_be() -> None:
    found = play()
    del found["deck"]["id"]
    assert found == document(PLAYED)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("position", ["seat 1", "seat 2", "community"])
@pytest.mark.parametrize("dealing", METHODS)
def test_655a_13_c_wrong_number_of_cards_voids(moment: str, position: str, dealing: str) -> None:
    assert_void(moment, "wrong_card_count", "655a.13(c)", position, dealing)


@pytest.mark.parametrize("moment", MOMENTS[:-1])
@pytest.mark.parametrize("dealing", METHODS)
def test_655a_13_d_board_exposed_before_its_turn_voids(moment: str, dealing: str) -> None:
    assert_void(moment, "card_exposed", "655a.13(d)", "community", dealing)


@pytest.mark.parametrize("moment", MOMENTS)
def test_655a_13_d_does_not_speak_of_players_cards(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "card_exposed", "position": "seat 1"})


def test_655a_13_d_board_that_is_turned_up_cannot_be_exposed_any_more() -> None:
    assert_no_remedy({"at": "settle 1", "kind": "card_exposed", "position": "community"})


@pytest.mark.parametrize("moment", ASKED)
@pytest.mark.parametrize("number", [1, 2])
def test_655a_11_a_3_whoever_exchanges_information_forfeits_all_wagers(moment: str, number: int) -> None:
    incident = {"at": moment, "kind": "collusion", "position": f"seat {number}"}
    cards = script(PLAYED)
    decisions = {"1": ["bet", "bet", "bet"], "2": ["bet 2", "fold"]}
    if number == 1:  # a seat that has nothing on the layout any more is not asked again
        decisions["1"] = decisions["1"][: {0: 0, 1: 1, 2: 1, 3: 2, 4: 2}[ASKED.index(moment)]]
    else:
        decisions["2"] = decisions["2"][: {0: 0, 1: 0, 2: 1, 3: 1, 4: 2}[ASKED.index(moment)]]
    played = only_round(outcome({**cards, "decisions": decisions, "incidents": [incident]}, game="mississippi_stud"))
    assert played["outcome"] == "completed"
    rows = [row for row in played["wagers"] if row["seat"] == number]
    assert {row["result"] for row in rows} == {"forfeited"}
    already = number == 2 and moment == "decision 1.3"
    assert {row["cite"] for row in rows} == {"655a.11(d)" if already else "655a.11(a)(3)"}
    others = {row["cite"] for row in played["wagers"] if row["seat"] != number}
    assert "655a.11(a)(3)" not in others


def test_655a_11_a_3_ends_when_the_board_is_turned_up() -> None:
    assert_no_remedy({"at": "settle 1", "kind": "collusion", "position": "seat 1"})


@pytest.mark.parametrize("number", range(1, 8))
def test_655a_13_f_shoe_that_stops_voids_while_it_gives_stacks(number: int) -> None:
    incident = {"at": f"card {number}", "kind": "shoe_jam"}
    if places(PLAYED)[number - 1] == "community":  # these come out of the hand (655a.10(c))
        assert_no_remedy(incident, "automated_shoe", "counting")
        return
    played = play([incident], "automated_shoe", "counting")
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", "shoe_jam", "655a.13(f)")


def test_655a_13_f_board_that_comes_first_is_in_the_shoe() -> None:
    table = {"dealing": "automated_shoe", "shuffler": "counting", "shuffler_mode": "continuous"}
    for number in range(1, 8):
        told = script(PLAYED, incidents=[{"at": f"card {number}", "kind": "shoe_jam"}])
        found = outcome(told, rules={"community_first": True}, table=table, game="mississippi_stud")
        played = only_round(found)
        assert (played["outcome"], played["cite"]) == ("void", "655a.13(f)")


@pytest.mark.parametrize("moment", DEAL)
def test_655a_13_b_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    incident = {"at": moment, "kind": "drawn_in_error"}
    assert play([incident]) == {**play(), "remedies": ["round_resumed"]}
    assert_no_remedy({**incident, "exposed": True})


@pytest.mark.parametrize("moment", MOMENTS[8:])
def test_655a_13_b_no_card_comes_after_the_deal(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "drawn_in_error"})
