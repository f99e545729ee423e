"""What tests share: which of many like steps they try, a free loopback port, and mosquitto as a process of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Final

EXPLORE_ALL: Final = "TABLECTL_EXPLORE_ALL" in os.environ  # set by `make explore`
LOOPBACK = "127.0.0.1"
START_S = 10.0
STOP_S = 10.0


def first_and_last(kinds: Sequence[Hashable]) -> list[int]:
    """The places of the first and of the last thing of each kind; with `make explore` every place.

    What may go wrong at any of many steps is tried by it: at the ends of a stretch of like steps, not at each of them.
    """
    if EXPLORE_ALL:
        return list(range(len(kinds)))
    first = {kind: place for place, kind in reversed([*enumerate(kinds)])}
    last = {kind: place for place, kind in enumerate(kinds)}
    return sorted({*first.values(), *last.values()})


def free_port() -> int:
    """Return a TCP port of the loopback interface that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


class Broker:
    """One mosquitto that listens on a loopback port and keeps its store in ``folder``.

    The port and the store stay the same over `stop` or `kill` and a new `start`. Every change of a persistent
    message is written out within a second, so after a `kill` the last of them may be missing.
    """

    def __init__(self, folder: Path, *, settings: Sequence[str] = ()) -> None:
        """Prepare a broker, not yet running; ``settings`` are further lines for its listener and store."""
        self.host = LOOPBACK
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        self._process: subprocess.Popen[bytes] | None = None
        lines = [
            "per_listener_settings true",
            "persistence true",
            f"persistence_location {folder}/",
            "autosave_interval 1",
            "autosave_on_changes true",
            "max_queued_messages 0",
            "log_dest stdout",
            # Started as root it would change to a user that may not enter the folder of the test.
            *(["user root"] if os.geteuid() == 0 else []),
            f"listener {self.port} {LOOPBACK}",
            "allow_anonymous true",
            *settings,
        ]
        self._config.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(self) -> None:
        """Start the process and return once it accepts connections."""
        assert self._process is None, "this broker runs already"
        search = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin"])
        program = shutil.which("mosquitto", path=search)
        assert program is not None, "mosquitto is not installed: run `make`, or apt-get install mosquitto"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([program, "-c", str(self._config)], stdout=log, stderr=log)
        deadline = time.monotonic() + START_S
        while not self._accepts():
            try:
                self._process.wait(0.01)
            except subprocess.TimeoutExpired:
                if time.monotonic() < deadline:
                    continue
            self.kill()
            raise AssertionError(f"mosquitto does not accept connections on port {self.port}:\n{self.log()}")

    def stop(self) -> None:
        """End the process in an orderly way, its store written; does nothing when it is not running."""
        if self._process is not None:
            self._process.terminate()
            self.thaw()
            self._process.wait(STOP_S)
            self._process = None

    def kill(self) -> None:
        """End the process at once (SIGKILL), frozen or not; does nothing when it is not running."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(STOP_S)
            self._process = None

    def freeze(self) -> None:
        """Suspend the process: its connections stay open and silent. Returns once it stands still."""
        process = self._running()
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def thaw(self) -> None:
        """Let a suspended process go on."""
        self._running().send_signal(signal.SIGCONT)

    def log(self) -> str:
        """Return what the broker has written to its log so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "this broker is not running"
        return self._process

    def _accepts(self) -> bool:
        try:
            socket.create_connection((self.host, self.port), timeout=1).close()
        except OSError:
            return False
        return True
