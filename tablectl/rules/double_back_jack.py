"""The Rules Submission of Double Back Jack (chapter 673a).

Readings where the text leaves room:

- 673a.3(a), (b): `decks` are those of a shoe. A shuffler of batches needs two batches of them, which the table has to
  have; a game that it is filed with is to be played with two decks or more, so one deck is not filed with it.
- 673a.7(l): the Second Chance is for every hand that is above 21: one that was split, one that was doubled. As that
  makes the game about even, it can be filed that split hands or doubled ones have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field, StrictBool, StrictInt

from tablectl.money import EVEN, Money, odds
from tablectl.rules import Objection, Paytable, Submission, cite, option

__all__ = ["BLACKJACK", "INSURANCE", "MOST_DECKS", "DoubleBackJackRules", "DoubleBackJackSubmission"]

BLACKJACK: Final = odds("2:1")
"""What a player's Blackjack is paid (673a.12(a))."""

INSURANCE: Final = odds("2:1")
"""What an Insurance Wager is paid (673a.12(c))."""

MOST_DECKS: Final = 8
MOST_BOXES: Final = 6

SecondChance = Literal["every_hand", "no_split_hand", "no_doubled_hand", "neither"]
Settlement = Literal["collect_then_pay", "player_by_player"]


@dataclass(frozen=True, slots=True)
class DoubleBackJackRules:
    """What the round of play needs of the submission.

    `second_chance_on_split` and `second_chance_on_double` say whether such hands have that wager.
    """

    smallest_chip: Money
    decks: int
    settlement: Settlement
    adjacent_positions: int
    bar_mid_shoe: bool
    second_chance_on_split: bool
    second_chance_on_double: bool


class DoubleBackJackSubmission(Submission):
    """Everything that chapter 673a lets a certificate holder choose."""

    decks: Annotated[StrictInt, Field(le=MOST_DECKS)] = option(
        6, "673a.3(a)", f"decks in the shoe, or in each of two batches: 1 to {MOST_DECKS}"
    )
    settlement: Settlement = option(
        "collect_then_pay", "673a.7(t)", "all losing wagers collected before any is paid, or player by player"
    )
    adjacent_positions: Annotated[StrictInt, Field(ge=1, le=MOST_BOXES)] = option(
        1, "673a.6(e)", "adjacent boxes on which one player may wager in one round"
    )
    bar_mid_shoe: StrictBool = option(
        False, "673a.6(b)", "who does not wager in a round may not before the next reshuffle"
    )
    second_chance: SecondChance = option("every_hand", "673a.7(l)", "hands that may have a Second Chance Wager")

    def objections(self) -> Iterator[Objection]:
        """The game is not played without a deck."""
        if self.decks < 1:
            yield Objection("decks", f"{self.decks} decks, at least one is needed", cite("673a.3(a)"))

    def filed(self) -> DoubleBackJackRules:
        """The submission as the round of play uses it."""
        return DoubleBackJackRules(
            smallest_chip=self.smallest_chip,
            decks=self.decks,
            settlement=self.settlement,
            adjacent_positions=self.adjacent_positions,
            bar_mid_shoe=self.bar_mid_shoe,
            second_chance_on_split=self.second_chance in ("every_hand", "no_doubled_hand"),
            second_chance_on_double=self.second_chance in ("every_hand", "no_split_hand"),
        )

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Blackjack Wagers, Second Chance and Insurance (673a.12)."""
        return (
            Paytable("blackjack", "standard", cite("673a.12(a)"), (("blackjack", str(BLACKJACK)), ("win", str(EVEN)))),
            *(Paytable(wager, "standard", cite("673a.12(a)"), (("win", str(EVEN)),)) for wager in ("split", "double")),
            Paytable("second_chance", "standard", cite("673a.12(b)"), (("win", str(EVEN)),)),
            Paytable("insurance", "standard", cite("673a.12(c)"), (("win", str(INSURANCE)),)),
        )
