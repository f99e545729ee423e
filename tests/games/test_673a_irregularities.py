"""673a.13, clause by clause, and what else the chapter says of a shoe (673a.5, 673a.7(c), (d))."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tablectl.errors import ScenarioError
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document
from tests.games.test_673a_settlement import acts, dealt, rows

ORDINARY = {"hands": {1: "Tc 4c", 2: "9c 9d"}, "dealer": "7h Td", "draws": "5s 6s"}
"""Seat 1 draws to 19, seat 2 stands on 18, the dealer has 17."""
SAID = {1: ["hit", "stand"], 2: ["stand"]}
MOMENTS = [
    "shuffle",
    *(f"card {number}" for number in range(1, 9)),
    "decision 1",
    "decision 1.2",
    "decision 2",
    "reveal",
]


def script(
    cards: str, said: Mapping[int, Sequence[str]], *incidents: Mapping[str, object], **more: object
) -> dict[str, object]:
    """A round of seats 1 and 2, 10.00 each."""
    return {
        "wagers": {"1": {"blackjack": "10.00"}, "2": {"blackjack": "10.00"}},
        "cards": cards,
        "decisions": {str(seat): list(verbs) for seat, verbs in said.items()},
        "incidents": list(incidents),
        **more,
    }


def play(
    cards: str, said: Mapping[int, Sequence[str]], *incidents: Mapping[str, object], shuffler: str = "none"
) -> dict[str, Any]:
    table = {"shuffler": shuffler}
    return only_round(outcome(script(cards, said, *incidents), table=table, game="double_back_jack"))


def ordinary(*incidents: Mapping[str, object], shuffler: str = "none") -> dict[str, Any]:
    return play(dealt(**ORDINARY), SAID, *incidents, shuffler=shuffler)  # type: ignore[arg-type]


def noticed(at: str, kind: str, **more: object) -> dict[str, object]:
    return {"at": at, "kind": kind, **more}


# (a), (b), (c): cards that lie face up or leave too early -------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("how_many", [1, 3])
def test_673a_13_a_face_up_cards_go_to_the_rack_and_the_next_one_comes(number: int, how_many: int) -> None:
    cards = dealt(**ORDINARY).split()  # type: ignore[arg-type]
    cards[number - 1 : number - 1] = ["^2s"] * how_many
    played = play(" ".join(cards), SAID)
    plain = ordinary()
    assert (rows(played), played["net"]) == (rows(plain), plain["net"])
    assert (played["outcome"], played["remedies"]) == ("completed", ["card_discarded"])
    racked = [f"card {number + more} -> rack" for more in range(how_many)]
    assert [act for act in acts(played, "card") if act.endswith("rack")] == racked


@pytest.mark.parametrize("moment", MOMENTS[1:])
def test_673a_13_b_card_that_nobody_saw_is_the_next_card(moment: str) -> None:
    played, plain = ordinary(noticed(moment, "drawn_in_error")), ordinary()
    assert played == {**plain, "remedies": ["round_resumed"]}


EARLY = noticed("decision 1", "drawn_in_error", exposed=True)


def test_673a_13_c_first_player_takes_the_card_that_was_seen() -> None:
    played = play(dealt(**ORDINARY), {1: ["accept", "stand"], 2: ["stand"]}, EARLY)  # type: ignore[arg-type]
    assert played == {**ordinary(), "remedies": ["round_resumed"]}, "as if it had been drawn"


def test_673a_13_c_who_refuses_gets_no_more_cards_and_the_next_player_is_offered_it() -> None:
    cards = dealt({1: "Tc 4c", 2: "9c 2d"}, "7h Td", "8s")
    played = play(cards, {1: ["refuse"], 2: ["accept", "stand"]}, EARLY)
    assert acts(played, "ask", "card 8") == ["ask 1", "ask 2", "card 8 -> seat 2", "ask 2"]
    assert rows(played)[1, "blackjack", 0][0] == "lose"
    assert rows(played)[2, "blackjack", 0][0] == "win"


def test_673a_13_c_who_refuses_with_a_split_hand_gets_no_card_for_the_other_either() -> None:
    cards = dealt({1: "8c 8d", 2: "Tc 9d"}, "7h Td", "3s 6s 9s")
    incident = noticed("decision 1.2", "drawn_in_error", exposed=True)
    played = play(cards, {1: ["split", "refuse"], 2: ["refuse"]}, incident)
    assert acts(played, "card")[8:] == ["card 9 -> rack"], "the second hand stays a single eight"
    assert {key: row[0] for key, row in rows(played).items()} == {
        (1, "blackjack", 0): "lose",
        (1, "split", 1): "lose",
        (2, "blackjack", 0): "win",
    }


@pytest.mark.parametrize(("dealer", "place"), [("7h Td", "rack"), ("6h Td", "dealer")])
def test_673a_13_c_card_that_all_refuse_is_the_dealers_if_he_can_use_it(dealer: str, place: str) -> None:
    cards = dealt({1: "Tc 4c", 2: "9c 9d"}, dealer, "As")
    played = play(cards, {1: ["refuse"], 2: ["refuse"]}, EARLY)
    assert acts(played, "card")[-1] == f"card 8 -> {place}"
    assert played["order"].index("expose dealer") < played["order"].index(f"card 8 -> {place}")
    assert played["remedies"] == (["card_discarded"] if place == "rack" else ["round_resumed"])


@pytest.mark.parametrize("moment", ["card 8"])
def test_673a_13_c_card_that_somebody_is_due_is_his(moment: str) -> None:
    plain, played = ordinary(), ordinary(noticed(moment, "drawn_in_error", exposed=True))
    assert played == {**plain, "remedies": ["round_resumed"]}


# (d), (e), (g), (h): the dealer draws too much, or forgets a card -----------------------------------------------------


@pytest.mark.parametrize("dealer", ["7h Td", "8h Td", "9h Th"])
def test_673a_13_d_card_beyond_17_goes_to_the_rack(dealer: str) -> None:
    cards = dealt({1: "Tc 9c", 2: "9h 9d"}, dealer, "2s")
    stand = {1: ["stand"], 2: ["stand"]}
    played, plain = play(cards, stand, noticed("card 8", "dealer_drew_past_17")), play(cards, stand)
    assert rows(played) == rows(plain)
    assert played["remedies"] == ["card_discarded"]
    assert played["order"] == _with(plain["order"], "expose dealer", "card 8 -> rack")


def test_673a_13_d_beyond_a_blackjack_too() -> None:
    cards = dealt({1: "Tc 9c", 2: "9h 9d"}, "Th Ad", "2s")
    played = play(cards, {}, noticed("card 8", "dealer_drew_past_17"))
    assert played["order"][8:] == [
        "peek",
        "expose dealer",
        "card 8 -> rack",
        "settle 2 blackjack",
        "settle 1 blackjack",
    ]
    assert (played["remedies"], played["net"]) == (["card_discarded"], {"1": "-10.00", "2": "-10.00"})


def test_673a_7_p_nothing_depends_on_the_dealer_when_all_have_left() -> None:
    cards = dealt({1: "Tc 9c", 2: "9h 9d"}, "8h 7d", "2s")
    left = [noticed("reveal", "player_left", position=f"seat {seat}") for seat in (1, 2)]
    played = play(cards, {1: ["stand"], 2: ["stand"]}, *left)
    assert played["order"][10:] == ["expose dealer", "settle 2 blackjack", "settle 1 blackjack"]
    assert played["net"] == {"1": "-10.00", "2": "-10.00"}


def _with(order: Sequence[str], after: str, act: str) -> list[str]:
    place = order.index(after) + 1
    return [*order[:place], act, *order[place:]]


def test_673a_13_e_dealer_deals_his_own_cards_when_the_players_have_theirs() -> None:
    cards = "2c Tc 9c 9h 9d 7h Td"
    forgot = noticed("card 4", "dealer_missed_own_card", which=1)
    played = play(cards, {1: ["stand"], 2: ["stand"]}, forgot)
    assert acts(played, "card")[3:] == ["card 4 -> seat 1", "card 5 -> seat 2", "card 6 -> dealer", "card 7 -> dealer"]
    assert (played["remedies"], played["net"]) == (["round_resumed"], {"1": "10.00", "2": "10.00"})


def test_673a_13_g_a_seat_without_cards_is_dead_and_gets_its_wager_back() -> None:
    cards = "2c Tc 7h 9h Td"
    forgot = [noticed(f"card {number}", "player_missed_card", position="seat 2") for number in (3, 5)]
    played = play(cards, {1: ["stand"]}, *forgot)
    assert rows(played)[2, "blackjack", 0] == ("returned", "-0.00", "673a.13(g)")
    assert played["remedies"] == ["hand_dead"]
    assert "ask 2" not in played["order"]


@pytest.mark.parametrize("choice", ["play_on", "void_hand"])
def test_673a_13_g_a_seat_with_one_card_may_have_its_second(choice: str) -> None:
    cards = f"2c Tc 7h 9h 9c {'9d ' if choice == 'play_on' else ''}Td"
    said = {1: ["stand"], 2: [choice, *(["stand"] if choice == "play_on" else [])]}
    played = play(cards, said, noticed("card 3", "player_missed_card", position="seat 2"))
    after = played["order"][played["order"].index("card 5 -> seat 2") + 1 :]
    if choice == "play_on":
        assert after[:3] == ["ask 2", "card 6 -> seat 2", "card 7 -> dealer"]
        assert rows(played)[2, "blackjack", 0][0] == "win"
    else:
        assert after[:3] == ["ask 2", "settle 2 blackjack", "card 6 -> dealer"]
        assert rows(played)[2, "blackjack", 0] == ("returned", "-0.00", "673a.13(g)")


FORGOTTEN = noticed("decision 1", "player_missed_card", position="seat 1")


def test_673a_13_h_a_forgotten_card_comes_when_all_others_have_theirs() -> None:
    cards = dealt({1: "Tc 4c", 2: "5c 4d"}, "7h Td", "Ts 5s")
    played = play(cards, {1: ["hit", "play_on", "stand"], 2: ["hit", "stand"]}, FORGOTTEN)
    after = played["order"][played["order"].index("card 7 -> dealer") + 1 :]
    shown = ["ask 1", "ask 2", "card 8 -> seat 2", "ask 2", "ask 1", "card 9 -> seat 1", "ask 1", "expose dealer"]
    assert after[:8] == shown
    assert played["net"] == {"1": "10.00", "2": "10.00"}


def test_673a_13_h_or_the_hand_is_dead_and_its_wager_goes_back() -> None:
    cards = dealt({1: "Tc 4c", 2: "9c 9d"}, "7h Td", "")
    played = play(cards, {1: ["hit", "void_hand"], 2: ["stand"]}, FORGOTTEN)
    assert rows(played)[1, "blackjack", 0] == ("returned", "-0.00", "673a.13(h)")
    assert played["order"].index("settle 1 blackjack") < played["order"].index("expose dealer")
    assert played["remedies"] == ["hand_dead"]


@pytest.mark.parametrize("choice", ["play_on", "void_hand"])
def test_673a_13_h_a_forgotten_second_chance_card(choice: str) -> None:
    """The Second Chance lies there: the card comes late and is subtracted, or both wagers go back."""
    late = " 6d" if choice == "play_on" else ""
    cards = dealt({1: "Tc 6c", 2: "9c 9d"}, "7h Td", f"9s{late}")
    incident = noticed("card 9", "player_missed_card", position="seat 1")
    if choice == "void_hand":
        incident = noticed("decision 1.2", "player_missed_card", position="seat 1")
    played = play(cards, {1: ["hit", "second_chance", choice], 2: ["stand"]}, incident)
    found = {key[1]: row for key, row in rows(played).items() if key[0] == 1}
    if choice == "play_on":  # 25 - 6 = 19 against 17
        assert found == {
            "blackjack": ("returned", "-0.00", "673a.7(s)(1)(i)"),
            "second_chance": ("win", "+10.00", "673a.12(b)"),
        }
    else:
        assert found == dict.fromkeys(("blackjack", "second_chance"), ("returned", "-0.00", "673a.13(h)"))


# (f): the shoe runs out -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [3, 7, 8])
def test_673a_13_f_the_discards_are_shuffled_and_the_first_card_is_burned(number: int) -> None:
    cards = dealt(**ORDINARY).split()  # type: ignore[arg-type]
    cards.insert(number - 1, "4h")
    played = play(" ".join(cards), SAID, noticed(f"card {number}", "insufficient_cards"))
    assert (rows(played), played["remedies"]) == (rows(ordinary()), ["cards_reshuffled"])
    assert [act for act in acts(played, "card") if act.endswith("burn")] == ["card 1 -> burn", f"card {number} -> burn"]


@pytest.mark.parametrize("shuffler", ["plain", "counting"])
@pytest.mark.parametrize("kind", ["shuffler_out_of_service", "shuffler_jam"])
def test_673a_13_l_shuffler_that_fails_after_the_shoe_ran_out_does_not_end_the_round(shuffler: str, kind: str) -> None:
    cards = dealt(**ORDINARY).split()  # type: ignore[arg-type]
    cards.insert(2, "4h")
    said = noticed("card 3", "insufficient_cards"), noticed("card 5", kind)
    played = play(" ".join(cards), SAID, *said, shuffler=shuffler)
    assert (rows(played), played["remedies"]) == (rows(ordinary()), ["cards_reshuffled"])


# (i), (j): the card reader --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["peek", "decision 1", "decision 2"])
def test_673a_13_i_needless_use_of_the_reader_is_told_to_the_floor(moment: str) -> None:
    played = ordinary(noticed(moment, "card_reader_misused"))
    assert played == {**ordinary(), "remedies": ["round_resumed", "floor_called"]}


@pytest.mark.parametrize("dealer", ["Kh 8d", "Ah 8d"])
def test_673a_13_i_is_not_about_an_ace_or_a_ten(dealer: str) -> None:
    said: dict[int, list[str]] = {1: ["stand"], 2: ["stand"]}
    if dealer.startswith("A"):
        said = {seat: ["no_insurance", "stand"] for seat in said}
    cards = dealt({1: "Tc 9c", 2: "9h 9d"}, dealer)
    assert play(cards, said, noticed("decision 1", "card_reader_misused")) == play(cards, said)


@pytest.mark.parametrize("moment", ["shuffle", "card 3", "peek", "decision 2", "reveal"])
def test_673a_13_j_a_broken_reader_stops_the_table(moment: str) -> None:
    said = {} if moment in ("shuffle", "card 3", "peek") else {1: SAID[1]}
    said = SAID if moment == "reveal" else said
    played = play(dealt(**ORDINARY), said, noticed(moment, "card_reader_fault"))  # type: ignore[arg-type]
    assert (played["outcome"], played["cause"], played["cite"]) == ("suspended", "card_reader_fault", "673a.13(j)")
    assert (played["wagers"], played["remedies"]) == ([], ["floor_called"])
    assert played["deck"]["disposition"] == "continue"


# (k), (l): the shuffler -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
@pytest.mark.parametrize("shuffler", ["plain", "counting"])
def test_673a_13_k_cards_of_a_shuffler_that_fails_are_shuffled_again(kind: str, shuffler: str) -> None:
    played = ordinary(noticed("shuffle", kind), shuffler=shuffler)
    assert played == {**ordinary(shuffler=shuffler), "remedies": ["cards_reshuffled"]}


def test_673a_13_l_a_shuffler_that_cannot_be_used_is_covered() -> None:
    played = ordinary(noticed("shuffle", "shuffler_out_of_service"), shuffler="plain")
    assert played == {**ordinary(shuffler="plain"), "remedies": ["device_covered"]}


# The shoe -------------------------------------------------------------------------------------------------------------


def document(*rounds: Mapping[str, object], **rules: object) -> Document:
    return outcome(*rounds, rules=rules, game="double_back_jack")


STAND = {1: ["stand"], 2: ["stand"]}
HANDS = {1: "Tc 9c", 2: "9h 9d"}
NEXT = "8c Td 7s 8d 9s Ts"


@pytest.mark.parametrize(
    ("moment", "offered"),
    [("card 2", 1), ("card 3", 2), ("card 4", None), ("card 5", 1), ("card 7", None)],
)
def test_673a_7_d_cover_card_ends_the_shoe_and_says_who_cuts(moment: str, offered: int | None) -> None:
    """673a.5(c)(2), (3): the seat that it came to, or from the right where it came to the dealer."""
    first = script(dealt(HANDS, "7h Td"), STAND, noticed(moment, "cover_card"))
    cut = {"2": "no_cut", "1": "cut"} if offered is None else {str(offered): "cut"}
    played = document(first, script(f"3c {NEXT}", STAND, cut=cut))
    assert "error" not in played
    one, two = played["rounds"]
    assert (one["outcome"], one["deck"]["disposition"]) == ("completed", "reshuffle")
    assert rows(one) == rows(only_round(document(script(dealt(HANDS, "7h Td"), STAND)))), "the hand is completed"
    asked = ["ask 2", "ask 1"] if offered is None else [f"ask {offered}"]
    assert two["order"][: len(asked) + 2] == [*asked, "card 1 -> burn", "no_more_bets"]


def test_673a_7_c_nothing_is_burned_where_the_shoe_goes_on_but_for_a_new_dealer() -> None:
    first, same = script(dealt(HANDS, "7h Td"), STAND), script(NEXT, STAND)
    new = script(f"3c {NEXT}", STAND, new_dealer=True)
    played = document(first, same, new)
    assert [each["order"][0] for each in played["rounds"]] == ["card 1 -> burn", "no_more_bets", "card 1 -> burn"]
    assert {each["deck"]["disposition"] for each in played["rounds"]} == {"continue"}


def test_673a_3_d_cards_are_counted_over_the_whole_shoe() -> None:
    """Of one deck a card that has left in the first round cannot leave again before the shuffle."""
    first = script(dealt(HANDS, "7h Td"), STAND)
    again = script("8c 8h Td 8d 9s Ts", STAND)
    with pytest.raises(ScenarioError, match="round 2: cards: Td is listed, and the shoe holds none any more"):
        document(first, again, decks=1)
    assert "error" not in document(first, again, decks=2)
