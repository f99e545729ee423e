"""Every record goes to JSON and back, and the identity of a face-down card goes another way."""

from __future__ import annotations

import dataclasses
import json
import pprint
import types
import typing
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablectl
from tablectl import records
from tablectl.cards import Card, FaceDown, Position, card, deck, position
from tablectl.equipment import CardScanned
from tablectl.errors import DecodeError
from tablectl.events import CardDealt, RoundClosed
from tablectl.journal import Entry, Row, RowKind
from tablectl.money import Odds, odds
from tablectl.procedure.instructions import Dispensed, Drawn, Expose, FoundFaceUp, Incident
from tablectl.records import canonical, decode, encode, record, sound

PACKAGE = Path(tablectl.__file__).parent
for path in sorted(PACKAGE.rglob("*.py")):  # every module that declares a record
    if "\n@record\n" in path.read_text(encoding="utf-8"):
        import_module(".".join(("tablectl", *path.relative_to(PACKAGE).with_suffix("").parts)))
CLASSES = [cls for cls in records._CLASSES.values() if cls.__module__.startswith("tablectl.")]

POSITIONS = [position(name) for name in ("dealer", "community", "burn", "rack", "seat 1", "seat 10", "stack 7")]
LEAVES: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**53), 2**53),
    str: st.text(max_size=8),
    bool: st.booleans(),
    type(None): st.none(),
    Card: st.sampled_from(deck(joker=True)),
    Position: st.sampled_from(POSITIONS),
    Odds: st.builds(
        lambda pays, per, form: odds(f"{pays}{form}{per}"), *[st.integers(1, 99)] * 2, st.sampled_from([":", " for "])
    ),
    FaceDown: st.builds(FaceDown, st.one_of(st.none(), st.sampled_from(deck(joker=True)))),
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type; a class that records derive from stands for each of them."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(values(argument) for argument in arguments))
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(values(arguments[0]), max_size=4).map(tuple)
    if origin is tuple:
        return st.tuples(*(values(argument) for argument in arguments))
    if origin is typing.Literal:
        return st.sampled_from(arguments)
    if isinstance(hint, typing.NewType):
        return values(hint.__supertype__)
    if hint in LEAVES:
        return LEAVES[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    members = [cls for cls in CLASSES if issubclass(cls, hint)]
    assert members, f"{hint} is no type that a record may have"
    return st.deferred(lambda: st.one_of(*(of_class(cls) for cls in members)))


def of_class(cls: type[Any]) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(cls)
    return st.builds(cls, **{field.name: values(hints[field.name]) for field in dataclasses.fields(cls)})


def face_down(value: object) -> list[FaceDown]:
    """The face-down cards in a value, in the order of the text."""
    if isinstance(value, FaceDown):
        return [value]
    if isinstance(value, tuple):
        return [found for item in value for found in face_down(item)]
    if dataclasses.is_dataclass(value):
        names = sorted(field.name for field in dataclasses.fields(value))
        return [found for name in names for found in face_down(getattr(value, name))]
    return []


def plainly(value: Any, hidden: list[str | None]) -> Any:
    """What a record is written as, by the form that `tablectl.records` states."""
    if isinstance(value, tuple):
        return [plainly(item, hidden) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Card | Position | Odds):
        return str(value)
    if isinstance(value, FaceDown):
        hidden.append(None if value.card is None else value.card.name)
        return {"$": "FaceDown", "n": len(hidden) - 1}
    if dataclasses.is_dataclass(value):
        names = sorted(field.name for field in dataclasses.fields(value))
        return {"$": type(value).__name__, **{name: plainly(getattr(value, name), hidden) for name in names}}
    return value


def test_there_are_records_to_try() -> None:
    assert len(CLASSES) > 50
    assert {"Drawn", "WagerSettled", "TableState", "Interrupted"} <= {cls.__name__ for cls in CLASSES}


@pytest.mark.parametrize("cls", CLASSES, ids=[cls.__name__ for cls in CLASSES])
def test_every_record_comes_back_from_json(cls: type[Any]) -> None:
    @settings(max_examples=15)
    @given(of_class(cls))
    def comes_back(value: Any) -> None:
        hidden: list[str | None] = []
        body = encode(value, hidden)
        assert body == canonical(plainly(value, []))
        assert decode(cls, json.loads(body), hidden) == value
        assert hidden == [None if c.card is None else c.card.name for c in face_down(value)]
        again: list[str | None] = []
        assert encode(decode(cls, json.loads(body), hidden), again) == body
        assert again == hidden

    comes_back()


SECRET = deck()


@pytest.mark.parametrize("secret", SECRET[::7])
def test_face_down_card_is_in_no_body_repr_or_text(secret: Card) -> None:
    drawn, nobody = Drawn(FaceDown(secret)), Drawn(FaceDown(None))
    stack = Dispensed((drawn, FoundFaceUp(card("9h")), drawn))
    shown = Expose(position("dealer"), 0, (FaceDown(secret),) * 3)
    for value in (drawn, stack, shown):
        hidden: list[str | None] = []
        body = encode(value, hidden)
        assert secret.name not in body
        assert secret.name not in repr(value)
        assert secret.name not in str(value)
        assert set(hidden) == {secret.name}
    assert encode(drawn, []) == encode(nobody, []), "the body does not even tell whether it was read"


def test_face_down_card_without_its_entry_is_unknown() -> None:
    hidden: list[str | None] = []
    text = encode((Drawn(FaceDown(card("As"))), Drawn(FaceDown(card("2c")))), hidden)
    two, body = tuple[Drawn, ...], json.loads(text)
    assert decode(two, body) == (Drawn(FaceDown()), Drawn(FaceDown()))
    assert decode(two, body, hidden[:1]) == (Drawn(FaceDown(card("As"))), Drawn(FaceDown()))


def test_damaged_identity_is_refused_without_telling_it() -> None:
    body = json.loads(encode(Drawn(FaceDown(card("As"))), []))
    with pytest.raises(DecodeError) as refused:
        decode(Drawn, body, ["As?"])
    assert "As" not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__


@pytest.mark.parametrize("place", [-1, True, "0", None, 0.0])
def test_place_of_a_face_down_card_is_a_number_from_zero(place: object) -> None:
    with pytest.raises(DecodeError):
        decode(Drawn, {"$": "Drawn", "card": {"$": "FaceDown", "n": place}}, ["As"])


def test_face_down_card_keeps_nothing_beside_its_place() -> None:
    for card_in_body in ({"$": "FaceDown"}, {"$": "FaceDown", "n": 0, "card": "As"}):
        with pytest.raises(DecodeError):
            decode(Drawn, {"$": "Drawn", "card": card_in_body}, ["As"])


BAD: list[tuple[Any, object]] = [
    (int, "1"),
    (int, True),
    (int, 1.0),
    (str, 1),
    (bool, 1),
    (Card, "1s"),
    (Card, 14),
    (Position, "seat 99"),
    (Odds, "1:0"),
    (tuple[int, ...], {"0": 1}),
    (tuple[int, int], [1]),
    (int | None, "none"),
    (typing.Literal["to", "for"], "from"),
    (CardDealt, None),
    (CardDealt, {"$": "CardDealt", "number": 1, "to": "dealer"}),
    (CardDealt, {"$": "CardDealt", "number": 1, "to": "dealer", "card": None, "more": 1}),
    (CardDealt, {"$": "Nobody"}),
    (CardDealt, {"$": ["CardDealt"]}),
    (CardDealt, {"$": "Incident", "kind": "shoe_jam"}),
    (RoundClosed, {"$": "RoundClosed", "round": 1, "outcome": "over"}),
]


@pytest.mark.parametrize(("expected", "data"), BAD)
def test_data_of_another_form_is_refused(expected: Any, data: object) -> None:
    with pytest.raises(DecodeError):
        decode(expected, data)


@dataclasses.dataclass(frozen=True)
class Loose:
    number: int


UNSOUND = [
    Loose(1),
    1.5,
    "text",
    Incident(3),  # type: ignore[arg-type]
    Incident("half \ud800 a character"),
    Incident("late_wager", count=True),
    Incident("late_wager", count=1.5),  # type: ignore[arg-type]
    Incident("late_wager", position="seat 1"),  # type: ignore[arg-type]
    CardScanned(Card(14, "s", "As")),
    Incident("late_wager", position=Position("seat", 1, "seat 1")),
    Drawn("As"),  # type: ignore[arg-type]
    Drawn(FaceDown("As")),  # type: ignore[arg-type]
    Drawn(FaceDown(position("seat 1"))),  # type: ignore[arg-type]
    Dispensed([Drawn(FaceDown())]),  # type: ignore[arg-type]
    Dispensed((Drawn(FaceDown()), FaceDown())),  # type: ignore[arg-type]
    Dispensed({"a": 1}),  # type: ignore[arg-type]
    Dispensed((b"bytes",)),  # type: ignore[arg-type]
    Dispensed((Loose(1),)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("value", UNSOUND)
def test_what_could_not_be_read_again_is_not_sound(value: object) -> None:
    with pytest.raises(TypeError):
        sound(value)


@pytest.mark.parametrize("cls", CLASSES, ids=[cls.__name__ for cls in CLASSES])
def test_every_record_that_is_of_its_types_is_sound(cls: type[Any]) -> None:
    @settings(max_examples=10)
    @given(of_class(cls))
    def is_sound(value: Any) -> None:
        sound(value)

    is_sound()


def test_what_is_not_sound_is_named_without_its_secret() -> None:
    with pytest.raises(TypeError, match=r"^Incident\.count: found 1\.5, expected one of ") as refused:
        sound(Incident("late_wager", count=1.5))  # type: ignore[arg-type]
    assert refused.value.__suppress_context__
    with pytest.raises(TypeError) as refused:
        sound(Drawn(FaceDown("As")))  # type: ignore[arg-type]
    assert "As" not in str(refused.value)


@pytest.mark.parametrize("value", [card("As"), position("dealer"), odds("3:2"), FaceDown(card("As"))])
def test_nobody_else_writes_a_card_a_place_or_odds(value: object) -> None:
    """As objects of their fields they would tell a face-down card, and not be read again."""
    for write in (msgspec.json.encode, msgspec.to_builtins):
        with pytest.raises(TypeError):
            write(value)


def test_record_that_inherits_from_what_is_none_is_refused() -> None:
    @records.frozen
    class Base:
        number: int

    with pytest.raises(TypeError, match="without its name"):

        @record
        class Derived(Base):
            text: str


def test_two_records_cannot_have_one_name() -> None:
    with pytest.raises(TypeError, match="Incident"):

        @record
        class Incident:
            kind: str


def test_records_are_frozen_and_slotted() -> None:
    for cls in CLASSES:
        assert "__dict__" not in dir(cls), f"{cls.__name__} is not slotted"
        assert cls.__struct_config__.frozen
    with pytest.raises(AttributeError):
        Incident("shoe_jam").kind = "power_loss"  # type: ignore[misc]


def test_canonical_is_one_text_for_one_value() -> None:
    assert canonical({"b": 1, "a": [None, True, "ä"]}) == '{"a":[null,true,"ä"],"b":1}'
    assert canonical({"a": [None, True, "ä"], "b": 1}) == '{"a":[null,true,"ä"],"b":1}'
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


def test_record_is_made_as_a_dataclass_is() -> None:
    event = CardDealt(number=3, to=position("seat 1"), card=None)
    assert event == CardDealt(3, position("seat 1"), None)
    assert dataclasses.replace(event, number=4) == CardDealt(4, position("seat 1"), None)
    assert Incident("late_wager") == Incident("late_wager", None, False, None, False, None)
    with pytest.raises(AttributeError):
        event.number = 5  # type: ignore[misc]
    with pytest.raises(TypeError, match="Missing required argument 'card'"):
        CardDealt(3, position("seat 1"))  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Unexpected keyword argument 'colour'"):
        CardDealt(3, position("seat 1"), None, colour="red")  # type: ignore[call-arg]


def test_record_of_many_fields_is_frozen_and_of_its_own_class() -> None:
    noticed = Incident("late_wager", count=3)
    assert type(noticed) is Incident
    with pytest.raises(AttributeError):
        noticed.count = 4  # type: ignore[misc]
    assert records.replace(noticed, count=4) == Incident("late_wager", count=4)
    assert records.replace(noticed, count=3) is noticed
    with pytest.raises(TypeError, match="colour"):
        records.replace(noticed, colour="red")  # type: ignore[call-arg]


def test_record_is_laid_out_by_pprint() -> None:
    """Whoever compares records in a test sees where they differ."""
    assert "number=3" in pprint.pformat(CardDealt(3, position("seat 1"), None), width=20)


def test_what_a_repr_leaves_out_is_told_by_no_other_way_of_showing() -> None:
    entry: Any = Entry(RowKind.EVENT, "{}", 3, b"As")
    row: Any = Row(1, "", "", RowKind.EVENT, "", 0, "", True, 3, "{}", b"As")
    for made in (entry, row):
        shown = (repr(made), pprint.pformat(made, width=1), str(made.__rich_repr__()))
        assert not any("As" in text for text in shown)


def test_record_that_inherits_takes_no_default_that_is_made_anew() -> None:
    with pytest.raises(TypeError, match=r"Longer\.items"):

        @record
        class Longer(Incident):
            items: tuple[str, ...] = dataclasses.field(default_factory=tuple)


def test_record_takes_no_default_that_is_made_anew() -> None:
    with pytest.raises(TypeError, match=r"Listed\.items"):

        @record
        class Listed:
            items: tuple[str, ...] = dataclasses.field(default_factory=tuple)
