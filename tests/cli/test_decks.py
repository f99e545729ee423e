"""`tablectl journal decks`: the deck ledger, and what was played with a deck whose wholeness is in doubt."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import card
from tablectl.cli import main
from tablectl.engine.scenario import parse
from tablectl.journal import Entry, RowKind
from tablectl.journal.decks import DeckLedger, How, Since
from tablectl.records import canonical
from tests.cli.ledgers import Document, Table3, added, at_minute, cents, dollars, read_back, write
from tests.engine.bench import ALL_SENSORS, Bench

WIN = {"wagers": {"1": {"ante": "10.00"}, "4": {"ante": "20.00"}}, "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
       "decisions": {"1": ["bet"], "4": ["fold"]}}  # fmt: skip
ONE = {"wagers": {"2": {"ante": "15.00"}}, "cards": "8s 8d 4c Jc Jd Js", "decisions": {"2": ["bet"]}}
RED = e.DeckReceived("deck-1", "red", 52, preshuffled=False, credential="4711")
OPENING = [
    RED,
    e.StepAttested("inspect", "deck-1", "dealer", "200", "565.4(a)"),
    e.StepAttested("verify", "deck-1", "floorperson", "4711", "565.4(b)"),
    e.TableOpened(1, "three_card_poker", ("deck-1",), "200"),
]

Show = Callable[..., Any]


@pytest.fixture
def show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Show:
    """Write these events into a journal and run `journal decks` on it: the JSON, or with `text` its lines."""

    def run(
        events: Sequence[e.Event],
        *words: str,
        text: bool = False,
        slowly: bool = False,
        extra: Sequence[Entry] = (),
    ) -> Any:
        path = write(tmp_path / f"journal-{len(list(tmp_path.iterdir()))}", events, extra, slowly=slowly)
        capsys.readouterr()
        assert main(["journal", "decks", str(path), *words, *([] if text else ["--json"])]) == 0
        out = capsys.readouterr().out
        if not text:
            return json.loads(out)
        assert max(map(len, out.splitlines()), default=0) <= 80
        return out

    return run


def ledger(events: Sequence[e.Event]) -> DeckLedger:
    folded = DeckLedger()
    for each in read_back(events):
        folded.take(each)
    return folded


def numbers(document: Document) -> list[int]:
    return [played["round"] for played in document["rounds"]]


# The ledger


def test_a_deck_says_who_brought_inspected_and_verified_it(show: Show) -> None:
    (deck,) = show(OPENING)["decks"]
    assert (deck["deck"], deck["back"], deck["cards"], deck["preshuffled"]) == ("deck-1", "red", 52, False)
    assert (deck["brought_by"], deck["came"]["sequence"], deck["left"]) == ("4711", 1, None)
    assert [(c["what"], c["how"], c["by"], c["cards"], c["right"]) for c in deck["checks"]] == [
        ("inspect", "attested", "200", None, True),
        ("verify", "attested", "4711", None, True),
    ]
    text = show(OPENING, text=True, slowly=True)
    assert f"came      {at_minute(0)} with 4711" in text
    assert f"attested  {at_minute(1)} inspect by 200" in text


def test_565_5_b_every_count_of_the_shuffler_is_in_the_ledger(show: Show) -> None:
    """At a live table in one process: the shuffler counts before each round, and every right count proves the deck."""
    bench = Bench(parse({"game": "three_card_poker", "table": {"shuffler": "counting"}, "round": [WIN, ONE, ONE]}),
                  ALL_SENSORS)  # fmt: skip
    bench.play()
    (deck,) = show(bench.journal.events())["decks"]
    counts = [(c["round"], c["by"], c["by_device"], c["cards"], c["right"]) for c in deck["checks"]]
    assert counts[:3] == [(n, "shuffler", True, 52, True) for n in (1, 2, 3)]
    assert {c["how"] for c in deck["checks"]} == {"counted"}
    assert (deck["rounds"], deck["hands"], deck["void"]) == (3, 4, 0)
    assert (deck["first_round"], deck["last_round"]) == (1, 3)
    assert deck["came"] is None, "a scenario begins with a deck at the table"


def test_a_deck_that_left_says_when_and_by_which_clause(show: Show) -> None:
    events = [*OPENING, e.DeckRemoved("deck-1", "565.3(c)(2)"), e.TableClosed(1, "4711")]
    (deck,) = show(events)["decks"]
    assert (deck["left"]["sequence"], deck["clause"]) == (5, "565.3(c)(2)")
    assert f"left      {at_minute(4)} [565.3(c)(2)]" in show(events, text=True, slowly=True)


def test_questions_and_replaced_cards(show: Show) -> None:
    events = [
        *OPENING,
        e.DeckQuestioned("deck-1", "missing_card", "shuffler: Qh missing", (card("Qh"),)),
        e.CardReplacementRefused("deck-1", card("Qh"), card("Jh"), "red", "not the missing card", "4711"),
        e.CardReplaced("deck-1", card("Qh"), "red", "4711"),
        e.DeckCleared("deck-1", "missing_card", "", "card_replaced"),
        e.DeckQuestioned("deck-1", "odd_backs", "shuffler: 1 cards with another back", ()),
    ]
    (deck,) = show(events)["decks"]
    assert [(q["what"], q["cards"], q["reason"]) for q in deck["questions"]] == [
        ("missing_card", ["Qh"], "card_replaced"),
        ("odd_backs", [], ""),
    ]
    assert [(a["what"], a["card"], a["credential"]) for a in deck["card_acts"]] == [
        ("refused", "Jh", "4711"),
        ("replaced", "Qh", "4711"),
    ]
    text = show(events, text=True, slowly=True)
    assert "cleared after 3 min 0 s: card_replaced" in " ".join(text.split())
    assert "STILL OPEN" in text


def test_a_deck_that_comes_back_is_two_stays(show: Show) -> None:
    events = [*OPENING, e.DeckRemoved("deck-1", "565.3(b)"), RED, e.DeckRemoved("deck-1", "565.3(b)")]
    decks = show(events)["decks"]
    assert [(d["came"]["sequence"], d["left"]["sequence"]) for d in decks] == [(1, 5), (6, 7)]


def test_an_event_of_a_later_version_breaks_nothing(show: Show) -> None:
    body = {"event": {"$": "CardsWeighed", "deck": "deck-1", "grams": 92}, "sequence": 5}
    grown = {"event": {"$": "DeckRemoved", "cite": "565.3(b)", "deck": "deck-1", "to": "the cage"}, "sequence": 6}
    later = [Entry(RowKind.EVENT, canonical(each)) for each in (body, grown)]
    (deck,) = show(OPENING, extra=later)["decks"]
    assert deck["left"]["sequence"] == 6


def test_no_deck_yet(show: Show) -> None:
    assert "no deck has come to the table yet" in show([e.TableStarted("1", "a", "b")], text=True)


# What is in doubt


def test_565_8_f_rounds_since_the_stub_was_counted() -> None:
    """The stub is counted in the fifth round after the deal: that round is proven with it, those behind it are not."""
    table = Table3(OPENING)
    for _ in range(7):
        table.play(**ONE)
    (deck,) = ledger(table.events).of("deck-1")
    assert [(check.round, check.by, check.right) for check in deck.checks if check.what == "stub"] == [(5, "200", True)]
    assert (deck.rounds, deck.unproven) == (7, 2)


def test_affected_names_rounds_seats_wagers_and_money(show: Show) -> None:
    table = Table3(OPENING)
    for turn in range(8):
        table.play(**(WIN if turn % 2 else ONE))
    document = show(table.events, "--affected", "deck-1")
    assert numbers(document) == [6, 7, 8]
    doubtful = table.documents[5:]
    for seat in document["seats"]:
        for amount in ("staked", "paid", "returned", "collected"):
            assert seat[amount] == added(doubtful, amount, seat=seat["seat"])
    assert [(seat["seat"], seat["rounds"]) for seat in document["seats"]] == [(1, 2), (2, 1), (4, 2)]
    total = document["total"]
    assert (total["rounds"], total["hands"], total["void"]) == (3, 5, 0)
    assert total["net"] == dollars(cents(added(doubtful, "paid")) - cents(added(doubtful, "collected")))
    first = document["rounds"][0]
    assert [seat["seat"] for seat in first["seats"]] == [1, 4]
    keys = ("wager", "hand", "staked", "result", "odds", "paid", "returned", "collected")
    told = [(seat["seat"], *(wager[key] for key in keys)) for seat in first["seats"] for wager in seat["wagers"]]
    rows = table.documents[5]["wagers"]
    assert sorted(told, key=str) == sorted(((row["seat"], *(row[key] for key in keys)) for row in rows), key=str)
    assert document["stays"][0]["stretches"][0]["since"]["round"] == 5


def test_affected_times_are_those_of_the_journal(show: Show) -> None:
    table = Table3(OPENING)
    table.play(**ONE)
    document = show(table.events, "--affected", "deck-1")
    opened = next(n for n, event in enumerate(table.events, 1) if isinstance(event, e.RoundOpened))
    (played,) = document["rounds"]
    assert (played["opened"]["sequence"], played["closed"]["sequence"]) == (opened, len(table.events))
    until = at_minute(len(table.events) - 1)[11:]
    assert f"round 1, {at_minute(opened - 1)} - {until}, completed" in show(
        table.events, "--affected", "deck-1", text=True, slowly=True
    )


def test_565_5_b_a_wrong_count_leaves_the_rounds_before_it_in_doubt(show: Show) -> None:
    """An extra card was in play: all rounds since the last right count, and none before it."""
    table = Table3(OPENING, shuffler="counting")
    table.play(**ONE)
    table.play(**WIN)
    table.play(**ONE, incidents=[{"at": "shuffle", "kind": "deck_count", "count": 53}])
    document = show(table.events, "--affected", "deck-1")
    assert numbers(document) == [2]
    (stretch,) = document["stays"][0]["stretches"]
    assert (stretch["since"]["round"], stretch["since"]["cards"]) == (2, 52)
    counts = [found for found in stretch["found"] if found["kind"] == "check"]
    assert [(count["cards"], count["right"], count["by"]) for count in counts] == [(53, False, "shuffler")]
    assert document["stays"][0]["clause"] == "565.5(b)"
    text = show(table.events, "--affected", "deck-1", text=True)
    assert "53 cards, shuffle by shuffler: WRONG" in " ".join(text.split())


def test_what_was_found_stays_in_doubt_after_a_right_count(show: Show) -> None:
    """A question and a right count behind it: what was played before the question is still in doubt."""
    table = Table3(OPENING, shuffler="counting")
    table.play(**ONE)
    table.play(**ONE)
    table.events.append(e.DeckQuestioned("deck-1", "card_twice", "8s turned up 2 times", (card("8s"),)))
    table.events.append(e.DeckCleared("deck-1", "card_twice", "4711", "checked"))
    table.play(**ONE)
    document = show(table.events, "--affected", "deck-1")
    assert numbers(document) == [2, 3]
    first, last = document["stays"][0]["stretches"]
    assert (first["rounds"], first["until"]["round"], first["found"][0]["what"]) == ([2], 3, "card_twice")
    assert (last["rounds"], last["until"]) == ([3], None)


def test_a_count_in_the_middle_of_a_round_parts_it() -> None:
    """Cards that leave the deck behind the count are in doubt again, so the round is on both sides of it."""
    opened = e.RoundOpened(1, "three_card_poker", "deck-1", "manual_shoe", "none", "red")
    dealt = [e.CardDealt(n, card_to, None) for n, card_to in enumerate(_places(3), 1)]
    counted = e.CardsCounted("stub", 52, "565.8(g)")
    (deck,) = ledger([RED, opened, *dealt[:2], counted, dealt[2]]).of("deck-1")
    assert (deck.rounds, deck.unproven) == (1, 1)
    (deck,) = ledger([RED, opened, *dealt, counted]).of("deck-1")
    assert (deck.rounds, deck.unproven) == (1, 0)


def _places(count: int) -> list[Any]:
    from tablectl.cards import seat

    return [seat(number) for number in range(1, count + 1)]


def test_a_round_in_which_nothing_was_dealt_was_not_played_with_the_deck(show: Show) -> None:
    table = Table3(OPENING, deck_hours=9)
    document = table.play(**ONE)
    assert document["outcome"] == "suspended"
    (deck,) = show(table.events)["decks"]
    assert (deck["rounds"], deck["clause"]) == (0, "565.3(c)(2)")


def test_672a_5_g_a_round_belongs_to_the_deck_that_it_was_exchanged_for() -> None:
    blue = e.DeckReceived("deck-2", "blue", 52, preshuffled=False, credential="4711")
    opened = e.RoundOpened(1, "three_card_poker", "deck-1", "manual_shoe", "none", "red")
    exchanged = e.DeckExchanged("deck-2", "deck-1", "672a.5(g)")
    folded = ledger([RED, blue, opened, exchanged, e.CardDealt(1, _places(1)[0], None)])
    assert [deck.rounds for deck in folded.decks] == [0, 1]


def test_void_rounds_are_marked(show: Show) -> None:
    table = Table3(OPENING)
    table.play(**ONE)
    table.play(**WIN, incidents=[{"at": "decision 1", "kind": "card_exposed", "position": "dealer"}])
    document = show(table.events, "--affected", "deck-1")
    assert [(played["outcome"], played["cite"]) for played in document["rounds"]] == [
        ("completed", None),
        ("void", "565.13(d)"),
    ]
    assert document["total"]["void"] == 1
    assert document["seats"][0]["net"] == "0.00", "a void pays nothing"
    text = show(table.events, "--affected", "deck-1", text=True)
    assert "VOID: card_exposed [565.13(d)]" in " ".join(text.split())
    assert "In doubt: 2 rounds, 1 void, 3 hands" in text


def test_an_unknown_deck_is_an_error_that_names_the_known_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blue = e.DeckReceived("deck-2", "blue", 52, preshuffled=False, credential="4711")
    path = write(tmp_path / "journal", [RED, blue])
    assert main(["journal", "decks", str(path), "--affected", "deck-7"]) == 2
    assert capsys.readouterr().err == (
        f"tablectl: {path}: no deck 'deck-7' ever came to this table: the decks in this journal are deck-1, deck-2\n"
    )


def test_nothing_in_doubt(show: Show) -> None:
    document = show(OPENING, "--affected", "deck-1")
    assert (document["rounds"], document["total"]["rounds"], document["total"]["net"]) == ([], 0, "0.00")
    assert "In doubt: 0 rounds, 0 hands" in show(OPENING, "--affected", "deck-1", text=True)


# Counting is not identifying


def claim(**found: Any) -> e.DeckClaimed:
    fields: dict[str, Any] = {"cards": 52, "missing": (), "extra": (), "unreadable": 0, "back": None, "odd_backs": 0,
                              "batch": None}  # fmt: skip
    return e.DeckClaimed("deck-1", "shuffler", **{**fields, **found})


def test_a_right_count_does_not_identify(show: Show) -> None:
    """52 cards, one of them of the other deck: only what looks at each card goes back behind the counts."""
    table = Table3(OPENING, shuffler="counting")
    for _ in range(4):
        table.play(**ONE)
    assert numbers(show(table.events, "--affected", "deck-1")) == [4]
    wider = show(table.events, "--affected", "deck-1", "--since", "identified")
    assert numbers(wider) == [1, 2, 3, 4]
    assert wider["stays"][0]["stretches"][0]["since"]["what"] == "verify"
    assert numbers(show(table.events, "--affected", "deck-1", "--since", "person")) == [1, 2, 3, 4]
    text = show(table.events, "--affected", "deck-1", text=True)
    assert "4 rounds since its cards were last identified, see --since identified" in " ".join(text.split())


@pytest.mark.parametrize(
    ("shuffler", "how", "proves"), [("counting", "claimed", False), ("identifying", "identified", True)]
)
def test_a_device_claims_but_an_identifying_shuffler_identifies(shuffler: str, how: str, proves: bool) -> None:
    opened = e.RoundOpened(1, "three_card_poker", "deck-1", "manual_shoe", shuffler, "red")
    (deck,) = ledger([*OPENING, opened, claim()]).of("deck-1")
    check = deck.checks[-1]
    assert (check.how, check.by, check.by_device, check.right) == (How(how), "shuffler", True, True)
    assert [check.proves(since) for since in Since] == [proves, proves, False]


def test_what_a_claim_finds_is_told_and_leaves_doubt(show: Show) -> None:
    table = Table3(OPENING, shuffler="identifying")
    table.play(**ONE)
    table.events += [
        e.RoundOpened(2, "three_card_poker", "deck-1", "manual_shoe", "identifying", "red"),
        claim(missing=(card("Qh"),), extra=(card("Jh"),), unreadable=1, odd_backs=1, back="blue"),
    ]
    document = show(table.events, "--affected", "deck-1")
    (stretch,) = document["stays"][0]["stretches"]
    assert stretch["found"][0]["detail"] == "missing Qh; extra Jh; 1 unreadable; 1 with another back; backs are blue"
    assert numbers(document) == [1]


def test_16_cards_left_inside_a_shuffler_are_a_wrong_count() -> None:
    events = [*OPENING, e.DeckAccounted("deck-1", "shuffler", 36, 52, "dealer")]
    (deck,) = ledger(events).of("deck-1")
    check = deck.checks[-1]
    assert (check.what, check.cards, check.right, check.by) == ("out of the shuffler", 36, False, "200")


def test_a_count_that_clears_a_question_is_a_persons_count() -> None:
    asked = e.DeckQuestioned("deck-1", "wrong_count", "shoe: 51 cards", ())
    for reason, proves in (("counted", True), ("checked", False)):
        (deck,) = ledger([*OPENING, asked, e.DeckCleared("deck-1", "wrong_count", "4711", reason)]).of("deck-1")
        proof = deck.proven(Since.PERSON)
        assert proof is not None
        assert (proof.at.sequence == 6, proof.by) == (proves, "4711")


# Without the controller


def test_after_a_gap_both_decks_are_counted_and_the_gap_is_told(show: Show) -> None:
    """Decks are counted one after the other, that in play first: the blue one is wrong and leaves."""
    blue = e.DeckReceived("deck-2", "blue", 52, preshuffled=False, credential="4711")
    opened = e.RoundOpened(1, "three_card_poker", "deck-1", "manual_shoe", "none", "red")
    events = [
        *OPENING,
        blue,
        e.PlayedWithout(3, "power", "4711"),
        opened,
        e.CardsCounted("deck", 52, "565.8(h)"),
        e.CardsCounted("deck", 51, "565.8(h)"),
        e.DeckRemoved("deck-2", "565.8(h)"),
    ]
    red, other = show(events)["decks"]
    assert [(c["cards"], c["right"]) for c in red["checks"] if c["how"] == "counted"] == [(52, True)]
    assert [(c["cards"], c["right"]) for c in other["checks"]] == [(51, False)]
    assert [(gap["rounds"], gap["reason"]) for gap in red["unseen"]] == [(3, "power")]
    document = show(events, "--affected", "deck-2")
    (stretch,) = document["stays"][0]["stretches"]
    assert [gap["rounds"] for gap in stretch["unseen"]] == [3]
    text = show(events, "--affected", "deck-2", text=True)
    assert "3 rounds without the controller: power, says 4711: seats and wagers are not on the record" in " ".join(
        text.split()
    )


def test_training_is_marked(show: Show) -> None:
    events = [e.TableStarted("1", "a", "b", training=True), *OPENING]
    assert show(events)["training"] is True
    assert show(events, text=True).startswith("TRAINING")
