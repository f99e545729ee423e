"""Procedures and games are functions of what they are fed: no sets, clocks, chance, globals, loops or caught control.

Their order must be the same in every process, and a replay must come to the same instructions. What the import layers
and the linter cannot see is looked for here in the syntax tree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from tablectl.games import GAME_IDS, game

PACKAGE = Path(__file__).parent.parent / "tablectl"
PURE = sorted(path for layer in ("procedure", "games") for path in (PACKAGE / layer).rglob("*.py"))
CITING = sorted([*PURE, *(PACKAGE / "rules").rglob("*.py")])

IMPURE = {"time", "datetime", "random", "secrets", "uuid", "os", "asyncio", "threading", "logging", "structlog"}
CONTROL = {"VoidRound": "rounds.py", "TableHalt": "rounds.py", "Interrupt": "irregularities.py"}
UNORDERED = {"set", "frozenset"}
CLAUSE = re.compile(r"\d{3}a?\.\d{1,2}(\([a-zA-Z0-9]+\))*", re.ASCII)


def listed_clauses() -> dict[str, set[str]]:
    """The clauses of each chapter as ``clauses.txt`` lists them."""
    found: dict[str, set[str]] = {}
    chapter = ""
    for line in (Path(__file__).parent / "clauses.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            found[chapter] |= {f"{chapter}.{clause}" for clause in line.split()}
        elif line and not line.startswith("#"):
            chapter = line
            found[chapter] = set()
    return found


CLAUSES = listed_clauses()


def faults(source: str, name: str) -> list[str]:
    """What makes this module impure, one line each."""
    tree = ast.parse(source)
    return [f"{name}:{getattr(node, 'lineno', 0)}: {what}" for node in ast.walk(tree) for what in found(node, name)]


def found(node: ast.AST, name: str) -> Iterator[str]:
    match node:
        case ast.Set() | ast.SetComp():
            yield "a set: its order differs between processes"
        case ast.Name(id=called) if called in UNORDERED:
            yield f"{called}: its order differs between processes"
        case ast.Import(names=modules):
            yield from (f"imports {m.name}" for m in modules if m.name.split(".")[0] in IMPURE)
        case ast.ImportFrom(module=str(module)) if module.split(".")[0] in IMPURE:
            yield f"imports {module}"
        case ast.Global() | ast.Nonlocal():
            yield "shares a variable"
        case ast.Attribute(attr="gather") | ast.Name(id="gather"):
            yield "gather: one instruction is outstanding at a time"
        case ast.Try() | ast.TryStar():
            if any(isinstance(inner, ast.Await | ast.AsyncFor | ast.AsyncWith) for inner in within(node.finalbody)):
                yield "awaits in finally"
        case ast.ExceptHandler():
            yield from caught(node, name)
        case ast.Call(func=ast.Name(id=called)) if called in ("id", "hash", "open", "print", "input", "eval", "exec"):
            yield f"calls {called}"


def within(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in statements:
        yield from ast.walk(statement)


def caught(handler: ast.ExceptHandler, name: str) -> Iterator[str]:
    if handler.type is None:
        yield "a bare except catches the control exceptions"
        return
    for node in ast.walk(handler.type):
        caught_name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if caught_name == "BaseException":
            yield "except BaseException catches the control exceptions"
        if caught_name in CONTROL and Path(name).parts[-2:] != ("procedure", CONTROL[caught_name]):
            yield f"catches {caught_name}"


def test_there_is_something_to_look_at() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in PURE}
    assert {"procedure/rounds.py", "procedure/irregularities.py", "games/three_card_poker.py"} <= names


@pytest.mark.parametrize("path", PURE, ids=[path.relative_to(PACKAGE).as_posix() for path in PURE])
def test_module_is_pure(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8"), path.relative_to(PACKAGE).as_posix()) == []


IMPURITIES = {
    "a literal set": "for seat in {1, 2}: pass",
    "a comprehension": "seats = {s for s in table}",
    "a set": "seats: object = set(table)",
    "a frozen set": "seats = frozenset()",
    "a clock": "import time",
    "a date": "from datetime import datetime",
    "a loop": "import asyncio.tasks",
    "a log": "import structlog",
    "a global": "def f():\n    global x\n    x = 1",
    "a shared variable": "def f():\n    x = 0\n    def g():\n        nonlocal x\n        x = 1",
    "gather": "async def f():\n    await asyncio.gather(a, b)",
    "an awaiting finally": "async def f():\n    try:\n        pass\n    finally:\n        if x:\n            await y",
    "a bare except": "try:\n    pass\nexcept:\n    pass",
    "a wide except": "try:\n    pass\nexcept (ValueError, BaseException):\n    pass",
    "a caught void": "try:\n    pass\nexcept VoidRound:\n    pass",
    "a caught halt": "try:\n    pass\nexcept (table.TableHalt, ValueError) as halt:\n    pass",
    "a caught interrupt": "try:\n    pass\nexcept* Interrupt:\n    pass",
    "a hash": "key = hash(card)",
}


@pytest.mark.parametrize("impurity", IMPURITIES)
def test_impurity_is_found(impurity: str) -> None:
    assert faults(IMPURITIES[impurity], "games/some_game.py") != []


def test_control_exceptions_are_caught_in_one_place_each() -> None:
    for control, module in CONTROL.items():
        source = f"try:\n    pass\nexcept {control}:\n    pass"
        assert faults(source, f"procedure/{module}") == []
        assert faults(source, f"games/{module}") != []
        assert faults(source, "procedure/dealing.py") != []


def cites(source: str) -> Iterator[tuple[int, str]]:
    """Every clause that is cited: by `cite("...")`, by an `option`, or written where a clause stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CLAUSE.fullmatch(node.value):
            yield node.lineno, node.value


