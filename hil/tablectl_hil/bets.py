"""Which chips a player puts down with a decision: what a person at the table knows of each game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.money import Money, dollars

__all__ = ["chips", "said_by_chips"]

_BETS: Final[Mapping[str, tuple[tuple[str, str, int], ...]]] = {
    "three_card_poker": (("play", "ante", 1),),
    "texas_holdem_bonus": (("flop", "ante", 2), ("turn", "ante", 1), ("river", "ante", 1)),
    "criss_cross_poker": (("across", "ante_across", 1), ("down", "ante_down", 1), ("middle", "ante_across", 1)),
    "go_fore_it": (("back_9", "front_9", 1),),
    "lunar_poker": (("bet", "ante", 2), ("bet", "ante", 2)),
    "crazy_4_poker": (("play", "ante", 1),),
    "mississippi_stud": (("third_street", "ante", 1), ("fourth_street", "ante", 1), ("fifth_street", "ante", 1)),
}
"""For each time that a seat is asked: the wager that ``bet`` makes, and how many times another one it is."""

_FEES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "lunar_poker": {"buy": ("options_fee", "ante"), "exchange": ("options_fee", "ante")},
    "six_card_fortune_pai_gow": {"double_down": ("double_down", "pai_gow")},
}
"""Other decisions that put chips down: the wager, and the one that it is equal to."""

_OF_ANY_AMOUNT: Final = ("insurance", "double")
"""Decisions whose wager, of the same name, may be of any amount up to one, if it is named."""

_BY_CHIPS: Final = ("bet", "double_down", *_OF_ANY_AMOUNT)


def said_by_chips(decision: str) -> bool:
    """Whether the chips that a decision puts down make it, as nothing else is done by chips on that spot."""
    return decision.partition(" ")[0] in _BY_CHIPS


def chips(game: str, time: int, decision: str, wagers: Mapping[str, Money]) -> tuple[str, Money] | None:
    """The wager and its amount when a seat with these opening wagers is asked for that time; None for no chips."""
    verb, _, times = decision.partition(" ")
    if verb in _OF_ANY_AMOUNT and times:
        return verb, dollars(times)
    if verb in (fees := _FEES.get(game, {})):
        fee, on = fees[verb]
        return fee, wagers[on]
    bets = _BETS.get(game, ())
    if verb != "bet" or time > len(bets):
        return None
    wager, on, multiple = bets[time - 1]
    return wager, Money(wagers[on] * multiple * int(times or 1))
