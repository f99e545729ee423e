"""What is known of the equipment: links, faults that are latched, chips on the spots. A fold over inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tablectl.engine.inputs import DaemonStarted, Input
from tablectl.equipment import (
    Capability,
    Description,
    DeviceState,
    Fault,
    Kind,
    Lamp,
    LinkLost,
    LinkUp,
    Mode,
    WagerSpot,
)
from tablectl.records import record

__all__ = ["Latch", "Link", "Picture", "SavedLink", "SavedPicture", "Spot"]


@record
class Latch:
    """A fault that blocks the next round until a person with a badge clears it."""

    device: str
    fault: Fault
    message: str


@record
class Spot:
    """What lies on a wager's spot; `order` says when it came, in inputs since the picture began.

    `keyed`: the dealer said so on the panel, no sensor watches it.
    """

    seat: int
    wager: str
    amount: int | None
    order: int
    keyed: bool = False


@record
class SavedLink:
    """A link as a snapshot holds it."""

    device: str
    up: bool | None
    boot: str
    number: int
    description: Description | None
    state: DeviceState | None


@record
class SavedPicture:
    """A picture as a snapshot holds it."""

    links: tuple[SavedLink, ...]
    latches: tuple[Latch, ...]
    spots: tuple[Spot, ...]
    order: int


@dataclass(slots=True)
class Link:
    """One device as the engine sees it; `up` is None until it is known whether the device is there.

    `number` is that of its last message under `boot`.
    """

    kind: Kind
    up: bool | None = None
    boot: str = ""
    number: int = 0
    description: Description | None = None
    state: DeviceState | None = None

    def can(self, capability: Capability) -> bool:
        """Whether the device is there and said that it can do this."""
        return bool(self.up) and self.description is not None and capability in self.description.capabilities


@dataclass(slots=True)
class Picture:
    """The equipment of one table. `removed` are kinds whose device has left the table: it is not used or missed."""

    links: dict[str, Link]
    latches: list[Latch] = field(default_factory=list)
    spots: dict[tuple[int, str], Spot] = field(default_factory=dict)
    order: int = 0
    removed: tuple[str, ...] = ()

    def observe(self, given: Input) -> list[Latch]:
        """Take a message in; returns the faults that are new with it."""
        self.order += 1
        message = given.message
        if isinstance(message, DaemonStarted):
            for known in self.links.values():
                known.up = None
            return []
        link = self.links.get(given.device)
        if link is None:
            return []
        if given.number:
            link.boot, link.number = given.boot, given.number
        match message:
            case LinkUp(description):
                if given.boot != link.boot:
                    link.boot, link.number = given.boot, 0
                link.up, link.description = True, description
            case LinkLost(reason):
                link.up = False
                return self._latch(given.device, Fault.LOST, reason)
            case DeviceState(fault=Fault.SWAPPED | Fault.PROTOCOL as fault) if not given.number:
                return self._latch(given.device, fault, f"reports {fault}")  # found by its driver, not its own word
            case DeviceState():
                link.state = message
                return [new for fault, why in _doubts(message) for new in self._latch(given.device, fault, why)]
            case WagerSpot(seat, wager, present, amount):
                if present:
                    lies = self.spots.get((seat, wager))
                    if lies is None or lies.keyed or lies.amount != amount:  # told again, chips have not come anew
                        self.spots[seat, wager] = Spot(seat, wager, amount, self.order)
                else:
                    self.spots.pop((seat, wager), None)
            case _:
                pass
        return []

    def find(self, kind: Kind) -> str | None:
        """The id of the table's device of that kind, if it has one that was not removed."""
        for name, link in self.links.items():
            if link.kind is kind and kind.value not in self.removed:
                return name
        return None

    def usable(self, kind: Kind) -> Link | None:
        """The link of that kind's device if it is there now."""
        name = self.find(kind)
        return self.links[name] if name is not None and self.links[name].up else None

    def awaited(self, kind: Kind) -> bool:
        """Whether that kind's device belongs to the table and it is not yet known to be lost."""
        name = self.find(kind)
        return name is not None and self.links[name].up is not False

    def persists(self, latch: Latch) -> bool:
        """Whether the device itself still says what it was latched for."""
        link = self.links[latch.device]
        if latch.fault is Fault.LOST:
            return not link.up
        return bool(link.up) and link.state is not None and latch.fault in dict(_doubts(link.state))

    def clear(self, latch: Latch) -> None:
        """A person cleared that fault."""
        self.latches.remove(latch)

    def save(self) -> SavedPicture:
        """The part that outlives the round."""
        links = (SavedLink(name, x.up, x.boot, x.number, x.description, x.state) for name, x in self.links.items())
        return SavedPicture(tuple(links), tuple(self.latches), tuple(self.spots.values()), self.order)

    def load(self, saved: SavedPicture) -> None:
        """Begin from a saved picture; devices that the table does not have any more are left out."""
        for kept in saved.links:
            link = self.links.get(kept.device)
            if link is not None:
                link.up, link.boot, link.number = kept.up, kept.boot, kept.number
                link.description, link.state = kept.description, kept.state
        self.latches = list(saved.latches)
        self.spots = {(spot.seat, spot.wager): spot for spot in saved.spots}
        self.order = saved.order

    def latch_from_row(self, device: str, fault: str, message: str, *, is_set: bool) -> None:
        """Apply a journaled latch row."""
        if is_set:
            self._latch(device, Fault(fault), message)
        else:
            self.latches = [latch for latch in self.latches if (latch.device, latch.fault) != (device, fault)]

    def put(self, seat: int, wager: str, amount: int | None) -> None:
        """A wager that was keyed instead of seen."""
        self.spots[seat, wager] = Spot(seat, wager, amount, self.order, keyed=True)

    def forget_keyed(self) -> None:
        """A round is over: wagers that nothing but the dealer's word put on the layout are gone."""
        self.spots = {place: spot for place, spot in self.spots.items() if not spot.keyed}

    def _latch(self, device: str, fault: Fault, message: str) -> list[Latch]:
        link = self.links.get(device)
        if link is not None and link.kind.value in self.removed:
            return []
        if any(latch.device == device and latch.fault is fault for latch in self.latches):
            return []
        latch = Latch(device, fault, message)
        self.latches.append(latch)
        return [latch]


def _doubts(state: DeviceState) -> Iterator[tuple[Fault, str]]:
    """Faults, red, blinking and unknown lights, tampering: doubt stops play."""
    if state.tamper:
        yield Fault.TAMPER, "tamper switch open"
    if state.lamp in (Lamp.RED, Lamp.UNKNOWN) or state.blinking:
        yield Fault.RED_LIGHT, f"{state.lamp} light{' blinking' if state.blinking else ''}"
    if state.mode in (Mode.SERVICE, Mode.SORT, Mode.UNKNOWN):
        yield Fault.WRONG_MODE, f"{state.mode} mode"
    if state.fault is not None:
        yield state.fault, f"reports {state.fault}"
