"""637a.12 to 637a.18 at the edges of their windows: hands that are lost in the deal or at the showdown, all-in players,
players without cards, chips that cannot be divided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import Card, FaceDown, card, seat
from tablectl.engine.drive import Interrupted
from tablectl.engine.pots import as_dealt
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tests.games.house import STACKS, House, only, quads_lose
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document
from tests.games.test_637a_refused import refused

CHECKS = ["check"] * 3
FOUR = {"1": "100.00", "2": "100.00", "3": "100.00", "4": "100.00"}
CALLED = {"3": ["call", *CHECKS], "4": ["call", *CHECKS], "1": ["call", *CHECKS], "2": ["check", *CHECKS]}
LOST: dict[str, dict[str, Any]] = {
    "left": {"kind": "player_left"},
    "unprotected": {"kind": "fouled_hand"},
    "refunded": {"kind": "fouled_hand", "protected": True, "blameless": True},
}


def play(
    game: str,
    decisions: Mapping[str, Sequence[str]],
    *incidents: Mapping[str, Any],
    stacks: Mapping[str, str] = FOUR,
    cards: str = "",
    rules: Mapping[str, Any] | None = None,
    button: int = 4,
) -> Document:
    script = {"stacks": stacks, "cards": cards, "decisions": decisions, "incidents": list(incidents)}
    table = {} if game == "five_card_stud" else {"button": button}
    found = only_round(outcome(script, rules=rules, table=table, game=game))
    kept = sum(cents(pot["rake"]) + sum(map(cents, pot["drops"].values())) for pot in found["pots"])
    assert sum(map(cents, found["net"].values())) == -kept
    return found


def cents(text: str) -> int:
    return int(text.replace(".", ""))


def acted(found: Document, *kinds: str) -> list[str]:
    return [act for act in found["order"] if act.startswith(kinds)]


def without(number: int) -> dict[str, list[str]]:
    return {key: said for key, said in CALLED.items() if key != str(number)}


# Exposed cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", LOST)
def test_637a_18_p_card_exposed_after_a_hand_was_lost_in_the_deal_is_exchanged(how: str) -> None:
    """Nobody has acted when a hand is lost while cards are dealt: the dealing process goes on."""
    lost = {"at": "card 3", "position": "seat 3", **LOST[how]}
    found = play("omaha_high", without(3), lost, {"at": "card 6", "kind": "card_exposed", "position": "seat 2"})
    assert found["remedies"][0] == "hand_dead"
    assert found["remedies"][-1] == "card_replaced"
    assert found["order"].index("card 7 -> seat 2") == found["order"].index("card 6 -> seat 2") + 1


def test_637a_18_p_player_who_leaves_instead_of_a_straddle_has_not_ended_the_deal() -> None:
    exposed = {"at": "card 6", "kind": "card_exposed", "position": "seat 4"}
    found = play("omaha_high", {**CALLED, "3": ["leave"]}, exposed, rules={"straddle": "4.00"})
    assert found["remedies"] == ["hand_dead", "card_replaced"]
    assert "card 7 -> seat 4" in found["order"]


def test_637a_18_p_card_of_a_hand_that_is_out_is_not_exchanged() -> None:
    lost = {"at": "card 3", "position": "seat 3", "kind": "player_left"}
    found = play("omaha_high", without(3), lost, {"at": "card 6", "kind": "card_exposed", "position": "seat 3"})
    assert found["remedies"] == ["hand_dead"]
    assert acted(found, "card 7 ") == ["card 7 -> seat 4"]


def test_637a_18_p_deal_is_over_before_the_board_also_where_nobody_can_act() -> None:
    stacks = {"1": "1.00", "2": "1.00"}
    deal = [{"at": f"card {n}", "kind": "card_exposed", "position": "seat 1"} for n in (7, 10)]
    in_time, late = (play("omaha_high", {}, each, stacks=stacks, button=2) for each in deal)
    assert in_time["remedies"] == ["card_replaced"]
    assert late["remedies"] == []
    assert acted(late, "card 11 ") == ["card 11 -> community"]


def test_637a_18_n_deal_of_stud_is_over_before_the_third_card_also_where_nobody_can_act() -> None:
    stacks, rules = {"1": "1.00", "2": "1.00"}, {"ante": "1.00"}
    deal = [{"at": f"card {n}", "kind": "card_exposed", "position": "seat 1"} for n in (3, 6)]
    in_time, late = (play("five_card_stud", {}, each, stacks=stacks, rules=rules) for each in deal)
    assert in_time["remedies"] == ["card_down"]
    assert late["remedies"] == []


def test_637a_18_n_second_card_that_lies_up_cannot_be_dealt_down_any_more() -> None:
    """The dealer tells of the hole card when the Forced Bet is placed: the up cards were compared already."""
    said: list[object] = [Interrupted(acts.Incident("card_exposed", seat(1))), None]
    house = House(game="five_card_stud", said={acts.PostBet: lambda _act: said.pop(0)})
    cards = "2s Kh 9d As Qd 3c"
    events = house.play({"stacks": STACKS, "cards": cards, "decisions": {"1": ["fold"], "2": ["fold"]}})
    assert [event.remedies for event in only(events, e.IrregularityNoted)] == [()]
    assert [event.seat for event in only(events, e.BetPosted)] == [3]


# Cards off the table ------------------------------------------------------------------------------------------------


def test_637a_18_o_card_that_lies_on_the_board_is_none_that_was_dealt_off_the_table() -> None:
    late = {"at": "decision 1.2", "kind": "card_off_table"}
    found, plain = play("omaha_high", CALLED, late), play("omaha_high", CALLED)
    assert found == plain


def test_637a_18_o_up_card_of_stud_that_was_seen_is_none_that_was_dealt_off_the_table() -> None:
    decisions = {"1": ["call", *CHECKS], "2": CHECKS}
    stacks, cards = {"1": "50.00", "2": "50.00"}, "As Ks Qs 2s 9c 7d 8d"
    late = {"at": "decision 1.2", "kind": "card_off_table", "position": "seat 1"}
    found = play("five_card_stud", decisions, late, stacks=stacks, cards=cards)
    assert found == play("five_card_stud", decisions, stacks=stacks, cards=cards)


# Players without cards ----------------------------------------------------------------------------------------------


def test_637a_18_g_4_all_in_player_without_cards_is_out_when_it_is_too_late_for_a_misdeal() -> None:
    late = {"at": "decision 1", "kind": "player_not_dealt", "position": "seat 2"}
    found = play("omaha_high", without(2), late, stacks={**FOUR, "2": "2.00"})
    assert (found["outcome"], found["remedies"], found["net"]["2"]) == ("completed", [], "-2.00")
    assert [(pot["seats"], pot["amount"]) for pot in found["pots"]] == [([1, 3, 4], "8.00")]
    assert acted(found, "show 2") == []


def test_637a_18_g_4_all_in_player_without_cards_draws_none() -> None:
    late = {"at": "decision 1", "kind": "player_not_dealt", "position": "seat 2"}
    decisions = {number: ["call", "draw", "check"] for number in ("1", "3", "4")}
    found = play("five_card_draw_high", decisions, late, stacks={**FOUR, "2": "2.00"})
    assert found["pots"][0]["seats"] == [1, 3, 4]
    assert "ask 2" not in found["order"]


def test_637a_18_g_4_all_in_player_without_cards_gets_none_in_later_rounds_of_stud() -> None:
    late = {"at": "decision 3.2", "kind": "player_not_dealt", "position": "seat 2"}
    decisions = {"1": CHECKS, "3": ["call", *CHECKS], "4": ["call", *CHECKS]}
    stacks = {**FOUR, "2": "1.00"}
    cards = "As Ks Qs 2d 3d 4d"
    found = play("five_card_stud", decisions, late, stacks=stacks, cards=cards, rules={"ante": "1.00"})
    assert (found["outcome"], found["net"]["2"]) == ("completed", "-1.00")
    assert not [act for act in found["order"] if act.endswith("-> seat 2")]
    assert found["pots"][0]["seats"] == [1, 3, 4]


@pytest.mark.parametrize("kind", ["wrong_start", "player_not_dealt", "ineligible_player_dealt"])
@pytest.mark.parametrize("game", ["omaha_high", "five_card_stud"])
def test_637a_18_g_h_what_is_said_of_a_place_that_is_no_seat_is_on_record_alone(game: str, kind: str) -> None:
    said = {"at": "card 2", "kind": kind, "position": "community"}
    rules = {"ante": "1.00"} if game == "five_card_stud" else None
    stacks = {"1": "1.00", "2": "1.00"}  # so that nobody is asked
    found, smooth = (play(game, {}, *each, stacks=stacks, rules=rules, button=2) for each in ([said], []))
    assert found["order"] == smooth["order"]
    assert found["remedies"] == []


def test_637a_18_g_2_start_of_the_daemon_in_the_deal_does_not_end_it() -> None:
    """Dealt to seats 3, 1, 2 by the button, but from seat 2 on: that holds for cards on both sides of the start."""
    seated = [e.PlayerSeated(number, Money(100_00)) for number in (1, 2, 3)]
    cards = [e.CardDealt(number, seat(place), None) for number, place in enumerate((3, 1, 2, 3, 1, 2), 1)]
    noted = e.IrregularityNoted("wrong_start", seat(2), None, ())
    started = e.TableStarted("1", "", "")
    told = as_dealt([*seated, e.ButtonPlaced(2, ""), *cards[:2], started, *cards[2:], noted])
    assert [event.to.number for event in told if isinstance(event, e.CardDealt)] == [2, 3, 1, 2, 3, 1]


def test_637a_18_g_4_only_a_player_who_takes_part_is_left_out() -> None:
    """Seat 5 has no stack, so that it is not eligible and gets no cards by right."""
    found = play("omaha_high", CALLED, {"at": "decision 3", "kind": "player_not_dealt", "position": "seat 5"})
    assert found == play("omaha_high", CALLED)


# Hands that are lost -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", LOST)
def test_637a_14_d_forced_bet_is_of_a_player_who_is_left(how: str) -> None:
    """Seat 1 has the lowest up card and loses the hand with the second card of seat 2; seat 3's seven is next."""
    lost = {"at": "card 6", "position": "seat 1", **LOST[how]}
    decisions = {"2": ["call", *CHECKS], "3": CHECKS, "4": ["call", *CHECKS]}
    found = play("five_card_stud", decisions, lost, cards="As Ks Qs Js 2d 8d 7d 9d")
    assert acted(found, "post") == ["post 3"]
    assert found["net"]["1"] == "0.00"


