"""Runs a live table: one queue, one consumer, everything committed before it is acknowledged, shown or acted on."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import structlog

from tablectl.devices import Delivery, Device
from tablectl.engine.core import Core
from tablectl.engine.inputs import CommandFailed, DaemonStarted, Input, TimerExpired
from tablectl.engine.prompts import Prompt
from tablectl.engine.rows import entry
from tablectl.engine.stranded import Stranded
from tablectl.equipment import Command, Fault, Kind, LinkLost, LinkUp, ShowPrompt
from tablectl.errors import CommandRefused, CommandTimeout, DiskFull, JournalFault, LinkError
from tablectl.journal import Entry, Journal, RowKind

__all__ = ["LiveTable", "Status"]

_BURST: Final = 64
_RETRY_S: Final = 0.5
_DISK_RETRY_S: Final = 1.0
_HEAD_EVERY_S: Final = 60.0
_FIRST_PROMPT: Final = 1 << 62

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Status:
    """What may be told of the table at any time: nothing of it is secret."""

    stage: str
    round: int
    prompt: Prompt
    latches: tuple[tuple[str, Fault, str], ...]
    links: Mapping[str, bool | None]
    trouble: str | None


def _nothing() -> None:
    """Nobody is told."""


class LiveTable:
    """Takes deliveries of all devices and timers in one order, and drives the core with them.

    A burst of inputs becomes one transaction; an intent is committed alone, before its command is sent. If the journal
    cannot take an entry, nothing is acknowledged, shown or done until it can.
    """

    def __init__(
        self,
        core: Core | Stranded,
        journal: Journal,
        devices: Mapping[str, Device],
        boot: str,
        on_commit: Callable[[], None] = _nothing,
        on_tick: Callable[[], None] = _nothing,
    ) -> None:
        self.core = core
        self._journal = journal
        self._devices = devices
        self._boot = boot
        self._on_commit = on_commit
        self._on_tick = on_tick
        self._queue: asyncio.Queue[Delivery | Input | None] = asyncio.Queue()
        self._waiting: deque[Delivery | Input] = deque()
        self.ready = asyncio.Event()
        self._timer: tuple[int, asyncio.TimerHandle] | None = None
        self._panel = next((d for d in devices.values() if d.kind is Kind.PANEL), None)
        self._shown: tuple[Prompt, bool] | None = None
        self._show = asyncio.Event()
        self._commands: asyncio.TaskGroup | None = None
        self._rounds_closed = core.rounds_closed
        self._trouble: str | None = None
        self._prompts = secrets.randbits(40) << 20

    @property
    def status(self) -> Status:
        """The table as it is now."""
        core = self.core
        picture = core.picture if isinstance(core, Core) else None
        latches = () if picture is None else tuple((x.device, x.fault, x.message) for x in picture.latches)
        links = {} if picture is None else {name: link.up for name, link in picture.links.items()}
        return Status(core.stage, core.round, core.prompt(), latches, links, self._trouble)

    async def run(self) -> None:
        """Run until cancelled; the devices must be open. An error of the journal that is not its disk's ends it."""
        self._queue.put_nowait(Input("", DaemonStarted(self._boot)))
        try:
            async with asyncio.TaskGroup() as tasks:
                self._commands = tasks
                for device in self._devices.values():
                    tasks.create_task(self._listen(device), name=f"listen {device.id}")
                tasks.create_task(self._panel_task(), name="panel")
                tasks.create_task(self._heads(), name="heads")
                tasks.create_task(self._consume(), name="table")
        finally:
            self._commands = None
            if self._timer is not None:
                self._timer[1].cancel()

    def tick(self) -> None:
        """Let the loop that runs the round call `on_tick` when it comes to it: it feeds the watchdog, nobody else."""
        self._queue.put_nowait(None)

    async def _listen(self, device: Device) -> None:
        """Take a device's deliveries; a driver that dies is a device that is lost."""
        try:
            async for delivery in device.events():
                self._queue.put_nowait(delivery)
        except Exception as error:
            log.exception("driver_died", device=device.id)
            self._queue.put_nowait(Input(device.id, LinkLost(f"its driver died: {type(error).__name__}: {error}")))

    async def _consume(self) -> None:
        await self._commit()
        self._resume_actuation()
        self.ready.set()
        while True:
            await self._receive()
            taken = self._take_waiting()
            await self._commit()
            for item in taken:
                if isinstance(item, Delivery):
                    item.acknowledge()
            await self._intend()
            self._set_timer()
            self._prompt(any(_is_panel_back(item, self._panel) for item in taken))
            self._on_commit()

    async def _receive(self) -> None:
        """Wait for something to take, and gather what is there already."""
        while not self._waiting:
            self._received(await self._queue.get())
        while len(self._waiting) < _BURST and not self._queue.empty():
            self._received(self._queue.get_nowait())

    def _received(self, item: Delivery | Input | None) -> None:
        if item is None:
            self._on_tick()
        else:
            self._waiting.append(item)

    def _take_waiting(self) -> list[Delivery | Input]:
        """Give inputs to the core until none is left or an actuation is wanted."""
        taken: list[Delivery | Input] = []
        while self._waiting:
            item = self._waiting.popleft()
            taken.append(item)
            given = item if isinstance(item, Input) else Input(item.device, item.message, item.boot, item.number)
            if isinstance(given.message, TimerExpired):
                self._timer = None
            self.core.take(given)
            if isinstance(self.core, Stranded) and self.core.successor is not None:
                break
            if self.core.wanted is not None:
                break
        return taken

    async def _commit(self) -> None:
        entries = self.core.drain()
        if entries:
            await self._append(entries)
        if isinstance(self.core, Stranded) and self.core.successor is not None:
            self.core = self.core.successor
            log.info("round_voided_after_restart", round=self.core.round)
        if self.core.rounds_closed != self._rounds_closed:
            self._rounds_closed = self.core.rounds_closed
            await self._write_head()

    async def _append(self, entries: list[Entry]) -> tuple[int, ...]:
        while True:
            try:
                numbers = await self._journal.append(entries)
            except (DiskFull, JournalFault) as error:
                if self._trouble is None:
                    log.error("journal_stopped", error=str(error))
                self._trouble = str(error)
                self._prompt(False)
                self._on_commit()
                await asyncio.sleep(_DISK_RETRY_S)
            else:
                if self._trouble is not None:
                    log.info("journal_resumed")
                    self._trouble = None
                return numbers

    async def _intend(self) -> None:
        wanted = self.core.wanted
        if wanted is None:
            return
        row = entry(RowKind.INTENT, None, device=wanted.device, boot=wanted.boot, command=wanted.command)
        (number,) = await self._append([row])
        self.core.intended(number, wanted.boot)
        self._resume_actuation()

    def _resume_actuation(self) -> None:
        """Send the actuation that is under way: the device does not act twice on one id."""
        acting = self.core.acting
        if acting is not None and self._commands is not None and isinstance(self.core, Core):
            number, device, command = acting
            task = self._command(number, device, self.core.intent_boot, command)
            self._commands.create_task(task, name=f"command {number}")

    async def _command(self, number: int, device: str, boot: str, command: Command) -> None:
        logged = False
        while (acting := self.core.acting) is not None and acting[0] == number:
            try:
                await self._devices[device].send(command, number, boot=boot or None)
            except CommandRefused as error:
                log.warning("command_refused", device=device, command=number, error=str(error))
                self._queue.put_nowait(Input("", CommandFailed(number, str(error))))
                return
            except (LinkError, CommandTimeout) as error:
                if not logged:
                    log.warning("command_in_doubt", device=device, command=number, error=str(error))
                logged = True
                await asyncio.sleep(_RETRY_S)
            else:
                return

    def _set_timer(self) -> None:
        wanted = self.core.deadline
        if self._timer is not None and (wanted is None or wanted[0] != self._timer[0]):
            self._timer[1].cancel()
            self._timer = None
        if wanted is not None and self._timer is None:
            token, ms = wanted
            loop = asyncio.get_running_loop()
            expired = Input("", TimerExpired(token))
            self._timer = token, loop.call_later(ms / 1000, self._queue.put_nowait, expired)

    # The panel: the last prompt counts

    def _prompt(self, anew: bool) -> None:
        prompt = self.core.prompt()
        if self._trouble is not None:
            prompt = Prompt("JOURNAL STOPPED: CALL THE TECHNICIAN")
        if anew or self.core.beep or self._shown is None or self._shown[0] != prompt:
            self._shown = prompt, self.core.beep
            self._show.set()

    async def _panel_task(self) -> None:
        while True:
            await self._show.wait()
            self._show.clear()
            if self._panel is None or self._shown is None:
                continue
            prompt, beep = self._shown
            try:
                await self._panel.send(ShowPrompt(prompt.line(), prompt.lit, prompt.standing, beep), self._prompt_id())
            except (LinkError, CommandTimeout, CommandRefused) as error:
                log.debug("prompt_not_shown", error=str(error))  # the next one says everything again

    def _prompt_id(self) -> int:
        """An id that no other command has: the numbers of intents are far below."""
        self._prompts += 1
        return _FIRST_PROMPT + self._prompts

    # The chain's end, kept outside

    async def _heads(self) -> None:
        while True:
            await asyncio.sleep(_HEAD_EVERY_S)
            await self._write_head()

    async def _write_head(self) -> None:
        try:
            await self._journal.write_head()
        except (DiskFull, JournalFault) as error:
            log.warning("head_not_written", error=str(error))


def _is_panel_back(item: Delivery | Input, panel: Device | None) -> bool:
    return panel is not None and isinstance(item, Delivery) and item.device == panel.id and _is_up(item)


def _is_up(item: Delivery) -> bool:
    return isinstance(item.message, LinkUp)
