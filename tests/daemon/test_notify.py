"""What a service manager hears, on a real datagram socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablectl.daemon.notify import Manager, Notifier, manager


@pytest.fixture(params=["file", "abstract"])
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A manager's socket, and what stands in NOTIFY_SOCKET for it."""
    name = f"@tablectl-test-{os.getpid()}" if request.param == "abstract" else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound:
        bound.bind(name.replace("@", "\0", 1))
        bound.settimeout(5)
        yield bound, name


def heard(bound: socket.socket) -> list[str]:
    bound.setblocking(False)
    messages = []
    while True:
        try:
            messages.append(bound.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_a_life_from_ready_to_stopping(listener: tuple[socket.socket, str]) -> None:
    bound, name = listener
    notifier = Notifier(manager({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "3000000"}, os.getpid()))
    assert notifier.watchdog_every_s == 1.5
    notifier.ready()
    notifier.status("round 1, OPEN: WAGERS")
    notifier.watchdog()
    notifier.stopping()
    notifier.close()
    assert heard(bound) == ["READY=1", "STATUS=round 1, OPEN: WAGERS", "WATCHDOG=1", "STOPPING=1"]


def test_a_status_is_one_line_and_said_once(listener: tuple[socket.socket, str]) -> None:
    bound, name = listener
    notifier = Notifier(manager({"NOTIFY_SOCKET": name}, 1))
    notifier.status("two\nSTOPPING=1\nlines")
    notifier.status("two STOPPING=1 lines")
    notifier.close()
    assert heard(bound) == ["STATUS=two STOPPING=1 lines"]


def test_without_a_watchdog_no_beat_is_sent(listener: tuple[socket.socket, str]) -> None:
    bound, name = listener
    notifier = Notifier(manager({"NOTIFY_SOCKET": name}, 1))
    assert notifier.watchdog_every_s is None
    notifier.watchdog()
    notifier.close()
    assert heard(bound) == []


def test_without_a_manager_nothing_happens() -> None:
    notifier = Notifier(manager({"WATCHDOG_USEC": "3000000"}, 1))
    notifier.ready()
    notifier.status("round 1")
    notifier.watchdog()
    notifier.stopping()
    assert notifier.watchdog_every_s is None


def test_the_environment_of_the_process_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "20000000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    assert Notifier().watchdog_every_s == 10


def test_a_manager_that_is_not_there_is_told_when_it_is(tmp_path: Path) -> None:
    notifier = Notifier(Manager(str(tmp_path / "notify"), 2.0))
    notifier.ready()
    notifier.watchdog()
    notifier.status("waiting")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound:
        bound.bind(str(tmp_path / "notify"))
        notifier.status("waiting")
        notifier.watchdog()
        assert heard(bound) == ["READY=1\nSTATUS=waiting", "WATCHDOG=1"]
    notifier.close()


def test_a_manager_that_takes_nothing_does_not_hold_the_table_up(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound:
        bound.bind(str(tmp_path / "notify"))
        notifier = Notifier(Manager(str(tmp_path / "notify"), 2.0))
        for _ in range(5000):  # far more than a socket's queue holds
            notifier.watchdog()
        notifier.stopping()
        assert set(heard(bound)) == {"WATCHDOG=1"}
        notifier.status("going")
        assert heard(bound) == ["STOPPING=1\nSTATUS=going"]
    notifier.close()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, Manager(None, None)),
        ({"NOTIFY_SOCKET": ""}, Manager(None, None)),
        ({"NOTIFY_SOCKET": "relative/path"}, Manager(None, None)),
        ({"NOTIFY_SOCKET": "@"}, Manager(None, None)),
        ({"NOTIFY_SOCKET": "@name"}, Manager("\0name", None)),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "500000"}, Manager("/run/notify", 0.5)),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "0"}, Manager("/run/notify", None)),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "-1"}, Manager("/run/notify", None)),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "soon"}, Manager("/run/notify", None)),
        (
            {"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "500000", "WATCHDOG_PID": "8"},
            Manager("/run/notify", None),
        ),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "500000", "WATCHDOG_PID": "7"}, Manager("/run/notify", 0.5)),
    ],
)
def test_what_the_environment_says(environment: dict[str, str], expected: Manager) -> None:
    assert manager(environment, 7) == expected
