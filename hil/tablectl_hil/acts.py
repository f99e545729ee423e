"""Acts: what a person at the table does to equipment, or a fault that is wanted.

An act is a method marked `act`. It is called by its name, with JSON arguments that are read by its annotations.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any, TypeVar

from tablectl.errors import DecodeError, Misuse
from tablectl.records import decode

__all__ = ["CannotBeDone", "act", "acts_of", "arguments_of", "perform_act"]

F = TypeVar("F", bound=Callable[..., Any])


class CannotBeDone(Misuse):
    """An act that the equipment does not know, or that cannot be done to it now."""


def act(method: F) -> F:
    """Mark a method as something that can be done to the equipment from outside."""
    method.is_act = True  # type: ignore[attr-defined]
    return method


def perform_act(target: object, name: str, arguments: dict[str, Any]) -> Any:
    """Call the act `name` of `target` with JSON arguments; `CannotBeDone` names what is wrong with them."""
    values = arguments_of(type(target), name, arguments)
    return getattr(target, name)(**values)


def arguments_of(kind: type, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """JSON arguments as the act `name` of that class takes them; `CannotBeDone` names what is wrong."""
    if name not in acts_of(kind):
        raise CannotBeDone(f"{kind.__name__} knows no act {name!r}: it knows {', '.join(acts_of(kind))}")
    method = getattr(kind, name)
    hints = typing.get_type_hints(method)
    try:
        values = {key: decode(hints[key], value) for key, value in arguments.items() if key in hints}
        inspect.signature(method).bind(kind, **{**arguments, **values})
    except (DecodeError, TypeError) as error:
        raise CannotBeDone(f"{name}: {error}") from None
    return values


def acts_of(target: object) -> list[str]:
    """The names of all acts of `target`, which may be a class."""
    kind = target if isinstance(target, type) else type(target)
    return sorted(name for name, member in inspect.getmembers(kind) if getattr(member, "is_act", False))
