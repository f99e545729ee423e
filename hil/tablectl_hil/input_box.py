"""Emulated Linux input devices for tests in one process: the kernel's side of a device file, over a pipe.

A driver finds them where `tablectl_drivers.linux_input.files.FILES` points. What is *not* modelled: the kernel's own
auto-repeat (it is sent like anything else), several readers of one device, and everything but keys and lamps.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable
from pathlib import Path

from tablectl_drivers.driving import WrongDevice
from tablectl_drivers.linux_input.files import Address, Facts, InputFile
from tablectl_drivers.linux_input.frames import EV_KEY, EV_SYN, EVENT, SYN_DROPPED, SYN_REPORT, encode

__all__ = ["EmulatedFiles", "InputBox"]


class InputBox:
    """One device: buttons that are pressed and lamps that are seen; `changed` is called when one is set."""

    def __init__(self, facts: Facts, changed: Callable[[], None] = lambda: None) -> None:
        self.facts = facts
        self.changed = changed
        self.down: set[int] = set()
        self.lamps: dict[int, bool] = {}
        self.grabbed = False
        self.plugged = True
        self.file: _EmulatedFile | None = None

    def set(self, code: int, down: bool, *, at: float | None = None) -> None:
        """A button goes down or up, at that time of the monotonic clock or now, in a frame of its own."""
        (self.down.add if down else self.down.discard)(code)
        self.send((EV_KEY, code, int(down)), at=at)

    def tap(self, *keys: int) -> None:
        """Type keys one after the other."""
        for key in keys:
            self.set(key, down=True)
            self.set(key, down=False)

    def repeat(self, code: int) -> None:
        """The kernel says that a key is held on."""
        self.send((EV_KEY, code, 2))

    def overrun(self, *lost: tuple[int, bool]) -> None:
        """The kernel has no room: these changes happen and are not told, only that something was lost."""
        for code, down in lost:
            (self.down.add if down else self.down.discard)(code)
        self.send((EV_SYN, SYN_DROPPED, 0), (EV_KEY, 1, 1))

    def send(self, *events: tuple[int, int, int], at: float | None = None) -> None:
        """Send a frame of events as they are."""
        when = time.monotonic() if at is None else at
        self.send_raw(b"".join(encode(when, *event) for event in (*events, (EV_SYN, SYN_REPORT, 0))))

    def send_raw(self, data: bytes) -> None:
        """Send bytes as they are; nothing when nobody has the device open."""
        if self.file is not None:
            os.write(self.file.feed, data)

    def unplug(self) -> None:
        """Pull its cable."""
        self.plugged = False
        if self.file is not None:
            self.file.end()

    def plug(self, facts: Facts | None = None) -> None:
        """Put its cable back, or another device in its place."""
        self.plugged = True
        self.facts = facts or self.facts


class _EmulatedFile:
    """An open device file: the far end of a pipe."""

    def __init__(self, box: InputBox) -> None:
        self.facts = box.facts
        self._box = box
        self._reads, self.feed = os.pipe()
        os.set_blocking(self._reads, False)
        box.file = self

    def fileno(self) -> int:
        return self._reads

    def read(self) -> bytes:
        data = os.read(self._reads, EVENT.size * 64)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return data

    def down(self) -> frozenset[int]:
        return frozenset(self._box.down)

    def light(self, lamps: dict[int, bool]) -> None:
        if not self._box.plugged:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        self._box.lamps.update(lamps)
        self._box.changed()

    def end(self) -> None:
        """The device is gone: what has not been read is still there, then comes the end."""
        self._box.file = None
        with contextlib.suppress(OSError):
            os.close(self.feed)

    def close(self) -> None:
        if self._box.file is self:
            self.end()
        os.close(self._reads)


class EmulatedFiles:
    """Where emulated devices are found, each under a path of its own."""

    def __init__(self) -> None:
        self.boxes: dict[Path, InputBox] = {}
        self.before_open: Callable[[], None] = lambda: None

    def add(self, name: str, box: InputBox) -> InputBox:
        """Put a device under ``/dev/input/NAME``."""
        self.boxes[Path("/dev/input") / name] = box
        return box

    def find(self, address: Address) -> Path:
        """See `Files`."""
        if address.path is not None:
            return address.path
        found = [path for path, box in self.boxes.items() if box.plugged and address.fits(box.facts)]
        if len(found) > 1:
            raise WrongDevice(0, f"{len(found)} such devices are there")
        if not found:
            raise FileNotFoundError(errno.ENOENT, "no such device is there")
        return found[0]

    def open(self, path: Path) -> InputFile:
        """See `Files`."""
        self.before_open()
        box = self.boxes.get(path)
        if box is None or not box.plugged:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if box.grabbed or box.file is not None:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return _EmulatedFile(box)
