"""561.13(c), (d): the shipped manner of setting against the same in prose, on every set of ranks and many hands."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from tablectl.cards import JOKER, Card, card, deck
from tablectl.errors import Forbidden
from tablectl.hands.house_way import HOLDINGS, SHIPPED, Band, HouseWay, Row, holding_of
from tablectl.hands.pai_gow import low_rank, may_be_set, pai_gow_rank
from tablectl.rules import refuse
from tablectl.rules.pai_gow_poker import PaiGowPokerSubmission
from tests.games.by_hand_561 import high_of, house_low, is_foul, low_of, others

DECK = deck(joker=True)
CONFIG = Path(__file__).parents[2] / "config"


def names(hand: Iterable[Card]) -> list[str]:
    return [each.name for each in hand]


def cards(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


def one_of_each_set_of_ranks() -> Iterator[list[Card]]:
    """Seven cards of every set of ranks that there is, no three of a suit, with the joker and without."""
    for size in (7, 6):
        for ranks in combinations_with_replacement("23456789TJQKA", size):
            if max(Counter(ranks).values()) <= 4:
                hand = [card(rank + "cdhs"[place % 4]) for place, rank in enumerate(ranks)]
                yield [*hand, *([JOKER] if size == 6 else [])]


def test_561_13_a_every_set_of_ranks_is_set_so_that_the_high_hand_is_not_lower() -> None:
    found: Counter[str] = Counter()
    for hand in one_of_each_set_of_ranks():
        low = SHIPPED.low(hand)
        high = [each for each in hand if each not in low]
        assert (len(low), len(high)) == (2, 5)
        assert may_be_set(pai_gow_rank(high), low_rank(low)), names(hand)
        found[holding_of([each.rank or 14 for each in hand])[0]] += 1
    assert found.keys() == HOLDINGS.keys()


@pytest.mark.parametrize("seed", range(4))
def test_561_13_d_hands_are_set_as_prose_says(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(400):
        hand = chance.sample(DECK, 7)
        if chance.random() < 0.5:  # pairs and more, and hands that are nearly whole
            ranks = chance.sample(range(2, 15), 4)
            hand = chance.sample([each for each in DECK if each.rank in (0, *ranks)], 7)
        elif chance.random() < 0.5:
            hand = chance.sample([each for each in DECK if each.suit in "jc" or each.rank in (5, 6, 7)], 7)
        low, told = names(list(SHIPPED.low(hand))), house_low(names(hand))
        assert low_of(low) == low_of(told), names(hand)
        assert high_of(others(names(hand), low)) == high_of(others(names(hand), told)), names(hand)
        assert not is_foul(others(names(hand), low), low)


@pytest.mark.parametrize(
    ("hand", "low"),
    [
        ("Kc Jd 9h 7s 5c 3d 2h", "Jd 9h"),  # nothing: the highest card stays high
        ("8c 8d Ah Ks 5c 3d 2h", "Ah Ks"),
        ("9c 8d 7h 6s 5c Ad 2h", "Ad 2h"),  # a straight stays whole
        ("Tc 9c 8d 7h 6s 5c 2h", "Tc 2h"),  # of two straights the one that leaves the higher low hand
        ("9c 8d 7h 6s 5c 2d 2h", "2d 2h"),  # and a pair where it leaves one
        ("Ac Jc 9c 6c 3c 3d Kh", "Kh 3d"),  # a flush, too
        ("Kc Kd 2h 2s Ac 9d 7h", "Ac 9d"),  # kings and twos with an ace stay together
        ("Kc Kd 2h 2s Qc 9d 7h", "2h 2s"),
        ("6c 6d 2h 2s Kc 9d 7h", "Kc 9d"),
        ("6c 6d 2h 2s Qc 9d 7h", "2h 2s"),
        ("9c 9d 7h 7s Ac 4d 2h", "Ac 4d"),
        ("9c 9d 7h 7s Kc 4d 2h", "7h 7s"),
        ("Jc Jd 7h 7s Ac 4d 2h", "7h 7s"),
        ("Ac Ad 2h 2s Kc 9d 7h", "2h 2s"),
        ("Kc Kd 9h 9s 4c 4d 2h", "Kc Kd"),  # three pairs
        ("9c 9d 9h Ks Jc 4d 2h", "Ks Jc"),
        ("Ac Ad Ah Ks Jc 4d 2h", "Ac Ks"),  # three aces
        ("9c 9d 9h 4s 4c 4d 2h", "9c 9d"),
        ("9c 9d 9h 4s 4c Kd Jh", "4c 4s"),
        ("9c 9d 9h 2s 2c Ad Kh", "Ad Kh"),
        ("9c 9d 9h 2s 2c Ad Qh", "2c 2s"),
        ("9c 9d 9h Ks Kc 4d 4h", "Kc Ks"),
        ("6c 6d 6h 6s Kc 4d 2h", "Kc 4d"),
        ("7c 7d 7h 7s Kc 4d 2h", "7c 7d"),
        ("7c 7d 7h 7s Ac 4d 2h", "Ac 4d"),
        ("Jc Jd Jh Js Ac 4d 2h", "Jc Jd"),
        ("Jc Jd Jh Js 4c 4d 2h", "4c 4d"),
        ("Ac Ad Ah As 6c 6d 2h", "Ac Ad"),
        ("Ac Ad Ah As 7c 7d 2h", "7c 7d"),
        ("Jc Jd Jh Js 4c 4d 4h", "4c 4d"),
        ("Ac Ad Ah As Xj 9d 2h", "Ac Ad"),
        ("Ac Ad Ah As Xj Kd Kh", "Kd Kh"),
        ("Ac Ad Ah As Xj Qd Qh", "Ac Ad"),
        ("Xj Kd Qh 9s 7c 5d 2h", "Kd Qh"),  # the joker is an ace
        ("Xj Ad 9h 8s 6c 4d 3h", "9h 8s"),
        ("Xj 9d 8h 7s 6c Kd Kh", "Kd Kh"),  # or completes a straight
        ("Xj 9d 8d 4d 2d Kh Ks", "Kh Ks"),  # or a flush
    ],
)
def test_561_13_d_each_row_of_the_shipped_way(hand: str, low: str) -> None:
    assert sorted(names(list(SHIPPED.low(cards(hand))))) == sorted(low.split())


def whole_way(**changes: str) -> list[dict[str, object]]:
    """A way of one row for each holding, the first low hand that may be; some of them otherwise."""
    return [{"holding": each, "low": changes.get(each, lows[0])} for each, (_groups, lows) in HOLDINGS.items()]


def test_561_13_d_another_way_may_be_filed_as_data() -> None:
    filed = PaiGowPokerSubmission.model_validate({"house_way": whole_way(two_pair="low_pair")})
    assert list(filed.objections()) == []
    way = filed.filed().house_way
    kings_and_twos = cards("Kc Kd 2h 2s Ac 9d 7h")
    straight = cards("9c 8d 7h 6s 5c Ad 2h")
    assert names(list(way.low(kings_and_twos))) == ["2h", "2s"]
    assert names(list(way.low(straight))) == ["9c", "8d"]  # nothing in it keeps straights whole
    for hand in one_of_each_set_of_ranks():
        low = way.low(hand)
        assert may_be_set(pai_gow_rank([each for each in hand if each not in low]), low_rank(low))


@pytest.mark.parametrize(
    ("rows", "clause"),
    [
        ([{"holding": "pair", "low": "highest_cards"}], "561.13(d)"),  # all other hands are left out
        ([*whole_way(), {"holding": "six_pairs", "low": "highest_cards"}], "561.13(d)"),
        (whole_way(pair="low_pair"), "561.13(a)"),  # the low hand would be the higher one
        (whole_way(two_pair="high_pair"), "561.13(a)"),
        ([{"holding": "pair", "low": "made", "ranks": ["2-6", "A"]}, *whole_way()], "561.13(d)"),
        ([{"holding": "four_and_three", "low": "made", "singles": ["A"]}, *whole_way()], "561.13(d)"),
        (whole_way(no_pair="made"), "561.13(d)"),  # not every hand has a straight or a flush
    ],
)
def test_561_13_d_a_way_that_cannot_set_every_hand_is_refused(rows: list[dict[str, object]], clause: str) -> None:
    filed = PaiGowPokerSubmission.model_validate({"house_way": rows})
    with pytest.raises(Forbidden) as refused:
        refuse(filed.objections())
    assert refused.value.cite == clause


@pytest.mark.parametrize("text", ["", "1-6", "6-2", "T-", "AA", "2-6-9"])
def test_561_13_d_ranks_of_a_row_are_a_band(text: str) -> None:
    with pytest.raises(ValueError, match=r"no ranks|validation"):
        PaiGowPokerSubmission.model_validate({"house_way": [{"holding": "pair", "low": "made", "ranks": [text]}]})


def test_561_13_d_the_first_row_that_fits_decides() -> None:
    rows = [Row(each, lows[0]) for each, (_groups, lows) in HOLDINGS.items() if each != "two_pair"]
    way = HouseWay([*rows, Row("two_pair", "highest_cards", singles=(Band.of("Q-A"),)), Row("two_pair", "low_pair")])
    assert names(list(way.low(cards("9c 9d 7h 7s Qc 4d 2h")))) == ["Qc", "4d"]
    assert names(list(way.low(cards("9c 9d 7h 7s Jc 4d 2h")))) == ["7h", "7s"]


def test_561_13_d_the_example_configuration_says_the_shipped_rows() -> None:
    lines = (CONFIG / "pai_gow_poker.toml").read_text(encoding="utf-8").splitlines()
    first = lines.index("# house_way = [")
    text = "\n".join(line.removeprefix("# ") for line in lines[first : lines.index("# ]", first) + 1])
    filed = PaiGowPokerSubmission.model_validate(tomllib.loads(text))
    assert list(filed.objections()) == []
    assert filed.filed().house_way.rows == SHIPPED.rows
