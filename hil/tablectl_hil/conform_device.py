"""An emulated device of this process on the bench: told what to do in the words of the emulators of our own link."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tablectl.devices import Options
from tablectl.equipment import Capability
from tablectl.errors import ConfigurationError
from tablectl_hil.acts import perform_act
from tablectl_hil.conformance import NotApplicable
from tablectl_hil.control import Equipment, Piece, Shown

__all__ = ["Emulated", "EmulatedDevice", "InProcess", "check_capabilities", "refuse_key"]


@dataclass(frozen=True, slots=True)
class Emulated:
    """Emulated equipment without a device yet; `port` and `options` are those that a driver for it is opened with.

    `where` says in words what the device is emulated on; `private` are options that mean nothing elsewhere.
    """

    equipment: Equipment
    port: str
    options: Options
    where: str
    private: frozenset[str] = frozenset()


class EmulatedDevice(ABC):
    """One device, with its acts; `cannot` are those that cannot be done to it or happen to it, each with the reason."""

    cannot: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def away(self) -> None:
        """Take it away for good."""

    def showing(self) -> Shown:
        """What it shows."""
        raise NotApplicable("it has no lamps")

    def present(self) -> bool:
        """Whether a host has it."""
        raise NotApplicable("it does not know whether a host is there")


class InProcess(Equipment):
    """Equipment that is one device at a time, in this process; `make` makes it as new."""

    def __init__(self, port: str, make: Callable[[InProcess], EmulatedDevice]) -> None:
        super().__init__(Path())
        self._port = port
        self._make = make
        self._device: EmulatedDevice | None = None

    @property
    def device(self) -> EmulatedDevice:
        """The device that is there."""
        if self._device is None:
            raise RuntimeError("no device has been added")
        return self._device

    def port(self, device: str) -> str:
        """The port of the device as it is written in a configuration."""
        return self._port

    async def add(self, piece: Piece) -> None:
        """Make the device."""
        self._device = self._make(self)

    async def remove(self, device: str) -> None:
        """Take it away."""
        self.device.away()
        self._device = None

    async def act(self, device: str, act: str, **arguments: object) -> Any:
        """Do something to it; what came of it. `NotApplicable` for what cannot happen to it."""
        if act in self.device.cannot:
            raise NotApplicable(self.device.cannot[act])
        result = perform_act(self.device, act, arguments)
        return await result if inspect.isawaitable(result) else result

    def showing(self, device: str) -> Shown:
        """What it shows."""
        return self.device.showing()

    def present(self, device: str) -> bool:
        """Whether a host has it."""
        return self.device.present()

    def look_again(self) -> None:
        """Something may look different: whoever waits for that is woken."""
        self._wake()


def refuse_key(options: Options, key: str, why: str) -> None:
    """`ConfigurationError` for an option that the emulated device sets itself."""
    if key in options:
        raise ConfigurationError([f"--option {key}: {why}: leave it out with --emulate"])


def check_capabilities(piece: Piece, able: frozenset[Capability]) -> None:
    """`ConfigurationError` for a capability that the emulated device cannot be given."""
    beyond = sorted(set(piece.capabilities) - able)
    if beyond:
        known = ", ".join(sorted(able)) or "none"
        raise ConfigurationError(
            [f"--capability {beyond[0]}: not with this driver's emulated device: expected {known}"]
        )
