"""What a chapter says of an electronic system that accepts wagers: a progressive, or extra-roll sensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tablectl.equipment import Kind
from tablectl.money import Money
from tablectl.procedure.instructions import Stake
from tablectl.rules import Cite
from tablectl.rules.progressive import MeterShare, Pays, ProgressiveRules

if TYPE_CHECKING:
    from tablectl.procedure.game import Dealing

__all__ = ["AwardClauses", "WagerSystem"]


@dataclass(frozen=True, slots=True)
class AwardClauses:
    """The clauses of a progressive award: hand, light and floorperson verify it, then it is paid.

    `by_hand` says what may not be paid from the tray: awards of the ``whole`` meter (655a, 657a), or ``any_share`` of
    it (670a). `lose` tells the dealer to collect; None where the chapter has nothing but the collection before play.
    """

    hand: Cite
    light: Cite
    validate: Cite
    pay: Cite
    by_hand: Literal["whole", "any_share"]
    lose: Cite | None = None

    def from_tray(self, pays: Pays) -> bool:
        """Whether such an award may be paid from the table inventory container."""
        if not isinstance(pays, MeterShare):
            return True
        return self.by_hand == "whole" and not pays.whole


@dataclass(frozen=True, slots=True)
class WagerSystem:
    """One system: the equipment's kind, the wager that it accepts, and when and by which clauses.

    `offered` says of the filed rules whether the wager is offered (by `cite`); `lock_out` has the clause for each
    dealing method. `always`: it is locked out even if nobody has wagered. `fee`: the money is the house's as soon as it
    is collected. `unit` is the amount of a seat's wager where the system tells only that it is there, from the filed
    rules, the seat and all stakes. `progressive` and `award` are None for a system without awards.
    """

    kind: Kind
    wager: str
    offered: Callable[[Any], bool]
    cite: Cite
    lock_out: Mapping[Dealing, Cite]
    unit: Callable[[Any, int, Sequence[Stake]], Money | None]
    always: bool = True
    fee: bool = False
    progressive: Callable[[Any], ProgressiveRules | None] | None = None
    award: AwardClauses | None = None
