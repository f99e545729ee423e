"""The Rules Submission of chapter 672a, and what the chapter or the filing forbids in a round or a table."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from tablectl.errors import ScenarioError
from tablectl.games import game
from tablectl.games.free_bet_blackjack import check_wagers
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.instructions import Stake
from tablectl.rules.free_bet_blackjack import FreeBetBlackjackRules, FreeBetBlackjackSubmission
from tests.games.rounds import outcome

GAME = "free_bet_blackjack"
CARDS = "2h Tc 8c 7c Jc"
ROUND: dict[str, object] = {"wagers": {"1": {"blackjack": "10.00"}}, "cards": CARDS, "decisions": {"1": ["stand"]}}
Case = tuple[Mapping[str, object], Mapping[str, object], Mapping[str, object], int | None, str]

# What may be filed ----------------------------------------------------------------------------------------------------


def test_672a_11_paytables_are_as_printed() -> None:
    listed = {
        (table.wager, table.id): (table.cite, dict(table.rows)) for table in FreeBetBlackjackSubmission.paytables()
    }
    assert listed == {
        ("blackjack", "standard"): ("672a.11(a)", {"blackjack": "3:2", "win": "1:1"}),
        ("blackjack", "even_money"): ("672a.8(e)", {"blackjack": "1:1"}),
        ("split", "standard"): ("672a.11(a)", {"win": "1:1"}),
        ("double", "standard"): ("672a.11(a)", {"win": "1:1"}),
        ("push_22", "A"): ("672a.11(c)", {"same_suit": "50:1", "same_color": "20:1", "other": "8:1"}),
        ("push_22", "B"): ("672a.11(c)", {"same_suit": "50:1", "same_color": "20:1", "other": "7:1"}),
        ("insurance", "standard"): ("672a.11(b)", {"win": "2:1"}),
    }


def test_672a_3_a_6_f_7_r_8_e_10_d_11_c_shipped_submission() -> None:
    shipped = {option.key: (option.default, option.cite) for option in FreeBetBlackjackSubmission.options()}
    assert shipped == {
        "smallest_chip": ("1.00", None),
        "decks": (6, "672a.3(a)"),
        "push_22": ("off", "672a.11(c)"),
        "even_money": (False, "672a.8(e)"),
        "settlement": ("collect_then_pay", "672a.7(r)"),
        "adjacent_positions": (1, "672a.6(f)"),
        "bar_mid_shoe": (False, "672a.6(b)"),
        "split_aces": ("play_on", "672a.10(d)"),
    }
    assert list(FreeBetBlackjackSubmission().objections()) == []


@pytest.mark.parametrize(
    "document",
    [
        {"decks": 7},
        {"decks": "6"},
        {"push_22": "C"},
        {"even_money": "yes"},
        {"settlement": "clockwise"},
        {"adjacent_positions": 0},
        {"adjacent_positions": 7},
        {"adjacent_positions": True},
        {"split_aces": "never"},
        {"surrender": True},
        {"payout_limit": "50000.00"},
    ],
)
def test_submission_that_is_not_well_formed(document: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        FreeBetBlackjackSubmission.model_validate(document)


@pytest.mark.parametrize(("decks", "cards"), [(6, 312), (8, 416)])
def test_672a_3_a_six_or_eight_decks(decks: int, cards: int) -> None:
    filed = FreeBetBlackjackSubmission.model_validate({"decks": decks})
    assert game(GAME).as_filed(filed).deck == cards


# What is forbidden ----------------------------------------------------------------------------------------------------

PUSH_22 = {"push_22": "A"}
FORBIDDEN: dict[str, Case] = {
    "672a.6(d) push 22 alone": ({"wagers": {"2": {"push_22": "5.00"}}}, PUSH_22, {}, 2, "OPEN"),
    "672a.6(e) push 22 is not filed": (
        {"wagers": {"1": {"blackjack": "10.00", "push_22": "5.00"}}},
        {},
        {},
        1,
        "OPEN",
    ),
    "672a.6(d) below the minimum": ({}, {}, {"minimum": "10.01"}, 1, "OPEN"),
    "672a.6(d) above the maximum": ({}, {}, {"maximum": "9.99"}, 1, "OPEN"),
    "672a.6(e) push 22 above the maximum": (
        {"wagers": {"1": {"blackjack": "10.00", "push_22": "20.01"}}},
        PUSH_22,
        {"maximum": "20.00"},
        1,
        "OPEN",
    ),
    "672a.6(c) insurance before the deal": (
        {"wagers": {"1": {"blackjack": "10.00", "insurance": "5.00"}}},
        {},
        {},
        1,
        "OPEN",
    ),
    "672a.6(c) a double before the deal": (
        {"wagers": {"1": {"blackjack": "10.00", "double": "5.00"}}},
        {},
        {},
        1,
        "OPEN",
    ),
    "672a.6(f) two boxes": (
        {"wagers": {"1": {"blackjack": "5.00"}, "2": {"blackjack": "5.00"}}, "players": {"p1": [1, 2]}},
        {},
        {},
        None,
        "OPEN",
    ),
    "672a.6(f) three boxes of two": (
        {"players": {"p1": [1, 2, 3]}},
        {"adjacent_positions": 2},
        {},
        None,
        "OPEN",
    ),
    "672a.6(f) boxes that are not adjacent": (
        {"players": {"p1": [1, 3]}},
        {"adjacent_positions": 3},
        {},
        None,
        "OPEN",
    ),
    "672a.2(a) a seventh seat": ({"wagers": {"7": {"blackjack": "5.00"}}}, {}, {}, 7, "OPEN"),
    "672a.2(a) seven seats": ({}, {}, {"seats": 7}, None, "RULES"),
    "672a.7(a) from the hand": ({}, {}, {"dealing": "from_hand", "shuffler": "plain"}, None, "RULES"),
    "672a.7(a) stacks": ({}, {}, {"dealing": "automated_shoe"}, None, "RULES"),
    "672a.7(h)(2) no surrender": ({"decisions": {"1": ["surrender"]}}, {}, {}, 1, "DECIDING"),
    "672a.7(h)(2) no decision": ({"decisions": {}}, {}, {}, 1, "DECIDING"),
    "672a.7(h)(2) a split of no pair": ({"decisions": {"1": ["split"]}}, {}, {}, 1, "DECIDING"),
    "672a.9(a)(2) more than the wager": ({"decisions": {"1": ["double 10.01"]}}, {}, {}, 1, "DECIDING"),
    "672a.9(a)(2) a double of nothing": ({"decisions": {"1": ["double 0.00"]}}, {}, {}, 1, "DECIDING"),
    "672a.7(h)(2) a free double costs nothing": (
        {"cards": "2h 4c 8c 5c Jc", "decisions": {"1": ["double 5.00"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "672a.7(h)(2) a double of three cards": (
        {"cards": "2h 4c 8c 2c Jc 5h", "decisions": {"1": ["hit", "double"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "672a.7(h)(2) insurance under a ten": (
        {"cards": "2h Tc Kc 7c Jc", "decisions": {"1": ["insurance"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "672a.8(b) more than half": (
        {"cards": "2h Tc Ac 7c Jc", "decisions": {"1": ["insurance 5.01"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "672a.8(a) even money that is not filed": (
        {"cards": "2h Tc Ac As Jc", "decisions": {"1": ["even_money"]}},
        {},
        {},
        1,
        "DECIDING",
    ),
    "672a.8(a) even money without a Blackjack": (
        {"cards": "2h Tc Ac 9s Jc", "decisions": {"1": ["even_money"]}},
        {"even_money": True},
        {},
        1,
        "DECIDING",
    ),
}


@pytest.mark.parametrize("case", FORBIDDEN)
def test_672a_forbidden(case: str) -> None:
    changes, rules, table, seat, stage = FORBIDDEN[case]
    document = outcome({**ROUND, **changes}, rules=rules, table=table, game=GAME)
    error = document["error"]
    assert document["rounds"] == []
    assert (error["seat"], error["stage"], error["cite"]) == (seat, stage, case.partition(" ")[0])
    assert error["message"]


def test_672a_10_d_a_fifth_hand_is_refused() -> None:
    script = {
        "wagers": {"1": {"blackjack": "10.00"}},
        "cards": "2h 8c 6c 8d Kc 8h 8s 8c 8d",
        "decisions": {"1": ["split", "split", "split", "split"]},
    }
    error = outcome(script, game=GAME)["error"]
    assert (error["seat"], error["cite"]) == (1, "672a.7(h)(2)")
    assert "'split' is not offered" in error["message"]


@pytest.mark.parametrize("kind", ["card_exposed", "wrong_card_count", "shoe_jam", "no_roll", "earthquake"])
def test_672a_12_knows_no_other_irregularity(kind: str) -> None:
    incident = {"at": "decision 1", "kind": kind, "position": "seat 1"}
    error = outcome({**ROUND, "incidents": [incident]}, game=GAME)["error"]
    assert error["stage"] == "OPEN"
    assert kind in error["message"]


def test_672a_6_b_who_does_not_wager_is_barred_until_the_reshuffle() -> None:
    first = {"wagers": {"1": {"blackjack": "10.00"}}, "cards": CARDS, "decisions": {"1": ["stand"]}}
    cover = {"incidents": [{"at": "card 3", "kind": "cover_card"}]}
    barred = {"wagers": {"2": {"blackjack": "10.00"}}, "cards": CARDS, "decisions": {"2": ["stand"]}}
    assert len(outcome(first, {**barred, "cards": "Tc 8c 7c Jc"}, game=GAME)["rounds"]) == 2
    document = outcome(first, barred, rules={"bar_mid_shoe": True}, game=GAME)
    assert (document["error"]["seat"], document["error"]["cite"]) == (2, "672a.6(b)")
    assert len(outcome({**first, **cover}, barred, rules={"bar_mid_shoe": True}, game=GAME)["rounds"]) == 2


def test_672a_6_of_unknown_amounts_only_presence_is_judged() -> None:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 6, minimum=Money(1000), maximum=Money(2000))
    rules: FreeBetBlackjackRules = FreeBetBlackjackSubmission.model_validate({"push_22": "A"}).filed()
    placed = [Stake(1, "blackjack", None), Stake(1, "push_22", None), Stake(2, "push_22", None)]
    found = [(number, objection.key, objection.cite) for number, objection in check_wagers(rules, setup, placed)]
    assert found == [(2, "push_22", "672a.6(d)")]


def test_672a_messages_fit_the_panel() -> None:
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 6, minimum=Money(100_000), maximum=Money(100_000))
    off: FreeBetBlackjackRules = FreeBetBlackjackSubmission().filed()
    on: FreeBetBlackjackRules = FreeBetBlackjackSubmission.model_validate({"push_22": "A"}).filed()
    for amount in (Money(1), Money(9_999_999)):
        placed = [Stake(6, "blackjack", amount), Stake(6, "push_22", amount), Stake(5, "push_22", amount)]
        for rules in (off, on):
            for number, objection in check_wagers(rules, setup, placed):
                assert len(f"SEAT {number}: {objection.message}") <= 40


# The shoe -------------------------------------------------------------------------------------------------------------


def seven(first: int, second: int) -> tuple[dict[str, object], dict[str, object]]:
    """Two rounds that list the ace of spades so many times each, all of them as cards that leave."""

    def hands(aces: int, burned: str) -> dict[str, object]:
        own = ["As"] * aces + ["2c"] * 4
        return {
            "wagers": {"1": {"blackjack": "10.00"}},
            "cards": " ".join(([burned] if burned else []) + [own[0], "9c", own[1], "8d", *own[2:4]]),
            "decisions": {"1": ["hit", "hit", "stand"]},
        }

    return hands(first, "3c"), hands(second, "")


def test_672a_3_a_cards_are_counted_over_the_whole_shoe() -> None:
    assert len(outcome(*seven(4, 2), game=GAME)["rounds"]) == 2
    with pytest.raises(ScenarioError, match="round 2: cards: As is listed"):
        outcome(*seven(4, 3), game=GAME)
    assert len(outcome(*seven(4, 3), rules={"decks": 8}, game=GAME)["rounds"]) == 2


def test_672a_3_a_listed_cards_that_are_not_drawn_stay_in_the_shoe() -> None:
    first = {**ROUND, "cards": f"{CARDS} As As As As As As"}
    second = {"wagers": {"1": {"blackjack": "10.00"}}, "cards": "As 8c As Jc", "decisions": {"1": ["stand"]}}
    assert len(outcome(first, second, game=GAME)["rounds"]) == 2


def test_672a_5_h_a_continuous_shuffler_has_all_cards_back_after_each_round() -> None:
    table = {"shuffler": "counting", "shuffler_mode": "continuous"}
    document = outcome(*seven(4, 3), table=table, game=GAME)
    assert [played["deck"]["disposition"] for played in document["rounds"]] == ["continue"] * 2
    assert [played["order"][0] for played in document["rounds"]] == ["card 1 -> burn", "no_more_bets"]


def test_672a_7_d_a_reshuffled_shoe_holds_all_cards_again() -> None:
    first, second = seven(4, 3)
    cover = [{"at": "card 2", "kind": "cover_card"}]
    again = {**second, "cards": f"3c {second['cards']}"}
    assert len(outcome({**first, "incidents": cover}, again, game=GAME)["rounds"]) == 2
