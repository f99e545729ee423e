"""Double Back Jack at a live table: surrender with the hole card, the reader after insurance, its scenarios with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.prompts import LINE
from tablectl.engine.scenario import load, parse
from tablectl.engine.script import play
from tablectl.equipment import CardPresent, HoleCardRead, ReadHoleCard
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, NO_SCANNER, PLAIN_SHOE, Bench
from tests.engine.scenarios import fitting, without_deck
from tests.engine.sitting import Sitting
from tests.games.scenarios import scenario_files

READER = replace(ALL_SENSORS, card_reader="card_reader")
KITS = {"reader": READER, "reader without scanner": replace(NO_SCANNER, card_reader="card_reader")}
FILES = scenario_files("double_back_jack")


def sitting(cards: str, decisions: dict[str, list[str]], kit: Kit = READER) -> Sitting:
    wagers = {str(seat): {"blackjack": "10.00"} for seat in (1, 2, 3)}
    script: dict[str, Any] = {"wagers": wagers, "cards": cards, "decisions": decisions}
    return Sitting(parse({"game": "double_back_jack", "round": [script]}), kit)


UNDER_A_KING = "2c Tc 9c 8c Kh 6d 9d 8d 7s"
STAND = {"1": ["stand"], "2": ["stand"], "3": ["stand"]}


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_table_with_a_card_reader_gives_the_scripts_outcome(path: Any, kit: Kit) -> None:
    scenario = load(path)
    expected = [without_deck(document) for document in play(scenario)["rounds"]]
    assert [without_deck(d) for d in Bench(scenario, fitting(scenario, kit)).play()] == expected


def reads(table: Sitting, blackjack: bool) -> None:
    """The hole card goes into the reader that waits for it, and out again."""
    acting = table.core.acting
    assert acting is not None
    number, device, command = acting
    assert (device, command) == ("card_reader", ReadHoleCard())
    table.bench.devices.told.clear()
    for message in (CardPresent(True), HoleCardRead(number, blackjack), CardPresent(False)):
        table.give(device, message)


def settled(table: Sitting) -> dict[tuple[int, str], tuple[str, int | None]]:
    rows = [x for x in table.bench.journal.events() if isinstance(x, e.WagerSettled)]
    return {(x.seat, x.wager): (x.result.value, x.collected) for x in rows}


def test_673a_9_a_2_seat_key_surrenders_until_the_reader_is_used() -> None:
    table = sitting(UNDER_A_KING, STAND).to("HOLE CARD INTO THE READER")
    assert {"seat_1", "seat_2", "seat_3"} <= set(table.lit)
    table.press("seat_3")
    assert table.text == "HOLE CARD IN. SURR. 3"
    table.press("seat_1")
    assert table.text == "HOLE CARD IN. SURR. 13"
    table.press("seat_3")
    assert table.text == "HOLE CARD IN. SURR. 1", "the key once more takes it back"
    table.press("seat_4")
    assert table.core.beep, "nobody plays there"
    reads(table, blackjack=False)
    assert settled(table) == {(1, "blackjack"): ("surrendered", 500)}
    assert table.decided() == [(1, "surrender")]
    assert table.text.startswith("SEAT 2: ")


def test_673a_9_a_2_who_surrenders_loses_all_to_a_blackjack() -> None:
    table = sitting("2c Tc 9c 8c Kh 6d 9d 8d As", {}, PLAIN_SHOE).to("HOLE CARD INTO READER")
    table.press("seat_2")
    assert table.text == "HOLE CARD IN, BLACKJACK? SURR. 2"
    table.press("yes")
    table.finish()
    assert settled(table) == {
        (1, "blackjack"): ("lose", 1000),
        (2, "blackjack"): ("surrendered", 1000),
        (3, "blackjack"): ("lose", 1000),
    }


def test_673a_7_i_who_has_not_surrendered_before_may_at_the_turn() -> None:
    table = sitting(UNDER_A_KING, STAND).to("HOLE CARD INTO THE READER")
    reads(table, blackjack=False)
    assert table.text.startswith("SEAT 1: ")
    assert "surrender" in table.lit
    table.press("surrender")
    table.wait()
    assert settled(table) == {(1, "blackjack"): ("surrendered", 500)}


def test_673a_8_b_the_hole_card_in_the_reader_ends_the_offer_of_insurance() -> None:
    """The last player's answer stands for a moment; the dealer need not wait for that to pass."""
    said = {seat: ["no_insurance", "stand"] for seat in STAND}
    table = sitting("2c Tc 9c 8c Ah 6d 9d 8d 7s", said).to("SEAT 3: INSURANCE")
    table.press("no_insurance")
    assert table.timers == [700]
    table.give("card_reader", CardPresent(True))
    assert table.core.acting is not None
    assert table.core.acting[2] == ReadHoleCard()
    assert table.noted() == []


def test_673a_8_b_a_hole_card_that_goes_in_before_all_have_answered_is_named() -> None:
    said = {seat: ["no_insurance", "stand"] for seat in STAND}
    table = sitting("2c Tc 9c 8c Ah 6d 9d 8d 7s", said).to("SEAT 2: INSURANCE")
    table.give("card_reader", CardPresent(True))
    assert table.text == "HOLE CARD IS NOT TO BE READ: TAKE IT OUT"
    table.give("card_reader", CardPresent(False))
    assert table.text.startswith("SEAT 2: INSURANCE")
    assert table.noted() == [], "under an ace it is no needless use"


def test_673a_13_i_the_reader_tells_of_a_needless_use_by_itself() -> None:
    table = sitting("2c Tc 9c 8c 7h 6d 9d 8d Ts", STAND).to("SEAT 1:")
    table.give("card_reader", CardPresent(True))
    table.give("card_reader", CardPresent(False))
    assert table.text == "CARD READER MISUSED: BADGE"
    table.finish()
    assert table.noted() == [("card_reader_misused", "dealer", "673a.13(i)")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_line_of_the_panel_fits(path: Any) -> None:
    scenario = load(path)
    bench = Bench(scenario, fitting(scenario, READER))
    lines: list[str] = []
    bench.play(lambda: lines.append(bench.core.prompt().text))
    assert [line for line in lines if len(line) > LINE] == []