def test_637a_14_d_player_who_loses_the_hand_as_the_up_cards_are_turned_places_no_forced_bet() -> None:
    """Seat 1 has the lowest up card, a two; seat 3's seven is the lowest of those who are left."""
    waiting = [fouled(1, refunded=True)]

    def turned(act: acts.TurnFaceUp) -> object:
        return waiting.pop() if waiting else acts.Exposed(tuple([one for one in map(known, act.down) if one]))

    house = House(game="five_card_stud", said={acts.TurnFaceUp: turned})
    events = house.play({"stacks": STACKS, "cards": "As Ks Qs 2d 8d 7d", "decisions": {"2": ["fold"]}})
    assert [event.seat for event in only(events, e.BetPosted)] == [3]
    assert [(won.seat, won.amount) for won in only(events, e.PotAwarded)] == []


@pytest.mark.parametrize("number", [3, 12])
def test_637a_18_k_hand_that_is_lost_as_another_ones_card_is_replaced_is_out(number: int) -> None:
    """A card of seat 3, the first or the last of the deal, is replaced; with it the hand of seat 2 is fouled."""
    said: list[object] = [fouled(2), acts.Drawn(FaceDown(card("Jh")))]
    house = House(said={acts.Draw: lambda _act: said.pop(0)})
    exposed = {"at": f"card {number}", "kind": "card_exposed", "position": "seat 3"}
    decisions = {"3": ["call", *CHECKS], "1": ["call", *CHECKS]}
    events = house.play(quads_lose(decisions=decisions, incidents=[exposed]))
    assert {event.seat for event in only(events, e.SeatAsked)} == {1, 3}
    assert [pot.seats for pot in only(events, e.PotFormed)] == [(1, 3)]
    cards = [event.to for event in only(events, e.CardDealt)].count(seat(2))
    assert cards == {3: 1, 12: 4}[number]


