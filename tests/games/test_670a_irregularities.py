"""670a.13 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

Seat 1 doubles and leaves its hands to the house way, seat 3 does neither, seat 6 sets its own; the first card is seat
6's.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.games.by_hand_670a import Round, Seat, document, script
from tests.games.rounds import Incidents, only_round, outcome
from tests.games.scenarios import Document

GAME = "six_card_fortune_pai_gow"
FILED = {"double_down": True, "fortune_bonus": True, "insurance": True, "progressive": True}
SEATS = [
    Seat(1, ["Ts", "Th", "Ad", "8d", "6c", "3h"], 1000, double=True, fortune=500, progressive=100),
    Seat(3, ["Kd", "Jh", "8c", "6d", "4s", "2h"], 1500, insurance=200),
    Seat(6, ["Qs", "Qh", "Kc", "7d", "5c", "3s"], 2000, progressive=500, low="Kc"),
]
DEALER = ["9s", "9d", "Kh", "7c", "5d", "2c"]
DEAL = [f"card {number}" for number in range(1, 43)]
ASKED = ["decision 1", "decision 3", "decision 6", "decision 1.2", "decision 3.2", "decision 6.2"]
SETTLED = ["settle 6", "settle 3", "settle 1"]
MOMENTS = [*DEAL, "count", *ASKED, "reveal", *SETTLED]
EDGES = ["card 1", "card 42", "count", "decision 1", "decision 6.2", "reveal", "settle 1"]
METHODS = ["manual_shoe", "from_hand", "automated_shoe"]


def played_by(dealing: str = "manual_shoe") -> Round:
    return Round(SEATS, DEALER, dealing=dealing)


def play(incidents: Incidents = (), dealing: str = "manual_shoe", **more: object) -> Document:
    table = {"dealing": dealing, "shuffler": "plain"}
    told = script(played_by(dealing), incidents=incidents, **more)
    return only_round(outcome(told, rules=FILED, table=table, game=GAME))


def decisions(number: int, *first: str, at: int = 0) -> dict[str, list[str]]:
    """What the seats say, one of them something more before what it would say then."""
    said: dict[str, list[str]] = script(played_by())["decisions"]
    said[str(number)][at:at] = first
    return said


def assert_void(moment: str, kind: str, clause: str, position: str, dealing: str = "manual_shoe") -> None:
    played = play([{"at": moment, "kind": kind, "position": position}], dealing)
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", kind, clause)
    assert played["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert played["deck"]["disposition"] == "reshuffle"
    assert {(row["result"], row["cite"]) for row in played["wagers"]} == {("void", clause)}
    doubled = moment == "reveal" or moment.startswith("settle") or (moment in ASKED and moment != "decision 1")
    assert len(played["wagers"]) == 7 + doubled
    assert played["net"] == {"1": "0.00", "3": "0.00", "6": "0.00"}


def assert_no_remedy(incident: Mapping[str, object], dealing: str = "manual_shoe") -> None:
    played = play([incident], dealing)
    assert played == play(dealing=dealing)
    assert (played["outcome"], played["remedies"]) == ("completed", [])


@pytest.mark.parametrize("dealing", METHODS)
def test_round_without_an_incident_is_what_it_is_worked_out_to_be(dealing: str) -> None:
    found = play(dealing=dealing)
    del found["deck"]["id"]
    assert found == document(played_by(dealing))


# Dice ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 2, 5])
def test_670a_13_a_dice_that_do_not_lie_flat_are_shaken_again(times: int) -> None:
    incidents = [{"at": f"throw {number}", "kind": "no_roll"} for number in range(1, times + 1)]
    found = play(incidents, dice=[*["1 1 1"] * times, "1 2 6"])
    throws = [f"throw {number}" for number in range(1, times + 2)]
    assert [act for act in found["order"] if act.startswith("throw")] == throws
    assert found == {**play(), "remedies": ["rethrown"], "order": found["order"]}
    assert [act for act in found["order"] if not act.startswith("throw")] == [
        act for act in play()["order"] if not act.startswith("throw")
    ]


def test_670a_13_b_throw_with_a_die_out_of_the_shaker_takes_no_card_astray() -> None:
    """Its total, fourteen, would have sent the first card to seat 1."""
    found = play([{"at": "throw 1", "kind": "no_roll"}], dice=["2 6 6", "1 2 6"])
    assert found["order"][found["order"].index("throw 2") + 1] == "start seat 6"


@pytest.mark.parametrize("moment", DEAL)
def test_670a_13_c_first_card_astray_by_a_wrong_total_voids(moment: str) -> None:
    wrong = {"at": "throw 1", "kind": "dice_total_wrong", "total": 8}
    astray = {"at": moment, "kind": "first_card_wrong_position", "position": "dealer"}
    found = play([wrong, astray])
    assert (found["outcome"], found["cause"], found["cite"]) == ("void", "first_card_wrong_position", "670a.13(c)")
    assert found["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert found["net"] == {"1": "0.00", "3": "0.00", "6": "0.00"}


@pytest.mark.parametrize("moment", ["decision 1", "reveal", "settle 1"])
def test_670a_13_c_ends_with_the_deal(moment: str) -> None:
    wrong = {"at": "throw 1", "kind": "dice_total_wrong", "total": 8}
    found = play([wrong, {"at": moment, "kind": "first_card_wrong_position", "position": "dealer"}])
    assert found == play()


def test_670a_13_c_needs_both() -> None:
    assert_no_remedy({"at": "throw 1", "kind": "dice_total_wrong", "total": 8})
    assert_no_remedy({"at": "card 1", "kind": "first_card_wrong_position", "position": "dealer"})


@pytest.mark.parametrize(("first", "second"), [("card 1", "card 1"), ("card 1", "card 42"), ("card 7", "count")])
def test_670a_13_c_voids_whichever_is_noticed_first(first: str, second: str) -> None:
    astray = {"at": first, "kind": "first_card_wrong_position", "position": "dealer"}
    found = play([astray, {"at": second, "kind": "dice_total_wrong", "total": 8}])
    assert (found["outcome"], found["cause"], found["cite"]) == ("void", "dice_total_wrong", "670a.13(c)")
    assert found["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert {row["cite"] for row in found["wagers"]} == {"670a.13(c)"}


@pytest.mark.parametrize("moment", ["shuffle", "lock_out", "card 1", "decision 1"])
def test_670a_13_a_needs_dice_that_were_uncovered_before_the_deal(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "no_roll"})


# Exposed cards ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", [*DEAL, "count"])
@pytest.mark.parametrize("answer", ["play_on", "void_hand"])
def test_670a_13_d_player_decides_about_a_card_that_was_exposed_in_the_deal(moment: str, answer: str) -> None:
    said = decisions(3, answer)
    if answer == "void_hand":
        said["3"] = ["void_hand"]
    found = play([{"at": moment, "kind": "card_exposed", "position": "seat 3"}], decisions=said)
    asked = [act for act in found["order"] if act.startswith("ask")]
    if answer == "play_on":
        assert asked == ["ask 3", "ask 1", "ask 3", "ask 6", "ask 1", "ask 3", "ask 6"]
        assert {**found, "order": []} == {**play(), "order": []}
        return
    assert asked == ["ask 3", "ask 1", "ask 6", "ask 1", "ask 6"]
    assert found["remedies"] == ["hand_void"]
    void = [row for row in found["wagers"] if row["seat"] == 3]
    assert [(row["wager"], row["result"], row["cite"]) for row in void] == [
        ("pai_gow", "void", "670a.13(d)"),
        ("insurance", "void", "670a.13(d)"),
    ]
    others = [row for row in play()["wagers"] if row["seat"] != 3]
    assert [row for row in found["wagers"] if row["seat"] != 3] == others


@pytest.mark.parametrize("moment", ASKED)
def test_670a_13_d_player_decides_at_once_while_hands_are_set(moment: str) -> None:
    """Seat 6 is asked in between; it has set nothing yet, or says so before it does."""
    incidents = [{"at": moment, "kind": "card_exposed", "position": "seat 6"}]
    said = decisions(6, "play_on", at=1 if moment in ASKED[3:] else 0)
    found = play(incidents, decisions=said)
    order = [act for act in found["order"] if act.startswith("ask")]
    place = ASKED.index(moment)
    smooth = ["ask 1", "ask 3", "ask 6"] * 2
    assert order == [*smooth[: place + 1], "ask 6", *smooth[place + 1 :]]
    assert {**found, "order": []} == {**play(), "order": []}


@pytest.mark.parametrize("moment", ["reveal", *SETTLED])
def test_670a_13_d_ends_when_the_dealer_turns_his_cards_up(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "card_exposed", "position": "seat 3"})


def test_670a_13_d_seat_without_a_wager_has_nothing_to_decide() -> None:
    assert_no_remedy({"at": "card 20", "kind": "card_exposed", "position": "seat 2"})


@pytest.mark.parametrize(
    ("moment", "dealing"),
    [
        *((moment, "manual_shoe") for moment in [*DEAL, "count", *ASKED, "reveal"]),
        *((moment, dealing) for moment in EDGES[:6] for dealing in METHODS[1:]),
    ],
)
def test_670a_13_e_dealers_card_exposed_before_he_sets_his_hands_voids(moment: str, dealing: str) -> None:
    assert_void(moment, "card_exposed", "670a.13(e)", "dealer", dealing)


@pytest.mark.parametrize("moment", SETTLED)
def test_670a_13_e_ends_with_the_reveal(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "card_exposed", "position": "dealer"})


@pytest.mark.parametrize("moment", [*DEAL, "count"])
@pytest.mark.parametrize("position", ["seat 1", "seat 2"])
def test_670a_13_j_card_exposed_while_stacks_are_delivered_voids(moment: str, position: str) -> None:
    assert_void(moment, "card_exposed", "670a.13(j)", position, "automated_shoe")


@pytest.mark.parametrize("moment", ASKED)
def test_670a_13_j_ends_with_the_deal(moment: str) -> None:
    incident = {"at": moment, "kind": "card_exposed", "position": "seat 6"}
    said = decisions(6, "play_on", at=1 if moment in ASKED[3:] else 0)
    found = play([incident], "automated_shoe", decisions=said)
    assert {**found, "order": []} == {**play(dealing="automated_shoe"), "order": []}


# Cards --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("position", ["dealer", "seat 3"])
def test_670a_13_h_wrong_number_of_cards_voids_until_the_round_is_over(moment: str, position: str) -> None:
    assert_void(moment, "wrong_card_count", "670a.13(h)", position)


@pytest.mark.parametrize("moment", EDGES)
@pytest.mark.parametrize("dealing", METHODS)
def test_670a_13_k_also_at_a_position_without_a_wager(moment: str, dealing: str) -> None:
    assert_void(moment, "wrong_card_count", "670a.13(k)", "seat 2", dealing)


@pytest.mark.parametrize("moment", DEAL)
def test_670a_13_g_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    incident = {"at": moment, "kind": "drawn_in_error"}
    assert play([incident]) == {**play(), "remedies": ["round_resumed"]}
    assert_no_remedy({**incident, "exposed": True})


@pytest.mark.parametrize("number", [1, 7, 42])
@pytest.mark.parametrize("dealing", METHODS)
def test_670a_13_f_one_card_face_up_is_out_and_ten_remain(number: int, dealing: str) -> None:
    cards = script(played_by(dealing))["cards"].split()
    cards.insert(number - 1, "^Ah")
    found = play(dealing=dealing, cards=" ".join(cards))
    assert found["remedies"] == ["card_discarded"]
    assert f"card {number} -> rack" in found["order"]
    assert found["wagers"] == play(dealing=dealing)["wagers"]
    again = play([{"at": "count", "kind": "deck_count", "count": 52}], dealing, cards=" ".join(cards))
    assert (again["outcome"], again["deck"]["disposition"]) == ("void", "remove"), "a card less than that is missing"


@pytest.mark.parametrize("dealing", METHODS)
def test_670a_13_f_a_second_one_voids(dealing: str) -> None:
    cards = script(played_by(dealing))["cards"].split()
    cards[1:1] = ["^Ah"]
    cards[40:40] = ["^Jc"]
    found = play(dealing=dealing, cards=" ".join(cards))
    assert (found["outcome"], found["cause"], found["cite"]) == ("void", "card_face_up", "670a.13(f)")
    assert found["remedies"] == ["wagers_returned", "cards_reshuffled"]


# The dealer's hands and the equipment -------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["reveal", *SETTLED])
def test_670a_13_i_dealers_hands_are_set_anew_and_the_round_is_completed(moment: str) -> None:
    incident = {"at": moment, "kind": "house_way_wrong", "position": "dealer"}
    assert play([incident]) == {**play(), "remedies": ["hand_reset"]}


@pytest.mark.parametrize("moment", ["card 42", "decision 6.2"])
def test_670a_13_i_begins_with_the_dealers_hands(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "house_way_wrong", "position": "dealer"})


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
def test_670a_13_l_cards_are_reshuffled(kind: str) -> None:
    assert play([{"at": "shuffle", "kind": kind}]) == {**play(), "remedies": ["cards_reshuffled"]}


@pytest.mark.parametrize("moment", DEAL)
def test_670a_13_m_automated_shoe_that_stops_voids(moment: str) -> None:
    found = play([{"at": moment, "kind": "shoe_jam"}], "automated_shoe")
    assert (found["outcome"], found["cause"], found["cite"]) == ("void", "shoe_jam", "670a.13(m)")
    assert found["order"].count(f"{moment} -> {last(moment)}") == 1
    assert_no_remedy({"at": moment, "kind": "shoe_jam"})


def last(moment: str) -> str:
    """Where the card of that number goes from an automated shoe: stacks of six, seat 6 first."""
    return ["seat 6", "dealer", *(f"seat {n}" for n in range(1, 6))][(int(moment.split()[1]) - 1) // 6]


@pytest.mark.parametrize("dealing", METHODS[:2])
def test_670a_13_n_shoe_that_is_out_of_service_is_covered(dealing: str) -> None:
    incident = {"at": "shuffle", "kind": "shoe_out_of_service", "then": dealing}
    table = {"dealing": "automated_shoe", "shuffler": "plain"}
    told = script(played_by(dealing), incidents=[incident])
    found = only_round(outcome(told, rules=FILED, table=table, game=GAME))
    assert found["remedies"] == ["device_covered"]
    assert found["wagers"] == play(dealing=dealing)["wagers"]
