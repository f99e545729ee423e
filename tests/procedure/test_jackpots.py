"""The books of a jackpot: whatever comes in any order, every cent is somewhere (637a.15, 637a.16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.errors import IllegalMove
from tablectl.money import ZERO, Money
from tablectl.procedure.jackpots import (
    ACCOUNTS,
    Books,
    Jackpot,
    Owed,
    RoomState,
    equal_shares,
    shares_of_bad_beat,
    with_jackpot,
)

CENTS = st.integers(0, 100_000).map(Money)
STEPS = (
    "dropped",
    "box_sent",
    "counted",
    "maintained",
    "awarded",
    "paid_out",
    "won_elsewhere",
    "unclaimed",
    "gone_over",
)


@dataclass
class Purse:
    """The same in a few lines: where the coins are, as somebody would count them who carries them around."""

    box: int = 0
    sent: int = 0
    fund: int = 0
    owed: int = 0
    out: int = 0
    brought: int = 0


def step(books: Books, purse: Purse, name: str, amount: Money, part: int) -> Books:
    """One step in both; `part` of a hundred is how much of what is there it takes."""
    of_owed, of_fund = Money(books.owed * part // 100), Money(books.fund * part // 100)
    match name:
        case "dropped":
            purse.box, purse.brought = purse.box + amount, purse.brought + amount
            return books.dropped(amount)
        case "box_sent":
            found = amount if part % 2 else None
            purse.brought += 0 if found is None else found - purse.box
            purse.sent, purse.box = purse.sent + (purse.box if found is None else found), 0
            return books.box_sent(found)
        case "counted":
            purse.brought += amount - purse.sent
            purse.fund, purse.sent = purse.fund + amount, 0
            return books.counted(amount)
        case "maintained":
            purse.brought += amount - purse.fund
            purse.fund = amount
            return books.maintained(amount)
        case "awarded":
            purse.fund, purse.owed = purse.fund - of_fund, purse.owed + of_fund
            return books.awarded(of_fund)
        case "paid_out":
            purse.owed, purse.out = purse.owed - of_owed, purse.out + of_owed
            return books.paid_out(of_owed)
        case "won_elsewhere":
            purse.brought, purse.fund = purse.brought - purse.fund, 0
            return books.won_elsewhere()
        case "unclaimed":
            kept = part % 2 == 0
            purse.owed -= of_owed
            purse.fund, purse.out = purse.fund + of_owed * kept, purse.out + of_owed * (not kept)
            return books.unclaimed(of_owed, kept=kept)
        case _:
            purse.out, purse.fund = purse.out + purse.fund, 0
            return books.gone_over()


@given(st.lists(st.tuples(st.sampled_from(STEPS), CENTS, st.integers(0, 100)), max_size=60))
def test_637a_15_no_cent_is_lost_over_any_drops_counts_adjustments_and_payments(steps: Any) -> None:
    books, purse = Books(), Purse()
    for name, amount, part in steps:
        books = step(books, purse, name, amount, part)
        assert books.balanced()
        assert (books.box, books.sent, books.fund, books.owed) == (purse.box, purse.sent, purse.fund, purse.owed)
        assert books.paid + books.transferred == purse.out
        assert books.contributed + books.over + books.others == purse.brought
        assert purse.brought == purse.box + purse.sent + purse.fund + purse.owed + purse.out


@pytest.mark.parametrize("account", ACCOUNTS)
def test_637a_15_h_2_a_cent_that_is_nowhere_stops_the_table(account: str) -> None:
    sound = Books().dropped(Money(5_00)).box_sent(None).counted(Money(5_00)).awarded(Money(2_00))
    owed = (Owed("7-3", 3, "loser", Money(2_00), 0),)
    with_jackpot(RoomState(), "bad_beat", Jackpot(books=sound, owed=owed))
    wrong = Books(**{name: Money(getattr(sound, name) + (name == account)) for name in ACCOUNTS})
    with pytest.raises(IllegalMove, match="the books of the bad_beat do not balance"):
        with_jackpot(RoomState(), "bad_beat", Jackpot(books=wrong, owed=owed))


def test_637a_15_what_is_owed_is_owed_to_somebody() -> None:
    books = Books().maintained(Money(9_00)).awarded(Money(9_00))
    with pytest.raises(IllegalMove):
        with_jackpot(RoomState(), "high_hand", Jackpot(books=books))


def test_637a_15_no_account_goes_below_zero() -> None:
    with pytest.raises(IllegalMove):
        with_jackpot(RoomState(), "bad_beat", Jackpot(books=Books().awarded(Money(1))))


@given(CENTS, st.integers(1, 10), st.sampled_from([1, 25, 50, 100]))
def test_637a_16_b_5_equal_hands_divide_the_payout_and_nothing_is_left(amount: Money, among: int, unit: int) -> None:
    shares = equal_shares(amount, among, Money(unit))
    assert (len(shares), sum(shares)) == (among, amount)
    assert len(set(shares[1:])) <= 1
    assert all(share % unit == 0 for share in shares[1:])
    assert 0 <= shares[0] - amount // among <= unit * among


@given(
    CENTS,
    st.sampled_from([1, 25, 100]),
    st.permutations(range(1, 11)),
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 4),
    st.integers(0, 100),
    st.integers(0, 100),
)
def test_637a_15_b_3_the_shares_of_a_bad_beat_are_all_of_it(
    amount: Money, unit: int, seats: list[int], lost: int, won: int, rest: int, one: int, other: int
) -> None:
    losers, winners = tuple(seats[:lost]), tuple(seats[lost : lost + won])
    others = tuple(seats[lost + won : lost + won + rest])
    percents = min(one, other), max(one, other) - min(one, other)
    shares = shares_of_bad_beat(amount, Money(unit), losers, winners, others, percents)
    assert sum(share for _part, _seat, share in shares) == amount
    assert {seat for part, seat, _share in shares if part == "loser"} <= set(losers)
    assert {seat for part, seat, _share in shares if part == "winner"} <= set(winners)
    assert {seat for part, seat, _share in shares if part == "table"} <= set(others)
    of_winners = sum(share for part, _seat, share in shares if part == "winner")
    assert amount * percents[1] // 100 - unit < of_winners <= amount * percents[1] // 100
    assert len({share for part, _seat, share in shares if part == "table"}) <= 1


def test_637a_15_b_3_half_a_quarter_and_a_quarter_among_the_others() -> None:
    shares = shares_of_bad_beat(Money(1_000_00), Money(1_00), (4,), (2,), (1, 3, 7), (50, 25))
    assert shares == (
        ("loser", 4, 501_00),
        ("winner", 2, 250_00),
        ("table", 1, 83_00),
        ("table", 3, 83_00),
        ("table", 7, 83_00),
    )


def test_637a_15_b_3_without_others_their_part_is_the_losing_hands() -> None:
    shares = shares_of_bad_beat(Money(99_00), Money(1_00), (1,), (2,), (), (50, 25))
    assert shares == (("loser", 1, 75_00), ("winner", 2, 24_00))
    assert shares_of_bad_beat(ZERO, Money(1_00), (1,), (2,), (3,), (50, 25)) == ()
