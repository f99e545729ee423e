"""The table is told to stop: in every stage, with equipment and a broker that take nothing, it is gone within 2 s."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tablectl import events as e
from tablectl.journal import RowKind, heads_beside, read_heads
from tests.daemon.tables import STACKS, TWO_SEATS, Rig, table, tapped, until
from tests.support import Broker

STOP_S = 2.0

STAGES = ("SHUFFLING", "WAGERS: 3", "DEAL CARD 5", "SEAT 3", "DEALER")  # the others take no time


def _stopped_well(rig: Rig, result: tuple[int, float]) -> None:
    status, seconds = result
    assert status == 0, rig.log()[-2000:]
    assert seconds < STOP_S
    assert rig.events()[-1] == e.TableStopped("stopped")
    last = rig.rows()[-1]
    assert last.kind is RowKind.HEAD
    assert list(read_heads(heads_beside(rig.journal)))[-1].seq == last.seq
    assert "STOPPING=1" in rig.manager.read()


async def test_stops_in_every_stage_and_goes_on_there(tmp_path: Path, mosquitto: Broker) -> None:
    async with table(tmp_path, broker=mosquitto) as rig, tapped(mosquitto) as tap:
        for number, prompt in enumerate(STAGES):
            await rig.deal(to=prompt)
            await until(lambda: tap.document("/status").get("status") == "online", "status online")
            result = await rig.stop((signal.SIGTERM, signal.SIGINT)[number % 2])
            _stopped_well(rig, result)
            await until(lambda: tap.document("/status") != {}, "status")
            await until(lambda: tap.document("/status")["status"] == "offline", "status offline")
            assert tap.document("/status")["reason"] == "stopped"
            await rig.daemon.start()
        await rig.deal()
        assert rig.document() == rig.expected()


@pytest.mark.parametrize("document", [TWO_SEATS, STACKS], ids=["cards", "stacks"])
async def test_stops_with_equipment_and_broker_that_take_nothing(
    tmp_path: Path, mosquitto: Broker, document: dict[str, object]
) -> None:
    async with table(tmp_path, document, broker=mosquitto) as rig:
        await rig.deal(to="TAKE THE STACK" if document is STACKS else "DEAL CARD 4")
        os.kill(rig.emulators.pid, signal.SIGSTOP)
        mosquitto.freeze()
        _stopped_well(rig, await rig.stop())
        mosquitto.thaw()
        os.kill(rig.emulators.pid, signal.SIGCONT)
