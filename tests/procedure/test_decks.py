"""Decks at a table: turns, clocks, questions, cards that are replaced, cards that are turned up, devices that leave."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, Card, FaceDown, card
from tablectl.engine.drive import Interrupted
from tablectl.procedure import instructions as acts
from tablectl.procedure.devices import return_device
from tablectl.procedure.game import Dealing, Irregularity, Remedy, Setup, Shuffler
from tablectl.procedure.questions import replace_card, set_card_aside
from tablectl.procedure.shown import ShoeMemory, Shown, ShownHand
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import DeckState, StandingFault, Table, TableState
from tablectl.rules import cite
from tests.procedure.people import FLOORPERSON, HAND, MACHINE, TWO, Day, answer, live
from tests.procedure.stand_ins import LATER_CHAPTER, PAI_GOW_LIKE, SHOE_GAME, THREE_CARD_POKER, table_of

HOUR = 3600
QH, JH, AS = card("Qh"), card("Jh"), card("As")
MIXED = ["As", "7d", "2c", "Kh", "9s", "4d", "Jc", "3h", "Qd", "8c", "6s", "Td"]
CLEARED = acts.QuestionCleared(FLOORPERSON, "checked")


def shuffled(*cards: str) -> Callable[[acts.Draw | acts.DealAround], object]:
    """A deck in that order, and mixed after it."""
    order = [card(name) for name in (*cards, *(name for name in MIXED if name not in cards))]
    return lambda act: acts.Drawn(FaceDown(order[(act.number - 1) % len(order)]))


SMOOTH: dict[type[Any], Callable[[Any], object]] = {
    acts.Draw: shuffled(),
    acts.DealAround: shuffled(),
    acts.ClearQuestion: lambda _act: CLEARED,
}


def played(table: Table, **special: Callable[[Any], object]) -> Day:
    """One round; `special` answers instructions of that name."""
    return live(table, answers={**SMOOTH, **{getattr(acts, name): give for name, give in special.items()}})


def begun(table: Table, order: Callable[[Table, acts.Order], Coroutine[Any, Any, None]], given: acts.Order) -> Any:
    """A procedure that obeys that order where orders are obeyed."""

    async def obeyed(table: Table) -> TableState:
        await table.enter(Stage.OPEN)
        await order(table, given)
        return table.state

    return obeyed


def asked(day: Day) -> list[tuple[str, str]]:
    return [(event.deck, event.what) for event in day.only(e.DeckQuestioned)]


def checked(moment: str, **found: Any) -> Callable[[acts.CheckEquipment], object]:
    return lambda act: acts.EquipmentChecked(**found) if act.moment == moment else acts.EquipmentChecked()


# Turns --------------------------------------------------------------------------------------------------------------


def test_x_3_b_4_shuffled_deck_is_next_when_the_turn_of_the_other_is_over() -> None:
    before: dict[str, Any] = {}
    names = []
    for number in range(3):
        day = played(table_of(THREE_CARD_POKER, TWO, round=number, **before))
        assert day.state is not None
        before = {"decks": day.state.decks}
        names.append(day.only(e.RoundOpened)[0].deck)
    assert names == ["deck-1", "deck-2", "deck-1"]


def test_672a_3_b_4_batches_change_places_after_every_shoe() -> None:
    setup = replace(TWO, backs=("red", "blue"))
    first = played(table_of(SHOE_GAME, setup))
    assert first.state is not None
    assert [deck.id for deck in first.state.decks] == ["deck-1", "deck-2"], "the shoe goes on"
    assert first.state.decks[1].in_shuffler
    cover = iter([acts.Incident("cover_card", position=None)])

    def draw(act: acts.DealAround) -> object:
        incident = next(cover, None)
        return Interrupted(incident) if incident is not None else shuffled()(act)

    goes_on = {"decks": first.state.decks, "ready": first.state.ready, "shoe": first.state.shoe, "round": 1}
    second = played(table_of(SHOE_GAME, setup, **goes_on), DealAround=draw)
    assert second.state is not None
    assert [deck.id for deck in second.state.decks] == ["deck-2", "deck-1"]
    assert [event.deck for event in second.only(e.DeckLoaded)] == []
    third = played(table_of(SHOE_GAME, setup, decks=second.state.decks, round=2))
    steps = [type(act).__name__ for act in third.instructions if isinstance(act, acts.LoadShuffler | acts.TakeShuffled)]
    assert steps == ["TakeShuffled", "LoadShuffler"]
    assert [event.deck for event in third.only(e.DeckLoaded)] == ["deck-1"]


def test_x_5_a_deck_that_is_ordered_to_be_shuffled_again_is_shuffled_by_hand() -> None:
    """The other deck is in the shuffler then."""
    order = acts.Order("reshuffle", FLOORPERSON)
    day = live(table_of(LATER_CHAPTER, TWO), answers=SMOOTH, orders={"CollectWagers": order})
    shuffles = [(event.deck, event.by) for event in day.only(e.DeckShuffled)]
    assert shuffles == [("deck-1", "device"), ("deck-1", "hand")]
    assert [event.deck for event in day.only(e.DeckLoaded)] == ["deck-1", "deck-2"]


def test_655a_5_a_preshuffled_deck_is_played_while_the_other_one_is_shuffled() -> None:
    decks = (DeckState("deck-1", "red", 0, preshuffled=True), DeckState("deck-2", "blue", 0, preshuffled=True))
    day = played(table_of(LATER_CHAPTER, TWO, decks=decks))
    assert day.only(acts.TakeShuffled) == []
    assert [event.deck for event in day.only(e.DeckLoaded)] == ["deck-2"]
    assert [event.deck for event in day.only(e.DeckCut)] == ["deck-1"]


def test_x_3_a_one_deck_is_enough_where_the_shuffler_has_left() -> None:
    table = table_of(THREE_CARD_POKER, TWO, out_of_service=("shuffler",))
    day = played(table, AccountFor=lambda act: acts.Accounted(act.expected, "dealer"))
    assert [event.deck for event in day.only(e.DeckRemoved)] == ["deck-2"]
    assert day.state is not None
    assert [deck.id for deck in day.state.decks] == ["deck-1"]
    again = played(table_of(THREE_CARD_POKER, TWO, decks=day.state.decks, shuffler="none", removed=("shuffler",)))
    assert again.only(acts.ReceiveDeck) == []


def test_x_13_g_shoe_that_leaves_lets_the_other_decks_shuffle_go_on() -> None:
    """The deck that was put into the shuffler is there still, and is not put in once more."""
    setup = replace(TWO, dealing=Dealing.AUTOMATED_SHOE)
    given_up = iter([acts.OutOfService("shoe_out_of_service", "shoe", None)])
    done = acts.Shuffled(52)
    table = table_of(THREE_CARD_POKER, setup, dealing="automated_shoe")
    day = played(table, TakeShuffled=lambda _act: next(given_up, done))
    steps = [type(act).__name__ for act in day.instructions if isinstance(act, acts.LoadShuffler | acts.TakeShuffled)]
    assert steps == ["LoadShuffler", "TakeShuffled", "TakeShuffled", "LoadShuffler"]
    assert [event.deck for event in day.only(e.DeckLoaded)] == ["deck-1", "deck-2"]
    assert [event.device for event in day.only(e.DeviceRemoved)] == ["shoe"]


# Clocks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "dealing", "hours", "clause"),
    [
        (THREE_CARD_POKER, Dealing.FROM_HAND, 4, "565.3(c)(1)"),
        (THREE_CARD_POKER, Dealing.MANUAL_SHOE, 8, "565.3(c)(2)"),
        (THREE_CARD_POKER, Dealing.AUTOMATED_SHOE, 8, "565.3(c)(2)"),
        (SHOE_GAME, Dealing.MANUAL_SHOE, 24, "672a.3(c)"),
    ],
    ids=["hand", "manual", "automated", "twenty-one"],
)
def test_x_3_c_no_round_begins_with_a_deck_whose_time_is_over(
    game: Any, dealing: Dealing, hours: int, clause: str
) -> None:
    setup = Setup(dealing, Shuffler.COUNTING, 6)
    deck = DeckState("deck-1", "red", 1000)

    def at(now: int) -> Day:
        table = table_of(game, setup, decks=(deck,), ready=game is SHOE_GAME)
        return played(
            table,
            Now=lambda _act: now,
            Dispense=lambda act: acts.Dispensed(
                tuple(acts.Drawn(FaceDown(card(MIXED[(act.number + n) % 12]))) for n in range(act.count))
            ),
        )

    (closed,) = at(1000 + hours * HOUR).only(e.RoundClosed)
    assert (closed.outcome, closed.cause, closed.cite) == ("suspended", "deck_change_due", clause)
    (closed,) = at(1000 + hours * HOUR - 1).only(e.RoundClosed)
    assert closed.outcome == "completed"


def test_x_3_c_time_that_is_over_while_wagers_are_placed_stops_the_round_before_the_deal() -> None:
    times = iter([HOUR, 8 * HOUR])
    day = played(table_of(THREE_CARD_POKER, MACHINE), Now=lambda _act: next(times))
    (closed,) = day.only(e.RoundClosed)
    assert (closed.outcome, closed.cause) == ("suspended", "deck_change_due")
    assert day.only(e.WagerMade) == []
    assert day.only(e.CardDealt) == []


@pytest.mark.parametrize(("left", "minutes"), [(901, None), (900, 15), (61, 2), (60, 1)])
def test_x_3_c_warning_comes_ahead_and_is_on_the_record_once(left: int, minutes: int | None) -> None:
    now = 8 * HOUR - left
    first = played(table_of(THREE_CARD_POKER, MACHINE), Now=lambda _act: now)
    assert first.state is not None
    again = played(table_of(THREE_CARD_POKER, MACHINE, decks=first.state.decks), Now=lambda _act: now)
    found = [(event.deck, event.minutes, event.cite) for event in first.only(e.DeckChangeNear)]
    assert found == ([] if minutes is None else [("deck-1", minutes, "565.3(c)(2)")])
    assert len(again.only(acts.WarnDeckChange)) == len(found), "the panel says so before every round"
    assert again.only(e.DeckChangeNear) == []


def test_warning_is_as_long_ahead_as_the_table_is_set_up() -> None:
    setup = replace(MACHINE, warn_minutes=60)
    assert played(table_of(THREE_CARD_POKER, setup), Now=lambda _act: 7 * HOUR).only(acts.WarnDeckChange)


# Questions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "what"),
    [
        ({"missing": (QH,)}, ["missing_card"]),
        ({"extra": (JH,)}, ["extra_card"]),
        ({"missing": (QH,), "extra": (JH,)}, ["missing_card", "extra_card"]),
        ({"cards": 51}, ["wrong_count"]),
        ({"unreadable": 1}, ["unreadable_cards"]),
        ({"odd_backs": 1}, ["odd_backs"]),
        ({"back": "blue"}, ["wrong_back"]),
        ({"other_batch": True, "batch": 3}, ["other_batch"]),
        ({"back": "red", "batch": 3}, []),
    ],
    ids=str,
)
def test_what_an_identifying_shuffler_finds_is_cleared_before_a_card_is_dealt(claim: Any, what: list[str]) -> None:
    found = acts.DeckClaim("shuffler", **{"cards": 52, **claim})
    reasons: list[str] = []

    def clear(act: acts.ClearQuestion) -> object:
        reasons.append(act.question.what)
        return acts.QuestionCleared(FLOORPERSON, act.reasons[0])

    setup = replace(MACHINE, shuffler=Shuffler.IDENTIFYING)
    first = iter([acts.Shuffled(52, found)])
    day = played(
        table_of(THREE_CARD_POKER, setup),
        Shuffle=lambda _act: next(first, acts.Shuffled(52)),
        ClearQuestion=clear,
    )
    assert asked(day) == [("deck-1", kind) for kind in what]
    assert reasons == what
    assert len(day.only(acts.Shuffle)) == (2 if what else 1), "a deck that was handled is shuffled once more"
    kinds = [type(event) for event in day.events]
    for cleared in day.only(e.DeckCleared):
        assert day.events.index(cleared) < kinds.index(e.BettingLocked)
        assert cleared.credential == FLOORPERSON
    assert day.state is not None
    assert day.state.questions == ()


def test_claim_of_a_device_is_recorded_as_its_claim_and_verifies_nothing() -> None:
    """A device's 52 with a card of another deck inside has happened."""
    claim = acts.DeckClaim("shuffler", 52, back="red")
    day = played(table_of(THREE_CARD_POKER, MACHINE), Shuffle=lambda _act: acts.Shuffled(52, claim))
    (claimed,) = day.only(e.DeckClaimed)
    assert (claimed.deck, claimed.device, claimed.cards, claimed.missing) == ("deck-1", "shuffler", 52, ())
    assert day.state is not None
    assert day.state.decks[0].verified == 0
    again = played(table_of(THREE_CARD_POKER, MACHINE, decks=day.state.decks))
    assert again.only(e.RoundOpened)[0].verified == 0


