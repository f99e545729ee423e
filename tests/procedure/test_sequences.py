"""The statistic that tells a sorted deck: its false alarms are computed, and it finds what it is there for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, log

import pytest

from tablectl.cards import JOKER, SUITS, Card, card, deck
from tablectl.procedure.sequences import CERTAIN, HYPOTHESES, Hand, chance, is_sorted, likeness, surprise

RANKS = "A23456789TJQK"


def sorted_deck(suits: str = "cdhs", *, ace_high: bool = False, falling: bool = False, cut: int = 0) -> list[Card]:
    ranks = RANKS[1:] + "A" if ace_high else RANKS
    cards = [card(rank + suit) for suit in suits for rank in ranks]
    if falling:
        cards.reverse()
    return cards[cut:] + cards[:cut]


def dealt(cards: list[Card], places: int, each: int, *, stacks: bool = False) -> list[Hand]:
    """Cards dealt one by one to so many places, or in stacks, each hand turned up in an order of its own."""
    chance = random.Random(7)
    hands = []
    for place in range(places):
        numbers = [place * each + n if stacks else n * places + place for n in range(each)]
        shown = [cards[number] for number in numbers]
        chance.shuffle(shown)
        hands.append(Hand(tuple(number + 1 for number in numbers), tuple(shown)))
    return hands


def every_order() -> Iterator[list[Card]]:
    """Every sorted deck that the statistic knows."""
    for suits, high, falling, cut in product(permutations(SUITS), (False, True), (False, True), range(52)):
        yield sorted_deck("".join(suits), ace_high=high, falling=falling, cut=cut)


def test_number_of_hypotheses_is_that_of_different_sorted_decks() -> None:
    """Cut between two suits, a deck is that of another order of suits: so 13 cuts for each of 24 orders, not 52."""
    distinct = {tuple(cards) for cards in every_order()}
    assert len(distinct) == HYPOTHESES == 2 * 2 * 13 * 24


@pytest.mark.parametrize("stacks", [False, True], ids=["one by one", "stacks"])
def test_bound_holds_exactly_for_one_hand_of_three(stacks: bool) -> None:
    """All 22,100 hands: how many fit some sorted deck with three cards, against the bound."""
    numbers = (1, 2, 3) if stacks else (2, 4, 6)
    fitting = sum(likeness([Hand(numbers, hand)]) == 3 for hand in combinations(deck(), 3))
    exact = Fraction(fitting, comb(52, 3))
    assert fitting > 0
    assert exact <= Fraction(chance((3,), 52, 3), CERTAIN)


@pytest.mark.parametrize("places", [2, 4, 8])
def test_bound_holds_exactly_for_two_hands_that_fit_wholly(places: int) -> None:
    """Of all pairs of hands, those that a sorted deck would give; the first and the last of so many places."""
    pairs = set()
    for cards in every_order():
        first, *_, last = dealt(cards, places, 3)
        pairs.add((frozenset(first.cards), frozenset(last.cards)))
    exact = Fraction(len(pairs), comb(52, 3) * comb(49, 3))
    assert exact <= Fraction(chance((3, 3), 52, 6), CERTAIN)


def test_bound_holds_exactly_where_a_part_fits() -> None:
    """One of two cards on its step, in all 1,326 hands of two: the bound says no less."""
    for fitting in (1, 2):
        found = sum(likeness([Hand((1, 2), hand)]) >= fitting for hand in combinations(deck(), 2))
        assert Fraction(found, comb(52, 2)) <= Fraction(chance((2,), 52, fitting), CERTAIN)


def test_false_alarms_are_less_than_one_in_a_million_rounds() -> None:
    """Alone a round is an alarm with probability `alone` at most, with the one before with x (1 - ln x) at most."""
    alone = _largest_alone()
    product_of_two = Fraction(_largest_product(), CERTAIN * CERTAIN)
    together = float(product_of_two) * (1 - log(float(product_of_two)))
    assert alone / CERTAIN + together < 1e-6


def _largest_alone() -> int:
    low, high = 0, CERTAIN
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if is_sorted(middle, CERTAIN) else (low, middle - 1)
    return low


def _largest_product() -> int:
    now = _largest_alone() * 20  # no alarm by itself
    low, high = 0, CERTAIN
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if is_sorted(now, middle) else (low, middle - 1)
    return now * low


@pytest.mark.parametrize(("places", "each"), [(2, 3), (8, 3), (4, 5), (7, 7), (6, 2)])
def test_shuffled_decks_raise_no_alarm(places: int, each: int) -> None:
    """Seeded: 1,000 rounds, and what the statistic calls rare is as rare as it says."""
    source = random.Random(565)
    before, rare = CERTAIN, 0
    for _ in range(1000):
        cards = list(deck())
        source.shuffle(cards)
        now = surprise(dealt(cards, places, each), 52)
        assert not is_sorted(now, before)
        rare += now < CERTAIN // 100
        before = now
    assert rare <= 25, "10 of 1,000 may be below 1 %"


@pytest.mark.parametrize("stacks", [False, True], ids=["one by one", "stacks"])
@pytest.mark.parametrize(("places", "each"), [(3, 3), (8, 3), (2, 5), (7, 7)])
def test_sorted_deck_is_found_in_one_round(places: int, each: int, stacks: bool) -> None:
    source = random.Random(5)
    for _ in range(50):
        suits = "".join(source.sample(SUITS, 4))
        order = source.choice((True, False)), source.choice((True, False))
        cards = sorted_deck(suits, ace_high=order[0], falling=order[1], cut=source.randrange(52))
        assert is_sorted(surprise(dealt(cards, places, each, stacks=stacks), 52), CERTAIN)


def test_sorted_deck_is_found_in_two_rounds_where_one_player_plays() -> None:
    """Six cards that are turned up of 24 that were dealt."""
    source = random.Random(6)
    for _ in range(50):
        found = []
        for _ in range(2):
            hands = dealt(sorted_deck(cut=source.randrange(52)), 8, 3)
            found.append(surprise([hands[3], hands[7]], 52))
        assert is_sorted(found[1], found[0])


def test_sorted_shoe_of_six_decks_is_found() -> None:
    cards = sorted_deck() * 6
    assert is_sorted(surprise(dealt(cards[100:], 5, 2), 6 * 52), CERTAIN)


def test_one_card_in_another_place_does_not_hide_a_sorted_deck() -> None:
    cards = sorted_deck()
    cards[4], cards[40] = cards[40], cards[4]
    assert is_sorted(surprise(dealt(cards, 4, 3), 52), CERTAIN)


def test_joker_is_left_out() -> None:
    hands = dealt(sorted_deck(), 3, 3)
    with_joker = [*hands, Hand((10,), (JOKER,))]
    assert likeness(with_joker[:-1]) == 9
    assert surprise(with_joker, 53) <= CERTAIN // 10**7
    assert surprise([Hand((1,), (JOKER,))], 53) == CERTAIN


def test_nothing_seen_is_no_surprise() -> None:
    assert surprise([], 52) == CERTAIN
    assert not is_sorted(CERTAIN, CERTAIN)
