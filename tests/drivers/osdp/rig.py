"""Emulated OSDP readers in a process of their own, two of them on one line, and drivers for them."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tablectl.devices import Options, Resume
from tablectl.equipment import Kind
from tablectl_drivers.osdp.driver import OsdpDriver
from tablectl_hil.control import Equipment, connect
from tests.drivers.rig import DEADLINE_S, Watch

KEY = bytes(range(0x10, 0x20))
QUICK: dict[str, str | int | bool] = {
    "poll_ms": 10,
    "reply_ms": 60,
    "lost_after_ms": 500,
    "retry_ms": 10,
    "retry_max_ms": 30,
}


@pytest.fixture(scope="session")
def bench_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of one process of readers that runs as long as the tests; the key file is in it too."""
    folder = tmp_path_factory.mktemp("osdp")
    key_file = folder / "key"
    key_file.write_text(f"{KEY.hex()}\n")
    key_file.chmod(0o600)
    readers = [f"--reader=reader=line:5:{KEY.hex()}", f"--reader=second=line:6:{KEY.hex()}"]
    command = [sys.executable, "-m", "tablectl_hil.osdp_peripheral", str(folder), *readers]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), "the emulators did not start"
        yield folder
        process.communicate(timeout=DEADLINE_S)


@asynccontextmanager
async def table(folder: Path, key: str = KEY.hex()) -> AsyncIterator[Equipment]:
    """Both readers as new, with that key, on a line that is plugged in."""
    async with connect(folder) as equipment:
        await equipment.act("line", "replug")
        for serial, reader in enumerate(("reader", "second"), 0xA0):
            await equipment.act(reader, "exchange", serial=serial, key=key)
        yield equipment


def driver(
    folder: Path, options: Options | None = None, *, address: int = 5, resume: Resume | None = None
) -> OsdpDriver:
    """A driver that tries again quickly, with the key unless told otherwise; with ``key_file=""`` without one."""
    chosen = {"key_file": str(folder / "key"), **QUICK, **(options or {})}
    if not chosen["key_file"]:
        del chosen["key_file"]
    port = f"serial:{folder / 'line'}?baud=115200&address={address}"
    return OsdpDriver(f"reader{address}", Kind.CREDENTIAL_READER, port, chosen, resume=resume)


@asynccontextmanager
async def up(folder: Path, **options: str | int | bool) -> AsyncIterator[tuple[Equipment, Watch]]:
    """Readers and the driver for the first, up, its state taken."""
    async with table(folder) as equipment, driver(folder, options) as device:
        watch = Watch(device)
        await watch.up()
        yield equipment, watch


async def badges(equipment: Equipment, *numbers: int, reader: str = "reader") -> None:
    """Hold cards to a reader."""
    for number in numbers:
        await equipment.act(reader, "badge", number=number)


def some_number() -> int:
    """A number that no earlier test has used."""
    return secrets.randbelow(1 << 24)
