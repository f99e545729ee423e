"""`journal decks` and the ledger at a table with dice: a set of dice stands where a deck does."""

from __future__ import annotations

from tablectl import events as e
from tablectl.cli.decks import cards_of
from tablectl.journal.decks import Since
from tests.cli.test_decks import Show, ledger, numbers, show

__all__ = ["show"]

DICE = e.DiceReceived("dice-1", 10, "4711")
OPENING = [
    DICE,
    e.StepAttested("inspect_dice", "dice-1", "both", "4711", "675a.3(a)"),
    e.StepAttested("shaker", "dice-1", "dealer", "200", "675a.3(d)"),
    e.TableOpened(1, "high_roll_dice", ("dice-1",), "200"),
]


def played(number: int, *, thrown: bool = True) -> list[e.Event]:
    """A round, in which the dice came to count or did not."""
    events: list[e.Event] = [
        e.RoundOpened(number, "high_roll_dice", "dice-1", "none", "none", ""),
        e.BettingLocked("675a.4(a)"),
        e.DiceThrown(1, (), "die_off_table"),
    ]
    if thrown:
        events += [e.DiceThrown(2, (1,) * 10, None), e.DiceCalled(1, 10, "675a.4(e)")]
    outcome = e.Outcome.COMPLETED if thrown else e.Outcome.SUSPENDED
    return [*events, e.RoundClosed(number, outcome, None, None, "dice-1", e.Disposition.CONTINUE)]


def test_dice_are_listed_with_their_number_and_their_rounds(show: Show) -> None:
    events = [*OPENING, *played(1), *played(2, thrown=False), *played(3), e.DeckRemoved("dice-1", "675a.3(b)(1)")]
    ((deck,), text) = show(events)["decks"], show(events, text=True)
    assert (deck["deck"], deck["dice"], deck["cards"], deck["rounds"]) == ("dice-1", 10, None, 2)
    assert deck["left"] is not None
    assert text.startswith("dice-1: 10 dice\n")
    assert "inspect_dice" in text


def test_inspection_by_dealer_and_floorperson_proves_a_set_of_dice(show: Show) -> None:
    again = e.StepAttested("inspect_dice", "dice-1", "both", "4711", "675a.3(a)")
    events = [*OPENING, *played(1), again, *played(2)]
    (deck,) = ledger(events).of("dice-1")
    assert [check.proves(since) for check in deck.checks for since in Since] == [True] * 6
    assert numbers(show(events, "--affected", "dice-1")) == [2]


def test_a_game_of_dice_has_no_cards() -> None:
    assert cards_of("high_roll_dice") is None
    assert cards_of("three_card_poker") == 52


def test_dice_that_were_there_before_the_journal_have_no_number_of_cards(show: Show) -> None:
    (deck,) = show(played(1))["decks"]
    assert (deck["cards"], deck["dice"]) == (None, None)
