"""565.6 over all 22,100 hands, against a slow comparison that was written from the text."""

from __future__ import annotations

import random
from collections import Counter
from functools import cmp_to_key
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.cards import Card, card, deck
from tablectl.hands.three import ThreeCard, rank3
from tests.games.test_565_settlement import combination, compare

COUNTS = {
    ThreeCard.STRAIGHT_FLUSH: 48,
    ThreeCard.THREE_OF_A_KIND: 52,
    ThreeCard.STRAIGHT: 720,
    ThreeCard.FLUSH: 1096,
    ThreeCard.PAIR: 3744,
    ThreeCard.HIGH_CARD: 16440,
}


def hand(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


def names(cards: tuple[Card, ...]) -> list[str]:
    return [c.name for c in cards]


def test_565_6_b_how_many_hands_there_are_of_each_kind() -> None:
    assert Counter(rank3(cards).category for cards in combinations(deck(), 3)) == COUNTS
    assert sum(COUNTS.values()) == 22_100


def test_565_6_b_order_of_the_kinds() -> None:
    assert list(ThreeCard) == [*reversed(COUNTS)], "565: a straight beats a flush, three of a kind a straight"


def test_565_6_all_hands_are_ordered_as_the_text_orders_them() -> None:
    """One hand of each rank, sorted by the slow comparison, climbs strictly; all hands of one rank are ties."""
    alike: dict[object, list[str]] = {}
    for cards in combinations(deck(), 3):
        rank, text = rank3(cards), names(cards)
        first = alike.setdefault(rank, text)
        assert compare(text, first) == 0
    ranked = sorted(alike.values(), key=cmp_to_key(compare))
    assert all(compare(low, high) < 0 for low, high in pairwise(ranked))
    assert [rank3([card(name) for name in text]) for text in ranked] == sorted(
        rank3([card(name) for name in text]) for text in ranked
    )
    # 13 trips; 12 straights and straight flushes; 13 x 12 pairs; 286 sets of three ranks without the 12 runs, twice.
    assert len(ranked) == 13 + 2 * 12 + 13 * 12 + 2 * (286 - 12)


def test_565_6_any_two_hands_compare_as_the_text_says() -> None:
    chance = random.Random(565)
    cards = list(deck())
    for _ in range(20_000):
        drawn = chance.sample(cards, 6)
        one, other = tuple(drawn[:3]), tuple(drawn[3:])
        difference = compare(names(one), names(other))
        mine, yours = rank3(one), rank3(other)
        assert (mine > yours, mine == yours) == (difference > 0, difference == 0), (one, other)


def test_565_6_kinds_are_named_as_the_slow_reading_names_them() -> None:
    for cards in combinations(deck(), 3):
        kind = combination(names(cards)).replace("mini_royal", "straight_flush").replace("nothing", "high_card")
        assert rank3(cards).category.name.lower() == kind


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("As Ks Qs", "Ks Qs Js"),
        ("4d 3d 2d", "3c 2c Ac"),  # the lowest straight flush
        ("3c 2c Ac", "As Ad Ah"),
        ("2s 2d 2h", "As Kd Qh"),
        ("4s 3d 2h", "3s 2d Ah"),  # the lowest straight
        ("3s 2d Ah", "As Ks Js"),
        ("5s 3s 2s", "As Ad Kh"),
        ("2s 2d 3h", "As Kd Jh"),
        ("3s 3d Kh", "2s 2d Ah"),  # the pair before the third card
        ("3s 3d Ah", "3h 3c Kh"),
        ("As Kd 2h", "Ks Qd Th"),  # ace, king and two are no straight
        ("As 4d 3h", "As 4d 2h"),
        ("Qs 3d 2h", "Js Td 8h"),
    ],
)
def test_565_6_pairs_of_hands(higher: str, lower: str) -> None:
    assert rank3(hand(higher)) > rank3(hand(lower))


@given(st.lists(st.sampled_from(deck()), min_size=3, max_size=3, unique=True))
def test_565_6_a_neither_order_nor_suits_matter(cards: list[Card]) -> None:
    assert len({rank3(list(order)) for order in permutations(cards)}) == 1
    turned = dict(zip("cdhs", "dhsc", strict=True))
    assert rank3([card(c.name[0] + turned[c.suit]) for c in cards]) == rank3(cards)
