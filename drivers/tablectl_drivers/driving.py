"""What drivers have in common: attempts to reach a device and the pauses between them, and the stream of deliveries.

The pauses are configured alike for every driver, with keys in milliseconds:

``retry_ms`` (10 to 60000, 200)
    first pause before a device is tried again; each further one is twice as long
``retry_max_ms`` (``retry_ms`` to 600000; 3000, or ``retry_ms`` if that is more)
    longest such pause
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from typing import Any, Final, Generic, Self, TypeVar

from tablectl.devices import Delivery, Options

__all__ = ["RETRY_MS", "Deliveries", "InThread", "Pauses", "WrongDevice", "in_range", "retry_problems", "retry_times"]

T = TypeVar("T")

RETRY_MS: Final = {"retry_ms": (200, 10, 60_000), "retry_max_ms": (3000, 10, 600_000)}
"""The keys for the pauses, each with its default, the least and the most."""


class WrongDevice(OSError):
    """Something else is there where the configured device has been or belongs."""


def in_range(value: str | int | bool, least: int, most: int) -> bool:
    """Whether a value of the configuration is a whole number from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def retry_problems(where: str, options: Options) -> list[str]:
    """What is wrong with the keys for the pauses in a section of the configuration, which `where` names."""
    problems = [
        f"{where} {key}: {options[key]!r}: expected milliseconds from {least} to {most}"
        for key, (_, least, most) in RETRY_MS.items()
        if key in options and not in_range(options[key], least, most)
    ]
    first, longest = options.get("retry_ms", RETRY_MS["retry_ms"][0]), options.get("retry_max_ms")
    if not problems and longest is not None and int(longest) < int(first):
        problems.append(
            f"{where} retry_max_ms: {longest} is less than retry_ms, which is {first}: expected milliseconds from"
            f" {first} to {RETRY_MS['retry_max_ms'][2]}"
        )
    return problems


def retry_times(options: Options) -> tuple[float, float]:
    """First and longest pause in seconds, of a section without problems."""
    first, longest = (int(options.get(key, default)) for key, (default, _, _) in RETRY_MS.items())
    return first / 1000, max(first, longest) / 1000


class Pauses:
    """Pauses between attempts: each twice the last up to a cap, shortened at random so that devices do not meet."""

    def __init__(self, first: float, longest: float, chance: random.Random) -> None:
        self._first = first
        self._longest = longest
        self._chance = chance
        self._now = first

    def next(self) -> float:
        """Seconds to wait before the next attempt."""
        pause = self._now
        self._now = min(self._now * 2, self._longest)
        return pause * self._chance.uniform(0.5, 1.0)

    def reset(self) -> None:
        """The device is there: the next pause is a first one again."""
        self._now = self._first


class Deliveries:
    """The one stream of a device's deliveries; it ends, or fails with what ended the driver."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Delivery | BaseException | None] = asyncio.Queue()

    def put(self, item: Delivery | BaseException | None) -> None:
        """Add a delivery, or the end: None, or the error that ended the driver."""
        self._queue.put_nowait(item)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Delivery:
        item = await self._queue.get()
        if isinstance(item, Delivery):
            return item
        self._queue.put_nowait(item)  # the end stays the end
        if item is None:
            raise StopAsyncIteration
        raise item


class InThread(Generic[T]):
    """Work done in a thread that the end of the program does not wait for.

    A result that nobody waits for any more is given to `late`.
    """

    def __init__(self, work: Callable[[], T], late: Callable[[T], object], name: str) -> None:
        self._work = work
        self._late = late
        self._loop = asyncio.get_running_loop()
        self._result: asyncio.Future[T] = self._loop.create_future()
        self._abandoned = False
        threading.Thread(target=self._run, name=name, daemon=True).start()

    async def result(self, seconds: float) -> T:
        """The result; `TimeoutError` when it takes longer, and the work goes on."""
        async with asyncio.timeout(seconds):
            return await asyncio.shield(self._result)

    def abandon(self) -> None:
        """Wait for it no longer."""
        self._abandoned = True
        if self._result.done() and self._result.exception() is None:
            self._late(self._result.result())

    def _run(self) -> None:
        try:
            value = self._work()
        except Exception as error:  # noqa: BLE001 - carried over to whoever waits
            self._hand_over(self._failed, error)
        else:
            if not self._hand_over(self._done, value):
                self._late(value)

    def _hand_over(self, settle: Callable[[Any], None], outcome: Any) -> bool:
        try:
            self._loop.call_soon_threadsafe(settle, outcome)
        except RuntimeError:  # the loop has been closed meanwhile
            return False
        return True

    def _done(self, value: T) -> None:
        if self._abandoned:
            self._late(value)
        else:
            self._result.set_result(value)

    def _failed(self, error: Exception) -> None:
        if not self._abandoned:
            self._result.set_exception(error)
