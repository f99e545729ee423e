"""The certificate holder's Rules Submission for each game, its paytables, and the clauses that both rest on.

A submission is read by pydantic (a wrong type or an unknown key is not well formed), asked for its objections (what the
regulation forbids, each with the clause), and turned into a frozen dataclass before the first round.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NewType

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PlainSerializer,
    WithJsonSchema,
    field_validator,
)
from pydantic.json_schema import GenerateJsonSchema

from tablectl.errors import DecodeError, Forbidden
from tablectl.money import Money, Odds, dollars, odds, show

__all__ = [
    "Cite",
    "Dollars",
    "Objection",
    "OddsText",
    "Option",
    "Paytable",
    "Submission",
    "chosen",
    "cite",
    "option",
    "refuse",
]

Cite = NewType("Cite", str)
"""A clause of 58 Pa. Code, to its letter: ``565.11(d)(2)``."""

_CLAUSE: Final = re.compile(r"\d{3}a?\.\d{1,2}(\([a-zA-Z0-9]+\))*", re.ASCII)


@functools.cache
def cite(clause: str) -> Cite:
    """That clause, checked for its form."""
    if _CLAUSE.fullmatch(clause) is None:
        raise ValueError(f"{clause!r} is no clause: expected a form such as 565.11(d)(2)")
    return Cite(clause)


def _money(value: object) -> object:
    if isinstance(value, str):
        try:
            return dollars(value)
        except DecodeError as error:
            raise ValueError(str(error)) from None
    raise ValueError(f'{value!r} is not an amount: expected dollars with two decimals as text, such as "10.00"')


def _odds(value: object) -> object:
    if isinstance(value, Odds):
        return value
    if isinstance(value, str):
        try:
            return odds(value)
        except DecodeError as error:
            raise ValueError(str(error)) from None
    raise ValueError(f'{value!r} are no odds: expected text such as "35:1"')


Dollars = Annotated[Money, BeforeValidator(_money), PlainSerializer(show, return_type=str)]
"""An amount in a document: dollars with two decimals as text; integer cents inside."""

OddsText = Annotated[
    InstanceOf[Odds], BeforeValidator(_odds), PlainSerializer(str, return_type=str), WithJsonSchema({"type": "string"})
]
"""Odds in a document: text such as ``"35:1"``."""


@dataclass(frozen=True, slots=True)
class Objection:
    """What the regulation forbids in a submission or a table's set-up: the key, why, and the clause."""

    key: str
    message: str
    cite: Cite


def refuse(objections: Iterable[Objection]) -> None:
    """Raise `Forbidden` for the first objection, if there is one."""
    for objection in objections:
        raise Forbidden(f"{objection.key}: {objection.message}", cite=objection.cite, stage="RULES")


@dataclass(frozen=True, slots=True)
class Paytable:
    """One paytable of a wager: rows from the highest hand down, each with its odds as text."""

    wager: str
    id: str
    cite: Cite
    rows: tuple[tuple[str, str], ...]


def chosen(tables: Sequence[Paytable], **choices: str | bool) -> tuple[Paytable, ...]:
    """The tables without those that are not filed: of each wager that is named, the one of that id, or none for False.

    An id may go on after a blank, where there are several tables of one kind (``A $5``).
    """
    return tuple(
        table
        for table in tables
        if choices.get(table.wager, True) is True or table.id.partition(" ")[0] == choices[table.wager]
    )


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of the Rules Submission: key, shipped default, permitted values (or their form) and clause."""

    key: str
    default: Any
    values: tuple[str, ...]
    cite: Cite | None
    help: str


def option(default: Any, clause: str | None, help: str, **more: Any) -> Any:
    """A field of a submission with its shipped default, its clause and one line of help."""
    extra: dict[str, Any] = {} if clause is None else {"cite": cite(clause)}
    return Field(default, description=help, json_schema_extra=extra, validate_default=True, **more)


class Submission(BaseModel):
    """Base of every game's Rules Submission: what all games file. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    smallest_chip: Dollars = option("1.00", None, "smallest chip in use; roundings go to its multiples")

    @field_validator("smallest_chip")
    @classmethod
    def _some_chip(cls, value: Money) -> Money:
        if value <= 0:
            raise ValueError("expected an amount above zero")
        return value

    def objections(self) -> Iterator[Objection]:
        """What the regulation forbids in it; nothing when it may be filed."""
        return iter(())

    def filed(self) -> Any:
        """The submission as the game's round of play uses it: a frozen dataclass."""
        raise NotImplementedError

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """Every paytable that can be filed, with its clause."""
        raise NotImplementedError

    def posted(self) -> Sequence[Paytable]:
        """The paytables that a table with this submission posts: those of what it offers, as they are filed."""
        return self.paytables()

    def terms(self) -> Iterator[tuple[str, str, Cite]]:
        """What its sign has to say beside the paytables: heading, text, and the clause."""
        return iter(())

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """Every option that can be filed, with its default and clause."""
        defaults = cls().model_dump(mode="json")
        properties: Mapping[str, Any] = cls.model_json_schema(schema_generator=_Schema)["properties"]
        return tuple(
            Option(key, defaults[key], _values(schema), schema.get("cite"), schema["description"])
            for key, schema in properties.items()
        )


class _Schema(GenerateJsonSchema):
    """Writes odds that are a default as a document has them."""

    def encode_default(self, dft: Any) -> Any:
        return str(dft) if isinstance(dft, Odds) else super().encode_default(dft)


def _values(schema: Mapping[str, Any]) -> tuple[str, ...]:
    if "enum" in schema:
        return tuple(str(value) for value in schema["enum"])
    if "const" in schema:
        return (str(schema["const"]),)
    if schema.get("type") == "boolean":
        return ("false", "true")
    choices = (*schema.get("oneOf", ()), *schema.get("anyOf", ()))
    return tuple(value for choice in choices for value in _values(choice))
