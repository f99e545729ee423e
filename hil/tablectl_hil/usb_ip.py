"""Emulated USB devices for the real kernel: a USB/IP responder that hands them to the driver `vhci_hcd`.

`VhciBus` stands in the place of `tablectl_hil.usb_backend.EmulatedBus`: what is plugged in there is enumerated by the
kernel, bound by its drivers and reached through the real libusb. It needs root and the module; where the kernel is not
to be touched, it belongs into a virtual machine.

The kernel sends requests, each answered under its number (all numbers big-endian)::

    submit   1 | number | device | direction, 1 is in | endpoint | flags | length | 0 | 0 | interval | setup (8)
    returned 3 | number | 0 | 0 | 0 | status | length | 0 | 0 | 0 | 0 (8)
    unlink   2 | number | device | direction | endpoint | number of the request to be given up | 0 (24)
    unlinked 4 | number | 0 | 0 | 0 | status | 0 (24)
"""

from __future__ import annotations

import contextlib
import errno
import socket
import struct
import threading
from pathlib import Path
from typing import Final

import usb.core

from tablectl_hil.usb_backend import HID, UsbDevice, UsbInterface

__all__ = ["VhciBus", "free_socket"]

_VHCI: Final = Path("/sys/devices/platform/vhci_hcd.0")
_SUBMIT, _UNLINK, _RETURNED, _UNLINKED = 1, 2, 3, 4
_HEADER: Final = struct.Struct(">5I")
_REQUEST: Final = struct.Struct(">IIIII8s")
_ANSWER: Final = struct.Struct(">5IiIIII8x")
_GIVEN_UP: Final = struct.Struct(">5Ii24x")
_FULL_SPEED: Final = 2
_LOOK_S: Final = 0.2
_HID_DESCRIPTOR: Final = 0x21
_REPORT_DESCRIPTOR: Final = 0x22
# One input report of 32 bytes and one output report of 35, without ids, of the vendor's own.
_REPORTS: Final = bytes.fromhex("0600ff 0901 a101 1500 26ff00 7508 9520 0901 8102 9523 0901 9102 c0")


class VhciBus:
    """A host controller of the kernel's with as many sockets as it has free; devices are put into the first one."""

    def __init__(self) -> None:
        self._lines: dict[int, socket.socket] = {}

    def plug(self, device: UsbDevice, port: str = "") -> None:
        """Put a device into the first free socket; `port` is for the kernel to choose."""
        ours, theirs = socket.socketpair()
        number = free_socket()
        device.address += 1
        device.port = f"vhci {number}"
        device.claimed = {interface.number: self for interface in device.interfaces}
        with theirs:
            (_VHCI / "attach").write_text(f"{number} {theirs.fileno()} {device.address} {_FULL_SPEED}")
        self._lines[id(device)] = ours
        threading.Thread(target=_Attached(device, ours).serve, name="usb/ip", daemon=True).start()

    def unplug(self, device: UsbDevice) -> None:
        """Pull it out."""
        line = self._lines.pop(id(device), None)
        device.port = None
        device.forget()
        if line is not None:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()


def free_socket() -> int:
    """The number of the first socket that is free; `OSError` when there is none."""
    for line in (_VHCI / "status").read_text().splitlines():
        hub, number, state = line.split()[:3]
        if hub == "hs" and state == "004":
            return int(number)
    raise OSError(errno.ENOSPC, "the kernel's USB/IP controller has no free socket")


