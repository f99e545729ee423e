"""What the daemon asks of a driver, and nothing of how a driver does it.

A *device* is one piece of equipment at the table, opened as an asynchronous context manager. It delivers messages, each
acknowledged by the daemon after its commit, and takes commands. A *driver* is the class that makes devices of one
protocol; drivers are plugins and are found by name (`tablectl.devices.registry`).

Exactly once, from here: a message is known by the device's boot id and its number under that boot id. Until the daemon
has acknowledged it, the device keeps it, over a lost line and over a restart of the daemon. A driver delivers each
message once in its life; one opened with `resume`, the boot id and number of the last message of this device that is
committed, does not deliver what was committed before it was opened either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import ClassVar, Protocol, Self, TypeAlias, runtime_checkable

from tablectl.equipment import Command, Description, Kind, Message

__all__ = ["Delivery", "Device", "Driver", "Health", "LinkState", "Options", "Resume"]

Options: TypeAlias = Mapping[str, str | int | bool]
"""The keys of a device's section of the configuration that are its driver's own."""

Resume: TypeAlias = tuple[str, int]
"""Boot id and number of the last message of a device that is in the journal."""


class LinkState(StrEnum):
    """Where the link to a device stands."""

    CLOSED = "closed"
    CONNECTING = "connecting"
    UP = "up"
    LOST = "lost"
    REFUSED = "refused"  # something else than the configured device answers on the port


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message of a device, in the order in which the device sent it.

    `boot` and `number` identify it. What the driver says itself (`LinkUp`, `LinkLost`, and a `DeviceState` with the
    fault `SWAPPED` or `PROTOCOL` that it found) has the number 0, is not repeated and needs no acknowledgement; its
    `boot` is that of the device it speaks of, empty where there was none yet. `acknowledge` is called on the event
    loop, after the commit, for each message in order; it never blocks, never fails, and once more does nothing.
    """

    device: str
    message: Message
    boot: str
    number: int
    acknowledge: Callable[[], None] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Health:
    """State and statistics of a link since it was opened; counts only grow.

    `bad_frames` were damaged or not understood and dropped; `retransmits` are frames that we sent again; `duplicates`
    are messages that came again and were filtered; `round_trip_ms` is the last one measured, None before that;
    `reconnects` counts how often the device came back; `last_error` stays after the link has recovered.
    """

    state: LinkState
    bad_frames: int
    retransmits: int
    duplicates: int
    round_trip_ms: float | None
    reconnects: int
    last_error: str | None


@runtime_checkable
class Device(Protocol):
    """One opened piece of equipment.

    Entering it never waits for the equipment and never fails because the equipment is not there: a missing device is a
    state. It says `LinkUp` when the device has described itself, `LinkLost` once when it is gone or cannot be reached,
    and then goes on trying by itself. Leaving it closes the port within a second, whatever the device does.
    """

    @property
    def id(self) -> str:
        """The device's id in the configuration."""

    @property
    def kind(self) -> Kind:
        """The kind of equipment that the configuration names."""

    @property
    def description(self) -> Description | None:
        """What the device last said of itself; None before the first `LinkUp`."""

    def events(self) -> AsyncIterator[Delivery]:
        """The device's messages in order, for one consumer; it ends when the device is closed."""

    async def send(self, command: Command, command_id: int, *, boot: str | None = None) -> None:
        """Deliver one command; returns when the device has accepted it, which is before it is done.

        `command_id`, 1 to 2**63 - 1, is for an actuation the sequence number of its intent: a device that has had it
        before does not act, and says its result again. The result of an actuation comes through `events()` as a
        message with that id. With `boot`, the command is given only to a device that still has that boot id.

        `LinkError`: it was not sent, so nothing has happened. `CommandRefused`: the device answered and will not do
        it. `CommandTimeout`: no answer in time, or the device has another boot id now; it may have happened.
        """

    def health(self) -> Health:
        """How the link is doing."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


class Driver(ABC):
    """A `Device` of one protocol: what a plugin derives from, under the entry-point group ``tablectl.drivers``."""

    kinds: ClassVar[frozenset[Kind]]
    """The kinds of equipment that this driver serves."""

    def __init__(self, id: str, kind: Kind, port: str, options: Options, *, resume: Resume | None = None) -> None:
        """Take what `check` has passed; nothing is opened yet."""
        self._id = id
        self._kind = kind
        self._port = port
        self._options = dict(options)
        self._resume = resume

    @classmethod
    @abstractmethod
    def check(cls, id: str, kind: Kind, port: str, options: Options) -> None:
        """Look at a device's section of the configuration without opening anything.

        `ConfigurationError` with all problems found, each naming the device and key, what was expected and a remedy.
        """

    @property
    def id(self) -> str:
        """The device's id in the configuration."""
        return self._id

    @property
    def kind(self) -> Kind:
        """The kind of equipment that the configuration names."""
        return self._kind

    @property
    @abstractmethod
    def description(self) -> Description | None:
        """See `Device`."""

    @abstractmethod
    def events(self) -> AsyncIterator[Delivery]:
        """See `Device`."""

    @abstractmethod
    async def send(self, command: Command, command_id: int, *, boot: str | None = None) -> None:
        """See `Device`."""

    @abstractmethod
    def health(self) -> Health:
        """See `Device`."""

    @abstractmethod
    async def __aenter__(self) -> Self:
        """See `Device`."""

    @abstractmethod
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """See `Device`."""
