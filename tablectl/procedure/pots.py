"""Main pot and side pots, what is taken off them, and how they are shared. Pure arithmetic, in cents.

A pot is what the seats that can win it have put in to the same height, and what others have put in up to there. Shares
are whole multiples of the smallest chip, and nothing is ever lost: what cannot be divided equally goes to one player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tablectl.money import ZERO, Money
from tablectl.rules.poker import IncrementalRake, PercentageRake, TimeRake

__all__ = ["MAIN", "Pot", "divide", "pots", "take_drop", "take_incremental", "take_percentage", "take_rake"]

MAIN = "main"
Rake = PercentageRake | IncrementalRake | TimeRake


@dataclass(slots=True)
class Pot:
    """One pot: who can still win it, its amount before anything is taken off, rake, and drops by their fund."""

    name: str
    seats: tuple[int, ...]
    amount: Money
    rake: Money = ZERO
    drops: dict[str, Money] = field(default_factory=dict)

    @property
    def left(self) -> Money:
        """What there is to win."""
        return Money(self.amount - self.rake - sum(self.drops.values()))


def pots(put: Mapping[int, int], live: Sequence[int]) -> list[Pot]:
    """The pots that these seats have made, the main pot first; `live` seats can still win.

    What a seat that is out has put in above all others is in the last pot.
    """
    heights = {put[seat]: None for seat in live}
    if len(heights) == 1:  # nobody is all in for less: one pot, as the rest would find, too
        total = sum(put.values())
        return [Pot(MAIN, tuple(sorted(live)), Money(total))] if total else []
    made: list[Pot] = []
    below = 0
    for height in sorted(heights):
        seats = tuple([seat for seat in sorted(live) if put[seat] >= height])
        amount = sum([min(amount, height) - min(amount, below) for amount in put.values()])
        below = height
        if amount and made and made[-1].seats == seats:
            made[-1].amount = Money(made[-1].amount + amount)
        elif amount:
            made.append(Pot(f"side {len(made)}" if made else MAIN, seats, Money(amount)))
    above = sum([amount - min(amount, below) for amount in put.values()])
    if above and made:
        made[-1].amount = Money(made[-1].amount + above)
    elif above:
        made.append(Pot(MAIN, tuple(sorted(live)), Money(above)))
    return made


# What is taken off ---------------------------------------------------------------------------------------------------


def take_percentage(made: Sequence[Pot], percent: int, maximum: Money, unit: Money) -> None:
    """A percentage of each pot, from the main pot on until the maximum is reached, rounded down (637a.17(b)(1))."""
    left = int(maximum)
    for pot in made:
        rake = min(pot.amount * percent // 100 // unit * unit, left)
        pot.rake = Money(rake)
        left -= rake


def take_incremental(made: Sequence[Pot], steps: Sequence[tuple[Money, Money]], maximum: Money | None) -> None:
    """What the highest level that the pots have reached takes in all, from the main pot on (637a.17(b)(2))."""
    total = sum([pot.amount for pot in made])
    rake = max([taken for reached, taken in steps if total >= reached], default=0)
    if maximum is not None:
        rake = min(rake, maximum)
    for pot in made:
        pot.rake = Money(min(rake, pot.amount))
        rake -= pot.rake


def take_rake(made: Sequence[Pot], rake: Rake | None, unit: Money) -> None:
    """What the filed rake takes; one that is based on time takes nothing from the pot (637a.17(b)(3))."""
    if isinstance(rake, PercentageRake):
        take_percentage(made, rake.percent, rake.maximum or ZERO, unit)
    elif isinstance(rake, IncrementalRake):
        take_incremental(made, rake.steps, rake.maximum)


def take_drop(made: Sequence[Pot], fund: str, drop: Money, minimum: Money) -> None:
    """The contribution to a fund, after the rake, if the pots come to the minimum (637a.15(c), 637a.16(c))."""
    if sum([pot.amount for pot in made]) < minimum:
        return
    for pot in made:
        taken = Money(min(drop, pot.left))
        if taken:
            pot.drops[fund] = taken
        drop = Money(drop - taken)


# Shares --------------------------------------------------------------------------------------------------------------


def divide(amount: Money, winners: Sequence[int], unit: Money, most: Money) -> dict[int, Money]:
    """Equal shares of an amount; `winners` are in the order in which they are entitled to an excess.

    The first one has the whole excess. It may not exceed `most` (637a.12(k)(2)(ii), (iii)): where it would, the first
    ones have one unit each. What is no multiple of the unit is the first one's, too.
    """
    units, rest = divmod(amount, unit)
    each, over = divmod(units, len(winners))
    shares = dict.fromkeys(winners, each * unit)
    if over * unit <= most:
        shares[winners[0]] += over * unit
    else:
        for seat in winners[:over]:
            shares[seat] += unit
    shares[winners[0]] += rest
    return {seat: Money(share) for seat, share in shares.items()}
