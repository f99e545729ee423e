"""Hands that PokerKit has played (`hands.json`): every seat has won the same, but for what is known to differ."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tablectl.engine.script import play
from tests.pokerkit.hands import as_scenario
from tests.pokerkit.known import difference
from tests.pokerkit.make_hands import FILE, FILED

HANDS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", range(len(FILED)), ids=[f"{game}-{n}" for n, (game, _rules) in enumerate(FILED)])
def test_every_hand_ends_as_pokerkit_has_it_but_for_the_known_differences(number: int) -> None:
    game, rules = FILED[number]
    hands = [hand for hand in HANDS if (hand["game"], hand["rules"]) == (game, rules)]
    assert len(hands) >= 20
    for hand in hands:
        document = play(as_scenario(hand))
        assert "error" not in document
        (outcome,) = document["rounds"]
        assert difference(hand, outcome) == hand.get("differs", ""), hand


def test_637a_12_k_2_both_known_differences_are_among_the_hands() -> None:
    found = Counter(hand.get("differs", "none") for hand in HANDS)
    assert set(found) == {"none", "odd_unit", "low_half"}
    assert found["none"] > 10 * (found["odd_unit"] + found["low_half"]) / 2
    assert min(found.values()) >= 3
