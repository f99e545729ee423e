"""The Rules Submission of chapter 565: what may be filed, what is shipped, what is printed."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tablectl.money import odds
from tablectl.rules.three_card_poker import ThreeCardPokerSubmission

LEAST = {"pair": 1, "flush": 3, "straight": 5, "three_of_a_kind": 25, "straight_flush": 35, "mini_royal": 35}


def test_565_12_d_least_odds_are_the_shipped_ones() -> None:
    filed = ThreeCardPokerSubmission().filed()
    assert {row: str(paid) for row, paid in filed.pair_plus.items()} == {row: f"{n}:1" for row, n in LEAST.items()}
    assert list(ThreeCardPokerSubmission().objections()) == []


@pytest.mark.parametrize("row", LEAST)
def test_565_12_d_each_row_has_its_own_minimum(row: str) -> None:
    least = LEAST[row]
    for text, refused in ((f"{least}:1", False), (f"{2 * least + 1}:2", False), (f"{2 * least - 1}:2", True)):
        submission = ThreeCardPokerSubmission.model_validate({"pair_plus_paytable": {row: text}})
        objections = list(submission.objections())
        assert [o.cite for o in objections] == (["565.12(d)"] if refused else []), text
        if refused:
            assert row in objections[0].key
            assert text in objections[0].message


def test_565_12_e_standard_version_has_one_bonus_table() -> None:
    for table in "ABC":
        filed = ThreeCardPokerSubmission.model_validate({"ante_bonus_paytable": table}).filed()
        assert {row: str(paid) for row, paid in filed.ante_bonus.items()} == {
            "straight_flush": "5:1",
            "three_of_a_kind": "4:1",
            "straight": "1:1",
        }
        assert filed.ante_bonus_cite == "565.12(e)"


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("A", "mini_royal_spades 50 mini_royal 5 straight_flush 4 three_of_a_kind 3 straight 1"),
        ("B", "mini_royal_spades 50 mini_royal 50 straight_flush 8 three_of_a_kind 6"),
        ("C", "mini_royal_spades 50 mini_royal 10 straight_flush 4 three_of_a_kind 3"),
    ],
)
@pytest.mark.parametrize("version", ["pair_plus_needs_equal_ante", "pair_plus_needs_half_ante", "both_required"])
def test_565_12_f_three_tables(table: str, rows: str, version: str) -> None:
    words = rows.split()
    expected = {row: odds(f"{pays}:1") for row, pays in zip(words[::2], words[1::2], strict=True)}
    filed = ThreeCardPokerSubmission.model_validate({"version": version, "ante_bonus_paytable": table}).filed()
    assert dict(filed.ante_bonus) == expected
    assert filed.ante_bonus_cite == "565.12(f)"


@pytest.mark.parametrize("table", ["A", "B", "C"])
@pytest.mark.parametrize("cell", ["straight", "mini_royal_spades"])
def test_565_12_f_blank_cells_can_be_filed(table: str, cell: str) -> None:
    def filed(choice: str) -> str | None:
        document = {"version": "both_required", "ante_bonus_paytable": table, "ante_bonus_cells": {cell: choice}}
        paid = ThreeCardPokerSubmission.model_validate(document).filed().ante_bonus.get(cell)
        return None if paid is None else str(paid)

    printed = {"straight": "1:1", "mini_royal_spades": "50:1"}[cell]
    assert filed(printed) == printed
    assert filed("none") is None


@pytest.mark.parametrize("version", ["pair_plus_needs_equal_ante", "pair_plus_needs_half_ante", "both_required"])
def test_565_11_b_other_versions_always_forfeit_pair_plus(version: str) -> None:
    document = {"version": version, "pair_plus_after_fold": "stays"}
    assert ThreeCardPokerSubmission.model_validate(document).filed().fold_forfeits_pair_plus
    assert not ThreeCardPokerSubmission().filed().fold_forfeits_pair_plus


@pytest.mark.parametrize(
    "document",
    [
        {"colour": "red"},
        {"version": "deluxe"},
        {"ante_bonus_paytable": "D"},
        {"pair_plus_paytable": {"pair": 1}},
        {"pair_plus_paytable": {"pair": "1 to 1"}},
        {"pair_plus_paytable": {"four_of_a_kind": "9:1"}},
        {"pair_plus_after_fold": True},
        {"adjacent_positions": "perhaps"},
        {"smallest_chip": "0.00"},
        {"smallest_chip": 1},
    ],
)
def test_submission_that_is_not_well_formed(document: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ThreeCardPokerSubmission.model_validate(document)
