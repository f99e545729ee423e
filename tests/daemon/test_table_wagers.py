"""Wager sensors and early acts at a real table: watched until settlement, taken at their turn, recorded and named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablectl import events as e
from tests.daemon.tables import TWO_SEATS, Rig, table, until


def noted(rig: Rig) -> list[tuple[str, str | None, str | None]]:
    return [
        (event.kind, None if event.position is None else str(event.position), event.cite)
        for event in rig.events(e.IrregularityNoted)
        if isinstance(event, e.IrregularityNoted)
    ]


async def test_565_7_d_chips_are_watched_and_early_decisions_kept(tmp_path: Path) -> None:
    document: dict[str, Any] = {
        **TWO_SEATS,
        "round": [{**TWO_SEATS["round"][0], "decisions": {"1": ["fold"], "3": ["bet"]}}],
    }
    async with table(tmp_path, document, confirm_ms=5000) as rig:
        put, lift = rig.equipment.put, rig.equipment.lift
        await rig.deal(to="SEAT 1: BET")
        await put("wagers", 3, "pair_plus", "5.00")
        await rig.shows("SEAT 3: PAIR PLUS LATE, TAKE IT BACK")
        assert noted(rig) == [("late_wager", "seat 3", "565.7(d)")]
        await lift("wagers", 3, "pair_plus")
        await rig.press("seat_3")
        await rig.shows("SEAT 3 IS EARLY: BET OR FOLD?")
        await rig.press("bet")
        await rig.shows("SEAT 3: BET, TAKEN AT ITS TURN")
        await put("wagers", 3, "ante", "25.00")  # beside what lies there: past posting
        await rig.shows("SEAT 3: ANTE MUST BE 25.00")
        assert noted(rig)[1:] == [("wager_changed", "seat 3", "565.7(d)")]
        await rig.daemon.kill()
        await rig.daemon.start()
        await until(lambda: len(rig.inputs("DaemonStarted")) == 2, "the daemon is back")
        await rig.press("fold", "enter")
        await rig.shows("SEAT 3: BET OR FOLD?")
        await until(lambda: rig.equipment.showing("panel").standing == ("bet",), "its early choice stands")
        await rig.press("enter")
        await rig.shows("DEALER")
        await rig.deal()
        assert rig.document() == rig.expected(), "settled as it was staked"
        assert len(noted(rig)) == 2
