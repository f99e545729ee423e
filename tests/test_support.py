"""The tests' own tools can be trusted: the leak check fails a leaking test, the broker does what its methods say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import aiomqtt
import pytest

from tests.support import Broker

ROOT = Path(__file__).parent.parent

LEAKING = """
import asyncio
import pytest_asyncio

@pytest_asyncio.fixture
async def ticking():
    task = asyncio.create_task(asyncio.Event().wait(), name="ticking")
    yield
    task.cancel()

async def test_clean(ticking):
    pass

async def test_leaking():
    leaking.append(asyncio.create_task(asyncio.Event().wait(), name="forgotten"))

leaking = []
"""


def test_leaked_task_fails_its_test(tmp_path: Path) -> None:
    (tmp_path / "test_leaking.py").write_text(LEAKING, encoding="utf-8")
    options = [
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        "-c",
        f"{ROOT}/pyproject.toml",
        f"--rootdir={tmp_path}",
    ]
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "2 passed, 1 error" in run.stdout, run.stdout + run.stderr
    assert "ERROR at teardown of test_leaking" in run.stdout
    assert "name='forgotten'" in run.stdout


async def test_broker_keeps_retained_message_over_a_stop(mosquitto: Broker) -> None:
    async with aiomqtt.Client(mosquitto.host, mosquitto.port) as client:
        await client.publish("a", b"kept", qos=1, retain=True)
    mosquitto.stop()
    with pytest.raises(aiomqtt.MqttError):
        await aiomqtt.Client(mosquitto.host, mosquitto.port, timeout=2).__aenter__()
    mosquitto.start()
    async with aiomqtt.Client(mosquitto.host, mosquitto.port) as client:
        await client.subscribe("a")
        message = await anext(client.messages)
    assert message.payload == b"kept"


async def test_frozen_broker_is_silent_until_thawed(mosquitto: Broker) -> None:
    async with aiomqtt.Client(mosquitto.host, mosquitto.port, timeout=0.3) as client:
        mosquitto.freeze()
        with pytest.raises(aiomqtt.MqttError, match="timed out"):
            await client.publish("a", b"1", qos=1)
        mosquitto.thaw()
        await client.publish("a", b"2", qos=1, timeout=10)
    mosquitto.freeze()
    mosquitto.stop()
    mosquitto.start()
    mosquitto.freeze()
    mosquitto.kill()


def test_broker_that_cannot_start_shows_its_log(tmp_path: Path) -> None:
    broker = Broker(tmp_path, settings=["no_such_setting true"])
    with pytest.raises(AssertionError, match="no_such_setting"):
        broker.start()
