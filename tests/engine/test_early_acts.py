"""Acts that come early are taken at their turn where the text allows it, otherwise named; none is lost."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.engine.scenario import Scenario, parse
from tests.engine.bench import ALL_SENSORS, NO_SCANNER, PANEL_ALONE, PLAIN_SHOE
from tests.engine.sitting import Sitting
from tests.procedure.irregular_games import TWENTY_ONE, scenario

EARLY = "CARD IS OUT EARLY: IT IS THE NEXT ONE"


def three_seats(**more: Any) -> Scenario:
    wagers = {str(seat): {"ante": "10.00"} for seat in (1, 3, 5)}
    decisions = {"1": ["bet"], "3": ["fold"], "5": ["bet"]}
    cards = "As 2d 9c Ks Kd 5h 7c Qs Qc 9h 2h 3s"
    return parse(
        {
            "game": "three_card_poker",
            "table": {"shuffler": "counting"},
            "round": [{"wagers": wagers, "cards": cards, "decisions": decisions, **more}],
        }
    )


@pytest.mark.parametrize("kit", [ALL_SENSORS, PLAIN_SHOE], ids=["all_sensors", "plain_shoe"])
@pytest.mark.parametrize("early", [1, 2, 3])
def test_565_13_b_cards_before_no_more_bets_are_the_first_ones(kit: Any, early: int) -> None:
    table = Sitting(three_seats(), kit).to("WAGERS: 3")
    for _ in range(early):
        table.take_card()
        assert table.text == EARLY
    document = table.finish()
    assert document == {**table.expected(), "remedies": ["round_resumed"]}
    assert table.noted() == [("drawn_in_error", None, "565.13(b)")] * early


def test_565_13_a_early_card_that_lies_face_up_goes_to_the_rack() -> None:
    table = Sitting(three_seats(cards="^4h As 2d 9c Ks Kd 5h 7c Qs Qc 9h 2h 3s"), ALL_SENSORS).to("WAGERS: 3")
    table.take_card()
    document = table.finish()
    assert document == table.expected()
    assert document["order"][:2] == ["no_more_bets", "card 1 -> rack"]


def test_early_card_and_a_restart() -> None:
    table = Sitting(three_seats(), ALL_SENSORS).to("WAGERS: 3")
    table.take_card()
    table.restart()
    assert table.finish() == {**table.expected(), "remedies": ["round_resumed"]}


def test_card_before_the_shuffle_goes_back_into_the_deck() -> None:
    table = Sitting(three_seats(), PLAIN_SHOE).to("SHUFFLER DONE")
    table.take_card()
    assert table.text == "CARD IS NOT DUE: BACK INTO THE DECK"
    table.robot._out = 0
    table.bench.devices.load, table.bench.devices.count = table.robot.shoe_load(), 0
    assert table.finish() == table.expected()


def test_card_after_the_deal_of_a_game_that_draws_no_more_goes_to_the_rack() -> None:
    table = Sitting(three_seats(), ALL_SENSORS).to("SEAT 3")
    table.take_card()
    assert table.text == "CARD IS NOT DUE: TO THE DISCARD RACK"
    assert table.finish() == {**table.expected()}


def test_565_11_b_later_seat_that_decides_early_is_taken_at_its_turn() -> None:
    table = Sitting(three_seats(), PANEL_ALONE).to("SEAT 1: BET")
    assert {"seat_3", "seat_5"} <= set(table.lit)
    table.press("seat_5")
    assert table.text == "SEAT 5 IS EARLY: BET OR FOLD?"
    table.press("bet")
    assert table.text == "SEAT 5: BET, TAKEN AT ITS TURN"
    table.press("fold", "enter")
    assert table.text == "SEAT 3: BET OR FOLD?"
    assert table.decided() == [(1, "fold")]
    table.press("fold", "enter")
    assert table.text == "SEAT 5: BET OR FOLD?"
    assert table.core.prompt().standing == ("bet",)  # it may still be replaced
    table.restart()
    assert table.core.prompt().standing == ("bet",)
    table.wait()
    assert table.decided() == [(1, "fold"), (3, "fold"), (5, "bet")]
    assert table.text.startswith("DEALER")
    assert table.interrupts() == 0


def test_early_choice_is_given_up_by_the_key_of_the_seat_that_is_asked() -> None:
    table = Sitting(three_seats(), PANEL_ALONE).to("SEAT 1: BET")
    table.press("seat_3", "seat_1")
    assert table.text == "SEAT 1: BET OR FOLD?"
    table.press("seat_2")
    assert table.core.beep, "nobody plays there"
    table.press("bet", "enter", "seat_1")
    assert table.core.beep, "it has decided"
    assert table.decided() == [(1, "bet")]


def test_early_choice_that_is_not_offered_is_named() -> None:
    table = Sitting(three_seats(), PANEL_ALONE).to("SEAT 1: BET")
    table.core._desk.early[3] = "raise"
    table.press("bet", "enter")
    assert table.text == "SEAT 3: RAISE IS NOT OFFERED"
    table.press("cancel")
    assert table.text == "SEAT 3: BET OR FOLD?"


def test_chip_of_a_later_seat_is_taken_at_its_turn() -> None:
    table = Sitting(three_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.put(5, "play", "10.00")
    table.press("fold", "enter", "fold", "enter")
    assert table.decided() == [(1, "fold"), (3, "fold"), (5, "bet")]
    assert table.noted() == []


def test_chip_for_a_decision_before_no_more_bets_is_named() -> None:
    table = Sitting(three_seats(), ALL_SENSORS).to("WAGERS: 3")
    table.put(3, "play", "10.00")
    assert table.text == "SEAT 3: PLAY TOO EARLY, TAKE IT BACK"
    table.to("SEAT 1: BET")
    table.press("fold", "enter")
    assert table.text == "SEAT 3: BET OR FOLD?", "it means nothing"


def test_card_that_is_shown_early_is_named() -> None:
    table = Sitting(three_seats(), ALL_SENSORS).to("SEAT 3")
    table.show("Ks")
    assert table.text == "CARD SHOWN TOO EARLY: NOT TAKEN"
    table.press("bet")  # what counts puts an end to the line
    assert table.text == "SEAT 3: BET OR FOLD?"
    table.wait()
    table.to("DEALER")
    table.show("Ks")
    assert table.text == "DEALER: CARD 2 OF 3"
    table.show("Ks")
    assert table.text == "CARD WAS SHOWN ALREADY"


def test_half_keyed_wager_is_not_dropped_at_no_more_bets() -> None:
    table = Sitting(three_seats(), PANEL_ALONE).to("WAGERS: 3")
    table.press("seat_7", "ante", "digit_2", "digit_5", "no_more_bets")
    assert table.text == "SEAT 7 ANTE 25: ENTER FIRST"
    table.press("enter", "no_more_bets")
    assert table.core.stage == "DEALING"
    made = [event for event in table.bench.journal.events() if type(event).__name__ == "WagerMade"]
    assert [event.seat for event in made] == [1, 3, 5, 7]  # type: ignore[attr-defined]


@pytest.mark.parametrize("restart", [False, True])
def test_irregularity_does_not_take_back_what_was_keyed(restart: bool) -> None:
    table = Sitting(three_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.press("fold")
    table.put(7, "ante", "5.00")  # at a place that does not play
    assert table.core.prompt().standing == ("fold",)
    table.press("irregularity", *["next"] * 20)
    while "LATE WAGER" not in table.text:
        table.press("next")
    table.press("enter")
    if restart:
        table.restart()
    assert table.noted() == [("late_wager", None, "565.7(d)")]
    assert table.core.prompt().standing == ("fold",), "the choice stands as before"
    table.wait()
    assert table.decided() == [(1, "fold")]


def test_dealt_cards_shown_so_far_survive_an_irregularity() -> None:
    table = Sitting(three_seats(), ALL_SENSORS).to("DEALER: CARD 3")
    table.press("irregularity")
    while "POWER LOSS" not in table.text:
        table.press("next")
    table.press("enter")
    assert table.text == "DEALER: CARD 3 OF 3"
    assert table.finish()["wagers"] == table.expected()["wagers"]


# A card that leaves the shoe means hit -------------------------------------------------------------------------------


def twenty_one(*decisions: str) -> Scenario:
    seats = range(1, len(decisions) + 1)
    return scenario(
        TWENTY_ONE,
        {
            "round": [
                {
                    "wagers": {str(seat): {"blackjack": "10.00"} for seat in seats},
                    "decisions": {str(seat): [verb] for seat, verb in zip(seats, decisions, strict=True)},
                }
            ]
        },
    )


@pytest.mark.parametrize("kit", [ALL_SENSORS, NO_SCANNER, PLAIN_SHOE], ids=["all_sensors", "no_scanner", "plain_shoe"])
def test_card_that_leaves_while_a_hand_is_asked_means_hit(kit: Any) -> None:
    table = Sitting(twenty_one("hit", "stand"), kit).to("SEAT 1: HIT")
    table.take_card()
    assert table.text == "SEAT 2: HIT OR STAND?"
    assert table.decided() == [(1, "hit")]
    table.restart()
    assert table.finish() == table.expected()
    assert table.noted() == []


def test_card_makes_a_standing_choice_final_and_is_the_next_seats() -> None:
    table = Sitting(twenty_one("stand", "hit"), ALL_SENSORS).to("SEAT 1: HIT")
    table.press("stand")
    table.take_card()
    assert table.decided() == [(1, "stand"), (2, "hit")]
    table.robot._decisions[1].clear()
    assert table.finish() == table.expected()


def test_hit_that_stands_has_that_card() -> None:
    table = Sitting(twenty_one("hit", "stand"), ALL_SENSORS).to("SEAT 1: HIT")
    table.press("hit")
    table.take_card()
    assert table.decided() == [(1, "hit")]
    assert table.finish() == table.expected()


def test_672a_7_c_first_card_of_the_shoe_is_burned_before_the_wagers() -> None:
    table = Sitting(twenty_one("stand"), ALL_SENSORS).to("BURN CARD 1")
    table.take_card()
    assert table.text.startswith("WAGERS: 0")
    table.take_card()  # it is the first one of the deal
    assert table.text == EARLY
    assert table.finish() == {**table.expected(), "remedies": ["round_resumed"]}
    assert table.noted() == [("drawn_in_error", None, "672a.12(b)")]
