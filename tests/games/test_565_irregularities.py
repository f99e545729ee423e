"""565.13 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

One seat with an Ante plays against a qualified dealer and wins; the stub count is due. What is worked out here is where
each window begins and ends, and that an incident outside of it changes nothing in the outcome.
"""

from __future__ import annotations

import pytest

from tests.games.rounds import Incidents, dealt_singly, only_round, outcome
from tests.games.scenarios import Document

DEAL = [f"card {number}" for number in range(1, 7)]
MOMENTS = ["shuffle", *DEAL, "count", "decision 1", "reveal", "settle 1"]
SINGLY = [f"card {number} -> {'seat 1' if number % 2 else 'dealer'}" for number in range(1, 7)]
STACKS = [f"card {number} -> {'seat 1' if number < 4 else 'dealer'}" for number in range(1, 7)]
RETURNED_AND_RESHUFFLED = ["wagers_returned", "cards_reshuffled"]


def play(dealing: str = "manual_shoe", shuffler: str = "plain", incidents: Incidents = ()) -> Document:
    cards = dealt_singly("Kh 9d 4c", "Qs 8h 3d") if dealing != "automated_shoe" else "Kh 9d 4c Qs 8h 3d"
    script = {"wagers": {"1": {"ante": "10.00"}}, "cards": cards, "decisions": {"1": ["bet"]}, "incidents": incidents}
    return only_round(outcome(script, table={"dealing": dealing, "shuffler": shuffler, "rounds_since_count": 4}))


def acts_before(moment: str, dealing: str) -> list[str]:
    """The acts of the round up to the moment in which something is noticed."""
    cards = STACKS if dealing == "automated_shoe" else SINGLY
    if moment in DEAL:
        return ["no_more_bets", *cards[: int(moment.removeprefix("card "))]]
    if moment == "count":
        return ["no_more_bets", *cards]
    asked = ["no_more_bets", *cards, "count stub", "ask 1"]
    return asked if moment != "settle 1" else [*asked, "expose dealer"]


def assert_void(moment: str, kind: str, clause: str, dealing: str = "manual_shoe", position: str | None = None) -> None:
    place = {} if position is None else {"position": position}
    played = play(dealing, incidents=[{"at": moment, "kind": kind, **place}])
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", kind, clause)
    assert played["remedies"] == RETURNED_AND_RESHUFFLED
    assert played["deck"]["disposition"] == "reshuffle"
    staked = ["ante"] if moment in (*DEAL, "count", "decision 1") else ["ante", "play"]
    assert [(row["wager"], row["result"], row["returned"], row["cite"]) for row in played["wagers"]] == [
        (wager, "void", "10.00", clause) for wager in staked
    ]
    assert played["net"] == {"1": "0.00"}
    if dealing != "automated_shoe":  # a stack is out of the shoe before anybody can notice something about its cards
        assert played["order"] == [*acts_before(moment, dealing), *(f"settle 1 {wager}" for wager in staked)]


def assert_no_remedy(
    moment: str, kind: str, dealing: str = "manual_shoe", shuffler: str = "plain", **more: object
) -> None:
    played = play(dealing, shuffler, incidents=[{"at": moment, "kind": kind, **more}])
    assert played == play(dealing, shuffler), "an incident without a remedy changes nothing"
    assert (played["outcome"], played["remedies"]) == ("completed", [])


@pytest.mark.parametrize("moment", MOMENTS[1:])
@pytest.mark.parametrize("position", ["dealer", "seat 1"])
@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand", "automated_shoe"])
def test_565_13_c_wrong_number_of_cards_voids_until_the_round_is_over(moment: str, position: str, dealing: str) -> None:
    assert_void(moment, "wrong_card_count", "565.13(c)", dealing, position)


def test_565_13_c_no_card_has_been_dealt_at_the_shuffle() -> None:
    assert_no_remedy("shuffle", "wrong_card_count", position="dealer")


@pytest.mark.parametrize("moment", MOMENTS)
def test_565_13_c_knows_players_and_the_dealer_only(moment: str) -> None:
    assert_no_remedy(moment, "wrong_card_count", position="community")


@pytest.mark.parametrize("moment", MOMENTS[1:-1])
@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand", "automated_shoe"])
def test_565_13_d_dealer_card_exposed_before_the_reveal_voids(moment: str, dealing: str) -> None:
    assert_void(moment, "card_exposed", "565.13(d)", dealing, "dealer")