def test_637a_12_n_least_bet_of_a_half_kill_is_of_chips_that_are_there() -> None:
    """Half as much again as the posted minimum of $3 is $4.50: with chips of $1 the least raise is $5."""
    first = {"1": ["call", "bet 20.00", "check", "check"], "2": ["check", "call", "check", "check"]}
    cards = "As 7h 2d 8h Kc Tc Kd Td Ks 3h 4c 5s Qs Jd Js Qd"  # seat 1 scoops with kings
    stacks = {"1": "100.00", "2": "100.00"}
    second = {"2": ["raise 7.00"], "1": ["fold"]}
    document = outcome(
        {"stacks": stacks, "cards": cards, "decisions": first},
        {"stacks": stacks, "decisions": second},
        rules={"kill": "half_kill"},
        table={"button": 2, "minimum": "3.00"},
        game="omaha_hilo",
    )
    assert document["error"]["message"] == "raise 7.00: expected 8.00 to 100.00 in multiples of 1.00"


@pytest.mark.parametrize("how", LOST)
def test_637a_14_c_hand_that_is_lost_with_its_first_card_gets_no_second_one(how: str) -> None:
    lost = {"at": "card 2", "position": "seat 1", **LOST[how]}
    decisions = {"2": ["call", *CHECKS], "3": ["call", *CHECKS], "4": CHECKS}
    found = play("five_card_stud", decisions, lost, cards="As Ks Qs Js 9d 8d 2d")
    second = ["card 5 -> seat 2", "card 6 -> seat 3", "card 7 -> seat 4"]
    assert found["order"][4:7] == second


