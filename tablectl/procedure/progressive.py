"""Wagers that an electronic system accepts: lock-out, collection, awards of a progressive, envies, and its meter.

A game says in `Game.systems` which systems it knows. Its round of play needs no more than `no_more_bets`, which locks
out and collects, and at each seat's turn `settle_progressive` and `pay_envies`, in the order of its chapter. What is
common to all rounds (opening, the refund of a void, documents, reconciliation) is done by the frame of the round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tablectl.events import Disposition, Result, WagerSettled
from tablectl.money import ZERO, Money
from tablectl.procedure.instructions import (
    Accepted,
    Attest,
    BookMeter,
    CollectChips,
    DocumentHandPay,
    Incident,
    LightWin,
    LockOutWagers,
    LookAtMeter,
    NotLocked,
    OpenWagering,
    PlaceWagers,
    RaiseAlarm,
    Stake,
    UndoLockOut,
    ValidateAward,
    VerifyHand,
    WageringShut,
    WinLit,
    WinNotLit,
)
from tablectl.procedure.irregularities import attend, note
from tablectl.procedure.reconciliation import book_wagers, look_over
from tablectl.procedure.settlement import settle, settle_all, settled
from tablectl.procedure.systems import AwardClauses, WagerSystem
from tablectl.procedure.table import HandPay, Table, TableHalt
from tablectl.records import replace
from tablectl.rules import Cite
from tablectl.rules.progressive import MeterShare, Pays, Prize, ProgressiveRules

__all__ = [
    "document_hand_pays",
    "lock_out",
    "open_wagering",
    "pay_envies",
    "pay_fixed_envies",
    "settle_progressive",
    "undo_lock_outs",
    "with_units",
]

_TRIES = 2  # to have an award taken by a system whose meter may have changed since it was read


# Before the deal ------------------------------------------------------------------------------------------------------


async def open_wagering(table: Table) -> tuple[str, ...]:
    """Let the systems take wagers; the opening wagers that are offered in this round, the others' included."""
    shut: list[str] = []
    for system in table.game.systems:
        if not system.offered(table.rules):
            shut.append(system.wager)
            continue
        await _return_what_was_given_up(table, system)
        barred = await look_over(table, system)
        if isinstance(await OpenWagering(system.kind.value, system.wager, barred), WageringShut):
            shut.append(system.wager)
    table.shut = shut
    return tuple(wager for wager in table.game.opening if wager not in shut)


def with_units(table: Table, stakes: Sequence[Stake]) -> tuple[Stake, ...]:
    """The same stakes, those on a system's spots with their amount where the system tells only that they are there."""
    units = {system.wager: system.unit for system in table.game.systems}
    with_amounts = [
        replace(stake, amount=units[stake.wager](table.rules, stake.seat, stakes))
        if stake.amount is None and stake.wager in units
        else stake
        for stake in stakes
    ]
    return tuple(with_amounts)


async def lock_out(table: Table, placed: Sequence[Stake]) -> None:
    """No system takes any more; its wagers are collected, verified and put into the tray (x.8(b), 675a.4(a))."""
    for system in table.game.systems:
        mine = tuple(stake for stake in placed if stake.wager == system.wager)
        if system.wager not in table.shut and system.offered(table.rules) and (mine or system.always):
            await _lock_out(table, system, mine, placed)


async def _lock_out(table: Table, system: WagerSystem, mine: tuple[Stake, ...], placed: Sequence[Stake]) -> None:
    clause = system.lock_out[table.dealing]
    result = await attend(table, LockOutWagers(system.kind.value, system.wager, mine, clause))
    if isinstance(result, NotLocked):  # none of them counts: the players have taken them back
        if mine:
            await note(Incident("device_lost"), None, ())
        return
    stakes = _accepted(table, system, mine, placed, result)
    if result.count:
        table.locked_out.append(system.wager)
    table.before_lock_out = table.before_lock_out or table.state.progressive
    await book_wagers(table, system, stakes or ())
    if not result.count and not mine:
        return
    counted = await attend(table, CollectChips(system.wager, result.count, len(mine), clause))
    if stakes is None or counted.chips != result.count or _forbidden(table, system, stakes):
        raise await _differ(table, clause)
    if stakes:
        await PlaceWagers(stakes)
    for stake in stakes:
        table.stakes[stake.seat, stake.wager, stake.hand] = stake
    table.in_tray.append(system.wager)
    if system.fee:
        await settle_all([settled(table, s.seat, s.wager, Result.LOSE, clause) for s in reversed(stakes)])


