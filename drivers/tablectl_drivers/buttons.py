"""Buttons as levels: each is filtered by itself, so that what a contact does is told apart from what a finger does.

It does no I/O and reads no clock; `now` is in seconds of any steady clock and never runs back. `level` takes what the
device says of one button, `tick` is due at `deadline`; both give what a finger has done, in the order in which it did.

::

             press_s                       release_s
    ________|‾‾|‾‾‾‾‾‾‾‾‾‾‾‾‾‾|_|‾|__________|________    level
               Pressed                       Released

A button is pressed when its level has been down for `press_s`, and comes up when it has been up for `release_s`: a
contact that bounces in between is neither. A button that is down for `stuck_s` is stuck, which is said once; a device
that repeats a held button says nothing new.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = ["PRESS_S", "RELEASE_S", "STUCK_S", "Act", "Buttons", "Freed", "Pressed", "Released", "Stuck"]

PRESS_S: Final = 0.005
RELEASE_S: Final = 0.02
STUCK_S: Final = 10.0
_NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Pressed:
    """A finger has pressed the button."""

    key: str


@dataclass(frozen=True, slots=True)
class Released:
    """The finger has left the button."""

    key: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """The button is down for too long to be pressed by anybody."""

    key: str


@dataclass(frozen=True, slots=True)
class Freed:
    """No button is stuck any more; `key` was the last."""

    key: str


Act: TypeAlias = Pressed | Released | Stuck | Freed


@dataclass(slots=True)
class _Button:
    """`down` is what is believed, `raw` what the device said last, `since` when that began to differ."""

    down: bool = False
    raw: bool = False
    since: float = 0.0
    stuck_at: float = _NEVER
    stuck: bool = False


class Buttons:
    """All buttons of one device; those that were never heard of are up."""

    def __init__(self, *, press_s: float = PRESS_S, release_s: float = RELEASE_S, stuck_s: float = STUCK_S) -> None:
        self._press_s = press_s
        self._release_s = release_s
        self._stuck_s = stuck_s
        self._buttons: dict[str, _Button] = {}

    @property
    def stuck(self) -> tuple[str, ...]:
        """The buttons that are stuck, in alphabetical order."""
        return tuple(sorted(key for key, button in self._buttons.items() if button.stuck))

    def reset(self, down: Iterable[str], now: float) -> list[Act]:
        """The device has been opened, with the buttons of `down` down: nobody has pressed them, but they may be stuck.

        What was stuck and is not down any more is freed.
        """
        before = self.stuck
        held = set(down)
        self._buttons = {
            key: _Button(True, True, now, _NEVER if key in before else now + self._stuck_s, key in before)
            for key in sorted(held)
        }
        return [Freed(before[-1])] if before and not self.stuck else []

    def level(self, key: str, down: bool, now: float) -> list[Act]:
        """The device says that the button `key` is down, or up."""
        acts = self.tick(now)
        if not down and key not in self._buttons:
            return acts  # as it was: only what is down, or has been a moment ago, is looked at
        button = self._buttons.setdefault(key, _Button())
        if button.raw is not down:
            button.raw = down
            button.since = now
            if down and not button.down:
                button.stuck_at = now + self._stuck_s
            acts += self.tick(now)  # a filter of no length is over at once
        return acts

    def tick(self, now: float) -> list[Act]:
        """What has become certain up to `now`."""
        acts: list[Act] = []
        while (due := self._next())[0] <= now:
            acts += self._settle(due[1], due[0])
        return acts

    def deadline(self) -> float:
        """When to call `tick`; infinity while nothing is waited for."""
        return self._next()[0]

    def _next(self) -> tuple[float, str]:
        return min(((self._due(button), key) for key, button in self._buttons.items()), default=(_NEVER, ""))

    def _due(self, button: _Button) -> float:
        settled = button.since + (self._press_s if button.raw else self._release_s)
        waits = button.raw is not button.down
        return min(settled if waits else _NEVER, button.stuck_at if button.down else _NEVER)

    def _settle(self, key: str, at: float) -> list[Act]:
        button = self._buttons[key]
        if button.down and button.stuck_at <= at:
            button.stuck_at = _NEVER
            button.stuck = True
            return [Stuck(key)]
        button.down = button.raw
        if button.down:
            return [Pressed(key)]
        freed = button.stuck
        del self._buttons[key]
        return [Released(key), Freed(key)] if freed and not self.stuck else [Released(key)]
