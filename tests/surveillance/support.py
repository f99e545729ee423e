"""What the tests of surveillance share: events of invented rounds, a journal, listeners."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiomqtt

from tablectl.cards import card, seat
from tablectl.events import CardDealt, Disposition, Event, Outcome, RoundClosed, RoundOpened
from tablectl.journal import Entry, Journal, RowKind
from tablectl.records import encode
from tablectl.surveillance.broker import BrokerSettings
from tablectl.surveillance.connector import BackOff
from tablectl.surveillance.outbox import Place
from tablectl.surveillance.publisher import Publisher
from tablectl.surveillance.subscriber import Received, Subscriber
from tests.support import Broker

BOOT = "boot-1"
PLACE = Place("casino", "erie", "pit 2", "T7")
BASE = "casino/erie/pit 2/T7"
DEADLINE_S = 15.0
FORGETFUL = ("autosave_on_changes false", "autosave_interval 1800")
"""A broker that writes its store only when it is stopped, as Debian configures it: killed, it forgets everything."""
QUICK = BackOff(first_s=0.02, cap_s=0.1)


def entry(sequence: int, event: Event, *, secret: bytes | None = None) -> Entry:
    body = encode({"sequence": sequence, "event": event}, [])
    return Entry(RowKind.EVENT, body, secret=secret)


def round_events(number: int, length: int = 20) -> Iterator[Event]:
    """One round of `length` events."""
    yield RoundOpened(number, "three_card_poker", "blue-1", "manual_shoe", "none")
    for place in range(1, length - 1):
        yield CardDealt(place, seat(place % 7 + 1), card("As") if place % 5 == 0 else None)
    yield RoundClosed(number, Outcome.COMPLETED, None, None, "blue-1", Disposition.RESHUFFLE)


def rounds(count: int, first: int = 1, length: int = 20) -> list[list[Entry]]:
    """Entries of that many rounds, a list for each; the first event has the sequence (first - 1) * length + 1."""
    return [
        [
            entry((number - 1) * length + place, event)
            for place, event in enumerate(round_events(number, length), start=1)
        ]
        for number in range(first, first + count)
    ]


def settings(broker: Broker, **changes: Any) -> BrokerSettings:
    values: dict[str, Any] = {"host": broker.host, "port": broker.port, "keepalive_s": 1, "connect_timeout_s": 1.0}
    return BrokerSettings(**(values | changes))


@contextlib.asynccontextmanager
async def opened(folder: Path, boot: str = BOOT) -> AsyncIterator[Journal]:
    journal = await asyncio.to_thread(Journal.open, folder / "table.db", boot=boot)
    try:
        yield journal
    finally:
        await journal.close()


@contextlib.asynccontextmanager
async def cancelled_at_end(task: asyncio.Task[None]) -> AsyncIterator[asyncio.Task[None]]:
    """Cancel the task at the end of the block; what it failed with, if it did, is raised."""
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@contextlib.asynccontextmanager
async def publishing(publisher: Publisher) -> AsyncIterator[asyncio.Task[None]]:
    async with cancelled_at_end(asyncio.create_task(publisher.run())) as task:
        yield task


async def until(condition: Callable[[], object], within_s: float = DEADLINE_S) -> None:
    """Return once the condition holds; `TimeoutError` when it does not in time."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - conditions of any kind, looked at until they hold
            await asyncio.sleep(0.005)


@dataclass
class Listener:
    """Everything that an independent client has received below the table's topic: (topic, document), oldest first."""

    messages: list[tuple[str, Any]] = field(default_factory=list)

    def on(self, topic: str) -> list[Any]:
        return [document for at, document in self.messages if at == f"{BASE}/{topic}"]

    def events(self) -> list[Any]:
        return [document for at, document in self.messages if at.startswith(f"{BASE}/event/")]

    def text(self) -> str:
        return json.dumps(self.messages)


@contextlib.asynccontextmanager
async def listening(broker: Broker, client_id: str = "listener") -> AsyncIterator[Listener]:
    """A plain client of the library, with none of our code, for tests in which the broker stays."""
    listener = Listener()

    async def listen(client: aiomqtt.Client) -> None:
        async for message in client.messages:
            payload = message.payload
            assert isinstance(payload, bytes)
            listener.messages.append((message.topic.value, json.loads(payload) if payload else None))

    async with aiomqtt.Client(broker.host, broker.port, identifier=client_id) as client:
        await client.subscribe(f"{BASE}/#", qos=1)
        async with cancelled_at_end(asyncio.create_task(listen(client))):
            yield listener


@dataclass
class Watch:
    """What our own subscriber has delivered, over all losses of its connection."""

    subscriber: Subscriber
    received: list[Received] = field(default_factory=list)
    documents: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def sequences(self) -> list[int]:
        return [event.sequence for event in self.received]

    @property
    def missing(self) -> list[range]:
        return self.subscriber.collector.gaps(PLACE.source)


@contextlib.asynccontextmanager
async def watching(broker: BrokerSettings, start: int | None = 1, *, wait: bool = True) -> AsyncIterator[Watch]:
    documents: list[tuple[str, bytes]] = []
    subscriber = Subscriber(
        broker,
        BASE,
        client_id="watch",
        start=start,
        on_document=lambda topic, payload: documents.append((topic, payload)),
        retry_s=0.05,
    )
    watch = Watch(subscriber, documents=documents)
    ready = asyncio.Event()

    async def take() -> None:
        async for event in subscriber.events():
            watch.received.append(event)

    async with (
        cancelled_at_end(asyncio.create_task(subscriber.run(ready))),
        cancelled_at_end(asyncio.create_task(take())),
    ):
        if wait:
            await asyncio.wait_for(ready.wait(), DEADLINE_S)
        yield watch


@contextlib.asynccontextmanager
async def cutting_proxy(broker: Broker, after: Iterator[int]) -> AsyncIterator[int]:
    """A way to the broker, at the port given, that breaks each connection after so many bytes of the client."""

    async def forward(client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_connection(broker.host, broker.port)

        async def back() -> None:
            while data := await server.read(4096):
                to_client.write(data)

        left = next(after, None)
        async with cancelled_at_end(asyncio.create_task(back())):
            while (left is None or left > 0) and (data := await client.read(512)):
                to_server.write(data)
                await to_server.drain()
                left = None if left is None else left - len(data)
        to_client.transport.abort()
        to_server.transport.abort()

    server = await asyncio.start_server(forward, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
