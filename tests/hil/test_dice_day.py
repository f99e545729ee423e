"""A table with dice and its emulated equipment: the kit, the plan of a day, what goes wrong in it."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play_one
from tablectl.equipment import Capability, Kind
from tablectl.procedure.table import Table
from tablectl_hil.day import kinds_at
from tablectl_hil.players import Players
from tablectl_hil.tableside import kit_for, pieces


def dice(number: int = 10, **round_: Any) -> Scenario:
    rounds = [round_] if round_ else []
    return parse({"game": "high_roll_dice", "rules": {"dice": number}, "round": rounds})


KINDS = kinds_at(dice())


@pytest.mark.parametrize(("number", "capability"), [(10, Capability.TEN_DICE), (6, Capability.SIX_DICE)])
def test_675a_3_b_table_has_a_shaker_for_its_dice_and_nothing_for_cards(number: int, capability: Capability) -> None:
    scenario = dice(number)
    made = {piece.kind: piece for piece in pieces(scenario, kit_for(scenario, "all"))}
    assert made[Kind.SHAKER].capabilities == (capability,)
    assert (Kind.EXTRA_ROLL in made) == (number == 10), "675a.1(c), 675a.6(b)"
    assert not {Kind.SHOE, Kind.SHUFFLER, Kind.CARD_SCANNER, Kind.CARD_READER} & {*made}
    assert [piece.kind for piece in pieces(scenario, kit_for(scenario, "panel"))] == [Kind.PANEL]


def test_all_that_can_be_brought_about_comes_about() -> None:
    declared = {rule.kind for rule in dice().game.irregularities}
    assert declared - set(KINDS) == {"deck_change_due", "wrong_stake"}, "by time, and before anything is locked"


@pytest.mark.parametrize(
    ("number", "kind"),
    [*((10, kind) for kind in KINDS), *((6, kind) for kind in KINDS if kind != "progressive_count_mismatch")],
)
def test_round_has_the_irregularity_that_was_asked_for(number: int, kind: str) -> None:
    table = dice(number)
    script = Players(table, 3, mishaps=0).next_round(kind)
    fold, _after = play_one(table, script, Table(table.game, table.rules, table.setup, table.first_state()))
    noted = [event for event in fold.events if isinstance(event, e.IrregularityNoted)]
    assert [event.kind for event in noted] == [kind]
    if kind == "progressive_count_mismatch":
        assert script.dice == ()
    else:
        thrown = [event for event in fold.events if isinstance(event, e.DiceThrown)]
        assert [event.faces for event in thrown] == list(script.dice)


def test_dice_of_a_made_round_are_as_many_as_are_thrown() -> None:
    players = Players(dice(), 5, mishaps=0, everybody=True)
    for _ in range(10):
        script = players.next_round()
        first, more = script.dice
        assert len(first) == 10
        assert len(more) == 10 - max(first.count(face) for face in first)
        assert set(script.wagers[3]) == set(dice().game.opening) - {"like_none"}
