"""The Rules Submission of Free Bet Blackjack (chapter 672a).

672a.10(d) lets split aces draw, double and be split again like any other pair. A house that files one card for each of
them files less than the text grants; both are here (`split_aces`), the text is the default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field, StrictBool, StrictInt

from tablectl.money import EVEN, Money, Odds, odds
from tablectl.rules import Paytable, Submission, chosen, cite, option

__all__ = [
    "BLACKJACK_ODDS",
    "INSURANCE_ODDS",
    "FreeBetBlackjackRules",
    "FreeBetBlackjackSubmission",
    "Settlement",
    "SplitAces",
]

Settlement = Literal["collect_then_pay", "player_by_player"]
SplitAces = Literal["play_on", "one_card"]

BLACKJACK_ODDS: Final = odds("3:2")
INSURANCE_ODDS: Final = odds("2:1")
MOST_BOXES: Final = 6


def _table(rows: Mapping[str, str]) -> Mapping[str, Odds]:
    return MappingProxyType({row: odds(text) for row, text in rows.items()})


_PUSH_22: Final[Mapping[str, Mapping[str, Odds]]] = {  # 672a.11(c)
    "A": _table({"same_suit": "50:1", "same_color": "20:1", "other": "8:1"}),
    "B": _table({"same_suit": "50:1", "same_color": "20:1", "other": "7:1"}),
}


@dataclass(frozen=True, slots=True)
class FreeBetBlackjackRules:
    """What the round of play needs of the submission; `push_22` is None where that wager is not offered."""

    smallest_chip: Money
    push_22: Mapping[str, Odds] | None
    even_money: bool
    settlement: Settlement
    adjacent_positions: int
    bar_mid_shoe: bool
    split_aces: SplitAces


class FreeBetBlackjackSubmission(Submission):
    """Everything that chapter 672a lets a certificate holder choose."""

    decks: Literal[6, 8] = option(6, "672a.3(a)", "decks in the shoe, or in each of two batches")
    push_22: Literal["off", "A", "B"] = option("off", "672a.11(c)", "paytable of the Push 22 Wager, off: not offered")
    even_money: StrictBool = option(
        False, "672a.8(e)", "even money on a Blackjack instead of insurance under the dealer's ace"
    )
    settlement: Settlement = option(
        "collect_then_pay", "672a.7(r)", "all losing wagers collected before any is paid, or player by player"
    )
    adjacent_positions: Annotated[StrictInt, Field(ge=1, le=MOST_BOXES)] = option(
        1, "672a.6(f)", "adjacent boxes on which one player may wager in one round"
    )
    bar_mid_shoe: StrictBool = option(
        False, "672a.6(b)", "who does not wager in a round may not before the next reshuffle"
    )
    split_aces: SplitAces = option(
        "play_on", "672a.10(d)", "split aces are played like other pairs, or get one card each"
    )

    def filed(self) -> FreeBetBlackjackRules:
        """The submission as the round of play uses it."""
        return FreeBetBlackjackRules(
            smallest_chip=self.smallest_chip,
            push_22=_PUSH_22.get(self.push_22),
            even_money=self.even_money,
            settlement=self.settlement,
            adjacent_positions=self.adjacent_positions,
            bar_mid_shoe=self.bar_mid_shoe,
            split_aces=self.split_aces,
        )

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered."""
        tables = chosen(self.paytables(), push_22=self.push_22)
        return [table for table in tables if self.even_money or table.id != "even_money"]

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """The wagers on the hands, lammers among them, then Push 22 and Insurance."""
        even = (("win", str(EVEN)),)
        return (
            Paytable("blackjack", "standard", cite("672a.11(a)"), (("blackjack", str(BLACKJACK_ODDS)), *even)),
            Paytable("blackjack", "even_money", cite("672a.8(e)"), (("blackjack", str(EVEN)),)),
            Paytable("split", "standard", cite("672a.11(a)"), even),
            Paytable("double", "standard", cite("672a.11(a)"), even),
            *(
                Paytable("push_22", name, cite("672a.11(c)"), tuple((row, str(paid)) for row, paid in rows.items()))
                for name, rows in _PUSH_22.items()
            ),
            Paytable("insurance", "standard", cite("672a.11(b)"), (("win", str(INSURANCE_ODDS)),)),
        )
