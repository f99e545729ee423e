"""Every event has a published form, and that form says exactly what the event says."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import tablectl.surveillance
from tablectl import events, records
from tablectl.cards import BURN, COMMUNITY, DEALER, FaceDown, card, position, seat
from tablectl.events import (
    AlarmRaised,
    AwardValidated,
    BettingLocked,
    CardDealt,
    CardReplaced,
    CardReplacementRefused,
    CardsCollected,
    CardsCounted,
    CardSetAside,
    CardsExposed,
    CardsShown,
    ClockStepped,
    DealerChanged,
    DecisionsLocked,
    DeckAccounted,
    DeckChangeNear,
    DeckClaimed,
    DeckCleared,
    DeckCut,
    DeckExchanged,
    DeckLoaded,
    DeckQuestioned,
    DeckReceived,
    DeckRemoved,
    DeckShuffled,
    DeviceCovered,
    DeviceRemoved,
    DeviceReturned,
    DeviceTested,
    DiceCalled,
    DiceReceived,
    DiceThrown,
    Disposition,
    Event,
    FaultCleared,
    FaultLatched,
    HandAnnounced,
    HandDeclared,
    HandPayDocumented,
    HandsSet,
    HandVerified,
    HoleCardPeeked,
    IrregularityNoted,
    LammersPlaced,
    LockOutUndone,
    MeterBooked,
    MeterRead,
    NumberChosen,
    Outcome,
    PaymentCorrected,
    PlayedWithout,
    Result,
    ResultAnnounced,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SeatAsked,
    SeatDecided,
    SeatsBarred,
    SeatsShared,
    ShakerCovered,
    StackDelivered,
    StartChosen,
    StepAttested,
    SystemShut,
    TableChanged,
    TableClosed,
    TableOpened,
    TableOrdered,
    TableResumed,
    TableStarted,
    TableStopped,
    TableSuspended,
    WagerMade,
    WagerSettled,
    WagersLockedOut,
    WagersVerified,
    WagerWithdrawn,
    WinLightVerified,
)
from tablectl.money import Money, Odds
from tablectl.surveillance import models
from tablectl.surveillance.models import ENVELOPES, Status, event_data, event_type
from tablectl.surveillance.schema import RoundRecord
from tests.surveillance.poker_examples import POKER_EXAMPLES

# Each event beside its data as surveillance is to see it, written down by hand.
EXAMPLES: list[tuple[Event, dict[str, Any]]] = [
    (
        TableStarted("1.0", "ab", "cd", training=True),
        {"version": "1.0", "edition": "ab", "configuration": "cd", "training": True},
    ),
    (TableSuspended("emergency", "4711"), {"reason": "emergency", "credential": "4711"}),
    (TableResumed("restart", ""), {"after": "restart", "credential": ""}),
    (PlayedWithout(3, "power", "4711"), {"rounds": 3, "reason": "power", "credential": "4711"}),
    (SeatsBarred((2, 5), "672a.6(b)"), {"seats": [2, 5], "cite": "672a.6(b)"}),
    (
        PaymentCorrected(812, 7, 3, "ante", 0, Money(1000), Money(0), "4711"),
        {
            "corrects": 812,
            "round": 7,
            "seat": 3,
            "wager": "ante",
            "hand": 0,
            "paid": "10.00",
            "collected": "0.00",
            "credential": "4711",
        },
    ),
    (
        TableChanged(("limits",), "ab", "ab", "ef", "cd", Money(1500), Money(1000), None, Money(50_000), "4711"),
        {
            "what": ["limits"],
            "edition": "ab",
            "edition_before": "ab",
            "configuration": "ef",
            "configuration_before": "cd",
            "minimum": "15.00",
            "minimum_before": "10.00",
            "maximum": None,
            "maximum_before": "500.00",
            "credential": "4711",
        },
    ),
    (TableStopped("told to"), {"reason": "told to"}),
    (ClockStepped(-3_600_000, 1_000, 5_000), {"step_ms": -3_600_000, "began": 1_000, "until": 5_000}),
    (
        AlarmRaised("mqtt", "taken_over", "find the other client"),
        {"source": "mqtt", "kind": "taken_over", "message": "find the other client"},
    ),
    (FaultLatched("shoe", "jam", "Jam."), {"device": "shoe", "fault": "jam", "message": "Jam."}),
    (
        FaultCleared("shoe", "jam", "1001", "mended"),
        {"device": "shoe", "fault": "jam", "credential": "1001", "reason": "mended"},
    ),
    (
        RoundOpened(7, "three_card_poker", "blue-1", "from_hand", "counting", "blue", 1_700_000_000),
        {
            "round": 7,
            "game": "three_card_poker",
            "deck": "blue-1",
            "dealing": "from_hand",
            "shuffler": "counting",
            "back": "blue",
            "verified": 1_700_000_000,
        },
    ),
    (DeckShuffled("blue-1", "device", 52), {"deck": "blue-1", "by": "device", "counted": 52}),
    (DeckShuffled("blue-1", "hand", None), {"deck": "blue-1", "by": "hand", "counted": None}),
    (DeckRemoved("blue-1", "565.6"), {"deck": "blue-1", "cite": "565.6"}),
    (
        DeckExchanged("blue-1", "red-1", "670a.5(g)(2)"),
        {"deck": "blue-1", "before": "red-1", "cite": "670a.5(g)(2)"},
    ),
    (
        CardsShown("red-1", 4, face_up=True, cite="565.4(b)"),
        {"deck": "red-1", "seat": 4, "face_up": True, "cite": "565.4(b)"},
    ),
    (
        DeviceTested("card_reader", passed=False, detail="lamp", cite="672a.2(d)"),
        {"device": "card_reader", "passed": False, "detail": "lamp", "cite": "672a.2(d)"},
    ),
    (
        DeckReceived("deck-1", "red", 52, False, "1001"),
        {"deck": "deck-1", "back": "red", "cards": 52, "preshuffled": False, "credential": "1001"},
    ),
    (
        StepAttested("verify", "deck-1", "floorperson", "4711", "565.4(b)"),
        {"step": "verify", "deck": "deck-1", "by": "floorperson", "credential": "4711", "cite": "565.4(b)"},
    ),
    (DeckLoaded("deck-2", "blue"), {"deck": "deck-2", "back": "blue"}),
    (DeckChangeNear("deck-1", 12, "565.3(c)(1)"), {"deck": "deck-1", "minutes": 12, "cite": "565.3(c)(1)"}),
    (
        DeckClaimed("deck-1", "shuffler", 52, (card("Qh"),), (card("Jh"),), 0, "red", 1, None),
        {
            "deck": "deck-1",
            "device": "shuffler",
            "cards": 52,
            "missing": ["Qh"],
            "extra": ["Jh"],
            "unreadable": 0,
            "back": "red",
            "odd_backs": 1,
            "batch": None,
        },
    ),
    (
        DeckQuestioned("deck-1", "missing_card", "shuffler: Qh missing", (card("Qh"),)),
        {"deck": "deck-1", "what": "missing_card", "detail": "shuffler: Qh missing", "cards": ["Qh"]},
    ),
    (
        DeckCleared("deck-1", "missing_card", "4711", "put_back"),
        {"deck": "deck-1", "what": "missing_card", "credential": "4711", "reason": "put_back"},
    ),
    (CardSetAside("deck-1", None, "4711"), {"deck": "deck-1", "card": None, "credential": "4711"}),
    (
        CardReplaced("deck-1", card("Qh"), "red", "4711"),
        {"deck": "deck-1", "card": "Qh", "back": "red", "credential": "4711"},
    ),
    (
        CardReplacementRefused("deck-1", card("Qh"), card("Jh"), "red", "Jh is not Qh", "4711"),
        {
            "deck": "deck-1",
            "missing": "Qh",
            "card": "Jh",
            "back": "red",
            "reason": "Jh is not Qh",
            "credential": "4711",
        },
    ),
    (
        DeckAccounted("deck-1", "shuffler", 36, 52, "dealer"),
        {"deck": "deck-1", "device": "shuffler", "cards": 36, "expected": 52, "by": "dealer"},
    ),
    (
        DeviceCovered("shuffler", "657a.13(g)", "manual_shoe"),
        {"device": "shuffler", "cite": "657a.13(g)", "dealing": "manual_shoe"},
    ),
    (
        DeviceReturned("shuffler", "from_hand", "counting", "4711"),
        {"device": "shuffler", "dealing": "from_hand", "shuffler": "counting", "credential": "4711"},
    ),
    (DeckCut("deck-1", DEALER, "565.5(d)"), {"deck": "deck-1", "by": "dealer", "cite": "565.5(d)"}),
    (
        TableOpened(3, "three_card_poker", ("deck-1", "deck-2"), "1001"),
        {"day": 3, "game": "three_card_poker", "decks": ["deck-1", "deck-2"], "dealer": "1001"},
    ),
    (TableClosed(3, "4711"), {"day": 3, "credential": "4711"}),
    (DealerChanged("1002", "1001"), {"dealer": "1002", "before": "1001"}),
    (
        TableOrdered("reshuffle", "", 0, "4711"),
        {"order": "reshuffle", "detail": "", "number": 0, "credential": "4711"},
    ),
    (DeviceRemoved("shoe", "565.13", "from_hand"), {"device": "shoe", "cite": "565.13", "dealing": "from_hand"}),
    (WagerMade(3, "ante", 0, Money(1050)), {"seat": 3, "wager": "ante", "hand": 0, "amount": "10.50", "free": False}),
    (WagerMade(3, "ante", 0, None), {"seat": 3, "wager": "ante", "hand": 0, "amount": None, "free": False}),
    (
        WagerMade(3, "split", 1, Money(0), free=True),
        {"seat": 3, "wager": "split", "hand": 1, "amount": "0.00", "free": True},
    ),
    (BettingLocked("565.8(b)"), {"cite": "565.8(b)"}),
    (DiceThrown(2, (1, 3, 6), None), {"number": 2, "faces": [1, 3, 6], "incident": None}),
    (DiceThrown(1, (), "no_roll"), {"number": 1, "faces": [], "incident": "no_roll"}),
    (DiceReceived("dice-1", 10, "4711"), {"deck": "dice-1", "dice": 10, "credential": "4711"}),
    (DiceCalled(5, 4, "675a.4(e)"), {"face": 5, "count": 4, "cite": "675a.4(e)"}),
    (NumberChosen(7), {"number": 7}),
    (HoleCardPeeked(True, "673a.7(h)"), {"blackjack": True, "cite": "673a.7(h)"}),
    (StartChosen(seat(5), "561.12(b)"), {"position": "seat 5", "cite": "561.12(b)"}),
    (StackDelivered(position("stack 2"), DEALER), {"stack": "stack 2", "to": "dealer"}),
    (ShakerCovered("561.12(b)"), {"cite": "561.12(b)"}),
    (SeatsShared((2, 3)), {"seats": [2, 3]}),
    (
        ResultAnnounced(3, "push", "561.13(f)"),
        {"seat": 3, "result": "push", "cite": "561.13(f)"},
    ),
    (CardsCollected(seat(3), 7, "561.9(g)"), {"position": "seat 3", "cards": 7, "cite": "561.9(g)"}),
    (CardDealt(1, seat(7), card("Td")), {"number": 1, "to": "seat 7", "card": "Td"}),
    (CardDealt(2, BURN, None), {"number": 2, "to": "burn", "card": None}),
    (CardsCounted("stub", 52, "565.8(f)"), {"what": "stub", "total": 52, "cite": "565.8(f)"}),
    (SeatAsked(1, ("bet", "fold")), {"seat": 1, "choices": ["bet", "fold"], "hand": 0}),
    (
        SeatDecided(1, "draw", Money(5), (card("Xj"), card("2c"))),
        {"seat": 1, "verb": "draw", "amount": "0.05", "cards": ["Xj", "2c"]},
    ),
    (CardsExposed(DEALER, 0, (card("As"),)), {"position": "dealer", "place": 0, "cards": ["As"]}),
    (CardsExposed(COMMUNITY, 3, ()), {"position": "community", "place": 3, "cards": []}),
    (
        HandAnnounced(DEALER, "two_pair", "563.11(g)"),
        {"position": "dealer", "hand": "two_pair", "cite": "563.11(g)"},
    ),
    (
        WagerSettled(1, "bonus", 0, Money(500), Result.WIN, "3:2", Money(750), Money(500), Money(0), "565.12(b)", on=4),
        {
            "seat": 1,
            "wager": "bonus",
            "hand": 0,
            "staked": "5.00",
            "result": "win",
            "odds": "3:2",
            "paid": "7.50",
            "returned": "5.00",
            "collected": "0.00",
            "cite": "565.12(b)",
            "free": False,
            "vigorish": None,
            "on": 4,
        },
    ),
    (
        IrregularityNoted("card_exposed", DEALER, None, ("card_discarded",)),
        {"kind": "card_exposed", "position": "dealer", "cite": None, "remedies": ["card_discarded"]},
    ),
    (
        SystemShut("progressive", "progressive", "lost"),
        {"system": "progressive", "wager": "progressive", "reason": "lost"},
    ),
    (
        WagersLockedOut("progressive", 2, (1, 3), "655a.8(b)"),
        {"system": "progressive", "accepted": 2, "seats": [1, 3], "cite": "655a.8(b)"},
    ),
    (
        WagersVerified("progressive", 2, 3, "655a.8(b)"),
        {"wager": "progressive", "chips": 2, "accepted": 3, "cite": "655a.8(b)"},
    ),
    (LockOutUndone("progressive", complete=False), {"system": "progressive", "complete": False}),
    (
        HandVerified(3, "royal_flush", "100% meter", "655a.11(i)(4)(i)(A)"),
        {"seat": 3, "hand": "royal_flush", "award": "100% meter", "cite": "655a.11(i)(4)(i)(A)"},
    ),
    (
        WinLightVerified(3, Money(1234567), None, "655a.11(i)(4)(i)(B)"),
        {"seat": 3, "amount": "12345.67", "display": None, "cite": "655a.11(i)(4)(i)(B)"},
    ),
    (
        AwardValidated(3, "full_house", "50 for 1", Money(5000), "4711", "655a.11(i)(4)(i)(C)"),
        {
            "seat": 3,
            "hand": "full_house",
            "award": "50 for 1",
            "amount": "50.00",
            "credential": "4711",
            "cite": "655a.11(i)(4)(i)(C)",
        },
    ),
    (
        HandPayDocumented(3, Money(1234567), "4711", "1001", "655a.11(i)(4)(i)(D)"),
        {"seat": 3, "amount": "12345.67", "credential": "4711", "second": "1001", "cite": "655a.11(i)(4)(i)(D)"},
    ),
    (MeterRead("progressive", Money(1234567)), {"system": "progressive", "display": "12345.67"}),
    (
        MeterBooked(
            "over_limit",
            Money(7),
            Money(1000),
            Money(500),
            2,
            Money(300),
            Money(20),
            Money(5),
            Money(1000),
            Money(7),
            "1",
            "2",
        ),
        {
            "reason": "over_limit",
            "amount": "0.07",
            "display": "10.00",
            "wagered": "5.00",
            "hits": 2,
            "wins": "3.00",
            "overflow": "0.20",
            "reserve": "0.05",
            "seed": "10.00",
            "lowered": "0.07",
            "credential": "1",
            "second": "2",
        },
    ),
    (RoundVoided("shoe_jam", "565.13(d)"), {"cause": "shoe_jam", "cite": "565.13(d)", "stands": []}),
    (
        RoundVoided("card_exposed", "671a.13(d)", ("1 super", "3 super_seat_1")),
        {"cause": "card_exposed", "cite": "671a.13(d)", "stands": ["1 super", "3 super_seat_1"]},
    ),
    (HandDeclared(3, "super"), {"seat": 3, "what": "super"}),
    (LammersPlaced((1, 4), "670a.8(b)(1)"), {"seats": [1, 4], "cite": "670a.8(b)(1)"}),
    (
        HandsSet(seat(2), (card("Ks"), card("Kd")), (card("Xj"),), "670a.11(b)"),
        {"position": "seat 2", "high": ["Ks", "Kd"], "low": ["Xj"], "cite": "670a.11(b)"},
    ),
    (WagerWithdrawn(3, "bet", 0, Money(2000)), {"seat": 3, "wager": "bet", "hand": 0, "amount": "20.00"}),
    (DecisionsLocked("671a.11(c)"), {"cite": "671a.11(c)"}),
    (
        RoundClosed(7, Outcome.VOID, "shoe_jam", "565.13(d)", "blue-1", Disposition.REMOVE),
        {
            "round": 7,
            "outcome": "void",
            "cause": "shoe_jam",
            "cite": "565.13(d)",
            "deck": "blue-1",
            "disposition": "remove",
        },
    ),
    *POKER_EXAMPLES,
]


def envelope(event: Event, sequence: int = 1) -> models.Envelope:
    fields = json.loads(records.encode(event, []))
    del fields["$"]
    return ENVELOPES[type(event)].model_validate(
        {
            "id": f"T7/{sequence}",
            "source": "/erie/pit/T7",
            "time": "2026-11-29T20:00:00.000001Z",
            "sequence": sequence,
            "boot": "boot-1",
            "synced": True,
            "data": event_data(type(event), fields),
        }
    )


def test_every_event_of_the_program_has_a_model_and_an_example() -> None:
    classes = {
        cls for cls in records._CLASSES.values() if issubclass(cls, Event) and cls.__module__.startswith("tablectl.")
    }
    assert set(ENVELOPES) == classes
    assert {type(event) for event, _ in EXAMPLES} == classes


def test_types_are_unique_and_named_after_the_events() -> None:
    types = [event_type(cls) for cls in ENVELOPES]
    assert len(set(types)) == len(types)
    assert event_type(CardDealt) == "tablectl.round.card"


@pytest.mark.parametrize(("event", "data"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_published_form(event: Event, data: dict[str, Any]) -> None:
    document = json.loads(models.to_json(envelope(event)))
    assert document["data"] == data
    assert document["type"] == f"tablectl.{event.name}"
    assert document["specversion"] == "1.0"


@pytest.mark.parametrize(("event", "data"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_published_form_is_read_back(event: Event, data: dict[str, Any]) -> None:
    sent = envelope(event)
    assert ENVELOPES[type(event)].model_validate_json(models.to_json(sent)) == sent


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Status.model_validate_json('{"status":"online","reason":"connected","boot":"b","card":"As"}')
    event = CardDealt(1, seat(1), None)
    document = json.loads(models.to_json(envelope(event)))
    document["data"]["face"] = "As"
    with pytest.raises(ValidationError, match="Extra inputs"):
        ENVELOPES[CardDealt].model_validate_json(json.dumps(document))


def test_a_round_record_holds_any_events() -> None:
    parts = [models.to_json(envelope(event, number)) for number, (event, _) in enumerate(EXAMPLES, start=1)]
    text = b'{"first":1,"last":%d,"round":7,"training":false,"events":[%s]}' % (len(parts), b",".join(parts))
    record = RoundRecord.model_validate_json(text)
    assert [event.sequence for event in record.events] == list(range(1, len(EXAMPLES) + 1))
    assert models.to_json(record) == text


@pytest.mark.parametrize("hint", [FaceDown, FaceDown | None, tuple[FaceDown, ...], Event, float, dict[str, int]])
def test_what_may_not_be_published_has_no_form(hint: Any) -> None:
    with pytest.raises(TypeError, match="no published form"):
        models._form(hint)


@pytest.mark.parametrize(
    ("hint", "encoded"),
    [(Money, "10.00"), (Money | None, 1.5), (tuple[Money, ...], [True])],
)
def test_money_is_whole_cents(hint: Any, encoded: Any) -> None:
    _, change = models._form(hint)
    assert change is not None
    with pytest.raises(TypeError, match="cents"):
        change(encoded)


def test_odds_keep_their_text() -> None:
    pattern, change = models._form(Odds)
    assert change is None
    assert pattern is models.OddsText
    assert str(Odds(300, 1, "for")) == "300 for 1"


def test_the_core_knows_no_more_events_than_are_listed() -> None:
    assert {cls.__name__ for cls in ENVELOPES} <= set(events.__all__)


def test_only_the_subscriber_subscribes_and_nobody_looks_at_secrets() -> None:
    found = [
        (path.name, node.attr)
        for path in sorted(Path(tablectl.surveillance.__file__).parent.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("secret", "subscribe")
    ]
    assert found == [("subscriber.py", "subscribe")]
