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
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, TypeVar, dataclass_transform

import msgspec

from tablectl.cards import Card, FaceDown, Position, card, position
from tablectl.errors import DecodeError
from tablectl.money import Odds, odds

__all__ = ["Canonical", "canonical", "decode", "encode", "frozen", "record", "replace", "sound"]

T = TypeVar("T")
_CLASSES: dict[str, type[Any]] = {}
_HINTS: dict[type[Any], dict[str, Any]] = {}
_LEAVES: dict[type[Any], list[tuple[str, frozenset[type]]]] = {}
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
    return _struct(cls, tag=None)


def _struct(cls: type[T], tag: bool | None) -> type[T]:
    made: Any = cls
    if not isinstance(cls, _STRUCT):  # what inherits from a record is a frozen struct as it is written
        body = {name: value for name, value in vars(cls).items() if name not in _OF_THE_OLD_CLASS}
        if "__repr__" in body:  # what that leaves out is nobody's business
            body["__rich_repr__"] = lambda _self: []
        bases = (*(base for base in cls.__bases__ if base is not object), msgspec.Struct)
        made = _STRUCT(cls.__name__, bases, body, frozen=True, gc=False, tag=tag, tag_field="$" if tag else None)
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
    made = _struct(cls, tag=True)
    if made.__struct_config__.tag != made.__name__:  # type: ignore[attr-defined]
        raise TypeError(f"{made.__name__} is written without its name, as what it inherits from is no record")
    _CLASSES[made.__name__] = made
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
        if not isinstance(value, msgspec.Struct):
            return dataclasses.replace(value, **changes)
        for name, new in changes.items():
            if getattr(value, name, changes) is not new:
                return _replace(value, **changes)
        return value


def encode(value: object, hidden: list[str | None]) -> Canonical:
    """`value` as canonical JSON text; identities of face-down cards are appended to `hidden` instead, in its order.

    Records, tuples, enumerations, cards, positions, odds, text, integers, booleans and None, and an object of them by
    their keys. That they are nothing else is for the type checker to see, or for `sound`. Text with half a character is
    a `UnicodeEncodeError`.
    """

    def leaf(item: object) -> object:
        kind = type(item)
        if kind in _TEXTS:
            return str(item)
        if kind is FaceDown:
            hidden.append(None if item.card is None else item.card.name)  # type: ignore[attr-defined]
            return {"$": "FaceDown", "n": len(hidden) - 1}
        raise TypeError(f"{kind.__name__} is not a record")

    return Canonical(_encode(value, enc_hook=leaf, order="sorted").decode())


def sound(value: object) -> None:
    """Look at what comes from outside of the type checker's sight: `TypeError` unless every field is of its type.

    `encode` writes many things that `decode` refuses, or reads as something else.
    """
    cls = type(value)
    fields = _LEAVES.get(cls)
    if fields is None:
        if cls not in _CLASSES.values():
            raise TypeError(f"{cls.__name__} is not a record")
        fields = _LEAVES[cls] = [(name, _leaves(hint)) for name, hint in _hints(cls).items()]
    for name, leaves in fields:
        field = getattr(value, name)
        kind = type(field)
        if kind not in leaves or (kind is str and not field.isascii()):
            _look_closely(cls, name, field)


def _look_closely(cls: type[Any], name: str, field: Any) -> None:
    hidden: list[str | None] = []
    try:
        same = decode(_hints(cls)[name], json.loads(encode(field, hidden)), hidden) == field
    except (TypeError, ValueError, AttributeError, RecursionError, DecodeError) as error:
        raise TypeError(f"{cls.__name__}.{name}: {error}") from None
    if not same:
        raise TypeError(f"{cls.__name__}.{name}: a {type(field).__name__} is not what the field is for")


def _leaves(hint: Any) -> frozenset[type]:
    """Of the types of a field those whose values need no closer look."""
    members = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    return frozenset(filter(_is_leaf, (getattr(member, "__supertype__", member) for member in members)))


def _is_leaf(kind: Any) -> bool:
    return kind in (int, str, bool, types.NoneType) or (isinstance(kind, type) and issubclass(kind, Enum))


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


_encode: Final = msgspec.json.encode
_TEXTS: Final = {Card, Position, Odds}
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
