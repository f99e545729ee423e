"""Writes `tablectl/surveillance/MQTT.md` from the published models: ``python -m tests.surveillance.mqtt_page``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from tablectl.surveillance.models import (
    CONTENT_TYPE,
    ENVELOPES,
    Envelope,
    Gap,
    Latch,
    Stopped,
    Stranger,
    event_type,
)
from tablectl.surveillance.publisher import Publisher
from tablectl.surveillance.schema import RETAINED, asyncapi

PAGE = Path(__file__).parent.parent.parent / "tablectl" / "surveillance" / "MQTT.md"
SLOTS = inspect.signature(Publisher).parameters["slots"].default

_TOPICS = {
    "event/#": "one message for each event, in their order; see [Events](#events)",
    "status": "whether a daemon publishes for this table; `offline`, `lost` comes from the broker, as the will",
    "state": "the table now: what the panel shows, faults, devices, strangers on USB",
    "device/ID": "one for each configured device: what it last said of itself, and how well its line works",
    "meter": "the progressive's meter by our own books, where the game has one",
    "jackpot/KIND": "a jackpot of the poker room, `bad_beat` or `high_hand`, where it is on file",
    "head": "number and hash of the last head row of the journal; keep them, see [Heads](#heads)",
    "ring/N": f"the events of the last rounds, N from 0 to {SLOTS - 1}; see [Gaps](#gaps)",
}

_TOP = """\
# What surveillance receives

Generated from `models.py` and `schema.py` by `python -m tests.surveillance.mqtt_page`; do not edit. The same as JSON
Schema and AsyncAPI: `json_schemas()` and `asyncapi()` in `schema.py`.

A table only publishes; it subscribes to nothing, so nothing that is sent to the broker reaches it. All topics begin
with `PREFIX/SITE/PIT/TABLE/`, as its configuration has them. Everything is UTF-8 JSON and sent with QoS {qos}; with
MQTT 5 the content type is set as well.

## Topics
"""

_GAPS = """\
## Gaps

Events leave in the order of `sequence`, which counts the events of one `source` from 1 without gaps, over restarts as
well. After a lost connection some are sent again, with the same `id`.

1. Subscribe to `PREFIX/SITE/PIT/TABLE/#` with QoS 1 and a session that the broker keeps.
2. Drop an event whose `source` and `sequence` you have. If its `id` is another one, the table has written two journals:
   raise an alarm.
3. A `sequence` that is more than one above the last is a gap, and so is `state` with a `sequence` above your last event
   if that event does not come.
4. The retained `ring/N` hold the events of the last rounds as they were sent, each in exactly one of them. Subscribing
   brings all; while you are subscribed one comes when its round is over, and after a second without events. Take from
   them what is missing, by `sequence`: `first` and `last` say what is in one, the number N says nothing.
5. What the ring no longer has is in the journal: `tablectl journal export CONFIG TARGET` on the table's machine. A row
   whose `kind` is `event` has the `sequence` in its body, and its `seq` is the number at the end of `id`.

`boot` says which start of the daemon recorded an event. `time` is a label: where `synced` is false the clock was not
synchronised, and it may have gone back. Order by `sequence` alone.

## Heads

`head` is the number and the hash of a row of the journal. The journal is a chain of hashes, so whoever has kept a head
can prove that everything before it is there and unaltered. The topic holds the newest one only: a subscriber that
writes each message to a file, one in a line, has what `tablectl journal verify --heads FILE` reads.

## Training

What a table publishes while it trains begins with `PREFIX-training/` instead, or `training/` where there is no prefix.
Its `source` ends with `/training`, its ids are `TABLE/training/SEQ`, and each event and document says `training`.
It comes from a journal of its own, so `sequence` counts apart.

## What is never published

- The identity of a card that nobody at the table has seen. It is not in what events are made of, and no model has a
  form for it: `card` is `null` in the event of a card that is dealt face down.
- Rows of the journal other than events and heads: what devices said, what they were told, and the secrets beside them.
- The configuration and the filed rules: `tablectl.table.started` has their digests alone.
- Anything about players: a seat is a number.

