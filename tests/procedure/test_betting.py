"""Betting between players: orders, least raises, short ones, what comes back; and what holds for any betting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.money import Money
from tablectl.procedure.betting import LIMIT, NO_LIMIT, POT_LIMIT, Bets, Limits
from tablectl.procedure.pots import MAIN, divide, pots, take_drop, take_incremental, take_percentage

DOLLAR = Money(100)


def dollars(amount: int) -> Money:
    return Money(100 * amount)


def bets(structure: str, *stacks: int, most: int | None = None, raises: int | None = 3) -> Bets:
    """Seats 1 … with so many dollars, the least bet $2, fixed sizes $2 and $4; no blind is posted yet."""
    sizes = (dollars(2), dollars(2), dollars(4))
    limits = Limits(structure, dollars(2), None if most is None else dollars(most), sizes, raises)  # type: ignore[arg-type]
    return Bets(limits, {seat: dollars(amount) for seat, amount in enumerate(stacks, 1)})


def with_blinds(structure: str, *stacks: int, button: int = 1, **more: int) -> Bets:
    """Blinds of $1 and $2 left of the button, and the first betting round begun left of them."""
    made = bets(structure, *stacks, **more)
    small, big, *_others = made.clockwise(button)
    made.post(small, dollars(1))
    made.post(big, dollars(2))
    made.begin(made.clockwise(big)[0])
    return made


def act(made: Bets, *acts: str) -> list[int]:
    """Let each seat whose turn it is do this (``raise 6`` to $6 in all); the seats in the order of their turns."""
    turns = []
    for what in acts:
        seat = made.turn()
        assert seat is not None
        turns.append(seat)
        verb, *amount = what.split()
        if verb == "raise":
            made.raise_to(seat, dollars(int(amount[0])))
        else:
            {"fold": made.fold, "check": made.check, "call": made.call}[verb](seat)
    return turns


def test_637a_12_g_first_round_begins_left_of_the_blinds_and_blinds_may_raise() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100, 100)
    assert act(made, "call", "call", "call") == [4, 1, 2]
    assert made.turn() == 3
    assert made.can_raise(3)
    assert made.owed(3) == 0
    made.check(3)
    assert made.turn() is None


def test_637a_12_g_a_blind_that_raises_is_answered_by_everybody() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100)
    assert act(made, "call", "call", "raise 8", "call", "fold") == [1, 2, 3, 1, 2]
    assert made.turn() is None
    assert made.total == dollars(8 + 2 + 8)


def test_637a_12_h_later_rounds_begin_left_of_the_button_with_nothing_to_call() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100)
    act(made, "call", "fold", "check")
    made.begin(made.first_left_of(1))
    assert act(made, "check", "raise 5", "call") == [3, 1, 3]
    assert made.turn() is None


def test_a_raise_is_at_least_as_much_as_the_one_before() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100, 100)
    assert made.span(4).least == dollars(4)
    act(made, "raise 7")
    assert made.span(1).least == dollars(12)
    assert made.span(1).most == dollars(100)


def test_a_short_raise_does_not_open_the_betting_again() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100, 9)
    act(made, "raise 6", "call", "call", "call")
    made.begin(2)
    assert act(made, "raise 2", "call", "raise 3", "call") == [2, 3, 4, 1]
    assert made.turn() == 2
    assert made.owed(2) == dollars(1)
    assert not made.can_raise(2)
    assert act(made, "call", "call") == [2, 3]
    assert made.turn() is None


def test_short_raises_that_come_to_a_full_one_open_it_again() -> None:
    made = bets(NO_LIMIT, 100, 11, 13, 100)
    made.begin(1)
    made.raise_to(1, dollars(8))
    made.raise_to(2, dollars(11))
    made.raise_to(3, dollars(13))
    made.call(4)
    assert made.turn() == 1
    assert not made.can_raise(1)
    more = bets(NO_LIMIT, 100, 13, 16, 100)
    more.begin(1)
    more.raise_to(1, dollars(8))
    more.raise_to(2, dollars(13))
    more.raise_to(3, dollars(16))
    more.call(4)
    assert more.can_raise(1)
    assert more.span(1).least == dollars(24)


def test_all_in_for_less_than_the_least_raise_is_allowed() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100, 3)
    span = made.span(4)
    assert (span.least, span.most) == (dollars(3), dollars(3))
    made.raise_to(4, dollars(3))
    assert made.span(1).least == dollars(5)


def test_pot_limit_counts_the_call_first() -> None:
    made = with_blinds(POT_LIMIT, 100, 100, 100, 100)
    assert made.span(4).most == dollars(7)  # 3 in the pot and 2 to call make 5 more than the call
    act(made, "raise 7")
    assert made.span(1).most == dollars(7 + 10 + 7)


def test_fixed_limit_has_one_size_a_cap_and_doubles_later() -> None:
    made = with_blinds(LIMIT, 100, 100, 100)
    assert (made.span(1).least, made.span(1).most) == (dollars(4), dollars(4))
    act(made, "raise 4", "raise 6", "raise 8")
    assert not made.can_raise(1)
    act(made, "call", "call")
    for opener in (2, 2):
        made.begin(opener)
        assert made.span(2).most == (dollars(2) if made.number == 1 else dollars(4))
        act(made, "check", "check", "check")


def test_637a_14_d_a_forced_bet_is_completed_and_not_asked_again() -> None:
    made = bets(LIMIT, 100, 100, 100)
    made.post(2, dollars(1))
    made.begin(3)
    made.answered(2)
    assert made.span(3).most == dollars(2)
    assert act(made, "call", "call") == [3, 1]
    assert made.turn() is None
    again = bets(LIMIT, 100, 100, 100)
    again.post(2, dollars(1))
    again.begin(3)
    again.answered(2)
    assert act(again, "raise 2", "call", "call") == [3, 1, 2]


def test_a_short_blind_is_matched_in_full_but_not_alone() -> None:
    made = bets(NO_LIMIT, 100, 100, 1)
    made.post(2, dollars(1))
    made.post(3, dollars(2))
    made.begin(1)
    assert made.owed(1) == dollars(2)
    act(made, "fold")
    assert made.turn() is None  # seat 2 has matched all that seat 3 has
    assert made.put == {1: 0, 2: 100, 3: 100}


def test_nobody_is_asked_when_one_seat_alone_can_bet_and_has_nothing_to_call() -> None:
    made = with_blinds(NO_LIMIT, 50, 50, 100)
    act(made, "raise 50", "call", "call")
    made.begin(2)
    assert made.turn() is None


def test_637a_17_d_an_uncalled_bet_comes_back() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100)
    act(made, "raise 10", "fold", "fold")
    assert made.turn() is None
    assert made.uncalled() == (1, dollars(8))
    assert made.uncalled() is None
    assert made.stacks[1] == dollars(98)
    assert [(pot.name, pot.amount, pot.seats) for pot in pots(made.put, made.live)] == [(MAIN, dollars(5), (1,))]


def test_637a_18_k_3_a_refunded_seat_has_all_its_money_back() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100)
    act(made, "raise 6")
    assert made.refund(1) == dollars(6)
    assert made.stacks[1] == dollars(100)
    assert made.owed(2) == dollars(1)


def test_637a_18_g_2_blinds_and_checks_are_no_voluntary_bets() -> None:
    made = with_blinds(NO_LIMIT, 100, 100, 100)
    assert made.voluntary == []
    act(made, "fold", "call", "check")
    assert made.voluntary == [2]
    made.begin(2)
    act(made, "check", "raise 2", "call")
    assert made.voluntary == [2, 3]


# Pots ------------------------------------------------------------------------------------------------------------


def test_side_pots_are_of_those_who_can_win_them() -> None:
    made = pots({1: 1000, 2: 5000, 3: 5000, 4: 300, 5: 2500}, [1, 2, 3, 5])
    assert [(pot.name, pot.amount, pot.seats) for pot in made] == [
        ("main", 4 * 1000 + 300, (1, 2, 3, 5)),
        ("side 1", 3 * 1500, (2, 3, 5)),
        ("side 2", 2 * 2500, (2, 3)),
    ]


def test_what_a_folded_seat_has_put_in_above_all_is_not_lost() -> None:
    made = pots({1: 100, 2: 400, 3: 100}, [1, 3])
    assert [(pot.name, pot.amount) for pot in made] == [("main", 600)]


def test_637a_17_b_1_percentage_goes_from_pot_to_pot_up_to_the_maximum_rounded_down() -> None:
    made = pots({1: 1550, 2: 4550, 3: 4550}, [1, 2, 3])
    take_percentage(made, 10, dollars(5), DOLLAR)
    assert [(pot.amount, pot.rake) for pot in made] == [(4650, 400), (6000, 100)]


def test_637a_17_b_2_incremental_rake_takes_what_the_level_says_from_the_main_pot() -> None:
    steps = ((dollars(20), dollars(1)), (dollars(40), dollars(2)), (dollars(60), dollars(3)))
    for amount, rake in ((19, 0), (20, 1), (39, 1), (40, 2), (100, 3)):
        made = pots({1: dollars(amount), 2: 0}, [1])
        take_incremental(made, steps, None)
        assert made[0].rake == dollars(rake)


def test_637a_15_c_a_drop_needs_the_minimum_pot() -> None:
    for amount, drop in ((19, None), (20, 100)):
        made = pots({1: dollars(amount)}, [1])
        take_drop(made, "bad_beat", DOLLAR, dollars(20))
        assert made[0].drops.get("bad_beat") == drop


@pytest.mark.parametrize(
    ("amount", "winners", "unit", "shares"),
    [
        (dollars(9), (3, 1), 100, {3: 500, 1: 400}),
        (Money(910), (3, 1), 25, {3: 460, 1: 450}),
        (Money(800), (2, 1, 3), 100, {2: 300, 1: 300, 3: 200}),
        (Money(850), (2, 1, 3), 25, {2: 300, 1: 275, 3: 275}),
    ],
)
def test_637a_12_k_2_ii_excess_goes_to_the_first_but_is_no_more_than_a_dollar(
    amount: Money, winners: Sequence[int], unit: int, shares: dict[int, int]
) -> None:
    assert divide(amount, winners, Money(unit), DOLLAR) == shares


# What holds for any betting ---------------------------------------------------------------------------------------


@st.composite
def played(draw: st.DrawFn) -> tuple[Bets, dict[int, int]]:
    """A round of play with any stacks, antes, blinds, structure and acts; and the stacks that it began with."""
    stacks = {seat: 50 * draw(st.integers(1, 60)) for seat in range(1, draw(st.integers(2, 7)) + 1)}
    structure = draw(st.sampled_from([NO_LIMIT, POT_LIMIT, LIMIT]))
    made = Bets(
        Limits(structure, Money(200), draw(st.sampled_from([None, Money(1000)])), (Money(200), Money(400)), 3),  # type: ignore[arg-type]
        dict(stacks),
    )
    ante = draw(st.sampled_from([0, 50, 100]))
    for seat in made.seats:
        made.ante(seat, ante)
    blinds = made.seats[: draw(st.integers(1, 2))]
    for number, seat in enumerate(blinds):
        made.post(seat, 100 * (number + 1))
    for number in range(4):
        made.begin(made.clockwise(blinds[-1])[0] if not number else made.first_left_of(draw(st.integers(1, 7))))
        while (seat_to_act := made.turn()) is not None:
            _decide(draw, made, seat_to_act)
            assert sum(made.stacks.values()) + made.total == sum(stacks.values())
            assert made.total == sum(made.put.values())
        made.uncalled()
        if len(made.live) == 1:
            break
    return made, stacks


def _decide(draw: st.DrawFn, made: Bets, seat: int) -> None:
    owed = made.owed(seat)
    verbs = ["fold", "call", "call"] if owed else ["check", "check", "check"]
    if made.can_raise(seat):
        verbs.append("raise")
    match draw(st.sampled_from(verbs)):
        case "fold":
            made.fold(seat)
        case "check":
            made.check(seat)
        case "call":
            made.call(seat)
        case _:
            span = made.span(seat)
            made.raise_to(seat, draw(st.sampled_from([span.least, span.most, (span.least + span.most) // 2])))


@given(played())
def test_chips_are_conserved_and_everybody_who_is_in_has_matched_the_highest_bet(
    made: tuple[Bets, dict[int, int]],
) -> None:
    bets, stacks = made
    assert sum(bets.stacks.values()) + sum(bets.put.values()) == sum(stacks.values())
    assert all(amount >= 0 for amount in (*bets.stacks.values(), *bets.put.values()))
    highest = max(bets.put[seat] for seat in bets.live)
    for seat in bets.live:  # an ante that was short leaves the seat all in as well
        assert bets.put[seat] == highest or bets.stacks[seat] == 0
    second = sorted(bets.put.values())[-2]
    assert len(bets.live) > 1 or bets.put[bets.live[0]] <= second


@given(played())
def test_each_seat_can_win_from_every_other_what_it_has_put_in_itself(made: tuple[Bets, dict[int, int]]) -> None:
    bets, _stacks = made
    found = pots(bets.put, bets.live)
    assert sum(pot.amount for pot in found) == sum(bets.put.values())
    highest = max(bets.put[seat] for seat in bets.live)
    for seat in bets.live:
        its = sum(pot.amount for pot in found if seat in pot.seats)
        if bets.put[seat] < highest:
            assert its == sum(min(amount, bets.put[seat]) for amount in bets.put.values())
        else:
            assert its == sum(bets.put.values())
    assert [pot.name for pot in found] == ["main", *(f"side {n}" for n in range(1, len(found)))][: len(found)]
    assert all({*narrower.seats} < {*wider.seats} for wider, narrower in pairwise(found))


@given(
    st.integers(1, 100_000),
    st.lists(st.integers(1, 10), min_size=1, max_size=10, unique=True),
    st.sampled_from([1, 25, 50, 100]),
)
def test_odd_units_are_never_lost(amount: int, winners: list[int], unit: int) -> None:
    shares = divide(Money(amount), winners, Money(unit), DOLLAR)
    assert sum(shares.values()) == amount
    assert list(shares) == winners
    assert max(shares.values()) - min(shares.values()) < DOLLAR + unit
    assert all(share % unit == 0 for seat, share in shares.items() if seat != winners[0])


@given(played(), st.integers(1, 10), st.integers(0, 20))
def test_amount_is_rake_drops_and_what_is_left(made: tuple[Bets, dict[int, int]], percent: int, most: int) -> None:
    bets, _stacks = made
    found = pots(bets.put, bets.live)
    take_percentage(found, percent, dollars(most), DOLLAR)
    take_drop(found, "bad_beat", DOLLAR, dollars(10))
    take_drop(found, "high_hand", DOLLAR, dollars(10))
    assert sum(pot.rake for pot in found) <= dollars(most)
    for pot in found:
        assert pot.rake * 100 <= pot.amount * percent
        assert pot.amount == pot.rake + sum(pot.drops.values()) + pot.left
        assert pot.left >= 0
