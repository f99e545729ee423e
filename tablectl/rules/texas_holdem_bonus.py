"""The Rules Submission of Texas Hold 'Em Bonus Poker (chapter 563)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Tag

from tablectl.money import EVEN, Odds, odds
from tablectl.rules import Objection, OddsText, Paytable, Submission, cite, option

__all__ = ["BONUS_MINIMUM", "BonusPaytable", "TexasHoldemBonusRules", "TexasHoldemBonusSubmission"]

BONUS_MINIMUM: Final[Mapping[str, Odds]] = MappingProxyType(
    {
        "ace_ace": odds("30:1"),
        "ace_king_same_suit": odds("25:1"),
        "ace_queen_or_ace_jack_same_suit": odds("20:1"),
        "ace_king_different_suits": odds("15:1"),
        "king_king_queen_queen_or_jack_jack": odds("10:1"),
        "ace_queen_or_ace_jack_different_suits": odds("5:1"),
        "pair_of_tens_through_twos": odds("3:1"),
    }
)
"""563.12(c): the least odds of the Bonus Wager, by a player's two cards, from the highest row down."""

_BOTH_ACES_LEAST: Final = odds("1000:1")
_NONE: Final = "none"


def _ratio(filed: Odds) -> Fraction:
    return filed.ratio


class BonusPaytable(BaseModel):
    """Odds of the Bonus Wager; none may be below the table of 563.12(c), which a row that is left out takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ace_ace: OddsText = BONUS_MINIMUM["ace_ace"]
    ace_king_same_suit: OddsText = BONUS_MINIMUM["ace_king_same_suit"]
    ace_queen_or_ace_jack_same_suit: OddsText = BONUS_MINIMUM["ace_queen_or_ace_jack_same_suit"]
    ace_king_different_suits: OddsText = BONUS_MINIMUM["ace_king_different_suits"]
    king_king_queen_queen_or_jack_jack: OddsText = BONUS_MINIMUM["king_king_queen_queen_or_jack_jack"]
    ace_queen_or_ace_jack_different_suits: OddsText = BONUS_MINIMUM["ace_queen_or_ace_jack_different_suits"]
    pair_of_tens_through_twos: OddsText = BONUS_MINIMUM["pair_of_tens_through_twos"]


def _name_or_rows(value: object) -> str:
    return "rows" if isinstance(value, dict | BonusPaytable) else "name"


def _none_or_odds(value: object) -> str:
    return _NONE if value == _NONE else "odds"


NamedOrFiled = Annotated[
    Annotated[Literal["minimum"], Tag("name")] | Annotated[BonusPaytable, Tag("rows")], Discriminator(_name_or_rows)
]
"""The least odds by their name, or rows of odds."""

NoneOrOdds = Annotated[
    Annotated[Literal["none"], Tag(_NONE)] | Annotated[OddsText, Tag("odds")], Discriminator(_none_or_odds)
]
"""Odds, or that nothing is offered."""


@dataclass(frozen=True, slots=True)
class TexasHoldemBonusRules:
    """What the round of play needs of the submission.

    `ante_qualifier` is the least category of a winning hand whose Ante is paid, `bonus` the odds by the two cards,
    `both_aces` those where the dealer has a pair of aces as well, None where that is not offered; `best_bonus` are the
    highest of all these.
    """

    ante_qualifier: Literal["straight", "flush"]
    bonus: Mapping[str, Odds]
    both_aces: Odds | None
    best_bonus: Odds


class TexasHoldemBonusSubmission(Submission):
    """Everything that chapter 563 lets a certificate holder choose."""

    ante_qualifier: Literal["straight", "flush"] = option(
        "straight", "563.11(h)(2)", "the least winning hand whose Ante is paid; below it the Ante goes back"
    )
    bonus_paytable: NamedOrFiled = option(
        "minimum", "563.12(c)", "odds of the Bonus Wager: minimum, or rows of odds, none below it"
    )
    both_aces_pays: NoneOrOdds = option(
        _NONE, "563.12(d)", "odds of the Bonus Wager if player and dealer have aces: none, or 1000:1 and more"
    )

    def objections(self) -> Iterator[Objection]:
        """Bonus odds below the tables of 563.12(c) and (d), and any that are not written as odds to 1."""
        yield from super().objections()
        for row, filed in _rows(self.bonus_paytable).items():
            yield from _too_low(f"bonus_paytable.{row}", filed, BONUS_MINIMUM[row], "563.12(c)")
        if isinstance(self.both_aces_pays, Odds):
            yield from _too_low("both_aces_pays", self.both_aces_pays, _BOTH_ACES_LEAST, "563.12(d)")

    def filed(self) -> TexasHoldemBonusRules:
        """The submission as the round of play uses it."""
        bonus = _rows(self.bonus_paytable)
        both_aces = self.both_aces_pays if isinstance(self.both_aces_pays, Odds) else None
        return TexasHoldemBonusRules(
            ante_qualifier=self.ante_qualifier,
            bonus=MappingProxyType(bonus),
            both_aces=both_aces,
            best_bonus=max([*bonus.values(), *([] if both_aces is None else [both_aces])], key=_ratio),
        )

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered, with the odds that are filed."""
        filed = self.filed()
        bonus = tuple((row, str(paid)) for row, paid in filed.bonus.items())
        posted = []
        for table in self.paytables():
            if table.id == "minimum":
                posted.append(replace(table, id=table.id if table.rows == bonus else "filed", rows=bonus))
            elif table.wager != "bonus":
                posted.append(table)
        if filed.both_aces is not None:
            posted.append(Paytable("bonus", "both_aces", cite("563.12(d)"), (("both_aces", str(filed.both_aces)),)))
        return posted

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Ante, Flop, Turn and River at even money, the least Bonus table, and the least odds of two pairs of aces."""
        return (
            *(
                Paytable(wager, "standard", cite("563.12(b)"), (("win", str(EVEN)),))
                for wager in ("ante", "flop", "turn", "river")
            ),
            Paytable(
                "bonus", "minimum", cite("563.12(c)"), tuple((row, str(paid)) for row, paid in BONUS_MINIMUM.items())
            ),
            Paytable("bonus", "both_aces_minimum", cite("563.12(d)"), (("both_aces", str(_BOTH_ACES_LEAST)),)),
        )


def _rows(filed: Literal["minimum"] | BonusPaytable) -> dict[str, Odds]:
    table = filed if isinstance(filed, BonusPaytable) else BonusPaytable()
    return {row: getattr(table, row) for row in BONUS_MINIMUM}


def _too_low(key: str, filed: Odds, least: Odds, clause: str) -> Iterator[Objection]:
    if filed.form != "to":
        yield Objection(key, f"{filed} must be written as odds to 1", cite("563.12(a)"))
    elif filed.ratio < least.ratio:
        yield Objection(key, f"{filed} is below the least odds of {least}", cite(clause))
