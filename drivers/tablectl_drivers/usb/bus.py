"""The one module that touches pyusb: devices found, opened, read and written, with typed results.

pyusb has no types and tells a timeout, a stalled pipe and an unplugged device apart by the number in one exception;
here each is a class. Everything blocks, for as long as the timeouts say, and belongs into a thread of its own.

libusb learns of an unplugged device from udev. Where no udev runs it goes on listing a device that is gone: so on Linux
every device is checked against the kernel's own list, which also has the serial number without the device being asked.
"""

from __future__ import annotations

import contextlib
import errno
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any, Final, TypeAlias

import usb.backend.libusb1
import usb.core
import usb.util

from tablectl_drivers.usb.address import SYSFS, Address, WrongDevice

__all__ = [
    "BACKEND",
    "Bus",
    "Failed",
    "Gone",
    "Listed",
    "Pipes",
    "Read",
    "Received",
    "Role",
    "Stalled",
    "Timeout",
    "Written",
    "Wrote",
]

BACKEND: Final[ContextVar[object | None]] = ContextVar("usb_backend", default=None)
"""The pyusb backend for whoever makes a `Bus` in this context; None is libusb with the devices of this machine."""

_LOADING: Final = threading.Lock()
_HID: Final = 3
_CONTROL_MS: Final = 250
_REPORT_BYTES: Final = 64


class Role(Enum):
    """What an interface is used for, which chooses its endpoints."""

    STREAM = auto()  # bytes both ways: one bulk or interrupt endpoint in, one out
    HID = auto()  # reports: one interrupt endpoint in, perhaps one out


@dataclass(frozen=True, slots=True)
class Received:
    """One packet."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """So many bytes have been taken by the device."""

    count: int


@dataclass(frozen=True, slots=True)
class Timeout:
    """Nothing came, or nothing was taken, in time: no error."""


@dataclass(frozen=True, slots=True)
class Stalled:
    """The device has halted the pipe."""


@dataclass(frozen=True, slots=True)
class Gone:
    """The device is unplugged."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Anything else, in the system's words."""

    reason: str


Read: TypeAlias = Received | Timeout | Stalled | Gone | Failed
Wrote: TypeAlias = Written | Timeout | Stalled | Gone | Failed


@dataclass(frozen=True, slots=True)
class Listed:
    """One device that is plugged in, not opened."""

    vendor: int
    product: int
    port: str
    device: Any = field(repr=False, compare=False)

    @property
    def ids(self) -> str:
        """Vendor and product as `lsusb` shows them."""
        return f"{self.vendor:04x}:{self.product:04x}"


@dataclass(slots=True)
class _Endpoints:
    interface: int
    inward: int
    packet: int
    outward: int | None


