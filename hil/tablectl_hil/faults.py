"""Faults of equipment and lines, by script, while a scenario is played at a real table.

A faults file is TOML, a list of tables::

    spare = ["spare=shoe:reads"]   # devices that lie beside the table, as ID=KIND[:CAPABILITY+…]; may be left out

    [[fault]]
    round = 1                  # 1 if left out
    at = "card 5"              # before the robot does it: card N, decision SEAT, shuffle, wagers, throw (the dice),
                               # peek, expose POSITION
    device = "shoe"            # id of a device
    act = "unplug"             # any act of that device, see the module of its mechanism, and of `emulators`
    with = { for_ms = 400 }    # the act's arguments
    latches = "lost"           # the fault that the table latches because of it: the run goes on when it has,
    returns = true             # and when the table has the device again; both may be left out

`at` is looked at before each act of the robot dealer; a fault happens once, before the first act that fits. One that
never happened is an error at the end of the round, as a scenario's incidents are. ``hil/README.md`` lists the acts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tablectl.equipment import Fault as DeviceFault
from tablectl.errors import ConfigurationError, ScenarioError
from tablectl_hil.acts import CannotBeDone, acts_of, arguments_of
from tablectl_hil.control import Piece
from tablectl_hil.emulators import Emulator
from tablectl_hil.mechanisms import MECHANISMS
from tablectl_hil.robot import View

__all__ = ["NO_FAULTS", "Does", "Fault", "FaultScript", "Faults", "load"]


class Does(Protocol):
    """The table at which faults happen: to emulated devices, or by a person's hand to real ones."""

    async def act(self, device: str, act: str, **arguments: Any) -> Any:
        """Do that to the device."""

    async def latched(self, device: str, fault: str) -> None:
        """Wait until the table has latched that fault of the device."""

    async def returned(self, device: str) -> None:
        """Wait until the table has the device again, and all that it had to say."""


class Fault(BaseModel):
    """One fault: when, which device, which act of it."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    round: int = Field(1, ge=1)
    at: str = Field(
        pattern=r"^(card [1-9]\d*|decision [1-9]\d?|shuffle|wagers|throw|peek|expose (dealer|seat [1-9]\d?))$"
    )
    device: str
    act: str
    arguments: dict[str, Any] = Field(default_factory=dict, alias="with")
    latches: DeviceFault | None = None
    returns: bool = False


class FaultScript(BaseModel):
    """All faults of a run, and the devices that lie beside the table for them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    spare: tuple[str, ...] = ()
    fault: tuple[Fault, ...] = ()

    @field_validator("spare")
    @classmethod
    def _pieces(cls, spare: tuple[str, ...]) -> tuple[str, ...]:
        for text in spare:
            try:
                Piece.parse(text)
            except ConfigurationError as error:
                raise ValueError(str(error).removeprefix("--device ")) from None
        return spare

    @property
    def spares(self) -> tuple[Piece, ...]:
        """The devices beside the table."""
        return tuple(Piece.parse(text) for text in self.spare)

    def check(self, table: Sequence[Piece], real: Sequence[str] = ()) -> None:
        """`ScenarioError` lists the faults that cannot happen to these emulated devices and the spare ones.

        Those of `real` devices are not looked at.
        """
        known = {piece.id: piece for piece in (*table, *self.spares)}
        problems = []
        for number, fault in enumerate(self.fault):
            if fault.device in real:
                continue
            try:
                _arguments(known, fault)
            except CannotBeDone as error:
                problems.append(f"fault.{number}: {fault.act} of {fault.device}: {error}")
        if problems:
            raise ScenarioError("\n".join(problems))


NO_FAULTS: Final = FaultScript()


def load(path: Path) -> FaultScript:
    """Read a faults file; `ScenarioError` lists everything that is wrong with it."""
    try:
        return FaultScript.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ScenarioError(f"{path}: {error}") from None
    except ValidationError as error:
        lines = [
            f"{path}: {'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
            for fault in error.errors(include_url=False)
        ]
        raise ScenarioError("\n".join(lines)) from None


@dataclass
class Faults:
    """The faults that are still to come."""

    waiting: list[Fault] = field(default_factory=list)

    async def before(self, round: int, view: View, cards_out: int, table: Does) -> None:
        """Let happen what is due before the robot's next act."""
        for fault in [fault for fault in self.waiting if fault.round == round and _is_now(fault.at, view, cards_out)]:
            self.waiting.remove(fault)
            await table.act(fault.device, fault.act, **fault.arguments)
            if fault.latches is not None:
                await table.latched(fault.device, fault.latches)
            if fault.returns:
                await table.returned(fault.device)

    def nothing_left(self, round: int) -> None:
        """Refuse a fault of a round that is over and that never happened."""
        for fault in self.waiting:
            if fault.round == round:
                raise ScenarioError(f"fault {fault.act} of {fault.device}: its moment {fault.at} did not come")


def _arguments(known: dict[str, Piece], fault: Fault) -> dict[str, Any]:
    piece = known.get(fault.device)
    if piece is None:
        raise CannotBeDone(f"the table has no device {fault.device!r}: expected {', '.join(known)}")
    mechanism = MECHANISMS[piece.kind]
    own = fault.act in acts_of(Emulator)
    if not own and fault.act not in acts_of(mechanism):
        acts = ", ".join(sorted([*acts_of(Emulator), *acts_of(mechanism)]))
        raise CannotBeDone(f"there is no such act: expected {acts}")
    return arguments_of(Emulator if own else mechanism, fault.act, fault.arguments)


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
        case "throw":
            return text.startswith(("UNCOVER THE DICE", "THROW THE DICE"))
        case "peek":
            return text.startswith("HOLE CARD IN")
        case _:
            return text.startswith(f"{where.upper()}: ") and ("CARD" in text or "TURN UP" in text)
