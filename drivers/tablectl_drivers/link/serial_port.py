"""A serial line on the event loop: opened and closed in a thread of its own, read and written without blocking.

pyserial opens, locks and configures the line; from then on its descriptor is read and written directly. Modem lines
are not needed. Opening and closing can block for as long as the hardware likes, a line that still holds bytes for a
device that takes none above all: so each has a deadline, after which its thread is left to itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import termios
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

import serial

from tablectl_drivers.driving import InThread

__all__ = ["Address", "SerialOpener", "SerialPort", "parse"]

BAUD: Final = 115_200
OPEN_S: Final = 5.0
CLOSE_S: Final = 0.5
THREAD: Final = "serial line"
_CHUNK: Final = 4096
_GONE: Final = "it was unplugged or hung up"
_MOST_UNWRITTEN: Final = 16_384


@dataclass(frozen=True, slots=True)
class Address:
    """Where a serial line is and how fast it runs."""

    path: str
    baud: int


def parse(port: str) -> Address:
    """The address that ``serial:PATH`` or ``serial:PATH?baud=N`` names; `ValueError` says what is wrong with it."""
    scheme, colon, rest = port.partition(":")
    if scheme != "serial" or not colon:
        raise ValueError(
            f"{port!r} is no port of this driver: expected serial:PATH, such as serial:/dev/serial/by-id/…,"
            " or usb:VID:PID"
        )
    path, _, query = rest.partition("?")
    if not path:
        raise ValueError(f"{port!r} names no path: expected serial:PATH, such as serial:/dev/serial/by-id/…")
    baud = BAUD
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key != "baud":
            raise ValueError(f"{port!r} has the unknown setting {key!r}: expected baud or none")
        if not (value.isascii() and value.isdigit() and 300 <= int(value) <= 4_000_000):
            raise ValueError(f"{port!r} has baud {value!r}: expected a number from 300 to 4000000")
        baud = int(value)
    return Address(path, baud)


class SerialPort:
    """One open line; `received` gets bytes as they come, `lost` once why the line has ended, neither after `close`."""

    def __init__(self, line: serial.Serial, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._line = line
        self._fd = line.fileno()
        self._received = received
        self._lost = lost
        self._unwritten = bytearray()
        self._loop = asyncio.get_running_loop()
        self._watched = True
        os.set_blocking(self._fd, False)
        self._loop.add_reader(self._fd, self._read)

    def write(self, data: bytes) -> None:
        """Send `data` in its turn; never blocks. A line that takes nothing is lost once too much is waiting."""
        if not data or not self._watched:
            return
        self._unwritten += data
        if len(self._unwritten) == len(data):
            self._write_some()
        if len(self._unwritten) > _MOST_UNWRITTEN:
            self._end(f"the device takes no bytes: {len(self._unwritten)} are waiting")

    async def close(self) -> None:
        """Drop what is not written and close the line, or leave that to its thread when it takes too long."""
        self._unwatch()
        line = self._line
        with contextlib.suppress(TimeoutError):
            await InThread(lambda: _close(line), lambda _: None, THREAD).result(CLOSE_S)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, _CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._end(_reason("reading", error))
            return
        if data:
            self._received(data)
        else:
            self._end(_GONE)

    def _write_some(self) -> None:
        try:
            written = os.write(self._fd, self._unwritten)
        except (BlockingIOError, InterruptedError):
            written = 0
        except OSError as error:
            self._end(_reason("writing", error))
            return
        del self._unwritten[:written]
        if self._unwritten:
            self._loop.add_writer(self._fd, self._write_some)
        else:
            self._loop.remove_writer(self._fd)

    def _end(self, reason: str) -> None:
        if self._watched:
            self._unwatch()
            self._lost(reason)

    def _unwatch(self) -> None:
        if self._watched:
            self._watched = False
            self._loop.remove_reader(self._fd)
            self._loop.remove_writer(self._fd)


def _reason(act: str, error: OSError) -> str:
    return (
        _GONE if error.errno in {errno.EIO, errno.ENXIO, errno.ENODEV} else f"{act} failed: {error.strerror or error}"
    )


def _close(line: serial.Serial) -> None:
    # Flushing first, as closing waits until everything is sent. On a line that is gone both fail, and not always with
    # pyserial's own error.
    with contextlib.suppress(OSError, termios.error):
        line.reset_output_buffer()
    with contextlib.suppress(OSError, termios.error):
        line.close()


class SerialOpener:
    """Opens one line, again and again. An attempt that hangs is the only one: the next call waits for it.

    `name` is what the system called the line that was opened last, where the path leads to it by another name.
    """

    def __init__(self, address: Address) -> None:
        self.name = address.path
        self._address = address
        self._attempt: InThread[serial.Serial] | None = None

    async def __call__(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> SerialPort:
        """Open and lock the line; `OSError` (pyserial's is one) when that cannot be done, `TimeoutError` in time."""
        attempt = self._attempt = self._attempt or InThread(self._open, _close, THREAD)
        try:
            line = await attempt.result(OPEN_S)
        except TimeoutError:
            raise
        except asyncio.CancelledError:
            attempt.abandon()
            self._attempt = None
            raise
        except OSError:
            self._attempt = None
            raise
        self._attempt = None
        try:
            return SerialPort(line, received, lost)
        except OSError:
            _close(line)
            raise

    def _open(self) -> serial.Serial:
        try:
            # An inter-byte timeout of 0 sets VMIN to 1: a read without data is then EAGAIN, and an empty one the end.
            line = serial.Serial(
                self._address.path,
                baudrate=self._address.baud,
                timeout=0,
                inter_byte_timeout=0,
                write_timeout=0,
                exclusive=True,
            )
            with contextlib.suppress(OSError):  # it may be gone already
                self.name = os.ttyname(line.fileno())
            return line
        except termios.error as error:  # the line went while it was opened
            raise OSError(*error.args) from error
