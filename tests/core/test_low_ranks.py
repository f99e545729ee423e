"""Low hands against combinatorics and a slow ranking that shares nothing with the tables."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import Any

import pytest

from tablectl.cards import Card, card, deck
from tablectl.hands.low import LowRank, ace_to_five, deuce_to_seven

DECK = deck()


def cards(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


def slow_ace_to_five(hand: Sequence[Card]) -> tuple[list[int], list[tuple[int, int]]]:
    """Smaller is better: how often ranks occur, then which, from the highest down, the ace as one."""
    counts = Counter(1 if c.rank == 14 else c.rank for c in hand)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    return [count for count, _rank in groups], groups


def slow_deuce_to_seven(hand: Sequence[Card]) -> tuple[int, list[tuple[int, int]]]:
    """Smaller is better: straights and flushes count, the ace is high and nothing else."""
    counts = Counter(c.rank for c in hand)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    ranks = sorted(counts)
    suited = len({c.suit for c in hand}) == 1
    straight = len(ranks) == 5 and ranks[-1] - ranks[0] == 4
    shape = [count for count, _rank in groups]
    worth = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}.get(tuple(shape), 0)
    if not worth:
        worth = 8 if straight and suited else 5 if suited else 4 if straight else 0
    return worth, groups


@pytest.mark.parametrize(
    ("fast", "slow"), [(ace_to_five, slow_ace_to_five), (deuce_to_seven, slow_deuce_to_seven)], ids=["a5", "27"]
)
def test_637a_13_i_2_low_hands_are_ordered_as_a_slow_ranking_orders_them(
    fast: Callable[[Sequence[Card]], LowRank], slow: Callable[[Sequence[Card]], Any]
) -> None:
    chance = random.Random(637)
    for _ in range(20_000):
        one, other = chance.sample(DECK, 5), chance.sample(DECK, 5)
        ours = fast(one).order - fast(other).order
        assert (ours > 0) == (slow(one) < slow(other))
        assert (ours == 0) == (slow(one) == slow(other))


def test_637a_13_i_2_ace_to_five_hands_occur_as_often_as_combinatorics_says() -> None:
    hands = [ace_to_five(hand) for hand in combinations(DECK, 5)]
    found = Counter(hand.category for hand in hands)
    assert found["high_card"] == comb(13, 5) * 4**5
    assert found["pair"] == 13 * comb(4, 2) * comb(12, 3) * 4**3
    assert found["four_of_a_kind"] == 13 * 48
    best = max(hands)
    assert best.ranks == (5, 4, 3, 2, 1)
    assert hands.count(best) == 4**5
    assert len({hand.order for hand in hands}) == comb(13, 5) + 13 * comb(12, 3) + 13 * 12 // 2 * 11 + (
        13 * comb(12, 2) + 13 * 12 + 13 * 12
    )


def test_637a_13_i_2_the_best_deuce_to_seven_is_seven_five_without_a_flush() -> None:
    hands = Counter(deuce_to_seven(hand) for hand in combinations(DECK, 5))
    best = max(hands)
    assert best == deuce_to_seven(cards("7c 5d 4h 3s 2c"))
    assert hands[best] == 4**5 - 4
    assert min(hands) == deuce_to_seven(cards("As Ks Qs Js Ts"))


def test_637a_13_i_2_an_ace_is_high_in_deuce_to_seven_and_makes_no_straight_with_low_cards() -> None:
    wheel, king, pair = cards("As 2d 3h 4c 5s"), cards("Ks 2d 3h 4c 6s"), cards("2s 2d 3h 4c 5s")
    assert deuce_to_seven(king) > deuce_to_seven(wheel) > deuce_to_seven(pair)
    assert deuce_to_seven(wheel).category == "high_card"
    assert deuce_to_seven(cards("2s 3d 4h 5c 6s")).category == "straight"


def test_637a_13_i_2_straights_and_flushes_do_not_count_in_ace_to_five() -> None:
    assert ace_to_five(cards("As 2s 3s 4s 5s")) == ace_to_five(cards("Ac 2d 3h 4s 5c"))
    assert ace_to_five(cards("As 2s 3s 4s 6s")) > ace_to_five(cards("2c 3d 4h 5s 6c"))
