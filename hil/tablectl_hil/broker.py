"""A broker on this machine for demonstrations: Debian's mosquitto if it is there, else one inside this process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import structlog

from tablectl.errors import ConfigurationError, LinkError

__all__ = ["Broker", "broker"]

log = structlog.get_logger()

_LOOPBACK = "127.0.0.1"
_START_S = 10.0
_STOP_S = 2.0
_ATTEMPTS = 3
_SBIN = ("/usr/local/sbin", "/usr/sbin")

LOOKING_ONLY = (
    "This is an embedded broker, for looking only: it speaks MQTT 3.1.1 alone, keeps nothing and guarantees nothing. "
    "Install Debian's mosquitto for everything else."
)


@dataclass(frozen=True, slots=True)
class Broker:
    """A running broker: where it listens, which it is, the best that it speaks, what is to be said of it (or None)."""

    host: str
    port: int
    kind: Literal["mosquitto", "amqtt"]
    protocol: Literal["5", "3.1.1"]
    notice: str | None = None


@contextlib.asynccontextmanager
async def broker(*, prefer_mosquitto: bool = True) -> AsyncIterator[Broker]:
    """A broker on a free loopback port, open to whoever is on this machine, for as long as the block runs.

    Nothing is kept when it ends. `ConfigurationError` when neither broker is installed, `LinkError` when it does not
    start.
    """
    program = shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", ""), *_SBIN]))
    if prefer_mosquitto and program is not None:
        async with _mosquitto(program) as running:
            yield running
    else:
        async with _embedded() as running:
            log.warning("embedded_broker", notice=running.notice)
            yield running


@contextlib.asynccontextmanager
async def _mosquitto(program: str) -> AsyncIterator[Broker]:
    with tempfile.TemporaryDirectory(prefix="tablectl-broker-") as folder:
        process, port = await _started(program, Path(folder))
        try:
            yield Broker(_LOOPBACK, port, "mosquitto", "5")
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            try:
                async with asyncio.timeout(_STOP_S):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()


async def _started(program: str, folder: Path) -> tuple[asyncio.subprocess.Process, int]:
    """A mosquitto that accepts connections, and its port; another port when somebody takes it at the last moment."""
    said = b""
    for _ in range(_ATTEMPTS):
        port = _free_port()
        config = folder / "mosquitto.conf"
        lines = [
            f"listener {port} {_LOOPBACK}",
            "allow_anonymous true",
            "persistence false",
            "max_queued_messages 0",
            "set_tcp_nodelay true",
            "log_dest stderr",
            # Started as root it would change to a user that may not read this folder.
            *(["user root"] if os.geteuid() == 0 else []),
        ]
        config.write_text("\n".join(lines) + "\n", encoding="utf-8")
        guard = shutil.which("setpriv")
        # Gone with us even when we are killed, but not by the Ctrl-C that ends us: it is needed until we have ended.
        before = [guard, "--pdeathsig", "TERM", "--"] if guard else []
        with (folder / "log").open("wb") as output:
            process = await asyncio.create_subprocess_exec(
                *before, program, "-c", str(config), stdout=output, stderr=output, start_new_session=True
            )
        if await _accepts(process, port):
            return process, port
        if process.returncode is None:
            process.kill()
            await process.wait()
        said = (folder / "log").read_bytes()
    last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
    raise LinkError(f"mosquitto does not start ({last or 'it says nothing'}).", device="mqtt")


async def _accepts(process: asyncio.subprocess.Process, port: int) -> bool:
    """Whether it accepts connections before it ends or its time is up."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_START_S):
            while process.returncode is None:
                try:
                    _, writer = await asyncio.open_connection(_LOOPBACK, port)
                except OSError:
                    await asyncio.sleep(0.01)
                    continue
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
                return True
    return False


@contextlib.asynccontextmanager
async def _embedded() -> AsyncIterator[Broker]:
    try:
        from amqtt.broker import Broker as Embedded
    except ImportError as exc:
        raise ConfigurationError(
            [
                "No MQTT broker is installed. Install mosquitto (`apt-get install mosquitto`), or amqtt for looking "
                "only (`pip install 'tablectl[demo]'`)."
            ]
        ) from exc
    # It logs every connection, and with a stack every one that ends otherwise than it likes.
    logging.getLogger("amqtt").setLevel(logging.CRITICAL + 1)  # noqa: TID251 - it has no other switch
    logging.getLogger("transitions").setLevel(logging.WARNING)  # noqa: TID251
    port = _free_port()
    embedded = Embedded(
        {
            "listeners": {"default": {"type": "tcp", "bind": f"{_LOOPBACK}:{port}"}},
            "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
        }
    )
    await embedded.start()
    try:
        yield Broker(_LOOPBACK, port, "amqtt", "3.1.1", LOOKING_ONLY)
    finally:
        await embedded.shutdown()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
