"""The emulated end of a serial line: a pty that appears as a file, and what can go wrong on a wire.

Faults are set for each direction, ``out`` (device to host) and ``in``, and work on whole frames where they are whole:
lose, damage, repeat, hold back, cut into single bytes, join. The order of bytes is kept, as a wire keeps it.

The file is the stable name of the device, as below ``/dev/serial/by-id``: a link to the pty, which is the name that the
system gives to the port for as long as the device is plugged in.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import tty
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Line", "Wire", "WireFaults"]

_CHUNK: Final = 4096
_MOST_UNWRITTEN: Final = 65_536
_THROUGH_S: Final = 0.02
_FRAMES: Final = re.compile(rb"\0*[^\0]+\0?|\0+", re.DOTALL)


@dataclass(slots=True)
class WireFaults:
    """Faults of one direction; the counts are of the next frames, the percentages of all, times in milliseconds."""

    lose: int = 0
    corrupt: int = 0
    duplicate: int = 0
    lose_percent: int = 0
    corrupt_percent: int = 0
    duplicate_percent: int = 0
    delay_ms: int = 0
    merge_ms: int = 0
    split: bool = False
    silent: bool = False


class Wire:
    """One direction: takes frames, gives bytes to `out` as late and as damaged as the faults say."""

    def __init__(self, out: Callable[[bytes], None], chance: random.Random) -> None:
        self.faults = WireFaults()
        self._out = out
        self._chance = chance
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._pulled: Callable[[], None] | None = None
        self._torn = False

    def tear_next(self, pulled: Callable[[], None]) -> None:
        """Let the next frame end in its middle; `pulled` is called when its first half has gone through."""
        self._pulled = pulled

    def put(self, frame: bytes) -> None:
        """Send one frame."""
        if self._torn:
            return
        if self._pulled is not None:
            self._torn = True
            self._out(frame[: max(1, len(frame) // 2)])
            asyncio.get_running_loop().call_later(_THROUGH_S, self._pulled)
            self._pulled = None
            return
        for survivor in self._mangled(frame):
            self.put_raw(survivor)

    def put_raw(self, data: bytes) -> None:
        """Send bytes that no fault but those of timing applies to."""
        faults = self.faults
        if faults.silent or self._torn:
            return
        now = asyncio.get_running_loop().time()
        due = now + faults.delay_ms / 1000
        if faults.merge_ms:
            due = self._waiting[-1][0] if self._waiting else now + faults.merge_ms / 1000
        elif self._waiting:
            due = max(due, self._waiting[-1][0])
        if faults.split:
            self._waiting.extend((due + 0.001 * place, data[place : place + 1]) for place in range(len(data)))
        else:
            self._waiting.append((due, data))
        self._release()

    def cut(self) -> None:
        """Forget what is on its way."""
        self._torn = False
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _mangled(self, frame: bytes) -> list[bytes]:
        faults = self.faults
        if faults.lose or self._chance.random() * 100 < faults.lose_percent:
            faults.lose = max(0, faults.lose - 1)
            return []
        if faults.corrupt or self._chance.random() * 100 < faults.corrupt_percent:
            faults.corrupt = max(0, faults.corrupt - 1)
            damaged = bytearray(frame)
            damaged[self._chance.randrange(len(frame))] ^= 1 << self._chance.randrange(8)
            frame = bytes(damaged)
        if faults.duplicate or self._chance.random() * 100 < faults.duplicate_percent:
            faults.duplicate = max(0, faults.duplicate - 1)
            return [frame, frame]
        return [frame]

    def _release(self) -> None:
        now = asyncio.get_running_loop().time()
        ready = bytearray()
        while self._waiting and self._waiting[0][0] <= now:
            ready += self._waiting.popleft()[1]
        if ready:
            self._out(bytes(ready))
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_at(self._waiting[0][0], self._release)


class Line:
    """A pty whose far end is the file `link`; `received` gets the bytes that the host sends."""

    def __init__(self, link: Path, received: Callable[[bytes], None], chance: random.Random) -> None:
        self.link = link
        self._master: int | None = None
        self._slave: int | None = None
        self._unwritten = bytearray()
        self._loop = asyncio.get_running_loop()
        self._deaf = False
        self._port = self._not_again = ""
        self.out = Wire(self._write, chance)
        self.inward = Wire(received, chance)

    @property
    def plugged(self) -> bool:
        """Whether the file is there."""
        return self._master is not None

    @property
    def port(self) -> str:
        """The name that the system has given to the port; empty while nothing is plugged in."""
        return self._port if self.plugged else ""

    def elsewhere(self) -> None:
        """Let the system give the port another name when it is next plugged in than it has or had last."""
        self._not_again = self._port

    def plug(self) -> None:
        """Make a new pty and put it under the link; whatever was there by that name is replaced."""
        if self._master is not None:
            return
        self._master, self._slave = _pty(self._not_again)  # both ends stay open here, so that it outlives the host
        self._port, self._not_again = os.ttyname(self._slave), ""
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._name_it()
        if not self._deaf:
            self._loop.add_reader(self._master, self._read)

    def unplug(self) -> None:
        """Take the pty away: the host sees a hang-up, and what is on its way is lost."""
        if self._master is None or self._slave is None:
            return
        self._loop.remove_reader(self._master)
        self._loop.remove_writer(self._master)
        self._unwritten.clear()
        self.out.cut()
        self.inward.cut()
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = None

    def swap(self, other: Line) -> None:
        """Exchange the cables of two devices: both are pulled, and each comes back where the other one was."""
        plugged = [line for line in (self, other) if line.plugged]
        for line in plugged:
            line.unplug()
        self.link, other.link = other.link, self.link
        for line in plugged:
            line.plug()

    def deaf(self, deaf: bool) -> None:
        """Take no bytes from the line, so that it fills up, or take them again."""
        self._deaf = deaf
        if self._master is not None:
            if deaf:
                self._loop.remove_reader(self._master)
            else:
                self._loop.add_reader(self._master, self._read)

    def _name_it(self) -> None:
        """Let the file lead to the pty."""
        beside = self.link.with_name(f".{self.link.name}.new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(self._port)
        beside.replace(self.link)

    def _read(self) -> None:
        if self._master is None:
            return
        try:
            data = os.read(self._master, _CHUNK)
        except OSError:
            return
        for piece in _FRAMES.findall(data):
            if not self.plugged:
                return  # pulled in the middle of what has come
            self.inward.put(piece)

    def _write(self, data: bytes) -> None:
        if self._master is None:
            return
        self._unwritten += data
        if len(self._unwritten) > _MOST_UNWRITTEN:
            self._unwritten.clear()  # nobody reads: a wire does not keep what is on it
        self._write_some()

    def _write_some(self) -> None:
        if self._master is None:
            return
        written = 0
        with contextlib.suppress(BlockingIOError):
            written = os.write(self._master, self._unwritten)
        del self._unwritten[:written]
        if self._unwritten:
            self._loop.add_writer(self._master, self._write_some)
        else:
            self._loop.remove_writer(self._master)


def _pty(not_named: str) -> tuple[int, int]:
    """A new pty under another name than that: the numbers of those that are gone are given out again."""
    master, slave = os.openpty()
    if os.ttyname(slave) != not_named:
        return master, slave
    try:
        return os.openpty()
    finally:
        os.close(master)
        os.close(slave)
