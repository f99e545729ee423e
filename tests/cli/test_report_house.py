"""`tablectl report` of a poker room: what the house has taken, and its jackpots, added up here by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cli.decks import cards_of
from tablectl.cli.report_json import report_document
from tablectl.cli.report_text import report_lines
from tablectl.journal.day import GamingDay, gaming_days
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tests.cli.ledgers import Document, read_back
from tests.games.house import DROP, FLOOR, FOLDED, NOTHING, SECURITY, House, only, quads_lose

RAKE = {"type": "percentage", "percent": 10, "maximum": "4.00"}
FILED: dict[str, Any] = {
    "smallest_chip": "0.10",
    "rake": RAKE,
    "bad_beat": DROP,
    "high_hand": {**DROP, "minimum_players": 3},
}
OPENED = e.TableOpened(1, "omaha_high", ("deck-1",), "1001")


def days(events: Sequence[e.Event]) -> list[GamingDay]:
    return list(gaming_days(read_back(events), cards_of))


def told_of(day: GamingDay) -> Document:
    return report_document(day, None, Path("journal"))


@pytest.fixture(scope="module")
def played() -> list[e.Event]:
    """A day: the display is adjusted, an ordinary round, a Bad Beat, which is paid, the box is counted 0.10 short."""
    house = House(FILED, said={acts.EmptyBox: acts.ContentsCounted(Money(1_90), FLOOR, SECURITY)})
    house.order("bad_beat_display", 1_000_00)
    house.play(quads_lose(NOTHING))
    house.play(quads_lose())
    for _ in range(2):
        house.order("bad_beat_paid")
    house.close()
    return [OPENED, *house.events]


def test_637a_15_the_days_account_of_the_jackpots_is_in_the_report(played: list[e.Event]) -> None:
    (day,) = days(played)
    house = told_of(day)["house"]
    assert (house["pots"], house["rake"], house["dropped"]) == (5, "1.80", "1.80"), (
        "10 % of two pots of 6 and three of 2"
    )
    bad_beat = house["jackpots"]["bad_beat"]
    assert bad_beat["contributed"] == "2.00"
    assert bad_beat["booked"] == {
        "adjusted": "1000.00",
        "drop": "2.00",
        "awarded": "1000.00",
        "paid": "750.00",
        "sent": "1.90",
    }
    assert bad_beat["over"] == "-0.10"
    assert (bad_beat["display"], bad_beat["pending"]) == ("1000.00", True)
    accounts = {name: amount for name, amount in bad_beat["accounts"].items() if amount != "0.00"}
    assert accounts == {
        "contributed": "2.00",
        "over": "-0.10",
        "others": "1000.00",
        "sent": "1.90",
        "owed": "250.00",
        "paid": "750.00",
    }
    (verified,) = bad_beat["verified"]
    assert (verified["seats"], verified["hand"], verified["credential"]) == ([2], "four_of_a_kind 9 K", "4701")
    assert [(each["reference"], each["amount"], each["place"]) for each in bad_beat["payments"]] == [
        ("3-2", "500.00", "cage"),
        ("3-1", "250.00", "cage"),
        ("3-3", "250.00", None),
    ]
    high_hand = house["jackpots"]["high_hand"]
    assert [each["reference"] for each in high_hand["verified"]] == ["1-3-1"]
    assert day.check() == []


def test_637a_15_the_text_names_what_is_pending_and_not_paid(played: list[e.Event]) -> None:
    (day,) = days(played)
    text = "\n".join(report_lines(day, None))
    assert "POKER ROOM" in text
    assert "bad beat: contributed 2.00; display 1,000.00, PENDING ADJUSTMENT" in text
    assert "COUNTS DIFFER from the books by -0.10" in text
    assert "seat 3 (table): 250.00, NOT PAID" in text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_637a_15_what_is_owed_goes_on_into_the_next_day(played: list[e.Event]) -> None:
    paid = e.JackpotPaid("bad_beat", "3-3", 3, Money(250_00), "cage", "4711", "6001", "637a.15(g)")
    last = only(played, e.JackpotBooked)[-1]
    booked = [event for event in only(played, e.JackpotBooked) if event.jackpot == "bad_beat"][-1]
    now = replace(booked, reason="paid", amount=Money(250_00), owed=Money(0), paid=Money(1_000_00))
    assert last
    first, second = days([*played, replace(OPENED, day=2), paid, now])
    assert [each.paid is None for each in first.house.jackpots["bad_beat"].payments] == [False, False, True]
    payments = told_of(second)["house"]["jackpots"]["bad_beat"]["payments"]
    assert [(each["reference"], each["paid"]) for each in payments] == [("3-3", True)]
    assert second.check() == []


@pytest.mark.parametrize(
    ("kind", "changed", "problem"),
    [
        (e.JackpotBooked, {"box": Money(99)}, "what came in is not what is held"),
        (e.JackpotBooked, {"amount": Money(7)}, "0.07 booked as"),
        (e.RakeDropped, {"amount": Money(7)}, "rake and time charges come to 1.80, the drop box to"),
        (e.PotFormed, {"bad_beat": Money(0)}, "bad_beat: pots have contributed 1.00, booked is 2.00"),
        (e.PotFormed, {"rake": Money(0)}, "the house has taken"),
        (e.JackpotPaid, {"amount": Money(7)}, "which is not owed"),
    ],
)
def test_637a_15_a_report_that_does_not_balance_says_where(
    played: list[e.Event], kind: type[Any], changed: dict[str, Any], problem: str
) -> None:
    events: list[Any] = list(played)
    place = next(n for n, event in enumerate(events) if isinstance(event, kind) and _is_of_the_second_round(event))
    events[place] = replace(events[place], **changed)
    (day,) = days(events)
    assert [found for found in day.check() if problem in found], day.check()


def _is_of_the_second_round(event: e.Event) -> bool:
    """One that belongs to a pot from which contributions were taken, or to no pot."""
    match event:
        case e.PotFormed(bad_beat=amount):
            return amount > 0
        case e.JackpotBooked(jackpot=jackpot, reason=reason):
            return (jackpot, reason) == ("bad_beat", "drop")
        case _:
            return True


def test_637a_17_b_3_time_charges_are_in_the_report() -> None:
    house = House(
        {"rake": {"type": "time", "hourly": "12.00", "minutes": 30}}, said={acts.TakeTime: acts.TimeTaken((5,))}
    )
    house.play(FOLDED)
    for _ in range(2):
        house.now += 30 * 60
        house.play(FOLDED)
    (day,) = days([OPENED, *house.events])
    told = told_of(day)["house"]
    assert [(each["seats"], each["total"]) for each in told["time_charges"]] == [([1, 2, 3, 5], "24.00")] * 2
    assert (told["rake"], told["dropped"]) == ("0.00", "48.00")
    assert day.check() == []
    assert "2 time charges 48.00; into the drop box 48.00" in "\n".join(report_lines(day, None))


def test_637a_15_rounds_that_are_void_have_brought_nothing() -> None:
    house = House(FILED)
    decisions = {"1": ["call", *["check"] * 2], "2": ["check"] * 3, "3": ["call", *["check"] * 2]}
    incident = {"at": "decision 1.4", "kind": "missing_cards"}
    house.play(quads_lose(incidents=[incident], decisions=decisions))
    (day,) = days([OPENED, *house.events])
    assert told_of(day)["house"] is None
    assert day.check() == []


def test_report_of_another_game_has_no_house() -> None:
    (day,) = days([OPENED])
    assert told_of(day)["house"] is None
