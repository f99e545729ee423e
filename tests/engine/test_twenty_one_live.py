"""A twenty-one hand at the table: cards and chips that need no press, keyed amounts, a second hand on the same spot."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.scenario import Scenario, parse
from tests.engine.bench import ALL_SENSORS, NO_SCANNER, PANEL_ALONE, PLAIN_SHOE
from tests.engine.sitting import Sitting
from tests.engine.test_recovery import crash_everywhere

# burn; 1: 5c 8d, and the 4h; 2: 9c 9d; dealer 8c Jc
CARDS = "2h 5c 9c 8c 8d 9d Jc 4h 2c"


def a_round(cards: str = CARDS, wager: str = "10.00", **decisions: list[str]) -> Scenario:
    said = {"1": ["hit", "stand"], "2": ["stand"], **{n.removeprefix("seat_"): d for n, d in decisions.items()}}
    wagers = {"1": {"blackjack": wager}, "2": {"blackjack": "20.00"}}
    return parse(
        {"game": "free_bet_blackjack", "round": [{"wagers": wagers, "cards": cards, "decisions": said}]},
    )


def made(table: Sitting, *wagers: str) -> list[tuple[int, str, int, int | None]]:
    """Wagers that decisions have put down: seat, wager, hand, cents."""
    events = [event for event in table.bench.journal.events() if isinstance(event, e.WagerMade)]
    return [
        (x.seat, x.wager, x.hand, x.amount) for x in events if x.wager in (wagers or ("split", "double", "insurance"))
    ]


def test_card_that_leaves_the_shoe_is_a_hit() -> None:
    table = Sitting(a_round(), ALL_SENSORS).to("SEAT 1: HIT")
    table.take_card()
    assert table.decided() == [(1, "hit")]
    assert table.text == "SEAT 1: HIT OR STAND?"
    assert table.interrupts() == 0


def test_cards_that_come_face_up_need_no_press_at_a_shoe_that_reads() -> None:
    table = Sitting(a_round(), NO_SCANNER).to("SEAT 1: HIT")
    shown = [x for x in table.bench.journal.events() if isinstance(x, e.CardsExposed)]
    assert [(str(x.position), x.place, x.cards[0].name) for x in shown] == [
        ("seat 1", 1, "5c"),
        ("seat 2", 1, "9c"),
        ("dealer", 1, "8c"),
        ("seat 1", 2, "8d"),
        ("seat 2", 2, "9d"),
    ]


def test_hole_card_is_in_no_line_before_it_is_turned_up() -> None:
    table = Sitting(a_round(), NO_SCANNER).to("DEALER: TURN UP")
    bodies = [row.body for row in table.bench.journal.kept]
    assert not any("Jc" in body for body in bodies)
    table.press("expose")
    assert any("Jc" in row.body for row in table.bench.journal.kept)


def test_chip_on_the_spot_doubles_for_its_amount() -> None:
    table = Sitting(a_round(seat_1=["double 6.00"]), ALL_SENSORS).to("SEAT 1: HIT")
    table.put(1, "double", "6.00")
    assert made(table) == [(1, "double", 0, 600)]
    assert table.decided() == [(1, "double")]
    table.take_card()
    assert table.text.startswith("SEAT 2:")


def test_more_than_the_wager_is_named_and_put_right() -> None:
    table = Sitting(a_round(seat_1=["double"]), ALL_SENSORS).to("SEAT 1: HIT")
    table.put(1, "double", "10.50")
    assert table.text == "SEAT 1: DOUBLE IS AT MOST 10.00"
    assert made(table) == []
    table.wait(500)
    assert [kind for kind, _where, _cite in table.noted()] == ["wrong_stake"]
    table.put(1, "double", "10.00")
    assert made(table) == [(1, "double", 0, 1000)]


@pytest.mark.parametrize("kit", [PANEL_ALONE, PLAIN_SHOE, ALL_SENSORS])
def test_amount_is_keyed_before_the_verb(kit: Any) -> None:
    table = Sitting(a_round(seat_1=["double 6.50"]), kit).to("SEAT 1: HIT")
    table.press("digit_6", "point", "digit_5", "digit_0")
    assert table.text == "SEAT 1 6.50_: HIT OR STAND OR DOUBLE?"
    table.press("double")
    table.wait(700)
    assert made(table) == [(1, "double", 0, 650)]


def test_verb_alone_is_the_whole_wager() -> None:
    table = Sitting(a_round(seat_1=["double"]), PANEL_ALONE).to("SEAT 1: HIT")
    table.press("double")
    table.wait(700)
    assert made(table) == [(1, "double", 0, 1000)]


@pytest.mark.parametrize(
    "keys", [("digit_1", "digit_1"), ("digit_0",), ("point",), ("digit_1", "point", *["digit_0"] * 3)]
)
def test_amount_that_may_not_be_is_refused(keys: tuple[str, ...]) -> None:
    table = Sitting(a_round(seat_1=["double"]), PANEL_ALONE).to("SEAT 1: HIT")
    table.press(*keys, "double")
    table.wait(700)
    assert table.text == "SEAT 1: DOUBLE IS AT MOST 10.00"
    assert made(table) == []
    table.press("digit_9", "double")
    table.wait(700)
    assert made(table) == [(1, "double", 0, 900)]


def test_free_double_takes_no_chip() -> None:
    table = Sitting(a_round("2h 5c 9c 8c 6d 9d Jc 4h", seat_1=["double"]), ALL_SENSORS).to("SEAT 1: HIT")
    table.press("double")
    table.wait(700)
    assert made(table) == [(1, "double", 0, 0)]
    (lammer,) = (x for x in table.bench.journal.events() if isinstance(x, e.WagerMade) and x.wager == "double")
    assert lammer.free


# burn; 1: 8c 8d split: 8c 5h doubled, 8d 6h doubled; 2: 9c 9d; dealer 7c Td
SPLIT = "2h 8c 9c 7c 8d 9d Td 5h 2s 6h 3s"


def test_chips_of_two_hands_lie_on_one_spot() -> None:
    table = Sitting(a_round(SPLIT, seat_1=["split", "double 4.00", "double 6.00"]), ALL_SENSORS).to("SEAT 1: HIT")
    table.press("split")
    table.wait(700)
    assert made(table) == [(1, "split", 1, 0)]
    table.take_card()
    assert table.text == "SEAT 1: HIT OR STAND OR DOUBLE?"
    table.put(1, "double", "4.00")
    table.take_card()
    table.take_card()
    assert table.text == "SEAT 1 HAND 2: HIT STAND DOUBLE?" or table.text == "SEAT 1 HAND 2: HIT OR STAND OR DOUBLE?"
    table.put(1, "double", "10.00")
    assert made(table)[1:] == [(1, "double", 0, 400), (1, "double", 1, 600)]
    assert table.noted() == []


def test_chips_that_are_taken_off_the_spot_are_noticed() -> None:
    table = Sitting(a_round(SPLIT, seat_1=["split", "double 4.00", "stand"]), ALL_SENSORS).to("SEAT 1: HIT")
    table.press("split")
    table.wait(700)
    table.take_card()
    table.put(1, "double", "4.00")
    table.take_card()
    table.take_card()
    table.lift(1, "double")
    table.press("stand")
    table.wait(700)
    table.wait(500)
    assert [(kind, where) for kind, where, _cite in table.noted()] == [("wager_changed", "seat 1")]


def test_dealer_says_that_all_is_settled() -> None:
    table = Sitting(a_round("2h 5c 9c 8c 8d 9d 9h 4h 2c"), ALL_SENSORS).to("DEALER HAS")
    assert table.text == "DEALER HAS 17: DONE TO SETTLE"
    settled = [x for x in table.bench.journal.events() if isinstance(x, e.WagerSettled)]
    assert settled == []
    table.press("done")
    assert [x.seat for x in table.bench.journal.events() if isinstance(x, e.WagerSettled)] == [2, 1]


@pytest.mark.parametrize("kit", [PLAIN_SHOE, ALL_SENSORS])
def test_672a_12_d_card_that_leaves_the_shoe_then_goes_to_the_rack(kit: Any) -> None:
    table = Sitting(a_round("2h 5c 9c 8c 8d 9d 9h 4h 2c"), kit).to("DEALER HAS")
    table.take_card()
    assert table.noted() == [("dealer_drew_past_17", "dealer", "672a.12(d)")]
    dealt = [x for x in table.bench.journal.events() if isinstance(x, e.CardDealt)]
    assert (dealt[-1].number, str(dealt[-1].to)) == (9, "rack")
    assert table.text == "DEALER HAS 17: DONE TO SETTLE"
    assert table.finish()["wagers"] == table.expected()["wagers"]


def test_insurance_by_chips_and_by_keys() -> None:
    cards = "2h Tc 9c Ac 9h 9d 6c"
    decisions = {"seat_1": ["insurance", "stand"], "seat_2": ["insurance 4.00", "stand"]}
    table = Sitting(a_round(cards, wager="15.00", **decisions), ALL_SENSORS).to("SEAT 1: INSURANCE")
    table.press("insurance")
    table.wait(700)
    table.put(2, "insurance", "4.00")
    assert made(table) == [(1, "insurance", 0, 800), (2, "insurance", 0, 400)]


def test_672a_7_c_new_dealer_says_so_by_a_key_where_no_badge_can_be_read() -> None:
    table = Sitting(a_round(), PANEL_ALONE).to("BURN")
    assert "dealer" in table.lit
    table.press("dealer")
    assert [x.dealer for x in table.bench.journal.events() if isinstance(x, e.DealerChanged)] == ["key 1"]
    table.to("WAGERS")
    burned = [x.number for x in table.bench.journal.events() if isinstance(x, e.CardDealt)]
    assert burned == [1], "one card does for a full batch and for a new dealer"
    table.press("dealer")
    assert "dealer" not in Sitting(a_round(), ALL_SENSORS).to("WAGERS").lit


@pytest.mark.parametrize("kit", [PANEL_ALONE, ALL_SENSORS])
def test_round_with_splits_and_doubles_is_taken_up_again_wherever_it_was_broken_off(kit: Any) -> None:
    crash_everywhere(a_round(SPLIT, seat_1=["split", "double 4.00", "double 6.00"]), kit)