def test_every_cited_clause_exists() -> None:
    """A clause of a chapter that is listed is in its list, to the letter."""
    cited = [
        (f"{path.relative_to(PACKAGE)}:{line}", clause)
        for path in CITING
        for line, clause in cites(path.read_text(encoding="utf-8"))
        if clause.split(".")[0] in CLAUSES
    ]
    assert len(cited) > 50
    assert [(where, clause) for where, clause in cited if clause not in CLAUSES[clause.split(".")[0]]] == []


def test_clauses_in_comments_exist() -> None:
    """Who has the text beside the code finds what a comment points to; a section's number alone will do."""
    unknown = []
    for path in CITING:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in re.finditer(r"\b(\d{3}a?)\.\d{1,2}(\([a-zA-Z0-9]+\))*", line):
                known = CLAUSES.get(match[1], {match[0]})
                if match[0] not in known | {clause.partition("(")[0] for clause in known}:
                    unknown.append(f"{path.relative_to(PACKAGE)}:{number}: {match[0]}")
    assert unknown == []


@pytest.mark.parametrize("name", GAME_IDS)
def test_clauses_in_a_games_data_exist(name: str) -> None:
    """Those that are put together from a chapter and a letter, too."""
    found = list(clauses_in(game(name)))
    assert len(found) > (30 if game(name).dice is None else 15), "a game of dice has no clauses of decks"
    chapter = game(name).chapter
    assert [clause for clause in found if clause not in CLAUSES[clause.split(".")[0]]] == []
    assert {clause.split(".")[0] for clause in found} == {chapter}


def clauses_in(value: object) -> Iterator[str]:
    """Every clause in a record, through its records, sequences and mappings."""
    if isinstance(value, str):
        if CLAUSE.fullmatch(value):
            yield value
    elif is_dataclass(value):
        for each in fields(value):
            yield from clauses_in(getattr(value, each.name))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from (*clauses_in(key), *clauses_in(each))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from clauses_in(each)
