"""The page of a past round tells what only some games have: pots, shown hands, throws, hands that were set."""

from __future__ import annotations

from typing import Any

from tablectl.cli.roundpage import page_document, page_text
from tablectl.engine.roundpage import RoundPage, find_round
from tests.engine.bench import ALL_SENSORS, Bench
from tests.engine.scenarios import fitting, playable, scripted


def page_of(game: str, name: str, number: int = 1) -> RoundPage:
    """The page of a round of that scenario file, played at a live table."""
    (path,) = [path for path in playable() if (path.parent.name, path.stem) == (game, name)]
    scenario, _outcome = scripted(path)
    bench = Bench(scenario, fitting(scenario, ALL_SENSORS))
    bench.play()
    page = find_round(bench.journal, number)
    assert page is not None
    return page


def timeless(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in item.items() if key != "time"} for item in items]


def test_637a_18_k_page_of_a_round_of_poker_tells_blinds_hands_and_pots() -> None:
    """Values are those of the file: the hand of seat 3 is dead, seat 1 wins the three blinds and calls of 2.00."""
    page = page_of("omaha_high", "hand_is_fouled_at_the_showdown")
    document = page_document(page)
    assert timeless(document["stacks"]) == [{"seat": number, "amount": "100.00"} for number in (1, 2, 3)]
    assert [(item["seat"], item["card"]) for item in document["button"]] == [(3, None)]
    assert [(item["seat"], item["bet"], item["amount"]) for item in document["posted"]] == [
        (1, "blind", "1.00"),
        (2, "blind", "2.00"),
    ]
    hands = [(item["position"], item["cards"]) for item in document["hands"]]
    assert hands[-2:] == [("seat 2", ["Ah", "Qh", "7h", "2d"]), ("seat 1", ["As", "Kd", "9c", "8c"])]
    assert timeless(document["pots"]) == [
        {
            "pot": "main",
            "seats": [1, 2],
            "amount": "6.00",
            "rake": "0.00",
            "bad_beat": "0.00",
            "high_hand": "0.00",
            "shares": [{"seat": 1, "part": "high", "amount": "6.00", "cite": "637a.12(k)(1)"}],
        }
    ]
    text = page_text(document)
    assert "main 6.00; seats 1 2; seat 1 high 6.00" in text
    assert "seat 2      Ah Qh 7h 2d" in text
    lines = page.lines()
    assert "SEAT 2 SHOWS Ah Qh 7h 2d" in lines
    assert "POT MAIN HIGH SEAT 1 6.00" in lines
    assert not any("Jc Jd 5s 4s" in line for line in (*lines, text)), "nobody has shown that hand"


def test_675a_page_of_a_round_of_dice_tells_every_throw() -> None:
    (path,) = [p for p in playable() if p.parent.name == "high_roll_dice" and p.stem == "extra_roll_as_in_the_text"]
    scenario, outcome = scripted(path)
    document = page_document(page_of("high_roll_dice", "extra_roll_as_in_the_text"))
    assert [item["faces"] for item in document["dice"]] == [list(faces) for faces in scenario.rounds[0].dice]
    assert document["net"] == outcome["rounds"][0]["net"]
    assert "pots" not in document
    assert "Throws" in page_text(document)


def test_561_page_of_a_round_of_pai_gow_tells_the_number_and_how_hands_were_set() -> None:
    (path,) = [p for p in playable() if p.parent.name == "pai_gow_poker" and p.stem == "every_number_of_the_generator"]
    scenario, _outcome = scripted(path)
    document = page_document(page_of("pai_gow_poker", "every_number_of_the_generator"))
    thrown = [list(faces) for faces in scenario.rounds[0].dice]
    assert [item["faces"] for item in document["dice"]] == thrown
    assert [item["number"] for item in document["numbers"]] == list(scenario.rounds[0].rng)
    dealt = [item for item in document["hands"] if item["place"] == 0]
    for item in document["set"]:
        (cards,) = [each["cards"] for each in dealt if each["position"] == item["position"]]
        assert sorted(cards) == sorted((*item["high"], *item["low"]))
        assert (len(item["high"]), len(item["low"])) == (5, 2)
    assert "dealer" in [item["position"] for item in document["set"]]