def test_round_names_its_deck_its_back_and_when_a_person_verified_it() -> None:
    day = played(table_of(THREE_CARD_POKER, MACHINE, decks=()), Now=lambda _act: 500)
    (opened,) = day.only(e.RoundOpened)
    assert (opened.deck, opened.back, opened.verified) == ("deck-2", "red", 500)


def test_open_question_blocks_the_next_round_with_its_age() -> None:
    question = acts.DeckQuestion("deck-1", "odd_backs", 1000, "one")
    ages = []

    def clear(act: acts.ClearQuestion) -> object:
        ages.append((act.question.what, act.minutes))
        return CLEARED

    table = table_of(THREE_CARD_POKER, MACHINE, questions=(question,))
    day = played(table, Now=lambda _act: 1000 + 12 * 60 + 59, ClearQuestion=clear)
    assert ages == [("odd_backs", 12)]
    first = next(event for event in day.events)
    assert isinstance(first, e.DeckCleared), "before anything of the round"


def test_floorperson_may_have_the_deck_taken_away_instead() -> None:
    away = acts.QuestionCleared(FLOORPERSON, "deck_removed")
    question = acts.DeckQuestion("deck-1", "odd_backs", 0, "one")
    between = played(table_of(THREE_CARD_POKER, MACHINE, questions=(question,)), ClearQuestion=lambda _act: away)
    assert [event.deck for event in between.only(e.DeckRemoved)] == ["deck-1"]
    assert between.only(e.RoundOpened)[0].deck == "deck-2"
    claim = acts.DeckClaim("shuffler", 52, odd_backs=1)
    within = played(
        table_of(THREE_CARD_POKER, MACHINE),
        Shuffle=lambda _act: acts.Shuffled(52, claim),
        ClearQuestion=lambda _act: away,
    )
    (closed,) = within.only(e.RoundClosed)
    assert (closed.outcome, closed.cause, closed.disposition) == ("suspended", "odd_backs", e.Disposition.REMOVE)
    assert within.only(e.CardDealt) == []


