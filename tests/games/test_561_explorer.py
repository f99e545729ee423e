"""Pai Gow Poker fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, RACK, seat
from tablectl.engine.drive import Interrupted
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import Table
from tests.procedure.explorer import Path, explore, interrupted
from tests.procedure.test_explore_stand_ins import (
    Case,
    cards_are_conserved,
    closing,
    ends_closed,
    every_wager_is_settled_once,
    incidents,
    nothing_is_told_early,
    outcomes,
)

GAME = game("pai_gow_poker")
ONE = ((2, "pai_gow"),)
TWO = ((3, "pai_gow"), (4, "pai_gow"))


@dataclass(frozen=True)
class PaiGow(Case):
    """A small table of Pai Gow Poker."""

    filed: Mapping[str, Any] = field(default_factory=dict)

    def table(self) -> Table:
        setup = Setup(self.dealing, self.shuffler, GAME.seats)
        return Table(GAME, GAME.submission.model_validate(self.filed).filed(), setup, super().table().state)


CASES = {
    "one seat": PaiGow(GAME, ONE, Dealing.MANUAL_SHOE, Shuffler.NONE),
    "one seat, stacks by hand": PaiGow(GAME, ONE, Dealing.FROM_HAND, filed={"starting_position": "rng"}),
    "two seats, a shoe's stacks": PaiGow(GAME, TWO, Dealing.AUTOMATED_SHOE, filed={"starting_position": "button"}),
    "two seats of one player": PaiGow(GAME, TWO, Dealing.AUTOMATED_SHOE, filed={"adjacent_positions": True}),
}


def answers(case: PaiGow, noticed: list[Interrupted], act: acts.AnyInstruction, path: Path) -> list[object]:
    found = mine(case, act, path)
    again = bool(path.results) and interrupted(path.results[-1])
    return found if again or not act.interruptible else [*found, *noticed]


def mine(case: PaiGow, act: acts.AnyInstruction, path: Path) -> list[object]:
    match act:
        case acts.Ask(choices=choices) if choices[0].sets:
            return [acts.Decision("house_way"), acts.Decision("set"), acts.Decision("surrender"), acts.Left()]
        case acts.SharedSeats(pairs=pairs):
            return [(), pairs]
        case acts.TurnUpHands(cards=cards, surrender=surrender):
            up = acts.Exposed(tuple(hidden.card for hidden in cards if hidden.card is not None))
            return [up, *(acts.Surrendered(number) for number in surrender)]
        case acts.SetHands(cards=cards, low=low):
            return [low] if low else [cards[:2], cards[5:], cards[2:5], cards[3:4]]
        case _:
            return outcomes(case, act, path)


def telling(result: object) -> bool:
    """What is tried together with another outcome: what leaves a mark on the rest of the round."""
    if isinstance(result, Interrupted):
        incident = result.incident
        return isinstance(incident, acts.Incident) and incident.kind == "card_exposed" and incident.position == seat(3)
    return isinstance(result, acts.Surrendered) or result in (acts.Decision("set"), acts.Decision("surrender"), (3,))


@pytest.mark.parametrize("name", CASES)
def test_561_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]
    further = telling if "adjacent_positions" in case.filed else None
    paths = list(explore(case.table, partial(answers, case, noticed), further=further))
    for path in paths:
        try:
            ends_closed(case, path)
            every_wager_is_settled_once(case, path)
            money_is_conserved(path)
            cards_are_conserved(case, path)
            nothing_is_told_early(path)
            seven_places_are_dealt_to(path)
            acts_are_in_order(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 50
    assert ended[Outcome.VOID] > 20
    results = {row.result for path in paths for row in path.only(e.WagerSettled)}
    assert {Result.LOSE, Result.SURRENDERED, Result.FORFEITED, Result.VOID} <= results


def money_is_conserved(path: Path) -> None:
    staked = {event.seat: event.amount for event in path.only(e.WagerMade)}
    for row in path.only(e.WagerSettled):
        assert row.staked == staked[row.seat] == row.returned + row.collected
        taken = (Result.LOSE, Result.FORFEITED, Result.SURRENDERED)
        assert (row.collected == row.staked) == (row.result in taken)
        assert row.paid == (row.staked - row.vigorish if row.result is Result.WIN else 0)
        assert (row.vigorish is None) == (row.result is not Result.WIN)


def seven_places_are_dealt_to(path: Path) -> None:
    if closing(path).outcome is Outcome.COMPLETED:
        delivered = {event.stack: event.to for event in path.only(e.StackDelivered)}
        held = Counter(delivered.get(event.to, event.to) for event in path.only(e.CardDealt) if event.to is not RACK)
        assert held == dict.fromkeys([*(seat(number) for number in range(1, 7)), DEALER], 7)


def acts_are_in_order(path: Path) -> None:
    """The dealer before the players, these counterclockwise, and what is paid at the end."""
    shown = [event.position for event in path.only(e.CardsExposed)]
    assert shown[:1] in ([], [DEALER])
    turned_up = [position.number for position in shown[1:]]
    assert turned_up == sorted(set(turned_up), reverse=True)
    gone = {event.seat for event in path.only(e.SeatDecided) if event.verb == "surrender"}
    assert not gone & {*turned_up}, "who surrenders does not show cards"
    kinds = [(type(event), getattr(event, "result", None)) for event in path.events]
    paid = [n for n, (kind, result) in enumerate(kinds) if kind is e.WagerSettled and result is Result.WIN]
    if paid:
        assert all(kind is not e.CardsExposed for kind, _result in kinds[paid[0] :])
        winners = [row.seat for row in path.only(e.WagerSettled) if row.result is Result.WIN]
        assert winners == sorted(winners, reverse=True)
