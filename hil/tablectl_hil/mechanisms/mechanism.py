"""What every emulated piece of equipment is: its state, the acts that every kind has, and what it finds around it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Protocol

from tablectl.equipment import (
    Capability,
    Command,
    Description,
    DeviceState,
    DoorMoved,
    Fault,
    Kind,
    Lamp,
    Message,
    Mode,
    SelfTest,
    SelfTested,
)
from tablectl_hil.acts import act

__all__ = ["Holder", "Mechanism", "Surroundings"]


class Surroundings(Protocol):
    """What a mechanism finds around it."""

    chance: random.Random
    automatic: bool

    def say(self, message: Message) -> None:
        """Send a message to the host."""

    def notice(self, what: str, **facts: Any) -> None:
        """Tell whoever controls the emulators what can be seen; see `tablectl_hil.control.Notice`."""

    def now(self) -> float:
        """A steady clock, in seconds."""

    def later(self, seconds: float, then: Callable[[], None]) -> None:
        """Call `then` after that time."""


class Mechanism:
    """One piece of equipment: its state, and the acts that every kind has."""

    kind: ClassVar[Kind]
    model: ClassVar[str]

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        self.description = Description(self.kind, self.model, serial, "1.0", capabilities)
        self.around = around
        self.mode = Mode.READY
        self.lamp = Lamp.GREEN
        self.blinking = False
        self.tamper = False
        self.fault: Fault | None = None
        self.host_present = False
        self.next_fault: Fault | None = None
        self._test_fails = ""

    def can(self, capability: Capability) -> bool:
        """Whether it has that capability."""
        return capability in self.description.capabilities

    @property
    def name(self) -> str:
        """What it is called in words."""
        return self.kind.replace("_", " ")

    def perform(self, command: Command, command_id: int) -> str | None:
        """Begin the command, or say why not."""
        if not isinstance(command, SelfTest) or not self.can(Capability.SELF_TEST):
            return f"a {self.kind} takes no {type(command).__name__}"
        detail, self._test_fails = self._test_fails, ""
        if detail:
            self.fail(Fault.SELF_TEST)
        elif self.fault is Fault.SELF_TEST:
            self.fail(None)
        self.around.say(SelfTested(command_id, not detail, detail))
        return None

    def not_ready(self) -> str | None:
        """Why it must not act now: it has a fault, or somebody has put it into another mode."""
        if self.fault is not None:
            return f"the {self.name} is in the fault {self.fault}"
        if self.mode not in {Mode.READY, Mode.BUSY}:
            return f"the {self.name} is in the mode {self.mode}"
        return None

    def report(self, complete: bool) -> Iterable[Message]:
        """Its state, for a new session."""
        yield self.state()

    def attached(self, present: bool) -> None:
        """A host has come or gone."""
        self.host_present = present
        self.around.notice("attached", present=present)

    def power_cycle(self, kept: bool) -> None:
        """Power was away; what the electronics know is `kept` or not, what lies in the equipment stays there."""

    def inside(self) -> int | None:
        """How many cards are inside, if it can tell."""
        return None

    def state(self) -> DeviceState:
        """The state as it is said."""
        return DeviceState(self.mode, self.lamp, self.blinking, self.inside(), self.tamper, self.fault)

    def fail(self, fault: Fault | None) -> None:
        """Go into a fault, or out of it, and say so."""
        self.fault = fault
        self.mode = Mode.READY
        self.lamp = Lamp.GREEN if fault is None else Lamp.RED
        self.blinking = False
        self.around.say(self.state())

    def fault_due(self) -> Fault | None:
        """The fault that this actuation was to end in, once."""
        fault, self.next_fault = self.next_fault, None
        return fault

    @act
    def fail_next(self, fault: Fault) -> None:
        """Let the next actuation end in that fault."""
        self.next_fault = fault

    @act
    def fail_now(self, fault: Fault) -> None:
        """Go into that fault."""
        self.fail(fault)

    @act
    def self_test_fails(self, detail: str) -> None:
        """Let the next self-test fail, and say that of it."""
        self._test_fails = detail

    @act
    def meddle(self) -> None:
        """Open the housing: tampering is reported, and a fault until it is cleared."""
        self.tamper = True
        self.fail(Fault.TAMPER)

    @act
    def clear(self) -> None:
        """Put right by hand whatever was wrong."""
        self.tamper = False
        self.fail(None)

    @act
    def indicate(
        self, mode: Mode | None = None, lamp: Lamp | None = None, blinking: bool = False, tamper: bool = False
    ) -> None:
        """Go into another mode, show another light or report tampering, without a fault."""
        self.mode = mode or self.mode
        self.lamp = lamp or self.lamp
        self.blinking = blinking
        self.tamper = tamper
        self.around.say(self.state())


class Holder(Mechanism):
    """Equipment that holds cards behind a door."""

    def opened(self) -> None:
        """The door has been opened, and said so."""

    @act
    def door(self, open: bool) -> None:
        """Open or close the door; while it is open nothing moves."""
        self.around.say(DoorMoved(open))
        if open:
            self.fail(Fault.DOOR_OPEN)
            self.opened()
        elif self.fault is Fault.DOOR_OPEN:
            self.fail(None)
