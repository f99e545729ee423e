"""Six-Card Fortune Pai Gow fed with every declared outcome of every instruction: however it goes, it ends in order."""

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
from tests.procedure.test_explore_stand_ins import answers as answers_of
from tests.procedure.test_progressive_explorer import money_is_conserved

GAME = game("six_card_fortune_pai_gow")
SIDE_BETS = ("fortune_bonus", "insurance", "progressive")
ENVIES = ("fortune_envy", "progressive_envy")
ONE = ((2, "pai_gow"),)
TWO = ((2, "pai_gow"), (2, "fortune_bonus"), (2, "insurance"), (3, "pai_gow"), (3, "fortune_bonus"))
TRAY = ((2, "pai_gow"), (2, "progressive"), (5, "pai_gow"))


@dataclass(frozen=True)
class SixCards(Case):
    """A small table of Six-Card Fortune Pai Gow; `unknown`: its sensors tell no amounts."""

    filed: Mapping[str, Any] = field(default_factory=dict)
    unknown: bool = False

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        known = super().stakes
        return tuple(acts.Stake(s.seat, s.wager, None) for s in known) if self.unknown else known

    def table(self) -> Table:
        rules = GAME.submission.model_validate({"starting_position": self.start, **self.filed}).filed()
        return Table(GAME, rules, Setup(self.dealing, self.shuffler, GAME.seats), super().table().state)


LOOKED_AT = (1, 2, 13, 41, 42)
"""Cards of the deal at which something else may happen: the others are like them, and all would take minutes."""
DOUBLE = {"double_down": True}
CASES = {
    "one seat": SixCards(GAME, ONE, filed=DOUBLE),
    "one seat, stacks": SixCards(GAME, ONE, Dealing.AUTOMATED_SHOE, start="rng", filed=DOUBLE),
    "two seats": SixCards(
        GAME,
        TWO,
        shuffler=Shuffler.NONE,
        filed={**DOUBLE, "fortune_bonus": True, "insurance": True, "adjacent_positions": True},
    ),
    "unknown amounts": SixCards(
        GAME, TWO, Dealing.AUTOMATED_SHOE, filed={"fortune_bonus": True, "insurance": True}, unknown=True
    ),
    "a progressive, from the hand": SixCards(GAME, TRAY, Dealing.FROM_HAND, filed={"progressive": True}),
}


def answers(case: Case, noticed: list[Interrupted], instruction: acts.AnyInstruction, path: Path) -> list[Any]:
    """Hands as they may be set, lammers where the dealer sees wagers of enough, seats of one player."""
    asked = isinstance(instruction, acts.Ask)
    found = (answers_of if asked else told)(case, noticed, instruction, path)
    set_by: list[Any]
    match instruction:
        case acts.Draw(number=number) | acts.DealAround(number=number) if number not in LOOKED_AT:
            return found[:1]
        case acts.SetHands(cards=cards, low=low):
            set_by = [low] if low else [cards[:1], cards[-1:]]
        case acts.PlaceLammers(seats=seats, asked=unknown):
            set_by = [seats, (*seats, *unknown)]
        case acts.SharedSeats(pairs=pairs):
            set_by = [(), pairs]
        case _:
            return found
    return [*set_by, *(other for other in found if isinstance(other, Interrupted))]


@pytest.mark.parametrize("name", CASES)
def test_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]

    def again(result: object) -> bool:
        if isinstance(result, Interrupted):
            exposed = result.incident
            at_seat_2 = isinstance(exposed, acts.Incident) and exposed.position is seat(2)
            return name == "one seat" and at_seat_2 and exposed.kind == "card_exposed"
        return isinstance(result, acts.Decision | acts.Left) and name != "one seat, stacks"

    paths = list(explore(case.table, lambda act, path: answers(case, noticed, act, path), further=again))
    for path in paths:
        try:
            if closing(path).outcome is not Outcome.SUSPENDED:
                ends_closed(case, path)
            if name != "unknown amounts":
                money_is_conserved(path)
            cards_are_conserved(case, path)
            nothing_is_told_early(path)
            hands_are_whole(path)
            seats_are_taken_in_turn(path)
            void_hands_have_no_part(path)
            side_bets_come_after_all_main_wagers(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 50
    assert ended[Outcome.VOID] > 20
    assert bool(ended[Outcome.SUSPENDED]) == (name == "a progressive, from the hand")
    assert any("hand_void" in noted.remedies for path in paths for noted in path.only(e.IrregularityNoted)) == (
        name == "one seat"
    )


def hands_are_whole(path: Path) -> None:
    """Six cards at each of the seven places, and none left where nobody has wagered."""
    if closing(path).outcome is not Outcome.COMPLETED:
        return
    held = Counter(event.to for event in path.only(e.CardDealt) if event.to is not RACK)
    assert held == dict.fromkeys([*(seat(number) for number in range(1, 7)), DEALER], 6)
    wagered = {event.seat for event in path.only(e.WagerMade)}
    racked = [event.position.number for event in path.only(e.CardsCollected)]
    assert racked == [number for number in range(1, 7) if number not in wagered]


def seats_are_taken_in_turn(path: Path) -> None:
    """The dealer first, then the seats counterclockwise, each hand set once it is seen; all that were asked before."""
    order = [event for event in path.events if isinstance(event, e.SeatAsked | e.CardsExposed | e.HandsSet)]
    shown = [event.position for event in order if isinstance(event, e.CardsExposed)]
    assert shown[:1] in ([], [DEALER])
    turned_up = [position.number for position in shown[1:]]
    assert turned_up == sorted(set(turned_up), reverse=True)
    first = next((n for n, event in enumerate(order) if isinstance(event, e.CardsExposed)), len(order))
    assert not any(isinstance(event, e.SeatAsked) for event in order[first:])
    for event in path.only(e.HandsSet):
        (cards,) = (each.cards for each in path.only(e.CardsExposed) if each.position is event.position)
        assert len(event.low) == 1
        assert sorted(map(str, (*event.high, *event.low))) == sorted(map(str, cards))
    if closing(path).outcome is Outcome.COMPLETED:
        gone = [event.seat for event in path.only(e.SeatDecided) if event.verb == "leave"]
        assert not {*gone} & {*turned_up}


def void_hands_have_no_part(path: Path) -> None:
    """670a.13(d): all wagers of a hand that is void go back; nobody is paid by it or for it."""
    for noted in path.only(e.IrregularityNoted):
        if "hand_void" in noted.remedies and closing(path).outcome is Outcome.COMPLETED:
            rows = [row for row in path.only(e.WagerSettled) if noted.position in (seat(row.seat), seat(row.on or 1))]
            mine = [row for row in rows if row.seat == noted.position.number]
            assert mine
            assert {row.result for row in mine} == {Result.VOID}
            assert not [row for row in rows if row.on == noted.position.number]


def side_bets_come_after_all_main_wagers(path: Path) -> None:
    """670a.11(e)-(h): main and Double Down Wagers of all seats, their side bets, then the envies."""
    if closing(path).outcome is not Outcome.COMPLETED:
        return
    left = {n.position.number for n in path.only(e.IrregularityNoted) if n.kind == "player_left"}
    left |= {event.seat for event in path.only(e.SeatDecided) if event.verb == "leave"}
    rows = [row for row in path.only(e.WagerSettled) if row.seat not in left and row.result is not Result.VOID]
    kinds = [2 * (row.wager in ENVIES) + (row.wager in SIDE_BETS) for row in rows]
    assert kinds == sorted(kinds)
