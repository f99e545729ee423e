"""What the panel shows: what has to be put right fits its line, and the keys that are lit are those that are taken."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tablectl.engine.inputs import Input
from tablectl.engine.performances.wagering import must_be
from tablectl.engine.prompts import LINE
from tablectl.engine.scenario import parse
from tablectl.equipment import KeyPressed
from tablectl.games import GAME_IDS, game
from tablectl.money import Money, dollars
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tests.engine.bench import ALL_SENSORS, PANEL_ALONE, Bench
from tests.engine.sitting import Sitting

KEYS = (
    "no_more_bets",
    *(f"seat_{n}" for n in range(1, 11)),
    "dealer",
    "ante",
    "pair_plus",
    "play",
    *(f"digit_{n}" for n in range(10)),
    "point",
    "enter",
    "bet",
    "fold",
    "expose",
    "dealt",
    "shuffled",
    "cut",
    "floor_key",
    "spread",
)


def at_the_wagers(*pressed: str) -> Bench:
    scenario = parse({"game": "three_card_poker", "round": [{"wagers": {"1": {"ante": "10.00"}}}]})
    bench = Bench(scenario, PANEL_ALONE)
    for key in ("shuffled", "cut", *pressed):
        bench.take(Input("panel", KeyPressed(key)))
    return bench


@pytest.mark.parametrize(
    "pressed",
    [
        (),
        ("seat_1",),
        ("seat_1", "ante"),
        ("seat_1", "ante", "digit_1", "point"),
        ("seat_1", "ante", "digit_1", "enter"),
        ("seat_1", "ante", "digit_1", "enter", "seat_2"),
        ("seat_1", "ante", "digit_1", "enter", "seat_2", "pair_plus", "digit_5"),
    ],
    ids=" ".join,
)
def test_keys_that_are_lit_are_those_that_are_taken(pressed: tuple[str, ...]) -> None:
    lit = set(at_the_wagers(*pressed).core.prompt().lit) - {"irregularity"}
    taken = set()
    for key in KEYS:
        bench = at_the_wagers(*pressed)
        bench.take(Input("panel", KeyPressed(key)))
        if not bench.core.beep:
            taken.add(key)
    assert taken == lit


@pytest.mark.parametrize("name", GAME_IDS)
def test_what_has_to_be_put_right_fits_the_panels_line(name: str) -> None:
    found = game(name)
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.COUNTING, found.seats, minimum=Money(1000), maximum=Money(1_000_000))
    versions = next((option.values for option in found.submission.options() if option.key == "version"), ())
    messages = set()
    for filing in [{"version": version} for version in versions] or [{}]:
        rules = found.submission.model_validate(filing).filed()
        for wagers in combinations(found.opening, min(2, len(found.opening))):
            for amounts in product((None, 500, 1000, 900_000, 1_000_100), repeat=len(wagers)):
                placed = zip(wagers, amounts, strict=True)
                stakes = [Stake(1, wager, Money(amount)) for wager, amount in placed if amount is not None]
                messages |= {objection.message for _seat, objection in found.check_wagers(rules, setup, stakes)}
    assert len(messages) >= (1 if found.pots else 2)
    assert [message for message in messages if len(f"SEAT {found.seats}: {message}") > LINE] == []


def test_wager_below_the_minimum_is_named_with_the_amount() -> None:
    table = {"minimum": "10.00"}
    scenario = parse({"game": "three_card_poker", "table": table, "round": [{"wagers": {"1": {"ante": "10.00"}}}]})
    bench = Bench(scenario, PANEL_ALONE)
    for key in ("shuffled", "cut", "seat_2", "ante", "digit_5", "enter", "no_more_bets"):
        bench.take(Input("panel", KeyPressed(key)))
    assert bench.core.prompt().line() == "SEAT 2: ANTE BELOW MINIMUM 10.00"


@pytest.mark.parametrize("name", GAME_IDS)
def test_what_a_wager_must_be_fits_the_line_in_every_game(name: str) -> None:
    rules = game(name)
    for wager in rules.wagers:
        named = f"SEAT {rules.seats}: {wager.replace('_', ' ').upper()}"
        times = 1 if wager in rules.opening else 3
        for told in (
            must_be(named, dollars("100.00"), times),
            must_be(named, dollars("1000.00")),
            must_be(named, None),
        ):
            assert len(told) <= LINE, told


def test_longer_words_are_left_out_where_the_line_is_too_short() -> None:
    assert must_be("SEAT 6: FOURTH STREET", dollars("10.00"), 3) == "SEAT 6: FOURTH STREET ONLY 10.00 X 1-3"
    scenario = parse(
        {
            "game": "criss_cross_poker",
            "round": [{"wagers": {"6": {"ante_across": "10.00", "ante_down": "10.00"}}, "decisions": {"6": ["fold"]}}],
        }
    )
    table = Sitting(scenario, ALL_SENSORS).to("SEAT 6: BET")
    table.put(6, "five_card_bonus", "5.00")
    table.wait()
    assert table.text == "SEAT 6: FIVE CARD BONUS LATE, BACK"
