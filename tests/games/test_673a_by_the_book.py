"""Double Back Jack against chapter 673a as it is worked out a second time: any cards, any decisions, several seats."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.games.by_hand_563 import DECK, dollars
from tests.games.by_hand_673a import Played, Round
from tests.games.rounds import outcome
from tests.games.scenarios import assert_money_is_conserved, without_deck_ids

SECOND_CHANCES = ("every_hand", "no_split_hand", "no_doubled_hand", "neither")


class ByChance(Played):
    """Plays a round whose decisions are made by chance when they are asked for, and keeps them in the script."""

    def __init__(self, script: Round, chance: random.Random) -> None:
        self.chance = chance
        super().__init__(script)

    def say(self, seat: int, may: list[str]) -> str:
        weights = [{"split": 6, "second_chance": 4, "hit": 3, "surrender": 1}.get(verb, 2) for verb in may]
        (said,) = self.chance.choices(may, weights)
        if "surrender" in may and self.dealer[0][0] in "ATJQK" and said == "surrender":
            said = "stand"  # there a surrender is made before the reader is used
        if said in ("double", "insurance") and self.chance.random() < 0.5:
            most = self.script.stakes[seat] // (100 if said == "double" else 200)
            said = f"{said} {self.chance.randint(1, most)}.00"
        self.order.append(f"ask {seat}")
        self.script.decisions.setdefault(seat, []).append(said)
        return said

    def gives_up(self, seat: int) -> bool:
        surrenders = self.chance.random() < 0.1
        if surrenders:
            self.script.decisions.setdefault(seat, []).append("surrender")
        return surrenders


def as_script(script: Round) -> dict[str, Any]:
    """The same round as a scenario has it."""
    return {
        "wagers": {str(seat): {"blackjack": dollars(cents)} for seat, cents in script.stakes.items()},
        "cards": script.cards,
        "decisions": {str(seat): verbs for seat, verbs in script.decisions.items()},
    }


def as_played(scripts: list[Round]) -> list[dict[str, Any]]:
    """What the program makes of these rounds at one table."""
    first = scripts[0]
    rules = {
        "settlement": "player_by_player" if first.one_by_one else "collect_then_pay",
        "second_chance": first.second_chances,
        "smallest_chip": dollars(first.chip),
        "decks": 8,
    }
    document = outcome(*(as_script(script) for script in scripts), rules=rules, game="double_back_jack")
    assert "error" not in document, document["error"]
    assert_money_is_conserved(document)
    played: list[dict[str, Any]] = without_deck_ids(document)["rounds"]
    return played


def rounds(seed: int) -> tuple[list[Round], list[dict[str, Any]]]:
    """Three rounds at a table, made by chance, and how they are worked out by hand."""
    chance = random.Random(seed)
    filed = {
        "one_by_one": chance.random() < 0.5,
        "chip": chance.choice([100, 500]),
        "second_chances": chance.choice(SECOND_CHANCES) if chance.random() < 0.4 else "every_hand",
    }
    shoe = 8 * DECK
    chance.shuffle(shoe)
    if chance.random() < 0.3:
        shoe.sort(key=lambda card: (card[0] not in "ATJQK") + chance.random())  # Blackjacks are rare otherwise
    scripts, documents = [], []
    for number in range(3):
        stakes = {seat: 100 * chance.randint(2, 60) for seat in chance.sample(range(1, 7), chance.randint(1, 6))}
        cards, shoe = shoe[:120], shoe[120:]
        script = Round(stakes, " ".join(cards), burns=number == 0, **filed)  # type: ignore[arg-type]
        played = ByChance(script, chance)
        script.cards = " ".join(cards[: played.left])
        scripts.append(script)
        documents.append(played.document)
    return scripts, documents


@pytest.mark.parametrize("block", range(8))
def test_673a_7_any_round_is_played_and_settled_as_the_text_says(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        scripts, documents = rounds(seed)
        for script, expected, played in zip(scripts, documents, as_played(scripts), strict=True):
            assert played == expected, f"seed {seed}: {script}"


def test_673a_7_those_rounds_come_to_every_clause_that_settles_a_wager() -> None:
    met: Counter[tuple[str, str]] = Counter()
    for seed in range(300):
        for document in rounds(seed)[1]:
            met.update((row["result"], row["cite"]) for row in document["wagers"])
    assert set(met) == {
        ("win", "673a.12(a)"),
        ("win", "673a.12(b)"),
        ("win", "673a.12(c)"),
        ("lose", "673a.7(h)"),
        ("lose", "673a.7(l)(1)"),
        ("lose", "673a.7(s)(3)"),
        ("lose", "673a.8(d)"),
        ("push", "673a.7(q)(1)"),
        ("push", "673a.7(s)(2)"),
        ("returned", "673a.7(l)(2)"),
        ("returned", "673a.7(s)(1)(i)"),
        ("surrendered", "673a.9(a)(1)"),
        ("surrendered", "673a.9(a)(2)"),
    }
    assert min(met.values()) > 5
