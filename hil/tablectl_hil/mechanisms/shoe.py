"""Dealing shoes: plain, reading, automated, and those that shuffle what is put back."""

from __future__ import annotations

from tablectl.cards import Card, FaceDown, card
from tablectl.equipment import (
    Capability,
    CardLeft,
    CardsEjected,
    Command,
    DispenseStack,
    EjectCards,
    Fault,
    Kind,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    StartShuffle,
)
from tablectl_hil.acts import CannotBeDone, act
from tablectl_hil.mechanisms.cycle import Cycle
from tablectl_hil.mechanisms.mechanism import Holder, Surroundings

__all__ = ["Shoe"]


class Shoe(Holder):
    """A dealing shoe: plain, reading (`READS`), or automated (`DISPENSES`), which gives stacks instead of cards.

    One that `RESHUFFLES` takes cards back and shuffles all that it holds; the order comes from the emulators' seed.
    """

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
        self._cycle = Cycle(self)
        self._short = self._miscount = 0
        self._ejected: list[Card] = []

    def inside(self) -> int | None:
        """Known to an automated shoe and to one that counts."""
        return len(self._cards) if self.can(Capability.DISPENSES) or self.can(Capability.COUNTS) else None

    def power_cycle(self, kept: bool) -> None:
        """Without its memory it counts from the start again, and knows nothing of a stack that waits to be taken."""
        self._cycle.power_lost(kept)
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
        if self.inside() is not None:
            self.around.say(self.state())

    @act
    def restack(self, cards: tuple[str, ...]) -> None:
        """Lay what is inside in that order, without taking it for another load: the count goes on."""
        self._cards = [(card(name.removeprefix("^")), name.startswith("^")) for name in cards]

    @act
    def put_back(self, cards: tuple[Card, ...]) -> None:
        """Put cards back into a shoe that reshuffles."""
        if not self.can(Capability.RESHUFFLES):
            raise CannotBeDone("the shoe takes no cards back: load")
        if self._cycle.running:
            raise CannotBeDone("the shoe is shuffling")
        self._cards += [(shown, False) for shown in cards]
        if self.inside() is not None:
            self.around.say(self.state())

    @act
    def finish(self) -> None:
        """Let the shuffle come to its end."""
        self._cycle.finish(self._shuffled)

    @act
    def take_ejected(self) -> list[str]:
        """Take the cards that were ejected."""
        cards, self._ejected = self._ejected, []
        return [shown.name for shown in cards]

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
    def short_next(self, cards: int) -> None:
        """Let so many cards be missing from the next stack of an automated shoe, without its noticing."""
        self._short = cards

    @act
    def miscount_next(self, by: int) -> None:
        """Let the next count after a shuffle be wrong by so many."""
        self._miscount = by

    @act
    def miss_next(self, cards: int) -> None:
        """Let so many cards leave unnoticed."""
        self._unnoticed = cards

    @act
    def unread_next(self, cards: int) -> None:
        """Let so many cards leave counted, but unread."""
        self._unread = cards

    def opened(self) -> None:
        """Nothing goes on behind an open door."""
        self._cycle.fail(Fault.DOOR_OPEN)

    def perform(self, command: Command, command_id: int) -> str | None:
        """Dispense a stack, shuffle, or eject all cards, as the shoe can."""
        match command:
            case DispenseStack(count) if self.can(Capability.DISPENSES):
                return self._begin_stack(count, command_id)
            case StartShuffle() if self.can(Capability.RESHUFFLES):
                refusal = self._cycle.start(command_id, len(self._cards))
                if refusal is None and self.around.automatic:
                    self.finish()
                return refusal
            case EjectCards() if self.can(Capability.DISPENSES) or self.can(Capability.RESHUFFLES):
                return self._eject(command_id)
            case _:
                return super().perform(command, command_id)

    def _begin_stack(self, count: int, command_id: int) -> str | None:
        refusal = self.not_ready()
        if refusal is not None:
            return refusal
        if self._waiting is not None:
            return "a stack is still waiting to be taken"
        fault = self.fault_due()
        stack = self._dispense(count - self._short if fault is None else count // 2)
        self._stack = [shown.name for shown, _ in stack]
        cards = tuple(self._seen(shown) for shown, _ in stack)
        places = tuple(place for place, (_, face_up) in enumerate(stack) if face_up)
        if fault is None and self._count == self._jams_after:
            fault = Fault.JAM
        if fault is None and len(stack) - len(places) < count - self._short:
            fault = Fault.INCOMPLETE
        self._short = 0
        if fault is not None:
            self.fail(fault)
            self.around.say(StackFailed(command_id, cards, fault))
            return None
        self._waiting = StackTaken(command_id, cards, places)
        self.around.notice("told", command=command_id, order="DispenseStack", count=count)
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

    def _shuffled(self, command: int) -> None:
        self.around.chance.shuffle(self._cards)
        self._count = 0
        self.around.say(self.state())
        counted = len(self._cards) + self._miscount if self.can(Capability.COUNTS) else None
        self._miscount = 0
        self.around.say(ShuffleFinished(command, counted))

    def _eject(self, command_id: int) -> str | None:
        if self._cycle.running or self.fault is Fault.DOOR_OPEN:
            return self.not_ready() or "the shoe is shuffling"
        out, self._cards = [shown for shown, _ in self._cards], []
        self._ejected += out
        self.around.say(self.state())
        self.around.say(CardsEjected(command_id, None if self.inside() is None else len(out)))
        return None

    def _leave(self) -> tuple[Card, bool]:
        if self.fault is not None:
            raise CannotBeDone(f"the shoe is in the fault {self.fault}: clear it")
        if self._cycle.running:
            raise CannotBeDone("the shoe is shuffling")
        if not self._cards:
            raise CannotBeDone("the shoe is empty")
        return self._cards.pop(0)

    def _seen(self, shown: Card) -> FaceDown:
        if self._unread:
            self._unread -= 1
            return FaceDown(None)
        return FaceDown(shown if self.can(Capability.READS) else None)
