"""Stand-in games at a live table: every way of dealing, and their irregularities, come out as by script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablectl.cards import deck
from tablectl.engine.script import play
from tablectl.procedure.game import Game
from tests.engine.bench import ALL_SENSORS, PANEL_ALONE, PLAIN_SHOE, Bench
from tests.engine.scenarios import fitting, without_deck
from tests.procedure.irregular_games import (
    CRISS_CROSS,
    DICE,
    HOLD_EM,
    LUNAR,
    OMAHA,
    PAI_GOW_GAME,
    STUD,
    TWENTY_ONE,
    scenario,
)

KITS = {"panel_alone": PANEL_ALONE, "panel_and_plain_shoe": PLAIN_SHOE, "all_sensors": ALL_SENSORS}
BY_HAND = {"dealing": "from_hand", "shuffler": "plain"}
STACKS = {"dealing": "automated_shoe", "shuffler": "plain"}
PAI_GOW = {
    "wagers": {"2": {"pai_gow": "10.00"}, "5": {"pai_gow": "5.00"}},
    "decisions": {"2": ["house_way"], "5": ["house_way"]},
}
MIXED = " ".join(card.name for start in range(7) for card in deck()[start::7])
OTHERWISE = " ".join(card.name for start in range(11) for card in deck()[start::11])
ANTES = {"wagers": {"1": {"ante": "5.00"}, "4": {"ante": "10.00"}}}
BOTH_IN = {**ANTES, "decisions": {"1": ["bet"], "4": ["fold"]}}


def case(game: Game, *rounds: Mapping[str, Any], **document: Any) -> tuple[Game, dict[str, Any]]:
    return game, {"round": list(rounds), **document}


def noticed(at: str, kind: str, **said: Any) -> list[dict[str, Any]]:
    return [{"at": at, "kind": kind, **said}]


CASES = {
    "561 single cards": case(PAI_GOW_GAME, {**PAI_GOW, "dice": ["1 3 6"]}),
    "561 by hand": case(PAI_GOW_GAME, {**PAI_GOW, "dice": ["6 6 6"]}, table=BY_HAND),
    "561 stacks": case(PAI_GOW_GAME, {**PAI_GOW, "dice": ["1 1 1"]}, table=STACKS),
    "561 random number": case(PAI_GOW_GAME, {**PAI_GOW, "rng": [7]}, rules={"starting_position": "rng"}),
    "561 button": case(
        PAI_GOW_GAME,
        {**PAI_GOW, "cards": MIXED},
        {**PAI_GOW, "cards": OTHERWISE},
        rules={"starting_position": "button"},
        table=STACKS,
    ),
    "561 no roll": case(
        PAI_GOW_GAME, {**PAI_GOW, "dice": ["1 3 6", "2 2 2"], "incidents": noticed("throw 1", "no_roll")}
    ),
    "561 wrong total": case(
        PAI_GOW_GAME,
        {
            "wagers": PAI_GOW["wagers"],
            "dice": ["1 3 6"],
            "incidents": [
                *noticed("throw 1", "dice_total_wrong", total=11),
                *noticed("card 1", "first_card_wrong_position", position="seat 4"),
            ],
        },
    ),
    "561 hand voided": case(
        PAI_GOW_GAME,
        {
            **PAI_GOW,
            "dice": ["1 3 6"],
            "decisions": {"2": ["void_hand"], "5": ["house_way"]},
            "incidents": noticed("card 9", "card_exposed", position="seat 2"),
        },
    ),
    "561 hand played on": case(
        PAI_GOW_GAME,
        {
            **PAI_GOW,
            "dice": ["1 3 6"],
            "decisions": {"2": ["house_way"], "5": ["play_on", "house_way"]},
            "incidents": noticed("decision 5", "card_exposed", position="seat 5"),
        },
    ),
    "561 stack exposed": case(
        PAI_GOW_GAME,
        {
            "wagers": PAI_GOW["wagers"],
            "dice": ["1 3 6"],
            "incidents": noticed("card 20", "card_exposed", position="stack 6"),
        },
        table=BY_HAND,
    ),
    "561 remainder wrong": case(
        PAI_GOW_GAME,
        {
            "wagers": PAI_GOW["wagers"],
            "dice": ["1 3 6"],
            "incidents": noticed("count", "deck_count", count=54, misdealt=True, position="seat 2"),
        },
    ),
    "561 face-up card": case(PAI_GOW_GAME, {**PAI_GOW, "cards": "2c ^3c", "dice": ["1 3 6"]}),
    "561 hand set wrong": case(
        PAI_GOW_GAME, {**PAI_GOW, "dice": ["1 3 6"], "incidents": noticed("settle 5", "house_way_wrong")}
    ),
    "563": case(HOLD_EM, {**BOTH_IN, "wagers": {"1": {"ante": "5.00", "bonus": "1.00"}, "4": {"ante": "10.00"}}}),
    "563 bonus in a void": case(
        HOLD_EM,
        {
            "wagers": {"1": {"ante": "5.00", "bonus": "1.00"}, "4": {"ante": "10.00"}},
            "cards": "As Kd 2c Ad 4h 7s",
            "decisions": {"1": ["bet"]},
            "incidents": noticed("decision 4", "card_exposed", position="dealer"),
        },
    ),
    "655a single cards": case(STUD, BOTH_IN),
    "655a stacks": case(STUD, BOTH_IN, table=STACKS),
    "655a collusion": case(
        STUD, {**ANTES, "decisions": {"1": ["bet"]}, "incidents": noticed("decision 4", "collusion", position="seat 4")}
    ),
    "655a board exposed": case(
        STUD,
        {
            **ANTES,
            "decisions": {"1": ["bet"]},
            "incidents": noticed("decision 4", "card_exposed", position="community"),
        },
    ),
    "674a single cards": case(CRISS_CROSS, BOTH_IN),
    "674a stacks": case(CRISS_CROSS, BOTH_IN, table=STACKS),
    "671a": case(LUNAR, ANTES, table={"rounds_since_count": 4}),
    "671a wrong deck": case(
        LUNAR,
        {**ANTES, "cards": MIXED, "incidents": noticed("count", "deck_count", count=51)},
        {**ANTES, "cards": OTHERWISE},
        table={"rounds_since_count": 4},
    ),
    "675a rethrown": case(
        DICE,
        {
            "wagers": {"1": {"pip_1": "5.00"}},
            "dice": ["1 1 1 1 1 1", "1 2 3 4 5 6"],
            "incidents": noticed("throw 1", "die_cocked", sides=2),
        },
    ),
    "637a replaced": case(OMAHA, {**ANTES, "incidents": noticed("card 2", "card_exposed", position="seat 4")}),
    "637a another deck": case(OMAHA, {**ANTES, "incidents": noticed("card 2", "missing_cards")}, ANTES),
    "672a": case(
        TWENTY_ONE,
        {"wagers": {"1": {"blackjack": "5.00"}}, "decisions": {"1": ["stand"]}},
        {"wagers": {"1": {"blackjack": "5.00"}}, "decisions": {"1": ["hit"]}},
        {
            "wagers": {"1": {"blackjack": "5.00"}},
            "decisions": {"1": ["stand"]},
            "incidents": noticed("decision 1", "card_reader_misused"),
        },
    ),
    "672a shoe is empty": case(
        TWENTY_ONE,
        {
            "wagers": {"1": {"blackjack": "5.00"}, "2": {"blackjack": "5.00"}},
            "decisions": {"1": ["stand"], "2": ["hit"]},
            "incidents": noticed("card 4", "insufficient_cards"),
        },
    ),
    "672a reader broken": case(
        TWENTY_ONE,
        {"wagers": {"1": {"blackjack": "5.00"}}, "incidents": noticed("decision 1", "card_reader_fault")},
    ),
}


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@pytest.mark.parametrize("name", CASES)
def test_live_table_gives_the_scripts_outcome(name: str, kit: Any) -> None:
    game, document = CASES[name]
    read = scenario(game, document)
    played = play(read)
    assert "error" not in played, played["error"]
    expected = [without_deck(each) for each in played["rounds"]]
    assert [without_deck(each) for each in Bench(read, fitting(read, kit)).play()] == expected
