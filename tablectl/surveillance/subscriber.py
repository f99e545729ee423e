"""The other side: a subscriber that drops what it has seen, notices what is missing and fills it from the ring.

For tests, for `tablectl watch`, and as an example for surveillance's own systems; the daemon never imports it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import aiomqtt

from tablectl.surveillance.broker import BrokerSettings, BrokerTrouble, Session
from tablectl.surveillance.client import open_client

__all__ = ["Collector", "Received", "Subscriber"]

_REMEMBERED = 65_536
_SESSION_S = 3600


@dataclass(frozen=True, slots=True)
class Received:
    """One event, delivered once and in order; `document` is the whole CloudEvent."""

    source: str
    sequence: int
    id: str
    type: str
    document: dict[str, Any]


@dataclass(slots=True)
class _Table:
    next: int
    held: dict[int, Received] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)


class Collector:
    """Puts the events of any number of tables in order; pure: `feed` it what arrives.

    `start` is the sequence to begin with, None: with the first event that comes. `duplicates` counts what was dropped
    because it had been seen; `findings` are things that an honest table and broker cannot produce, in words.
    """

    def __init__(self, start: int | None = None) -> None:
        self._start = start
        self._tables: dict[str, _Table] = {}
        self.duplicates = 0
        self.findings: list[str] = []

    def feed(self, payload: bytes) -> list[Received]:
        """The events that can be delivered now that this event or ring document has come, in order."""
        try:
            document = json.loads(payload)
            events = document.get("events", [document])
            received = [Received(e["source"], e["sequence"], e["id"], e["type"], e) for e in events]
        except (ValueError, KeyError, TypeError, AttributeError) as exc:
            self.findings.append(f"a message is neither an event nor a round ({type(exc).__name__}: {exc})")
            return []
        return [delivered for event in received for delivered in self._take(event)]

    def gaps(self, source: str) -> list[range]:
        """The sequences of that table that are known to be missing."""
        table = self._tables.get(source)
        if table is None:
            return []
        missing, at = [], table.next
        for sequence in sorted(table.held):
            if sequence > at:
                missing.append(range(at, sequence))
            at = sequence + 1
        return missing

    def _take(self, event: Received) -> Iterator[Received]:
        table = self._tables.get(event.source)
        if table is None:
            table = self._tables[event.source] = _Table(self._start or event.sequence)
        known = table.ids.get(event.sequence)
        if known is not None or event.sequence < table.next:
            self.duplicates += 1
            if known is not None and known != event.id:
                self.findings.append(
                    f"{event.source}: sequence {event.sequence} has come as {known} and as {event.id}: two journals"
                )
            return
        table.ids[event.sequence] = event.id
        table.held[event.sequence] = event
        while (ready := table.held.pop(table.next, None)) is not None:
            table.next += 1
            yield ready
        while len(table.ids) > _REMEMBERED:
            del table.ids[next(iter(table.ids))]


class Subscriber:
    """Follows the tables below a topic; `run` keeps the connection, `events` gives what arrives, once and in order.

    `base` is the topic of a table or a filter with one ``+`` for a level (``casino/+/+/+``). Retained documents other
    than the ring go to `on_document` with their topic.
    """

    def __init__(
        self,
        broker: BrokerSettings,
        base: str,
        *,
        client_id: str,
        start: int | None = None,
        on_document: Callable[[str, bytes], None] = lambda _topic, _payload: None,
        retry_s: float = 0.5,
    ) -> None:
        self.collector = Collector(start)
        self._broker = broker
        self._base = base
        self._depth = base.count("/") + 1
        self._client_id = client_id
        self._on_document = on_document
        self._retry_s = retry_s
        self._events: asyncio.Queue[Received] = asyncio.Queue()

    async def run(self, ready: asyncio.Event | None = None) -> None:
        """Connect and subscribe, again after every loss, until cancelled; `ready` is set while subscribed."""
        session = Session(client_id=self._client_id, kept_s=_SESSION_S, arrived=self._arrived)
        while True:
            with contextlib.suppress(BrokerTrouble, aiomqtt.MqttError):
                client = await open_client(self._broker, session)
                try:
                    await client.subscribe([(f"{self._base}/#", 1)])
                    if ready is not None:
                        ready.set()
                    await client.lost
                finally:
                    await client.abandon()
            if ready is not None:
                ready.clear()
            await asyncio.sleep(self._retry_s)

    async def events(self) -> AsyncIterator[Received]:
        """The events, without end."""
        while True:
            yield await self._events.get()

    def _arrived(self, topic: str, payload: bytes) -> None:
        kind = topic.split("/")[self._depth]
        if kind not in ("event", "ring"):
            self._on_document(topic, payload)
            return
        for event in self.collector.feed(payload):
            self._events.put_nowait(event)
