"""Money in whole cents and exact odds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.errors import DecodeError
from tablectl.money import Money, Odds, dollars, odds, show


@given(st.integers(0, 10**14 - 1))
def test_dollars_and_show_are_inverse(cents: int) -> None:
    text = show(Money(cents))
    assert text == f"{cents // 100}.{cents % 100:02d}"
    assert dollars(text) == cents


@pytest.mark.parametrize(("cents", "text"), [(-1, "-0.01"), (-100, "-1.00"), (-12345, "-123.45"), (0, "0.00")])
def test_losses_have_a_minus_sign(cents: int, text: str) -> None:
    assert show(Money(cents)) == text


@pytest.mark.parametrize(
    "text", ["", "1", "1.0", "1.000", ".50", "-1.00", "+1.00", "1,00", " 1.00", "1.00\n", "1e2", "\u0661.00"]
)
def test_what_is_no_amount_is_named(text: str) -> None:
    with pytest.raises(DecodeError) as refused:
        dollars(text)
    assert repr(text) in str(refused.value)


@given(st.integers(1, 9_999_999), st.integers(1, 9_999), st.sampled_from(["to", "for"]))
def test_odds_are_read_as_they_are_written(pays: int, per: int, form: str) -> None:
    text = f"{pays}:{per}" if form == "to" else f"{pays} for {per}"
    read = odds(text)
    assert (read.pays, read.per, read.form) == (pays, per, form)
    assert str(read) == text
    assert read.ratio == Fraction(pays, per)


@pytest.mark.parametrize(
    "text", ["", "1", "1:0", "0:1", "1 to 1", "1:1:1", "-1:1", "1.5:1", " 1:1", "1 For 1", "0 for 1"]
)
def test_what_are_no_odds_is_named(text: str) -> None:
    with pytest.raises(DecodeError) as refused:
        odds(text)
    assert repr(text) in str(refused.value)


@given(st.integers(0, 10**9), st.integers(1, 1000), st.integers(1, 100))
def test_pay_is_exact_and_never_more_than_the_odds(cents: int, pays: int, per: int) -> None:
    paid = Odds(pays, per).pay(Money(cents))
    assert isinstance(paid, int)
    assert paid <= Fraction(cents * pays, per) < paid + 1


def test_odds_that_look_alike_stay_apart() -> None:
    assert odds("2:1") != odds("2 for 1")
    assert odds("2:1") != odds("4:2")
    assert odds("2:1").ratio == odds("4:2").ratio
