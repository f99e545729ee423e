"""What leaves the table and where to: topics, event rows made into messages, and the ring of the last rounds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec
from pydantic import ValidationError

from tablectl.errors import DecodeError, Misuse
from tablectl.events import RoundClosed
from tablectl.journal import Row
from tablectl.records import frozen
from tablectl.surveillance.models import ENVELOPES, JournalHead, event_class, event_data, to_json

__all__ = ["EventMessage", "Place", "Ring", "event_message", "head_document"]

_LEVEL: Final = re.compile(r"[^\x00-\x1f/+#$][^\x00-\x1f/+#]*")


@dataclass(frozen=True, slots=True)
class Place:
    """Which table this is, and where on the broker its topics begin; `Misuse` for a name that a topic cannot have.

    `prefix` may have several levels (``casino/floor``) or none, the others are one level each. A table in `training` is
    another source, and its topics are apart from those of real play.
    """

    prefix: str
    site: str
    pit: str
    table: str
    training: bool = False
    source: str = field(init=False, repr=False, compare=False)
    """The CloudEvents source of this table."""
    _ids: str = field(init=False, repr=False, compare=False)
    _topics: dict[str, str] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        levels = [("prefix", level) for level in self.prefix.split("/")] if self.prefix else []
        for key, level in [*levels, ("site", self.site), ("pit", self.pit), ("table", self.table)]:
            if not _LEVEL.fullmatch(level):
                raise Misuse(
                    f"{key} {getattr(self, key)!r} cannot be part of an MQTT topic. Expected text without / + # and "
                    "control characters that does not begin with $, in each level."
                )
        # Made once, as every event needs them.
        training = "/training" if self.training else ""
        object.__setattr__(self, "source", f"/{self.site}/{self.pit}/{self.table}{training}")
        object.__setattr__(self, "_ids", f"{self.table}{training}/")

    def id(self, seq: int) -> str:
        """The id of the event in that row of the journal."""
        return f"{self._ids}{seq}"

    def topic(self, rest: str) -> str:
        """The topic of this table that ends with `rest`."""
        apart = "training" if self.training else ""
        prefix = "-".join(part for part in (self.prefix, apart) if part)
        return "/".join([*([prefix] if prefix else []), self.site, self.pit, self.table, rest])

    def event_topic(self, name: str) -> str:
        """The topic of the events of that name: ``round.card`` is published under ``…/event/round/card``."""
        topic = self._topics.get(name)
        if topic is None:
            topic = self._topics[name] = self.topic(f"event/{name.replace('.', '/')}")
        return topic


@frozen
class EventMessage:
    """One event as it is sent: `seq` is its row, `sequence` counts events; `closes` is the round that ends with it."""

    seq: int
    sequence: int
    topic: str
    payload: bytes
    closes: int | None


def event_message(place: Place, row: Row) -> EventMessage:
    """The message of an event row; `DecodeError` when its body is not that of an event.

    Works from the body alone. Identities of face-down cards are not in it, so no message can hold one.
    """
    try:
        if not (row.body.startswith("{") and row.body.endswith("}")):
            raise DecodeError("there is something before or after it")
        body = _parsed(row.body.encode())
        fields = body.pop("event")
        cls = event_class(fields.pop("$"))
        if cls is None:
            raise DecodeError("the class of the event is unknown")
        attributes = {
            "id": place.id(row.seq),
            "source": place.source,
            "time": row.wall,
            "sequence": body.pop("sequence"),
            "boot": row.boot,
            "synced": row.synced,
            "training": place.training,
            "data": event_data(cls, fields),
        }
        if body:
            raise DecodeError(f"the keys {sorted(body)} are not expected")
        payload = to_json(ENVELOPES[cls].__pydantic_validator__.validate_python(attributes))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, DecodeError) as exc:
        raise DecodeError(f"Journal row {row.seq} is not an event that this program knows: {_reason(exc)}.") from exc
    closes = fields["round"] if cls is RoundClosed else None
    return EventMessage(row.seq, attributes["sequence"], place.event_topic(cls.name), payload, closes)


_parsed: Final = msgspec.json.Decoder().decode


def head_document(row: Row, *, training: bool = False) -> JournalHead:
    """What is published of a head row: its own number and hash."""
    return JournalHead(seq=row.seq, hash=row.hash, boot=row.boot, time=row.wall, training=training)


def _reason(exc: Exception) -> str:
    """Where and why, never the value: whatever stands there does not belong into a log."""
    if isinstance(exc, ValidationError):
        problems = exc.errors(include_url=False, include_context=False, include_input=False)
        return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in problems)
    return str(exc) if isinstance(exc, DecodeError) else type(exc).__name__


class Ring:
    """The events of the last rounds in documents for retained messages: each event is in exactly one *part*.

    A part reaches from the end of one round to the end of the next, and is cut earlier when it grows beyond
    `most_bytes` or the sequence has a gap. The last `slots` parts, the growing one among them, stand in the slots 0 to
    `slots` - 1 and are replaced in turn.
    """

    def __init__(self, slots: int, most_bytes: int = 128 * 1024, *, training: bool = False) -> None:
        self.slots = slots
        self._training = json.dumps(training)
        self._most_bytes = most_bytes
        self._parts: dict[int, _Part] = {}
        self._slot = 0
        self._last = 0

    def add(self, message: EventMessage) -> int | None:
        """Take in the next event; the slot that is complete with it, if any. One that is known already is ignored."""
        if message.sequence <= self._last:
            return None
        part = self._parts.get(self._slot)
        if part is not None and not part.complete and message.sequence != self._last + 1:
            self._turn()
            part = None
        if part is None or part.complete:
            part = self._parts[self._slot] = _Part(message.sequence, [], 0, None)
        self._last = message.sequence
        part.payloads.append(message.payload)
        part.size += len(message.payload)
        part.round = message.closes
        if message.closes is None and part.size < self._most_bytes:
            return None
        return self._turn()

    def _turn(self) -> int:
        slot, self._slot = self._slot, (self._slot + 1) % self.slots
        self._parts[slot].complete = True
        return slot

    @property
    def growing(self) -> int | None:
        """The slot whose part is not complete and has something in it."""
        part = self._parts.get(self._slot)
        return None if part is None or part.complete else self._slot

    def __iter__(self) -> Iterator[int]:
        """The slots that hold something."""
        return iter(sorted(self._parts))

    def document(self, slot: int) -> bytes:
        """The document of that slot, in the form of `RoundRecord`."""
        part = self._parts[slot]
        last = part.first + len(part.payloads) - 1
        number = "null" if part.round is None else str(part.round)
        # The events are JSON already: put together, not encoded again.
        head = f'{{"first":{part.first},"last":{last},"round":{number},"training":{self._training},"events":['
        return b"".join((head.encode(), b",".join(part.payloads), b"]}"))


@dataclass(slots=True)
class _Part:
    first: int
    payloads: list[bytes]
    size: int
    round: int | None
    complete: bool = False
