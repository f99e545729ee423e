"""The hole card goes into the reader (672a.7(g), 673a.7(h)): by script, at live tables, and when something is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import card
from tablectl.engine.roundpage import find_round
from tablectl.engine.script import play
from tablectl.equipment import (
    Badge,
    CardPresent,
    Fault,
    HoleCardRead,
    HoleCardUnread,
    LinkLost,
    LinkUp,
    ReadHoleCard,
)
from tablectl.hands.twenty_one import is_blackjack
from tablectl.journal import RowKind
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, NO_SCANNER, PANEL_ALONE, PLAIN_SHOE, Bench
from tests.engine.scenarios import fitting, without_deck
from tests.engine.sitting import Sitting
from tests.engine.test_recovery import CrashAt
from tests.procedure.irregular_games import scenario
from tests.procedure.peek_stand_in import PEEKING

READER = replace(ALL_SENSORS, card_reader="card_reader")
KITS: dict[str, Kit] = {
    "reader": READER,
    "reader without scanner": replace(NO_SCANNER, card_reader="card_reader"),
    "no reader": ALL_SENSORS,
    "plain shoe": PLAIN_SHOE,
    "panel alone": PANEL_ALONE,
}
DEALER = ["As Kd", "As 9d", "Kd As", "Td 9d", "2c As", "9h Ah"]
"""The card turned up, and the hole card."""


def hand(dealer: str, **more: Any) -> dict[str, Any]:
    up, hole = dealer.split()
    stands = {} if is_blackjack([card(up), card(hole)]) else {"2": ["stand"]}
    return {
        "wagers": {"2": {"blackjack": "10.00"}},
        "cards": f"3c 4d {up} 5h {hole}",
        "decisions": stands,
        **more,
    }


def at_peek(kind: str) -> list[dict[str, str]]:
    return [{"at": "peek", "kind": kind}]


def played(document: dict[str, Any]) -> dict[str, Any]:
    outcome = play(scenario(PEEKING, {"round": [document]}))
    assert "error" not in outcome, outcome["error"]
    return without_deck(outcome["rounds"][0])


def sitting(dealer: str, kit: Kit = READER, **more: Any) -> Sitting:
    return Sitting(scenario(PEEKING, {"round": [hand(dealer, **more)]}), kit)


def peeked(bench: Bench) -> list[bool]:
    return [event.blackjack for event in bench.journal.events() if isinstance(event, e.HoleCardPeeked)]


# What is told ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", DEALER)
def test_672a_7_g_peek_is_made_under_an_ace_and_a_card_of_value_ten_alone(dealer: str) -> None:
    order = played(hand(dealer))["order"]
    assert ("peek" in order) == (dealer[0] in "ATJQK")
    if "peek" in order:
        assert order.index("peek") == order.index("card 5 -> dealer") + 1
        assert ("ask 2" in order) == (dealer not in ("As Kd", "Kd As")), "with a Blackjack nobody plays"


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@pytest.mark.parametrize("dealer", DEALER)
def test_672a_7_g_live_table_gives_the_scripts_outcome(dealer: str, kit: Kit) -> None:
    again = hand(dealer)
    again["cards"] = again["cards"].removeprefix("3c ")  # the shoe goes on, nothing is burned
    read = scenario(PEEKING, {"round": [hand(dealer), again]})
    expected = [without_deck(each) for each in play(read)["rounds"]]
    bench = Bench(read, fitting(read, kit))
    assert [without_deck(each) for each in bench.play()] == expected
    told = dealer in ("As Kd", "Kd As")
    assert peeked(bench) == ([told, told] if dealer[0] in "ATJQK" else [])


def test_672a_7_g_nothing_but_one_bit_leaves_before_the_hole_card_is_turned_up() -> None:
    table = sitting("Kd As").to("DEALER: TURN UP")
    told = [event for event in table.bench.journal.events() if isinstance(event, e.HoleCardPeeked)]
    assert told == [e.HoleCardPeeked(True, "672a.7(g)")]
    shown = [row.body for row in table.bench.journal.kept if row.kind in (RowKind.EVENT, RowKind.RESULT)]
    assert shown
    assert not any("As" in body for body in shown), "the hole card is in the secret column alone"


def test_672a_7_g_round_page_tells_what_the_reader_has_told() -> None:
    table = sitting("Td 9d")
    table.finish()
    page = find_round(table.bench.journal, 1)
    assert page is not None
    assert "CARD READER: NO BLACKJACK" in page.lines()


# At the reader --------------------------------------------------------------------------------------------------------


def reader_says(table: Sitting, *messages: object) -> None:
    for message in messages:
        table.give("card_reader", message)  # type: ignore[arg-type]


def command_of(table: Sitting) -> int:
    acting = table.core.acting
    assert acting is not None
    number, device, command = acting
    assert (device, command) == ("card_reader", ReadHoleCard())
    return number


def test_672a_7_g_card_that_was_not_read_goes_in_again_under_a_new_command() -> None:
    table = sitting("As 9d").to("HOLE CARD INTO THE READER")
    first = command_of(table)
    reader_says(table, CardPresent(True), HoleCardUnread(first, Fault.UNREADABLE), CardPresent(False))
    assert table.text == "NOT READ: HOLE CARD IN AGAIN"
    second = command_of(table)
    assert second > first
    reader_says(table, HoleCardRead(first, True))  # of the command that is over
    assert peeked(table.bench) == []
    table.bench.devices.told.clear()
    reader_says(table, CardPresent(True), HoleCardRead(second, False), CardPresent(False))
    assert peeked(table.bench) == [False]
    assert table.noted() == []


def test_672a_12_j_reader_that_fails_at_the_hole_card_suspends_the_table() -> None:
    table = sitting("As 9d").to("HOLE CARD INTO THE READER")
    reader_says(table, HoleCardUnread(command_of(table), Fault.JAM))
    closed = [event for event in table.bench.journal.events() if isinstance(event, e.RoundClosed)]
    assert [(x.outcome, x.cause, x.cite) for x in closed] == [("suspended", "card_reader_fault", "672a.12(j)")]
    assert table.text == "CARD READER FAULT: FLOORPERSON'S BADGE"


def test_672a_12_j_dealer_reports_a_reader_that_never_answers() -> None:
    table = sitting("Kd 9d").to("HOLE CARD INTO THE READER")
    reader_says(table, LinkLost("unplugged"))
    assert table.text == "CARD READER LOST: WAIT, OR IRREGULARITY"
    table.press("irregularity")
    while table.text != "IRREGULARITY: CARD READER FAULT":
        table.press("next")
    table.press("enter")
    closed = [event for event in table.bench.journal.events() if isinstance(event, e.RoundClosed)]
    assert [(x.outcome, x.cause) for x in closed] == [("suspended", "card_reader_fault")]


def test_reader_that_comes_back_is_told_again_and_the_round_goes_on() -> None:
    table = sitting("Kd 9d").to("HOLE CARD INTO THE READER")
    first = command_of(table)
    link = table.core.picture.links["card_reader"]
    assert link.description is not None
    reader_says(table, LinkLost("unplugged"))
    table.bench.take(_up(link.description, "another boot"))
    second = command_of(table)
    assert second > first, "it does not remember what it was told"
    reader_says(table, HoleCardRead(second, False))
    assert peeked(table.bench) == [False]


def _up(description: Any, boot: str) -> Any:
    from tablectl.engine.inputs import Input

    return Input("card_reader", LinkUp(description), boot)


def test_672a_12_j_reader_that_the_hole_card_belies_suspends_the_table() -> None:
    """It told of no Blackjack, and there is one when the card is turned up; nothing is settled."""
    table = sitting("Kd As").to("HOLE CARD INTO THE READER")
    reader_says(table, HoleCardRead(command_of(table), False))
    table.press("stand")
    table.wait()
    table.bench.devices.told.clear()
    table.to("DEALER: TURN UP")
    table.show("Kd")
    table.show("As")
    closed = [event for event in table.bench.journal.events() if isinstance(event, e.RoundClosed)]
    assert [(x.outcome, x.cause, x.cite) for x in closed] == [("suspended", "card_reader_fault", "672a.12(j)")]
    assert not [event for event in table.bench.journal.events() if isinstance(event, e.WagerSettled)]


@pytest.mark.parametrize("number", range(0, 60, 3))
def test_crash_around_the_peek_loses_nothing_and_reads_once(number: int) -> None:
    read = scenario(PEEKING, {"round": [hand("Kd As")]})
    bench = Bench(read, fitting(read, READER))
    bench.moment = CrashAt(number)
    assert [without_deck(each) for each in bench.play()] == [without_deck(play(read)["rounds"][0])]
    assert peeked(bench) == [True]


# Misuse ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_672a_12_i_needless_peek_is_told_to_the_floor_and_play_goes_on(kit: Kit) -> None:
    read = scenario(PEEKING, {"round": [hand("9h Ah", incidents=at_peek("card_reader_misused"))]})
    (expected,) = play(read)["rounds"]
    assert (expected["outcome"], expected["remedies"]) == ("completed", ["round_resumed", "floor_called"])
    bench = Bench(read, fitting(read, kit))
    assert [without_deck(each) for each in bench.play()] == [without_deck(expected)]
    assert [x.cite for x in bench.journal.events() if isinstance(x, e.StepAttested) and x.step == "card_reader_misused"]


def test_672a_12_i_reader_itself_tells_that_a_card_is_in_it_needlessly() -> None:
    table = sitting("9h Ah").to("SEAT 2:")
    reader_says(table, CardPresent(True))
    assert table.noted() == []
    assert table.text == "HOLE CARD IS NOT TO BE READ: TAKE IT OUT"
    reader_says(table, CardPresent(False))
    table.press("cancel")
    table.give("reader", Badge("4711"))
    assert table.noted() == [("card_reader_misused", "dealer", "672a.12(i)")]
    assert without_deck(table.finish())["outcome"] == "completed"


def test_672a_12_i_under_an_ace_a_card_put_in_again_is_no_misuse() -> None:
    table = sitting("As 9d").to("SEAT 2:")
    table.bench.devices.told.clear()
    reader_says(table, CardPresent(False), CardPresent(True))
    assert table.text == "HOLE CARD IS NOT TO BE READ: TAKE IT OUT"
    reader_says(table, CardPresent(False))
    assert table.finish() == table.expected()
    assert table.noted() == []


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@pytest.mark.parametrize("dealer", ["Kd 9d", "As 9d", "9h Ah"])
def test_672a_12_j_broken_reader_at_the_peek_gives_the_scripts_outcome(dealer: str, kit: Kit) -> None:
    read = scenario(PEEKING, {"round": [hand(dealer, decisions={}, incidents=at_peek("card_reader_fault"))]})
    (expected,) = play(read)["rounds"]
    assert (expected["outcome"], expected["cite"]) == ("suspended", "672a.12(j)")
    assert (expected["wagers"], expected["remedies"]) == ([], ["floor_called"])
    (live,) = Bench(read, fitting(read, kit)).play()
    live, expected = without_deck(live), without_deck(expected)
    if dealer == "9h Ah":  # nobody waits for the reader: the dealer reports it as the first seat is asked
        live["order"] = [act for act in live["order"] if not act.startswith("ask")]
    assert live == expected
