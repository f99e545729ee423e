"""How a scenario answers what only games between players ask: the order of the deal, and amounts that are bet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.cards import Card, seat
from tablectl.engine.scenario import Incident, ScriptCard
from tablectl.errors import DecodeError, Forbidden
from tablectl.money import dollars, show
from tablectl.procedure import instructions as acts
from tablectl.procedure.betting import BET, RAISE
from tablectl.procedure.poker import dealt_order
from tablectl.procedure.table import Table

__all__ = ["CONCEDE", "begin_deal", "bet", "check_discards", "show_hand"]

CONCEDE: Final = "concede"
"""A decision that is not asked: the seat gives its hand up at the showdown instead of showing it."""


def begin_deal(act: acts.BeginDeal, incidents: Sequence[Incident]) -> tuple[int, ...]:
    """The seats as the dealer deals to them, where an irregularity says that he does it wrong."""
    wrong = [(i.kind, i.position.number) for i in incidents if i.position is not None and i.position.kind == "seat"]
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


def check_discards(cards: Sequence[ScriptCard], out: int, waiting: Sequence[Incident], table: Table) -> None:
    """Once the discards were shuffled after so many cards, none comes that a player still holds (637a.13(g)(2))."""
    if table.bets is None:
        return
    held = {hidden.card: number for number in table.bets.live for hidden in table.hands.get(seat(number), ())}
    again = [incident.at.number for incident in waiting if incident.kind == "insufficient_cards"]
    for number, listed in enumerate(cards[out : min(again) - 1 if again else None], out + 1):
        if listed.card in held:
            message = f"card {number}: {listed.card} is in the hand of seat {held[listed.card]}"
            raise Forbidden(message, cite="637a.13(g)(2)", stage="DEALING")


def show_hand(act: acts.Show, cards: tuple[Card, ...], *, concedes: bool) -> acts.Exposed | acts.Conceded:
    """The whole hand, but where the seat concedes."""
    if not concedes:
        return acts.Exposed(cards)
    if not act.may_concede:
        raise Forbidden(f"{CONCEDE}: it has to show its hand", cite=act.cite, seat=act.seat, stage="REVEALED")
    return acts.Conceded()
