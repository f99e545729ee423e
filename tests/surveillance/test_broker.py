"""The broker of a demonstration, mosquitto or the embedded one, and a table that publishes to it."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest

from tablectl.errors import ConfigurationError
from tablectl.surveillance.broker import BrokerSettings
from tablectl.surveillance.publisher import Publisher
from tablectl_hil.broker import Broker, broker
from tests.surveillance.support import BOOT, PLACE, opened, publishing, rounds, until, watching


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def listening_on(port: int) -> set[str]:
    """The addresses, as the kernel writes them, on which somebody listens at that port."""
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    lines = [line.split() for table in tables if table.exists() for line in table.read_text("ascii").splitlines()[1:]]
    listen = "0A"
    return {
        local.partition(":")[0] for _, local, _, state, *_ in lines if (local[-4:], state) == (f"{port:04X}", listen)
    }


async def test_mosquitto_listens_on_loopback_alone_and_goes_with_the_block() -> None:
    async with broker() as running:
        assert (running.kind, running.notice, running.protocol) == ("mosquitto", None, "5")
        assert accepts(running.port)
        assert listening_on(running.port) == {"0100007F"}
    assert not accepts(running.port)


async def publish_and_watch(running: Broker, folder: Path, protocol: str) -> str:
    """Two hundred events through that broker; returns the version of the protocol that was used."""
    settings = BrokerSettings(host=running.host, port=running.port, protocol=protocol)  # type: ignore[arg-type]
    async with opened(folder) as journal, watching(settings) as watch:
        publisher = Publisher(journal, PLACE, settings, boot=BOOT)
        async with publishing(publisher) as task:
            for entries in rounds(10):
                await journal.append(entries)
            await asyncio.wait_for(publisher.wait_acknowledged(journal.head().seq), 10)
            await until(lambda: len(watch.received) == 200)
            assert publisher._link is not None
            used = publisher._link.protocol
            publisher.stop()
            await asyncio.wait_for(task, 3)
        await until(lambda: any(b"stopped" in payload for _, payload in watch.documents))
        assert watch.sequences == list(range(1, 201))
        assert watch.subscriber.collector.findings == []
    return used


async def test_embedded_broker_is_for_looking_and_says_so(tmp_path: Path) -> None:
    async with broker(prefer_mosquitto=False) as running:
        assert running.kind == "amqtt"
        assert running.notice is not None
        assert "looking only" in running.notice
        assert await publish_and_watch(running, tmp_path, running.protocol) == "3.1.1"
    assert not accepts(running.port)


async def test_mosquitto_takes_the_same(tmp_path: Path) -> None:
    async with broker() as running:
        assert await publish_and_watch(running, tmp_path, "auto") == "5"


async def test_embedded_broker_takes_over_where_there_is_no_mosquitto(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablectl_hil.broker._SBIN", ())
    monkeypatch.setenv("PATH", "")
    async with broker() as running:
        assert running.kind == "amqtt"


async def test_neither_broker_is_an_error_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "amqtt.broker", None)
    with pytest.raises(ConfigurationError, match="apt-get install mosquitto"):
        async with broker(prefer_mosquitto=False):
            pass
