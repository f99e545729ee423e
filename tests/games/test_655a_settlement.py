"""Chapter 655a against a second calculation from the text, for whatever hypothesis thinks of."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.cards import card
from tablectl.games import game
from tablectl.games.mississippi_stud import bonus_paid
from tablectl.money import odds
from tablectl.rules.mississippi_stud import MississippiStudSubmission
from tests.games.by_hand_563 import DECK, RANKS, dollars
from tests.games.by_hand_655a import BONUS, Round, Seat, document, script, three
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import without_deck_ids

POOLS = [RANKS, "AKQJT", "A2345", "23", "T9876", "JT65", "A", "56789"]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round of up to six seats; ranks and suits are drawn near each other, so that hands of every kind come up."""
    numbers = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=6)))
    ranks, suits = draw(st.sampled_from(POOLS)), draw(st.sampled_from(["cdhs", "hs", "s"]))
    near = [name for name in DECK if name[0] in ranks and name[1] in suits]
    pool = [*draw(st.permutations(near)), *draw(st.permutations([name for name in DECK if name not in near]))]
    board = [pool.pop(0) for _ in range(3)]
    offered = draw(st.booleans())
    times = st.lists(st.integers(1, 3), min_size=3, max_size=3)
    return Round(
        seats=[
            Seat(
                number,
                [pool.pop(0), pool.pop(0)],
                ante=draw(st.sampled_from([500, 501, 2500, 10_000, 99_999])),
                bets=draw(times)[: draw(st.sampled_from([0, 1, 2, 3, 3, 3, 3, 3]))],
                bonus=draw(st.sampled_from([0, 500, 2500])),
                progressive=draw(st.sampled_from([0, 100, 200, 500])) if offered else 0,
            )
            for number in numbers
        ],
        board=board,
        table=draw(st.sampled_from("ABCD")),
        offered=offered,
        meter=draw(st.sampled_from([10_000_00, 12_345_67, 98_765_49])),
        minimum=draw(st.sampled_from([100, 500])),
        counted=draw(st.booleans()),
        low_ace=draw(st.booleans()),
        folded_envy=draw(st.booleans()),
    )


@settings(max_examples=150)
@given(rounds())
def test_655a_11_and_12_every_wager_comes_out_as_the_text_says(played: Round) -> None:
    rules = {
        "three_card_bonus": played.table,
        "three_card_low_ace": "straight" if played.low_ace else "none",
        "progressive": played.offered,
        "folded_hand_envy": played.folded_envy,
    }
    table = {"minimum": dollars(played.minimum), "rounds_since_count": 4 if played.counted else 0}
    found = outcome(script(played), rules=rules, table=table, game="mississippi_stud")
    assert only_round(without_deck_ids(found)) == document(played)


@pytest.mark.parametrize("table", BONUS)
def test_655a_12_d_every_board(table: str) -> None:
    """All 22,100 boards of three cards, with both readings of ace, two and three."""
    filings = {
        low: MississippiStudSubmission.model_validate(
            {"three_card_bonus": table, "three_card_low_ace": "straight" if low else "none"}
        ).filed()
        for low in (True, False)
    }
    for board in combinations(DECK, 3):
        cards = [card(name) for name in board]
        for low, rules in filings.items():
            paid = BONUS[table].get(three(list(board), low))
            assert bonus_paid(rules, cards) == (None if paid is None else odds(f"{paid}:1")), board


def test_655a_12_b_what_the_minimum_wager_could_win_lifts_the_limit() -> None:
    """$50,000 at a minimum of $25, $60,000 at one of $30: 500 times the Ante and three streets of the same."""
    royal = Seat(1, ["As", "Ks"], 30_00, [3, 3, 3])
    for minimum, limit in ((25_00, "50000.00"), (30_00, "60000.00")):
        played = Round([royal], ["Qs", "Js", "Ts"], minimum=minimum)
        found = only_round(outcome(script(played), table={"minimum": dollars(minimum)}, game="mississippi_stud"))
        assert found["net"] == {"1": limit}


def test_655a_game_says_what_its_chapter_has() -> None:
    stud = game("mississippi_stud")
    assert (stud.seats, stud.hand, stud.deck) == (6, 2, 52)
