"""The jackpots and the time charge of the poker room at a live table: badges, keys, lines of the panel, a restart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablectl import events as e
from tablectl.daemon.documents import jackpot_documents
from tablectl.engine.identity import Identity
from tablectl.engine.live import Status
from tablectl.engine.prompts import LINE
from tablectl.engine.scenario import parse
from tablectl.engine.stranded import Stranded
from tablectl_hil.robot import Kit
from tests.engine.bench import IDENTITY, NO_SCANNER, PANEL_ALONE, Bench
from tests.engine.test_floor import DEALER, FLOOR, SUPERVISOR, Visit
from tests.games.house import DROP, FOLDED, quads_lose

KEYED = Kit(shoe="shoe", reader="reader")
SECURITY, FINANCE = "5001", "6001"
HOUR = 60 * 60
JACKPOTS: dict[str, Any] = {"bad_beat": DROP, "high_hand": {**DROP, "minimum_players": 3}}
TIMED: dict[str, Any] = {"rake": {"type": "time", "hourly": "12.00", "minutes": 30}}
SECOND: dict[str, Any] = {**FOLDED, "decisions": {"1": ["fold"], "2": ["fold"]}}
THIRD: dict[str, Any] = {**FOLDED, "decisions": {"2": ["fold"], "3": ["fold"]}}
"""Everybody folds to the blind with the button one and two seats farther."""


class Listed(Bench):
    """A table that lists the badges of security and finance."""

    departments: Mapping[str, tuple[str, ...]] = {"security": (SECURITY,), "finance": (FINANCE,)}


class Room(Visit):
    """The poker room with its people."""

    def __init__(self, *rounds: dict[str, Any], rules: dict[str, Any], listed: bool = True, kit: Any = NO_SCANNER):
        document = {"game": "omaha_high", "rules": rules, "table": {"button": 3}, "round": list(rounds)}
        self.bench = (Listed if listed else Bench)(parse(document), kit)
        self.lines: list[str] = []

    def play_to(self, number: int, to: str) -> None:
        assert self.play(number, to) is None, f"{to!r} did not come"

    def line(self) -> str:
        """What is asked, behind a notice; it fits the panel."""
        performance = self.core._performance
        assert performance is not None
        text = performance.prompt().text
        assert len(text) <= LINE
        return text

    def order(self, title: str, *keys: str) -> None:
        self.badge()
        self.choose(title)
        self.key(*keys)

    def amount(self, title: str, dollars: str) -> None:
        self.order(title, *("point" if c == "." else f"digit_{c}" for c in dollars), "enter")

    def restart(self) -> None:
        self.bench.start(IDENTITY)
        assert self.bench.reasons == []

    def last(self, kind: type[Any]) -> Any:
        return self.events(kind)[-1]


def wagers(*rounds: dict[str, Any], rules: dict[str, Any], **more: Any) -> Room:
    room = Room(*rounds, rules=rules, **more)
    room.play_to(1, "WAGERS")
    return room


def test_637a_15_h_finance_adjusts_the_display_before_a_floorperson() -> None:
    room = wagers(FOLDED, rules=JACKPOTS)
    room.amount("ADJUST THE BAD BEAT DISPLAY", "5432.10")
    assert room.text == "BAD BEAT DISPLAY 5432.10: FINANCE BADGE"
    room.badge(SECURITY)
    assert room.text == "BADGE 5001: IT WANTS FINANCE'S"
    assert room.events(e.JackpotBooked) == []
    room.badge(FINANCE)
    booked = room.last(e.JackpotBooked)
    assert (booked.reason, booked.display, booked.credential, booked.second) == ("adjusted", 543210, FLOOR, FINANCE)
    assert room.line().startswith("WAGERS")
    room.whole()


def test_637a_15_h_without_anybody_of_finance_listed_the_dealer_says_that_somebody_is_there() -> None:
    room = wagers(FOLDED, rules=JACKPOTS, listed=False)
    room.amount("ADJUST THE BAD BEAT DISPLAY", "0")
    assert room.text == "BAD BEAT DISPLAY 0.00: DONE"
    room.key("done")
    assert room.last(e.JackpotBooked).second == "dealer"


def test_637a_15_h_it_is_not_adjusted_if_the_order_is_taken_back() -> None:
    room = wagers(FOLDED, rules=JACKPOTS)
    room.amount("ADJUST THE HIGH HAND DISPLAY", "10")
    room.key("cancel")
    assert room.events(e.JackpotBooked) == []
    assert room.line().startswith("WAGERS")


def beaten(**more: Any) -> Room:
    """The supervisor is called to a Bad Beat of 1,000.00."""
    room = wagers(quads_lose(), SECOND, THIRD, rules={"bad_beat": DROP}, **more)
    room.amount("ADJUST THE BAD BEAT DISPLAY", "1000")
    room.badge(FINANCE)
    assert room.go_on(room.robot, 1, "BAD BEAT SEAT 2: SUPERVISOR'S BADGE") is None
    return room


def test_637a_15_f_the_shift_supervisor_verifies_and_a_floorperson_may_not() -> None:
    room = beaten()
    room.badge(FLOOR)
    assert room.text == "BADGE 4711: IT WANTS A SUPERVISOR'S"
    assert room.events(e.BadBeatVerified) == []
    room.badge(SUPERVISOR)
    assert room.last(e.BadBeatVerified).credential == SUPERVISOR
    assert room.line() == "POST SIGN: DISPLAY IS PENDING: DONE"
    room.key("done")
    assert room.line() == "CALL SECURITY OR FINANCE TO PAY: DONE"
    assert room.events(e.JackpotOwed) == [], "not before the notice is posted"
    room.key("done")
    assert [(owed.seat, owed.amount) for owed in room.events(e.JackpotOwed)] == [
        (2, 500_00),
        (1, 250_00),
        (3, 250_00),
    ]
    assert room.text.startswith("DROP BAD BEAT 1.00")
    room.whole()


def test_637a_15_f_what_the_supervisor_refuses_is_none() -> None:
    room = beaten()
    room.key("no")
    assert room.text == "NO BAD BEAT: SUPERVISOR'S BADGE"
    room.badge(SUPERVISOR)
    assert room.last(e.BadBeatRefused).credential == SUPERVISOR
    assert room.events(e.JackpotOwed) == []


def test_637a_15_f_the_cards_wait_through_a_restart() -> None:
    room = beaten()
    room.restart()
    assert room.line() == "BAD BEAT SEAT 2: SUPERVISOR'S BADGE"
    room.badge(SUPERVISOR)
    room.restart()
    room.key("done", "done")
    assert len(room.events(e.BadBeatVerified)) == 1
    assert room.core.state.room.bad_beat.books.owed == 1_000_00
    room.whole()


def test_637a_15_g_paid_at_the_table_or_in_the_cage_as_two_persons_answer_for() -> None:
    room = beaten()
    room.badge(SUPERVISOR)
    room.key("done", "done")
    room.play_to(2, "WAGERS")
    for place, seat in (("digit_1", 2), ("digit_2", 1)):
        room.order("PAY A BAD BEAT")
        assert room.text.startswith(f"PAY 1-{seat} ")
        assert room.text.endswith(": 1 TABLE 2 CAGE")
        room.key(place)
        assert room.text.startswith(f"1-{seat} WAS PAID ")
        room.badge(FINANCE)
    assert [(paid.seat, paid.amount, paid.place, paid.second) for paid in room.events(e.JackpotPaid)] == [
        (2, 500_00, "table", FINANCE),
        (1, 250_00, "cage", FINANCE),
    ]
    room.order("PAY A BAD BEAT", "cancel")
    assert len(room.events(e.JackpotPaid)) == 2
    assert room.core.table_state.room.bad_beat.books.owed == 250_00


def test_637a_15_g_whoever_comes_is_paid_before_the_others() -> None:
    room = beaten()
    room.badge(SUPERVISOR)
    room.key("done", "done")
    room.play_to(2, "WAGERS")
    room.order("PAY A BAD BEAT", "next", "next", "next", "previous")
    assert room.text == "PAY 1-3 250.00: 1 TABLE 2 CAGE"
    room.key("digit_2", "next", "previous")
    room.badge(FINANCE)
    assert [(paid.reference, paid.amount) for paid in room.events(e.JackpotPaid)] == [("1-3", 250_00)]
    assert [owed.reference for owed in room.core.table_state.room.bad_beat.owed] == ["1-2", "1-1"]


def test_637a_15_d_2_the_box_goes_to_the_cage_with_somebody_of_security() -> None:
    room = wagers(quads_lose(), SECOND, rules={"bad_beat": {**DROP, "minimum_players": 9}})
    room.go_on(room.robot, 1)
    room.play_to(2, "WAGERS")
    room.order("BAD BEAT BOX TO THE CAGE")
    assert room.text == "COMPLIANCE WAS TOLD OF THE COUNT: DONE"
    room.key("done")
    assert room.text == "BOX, TO SECURITY: SECURITY BADGE"
    room.badge(FINANCE)
    assert room.text == "BADGE 6001: IT WANTS SECURITY'S"
    room.badge(SECURITY)
    assert room.last(e.BoxSent) == e.BoxSent("bad_beat", FLOOR, SECURITY, "637a.15(d)(2)")
    room.amount("BAD BEAT COUNTED IN THE CAGE", "0.90")
    alarm = room.last(e.AlarmRaised)
    assert (alarm.kind, alarm.message) == ("count_differs", "0.90 counted, 1.00 by our books")
    assert room.last(e.JackpotBooked).over == -10


@pytest.mark.parametrize("listed", [True, False])
def test_637a_15_d_1_counted_at_the_closed_table(listed: bool) -> None:
    room = wagers(quads_lose(), SECOND, rules={"bad_beat": {**DROP, "minimum_players": 9}}, listed=listed, kit=KEYED)
    room.go_on(room.robot, 1)
    room.play_to(2, "WAGERS")
    room.order("CLOSE THE TABLE")
    assert room.line() == "COMPLIANCE WAS TOLD OF THE COUNT: DONE"
    room.key("done")
    assert room.line() == "BAD BEAT BOX: KEY COUNT, OR BADGE: CAGE"
    room.key("digit_9", "cancel", "digit_1", "point", "digit_5", "enter")
    assert room.line() == "1.50, SURVEILLANCE SAW IT: BADGE"
    room.key("cancel", "digit_1", "enter")
    room.badge(DEALER)
    assert room.events(e.BoxCounted) == [], "it is no dealer's to witness"
    room.badge(FLOOR)
    if listed:
        room.badge(SECURITY)
    else:
        assert room.line() == "1.00 LOCKED UP, TO SECURITY: DONE"
        room.key("done")
    counted = room.last(e.BoxCounted)
    assert (counted.amount, counted.credential, counted.cite) == (1_00, FLOOR, "637a.15(d)(1)")
    assert room.last(e.TableClosed).credential == FLOOR


def test_637a_16_f_a_full_house_is_verified_written_down_and_announced() -> None:
    room = wagers(quads_lose(), SECOND, rules={"high_hand": {**DROP, "minimum_players": 3}})
    assert room.go_on(room.robot, 1, "SLIP 1-1-1 QUADS K 9: BADGE") is None
    room.key("no")
    assert room.text == "SEAT 1 NO HIGH HAND: BADGE"
    room.key("no")
    room.badge(FLOOR)
    assert room.text == "ANNOUNCE QUADS K 9 TO BEAT: DONE"
    assert room.events(e.HighHandRecorded) == []
    room.key("done")
    recorded = room.last(e.HighHandRecorded)
    assert (recorded.reference, recorded.seat, recorded.credential) == ("1-1-1", 1, FLOOR)
    room.whole()


def test_637a_16_d_to_h_a_period_ends_is_counted_pooled_won_and_paid() -> None:
    room = wagers(quads_lose(), SECOND, THIRD, rules={"high_hand": {**DROP, "minimum_players": 3}})
    room.go_on(room.robot, 1)
    room.bench.time += HOUR
    room.play_to(2, "HIGH HAND BOX TO THE CAGE: BADGE")
    room.restart()
    room.badge(FLOOR)
    assert room.line() == "BOX, TO SECURITY: SECURITY BADGE"
    room.badge(SECURITY)
    assert room.last(e.PeriodEnded).references == ("1-1-1",)
    room.go_on(room.robot, 2)
    room.play_to(3, "WAGERS")
    room.amount("HIGH HAND COUNTED IN THE CAGE", "1.00")
    room.amount("HIGH HAND WAS WON HERE", "75.50")
    assert room.text == "HIGH HAND DISPLAY 75.50: FINANCE BADGE"
    room.badge(FINANCE)
    room.order("PAY A HIGH HAND")
    assert room.text == "1-1-1 WAS PAID 75.50: 2ND BADGE", "in the cage: nobody is asked where"
    room.badge(FINANCE)
    paid = room.last(e.JackpotPaid)
    assert (paid.reference, paid.amount, paid.place) == ("1-1-1", 75_50, "cage")
    room.whole()


def test_637a_17_b_3_time_is_charged_verified_and_dropped() -> None:
    room = Room(FOLDED, SECOND, THIRD, rules=TIMED)
    room.bench.time = 1_000_000
    room.play(1)
    room.bench.time += 30 * 60
    room.play_to(2, "TIME 6.00 EACH, ALSO INACTIVE: DONE")
    room.key("seat_3", "seat_5", "seat_7", "seat_5")
    assert room.text == "TIME 6.00 EACH, SEATS 7 TOO: DONE"
    room.key("seat_10", "done")
    assert room.line() == "TIME 30.00 OF 5 SEATS: BADGE"
    room.restart()
    room.badge(DEALER)
    assert room.events(e.TimeCharged) == []
    room.badge(FLOOR)
    assert room.line() == "30.00 INTO THE DROP BOX: DONE"
    room.key("done")
    collected = room.last(e.TimeCollected)
    assert (collected.seats, collected.total) == ((1, 2, 3, 7, 10), 30_00)
    assert room.last(e.TimeCharged).credential == FLOOR
    assert room.last(e.RakeDropped).amount == 30_00
    assert room.go_on(room.robot, 2) is not None
    assert room.play(3) is not None
    assert len(room.events(e.TimeCharged)) == 1
    room.whole()


def test_637a_17_b_3_per_table_nobody_is_asked_for_seats() -> None:
    room = Room(FOLDED, SECOND, rules={"rake": {**TIMED["rake"], "per": "table"}}, kit=PANEL_ALONE)
    room.bench.time = 1_000_000
    room.play(1)
    room.bench.time += 30 * 60
    room.play_to(2, "TIME 6.00 FOR THE TABLE: DONE")
    assert not [key for key in room.bench.core.prompt().lit if key.startswith("seat_")]
    assert room.go_on(room.robot, 2) is not None
    assert room.last(e.TimeCharged).credential == "key switch"


@pytest.mark.parametrize("kit", [PANEL_ALONE, NO_SCANNER])
def test_637a_17_b_what_goes_into_which_box_is_told(kit: Any) -> None:
    rake = {"type": "percentage", "percent": 10, "maximum": "4.00"}
    rules = {"smallest_chip": "0.10", "rake": rake, "bad_beat": {**DROP, "minimum_players": 9}}
    room = Room(quads_lose(), SECOND, rules={**rules, "high_hand": {**DROP, "minimum_players": 9}}, kit=kit)
    room.play(1)
    assert room.bench.core.prompt().text == "DROP RAKE 0.60 BAD BEAT 1.00 HH 1.00"


def test_637a_15_what_was_booked_stands_when_the_round_cannot_go_on() -> None:
    """Ordered before the deal, then the round is given up: money that was paid and counted is not there again."""
    room = beaten()
    room.badge(SUPERVISOR)
    room.key("done", "done")
    room.play_to(2, "WAGERS")
    room.order("PAY A BAD BEAT", "digit_1")
    room.badge(FINANCE)
    room.order("BAD BEAT BOX TO THE CAGE", "done")
    room.badge(SECURITY)
    before = room.core.table_state.room
    assert room.go_on(room.robot, 2, "SEAT 1: ") is None
    room.bench.start(Identity("1", "rules", "configuration"))
    assert isinstance(room.bench.core, Stranded)
    room.badge(FLOOR)
    room.key("void_round")
    assert room.core.state.room == before
    assert (before.bad_beat.books.paid, before.bad_beat.books.sent, len(before.bad_beat.owed)) == (500_00, 1_00, 2)


def test_637a_15_b_what_is_displayed_is_published() -> None:
    room = beaten()
    room.badge(SUPERVISOR)
    room.key("done", "done")
    filed = room.core.rules
    status = Status("OPEN", 1, room.core.prompt(), (), {}, 0, None, state=room.core.table_state)
    documents = jackpot_documents(filed, "boot", status)
    assert sorted(documents) == ["jackpot/bad_beat"]
    shown = documents["jackpot/bad_beat"]
    assert (shown.display, shown.pending, shown.fund, shown.owed, shown.box) == (
        "1000.00",
        True,
        "0.00",
        "1000.00",
        "1.00",
    )


def test_637a_15_d_the_robot_closes_a_table_with_boxes() -> None:
    room = wagers(quads_lose(), SECOND, rules=JACKPOTS, listed=False, kit=KEYED)
    room.go_on(room.robot, 1)
    room.play_to(2, "WAGERS")
    room.order("CLOSE THE TABLE")
    for _ in range(50):
        if room.events(e.TableClosed):
            break
        assert room.bench.step(room.robot), room.text
    assert [sent.jackpot for sent in room.events(e.BoxSent)] == ["bad_beat", "high_hand"]
    assert room.last(e.TableClosed).credential == FLOOR
    room.whole()
