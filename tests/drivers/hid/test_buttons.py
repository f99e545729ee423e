"""The filter of buttons: what a contact does and what a finger does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablectl_drivers.buttons import Act, Buttons, Freed, Pressed, Released, Stuck


def play(buttons: Buttons, *levels: tuple[float, str, bool], until: float = 1.0) -> list[Act]:
    """Give levels at times in milliseconds, with a loop that is in time."""
    acts: list[Act] = []
    for at, key, down in levels:
        while buttons.deadline() <= at / 1000:
            acts += buttons.tick(buttons.deadline())
        acts += buttons.level(key, down, at / 1000)
    while buttons.deadline() <= until:
        acts += buttons.tick(buttons.deadline())
    return acts


def test_a_press_and_its_release() -> None:
    assert play(Buttons(), (0, "bet", True), (80, "bet", False)) == [Pressed("bet"), Released("bet")]


def test_bounce_at_press_and_at_release_is_no_press() -> None:
    bounces = [(0, True), (1, False), (2, True), (90, False), (92, True), (93, False), (99, True), (101, False)]
    assert play(Buttons(), *((at, "bet", down) for at, down in bounces)) == [Pressed("bet"), Released("bet")]


def test_two_buttons_three_milliseconds_apart_both_arrive_in_order() -> None:
    acts = play(Buttons(), (0, "fold", True), (3, "bet", True), (70, "bet", False), (71, "fold", False))
    assert acts == [Pressed("fold"), Pressed("bet"), Released("bet"), Released("fold")]


def test_a_spike_is_no_press() -> None:
    assert play(Buttons(), (0, "bet", True), (2, "bet", False)) == []


def test_a_second_press_counts_when_the_finger_was_away() -> None:
    levels = [(0, True), (50, False), (75, True), (120, False)]
    assert play(Buttons(), *((at, "bet", down) for at, down in levels)).count(Pressed("bet")) == 2


def test_a_held_button_is_stuck_once_however_often_the_device_repeats_it() -> None:
    buttons = Buttons()
    held = [(100.0 * n, "bet", True) for n in range(150)]
    assert play(buttons, *held, until=20.0) == [Pressed("bet"), Stuck("bet")]
    assert list(buttons.stuck) == ["bet"]
    assert buttons.level("bet", False, 30.0) == []
    assert buttons.tick(30.02) == [Released("bet"), Freed("bet")]
    assert list(buttons.stuck) == []
    assert buttons.deadline() == float("inf")


def test_stuck_at_the_same_moment_whether_the_contact_bounces_or_not() -> None:
    buttons = Buttons()
    assert play(buttons, (0, "bet", True), (4000, "bet", False), (4005, "bet", True), until=9.99) == [Pressed("bet")]
    assert buttons.tick(10.0) == [Stuck("bet")]


def test_freed_when_the_last_of_two_comes_up() -> None:
    buttons = Buttons(stuck_s=0.1)
    assert Stuck("fold") in play(buttons, (0, "bet", True), (1, "fold", True), until=0.5)
    buttons.level("bet", False, 0.6)
    assert buttons.tick(0.7) == [Released("bet")]
    buttons.level("fold", False, 0.8)
    assert buttons.tick(0.9) == [Released("fold"), Freed("fold")]


def test_what_is_down_when_the_device_is_opened_was_not_pressed() -> None:
    buttons = Buttons()
    assert buttons.reset(["bet"], 0.0) == []
    assert play(buttons, (5, "bet", True), (50, "bet", False), (100, "bet", True)) == [Released("bet"), Pressed("bet")]


def test_what_is_down_when_the_device_is_opened_may_be_stuck() -> None:
    buttons = Buttons()
    buttons.reset(["bet"], 0.0)
    assert buttons.tick(10.0) == [Stuck("bet")]
    assert buttons.reset(["bet"], 11.0) == []
    assert buttons.tick(60.0) == []
    assert buttons.reset([], 70.0) == [Freed("bet")]


def test_a_loop_that_comes_late_loses_no_tap() -> None:
    buttons = Buttons()
    acts = [*buttons.level("bet", True, 0.0), *buttons.level("bet", False, 0.08), *buttons.tick(5.0)]
    assert acts == [Pressed("bet"), Released("bet")]


def test_without_a_filter_the_level_is_the_press() -> None:
    assert Buttons(press_s=0, release_s=0).level("bet", True, 0.0) == [Pressed("bet")]


@given(
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from("abc"), st.booleans()), max_size=80),
    st.booleans(),
)
def test_whatever_contacts_do_presses_and_releases_alternate(steps: list[tuple[int, str, bool]], late: bool) -> None:
    """And a loop that only calls `level` comes to the same as one that calls `tick` in time."""
    levels, at = [], 0.0
    for wait, key, down in steps:
        at += wait
        levels.append((at, key, down))
    if late:
        buttons = Buttons()
        acts = [act for time, key, down in levels for act in buttons.level(key, down, time / 1000)]
        acts += buttons.tick(100.0)
        assert acts == play(Buttons(), *levels, until=100.0)
    else:
        acts = play(Buttons(), *levels, until=100.0)
    for key in "abc":
        own = [type(act) for act in acts if act.key == key and isinstance(act, (Pressed, Released))]
        assert own == [(Pressed, Released)[place % 2] for place in range(len(own))]
