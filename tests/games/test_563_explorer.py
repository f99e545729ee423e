"""Chapter 563 fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import BURN, COMMUNITY, DEALER, RACK, seat
from tablectl.engine.drive import Interrupted
from tablectl.engine.outcome import round_document
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import Table
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

GAME = game("texas_holdem_bonus")
ONE = ((1, "ante"), (1, "bonus"))
TWO = ((2, "ante"), (2, "bonus"), (5, "ante"))


@dataclass(frozen=True)
class HoldEm(Case):
    """A small table of the game."""

    def table(self) -> Table:
        setup = Setup(self.dealing, self.shuffler, GAME.seats)
        return Table(GAME, GAME.submission().filed(), setup, super().table().state)


CASES = {
    "one seat": HoldEm(GAME, ONE),
    "one seat, stacks": HoldEm(GAME, ONE, Dealing.AUTOMATED_SHOE),
    "two seats": HoldEm(GAME, TWO, Dealing.MANUAL_SHOE, Shuffler.NONE),
    "two seats, from the hand": HoldEm(GAME, TWO, Dealing.FROM_HAND, since_count=0),
}


def telling(result: object) -> bool:
    """Outcomes that are tried together with another one: those that leave a mark on what comes after."""
    match result:
        case acts.Left() | acts.Decision("fold"):
            return True
        case Interrupted(acts.Incident("card_exposed", position)):
            return position is DEALER
        case _:
            return False


def up(result: object) -> bool:
    """A second card that lies face up."""
    return isinstance(result, acts.FoundFaceUp)


@pytest.mark.parametrize("name", CASES)
def test_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]
    further = telling if name == "one seat" else up if name == "one seat, stacks" else None
    paths = list(explore(case.table, partial(answers, case, noticed), further=further))
    for path in paths:
        try:
            ends_closed(case, path)
            every_wager_is_settled_once(case, path)
            money_is_conserved(path)
            cards_are_conserved(case, path)
            nothing_is_told_early(path)
            everybody_and_the_board_are_dealt(path)
            streets_follow_each_other(path)
            wagers_follow_the_decisions(path)
            a_void_settles_a_bonus_or_returns_it(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 50
    assert ended[Outcome.VOID] > 20


class PresenceOnly(HoldEm):
    """Sensors that see a wager and not its amount."""

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        return tuple(acts.Stake(number, wager, None) for number, wager in self.wagers)


def test_amounts_are_null_and_all_else_is_the_same() -> None:
    def played(case: Case) -> dict[str, Any]:
        path, _others = play(case.table(), partial(answers, case, []), ())
        return round_document(GAME, path.events)

    known, unknown = played(HoldEm(GAME, TWO)), played(PresenceOnly(GAME, TWO))
    amounts = dict.fromkeys(("staked", "paid", "returned", "collected"))
    assert len(known["wagers"]) == 9
    assert unknown == {
        **known,
        "wagers": [{**row, **amounts} for row in known["wagers"]],
        "net": dict.fromkeys(known["net"]),
    }


def everybody_and_the_board_are_dealt(path: Path) -> None:
    players = {seat(event.seat) for event in path.only(e.WagerMade)}
    held = Counter(event.to for event in path.only(e.CardDealt) if event.to is not RACK)
    if closing(path).outcome is Outcome.COMPLETED:
        assert held == {**dict.fromkeys([*players, DEALER], 2), COMMUNITY: 5, BURN: 3}
        shown = [event.place for event in path.only(e.CardsExposed) if event.position is COMMUNITY]
        assert shown == [1, 2, 3, 4, 5], "each once, as dealt (563.11(b), (d), (f))"


def streets_follow_each_other(path: Path) -> None:
    """Asked clockwise three times, once before each part of the board; nobody else's cards are seen before the last."""
    order: list[str] = []
    for event in path.events:
        match event:
            case e.SeatAsked(number):
                order.append(f"ask {number}")
            case e.CardsExposed(position):
                order.append("board" if position is COMMUNITY else str(position))
            case e.CardsCounted():
                order.append("count")
            case e.RoundVoided():
                order.append("void")
            case _:
                pass
    before = order[: order.index("void")] if "void" in order else order
    streets = " ".join(before).replace("board board board", "flop").replace("board", "street").split(" flop ")
    assert len(streets) <= 2
    asked = [int(word) for word in streets[0].split() if word.isdecimal()]
    assert asked == sorted(set(asked))
    if "dealer" in before:
        hands = [place for place in before[before.index("dealer") :] if place != "dealer"]
        turned_up = [int(place.split()[1]) for place in hands if place != "count"]
        assert turned_up == sorted(set(turned_up), reverse=True), "counterclockwise (563.11(h))"
        assert "count" not in hands, "counted before the dealer's hand is shown (563.8(e))"
        assert not [act for act in hands if act.startswith("ask")]
    else:
        assert not [act for act in before if act.startswith("seat")]


def wagers_follow_the_decisions(path: Path) -> None:
    bets = Counter(event.seat for event in path.only(e.SeatDecided) if event.verb == "bet")
    made = {(event.seat, event.wager): event.amount for event in path.only(e.WagerMade)}
    placed = Counter(number for number, wager in made if wager in ("flop", "turn", "river"))
    assert placed == bets
    for (number, wager), amount in made.items():
        times = {"flop": 2, "turn": 1, "river": 1}.get(wager)
        assert times is None or amount == times * made[number, "ante"]
    folded = {event.seat for event in path.only(e.SeatDecided) if event.verb == "fold"}
    racked = {event.position.number for event in path.only(e.CardsCollected)}
    assert racked == {number for number in folded if (number, "bonus") not in made}, "563.11(a)(2)(i), (ii)"
    assert not folded & set(placed)


def a_void_settles_a_bonus_or_returns_it(path: Path) -> None:
    closed = closing(path)
    if closed.outcome is not Outcome.VOID:
        return
    void = next(number for number, event in enumerate(path.events) if isinstance(event, e.RoundVoided))
    rows = [event for event in path.events[void:] if isinstance(event, e.WagerSettled)]
    dealt = Counter(event.to for event in path.only(e.CardDealt))
    whole = all(dealt[place] == 2 for place in (DEALER, *(seat(row.seat) for row in rows)))
    settled = closed.cause == "card_exposed" or (closed.cause == "card_face_up" and whole)
    for row in rows:
        if row.wager != "bonus" or not settled:
            assert row.result is Result.VOID
            assert row.cite == closed.cite
        else:
            assert (row.result is Result.VOID) == (dealt[seat(row.seat)] < 2)
