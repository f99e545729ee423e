"""Chapter 670a against a second calculation from the text, for whatever hypothesis thinks of."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.cards import card
from tablectl.hands.pai_gow import PAI_GOW
from tablectl.hands.six_card import house_low, is_set_rightly, without
from tests.games.by_hand_563 import DECK, RANKS
from tests.games.by_hand_670a import (
    JOKER,
    KINDS,
    Round,
    Seat,
    best,
    document,
    high_of,
    house_way,
    is_foul,
    script,
    worth,
)
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import without_deck_ids

CARDS = [*DECK, JOKER]
POOLS = [RANKS, "AKQJT9", "A23456", "23456789", "AK", "789T", "A55678", "KQJ3"]
EVERYTHING = {"double_down": True, "fortune_bonus": True, "insurance": True, "progressive": True}


def start_of(total: int) -> int:
    """670a.5(i)(1)(iii): counted counterclockwise from the dealer as one; 0 is the dealer."""
    around = [0, 6, 5, 4, 3, 2, 1]
    return (around * 3)[total - 1]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round of up to six seats; ranks and suits are drawn near each other, so that hands and ties come up."""
    numbers = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=6)))
    ranks, suits = draw(st.sampled_from(POOLS)), draw(st.sampled_from(["cdhs", "hs", "s"]))
    near = [name for name in DECK if name[0] in ranks and name[1] in suits]
    near += [JOKER] if draw(st.booleans()) else []
    pool = [*draw(st.permutations(near)), *draw(st.permutations([name for name in CARDS if name not in near]))]
    hands = [[pool.pop(0) for _ in range(6)] for _ in range(len(numbers) + 1)]
    if draw(st.booleans()):
        hands.reverse()

    def placed(number: int, hand: list[str]) -> Seat:
        return Seat(
            number,
            hand,
            main=draw(st.sampled_from([1, 500, 501, 99_999])),
            low=draw(st.sampled_from([None, None, *hand])),
            double=draw(st.booleans()),
            fortune=draw(st.sampled_from([0, 499, 500, 2500])),
            insurance=draw(st.sampled_from([0, 500])),
            progressive=draw(st.sampled_from([0, 100, 200, 499, 500])),
        )

    seats = [placed(number, hand) for number, hand in zip(numbers, hands, strict=False)]
    rng = draw(st.sampled_from([None, *range(1, 8)]))
    dice = draw(st.lists(st.integers(1, 6), min_size=3, max_size=3))
    return Round(
        seats=seats,
        dealer=hands[-1],
        start=start_of(sum(dice) if rng is None else rng),
        dice=" ".join(map(str, dice)),
        rng=rng,
        meter=draw(st.sampled_from([10_000_00, 12_345_67])),
        dealing=draw(st.sampled_from(["manual_shoe", "from_hand", "automated_shoe"])),
    )


@settings(max_examples=200)
@given(rounds())
def test_670a_11_and_12_every_wager_comes_out_as_the_text_says(played: Round) -> None:
    found = outcome(
        script(played),
        rules={**EVERYTHING, "starting_position": "shaker" if played.rng is None else "rng"},
        table={"dealing": played.dealing, "shuffler": "plain"},
        game="six_card_fortune_pai_gow",
    )
    assert only_round(without_deck_ids(found)) == document(played)


def dealt_near(chance: random.Random, turn: int) -> list[str]:
    """Six cards, of few ranks or one suit in two turns of three, with the joker in every other one."""
    pool = [
        name
        for name in DECK
        if turn % 3 == 0 or (turn % 3 == 1 and name[0] in "A2345K") or (turn % 3 == 2 and name[1] in "hs")
    ]
    hand = chance.sample(pool, 6)
    return [JOKER, *hand[:5]] if turn % 2 else hand


def test_670a_11_d_dealers_hands_are_set_as_it_is_written() -> None:
    """Two thousand hands: the low card is worth the same, and what it leaves is the same high hand."""
    chance = random.Random(670)
    for turn in range(2000):
        hand = dealt_near(chance, turn)
        low, expected = house_low([card(name) for name in hand]).name, house_way(hand)
        assert (worth(low), high_of(hand, low)) == (worth(expected), high_of(hand, expected)), hand
        assert not is_foul(hand, low), hand


def test_670a_6_b_best_of_six_cards_ranks_as_a_second_calculation_ranks_it() -> None:
    chance = random.Random(67)
    for turn in range(1000):
        mine, his = dealt_near(chance, turn), dealt_near(chance, turn + 1)
        ranked = [PAI_GOW.rank([card(name) for name in hand]) for hand in (mine, his)]
        again = [best(hand) for hand in (mine, his)]
        assert [rank.category for rank in ranked] == [KINDS[kind] for kind, _ranks in again], (mine, his)
        assert (ranked[0] > ranked[1], ranked[0] == ranked[1]) == (again[0] > again[1], again[0] == again[1])


def test_670a_11_b_high_hand_may_not_be_below_the_low_hand() -> None:
    chance = random.Random(11)
    for turn in range(1000):
        hand = dealt_near(chance, turn)
        for low in hand:
            cards = [card(name) for name in hand]
            fits = is_set_rightly(PAI_GOW.rank(without(cards, card(low))), card(low))
            assert fits == (not is_foul(hand, low)), (hand, low)


def test_670a_12_c_eight_high_is_the_lowest_hand_of_six_cards() -> None:
    """Six ranks without a pair below an eight are in sequence, so that no paytable needs a row for them."""
    low = [name for name in DECK if name[0] in "234567"]
    for ranks in combinations("234567", 6):
        chance = random.Random(1)
        for _ in range(50):
            hand = [chance.choice([name for name in low if name[0] == rank]) for rank in ranks]
            assert best(hand)[0] >= KINDS.index("straight")
