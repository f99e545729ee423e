"""How each act is performed at a live table: by a device where there is one, else confirmed on the dealer's panel.

What a sensor sees needs no press. A table with a panel alone plays the whole game: the dealer keys the wagers, says
when the cards are dealt, and keys the cards as they are turned up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.engine.desk import Desk, Performance
from tablectl.engine.performances.betting import AskBetting, Posted, ShowHand
from tablectl.engine.performances.cards import Count, Turn
from tablectl.engine.performances.chances import number, throw
from tablectl.engine.performances.dealing import DrawCard, Stands, dispense
from tablectl.engine.performances.deciding import Declarations, LockIn, ThrowAway
from tablectl.engine.performances.decks import ClearIt, Load, Name, NameBoth, PutRight, Take, account
from tablectl.engine.performances.dice import ReceiveSet, call
from tablectl.engine.performances.jackpots import BadBeat, Checked, Displayed, Emptied, HighHand, Paid, Timed
from tablectl.engine.performances.keys import words
from tablectl.engine.performances.layout import TakeBack
from tablectl.engine.performances.opening import AttestStep, Receive
from tablectl.engine.performances.pai_gow import Share, TurnUpUnless
from tablectl.engine.performances.peeking import peek
from tablectl.engine.performances.progressive import (
    Adopt,
    CountChips,
    Document,
    Light,
    Lock,
    Look,
    Open,
    TakeOff,
    Undo,
    Validate,
    verify_hand,
)
from tablectl.engine.performances.setting import Laid, Lammers
from tablectl.engine.performances.shuffling import CarryOutCut, Confirm, OfferTheCut, shuffle
from tablectl.engine.performances.spreading import SelfTesting, Spread, Stored
from tablectl.engine.performances.wagering import AskSeat, Collect
from tablectl.procedure import instructions as acts

__all__ = ["PERFORMANCES"]

PERFORMANCES: Final[Mapping[type[Any], Callable[[Any, Desk], Performance]]] = {
    acts.Shuffle: shuffle,
    acts.LoadShuffler: Load,
    acts.TakeShuffled: Take,
    acts.AccountFor: account,
    acts.RemoveDevice: lambda act, _desk: Confirm("removed", f"TAKE {words(act.device)} AWAY, THEN REMOVED"),
    acts.CoverDevice: lambda act, _desk: Confirm("done", f"COVER {words(act.device)} OR SIGN IT: DONE"),
    acts.ClearQuestion: ClearIt,
    acts.Repair: PutRight,
    acts.NameCard: Name,
    acts.NameReplacement: NameBoth,
    acts.ReceiveDeck: Receive,
    acts.ReceiveDice: ReceiveSet,
    acts.Attest: AttestStep,
    acts.OfferCut: OfferTheCut,
    acts.Cut: CarryOutCut,
    acts.LoadShoe: lambda _act, _desk: Confirm("done", "STACK INTO THE SHOE: DONE"),
    acts.ShowCards: Spread,
    acts.IdleCards: Spread,
    acts.TakeStored: Stored,
    acts.RunSelfTest: SelfTesting,
    acts.ClearLayout: TakeBack,
    acts.CollectWagers: Collect,
    acts.Draw: DrawCard,
    acts.Burn: DrawCard,
    acts.ThrowDice: throw,
    acts.CallDice: call,
    acts.ReadNumber: number,
    acts.Dispense: dispense,
    acts.Peek: peek,
    acts.DealerStands: Stands,
    acts.CountCards: Count,
    acts.Expose: Turn,
    acts.ExposeVoided: Turn,
    acts.TurnUpHands: TurnUpUnless,
    acts.SharedSeats: Share,
    acts.Ask: AskSeat,
    acts.AskBet: AskBetting,
    acts.PostBet: Posted,
    acts.DealAround: DrawCard,
    acts.DealForButton: DrawCard,
    acts.TurnFaceUp: Turn,
    acts.TurnUpForButton: Turn,
    acts.Show: ShowHand,
    acts.Declare: Declarations,
    acts.LockDecisions: LockIn,
    acts.Discard: ThrowAway,
    acts.PlaceLammers: Lammers,
    acts.SetHands: Laid,
    acts.OpenWagering: Open,
    acts.LockOutWagers: Lock,
    acts.CollectChips: CountChips,
    acts.UndoLockOut: Undo,
    acts.LookAtMeter: Look,
    acts.VerifyHand: verify_hand,
    acts.LightWin: Light,
    acts.ValidateAward: Validate,
    acts.DocumentHandPay: Document,
    acts.TakeOffMeter: TakeOff,
    acts.AdoptMeter: Adopt,
    acts.TakeTime: Timed,
    acts.CheckTime: Checked,
    acts.EmptyBox: Emptied,
    acts.AdjustDisplay: Displayed,
    acts.VerifyBadBeat: BadBeat,
    acts.VerifyHighHand: HighHand,
    acts.PayJackpot: Paid,
}
"""Acts that wait for somebody or something; all others are done as soon as they are on the record."""
