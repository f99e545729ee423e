"""What a control panel's conversation with a reader leads to, and what it has to be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tablectl_drivers.osdp.contents import Capabilities, Card, CardText, Identity

__all__ = [
    "Found",
    "Happening",
    "KeyGiven",
    "KeyUnusable",
    "Lost",
    "Presented",
    "Refused",
    "Status",
    "Timing",
    "Unreadable",
]


class KeyUnusable(Exception):
    """The base key cannot be had; the text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds: between polls, until a reader is lost, and the first and longest pause before a lost one is tried."""

    poll: float
    lost_after: float
    retry: float
    retry_max: float


@dataclass(frozen=True, slots=True)
class Status:
    """Case, power and heads of the reader."""

    tamper: bool
    power_failed: bool
    head_missing: bool


@dataclass(frozen=True, slots=True)
class Found:
    """The reader has said what it is and how it is; cards are taken from now on. Again after each new beginning."""

    identity: Identity
    capabilities: Capabilities
    status: Status


@dataclass(frozen=True, slots=True)
class Presented:
    """A card was held to the reader."""

    card: Card | CardText


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A card was held to the reader, and what it says of it has not the form of a card."""

    reason: str


@dataclass(frozen=True, slots=True)
class KeyGiven:
    """The reader had its maker's key and has taken ours; it is asked to prove it."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing valid has come for too long; said once."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """What answers must not be used; `ours`: it cannot be, for want of a key on our side."""

    reason: str
    ours: bool = False


Happening: TypeAlias = Found | Status | Presented | Unreadable | KeyGiven | Lost | Refused
