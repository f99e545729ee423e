"""Omaha hands, and up cards in stud, against plain searches over all hands that can be made."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from tablectl.cards import Card, card, deck
from tablectl.hands.omaha import Board, high_hand, low_ranks, strength
from tablectl.hands.poker import FIVE_CARD, Evaluator
from tablectl.hands.showing import by_suit, showing

DECK = deck()
FIVE = Evaluator(FIVE_CARD)
SUITED = [c for c in DECK if c.suit in "hs" or c.rank < 9]  # more flushes and lows than a whole deck gives


def cards(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


def slow_low(own: list[Card], board: list[Card]) -> tuple[int, ...] | None:
    made = []
    for two in combinations(own, 2):
        for three in combinations(board, 3):
            ranks = sorted((1 if c.rank == 14 else c.rank for c in (*two, *three)), reverse=True)
            if len({*ranks}) == 5 and ranks[0] <= 8:
                made.append(tuple(ranks))
    return min(made) if made else None


@pytest.mark.parametrize("of", [DECK, SUITED], ids=["deck", "suited"])
def test_637a_12_k_m_two_own_cards_and_three_of_the_board_make_each_hand(of: tuple[Card, ...]) -> None:
    chance = random.Random(12)
    for _ in range(1_500):
        dealt = chance.sample(of, 9)
        own, board = dealt[:4], dealt[4:]
        best = max(FIVE.rank((*two, *three)) for two in combinations(own, 2) for three in combinations(board, 3))
        table = Board(board)
        assert high_hand(table.high(own)) == best
        low = table.low(own)
        assert (None if low is None else low_ranks(low)) == slow_low(own, board)
        assert best == max(FIVE.rank(made) for made in table.made(own))


def test_637a_12_l_smaller_lows_are_better() -> None:
    table = Board(cards("Ac 3d 5h 8s Kd"))
    better, worse = table.low(cards("2c 4d Kh Ks")), table.low(cards("2d 7d Kh Ks"))
    assert better is not None
    assert worse is not None
    assert better < worse
    assert low_ranks(better) == (5, 4, 3, 2, 1)


def test_637a_12_l_nine_and_pairs_make_no_low() -> None:
    assert Board(cards("Ac 2d 3h Ks Kd")).low(cards("3c 3d 9h 9s")) is None
    assert Board(cards("Ac 2d Qh Ks Kd")).low(cards("3c 4d 5h 6s")) is None
    assert Board(cards("Ac 2d 3h Ks Kd")).low(cards("4c 9d 4h 9s")) is None


def test_637a_12_k_strength_of_five_cards_compares_like_their_ranks() -> None:
    chance = random.Random(5)
    for _ in range(5_000):
        one, other = chance.sample(SUITED, 5), chance.sample(SUITED, 5)
        assert (strength(one) < strength(other)) == (FIVE.rank(one) < FIVE.rank(other))
        assert high_hand(strength(one)) == FIVE.rank(one)


@pytest.mark.parametrize(
    "rising",
    [
        ("7h", "8c", "Kd", "As"),
        ("Kh Qc", "Ah 2c", "2h 2c", "3d 3s"),
        ("Kh Qc Js", "Ah Kc Qs", "2h 2c 3d", "2h 2c 4d", "3h 3c 2d", "2d 2h 2s"),
        ("Ah Kh Qh Jh", "2h 2c 3d 4d", "2h 2c 3d Ad", "2h 2c 3d 3h", "2d 2h 2s 3c", "2d 2h 2s 2c"),
    ],
)
def test_637a_14_f_1_hands_showing_rank_by_pairs_then_by_cards(rising: tuple[str, ...]) -> None:
    keys = [showing(cards(text)) for text in rising]
    assert keys == sorted(keys)
    assert len({*keys}) == len(keys)


def test_637a_14_d_equal_ranks_go_by_spades_hearts_diamonds_clubs() -> None:
    assert sorted(cards("2s 3c 2d 2h 2c"), key=by_suit) == cards("2c 2d 2h 2s 3c")
