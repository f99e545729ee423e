"""Device files of input devices: which there are, what they are, and the requests that one is asked.

Everything here may block and is called in a thread, but for what is done with a file that is open: its reads and writes
do not block, and its requests ask the kernel's memory, not the device.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import struct
import time
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import parse_qsl

from tablectl_drivers.driving import WrongDevice
from tablectl_drivers.linux_input.frames import EV_KEY, EV_LED, EV_SYN, EVENT, SYN_REPORT, encode

__all__ = ["FILES", "Address", "Facts", "Files", "InputFile", "SystemFiles", "parse"]

_READ, _WRITE = 2, 1
_EVENTS_AT_ONCE: Final = 64
_ATTRIBUTES: Final = ("name", "phys", "uniq", "vendor", "product")
_FORM: Final = "evdev:by-id/NAME, evdev:by-path/NAME or evdev:?name=…&phys=…&uniq=…&vendor=…&product=…"


@dataclass(frozen=True, slots=True)
class Facts:
    """What an input device says of itself; `keys` and `lamps` are the codes that it has."""

    name: str
    phys: str
    uniq: str
    vendor: int
    product: int
    version: int = 0
    keys: frozenset[int] = frozenset()
    lamps: frozenset[int] = frozenset()

    @property
    def ids(self) -> str:
        """Vendor and product, as `lsusb` shows them."""
        return f"{self.vendor:04x}:{self.product:04x}"


@dataclass(frozen=True, slots=True)
class Address:
    """Which device is meant: a path, or what its attributes must be."""

    path: Path | None
    attributes: tuple[tuple[str, str], ...] = ()

    def fits(self, facts: Facts) -> bool:
        """Whether the attributes are those of the device."""
        has = {"name": facts.name, "phys": facts.phys, "uniq": facts.uniq}
        has |= {"vendor": f"{facts.vendor:04x}", "product": f"{facts.product:04x}"}
        return all(has[key] == value for key, value in self.attributes)


def parse(port: str) -> Address:
    """The address that `port` names; `ValueError` says what is wrong with it."""
    scheme, colon, rest = port.partition(":")
    if scheme != "evdev" or not colon:
        raise ValueError(f"{port!r} is no port of this driver: expected {_FORM}")
    path, mark, query = rest.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    if bool(path) == bool(mark):
        raise ValueError(f"{port!r} names a path and attributes, or neither: expected {_FORM}")
    if path:
        return Address(Path("/dev/input") / path)
    for key, value in pairs:
        if key not in _ATTRIBUTES or not value:
            raise ValueError(f"{port!r} has {key}={value}: expected {', '.join(_ATTRIBUTES)}, each with a value")
        if key in ("vendor", "product") and not re.fullmatch("[0-9a-f]{4}", value):
            raise ValueError(f"{port!r} has {key} {value!r}: expected four hexadecimal digits in lower case")
    if not pairs or len(dict(pairs)) < len(pairs):
        raise ValueError(f"{port!r} has no attribute, or one twice: expected {_FORM}")
    return Address(None, tuple(pairs))


class InputFile(Protocol):
    """An open device that nobody else hears."""

    facts: Facts

    def fileno(self) -> int:
        """Descriptor to wait for."""

    def read(self) -> bytes:
        """Some events, without blocking; `OSError` when the device is gone."""

    def down(self) -> frozenset[int]:
        """The keys that are down now."""

    def light(self, lamps: dict[int, bool]) -> None:
        """Set lamps."""

    def close(self) -> None:
        """Close it, and let others hear it again."""


class Files(Protocol):
    """Where devices are looked for and opened."""

    def find(self, address: Address) -> Path:
        """The one device file of that address; `OSError` when there is none or more than one."""

    def open(self, path: Path) -> InputFile:
        """Open that device for us alone; `OSError` when that cannot be done."""


class SystemFiles:
    """The device files of this machine."""

    def __init__(self, system: Path = Path("/sys/class/input"), devices: Path = Path("/dev/input")) -> None:
        self._system = system
        self._devices = devices

    def find(self, address: Address) -> Path:
        """See `Files`."""
        if address.path is not None:
            return address.path
        wanted = ", ".join(f"{key} {value}" for key, value in address.attributes)
        found = [
            self._devices / place.name
            for place in sorted(self._system.glob("event*"))
            if address.fits(_attributes(place / "device"))
        ]
        if not found:
            raise FileNotFoundError(0, f"no input device with {wanted} is there")
        if len(found) > 1:
            names = ", ".join(str(path) for path in found)
            raise WrongDevice(0, f"{len(found)} input devices with {wanted} are there ({names}): say which")
        return found[0]

    def open(self, path: Path) -> InputFile:
        """See `Files`."""
        return _DeviceFile(path)


FILES: ContextVar[Files] = ContextVar("FILES", default=SystemFiles())  # noqa: B039 - it has no state that changes
"""Where drivers look for devices: this machine, unless something else has been put there."""


def _attributes(device: Path) -> Facts:
    def text(name: str) -> str:
        with contextlib.suppress(OSError):
            return (device / name).read_text(errors="replace").strip()
        return ""

    return Facts(
        text("name"), text("phys"), text("uniq"), int(text("id/vendor") or "0", 16), int(text("id/product") or "0", 16)
    )


class _DeviceFile:
    """One device file, grabbed, its clock that of the event loop."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.ioctl(self._fd, _request(_WRITE, 0xA0, 4), struct.pack("@i", time.CLOCK_MONOTONIC))
            fcntl.ioctl(self._fd, _request(_WRITE, 0x90, 4), 1)
            _, vendor, product, version = struct.unpack("@HHHH", self._ask(0x02, 8))
            self.facts = Facts(
                name=self._text(0x06),
                phys=self._text(0x07),
                uniq=self._text(0x08),
                vendor=vendor,
                product=product,
                version=version,
                keys=_bits(self._ask(0x20 + EV_KEY, 96)),
                lamps=_bits(self._ask(0x20 + EV_LED, 8)),
            )
        except BaseException:
            os.close(self._fd)
            raise

    def fileno(self) -> int:
        return self._fd

    def read(self) -> bytes:
        return os.read(self._fd, EVENT.size * _EVENTS_AT_ONCE)

    def down(self) -> frozenset[int]:
        return _bits(self._ask(0x18, 96))

    def light(self, lamps: dict[int, bool]) -> None:
        events = b"".join(encode(0, EV_LED, code, int(lit)) for code, lit in lamps.items())
        os.write(self._fd, events + encode(0, EV_SYN, SYN_REPORT, 0))

    def close(self) -> None:
        os.close(self._fd)  # which ends the grab

    def _ask(self, number: int, size: int) -> bytes:
        answer = bytearray(size)
        fcntl.ioctl(self._fd, _request(_READ, number, size), answer)
        return bytes(answer)

    def _text(self, number: int) -> str:
        try:
            return self._ask(number, 256).partition(b"\0")[0].decode("utf-8", "replace").strip()
        except FileNotFoundError:  # it has none
            return ""


def _request(direction: int, number: int, size: int) -> int:
    """The number of a request of the input layer, as the machines have it that Debian's kernel calls generic."""
    return direction << 30 | size << 16 | ord("E") << 8 | number


def _bits(mask: bytes) -> frozenset[int]:
    # Bit by bit in the machine's words, which are little-endian on all that this runs on.
    return frozenset(at * 8 + bit for at, byte in enumerate(mask) for bit in range(8) if byte >> bit & 1)
