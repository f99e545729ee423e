"""The meter's double entry against an independent account in fractions, and what cannot be done with it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.equipment import Meter, MeterReason, MeterRules
from tablectl.money import Money
from tablectl.procedure.meter import PARTS, Ledger, open_ledger
from tablectl_hil.mechanisms.meter import MeterAccounts

CENTS = st.integers(0, 1_000_000).map(Money)


@st.composite
def rules(draw: st.DrawFn) -> MeterRules:
    base = draw(st.integers(1, 1_000_000))
    limit = draw(st.none() | st.integers(base, base + 50_000).map(Money))
    return MeterRules(
        Money(base),
        Money(draw(st.integers(1, base))),
        limit,
        draw(st.integers(0, 999_999)),
        draw(st.integers(0, 999_999)),
    )


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("wagers"), st.integers(1, 50_000)),
        st.tuples(st.just("share"), st.integers(0, 100)),
        st.tuples(st.just("whole"), st.just(0)),
        st.tuples(st.sampled_from([reason.value for reason in MeterReason]), st.integers(0, 10_000)),
    ),
    max_size=30,
)


def opened(given_rules: MeterRules) -> tuple[Ledger, MeterAccounts]:
    theirs = MeterAccounts.new(given_rules)
    ours = open_ledger(given_rules, theirs.message(0), day=1)
    assert ours is not None
    return ours, theirs


def done(ours: Ledger, theirs: MeterAccounts, what: str, number: int) -> Ledger:
    """The same to both; theirs refuses what is not there, and then nothing is done to ours either."""
    match what:
        case "wagers":
            theirs.add(number)
            return ours.with_wagers(Money(number))
        case "share" | "whole":
            whole = what == "whole"
            amount = theirs.shown if whole else Money(theirs.shown * number // 100)
            assert theirs.award(amount, whole) is None
            return ours.with_award(amount, reset=whole)
        case _:
            reason = MeterReason(what)
            return ours if theirs.lower(reason, Money(number)) else ours.lower(reason, Money(number))


@given(rules(), OPERATIONS)
def test_books_are_what_an_exact_account_in_fractions_is(meter: MeterRules, operations: list[tuple[str, int]]) -> None:
    ours, theirs = opened(meter)
    for what, number in operations:
        ours = done(ours, theirs, what, number)
        assert theirs.balanced()
        assert ours.balanced()
        for account in ("display", "reserve", "overflow"):
            assert getattr(ours, account) == getattr(theirs, account) * PARTS, account
        assert ours.said() == theirs.message(0)
        assert ours.differences(theirs.message(0)) == ()


@given(rules(), OPERATIONS)
def test_all_that_has_gone_in_is_somewhere_exactly(meter: MeterRules, operations: list[tuple[str, int]]) -> None:
    ours, theirs = opened(meter)
    for what, number in operations:
        ours = done(ours, theirs, what, number)
        rates = meter.increment_ppm + meter.hidden_ppm
        into = ours.seed * 1_000_000 + ours.wagered * rates
        assert into == ours.display + ours.reserve + ours.overflow + 1_000_000 * (ours.wins + ours.lowered)
        assert all(type(getattr(ours, field.name)) is int for field in fields(ours) if field.name != "rules")


@given(rules(), OPERATIONS, st.integers(1, 10_000))
def test_wagers_that_go_back_leave_nothing_behind(
    meter: MeterRules, operations: list[tuple[str, int]], wagers: int
) -> None:
    """What is kept is the ledger before them: however the limit has parted them, it is as if they had not been."""
    ours, theirs = opened(meter)
    for what, number in operations:
        ours = done(ours, theirs, what, number)
    before = theirs.copy()
    theirs.add(wagers)
    assert ours.with_wagers(Money(wagers)).differences(theirs.message(0)) == ()
    assert ours.differences(before.message(0)) == ()


@given(rules(), OPERATIONS, OPERATIONS)
def test_books_opened_in_the_middle_agree_for_as_long_as_the_limit_is_not_met(
    meter: MeterRules, before: list[tuple[str, int]], after: list[tuple[str, int]]
) -> None:
    """A system says whole cents; the parts of a cent follow from what it says."""
    ours, theirs = opened(MeterRules(meter.base, meter.reset, None, meter.increment_ppm, meter.hidden_ppm))
    for what, number in before:
        ours = done(ours, theirs, what, number)
    reopened = open_ledger(theirs.rules, theirs.message(0), day=2)
    assert reopened is not None
    assert reopened.balanced()
    for what, number in after:
        reopened = done(reopened, theirs, what, number)
        assert reopened.differences(theirs.message(0)) == ()


@given(rules(), OPERATIONS)
def test_books_opened_in_the_middle_balance_whatever_the_limit_has_parted(
    meter: MeterRules, operations: list[tuple[str, int]]
) -> None:
    ours, theirs = opened(meter)
    for what, number in operations:
        ours = done(ours, theirs, what, number)
    reopened = open_ledger(meter, theirs.message(0), day=2)
    assert reopened is not None
    assert reopened.balanced()
    assert reopened.differences(theirs.message(0)) == ()


def _meter(**changed: Any) -> Meter:
    """A meter of 100000 cents of base, 20 and 5 percent, after 100 cents of wagers."""
    said = {"display": 100_020, "wagered": 100, "hits": 0, "wins": 0, "overflow": 0, "reserve": 5}
    return Meter(0, **{**said, "seed": 100_000, "lowered": 0, **changed})


RULES = MeterRules(Money(100_000), Money(100_000), None, 200_000, 50_000)


def test_system_whose_accounts_do_not_add_up_has_no_books() -> None:
    assert open_ledger(RULES, _meter(), 1) is not None
    for wrong in ({"display": 100_021}, {"display": 100_018}, {"wins": 1}, {"lowered": 1}, {"seed": 100_002}):
        assert open_ledger(RULES, _meter(**wrong), 1) is None, wrong


@pytest.mark.parametrize("account", ["display", "wagered", "hits", "wins", "overflow", "reserve", "seed", "lowered"])
def test_each_account_that_differs_is_named(account: str) -> None:
    ledger = open_ledger(RULES, _meter(), 1)
    assert ledger is not None
    other = _meter(**{account: getattr(_meter(), account) + 1})
    (difference,) = ledger.differences(other)
    assert difference.startswith(f"{account} ")
    assert "by our books" in difference


def test_what_goes_over_the_limit_goes_to_the_overflow() -> None:
    limited = MeterRules(Money(1_000), Money(500), Money(1_000), 500_000, 0)
    begun = Meter(0, Money(1_000), Money(0), 0, Money(0), Money(0), Money(0), Money(1_000), Money(0))
    ledger = open_ledger(limited, begun, 1)
    assert ledger is not None
    over = ledger.with_wagers(Money(7))
    assert (over.display, over.overflow) == (1_000 * PARTS, 3 * PARTS + PARTS // 2)


def test_there_is_no_way_to_set_a_meter() -> None:
    """Up by wagers and reset money, down by an award or for a typed reason: nothing else makes another ledger."""
    changing = {name for name in vars(Ledger) if not name.startswith("_") and callable(getattr(Ledger, name))}
    assert changing == {"balanced", "with_wagers", "with_award", "lower", "said", "differences"}
    with pytest.raises(AttributeError):
        open_ledger(RULES, _meter(), 1).display = 5  # type: ignore[misc, union-attr]