@pytest.mark.parametrize("moment", ["shuffle", "settle 1"])
def test_565_13_d_ends_with_the_reveal(moment: str) -> None:
    assert_no_remedy(moment, "card_exposed", position="dealer")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("position", ["seat 1", "community", "burn"])
def test_565_13_d_is_about_the_dealers_cards(moment: str, position: str) -> None:
    assert_no_remedy(moment, "card_exposed", position=position)


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
@pytest.mark.parametrize("shuffler", ["plain", "counting", "identifying"])
def test_565_13_e_shuffler_fault_is_mended_by_shuffling_again(kind: str, shuffler: str) -> None:
    faulty, smooth = play(shuffler=shuffler, incidents=[{"at": "shuffle", "kind": kind}]), play(shuffler=shuffler)
    assert faulty == {**smooth, "remedies": ["cards_reshuffled"]}


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
def test_565_13_e_twice_in_a_row_is_one_remedy(kind: str) -> None:
    assert play(incidents=[{"at": "shuffle", "kind": kind}] * 2) == {**play(), "remedies": ["cards_reshuffled"]}


@pytest.mark.parametrize("moment", MOMENTS[1:])
def test_565_13_e_has_nothing_to_do_with_cards_in_play(moment: str) -> None:
    assert_no_remedy(moment, "shuffler_jam")


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete", "shuffler_out_of_service"])
def test_565_13_e_g_without_a_shuffler_there_is_none_to_jam_or_remove(kind: str) -> None:
    assert_no_remedy("shuffle", kind, shuffler="none")


@pytest.mark.parametrize("moment", DEAL)
def test_565_13_f_automated_shoe_that_jams_in_the_deal_voids(moment: str) -> None:
    played = play("automated_shoe", incidents=[{"at": moment, "kind": "shoe_jam"}])
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", "shoe_jam", "565.13(f)")
    assert (played["remedies"], played["deck"]["disposition"]) == (RETURNED_AND_RESHUFFLED, "reshuffle")
    assert played["order"] == [*acts_before(moment, "automated_shoe"), "settle 1 ante"]


@pytest.mark.parametrize("moment", ["shuffle", "decision 1", "reveal", "settle 1"])
def test_565_13_f_is_over_when_all_cards_are_dealt(moment: str) -> None:
    assert_no_remedy(moment, "shoe_jam", "automated_shoe")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand"])
def test_565_13_f_is_about_automated_shoes(moment: str, dealing: str) -> None:
    assert_no_remedy(moment, "shoe_jam", dealing)


@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand"])
def test_565_13_g_only_an_automated_shoe_must_be_removed(dealing: str) -> None:
    assert_no_remedy("shuffle", "shoe_out_of_service", dealing)


@pytest.mark.parametrize("moment", MOMENTS[1:])
@pytest.mark.parametrize("kind", ["shuffler_out_of_service", "shoe_out_of_service"])
def test_565_13_g_is_for_the_next_shuffle_when_a_round_is_under_way(moment: str, kind: str) -> None:
    assert_no_remedy(moment, kind, "automated_shoe")


@pytest.mark.parametrize("moment", MOMENTS)
def test_565_13_b_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    played = play(incidents=[{"at": moment, "kind": "drawn_in_error"}])
    inside = moment in (*DEAL, "count")
    assert played == {**play(), "remedies": ["round_resumed"] if inside else []}


@pytest.mark.parametrize("moment", MOMENTS)
def test_565_13_b_says_nothing_of_a_card_that_was_seen(moment: str) -> None:
    assert_no_remedy(moment, "drawn_in_error", exposed=True)


@pytest.mark.parametrize("moment", ["shuffle", "decision 1", "reveal", "settle 1"])
def test_565_13_a_is_about_cards_found_during_the_deal(moment: str) -> None:
    assert_no_remedy(moment, "card_face_up")


