"""Where the deal begins: three dice in a shaker, a random number, or a button; and throws of dice in general.

Positions are counted counterclockwise around the table with the dealer as one (561.12(b), (c)): with six seats two is
seat 6, seven is seat 1, eight is the dealer again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablectl.cards import DEALER, Position, seat
from tablectl.procedure.game import Remedy
from tablectl.procedure.instructions import Attest, CoverShaker, Now, ReadNumber, SetStart, ThrowDice
from tablectl.procedure.irregularities import attend, handle
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite

__all__ = [
    "BUTTON",
    "RNG",
    "SHAKER",
    "StartClauses",
    "counted",
    "cover_shaker",
    "fresh_dice",
    "places_from",
    "starting_position",
    "throw",
]

SHAKER: Final = "shaker"
RNG: Final = "rng"
BUTTON: Final = "button"
_DICE: Final = 3
_DICE_HOURS: Final = 24


@dataclass(frozen=True, slots=True)
class StartClauses:
    """The clauses of the ways to determine the starting position; `button` is None where the chapter has none."""

    shaker: Cite
    rng: Cite
    button: Cite | None = None


async def starting_position(table: Table, method: str, clauses: StartClauses) -> Position:
    """Determine by the filed method where the first card or stack goes (561.12, 670a.5(i))."""
    match method:
        case "shaker":
            clause = clauses.shaker
            start = counted(table, sum(await throw(table, _DICE, clause, flat=True)))
        case "rng":
            clause = clauses.rng
            start = counted(table, await attend(table, ReadNumber(1, table.setup.seats + 1, clause)))
        case _:
            assert clauses.button is not None, f"the chapter knows no starting position by {method}"
            clause = clauses.button
            start = table.state.button or DEALER  # at the commencement of play before the dealer
            table.state = replace(table.state, button=places_from(table, start)[1])  # then clockwise, round by round
    await SetStart(start, clause)
    return start


async def fresh_dice(table: Table, method: str, clause: Cite) -> None:
    """Before the wagers: no dice are in use at the table for more than 24 hours (561.8(a)(1)(iii))."""
    if method != SHAKER:
        return
    now = await Now()
    since = table.state.dice_since
    if since is None or now - since >= _DICE_HOURS * 3600:
        await attend(table, Attest("new_dice", "both", "", clause))
        table.state = replace(table.state, dice_since=now)


async def cover_shaker(method: str, clause: Cite) -> None:
    """After the deal the shaker is covered and shaken once, where it was used (561.12(b), 670a.5(i)(1)(iv))."""
    if method == SHAKER:
        await CoverShaker(clause)


async def throw(table: Table, dice: int, clause: Cite, *, flat: bool) -> tuple[int, ...]:
    """Throw the dice until the throw counts; the faces (561.14(a), (b), 675a.4(b), (c)).

    `flat`: they stay in the shaker, in which every die has to lie flat.
    """
    while True:
        table.throws += 1
        thrown = await attend(table, ThrowDice(table.throws, dice, flat, clause))
        if thrown.incident is None:
            return thrown.faces
        rule = await handle(table, thrown.incident)
        if rule is None or rule.remedy is not Remedy.RETHROW:
            return thrown.faces


def counted(table: Table, number: int) -> Position:
    """The position that a count from the dealer as one on counterclockwise comes to."""
    places = (DEALER, *(seat(n) for n in range(table.setup.seats, 0, -1)))
    return places[(number - 1) % len(places)]


def places_from(table: Table, start: Position) -> tuple[Position, ...]:
    """Every position clockwise from `start`, the dealer's too, whether there is a wager or not (561.9(c))."""
    places = (*(seat(n) for n in range(1, table.setup.seats + 1)), DEALER)
    first = places.index(start)
    return (*places[first:], *places[:first])
