"""The report of the gaming day and the ledger of decks, read beside a real daemon."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.cli import main
from tests.daemon.tables import Rig, table

PLAYED = {
    "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
    "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
    "decisions": {"1": ["bet"], "3": ["fold"]},
}
VOID = {**PLAYED, "incidents": [{"at": "decision 3", "kind": "card_exposed", "position": "dealer"}]}
TWO_ROUNDS = {"game": "three_card_poker", "table": {"shuffler": "counting"}, "round": [PLAYED, VOID]}


async def _said(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    capsys.readouterr()
    status = await asyncio.to_thread(main, [*map(str, words), "--json"])
    assert status == 0
    return json.loads(capsys.readouterr().out)


def _sum(rig: Rig, amount: str) -> int:
    rows = (row for number in (1, 2) for row in rig.document(number)["wagers"])
    return sum(int(row[amount].replace(".", "")) for row in rows)


async def test_report_and_decks_beside_a_daemon(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A round that is completed and one that is void: the day balances, and is what the rounds come to."""
    async with table(tmp_path, TWO_ROUNDS) as rig:
        await rig.deal(1)
        await rig.deal(2)
        documents = [rig.document(1), rig.document(2)]
        assert documents == [rig.expected(1), rig.expected(2)]

        report = await _said(capsys, "report", tmp_path / "table.toml")
        assert report["balance"] == {"ok": True, "problems": []}
        assert (report["table"], report["complete"]) == ("T1", False)
        assert [report["rounds"][outcome] for outcome in ("completed", "void", "suspended")] == [1, 1, 0]
        for amount in ("staked", "paid", "returned", "collected"):
            assert int(report["total"][amount].replace(".", "")) == _sum(rig, amount)
        (exposed,) = [each for each in report["irregularities"] if each["kind"] == "card_exposed"]
        assert (exposed["cite"], exposed["remedies"], exposed["rounds"]) == ("565.13(d)", documents[1]["remedies"], [2])

        deck = report["decks"][0]["deck"]
        affected = await _said(capsys, "journal", "decks", tmp_path / "table.toml", "--affected", deck)
        doubtful = [(each["round"], each["outcome"]) for each in affected["rounds"]]
        assert doubtful in ([(2, "void")], []), "nothing once the shuffler has counted for the next round"
        wider = await _said(capsys, "journal", "decks", rig.journal, "--affected", deck, "--since", "identified")
        assert [each["round"] for each in wider["rounds"]] == [1, 2]
