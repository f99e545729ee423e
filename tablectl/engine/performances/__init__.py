"""How each act is performed at a live table: by a device where there is one, else confirmed on the dealer's panel.

What a sensor sees needs no press. A table with a panel alone plays the whole game: the dealer keys the wagers, says
when the cards are dealt, and keys the cards as they are turned up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.engine.desk import Desk, Performance
from tablectl.engine.performances.cards import Count, Turn
from tablectl.engine.performances.dealing import DrawCard, dispense
from tablectl.engine.performances.keys import words
from tablectl.engine.performances.opening import AttestStep, Receive
from tablectl.engine.performances.shuffling import Confirm, CutByDealer, OfferTheCut, shuffle
from tablectl.engine.performances.wagering import AskSeat, Collect
from tablectl.procedure import instructions as acts

__all__ = ["PERFORMANCES"]

PERFORMANCES: Final[Mapping[type[Any], Callable[[Any, Desk], Performance]]] = {
    acts.Shuffle: shuffle,
    acts.RemoveDevice: lambda act, _desk: Confirm("removed", f"TAKE {words(act.device)} AWAY, THEN REMOVED"),
    acts.ReceiveDeck: Receive,
    acts.Attest: AttestStep,
    acts.OfferCut: OfferTheCut,
    acts.Cut: CutByDealer,
    acts.CollectWagers: Collect,
    acts.Draw: DrawCard,
    acts.Dispense: dispense,
    acts.CountCards: Count,
    acts.Expose: Turn,
    acts.Ask: AskSeat,
}
"""Acts that wait for somebody or something; all others are done as soon as they are on the record."""
