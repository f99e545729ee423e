"""The published documents: one CloudEvents envelope for each class of event, and the retained documents.

Events are CloudEvents 1.0 in the JSON format, mode *structured*. Attributes beside the standard ones: `sequence` counts
the events of a table without gaps from 1, `boot` names the start of the daemon that recorded the event, `synced` says
whether its wall clock could be believed then. Money is dollars with two decimals, a card ``As``, a position ``seat 3``.

The data models are made from the dataclasses of `tablectl.events`, each when it is asked for first, so that an event
without a model cannot exist; a field whose type has no published form (above all a face-down card) is refused then.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, StrEnum
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, create_model

from tablectl import events
from tablectl.cards import Card, Position
from tablectl.equipment import Fault, Kind, Lamp, Mode
from tablectl.events import Event
from tablectl.money import Money, Odds, show

__all__ = [
    "CONTENT_TYPE",
    "ENVELOPES",
    "Deck",
    "DeckQuestion",
    "DeviceStatus",
    "Envelope",
    "Gap",
    "JackpotStatus",
    "JournalHead",
    "Latch",
    "MeterStatus",
    "Number",
    "Presence",
    "Published",
    "StandingFault",
    "Status",
    "StatusReason",
    "Stopped",
    "Stranger",
    "TableState",
    "Training",
    "event_class",
    "event_data",
    "event_type",
    "to_json",
]

CONTENT_TYPE: Final = "application/cloudevents+json"

Dollars = Annotated[str, StringConstraints(pattern=r"^-?[0-9]{1,12}\.[0-9]{2}$")]
CardText = Annotated[str, StringConstraints(pattern=r"^([2-9TJQKA][cdhs]|Xj)$")]
PositionText = Annotated[str, StringConstraints(pattern=r"^(dealer|community|burn|rack|seat ([1-9]|10)|stack [1-7])$")]
OddsText = Annotated[str, StringConstraints(pattern=r"^[0-9]+(:| for )[0-9]+$")]
Timestamp = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$")
]
UsbIds = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{4}:[0-9a-f]{4}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]


class Published(BaseModel):
    """Base of everything that is published: no other keys than the ones named."""

    # Everything is always sent, what has a default as well.
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, json_schema_serialization_defaults_required=True
    )


Training = Annotated[bool, Field(description="True: the table is in training, and nothing of this is real play.")]


class Envelope(Published):
    """One event at the table."""

    specversion: Literal["1.0"] = "1.0"
    id: Annotated[str, Field(description="TABLE/SEQ, the journal's row: the same event always has the same id.")]
    source: Annotated[str, Field(description="/SITE/PIT/TABLE")]
    type: str
    time: Annotated[Timestamp, Field(description="Wall clock of the table, UTC: a label; the order is the sequence.")]
    datacontenttype: Literal["application/json"] = "application/json"
    sequence: Annotated[Number, Field(description="Counts the events of this table, without gaps, from 1.")]
    boot: Annotated[str, Field(description="Which start of the daemon recorded the event.")]
    synced: Annotated[bool, Field(description="Whether the wall clock was synchronised at that time.")]
    training: Training = False


def to_json(document: Published) -> bytes:
    """The document as it is sent: UTF-8 JSON."""
    return document.__pydantic_serializer__.to_json(document)


# Retained documents ----------------------------------------------------------------------------------------------


class Presence(StrEnum):
    """Whether a daemon is there for the table."""

    ONLINE = "online"
    OFFLINE = "offline"


class StatusReason(StrEnum):
    """Why a daemon is there or not: `LOST` is what the broker says by itself when the daemon has gone silent."""

    CONNECTED = "connected"
    STOPPED = "stopped"
    LOST = "lost"


class Status(Published):
    """Topic ``status``: is anybody publishing for this table, and since which start of the daemon.

    While it says offline, every other retained document of the table is what was last known, not what is.
    """

    status: Presence
    reason: StatusReason
    boot: str
    training: Training = False


class Latch(Published):
    """One fault that a person has to clear."""

    device: str
    fault: Fault
    message: str
    since: Timestamp


class Stranger(Published):
    """One USB device that is plugged in and that nobody has allowed; serial number and name are its own words."""

    port: Annotated[str, Field(description="The kernel's name of the socket, such as 1-2.3.")]
    ids: UsbIds
    serial: str | None
    name: str
    since: Timestamp


class Stopped(Published):
    """Why play stands still until somebody comes, since when, and by whose order.

    `cause`: ``emergency``, ``dispute``, ``equipment`` or ``other`` by a floorperson's order; ``fault``: one is latched;
    ``played_without``: rounds were played without the controller, and nobody has answered for them yet;
    ``cannot_resume``: a round is to be voided; ``notice``: limits, rules or game have changed.
    """

    cause: str
    by: Annotated[str, Field(description="A floorperson's credential; empty where nobody has ordered it.")]
    since: Timestamp


class Gap(Published):
    """Rounds of this gaming day that were played without the controller, and why."""

    rounds: Count
    reason: str
    credential: str


class Deck(Published):
    """One deck, or batch of decks, at the table; `change_at` is when it has to be changed at the latest.

    It is null where the chapter has no such time.
    """

    id: str
    back: Annotated[str, Field(description="The colour of its backs; empty where nobody has said so.")]
    in_play: bool
    in_shuffler: bool
    since: Timestamp
    change_at: Timestamp | None
    change_near: Annotated[bool, Field(description="Whether the panel has warned of that.")]
    verified: Annotated[Timestamp | None, Field(description="When a person last verified the whole of it.")]


class DeckQuestion(Published):
    """A doubt about a deck: no round begins before a floorperson has cleared it."""

    deck: str
    what: str
    detail: str
    since: Timestamp


class StandingFault(Published):
    """A device that the game cannot do without: no round begins before it is repaired or replaced."""

    device: str
    fault: str


class TableState(Published):
    """Topic ``state``: the table now, for a supervisor's screen. Nothing of a card that nobody has seen is in it."""

    boot: str
    game: str
    round: Number | None
    stage: str
    prompt: Annotated[str, Field(max_length=40, description="The line on the dealer's panel.")]
    keys: Annotated[tuple[str, ...], Field(description="Buttons that count now.")]
    latches: tuple[Latch, ...]
    connected: Annotated[tuple[str, ...], Field(description="Ids of the devices that are there.")]
    missing: Annotated[tuple[str, ...], Field(description="Ids of the devices that should be there and are not.")]
    sequence: Annotated[Count, Field(description="Sequence of the last event at that time; 0 before the first one.")]
    strangers: Annotated[
        tuple[Stranger, ...] | None,
        Field(description="USB devices that nobody has allowed; null where nobody watches, or cannot."),
    ] = None
    open: Annotated[bool, Field(description="Whether the table is open for gaming.")] = False
    day: Annotated[Count, Field(description="The gaming day, counted from 1.")] = 0
    dealer: Annotated[str, Field(description="The dealer's credential; empty where nobody has said so.")] = ""
    barred: Annotated[
        tuple[Number, ...], Field(description="Seats that may not wager before the cards are reshuffled.")
    ] = ()
    stopped: Stopped | None = None
    gaps: tuple[Gap, ...] = ()
    decks: tuple[Deck, ...] = ()
    questions: Annotated[tuple[DeckQuestion, ...], Field(description="What is open, the oldest first.")] = ()
    standing: tuple[StandingFault, ...] = ()
    training: Training = False


