"""The Rules Submission of Criss-Cross Poker (chapter 674a).

Reading of 674a.12(d): what one patron could win when betting the minimum is won with the minimum on each Ante and on
the Five Card Bonus, and three times that on the Across, Down and Middle Bets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pydantic import StrictBool

from tablectl.money import EVEN, Money, Odds, odds
from tablectl.rules import Cite, Objection, Paytable, Submission, chosen, cite, option
from tablectl.rules.limits import NoneOrDollars, limit_objections, limit_of, limit_terms

__all__ = ["ANTE", "BET", "BONUS", "PUSH", "CrissCrossRules", "CrissCrossSubmission"]

PUSH: Final = "pair_of_6s_through_10s"
"""The hand with which Antes and Bets are returned (674a.12(a), (b))."""

ANTE: Final[Mapping[str, Odds]] = MappingProxyType(  # 674a.12(a): every better hand pays the same
    {"pair_of_jacks_or_better": EVEN}
)
BET: Final[Mapping[str, Odds]] = MappingProxyType(  # 674a.12(b)
    {
        "royal_flush": odds("500:1"),
        "straight_flush": odds("100:1"),
        "four_of_a_kind": odds("40:1"),
        "full_house": odds("12:1"),
        "flush": odds("8:1"),
        "straight": odds("5:1"),
        "three_of_a_kind": odds("3:1"),
        "two_pair": odds("2:1"),
        "pair_of_jacks_queens_kings_or_aces": odds("1:1"),
    }
)
BONUS: Final[Mapping[str, Odds]] = MappingProxyType(  # 674a.12(c)
    {
        "royal_flush": odds("250:1"),
        "straight_flush": odds("100:1"),
        "four_of_a_kind": odds("40:1"),
        "full_house": odds("15:1"),
        "flush": odds("10:1"),
        "straight": odds("6:1"),
        "three_of_a_kind": odds("4:1"),
        "two_pair": odds("3:1"),
        "pair_of_6s_or_better": odds("1:1"),
    }
)
# One line of the cross a royal flush, the other then a straight flush to the queen at the best: both Antes, 3 x 500 for
# the first Bet and the Middle Bet, 3 x 100 for the second; the board is a flush then, which pays the Bonus 10 to 1.
_WON_WITH_ONE: Final = 1 + 1 + 3 * 500 + 3 * 100 + 3 * 500
_BONUS_WITH_ONE: Final = 10


@dataclass(frozen=True, slots=True)
class CrissCrossRules:
    """What the round of play needs of the submission; `payout_limit` is None where none is filed."""

    five_card_bonus: bool
    payout_limit: Money | None

    def won_with(self, minimum: Money) -> Money:
        """The most that one patron could win in a round when betting that minimum (674a.12(d))."""
        return Money(minimum * (_WON_WITH_ONE + _BONUS_WITH_ONE * self.five_card_bonus))


class CrissCrossSubmission(Submission):
    """Everything that chapter 674a lets a certificate holder choose."""

    five_card_bonus: StrictBool = option(False, "674a.7(e)", "whether the Five Card Bonus Wager is offered")
    payout_limit: NoneOrDollars = option(
        "none", "674a.12(d)", "the most that a player is paid in a round: none, or at least 50000.00"
    )

    def objections(self) -> Iterator[Objection]:
        """A payout limit below $50,000; what the posted minimum demands is seen with the table."""
        yield from super().objections()
        yield from limit_objections(self.payout_limit, cite("674a.12(d)"))

    def filed(self) -> CrissCrossRules:
        """The submission as the round of play uses it."""
        return CrissCrossRules(five_card_bonus=self.five_card_bonus, payout_limit=limit_of(self.payout_limit))

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered."""
        return chosen(self.paytables(), five_card_bonus=self.five_card_bonus)

    def terms(self) -> Iterator[tuple[str, str, Cite]]:
        """The payout limit, if one is filed."""
        return limit_terms(self.payout_limit, cite("674a.2(b)(6)"))

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Antes, Bets and the Five Card Bonus; sixes to tens give Antes and Bets back."""
        push = ((PUSH, "push"),)
        return (
            *(
                Paytable(wager, "standard", cite("674a.12(a)"), (*_rows(ANTE), *push))
                for wager in ("ante_across", "ante_down")
            ),
            *(
                Paytable(wager, "standard", cite("674a.12(b)"), (*_rows(BET), *push))
                for wager in ("across", "down", "middle")
            ),
            Paytable("five_card_bonus", "standard", cite("674a.12(c)"), _rows(BONUS)),
        )


def _rows(table: Mapping[str, Odds]) -> tuple[tuple[str, str], ...]:
    return tuple((row, str(paid)) for row, paid in table.items())
