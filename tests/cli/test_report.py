"""`tablectl report`: the gaming day. Right values are added up here from the documents that the engine's fold makes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl import events as e
from tablectl.cards import deck
from tablectl.cli import main, report
from tablectl.cli.decks import cards_of
from tablectl.cli.report_json import report_document
from tablectl.cli.report_text import report_lines
from tablectl.engine.scenario import load, parse
from tablectl.engine.script import play_one
from tablectl.journal import Entry, RowKind
from tablectl.journal.day import GamingDay, gaming_days
from tablectl.money import Money
from tablectl.procedure.table import Table
from tablectl.records import canonical
from tests.cli.ledgers import Document, Table3, added, at_minute, cents, dollars, read_back, write
from tests.games.scenarios import scenario_files

ROUND = {"wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "4": {"ante": "20.00"}},
         "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h", "decisions": {"1": ["bet"], "4": ["fold"]}}  # fmt: skip
VOID = {**ROUND, "incidents": [{"at": "decision 1", "kind": "card_exposed", "position": "dealer"}]}
AMOUNTS = ("staked", "paid", "returned", "collected")
PAGE = Path(report.__file__).with_name("REPORT.md")


def opening(day: int = 1, deck: str = "deck-1") -> list[e.Event]:
    return [
        e.DeckReceived(deck, "red", 52, preshuffled=False, credential="4711"),
        e.StepAttested("inspect", deck, "dealer", "200", "565.4(a)"),
        e.StepAttested("verify", deck, "floorperson", "4711", "565.4(b)"),
        e.TableOpened(day, "three_card_poker", (deck,), "200"),
    ]


def closing(day: int = 1, deck: str = "deck-1") -> list[e.Event]:
    return [
        e.TableOrdered("close", "", 0, "4711"),
        e.DeckRemoved(deck, "565.3(a)"),
        e.TableClosed(day, "4711"),
    ]


def days(events: Sequence[e.Event], extra: Sequence[Entry] = ()) -> list[GamingDay]:
    return list(gaming_days(read_back(events, extra), cards_of))


def told_of(events: Sequence[e.Event], extra: Sequence[Entry] = ()) -> Document:
    """The report of the last day."""
    return json.loads(json.dumps(report_document(days(events, extra)[-1], "T1", Path("journal"))))  # type: ignore[no-any-return]


def text_of(events: Sequence[e.Event]) -> str:
    lines = list(report_lines(days(events)[-1], "T1"))
    assert max(map(len, lines)) <= 80
    return "\n".join(lines)


def words_of(events: Sequence[e.Event]) -> str:
    """The text without its line ends, to look for sentences in."""
    return " ".join(text_of(events).split())


def check_against(document: Document, documents: Sequence[Document]) -> None:
    """The report's sums are those of the rounds' documents, added up here, in every way."""
    assert document["balance"] == {"ok": True, "problems": []}
    rows = [row for played in documents for row in played["wagers"]]
    for each in document["wagers"]:
        mine = [row for row in rows if row["wager"] == each["wager"]]
        assert each["count"] == len(mine)
        assert sum(each["results"].values()) == len(mine)
        assert sum(each["odds"].values()) == sum(row["odds"] is not None for row in mine)
    for each in [*document["wagers"], *document["seats"], document["total"]]:
        where = {key: each[key] for key in ("wager", "seat") if key in each}
        for amount in AMOUNTS:
            assert each[amount] == added(documents, amount, **where)
        assert cents(each["staked"]) == cents(each["returned"]) + cents(each["collected"])
        assert cents(each["net"]) == cents(each["paid"]) - cents(each["collected"])
    assert sorted({row["wager"] for row in rows}) == sorted(each["wager"] for each in document["wagers"])
    nets: dict[int, int] = {}
    for played in documents:
        for seat, net in played["net"].items():
            nets[int(seat)] = nets.get(int(seat), 0) + cents(net)
    reported = {seat["seat"]: cents(seat["net"]) for seat in document["seats"]}
    assert {seat: net for seat, net in nets.items() if seat in reported or net} == reported
    for outcome in ("completed", "void", "suspended"):
        assert document["rounds"][outcome] == sum(played["outcome"] == outcome for played in documents)


# It balances


@pytest.mark.parametrize("path", scenario_files("three_card_poker"), ids=lambda path: path.stem)
def test_a_day_of_each_scenario_is_the_sum_of_its_documents(path: Path) -> None:
    scenario = load(path)
    table = Table3()
    if scenario.refused is None:
        table.start(scenario)
        table.play_scenario(scenario)
        check_against(told_of(table.events), table.documents)
        text_of(table.events)


SEATS = st.integers(1, 7)
STAKES = st.integers(1, 400).map(lambda half: dollars(half * 50))
WAGERS = st.fixed_dictionaries({"ante": STAKES}, optional={"pair_plus": STAKES}) | st.fixed_dictionaries(
    {"pair_plus": STAKES}
)


@st.composite
def rounds(draw: st.DrawFn) -> Document:
    """Any round of Three Card Poker: seats, wagers, cards, decisions, and now and then something that voids it."""
    wagers = {str(seat): draw(WAGERS) for seat in sorted(draw(st.sets(SEATS, min_size=1, max_size=7)))}
    cards = draw(st.permutations([str(card) for card in deck()]))[:24]
    decide = st.sampled_from([["bet"], ["bet"], ["fold"], ["leave"]])
    decisions = {seat: draw(decide) for seat, placed in wagers.items() if "ante" in placed}
    incident = draw(
        st.sampled_from(
            [
                None,
                None,
                {"at": "card 2", "kind": "wrong_card_count", "position": "dealer"},
                {"at": "reveal", "kind": "card_exposed", "position": "dealer"},
                {"at": "card 1", "kind": "card_face_up"},
            ]
        )
    )
    document: Document = {"wagers": wagers, "cards": " ".join(cards), "decisions": decisions}
    return document if incident is None else {**document, "incidents": [incident]}


@settings(max_examples=40)
@given(st.lists(rounds(), max_size=6), st.sampled_from(["none", "counting"]))
def test_any_day_balances_and_is_the_sum_of_its_rounds(played: list[Document], shuffler: str) -> None:
    table = Table3(opening(), shuffler=shuffler)
    for each in played:
        table.play(**each)
    document = told_of([*table.events, *closing()])
    check_against(document, table.documents)
    assert document["rounds"]["hands"] == sum(len(each["wagers"]) for each in played)
    text_of([*table.events, *closing()])


def test_wagers_that_a_suspended_round_leaves_have_no_rows_and_are_named() -> None:
    """A lock-out that does not agree with the chips: the wagers stay where they are."""
    table = Table3(opening())
    table.play(**ROUND)
    events = [
        *table.events,
        e.RoundOpened(2, "three_card_poker", "deck-1", "manual_shoe", "none", "red"),
        e.WagerMade(3, "ante", 0, Money(1500)),
        e.IrregularityNoted("device_lost", None, None, ("floor_called",)),
        e.RoundClosed(2, e.Outcome.SUSPENDED, "device_lost", None, "deck-1", e.Disposition.CONTINUE),
    ]
    document = told_of(events)
    check_against(document, [*table.documents, {"outcome": "suspended", "wagers": [], "net": {"3": "0.00"}}])
    assert document["rounds"]["suspended"] == 1
    assert document["standing"] == [{"round": 2, "seat": 3, "wager": "ante", "hand": 0, "amount": "15.00"}]
    assert document["rounds"]["causes"][0]["cause"] == "device_lost"
    assert "LEFT ON THE LAYOUT" in text_of(events)


def test_673a_13_j_what_was_settled_before_a_suspension_has_its_rows() -> None:
    """The card reader fails when a Blackjack has been paid and another wager lies there."""
    script = {
        "wagers": {"1": {"blackjack": "10.00"}, "2": {"blackjack": "20.00"}},
        "cards": "2c Tc As Kh 9c Qs 8d",
        "incidents": [{"at": "peek", "kind": "card_reader_fault"}],
    }
    scenario = parse({"game": "double_back_jack", "round": [script]})
    table = Table(scenario.game, scenario.rules, scenario.setup, scenario.first_state())
    fold, _state = play_one(scenario, scenario.rounds[0], table)
    events = [*opening(), *fold.events]
    document = told_of(events)
    check_against(document, [fold.document()])
    assert document["standing"] == [{"round": 1, "seat": 1, "wager": "blackjack", "hand": 0, "amount": "10.00"}]
    assert document["total"]["net"] == "40.00"
    text_of(events)


def test_presence_only_rounds_have_counts_and_odds_and_no_amounts() -> None:
    table = Table3(opening())
    table.play(**ROUND)
    blind: list[e.Event] = []
    for event in table.events:
        match event:
            case e.WagerMade():
                blind.append(replace(event, amount=None))
            case e.WagerSettled():
                blind.append(replace(event, staked=None, paid=None, returned=None, collected=None))
            case _:
                blind.append(event)
    document = told_of(blind)
    assert document["balance"]["ok"] is True
    rows = table.documents[0]["wagers"]
    assert document["total"] == {
        "count": len(rows),
        "unknown": len(rows),
        **dict.fromkeys((*AMOUNTS, "net")),
    }
    odds: dict[str, dict[str, int]] = {}
    for row in rows:
        if row["odds"] is not None:
            odds.setdefault(row["wager"], {})[row["odds"]] = 1
    assert {each["wager"]: each["odds"] for each in document["wagers"] if each["odds"]} == odds
    assert f"Of {len(rows)} wagers presence alone was seen" in text_of(blind)
    assert document["seats"][0]["corrected_net"] is None


# It says where it does not balance


def tampered(change: Callable[[e.Event], e.Event | None]) -> list[e.Event]:
    table = Table3(opening())
    table.play(**ROUND)
    changed = (change(event) for event in table.events)
    return [event for event in changed if event is not None]


def is_ante_of_4(event: e.Event, kind: type[e.WagerMade] | type[e.WagerSettled]) -> bool:
    return isinstance(event, kind) and (event.seat, event.wager) == (4, "ante")


def test_a_row_that_does_not_add_up_is_named() -> None:
    def change(event: e.Event) -> e.Event:
        if isinstance(event, e.WagerSettled) and is_ante_of_4(event, e.WagerSettled):
            return replace(event, collected=Money(1900))
        return event

    events = tampered(change)
    sequence = next(n for n, event in enumerate(events, 1) if is_ante_of_4(event, e.WagerSettled))
    problems = told_of(events)["balance"]["problems"]
    assert (
        problems[0] == f"round 1, seat 4 ante (event {sequence}): staked 20.00 is not returned 0.00 + collected 19.00"
    )
    assert problems[1:] == [
        "ante: staked 30.00 is not returned 10.00 + collected 19.00",
        "seat 4: staked 20.00 is not returned 0.00 + collected 19.00",
        "the day: staked 45.00 is not returned 25.00 + collected 19.00",
    ]
    assert "DOES NOT BALANCE: round 1, seat 4 ante" in words_of(events)


def test_a_wager_that_was_not_settled_is_named() -> None:
    events = tampered(lambda event: None if is_ante_of_4(event, e.WagerSettled) else event)
    (problem,) = told_of(events)["balance"]["problems"]
    assert problem == "round 1, seat 4 ante: 20.00 was wagered, and nothing says what became of it"


def test_a_settlement_of_what_nobody_wagered_is_named() -> None:
    events = tampered(lambda event: None if is_ante_of_4(event, e.WagerMade) else event)
    (problem,) = told_of(events)["balance"]["problems"]
    assert problem == "round 1, seat 4 ante: 20.00 was settled, which nobody has wagered"


def test_a_settlement_of_another_amount_is_named() -> None:
    def change(event: e.Event) -> e.Event:
        if isinstance(event, e.WagerMade) and is_ante_of_4(event, e.WagerMade):
            return replace(event, amount=Money(2500))
        return event

    events = tampered(change)
    (problem,) = told_of(events)["balance"]["problems"]
    assert problem == "round 1, seat 4 ante: 25.00 was wagered, 20.00 was settled"


def test_a_missing_round_and_one_that_never_ended_are_named() -> None:
    table = Table3(opening())
    for _ in range(3):
        table.play(**ROUND)
    second = [n for n, event in enumerate(table.events) if isinstance(event, e.RoundOpened)][1:]
    without = table.events[: second[0]] + table.events[second[1] :]
    assert told_of(without)["balance"]["problems"] == ["round 3 follows round 1: none may be missing"]
    unclosed = [event for event in table.events if not (isinstance(event, e.RoundClosed) and event.round == 2)]
    assert told_of(unclosed)["balance"]["problems"] == ["round 2 was opened and never closed"]


def test_missing_events_are_named() -> None:
    events = opening()
    later = Entry(RowKind.EVENT, canonical({"event": {"$": "ClockStepped", "step_ms": 1}, "sequence": 9}))
    assert told_of(events, [later])["balance"]["problems"] == ["events 5 to 8 are missing before event 9"]


def test_an_event_that_cannot_be_read_is_named_and_an_unknown_one_is_counted() -> None:
    bad = Entry(RowKind.EVENT, canonical({"event": {"$": "WagerMade", "seat": "four"}, "sequence": 5}))
    new = Entry(RowKind.EVENT, canonical({"event": {"$": "CardsWeighed", "credential": "4711"}, "sequence": 6}))
    document = told_of(opening(), [bad, new])
    (problem,) = document["balance"]["problems"]
    assert problem.startswith("event 5 (WagerMade) cannot be read")
    assert document["unknown_events"] == {"CardsWeighed": 1}
    assert document["floorpersons"][0]["acts"][-1]["event"] == "CardsWeighed", "whoever answers for it is told"


def test_a_report_that_does_not_balance_exits_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = Table3(opening())
    good.play(**ROUND)
    assert main(["report", str(write(tmp_path / "good", good.events))]) == 0
    bad = tampered(lambda event: None if is_ante_of_4(event, e.WagerSettled) else event)
    assert main(["report", str(write(tmp_path / "bad", bad))]) == 1
    assert main(["report", str(tmp_path / "bad"), "--json"]) == 1
    capsys.readouterr()


# Corrections


def corrected() -> tuple[Table3, int]:
    """A round, and five dollars more for seat 4's ante, of whose row the sequence is returned."""
    table = Table3(opening())
    table.play(**ROUND)
    row = next(n for n, event in enumerate(table.events, 1) if is_ante_of_4(event, e.WagerSettled))
    table.events.append(e.PaymentCorrected(row, 1, 4, "ante", 0, Money(500), Money(0), "4711"))
    return table, row