def test_deck_that_leaves_takes_its_questions_along() -> None:
    day = played(table_of(THREE_CARD_POKER, MACHINE), Shuffle=lambda _act: acts.Shuffled(51))
    assert asked(day) == [("deck-1", "wrong_count")]
    (cleared,) = day.only(e.DeckCleared)
    assert (cleared.credential, cleared.reason) == ("", "deck_removed")
    assert day.state is not None
    assert day.state.questions == ()


# Single cards -------------------------------------------------------------------------------------------------------


def replaced(missing: Card, new: Card, back: str, questions: tuple[acts.DeckQuestion, ...]) -> tuple[Day, TableState]:
    table = table_of(THREE_CARD_POKER, MACHINE, questions=questions)
    given = acts.Order("replace_card", FLOORPERSON)
    named = acts.Replacement(missing, new, back)
    day = live(table, begun(table, replace_card, given), {acts.NameReplacement: lambda _act: named})
    assert day.state is not None
    return day, day.state


MISSING = (acts.DeckQuestion("deck-1", "missing_card", 0, "shuffler: Qh missing", (QH,)),)


def test_replacement_equals_the_missing_card_and_the_decks_back() -> None:
    day, state = replaced(QH, QH, "red", MISSING)
    (event,) = day.only(e.CardReplaced)
    assert (event.deck, event.card, event.back, event.credential) == ("deck-1", QH, "red", FLOORPERSON)
    assert state.questions == ()
    assert [(cleared.what, cleared.reason) for cleared in day.only(e.DeckCleared)] == [
        ("missing_card", "card_replaced")
    ]


