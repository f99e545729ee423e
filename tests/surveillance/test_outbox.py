"""Topics, messages made from rows, and the ring: without a broker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.cards import seat
from tablectl.errors import DecodeError, Misuse
from tablectl.events import CardDealt
from tablectl.journal import GENESIS, Row, RowKind
from tablectl.surveillance.outbox import EventMessage, Place, Ring, event_message, head_document
from tablectl.surveillance.schema import RoundRecord
from tests.surveillance.support import PLACE, entry, rounds

TIME = "2026-11-29T20:00:00.000001Z"


def row(body: str, seq: int = 9, kind: RowKind = RowKind.EVENT) -> Row:
    return Row(seq, GENESIS, "ab" * 32, kind, "boot-1", 5, TIME, False, 3, body, secret=b'["As"]')


def messages(count: int, length: int) -> Iterator[EventMessage]:
    seq = 0
    for entries in rounds(count, length=length):
        for each in entries:
            seq += 2
            yield event_message(PLACE, row(each.body, seq))


def test_topics_of_a_table() -> None:
    place = Place("casino/floor", "erie", "pit 2", "T7")
    assert place.topic("state") == "casino/floor/erie/pit 2/T7/state"
    assert place.event_topic("round.card") == "casino/floor/erie/pit 2/T7/event/round/card"
    assert place.source == "/erie/pit 2/T7"
    assert Place("", "erie", "p", "T7").topic("state") == "erie/p/T7/state"


@pytest.mark.parametrize("name", ["", "a/b", "a+", "#", "$SYS", "a\x00b", "a\nb"])
@pytest.mark.parametrize("key", ["site", "pit", "table"])
def test_name_that_cannot_be_in_a_topic_is_refused(key: str, name: str) -> None:
    names = {"prefix": "casino", "site": "s", "pit": "p", "table": "t"} | {key: name}
    with pytest.raises(Misuse, match=key):
        Place(names["prefix"], names["site"], names["pit"], names["table"])


def test_prefix_has_levels_of_which_none_is_empty() -> None:
    with pytest.raises(Misuse, match="prefix"):
        Place("casino//floor", "s", "p", "t")


def test_training_is_another_source_on_topics_of_its_own_and_every_message_says_so() -> None:
    place = replace(PLACE, training=True)
    message = event_message(place, row(entry(4, CardDealt(1, seat(2), None)).body))
    document = json.loads(message.payload)
    assert message.topic == "casino-training/erie/pit 2/T7/event/round/card"
    assert replace(place, prefix="").topic("state") == "training/erie/pit 2/T7/state"
    assert (document["id"], document["source"]) == ("T7/training/9", "/erie/pit 2/T7/training")
    assert document["training"] is True
    assert head_document(row("{}"), training=True).training is True
    ring = Ring(2, training=True)
    ring.add(message)
    (slot,) = ring
    assert RoundRecord.model_validate_json(ring.document(slot)).training is True


def test_message_of_a_row() -> None:
    message = event_message(PLACE, row(entry(4, CardDealt(1, seat(2), None)).body))
    assert (message.seq, message.sequence, message.closes) == (9, 4, None)
    assert message.topic == PLACE.event_topic("round.card")
    assert json.loads(message.payload) == {
        "specversion": "1.0",
        "id": "T7/9",
        "source": PLACE.source,
        "type": "tablectl.round.card",
        "time": TIME,
        "datacontenttype": "application/json",
        "sequence": 4,
        "boot": "boot-1",
        "synced": False,
        "training": False,
        "data": {"number": 1, "to": "seat 2", "card": None},
    }


@pytest.mark.parametrize(
    "body",
    [
        "no json",
        '{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 1"},"sequence":1} ',
        '\n{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 1"},"sequence":1}',
        '{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 1"},"sequence":1}}',
        f'{{"event":{{"$":"CardDealt","card":{"[" * 1100}{"]" * 1100},"number":1,"to":"seat 1"}},"sequence":1}}',
        "[]",
        "{}",
        '{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 1"}}',
        '{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 1"},"more":1,"sequence":1}',
        '{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 1"},"sequence":0}',
        '{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 1"},"sequence":"1"}',
        '{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 1"},"sequence":true}',
        '{"event":{"$":"CardDealt","card":null,"number":"1","to":"seat 1"},"sequence":1}',
        '{"event":{"$":"CardDealt","card":"Zz","number":1,"to":"seat 1"},"sequence":1}',
        '{"event":{"$":"CardDealt","card":{"$":"FaceDown","n":0},"number":1,"to":"seat 1"},"sequence":1}',
        '{"event":{"$":"CardDealt","card":null,"number":1,"to":"seat 11"},"sequence":1}',
        '{"event":{"$":"CardDealt","number":1,"to":"seat 1"},"sequence":1}',
        '{"event":{"$":"CardDealt","card":null,"face":"As","number":1,"to":"seat 1"},"sequence":1}',
        '{"event":{"$":"CardLeft","card":null},"sequence":1}',
        '{"event":{"card":null},"sequence":1}',
        '{"event":{"$":["CardDealt"]},"sequence":1}',
        '{"event":{"$":"WagerMade","amount":1.5,"hand":0,"seat":1,"wager":"ante"},"sequence":1}',
        '{"event":{"$":"SeatAsked","choices":"bet","seat":1},"sequence":1}',
    ],
)
def test_body_that_is_no_event_is_refused_without_telling_what_is_in_it(body: str) -> None:
    with pytest.raises(DecodeError, match="row 9") as caught:
        event_message(PLACE, row(body))
    assert "Zz" not in str(caught.value)
    assert "As" not in str(caught.value)


def test_head_document_names_the_head_row() -> None:
    head = head_document(row("{}", kind=RowKind.HEAD))
    assert (head.seq, head.hash, head.boot, head.time) == (9, "ab" * 32, "boot-1", TIME)


def parts(ring: Ring) -> list[RoundRecord]:
    return [RoundRecord.model_validate_json(ring.document(slot)) for slot in ring]


@given(
    st.integers(1, 6), st.integers(2, 12), st.integers(1, 5), st.sampled_from([500, 2_000, 100_000]), st.integers(0, 30)
)
def test_ring_holds_the_last_events_each_once(count: int, length: int, slots: int, most: int, cut: int) -> None:
    sent = list(messages(count, length))[: max(1, count * length - cut)]
    ring = Ring(slots, most)
    complete = [slot for message in sent if (slot := ring.add(message)) is not None]
    assert complete == [number % slots for number in range(len(complete))]
    found = sorted(parts(ring), key=lambda part: part.first)
    assert len(found) <= slots
    held = [event for part in found for event in part.events]
    sequences = [event.sequence for event in held]
    assert sequences == list(range(len(sent) - len(held) + 1, len(sent) + 1)), "the newest, without a gap"
    for part in found:
        assert (part.first, part.last) == (part.events[0].sequence, part.events[-1].sequence)
        assert (part.round is None) == (part.events[-1].type != "tablectl.round.closed")
    if most == 100_000:
        whole = [part.round for part in found if part.round is not None]
        assert whole == list(range(len(sent) // length - len(whole) + 1, len(sent) // length + 1))


def test_ring_takes_an_event_once_and_starts_a_part_after_a_gap() -> None:
    first, second, *_, late = messages(1, 10)
    ring = Ring(3)
    for message in (first, first, second, first, second, late):
        ring.add(message)
    assert [[event.sequence for event in part.events] for part in parts(ring)] == [[1, 2], [10]]
