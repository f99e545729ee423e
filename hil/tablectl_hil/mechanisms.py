"""The emulated equipment itself, behind its link: what a person does to it, what it is told, and what it says.

A mechanism knows no clock and no line; `Surroundings` give it what it needs of the world.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final, Protocol

from tablectl.cards import Card, FaceDown, card
from tablectl.equipment import (
    Badge,
    Capability,
    CardLeft,
    CardScanned,
    CardUnreadable,
    Command,
    Description,
    DeviceState,
    DispenseStack,
    Fault,
    KeyPressed,
    Kind,
    Lamp,
    Message,
    Mode,
    ShowPrompt,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    StartShuffle,
    WagerSpot,
)
from tablectl.money import ZERO, Money, dollars
from tablectl_hil.acts import CannotBeDone, act

__all__ = ["MECHANISMS", "Mechanism", "Surroundings"]

BOUNCE_S: Final = 0.02
STUCK_S: Final = 10.0


class Surroundings(Protocol):
    """What a mechanism finds around it."""

    chance: random.Random
    automatic: bool

    def say(self, message: Message) -> None:
        """Send a message to the host."""

    def notice(self, what: str, **facts: Any) -> None:
        """Tell whoever controls the emulators what can be seen: `attached`, `shows`, `told`, `done`."""

    def now(self) -> float:
        """A steady clock, in seconds."""

    def later(self, seconds: float, then: Callable[[], None]) -> None:
        """Call `then` after that time."""


class Mechanism:
    """One piece of equipment: its state, and the acts that every kind has."""

    kind: ClassVar[Kind]
    model: ClassVar[str]

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        self.description = Description(self.kind, self.model, serial, "1.0", capabilities)
        self.around = around
        self.mode = Mode.READY
        self.lamp = Lamp.GREEN
        self.blinking = False
        self.tamper = False
        self.fault: Fault | None = None
        self.host_present = False
        self.next_fault: Fault | None = None

    def can(self, capability: Capability) -> bool:
        """Whether it has that capability."""
        return capability in self.description.capabilities

    def perform(self, command: Command, command_id: int) -> str | None:
        """Begin the command, or say why not."""
        return f"a {self.kind} takes no {type(command).__name__}"

    def report(self, complete: bool) -> Iterable[Message]:
        """Its state, for a new session."""
        yield self.state()

    def attached(self, present: bool) -> None:
        """A host has come or gone."""
        self.host_present = present
        self.around.notice("attached", present=present)

    def power_cycle(self, kept: bool) -> None:
        """Power was away; what the electronics know is `kept` or not, what lies in the equipment stays there."""

    def inside(self) -> int | None:
        """How many cards are inside, if it can tell."""
        return None

    def state(self) -> DeviceState:
        """The state as it is said."""
        return DeviceState(self.mode, self.lamp, self.blinking, self.inside(), self.tamper, self.fault)

    def fail(self, fault: Fault | None) -> None:
        """Go into a fault, or out of it, and say so."""
        self.fault = fault
        self.mode = Mode.READY
        self.lamp = Lamp.GREEN if fault is None else Lamp.RED
        self.blinking = False
        self.around.say(self.state())

    def fault_due(self) -> Fault | None:
        """The fault that this actuation was to end in, once."""
        fault, self.next_fault = self.next_fault, None
        return fault

    @act
    def fail_next(self, fault: Fault) -> None:
        """Let the next actuation end in that fault."""
        self.next_fault = fault

    @act
    def fail_now(self, fault: Fault) -> None:
        """Go into that fault."""
        self.fail(fault)

    @act
    def clear(self) -> None:
        """Put right by hand whatever was wrong."""
        self.tamper = False
        self.fail(None)

    @act
    def indicate(
        self, mode: Mode | None = None, lamp: Lamp | None = None, blinking: bool = False, tamper: bool = False
    ) -> None:
        """Go into another mode, show another light or report tampering, without a fault."""
        self.mode = mode or self.mode
        self.lamp = lamp or self.lamp
        self.blinking = blinking
        self.tamper = tamper
        self.around.say(self.state())


class Panel(Mechanism):
    """The dealer's panel: keys with lamps, a line of text, a beeper.

    Each key is filtered on its level: a press counts at once when the key has been up for `BOUNCE_S`, so two keys
    shortly after each other both count, in order. A key held for `STUCK_S` is stuck, which is a jam. While no host
    is there the panel is dark and takes no press.
    """

    kind = Kind.PANEL
    model = "Emulated panel"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._released: dict[str, float] = {}
        self._held: dict[str, int] = {}
        self._down: set[str] = set()
        self._presses = 0
        self._stuck_s = STUCK_S

    def perform(self, command: Command, command_id: int) -> str | None:
        """Show a prompt."""
        if not isinstance(command, ShowPrompt):
            return super().perform(command, command_id)
        self.around.notice(
            "shows",
            command=command_id,
            text=command.text,
            lit=list(command.lit),
            standing=list(command.standing),
            beep=command.beep,
        )
        return None

    def attached(self, present: bool) -> None:
        """Go dark without a host."""
        super().attached(present)
        if not present:
            self.around.notice("shows", command=0, text="", lit=[], standing=[], beep=False)

    @act
    def press(self, key: str, bounces: int = 0) -> bool:
        """A finger presses a key and lets it go, with so many bounces of the contact at either end; if it counted."""
        self._released.pop(key, None)
        counted = self._contact(key, True)
        for level in [False, True] * bounces + [False] + [True, False] * bounces:
            self._contact(key, level)
        if not bounces:
            self._released.pop(key, None)
        return counted

    @act
    def stuck_after(self, ms: int) -> None:
        """Let a key be stuck sooner than after `STUCK_S`."""
        self._stuck_s = ms / 1000

    @act
    def hold(self, key: str) -> bool:
        """A finger presses a key and stays on it; whether the press counted."""
        return self._contact(key, True)

    @act
    def release(self, key: str) -> None:
        """A key that was held comes up."""
        self._contact(key, False)
        if self.fault is Fault.JAM and not self._down:
            self.fail(None)

    def _contact(self, key: str, closed: bool) -> bool:
        """The level of one contact changes; whether that is a press."""
        if not closed:
            self._down.discard(key)
            self._released[key] = self.around.now()
            return False
        self._down.add(key)
        self._presses += 1
        mark = self._held[key] = self._presses
        self.around.later(self._stuck_s, lambda: self._stuck(key, mark))
        if not self.host_present or self.around.now() - self._released.get(key, float("-inf")) < BOUNCE_S:
            return False
        self.around.say(KeyPressed(key))
        return True

    def _stuck(self, key: str, mark: int) -> None:
        if key in self._down and self._held[key] == mark:
            self.fail(Fault.JAM)


class Shoe(Mechanism):
    """A dealing shoe: plain, reading (`READS`), or automated (`DISPENSES`), which gives stacks instead of cards."""

    kind = Kind.SHOE
    model = "Emulated shoe"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._cards: list[tuple[Card, bool]] = []
        self._count = 0
        self._unnoticed = 0
        self._unread = 0
        self._jams_after: int | None = None
        self._waiting: StackTaken | None = None
        self._stack: list[str] = []

    def inside(self) -> int | None:
        """Known to an automated shoe only."""
        return len(self._cards) if self.can(Capability.DISPENSES) else None

    def power_cycle(self, kept: bool) -> None:
        """Without its memory it counts from the start again, and knows nothing of a stack that waits to be taken."""
        if kept:
            return
        self._count = 0
        if self._waiting is not None:
            self.around.notice("done", command=self._waiting.command)
            self._waiting = None

    @act
    def load(self, cards: tuple[str, ...]) -> None:
        """Put these cards in, the first to leave first, ``^As`` lying face up; what was inside is taken out."""
        self._cards = [(card(name.removeprefix("^")), name.startswith("^")) for name in cards]
        self._count = 0
        self._jams_after = None
        if self.can(Capability.DISPENSES):
            self.around.say(self.state())

    @act
    def remaining(self) -> list[str]:
        """The cards inside, the next one first."""
        return [f"{'^' * face_up}{shown}" for shown, face_up in self._cards]

    @act
    def take_card(self) -> str:
        """Draw the next card by hand; its name."""
        if self.can(Capability.DISPENSES):
            raise CannotBeDone("an automated shoe gives stacks: take_stack")
        shown, face_up = self._leave()
        if self._unnoticed:
            self._unnoticed -= 1
            return shown.name
        self._count += 1
        self.around.say(CardLeft(self._count, self._seen(shown), face_up and self.can(Capability.READS)))
        return shown.name

    @act
    def take_stack(self) -> list[str]:
        """Take the stack that waits; the names of its cards, bottom to top."""
        stack, self._waiting = self._waiting, None
        if stack is None:
            raise CannotBeDone("no stack is waiting")
        self.around.say(stack)
        self.around.notice("done", command=stack.command)
        return self._stack

    @act
    def jam_after(self, cards: int) -> None:
        """Let an automated shoe jam when so many cards have left since it was loaded."""
        self._jams_after = cards

    @act
    def miss_next(self, cards: int) -> None:
        """Let so many cards leave unnoticed."""
        self._unnoticed = cards

    @act
    def unread_next(self, cards: int) -> None:
        """Let so many cards leave counted, but unread."""
        self._unread = cards

    def perform(self, command: Command, command_id: int) -> str | None:
        """Dispense a stack."""
        if not isinstance(command, DispenseStack) or not self.can(Capability.DISPENSES):
            return super().perform(command, command_id)
        if self.fault is not None:
            return f"the shoe is in the fault {self.fault}"
        if self._waiting is not None:
            return "a stack is still waiting to be taken"
        fault = self.fault_due()
        stack = self._dispense(command.count if fault is None else command.count // 2)
        self._stack = [shown.name for shown, _ in stack]
        cards = tuple(self._seen(shown) for shown, _ in stack)
        places = tuple(place for place, (_, face_up) in enumerate(stack) if face_up)
        if fault is None and self._count == self._jams_after:
            fault = Fault.JAM
        if fault is None and len(stack) - len(places) < command.count:
            fault = Fault.INCOMPLETE
        if fault is not None:
            self.fail(fault)
            self.around.say(StackFailed(command_id, cards, fault))
            return None
        self._waiting = StackTaken(command_id, cards, places)
        self.around.notice("told", command=command_id, order="DispenseStack", count=command.count)
        if self.around.automatic:
            self.take_stack()
        return None

    def _dispense(self, count: int) -> list[tuple[Card, bool]]:
        """Cards up to `count` usable ones: one that lies face up is given with the stack, and another after it."""
        stack = []
        while count and self._cards and self._count != self._jams_after:
            shown, face_up = self._cards.pop(0)
            stack.append((shown, face_up))
            self._count += 1
            count -= not face_up
        return stack

    def _leave(self) -> tuple[Card, bool]:
        if self.fault is not None:
            raise CannotBeDone(f"the shoe is in the fault {self.fault}: clear it")
        if not self._cards:
            raise CannotBeDone("the shoe is empty")
        return self._cards.pop(0)

    def _seen(self, shown: Card) -> FaceDown:
        if self._unread:
            self._unread -= 1
            return FaceDown(None)
        return FaceDown(shown if self.can(Capability.READS) else None)


class Shuffler(Mechanism):
    """A batch shuffler; with `COUNTS` it counts what it delivers. The order comes from the emulators' seed."""

    kind = Kind.SHUFFLER
    model = "Emulated shuffler"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._cards: list[Card] = []
        self._shuffling: int | None = None
        self._miscount = 0

    def inside(self) -> int | None:
        """Known to a shuffler that counts."""
        return len(self._cards) if self.can(Capability.COUNTS) else None

    def power_cycle(self, kept: bool) -> None:
        """A shuffle that was under way has not completed its cycle."""
        command, self._shuffling = self._shuffling, None
        if command is not None:
            self.fail(Fault.INCOMPLETE)
            if kept:
                self.around.say(ShuffleFailed(command, Fault.INCOMPLETE))
            self.around.notice("done", command=command)

    def perform(self, command: Command, command_id: int) -> str | None:
        """Start a shuffle."""
        if not isinstance(command, StartShuffle):
            return super().perform(command, command_id)
        if self.fault is not None:
            return f"the shuffler is in the fault {self.fault}"
        if self._shuffling is not None:
            return "the shuffler is shuffling"
        if not self._cards:
            return "no cards are inside"
        self._shuffling = command_id
        self.mode = Mode.BUSY
        self.around.say(self.state())
        self.around.notice("told", command=command_id, order="StartShuffle")
        if self.around.automatic:
            self.finish()
        return None

    @act
    def insert(self, cards: tuple[Card, ...]) -> None:
        """Put cards in, on top of what is inside."""
        if self._shuffling is not None:
            raise CannotBeDone("the shuffler is shuffling")
        self._cards += cards
        if self.can(Capability.COUNTS):
            self.around.say(self.state())

    @act
    def finish(self) -> None:
        """Let the shuffle come to its end."""
        command, self._shuffling = self._shuffling, None
        if command is None:
            raise CannotBeDone("no shuffle is under way")
        fault = self.fault_due()
        if fault is not None:
            self.fail(fault)
            self.around.say(ShuffleFailed(command, fault))
        else:
            self.around.chance.shuffle(self._cards)
            self.mode = Mode.READY
            self.around.say(self.state())
            counted = len(self._cards) + self._miscount if self.can(Capability.COUNTS) else None
            self._miscount = 0
            self.around.say(ShuffleFinished(command, counted))
        self.around.notice("done", command=command)

    @act
    def take(self) -> list[str]:
        """Take all cards out; their names, the first to be dealt first."""
        if self._shuffling is not None:
            raise CannotBeDone("the shuffler is shuffling")
        cards, self._cards = self._cards, []
        if self.can(Capability.COUNTS):
            self.around.say(self.state())
        return [shown.name for shown in cards]

    @act
    def miscount_next(self, by: int) -> None:
        """Let the next count be wrong by so many."""
        self._miscount = by


