"""Keys of the panel, and how names are shown on it."""

from __future__ import annotations

from tablectl.engine.desk import Desk
from tablectl.engine.inputs import Input
from tablectl.equipment import KeyPressed

__all__ = ["key_of_press", "lost_or", "words"]


def key_of_press(given: Input) -> str | None:
    """The panel's key that was pressed, if it was one."""
    return given.message.key if isinstance(given.message, KeyPressed) else None


def lost_or(desk: Desk, device: str, text: str) -> str:
    """What is asked while a device acts, or that it is lost and what is to be done about it."""
    lost = desk.picture.links[device].up is False
    return f"{words(device)} LOST: WAIT, OR IRREGULARITY" if lost else text


def words(name: str) -> str:
    """An identifier as the panel shows it."""
    return name.replace("_", " ").upper()
