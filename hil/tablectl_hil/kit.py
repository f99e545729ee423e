"""What the people at an emulated table have to do with: its equipment, what they see of it, and what they do to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablectl.engine.prompts import Prompt

__all__ = ["Act", "Kit", "View"]


@dataclass(frozen=True, slots=True)
class Kit:
    """Which equipment the table has: ids of devices, None for what it lacks."""

    shoe: str | None = None
    dispenses: bool = False
    reads: bool = False
    shuffler: str | None = None
    wagers: str | None = None
    scanner: str | None = None
    reader: str | None = None
    card_reader: str | None = None
    progressive: str | None = None
    extra_roll: str | None = None
    shaker: str | None = None
    rng: str | None = None
    panel: str = "panel"

    @property
    def devices(self) -> tuple[str, ...]:
        """The ids of all of it."""
        ids = (self.panel, self.shoe, self.shuffler, self.wagers, self.scanner, self.reader, self.card_reader)
        return tuple(id for id in (*ids, *self.systems.values(), self.shaker, self.rng) if id is not None)

    @property
    def systems(self) -> dict[str, str]:
        """The systems that accept wagers, by the wager that each accepts."""
        ids = {"progressive": self.progressive, "extra_roll": self.extra_roll}
        return {wager: id for wager, id in ids.items() if id is not None}


@dataclass(frozen=True, slots=True)
class View:
    """What can be seen: the panel, and devices that wait for a hand (id to order)."""

    prompt: Prompt
    told: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Act:
    """One act on one device. `shows`: the panel changes when it has been understood, so wait for that."""

    device: str
    name: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    shows: bool = True