def test_a_correction_leaves_the_rounds_and_makes_a_second_balance() -> None:
    table, row = corrected()
    document = told_of(table.events)
    check_against(document, table.documents)
    (correction,) = document["corrections"]
    assert (correction["corrects"], correction["paid"], correction["earlier_day"]) == (row, "5.00", False)
    net = cents(added(table.documents, "paid")) - cents(added(table.documents, "collected"))
    assert (document["total"]["net"], document["corrected"]["net"]) == (dollars(net), dollars(net + 500))
    seats = {seat["seat"]: (seat["net"], seat["corrected_net"]) for seat in document["seats"]}
    assert seats[4] == ("-20.00", "-15.00")
    assert seats[1][0] == seats[1][1]
    assert f"net as settled {dollars(net)}, with the corrections {dollars(net + 500)}" in words_of(table.events)


def test_a_correction_of_what_is_no_settlement_does_not_balance() -> None:
    table, row = corrected()
    table.events.append(e.PaymentCorrected(row, 1, 1, "ante", 0, Money(0), Money(100), "4711"))
    (problem,) = told_of(table.events)["balance"]["problems"]
    assert problem == (
        f"correction (event {len(table.events)}): event {row} is no settlement of seat 1 ante in round 1"
    )


def test_a_correction_of_an_earlier_day_belongs_to_the_day_it_is_made_on() -> None:
    table, row = corrected()
    late = table.events.pop()
    events = [*table.events, *closing(), *opening(2, "deck-2"), late]
    first, second = days(events)
    assert first.account.corrections == []
    document = report_document(second, None, Path("journal"))
    assert document["balance"]["ok"] is True
    assert (document["corrections"][0]["earlier_day"], document["corrected"]["net"]) == (True, "5.00")
    assert document["corrections"][0]["corrects"] == row


