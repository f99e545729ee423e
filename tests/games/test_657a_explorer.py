"""Crazy 4 Poker fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, RACK, seat
from tablectl.engine.drive import Interrupted
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.games.crazy_4_poker import most_times
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import Table
from tests.games.test_655a_explorer import told
from tests.procedure.explorer import Path, explore
from tests.procedure.test_explore_stand_ins import (
    Case,
    cards_are_conserved,
    closing,
    ends_closed,
    incidents,
    nothing_is_told_early,
)
from tests.procedure.test_progressive_explorer import money_is_conserved

GAME = game("crazy_4_poker")
ONE = ((1, "ante"), (1, "super_bonus"), (1, "queens_up"))
TWO = ((2, "ante"), (2, "super_bonus"), (5, "ante"), (5, "super_bonus"), (5, "queens_up"))
TRAY = ((1, "ante"), (1, "super_bonus"), (1, "progressive"), (2, "ante"), (2, "super_bonus"))


@dataclass(frozen=True)
class Crazy(Case):
    """A small table of Crazy 4 Poker."""

    filed: Mapping[str, Any] = field(default_factory=dict)

    def table(self) -> Table:
        setup = Setup(self.dealing, self.shuffler, GAME.seats)
        return Table(GAME, GAME.submission.model_validate(self.filed).filed(), setup, super().table().state)


CASES = {
    "one seat": Crazy(GAME, ONE),
    "one seat, stacks": Crazy(GAME, ONE, Dealing.AUTOMATED_SHOE),
    "two seats": Crazy(GAME, TWO, Dealing.MANUAL_SHOE, Shuffler.NONE),
    "two seats, from the hand": Crazy(GAME, TWO, Dealing.FROM_HAND),
    "a progressive": Crazy(GAME, TRAY, filed={"progressive": "B"}),
}


@pytest.mark.parametrize("name", CASES)
def test_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]

    def again(result: object) -> bool:
        return isinstance(result, acts.Decision | acts.Left) and name == "two seats"

    paths = list(explore(case.table, lambda act, path: told(case, noticed, act, path), further=again))
    for path in paths:
        try:
            if closing(path).outcome is not Outcome.SUSPENDED:
                ends_closed(case, path)
            money_is_conserved(path)
            cards_are_conserved(case, path)
            nothing_is_told_early(path)
            hands_are_whole(path)
            seats_are_taken_in_turn(path)
            too_much_is_noted_when_it_is_seen(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 50
    assert ended[Outcome.VOID] > 20
    assert bool(ended[Outcome.SUSPENDED]) == (name == "a progressive")
    assert any(over_the_ante(path) for path in paths)


def hands_are_whole(path: Path) -> None:
    if closing(path).outcome is Outcome.COMPLETED:
        players = {seat(event.seat) for event in path.only(e.WagerMade)}
        held = Counter(event.to for event in path.only(e.CardDealt) if event.to is not RACK)
        assert held == dict.fromkeys([*players, DEALER], 5)


def seats_are_taken_in_turn(path: Path) -> None:
    """Asked clockwise before anything is shown, then forfeits, the dealer, and the seats counterclockwise."""
    asked = [event.seat for event in path.only(e.SeatAsked)]
    assert asked == sorted(set(asked))
    shown = [event.position for event in path.only(e.CardsExposed)]
    assert shown[:1] in ([], [DEALER])
    turned_up = [position.number for position in shown[1:]]
    assert turned_up == sorted(set(turned_up), reverse=True)
    folded = [event.seat for event in path.only(e.SeatDecided) if event.verb == "fold"]
    if closing(path).outcome is Outcome.COMPLETED:
        racked = [event.position.number for event in path.only(e.CardsCollected)]
        gone = [event.position.number for event in path.only(e.IrregularityNoted) if event.kind == "player_left"]
        assert racked == folded
        assert not {*turned_up} & {*folded}
        rows = [event for event in path.only(e.WagerSettled) if event.seat in folded and event.seat not in gone]
        assert {row.result for row in rows if row.wager != "envy"} <= {Result.FORFEITED}


def over_the_ante(path: Path) -> dict[int, Money]:
    made = {(event.seat, event.wager): event.amount for event in path.only(e.WagerMade)}
    return {
        number: amount for (number, wager), amount in made.items() if wager == "play" and amount > made[number, "ante"]
    }


def too_much_is_noted_when_it_is_seen(path: Path) -> None:
    """657a.11(b): more than the Ante needs a pair of aces; the round goes on as the chips lie."""
    over = over_the_ante(path)
    noted = {
        event.position.number
        for event in path.only(e.IrregularityNoted)
        if event.kind == "wrong_stake" and event.cite == "657a.11(b)" and event.position is not None
    }
    gone = {event.position.number for event in path.only(e.IrregularityNoted) if event.kind == "player_left"}
    if closing(path).outcome is Outcome.COMPLETED:
        seen = {event.position.number: event.cards for event in path.only(e.CardsExposed) if event.position != DEALER}
        short = {number for number in over if number in seen and most_times(seen[number]) == 1}
        assert noted == short - gone
