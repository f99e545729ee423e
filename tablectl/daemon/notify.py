"""What the service manager is told: sd_notify(3) over its datagram socket, without its library.

Without a service manager nothing is sent and nothing fails. A message is never waited for: what the manager's socket
does not take at once is sent again with the next message, a status or a watchdog's beat excepted, which are soon out
of date.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

import structlog

__all__ = ["Manager", "Notifier", "manager"]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Manager:
    """The service manager as the environment names it.

    `address` is that of its socket, abstract ones beginning with NUL; None when there is none. `watchdog_s` is how long
    it waits for a beat before it takes the process for dead; None when it does not watch this process.
    """

    address: str | None
    watchdog_s: float | None


def manager(environment: Mapping[str, str], pid: int) -> Manager:
    """Read ``NOTIFY_SOCKET``, ``WATCHDOG_USEC`` and ``WATCHDOG_PID`` for the process `pid`; nonsense is unset."""
    path = environment.get("NOTIFY_SOCKET", "")
    address = path if path.startswith("/") else f"\0{path[1:]}" if path.startswith("@") and len(path) > 1 else None
    usec = environment.get("WATCHDOG_USEC", "")
    watched = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
    number = int(usec) if usec.isascii() and usec.isdecimal() else 0
    return Manager(address, number / 1e6 if address is not None and watched and number > 0 else None)


class Notifier:
    """Tells the service manager how the process is; each method returns at once, and never fails."""

    def __init__(self, told: Manager | None = None) -> None:
        """`told`: the manager, else the one that the environment names."""
        self._manager = manager(os.environ, os.getpid()) if told is None else told
        self._owed: list[str] = []
        self._status = ""
        self._socket: socket.socket | None = None
        self._complained = False

    @property
    def watchdog_every_s(self) -> float | None:
        """Seconds between two beats: half of what the manager waits; None when it does not watch."""
        return None if self._manager.watchdog_s is None else self._manager.watchdog_s / 2

    def ready(self) -> None:
        """The process serves."""
        self._send("READY=1", keep=True)

    def status(self, text: str) -> None:
        """One line for people, shown by ``systemctl status``; nothing is sent when it is the line that stands."""
        line = " ".join(text.split())
        if line != self._status and self._send(f"STATUS={line}"):
            self._status = line

    def watchdog(self) -> None:
        """The loop that runs the round is alive."""
        if self._manager.watchdog_s is not None:
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The process is on its way out."""
        self._send("STOPPING=1", keep=True)

    def close(self) -> None:
        """Let go of the socket; a later message opens it again."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, message: str, *, keep: bool = False) -> bool:
        """Whether the manager has it; with `keep` it is owed otherwise."""
        if self._manager.address is None:
            return False
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            # One datagram may hold several lines.
            self._socket.sendto("\n".join([*self._owed, message]).encode(), self._manager.address)
        except OSError as error:
            if keep:
                self._owed.append(message)
            if not self._complained:
                self._complained = True
                log.warning("service_manager_not_told", message=message, error=error.strerror or str(error))
            return False
        self._owed.clear()
        self._complained = False
        return True
