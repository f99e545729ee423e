"""Frozen dataclasses as bytes: the fields in their order, each in its form, with nothing between and nothing after.

::

    u8 u16 u32 u64   unsigned, least significant byte first
    bool             one byte, 00 or 01
    text             length in bytes (u8), then UTF-8
    code             an enumeration's value: its number (u8)
    optional X       00, or 01 and X
    list of X        how many (u8), then each X
    rest             all bytes that are left

Every value has exactly one form. No error text of this module names a value: it could be a card that nobody at the
table has seen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from tablectl.errors import DecodeError

__all__ = [
    "BOOL",
    "REST",
    "TEXT",
    "U8",
    "U16",
    "U32",
    "U64",
    "Family",
    "Form",
    "Reader",
    "code",
    "composed",
    "listed",
    "optional",
]

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


class Reader:
    """Takes bytes apart from the front; `DecodeError` where they end too early."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """How many bytes have not been taken."""
        return len(self._data) - self._at

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        data = self._data[self._at : self._at + size]
        if len(data) != size:
            raise DecodeError(f"the data end {size - len(data)} bytes too early")
        self._at += size
        return data


@dataclasses.dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """How one value is written and read; `put` raises `ValueError` for a value that the form has no room for."""

    put: Callable[[bytearray, T], None]
    get: Callable[[Reader], T]


def _unsigned(size: int) -> Form[int]:
    def put(out: bytearray, value: int) -> None:
        if not 0 <= value < 1 << 8 * size:
            raise ValueError(f"a number does not fit into {size} bytes")
        out += value.to_bytes(size, "little")

    return Form(put, lambda data: int.from_bytes(data.take(size), "little"))


U8: Final = _unsigned(1)
U16: Final = _unsigned(2)
U32: Final = _unsigned(4)
U64: Final = _unsigned(8)


def _get_bool(data: Reader) -> bool:
    value = U8.get(data)
    if value > 1:
        raise DecodeError("the data have a truth value that is neither 0 nor 1")
    return bool(value)


def _put_text(out: bytearray, value: str) -> None:
    text = value.encode()
    U8.put(out, len(text))
    out += text


def _get_text(data: Reader) -> str:
    try:
        return data.take(U8.get(data)).decode()
    except UnicodeDecodeError:
        raise DecodeError("the data have a text that is no UTF-8") from None


def _put_rest(out: bytearray, value: bytes) -> None:
    out += value


BOOL: Final = Form(U8.put, _get_bool)
TEXT: Final = Form(_put_text, _get_text)
REST: Final = Form(_put_rest, lambda data: data.take(data.left))


def code(numbers: Mapping[E, int]) -> Form[E]:
    """An enumeration's value by its number, which it keeps for ever."""
    values = {number: value for value, number in numbers.items()}
    name = type(next(iter(numbers))).__name__

    def get(data: Reader) -> E:
        value = values.get(U8.get(data))
        if value is None:
            raise DecodeError(f"the data have a {name} that this version does not know")
        return value

    def put(out: bytearray, value: E) -> None:
        number = numbers.get(value)
        if number is None:
            raise ValueError(f"{name} {value} is not in this version of the link")
        out.append(number)

    return Form(put, get)


def composed(cls: type[T], *forms: Form[Any]) -> Form[T]:
    """A dataclass as its fields, one after the other."""
    keys = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    fields = tuple(zip(keys, forms, strict=True))

    def put(out: bytearray, value: T) -> None:
        for key, form in fields:
            form.put(out, getattr(value, key))

    return Form(put, lambda data: cls(*[form.get(data) for form in forms]))


def optional(form: Form[T]) -> Form[T | None]:
    """A value that may be missing."""

    def put(out: bytearray, value: T | None) -> None:
        BOOL.put(out, value is not None)
        if value is not None:
            form.put(out, value)

    return Form(put, lambda data: form.get(data) if BOOL.get(data) else None)


def listed(form: Form[T]) -> Form[tuple[T, ...]]:
    """At most 255 values."""

    def put(out: bytearray, values: tuple[T, ...]) -> None:
        U8.put(out, len(values))
        for value in values:
            form.put(out, value)

    return Form(put, lambda data: tuple(form.get(data) for _ in range(U8.get(data))))


class Family(Generic[T]):
    """Dataclasses that are told apart by one type byte in front of their fields."""

    def __init__(self, name: str, members: Mapping[int, tuple[type[T], tuple[Form[Any], ...]]]) -> None:
        """`members`: for each type byte the class and the forms of its fields, in the order of the fields."""
        self._name = name
        self._by_byte = dict(members)
        self._by_class: dict[type[T], tuple[int, tuple[tuple[str, Form[Any]], ...]]] = {}
        for byte, (cls, forms) in members.items():
            keys = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
            self._by_class[cls] = byte, tuple(zip(keys, forms, strict=True))

    def has(self, cls: type[T]) -> bool:
        """Whether that class is of the family."""
        return cls in self._by_class

    def put(self, out: bytearray, value: T) -> None:
        """Write `value`; `ValueError` when it is none of the family or has a field that does not fit."""
        known = self._by_class.get(type(value))
        if known is None:
            raise ValueError(f"{type(value).__name__} is no {self._name} of the link")
        byte, forms = known
        out.append(byte)
        for key, form in forms:
            form.put(out, getattr(value, key))

    def get(self, data: Reader) -> T:
        """Read one member."""
        member = self._by_byte.get(U8.get(data))
        if member is None:
            raise DecodeError(f"the data are a {self._name} that this version does not know")
        cls, forms = member
        return cls(*[form.get(data) for form in forms])

    def encode(self, value: T) -> bytes:
        """`value` with its type byte in front."""
        out = bytearray()
        self.put(out, value)
        return bytes(out)

    def decode(self, data: bytes) -> T:
        """The member that all of `data` is; `DecodeError` for anything but its one form."""
        reader = Reader(data)
        value = self.get(reader)
        if reader.left:
            raise DecodeError(f"the data have {reader.left} bytes too many")
        return value
