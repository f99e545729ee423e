"""The schemas take what is published and refuse what is not; checked by a small reader of JSON Schema of our own."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tablectl.cards import seat
from tablectl.events import CardDealt
from tablectl.surveillance import models
from tablectl.surveillance.models import ENVELOPES, JournalHead, event_type
from tablectl.surveillance.schema import RETAINED, RoundRecord, asyncapi, json_schemas
from tests.surveillance.test_models import EXAMPLES, envelope
from tests.surveillance.test_publisher import SHOE, state

SILENT = {"title", "description", "default", "$defs", "$schema", "$id", "discriminator"}


LIMITS: dict[str, Callable[[Any, Any], bool]] = {
    "const": operator.eq,
    "enum": lambda value, wanted: value in wanted,
    "pattern": lambda value, wanted: re.search(wanted, value) is not None,
    "minimum": operator.ge,
    "maxLength": lambda value, wanted: len(value) <= wanted,
}


def kind(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", int: "integer", float: "number", bool: "boolean"}
    return names.get(type(value), "null")


def problems(schema: Any, value: Any, root: Any, at: str = "") -> Iterator[str]:
    """What the value does against the schema; an `AssertionError` for a keyword that this does not know."""
    wanted_type = schema.get("type", kind(value))
    if kind(value) != wanted_type and (kind(value), wanted_type) != ("integer", "number"):
        yield f"{at} is no {wanted_type}"
        return
    for keyword, wanted in schema.items():
        match keyword:
            case "$ref":
                target = root
                for part in wanted.removeprefix("#/").split("/"):
                    target = target[part]
                yield from problems(target, value, root, at)
            case "properties":
                for key, inner in wanted.items():
                    if key in value:
                        yield from problems(inner, value[key], root, f"{at}/{key}")
            case "additionalProperties":
                assert wanted is False
                yield from (f"{at}/{key} is unknown" for key in set(value) - set(schema["properties"]))
            case "required":
                yield from (f"{at}/{key} is missing" for key in wanted if key not in value)
            case "items":
                for number, item in enumerate(value):
                    yield from problems(wanted, item, root, f"{at}/{number}")
            case "anyOf" | "oneOf":
                fitting = sum(not list(problems(each, value, root, at)) for each in wanted)
                if fitting == 0 or (keyword == "oneOf" and fitting > 1):
                    yield f"{at} fits {fitting} of the choices"
            case "const" | "enum" | "pattern" | "minimum" | "maxLength":
                if not LIMITS[keyword](value, wanted):
                    yield f"{at} breaks {keyword} {wanted}"
            case _:
                assert keyword in SILENT | {"type"}, keyword


SCHEMAS = json_schemas()
DOCUMENTS: dict[str, models.Published] = {
    "status": models.Status(status=models.Presence.ONLINE, reason=models.StatusReason.CONNECTED, boot="b"),
    "state": state(3),
    "device": SHOE,
    "meter": models.MeterStatus(
        boot="b",
        display="10000.20",
        barred="",
        base="10000.00",
        reset="10000.00",
        limit=None,
        increment_ppm=200_000,
        hidden_ppm=50_000,
        wagered="1.00",
        hits=0,
        wins="0.00",
        overflow="0.00",
        reserve="0.05",
        seed="10000.00",
        lowered="0.00",
    ),
    "jackpot": models.JackpotStatus(
        boot="b",
        jackpot="high_hand",
        display="250.00",
        pending=False,
        ended=False,
        box="3.00",
        sent="0.00",
        fund="250.00",
        owed="0.00",
        period=4,
        period_ends="2026-11-29T21:00:00.000000Z",
        to_beat="full_house K Q",
    ),
    "head": JournalHead(seq=1, hash="ab" * 32, boot="b", time="2026-11-29T20:00:00.000001Z"),
    "ring": RoundRecord(first=1, last=2, round=None, events=(envelope(EXAMPLES[0][0]), envelope(EXAMPLES[1][0], 2))),
}


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_events_are_as_their_schemas_say(number: int) -> None:
    event, _ = EXAMPLES[number]
    schema = SCHEMAS[event_type(type(event))]
    document = json.loads(models.to_json(envelope(event)))
    assert list(problems(schema, document, schema)) == []
    for key in list(document["data"]):
        broken = json.loads(json.dumps(document))
        broken["data"][key] = {"$": "FaceDown"}
        assert list(problems(schema, broken, schema)), f"{key} takes anything"


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_retained_documents_are_as_their_schemas_say(name: str) -> None:
    document = json.loads(models.to_json(DOCUMENTS[name]))
    assert list(problems(SCHEMAS[name], document, SCHEMAS[name])) == []
    assert list(problems(SCHEMAS[name], document | {"more": 1}, SCHEMAS[name])) == ["/more is unknown"]


def test_nothing_is_optional() -> None:
    schema = SCHEMAS["tablectl.round.card"]
    document = json.loads(models.to_json(envelope(CardDealt(1, seat(1), None))))
    for key in document:
        assert list(problems(schema, {k: v for k, v in document.items() if k != key}, schema)) == [f"/{key} is missing"]


def test_there_is_a_schema_for_everything_and_it_is_json() -> None:
    assert set(SCHEMAS) == {*map(event_type, ENVELOPES), *DOCUMENTS}
    assert {topic.partition("/")[0] for topic in RETAINED} == set(DOCUMENTS)
    assert json.loads(json.dumps(SCHEMAS)) == SCHEMAS
    assert all(schema["$schema"].endswith("2020-12/schema") for schema in SCHEMAS.values())


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def test_asyncapi_names_every_topic_and_message_and_its_references_lead_somewhere() -> None:
    document = asyncapi()
    assert json.loads(json.dumps(document)) == document
    assert document["asyncapi"] == "3.0.0"
    addresses = {
        channel["address"].removeprefix("{prefix}/{site}/{pit}/{table}/") for channel in document["channels"].values()
    }
    assert addresses == {*RETAINED, *(f"event/{cls.name.replace('.', '/')}" for cls in ENVELOPES)}
    assert {operation["action"] for operation in document["operations"].values()} == {"send"}, "publish-only"
    found = set(references(document))
    assert len(found) > 50
    for reference in found:
        target = document
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]
        assert target
    message = document["components"]["messages"]["CardDealtEvent"]
    assert message["contentType"] == "application/cloudevents+json"
    payload = document["components"]["schemas"]["CardDealtEvent"]
    event = next(event for event, _ in EXAMPLES if isinstance(event, CardDealt))
    assert list(problems(payload, json.loads(models.to_json(envelope(event))), document)) == []
