"""Who else is plugged in: USB devices that nobody has allowed, told as they appear and vanish.

A stranger on the bus of a table may be a camera's recorder or a keyboard that types by itself, so it is an alarm.
`strangers` and `compare` are pure; `snapshot` reads the kernel's list, which asks no device anything and needs neither
libusb nor udev. A device that two entries would allow takes one; of two that one entry would allow, the second is a
stranger: a copied serial number shows.

What is no stranger: root hubs, hubs (a device that says it is one and has no interface of another kind), and what the
configured ports lead to. A port may name a file that udev makes only when the device has been there for a while, and
takes away a little before it is gone: so while such a file is missing, an unknown device, which may be the one, is
given the time of some looks. A stranger that comes and goes all the time is told once.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tablectl.devices.watcher import Appeared, Change, Plugged, Readable, Unreadable, Vanished, Watcher
from tablectl.errors import ConfigurationError
from tablectl_drivers.usb import sockets
from tablectl_drivers.usb.address import SYSFS, Address, parse

__all__ = ["PATIENCE", "UsbWatcher", "allowed", "compare", "snapshot", "strangers"]

PATIENCE: Final = 5
"""So many looks are waited for a file that udev makes, and before a stranger is believed to be gone."""

_DEADLINE_S: Final = 5.0
_HUB: Final = "09"


def allowed(entries: Iterable[str]) -> tuple[Address, ...]:
    """The allow-list of `entries`, each ``VID:PID[?serial=…&port=…]``; `ValueError` says what is wrong with one.

    That is the form of a device's port, whose ``usb:`` may stand there too.
    """
    return tuple(parse(entry if entry.startswith("usb:") else f"usb:{entry}") for entry in entries)


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
    """All devices that are plugged in now, hubs apart; `OSError` when the list cannot be read."""
    try:
        names = sorted(folder.name for folder in sysfs.iterdir())
    except FileNotFoundError:
        raise FileNotFoundError(
            errno.ENOENT, f"there is no {sysfs}: this machine has no USB, or hides it from this program"
        ) from None
    found = set()
    for name in names:
        if name.startswith("usb") or ":" in name:
            continue  # a root hub, which is part of the machine; an interface of a device
        try:
            if not _is_hub(sysfs, name, names):
                found.add(_plugged(sysfs / name))
        except ValueError as error:
            raise OSError(f"{name}: {error}") from error
        except OSError as error:
            if error.errno not in {errno.ENOENT, errno.ENODEV}:  # else pulled out just now
                raise
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One look: everything that is plugged in, the strangers among it, and whether each file that is named is there."""

    plugged: frozenset[Plugged]
    strangers: frozenset[Plugged]
    complete: bool


