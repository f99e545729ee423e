"""Scenario files with their outcome beside them, for whoever plays them: by script or at a live table."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

SCENARIOS = Path(__file__).parent.parent / "scenarios"

Document = dict[str, Any]


def scenario_files(game: str) -> list[Path]:
    """Every scenario of a game; each could be played at a real table, and has ``NAME.expected.json`` beside it."""
    return sorted((SCENARIOS / game).glob("*.toml"))


def expected_outcome(scenario: Path) -> Document:
    """The outcome that was worked out from the regulation for that file, without `deck.id`."""
    document: Document = json.loads(scenario.with_suffix(".expected.json").read_text(encoding="utf-8"))
    return document


def without_deck_ids(document: Document) -> Document:
    """The outcome document as expectations state it: nobody says in advance what a deck is called."""
    stripped = deepcopy(document)
    for played in stripped["rounds"]:
        assert isinstance(played["deck"].pop("id"), str)
    return stripped
