"""The bench with systems that accept wagers: the emulators' own, which say all that they have to say in order."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tablectl.engine.identity import Identity
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.scenario import Scenario
from tablectl.equipment import Capability, Kind, Message
from tablectl.procedure.table import TableState
from tablectl_hil.acts import perform_act
from tablectl_hil.mechanisms.seats import ExtraRoll, Progressive, SeatSensors
from tablectl_hil.robot import Act, Kit
from tests.engine.bench import Bench

__all__ = ["SystemBench"]

Said = tuple[str, Message | CommandFailed]


@dataclass
class Around:
    """What a system finds around it: it is heard, and nobody looks."""

    name: str
    outbox: list[Said]
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    automatic: bool = False

    def say(self, message: Message) -> None:
        self.outbox.append((self.name, message))

    def notice(self, what: str, **facts: Any) -> None:
        """Nobody looks."""

    def now(self) -> float:
        return 0.0

    def later(self, seconds: float, then: Callable[[], None]) -> None:
        """Time does not pass."""


class SystemBench(Bench):
    """`rules` are those of the progressive's meter, as the emulator's act takes them; `mute`: no system answers.

    What a system says is kept by it until it is committed, as the protocol has it; a command that is given again does
    nothing, and its result is said again if it is not waiting to be delivered anyway.
    """

    def __init__(
        self,
        scenario: Scenario,
        kit: Kit,
        rules: dict[str, Any],
        moment: Callable[[str], None] = lambda _name: None,
        begun: TableState | None = None,
    ) -> None:
        self.outbox: list[Said] = []
        self.answered: dict[int, Said] = {}
        self.boots: dict[str, str] = {}
        self.pumping = self.mute = False
        self.systems: dict[str, SeatSensors] = {}
        for wager, name in kit.systems.items():
            kind, able = (Progressive, (Capability.METER,)) if wager == "progressive" else (ExtraRoll, ())
            self.systems[name] = kind(name, able, Around(name, self.outbox))
            self.systems[name].attached(True)
            if wager == Kind.PROGRESSIVE:
                self.act(name, "rules", **rules)
        self.outbox.clear()
        super().__init__(scenario, kit, moment, begun)

    def act(self, device: str, name: str, **facts: Any) -> Any:
        """Somebody does something at a system."""
        return perform_act(self.systems[device], name, facts)

    def start(self, identity: Identity) -> None:
        super().start(identity)
        for name, system in self.systems.items():
            self.outbox += [(name, said) for said in system.report(False)]
        self.pump()

    def again(self) -> None:
        acting = self.core.acting
        if acting is None or acting[1] not in self.systems:
            super().again()
            return
        number, device, command = acting
        if self.mute:
            return
        if number not in self.answered:
            refused = self.systems[device].perform(command, number)
            if refused is not None:
                self.outbox.append(("", CommandFailed(number, refused)))
            self.answered[number] = self.outbox[-1]
        elif self.answered[number] not in self.outbox:
            self.outbox.append(self.answered[number])

    def do(self, act: Act | None) -> bool:
        went_on = True
        if act is None or act.device not in self.systems:
            went_on = super().do(act)
        else:
            self.act(act.device, act.name, **act.facts)
        self.pump()
        return went_on

    def pump(self) -> None:
        """Deliver what the systems have said, in order, until there is nothing left."""
        if self.pumping:
            return
        self.pumping = True
        while self.outbox:
            device, message = self.outbox[0]
            self.deliver(Input(device, message, f"boot {device}" if device else "", 1 if device else 0))
            self.outbox.pop(0)
        self.pumping = False