class Bus:
    """The USB devices of this machine, or of the backend that is given."""

    def __init__(self, backend: object | None = None, *, sysfs: Path = SYSFS) -> None:
        self._given = backend if backend is not None else BACKEND.get()
        self._sysfs = sysfs if self._given is None and sysfs.is_dir() else None

    def devices(self) -> list[Listed]:
        """All devices that are plugged in, root hubs apart; `OSError` when USB cannot be had."""
        return [
            Listed(int(device.idVendor), int(device.idProduct), port, device)
            for device in self._all()
            if (port := _port(device)) is not None and self._is_there(device, port)
        ]

    def serial(self, listed: Listed) -> str | None:
        """The device's serial number; None when it has none or cannot be asked."""
        if self._sysfs is not None:
            with contextlib.suppress(OSError):
                text = (self._sysfs / listed.port / "serial").read_text(encoding="utf-8", errors="replace")
                return text.strip() or None
        try:
            serial = listed.device.serial_number
        except (usb.core.USBError, ValueError, NotImplementedError):
            return None
        finally:
            usb.util.dispose_resources(listed.device)
        return serial if isinstance(serial, str) and serial else None

    def find(self, address: Address, last: str | None = None) -> Listed:
        """The one device that `address` means, wherever it is plugged in when it is known by its serial number.

        `last` is the port where it was before. `WrongDevice` when it is nowhere and something else is in its place;
        any other `OSError` when it is not there, or cannot be told from another.
        """
        listed = self.devices()
        alike = [it for it in listed if (it.vendor, it.product) == (address.vendor, address.product)]
        if address.serial is not None:
            serials = {it.port: self.serial(it) for it in alike}
            found = [it for it in alike if serials[it.port] == address.serial]
        else:
            found = [it for it in alike if address.port in {None, it.port}]
        if len(found) == 1:
            return found[0]
        if found:
            ports = ", ".join(it.port for it in found)
            raise OSError(
                errno.ENOTUNIQ,
                f"{len(found)} devices {address} are plugged in, on ports {ports}: say in the configuration which one"
                " is meant, by ?serial=… or ?port=…",
            )
        place = address.port or last
        other = next((it for it in listed if it.port == place), None)
        if other is not None:
            serial = self.serial(other)
            named = f"{other.ids}{f' with serial number {serial}' if serial else ' without a serial number'}"
            raise WrongDevice(errno.ENODEV, f"{named} is plugged in on USB port {other.port}, expected {address}")
        raise FileNotFoundError(errno.ENOENT, f"no USB device {address} is plugged in")

    def open(self, listed: Listed, role: Role, interface: int | None = None) -> Pipes:
        """Open a device and claim its interface for ourselves alone; `OSError` when that cannot be done."""
        device = listed.device
        try:
            try:
                configuration = device.get_active_configuration()
            except usb.core.USBError as error:
                if error.errno is not None:
                    raise
                device.set_configuration()
                configuration = device.get_active_configuration()
            ends = _choose(configuration, role, interface)
            with contextlib.suppress(NotImplementedError):  # not on every system, and needed on Linux alone
                if device.is_kernel_driver_active(ends.interface):
                    device.detach_kernel_driver(ends.interface)
            usb.util.claim_interface(device, ends.interface)
        except usb.core.USBError as error:
            usb.util.dispose_resources(device)
            raise _explained(error, listed) from error
        except BaseException:
            usb.util.dispose_resources(device)
            raise
        return Pipes(device, ends)

    def _all(self) -> Iterator[Any]:
        with _LOADING:  # two threads that load it at once would have two of it
            backend = self._given or usb.backend.libusb1.get_backend()
        if backend is None:
            raise OSError(errno.ENOSYS, "libusb is not installed on this machine: install libusb-1.0-0")
        try:
            yield from usb.core.find(find_all=True, backend=backend)
        except usb.core.USBError as error:
            raise OSError(error.errno, f"USB devices cannot be listed: {error.strerror or error}") from error

    def _is_there(self, device: Any, port: str) -> bool:
        if self._sysfs is None:
            return True
        try:
            return int((self._sysfs / port / "devnum").read_text()) == int(device.address)
        except (OSError, ValueError):
            return False


