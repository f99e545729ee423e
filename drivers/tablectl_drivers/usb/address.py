"""Names of USB devices: ``usb:VID:PID``, with ``?serial=…``, ``port=BUS-PATH`` and ``interface=N`` where needed.

VID and PID are four hexadecimal digits as `lsusb` shows them. The serial number is that of the USB descriptor. The port
is the kernel's name of the socket, such as ``1-2.3``: bus 1, second socket of its root hub, third socket of the hub
there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

from tablectl_drivers.driving import WrongDevice

__all__ = ["SYSFS", "Address", "WrongDevice", "parse"]

SYSFS: Final = Path("/sys/bus/usb/devices")
"""The kernel's own list of what is plugged in."""

_FORM: Final = "usb:VID:PID, such as usb:05f3:0405?serial=… or usb:05f3:0405?port=1-2.3"
_IDS: Final = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})")
_PORT: Final = re.compile(r"[0-9]{1,3}-[0-9]{1,3}(\.[0-9]{1,3}){0,6}")


@dataclass(frozen=True, slots=True)
class Address:
    """Which USB device is meant; what is None is left open."""

    vendor: int
    product: int
    serial: str | None = None
    port: str | None = None
    interface: int | None = None

    @property
    def ids(self) -> str:
        """Vendor and product as `lsusb` shows them."""
        return f"{self.vendor:04x}:{self.product:04x}"

    def __str__(self) -> str:
        """Vendor and product with what else is known."""
        serial = "" if self.serial is None else f" with serial number {self.serial}"
        return f"{self.ids}{serial}{'' if self.port is None else f' on USB port {self.port}'}"


def parse(port: str) -> Address:
    """The address that `port` names; `ValueError` says what is wrong with it."""
    scheme, colon, rest = port.partition(":")
    if scheme != "usb" or not colon:
        raise ValueError(f"{port!r} is no USB port: expected {_FORM}")
    ids, _, query = rest.partition("?")
    found = _IDS.fullmatch(ids)
    if found is None:
        raise ValueError(f"{port!r} names no vendor and product of four hexadecimal digits each: expected {_FORM}")
    serial = path = interface = None
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key == "serial" and value:
            serial = value
        elif key == "port" and _PORT.fullmatch(value):
            path = value
        elif key == "interface" and value.isascii() and value.isdigit() and int(value) < 256:
            interface = int(value)
        elif key in {"serial", "port", "interface"}:
            raise ValueError(
                f"{port!r} has {key} {value!r}: expected a serial number, a port such as 1-2.3, an interface 0 to 255"
            )
        else:
            raise ValueError(f"{port!r} has the unknown setting {key!r}: expected serial, port, interface or none")
    return Address(int(found[1], 16), int(found[2], 16), serial, path, interface)
