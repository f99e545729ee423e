"""A driver's base for equipment that keeps nothing: no boot id, no numbered messages, no memory of what it said.

Such equipment says a thing once. The driver numbers what it hears, from 1, under a boot id that is new each time the
driver is made: so a message is still known by both, and none is taken for what an earlier daemon has committed. What
happens while nobody listens has not happened; to acknowledge a message costs nothing and does nothing.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from abc import abstractmethod
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Final, Self

import structlog

from tablectl.devices import Delivery, Driver, Health, LinkState, Options, Resume
from tablectl.equipment import Command, Description, DeviceState, Fault, Kind, Lamp, LinkLost, LinkUp, Message, Mode
from tablectl.errors import CommandRefused, CommandTimeout, LinkError
from tablectl_drivers.driving import Deliveries, Pauses, WrongDevice, retry_times

__all__ = ["HeldDriver", "MemorylessDriver"]

_log = structlog.get_logger(__name__)

_MOST_ID: Final = (1 << 63) - 1


class MemorylessDriver(Driver):
    """A device that keeps nothing; subclasses open it in `_start`, close it in `_stop` and say what it says.

    They call `_came`, `_went`, `_refused`, `_fault`, `_say` and, with whatever ended them, `_failed`.
    """

    def __init__(self, id: str, kind: Kind, port: str, options: Options, *, resume: Resume | None = None) -> None:
        """See `Driver`; there is nothing to resume."""
        super().__init__(id, kind, port, options, resume=resume)
        self.check(id, kind, port, options)
        self._boot = secrets.token_hex(4)
        self._deliveries = Deliveries()
        self._number = 0
        self._state = LinkState.CLOSED
        self._description: Description | None = None
        self._last_error: str | None = None
        self._opened = self._told_lost = False
        self._told_fault: str | None = None
        self._ups = 0

    @property
    def description(self) -> Description | None:
        """See `Device`."""
        return self._description

    def events(self) -> AsyncIterator[Delivery]:
        """See `Device`."""
        return self._deliveries

    async def send(self, command: Command, command_id: int, *, boot: str | None = None) -> None:
        """See `Device`; nothing that is served here is an actuation."""
        if not 1 <= command_id <= _MOST_ID:
            raise ValueError(f"{command_id} is no command id: expected 1 to 2**63 - 1")
        what = f"{type(command).__name__} (command {command_id})"
        if self._state is not LinkState.UP:
            reason = f" ({self._last_error})" if self._last_error else ""
            raise LinkError(f"{what} was not sent: the device is not connected{reason}", device=self.id)
        if boot is not None and boot != self._boot:
            raise CommandTimeout(
                f"{what} was not sent again: the driver has started anew with boot id {self._boot}, expected {boot};"
                " whether it acted before is for a person to see",
                device=self.id,
            )
        refusal = self._perform(command)
        if refusal is not None:
            raise CommandRefused(f"{what} is refused: {refusal}", device=self.id)

    def health(self) -> Health:
        """See `Device`."""
        return Health(self._state, 0, 0, 0, None, max(0, self._ups - 1), self._last_error)

    async def __aenter__(self) -> Self:
        """Start looking for the device."""
        if self._opened:
            raise RuntimeError(f"{self.id} was opened before: make a new driver")
        self._opened = True
        self._state = LinkState.CONNECTING
        await self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Close the port."""
        await self._stop()
        self._state = LinkState.CLOSED
        self._deliveries.put(None)

    @abstractmethod
    async def _start(self) -> None:
        """Begin to look for the device, without waiting for it."""

    @abstractmethod
    async def _stop(self) -> None:
        """Close whatever is open, within a second."""

    @abstractmethod
    def _perform(self, command: Command) -> str | None:
        """Do it, or say why not; the device is there."""

    def _came(self, description: Description, state: DeviceState) -> None:
        """The device has said what it is and how it is."""
        before, self._description = self._description, description
        self._state = LinkState.UP
        self._ups += 1
        self._told_lost = False
        self._told_fault = None
        _log.info("device_up", device=self.id, model=description.model, serial=description.serial, boot=self._boot)
        self._tell(LinkUp(description))
        if before is not None and before.serial != description.serial:
            self._fault(Fault.SWAPPED, f"serial number {description.serial} answers in the place of {before.serial}")
        self._say(state)

    def _went(self, reason: str) -> None:
        """The device is gone or cannot be reached: said and logged once, whatever is tried afterwards."""
        self._last_error = reason
        self._state = LinkState.REFUSED if reason == self._told_fault else LinkState.LOST
        if not self._told_lost:
            self._told_lost = True
            _log.warning("device_lost", device=self.id, reason=reason)
            self._tell(LinkLost(reason))

    def _refused(self, reason: str) -> None:
        """Something else than the configured device is on the port: said once, and it is not used."""
        if reason != self._told_fault:
            self._told_fault = reason
            self._fault(Fault.SWAPPED, reason)
        self._went(reason)

    def _fault(self, fault: Fault, reason: str) -> None:
        """A fault that the driver has found itself."""
        self._last_error = reason
        _log.error("device_fault", device=self.id, fault=fault.value, reason=reason)
        self._tell(DeviceState(Mode.UNKNOWN, Lamp.UNKNOWN, False, None, False, fault))

    def _say(self, message: Message) -> None:
        """The device says something."""
        self._number += 1
        self._deliveries.put(Delivery(self.id, message, self._boot, self._number, _nothing))

    def _failed(self, error: BaseException) -> None:
        """The driver cannot go on."""
        self._state = LinkState.LOST
        self._deliveries.put(error)

    def _tell(self, message: Message) -> None:
        self._deliveries.put(Delivery(self.id, message, self._boot, 0, _nothing))


class HeldDriver(MemorylessDriver):
    """A device that is opened and held until it ends, again and again: subclasses do that in `_hold`."""

    def __init__(self, id: str, kind: Kind, port: str, options: Options, *, resume: Resume | None = None) -> None:
        """See `Driver`."""
        super().__init__(id, kind, port, options, resume=resume)
        self._pauses = Pauses(*retry_times(options), random.SystemRandom())
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def _hold(self) -> str:
        """Open the device, tell that it came and what it says, until it ends, and close it; why it ended.

        `OSError` when it cannot be opened, `TimeoutError` when that takes too long, `WrongDevice` when something else
        is there. When the driver is closed it is cancelled.
        """

    def _why(self, error: OSError) -> str:
        """Why the device could not be opened."""
        return "it could not be opened in time" if isinstance(error, TimeoutError) else str(error.strerror or error)

    def _came(self, description: Description, state: DeviceState) -> None:
        self._pauses.reset()
        super()._came(description, state)

    async def _start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"device {self.id}")
        self._task.add_done_callback(self._done)

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed(error)

    async def _run(self) -> None:
        while True:
            try:
                reason = await self._hold()
            except OSError as error:
                reason = self._why(error)
                if isinstance(error, WrongDevice):
                    self._refused(reason)
            self._went(reason)
            await asyncio.sleep(self._pauses.next())


def _nothing() -> None:
    """Nobody keeps the message, so nobody is told that it is committed."""
