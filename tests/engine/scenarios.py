"""The scenario files of all games, and the tables that can play each of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from tablectl.engine.scenario import Scenario, load
from tablectl.engine.script import play
from tablectl.procedure.game import Dealing, Shuffler
from tablectl_hil.robot import Kit

FILES = sorted((Path(__file__).parent.parent / "scenarios").glob("*/*.toml"))


def playable() -> list[Path]:
    """The files whose scenario is played to its end: a real table can play no other."""
    return [path for path in FILES if "error" not in scripted(path)[1]]


@cache
def scripted(path: Path) -> tuple[Scenario, dict[str, Any]]:
    """A file's scenario and what comes of it by script."""
    scenario = load(path)
    return scenario, play(scenario)


def fitting(scenario: Scenario, kit: Kit) -> Kit:
    """The kit with the shoe and shuffler that the scenario's table has."""
    if scenario.setup.dealing in (Dealing.FROM_HAND, Dealing.NONE):
        kit = replace(kit, shoe=None)
    if scenario.setup.shuffler is Shuffler.NONE:
        kit = replace(kit, shuffler=None)
    automated = scenario.setup.dealing is Dealing.AUTOMATED_SHOE
    return replace(kit, dispenses=automated and kit.shoe is not None and kit.reads)


def without_deck(document: dict[str, Any]) -> dict[str, Any]:
    """A round's document without the deck's identity, which depends on the table."""
    return {**document, "deck": {"disposition": document["deck"]["disposition"]}}
