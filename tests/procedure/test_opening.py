"""Opening a table, chapter by chapter: every step of x.4 in the order of the text, and nothing before all are done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tablectl import events as e
from tablectl.engine.drive import Interrupted
from tablectl.errors import IllegalMove
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import CutStyle, Dealing, Setup, Shuffler
from tablectl.procedure.opening import check_decks, open_table, usual_decks
from tablectl.procedure.rounds import next_procedure
from tablectl.procedure.stages import LEGAL, Guard, Stage
from tablectl.procedure.table import Phase
from tests.procedure.people import FLOORPERSON, HAND, TWO, live
from tests.procedure.stand_ins import (
    LATER_CHAPTER,
    OPENING,
    PAI_GOW_LIKE,
    SHOE_GAME,
    SHUFFLE,
    THREE_CARD_POKER,
    like,
    table_of,
)

CHAPTERS = list(OPENING)
OF_2010 = ("561", "563", "565")
SPREAD = ["spread: dealer", "ShowCards", "wash: dealer", "stack: dealer"]
CLOSED = {"decks": (), "deck_number": 0, "phase": Phase.CLOSED}


def test_565_4_steps_in_the_order_of_the_text() -> None:
    day = live(table_of(THREE_CARD_POKER, HAND, **CLOSED), open_table)
    assert day.steps() == ["ReceiveDeck", "inspect: dealer", "verify: floorperson", *SPREAD, "OpenTable"]
    cites = [(event.step, event.credential, event.cite) for event in day.only(e.StepAttested)]
    assert cites == [
        ("inspect", FLOORPERSON, "565.4(a)"),
        ("verify", FLOORPERSON, "565.4(b)"),
        ("spread", FLOORPERSON, "565.4(b)"),
        ("wash", FLOORPERSON, "565.4(c)"),
        ("stack", FLOORPERSON, "565.4(c)"),
    ]
    (shown,) = day.only(e.CardsShown)
    assert (shown.seat, shown.face_up, shown.cite) == (3, True, "565.4(b)")
    assert day.state is not None
    assert (day.state.phase, day.state.day, day.state.just_opened, day.state.first_player) == ("open", 1, True, 3)
    (opened,) = day.only(e.TableOpened)
    assert (opened.day, opened.decks) == (1, ("deck-1",))


def test_561_4_b_second_joker_is_torn_up_before_a_floorperson_verifies() -> None:
    day = live(table_of(PAI_GOW_LIKE, HAND, **CLOSED), open_table)
    looked = ["inspect: dealer", "second_joker: both", "verify: floorperson"]
    assert day.steps() == ["ReceiveDeck", *looked, *SPREAD, "OpenTable"]
    assert [event.cards for event in day.only(e.DeckReceived)] == [53]


def test_670a_4_a_a_floorperson_verifies_before_the_second_joker_is_torn_up() -> None:
    day = live(table_of(like("670a", deck=53), HAND, **CLOSED), open_table)
    assert day.steps()[1:4] == ["inspect: dealer", "verify: floorperson", "second_joker: both"]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_4_every_chapter_has_its_clauses(chapter: str) -> None:
    """What is cited are the chapter's own sections .3 and .4 (and .2 of the card reader), to their letters."""
    day = live(table_of(like(chapter), HAND, **CLOSED), open_table)
    (shown,) = day.only(e.CardsShown)
    attested = {event.step: event.cite for event in day.only(e.StepAttested)}
    assert attested.pop("inspect") == f"{chapter}.4(a)"
    assert attested.pop("verify") == f"{chapter}.4({'b' if chapter in OF_2010 else 'a'})"
    assert attested.pop("spread") == shown.cite == f"{chapter}.4(b)"
    assert attested.pop("wash") == attested.pop("stack") == f"{chapter}.4(c)"
    joker = attested.pop("second_joker", None)
    assert joker == (f"{chapter}.4(b)" if chapter in ("561", "670a") else None)
    reader = attested.pop("card_reader", None)
    assert reader == (f"{chapter}.2(d)" if chapter in ("672a", "673a") else None)
    assert attested == {}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_4_e_preinspected_and_preshuffled_decks_skip_all_of_it_since_2012(chapter: str) -> None:
    """The chapters of 2010 do not say so: there the deck is looked through, and is only not shuffled (x.5(a))."""
    stand_in = like(chapter)
    table = table_of(stand_in, HAND, **CLOSED)
    preshuffled = {acts.ReceiveDeck: lambda act: acts.NewDeck("deck-1", FLOORPERSON, act.backs[0], preshuffled=True)}
    day = live(table, open_table, preshuffled)
    done = [step for step in day.steps() if step not in ("RunSelfTest", "card_reader: floorperson")]
    if chapter in OF_2010:
        assert done[-len(SPREAD) - 1 :] == [*SPREAD, "OpenTable"]
    else:
        assert done == ["ReceiveDeck", "OpenTable"]
    assert day.state is not None
    first = live(table_of(stand_in, HAND, **{name: getattr(day.state, name) for name in ("decks", "just_opened")}))
    assert first.only(acts.Shuffle) == [], "not before the first round"
    assert len(first.only(acts.Cut)) == 1, "but it is cut"
    assert first.state is not None
    again = live(table_of(stand_in, HAND, decks=first.state.decks, ready=first.state.ready))
    per_shoe = stand_in.shuffling.style is CutStyle.OFFERED_SHOE
    assert len(again.only(acts.Shuffle)) == (0 if per_shoe else 1), "after the first round it is a deck like any other"


