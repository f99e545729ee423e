"""The driver ``table-device-link``: a device on a serial line or on USB that speaks the table device link.

Port: ``serial:PATH`` or ``serial:PATH?baud=N`` (115200), PATH best one below ``/dev/serial/by-id``; or ``usb:VID:PID``
as `tablectl_drivers.usb.address` has it. Its own keys:

``serial`` (text)
    serial number that the device must give; without it any will do, and a change is reported as a fault
``lost_after_ms`` (500 to 60000, 3000)
    silence after which the device is lost
``command_timeout_ms`` (100 to 60000, 2000)
    time within which the device must have answered a command
``retry_ms`` (10 to 60000, 200)
    first pause before the port is opened again; each further one is twice as long
``retry_max_ms`` (``retry_ms`` to 600000; 3000, or ``retry_ms`` if that is more)
    longest such pause
"""

from __future__ import annotations

import asyncio
import functools
import random
import re
from collections.abc import AsyncIterator
from types import TracebackType
from typing import ClassVar, Final, Self

import structlog

from tablectl.devices import Delivery, Driver, Health, LinkState, Options, Resume
from tablectl.equipment import (
    Command,
    Description,
    DeviceState,
    Fault,
    Kind,
    Lamp,
    LinkLost,
    LinkUp,
    Message,
    Mode,
)
from tablectl.errors import CommandRefused, CommandTimeout, ConfigurationError, LinkError
from tablectl_drivers.driving import RETRY_MS, Deliveries, Pauses, in_range, retry_problems, retry_times
from tablectl_drivers.link import serial_port
from tablectl_drivers.link.connection import Connection, Opener
from tablectl_drivers.link.frames import Describe, Status
from tablectl_drivers.link.host import (
    Answered,
    Arrived,
    Down,
    Happening,
    HostSession,
    Missing,
    NotUnderstood,
    Refused,
    Unanswered,
    Up,
)
from tablectl_drivers.link.serial_port import SerialOpener
from tablectl_drivers.usb import address as usb_address
from tablectl_drivers.usb.address import WrongDevice

__all__ = ["LinkDriver"]

_log = structlog.get_logger(__name__)

_TIMES_MS: Final = {  # key: default, least, most
    "lost_after_ms": (3000, 500, 60_000),
    "command_timeout_ms": (2000, 100, 60_000),
}


