"""Decisions that name no amount, no card or no number: not well formed, with round, seat and what was expected."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.engine.scenario import parse
from tablectl.errors import ScenarioError

STACKS = {"1": "100.00", "2": "100.00", "3": "100.00"}
ROUNDS: dict[str, dict[str, Any]] = {
    "free_bet_blackjack": {"wagers": {"3": {"blackjack": "10.00"}}},
    "double_back_jack": {"wagers": {"3": {"blackjack": "10.00"}}},
    "mississippi_stud": {"wagers": {"3": {"ante": "10.00"}}},
    "lunar_poker": {"wagers": {"3": {"ante": "10.00"}}},
    "pai_gow_poker": {"wagers": {"3": {"pai_gow": "10.00"}}},
    "omaha_high": {"stacks": STACKS},
    "five_card_draw_low": {"stacks": STACKS},
}
AMOUNT = "expected dollars with two decimals such as 10.00"


@pytest.mark.parametrize(
    ("game", "said", "expected"),
    [
        ("free_bet_blackjack", "insurance 5", AMOUNT),
        ("free_bet_blackjack", "double ten", AMOUNT),
        ("double_back_jack", "insurance 5.0", AMOUNT),
        ("double_back_jack", "double $5.00", AMOUNT),
        ("omaha_high", "bet abc", AMOUNT),
        ("omaha_high", "bet 10", AMOUNT),
        ("omaha_high", "raise 10", AMOUNT),
        ("omaha_high", "raise 10,00", AMOUNT),
        ("mississippi_stud", "bet abc", "bet 2"),
        ("mississippi_stud", "bet 1,5", "bet 2"),
        ("lunar_poker", "exchange Ax", "expected a rank"),
        ("pai_gow_poker", "set As 10c", "expected a rank"),
        ("five_card_draw_low", "draw as", "expected a rank"),
    ],
)
def test_word_of_a_decision_that_is_none_is_not_well_formed(game: str, said: str, expected: str) -> None:
    """Even where nobody would ever be asked: the document is refused whole, before anything is played."""
    smooth = ROUNDS[game]
    with pytest.raises(ScenarioError) as refused:
        parse({"game": game, "round": [smooth, {**smooth, "decisions": {"3": [said]}}]})
    assert str(refused.value).startswith(f"scenario: round 2: decisions: seat 3: {said!r}: ")
    assert expected in str(refused.value)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("free_bet_blackjack", "insurance"),
        ("free_bet_blackjack", "insurance 0.00"),
        ("mississippi_stud", "bet 4"),
        ("mississippi_stud", "bet 10.00"),
        ("omaha_high", "raise"),
        ("omaha_high", "raise 10.00"),
        ("five_card_draw_low", "draw"),
        ("five_card_draw_low", "draw Xj"),
    ],
)
def test_what_is_well_formed_is_judged_as_the_round_is_played(game: str, said: str) -> None:
    parse({"game": game, "round": [{**ROUNDS[game], "decisions": {"3": [said]}}]})
