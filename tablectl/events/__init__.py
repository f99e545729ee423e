"""Frozen records of what happened at the table.

An event is a function of one instruction and its result alone. The *name* of each class is what `tablectl.` is put in
front of in the published type. The meaning of an event never changes between versions: stakes, the tray and the outcome
of a round are folds over events. No event holds the identity of a card that nobody at the table has seen.
"""

from __future__ import annotations

from tablectl.events.base import (
    Disposition,
    Event,
    Outcome,
    Result,
)
from tablectl.events.decks import (
    DeckCut,
    DeckReceived,
    DeckRemoved,
    DeckShuffled,
    StepAttested,
)
from tablectl.events.rounds import (
    BettingLocked,
    CardDealt,
    CardsCounted,
    CardsExposed,
    IrregularityNoted,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SeatAsked,
    SeatDecided,
    WagerMade,
    WagerSettled,
)
from tablectl.events.table import (
    AlarmRaised,
    ClockStepped,
    DealerChanged,
    DeviceRemoved,
    FaultCleared,
    FaultLatched,
    TableClosed,
    TableOpened,
    TableOrdered,
    TableStarted,
    TableStopped,
)

__all__ = [
    "AlarmRaised",
    "BettingLocked",
    "CardDealt",
    "CardsCounted",
    "CardsExposed",
    "ClockStepped",
    "DeckRemoved",
    "DeckCut",
    "DeckReceived",
    "DealerChanged",
    "TableClosed",
    "TableOpened",
    "TableOrdered",
    "StepAttested",
    "DeckShuffled",
    "DeviceRemoved",
    "Disposition",
    "Event",
    "FaultCleared",
    "FaultLatched",
    "IrregularityNoted",
    "Outcome",
    "Result",
    "RoundClosed",
    "RoundOpened",
    "RoundVoided",
    "SeatAsked",
    "SeatDecided",
    "TableStarted",
    "TableStopped",
    "WagerMade",
    "WagerSettled",
]