class _Attached:
    """One device as it is attached this time."""

    def __init__(self, device: UsbDevice, line: socket.socket) -> None:
        self._device = device
        self._address = device.address
        self._line = line
        self._sending = threading.Lock()
        self._pending: set[int] = set()

    def serve(self) -> None:
        """Answer requests until it is pulled out."""
        with contextlib.suppress(OSError, EOFError):
            while True:
                command, number, _, inward, end = _HEADER.unpack(self._exactly(_HEADER.size))
                rest = self._exactly(28)
                if command == _UNLINK:
                    self._give_up(number, int.from_bytes(rest[:4], "big"))
                    continue
                _, length, _, _, _, setup = _REQUEST.unpack(rest)
                data = b"" if inward else self._exactly(length)
                if end == 0:
                    self._control(number, setup, data)
                    continue
                with self._device.changed:
                    self._pending.add(number)
                work = (self._read, (number, end)) if inward else (self._write, (number, end, data))
                threading.Thread(target=work[0], args=work[1], daemon=True).start()

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._line.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def _answer(self, number: int, status: int, count: int, data: bytes = b"") -> None:
        with self._sending, contextlib.suppress(OSError):
            self._line.sendall(_ANSWER.pack(_RETURNED, number, 0, 0, 0, status, count, 0, 0, 0) + data)

    def _give_up(self, number: int, of: int) -> None:
        with self._device.changed:
            status = -errno.ECONNRESET if of in self._pending else 0
            self._pending.discard(of)
            self._device.changed.notify_all()
        with self._sending:
            self._line.sendall(_GIVEN_UP.pack(_UNLINKED, number, 0, 0, 0, status))

    def _read(self, number: int, end: int) -> None:
        device, interface = self._device, self._interface(end)
        while True:
            with device.changed:
                if number not in self._pending:
                    return
                try:
                    data = device.read(self._address, interface.number, 0x80 | end, 0)
                except usb.core.USBTimeoutError:
                    device.changed.wait(_LOOK_S)
                    continue
                except usb.core.USBError as error:
                    self._pending.discard(number)
                    self._answer(number, -int(error.errno or errno.EIO), 0)
                    return
                self._pending.discard(number)
            self._answer(number, 0, len(data), data)
            return

    def _write(self, number: int, end: int, data: bytes) -> None:
        device, interface = self._device, self._interface(end)
        while True:
            with device.changed:
                if number not in self._pending:
                    return
                try:
                    device.write(self._address, interface.number, end, data, 0)
                except usb.core.USBTimeoutError:
                    device.changed.wait(_LOOK_S)
                    continue
                except usb.core.USBError as error:
                    self._pending.discard(number)
                    self._answer(number, -int(error.errno or errno.EIO), 0)
                    return
                self._pending.discard(number)
            self._answer(number, 0, len(data))
            return

    def _interface(self, end: int) -> UsbInterface:
        return next(it for it in self._device.interfaces if end in {address & 0x0F for address in it.ends})

    def _control(self, number: int, setup: bytes, data: bytes) -> None:
        kind, request, value, index, length = struct.unpack("<BBHHH", setup)
        answer: bytes | None = b""
        match kind, request:
            case ((0x80 | 0x81), 0x06):
                answer = self._descriptor(value >> 8, value & 0xFF)
            case ((0x80 | 0x81 | 0x82), 0x00):
                answer = b"\0\0"
            case 0x80, 0x08:
                answer = b"\1"
            case 0xA1, 0x01:
                answer = self._device.asked(index)
            case 0x21, 0x09:
                self._device.taken(index, data)
            case 0x02, 0x01:
                self._cleared(index)
            case ((0x00 | 0x01 | 0x21), _):
                pass  # configuration, interface, idle rate: there is but one of each
            case _:
                answer = None
        if answer is None:
            self._answer(number, -errno.EPIPE, 0)
        elif kind & 0x80:
            self._answer(number, 0, len(answer[:length]), answer[:length])
        else:
            self._answer(number, 0, len(data))

    def _cleared(self, end: int) -> None:
        with self._device.changed:
            self._device.cleared.append(end)
            if self._device.halts.get(end, 0) > 0:
                self._device.halts[end] -= 1

    def _descriptor(self, kind: int, number: int) -> bytes | None:
        device = self._device
        match kind:
            case 1:
                serial = 0 if device.serial is None else 1
                ids = struct.pack("<HHH", device.vendor, device.product, 0x0100)
                return bytes((18, 1, 0, 2, 0, 0, 0, 64)) + ids + bytes((0, 0, serial, 1))
            case 2:
                body = b"".join(_interface_descriptors(it) for it in device.interfaces)
                head = struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), len(device.interfaces), 1, 0, 0x80, 50)
                return head + body
            case 3 if number == 0:
                return b"\x04\x03\x09\x04"
            case 3 if device.serial is not None:
                text = device.serial.encode("utf-16-le")
                return bytes((2 + len(text), 3)) + text
            case 0x22:
                return _REPORTS
            case _:
                return None


def _interface_descriptors(it: UsbInterface) -> bytes:
    head = bytes((9, 4, it.number, 0, len(it.ends), it.usb_class, 0, 0, 0))
    if it.usb_class == HID:
        head += struct.pack("<BBHBBBH", 9, _HID_DESCRIPTOR, 0x0111, 0, 1, _REPORT_DESCRIPTOR, len(_REPORTS))
    return head + b"".join(struct.pack("<BBBBHB", 7, 5, end, it.transfer, it.packet, 1) for end in it.ends)
