"""Instructions: what a procedure awaits, one frozen class for each act.

A procedure only describes; whoever drives it acts and sends the result back. `Instruction[R]` awaited gives an `R`. The
events of a step are a function of the instruction and its result alone.

An instruction that waits for a person is *interruptible*: instead of a result it may be given an irregularity that
somebody noticed (`Interrupt`, thrown at the await). All others run to their result.
"""

from __future__ import annotations

from tablectl.procedure.instructions.base import AnyInstruction, Incident, Instruction, Interrupt
from tablectl.procedure.instructions.rounds import (
    Ask,
    CardsCount,
    Choice,
    CloseRound,
    CollectWagers,
    CountCards,
    Decision,
    DeclareVoid,
    Dispense,
    Dispensed,
    Draw,
    Drawn,
    Enter,
    Expose,
    Exposed,
    FoundFaceUp,
    Left,
    NewDeck,
    NoMoreBets,
    Note,
    Now,
    OpenRound,
    OutOfService,
    PlaceWager,
    PutRight,
    RemoveDeck,
    RemoveDevice,
    ReplaceDeck,
    Settle,
    ShoeJammed,
    Shuffle,
    Shuffled,
    ShuffleFault,
    Stake,
)

__all__ = [
    "AnyInstruction",
    "Ask",
    "CardsCount",
    "Choice",
    "CloseRound",
    "CollectWagers",
    "CountCards",
    "Decision",
    "DeclareVoid",
    "Dispense",
    "Dispensed",
    "Draw",
    "Drawn",
    "Enter",
    "Expose",
    "Exposed",
    "FoundFaceUp",
    "Incident",
    "Instruction",
    "Interrupt",
    "Left",
    "NewDeck",
    "NoMoreBets",
    "Note",
    "Now",
    "OpenRound",
    "OutOfService",
    "PlaceWager",
    "PutRight",
    "RemoveDeck",
    "RemoveDevice",
    "ReplaceDeck",
    "Settle",
    "ShoeJammed",
    "Shuffle",
    "ShuffleFault",
    "Shuffled",
    "Stake",
]
