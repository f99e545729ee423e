"""Mississippi Stud fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import COMMUNITY, RACK, seat
from tablectl.engine.drive import Interrupted
from tablectl.events import Outcome
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import Table
from tests.procedure.explorer import Path, explore
from tests.procedure.test_explore_stand_ins import (
    Case,
    answers,
    cards_are_conserved,
    closing,
    ends_closed,
    incidents,
    nothing_is_told_early,
)
from tests.procedure.test_progressive_explorer import money_is_conserved

GAME = game("mississippi_stud")
ONE = ((1, "ante"), (1, "three_card_bonus"))
TWO = ((2, "ante"), (2, "three_card_bonus"), (5, "ante"))
TRAY = ((1, "ante"), (1, "progressive"), (2, "ante"))


@dataclass(frozen=True)
class Stud(Case):
    """A small table of Mississippi Stud."""

    filed: Mapping[str, Any] = field(default_factory=lambda: {"three_card_bonus": "A"})
    continuous: bool = False

    def table(self) -> Table:
        setup = Setup(self.dealing, self.shuffler, GAME.seats, continuous=self.continuous)
        return Table(GAME, GAME.submission.model_validate(self.filed).filed(), setup, super().table().state)


CASES = {
    "one seat": Stud(GAME, ONE),
    "one seat, stacks": Stud(GAME, ONE, Dealing.AUTOMATED_SHOE),
    "board first": Stud(
        GAME,
        ONE,
        Dealing.AUTOMATED_SHOE,
        Shuffler.COUNTING,
        filed={"three_card_bonus": "A", "community_first": True},
        continuous=True,
    ),
    "two seats": Stud(GAME, TWO, Dealing.MANUAL_SHOE, Shuffler.NONE),
    "two seats, from the hand": Stud(GAME, TWO, Dealing.FROM_HAND),
    "a progressive": Stud(GAME, TRAY, filed={"progressive": True}),
}


def told(case: Case, noticed: list[Interrupted], instruction: acts.AnyInstruction, path: Path) -> list[Any]:
    """Every declared outcome; a system that needs nobody's hand and says what was laid."""
    match instruction:
        case acts.OpenWagering():
            return [acts.WageringOpen(), acts.WageringShut("lost")]
        case acts.CollectWagers(wagers=wagers):
            return [tuple(stake for stake in case.stakes if stake.wager in wagers)]
        case acts.LockOutWagers(placed=placed):
            return [acts.Accepted(len(placed)), acts.Accepted(len(placed) + 1), acts.NotLocked("lost")]
        case acts.CollectChips(accepted=accepted):
            return [acts.ChipsCounted(accepted), acts.ChipsCounted(accepted + 1)]
        case acts.UndoLockOut():
            return [acts.Undone(True)]
        case acts.LightWin():
            return [acts.WinLit(None)]
        case acts.ValidateAward():
            return [acts.Validated("4711")]
        case acts.DocumentHandPay():
            return [acts.Documented("4711", "1001")]
        case acts.Ask(choices=(bet, *others)):
            found = answers(case, noticed, instruction, path)
            assert bet.amount is not None
            return [*found, acts.Decision(bet.verb, Money(3 * bet.amount))] if others else found
        case _:
            return answers(case, noticed, instruction, path)


@pytest.mark.parametrize("name", CASES)
def test_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]

    def again(result: object) -> bool:
        return isinstance(result, acts.Decision | acts.Left) and name == "one seat"

    paths = list(explore(case.table, lambda act, path: told(case, noticed, act, path), further=again))
    for path in paths:
        try:
            ends_closed_or_halted(case, path)
            money_is_conserved(path)
            cards_are_conserved(case, path)
            nothing_is_told_early(path)
            hands_are_whole(path)
            streets_are_asked_between_the_cards(path)
            seats_are_settled_in_turn(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 50
    assert ended[Outcome.VOID] > 20
    assert bool(ended[Outcome.SUSPENDED]) == (name == "a progressive")


def ends_closed_or_halted(case: Stud, path: Path) -> None:
    if closing(path).outcome is not Outcome.SUSPENDED:
        ends_closed(case, path)


def hands_are_whole(path: Path) -> None:
    if closing(path).outcome is Outcome.COMPLETED:
        players = {seat(event.seat) for event in path.only(e.WagerMade)}
        held = Counter(event.to for event in path.only(e.CardDealt) if event.to is not RACK)
        assert held == {**dict.fromkeys(players, 2), COMMUNITY: 3}


def streets_are_asked_between_the_cards(path: Path) -> None:
    """Asked clockwise, then a community card, three times; a seat that has folded or left is asked no more."""
    asked: list[int] = []
    out: list[int] = []
    for event in path.events:
        match event:
            case e.SeatAsked():
                assert event.seat not in out
                assert not asked or asked[-1] < event.seat
                asked.append(event.seat)
            case e.SeatDecided(verb="fold" | "leave"):
                out.append(event.seat)
            case e.CardsExposed() if event.position is COMMUNITY:
                assert len(event.cards) == 1
                asked = []
            case _:
                pass
    shown = [event.place for event in path.only(e.CardsExposed) if event.position is COMMUNITY]
    assert shown == list(range(1, len(shown) + 1))
    if closing(path).outcome is Outcome.COMPLETED:
        assert len(shown) == 3


def seats_are_settled_in_turn(path: Path) -> None:
    """Hands are turned up after the board, counterclockwise; in each seat the bonus comes last (655a.11(i))."""
    shown = [event.position for event in path.only(e.CardsExposed)]
    hands = [position.number for position in shown if position is not COMMUNITY]
    assert hands == sorted(set(hands), reverse=True)
    if hands:
        assert shown[:3] == [COMMUNITY] * 3
    if closing(path).outcome is Outcome.COMPLETED:
        for number in hands:
            rows = [event.wager for event in path.only(e.WagerSettled) if event.seat == number]
            assert "three_card_bonus" not in rows[:-1]
