"""JSON Schemas (2020-12) and an AsyncAPI 3.0 document of everything published, generated from the models."""

from __future__ import annotations

import functools
import operator
import typing
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field
from pydantic.json_schema import models_json_schema

from tablectl import __version__
from tablectl.surveillance.models import (
    CONTENT_TYPE,
    ENVELOPES,
    DeviceStatus,
    Envelope,
    JackpotStatus,
    JournalHead,
    MeterStatus,
    Number,
    Published,
    Status,
    TableState,
    Training,
    event_type,
)

__all__ = ["RETAINED", "RoundRecord", "asyncapi", "json_schemas"]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_BASE: Final = "{prefix}/{site}/{pit}/{table}"

if typing.TYPE_CHECKING:
    AnyEvent: typing.TypeAlias = Envelope
else:
    AnyEvent = Annotated[functools.reduce(operator.or_, ENVELOPES.values()), Field(discriminator="type")]


class RoundRecord(Published):
    """Topics ``ring/0`` … : all events from the end of one round to the end of the next, for filling gaps.

    `events` are the envelopes as they were sent, `first` to `last` by sequence. A run of
    events too long for one message is cut; then `round` is None in all parts but the last.
    """

    first: Number
    last: Number
    round: Number | None
    training: Training = False
    events: tuple[AnyEvent, ...]


RETAINED: Final[dict[str, type[BaseModel]]] = {
    "status": Status,
    "state": TableState,
    "device/{device}": DeviceStatus,
    "meter": MeterStatus,
    "jackpot/{jackpot}": JackpotStatus,
    "head": JournalHead,
    "ring/{slot}": RoundRecord,
}
"""Topics of the retained documents below the table's own, with what is in them."""

_PARAMETERS: Final = {
    "prefix": "Where the topics of all tables begin on this broker; may have several levels or be left out.",
    "site": "The casino.",
    "pit": "The pit.",
    "table": "The table's id.",
    "device": "The device's id in the table's configuration.",
    "jackpot": "bad_beat or high_hand.",
    "slot": "Place in the ring, from 0; the documents are ordered by their sequences, not by their places.",
}


def json_schemas() -> dict[str, dict[str, Any]]:
    """One complete schema for each event type (``tablectl.round.card``) and each retained document (``status`` …)."""
    named: dict[str, type[BaseModel]] = {event_type(cls): model for cls, model in ENVELOPES.items()}
    named |= {topic.partition("/")[0]: model for topic, model in RETAINED.items()}
    return {
        name: {"$schema": _DIALECT, "$id": f"{name}.json", **model.model_json_schema(mode="serialization")}
        for name, model in sorted(named.items())
    }


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI document: every topic that a table publishes to, with its messages."""
    models: list[type[BaseModel]] = [*ENVELOPES.values(), *RETAINED.values()]
    _, schemas = models_json_schema(
        [(model, "serialization") for model in models], ref_template="#/components/schemas/{model}"
    )
    channels, operations, messages = {}, {}, {}
    for address, model, retained in _topics():
        name = model.__name__
        channels[name] = _channel(address, name, model)
        operations[f"publish{name}"] = {
            "action": "send",
            "channel": {"$ref": f"#/channels/{name}"},
            "messages": [{"$ref": f"#/channels/{name}/messages/{name}"}],
            "bindings": {"mqtt": {"qos": 1, "retain": retained, "bindingVersion": "0.2.0"}},
        }
        messages[name] = {
            "name": name,
            "title": _summary(model),
            "contentType": "application/json" if retained else CONTENT_TYPE,
            "payload": {"$ref": f"#/components/schemas/{name}"},
        }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "tablectl",
            "version": __version__,
            "description": "What one dealer table tells surveillance. It only publishes, it subscribes to nothing.",
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schemas["$defs"]},
    }


def _topics() -> list[tuple[str, type[BaseModel], bool]]:
    events: list[tuple[str, type[BaseModel], bool]] = [
        (f"event/{cls.name.replace('.', '/')}", model, False) for cls, model in ENVELOPES.items()
    ]
    return [*events, *((topic, model, True) for topic, model in RETAINED.items())]


def _channel(topic: str, name: str, model: type[BaseModel]) -> dict[str, Any]:
    address = f"{_BASE}/{topic}"
    return {
        "address": address,
        "description": _summary(model),
        "parameters": {key: {"description": text} for key, text in _PARAMETERS.items() if f"{{{key}}}" in address},
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
    }


def _summary(model: type[BaseModel]) -> str:
    return (model.__doc__ or model.__name__).partition("\n")[0]
