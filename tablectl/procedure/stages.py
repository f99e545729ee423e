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

__all__ = ["ALTERNATING", "BETWEEN_PLAYERS", "DEALER_DRAWS", "LEGAL", "ONE_DECISION", "Guard", "Stage", "Transitions"]


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

ALTERNATING: Final[Transitions] = {
    **ONE_DECISION,
    _S.DEALING: (_S.DECIDING, _S.REVEALED, _S.VOID),
    _S.DECIDING: (_S.DEALING, _S.REVEALED, _S.VOID),
}
"""Cards are dealt between the decisions, too: board cards, or those that a seat draws."""

DEALER_DRAWS: Final[Transitions] = {**ALTERNATING, _S.REVEALED: (_S.DEALING, _S.SETTLING, _S.VOID)}
"""As before, and after his hand is turned up the dealer may draw to it."""

BETWEEN_PLAYERS: Final[Transitions] = {
    _S.CLOSED: (_S.OPEN,),
    _S.OPEN: (_S.DECIDING, _S.DEALING, _S.VOID, _S.CLOSED),
    _S.DEALING: (_S.DECIDING, _S.REVEALED, _S.SETTLING, _S.VOID),
    _S.DECIDING: (_S.DEALING, _S.REVEALED, _S.SETTLING, _S.VOID),
    _S.REVEALED: (_S.SETTLING, _S.VOID),
    _S.SETTLING: (_S.CLOSED, _S.VOID),
    _S.VOID: (_S.CLOSED,),
}
"""The poker room: antes and blinds take the place of "no more bets"; the last player left shows nothing."""

_EVERYWHERE: Final = tuple(Stage)
_PLAY: Final = (_S.DEALING, _S.DECIDING, _S.REVEALED, _S.SETTLING)

