"""Chapter 657a against a second calculation from the text, for whatever hypothesis thinks of."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.cards import card
from tablectl.games.crazy_4_poker import most_times
from tablectl.hands.poker import FOUR_CARD, Evaluator
from tests.games.by_hand_563 import DECK, RANKS
from tests.games.by_hand_657a import Round, Seat, aces_or_better, best, document, script
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import without_deck_ids

POOLS = [RANKS, "AKQJT", "A2345", "23456789", "A", "QJ", "AA23456789", "KQJ"]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round of up to six seats; ranks and suits are drawn near each other, so that hands and ties come up."""
    numbers = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=6)))
    ranks, suits = draw(st.sampled_from(POOLS)), draw(st.sampled_from(["cdhs", "hs", "s"]))
    near = [name for name in DECK if name[0] in ranks and name[1] in suits]
    pool = [*draw(st.permutations(near)), *draw(st.permutations([name for name in DECK if name not in near]))]
    hands = [[pool.pop(0) for _ in range(5)] for _ in range(len(numbers) + 1)]
    if draw(st.booleans()):
        hands.reverse()
    table = draw(st.sampled_from(["off", "A", "B"]))

    def placed(number: int, hand: list[str]) -> Seat:
        most = 3 if aces_or_better(hand) else 1
        return Seat(
            number,
            hand,
            ante=draw(st.sampled_from([1, 500, 501, 2500, 99_999])),
            play=min(most, draw(st.sampled_from([0, 1, 1, 2, 3]))),
            queens=draw(st.sampled_from([0, 500, 2500])),
            progressive=draw(st.sampled_from([0, 100, 200, 500])) if table != "off" else 0,
        )

    return Round(
        seats=[placed(number, hand) for number, hand in zip(numbers, hands, strict=False)],
        dealer=hands[-1],
        queens=draw(st.sampled_from("ABCD")),
        progressive=table,
        meter=draw(st.sampled_from([10_000_00, 12_345_67])),
        automated=draw(st.booleans()),
        counted=draw(st.booleans()),
    )


@settings(max_examples=150)
@given(rounds())
def test_657a_11_and_12_every_wager_comes_out_as_the_text_says(played: Round) -> None:
    dealing = "automated_shoe" if played.automated else "manual_shoe"
    played.lock_out = "657a.10(a)(2)" if played.automated else "657a.8(b)"
    found = outcome(
        script(played),
        rules={"queens_up": played.queens, "progressive": played.progressive},
        table={"dealing": dealing, "rounds_since_count": 4 if played.counted else 0},
        game="crazy_4_poker",
    )
    assert only_round(without_deck_ids(found)) == document(played)


def test_657a_6_hands_rank_as_a_second_calculation_ranks_them() -> None:
    """Two thousand pairs of hands, many of near ranks or one suit."""
    chance = random.Random(657)
    evaluator = Evaluator(FOUR_CARD)
    for turn in range(2000):
        pool = [name for name in DECK if turn % 2 or name[0] in "A2345K"]
        ten = chance.sample(pool, 10)
        mine, his = ten[:5], ten[5:]
        ranked = [evaluator.rank([card(name) for name in hand]) for hand in (mine, his)]
        again = [best(hand) for hand in (mine, his)]
        assert (ranked[0] > ranked[1], ranked[0] == ranked[1]) == (again[0] > again[1], again[0] == again[1]), ten
        assert [most_times([card(name) for name in hand]) == 3 for hand in (mine, his)] == [
            aces_or_better(hand) for hand in (mine, his)
        ]
