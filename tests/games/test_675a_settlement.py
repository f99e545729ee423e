"""675a.2(d) and 675a.4 to 675a.6: every throw there can be, and rounds worked out a second time from the text alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.games.high_roll_dice import matched
from tests.games.by_hand_675a import EXTRA, LIKE, LIST, PIP, called, played
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document, assert_money_is_conserved, cents, without_deck_ids

RANKING = (1, 6, 5, 4, 3, 2)


def play(wagers: Mapping[str, Any], *dice: str, number: int = 10, **more: Any) -> Document:
    return only_round(
        outcome(
            {"wagers": wagers, "dice": list(dice), **more},
            rules={"dice": number},
            game="high_roll_dice",
        )
    )


def rows(document: Document) -> dict[str, tuple[str, str | None, str]]:
    """Result, odds and clause of each wager of the one seat that plays."""
    return {row["wager"]: (row["result"], row["odds"], row["cite"]) for row in document["wagers"]}


# Every throw --------------------------------------------------------------------------------------------------------


def compositions(dice: int, faces: int) -> Iterator[tuple[int, ...]]:
    """How often each of the faces may come: all ways in which these numbers add up to so many dice."""
    if faces == 1:
        yield (dice,)
        return
    for first in range(dice + 1):
        for rest in compositions(dice - first, faces - 1):
            yield (first, *rest)


def ways(dice: int, face: int, count: int) -> int:
    """In how many of all throws that face is called with so many dice (675a.2(d), 675a.4(d)), by counting alone.

    `count` dice show it, each higher face comes less often, and each lower one at most as often: the coefficient of a
    product of exponential generating functions.
    """
    series = [Fraction(1)]
    for other in RANKING:
        if other != face:
            most = count - 1 if RANKING.index(other) < RANKING.index(face) else count
            series = multiplied(series, [Fraction(1, factorial(n)) for n in range(most + 1)])
    left = dice - count
    coefficient = series[left] if left < len(series) else Fraction(0)
    return int(factorial(dice) * coefficient / factorial(count))


def multiplied(one: Sequence[Fraction], other: Sequence[Fraction]) -> list[Fraction]:
    made = [Fraction(0)] * (len(one) + len(other) - 1)
    for m, a in enumerate(one):
        for n, b in enumerate(other):
            made[m + n] += a * b
    return made


@pytest.mark.parametrize("dice", [10, 6])
def test_675a_2_d_and_4_d_every_throw_is_called_as_often_as_it_is_counted(dice: int) -> None:
    """All 6^10 (or 6^6) throws, each composition as often as it comes, against a count that enumerates nothing."""
    found: Counter[tuple[int, int]] = Counter()
    for counts in compositions(dice, 6):
        faces = [face for face, times in zip(range(1, 7), counts, strict=True) for _ in range(times)]
        most = matched(faces)
        throws = factorial(dice)
        for times in counts:
            throws //= factorial(times)
        found[most.face, most.count] += throws
    assert found.total() == 6**dice
    expected = {(face, count): ways(dice, face, count) for face in RANKING for count in range(1, dice + 1)}
    assert found == {key: throws for key, throws in expected.items() if throws}


def test_675a_6_d_every_throw_of_six_dice_one_by_one() -> None:
    for faces in product(range(1, 7), repeat=6):
        face, most = called(" ".join(map(str, faces)))
        found = matched(faces)
        assert (str(found.face), found.count) == (face, most)


def test_675a_5_chances_of_the_wagers_are_those_of_the_dice() -> None:
    """Over all throws the house keeps a part of every wager, and every wager can be won."""
    of_ten, of_six = (
        {count: sum(ways(dice, face, count) for face in RANKING) for count in range(1, dice + 1)} for dice in (10, 6)
    )
    for dice, counts in ((10, of_ten), (6, of_six)):
        for name, odds in LIKE[dice].items():
            won = Fraction(counts[1 if name == "none" else int(name)], 6**dice)
            pays = Fraction(odds.replace(":", "/"))
            assert 0 < won * (1 + pays) < 1, f"{name} of {dice} dice"
        for face, odds in PIP[dice].items():
            won = Fraction(sum(ways(dice, int(face), count) for count in counts), 6**dice)
            assert 0 < won * (1 + Fraction(odds.replace(":", "/"))) < 1, f"face {face} of {dice} dice"


@pytest.mark.parametrize("first", range(2, 9))
def test_675a_4_h_extra_rolls_come_to_each_number_as_binomials_say(first: int) -> None:
    """Every outcome of the dice that are thrown once more, by how many of them show the kept face."""
    more = 10 - first
    weights = [comb(more, hits) * 5 ** (more - hits) for hits in range(more + 1)]
    assert sum(weights) == 6**more
    kept = "1 " * first + " ".join((["2", "3", "4", "5", "6"] * 2)[:more])
    wagers = {"2": {"pip_1": "5.00", **{f"like_{n}": "5.00" for n in range(2, 9)}, "extra_roll": "5.00"}}
    for hits in range(more + 1):
        found = rows(play(wagers, kept, " ".join("1" * hits + "2" * (more - hits))))
        total = first + hits
        for number in range(first + 1, 9):
            won = number == total
            expected = ("win", EXTRA[str(number)], "675a.5(d)") if won else ("lose", None, "675a.4(h)")
            assert found[f"like_{number}"] == expected


# Rounds that hypothesis makes up --------------------------------------------------------------------------------------


@st.composite
def seats(draw: st.DrawFn, number: int) -> dict[str, dict[str, str]]:
    """Up to six seats with any wagers that the chapter allows."""
    likes = [name for name in LIST if name.startswith("like_") and name.removeprefix("like_") in LIKE[number]]
    wagers: dict[str, dict[str, str]] = {}
    for seat in sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=6))):
        amount = draw(st.integers(1, 100_000))
        text = f"{amount // 100}.{amount % 100:02d}"
        placed = draw(st.sets(st.sampled_from([f"pip_{face}" for face in "123456"]), min_size=1))
        like = draw(st.sets(st.sampled_from(likes)))
        wagers[str(seat)] = dict.fromkeys([*sorted(placed), *sorted(like)], text)
        if number == 10:
            for wager in draw(st.sets(st.sampled_from(["millionaire_9", "millionaire_10"]))):
                wagers[str(seat)][wager] = draw(st.sampled_from(["1.00", "0.25"]))
            buys = draw(st.booleans())
            if like and buys:
                wagers[str(seat)]["extra_roll"] = text
    return wagers


def faces(draw: st.DrawFn, count: int) -> str:
    """So many dice, mostly of few faces, so that high numbers come up."""
    few = draw(st.sampled_from(["123456", "15", "126", "4", "23"]))
    return " ".join(draw(st.lists(st.sampled_from(few), min_size=count, max_size=count)))


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, Any]:
    """A round with its throws, some of which are invalid or have a cocked die that counts."""
    number = draw(st.sampled_from([10, 6]))
    wagers = draw(seats(number))
    incidents: list[dict[str, Any]] = []
    dice: list[str] = []

    def valid(count: int) -> str:
        while True:
            dice.append(faces(draw, count))
            wrong = draw(st.sampled_from([None] * 6 + ["die_off_table", "dice_stacked", 1, 2]))
            at = f"throw {len(dice)}"
            if wrong is None:
                return dice[-1]
            if isinstance(wrong, str):
                incidents.append({"at": at, "kind": wrong})
            else:
                incidents.append({"at": at, "kind": "die_cocked", "sides": wrong})
                if wrong == 1:
                    return dice[-1]

    _face, most = called(valid(number))
    if any("extra_roll" in placed for placed in wagers.values()) and most < 10:
        valid(10 - most)
    limit = draw(st.sampled_from([None, 50_000_00, 60_000_00]))
    return {"number": number, "wagers": wagers, "dice": dice, "incidents": incidents, "limit": limit}


@settings(max_examples=300)
@given(rounds())
def test_675a_4_and_6_every_round_is_what_the_text_makes_of_it(script: dict[str, Any]) -> None:
    number, limit = script.pop("number"), script.pop("limit")
    rules = {"dice": number, "payout_limit": "none" if limit is None else f"{limit // 100}.00"}
    document = outcome(script, rules=rules, game="high_roll_dice")
    assert_money_is_conserved(document)
    (found,) = without_deck_ids(document)["rounds"]
    assert found == played(**script, number=number, limit=limit)


# Clause by clause -----------------------------------------------------------------------------------------------------


ALL_PIPS = {f"pip_{face}": "10.00" for face in "123456"}


def test_675a_2_a_everything_is_wagered_before_the_dice_are_shaken() -> None:
    order = play({"1": {"pip_1": "5.00", "like_2": "5.00"}}, "1 1 2 2 3 3 4 4 5 6")["order"]
    assert order[:2] == ["no_more_bets", "throw 1"]


def test_675a_4_a_extra_rolls_are_locked_out_and_collected_before_the_throw() -> None:
    wagers = {seat: {"pip_1": "5.00", "like_4": "5.00", "extra_roll": "5.00"} for seat in ("1", "3")}
    found = play({**wagers, "2": {"pip_1": "5.00"}}, "1 1 1 2 2 3 3 4 5 6", "2 2 3 3 4 5 6")
    assert found["order"][:5] == ["no_more_bets", "lock_out", "settle 3 extra_roll", "settle 1 extra_roll", "throw 1"]
    assert [row["cite"] for row in found["wagers"] if row["wager"] == "extra_roll"] == ["675a.4(a)"] * 2


def test_675a_4_a_nothing_is_locked_out_where_nobody_purchased_an_extra_roll() -> None:
    order = play({"2": {"pip_1": "5.00", "like_4": "5.00"}}, "1 1 1 2 2 3 3 4 5 6")["order"]
    assert "lock_out" not in order


@pytest.mark.parametrize("kind", ["die_off_table", "dice_stacked"])
def test_675a_4_b_throw_is_repeated_until_it_is_valid(kind: str) -> None:
    incidents = [{"at": "throw 1", "kind": kind}, {"at": "throw 2", "kind": kind}]
    found = play(
        {"2": ALL_PIPS}, "1 1 1 1 1 1 1 1 1 1", "2 2 2 2 2 2 2 2 2 2", "6 6 6 5 5 4 4 3 2 1", incidents=incidents
    )
    assert found["order"][1:4] == ["throw 1", "throw 2", "throw 3"]
    assert [wager for wager, (result, _odds, _cite) in rows(found).items() if result == "win"] == ["pip_6"]
    assert found["remedies"] == ["rethrown"]


@pytest.mark.parametrize(("sides", "wins", "remedy"), [(1, "pip_1", "round_resumed"), (2, "pip_6", "rethrown")])
def test_675a_4_c_cocked_die_counts_unless_it_rests_on_two_sides(sides: int, wins: str, remedy: str) -> None:
    incidents = [{"at": "throw 1", "kind": "die_cocked", "sides": sides}]
    thrown = ["1 1 1 2 2 3 3 4 5 6", *(["6 6 6 5 5 4 4 3 2 1"] if sides == 2 else [])]
    found = play({"2": ALL_PIPS}, *thrown, incidents=incidents)
    assert [wager for wager, (result, _odds, _cite) in rows(found).items() if result == "win"] == [wins]
    assert found["remedies"] == [remedy]


@pytest.mark.parametrize(
    ("dice", "wins"),
    [
        ("6 6 6 4 4 4 4 1 2 3", "pip_4"),  # 675a.2(e)(1)(i)
        ("6 6 6 1 1 1 2 3 4 5", "pip_1"),  # 675a.2(e)(1)(ii)
        ("5 5 5 5 6 6 6 1 1 4", "pip_5"),  # 675a.4(e)
        ("6 6 6 4 4 4 2 2 1 1", "pip_6"),  # 675a.4(g)
        ("2 2 2 3 3 3 4 4 1 1", "pip_3"),
        ("1 1 2 2 3 3 4 4 5 5", "pip_1"),
    ],
)
def test_675a_4_d_and_e_the_face_that_is_called(dice: str, wins: str) -> None:
    found = rows(play({"2": ALL_PIPS}, dice))
    assert {wager: row for wager, row in found.items() if row[0] == "win"} == {
        wins: ("win", PIP[10][wins[-1]], "675a.5(a)")
    }


def test_675a_4_f_1_pip_street_as_in_the_text() -> None:
    found = play({"2": {"pip_5": "10.00", "pip_2": "10.00"}}, "5 5 5 5 6 6 6 1 1 4")
    assert found["order"][2:] == ["settle 2 pip_2", "settle 2 pip_5"]
    assert rows(found) == {"pip_2": ("lose", None, "675a.4(f)(1)"), "pip_5": ("win", "4:1", "675a.5(a)")}


def test_675a_4_f_2_i_like_kind_without_an_extra_roll_is_settled_at_once() -> None:
    wagers = {"pip_5": "10.00", **{f"like_{n}": "10.00" for n in range(2, 9)}}
    found = rows(play({"2": wagers}, "5 5 5 5 6 6 6 1 1 4"))
    assert found.pop("pip_5")[0] == "win"
    assert found.pop("like_4") == ("win", "1:1", "675a.5(b)")
    assert set(found.values()) == {("lose", None, "675a.4(f)(2)(i)")}


def test_675a_4_f_2_ii_like_kind_with_an_extra_roll_waits_if_it_can_still_win() -> None:
    wagers = {"pip_5": "10.00", "like_3": "10.00", "like_4": "10.00", "like_5": "10.00", "extra_roll": "10.00"}
    found = play({"2": wagers}, "5 5 5 5 6 6 6 1 1 4", "1 1 4 6 6 6")
    assert found["order"][3:] == [
        "throw 1",
        "settle 2 pip_5",
        "settle 2 like_4",
        "settle 2 like_3",
        "throw 2",
        "settle 2 like_5",
    ]
    assert rows(found)["like_3"] == ("lose", None, "675a.4(f)(2)(ii)")


@pytest.mark.parametrize(("dice", "odds"), [("3 3 3 3 3 3 3 3 3 1", ("$50000", None)), ("3 " * 10, (None, "$1000000"))])
def test_675a_4_f_3_millionaire_row(dice: str, odds: tuple[str | None, str | None]) -> None:
    found = rows(play({"2": {"pip_3": "5.00", "millionaire_9": "1.00", "millionaire_10": "1.00"}}, dice.strip()))
    for wager, paid in zip(("millionaire_9", "millionaire_10"), odds, strict=True):
        assert found[wager] == (("lose", None, "675a.4(f)(3)") if paid is None else ("win", paid, "675a.5(c)"))


def test_675a_4_g_other_dice_are_thrown_once_more_whatever_is_left_to_win() -> None:
    wagers = {"pip_1": "5.00", "like_2": "5.00", "extra_roll": "5.00"}
    found = play({"2": wagers}, "1 1 1 1 2 2 3 4 5 6", "1 2 3 4 5 6")
    assert found["order"][-1] == "throw 2"


def test_675a_4_h_number_is_not_paid_twice() -> None:
    wagers = {"pip_1": "5.00", "like_4": "5.00", "extra_roll": "5.00"}
    found = play({"2": wagers}, "1 1 1 1 2 2 3 4 5 6", "2 2 3 4 5 6")
    assert [row["paid"] for row in found["wagers"] if row["wager"] == "like_4"] == ["5.00"]
    assert found["order"].count("settle 2 like_4") == 1


@pytest.mark.parametrize(("face", "odds"), PIP[10].items())
def test_675a_5_a_pip_street_odds(face: str, odds: str) -> None:
    others = [other for other in "123456" if other != face]
    found = rows(play({"2": ALL_PIPS}, " ".join([face] * 5 + others)))
    assert found[f"pip_{face}"] == ("win", odds, "675a.5(a)")


@pytest.mark.parametrize(("number", "odds"), LIKE[10].items())
def test_675a_5_b_like_kind_odds(number: str, odds: str) -> None:
    rest = ("6655443322" if number == "2" else "6543265432")[: 10 - int(number)]
    wagers = {"pip_1": "5.00", f"like_{number}": "5.00"}
    found = rows(play({"2": wagers}, " ".join("1" * int(number) + rest)))
    assert found[f"like_{number}"] == ("win", odds, "675a.5(b)")


@pytest.mark.parametrize(("number", "odds"), EXTRA.items())
def test_675a_5_d_extra_roll_odds(number: str, odds: str) -> None:
    wagers = {"pip_1": "5.00", f"like_{number}": "5.00", "extra_roll": "5.00"}
    hits = int(number) - 2
    found = rows(play({"2": wagers}, "1 1 6 6 5 5 4 4 3 2", " ".join("1" * hits + "6" * (8 - hits))))
    assert found[f"like_{number}"] == ("win", odds, "675a.5(d)")


def test_675a_5_c_and_e_millionaire_row_is_beyond_the_limit() -> None:
    script = {"wagers": {"2": {"pip_3": "9000.00", "millionaire_9": "1.00"}}, "dice": ["3 3 3 3 3 3 3 3 3 1"]}
    found = only_round(outcome(script, rules={"payout_limit": "50000.00"}, game="high_roll_dice"))
    assert {row["wager"]: row["paid"] for row in found["wagers"]} == {"pip_3": "50000.00", "millionaire_9": "50000.00"}


def test_675a_5_e_limit_is_each_players_own_and_for_the_whole_round() -> None:
    wagers = {"pip_1": "10000.00", "like_3": "10000.00", "like_4": "10000.00", "extra_roll": "10000.00"}
    script = {
        "wagers": {"1": wagers, "5": wagers},
        "dice": ["1 1 1 2 2 3 3 4 5 6", "1 2 3 4 5 6 6"],
    }
    found = only_round(outcome(script, rules={"payout_limit": "50000.00"}, game="high_roll_dice"))
    for number in (1, 5):
        paid = {row["wager"]: cents(row["paid"]) for row in found["wagers"] if row["seat"] == number}
        # 3 to 1, 3 to 5, and of 1 to 1 what is left
        assert paid == {"pip_1": 30_000_00, "like_3": 6_000_00, "like_4": 10_000_00, "extra_roll": 0}
    script["wagers"] = {"1": dict.fromkeys(wagers, "12500.00")}
    (round_,) = outcome(script, rules={"payout_limit": "50000.00"}, game="high_roll_dice")["rounds"]
    assert [cents(row["paid"]) for row in round_["wagers"]] == [37_500_00, 7_500_00, 5_000_00, 0]


def test_675a_5_e_limit_is_one_for_both_positions_of_a_player() -> None:
    """Seats 2 and 3 are one player's: what seat 3, which is settled first, was paid is taken off for seat 2."""
    wagers = {"pip_1": "10000.00", "like_4": "10000.00", "extra_roll": "10000.00"}
    script = {
        "players": {"p1": [2, 3]},
        "wagers": {"1": wagers, "2": wagers, "3": wagers},
        "dice": ["1 1 1 2 2 3 3 4 5 6", "1 2 3 4 5 6 6"],
    }
    found = only_round(outcome(script, rules={"payout_limit": "50000.00"}, game="high_roll_dice"))
    paid = {(row["seat"], row["wager"]): cents(row["paid"]) for row in found["wagers"] if row["wager"] != "extra_roll"}
    assert paid == {
        (1, "pip_1"): 30_000_00,  # 3 to 1
        (1, "like_4"): 10_000_00,  # 1 to 1
        (2, "pip_1"): 20_000_00,  # what is left of the limit after seat 3
        (2, "like_4"): 0,
        (3, "pip_1"): 30_000_00,
        (3, "like_4"): 0,  # the extra roll is settled when nothing is left any more
    }
    apart = only_round(outcome({**script, "players": {}}, rules={"payout_limit": "50000.00"}, game="high_roll_dice"))
    assert [cents(row["paid"]) for row in apart["wagers"] if row["wager"] == "pip_1"] == [30_000_00] * 3


