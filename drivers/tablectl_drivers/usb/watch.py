"""Who else is plugged in: USB devices that nobody has allowed, told as they appear and vanish.

A stranger on the bus of a table may be a camera's recorder or a keyboard that types by itself, so it is an alarm.
`strangers` and `compare` are pure; `snapshot` reads the kernel's list, which asks no device anything; `Watcher` does so
again and again. A device that two entries would allow takes one; of two that one entry would allow, the second is a
stranger: a copied serial number shows.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from tablectl_drivers.usb.address import Address, parse
from tablectl_drivers.usb.bus import SYSFS

__all__ = [
    "EVERY_S",
    "Appeared",
    "Change",
    "Plugged",
    "Unreadable",
    "Vanished",
    "Watcher",
    "allowed",
    "compare",
    "snapshot",
    "strangers",
]

EVERY_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Plugged:
    """One device as the kernel lists it; `name` is what it says of itself, `serial` None when it has none."""

    port: str
    vendor: int
    product: int
    serial: str | None
    name: str

    def __str__(self) -> str:
        """The device in words."""
        serial = "without a serial number" if self.serial is None else f"with serial number {self.serial}"
        named = f" ({self.name})" if self.name else ""
        return f"{self.vendor:04x}:{self.product:04x}{named} {serial} on USB port {self.port}"


@dataclass(frozen=True, slots=True)
class Appeared:
    """A stranger is there."""

    device: Plugged


@dataclass(frozen=True, slots=True)
class Vanished:
    """A stranger is gone: no reason to forget that it was there."""

    device: Plugged


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The list cannot be read: whether there are strangers is not known. Said once, until it can be read again."""

    reason: str


Change: TypeAlias = Appeared | Vanished | Unreadable


def allowed(ports: Iterable[str]) -> tuple[Address, ...]:
    """The allow-list of `ports`, each ``usb:VID:PID[?serial=…&port=…]``; `ValueError` says what is wrong with one.

    The ports of the configured devices belong into it, and whatever else is meant to be there, hubs included.
    """
    return tuple(parse(port) for port in ports)


def strangers(plugged: Iterable[Plugged], allow: Iterable[Address]) -> frozenset[Plugged]:
    """The devices that no entry allows; each entry allows one device, the most exact entries first."""
    entries = sorted(allow, key=lambda entry: (entry.serial is None) + (entry.port is None))
    left = _in_order(plugged)
    for entry in entries:
        found = next((device for device in left if _fits(device, entry)), None)
        if found is not None:
            left.remove(found)
    return frozenset(left)


def compare(before: frozenset[Plugged], now: frozenset[Plugged]) -> list[Change]:
    """What has changed between two sets of strangers: first those that are gone, each in the order of its port."""
    gone: list[Change] = [Vanished(device) for device in _in_order(before - now)]
    return [*gone, *(Appeared(device) for device in _in_order(now - before))]


def snapshot(sysfs: Path = SYSFS) -> frozenset[Plugged]:
    """All devices that are plugged in now, root hubs apart; `OSError` when the list cannot be read."""
    found = set()
    for folder in sysfs.iterdir():
        if folder.name.startswith("usb") or ":" in folder.name:
            continue  # a root hub, which is part of the machine; an interface of a device
        try:
            found.add(
                Plugged(
                    folder.name,
                    int(_text(folder, "idVendor"), 16),
                    int(_text(folder, "idProduct"), 16),
                    _optional(folder, "serial") or None,
                    " ".join(filter(None, (_optional(folder, "manufacturer"), _optional(folder, "product")))),
                )
            )
        except FileNotFoundError:
            continue  # pulled out just now
        except ValueError as error:
            raise OSError(f"{folder.name}: {error}") from error
    return frozenset(found)


class Watcher:
    """Looks every `every` seconds, in a thread; an asynchronous iterator of changes, the first at once, without an end.

    What `read` gives is compared with what it gave before; a machine without USB has no strangers.
    """

    def __init__(
        self,
        allow: Iterable[Address],
        *,
        every: float = EVERY_S,
        read: Callable[[], frozenset[Plugged]] | None = None,
    ) -> None:
        self._allow = tuple(allow)
        self._every = every
        self._read = read or _present
        self._last: frozenset[Plugged] = frozenset()
        self._unreadable: str | None = None

    @property
    def strangers(self) -> frozenset[Plugged]:
        """Those that were there when it last looked."""
        return self._last

    async def changes(self) -> AsyncIterator[Change]:
        """What changes, as long as it is waited for."""
        while True:
            for change in await self.look():
                yield change
            await asyncio.sleep(self._every)

    async def look(self) -> list[Change]:
        """Look once: what has changed since the last time."""
        try:
            now = strangers(await asyncio.to_thread(self._read), self._allow)
        except OSError as error:
            reason = f"the USB devices cannot be listed: {error.strerror or error}"
            told, self._unreadable = self._unreadable, reason
            return [] if told == reason else [Unreadable(reason)]
        self._unreadable = None
        before, self._last = self._last, now
        return compare(before, now)


def _in_order(devices: Iterable[Plugged]) -> list[Plugged]:
    return sorted(devices, key=lambda device: (device.port, device.vendor, device.product, device.serial or ""))


def _present() -> frozenset[Plugged]:
    return snapshot() if SYSFS.is_dir() else frozenset()


def _fits(device: Plugged, entry: Address) -> bool:
    return (
        (device.vendor, device.product) == (entry.vendor, entry.product)
        and entry.serial in {None, device.serial}
        and entry.port in {None, device.port}
    )


def _text(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8", errors="replace").strip()


def _optional(folder: Path, name: str) -> str:
    with contextlib.suppress(FileNotFoundError):
        return _text(folder, name)
    return ""
