"""A table with dice over its day: how it opens and closes, whose the shaker is, how long a set of dice may stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.drive import Interrupted
from tablectl.events import Disposition, Outcome
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.opening import check_decks
from tablectl.procedure.orders import PLAYED, possible
from tablectl.procedure.people import DEALER_CHANGE
from tablectl.procedure.rounds import next_procedure
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import DeckState, Phase, Table, TableState
from tests.procedure.people import FLOORPERSON, Answers, Day, live

GAME = game("high_roll_dice")
SETUP = Setup(Dealing.NONE, Shuffler.NONE, 6)
HOUR = 3600
SEAT_1 = (acts.Stake(1, "pip_1", Money(5_00)),)
DICE: Answers = {
    acts.ReceiveDice: lambda act: acts.NewDeck(f"dice-{act.number}", FLOORPERSON),
    acts.CollectWagers: lambda _act: SEAT_1,
    acts.ThrowDice: lambda act: acts.Thrown((1,) * act.dice),
    acts.ClearLayout: lambda _act: True,
    acts.OpenWagering: lambda _act: acts.WageringOpen(),
}


def table_of(dice: int = 10, **state: Any) -> Table:
    rules = GAME.submission.model_validate({"dice": dice}).filed()
    given = {
        "round": 0,
        "decks": (DeckState("dice-1", "", 0, verified=0),),
        "deck_number": 1,
        "rounds_since_count": 0,
        "dealing": "none",
        "shuffler": "none",
        **state,
    }
    return Table(GAME, rules, SETUP, TableState(**given))


def played(table: Table, now: int = 0, **more: Any) -> Day:
    special = {getattr(acts, name): answer for name, answer in more.pop("answers", {}).items()}
    return live(table, next_procedure, {**DICE, acts.Now: lambda _act: now, **special}, **more)


def closing(day: Day) -> e.RoundClosed:
    (closed,) = day.only(e.RoundClosed)
    assert isinstance(closed, e.RoundClosed)
    return closed


@pytest.mark.parametrize("dice", [10, 6])
def test_675a_3_a_and_d_dice_are_brought_inspected_and_put_into_the_shaker(dice: int) -> None:
    day = played(table_of(dice, decks=(), deck_number=0, phase=Phase.CLOSED), now=HOUR)
    assert [type(event).__name__ for event in day.events] == [
        "DiceReceived",
        "StepAttested",
        "StepAttested",
        "TableOpened",
    ]
    (received,) = day.only(e.DiceReceived)
    assert received == e.DiceReceived("dice-1", dice, FLOORPERSON)
    assert [(step.step, step.by, step.deck, step.cite) for step in day.only(e.StepAttested)] == [
        ("inspect_dice", "both", "dice-1", "675a.3(a)"),
        ("shaker", "dealer", "dice-1", "675a.3(d)"),
    ]
    assert day.state is not None
    assert day.state.decks == (DeckState("dice-1", "", HOUR, verified=HOUR),)
    assert day.state.phase is Phase.OPEN


def test_no_card_is_received_shuffled_or_cut() -> None:
    day = played(table_of())
    assert closing(day).outcome is Outcome.COMPLETED
    kinds = {type(act) for act in day.instructions}
    assert not kinds & {acts.ReceiveDeck, acts.Shuffle, acts.OfferCut, acts.Cut, acts.Draw, acts.CountCards}
    assert closing(day).disposition is Disposition.CONTINUE


@pytest.mark.parametrize(("now", "outcome"), [(24 * HOUR - 1, Outcome.COMPLETED), (24 * HOUR, Outcome.SUSPENDED)])
def test_675a_3_b_1_dice_are_in_the_shaker_for_24_hours_at_the_most(now: int, outcome: Outcome) -> None:
    day = played(table_of(), now=now)
    assert closing(day).outcome is outcome
    if outcome is Outcome.COMPLETED:
        (near,) = day.only(e.DeckChangeNear)
        assert (near.deck, near.minutes, near.cite) == ("dice-1", 1, "675a.3(b)(1)")
        return
    assert (closing(day).cause, closing(day).cite) == ("deck_change_due", "675a.3(b)(1)")
    assert day.only(e.DeckRemoved) == [e.DeckRemoved("dice-1", "675a.3(b)(1)")]
    assert day.state is not None
    following = played(table_of(decks=(), deck_number=1, round=1), now=now)
    assert [received.deck for received in following.only(e.DiceReceived)] == ["dice-2"]
    assert closing(following).deck == "dice-2"


def test_675a_3_b_1_time_that_runs_out_while_wagers_are_placed_is_noticed_before_the_throw() -> None:
    times = iter([0, *[24 * HOUR] * 10])
    day = live(table_of(), next_procedure, {**DICE, acts.Now: lambda _act: next(times)})
    assert (closing(day).outcome, closing(day).cause) == (Outcome.SUSPENDED, "deck_change_due")
    assert day.only(e.DiceThrown) == day.only(e.WagerMade) == []


def custody(day: Day) -> list[str]:
    return [step.cite for step in day.only(e.StepAttested) if step.step == "take_shaker"]


def test_675a_3_c_new_dealer_takes_the_shaker_before_he_shakes() -> None:
    day = played(table_of(new_dealer=True))
    assert custody(day) == ["675a.3(c)"]
    order = [type(event) for event in day.events]
    assert order.index(e.StepAttested) < order.index(e.BettingLocked)
    assert day.state is not None
    assert not day.state.new_dealer
    assert custody(played(table_of())) == []


def test_675a_3_c_dealer_who_comes_while_wagers_are_placed_takes_it_too() -> None:
    given = [acts.Order(DEALER_CHANGE, "1002")]
    answers = {"CollectWagers": lambda _act: Interrupted(given.pop()) if given else SEAT_1}
    day = played(table_of(dealer="1001"), answers=answers)
    assert [changed.dealer for changed in day.only(e.DealerChanged)] == ["1002"]
    assert custody(day) == ["675a.3(c)"]
    order = [type(event) for event in day.events]
    assert order.index(e.DealerChanged) < order.index(e.StepAttested) < order.index(e.DiceThrown)


def test_675a_3_c_shaker_is_handed_over_when_the_table_is_closed() -> None:
    day = played(table_of(day=2), orders={"CollectWagers": acts.Order("close", FLOORPERSON)})
    steps = [event for event in day.events if isinstance(event, e.StepAttested | e.DeckRemoved | e.TableClosed)]
    assert steps == [
        e.StepAttested("shaker_away", "dice-1", "dealer", FLOORPERSON, "675a.3(c)"),
        e.DeckRemoved("dice-1", "675a.3(a)"),
        e.TableClosed(2, FLOORPERSON),
    ]
    assert day.state is not None
    assert (day.state.phase, day.state.decks) == (Phase.CLOSED, ())


def test_orders_about_cards_are_not_offered() -> None:
    table = table_of()
    table.stage = Stage.OPEN
    table.ready = True
    assert possible(table) == ("change_dice", "limits_notice", "played_without", "close")


def test_floorperson_has_the_dice_changed() -> None:
    day = played(table_of(), orders={"CollectWagers": acts.Order("change_dice", FLOORPERSON)})
    assert (closing(day).outcome, closing(day).cause) == (Outcome.SUSPENDED, "deck_change_ordered")
    assert day.only(e.DeckRemoved) == [e.DeckRemoved("dice-1", "675a.3(a)")]


def test_dice_are_inspected_after_rounds_without_the_controller() -> None:
    day = played(table_of(), orders={"CollectWagers": acts.Order(PLAYED, FLOORPERSON, "power", 3)})
    assert [step.step for step in day.only(e.StepAttested)] == ["inspect_dice"]
    assert closing(day).outcome is Outcome.COMPLETED
    assert day.state is not None
    assert not day.state.decks_unproven


def test_wrong_throw_in_the_extra_roll_is_handled_where_it_is_thrown() -> None:
    stakes = tuple(acts.Stake(1, wager, Money(5_00)) for wager in ("pip_1", "like_4", "extra_roll"))
    throws = iter(
        [
            acts.Thrown((1, 1, 1, 2, 2, 3, 3, 4, 5, 6)),
            acts.Thrown((), acts.Incident("die_off_table")),
            acts.Thrown((1, 2, 3, 4, 5, 6, 6)),
        ]
    )
    answers = {
        "CollectWagers": lambda _act: stakes,
        "ThrowDice": lambda _act: next(throws),
        "LockOutWagers": lambda act: acts.Accepted(1, (1,)),
        "CollectChips": lambda act: acts.ChipsCounted(act.accepted),
    }
    day = played(table_of(), answers=answers)
    assert [(called.face, called.count) for called in day.only(e.DiceCalled)] == [(1, 3), (1, 4)]
    assert [noted.remedies for noted in day.only(e.IrregularityNoted)] == [("rethrown",)]


def test_table_has_one_set_of_dice() -> None:
    assert [o.cite for o in check_decks(GAME, replace(SETUP, decks=2))] == ["675a.3(a)"]
    assert list(check_decks(GAME, SETUP)) == []
