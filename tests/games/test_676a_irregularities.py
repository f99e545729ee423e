"""676a.13 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

Seat 1 makes its Back 9 Wager, seat 2 folds with a live Gopher Wager; the stub count is due.
"""

from __future__ import annotations

import pytest

from tests.games.rounds import Incidents, dealt_singly, only_round, outcome
from tests.games.scenarios import Document

HANDS = ("Kh 5d 2c 3d", "Ah 9d 8c 7d", "Qs 8h 9c 4s")
PLACES = ("seat 1", "seat 2", "dealer")
DEAL = [f"card {number}" for number in range(1, 13)]
MOMENTS = ["shuffle", *DEAL, "count", "decision 1", "decision 2", "reveal", "settle 2", "settle 1"]
METHODS = ["manual_shoe", "from_hand", "automated_shoe"]
WAGERS = {"1": {"front_9": "10.00", "skins": "5.00"}, "2": {"front_9": "20.00", "gopher": "5.00"}}


def play(dealing: str = "manual_shoe", shuffler: str = "plain", incidents: Incidents = ()) -> Document:
    cards = " ".join(HANDS) if dealing == "automated_shoe" else dealt_singly(*HANDS)
    decisions = {"1": ["bet"], "2": ["fold"]}
    script = {"wagers": WAGERS, "cards": cards, "decisions": decisions, "incidents": incidents}
    table = {"dealing": dealing, "shuffler": shuffler, "rounds_since_count": 4}
    return only_round(outcome(script, table=table, game="go_fore_it"))


