"""Settling one wager: the result, the clause and the odds decide which chips move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.events import Result, WagerSettled
from tablectl.money import ZERO, Money, Odds
from tablectl.procedure.instructions import Settle
from tablectl.procedure.table import Table
from tablectl.rules import Cite

__all__ = ["LOSERS_FIRST", "award", "settle"]

_COLLECTED = (Result.LOSE, Result.FORFEITED)

LOSERS_FIRST: Final[Mapping[Result, int]] = {Result.LOSE: 0, Result.PUSH: 1, Result.RETURNED: 1, Result.WIN: 2}
"""A seat's losing wagers are collected first, then what goes back is returned, then winners are paid."""


async def settle(table: Table, seat: int, wager: str, result: Result, cite: Cite, odds: Odds | None = None) -> None:
    """Move the chips of one open wager, once.

    A win pays `odds` and gives the wager back; a loss and a forfeit collect it; everything else gives it back.
    """
    staked = table.amount(seat, wager)
    table.settled.append((seat, wager, 0))
    if staked is None:
        paid = returned = collected = None
    else:
        collected = staked if result in _COLLECTED else ZERO
        returned = Money(staked - collected)
        paid = odds.pay(staked) if odds is not None else ZERO
    await Settle(
        WagerSettled(
            seat=seat,
            wager=wager,
            hand=0,
            staked=staked,
            result=result,
            odds=None if odds is None else str(odds),
            paid=paid,
            returned=returned,
            collected=collected,
            cite=cite,
        )
    )


async def award(table: Table, seat: int, row: str, on: str, odds: Odds, cite: Cite) -> None:
    """Pay a row that nobody stakes (a bonus, an envy) at odds on the amount of another wager of that seat."""
    amount = table.amount(seat, on)
    nothing = None if amount is None else ZERO
    await Settle(
        WagerSettled(
            seat=seat,
            wager=row,
            hand=0,
            staked=nothing,
            result=Result.WIN,
            odds=str(odds),
            paid=None if amount is None else odds.pay(amount),
            returned=nothing,
            collected=nothing,
            cite=cite,
        )
    )