# Which day


def two_days() -> list[e.Event]:
    table = Table3(opening())
    table.play(**ROUND)
    second = Table3([e.TableStopped("stopped"), e.TableStarted("1", "a", "b"), *opening(2, "deck-2")])
    return [
        e.TableStarted("1", "a", "b"), *table.events, *closing(),
        *second.events,
    ]  # fmt: skip


def test_days_part_after_the_closing_and_every_event_is_in_one() -> None:
    events = two_days()
    first, second = days(events)
    stop = next(n for n, event in enumerate(events, 1) if isinstance(event, e.TableStopped))
    assert (first.number, first.first.sequence, first.last.sequence) == (1, 1, stop)
    assert (second.number, second.first.sequence, second.last.sequence) == (2, stop + 1, len(events))
    assert [each.after for each in second.happenings.starts] == ["stop"]
    assert first.account.total.count > 0
    assert second.account.total.count == 0


def test_a_day_that_is_not_closed_is_marked() -> None:
    first, second = days(two_days())
    assert (first.closed is not None, second.closed is not None) == (True, False)
    assert report_document(second, None, Path("j"))["complete"] is False
    assert "NOT CLOSED YET" in text_of(two_days())


def test_an_open_round_is_not_in_the_sums() -> None:
    table = Table3(opening())
    table.play(**ROUND)
    events = [
        *table.events,
        e.RoundOpened(2, "three_card_poker", "deck-1", "manual_shoe", "none", "red"),
        e.WagerMade(3, "ante", 0, Money(1500)),
    ]
    document = told_of(events)
    check_against(document, table.documents)
    assert document["rounds"]["open"] == 2
    closed_all_the_same = [*events, *closing()]
    assert told_of(closed_all_the_same)["balance"]["problems"] == ["round 2 was open when the table was closed"]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    path = write(tmp_path / "journal", two_days())

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["report", str(path), *words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err.replace(str(path), "J")

    return run


Run = Callable[..., tuple[int, str, str]]


def test_the_last_day_is_reported_or_the_one_that_is_named(run: Run) -> None:
    assert json.loads(run("--json")[1])["day"] == 2
    assert json.loads(run("--json", "--day", "1")[1])["day"] == 1
    assert run("--day", "1")[1].startswith("GAMING DAY 1, three_card_poker\n")


def test_a_day_that_there_is_not(run: Run) -> None:
    assert run("--day", "7") == (
        2, "", "tablectl: J: there is no gaming day 7: the first is day 1 (2026-11-29), the last day 2 (2026-11-29)\n"
    )  # fmt: skip
    assert run("--day", "2026-11-28")[0] == 2
    assert "expected the number of a gaming day, or a date" in run("--day", "yesterday")[2]


def test_two_days_of_one_date_are_told_apart_by_their_numbers(run: Run) -> None:
    assert run("--day", "2026-11-29")[2] == (
        "tablectl: J: the table was opened 2 times on 2026-11-29: choose --day 1, 2\n"
    )


def test_a_day_by_its_date_and_none_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "one", opening())
    assert main(["report", str(path), "--day", "2026-11-29"]) == 0
    path = write(tmp_path / "none", [e.TableStarted("1", "a", "b")])
    assert main(["report", str(path)]) == 2
    assert "the table has never been opened" in capsys.readouterr().err


