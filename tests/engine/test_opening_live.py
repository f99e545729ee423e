"""A live table opens, has its cards cut, and lies idle: on the panel, with a crash at every moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, FaceDown, card, seat
from tablectl.engine.core import Core
from tablectl.engine.inputs import Input
from tablectl.engine.performances.opening import _STEPS
from tablectl.engine.performances.shuffling import _CUTS
from tablectl.engine.performances.spreading import _SHOWN
from tablectl.engine.prompts import LINE
from tablectl.engine.scenario import Scenario
from tablectl.engine.script import play
from tablectl.equipment import Badge, CardLeft, KeyPressed, Message, ShuffleFinished, StartShuffle, WagerSpot
from tablectl.money import Money
from tablectl.procedure.game import Game
from tablectl.procedure.table import Phase
from tablectl_hil.robot import Kit, RobotDealer
from tests.engine.bench import ALL_SENSORS, IDENTITY, PANEL_ALONE, PLAIN_SHOE, Bench, Moment
from tests.engine.scenarios import fitting, without_deck
from tests.engine.test_recovery import CrashAt
from tests.procedure.stand_ins import LATER_CHAPTER, PAI_GOW_LIKE, SHOE_GAME, THREE_CARD_POKER, scenario_of

ROUND = {
    "wagers": {"3": {"ante": "10.00"}, "5": {"ante": "25.00"}},
    "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
    "decisions": {"3": ["bet"], "5": ["bet"]},
}
WITH_READER = replace(ALL_SENSORS, card_reader="card_reader")
CLOSED: dict[str, Any] = {"decks": (), "deck_number": 0, "phase": Phase.CLOSED}


def closed_table(
    game: Game, kit: Kit, table: dict[str, Any] | None = None, self_tests: Sequence[str] = (), **setup: Any
) -> Bench:
    """A table that has no journal yet: it is closed."""
    scenario = scenario_of(game, {"table": table or {}, "round": [ROUND]}, **setup)
    begun = replace(scenario.first_state(), **CLOSED)
    return Bench(scenario, fitting(scenario, kit), begun=begun, self_tests=self_tests)


def give(bench: Bench, device: str, *messages: Message) -> None:
    for message in messages:
        bench.deliver(Input(device, message, f"boot {device}", 1))


def press(bench: Bench, *keys: str) -> None:
    for key in keys:
        give(bench, "panel", KeyPressed(key))


def robot_of(scenario: Scenario, kit: Kit) -> RobotDealer:
    return RobotDealer(scenario.game, scenario.rounds[0], (), kit)


def is_open(bench: Bench) -> bool:
    return bench.core.state.phase is Phase.OPEN


def let_open(bench: Bench, robot: RobotDealer) -> None:
    for _ in range(100):
        if is_open(bench):
            return
        assert bench.step(robot), f"stuck at {bench.core.prompt()}"
    raise AssertionError("it does not open")


def told(bench: Bench) -> list[e.Event]:
    """The events but those of a start."""
    lifecycle = (e.TableStarted, e.TableStopped, e.FaultLatched)
    return [event for event in bench.journal.events() if not isinstance(event, lifecycle)]


def opening(bench: Bench) -> list[e.Event]:
    """What was told up to the opening."""
    events = told(bench)
    return events[: next(n for n, event in enumerate(events) if isinstance(event, e.TableOpened)) + 1]


# The opening --------------------------------------------------------------------------------------------------------

TABLES: dict[str, tuple[Game, dict[str, Any], dict[str, Any]]] = {
    "one_deck": (THREE_CARD_POKER, {}, {}),
    "two_decks": (LATER_CHAPTER, {"shuffler": "counting"}, {"decks": 2}),
    "joker": (PAI_GOW_LIKE, {}, {}),
    "batch": (SHOE_GAME, {}, {}),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("kit", [WITH_READER, PANEL_ALONE], ids=["all_sensors", "panel_alone"])
def test_table_opens_whatever_equipment_it_has_and_wherever_it_crashes(name: str, kit: Kit) -> None:
    game, table, setup = TABLES[name]
    smooth = closed_table(game, kit, table, **setup)
    let_open(smooth, robot_of(smooth.scenario, smooth.kit))
    assert [type(event).__name__ for event in opening(smooth)][-3:] == ["StepAttested", "StepAttested", "TableOpened"]
    assert len(smooth.core.state.decks) == setup.get("decks", 1)
    assert smooth.core.state.first_player == 3
    counter = CrashAt(0)
    counted = closed_table(game, kit, table, **setup)
    counted.moment = counter
    let_open(counted, robot_of(counted.scenario, counted.kit))
    for wanted in counter.to_try(counted):
        bench = closed_table(game, kit, table, **setup)
        crash = bench.moment = CrashAt(wanted)
        let_open(bench, robot_of(bench.scenario, bench.kit))
        assert bench.reasons == []
        assert crash.happened
        assert opening(bench) == opening(smooth), f"{crash.happened}, moment {wanted}"


def test_table_opens_and_the_round_after_it_is_dealt() -> None:
    scenario = scenario_of(THREE_CARD_POKER, {"round": [ROUND]})
    bench = closed_table(THREE_CARD_POKER, ALL_SENSORS)
    documents = bench.play()
    assert [without_deck(document) for document in documents] == [without_deck(d) for d in play(scenario)["rounds"]]
    kinds = [type(event) for event in bench.journal.events()]
    assert kinds.index(e.TableOpened) < kinds.index(e.RoundOpened)


def test_nothing_counts_at_a_closed_table_but_the_step_that_is_asked_for() -> None:
    bench = closed_table(THREE_CARD_POKER, ALL_SENSORS)
    for key in ("no_more_bets", "shuffled", "cut", "dealt", "seat_1", "expose", "done", "new_deck", "spread"):
        press(bench, key)
        assert bench.core.beep, key
    assert bench.core.prompt().text == "DECK 1: FLOORPERSON'S BADGE"
    give(bench, "shoe", CardLeft(1, FaceDown(card("As")), face_up=False))
    give(bench, "reader", Badge("99"))  # nobody's
    press(bench, "digit_1")
    assert bench.core.stage == "CLOSED"
    kinds = [type(event).__name__ for event in told(bench)]
    assert "DeckReceived" not in kinds
    assert "CardDealt" not in kinds
    assert "IrregularityNoted" in kinds, "a card that leaves a closed table's shoe is on the record"


def test_deck_is_brought_with_a_badge_and_named_by_its_colour() -> None:
    bench = closed_table(LATER_CHAPTER, ALL_SENSORS, {"shuffler": "counting"}, decks=2, backs=("green", "gold", "red"))
    give(bench, "reader", Badge("4711"))
    assert bench.core.prompt().text == "DECK 1: 1 GREEN 2 GOLD 3 RED"
    press(bench, "digit_2", "done")
    give(bench, "reader", Badge("4711"), Badge("4711"))
    assert bench.core.prompt().text == "DECK 2: 1 GREEN 2 RED"
    press(bench, "preshuffled", "digit_2")
    received = [(event.back, event.preshuffled) for event in told(bench) if isinstance(event, e.DeckReceived)]
    assert received == [("gold", False), ("red", True)]


def test_floorperson_verifies_with_a_badge_and_the_second_joker_takes_both() -> None:
    bench = closed_table(PAI_GOW_LIKE, ALL_SENSORS)
    give(bench, "reader", Badge("4711"))
    press(bench, "digit_1", "done", "done")
    assert bench.core.prompt().text == "SECOND JOKER TORN UP, IF ANY: BADGE"
    give(bench, "reader", Badge("4711"))
    assert bench.core.prompt().text == "SECOND JOKER TORN UP, IF ANY: DONE"
    press(bench, "done")
    assert bench.core.prompt().text == "VERIFY THE INSPECTION: BADGE"
    press(bench, "done")
    assert bench.core.beep
    give(bench, "reader", Badge("4711"))
    attested = [(event.step, event.by, event.credential) for event in told(bench) if isinstance(event, e.StepAttested)]
    assert attested[1:] == [("second_joker", "both", "4711"), ("verify", "floorperson", "4711")]


def spread_table(kit: Kit) -> Bench:
    """A table whose cards lie spread for the first player."""
    bench = closed_table(THREE_CARD_POKER, kit)
    robot = robot_of(bench.scenario, bench.kit)
    for _ in range(20):
        if bench.core.prompt().text.endswith(": SEAT?"):
            return bench
        assert bench.step(robot)
    raise AssertionError(bench.core.prompt().text)


def test_first_player_is_keyed() -> None:
    bench = spread_table(PANEL_ALONE)
    assert bench.core.prompt().text == "FIRST PLAYER LOOKS AT THE CARDS: SEAT?"
    press(bench, "done")
    assert bench.core.beep, "nobody has come"
    press(bench, "seat_6", "done", "done")
    assert bench.core.state.first_player == 6


def test_first_player_is_seen_by_a_wager_sensor_and_the_dealer_may_know_better() -> None:
    for keys, first in ((("done",), 4), (("seat_2",), 2)):
        bench = spread_table(ALL_SENSORS)
        give(bench, "wagers", WagerSpot(4, "ante", True, Money(1000)), WagerSpot(5, "ante", True, Money(1000)))
        assert bench.core.prompt().text == "SEAT 4 IS FIRST. HAS LOOKED: DONE"
        press(bench, *keys, "done", "done")
        assert bench.core.state.first_player == first


def test_672a_2_d_card_reader_tests_itself_and_a_floorperson_answers_for_it() -> None:
    bench = closed_table(SHOE_GAME, WITH_READER)
    assert bench.core.prompt().text == "READER WORKS, UNTAMPERED: BADGE"
    assert [event.passed for event in told(bench) if isinstance(event, e.DeviceTested)] == [True]
    give(bench, "reader", Badge("4711"))
    assert bench.core.prompt().text == "DECK 1: FLOORPERSON'S BADGE"
    without = closed_table(SHOE_GAME, ALL_SENSORS)
    assert without.core.prompt().text == "READER WORKS, UNTAMPERED: BADGE"
    assert [event for event in told(without) if isinstance(event, e.DeviceTested)] == []


def test_672a_2_d_card_reader_that_fails_its_test_is_put_right_before_the_table_opens() -> None:
    bench = closed_table(SHOE_GAME, WITH_READER, self_tests=["lamp", "lens"])
    assert bench.core.prompt().text == "CARD READER: LAMP 672a.2(d)"
    press(bench, "enter")
    assert bench.core.stage == "CLOSED"
    assert bench.core.prompt().text == "CARD READER FAILED: PUT IT RIGHT, DONE"
    press(bench, "done", "done")
    results = [(event.passed, event.detail) for event in told(bench) if isinstance(event, e.DeviceTested)]
    assert results == [(False, "lamp"), (False, "lens"), (True, "")]
    assert bench.core.prompt().text == "READER WORKS, UNTAMPERED: BADGE"


# The cut ------------------------------------------------------------------------------------------------------------


def offered(game: Game, answers: dict[str, str], setup: dict[str, Any] | None = None) -> Scenario:
    return scenario_of(game, {"table": setup or {}, "round": [{**ROUND, "cut": answers}]})


@pytest.mark.parametrize("game", [PAI_GOW_LIKE, SHOE_GAME], ids=["pai_gow", "shoe"])
@pytest.mark.parametrize(
    "answers",
    [{"5": "cut"}, {"5": "no_cut", "3": "cut"}, {"5": "no_cut", "3": "no_cut"}],
    ids=["first", "second", "nobody"],
)
@pytest.mark.parametrize("kit", [ALL_SENSORS, PANEL_ALONE], ids=["all_sensors", "panel_alone"])
def test_561_5_d_offers_live_are_those_of_the_script(game: Game, answers: dict[str, str], kit: Kit) -> None:
    if game is SHOE_GAME:  # dealt two cards each, and nobody is asked
        answers, script = dict(answers), {**ROUND, "decisions": {}, "cards": "As 2d 9c Kd 5h 7c"}
    else:
        script = ROUND
    scenario = scenario_of(game, {"round": [{**script, "cut": answers}]})
    (expected,) = play(scenario)["rounds"]
    asked = [number for number in ("5", "3") if number in answers]
    assert [act for act in expected["order"] if act.startswith("ask")][: len(asked)] == [f"ask {n}" for n in asked]
    (document,) = Bench(scenario, fitting(scenario, kit)).play()
    assert without_deck(document) == without_deck(expected)


def test_561_5_d_one_press_names_who_takes_the_cut() -> None:
    for key, by in (("seat_3", seat(3)), ("dealer", DEALER)):
        scenario = offered(PAI_GOW_LIKE, {})
        bench = Bench(scenario, fitting(scenario, PANEL_ALONE))
        press(bench, "shuffled")
        assert bench.core.prompt().text == "STACK ON COVER CARD: SEAT 6 CUTS?"
        press(bench, key, "cut", "cut", "cut", "cut")
        assert [event.by for event in told(bench) if isinstance(event, e.DeckCut)] == [by]
        asked = [event.seat for event in told(bench) if isinstance(event, e.SeatAsked)]
        assert asked == [number for number in (3,) if key == "seat_3"], "nobody says that the others were there"


def test_561_5_d_no_refuses_and_next_passes_over_an_empty_place() -> None:
    scenario = offered(PAI_GOW_LIKE, {})
    bench = Bench(scenario, fitting(scenario, PANEL_ALONE))
    press(bench, "shuffled", "next", "no", "no")
    assert bench.core.prompt().text == "STACK ON COVER CARD: SEAT 3 CUTS?"
    press(bench, "seat_6")
    assert bench.core.beep, "the offer has passed that place"
    press(bench, "next", "next", "next")
    decided = [(event.seat, event.verb) for event in told(bench) if isinstance(event, e.SeatDecided)]
    assert decided == [(5, "no_cut"), (4, "no_cut")]
    assert bench.core.prompt().text == "DEALER: 2ND COVER 10+ FROM EITHER END"


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        (THREE_CARD_POKER, ["10+ OFF TOP ONTO COVER CARD, REST ON TOP"]),
        (LATER_CHAPTER, ["COVER CARD 10+ FROM TOP, ABOVE TO BOTTOM"]),
        (
            PAI_GOW_LIKE,
            [
                "DEALER: 2ND COVER 10+ FROM EITHER END",
                "2ND COVER AND ALL ABOVE TO THE BOTTOM",
                "1ST COVER CARD TO THE BOTTOM",
                "A COVER CARD: RACK, OR 4 FROM BOTTOM",
            ],
        ),
        (
            SHOE_GAME,
            [
                "DEALER: COVER CARD 10+ FROM EITHER END",
                "ALL ABOVE IT TO THE BOTTOM",
                "COVER CARD 1/4 OR MORE FROM THE BOTTOM",
                "STACK INTO THE SHOE: DONE",
            ],
        ),
    ],
    ids=["one_hand", "cover_card", "offered", "offered_shoe"],
)
def test_x_5_d_minimum_depths_and_cover_cards_in_the_order_of_the_text(game: Game, lines: Sequence[str]) -> None:
    scenario = offered(game, {})
    bench = Bench(scenario, fitting(scenario, PANEL_ALONE))
    press(bench, "shuffled")
    if game.shuffling.style.offered:
        press(bench, "dealer")
    shown = []
    while not bench.core.prompt().text.startswith("WAGERS"):
        shown.append(bench.core.prompt().text)
        press(bench, bench.core.prompt().lit[0])
    assert shown == list(lines)


def test_every_line_of_the_panel_is_whole() -> None:
    cuts = [line.format("SEAT 6") for steps in _CUTS.values() for line in steps]
    steps = [f"{text}: {how}" for text in _STEPS.values() for how in ("DONE", "BADGE")]
    assert [text for text in (*cuts, *steps, *_SHOWN.values()) if len(text) > LINE] == []


# An idle table ------------------------------------------------------------------------------------------------------


def idle_table(game: Game, kit: Kit, moment: Callable[[Moment], None] = lambda _name: None) -> Bench:
    """An open table with cut cards at which nobody plays."""
    scenario = scenario_of(game, {"round": [ROUND]})
    bench = Bench(scenario, fitting(scenario, kit))
    press(bench, "shuffled")
    if game.shuffling.style.offered:
        press(bench, "dealer")
    while not bench.core.prompt().text.startswith("WAGERS"):
        press(bench, bench.core.prompt().lit[0])
    bench.moment = moment
    return bench


def test_565_5_f_spread_counts_while_no_wager_lies() -> None:
    bench = idle_table(THREE_CARD_POKER, ALL_SENSORS)
    assert "spread" in bench.core.prompt().lit
    give(bench, "wagers", WagerSpot(4, "ante", True, Money(1000)))
    assert "spread" not in bench.core.prompt().lit
    press(bench, "spread")
    assert bench.core.beep
    give(bench, "wagers", WagerSpot(4, "ante", False, None))
    press(bench, "spread")
    assert bench.core.prompt().text == "SPREAD THE CARDS, FACE UP OR DOWN: DONE"


IDLE_LINES = {
    "2010": (
        THREE_CARD_POKER,
        [
            "SPREAD THE CARDS, FACE UP OR DOWN: DONE",
            "PLAYER HERE: CARDS UP, HE LOOKS. SEAT?",
            "TURN FACE DOWN AND WASH: DONE",
            "STACK THE CARDS: DONE",
            "SHUFFLE BY HAND, THEN SHUFFLED",
            "10+ OFF TOP ONTO COVER CARD, REST ON TOP",
        ],
    ),
    "later": (
        LATER_CHAPTER,
        [
            "SHOE AND RACK: SPREAD FACE DOWN: DONE",
            "PLAYER HERE, LOOKS AT THE CARDS: SEAT?",
            "TURN FACE DOWN AND WASH: DONE",
            "STACK THE CARDS: DONE",
            "SHUFFLE BY HAND, THEN SHUFFLED",
            "COVER CARD 10+ FROM TOP, ABOVE TO BOTTOM",
        ],
    ),
}


def go_idle(bench: Bench) -> list[str]:
    """Spread, wait for a player, and so on until wagers can be placed again: the lines of the panel."""
    press(bench, "spread")
    lines: list[str] = []
    while not bench.core.prompt().text.startswith("WAGERS"):
        text, lit = bench.core.prompt().text, bench.core.prompt().lit
        lines += [text] if text not in lines[-1:] else []
        press(bench, "seat_2" if text.endswith("SEAT?") else lit[0])
    return lines


@pytest.mark.parametrize("name", IDLE_LINES)
def test_x_5_f_idle_table_on_the_panel_and_wherever_it_crashes(name: str) -> None:
    game, lines = IDLE_LINES[name]
    counter = CrashAt(0)
    smooth = idle_table(game, PANEL_ALONE, counter)
    assert go_idle(smooth) == lines
    (shown,) = [event for event in told(smooth) if isinstance(event, e.CardsShown)]
    assert (shown.seat, shown.face_up) == (2, name == "2010")
    ordered = [event for event in told(smooth) if isinstance(event, e.TableOrdered)]
    assert [event.order for event in ordered] == ["idle"]
    for wanted in counter.to_try(smooth):
        crash = CrashAt(wanted)
        bench = idle_table(game, PANEL_ALONE, crash)
        go_idle(bench)
        assert bench.reasons == []
        assert crash.happened
        assert told(bench) == told(smooth), f"{crash.happened}, moment {wanted}"


def test_655a_5_f_player_asks_that_the_cards_be_turned_up() -> None:
    bench = idle_table(LATER_CHAPTER, PANEL_ALONE)
    press(bench, "spread", "done")
    assert "face_up" in bench.core.prompt().lit
    press(bench, "face_up")
    assert "face_up" not in bench.core.prompt().lit
    press(bench, "seat_5")
    (shown,) = [event for event in told(bench) if isinstance(event, e.CardsShown)]
    assert (shown.seat, shown.face_up) == (5, True)


def test_x_5_f_table_that_is_started_again_while_nobody_plays_still_waits() -> None:
    bench = idle_table(LATER_CHAPTER, PANEL_ALONE)
    press(bench, "spread", "done")
    bench.start(IDENTITY)
    assert isinstance(bench.core, Core)
    assert bench.core.prompt().text.startswith("PLAYER HERE")


def test_672a_5_a_shoe_goes_on_over_rounds_and_over_a_restart() -> None:
    script = {"wagers": ROUND["wagers"], "cards": "As 2d 9c Kd 5h 7c"}
    scenario = scenario_of(SHOE_GAME, {"round": [script, script]})
    expected = [without_deck(document) for document in play(scenario)["rounds"]]
    assert [document["deck"]["disposition"] for document in expected] == ["continue", "continue"]
    bench = Bench(scenario, fitting(scenario, PANEL_ALONE))
    documents = bench.play(lambda: bench.start(IDENTITY))
    assert [without_deck(document) for document in documents] == expected
    assert len([event for event in told(bench) if isinstance(event, e.DeckShuffled)]) == 1
    assert bench.reasons == []


def test_657a_5_g_shoe_that_reshuffles_and_counts_is_told_to_and_nothing_is_cut() -> None:
    bench = closed_table(LATER_CHAPTER, PLAIN_SHOE, {"shuffler": "counting", "shuffler_mode": "continuous"})
    let_open(bench, robot_of(bench.scenario, bench.kit))
    assert bench.core.acting is not None
    number, device, command = bench.core.acting
    assert (device, command) == ("shoe", StartShuffle())
    give(bench, "shoe", ShuffleFinished(number, 52))
    assert bench.core.prompt().text.startswith("WAGERS")
    assert "spread" not in bench.core.prompt().lit
    kinds = [type(event).__name__ for event in told(bench)]
    assert "DeckShuffled" in kinds
    assert "DeckCut" not in kinds
