"""Pai Gow Poker at a live table: low hands that are named, surrenders, two areas of one player, a start that counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.prompts import LINE
from tablectl.engine.roundpage import find_round
from tablectl.engine.scenario import parse
from tablectl.equipment import NumberDrawn, Shaken
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, NO_SCANNER, PANEL_ALONE, PLAIN_SHOE
from tests.engine.sitting import Sitting
from tests.games.by_hand_561 import Round, Seat, script

SEATS = [
    Seat(2, "Qc Qd Jh 8s 6h 4c 2c", "Jh 8s", "lose", 25_00),
    Seat(3, "Ah Ac 9h 8c 5s 4h 3c", "9h 8c", "push", 5_00),
    Seat(5, "As Ad Kh Jc 8d 6c 3s", "Kh Jc", "win"),
]
PLAYED = Round(SEATS, "Kc Kd Qh 9s 7c 4d 2h", "Qh 9s")
KITS = {"panel": PANEL_ALONE, "plain shoe": PLAIN_SHOE, "reading shoe": NO_SCANNER, "all": ALL_SENSORS}
KEEP = {"2": ["house_way"], "3": ["house_way"], "5": ["house_way"]}


def sat(kit: Kit, rules: dict[str, Any] | None = None, **more: Any) -> Sitting:
    told = {**script(PLAYED, dice=["1 1 6"]), **more}
    return Sitting(parse({"game": "pai_gow_poker", "rules": rules or {}, "round": [told]}), kit)


def events(table: Sitting, kind: type[Any]) -> list[Any]:
    return [event for event in table.bench.journal.events() if isinstance(event, kind)]


def result_of(document: dict[str, Any], number: int) -> str:
    (found,) = [row["result"] for row in document["wagers"] if row["seat"] == number]
    return str(found)


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_561_13_a_low_hand_of_a_player_is_named_when_it_is_turned_up(kit: Kit) -> None:
    table = sat(kit, decisions={**KEEP, "5": ["set Ad As"]}).to("SEAT 5 LOW 1")
    cards = table.text.partition(": ")[2].split()
    assert sorted(cards) == sorted(SEATS[2].cards.split())
    table.press(f"digit_{cards.index('Ad') + 1}", f"digit_{cards.index('Ad') + 1}")
    assert table.core.beep, "a card lies in the low hand once"
    table.press(f"digit_{cards.index('As') + 1}")
    assert table.text == "SEAT 5 LOW Ad As? ENTER"
    table.press("clear")
    assert table.text.startswith("SEAT 5 LOW 1: ")
    document = table.finish()
    assert document == table.expected()
    (high,) = [x.high for x in events(table, e.HandsSet) if x.position.number == 5]
    assert sorted(map(str, high)) == ["3s", "6c", "8d", "Jc", "Kh"]


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_561_13_e_surrender_as_the_dealer_turns_his_hand_up(kit: Kit) -> None:
    table = sat(kit, decisions={**KEEP, "3": ["house_way", "surrender"]}).to("SEAT 5: SET OR HOUSE WAY")
    table.press("house_way", "enter")
    assert table.text.startswith("DEALER: ")
    assert "surrender" in table.lit
    table.press("surrender")
    assert table.text == "SURRENDER: WHICH SEAT?"
    assert {"seat_2", "seat_3", "seat_5", "cancel"} <= set(table.lit)
    table.press("seat_4")
    assert table.core.beep, "nobody plays there"
    table.press("cancel")
    assert table.text.startswith("DEALER:")
    document = table.finish()
    assert document == table.expected()
    assert result_of(document, 3) == "surrendered"


@pytest.mark.parametrize("kit", [PANEL_ALONE, ALL_SENSORS], ids=["panel", "all"])
def test_561_13_e_surrender_before_that_players_hands_are_turned_up(kit: Kit) -> None:
    table = sat(kit).to("SEAT 5: ")
    while not table.text.startswith(("SEAT 5: CARD 1", "SEAT 5: TURN UP")):
        assert table.bench.step(table.robot)
    assert "surrender" in table.lit
    table.press("surrender", "seat_2")
    table.restart()
    assert table.text.startswith("SEAT 5: "), "it is taken at once, and seat 5 is next all the same"
    document = table.finish()
    assert [result_of(document, number) for number in (2, 3, 5)] == ["surrendered", "push", "win"]
    assert "expose seat 2" not in document["order"]


def test_561_13_e_not_when_the_first_card_is_seen() -> None:
    table = sat(PANEL_ALONE).to("SEAT 5: CARD 1")
    table.press("rank_A", "suit_s")
    assert "surrender" not in table.lit
    table.press("surrender")
    assert table.core.beep


def test_561_7_e_dealer_says_whose_seats_are_one_players() -> None:
    table = sat(PANEL_ALONE, {"adjacent_positions": True}, players={"p1": [2, 3]}).to("ONE PLAYER ON TWO")
    assert table.text == "ONE PLAYER ON TWO: NONE. ENTER"
    assert {"seat_2", "enter"} <= set(table.lit)
    table.press("seat_3")
    assert table.core.beep, "3 and 4 are no pair, as nobody plays at 4"
    table.press("seat_2")
    assert table.text == "ONE PLAYER ON TWO: 2+3. ENTER"
    table.press("seat_2")
    assert table.text == "ONE PLAYER ON TWO: NONE. ENTER"
    table.press("seat_2", "enter")
    assert table.text.startswith("SEAT 2: "), "the larger wager first"
    assert table.finish() == table.expected()
    assert [x.seats for x in events(table, e.SeatsShared)] == [(2, 3)]


def test_561_7_e_three_seats_in_a_row_are_one_pair_and_another_player() -> None:
    wagers = {str(number): {"pai_gow": "10.00"} for number in (1, 2, 3)}
    decisions = {number: ["house_way"] for number in wagers}
    table = sat(PANEL_ALONE, {"adjacent_positions": True}, wagers=wagers, decisions=decisions).to("ONE PLAYER ON TWO")
    table.press("seat_1", "seat_2")
    assert table.core.beep, "seat 2 is in a pair already"
    assert table.text == "ONE PLAYER ON TWO: 1+2. ENTER"
    table.press("enter")
    assert table.text.startswith("SEAT 2: "), "equal wagers: counterclockwise"


def test_561_7_e_is_not_asked_where_it_is_not_filed_or_cannot_be() -> None:
    assert sat(PANEL_ALONE).to("SEAT 2: ").text.startswith("SEAT 2: ")
    apart = {str(number): {"pai_gow": "10.00"} for number in (1, 3, 5)}
    decisions = {number: ["house_way"] for number in apart}
    table = sat(PANEL_ALONE, {"adjacent_positions": True}, wagers=apart, decisions=decisions)
    assert table.to("SEAT 1: ").text.startswith("SEAT 1: ")
    assert not events(table, e.SeatsShared)


def test_561_12_b_three_dice_in_the_shaker() -> None:
    table = sat(replace(ALL_SENSORS, shaker="shaker")).to("SHAKE THE DICE: 0 OF 3")
    table.bench.devices.dice = ["2", "2", "2"]
    for count in (1, 2, 3):
        table.give("shaker", Shaken(count))
    assert table.text == "UNCOVER THE DICE: DONE"
    table.press("done")
    assert [str(x.position) for x in events(table, e.StartChosen)] == ["seat 2"]


def test_561_12_c_number_of_the_generator() -> None:
    table = sat(PANEL_ALONE, {"starting_position": "rng"}, dice=[], rng=[5]).to("NUMBER SHOWN")
    assert {f"digit_{number}" for number in range(1, 8)} <= set(table.lit)
    assert "digit_8" not in table.lit
    table.press("digit_5")
    assert [str(x.position) for x in events(table, e.StartChosen)] == ["seat 3"]
    assert NumberDrawn(1, 5).number == 5


def test_561_13_n_page_of_the_round_tells_how_hands_were_dealt_and_set() -> None:
    said = {**KEEP, "5": ["set Ad As"], "3": ["house_way", "surrender"]}
    table = sat(PLAIN_SHOE, {"adjacent_positions": True}, decisions=said, players={"p1": [2, 3]})
    table.finish()
    page = find_round(table.bench.journal, 1)
    assert page is not None
    lines = list(page.lines())
    for line in (
        "THROW 1: 116",
        "DEAL BEGINS AT DEALER",
        "REMAINDER COUNTED: 53",
        "SEATS 2+3: ONE PLAYER",
        "SEAT 3 SURRENDER",
        "DEALER LOW Qh 9s",
        "SEAT 5 LOW Ad As",
        "SEAT 3 PAI GOW 5.00 SURRENDERED -5.00",
    ):
        assert line in lines
    assert page.standing() == ()


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_every_line_fits_the_panel(kit: Kit) -> None:
    table = sat(kit, decisions={**KEEP, "5": ["set Ad As"], "3": ["house_way", "surrender"]})
    told = []
    for _ in range(2000):
        if table.core.state.round >= 1:
            break
        told.append(table.text)
        assert table.bench.step(table.robot)
    assert max(map(len, told)) <= LINE
    assert ("SEAT 5: LOSE" in told) == (kit is not NO_SCANNER), "there all hands are known at once"
    assert "COVER SHAKER, SHAKE ONCE, TO THE RIGHT" in told


@pytest.mark.parametrize("kit", [PANEL_ALONE, ALL_SENSORS], ids=["panel", "all"])
def test_561_13_i_dealers_hand_that_is_set_wrongly_is_set_again(kit: Kit) -> None:
    table = sat(kit).to("DEALER LOW")
    assert table.text == "DEALER LOW Qh 9s: SET, THEN DONE"
    table.press("irregularity")
    for _ in range(40):
        if table.text == "IRREGULARITY: HOUSE WAY WRONG":
            break
        table.press("next")
    table.press("enter")
    assert table.noted() == [("house_way_wrong", None, "561.14(i)")]
    assert table.text == "DEALER LOW Qh 9s: SET, THEN DONE", "it is laid again"
    assert table.finish() == {**table.expected(), "remedies": ["hand_reset"]}