@pytest.mark.parametrize(
    ("missing", "new", "back", "reason"),
    [
        (QH, JH, "red", "Jh is not Qh"),
        (QH, QH, "blue", "back is blue, not red"),
        (JH, JH, "red", "Jh is not missing"),
    ],
)
def test_other_replacement_is_recorded_and_refused(missing: Card, new: Card, back: str, reason: str) -> None:
    day, state = replaced(missing, new, back, MISSING)
    (event,) = day.only(e.CardReplacementRefused)
    assert (event.card, event.back, event.reason, event.credential) == (new, back, reason, FLOORPERSON)
    assert day.only(e.CardReplaced) == []
    assert state.questions == MISSING


@pytest.mark.parametrize("named", [AS, None], ids=["named", "cannot be told"])
def test_card_that_is_set_aside_is_replaced_before_a_card_is_dealt(named: Card | None) -> None:
    """Looking at the deck is not enough: it lacks a card."""
    table = table_of(THREE_CARD_POKER, MACHINE)
    offered: list[tuple[str, ...]] = []

    def clear(act: acts.ClearQuestion) -> object:
        offered.append(act.reasons)
        return acts.QuestionCleared(FLOORPERSON, "replace_card")

    wrong = iter([acts.Replacement(AS, QH, "red"), acts.Replacement(AS, AS, "red")])
    day = live(
        table,
        begun(table, set_card_aside, acts.Order("set_card_aside", FLOORPERSON)),
        {
            acts.NameCard: lambda _act: acts.NamedCard(named),
            acts.ClearQuestion: clear,
            acts.NameReplacement: lambda _act: next(wrong),
        },
    )
    told = [type(event).__name__ for event in day.events]
    assert told == ["CardSetAside", "DeckQuestioned", "CardReplacementRefused", "CardReplaced", "DeckCleared"]
    assert offered == [("put_back", "replace_card", "deck_removed")] * 2
    assert day.state is not None
    assert day.state.questions == ()


