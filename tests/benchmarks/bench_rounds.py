"""Scripted rounds per second of every game, beside the bare loop that only sends the same results to its procedure.

Run by ``make bench`` or ``python -m tests.benchmarks.bench_rounds [GAME…]``.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tablectl.engine.drive import Drive, Interrupted
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import Script, play_one
from tablectl.games import GAME_IDS
from tablectl.procedure.instructions import Incident, Interrupt
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table
from tablectl_hil.players import Players, own_table

ROUNDS = 200
REPEATS = 20


def scenario(game: str, seed: int) -> Scenario:
    """Every seat with every wager, cards and decisions by the seed; nothing goes wrong."""
    table = parse(own_table(game))
    players = Players(table, seed, mishaps=0, everybody=True)
    rounds, state = [], table.first_state()
    for _ in range(ROUNDS):
        rounds.append(players.next_round(state=state))
        _fold, state = play_one(table, rounds[-1], Table(table.game, table.rules, table.setup, state))
    return replace(table, rounds=tuple(rounds))


def best(*measured: Callable[[], list[float]]) -> list[float]:
    """The seconds of all rounds, each at its fastest of several runs: what else runs on the machine matters less.

    All are run in turns, so that it meets each of them.
    """
    runs: list[list[list[float]]] = [[] for _ in measured]
    for _ in range(REPEATS):
        for kept, run in zip(runs, measured, strict=True):
            kept.append(run())
    return [math.fsum(map(min, zip(*kept, strict=True))) for kept in runs]


def measure(played: Scenario) -> str:
    """One line: seats, instructions, rounds per second by the whole engine and by the bare loop, their ratio."""

    def full() -> list[float]:
        state, times = played.first_state(), [time.perf_counter()]
        for script in played.rounds:
            _fold, state = play_one(played, script, Table(played.game, played.rules, played.setup, state))
            times.append(time.perf_counter())
        return [after - before for before, after in pairwise(times)]

    results, states = _results(played)

    def bare() -> list[float]:
        times = [time.perf_counter()]
        for given, state in zip(results, states, strict=True):
            procedure = play_round(Table(played.game, played.rules, played.setup, state))
            send = procedure.send
            try:
                send(None)
                for result in given:
                    if isinstance(result, Interrupted) and isinstance(result.incident, Incident):  # a cover card
                        procedure.throw(Interrupt(result.incident, begun=result.begun))
                    else:
                        send(result)
            except StopIteration:
                pass
            times.append(time.perf_counter())
        return [after - before for before, after in pairwise(times)]

    whole, loop = best(full, bare)
    steps = sum(len(given) for given in results) / ROUNDS
    return (
        f"  {played.game.id:<26} {played.setup.seats:>2} seats {steps:4.0f} instructions"
        f" {ROUNDS / whole:8.0f} rounds/s {ROUNDS / loop:8.0f} bare {whole / loop:6.2f}"
    )


def _results(played: Scenario) -> tuple[list[list[Any]], list[Any]]:
    """What the script answers in each round, in order, and the state that each begins with."""
    results, states = [], []
    state = played.first_state()
    for script in played.rounds:
        table = Table(played.game, played.rules, played.setup, state)
        given: list[Any] = []
        drive = Drive(
            play_round(table),
            played.game.transitions,
            lambda _step, _act, result, _events, given=given: given.append(result),
        )
        drive.advance(Script(played, script, table))
        states.append(state)
        results.append(given)
        assert drive.value is not None
        state = drive.value
    return results, states


def main(games: Sequence[str] = GAME_IDS) -> None:
    """Print a line for each game."""
    print("scripted rounds, all seats: at least 1500 a second (Three Card Poker 2500), at most 3 times the bare loop")
    for game in games:
        print(measure(scenario(game, 1)), flush=True)


def test_rates() -> None:
    """Run by ``make bench``."""
    main()


if __name__ == "__main__":
    main(sys.argv[1:] or GAME_IDS)