def _accepted(
    table: Table, system: WagerSystem, mine: Sequence[Stake], placed: Sequence[Stake], result: Accepted
) -> tuple[Stake, ...] | None:
    """The wagers that the system has accepted; None where it tells only a number, and another than is known of.

    A chip that came between the last look and the lock-out counts: the system has accepted it.
    """
    if result.seats is None:
        return tuple(mine) if len(mine) == result.count else None
    known = {stake.seat: stake for stake in mine}
    return tuple(
        known.get(number) or Stake(number, system.wager, system.unit(table.rules, number, placed))
        for number in result.seats
    )


def _forbidden(table: Table, system: WagerSystem, stakes: Sequence[Stake]) -> bool:
    """Whether the rules forbid a wager that the system has accepted, which the dealer could not see before."""
    others = [stake for stake in table.stakes.values() if stake.wager != system.wager]
    return any(True for _ in table.game.check_wagers(table.rules, table.setup, [*others, *stakes]))


async def _differ(table: Table, clause: Cite) -> TableHalt:
    """Chips and system differ, for which no remedy is stated: nothing is dealt, and the floor is called."""
    await attend(table, Attest("progressive_count", "floorperson", "", clause))
    return TableHalt("progressive_count_mismatch", clause, ("floor_called",), Disposition.CONTINUE)


# Given back -----------------------------------------------------------------------------------------------------------


async def undo_lock_outs(table: Table) -> None:
    """The wagers that were locked out are given back, from the tray too, and the meter is as it was before them."""
    for system in table.game.systems:
        if system.wager in table.locked_out:
            chips = sum(wager == system.wager for _seat, wager, _hand in table.stakes)
            await _undo(table, system, chips)
    if table.before_lock_out is not None:
        before, table.before_lock_out = table.before_lock_out, None
        ledger = table.state.progressive.ledger
        shown = before.display if before.ledger is None else before.ledger.said().display
        display = shown if table.first_display is None or before.ledger is not None else table.first_display
        barred = table.state.progressive.barred
        table.state = replace(table.state, progressive=replace(before, display=display, barred=barred))
        if before.ledger is not None and ledger is not None and before.ledger != ledger:
            wagers = Money(ledger.wagered - before.ledger.wagered)
            await BookMeter("returned", wagers, before.ledger.said())
    table.locked_out = []
    table.hand_pays = []


async def _return_what_was_given_up(table: Table, system: WagerSystem) -> None:
    """The last lock-out belongs to a round that could not be resumed: its wagers are back already."""
    state = table.state.progressive
    if system.kind.value in state.unreturned:
        await _undo(table, system, 0)
        left = tuple(kind for kind in state.unreturned if kind != system.kind.value)
        table.state = replace(table.state, progressive=replace(state, unreturned=left))


async def _undo(table: Table, system: WagerSystem, chips: int) -> None:
    undone = await UndoLockOut(system.kind.value, system.wager, chips)
    if not undone.complete:
        message = f"wagers of a round that was given up still count in the system: {system.wager}"
        await RaiseAlarm(system.kind.value, "lock_out_not_undone", message)


# Awards ---------------------------------------------------------------------------------------------------------------


async def settle_progressive(table: Table, number: int, hand: str | None) -> None:
    """Settle one seat's progressive wager by the hand it has, as the paytable names it (None: none that is named).

    An award is verified by the dealer, by the seat's light and by a floorperson, and paid from what the meter shows at
    that moment (655a.11(i)(4)(i), 655a.12(c)(4) and their kin).
    """
    system, clauses, filed = _progressive(table)
    pays = None if hand is None else filed.rows.get(hand)
    await _first_look(table, system, filed)
    if hand is None or pays is None:
        clause = clauses.lose or system.lock_out[table.dealing]
        await settle(table, number, system.wager, Result.LOSE, clause)
        return
    await attend(table, VerifyHand(number, hand, str(pays), clauses.hand))
    taken = await _take_award(table, system, clauses, filed, number, pays)
    staked = table.amount(number, system.wager)
    amount = taken if isinstance(pays, MeterShare) else None if staked is None else pays.pay(staked)
    validated = await attend(table, ValidateAward(number, hand, str(pays), amount, clauses.validate))
    ledger = table.state.progressive.ledger
    if ledger is not None:
        await BookMeter("award", taken, ledger.said(), validated.credential)
    prize = taken if isinstance(pays, MeterShare) else None
    await settle(table, number, system.wager, Result.WIN, filed.rows_cite, pays, prize=prize)
    if prize is not None and not clauses.from_tray(pays):
        table.hand_pays.append(HandPay(number, prize, clauses.pay))


