"""The meter of a progressive in double entry: what has gone in is somewhere, to the millionth of a cent.

Money comes in as seed (the base, and the reset amount after each award of the whole meter) and as parts of wagers. It
is then held by the display, the reserve (the hidden rate) or the overflow (what would go over the limit), or has left
as a win or for a typed reason. There is no other way up or down, and no setting. Rates are parts of a million of a
wager in whole cents, so every account is a whole number of millionths of a cent.
"""

from __future__ import annotations

from typing import Final

from tablectl.equipment import Meter, MeterReason, MeterRules
from tablectl.money import ZERO, Money, show
from tablectl.records import record, replace

__all__ = ["PARTS", "Ledger", "ProgressiveState", "open_ledger"]

PARTS: Final = 1_000_000
"""Parts of a cent in which the accounts are kept."""

_ACCOUNTS: Final = {
    MeterReason.CORRECTION: "display",
    MeterReason.OVER_LIMIT: "overflow",
    MeterReason.SEED_RECOVERY: "reserve",
}


@record
class Ledger:
    """The accounts of one meter. `display`, `reserve` and `overflow` are in parts of a cent, the others in cents.

    `rules` were those of the system on gaming day `day`; while the table is open they do not change. `hits` is a
    number of awards.
    """

    rules: MeterRules
    day: int
    display: int
    reserve: int
    overflow: int
    seed: Money
    wagered: Money
    wins: Money
    lowered: Money
    hits: int

    def balanced(self) -> bool:
        """Whether all that has gone in is held or has left."""
        rates = self.rules.increment_ppm + self.rules.hidden_ppm
        held = self.display + self.reserve + self.overflow + (self.wins + self.lowered) * PARTS
        return self.seed * PARTS + self.wagered * rates == held

    def with_wagers(self, amount: Money) -> Ledger:
        """Wagers of so many cents were accepted."""
        display = self.display + amount * self.rules.increment_ppm
        limit = None if self.rules.limit is None else self.rules.limit * PARTS
        over = 0 if limit is None else max(0, display - limit)
        return replace(
            self,
            display=display - over,
            overflow=self.overflow + over,
            reserve=self.reserve + amount * self.rules.hidden_ppm,
            wagered=Money(self.wagered + amount),
        )

    def with_award(self, amount: Money, *, reset: bool) -> Ledger:
        """An award of so many cents was paid from the display; after the whole of it the display starts anew."""
        seed = self.rules.reset if reset else ZERO
        return replace(
            self,
            display=self.display + (seed - amount) * PARTS,
            seed=Money(self.seed + seed),
            wins=Money(self.wins + amount),
            hits=self.hits + 1,
        )

    def lower(self, reason: MeterReason, amount: Money) -> Ledger:
        """So many cents were taken off the account that the reason concerns."""
        held = {account: getattr(self, account) for account in _ACCOUNTS.values()}
        held[_ACCOUNTS[reason]] -= amount * PARTS
        return replace(self, **held, lowered=Money(self.lowered + amount))

    def said(self) -> Meter:
        """The accounts as a system says them: each rounded down to the cent."""
        return Meter(
            0,
            Money(self.display // PARTS),
            self.wagered,
            self.hits,
            self.wins,
            Money(self.overflow // PARTS),
            Money(self.reserve // PARTS),
            self.seed,
            self.lowered,
        )

    def differences(self, meter: Meter) -> tuple[str, ...]:
        """Where what the system says is not what the ledger holds, each in words."""
        ours = self.said()
        found = []
        for name in ("display", "wagered", "wins", "overflow", "reserve", "seed", "lowered"):
            theirs, kept = getattr(meter, name), getattr(ours, name)
            if theirs != kept:
                found.append(f"{name} {show(theirs)}, by our books {show(kept)}")
        if meter.hits != ours.hits:
            found.append(f"hits {meter.hits}, by our books {ours.hits}")
        return tuple(found)


def open_ledger(rules: MeterRules, meter: Meter, day: int) -> Ledger | None:
    """The ledger of a meter as its system says it; None when what the system says does not add up.

    A system says each account rounded down to the cent. Nothing but whole cents ever leaves the reserve, so its part of
    a cent is known. What remains belongs to the overflow where the display stands at its limit, else to the display.
    """
    rest = (meter.seed - meter.display - meter.overflow - meter.reserve - meter.wins - meter.lowered) * PARTS
    rest += meter.wagered * (rules.increment_ppm + rules.hidden_ppm)
    hidden = meter.wagered * rules.hidden_ppm % PARTS
    shown = rest - hidden
    if not 0 <= shown < 2 * PARTS:
        return None
    at_limit = rules.limit is not None and meter.display >= rules.limit
    over = min(shown, PARTS - 1) if at_limit else max(0, shown - (PARTS - 1))
    return Ledger(
        rules,
        day,
        meter.display * PARTS + shown - over,
        meter.reserve * PARTS + hidden,
        meter.overflow * PARTS + over,
        meter.seed,
        meter.wagered,
        meter.wins,
        meter.lowered,
        meter.hits,
    )


@record
class ProgressiveState:
    """What of the progressive goes on from round to round.

    `display` is what the meter showed when it was last known, None before that. `ledger` are our own books, where the
    system keeps accounts. `barred` says why no progressive wagers are taken until two persons have put that right.
    `unreturned` are systems whose last lock-out belongs to a round that was given up: it has to be undone.
    """

    display: Money | None = None
    ledger: Ledger | None = None
    barred: str = ""
    unreturned: tuple[str, ...] = ()