def place_of(number: int, dealing: str) -> str:
    return PLACES[(number - 1) // 4] if dealing == "automated_shoe" else PLACES[(number - 1) % 3]


def acts_before(moment: str, dealing: str) -> list[str]:
    """The acts of the round up to the moment in which something is noticed."""
    cards = [f"card {number} -> {place_of(number, dealing)}" for number in range(1, 13)]
    if moment in DEAL:
        return ["no_more_bets", *cards[: int(moment.removeprefix("card "))]]
    acts = ["no_more_bets", *cards, "count stub"]
    turned = {"count": 0, "decision 1": 1, "decision 2": 2, "reveal": 3, "settle 2": 4, "settle 1": 6}[moment]
    rest = ["ask 1", "ask 2", "settle 2 front_9", "expose dealer", "expose seat 2", "settle 2 gopher"]
    return acts[:-1] if moment == "count" else [*acts, *rest[:turned]]


def assert_void(moment: str, kind: str, clause: str, dealing: str, position: str | None = None) -> None:
    place = {} if position is None else {"position": position}
    played = play(dealing, incidents=[{"at": moment, "kind": kind, **place}])
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", kind, clause)
    assert played["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert played["deck"]["disposition"] == "reshuffle"
    bet = moment in ("decision 2", "reveal", "settle 2", "settle 1")
    first = ["front_9", "back_9", "skins"] if bet else ["front_9", "skins"]
    staked = [*((1, wager) for wager in first), (2, "front_9"), (2, "gopher")]
    assert [(row["seat"], row["wager"]) for row in played["wagers"]] == staked
    assert {(row["result"], row["cite"]) for row in played["wagers"]} == {("void", clause)}
    assert played["net"] == {"1": "0.00", "2": "0.00"}
    if dealing != "automated_shoe":  # a stack is out of the shoe before anybody can notice something about its cards
        returned = [f"settle {seat} {wager}" for seat, wager in (*staked[-2:], *staked[:-2])]
        assert played["order"] == [*acts_before(moment, dealing), *returned]


def assert_no_remedy(
    moment: str, kind: str, dealing: str = "manual_shoe", shuffler: str = "plain", **more: object
) -> None:
    played = play(dealing, shuffler, incidents=[{"at": moment, "kind": kind, **more}])
    assert played == play(dealing, shuffler), "an incident without a remedy changes nothing"
    assert (played["outcome"], played["remedies"]) == ("completed", [])


@pytest.mark.parametrize("moment", MOMENTS[1:])
@pytest.mark.parametrize("position", ["dealer", "seat 1", "seat 2"])
@pytest.mark.parametrize("dealing", METHODS)
def test_676a_13_c_wrong_number_of_cards_voids_until_the_round_is_over(
    moment: str, position: str, dealing: str
) -> None:
    assert_void(moment, "wrong_card_count", "676a.13(c)", dealing, position)


@pytest.mark.parametrize("moment", [*DEAL, "count", "decision 1", "decision 2"])
@pytest.mark.parametrize("position", ["dealer", "seat 1", "seat 2"])
@pytest.mark.parametrize("dealing", METHODS)
def test_676a_13_d_dealers_card_or_hole_card_exposed_before_all_have_decided(
    moment: str, position: str, dealing: str
) -> None:
    assert_void(moment, "card_exposed", "676a.13(d)", dealing, position)


@pytest.mark.parametrize("moment", ["shuffle", "reveal", "settle 2", "settle 1"])
@pytest.mark.parametrize("position", ["dealer", "seat 1", "seat 2"])
def test_676a_13_d_ends_with_the_last_decision(moment: str, position: str) -> None:
    assert_no_remedy(moment, "card_exposed", position=position)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("position", ["seat 3", "community", "burn"])
def test_676a_13_d_is_about_those_who_have_cards(moment: str, position: str) -> None:
    assert_no_remedy(moment, "card_exposed", position=position)


@pytest.mark.parametrize("moment", DEAL)
def test_676a_13_f_automated_shoe_that_stops_in_the_deal_voids(moment: str) -> None:
    played = play("automated_shoe", incidents=[{"at": moment, "kind": "shoe_jam"}])
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", "shoe_jam", "676a.13(f)")
    returned = ["settle 2 front_9", "settle 2 gopher", "settle 1 front_9", "settle 1 skins"]
    assert played["order"] == [*acts_before(moment, "automated_shoe"), *returned]


@pytest.mark.parametrize("moment", ["shuffle", "decision 1", "reveal", "settle 1"])
def test_676a_13_f_is_over_when_all_cards_are_dealt(moment: str) -> None:
    assert_no_remedy(moment, "shoe_jam", "automated_shoe")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("dealing", METHODS[:2])
def test_676a_13_f_g_are_about_automated_shoes(moment: str, dealing: str) -> None:
    assert_no_remedy(moment, "shoe_jam", dealing)
    assert_no_remedy(moment, "shoe_out_of_service", dealing)


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
def test_676a_13_e_shuffler_fault_is_mended_by_shuffling_again(kind: str) -> None:
    faulty = play(incidents=[{"at": "shuffle", "kind": kind}] * 2)
    assert faulty == {**play(), "remedies": ["cards_reshuffled"]}


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete", "shuffler_out_of_service"])
def test_676a_13_e_g_without_a_shuffler_there_is_none_to_jam_or_cover(kind: str) -> None:
    assert_no_remedy("shuffle", kind, shuffler="none")


@pytest.mark.parametrize("number", range(1, 13))
@pytest.mark.parametrize("dealing", METHODS)
def test_676a_13_a_face_up_card_is_replaced_by_the_next(number: int, dealing: str) -> None:
    """With two of clubs face up in its place, every later card moves on by one; all else stays as it was."""
    hands = [hand.replace("2c", "2s") for hand in HANDS]
    listed = (" ".join(hands) if dealing == "automated_shoe" else dealt_singly(*hands)).split()
    listed.insert(number - 1, "^2c")
    script = {"wagers": WAGERS, "cards": " ".join(listed), "decisions": {"1": ["bet"], "2": ["fold"]}}
    table = {"dealing": dealing, "shuffler": "plain", "rounds_since_count": 4}
    played = only_round(outcome(script, table=table, game="go_fore_it"))
    places = [place_of(place, dealing) for place in range(1, 13)]
    places.insert(number - 1, "rack")
    assert played["order"][1:14] == [f"card {place} -> {to}" for place, to in enumerate(places, 1)]
    smooth = play(dealing)
    assert played["remedies"] == ["card_discarded"]
    assert {**played, "remedies": [], "order": played["order"][14:]} == {**smooth, "order": smooth["order"][13:]}


@pytest.mark.parametrize("dealing", METHODS)
def test_676a_13_a_second_face_up_card_voids(dealing: str) -> None:
    incidents = [{"at": f"card {number}", "kind": "card_face_up"} for number in (2, 7)]
    played = play(dealing, incidents=incidents)
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", "card_face_up", "676a.13(a)")
    assert played["remedies"] == ["wagers_returned", "cards_reshuffled"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_676a_13_b_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    """While another one comes; of a card whose face was seen the clause says nothing."""
    drawn = {"at": moment, "kind": "drawn_in_error"}
    remedies = ["round_resumed"] if moment in (*DEAL, "count") else []
    assert play(incidents=[drawn]) == {**play(), "remedies": remedies}
    assert play(incidents=[{**drawn, "exposed": True}]) == play()


RECORDED = ["late_wager", "wager_changed", "wrong_stake", "identity_conflict", "deck_change_due", "device_lost"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", RECORDED)
def test_676a_7_c_what_is_only_recorded_moves_no_chip(moment: str, kind: str) -> None:
    assert_no_remedy(moment, kind, position="seat 1")


@pytest.mark.parametrize("moment", MOMENTS)
def test_power_loss_undoes_nothing(moment: str) -> None:
    assert play(incidents=[{"at": moment, "kind": "power_loss"}]) == {**play(), "remedies": ["round_resumed"]}


@pytest.mark.parametrize("moment", MOMENTS[1:])
@pytest.mark.parametrize("seat", [1, 2])
def test_676a_7_b_who_leaves_loses_what_is_open(moment: str, seat: int) -> None:
    """A seat that has not answered yet is not asked; nothing is taken twice, and nothing of what was settled before."""
    left = {"at": moment, "kind": "player_left", "position": f"seat {seat}"}
    asked = MOMENTS.index(moment) > MOMENTS.index(f"decision {seat}")
    decisions = {"1": ["bet"], "2": ["fold"]}
    if not asked:
        del decisions[str(seat)]
    cards = dealt_singly(*HANDS)
    script = {"wagers": WAGERS, "cards": cards, "decisions": decisions, "incidents": [left]}
    played = only_round(outcome(script, table={"shuffler": "plain", "rounds_since_count": 4}, game="go_fore_it"))
    rows = [row for row in played["wagers"] if row["seat"] == seat]
    settled = (seat, moment) == (2, "settle 1")
    open_then = [row for row in rows if not (settled or (row["result"], row["cite"]) == ("forfeited", "676a.11(c)"))]
    assert open_then or settled
    assert {(row["result"], row["cite"]) for row in open_then} <= {("forfeited", "676a.7(b)")}
    assert [row for row in played["wagers"] if row["seat"] != seat] == [
        row for row in play()["wagers"] if row["seat"] != seat
    ]
