"""Money in integer cents, and payout odds as exact pairs.

``n to 1`` pays n times the wager and gives the wager back; ``n for 1`` pays n times the wager, and the wager, which is
in the tray already, stays there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal, NewType

from tablectl.errors import DecodeError

__all__ = ["EVEN", "ZERO", "Money", "Odds", "dollars", "odds", "show"]

Money = NewType("Money", int)
"""An amount in cents; negative only in a net."""

ZERO: Final = Money(0)
_DOLLARS: Final = re.compile(r"(\d{1,12})\.(\d{2})", re.ASCII)


def dollars(text: str) -> Money:
    """The amount written as dollars with two decimals (``"10.00"``); `DecodeError` for any other form."""
    match = _DOLLARS.fullmatch(text)
    if match is None:
        raise DecodeError(f"{text!r} is not an amount: expected dollars with two decimals such as 10.00")
    return Money(int(match[1]) * 100 + int(match[2]))


def show(amount: Money) -> str:
    """An amount as dollars with two decimals and, for a loss, a minus sign."""
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


@dataclass(frozen=True, slots=True)
class Odds:
    """Exact odds: `pays` units for each `per` units wagered, ``to`` (wager goes back) or ``for`` (it does not)."""

    pays: int
    per: int = 1
    form: Literal["to", "for"] = "to"
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        text = f"{self.pays}:{self.per}" if self.form == "to" else f"{self.pays} for {self.per}"
        object.__setattr__(self, "_text", text)  # once, as each payment states its odds

    def __str__(self) -> str:
        return self._text

    @property
    def ratio(self) -> Fraction:
        """What one unit of wager is paid, for comparing odds of the same form."""
        return Fraction(self.pays, self.per)

    def pay(self, wager: Money) -> Money:
        """What the house adds on that wager, in cents; a part of a cent, which no chip can pay, is dropped."""
        return Money(wager * self.pays // self.per)

    def __reduce__(self) -> tuple[object, ...]:
        return Odds, (self.pays, self.per, self.form)


del Odds.__dataclass_fields__  # by which they would be written as an object, and not as text

EVEN: Final = Odds(1)
_ODDS: Final = re.compile(r"(\d{1,7}):(\d{1,4})|(\d{1,7}) for (\d{1,4})", re.ASCII)


def odds(text: str) -> Odds:
    """Odds written ``"35:1"``, ``"3:2"`` or ``"300 for 1"``; `DecodeError` for any other form or a zero."""
    match = _ODDS.fullmatch(text)
    if match is None:
        raise DecodeError(f"{text!r} are no odds: expected a form such as 35:1, 3:2 or 300 for 1")
    pays, per = (int(match[1]), int(match[2])) if match[1] else (int(match[3]), int(match[4]))
    if not pays or not per:
        raise DecodeError(f"{text!r} are no odds: neither side can be zero")
    return Odds(pays, per, "to" if match[1] else "for")