# Cards that are turned up -------------------------------------------------------------------------------------------


def shown(game: Any = THREE_CARD_POKER, setup: Setup = MACHINE, *, up: dict[str, str], **state: Any) -> Day:
    """A round in which those cards lie on the table where others were dealt."""
    names = {card(before): card(after) for before, after in up.items()}

    def expose(act: acts.Expose) -> object:
        found = [hidden.card for hidden in act.cards if hidden.card is not None]
        return acts.Exposed(tuple(names.get(each, each) for each in found))

    return played(table_of(game, setup, **state), Expose=expose)


def test_same_card_twice_in_a_round_is_an_alarm_at_once() -> None:
    day = shown(up={"7d": "As"})  # the first card of seat 1 is As, the dealer's is 7d
    (alarm,) = day.only(e.AlarmRaised)
    assert (alarm.source, alarm.kind, alarm.message) == ("deck-1", "card_twice", "As turned up 2 times")
    assert asked(day) == [("deck-1", "card_twice")]
    second = next(
        n for n, event in enumerate(day.events) if isinstance(event, e.CardsExposed) and event.position.kind == "seat"
    )
    assert day.events[second + 1] is alarm, "at once"
    assert day.state is not None
    assert [question.cards for question in day.state.questions] == [(AS,)]


def test_card_that_the_deck_does_not_hold_is_an_alarm_at_once() -> None:
    """A second joker in a deck with one, the first in any other."""
    day = shown(up={"7d": "Xj"})
    assert [(alarm.kind, alarm.message) for alarm in day.only(e.AlarmRaised)] == [
        ("foreign_card", "Xj is no card of this deck")
    ]
    one = shown(PAI_GOW_LIKE, HAND, up={"7d": "Xj"})
    assert one.only(e.AlarmRaised) == []
    two = shown(PAI_GOW_LIKE, HAND, up={"7d": "Xj", "As": "Xj"})
    assert [alarm.message for alarm in two.only(e.AlarmRaised)] == ["Xj turned up 2 times"]


