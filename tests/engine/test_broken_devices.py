"""Devices that say what cannot be, that are lost in their act, and that never answer: what the dealer is told to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import FaceDown, card
from tablectl.engine.core import Core
from tablectl.engine.inputs import Input
from tablectl.engine.picture import Link
from tablectl.engine.prompts import LINE
from tablectl.engine.scenario import parse
from tablectl.equipment import (
    Badge,
    CardLeft,
    Description,
    DiceRead,
    Die,
    DieLies,
    DoorMoved,
    DrawNumber,
    Fault,
    HoleCardRead,
    KeyPressed,
    Kind,
    LateWager,
    LinkLost,
    LinkUp,
    LockedOut,
    Message,
    NumberDrawn,
    ReadDice,
    SeatSensor,
    Shaken,
    WagerSpot,
    nonsense,
)
from tablectl.money import Money
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, Bench
from tests.engine.sitting import Sitting
from tests.engine.test_chances import GENERATOR, SHAKER, pai_gow, thrown
from tests.engine.test_peek import sitting

STEPS = 60
FAIR = (5, 3, 6)
"""Fourteen: the dealer, 6, 5 … 1, and so on, is seat 1 (561.12(b))."""


def said(*faces: int | None) -> tuple[Die, ...]:
    return tuple(Die(face, 99, DieLies.FLAT) for face in faces)


def answering(table: Sitting, kind: type[Any], answer: Callable[[int], Message | None]) -> None:
    """Let the device answer a command of that kind so, whatever it would say."""
    command = table.bench.devices.command

    def told(number: int, device: str, given: Any) -> Message | None:
        return answer(number) if isinstance(given, kind) else command(number, device, given)

    table.bench.devices.command = told  # type: ignore[method-assign, assignment]


def shaken(table: Sitting) -> None:
    table.to("SHAKE THE DICE: 0")
    for count in (1, 2, 3):
        table.give("shaker", Shaken(count))


def latched(table: Sitting) -> list[tuple[str, str, str]]:
    events = table.bench.journal.events()
    return [(x.device, x.fault, x.message) for x in events if isinstance(x, e.FaultLatched)]


def report(table: Sitting, kind: str) -> None:
    table.press("irregularity")
    for _ in range(STEPS):
        if table.text == f"IRREGULARITY: {kind}":
            return table.press("enter")
        table.press("next")
    raise AssertionError(f"the menu has no {kind}")


# What cannot be -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("faces", [(7, 1, 1), (0, 5, 4), (5, 4), (5, 3, 6, 2), ()], ids=str)
def test_561_12_b_dice_that_there_are_not_are_keyed_as_they_lie(faces: tuple[int, ...]) -> None:
    table = Sitting(pai_gow(dice=["5 3 6"]), SHAKER)
    answering(table, ReadDice, lambda number: DiceRead(number, 3, said(*faces)))
    shaken(table)
    table.press("done")
    assert table.text == "DICE NOT READABLE: KEY THEM"
    table.press(*(f"digit_{face}" for face in FAIR), "enter")
    assert thrown(table) == [(1, FAIR, None)]
    wrong = [face for face in faces if face not in range(1, 7)]
    assert latched(table) == [("shaker", "protocol", f"says that a die shows {face}") for face in wrong]


@pytest.mark.parametrize("drawn", [0, 8, 2**32 - 1])
def test_561_12_c_number_that_there_is_not_is_not_taken(drawn: int) -> None:
    table = Sitting(pai_gow("rng", rng=[2]), GENERATOR)
    answering(table, DrawNumber, lambda number: NumberDrawn(number, drawn))
    table.to("NO NUMBER CAME: KEY WHAT IS SHOWN")
    table.restart()
    assert {f"digit_{number}" for number in range(1, 8)} <= set(table.lit)
    table.press("digit_2")
    assert "seat 6" in [str(x.position) for x in table.bench.journal.events() if isinstance(x, e.StartChosen)]
    assert latched(table) == [("rng", "protocol", f"says {drawn} for a number from 1 to 7")]


@pytest.mark.parametrize(
    ("device", "message", "why"),
    [
        ("shoe", Badge("4711"), "a shoe says Badge"),
        ("scanner", KeyPressed("no_more_bets"), "a card_scanner says KeyPressed"),
        ("wagers", LateWager(3, accepted=True), "a wager_sensors says LateWager"),
        ("wagers", WagerSpot(255, "pip_1", True, Money(500)), "names seat 255, which no table has"),
        ("extra_roll", SeatSensor(0, placed=True), "names seat 0, which no table has"),
        ("extra_roll", LateWager(53, accepted=False), "names seat 53, which no table has"),
        ("extra_roll", LockedOut(4, (2, 2)), "names a seat twice"),
        ("card_reader", CardLeft(1, FaceDown(card("As")), face_up=False), "a card_reader says CardLeft"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_a_device_cannot_mean_is_recorded_and_nothing_else_comes_of_it(
    device: str, message: Message, why: str
) -> None:
    kit = replace(SHAKER, extra_roll="extra_roll", card_reader="card_reader")
    table = Sitting(pai_gow(dice=["5 3 6"]), kit).to("WAGERS: 1")
    before = table.core.prompt(), table.core.picture.spots.copy()
    table.give(device, message)
    assert (table.core.prompt(), table.core.picture.spots) == before
    assert latched(table) == [(device, "protocol", why)]
    assert "As" not in why
    table.restart()
    assert table.finish() == table.expected()
    assert table.text.startswith(f"{device} PROTOCOL: ".replace("_", " ").upper())
    assert table.text.endswith("BADGE")


def test_no_answer_of_another_device_is_taken_for_the_readers() -> None:
    table = sitting("As 9d").to("HOLE CARD INTO THE READER")
    acting = table.core.acting
    assert acting is not None
    table.give("shoe", HoleCardRead(acting[0], blackjack=True))
    assert table.text == "HOLE CARD INTO THE READER"
    assert not any(isinstance(x, e.HoleCardPeeked) for x in table.bench.journal.events())


def test_all_that_devices_of_the_bench_say_makes_sense() -> None:
    """Each kind of equipment can say something, and every message is somebody's."""
    assert nonsense(Kind.PANEL, KeyPressed("bet")) == ""
    assert nonsense(Kind.SHAKER, DiceRead(1, 3, said(1, None, 6))) == ""
    assert nonsense(Kind.RNG, NumberDrawn(7, 9), (7, "rng", DrawNumber(1, 9))) == ""
    assert nonsense(Kind.RNG, NumberDrawn(6, 9), (7, "rng", DrawNumber(1, 7))) == "", "of an earlier one: nobody asks"


