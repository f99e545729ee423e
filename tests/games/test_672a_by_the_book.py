"""Free Bet Blackjack against a second working-out of the chapter: whatever is dealt and decided, every row and act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.book_672a import Book, dollars
from tests.games.rounds import outcome
from tests.games.scenarios import Document, assert_money_is_conserved, without_deck_ids

NAMES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
PAIRED = ["8c", "8d", "8h", "8s", "5c", "Ah", "As", "Ks", "Td", "3c", "6h", "2d"]


class Choosing(Book):
    """A round whose seats choose what the rules let them, and whose choices are taken down."""

    chosen: dict[int, list[str]]
    numbers: Sequence[int]

    def decide(self, number: int, may: Sequence[str]) -> str:
        at = sum(map(len, self.chosen.values()))
        pick = self.numbers[at % len(self.numbers)]
        verb = may[pick % len(may)]
        amounts = verb == "insurance" or (verb == "double" and pick % 3 == 0 and not self._is_free(number))
        if amounts and pick % 2:
            verb = f"{verb} {dollars(1 + pick % (self.bet(number) // 2))}"
        self.chosen.setdefault(number, []).append(verb)
        return verb

    def _is_free(self, number: int) -> bool:
        """Whether a double of any hand of that seat may be free: then no amount is named."""
        return any(
            sum(min(10, "A23456789TJQK".index(c[0]) + 1) for c in h.cards) in (9, 10, 11) for h in self.hands[number]
        )


WAGER = st.fixed_dictionaries(
    {"blackjack": st.sampled_from(["2.00", "5.00", "7.50", "10.00", "25.00"])}, optional={"push_22": st.just("5.00")}
)
RULES = st.fixed_dictionaries(
    {
        "push_22": st.sampled_from(["A", "B"]),
        "even_money": st.booleans(),
        "settlement": st.sampled_from(["collect_then_pay", "player_by_player"]),
        "split_aces": st.sampled_from(["play_on", "one_card"]),
        "smallest_chip": st.sampled_from(["1.00", "2.50"]),
    }
)


@given(
    rules=RULES,
    wagers=st.dictionaries(st.integers(1, 6), WAGER, min_size=1, max_size=4),
    cards=st.lists(st.sampled_from(NAMES), min_size=60, max_size=60),
    numbers=st.lists(st.integers(0, 59), min_size=1, max_size=24),
)
@example(
    rules={"push_22": "A", "even_money": True, "settlement": "collect_then_pay", "split_aces": "play_on"},
    wagers={1: {"blackjack": "10.00", "push_22": "5.00"}, 2: {"blackjack": "10.00"}},
    cards=PAIRED * 5,
    numbers=[3, 3, 0, 1],
)
def test_round_is_what_the_book_says(
    rules: dict[str, Any], wagers: dict[int, dict[str, str]], cards: list[str], numbers: list[int]
) -> None:
    dealt: list[str] = []
    for name in cards:  # no card comes oftener than six decks have it
        others = NAMES[NAMES.index(name) :] + NAMES
        dealt.append(next(other for other in others if dealt.count(other) < 6))
    book = Choosing(rules, wagers, dealt, {}, burns=True)
    book.chosen, book.numbers = {}, numbers
    book.play()
    expected: Document = {"game": "free_bet_blackjack", "rounds": [book.document()]}
    assert_money_is_conserved(expected)
    script = {
        "wagers": {str(number): placed for number, placed in wagers.items()},
        "cards": " ".join(dealt),
        "decisions": {str(number): said for number, said in book.chosen.items()},
    }
    assert without_deck_ids(outcome(script, rules=rules, game="free_bet_blackjack")) == expected
