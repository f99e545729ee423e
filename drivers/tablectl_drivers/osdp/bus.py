"""One RS-485 line with the readers on it: whoever is due asks, and everybody else waits for the answer.

All readers of one line share it, as the line can be opened only once and can carry only one packet at a time; a driver
joins the line of its port and leaves it, and the last one to leave closes it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from typing import ClassVar, Final, Protocol

from tablectl_drivers.driving import Pauses
from tablectl_drivers.link.serial_port import OPEN_S, Address, SerialOpener, SerialPort
from tablectl_drivers.osdp.packets import LARGEST, MARK, Decoder, Packet

__all__ = ["Bus", "Member"]

GAP_S: Final = 0.03
"""Silence inside a packet after which it does not go on; 20 ms in the standard, and a USB adapter's own delay."""
_MARK: Final = bytes((MARK,))


class Member(Protocol):
    """A reader's driver, as its line sees it."""

    address: int
    reply_timeout: float
    retry: tuple[float, float]

    @property
    def due(self) -> float:
        """When it wants to send next."""

    def line_up(self, now: float) -> None:
        """The line is open."""

    def line_lost(self, reason: str) -> None:
        """The line is gone or cannot be opened; said each time."""

    def request(self, now: float) -> bytes:
        """What it sends now; nothing, when it cannot."""

    def receive(self, packet: Packet, now: float) -> bool:
        """Take a packet; whether it was the answer that is waited for."""

    def silent(self, now: float) -> None:
        """No answer came in time."""

    def count_bad(self, count: int) -> None:
        """So many stretches of bytes made no packet while its answer was waited for."""

    def failed(self, error: BaseException) -> None:
        """The line's own work has failed."""


class Bus:
    """One line; `join` and `leave` are all that a driver calls."""

    _open: ClassVar[dict[tuple[asyncio.AbstractEventLoop, str], Bus]] = {}

    def __init__(self, address: Address, chance: random.Random) -> None:
        self._address = address
        self._chance = chance
        self._members: list[Member] = []
        self._came: asyncio.Queue[bytes | str] = asyncio.Queue()
        self._decoder = Decoder()
        self._line_open = False
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def join(cls, address: Address, member: Member, chance: random.Random) -> Bus:
        """The line of that port with `member` on it.

        `ValueError` when it runs at another speed or has a reader by that address.
        """
        place = asyncio.get_running_loop(), address.path
        bus = cls._open.get(place)
        if bus is None:
            bus = cls._open[place] = cls(address, chance)
        bus._admit(address, member)
        return bus

    async def leave(self, member: Member) -> None:
        """Take a reader off the line; the line is closed after the last one."""
        self._members.remove(member)
        if self._members or self._task is None:
            return
        self._open.pop((asyncio.get_running_loop(), self._address.path), None)
        self._task.cancel()
        await asyncio.wait([self._task])

    def _admit(self, address: Address, member: Member) -> None:
        if address.baud != self._address.baud:
            raise ValueError(
                f"the line runs at {self._address.baud} baud for another reader and cannot at {address.baud}"
            )
        if any(other.address == member.address for other in self._members):
            raise ValueError(f"another reader on the line has the address {member.address}")
        self._members.append(member)
        if self._line_open:
            member.line_up(asyncio.get_running_loop().time())
            self._came.put_nowait(b"")  # whoever waits now may have to wait for less
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"osdp line {address.path}")
            self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._open.pop((task.get_loop(), self._address.path), None)
            for member in self._members:
                member.failed(error)

    async def _run(self) -> None:
        opener = SerialOpener(self._address)
        pauses = Pauses(*self._members[0].retry, self._chance)
        while True:
            self._came = asyncio.Queue()
            try:
                line = await opener(self._came.put_nowait, self._came.put_nowait)
            except TimeoutError:
                reason = f"the port could not be opened within {OPEN_S:g} s"
            except OSError as error:
                reason = f"the port cannot be opened: {error.strerror or error}"
            else:
                pauses.reset()
                reason = await self._converse(line)
            for member in tuple(self._members):
                member.line_lost(reason)
            await asyncio.sleep(pauses.next())

    async def _converse(self, line: SerialPort) -> str:
        """Let everybody ask in turn until the line ends; why it did."""
        loop = asyncio.get_running_loop()
        self._decoder.expire()
        self._line_open = True
        try:
            for member in self._members:
                member.line_up(loop.time())
            while True:
                member = min(self._members, key=lambda it: it.due)
                if (left := member.due - loop.time()) <= 0:
                    if (lost := await self._ask(line, member)) is not None:
                        return lost
                    continue
                came = await self._next(left)
                if isinstance(came, str):
                    return came
                self._decoder.feed(came or b"")  # it answers nobody
        finally:
            self._line_open = False
            await line.close()

    async def _ask(self, line: SerialPort, member: Member) -> str | None:
        loop = asyncio.get_running_loop()
        self._decoder.expire()
        request = member.request(loop.time())
        if not request:
            return None
        bad = self._decoder.bad_frames
        line.write(_MARK + request)
        begun = loop.time()
        byte = 10 / self._address.baud
        deadline = begun + len(request) * byte + member.reply_timeout
        latest = deadline + LARGEST * byte
        answered = False
        while not answered and member in self._members and (left := deadline - loop.time()) > 0:
            came = await self._next(left)
            if isinstance(came, str):
                return came
            packets = self._decoder.expire() if came is None else self._decoder.feed(came)
            answered = self._offer(packets, member)
            if self._decoder.partial:
                deadline = min(max(deadline, loop.time() + GAP_S), latest)
        if not answered and not self._offer(self._decoder.expire(), member) and member in self._members:
            member.silent(loop.time())
        member.count_bad(self._decoder.bad_frames - bad)
        return None

    def _offer(self, packets: Iterable[Packet], member: Member) -> bool:
        now = asyncio.get_running_loop().time()
        taken = [member.receive(packet, now) for packet in packets]  # each is counted, also after the answer
        return True in taken

    async def _next(self, seconds: float) -> bytes | str | None:
        """What comes next: bytes, or why the line has ended; None when nothing comes in time."""
        try:
            async with asyncio.timeout(seconds):
                return await self._came.get()
        except TimeoutError:
            return None