def test_six_decks_hold_each_card_six_times() -> None:
    ace = acts.Exposed((AS, AS))
    before: dict[str, Any] = {}
    alarms = []
    for number in range(2):
        table = table_of(SHOE_GAME, replace(HAND, decks=1), round=number, **before)
        day = played(table, Expose=lambda _act: ace)
        assert day.state is not None
        before = {"decks": day.state.decks, "ready": day.state.ready, "shoe": day.state.shoe}
        alarms.append([alarm.kind for alarm in day.only(e.AlarmRaised)])
    assert alarms == [[], ["card_twice"]], "four aces in a round, eight in two rounds of one shoe"


def test_hand_that_is_turned_up_in_parts_is_one_hand() -> None:
    up, down = FaceDown(AS), FaceDown(QH)
    seen = Shown(1, ShoeMemory())
    for number, each in enumerate((up, down), 1):
        assert not seen.take(acts.Draw(number, DEALER), acts.Drawn(each))
    assert seen.take(acts.Expose(DEALER, 0, (up,)), acts.Exposed((AS,)))
    assert seen.take(acts.Expose(DEALER, 0, (up, down)), acts.Exposed((AS, QH)))
    assert seen.times == {AS: 1, QH: 1}
    assert seen.last_rounds == [ShownHand(1, (1, 2), (AS, QH))]
    seen.take(acts.Shuffle("deck-1", "hand"), acts.Shuffled(None))
    assert seen.times == {}, "after that any card may come again"


def test_face_up_cards_and_stacks_are_seen_as_they_leave() -> None:
    seen = Shown(1, ShoeMemory())
    stack = (acts.Drawn(FaceDown(AS)), acts.FoundFaceUp(QH), acts.Drawn(FaceDown(JH)))
    assert seen.take(acts.Dispense(4, 2, DEALER), acts.Dispensed(stack))
    assert not seen.take(acts.Draw(7, DEALER), acts.FoundFaceUp(None))
    assert seen.last_rounds == [ShownHand(1, (5,), (QH,))]


def test_shoe_remembers_every_card_that_it_has_shown_and_the_hands_of_its_last_round() -> None:
    memory, most = ShoeMemory(), []
    for number, shown in enumerate((AS, QH, AS), 1):
        down = FaceDown(shown)
        seen = Shown(number, memory)
        seen.take(acts.Draw(1, DEALER), acts.Drawn(down))
        seen.take(acts.Expose(DEALER, 0, (down,)), acts.Exposed((shown,)))
        assert seen.last_rounds[:-1] == list(memory.hands), "and the round before"
        memory = seen.memory(1)
        most.append(seen.most)
    assert memory == ShoeMemory(3, (ShownHand(3, (3,), (AS,)),), ((AS, 2), (QH, 1)))
    assert most == [1, 1, 2]


def test_sorted_deck_is_an_alarm_within_two_rounds() -> None:
    ranks = "23456789TJQKA"
    order = [f"{rank}{suit}" for suit in "cdhs" for rank in ranks]
    before: dict[str, Any] = {}
    found = []
    for number in range(2):
        table = table_of(THREE_CARD_POKER, MACHINE, round=number, **before)
        day = played(table, DealAround=shuffled(*order[number * 5 :]))
        assert day.state is not None
        before = {"decks": day.state.decks}
        found.append([alarm.kind for alarm in day.only(e.AlarmRaised)])
    assert found == [[], ["cards_in_sequence"]], "two hands of three in each"