@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand", "automated_shoe"])
def test_565_13_a_face_up_card_is_replaced_by_the_next(number: int, dealing: str) -> None:
    """With two of clubs face up in its place, every later card moves on by one; all else stays as it was."""
    cards = "Kh 9d 4c Qs 8h 3d" if dealing == "automated_shoe" else dealt_singly("Kh 9d 4c", "Qs 8h 3d")
    listed = cards.split()
    listed.insert(number - 1, "^2c")
    script = {"wagers": {"1": {"ante": "10.00"}}, "cards": " ".join(listed), "decisions": {"1": ["bet"]}}
    played = only_round(outcome(script, table={"dealing": dealing, "shuffler": "plain", "rounds_since_count": 4}))
    places = [act.partition(" -> ")[2] for act in (STACKS if dealing == "automated_shoe" else SINGLY)]
    places.insert(number - 1, "rack")
    assert played["order"][1:8] == [f"card {place} -> {to}" for place, to in enumerate(places, 1)]
    smooth = play(dealing)
    assert played["remedies"] == ["card_discarded"]
    assert {**played, "remedies": [], "order": played["order"][8:]} == {**smooth, "order": smooth["order"][7:]}


@pytest.mark.parametrize("marked", ["^", "incident"])
def test_565_13_a_mark_and_incident_say_the_same(marked: str) -> None:
    hands = dealt_singly("Kh 9d 4c", "Qs 8h 3d").split()
    hands.insert(2, "^2c" if marked == "^" else "2c")
    incidents = [] if marked == "^" else [{"at": "card 3", "kind": "card_face_up"}]
    script = {"wagers": {"1": {"ante": "10.00"}}, "cards": " ".join(hands), "decisions": {"1": ["bet"]}}
    played = only_round(outcome({**script, "incidents": incidents}))
    assert played["remedies"] == ["card_discarded"]
    assert played["order"][3] == "card 3 -> rack"


