"""The dealer's panel as a robot reads it: the keys that make a decision, the lines that ask for something."""

from __future__ import annotations

from typing import Final

__all__ = ["SAID", "VERBS", "key_of_digit", "seat_of"]

VERBS: Final = (
    "buy",
    "exchange",
    "bet",
    "fold",
    "check",
    "draw",
    "straddle",
    "no_straddle",
    "call",
    "raise",
    "house_way",
    "play_on",
    "void_hand",
    "double_down",
    "hit",
    "stand",
    "double",
    "split",
    "insurance",
    "no_insurance",
    "second_chance",
    "no_second_chance",
    "even_money",
    "accept",
    "refuse",
)
"""The keys of decisions."""

SAID: Final = {
    "WAS ITS FACE SEEN": "exposed",
    "WAS THE HAND PROTECTED": "protected",
    "CAN THE HAND BE RECONSTRUCTED": "reconstructed",
    "IS THE PLAYER WITHOUT BLAME": "blameless",
    "CARDS COUNTED": "count",
    "TOTAL AS ANNOUNCED": "total",
    "FIRST OR SECOND CARD": "which",
    "SIDES THAT IT RESTS ON": "sides",
}
"""What an incident says, by the line of the panel that asks for it."""


def key_of_digit(digit: str) -> str:
    """The panel's key for one sign of an amount."""
    return "point" if digit == "." else f"digit_{digit}"


def seat_of(text: str) -> int | None:
    """The seat that a line begins with."""
    words = text.split()
    if len(words) > 1 and words[0] == "SEAT":
        number = words[1].rstrip(":")
        return int(number) if number.isdecimal() else None
    return None
