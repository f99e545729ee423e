"""An opened USB device on the event loop: one thread reads it, one writes it, and the loop never waits for either.

libusb cannot be told to stop waiting, so every wait is short (`READ_MS`, `WRITE_MS`) and a thread looks up between two.
The reading thread also finds, opens and closes the device: what hangs in there hangs alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import structlog

from tablectl_drivers.usb.address import Address
from tablectl_drivers.usb.bus import (
    Bus,
    Failed,
    Gone,
    Listed,
    Pipes,
    Received,
    Role,
    Stalled,
    Timeout,
    Written,
)

__all__ = ["Opened", "UsbOpener", "UsbPort"]

_log = structlog.get_logger(__name__)

READ_MS: Final = 250
WRITE_MS: Final = 250
WRITE_S: Final = 1.0
OPEN_S: Final = 5.0
CLOSE_S: Final = 0.7
READER: Final = "usb reader"
WRITER: Final = "usb writer"
_GONE: Final = "it was unplugged"
_MOST_UNWRITTEN: Final = 16_384
_MOST_UNREAD: Final = 64


class Opened:
    """What has been opened: the device, where it is, its serial number, and its pipes for the time before the port.

    `input_report` is taken by the opening thread: the levels of a HID device at the beginning, if it tells them.
    """

    def __init__(self, listed: Listed, serial: str | None, pipes: Pipes, first: bytes | None) -> None:
        self.ids = listed.ids
        self.port = listed.port
        self.serial = serial
        self.first = first
        self.pipes = pipes


class _Worker:
    """The two threads of one opened device, from the attempt to open it to its end.

    Everything that it tells, it tells on the loop, and nothing any more once `stop` is called.
    """

    def __init__(self, open_it: Callable[[], Opened]) -> None:
        self._open_it = open_it
        self._loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[Opened] = self._loop.create_future()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self._go = threading.Event()
        self._stop = threading.Event()
        self._unread = threading.Semaphore(_MOST_UNREAD)
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._received: Callable[[bytes, float], None] = _nobody
        self._lost: Callable[[str], None] = _nobody
        self._written: Callable[[int], None] = _nobody
        self._told_lost = False
        threading.Thread(target=self._run, name=READER, daemon=True).start()

    def begin(
        self, received: Callable[[bytes, float], None], lost: Callable[[str], None], written: Callable[[int], None]
    ) -> None:
        """Start to read and to write, for those who are to be told."""
        self._received, self._lost, self._written = received, lost, written
        self._go.set()

    def write(self, data: bytes) -> None:
        """Write in its turn."""
        self._queue.put(data)

    def stop(self) -> None:
        """Say nothing more, close the device and end."""
        self._stop.set()
        self._go.set()
        self._queue.put(None)

    # In the threads

    def _run(self) -> None:
        try:
            opened = self._open_it()
        except Exception as error:  # noqa: BLE001 - carried over to whoever waits
            self._tell(_settle, self.opened, None, error)
        else:
            self._tell(_settle, self.opened, opened, None)
            self._go.wait()
            writer = threading.Thread(
                target=self._guarded, args=(self._write_all, opened.pipes), name=WRITER, daemon=True
            )
            writer.start()
            self._guarded(self._read_all, opened.pipes)
            self._queue.put(None)
            writer.join()
            opened.pipes.close()
        self._tell(_settle, self.ended, None, None)

    def _guarded(self, work: Callable[[Pipes], None], pipes: Pipes) -> None:
        try:
            work(pipes)
        except Exception as error:  # noqa: BLE001 - a library's surprise ends this device, not silently a thread
            self._end(f"{type(error).__name__}: {error}")

    def _read_all(self, pipes: Pipes) -> None:
        stalled = False
        while not self._stop.is_set():
            match pipes.read(READ_MS):
                case Received(data):
                    stalled = False
                    self._hand_over(data, time.monotonic())
                case Timeout():
                    pass
                case Stalled():
                    if stalled or not pipes.clear(outward=False):
                        self._end("its pipe to us is stalled, and again after it was cleared")
                        return
                    stalled = True
                    _log.warning("usb_stall_cleared", direction="in")
                case Gone():
                    self._end(_GONE)
                    return
                case Failed(reason):
                    self._end(f"reading failed: {reason}")
                    return

    def _hand_over(self, data: bytes, at: float) -> None:
        while not self._unread.acquire(timeout=READ_MS / 1000):  # the loop is behind: the device waits, nothing is lost
            if self._stop.is_set():
                return
        self._tell(self._take, data, at)

    def _write_all(self, pipes: Pipes) -> None:
        while (data := self._queue.get()) is not None:
            reason = self._write_one(pipes, data)
            if self._stop.is_set():
                return
            if reason is not None:
                self._end(reason)
                return
            self._tell(self._give, len(data))

    def _write_one(self, pipes: Pipes, data: bytes) -> str | None:
        """Write all of it; why that could not be done."""
        until = time.monotonic() + WRITE_S
        stalled = False
        while data and not self._stop.is_set():
            match pipes.write(data, WRITE_MS):
                case Written(count):
                    data = data[count:]
                case Timeout():
                    if time.monotonic() >= until:
                        return f"the device takes no bytes: {len(data)} have waited for {WRITE_S:g} s"
                case Stalled():
                    if stalled or not pipes.clear(outward=True):
                        return "its pipe from us is stalled, and again after it was cleared"
                    stalled = True
                    _log.warning("usb_stall_cleared", direction="out")
                case Gone():
                    return _GONE
                case Failed(reason):
                    return f"writing failed: {reason}"
        return None

    def _end(self, reason: str) -> None:
        self._tell(self._end_on_loop, reason)

    def _tell(self, what: Callable[..., None], *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
            self._loop.call_soon_threadsafe(what, *arguments)

    # On the loop again

    def _take(self, data: bytes, at: float) -> None:
        self._unread.release()
        if not self._stop.is_set() and not self._told_lost:
            self._received(data, at)

    def _give(self, count: int) -> None:
        if not self._stop.is_set() and not self._told_lost:
            self._written(count)

    def _end_on_loop(self, reason: str) -> None:
        if not self._stop.is_set() and not self._told_lost:
            self._told_lost = True
            self._lost(reason)


class UsbPort:
    """One opened device on the loop; nothing is told after `close`, and nothing but once why it has ended."""

    def __init__(
        self,
        worker: _Worker,
        opened: Opened,
        received: Callable[[bytes, float], None],
        lost: Callable[[str], None],
    ) -> None:
        self.opened = opened
        self._worker = worker
        self._lost = lost
        self._unwritten = 0
        self._drained: asyncio.Future[None] | None = None
        self._over: str | None = None
        worker.begin(received, self._end, self._written)

    def write(self, data: bytes) -> None:
        """Send `data`, as one transfer, in its turn; a device that takes nothing is lost."""
        if data and self._over is None:
            self._unwritten += len(data)
            self._worker.write(data)
            if self._unwritten > _MOST_UNWRITTEN:
                self._end(f"the device takes no bytes: {self._unwritten} are waiting")

    async def drained(self) -> None:
        """Wait until the device has taken everything; `OSError` when it ends before."""
        while self._unwritten:
            if self._over is not None:
                raise ConnectionError(self._over)
            if self._drained is None:
                self._drained = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._drained)

    async def close(self) -> None:
        """Drop what is not written and close, or leave that to the threads when it takes too long."""
        self._over = self._over or "the port was closed"
        self._worker.stop()
        self._wake()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await asyncio.shield(self._worker.ended)

    def _written(self, count: int) -> None:
        self._unwritten -= count
        if not self._unwritten:
            self._wake()

    def _end(self, reason: str) -> None:
        if self._over is None:
            self._over = reason
            self._wake()
            self._lost(reason)

    def _wake(self) -> None:
        if self._drained is not None:
            self._drained.set_result(None)
            self._drained = None


class UsbOpener:
    """Finds and opens one device, again and again; an attempt that hangs is the only one: the next call waits for it.

    The same device is found in another socket by its serial number; something else in its socket is `WrongDevice`.
    `report` is the id of the input report to ask for at the beginning (0: reports have none), None for no question.
    """

    def __init__(self, address: Address, role: Role, *, bus: Bus | None = None, report: int | None = None) -> None:
        self._address = address
        self._role = role
        self._bus = bus or Bus()
        self._report = report
        self._last: str | None = None
        self._attempt: _Worker | None = None

    async def __call__(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> UsbPort:
        """Open the device as a line for bytes; `OSError` when that cannot be done, `TimeoutError` in time."""
        return await self.open(lambda data, _: received(data), lost)

    async def open(self, received: Callable[[bytes, float], None], lost: Callable[[str], None]) -> UsbPort:
        """The same for packets, each with the time of `time.monotonic` when it came."""
        worker = self._attempt = self._attempt or _Worker(self._open)
        try:
            async with asyncio.timeout(OPEN_S):
                opened = await asyncio.shield(worker.opened)
        except asyncio.CancelledError:
            worker.stop()
            self._attempt = None
            raise
        except Exception:
            if worker.opened.done():  # otherwise it hangs, and stays the attempt
                worker.stop()
                self._attempt = None
            raise
        self._attempt = None
        if self._last not in {None, opened.port}:
            _log.info("usb_device_moved", device=opened.ids, before=self._last, now=opened.port)
        self._last = opened.port
        return UsbPort(worker, opened, received, lost)

    def _open(self) -> Opened:
        listed = self._bus.find(self._address, self._last)
        serial = self._bus.serial(listed)
        pipes = self._bus.open(listed, self._role, self._address.interface)
        first = None
        if self._report is not None:
            match pipes.input_report(self._report):
                case Received(data):
                    first = data
                case _:
                    pass  # a device need not be able to tell: its first report does
        return Opened(listed, serial, pipes, first)


def _nobody(*_: object) -> None:
    """Nobody is to be told yet."""


def _settle(future: asyncio.Future[Any], value: object, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
        future.exception()  # whoever waited may have gone
