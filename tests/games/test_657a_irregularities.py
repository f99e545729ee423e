"""657a.13 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

Seat 1 bets twice, seat 2 forfeits, seat 4 bets; the stub count is due.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.games.by_hand_657a import Round, Seat, document, script
from tests.games.rounds import Incidents, only_round, outcome
from tests.games.scenarios import Document

PLAYED = Round(
    [
        Seat(1, ["As", "Ac", "9h", "6d", "2d"], 10_00, 2, queens=5_00),
        Seat(2, ["9d", "7c", "5h", "4h", "2s"], 5_00, 0),
        Seat(4, ["Kh", "Jd", "8s", "6c", "2h"], 20_00),
    ],
    ["Kd", "Jh", "8c", "5s", "3d"],
    counted=True,
)
DEAL = [f"card {number}" for number in range(1, 21)]
ASKED = ["decision 1", "decision 2", "decision 4"]
MOMENTS = [*DEAL, "count", *ASKED, "reveal", "settle 4", "settle 1"]
EDGES = ["card 1", "card 20", "decision 4", "settle 1"]
METHODS = ["manual_shoe", "from_hand", "automated_shoe"]


def play(incidents: Incidents = (), dealing: str = "manual_shoe", shuffler: str = "plain") -> Document:
    table = {"dealing": dealing, "shuffler": shuffler, "rounds_since_count": 4}
    return only_round(outcome(script(PLAYED, incidents=incidents), table=table, game="crazy_4_poker"))


def assert_void(moment: str, kind: str, clause: str, position: str, dealing: str = "manual_shoe") -> None:
    told = script(PLAYED, incidents=[{"at": moment, "kind": kind, "position": position}])
    if dealing == "automated_shoe":  # the hands are others then
        told["decisions"] = {"1": ["bet"], "2": ["fold"], "4": ["bet"]}
    table = {"dealing": dealing, "shuffler": "plain", "rounds_since_count": 4}
    played = only_round(outcome(told, table=table, game="crazy_4_poker"))
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", kind, clause)
    assert played["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert played["deck"]["disposition"] == "reshuffle"
    assert {(row["result"], row["cite"]) for row in played["wagers"]} == {("void", clause)}
    bets = {"decision 2": 1, "decision 4": 1, "reveal": 2, "settle 4": 2, "settle 1": 2}.get(moment, 0)
    assert len(played["wagers"]) == 7 + bets
    assert played["net"] == {"1": "0.00", "2": "0.00", "4": "0.00"}


def assert_no_remedy(incident: Mapping[str, object]) -> None:
    played = play([incident])
    assert played == play()
    assert (played["outcome"], played["remedies"]) == ("completed", [])


def test_round_without_an_incident_is_what_it_is_worked_out_to_be() -> None:
    found = play()
    del found["deck"]["id"]
    assert found == document(PLAYED)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("position", ["dealer", "seat 2"])
def test_657a_13_c_wrong_number_of_cards_voids_until_the_round_is_over(moment: str, position: str) -> None:
    assert_void(moment, "wrong_card_count", "657a.13(c)", position)


@pytest.mark.parametrize("moment", EDGES)
@pytest.mark.parametrize("position", ["dealer", "seat 1", "seat 4"])
@pytest.mark.parametrize("dealing", METHODS)
def test_657a_13_c_is_the_same_however_cards_are_dealt(moment: str, position: str, dealing: str) -> None:
    assert_void(moment, "wrong_card_count", "657a.13(c)", position, dealing)


@pytest.mark.parametrize(
    ("moment", "dealing"),
    [
        *((moment, "manual_shoe") for moment in [*DEAL, "count", *ASKED]),
        *((moment, dealing) for moment in EDGES[:3] for dealing in METHODS[1:]),
    ],
)
def test_657a_13_d_dealers_card_exposed_before_everybody_has_decided_voids(moment: str, dealing: str) -> None:
    assert_void(moment, "card_exposed", "657a.13(d)", "dealer", dealing)


@pytest.mark.parametrize("moment", ["reveal", "settle 4", "settle 1"])
def test_657a_13_d_ends_with_the_last_decision(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "card_exposed", "position": "dealer"})


@pytest.mark.parametrize("moment", MOMENTS)
def test_657a_13_d_does_not_speak_of_players_cards(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "card_exposed", "position": "seat 1"})


@pytest.mark.parametrize("moment", DEAL)
def test_657a_13_b_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    incident = {"at": moment, "kind": "drawn_in_error"}
    assert play([incident]) == {**play(), "remedies": ["round_resumed"]}
    assert_no_remedy({**incident, "exposed": True})


@pytest.mark.parametrize("moment", DEAL)
def test_657a_13_f_speaks_of_automated_shoes_alone(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "shoe_jam"})
