"""Lunar Poker fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, RACK, FaceDown, card
from tablectl.engine.drive import Interrupted
from tablectl.engine.outcome import round_document
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import Table
from tests.procedure.explorer import Path, explore, interrupted, play
from tests.procedure.test_explore_stand_ins import Case, closing, ends_closed, incidents, outcomes

GAME = game("lunar_poker")
RULES = GAME.submission.model_validate({"super_on_others": True}).filed()
ONE = ((1, "ante"), (1, "super"), (1, "super_dealer"))
TWO = (
    (2, "ante"),
    (2, "super"),
    (2, "super_seat_5"),
    (5, "ante"),
    (5, "super"),
    (5, "super_dealer"),
    (5, "super_seat_2"),
)
# Seat 2, or the only one, has a flush, the dealer a pair; then come the cards that are drawn.
CARDS = "9h 2c 4d Jh 3s 4c 2h 5s Qd 5h 7c Kd 7h 8s 9s Ah Kc Ts 6c 8d 3d 6s 3c 5d 6d 9c Tc Jd Qc 2s 2d 4s 8h 8c Jc 7d"
ROYAL = "Ah 2c Kh 3s Qh 4d Jh 5c Th 7s"


@dataclass(frozen=True)
class Moon(Case):
    """A small table of Lunar Poker."""

    cards: tuple[str, ...] = tuple(CARDS.split())

    def table(self) -> Table:
        setup = Setup(self.dealing, self.shuffler, GAME.seats)
        return Table(GAME, RULES, setup, super().table().state)


def royal() -> tuple[str, ...]:
    first = ROYAL.split()
    return (*first, *(name for name in CARDS.split() if name not in first))


CASES = {
    "one seat": Moon(GAME, ONE, Dealing.MANUAL_SHOE, Shuffler.NONE),
    "one seat with a royal flush": Moon(GAME, ONE, Dealing.FROM_HAND, cards=royal()),
    "one seat, stacks": Moon(GAME, ONE, Dealing.AUTOMATED_SHOE),
    "two seats": Moon(GAME, TWO),
}


def answers(case: Moon, noticed: list[Interrupted], act: acts.AnyInstruction, path: Path) -> list[object]:
    found = mine(case, act, path)
    again = bool(path.results) and interrupted(path.results[-1])
    return found if again or not act.interruptible else [*found, *noticed]


def mine(case: Moon, act: acts.AnyInstruction, path: Path) -> list[object]:
    match act:
        case acts.Draw() | acts.DealAround() | acts.Dispense():
            return dealt(case, act, path)
        case acts.Declare(seats=seats):
            said = [(acts.Declaration(number, what),) for number in seats for what in ("super", "instant")]
            return [(), *said, tuple(acts.Declaration(number, "super") for number in seats)]
        case acts.LockDecisions(seats=seats):
            anew = any(isinstance(x, acts.LockDecisions) for x in path.instructions if not interrupted(x))
            return [None, *([] if anew else seats)]
        case acts.Discard():
            return [acts.Discarded(3, (0, 2, 4)), acts.Discarded(2), acts.Discarded(5)]
        case acts.Ask(choices=choices):
            chosen = [acts.Decision(choice.verb, choice.amount) for choice in reversed(choices)]
            return [*chosen, acts.Left()]
        case acts.Expose(cards=cards, among=among):
            known = [hidden.card for hidden in cards if hidden.card is not None]
            rest = [hidden.card for hidden in among if hidden.card is not None]
            return [acts.Exposed(tuple([*known, *rest][: len(cards)]))]
        case _:
            return outcomes(case, act, path)


def dealt(case: Moon, act: acts.Draw | acts.DealAround | acts.Dispense, path: Path) -> list[object]:
    out = len(path.only(e.CardDealt))
    good: list[acts.Drawn | acts.FoundFaceUp] = [acts.Drawn(FaceDown(card(name))) for name in case.cards[out : out + 6]]
    up = acts.FoundFaceUp(card(case.cards[out]))
    if isinstance(act, acts.Draw | acts.DealAround):
        return [good[0], up]
    return [
        acts.Dispensed(tuple(good[: act.count])),
        acts.Dispensed((up, *good[1 : act.count + 1])),
        acts.ShoeJammed(tuple(good[: act.count - 1])),
    ]


def telling(result: object) -> bool:
    """What is tried together with another outcome: what leaves a mark on the rest of the round."""
    if not isinstance(result, Interrupted):
        return isinstance(result, int | acts.Left)
    incident = result.incident
    return isinstance(incident, acts.Incident) and incident.kind in ("player_left", "wrong_card_count", "card_exposed")


@pytest.mark.parametrize("name", CASES)
def test_671a_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]
    further = telling if name == "one seat, stacks" else None
    paths = list(explore(case.table, partial(answers, case, noticed), further=further))
    for path in paths:
        try:
            ends_closed(case, path)
            every_wager_is_settled_once(path)
            money_is_conserved(path)
            cards_are_conserved(path)
            acts_are_in_order(path)
            decisions_are_kept(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 50
    assert ended[Outcome.VOID] > 20


def made(path: Path) -> dict[tuple[int, str], object]:
    """The wagers that were not taken back."""
    found: dict[tuple[int, str], object] = {}
    for event in path.events:
        if isinstance(event, e.WagerMade):
            assert (event.seat, event.wager) not in found
            found[event.seat, event.wager] = event.amount
        elif isinstance(event, e.WagerWithdrawn):
            assert found.pop((event.seat, event.wager)) == event.amount
    return found


def every_wager_is_settled_once(path: Path) -> None:
    place = next((n for n, event in enumerate(path.events) if isinstance(event, e.RoundVoided)), len(path.events))
    before, after = (
        [event for event in part if isinstance(event, e.WagerSettled) and event.wager != "second_bet"]
        for part in (path.events[:place], path.events[place:])
    )
    settled = [(event.seat, event.wager) for event in before]
    assert len(settled) == len(set(settled)), "settled twice"
    if closing(path).outcome is not Outcome.VOID:
        assert set(settled) == set(made(path))
        return
    (voided,) = path.only(e.RoundVoided)
    stands = {(event.seat, event.wager) for event in before if e.spot(event.seat, event.wager, 0) in voided.stands}
    assert len(stands) == len(voided.stands)
    assert not stands or voided.cause == "card_exposed"
    given_back = {(event.seat, event.wager) for event in after}
    assert given_back | stands == set(made(path))
    assert not given_back & stands
    assert all(event.result is Result.VOID for event in after)


def money_is_conserved(path: Path) -> None:
    staked = made(path)
    for event in path.only(e.WagerSettled):
        if event.wager == "second_bet":
            assert (event.staked, event.result) == (0, Result.WIN)
            continue
        assert event.staked == staked[event.seat, event.wager] == event.returned + event.collected
        assert (event.collected == event.staked) == (event.result in (Result.LOSE, Result.FORFEITED))
        assert (event.paid > 0) == (event.result is Result.WIN)
    for number, wager in staked:
        if wager == "bet":
            assert staked[number, wager] == 2 * int(str(staked[number, "ante"]))
        if wager == "options_fee":
            assert staked[number, wager] == staked[number, "ante"]


def cards_are_conserved(path: Path) -> None:
    dealt = path.only(e.CardDealt)
    assert [event.number for event in dealt] == list(range(1, len(dealt) + 1))
    held: Counter[object] = Counter()
    for event in path.events:
        match event:
            case e.CardDealt(to=to) if to is not RACK:
                held[to] += 1
            case e.CardsCollected(position=position, cards=cards):
                held[position] -= cards
                assert held[position] >= 0
            case e.CardsExposed(position=position, place=0, cards=cards):
                assert len(cards) == held[position], f"{position} shows other cards than it was dealt"
                assert len(set(cards)) == len(cards)
            case _:
                pass
    assert path.only(e.AlarmRaised) == [], "a hand that is turned up twice is no card twice"


def acts_are_in_order(path: Path) -> None:
    """671a.11(c) to (f): locked in, players' hands clockwise, the dealer, then counterclockwise."""
    kinds = [type(event) for event in path.events]
    first, lock = kinds.index(e.SeatAsked) if e.SeatAsked in kinds else None, path.only(e.DecisionsLocked)
    if first is not None:
        turned = [x for x in path.events[:first] if isinstance(x, e.CardsExposed)]
        assert [(x.position, x.place, len(x.cards)) for x in turned] == [(DEALER, 5, 1)], (
            "the last card alone (671a.8(c))"
        )
    assert len(lock) <= 1
    locked = path.events.index(lock[0]) if lock else len(path.events)
    revealed = next(
        (
            n
            for n, x in enumerate(path.events)
            if isinstance(x, e.CardsExposed) and (x.position, x.place) == (DEALER, 0)
        ),
        len(path.events),
    )
    void = kinds.index(e.RoundVoided) if e.RoundVoided in kinds else len(kinds)
    for place, event in enumerate(path.events[:void]):
        match event:
            case e.WagerSettled(wager="super_dealer", result=result) if result is not Result.FORFEITED:
                assert place > revealed
            case e.WagerSettled(wager="bet" | "second_bet", result=result) if result is not Result.FORFEITED:
                assert place > revealed
            case e.WagerSettled():
                assert place > locked
            case e.SeatAsked():
                assert place < revealed
            case e.WagerWithdrawn() | e.HandDeclared():
                assert place < locked
            case _:
                pass
    asked = [event.seat for event in path.events[locked:] if isinstance(event, e.SeatAsked)]
    assert asked == sorted(set(asked)), "new cards are dealt clockwise (671a.11(d))"
    shown = [event.position.number for event in path.events[revealed + 1 : void] if isinstance(event, e.CardsExposed)]
    assert shown == sorted(set(shown), reverse=True), "counterclockwise (671a.11(f)(2))"


