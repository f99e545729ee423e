"""The meter of a progressive, exact to the fraction of a cent."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from fractions import Fraction

from tablectl.equipment import Meter, MeterReason, MeterRules
from tablectl.money import Money, show

__all__ = ["MeterAccounts"]

_MILLION = 1_000_000


@dataclass(slots=True)
class MeterAccounts:
    """Accounts in cents: `seed` and the wagers' parts go in; display, reserve, overflow, wins, lowered hold them."""

    rules: MeterRules
    display: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    overflow: Fraction = Fraction(0)
    wagered: int = 0
    hits: int = 0
    wins: int = 0
    lowered: int = 0
    seed: int = 0

    @classmethod
    def new(cls, rules: MeterRules) -> MeterAccounts:
        """A meter at its base, which is seed money."""
        return cls(rules, display=Fraction(rules.base), seed=rules.base)

    def copy(self) -> MeterAccounts:
        """The meter as it is now, to go back to."""
        return copy.copy(self)

    @property
    def shown(self) -> Money:
        """What it shows."""
        return Money(int(self.display))

    def balanced(self) -> bool:
        """Whether all that went in is somewhere."""
        rates = Fraction(self.rules.increment_ppm + self.rules.hidden_ppm, _MILLION)
        held = self.display + self.reserve + self.overflow + self.wins + self.lowered
        return self.seed + self.wagered * rates == held

    def message(self, command: int) -> Meter:
        """The accounts as they are said, each rounded down to the cent."""
        return Meter(
            command,
            self.shown,
            Money(self.wagered),
            self.hits,
            Money(self.wins),
            Money(int(self.overflow)),
            Money(int(self.reserve)),
            Money(self.seed),
            Money(self.lowered),
        )

    def add(self, wagers: int) -> None:
        """Wagers of so many cents were accepted."""
        self.wagered += wagers
        self.display += Fraction(wagers * self.rules.increment_ppm, _MILLION)
        self.reserve += Fraction(wagers * self.rules.hidden_ppm, _MILLION)
        limit = self.rules.limit
        if limit is not None and self.display > limit:
            self.overflow += self.display - limit
            self.display = Fraction(limit)

    def award(self, amount: Money, reset: bool) -> str | None:
        """Pay an award from it, or say why not; a meter that starts anew gets its reset amount as seed money."""
        if reset and amount != self.shown:
            return f"the meter shows {show(self.shown)}, not {show(amount)}"
        if amount > self.shown:
            return f"the meter shows {show(self.shown)}, which is less than {show(amount)}"
        self.display -= amount
        self.wins += amount
        self.hits += 1
        if reset:
            self.display += self.rules.reset
            self.seed += self.rules.reset
        return None

    def lower(self, reason: MeterReason, amount: Money) -> str | None:
        """Take money off for a reason, or say why not."""
        account = {
            MeterReason.CORRECTION: "display",
            MeterReason.OVER_LIMIT: "overflow",
            MeterReason.SEED_RECOVERY: "reserve",
        }[reason]
        held: Fraction = getattr(self, account)
        if amount > held:
            return f"the {account} is {show(Money(int(held)))}, which is less than {show(amount)}"
        setattr(self, account, held - amount)
        self.lowered += amount
        return None
