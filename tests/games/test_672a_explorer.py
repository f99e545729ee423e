"""Free Bet Blackjack fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, RACK, FaceDown, Position, card
from tablectl.engine.drive import Interrupted
from tablectl.engine.outcome import round_document
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import Table
from tests.procedure.explorer import Path, explore, interrupted, play
from tests.procedure.test_explore_stand_ins import Case, closing, ends_closed, incidents, outcomes

GAME = game("free_bet_blackjack")
RULES = GAME.submission.model_validate({"push_22": "A", "even_money": True}).filed()
ONE = ((3, "blackjack"),)
TWO = ((1, "blackjack"), (1, "push_22"), (4, "blackjack"))
REST = (
    "3h 9c 6d Ks 4c 7h Jd 5s 2c 8h Tc 6h 3d Qh 9d 4s 7c Ad 5d Th 2h 8s Kc 6s 3c Jh 9s 4d 7d Qs 5h 2d Td 8c Kd 3s 9h 4h"
)


@dataclass(frozen=True)
class Shoe(Case):
    """A small table of Free Bet Blackjack; `cards` leave its shoe in that order."""

    cards: tuple[str, ...] = ()

    def table(self) -> Table:
        setup = Setup(self.dealing, self.shuffler, GAME.seats)
        return Table(GAME, RULES, setup, super().table().state)


def cards(first: str) -> tuple[str, ...]:
    return ("2s", *first.split(), *REST.split())


# After the burned card in the order of the deal: seats, dealer, seats, dealer.
CASES = {
    "eights against a six": Shoe(GAME, ONE, Dealing.MANUAL_SHOE, Shuffler.PLAIN, cards=cards("8c 6c 8d Td")),
    "tens against a ten": Shoe(GAME, ONE, cards=cards("Kc Qd Td 7s")),
    "a free double against an ace": Shoe(GAME, ONE, cards=cards("5c Ac 6d 5h")),
    "two seats, one with a Blackjack, under an ace": Shoe(GAME, TWO, cards=cards("Ah 9h Ac Kh 7d 6c")),
    "two seats against a Blackjack": Shoe(GAME, TWO, cards=cards("Ah 9h As Kh 7d Kd")),
    "two seats against a five": Shoe(GAME, TWO, cards=cards("8s 5c 5d 8c 6s Tc")),
}


def answers(case: Shoe, noticed: list[Interrupted], act: acts.AnyInstruction, path: Path) -> list[object]:
    found = mine(case, act, path)
    again = bool(path.results) and interrupted(path.results[-1])
    return found if again or not act.interruptible else [*found, *noticed]


def mine(case: Shoe, act: acts.AnyInstruction, path: Path) -> list[object]:
    match act:
        case acts.Draw() | acts.DealAround() | acts.Burn():
            shown = card(case.cards[len(path.only(e.CardDealt))])
            return [acts.Drawn(FaceDown(shown)), acts.FoundFaceUp(shown)]
        case acts.Peek(due=due):
            first, hole = (
                case.cards[n] for n, x in enumerate(path.only(e.CardDealt)) if x.to is DEALER and x.card is None
            )
            blackjack = "A" in (first[0], hole[0]) and any(name[0] in "TJQK" for name in (first, hole))
            return [acts.Peeked(blackjack), acts.Peeked(not blackjack), acts.ReaderFailed()] if due else [None]
        case acts.Ask(choices=choices):
            chosen: list[object] = [acts.Decision(choice.verb, choice.amount) for choice in reversed(choices)]
            return [*chosen, acts.Left()]
        case _:
            return outcomes(case, act, path)


def telling(result: object) -> bool:
    """What is tried together with another outcome: what leaves a mark on the rest of the round."""
    if not isinstance(result, Interrupted):
        return isinstance(result, acts.Left) or (isinstance(result, acts.Decision) and result.verb in LATER)
    incident = result.incident
    return isinstance(incident, acts.Incident) and (incident.kind in TOGETHER or incident.exposed)


LATER = ("refuse", "void_hand", "stand")
TOGETHER = ("player_missed_card", "dealer_missed_own_card", "dealer_drew_past_17", "player_left")


@pytest.mark.parametrize("name", CASES)
def test_672a_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]
    further = telling if name == "a free double against an ace" else None
    paths = list(explore(case.table, partial(answers, case, noticed), further=further))
    for path in paths:
        try:
            ends_closed(case, path)
            every_wager_is_settled_once(path)
            money_is_conserved(path)
            cards_are_conserved(path)
            acts_are_in_order(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 200
    assert ended[Outcome.SUSPENDED] > 0, "a reader that does not work stops the table (672a.12(j))"
    assert ended[Outcome.VOID] == 0, "no clause of 672a.12 voids a round"


def every_wager_is_settled_once(path: Path) -> None:
    made = [(x.seat, x.wager, x.hand) for x in path.only(e.WagerMade)]
    settled = [(x.seat, x.wager, x.hand) for x in path.only(e.WagerSettled)]
    assert len(made) == len(set(made))
    assert len(settled) == len(set(settled)), "settled twice"
    if closing(path).outcome is Outcome.COMPLETED:
        assert set(settled) == set(made)


def money_is_conserved(path: Path) -> None:
    made = {(x.seat, x.wager, x.hand): x for x in path.only(e.WagerMade)}
    for row in path.only(e.WagerSettled):
        wager = made[row.seat, row.wager, row.hand]
        original = made[row.seat, "blackjack", 0].amount
        assert row.staked == wager.amount == row.returned + row.collected
        assert row.free == wager.free
        assert (row.paid > 0) == (row.result is Result.WIN)
        if row.free:
            assert row.staked == 0
            assert row.result in (Result.WIN, Result.LOSE)
            assert row.paid in (0, original), "a lammer is paid like the original wager (672a.11(a))"
        else:
            assert (row.collected == row.staked) == (row.result in (Result.LOSE, Result.FORFEITED))
        if row.wager in ("split", "double") and not row.free:
            assert 0 < row.staked <= original
            assert row.wager == "double" or row.staked == original
    assert all(x.hand < 4 for x in made.values()), "up to four hands (672a.10(d))"


def cards_are_conserved(path: Path) -> None:
    dealt = path.only(e.CardDealt)
    assert [event.number for event in dealt] == list(range(1, len(dealt) + 1))
    held: Counter[Position] = Counter()
    came: Counter[Position] = Counter()
    for event in path.events:
        match event:
            case e.CardDealt(to=to) if to is not RACK:
                held[to] += 1
                came[to] += 1
            case e.CardsCollected(position=position, cards=number):
                held[position] -= number
                assert held[position] >= 0
            case e.CardsExposed(position=position, place=place, cards=shown):
                assert len(shown) == 1
                assert place in (0, came[position]), "face up as it is dealt"
            case _:
                pass
    assert path.only(e.AlarmRaised) == []


def acts_are_in_order(path: Path) -> None:
    """672a.7: closed, dealt, insured, looked at, decided clockwise, the hole card, the dealer's cards, settled."""
    named = [type(event) for event in path.events]
    locked = named.index(e.BettingLocked) if e.BettingLocked in named else len(named)
    hole = next((n for n, x in enumerate(path.events) if _is_hole_card(x)), len(named))
    looked = named.index(e.HoleCardPeeked) if e.HoleCardPeeked in named else None
    for place, event in enumerate(path.events):
        match event:
            case e.CardDealt(to=to) if to.kind == "seat":
                assert locked < place < hole
            case e.SeatAsked(choices=choices):
                assert place < hole
                assert looked is None or ("insurance" in choices) == (place < looked) or "play_on" in choices
            case e.WagerMade(wager="insurance"):
                assert looked is None or place < looked
            case e.WagerSettled(wager="push_22", result=result) if result is Result.WIN:
                assert place > hole
            case _:
                pass
    late = [event.seat for event in path.only(e.SeatAsked) if "hit" in event.choices or "accept" in event.choices]
    again = any("play_on" in event.choices for event in path.only(e.SeatAsked))
    assert again or late == sorted(late), "clockwise (672a.7(h))"
    dealers = [x for x in path.events[hole:] if isinstance(x, e.CardDealt) and x.to is DEALER]
    assert closing(path).outcome is not Outcome.COMPLETED or hole < len(named), "the hole card is turned up (672a.7(k))"
    stood = [int(x.hand) for x in path.only(e.HandAnnounced) if x.position is DEALER and x.hand != "blackjack"]
    assert all(points < 17 for points in stood[: len(dealers) - 1]), "he draws to 17 (672a.7(l))"


def _is_hole_card(event: e.Event) -> bool:
    return isinstance(event, e.CardsExposed) and event.position is DEALER and event.place == 0


def test_amounts_that_nobody_has_seen_are_null_and_all_else_is_the_same() -> None:
    for name, case in CASES.items():
        known, _others = play(case.table(), partial(answers, case, []), ())
        unseen = Unseen(GAME, case.wagers, case.dealing, case.shuffler, cards=case.cards)
        unknown, _others = play(unseen.table(), partial(answers, unseen, []), ())
        first, second = (round_document(GAME, path.events) for path in (known, unknown))
        assert second["wagers"] == [{**row, **dict.fromkeys(AMOUNTS)} for row in first["wagers"]], name
        assert set(second["net"].values()) == {None}
        assert [second[key] for key in ("outcome", "order")] == [first[key] for key in ("outcome", "order")]


AMOUNTS = ("staked", "paid", "returned", "collected")


class Unseen(Shoe):
    """The same table with sensors that see a wager and not its amount."""

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        return tuple(acts.Stake(number, wager, None) for number, wager in self.wagers)
