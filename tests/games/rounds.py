"""Scenario documents built in a test, and what playing them by script gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablectl.engine.scenario import parse
from tablectl.engine.script import play
from tests.games.scenarios import Document

Incidents = Sequence[Mapping[str, object]]


def dealt_singly(*hands: str) -> str:
    """`cards` of a round in which these hands of equal length are dealt one card at a time, the dealer's last."""
    return " ".join(card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn)


def outcome(
    *rounds: Mapping[str, object],
    rules: Mapping[str, object] | None = None,
    table: Mapping[str, object] | None = None,
    game: str = "three_card_poker",
) -> Document:
    """The whole outcome document of these rounds."""
    return play(parse({"game": game, "rules": rules or {}, "table": table or {}, "round": [dict(r) for r in rounds]}))


def only_round(document: Document) -> dict[str, Any]:
    """The one round of a document without an error."""
    assert "error" not in document, document["error"]
    (played,) = document["rounds"]
    assert isinstance(played, dict)
    return played
