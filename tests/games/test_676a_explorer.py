"""Go Fore It fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, RACK, seat
from tablectl.engine.drive import Interrupted
from tablectl.engine.outcome import round_document
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Incident, Stake
from tablectl.procedure.table import Table
from tests.games.scenarios import Document, without_amounts
from tests.procedure.explorer import Path, explore, play
from tests.procedure.test_explore_stand_ins import (
    Case,
    answers,
    cards_are_conserved,
    closing,
    ends_closed,
    every_wager_is_settled_once,
    incidents,
    money_is_conserved,
    nothing_is_told_early,
)

GAME = game("go_fore_it")
ONE = ((1, "front_9"), (1, "skins"), (1, "gopher"))
TWO = ((2, "front_9"), (2, "gopher"), (5, "front_9"))


@dataclass(frozen=True)
class Golf(Case):
    """A small table of Go Fore It."""

    def table(self) -> Table:
        setup = Setup(self.dealing, self.shuffler, GAME.seats)
        return Table(GAME, GAME.submission().filed(), setup, super().table().state)


CASES = {
    "one seat": Golf(GAME, ONE),
    "one seat, stacks": Golf(GAME, ONE, Dealing.AUTOMATED_SHOE),
    "two seats": Golf(GAME, TWO, Dealing.MANUAL_SHOE, Shuffler.NONE),
    "two seats, from the hand": Golf(GAME, TWO, Dealing.FROM_HAND),
}


class Unseen(Golf):
    """Its sensors see that there is a wager, and not how much."""

    @property
    def stakes(self) -> tuple[Stake, ...]:
        return tuple(replace(stake, amount=None) for stake in super().stakes)


def test_where_only_presence_is_known_results_and_odds_stand() -> None:
    known, unknown = (document(kind(GAME, (*ONE, *TWO))) for kind in (Golf, Unseen))
    assert unknown == without_amounts(known)
    assert "win" in {row["result"] for row in known["wagers"]}


def document(case: Case) -> Document:
    path, _others = play(case.table(), partial(answers, case, []), ())
    return round_document(GAME, path.events)


def telling(result: object) -> bool:
    """Irregularities that are tried together with another outcome: those that leave a mark on what comes after."""
    if not isinstance(result, Interrupted):
        return True
    incident = result.incident
    return isinstance(incident, Incident) and incident.kind in ("player_left", "wrong_card_count", "card_exposed")


@pytest.mark.parametrize("name", CASES)
def test_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]
    further = telling if name == "one seat" else None
    paths = list(explore(case.table, partial(answers, case, noticed), further=further))
    for path in paths:
        try:
            ends_closed(case, path)
            every_wager_is_settled_once(case, path)
            money_is_conserved(path)
            cards_are_conserved(case, path)
            nothing_is_told_early(path)
            hands_are_whole(path)
            seats_are_taken_in_turn(path)
            back_9_follows_the_decision(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 50
    assert ended[Outcome.VOID] > 20


def hands_are_whole(path: Path) -> None:
    if closing(path).outcome is Outcome.COMPLETED:
        players = {seat(event.seat) for event in path.only(e.WagerMade)}
        held = Counter(event.to for event in path.only(e.CardDealt) if event.to is not RACK)
        assert held == dict.fromkeys([*players, DEALER], 4)


def seats_are_taken_in_turn(path: Path) -> None:
    """Asked clockwise before anything is shown, then the dealer, then the seats counterclockwise (676a.11(b)-(d))."""
    asked = [event.seat for event in path.only(e.SeatAsked)]
    assert asked == sorted(set(asked))
    shown = [event.position for event in path.only(e.CardsExposed)]
    assert shown[:1] in ([], [DEALER])
    turned_up = [position.number for position in shown[1:]]
    assert turned_up == sorted(set(turned_up), reverse=True)
    kinds = [type(event) for event in path.events]
    if e.CardsExposed in kinds:
        assert e.SeatAsked not in kinds[kinds.index(e.CardsExposed) :]


def back_9_follows_the_decision(path: Path) -> None:
    bets = {event.seat: event.amount for event in path.only(e.SeatDecided) if event.verb == "bet"}
    made = {(event.seat, event.wager): event.amount for event in path.only(e.WagerMade)}
    assert {number: amount for (number, wager), amount in made.items() if wager == "back_9"} == bets
    assert all(made[number, "front_9"] == amount for number, amount in bets.items())
    folded = [event.seat for event in path.only(e.SeatDecided) if event.verb == "fold"]
    if closing(path).outcome is Outcome.COMPLETED:
        forfeits = [event for event in path.only(e.WagerSettled) if event.result is Result.FORFEITED]
        assert set(folded) <= {event.seat for event in forfeits if event.wager == "front_9"}
        alone = {n for n in folded if not {(n, "skins"), (n, "gopher")} & set(made)}
        racked = {event.position.number for event in path.only(e.CardsCollected)}
        noted = [event for event in path.only(e.IrregularityNoted) if event.kind == "player_left" and event.cite]
        gone = {event.position.number for event in noted}
        assert alone - gone == racked, "folded cards lie under what is still open, else in the rack (676a.11(c))"
