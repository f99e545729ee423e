"""What 637a forbids in a round, a table or a filing of its poker games, and scenarios that nobody can play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from tablectl.engine.scenario import parse
from tablectl.engine.script import play
from tablectl.games import game

STACKS = {"1": "100.00", "2": "100.00", "3": "100.00"}
CHECKED = {"1": ["call", "check", "check", "check"], "2": ["check"] * 4, "3": ["call", "check", "check", "check"]}


def refused(
    name: str,
    change: Mapping[str, Any],
    rules: Mapping[str, Any] | None = None,
    table: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The error of one round of three players with the button before seat 3."""
    script = {"stacks": STACKS, "decisions": CHECKED, **change}
    document = {"game": name, "rules": rules or {}, "table": {"button": 3, **(table or {})}, "round": [script]}
    found = play(parse(document))
    assert "error" in found, found
    error: dict[str, Any] = found["error"]
    return error


ROUNDS: dict[str, tuple[str, Mapping[str, Any], int, str]] = {
    "637a.12(g) check of the first player": ("omaha_high", {"decisions": {"3": ["check"]}}, 3, "637a.12(g)"),
    "637a.12(g) bet where a blind lies": ("omaha_high", {"decisions": {"3": ["bet 4.00"]}}, 3, "637a.12(g)"),
    "637a.12(g) raise below the least": ("omaha_high", {"decisions": {"3": ["raise 3.00"]}}, 3, "637a.12(g)"),
    "637a.12(g) raise above the stack": ("omaha_high", {"decisions": {"3": ["raise 101.00"]}}, 3, "637a.12(g)"),
    "637a.12(g) raise of half chips": ("omaha_high", {"decisions": {"3": ["raise 5.50"]}}, 3, "637a.12(g)"),
    "637a.12(g) raise of nothing named": ("omaha_high", {"decisions": {"3": ["raise"]}}, 3, "637a.12(g)"),
    "637a.12(h) raise where nobody has bet": (
        "omaha_high",
        {"decisions": {"3": ["call"], "1": ["call", "raise 4.00"], "2": ["check"]}},
        1,
        "637a.12(h)",
    ),
    "637a.12(h) call where nobody has bet": (
        "omaha_high",
        {"decisions": {"3": ["call"], "1": ["call", "call"], "2": ["check"]}},
        1,
        "637a.12(h)",
    ),
    "637a.12(h) fewer decisions than are asked": (
        "omaha_high",
        {"decisions": {**CHECKED, "1": ["call"]}},
        1,
        "637a.12(h)",
    ),
    "637a.13(g) card that is not held": (
        "five_card_draw_high",
        {"cards": "2c", "decisions": {"3": ["call"], "1": ["call", "draw As"], "2": ["check"]}},
        1,
        "637a.13(g)",
    ),
    "637a.14(e) check under the Forced Bet": ("five_card_stud", {"decisions": {"2": ["check"]}}, 2, "637a.14(e)"),
    "637a.18(e) last hand cannot be conceded": (
        "omaha_high",
        {"decisions": {n: [*said, "concede"] for n, said in CHECKED.items()}},
        1,
        "637a.18(e)",
    ),
}


@pytest.mark.parametrize("case", ROUNDS)
def test_637a_round_refuses(case: str) -> None:
    name, change, seat, clause = ROUNDS[case]
    table = {} if name != "five_card_stud" else {"button": 1}
    error = refused(name, change, table=table)
    assert (error["seat"], error["cite"]) == (seat, clause)


def test_637a_18_e_discarded_hands_are_disclosed_where_that_is_filed() -> None:
    error = refused(
        "omaha_high", {"decisions": {**CHECKED, "3": [*CHECKED["3"], "concede"]}}, {"disclose_discarded": True}
    )
    assert (error["seat"], error["cite"]) == (3, "637a.18(e)")


@pytest.mark.parametrize(
    ("name", "seats", "clause"),
    [
        ("omaha_high", 10, "637a.12(b)"),
        ("omaha_hilo", 10, "637a.12(b)"),
        ("five_card_draw_high", 8, "637a.13(b)"),
        ("five_card_draw_low", 8, "637a.13(b)"),
        ("five_card_stud", 8, "637a.14(b)"),
    ],
)
def test_637a_b_so_many_players_at_the_most(name: str, seats: int, clause: str) -> None:
    assert game(name).seats == seats
    error = refused(name, {"stacks": {"1": "10.00", str(seats + 1): "10.00"}})
    assert (error["seat"], error["cite"]) == (seats + 1, clause)
    error = refused(name, {}, table={"seats": seats + 1})
    assert (error["stage"], error["cite"]) == ("RULES", clause)
    error = refused(name, {"stacks": {"2": "10.00"}})
    assert (error["seat"], error["stage"], error["cite"]) == (2, "OPEN", clause)


def test_637a_b_one_player_plays_one_seat() -> None:
    error = refused("omaha_high", {"players": {"p1": [1, 2]}})
    assert error["cite"] == "637a.12(b)"


def test_poker_is_not_dealt_from_an_automated_shoe_nor_for_wagers() -> None:
    assert refused("omaha_high", {}, table={"dealing": "automated_shoe"})["stage"] == "RULES"
    assert refused("omaha_high", {"stacks": {}, "wagers": {"1": {"ante": "5.00"}}})["stage"] == "OPEN"
    assert refused("omaha_high", {"incidents": [{"at": "card 1", "kind": "drawn_in_error"}]})["stage"] == "OPEN"


