"""What is filed of a progressive payout wager: its paytable, its envy bonuses, the meter's reset amount.

An award is odds ``N for 1``, a share of the meter (``100% meter``), or a fixed sum (``$1000``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from pydantic import BeforeValidator

from tablectl.money import ZERO, Money, Odds, odds, show
from tablectl.rules import Cite, Objection, Paytable

__all__ = ["MeterShare", "Pays", "Prize", "ProgressiveRules", "Rate", "pays", "rate_of", "reset_objections"]


@dataclass(frozen=True, slots=True)
class MeterShare:
    """A share of what the meter shows when it is the player's turn to be paid."""

    percent: int

    def __str__(self) -> str:
        return f"{self.percent}% meter"

    @property
    def whole(self) -> bool:
        """Whether it is all of it, after which the meter starts anew."""
        return self.percent == 100

    def of(self, display: Money) -> Money:
        """What it pays of that display; a part of a cent, which nobody can pay, is dropped."""
        return Money(display * self.percent // 100)


@dataclass(frozen=True, slots=True)
class Prize:
    """A fixed sum."""

    amount: Money

    def __str__(self) -> str:
        return f"${show(self.amount).removesuffix('.00')}"


Pays: TypeAlias = Odds | MeterShare
DOLLAR: Final = Money(1_00)
_RATE: Final = re.compile(r"(\d{1,3})(?:\.(\d{1,4}))? %", re.ASCII)
_WHOLE: Final = 1_000_000
_SHARE: Final = re.compile(r"(\d{1,3})% meter", re.ASCII)


def pays(text: str) -> Pays:
    """An award as it is written: ``"100% meter"`` or odds such as ``"300 for 1"``; `DecodeError` for another form."""
    match = _SHARE.fullmatch(text)
    return odds(text) if match is None else MeterShare(int(match[1]))


@dataclass(frozen=True, slots=True)
class ProgressiveRules:
    """What the round of play needs of it.

    `rows` are the awards by the name of the hand, highest first. `envy` has for each amount of the wager from which on
    it counts what is paid for another player's hand. `unit` is what one accepted wager is where the system tells no
    amount, `reset` what the meter shows after an award of the whole of it, and before the first. `rate` is the rate of
    progression in parts of a million of a wager, None where none is filed.
    """

    rows: Mapping[str, Pays]
    rows_cite: Cite
    envy: Mapping[Money, Mapping[str, Money]]
    envy_cite: Cite
    reset: Money
    unit: Money = DOLLAR
    rate: int | None = None

    def envy_for(self, wager: Money | None, row: str) -> Prize | None:
        """What the player of such a wager gets for another player's hand, None for nothing."""
        level = max((least for least in self.envy if least <= (wager or self.unit)), default=None)
        amount = ZERO if level is None else self.envy[level].get(row, ZERO)
        return Prize(amount) if amount else None

    def paytables(self, wager: str, id: str, envy: str) -> Iterator[Paytable]:
        """Its paytables as they are listed: that of the wager, and that of each level of the envy bonus."""
        yield Paytable(wager, id, self.rows_cite, tuple((row, str(paid)) for row, paid in self.rows.items()))
        for least, amounts in self.envy.items():
            rows = tuple((row, str(Prize(amount))) for row, amount in amounts.items())
            yield Paytable(envy, f"{id} {Prize(least)}", self.envy_cite, rows)


def _rate(value: object) -> object:
    if value == "unset":
        return value
    match = _RATE.fullmatch(value) if isinstance(value, str) else None
    parts = 0 if match is None else int(match[1]) * 10_000 + int((match[2] or "").ljust(4, "0"))
    if not 0 < parts <= _WHOLE:
        raise ValueError(f'{value!r} is no rate of progression: expected unset, or a share of a wager such as "21.5 %"')
    return value


Rate: TypeAlias = Annotated[str, BeforeValidator(_rate)]
"""The rate of progression as it is filed: how much of a wager goes to the meter, above 0 and up to ``100 %``."""


def rate_of(filed: str) -> int | None:
    """A rate of progression in parts of a million of a wager; None where none is filed."""
    match = _RATE.fullmatch(filed)
    return None if match is None else int(match[1]) * 10_000 + int((match[2] or "").ljust(4, "0"))


def reset_objections(key: str, filed: Money, least: Money, clause: Cite) -> Iterator[Objection]:
    """The initial and reset amount may not be below what the chapter wants."""
    if filed < least:
        yield Objection(key, f"{show(filed)} is below the least amount of {show(least)}", clause)
