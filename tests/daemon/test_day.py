"""A day at a table: opened, dealt with everything that may go wrong, closed, and reported so that it balances.

`make soak` plays longer ones. How long a day takes is printed, not asserted.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.engine.scenario import Scenario, parse
from tablectl_hil.audit import Record, audit
from tablectl_hil.day import DEALERS, Day, play_day
from tablectl_hil.mishaps import BY_TIME

ROUNDS: Final = int(os.environ.get("TABLECTL_DAY_ROUNDS", "40"))
SEED: Final = int(os.environ.get("TABLECTL_DAY_SEED", "1"))
WITHOUT_AUTOMATED_SHOE: Final = ("shoe_jam", "shoe_out_of_service")


def a_table(decks: int, **table: Any) -> Scenario:
    read = parse({"game": "three_card_poker", "table": {"seats": 3, **table}, "round": []})
    return replace(read, setup=replace(read.setup, decks=decks))


def kinds(table: Scenario, *but: str) -> list[str]:
    """Every irregularity that the chapter declares, but for some."""
    declared = dict.fromkeys(rule.kind for rule in table.game.irregularities)
    return [kind for kind in declared if kind not in (*BY_TIME, *but)]


def tell(capsys: pytest.CaptureFixture[str], name: str, day: Day) -> None:
    rounds, seconds = len(day.rounds), day.seconds
    with capsys.disabled():
        print(f"\nday with {name}: {rounds} rounds in {seconds:.1f} s, {seconds / rounds:.2f} s each, seed {SEED}")


pytestmark = pytest.mark.timeout(60 + 5 * ROUNDS)


async def test_day_with_two_decks_that_take_turns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = a_table(2, shuffler="counting")
    wanted = kinds(table, *WITHOUT_AUTOMATED_SHOE)
    day = await play_day(table, tmp_path, rounds=ROUNDS, seed=SEED, kinds=wanted)
    tell(capsys, "two decks", day)
    assert audit(day, Record.read(day.config)) == []
    assert sorted(day.mishaps) == sorted(wanted)
    assert tuple(day.dealers) == DEALERS
    decks = [outcome["deck"]["id"] for outcome in day.outcomes]
    assert decks[:2] == ["deck-1", "deck-2"]


async def test_day_with_one_deck_and_its_count_every_five_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = a_table(1, dealing="automated_shoe", shuffler="plain")
    wanted = kinds(table)
    day = await play_day(table, tmp_path, rounds=ROUNDS, seed=SEED, kinds=wanted)
    tell(capsys, "one deck", day)
    record = Record.read(day.config)
    assert audit(day, record) == []
    assert sorted(day.mishaps) == sorted(wanted)
    assert tuple(day.dealers) == DEALERS
    assert sum("count stub" in outcome["order"] for outcome in day.outcomes) >= ROUNDS // 10

    first, *others = day.outcomes
    row, *rows = first["wagers"]
    paid = {**first, "wagers": [{**row, "paid": "99.00"}, *rows]}
    dealers = Counter({**day.dealers, DEALERS[0]: 0})
    last = day.rounds[-1]
    silent = (*day.rounds[:-1], replace(last, noted=day.rounds[2].noted))
    said = audit(replace(day, outcomes=(paid, *others), dealers=dealers, rounds=silent), record)
    for what in ("round 1 (nothing wrong): wagers", "total is", "seats is", "dealers is", "irregularities is"):
        assert any(what in line for line in said), f"the audit does not notice: {what}\n{said}"


async def test_day_with_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No cards: a set of dice with its shaker, and the sensors of the Extra Roll."""
    table = parse({"game": "high_roll_dice", "table": {"seats": 3}, "round": []})
    wanted = kinds(table, "wrong_stake")  # what is wrong before "no more bets" is put right, and no irregularity
    day = await play_day(table, tmp_path, rounds=max(ROUNDS // 2, 2 * len(wanted) + 2), seed=SEED, kinds=wanted)
    tell(capsys, "dice", day)
    record = Record.read(day.config)
    assert audit(day, record) == []
    assert sorted(day.mishaps) == sorted(wanted)
    assert {outcome["deck"]["id"] for outcome in day.outcomes} == {"dice-1"}
    (dice,) = record.decks
    assert [check["what"] for check in dice["checks"]] == ["inspect_dice"]


async def test_day_in_the_poker_room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The button is drawn, pots feed two jackpots, and their boxes are counted before the table is closed."""
    drop = {"drop": "1.00", "minimum_pot": "4.00"}
    rules = {"bad_beat": drop, "high_hand": {**drop, "minimum_players": 2}, "first_button": "card_dealt"}
    rake = {"type": "percentage", "percent": 10, "maximum": "4.00"}
    document = {"game": "omaha_hilo", "rules": {**rules, "rake": rake}, "table": {"seats": 4}, "round": []}
    wanted = ["power_loss", "fouled_hand", "missing_cards"]
    rounds = max(ROUNDS // 3, 2 * len(wanted) + 2)
    day = await play_day(parse(document), tmp_path, rounds=rounds, seed=SEED, kinds=wanted)
    tell(capsys, "jackpots", day)
    record = Record.read(day.config)
    assert audit(day, record) == []
    drawn = [act for outcome in day.outcomes for act in outcome["order"] if act.startswith("button ")]
    assert len(drawn) == 1
    jackpots = record.report["house"]["jackpots"]
    assert all(jackpots[kind]["accounts"]["sent"] == jackpots[kind]["contributed"] for kind in jackpots)
    assert jackpots["bad_beat"]["contributed"] != "0.00"

    first, *others = day.outcomes
    poorer = {**first, "pots": [{**pot, "drops": {"bad_beat": "9.00"}} for pot in first["pots"]]}
    said = audit(replace(day, outcomes=(poorer, *others)), record)
    assert any("the report's poker room: jackpots is" in line for line in said), said
