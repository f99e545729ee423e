"""671a.13 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

One seat exchanges two cards and wins against a dealer who qualifies; the count of the deck is due. What is worked out
here is where each window begins and ends, and that an incident outside of it changes nothing in the outcome.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.games.rounds import Incidents, dealt_singly, only_round, outcome
from tests.games.scenarios import Document

OWN, DEALER = "Kh Kc 9d 7s 4c", "Qs Qd 8h 5c 3d"
DEAL = [f"card {number}" for number in range(1, 11)]
DRAW = ["card 11", "card 12"]
MOMENTS = ["shuffle", *DEAL, "decision 1", *DRAW, "decision 1.2", "reveal", "settle 1", "count"]
RETURNED_AND_RESHUFFLED = ["wagers_returned", "cards_reshuffled"]
DEALINGS = ["manual_shoe", "from_hand", "automated_shoe"]


def play(dealing: str = "manual_shoe", shuffler: str = "plain", incidents: Incidents = ()) -> Document:
    cards = f"{OWN} {DEALER}" if dealing == "automated_shoe" else dealt_singly(OWN, DEALER)
    script = {
        "wagers": {"1": {"ante": "10.00", "super": "10.00"}},
        "cards": f"{cards} 2h 2s",
        "decisions": {"1": ["exchange 7s 4c", "bet"]},
        "incidents": incidents,
    }
    table = {"dealing": dealing, "shuffler": shuffler, "rounds_since_count": 4}
    return only_round(outcome(script, table=table, game="lunar_poker"))


def assert_void(
    moment: str, kind: str, clause: str, dealing: str, position: str | None, stands: Sequence[str] = ()
) -> None:
    place = {} if position is None else {"position": position}
    played = play(dealing, incidents=[{"at": moment, "kind": kind, **place}])
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", kind, clause)
    assert (played["remedies"], played["deck"]["disposition"]) == (RETURNED_AND_RESHUFFLED, "reshuffle")
    begun = MOMENTS.index(moment)
    staked = {"ante": "10.00", "super": "10.00"}
    if begun > MOMENTS.index("decision 1"):
        staked["options_fee"] = "10.00"
    if begun > MOMENTS.index("decision 1.2"):
        staked["bet"] = "20.00"
    returned = {row["wager"]: row["returned"] for row in played["wagers"] if row["result"] == "void"}
    assert {row["wager"] for row in played["wagers"]} == set(staked)
    assert returned == {wager: amount for wager, amount in staked.items() if wager not in stands}
    assert {row["cite"] for row in played["wagers"] if row["result"] == "void"} == {clause}
    assert played["net"] == {"1": "-10.00" if stands else "0.00"}


def assert_no_remedy(
    moment: str, kind: str, dealing: str = "manual_shoe", shuffler: str = "plain", **more: object
) -> None:
    played = play(dealing, shuffler, incidents=[{"at": moment, "kind": kind, **more}])
    assert played == play(dealing, shuffler), "an incident without a remedy changes nothing"
    assert (played["outcome"], played["remedies"]) == ("completed", [])


@pytest.mark.parametrize("moment", MOMENTS[1:-1])
@pytest.mark.parametrize("position", ["dealer", "seat 1"])
@pytest.mark.parametrize("dealing", DEALINGS)
def test_671a_13_c_wrong_number_of_cards_voids_until_all_is_settled(moment: str, position: str, dealing: str) -> None:
    assert_void(moment, "wrong_card_count", "671a.13(c)", dealing, position)


@pytest.mark.parametrize("moment", ["shuffle", "count"])
def test_671a_13_c_needs_a_hand_that_is_played(moment: str) -> None:
    assert_no_remedy(moment, "wrong_card_count", position="seat 1")


@pytest.mark.parametrize("moment", [*DEAL[:-1], "decision 1"])
@pytest.mark.parametrize("dealing", DEALINGS)
def test_671a_13_d_dealer_card_exposed_before_the_super_wagers_are_settled(moment: str, dealing: str) -> None:
    assert_void(moment, "card_exposed", "671a.13(d)", dealing, "dealer")


@pytest.mark.parametrize("moment", [*DRAW, "decision 1.2"])
@pytest.mark.parametrize("dealing", DEALINGS)
def test_671a_13_d_settled_super_wagers_stand(moment: str, dealing: str) -> None:
    assert_void(moment, "card_exposed", "671a.13(d)", dealing, "dealer", stands=("super",))


@pytest.mark.parametrize("dealing", DEALINGS)
def test_671a_13_d_the_last_card_of_the_dealer_is_turned_up(dealing: str) -> None:
    assert_no_remedy("card 10", "card_exposed", dealing, position="dealer")


@pytest.mark.parametrize("moment", ["shuffle", "reveal", "settle 1", "count"])
def test_671a_13_d_ends_when_everybody_has_folded_or_bet(moment: str) -> None:
    assert_no_remedy(moment, "card_exposed", position="dealer")


@pytest.mark.parametrize("moment", MOMENTS)
def test_671a_13_d_is_about_the_dealers_cards(moment: str) -> None:
    assert_no_remedy(moment, "card_exposed", position="seat 1")


@pytest.mark.parametrize("number", range(1, 13))
@pytest.mark.parametrize("dealing", DEALINGS)
def test_671a_13_a_face_up_card_is_replaced_by_the_next(number: int, dealing: str) -> None:
    """Also among those that are drawn: every later card moves on by one, and all else stays as it was."""
    cards = f"{OWN} {DEALER}" if dealing == "automated_shoe" else dealt_singly(OWN, DEALER)
    listed = f"{cards} 2h 2s".split()
    listed.insert(number - 1, "^6c")
    script = {
        "wagers": {"1": {"ante": "10.00", "super": "10.00"}},
        "cards": " ".join(listed),
        "decisions": {"1": ["exchange 7s 4c", "bet"]},
    }
    table = {"dealing": dealing, "shuffler": "plain", "rounds_since_count": 4}
    played, smooth = only_round(outcome(script, table=table, game="lunar_poker")), play(dealing)
    dealt, others = of_cards(played["order"])
    places, smooth_others = of_cards(smooth["order"])
    places.insert(number - 1, "rack")
    assert (dealt, others) == (places, smooth_others)
    assert played["remedies"] == ["card_discarded"]
    assert {**played, "remedies": [], "order": []} == {**smooth, "order": []}


def of_cards(order: Sequence[str]) -> tuple[list[str], list[str]]:
    """Where the cards went, and all other acts."""
    dealt = [act.partition(" -> ")[2] for act in order if act.startswith("card")]
    return dealt, [act for act in order if not act.startswith("card")]


@pytest.mark.parametrize("moment", ["decision 1", "decision 1.2", "reveal", "settle 1", "count"])
def test_671a_13_a_is_about_cards_found_as_they_are_dealt(moment: str) -> None:
    assert_no_remedy(moment, "card_face_up")


@pytest.mark.parametrize("moment", [*DEAL, "decision 1", *DRAW])
def test_671a_13_b_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    played = play(incidents=[{"at": moment, "kind": "drawn_in_error"}])
    assert played == {**play(), "remedies": ["round_resumed"]}
    assert_no_remedy(moment, "drawn_in_error", exposed=True)


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
@pytest.mark.parametrize("shuffler", ["plain", "counting", "identifying"])
def test_671a_13_e_shuffler_fault_is_mended_by_shuffling_again(kind: str, shuffler: str) -> None:
    faulty, smooth = play(shuffler=shuffler, incidents=[{"at": "shuffle", "kind": kind}]), play(shuffler=shuffler)
    assert faulty == {**smooth, "remedies": ["cards_reshuffled"]}


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete", "shuffler_out_of_service"])
def test_671a_13_e_g_without_a_shuffler_there_is_none_to_jam_or_cover(kind: str) -> None:
    assert_no_remedy("shuffle", kind, shuffler="none")


@pytest.mark.parametrize("moment", [*DEAL, *DRAW])
def test_671a_13_f_automated_shoe_that_stops_in_a_round_voids_it(moment: str) -> None:
    assert_void(moment, "shoe_jam", "671a.13(f)", "automated_shoe", None)


@pytest.mark.parametrize("moment", ["shuffle", "decision 1", "decision 1.2", "reveal", "settle 1", "count"])
def test_671a_13_f_is_about_the_shoe_as_it_deals(moment: str) -> None:
    assert_no_remedy(moment, "shoe_jam", "automated_shoe")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand"])
def test_671a_13_f_is_about_automated_shoes(moment: str, dealing: str) -> None:
    assert_no_remedy(moment, "shoe_jam", dealing)


def test_671a_13_g_devices_are_covered_before_another_method_is_used() -> None:
    shuffler = play(incidents=[{"at": "shuffle", "kind": "shuffler_out_of_service"}])
    assert shuffler == {**play(), "remedies": ["device_covered"]}
    shoe = {"at": "shuffle", "kind": "shoe_out_of_service", "then": "from_hand"}
    played = play(
        "automated_shoe", incidents=[shoe, {"at": "decision 1", "kind": "wrong_card_count", "position": "dealer"}]
    )
    assert played["remedies"] == ["device_covered", *RETURNED_AND_RESHUFFLED]
    assert played["order"][1:3] == ["card 1 -> seat 1", "card 2 -> dealer"], "from the hand cards come one by one"


RECORDED = ["late_wager", "wager_changed", "wrong_stake", "identity_conflict", "deck_change_due", "device_lost"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", RECORDED)
def test_671a_7_d_what_is_only_recorded_moves_no_chip(moment: str, kind: str) -> None:
    assert_no_remedy(moment, kind, position="seat 1")


@pytest.mark.parametrize("moment", [*DEAL, "decision 1", *DRAW, "decision 1.2", "reveal", "settle 1"])
def test_671a_7_b_a_seat_that_leaves_loses_what_is_still_open(moment: str) -> None:
    asked = {at: ["exchange 7s 4c"] for at in (*DRAW, "decision 1.2")}
    asked |= {at: ["exchange 7s 4c", "bet"] for at in ("reveal", "settle 1")}
    script = {
        "wagers": {"1": {"ante": "10.00", "super": "10.00"}},
        "cards": f"{dealt_singly(OWN, DEALER)} 2h 2s",
        "decisions": {"1": asked.get(moment, [])},
        "incidents": [{"at": moment, "kind": "player_left", "position": "seat 1"}],
    }
    played = only_round(outcome(script, game="lunar_poker"))
    settled = {row["wager"]: (row["result"], row["cite"]) for row in played["wagers"]}
    begun = MOMENTS.index(moment)
    gone = ("forfeited", "671a.7(b)")
    expected = {"ante": gone, "super": gone if begun <= MOMENTS.index("decision 1") else ("lose", "671a.11(c)(1)")}
    if begun > MOMENTS.index("decision 1"):
        expected["options_fee"] = ("lose", "671a.11(d)(1)")
    if begun > MOMENTS.index("decision 1.2"):
        expected["bet"] = gone
    assert settled == expected


@pytest.mark.parametrize("moment", MOMENTS)
def test_power_loss_undoes_nothing(moment: str) -> None:
    assert play(incidents=[{"at": moment, "kind": "power_loss"}]) == {**play(), "remedies": ["round_resumed"]}


@pytest.mark.parametrize("shuffler", ["counting", "identifying"])
def test_671a_11_h_a_counting_shuffler_spares_the_count(shuffler: str) -> None:
    assert "count deck" not in play(shuffler=shuffler)["order"]
    assert play()["order"][-1] == "count deck"