LEGAL: Final[Mapping[type[acts.Instruction[object]], tuple[Stage, ...]]] = {
    acts.OpenRound: (_S.CLOSED,),
    acts.ReceiveDeck: (_S.CLOSED,),
    acts.ReceiveDice: (_S.CLOSED,),
    acts.Attest: (_S.OPEN, _S.LOCKED, *_PLAY, _S.CLOSED),
    acts.OpenTable: (_S.CLOSED,),
    acts.CloseTable: (_S.CLOSED,),
    acts.OfferCut: (_S.OPEN, _S.DEALING),
    acts.Cut: (_S.OPEN, _S.DEALING),
    acts.LoadShoe: (_S.OPEN,),
    acts.ShowCards: (_S.CLOSED,),
    acts.IdleCards: (_S.OPEN,),
    acts.TakeStored: (_S.OPEN,),
    acts.RunSelfTest: (_S.CLOSED,),
    acts.ChangeDealer: (_S.OPEN, _S.CLOSED),
    acts.GiveOrder: (_S.OPEN,),
    acts.ClearLayout: (_S.OPEN,),
    acts.CloseGap: (_S.OPEN, _S.LOCKED, *_PLAY),
    acts.BarSeats: (_S.OPEN, _S.CLOSED),
    acts.Enter: _EVERYWHERE,
    acts.Now: _EVERYWHERE,
    acts.Shuffle: (_S.OPEN, _S.DEALING),
    acts.RemoveDevice: (_S.OPEN,),
    acts.CollectWagers: (_S.OPEN,),
    acts.PutRight: (_S.CLOSED, _S.OPEN, _S.DECIDING),
    acts.NoMoreBets: (_S.LOCKED,),
    acts.OpenWagering: (_S.OPEN,),
    acts.LockOutWagers: (_S.LOCKED,),
    acts.CollectChips: (_S.LOCKED,),
    acts.UndoLockOut: (_S.OPEN, _S.VOID),
    acts.Burn: (_S.OPEN, _S.DEALING),
    acts.Draw: (_S.DEALING,),
    acts.DealAround: (_S.DEALING,),
    acts.Dispense: (_S.DEALING,),
    acts.CountCards: (_S.OPEN, _S.DEALING, _S.DECIDING, _S.SETTLING),
    acts.Ask: (_S.DECIDING,),
    acts.Declare: (_S.DECIDING,),
    acts.LockDecisions: (_S.DECIDING,),
    acts.Withdraw: (_S.DECIDING,),
    acts.Discard: (_S.DECIDING,),
    acts.PlaceWagers: (_S.LOCKED, _S.DECIDING),
    acts.Expose: (_S.DEALING, _S.DECIDING, _S.REVEALED, _S.SETTLING),
    acts.Peek: (_S.DEALING, _S.DECIDING),
    acts.AnnounceHand: _PLAY,
    acts.DealerStands: (_S.REVEALED,),
    acts.PlaceLammers: (_S.LOCKED,),
    acts.SetHands: (_S.REVEALED, _S.SETTLING),
    acts.DeliverStack: (_S.DEALING,),
    acts.CoverShaker: (_S.DEALING,),
    acts.SharedSeats: (_S.DECIDING, _S.REVEALED),
    acts.TurnUpHands: (_S.REVEALED, _S.SETTLING),
    acts.AnnounceResult: (_S.SETTLING,),
    acts.SeatPlayers: (_S.OPEN,),
    acts.PostBet: (_S.OPEN, _S.DECIDING, _S.DEALING),
    acts.BeginDeal: (_S.DEALING,),
    acts.DealForButton: (_S.OPEN,),
    acts.TurnFaceUp: (_S.DEALING,),
    acts.TurnUpForButton: (_S.OPEN,),
    acts.GiveButton: (_S.OPEN,),
    acts.AskBet: (_S.DECIDING,),
    acts.ReturnBet: (_S.DEALING, _S.DECIDING, _S.REVEALED, _S.SETTLING),
    acts.TakeRake: (_S.DEALING, _S.DECIDING, _S.SETTLING),
    acts.Show: (_S.REVEALED,),
    acts.FormPots: (_S.SETTLING,),
    acts.AwardPot: (_S.SETTLING,),
    acts.SettlePots: (_S.SETTLING,),
    acts.VerifyBadBeat: (_S.SETTLING,),
    acts.VerifyHighHand: (_S.SETTLING,),
    acts.DropRake: (_S.OPEN, _S.SETTLING),
    acts.TakeTime: (_S.OPEN,),
    acts.CheckTime: (_S.OPEN,),
    acts.EmptyBox: (_S.OPEN, _S.CLOSED),
    acts.AdjustDisplay: (_S.OPEN,),
    acts.PayJackpot: (_S.OPEN,),
    acts.EndPeriod: (_S.OPEN,),
    acts.AwardPeriod: (_S.OPEN,),
    acts.Owe: (_S.OPEN, _S.SETTLING),
    acts.BookJackpot: (_S.OPEN, _S.SETTLING, _S.CLOSED),
    acts.CollectCards: _PLAY,
    acts.ThrowDice: (_S.LOCKED, *_PLAY),
    acts.CallDice: (_S.REVEALED,),
    acts.ReadNumber: (_S.LOCKED,),
    acts.SetStart: (_S.LOCKED,),
    acts.ExposeVoided: (_S.VOID,),
    acts.Settle: (_S.LOCKED, _S.DECIDING, _S.REVEALED, _S.SETTLING, _S.VOID),
    acts.VerifyHand: (_S.SETTLING,),
    acts.LightWin: (_S.SETTLING,),
    acts.ValidateAward: (_S.SETTLING,),
    acts.DocumentHandPay: (_S.SETTLING,),
    acts.LookAtMeter: (_S.OPEN, _S.SETTLING, _S.CLOSED),
    acts.TakeOffMeter: (_S.OPEN,),
    acts.AdoptMeter: (_S.OPEN,),
    acts.BookMeter: _EVERYWHERE,
    acts.Note: _EVERYWHERE,
    acts.RemoveDeck: (_S.OPEN, *_PLAY, _S.VOID, _S.CLOSED),
    acts.LoadShuffler: (_S.OPEN,),
    acts.TakeShuffled: (_S.OPEN,),
    acts.AccountFor: (_S.OPEN,),
    acts.CoverDevice: (_S.OPEN,),
    acts.ReturnDevice: (_S.OPEN,),
    acts.LatchFault: _EVERYWHERE,
    acts.Repair: (_S.CLOSED,),
    acts.CheckEquipment: (_S.OPEN, _S.CLOSED),
    acts.RecordClaim: (_S.OPEN, _S.CLOSED),
    acts.QuestionDeck: _EVERYWHERE,
    acts.RaiseAlarm: _EVERYWHERE,
    acts.ClearQuestion: (_S.OPEN, _S.CLOSED),
    acts.CloseQuestion: _EVERYWHERE,
    acts.WarnDeckChange: (_S.CLOSED, _S.OPEN),
    acts.NameCard: (_S.OPEN,),
    acts.SetCardAside: (_S.OPEN,),
    acts.NameReplacement: (_S.OPEN,),
    acts.ReplaceCard: (_S.OPEN,),
    acts.RefuseReplacement: (_S.OPEN,),
    acts.DeclareVoid: (_S.VOID,),
    acts.CloseRound: (_S.CLOSED,),
}


_NAMED: Final = {stage.value: stage for stage in Stage}
_ALLOWED: Final = {stage: {kind: None for kind, stages in LEGAL.items() if stage in stages} for stage in Stage}


class Guard:
    """Follows one round through its stages and refuses what the table above does not list.

    `allowed` holds what is legal in the stage it is in; an `Enter` has to be checked besides.
    """

    __slots__ = ("_transitions", "allowed", "stage")

    def __init__(self, transitions: Transitions) -> None:
        self._transitions = transitions
        self.stage = Stage.CLOSED
        self.allowed = _ALLOWED[self.stage]

    def check(self, instruction: acts.Instruction[object]) -> None:
        """Pass a legal instruction, following an `Enter`; `IllegalMove` otherwise."""
        kind = type(instruction)
        if kind not in self.allowed:
            raise IllegalMove(f"{kind.__name__} in stage {self.stage}: it is legal in {', '.join(LEGAL[kind])} only")
        if kind is acts.Enter:
            assert isinstance(instruction, acts.Enter)
            wanted = _NAMED[instruction.stage]
            if wanted not in self._transitions[self.stage]:
                allowed = ", ".join(self._transitions[self.stage])
                raise IllegalMove(f"{wanted} cannot follow {self.stage}: the game allows {allowed}")
            self.stage = wanted
            self.allowed = _ALLOWED[wanted]