class UsbWatcher(Watcher):
    """Compares the kernel's list with what it was before; reads it in a thread, with a deadline.

    `read` gives the devices, `lead` the socket that a configured port's file leads to (see `sockets.socket`).
    """

    def __init__(
        self,
        allow: Sequence[str],
        ports: Sequence[str] = (),
        *,
        read: Callable[[], frozenset[Plugged]] = snapshot,
        lead: Callable[[str], str | None] = lambda port: sockets.socket(sockets.device_file(port)),
        patience: int = PATIENCE,
        deadline_s: float = _DEADLINE_S,
    ) -> None:
        """See `Watcher`."""
        self._allow = (*allowed(allow), *_named(ports))
        self._files = [port for port in ports if sockets.names_file(port)]
        self._read = read
        self._lead = lead
        self._patience = patience
        self._deadline_s = deadline_s
        self._told: frozenset[Plugged] = frozenset()
        self._new: dict[Plugged, int] = {}
        self._missing: dict[Plugged, int] = {}
        self._unreadable: str | None = None
        self._looking: asyncio.Future[_Seen | Exception] | None = None

    @classmethod
    def check(cls, allow: Sequence[str], ports: Sequence[str]) -> None:
        """See `Watcher`."""
        problems = []
        own = _named(ports)
        before: set[Address] = set()
        for entry in allow:
            try:
                (address,) = allowed([entry])
            except ValueError as error:
                problems.append(str(error))
                continue
            one = address.serial is not None or address.port is not None
            if address.interface is not None:
                problems.append(f"{entry!r} names an interface, and a device is allowed whole: leave interface out")
            elif address in own:
                problems.append(f"{entry!r} is a configured device's port and so allowed already: remove it here")
            elif one and address in before:
                problems.append(f"{entry!r} is listed twice, and one device alone can be that: remove one of the two")
            before.add(address)
        if problems:
            raise ConfigurationError(problems)

    @classmethod
    def plugged(cls) -> frozenset[Plugged]:
        """See `Watcher`."""
        return snapshot()

    @property
    def strangers(self) -> frozenset[Plugged] | None:
        """See `Watcher`."""
        return None if self._unreadable is not None else self._told

    async def look(self, *, at_once: bool = False) -> list[Change]:
        """See `Watcher`."""
        try:
            seen = await self._see()
        except OSError as error:
            reason = f"the USB devices cannot be listed: {error.strerror or error}"
            told, self._unreadable = self._unreadable, reason
            return [] if told == reason else [Unreadable(reason)]
        again: list[Change] = [] if self._unreadable is None else [Readable()]
        self._unreadable = None
        return [*again, *self._sort_out(seen, 0 if at_once else self._patience)]

    def _sort_out(self, seen: _Seen, patience: int) -> list[Change]:
        """What is to be told of it; what may be a matter of a moment is counted first."""
        before = self._told
        self._new = {device: self._new.get(device, 0) + 1 for device in seen.strangers - before}
        self._missing = {device: self._missing.get(device, 0) + 1 for device in before - seen.strangers}
        appeared = {device for device, looks in self._new.items() if seen.complete or looks > patience}
        own = before & seen.plugged - seen.strangers
        gone = {device for device, looks in self._missing.items() if device in own or looks > patience}
        self._told = (before | appeared) - gone
        changes = compare(before, self._told)
        return [Vanished(it.device, own=it.device in own) if isinstance(it, Vanished) else it for it in changes]

    async def _see(self) -> _Seen:
        """What there is; a reading that hangs, as while the kernel resets a device, is taken up by a later look."""
        if self._looking is None:
            self._looking = _in_thread(self._list)
        done, _ = await asyncio.wait([self._looking], timeout=self._deadline_s)
        if not done:
            raise TimeoutError(errno.ETIMEDOUT, f"the kernel has not answered for {self._deadline_s:g} seconds")
        seen, self._looking = self._looking.result(), None
        if isinstance(seen, Exception):
            raise seen
        return seen

    def _list(self) -> _Seen:
        """Look, in the thread."""
        plugged = self._read()
        at = {device.port: device for device in plugged}
        complete = True
        own: set[Plugged] = set()
        for port in self._files:
            try:
                place = self._lead(port)
            except (OSError, ValueError):
                complete = False
            else:
                own |= {at[place]} if place in at else set()
        return _Seen(plugged, strangers(plugged - own, self._allow), complete)


def _named(ports: Iterable[str]) -> frozenset[Address]:
    """The devices that ports name themselves, whatever the interface; a port that is wrong is its driver's business."""
    found = set()
    for port in ports:
        with contextlib.suppress(ValueError):
            found.add(replace(parse(port), interface=None))
    return frozenset(found)


def _in_thread(read: Callable[[], _Seen]) -> asyncio.Future[_Seen | Exception]:
    """What `read` gives or raises, from a thread that nobody waits for at the end of the program."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[_Seen | Exception] = loop.create_future()

    def deliver(found: _Seen | Exception) -> None:
        if not answer.done():
            answer.set_result(found)

    def work() -> None:
        found: _Seen | Exception
        try:
            found = read()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where it is waited for
            found = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, found)

    threading.Thread(target=work, name="usb-watch", daemon=True).start()
    return answer


def _in_order(devices: Iterable[Plugged]) -> list[Plugged]:
    return sorted(devices, key=lambda device: (device.port, device.vendor, device.product, device.serial or ""))


def _fits(device: Plugged, entry: Address) -> bool:
    return (
        (device.vendor, device.product) == (entry.vendor, entry.product)
        and entry.serial in {None, device.serial}
        and entry.port in {None, device.port}
    )


def _plugged(folder: Path) -> Plugged:
    return Plugged(
        folder.name,
        int(_text(folder, "idVendor"), 16),
        int(_text(folder, "idProduct"), 16),
        _optional(folder, "serial") or None,
        " ".join(filter(None, (_optional(folder, "manufacturer"), _optional(folder, "product")))),
    )


def _is_hub(sysfs: Path, name: str, names: Iterable[str]) -> bool:
    """Whether it is a hub and nothing else: a keyboard that calls itself one has an interface that is none."""
    if _optional(sysfs / name, "bDeviceClass") != _HUB:
        return False
    interfaces = (other for other in names if other.startswith(f"{name}:"))
    # One without a class is gone already: a hub that is pulled out is still a hub.
    return all(_optional(sysfs / interface, "bInterfaceClass") in {_HUB, ""} for interface in interfaces)


def _text(folder: Path, name: str) -> str:
    """One attribute; what cannot be printed, such as the control of a terminal, is replaced."""
    text = (folder / name).read_text(encoding="utf-8", errors="replace").strip()
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _optional(folder: Path, name: str) -> str:
    with contextlib.suppress(FileNotFoundError):
        return _text(folder, name)
    return ""
