"""Rounds of all kinds against the chapter worked out a second time (`book_671a`), without any of the program."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tablectl.cards import card, deck
from tablectl.engine.scenario import parse
from tablectl.engine.script import play
from tablectl.hands.lunar import LUNAR, second_combination
from tests.games.book_671a import LADDER_ROWS, best, by_the_book, row_of, second, super_rows
from tests.games.scenarios import expected_outcome, scenario_files, without_deck_ids

DECK = [each.name for each in deck()]


def rich(chance: random.Random) -> list[str]:
    """A shuffled deck in which good hands come more often than in others: some ranks and suits come first."""
    ranks = chance.sample("23456789TJQKA", chance.choice((4, 6, 13)))
    suits = chance.sample("cdhs", chance.choice((1, 2, 4)))
    cards = chance.sample(DECK, 52)
    return sorted(cards, key=lambda name: (name[0] not in ranks, name[1] not in suits, chance.random()))


def some_round(chance: random.Random) -> tuple[dict[str, Any], str]:
    """One round with everything that may be wagered and decided, and how it is dealt."""
    dealing = chance.choice(("manual_shoe", "from_hand", "automated_shoe"))
    seats = sorted(chance.sample(range(1, 6), chance.randrange(1, 6)))
    cards = rich(chance)
    wagers: dict[str, dict[str, str]] = {}
    decisions: dict[str, list[str]] = {}
    hands = [*seats, 0]
    for place, number in enumerate(seats):
        ante = 5 * chance.randrange(1, 9)
        placed = {"ante": f"{ante}.00", "super": f"{ante + chance.choice((0, 0, 5))}.00"}
        others = ["super_dealer", *(f"super_seat_{other}" for other in seats if other != number)]
        placed |= {wager: f"{chance.randrange(1, 9)}.50" for wager in others if chance.random() < 0.4}
        wagers[str(number)] = placed
        own = (
            cards[place * 5 : place * 5 + 5]
            if dealing == "automated_shoe"
            else cards[place : 5 * len(hands) : len(hands)]
        )
        decisions[str(number)] = decided(chance, own)
    script = {
        "wagers": wagers,
        "cards": " ".join(cards),
        "decisions": {n: said for n, said in decisions.items() if said},
    }
    return script, dealing


def decided(chance: random.Random, hand: list[str]) -> list[str]:
    instant = row_of(hand) in ("straight_flush", "royal_flush")
    silent = (instant or any(super_rows(hand))) and chance.random() < 0.2
    begin = ["no_declare"] if silent else []
    if instant and not silent:
        return []
    thrown = " ".join(chance.sample(hand, chance.randrange(2, 6)))
    first = chance.choice(
        ("fold", "bet", "bet", "buy", "buy", f"exchange {thrown}", "leave" if chance.random() < 0.2 else "bet")
    )
    again = first.split()[0] in ("buy", "exchange")
    return [*begin, first, *([chance.choice(("fold", "bet", "bet", "bet"))] if again else [])]


@pytest.mark.parametrize("seed", range(60))
def test_671a_rounds_come_out_as_the_book_has_them(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        script, dealing = some_round(chance)
        document = {
            "game": "lunar_poker",
            "rules": {
                "super_on_others": True,
                "instant_paytable": chance.choice("ABC"),
                "super_straight_flush": chance.choice(("not_paid", "other_rows", "as_flush")),
            },
            "table": {"dealing": dealing, "shuffler": "plain", "rounds_since_count": chance.choice((0, 4))},
            "round": [script],
        }
        assert without_deck_ids(play(parse(document))) == by_the_book(document)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [5, 6])
def test_671a_6_hands_and_second_combinations(seed: int, size: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        one, two = rich(chance)[:size], rich(chance)[:size]
        mine = [LUNAR.rank([card(name) for name in hand]) for hand in (one, two)]
        assert [rank.category.replace("high_card", "nothing") for rank in mine] == [row_of(one), row_of(two)]
        assert (mine[0] > mine[1], mine[0] == mine[1]) == (best(one) > best(two), best(one) == best(two))
        assert second_combination([card(name) for name in one]) == second(one)


def test_671a_12_d_ladder_is_the_books() -> None:
    assert [name.replace("high_card", "nothing") for name in LUNAR.order.categories] == LADDER_ROWS


@pytest.mark.parametrize("path", scenario_files("lunar_poker"), ids=lambda path: path.stem)
def test_671a_expected_outcomes_are_the_books(path: Path) -> None:
    """But for a round that cannot begin, of which the book knows nothing."""
    scenario, expected = tomllib.loads(path.read_text(encoding="utf-8")), expected_outcome(path)
    begun = [place for place, played in enumerate(expected["rounds"]) if played["outcome"] != "suspended"]
    book = by_the_book({**scenario, "round": [scenario["round"][place] for place in begun]})
    assert book["rounds"] == [expected["rounds"][place] for place in begun]