class WagerSensors(Mechanism):
    """Sensors below the wagers' spots: amounts (`AMOUNTS`), or only whether something lies there."""

    kind = Kind.WAGER_SENSORS
    model = "Emulated wager sensors"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._spots: dict[tuple[int, str], Money] = {}

    def report(self, complete: bool) -> Iterable[Message]:
        """Its state, and for a host that knows nothing every spot that was ever used."""
        yield self.state()
        if complete:
            yield from (self._spot(seat, wager) for seat, wager in self._spots)

    @act
    def put(self, seat: int, wager: str, amount: str) -> None:
        """Put chips of that amount (``"10.00"``) on a spot, beside what lies there."""
        self._spots[seat, wager] = Money(self._spots.get((seat, wager), ZERO) + dollars(amount))
        self.around.say(self._spot(seat, wager))

    @act
    def lift(self, seat: int, wager: str) -> None:
        """Take everything off a spot."""
        if self._spots.get((seat, wager), ZERO):
            self._spots[seat, wager] = ZERO
            self.around.say(self._spot(seat, wager))

    @act
    def lift_all(self) -> None:
        """Take everything off every spot."""
        for seat, wager in self._spots:
            self.lift(seat, wager)

    def _spot(self, seat: int, wager: str) -> WagerSpot:
        amount = self._spots[seat, wager]
        return WagerSpot(seat, wager, amount > 0, amount if self.can(Capability.AMOUNTS) else None)


class CardScanner(Mechanism):
    """A scanner that cards are shown to, face up."""

    kind = Kind.CARD_SCANNER
    model = "Emulated card scanner"

    @act
    def show(self, card: Card) -> None:
        """Show a card that it can read."""
        self.around.say(CardScanned(card))

    @act
    def show_unreadable(self) -> None:
        """Show a card that it cannot read."""
        self.around.say(CardUnreadable())


class CredentialReader(Mechanism):
    """A reader that badges are held to."""

    kind = Kind.CREDENTIAL_READER
    model = "Emulated credential reader"

    @act
    def badge(self, number: str) -> None:
        """Hold a badge to it."""
        self.around.say(Badge(number))


MECHANISMS: Final[dict[Kind, type[Mechanism]]] = {
    mechanism.kind: mechanism for mechanism in (Panel, Shoe, Shuffler, WagerSensors, CardScanner, CredentialReader)
}
