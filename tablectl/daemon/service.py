"""The daemon of one table: opens what the configuration names, wires it, watches over it, and stops in time.

A missing device or broker is a state, not a failed start. The death of a task that the table can do without (publisher)
is logged and the task is started again; the table's own loop is not survived: the process ends with an error, the
service manager starts it again, and the journal brings it back into the round.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import time
from collections.abc import AsyncIterator, Mapping
from typing import Final

import structlog

from tablectl.daemon.config import TableConfig
from tablectl.daemon.documents import (
    Latched,
    device_document,
    jackpot_documents,
    meter_document,
    state_document,
)
from tablectl.daemon.notify import Notifier
from tablectl.daemon.strangers import Strangers
from tablectl.devices import Device
from tablectl.engine.core import Core
from tablectl.engine.live import LiveTable
from tablectl.engine.recovery import recover, resume_points
from tablectl.engine.stranded import Stranded
from tablectl.events import AlarmRaised, TableStopped
from tablectl.journal import Journal
from tablectl.surveillance.alarms import Alarm
from tablectl.surveillance.models import ENVELOPES
from tablectl.surveillance.publisher import Publisher

__all__ = ["Service"]

log = structlog.get_logger(__name__)

_HALT_S: Final = 0.5
_STOP_S: Final = 0.8
_CLOSE_S: Final = 1.0
_PUBLISHER_AGAIN_S: Final = 1.0
_STATISTICS_EVERY_S: Final = 10.0
_TELL_AFTER_S: Final = 0.02
_MODEL_EVERY_S: Final = 0.01


class Service:
    """One table from start to stop. `run` returns when `stop` was called, and raises what the table died of."""

    def __init__(self, config: TableConfig) -> None:
        self._config = config
        self._boot = secrets.token_hex(8)
        self._stop = asyncio.Event()
        self._notifier = Notifier()
        self._publisher: Publisher | None = None
        self._devices: dict[str, Device] = {}
        self._live: LiveTable | None = None
        self._latched = Latched()
        self._strangers: Strangers | None = None
        self._telling: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        """Stop at the next safe point: what is committed is published as far as it goes in a second."""
        self._stop.set()

    async def run(self) -> None:
        """Run the table until `stop`, SIGTERM or SIGINT."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self.stop)
        while True:
            journal = await asyncio.to_thread(Journal.open, self._config.journal, boot=self._boot)
            try:
                await self._with_journal(journal)
            finally:
                await journal.close()
            if self._live is None or not self._live.changed_over or self._stop.is_set():
                return
            self._change_over()

    def _change_over(self) -> None:
        """Begin anew: in training, or for real play again."""
        self._config = self._config.changed_over()
        self._boot = secrets.token_hex(8)
        self._publisher, self._live, self._strangers, self._latched = None, None, None, Latched()
        log.info("table_changes_over", training=self._config.training)

    async def _with_journal(self, journal: Journal) -> None:
        config = self._config
        core = await asyncio.to_thread(self._recover, journal)
        resume = await asyncio.to_thread(resume_points, journal)
        self._devices = {item.id: item.make(resume.get(item.id)) for item in config.devices}
        async with _opened(self._devices):
            self._live = LiveTable(
                core,
                journal,
                self._devices,
                self._boot,
                on_commit=self._committed,
                on_tick=self._notifier.watchdog,
                training=config.training,
            )
            if config.mqtt is not None:
                self._publisher = Publisher(
                    journal, config.place, config.mqtt, boot=self._boot, on_alarm=self._surveillance_alarm
                )
            if config.usb is not None:
                self._strangers = Strangers(config.usb.make(), self._live.note)
            await self._supervise(self._live)

    async def _supervise(self, live: LiveTable) -> None:
        table = asyncio.create_task(live.run(), name="table")
        helpers = [
            asyncio.create_task(self._publish(), name="publish"),
            asyncio.create_task(self._watch(live), name="watch"),
            asyncio.create_task(self._statistics(live), name="statistics"),
            asyncio.create_task(self._watch_usb(live), name="watch usb"),
            asyncio.create_task(self._make_models(live), name="make models"),
        ]
        stopping = asyncio.create_task(self._stop.wait(), name="stop")
        try:
            await asyncio.wait([table, stopping], return_when=asyncio.FIRST_COMPLETED)
            changed_over = live.changed_over and table.done() and table.exception() is None
            if not changed_over:
                self._notifier.stopping()
            died = None if changed_over else await _ended(table)
            if died is None and not changed_over:
                log.info("table_stopping")
                live.halt(TableStopped("stopped"))
                await asyncio.wait([table], timeout=_HALT_S)  # a full disk must not keep it from stopping
                self._tell()
            if self._publisher is not None:
                self._publisher.stop(_STOP_S)
                await asyncio.wait(helpers[:1], timeout=_STOP_S + 0.2)
        finally:
            for task in (table, stopping, *helpers):
                task.cancel()
            await asyncio.wait([table, stopping, *helpers])
            if self._telling is not None:
                self._telling.cancel()
        if died is not None:
            raise died

    # Recovery

    def _recover(self, journal: Journal) -> Core | Stranded:
        config = self._config
        core = recover(journal, config.make_core, _now, config.identity, config.settings.floor)
        if isinstance(core, Stranded):
            log.error("round_not_resumed", reason=core.reason, round=core.round)
        else:
            log.info("table_recovered" if journal.head().seq else "table_begun", round=core.round, stage=core.stage)
        return core

    # Tasks beside the table

    async def _publish(self) -> None:
        """Run the publisher, and run it again should it die."""
        publisher = self._publisher
        while publisher is not None:
            try:
                await publisher.run()
            except Exception:
                log.exception("publisher_died")
                await asyncio.sleep(_PUBLISHER_AGAIN_S)
            else:
                return

    async def _watch(self, live: LiveTable) -> None:
        """READY once the table serves; then let its loop feed the watchdog."""
        await live.ready.wait()
        self._tell()
        self._notifier.ready()
        log.info("table_ready", table=self._config.settings.table, round=live.core.round)
        every = self._notifier.watchdog_every_s
        while every is not None:
            await asyncio.sleep(every)
            live.tick()

    async def _statistics(self, live: LiveTable) -> None:
        """Publish how each device and its line are, when that has changed."""
        while self._publisher is not None:
            core = live.core
            for name, device in self._devices.items():
                link = core.picture.links.get(name) if isinstance(core, Core) else None
                try:
                    document = device_document(device, link, training=self._config.training)
                except Exception as error:  # noqa: BLE001 - a driver's defect is its device's trouble
                    log.warning("device_not_described", device=name, error=f"{type(error).__name__}: {error}")
                else:
                    self._publisher.set_state(f"device/{name}", document)
            await asyncio.sleep(_STATISTICS_EVERY_S)

    async def _watch_usb(self, live: LiveTable) -> None:
        """Once the table serves, look for strange devices."""
        await live.ready.wait()
        if self._strangers is not None:
            await self._strangers.run()

    async def _make_models(self, live: LiveTable) -> None:
        """Once the table serves, make the models of the events that have not come yet, so that none is late for it."""
        await live.ready.wait()
        if self._publisher is not None:
            for cls in ENVELOPES:
                try:
                    _ = ENVELOPES[cls]
                except Exception:
                    log.exception("model_not_made", event_class=cls.__name__)
                await asyncio.sleep(_MODEL_EVERY_S)

    def _surveillance_alarm(self, alarm: Alarm) -> None:
        """What keeps surveillance from being told goes on the record; each kind once until it is cleared."""
        if self._live is not None:
            self._live.note(AlarmRaised("mqtt", alarm.kind.value, alarm.message))

    # What may be told at any time

    def _committed(self) -> None:
        """Tell a moment later how the table stands: once for a burst, and never in front of the events themselves."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(_TELL_AFTER_S, self._tell)

    def _tell(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        if self._live is None:
            return
        status = self._live.status
        self._notifier.status(f"round {status.round}, {status.stage}: {status.prompt.line()}")
        if self._publisher is not None:
            strangers = None if self._strangers is None else self._strangers.documents()
            game, training = self._config.game, self._config.training
            document = state_document(game, self._boot, status, self._latched, strangers, training=training)
            self._publisher.set_state("state", document)
            meter = meter_document(self._config.game, self._config.rules, self._boot, status, training=training)
            if meter is not None:
                self._publisher.set_state("meter", meter)
            jackpots = jackpot_documents(self._config.rules, self._boot, status, training=training)
            for topic, jackpot in jackpots.items():
                self._publisher.set_state(topic, jackpot)


@contextlib.asynccontextmanager
async def _opened(devices: Mapping[str, Device]) -> AsyncIterator[None]:
    """All devices open; they are closed together, and one that hangs keeps nobody waiting."""
    opened: list[Device] = []
    try:
        for device in devices.values():
            opened.append(device)
            await device.__aenter__()
        yield
    finally:
        closing = {asyncio.create_task(_close(device)): device.id for device in opened}
        if closing:
            done, hanging = await asyncio.wait(closing, timeout=_CLOSE_S)
            for task in hanging:
                task.cancel()
                log.error("device_not_closed", device=closing[task])
            for task in done:
                if not task.cancelled() and (error := task.exception()) is not None:
                    log.error("device_not_closed", device=closing[task], exc_info=error)


async def _close(device: Device) -> None:
    await device.__aexit__(None, None, None)


def _now() -> int:
    return int(time.time())


async def _ended(task: asyncio.Task[None]) -> BaseException | None:
    """What the task died of; None when it runs."""
    if not task.done():
        return None
    return task.exception() or RuntimeError("the table's loop has ended by itself")