def test_training_is_marked() -> None:
    events = [e.TableStarted("1", "a", "b", training=True), *opening()]
    assert told_of(events)["training"] is True
    assert text_of(events).startswith("TRAINING")


# What happened, and who did it


def test_faults_are_told_with_who_cleared_them_why_and_after_how_long() -> None:
    latched = e.FaultLatched("shuffler", "red_lamp", "red")
    events = [*opening(), latched, e.FaultCleared("shuffler", "red_lamp", "4711", "jam removed"), latched]
    first, second = told_of(events)["faults"]
    assert (first["credential"], first["reason"], first["seconds"]) == ("4711", "jam removed", 60)
    assert (second["cleared"], second["seconds"]) == (None, 0)
    assert "cleared by 4711 after 1 min 0 s: jam removed" in words_of(events)
    assert "STILL LATCHED" in words_of(events)


def test_a_fault_that_stands_overnight_is_in_both_days() -> None:
    latched = e.FaultLatched("shoe", "jam", "jam")
    events = [*opening(), latched, *closing(), *opening(2, "deck-2"), e.FaultCleared("shoe", "jam", "4711", "cleared")]
    one, two = (report_document(day, None, Path("j"))["faults"] for day in days(events))
    assert [(fault["cleared"], fault["latched"]["sequence"]) for fault in one] == [(None, 5)]
    assert [(fault["cleared"]["sequence"], fault["latched"]["sequence"]) for fault in two] == [(13, 5)]


