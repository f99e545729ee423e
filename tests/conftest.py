"""What every test gets: a check for leaked tasks, deterministic hypothesis, a broker and a port on request."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import hypothesis
import pytest
import pytest_asyncio

from tests import support

# The same examples in every run, and no time limit for one of them on a busy machine. HYPOTHESIS_PROFILE=explore
# looks further, with new examples each time.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.register_profile("explore", max_examples=2000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest_asyncio.fixture
async def fail_on_leaked_tasks() -> AsyncIterator[None]:
    """Fail when a task outlives the test and its fixtures: somebody did not await or cancel it."""
    yield
    leaked = asyncio.all_tasks() - {asyncio.current_task()}
    if leaked:
        report = "\n".join(sorted(repr(task) for task in leaked))
        for task in leaked:
            task.cancel()
        await asyncio.wait(leaked)
        pytest.fail(f"tasks left behind by the test:\n{report}")


@pytest.fixture(autouse=True)
def leak_check(request: pytest.FixtureRequest) -> None:
    """Put the check around each async test, outside its other fixtures; a plain test needs no event loop for it."""
    if pytest_asyncio.is_async_test(request.node):
        request.getfixturevalue("fail_on_leaked_tasks")


@pytest.fixture
def free_port() -> int:
    """Return a TCP port of the loopback interface that nobody listens on at this moment."""
    return support.free_port()


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[support.Broker]:
    """Yield a running mosquitto with an empty store; see `support.Broker` for what can be done to it."""
    folder = tmp_path / "mosquitto"
    folder.mkdir()
    broker = support.Broker(folder)
    broker.start()
    yield broker
    broker.kill()
