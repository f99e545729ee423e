"""Texas Hold 'Em Bonus Poker at a live table: chips of each street, burned cards, announcements, crashes."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.scenario import Scenario, parse
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, PANEL_ALONE, PLAIN_SHOE
from tests.engine.scenarios import fitting
from tests.engine.sitting import Sitting
from tests.engine.test_recovery import crash_everywhere

CARDS = "Ah 7c Qc Kh 2d Js 3c 9h 4d Kd 3d 2s 3h 6c"


def two_seats(dealing: str = "manual_shoe", **more: Any) -> Scenario:
    """Seat 2 bets on the flop and the river; seat 5 folds with a Bonus."""
    stacks = dealing == "automated_shoe"
    return parse(
        {
            "game": "texas_holdem_bonus",
            "table": {"shuffler": "counting", "dealing": dealing},
            "round": [
                {
                    "wagers": {"2": {"ante": "10.00", "bonus": "5.00"}, "5": {"ante": "25.00", "bonus": "1.00"}},
                    "cards": "Ah Kh 7c 2d Qc Js" + CARDS[17:] if stacks else CARDS,
                    "decisions": {"2": ["bet", "check", "bet"], "5": ["fold"]},
                    **more,
                }
            ],
        }
    )


EXPOSED = {
    "decisions": {"2": ["bet", "check"], "5": ["fold"]},
    "incidents": [{"at": "decision 2.3", "kind": "card_exposed", "position": "dealer"}],
}


def table(kit: Kit = ALL_SENSORS) -> Sitting:
    return Sitting(two_seats(), kit)


@pytest.mark.parametrize("kit", [PANEL_ALONE, PLAIN_SHOE, ALL_SENSORS], ids=["panel", "shoe", "all"])
def test_563_11_g_h_best_hands_are_announced_as_they_are_turned_up(kit: Kit) -> None:
    sitting = Sitting(two_seats(), kit)
    sitting.to("DEALER HAS HIGH CARD").to("SEAT 2 HAS PAIR")
    assert sitting.finish() == sitting.expected()
    announced = [x for x in sitting.bench.journal.events() if isinstance(x, e.HandAnnounced)]
    assert [(str(x.position), x.hand, x.cite) for x in announced] == [
        ("dealer", "high_card", "563.11(g)"),
        ("seat 2", "pair", "563.11(h)"),
    ]


def test_563_11_a_flop_wager_is_twice_the_ante() -> None:
    sitting = table().to("SEAT 2: BET OR FOLD?")
    sitting.put(2, "flop", "10.00")
    assert sitting.text == "SEAT 2: FLOP MUST BE 20.00"
    sitting.put(2, "flop", "20.00")
    assert sitting.decided() == [(2, "bet")]


def test_563_11_c_seat_that_has_folded_is_not_asked_early_either() -> None:
    sitting = table().to("SEAT 2: BET OR FOLD?")
    assert "seat_5" in sitting.lit
    sitting.to("SEAT 2: BET OR CHECK?")
    assert "seat_5" not in sitting.lit, "its Bonus alone is open"


@pytest.mark.parametrize(("street", "other"), [("turn", "river"), ("river", "turn")])
def test_563_11_c_e_chip_of_the_street_bets_and_must_equal_the_ante(street: str, other: str) -> None:
    sitting = table().to("SEAT 2: BET OR CHECK?")
    if street == "river":
        sitting.press("check")
        sitting.wait()
        sitting.to("SEAT 2: BET OR CHECK?")
    decided = len(sitting.decided())
    sitting.put(2, other, "10.00")
    assert len(sitting.decided()) == decided, "that is another wager's place"
    sitting.put(2, street, "20.00")
    assert sitting.text == f"SEAT 2: {street.upper()} MUST BE 10.00"
    sitting.put(2, street, "10.00")
    assert sitting.decided()[decided:] == [(2, "bet")]


def test_563_11_b_burned_cards_are_named() -> None:
    sitting = table()
    seen = []
    for _ in range(2000):
        if sitting.text.startswith("BURN") and sitting.text not in seen:
            seen.append(sitting.text)
        if sitting.core.state.round:
            break
        sitting.bench.step(sitting.robot)
    assert seen == ["BURN CARD 7", "BURN CARD 11", "BURN CARD 13"]


def test_563_13_c_card_that_leaves_while_a_seat_decides_is_the_burned_one() -> None:
    sitting = table().to("SEAT 2: BET OR FOLD?")
    sitting.take_card()
    assert sitting.text == "CARD IS OUT EARLY: IT IS THE NEXT ONE"
    sitting.press("cancel")
    document = sitting.finish()
    assert document == {**sitting.expected(), "remedies": ["round_resumed"]}


CRASHES: dict[str, tuple[Kit, str, dict[str, Any]]] = {
    "chips and cards are seen": (ALL_SENSORS, "manual_shoe", {}),
    "stacks, the board from the hand": (ALL_SENSORS, "automated_shoe", {}),
    "all is keyed, and a bonus settled in a void": (PANEL_ALONE, "manual_shoe", EXPOSED),
}


@pytest.mark.parametrize("name", CRASHES)
def test_crash_at_every_moment_goes_on_from_the_same_step(name: str) -> None:
    kit, dealing, more = CRASHES[name]
    scenario = two_seats(dealing, **more)
    crash_everywhere(scenario, fitting(scenario, kit))