def test_637a_18_k_3_player_who_was_refunded_in_the_deal_places_no_blind() -> None:
    lost = {"at": "card 6", "position": "seat 1", **LOST["refunded"]}
    decisions = {"4": ["call", "draw", "check"], "2": ["call", "draw", "check"], "3": ["check", "draw", "check"]}
    found = play("five_card_draw_high", decisions, lost, rules={"ante": "1.00"})
    assert acted(found, "post")[4:] == ["post 2", "post 3"]
    assert found["net"]["1"] == "0.00"
    assert found["pots"][0]["amount"] == "9.00"


def test_637a_18_l_2_player_who_left_in_the_deal_owes_the_blind_still() -> None:
    lost = {"at": "card 6", "position": "seat 1", **LOST["left"]}
    decisions = {"3": ["call", "draw", "check"], "4": ["call", "draw", "check"], "2": ["check", "draw", "check"]}
    found = play("five_card_draw_high", decisions, lost)
    assert acted(found, "post") == ["post 1", "post 2"]
    assert found["net"]["1"] == "-1.00"


def showing(*before: object) -> dict[type[Any], Any]:
    """What comes first when hands are shown; then each player shows his own."""
    waiting = list(before)

    def shown(act: acts.Show) -> object:
        if waiting and (first := waiting.pop(0)) is not None:
            return first
        return acts.Exposed(tuple([one for one in map(known, act.cards) if one is not None]))

    return {acts.Show: shown}


def known(hidden: FaceDown) -> Card | None:
    return hidden.card


def fouled(number: int, *, refunded: bool = False) -> Interrupted:
    return Interrupted(acts.Incident("fouled_hand", seat(number), protected=refunded, blameless=refunded))