@pytest.mark.parametrize("stand_in", [THREE_CARD_POKER, SHOE_GAME], ids=["decks", "batches"])
def test_x_4_d_two_decks_are_opened_apart(stand_in: object) -> None:
    assert stand_in in (THREE_CARD_POKER, SHOE_GAME)
    game = THREE_CARD_POKER if stand_in is THREE_CARD_POKER else SHOE_GAME
    day = live(table_of(game, TWO, **CLOSED), open_table)
    received = ["ReceiveDeck", "inspect: dealer", "verify: floorperson"]
    again = ["spread: dealer", "player_looked: dealer", "wash: dealer", "stack: dealer"]
    steps = [step for step in day.steps() if step not in ("RunSelfTest", "card_reader: floorperson")]
    assert steps == [*received, *received, *SPREAD, *again, "OpenTable"]
    assert [event.back for event in day.only(e.DeckReceived)] == ["red", "blue"]
    washed = [event.deck for event in day.only(e.StepAttested) if event.step == "wash"]
    assert washed == ["deck-1", "deck-2"]
    spread = {event.cite for event in day.only(e.StepAttested) if event.step == "spread"}
    assert spread == {f"{game.chapter}.4(d)"}
    assert [receive.cards for receive in day.only(acts.ReceiveDeck)] == [game.deck, game.deck]


def test_x_3_b_second_deck_has_another_back_than_the_first() -> None:
    blue = {acts.ReceiveDeck: lambda act: acts.NewDeck(f"deck-{act.number}", FLOORPERSON, act.backs[-1])}
    day = live(table_of(THREE_CARD_POKER, TWO, **CLOSED), open_table, blue)
    assert [receive.backs for receive in day.only(acts.ReceiveDeck)] == [("red", "blue"), ("red",)]


def test_672a_2_d_card_reader_is_inspected_at_the_beginning_of_each_gaming_day() -> None:
    tests = iter([acts.SelfTestDone(False, "lamp"), acts.SelfTestDone(True)])
    table = table_of(SHOE_GAME, HAND, **CLOSED)
    day = live(table, open_table, {acts.RunSelfTest: lambda _act: next(tests)})
    assert day.steps()[:3] == ["RunSelfTest", "RunSelfTest", "card_reader: floorperson"]
    assert [test.again for test in day.only(acts.RunSelfTest)] == [False, True]
    (put_right,) = day.only(acts.PutRight)
    assert (put_right.message, put_right.cite) == ("card reader: lamp", "672a.2(d)")
    told = [(event.passed, event.detail) for event in day.only(e.DeviceTested)]
    assert told == [(False, "lamp"), (True, "")]
    inspected = next(event for event in day.only(e.StepAttested) if event.step == "card_reader")
    assert (inspected.by, inspected.credential) == ("floorperson", FLOORPERSON)


def test_672a_2_d_reader_that_cannot_test_itself_is_inspected_by_the_floorperson_alone() -> None:
    day = live(table_of(SHOE_GAME, HAND, **CLOSED), open_table)
    assert day.only(e.DeviceTested) == []
    assert "card_reader: floorperson" in day.steps()


def test_batch_of_six_decks_is_one_deck_with_all_its_cards() -> None:
    day = live(table_of(SHOE_GAME, HAND, **CLOSED), open_table)
    assert [(event.deck, event.cards) for event in day.only(e.DeckReceived)] == [("deck-1", 312)]


