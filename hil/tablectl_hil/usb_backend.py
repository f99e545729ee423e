"""USB devices without USB: a pyusb backend, and the devices that are plugged into it.

`EmulatedBus` is given to pyusb in the place of libusb, by the context variable `tablectl_drivers.usb.bus.BACKEND`, and
does what libusb does, with its error numbers: a read that nothing comes for ends in a timeout, one of an unplugged
device in errno 19, one of a halted endpoint in errno 32; an interface that somebody else has claimed is errno 16.

What is *not* modelled: speed, several configurations, alternate settings, isochronous endpoints, control requests
other than those for strings and HID reports; a device that loses half of a packet.
"""

from __future__ import annotations

import errno
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import usb.backend
import usb.core

__all__ = ["BULK", "HID", "INTERRUPT", "VENDOR", "EmulatedBus", "UsbDevice", "UsbInterface"]

BULK: Final = 2
INTERRUPT: Final = 3
HID: Final = 0x03
VENDOR: Final = 0xFF
_IN: Final = 0x80
_MOST_KEPT: Final = 256
_HANG_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class UsbInterface:
    """One interface with an endpoint in and, if `outward`, one out; `packet` is the size of a packet in bytes."""

    number: int = 0
    usb_class: int = VENDOR
    transfer: int = BULK
    packet: int = 64
    outward: bool = True
    kernel_driver: bool = False

    @property
    def ends(self) -> tuple[int, ...]:
        """The addresses of its endpoints."""
        inward = 0x81 + self.number
        return (inward, 0x01 + self.number) if self.outward else (inward,)


@dataclass
class UsbDevice:
    """One device; `taken` gets, on the thread of whoever wrote, the interface and what was written to it.

    `asked` answers a request for the input report of an interface; None is a device that cannot be asked.
    """

    vendor: int
    product: int
    serial: str | None
    taken: Callable[[int, bytes], None]
    interfaces: tuple[UsbInterface, ...] = (UsbInterface(),)
    asked: Callable[[int], bytes | None] = lambda _: None
    address: int = 0
    port: str | None = None
    claimed: dict[int, object] = field(default_factory=dict)
    detached: set[int] = field(default_factory=set)
    denied: bool = False
    deaf: bool = False
    hangs: bool = False
    halts: dict[int, int] = field(default_factory=dict)
    cleared: list[int] = field(default_factory=list)
    errors: deque[int] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.changed = threading.Condition()
        self.stuck = threading.Event()  # somebody waits for an answer that does not come
        self._out: dict[int, deque[bytes]] = {interface.number: deque() for interface in self.interfaces}

    def send(self, data: bytes, interface: int = 0) -> None:
        """Give bytes to whoever has claimed the interface, cut into packets; if nobody has, they are lost."""
        packet = next(it.packet for it in self.interfaces if it.number == interface)
        with self.changed:
            if interface in self.claimed and len(self._out[interface]) < _MOST_KEPT:
                self._out[interface].extend(data[at : at + packet] for at in range(0, len(data), packet))
                self.changed.notify_all()

    def set(self, **faults: Any) -> None:
        """Set a fault: `deaf` takes no bytes, `hangs` answers nothing and heeds no timeout, `denied` may not be opened.

        `halts` is for each endpoint how often it halts, -1 for ever; `errors` are the numbers of the next errors.
        """
        with self.changed:
            for name, value in faults.items():
                setattr(self, name, value)
            self.changed.notify_all()

    def forget(self) -> None:
        """What is on its way is lost."""
        with self.changed:
            for packets in self._out.values():
                packets.clear()
            self.claimed.clear()
            self.changed.notify_all()

    def read(self, address: int, interface: int, end: int, timeout_s: float) -> bytes:
        """The next packet, in the thread of whoever reads."""
        packets = self._out[interface]
        with self.changed:
            self._wait(address, end, timeout_s, lambda: bool(packets))
            return packets.popleft()

    def write(self, address: int, interface: int, end: int, data: bytes, timeout_s: float) -> None:
        """Take a packet, in the thread of whoever writes."""
        with self.changed:
            self._wait(address, end, timeout_s, lambda: not self.deaf)
        self.taken(interface, data)

    def _wait(self, address: int, end: int, timeout_s: float, ready: Callable[[], bool]) -> None:
        until = time.monotonic() + timeout_s
        while True:
            if self.port is None or self.address != address:
                raise usb.core.USBError("No such device (it may have been disconnected)", -4, errno.ENODEV)
            if self.errors:
                raise usb.core.USBError("Input/Output Error", -1, self.errors.popleft())
            if self.halts.get(end):
                raise usb.core.USBError("Pipe error", -9, errno.EPIPE)
            if not self.hangs and ready():
                return
            left = until - time.monotonic()
            if left <= 0 and not self.hangs:
                raise usb.core.USBTimeoutError("Operation timed out", -7, errno.ETIMEDOUT)
            if self.hangs:
                self.stuck.set()
            self.changed.wait(_HANG_S if self.hangs else left)


