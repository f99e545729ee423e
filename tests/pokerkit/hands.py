"""Hands of the poker room by chance: what a table plays by script, and the scenario document of each of them alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablectl import events as e
from tablectl.engine.scenario import RoundScript, Scenario, parse
from tablectl.engine.script import play_one
from tablectl.money import show
from tablectl.procedure.table import Table, TableState
from tablectl_hil.players import Players

__all__ = ["Hand", "as_scenario", "by_chance"]


@dataclass(frozen=True)
class Hand:
    """One hand: as the engine plays it in that state, and as a document; the button is 0 where there is none."""

    script: RoundScript
    state: TableState
    rules: Mapping[str, Any]
    button: int
    document: dict[str, Any]


class _ShortStacks(Players):
    """Players of whom many have little, so that they are all in and pots are divided."""

    def _wagers(self, placed: object) -> dict[str, str]:
        return {"stack": f"{self._chance.choice((5, 6, 9, 17, 26, 41, 100))}.00"}


def by_chance(
    game: str, rules: Mapping[str, Any], seed: int, rounds: int, seats: int, *, short: bool = False
) -> tuple[Scenario, list[Hand]]:
    """So many hands of a table, whose button moves on; with `short` stacks not everybody plays each of them."""
    table = parse({"game": game, "rules": rules, "table": {"seats": seats}, "round": []})
    players = (_ShortStacks if short else Players)(table, seed, mishaps=0, everybody=not short)
    state, hands = table.first_state(), []
    for _ in range(rounds):
        script = players.next_round(state=state)
        fold, after = play_one(table, script, Table(table.game, table.rules, table.setup, state))
        button = next((event.seat for event in fold.events if isinstance(event, e.ButtonPlaced)), 0)
        out = sum(isinstance(event, e.CardDealt) for event in fold.events)
        document = {
            "stacks": {str(number): show(wagers["stack"]) for number, wagers in script.wagers.items()},
            "cards": " ".join(item.card.name for item in script.cards[: out + 1]),  # PokerKit burns one more
            "decisions": {str(number): list(said) for number, said in script.decisions.items()},
        }
        hands.append(Hand(script, state, rules, button, document))
        state = after
    return table, hands


def as_scenario(hand: Mapping[str, Any]) -> Scenario:
    """A hand as it stands in `hands.json`, as a scenario of one round."""
    table = {"button": hand["button"]} if hand["button"] else {}
    script = {key: hand[key] for key in ("stacks", "cards", "decisions")}
    return parse({"game": hand["game"], "rules": hand["rules"], "table": table, "round": [script]})
