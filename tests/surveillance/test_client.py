"""One connection: certificates, refusals, versions, and the ways in which it ends."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tablectl.surveillance.broker import BrokerSettings, BrokerTrouble, Tls, Trouble, Will
from tablectl.surveillance.client import Link, open_link
from tests.support import Broker, free_port
from tests.surveillance.support import settings, until

WILL = Will("will", b"gone")


@contextlib.asynccontextmanager
async def linked(
    broker: BrokerSettings, client_id: str = "T7", progress: Callable[[], None] = lambda: None
) -> AsyncIterator[Link]:
    link = await open_link(broker, client_id=client_id, will=WILL, progress=progress)
    try:
        yield link
    finally:
        await link.abort()


async def trouble_of(broker: BrokerSettings) -> BrokerTrouble:
    with pytest.raises(BrokerTrouble) as caught:
        async with asyncio.timeout(10):
            await open_link(broker, client_id="T7", will=WILL)
    return caught.value


@dataclass(frozen=True)
class Pki:
    """A certificate authority in a folder of its own, by the openssl program."""

    folder: Path

    def make(self, name: str, issuer: str | None = None) -> tuple[Path, Path]:
        key, request, certificate = (self.folder / f"{name}.{end}" for end in ("key", "csr", "crt"))
        self._run("ecparam", "-genkey", "-name", "prime256v1", "-out", key)
        if issuer is None:
            self._run("req", "-x509", "-key", key, "-subj", f"/CN={name}", "-days", "2", "-out", certificate)
        else:
            extension = self.folder / "extension"
            extension.write_text("subjectAltName = IP:127.0.0.1\n", "utf-8")
            self._run("req", "-new", "-key", key, "-subj", f"/CN={name}", "-out", request)
            authority = ("-CA", self.folder / f"{issuer}.crt", "-CAkey", self.folder / f"{issuer}.key")
            self._run(
                *("x509", "-req", "-in", request, *authority, "-CAcreateserial", "-days", "2"),
                *("-extfile", extension, "-out", certificate),
            )
        return certificate, key

    def _run(self, *arguments: str | Path) -> None:
        program = shutil.which("openssl")
        assert program is not None
        subprocess.run([program, *arguments], check=True, capture_output=True)


@pytest.fixture(scope="module")
def pki(tmp_path_factory: pytest.TempPathFactory) -> Pki:
    made = Pki(tmp_path_factory.mktemp("pki"))
    for name, issuer in (("ca", None), ("other", None), ("server", "ca"), ("T7", "ca"), ("stranger", "other")):
        made.make(name, issuer)
    return made


@pytest.fixture
def tls_broker(tmp_path: Path, pki: Pki) -> Iterator[Broker]:
    files = {"cafile": "ca.crt", "certfile": "server.crt", "keyfile": "server.key"}
    lines = [f"{key} {pki.folder / name}" for key, name in files.items()]
    broker = Broker(tmp_path, settings=[*lines, "require_certificate true", "use_identity_as_username true"])
    broker.start()
    yield broker
    broker.kill()


def tls(pki: Pki, ca: str = "ca", name: str | None = "T7") -> Tls:
    if name is None:
        return Tls(pki.folder / f"{ca}.crt")
    return Tls(pki.folder / f"{ca}.crt", pki.folder / f"{name}.crt", pki.folder / f"{name}.key")


async def test_mutual_tls(tls_broker: Broker, pki: Pki) -> None:
    async with linked(settings(tls_broker, tls=tls(pki))) as link:
        sent = [link.send("a", b"x" * 10_000) for _ in range(10)]
        await until(lambda: all(delivery.code == 0x10 for delivery in sent))  # taken, nobody subscribes


@pytest.mark.parametrize(
    ("ca", "name", "told"),
    [("ca", None, "certificate"), ("ca", "stranger", "alert"), ("other", "T7", "certificate verify failed")],
)
async def test_bad_certificate_is_told_at_once(tls_broker: Broker, pki: Pki, ca: str, name: str, told: str) -> None:
    began = time.monotonic()
    broker = settings(tls_broker, tls=tls(pki, ca, name), connect_timeout_s=8.0)
    while (trouble := await trouble_of(broker)).trouble is not Trouble.CERTIFICATE:
        # The broker has hung up while our first packet was under way, and with it went what it said.
        assert (ca, name) == ("ca", "stranger")
        assert trouble.trouble is Trouble.UNREACHABLE
        assert "the CA of our certificate" in str(trouble)
        assert time.monotonic() - began < 4
    assert time.monotonic() - began < 4
    assert trouble.trouble is Trouble.CERTIFICATE
    assert told in str(trouble).lower()


async def test_name_in_the_brokers_certificate_is_checked(tls_broker: Broker, pki: Pki) -> None:
    trouble = await trouble_of(settings(tls_broker, tls=tls(pki), host="localhost"))
    assert trouble.trouble is Trouble.CERTIFICATE
    assert "localhost" in str(trouble)


async def test_certificates_are_read_at_each_connect(tls_broker: Broker, pki: Pki, tmp_path: Path) -> None:
    mine = Tls(pki.folder / "ca.crt", tmp_path / "mine.crt", tmp_path / "mine.key")
    broker = settings(tls_broker, tls=mine)
    missing = await trouble_of(broker)
    assert missing.trouble is Trouble.CERTIFICATE
    assert str(tmp_path / "mine.crt") in str(missing)
    shutil.copy(pki.folder / "T7.crt", tmp_path / "mine.crt")
    shutil.copy(pki.folder / "server.key", tmp_path / "mine.key")
    assert (await trouble_of(broker)).trouble is Trouble.CERTIFICATE, "the key of another certificate"
    shutil.copy(pki.folder / "T7.key", tmp_path / "mine.key")
    async with linked(broker):
        pass


async def test_broken_ca_file_is_named(tmp_path: Path) -> None:
    ca = tmp_path / "ca.crt"
    ca.write_text("no certificate", "utf-8")
    trouble = await trouble_of(BrokerSettings(host="127.0.0.1", port=1, tls=Tls(ca)))
    assert trouble.trouble is Trouble.CERTIFICATE
    assert str(ca) in str(trouble)
    assert isinstance(trouble.__cause__, ssl.SSLError)


@pytest.mark.parametrize("host", ["127.0.0.1", "no.such.host.invalid", "a" * 70, ""])
async def test_broker_that_is_not_there(host: str) -> None:
    trouble = await trouble_of(BrokerSettings(host=host, port=free_port()))
    assert trouble.trouble is Trouble.UNREACHABLE


async def test_refused_connection_is_told(tmp_path: Path) -> None:
    broker = Broker(tmp_path, settings=["allow_anonymous false"])
    broker.start()
    try:
        for protocol in ("5", "3.1.1", "auto"):
            trouble = await trouble_of(settings(broker, protocol=protocol))
            assert trouble.trouble is Trouble.REFUSED
            assert "uthori" in str(trouble)
    finally:
        broker.kill()


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_protocol_is_the_one_asked_for(mosquitto: Broker, protocol: str) -> None:
    async with linked(settings(mosquitto, protocol=protocol)) as link:
        assert link.protocol == protocol
        assert link.window == 16
    async with linked(settings(mosquitto)) as link:
        assert link.protocol == "5"


async def serve_once(answer: Callable[[bytes], bytes | None]) -> asyncio.Server:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(4096):
                if (reply := answer(data)) is None:
                    break
                writer.write(reply)
        writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0)


def old_broker(refusal: bytes | None) -> Callable[[bytes], bytes | None]:
    """One that knows 3.1.1 only, and answers to MQTT 5 with `refusal`."""

    def answer(data: bytes) -> bytes | None:
        if data[:1] != b"\x10":
            return b""
        return b"\x20\x02\x00\x00" if data[8] == 4 else refusal

    return answer


@pytest.mark.parametrize("refusal", [b"\x20\x02\x00\x01", b"\x20\x03\x00\x84\x00", None, b"\x00\x00\x00"])
async def test_old_broker_is_spoken_to_as_it_can(refusal: bytes | None) -> None:
    server = await serve_once(old_broker(refusal))
    broker = BrokerSettings(host="127.0.0.1", port=server.sockets[0].getsockname()[1])
    async with server, linked(broker) as link:
        assert link.protocol == "3.1.1"


async def test_silent_server_is_given_up_in_time() -> None:
    async with await serve_once(lambda _: b"") as server:
        began = time.monotonic()
        port = server.sockets[0].getsockname()[1]
        trouble = await trouble_of(BrokerSettings(host="127.0.0.1", port=port, connect_timeout_s=0.3))
        assert time.monotonic() - began < 2
    assert trouble.trouble is Trouble.UNREACHABLE
    assert "silent" in str(trouble)


@pytest.mark.parametrize("secured", [False, True])
async def test_connecting_can_be_cancelled_at_any_moment(secured: bool, pki: Pki) -> None:
    async with await serve_once(lambda _: b"") as server:
        port = server.sockets[0].getsockname()[1]
        broker = BrokerSettings(host="127.0.0.1", port=port, connect_timeout_s=30, tls=tls(pki) if secured else None)
        for moments in (0, 1, 2, 5, 20, 100, 400):
            task = asyncio.create_task(open_link(broker, client_id="T7", will=WILL))
            for _ in range(moments):
                await asyncio.sleep(0.0002)
            began = time.monotonic()
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            assert time.monotonic() - began < 1


async def test_connection_that_comes_as_one_is_cancelled_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    dialled: list[socket.socket] = []
    create_connection = socket.create_connection
    looked_for, before = threading.Event(), threading.enumerate()

    def remember(*arguments: Any) -> socket.socket:
        looked_for.wait()
        dialled.append(create_connection(*arguments))
        return dialled[-1]

    monkeypatch.setattr(socket, "create_connection", remember)
    async with await serve_once(lambda _: b"") as server:
        port = server.sockets[0].getsockname()[1]
        task = asyncio.create_task(open_link(BrokerSettings(host="127.0.0.1", port=port), client_id="T7", will=WILL))
        await asyncio.sleep(0)
        (dialling,) = [each for each in threading.enumerate() if each.name == "mqtt-dial" and each not in before]
        looked_for.set()
        dialling.join()  # it has asked the loop to deliver the connection, and the loop comes to that only now
        asyncio.get_running_loop().call_soon(task.cancel)
        await asyncio.wait([task])
        assert task.cancelled()
        assert [sock.fileno() for sock in dialled] == [-1]


async def test_lost_connection_is_known_at_once_and_answers_nothing(mosquitto: Broker) -> None:
    told: list[float] = []
    async with linked(settings(mosquitto, keepalive_s=60), progress=lambda: told.append(time.monotonic())) as link:
        first = link.send("a", b"1")
        await until(lambda: first.answered)
        mosquitto.freeze()
        pending = link.send("a", b"2")
        mosquitto.kill()
        killed = time.monotonic()
        trouble = await asyncio.wait_for(link.lost, 5)
        assert told[-1] - killed < 1
        assert trouble.trouble in (Trouble.LOST, Trouble.CLOSED)
        assert not pending.answered
        late = link.send("a", b"3")
        assert not late.answered


async def test_large_messages_to_a_slow_broker_are_written_as_it_takes_them(mosquitto: Broker) -> None:
    async with linked(settings(mosquitto, keepalive_s=60)) as link:
        mosquitto.freeze()
        sent = [link.send("a", b"x" * 1_000_000) for _ in range(8)]
        mosquitto.thaw()
        await until(lambda: all(delivery.answered for delivery in sent))
        assert not link.lost.done()


async def test_message_that_never_had_its_turn_is_not_answered_by_the_end_of_the_link(mosquitto: Broker) -> None:
    async with linked(settings(mosquitto, window=2, keepalive_s=60)) as link:
        mosquitto.freeze()
        sent = [link.send("a", b"1") for _ in range(5)]
        mosquitto.kill()
        await asyncio.wait_for(link.lost, 5)
        assert not any(delivery.answered for delivery in sent)


async def test_held_messages_leave_together_and_in_order(mosquitto: Broker) -> None:
    async with linked(settings(mosquitto, keepalive_s=60)) as link:
        link.hold()
        held = [link.send("a", str(number).encode()) for number in range(10)]
        await asyncio.sleep(0.05)
        assert not any(delivery.answered for delivery in held)
        link.release()
        await until(lambda: all(delivery.answered for delivery in held))
        link.release()  # with nothing to send
        alone = link.send("a", b"alone")
        await until(lambda: alone.answered)


def answering(reason: bytes) -> Callable[[bytes], bytes | None]:
    """A broker that knows MQTT 5 and ends each of its answers to a publish with `reason`."""

    def answer(data: bytes) -> bytes | None:
        if data[:1] == b"\x10":
            return b"\x20\x03\x00\x00\x00"
        number = data.index(b"topic") + len(b"topic")
        return bytes((0x40, 2 + len(reason))) + data[number : number + 2] + reason

    return answer


class Counting:
    """A broker that answers the oldest message whenever it has read something, and counts what is under way."""

    def __init__(self, maximum: int) -> None:
        self.unanswered: list[bytes] = []
        self.maximum = maximum
        self.most = 0
        self.payloads = b""

    def answer(self, data: bytes) -> bytes:
        if data[:1] == b"\x10":
            return b"\x20\x06\x00\x00\x03\x21\x00" + bytes((self.maximum,))  # Receive Maximum
        for message in data.split(b"\x00\x05topic")[1:]:
            self.unanswered.append(message[:2])
            self.payloads += message[3:4]
        self.most = max(self.most, len(self.unanswered))
        return b"\x40\x02" + self.unanswered.pop(0) if self.unanswered else b""


@pytest.mark.parametrize("maximum", [1, 2, 3])
async def test_no_more_messages_are_under_way_than_the_broker_takes_and_all_come_in_order(maximum: int) -> None:
    broker = Counting(maximum)
    async with await serve_once(broker.answer) as server:
        port = server.sockets[0].getsockname()[1]
        async with linked(BrokerSettings(host="127.0.0.1", port=port, protocol="5")) as link:
            assert link.window == maximum
            link.hold()
            sent = [link.send("topic", bytes((number,))) for number in range(65, 85)]
            link.release()
            await until(lambda: len(broker.payloads) == 20)
            assert broker.payloads == bytes(range(65, 85))
            assert broker.most == maximum
            assert [delivery.code for delivery in sent[:17]] == [0] * 17


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        (b"", 0),
        (b"\x10", 0x10),
        (b"\x87", 0x87),
        (b"\x87\x00", 0x87),
        (b"\x87\x06\x1f\x00\x03why", 0x87),  # with a reason string
    ],
)
async def test_every_form_of_answer_is_understood(reason: bytes, code: int) -> None:
    server = await serve_once(answering(reason))
    broker = BrokerSettings(host="127.0.0.1", port=server.sockets[0].getsockname()[1])
    async with server, linked(broker) as link:
        for _ in range(3):
            delivery = link.send("topic", b"text")
            await until(lambda delivery=delivery: delivery.answered)  # type: ignore[misc]
            assert delivery.code == code
            assert delivery.refused is (code >= 0x80)
        assert not link.lost.done()
