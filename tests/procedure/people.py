"""People at a table who do what a procedure awaits of them, so that it can be looked at without an engine."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablectl import events as e
from tablectl.cards import FaceDown, deck
from tablectl.engine.drive import Drive, Interrupted
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table, TableState

FLOORPERSON = "4711"
HAND = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 6)
MACHINE = Setup(Dealing.MANUAL_SHOE, Shuffler.COUNTING, 6)
TWO = Setup(Dealing.MANUAL_SHOE, Shuffler.COUNTING, 6, decks=2)
SEAT_1 = (acts.Stake(1, "ante", Money(1000)),)


@dataclass
class Day:
    """What was awaited, what happened, and what the table goes on from."""

    instructions: list[acts.AnyInstruction] = field(default_factory=list)
    events: list[e.Event] = field(default_factory=list)
    state: TableState | None = None

    def steps(self) -> list[str]:
        """The steps that were attested, with their deck where there are several, and what else was done to decks."""
        return [step for step in map(_step, self.instructions) if step is not None]

    def only(self, kind: type[Any]) -> list[Any]:
        """The instructions or events of one kind, in order."""
        return [item for item in (*self.instructions, *self.events) if isinstance(item, kind)]


def _step(act: acts.AnyInstruction) -> str | None:
    if isinstance(act, acts.Attest):
        return f"{act.step}: {act.by}"
    return type(act).__name__ if isinstance(act, _TOLD) else None


_TOLD = (
    acts.ReceiveDeck,
    acts.Shuffle,
    acts.TakeShuffled,
    acts.LoadShuffler,
    acts.OfferCut,
    acts.Cut,
    acts.LoadShoe,
    acts.ShowCards,
    acts.TakeStored,
    acts.RunSelfTest,
    acts.OpenTable,
    acts.NoMoreBets,
)


def answer(table: Table, act: acts.AnyInstruction) -> object:
    """What happens when nothing is out of the ordinary: one seat plays, and everybody cuts where it is offered."""
    match act:
        case acts.Now():
            return 0
        case acts.ReceiveDeck(number, _cards, backs):
            return acts.NewDeck(f"deck-{number}", FLOORPERSON, backs[0])
        case acts.Attest():
            return acts.Attested(FLOORPERSON)
        case acts.ShowCards():
            return acts.PlayerLooked(3, act.face != "down")
        case acts.RunSelfTest():
            return acts.SelfTestDone(None)
        case acts.TakeStored():
            return acts.StoredCards(spread=False)
        case acts.Shuffle(by=by):
            counts = by == "device" and table.shuffler.counts
            return acts.Shuffled(table.game.deck if counts else None)
        case acts.TakeShuffled():
            return acts.Shuffled(table.game.deck)
        case acts.CheckEquipment():
            return acts.EquipmentChecked()
        case acts.OfferCut(seats):
            return acts.CutTaken(seats[0])
        case acts.CollectWagers():
            return SEAT_1
        case acts.Draw(number) | acts.DealAround(number):
            return acts.Drawn(FaceDown(deck()[(number - 1) % 52]))
        case acts.CountCards():
            return acts.CardsCount(act.whole, False, None) if act.due else None
        case acts.Ask():
            return acts.Decision(act.choices[0].verb, act.choices[0].amount)
        case acts.Expose():
            return acts.Exposed(tuple(face_down.card for face_down in act.cards if face_down.card is not None))
        case _:
            return None


Answers = Mapping[type[Any], Callable[[Any], object]]


def live(
    table: Table,
    procedure: Callable[[Table], Coroutine[Any, Any, TableState]] = play_round,
    answers: Answers | None = None,
    orders: Mapping[str, acts.Order] | None = None,
) -> Day:
    """Let the people do all of a procedure; `orders` are given once each, at the first act of that name."""
    day = Day()
    waiting = dict(orders or {})

    def perform(step: int, act: acts.AnyInstruction) -> object:
        day.instructions.append(act)
        order = waiting.pop(type(act).__name__, None)
        if order is not None:
            assert act.orderable, f"{act} takes no order"
            return Interrupted(order)
        special = (answers or {}).get(type(act))
        return answer(table, act) if special is None else special(act)

    def record(step: int, instruction: acts.AnyInstruction, result: object, events: tuple[e.Event, ...]) -> None:
        day.events.extend(events)

    drive = Drive(procedure(table), table.game.transitions, record)
    assert drive.advance(perform)
    assert not waiting
    day.state = drive.value
    return day
