"""A shoe that was lost tells late of cards of an earlier deal; nobody's hand is made of them."""

from __future__ import annotations

import pytest

from tablectl.cards import FaceDown
from tablectl.engine.inputs import Input
from tablectl.engine.scenario import parse
from tablectl.equipment import CardLeft, KeyPressed
from tests.engine.bench import PLAIN_SHOE, Bench


@pytest.fixture
def bench() -> Bench:
    """Two hands of three cards are to be dealt."""
    bench = Bench(parse({"game": "three_card_poker", "round": [{"wagers": {"1": {"ante": "10.00"}}}]}), PLAIN_SHOE)
    press(bench, "shuffled", "cut", "seat_1", "ante", "digit_1", "digit_0", "enter", "no_more_bets")
    assert bench.core.prompt().text == "DEAL CARD 1 TO SEAT 1"
    return bench


def press(bench: Bench, *keys: str) -> None:
    for key in keys:
        bench.take(Input("panel", KeyPressed(key)))


def leave(bench: Bench, *counts: int) -> None:
    for count in counts:
        bench.take(Input("shoe", CardLeft(count, FaceDown(), False)))


def test_counts_of_an_earlier_deal_deal_nothing(bench: Bench) -> None:
    for late in (4, 5):
        leave(bench, late)
        assert bench.core.prompt().text == f"SHOE COUNTS {late}: CARDS DEALT SO FAR: _"
        press(bench, "digit_0", "enter")
        assert bench.core.prompt().text == "DEAL CARD 1 TO SEAT 1"
    leave(bench, 1, 2, 3)
    assert bench.core.prompt().text == "DEAL CARD 4 TO DEALER"
    leave(bench, 4, 5, 6)
    assert bench.core.prompt().text == "SEAT 1: BET OR FOLD?"


def test_a_shoe_whose_count_has_not_begun_anew_counts_from_where_it_stands(bench: Bench) -> None:
    leave(bench, 18)
    press(bench, "digit_1", "enter")
    assert bench.core.prompt().text == "DEAL CARD 2 TO DEALER"
    leave(bench, 19, 20)
    assert bench.core.prompt().text == "DEAL CARD 4 TO DEALER"


def test_a_first_card_that_nobody_told_of_is_among_those_that_the_dealer_counts(bench: Bench) -> None:
    leave(bench, 2)
    press(bench, "digit_2", "enter")
    assert bench.core.prompt().text == "DEAL CARD 3 TO SEAT 1"
    leave(bench, 3)
    assert bench.core.prompt().text == "DEAL CARD 4 TO DEALER"
