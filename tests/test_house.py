"""House rules that no linter knows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("tablectl", "drivers/tablectl_drivers", "hil/tablectl_hil")
NOT_OURS = {".git", ".venv", "dist", "__pycache__", ".hypothesis"}
MAX_FUNCTION = 70
MAX_MODULE = 600
# The brackets keep this line from breaking its own rule.
ELSEWHERE = re.compile(r"/(?:tmp|root|home|work)/\w|p[y]pi|python[h]osted|registry[.]npm|deb[.]debian")


def files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in NOT_OURS or path.name.endswith("_cache") or path.name.startswith(".bench-"):
            continue
        if path.is_dir():
            yield from files(path)
        elif path.is_file():  # a pty that somebody has linked here would never come to an end
            yield path


@cache
def texts() -> dict[Path, str]:
    """Every text file of the project by its path from the root."""
    found = {}
    for path in files(ROOT):
        try:
            found[path.relative_to(ROOT)] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return found


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    """The parsed modules of the shipped packages."""
    shipped = {path: text for path, text in texts().items() if path.as_posix().startswith(PACKAGES)}
    return [(path, ast.parse(text)) for path, text in shipped.items() if path.suffix == ".py"]


def test_nothing_names_one_machine_or_a_registry() -> None:
    assert len(texts()) > 10
    found = [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts().items()
        for number, line in enumerate(text.splitlines(), 1)
        if ELSEWHERE.search(line)
    ]
    assert found == []


def test_functions_are_short() -> None:
    found = [
        f"{path}:{node.lineno}: {node.name}"
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= MAX_FUNCTION
    ]
    assert found == [], f"over {MAX_FUNCTION} lines: look for the second idea"


def test_modules_are_short() -> None:
    lengths = {path: texts()[path].count("\n") for path, _ in modules()}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_MODULE} == {}, "look for the second idea"


def test_emulators_are_imported_lazily() -> None:
    """A table in service has no emulators: only a command that needs them imports them, inside a function."""
    found = [
        f"{path}:{node.lineno}"
        for path, tree in modules()
        if path.parts[0] == "tablectl"
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom) and "tablectl_hil" in ast.unparse(node)
    ]
    assert found == []
