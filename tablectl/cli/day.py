"""`tablectl hil day`: a gaming day at emulated equipment, from opening to closing, and whether its record agrees."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tablectl.cli import EQUIPMENT, OK, WRONG
from tablectl.engine.scenario import Scenario, parse
from tablectl.games import game as find_game
from tablectl.procedure.game import Dealing, Shuffler
from tablectl.procedure.opening import check_decks
from tablectl.rules import refuse

__all__ = ["day_arguments", "run_day", "table_folder"]


def day_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl hil day`."""
    parser.add_argument("game", metavar="GAME", help="see `tablectl games`")
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds that are dealt (default 40, more if needed)")
    parser.add_argument("--seed", type=int, default=1, help="of players, cards and what goes wrong when (default 1)")
    parser.add_argument("--dealing", choices=[each.value for each in Dealing], help="(default: a manual shoe, or dice)")
    parser.add_argument("--shuffler", choices=[each.value for each in Shuffler], help="(default: counting, if cards)")
    parser.add_argument("--decks", type=int, choices=(1, 2), help="decks or batches at the table (default: as usual)")
    parser.add_argument("--seats", type=int, metavar="N", help="betting positions (default: as many as there may be)")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep journal, configuration and log in this folder"
    )
    parser.epilog = "Exit status 1: a round ended otherwise than by script, or the record is not what happened."


def run_day(options: argparse.Namespace) -> int:
    """Play the day; status 1 when its record is not what happened."""
    from tablectl_hil.audit import Record, audit
    from tablectl_hil.day import play_day
    from tablectl_hil.tableside import TableStuck

    table = _table(options)
    with table_folder(options.keep, "day-") as folder:
        try:
            day = asyncio.run(play_day(table, folder, rounds=options.rounds, seed=options.seed))
        except TableStuck as error:
            print(f"tablectl: {error}", file=sys.stderr)
            return EQUIPMENT
        except KeyboardInterrupt:
            print("tablectl: given up", file=sys.stderr)
            return WRONG
        problems = audit(day, Record.read(day.config))
    print(f"{len(day.rounds)} rounds in {day.seconds:.1f} s, {day.seconds / len(day.rounds):.2f} s each")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(day.mishaps.items())))
    for problem in problems:
        print(problem, file=sys.stderr)
    print("the record of the day is what happened" if not problems else "THE RECORD OF THE DAY IS NOT WHAT HAPPENED")
    return WRONG if problems else OK


def _table(options: argparse.Namespace) -> Scenario:
    """The table of the day; `Forbidden` says what the chapter has against it."""
    cards = find_game(options.game).dice is None
    given = {"dealing": options.dealing, "shuffler": options.shuffler or (Shuffler.COUNTING.value if cards else None)}
    setup = {key: value for key, value in {**given, "seats": options.seats}.items() if value is not None}
    table = parse({"game": options.game, "table": setup, "round": []}, "tablectl hil day")
    if table.refused is not None:
        raise table.refused
    if options.decks is not None:
        table = replace(table, setup=replace(table.setup, decks=options.decks))
    refuse(check_decks(table.game, table.setup))
    return table


@contextlib.contextmanager
def table_folder(keep: Path | None, prefix: str) -> Iterator[Path]:
    """A new folder for a table: in `keep`, which is made if need be, or one that is gone afterwards."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield Path(tempfile.mkdtemp(prefix=prefix, dir=keep))
        return
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        yield Path(folder)
