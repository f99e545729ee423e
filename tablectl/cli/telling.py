"""What reports over a journal share: times, amounts and columns, as text for 80 columns and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from tablectl.journal.played import Sums
from tablectl.journal.told import Stamp
from tablectl.money import Money, show

__all__ = ["WIDTH", "amount", "columns", "duration", "money", "moment", "plural", "stamp", "sums", "wrapped"]

WIDTH: Final = 80
"""Columns of a terminal, and of paper."""


def stamp(at: Stamp | None) -> dict[str, Any] | None:
    """When an event was recorded, as JSON."""
    return None if at is None else {"at": at.wall, "synced": at.synced, "sequence": at.sequence}


def moment(at: Stamp, since: Stamp | None = None) -> str:
    """``2026-01-31 21:03:11Z``, without the date where that is the one of `since`; ``?`` for Z: not synchronised."""
    clock = f"{at.wall[11:19]}{'Z' if at.synced else '?'}"
    return clock if since is not None and since.date == at.date else f"{at.date} {clock}".strip()


def duration(seconds: int) -> str:
    """``2 h 5 min``, ``5 min 3 s`` or ``7 s``."""
    minutes, rest = divmod(max(0, seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def money(cents: Money | None) -> str | None:
    """An amount as JSON has it: dollars with two decimals, null where it is not known."""
    return None if cents is None else show(cents)


def amount(cents: Money | None) -> str:
    """An amount for a person: ``1,240.00``, a dash where it is not known."""
    if cents is None:
        return "-"
    whole, _, part = show(cents).partition(".")
    return f"{int(whole):,}.{part}" if abs(cents) >= 100 else show(cents)


def sums(of: Sums) -> dict[str, Any]:
    """What settled wagers come to, as JSON: null where no amount is known at all."""
    known = of.known
    return {
        "count": of.count,
        "unknown": of.unknown,
        "staked": show(of.staked) if known else None,
        "paid": show(of.paid) if known else None,
        "returned": show(of.returned) if known else None,
        "collected": show(of.collected) if known else None,
        "net": show(of.net) if known else None,
    }


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = (), indent: int = 2) -> Iterator[str]:
    """Rows of the same length as lines; the columns of those numbers are set to the right.

    What does not fit comes closer together; what still does not has its first column on a line of its own, and no
    commas in its amounts.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = WIDTH - indent - sum(widths)
    if room < len(widths) - 1:
        names, others = [row[0] for row in rows], [[cell.replace(",", "") for cell in row[1:]] for row in rows]
        for name, line in zip(names, columns(others, [place - 1 for place in right], indent), strict=True):
            yield from (f"{' ' * indent}{name}", line) if name else (line,)
        return
    gap = "  " if room >= 2 * (len(widths) - 1) else " "
    for row in rows:
        cells = (
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"{' ' * indent}{gap.join(cells)}".rstrip()


def wrapped(text: str, indent: int = 2, hang: int = 4) -> Iterator[str]:
    """A sentence as lines of at most 80 columns."""
    yield from textwrap.wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + hang))


def plural(number: int, one: str, many: str | None = None) -> str:
    """``1 round``, ``2 rounds``."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def joined(words: Iterable[str]) -> str:
    """Words with commas between, those left out that say nothing."""
    return ", ".join(word for word in words if word)