def test_637a_18_k_hand_that_is_fouled_at_the_showdown_wins_no_pot() -> None:
    """Seat 1 has the best hand, and loses it while seat 2, who placed the last blind, is about to show."""
    house = House(said=showing(fouled(1)))
    events = house.play(quads_lose())
    assert [pot.seats for pot in only(events, e.PotFormed)] == [(2, 3)]
    assert [(won.seat, won.amount) for won in only(events, e.PotAwarded)] == [(2, 600)]
    assert [shown.seat for shown in only(events, e.HandShown)] == [2, 3]


def test_637a_18_k_last_player_with_a_hand_wins_at_the_showdown() -> None:
    house = House(said=showing(fouled(1), fouled(3)))
    events = house.play(quads_lose())
    assert [(won.seat, won.amount) for won in only(events, e.PotAwarded)] == [(2, 600)]
    assert only(events, e.HandShown) == []


def test_637a_18_e_nobody_may_concede_who_is_the_last_one_to_win() -> None:
    """Seat 2 concedes, seat 1 loses the hand: seat 3 has to show, and cannot lose the hand any more."""
    house = House(said=showing(acts.Conceded(), fouled(1), fouled(3)))
    events = house.play(quads_lose())
    assert [act.may_concede for act in house.asked if isinstance(act, acts.Show)] == [True, True, False, False]
    assert [note.remedies for note in only(events, e.IrregularityNoted)] == [("hand_dead",), ()]
    assert [(won.seat, won.amount) for won in only(events, e.PotAwarded)] == [(3, 600)]


def test_637a_18_k_3_refund_at_the_showdown_comes_out_of_the_pot() -> None:
    house = House(said=showing(fouled(1, refunded=True)))
    events = house.play(quads_lose())
    assert [(pot.seats, pot.amount) for pot in only(events, e.PotFormed)] == [((2, 3), 400)]
    assert [(back.seat, back.amount) for back in only(events, e.BetReturned)] == [(1, 200)]


RAISED = {"3": ["raise 10.00", *CHECKS], "1": ["call", *CHECKS], "2": ["call", *CHECKS]}
BY_ROUND = {"type": "percentage", "percent": 10, "maximum": "4.00", "taken": "betting_round"}


def test_637a_17_b_1_i_rake_is_of_what_is_in_the_pot_after_a_refund() -> None:
    """$30 make a rake of $3; without the $10 of seat 3, which go back, it is $2."""
    decisions = {**RAISED, "3": ["raise 10.00"]}
    refund = {"at": "decision 2.2", "position": "seat 3", **LOST["refunded"]}
    house = House({"rake": BY_ROUND})
    events = house.play(quads_lose(decisions=decisions, incidents=[refund]))
    assert [taken.total for taken in only(events, e.RakeTaken)] == [300, 200]
    assert [(pot.amount, pot.rake) for pot in only(events, e.PotFormed)] == [(2000, 200)]


def test_637a_17_b_1_i_rake_is_of_what_is_in_the_pot_after_a_refund_at_the_showdown() -> None:
    house = House({"rake": BY_ROUND}, said=showing(fouled(3, refunded=True)))
    events = house.play(quads_lose(decisions=RAISED))
    assert [taken.total for taken in only(events, e.RakeTaken)] == [300, 200]
    assert [(pot.amount, pot.rake) for pot in only(events, e.PotFormed)] == [(2000, 200)]


# Chips ---------------------------------------------------------------------------------------------------------------


def test_637a_12_k_2_i_stacks_are_of_chips_that_are_in_use() -> None:
    """With a stack of $2.50 and chips of $1 a pot of $7.50 would leave an excess of $1.50."""
    error = refused("omaha_hilo", {"stacks": {"1": "2.50", "2": "100.00", "3": "100.00"}})
    assert (error["seat"], error["stage"], error["cite"]) == (1, "OPEN", "637a.12(b)")
    decisions = {"3": ["raise 6.00", *CHECKS], "1": ["call"], "2": ["call", *CHECKS]}
    cards = "Ks Ah 9c Kh 2c 9d Jh Qs 9h Jd Qd Th 2s 3c 4c Kd 2d 7h 5c 8d"
    stacks = {"1": "2.50", "2": "100.00", "3": "100.00"}
    rules = {"smallest_chip": "0.50"}
    found = play("omaha_hilo", decisions, stacks=stacks, cards=cards, rules=rules, button=3)
    assert [share["amount"] for share in found["pots"][0]["shares"]] == ["4.00", "3.50"]


