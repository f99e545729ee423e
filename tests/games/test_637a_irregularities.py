"""637a.18(g) to (r) at every moment of a round: inside the window of its clause the remedy, outside it a record only.

Three players, the button before seat 3. Seats 3 and 1 call of their own will, and seat 2 checks; then all is checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tablectl.cards import deck
from tests.games.by_hand_637a import outcome as worked_out
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document, without_deck_ids

STACKS = {"1": "100.00", "2": "100.00", "3": "100.00"}
MIXED = [card.name for start in range(5) for card in deck()[start::5]]
CHECKS = ["check"] * 3
ASKED: dict[str, dict[str, list[str]]] = {
    "omaha_high": {"1": ["call", *CHECKS], "2": ["check", *CHECKS], "3": ["call", *CHECKS]},
    "five_card_draw_high": {n: [said, "draw", "check"] for n, said in {"1": "call", "2": "check", "3": "call"}.items()},
    "five_card_stud": {"1": CHECKS, "2": ["call", *CHECKS], "3": ["call", *CHECKS]},
}
DEAL = [f"card {number}" for number in range(1, 13)]
BEFORE_TWO_BETS = [*DEAL, "decision 3", "decision 1"]
AFTER_TWO_BETS = ["decision 2", "card 13", "card 16", "decision 1.2", "card 17", "card 20", "decision 3.4"]
EVERYWHERE = [*BEFORE_TWO_BETS, *AFTER_TWO_BETS]


def script(game: str, *incidents: Mapping[str, Any], cards: Sequence[str] = MIXED, **change: Any) -> dict[str, Any]:
    said = {"stacks": STACKS, "cards": " ".join(cards), "decisions": ASKED[game], "incidents": list(incidents)}
    return {**said, **change}


def play(
    game: str, *incidents: Mapping[str, Any], cards: Sequence[str] = MIXED, table: Mapping[str, Any] | None = None
) -> Document:
    played = script(game, *incidents, cards=cards)
    return only_round(outcome(played, table={"button": 3, **(table or {})}, game=game))


def assert_as_worked_out(game: str, *incidents: Mapping[str, Any], cards: Sequence[str] = MIXED) -> Document:
    """The round is what the text makes of it, worked out a second time; the round."""
    document = {"game": game, "table": {"button": 3}, "round": [script(game, *incidents, cards=cards)]}
    found = play(game, *incidents, cards=cards)
    assert without_deck_ids({"rounds": [found]})["rounds"] == worked_out(document)["rounds"]
    return found


def assert_void(found: Document, kind: str, clause: str, remedies: Sequence[str] = ("cards_reshuffled",)) -> None:
    assert (found["outcome"], found["cause"], found["cite"]) == ("void", kind, clause)
    assert found["remedies"] == ["wagers_returned", *remedies]
    assert found["pots"] == []
    assert set(found["net"].values()) == {"0.00"}


def assert_no_remedy(found: Document, game: str = "omaha_high") -> None:
    assert found == play(game)
    assert (found["outcome"], found["remedies"]) == ("completed", [])


@pytest.mark.parametrize("moment", EVERYWHERE)
def test_637a_18_g_1_cards_that_were_not_shuffled_are_a_misdeal(moment: str) -> None:
    assert_void(play("omaha_high", {"at": moment, "kind": "not_shuffled"}), "not_shuffled", "637a.18(g)(1)")


@pytest.mark.parametrize("moment", BEFORE_TWO_BETS)
def test_637a_18_g_2_wrong_start_before_two_voluntary_bets_is_a_misdeal(moment: str) -> None:
    found = assert_as_worked_out("omaha_high", {"at": moment, "kind": "wrong_start", "position": "seat 2"})
    assert_void(found, "wrong_start", "637a.18(g)(2)")


@pytest.mark.parametrize("moment", AFTER_TWO_BETS)
def test_637a_18_g_2_after_two_voluntary_bets_the_round_goes_on_as_it_was_dealt(moment: str) -> None:
    found = assert_as_worked_out("omaha_high", {"at": moment, "kind": "wrong_start", "position": "seat 2"})
    assert (found["outcome"], found["remedies"]) == ("completed", [])
    assert "card 1 -> seat 2" in found["order"]


@pytest.mark.parametrize("number", range(1, 21))
def test_637a_18_j_one_face_up_card_is_discarded(number: int) -> None:
    cards = [*MIXED[: number - 1], f"^{MIXED[number - 1]}", *MIXED[number:]]
    found = assert_as_worked_out("omaha_high", cards=cards)
    assert (found["outcome"], found["remedies"]) == ("completed", ["card_discarded"])


@pytest.mark.parametrize(("first", "second"), [(1, 2), (1, 12), (5, 13), (13, 14), (17, 21)])
def test_637a_18_g_3_two_face_up_cards_are_a_misdeal(first: int, second: int) -> None:
    cards = [f"^{card}" if number in (first, second) else card for number, card in enumerate(MIXED, 1)]
    assert_void(assert_as_worked_out("omaha_high", cards=cards), "card_face_up", "637a.18(g)(3)")


@pytest.mark.parametrize("moment", [*DEAL[:8], "decision 3", "decision 1"])
def test_637a_18_g_4_player_who_is_left_out_before_two_voluntary_bets_is_a_misdeal(moment: str) -> None:
    found = assert_as_worked_out("omaha_high", {"at": moment, "kind": "player_not_dealt", "position": "seat 2"})
    assert_void(found, "player_not_dealt", "637a.18(g)(4)")


def test_637a_18_g_4_after_two_voluntary_bets_the_player_without_cards_is_out() -> None:
    incident = {"at": "decision 2", "kind": "player_not_dealt", "position": "seat 2"}
    decided = {**ASKED["omaha_high"], "2": ["check"]}
    played = script("omaha_high", incident, decisions=decided)
    found = only_round(outcome(played, table={"button": 3}, game="omaha_high"))
    assert (found["outcome"], found["remedies"]) == ("completed", [])
    assert "show 2" not in found["order"]
    assert found["net"]["2"] == "-2.00"


def forced_to_bet(up: Mapping[int, str]) -> int:
    """The seat with the lowest up card."""
    return min(up, key=lambda n: ("23456789TJQKA".index(up[n][0]), "cdhs".index(up[n][1])))


@pytest.mark.parametrize("number", [4, 8, 12])
@pytest.mark.parametrize("game", ["omaha_high", "five_card_draw_high"])
def test_637a_18_h_cards_of_an_ineligible_player_are_discarded(game: str, number: int) -> None:
    """Noticed at the first, the second or the third card that it gets in its turn."""
    found = assert_as_worked_out(
        game, {"at": f"card {number}", "kind": "ineligible_player_dealt", "position": "seat 4"}
    )
    assert (found["outcome"], found["remedies"]) == ("completed", ["card_discarded"])
    assert found["net"].keys() == STACKS.keys()
    assert f"card {number + 4} -> seat 4" not in found["order"]


def test_637a_18_h_ineligible_player_in_stud() -> None:
    incident = {"at": "card 4", "kind": "ineligible_player_dealt", "position": "seat 4"}
    forced = forced_to_bet({n: MIXED[n + 3] for n in (1, 2, 3)})
    calls = {str(n): CHECKS if n == forced else ["call", *CHECKS] for n in (1, 2, 3)}
    played = script("five_card_stud", incident, decisions=calls)
    found = only_round(outcome(played, game="five_card_stud"))
    expected = worked_out({"game": "five_card_stud", "round": [played]})
    assert without_deck_ids({"rounds": [found]})["rounds"] == expected["rounds"]
    assert found["remedies"] == ["card_discarded"]


@pytest.mark.parametrize("game", ASKED)
@pytest.mark.parametrize("kind", ["missing_cards", "extra_cards"])
@pytest.mark.parametrize("moment", ["card 1", "card 6", "decision 3", "decision 2", "decision 3.2", "decision 3.3"])
def test_637a_18_i_missing_and_additional_cards_void_at_any_time(game: str, kind: str, moment: str) -> None:
    found = play(game, {"at": moment, "kind": kind})
    assert_void(found, kind, "637a.18(i)", ["deck_replaced"])
    assert found["deck"]["disposition"] == "remove"


FOULED: dict[str, tuple[dict[str, bool], str]] = {
    "637a.18(k) unprotected": ({}, "hand_dead"),
    "637a.18(k) unprotected, blameless": ({"blameless": True}, "hand_dead"),
    "637a.18(k)(2) reconstructed": ({"protected": True, "reconstructed": True}, "round_resumed"),
    "637a.18(k)(3) blameless": ({"protected": True, "blameless": True}, "hand_dead pot_refunded"),
    "637a.18(k)(3) contributed": ({"protected": True}, "hand_dead"),
}


@pytest.mark.parametrize("case", FOULED)
@pytest.mark.parametrize("moment", ["decision 1", "decision 2.2", "decision 2.4"])
def test_637a_18_k_fouled_hand(case: str, moment: str) -> None:
    """Seat 3, who has called $2, loses it, keeps on playing, or has it back."""
    said, remedies = FOULED[case]
    out = ASKED["omaha_high"]["3"][: {"decision 1": 1, "decision 2.2": 1, "decision 2.4": 3}[moment]]
    decided = ASKED["omaha_high"] | ({} if "round_resumed" in remedies else {"3": out})
    incident = {"at": moment, "kind": "fouled_hand", "position": "seat 3", **said}
    played = script("omaha_high", incident, decisions=decided)
    found = only_round(outcome(played, table={"button": 3}, game="omaha_high"))
    expected = worked_out({"game": "omaha_high", "table": {"button": 3}, "round": [played]})
    assert without_deck_ids({"rounds": [found]})["rounds"] == expected["rounds"]
    assert found["remedies"] == remedies.split()
    assert ("show 3" in found["order"]) == ("round_resumed" in remedies)
    if "hand_dead" in remedies:
        assert found["net"]["3"] == ("0.00" if "pot_refunded" in remedies else "-2.00")


def test_637a_18_k_1_hole_cards_of_stud_count_as_protected() -> None:
    incident = {"at": "decision 3", "kind": "fouled_hand", "position": "seat 2", "blameless": True}
    played = script("five_card_stud", incident, decisions={**ASKED["five_card_stud"], "2": ["call"]})
    found = only_round(outcome(played, game="five_card_stud"))
    assert found["remedies"] == ["hand_dead", "pot_refunded"]
    assert found["net"]["2"] == "0.00"


@pytest.mark.parametrize("game", ASKED)
def test_637a_18_k_4_player_who_leaves_has_no_interest_in_the_pot(game: str) -> None:
    decided = {**ASKED[game], "3": [ASKED[game]["3"][0], "leave"]}
    played = script(game, decisions=decided)
    found = only_round(outcome(played, table={"button": 3}, game=game))
    assert found["remedies"] == ["hand_dead"]
    assert "show 3" not in found["order"]
    assert found["net"]["3"].startswith("-")


def test_637a_18_l_2_folding_does_not_relieve_of_a_blind() -> None:
    decided = {"3": ["call", *CHECKS], "1": ["fold"], "2": ["check", *CHECKS]}
    found = only_round(outcome(script("omaha_high", decisions=decided), table={"button": 3}, game="omaha_high"))
    assert found["pots"][0]["amount"] == "5.00"
    assert found["net"]["1"] == "-1.00"


@pytest.mark.parametrize("number", range(1, 13))
def test_637a_18_p_exposed_card_of_omaha_is_exchanged_with_the_next_one(number: int) -> None:
    seat = (number - 1) % 3 + 1
    found = assert_as_worked_out(
        "omaha_high", {"at": f"card {number}", "kind": "card_exposed", "position": f"seat {seat}"}
    )
    assert found["remedies"] == ["card_replaced"]
    assert f"card {number + 1} -> seat {seat}" in found["order"]


@pytest.mark.parametrize("moment", ["decision 1", "decision 2", "card 13", "decision 3.4"])
def test_637a_18_p_is_about_the_dealing_process(moment: str) -> None:
    assert_no_remedy(play("omaha_high", {"at": moment, "kind": "card_exposed", "position": "seat 2"}))


def test_637a_18_p_board_cards_are_no_players_cards() -> None:
    assert_no_remedy(play("omaha_high", {"at": "card 14", "kind": "card_exposed", "position": "community"}))


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_637a_18_n_after_an_exposed_hole_card_the_second_card_is_dealt_down(seat: int) -> None:
    """The exposed card takes the place of the up card, also for the Forced Bet."""
    incident = {"at": f"card {seat}", "kind": "card_exposed", "position": f"seat {seat}"}
    forced = forced_to_bet({n: MIXED[n - 1] if n == seat else MIXED[n + 2] for n in (1, 2, 3)})
    calls = {str(n): CHECKS if n == forced else ["call", *CHECKS] for n in (1, 2, 3)}
    played = script("five_card_stud", incident, decisions=calls)
    found = only_round(outcome(played, game="five_card_stud"))
    expected = worked_out({"game": "five_card_stud", "round": [played]})
    assert without_deck_ids({"rounds": [found]})["rounds"] == expected["rounds"]
    assert found["remedies"] == ["card_down"]
    assert [act for act in found["order"] if act.startswith("post")] == [f"post {forced}"]


@pytest.mark.parametrize("moment", ["card 1", "card 5", "card 15", "decision 2"])
def test_637a_18_no_clause_speaks_of_exposed_cards_in_draw(moment: str) -> None:
    found = play("five_card_draw_high", {"at": moment, "kind": "card_exposed", "position": "seat 2"})
    assert_no_remedy(found, "five_card_draw_high")


@pytest.mark.parametrize("number", [1, 7, 12, 14, 18, 20])
def test_637a_18_o_card_off_the_table_is_out_of_the_round(number: int) -> None:
    found = play("omaha_high", {"at": f"card {number}", "kind": "card_off_table"})
    place = next(act for act in found["order"] if act.startswith(f"card {number} ")).split(" -> ")[1]
    assert found["remedies"] == ["card_discarded"]
    assert f"card {number + 1} -> {place}" in found["order"]
    without = play("omaha_high", cards=[*MIXED[: number - 1], *MIXED[number:]])
    assert (found["pots"], found["net"]) == (without["pots"], without["net"])


def test_637a_18_o_burn_card_off_the_table_needs_no_other_one() -> None:
    found = play("omaha_high", {"at": "card 13", "kind": "card_off_table"})
    assert found["remedies"] == ["card_discarded"]
    assert found["order"] == play("omaha_high")["order"]


@pytest.mark.parametrize("game", ASKED)
@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
def test_637a_18_q_shuffler_that_fails_means_another_shuffle(game: str, kind: str) -> None:
    found = play(game, {"at": "shuffle", "kind": kind}, table={"shuffler": "plain"})
    assert (found["outcome"], found["remedies"]) == ("completed", ["cards_reshuffled"])


@pytest.mark.parametrize("game", ASKED)
def test_637a_18_r_shuffler_that_cannot_be_used_is_covered(game: str) -> None:
    found = play(game, {"at": "shuffle", "kind": "shuffler_out_of_service"}, table={"shuffler": "plain"})
    assert (found["outcome"], found["remedies"]) == ("completed", ["device_covered"])


@pytest.mark.parametrize("kind", ["collusion", "dispute"])
def test_637a_18_a_c_supervisor_is_called_and_play_goes_on(kind: str) -> None:
    found = play("omaha_high", {"at": "decision 2", "kind": kind, "position": "seat 2"})
    assert (found["outcome"], found["remedies"]) == ("completed", ["floor_called"])
    assert found["pots"] == play("omaha_high")["pots"]
