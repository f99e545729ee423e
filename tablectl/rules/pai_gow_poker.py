"""The Rules Submission of Pai Gow Poker (chapter 561).

The manner in which the dealer's hands are set (561.13(d)) is filed as data: rows that are looked through in order, see
`tablectl.hands.house_way`. Where nothing is filed the shipped one stands, which is of the kind that is usual.

A part of a cent of the vigorish, which no chip can pay, is dropped unless it is rounded off (561.13(m)).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, StrictBool

from tablectl.hands.house_way import HOLDINGS, MADE, SHIPPED, Band, HouseWay, Row
from tablectl.money import EVEN, Money
from tablectl.rules import Cite, Objection, Paytable, Submission, cite, option

__all__ = ["PaiGowPokerRules", "PaiGowPokerSubmission", "vigorish"]

StartingPosition = Literal["shaker", "rng", "button"]
Rounding = Literal["none", "quarter_up"]

PERCENT: Final = 5
QUARTER: Final = 25


def _band(value: object) -> object:
    if isinstance(value, Band):
        return value
    if isinstance(value, str):
        return Band.of(value)
    raise ValueError(f"{value!r} are no ranks: expected text such as 2-6 or A")


BandText = Annotated[Band, BeforeValidator(_band), PlainSerializer(str, return_type=str)]


class HouseWayRow(BaseModel):
    """One row of the manner in which the dealer's hands are set; the first one that fits and can be done decides.

    `ranks` are those of pairs, threes and fours, larger groups first and higher ones before lower; `singles` are those
    of the highest cards beside them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    holding: str
    low: str
    ranks: tuple[BandText, ...] = ()
    singles: tuple[BandText, ...] = ()

    @property
    def row(self) -> Row:
        """The row as hands are set by it."""
        return Row(self.holding, self.low, self.ranks, self.singles)


@dataclass(frozen=True, slots=True)
class PaiGowPokerRules:
    """What the round of play needs of the submission."""

    starting_position: StartingPosition
    vigorish_rounding: Rounding
    house_way: HouseWay
    adjacent_positions: bool


class PaiGowPokerSubmission(Submission):
    """Everything that chapter 561 lets a certificate holder choose."""

    starting_position: StartingPosition = option(
        "shaker",
        "561.12(a)",
        "how it is determined where the deal begins; the button needs shuffler and automated shoe",
    )
    vigorish_rounding: Rounding = option("none", "561.13(m)", "the vigorish of 5 percent, or up to the next quarter")
    house_way: Literal["shipped"] | tuple[HouseWayRow, ...] = option(
        "shipped",
        "561.13(d)",
        "how the dealer's hands are set: the shipped way, or rows of holding, low, ranks, singles",
    )
    adjacent_positions: StrictBool = option(False, "561.7(d)", "one player may play two adjacent betting areas")

    def objections(self) -> Iterator[Objection]:
        """A manner of setting that leaves hands out, or by which a low hand could be higher than its high hand."""
        yield from super().objections()
        if self.house_way == "shipped":
            return
        for number, row in enumerate(self.house_way, 1):
            yield from _of_row(f"house_way.{number}", row)
        for holding in HOLDINGS:
            if not any(row.holding == holding and row.row.always for row in self.house_way):
                yield Objection("house_way", f"no row sets every hand that holds {holding}", cite("561.13(d)"))

    def filed(self) -> PaiGowPokerRules:
        """The submission as the round of play uses it."""
        filed = self.house_way
        return PaiGowPokerRules(
            starting_position=self.starting_position,
            vigorish_rounding=self.vigorish_rounding,
            house_way=SHIPPED if filed == "shipped" else HouseWay([row.row for row in filed]),
            adjacent_positions=self.adjacent_positions,
        )

    def terms(self) -> Iterator[tuple[str, str, Cite]]:
        """The vigorish that a player who wins pays, as it is collected."""
        rounded = ", rounded up to the next quarter of a dollar" if self.vigorish_rounding == "quarter_up" else ""
        text = f"{PERCENT} % of the amount won{rounded}, collected when a winning wager is paid."
        yield "vigorish", text, cite("561.13(m)")

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Even money, of which the vigorish is extracted."""
        return (Paytable("pai_gow", "standard", cite("561.13(m)"), (("win", str(EVEN)),)),)


def _of_row(key: str, row: HouseWayRow) -> Iterator[Objection]:
    """What is wrong with one row."""
    if row.holding not in HOLDINGS:
        yield Objection(key, f"{row.holding} is no holding: expected {', '.join(HOLDINGS)}", cite("561.13(d)"))
        return
    groups, lows = HOLDINGS[row.holding]
    if row.low not in (*MADE, *lows):
        may = ", ".join((*MADE, *lows))
        yield Objection(key, f"{row.low} may not be the low hand of {row.holding}: expected {may}", cite("561.13(a)"))
    if len(row.ranks) > len(groups):
        yield Objection(key, f"{row.holding} has {len(groups)} groups, not {len(row.ranks)}", cite("561.13(d)"))
    singles = 7 - sum(groups)
    if len(row.singles) > singles:
        yield Objection(key, f"{row.holding} has {singles} single cards, not {len(row.singles)}", cite("561.13(d)"))


def vigorish(rules: PaiGowPokerRules, won: Money) -> Money:
    """What is extracted of the amount won: 5 percent, rounded up to a quarter where that is filed (561.13(m)).

    Never more than was won: who wins does not pay for it.
    """
    if rules.vigorish_rounding == "quarter_up":
        return min(won, Money(-(-won * PERCENT // (100 * QUARTER)) * QUARTER))
    return Money(won * PERCENT // 100)
