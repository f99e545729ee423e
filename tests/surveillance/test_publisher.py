"""The outbox against a real mosquitto that is killed, frozen, absent, forgetful, or says no."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
import structlog

from tablectl.cards import card, seat
from tablectl.equipment import Fault, Kind, Lamp, Mode
from tablectl.errors import JournalError, Misuse
from tablectl.events import CardDealt
from tablectl.journal import Entry, Journal, RowKind
from tablectl.surveillance.alarms import Alarm, AlarmKind
from tablectl.surveillance.broker import BrokerSettings
from tablectl.surveillance.connector import BackOff
from tablectl.surveillance.models import DeviceStatus, Latch, TableState
from tablectl.surveillance.publisher import Publisher
from tests.support import Broker, free_port
from tests.surveillance.support import (
    BASE,
    BOOT,
    FORGETFUL,
    PLACE,
    QUICK,
    cancelled_at_end,
    cutting_proxy,
    entry,
    listening,
    opened,
    publishing,
    rounds,
    settings,
    until,
    watching,
)

EVENTS = 2_000
ROUNDS = EVENTS // 20


def publisher_of(journal: Journal, broker: BrokerSettings, boot: str = BOOT, **more: Any) -> Publisher:
    return Publisher(journal, PLACE, broker, boot=boot, back_off=more.pop("back_off", QUICK), **more)


async def fill(journal: Journal, count: int, first: int = 1) -> int:
    """Append that many rounds, and return the number of the last row."""
    seq = 0
    for entries in rounds(count, first):
        seq = (await journal.append(entries))[-1]
    return seq


def state(round_: int, prompt: str = "No more bets?") -> TableState:
    return TableState(
        boot=BOOT,
        game="three_card_poker",
        round=round_,
        stage="open",
        prompt=prompt,
        keys=("no_more_bets",),
        latches=(Latch(device="shoe", fault=Fault.JAM, message="jam", since="2026-11-29T20:00:00.000001Z"),),
        connected=("panel", "shoe"),
        missing=(),
        sequence=20,
    )


SHOE = DeviceStatus(
    id="shoe",
    kind=Kind.SHOE,
    connected=True,
    model="S1",
    serial="4711",
    firmware="1.0",
    mode=Mode.READY,
    lamp=Lamp.GREEN,
    blinking=False,
    cards_inside=None,
    tamper=False,
    fault=None,
    retransmits=0,
    bad_frames=1,
    round_trip_ms=1.5,
)


async def test_events_of_the_journal_arrive_as_cloudevents_under_their_names(mosquitto: Broker, tmp_path: Path) -> None:
    async with opened(tmp_path) as journal, listening(mosquitto) as listener:
        publisher = publisher_of(journal, settings(mosquitto))
        async with publishing(publisher):
            await journal.append([Entry(RowKind.INPUT, "{}")])
            (seq,) = await journal.append([entry(1, CardDealt(7, seat(3), card("Qh")))])
            await asyncio.wait_for(publisher.wait_acknowledged(seq), 5)
            await until(listener.events)
    ((topic, document),) = [(topic, document) for topic, document in listener.messages if "/event/" in topic]
    assert topic == f"{BASE}/event/round/card"
    assert document.pop("time").endswith("Z")
    assert isinstance(document.pop("synced"), bool)
    assert document == {
        "specversion": "1.0",
        "id": "T7/2",
        "source": "/erie/pit 2/T7",
        "type": "tablectl.round.card",
        "datacontenttype": "application/json",
        "sequence": 1,
        "boot": BOOT,
        "training": False,
        "data": {"number": 7, "to": "seat 3", "card": "Qh"},
    }


async def test_content_type_goes_with_an_event(mosquitto: Broker, tmp_path: Path) -> None:
    async with (
        opened(tmp_path) as journal,
        aiomqtt.Client(mosquitto.host, mosquitto.port, protocol=aiomqtt.ProtocolVersion.V5) as client,
    ):
        await client.subscribe(f"{BASE}/event/#", qos=1)
        async with publishing(publisher_of(journal, settings(mosquitto))):
            await fill(journal, 1)
            message = await asyncio.wait_for(anext(client.messages), 5)
    assert message.properties is not None
    assert message.properties.ContentType == "application/cloudevents+json"  # type: ignore[attr-defined]
    assert message.qos == 1
    assert not message.retain


async def test_nothing_is_lost_or_reordered_when_the_broker_is_killed_in_mid_stream(
    mosquitto: Broker, tmp_path: Path
) -> None:
    async with opened(tmp_path) as journal, watching(settings(mosquitto)) as watch:
        # What takes half a second here takes an hour at a table: the ring is as long in proportion.
        publisher = publisher_of(journal, settings(mosquitto), slots=ROUNDS)
        async with publishing(publisher):
            for first in range(0, ROUNDS, 25):
                filling = asyncio.create_task(fill(journal, 25, first + 1))
                await until(lambda at=first: len(watch.received) >= at * 20 + 100)  # type: ignore[misc]
                mosquitto.kill()
                await until(lambda: not publisher.connected)
                await filling
                mosquitto.start()
            await asyncio.wait_for(publisher.wait_acknowledged(journal.head().seq), 15)
            await until(lambda: len(watch.received) == EVENTS)
        assert watch.sequences == list(range(1, EVENTS + 1))
        assert len({event.id for event in watch.received}) == EVENTS
        assert watch.subscriber.collector.findings == []


async def test_broken_connections_lose_and_reorder_nothing(mosquitto: Broker, tmp_path: Path) -> None:
    chance = random.Random(4711)
    cuts = [chance.randrange(500, 120_000) for _ in range(15)]
    async with (
        opened(tmp_path) as journal,
        listening(mosquitto) as listener,
        cutting_proxy(mosquitto, iter(cuts)) as port,
    ):
        publisher = publisher_of(journal, settings(mosquitto, port=port))
        async with publishing(publisher):
            seq = await fill(journal, ROUNDS)
            await asyncio.wait_for(publisher.wait_acknowledged(seq), 20)
            await until(lambda: any(event["sequence"] == EVENTS for event in listener.events()))
    # The events alone, without the ring: whoever drops the ids that he has seen has all of them, in order.
    assert list(dict.fromkeys(event["id"] for event in listener.events())) == [f"T7/{n}" for n in range(1, EVENTS + 1)]
    assert len(listener.events()) > EVENTS, "nothing was under way at any cut: the test shows nothing"


async def test_frozen_broker_is_noticed_and_nothing_is_lost_when_it_thaws(mosquitto: Broker, tmp_path: Path) -> None:
    async with opened(tmp_path) as journal, watching(settings(mosquitto, keepalive_s=30)) as watch:
        publisher = publisher_of(journal, settings(mosquitto))
        async with publishing(publisher):
            filling = asyncio.create_task(fill(journal, 40))
            await until(lambda: len(watch.received) >= 300)
            mosquitto.freeze()
            began = time.monotonic()
            await until(lambda: not publisher.connected)
            # Twice the keep-alive, and the library looks once a second.
            assert time.monotonic() - began < 2 * 1 + 1.5
            await filling
            seq = await fill(journal, ROUNDS - 40, 41)
            mosquitto.thaw()
            await asyncio.wait_for(publisher.wait_acknowledged(seq), 15)
            await until(lambda: len(watch.received) == EVENTS)
        assert watch.sequences == list(range(1, EVENTS + 1))


async def test_absent_broker_costs_nothing_but_delay(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Broker(folder, settings=FORGETFUL)
    async with opened(tmp_path) as journal, watching(settings(broker), wait=False) as watch:
        publisher = publisher_of(journal, settings(broker), slots=30)
        with structlog.testing.capture_logs() as logged:
            running = asyncio.create_task(publisher.run())
            seq = await fill(journal, 30)
            await until(lambda: publisher._connector.attempts >= 5)
        async with cancelled_at_end(running):
            assert publisher.acknowledged == 0
            assert [line["event"] for line in logged] == ["mqtt_trouble"], "logged once, then counted"
            broker.start()
            try:
                await asyncio.wait_for(publisher.wait_acknowledged(seq), 10)
                # What was sent before the subscriber came is in the ring.
                await until(lambda: len(watch.received) == 600)
                assert watch.sequences == list(range(1, 601))
            finally:
                broker.kill()


async def test_cancelled_publisher_resumes_from_its_cursor(mosquitto: Broker, tmp_path: Path) -> None:
    async with watching(settings(mosquitto)) as watch:
        async with opened(tmp_path) as journal:
            filling = asyncio.create_task(fill(journal, 50))
            async with publishing(publisher_of(journal, settings(mosquitto))) as task:
                await until(lambda: len(watch.received) >= 700)
                task.cancel()
                await asyncio.wait([task])
            await filling
            seq = await fill(journal, ROUNDS - 50, 51)
        async with opened(tmp_path, "boot-2") as journal:
            resumed_at = journal.cursor()
            assert 700 - 16 <= resumed_at < seq
            publisher = publisher_of(journal, settings(mosquitto), "boot-2")
            async with publishing(publisher):
                await asyncio.wait_for(publisher.wait_acknowledged(seq), 10)
                await until(lambda: len(watch.received) == EVENTS)
        assert watch.sequences == list(range(1, EVENTS + 1))
        assert watch.received[-1].document["boot"] == BOOT  # which start recorded it, not which one sent it


async def test_killed_process_loses_nothing_and_its_will_says_offline(mosquitto: Broker, tmp_path: Path) -> None:
    script = Path(__file__).with_name("publishing_process.py")
    async with watching(settings(mosquitto)) as watch:
        process = await asyncio.create_subprocess_exec(
            sys.executable, script, str(tmp_path), str(mosquitto.port), cwd=Path(__file__).parent.parent.parent
        )
        try:
            await until(lambda: len(watch.received) >= 200)
        finally:
            process.kill()
            await process.wait()
        await until(lambda: watch.documents[-1][0] == f"{BASE}/status")
        await until(lambda: json.loads(watch.documents[-1][1])["status"] == "offline")
        last_will = {"status": "offline", "reason": "lost", "boot": "child", "training": False}
        assert json.loads(watch.documents[-1][1]) == last_will
        async with opened(tmp_path, "boot-2") as journal:
            last = journal.head().seq
            publisher = publisher_of(journal, settings(mosquitto), "boot-2")
            async with publishing(publisher):
                await asyncio.wait_for(publisher.wait_acknowledged(last), 10)
                await until(lambda: len(watch.received) == last)
        assert watch.sequences == list(range(1, last + 1))


# With 0, mosquitto 2.0.11 hangs up after each refusal.
@pytest.mark.parametrize("queued", [0, 1_000_000])
async def test_refused_publish_is_an_alarm_and_never_taken_for_delivered(tmp_path: Path, queued: int) -> None:
    acl = tmp_path / "acl"
    acl.write_text(f"topic read #\ntopic write {BASE}/status\ntopic write {BASE}/event/round/opened\n", "utf-8")
    acl.chmod(0o600)
    broker = Broker(tmp_path, settings=[f"acl_file {acl}", f"max_queued_messages {queued}"])
    broker.start()
    alarms: list[Alarm] = []
    try:
        async with opened(tmp_path) as journal, listening(broker) as listener:
            publisher = publisher_of(journal, settings(broker), on_alarm=alarms.append, refused_retry_s=0.3)
            async with publishing(publisher):
                seq = await fill(journal, 1)
                await until(lambda: alarms)
                assert [alarm.kind for alarm in alarms] == [AlarmKind.PUBLISH_REFUSED]
                assert f"{BASE}/event/round/card" in alarms[0].message
                assert "135" in alarms[0].message
                assert publisher.acknowledged == 1
                await until(lambda: publisher.alarms[AlarmKind.PUBLISH_REFUSED].count >= 2)
                assert len(alarms) == 1, "told once, then counted"
                assert journal.cursor() <= 1
                acl.write_text("topic readwrite #\n", "utf-8")
                broker._running().send_signal(signal.SIGHUP)
                await asyncio.wait_for(publisher.wait_acknowledged(seq), 5)
                await until(lambda: len({event["id"] for event in listener.events()}) == 20)
                publisher.clear_alarm(AlarmKind.PUBLISH_REFUSED)
                assert publisher.alarms == {}
                await until(lambda: listener.on("ring/0"))
    finally:
        broker.kill()


async def test_refused_connection_is_an_alarm(tmp_path: Path) -> None:
    broker = Broker(tmp_path, settings=["allow_anonymous false"])
    broker.start()
    alarms: list[Alarm] = []
    try:
        async with opened(tmp_path) as journal:
            publisher = publisher_of(journal, settings(broker), on_alarm=alarms.append)
            async with publishing(publisher):
                await until(lambda: alarms)
        assert [alarm.kind for alarm in alarms] == [AlarmKind.CONNECTION_REFUSED]
    finally:
        broker.kill()


async def test_broker_that_hangs_up_over_a_message_is_an_alarm(tmp_path: Path) -> None:
    broker = Broker(tmp_path, settings=["max_packet_size 3000"])
    broker.start()
    alarms: list[Alarm] = []
    try:
        async with opened(tmp_path) as journal, listening(broker) as listener:
            publisher = publisher_of(journal, settings(broker, protocol="3.1.1"), on_alarm=alarms.append)
            async with publishing(publisher):
                await fill(journal, 1)
                await until(lambda: alarms)
                assert f"{BASE}/ring/0" in alarms[0].message
                seq = await fill(journal, 1, first=2)
                publisher.set_state("state", state(2))
                await asyncio.wait_for(publisher.wait_acknowledged(seq), 5)
                await until(lambda: listener.on("state"))
        assert list(dict.fromkeys(event["sequence"] for event in listener.events())) == list(range(1, 41))
        assert listener.on("ring/0") == []
    finally:
        broker.kill()


@pytest.mark.parametrize("window", [1, 4])
async def test_limit_that_the_broker_states_is_kept(tmp_path: Path, window: int) -> None:
    broker = Broker(tmp_path, settings=["max_packet_size 3000", f"max_inflight_messages {window}"])
    broker.start()
    alarms: list[Alarm] = []
    try:
        async with opened(tmp_path) as journal:
            publisher = publisher_of(journal, settings(broker), on_alarm=alarms.append)
            async with publishing(publisher):
                await asyncio.wait_for(publisher.wait_acknowledged(await fill(journal, 1)), 5)
                await until(lambda: alarms)
                assert publisher._connector.attempts == 0, "the connection was never lost"
                link = publisher._link
                assert link is not None
                assert (link.window, link.largest) == (window, 3000)
        assert f"{BASE}/ring/0" in alarms[0].message
        assert "149" in alarms[0].message
    finally:
        broker.kill()


async def test_status_says_online_offline_and_why(mosquitto: Broker, tmp_path: Path) -> None:
    async with opened(tmp_path) as journal, listening(mosquitto) as listener:
        async with publishing(publisher_of(journal, settings(mosquitto))) as task:
            await until(lambda: listener.on("status"))
            task.cancel()
            await asyncio.wait([task])
        await until(lambda: len(listener.on("status")) == 2)
        publisher = publisher_of(journal, settings(mosquitto), "boot-2")
        async with publishing(publisher) as task:
            await until(lambda: len(listener.on("status")) == 3)
            publisher.stop()
            await asyncio.wait_for(task, 2)
        # Had the will been published as well, it would be there before what comes now.
        async with aiomqtt.Client(mosquitto.host, mosquitto.port) as client:
            await client.publish(f"{BASE}/after", b"{}", qos=1)
        await until(lambda: listener.on("after"))
    assert listener.on("status") == [
        {"status": "online", "reason": "connected", "boot": "boot-1", "training": False},
        {"status": "offline", "reason": "lost", "boot": "boot-1", "training": False},
        {"status": "online", "reason": "connected", "boot": "boot-2", "training": False},
        {"status": "offline", "reason": "stopped", "boot": "boot-2", "training": False},
    ]


async def test_stop_sends_what_is_left(mosquitto: Broker, tmp_path: Path) -> None:
    async with opened(tmp_path) as journal, listening(mosquitto) as listener:
        publisher = publisher_of(journal, settings(mosquitto))
        async with publishing(publisher) as task:
            await until(lambda: publisher.connected)
            await fill(journal, 10)
            await journal.append([entry(201, CardDealt(1, seat(1), None))])
            publisher.stop()
            await asyncio.wait_for(task, 2)
        await until(lambda: len(listener.on("status")) == 2)
        assert [event["sequence"] for event in listener.events()] == list(range(1, 202))
        parts = {slot: document for slot in range(16) for document in listener.on(f"ring/{slot}")}
        assert [event["sequence"] for event in parts[10]["events"]] == [201], "the round that is not over is there too"
        await until(lambda: journal.cursor() == 201)


@pytest.mark.parametrize("how", ["frozen", "absent", "silent"])
async def test_stop_comes_in_time_whatever_the_broker_does(mosquitto: Broker, tmp_path: Path, how: str) -> None:
    server: asyncio.Server | None = None
    closing = asyncio.Event()
    port = mosquitto.port
    if how == "silent":  # takes connections and says nothing
        port = free_port()

        async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await closing.wait()
            writer.close()

        server = await asyncio.start_server(silent, "127.0.0.1", port)
    async with opened(tmp_path) as journal:
        publisher = publisher_of(
            journal,
            BrokerSettings(host="127.0.0.1", port=port, keepalive_s=30, connect_timeout_s=30.0),
            back_off=BackOff(60, 60),
        )
        async with publishing(publisher) as task:
            if how == "frozen":
                await until(lambda: publisher.connected)
                mosquitto.freeze()
            elif how == "absent":
                await until(lambda: publisher.connected)
                mosquitto.kill()
                await until(lambda: not publisher.connected)
            else:
                await until(lambda: publisher._connector._opening is not None)
            await fill(journal, 1)
            began = time.monotonic()
            publisher.stop(within_s=0.3)
            await asyncio.wait_for(task, 5)
            assert time.monotonic() - began < 1.5
        assert publisher.acknowledged == 0
    if server is not None:
        closing.set()
        server.close()
        await server.wait_closed()


async def test_retained_documents_come_again_when_the_broker_has_lost_them(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Broker(folder)
    broker.start()
    try:
        async with opened(tmp_path) as journal:
            publisher = publisher_of(journal, settings(broker))
            publisher.set_state("state", state(1))
            publisher.set_state("device/shoe", SHOE)
            publisher.set_state("device/gone", SHOE)
            publisher.set_state("device/gone", None)
            async with publishing(publisher):
                await fill(journal, 3)
                head = await journal.write_head()
                await until(lambda: publisher.acknowledged == 60 and not publisher._documents and not publisher._told)
                broker.kill()
                for file in folder.glob("mosquitto.db*"):
                    file.unlink()
                publisher.set_state("state", state(2))
                await until(lambda: not publisher.connected)
                broker.start()
                await until(lambda: publisher.connected and not publisher._documents and not publisher._told)
                async with listening(broker) as listener:
                    await until(lambda: len(listener.messages) >= 7)
        assert listener.on("status") == [{"status": "online", "reason": "connected", "boot": BOOT, "training": False}]
        assert [document["round"] for document in listener.on("state")] == [2]
        assert [document["serial"] for document in listener.on("device/shoe")] == ["4711"]
        assert listener.on("device/gone") == []
        assert [(document["seq"], document["hash"]) for document in listener.on("head")] == [(head.seq, head.hash)]
        assert [document["round"] for slot in range(3) for document in listener.on(f"ring/{slot}")] == [1, 2, 3]
    finally:
        broker.kill()


async def test_restarted_publisher_fills_the_ring_from_the_journal(mosquitto: Broker, tmp_path: Path) -> None:
    async with opened(tmp_path) as journal:
        seq = await fill(journal, 20)
        await journal.save_cursor(seq)
        async with listening(mosquitto) as listener, publishing(publisher_of(journal, settings(mosquitto))):
            await until(lambda: sum(len(listener.on(f"ring/{slot}")) for slot in range(16)) >= 16)
        found = sorted(document["round"] for slot in range(16) for document in listener.on(f"ring/{slot}"))
        assert found == list(range(5, 21))
        assert listener.events() == [], "what was acknowledged is not sent again"


async def test_restarted_publisher_reads_no_more_rounds_than_the_ring_holds(mosquitto: Broker, tmp_path: Path) -> None:
    """Also where the last round is not over, and where none was ever closed."""
    async with opened(tmp_path) as journal:
        await fill(journal, 6)
        seq = (await journal.append(rounds(1, first=7)[0][:5]))[-1]
        await journal.save_cursor(seq)
        publisher = publisher_of(journal, settings(mosquitto), slots=3)
        async with listening(mosquitto) as listener, publishing(publisher):
            await until(lambda: len([1 for slot in range(3) if listener.on(f"ring/{slot}")]) == 3)
        parts = [document for slot in range(3) for document in listener.on(f"ring/{slot}")]
        assert sorted((part["round"] or 99, part["first"], part["last"]) for part in parts) == [
            (5, 81, 100), (6, 101, 120), (99, 121, 125),
        ]  # fmt: skip


async def test_latest_state_wins(mosquitto: Broker, tmp_path: Path) -> None:
    async with opened(tmp_path) as journal, listening(mosquitto) as listener:
        publisher = publisher_of(journal, settings(mosquitto))
        async with publishing(publisher):
            await until(lambda: publisher.connected)
            for number in range(1, 100):
                publisher.set_state("state", state(number))
            await until(lambda: listener.on("state"))
            await until(lambda: listener.on("state")[-1]["round"] == 99)
            assert len(listener.on("state")) < 99


@pytest.mark.parametrize("topic", ["status", "event/round/card", "ring/3", "head"])
async def test_the_publishers_own_topics_are_not_set_from_outside(tmp_path: Path, topic: str) -> None:
    async with opened(tmp_path) as journal:
        publisher = publisher_of(journal, BrokerSettings(host="127.0.0.1", port=1))
        with pytest.raises(Misuse, match=topic):
            publisher.set_state(topic, state(1))


async def test_session_takeover_is_an_alarm(tmp_path: Path) -> None:
    """By a server of our own that says so: mosquitto 2.0.11 does not."""
    connack, taken_over = b"\x20\x03\x00\x00\x00", b"\xe0\x02\x8e\x00"
    alarms: list[Alarm] = []

    async def take_over(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(512)
        writer.write(connack + taken_over)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(take_over, "127.0.0.1", 0)
    async with server, opened(tmp_path) as journal:
        broker = BrokerSettings(host="127.0.0.1", port=server.sockets[0].getsockname()[1])
        publisher = publisher_of(journal, broker, on_alarm=alarms.append, back_off=BackOff(0.02, 60))
        async with publishing(publisher):
            await until(lambda: alarms)
            assert publisher._connector.attempts <= 1, "no fight for the name"
    assert [alarm.kind for alarm in alarms] == [AlarmKind.TAKEN_OVER]
    assert "two daemons" in alarms[0].message


async def test_takeover_that_the_broker_keeps_quiet_about_is_an_alarm(mosquitto: Broker, tmp_path: Path) -> None:
    alarms: list[Alarm] = []
    async with opened(tmp_path) as journal:
        publisher = publisher_of(journal, settings(mosquitto), on_alarm=alarms.append)
        async with publishing(publisher):
            for _ in range(3):
                assert alarms == []
                await until(lambda: publisher.connected and not publisher._told)
                async with aiomqtt.Client(mosquitto.host, mosquitto.port, identifier=PLACE.table):
                    await until(lambda: not publisher.connected)
            await until(lambda: alarms)
            await until(lambda: publisher.connected)
    assert [alarm.kind for alarm in alarms] == [AlarmKind.TAKEN_OVER]
    assert "another client uses the id 'T7'" in alarms[0].message


async def test_no_identity_of_a_face_down_card_leaves(mosquitto: Broker, tmp_path: Path) -> None:
    secret = b'["As","Kd","Qh"]'
    async with opened(tmp_path) as journal, listening(mosquitto) as listener:
        publisher = publisher_of(journal, settings(mosquitto))
        for kind in (RowKind.INPUT, RowKind.INTENT, RowKind.RESULT, RowKind.SNAPSHOT, RowKind.INTERRUPT, RowKind.LATCH):
            await journal.append([Entry(kind, '{"card":{"$":"FaceDown","n":0},"note":"Kd"}', secret=secret)])
        seqs = [
            (await journal.append([entry(number, CardDealt(number, seat(1), None), secret=secret)]))[0]
            for number in range(1, 41)
        ]
        await journal.write_head()
        async with publishing(publisher) as task:
            await asyncio.wait_for(publisher.wait_acknowledged(seqs[-1]), 5)
            publisher.stop()
            await task
        # A second start reads the past as well.
        async with publishing(publisher_of(journal, settings(mosquitto))):
            await until(lambda: len(listener.on("ring/0")) >= 2)
    assert {event["sequence"] for event in listener.events()} == set(range(1, 41))
    for name in ("As", "Kd", "Qh", "FaceDown", "secret"):
        assert name not in listener.text()


async def test_unknown_event_is_an_alarm_and_nothing_after_it_is_sent(mosquitto: Broker, tmp_path: Path) -> None:
    alarms: list[Alarm] = []
    async with opened(tmp_path) as journal, listening(mosquitto) as listener:
        publisher = publisher_of(journal, settings(mosquitto), on_alarm=alarms.append)
        async with publishing(publisher) as task:
            await journal.append([entry(1, CardDealt(1, seat(1), None))])
            await journal.append([Entry(RowKind.EVENT, '{"event":{"$":"FromTheFuture"},"sequence":2}')])
            await journal.append([entry(3, CardDealt(2, seat(1), None))])
            await until(lambda: alarms and publisher.acknowledged == 1)
            publisher.set_state("state", state(1))
            await until(lambda: listener.on("state"))
            publisher.stop(within_s=0.1)
            await asyncio.wait_for(task, 2)
        assert [event["sequence"] for event in listener.events()] == [1]
    assert alarms[0].kind is AlarmKind.UNKNOWN_EVENT
    assert "row 2" in alarms[0].message


async def test_closed_journal_ends_the_publisher_with_the_journals_error(mosquitto: Broker, tmp_path: Path) -> None:
    async with opened(tmp_path) as journal:
        publisher = publisher_of(journal, settings(mosquitto))
        task = asyncio.create_task(publisher.run())
        await until(lambda: publisher.connected)
        await journal.close()
        with pytest.raises((JournalError, Misuse)):
            await asyncio.wait_for(task, 5)
