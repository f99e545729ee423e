"""The Rules Submission of Six-Card Fortune Pai Gow Poker (chapter 670a)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from pydantic import StrictBool

from tablectl.money import EVEN, Money, Odds, odds
from tablectl.rules import Cite, Dollars, Objection, Paytable, Submission, chosen, cite, option
from tablectl.rules.progressive import Prize, ProgressiveRules, pays, reset_objections

__all__ = [
    "FORTUNE",
    "INSURANCE",
    "OFFERED_BY",
    "SixCardFortunePaiGowRules",
    "SixCardFortunePaiGowSubmission",
    "fortune_envy",
]

FORTUNE: Final[Mapping[str, Odds]] = {  # 670a.12(b)(1)
    "five_aces": odds("1000:1"),
    "royal_flush": odds("250:1"),
    "straight_flush": odds("100:1"),
    "four_of_a_kind": odds("50:1"),
    "full_house": odds("15:1"),
    "flush": odds("10:1"),
    "straight": odds("8:1"),
    "three_of_a_kind": odds("5:1"),
}
INSURANCE: Final[Mapping[str, Odds]] = {  # 670a.12(c)
    "eight_high": odds("100:1"),
    "nine_high": odds("30:1"),
    "ten_high": odds("10:1"),
    "jack_high": odds("7:1"),
    "queen_high": odds("4:1"),
    "king_high": odds("3:1"),
}
_FORTUNE_ENVY: Final[Mapping[Money, Mapping[str, Money]]] = {  # 670a.12(b)(2)
    Money(1_00): {
        "five_aces": Money(1_000_00),
        "royal_flush": Money(200_00),
        "straight_flush": Money(50_00),
        "four_of_a_kind": Money(15_00),
        "full_house": Money(5_00),
    },
    Money(5_00): {
        "five_aces": Money(5_000_00),
        "royal_flush": Money(1_000_00),
        "straight_flush": Money(250_00),
        "four_of_a_kind": Money(75_00),
        "full_house": Money(25_00),
    },
}
_PROGRESSIVE: Final = {  # 670a.12(d)(1)
    "five_aces": "100% meter",
    "royal_flush": "10% meter",
    "straight_flush": "300 for 1",
    "four_of_a_kind": "150 for 1",
    "full_house": "15 for 1",
    "flush": "6 for 1",
    "straight": "3 for 1",
}
_PROGRESSIVE_ENVY: Final[Mapping[Money, Mapping[str, Money]]] = {  # 670a.12(d)(4)
    Money(1_00): {
        "five_aces": Money(100_00),
        "royal_flush": Money(50_00),
        "straight_flush": Money(10_00),
        "four_of_a_kind": Money(5_00),
    },
    Money(5_00): {
        "five_aces": Money(500_00),
        "royal_flush": Money(250_00),
        "straight_flush": Money(50_00),
        "four_of_a_kind": Money(25_00),
    },
}
QUALIFYING: Final = Money(5_00)
"""The least Fortune Bonus Wager that an Envy lammer is placed next to (670a.1)."""

_LEAST_RESET: Final = Money(5_000_00)
OFFERED_BY: Final[Mapping[str, Cite]] = {
    "double_down": cite("670a.7(e)(1)"),
    "fortune_bonus": cite("670a.7(e)(2)"),
    "insurance": cite("670a.7(e)(3)"),
    "progressive": cite("670a.7(e)(4)"),
}
"""The optional wagers, each with the clause by which it may be offered if that is filed."""


@dataclass(frozen=True, slots=True)
class SixCardFortunePaiGowRules:
    """What the round of play needs of the submission; `progressive` is None where it is not offered."""

    starting_position: str
    double_down: bool
    fortune_bonus: bool
    insurance: bool
    progressive: ProgressiveRules | None
    adjacent_positions: bool


class SixCardFortunePaiGowSubmission(Submission):
    """Everything that chapter 670a lets a certificate holder choose."""

    starting_position: Literal["shaker", "rng"] = option(
        "shaker", "670a.5(i)", "how it is determined where the deal begins"
    )
    double_down: StrictBool = option(False, "670a.7(e)(1)", "whether the Double Down Wager is offered")
    fortune_bonus: StrictBool = option(False, "670a.7(e)(2)", "whether the Fortune Bonus Wager is offered")
    insurance: StrictBool = option(False, "670a.7(e)(3)", "whether the Insurance Wager is offered")
    progressive: StrictBool = option(False, "670a.7(e)(4)", "whether the Progressive Payout Wager is offered")
    progressive_reset: Dollars = option(
        "10000.00", "670a.12(d)(2)", "initial and reset amount of the meter, at least 5000.00"
    )
    progressive_wager: Dollars = option(
        "1.00", "670a.7(e)(4)", "a Progressive Payout Wager of which the system tells no amount"
    )
    adjacent_positions: StrictBool = option(False, "670a.7(f)", "one player may play two adjacent positions")

    def objections(self) -> Iterator[Objection]:
        """A meter that begins below the least amount of 670a.12(d)(2)."""
        yield from super().objections()
        yield from reset_objections("progressive_reset", self.progressive_reset, _LEAST_RESET, cite("670a.12(d)(2)"))

    def filed(self) -> SixCardFortunePaiGowRules:
        """The submission as the round of play uses it."""
        return SixCardFortunePaiGowRules(
            starting_position=self.starting_position,
            double_down=self.double_down,
            fortune_bonus=self.fortune_bonus,
            insurance=self.insurance,
            progressive=_progressive(self.progressive_reset, self.progressive_wager) if self.progressive else None,
            adjacent_positions=self.adjacent_positions,
        )

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered."""
        return chosen(
            self.paytables(),
            double_down=self.double_down,
            fortune_bonus=self.fortune_bonus,
            fortune_envy=self.fortune_bonus,
            insurance=self.insurance,
            progressive=self.progressive,
            progressive_envy=self.progressive,
        )

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Main and Double Down Wager at even money, Fortune Bonus, Insurance, progressive, and both kinds of envies."""
        even = (("win", str(EVEN)),)
        return (
            *(Paytable(wager, "standard", cite("670a.12(a)"), even) for wager in ("pai_gow", "double_down")),
            Paytable("fortune_bonus", "standard", cite("670a.12(b)(1)"), _rows(FORTUNE)),
            *(
                Paytable(
                    "fortune_envy",
                    f"standard {Prize(least)}",
                    cite("670a.12(b)(2)"),
                    tuple((row, str(Prize(amount))) for row, amount in amounts.items()),
                )
                for least, amounts in _FORTUNE_ENVY.items()
            ),
            Paytable("insurance", "standard", cite("670a.12(c)"), _rows(INSURANCE)),
            *_progressive(_LEAST_RESET, Money(1_00)).paytables("progressive", "standard", "progressive_envy"),
        )


def fortune_envy(row: str) -> Prize | None:
    """What a player with an Envy lammer gets for another player's hand; fixed, as a lammer takes five dollars."""
    amount = _FORTUNE_ENVY[QUALIFYING].get(row)
    return None if amount is None else Prize(amount)


def _rows(table: Mapping[str, Odds]) -> tuple[tuple[str, str], ...]:
    return tuple((row, str(paid)) for row, paid in table.items())


def _progressive(reset: Money, unit: Money) -> ProgressiveRules:
    return ProgressiveRules(
        rows=MappingProxyType({row: pays(text) for row, text in _PROGRESSIVE.items()}),
        rows_cite=cite("670a.12(d)(1)"),
        envy=MappingProxyType(_PROGRESSIVE_ENVY),
        envy_cite=cite("670a.12(d)(4)"),
        reset=reset,
        unit=unit,
    )
