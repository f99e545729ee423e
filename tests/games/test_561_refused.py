"""What chapter 561 forbids in a round, a table or a filing, and scenarios that nobody can play."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import CutStyle, Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.pai_gow_poker import PaiGowPokerSubmission
from tests.games.by_hand_561 import Round, Seat, script
from tests.games.rounds import outcome

PLAYED = Round([Seat(2, "Qc Qd Jh 8s 6h 4c 2c", "Jh 8s", "lose")], "Kc Kd Qh 9s 7c 4d 2h", "Qh 9s")
ROUND: dict[str, object] = script(PLAYED, dice=["1 1 6"])
WAGER = {"pai_gow": "10.00"}
Case = tuple[Mapping[str, object], Mapping[str, object], Mapping[str, object], int | None, str]

FORBIDDEN: dict[str, Case] = {
    "561.2(a) five places": ({}, {"seats": 5}, {}, None, "RULES"),
    "561.2(a) seven places": ({}, {"seats": 7}, {}, None, "RULES"),
    "561.2(a) a seventh seat": ({"wagers": {"7": WAGER}}, {}, {}, 7, "OPEN"),
    "561.2(a) a button at a seventh seat": (
        {"dice": []},
        {"shuffler": "plain", "dealing": "automated_shoe", "button": 7},
        {"starting_position": "button"},
        None,
        "RULES",
    ),
    "561.7(a) below the minimum": ({}, {"minimum": "10.01"}, {}, 2, "OPEN"),
    "561.7(a) above the maximum": ({}, {"maximum": "9.99"}, {}, 2, "OPEN"),
    "561.7(c) another wager": ({"wagers": {"2": {"pai_gow": "10.00", "ante": "1.00"}}}, {}, {}, 2, "OPEN"),
    "561.7(c) no wager": ({"wagers": {}}, {}, {}, None, "OPEN"),
    "561.7(d) two areas, not filed": ({"players": {"p1": [2, 3]}}, {}, {}, None, "OPEN"),
    "561.7(d) three areas": ({"players": {"p1": [2, 3, 4]}}, {}, {"adjacent_positions": True}, None, "OPEN"),
    "561.7(d) areas apart": ({"players": {"p1": [2, 4]}}, {}, {"adjacent_positions": True}, None, "OPEN"),
    "561.10(a)(1) from the hand without a shuffler": ({}, {"dealing": "from_hand"}, {}, None, "RULES"),
    "561.12(b) no dice": ({"dice": []}, {}, {}, None, "LOCKED"),
    "561.12(b) two dice": ({"dice": ["1 2"]}, {}, {}, None, "LOCKED"),
    "561.12(c) no number": ({"dice": []}, {}, {"starting_position": "rng"}, None, "LOCKED"),
    "561.12(c) eight": ({"dice": [], "rng": [8]}, {}, {"starting_position": "rng"}, None, "LOCKED"),
    "561.12(c) zero": ({"dice": [], "rng": [0]}, {}, {"starting_position": "rng"}, None, "LOCKED"),
    "561.12(d) a button with a manual shoe": (
        {},
        {"shuffler": "plain"},
        {"starting_position": "button"},
        None,
        "RULES",
    ),
    "561.12(d) a button from the hand": (
        {},
        {"shuffler": "plain", "dealing": "from_hand"},
        {"starting_position": "button"},
        None,
        "RULES",
    ),
    "561.12(d) a button without a shuffler": (
        {},
        {"dealing": "automated_shoe"},
        {"starting_position": "button"},
        None,
        "RULES",
    ),
    "561.13(a) another verb": ({"decisions": {"2": ["bet"]}}, {}, {}, 2, "DECIDING"),
    "561.13(a) no decision": ({"decisions": {}}, {}, {}, 2, "DECIDING"),
    "561.13(a) one low card": ({"decisions": {"2": ["set Jh"]}}, {}, {}, 2, "DECIDING"),
    "561.13(a) three low cards": ({"decisions": {"2": ["set Jh 8s 6h"]}}, {}, {}, 2, "DECIDING"),
    "561.13(a) a card twice": ({"decisions": {"2": ["set Jh Jh"]}}, {}, {}, 2, "DECIDING"),
    "561.13(a) a card of another hand": ({"decisions": {"2": ["set Jh Kc"]}}, {}, {}, 2, "DECIDING"),
    "561.13(d) a way that leaves hands out": (
        {},
        {},
        {"house_way": [{"holding": "pair", "low": "highest_cards"}]},
        None,
        "RULES",
    ),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_561_forbidden(case: str) -> None:
    changes, table, rules, seat, stage = FORBIDDEN[case]
    document = outcome({**ROUND, **changes}, rules=rules, table=table, game="pai_gow_poker")
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])
    assert error["message"]


@pytest.mark.parametrize(
    "changes",
    [
        {"decisions": {"2": ["house_way", "house_way"]}},
        {"decisions": {"2": ["surrender", "house_way"]}},
        {"decisions": {"2": ["house_way"], "4": ["house_way"]}},
        {"dice": ["1 1 6", "1 1 6"]},
        {"rng": [3]},
        {"cut": {"3": "cut"}},
        {"incidents": [{"at": "throw 2", "kind": "no_roll"}]},
    ],
)
def test_561_what_nobody_came_to_is_refused(changes: Mapping[str, object]) -> None:
    document = outcome({**ROUND, **changes}, game="pai_gow_poker")
    assert document["rounds"] == []
    assert document["error"]["message"]


@pytest.mark.parametrize("kind", ["card_reader_fault", "die_cocked", "progressive_count_mismatch", "earthquake"])
def test_561_14_knows_no_other_irregularity(kind: str) -> None:
    error = outcome({**ROUND, "incidents": [{"at": "card 1", "kind": kind}]}, game="pai_gow_poker")["error"]
    assert kind in error["message"]


def test_561_14_n_no_button_without_its_shoe() -> None:
    """The shoe is taken away: then the table cannot use the button that is filed, and does not deal."""
    gone = {"at": "shuffle", "kind": "shoe_out_of_service", "then": "from_hand"}
    table = {"dealing": "automated_shoe", "shuffler": "plain"}
    told = {**script(Round(PLAYED.seats, PLAYED.dealer, PLAYED.dealer_low, dealing="from_hand")), "incidents": [gone]}
    document = outcome(told, rules={"starting_position": "button"}, table=table, game="pai_gow_poker")
    assert (document["rounds"], document["error"]["cite"]) == ([], "561.12(d)")


# Filing ---------------------------------------------------------------------------------------------------------------


def test_561_12_a_13_d_m_what_is_shipped() -> None:
    shipped = PaiGowPokerSubmission()
    assert list(shipped.objections()) == []
    assert shipped.model_dump(mode="json") == {
        "smallest_chip": "1.00",
        "starting_position": "shaker",
        "vigorish_rounding": "none",
        "house_way": "shipped",
        "adjacent_positions": False,
    }
    values = {option.key: (option.values, option.cite) for option in PaiGowPokerSubmission.options()}
    assert values["starting_position"] == (("shaker", "rng", "button"), "561.12(a)")
    assert values["vigorish_rounding"] == (("none", "quarter_up"), "561.13(m)")
    assert values["house_way"] == (("shipped",), "561.13(d)")
    assert values["adjacent_positions"] == (("false", "true"), "561.7(d)")


@pytest.mark.parametrize(
    "filed",
    [
        {"starting_position": "coin"},
        {"vigorish_rounding": "dollar_up"},
        {"vigorish": 4},
        {"house_way": "mine"},
        {"adjacent_positions": "yes"},
        {"payout_limit": "1.00"},
    ],
)
def test_561_13_d_only_what_the_chapter_lets_be_chosen_can_be_filed(filed: Mapping[str, object]) -> None:
    with pytest.raises(ValidationError):
        PaiGowPokerSubmission.model_validate(filed)


def test_561_7_c_wagers_of_unknown_amounts_are_not_measured() -> None:
    pai_gow = game("pai_gow_poker")
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.COUNTING, 6, minimum=Money(5_00), maximum=Money(10_00))
    rules = PaiGowPokerSubmission().filed()
    assert not list(pai_gow.check_wagers(rules, setup, [Stake(1, "pai_gow", None)]))
    assert list(pai_gow.check_wagers(rules, setup, [Stake(1, "pai_gow", Money(4_99))]))


# What the shared procedures are told ----------------------------------------------------------------------------------


def test_561_3_4_5_decks_opening_and_cut_are_those_of_the_chapter() -> None:
    pai_gow = game("pai_gow_poker")
    assert pai_gow.deck == 53
    assert pai_gow.deck_clocks == {
        Dealing.FROM_HAND: (4, "561.3(c)(1)"),
        Dealing.MANUAL_SHOE: (8, "561.3(c)(2)"),
        Dealing.AUTOMATED_SHOE: (8, "561.3(c)(2)"),
    }
    opening = pai_gow.opening_of_decks
    assert (opening.second_joker, opening.verify, opening.preshuffled) == ("561.4(b)", "561.4(b)", None)
    shuffle = pai_gow.shuffling
    assert (shuffle.style, shuffle.cut, shuffle.recut, shuffle.idle) == (
        CutStyle.OFFERED,
        "561.5(e)",
        "561.5(f)",
        "561.5(g)",
    )
    assert shuffle.offers == {"first_player": "561.5(d)(1)", "from_the_right": "561.5(d)(2)"}
    assert shuffle.turned_up
    assert not shuffle.needs_cut(by_device=True)
    assert shuffle.needs_cut(by_device=False)