def test_nothing_is_dealt_before_the_table_is_open() -> None:
    """A closed table's procedure is the opening; it never leaves stage CLOSED, and there no card can be dealt."""
    table = table_of(THREE_CARD_POKER, HAND, **CLOSED)
    day = live(table, next_procedure)
    assert day.steps()[-1] == "OpenTable"
    assert day.only(acts.Enter) == []
    assert day.only(acts.OpenRound) == []
    for kind in (
        acts.Shuffle,
        acts.CollectWagers,
        acts.NoMoreBets,
        acts.DealAround,
        acts.Dispense,
        acts.Ask,
        acts.Expose,
    ):
        assert Stage.CLOSED not in LEGAL[kind]
        with pytest.raises(IllegalMove):
            Guard(THREE_CARD_POKER.transitions).check(kind.__new__(kind))


def test_irregularity_at_an_opening_is_recorded_and_the_step_is_awaited_again() -> None:
    table = table_of(THREE_CARD_POKER, HAND, **CLOSED)
    noticed = iter([Interrupted(acts.Incident("device_lost")), acts.Attested(FLOORPERSON)])
    day = live(table, open_table, {acts.Attest: lambda _act: next(noticed, acts.Attested(FLOORPERSON))})
    assert [event.kind for event in day.only(e.IrregularityNoted)] == ["device_lost"]
    assert [event.step for event in day.only(e.StepAttested)].count("inspect") == 1


def test_deck_that_comes_to_an_open_table_is_looked_through_spread_and_washed() -> None:
    day = live(table_of(LATER_CHAPTER, HAND, decks=(), deck_number=4))
    before = day.steps()[: day.steps().index("Shuffle")]
    looked = ["inspect: dealer", "verify: floorperson", "spread: dealer", "wash: dealer", "stack: dealer"]
    assert before == ["ReceiveDeck", *looked]
    assert [event.deck for event in day.only(e.DeckReceived)] == ["deck-5"]


def objections(chapter: str, **setup: object) -> list[tuple[str, str]]:
    made = replace(Setup(Dealing.MANUAL_SHOE, Shuffler.COUNTING, 6), **setup)  # type: ignore[arg-type]
    return [(objection.key, objection.cite) for objection in check_decks(like(chapter), made)]


def test_x_3_b_two_decks_need_a_shuffler_and_two_colours() -> None:
    assert objections("565", decks=1, shuffler=Shuffler.NONE) == []
    assert objections("565", decks=2) == []
    assert objections("565", decks=2, shuffler=Shuffler.NONE) == [("at_the_table", "565.3(b)")]
    assert objections("657a", decks=2, continuous=True) == [("at_the_table", "657a.3(b)")]
    assert objections("565", decks=2, backs=("red",)) == [("backs", "565.3(b)")]
    assert objections("565", decks=2, backs=("red", "red")) == [("backs", "565.3(b)"), ("backs", "565.3(b)")]
    assert objections("565", backs=("green",)) == []


def test_672a_3_b_with_a_shuffler_there_are_two_batches_but_not_with_a_continuous_one() -> None:
    assert objections("672a", decks=1) == [("at_the_table", "672a.3(b)")]
    assert objections("672a", decks=2) == []
    assert objections("672a", decks=1, shuffler=Shuffler.NONE) == []
    assert objections("672a", decks=1, continuous=True) == []
    usual = {chapter: usual_decks(like(chapter), TWO) for chapter in CHAPTERS}
    assert [chapter for chapter, decks in usual.items() if decks == 2] == ["672a", "673a"]


def letters(chapter: str) -> Iterator[str]:
    for name in ("shuffle", "cut", "recut", "idle", "ordered", "reshuffling", "exchange"):
        clause = getattr(SHUFFLE[chapter], name)
        yield "" if clause is None else clause.removeprefix(f"{chapter}.5")


def test_x_5_clauses_of_each_chapter() -> None:
    """Shuffle, cut, recut, idle table, reshuffle on order, reshuffling device, exchange: as the chapters count them."""
    later = ["(a)", "(d)", "(e)", "(f)", "(a)", "(g)", ""]
    twenty_one = ["(a)", "(d)", "(e)", "(g)", "(f)", "(h)", "(g)(2)"]
    expected = {
        "561": ["(a)", "(e)", "(f)", "(g)", "", "", ""],
        "563": ["(a)", "(d)", "(e)", "(f)", "", "", ""],
        "565": ["(a)", "(d)", "(e)", "(f)", "", "", ""],
        **dict.fromkeys(("655a", "657a", "671a", "674a", "676a"), later),
        "670a": ["(a)", "(e)", "(f)", "(g)", "(a)", "(h)", "(g)(2)"],
        **dict.fromkeys(("672a", "673a"), twenty_one),
    }
    assert {chapter: list(letters(chapter)) for chapter in CHAPTERS} == expected