def test_irregularities_are_counted_by_kind_clause_and_remedies() -> None:
    table = Table3(opening())
    for each in (VOID, ROUND, VOID):
        table.play(**each)
    document = told_of(table.events)
    (exposed,) = document["irregularities"]
    remedies = table.documents[0]["remedies"]
    assert (exposed["kind"], exposed["cite"], exposed["remedies"]) == ("card_exposed", "565.13(d)", remedies)
    assert (exposed["count"], exposed["rounds"]) == (2, [1, 3])
    (cause,) = document["rounds"]["causes"]
    assert (cause["outcome"], cause["count"], cause["rounds"]) == ("void", 2, [1, 3])


def test_closing_of_the_table_is_no_round_of_the_day_nor_of_its_last_dealer() -> None:
    """A round is open when the table is closed, and ends with it: nothing was dealt, and nobody has played."""
    table = Table3(opening())
    table.play(**ROUND)
    table.play(**VOID)
    ended = [
        e.RoundOpened(3, "three_card_poker", "deck-1", "manual_shoe", "none"),
        e.TableOrdered("close", "", 0, "4711"),
        e.IrregularityNoted("table_closed", None, "565.3(a)", ()),
        e.RoundClosed(3, e.Outcome.SUSPENDED, "table_closed", "565.3(a)", "deck-1", e.Disposition.CONTINUE),
        e.TableClosed(1, "4711"),
    ]
    document = told_of([*table.events, *ended])
    check_against(document, table.documents)
    counted = {key: document["rounds"][key] for key in ("first", "last", "completed", "void", "suspended", "open")}
    assert counted == {"first": 1, "last": 2, "completed": 1, "void": 1, "suspended": 0, "open": None}
    assert [cause["cause"] for cause in document["rounds"]["causes"]] == ["card_exposed"]
    assert [each["kind"] for each in document["irregularities"]] == ["card_exposed"]
    assert [(each["credential"], each["rounds"]) for each in document["dealers"]] == [("200", 2)]
    assert [deck["rounds"] for deck in document["decks"]] == [2]
    assert document["closed_by"] == "4711"
    fourth = [
        e.RoundOpened(4, "three_card_poker", "deck-1", "manual_shoe", "none"),
        e.RoundClosed(4, e.Outcome.COMPLETED, None, None, "deck-1", e.Disposition.RESHUFFLE),
    ]
    following = told_of([*table.events, *ended, *opening(day=2), *fourth])
    assert following["balance"]["ok"], "the number of that round is not given twice, and none is missing"
    assert following["rounds"]["first"] == 4


