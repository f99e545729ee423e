"""The Rules Submission of Go Fore It (chapter 676a)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from tablectl.money import EVEN, Odds, odds
from tablectl.rules import Paytable, Submission, chosen, cite, option

__all__ = ["BACK_9", "GOPHER", "PAR", "GoForeItRules", "GoForeItSubmission", "Score"]

PAR: Final = 24
"""The highest total with which Front 9 and Back 9 win (676a.1, 676a.11(d)(3))."""


@dataclass(frozen=True, slots=True)
class Score:
    """One row of the Back 9 Wager: totals up to `most` points that no row above it has."""

    name: str
    most: int
    odds: Odds


BACK_9: Final = (  # 676a.12(b)
    Score("albatross", 8, odds("25:1")),
    Score("eagle", 13, odds("5:1")),
    Score("birdie", 18, odds("2:1")),
    Score("par", PAR, odds("1:1")),
)
GOPHER: Final[Mapping[str, Mapping[int, Odds]]] = {  # 676a.12(d): by the number of aces
    "A": {4: odds("1000:1"), 3: odds("50:1"), 2: odds("5:1"), 1: odds("2:1")},
    "B": {4: odds("1000:1"), 3: odds("50:1"), 2: odds("6:1"), 1: odds("2:1")},
}
_ACES: Final = {4: "four_aces", 3: "three_aces", 2: "two_aces", 1: "one_ace"}


@dataclass(frozen=True, slots=True)
class GoForeItRules:
    """What the round of play needs of the submission: the odds of the Gopher Wager, by the number of aces."""

    gopher: Mapping[int, Odds]


class GoForeItSubmission(Submission):
    """Everything that chapter 676a lets a certificate holder choose."""

    gopher_paytable: Literal["A", "B"] = option("A", "676a.12(d)", "odds of the Gopher Wager")

    def filed(self) -> GoForeItRules:
        """The submission as the round of play uses it."""
        return GoForeItRules(gopher=MappingProxyType(GOPHER[self.gopher_paytable]))

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered."""
        return chosen(self.paytables(), gopher=self.gopher_paytable)

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Front 9 and Skins at even money, Back 9 by its total, and the two Gopher tables."""
        return (
            Paytable("front_9", "standard", cite("676a.12(a)"), (("win", str(EVEN)),)),
            Paytable(
                "back_9", "standard", cite("676a.12(b)"), tuple((score.name, str(score.odds)) for score in BACK_9)
            ),
            Paytable("skins", "standard", cite("676a.12(c)"), (("win", str(EVEN)),)),
            *(
                Paytable(
                    "gopher", table, cite("676a.12(d)"), tuple((_ACES[aces], str(paid)) for aces, paid in rows.items())
                )
                for table, rows in GOPHER.items()
            ),
        )
