"""A clock that is a day behind at the start and is set in the middle of a round: order is not time."""

from __future__ import annotations

import sys
from pathlib import Path

from tablectl import events as e
from tablectl.journal import RowKind
from tests.daemon.tables import TWO_SEATS, table
from tests.engine.test_jackpots_live import SECOND, TIMED
from tests.games.house import FOLDED

DAY_S, HOUR_S = 86_400, 3_600

# What sets the clock of this one process: by as many seconds as the file says.
_CLOCK = """
import pathlib, sys, time
offset = pathlib.Path(sys.argv.pop(1))
real, real_ns = time.time, time.time_ns
time.time = lambda: real() + int(offset.read_text())
time.time_ns = lambda: real_ns() + int(offset.read_text()) * 10**9
from tablectl.cli import main
sys.exit(main())
"""


async def test_clock_is_a_day_behind_and_is_set_in_the_round(tmp_path: Path) -> None:
    offset = tmp_path / "offset"
    offset.write_text(str(-DAY_S))
    program = (sys.executable, "-c", _CLOCK, str(offset))
    document = {**TWO_SEATS, "round": TWO_SEATS["round"] * 2}
    async with table(tmp_path, document, program=program) as rig:
        await rig.deal(to="DEAL CARD 5")
        offset.write_text("0")  # the time server is found
        await rig.deal(to="SEAT 3: BET")
        offset.write_text("-3600")  # and somebody sets it back
        await rig.deal(1)
        assert (await rig.stop())[0] == 0  # what was played under three clocks is played again at the start
        await rig.daemon.start()
        await rig.deal(2)
        assert [rig.document(1), rig.document(2)] == [rig.expected(1), rig.expected(2)]
        stepped = [event.step_ms for event in rig.events(e.ClockStepped) if isinstance(event, e.ClockStepped)]
        assert [round(ms / 1000) for ms in stepped] == [DAY_S, -3600]
        daemons = [row for row in rig.rows() if row.boot != "before"]
        walls = [row.wall for row in daemons]
        assert walls != sorted(walls)
        first = [row.mono_ns for row in daemons if row.boot == daemons[0].boot]
        assert first == sorted(first)
        assert [row.seq for row in rig.rows()] == list(range(1, len(rig.rows()) + 1))
        assert rig.rows(RowKind.EVENT)


async def test_637a_17_b_3_clock_that_is_set_by_hours_charges_nobody(tmp_path: Path) -> None:
    offset = tmp_path / "offset"
    offset.write_text("0")
    program = (sys.executable, "-c", _CLOCK, str(offset))
    document = {"game": "omaha_high", "rules": TIMED, "table": {"button": 3}, "round": [FOLDED, SECOND]}
    async with table(tmp_path, document, program=program) as rig:
        await rig.deal(1)
        offset.write_text(str(5 * HOUR_S))
        await rig.deal(2)
        assert [rig.document(1), rig.document(2)] == [rig.expected(1), rig.expected(2)]
        (stepped,) = (event for event in rig.events(e.ClockStepped) if isinstance(event, e.ClockStepped))
        assert round(stepped.step_ms / 1000) == 5 * HOUR_S
        assert 0 < stepped.began <= stepped.until < stepped.began + HOUR_S
        assert rig.events(e.TimeCollected) == [], "not half an hour has passed"
