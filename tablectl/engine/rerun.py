"""A core that is given journaled inputs again, and the journal's rows held against what comes out of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tablectl import events as e
from tablectl.engine.core import Core
from tablectl.engine.inputs import CommandFailed, DaemonStarted, Input, RoundFound, TimerExpired
from tablectl.engine.rows import entry, plain, read_body
from tablectl.equipment import Message
from tablectl.errors import RecoveryRefused
from tablectl.journal import Entry, Row, RowKind

__all__ = ["JournaledClock", "Rerun", "is_lifecycle", "read_input", "same"]

_LIFECYCLE: Final = (e.AlarmRaised, e.TableStarted, e.TableStopped, e.ClockStepped)
_InputMessage = Message | DaemonStarted | TimerExpired | CommandFailed | RoundFound


class Rerun:
    """Takes the rows that follow a snapshot, in order; the core must have been made from that snapshot, not begun."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._begun = False
        self._expected: deque[Entry] = deque()

    def take(self, row: Row) -> None:
        """Go on to the next row; `RecoveryRefused` when it would not come again, or not like this."""
        if row.kind is RowKind.HEAD:
            return
        if is_lifecycle(row):
            self.core.event(read_body(row, event=e.Event)["event"])
        if not self._begun:  # a round that a start found unbegun has that start's own event before its first step
            self._begun = True
            self.core.resume()
        if row.kind is RowKind.INTENT:
            self._intend(row)
            return
        if row.kind is RowKind.INPUT:
            self.core.take(read_input(row))
        self._expected += self.core.drain()
        if not self._expected:
            raise RecoveryRefused(f"row {row.seq} ({row.kind}) is in the journal, and would not come again")
        same(row, self._expected.popleft())

    @property
    def beyond(self) -> Sequence[Entry]:
        """What would come next without any further input, and has not been met in the rows."""
        return tuple(self._expected)

    def _intend(self, row: Row) -> None:
        self._expected += self.core.drain()
        wanted = self.core.wanted
        if wanted is None:
            raise RecoveryRefused(f"row {row.seq} is an intent where none would be written")
        body = plain(row)[2]
        again = plain(entry(RowKind.INTENT, None, device=wanted.device, boot=wanted.boot, command=wanted.command))[2]
        if body != again:
            raise RecoveryRefused(f"row {row.seq}: the intent differs: journaled {body}, now {again}")
        self.core.intended(row.seq, body["boot"])


class JournaledClock:
    """Gives the times in those rows first, in order, then those of `now`."""

    def __init__(self, rows: Iterable[Row], now: Callable[[], int]) -> None:
        results = (plain(row)[2] for row in rows if row.kind is RowKind.RESULT)
        self._times = deque(body["result"] for body in results if body["instruction"] == {"$": "Now"})
        self._now = now

    def __call__(self) -> int:
        """Whole seconds since the epoch."""
        return self._times.popleft() if self._times else self._now()


def read_input(row: Row) -> Input:
    """The input that a row holds; `DecodeError` where it is none that this program knows."""
    given = read_body(row, device=str, boot=str, number=int, message=_InputMessage)
    return Input(given["device"], given["message"], given["boot"], given["number"])


def is_lifecycle(row: Row) -> bool:
    """Whether the row says that the daemon started or stopped: it comes from outside the round."""
    if row.kind is not RowKind.EVENT or row.step is not None:
        return False
    return plain(row)[2]["event"]["$"] in {event.__name__ for event in _LIFECYCLE}


def same(row: Row, again: Entry) -> None:
    """`RecoveryRefused` unless both say the same; where only face-down cards differ, it does not say which."""
    journaled, now = plain(row), plain(again)
    if journaled == now:
        return
    place = next((n for n in range(3) if journaled[n] != now[n]), None)
    if place is None:  # only the face-down cards differ: their identities are in no message
        raise RecoveryRefused(f"row {row.seq} ({row.kind}, step {row.step}): other face-down cards")
    raise RecoveryRefused(
        f"row {row.seq} ({row.kind}, step {row.step}) differs: journaled {journaled[place]}, now {now[place]}"
    )
