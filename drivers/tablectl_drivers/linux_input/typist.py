"""A badge's number as a reader types it: digits and letters, and the enter key at the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tablectl_drivers.linux_input.codes import CHARACTERS, ENDS, MODIFIERS

__all__ = ["Spoiled", "Typed", "Typist"]

_LONGEST: Final = 64


@dataclass(frozen=True, slots=True)
class Typed:
    """A whole number."""

    number: str


@dataclass(frozen=True, slots=True)
class Spoiled:
    """Something else than a number; `reason` says nothing of what was typed."""

    reason: str


@dataclass(slots=True)
class Typist:
    """Collects keys; a pause of more than `gap` seconds between two ends a number that has no end, and spoils it.

    `length` is how many characters a number has, 0 for 1 to 64.
    """

    gap: float
    length: int = 0
    _typed: list[str] = field(default_factory=list)
    _strange: bool = False
    _last: float = 0.0

    def down(self, code: int, now: float) -> list[Typed | Spoiled]:
        """A key went down."""
        found = self.tick(now)
        if code in MODIFIERS:
            return found
        self._last = now
        if code in ENDS:
            return [*found, self._end()]
        character = CHARACTERS.get(code)
        if character is None or len(self._typed) > _LONGEST:
            self._strange = True
        else:
            self._typed.append(character)
        return found

    def tick(self, now: float) -> list[Typed | Spoiled]:
        """What has become of it up to `now`."""
        if now < self.deadline():
            return []
        self.forget()
        return [Spoiled("what was typed had no end")]

    def deadline(self) -> float:
        """When to call `tick`; infinity while nothing has been typed."""
        return self._last + self.gap if self._typed or self._strange else float("inf")

    def forget(self) -> None:
        """What was typed is nothing."""
        self._typed.clear()
        self._strange = False

    def _end(self) -> Typed | Spoiled:
        number, strange = "".join(self._typed), self._strange
        self.forget()
        if strange or not 1 <= len(number) <= _LONGEST:
            return Spoiled("what was typed was not letters and digits alone, or none, or too many")
        if self.length and len(number) != self.length:
            return Spoiled(f"{len(number)} characters were typed, expected {self.length}")
        return Typed(number)