class LinkDriver(Driver):
    """One device on the table device link; ``drivers/PROTOCOL.md`` specifies the protocol."""

    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    def __init__(
        self,
        id: str,
        kind: Kind,
        port: str,
        options: Options,
        *,
        resume: Resume | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """See `Driver`; `chance` spreads the pauses between attempts."""
        super().__init__(id, kind, port, options, resume=resume)
        self.check(id, kind, port, options)
        times = {key: int(options.get(key, default)) / 1000 for key, (default, _, _) in _TIMES_MS.items()}
        chance = chance or random.SystemRandom()
        self._session = HostSession(
            self._admit,
            chance=chance,
            resume=_resume(resume),
            lost_after=times["lost_after_ms"],
            command_timeout=times["command_timeout_ms"],
        )
        self._opener = _opener(port)
        self._connection = Connection(self._session, self._opener, self._happened)
        self._pauses = Pauses(*retry_times(options), chance)
        self._deliveries = Deliveries()
        self._sending = asyncio.Lock()
        self._answer: asyncio.Future[Answered | Unanswered] | None = None
        self._task: asyncio.Task[None] | None = None
        self._state = LinkState.CLOSED
        self._description: Description | None = None
        self._last_error: str | None = None
        self._told_lost = False
        self._told_fault: str | None = None
        self._broken: tuple[int, str] | None = None
        self._ups = self._failures = 0

    @classmethod
    def check(cls, id: str, kind: Kind, port: str, options: Options) -> None:
        """See `Driver`."""
        where = f"[devices.{id}]"
        problems = []
        if kind not in cls.kinds:
            problems.append(
                f"{where} kind: {kind} is not served by this driver: expected {', '.join(sorted(cls.kinds))}"
            )
        try:
            _address(port)
        except ValueError as error:
            problems.append(f"{where} port: {error}")
        known = ("serial", *_TIMES_MS, *RETRY_MS)
        for key, value in options.items():
            if key not in known:
                problems.append(f"{where} {key}: unknown key: expected {', '.join(known)}")
            elif key == "serial" and not (isinstance(value, str) and value):
                problems.append(
                    f"{where} serial: {value!r} is no serial number: expected the text that the device gives"
                )
            elif key in _TIMES_MS and not in_range(value, *_TIMES_MS[key][1:]):
                _, least, most = _TIMES_MS[key]
                problems.append(f"{where} {key}: {value!r}: expected milliseconds from {least} to {most}")
        problems += retry_problems(where, options)
        if problems:
            raise ConfigurationError(problems)

    @property
    def description(self) -> Description | None:
        """See `Device`."""
        return self._description

    def events(self) -> AsyncIterator[Delivery]:
        """See `Device`."""
        return self._deliveries

    def health(self) -> Health:
        """See `Device`."""
        trip = self._session.round_trip
        return Health(
            state=self._state,
            bad_frames=self._session.bad_frames,
            retransmits=self._session.retransmits,
            duplicates=self._session.duplicates,
            round_trip_ms=None if trip is None else trip * 1000,
            reconnects=max(0, self._ups - 1),
            last_error=self._last_error,
        )

    async def send(self, command: Command, command_id: int, *, boot: str | None = None) -> None:
        """See `Device`; `ValueError` for an id out of range or a command that no frame has room for."""
        if not 1 <= command_id < 1 << 63:
            raise ValueError(f"{command_id} is no command id: expected 1 to 2**63 - 1")
        what = f"{type(command).__name__} (command {command_id})"
        async with self._sending:
            if not self._session.up:
                reason = f" ({self._last_error})" if self._last_error else ""
                raise LinkError(f"{what} was not sent: the device is not connected{reason}", device=self.id)
            if boot is not None and boot != self._boot_id:
                raise CommandTimeout(
                    f"{what} was not sent again: the device has started anew with boot id {self._boot_id}, expected"
                    f" {boot}; whether it acted before is for a person to see",
                    device=self.id,
                )
            if not self._session.knows(command):
                raise CommandRefused(
                    f"{what} was not sent: the device speaks version {self._session.version} of the table device link,"
                    " which does not have it; its firmware has to be renewed",
                    device=self.id,
                )
            self._answer = asyncio.get_running_loop().create_future()
            try:
                self._connection.order(command_id, command)
                answer = await self._answer
            finally:
                self._answer = None
                self._session.withdraw()
        if isinstance(answer, Unanswered):
            raise CommandTimeout(f"{what} was sent and not answered; it may have been done", device=self.id)
        if answer.status is Status.REFUSED:
            raise CommandRefused(f"{what} is refused: {answer.reason or 'no reason given'}", device=self.id)

    async def __aenter__(self) -> Self:
        """Start looking for the device."""
        if self._task is not None:
            raise RuntimeError(f"{self.id} was opened before: make a new driver")
        self._state = LinkState.CONNECTING
        self._task = asyncio.create_task(self._run(), name=f"device {self.id}")
        self._task.add_done_callback(self._done)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Close the port; what is not acknowledged comes again another time."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._state = LinkState.CLOSED
        health = self.health()
        _log.info(
            "device_closed",
            device=self.id,
            bad_frames=health.bad_frames,
            retransmits=health.retransmits,
            duplicates=health.duplicates,
            reconnects=health.reconnects,
        )

    @property
    def _boot_id(self) -> str:
        return "" if self._session.boot is None else _boot_text(self._session.boot)

    async def _run(self) -> None:
        while True:
            try:
                reason = await self._connection.run()
            except TimeoutError:
                reason = f"the port could not be opened within {serial_port.OPEN_S:g} s"
            except WrongDevice as error:
                reason = str(error.strerror)
                self._tell_fault(Fault.SWAPPED, reason, None)
            except OSError as error:
                reason = f"the port cannot be opened: {error.strerror or error}"
            self._went(reason)
            await asyncio.sleep(self._pauses.next())

    def _done(self, task: asyncio.Task[None]) -> None:
        self._fail_command("the driver was closed")
        self._deliveries.put(None if task.cancelled() else task.exception())

    def _happened(self, happening: Happening) -> None:
        match happening:
            case Up(device, same_boot):
                self._came(device, same_boot)
            case Arrived(boot, number, message):
                acknowledge = functools.partial(self._connection.acknowledge, boot, number)
                self._deliveries.put(Delivery(self.id, message, _boot_text(boot), number, acknowledge))
            case Missing(boot, count):
                self._fault(Fault.PROTOCOL, f"{count} of its messages are lost for good", boot)
            case Answered() | Unanswered():
                if self._answer is not None and not self._answer.done():
                    self._answer.set_result(happening)
            case Refused(device, reason):
                self._tell_fault(Fault.PROTOCOL if self._broken else Fault.SWAPPED, reason, device.boot)
            case NotUnderstood(boot, reason):
                if boot is not None:
                    self._broken = boot, reason
                self._tell_fault(Fault.PROTOCOL, reason, boot)
            case Down():
                pass  # the connection ends with its reason

    def _admit(self, device: Describe) -> str | None:
        """Why what has described itself must not be used as this device."""
        serial = self._options.get("serial")
        if device.kind is not self.kind:
            return f"a {device.kind} ({device.model} {device.serial}) answers on its port, expected a {self.kind}"
        if serial is not None and device.serial != serial:
            return f"serial number {device.serial} ({device.model}) answers on its port, expected {serial}"
        if self._broken is not None and self._broken[0] == device.boot:
            return self._broken[1]
        self._broken = None
        return self.admit(device.description)

    def admit(self, description: Description) -> str | None:
        """Why what has described itself must not be used, or None; for drivers derived from this one.

        It is asked before anything of the device is taken; a reason is told as the fault *swapped*.
        """
        return None

    def _came(self, device: Describe, same_boot: bool) -> None:
        before, self._description = self._description, device.description
        self._state = LinkState.UP
        self._ups += 1
        self._told_lost = False
        self._told_fault = None
        _log.info(
            "device_up",
            device=self.id,
            port=self._opener.name if isinstance(self._opener, SerialOpener) else self._port,
            model=device.model,
            serial=device.serial,
            boot=_boot_text(device.boot),
            same_boot=same_boot,
            failures=self._failures,
        )
        self._failures = 0
        self._pauses.reset()
        self._say(LinkUp(device.description), device.boot)
        if before is not None and before.serial != device.serial:
            reason = f"serial number {device.serial} answers in the place of {before.serial}"
            self._fault(Fault.SWAPPED, reason, device.boot)

    def _went(self, reason: str) -> None:
        """The connection has ended or could not be made: told and logged once, then counted."""
        self._last_error = reason
        self._failures += 1
        self._fail_command(reason)
        self._state = LinkState.REFUSED if reason == self._told_fault else LinkState.LOST
        if not self._told_lost:
            self._told_lost = True
            _log.warning("device_lost", device=self.id, reason=reason)
            self._say(LinkLost(reason), self._session.boot)

    def _tell_fault(self, fault: Fault, reason: str, boot: int | None) -> None:
        """What stands in the way of the device, told once for as long as it does."""
        if reason != self._told_fault:
            self._told_fault = reason
            self._fault(fault, reason, boot)

    def _fault(self, fault: Fault, reason: str, boot: int | None) -> None:
        self._last_error = reason
        _log.error("device_fault", device=self.id, fault=fault.value, reason=reason)
        self._say(DeviceState(Mode.UNKNOWN, Lamp.UNKNOWN, False, None, False, fault), boot)

    def _say(self, message: Message, boot: int | None) -> None:
        self._deliveries.put(Delivery(self.id, message, "" if boot is None else _boot_text(boot), 0, _nothing))

    def _fail_command(self, reason: str) -> None:
        if self._answer is not None and not self._answer.done():
            error = CommandTimeout(f"lost before it answered a command, which may be done: {reason}", device=self.id)
            self._answer.set_exception(error)


def _address(port: str) -> serial_port.Address | usb_address.Address:
    """Where `port` is; `ValueError` says what is wrong with it."""
    if port.startswith("usb:"):
        return usb_address.parse(port)
    return serial_port.parse(port)


def _opener(port: str) -> Opener:
    where = _address(port)
    if isinstance(where, serial_port.Address):
        return SerialOpener(where)
    from tablectl_drivers.usb.bus import Role  # loads pyusb, which a table on serial lines can do without
    from tablectl_drivers.usb.port import UsbOpener

    return UsbOpener(where, Role.STREAM)


def _nothing() -> None:
    """What a driver says itself needs no acknowledgement."""


def _boot_text(boot: int) -> str:
    return f"{boot:08x}"


def _resume(resume: Resume | None) -> tuple[int, int] | None:
    """Boot and number for the session; a boot id that is none of this link's is another driver's, and means nothing."""
    if resume is None or re.fullmatch(r"[0-9a-f]{8}", resume[0]) is None:
        return None
    return int(resume[0], 16), resume[1]
