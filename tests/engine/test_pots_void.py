"""A round of poker that is given up after a restart: every player has back all that he has put into the pot."""

from __future__ import annotations

from pathlib import Path

from tablectl import events as e
from tablectl.engine.drive import Drive
from tablectl.engine.scenario import load
from tablectl.engine.script import Script
from tablectl.engine.stranded import void_events
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table

SCENARIO = Path(__file__).parent.parent / "scenarios" / "omaha_high" / "bets_of_each_round.toml"


def test_637a_pot_is_returned_from_the_events_alone_wherever_the_round_was_given_up() -> None:
    scenario = load(SCENARIO)
    table = Table(scenario.game, scenario.rules, scenario.setup, scenario.first_state())
    told: list[e.Event] = []
    drive = Drive(
        play_round(table), scenario.game.transitions, lambda _step, _act, _result, events: told.extend(events)
    )
    drive.advance(Script(scenario, scenario.rounds[0], table))
    put = {1: 0, 2: 0, 3: 0}
    checked = 0
    for number, event in enumerate(told):
        if isinstance(event, e.RoundClosed):
            break
        if isinstance(event, e.WagerMade):
            assert event.amount is not None
            put[event.seat] += event.amount
        rows = [row for row in void_events(told[: number + 1]) if isinstance(row, e.WagerSettled)]
        assert {row.seat: row.returned for row in rows} == {seat: amount for seat, amount in put.items() if amount}
        assert all(row.staked == row.returned and not row.paid and not row.collected for row in rows)
        checked += 1
    assert checked > 60
    assert put == {1: 46_00, 2: 6_00, 3: 46_00}
