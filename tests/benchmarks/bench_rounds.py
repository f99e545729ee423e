"""Scripted rounds per second, beside the bare loop that only sends the same results to the same procedure.

Run by ``make bench`` or ``python -m tests.benchmarks.bench_rounds``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from tablectl.cards import deck
from tablectl.engine.drive import Drive
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import Script, play_one
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table

ROUNDS = 400
REPEATS = 5


def scenario(seed: int) -> Scenario:
    """Seven seats with Ante and Pair Plus, cards and decisions by the seed."""
    chance = random.Random(seed)
    rounds = []
    for _ in range(ROUNDS):
        cards = [card.name for card in deck()]
        chance.shuffle(cards)
        rounds.append(
            {
                "wagers": {str(seat): {"ante": "10.00", "pair_plus": "5.00"} for seat in range(1, 8)},
                "cards": " ".join(cards),
                "decisions": {str(seat): [chance.choice(("bet", "bet", "fold"))] for seat in range(1, 8)},
            }
        )
    return parse({"game": "three_card_poker", "table": {"shuffler": "counting"}, "round": rounds})


def best(measured: Callable[[], float]) -> float:
    """The least of several runs, in seconds."""
    return min(measured() for _ in range(REPEATS))


def main() -> None:
    """Print rounds per second and the ratio to the bare loop."""
    played = scenario(1)

    def full() -> float:
        state = played.first_state()
        started = time.perf_counter()
        for script in played.rounds:
            _fold, state = play_one(played, script, Table(played.game, played.rules, played.setup, state))
        return time.perf_counter() - started

    results = [_results(played, number) for number in range(ROUNDS)]

    def bare() -> float:
        state = played.first_state()
        started = time.perf_counter()
        for given in results:
            send = play_round(Table(played.game, played.rules, played.setup, state)).send
            try:
                send(None)
                for result in given:
                    send(result)
            except StopIteration as end:
                state = end.value
        return time.perf_counter() - started

    whole, loop = best(full), best(bare)
    steps = sum(len(given) for given in results) / ROUNDS
    print(f"scripted rounds of seven seats, {steps:.0f} instructions each:")
    print(f"  full engine {ROUNDS / whole:8.0f} rounds/s")
    print(f"  bare loop   {ROUNDS / loop:8.0f} rounds/s")
    print(f"  ratio of the times {whole / loop:.2f} (to be at most 3)")


def _results(played: Scenario, number: int) -> list[Any]:
    """What the script answers in that round, in order."""
    script = played.rounds[number]
    table = Table(played.game, played.rules, played.setup, played.first_state())
    given: list[Any] = []
    drive = Drive(play_round(table), played.game.transitions, lambda _step, _act, result, _events: given.append(result))
    drive.advance(Script(played, script, table))
    return given


def test_rates() -> None:
    """Run by ``make bench``."""
    main()


if __name__ == "__main__":
    main()
