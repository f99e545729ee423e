"""`tablectl demo`: a table with emulated equipment that runs by itself and shows it."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["demo_arguments", "run_demo"]


def demo_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl demo`."""
    parser.add_argument("game", nargs="?", default="three_card_poker", metavar="GAME", help="see `tablectl games`")
    parser.add_argument(
        "--rounds", type=_at_least_one, metavar="N", help="stop after so many rounds (default: until stopped)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of cards, players and mishaps (default 1)")
    parser.add_argument(
        "--pace", type=_seconds, default=0.25, metavar="S", help="seconds between two acts (default 0.25)"
    )
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="keep journal, configuration and log there")


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 5:
        raise argparse.ArgumentTypeError(f"{text!r}: expected seconds from 0 to 5")
    return seconds


def run_demo(options: argparse.Namespace) -> int:
    """Run until stopped."""
    from tablectl_hil.demo import main

    return main(options.game, rounds=options.rounds, seed=options.seed, pace_s=options.pace, folder=options.folder)
