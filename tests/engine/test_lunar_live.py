"""Lunar Poker at a live table: hands that are declared, decisions that change until they are locked in, the draw."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import seat
from tablectl.engine.roundpage import find_round
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play
from tablectl.money import Money
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, NO_SCANNER, PANEL_ALONE, PLAIN_SHOE, Bench, Moment
from tests.engine.scenarios import fitting, without_deck
from tests.engine.sitting import Sitting
from tests.engine.test_recovery import CrashAt

QUESTION = "SEAT 1: FOLD OR BET OR BUY OR EXCHANGE?"
LOCK = "ALL DECISIONS LOCKED IN? OR SEAT"
# Seat 1 has an ace-king-queen, seat 3 a flush, the dealer an ace-king; then come a pair for seat 1 and more.
CARDS = "Ah 2s Ad Kh 4s Kd Qc 6s 9c 7d 8s 5h 2c Ts 3d 7h 7c 4d"


def sat(kit: Kit, decisions: dict[str, list[str]], **more: Any) -> Sitting:
    wagers = {number: {"ante": "10.00", "super": "10.00"} for number in ("1", "3")}
    script = {"wagers": wagers, "cards": CARDS, "decisions": decisions, **more}
    table = {"shuffler": "counting"}
    return Sitting(parse({"game": "lunar_poker", "table": table, "round": [script]}), kit)


def with_fee(table: Sitting) -> list[tuple[str, Money | None]]:
    return [(made.wager, made.amount) for made in events(table, e.WagerMade) if made.wager in ("bet", "options_fee")]


def events(table: Sitting, kind: type[Any]) -> list[Any]:
    return [event for event in table.bench.journal.events() if isinstance(event, kind)]


def test_671a_11_b_hands_are_declared_by_their_seats_keys() -> None:
    table = sat(PANEL_ALONE, {"1": ["bet"], "3": ["bet"]}).to("DECLARED")
    assert {"seat_1", "seat_3", "enter"} <= set(table.lit)
    for expected in ("3 SUPER", "3 INSTANT", "NONE", "3 SUPER"):
        table.press("seat_3")
        assert table.text == f"DECLARED: {expected}. ENTER"
    table.press("seat_2")
    assert table.core.beep, "nobody plays there"
    table.press("seat_1")
    assert table.text == "DECLARED: 1 SUPER, 3 SUPER. ENTER"
    table.press("enter")
    assert table.finish() == table.expected()
    assert [(said.seat, said.what) for said in events(table, e.HandDeclared)] == [(1, "super"), (3, "super")]


def test_671a_11_b_a_long_list_of_declared_hands_fits_the_panel() -> None:
    seats = [str(number) for number in range(1, 6)]
    wagers = {number: {"ante": "10.00", "super": "10.00"} for number in seats}
    table = sat(PANEL_ALONE, {number: ["fold"] for number in seats}, wagers=wagers).to("DECLARED")
    table.press(*(f"seat_{number}" for number in seats for _ in range(2)))
    assert table.text == "DECLARED: 1 I 2 I 3 I 4 I 5 I"
    table.press("enter", "decisions_locked")
    assert table.text.startswith("SEAT 1: CARD 1 OF 5"), "every hand is verified, nobody is asked"


def test_671a_11_b_2_a_declared_instant_hand_is_not_asked() -> None:
    table = sat(PANEL_ALONE, {"1": ["bet"], "3": ["bet"]}).to("DECLARED")
    table.press("seat_3", "seat_3", "enter", "bet", "enter")
    assert table.text == LOCK
    table.press("seat_3")  # the dealer has pressed once too often: it is no instant hand
    assert table.text == "DECLARED: NONE. ENTER"
    table.press("seat_3", "enter")
    assert table.text == "SEAT 3: FOLD OR BET OR BUY OR EXCHANGE?"
    table.press("bet", "enter", "decisions_locked")
    said = [(each.seat, each.what) for each in events(table, e.HandDeclared)]
    assert said == [(3, "instant"), (3, "super")]


def test_671a_11_c_3_a_hand_that_is_no_instant_payout_after_all_is_collected() -> None:
    table = sat(PLAIN_SHOE, {"1": ["bet"], "3": ["bet"]}).to("DECLARED")
    table.press("seat_3", "seat_3", "enter", "bet", "enter", "decisions_locked")
    document = table.finish()
    assert rows(document, 3) == [("ante", "forfeited", "671a.11(c)(4)"), ("super", "win", "671a.12(b)")]


def rows(document: dict[str, Any], number: int) -> list[tuple[str, str, str]]:
    return [(row["wager"], row["result"], row["cite"]) for row in document["wagers"] if row["seat"] == number]


def test_671a_11_c_a_decision_may_be_changed_until_all_are_locked_in() -> None:
    table = sat(PLAIN_SHOE, {"1": ["fold"], "3": ["bet"]}).to("DECLARED")
    table.press("seat_1", "seat_3", "enter", "bet", "enter", "bet", "enter")
    assert table.text == LOCK
    assert with_fee(table) == [("bet", 2000), ("bet", 2000)]
    table.press("seat_1", "seat_1", "enter")  # it declares the same hand once more
    assert table.text == QUESTION
    table.restart()
    assert table.text == QUESTION
    table.press("fold", "enter")
    assert table.text == LOCK
    document = table.finish()
    expected = table.expected()
    asked = [place for place, act in enumerate(document["order"]) if act == "ask 1"]
    assert len(asked) == 2, "asked anew"
    del document["order"][asked[1]]
    assert document == expected
    assert [(x.seat, x.wager, x.amount) for x in events(table, e.WagerWithdrawn)] == [(1, "bet", 2000)]
    page = find_round(table.bench.journal, 1)
    assert page is not None
    assert page.standing() == ()
    assert "SEAT 1 BET 20.00 TAKEN BACK" in page.lines()


def test_671a_11_c_nothing_changes_when_they_are_locked_in() -> None:
    table = sat(PLAIN_SHOE, {"1": ["bet"], "3": ["bet"]}).to(LOCK)
    assert {"decisions_locked", "seat_1", "seat_3"} <= set(table.lit)
    table.press("fold")
    assert table.core.beep, "which seat?"
    table.press("decisions_locked")
    assert not {"seat_1", "fold"} & set(table.lit)


def test_671a_11_c_chips_of_a_decision_that_was_taken_back_do_not_count() -> None:
    table = sat(ALL_SENSORS, {"1": ["bet"], "3": ["fold"]}).to(LOCK)
    table.press("seat_1", "enter")
    assert table.text == QUESTION, "the chips that lie there are those of the old decision"
    table.lift(1, "bet")
    table.put(1, "options_fee", "10.00")
    assert table.text == "SEAT 1: BUY OR EXCHANGE?", "its spot is that of both (671a.2(b)(4))"
    table.press("buy", "enter", "decisions_locked")
    assert with_fee(table) == [("bet", 2000), ("options_fee", 1000)]
    assert table.noted() == []


def test_671a_11_b_3_a_key_and_then_the_fee() -> None:
    table = sat(ALL_SENSORS, {"1": ["buy", "bet"], "3": ["fold"]}).to(QUESTION)
    table.press("buy")
    assert table.core.prompt().standing == ("buy",)
    table.put(1, "options_fee", "10.00")
    assert table.decided() == [(1, "buy")]


def test_671a_11_b_3_the_fee_is_equal_to_the_ante() -> None:
    table = sat(ALL_SENSORS, {"1": ["buy", "bet"], "3": ["fold"]}).to(QUESTION)
    table.put(1, "options_fee", "5.00")
    assert table.text == "SEAT 1: OPTIONS FEE MUST BE 10.00"
    table.press("cancel")
    table.put(1, "bet", "10.00")
    assert table.text == "SEAT 1: BET MUST BE 20.00"
    assert table.decided() == []


def test_671a_11_d_1_ii_two_to_five_cards_are_thrown_away() -> None:
    table = sat(PLAIN_SHOE, {"1": ["exchange 7d 2c", "bet"], "3": ["fold"]}).to("SEAT 1 THROWS")
    assert table.text == "SEAT 1 THROWS AWAY 2-5: _"
    assert {f"digit_{number}" for number in range(2, 6)} <= set(table.lit)
    assert not {"digit_1", "digit_6"} & set(table.lit)
    table.press("enter")
    assert table.core.beep, "how many?"
    table.press("digit_6")
    assert table.core.beep
    table.press("digit_5", "digit_2")
    assert table.text == "SEAT 1 THROWS AWAY 2-5: 2_"
    table.restart()
    assert table.text == "SEAT 1 THROWS AWAY 2-5: 2_"
    assert table.finish() == table.expected()
    collected = [(x.position, x.cards, x.cite) for x in events(table, e.CardsCollected)]
    assert (seat(1), 2, "671a.11(d)(1)(ii)") in collected


@pytest.mark.parametrize("kit", [PLAIN_SHOE, ALL_SENSORS, NO_SCANNER], ids=["plain_shoe", "all_sensors", "no_scanner"])
def test_671a_11_d_a_hand_that_was_shown_before_is_no_card_twice(kit: Kit) -> None:
    """Seat 1 declares, is verified, exchanges two cards, and shows three of the same cards again."""
    table = sat(kit, {"1": ["exchange 7d 2c", "bet"], "3": ["fold"]})
    assert table.finish() == table.expected()
    assert events(table, e.AlarmRaised) == []
    shown = [x.cards for x in events(table, e.CardsExposed) if x.position is seat(1)]
    assert [len(cards) for cards in shown] == [5, 5]
    assert len({*shown[0], *shown[1]}) == 7


def test_671a_11_d_a_card_that_the_seat_was_never_dealt() -> None:
    """The shoe has read all cards: which three of five are left it does not know, but that a sixth is none of them."""
    table = sat(ALL_SENSORS, {"1": ["exchange 7d 2c", "bet"], "3": ["fold"]}).to("SEAT 1: CARD 1 OF 5")
    for name in ("Ah", "Kh", "Js", "7h", "7c"):
        table.show(name)
    assert table.text == "SEAT 1: AGAIN CARD 1 OF 5"
    for name in ("Ah", "Kh", "Js", "7h", "7c"):
        table.show(name)
    assert table.text == "SEAT 1: CARDS DIFFER: FLOOR'S BADGE"


def test_671a_13_d_the_card_that_is_turned_up_is_no_exposed_card() -> None:
    table = sat(PLAIN_SHOE, {"1": ["bet"], "3": ["bet"]}).to("DEALER 5")
    assert table.text == "DEALER 5: CARD 1 OF 1"
    report(table, "card_exposed", "dealer")
    assert table.text == "DEALER 5: CARD 1 OF 1"
    assert table.noted() == [("card_exposed", "dealer", None)]
    table.to("DECLARED")
    report(table, "card_exposed", "dealer")
    assert ("card_exposed", "dealer", "671a.13(d)") in table.noted()
    assert table.text == "ROUND VOID: RETURN ALL WAGERS"


def report(table: Sitting, kind: str, where: str) -> None:
    """Report an irregularity by the panel's menu."""
    table.press("irregularity")
    wanted = f"IRREGULARITY: {kind.replace('_', ' ').upper()}"
    for _ in range(30):
        if table.text == wanted:
            break
        table.press("next")
    table.press("enter", where)


