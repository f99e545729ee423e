"""A badge that the reader could not read: said where one is asked for, with what to do; a beep everywhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tablectl.engine.inputs import Input
from tablectl.engine.prompts import LINE
from tablectl.engine.scenario import parse
from tablectl.engine.stranded import Stranded
from tablectl.equipment import Badge, BadgeUnreadable, Fault, KeyPressed
from tablectl.procedure.table import Phase
from tests.engine.bench import IDENTITY
from tests.engine.test_floor import FLOOR, LIMITS, TABLE, Visit, at

SAID = "BADGE NOT READ: SHOW IT ONCE MORE"


def not_read(visit: Visit) -> None:
    visit.bench.deliver(Input("reader", BadgeUnreadable(), "boot reader", 1))


def seen(visit: Visit) -> tuple[str, bool]:
    """What the panel shows, and whether it has beeped at the last input."""
    return visit.text, visit.core.beep


def opening() -> Visit:
    scenario = parse(TABLE)
    return Visit(scenario, begun=replace(scenario.first_state(), decks=(), deck_number=0, phase=Phase.CLOSED))


def suspended() -> Visit:
    visit = at("SEAT 1")
    visit.badge()
    visit.choose("SUSPEND PLAY")
    visit.key("digit_1")
    return visit


def played_without() -> Visit:
    visit = at("WAGERS")
    visit.bench.start(IDENTITY)
    for _ in range(3):
        visit.act("shoe", "take_card")
    return visit


def payment() -> Visit:
    visit = Visit()
    visit.play(1)
    visit.play(2, "WAGERS")
    visit.badge()
    visit.choose("PUT A PAYMENT RIGHT")
    visit.key("digit_1", "enter")
    for _ in range(5):
        if visit.text == "SEAT 1 PAIR PLUS WIN?":
            break
        visit.key("next")
    visit.key("enter", "digit_5", "enter")
    return visit


ASKED: dict[str, tuple[Callable[[], Visit], str]] = {
    "an act": (opening, "DECK 1: FLOORPERSON'S BADGE"),
    "play stands still": (suspended, f"SUSPENDED BY {FLOOR}: FLOOR'S BADGE"),
    "rounds without the controller": (played_without, "CARDS WERE DEALT: FLOORPERSON'S BADGE"),
    "the floorperson's menu": (payment, "SEAT 1 PAY 5.00? BADGE"),
}


@pytest.mark.parametrize("where", ASKED)
def test_it_is_said_where_a_badge_is_asked_for(where: str) -> None:
    """The line stays until a key or a badge comes; then what was asked is asked again, or done."""
    make, line = ASKED[where]
    visit = make()
    assert visit.text == line
    lit = visit.core.prompt().lit
    for _ in range(2):
        not_read(visit)
        assert seen(visit) == (SAID, False)
        assert visit.core.prompt().lit == lit
    visit.put(2, "ante", "5.00")
    assert visit.text == SAID, "a chip that somebody puts down is no answer"
    visit.key("seat_7")
    assert seen(visit) == (line, True)
    not_read(visit)
    visit.badge("9999")
    assert seen(visit) != (SAID, False)
    not_read(visit)
    assert visit.text == SAID, "whatever is said of another one"
    visit.badge()
    assert seen(visit) not in [(text, beep) for text in (SAID, line) for beep in (True, False)]
    visit.whole()
    assert len(SAID) <= LINE


def test_it_is_said_at_the_gate_of_a_fault() -> None:
    visit = Visit()
    core = visit.core
    core.picture.latch_from_row("shuffler", Fault.JAM, "why", is_set=True)
    core._next_round()
    line = visit.text
    assert line.endswith("BADGE")
    visit.bench.take(Input("reader", BadgeUnreadable(), "boot reader", 1))
    assert seen(visit) == (SAID, False)
    visit.bench.take(Input("panel", KeyPressed("digit_1"), "boot panel", 1))
    assert seen(visit) == (line, True)
    visit.bench.take(Input("reader", BadgeUnreadable(), "boot reader", 1))
    visit.bench.take(Input("reader", Badge(FLOOR), "boot reader", 1))
    assert visit.text not in (SAID, line)
    visit.bench.take(Input("reader", BadgeUnreadable(), "boot reader", 1))
    assert core.beep, "now a reason is asked for"


@pytest.mark.parametrize("line", ["WAGERS", "SEAT 1"])
def test_it_is_a_beep_where_no_badge_is_asked_for(line: str) -> None:
    visit = at(line)
    before = visit.text
    not_read(visit)
    assert seen(visit) == (before, True)
    visit.key("irregularity")
    before = visit.text
    not_read(visit)
    assert seen(visit) == (before, True)
    visit.key("cancel")
    visit.whole()


def test_it_is_said_before_a_table_whose_limits_have_changed_goes_on() -> None:
    visit = at("WAGERS: 0")
    visit.bench.start(LIMITS)
    assert isinstance(visit.bench.core, Stranded)
    line = visit.text
    not_read(visit)
    assert (visit.text, visit.bench.core.beep) == (SAID, False)
    visit.key("enter")
    assert (visit.text, visit.bench.core.beep) == (line, True)
    not_read(visit)
    visit.badge()
    assert not isinstance(visit.bench.core, Stranded)
