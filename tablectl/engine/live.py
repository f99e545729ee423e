"""Runs a live table: one queue, one consumer, everything committed before it is acknowledged, shown or acted on."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, get_args

import structlog

from tablectl.devices import Delivery, Device
from tablectl.engine.background import UnderWay
from tablectl.engine.core import Core
from tablectl.engine.inputs import CommandFailed, DaemonStarted, Input, RoundFound, TimerExpired
from tablectl.engine.prompts import LINE, Prompt
from tablectl.engine.roundpage import look_up
from tablectl.engine.rows import entry
from tablectl.engine.stranded import Stranded
from tablectl.equipment import Fault, Kind, LinkLost, LinkUp, Message, ShowPrompt
from tablectl.errors import CommandRefused, CommandTimeout, DiskFull, JournalFault, LinkError, TablectlError
from tablectl.events import ClockStepped, Event, TableStopped
from tablectl.journal import Entry, Journal, RowKind
from tablectl.procedure.table import TableState
from tablectl.records import sound

__all__ = ["LiveTable", "Status"]

_BURST: Final = 64
_RETRY_S: Final = 0.5
_DISK_RETRY_S: Final = 1.0
_HEAD_EVERY_S: Final = 60.0
_FIRST_PROMPT: Final = 1 << 62
_CLOCK_STEP_S: Final = 1.0
_MESSAGES: Final = frozenset(get_args(Message))
_JOURNAL_STOPPED: Final = Prompt("JOURNAL STOPPED: CALL THE TECHNICIAN")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Status:
    """What may be told of the table at any time: nothing of it is secret, all of it is committed.

    `sequence` is that of the last event. `stopped` says why play stands still until somebody comes, and by whose order.
    `state` is what goes on from round to round, None while a start cannot go on.
    """

    stage: str
    round: int
    prompt: Prompt
    latches: tuple[tuple[str, Fault, str], ...]
    links: Mapping[str, bool | None]
    sequence: int
    trouble: str | None
    stopped: tuple[str, str] | None = None
    state: TableState | None = None


@dataclass(frozen=True, slots=True)
class _Shown:
    """The prompt that was sent last; given again under the same id it beeps once."""

    prompt: Prompt
    beep: bool
    id: int


@dataclass(frozen=True, slots=True)
class _Halt:
    """The table is to stop, with this as its last event."""

    event: Event


class _Halted(Exception):
    """The table has stopped as it was told to."""


def _nothing() -> None:
    """Nobody is told."""


class LiveTable:
    """Takes deliveries of all devices and timers in one order, and drives the core with them.

    A burst of inputs becomes one transaction; an intent is committed alone, before its command is sent. If the journal
    cannot take an entry, nothing is acknowledged, shown or done until it can. In `training` every line of the panel
    says so.
    """

    def __init__(
        self,
        core: Core | Stranded,
        journal: Journal,
        devices: Mapping[str, Device],
        boot: str,
        on_commit: Callable[[], None] = _nothing,
        on_tick: Callable[[], None] = _nothing,
        *,
        training: bool = False,
    ) -> None:
        self.core = core
        self._training = training
        self._journal = journal
        self._devices = devices
        self._boot = boot
        self._on_commit = on_commit
        self._on_tick = on_tick
        self._queue: asyncio.Queue[Delivery | Input | Event | _Halt | None] = asyncio.Queue()
        self._waiting: deque[Delivery | Input] = deque()
        self.ready = asyncio.Event()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._panel = next((d for d in devices.values() if d.kind is Kind.PANEL), None)
        self._shown: _Shown | None = None
        self._show = asyncio.Event()
        self._beep = False
        self._commands: asyncio.TaskGroup | None = None
        self._told: list[int] = []
        self._rounds_closed = core.rounds_closed
        self._trouble: str | None = None
        self._prompts = secrets.randbits(40) << 20
        self._sought: int | None = None
        self.changed_over = False
        self._halting: Event | None = None
        self._clock, self._began = _wall_minus_monotonic(), time.monotonic()
        self._committed = Status(core.stage, core.round, Prompt("WAIT"), (), {}, 0, None)

    @property
    def status(self) -> Status:
        """The table as it was committed last; while the journal takes nothing, the prompt says so instead."""
        if self._trouble is None:
            return self._committed
        return replace(self._committed, prompt=_JOURNAL_STOPPED, trouble=self._trouble)

    async def run(self) -> None:
        """Run until `halt` or cancelled, or until the table has `changed_over`; the devices must be open.

        An error of the journal that is not its disk's ends it.
        """
        self._queue.put_nowait(Input("", DaemonStarted(self._boot)))
        try:
            async with asyncio.TaskGroup() as tasks:
                self._commands = tasks
                for device in self._devices.values():
                    tasks.create_task(self._listen(device), name=f"listen {device.id}")
                tasks.create_task(self._panel_task(), name="panel")
                tasks.create_task(self._heads(), name="heads")
                tasks.create_task(self._consume(), name="table")
        except ExceptionGroup as group:
            if not isinstance(group.exceptions[0], _Halted):
                raise group.exceptions[0] from group
        finally:
            self._commands = None
            for timer in self._timers.values():
                timer.cancel()

    def halt(self, event: Event) -> None:
        """Let `run` commit what it has taken, then `event` and a head, and return; nothing is begun any more."""
        self._queue.put_nowait(_Halt(event))

    def note(self, event: Event) -> None:
        """Let an event that comes from outside the round go on the record."""
        self._queue.put_nowait(event)

    def tick(self) -> None:
        """Let the loop that runs the round call `on_tick` when it comes to it: it feeds the watchdog, nobody else."""
        self._queue.put_nowait(None)

    async def _listen(self, device: Device) -> None:
        """Take a device's deliveries; a driver that dies is a device that is lost."""
        try:
            async for delivery in device.events():
                _sound(delivery, device)
                self._queue.put_nowait(delivery)
        except Exception as error:  # noqa: BLE001 - a driver's defect
            self._driver_failed(device.id, error)
        else:
            log.error("driver_ended", device=device.id)
            self._queue.put_nowait(Input(device.id, LinkLost("its driver has ended")))

    def _driver_failed(self, device: str, error: Exception) -> None:
        """A driver's defect is the trouble of its device, not of the table."""
        log.error("driver_died", device=device, exc_info=error)
        self._queue.put_nowait(Input(device, LinkLost(f"its driver died: {type(error).__name__}: {_told(error)}")))

    def _acknowledge(self, delivery: Delivery) -> None:
        try:
            delivery.acknowledge()
        except Exception as error:  # noqa: BLE001 - a driver's defect
            self._driver_failed(delivery.device, error)

    async def _consume(self) -> None:
        await self._commit()
        self._resume_actuations()
        self._seek()
        self.ready.set()
        while self._halting is None:
            await self._receive()
            taken = self._take_waiting()
            await self._commit()
            for item in taken:
                if isinstance(item, Delivery):
                    self._acknowledge(item)
            intended = False
            if self._halting is None:
                intended = await self._intend()
            self._set_timers()
            self._seek()
            prompt = self._marked(self.core.prompt()) if intended else self._committed.prompt
            self._prompt(prompt, any(_is_panel_back(item, self._panel) for item in taken))
            self._on_commit()
            if self.core.changes_over and self._halting is None:
                self.changed_over, self._halting = True, TableStopped("change_over")
        self.core.event(self._halting)
        await self._commit()
        await self._write_head()
        raise _Halted

    async def _receive(self) -> None:
        """Wait for something to take, and gather what is there already."""
        while not self._waiting and not self.core.entries and self._halting is None:
            self._received(await self._queue.get())
        while len(self._waiting) < _BURST and not self._queue.empty():
            self._received(self._queue.get_nowait())

    def _received(self, item: Delivery | Input | Event | _Halt | None) -> None:
        if item is None:
            self._on_tick()
        elif isinstance(item, _Halt):
            self._halting = item.event
        elif isinstance(item, Event):
            self.core.event(item)
        else:
            self._waiting.append(item)

    def _take_waiting(self) -> list[Delivery | Input]:
        """Give inputs to the core until none is left or an actuation is wanted."""
        self._look_at_clock()  # what is due now is due by the clock as it was when it began
        taken: list[Delivery | Input] = []
        while self._waiting:
            item = self._waiting.popleft()
            taken.append(item)
            given = item if isinstance(item, Input) else Input(item.device, item.message, item.boot, item.number)
            if isinstance(given.message, TimerExpired):
                self._timers.pop(given.message.token, None)
            self.core.take(given)
            self._beep = self._beep or self.core.beep
            if isinstance(self.core, Stranded) and self.core.successor is not None:
                break
            if self.core.wanted is not None:
                break
        return taken

    async def _commit(self) -> None:
        self._look_at_clock()
        entries = self.core.drain()
        if entries:
            await self._append(entries)
        if isinstance(self.core, Stranded) and self.core.successor is not None:
            self.core = self.core.successor
            log.info("round_voided_after_restart", round=self.core.round)
        self._note_committed()
        if self.core.rounds_closed != self._rounds_closed:
            self._rounds_closed = self.core.rounds_closed
            await self._write_head()

    def _note_committed(self) -> None:
        core = self.core
        picture = core.picture if isinstance(core, Core) else None
        latches = () if picture is None else tuple((x.device, x.fault, x.message) for x in picture.latches)
        links = {} if picture is None else {name: link.up for name, link in picture.links.items()}
        state = core.table_state if isinstance(core, Core) else None
        prompt = self._marked(core.prompt())
        self._committed = Status(
            core.stage, core.round, prompt, latches, links, core.sequence, None, core.stopped, state
        )

    def _look_at_clock(self) -> None:
        """A step of the wall clock is put on the record with the next commit; slow correction is none."""
        before, self._clock = self._clock, _wall_minus_monotonic()
        if abs(self._clock - before) > _CLOCK_STEP_S:
            log.warning("clock_stepped", seconds=round(self._clock - before, 3))
            began, until = int(before + self._began), math.ceil(before + time.monotonic())
            self.core.event(ClockStepped(round((self._clock - before) * 1000), began, until))

    async def _append(self, entries: list[Entry]) -> tuple[int, ...]:
        while True:
            try:
                numbers = await self._journal.append(entries)
            except (DiskFull, JournalFault) as error:
                if not self.ready.is_set():
                    raise  # a start that fails is clearer than a table that never begins
                if self._trouble is None:
                    log.error("journal_stopped", error=str(error))
                self._trouble = str(error)
                self._prompt(self._marked(_JOURNAL_STOPPED), False)
                self._on_commit()
                self._on_tick()  # waiting for room is no reason to be taken for dead
                await asyncio.sleep(_DISK_RETRY_S)
            else:
                if self._trouble is not None:
                    log.info("journal_resumed")
                    self._trouble = None
                return numbers

    async def _intend(self) -> bool:
        """Commit every intent that is wanted, and send its command; whether there was one."""
        intended = False
        while (wanted := self.core.wanted) is not None:
            row = entry(RowKind.INTENT, None, device=wanted.device, boot=wanted.boot, command=wanted.command)
            (number,) = await self._append([row])
            self.core.intended(number, wanted.boot)
            self._resume_actuations()
            intended = True
        return intended

    def _resume_actuations(self) -> None:
        """Send the actuations that are under way, each once in this run: a device does not act twice on one id."""
        told_before, self._told = self._told, []
        for told in self.core.under_way:
            if self._commands is None:
                return
            self._told.append(told.id)
            if told.id not in told_before:
                self._commands.create_task(self._command(told), name=f"command {told.id}")

    async def _command(self, told: UnderWay) -> None:
        number, device, logged = told.id, told.device, False
        while any(still.id == number for still in self.core.under_way):
            try:
                await self._devices[device].send(told.command, number, boot=told.boot or None)
            except CommandRefused as error:
                log.warning("command_refused", device=device, command=number, error=str(error))
                self._queue.put_nowait(Input("", CommandFailed(number, _told(error))))
                return
            except (LinkError, CommandTimeout) as error:
                if not logged:
                    log.warning("command_in_doubt", device=device, command=number, error=str(error))
                logged = True
                await asyncio.sleep(_RETRY_S)
            except Exception as error:  # noqa: BLE001 - a driver's defect
                if not logged:
                    self._driver_failed(device, error)
                logged = True
                await asyncio.sleep(_RETRY_S)
            else:
                return

    def _set_timers(self) -> None:
        wanted = dict(self.core.deadlines)
        for token in [token for token in self._timers if token not in wanted]:
            self._timers.pop(token).cancel()
        loop = asyncio.get_running_loop()
        for token, ms in wanted.items():
            if token not in self._timers:
                expired = Input("", TimerExpired(token))
                self._timers[token] = loop.call_later(ms / 1000, self._queue.put_nowait, expired)

    def _seek(self) -> None:
        """Look the past round up that is asked for at the panel, once, while the table goes on."""
        before, self._sought = self._sought, self.core.sought
        if self._sought is not None and self._sought != before and self._commands is not None:
            self._commands.create_task(self._look_up(self._sought), name=f"round {self._sought}")

    async def _look_up(self, number: int) -> None:
        try:
            found = await asyncio.to_thread(look_up, self._journal, number)
        except TablectlError as error:
            log.warning("round_not_found", round=number, error=str(error))
            found = RoundFound(number, (), ())
        self._queue.put_nowait(Input("", found))

    # The panel: the last prompt counts

    def _prompt(self, prompt: Prompt, anew: bool) -> None:
        """Let the panel show how things stand, with a beep if one of the inputs since the last time has earned it."""
        beep, before = False, self._shown
        if self._trouble is None:
            beep, self._beep = self._beep, False
        if anew or beep or before is None or before.prompt != prompt:
            unheard = before is not None and before.beep and self._show.is_set()
            self._shown = _Shown(prompt, beep or unheard, self._prompt_id())
            self._show.set()

    def _marked(self, prompt: Prompt) -> Prompt:
        """The prompt as it is shown: nobody shall take training for play."""
        if not self._training:
            return prompt
        text = f"TRAINING {prompt.text}"
        return replace(prompt, text=text if len(text) <= LINE else f"T: {prompt.text}")

    async def _panel_task(self) -> None:
        """Send the prompt that stands; one that beeps and is in doubt goes first, under its id: it is heard once."""
        unheard: _Shown | None = None
        while True:
            await self._show.wait()
            self._show.clear()
            panel, shown = self._panel, unheard or self._shown
            if panel is None or shown is None:
                continue
            command = ShowPrompt(shown.prompt.line(), shown.prompt.lit, shown.prompt.standing, shown.beep)
            unheard = shown if shown.beep else None
            try:
                await panel.send(command, shown.id)
            except CommandTimeout as error:
                log.debug("prompt_in_doubt", error=str(error))
                await asyncio.sleep(_RETRY_S)
                self._show.set()  # that one again, or the one that has come meanwhile
            except (LinkError, CommandRefused) as error:
                log.debug("prompt_not_shown", error=str(error))  # a panel that comes back is shown everything again
                if isinstance(error, CommandRefused):
                    unheard = None
                if self._trouble is not None:  # but nobody takes note of its coming while the journal stands still
                    await asyncio.sleep(_RETRY_S)
                    self._show.set()
            except Exception as error:  # noqa: BLE001 - a driver's defect
                self._driver_failed(panel.id, error)
            else:
                unheard = None
                if shown is not self._shown:
                    self._show.set()

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


def _wall_minus_monotonic() -> float:
    return time.time() - time.monotonic()


def _sound(delivery: Delivery, device: Device) -> None:
    """Refuse what a driver's defect has put into a delivery, before the journal holds what it could not read again."""
    if type(delivery) is not Delivery or type(delivery.message) not in _MESSAGES:
        raise TypeError(f"a {type(getattr(delivery, 'message', delivery)).__name__} is not a device's message")
    sound(delivery.message)
    device_id, boot, number = delivery.device, delivery.boot, delivery.number
    if device_id != device.id or type(boot) is not str or not boot.isascii() or type(number) is not int:
        raise TypeError(
            f"device {device_id!r}, boot {boot!r} and number {number!r}: expected {device.id!r}, plain text, an integer"
        )


def _told(error: Exception) -> str:
    """What an error says, of which a journal can hold every character."""
    return str(error).encode("utf-8", "backslashreplace").decode()


def _is_panel_back(item: Delivery | Input, panel: Device | None) -> bool:
    return panel is not None and isinstance(item, Delivery) and item.device == panel.id and _is_up(item)


def _is_up(item: Delivery) -> bool:
    return isinstance(item.message, LinkUp)