def test_dealers_have_their_rounds_and_times() -> None:
    table = Table3(opening())
    table.play(**ROUND)
    table.events.append(e.DealerChanged("201", "200"))
    change = len(table.events)
    table.play(**ROUND)
    table.play(**ROUND)
    events = [*table.events, e.DealerChanged("200", "201"), *closing()]
    dealers = {each["credential"]: each for each in told_of(events)["dealers"]}
    assert {name: each["rounds"] for name, each in dealers.items()} == {"200": 1, "201": 2}
    spans = [(t["from"]["sequence"], t["to"]["sequence"]) for t in dealers["200"]["times"]]
    assert spans == [(4, change), (len(table.events) + 1, len(events))]
    (span,) = dealers["201"]["times"]
    assert (span["from"]["sequence"], span["to"]["sequence"]) == (change, len(table.events) + 1)


def test_floorpersons_are_told_with_what_they_did() -> None:
    events = [
        *opening(),
        e.FaultLatched("shoe", "jam", "jam"),
        e.FaultCleared("shoe", "jam", "4712", "cleared"),
        *closing(),
    ]
    people = {each["credential"]: each["acts"] for each in told_of(events)["floorpersons"]}
    assert list(people) == ["4711", "4712"], "the dealer's own inspection is a dealer's"
    assert [(act["event"], act["detail"]) for act in people["4711"]] == [
        ("deck.received", "deck-1"),
        ("table.attested", "verify deck-1"),
        ("table.ordered", "close"),
        ("table.closed", ""),
    ]
    assert [(act["event"], act["detail"]) for act in people["4712"]] == [("fault.cleared", "shoe jam cleared")]


def test_starts_tell_a_stop_from_a_crash() -> None:
    started = e.TableStarted("1", "a", "b")
    events = [started, *opening(), e.TableStopped("stopped"), started, started, e.TableResumed("restart", "")]
    document = told_of(events)
    assert [(start["after"], start["resumed"]) for start in document["starts"]] == [
        ("first", False),
        ("stop", False),
        ("crash", True),
    ]
    assert [stop["reason"] for stop in document["stops"]] == ["stopped"]
    assert "STARTED WITHOUT HAVING BEEN STOPPED" in words_of(events)


def test_gaps_suspensions_clock_alarms_orders_and_changes() -> None:
    events = full_day()
    document = told_of(events)
    assert [(gap["rounds"], gap["reason"], gap["credential"]) for gap in document["gaps"]] == [(3, "power", "4711")]
    (suspension,) = document["suspensions"]
    assert (suspension["reason"], suspension["resumed_by"], suspension["seconds"]) == ("dispute", "4712", 60)
    assert [step["step_ms"] for step in document["clock"]] == [-3500]
    (alarm,) = [each for each in document["alarms"] if each["source"] == "usb"]
    assert (alarm["kind"], alarm["count"], alarm["message"]) == ("stranger", 2, "second")
    assert [(order["order"], order["credential"]) for order in document["orders"]] == [
        ("reshuffle", "4711"),
        ("close", "4711"),
    ]
    (change,) = document["changes"]
    assert (change["what"], change["minimum_before"], change["minimum"]) == (["limits"], "5.00", "10.00")
    assert [(each["event"], each["device"]) for each in document["devices"]] == [
        ("device.tested", "card_reader"),
        ("device.covered", "shuffler"),
        ("device.returned", "shuffler"),
    ]
    text = words_of(events)
    assert "3 rounds: power, says 4711; their wagers are in no sum" in text
    assert "table.corrected round 2 seat 1 ante" in text
    assert "the clock was set back by 3500 ms" in text
    assert "limits 5.00 to 100.00, now 10.00 to 100.00; notice posted, says 4711" in text


def test_decks_of_the_day_with_their_rounds_questions_and_cards() -> None:
    document = told_of(full_day())
    red, blue = document["decks"]
    assert (red["deck"], red["rounds"], red["left"]["sequence"] > 0) == ("deck-1", 2, True)
    assert (red["questions"][0]["what"], red["card_acts"][0]["what"]) == ("missing_card", "replaced")
    assert (blue["deck"], blue["rounds"], blue["wrong_counts"]) == ("deck-2", 0, 1)


# The meter


def booked(
    reason: str, amount: int = 0, *, wagered: int, wins: int = 0, hits: int = 0, lowered: int = 0
) -> e.MeterBooked:
    m = Money
    return e.MeterBooked(
        reason, m(amount), m(100_000), m(wagered), hits, m(wins), m(0), m(0), m(100_000), m(lowered), "4711", ""
    )


