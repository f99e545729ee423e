"""Keys of the panel, and how names are shown on it."""

from __future__ import annotations

from tablectl.engine.inputs import Input
from tablectl.equipment import KeyPressed

__all__ = ["key_of_press", "words"]


def key_of_press(given: Input) -> str | None:
    """The panel's key that was pressed, if it was one."""
    return given.message.key if isinstance(given.message, KeyPressed) else None


def words(name: str) -> str:
    """An identifier as the panel shows it."""
    return name.replace("_", " ").upper()