Badge numbers are published, where a person with a badge has acted (`credential`).
"""


def page() -> str:
    """The page: topics, attributes, every event with its data, every retained document."""
    operations = asyncapi()["operations"].values()
    (qos,) = {operation["bindings"]["mqtt"]["qos"] for operation in operations}
    retained = {_topic(topic): model for topic, model in RETAINED.items()}
    assert set(_TOPICS) == {"event/#", *retained}, "describe the new topic"
    lines = [_TOP.format(qos=qos), "| topic | retained | content type | what it is |", "| --- | :-: | --- | --- |"]
    for topic, what in _TOPICS.items():
        marks = ("yes", "application/json") if topic in retained else ("no", CONTENT_TYPE)
        lines.append(f"| `{topic}` | {marks[0]} | `{marks[1]}` | {what} |")
    lines += ["", _GAPS, "## Events", ""]
    lines += ["Each is a CloudEvent 1.0 in the structured JSON format. Its attributes:", "", *_table(Envelope)]
    lines += ["", "`data` depends on `type`. All its fields are always there, `null` where nothing is known.", ""]
    for cls, envelope in ENVELOPES.items():
        lines += [f"### `{event_type(cls)}`", "", _text(cls), "", f"Topic `event/{cls.name.replace('.', '/')}`.", ""]
        lines += [*_table(envelope.model_fields["data"].annotation), ""]
    lines += ["## Retained documents", ""]
    for topic, model in retained.items():
        lines += [f"### `{topic}`", "", _text(model), "", *_table(model), ""]
        if topic == "state":
            lines += ["Each of `latches`:", "", *_table(Latch), ""]
            lines += ["Each of `strangers`:", "", *_table(Stranger), ""]
            lines += ["`stopped`:", "", _text(Stopped), "", *_table(Stopped), ""]
            lines += ["Each of `gaps`:", "", _text(Gap), "", *_table(Gap), ""]
    return "\n".join(lines).rstrip() + "\n"


def _topic(template: str) -> str:
    return template.replace("{device}", "ID").replace("{jackpot}", "KIND").replace("{slot}", "N")


def _text(documented: type) -> str:
    """Its docstring, without the topic that stands above it already."""
    text = re.sub(r"^Topics? .*?: ", "", inspect.getdoc(documented) or "", flags=re.DOTALL)
    text = text.replace("``", "`").replace("None", "`null`")
    return text[0].upper() + text[1:]


def _table(model: Any) -> Iterator[str]:
    """Its fields, each with its form."""
    assert issubclass(model, BaseModel)
    schema = model.model_json_schema(mode="serialization")
    yield "| field | form |"
    yield "| --- | --- |"
    for name, field in schema["properties"].items():
        said = field.get("description") if "$ref" not in field else None
        form = _form(field, schema.get("$defs", {}))
        yield f"| `{name}` | {form}{f'. {said}' if said else ''} |".replace("..", ".")


def _form(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """A JSON Schema in few words."""
    match schema:
        case {"$ref": str(name)} if "properties" in known[name.rpartition("/")[2]]:
            return "object, see below"
        case {"$ref": str(name)}:
            return _form(known[name.rpartition("/")[2]], known)
        case {"anyOf": [value, {"type": "null"}]}:
            return f"{_form(value, known)}, or `null`"
        case {"const": value}:
            return f"`{value}`"
        case {"enum": values}:
            return ", ".join(f"`{value}`" for value in values)
        case {"type": "array", "items": {"discriminator": _}}:
            return "list of events, as they were sent"
        case {"type": "array", "items": {"$ref": str(name)}} if "properties" in known[name.rpartition("/")[2]]:
            return "list of objects, see below"
        case {"type": "array", "items": items}:
            return f"list of {_form(items, known)}"
        case {"type": "string", "pattern": pattern}:
            return _PATTERNS[pattern]
        case {"type": "string"}:
            most = f" of at most {schema['maxLength']} characters" if "maxLength" in schema else ""
            return f"text{most}"
        case {"type": "integer"}:
            least = f" from {schema['minimum']}" if "minimum" in schema else ""
            return f"whole number{least}"
        case {"type": "number"}:
            return "number"
        case {"type": "boolean"}:
            return "true or false"
        case _:
            raise AssertionError(f"no words for {schema}")


def _patterns() -> Iterator[tuple[str, str]]:
    """What each pattern of the models stands for."""
    from tablectl.surveillance import models

    for form, words in (
        (models.Dollars, 'dollars with two decimals as text, such as `"10.00"`'),
        (models.CardText, "card, such as `As`, `Td`, `Xj` (a joker)"),
        (models.PositionText, "position: `seat 3`, `dealer`, `community`, `burn`, `rack`, `stack 2`"),
        (models.OddsText, "odds, such as `35:1`"),
        (models.Timestamp, "time in UTC, such as `2026-01-31T20:15:00.000000Z`"),
        (models.UsbIds, "vendor and product as `lsusb` shows them, such as `05f3:0405`"),
        (models.Digest, "SHA-256, 64 hexadecimal digits"),
    ):
        (constraints,) = form.__metadata__  # type: ignore[attr-defined]
        yield constraints.pattern, words


_PATTERNS = dict(_patterns())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
