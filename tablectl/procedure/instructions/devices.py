"""The acts around devices that hold cards, and around devices that do not work."""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.procedure.instructions.base import Instruction
from tablectl.procedure.instructions.integrity import DeckClaim
from tablectl.procedure.instructions.rounds import OutOfService, Shuffled, ShuffleFault
from tablectl.records import record

__all__ = [
    "AccountFor",
    "Accounted",
    "CheckEquipment",
    "CoverDevice",
    "EquipmentChecked",
    "Inside",
    "LatchFault",
    "LoadShuffler",
    "Repair",
    "Repaired",
    "ReturnDevice",
    "TakeShuffled",
]


@record
class LoadShuffler(Instruction[OutOfService | None]):
    """The deck goes into the shuffler, which begins to shuffle it; nobody waits for the end of that.

    `out` is the colour of the deck that comes out of it at the same time, or empty; `cards` is how many go in.
    """

    interruptible: ClassVar[bool] = True
    deck: str
    back: str
    out: str
    cards: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return () if isinstance(result, OutOfService) else (e.DeckLoaded(self.deck, self.back),)


@record
class TakeShuffled(Instruction[Shuffled | ShuffleFault | OutOfService]):
    """The deck comes out of the shuffler, shuffled: at once if that is over, else when it is."""

    interruptible: ClassVar[bool] = True
    by: ClassVar[str] = "device"
    deck: str
    back: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return result.events(self.deck, self.by) if isinstance(result, Shuffled) else ()


@record
class Inside:
    """So many cards are in the device of that kind, as it says; it is at rest."""

    device: str
    cards: int


@record
class EquipmentChecked:
    """What the equipment says: claims that it has made by itself, the cards inside of it where it can tell.

    `out_of_service` are the kinds of devices that a floorperson has just given up.
    """

    claims: tuple[DeckClaim, ...] = ()
    inside: tuple[Inside, ...] = ()
    out_of_service: tuple[str, ...] = ()


@record
class CheckEquipment(Instruction[EquipmentChecked]):
    """Ask what the equipment says of the cards; `moment` is ``deal`` or ``close``.

    Before the deal it waits until shoe and shuffler show nothing that a floorperson's badge would have to clear.
    """

    moment: str


@record
class Accounted:
    """So many cards were taken out of the device: `by` is ``device`` or ``dealer``, whoever has counted them."""

    cards: int
    by: str


@record
class AccountFor(Instruction[Accounted]):
    """All cards are taken out of a device and counted, before it is covered or taken away.

    `deck` is the one that is in it, or that was being shuffled; `expected` is how many cards it has.
    """

    device: str
    deck: str
    back: str
    expected: int

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Accounted)
        return (e.DeckAccounted(self.deck, self.device, result.cards, self.expected, result.by),)


@record
class CoverDevice(Instruction[None]):
    """A device is covered, or signed as out of order, so that another method may be used."""

    device: str
    cite: str
    dealing: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DeviceCovered(self.device, self.cite, self.dealing),)


@record
class ReturnDevice(Instruction[None]):
    """A device that was out of service is used again, and the table's own methods with it."""

    device: str
    dealing: str
    shuffler: str
    credential: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DeviceReturned(self.device, self.dealing, self.shuffler, self.credential),)


@record
class LatchFault(Instruction[None]):
    """A device that the game cannot do without does not work: no round before it is repaired or replaced."""

    device: str
    fault: str
    message: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.FaultLatched(self.device, self.fault, self.message),)


@record
class Repaired:
    """A floorperson says what was done: `reason` is ``repaired`` or ``replaced``."""

    credential: str
    reason: str


@record
class Repair(Instruction[Repaired]):
    """Wait until a floorperson's badge says that the device was repaired or replaced."""

    device: str
    fault: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Repaired)
        return (e.FaultCleared(self.device, self.fault, result.credential, result.reason),)
