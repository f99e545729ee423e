"""Our books of the meter against the system's: a difference is an alarm, and two persons put it right."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.identity import Identity
from tablectl.engine.scenario import parse
from tablectl.engine.stranded import Stranded
from tablectl.equipment import Badge
from tablectl_hil.robot import Act
from tests.engine.bench import Bench
from tests.engine.system_bench import SystemBench
from tests.engine.test_progressive import (
    CONNECTED,
    LOST,
    VOID_AFTER_AN_AWARD,
    bench_for,
    books,
    core,
    document,
    events,
    give,
    key,
    stop_at,
)
from tests.procedure.progressive_stand_in import known

__all__ = ["known"]

pytestmark = pytest.mark.usefixtures("known")
RATES: dict[str, Any] = {"increment_ppm": 210_000, "hidden_ppm": 40_000}
NOBODY = {"wagers": {"1": {"ante": "10.00"}}, "decisions": {"1": ["fold"]}}


def table(*rounds: dict[str, Any], **rules: Any) -> Bench:
    return bench_for(parse(document("like_655a", *rounds)), CONNECTED, **{**RATES, **rules})


def alarms(bench: Bench) -> list[str]:
    return [alarm.kind for alarm in events(bench, e.AlarmRaised) if alarm.source == "meter"]


def at_the_system(bench: Bench, name: str, **facts: Any) -> None:
    assert isinstance(bench, SystemBench)
    bench.act("progressive", name, **facts)
    bench.pump()


def floor(bench: Bench, title: str) -> None:
    """A floorperson opens the menu and chooses."""
    give(bench, "reader", Badge("4711"))
    for _ in range(20):
        if bench.core.prompt().text == f"FLOOR: {title}":
            key(bench, "enter")
            return
        key(bench, "next")
    raise AssertionError(f"{title} is not in the menu: {bench.core.prompt()}")


def shuffle(bench: Bench) -> None:
    assert bench.do(Act("shuffler", "finish"))


def line(bench: Bench) -> str:
    """What is asked, behind any notice that stands in front of it."""
    performance = core(bench)._performance
    assert performance is not None
    return performance.prompt().text


def test_books_are_reconciled_after_each_round_to_the_part_of_a_cent() -> None:
    bench = table(*[LOST] * 9)
    bench.play()
    assert alarms(bench) == []
    ledger = bench.core.state.progressive.ledger
    assert ledger is not None
    assert ledger.wagered == 9 * 600
    assert ledger.differences(books(bench)._meter.message(0)) == ()
    assert books(bench)._meter.balanced()


def test_display_that_moves_by_itself_is_an_alarm_and_no_wagers_are_taken() -> None:
    bench = table(LOST, NOBODY)
    stop_at(bench, "DEALER: TURN UP")
    at_the_system(bench, "drift", cents=50)
    key(bench, "expose", "expose", "expose")
    assert events(bench, e.RoundClosed)
    (alarm,) = events(bench, e.AlarmRaised)
    assert (alarm.source, alarm.kind) == ("meter", "meter_differs")
    assert alarm.message == "display 12347.43, by our books 12346.93"
    shuffle(bench)
    assert line(bench).startswith("WAGERS: 2 NO PROGRESSIVE.")

    bench.start(Identity("0", "rules", "configuration"))  # a restart does not forget it
    assert line(bench).startswith("WAGERS: 2 NO PROGRESSIVE.")
    key(bench, "no_more_bets")
    assert "system.locked_out" not in [event.name for event in bench.journal.events()][-5:]
    assert alarms(bench) == ["meter_differs"], "said once"


def test_meter_that_differs_between_two_rounds_is_found_before_wagers_are_taken() -> None:
    bench = table(LOST, LOST)
    stop_at(bench, "SHUFFLING")
    at_the_system(bench, "drift", cents=-3)
    shuffle(bench)
    assert alarms(bench) == ["meter_differs"]
    assert line(bench).startswith("WAGERS: 2 NO PROGRESSIVE.")


def test_rules_that_change_while_the_table_is_open_are_an_alarm_until_two_persons_agree() -> None:
    bench = table(LOST, LOST)
    stop_at(bench, "SHUFFLING")
    at_the_system(bench, "rules", base="20000.00", reset="10000.00", increment_ppm=300_000, hidden_ppm=0)
    shuffle(bench)
    assert alarms(bench) == ["meter_rules_changed"]
    assert line(bench).startswith("WAGERS: 2 NO PROGRESSIVE.")
    floor(bench, "THE METER IS RIGHT")
    assert bench.core.prompt().text == "METER RIGHT AT 20000.00: 2ND BADGE"
    give(bench, "reader", Badge("4711"))  # the same person is no second one
    assert not [booked for booked in events(bench, e.MeterBooked) if booked.reason == "adopted"]
    give(bench, "reader", Badge("4701"))
    (adopted,) = [booked for booked in events(bench, e.MeterBooked) if booked.reason == "adopted"]
    assert (adopted.display, adopted.credential, adopted.second) == (2_000_000, "4711", "4701")
    assert line(bench) == "WAGERS: 2. THEN NO MORE BETS"
    assert alarms(bench) == ["meter_rules_changed"]


def test_meter_that_does_not_add_up_cannot_be_taken_for_right() -> None:
    bench = table(LOST, LOST)
    stop_at(bench, "SHUFFLING")
    at_the_system(bench, "drift", cents=50)
    shuffle(bench)
    floor(bench, "THE METER IS RIGHT")
    give(bench, "reader", Badge("4701"))
    assert alarms(bench) == ["meter_differs", "meter_does_not_balance"]
    assert line(bench).startswith("WAGERS: 2 NO PROGRESSIVE.")


@pytest.mark.parametrize(("filed", "wrong"), [("unset", False), ("21 %", False), ("21.0001 %", True), ("2.1 %", True)])
def test_655a_12_c_3_rate_of_progression_that_was_not_filed_is_an_alarm_until_it_is(filed: str, wrong: bool) -> None:
    scenario = parse({**document("like_655a", LOST), "rules": {"progressive_rate": filed}})
    bench = bench_for(scenario, CONNECTED, **RATES)
    shuffle(bench)
    assert alarms(bench) == (["rate_not_as_filed"] if wrong else [])
    assert ("NO PROGRESSIVE" in line(bench)) == wrong


def test_reset_amount_that_was_not_filed_is_an_alarm_until_it_is() -> None:
    bench = table(LOST, reset="9000.00")
    shuffle(bench)
    assert alarms(bench) == ["reset_not_as_filed"]
    assert "NO PROGRESSIVE" in line(bench)


@pytest.mark.parametrize(
    ("digit", "reason", "account"),
    [("digit_2", "over_limit", "overflow"), ("digit_3", "seed_recovery", "reserve")],
)
def test_money_comes_off_the_meter_for_a_typed_reason_and_by_two_persons(digit: str, reason: str, account: str) -> None:
    bench = table(*[LOST] * 3, limit="12346.00")
    stop_at(bench, "SEAT 3: BET OR FOLD?")
    before = getattr(books(bench)._meter, account)
    assert before > 20
    bench = table(LOST, LOST, limit="12346.00")
    stop_at(bench, "SHUFFLING")
    shuffle(bench)
    floor(bench, "TAKE MONEY OFF THE METER")
    key(bench, digit, "digit_0", "point", "digit_0", "digit_7", "enter")
    assert bench.core.prompt().text == "METER DOWN BY 0.07: 2ND BADGE"
    give(bench, "reader", Badge("1002"))
    (booked,) = [event for event in events(bench, e.MeterBooked) if event.reason == reason]
    assert (booked.amount, booked.lowered, booked.credential, booked.second) == (7, 7, "4711", "1002")
    assert getattr(books(bench)._meter, account) == before - 7
    assert line(bench) == "WAGERS: 2. THEN NO MORE BETS"
    assert alarms(bench) == []


def test_more_than_is_there_does_not_come_off() -> None:
    bench = table(LOST, LOST)
    stop_at(bench, "SHUFFLING")
    shuffle(bench)
    floor(bench, "TAKE MONEY OFF THE METER")
    key(bench, "digit_2", "digit_5", "enter")
    give(bench, "reader", Badge("1002"))
    assert alarms(bench) == ["not_taken_off"]
    assert line(bench) == "WAGERS: 2. THEN NO MORE BETS"
    assert [event.reason for event in events(bench, e.MeterBooked)] == ["opened", "wagers"]


def test_void_after_an_award_that_the_system_cannot_undo_is_an_alarm() -> None:
    bench = table(VOID_AFTER_AN_AWARD, NOBODY)
    stop_at(bench, "SHUFFLING")
    assert events(bench, e.LockOutUndone) == [e.LockOutUndone("progressive", False)]
    kinds = [(alarm.source, alarm.kind) for alarm in events(bench, e.AlarmRaised)]
    assert kinds == [("progressive", "lock_out_not_undone"), ("meter", "meter_differs")]
    assert [event.reason for event in events(bench, e.MeterBooked)] == ["opened", "wagers", "award", "returned"]
    shuffle(bench)
    assert "NO PROGRESSIVE" in line(bench)


def test_round_that_could_not_be_resumed_has_its_lock_out_undone_before_the_next() -> None:
    bench = table(LOST, LOST)
    stop_at(bench, "SEAT 3: BET OR FOLD?")
    assert books(bench).books()["display"] != "1234567"
    bench.start(Identity("1", "rules", "configuration"))
    assert isinstance(bench.core, Stranded)
    give(bench, "reader", Badge("4711"))
    key(bench, "void_round")
    voided = [row for row in events(bench, e.WagerSettled) if row.wager == "progressive"]
    assert [(row.seat, row.returned) for row in voided] == [(3, 500), (1, 100)]
    shuffle(bench)
    assert events(bench, e.LockOutUndone) == [e.LockOutUndone("progressive", True)]
    assert books(bench).books()["display"] == "1234567"
    assert line(bench).startswith("WAGERS: ")
    assert "NO PROGRESSIVE" not in line(bench)
    assert alarms(bench) == []
