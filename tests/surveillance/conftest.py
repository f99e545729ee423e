"""Each test here fails when anything reaches the event loop's exception handler: a log of it looks like a crash."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.support import Broker
from tests.surveillance.support import FORGETFUL


@pytest_asyncio.fixture
async def silent_loop() -> AsyncIterator[None]:
    told: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: told.append(context))
    yield
    gc.collect()  # "exception was never retrieved" is said by a future that is collected
    await asyncio.sleep(0)
    assert told == []


@pytest.fixture(autouse=True)
def silent(request: pytest.FixtureRequest) -> None:
    if pytest_asyncio.is_async_test(request.node):
        request.getfixturevalue("silent_loop")


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Broker]:
    """One that forgets everything when it is killed, see `FORGETFUL`."""
    folder = tmp_path / "mosquitto"
    folder.mkdir()
    broker = Broker(folder, settings=FORGETFUL)
    broker.start()
    yield broker
    broker.kill()
