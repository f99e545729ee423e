"""Six-Card Fortune Pai Gow at a live table: lammers, doubled wagers, the joker's key, and which card is low."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, seat
from tablectl.engine.inputs import Input
from tablectl.engine.scenario import parse
from tablectl.equipment import KeyPressed, WagerSpot
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, NO_SCANNER, PANEL_ALONE, PLAIN_SHOE, Bench
from tests.engine.sitting import Sitting
from tests.games.by_hand_670a import Round, Seat, document, script
from tests.games.scenarios import without_amounts

FILED = {"double_down": True, "fortune_bonus": True, "insurance": True}
FOURS = "4s 4d 4h 4c Jd 8h"
LOW = "SEAT 1 LOW: Ts Th Xj 8d 6c 3h"


def played_at() -> Round:
    """Seat 1 sets the joker as its low hand, seat 3 has four of a kind and leaves them to the house way."""
    return Round(
        [
            Seat(1, ["Ts", "Th", "Xj", "8d", "6c", "3h"], 1000, low="Xj", double=True, fortune=500),
            Seat(3, FOURS.split(), 1500, fortune=400, insurance=200),
        ],
        ["9s", "9d", "Kh", "7c", "5d", "2c"],
        offers_progressive=False,
    )


def sat(kit: Kit) -> Sitting:
    document = {
        "game": "six_card_fortune_pai_gow",
        "rules": FILED,
        "table": {"shuffler": "counting"},
        "round": [script(played_at())],
    }
    return Sitting(parse(document), kit)


def events(table: Sitting, kind: type[Any]) -> list[Any]:
    return [event for event in table.bench.journal.events() if isinstance(event, kind)]


def sets(table: Sitting) -> list[tuple[object, str]]:
    """Who has set which card low, in order."""
    return [(event.position, event.low[0].name) for event in events(table, e.HandsSet)]


@pytest.mark.parametrize("kit", [PANEL_ALONE, PLAIN_SHOE, NO_SCANNER, ALL_SENSORS])
def test_670a_11_the_round_is_what_it_is_worked_out_to_be(kit: Kit) -> None:
    table = sat(kit)
    found = table.finish()
    assert found == table.expected()
    assert {**found, "deck": {"disposition": "reshuffle"}} == document(played_at())
    assert sets(table) == [(DEALER, "Kh"), (seat(3), "Jd"), (seat(1), "Xj")]


def test_670a_8_b_1_lammers_are_placed_before_the_deal() -> None:
    table = sat(PANEL_ALONE).to("ENVY LAMMERS")
    assert table.text == "ENVY LAMMERS: 1. THEN DONE", "seat 3 has wagered less than five dollars"
    assert "seat_3" not in table.lit
    table.press("seat_3")
    assert table.core.beep
    assert not events(table, e.CardDealt)
    table.press("done")
    (placed,) = events(table, e.LammersPlaced)
    assert (placed.seats, placed.cite) == ((1,), "670a.8(b)(1)")
    assert table.finish() == table.expected()


def test_670a_11_c_a_chip_on_its_spot_doubles_and_has_to_be_the_same_amount() -> None:
    table = sat(NO_SCANNER).to("SEAT 1: DOUBLE DOWN OR NO DOUBLE DOWN?")
    table.put(1, "double_down", "9.00")
    assert table.text == "SEAT 1: DOUBLE DOWN MUST BE 10.00"
    table.lift(1, "double_down")
    table.put(1, "double_down", "10.00")
    assert table.decided()[-1] == (1, "double_down")


def test_670a_11_b_the_low_card_is_named_by_its_place_and_may_be_named_anew() -> None:
    table = sat(PANEL_ALONE).to("SEAT 1 LOW")
    assert table.text == LOW
    assert "enter" not in table.lit
    table.press("enter")
    assert table.core.beep
    table.press("digit_1")
    assert table.text == "SEAT 1 LOW Ts? ENTER"
    table.press("digit_3")
    assert table.text == "SEAT 1 LOW Xj? ENTER"
    table.press("clear")
    assert table.text == LOW
    table.press("rank_T", "suit_h")
    assert table.text == "SEAT 1 LOW Th? ENTER"
    table.press("joker", "rank_2", "suit_c")
    assert table.text == "SEAT 1 LOW Xj? ENTER", "a card that is not in the hand is none of it"
    table.press("enter")
    assert table.finish() == table.expected()


def test_670a_11_b_the_low_card_may_be_shown_to_the_scanner() -> None:
    table = sat(ALL_SENSORS).to("SEAT 1 LOW")
    table.show("Xj")
    assert sets(table)[-1] == (seat(1), "Xj")
    assert table.finish() == table.expected()


def test_670a_11_d_the_panel_says_how_the_dealer_sets_his_hands() -> None:
    table = sat(PANEL_ALONE).to("DEALER LOW")
    assert table.text == "DEALER LOW Kh: SET, THEN DONE"
    assert not sets(table)
    table.press("digit_1")
    assert table.core.beep
    table.press("done")
    assert sets(table) == [(DEALER, "Kh")]
    assert table.finish() == table.expected()


@pytest.mark.parametrize("line", ["ENVY LAMMERS", "DEALER LOW", "SEAT 1 LOW"])
def test_670a_11_a_daemon_that_died_goes_on_where_it_was(line: str) -> None:
    table = sat(PANEL_ALONE).to(line)
    shown = table.text
    table.restart()
    assert table.text.startswith(shown.removesuffix("."))
    assert table.finish() == table.expected()


def test_670a_1_where_no_amount_is_seen_the_dealer_says_who_has_a_lammer() -> None:
    """Both Fortune Bonus Wagers are there, of unknown amounts: seat 3 has a lammer, and nobody is paid for his own."""
    told = script(played_at())
    bench = Bench(
        parse(
            {
                "game": "six_card_fortune_pai_gow",
                "rules": {**FILED, "double_down": False},
                "table": {"shuffler": "none"},
                "round": [told],
            }
        ),
        NO_SCANNER,
    )

    def press(*keys: str) -> None:
        for key in keys:
            bench.take(Input("panel", KeyPressed(key)))

    press("shuffled", "dealer")
    while bench.core.prompt().lit[:1] == ("cut",):
        press("cut")
    for number, wager in ((1, "pai_gow"), (1, "fortune_bonus"), (3, "pai_gow"), (3, "fortune_bonus")):
        bench.take(Input("wagers", WagerSpot(number, wager, True, None)))
    press("no_more_bets")
    assert bench.core.prompt().text == "ENVY LAMMERS: NONE. THEN DONE"
    press("seat_3", "seat_1")
    assert bench.core.prompt().text == "ENVY LAMMERS: 1 3. THEN DONE"
    press("seat_3", "done")
    press("digit_1", "digit_2", "digit_6", "enter")
    bench.devices.load = told["cards"].split()
    for _ in range(42):
        bench.take(Input("shoe", bench.devices._card()))
    press("digit_1", "digit_1", "enter")  # the remainder
    press("house_way", "enter", "house_way", "enter")
    press("expose", "done")
    rows = [(r["seat"], r["wager"], r["result"], r["odds"]) for r in bench.document(1, ())["wagers"]]
    assert rows == [
        (1, "pai_gow", "win", "1:1"),
        (1, "fortune_bonus", "lose", None),
        (1, "fortune_envy", "win", "$75"),
        (3, "pai_gow", "push", None),
        (3, "fortune_bonus", "win", "50:1"),
    ]
    found = bench.document(1, ())
    assert found == without_amounts(found)
