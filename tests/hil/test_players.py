"""Rounds that a table by itself is given: of every game, they can be played, and a seed gives the same ones again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.engine.scenario import RoundScript, Scenario, parse
from tablectl.engine.script import play, play_one
from tablectl.games import GAME_IDS
from tablectl.procedure.game import Remedy
from tablectl.procedure.table import Table
from tablectl_hil.players import Players, own_table


def table(game: str) -> Scenario:
    return parse(own_table(game))


def rounds(there: Scenario, players: Players, number: int) -> tuple[RoundScript, ...]:
    """So many rounds, each for the table as the one before has left it: a button moves on."""
    scripts, state = [], there.first_state()
    for _ in range(number):
        scripts.append(players.next_round(state=state))
        _fold, state = play_one(there, scripts[-1], Table(there.game, there.rules, there.setup, state))
    return tuple(scripts)


@pytest.mark.parametrize("game", GAME_IDS)
def test_rounds_of_every_game_can_be_played(game: str) -> None:
    there = table(game)
    players, others = Players(there, 7, mishaps=70), Players(there, 7, mishaps=70)
    scripts = rounds(there, players, 30)
    assert scripts == rounds(there, others, 30)
    document = play(replace(there, rounds=scripts))
    assert "error" not in document, document["error"]
    outcomes = [played["outcome"] for played in document["rounds"]]
    voids = any(rule.remedy is Remedy.VOID for rule in there.game.irregularities)
    assert {"completed", *(("void",) if voids else ())} <= set(outcomes)
    assert any(played["remedies"] for played in document["rounds"])


@pytest.mark.parametrize("game", GAME_IDS)
def test_everybody_plays_with_every_wager_and_nothing_goes_wrong(game: str) -> None:
    there = table(game)
    players = Players(there, 3, mishaps=0, everybody=True)
    scripts = rounds(there, players, 10)
    assert all(set(script.wagers) == set(range(1, there.setup.seats + 1)) for script in scripts)
    document = play(replace(there, rounds=scripts))
    assert "error" not in document, document["error"]
    assert {played["outcome"] for played in document["rounds"]} == {"completed"}


@pytest.mark.parametrize("game", ["omaha_high", "five_card_draw_high", "five_card_stud"])
def test_637a_18_g_4_seat_that_is_left_out_is_missed_while_cards_are_dealt(game: str) -> None:
    """The table goes on asking for its cards: nobody comes to a decision with that."""
    there = table(game)
    for seed in range(8):
        script = Players(there, seed, mishaps=0).next_round("player_not_dealt")
        (incident,) = script.incidents
        deal = {"omaha_high": 4, "five_card_draw_high": 5, "five_card_stud": 2}[game]
        button = len(script.wagers) if getattr(there.rules, "button_by_card", False) else 0
        assert incident.at.kind == "card"
        assert button < incident.at.number <= button + deal * (len(script.wagers) - 1)
