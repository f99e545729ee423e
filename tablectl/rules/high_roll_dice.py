"""The Rules Submission of High Roll Dice (chapter 675a), with ten dice or in its variation with six.

Reading of 675a.5(e) and 675a.6(l): what one patron could win when betting the minimum is won with the minimum on the
face that pays most and on the number of dice that pays most, both at the same throw; an Extra Roll can add no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from tablectl.money import Money, Odds, odds
from tablectl.rules import Cite, Objection, Paytable, Submission, cite, option
from tablectl.rules.limits import NoneOrDollars, limit_objections, limit_of, limit_terms
from tablectl.rules.progressive import Prize

__all__ = [
    "EXTRA",
    "FACES",
    "MILLIONAIRE",
    "NO_MATCH",
    "SIX",
    "TEN",
    "DicePays",
    "HighRollDiceRules",
    "HighRollDiceSubmission",
]

FACES: Final = (1, 6, 5, 4, 3, 2)
"""The faces of a die from the highest in rank down: the ace comes first (675a.2(d))."""

NO_MATCH: Final = 1
"""So many dice of the face that occurs most are no match (675a.6(d)(2))."""

MILLIONAIRE: Final[Mapping[int, Prize]] = MappingProxyType(  # 675a.5(c)
    {10: Prize(Money(1_000_000_00)), 9: Prize(Money(50_000_00))}
)
EXTRA: Final[Mapping[int, Odds]] = MappingProxyType(  # 675a.5(d)
    {
        8: odds("50:1"),
        7: odds("10:1"),
        6: odds("4:1"),
        5: odds("2:1"),
        4: odds("1:1"),
        3: odds("6:1"),
    }
)


@dataclass(frozen=True, slots=True)
class DicePays:
    """What the first roll pays: `pip` by the face that occurs most, `like` by how many dice show it."""

    pip: Mapping[int, Odds]
    pip_cite: Cite
    like: Mapping[int, Odds]
    like_cite: Cite
    limit_cite: Cite


TEN: Final = DicePays(
    pip=MappingProxyType(
        {2: odds("6:1"), 3: odds("6:1"), 4: odds("5:1"), 5: odds("4:1"), 6: odds("4:1"), 1: odds("3:1")}
    ),
    pip_cite=cite("675a.5(a)"),
    like=MappingProxyType(
        {
            8: odds("5000:1"),
            7: odds("400:1"),
            6: odds("30:1"),
            5: odds("4:1"),
            4: odds("1:1"),
            3: odds("3:5"),
            2: odds("12:1"),
        }
    ),
    like_cite=cite("675a.5(b)"),
    limit_cite=cite("675a.5(e)"),
)
SIX: Final = DicePays(
    pip=MappingProxyType(
        {2: odds("8:1"), 3: odds("6:1"), 4: odds("5:1"), 5: odds("4:1"), 6: odds("3:1"), 1: odds("2:1")}
    ),
    pip_cite=cite("675a.6(j)"),
    like=MappingProxyType(
        {
            6: odds("6000:1"),
            5: odds("200:1"),
            4: odds("15:1"),
            3: odds("2:1"),
            2: odds("1:2"),
            NO_MATCH: odds("60:1"),
        }
    ),
    like_cite=cite("675a.6(k)"),
    limit_cite=cite("675a.6(l)"),
)

_FACE_NAMES: Final = {1: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_COUNT_NAMES: Final = {
    10: "ten_of_a_kind",
    9: "nine_of_a_kind",
    8: "eight_of_a_kind",
    7: "seven_of_a_kind",
    6: "six_of_a_kind",
    5: "five_of_a_kind",
    4: "four_of_a_kind",
    3: "three_of_a_kind",
    2: "two_of_a_kind",
    NO_MATCH: "no_match",
}


@dataclass(frozen=True, slots=True)
class HighRollDiceRules:
    """What the round of play needs of the submission; `payout_limit` is None where none is filed."""

    dice: int
    pays: DicePays
    payout_limit: Money | None

    @property
    def has_extra_roll(self) -> bool:
        """Whether an Extra Roll and Millionaire Row are offered: with ten dice (675a.6(d))."""
        return self.pays is TEN

    def won_with(self, minimum: Money) -> Money:
        """The most that one patron could win in a round when betting that minimum (675a.5(e), 675a.6(l))."""
        best = (max(paid.ratio for paid in row.values()) for row in (self.pays.pip, self.pays.like))
        return Money(int(minimum * sum(best)))


class HighRollDiceSubmission(Submission):
    """Everything that chapter 675a lets a certificate holder choose."""

    dice: Literal[10, 6] = option(10, "675a.6(a)", "how many dice are thrown: ten, or six in the variation")
    payout_limit: NoneOrDollars = option(
        "none", "675a.5(e)", "the most that a player is paid in a round, Millionaire Row apart: none, or from 50000.00"
    )

    def objections(self) -> Iterator[Objection]:
        """A payout limit below $50,000; what the posted minimum demands is seen with the table."""
        yield from super().objections()
        yield from limit_objections(self.payout_limit, self._pays.limit_cite)

    def filed(self) -> HighRollDiceRules:
        """The submission as the round of play uses it."""
        return HighRollDiceRules(self.dice, self._pays, limit_of(self.payout_limit))

    @property
    def _pays(self) -> DicePays:
        return SIX if self.dice == 6 else TEN

    def posted(self) -> Sequence[Paytable]:
        """The paytables for that number of dice."""
        return [table for table in self.paytables() if (table.id == "six_dice") == (self.dice == 6)]

    def terms(self) -> Iterator[tuple[str, str, Cite]]:
        """The payout limit, if one is filed: Millionaire Row is apart from it (675a.5(e))."""
        return limit_terms(self.payout_limit, cite("675a.2(e)(4)"))

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Pip Street and Like Kind Boulevard for ten and six dice, the Extra Roll and Millionaire Row."""
        return (
            Paytable("pip", "ten_dice", TEN.pip_cite, _rows(TEN.pip, _FACE_NAMES)),
            Paytable("like", "ten_dice", TEN.like_cite, _rows(TEN.like, _COUNT_NAMES)),
            Paytable("like", "extra_roll", cite("675a.5(d)"), _rows(EXTRA, _COUNT_NAMES)),
            Paytable("millionaire", "ten_dice", cite("675a.5(c)"), _rows(MILLIONAIRE, _COUNT_NAMES)),
            Paytable("pip", "six_dice", SIX.pip_cite, _rows(SIX.pip, _FACE_NAMES)),
            Paytable("like", "six_dice", SIX.like_cite, _rows(SIX.like, _COUNT_NAMES)),
        )


def _rows(table: Mapping[int, Odds] | Mapping[int, Prize], names: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
    return tuple((names[number], str(paid)) for number, paid in table.items())
