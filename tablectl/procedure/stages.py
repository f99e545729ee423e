"""The stages of a round, and which instruction is legal in which: the one place that guards the order of acts.

A game declares which stage may follow which (`Transitions`); this file holds what may be done in each. A move that is
not listed is a defect of the program and raises `IllegalMove`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from tablectl.errors import IllegalMove
from tablectl.procedure import instructions as acts

__all__ = ["LEGAL", "ONE_DECISION", "Guard", "Stage", "Transitions"]


class Stage(StrEnum):
    """Where a round is."""

    OPEN = "OPEN"
    LOCKED = "LOCKED"
    DEALING = "DEALING"
    DECIDING = "DECIDING"
    REVEALED = "REVEALED"
    SETTLING = "SETTLING"
    CLOSED = "CLOSED"
    VOID = "VOID"


Transitions = Mapping[Stage, tuple[Stage, ...]]

_S = Stage
ONE_DECISION: Final[Transitions] = {
    _S.CLOSED: (_S.OPEN,),
    _S.OPEN: (_S.LOCKED, _S.VOID, _S.CLOSED),
    _S.LOCKED: (_S.DEALING, _S.VOID),
    _S.DEALING: (_S.DECIDING, _S.VOID),
    _S.DECIDING: (_S.REVEALED, _S.VOID),
    _S.REVEALED: (_S.SETTLING, _S.VOID),
    _S.SETTLING: (_S.CLOSED, _S.VOID),
    _S.VOID: (_S.CLOSED,),
}
"""All cards are dealt, every seat decides once, the dealer's cards are turned up, everything is settled."""

_EVERYWHERE: Final = tuple(Stage)
_PLAY: Final = (_S.DEALING, _S.DECIDING, _S.REVEALED, _S.SETTLING)

LEGAL: Final[Mapping[type[acts.Instruction[object]], tuple[Stage, ...]]] = {
    acts.OpenRound: (_S.CLOSED,),
    acts.ReceiveDeck: (_S.CLOSED,),
    acts.Attest: (_S.OPEN, *_PLAY, _S.CLOSED),
    acts.OpenTable: (_S.CLOSED,),
    acts.CloseTable: (_S.CLOSED,),
    acts.OfferCut: (_S.OPEN,),
    acts.Cut: (_S.OPEN,),
    acts.ChangeDealer: (_S.OPEN,),
    acts.GiveOrder: (_S.OPEN,),
    acts.Enter: _EVERYWHERE,
    acts.Now: _EVERYWHERE,
    acts.Shuffle: (_S.OPEN,),
    acts.RemoveDevice: (_S.OPEN,),
    acts.CollectWagers: (_S.OPEN,),
    acts.PutRight: (_S.OPEN, _S.DECIDING),
    acts.NoMoreBets: (_S.LOCKED,),
    acts.Draw: (_S.DEALING,),
    acts.Dispense: (_S.DEALING,),
    acts.CountCards: (_S.DEALING,),
    acts.Ask: (_S.DECIDING,),
    acts.PlaceWager: (_S.DECIDING,),
    acts.Expose: (_S.REVEALED, _S.SETTLING),
    acts.Settle: (_S.DECIDING, _S.SETTLING, _S.VOID),
    acts.Note: _EVERYWHERE,
    acts.RemoveDeck: (_S.OPEN, *_PLAY, _S.VOID, _S.CLOSED),
    acts.DeclareVoid: (_S.VOID,),
    acts.CloseRound: (_S.CLOSED,),
}


_ALLOWED: Final = {stage: {kind: None for kind, stages in LEGAL.items() if stage in stages} for stage in Stage}


class Guard:
    """Follows one round through its stages and refuses what the table above does not list."""

    __slots__ = ("_allowed", "_transitions", "stage")

    def __init__(self, transitions: Transitions) -> None:
        self._transitions = transitions
        self.stage = Stage.CLOSED
        self._allowed = _ALLOWED[self.stage]

    def check(self, instruction: acts.Instruction[object]) -> None:
        """Pass a legal instruction, following an `Enter`; `IllegalMove` otherwise."""
        kind = type(instruction)
        if kind not in self._allowed:
            raise IllegalMove(f"{kind.__name__} in stage {self.stage}: it is legal in {', '.join(LEGAL[kind])} only")
        if type(instruction) is acts.Enter:
            wanted = Stage(instruction.stage)
            if wanted not in self._transitions[self.stage]:
                allowed = ", ".join(self._transitions[self.stage])
                raise IllegalMove(f"{wanted} cannot follow {self.stage}: the game allows {allowed}")
            self.stage = wanted
            self._allowed = _ALLOWED[wanted]
