"""637a.12(c), 637a.13(c): who has the button at the commencement of play, where a single card decides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import card, seat
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play, play_one
from tablectl.engine.shoe_cards import ShoeCards
from tablectl.errors import ScenarioError
from tablectl.procedure.opening import close_table
from tablectl.procedure.table import Phase, Table, TableState
from tablectl.records import replace
from tests.procedure.people import live

BY_CARD = {"first_button": "card_dealt"}
WITH_BUTTON = ("omaha_high", "omaha_hilo", "five_card_draw_high", "five_card_draw_low")
SECTION = {"omaha_high": "12", "omaha_hilo": "12", "five_card_draw_high": "13", "five_card_draw_low": "13"}


def of(game: str, cards: str, *seats: int, **more: Any) -> dict[str, Any]:
    """One round of a scenario, with fifty dollars before each seat."""
    return {"stacks": {str(number): "50.00" for number in seats}, "cards": cards, **more}


def scenario(
    game: str, *rounds: Mapping[str, Any], rules: Mapping[str, Any] = BY_CARD, table: Mapping[str, Any] | None = None
) -> Scenario:
    return parse({"game": game, "rules": dict(rules), "table": dict(table or {}), "round": [dict(r) for r in rounds]})


def played(found: Scenario, state: TableState | None = None) -> tuple[list[e.Event], TableState]:
    """The events of the first round, and what goes on from it."""
    script = ShoeCards(found).left_for(found.rounds[0], 1)
    fold, after = play_one(found, script, Table(found.game, found.rules, found.setup, state or found.first_state()))
    assert fold.closed is not None
    return fold.events, after


def folding(button: int, *seats: int) -> dict[str, list[str]]:
    """Decisions of three or more seats that fold in turn to the second blind."""
    after = [n for n in seats if n > button] + [n for n in seats if n <= button]
    return {str(number): ["fold"] for number in (*after[2:], after[0])}


def only(events: list[e.Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.parametrize(
    ("cards", "button"),
    [
        ("9h Td 8s", 4),  # the highest rank
        ("Ac Kd Ks", 2),  # an ace is high
        ("2c 2d 2h", 7),  # one rank: hearts above diamonds above clubs
        ("Qs Qh Jd", 2),  # spades above hearts
        ("3d 7c 7d", 7),  # diamonds above clubs
    ],
)
@pytest.mark.parametrize("game", WITH_BUTTON)
def test_637a_12_c_1_ii_highest_single_card_has_the_button(game: str, cards: str, button: int) -> None:
    seats = (2, 4, 7)
    events, after = played(scenario(game, of(game, cards, *seats, decisions=folding(button, *seats))))
    (drawn,) = only(events, e.ButtonDrawn)
    clause = f"637a.{SECTION[game]}(c)(1)(ii)"
    assert (drawn.seat, drawn.cite) == (button, clause)
    shown = [(event.seat, event.card) for event in only(events, e.ButtonCardShown)]
    assert shown == list(zip(seats, map(card, cards.split()), strict=True))
    assert drawn.card == dict(shown)[button]
    assert [(event.seat, event.cite) for event in only(events, e.ButtonPlaced)] == [(button, clause)]
    next_one = {2: 4, 4: 7, 7: 2}[button]
    assert after.button == seat(next_one)


def test_637a_18_g_1_the_whole_deck_is_shuffled_and_cut_before_the_deal() -> None:
    """No bet and no card of the round comes before that, and each of the 52 cards is there again."""
    kinds = (e.CardDealt, e.ButtonCardShown, e.ButtonDrawn, e.DeckShuffled, e.DeckCut, e.PlayerSeated, e.BetPosted)
    seats = (2, 4, 7)
    script = of("omaha_high", "Kd Kh 2c Kd Kh 2c", *seats, decisions=folding(4, *seats))
    events, _after = played(scenario("omaha_high", script))
    order = [type(event).__name__ for event in events if isinstance(event, kinds)]
    shuffle = ["DeckShuffled", "DeckCut"]
    draw = ["CardDealt"] * 3 + ["ButtonCardShown"] * 3 + ["ButtonDrawn"]
    assert order == [*shuffle, *draw, *shuffle, *["PlayerSeated"] * 3, *["BetPosted"] * 2, *["CardDealt"] * 12]
    assert only(events, e.AlarmRaised) == []


def test_637a_12_c_1_ii_ten_players_a_whole_deal_and_the_board() -> None:
    """Ten cards for the button, forty in the hands, eight on and beside the board: six more than the deck has."""
    seats = range(1, 11)
    called = {str(number): ["call", "check", "check", "check"] for number in seats}
    called["2"] = ["check", "check", "check", "check"]  # the second blind: 2c … Jc are dealt, so seat 10 has the button
    document = play(scenario("omaha_high", of("omaha_high", "", *seats, decisions=called)))
    assert "error" not in document, document["error"]
    (found,) = document["rounds"]
    assert [act for act in found["order"] if act.startswith("button")] == ["button 10"]
    assert sum(act.startswith("card") for act in found["order"]) == 10 + 40 + 8
    assert found["pots"][0]["amount"] == "20.00"


@pytest.mark.parametrize("game", WITH_BUTTON)
def test_637a_12_c_each_round_says_by_which_clause_the_button_lies_there(game: str) -> None:
    section = SECTION[game]
    seats = (1, 2, 3)
    found = scenario(game, of(game, "", *seats, decisions=folding(3, *seats)), rules={})
    events, after = played(found)
    assert [event.cite for event in only(events, e.ButtonPlaced)] == [f"637a.{section}(c)(1)(i)"]
    assert only(events, e.ButtonDrawn) == []
    second = scenario(game, of(game, "", *seats, decisions=folding(1, *seats)), rules=BY_CARD)
    events, _after = played(second, after)
    assert [(event.seat, event.cite) for event in only(events, e.ButtonPlaced)] == [(1, f"637a.{section}(c)(2)")]
    assert only(events, e.ButtonDrawn) == []


def test_637a_12_c_1_play_commences_anew_when_the_table_is_opened_again() -> None:
    """At the end of the gaming day the button leaves the table, and so does the kill of a pot won that day."""
    found = scenario("omaha_hilo", of("omaha_hilo", "", 1, 2, 3, decisions=folding(1, 1, 2, 3)), rules={"kill": "kill"})
    table = Table(found.game, found.rules, found.setup, replace(found.first_state(), button=seat(2), kill=3))
    closed = live(table, lambda table: close_table(table, "4711")).state
    assert closed is not None
    assert (closed.phase, closed.button, closed.kill) == (Phase.CLOSED, None, 0)


def test_637a_18_r_device_that_goes_out_of_service_between_begins_with_a_whole_deck_again() -> None:
    """Two cards had left: all three seats get a new one after another shuffle, and the highest of these counts."""
    script = of(
        "five_card_draw_low",
        "As Ad 2c 9h 3d",
        1,
        3,
        5,
        decisions=folding(3, 1, 3, 5),
        incidents=[{"at": "card 2", "kind": "shuffler_out_of_service"}],
    )
    events, after = played(scenario("five_card_draw_low", script, table={"shuffler": "plain"}))
    assert [event.seat for event in only(events, e.ButtonDrawn)] == [3]
    assert [str(event.card) for event in only(events, e.ButtonCardShown)] == ["2c", "9h", "3d"]
    assert len(only(events, e.DeckShuffled)) == 3
    assert [event.by for event in only(events, e.DeckShuffled)] == ["device", "hand", "hand"]
    assert after.button == seat(5)


def test_637a_14_c_stud_has_no_button_to_be_filed() -> None:
    with pytest.raises(ScenarioError, match="first_button"):
        scenario("five_card_stud", rules=BY_CARD)
    with pytest.raises(ScenarioError, match="first_button"):
        scenario("omaha_high", rules={"first_button": "left_of_dealer"})


def test_cards_for_the_button_may_be_listed_again_and_no_others() -> None:
    once = of("omaha_high", "Kd Kh Kd Kh", 1, 2)
    scenario("omaha_high", once)
    with pytest.raises(ScenarioError, match="Kd is listed twice"):
        scenario("omaha_high", of("omaha_high", "Kd Kh Kd Kd", 1, 2))
    with pytest.raises(ScenarioError, match="Kd is listed twice"):
        scenario("omaha_high", of("omaha_high", "Kd Kd", 1, 2))
    with pytest.raises(ScenarioError, match="round 2: cards: Kd is listed twice"):
        scenario("omaha_high", once, once)
    with pytest.raises(ScenarioError, match="Kd is listed twice"):
        scenario("omaha_high", once, table={"button": 1})
