"""Two decks that take turns at a live table: the shuffler shuffles one while the other is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.core import Core
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.rows import plain
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play
from tablectl.equipment import (
    BatchInserted,
    Capability,
    DeckRead,
    Description,
    DeviceState,
    Fault,
    KeyPressed,
    Kind,
    Lamp,
    LinkUp,
    Message,
    Mode,
    ShuffleFailed,
    ShuffleFinished,
)
from tablectl.journal import RowKind
from tablectl.procedure.table import DeckState
from tablectl_hil.robot import Kit, RobotDealer, View
from tests.engine.bench import ALL_SENSORS, IDENTITY, PANEL_ALONE, PLAIN_SHOE, Bench
from tests.engine.scenarios import fitting, without_deck
from tests.engine.test_recovery import CrashAt

ROUND: dict[str, Any] = {
    "wagers": {"1": {"ante": "10.00"}, "3": {"ante": "25.00"}},
    "cards": "As 4s 2d 9c Kd 5h 7c Qc 9h",
    "decisions": {"1": ["bet"], "3": ["fold"]},
}


def two_decks(rounds: int = 3, **table: Any) -> Scenario:
    read = parse({"game": "three_card_poker", "table": {"shuffler": "counting", **table}, "round": [ROUND] * rounds})
    return replace(read, setup=replace(read.setup, decks=2))


class SlowShuffler(Bench):
    """The shuffler comes to its end only when the table waits for it: a round after it was told."""

    def view(self) -> View:
        view = super().view()
        waits = view.prompt.text.startswith("SHUFFLING")
        return view if waits else View(view.prompt, {k: v for k, v in view.told.items() if k != self.kit.shuffler})


def events(bench: Bench, *kinds: type[e.Event]) -> list[Any]:
    return [event for event in bench.journal.events() if isinstance(event, kinds)]


def decks(bench: Bench) -> tuple[DeckState, ...]:
    assert isinstance(bench.core, Core)
    return bench.core.table_state.decks


def told(bench: Bench) -> list[tuple[int, str]]:
    """The row and the device of every intent."""
    return [(row.seq, plain(row)[2]["device"]) for row in bench.journal.kept if row.kind is RowKind.INTENT]


def deal(bench: Bench, rounds: int, to: str = "") -> None:
    """Let the robot deal up to a line of the panel in that round, or to the end of it."""
    script = bench.scenario.rounds[rounds - 1]
    order = play(bench.scenario)["rounds"][rounds - 1]["order"]
    robot = RobotDealer(bench.scenario.game, script, order, bench.kit, list(bench.devices.spots))
    bench.devices.spots.clear()
    bench.devices.load, bench.devices.count = robot.shoe_load(), 0
    while bench.core.state.round < rounds and not (to and bench.core.prompt().text.startswith(to)):
        assert bench.step(robot), f"stuck at {bench.core.prompt()}"


def say(bench: Bench, message: Message, boot: str = "boot shuffler", number: int = 1) -> None:
    bench.take(Input("shuffler", message, boot, number))


def press(bench: Bench, *keys: str) -> None:
    for key in keys:
        bench.take(Input("panel", KeyPressed(key)))


def at_rest(cards: int | None, **more: Any) -> DeviceState:
    state = DeviceState(Mode.READY, Lamp.GREEN, blinking=False, cards_inside=cards, tamper=False, fault=None)
    return replace(state, **more)


def batches(bench: Bench) -> None:
    """The shuffler tells backs and batches, too."""
    able = (Capability.COUNTS, Capability.IDENTIFIES, Capability.BACKS, Capability.BATCHES)
    say(bench, LinkUp(Description(Kind.SHUFFLER, "bench", "shuffler", "1", able)), number=0)


@pytest.mark.parametrize("kind", [Bench, SlowShuffler], ids=["fast", "slow"])
@pytest.mark.parametrize("kit", [ALL_SENSORS, PANEL_ALONE, PLAIN_SHOE], ids=["sensors", "panel", "shoe"])
def test_565_3_b_4_decks_change_places_after_every_round(kit: Kit, kind: type[Bench]) -> None:
    scenario = two_decks()
    expected = [without_deck(document) for document in play(scenario)["rounds"]]
    bench = kind(scenario, fitting(scenario, kit))
    documents = bench.play()
    assert [without_deck(document) for document in documents] == expected
    assert [document["deck"]["id"] for document in documents] == ["deck-1", "deck-2", "deck-1"]
    turns = events(bench, e.DeckLoaded, e.DeckShuffled, e.RoundOpened)
    named = [(type(turn).__name__, turn.deck) for turn in turns]
    first = [("RoundOpened", "deck-1"), ("DeckLoaded", "deck-1"), ("DeckShuffled", "deck-1"), ("DeckLoaded", "deck-2")]
    assert named[:7] == [
        *first,
        ("RoundOpened", "deck-2"),
        ("DeckShuffled", "deck-2"),
        ("DeckLoaded", "deck-1"),
    ]
    assert [opened.back for opened in events(bench, e.RoundOpened)][:3] == ["red", "blue", "red"]


def test_565_3_b_5_panel_says_which_colour_comes_out_and_which_goes_in() -> None:
    """Only the deck that was played is in the rack, and it goes in as the other comes out."""
    scenario = two_decks()
    bench = Bench(scenario, fitting(scenario, ALL_SENSORS))
    deal(bench, 1, "TAKE")
    assert bench.core.prompt().text == "TAKE RED OUT, PUT BLUE IN: DONE"
    deal(bench, 1)
    deal(bench, 2, "TAKE")
    assert bench.core.prompt().text == "TAKE BLUE OUT, PUT RED IN: DONE"


def test_565_3_b_3_shuffle_is_intended_before_the_round_and_answered_in_it() -> None:
    scenario = two_decks()
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    deal(bench, 1, "SEAT 1: BET")
    (_, first), (row, second) = told(bench)
    assert (first, second) == ("shuffler", "shuffler")
    assert isinstance(bench.core, Core)
    assert [each.id for each in bench.core.under_way] == [row]
    say(bench, ShuffleFinished(row, 52))
    assert bench.core.under_way == ()
    deal(bench, 1)
    deal(bench, 2, "TAKE BLUE")  # nobody waits for anything
    assert [number for number, _ in told(bench)][1] == row
    assert len(told(bench)) == 2


@pytest.mark.parametrize("answered", [False, True], ids=["not answered", "answered"])
def test_shuffle_in_the_background_outlives_a_restart_between_rounds(answered: bool) -> None:
    scenario = two_decks()
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    deal(bench, 1, "SEAT 1: BET")
    _, (row, _) = told(bench)
    if answered:
        bench.devices.done[row] = ShuffleFinished(row, 52)
        say(bench, ShuffleFinished(row, 52))
    deal(bench, 1)
    bench.start(IDENTITY)
    bench.start(IDENTITY)
    assert bench.reasons == []
    assert isinstance(bench.core, Core)
    assert [each.id for each in bench.core.under_way] == ([] if answered else [row])
    deal(bench, 2)
    shuffled = [(event.deck, event.counted) for event in events(bench, e.DeckShuffled)]
    assert shuffled == [("deck-1", 52), ("deck-2", 52)]
    assert [number for number, _ in told(bench)][1] == row


def test_shuffler_that_lost_its_memory_is_told_anew_and_counts_once() -> None:
    scenario = two_decks()
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    deal(bench, 1, "SEAT 1: BET")
    _, (row, _) = told(bench)
    able = Description(Kind.SHUFFLER, "bench", "shuffler", "1", (Capability.COUNTS,))
    say(bench, LinkUp(able), "another boot", 0)
    again = told(bench)[2][0]
    say(bench, ShuffleFinished(row, 52), "another boot")  # of the command that it was told before
    assert isinstance(bench.core, Core)
    assert [each.id for each in bench.core.under_way] == [again]
    say(bench, ShuffleFinished(again, 52), "another boot")
    assert bench.core.under_way == ()


@pytest.mark.parametrize("how", ["jam", "refused"])
def test_565_13_e_shuffle_that_failed_during_the_round_is_put_right_at_the_exchange(how: str) -> None:
    scenario = two_decks()
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    deal(bench, 1, "SEAT 1: BET")
    _, (row, _) = told(bench)
    if how == "jam":
        say(bench, ShuffleFailed(row, Fault.JAM))
    else:
        bench.take(Input("", CommandFailed(row, "no cards are inside")))
    deal(bench, 1)
    noted = events(bench, e.IrregularityNoted)[-1]
    kind = "shuffler_jam" if how == "jam" else "shuffle_incomplete"
    assert (noted.kind, noted.cite, noted.remedies) == (kind, "565.13(e)", ("cards_reshuffled",))
    assert bench.core.prompt().text == "SHUFFLER: PUT IT RIGHT, THEN SHUFFLE"
    deal(bench, 2)
    assert [event.deck for event in events(bench, e.RoundClosed)] == ["deck-1", "deck-2"]


def test_565_5_b_wrong_count_takes_that_deck_alone_off_the_table() -> None:
    scenario = two_decks()
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    deal(bench, 1, "SEAT 1: BET")
    _, (row, _) = told(bench)
    say(bench, ShuffleFinished(row, 51))
    deal(bench, 1)
    closed = events(bench, e.RoundClosed)[-1]
    assert (closed.round, closed.cause, closed.deck) == (2, "deck_count", "deck-2")
    assert [event.deck for event in events(bench, e.DeckRemoved)] == ["deck-2"]
    assert [deck.id for deck in decks(bench)] == ["deck-1"]
    assert bench.core.prompt().text == "DECK 3: FLOORPERSON'S BADGE"
    asked = [(event.deck, event.what) for event in events(bench, e.DeckQuestioned)]
    assert asked == [("deck-2", "wrong_count")]
    assert [event.reason for event in events(bench, e.DeckCleared)] == ["deck_removed"]


def test_565_3_c_deck_that_is_due_leaves_alone() -> None:
    scenario = two_decks(dealing="manual_shoe")
    begun = replace(
        scenario.first_state(), decks=(DeckState("deck-1", "red", -8 * 3600), DeckState("deck-2", "blue", 0))
    )
    bench = Bench(scenario, fitting(scenario, ALL_SENSORS), begun=begun)
    closed = events(bench, e.RoundClosed)[-1]
    assert (closed.cause, closed.deck, closed.disposition) == ("deck_change_due", "deck-1", e.Disposition.REMOVE)
    assert [deck.id for deck in decks(bench)] == ["deck-2"]
    assert bench.core.prompt().text == "DECK 3: FLOORPERSON'S BADGE"


def test_565_3_c_warning_is_on_the_panel_ahead_and_on_the_record_once() -> None:
    scenario = two_decks()
    since = -8 * 3600 + 12 * 60
    begun = replace(scenario.first_state(), decks=(DeckState("deck-1", "red", since), DeckState("deck-2", "blue", 0)))
    bench = Bench(scenario, fitting(scenario, ALL_SENSORS), begun=begun)
    assert bench.core.prompt().text == "RED DECK TO BE CHANGED IN 12 MIN"
    for number in (1, 2, 3):
        deal(bench, number)
    assert [(event.deck, event.minutes) for event in events(bench, e.DeckChangeNear)] == [("deck-1", 12)]


def test_batch_shuffler_says_itself_that_the_deck_is_in() -> None:
    """What a sensor sees needs no press, and a dealer who is early is understood."""
    scenario = two_decks()
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    batches(bench)
    deal(bench, 1, "TAKE RED")
    say(bench, BatchInserted(2, 52))
    assert bench.core.prompt().text.startswith("WAGERS")
    deal(bench, 1, "SEAT 1: TURN")
    say(bench, BatchInserted(3, 52))  # the played deck is put in before the round is closed
    deal(bench, 1)
    deal(bench, 2, "WAGERS")
    assert [event.deck for event in events(bench, e.DeckLoaded)] == ["deck-1", "deck-2", "deck-1"]


def test_counting_shuffler_that_was_emptied_says_itself_that_the_deck_is_in() -> None:
    scenario = two_decks()
    bench = Bench(scenario, fitting(scenario, ALL_SENSORS))
    deal(bench, 1, "TAKE RED")
    for inside in (52, 0, 20):
        say(bench, at_rest(inside))
        assert bench.core.prompt().text == "TAKE RED OUT, PUT BLUE IN: DONE"
    say(bench, at_rest(52))
    assert bench.core.prompt().text.startswith("WAGERS")


@pytest.mark.parametrize(
    ("read", "what"),
    [({"back": "red"}, "wrong_back"), ({"batch": 7}, "other_batch"), ({"odd_backs": 1}, "odd_backs")],
    ids=str,
)
def test_shuffler_that_has_another_batch_than_was_put_in_is_a_doubt(read: dict[str, Any], what: str) -> None:
    scenario = two_decks()
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    batches(bench)
    deal(bench, 1, "TAKE RED")
    say(bench, BatchInserted(2, 52))
    _, (row, _) = told(bench)
    claim: dict[str, Any] = {"back": "blue", "odd_backs": 0, "batch": 2, **read}
    say(bench, DeckRead(row, 52, (), (), 0, **claim))
    say(bench, ShuffleFinished(row, 52))
    deal(bench, 1)
    assert bench.core.prompt().text == f"DECK-2 {what.replace('_', ' ').upper()}: BADGE"
    assert [(event.deck, event.what) for event in events(bench, e.DeckQuestioned)] == [("deck-2", what)]
    deal(bench, 2, "TAKE BLUE")
    cleared = events(bench, e.DeckCleared)[-1]
    assert (cleared.deck, cleared.what, cleared.credential, cleared.reason) == ("deck-2", what, "4711", "checked")


def test_565_13_g_shuffler_that_leaves_takes_the_second_deck_with_it() -> None:
    """Without a shuffler one deck is played (565.3(a), (b)); the cards inside are accounted for first."""
    scenario = two_decks()
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    deal(bench, 1)
    press(bench, "irregularity")
    while bench.core.prompt().text != "IRREGULARITY: SHUFFLER OUT OF SERVICE":
        press(bench, "next")
    press(bench, "enter", "enter")
    deal(bench, 2)
    acts = events(bench, e.DeckAccounted, e.DeviceRemoved, e.DeckRemoved)
    assert [type(act).__name__ for act in acts] == ["DeckAccounted", "DeviceRemoved", "DeckRemoved"]
    assert (acts[0].deck, acts[0].cards, acts[2].deck) == ("deck-2", 52, "deck-1")
    assert isinstance(bench.core, Core)
    assert bench.core.under_way == ()
    assert [deck.id for deck in decks(bench)] == ["deck-2"]
    deal(bench, 3)
    assert [event.deck for event in events(bench, e.RoundClosed)] == ["deck-1", "deck-2", "deck-2"]


@pytest.mark.parametrize("kind", [Bench, SlowShuffler], ids=["fast", "slow"])
def test_crash_at_every_moment_of_two_decks(kind: type[Bench]) -> None:
    short = {"wagers": {"1": {"ante": "10.00"}}, "cards": "As 4s 2d 9c Kd 5h", "decisions": {"1": ["fold"]}}
    read = parse({"game": "three_card_poker", "table": {"shuffler": "counting"}, "round": [short, short]})
    scenario = replace(read, setup=replace(read.setup, decks=2))
    kit = fitting(scenario, ALL_SENSORS)
    expected = [without_deck(document) for document in play(scenario)["rounds"]]
    counter = CrashAt(0)
    smooth = kind(scenario, kit)
    smooth.moment = counter
    smooth.play()
    turns = _turns(smooth)
    for wanted in counter.to_try(smooth):
        crash = CrashAt(wanted)
        bench = kind(scenario, kit)
        bench.moment = crash
        documents = bench.play()
        where = f"{crash.happened}, moment {wanted} of {counter.passed}"
        assert bench.reasons == [], where
        assert crash.happened, where
        assert [without_deck(document) for document in documents] == expected, where
        assert _turns(bench) == turns, where
        answered = [message["command"] for message in _messages(bench) if message["$"] == "ShuffleFinished"]
        rows = [row for row, _ in told(bench)]
        assert sorted(set(answered)) == rows[: len(set(answered))], where
        assert len(rows) == len(events(bench, e.DeckLoaded)), where


def _turns(bench: Bench) -> list[tuple[str, str]]:
    """How the decks change places in both rounds, as far as those are closed."""
    found = events(bench, e.DeckLoaded, e.DeckShuffled, e.RoundOpened, e.RoundClosed)
    named = [(type(event).__name__, event.deck) for event in found]
    return named[: named.index(("RoundClosed", "deck-2")) + 1]


def _messages(bench: Bench) -> list[dict[str, Any]]:
    return [plain(row)[2]["message"] for row in bench.journal.kept if row.kind is RowKind.INPUT]


def test_crash_does_not_tell_the_shuffler_twice() -> None:
    """However often the daemon starts, each deck is told once to be shuffled, under one id."""
    scenario = two_decks(rounds=2)
    bench = SlowShuffler(scenario, fitting(scenario, ALL_SENSORS))
    bench.play(lambda: bench.start(IDENTITY))
    assert bench.reasons == []
    rows = [row for row, _ in told(bench)]
    assert len(rows) == len(events(bench, e.DeckLoaded))
    answers = _messages(bench)
    finished = [answer["command"] for answer in answers if answer["$"] == "ShuffleFinished"]
    assert len(events(bench, e.DeckShuffled)) == len([row for row in rows if row in finished])