@dataclass(slots=True)
class _Handle:
    device: UsbDevice
    address: int
    open: bool = True


class EmulatedBus(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """The backend: what pyusb asks of libusb, for the devices that are plugged in."""

    def __init__(self) -> None:
        super().__init__()
        self._devices: dict[str, UsbDevice] = {}
        self._address = 0
        self.handles = 0

    def plug(self, device: UsbDevice, port: str = "1-1") -> None:
        """Put a device into a socket; like the kernel, give it a new address."""
        self._address += 1
        device.address = self._address
        device.detached.clear()
        device.port = port
        self._devices = {**self._devices, port: device}

    def unplug(self, device: UsbDevice) -> None:
        """Pull it out: whoever reads or writes is told at once."""
        self._devices = {port: other for port, other in self._devices.items() if other is not device}
        device.port = None
        device.forget()

    # What pyusb calls

    def enumerate_devices(self) -> Iterator[UsbDevice]:
        """All devices."""
        yield from self._devices.values()

    def get_parent(self, dev: UsbDevice) -> None:
        """No hubs."""
        return

    def get_device_descriptor(self, dev: UsbDevice) -> SimpleNamespace:
        """The device descriptor, with where the device is."""
        bus, _, ports = (dev.port or "1-0").partition("-")
        return SimpleNamespace(
            bLength=18,
            bDescriptorType=1,
            bcdUSB=0x0200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=64,
            idVendor=dev.vendor,
            idProduct=dev.product,
            bcdDevice=0x0100,
            iManufacturer=0,
            iProduct=0,
            iSerialNumber=0 if dev.serial is None else 3,
            bNumConfigurations=1,
            address=dev.address,
            bus=int(bus),
            port_number=int(ports.split(".")[-1]),
            port_numbers=tuple(map(int, ports.split("."))),
            speed=2,
        )

    def get_configuration_descriptor(self, dev: UsbDevice, config: int) -> SimpleNamespace:
        """The only configuration."""
        if config:
            raise IndexError(config)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=2,
            wTotalLength=0,
            bNumInterfaces=len(dev.interfaces),
            bConfigurationValue=1,
            iConfiguration=0,
            bmAttributes=0x80,
            bMaxPower=50,
            extra_descriptors=(),
        )

    def get_interface_descriptor(self, dev: UsbDevice, intf: int, alt: int, config: int) -> SimpleNamespace:
        """One interface."""
        if alt:
            raise IndexError(alt)
        interface = dev.interfaces[intf]
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=4,
            bInterfaceNumber=interface.number,
            bAlternateSetting=0,
            bNumEndpoints=len(interface.ends),
            bInterfaceClass=interface.usb_class,
            bInterfaceSubClass=0,
            bInterfaceProtocol=0,
            iInterface=0,
            extra_descriptors=(),
        )

    def get_endpoint_descriptor(self, dev: UsbDevice, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        """One endpoint."""
        interface = dev.interfaces[intf]
        return SimpleNamespace(
            bLength=7,
            bDescriptorType=5,
            bEndpointAddress=interface.ends[ep],
            bmAttributes=interface.transfer,
            wMaxPacketSize=interface.packet,
            bInterval=1,
            bRefresh=0,
            bSynchAddress=0,
            extra_descriptors=(),
        )

    def open_device(self, dev: UsbDevice) -> _Handle:
        """Open, which only a missing device and missing rights prevent."""
        if dev.denied:
            raise usb.core.USBError("Access denied (insufficient permissions)", -3, errno.EACCES)
        handle = _Handle(dev, dev.address)
        self._present(handle)
        self.handles += 1
        return handle

    def close_device(self, dev_handle: _Handle) -> None:
        """Close, and give up what was claimed."""
        dev_handle.open = False
        self.handles -= 1
        device = dev_handle.device
        with device.changed:
            for number in [number for number, holder in device.claimed.items() if holder is dev_handle]:
                del device.claimed[number]

    def get_configuration(self, dev_handle: _Handle) -> int:
        """The only configuration is always set."""
        self._present(dev_handle)
        return 1

    def is_kernel_driver_active(self, dev_handle: _Handle, intf: int) -> bool:
        """Whether the kernel uses the interface."""
        device = self._present(dev_handle)
        return intf not in device.detached and any(it.number == intf and it.kernel_driver for it in device.interfaces)

    def detach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        """Take the interface from the kernel."""
        self._present(dev_handle).detached.add(intf)

    def claim_interface(self, dev_handle: _Handle, intf: int) -> None:
        """Take the interface for this handle alone."""
        device = self._present(dev_handle)
        with device.changed:
            if self.is_kernel_driver_active(dev_handle, intf) or device.claimed.get(intf, dev_handle) is not dev_handle:
                raise usb.core.USBError("Resource busy", -6, errno.EBUSY)
            device.claimed[intf] = dev_handle

    def release_interface(self, dev_handle: _Handle, intf: int) -> None:
        """Give the interface up."""
        device = self._present(dev_handle)
        with device.changed:
            device.claimed.pop(intf, None)

    def bulk_read(self, dev_handle: _Handle, ep: int, intf: int, buff: array[int], timeout: int) -> int:
        """Read one packet."""
        device = self._held(dev_handle, intf)
        data = device.read(dev_handle.address, intf, ep, timeout / 1000)
        buff[: len(data)] = array("B", data)
        return len(data)

    def bulk_write(self, dev_handle: _Handle, ep: int, intf: int, data: array[int], timeout: int) -> int:
        """Write, packet by packet; a device that stops in between has had what it took."""
        device = self._held(dev_handle, intf)
        packet = next(it.packet for it in device.interfaces if it.number == intf)
        written = 0
        for piece in _pieces(bytes(data), packet):
            try:
                device.write(dev_handle.address, intf, ep, piece, timeout / 1000)
            except usb.core.USBTimeoutError:
                if not written:
                    raise
                break
            written += len(piece)
        return written

    intr_read = bulk_read
    intr_write = bulk_write

    def ctrl_transfer(
        self, handle: _Handle, request_type: int, request: int, value: int, index: int, data: array[int], timeout: int
    ) -> int:
        """Strings, and the reports of a HID interface."""
        device = self._present(handle)
        match request_type, request:
            case 0x80, 0x06:
                number = value & 0xFF
                text = (device.serial or "").encode("utf-16-le") if number else b"\x09\x04"
                return _fill(data, bytes((len(text) + 2, 3)) + text)
            case 0xA1, 0x01:
                report = device.asked(index)
                if report is None:
                    raise usb.core.USBError("Pipe error", -9, errno.EPIPE)
                return _fill(data, report)
            case 0x21, 0x09:
                device.write(handle.address, index, 0, bytes(data), timeout / 1000)
                return len(data)
            case _:
                raise usb.core.USBError("Pipe error", -9, errno.EPIPE)

    def clear_halt(self, dev_handle: _Handle, ep: int) -> None:
        """End the halt of an endpoint, which may halt again."""
        device = self._present(dev_handle)
        with device.changed:
            device.cleared.append(ep)
            if device.halts.get(ep, 0) > 0:
                device.halts[ep] -= 1

    def _present(self, handle: _Handle) -> UsbDevice:
        if handle.device.port is None or handle.device.address != handle.address:
            raise usb.core.USBError("No such device (it may have been disconnected)", -4, errno.ENODEV)
        if not handle.open:
            raise AssertionError("a closed handle is used")
        return handle.device

    def _held(self, handle: _Handle, interface: int) -> UsbDevice:
        device = self._present(handle)
        if device.claimed.get(interface) is not handle:
            raise usb.core.USBError("Entity not found", -5, errno.ENOENT)
        return device


def _pieces(data: bytes, size: int) -> Iterable[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def _fill(buffer: array[int], data: bytes) -> int:
    count = min(len(buffer), len(data))
    buffer[:count] = array("B", data[:count])
    return count
