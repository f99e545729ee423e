"""The real daemon is killed at a row of each kind and started again: the round goes on from the same step.

Emulated equipment over ptys and a real broker; what a subscriber sees must be every event, once, in order.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.outcome import RoundFold
from tablectl.engine.scenario import parse
from tablectl.engine.script import play
from tablectl.journal import Reader, RowKind, heads_beside, verify
from tablectl.surveillance.broker import BrokerSettings
from tablectl.surveillance.subscriber import Subscriber
from tablectl_hil.robot import RobotDealer
from tablectl_hil.tableside import Daemon, Hands, plan, whole_table
from tests.engine.scenarios import without_deck
from tests.support import Broker

SCENARIO: dict[str, Any] = {
    "game": "three_card_poker",
    "table": {"dealing": "automated_shoe", "shuffler": "counting"},
    "round": [
        {
            "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
            "cards": "As Kd Qc 2d 5h 9h 9c 7c 2h",
            "decisions": {"1": ["bet"], "3": ["fold"]},
            "incidents": [{"at": "decision 3", "kind": "late_wager"}],
        },
        {"wagers": {"2": {"ante": "5.00"}}, "cards": "As Kd 9c Qc 7c 2h", "decisions": {"2": ["bet"]}},
    ],
}

PLACES = {
    RowKind.SNAPSHOT: 2,  # the second one: the first is where the table began
    RowKind.INPUT: 18,
    RowKind.INTENT: 3,
    RowKind.RESULT: 12,
    RowKind.INTERRUPT: 1,
    RowKind.EVENT: 16,
    RowKind.LATCH: 1,
    RowKind.HEAD: 1,
}


async def _kill_at(daemon: Daemon, journal: Path, kind: RowKind, count: int) -> None:
    """Kill the daemon as soon as so many rows of that kind are committed, and start it again."""
    seen = 0
    while seen < count:
        await asyncio.sleep(0.002)  # the journal is another process's: looking is the only way to know
        seen = _rows(journal, kind)
    await daemon.kill()
    await daemon.start()


def _rows(journal: Path, kind: RowKind) -> int:
    return sum(1 for _ in Reader(journal).rows(kinds=[kind])) if journal.exists() else 0


async def _deal(hands: Hands) -> list[dict[str, Any]]:
    scenario = parse(SCENARIO)
    state = scenario.first_state()
    documents = []
    for number, script in enumerate(scenario.rounds, 1):
        order, state = plan(scenario, script, state)
        await hands.deal(RobotDealer(scenario.game, script, order, hands.kit, hands.chips), number)
        fold = RoundFold(scenario.game)
        fold.extend(hands.events.round(number))
        documents.append(without_deck(fold.document(script.wagers)))
    return documents


@pytest.mark.parametrize("kind", PLACES)
async def test_killed_daemon_goes_on_from_the_same_step(tmp_path: Path, mosquitto: Broker, kind: RowKind) -> None:
    scenario = parse(SCENARIO)
    settings = BrokerSettings(host=mosquitto.host, port=mosquitto.port)
    subscriber = Subscriber(settings, "tablectl/+/+/+", client_id="archive", start=1)
    subscribed = asyncio.Event()
    watching = asyncio.create_task(subscriber.run(subscribed))
    await subscribed.wait()
    try:
        async with whole_table(scenario, tmp_path, "all", mqtt=(mosquitto.host, mosquitto.port)) as (hands, daemon):
            if kind is RowKind.LATCH:  # a red light in the first round: the gate before the second asks for a badge
                await hands.equipment.act("scanner", "indicate", lamp="red")
            killing = asyncio.create_task(_kill_at(daemon, tmp_path / "journal.db", kind, PLACES[kind]))
            documents = await _deal(hands)
            assert killing.done(), f"no {PLACES[kind]} rows of kind {kind}"
            await killing
        assert documents == [without_deck(document) for document in play(scenario)["rounds"]]
        await _same_as_the_journal(tmp_path / "journal.db", subscriber)
    finally:
        watching.cancel()
        await asyncio.wait([watching])


async def _same_as_the_journal(path: Path, subscriber: Subscriber) -> None:
    """Every event of the journal has come to the subscriber, once and in order; no card left twice."""
    rows = [(row.seq, json.loads(row.body)) for row in Reader(path).rows(kinds=[RowKind.EVENT])]
    assert [body["sequence"] for _seq, body in rows] == list(range(1, len(rows) + 1))
    received = []
    async with asyncio.timeout(10):
        async for event in subscriber.events():
            received.append((event.sequence, event.id))
            if len(received) == len(rows):
                break
    assert received == [(body["sequence"], f"T1/{seq}") for seq, body in rows]
    assert subscriber.collector.findings == []
    dealt = [body["event"]["number"] for _seq, body in rows if body["event"]["$"] == e.CardDealt.__name__]
    assert dealt == [*range(1, 10), *range(1, 7)]
    verdict = verify(path, heads_beside(path))
    assert verdict.ok, verdict.detail
