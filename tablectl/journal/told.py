"""Event rows read back as events, for folds over a whole journal: only what was told, never results or secrets."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from tablectl import events
from tablectl.errors import DecodeError
from tablectl.events import Event
from tablectl.journal.rows import Row
from tablectl.records import decode

__all__ = ["Stamp", "Told", "Unread", "told"]


@dataclass(frozen=True, slots=True)
class Stamp:
    """When an event was recorded: its `sequence`, and what the clocks said. `wall` is RFC 3339 in UTC."""

    sequence: int
    wall: str
    synced: bool
    boot: str
    mono_ns: int

    @property
    def date(self) -> str:
        """The date in UTC, ``2026-01-31``."""
        return self.wall[:10]

    def seconds_until(self, other: Stamp) -> int:
        """Whole seconds from here to there: by the monotonic clock while the daemon ran through, else by the wall."""
        if self.boot == other.boot and other.mono_ns >= self.mono_ns > 0:
            return (other.mono_ns - self.mono_ns) // 1_000_000_000
        try:
            return int((datetime.fromisoformat(other.wall) - datetime.fromisoformat(self.wall)).total_seconds())
        except ValueError:  # a journal made by hand has no times
            return 0


@dataclass(frozen=True, slots=True)
class Unread:
    """An event that this program does not know, or (`reason`) knows in another form: its class and fields as stored."""

    kind: str
    fields: Mapping[str, Any]
    reason: str = ""

    @property
    def name(self) -> str:
        """The class stands in for the name, which is not stored."""
        return self.kind


@dataclass(frozen=True, slots=True)
class Told:
    """One event as it stands in the journal: number of its row, when, and what."""

    row: int
    at: Stamp
    event: Event | Unread


def told(rows: Iterable[Row]) -> Iterator[Told]:
    """The events of these event rows, in order.

    A field that this program does not know is left out, one that the row lacks has its default: an event's meaning
    never changes between versions, but events grow.
    """
    for row in rows:
        body = json.loads(row.body)
        at = Stamp(body["sequence"], row.wall, row.synced, row.boot, row.mono_ns)
        yield Told(row.seq, at, _event(body["event"]))


_KNOWN: Final = {
    kind.__name__: kind
    for kind in (getattr(events, name) for name in events.__all__)
    if isinstance(kind, type) and issubclass(kind, Event)
}
_FIELDS: Final[dict[str, list[tuple[str, Any, frozenset[type]]]]] = {}


def _event(data: Mapping[str, Any]) -> Event | Unread:
    kind = data["$"]
    known = _KNOWN.get(kind)
    if known is None:
        return Unread(kind, data)
    if kind not in _FIELDS:
        hints = typing.get_type_hints(known)
        _FIELDS[kind] = [(name, hint, _as_they_are(hint)) for name, hint in hints.items() if name != "name"]
    try:
        return known(
            **{
                name: data[name] if type(data[name]) in plain else decode(hint, data[name])
                for name, hint, plain in _FIELDS[kind]
                if name in data
            }
        )
    except (DecodeError, TypeError) as error:
        return Unread(kind, data, str(error))


def _as_they_are(hint: Any) -> frozenset[type]:
    """Types of JSON values that are a field's value as they are, which spares most of the decoding."""
    members = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    plain = (getattr(member, "__supertype__", member) for member in members)
    return frozenset(each for each in plain if each in (int, str, bool, types.NoneType))
