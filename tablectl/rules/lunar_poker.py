"""The Rules Submission of Lunar Poker (chapter 671a).

The list of 671a.6(d) has no row for a straight flush or a royal flush, which 671a.6(d)(4) even takes out of the
flushes: shipped, they are paid nothing on a Super Wager, as they have the instant payout. It can be filed that they are
paid by the rows that they fill to the letter all the same, or as a flush.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from pydantic import StrictBool

from tablectl.money import Odds, odds
from tablectl.rules import Paytable, Submission, chosen, cite, option

__all__ = ["BET", "SUPER", "UNQUALIFIED", "LunarPokerRules", "LunarPokerSubmission", "StraightFlush"]

StraightFlush = Literal["not_paid", "other_rows", "as_flush"]


def _table(rows: Mapping[str, str]) -> Mapping[str, Odds]:
    return MappingProxyType({row: odds(text) for row, text in rows.items()})


_INSTANT: Final[Mapping[str, Mapping[str, Odds]]] = {  # 671a.12(a)
    "A": _table({"royal_flush": "1500:1", "straight_flush": "250:1"}),
    "B": _table({"royal_flush": "1000:1", "straight_flush": "300:1"}),
    "C": _table({"royal_flush": "1000:1", "straight_flush": "250:1"}),
}
SUPER: Final = _table(  # 671a.12(b)
    {
        "four_of_a_kind": "200:1",
        "five_picture_cards": "150:1",
        "full_house": "100:1",
        "flush": "60:1",
        "straight": "30:1",
        "three_of_a_kind": "8:1",
        "ace_king_queen": "5:1",
        "same_colored_five": "2:1",
    }
)
UNQUALIFIED: Final = _table({"straight": "4:1", "below": "1:1"})  # 671a.12(c)
BET: Final = _table(  # 671a.12(d)
    {
        "royal_flush": "100:1",
        "straight_flush": "50:1",
        "four_of_a_kind": "20:1",
        "full_house": "7:1",
        "flush": "5:1",
        "straight": "4:1",
        "three_of_a_kind": "3:1",
        "two_pair": "2:1",
        "pair": "1:1",
        "ace_king": "1:1",
    }
)


@dataclass(frozen=True, slots=True)
class LunarPokerRules:
    """What the round of play needs of the submission."""

    instant: Mapping[str, Odds]
    super_on_others: bool
    super_straight_flush: StraightFlush
    settled_supers_stand: bool


class LunarPokerSubmission(Submission):
    """Everything that chapter 671a lets a certificate holder choose."""

    instant_paytable: Literal["A", "B", "C"] = option("A", "671a.12(a)", "instant payout of a straight or royal flush")
    super_on_others: StrictBool = option(
        False, "671a.7(c)(3)", "Super Wagers on the hands of the dealer and of other players, too"
    )
    super_straight_flush: StraightFlush = option(
        "not_paid", "671a.6(d)", "Super Wager of a straight or royal flush, which are not in its list"
    )
    settled_supers: Literal["stand", "returned"] = option(
        "stand", "671a.13(d)", "Super Wagers settled before a dealer's card was exposed and voids the round"
    )

    def filed(self) -> LunarPokerRules:
        """The submission as the round of play uses it."""
        return LunarPokerRules(
            instant=_INSTANT[self.instant_paytable],
            super_on_others=self.super_on_others,
            super_straight_flush=self.super_straight_flush,
            settled_supers_stand=self.settled_supers == "stand",
        )

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered, and what an Ante Wager is paid if the dealer does not qualify."""
        ante = (self.instant_paytable, "unqualified")
        tables = chosen(self.paytables(), super_seat_N=self.super_on_others)
        return [table for table in tables if table.wager != "ante" or table.id in ante]

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Instant payouts, the Ante against a dealer without an ace-king, Super Wagers, the Bet paid once or twice."""
        return (
            *(Paytable("ante", table, cite("671a.12(a)"), _rows(rows)) for table, rows in _INSTANT.items()),
            Paytable("ante", "unqualified", cite("671a.12(c)"), _rows(UNQUALIFIED)),
            *(Paytable(wager, "standard", cite("671a.12(b)"), _rows(SUPER)) for wager in _SUPERS),
            *(Paytable(wager, "standard", cite("671a.12(d)"), _rows(BET)) for wager in ("bet", "second_bet")),
        )


_SUPERS: Final = ("super", "super_dealer", "super_seat_N")


def _rows(table: Mapping[str, Odds]) -> tuple[tuple[str, str], ...]:
    return tuple((row, str(paid)) for row, paid in table.items())
