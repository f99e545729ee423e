"""Hands with the joker against combinatorics and a slow ranking that shares nothing with the fast one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from math import comb

import pytest

from tablectl.cards import JOKER, Card, card, deck
from tablectl.hands.pai_gow import PAI_GOW, low_rank, may_be_set, pai_gow_rank

DECK = deck()
SHAPES = {
    (4, 1): "four_of_a_kind",
    (3, 2): "full_house",
    (3, 1, 1): "three_of_a_kind",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "pair",
    (1, 1, 1, 1, 1): "high_card",
}
FROM_THE_LOWEST = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
)
COMPLETED = ("straight", "flush", "straight_flush", "royal_flush")

Plain = tuple[int, str]
Slow = tuple[int, list[tuple[int, int]]]


def cards(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


def slowly(hand: Sequence[Plain]) -> Slow:
    """Category and deciding ranks of five natural cards, by grouping and sorting."""
    counts = Counter(rank for rank, _suit in hand)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    name = SHAPES[tuple(count for count, _rank in groups)]
    ranks = sorted(counts, reverse=True)
    suited = len({suit for _rank, suit in hand}) == 1
    straight = name == "high_card" and (ranks[0] - ranks[-1] == 4 or ranks == [14, 5, 4, 3, 2])
    if straight:
        best = {14: 99, 5: 98} if ranks[1] == 13 else {14: 98}  # ace-high first, then ace to five (561.6(b)(7))
        groups = [(1, best.get(ranks[0], ranks[0]))]
        name = "straight"
    if suited:
        name = ("royal_flush" if ranks[1] == 13 and ranks[0] == 14 else "straight_flush") if straight else "flush"
    return FROM_THE_LOWEST.index(name), groups


def slowly_with_joker(natural: Sequence[Plain]) -> Slow:
    """The best of the hands in which each of 52 cards stands for the joker, those that 561.6(c) allows."""
    if [rank for rank, _suit in natural] == [14] * 4:
        return FROM_THE_LOWEST.index("five_aces"), [(5, 14)]
    found = []
    one_suit = len({suit for _rank, suit in natural}) == 1
    for number in range(2, 15):
        there = [(number, suit) for suit in "cdhs" if (number, suit) not in natural]
        for substitute in there if one_suit else there[:1]:  # its suit matters to a flush alone
            rank = slowly([*natural, substitute])
            if number == 14 or FROM_THE_LOWEST[rank[0]] in COMPLETED:
                found.append(rank)
    return max(found)


def plain(hand: Sequence[Card]) -> list[Plain]:
    return [(c.rank, c.suit) for c in hand if c is not JOKER]


def slow_rank(hand: Sequence[Card]) -> Slow:
    """The best five of a hand of any size."""
    fives = combinations(hand, 5)
    return max(slowly_with_joker(plain(five)) if JOKER in five else slowly(plain(five)) for five in fives)


def unlike_but_for_suits() -> Iterator[tuple[Card, ...]]:
    """One of all hands of four natural cards that differ in nothing but the names of their suits."""
    renamings = [dict(zip("cdhs", order, strict=True)) for order in permutations("cdhs")]
    seen: set[frozenset[Plain]] = set()
    for hand in combinations(DECK, 4):
        if plain_set(hand, renamings[0]) not in seen:
            seen.update(plain_set(hand, names) for names in renamings)
            yield hand


def plain_set(hand: Sequence[Card], names: dict[str, str]) -> frozenset[Plain]:
    return frozenset((c.rank, names[c.suit]) for c in hand)


def test_561_6_c_all_hands_with_a_joker_rank_as_with_the_best_card_in_its_place() -> None:
    found = [((*hand, JOKER), slowly_with_joker(plain(hand))) for hand in unlike_but_for_suits()]
    assert len(found) == 16_432  # hands of four that differ in more than the names of suits: a known count
    by_slow = sorted(found, key=lambda one: one[1])
    fast = [pai_gow_rank(hand) for hand, _told in by_slow]
    assert [rank.category for rank in fast] == [FROM_THE_LOWEST[told[0]] for _hand, told in by_slow]
    for (one, other), (first, second) in zip(pairwise(fast), pairwise(by_slow), strict=True):
        assert (one == other) == (first[1] == second[1])
        assert one <= other


def test_561_6_b_hands_with_a_joker_occur_as_often_as_combinatorics_says() -> None:
    found = Counter(pai_gow_rank((*hand, JOKER)).category for hand in combinations(DECK, 4))
    nearly = 10 * 5 - 9  # sets of four ranks out of a straight's five; a run such as 2-3-4-5 is in two straights
    with_ace = 4 + 4  # of them: A-2-3-4-5 and A-K-Q-J-T without one card that is not the ace
    royal, one_suit, mixed = 5, 4, 4**4 - 4
    assert found == {
        "five_aces": 1,
        "royal_flush": royal * one_suit,
        "straight_flush": (nearly - royal) * one_suit,
        "four_of_a_kind": 12 + comb(4, 3) * 48,  # of twos to kings; three aces and another card
        "full_house": 12 * comb(4, 2) ** 2 + 12 * comb(4, 3) * 4,  # two aces and a pair; three others and an ace
        "flush": (comb(13, 4) - nearly) * one_suit,
        "straight": nearly * mixed,
        "three_of_a_kind": comb(4, 2) * comb(12, 2) * 4**2 + 12 * comb(4, 3) * 44,  # two aces; three others, no ace
        "two_pair": comb(12, 2) * comb(4, 2) ** 2 + 12 * comb(4, 2) * 4 * 44,  # no ace; a pair, an ace and another
        "pair": (comb(12, 3) - with_ace) * mixed + 12 * comb(4, 2) * comb(11, 2) * 4**2,
        "high_card": (comb(12, 4) - (nearly - with_ace)) * mixed,
    }


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("joker", [True, False])
def test_561_6_d_the_best_of_more_compares_as_the_slow_ranking_does(size: int, joker: bool) -> None:
    chance = random.Random(size)
    for _ in range(150 if joker else 500):
        one = chance.sample(DECK, size)
        other = [*one[:-2], *chance.sample([c for c in DECK if c not in one], 2)]
        if joker:
            one[0] = other[0] = JOKER
        fast, slow = (pai_gow_rank(one), pai_gow_rank(other)), (slow_rank(one), slow_rank(other))
        assert fast[0].category == FROM_THE_LOWEST[slow[0][0]]
        assert (fast[0] > fast[1], fast[0] == fast[1]) == (slow[0] > slow[1], slow[0] == slow[1])


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ac Ad Ah As Xj", "Ac Kc Qc Jc Tc"),  # 561.6(b)(1): five aces above a royal flush
        ("Xj Kc Qc Jc Tc", "Ac 2c 3c 4c 5c"),  # (b)(2): the joker is the royal flush's ace
        ("Xj 2c 3c 4c 5c", "Kc Qc Jc Tc 9c"),  # (b)(3): ace to five is the best straight flush
        ("Kc Qc Jc Tc 9c", "2c 3c 4c 5c 6c"),
        ("2c 3c 4c 5c 6c", "Ac Ad Ah Xj Ks"),
        ("Kc Qd Jh Xj Ts", "Ac 2d 3h 4s 5c"),  # (b)(7): ace to five is second only to ace-high
        ("Ac 2d 3h 4s 5c", "Kc Qd Jh Ts 9c"),
        ("Xj 2d 3h 4s 6c", "Ac Ad Ah 2s 3c"),  # the joker completes a straight
        ("2c 3d 4h 5s 6c", "Xj Ac Ad Ks Qc"),  # and is an ace otherwise, never another rank's third
        ("Kc Kd Ah Xj 2s", "Kc Kd Qh Qs Ac"),
        ("Ac Xj 9c 5c 2c", "As Qs Js 9s 5s"),  # (c): in a flush with an ace the joker is the king
        ("Kc Kd Kh Xj Ac", "Kc Kd Kh Qs Qc"),  # three kings and two aces
        ("Xj 8c 7d 5s 3h", "Kc Qd 9h 8s 7c"),  # an ace where it completes nothing
        ("2c 2d 3h 4s 6c", "Ac Kd Qh Js 9c"),
        ("3c 3d 2h 4s 5c", "2c 2d Ah Ks Qc"),  # the combination first, the other cards after
    ],
)
def test_561_6_b_c_order_of_high_hands(higher: str, lower: str) -> None:
    assert pai_gow_rank(cards(higher)) > pai_gow_rank(cards(lower))


def test_561_6_b_low_hands_of_two_cards_fall_into_their_classes_in_order() -> None:
    slow = {}
    for pair in combinations(deck(joker=True), 2):
        ranks = sorted((14 if c is JOKER else c.rank for c in pair), reverse=True)
        slow[pair] = (ranks[0] == ranks[1], ranks)
    for one, other in zip(slow, [*list(slow)[700:], *list(slow)[:700]], strict=True):
        fast = low_rank(one), low_rank(other)
        assert (fast[0] > fast[1], fast[0] == fast[1]) == (slow[one] > slow[other], slow[one] == slow[other])
    assert Counter(low_rank(pair).category for pair in slow) == {
        "pair": 12 * comb(4, 2) + comb(5, 2),
        "high_card": comb(53, 2) - 12 * comb(4, 2) - comb(5, 2),
    }


def test_670a_6_low_hands_of_one_card_rank_by_the_card_with_the_joker_an_ace() -> None:
    ranked = [low_rank([c]) for c in deck(joker=True)]
    assert sorted(ranked) == sorted(
        [low_rank(cards(f"{rank}c")) for rank in "23456789TJQKA"] * 4 + [low_rank(cards("As"))]
    )
    assert low_rank(cards("Xj")) == low_rank(cards("Ad")) > low_rank(cards("Kd"))


@pytest.mark.parametrize(
    ("high", "low", "allowed"),
    [
        ("7c 7d 2h 3s 4c", "7h 7s", True),  # the example of 561.13(a)
        ("6c 6d Ah Ks Qc", "7h 7s", False),
        ("Ac Qd 9h 5s 2c", "Ah Kd", False),
        ("Ac Kd 9h 5s 2c", "As Kh", True),
        ("Ac Qd 9h 5s 2c", "Kh Qs", True),
        ("Kc Qd 9h 5s 2c", "Xj 3s", False),
        ("Xj Qd 9h 5s 2c", "Ac 3s", True),
        ("Ac Ad 9h 5s 2c", "Xj Ah", True),
        ("2c 3d 4h 5s Xj", "Ac Ad", True),
        ("Ac 8d 7h 5s 2c", "As", True),  # one card: 670a.11(b)
        ("Kc 8d 7h 5s 2c", "Xj", False),
        ("2c 2d 7h 5s 3c", "Xj", True),
    ],
)
def test_561_13_a_the_high_hand_is_equal_to_the_low_hand_or_higher(high: str, low: str, *, allowed: bool) -> None:
    assert may_be_set(pai_gow_rank(cards(high)), low_rank(cards(low))) is allowed


def test_561_6_b_only_four_aces_and_the_joker_are_five_aces() -> None:
    assert PAI_GOW.rank(cards("Ac Ad Ah As Xj Kc Kd")).category == "five_aces"
    assert PAI_GOW.rank(cards("Ac Ad Ah As Kc Kd Kh")).category == "four_of_a_kind"
