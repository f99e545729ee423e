"""Every hand of six cards against a second calculation: its best five, and the dealer's setting (670a.6, 670a.11(d)).

Without a flush nothing counts but the ranks, so one hand of all that have the same ranks is enough; with a flush the
suited cards and the rank of the other one. That makes every hand of six cards but for the names of suits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, pairwise

import pytest

from tablectl.cards import DEALER, card
from tablectl.events import HandsSet
from tablectl.hands.pai_gow import PAI_GOW
from tablectl.hands.six_card import house_low, without
from tablectl.procedure.instructions import SetHands
from tests.games.by_hand_563 import RANKS
from tests.games.by_hand_670a import JOKER, KINDS, best, high_of, house_way, worth

Named = list[str]


def unsuited(size: int) -> Iterator[Named]:
    """One hand for each choice of ranks, with no four cards of one suit."""
    for ranks in combinations_with_replacement(RANKS, size):
        suits: dict[str, list[str]] = {}
        hand: Named = []
        used = dict.fromkeys("cdhs", 0)
        for rank in ranks:
            taken = suits.setdefault(rank, [])
            free = [suit for suit in "cdhs" if suit not in taken]
            if not free:
                break
            suit = min(free, key=lambda one: used[one])
            used[suit] += 1
            taken.append(suit)
            hand.append(rank + suit)
        if len(hand) == size:
            yield hand


def suited(size: int) -> Iterator[Named]:
    """Hands with at least five cards of one suit, or four where a joker comes to them: all of them, or all but one."""
    for ranks in combinations(RANKS, size):
        yield [f"{rank}s" for rank in ranks]
    for ranks in combinations(RANKS, size - 1):
        for other in RANKS:
            yield [*(f"{rank}s" for rank in ranks), f"{other}h"]


def all_hands(*, joker: bool) -> list[Named]:
    if joker:
        return [[*hand, JOKER] for hands in (unsuited(5), suited(5)) for hand in hands]
    return [hand for hands in (unsuited(6), suited(6)) for hand in hands]


@pytest.mark.parametrize(("joker", "hands"), [(False, 18_395 + 1_716 + 1_287 * 13), (True, 6_175 + 1_287 + 715 * 13)])
def test_670a_6_every_hand_ranks_and_is_set_as_the_text_says(joker: bool, hands: int) -> None:
    every = all_hands(joker=joker)
    assert len(every) == hands
    told = sorted((best(hand), hand) for hand in every)
    found = [PAI_GOW.rank([card(name) for name in hand]) for _rank, hand in told]
    assert [rank.category for rank in found] == [KINDS[rank[0]] for rank, _hand in told]
    for (one, other), (first, second) in zip(pairwise(found), pairwise(told), strict=True):
        assert one <= other
        assert (one == other) == (first[0] == second[0])
    for hand in every:
        low, expected = house_low([card(name) for name in hand]).name, house_way(hand)
        assert (worth(low), high_of(hand, low)) == (worth(expected), high_of(hand, expected)), hand


def test_a_card_that_lies_there_twice_is_low_once() -> None:
    """No deck holds it twice, but what a table shows is settled as it lies: nothing may be lost of it."""
    shown = [card(name) for name in ("Ks", "Ks", "9h", "7c", "4d", "2s")]
    assert house_low(shown).name == "9h"
    assert [each.name for each in without(shown, shown[0])] == ["Ks", "9h", "7c", "4d", "2s"]
    (told,) = SetHands(DEALER, tuple(shown), (shown[1],), 1, "670a.11(d)").events((shown[1],))
    assert isinstance(told, HandsSet)
    assert (told.low, told.high) == ((shown[1],), tuple(shown[1:]))
