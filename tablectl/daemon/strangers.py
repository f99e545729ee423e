"""Strange USB devices: watched for, put on the record as alarms, and told for as long as they are there.

An alarm, and no latched fault: nothing at the table is out of order, and whoever has a USB stick at hand must not be
able to stop the game with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import structlog

from tablectl.devices.watcher import Appeared, Change, Plugged, Readable, Unreadable, Vanished, Watcher
from tablectl.events import AlarmRaised
from tablectl.surveillance.models import Stranger

__all__ = ["EVERY_S", "Strangers"]

EVERY_S: Final = 1.0
"""What is plugged in for a shorter time may not be seen."""

_SOURCE: Final = "usb"

log = structlog.get_logger(__name__)


class Strangers:
    """Looks every `every_s` seconds; `note` gets what goes on the record.

    Whoever watches may die: that is an alarm as well, and the table goes on.
    """

    def __init__(self, watcher: Watcher, note: Callable[[AlarmRaised], None], *, every_s: float = EVERY_S) -> None:
        self._watcher = watcher
        self._note = note
        self._every_s = every_s
        self._since: dict[Plugged, str] = {}
        self._died: str | None = None

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            try:
                changes = await self._watcher.look()
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
                if self._died != reason:
                    log.exception("usb_watcher_died")
                    self._unwatched(f"who watches for them has failed ({reason})")
                self._died = reason
            else:
                if self._died is not None:
                    self._died = None
                    self._tell(Readable())
                for change in changes:
                    self._tell(change)
            await asyncio.sleep(self._every_s)

    def documents(self) -> tuple[Stranger, ...] | None:
        """Who is there now, for the retained state; None while that is not known."""
        if self._died is not None or (there := self._watcher.strangers) is None:
            return None
        return tuple(
            Stranger(port=it.port, ids=it.ids, serial=it.serial, name=it.name, since=self._since[it])
            for it in sorted(there & self._since.keys(), key=lambda it: it.port)
        )

    def _tell(self, change: Change) -> None:
        match change:
            case Appeared(device):
                self._since[device] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
                log.error("usb_stranger", **_facts(device))
                self._alarm(
                    "stranger",
                    f"{device} is plugged in, and nobody has allowed it: find out who did that and what it is, and take"
                    f' it out; if it belongs there, add "{device.entry}" to usb.allow and start the table anew',
                )
            case Vanished(device, own):
                self._since.pop(device, None)
                log.warning("usb_stranger_gone", own=own, **_facts(device))
                found = "was no stranger: it is what the port of a configured device leads to"
                gone = "is not plugged in any more: find out who has taken it, and what it was there for"
                self._alarm("stranger_gone", f"{device} {found if own else gone}")
            case Unreadable(reason):
                log.warning("usb_not_watched", reason=reason)
                self._unwatched(reason)
            case Readable():
                log.info("usb_watched_again")
                self._alarm(
                    "watched", "strange USB devices are noticed again; what came and went meanwhile is not known"
                )

    def _unwatched(self, reason: str) -> None:
        self._alarm(
            "unwatched",
            f"strange USB devices are not noticed: {reason}; put that right, and watch the sockets meanwhile",
        )

    def _alarm(self, kind: str, message: str) -> None:
        self._note(AlarmRaised(_SOURCE, kind, message))


def _facts(device: Plugged) -> dict[str, str | None]:
    return {"ids": device.ids, "serial": device.serial, "port": device.port, "name": device.name}