async def _take_award(
    table: Table, system: WagerSystem, clauses: AwardClauses, filed: ProgressiveRules, number: int, pays: Pays
) -> Money:
    """Have the seat's light lit, and a share of the meter taken off it: what was taken off."""
    whole = isinstance(pays, MeterShare) and pays.whole
    taken, display = ZERO, _expected(table, filed)
    ledger = table.state.progressive.ledger
    hits = None if ledger is None else ledger.hits
    lit: WinLit | WinNotLit = WinNotLit("")
    for tried in range(_TRIES + 1):
        if isinstance(pays, MeterShare):
            said = await attend(table, LookAtMeter(system.kind.value, display, due=True))
            display = display if said is None else said.display
            taken = pays.of(display)
        by_hand = tried == _TRIES
        if by_hand and isinstance(lit, WinNotLit):
            await RaiseAlarm(system.kind.value, "award_not_recorded", f"seat {number}: {lit.reason}")
        lit = await attend(table, LightWin(system.kind.value, number, taken, whole, hits, clauses.light, by_hand))
        if isinstance(lit, WinLit):
            break
    if isinstance(pays, MeterShare):
        after = filed.reset if whole else Money(display - taken)
        _show(table, lit.display if isinstance(lit, WinLit) and lit.display is not None else after)
    if ledger is not None:
        progressive = replace(table.state.progressive, ledger=ledger.with_award(taken, reset=whole))
        table.state = replace(table.state, progressive=progressive)
    return taken


async def pay_envies(table: Table, row: str, holders: Sequence[tuple[int, str]]) -> None:
    """Pay the progressive's envy bonuses for these hands (seat and name), counterclockwise, each in a row of its own.

    Whoever made the wager gets them, folded or not, but not for the own hand (655a.11(i)(4)(i)(E) and its kin).
    """
    system, _clauses, filed = _progressive(table)
    await pay_fixed_envies(table, row, system.wager, holders, filed.envy_for, filed.envy_cite)


async def pay_fixed_envies(
    table: Table,
    row: str,
    wager: str,
    holders: Sequence[tuple[int, str]],
    prize_for: Callable[[Money | None, str], Prize | None],
    clause: Cite,
    entitled: Sequence[int] | None = None,
) -> None:
    """Pay everybody who made that wager the sum that is fixed for each of these hands of other players.

    Both hands of a player who has two adjacent areas are his own. `entitled`: these seats alone. A hand that is void
    has no part in it. Where the wager's amount is not known, `odds` alone say what is paid, as in all other rows.
    """
    rows = []
    for number in reversed(table.seats):
        if (number, wager, 0) not in table.stakes or number in table.left or number in table.voided:
            continue
        if entitled is not None and number not in entitled:
            continue
        amount = table.amount(number, wager)
        nothing = None if amount is None else ZERO
        for on, hand in holders:
            prize = None if on in (number, table.partners.get(number)) else prize_for(amount, hand)
            if prize is not None:
                paid = None if amount is None else prize.amount
                rows.append(
                    WagerSettled(
                        seat=number,
                        wager=row,
                        hand=0,
                        staked=nothing,
                        result=Result.WIN,
                        odds=str(prize),
                        paid=paid,
                        returned=nothing,
                        collected=nothing,
                        cite=clause,
                        on=on,
                    )
                )
    await settle_all(rows)


async def document_hand_pays(table: Table) -> None:
    """What was not paid from the tray is documented; the cards of these players stay on the table until then."""
    while table.hand_pays:
        pay = table.hand_pays.pop(0)
        await attend(table, DocumentHandPay(pay.seat, pay.amount, pay.cite))


# What the meter shows -------------------------------------------------------------------------------------------------


async def _first_look(table: Table, system: WagerSystem, filed: ProgressiveRules) -> None:
    """What the meter shows when the first wager of the round is settled goes on to the next round, if nothing wins.

    Our own books, where there are any, know that without looking.
    """
    if table.state.progressive.ledger is None and table.first_display is None:
        said = await attend(table, LookAtMeter(system.kind.value, _expected(table, filed), due=False))
        table.first_display = _expected(table, filed) if said is None else said.display
        _show(table, table.first_display)


def _progressive(table: Table) -> tuple[WagerSystem, AwardClauses, ProgressiveRules]:
    """The game's progressive, its clauses and what is filed of it."""
    for system in table.game.systems:
        filed = None if system.progressive is None else system.progressive(table.rules)
        if system.award is not None and filed is not None:
            return system, system.award, filed
    raise LookupError(f"{table.game.id} has no progressive on file")


def _expected(table: Table, filed: ProgressiveRules) -> Money:
    display = table.state.progressive.display
    return filed.reset if display is None else display


def _show(table: Table, display: Money) -> None:
    table.state = replace(table.state, progressive=replace(table.state.progressive, display=display))
