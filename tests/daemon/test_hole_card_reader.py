"""The hole-card reader at a real table, over its real link: read, read again, broken, and used when it is not to be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.rows import read_body
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play
from tablectl.journal import Reader, RowKind
from tablectl_hil.faults import NO_FAULTS, FaultScript
from tablectl_hil.tableside import run_scenario
from tests.engine.scenarios import without_deck


def scenario(dealer: str, said: list[str], *incidents: dict[str, str]) -> Scenario:
    up, hole = dealer.split()
    script: dict[str, Any] = {
        "wagers": {"2": {"blackjack": "10.00"}},
        "cards": f"2c Tc {up} 9c {hole}",
        "decisions": {"2": said} if said else {},
        "incidents": list(incidents),
    }
    return parse({"game": "double_back_jack", "round": [script]})


def failing(fault: str) -> FaultScript:
    act = {"at": "wagers", "device": "card_reader", "act": "fail_next", "with": {"fault": fault}}
    return FaultScript.model_validate({"fault": [act]})


async def played(folder: Path, of: Scenario, faults: FaultScript = NO_FAULTS) -> dict[str, Any]:
    document = await run_scenario(of, folder, "all", faults)
    (outcome,) = document["rounds"]
    return without_deck(outcome)


def of_journal(folder: Path, kind: RowKind, key: str) -> list[Any]:
    rows = Reader(folder / "journal.db").rows(kinds=[kind])
    return [read_body(row, **{key: object})[key] for row in rows]


def told(folder: Path) -> list[bool]:
    events = of_journal(folder, RowKind.EVENT, "event")
    return [event.blackjack for event in events if isinstance(event, e.HoleCardPeeked)]


def asked(folder: Path) -> int:
    """How often the reader was told to read."""
    commands = of_journal(folder, RowKind.INTENT, "command")
    return sum(type(command).__name__ == "ReadHoleCard" for command in commands)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("dealer", "said"), [("Kh Ad", []), ("Ah 9d", ["no_insurance", "stand"]), ("7h Ad", ["stand"])]
)
async def test_673a_7_h_reader_answers_from_the_real_hole_card(tmp_path: Path, dealer: str, said: list[str]) -> None:
    of = scenario(dealer, said)
    assert await played(tmp_path, of) == without_deck(play(of)["rounds"][0])
    assert told(tmp_path) == {"Kh Ad": [True], "Ah 9d": [False], "7h Ad": []}[dealer]
    assert asked(tmp_path) == len(told(tmp_path))


@pytest.mark.timeout(120)
async def test_673a_7_h_card_that_cannot_be_read_goes_in_again(tmp_path: Path) -> None:
    of = scenario("Kh Ad", [])
    assert await played(tmp_path, of, failing("unreadable")) == without_deck(play(of)["rounds"][0])
    assert (told(tmp_path), asked(tmp_path)) == ([True], 2)


@pytest.mark.timeout(120)
async def test_673a_13_j_reader_that_fails_stops_the_table(tmp_path: Path) -> None:
    outcome = await played(tmp_path, scenario("Kh 9d", ["stand"]), failing("jam"))
    assert (outcome["outcome"], outcome["cause"], outcome["cite"]) == ("suspended", "card_reader_fault", "673a.13(j)")
    assert (outcome["wagers"], told(tmp_path)) == ([], [])
    faults = [x for x in of_journal(tmp_path, RowKind.EVENT, "event") if isinstance(x, e.FaultLatched)]
    assert ("card_reader", "card_reader_fault") in {(x.device, x.fault) for x in faults}


@pytest.mark.timeout(120)
async def test_673a_13_i_reader_tells_of_its_needless_use(tmp_path: Path) -> None:
    of = scenario("7h Ad", ["stand"], {"at": "peek", "kind": "card_reader_misused"})
    assert await played(tmp_path, of) == without_deck(play(of)["rounds"][0])
    rows = Reader(tmp_path / "journal.db").rows(kinds=[RowKind.INPUT])
    assert any('"CardPresent"' in row.body for row in rows), "it went into the reader, nobody has reported it"
