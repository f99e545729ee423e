"""Our books of a progressive's meter held against what the system says, and what two persons may do about either.

Books are opened with what the system says first, and again on a gaming day on which its rules are other ones: while the
table is open they do not change. After a difference no progressive wagers are taken until two persons put it right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.equipment import MeterReason
from tablectl.money import ZERO, Money, show
from tablectl.procedure.instructions import (
    AdoptMeter,
    BookMeter,
    LookAtMeter,
    MeterSaid,
    Order,
    RaiseAlarm,
    Stake,
    TakenOff,
    TakeOffMeter,
)
from tablectl.procedure.irregularities import attend
from tablectl.procedure.meter import open_ledger
from tablectl.procedure.systems import WagerSystem
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules.progressive import ProgressiveRules

__all__ = ["METER_DOWN", "METER_RIGHT", "book_wagers", "look_over", "meter_orders", "obey_meter_order", "reconcile"]

METER_DOWN: Final = "meter_down"
METER_RIGHT: Final = "meter_right"
_RESET_NOT_AS_FILED: Final = "reset_not_as_filed"
_RATE_NOT_AS_FILED: Final = "rate_not_as_filed"
_NOT_AS_FILED: Final = (_RESET_NOT_AS_FILED, _RATE_NOT_AS_FILED)
"""Over as soon as the system's rules are those that were filed."""


async def reconcile(table: Table) -> None:
    """At the end of each round our books of the meter are held against what the system says; a difference is an alarm.

    After a difference, or a change of the meter's rules while the table is open, no progressive wagers are taken until
    two persons have put it right.
    """
    for system in table.game.systems:
        if system.offered(table.rules) and system.wager not in table.shut:
            await look_over(table, system)


async def look_over(table: Table, system: WagerSystem) -> str:
    """Hold our books against the system; why no wagers may be taken, empty when they may."""
    if system.kind.value in table.state.removed:
        return "out_of_service"
    if system.progressive is None:
        return ""
    filed = system.progressive(table.rules)
    barred = table.state.progressive.barred
    if filed is None or barred not in ("", *_NOT_AS_FILED):
        return barred
    said = await attend(table, LookAtMeter(system.kind.value, None, due=False))
    if said is None or said.meter is None or said.rules is None:
        return barred
    kind, message = await _trouble(table, filed, said)
    if kind not in ("", barred):
        await RaiseAlarm("meter", kind, message)
    table.state = replace(table.state, progressive=replace(table.state.progressive, barred=kind))
    return kind


async def _trouble(table: Table, filed: ProgressiveRules, said: MeterSaid) -> tuple[str, str]:
    """What is wrong between the system, our books and what is filed: kind, empty for nothing, and words.

    Books are opened where that is due.
    """
    assert said.meter is not None
    assert said.rules is not None
    if said.rules.reset != filed.reset:
        return _RESET_NOT_AS_FILED, f"the system resets to {show(said.rules.reset)}, filed is {show(filed.reset)}"
    if filed.rate not in (None, said.rules.increment_ppm):  # 655a.12(c)(3), 657a.12(d)(3)
        return _RATE_NOT_AS_FILED, f"of a million {said.rules.increment_ppm} go to the meter, filed is {filed.rate}"
    ledger, day = table.state.progressive.ledger, table.state.day
    if ledger is None or (ledger.rules != said.rules and ledger.day != day):
        ledger = open_ledger(said.rules, said.meter, day)
        if ledger is None:
            return "meter_does_not_balance", "seed and wagers are not what the system's accounts hold"
        state = replace(table.state.progressive, ledger=ledger, display=said.display)
        table.state = replace(table.state, progressive=state)
        await BookMeter("opened", ZERO, ledger.said())
    if ledger.rules != said.rules:
        return "meter_rules_changed", "base, reset, limit or rates were changed while the table is open"
    assert ledger.balanced(), "what has gone into the meter is somewhere"
    if ledger.day != day:
        table.state = replace(
            table.state, progressive=replace(table.state.progressive, ledger=replace(ledger, day=day))
        )
    differences = ledger.differences(said.meter)
    return "meter_differs" if differences else "", "; ".join(differences)


async def book_wagers(table: Table, system: WagerSystem, stakes: Sequence[Stake]) -> None:
    """These wagers were accepted."""
    state = table.state.progressive
    amount = Money(sum(stake.amount or ZERO for stake in stakes))
    if system.progressive is None or state.ledger is None or not amount:
        return
    ledger = state.ledger.with_wagers(amount)
    display = ledger.said().display
    table.state = replace(table.state, progressive=replace(state, ledger=ledger, display=display))
    await BookMeter("wagers", amount, ledger.said())


def meter_orders(table: Table) -> tuple[str, ...]:
    """What a floorperson may order of the meter now; a second person has to agree."""
    state = table.state.progressive
    down = (METER_DOWN,) if state.ledger is not None else ()
    return (*down, METER_RIGHT) if state.barred else down


async def obey_meter_order(table: Table, order: Order) -> None:
    """Take money (`number` in cents) off the meter for the reason `detail`, or take the system's word for the meter."""
    if order.kind == METER_DOWN:
        await _take_off(table, MeterReason(order.detail), Money(order.number), order.credential)
        return
    for system in table.game.systems:
        if system.progressive is not None:
            await _adopt(table, system, order.credential)


async def _take_off(table: Table, reason: MeterReason, amount: Money, credential: str) -> None:
    taken = await attend(table, TakeOffMeter(reason, amount, credential))
    state = table.state.progressive
    if not isinstance(taken, TakenOff):
        await RaiseAlarm("meter", "not_taken_off", f"{show(amount)} for {reason}: {taken.reason}")
        return
    if state.ledger is not None:
        ledger = state.ledger.lower(reason, amount)
        table.state = replace(table.state, progressive=replace(state, ledger=ledger, display=ledger.said().display))
        await BookMeter(reason.value, amount, ledger.said(), credential, taken.second)


async def _adopt(table: Table, system: WagerSystem, credential: str) -> None:
    """Begin our books anew with what the system says, if that adds up; its wagers are taken again."""
    adopted = await attend(table, AdoptMeter(system.kind.value, credential))
    if not adopted.second:
        return
    state, said = table.state.progressive, adopted.said
    ledger = None
    if said is not None and said.meter is not None and said.rules is not None:
        ledger = open_ledger(said.rules, said.meter, table.state.day)
        if ledger is None:
            await RaiseAlarm("meter", "meter_does_not_balance", "what the system says of its accounts does not add up")
            return
        await BookMeter("adopted", ZERO, ledger.said(), credential, adopted.second)
    display = state.display if said is None else said.display
    table.state = replace(table.state, progressive=replace(state, ledger=ledger, display=display, barred=""))
