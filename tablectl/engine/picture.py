"""What is known of the equipment: links, faults that are latched, chips on the spots. A fold over inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tablectl.engine.background import Job, Jobs, claim_of
from tablectl.engine.inputs import CommandFailed, DaemonStarted, Input
from tablectl.equipment import (
    BatchInserted,
    Capability,
    CardLeft,
    Command,
    DeckRead,
    Description,
    DeviceState,
    DoorMoved,
    Fault,
    Kind,
    Lamp,
    LinkLost,
    LinkUp,
    Meter,
    MeterRules,
    Mode,
    SeatSensor,
    WagerSpot,
    nonsense,
)
from tablectl.equipment.sense import SAYS
from tablectl.procedure.instructions import DeckClaim, EquipmentChecked, Inside
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
    rules: MeterRules | None = None
    meter: Meter | None = None
    cards_left: int = 0


@record
class SavedPicture:
    """A picture as a snapshot holds it."""

    links: tuple[SavedLink, ...]
    latches: tuple[Latch, ...]
    spots: tuple[Spot, ...]
    order: int
    jobs: tuple[Job, ...] = ()
    claims: tuple[DeckClaim, ...] = ()
    inserted: bool = False
    batch: int = 0


@dataclass(slots=True)
class Link:
    """One device as the engine sees it; `up` is None until it is known whether the device is there.

    `number` is that of its last message under `boot`. `rules` and `meter` are what a progressive has said of its meter
    since it is there. `cards_left` is what a shoe counted last.
    """

    kind: Kind
    up: bool | None = None
    boot: str = ""
    number: int = 0
    description: Description | None = None
    state: DeviceState | None = None
    rules: MeterRules | None = None
    meter: Meter | None = None
    door_open: bool = False
    cards_left: int = 0

    def can(self, capability: Capability) -> bool:
        """Whether the device is there and said that it can do this."""
        return bool(self.up) and self.description is not None and capability in self.description.capabilities


@dataclass(slots=True)
class Picture:
    """The equipment of one table. `removed` are kinds whose device is out of service: it is not used or missed.

    `jobs` go on in the background; `claims` were made by devices by themselves and not looked at yet. `inserted`: cards
    were put into the shuffler since it last began to shuffle; `batch` is the number that it gave them, or 0.
    """

    links: dict[str, Link]
    latches: list[Latch] = field(default_factory=list)
    spots: dict[tuple[int, str], Spot] = field(default_factory=dict)
    order: int = 0
    removed: tuple[str, ...] = ()
    jobs: Jobs = field(default_factory=Jobs)
    claims: list[DeckClaim] = field(default_factory=list)
    inserted: bool = False
    batch: int = 0

    def observe(self, given: Input, acting: tuple[int, str, Command] | None = None) -> list[Latch]:
        """Take a message in; returns the faults that are new with it. `acting`: see `nonsense`."""
        self.order += 1
        message = given.message
        if isinstance(message, DaemonStarted):
            for known in self.links.values():
                known.up = known.meter = None
            return []
        link = self.links.get(given.device)
        if link is None:
            self.jobs.observe(given)
            return []
        if given.number:
            link.boot, link.number = given.boot, given.number
        wrong = nonsense(link.kind, message, acting)
        if wrong:
            return self._latch(given.device, Fault.PROTOCOL, wrong)
        self.jobs.observe(given)
        match message:
            case LinkUp(description):
                if given.boot != link.boot:
                    link.boot, link.number, link.cards_left = given.boot, 0, 0
                link.up, link.description, link.meter = True, description, None
            case LinkLost(reason):
                link.up, link.meter = False, None
                return self._latch(given.device, Fault.LOST, reason)
            case DeviceState(fault=Fault.SWAPPED | Fault.PROTOCOL as fault) if not given.number:
                return self._latch(given.device, fault, f"reports {fault}")  # found by its driver, not its own word
            case DeviceState():
                self._insert(link, message.cards_inside)
                link.state = message
                return [new for fault, why in _doubts(message) for new in self._latch(given.device, fault, why)]
            case MeterRules():
                link.rules = message
            case Meter():
                link.meter = message
            case SeatSensor() | WagerSpot():
                self._chips(link.kind, message)
            case DoorMoved(is_open):
                link.door_open = is_open and link.kind is not Kind.SHAKER  # whose lid is lifted at every throw
                return self._latch(given.device, Fault.DOOR_OPEN, "door opened") if link.door_open else []
            case _:
                self._cards(link, message)
        return []

    def believed(self, given: Input, acting: tuple[int, str, Command] | None) -> Input | None:
        """What the act that waits is given of a message: of an answer that makes no sense that there is none."""
        link = self.links.get(given.device)
        wrong = "" if link is None else nonsense(link.kind, given.message, acting)
        if link is None or not wrong:
            return given
        asked = getattr(given.message, "command", 0) if isinstance(given.message, SAYS[link.kind]) else 0
        return Input("", CommandFailed(asked, wrong)) if asked else None

    def _cards(self, link: Link, message: object) -> None:
        """A device tells of the cards in it by itself."""
        if isinstance(message, BatchInserted):
            self.inserted, self.batch = True, message.batch
        elif isinstance(message, DeckRead) and not message.command:
            self.claims.append(claim_of(link.kind.value, message))
        elif isinstance(message, CardLeft):
            link.cards_left = message.count

    def _insert(self, link: Link, inside: int | None) -> None:
        """Notice that cards were put into a shuffler that was empty."""
        was = None if link.state is None else link.state.cards_inside
        if link.kind is Kind.SHUFFLER and was == 0 and inside:
            self.inserted = True

    def begin_shuffle(self, device: str, command: Command, deck: str) -> None:
        """Let the shuffler shuffle the cards that were put in, while something else goes on."""
        self.jobs.begin(device, command, deck, self.batch)
        self.inserted, self.batch = False, 0

    def put_away(self, kind: str, *, away: bool) -> None:
        """A device of that kind is out of service, or in service again."""
        self.removed = tuple(known for known in self.removed if known != kind)
        if away:
            self.removed = (*self.removed, kind)
            for name, link in self.links.items():
                if link.kind.value == kind:
                    self.jobs.end(name)

    @property
    def blocking(self) -> list[Latch]:
        """Faults of shoe and shuffler with which no card is dealt; jams and lost links are put right as they come."""
        return [
            latch
            for latch in self.latches
            if latch.device in self.links
            and self.links[latch.device].kind in (Kind.SHUFFLER, Kind.SHOE)
            and latch.fault not in _PUT_RIGHT
        ]

    def checked(self, out_of_service: tuple[str, ...]) -> EquipmentChecked:
        """What shoe and shuffler say of the cards; what they have claimed by themselves is told once."""
        claims, self.claims = tuple(self.claims), []
        inside = (
            Inside(link.kind.value, link.state.cards_inside)
            for kind in (Kind.SHUFFLER, Kind.SHOE)
            if (link := self.usable(kind)) is not None
            and link.state is not None
            and link.state.cards_inside is not None
            and link.state.mode is Mode.READY
        )
        return EquipmentChecked(claims, tuple(inside), out_of_service)

    def _chips(self, kind: Kind, message: SeatSensor | WagerSpot) -> None:
        """Chips came to a spot or left it; what is told again has not come anew."""
        wager, amount, present = kind.value, None, isinstance(message, SeatSensor) and message.placed
        if isinstance(message, WagerSpot):
            wager, amount, present = message.wager, message.amount, message.present
        spot = message.seat, wager
        lies = self.spots.get(spot)
        if not present:
            self.spots.pop(spot, None)
        elif lies is None or (isinstance(message, WagerSpot) and (lies.keyed or lies.amount != amount)):
            self.spots[spot] = Spot(message.seat, wager, amount, self.order)

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
        if latch.fault is Fault.DOOR_OPEN and link.up and link.door_open:
            return True
        return bool(link.up) and link.state is not None and latch.fault in dict(_doubts(link.state))

    def clear(self, latch: Latch) -> None:
        """A person cleared that fault."""
        self.latches.remove(latch)

    def save(self) -> SavedPicture:
        """The part that outlives the round."""
        links = (
            SavedLink(name, x.up, x.boot, x.number, x.description, x.state, x.rules, x.meter, x.cards_left)
            for name, x in self.links.items()
        )
        return SavedPicture(
            tuple(links),
            tuple(self.latches),
            tuple(self.spots.values()),
            self.order,
            self.jobs.save(),
            tuple(self.claims),
            self.inserted,
            self.batch,
        )

    def load(self, saved: SavedPicture) -> None:
        """Begin from a saved picture; devices that the table does not have any more are left out."""
        for kept in saved.links:
            link = self.links.get(kept.device)
            if link is not None:
                link.up, link.boot, link.number = kept.up, kept.boot, kept.number
                link.description, link.state = kept.description, kept.state
                link.rules, link.meter, link.cards_left = kept.rules, kept.meter, kept.cards_left
        self.latches = list(saved.latches)
        self.spots = {(spot.seat, spot.wager): spot for spot in saved.spots}
        self.order = saved.order
        self.jobs, self.claims = Jobs(saved.jobs), list(saved.claims)
        self.inserted, self.batch = saved.inserted, saved.batch

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


_PUT_RIGHT: Final = (Fault.LOST, Fault.JAM, Fault.INCOMPLETE, Fault.SWAPPED, Fault.PROTOCOL)


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
