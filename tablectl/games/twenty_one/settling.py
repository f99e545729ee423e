"""Losing wagers are collected and winning ones paid in one of two ways, whichever is filed (672a.7(r), 673a.7(t))."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from tablectl.events import Result
from tablectl.games.twenty_one.play import Play, leave, to_stage
from tablectl.money import Money, Odds
from tablectl.procedure.settlement import LOSERS_FIRST, settle_all, settled
from tablectl.procedure.stages import Stage
from tablectl.rules import Cite

__all__ = ["COLLECT_THEN_PAY", "Row", "Settlement", "settle_rows"]

Settlement = Literal["collect_then_pay", "player_by_player"]
COLLECT_THEN_PAY: Final = "collect_then_pay"


class Row(NamedTuple):
    """How one wager is settled; `on` is what the odds are paid on, if that is not the wager itself."""

    wager: str
    hand: int
    result: Result
    cite: Cite
    odds: Odds | None = None
    on: Money | None = None


async def settle_rows(play: Play, settlement: Settlement, rows: Callable[[int], Sequence[Row]]) -> None:
    """Settle what each seat has open, counterclockwise; `rows` says how, hand after hand.

    Either all losing wagers are collected before the others are returned and paid, or seat by seat.
    """
    table = play.table
    await to_stage(table, Stage.SETTLING)
    later: list[tuple[int, list[Row]]] = []
    for number in reversed(table.seats):
        if number in table.left:
            await leave(play, number)
            continue
        found = sorted(rows(number), key=lambda row: LOSERS_FIRST[row.result])
        if settlement == COLLECT_THEN_PAY:
            later.append((number, [row for row in found if LOSERS_FIRST[row.result]]))
            found = [row for row in found if not LOSERS_FIRST[row.result]]
        await _settle(play, number, found)
    for number, found in later:
        await _settle(play, number, found)


async def _settle(play: Play, number: int, rows: Sequence[Row]) -> None:
    table = play.table
    await settle_all(
        [settled(table, number, row.wager, row.result, row.cite, row.odds, hand=row.hand, on=row.on) for row in rows]
    )
