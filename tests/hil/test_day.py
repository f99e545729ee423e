"""The plan of a day, and rounds with something that goes wrong: without a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cli import USAGE, main
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play_one
from tablectl.errors import Misuse
from tablectl.procedure.table import Table
from tablectl_hil.day import kinds_at, plan_day
from tablectl_hil.players import Players


def a_table(game: str = "three_card_poker", decks: int = 1, **table: Any) -> Scenario:
    read = parse({"game": game, "table": {"seats": 4, **table}, "round": []})
    return replace(read, setup=replace(read.setup, decks=decks))


AUTOMATED = a_table(dealing="automated_shoe", shuffler="plain")
ALL_KINDS = kinds_at(AUTOMATED)


def test_all_that_the_chapter_declares_but_time_can_be_brought_about_with_an_automated_shoe() -> None:
    declared = {rule.kind for rule in AUTOMATED.game.irregularities}
    assert declared - set(ALL_KINDS) == {"deck_change_due"}


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_round_has_the_irregularity_that_was_asked_for_by_the_chapters_clause(kind: str) -> None:
    table = AUTOMATED
    script = Players(table, 3, mishaps=0).next_round(kind)
    fold, _after = play_one(table, script, Table(table.game, table.rules, table.setup, table.first_state()))
    (noted,) = (event for event in fold.events if isinstance(event, e.IrregularityNoted))
    clauses = {rule.cite for rule in table.game.irregularities if rule.kind == kind}
    assert noted.kind == kind
    assert noted.cite in clauses or kind == "deck_count"


def test_round_that_cannot_be_is_refused() -> None:
    with pytest.raises(Misuse, match="no round comes to 'shoe_jam' at this table"):
        Players(a_table(shuffler="counting"), 1).next_round("shoe_jam")


def test_every_kind_comes_once_before_one_comes_again() -> None:
    planned = list(plan_day(AUTOMATED, 2 * (2 * len(ALL_KINDS)) + 2, 5, ALL_KINDS))
    mishaps = [each.mishap for each in planned if each.mishap is not None]
    assert len(mishaps) == 2 * len(ALL_KINDS)
    half = len(ALL_KINDS)
    assert sorted(mishaps[:half]) == sorted(mishaps[half:]) == sorted(ALL_KINDS)
    assert all(each.mishap is None for each in planned if each.acts), "people act in rounds in which nothing goes wrong"
    acts = [act for each in planned for act in each.acts]
    assert sorted(acts) == ["dealer"] * 2 + ["shoe_back"] * 2 + ["shuffler_back"] * 2 + ["suspend"]


def test_the_same_seed_is_the_same_day() -> None:
    days = [list(plan_day(AUTOMATED, 36, seed, ALL_KINDS)) for seed in (1, 1, 2)]
    assert days[0] == days[1]
    assert days[0] != days[2]


def test_two_decks_take_turns_until_one_of_them_leaves() -> None:
    table = a_table(decks=2, shuffler="counting")
    planned = list(plan_day(table, 8, 6, ("shuffler_out_of_service", "late_wager", "card_face_up")))
    mishaps = [each.mishap for each in planned]
    decks = [each.expected["deck"]["id"] for each in planned]
    gone = mishaps.index("shuffler_out_of_service")
    assert gone == 4, "by that seed"
    assert decks[: gone + 1] == ["deck-1", "deck-2", "deck-1", "deck-2", "deck-1"]
    assert decks[gone + 1 :] == ["deck-1", "deck-1", "deck-3"], "back in a round, and the second deck in the next one"


def test_day_that_is_too_short_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hil", "day", "three_card_poker", "--rounds", "5"]) == USAGE
    assert "15 kinds of irregularities need a day of 32 rounds, this one has 5" in capsys.readouterr().err


def test_table_that_the_chapter_forbids_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hil", "day", "three_card_poker", "--shuffler", "none", "--decks", "2"]) == USAGE
    assert "565.3(b)" in capsys.readouterr().err