FILINGS: dict[str, tuple[str, Mapping[str, Any], str]] = {
    "637a.17(a)(3) a maximum of half chips": (
        "omaha_high",
        {"rake": {"type": "incremental", "steps": [["20.00", "2.00"]], "maximum": "1.50"}},
        "637a.17(a)(3)",
    ),
    "637a.14(d) a Forced Bet above the first size": (
        "five_card_stud",
        {"betting": "limit", "bet_sizes": ["2.00", "4.00"], "forced_bet": "3.00"},
        "637a.14(d)",
    ),
    "637a.12(n) a half-kill that makes sizes of half chips": (
        "omaha_hilo",
        {"betting": "limit", "bet_sizes": ["1.00", "2.00"], "kill": "half_kill"},
        "637a.12(n)",
    ),
}


@pytest.mark.parametrize("case", FILINGS)
def test_637a_filing_refuses(case: str) -> None:
    name, rules, clause = FILINGS[case]
    error = refused(name, {}, rules)
    assert (error["stage"], error["cite"]) == ("RULES", clause)


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("five_card_stud", {"betting": "limit", "bet_sizes": ["2.00", "4.00"], "forced_bet": "2.00"}),
        ("omaha_hilo", {"betting": "limit", "bet_sizes": ["2.00", "4.00"], "kill": "half_kill"}),
        ("omaha_hilo", {"betting": "no_limit", "bet_sizes": ["1.00", "2.00"], "kill": "half_kill"}),
    ],
)
def test_637a_filing_at_the_limit_is_allowed(game: str, rules: Mapping[str, Any]) -> None:
    error = refused(game, {"decisions": {}}, rules, {} if game != "five_card_stud" else {"button": 1})
    assert error["stage"] == "DECIDING"


# Draw ---------------------------------------------------------------------------------------------------------------

DECK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]


def eight_draw(*after: str) -> dict[str, Any]:
    """Eight players leave twelve cards: a burn card, and eleven that seats 1 to 3 draw; seat 4 wants three more."""
    hands = {number: DECK[number - 1 : 40 : 8] for number in range(1, 9)}
    drawn = {1: 5, 2: 5, 3: 1, 4: 3}
    decisions = {
        str(number): ["check" if number == 2 else "call", " ".join(["draw", *hand[: drawn.get(number, 0)]]), "check"]
        for number, hand in hands.items()
    }
    return {
        "stacks": {str(number): "50.00" for number in hands},
        "cards": " ".join([*DECK, *after]),
        "decisions": decisions,
        "incidents": [{"at": "card 53", "kind": "insufficient_cards"}],
    }


def test_637a_13_g_2_discards_come_again_and_hands_do_not() -> None:
    """Seat 1 has thrown 2c away, 3s was burned, seat 4 has thrown 5c away; seat 5 holds 6c and has not drawn yet."""
    table = {"button": 8}
    again = outcome(eight_draw("2c", DECK[40], "5c"), table=table, game="five_card_draw_high")
    assert only_round(again)["remedies"] == ["cards_reshuffled"]
    held = outcome(eight_draw("2c", "6c", "5c"), table=table, game="five_card_draw_high")
    assert held["rounds"] == []
    assert held["error"]["cite"] == "637a.13(g)(2)"
    assert "6c is in the hand of seat 5" in held["error"]["message"]


def test_637a_13_g_2_card_of_a_folded_hand_comes_again() -> None:
    document = eight_draw("2c", "6c", "5c")
    document["decisions"]["5"] = ["fold"]
    played = only_round(outcome(document, table={"button": 8}, game="five_card_draw_high"))
    assert Money(cents(played["pots"][0]["amount"])) == 1400
