"""What drivers have in common: the pauses between attempts to reach a device, and the stream of its deliveries."""

from __future__ import annotations

import asyncio
import random
from typing import Self

from tablectl.devices import Delivery

__all__ = ["Deliveries", "Pauses"]


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
