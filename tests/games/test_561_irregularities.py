"""561.14 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

Seats 2 and 4 leave their hands to the house way; the deal begins at the dealer.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.games.by_hand_561 import Round, Seat, acts_of_the_deal, document, script, voided
from tests.games.rounds import Incidents, only_round, outcome
from tests.games.scenarios import Document

SEATS = [Seat(2, "Qc Qd Jh 8s 6h 4c 2c", "Jh 8s", "lose", 25_00), Seat(4, "As Ad Kh Jc 8d 6c 3s", "Kh Jc", "win")]
METHODS = ["manual_shoe", "from_hand", "automated_shoe"]
PLAYED = {name: Round(SEATS, "Kc Kd Qh 9s 7c 4d 2h", "Qh 9s", dealing=name) for name in METHODS}
DEAL = [f"card {number}" for number in range(1, 50)]
F_CLAUSES = {"manual_shoe": "561.9(f)", "from_hand": "561.10(f)", "automated_shoe": "561.11(f)"}
SOME = ["card 1", "card 7", "card 8", "card 30", "card 49"]
ASKED = ["decision 2", "decision 4"]
END = ["reveal", "settle 4", "settle 2"]
VOID = ["wagers_returned", "cards_reshuffled"]
DICE = ["1 1 6"]


def play(incidents: Incidents = (), dealing: str = "manual_shoe", **more: object) -> Document:
    told = script(PLAYED[dealing], **{"dice": DICE, **more}, incidents=incidents)
    found = only_round(outcome(told, table={"dealing": dealing, "shuffler": "plain"}, game="pai_gow_poker"))
    del found["deck"]["id"]
    return found


def unsaid(moment: str) -> dict[str, list[str]]:
    """What the seats come to say before the round is void at that moment."""
    asked = {"decision 2": [], "decision 4": [2]}.get(moment, [2, 4] if moment in END else [])
    return {str(number): ["house_way"] for number in asked}


def assert_void(incident: Mapping[str, object], clause: str, dealing: str = "manual_shoe") -> None:
    moment = str(incident["at"])
    found = play([incident], dealing, decisions=unsaid(moment))
    smooth = document(PLAYED[dealing])["order"]
    done = found["order"][: found["order"].index("settle 4 pai_gow")]
    if moment != "settle 2":
        assert done == smooth[: len(done)], "all went on in order before"
    expected = voided(PLAYED[dealing], str(incident["kind"]), clause, VOID, done)
    assert found == expected


def assert_no_remedy(incident: Mapping[str, object], dealing: str = "manual_shoe") -> None:
    assert play([incident], dealing) == document(PLAYED[dealing])


@pytest.mark.parametrize("dealing", METHODS)
def test_561_round_without_an_incident_is_what_it_is_worked_out_to_be(dealing: str) -> None:
    assert play(dealing=dealing) == document(PLAYED[dealing])


@pytest.mark.parametrize("dealing", METHODS)
def test_561_14_a_b_no_roll_is_shaken_again_as_often_as_need_be(dealing: str) -> None:
    wrong = [{"at": f"throw {number}", "kind": "no_roll"} for number in (1, 2, 3)]
    found = play(wrong, dealing, dice=["6 6 6", "5 5 5", "1 1 1", *DICE])
    assert found["remedies"] == ["rethrown"]
    assert found["order"][:6] == ["no_more_bets", "throw 1", "throw 2", "throw 3", "throw 4", "start dealer"]
    assert found["wagers"] == document(PLAYED[dealing])["wagers"]


@pytest.mark.parametrize("moment", ["card 1", "card 3", "card 49", "count"])
@pytest.mark.parametrize("dealing", METHODS)
def test_561_14_c_wrong_total_and_a_first_card_at_the_wrong_place_void(moment: str, dealing: str) -> None:
    total = {"at": "throw 1", "kind": "dice_total_wrong", "total": 9}
    astray = {"at": moment, "kind": "first_card_wrong_position", "position": "seat 6"}
    found = play([total, astray], dealing, decisions={})
    assert (found["outcome"], found["cause"], found["cite"]) == ("void", "first_card_wrong_position", "561.14(c)")
    assert found["remedies"] == VOID


@pytest.mark.parametrize("dealing", METHODS)
def test_561_14_c_needs_both(dealing: str) -> None:
    assert_no_remedy({"at": "throw 1", "kind": "dice_total_wrong", "total": 9}, dealing)
    assert_no_remedy({"at": "card 1", "kind": "first_card_wrong_position", "position": "seat 6"}, dealing)


@pytest.mark.parametrize("moment", ["card 1", "card 49", "count"])
def test_561_14_c_voids_whichever_is_noticed_first(moment: str) -> None:
    astray = {"at": "card 1", "kind": "first_card_wrong_position", "position": "seat 6"}
    found = play([astray, {"at": moment, "kind": "dice_total_wrong", "total": 9}], decisions={})
    assert (found["outcome"], found["cause"], found["cite"]) == ("void", "dice_total_wrong", "561.14(c)")
    assert found["remedies"] == VOID


@pytest.mark.parametrize("moment", [*DEAL, "count", *ASKED])
@pytest.mark.parametrize("says", ["void_hand", "play_on"])
def test_561_14_d_player_may_void_a_hand_of_which_a_card_was_exposed(moment: str, says: str) -> None:
    later = moment == "decision 4"  # seat 2 has set its hands by then
    decisions = {"2": ["house_way", says] if later else [says, "house_way"], "4": ["house_way"]}
    if says == "void_hand" and not later:
        decisions["2"].pop()
    found = play([{"at": moment, "kind": "card_exposed", "position": "seat 2"}], decisions=decisions)
    rows = {row["seat"]: (row["result"], row["returned"], row["cite"]) for row in found["wagers"]}
    smooth = {
        row["seat"]: (row["result"], row["returned"], row["cite"]) for row in document(PLAYED["manual_shoe"])["wagers"]
    }
    assert found["outcome"] == "completed"
    assert rows == {**smooth, **({2: ("void", "25.00", "561.14(d)")} if says == "void_hand" else {})}
    assert found["remedies"] == (["hand_void"] if says == "void_hand" else [])
    assert ("expose seat 2" in found["order"]) == (says == "play_on")
    only_option = says == "void_hand" and not later and moment != "decision 2"
    assert found["order"].count("ask 2") == (1 if only_option else 2)


@pytest.mark.parametrize("moment", END)
def test_561_14_d_ends_when_the_dealer_turns_his_hand_up(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "card_exposed", "position": "seat 2"})


def test_561_14_d_does_not_ask_where_nobody_plays() -> None:
    assert_no_remedy({"at": "card 5", "kind": "card_exposed", "position": "seat 3"})


@pytest.mark.parametrize("moment", [*DEAL, "count", *ASKED, "reveal"])
def test_561_14_e_dealers_card_exposed_before_he_turns_his_hand_up_voids(moment: str) -> None:
    assert_void({"at": moment, "kind": "card_exposed", "position": "dealer"}, "561.14(e)")


@pytest.mark.parametrize("moment", [*SOME, "count", *ASKED, "reveal"])
def test_561_14_e_is_the_same_with_a_shoes_stacks(moment: str) -> None:
    assert_void({"at": moment, "kind": "card_exposed", "position": "dealer"}, "561.14(e)", "automated_shoe")


@pytest.mark.parametrize("moment", ["settle 4", "settle 2"])
def test_561_14_e_ends_with_the_dealers_own_hand(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "card_exposed", "position": "dealer"})


@pytest.mark.parametrize("moment", DEAL)
def test_561_14_g_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    incident = {"at": moment, "kind": "drawn_in_error"}
    assert play([incident]) == {**document(PLAYED["manual_shoe"]), "remedies": ["round_resumed"]}
    assert_no_remedy({**incident, "exposed": True})


@pytest.mark.parametrize("moment", [*SOME, "count", *ASKED, *END])
@pytest.mark.parametrize("position", ["dealer", "seat 2", "seat 5"])
@pytest.mark.parametrize("dealing", METHODS)
def test_561_14_h_wrong_number_of_cards_voids_until_the_round_is_over(moment: str, position: str, dealing: str) -> None:
    assert_void({"at": moment, "kind": "wrong_card_count", "position": position}, "561.14(h)", dealing)


@pytest.mark.parametrize("moment", SOME)
def test_561_14_h_speaks_of_stacks_only_where_they_are_made_by_hand(moment: str) -> None:
    incident = {"at": moment, "kind": "wrong_card_count", "position": "stack 3"}
    assert_void(incident, "561.14(h)", "from_hand")
    assert_no_remedy(incident, "manual_shoe")
    assert_no_remedy(incident, "automated_shoe")


@pytest.mark.parametrize("moment", END)
def test_561_14_i_dealers_hands_are_set_again(moment: str) -> None:
    found = play([{"at": moment, "kind": "house_way_wrong"}])
    assert found == {**document(PLAYED["manual_shoe"]), "remedies": ["hand_reset"]}


@pytest.mark.parametrize("moment", [*SOME, *ASKED])
def test_561_14_i_needs_a_hand_that_is_set(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "house_way_wrong"})


@pytest.mark.parametrize("moment", DEAL)
@pytest.mark.parametrize("position", ["stack 1", "stack 7"])
def test_561_14_j_card_exposed_while_stacks_are_made_voids(moment: str, position: str) -> None:
    assert_void({"at": moment, "kind": "card_exposed", "position": position}, "561.14(j)", "from_hand")


@pytest.mark.parametrize("moment", DEAL)
@pytest.mark.parametrize("position", ["dealer", "seat 2"])
def test_561_14_j_is_before_d_and_e_while_stacks_are_made(moment: str, position: str) -> None:
    assert_void({"at": moment, "kind": "card_exposed", "position": position}, "561.14(j)", "from_hand")


def test_561_14_j_at_the_last_card_comes_before_any_stack_is_delivered() -> None:
    incident = {"at": "card 49", "kind": "card_exposed", "position": "seat 2"}
    order = play([incident], "from_hand", decisions={})["order"]
    assert "card 49 -> stack 7" in order
    assert not [act for act in order if act.startswith("stack ")]


def test_561_14_j_ends_with_the_last_stack() -> None:
    assert_void({"at": "count", "kind": "card_exposed", "position": "dealer"}, "561.14(e)", "from_hand")


@pytest.mark.parametrize("moment", SOME)
@pytest.mark.parametrize("dealing", ["manual_shoe", "automated_shoe"])
def test_561_14_j_speaks_of_stacks_made_by_hand_alone(moment: str, dealing: str) -> None:
    assert_no_remedy({"at": moment, "kind": "card_exposed", "position": "stack 3"}, dealing)


@pytest.mark.parametrize("moment", DEAL)
def test_561_14_k_stacks_that_are_not_dealt_to_and_fro_void(moment: str) -> None:
    assert_void({"at": moment, "kind": "stacks_not_alternated"}, "561.14(k)", "from_hand")


@pytest.mark.parametrize("moment", [*ASKED, *END])
def test_561_14_k_ends_with_the_deal(moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": "stacks_not_alternated"}, "from_hand")


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
@pytest.mark.parametrize("dealing", METHODS)
def test_561_14_l_cards_are_shuffled_again(kind: str, dealing: str) -> None:
    found = play([{"at": "shuffle", "kind": kind}], dealing)
    assert found == {**document(PLAYED[dealing]), "remedies": ["cards_reshuffled"]}


@pytest.mark.parametrize("moment", DEAL)
def test_561_14_m_automated_shoe_that_stops_voids(moment: str) -> None:
    assert_void({"at": moment, "kind": "shoe_jam"}, "561.14(m)", "automated_shoe")


@pytest.mark.parametrize("moment", SOME)
@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand"])
def test_561_14_m_speaks_of_automated_shoes_alone(moment: str, dealing: str) -> None:
    assert_no_remedy({"at": moment, "kind": "shoe_jam"}, dealing)


def test_561_14_n_devices_leave_the_table_before_another_method_is_used() -> None:
    found = play([{"at": "shuffle", "kind": "shuffler_out_of_service"}])
    assert found == {**document(PLAYED["manual_shoe"]), "remedies": ["device_removed"]}
    gone = {"at": "shuffle", "kind": "shoe_out_of_service", "then": "from_hand"}
    told = script(PLAYED["from_hand"], dice=DICE, incidents=[gone])
    table = {"dealing": "automated_shoe", "shuffler": "plain"}
    found = only_round(outcome(told, table=table, game="pai_gow_poker"))
    assert (found["remedies"], found["order"]) == (["device_removed"], document(PLAYED["from_hand"])["order"])


@pytest.mark.parametrize(("dealing", "clause"), list(F_CLAUSES.items()))
@pytest.mark.parametrize(("count", "misdealt"), [(50, False), (54, False), (52, True), (54, True)])
def test_561_9_10_11_f_remainder_of_another_number_voids(
    dealing: str, clause: str, count: int, *, misdealt: bool
) -> None:
    told = {"at": "count", "kind": "deck_count", "count": count, "misdealt": misdealt}
    found = play([{**told, **({"position": "seat 4"} if misdealt else {})}], dealing, decisions={})
    remedies = VOID if misdealt else ["wagers_returned", "deck_removed"]
    assert found == voided(PLAYED[dealing], "deck_count", clause, remedies, acts_of_the_deal(PLAYED[dealing]))


@pytest.mark.parametrize("dealing", METHODS)
def test_561_9_10_11_d_remainder_is_counted_in_every_round(dealing: str) -> None:
    told = script(PLAYED[dealing], dice=DICE)
    table = {"dealing": dealing, "shuffler": "counting"}
    rounds = outcome(*[told] * 3, table=table, game="pai_gow_poker")["rounds"]
    assert [played["order"].count("count remainder") for played in rounds] == [1, 1, 1]


@pytest.mark.parametrize("moment", ["card 9", "decision 4", "reveal", "settle 2"])
def test_561_7_b_a_player_who_leaves_loses_the_wager(moment: str) -> None:
    said = {"2": [] if moment == "card 9" else ["house_way"], "4": ["house_way"]}
    found = play([{"at": moment, "kind": "player_left", "position": "seat 2"}], decisions=said)
    rows = {row["seat"]: (row["result"], row["cite"]) for row in found["wagers"]}
    assert rows == {2: ("forfeited", "561.7(b)"), 4: ("win", "561.13(m)")}
    assert ("expose seat 2" in found["order"]) == (moment == "settle 2")


@pytest.mark.parametrize("kind", ["late_wager", "wager_changed"])
@pytest.mark.parametrize("moment", [*SOME, *ASKED, *END])
def test_561_7_c_wagers_after_no_more_bets_are_on_record(kind: str, moment: str) -> None:
    assert_no_remedy({"at": moment, "kind": kind, "position": "seat 2"})