# Lost in the act ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["SHAKE THE DICE: 0", "SHAKE THE DICE: 2", "UNCOVER THE DICE", "READING THE DICE"])
def test_561_12_b_shaker_that_is_lost_in_the_throw_has_its_dice_keyed(moment: str) -> None:
    table = Sitting(pai_gow(dice=["5 3 6"]), SHAKER)
    answering(table, ReadDice, lambda _number: None)
    table.to(moment)
    table.give("shaker", LinkLost("unplugged"))
    assert table.text == "SHAKER LOST: KEY THE DICE"
    table.restart()
    table.give("shaker", LinkLost("unplugged"))
    table.press(*(f"digit_{face}" for face in FAIR), "enter")
    assert thrown(table) == [(1, FAIR, None)]


@pytest.mark.parametrize("boot", ["boot shaker", "another"])
@pytest.mark.parametrize("moment", ["SHAKE THE DICE: 2", "UNCOVER THE DICE", "READING THE DICE"])
def test_shaker_that_comes_back_in_the_throw_reads_the_dice_after_all(moment: str, boot: str) -> None:
    table = Sitting(pai_gow(dice=["5 3 6"]), SHAKER)
    answers: list[int] = []
    answering(table, ReadDice, answers.append)
    table.to(moment)
    table.give("shaker", LinkLost("unplugged"))
    table.bench.take(Input("shaker", LinkUp(Description(Kind.SHAKER, "bench", "shaker", "1", ())), boot))
    assert table.text == ("SHAKE THE DICE: 2 OF 3" if "2" in moment else "UNCOVER THE DICE: DONE")
    if "2" in moment:
        table.give("shaker", Shaken(1))
    table.press("done")
    assert table.text == "READING THE DICE: WAIT, OR IRREGULARITY"
    for number in (answers[0] - 1, *answers[:-1]):  # late answers to what was asked before
        table.give("shaker", DiceRead(number, 3, said(1, 1, 1)))
    assert thrown(table) == []
    table.give("shaker", DiceRead(answers[-1], 3, said(*FAIR)))
    table.give("shaker", DiceRead(answers[-1], 3, said(1, 1, 1)))  # said twice
    assert thrown(table) == [(1, FAIR, None)]


