"""The jackpots of a poker table as surveillance is told of them: by the real daemon, over the real mosquitto."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

from tablectl import events as e
from tests.daemon.tables import Rig, Tap, table, tapped, until
from tests.games.house import DROP, FOLDED, quads_lose
from tests.support import Broker

SECOND: dict[str, Any] = {**FOLDED, "decisions": {"1": ["fold"], "2": ["fold"]}}
"""Everybody folds to the second blind with the button before seat 1: a pot of 2.00, too small for a contribution."""

ROOM = {
    "game": "omaha_high",
    "rules": {"bad_beat": DROP, "high_hand": {**DROP, "minimum_players": 3}},
    "table": {"button": 3},
    "round": [quads_lose(), SECOND],
}
AMOUNTS = ("display", "box", "sent", "fund", "owed")


async def order(rig: Rig, title: str, *keys: str) -> None:
    """A floorperson orders it from the menu; then these keys."""
    await rig.equipment.badge("badges", "4711")
    await rig.shows("FLOOR: ")
    while rig.text != f"FLOOR: {title}":
        shown = rig.text
        await rig.press("next")
        await until(lambda shown=shown: rig.text != shown, f"the menu does not turn from {shown!r}")  # type: ignore[misc]
    await rig.press("enter", *keys)


async def tells(tap: Tap, kind: str, *amounts: str, boot: str | None = None, **more: Any) -> str:
    """Wait until the topic of that jackpot says so, amounts in the order of `AMOUNTS`; the boot id with which it comes.

    `boot` is one that it may not have.
    """
    wanted = {"jackpot": kind, **dict(zip(AMOUNTS, amounts, strict=True)), **more}

    def found() -> dict[str, Any]:
        return tap.document(f"/jackpot/{kind}")

    def is_so() -> bool:
        told = found()
        return wanted == {key: told.get(key) for key in wanted} and told["boot"] != boot

    await until(is_so, lambda: f"{kind} is told so: {found()}, not {wanted}")
    return str(found()["boot"])


async def test_637a_15_637a_16_retained_jackpots_over_rounds_a_restart_and_a_broker_that_forgets(
    tmp_path: Path, mosquitto: Broker
) -> None:
    """Of a pot of 6.00 each fund gets 1.00; the Bad Beat of 1,000.00 is owed in full, then 500.00 of it is paid."""
    async with table(tmp_path, ROOM, broker=mosquitto) as rig:
        async with tapped(mosquitto) as tap:
            await rig.deal(1, to="WAGERS")
            await tells(tap, "bad_beat", "0.00", "0.00", "0.00", "0.00", "0.00", pending=False, period=0)
            await order(rig, "ADJUST THE BAD BEAT DISPLAY", *(f"digit_{c}" for c in "1000"), "enter")
            await rig.shows("BAD BEAT DISPLAY 1000.00: DONE")
            await rig.press("done")
            await tells(tap, "bad_beat", "1000.00", "0.00", "0.00", "1000.00", "0.00", pending=False)
            await rig.deal(1)
            beaten = ("1000.00", "1.00", "0.00", "0.00", "1000.00")
            await tells(tap, "bad_beat", *beaten, pending=True, ended=False, training=False)
            highest: dict[str, Any] = {"period": 1, "to_beat": "four_of_a_kind K 9"}
            boot = await tells(tap, "high_hand", "0.00", "1.00", "0.00", "0.00", "0.00", **highest)

            await rig.stop(signal.SIGKILL)
            await rig.daemon.start()
            again = await tells(tap, "bad_beat", *beaten, boot=boot, pending=True)
            assert await tells(tap, "high_hand", "0.00", "1.00", "0.00", "0.00", "0.00", boot=boot, **highest) == again

        mosquitto.kill()
        (tmp_path / "mosquitto" / "mosquitto.db").unlink()
        await rig.deal(2, to="WAGERS")
        await order(rig, "PAY A BAD BEAT")
        await rig.shows("PAY 1-2 500.00: 1 TABLE 2 CAGE")
        await rig.press("digit_1")
        await rig.shows("1-2 WAS PAID 500.00: DONE")
        await rig.press("done")
        await rig.deal(2)
        mosquitto.start()
        async with tapped(mosquitto) as tap:
            await tells(tap, "bad_beat", "1000.00", "1.00", "0.00", "0.00", "500.00", pending=True)
            await tells(tap, "high_hand", "0.00", "1.00", "0.00", "0.00", "0.00", **highest)

        assert rig.document(2) == rig.expected(2)
        assert [(paid.seat, paid.amount) for paid in rig.events(e.JackpotPaid)] == [(2, 500_00)]  # type: ignore[attr-defined]
        booked: dict[str, Any] = {event.jackpot: event for event in rig.events(e.JackpotBooked)}  # type: ignore[attr-defined]
        for last in booked.values():  # what came in is held, or has left
            held = last.box + last.sent + last.fund + last.owed
            assert last.contributed + last.over + last.others == held + last.paid + last.transferred
        assert (booked["bad_beat"].contributed, booked["bad_beat"].paid) == (1_00, 500_00)
        rig.whole()
