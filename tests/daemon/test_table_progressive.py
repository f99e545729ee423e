"""A progressive at a whole table: the real daemon, the emulated system and its meter, a broker, a power cut."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tests.daemon.tables import table, tapped, until
from tests.procedure.progressive_stand_in import known
from tests.support import Broker

__all__ = ["known"]

pytestmark = pytest.mark.usefixtures("known")

ROOT = Path(__file__).parent.parent.parent
PROGRAM = (sys.executable, "-m", "tests.daemon.progressive_daemon")

# Seat 1 makes a mini royal, seat 3 three of a kind.
WON: dict[str, Any] = {
    "wagers": {
        "1": {"ante": "10.00", "progressive": "1.00"},
        "3": {"ante": "25.00", "progressive": "5.00"},
    },
    "cards": "As 9h 2c Ks 9d 5d Qs 9c 7h",
    "decisions": {"1": ["bet"], "3": ["bet"]},
    "meter": "12345.67",
}
VOID = {
    **{key: value for key, value in WON.items() if key != "meter"},
    "decisions": {"1": ["bet"]},
    "incidents": [{"at": "decision 3", "kind": "card_exposed", "position": "dealer"}],
}
ROUNDS = {"game": "like_655a", "table": {"shuffler": "counting"}, "round": [WON, VOID]}


async def test_award_of_the_whole_meter_over_a_power_cut_and_a_void_that_gives_back(
    tmp_path: Path, mosquitto: Broker
) -> None:
    environment = {"PYTHONPATH": str(ROOT)}
    async with (
        tapped(mosquitto) as tap,
        table(tmp_path, ROUNDS, broker=mosquitto, program=PROGRAM, environment=environment) as rig,
    ):
        await rig.deal(1, to="SEAT 1 WINS 12345.67")
        await rig.stop(signal.SIGKILL)
        await rig.daemon.start()
        await rig.deal(1)
        assert rig.document(1) == rig.expected(1)
        assert [(pay.seat, pay.amount) for pay in rig.events(e.HandPayDocumented)] == [(1, 1234567)]  # type: ignore[attr-defined]

        await rig.deal(2)
        assert rig.document(2) == rig.expected(2)
        assert rig.events(e.LockOutUndone) == [e.LockOutUndone("progressive", complete=True)]
        assert not rig.events(e.AlarmRaised)
        books = await rig.equipment.act("progressive", "books")
        assert books == {"balanced": True, "display": "1000000", "reserve": "0", "overflow": "0"}

        def meter() -> tuple[object, ...]:
            told = tap.document("/meter")
            return tuple(told.get(key) for key in ("display", "wins", "hits", "wagered", "seed", "barred"))

        after = ("10000.00", "12345.67", 2, "6.00", "22345.67", "")
        await until(lambda: meter() == after, lambda: f"the meter as it is told: {meter()}")