def test_the_meter_adds_up_what_was_booked() -> None:
    events = [
        *opening(),
        booked("opened", wagered=5_000),
        booked("wagers", 300, wagered=5_300),
        booked("wagers", 200, wagered=5_500),
        booked("returned", wagered=5_300),
        booked("award", 900, wagered=5_300, wins=900, hits=1),
        booked("correction", 50, wagered=5_300, wins=900, hits=1, lowered=50),
    ]
    document = told_of(events)
    meter = document["progressive"]
    assert (meter["wagered"], meter["returned"], meter["wins"], meter["hits"]) == ("5.00", "2.00", "9.00", 1)
    assert meter["lowered"] == {"correction": "0.50"}
    assert (meter["reconciled"], meter["display_before"], meter["display"]) == (True, None, "1000.00")
    assert document["balance"]["ok"] is True
    other = told_of([*events, e.AlarmRaised("meter", "meter_differs", "display 9.00, by our books 10.00")])
    assert (other["progressive"]["reconciled"], other["progressive"]["differences"][0]["kind"]) == (
        False,
        "meter_differs",
    )
    assert "NOT RECONCILED, meter_differs" in words_of([*events, e.AlarmRaised("meter", "meter_differs", "x")])


def test_a_meter_without_books_is_known_by_what_it_showed() -> None:
    shown = e.MeterRead("progressive", Money(80_000))
    lit = e.WinLightVerified(1, Money(8_000), Money(72_000), "655a.12(c)")
    assert told_of([*opening(), shown])["progressive"]["display"] == "800.00"
    meter = told_of([*opening(), shown, lit])["progressive"]
    assert (meter["display"], meter["accounts"], meter["reconciled"]) == ("720.00", None, None)


def test_vigorish_is_added_up() -> None:
    table = Table3(opening())
    table.play(**ROUND)
    taken = [
        replace(event, vigorish=Money(50)) if isinstance(event, e.WagerSettled) and event.wager == "ante" else event
        for event in table.events
    ]
    found = {each["wager"]: each["vigorish"] for each in told_of(taken)["wagers"]}
    assert (found["ante"], found["play"]) == ("1.00", None)
    assert "vigorish 1.00" in words_of(taken)


def test_a_booking_that_is_not_what_the_accounts_changed_by_does_not_balance() -> None:
    events = [*opening(), booked("opened", wagered=0), booked("wagers", 300, wagered=400)]
    (problem,) = told_of(events)["balance"]["problems"]
    assert problem == (
        "meter (event 6): 3.00 booked as wagers, but wagered changed by 4.00, wins by 0.00, lowered by 0.00, hits by 0"
    )


def test_the_meter_goes_on_from_the_day_before() -> None:
    events = [
        *opening(),
        booked("opened", wagered=0),
        *closing(),
        *opening(2, "deck-2"),
        booked("wagers", 300, wagered=300),
    ]
    assert told_of(events)["progressive"]["wagered"] == "3.00"
    assert told_of(events[:8])["progressive"]["wagered"] == "0.00"


def test_awards_with_who_validated_and_documented_them() -> None:
    award = next(each for each in told_of(full_day())["progressive"]["awards"])
    assert (award["seat"], award["hand"], award["amount"], award["credential"]) == (1, "royal_flush", "1000.00", "4711")
    assert award["documented_by"] == ["4711", "4712"]


# The page


def in_the_poker_room() -> list[e.Event]:
    """A time charge, a Bad Beat that is owed, and a high hand."""
    nothing, fund = Money(0), Money(50_000)
    adjusted = e.JackpotBooked(
        "bad_beat", "adjusted", fund, fund, False, nothing, nothing, fund, nothing, nothing, fund, nothing, nothing,
        nothing, "4711", "6001", "637a.15(h)(1)",
    )  # fmt: skip
    return [
        e.TimeCollected("player", Money(600), (1, 3), Money(1200), 1800, "637a.17(b)(3)(iv)"),
        e.TimeCharged(Money(1200), "4711", "637a.17(b)(3)(v)"),
        e.RakeDropped(Money(1200), "637a.17(b)(3)(v)"),
        adjusted,
        e.BadBeatVerified((2,), "four_of_a_kind 9 K", (1,), "four_of_a_kind K 9", fund, "4701", "637a.15(f)"),
        e.JackpotOwed("bad_beat", "3-2", 2, "loser", fund, 1800, "637a.15(f)(2)"),
        replace(adjusted, reason="awarded", fund=nothing, owed=fund, pending=True, credential="4701", second=""),
        e.HighHandRecorded(1, "1-3-1", 1, "four_of_a_kind K 9", "200", "4711", "637a.16(f)"),
        e.PeriodAwarded(1, nothing, "elsewhere", "4711", "6001", "637a.16(h)"),
    ]


