"""A host's session on the event loop: one opened port after the other, one timer, bytes in and out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from tablectl.equipment import Command
from tablectl_drivers.link.host import Down, Happening, HostSession, NotUnderstood, Refused

__all__ = ["Connection", "Line", "Opener"]


class Line(Protocol):
    """An open port."""

    def write(self, data: bytes) -> None:
        """Send bytes in their turn, without blocking."""

    async def close(self) -> None:
        """Close, within a deadline of its own."""


Opener: TypeAlias = Callable[[Callable[[bytes], None], Callable[[str], None]], Awaitable[Line]]
"""Opens the port: given who takes bytes and who is told once why the line has ended."""


class Connection:
    """Runs `session` over what `opener` opens and passes on what happens; everything is on the event loop."""

    def __init__(self, session: HostSession, opener: Opener, happened: Callable[[Happening], None]) -> None:
        self._session = session
        self._opener = opener
        self._happened = happened
        self._line: Line | None = None
        self._ended: asyncio.Future[str] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._flushing = False

    async def run(self) -> str:
        """Open the port and hold one session on it; why it ended, `OSError` when the port cannot be opened."""
        loop = asyncio.get_running_loop()
        self._ended = loop.create_future()
        self._line = await self._opener(self._received, self._end)
        try:
            self._session.open(loop.time())
            self._flush()
            return await self._ended
        finally:
            self._session.close()
            self._schedule()
            line, self._line = self._line, None
            await line.close()

    def order(self, command_id: int, command: Command) -> None:
        """See `HostSession.order`."""
        self._session.order(command_id, command, asyncio.get_running_loop().time())
        self._flush()

    def acknowledge(self, boot: int, number: int) -> None:
        """See `HostSession.acknowledge`; several in one turn of the loop go out as one frame.

        They leave a turn later, with the command that follows from what is acknowledged, if there is one.
        """
        loop = asyncio.get_running_loop()
        self._session.acknowledge(boot, number, loop.time())
        if not self._flushing:
            self._flushing = True
            loop.call_soon(loop.call_soon, self._flush)

    def _received(self, data: bytes) -> None:
        self._guarded(lambda now: self._session.receive(data, now))

    def _tick(self) -> None:
        # What has come is not late, even if this loop was: in each turn it calls readers before timers.
        self._timer = None
        self._guarded(self._session.tick)

    def _guarded(self, step: Callable[[float], list[Happening]]) -> None:
        """Take one step of the session; an error in it ends `run`, not a callback that nobody waits for."""
        try:
            for happening in step(asyncio.get_running_loop().time()):
                self._happened(happening)
                if isinstance(happening, (Down, Refused, NotUnderstood)):
                    self._end(happening.reason)
            self._flush()
        except Exception as error:  # noqa: BLE001 - raised again by `run`
            if self._ended is not None and not self._ended.done():
                self._ended.set_exception(error)

    def _end(self, reason: str) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(reason)

    def _flush(self) -> None:
        self._flushing = False
        out = self._session.outgoing(asyncio.get_running_loop().time())
        if self._line is not None and out:
            self._line.write(b"".join(out))
        self._schedule()

    def _schedule(self) -> None:
        due = self._session.deadline()
        if self._timer is not None:
            if self._timer.when() <= due < float("inf"):
                return  # it comes early, finds nothing due and is set again
            self._timer.cancel()
            self._timer = None
        if due < float("inf"):
            self._timer = asyncio.get_running_loop().call_at(due, self._tick)
