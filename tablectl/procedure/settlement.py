"""Settling wagers: the result, the clause and the odds decide which chips move.

What a seat has at stake is settled by one act, where nobody is awaited in between.

Where the chapter has a payout limit, what is paid is cut by it: row by row, as the wagers are settled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tablectl.events import Result, WagerSettled
from tablectl.money import ZERO, Money, Odds
from tablectl.procedure.game import Setup
from tablectl.procedure.instructions import Settle
from tablectl.procedure.table import Table
from tablectl.rules import Cite
from tablectl.rules.progressive import MeterShare, Prize

__all__ = ["LOSERS_FIRST", "awarded", "forfeit_all", "least_limit", "posted_minimum", "settle", "settle_all", "settled"]

_WIN: Final = Result.WIN
_COLLECTED: Final = (Result.LOSE, Result.FORFEITED, Result.SURRENDERED)

LOSERS_FIRST: Final[Mapping[Result, int]] = {
    Result.LOSE: 0,
    Result.SURRENDERED: 0,
    Result.PUSH: 1,
    Result.RETURNED: 1,
    Result.WIN: 2,
}
"""A seat's losing wagers are collected first, then what goes back is returned, then winners are paid."""

_LIMIT: Final = Money(50_000_00)
_NO_MINIMUM: Final = Money(1_00)


def posted_minimum(setup: Setup) -> Money:
    """The least wager at that table: one dollar where no minimum is posted."""
    return _NO_MINIMUM if setup.minimum is None else setup.minimum


def least_limit(setup: Setup, won_with: Callable[[Money], Money]) -> Money:
    """$50,000, or what one patron could win in a round with the minimum wager, if that is more (563.12(e) …).

    `won_with` says what could be won with that minimum.
    """
    return max(_LIMIT, won_with(posted_minimum(setup)))


def settled(
    table: Table,
    seat: int,
    wager: str,
    result: Result,
    cite: Cite,
    odds: Odds | MeterShare | Prize | None = None,
    prize: Money | None = None,
    hand: int = 0,
    on: Money | None = None,
    vigorish: Callable[[Money], Money] | None = None,
    part: Money | None = None,
) -> WagerSettled:
    """How one open wager is settled, once; `settle_all` moves its chips, before anything else is awaited.

    A win pays `odds`, or the sum `prize` that they have come to, and gives the wager back unless it went into the tray
    before play; a loss and a forfeit collect it; everything else gives it back. `on` is what the odds are paid on, if
    that is not the wager itself. `vigorish` is what the house extracts of an amount won (561.13(m)). `part` is what is
    collected where it is not the whole wager (673a.9(a)).
    """
    key = seat, wager, hand
    stake = table.stakes[key]
    staked = stake.amount
    table.settled[key] = None
    extracted: Money | None = None
    if staked is None:
        returned = collected = None
        paid = prize
    else:
        if result not in _COLLECTED and (result is not _WIN or wager not in table.in_tray):
            returned, collected = staked, ZERO
        elif part is None:
            returned, collected = ZERO, staked
        else:
            returned, collected = Money(staked - part), part
        base = staked if on is None else on
        paid = _due(odds, base, prize)
        if paid and table.game.payout_limit is not None:
            paid = _within_limit(table, seat, wager, paid)
        if vigorish is not None:
            extracted = vigorish(paid)
            paid = Money(paid - extracted)
    at = None if odds is None or paid == 0 else str(odds)
    return WagerSettled(seat, wager, hand, staked, result, at, paid, returned, collected, cite, stake.free, extracted)


async def settle(
    table: Table,
    seat: int,
    wager: str,
    result: Result,
    cite: Cite,
    odds: Odds | MeterShare | Prize | None = None,
    *,
    prize: Money | None = None,
    hand: int = 0,
    vigorish: Callable[[Money], Money] | None = None,
    part: Money | None = None,
) -> None:
    """Settle one open wager by itself, as `settled` says."""
    await Settle((settled(table, seat, wager, result, cite, odds, prize, hand, vigorish=vigorish, part=part),))


async def settle_all(rows: Sequence[WagerSettled]) -> None:
    """Move the chips of these wagers, in this order."""
    if rows:
        await Settle(tuple(rows))


async def forfeit_all(table: Table, seat: int) -> None:
    """Collect what a seat that is in `Table.left` still has on the layout, by the clause that takes it."""
    rows = []
    for _seat, wager, hand in table.open_stakes(seat):
        result = Result.LOSE if table.stakes[seat, wager, hand].free else Result.FORFEITED  # a lammer was nobody's
        rows.append(settled(table, seat, wager, result, table.left[seat], hand=hand))
    await settle_all(rows)


def awarded(table: Table, seat: int, row: str, on: str, odds: Odds, cite: Cite) -> WagerSettled:
    """A row that nobody stakes (a bonus, an envy), paid at odds on the amount of another wager of that seat."""
    amount = table.amount(seat, on)
    nothing = None if amount is None else ZERO
    paid = None if amount is None else _within_limit(table, seat, row, odds.pay(amount))
    return WagerSettled(
        seat=seat,
        wager=row,
        hand=0,
        staked=nothing,
        result=Result.WIN,
        odds=None if paid == 0 else str(odds),
        paid=paid,
        returned=nothing,
        collected=nothing,
        cite=cite,
    )


def _due(odds: Odds | MeterShare | Prize | None, wagered: Money, prize: Money | None) -> Money:
    """What a wager is to be paid."""
    if odds is None:
        return prize or ZERO
    if isinstance(odds, Odds):
        return odds.pay(wagered)
    return odds.amount if isinstance(odds, Prize) else prize or ZERO


def _within_limit(table: Table, seat: int, wager: str, paid: Money) -> Money:
    """What of that sum may still be paid to the seat; what the same player was paid at another one counts, too."""
    player = min(seat, table.partners.get(seat, seat))
    limit = table.game.payout_limit
    if limit is None or not paid or wager not in limit.wagers:
        return paid
    most = limit.most(table.rules, table.setup)
    if most is None:
        return paid
    before = table.paid.get(player, ZERO)
    within = Money(min(paid, most - before))
    table.paid[player] = Money(before + within)
    return within
