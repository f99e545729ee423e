"""The labels of time on a row: wall clock, whether it was synchronised, monotonic clock."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

__all__ = ["Clock", "Reading", "SystemClock", "kernel_synchronised"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIME_ERROR = 5
_TIMEX_BYTES = 512
"""More than any Linux `struct timex`; zeros mean: change nothing."""
_RECHECK_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at the clock: `wall` in RFC 3339 UTC with microseconds, `mono_ns` in nanoseconds, `synced` or not."""

    wall: str
    mono_ns: int
    synced: bool


class Clock(Protocol):
    """Where rows get their time from; called in the writer thread."""

    def read(self) -> Reading:
        """The time now."""
        ...


class SystemClock:
    """The machine's clocks; `synchronised` is asked at most once a second whether the wall clock can be believed."""

    def __init__(self, synchronised: Callable[[], bool] | None = None) -> None:
        self._synchronised = synchronised or kernel_synchronised
        self._asked_ns: int | None = None
        self._synced = False
        self._second, self._text = -1, ""

    def read(self) -> Reading:
        """The time now."""
        mono_ns = time.monotonic_ns()
        if self._asked_ns is None or mono_ns - self._asked_ns >= _RECHECK_NS:
            self._asked_ns = mono_ns
            self._synced = self._synchronised()
        second, micros = divmod(time.time_ns() // 1000, 1_000_000)
        if second != self._second:
            self._second = second
            self._text = (_EPOCH + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S")
        return Reading(f"{self._text}.{micros:06d}Z", mono_ns, self._synced)


def kernel_synchronised() -> bool:
    """Whether the kernel holds its clock for synchronised (adjtimex(2)); False when it cannot be asked.

    chrony, ntpd and systemd-timesyncd all report to the kernel, so it is the one place that knows.
    """
    adjtimex = _adjtimex()
    return adjtimex is not None and 0 <= adjtimex() != _TIME_ERROR


@functools.cache
def _adjtimex() -> Callable[[], int] | None:
    """The system call that changes nothing; to look it up takes half as long as a commit does."""
    try:
        import ctypes

        call = ctypes.CDLL(None).adjtimex
    except (ImportError, OSError, AttributeError):
        return None
    timex = ctypes.c_char * _TIMEX_BYTES
    return lambda: int(call(timex()))
