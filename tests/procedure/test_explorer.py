"""Chapter 565 fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, RACK, Card, FaceDown, Position, deck, seat
from tablectl.engine.drive import Interrupted
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import DeckState, Table, TableState
from tests.procedure.explorer import Answers, Path, explore, interrupted

GAME = game("three_card_poker")
DECK = deck()[::5] + deck()[1::5] + deck()[2::5] + deck()[3::5] + deck()[4::5]  # a fixed, mixed order
Stakes = tuple[acts.Stake, ...]


@dataclass(frozen=True)
class Case:
    """A small table."""

    name: str
    stakes: Stakes
    dealing: Dealing = Dealing.MANUAL_SHOE
    shuffler: Shuffler = Shuffler.NONE
    rules: tuple[tuple[str, str], ...] = ()
    since_count: int = 0
    twice: bool = False
    deck: str = "deck-1"
    out_of_service: tuple[str, ...] = ()

    def table(self) -> Table:
        rules = GAME.submission.model_validate(dict(self.rules)).filed()
        state = TableState(
            round=0,
            decks=(DeckState(self.deck, "red", 0),) if self.deck else (),
            deck_number=1,
            rounds_since_count=self.since_count,
            dealing=self.dealing.value,
            shuffler=self.shuffler.value,
            out_of_service=self.out_of_service,
        )
        return Table(GAME, rules, Setup(self.dealing, self.shuffler, GAME.seats), state)


def stake(number: int, wager: str, cents: int | None) -> acts.Stake:
    return acts.Stake(number, wager, None if cents is None else Money(cents))


ONE = (stake(1, "ante", 1000), stake(1, "pair_plus", 500))
TWO = (stake(1, "ante", 1000), stake(2, "ante", 2000), stake(2, "pair_plus", 500))
APART = (stake(2, "pair_plus", 500), stake(7, "ante", 700))
UNKNOWN = (stake(1, "ante", None), stake(1, "pair_plus", None))
CASES = [
    Case("one seat, twice astray", ONE, since_count=4, twice=True),
    Case("one seat, stacks, twice astray", ONE, Dealing.AUTOMATED_SHOE, Shuffler.COUNTING, twice=True),
    Case("two seats, counted", TWO, Dealing.FROM_HAND, Shuffler.COUNTING),
    Case("two seats, stub due", TWO, since_count=4),
    Case("two seats, stub due, from the hand", TWO, Dealing.FROM_HAND, Shuffler.PLAIN, since_count=4),
    Case("two seats, stacks, stub due", TWO, Dealing.AUTOMATED_SHOE, Shuffler.PLAIN, since_count=4),
    Case("both wagers required", (*TWO[:1], stake(1, "pair_plus", 500)), rules=(("version", "both_required"),)),
    Case("fold forfeits all", ONE, rules=(("pair_plus_after_fold", "forfeited"),)),
    Case("a seat with pair plus alone", APART),
    Case("presence alone is known", UNKNOWN, since_count=4),
    Case("no deck at the table", ONE, deck=""),
    Case("shoe and shuffler gone", ONE, Dealing.AUTOMATED_SHOE, Shuffler.PLAIN, out_of_service=("shuffler", "shoe")),
]

KINDS = [irregularity.kind for irregularity in GAME.irregularities]


def incidents(case: Case) -> list[acts.Incident]:
    """Every kind that the chapter knows, said in every way: at each place, exposed or not, with each method."""
    made: list[acts.Incident] = []
    places: list[Position | None] = [None, DEALER, *(seat(number) for number in sorted({s.seat for s in case.stakes}))]
    for kind in dict.fromkeys(KINDS):
        made += [acts.Incident(kind, place) for place in places]
        if kind == "drawn_in_error":
            made.append(acts.Incident(kind, exposed=True))
    return [incident for incident in made if incident.position or incident.kind not in GAME.must_name_position]


def answers(case: Case, noticed: list[Interrupted], instruction: acts.AnyInstruction, path: Path) -> list[object]:
    """Every declared outcome of that instruction, the smooth one first."""
    found = outcomes(case, instruction, path)
    if not instruction.interruptible:
        return found
    again = 0  # the same person can be interrupted once and again, but not for ever
    while again < len(path.results) and interrupted(path.results[-1 - again]):
        again += 1
    return [*found, *noticed] if again < 2 else found


def outcomes(case: Case, instruction: acts.AnyInstruction, path: Path) -> list[object]:
    match instruction:
        case acts.Now():
            return [3600, 8 * 3600]
        case acts.ReceiveDeck():
            return [acts.NewDeck("deck-2", "badge", "blue")]
        case acts.Attest():
            return [acts.Attested("badge")]
        case acts.Shuffle(by=by):
            counts = by == "device" and case.shuffler.counts
            faults: list[object] = [acts.ShuffleFault(kind) for kind in ("shuffler_jam", "shuffle_incomplete")]
            gone: list[object] = [
                acts.OutOfService(f"{device}_out_of_service", device, then)
                for device in ("shuffler", "shoe")
                for then in (None, *GAME.dealing)
            ]
            once = [*faults, *gone] if not any(isinstance(r, acts.OutOfService) for r in path.results) else faults
            return [acts.Shuffled(52 if counts else None), *([acts.Shuffled(51)] if counts else []), *once]
        case acts.CheckEquipment(moment=moment):
            away = any(isinstance(result, acts.OutOfService) for result in path.results)
            can_go = moment == "deal" and case.shuffler is not Shuffler.NONE and not away and not case.out_of_service
            found: list[object] = [
                acts.EquipmentChecked(claims=(acts.DeckClaim("shuffler", 52, missing=(DECK[0],), extra=(DECK[1],)),)),
                acts.EquipmentChecked(inside=(acts.Inside("shuffler", 1), acts.Inside("shoe", 30))),
            ]
            return [
                acts.EquipmentChecked(),
                *found,
                *([acts.EquipmentChecked(out_of_service=("shuffler",))] if can_go else []),
            ]
        case acts.ClearQuestion(reasons=reasons):
            return [acts.QuestionCleared("badge", reason) for reason in reasons]
        case acts.NameReplacement(missing=missing, backs=backs):
            return [acts.Replacement(missing[0], missing[0], backs[0])]
        case acts.AccountFor(expected=expected):
            return [acts.Accounted(expected, "device"), acts.Accounted(expected - 16, "dealer")]
        case acts.Repair():
            return [acts.Repaired("badge", "repaired")]
        case acts.CollectWagers():
            return [case.stakes]
        case acts.Draw() | acts.DealAround():
            shown = next_cards(path, 1)[0]
            return [acts.Drawn(FaceDown(shown)), acts.FoundFaceUp(shown), acts.FoundFaceUp(None)]
        case acts.Dispense(count=count):
            return stacks(next_cards(path, count + 2), count)
        case acts.CountCards(whole=whole, due=due):
            wrong: list[object] = [
                acts.CardsCount(whole - 1, False, None),
                acts.CardsCount(whole + 1, True, DEALER),
                acts.CardsCount(whole, False, None),
            ]
            return [acts.CardsCount(whole, False, None) if due else None, *wrong]
        case acts.Ask(choices=choices):
            return [*(acts.Decision(choice.verb, choice.amount) for choice in choices), acts.Left()]
        case acts.Expose(cards=cards):
            return [acts.Exposed(tuple(hidden.card for hidden in cards if hidden.card is not None))]
        case _:
            return [None]


def stacks(cards: list[Card], count: int) -> list[object]:
    good = [acts.Drawn(FaceDown(shown)) for shown in cards]
    up = acts.FoundFaceUp(cards[0])
    return [
        acts.Dispensed(tuple(good[:count])),
        acts.Dispensed((up, *good[1 : count + 1])),
        acts.Dispensed((*good[1:count], up)),  # one short: the shoe gives the rest when it is asked again
        acts.Dispensed((up, acts.FoundFaceUp(cards[1]), *good[2 : count + 2])),
        *(acts.ShoeJammed(tuple(good[:out])) for out in range(count + 1)),
    ]


def next_cards(path: Path, count: int) -> list[Card]:
    out = len(path.only(e.CardDealt))
    return list(DECK[out : out + count])


def explored(case: Case) -> list[Path]:
    noticed = [Interrupted(incident) for incident in incidents(case)]
    given: Answers = partial(answers, case, noticed)
    return list(explore(case.table, given, further=telling if case.twice else None))


def telling(result: object) -> bool:
    """Outcomes that are tried together: all results, and of the irregularities one for each remedy."""
    if not isinstance(result, Interrupted):
        return True
    incident = result.incident
    assert isinstance(incident, acts.Incident)
    at_seat = incident.position is not None and incident.position.kind == "seat"
    return (incident.kind, at_seat) in (("player_left", True), ("wrong_card_count", False), ("power_loss", False))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_way_through_a_round_ends_in_order(case: Case) -> None:
    paths = explored(case)
    assert len(paths) > 100
    for path in paths:
        try:
            ends_closed(path)
            cards_are_conserved(path)
            every_wager_is_settled_once(path)
            money_is_conserved(path)
            nothing_is_told_early(path)
            nobody_is_asked_for_nothing(path)
            state_goes_on(case, path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 0
    assert ended[Outcome.VOID] > 0
    assert ended[Outcome.SUSPENDED] > 0 or not case.deck, "a deck's hours were over in one path, unless it is new"


def closing(path: Path) -> e.RoundClosed:
    (closed,) = path.only(e.RoundClosed)
    assert isinstance(closed, e.RoundClosed)
    return closed


def ends_closed(path: Path) -> None:
    closed = closing(path)
    assert path.events.index(closed) == len(path.events) - 1
    assert (closed.cause is None) == (closed.cite is None) == (closed.outcome is Outcome.COMPLETED)
    assert bool(path.only(e.RoundVoided)) == (closed.outcome is Outcome.VOID)
    assert path.state is not None
    removed = [event.deck for event in path.only(e.DeckRemoved)]
    assert removed == ([closed.deck] if closed.disposition is e.Disposition.REMOVE else [])
    assert path.state.deck == ("" if removed else closed.deck)


def cards_are_conserved(path: Path) -> None:
    dealt = path.only(e.CardDealt)
    assert [event.number for event in dealt] == list(range(1, len(dealt) + 1))
    held = Counter(event.to for event in dealt if event.to is not RACK)
    players = {seat(event.seat) for event in path.only(e.WagerMade)}
    assert set(held) <= {*players, DEALER}
    assert all(count <= 3 for count in held.values())
    faces = [card for event in path.only(e.CardsExposed) for card in event.cards]
    assert len(faces) == len(set(faces))
    for number, instruction in enumerate(path.instructions):
        if isinstance(instruction, acts.CountCards):
            assert instruction.expected == instruction.whole - len(dealt) == 52 - len(dealt), number
    if closing(path).outcome is Outcome.COMPLETED:
        assert held == dict.fromkeys([*players, DEALER], 3)
        assert len(dealt) - sum(held.values()) <= 1, "a second face-up card voids (565.13(a))"


def every_wager_is_settled_once(path: Path) -> None:
    made = [(event.seat, event.wager) for event in path.only(e.WagerMade)]
    assert len(made) == len(set(made))
    place = next((n for n, event in enumerate(path.events) if isinstance(event, e.RoundVoided)), len(path.events))
    before = [event for event in path.events[:place] if isinstance(event, e.WagerSettled)]
    after = [event for event in path.events[place:] if isinstance(event, e.WagerSettled)]
    settled = [(event.seat, event.wager) for event in before if event.wager != "ante_bonus"]
    assert len(settled) == len(set(settled)), "settled twice"
    bonuses = [event.seat for event in before if event.wager == "ante_bonus"]
    assert len(bonuses) == len(set(bonuses))
    match closing(path).outcome:
        case Outcome.COMPLETED:
            assert sorted(settled) == sorted(made)
            assert after == []
        case Outcome.VOID:
            assert sorted((event.seat, event.wager) for event in after) == sorted(made), "a void gives all back"
            assert all(event.result is Result.VOID for event in after)
        case Outcome.SUSPENDED:
            assert settled == []


def money_is_conserved(path: Path) -> None:
    staked = {(event.seat, event.wager): event.amount for event in path.only(e.WagerMade)}
    for event in path.only(e.WagerSettled):
        if event.wager == "ante_bonus":
            known = staked[event.seat, "ante"] is not None
            assert event.staked == event.returned == event.collected == (0 if known else None)
            assert (event.seat, "play") in staked, "a bonus needs Ante and Play (565.12(e))"
            continue
        assert event.staked == staked[event.seat, event.wager]
        if event.staked is None:
            assert event.paid is event.returned is event.collected is None
            continue
        assert event.paid is not None
        assert event.returned is not None
        assert event.collected is not None
        assert event.staked == event.returned + event.collected
        assert (event.collected == event.staked) == (event.result in (Result.LOSE, Result.FORFEITED))
        assert (event.paid > 0) == (event.result is Result.WIN)


def nothing_is_told_early(path: Path) -> None:
    """No card is named before it lies face up, and the dealer's not before the last decision (565.11(c))."""
    order = [type(event) for event in path.events]
    for event in path.only(e.CardDealt):
        assert event.card is None or event.to is RACK
    if e.CardsExposed in order:
        first = order.index(e.CardsExposed)
        assert e.SeatAsked not in order[first:]
        assert e.SeatDecided not in order[first:]
        assert path.events[first].position is DEALER  # type: ignore[attr-defined]
    if e.BettingLocked in order:
        assert e.CardDealt not in order[: order.index(e.BettingLocked)]
    else:
        assert e.CardDealt not in order


