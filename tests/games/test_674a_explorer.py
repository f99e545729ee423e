"""Criss-Cross Poker fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import pytest

from tablectl import events as e
from tablectl.cards import COMMUNITY, RACK, seat
from tablectl.engine.drive import Interrupted
from tablectl.engine.outcome import round_document
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import Table
from tests.games.scenarios import Document, without_amounts
from tests.procedure.explorer import Path, explore, interrupted, play
from tests.procedure.test_explore_stand_ins import (
    Case,
    closing,
    ends_closed,
    every_wager_is_settled_once,
    incidents,
    money_is_conserved,
    nothing_is_told_early,
    outcomes,
)

GAME = game("criss_cross_poker")
BONUS = "five_card_bonus"
ONE = ((1, "ante_across"), (1, "ante_down"), (1, BONUS))
TWO = ((2, "ante_across"), (2, "ante_down"), (2, BONUS), (5, "ante_across"), (5, "ante_down"))


@dataclass(frozen=True)
class Cross(Case):
    """A small table of Criss-Cross Poker."""

    def table(self) -> Table:
        rules = GAME.submission.model_validate({BONUS: True}).filed()
        return Table(GAME, rules, Setup(self.dealing, self.shuffler, GAME.seats), super().table().state)


CASES = {
    "one seat": Cross(GAME, ONE),
    "one seat, stacks": Cross(GAME, ONE, Dealing.AUTOMATED_SHOE),
    "two seats": Cross(GAME, TWO, Dealing.MANUAL_SHOE, Shuffler.NONE),
    "two seats, from the hand": Cross(GAME, TWO, Dealing.FROM_HAND),
}


def answers(case: Case, noticed: list[Interrupted], instruction: acts.AnyInstruction, path: Path) -> list[object]:
    """Every declared outcome; a decision may be for each multiple."""
    if isinstance(instruction, acts.Ask):
        bet, fold = instruction.choices
        found: list[object] = [*(bet.times(number) for number in (2, 1, 3)), fold.times(1), acts.Left()]
    else:
        found = outcomes(case, instruction, path)
    if not instruction.interruptible or (path.results and interrupted(path.results[-1])):
        return found
    return [*found, *noticed]


class Unseen(Cross):
    """Its sensors see that there is a wager, and not how much."""

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        return tuple(replace(stake, amount=None) for stake in super().stakes)


def test_where_only_presence_is_known_results_and_odds_stand() -> None:
    known, unknown = (document(kind(GAME, (*ONE, *TWO))) for kind in (Cross, Unseen))
    assert unknown == without_amounts(known)
    assert {"across", "down", "middle"} <= {row["wager"] for row in known["wagers"]}


def document(case: Case) -> Document:
    path, _others = play(case.table(), partial(answers, case, []), ())
    return round_document(GAME, path.events)


def telling(result: object) -> bool:
    """Outcomes that are tried together with another one: those that leave a mark on what comes after."""
    if isinstance(result, Interrupted):
        incident = result.incident
        return isinstance(incident, acts.Incident) and incident.kind in ("player_left", "card_exposed")
    return not isinstance(result, acts.Decision) or result.verb == "fold"


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
            nothing_is_told_early(path)
            hands_are_whole(path)
            board_is_turned_up_in_turn(path)
            bets_are_multiples(path)
            who_is_out_is_not_asked(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 50
    assert ended[Outcome.VOID] > 20


def hands_are_whole(path: Path) -> None:
    if closing(path).outcome is Outcome.COMPLETED:
        players = {seat(event.seat) for event in path.only(e.WagerMade)}
        held = Counter(event.to for event in path.only(e.CardDealt) if event.to is not RACK)
        assert held == {**dict.fromkeys(players, 2), COMMUNITY: 5}
    places = [event.to for event in path.only(e.CardDealt) if event.to is not RACK]
    assert COMMUNITY not in places[5:], "the cross comes first (674a.8(d))"


def board_is_turned_up_in_turn(path: Path) -> None:
    """The outer pair of the middle row, that of the column, the centre; then the players, counterclockwise."""
    shown = [event.place for event in path.only(e.CardsExposed) if event.position is COMMUNITY]
    assert shown == [2, 4, 1, 5, 3][: len(shown)]
    if closing(path).outcome is Outcome.COMPLETED:
        assert len(shown) == 5
    turned_up = [event.position.number for event in path.only(e.CardsExposed) if event.position is not COMMUNITY]
    assert turned_up == sorted(set(turned_up), reverse=True)
    if turned_up:
        assert len(shown) == 5


def bets_are_multiples(path: Path) -> None:
    made = {(event.seat, event.wager): event.amount for event in path.only(e.WagerMade)}
    decided = Counter((event.seat, event.amount) for event in path.only(e.SeatDecided) if event.verb == "bet")
    bets = Counter(
        (number, amount) for (number, wager), amount in made.items() if wager in ("across", "down", "middle")
    )
    assert bets == decided
    assert all(amount in {Money(times * made[number, "ante_across"]) for times in (1, 2, 3)} for number, amount in bets)


def who_is_out_is_not_asked(path: Path) -> None:
    """A fold or a departure ends the questions; what a fold takes is all but the Five Card Bonus (674a.11(b))."""
    for number in {event.seat for event in path.only(e.WagerMade)}:
        verbs = [event.verb for event in path.only(e.SeatDecided) if event.seat == number]
        assert all(verb == "bet" for verb in verbs[:-1])
        assert len(verbs) <= 3
        if verbs[-1:] == ["fold"] and closing(path).outcome is Outcome.COMPLETED:
            settled = {x.wager: x.result for x in path.only(e.WagerSettled) if x.seat == number}
            noted = [x for x in path.only(e.IrregularityNoted) if x.kind == "player_left" and x.cite is not None]
            gone = seat(number) in [x.position for x in noted]
            assert {result for wager, result in settled.items() if wager != BONUS} == {Result.FORFEITED}
            if BONUS in settled:
                assert (settled[BONUS] is Result.FORFEITED) == gone
            racked = [x.position for x in path.only(e.CardsCollected)]
            assert racked.count(seat(number)) == 1
