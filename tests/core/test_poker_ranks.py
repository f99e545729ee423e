"""Hands of four and five cards against combinatorics and a slow ranking that shares nothing with the fast one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

import pytest

from tablectl.cards import Card, card, deck
from tablectl.hands.poker import FIVE_CARD, FOUR_CARD, Evaluator, Order

DECK = deck()
FIVE, FOUR = Evaluator(FIVE_CARD), Evaluator(FOUR_CARD)


def cards(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


def slowly(hand: Sequence[Card], order: Order) -> tuple[int, list[tuple[int, int]]]:
    """Category and deciding ranks of a hand of exactly the order's size, by grouping and sorting."""
    counts = Counter(c.rank for c in hand)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    shape = tuple(count for count, _rank in groups)
    ranks = sorted(counts, reverse=True)
    suited = len({c.suit for c in hand}) == 1
    low = [14, *range(order.size, 1, -1)]
    straight = len(ranks) == order.size and (ranks[0] - ranks[-1] == order.size - 1 or ranks == low)
    if straight:
        groups = [(1, order.size if ranks == low else ranks[0])]
    named = {(4,): "four_of_a_kind", (4, 1): "four_of_a_kind", (3, 2): "full_house", (3, 1): "three_of_a_kind"}
    named |= {(3, 1, 1): "three_of_a_kind", (2, 2): "two_pair", (2, 2, 1): "two_pair"}
    named |= {(2, 1, 1): "pair", (2, 1, 1, 1): "pair"}
    category = named.get(shape, "high_card")
    if straight and suited:
        royal = ranks[0] == 14 and ranks != low and "royal_flush" in order.categories
        category = "royal_flush" if royal else "straight_flush"
    elif suited:
        category = "flush"
    elif straight:
        category = "straight"
    return order.categories.index(category), groups


def test_563_6_b_five_card_categories_occur_as_often_as_combinatorics_says() -> None:
    found = Counter(FIVE.rank(hand).category for hand in combinations(DECK, 5))
    straights, suits = 10, 4
    flushes = suits * (comb(13, 5) - straights)
    assert found == {
        "royal_flush": suits,
        "straight_flush": suits * (straights - 1),
        "four_of_a_kind": 13 * 48,
        "full_house": 13 * 4 * 12 * comb(4, 2),
        "flush": flushes,
        "straight": straights * (4**5 - 4),
        "three_of_a_kind": 13 * 4 * comb(12, 2) * 4**2,
        "two_pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
        "pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
        "high_card": (comb(13, 5) - straights) * (4**5 - 4),
    }


def test_657a_6_b_four_card_categories_occur_as_often_as_combinatorics_says() -> None:
    found = Counter(FOUR.rank(hand).category for hand in combinations(DECK, 4))
    straights = 11
    assert found == {
        "four_of_a_kind": 13,
        "straight_flush": 4 * straights,
        "three_of_a_kind": 13 * 4 * 48,
        "flush": 4 * (comb(13, 4) - straights),
        "straight": straights * (4**4 - 4),
        "two_pair": comb(13, 2) * comb(4, 2) ** 2,
        "pair": 13 * comb(4, 2) * comb(12, 2) * 4**2,
        "high_card": (comb(13, 4) - straights) * (4**4 - 4),
    }


@pytest.mark.parametrize(("evaluator", "size"), [(FIVE, 5), (FIVE, 6), (FIVE, 7), (FOUR, 4), (FOUR, 5)])
def test_563_6_c_best_hand_compares_as_the_slow_ranking_does(evaluator: Evaluator, size: int) -> None:
    chance = random.Random(size)
    order = evaluator.order

    def best(hand: Sequence[Card]) -> tuple[int, list[tuple[int, int]]]:
        return max(slowly(chosen, order) for chosen in combinations(hand, order.size))

    for _ in range(4000):
        one, other = chance.sample(DECK, size), chance.sample(DECK, size)
        if chance.random() < 0.5:  # hands that are near each other
            other = [*one[:-2], *chance.sample([c for c in DECK if c not in one], 2)]
        ranked, told = (evaluator.rank(one), evaluator.rank(other)), (best(one), best(other))
        assert ranked[0].category == order.categories[told[0][0]]
        assert (ranked[0] > ranked[1], ranked[0] == ranked[1]) == (told[0] > told[1], told[0] == told[1])


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2c 3d 4h 5s 6c", "Ac 2d 3h 4s 5c"),  # 563.6(b)(6): ace to five is the lowest straight
        ("Ac Kd Qh Js Tc", "Kc Qd Jh Ts 9c"),
        ("Qc Qd 2h 3s 4c", "Jc Jd Ah Ks Qh"),  # the combination first, kickers after
        ("3c 3d 3h 2s 2c", "2d 2h 2s Ac Ad"),
        ("Kc Kd 2h 2s 3c", "Qc Qd Jh Js Ac"),
        ("Ac Ad 5h 4s 3c", "Ah As 5c 4d 2c"),
    ],
)
def test_563_6_b_c_order_within_a_category(higher: str, lower: str) -> None:
    assert FIVE.rank(cards(higher)) > FIVE.rank(cards(lower))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2c 2d 2h 2s Ac", "Ac Kc Qc Jc 2d"),  # 657a.6(b): four of a kind above a straight flush
        ("2c 2d 2h Ks 9c", "Ac Kc Qc 9c 2d"),  # three of a kind above a flush
        ("4c 3d 2h As 9c", "Ac Ad Kh Ks 9d"),  # a straight above two pairs
        ("5c 4d 3h 2s 9c", "4c 3d 2h As 9d"),  # ace to four is the lowest straight
        ("Ac Kd Qh Js 9c", "Kc Qd Jh Ts 9d"),
    ],
)
def test_657a_6_b_best_four_of_five(higher: str, lower: str) -> None:
    assert FOUR.rank(cards(higher)) > FOUR.rank(cards(lower))