# Conservation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "what"),
    [
        ({"shuffler": 0}, []),
        ({"shuffler": 52}, []),
        ({"shuffler": 1}, ["cards_left_inside"]),
        ({"shoe": 46}, []),
        ({"shoe": 0}, []),
        ({"shoe": 52}, []),
        ({"shoe": 45}, ["does_not_add_up"]),
        ({"shoe": 47}, ["does_not_add_up"]),
    ],
    ids=str,
)
def test_shoe_table_and_rack_are_the_deck_at_the_end_of_a_round(inside: dict[str, int], what: list[str]) -> None:
    """Six cards were dealt."""
    said = tuple(acts.Inside(device, cards) for device, cards in inside.items())
    day = played(table_of(THREE_CARD_POKER, MACHINE), CheckEquipment=checked("close", inside=said))
    assert asked(day) == [("deck-1", kind) for kind in what]
    assert day.state is not None
    assert len(day.state.questions) == len(what)


@pytest.mark.parametrize(("held", "deck"), [(52, None), (53, "deck-1"), (51, "deck-2"), (104, None)])
def test_shuffler_holds_the_other_deck_while_one_is_played(held: int, deck: str | None) -> None:
    said = (acts.Inside("shuffler", held),)
    day = played(table_of(THREE_CARD_POKER, TWO), CheckEquipment=checked("close", inside=said))
    assert [name for name, _ in asked(day)] == ([] if deck is None else [deck])


def test_claim_that_a_device_makes_by_itself_is_judged() -> None:
    claim = acts.DeckClaim("shoe", 52, extra=(JH,))
    day = played(table_of(THREE_CARD_POKER, MACHINE), CheckEquipment=checked("close", claims=(claim,)))
    assert [event.device for event in day.only(e.DeckClaimed)] == ["shoe"]
    assert asked(day) == [("deck-1", "extra_card")]


# Devices ------------------------------------------------------------------------------------------------------------


COVERING = replace(
    LATER_CHAPTER,
    irregularities=(
        Irregularity("shuffler_out_of_service", Remedy.COVER_DEVICE, cite("657a.13(g)"), (Stage.OPEN,)),
        *(rule for rule in LATER_CHAPTER.irregularities if rule.kind != "shuffler_out_of_service"),
    ),
)


@pytest.mark.parametrize(
    ("game", "remedy", "event", "clause"),
    [
        (THREE_CARD_POKER, "device_removed", e.DeviceRemoved, "565.13(g)"),
        (COVERING, "device_covered", e.DeviceCovered, "657a.13(g)"),
    ],
    ids=["2010", "later"],
)
def test_x_13_g_device_is_covered_or_removed_after_the_cards_inside_are_accounted_for(
    game: Any, remedy: str, event: type[e.Event], clause: str
) -> None:
    table = table_of(game, MACHINE, out_of_service=("shuffler",))
    day = played(table, AccountFor=lambda act: acts.Accounted(act.expected, "dealer"))
    (noted,) = day.only(e.IrregularityNoted)
    assert (noted.cite, noted.remedies) == (clause, (remedy,))
    order = [type(each) for each in day.events if isinstance(each, e.DeckAccounted | event)]
    assert order == [e.DeckAccounted, event]
    assert day.state is not None
    assert day.state.removed == ("shuffler",)
    assert day.state.shuffler == "none"


def test_shuffler_does_not_leave_before_a_badge_answers_for_cards_that_are_not_there() -> None:
    table = table_of(THREE_CARD_POKER, MACHINE, out_of_service=("shuffler",))
    day = played(table, AccountFor=lambda _act: acts.Accounted(36, "dealer"))
    told = [type(event).__name__ for event in day.events if type(event).__name__.startswith("De")]
    assert told[:4] == ["DeckAccounted", "DeckQuestioned", "DeckCleared", "DeviceRemoved"]
    assert asked(day) == [("deck-1", "cards_unaccounted")]


