"""Double Back Jack fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import partial

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, RACK, FaceDown, card, seat
from tablectl.engine.drive import Interrupted
from tablectl.engine.outcome import round_document
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Setup, Shuffler
from tablectl.procedure.instructions import AnyInstruction, Incident, Stake
from tablectl.procedure.table import Table
from tests.games.by_hand_673a import blackjack, count
from tests.games.scenarios import Document, without_amounts
from tests.procedure.explorer import Path, explore, play
from tests.procedure.test_explore_stand_ins import (
    Case,
    closing,
    ends_closed,
    every_wager_is_settled_once,
    incidents,
    nothing_is_told_early,
    outcomes,
)

GAME = game("double_back_jack")
TWO = ((2, "blackjack"), (5, "blackjack"))


@dataclass(frozen=True)
class Jack(Case):
    """A small table of Double Back Jack, with the cards that come out of its shoe: one burned, then the round's."""

    cards: str = ""

    def table(self) -> Table:
        setup = Setup(self.dealing, self.shuffler, GAME.seats)
        return Table(GAME, GAME.submission().filed(), setup, super().table().state)


def jack(cards: str, wagers: tuple[tuple[int, str], ...] = TWO) -> Jack:
    return Jack(GAME, wagers, shuffler=Shuffler.NONE, cards=f"2c {cards}")


FURTHER = "5d 6h 9s 4c 7d 3h Ts 2s Kd 8c 9h 6s 4d 5h Tc 2d"
CASES = {
    "a pair, and a low card up": jack(f"8c Tc 6h 8d 5c 9d {FURTHER}"),
    "an ace up": jack(f"8c Tc Ah 8d 5c 9d {FURTHER}"),
    "an ace up, and a Blackjack": jack(f"As Tc Ah Kd 5c Kc {FURTHER}"),
    "a king up": jack(f"8c Tc Kh 3d 5c 6d {FURTHER}"),
    "one seat, aces": jack(f"Ac 7h Ad 8d {FURTHER}", ((3, "blackjack"),)),
}


def answered(case: Jack, noticed: list[Interrupted], instruction: AnyInstruction, path: Path) -> list[object]:
    """What the instructions of this game may be answered, beside those that all games have."""
    names = case.cards.split()
    match instruction:
        case acts.Draw() | acts.DealAround() | acts.Burn():
            shown = card(names[len(path.only(e.CardDealt))])
            found: list[object] = [acts.Drawn(FaceDown(shown)), acts.FoundFaceUp(shown)]
        case acts.Peek(due=False):
            found = [None]
        case acts.Peek(seats=seats):
            own = _dealers(case, path)
            told = blackjack(own)
            found = [acts.Peeked(told), acts.Peeked(told, seats), acts.Peeked(not told), acts.ReaderFailed()]
        case acts.Ask(choices=choices):
            found = [*(acts.Decision(choice.verb, choice.amount) for choice in choices), acts.Left()]
            if choices[0].verb == "hit":
                found[:2] = found[1::-1]  # a smooth round has an end
        case _:
            found = outcomes(case, instruction, path)
    if not instruction.interruptible or (path.results and isinstance(path.results[-1], Interrupted)):
        return found
    return [*found, *noticed]


def _dealers(case: Jack, path: Path) -> list[str]:
    names = case.cards.split()
    return [names[x.number - 1] for x in path.only(e.CardDealt) if x.to is DEALER]


def telling(result: object) -> bool:
    """Outcomes that are tried together with another one: choices, too."""
    return isinstance(result, acts.Decision | acts.Peeked | acts.Left) or leaves_a_mark(result)


def leaves_a_mark(result: object) -> bool:
    """Irregularities that are tried together: those of which something comes later."""
    if not isinstance(result, Interrupted):
        return False
    incident = result.incident
    if not isinstance(incident, Incident):
        return False
    if incident.kind == "player_missed_card":
        return incident.position is not None and incident.position is not DEALER
    return incident.kind == "drawn_in_error" and incident.exposed


FURTHER_TRIED = {"one seat, aces": telling, "a pair, and a low card up": leaves_a_mark}


