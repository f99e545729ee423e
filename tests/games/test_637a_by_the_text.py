"""Rounds of every poker game, with any players and cards: the program and the text worked out slowly agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play, play_one
from tablectl.money import show
from tablectl.procedure.table import Table
from tablectl_hil.players import Players
from tests.games.by_hand_637a import GAMES, outcome
from tests.games.scenarios import Document, without_deck_ids

PERCENT = {"type": "percentage", "percent": 10, "maximum": "4.00"}
STEPS = {"type": "incremental", "steps": [["20.00", "1.00"], ["40.00", "2.00"], ["100.00", "3.00"]]}
DROP = {"drop": "1.00", "minimum_pot": "20.00"}
FILED: dict[str, list[dict[str, Any]]] = {
    "omaha_high": [
        {},
        {"straddle": "4.00", "rake": PERCENT},
        {"ante": "1.00", "blinds": ["2.00"], "first_button": "card_dealt"},
    ],
    "omaha_hilo": [
        {"rake": PERCENT, "bad_beat": DROP},
        {"kill": "kill", "rake": STEPS},
        {"betting": "limit", "kill": "half_kill", "bet_sizes": ["2.00", "4.00"], "smallest_chip": "0.50"},
        {"betting": "pot_limit", "smallest_chip": "0.25", "blinds": ["0.50", "1.00", "2.00"]},
    ],
    "five_card_draw_high": [
        {"ante": "1.00", "rake": PERCENT},
        {"betting": "limit", "high_hand": DROP, "first_button": "card_dealt"},
    ],
    "five_card_draw_low": [{"rake": STEPS}, {"ante": "0.50", "smallest_chip": "0.50", "betting": "pot_limit"}],
    "five_card_stud": [
        {"ante": "1.00"},
        {"betting": "limit", "rake": PERCENT},
        {"forced_bet": "2.00", "bad_beat": DROP},
    ],
}
CASES = [(game, number) for game in GAMES for number in range(len(FILED[game]))]


def played_by_chance(game: str, rules: dict[str, Any], seed: int, rounds: int) -> tuple[Scenario, Document]:
    """A scenario of such rounds, and the document that it is."""
    table = parse({"game": game, "rules": rules, "table": {}, "round": []})
    players = Players(table, seed, mishaps=0)
    state, scripts = table.first_state(), []
    for _ in range(rounds):
        scripts.append(players.next_round(state=state))
        _fold, state = play_one(table, scripts[-1], Table(table.game, table.rules, table.setup, state))
    written = [
        {
            "stacks": {str(number): show(wagers["stack"]) for number, wagers in script.wagers.items()},
            "cards": " ".join(item.card.name for item in script.cards),
            "decisions": {str(number): list(said) for number, said in script.decisions.items()},
        }
        for script in scripts
    ]
    return replace(table, rounds=tuple(scripts)), {"game": game, "rules": rules, "round": written}


@pytest.mark.parametrize(("game", "number"), CASES)
def test_637a_any_round_is_what_the_text_makes_of_it(game: str, number: int) -> None:
    for seed in range(2):
        scenario, document = played_by_chance(game, FILED[game][number], seed, 8)
        found, expected = without_deck_ids(play(scenario)), outcome(document)
        for ours, theirs in zip(found["rounds"], expected["rounds"], strict=True):
            assert ours == theirs