def nobody_is_asked_for_nothing(path: Path) -> None:
    asked = [event.seat for event in path.only(e.SeatAsked)]
    assert asked == sorted(set(asked)), "each once, clockwise (565.11(b))"
    antes = {event.seat for event in path.only(e.WagerMade) if event.wager == "ante"}
    assert set(asked) <= antes
    decided = Counter(event.seat for event in path.only(e.SeatDecided))
    assert all(count == 1 for count in decided.values())
    assert set(decided) <= set(asked)
    bets = {event.seat for event in path.only(e.SeatDecided) if event.verb == "bet"}
    assert bets == {event.seat for event in path.only(e.WagerMade) if event.wager == "play"}
    shown = [event.position.number for event in path.only(e.CardsExposed) if event.position is not DEALER]
    assert shown == sorted(shown, reverse=True), "counterclockwise (565.11(d))"


def state_goes_on(case: Case, path: Path) -> None:
    assert path.state is not None
    assert path.state.round == 1
    counted = bool(path.only(e.CardsCounted))
    if counted:
        assert path.state.rounds_since_count == 0
    closed = closing(path)
    removed = {event.device for event in path.only(e.DeviceRemoved)}
    assert closed.outcome is Outcome.SUSPENDED or path.state.out_of_service == (), "dealt with once"
    assert set(path.state.removed) == removed
    if "shuffler" in removed:
        assert path.state.shuffler == Shuffler.NONE
        assert path.state.dealing != Dealing.FROM_HAND, "from the hand needs a shuffler (565.9(a)(1))"
    due = not Shuffler(path.state.shuffler).counts and case.since_count == 4 and case.deck != ""
    if due and closed.outcome is Outcome.COMPLETED:
        assert counted, "a round was completed without the count that was due (565.8(f))"
