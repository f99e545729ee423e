"""Rounds that a table by itself is given: of every game, they can be played, and a seed gives the same ones again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play
from tablectl.games import GAME_IDS
from tablectl_hil.players import FILED, Players


def table(game: str) -> Scenario:
    return parse({"game": game, "rules": FILED.get(game, {}), "table": {"shuffler": "counting"}, "round": []})


@pytest.mark.parametrize("game", GAME_IDS)
def test_rounds_of_every_game_can_be_played(game: str) -> None:
    there = table(game)
    players, others = Players(there, 7, mishaps=70), Players(there, 7, mishaps=70)
    rounds = tuple(players.next_round() for _ in range(30))
    assert rounds == tuple(others.next_round() for _ in range(30))
    document = play(replace(there, rounds=rounds))
    assert "error" not in document, document["error"]
    outcomes = [played["outcome"] for played in document["rounds"]]
    assert {"completed", "void"} <= set(outcomes)


@pytest.mark.parametrize("game", GAME_IDS)
def test_everybody_plays_with_every_wager_and_nothing_goes_wrong(game: str) -> None:
    there = table(game)
    players = Players(there, 3, mishaps=0, everybody=True)
    rounds = tuple(players.next_round() for _ in range(10))
    assert all(set(script.wagers) == set(range(1, there.setup.seats + 1)) for script in rounds)
    document = play(replace(there, rounds=rounds))
    assert "error" not in document, document["error"]
    assert {played["outcome"] for played in document["rounds"]} == {"completed"}
