"""The stage table: it knows every instruction, and lets nothing happen out of turn."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.errors import IllegalMove
from tablectl.games import GAME_IDS, game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Remedy
from tablectl.procedure.stages import LEGAL, ONE_DECISION, Guard, Stage

INSTRUCTIONS = [
    cls
    for cls in vars(acts).values()
    if isinstance(cls, type) and issubclass(cls, acts.Instruction) and cls is not acts.Instruction
]


def test_every_instruction_is_in_the_table() -> None:
    assert set(LEGAL) == set(INSTRUCTIONS)


def way_to(stage: Stage) -> list[Stage]:
    """The stages of a round from its beginning up to that one, by the shortest way."""
    ways = [[Stage.CLOSED]]
    for way in ways:
        if way[-1] is stage:
            return way[1:]
        ways += [[*way, after] for after in ONE_DECISION[way[-1]] if after not in way]
    raise AssertionError(f"no way leads to {stage}")


def guard_in(stage: Stage) -> Guard:
    guard = Guard(ONE_DECISION)
    for step in way_to(stage):
        guard.check(acts.Enter(step.value))
    assert guard.stage is stage
    return guard


def sample(cls: type[acts.Instruction[Any]]) -> acts.Instruction[Any]:
    """An instruction of that class; the guard looks at nothing but the class, and at the stage of `Enter`."""
    made: acts.Instruction[Any] = cls.__new__(cls)
    return made


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("cls", [cls for cls in INSTRUCTIONS if cls is not acts.Enter])
def test_instruction_is_refused_where_it_is_not_listed(cls: type[acts.Instruction[Any]], stage: Stage) -> None:
    guard = guard_in(stage)
    if stage in LEGAL[cls]:
        guard.check(sample(cls))
        return
    with pytest.raises(IllegalMove, match=f"{cls.__name__} in stage {stage}"):
        guard.check(sample(cls))


@pytest.mark.parametrize("after", Stage)
@pytest.mark.parametrize("before", Stage)
def test_stage_follows_only_where_the_game_allows_it(before: Stage, after: Stage) -> None:
    guard = guard_in(before)
    if after in ONE_DECISION[before]:
        guard.check(acts.Enter(after.value))
        assert guard.stage is after
        return
    with pytest.raises(IllegalMove, match=f"{after} cannot follow {before}"):
        guard.check(acts.Enter(after.value))
    assert guard.stage is before


@pytest.mark.parametrize("name", GAME_IDS)
def test_transitions_of_a_game_are_sound(name: str) -> None:
    """Every stage is known and can be reached, everything ends closed, and a void can only be closed.

    Nothing is dealt or decided in a game of dice, and a game that is played for pots has no "no more bets".
    """
    transitions = game(name).transitions
    known = set(transitions)
    without = {Stage.LOCKED} if game(name).pots else set()
    assert known == set(Stage) - (without if game(name).dice is None else {Stage.DEALING, Stage.DECIDING})
    assert transitions[Stage.VOID] == (Stage.CLOSED,)
    for first in known:
        reached, edge = {first}, [first]
        while edge:
            edge = [after for stage in edge for after in transitions[stage] if after not in reached]
            reached.update(edge)
        assert reached == known


@pytest.mark.parametrize("name", GAME_IDS)
def test_devices_are_covered_and_taken_away_between_rounds_only(name: str) -> None:
    """What is in them is counted then, so no clause may have it done while cards are dealt."""
    irregularities = game(name).irregularities
    windows = {rule.window for rule in irregularities if rule.remedy in (Remedy.COVER_DEVICE, Remedy.REMOVE_DEVICE)}
    assert windows <= {(Stage.OPEN,)}


def test_565_7_d_no_card_before_betting_is_closed_and_no_wager_after_it() -> None:
    """What the chapter puts after the announcement stands after it in the table."""
    early = (Stage.CLOSED, Stage.OPEN)
    for cls in (acts.Draw, acts.DealAround, acts.Dispense, acts.Ask, acts.PlaceWagers, acts.Expose):
        assert not set(early) & set(LEGAL[cls])
    assert LEGAL[acts.CollectWagers] == (Stage.OPEN,)
    assert LEGAL[acts.NoMoreBets] == (Stage.LOCKED,)


def test_565_13_d_epilogue_takes_no_interrupt() -> None:
    assert not [cls for cls in INSTRUCTIONS if cls.interruptible and Stage.VOID in LEGAL[cls]]


def test_interrupts_come_only_where_a_person_is_awaited() -> None:
    interruptible = {cls.__name__ for cls in INSTRUCTIONS if cls.interruptible}
    at_a_deck = {
        "LoadShuffler",
        "TakeShuffled",
        "Attest",
        "OfferCut",
        "Cut",
        "Shuffle",
        "LoadShoe",
        "ShowCards",
        "IdleCards",
        "TakeStored",
        "RunSelfTest",
        "ReceiveDeck",
    }
    at_a_system = {"LockOutWagers", "CollectChips", "LookAtMeter", "TakeOffMeter", "AdoptMeter"}
    at_an_award = {"VerifyHand", "LightWin", "ValidateAward", "DocumentHandPay"}
    at_the_pots = {"AskBet", "DealForButton", "PostBet", "TurnFaceUp", "TurnUpForButton", "Show"}
    of_the_house = {"TakeTime", "CheckTime", "EmptyBox", "AdjustDisplay", "PayJackpot"}
    assert interruptible == {
        *at_the_pots,
        *of_the_house,
        "VerifyBadBeat",
        "VerifyHighHand",
        *at_a_system,
        *at_an_award,
        *at_a_deck,
        "ClearLayout",
        "CollectWagers",
        "ThrowDice",
        "ReadNumber",
        "Burn",
        "Draw",
        "DealAround",
        "Dispense",
        "DeliverStack",
        "CountCards",
        "Expose",
        "Ask",
        "Declare",
        "LockDecisions",
        "DealerStands",
        "Peek",
        "ReceiveDice",
        "CallDice",
        "Discard",
        "PlaceLammers",
        "SetHands",
        "SharedSeats",
        "TurnUpHands",
    }


def test_question_that_is_asked_again_is_one_question_on_the_record() -> None:
    question = acts.Ask(3, (acts.Choice("bet", "play", Money(500)), acts.Choice("fold")), "565.11(b)")
    asked, again = question.interrupted(), question.repeated()
    assert [type(event).__name__ for event in asked] == ["SeatAsked"]
    assert again.interrupted() == ()
    assert (again.seat, again.choices) == (question.seat, question.choices)
    assert [type(event).__name__ for event in again.events(acts.Decision("fold"))] == ["SeatDecided"]
