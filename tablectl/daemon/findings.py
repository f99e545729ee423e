"""What is wrong with a configuration file: every finding with its file, line and key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from tablectl.errors import ConfigurationError

__all__ = [
    "Findings",
    "Key",
    "Problem",
    "Section",
    "faulty_places",
    "guess",
    "key_lines",
    "known_keys",
    "not_toml",
    "right_keys",
    "without",
]

Key = tuple[str, ...]
"""A key by its parts: ``("devices", "shoe", "port")``."""

_HEADER: Final = re.compile(r"\s*\[\[?\s*(?P<name>[^\[\]]+?)\s*\]\]?\s*(#.*)?")
_TOML_AT: Final = re.compile(r" \(at (line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
_TOML_SAYS: Final = (
    (re.compile(r"Cannot overwrite a value"), "this key has a value already: keep one of the two"),
    (re.compile(r"Duplicate inline table key (.*)"), r"the key \1 stands there twice: keep one of the two"),
    (re.compile(r"Cannot declare \((.*?),?\) twice"), r"the section \1 is there already: put its keys into one"),
    (re.compile(r"Invalid value"), "this is no value: text stands in quotation marks"),
)
_DRIVER_SAYS: Final = re.compile(r"\[devices\.(?P<id>[^\]]+)\] (?:(?P<key>[\w-]+): )?(?P<message>.*)", re.DOTALL)
_DRIVER_KNOWS: Final = re.compile(r"unknown key: expected (?P<keys>[\w-]+(, [\w-]+)*)")
_ASSIGNMENT: Final = re.compile(r"""\s*(?P<name>[A-Za-z0-9_\-."' ]+?)\s*=""")


class Section(BaseModel):
    """Base of a section of the file; a field's description says what is expected, as in ``expected DESCRIPTION``."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


_FORMS: Final = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "string_type": "text",
    "list_type": "a list",
    "tuple_type": "a list",
}
"""What is expected where pydantic finds another type."""


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
        return {place[0] for place in faulty_places(error)}

    def add_from_driver(self, section: Sequence[str], problem: str) -> None:
        """Take note of what a driver says of its section, ``[devices.ID] KEY: MESSAGE``."""
        said = _DRIVER_SAYS.fullmatch(problem)
        if said is None or not said["key"]:
            self.add(section, problem if said is None else said["message"])
            return
        knows = _DRIVER_KNOWS.fullmatch(said["message"])
        message = f"unknown key: {guess(said['key'], knows['keys'].split(', '))}" if knows else said["message"]
        self.add((*section, said["key"]), message)

    def __bool__(self) -> bool:
        return bool(self._problems)

    def error(self) -> ConfigurationError:
        """All problems, in the order of the file."""
        in_order: list[Problem] = sorted(self._problems, key=lambda problem: problem.line or 0)
        return ConfigurationError(in_order)


def faulty_places(error: ValidationError) -> set[Key]:
    """The keys within a section at which pydantic found something."""
    return {tuple(str(part) for part in fault["loc"]) for fault in error.errors(include_url=False) if fault["loc"]}


def known_keys(model: type[Section], data: Mapping[str, Any]) -> dict[str, Any]:
    """Those keys of a section that are right, with defaults."""
    try:
        return dict(model.model_validate(data))
    except ValidationError as error:
        return right_keys(model, data, {place[0] for place in faulty_places(error)})


def right_keys(model: type[BaseModel], data: Mapping[str, Any], faulty: set[str]) -> dict[str, Any]:
    """The keys of a section without the faulty ones, with defaults."""
    left_out: dict[str, Any] = {name: (Any, None) for name in faulty if name in model.model_fields}
    relaxed = create_model("Relaxed", __base__=model, **left_out)
    right = relaxed.model_validate({name: value for name, value in data.items() if name not in faulty})
    return {name: value for name, value in right if name not in faulty}


def without(data: Mapping[str, Any], places: set[Key], at: Key = ()) -> dict[str, Any]:
    """The same document without what is at these places."""
    return {
        name: without(value, places, (*at, name)) if isinstance(value, dict) else value
        for name, value in data.items()
        if (*at, name) not in places
    }


def guess(word: str, known: Iterable[str]) -> str:
    """``did you mean 'x'?`` for a word that is near a known one, else which are known."""
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(names)}"


def not_toml(file: Path, said: str) -> Problem:
    """What the parser said, in our words where it is a usual slip, its line before it instead of behind."""
    where, words = _TOML_AT.search(said), _TOML_AT.sub("", said)
    if where is not None and where["line"] is None:
        return Problem(file, None, "", "this is not TOML: the file ends within a value or a section")
    for pattern, better in _TOML_SAYS:
        if found := pattern.fullmatch(words):
            words = found.expand(better)
    column = "" if where is None else f" (column {where['column']})"
    return Problem(file, None if where is None else int(where["line"]), "", f"this is not TOML: {words}{column}")


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
    clause = _clause(model, place)
    what = "missing" if kind == "missing" else f"found {_show(found)}"
    if kind == "value_error":
        said = message.removeprefix("Value error, ")
        return f"{said if repr(found) in said else f'{what}: {said}'}{clause}"
    if issubclass(inner, Section) and field is not None:
        return f"{what}: expected {field.description}"
    if kind == "literal_error" and field is not None:
        return f"{what}: {guess(str(found), map(str, get_args(field.annotation)))}{clause}"
    if kind == "model_type" and field is not None and (nested := _nested(field.annotation)) is not None:
        return f"{what}: expected a section with any of the keys {', '.join(nested.model_fields)}{clause}"
    expected = f"expected {_FORMS[kind]}" if kind in _FORMS else f"{message[0].lower()}{message[1:]}"
    return f"{what}: {expected}{clause}"


def _clause(model: type[BaseModel], place: Key) -> str:
    """The clause that a filed option stands on, in brackets behind what is said of it; empty for other keys."""
    field = model.model_fields.get(place[0]) if place else None
    extra = None if field is None else field.json_schema_extra
    return f" [{extra['cite']}]" if isinstance(extra, dict) and "cite" in extra else ""


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
