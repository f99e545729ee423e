"""The Rules Submission of Three Card Poker (chapter 565).

Reading of 565.12(f), whose printed table leaves cells blank: a straight pays in table A only, and a mini royal of
spades pays 50 to 1 in all three. Both cells can be filed otherwise in `ante_bonus_cells`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, StrictBool

from tablectl.money import Odds, odds
from tablectl.rules import Cite, Objection, OddsText, Paytable, Submission, chosen, cite, option

__all__ = ["AnteBonusCells", "PairPlusPaytable", "ThreeCardPokerRules", "ThreeCardPokerSubmission", "Version"]

Version = Literal["standard", "pair_plus_needs_equal_ante", "pair_plus_needs_half_ante", "both_required"]

VERSION_CLAUSES: Final[Mapping[str, Cite]] = {
    "standard": cite("565.7(a)"),
    "pair_plus_needs_equal_ante": cite("565.7(f)(1)"),
    "pair_plus_needs_half_ante": cite("565.7(f)(2)"),
    "both_required": cite("565.7(f)(3)"),
}

_PAIR_PLUS_MINIMUM: Final[Mapping[str, Odds]] = {
    "mini_royal": odds("35:1"),
    "straight_flush": odds("35:1"),
    "three_of_a_kind": odds("25:1"),
    "straight": odds("5:1"),
    "flush": odds("3:1"),
    "pair": odds("1:1"),
}
_ANTE_BONUS: Final[Mapping[str, Odds]] = {  # 565.12(e)
    "straight_flush": odds("5:1"),
    "three_of_a_kind": odds("4:1"),
    "straight": odds("1:1"),
}
_ANTE_BONUS_F: Final[Mapping[str, Mapping[str, Odds]]] = {  # 565.12(f), the printed cells alone
    "A": {"mini_royal": odds("5:1"), "straight_flush": odds("4:1"), "three_of_a_kind": odds("3:1")},
    "B": {"mini_royal": odds("50:1"), "straight_flush": odds("8:1"), "three_of_a_kind": odds("6:1")},
    "C": {"mini_royal": odds("10:1"), "straight_flush": odds("4:1"), "three_of_a_kind": odds("3:1")},
}
_SPADES: Final = odds("50:1")
_STRAIGHT: Final = odds("1:1")


class PairPlusPaytable(BaseModel):
    """Odds of the Pair Plus Wager; none may be below the table of 565.12(d), which is the default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pair: OddsText = odds("1:1")
    flush: OddsText = odds("3:1")
    straight: OddsText = odds("5:1")
    three_of_a_kind: OddsText = odds("25:1")
    straight_flush: OddsText = odds("35:1")
    mini_royal: OddsText = odds("35:1")


class AnteBonusCells(BaseModel):
    """The two rows of 565.12(f) whose cells are blank in print, as the certificate holder reads them.

    `unset` takes the shipped reading.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    straight: Literal["unset", "1:1", "none"] = "unset"
    mini_royal_spades: Literal["unset", "50:1", "none"] = "unset"


@dataclass(frozen=True, slots=True)
class ThreeCardPokerRules:
    """What the round of play needs of the submission."""

    version: Version
    pair_plus: Mapping[str, Odds]
    ante_bonus: Mapping[str, Odds]
    ante_bonus_cite: Cite
    fold_forfeits_pair_plus: bool
    adjacent_positions: bool


class ThreeCardPokerSubmission(Submission):
    """Everything that chapter 565 lets a certificate holder choose."""

    version: Version = option("standard", "565.7(f)", "which wagers may be placed without which")
    ante_bonus_paytable: Literal["A", "B", "C"] = option("A", "565.12(f)", "ante bonus of the 565.7(f) versions")
    ante_bonus_cells: AnteBonusCells = option(
        AnteBonusCells(), "565.12(f)", "the cells that are blank in print: straight, mini_royal_spades"
    )
    pair_plus_paytable: PairPlusPaytable = option(PairPlusPaytable(), "565.12(d)", "odds, none below the minimum")
    pair_plus_after_fold: Literal["stays", "forfeited"] = option(
        "stays", "565.11(b)", "standard version: what a fold does to the Pair Plus Wager; elsewhere it is forfeited"
    )
    adjacent_positions: StrictBool = option(False, "565.7(e)", "one player may play two adjacent positions")

    def objections(self) -> Iterator[Objection]:
        """Pair Plus odds below the table of 565.12(d)."""
        yield from super().objections()
        for row, least in _PAIR_PLUS_MINIMUM.items():
            filed: Odds = getattr(self.pair_plus_paytable, row)
            if filed.form != "to":
                yield Objection(f"pair_plus_paytable.{row}", f"{filed} must be written as odds to 1", cite("565.12(d)"))
            elif filed.ratio < least.ratio:
                yield Objection(
                    f"pair_plus_paytable.{row}", f"{filed} is below the least odds of {least}", cite("565.12(d)")
                )

    def filed(self) -> ThreeCardPokerRules:
        """The submission as the round of play uses it."""
        standard = self.version == "standard"
        return ThreeCardPokerRules(
            version=self.version,
            pair_plus=MappingProxyType({row: getattr(self.pair_plus_paytable, row) for row in _PAIR_PLUS_MINIMUM}),
            ante_bonus=MappingProxyType(
                dict(_ANTE_BONUS) if standard else _ante_bonus_f(self.ante_bonus_paytable, self.ante_bonus_cells)
            ),
            ante_bonus_cite=cite("565.12(e)") if standard else cite("565.12(f)"),
            fold_forfeits_pair_plus=not standard or self.pair_plus_after_fold == "forfeited",
            adjacent_positions=self.adjacent_positions,
        )

    def posted(self) -> Sequence[Paytable]:
        """The paytables of what is offered, with the odds that are filed."""
        filed, standard = self.filed(), self.version == "standard"
        pair_plus, bonus = _rows(filed.pair_plus), _rows(filed.ante_bonus)
        return [
            replace(table, id=table.id if table.rows == pair_plus else "filed", rows=pair_plus)
            if table.wager == "pair_plus"
            else replace(table, rows=bonus)
            if table.wager == "ante_bonus"
            else table
            for table in chosen(self.paytables(), ante_bonus="standard" if standard else self.ante_bonus_paytable)
        ]

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Ante and Play at even money, the least Pair Plus table, and the ante bonus tables."""
        cells = AnteBonusCells()
        return (
            Paytable("ante", "standard", cite("565.12(b)"), (("win", "1:1"),)),
            Paytable("play", "standard", cite("565.12(b)"), (("win", "1:1"),)),
            Paytable("pair_plus", "minimum", cite("565.12(d)"), _rows(_PAIR_PLUS_MINIMUM)),
            Paytable("ante_bonus", "standard", cite("565.12(e)"), _rows(_ANTE_BONUS)),
            *(
                Paytable("ante_bonus", table, cite("565.12(f)"), _rows(_ante_bonus_f(table, cells)))
                for table in _ANTE_BONUS_F
            ),
        )


def _ante_bonus_f(table: str, cells: AnteBonusCells) -> dict[str, Odds]:
    """The rows of one table of 565.12(f), highest first, with the blank cells filled in as filed."""
    rows = dict(_ANTE_BONUS_F[table])
    if cells.mini_royal_spades != "none":
        rows = {"mini_royal_spades": _SPADES, **rows}
    if cells.straight == "1:1" or (cells.straight == "unset" and table == "A"):
        rows["straight"] = _STRAIGHT
    return rows


def _rows(table: Mapping[str, Odds]) -> tuple[tuple[str, str], ...]:
    return tuple((row, str(paid)) for row, paid in table.items())
