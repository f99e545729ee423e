"""What is wrong with a configuration file: every finding with its file, line and key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Self, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from tablectl.errors import ConfigurationError

__all__ = ["Findings", "Key", "Problem", "Section", "guess", "key_lines"]

Key = tuple[str, ...]
"""A key by its parts: ``("devices", "shoe", "port")``."""

_HEADER: Final = re.compile(r"\s*\[\[?\s*(?P<name>[^\[\]]+?)\s*\]\]?\s*(#.*)?")
_ASSIGNMENT: Final = re.compile(r"""\s*(?P<name>[A-Za-z0-9_\-."' ]+?)\s*=""")


class Section(BaseModel):
    """Base of a section of the file; a field's description says what is expected, as in ``expected DESCRIPTION``."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Problem(str):
    """One problem as one line of text; its parts are attributes. `line` is None where no line bears the key."""

    __slots__ = ("file", "key", "line", "message")

    file: str
    line: int | None
    key: str
    message: str

    def __new__(cls, file: Path, line: int | None, key: str, message: str) -> Self:
        """Put the parts together: ``FILE:LINE: KEY: MESSAGE``."""
        where = f"{file}:{line}" if line is not None else f"{file}"
        made = super().__new__(cls, f"{where}: {key}: {message}" if key else f"{where}: {message}")
        made.file, made.line, made.key, made.message = str(file), line, key, message
        return made


class Findings:
    """Collects the problems of one file."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self._lines = key_lines(text)
        self._problems: list[Problem] = []

    def add(self, key: Sequence[str], message: str) -> None:
        """Take note of a problem with that key; its line is that of the key or of the nearest section around it."""
        parts = tuple(key)
        line = next((self._lines[parts[:n]] for n in range(len(parts), 0, -1) if parts[:n] in self._lines), None)
        self._problems.append(Problem(self.file, line, ".".join(parts), message))

    def add_invalid(self, section: Sequence[str], model: type[BaseModel], error: ValidationError) -> set[str]:
        """Take note of everything that pydantic found in a section; returns the section's keys that are faulty."""
        for fault in error.errors(include_url=False):
            place = tuple(str(part) for part in fault["loc"])
            self.add((*section, *place), _words(model, place, fault["type"], fault["msg"], fault["input"]))
        return {str(fault["loc"][0]) for fault in error.errors() if fault["loc"]}

    def __bool__(self) -> bool:
        return bool(self._problems)

    def error(self) -> ConfigurationError:
        """All problems, in the order of the file."""
        in_order: list[Problem] = sorted(self._problems, key=lambda problem: problem.line or 0)
        return ConfigurationError(in_order)


def guess(word: str, known: Iterable[str]) -> str:
    """``did you mean 'x'?`` for a word that is near a known one, else which are known."""
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(names)}"


def key_lines(text: str) -> dict[Key, int]:
    """The line of each section and key, by a simple search: what stands in an inline table has none of its own."""
    found: dict[Key, int] = {}
    section: Key = ()
    closing: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if closing is not None:
            closing = None if closing in line else closing
            continue
        if header := _HEADER.fullmatch(line):
            section = _parts(header["name"])
            found.setdefault(section, number)
        elif assignment := _ASSIGNMENT.match(line):
            found.setdefault((*section, *_parts(assignment["name"])), number)
            closing = next((mark for mark in ('"""', "'''") if line.count(mark) == 1), None)
    return found


def _parts(name: str) -> Key:
    return tuple(part.strip().strip("\"'") for part in name.split("."))


def _words(model: type[BaseModel], place: Key, kind: str, message: str, found: Any) -> str:
    """A fault of pydantic's in words for whoever wrote the file."""
    inner, field = _at(model, place)
    if kind == "extra_forbidden":
        return f"unknown key: {guess(place[-1], inner.model_fields)}"
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    what = "missing" if kind == "missing" else f"found {_show(found)}"
    if issubclass(inner, Section) and field is not None:
        return f"{what}: expected {field.description}"
    return f"{what}: {message[0].lower()}{message[1:]}"


def _at(model: type[BaseModel], place: Key) -> tuple[type[BaseModel], FieldInfo | None]:
    """The innermost model on the way to that place, and its field there, if it has one."""
    field = None
    for depth, part in enumerate(place, 1):
        field = model.model_fields.get(part)
        inner = None if field is None else _nested(field.annotation)
        if inner is None or depth == len(place):
            break
        model = inner
    return model, field


def _nested(annotation: Any) -> type[BaseModel] | None:
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
