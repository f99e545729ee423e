"""The outbox: sends what the journal holds, in order, and remembers in the journal how far the broker has it.

Events leave in the order of their rows, several at a time. When a connection breaks, everything from the first
unacknowledged event on is sent again over the next one, so that a subscriber who drops ids it has seen gets every event
once and in order. The cursor follows the acknowledgements without a transaction of its own; after a crash a few events
are sent twice, with the same ids.

Retained documents show the present: the latest one of each topic wins, and all are sent again after each reconnect, as
a broker may have lost them. As nothing here listens, the ring of the last rounds lets a subscriber fill gaps unasked.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tablectl.errors import DecodeError, Misuse
from tablectl.events import RoundClosed
from tablectl.journal import Journal, Row, RowKind, Tail
from tablectl.surveillance.alarms import Alarm, AlarmKind, Alarms
from tablectl.surveillance.broker import BrokerSettings, BrokerTrouble, Delivery, Will
from tablectl.surveillance.client import Link
from tablectl.surveillance.connector import BackOff, Connector
from tablectl.surveillance.models import CONTENT_TYPE, Presence, Published, Status, StatusReason, to_json
from tablectl.surveillance.outbox import EventMessage, Place, Ring, event_message, head_document
from tablectl.surveillance.retained import Documents

__all__ = ["Publisher"]

_KINDS: Final = (RowKind.EVENT, RowKind.HEAD)
_OWN_TOPICS: Final = ("status", "event", "ring", "head")
_JSON: Final = "application/json"
_AHEAD = 1024
"""Events read ahead of the broker; more wait in the journal."""
_EVENTS_PER_DOCUMENT = 32
"""While there is a backlog of events, one changed document goes between so many of them."""
_LOOK_BACK = (8_192, 32_768)
"""Rows to look back for the rounds of the ring: first so many, then so many."""
_CLOSING = f'"$":"{RoundClosed.__name__}"'
"""In the body of the event that ends a round."""
_AT_ONCE = 64
"""Events made into messages in one turn of the loop, while the table waits."""
_RING_IDLE_S = 1.0
_SAVE_S = 0.02
_FRUITLESS, _SUSPICIOUS = 2, 3


class Publisher:
    """Publishes one table's journal. `run` until `stop`; `set_state` at any time; from one event loop only.

    `on_alarm` is called once for each kind of alarm, which then stays in `alarms` until `clear_alarm`. Whatever the
    alarm, it is tried again, and nothing is taken for delivered that the broker has not accepted.
    """

    def __init__(
        self,
        journal: Journal,
        place: Place,
        broker: BrokerSettings,
        *,
        boot: str,
        on_alarm: Callable[[Alarm], None] = lambda _: None,
        back_off: BackOff | None = None,
        slots: int = 16,
        refused_retry_s: float = 10.0,
    ) -> None:
        """`boot` names this start of the daemon, `slots` is the length of the ring in rounds."""
        self._journal = journal
        self._place = place
        self._broker = broker
        self._boot = boot
        self._refused_retry_s = refused_retry_s
        self._alarms = Alarms(on_alarm)
        online = self._status(Presence.ONLINE, StatusReason.CONNECTED)
        self._documents = Documents("status", online, slots, training=place.training)
        self._unsent: deque[EventMessage] = deque()
        self._flying: deque[tuple[EventMessage, Delivery]] = deque()
        self._told: tuple[str, Delivery] | None = None
        self._since_document = 0
        self._acknowledged = self._read_to = journal.cursor()
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._link: Link | None = None
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._stop_by = 0.0
        self._hold_until = 0.0
        self._ring_due: float | None = None
        self._saving: asyncio.TimerHandle | None = None
        self._fruitless = 0
        self._suspect, self._suspected = "", 0
        self._connector = Connector(
            broker,
            client_id=place.table,
            will=Will(place.topic("status"), self._status(Presence.OFFLINE, StatusReason.LOST)),
            back_off=back_off or BackOff(),
            alarms=self._alarms,
            progress=self._wake.set,
        )

    # What the daemon uses --------------------------------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether there is a connection to the broker now."""
        return self._link is not None and not self._link.lost.done()

    @property
    def acknowledged(self) -> int:
        """Row of the last event that the broker has accepted, with all before it."""
        return self._acknowledged

    @property
    def alarms(self) -> Mapping[AlarmKind, Alarm]:
        """The alarms that nobody has cleared."""
        return self._alarms.latched

    def clear_alarm(self, kind: AlarmKind) -> None:
        """Somebody has looked; if it is still so, the next occurrence raises it again."""
        self._alarms.clear(kind)

    def set_state(self, topic: str, document: Published | None) -> None:
        """Let `document` be the retained one of that topic (``state``, ``device/shoe``); None takes it away.

        The last one wins: what changes faster than the broker takes it is skipped.
        """
        if topic.partition("/")[0] in _OWN_TOPICS:
            raise Misuse(f"The topic {topic!r} is the publisher's own.")
        self._retain(topic, b"" if document is None else to_json(document))

    def stop(self, within_s: float = 1.0) -> None:
        """Let `run` send what is left, say offline and return, within about that time."""
        loop = asyncio.get_running_loop()
        self._stop_by = loop.time() + within_s
        loop.call_at(self._stop_by, self._wake.set)
        self._connector.stop()
        self._wake.set()

    async def wait_acknowledged(self, seq: int) -> None:
        """Return when the broker has accepted all events up to the one in row `seq`."""
        if seq > self._acknowledged:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((seq, future))
            await future

    async def run(self) -> None:
        """Publish until `stop`. `JournalError` when the journal cannot be read; cancelled, it leaves without a word."""
        try:
            async with asyncio.TaskGroup() as tasks:
                reader = tasks.create_task(self._read(), name="outbox-reader")
                await self._connector.run(self._serve, self._after_loss)
                reader.cancel()
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        finally:
            self._save()

    # Reading the journal -----------------------------------------------------------------------------------------

    async def _read(self) -> None:
        await self._look_back()
        while True:
            tail = await self._journal.tail(self._read_to, _KINDS)
            taken: list[EventMessage] = []
            try:
                self._take(tail, taken)
            except DecodeError as exc:
                what = (
                    f"{exc} Nothing after it is published. Run the version of tablectl that wrote it, or a newer one."
                )
                self._alarms.raise_(AlarmKind.UNKNOWN_EVENT, what)
                self._send_and_keep(taken)
                self._wake.set()
                return
            self._send_and_keep(taken)
            while len(self._unsent) >= _AHEAD:
                self._room.clear()
                await self._room.wait()
            if self._read_to >= self._journal.head().seq:
                if self._connector.stopping:
                    self._wake.set()  # all is read: there may be nothing left to wait for
                await self._journal.wait(self._read_to, self._take_at_once)

    def _take_at_once(self) -> None:
        """Send what has just been committed in this loop; what is wrong with it is for `_read` to find."""
        tail = self._journal.recent(self._read_to, _KINDS)
        if tail is None:
            return
        taken: list[EventMessage] = []
        with contextlib.suppress(DecodeError):
            self._take(tail, taken)
            self._send_and_keep(taken)

    def _take(self, tail: Tail, taken: list[EventMessage]) -> None:
        """Make messages of these rows; all of them are read then."""
        for row in tail.rows:
            if row.kind is RowKind.HEAD:
                self._retain("head", to_json(head_document(row, training=self._place.training)))
            else:
                taken.append(event_message(self._place, row))
        self._read_to = tail.upto

    def _send_and_keep(self, taken: Sequence[EventMessage]) -> None:
        """Send these events, before anything is done that can wait; then keep them for the ring."""
        if not taken and not self._documents:
            return
        self._unsent += taken
        self._pump()
        for message in taken:
            self._documents.add(message)
        if taken:
            self._ring_due = asyncio.get_running_loop().time() + _RING_IDLE_S
        if self._documents:
            self._wake.set()

    async def _look_back(self) -> None:
        """Fill the ring with the rounds before the cursor."""
        slots = self._documents.ring.slots
        rows: list[Row] = []
        ends: list[int] = []
        for window in _LOOK_BACK:
            start = max(0, self._read_to - window)
            rows = await self._rows_before(start)
            # A cheap look first: most of what is there may be rounds that the ring has no room for.
            ends = [place for place, row in enumerate(rows) if _CLOSING in row.body]
            if start == 0 or len(ends) >= slots:
                break
        needed = rows[ends[-slots - 1] + 1 :] if len(ends) > slots else rows
        ring = Ring(slots, training=self._place.training)
        for place, row in enumerate(needed, 1):
            with contextlib.suppress(DecodeError):  # it has been published by the version that knew it
                ring.add(event_message(self._place, row))
            if place % _AT_ONCE == 0:
                await asyncio.sleep(0)
        self._documents.replace_ring(ring)
        self._wake.set()

    async def _rows_before(self, start: int) -> list[Row]:
        """The event rows after `start` that have been published; the last head among them is told."""
        rows: list[Row] = []
        position = start
        while position < self._read_to:
            tail = await self._journal.tail(position, _KINDS)
            for row in tail.rows:
                if row.seq > self._read_to:
                    break
                if row.kind is RowKind.HEAD:
                    self._retain("head", to_json(head_document(row, training=self._place.training)))
                else:
                    rows.append(row)
            position = tail.upto
        return rows

    # One connection ----------------------------------------------------------------------------------------------

    async def _serve(self, link: Link) -> BrokerTrouble | None:
        """Use the connection until it is lost, and say why; or until we are to stop, then None."""
        loop = asyncio.get_running_loop()
        ticker = loop.create_task(self._tick())
        self._link = link
        self._begin()
        try:
            while not link.lost.done():
                self._wake.clear()
                self._pump()
                if self._connector.stopping and (self._drained() or loop.time() >= self._stop_by):
                    await self._leave(link)
                    return None
                await self._wake.wait()
            return link.lost.result()
        finally:
            self._link = None
            ticker.cancel()
            await link.abort()
            await asyncio.wait([ticker])

    def _begin(self) -> None:
        """Start from the first unacknowledged event, and with every document."""
        self._unsent.extendleft(message for message, _ in reversed(self._flying))
        self._flying.clear()
        self._told = None
        self._documents.all_again()
        self._since_document = _EVENTS_PER_DOCUMENT  # the status, which is the first, goes before everything else

    async def _leave(self, link: Link) -> None:
        """Say offline, and good-bye, so that the will is not published."""
        offline = self._status(Presence.OFFLINE, StatusReason.STOPPED)
        farewell = link.send(self._place.topic("status"), offline, retain=True, content_type=_JSON)
        loop = asyncio.get_running_loop()
        while not farewell.answered and not link.lost.done() and loop.time() < self._stop_by:
            self._wake.clear()
            await self._wake.wait()
        await link.close()

    async def _tick(self) -> None:
        """Let what has a time-out be looked at."""
        while True:
            await asyncio.sleep(self._broker.keepalive_s / 5)
            self._wake.set()

    # Sending: no await from here on, so that nothing happens in between ----------------------------------------------

    def _pump(self) -> None:
        """Take note of what was answered and send what may be sent now: events first."""
        link = self._link
        if link is None or link.lost.done():
            return
        now = asyncio.get_running_loop().time()
        self._collect(link, now)
        self._documents.forgive(now)
        if self._ring_due is not None and (now >= self._ring_due or self._connector.stopping):
            self._ring_due = None
            self._documents.show_growing()
        # After losses without progress: one at a time, to find out whether it is an event that ends the connection.
        window = 1 if self._fruitless >= _FRUITLESS else max(1, link.window - 1)
        link.hold()
        self._send(link, now, window)
        link.release()

    def _send(self, link: Link, now: float, window: int) -> None:
        while not link.lost.done():
            events_wait = bool(self._unsent) and now >= self._hold_until
            documents_wait = bool(self._documents) and self._told is None
            if documents_wait and not (events_wait and self._since_document < _EVENTS_PER_DOCUMENT):
                self._since_document = 0
                topic, payload = self._documents.next()
                sent = link.send(self._place.topic(topic), payload, retain=True, content_type=_JSON)
                self._told = (topic, sent)
            elif events_wait and len(self._flying) < window:
                self._since_document += 1
                message = self._unsent.popleft()
                self._flying.append((message, link.send(message.topic, message.payload, content_type=CONTENT_TYPE)))
            else:
                return

    def _collect(self, link: Link, now: float) -> None:
        before = self._acknowledged
        while self._flying and self._flying[0][1].answered:
            message, delivery = self._flying[0]
            if delivery.refused:
                self._refused(delivery.topic, f"reason code {delivery.code}")
                self._hold_events(now)
                break
            self._flying.popleft()
            self._acknowledged = message.seq
        if self._acknowledged != before:
            self._fruitless = 0
            self._save_later()
            if len(self._unsent) < _AHEAD:
                self._room.set()
            self._release()
        if self._told is not None and self._told[1].answered:
            topic, delivery = self._told
            self._told = None
            if delivery.refused:
                self._refused(delivery.topic, f"reason code {delivery.code}")
                self._documents.deny(topic, now + self._refused_retry_s)
        eldest = now if self._told is None else self._told[1].sent
        if self._flying:
            eldest = min(eldest, self._flying[0][1].sent)
        if now - eldest > 2 * self._broker.keepalive_s:
            link.give_up(f"a message has not been acknowledged for {now - eldest:.0f} s")

    def _hold_events(self, now: float) -> None:
        """Send no event for a while, then from the first unacknowledged one on."""
        self._hold_until = now + self._refused_retry_s
        self._unsent.extendleft(message for message, _ in reversed(self._flying))
        self._flying.clear()

    def _refused(self, topic: str, why: str) -> None:
        self._alarms.raise_(
            AlarmKind.PUBLISH_REFUSED,
            f"The broker {self._broker.name} refuses messages on {topic} ({why}). Nothing is lost: it stays in the "
            f"journal and is tried again every {self._refused_retry_s:.0f} s. Check the broker's access list and "
            "limits for this table.",
        )

    def _after_loss(self, short: bool) -> None:
        """A broker may hang up instead of refusing: notice when it does so over the same message again and again."""
        if not short:
            self._suspected = self._fruitless = 0
            return
        self._fruitless += 1
        document, event = self._told, self._flying[0][1] if len(self._flying) == 1 else None
        topic = document[0] if document is not None else event.topic if event is not None else ""
        if topic in ("", "status"):  # the status is the first message of every connection: that tells nothing
            self._suspected = 0
            return
        self._suspected = self._suspected + 1 if topic == self._suspect else 1
        self._suspect = topic
        if self._suspected < _SUSPICIOUS:
            return
        self._suspected = 0
        now = asyncio.get_running_loop().time()
        if document is not None:
            self._refused(document[1].topic, "it ends the connection")
            self._documents.deny(topic, now + self._refused_retry_s)
        else:
            self._refused(topic, "it ends the connection")
            self._hold_events(now)

    def _save_later(self) -> None:
        """Let the cursor follow: not with each event, as every note wakes the journal's thread."""
        if self._saving is None:
            self._saving = asyncio.get_running_loop().call_later(_SAVE_S, self._save)

    def _save(self) -> None:
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
            self._journal.note_cursor(self._acknowledged)

    def _release(self) -> None:
        waiting, self._waiting = self._waiting, []
        for seq, future in waiting:
            if future.done():
                continue
            if seq <= self._acknowledged:
                future.set_result(None)
            else:
                self._waiting.append((seq, future))

    def _retain(self, topic: str, payload: bytes) -> None:
        if self._documents.set(topic, payload):
            self._wake.set()

    def _drained(self) -> bool:
        left = self._unsent or self._flying or self._told or self._documents
        return not left and self._read_to >= self._journal.head().seq

    def _status(self, presence: Presence, reason: StatusReason) -> bytes:
        return to_json(Status(status=presence, reason=reason, boot=self._boot, training=self._place.training))
