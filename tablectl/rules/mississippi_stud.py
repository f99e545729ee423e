"""The Rules Submission of Mississippi Stud (chapter 655a)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from pydantic import StrictBool

from tablectl.money import Money, Odds, odds
from tablectl.rules import Dollars, Objection, Paytable, Submission, chosen, cite, option
from tablectl.rules.progressive import ProgressiveRules, Rate, pays, rate_of, reset_objections

__all__ = [
    "ANTE_AND_STREETS",
    "PUSH_ROW",
    "THREE_CARD_BONUS",
    "MississippiStudRules",
    "MississippiStudSubmission",
    "ThreeCardBonus",
]

ThreeCardBonus = Literal["off", "A", "B", "C", "D"]

ANTE_AND_STREETS: Final[Mapping[str, Odds]] = {  # 655a.12(a)
    "royal_flush": odds("500:1"),
    "straight_flush": odds("100:1"),
    "four_of_a_kind": odds("40:1"),
    "full_house": odds("10:1"),
    "flush": odds("6:1"),
    "straight": odds("4:1"),
    "three_of_a_kind": odds("3:1"),
    "two_pair": odds("2:1"),
    "pair_of_jacks_or_better": odds("1:1"),
}
PUSH_ROW: Final = "pair_of_6s_to_10s"
THREE_CARD_BONUS: Final[Mapping[str, Mapping[str, Odds]]] = {  # 655a.12(d)
    table: {
        "mini_royal": odds(mini_royal),
        "straight_flush": odds("40:1"),
        "three_of_a_kind": odds("30:1"),
        "straight": odds(straight),
        "flush": odds(flush),
        "pair": odds("1:1"),
    }
    for table, (mini_royal, straight, flush) in {
        "A": ("40:1", "6:1", "4:1"),
        "B": ("40:1", "5:1", "4:1"),
        "C": ("50:1", "5:1", "4:1"),
        "D": ("50:1", "6:1", "3:1"),
    }.items()
}
_PROGRESSIVE: Final = {  # 655a.12(c)(1)
    "royal_flush": "100% meter",
    "straight_flush": "10% meter",
    "four_of_a_kind": "300 for 1",
    "full_house": "50 for 1",
    "flush": "40 for 1",
    "straight": "30 for 1",
    "three_of_a_kind": "9 for 1",
}
_ENVY: Final = {  # 655a.12(c)(5)
    Money(1_00): {"royal_flush": Money(1_000_00), "straight_flush": Money(300_00)},
    Money(5_00): {"royal_flush": Money(5_000_00), "straight_flush": Money(1_500_00)},
}
_LEAST_RESET: Final = Money(10_000_00)


@dataclass(frozen=True, slots=True)
class MississippiStudRules:
    """What the round of play needs of the submission.

    `three_card_bonus` are its odds; it and `progressive` are None where they are not offered. `low_ace`: ace, two and
    three are a straight in it. `folded_envy` and `community_first` are as filed.
    """

    three_card_bonus: Mapping[str, Odds] | None
    low_ace: bool
    progressive: ProgressiveRules | None
    folded_envy: bool
    community_first: bool


class MississippiStudSubmission(Submission):
    """Everything that chapter 655a lets a certificate holder choose."""

    three_card_bonus: ThreeCardBonus = option("off", "655a.12(d)", "odds of the Three Card Bonus Wager, or off")
    three_card_low_ace: Literal["straight", "none"] = option(
        "straight", "655a.6(c)(4)", "what ace, two and three are in the Three Card Bonus: a straight, or none"
    )
    progressive: StrictBool = option(False, "655a.7(d)(3)", "whether the Progressive Payout Wager is offered")
    progressive_reset: Dollars = option(
        "10000.00", "655a.12(c)(3)", "initial and reset amount of the meter, at least 10000.00"
    )
    progressive_rate: Rate = option(
        "unset", "655a.12(c)(3)", "rate of progression of the meter: a share of each wager such as 21.5 %"
    )
    progressive_wager: Dollars = option(
        "1.00", "655a.7(d)(3)", "a Progressive Payout Wager of which the system tells no amount"
    )
    folded_hand_envy: StrictBool = option(
        False, "655a.11(i)(4)(i)(E)", "a folded hand that stays on the table counts for the Envy Bonuses of others"
    )
    community_first: StrictBool = option(
        False, "655a.10(g)", "a dealing shoe that reshuffles by itself gives the community cards before the hands"
    )

    def objections(self) -> Iterator[Objection]:
        """A meter that begins below the least amount of 655a.12(c)(3)."""
        yield from super().objections()
        yield from reset_objections("progressive_reset", self.progressive_reset, _LEAST_RESET, cite("655a.12(c)(3)"))

    def filed(self) -> MississippiStudRules:
        """The submission as the round of play uses it."""
        return MississippiStudRules(
            three_card_bonus=_bonus(self.three_card_bonus),
            low_ace=self.three_card_low_ace == "straight",
            progressive=_progressive(self.progressive_reset, self.progressive_wager, rate_of(self.progressive_rate))
            if self.progressive
            else None,
            folded_envy=self.folded_hand_envy,
            community_first=self.community_first,
        )

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered."""
        return chosen(
            self.paytables(),
            three_card_bonus=self.three_card_bonus,
            progressive=self.progressive,
            envy=self.progressive,
        )

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """One table for Ante and streets, the four Three Card Bonus tables, the progressive's and its envies'."""
        main = (*((row, str(paid)) for row, paid in ANTE_AND_STREETS.items()), (PUSH_ROW, "push"))
        return (
            *(
                Paytable(wager, "standard", cite("655a.12(a)"), main)
                for wager in ("ante", "third_street", "fourth_street", "fifth_street")
            ),
            *(
                Paytable(
                    "three_card_bonus",
                    table,
                    cite("655a.12(d)"),
                    tuple((row, str(paid)) for row, paid in rows.items()),
                )
                for table, rows in THREE_CARD_BONUS.items()
            ),
            *_progressive(_LEAST_RESET, Money(1_00)).paytables("progressive", "standard", "envy"),
        )


def _bonus(table: ThreeCardBonus) -> Mapping[str, Odds] | None:
    return None if table == "off" else MappingProxyType(THREE_CARD_BONUS[table])


def _progressive(reset: Money, unit: Money, rate: int | None = None) -> ProgressiveRules:
    return ProgressiveRules(
        rows=MappingProxyType({row: pays(text) for row, text in _PROGRESSIVE.items()}),
        rows_cite=cite("655a.12(c)(1)"),
        envy=MappingProxyType(_ENVY),
        envy_cite=cite("655a.12(c)(5)"),
        reset=reset,
        unit=unit,
        rate=rate,
    )
