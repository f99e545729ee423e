"""The form of a decision in a scenario: what stands beside its verb is an amount, cards, or how many times.

Whether it is offered, and whether that amount or that card may be named, is judged as the round is played.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tablectl.cards import card
from tablectl.errors import DecodeError
from tablectl.money import dollars
from tablectl.procedure.betting import BET, RAISE

__all__ = ["fault_of_decisions"]

_WITH_AMOUNT: Final = (RAISE, "insurance", "double")
_NUMBER: Final = re.compile(r"[0-9]+(\.[0-9]+)?")
_WITH_CARDS: Final = ("draw", "exchange", "set")


def fault_of_decisions(decisions: Mapping[int, Sequence[str]], *, pots: bool) -> str | None:
    """The first decision that is not well formed, with its seat and what was expected; None if all are.

    `pots`: players bet amounts against each other. Elsewhere a bet is so many times the amount of another wager.
    """
    for seat, texts in sorted(decisions.items()):
        for text in texts:
            fault = _fault(text, pots)
            if fault is not None:
                return f"seat {seat}: {text!r}: {fault}"
    return None


def _fault(text: str, pots: bool) -> str | None:
    verb, *words = text.split() or [""]
    try:
        if verb in _WITH_AMOUNT or (verb == BET and pots):
            for word in words:
                dollars(word)
        elif verb in _WITH_CARDS:
            for word in words:
                card(word)
        elif verb == BET and not all(map(_is_times, words)):
            return f"expected {BET}, or {BET} and how many times the amount, such as {BET} 2"
    except DecodeError as error:
        return str(error)
    return None


def _is_times(word: str) -> bool:
    """Whether it is a number; one that is no number of times is refused where it is not offered."""
    return _NUMBER.fullmatch(word) is not None