def decisions_are_kept(path: Path) -> None:
    """Who folds loses the Ante, who has an instant hand is paid on it, and nobody bets without having said so."""
    last = {event.seat: event.verb for event in path.only(e.SeatDecided)}
    declared = {event.seat: event.what for event in path.only(e.HandDeclared)}
    if closing(path).outcome is not Outcome.COMPLETED:
        return
    rows = {(event.seat, event.wager): event for event in path.only(e.WagerSettled)}
    left = {event.position.number for event in path.only(e.IrregularityNoted) if event.kind == "player_left"}
    for number in {number for number, _wager in made(path)} - left:
        ante = rows[number, "ante"]
        if declared.get(number) == "instant":
            flush = ante.result is Result.WIN and ante.cite == "671a.12(a)"
            assert flush or ante.cite == "671a.11(c)(4)"
        elif last[number] == "fold":
            assert ante.result is Result.FORFEITED
            assert (number, "bet") not in rows
        elif last[number] == "bet":
            assert ante.cite in ("671a.12(c)", "671a.11(f)(2)(i)", "671a.11(f)(2)(ii)", "671a.11(f)(2)(iii)")
            assert (number, "bet") in rows
        else:
            assert (last[number], ante.cite) == ("leave", "671a.7(b)")


def test_amounts_that_nobody_has_seen_are_null_and_all_else_is_the_same() -> None:
    def document(case: Moon) -> dict[str, Any]:
        path, _others = play(case.table(), partial(answers, case, []), ())
        return round_document(GAME, path.events)

    known, unknown = document(CASES["two seats"]), document(Unseen(GAME, TWO))
    assert len(known["wagers"]) > len(TWO)
    assert unknown["wagers"] == [{**row, **dict.fromkeys(AMOUNTS)} for row in known["wagers"]]
    assert unknown["net"] == {"2": None, "5": None}
    assert [unknown[key] for key in ("outcome", "order")] == [known[key] for key in ("outcome", "order")]


AMOUNTS = ("staked", "paid", "returned", "collected")


class Unseen(Moon):
    """The same table with sensors that see a wager and not its amount."""

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        return tuple(acts.Stake(number, wager, None) for number, wager in self.wagers)
