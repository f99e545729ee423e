"""Wager sensors are watched until settlement: what comes, goes or changes after "no more bets" (565.7(d))."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl.engine.scenario import Scenario, parse
from tablectl.equipment import Description, Kind, LinkLost, LinkUp, WagerSpot
from tests.engine.bench import ALL_SENSORS
from tests.engine.sitting import Sitting


def two_seats(**more: Any) -> Scenario:
    return parse(
        {
            "game": "three_card_poker",
            "table": {"shuffler": "counting"},
            "round": [
                {
                    "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
                    "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
                    "decisions": {"1": ["bet"], "3": ["fold"]},
                    **more,
                }
            ],
        }
    )


MOMENTS = ["DEAL CARD 4", "SEAT 1: BET", "SEAT 3: BET", "DEALER: TURN", "SEAT 1: TURN"]


def at(moment: str) -> Sitting:
    return Sitting(two_seats(), ALL_SENSORS).to(moment)


@pytest.mark.parametrize("moment", MOMENTS)
def test_chips_that_come_late_are_recorded_and_named(moment: str) -> None:
    table = at(moment)
    table.put(3, "pair_plus", "5.00")
    assert table.noted() == [], "a sensor that bounces is none"
    table.wait()
    assert table.noted() == [("late_wager", "seat 3", "565.7(d)")]
    assert table.text == "SEAT 3: PAIR PLUS LATE, TAKE IT BACK"
    table.press("cancel")
    assert table.text.startswith(moment.split(":", maxsplit=1)[0]), "the act that waits is shown again"
    table.lift(3, "pair_plus")
    document = table.finish()
    assert document == table.expected(), "it is no wager"
    assert table.noted() == [("late_wager", "seat 3", "565.7(d)")]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("amount", [None, "5.00", "100.00"])
def test_wager_that_is_changed_is_recorded_and_named_with_what_it_must_be(moment: str, amount: str | None) -> None:
    table = at(moment)
    if amount is None:
        table.lift(1, "ante")
    else:
        table.put(1, "ante", amount)
    table.wait()
    assert table.noted() == [("wager_changed", "seat 1", "565.7(d)")]
    assert table.text == "SEAT 1: ANTE MUST BE 10.00"
    table.put(1, "ante", "10.00")
    assert table.finish() == table.expected(), "settled as it was staked"
    assert table.noted() == [("wager_changed", "seat 1", "565.7(d)")]


def test_sensor_that_bounces_is_nothing() -> None:
    table = at("SEAT 1: BET")
    for _ in range(20):
        table.lift(1, "ante")
        table.put(1, "ante", "10.00")
        table.put(3, "pair_plus", "5.00")
        table.lift(3, "pair_plus")
    assert table.timers == []
    assert table.finish() == table.expected()
    assert table.noted() == []


def test_bounce_begins_its_time_anew() -> None:
    table = at("SEAT 1: BET")
    table.lift(1, "ante")
    first = table.core.deadlines
    table.put(1, "ante", "10.00")
    table.lift(1, "ante")
    assert len(first) == len(table.core.deadlines) == 1
    assert table.core.deadlines != first, "the timer that runs is another one"


def test_told_once_and_again_after_it_was_put_right() -> None:
    table = at("SEAT 1: BET")
    table.lift(1, "ante")
    table.wait()
    table.lift(1, "ante")
    table.put(1, "ante", "4.00")
    assert table.timers == []
    assert len(table.noted()) == 1
    table.put(1, "ante", "10.00")
    table.lift(1, "ante")
    table.wait()
    assert [kind for kind, _where, _cite in table.noted()] == ["wager_changed"] * 2


def test_of_several_each_is_named() -> None:
    table = at("SEAT 1: BET")
    table.lift(1, "ante")
    table.wait()
    table.lift(3, "ante")
    table.wait()
    assert table.text == "SEAT 3: ANTE MUST BE 25.00"
    table.put(3, "ante", "25.00")
    assert table.text == "SEAT 1: ANTE MUST BE 10.00", "the other one is still to be put right"


def test_wrong_stake_at_a_decision() -> None:
    table = at("SEAT 1: BET")
    table.put(1, "play", "5.00")
    assert table.text == "SEAT 1: PLAY MUST BE 10.00"
    table.wait()
    assert table.noted() == [("wrong_stake", "seat 1", "565.7(a)(1)")]
    assert table.text == "SEAT 1: PLAY MUST BE 10.00"
    table.put(1, "play", "10.00")
    assert table.decided() == [(1, "bet")]
    table.robot._decisions[1].clear()
    assert table.finish() == table.expected()


def test_chips_that_are_still_being_laid_are_no_wrong_stake() -> None:
    table = at("SEAT 1: BET")
    table.put(1, "play", "5.00")
    table.put(1, "play", "10.00")
    assert table.decided() == [(1, "bet")]
    assert table.timers == []
    assert table.noted() == []


@pytest.mark.parametrize("amount", ["25.00", "5.00"])
def test_play_wager_after_a_fold_is_late(amount: str) -> None:
    table = at("SEAT 3: BET")
    table.press("fold", "enter")
    table.put(3, "play", amount)
    table.wait()
    assert table.noted() == [("late_wager", "seat 3", "565.7(d)")]


def test_play_wager_of_a_seat_that_is_not_asked_is_late() -> None:
    table = at("SEAT 1: BET")
    table.put(5, "play", "10.00")
    table.wait()
    assert table.noted() == [("late_wager", "seat 5", "565.7(d)")]


def test_play_wager_that_is_changed_after_the_decision() -> None:
    table = at("SEAT 1: BET")
    table.put(1, "play", "10.00")
    table.put(1, "play", "30.00")
    table.wait()
    assert table.noted() == [("wager_changed", "seat 1", "565.7(d)")]
    assert table.text == "SEAT 1: PLAY MUST BE 10.00"


def test_bet_that_was_keyed_waits_for_its_chips() -> None:
    table = at("SEAT 1: BET")
    table.press("bet", "enter")
    assert table.timers == []
    table.put(1, "play", "15.00")
    table.wait()
    assert table.noted() == [("wrong_stake", "seat 1", "565.7(a)(1)")]
    table.put(1, "play", "10.00")
    table.lift(1, "play")
    table.wait()
    assert table.noted()[1:] == [("wager_changed", "seat 1", "565.7(d)")]


def test_dealer_collects_a_folded_ante_before_the_last_decision() -> None:
    document = two_seats(decisions={"1": ["fold"], "3": ["bet"]})
    table = Sitting(document, ALL_SENSORS).to("SEAT 1: BET")
    table.press("fold", "enter")
    table.robot._decisions[1].clear()
    table.lift(1, "ante")
    assert table.timers == []
    assert table.finish() == table.expected()
    assert table.noted() == []


def test_settled_chips_go_as_they_like() -> None:
    table = Sitting(two_seats(decisions={"1": ["bet"], "3": ["bet"]}), ALL_SENSORS).to("SEAT 1: TURN")
    table.lift(3, "ante")  # lost, and collected
    table.lift(3, "play")
    assert table.timers == []
    assert table.finish()["outcome"] == "completed"
    assert table.noted() == []


def test_standing_choice_survives_a_late_wager() -> None:
    table = at("SEAT 1: BET")
    table.press("bet")
    table.put(3, "pair_plus", "5.00")
    assert table.timers == [700, 500], "neither waits for the other"
    table.wait(500)
    assert table.noted() == [("late_wager", "seat 3", "565.7(d)")]
    assert table.text == "SEAT 3: PAIR PLUS LATE, TAKE IT BACK"
    assert table.core.prompt().standing == ("bet",)
    table.restart()
    assert table.timers == [700]
    table.wait()
    assert table.decided() == [(1, "bet")]
    assert table.text == "SEAT 3: BET OR FOLD? (RESUMED)"


def test_sensors_that_come_back_tell_what_has_changed_meanwhile() -> None:
    table = at("SEAT 1: BET")
    table.give("wagers", LinkLost("unplugged"))
    table.give("wagers", LinkUp(Description(Kind.WAGER_SENSORS, "bench", "wagers", "1", ())))
    table.put(1, "ante", "10.00")
    table.put(1, "pair_plus", "5.00")
    assert table.timers == [], "told once more, nothing is new"
    table.lift(3, "ante")
    table.wait()
    assert table.noted() == [("wager_changed", "seat 3", "565.7(d)")]


def test_presence_alone() -> None:
    scenario = two_seats()
    table = Sitting(scenario, replace(ALL_SENSORS)).to("WAGERS: 0")
    for seat, wager in ((1, "ante"), (1, "pair_plus"), (3, "ante")):
        table.give("wagers", WagerSpot(seat, wager, True, None))
    table.robot._wagers.clear()
    table.to("SEAT 1: BET")
    table.lift(1, "pair_plus")
    table.wait()
    assert table.text == "SEAT 1: PAIR PLUS MUST STAY"
    assert table.noted() == [("wager_changed", "seat 1", "565.7(d)")]


def test_nothing_is_watched_before_no_more_bets() -> None:
    table = at("WAGERS: 3")
    table.lift(3, "ante")
    table.put(3, "ante", "30.00")
    table.put(6, "pair_plus", "5.00")
    assert table.timers == []
    table.press("no_more_bets")
    assert table.timers == []
    assert table.noted() == []
