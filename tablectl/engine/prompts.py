"""What the dealer's panel shows: one line of 40 characters, the keys that count now, the key that stands."""

from __future__ import annotations

from tablectl.cards import Position, position
from tablectl.records import frozen

__all__ = ["LINE", "Prompt", "first_that_fits", "key_of", "position_of"]

LINE = 40


@frozen
class Prompt:
    """One state of the panel. `lit` are the keys that count, `standing` those whose choice stands but is not final."""

    text: str
    lit: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()

    def line(self) -> str:
        """The text as it fits the panel."""
        return self.text if len(self.text) <= LINE else self.text[: LINE - 1] + "+"


def first_that_fits(*lines: str) -> str:
    """The first of these that fits the panel's line: the longest is named first; the last one where none does."""
    return next((line for line in lines if len(line) <= LINE), lines[-1])


def key_of(where: Position) -> str:
    """The panel's key for a position: ``dealer``, ``seat_3``, ``community`` or ``stack_3``."""
    return where.name.replace(" ", "_")


def position_of(key: str) -> Position | None:
    """The position that a key names, or None."""
    if key in ("dealer", "community"):
        return position(key)
    kind, _, number = key.partition("_")
    most = {"seat": 10, "stack": 7}.get(kind, 0)
    return position(f"{kind} {int(number)}") if number.isdecimal() and 1 <= int(number) <= most else None
