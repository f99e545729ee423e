"""High Roll Dice fed with every declared outcome of every instruction: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

import pytest

from tablectl import events as e
from tablectl.engine.drive import Interrupted
from tablectl.engine.outcome import round_document
from tablectl.events import Outcome
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import DeckState, Table, TableState
from tests.games.by_hand_675a import called
from tests.games.scenarios import Document, without_amounts
from tests.procedure.explorer import Path, explore, interrupted, play
from tests.procedure.test_explore_stand_ins import (
    Case,
    closing,
    every_wager_is_settled_once,
    incidents,
    money_is_conserved,
)

GAME = game("high_roll_dice")
SOME = ("pip_1", "pip_6", "like_2", "like_3", "like_5")


@dataclass(frozen=True)
class Dice(Case):
    """A small table with dice; every wager is of the same amount, but those of Millionaire Row."""

    number: int = 10

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        return tuple(
            acts.Stake(seat, wager, Money(1_00 if wager.startswith("millionaire") else 5_00))
            for seat, wager in self.wagers
        )

    def table(self) -> Table:
        rules = GAME.submission.model_validate({"dice": self.number}).filed()
        state = TableState(
            round=0,
            decks=(DeckState("dice-1", "", 0),),
            deck_number=1,
            rounds_since_count=4,
            dealing="none",
            shuffler="none",
            new_dealer=self.new_dealer,
        )
        return Table(GAME, rules, Setup(Dealing.NONE, Shuffler.NONE, GAME.seats), state)


CASES = {
    "ten dice": Dice(GAME, tuple((2, wager) for wager in (*SOME, "millionaire_9"))),
    "an extra roll": Dice(
        GAME, (*((1, wager) for wager in (*SOME, "extra_roll")), (4, "pip_1"), (4, "like_3")), new_dealer=True
    ),
    "two extra rolls": Dice(GAME, tuple((seat, w) for seat in (3, 6) for w in ("pip_2", "like_4", "extra_roll"))),
    "six dice": Dice(GAME, tuple((5, wager) for wager in (*SOME, "like_none")), number=6),
}

THROWN: dict[int, list[tuple[int, ...]]] = {
    10: [(1, 1, 1, 2, 2, 3, 3, 4, 5, 6), (6,) * 10, (1, 1, 2, 2, 3, 3, 4, 4, 5, 6), (6,) * 9 + (1,)],
    6: [(1, 1, 1, 2, 3, 4), (6, 5, 4, 3, 2, 1), (6,) * 6],
}
WRONG = [acts.Incident("die_off_table"), acts.Incident("dice_stacked"), acts.Incident("die_cocked", sides=2)]


def answers(case: Dice, noticed: list[Interrupted], instruction: acts.AnyInstruction, path: Path) -> list[object]:
    found = outcomes(case, instruction)
    if not instruction.interruptible or (path.results and interrupted(path.results[-1])):
        return found
    return [*found, *noticed]


def outcomes(case: Dice, instruction: acts.AnyInstruction) -> list[object]:
    match instruction:
        case acts.Now():
            return [0]
        case acts.Attest():
            return [acts.Attested("badge")]
        case acts.CheckEquipment():
            return [acts.EquipmentChecked()]
        case acts.OpenWagering():
            return [acts.WageringOpen(), acts.WageringShut("lost")]
        case acts.CollectWagers(wagers=wagers):
            return [tuple(stake for stake in case.stakes if stake.wager in wagers)]
        case acts.LockOutWagers() as locked:
            seats = tuple(stake.seat for stake in locked.placed)
            return [acts.Accepted(len(seats), seats), acts.Accepted(len(seats)), acts.NotLocked("lost")]
        case acts.CollectChips(accepted=accepted):
            return [acts.ChipsCounted(accepted), acts.ChipsCounted(accepted - 1)]
        case acts.UndoLockOut():
            return [acts.Undone(True), acts.Undone(False)]
        case acts.ThrowDice(dice=dice):
            full: list[tuple[int, ...]] = THROWN.get(dice, [(1,) * dice, (2,) * dice, (1, *(2,) * (dice - 1))])
            counts = acts.Thrown(full[0], acts.Incident("die_cocked", sides=1))
            return [*(acts.Thrown(faces) for faces in full), counts, *(acts.Thrown((), told) for told in WRONG)]
        case _:
            return [None]


def throws(result: object) -> bool:
    """A throw is tried together with every other one that comes after it."""
    return isinstance(result, acts.Thrown)


@pytest.mark.parametrize("name", CASES)
def test_every_way_through_a_round_ends_in_order(name: str) -> None:
    case = CASES[name]
    noticed = [Interrupted(incident) for incident in incidents(case)]
    paths = list(explore(case.table, partial(answers, case, noticed), further=throws))
    for path in paths:
        try:
            ends_closed(path)
            every_wager_is_settled_once(case, path)
            money_is_conserved(path)
            no_card_is_dealt(path)
            dice_are_thrown_after_the_bets(path)
            called_is_what_lies_there(case, path)
            extra_rolls_are_thrown_once(path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 30
    assert ended[Outcome.VOID] == 0, "no clause of the chapter voids a round"
    assert bool(ended[Outcome.SUSPENDED]) == ("extra roll" in name)


def ends_closed(path: Path) -> None:
    closed = closing(path)
    assert path.state is not None
    assert (closed.cause is None) == (closed.cite is None) == (closed.outcome is Outcome.COMPLETED)
    assert closed.disposition is e.Disposition.CONTINUE, "the dice stay at the table"
    assert path.state.deck == closed.deck == "dice-1"
    assert not path.state.new_dealer


def no_card_is_dealt(path: Path) -> None:
    kinds = {type(event) for event in path.events}
    assert not kinds & {e.CardDealt, e.CardsCounted, e.CardsExposed, e.DeckShuffled, e.DeckCut, e.SeatAsked}
    assert not {Stage.DEALING, Stage.DECIDING} & {Stage(stage) for stage in path.stages}


def dice_are_thrown_after_the_bets(path: Path) -> None:
    order = [type(event) for event in path.events]
    if e.DiceThrown in order:
        thrown = order.index(e.DiceThrown)
        assert order.index(e.BettingLocked) < thrown
        assert max(n for n, kind in enumerate(order) if kind is e.WagerMade) < thrown
    numbers = [event.number for event in path.only(e.DiceThrown)]
    assert numbers == list(range(1, len(numbers) + 1))


def called_is_what_lies_there(case: Dice, path: Path) -> None:
    """The first valid throw is called by its highest face; the second adds what shows that face."""
    valid = [x.faces for x in path.only(e.DiceThrown) if x.incident is None or len(x.faces) > 0]
    told = [(event.face, event.count) for event in path.only(e.DiceCalled)]
    if not valid:
        assert told == []
        return
    face, count = called(" ".join(map(str, valid[0])))
    expected = [(int(face), count)]
    if len(valid) > 1:
        assert len(valid[1]) == case.number - count
        expected.append((int(face), count + valid[1].count(int(face))))
    assert told == expected


def extra_rolls_are_thrown_once(path: Path) -> None:
    """The dice are thrown a second time where an Extra Roll was purchased, if not all of them match already."""
    if closing(path).outcome is not Outcome.COMPLETED:
        return
    bought = any(event.wager == "extra_roll" for event in path.only(e.WagerMade))
    first, *more = path.only(e.DiceCalled)
    assert len(more) == (bought and first.count < 10)


class Unseen(Dice):
    """Its sensors see that there is a wager, and not how much."""

    @property
    def stakes(self) -> tuple[acts.Stake, ...]:
        return tuple(acts.Stake(stake.seat, stake.wager, None) for stake in super().stakes)


def test_where_only_presence_is_known_results_and_odds_stand() -> None:
    wagers = (*((1, wager) for wager in (*SOME, "extra_roll")), (4, "pip_1"), (4, "millionaire_9"))
    known, unknown = (document(kind(GAME, wagers)) for kind in (Dice, Unseen))
    assert unknown == without_amounts(known)


def test_675a_5_c_prize_is_known_where_the_wager_is_not() -> None:
    case = Unseen(GAME, ((1, "pip_6"), (1, "millionaire_9"), (1, "millionaire_10")))
    nine = [acts.Thrown((6,) * 9 + (1,))]

    def nine_sixes(instruction: acts.AnyInstruction, path: Path) -> list[object]:
        return [*nine] if isinstance(instruction, acts.ThrowDice) else answers(case, [], instruction, path)

    path, _others = play(case.table(), nine_sixes, ())
    rows = {row["wager"]: row for row in round_document(GAME, path.events)["wagers"]}
    assert (rows["millionaire_9"]["result"], rows["millionaire_9"]["odds"]) == ("win", "$50000")
    assert (rows["millionaire_9"]["paid"], rows["millionaire_9"]["returned"]) == (None, None)


def document(case: Dice) -> Document:
    path, _others = play(case.table(), partial(answers, case, []), ())
    return round_document(GAME, path.events)
