"""A card that nobody at the table has seen is nowhere but in the journal's secret column."""

from __future__ import annotations

import asyncio
import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from tablectl.journal import Reader
from tests.daemon.tables import STACKS, TWO_SEATS, Rig, table, tapped, until
from tests.support import Broker

# Seat 3 folds in every round and is never turned up; these three cards lie nowhere else.
UNSEEN = ("2d", "5h", "9h")


def _forms(card: str) -> re.Pattern[bytes]:
    rank, suit = card[0], card[1]
    return re.compile(rf"(?<![0-9A-Za-z])(?:{rank}{suit}|{rank.upper()}{suit.upper()})(?![0-9A-Za-z])".encode())


def _searched(place: str, data: bytes) -> None:
    for card in UNSEEN:
        found = _forms(card).search(data)
        assert found is None, f"{card} in {place}: {data[max(0, found.start() - 200) : found.end() + 50]!r}"


@pytest.mark.parametrize("document", [TWO_SEATS, STACKS], ids=["cards", "stacks"])
async def test_folded_cards_are_nowhere(tmp_path: Path, mosquitto: Broker, document: dict[str, Any]) -> None:
    deal = "As Kd Qc 2d 5h 9h 9c 7c 2h" if document is STACKS else "As 2d 9c Kd 5h 7c Qc 9h 2h"
    base = {**document["round"][0], "cards": deal}
    exposed = {"at": "decision 3", "kind": "card_exposed", "position": "dealer"}
    rounds = [
        base,
        {
            **base,
            "incidents": [exposed],
            "decisions": {"1": ["bet"]},
        },
        base,
    ]
    async with (
        table(tmp_path, {**document, "round": rounds}, broker=mosquitto, debug=True) as rig,
        tapped(mosquitto) as tap,
    ):
        await rig.deal(1)
        await rig.deal(2, to="SEAT 1: BET")
        await rig.daemon.kill()  # a round in which cards lie face down is played again
        await rig.daemon.start()
        await rig.deal(2)
        await rig.deal(3)
        assert (await rig.stop())[0] == 0
        await until(lambda: tap.document("/status").get("status") == "offline", "offline")
        _looked_at(rig, tap.messages)
        async with tapped(mosquitto) as later:
            await until(lambda: any(name.endswith("/status") for name in later.retained), "the retained ones")
            _looked_at(rig, later.messages)
        show = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tablectl", "journal", "show", str(rig.journal), stdout=asyncio.subprocess.PIPE
        )
        out, _err = await show.communicate()
        assert out.count(b"\n") >= len(rig.rows())
        _searched("journal show", out)


def _looked_at(rig: Rig, messages: list[tuple[str, bytes]]) -> None:
    assert messages
    for topic, payload in messages:
        _searched(topic, payload)
    _searched("the log", (rig.folder / "daemon.log").read_bytes())
    hidden = set()
    for row in Reader(rig.journal).rows():
        _searched(f"row {row.seq}", row.body.encode())
        if row.secret is not None:
            hidden.update(json.loads(row.secret[16:]))
    assert set(UNSEEN) <= hidden, "they were dealt, and are in the secret column"
    beside = [file for file in rig.journal.parent.iterdir() if file.name.startswith("journal.db")]
    assert len(beside) >= 3
    for file in beside:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
        if file.suffix not in (".db", ".db-wal", ".db-shm"):
            _searched(file.name, file.read_bytes())