@pytest.mark.parametrize("cards", [52, 31])
def test_x_13_g_shoe_leaves_only_after_the_cards_inside_are_accounted_for(cards: int) -> None:
    """A shoe that jammed may hold cards when it is given up before the next shuffle."""
    table = table_of(THREE_CARD_POKER, replace(MACHINE, dealing=Dealing.AUTOMATED_SHOE), out_of_service=("shoe",))
    day = played(table, AccountFor=lambda _act: acts.Accounted(cards, "dealer"))
    told = [type(event).__name__ for event in day.events if type(event).__name__.startswith("De")]
    (accounted,) = day.only(e.DeckAccounted)
    assert (accounted.device, accounted.cards, accounted.expected) == ("shoe", cards, 52)
    questions = [] if cards == 52 else ["DeckQuestioned", "DeckCleared"]
    assert told[: 2 + len(questions)] == ["DeckAccounted", *questions, "DeviceRemoved"]


def test_device_that_works_again_is_used_again() -> None:
    setup = replace(MACHINE, dealing=Dealing.FROM_HAND)
    table = table_of(THREE_CARD_POKER, setup, removed=("shuffler",), shuffler="none", dealing="manual_shoe")
    day = live(table, begun(table, return_device, acts.Order("device_back", FLOORPERSON, "shuffler")))
    (event,) = day.only(e.DeviceReturned)
    assert (event.device, event.dealing, event.shuffler) == ("shuffler", "from_hand", "counting")
    assert day.state is not None
    assert day.state.removed == ()


READER = replace(
    SHOE_GAME,
    irregularities=(
        Irregularity("card_reader_fault", Remedy.SUSPEND, cite("672a.12(j)"), tuple(Stage)),
        *SHOE_GAME.irregularities,
    ),
)


@pytest.mark.parametrize("how", ["reported", "known before"])
def test_672a_12_j_broken_card_reader_stops_the_table_until_it_is_repaired_or_replaced(how: str) -> None:
    reported = iter([Interrupted(acts.Incident("card_reader_fault"))] if how == "reported" else [])
    known = {} if how == "reported" else {"out_of_service": ("card_reader",)}
    table = table_of(READER, HAND, **known)
    day = played(table, Expose=lambda act: next(reported, None) or answer(table, act))
    (closed,) = day.only(e.RoundClosed)
    assert (closed.outcome, closed.cause, closed.cite) == ("suspended", "card_reader_fault", "672a.12(j)")
    assert day.only(e.IrregularityNoted)[-1].remedies == ("floor_called",)
    (latched,) = day.only(e.FaultLatched)
    assert (latched.device, latched.fault) == ("card_reader", "card_reader_fault")
    assert day.state is not None
    assert day.state.standing == (StandingFault("card_reader", "card_reader_fault", cite("672a.12(j)")),)

    repaired = acts.Repaired(FLOORPERSON, "replaced")
    next_table = table_of(READER, HAND, standing=day.state.standing)
    again = played(next_table, Repair=lambda _act: repaired)
    first = again.events[0]
    assert isinstance(first, e.FaultCleared)
    assert (first.device, first.credential, first.reason) == ("card_reader", FLOORPERSON, "replaced")
    assert again.only(e.RoundClosed)[0].outcome == "completed"
    assert again.state is not None
    assert again.state.standing == ()


def test_device_that_is_given_up_right_before_the_deal_is_accounted_for_too() -> None:
    day = played(
        table_of(THREE_CARD_POKER, MACHINE),
        CheckEquipment=checked("deal", out_of_service=("shuffler",)),
        AccountFor=lambda act: acts.Accounted(act.expected, "device"),
    )
    assert [event.device for event in day.only(e.DeviceRemoved)] == ["shuffler"]
    assert day.only(e.RoundClosed)[0].outcome == "completed"
