"""Frozen dataclasses to JSON and back, with the identity of face-down cards kept apart.

A record is written as an object with its class name under ``"$"`` and one key for each field; a card, a position and
odds as text. A `FaceDown` becomes ``{"$": "FaceDown", "n": K}``: its identity is the Kth entry of a separate list,
which the journal stores in a column of its own. A class takes part by the decorator `record`.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, TypeVar, dataclass_transform

import msgspec

from tablectl.cards import Card, FaceDown, Position, card, position
from tablectl.errors import DecodeError
from tablectl.money import Odds, odds

__all__ = ["Canonical", "canonical", "canonical_encoded", "decode", "encode", "frozen", "record", "replace"]

T = TypeVar("T")
_CLASSES: dict[str, type[Any]] = {}
_FIELDS: dict[type[Any], tuple[str, ...]] = {}
_HINTS: dict[type[Any], dict[str, Any]] = {}
_PLAIN: Final = {str, int, bool, type(None)}
_replace: Final[Any] = msgspec.structs.replace
_OF_THE_OLD_CLASS: Final = ("__dict__", "__weakref__", "__slots__", "__match_args__")
_STRUCT: Final[Any] = type(msgspec.Struct)
_FACTORY: Final[Any] = type(msgspec.defstruct("_Listed", [("items", list[str], [])]).__struct_defaults__[0])


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T]) -> type[T]:
    """Make `cls` a frozen, slotted dataclass that is made and compared in a third of the time.

    What dataclasses know of it they find, but its memory, constructor and comparison are those of a `msgspec.Struct`:
    a round of seven seats makes some two hundred records, and that was half of the time that it took.
    """
    made: Any = cls
    if not isinstance(cls, _STRUCT):  # what inherits from a record is a frozen struct as it is written
        body = {name: value for name, value in vars(cls).items() if name not in _OF_THE_OLD_CLASS}
        if "__repr__" in body:  # what that leaves out is nobody's business
            body["__rich_repr__"] = lambda _self: []
        bases = (*(base for base in cls.__bases__ if base is not object), msgspec.Struct)
        made = _STRUCT(cls.__name__, bases, body, frozen=True, gc=False)
    described = _as_dataclass(made)
    made.__dataclass_fields__, made.__dataclass_params__ = (
        described.__dataclass_fields__,
        described.__dataclass_params__,
    )
    return made  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make `cls` a frozen dataclass that can be written down; its name is unique in the project."""
    if cls.__name__ in _CLASSES:
        raise TypeError(f"two records are called {cls.__name__}")
    made = frozen(cls)
    _CLASSES[made.__name__] = made
    _FIELDS[made] = made.__struct_fields__  # type: ignore[attr-defined]
    return made


def _as_dataclass(made: Any) -> Any:
    """What dataclasses have to know of a struct, to tell its fields and to replace them."""
    types = {
        name: kind for base in reversed(made.__mro__) for name, kind in vars(base).get("__annotations__", {}).items()
    }
    names, defaults = made.__struct_fields__, made.__struct_defaults__
    plain = len(names) - len(defaults)
    for name, default in zip(names[plain:], defaults, strict=True):
        if isinstance(default, (dataclasses.Field, _FACTORY)):
            raise TypeError(f"{made.__name__}.{name}: a record's field has a plain default or none")
    fields: list[Any] = [(name, types[name]) for name in names[:plain]]
    fields += [
        (name, types[name], dataclasses.field(default=default))
        for name, default in zip(names[plain:], defaults, strict=True)
    ]
    text = {"__doc__": made.__name__}  # else dataclasses work one out
    described = dataclasses.make_dataclass(made.__name__, fields, namespace=text, init=False, repr=False, eq=False)
    known = described.__dataclass_params__  # type: ignore[attr-defined]
    known.init = known.repr = known.eq = known.frozen = True  # by msgspec, so that dataclasses need not write it
    return described


if typing.TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: T, /, **changes: Any) -> T:
        """The value with some fields changed, as `dataclasses.replace` does it, but many times as fast for a record.

        A record that has these values already is returned itself.
        """
        if type(value) not in _FIELDS:
            return dataclasses.replace(value, **changes)
        for name, new in changes.items():
            if getattr(value, name, changes) is not new:
                return _replace(value, **changes)
        return value