class DeviceStatus(Published):
    """Topic ``device/ID``: what a device last said of itself, and how well its line works."""

    id: str
    kind: Kind
    connected: bool
    model: str | None
    serial: str | None
    firmware: str | None
    mode: Mode
    lamp: Lamp
    blinking: bool
    cards_inside: Count | None
    tamper: bool
    fault: Fault | None
    retransmits: Count
    bad_frames: Count
    round_trip_ms: Annotated[float, Field(ge=0)] | None
    training: Training = False


class MeterStatus(Published):
    """Topic ``meter``: the progressive's meter by our own books, which are held against the system's every round.

    All but `display` and `barred` are null where the system keeps no accounts. `seed` and `wagered` times both rates,
    which are parts of a million, are exactly `display`, `reserve`, `overflow`, `wins` and `lowered`; each is told
    rounded down to the cent.
    """

    boot: str
    display: Annotated[Dollars | None, Field(description="What it shows; null before that is known.")]
    barred: Annotated[
        str,
        Field(description="Why no progressive wagers are taken until two persons have put it right; empty: they are."),
    ]
    base: Dollars | None
    reset: Dollars | None
    limit: Dollars | None
    increment_ppm: Count | None
    hidden_ppm: Count | None
    wagered: Dollars | None
    hits: Count | None
    wins: Dollars | None
    overflow: Dollars | None
    reserve: Dollars | None
    seed: Dollars | None
    lowered: Dollars | None
    training: Training = False


class JackpotStatus(Published):
    """Topic ``jackpot/KIND``: the Bad Beat or the High Hand Jackpot, for the sign at the table and for surveillance.

    `display` changes only when it is adjusted; while it is `pending` it was won and is about to be. `box` and `sent`
    (to the cage) are of this table, `fund` is what the finance department was last known to maintain, `owed` what was
    won here and is not paid yet.
    """

    boot: str
    jackpot: str
    display: Dollars
    pending: bool
    ended: Annotated[bool, Field(description="Contributions were terminated.")]
    box: Dollars
    sent: Dollars
    fund: Dollars
    owed: Dollars
    period: Annotated[Count, Field(description="Number of the qualifying period; 0 where there is none.")]
    period_ends: Timestamp | None
    to_beat: Annotated[str, Field(description="The highest hand of the period at this table, empty for none.")]
    training: Training = False