def test_561_12_c_generator_that_is_lost_is_done_without() -> None:
    table = Sitting(pai_gow("rng", rng=[2]), GENERATOR)
    answering(table, DrawNumber, lambda _number: None)
    table.to("CHOOSING A NUMBER")
    table.give("rng", LinkLost("unplugged"))
    assert table.text == "RNG LOST: KEY WHAT IT SHOWS"
    table.press("digit_9")
    assert table.core.beep
    table.press("digit_2")
    assert "seat 6" in [str(x.position) for x in table.bench.journal.events() if isinstance(x, e.StartChosen)]


def test_lid_of_the_shaker_is_no_door_that_should_be_shut() -> None:
    table = Sitting(pai_gow(dice=["5 3 6"]), SHAKER)
    answering(table, ReadDice, lambda number: DiceRead(number, 3, said(*FAIR)))
    shaken(table)
    table.give("shaker", DoorMoved(True))
    assert thrown(table) == [(1, FAIR, None)]
    assert latched(table) == []
    table.give("shoe", DoorMoved(True))
    assert [(device, fault) for device, fault, _why in latched(table)] == [("shoe", "door_open")]


# It never answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "kit", "waiting", "then", "keys"),
    [
        (ReadDice, SHAKER, "READING THE DICE", "KEY THE DICE AS THEY LIE", ("digit_5", "digit_3", "digit_6", "enter")),
        (DrawNumber, GENERATOR, "CHOOSING A NUMBER", "KEY THE NUMBER THAT IS SHOWN", ("digit_7",)),
    ],
)
def test_device_that_never_answers_is_given_up_with_the_irregularity_key(
    kind: type[Any], kit: Kit, waiting: str, then: str, keys: tuple[str, ...]
) -> None:
    method, chance = ("shaker", {"dice": ["5 3 6"]}) if kind is ReadDice else ("rng", {"rng": [7]})
    hand = {"wagers": {"2": {"pai_gow": "10.00"}}, "decisions": {"2": ["house_way"]}, **chance}
    table = Sitting(parse({"game": "pai_gow_poker", "rules": {"starting_position": method}, "round": [hand]}), kit)
    answering(table, kind, lambda _number: None)
    table.to(waiting)
    assert table.text == f"{waiting}: WAIT, OR IRREGULARITY"
    report(table, "DEVICE LOST")
    assert table.text == then
    table.press(*keys)
    noted = [x.kind for x in table.bench.journal.events() if isinstance(x, e.IrregularityNoted)]
    assert noted == ["device_lost"], "it is on the record, once"
    assert "seat 1" in [str(x.position) for x in table.bench.journal.events() if isinstance(x, e.StartChosen)]


# What the panel shows of it -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("device", ["panel", "shuffler", "extra_roll", "card_reader", "progressive", "badges"])
def test_every_fault_is_named_in_one_line_with_what_to_do(device: str, fault: Fault) -> None:
    bench = Bench(parse({"game": "three_card_poker", "round": []}), ALL_SENSORS)
    core = bench.core
    assert isinstance(core, Core)
    kind = next((kind for kind in Kind if kind.value == device), Kind.CARD_SCANNER)
    core.picture.links[device] = Link(kind, up=True)
    core.picture.latch_from_row(device, fault, "why", is_set=True)
    core._next_round()
    shown = [core.prompt().text]
    bench.take(Input("reader", Badge("4711"), "boot reader", 1))
    shown.append(core.prompt().text)
    assert all(len(text) <= LINE for text in shown)
    assert shown[0].endswith("BADGE")
    assert any(told in shown[1] for told in ("4 OUT", "1 REPAIRED", "1 FIXED", "REPAIR IT", "REPAIR OR REPLACE IT"))
    assert all(text.startswith(device.replace("_", " ").upper()) for text in shown)


def test_672a_seat_that_is_early_is_asked_in_a_line_that_fits() -> None:
    hand = {"wagers": {"1": {"blackjack": "10.00"}, "2": {"blackjack": "10.00"}}, "cards": "2c 8c 9c 7c 8d 9d Jc"}
    said = {"1": ["stand"], "2": ["stand"]}
    table = Sitting(parse({"game": "free_bet_blackjack", "round": [{**hand, "decisions": said}]}), ALL_SENSORS)
    table.to("SEAT 1: HIT")
    table.press("seat_2")
    assert table.text == "SEAT 2 IS EARLY: HIT STAND DOUBLE SPLIT?"
