"""`tablectl report`: the report of one gaming day, as text for 80 columns or as JSON (`REPORT.md` describes it)."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tablectl.cli import OK, WRONG
from tablectl.cli.decks import cards_of
from tablectl.cli.journal import existing_journal
from tablectl.cli.report_json import report_document
from tablectl.cli.report_text import report_lines
from tablectl.errors import Misuse
from tablectl.journal import Reader, RowKind
from tablectl.journal.day import GamingDay, gaming_days
from tablectl.journal.told import told

__all__ = ["report_arguments", "run_report"]

_NUMBER: Final = re.compile(r"\d{1,6}", re.ASCII)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def report_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl report`."""
    parser.description = (
        "The gaming day from the opening of the table to its closing: rounds, wagers, what went wrong and what was"
        " done, decks, people. Works beside a running daemon. A day that is not closed yet is reported as far as it has"
        " come."
    )
    parser.epilog = "Exit status 1: the day does not balance, and the report says where. Times are UTC."
    parser.add_argument("path", type=Path, metavar="CONFIG", help="the table's configuration, or the journal itself")
    parser.add_argument(
        "--day",
        metavar="N|DATE",
        help="number of the day, or the date on which it was opened; the last one if left out",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_report(options: argparse.Namespace) -> int:
    """Print the report; status 1 when it does not balance."""
    journal = existing_journal(options.path)
    days = gaming_days(told(Reader(journal).rows(kinds=[RowKind.EVENT])), cards_of)
    day = _choose(days, options.day, journal)
    table = _table(options.path)
    if options.json:
        print(json.dumps(report_document(day, table, journal), indent=2))
    else:
        print("\n".join(report_lines(day, table)))
    return WRONG if day.check() else OK


def _choose(days: Iterable[GamingDay], wanted: str | None, journal: Path) -> GamingDay:
    """The day of that number or date, or the last one; `Misuse` names those that there are."""
    if wanted is not None and not _NUMBER.fullmatch(wanted) and not _DATE.fullmatch(wanted):
        raise Misuse(f"--day {wanted}: expected the number of a gaming day, or a date such as 2026-01-31")
    known: list[tuple[int, str]] = []
    found: list[GamingDay] = []
    for day in days:
        if not day.is_day:
            continue
        date = (day.opened or day.first).date
        known.append((day.number, date))
        if wanted is None:
            found = [day]
        elif wanted == date:
            found.append(day)
        elif _NUMBER.fullmatch(wanted) and int(wanted) == day.number:
            return day
    if not known:
        raise Misuse(f"{journal}: there is no gaming day in it yet: the table has never been opened")
    if not found:
        first, last = known[0], known[-1]
        raise Misuse(
            f"{journal}: there is no gaming day {wanted}: the first is day {first[0]} ({first[1]}), the last day"
            f" {last[0]} ({last[1]})"
        )
    if len(found) > 1:
        numbers = ", ".join(str(day.number) for day in found)
        raise Misuse(f"{journal}: the table was opened {len(found)} times on {wanted}: choose --day {numbers}")
    return found[0]


def _table(path: Path) -> str | None:
    """The table's id, which a journal alone does not tell."""
    if path.suffix != ".toml":
        return None
    from tablectl.daemon.config import load

    return load(path, here=False).id