FILINGS: dict[str, tuple[str, Mapping[str, Any], str]] = {
    "637a.12(d) no blind": ("omaha_high", {"blinds": []}, "637a.12(d)"),
    "637a.12(d) a blind of nothing": ("omaha_hilo", {"blinds": ["0.00"]}, "637a.12(d)"),
    "637a.12(d) a blind of half chips": ("omaha_hilo", {"blinds": ["0.50"]}, "637a.12(d)"),
    "637a.12(e) a straddle of a blind": ("omaha_high", {"straddle": "2.00"}, "637a.12(e)"),
    "637a.12(n) a kill in Omaha High": ("omaha_high", {"kill": "kill"}, "637a.12(n)"),
    "637a.12(n) a half-kill in Omaha High": ("omaha_high", {"kill": "half_kill"}, "637a.12(n)"),
    "637a.12(n) a kill without its pot": ("omaha_hilo", {"kill": "kill", "kill_pot": "0.00"}, "637a.12(n)"),
    "637a.12(n) a half-kill of half chips": ("omaha_hilo", {"kill": "half_kill", "blinds": ["1.00"]}, "637a.12(n)"),
    "637a.12(k)(2)(i) chips above a dollar": (
        "omaha_hilo",
        {"smallest_chip": "5.00", "blinds": ["5.00"]},
        "637a.12(k)(2)(i)",
    ),
    "637a.13(e) no blind": ("five_card_draw_low", {"blinds": []}, "637a.13(e)"),
    "637a.13(b) an ante of half chips": ("five_card_draw_high", {"ante": "0.50"}, "637a.13(b)"),
    "637a.14(d) no Forced Bet": ("five_card_stud", {"forced_bet": "0.00"}, "637a.14(d)"),
    "637a.14(b) sizes that fall": (
        "five_card_stud",
        {"betting": "limit", "bet_sizes": ["4.00", "2.00"]},
        "637a.14(b)",
    ),
    "637a.17(b)(1) more than 10 %": (
        "omaha_high",
        {"rake": {"type": "percentage", "percent": 11, "maximum": "4.00"}},
        "637a.17(b)(1)",
    ),
    "637a.17(b)(1) nothing": (
        "omaha_high",
        {"rake": {"type": "percentage", "percent": 0, "maximum": "4.00"}},
        "637a.17(b)(1)",
    ),
    "637a.17(a)(3) no maximum": ("five_card_stud", {"rake": {"type": "percentage", "percent": 5}}, "637a.17(a)(3)"),
    "637a.17(a)(2) no steps": ("omaha_high", {"rake": {"type": "incremental", "steps": []}}, "637a.17(a)(2)"),
    "637a.17(b)(2) steps that do not rise": (
        "omaha_high",
        {"rake": {"type": "incremental", "steps": [["20.00", "2.00"], ["20.00", "3.00"]]}},
        "637a.17(b)(2)",
    ),
    "637a.17(b)(2) more than the pot": (
        "omaha_high",
        {"rake": {"type": "incremental", "steps": [["2.00", "3.00"]]}},
        "637a.17(b)(2)",
    ),
    "637a.17(b)(3)(iii) parts of a chip": (
        "omaha_high",
        {"rake": {"type": "time", "hourly": "5.00", "minutes": 30}},
        "637a.17(b)(3)(iii)",
    ),
    "637a.15(b)(1) a contribution of nothing": (
        "omaha_hilo",
        {"bad_beat": {"drop": "0.00", "minimum_pot": "20.00"}},
        "637a.15(b)(1)",
    ),
    "637a.15(b)(2) more than the pot": (
        "omaha_hilo",
        {"bad_beat": {"drop": "2.00", "minimum_pot": "1.00"}},
        "637a.15(b)(2)",
    ),
    "637a.15(b)(3) more than all": (
        "omaha_hilo",
        {"bad_beat": {"drop": "1.00", "minimum_pot": "20.00", "loser_percent": 60, "winner_percent": 50}},
        "637a.15(b)(3)",
    ),
    "637a.16(b)(3) more than the pot": (
        "five_card_draw_high",
        {"high_hand": {"drop": "2.00", "minimum_pot": "1.00"}},
        "637a.16(b)(3)",
    ),
}


@pytest.mark.parametrize("case", FILINGS)
def test_637a_filing_refuses(case: str) -> None:
    name, rules, clause = FILINGS[case]
    error = refused(name, {}, rules)
    assert (error["stage"], error["cite"]) == ("RULES", clause)


def test_637a_17_b_ten_percent_may_be_filed() -> None:
    submission = game("omaha_high").submission.model_validate(
        {"rake": {"type": "percentage", "percent": 10, "maximum": "4.00"}}
    )
    assert list(submission.objections()) == []


@pytest.mark.parametrize(
    "rules",
    [
        {"rake": {"type": "lottery"}},
        {"rake": {"type": "percentage", "percent": 10, "maximum": "4.00", "colour": "green"}},
        {"rake": {"type": "time", "minutes": 25}},
        {"bad_beat": {"drop": 1}},
        {"blinds": ["1"]},
        {"raises": 0},
        {"forced_bet": "1.00"},
    ],
)
def test_filing_that_is_not_well_formed(rules: Mapping[str, Any]) -> None:
    with pytest.raises(ValidationError):
        game("omaha_high").submission.model_validate(rules)
