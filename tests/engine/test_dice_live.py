"""A table with dice at its panel: with a shaker and without, dice that are cocked, a set of dice that is brought."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.core import Core
from tablectl.engine.inputs import Input
from tablectl.engine.performances.dice import call
from tablectl.engine.prompts import LINE
from tablectl.engine.scenario import Scenario, parse
from tablectl.equipment import Badge, DiceAge, KeyPressed, LinkLost, Message, NewDice, Shaken
from tablectl.procedure import instructions as acts
from tablectl.procedure.table import Phase
from tablectl_hil.robot import Kit, RobotDealer
from tests.engine.bench import ALL_SENSORS, IDENTITY, PANEL_ALONE, Bench
from tests.engine.scenarios import fitting
from tests.engine.sitting import Sitting
from tests.engine.test_recovery import crash_everywhere

SHAKER = replace(ALL_SENSORS, shaker="shaker")
FIRST = "1 1 1 2 2 3 3 4 5 6"
STEPS = 40


def dice(*throws: str, incidents: Any = (), wagers: Any = None, rules: Any = None) -> Scenario:
    script = {"wagers": {"1": wagers or {"pip_1": "5.00"}}, "dice": list(throws), "incidents": list(incidents)}
    return parse({"game": "high_roll_dice", "rules": rules or {}, "round": [script]})


def thrown(table: Sitting) -> list[tuple[tuple[int, ...], str | None]]:
    events = table.bench.journal.events()
    return [(event.faces, event.incident) for event in events if isinstance(event, e.DiceThrown)]


def faces(text: str) -> tuple[int, ...]:
    return tuple(int(face) for face in text.split())


def shake_and_throw(table: Sitting, *lie: str) -> None:
    table.bench.devices.dice = list(lie)
    for count in (1, 2, 3):
        table.give("shaker", Shaken(count))
    assert table.text == "THROW THE DICE: DONE"
    table.press("done")


@pytest.mark.parametrize("kit", [SHAKER, ALL_SENSORS, PANEL_ALONE], ids=["shaker", "sensors", "panel_alone"])
@pytest.mark.parametrize("number", [10, 6])
def test_675a_4_b_round_by_shaker_and_by_keys(kit: Kit, number: int) -> None:
    wagers = {"pip_1": "5.00", "like_3": "5.00"}
    throws = [FIRST] if number == 10 else ["1 1 1 2 3 4"]
    table = Sitting(dice(*throws, wagers=wagers, rules={"dice": number}), kit)
    assert table.finish() == table.expected()
    assert thrown(table) == [(faces(throws[0]), None)]


def test_675a_4_b_three_shakes_before_the_throw() -> None:
    table = Sitting(dice(FIRST), SHAKER).to("SHAKE THE DICE: 0 OF 3")
    table.give("shaker", Shaken(1))
    table.press("done")
    assert table.text == "ONLY 1 SHAKES: COVER, SHAKE 3 TIMES"
    assert thrown(table) == []


def test_675a_4_c_cocked_die_counts_as_the_shaker_reads_it() -> None:
    table = Sitting(dice(FIRST), SHAKER).to("SHAKE THE DICE: 0")
    shake_and_throw(table, "1:cocked", *FIRST.split()[1:])
    assert thrown(table) == [(faces(FIRST), "die_cocked")]
    assert table.text == "3 ACES TO THEIR BOX, UNCOVERED: DONE"


def test_675a_4_c_face_of_a_cocked_die_that_cannot_be_read_is_keyed() -> None:
    table = Sitting(dice(FIRST), SHAKER).to("SHAKE THE DICE: 0")
    shake_and_throw(table, "?:cocked", *FIRST.split()[1:])
    assert table.text == "DICE NOT READABLE: KEY THEM"
    table.press(*(f"digit_{face}" for face in FIRST.split()), "enter")
    assert thrown(table) == [(faces(FIRST), "die_cocked")]


@pytest.mark.parametrize("worse", ["stacked", "off_table", "cocked_twice"])
def test_675a_4_b_and_c_the_worst_die_says_what_the_throw_is(worse: str) -> None:
    table = Sitting(dice(FIRST), SHAKER).to("SHAKE THE DICE: 0")
    shake_and_throw(table, "1:cocked", f"1:{worse}", *FIRST.split()[2:])
    ((_faces, kind),) = thrown(table)
    assert kind == {"stacked": "dice_stacked", "off_table": "die_off_table", "cocked_twice": "die_cocked"}[worse]
    assert table.text.startswith("SHAKE THE DICE: 0"), "it is thrown again"


@pytest.mark.parametrize("kit", [SHAKER, PANEL_ALONE], ids=["shaker", "panel_alone"])
def test_675a_4_c_dealer_reports_a_cocked_die_and_keys_what_counts(kit: Kit) -> None:
    table = Sitting(dice(FIRST), kit).to("SHAKE ")
    table.press("irregularity", "next", "next", "enter", "digit_1", "enter")
    assert table.text.startswith("COCKED: OPPOSITE SIDE COUNTS. DICE:" if kit is PANEL_ALONE else "DICE NOT READABLE")
    table.press(*(f"digit_{face}" for face in FIRST.split()))
    assert table.text == "DICE: 1112233456? ENTER"
    table.press("enter")
    assert thrown(table) == [(faces(FIRST), "die_cocked")]


def test_675a_4_g_dice_that_are_thrown_once_more_are_those_that_are_left() -> None:
    wagers = {"pip_1": "5.00", "like_5": "5.00", "extra_roll": "5.00"}
    table = Sitting(dice(FIRST, "1 1 2 3 4 5 6", wagers=wagers), PANEL_ALONE).to("3 ACES TO THEIR BOX")
    table.press("done")
    table.press(*(f"digit_{face}" for face in "1123456"))
    assert table.text == "DICE: 1123456? ENTER"
    table.press("digit_1")
    assert table.text == "DICE: 1123456? ENTER", "there are no more than seven"
    table.press("enter")
    assert table.text == "2 ACES TO THEIR BOX, UNCOVERED: DONE"


def test_675a_4_h_where_none_comes_the_number_is_called_all_the_same() -> None:
    wagers = {"pip_1": "5.00", "like_5": "5.00", "extra_roll": "5.00"}
    table = Sitting(dice(FIRST, "2 2 2 3 4 5 6", wagers=wagers), PANEL_ALONE).to("NO MORE")
    assert table.text == "NO MORE ACES, CALL 3: DONE"


def test_every_call_fits_the_panels_line() -> None:
    for face in range(1, 7):
        for more in range(11):
            prompt = call(acts.CallDice(face, 10, more, "675a.4(e)"), _no_desk()).prompt()
            assert len(prompt.text) <= LINE


def _no_desk() -> Any:
    """A call needs nothing of the desk."""
    return None


def test_nothing_can_be_spread_at_a_table_with_dice() -> None:
    table = Sitting(dice(FIRST), PANEL_ALONE).to("WAGERS: 0")
    assert "spread" not in table.lit


# Restarts -------------------------------------------------------------------------------------------------------------


EXTRA = dice(
    FIRST,
    "1 1 2 3 4 5 6",
    "1 1 2 3 4 5 6",
    incidents=[{"at": "throw 2", "kind": "die_off_table"}, {"at": "throw 3", "kind": "die_cocked", "sides": 1}],
    wagers={"pip_1": "5.00", "like_5": "5.00", "extra_roll": "5.00"},
)


@pytest.mark.parametrize("kit", [SHAKER, PANEL_ALONE], ids=["shaker", "panel_alone"])
def test_crash_at_every_moment_goes_on_from_the_same_step(kit: Kit) -> None:
    crash_everywhere(EXTRA, fitting(EXTRA, kit))


def test_round_that_cannot_be_resumed_leaves_the_dice_at_the_table() -> None:
    table = Sitting(dice(FIRST), ALL_SENSORS).to("3 ACES TO THEIR BOX")
    table.bench.start(replace(IDENTITY, version="other"))
    table.bench.take(Input("reader", Badge("4711")))
    table.bench.take(Input("panel", KeyPressed("void_round")))
    document = table.bench.document(1, ())
    assert (document["outcome"], document["cause"]) == ("void", "power_loss")
    assert [row["returned"] for row in document["wagers"]] == ["5.00"]
    assert document["deck"] == {"id": "dice-1", "disposition": "continue"}


# The opening ----------------------------------------------------------------------------------------------------------


def closed(kit: Kit) -> Bench:
    scenario = dice(FIRST)
    begun = replace(scenario.first_state(), decks=(), deck_number=0, phase=Phase.CLOSED)
    return Bench(scenario, fitting(scenario, kit), begun=begun)


def give(bench: Bench, device: str, message: Message) -> None:
    bench.take(Input(device, message, f"boot {device}", 1))


def text(bench: Bench) -> str:
    assert isinstance(bench.core, Core)
    return bench.core.prompt().text


def let_open(bench: Bench) -> None:
    robot = RobotDealer(bench.scenario.game, bench.scenario.rounds[0], (), bench.kit)
    for _ in range(STEPS):
        if bench.core.state.phase is Phase.OPEN:
            return
        assert bench.step(robot), f"stuck at {bench.core.prompt()}"
    raise AssertionError("it does not open")


@pytest.mark.parametrize("kit", [ALL_SENSORS, PANEL_ALONE], ids=["reader", "key_switch"])
def test_675a_3_set_of_dice_is_brought_with_a_badge(kit: Kit) -> None:
    bench = closed(kit)
    assert text(bench) == "SET 1 OF 10 DICE: BADGE"
    give(bench, "panel", KeyPressed("done"))
    assert text(bench) == "SET 1 OF 10 DICE: BADGE"
    let_open(bench)
    told = [event for event in bench.journal.events() if isinstance(event, e.DiceReceived | e.StepAttested)]
    badge = "4711" if kit is ALL_SENSORS else "key switch"
    assert told[0] == e.DiceReceived("dice-1", 10, badge)
    assert [step.step for step in told[1:] if isinstance(step, e.StepAttested)] == ["inspect_dice", "shaker"]


def test_shaker_is_told_of_new_dice() -> None:
    bench = closed(SHAKER)
    give(bench, "badges", Badge("4711"))
    assert text(bench) == "SET 1 OF 10 DICE IS HERE: DONE"
    give(bench, "panel", KeyPressed("done"))
    number, command, _count = bench.devices.told["shaker"]
    assert command == NewDice.__name__
    give(bench, "shaker", DiceAge(number + 1, 0, 0))
    assert text(bench) == "TELLING THE SHAKER, OR IRREGULARITY"
    give(bench, "shaker", DiceAge(number, 0, 0))
    assert text(bench) == "INSPECT ALL THE DICE: BADGE"


def test_shaker_that_is_lost_meanwhile_does_not_hold_the_dice_up() -> None:
    bench = closed(SHAKER)
    give(bench, "badges", Badge("4711"))
    give(bench, "panel", KeyPressed("done"))
    give(bench, "shaker", LinkLost("unplugged"))
    assert any(isinstance(event, e.DiceReceived) for event in bench.journal.events())