class JournalHead(Published):
    """Topic ``head``: number and hash of a row of the journal; who keeps them can prove a journal cut or altered."""

    seq: Count
    hash: Digest
    boot: str
    time: Timestamp
    training: Training = False


# Events ----------------------------------------------------------------------------------------------------------


def event_type(cls: type[Event]) -> str:
    """The CloudEvents type of a class of events."""
    return f"tablectl.{cls.name}"


def event_class(name: str) -> type[Event] | None:
    """The class of events with that name of a class, as a journal body has it under ``"$"``."""
    return _BY_NAME.get(name)


def event_data(cls: type[Event], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The data of an event in published form, out of its fields as `tablectl.records` encodes them.

    Only what the two forms write differently is changed; the model checks the rest.
    """
    data = dict(fields)
    for name, change in _CHANGED[cls].items():
        if name in data:
            data[name] = change(data[name])
    return data


_Change = Callable[[Any], Any]
"""Encoded to published form; None stays None, as the model knows where it may stand."""
_PUBLISHED: Final[dict[Any, Any]] = {
    Money: Dollars,
    Card: CardText,
    Position: PositionText,
    Odds: OddsText,
    int: int,
    str: str,
    bool: bool,
}


def _form(hint: Any) -> tuple[Any, _Change | None]:
    """The published type for a field's type, and what makes it of the encoded form (None: nothing is to be done)."""
    if hint in _PUBLISHED:
        return _PUBLISHED[hint], _dollars if hint is Money else None
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Annotated[hint, Field(strict=False)], None  # its value will do
    origin, members = get_origin(hint), get_args(hint)
    if origin in (typing.Union, types.UnionType) and len(members) == 2 and type(None) in members:
        inner, change = _form(next(member for member in members if member is not type(None)))
        return inner | None, change
    if origin is tuple and len(members) == 2 and members[1] is Ellipsis:
        inner, change = _form(members[0])
        listed: Any = tuple[inner, ...]  # type: ignore[valid-type]
        # A list will do for it.
        return Annotated[listed, Field(strict=False)], None if change is None else functools.partial(_each, change)
    raise TypeError(f"{hint!r} has no published form")


def _each(change: _Change, values: Any) -> Any:
    if values is None:
        return None
    if not isinstance(values, list):
        raise TypeError(f"{values!r} is not a list")
    return tuple(map(change, values))


def _dollars(cents: Any) -> str | None:
    if cents is None:
        return None
    if type(cents) is not int:
        raise TypeError(f"{cents!r} is not an amount in cents")
    return show(Money(cents))


class _Envelopes(Mapping[type[Event], type[Envelope]]):
    """The models by class; a model takes milliseconds to make, which all at once would keep a table from starting."""

    def __init__(self) -> None:
        self._classes = [
            value
            for value in vars(events).values()
            if isinstance(value, type) and issubclass(value, Event) and value is not Event
        ]
        self._made: dict[type[Event], type[Envelope]] = {}

    def __getitem__(self, cls: type[Event]) -> type[Envelope]:
        made = self._made.get(cls)
        if made is None:
            if cls not in self._classes:
                raise KeyError(cls)
            made = self._made[cls] = _envelope(cls)
        return made

    def __iter__(self) -> Iterator[type[Event]]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


def _envelope(cls: type[Event]) -> type[Envelope]:
    fields: dict[str, Any] = {name: (_form(hint)[0], ...) for name, hint in _hints(cls).items()}
    data = create_model(cls.__name__, __base__=Published, __module__=__name__, __doc__=cls.__doc__, **fields)
    named: dict[str, Any] = {"type": (Literal[event_type(cls)], event_type(cls)), "data": (data, ...)}
    name = f"{cls.__name__}Event"
    return create_model(name, __base__=Envelope, __module__=__name__, __doc__=cls.__doc__, **named)


class _Changes(dict[type[Event], dict[str, _Change]]):
    """For each class that was asked for, the fields that the two forms write differently."""

    def __missing__(self, cls: type[Event]) -> dict[str, _Change]:
        forms = {name: _form(hint)[1] for name, hint in _hints(cls).items()}
        made = self[cls] = {name: change for name, change in forms.items() if change is not None}
        return made


def _hints(cls: type[Event]) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}  # type: ignore[arg-type]


ENVELOPES: Final[Mapping[type[Event], type[Envelope]]] = _Envelopes()
"""The model of each class of event: the catalogue of what can be published about a round."""

_BY_NAME: Final = {cls.__name__: cls for cls in ENVELOPES}
_CHANGED: Final = _Changes()
