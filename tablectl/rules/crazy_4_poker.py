"""The Rules Submission of Crazy 4 Poker (chapter 657a)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from tablectl.money import EVEN, Money, Odds, odds
from tablectl.rules import Dollars, Objection, Paytable, Submission, chosen, cite, option
from tablectl.rules.progressive import ProgressiveRules, Rate, pays, rate_of, reset_objections

__all__ = ["QUEENS_UP", "SUPER_BONUS", "Crazy4PokerRules", "Crazy4PokerSubmission", "ProgressiveTable"]

ProgressiveTable = Literal["off", "A", "B"]

SUPER_BONUS: Final[Mapping[str, Odds]] = {  # 657a.12(b)
    "four_aces": odds("200:1"),
    "four_of_a_kind": odds("30:1"),
    "straight_flush": odds("15:1"),
    "three_of_a_kind": odds("2:1"),
    "flush": odds("3:2"),
    "straight": odds("1:1"),
}
QUEENS_UP: Final[Mapping[str, Mapping[str, Odds]]] = {  # 657a.12(c)
    table: {
        "four_of_a_kind": odds("50:1"),
        "straight_flush": odds(straight_flush),
        "three_of_a_kind": odds(three),
        "flush": odds("4:1"),
        "straight": odds("3:1"),
        "two_pair": odds("2:1"),
        "pair_of_queens_or_better": odds("1:1"),
    }
    for table, (straight_flush, three) in {
        "A": ("30:1", "9:1"),
        "B": ("40:1", "8:1"),
        "C": ("30:1", "8:1"),
        "D": ("40:1", "7:1"),
    }.items()
}
_PROGRESSIVE: Final[Mapping[str, Mapping[str, str]]] = {  # 657a.12(d)(1)
    table: {
        "four_aces": "100% meter",
        "four_of_a_kind": "300 for 1",
        "straight_flush": "100 for 1",
        "three_of_a_kind": three,
    }
    for table, three in {"A": "9 for 1", "B": "15 for 1"}.items()
}
_ENVY: Final[Mapping[str, Mapping[Money, Mapping[str, Money]]]] = {  # 657a.12(d)(5)(i), (ii)
    "A": {
        Money(1_00): {"four_aces": Money(100_00), "four_of_a_kind": Money(10_00), "straight_flush": Money(5_00)},
        Money(5_00): {"four_aces": Money(500_00), "four_of_a_kind": Money(50_00), "straight_flush": Money(25_00)},
    },
    "B": {
        Money(1_00): {"four_aces": Money(100_00), "four_of_a_kind": Money(25_00)},
        Money(5_00): {"four_aces": Money(500_00), "four_of_a_kind": Money(125_00)},
    },
}
_ENVY_CITES: Final = {"A": cite("657a.12(d)(5)(i)"), "B": cite("657a.12(d)(5)(ii)")}
_LEAST_RESET: Final = {"A": Money(5_000_00), "B": Money(1_000_00)}  # 657a.12(d)(3)


@dataclass(frozen=True, slots=True)
class Crazy4PokerRules:
    """What the round of play needs of the submission; `progressive` is None where it is not offered."""

    queens_up: Mapping[str, Odds]
    progressive: ProgressiveRules | None


class Crazy4PokerSubmission(Submission):
    """Everything that chapter 657a lets a certificate holder choose."""

    queens_up: Literal["A", "B", "C", "D"] = option("A", "657a.12(c)", "odds of the Queens Up Wager")
    progressive: ProgressiveTable = option("off", "657a.12(d)(1)", "odds of the Progressive Payout Wager, or off")
    progressive_reset: Dollars = option(
        "10000.00", "657a.12(d)(3)", "initial and reset amount of the meter, at least 5000.00 in A and 1000.00 in B"
    )
    progressive_rate: Rate = option(
        "unset", "657a.12(d)(3)", "rate of progression of the meter: a share of each wager such as 21.5 %"
    )
    progressive_wager: Dollars = option(
        "1.00", "657a.7(d)(3)", "a Progressive Payout Wager of which the system tells no amount"
    )

    def objections(self) -> Iterator[Objection]:
        """A meter that begins below the least amount of 657a.12(d)(3)."""
        yield from super().objections()
        if self.progressive != "off":
            least = _LEAST_RESET[self.progressive]
            yield from reset_objections("progressive_reset", self.progressive_reset, least, cite("657a.12(d)(3)"))

    def filed(self) -> Crazy4PokerRules:
        """The submission as the round of play uses it."""
        off, rate = self.progressive == "off", rate_of(self.progressive_rate)
        return Crazy4PokerRules(
            queens_up=MappingProxyType(QUEENS_UP[self.queens_up]),
            progressive=None
            if off
            else _progressive(self.progressive, self.progressive_reset, self.progressive_wager, rate),
        )

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered."""
        return chosen(self.paytables(), queens_up=self.queens_up, progressive=self.progressive, envy=self.progressive)

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Ante and Play at even money, Super Bonus, four Queens Up tables, and the progressive's with their envies."""
        return (
            *(Paytable(wager, "standard", cite("657a.12(a)"), (("win", str(EVEN)),)) for wager in ("ante", "play")),
            Paytable("super_bonus", "standard", cite("657a.12(b)"), _rows(SUPER_BONUS)),
            *(Paytable("queens_up", table, cite("657a.12(c)"), _rows(rows)) for table, rows in QUEENS_UP.items()),
            *(
                paytable
                for table, least in _LEAST_RESET.items()
                for paytable in _progressive(table, least, Money(1_00)).paytables("progressive", table, "envy")
            ),
        )


def _rows(table: Mapping[str, Odds]) -> tuple[tuple[str, str], ...]:
    return tuple((row, str(paid)) for row, paid in table.items())


def _progressive(table: str, reset: Money, unit: Money, rate: int | None = None) -> ProgressiveRules:
    return ProgressiveRules(
        rows=MappingProxyType({row: pays(text) for row, text in _PROGRESSIVE[table].items()}),
        rows_cite=cite("657a.12(d)(1)"),
        envy=MappingProxyType(_ENVY[table]),
        envy_cite=_ENVY_CITES[table],
        reset=reset,
        unit=unit,
        rate=rate,
    )
