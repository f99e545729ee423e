"""Hypothesis strategies for everything that the link carries, made from the classes themselves."""

from __future__ import annotations

import dataclasses
import typing
from enum import Enum
from typing import Any

from hypothesis import strategies as st

from tablectl.cards import Card, FaceDown, deck
from tablectl.equipment import Command, Die, LinkLost, LinkUp, Message
from tablectl.money import Money

BYTES = {  # how wide a whole number is; all others have two bytes
    "seat": 1,
    "seats": 1,
    "face_up": 1,
    "face": 1,
    "confidence": 1,
    "hits": 4,
    "batch": 4,
    "increment_ppm": 4,
    "hidden_ppm": 4,
    "seconds": 4,
    "throws": 4,
    "number": 4,
    "low": 4,
    "high": 4,
}
texts = st.text(max_size=40)
ids = st.integers(1, 2**63 - 1)
cards = st.sampled_from(deck(joker=True))
face_down = st.builds(FaceDown, st.none() | cards)


def of(cls: type[Any]) -> st.SearchStrategy[Any]:
    """Any value of that class."""
    hints = typing.get_type_hints(cls)
    fields = {field.name: value(field.name, hints[field.name], cls) for field in dataclasses.fields(cls)}
    return st.builds(cls, **fields)


def value(name: str, hint: Any, cls: type[Any]) -> st.SearchStrategy[Any]:
    """Any value of a field."""
    arguments = typing.get_args(hint)
    if type(None) in arguments:
        (inner,) = (it for it in arguments if it is not type(None))
        return st.none() | value(name, inner, cls)
    if typing.get_origin(hint) is tuple:
        return st.lists(value(name, arguments[0], cls), max_size=20).map(tuple)
    if hint is Money:
        return st.integers(0, 2**64 - 1).map(Money)
    if hint is int:
        if name == "command":
            return st.integers(0, 2**64 - 1)
        width = 1 if cls.__name__ == "DispenseStack" else BYTES.get(name, 2)
        return st.integers(0, (1 << 8 * width) - 1)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: texts,
        bool: st.booleans(),
        Card: cards,
        FaceDown: face_down,
        Die: st.deferred(lambda: of(Die)),
    }
    return plain[hint]


MESSAGE_CLASSES = tuple(cls for cls in typing.get_args(Message) if cls not in (LinkUp, LinkLost))
COMMAND_CLASSES = typing.get_args(Command)

messages: st.SearchStrategy[Message] = st.one_of([of(cls) for cls in MESSAGE_CLASSES])
commands: st.SearchStrategy[Command] = st.one_of([of(cls) for cls in COMMAND_CLASSES])
