"""The poker games fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import COMMUNITY, RACK, FaceDown, seat
from tablectl.engine.drive import Interrupted
from tablectl.events import Outcome, Result
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import SAID_OF, Dealing, Game, Setup, Shuffler
from tablectl.procedure.table import DeckState, Table, TableState
from tests.procedure.explorer import Path, explore, interrupted
from tests.procedure.test_explore_stand_ins import Case, closing, ends_closed, next_cards, outcomes


@dataclass(frozen=True)
class Poker(Case):
    """A small table of poker: `stacks` in dollars, the button before seat 4, or not placed yet."""

    filed: Mapping[str, Any] = field(default_factory=dict)
    stacks: tuple[tuple[int, int], ...] = ((1, 20), (2, 3), (4, 50))

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        return tuple(acts.Stake(number, "stack", Money(100 * stack)) for number, stack in self.stacks)

    def table(self) -> Table:
        state = TableState(
            round=0,
            decks=(DeckState("deck-1", "red", 0),),
            deck_number=1,
            rounds_since_count=0,
            dealing=self.dealing.value,
            shuffler=self.shuffler.value,
            button=None if "first_button" in self.filed else seat(4),
        )
        rules = self.game.submission.model_validate(self.filed).filed()
        return Table(self.game, rules, Setup(self.dealing, self.shuffler, self.game.seats), state)


def poker(name: str, dealing: Dealing = Dealing.MANUAL_SHOE, **filed: Any) -> Poker:
    return Poker(game(name), ((1, "stack"), (2, "stack"), (4, "stack")), dealing, Shuffler.PLAIN, filed=filed)


RAKE = {"type": "percentage", "percent": 10, "maximum": "4.00", "taken": "betting_round"}
DROP = {"drop": "1.00", "minimum_pot": "5.00"}
CASES = {
    "omaha high": poker("omaha_high", straddle="3.00", rake=RAKE),
    "omaha high-low": poker("omaha_hilo", Dealing.FROM_HAND, kill="kill", kill_pot="5.00", bad_beat=DROP),
    "button by a card": poker("five_card_draw_low", first_button="card_dealt"),
    "draw high": poker("five_card_draw_high", ante="1.00", high_hand=DROP),
    "draw low": poker("five_card_draw_low", betting="limit", rake={"type": "incremental", "steps": [["5.00", "1.00"]]}),
    "stud": poker("five_card_stud", ante="1.00", betting="pot_limit", rake=RAKE),
}


def incidents(found: Game) -> list[Interrupted]:
    """Every kind that the chapter knows, at two seats that play and one that does not, said in each way."""
    made: list[acts.Incident] = []
    for kind in dict.fromkeys(rule.kind for rule in found.irregularities):
        places = [seat(2), seat(4), seat(3), COMMUNITY] if kind in found.must_name_position else [None]
        made += [acts.Incident(kind, place) for place in places]
        if "protected" in SAID_OF.get(kind, ()):
            made += [
                acts.Incident(kind, seat(2), protected=True, blameless=True),
                acts.Incident(kind, seat(2), protected=True, reconstructed=True),
            ]
    return [Interrupted(incident) for incident in made]


def told(case: Poker, noticed: list[Interrupted], instruction: acts.AnyInstruction, path: Path) -> list[object]:
    found = answered(case, instruction, path)
    if not instruction.interruptible or (path.results and interrupted(path.results[-1])):
        return found
    return [*found, *noticed]


def answered(case: Poker, instruction: acts.AnyInstruction, path: Path) -> list[object]:
    match instruction:
        case acts.BeginDeal(seats=seats):
            return [None, (*seats[1:], seats[0]), seats[1:], (*seats[:2], 3, *seats[2:])]
        case acts.DealAround(places=places):
            cards = next_cards(case, path, len(places) + 1)
            good = [acts.Drawn(FaceDown(card)) for card in cards]
            up = acts.FoundFaceUp(cards[0])
            return [
                acts.Dispensed(tuple(good[: len(places)])),
                good[0],
                up,
                acts.Dispensed((good[0],)),
                acts.Dispensed((*good[: len(places) // 2], acts.FoundFaceUp(cards[len(places) // 2]))),
            ]
        case acts.TurnFaceUp(down=down):
            shown = tuple(hidden.card for hidden in down if hidden.card is not None)
            return [acts.Exposed(shown), acts.Exposed(shown[:1])]
        case acts.AskBet(choices=choices, least=least, most=most):
            plain = [acts.Decision(choice.verb, choice.amount) for choice in choices]
            verbs = ["call", "check", "fold"]
            said: list[object] = [each for verb in verbs for each in plain if each.verb == verb]
            for each in plain:
                if each.verb not in verbs:
                    said += [acts.Decision(each.verb, amount) for amount in dict.fromkeys((least, most))]
            return [*said, acts.Left()]
        case acts.Discard(cards=cards):
            return [acts.Discarded(2, (0, 3)), acts.Discarded(0), acts.Discarded(5, (0, 1, 2, 3, 4))]
        case acts.Show(cards=cards, may_concede=may):
            hand = acts.Exposed(tuple(hidden.card for hidden in cards if hidden.card is not None))
            return [hand, acts.Conceded()] if may else [hand]
        case acts.VerifyBadBeat() | acts.VerifyHighHand():
            return [acts.Confirmed("badge"), acts.Denied("badge")]
        case _:
            return outcomes(case, instruction, path)


def again(result: object) -> bool:
    """Outcomes that are tried together with each other: the least raises, and hands that are lost and refunded."""
    if isinstance(result, Interrupted) and isinstance(result.incident, acts.Incident):
        return result.incident.kind == "fouled_hand" and result.incident.blameless
    return isinstance(result, acts.Decision) and result.verb == "raise" and result.amount in (400, 600, 700)


@pytest.mark.parametrize("name", CASES)
def test_637a_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = incidents(case.game)
    ended: Counter[Outcome] = Counter()
    paths = explore(case.table, lambda act, path: told(case, noticed, act, path), further=again)
    for path in paths:
        ended[closing(path).outcome] += 1
        try:
            ends_closed(case, path)
            money_is_conserved(path)
            pots_are_shared_out(path)
            cards_are_in_one_place(path)
            nothing_is_told_early(path)
            nobody_acts_who_is_out(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    assert ended[Outcome.COMPLETED] > 200
    assert ended[Outcome.VOID] > 20
    assert ended[Outcome.SUSPENDED] == 0


def money_is_conserved(path: Path) -> None:
    """Each player's chips are accounted for once; what players lose in all is what the house takes."""
    put: Counter[int] = Counter()
    for event in path.only(e.WagerMade):
        put[event.seat] += event.amount
    rows = {event.seat: event for event in path.only(e.WagerSettled)}
    assert len(rows) == len(path.only(e.WagerSettled))
    assert {number: row.staked for number, row in rows.items() if row.staked} == dict(put)
    kept = sum(pot.rake + pot.bad_beat + pot.high_hand for pot in path.only(e.PotFormed))
    assert sum(row.paid - row.collected for row in rows.values()) == -kept
    for row in rows.values():
        assert row.staked == row.returned + row.collected
        assert (row.paid > 0) == (row.result is Result.WIN)
    back: Counter[int] = Counter()
    for event in path.only(e.BetReturned):
        back[event.seat] += event.amount
    if closing(path).outcome is Outcome.COMPLETED:
        assert sum(pot.amount for pot in path.only(e.PotFormed)) == sum(put.values()) - sum(back.values())
        stacks = {event.seat: event.stack for event in path.only(e.PlayerSeated)}
        assert all(amount <= stacks[number] for number, amount in put.items())
    else:
        assert {row.result for row in rows.values()} <= {Result.VOID}


