"""What is done about irregularities, each remedy that a chapter knows: local, round-ending and standing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.script import play, play_one
from tablectl.procedure.game import Game, Remedy
from tablectl.procedure.table import Table
from tests.procedure.irregular_games import HOLD_EM, OMAHA, PAI_GOW_GAME, STUD, TWENTY_ONE, scenario

ANTES = {"1": {"ante": "5.00"}, "4": {"ante": "10.00"}}
BY_HAND = {"dealing": "from_hand", "shuffler": "plain"}
RESHUFFLED = ["wagers_returned", "cards_reshuffled"]


def round_of(game: Game, script: dict[str, Any], **document: Any) -> dict[str, Any]:
    played = play(scenario(game, {"round": [script], **document}))
    assert "error" not in played, played["error"]
    (only,) = played["rounds"]
    assert isinstance(only, dict)
    return only


def at(moment: str, kind: str, **said: Any) -> dict[str, Any]:
    return {"at": moment, "kind": kind, **said}


def void(document: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(document[key] for key in ("outcome", "cause", "cite"))


def rows(document: dict[str, Any]) -> list[tuple[int, str, str, str]]:
    return [(row["seat"], row["wager"], row["result"], row["cite"]) for row in document["wagers"]]


def pai_gow(*incidents: dict[str, Any], **script: Any) -> dict[str, Any]:
    wagers = {"2": {"pai_gow": "10.00"}, "5": {"pai_gow": "5.00"}}
    decisions = {"2": ["house_way"], "5": ["house_way"]}
    return {"wagers": wagers, "decisions": decisions, "dice": ["1 3 6"], "incidents": list(incidents), **script}


# One hand, by the player's choice -------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["card 9", "card 49", "count"])
def test_561_14_d_player_is_asked_before_anybody_looks(moment: str) -> None:
    exposed = at(moment, "card_exposed", position="seat 5")
    document = round_of(PAI_GOW_GAME, pai_gow(exposed, decisions={"2": ["house_way"], "5": ["void_hand"]}))
    asked = [act for act in document["order"] if act.startswith("ask")]
    assert asked == ["ask 5", "ask 2"], "first of all, and not again"
    assert ("outcome", document["outcome"], document["remedies"]) == ("outcome", "completed", ["hand_void"])
    assert rows(document)[1] == (5, "pai_gow", "void", "561.14(d)")
    assert document["wagers"][1]["returned"] == "5.00"
    assert document["net"]["5"] == "0.00"
    assert "expose seat 5" not in document["order"], "the cards of a void hand are not looked at"


def test_561_14_d_player_may_play_on() -> None:
    exposed = at("card 9", "card_exposed", position="seat 5")
    decisions = {"2": ["house_way"], "5": ["play_on", "house_way"]}
    document = round_of(PAI_GOW_GAME, pai_gow(exposed, decisions=decisions))
    smooth = round_of(PAI_GOW_GAME, pai_gow())
    assert {**document, "order": []} == {**smooth, "order": []}, "nothing else comes of it"
    assert [act for act in document["order"] if act.startswith("ask")] == ["ask 5", "ask 2", "ask 5"]


def test_561_14_d_two_hands_are_asked_clockwise() -> None:
    exposed = [at(f"card {number}", "card_exposed", position=f"seat {seat}") for number, seat in ((9, 5), (12, 2))]
    decisions = {"2": ["void_hand"], "5": ["play_on", "house_way"]}
    document = round_of(PAI_GOW_GAME, pai_gow(*exposed, decisions=decisions))
    assert [act for act in document["order"] if act.startswith("ask")] == ["ask 2", "ask 5", "ask 5"]


@pytest.mark.parametrize("moment", ["decision 2", "decision 5"])
def test_561_14_d_at_a_decision_the_player_is_asked_at_once(moment: str) -> None:
    exposed = at(moment, "card_exposed", position="seat 5")
    document = round_of(PAI_GOW_GAME, pai_gow(exposed, decisions={"2": ["house_way"], "5": ["void_hand"]}))
    assert rows(document)[1] == (5, "pai_gow", "void", "561.14(d)")
    assert document["remedies"] == ["hand_void"]


def test_561_14_d_player_leaves_instead() -> None:
    exposed = at("card 9", "card_exposed", position="seat 5")
    document = round_of(PAI_GOW_GAME, pai_gow(exposed, decisions={"2": ["house_way"], "5": ["leave"]}))
    assert rows(document)[1] == (5, "pai_gow", "forfeited", "561.7(c)")


def test_561_14_d_is_not_about_places_where_nobody_plays() -> None:
    exposed = at("card 9", "card_exposed", position="seat 1")
    assert round_of(PAI_GOW_GAME, pai_gow(exposed)) == round_of(PAI_GOW_GAME, pai_gow())


def test_561_14_d_has_no_choice_in_a_round_that_is_void() -> None:
    first = at("card 9", "card_exposed", position="seat 5")
    second = at("card 20", "card_exposed", position="dealer")
    document = round_of(PAI_GOW_GAME, pai_gow(first, second, decisions={}))
    assert void(document) == ("void", "card_exposed", "561.14(e)")
    assert document["remedies"] == RESHUFFLED


# The round is over ----------------------------------------------------------------------------------------------------


def test_561_14_c_wrong_total_and_first_card_in_the_wrong_place() -> None:
    wrong = at("throw 1", "dice_total_wrong", total=11), at("card 1", "first_card_wrong_position", position="seat 4")
    document = round_of(PAI_GOW_GAME, pai_gow(*wrong, decisions={}))
    assert void(document) == ("void", "first_card_wrong_position", "561.14(c)")
    assert document["remedies"] == RESHUFFLED


@pytest.mark.parametrize(
    "alone",
    [at("throw 1", "dice_total_wrong", total=11), at("card 1", "first_card_wrong_position", position="seat 4")],
    ids=["total", "card"],
)
def test_561_14_c_takes_both(alone: dict[str, Any]) -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(alone))
    assert (document["outcome"], document["remedies"]) == ("completed", [])


@pytest.mark.parametrize(
    ("incident", "clause"),
    [
        (at("card 9", "card_exposed", position="stack 6"), "561.14(j)"),
        (at("card 9", "stacks_not_alternated"), "561.14(k)"),
        (at("card 9", "wrong_card_count", position="stack 6"), "561.14(h)"),
    ],
    ids=["exposed", "not_alternated", "wrong_count"],
)
def test_561_14_j_k_while_stacks_are_made_by_hand(incident: dict[str, Any], clause: str) -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(incident, decisions={}), table=BY_HAND)
    assert void(document) == ("void", incident["kind"], clause)
    assert document["remedies"] == RESHUFFLED


def test_561_14_k_is_about_dealing_by_hand() -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(at("card 9", "stacks_not_alternated")))
    assert document == round_of(PAI_GOW_GAME, pai_gow())


BONUS = {"1": {"ante": "5.00", "bonus": "1.00"}, "4": {"ante": "10.00"}}


@pytest.mark.parametrize("moment", ["card 6", "decision 1", "decision 4"])
def test_563_13_a_hands_are_void_and_the_bonus_is_settled(moment: str) -> None:
    exposed = at(moment, "card_exposed", position="dealer")
    decisions = {"1": ["fold"]} if moment == "decision 4" else {}
    script = {"wagers": BONUS, "cards": "As Kd 2c Ad 4h 7s", "decisions": decisions, "incidents": [exposed]}
    document = round_of(HOLD_EM, script)
    assert void(document) == ("void", "card_exposed", "563.13(a)")
    assert document["remedies"] == ["wagers_returned", "bonus_settled"], "no order to reshuffle"
    assert rows(document) == [
        (1, "ante", "void", "563.13(a)"),  # forfeited ones come back, too
        (1, "bonus", "win", "563.12(c)"),
        (4, "ante", "void", "563.13(a)"),
    ]
    assert document["net"] == {"1": "3.00", "4": "0.00"}
    assert document["order"][-3:] == ["settle 1 ante", "expose seat 1", "settle 1 bonus"]


def test_563_13_a_without_a_bonus_none_is_settled() -> None:
    script = {"wagers": ANTES, "incidents": [at("decision 1", "card_exposed", position="dealer")]}
    assert round_of(HOLD_EM, script)["remedies"] == ["wagers_returned"]


def test_563_13_a_bonus_may_lose() -> None:
    script = {
        "wagers": BONUS,
        "cards": "As Kd 2c 9d",
        "incidents": [at("decision 1", "card_exposed", position="dealer")],
    }
    document = round_of(HOLD_EM, script)
    assert rows(document)[1] == (1, "bonus", "lose", "563.11(h)(4)")
    assert document["net"] == {"1": "-1.00", "4": "0.00"}


def test_563_13_b_two_face_up_cards_before_all_have_two() -> None:
    document = round_of(HOLD_EM, {"wagers": BONUS, "cards": "^3c ^4c"})
    assert void(document) == ("void", "card_face_up", "563.13(b)")
    assert document["remedies"] == RESHUFFLED
    assert [row["result"] for row in document["wagers"]] == ["void"] * 3


def test_563_13_b_second_face_up_card_on_the_board() -> None:
    cards = "As ^3c Kd 2c Ad 4h 7s 9h ^5c"  # the first in the deal, the second after each has two
    document = round_of(HOLD_EM, {"wagers": BONUS, "cards": cards, "decisions": {"1": ["bet"], "4": ["fold"]}})
    assert void(document) == ("void", "card_face_up", "563.13(b)")
    assert document["remedies"] == [*RESHUFFLED, "bonus_settled"]
    assert rows(document)[2] == (1, "bonus", "win", "563.12(c)")


def test_563_13_d_wrong_count_returns_the_bonus_too() -> None:
    script = {"wagers": BONUS, "incidents": [at("decision 1", "wrong_card_count", position="dealer")]}
    document = round_of(HOLD_EM, script)
    assert (document["remedies"], [row["result"] for row in document["wagers"]]) == (RESHUFFLED, ["void"] * 3)


def test_voids_refund_what_is_in_the_tray() -> None:
    """Seat 4 has lost and seat 1 has folded when a wrong number of cards is found: everything comes back."""
    script = {
        "wagers": ANTES,
        "decisions": {"1": ["bet"], "4": ["bet"]},
        "cards": "2c As 3c Ad 4c Ac 5c 6c 7c 8c",
        "incidents": [at("settle 1", "wrong_card_count", position="seat 1")],
    }
    document = round_of(HOLD_EM, script)
    assert void(document) == ("void", "wrong_card_count", "563.13(d)")
    settled = [act for act in document["order"] if act.startswith("settle")]
    assert settled[:2] == ["settle 4 ante", "settle 4 flop"], "they were settled before"
    assert settled[2:] == ["settle 4 ante", "settle 4 flop", "settle 1 ante", "settle 1 flop"]
    assert [(row["seat"], row["result"], row["collected"]) for row in document["wagers"]] == [
        (1, "void", "0.00"),
        (1, "void", "0.00"),
        (4, "void", "0.00"),
        (4, "void", "0.00"),
    ]
    assert document["net"] == {"1": "0.00", "4": "0.00"}


@pytest.mark.parametrize("kind", ["missing_cards", "extra_cards"])
@pytest.mark.parametrize("moment", ["card 3", "settle 4", "settle 1"])
def test_637a_18_i_round_is_void_and_the_deck_is_replaced(kind: str, moment: str) -> None:
    document = play(scenario(OMAHA, {"round": [{"wagers": ANTES, "incidents": [at(moment, kind)]}, {"wagers": ANTES}]}))
    first, second = document["rounds"]
    assert void(first) == ("void", kind, "637a.18(i)")
    assert first["remedies"] == ["wagers_returned", "deck_replaced"]
    assert first["deck"] == {"id": "deck-1", "disposition": "remove"}
    assert second["deck"]["id"] == "deck-2"


# Local ones -----------------------------------------------------------------------------------------------------------


def test_561_14_i_hand_is_reset_and_the_round_completed() -> None:
    document = round_of(PAI_GOW_GAME, pai_gow(at("settle 5", "house_way_wrong")))
    smooth = round_of(PAI_GOW_GAME, pai_gow())
    assert document == {**smooth, "remedies": ["hand_reset"]}


def test_637a_18_p_exposed_card_is_exchanged_with_the_top_one() -> None:
    exposed = at("card 2", "card_exposed", position="seat 4")
    document = round_of(OMAHA, {"wagers": ANTES, "incidents": [exposed]})
    assert [act for act in document["order"] if act.startswith("card")][:4] == [
        "card 1 -> seat 1",
        "card 2 -> seat 4",
        "card 3 -> seat 4",
        "card 4 -> seat 1",
    ]
    assert document["remedies"] == ["card_replaced"]
    shown = events(OMAHA, {"wagers": ANTES, "incidents": [exposed]})
    hands = {event.position.name: len(event.cards) for event in shown if isinstance(event, e.CardsExposed)}
    assert hands == {"seat 1": 4, "seat 4": 4}
    collected = [(x.position.name, x.cards) for x in shown if isinstance(x, e.CardsCollected)]
    assert collected == [("seat 4", 1)]


def test_637a_18_p_last_card_of_the_deal() -> None:
    document = round_of(OMAHA, {"wagers": ANTES, "incidents": [at("card 8", "card_exposed", position="seat 4")]})
    assert [act for act in document["order"] if act.startswith("card")][-1] == "card 9 -> seat 4"


def events(game: Game, script: dict[str, Any]) -> list[e.Event]:
    read = scenario(game, {"round": [script]})
    fold, _state = play_one(read, read.rounds[0], Table(read.game, read.rules, read.setup, read.first_state()))
    return fold.events


def test_655a_11_a_3_all_wagers_of_that_person_are_forfeited() -> None:
    talked = at("decision 4", "collusion", position="seat 1")
    document = round_of(STUD, {"wagers": ANTES, "decisions": {"1": ["bet"], "4": ["fold"]}, "incidents": [talked]})
    assert rows(document) == [(1, "ante", "forfeited", "655a.11(a)(3)"), (4, "ante", "forfeited", "655a.11(b)")]
    assert (document["outcome"], document["remedies"]) == ("completed", [])


def test_655a_11_a_3_ends_with_the_reveal() -> None:
    talked = at("settle 1", "collusion", position="seat 1")
    script = {"wagers": ANTES, "decisions": {"1": ["bet"], "4": ["fold"]}}
    assert round_of(STUD, {**script, "incidents": [talked]}) == round_of(STUD, script)


STAND = {"wagers": {"1": {"blackjack": "5.00"}}, "decisions": {"1": ["stand"]}}


@pytest.mark.parametrize("faces_up", [1, 2, 5])
def test_672a_12_a_face_up_cards_go_out_and_never_void(faces_up: int) -> None:
    up = " ".join(f"^{card}" for card in ("3c", "3d", "3h", "3s", "4c")[:faces_up])
    document = round_of(TWENTY_ONE, {**STAND, "cards": f"2c {up}"})
    assert (document["outcome"], document["remedies"]) == ("completed", ["card_discarded"])


def test_672a_12_f_discards_are_reshuffled_burned_and_dealt_on() -> None:
    empty = at("card 3", "insufficient_cards")
    document = round_of(TWENTY_ONE, {**STAND, "incidents": [empty]})
    assert document["order"][:6] == [
        "card 1 -> burn",
        "no_more_bets",
        "card 2 -> seat 1",
        "card 3 -> burn",
        "card 4 -> dealer",
        "card 5 -> seat 1",
    ]
    assert (document["outcome"], document["remedies"]) == ("completed", ["cards_reshuffled"])
    again = " ".join(["2c"] * 6)  # all of them have been dealt before
    repeated = {**STAND, "cards": f"3c {again.split()[0]} {again}", "incidents": [empty]}
    assert round_of(TWENTY_ONE, repeated)["outcome"] == "completed"
    steps = [type(event).__name__ for event in events(TWENTY_ONE, {**STAND, "incidents": [empty]})]
    noted = steps.index("IrregularityNoted")
    assert steps[noted + 1 :][:2] == ["DeckShuffled", "DeckCut"]


def test_672a_12_i_reader_used_needlessly() -> None:
    document = round_of(TWENTY_ONE, {**STAND, "incidents": [at("decision 1", "card_reader_misused")]})
    assert (document["outcome"], document["remedies"]) == ("completed", ["round_resumed", "floor_called"])
    attested = events(TWENTY_ONE, {**STAND, "incidents": [at("decision 1", "card_reader_misused")]})
    assert [(x.step, x.by, x.cite) for x in attested if isinstance(x, e.StepAttested)][-1:] == [
        ("card_reader_misused", "floorperson", "672a.12(i)")
    ]


def test_672a_12_j_broken_reader_suspends() -> None:
    document = round_of(TWENTY_ONE, {**STAND, "decisions": {}, "incidents": [at("decision 1", "card_reader_fault")]})
    assert void(document) == ("suspended", "card_reader_fault", "672a.12(j)")
    assert document["remedies"] == ["floor_called"]
    assert (document["wagers"], document["net"]) == ([], {"1": "0.00"})


def test_655a_13_g_device_is_covered() -> None:
    table = {"dealing": "automated_shoe", "shuffler": "plain"}
    gone = at("shuffle", "shoe_out_of_service", then="manual_shoe")
    script = {"wagers": ANTES, "decisions": {"1": ["bet"], "4": ["fold"]}, "incidents": [gone]}
    document = round_of(STUD, script, table=table)
    assert (document["outcome"], document["remedies"]) == ("completed", ["device_covered"])


# The floor ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "script", "kind"),
    [
        (HOLD_EM, {"wagers": ANTES, "incidents": [at("decision 1", "wrong_card_count", position="dealer")]}, "void"),
        (PAI_GOW_GAME, pai_gow(at("settle 5", "house_way_wrong")), "completed"),
    ],
)
def test_floorperson_is_called_where_that_is_filed(game: Game, script: dict[str, Any], kind: str) -> None:
    incident = script["incidents"][0]["kind"]
    read = scenario(game, {"round": [script]})
    filed = replace(read, setup=replace(read.setup, floor_called_for=(incident,)))
    without, document = play(read)["rounds"][0], play(filed)["rounds"][0]
    assert document["outcome"] == kind
    assert document == {**without, "remedies": [*without["remedies"], "floor_called"]}


def test_every_remedy_has_its_ids() -> None:
    """Each id that an outcome may name is one of those that are agreed."""
    agreed = {
        "card_discarded",
        "wagers_returned",
        "cards_reshuffled",
        "device_covered",
        "device_removed",
        "hand_reset",
        "rethrown",
        "round_resumed",
        "floor_called",
        "deck_replaced",
        "card_replaced",
    }
    assert {name for remedy in Remedy for name in remedy.remedies} == agreed
