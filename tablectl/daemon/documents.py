"""The retained documents that say how the table stands now, made from what the running table knows."""

from __future__ import annotations

from datetime import UTC, datetime

from tablectl.devices import Device, LinkState
from tablectl.engine.live import Status
from tablectl.engine.picture import Link
from tablectl.equipment import Lamp, Mode
from tablectl.surveillance.models import DeviceStatus, Latch, Stranger, TableState

__all__ = ["Latched", "device_document", "state_document"]


class Latched:
    """Since when each fault is latched, as this process saw it."""

    def __init__(self) -> None:
        self._since: dict[tuple[str, str], str] = {}

    def documents(self, status: Status) -> tuple[Latch, ...]:
        """The latched faults of a status."""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        known = {(device, fault) for device, fault, _message in status.latches}
        self._since = {place: since for place, since in self._since.items() if place in known}
        return tuple(
            Latch(
                device=device,
                fault=fault,
                message=message,
                since=self._since.setdefault((device, fault.value), now),
            )
            for device, fault, message in status.latches
        )


def state_document(
    game: str, boot: str, status: Status, latched: Latched, strangers: tuple[Stranger, ...] | None
) -> TableState:
    """Topic ``state``."""
    return TableState(
        boot=boot,
        game=game,
        round=status.round or None,
        stage=status.stage,
        prompt=status.prompt.line(),
        keys=status.prompt.lit,
        latches=latched.documents(status),
        connected=tuple(name for name, up in status.links.items() if up),
        missing=tuple(name for name, up in status.links.items() if not up),
        sequence=status.sequence,
        strangers=strangers,
    )


def device_document(device: Device, link: Link | None) -> DeviceStatus:
    """Topic ``device/ID``."""
    health, description = device.health(), device.description
    state = None if link is None else link.state
    return DeviceStatus(
        id=device.id,
        kind=device.kind,
        connected=health.state is LinkState.UP,
        model=None if description is None else description.model,
        serial=None if description is None else description.serial,
        firmware=None if description is None else description.firmware,
        mode=Mode.UNKNOWN if state is None else state.mode,
        lamp=Lamp.UNKNOWN if state is None else state.lamp,
        blinking=state is not None and state.blinking,
        cards_inside=None if state is None else state.cards_inside,
        tamper=state is not None and state.tamper,
        fault=None if state is None else state.fault,
        retransmits=health.retransmits,
        bad_frames=health.bad_frames,
        round_trip_ms=health.round_trip_ms,
    )
