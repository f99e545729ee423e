"""The wall clock is set while the table is played at: what runs by the clock lasts as long as it would have."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.core import Core
from tablectl.money import Money
from tablectl.procedure.clock import set_clock
from tablectl.procedure.instructions import DeckQuestion
from tablectl.procedure.jackpots import Jackpot, Owed, RoomState
from tablectl.procedure.table import DeckState, TableState
from tests.engine.test_jackpots_live import HOUR, SECOND, THIRD, TIMED, Room
from tests.games.house import DROP, FOLDED

MINUTE = 60
BEGAN = 1_000_000
PERIOD: dict[str, Any] = {"high_hand": {**DROP, "minimum_players": 3}}
"""A qualifying period lasts an hour."""


def in_a_room(rules: dict[str, Any]) -> Room:
    """Ten minutes after the first round; the daemon was started a minute before it."""
    room = Room(FOLDED, SECOND, THIRD, rules=rules)
    room.bench.time = BEGAN
    room.play(1)
    room.bench.time += 10 * MINUTE
    return room


def set_by(room: Room, seconds: int) -> None:
    """Somebody sets the clock, and the daemon notices."""
    assert isinstance(room.bench.core, Core)
    room.bench.core.event(e.ClockStepped(seconds * 1000, BEGAN - MINUTE, room.bench.time))
    room.bench.time += seconds
    room.bench.commit()


def due(room: Room) -> list[str]:
    """What was due before the deal, and alarms."""
    kinds = {e.TimeCollected: "charge", e.PeriodEnded: "period", e.AlarmRaised: "alarm"}
    return [kinds[type(event)] for event in room.events(e.Event) if type(event) in kinds]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("hours", [-25, -5, 5, 25])
@pytest.mark.parametrize(("rules", "lasts", "what"), [(TIMED, 30, "charge"), (PERIOD, 60, "period")])
def test_637a_17_b_3_and_16_d_clock_that_is_set_charges_nobody_and_ends_no_period(
    rules: dict[str, Any], lasts: int, what: str, hours: int, restarted: bool
) -> None:
    room = in_a_room(rules)
    set_by(room, hours * HOUR)
    if restarted:
        room.restart()
    assert room.play(2) is not None
    assert due(room) == [], "ten minutes have passed"
    room.bench.time += (lasts - 10) * MINUTE
    assert room.play(3) is not None
    assert due(room) == [what]
    room.whole()


@pytest.mark.parametrize("hours", [-5, 5])
def test_637a_17_b_3_clock_that_is_set_in_the_round(hours: int) -> None:
    room = in_a_room(TIMED)
    room.play_to(2, "SEAT")
    set_by(room, hours * HOUR)
    room.restart()
    assert room.go_on(room.robot, 2) is not None
    room.bench.time += 20 * MINUTE
    assert room.play(3) is not None
    assert due(room) == ["charge"]


@pytest.mark.parametrize(
    ("rules", "lasts", "what", "line"),
    [
        (TIMED, 30, "charge", "CLOCK: WENT BACK, TIME CHARGE BEGINS NOW"),
        (PERIOD, 60, "period", "CLOCK: WENT BACK, PERIOD BEGINS NOW"),
    ],
)
def test_637a_17_b_3_and_16_d_clock_that_was_set_back_meanwhile_is_an_alarm_and_it_begins_anew(
    rules: dict[str, Any], lasts: int, what: str, line: str
) -> None:
    """While the daemon was away: nobody can tell how long it lasts already, but it does not stop for hours."""
    room = in_a_room(rules)
    room.bench.time -= 5 * HOUR
    room.restart()
    assert room.play(2, to="SEAT") is None
    assert due(room) == ["alarm"]
    alarm = room.last(e.AlarmRaised)
    assert (alarm.kind, f"{alarm.source}: {alarm.message}".upper()) == ("clock_behind", line)
    assert room.go_on(room.robot, 2) is not None
    room.bench.time += lasts * MINUTE
    assert room.play(3) is not None
    assert due(room) == ["alarm", what]


def test_what_an_earlier_run_has_noted_by_a_right_clock_stays() -> None:
    """The clock is a day behind as the machine starts, until the time server is found."""
    day = 24 * HOUR
    room = in_a_room(TIMED)
    assert isinstance(room.bench.core, Core)
    began = room.bench.time - day
    room.bench.core.event(e.ClockStepped(day * 1000, began, began + MINUTE))
    room.bench.commit()
    assert room.play(2) is not None
    assert due(room) == []
    room.bench.time += 20 * MINUTE
    assert room.play(3) is not None
    assert due(room) == ["charge"]


def test_everything_that_the_table_counts_from_goes_with_the_clock() -> None:
    owed = Owed("1-2", 2, "winner", Money(100), 7_000)
    jackpot = Jackpot(began=7_001, owed=(owed,))
    before = TableState(
        round=3,
        decks=(DeckState("deck-1", "red", 7_002, verified=7_003), DeckState("deck-2", "blue", 400)),
        deck_number=2,
        rounds_since_count=0,
        dealing="manual_shoe",
        shuffler="none",
        dice_since=7_004,
        questions=(DeckQuestion("deck-1", "card_missing", 7_005, ""),),
        room=RoomState(bad_beat=jackpot, high_hand=jackpot, charged=7_006),
    )
    after = set_clock(before, e.ClockStepped(-3_600_000, 7_000, 8_000))
    assert [(deck.since, deck.verified) for deck in after.decks] == [(3_402, 3_403), (400, 0)]
    assert (after.dice_since, after.questions[0].since, after.room.charged) == (3_404, 3_405, 3_406)
    for made in (after.room.bad_beat, after.room.high_hand):
        assert (made.began, made.owed[0].since) == (3_401, 3_400)
    assert set_clock(before, e.ClockStepped(-3_600_000)) == before, "nothing is known of that clock"
