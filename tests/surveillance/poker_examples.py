"""One event of each class of the poker room, with its data as it is published."""

from __future__ import annotations

from typing import Any

from tablectl import events as e
from tablectl.cards import card
from tablectl.money import Money

POKER_EXAMPLES: list[tuple[e.Event, dict[str, Any]]] = [
    (e.PlayerSeated(3, Money(50_00)), {"seat": 3, "stack": "50.00"}),
    (e.ButtonCardShown(4, card("Ks")), {"seat": 4, "card": "Ks"}),
    (
        e.ButtonDrawn(4, card("Ks"), "637a.12(c)(1)(ii)"),
        {"seat": 4, "card": "Ks", "cite": "637a.12(c)(1)(ii)"},
    ),
    (e.ButtonPlaced(4, "637a.12(c)(2)"), {"seat": 4, "cite": "637a.12(c)(2)"}),
    (
        e.BetPosted(1, "blind", Money(1_00), "637a.12(d)"),
        {"seat": 1, "bet": "blind", "amount": "1.00", "cite": "637a.12(d)"},
    ),
    (e.BetReturned(1, Money(2_50), "637a.17(d)"), {"seat": 1, "amount": "2.50", "cite": "637a.17(d)"}),
    (e.RakeTaken(Money(3_00), "637a.17(b)(1)(i)"), {"total": "3.00", "cite": "637a.17(b)(1)(i)"}),
    (
        e.PotFormed("side 1", (1, 3), Money(60_00), Money(3_00), Money(1_00), Money(0)),
        {"pot": "side 1", "seats": [1, 3], "amount": "60.00", "rake": "3.00", "bad_beat": "1.00", "high_hand": "0.00"},
    ),
    (e.HandShown(3, (card("As"), card("Td"))), {"seat": 3, "cards": ["As", "Td"]}),
    (e.HandConceded(3), {"seat": 3}),
    (
        e.PotAwarded("main", 3, "high", Money(56_00), "637a.12(k)(1)"),
        {"pot": "main", "seat": 3, "part": "high", "amount": "56.00", "cite": "637a.12(k)(1)"},
    ),
    (e.RakeDropped(Money(3_00), "637a.17(b)(1)(ii)"), {"amount": "3.00", "cite": "637a.17(b)(1)(ii)"}),
    (
        e.TimeCollected("player", Money(6_00), (1, 3), Money(12_00), 1_800, "637a.17(b)(3)(iv)"),
        {
            "per": "player",
            "part": "6.00",
            "seats": [1, 3],
            "total": "12.00",
            "since": 1800,
            "cite": "637a.17(b)(3)(iv)",
        },
    ),
    (
        e.TimeCharged(Money(12_00), "4711", "637a.17(b)(3)(v)"),
        {"total": "12.00", "credential": "4711", "cite": "637a.17(b)(3)(v)"},
    ),
    (
        e.JackpotBooked(
            "bad_beat",
            "adjusted",
            Money(500_00),
            Money(500_00),
            False,
            Money(9_00),
            Money(-50),
            Money(492_50),
            Money(1_00),
            Money(0),
            Money(500_00),
            Money(0),
            Money(0),
            Money(0),
            "4711",
            "6001",
            "637a.15(h)(1)",
        ),
        {
            "jackpot": "bad_beat",
            "reason": "adjusted",
            "amount": "500.00",
            "display": "500.00",
            "pending": False,
            "contributed": "9.00",
            "over": "-0.50",
            "others": "492.50",
            "box": "1.00",
            "sent": "0.00",
            "fund": "500.00",
            "owed": "0.00",
            "paid": "0.00",
            "transferred": "0.00",
            "credential": "4711",
            "second": "6001",
            "cite": "637a.15(h)(1)",
        },
    ),
    (
        e.BoxCounted("bad_beat", Money(9_00), "1001", "4711", "5001", "637a.15(d)(1)"),
        {
            "jackpot": "bad_beat",
            "amount": "9.00",
            "dealer": "1001",
            "credential": "4711",
            "second": "5001",
            "cite": "637a.15(d)(1)",
        },
    ),
    (
        e.BoxSent("high_hand", "4711", "5001", "637a.16(d)(2)"),
        {"jackpot": "high_hand", "credential": "4711", "second": "5001", "cite": "637a.16(d)(2)"},
    ),
    (
        e.BadBeatVerified((2,), "four_of_a_kind 9 K", (1,), "four_of_a_kind K 9", Money(500_00), "4701", "637a.15(f)"),
        {
            "seats": [2],
            "hand": "four_of_a_kind 9 K",
            "winners": [1],
            "beaten_by": "four_of_a_kind K 9",
            "amount": "500.00",
            "credential": "4701",
            "cite": "637a.15(f)",
        },
    ),
    (
        e.BadBeatRefused((2,), "four_of_a_kind 9 K", "4701", "637a.15(f)"),
        {"seats": [2], "hand": "four_of_a_kind 9 K", "credential": "4701", "cite": "637a.15(f)"},
    ),
    (
        e.HighHandRecorded(4, "4-120-3", 3, "full_house K Q", "1001", "4711", "637a.16(f)"),
        {
            "period": 4,
            "reference": "4-120-3",
            "seat": 3,
            "hand": "full_house K Q",
            "dealer": "1001",
            "credential": "4711",
            "cite": "637a.16(f)",
        },
    ),
    (
        e.HighHandRefused(4, 3, "full_house K Q", "4711", "637a.16(f)"),
        {"period": 4, "seat": 3, "hand": "full_house K Q", "credential": "4711", "cite": "637a.16(f)"},
    ),
    (
        e.PeriodEnded(4, ("4-120-3",), 3_600, "637a.16(g)"),
        {"period": 4, "references": ["4-120-3"], "next_began": 3600, "cite": "637a.16(g)"},
    ),
    (
        e.PeriodAwarded(4, Money(80_00), "here", "4711", "6001", "637a.16(h)"),
        {
            "period": 4,
            "pooled": "80.00",
            "won": "here",
            "credential": "4711",
            "second": "6001",
            "cite": "637a.16(h)",
        },
    ),
    (
        e.JackpotOwed("high_hand", "4-120-3", 3, "high_hand", Money(80_00), 7_200, "637a.16(h)"),
        {
            "jackpot": "high_hand",
            "reference": "4-120-3",
            "seat": 3,
            "part": "high_hand",
            "amount": "80.00",
            "since": 7200,
            "cite": "637a.16(h)",
        },
    ),
    (
        e.JackpotPaid("high_hand", "4-120-3", 3, Money(80_00), "cage", "4711", "6001", "637a.16(h)"),
        {
            "jackpot": "high_hand",
            "reference": "4-120-3",
            "seat": 3,
            "amount": "80.00",
            "place": "cage",
            "credential": "4711",
            "second": "6001",
            "cite": "637a.16(h)",
        },
    ),
]