def pots_are_shared_out(path: Path) -> None:
    for pot in path.only(e.PotFormed):
        awards = [event for event in path.only(e.PotAwarded) if event.pot == pot.pot]
        assert sum(award.amount for award in awards) == pot.amount - pot.rake - pot.bad_beat - pot.high_hand
        assert {award.seat for award in awards} <= {*pot.seats}
    folded = {event.seat for event in path.only(e.SeatDecided) if event.verb in ("fold", "leave")}
    conceded = {event.seat for event in path.only(e.HandConceded)}
    assert not (folded | conceded) & {event.seat for event in path.only(e.PotAwarded)}


def cards_are_in_one_place(path: Path) -> None:
    dealt = path.only(e.CardDealt)
    assert [event.number for event in dealt] == list(range(1, len(dealt) + 1))
    board = [card for event in path.only(e.CardsExposed) if event.position is COMMUNITY for card in event.cards]
    hands = [card for event in path.only(e.HandShown) for card in event.cards]
    assert len({*board, *hands}) == len(board) + len(hands)
    for event in path.only(e.HandShown):
        assert len(event.cards) in (4, 5)


def nothing_is_told_early(path: Path) -> None:
    assert all(event.card is None or event.to is RACK for event in path.only(e.CardDealt))


def nobody_acts_who_is_out(path: Path) -> None:
    """Whoever has folded, left or lost the hand is asked nothing more."""
    out: list[int] = []
    for event in path.events:
        match event:
            case e.SeatAsked(seat=number):
                assert number not in out
            case e.SeatDecided(seat=number, verb="fold" | "leave"):
                out.append(number)
            case e.IrregularityNoted(remedies=remedies, position=place) if "hand_dead" in remedies:
                assert place is not None
                out.append(place.number)
            case _:
                pass
