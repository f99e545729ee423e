"""A table of its own process, to be killed: fills a journal without end and publishes it. Not a test."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tablectl.journal import Journal
from tablectl.surveillance.broker import BrokerSettings
from tablectl.surveillance.publisher import Publisher
from tests.surveillance.support import PLACE, rounds


async def main(folder: Path, port: int) -> None:
    journal = await asyncio.to_thread(Journal.open, folder / "table.db", boot="child")
    publisher = Publisher(journal, PLACE, BrokerSettings(host="127.0.0.1", port=port), boot="child")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(publisher.run())
        for number in range(1, 10_000):
            (entries,) = rounds(1, number)
            for entry in entries:
                await journal.append([entry])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
