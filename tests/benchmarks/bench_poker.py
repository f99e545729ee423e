"""Hands of the poker room per second, six seats, beside PokerKit in one run: the same cards, the same decisions.

Run by ``make bench``, which fetches PokerKit once, or ``python -m tests.benchmarks.bench_poker [GAME…]``. What is timed
is the whole hand: ours with every event and its outcome, theirs with all that is automatic left to PokerKit. Both are
processor time of this process, hand by hand in turn, so that what else runs on the machine matters less.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from tablectl.engine.scenario import RoundScript, Scenario
from tablectl.engine.script import play_one
from tablectl.procedure.table import Table, TableState
from tests.pokerkit.hands import Hand, by_chance
from tests.pokerkit.peer import GAMES, Peer

SEATS = 6
HANDS = 120
REPEATS = 15
WANTED = {"omaha": 25, "draw": 10, "stud": 10}


def seconds(call: Callable[[], object]) -> float:
    """The processor time of a call."""
    started = time.process_time()
    call()
    return time.process_time() - started


def ours(played: Scenario, script: RoundScript, state: TableState) -> object:
    """One hand by script."""
    return play_one(played, script, Table(played.game, played.rules, played.setup, state))


def measure(game: str, hands: Sequence[Hand], played: Scenario) -> str:
    """One line: hands per second by both, and the ratio."""
    with_peer = importlib.util.find_spec("pokerkit") is not None
    mine: list[list[float]] = [[] for _ in hands]
    theirs: list[list[float]] = [[] for _ in hands]
    for repeat in range(REPEATS):
        for number, hand in enumerate(hands):
            mine[number].append(seconds(lambda hand=hand: ours(played, hand.script, hand.state)))  # type: ignore[misc]
            if with_peer and repeat < 4:
                peer = Peer(game, hand.rules, hand.button, hand.document)
                theirs[number].append(seconds(peer.play))
    own = len(hands) / math.fsum(map(min, mine))
    line = f"  {game:<22}{own:8.0f} hands/s"
    if not with_peer:
        return f"{line}   PokerKit is not installed"
    its = len(hands) / math.fsum(map(min, theirs))
    return f"{line}   PokerKit{its:7.0f}   ours is {own / its:5.1f} times as fast (wanted {WANTED[GAMES[game]]})"


def main(games: Sequence[str] = tuple(GAMES)) -> None:
    """Print a line for each game."""
    print(f"hands with {SEATS} seats, per second of processor time:")
    for game in games:
        rules: dict[str, Any] = {"betting": "limit", "bet_sizes": ["2.00", "4.00"]} if "stud" in game else {}
        played, hands = by_chance(game, rules, seed=1, rounds=HANDS, seats=SEATS)
        print(measure(game, hands, played), flush=True)


def test_rates() -> None:
    """Run by ``make bench``."""
    main()


if __name__ == "__main__":
    main(sys.argv[1:] or tuple(GAMES))
