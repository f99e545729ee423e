"""What keeps surveillance from being told and needs a person: latched until somebody has looked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import structlog

__all__ = ["Alarm", "AlarmKind", "Alarms"]

log = structlog.get_logger()


class AlarmKind(StrEnum):
    """Why surveillance is not told."""

    PUBLISH_REFUSED = "publish_refused"
    CONNECTION_REFUSED = "refused"
    CERTIFICATE = "certificate"
    TAKEN_OVER = "taken_over"
    UNKNOWN_EVENT = "unknown_event"


@dataclass(frozen=True, slots=True)
class Alarm:
    """One latched alarm: `message` is the first occurrence in words for a person, `count` how often it happened."""

    kind: AlarmKind
    message: str
    count: int = 1


class Alarms:
    """The alarms that nobody has cleared; `told` is called once for each, what follows is counted."""

    def __init__(self, told: Callable[[Alarm], None]) -> None:
        self._told = told
        self._latched: dict[AlarmKind, Alarm] = {}

    @property
    def latched(self) -> Mapping[AlarmKind, Alarm]:
        """The alarms by their kinds."""
        return self._latched

    def raise_(self, kind: AlarmKind, message: str) -> None:
        """It has happened."""
        if (alarm := self._latched.get(kind)) is not None:
            self._latched[kind] = replace(alarm, count=alarm.count + 1)
            return
        alarm = self._latched[kind] = Alarm(kind, message)
        log.error("surveillance_alarm", kind=kind.value, message=message)
        self._told(alarm)

    def clear(self, kind: AlarmKind) -> None:
        """Somebody has looked; the next occurrence raises it again."""
        self._latched.pop(kind, None)
