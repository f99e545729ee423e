"""What chapter 676a forbids in a round, a table or a filing, and scenarios that nobody can play."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.go_fore_it import GoForeItSubmission
from tests.games.rounds import dealt_singly, outcome

CARDS = dealt_singly("Kh 5d 2c 3d", "Qs 8h 9c 4s")
ROUND: dict[str, object] = {"wagers": {"1": {"front_9": "10.00"}}, "cards": CARDS, "decisions": {"1": ["bet"]}}
Case = tuple[Mapping[str, object], Mapping[str, object], int | None, str]

FORBIDDEN: dict[str, Case] = {
    "676a.7(d)(1) skins alone": ({"wagers": {"2": {"skins": "5.00"}}}, {}, 2, "OPEN"),
    "676a.7(d)(1) gopher alone": ({"wagers": {"2": {"gopher": "5.00"}}}, {}, 2, "OPEN"),
    "676a.7(d)(1) below the minimum": ({}, {"minimum": "10.01"}, 1, "OPEN"),
    "676a.7(d)(1) above the maximum": ({}, {"maximum": "9.99"}, 1, "OPEN"),
    "676a.7(d)(3) skins below the minimum": (
        {"wagers": {"1": {"front_9": "10.00", "skins": "4.99"}}},
        {"minimum": "5.00"},
        1,
        "OPEN",
    ),
    "676a.7(d)(4) gopher above the maximum": (
        {"wagers": {"1": {"front_9": "10.00", "gopher": "20.01"}}},
        {"maximum": "20.00"},
        1,
        "OPEN",
    ),
    "676a.7(d) back 9 before the deal": ({"wagers": {"1": {"front_9": "10.00", "back_9": "10.00"}}}, {}, 1, "OPEN"),
    "676a.7(e) two positions": (
        {"wagers": {"1": {"front_9": "5.00"}, "2": {"front_9": "5.00"}}, "players": {"p1": [1, 2]}},
        {},
        None,
        "OPEN",
    ),
    "676a.2(a) a seventh seat": ({"wagers": {"7": {"front_9": "5.00"}}}, {}, 7, "OPEN"),
    "676a.2(a) seven seats": ({}, {"seats": 7}, None, "RULES"),
    "676a.9(a)(1) from the hand without a shuffler": ({}, {"dealing": "from_hand"}, None, "RULES"),
    "676a.11(b) another verb": ({"decisions": {"1": ["check"]}}, {}, 1, "DECIDING"),
    "676a.11(b) a multiple": ({"decisions": {"1": ["bet 2"]}}, {}, 1, "DECIDING"),
    "676a.11(b) no decision": ({"decisions": {}}, {}, 1, "DECIDING"),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_676a_forbidden(case: str) -> None:
    changes, table, seat, stage = FORBIDDEN[case]
    document = outcome({**ROUND, **changes}, table=table, game="go_fore_it")
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])
    assert error["message"]


def test_676a_7_d_2_bet_is_bet_1() -> None:
    played = outcome(ROUND, game="go_fore_it")
    assert outcome({**ROUND, "decisions": {"1": ["bet 1"]}}, game="go_fore_it") == played


@pytest.mark.parametrize("kind", ["card_reader_fault", "house_way_wrong", "no_roll", "earthquake"])
def test_676a_13_knows_no_other_irregularity(kind: str) -> None:
    error = outcome({**ROUND, "incidents": [{"at": "card 1", "kind": kind}]}, game="go_fore_it")["error"]
    assert kind in error["message"]


def test_676a_13_community_is_nowhere() -> None:
    """The chapter has no board: what is said of one is recorded."""
    for kind in ("card_exposed", "wrong_card_count"):
        incident = {"at": "card 5", "kind": kind, "position": "community"}
        assert outcome({**ROUND, "incidents": [incident]}, game="go_fore_it") == outcome(ROUND, game="go_fore_it")


def objections(*stakes: Stake) -> list[tuple[int, str]]:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 6, minimum=Money(1000), maximum=Money(5000))
    rules = GoForeItSubmission().filed()
    return [(seat, objection.cite) for seat, objection in game("go_fore_it").check_wagers(rules, setup, stakes)]


def test_676a_7_where_only_presence_is_known_no_amount_is_judged() -> None:
    front_9, skins = Stake(1, "front_9", None), Stake(1, "skins", None)
    assert objections(front_9, skins) == []
    assert objections(skins) == [(1, "676a.7(d)(1)")]
    assert objections(front_9, Stake(2, "front_9", Money(999))) == [(2, "676a.7(d)(1)")]


def test_676a_7_every_objection_is_told() -> None:
    stakes = (Stake(1, "front_9", Money(999)), Stake(1, "skins", Money(5001)), Stake(2, "gopher", Money(2000)))
    assert sorted(objections(*stakes)) == [(1, "676a.7(d)(1)"), (1, "676a.7(d)(3)"), (2, "676a.7(d)(1)")]


def test_676a_12_printed_tables() -> None:
    tables = {(table.wager, table.id): (table.cite, dict(table.rows)) for table in GoForeItSubmission.paytables()}
    aces = {"four_aces": "1000:1", "three_aces": "50:1", "two_aces": "5:1", "one_ace": "2:1"}
    assert tables == {
        ("front_9", "standard"): ("676a.12(a)", {"win": "1:1"}),
        ("back_9", "standard"): ("676a.12(b)", {"albatross": "25:1", "eagle": "5:1", "birdie": "2:1", "par": "1:1"}),
        ("skins", "standard"): ("676a.12(c)", {"win": "1:1"}),
        ("gopher", "A"): ("676a.12(d)", aces),
        ("gopher", "B"): ("676a.12(d)", {**aces, "two_aces": "6:1"}),
    }


@pytest.mark.parametrize("document", [{"gopher_paytable": "C"}, {"gopher_paytable": 1}, {"colour": "red"}])
def test_676a_submission_that_is_not_well_formed(document: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        GoForeItSubmission.model_validate(document)
