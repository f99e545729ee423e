"""The Rules Submission of chapter 671a, and what the chapter or the filing forbids in a round or a table."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from tablectl.cards import card
from tablectl.games import game
from tablectl.games.lunar_poker import check_wagers, declares, super_odds
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.lunar_poker import LunarPokerRules, LunarPokerSubmission
from tests.games.rounds import dealt_singly, outcome

# What may be filed ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("table", "royal", "straight"), [("A", 1500, 250), ("B", 1000, 300), ("C", 1000, 250)])
def test_671a_12_a_instant_paytables(table: str, royal: int, straight: int) -> None:
    filed = LunarPokerSubmission.model_validate({"instant_paytable": table}).filed()
    paid = {row: str(odds) for row, odds in filed.instant.items()}
    assert paid == {"royal_flush": f"{royal}:1", "straight_flush": f"{straight}:1"}


def test_671a_12_every_paytable_is_listed_with_its_clause() -> None:
    listed = {(table.wager, table.id): (table.cite, len(table.rows)) for table in LunarPokerSubmission.paytables()}
    assert listed == {
        **{("ante", name): ("671a.12(a)", 2) for name in "ABC"},
        ("ante", "unqualified"): ("671a.12(c)", 2),
        **{(wager, "standard"): ("671a.12(b)", 8) for wager in ("super", "super_dealer", "super_seat_N")},
        **{(wager, "standard"): ("671a.12(d)", 10) for wager in ("bet", "second_bet")},
    }


def test_shipped_submission() -> None:
    shipped = {option.key: option.default for option in LunarPokerSubmission.options()}
    assert shipped == {
        "smallest_chip": "1.00",
        "instant_paytable": "A",
        "super_on_others": False,
        "super_straight_flush": "not_paid",
        "settled_supers": "stand",
    }
    assert list(LunarPokerSubmission().objections()) == []


@pytest.mark.parametrize(
    "document",
    [
        {"instant_paytable": "D"},
        {"super_on_others": "yes"},
        {"super_straight_flush": "as_straight"},
        {"settled_supers": True},
        {"payout_limit": "50000.00"},
    ],
)
def test_submission_that_is_not_well_formed(document: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LunarPokerSubmission.model_validate(document)


SUPER_HANDS = {
    "9c 9d 9h 9s Kc": (200, "super"),
    "Ks Kd Qs Qd Jc": (150, "super"),
    "Jc Jd Jh Qs Qd": (150, "super"),
    "Kc Kd Kh Ks Qd": (200, "super"),
    "5c 5d 5h 8s 8c": (100, "super"),
    "2h 4h 6h 8h Th": (60, "super"),
    "Ac 2d 3c 4h 5s": (30, "super"),
    "Ac Kd Qc Jh Ts": (30, "super"),
    "7c 7d 7h 2s Kc": (8, "super"),
    "Ac Ad Kh Qs Qc": (5, "super"),
    "2d 5h 8d Jh 3d": (2, "super"),
    "Ac Kd Jh 9s 2c": (None, None),
    "Ac Kc Js 9s 2d": (None, None),
    "Kc Kd Qh 2s 2c": (None, None),
}


@pytest.mark.parametrize("hand", SUPER_HANDS)
def test_671a_6_d_super_wager_by_the_highest_row(hand: str) -> None:
    cards = [card(name) for name in hand.split()]
    pays, declared = SUPER_HANDS[hand]
    odds = super_odds(LunarPokerSubmission().filed(), cards)
    assert (None if odds is None else odds.pays, declares(cards)) == (pays, declared)


@pytest.mark.parametrize(
    ("reading", "royal", "straight"), [("not_paid", None, None), ("other_rows", 5, 2), ("as_flush", 60, 60)]
)
def test_671a_6_d_straight_flushes_are_paid_as_filed(reading: str, royal: int | None, straight: int | None) -> None:
    rules = LunarPokerSubmission.model_validate({"super_straight_flush": reading}).filed()
    for hand, pays in (("Ah Kh Qh Jh Th", royal), ("9s Ts Js Qs Ks", straight), ("Ac 2c 3c 4c 5c", straight)):
        cards = [card(name) for name in hand.split()]
        odds = super_odds(rules, cards)
        assert (None if odds is None else odds.pays) == pays
        assert declares(cards) == "instant"


# What is forbidden ----------------------------------------------------------------------------------------------------

ROUND: dict[str, object] = {
    "wagers": {"1": {"ante": "10.00", "super": "10.00"}},
    "cards": f"{dealt_singly('Kh Kc 9d 7s 4c', 'Qs Qd 8h 5c 3d')} 2h 2s",
    "decisions": {"1": ["bet"]},
}
FILED = {"super_on_others": True}
Case = tuple[Mapping[str, object], Mapping[str, object], int | None, str]


def wagers(**more: str) -> dict[str, object]:
    return {"wagers": {"1": {"ante": "10.00", "super": "10.00", **more}}}


def answered(*decisions: str) -> dict[str, object]:
    return {"decisions": {"1": list(decisions)}}


FORBIDDEN: dict[str, Case] = {
    "671a.2(a) a sixth seat": ({"wagers": {"6": {"ante": "5.00", "super": "5.00"}}}, {}, 6, "OPEN"),
    "671a.2(a) six seats": ({}, {"seats": 6}, None, "RULES"),
    "671a.9(a)(1) from the hand without a shuffler": ({}, {"dealing": "from_hand"}, None, "RULES"),
    "671a.7(c)(1) super alone": ({"wagers": {"2": {"super": "5.00"}}}, {}, 2, "OPEN"),
    "671a.7(c)(1) another hand alone": ({"wagers": {"2": {"super_dealer": "5.00"}}}, {}, 2, "OPEN"),
    "671a.7(c)(1) ante below the minimum": ({}, {"minimum": "10.01"}, 1, "OPEN"),
    "671a.7(c)(1) ante above the maximum": ({}, {"maximum": "9.99"}, 1, "OPEN"),
    "671a.7(c)(2) no super": ({"wagers": {"1": {"ante": "10.00"}}}, {}, 1, "OPEN"),
    "671a.7(c)(2) super below the ante": (wagers(super="9.99"), {}, 1, "OPEN"),
    "671a.7(c)(2) super above the maximum": (wagers(super="20.01"), {"maximum": "20.00"}, 1, "OPEN"),
    "671a.7(c)(3) own hand": (wagers(super_seat_1="5.00"), {}, 1, "OPEN"),
    "671a.7(c)(3) hand of nobody": (wagers(super_seat_2="5.00"), {}, 1, "OPEN"),
    "671a.7(c)(3) below the minimum": (wagers(super_dealer="4.99"), {"minimum": "5.00"}, 1, "OPEN"),
    "671a.7(c) bet before the deal": (wagers(bet="20.00"), {}, 1, "OPEN"),
    "671a.7(c) fee before the deal": (wagers(options_fee="10.00"), {}, 1, "OPEN"),
    "671a.7(e) two positions": (
        {
            "wagers": {"1": {"ante": "5.00", "super": "5.00"}, "2": {"ante": "5.00", "super": "5.00"}},
            "players": {"p1": [1, 2]},
        },
        {},
        None,
        "OPEN",
    ),
    "671a.11(b) check": (answered("check"), {}, 1, "DECIDING"),
    "671a.11(b) three times the ante": (answered("bet 2"), {}, 1, "DECIDING"),
    "671a.11(b) one card": (answered("exchange 7s", "bet"), {}, 1, "DECIDING"),
    "671a.11(b) six cards": (answered("exchange Kh Kc 9d 7s 4c 2h", "bet"), {}, 1, "DECIDING"),
    "671a.11(b) a card twice": (answered("exchange 7s 7s", "bet"), {}, 1, "DECIDING"),
    "671a.11(b) a card of the dealer": (answered("exchange 7s Qs", "bet"), {}, 1, "DECIDING"),
    "671a.11(b) no cards": (answered("exchange", "bet"), {}, 1, "DECIDING"),
    "671a.11(b) nothing to leave undeclared": (answered("no_declare", "bet"), {}, 1, "DECIDING"),
    "671a.11(b) no decision": (answered(), {}, 1, "DECIDING"),
    "671a.11(d)(3) another draw": (answered("buy", "buy"), {}, 1, "DECIDING"),
    "671a.11(d)(3) nothing more": (answered("buy"), {}, 1, "DECIDING"),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_671a_forbidden(case: str) -> None:
    changes, table, seat, stage = FORBIDDEN[case]
    document = outcome({**ROUND, **changes}, rules=FILED, table=table, game="lunar_poker")
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])


def test_671a_7_c_3_other_hands_have_to_be_filed() -> None:
    for wager in ("super_dealer", "super_seat_2"):
        both = {"1": {"ante": "5.00", "super": "5.00", wager: "5.00"}, "2": {"ante": "5.00", "super": "5.00"}}
        error = outcome({**ROUND, "wagers": both}, game="lunar_poker")["error"]
        assert (error["seat"], error["cite"], error["message"]) == (1, "671a.7(c)(3)", f"{wager} is not filed")


@pytest.mark.parametrize(
    ("decisions", "left"),
    [(["bet", "bet"], "bet"), (["fold", "bet"], "bet"), (["bet", "no_declare"], "no_declare")],
)
def test_671a_11_b_decisions_do_not_run_on(decisions: list[str], left: str) -> None:
    error = outcome({**ROUND, "decisions": {"1": decisions}}, game="lunar_poker")["error"]
    assert (error["seat"], error["message"]) == (1, f"decision {left!r} was not asked for")


def test_671a_11_b_2_an_instant_hand_is_not_asked() -> None:
    cards = dealt_singly("5c 6c 7c 8c 9c", "Qs Qd 8h 5d 3d")
    error = outcome({**ROUND, "cards": cards}, game="lunar_poker")["error"]
    assert error["message"] == "decision 'bet' was not asked for"


def stakes(**amounts: int | None) -> tuple[Stake, ...]:
    return tuple(Stake(1, wager, None if amount is None else Money(amount)) for wager, amount in amounts.items())


@pytest.mark.parametrize(
    ("placed", "cites"),
    [
        (stakes(ante=None, super=None), []),
        (stakes(ante=None), ["671a.7(c)(2)"]),
        (stakes(super=None), ["671a.7(c)(1)"]),
        (stakes(ante=None, super=1), []),
    ],
)
def test_671a_7_of_unknown_amounts_only_presence_is_judged(placed: tuple[Stake, ...], cites: list[str]) -> None:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 5, Money(500), Money(50000))
    rules: LunarPokerRules = LunarPokerSubmission().filed()
    found = [objection for _number, objection in check_wagers(rules, setup, placed)]
    assert [objection.cite for objection in found if "below minimum" not in objection.message] == cites


def test_671a_messages_fit_the_panel() -> None:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 5, Money(500), Money(50000))
    rules = LunarPokerSubmission.model_validate({"super_on_others": True}).filed()
    wrong = stakes(ante=5000_00, super=1_00, super_seat_1=1_00, super_seat_3=9000_00, super_dealer=1_00)
    told = [f"SEAT 1: {objection.message}" for _number, objection in check_wagers(rules, setup, wrong)]
    assert len(told) > 6
    assert [line for line in told if len(line) > 40] == []


def test_671a_5_places_are_those_of_a_table_of_five() -> None:
    lunar = game("lunar_poker")
    assert (lunar.seats, lunar.hand, lunar.deck, lunar.places) == (5, 5, 52, ("dealer", "seat"))
    assert [wager for wager in lunar.wagers if wager not in lunar.opening] == ["bet", "options_fee", "second_bet"]
