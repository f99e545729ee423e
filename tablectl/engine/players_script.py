"""How a scenario answers what only games between players ask: the order of the deal, and amounts that are bet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.cards import Card
from tablectl.engine.scenario import Incident
from tablectl.errors import DecodeError, Forbidden
from tablectl.money import dollars, show
from tablectl.procedure import instructions as acts
from tablectl.procedure.betting import BET, RAISE
from tablectl.procedure.poker import dealt_order

__all__ = ["CONCEDE", "begin_deal", "bet", "show_hand"]

CONCEDE: Final = "concede"
"""A decision that is not asked: the seat gives its hand up at the showdown instead of showing it."""


def begin_deal(act: acts.BeginDeal, incidents: Sequence[Incident]) -> tuple[int, ...]:
    """The seats as the dealer deals to them, where an irregularity says that he does it wrong."""
    wrong = [(i.kind, i.position.number) for i in incidents if i.position is not None]
    return tuple(dealt_order(act.seats, *wrong))


def bet(act: acts.AskBet, verb: str, words: Sequence[str]) -> acts.Decision | None:
    """A bet or raise of the amount that is named, None where the text names none; `Forbidden` for a wrong one."""
    if verb not in (BET, RAISE) or len(words) != 1:
        return None
    try:
        total = dollars(words[0])
    except DecodeError as error:
        raise Forbidden(f"{verb}: {error}", cite=act.cite, seat=act.seat, stage="DECIDING") from None
    if not act.allows(total):
        exactly = show(act.most)
        may = exactly if act.least >= act.most else f"{show(act.least)} to {exactly} in multiples of {show(act.unit)}"
        raise Forbidden(f"{verb} {show(total)}: expected {may}", cite=act.cite, seat=act.seat, stage="DECIDING")
    return acts.Decision(verb, total)


def show_hand(act: acts.Show, cards: tuple[Card, ...], decision: str | None) -> acts.Exposed | acts.Conceded:
    """The whole hand, but where the seat's next decision is to concede."""
    if decision != CONCEDE:
        return acts.Exposed(cards)
    if not act.may_concede:
        raise Forbidden(f"{CONCEDE}: it has to show its hand", cite=act.cite, seat=act.seat, stage="REVEALED")
    return acts.Conceded()
