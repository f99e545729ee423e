"""Hands ranked per second, beside the Python evaluators that are installed, in one run on the same hands.

Run by ``make bench``, which installs the others beside the project once. Hands are built beforehand in each library's
own form; what is timed is its public call. eval7 is compiled; the others are Python.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from tablectl.cards import Card, deck
from tablectl.hands.poker import FIVE_CARD, FOUR_CARD, Evaluator

HANDS = 40_000
SLOW_HANDS = 2_000
REPEATS = 3

Hand = Sequence[Card]
Ranker = tuple[str, Callable[[Hand], Any], Callable[[Any], object]]


def ours(size: int) -> Ranker:
    """Our evaluator, its table of that size made."""
    evaluator = Evaluator(FIVE_CARD)
    evaluator.rank(deck()[:size])
    return "tablectl", tuple, evaluator.rank


def combinations_of_five(_size: int) -> Ranker:
    """The naive way: the best of all hands of five."""
    five = Evaluator(FIVE_CARD)
    five.rank(deck()[:5])
    return "best of all fives", tuple, lambda hand: max(map(five.rank, combinations(hand, 5)))


def treys(_size: int) -> Ranker:
    """treys: pure Python."""
    library = importlib.import_module("treys")
    evaluator = library.Evaluator()
    return (
        "treys (Python)",
        lambda hand: ([library.Card.new(c.name) for c in hand[:2]], [library.Card.new(c.name) for c in hand[2:]]),
        lambda split: evaluator.evaluate(*split),
    )


def phevaluator(_size: int) -> Ranker:
    """phevaluator: pure Python over tables."""
    library = importlib.import_module("phevaluator")
    return (
        "phevaluator (Python)",
        lambda hand: [library.Card(c.name) for c in hand],
        lambda hand: library.evaluate_cards(*hand),
    )


def eval7(_size: int) -> Ranker:
    """eval7: Cython."""
    library = importlib.import_module("eval7")
    return "eval7 (Cython)", lambda hand: [library.Card(c.name) for c in hand], library.evaluate


def pokerkit(_size: int) -> Ranker:
    """pokerkit: pure Python; its hand objects compare."""
    library = importlib.import_module("pokerkit")

    def make(hand: Hand) -> tuple[Any, Any]:
        cards = list(library.Card.parse("".join(c.name for c in hand)))
        return cards[:2], cards[2:]

    return "pokerkit (Python)", make, lambda split: library.StandardHighHand.from_game(*split)


def per_second(ranker: Ranker, hands: Sequence[Hand]) -> float:
    """Calls per second, the best of several runs."""
    _name, make, call = ranker
    made = [make(hand) for hand in hands]
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        for hand in made:
            call(hand)
        times.append(time.perf_counter() - started)
    return len(made) / min(times)


def main() -> None:
    """Print hands per second for five, six and seven cards, and how often ours is faster."""
    chance = random.Random(1)
    for size in (5, 6, 7):
        hands = [chance.sample(deck(), size) for _ in range(HANDS)]
        own = per_second(ours(size), hands)
        print(f"best five of {size} cards, per second:")
        print(f"  {'tablectl':22}{own:12,.0f}")
        for peer in (combinations_of_five, treys, phevaluator, eval7, pokerkit):
            try:
                ranker = peer(size)
            except ImportError:
                print(f"  {peer.__name__:22} not installed")
                continue
            its = per_second(ranker, hands[:SLOW_HANDS] if peer is pokerkit else hands)
            print(f"  {ranker[0]:22}{its:12,.0f}   ours is {own / its:.2f} times as fast")
    four = Evaluator(FOUR_CARD)
    four.rank(deck()[:5])
    hands = [chance.sample(deck(), 5) for _ in range(HANDS)]
    print(f"best four of 5 cards, per second: {per_second(('', tuple, four.rank), hands):,.0f}")


def test_rates() -> None:
    """Run by ``make bench``."""
    main()


if __name__ == "__main__":
    main()
