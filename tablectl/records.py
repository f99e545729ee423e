"""Frozen dataclasses to JSON and back, with the identity of face-down cards kept apart.

A record is written as an object with its class name under ``"$"`` and one key for each field; a card, a position and
odds as text. A `FaceDown` becomes ``{"$": "FaceDown", "n": K}``: its identity is the Kth entry of a separate list,
which the journal stores in a column of its own. A class takes part by the decorator `record`.
"""

from __future__ import annotations

import dataclasses
import json
import operator
import types
import typing
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Final, TypeVar, dataclass_transform

from tablectl.cards import Card, FaceDown, Position, card, position
from tablectl.errors import DecodeError
from tablectl.money import Odds, odds

__all__ = ["Canonical", "canonical", "decode", "encode", "record", "replace"]

T = TypeVar("T")
_CLASSES: dict[str, type[Any]] = {}
_FIELDS: dict[type[Any], tuple[str, ...]] = {}
_PLACES: dict[type[Any], dict[str, int]] = {}
_VALUES: dict[type[Any], Callable[[Any], tuple[Any, ...]]] = {}
_HINTS: dict[type[Any], dict[str, Any]] = {}
_PLAIN: Final = {str, int, bool, type(None)}
_MANY: Final = 4  # fields; with fewer, changing the class twice takes longer than it saves
_CLASS: Final[Any] = object.__dict__["__class__"]


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make `cls` a frozen, slotted dataclass that can be written down; its name is unique in the project."""
    made = dataclasses.dataclass(frozen=True, slots=True)(cls)
    if made.__name__ in _CLASSES:
        raise TypeError(f"two records are called {made.__name__}")
    _CLASSES[made.__name__] = made
    names = _FIELDS[made] = tuple(field.name for field in dataclasses.fields(made))  # type: ignore[arg-type]
    if len(names) > 1:
        _VALUES[made] = operator.attrgetter(*names)
        _PLACES[made] = {name: place for place, name in enumerate(names)}
    made.__init__ = _initializer(made)  # type: ignore[method-assign]
    return made


def _initializer(cls: type[Any]) -> Callable[..., None]:
    """What dataclasses make, but it sets each slot itself instead of by its name: in little more than half the time.

    A round of seven seats makes some two hundred records, and that is half of the time that it takes. One of many
    fields is of an unfrozen twin of its class while they are set, as that is what takes the interpreter least.
    """
    scope: dict[str, Any] = {}
    parameters = []
    for field in dataclasses.fields(cls):
        if field.default_factory is not dataclasses.MISSING or field.kw_only or not field.init:
            raise TypeError(f"{cls.__name__}.{field.name}: a record's field has a plain default or none")
        scope[f"default_{field.name}"] = field.default
        has_default = field.default is not dataclasses.MISSING
        parameters.append(f"{field.name}=default_{field.name}" if has_default else field.name)
    names = [field.name for field in dataclasses.fields(cls)]
    if len(names) < _MANY or dataclasses.is_dataclass(cls.__base__):  # of which a twin would be frozen as well
        scope |= {f"set_{name}": getattr(cls, name).__set__ for name in names}
        lines = [f"set_{name}(self, {name})" for name in names] or ["pass"]
    else:
        twin = type(cls.__name__, cls.__bases__, {"__slots__": tuple(names), "__module__": cls.__module__})
        scope |= {"set_class": _CLASS.__set__, "twin": twin, "cls": cls}
        lines = ["set_class(self, twin)", *(f"self.{name} = {name}" for name in names), "self.__class__ = cls"]
    exec(f"def __init__({', '.join(['self', *parameters])}):\n " + "\n ".join(lines), scope)  # noqa: S102
    made: Callable[..., None] = scope["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


FaceDown.__init__ = _initializer(FaceDown)  # type: ignore[method-assign]

if typing.TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: T, /, **changes: Any) -> T:
        """The value with some fields changed, as `dataclasses.replace` does it, but many times as fast for a record.

        A record that has these values already is returned itself.
        """
        values = _VALUES.get(type(value))
        if values is None:
            return dataclasses.replace(value, **changes)
        for name, new in changes.items():
            if getattr(value, name, changes) is not new:
                break
        else:
            return value
        fields, places = list(values(value)), _PLACES[type(value)]
        for name, new in changes.items():
            if name not in places:
                raise TypeError(f"{type(value).__name__} has no field {name!r}")
            fields[places[name]] = new
        return type(value)(*fields)


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
