"""The starting position and other throws: by shaker and generator, or keyed; throws that do not count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.equipment import DiceRead, DoorMoved, LinkLost, Shaken
from tests.engine.bench import ALL_SENSORS, PANEL_ALONE
from tests.engine.sitting import Sitting
from tests.procedure.irregular_games import DICE, PAI_GOW_GAME, scenario

SHAKER = replace(ALL_SENSORS, shaker="shaker")
GENERATOR = replace(ALL_SENSORS, rng="rng")
WAGERS = {"wagers": {"2": {"pai_gow": "10.00"}}, "decisions": {"2": ["house_way"]}}


def pai_gow(method: str = "shaker", **more: Any) -> Any:
    return scenario(PAI_GOW_GAME, {"rules": {"starting_position": method}, "round": [{**WAGERS, **more}]})


def thrown(table: Sitting) -> list[tuple[int, tuple[int, ...], str | None]]:
    return [
        (event.number, event.faces, event.incident)
        for event in table.bench.journal.events()
        if isinstance(event, e.DiceThrown)
    ]


@pytest.mark.parametrize("kit", [SHAKER, PANEL_ALONE], ids=["shaker", "panel_alone"])
def test_561_12_b_dice_are_shaken_three_times_and_totaled(kit: Any) -> None:
    table = Sitting(pai_gow(dice=["1 3 6"]), kit)
    document = table.finish()
    assert document == table.expected()
    assert thrown(table) == [(1, (1, 3, 6), None)]
    assert document["order"][1:3] == ["throw 1", "start seat 5"]


@pytest.mark.parametrize("kind", ["no_roll"])
@pytest.mark.parametrize("kit", [SHAKER, PANEL_ALONE], ids=["shaker", "panel_alone"])
def test_561_14_a_die_that_does_not_lie_flat_is_no_roll(kind: str, kit: Any) -> None:
    table = Sitting(pai_gow(dice=["1 3 6", "2 2 2"], incidents=[{"at": "throw 1", "kind": kind}]), kit)
    assert table.finish() == table.expected()
    assert [(number, incident) for number, _faces, incident in thrown(table)] == [(1, kind), (2, None)]


def test_uncovered_after_too_few_shakes_is_named() -> None:
    table = Sitting(pai_gow(dice=["1 3 6"]), SHAKER).to("SHAKE THE DICE: 0 OF 3")
    table.bench.devices.dice = ["1", "3", "6"]
    for count in (1, 2):
        table.give("shaker", Shaken(count))
    table.give("shaker", DoorMoved(True))
    assert table.text == "ONLY 2 SHAKES: COVER, SHAKE 3 TIMES"
    table.give("shaker", Shaken(3))
    table.press("done")
    assert table.core.stage == "DEALING"
    assert thrown(table) == [(1, (1, 3, 6), None)]


def test_face_that_the_shaker_is_not_told_is_keyed() -> None:
    table = Sitting(pai_gow(dice=["1 3 6"]), SHAKER).to("SHAKE THE DICE: 0 OF 3")
    table.bench.devices.dice = ["1", "?", "6"]
    for count in (1, 2, 3):
        table.give("shaker", Shaken(count))
    table.press("done")
    assert table.text == "DICE NOT READABLE: KEY THEM"
    table.press("digit_1", "digit_3", "digit_5", "clear", "digit_6")
    assert table.text == "DICE: TOTAL 10? ENTER"
    table.press("enter")
    assert thrown(table) == [(1, (1, 3, 6), None)]


def test_shaker_that_is_lost_is_done_without() -> None:
    table = Sitting(pai_gow(dice=["1 3 6"]), SHAKER).to("WAGERS: 1")
    table.give("shaker", LinkLost("unplugged"))
    table.press("no_more_bets")
    assert table.text == "SHAKE 3 TIMES. DICE: _"
    table.press("digit_1", "digit_3", "digit_6", "enter")
    assert thrown(table) == [(1, (1, 3, 6), None)]


@pytest.mark.parametrize("kit", [GENERATOR, PANEL_ALONE], ids=["generator", "panel_alone"])
@pytest.mark.parametrize(("shown", "start"), [(1, "dealer"), (2, "seat 6"), (7, "seat 1")])
def test_561_12_c_number_counts_counterclockwise_from_the_dealer(kit: Any, shown: int, start: str) -> None:
    table = Sitting(pai_gow("rng", rng=[shown]), kit)
    document = table.finish()
    assert document == table.expected()
    assert document["order"][1:3] == [f"rng {shown}", f"start {start}"]


def test_number_that_is_not_possible_is_not_taken() -> None:
    table = Sitting(pai_gow("rng", rng=[7]), PANEL_ALONE).to("NUMBER SHOWN, 1 TO 7?")
    table.press("digit_0", "digit_8", "digit_9")
    assert table.text == "NUMBER SHOWN, 1 TO 7?"
    assert table.core.beep


def test_dice_that_are_thrown_by_a_shaker_of_another_game() -> None:
    """Six dice, thrown: stacked ones are thrown again, one cocked on one side counts (675a.4(b), (c))."""
    incidents = [{"at": "throw 1", "kind": "dice_stacked"}, {"at": "throw 2", "kind": "die_cocked", "sides": 1}]
    dice = ["1 1 1 1 1 1", "1 1 1 2 2 3"]
    document = {"round": [{"wagers": {"1": {"pip_1": "5.00"}}, "dice": dice, "incidents": incidents}]}
    table = Sitting(scenario(DICE, document), SHAKER)
    outcome = table.finish()
    assert outcome == table.expected()
    assert [(number, incident) for number, _faces, incident in thrown(table)] == [
        (1, "dice_stacked"),
        (2, "die_cocked"),
    ]
    assert [row["result"] for row in outcome["wagers"]] == ["win"]


def test_answer_to_an_earlier_read_is_not_taken() -> None:
    table = Sitting(pai_gow(dice=["1 3 6"]), SHAKER).to("SHAKE THE DICE: 0 OF 3")
    table.give("shaker", DiceRead(4, 3, ()))
    assert table.text == "SHAKE THE DICE: 0 OF 3"


@pytest.mark.parametrize("moment", ["SHAKE THE DICE: 0", "SHAKE THE DICE: 2", "UNCOVER"])
def test_restart_in_the_middle_of_a_throw(moment: str) -> None:
    table = Sitting(pai_gow(dice=["1 3 6"]), SHAKER).to(moment)
    table.restart()
    assert table.text.startswith(moment), "the shakes before count"
    assert table.finish() == table.expected()