class Pipes:
    """An opened device; reading, writing and closing may be done in different threads."""

    def __init__(self, device: Any, ends: _Endpoints) -> None:
        self._device = device
        self._ends = ends
        self._closing = threading.Lock()
        self._closed = False

    def read(self, timeout_ms: int) -> Read:
        """The next packet."""
        ends = self._ends
        try:
            # One packet at a time: a transfer that asks for more ends only with a short packet, and so comes late.
            return Received(bytes(self._device.read(ends.inward, ends.packet, timeout_ms)))
        except usb.core.USBError as error:
            return _result(error)

    def write(self, data: bytes, timeout_ms: int) -> Wrote:
        """Give bytes, or one report, to the device."""
        ends = self._ends
        try:
            if ends.outward is not None:
                return Written(int(self._device.write(ends.outward, data, timeout_ms)))
            # A HID device without an endpoint for it takes its reports as control requests: SET_REPORT, output.
            written = self._device.ctrl_transfer(0x21, 0x09, 0x0200, ends.interface, data, timeout_ms)
            return Written(int(written))
        except usb.core.USBError as error:
            return _result(error)

    def input_report(self, report_id: int) -> Read:
        """The input report as it is now, of a HID device that can be asked (GET_REPORT); id 0 is one without id."""
        value = 0x0100 | report_id
        try:
            data = self._device.ctrl_transfer(0xA1, 0x01, value, self._ends.interface, _REPORT_BYTES, _CONTROL_MS)
            return Received(bytes(data))
        except usb.core.USBError as error:
            return _result(error)

    def clear(self, *, outward: bool) -> bool:
        """End the halt of one pipe; whether the device did."""
        end = self._ends.outward if outward else self._ends.inward
        try:
            if end is not None:
                self._device.clear_halt(end)
        except usb.core.USBError:
            return False
        return True

    def close(self) -> None:
        """Release and close, once; no other call may be under way or follow."""
        with self._closing:
            if not self._closed:
                self._closed = True
                usb.util.dispose_resources(self._device)


def _port(device: Any) -> str | None:
    """The kernel's name of the socket; None for a root hub, which is in none."""
    numbers = device.port_numbers
    return f"{device.bus}-{'.'.join(map(str, numbers))}" if numbers else None


def _choose(configuration: Any, role: Role, interface: int | None) -> _Endpoints:
    """The endpoints of the interface that is asked for, or of the first one that will do."""
    for candidate in configuration:
        if candidate.bAlternateSetting != 0 or interface not in {None, int(candidate.bInterfaceNumber)}:
            continue
        if role is Role.HID and candidate.bInterfaceClass != _HID:
            continue
        kinds = {usb.util.ENDPOINT_TYPE_INTR}
        if role is Role.STREAM:
            kinds.add(usb.util.ENDPOINT_TYPE_BULK)
        usable = [end for end in candidate if usb.util.endpoint_type(end.bmAttributes) in kinds]
        inward = next((end for end in usable if end.bEndpointAddress & 0x80), None)
        outward = next((end for end in usable if not end.bEndpointAddress & 0x80), None)
        if inward is not None and (outward is not None or role is Role.HID):
            return _Endpoints(
                int(candidate.bInterfaceNumber),
                int(inward.bEndpointAddress),
                int(inward.wMaxPacketSize) & 0x7FF,
                None if outward is None else int(outward.bEndpointAddress),
            )
    wanted = "a HID interface" if role is Role.HID else "an interface with one endpoint in and one out"
    which = "" if interface is None else f" numbered {interface}"
    raise OSError(errno.ENXIO, f"the device has not {wanted}{which}: is it the right model, set to the right mode?")


def _explained(error: usb.core.USBError, listed: Listed) -> OSError:
    """The same in words for the person who has to act."""
    where = f"{listed.ids} on USB port {listed.port}"
    match error.errno:
        case errno.EACCES | errno.EPERM:
            text = f"no permission to open {where}: add its line to the udev rules"
        case errno.EBUSY:
            text = f"{where} is in use by another process: end that one"
        case errno.ENODEV:
            text = f"{where} was unplugged while it was opened"
        case errno.ETIMEDOUT:
            return OSError(errno.EIO, f"{where} does not answer")
        case _:
            text = f"{where} cannot be opened: {error.strerror or error}"
    return OSError(error.errno, text)


def _result(error: usb.core.USBError) -> Timeout | Stalled | Gone | Failed:
    if isinstance(error, usb.core.USBTimeoutError) or error.errno == errno.ETIMEDOUT:
        return Timeout()
    match error.errno:
        case errno.EPIPE:
            return Stalled()
        case errno.ENODEV | errno.ESHUTDOWN:
            return Gone()
        case _:
            return Failed(error.strerror or str(error))