@pytest.mark.parametrize("name", CASES)
def test_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]
    paths = list(explore(case.table, partial(answered, case, noticed), further=FURTHER_TRIED.get(name)))
    for path in paths:
        try:
            ends_closed(case, path)
            every_wager_is_settled_once(case, path)
            money_is_conserved(path)
            nothing_is_told_early(path)
            cards_are_in_order(path)
            stakes_are_what_the_chapter_allows(path)
            hole_card_is_turned_up_once(path)
            results_follow_from_the_cards(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 100
    assert ended[Outcome.SUSPENDED] > 10
    assert ended[Outcome.VOID] == 0, "nothing in this chapter voids a round"


def money_is_conserved(path: Path) -> None:
    for event in path.only(e.WagerSettled):
        assert event.staked == event.returned + event.collected
        assert (event.paid > 0) == (event.result is Result.WIN)
        if event.result is Result.SURRENDERED:
            assert event.collected in (event.staked // 2, event.staked)
        else:
            assert event.collected == (event.staked if event.result in (Result.LOSE, Result.FORFEITED) else 0)


def cards_are_in_order(path: Path) -> None:
    dealt = path.only(e.CardDealt)
    assert [event.number for event in dealt] == list(range(1, len(dealt) + 1))
    shown = [(event.position, event.place) for event in path.only(e.CardsExposed) if event.place]
    assert len(shown) == len(set(shown)), "a card is turned up once"


def stakes_are_what_the_chapter_allows(path: Path) -> None:
    made = {(event.seat, event.wager, event.hand): event.amount for event in path.only(e.WagerMade)}
    for (number, wager, hand), amount in made.items():
        original = made[number, "blackjack", 0]
        assert hand in (0, 1), "a pair makes two hands at the most (673a.11(a))"
        if wager == "split":
            assert (hand, amount) == (1, original)
        if wager == "double":
            assert 0 < amount <= original
        if wager == "insurance":
            assert 0 < amount <= -(-original // 200) * 100
        if wager == "second_chance":
            current = original + made.get((number, "double", hand), 0)
            assert amount == current


def hole_card_is_turned_up_once(path: Path) -> None:
    """After every decision and nothing but the dealer's draws behind it (673a.7(n), (o))."""
    turned = [n for n, x in enumerate(path.events) if isinstance(x, e.CardsExposed) and x.place == 0]
    assert len(turned) == (closing(path).outcome is Outcome.COMPLETED) or closing(path).cause == "card_reader_fault"
    if turned:
        later = path.events[turned[0] :]
        assert not [x for x in later if isinstance(x, e.SeatAsked)]
        assert all(x.to in (DEALER, RACK) or x.to.kind == "burn" for x in later if isinstance(x, e.CardDealt))


def results_follow_from_the_cards(path: Path) -> None:
    """What a hand that was neither split nor given a second chance comes to against the dealer's (673a.7(q)-(s))."""
    if closing(path).outcome is not Outcome.COMPLETED:
        return
    hands: dict[object, list[str]] = defaultdict(list)
    for event in path.only(e.CardsExposed):
        hands[event.position] += [each.name for each in event.cards]
    dealer = hands[DEALER]
    special = {x.seat for x in path.only(e.WagerMade) if x.wager in ("split", "second_chance")}
    for row in path.only(e.WagerSettled):
        own = hands[seat(row.seat)]
        if row.wager != "blackjack" or row.seat in special or row.result not in (Result.WIN, Result.PUSH, Result.LOSE):
            continue
        if len(own) == 2 and blackjack(own):
            wanted = Result.WIN
        elif blackjack(dealer[:2]) or count(own) > 21:
            wanted = Result.LOSE
        elif count(own) == 21:
            wanted = Result.WIN
        elif count(dealer) == 22 or count(dealer) == count(own):
            wanted = Result.PUSH
        else:
            wanted = Result.WIN if count(dealer) > 22 or count(own) > count(dealer) else Result.LOSE
        assert row.result is wanted, f"{own} against {dealer}"


class Unseen(Jack):
    """Its sensors see that there is a wager, and not how much."""

    @property
    def stakes(self) -> tuple[Stake, ...]:
        return tuple(replace(stake, amount=None) for stake in super().stakes)


def document(case: Jack) -> Document:
    path, _others = play(case.table(), partial(answered, case, []), ())
    return round_document(GAME, path.events)


@pytest.mark.parametrize("name", CASES)
def test_where_only_presence_is_known_results_and_odds_stand(name: str) -> None:
    case = CASES[name]
    unseen = Unseen(case.game, case.wagers, case.dealing, case.shuffler, cards=case.cards)
    assert document(unseen) == without_amounts(document(case))
