"""The Rules Submission of chapter 563: what may be filed, what is shipped, what is printed; and the payout limit."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from tablectl.cards import card
from tablectl.games import game
from tablectl.games.texas_holdem_bonus import bonus_row, most_paid
from tablectl.money import Money
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.rules.texas_holdem_bonus import TexasHoldemBonusSubmission
from tests.games.by_hand_563 import DECK, LEAST
from tests.games.by_hand_563 import bonus_row as by_hand


def filed(**document: Any) -> Any:
    return TexasHoldemBonusSubmission.model_validate(document).filed()


def objections(**document: Any) -> list[tuple[str, str]]:
    return [(o.key, o.cite) for o in TexasHoldemBonusSubmission.model_validate(document).objections()]


def test_563_12_c_least_odds_are_the_shipped_ones() -> None:
    shipped = filed()
    assert {row: str(paid) for row, paid in shipped.bonus.items()} == LEAST
    assert shipped == filed(bonus_paytable="minimum", both_aces_pays="none", ante_qualifier="straight")
    assert shipped.both_aces is None
    assert objections() == []


@pytest.mark.parametrize("row", LEAST)
def test_563_12_c_each_row_has_its_own_minimum(row: str) -> None:
    least = int(LEAST[row].removesuffix(":1"))
    for text, cite in (
        (f"{least}:1", None),
        (f"{2 * least + 1}:2", None),
        (f"{2 * least - 1}:2", "563.12(c)"),
        (f"{least + 1} for 1", "563.12(a)"),
    ):
        found = objections(bonus_paytable={row: text})
        assert found == ([] if cite is None else [(f"bonus_paytable.{row}", cite)]), text
    better = filed(bonus_paytable={row: f"{least + 1}:1"}).bonus
    assert {name: str(paid) for name, paid in better.items()} == {**LEAST, row: f"{least + 1}:1"}


@pytest.mark.parametrize(
    ("text", "cite"),
    [("1000:1", None), ("2001:2", None), ("999:1", "563.12(d)"), ("1999:2", "563.12(d)"), ("5000 for 1", "563.12(a)")],
)
def test_563_12_d_two_pairs_of_aces_pay_a_thousand_at_least(text: str, cite: str | None) -> None:
    assert objections(both_aces_pays=text) == ([] if cite is None else [("both_aces_pays", cite)])
    if cite is None:
        assert str(filed(both_aces_pays=text).both_aces) == text


def test_563_12_c_every_two_cards_are_in_their_row() -> None:
    for place, first in enumerate(DECK):
        for second in DECK[:place]:
            assert bonus_row((card(first), card(second))) == by_hand([first, second]), (first, second)


@pytest.mark.parametrize(
    ("rules", "minimum", "most"),
    [
        ({}, None, "50000.00"),
        ({}, "10.00", "50000.00"),
        ({}, "9994.00", "50000.00"),  # 5 x 9,994 and 30 is just that
        ({}, "9994.01", "50000.05"),
        ({"bonus_paytable": {"ace_ace": "100:1"}}, "9994.00", "50070.00"),
        ({"both_aces_pays": "49995:1"}, None, "50000.00"),
        ({"both_aces_pays": "49996:1"}, None, "50001.00"),
        ({"both_aces_pays": "1000:1"}, "9900.00", "50500.00"),
        ({"bonus_paytable": {"ace_king_different_suits": "60000:1"}, "both_aces_pays": "1000:1"}, "0.50", "60002.50"),
    ],
)
def test_563_12_e_limit_is_50000_or_what_the_minimum_wagers_could_win(
    rules: dict[str, Any], minimum: str | None, most: str
) -> None:
    """Ante, twice that, Turn and River at even money; on the Bonus, whose minimum is its own, one dollar."""
    cents = None if minimum is None else Money(int(minimum.replace(".", "")))
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 6, minimum=cents)
    assert most_paid(filed(**rules), setup) == int(most.replace(".", ""))


def test_563_12_paytables() -> None:
    tables = {(p.wager, p.id): (p.cite, dict(p.rows)) for p in TexasHoldemBonusSubmission.paytables()}
    even = ("563.12(b)", {"win": "1:1"})
    assert tables == {
        **{(wager, "standard"): even for wager in ("ante", "flop", "turn", "river")},
        ("bonus", "minimum"): ("563.12(c)", LEAST),
        ("bonus", "both_aces_minimum"): ("563.12(d)", {"both_aces": "1000:1"}),
    }
    assert all("for" not in paid for _cite, rows in tables.values() for paid in rows.values()), "563.12(a)"


def test_options() -> None:
    options = {o.key: (o.default, o.values, o.cite) for o in TexasHoldemBonusSubmission.options()}
    assert options == {
        "smallest_chip": ("1.00", (), None),
        "ante_qualifier": ("straight", ("straight", "flush"), "563.11(h)(2)"),
        "bonus_paytable": ("minimum", ("minimum",), "563.12(c)"),
        "both_aces_pays": ("none", ("none",), "563.12(d)"),
    }


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"colour": "red"}, "colour"),
        ({"ante_qualifier": "three_of_a_kind"}, "ante_qualifier"),
        ({"bonus_paytable": "maximum"}, "bonus_paytable"),
        ({"bonus_paytable": {"ace_ace": 30}}, "bonus_paytable.rows.ace_ace"),
        ({"bonus_paytable": {"seven_deuce": "30:1"}}, "bonus_paytable.rows.seven_deuce"),
        ({"both_aces_pays": "some"}, "both_aces_pays"),
        ({"both_aces_pays": 1000}, "both_aces_pays"),
    ],
)
def test_submission_that_is_not_well_formed(document: dict[str, Any], where: str) -> None:
    with pytest.raises(ValidationError) as refused:
        TexasHoldemBonusSubmission.model_validate(document)
    (fault,) = refused.value.errors()
    assert ".".join(str(part) for part in fault["loc"]).startswith(where)


def test_563_2_a_six_seats() -> None:
    assert game("texas_holdem_bonus").seats == 6
