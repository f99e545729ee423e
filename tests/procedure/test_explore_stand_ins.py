"""The stand-ins fed with every declared outcome of every instruction: however a round goes, it ends in order.

Each wager is settled exactly once, money and cards are conserved, and what a clause says of the round's end is done.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

import pytest

from tablectl import events as e
from tablectl.cards import COMMUNITY, DEALER, RACK, Card, FaceDown, Position, deck, position, seat
from tablectl.engine.drive import Interrupted
from tablectl.events import Disposition, Outcome, Result
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import SAID_OF, Dealing, Game, Remedy, Setup, Shuffler
from tablectl.procedure.table import DeckState, Table, TableState
from tests.procedure.explorer import Path, explore, interrupted
from tests.procedure.irregular_games import (
    CRISS_CROSS,
    DICE,
    HOLD_EM,
    LUNAR,
    OMAHA,
    PAI_GOW_GAME,
    STUD,
    TWENTY_ONE,
    Filed,
)


@dataclass(frozen=True)
class Case:
    """A small table of one game."""

    game: Game
    wagers: tuple[tuple[int, str], ...]
    dealing: Dealing = Dealing.MANUAL_SHOE
    shuffler: Shuffler = Shuffler.PLAIN
    start: str = "shaker"
    since_count: int = 4
    new_dealer: bool = False

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        return tuple(acts.Stake(number, wager, Money(500 * number)) for number, wager in self.wagers)

    def table(self) -> Table:
        state = TableState(
            round=0,
            decks=(DeckState("deck-1", "red", 0),),
            deck_number=1,
            rounds_since_count=self.since_count,
            dealing=self.dealing.value,
            shuffler=self.shuffler.value,
            new_dealer=self.new_dealer,
        )
        return Table(self.game, Filed(self.start), Setup(self.dealing, self.shuffler, self.game.seats), state)


AT_561 = ((2, "pai_gow"),)
ANTES = ((1, "ante"), (4, "ante"))
CASES = {
    "561": Case(PAI_GOW_GAME, AT_561),
    "561 by hand": Case(PAI_GOW_GAME, AT_561, Dealing.FROM_HAND, start="rng"),
    "561 stacks": Case(PAI_GOW_GAME, AT_561, Dealing.AUTOMATED_SHOE, start="button"),
    "563": Case(HOLD_EM, ((1, "ante"), (1, "bonus"), (4, "ante"))),
    "563 stacks": Case(HOLD_EM, ((1, "ante"), (1, "bonus")), Dealing.AUTOMATED_SHOE),
    "655a": Case(STUD, ANTES),
    "655a stacks": Case(STUD, ANTES, Dealing.AUTOMATED_SHOE),
    "674a": Case(CRISS_CROSS, ANTES, Dealing.FROM_HAND),
    "671a": Case(LUNAR, ((1, "ante"),)),
    "672a": Case(TWENTY_ONE, ((1, "blackjack"), (3, "blackjack")), new_dealer=True),
    "675a": Case(DICE, ((1, "pip_1"),)),
    "637a": Case(OMAHA, ANTES),
}


def incidents(case: Case) -> list[acts.Incident]:
    """Every kind that the chapter knows, at each kind of position, and said in each way."""
    places: dict[str, Position] = {
        "dealer": DEALER,
        "seat": seat(case.wagers[0][0]),
        "community": COMMUNITY,
        "stack": position("stack 6"),
    }
    made: list[acts.Incident] = []
    for kind in dict.fromkeys(rule.kind for rule in case.game.irregularities):
        where = [places[place] for place in case.game.places]
        made += [acts.Incident(kind, place) for place in (where if kind in case.game.must_name_position else [None])]
        if "exposed" in SAID_OF.get(kind, ()):
            made.append(acts.Incident(kind, exposed=True))
        if "sides" in SAID_OF.get(kind, ()):
            made.append(acts.Incident(kind, sides=2))
    return made


def answers(case: Case, noticed: list[Interrupted], instruction: acts.AnyInstruction, path: Path) -> list[object]:
    found = outcomes(case, instruction, path)
    if not instruction.interruptible or (path.results and interrupted(path.results[-1])):
        return found
    return [*found, *noticed]


def outcomes(case: Case, instruction: acts.AnyInstruction, path: Path) -> list[object]:
    whole = case.game.deck
    match instruction:
        case acts.Now():
            return [0]
        case acts.Attest():
            return [acts.Attested("badge")]
        case acts.CheckEquipment():
            return [acts.EquipmentChecked()]
        case acts.AccountFor(expected=expected):
            return [acts.Accounted(expected, "dealer")]
        case acts.OfferCut():
            return [acts.CutTaken(None)]
        case acts.Shuffle():
            return [acts.Shuffled(None), acts.ShuffleFault("shuffler_jam")]
        case acts.CollectWagers():
            return [case.stakes]
        case acts.Draw() | acts.DealAround() | acts.Burn():
            shown = next_cards(case, path, 1)[0]
            return [acts.Drawn(FaceDown(shown)), acts.FoundFaceUp(shown)]
        case acts.Dispense(count=count):
            cards = next_cards(case, path, count + 1)
            good = [acts.Drawn(FaceDown(shown)) for shown in cards]
            return [
                acts.Dispensed(tuple(good[:count])),
                acts.Dispensed((acts.FoundFaceUp(cards[0]), *good[1:])),
                acts.ShoeJammed(tuple(good[: count - 1])),
            ]
        case acts.CountCards(due=due):
            wrong: list[object] = [
                acts.CardsCount(whole - 1, False, None),
                acts.CardsCount(whole + 1, True, seat(case.wagers[0][0])),
            ]
            return [acts.CardsCount(whole, False, None) if due else None, *wrong]
        case acts.ThrowDice(dice=dice):
            return [acts.Thrown((1,) * dice), acts.Thrown((1,) * dice, acts.Incident("no_roll"))]
        case acts.ReadNumber(high=high):
            return [2, high]
        case acts.Ask(choices=choices):
            return [*(acts.Decision(choice.verb, choice.amount) for choice in choices), acts.Left()]
        case acts.Expose(cards=cards) | acts.ExposeVoided(cards=cards):
            return [acts.Exposed(tuple(hidden.card for hidden in cards if hidden.card is not None))]
        case _:
            return [None]


def next_cards(case: Case, path: Path, count: int) -> list[Card]:
    """The cards in a fixed, mixed order: of one deck each once, of more than one again and again."""
    whole = deck(joker=case.game.deck == 53)
    mixed = [card for start in range(5) for card in whole[start::5]] * max(1, case.game.deck // len(whole))
    out = len(path.only(e.CardDealt))
    return mixed[out : out + count]


def further(result: object) -> bool:
    """Outcomes that are tried together with another one: one for each remedy that leaves a mark on the round."""
    if not isinstance(result, Interrupted):
        return False
    incident = result.incident
    assert isinstance(incident, acts.Incident)
    at_seat = incident.position is not None and incident.position.kind == "seat"
    return incident.kind == "card_exposed" and at_seat


@pytest.mark.parametrize("name", CASES)
def test_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]
    paths = list(explore(case.table, partial(answers, case, noticed), further=further))
    assert len(paths) > 10
    for path in paths:
        try:
            ends_closed(case, path)
            every_wager_is_settled_once(case, path)
            money_is_conserved(path)
            cards_are_conserved(case, path)
            nothing_is_told_early(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 0
    if any(rule.remedy is Remedy.VOID for rule in case.game.irregularities):
        assert ended[Outcome.VOID] > 0
    if any(rule.remedy is Remedy.SUSPEND for rule in case.game.irregularities):
        assert ended[Outcome.SUSPENDED] > 0


def closing(path: Path) -> e.RoundClosed:
    (closed,) = path.only(e.RoundClosed)
    assert isinstance(closed, e.RoundClosed)
    return closed


def ends_closed(case: Case, path: Path) -> None:
    closed = closing(path)
    assert path.state is not None
    assert (closed.cause is None) == (closed.cite is None) == (closed.outcome is Outcome.COMPLETED)
    assert bool(path.only(e.RoundVoided)) == (closed.outcome is Outcome.VOID)
    removed = [event.deck for event in path.only(e.DeckRemoved)]
    assert removed == ([closed.deck] if closed.disposition is Disposition.REMOVE else [])
    assert path.state.deck == ("" if removed else closed.deck)
    if closed.disposition is Disposition.CONTINUE and closed.outcome is Outcome.COMPLETED:
        assert case.game.shuffling.per_shoe
    if closed.outcome is Outcome.VOID:
        assert any("wagers_returned" in event.remedies for event in path.only(e.IrregularityNoted))


def every_wager_is_settled_once(case: Case, path: Path) -> None:
    made = sorted((event.seat, event.wager, event.hand) for event in path.only(e.WagerMade))
    assert len(made) == len(set(made))
    voided = next((n for n, event in enumerate(path.events) if isinstance(event, e.RoundVoided)), len(path.events))
    before = [event for event in path.events[:voided] if isinstance(event, e.WagerSettled)]
    after = [event for event in path.events[voided:] if isinstance(event, e.WagerSettled)]
    settled = sorted((event.seat, event.wager, event.hand) for event in before)
    assert len(settled) == len(set(settled)), "settled twice"
    match closing(path).outcome:
        case Outcome.COMPLETED:
            assert settled == made
            assert after == []
        case Outcome.VOID:
            assert sorted((event.seat, event.wager, event.hand) for event in after) == made, "a void settles all"
            kept = [event.wager for event in after if event.result is not Result.VOID]
            named = [name for event in path.only(e.IrregularityNoted) for name in event.remedies]
            assert bool(kept) == ("bonus_settled" in named)
            assert set(kept) <= {wager for rule in case.game.irregularities for wager in rule.settles}
        case Outcome.SUSPENDED:
            assert set(settled) <= set(made)


def money_is_conserved(path: Path) -> None:
    staked = {(event.seat, event.wager, event.hand): event.amount for event in path.only(e.WagerMade)}
    for event in path.only(e.WagerSettled):
        assert event.staked == staked[event.seat, event.wager, event.hand]
        assert event.staked == event.returned + event.collected
        assert (event.collected == event.staked) == (event.result in (Result.LOSE, Result.FORFEITED))
        assert (event.paid > 0) == (event.result is Result.WIN)


def cards_are_conserved(case: Case, path: Path) -> None:
    dealt = path.only(e.CardDealt)
    assert [event.number for event in dealt] == list(range(1, len(dealt) + 1))
    out = 0
    for instruction, result in zip(path.instructions, path.results, strict=True):
        match instruction:
            case acts.Draw() | acts.DealAround() | acts.Burn() if not interrupted(result):
                out += 1
            case acts.Dispense() if isinstance(result, acts.Dispensed | acts.ShoeJammed):
                out += len(result.cards)
            case acts.CountCards(what=what, expected=expected, whole=whole):
                assert whole == case.game.deck
                assert expected == (whole if what == "deck" else whole - out)
            case _:
                pass
    faces = [card for event in path.only(e.CardsExposed) for card in event.cards]
    if case.game.deck <= 53:
        assert len(faces) == len(set(faces)), "a card lies in two places"
    collected: Counter[Position] = Counter()
    for event in path.only(e.CardsCollected):
        collected[event.position] += event.cards
    delivered = {event.stack: event.to for event in path.only(e.StackDelivered)}
    held = Counter(delivered.get(event.to, event.to) for event in dealt if event.to is not RACK)
    shown = {event.position: len(event.cards) for event in path.only(e.CardsExposed) if event.position is not COMMUNITY}
    for place, cards in shown.items():
        assert cards == held[place] - collected[place], f"{place} shows other cards than it was dealt"


def nothing_is_told_early(path: Path) -> None:
    for event in path.only(e.CardDealt):
        assert event.card is None or event.to is RACK
    order = [type(event) for event in path.events]
    if e.CardDealt in order:
        locked = order.index(e.BettingLocked) if e.BettingLocked in order else len(order)
        to_hands = [
            n for n, x in enumerate(path.events) if isinstance(x, e.CardDealt) and x.to.kind not in ("burn", "rack")
        ]
        assert all(n > locked for n in to_hands), "no card goes to a hand before the bets are closed"
