"""Bytes of an input device and what they are: frames of events that happened together.

::

    struct input_event    seconds | microseconds | type 16 | code 16 | value 32, in the machine's own layout
    EV_SYN SYN_REPORT     the end of a frame
    EV_SYN SYN_DROPPED    the kernel had no room: everything up to the next end of a frame is unsound, and what is down
                          has to be asked for
    EV_KEY                code and 0 up, 1 down, 2 held on (repeated by the kernel: no news, and left out here)
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Final

__all__ = ["EVENT", "EV_KEY", "EV_LED", "EV_SYN", "SYN_DROPPED", "SYN_REPORT", "Change", "Decoder", "Frame", "encode"]

EVENT: Final = struct.Struct("@llHHi")
EV_SYN: Final = 0x00
EV_KEY: Final = 0x01
EV_LED: Final = 0x11
SYN_REPORT: Final = 0
SYN_DROPPED: Final = 3


@dataclass(frozen=True, slots=True)
class Change:
    """One key went down or up."""

    code: int
    down: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """What happened at the time `at`, in seconds of the device's clock; after `overrun` some is missing before it."""

    at: float
    changes: tuple[Change, ...] = ()
    overrun: bool = False


@dataclass(slots=True)
class Decoder:
    """Turns bytes into frames, in whatever pieces they come."""

    _bytes: bytearray = field(default_factory=bytearray)
    _changes: list[Change] = field(default_factory=list)
    _overrun: bool = False

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that are complete with these bytes and say anything of keys."""
        self._bytes += data
        whole = len(self._bytes) - len(self._bytes) % EVENT.size
        frames = []
        for seconds, microseconds, kind, code, value in EVENT.iter_unpack(bytes(self._bytes[:whole])):
            if kind == EV_KEY and value in (0, 1):
                self._changes.append(Change(code, value == 1))
            elif kind == EV_SYN and code == SYN_DROPPED:
                self._overrun = True
            elif kind == EV_SYN and code == SYN_REPORT:
                changes = () if self._overrun else tuple(self._changes)
                if changes or self._overrun:
                    frames.append(Frame(seconds + microseconds / 1e6, changes, self._overrun))
                self._changes.clear()
                self._overrun = False
        del self._bytes[:whole]
        return frames


def encode(at: float, kind: int, code: int, value: int) -> bytes:
    """One event."""
    return EVENT.pack(int(at), int(at % 1 * 1e6), kind, code, value)