def test_671a_13_d_what_stands_is_told_apart_from_what_goes_back() -> None:
    table = sat(PLAIN_SHOE, {"1": ["buy", "bet"], "3": ["fold"]}).to("SEAT 1: FOLD OR BET?")
    report(table, "card_exposed", "dealer")
    (voided,) = events(table, e.RoundVoided)
    assert voided.stands == ("1 super", "3 super")
    assert table.text == "ROUND VOID: 2 STAND, RETURN THE REST"
    page = find_round(table.bench.journal, 1)
    assert page is not None
    results = {e.spot(row.seat, row.wager, 0): row.result.value for row in (each.settled for each in page.settled())}
    assert results == {
        "1 super": "win",
        "3 super": "win",
        "1 ante": "void",
        "1 options_fee": "void",
        "3 ante": "void",
    }


SMALL: Scenario = parse(
    {
        "game": "lunar_poker",
        "table": {"shuffler": "counting"},
        "round": [
            {
                "wagers": {"1": {"ante": "10.00", "super": "10.00"}},
                "cards": "Ah 2s Kh 4s Qc 6s 7d ^8s 8d 2c Ts 7h 7c",
                "decisions": {"1": ["exchange 7d 2c", "bet"]},
                "incidents": [{"at": "decision 1.2", "kind": "wrong_stake", "position": "seat 1"}],
            }
        ],
    }
)


class CrashAtDecisions(CrashAt):
    """Crashes at the `wanted`th moment of those at which the players decide, once; counts them."""

    bench: Bench | None = None

    def __call__(self, name: Moment) -> None:
        if self.bench is None or self.bench.core.stage not in ("DECIDING", "DEALING"):
            return
        if self.moments or self.bench.core.prompt().text.startswith("DEALER 5"):
            super().__call__(name)


@pytest.mark.parametrize("kit", [PANEL_ALONE, ALL_SENSORS], ids=["panel_alone", "all_sensors"])
def test_crash_at_every_moment_of_the_decisions_goes_on_from_the_same_step(kit: Kit) -> None:
    expected = [without_deck(document) for document in play(SMALL)["rounds"]]

    def played(wanted: int) -> tuple[Bench, CrashAt]:
        crash = CrashAtDecisions(wanted)
        bench = crash.bench = Bench(SMALL, fitting(SMALL, kit), crash)
        assert [without_deck(document) for document in bench.play()] == expected, f"moment {wanted}"
        assert bench.reasons == []
        return bench, crash

    smooth, counter = played(0)
    assert counter.passed > 20
    for wanted in counter.to_try(smooth):
        assert played(wanted)[1].happened