def test_675a_6_l_limit_with_six_dice_is_one_for_both_positions_of_a_player() -> None:
    wagers = {"pip_2": "5000.00", "like_2": "5000.00"}
    script = {"players": {"p1": [5, 6]}, "wagers": {"5": wagers, "6": wagers}, "dice": ["2 2 1 3 4 5"]}
    rules = {"dice": 6, "payout_limit": "50000.00"}
    found = only_round(outcome(script, rules=rules, game="high_roll_dice"))
    # seat 6: 8 to 1 and 1 to 2 are 42500.00, so that seat 5 gets 7500.00 of its 40000.00
    assert [(row["seat"], row["wager"], cents(row["paid"])) for row in found["wagers"]] == [
        (5, "pip_2", 7_500_00),
        (5, "like_2", 0),
        (6, "pip_2", 40_000_00),
        (6, "like_2", 2_500_00),
    ]


@pytest.mark.parametrize("seats", [[1, 3], [1, 2, 3]])
def test_675a_5_e_limit_is_kept_over_two_adjacent_positions_at_the_most(seats: list[int]) -> None:
    wagers = {str(seat): {"pip_1": "5.00"} for seat in seats}
    script = {"players": {"p1": seats}, "wagers": wagers, "dice": ["1 1 1 2 2 3 3 4 5 6"]}
    error = outcome(script, rules={"payout_limit": "50000.00"}, game="high_roll_dice")["error"]
    assert (error["stage"], error["cite"]) == ("OPEN", "675a.5(e)")
    assert "error" not in outcome(script, game="high_roll_dice")


