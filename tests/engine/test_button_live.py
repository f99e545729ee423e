"""637a.12(c)(1)(ii) at a live table: what the panel says while single cards decide who has the button."""

from __future__ import annotations

import pytest

from tablectl.engine.prompts import LINE
from tablectl.engine.scenario import parse
from tablectl.events import ButtonDrawn
from tablectl_hil.robot import Kit
from tests.engine.bench import NO_SCANNER, PANEL_ALONE, PLAIN_SHOE, Bench
from tests.engine.scenarios import fitting

DEALT = ["DEAL CARD 1 TO SEAT 2, FACE UP", "DEAL CARD 2 TO SEAT 3, FACE UP"]
KEYED = ["SEAT 2 BUTTON: CARD 1 OF 1", "SEAT 3 BUTTON: CARD 1 OF 1"]
PLACED = ["SEAT 3 HAS THE BUTTON", "SHUFFLE BY HAND, THEN SHUFFLED"]
"""The notice, and what is to be done next: a cut, and the deal to the left of the button."""

EQUIPPED = {
    "panel": (PANEL_ALONE, ["FOR THE BUTTON: ONE CARD EACH, DEALT", *KEYED]),
    "plain_shoe": (PLAIN_SHOE, [*DEALT, *KEYED]),
    "reading_shoe": (NO_SCANNER, DEALT),
}


@pytest.mark.parametrize(("kit", "said"), EQUIPPED.values(), ids=EQUIPPED)
def test_637a_12_c_1_ii_panel_leads_from_the_cards_to_the_shuffle(kit: Kit, said: list[str]) -> None:
    script = {"stacks": {"2": "50.00", "3": "50.00"}, "cards": "9h Td", "decisions": {"2": ["fold"]}}
    document = {"game": "omaha_high", "rules": {"first_button": "card_dealt"}, "round": [script]}
    scenario = parse(document)
    bench = Bench(scenario, fitting(scenario, kit))
    shown: list[str] = []

    def look() -> None:
        text = bench.view().prompt.text
        assert len(text) <= LINE
        if shown[-1:] != [text]:
            shown.append(text)

    bench.play(look)
    first = shown.index(said[0])
    assert shown[first : first + len(said) + len(PLACED)] == [*said, *PLACED]
    assert [event.seat for event in bench.journal.events() if isinstance(event, ButtonDrawn)] == [3]
