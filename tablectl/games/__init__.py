"""The games, one module for each chapter of 58 Pa. Code, found by their id and imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from tablectl.errors import Misuse
from tablectl.procedure.game import Game

__all__ = ["GAME_IDS", "game"]

GAME_IDS: Final = (
    "three_card_poker",
    "texas_holdem_bonus",
    "criss_cross_poker",
    "go_fore_it",
    "lunar_poker",
    "mississippi_stud",
    "crazy_4_poker",
    "pai_gow_poker",
    "six_card_fortune_pai_gow",
    "high_roll_dice",
    "free_bet_blackjack",
    "double_back_jack",
    "omaha_high",
    "omaha_hilo",
    "five_card_draw_high",
    "five_card_draw_low",
    "five_card_stud",
)


def game(name: str) -> Game:
    """The game with that id; `Misuse` names the known ones."""
    if name not in GAME_IDS:
        raise Misuse(f"game {name!r} is not known; known are {', '.join(GAME_IDS)}")
    found = import_module(f"tablectl.games.{name}").GAME
    assert isinstance(found, Game)
    return found