@pytest.mark.parametrize(("face", "odds"), PIP[6].items())
def test_675a_6_j_pip_street_odds_of_six_dice(face: str, odds: str) -> None:
    others = [other for other in "123456" if other != face][:4]
    found = rows(play({"2": ALL_PIPS}, " ".join([face, face, *others]), number=6))
    assert found.pop(f"pip_{face}") == ("win", odds, "675a.6(j)")
    assert set(found.values()) == {("lose", None, "675a.6(i)")}


@pytest.mark.parametrize(("number", "odds"), LIKE[6].items())
def test_675a_6_k_like_kind_odds_of_six_dice(number: str, odds: str) -> None:
    alike = 1 if number == "none" else int(number)
    wagers = {"pip_4": "5.00", **{f"like_{n}": "5.00" for n in LIKE[6]}}
    found = rows(play({"2": wagers}, " ".join("4" * alike + "12356"[: 6 - alike]), number=6))
    assert found.pop(f"like_{number}") == ("win", odds, "675a.6(k)")
    found.pop("pip_4")
    assert set(found.values()) == {("lose", None, "675a.6(i)")}


def test_675a_6_l_limit_with_six_dice_leaves_for_like_kind_what_pip_street_has_not_taken() -> None:
    script = {"wagers": {"2": {"pip_2": "100.00", "like_6": "100.00"}}, "dice": ["2 2 2 2 2 2"]}
    found = only_round(outcome(script, rules={"dice": 6, "payout_limit": "50000.00"}, game="high_roll_dice"))
    assert {row["wager"]: row["paid"] for row in found["wagers"]} == {"pip_2": "800.00", "like_6": "49200.00"}


def test_675a_6_d_2_and_c_no_match_and_the_ace_is_highest() -> None:
    found = rows(play({"2": {**ALL_PIPS, "like_none": "10.00", "like_2": "10.00"}}, "6 5 4 3 2 1", number=6))
    assert [wager for wager, row in found.items() if row[0] == "win"] == ["pip_1", "like_none"]


def test_675a_6_g_h_i_six_dice_are_thrown_once_and_all_losing_wagers_go_first() -> None:
    wagers = {"pip_5": "5.00", "pip_6": "5.00", "like_2": "5.00", "like_3": "5.00"}
    found = play({"1": wagers, "4": wagers}, "5 5 5 6 6 4", number=6)
    each = ["pip_6", "like_2", "pip_5", "like_3"]
    assert found["order"] == [
        "no_more_bets",
        "throw 1",
        *(f"settle {seat} {wager}" for seat in (4, 1) for wager in each),
    ]
