"""The shipped broker files with a real mosquitto: tables write only, surveillance reads only, nobody else gets in."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablectl.daemon.config import TableConfig, parse
from tablectl.surveillance.broker import BrokerTrouble, Delivery, Trouble, Will
from tablectl.surveillance.client import Link, open_link
from tests.daemon.test_config import CONFIG, SMALL, certificate
from tests.support import Broker
from tests.surveillance.support import until

ANSWER_S = 5.0
NOBODY = 0x10  # taken, and nobody has subscribed to it yet
NOT_AUTHORISED = 0x87


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands in the reference make, for a broker on the loopback address."""
    folder = tmp_path_factory.mktemp("certificates")
    (commands,) = re.findall(r"^```sh$(.*?)^```$", (CONFIG / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    script = commands.replace("DNS:broker.pit-1.example", "IP:127.0.0.1")
    subprocess.run(["sh", "-e", "-c", script], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def broker(tmp_path: Path, certificates: Path) -> Iterator[Broker]:
    """mosquitto with the shipped files, moved to a port of the loopback interface and a folder of the test."""
    made = Broker(tmp_path)
    text = (CONFIG / "mosquitto.conf").read_text("utf-8")
    for old, new in (
        ("/etc/mosquitto/certs", str(certificates)),
        ("/etc/mosquitto/mosquitto.acl", str(CONFIG / "mosquitto.acl")),
        ("/var/lib/mosquitto/", f"{tmp_path}/"),
        ("listener 8883", f"listener {made.port} {made.host}"),
        ("log_dest syslog", "log_dest stdout"),
    ):
        assert text.count(f" {old}") + text.startswith(old) + text.count(f"\n{old}") >= 1, f"{old} is not in the file"
        text = text.replace(old, new)
    user = "user root\n" if os.geteuid() == 0 else ""
    made._config.write_text(user + text, encoding="utf-8")
    made.start()
    yield made
    made.kill()


def table(broker: Broker, certificates: Path, id: str = "T1") -> TableConfig:
    """A table's configuration as the reference describes it for this broker."""
    mqtt = f'[mqtt]\nhost = "{broker.host}"\nport = {broker.port}\n'
    files = f'ca = "{certificates}/ca.pem"\ncert = "{certificates}/T1.pem"\nkey = "{certificates}/T1.key"\n'
    text = SMALL.replace('id = "T1"', f'id = "{id}"') + mqtt + "[mqtt.tls]\n" + files
    return parse(text, certificates / "t1.toml")


async def connected(config: TableConfig) -> Link:
    assert config.mqtt is not None
    return await open_link(config.mqtt, client_id=config.id, will=Will(config.place.topic("status"), b"lost"))


async def codes(*deliveries: Delivery) -> list[int | None]:
    await until(lambda: all(delivery.answered for delivery in deliveries))
    return [delivery.code for delivery in deliveries]


async def heard(broker: Broker, certificates: Path, name: str, topic: str, *, count: int, wait_s: int = 5) -> list[str]:
    """What a client with that certificate gets of retained messages."""
    process = await asyncio.create_subprocess_exec(
        *("mosquitto_sub", "-h", broker.host, "-p", str(broker.port), "--cafile", str(certificates / "ca.pem")),
        *("--cert", str(certificates / f"{name}.pem"), "--key", str(certificates / f"{name}.key")),
        *("-t", topic, "-C", str(count), "-W", str(wait_s), "-F", "%t %p"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    out, _ = await process.communicate()
    return out.decode().splitlines()


async def test_a_table_writes_its_own_topics_and_surveillance_reads_them(broker: Broker, certificates: Path) -> None:
    config = table(broker, certificates)
    link = await connected(config)
    try:
        assert await codes(
            link.send(config.place.topic("state"), b"mine", retain=True),
            link.send("tablectl/main/pit-1/T2/state", b"forged", retain=True),
            link.send("tablectl/main/pit-2/T1/state", b"forged", retain=True),
            link.send("elsewhere", b"forged", retain=True),
            link.send(config.place.topic("device/shoe"), b"mine too", retain=True),
        ) == [NOBODY, NOT_AUTHORISED, NOT_AUTHORISED, NOT_AUTHORISED, NOBODY]
        seen = await heard(broker, certificates, "surveillance-1", "#", count=2)
        assert sorted(seen) == [
            "tablectl/main/pit-1/T1/device/shoe mine too",
            "tablectl/main/pit-1/T1/state mine",
        ]
    finally:
        await link.close()


async def test_a_table_reads_nothing(broker: Broker, certificates: Path) -> None:
    config = table(broker, certificates)
    link = await connected(config)
    try:
        await codes(link.send(config.place.topic("state"), b"mine", retain=True))
    finally:
        await link.close()
    assert await heard(broker, certificates, "T1", "tablectl/#", count=1, wait_s=1) == []


async def test_surveillance_writes_to_no_table(broker: Broker, certificates: Path) -> None:
    config = table(broker, certificates)
    link = await connected(config)
    try:
        await codes(link.send(config.place.topic("state"), b"mine", retain=True))
        forged = await asyncio.create_subprocess_exec(
            *("mosquitto_pub", "-h", broker.host, "-p", str(broker.port), "--cafile", str(certificates / "ca.pem")),
            *("--cert", str(certificates / "surveillance-1.pem"), "--key", str(certificates / "surveillance-1.key")),
            *("-t", config.place.topic("state"), "-m", "forged", "-r", "-q", "1"),
            stderr=asyncio.subprocess.DEVNULL,
        )
        await forged.wait()
        (seen,) = await heard(broker, certificates, "surveillance-1", "tablectl/#", count=1)
        assert seen == "tablectl/main/pit-1/T1/state mine"
    finally:
        await link.close()


async def test_the_will_of_a_table_that_is_gone_reaches_surveillance(broker: Broker, certificates: Path) -> None:
    link = await connected(table(broker, certificates))
    await link.abort()
    async with asyncio.timeout(ANSWER_S):
        while True:
            seen = await heard(broker, certificates, "surveillance-1", "tablectl/#", count=1, wait_s=1)
            if seen:
                break
    assert seen == ["tablectl/main/pit-1/T1/status lost"]


async def test_who_has_no_certificate_or_another_ca_s_gets_no_further(
    broker: Broker, certificates: Path, tmp_path: Path
) -> None:
    certificate(tmp_path, "T1")
    text = SMALL + f'[mqtt]\nhost = "{broker.host}"\nport = {broker.port}\nconnect_timeout_s = 2\n[mqtt.tls]\n'
    text += f'ca = "{certificates}/ca.pem"\n'
    for files in ("", f'cert = "{tmp_path}/T1.pem"\nkey = "{tmp_path}/T1.key"\n'):
        with pytest.raises(BrokerTrouble) as caught:
            await connected(parse(text + files, tmp_path / "t1.toml"))
        assert caught.value.trouble in (Trouble.CERTIFICATE, Trouble.UNREACHABLE)