def encode(value: object, hidden: list[str | None]) -> Any:
    """`value` as plain JSON data; identities of face-down cards are appended to `hidden` instead.

    Records, tuples, enumerations, cards, positions, odds, text, integers, booleans and None; `TypeError` for the rest.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    names = _FIELDS.get(kind)
    if names is not None:
        fields: dict[str, Any] = {"$": kind.__name__}
        for name in names:
            field = getattr(value, name)
            fields[name] = field if type(field) in _PLAIN else encode(field, hidden)
        return fields
    if isinstance(value, tuple):
        return [encode(item, hidden) for item in value]
    if isinstance(value, (Card, Position, Odds)):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, FaceDown):
        hidden.append(None if value.card is None else value.card.name)
        return {"$": "FaceDown", "n": len(hidden) - 1}
    raise TypeError(f"{kind.__name__} is not a record")


def decode(expected: Any, data: Any, hidden: Sequence[str | None] = ()) -> Any:
    """The value of type `expected` (a class, a union, a tuple type, a Literal) that `data` was encoded from.

    `DecodeError` names what was found and what was expected. A face-down card without an entry in `hidden` is unknown.
    """
    origin = typing.get_origin(expected)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(typing.get_args(expected), data, hidden)
    if origin is tuple:
        return _decode_tuple(typing.get_args(expected), data, hidden)
    if origin is typing.Literal:
        if data in typing.get_args(expected):
            return data
        raise DecodeError(f"found {data!r}, expected one of {typing.get_args(expected)}")
    if isinstance(expected, typing.NewType):
        return decode(expected.__supertype__, data, hidden)
    if isinstance(expected, type):
        return _decode_class(expected, data, hidden)
    raise TypeError(f"{expected!r} is no type of a record's field")


class Canonical(str):
    """Text that `canonical` has made, so that nobody need look whether it is."""

    __slots__ = ()


def canonical(data: object) -> Canonical:
    """JSON text with sorted keys, which are all text, and no blanks: the same data is always the same bytes."""
    return Canonical(_canonical(data))


def canonical_encoded(data: Mapping[str, object]) -> Canonical:
    """As `canonical`, in a tenth of the time, for values that `encode` has made, by their keys."""
    if not _ENCODED.issuperset(map(type, data.values())):
        return canonical(data)
    try:
        return Canonical(_canonical_plain(data).decode())
    except UnicodeEncodeError:  # half a character, which no journal takes
        return canonical(data)


_ENCODED: Final = {dict, list, *_PLAIN}
_canonical_plain: Final = msgspec.json.Encoder(order="sorted").encode
_canonical: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def _hints(cls: type[Any]) -> dict[str, Any]:
    """The fields of a record class with their types, worked out once."""
    if cls not in _HINTS:
        hints = typing.get_type_hints(cls)
        _HINTS[cls] = {field.name: hints[field.name] for field in dataclasses.fields(cls)}
    return _HINTS[cls]


def _decode_class(expected: type[Any], data: Any, hidden: Sequence[str | None]) -> Any:
    if expected is Card:
        return card(_text(data))
    if expected is Position:
        return position(_text(data))
    if expected is Odds:
        return odds(_text(data))
    if issubclass(expected, Enum):
        try:
            return expected(data)
        except ValueError:
            raise DecodeError(f"found {data!r}, expected a {expected.__name__}") from None
    if expected in (int, str, bool, type(None)):
        if type(data) is not expected:
            raise DecodeError(f"found {data!r}, expected {expected.__name__}")
        return data
    name = data.get("$") if isinstance(data, dict) else None
    if name == "FaceDown" and expected is FaceDown:
        return _face_down(data, hidden)
    cls = _CLASSES.get(name) if isinstance(name, str) else None
    if cls is None or not issubclass(cls, expected):
        raise DecodeError(f"found {name or data!r}, expected a {expected.__name__}")
    hints = _hints(cls)
    if set(data) - {"$"} != set(hints):
        raise DecodeError(f"{name} has the keys {sorted(set(data) - {'$'})}, expected {sorted(hints)}")
    return cls(**{key: decode(hint, data[key], hidden) for key, hint in hints.items()})


def _face_down(data: dict[str, Any], hidden: Sequence[str | None]) -> FaceDown:
    place = data.get("n")
    if type(place) is not int or place < 0 or len(data) != 2:
        raise DecodeError(f"found {data!r}, expected a face-down card with its place among the hidden ones")
    known = hidden[place] if place < len(hidden) else None
    if known is None:
        return FaceDown(None)
    try:
        return FaceDown(card(known))
    except DecodeError:  # without its cause: what stands there may tell which card it was
        raise DecodeError(f"hidden entry {place} is not a card") from None


def _decode_union(members: tuple[Any, ...], data: Any, hidden: Sequence[str | None]) -> Any:
    for member in members:
        try:
            return decode(member, data, hidden)
        except DecodeError:
            continue
    raise DecodeError(f"found {data!r}, expected one of {', '.join(str(m) for m in members)}")


def _decode_tuple(members: tuple[Any, ...], data: Any, hidden: Sequence[str | None]) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise DecodeError(f"found {data!r}, expected a list")
    if len(members) == 2 and members[1] is Ellipsis:
        return tuple(decode(members[0], item, hidden) for item in data)
    if len(members) != len(data):
        raise DecodeError(f"found {len(data)} items, expected {len(members)}")
    return tuple(decode(member, item, hidden) for member, item in zip(members, data, strict=True))


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise DecodeError(f"found {data!r}, expected text")
    return data
