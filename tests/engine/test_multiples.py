"""A wager of one to three times another one (674a.11(b), (d), (f)): keyed, or laid down chip by chip."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.scenario import Scenario, parse
from tablectl.equipment import WagerSpot
from tests.engine.bench import ALL_SENSORS, PANEL_ALONE
from tests.engine.scenarios import fitting
from tests.engine.sitting import Sitting
from tests.engine.test_recovery import crash_everywhere

ROUND: dict[str, Any] = {
    "wagers": {
        "1": {"ante_across": "10.00", "ante_down": "10.00", "five_card_bonus": "5.00"},
        "4": {"ante_across": "25.00", "ante_down": "25.00"},
    },
    "cards": "9c Kd 3h 4s Td Kc 2c 9h 5c",
    "decisions": {"1": ["bet 3", "bet", "bet 2"], "4": ["bet 2", "fold"]},
}
KEYS = ("bet", "digit_1", "digit_2", "digit_3", "fold")


def two_seats() -> Scenario:
    rules = {"five_card_bonus": True}
    return parse({"game": "criss_cross_poker", "rules": rules, "table": {"shuffler": "counting"}, "round": [ROUND]})


def made(table: Sitting) -> list[tuple[int, str, int | None]]:
    """Bets that were made, in cents."""
    events = [event for event in table.bench.journal.events() if isinstance(event, e.WagerMade)]
    return [(x.seat, x.wager, x.amount) for x in events if x.wager in ("across", "down", "middle")]


def test_keys_that_count_are_lit_and_one_press_is_enough() -> None:
    table = Sitting(two_seats(), PANEL_ALONE).to("SEAT 1: BET")
    assert table.text == "SEAT 1: BET 1-3 OR FOLD?"
    assert [key for key in table.lit if key in KEYS] == list(KEYS)
    assert "digit_4" not in table.lit
    table.press("digit_3")
    assert table.core.prompt().standing == ("digit_3",)
    assert made(table) == [], "it stands for a moment, and may be replaced"
    table.press("digit_2")
    table.wait()
    assert made(table) == [(1, "across", 2000)]


def test_bet_alone_is_once() -> None:
    table = Sitting(two_seats(), PANEL_ALONE).to("SEAT 1: BET")
    table.press("bet", "seat_4", "digit_3", "enter")
    assert made(table) == [(1, "across", 1000), (4, "across", 7500)]


def test_later_seat_that_says_its_multiple_early() -> None:
    table = Sitting(two_seats(), PANEL_ALONE).to("SEAT 1: BET")
    table.press("seat_4", "digit_2")
    assert table.text == "SEAT 4: 2 TIMES, TAKEN AT ITS TURN"
    table.press("bet", "enter")
    table.wait()
    assert made(table) == [(1, "across", 1000), (4, "across", 5000)]


def test_chips_one_after_another_are_one_bet() -> None:
    table = Sitting(two_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.put(1, "across", "10.00")
    assert table.core.prompt().standing == ("digit_1",)
    table.put(1, "across", "30.00")
    assert made(table) == []
    table.wait(700)
    assert made(table) == [(1, "across", 3000)]
    assert table.noted() == []


def test_chips_of_the_next_seat_make_those_of_this_one_final() -> None:
    table = Sitting(two_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.put(1, "across", "20.00")
    table.put(4, "across", "75.00")
    table.wait(700)
    assert made(table) == [(1, "across", 2000), (4, "across", 7500)]


@pytest.mark.parametrize("amount", ["5.00", "15.00", "40.00"])
def test_674a_11_b_chips_that_are_no_multiple_do_not_count(amount: str) -> None:
    table = Sitting(two_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.put(1, "across", "20.00")
    table.put(1, "across", amount)
    assert table.text == "SEAT 1: ACROSS MUST BE 10.00 X 1-3"
    table.press("cancel")
    assert table.core.prompt().standing == (), "what stood before stands no longer"
    table.put(1, "across", "30.00")
    table.wait(700)
    assert made(table) == [(1, "across", 3000)]


def test_chips_that_stay_wrong_are_on_the_record() -> None:
    table = Sitting(two_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.put(1, "across", "15.00")
    table.press("cancel")
    table.wait()
    assert table.noted() == [("wrong_stake", "seat 1", "674a.7(d)")]


def test_chips_that_are_taken_back_in_time_are_no_bet() -> None:
    table = Sitting(two_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.put(1, "across", "20.00")
    table.lift(1, "across")
    assert table.core.prompt().standing == ()
    table.press("fold", "enter")
    assert made(table) == []
    assert table.decided() == [(1, "fold")]


def test_chips_added_after_the_decision_must_go() -> None:
    table = Sitting(two_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.put(1, "across", "20.00")
    table.wait(700)
    table.put(1, "across", "30.00")
    table.wait()
    assert table.noted() == [("wager_changed", "seat 1", "674a.7(c)")]
    assert table.text == "SEAT 1: ACROSS MUST BE 20.00"


def test_a_chip_of_an_unknown_amount_asks_how_many_times() -> None:
    table = Sitting(two_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.give("wagers", WagerSpot(1, "across", True, None))
    assert table.text == "SEAT 1: ACROSS TIMES? 1-3"
    table.press("cancel", "digit_2", "enter")
    assert made(table) == [(1, "across", 2000)]


def test_a_restart_forgets_no_chip() -> None:
    table = Sitting(two_seats(), ALL_SENSORS).to("SEAT 1: BET")
    table.put(1, "across", "20.00")
    table.restart()
    assert table.core.prompt().standing == ("digit_2",)
    table.put(1, "across", "30.00")
    table.wait(700)
    assert made(table) == [(1, "across", 3000)]


@pytest.mark.parametrize("kit", [ALL_SENSORS, PANEL_ALONE], ids=["all_sensors", "panel_alone"])
def test_crash_at_every_moment_of_a_round_goes_on_from_the_same_step(kit: Any) -> None:
    scenario = two_seats()
    crash_everywhere(replace(scenario, setup=replace(scenario.setup, decks=1)), fitting(scenario, kit))
