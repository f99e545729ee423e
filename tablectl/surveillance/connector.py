"""Keeps one connection to the broker: again and again, with back-off, logged once and then counted."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog

from tablectl.surveillance.alarms import AlarmKind, Alarms
from tablectl.surveillance.broker import BrokerSettings, BrokerTrouble, Trouble, Will
from tablectl.surveillance.client import Link, open_link

__all__ = ["BackOff", "Connector"]

log = structlog.get_logger()

_ALARMING: Final = {Trouble.REFUSED, Trouble.CERTIFICATE, Trouble.TAKEN_OVER}
_TAKEOVERS, _TAKEOVER_S = 3, 60.0


@dataclass(frozen=True, slots=True)
class BackOff:
    """How long to wait before the next attempt to connect: doubled each time up to `cap_s`, with jitter."""

    first_s: float = 0.2
    cap_s: float = 10.0

    def delay(self, attempt: int) -> float:
        """Seconds before attempt 0, 1, …: half to all of the time, so that the tables of a pit do not come at once."""
        longest = min(self.cap_s, self.first_s * 2.0 ** min(attempt, 30))
        return longest * (0.5 + secrets.randbelow(1000) / 2000)


class Connector:
    """Connects until `stop`; what is done with a connection is the business of `serve`."""

    def __init__(
        self,
        broker: BrokerSettings,
        *,
        client_id: str,
        will: Will,
        back_off: BackOff,
        alarms: Alarms,
        progress: Callable[[], None],
    ) -> None:
        """`progress` is called when a message is answered or the connection lost."""
        self._broker = broker
        self._client_id = client_id
        self._will = will
        self._back_off = back_off
        self._alarms = alarms
        self._progress = progress
        self._opening: asyncio.Task[Link] | None = None
        self._stop = asyncio.Event()
        self._noted: Trouble | None = None
        self._told = False
        self._closings: deque[float] = deque(maxlen=_TAKEOVERS)
        self.attempts = 0
        """Failures since a connection stood for some time."""

    @property
    def stopping(self) -> bool:
        """Whether `stop` has been called."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Let `run` return, at once if there is no connection."""
        self._stop.set()
        if self._opening is not None:
            self._opening.cancel()

    async def run(
        self, serve: Callable[[Link], Awaitable[BrokerTrouble | None]], short: Callable[[bool], None]
    ) -> None:
        """Connect, and `serve` each connection until it says why it is lost, or None as it is time to stop.

        After each loss `short` is told whether the connection stood for less than the keep-alive.
        """
        loop = asyncio.get_running_loop()
        while not self._stop.is_set():
            try:
                link = await self._open()
            except BrokerTrouble as exc:
                trouble = exc
                self._closings.clear()  # it is the broker that comes and goes
            else:
                if link is None:
                    return
                self._tell(link)
                began = loop.time()
                if (lost := await serve(link)) is None:
                    return
                lasted = loop.time() - began >= self._broker.keepalive_s
                if lasted:
                    self.attempts = 0
                short(not lasted)
                trouble = self._takeover(lost, loop.time())
            self._note(trouble)
            # Two that fight for one name would otherwise throw each other out several times a second.
            fight = trouble.trouble is Trouble.TAKEN_OVER
            delay = self._back_off.cap_s if fight else self._back_off.delay(self.attempts)
            self.attempts += 1
            try:
                async with asyncio.timeout(delay):
                    await self._stop.wait()
            except TimeoutError:
                continue

    async def _open(self) -> Link | None:
        """A new connection; None when we are to stop. `BrokerTrouble` when it cannot be made."""
        opening = asyncio.get_running_loop().create_task(
            open_link(self._broker, client_id=self._client_id, will=self._will, progress=self._progress)
        )
        self._opening = opening
        try:
            return await opening
        except asyncio.CancelledError:
            if opening.done() and not opening.cancelled() and opening.exception() is None:
                await opening.result().abort()
            task = asyncio.current_task()
            if self._stop.is_set() and task is not None and not task.cancelling():
                return None
            raise
        finally:
            self._opening = None

    def _takeover(self, lost: BrokerTrouble, now: float) -> BrokerTrouble:
        """Another reading of a loss that the broker does not explain, when it comes again and again.

        mosquitto 2.0.11, and every broker with MQTT 3.1.1, does not say that somebody else has come with our name.
        """
        if lost.trouble is not Trouble.CLOSED:
            return lost
        self._closings.append(now)
        if now - self._closings[0] > _TAKEOVER_S or len(self._closings) < _TAKEOVERS:
            return lost
        return BrokerTrouble(
            Trouble.TAKEN_OVER,
            f"the broker {self._broker.name} has closed the connection {_TAKEOVERS} times within {_TAKEOVER_S:.0f} s "
            f"and takes a new one at once: probably another client uses the id {self._client_id!r}. Find out whether "
            "two daemons run for this table or somebody else uses its certificate.",
        )

    def _tell(self, link: Link) -> None:
        if not self._told:
            self._told = True
            log.info("mqtt_connected", broker=self._broker.name, protocol=link.protocol, attempts=self.attempts + 1)

    def _note(self, trouble: BrokerTrouble) -> None:
        """Log a trouble once, until a connection has stood for some time or it is another one."""
        if self.attempts == 0 or self._noted is not trouble.trouble:
            self._told = False
            log.warning("mqtt_trouble", trouble=trouble.trouble.value, reason=str(trouble))
        self._noted = trouble.trouble
        if trouble.trouble in _ALARMING:
            self._alarms.raise_(AlarmKind(trouble.trouble.value), str(trouble))
