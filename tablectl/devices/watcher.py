"""What the daemon asks of a watcher: which USB devices are plugged in that nobody has allowed.

A watcher is a plugin as a driver is, under the entry-point group ``tablectl.watchers`` (`tablectl.devices.registry`);
the section ``[usb]`` of a table's configuration asks for the one named ``usb``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

__all__ = ["Appeared", "Change", "Plugged", "Readable", "Unreadable", "Vanished", "Watcher"]


@dataclass(frozen=True, slots=True)
class Plugged:
    """One USB device that is plugged in; `name` is what it says of itself, `serial` None when it has none.

    `port` is the kernel's name of the socket, such as ``1-2.3``. Both texts are the device's own: they prove nothing.
    """

    port: str
    vendor: int
    product: int
    serial: str | None
    name: str

    @property
    def ids(self) -> str:
        """Vendor and product as `lsusb` shows them."""
        return f"{self.vendor:04x}:{self.product:04x}"

    @property
    def entry(self) -> str:
        """How an allow-list names this device alone: by its serial number, without one by its socket."""
        known = f"port={self.port}" if self.serial is None else f"serial={quote(self.serial, safe='')}"
        return f"{self.ids}?{known}"

    def __str__(self) -> str:
        """The device in words."""
        serial = "without a serial number" if self.serial is None else f"with serial number {self.serial}"
        named = f" ({self.name})" if self.name else ""
        return f"{self.ids}{named} {serial} on USB port {self.port}"


@dataclass(frozen=True, slots=True)
class Appeared:
    """A stranger is there."""

    device: Plugged


@dataclass(frozen=True, slots=True)
class Vanished:
    """A stranger is gone: no reason to forget that it was there.

    With `own` it is still there, and has turned out to be what a configured port leads to.
    """

    device: Plugged
    own: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """It cannot be seen what is plugged in: whether there are strangers is not known. Said once for each reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Readable:
    """After `Unreadable`: it can be seen again."""


Change: TypeAlias = Appeared | Vanished | Unreadable | Readable


class Watcher(ABC):
    """Looks, when it is told to, who is plugged in; no device is opened, asked or kept from anything by it.

    What may be there: the devices that the configured `ports` lead to, hubs, and one device for each entry of `allow`.
    """

    @abstractmethod
    def __init__(self, allow: Sequence[str], ports: Sequence[str]) -> None:
        """Take what `check` has passed; nothing is looked at yet."""

    @classmethod
    @abstractmethod
    def check(cls, allow: Sequence[str], ports: Sequence[str]) -> None:
        """`ConfigurationError` with all that is wrong with `allow`, each problem naming its entry and a remedy.

        What is wrong with a port is its driver's business.
        """

    @classmethod
    @abstractmethod
    def plugged(cls) -> frozenset[Plugged]:
        """All devices that are plugged in, hubs apart; it may block, and `OSError` says why it cannot be told."""

    @property
    @abstractmethod
    def strangers(self) -> frozenset[Plugged] | None:
        """Those that have appeared and not vanished; None while that is not known."""

    @abstractmethod
    async def look(self, *, at_once: bool = False) -> list[Change]:
        """Look once, without blocking the loop: what has changed since the last time; at first everything is new.

        What may be different a moment later may be told by a later look; `at_once` tells it now. Trouble is an answer,
        `Unreadable`, and no exception.
        """