def full_day() -> list[e.Event]:
    """A day in which everything happens that a report tells of."""
    table = Table3([e.TableStarted("1", "a", "b"), *opening()], shuffler="counting")
    table.play(**VOID)
    table.play(**ROUND)
    row = next(
        n for n, event in enumerate(table.events, 1) if isinstance(event, e.WagerSettled) and event.result == "win"
    )
    settled = table.events[row - 1]
    assert isinstance(settled, e.WagerSettled)
    card = deck()[0]
    return [
        *table.events,
        e.PaymentCorrected(row, 2, settled.seat, settled.wager, 0, Money(0), Money(100), "4711"),
        e.RoundOpened(3, "three_card_poker", "deck-1", "manual_shoe", "none", "red"),
        e.SystemShut("progressive", "progressive", "device_lost"),
        booked("opened", wagered=0),
        booked("wagers", 300, wagered=300),
        booked("correction", 50, wagered=300, lowered=50),
        e.MeterRead("progressive", Money(100_000)),
        e.WinLightVerified(1, Money(100_000), Money(50_000), "655a.12(c)"),
        e.AwardValidated(1, "royal_flush", "100% meter", Money(100_000), "4711", "655a.12(c)"),
        e.HandPayDocumented(1, Money(100_000), "4711", "4712", "655a.12(c)"),
        e.AlarmRaised("meter", "meter_differs", "display 9.00, by our books 10.00"),
        e.WagerMade(3, "ante", 0, Money(1500)),
        e.RoundClosed(3, e.Outcome.SUSPENDED, "device_lost", None, "deck-1", e.Disposition.CONTINUE),
        *in_the_poker_room(),
        e.FaultLatched("shuffler", "jam", "jam"),
        e.FaultCleared("shuffler", "jam", "4711", "cleared"),
        e.DeviceTested("card_reader", False, "no light", "672a.2(d)"),
        e.DeviceCovered("shuffler", "655a.13(f)", "manual_shoe"),
        e.DeviceReturned("shuffler", "manual_shoe", "counting", "4711"),
        e.DeckQuestioned("deck-1", "missing_card", f"{card} missing", (card,)),
        e.CardReplaced("deck-1", card, "red", "4711"),
        e.DeckCleared("deck-1", "missing_card", "", "card_replaced"),
        e.DeckReceived("deck-2", "blue", 52, preshuffled=False, credential="4711"),
        e.DeckShuffled("deck-2", "device", 51),
        e.DeckRemoved("deck-2", "565.5(b)"),
        e.TableSuspended("dispute", "4711"),
        e.TableResumed("suspension", "4712"),
        e.PlayedWithout(3, "power", "4711"),
        e.ClockStepped(-3500),
        e.AlarmRaised("usb", "stranger", "first"),
        e.AlarmRaised("usb", "stranger", "second"),
        e.TableOrdered("reshuffle", "", 0, "4711"),
        e.TableChanged(("limits",), "a", "a", "b", "c", Money(1000), Money(500), Money(10000), Money(10000), "4711"),
        e.TableStopped("stopped"),
        *closing(),
    ]  # fmt: skip


def keys_of(value: Any) -> set[str]:
    """Every key in a document whose name is not itself a value (of a wager, a result, odds, a reason)."""
    if isinstance(value, list):
        return {key for each in value for key in keys_of(each)}
    if not isinstance(value, dict):
        return set()
    own = {key for key in value if key not in ("results", "odds", "unknown_events")}
    below = {key: each for key, each in value.items() if key not in ("results", "odds", "unknown_events")}
    for by_reason in ("lowered", "booked"):
        if isinstance(below.get(by_reason), dict):
            below.pop(by_reason)
    return own | {key for each in below.values() for key in keys_of(each)} | (value.keys() - own)


def test_the_page_describes_every_key_and_no_other() -> None:
    document = told_of(full_day())
    assert [name for name, value in document.items() if value in ([], {}, None)] == ["unknown_events"]
    described = set(re.findall(r"`([a-z_]+)`", PAGE.read_text(encoding="utf-8").split("## Keys")[1]))
    assert keys_of(document) == described


def test_the_text_of_a_full_day_fits_and_has_every_section() -> None:
    text = text_of(full_day())
    titles = [line for line in text.splitlines() if line.isupper() and not line.startswith(" ")]
    assert len(titles) >= 17
    assert f"opened {at_minute(4)}, closed" in text


def test_amounts_of_any_size_fit() -> None:
    table = Table3(opening())
    table.play(wagers={str(seat): {"ante": "9999999.00", "pair_plus": "9999999.00"} for seat in range(1, 8)},
               decisions={str(seat): ["bet"] for seat in range(1, 8)})  # fmt: skip
    check_against(told_of(table.events), table.documents)
    text_of(table.events)
