"""Pai gow hands set by the shipped house way per second, beside trying all 21 ways to set each, in one run.

Run by ``make bench`` or ``python -m tests.benchmarks.bench_house_way``. Cold: no set of ranks was met before; warm: all
were. The baseline ranks both hands of every way and keeps the best low hand that may be set.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from tablectl.cards import Card, deck
from tablectl.hands.house_way import SHIPPED, HouseWay
from tablectl.hands.pai_gow import PAI_GOW, low_rank, may_be_set

HANDS = 20_000
TRIED = 1_000
REPEATS = 3
AIM = 20_000


def every_way(hand: Sequence[Card]) -> tuple[Any, Any]:
    """The best low hand of all 21 that may be set, then the best high hand beside it."""
    best = (low_rank(hand[:2]), PAI_GOW.rank(hand[2:]))
    for low in combinations(hand, 2):
        ranks = low_rank(low), PAI_GOW.rank([card for card in hand if card not in low])
        if may_be_set(ranks[1], ranks[0]):
            best = max(best, ranks)
    return best


def per_second(hands: Sequence[Sequence[Card]], new: Callable[[], Callable[[Sequence[Card]], object]]) -> float:
    """Hands per second, the best of several runs, each with what `new` makes."""
    times = []
    for _ in range(REPEATS):
        call = new()
        started = time.perf_counter()
        for hand in hands:
            call(hand)
        times.append(time.perf_counter() - started)
    return len(hands) / min(times)


def main() -> None:
    """Print hands per second, cold and warm, and how often the house way is faster than the baseline."""
    chance = random.Random(1)
    cards = deck(joker=True)
    hands = [chance.sample(cards, 7) for _ in range(HANDS)]
    for five in (cards[:5], cards[-5:]):
        PAI_GOW.rank(five)  # the tables of its size are made
    cold = per_second(hands, lambda: HouseWay(SHIPPED.rows).low)
    for hand in hands:
        SHIPPED.low(hand)
    warm = per_second(hands, lambda: SHIPPED.low)
    tried = per_second(hands[:TRIED], lambda: every_way)
    print(f"seven cards set by the house way, at least {AIM:,} per second:")
    print(f"  cold {cold:12,.0f}   {cold / tried:5.1f} times as fast as trying every way")
    print(f"  warm {warm:12,.0f}   {warm / tried:5.1f} times as fast")
    print(f"  every way tried {tried:,.0f}")


def test_rates() -> None:
    """Run by ``make bench``."""
    main()


if __name__ == "__main__":
    main()
