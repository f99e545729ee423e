"""Chapter 670a before the first card: decks and dice that are changed in time, the cut, and where the deal begins."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.outcome import RoundFold
from tablectl.engine.scenario import parse
from tablectl.engine.script import play_one
from tablectl.games import game
from tablectl.procedure.table import Table, TableState
from tablectl.records import replace
from tests.games.by_hand_670a import Round, Seat, script
from tests.games.rounds import outcome
from tests.procedure.stand_ins import OPENING, SHUFFLE

NAME = "six_card_fortune_pai_gow"
HAND, DEALER = ["Ts", "Th", "Ad", "8d", "6c", "3h"], ["9s", "9d", "Kh", "7c", "5d", "2c"]
PLAYED = Round([Seat(3, HAND, 1000)], DEALER, offers_double=False, offers_progressive=False)
AROUND = ["dealer", "seat 6", "seat 5", "seat 4", "seat 3", "seat 2", "seat 1"]
"""670a.5(i)(1)(iii), (2): the dealer is one, then counterclockwise."""


def played(since: int | None = 0, **rules: Any) -> tuple[RoundFold, TableState]:
    """One round at a table whose dice have come then; by number 1 where that is filed."""
    told = {**script(PLAYED), "rng": [1]}
    told.pop("dice" if rules.get("starting_position") == "rng" else "rng")
    scenario = parse({"game": NAME, "rules": rules, "round": [told]})
    state = replace(scenario.first_state(), dice_since=since)
    return play_one(scenario, scenario.rounds[0], Table(scenario.game, scenario.rules, scenario.setup, state))


def starts(rounds: list[dict[str, Any]]) -> list[str]:
    return [act.removeprefix("start ") for each in rounds for act in each["order"] if act.startswith("start")]


@pytest.mark.parametrize(
    ("since", "method", "changed"),
    [
        (None, "shaker", True),
        (0, "shaker", False),
        (1 - 24 * 3600, "shaker", False),
        (-24 * 3600, "shaker", True),
        (None, "rng", False),
    ],
)
def test_670a_2_d_1_i_dice_are_at_the_table_for_24_hours_at_the_most(
    since: int | None, method: str, *, changed: bool
) -> None:
    fold, after = played(since, starting_position=method)
    steps = [(event.step, event.by, event.cite) for event in fold.events if isinstance(event, e.StepAttested)]
    assert steps == ([("new_dice", "both", "670a.2(d)(1)(i)")] if changed else [])
    assert after.dice_since == (0 if changed else since)


@pytest.mark.parametrize(
    ("dealing", "hours", "clause"),
    [
        ("from_hand", 4, "670a.3(c)(1)"),
        ("manual_shoe", 8, "670a.3(c)(2)"),
        ("automated_shoe", 8, "670a.3(c)(2)"),
    ],
)
def test_670a_3_c_deck_is_changed_in_time(dealing: str, hours: int, clause: str) -> None:
    for at, expected in ((hours, "suspended"), (hours - 1, "completed")):
        table = {"dealing": dealing, "shuffler": "plain", "deck_hours": at}
        (found,) = outcome(script(replace_dealing(dealing)), table=table, game=NAME)["rounds"]
        assert found["outcome"] == expected
        assert (found["cause"], found["cite"]) == (
            ("deck_change_due", clause) if expected == "suspended" else (None, None)
        )


def replace_dealing(dealing: str) -> Round:
    return Round(PLAYED.seats, DEALER, offers_double=False, offers_progressive=False, dealing=dealing)


def test_670a_4_and_5_opening_and_cut_are_by_the_clauses_that_say_so() -> None:
    """As the chapters' openings and shuffles are listed for the shared procedures."""
    assert game(NAME).opening_clauses == OPENING["670a"]
    assert game(NAME).shuffle_clauses == SHUFFLE["670a"]
    assert game(NAME).deck == 53


def test_670a_5_i_1_iii_every_total_of_three_dice_is_counted_from_the_dealer() -> None:
    throws = [(total, throw(total)) for total in range(3, 19)]
    rounds = [
        {
            **script(Round(PLAYED.seats, DEALER, place(total), offers_double=False, offers_progressive=False)),
            "dice": [d],
        }
        for total, d in throws
    ]
    assert starts(outcome(*rounds, game=NAME)["rounds"]) == [AROUND[(total - 1) % 7] for total, _dice in throws]


def throw(total: int) -> str:
    """Three dice of that total."""
    first = min(6, total - 2)
    second = min(6, total - first - 1)
    return f"{first} {second} {total - first - second}"


def place(total: int) -> int:
    """The seat that the count comes to, 0 for the dealer."""
    name = AROUND[(total - 1) % 7]
    return 0 if name == "dealer" else int(name.split()[1])


def test_670a_5_i_2_every_number_is_counted_from_the_dealer() -> None:
    rounds = []
    for number in range(1, 8):
        told = script(Round(PLAYED.seats, DEALER, place(number), offers_double=False, offers_progressive=False))
        del told["dice"]
        rounds.append({**told, "rng": [number]})
    assert starts(outcome(*rounds, rules={"starting_position": "rng"}, game=NAME)["rounds"]) == AROUND


@pytest.mark.parametrize("method", ["shaker", "rng"])
def test_670a_5_i_1_iv_shaker_is_covered_and_shaken_once_after_the_deal(method: str) -> None:
    fold, _after = played(starting_position=method)
    kinds = [type(event) for event in fold.events]
    assert (e.ShakerCovered in kinds) == (method == "shaker")
    if method == "shaker":
        covered = kinds.index(e.ShakerCovered)
        assert e.CardDealt not in kinds[covered:]
        assert e.CardsCounted in kinds[:covered]
        assert covered < kinds.index(e.SeatAsked)


@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand", "automated_shoe"])
def test_670a_8_g_cards_of_places_without_a_wager_go_to_the_rack_unseen(dealing: str) -> None:
    clause = {"manual_shoe": "8(g)", "from_hand": "9(f)", "automated_shoe": "10(f)"}[dealing]
    scenario = parse(
        {
            "game": NAME,
            "table": {"dealing": dealing, "shuffler": "plain"},
            "round": [script(replace_dealing(dealing))],
        }
    )
    fold, _after = play_one(
        scenario, scenario.rounds[0], Table(scenario.game, scenario.rules, scenario.setup, scenario.first_state())
    )
    racked = [(x.position.number, x.cards, x.cite) for x in fold.events if isinstance(x, e.CardsCollected)]
    assert racked == [(number, 6, f"670a.{clause}") for number in (1, 2, 4, 5, 6)]
    shown = [x.position.name for x in fold.events if isinstance(x, e.CardsExposed)]
    assert shown == ["dealer", "seat 3"]


@pytest.mark.parametrize(("first", "second", "order"), [(1000, 1001, "3 2"), (1001, 1000, "2 3"), (1000, 1000, "3 2")])
def test_670a_7_f_of_two_areas_of_one_player_the_larger_wager_is_set_first(first: int, second: int, order: str) -> None:
    seats = [Seat(2, HAND, first), Seat(3, ["Kd", "Jh", "8c", "6d", "4s", "2h"], second)]
    told = script(Round(seats, DEALER, offers_double=False, offers_progressive=False), players={"p1": [2, 3]})
    (found,) = outcome(told, rules={"adjacent_positions": True}, game=NAME)["rounds"]
    assert [act.removeprefix("ask ") for act in found["order"] if act.startswith("ask")] == order.split()
