"""Chapter 563 against a second calculation from the text, for whatever hypothesis thinks of."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.by_hand_563 import DECK, LEAST, RANKS, Round, Seat, document, dollars, script
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import without_deck_ids

BETTER = {row: f"{int(odds.removesuffix(':1')) * 2 + 1}:2" for row, odds in LEAST.items()}
HIGHEST = {**LEAST, "pair_of_tens_through_twos": "70000:1"}
AMOUNTS = [1, 100, 1000, 2501, 999_999, 1_000_000, 1_250_000, 2_000_000]
POOLS = [RANKS, "AKQJT", "A2345", "AKQ", "TJQKA9", "2233", "A", "56789", "AAKK2"]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round of up to six seats; ranks and suits are drawn near each other, so that hands and ties come up."""
    numbers = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=6)))
    ranks, suits = draw(st.sampled_from(POOLS)), draw(st.sampled_from(["cdhs", "hs", "s"]))
    near = [card for card in DECK if card[0] in ranks and card[1] in suits]
    pool = [*draw(st.permutations(near)), *draw(st.permutations([card for card in DECK if card not in near]))]
    hands = [[pool.pop(0), pool.pop(0)] for _ in range(len(numbers) + 1)]
    if draw(st.booleans()):
        hands.reverse()
    amounts, chosen = st.sampled_from(AMOUNTS), st.booleans()
    least = draw(st.sampled_from(AMOUNTS))
    return Round(
        seats=[
            Seat(
                number,
                hands[place],
                ante=max(least, draw(amounts)),
                bonus=draw(st.sampled_from([0, 100, 2500, 200_000])),
                flop=draw(st.sampled_from([True, True, True, False])),
                turn=draw(chosen),
                river=draw(chosen),
            )
            for place, number in enumerate(numbers)
        ],
        dealer=hands[-1],
        board=[pool.pop(0) for _ in range(5)],
        burned=[pool.pop() for _ in range(3)],
        qualifier=draw(st.sampled_from(["straight", "flush"])),
        odds=dict(draw(st.sampled_from([LEAST, BETTER, HIGHEST]))),
        both_aces=draw(st.sampled_from([None, "1000:1", "60000:1"])),
        minimum=draw(st.sampled_from([None, least])),
        automated=draw(chosen),
        counted=draw(chosen),
    )


@settings(max_examples=150)
@given(rounds())
def test_563_11_and_12_every_wager_comes_out_as_the_text_says(played: Round) -> None:
    table = {
        "dealing": "automated_shoe" if played.automated else "manual_shoe",
        "rounds_since_count": 4 if played.counted else 0,
        **({} if played.minimum is None else {"minimum": dollars(played.minimum)}),
    }
    rules = {
        "ante_qualifier": played.qualifier,
        "bonus_paytable": "minimum" if played.odds == LEAST else played.odds,
        "both_aces_pays": played.both_aces or "none",
    }
    found = outcome(script(played), rules=rules, table=table, game="texas_holdem_bonus")
    assert only_round(without_deck_ids(found)) == document(played)
