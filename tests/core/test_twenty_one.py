"""Point counts of the twenty-one games over all hands, against counts that were written from the text."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product

from tablectl.cards import Card, card, deck
from tablectl.hands.twenty_one import (
    gives_blackjack,
    is_blackjack,
    is_pair,
    is_ten,
    low_value,
    may_give_blackjack,
    total21,
    value,
)

VALUES = {**{str(pips): pips for pips in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}
SPADES = tuple(card(rank + "s") for rank in VALUES)


def hand(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


def counted(cards: tuple[Card, ...]) -> int:
    """673a.3(d): each ace is eleven or one; the best count is the highest up to 21, or else the lowest."""
    ways = product(*((11, 1) if c.name[0] == "A" else (VALUES[c.name[0]],) for c in cards))
    counts = sorted({sum(way) for way in ways})
    within = [count for count in counts if count <= 21]
    return within[-1] if within else counts[0]


def soft(cards: tuple[Card, ...]) -> bool:
    """673a.1: an ace counts eleven, which is so when the best count is not the one with all aces as one."""
    return counted(cards) != sum(1 if c.name[0] == "A" else VALUES[c.name[0]] for c in cards)


def test_673a_3_d_each_card_has_its_value() -> None:
    assert {c.name: value(c) for c in deck()} == {c.name: VALUES[c.name[0]] for c in deck()}
    assert {c.name: low_value(c) for c in deck()} == {c.name: VALUES[c.name[0]] % 10 or 10 for c in deck()} | {
        "A" + suit: 1 for suit in "cdhs"
    }
    assert {c.name[0] for c in deck() if is_ten(c)} == set("TJQK")


def test_673a_3_d_every_hand_of_up_to_six_cards_counts_as_the_text_says() -> None:
    """Suits do not count, so that one card of each rank, any number of times, stands for all hands of any shoe."""
    for size in range(7):
        for cards in combinations_with_replacement(SPADES, size):
            total = total21(cards)
            assert total.points == counted(cards), cards
            assert total.soft == soft(cards), cards
            assert total.bust == (counted(cards) > 21), cards


def test_673a_3_d_the_order_of_the_cards_does_not_count() -> None:
    for cards in product(SPADES, repeat=3):
        assert total21(cards) == total21(sorted(cards, key=lambda c: c.rank)), cards


def test_673a_1_soft_and_hard_totals() -> None:
    examples = {
        "As 6h": "soft 17",
        "As 6h Td": "17",
        "As Ah": "soft 12",
        "As Ah Ad Ac 7c": "soft 21",
        "As Ah 9d": "soft 21",
        "Ts 6h": "16",
        "Ts 6h As 4d Ah": "22",
        "5s 6h Ks Ah": "22",
        "Ks Qh Js": "30",
    }
    assert {text: str(total21(hand(text))) for text in examples} == examples


def test_673a_1_a_blackjack_is_an_ace_and_a_card_of_value_ten() -> None:
    pairs = list(combinations(deck(), 2))
    assert sum(is_blackjack(pair) for pair in pairs) == 4 * 16
    assert sum(total21(pair).points == 21 for pair in pairs) == 4 * 16, "no other two cards count 21"
    assert {tuple(sorted(c.name[0] for c in pair)) for pair in pairs if is_blackjack(pair)} == {
        ("A", "J"),
        ("A", "K"),
        ("A", "Q"),
        ("A", "T"),
    }
    assert all(is_blackjack(pair[::-1]) for pair in pairs if is_blackjack(pair))
    assert not is_blackjack(hand("7s 7h 7d"))
    assert not is_blackjack(hand("As 4h 6d"))
    assert not is_blackjack(hand("As"))


def test_673a_7_h_the_hole_card_matters_under_an_ace_and_a_card_of_value_ten_alone() -> None:
    for up in deck():
        could = any(gives_blackjack(up, hole) for hole in deck() if hole is not up)
        assert may_give_blackjack(up) == could == (up.name[0] in "ATJQK")
    for up, hole in product(deck(), repeat=2):
        assert gives_blackjack(up, hole) == is_blackjack([up, hole])


def test_673a_11_a_a_pair_is_two_cards_of_the_same_value() -> None:
    kinds = Counter(is_pair(pair) for pair in combinations(deck(), 2))
    assert kinds[True] == 9 * 6 + 16 * 15 // 2  # nine values of four cards each, one of sixteen
    assert is_pair(hand("Ks Th"))
    assert is_pair(hand("7s 7h"))
    assert is_pair(hand("As Ah"))
    assert not is_pair(hand("9s Th"))
    assert not is_pair(hand("7s 7h 7d"))
    assert not is_pair(hand("7s"))
