"""Faults of equipment and lines, by script, while a scenario is played at a real table.

A faults file is TOML, a list of tables::

    [[fault]]
    round = 1                  # 1 if left out
    at = "card 5"              # before the robot does it: card N, decision SEAT, shuffle, wagers, expose POSITION
    device = "shoe"            # id of an emulated device
    act = "unplug"             # any act of that device, see the module of its mechanism
    with = { for_ms = 400 }    # the act's arguments

`at` is looked at before each act of the robot dealer; a fault happens once, before the first act that fits. One that
never happened is an error at the end of the round, as a scenario's incidents are.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablectl.errors import ScenarioError
from tablectl_hil.control import Equipment
from tablectl_hil.robot import View

__all__ = ["Fault", "Faults", "load"]


class Fault(BaseModel):
    """One fault: when, which device, which act of it."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    round: int = Field(1, ge=1)
    at: str = Field(pattern=r"^(card [1-9]\d*|decision [1-9]\d?|shuffle|wagers|expose (dealer|seat [1-9]\d?))$")
    device: str
    act: str
    arguments: dict[str, Any] = Field(default_factory=dict, alias="with")


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    fault: tuple[Fault, ...] = ()


def load(path: Path) -> tuple[Fault, ...]:
    """Read a faults file; `ScenarioError` lists everything that is wrong with it."""
    try:
        return _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).fault
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ScenarioError(f"{path}: {error}") from None
    except ValidationError as error:
        lines = [
            f"{path}: {'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
            for fault in error.errors(include_url=False)
        ]
        raise ScenarioError("\n".join(lines)) from None


class Faults:
    """The faults that are still to come."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.waiting = list(faults)

    async def before(self, round: int, view: View, cards_out: int, equipment: Equipment) -> None:
        """Let happen what is due before the robot's next act."""
        for fault in [fault for fault in self.waiting if fault.round == round and _is_now(fault.at, view, cards_out)]:
            self.waiting.remove(fault)
            await equipment.act(fault.device, fault.act, **fault.arguments)

    def nothing_left(self, round: int) -> None:
        """Refuse a fault of a round that is over and that never happened."""
        for fault in self.waiting:
            if fault.round == round:
                raise ScenarioError(f"fault {fault.act} of {fault.device}: its moment {fault.at} did not come")


def _is_now(at: str, view: View, cards_out: int) -> bool:
    text = view.prompt.text
    what, _, where = at.partition(" ")
    match what:
        case "card":
            if text.startswith("DEAL ALL"):
                return True  # nothing sees single cards now: one press says that all are dealt
            return text.startswith(("DEAL CARD", "TAKE THE STACK")) and int(where) <= cards_out + 1
        case "decision":
            return text.startswith(f"SEAT {where}: ") and "CARD" not in text and "TURN UP" not in text
        case "shuffle":
            return text.startswith("SHUFFL")
        case "wagers":
            return text.startswith("WAGERS:")
        case _:
            return text.startswith(f"{where.upper()}: ") and ("CARD" in text or "TURN UP" in text)