RECORDED = ["late_wager", "wager_changed", "wrong_stake", "identity_conflict", "deck_change_due", "device_lost"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", RECORDED)
def test_565_7_d_what_is_only_recorded_moves_no_chip(moment: str, kind: str) -> None:
    """Named with a seat, too: it costs that seat nothing."""
    assert_no_remedy(moment, kind, position="seat 1")


@pytest.mark.parametrize("moment", MOMENTS)
def test_power_loss_undoes_nothing(moment: str) -> None:
    assert play(incidents=[{"at": moment, "kind": "power_loss"}]) == {**play(), "remedies": ["round_resumed"]}


@pytest.mark.parametrize("moment", [*DEAL, "count", "decision 1"])
def test_565_7_c_a_seat_that_has_left_is_not_asked(moment: str) -> None:
    script = {
        "wagers": {"1": {"ante": "10.00"}, "2": {"ante": "10.00"}},
        "cards": dealt_singly("Kh 9d 4c", "7c 5d 2h", "Qs 8h 3d"),
        "decisions": {"2": ["fold"]},
        "incidents": [{"at": moment, "kind": "player_left", "position": "seat 1"}],
    }
    played = only_round(outcome(script, table={"rounds_since_count": 4}))
    assert [(row["result"], row["cite"]) for row in played["wagers"]] == [
        ("forfeited", "565.7(c)"),
        ("forfeited", "565.11(c)"),
    ]
    asked = [act for act in played["order"] if act.startswith("ask")]
    assert asked == (["ask 1", "ask 2"] if moment == "decision 1" else ["ask 2"])
    assert played["order"][-3:] == ["settle 1 ante", "settle 2 ante", "expose dealer"]


@pytest.mark.parametrize("moment", ["reveal", "settle 2", "settle 1"])
def test_565_7_c_a_seat_that_leaves_before_it_is_settled_loses(moment: str) -> None:
    script = {
        "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "2": {"ante": "10.00"}},
        "cards": dealt_singly("Kh Kd 4c", "Ac 5d 2h", "Qs 8h 3d"),
        "decisions": {"1": ["bet"], "2": ["bet"]},
        "incidents": [{"at": moment, "kind": "player_left", "position": "seat 1"}],
    }
    played = only_round(outcome(script))
    assert played["net"] == {"1": "-25.00", "2": "20.00"}
    assert [row["cite"] for row in played["wagers"] if row["seat"] == 1] == ["565.7(c)"] * 3


def test_565_13_d_two_incidents_at_one_moment_come_in_their_order() -> None:
    noticed = [
        {"at": "decision 1", "kind": "late_wager", "position": "seat 1"},
        {"at": "decision 1", "kind": "power_loss"},
        {"at": "decision 1", "kind": "card_exposed", "position": "dealer"},
    ]
    played = play(incidents=noticed)
    assert played["remedies"] == ["round_resumed", *RETURNED_AND_RESHUFFLED]
    assert played["order"].count("ask 1") == 1, "an irregularity in between asks nobody again"


@pytest.mark.parametrize(
    ("first", "then", "remedy"),
    [
        ({"at": "card 2", "kind": "drawn_in_error"}, {"at": "card 4", "exposed": True}, "round_resumed"),
        ({"at": "card 2", "kind": "drawn_in_error"}, {"at": "decision 1"}, "round_resumed"),
        ({"at": "shuffle", "kind": "shuffler_jam"}, {"at": "card 3"}, "cards_reshuffled"),
        ({"at": "shuffle", "kind": "shuffler_out_of_service"}, {"at": "reveal"}, "device_removed"),
    ],
)
def test_565_13_what_was_done_is_told_although_the_same_kind_is_noticed_again_without_a_remedy(
    first: dict[str, object], then: dict[str, object], remedy: str
) -> None:
    assert play(incidents=[first, {"kind": first["kind"], **then}])["remedies"] == [remedy]


def test_565_13_a_discarded_card_is_told_although_another_is_reported_after_the_deal() -> None:
    script = {
        "wagers": {"1": {"ante": "10.00"}},
        "cards": "^2c Kh Qs 9d 8h 4c 3d",
        "decisions": {"1": ["bet"]},
        "incidents": [{"at": "decision 1", "kind": "card_face_up"}],
    }
    assert only_round(outcome(script))["remedies"] == ["card_discarded"]


def test_565_13_a_the_void_for_a_second_card_leaves_other_remedies() -> None:
    """The first card's discard is part of the void; a power loss in between is not."""
    script = {
        "wagers": {"1": {"ante": "10.00"}},
        "cards": "^2c Kh ^2d",
        "incidents": [{"at": "card 2", "kind": "power_loss"}],
    }
    assert only_round(outcome(script))["remedies"] == ["round_resumed", *RETURNED_AND_RESHUFFLED]


COUNTED_52 = {"at": "count", "kind": "deck_count", "count": 52}
COUNTED_51 = {"at": "count", "kind": "deck_count", "count": 51}


@pytest.mark.parametrize("since", [0, 4])
@pytest.mark.parametrize("turned", [False, True])
def test_565_8_f_something_else_is_noticed_while_the_stub_is_counted(since: int, turned: bool) -> None:
    """It comes before what the count shows, in whichever order the two are written, and whether a count was due."""

    def count(*incidents: dict[str, object]) -> Document:
        script = {"wagers": {"1": {"ante": "10.00"}}, "cards": dealt_singly("Kh 9d 4c", "Qs 8h 3d")}
        noticed = incidents[::-1] if turned else incidents
        table = {"shuffler": "plain", "rounds_since_count": since}
        return only_round(outcome({**script, "decisions": {"1": ["bet"]}, "incidents": noticed}, table=table))

    resumed = count(COUNTED_52, {"at": "count", "kind": "power_loss"})
    assert (resumed["outcome"], resumed["remedies"]) == ("completed", ["round_resumed"])
    assert resumed["order"].count("count stub") == 1
    for counted in (COUNTED_51, COUNTED_52):
        void = count(counted, {"at": "count", "kind": "card_exposed", "position": "dealer"})
        assert (void["outcome"], void["cause"], void["cite"]) == ("void", "card_exposed", "565.13(d)")
        assert void["deck"]["disposition"] == "reshuffle"
    removed = count(COUNTED_51, {"at": "count", "kind": "power_loss"})
    assert (removed["cite"], removed["remedies"]) == ("565.8(h)", ["round_resumed", "wagers_returned", "deck_removed"])


@pytest.mark.parametrize("turned", [False, True])
def test_565_5_b_something_else_is_noticed_before_the_shuffler_counts_right(turned: bool) -> None:
    noticed: list[dict[str, object]] = [
        {"at": "shuffle", "kind": "deck_count", "count": 52},
        {"at": "shuffle", "kind": "shuffler_jam"},
    ]
    played = play(shuffler="counting", incidents=noticed[::-1] if turned else noticed)
    assert (played["outcome"], played["remedies"]) == ("completed", ["cards_reshuffled"])
