"""Shufflers: batch and continuous; plain, counting and identifying."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from tablectl.cards import Card, FaceDown, deck
from tablectl.equipment import (
    BatchInserted,
    Capability,
    CardLeft,
    CardsEjected,
    Command,
    DeckRead,
    EjectCards,
    Fault,
    Kind,
    ShuffleFinished,
    StartShuffle,
)
from tablectl_hil.acts import CannotBeDone, act
from tablectl_hil.mechanisms.cycle import Cycle
from tablectl_hil.mechanisms.mechanism import Holder, Surroundings

__all__ = ["Shuffler"]

_READS: Final = (Capability.IDENTIFIES, Capability.BACKS, Capability.BATCHES)


@dataclass(slots=True)
class _Batch:
    number: int
    cards: list[tuple[Card, str]] = field(default_factory=list)  # with the colour of the back
    shuffled: bool = False


class Shuffler(Holder):
    """A shuffler. With `BATCHES` each insertion is a batch of its own, shuffled in turn, while others wait inside.

    A `CONTINUOUS` one gives out single cards once it has been started, and takes cards back at any time. One that
    `IDENTIFIES` compares with the deck that it was programmed for, a plain deck of 52 at first. The order comes from
    the emulators' seed.
    """

    kind = Kind.SHUFFLER
    model = "Emulated shuffler"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._cycle = Cycle(self)
        self._batches: list[_Batch] = []
        self._inserted = 0
        self._running = False
        self._dealt = 0
        self._ejected: list[Card] = []
        self._programmed = Counter(deck())
        self._miscount = self._left_inside = self._unreadable = 0
        self._says_all_is_well = self._leaves_order = False

    def inside(self) -> int | None:
        """Known to a shuffler that counts."""
        return self._held if self.can(Capability.COUNTS) else None

    @property
    def _held(self) -> int:
        return sum(len(batch.cards) for batch in self._batches)

    def power_cycle(self, kept: bool) -> None:
        """A shuffle that was under way has not completed its cycle."""
        self._running = self._running and kept
        self._cycle.power_lost(kept)

    def opened(self) -> None:
        """A shuffle does not go on behind an open door."""
        self._cycle.fail(Fault.DOOR_OPEN)

    def perform(self, command: Command, command_id: int) -> str | None:
        """Start a shuffle, or eject all cards."""
        match command:
            case StartShuffle():
                refusal = self._cycle.start(command_id, self._held if self._next() is not None else 0)
                if refusal is None and self.around.automatic:
                    self.finish()
                return refusal
            case EjectCards():
                return self._eject(command_id)
            case _:
                return super().perform(command, command_id)

    # What people do with it

    @act
    def insert(self, cards: tuple[Card, ...], back: str = "red") -> None:
        """Put cards in, on top of what is inside or as a batch of their own."""
        batches = self.can(Capability.BATCHES)
        if self._cycle.running and not (batches or self.can(Capability.CONTINUOUS)):
            raise CannotBeDone("the shuffler is shuffling")
        if batches or not self._batches:
            self._inserted += 1
            self._batches.append(_Batch(self._inserted))
        self._batches[-1].cards += [(shown, back) for shown in cards]
        self._batches[-1].shuffled = False
        if self.can(Capability.COUNTS):
            self.around.say(self.state())
        if batches:
            self.around.say(BatchInserted(self._inserted, len(cards) if self.can(Capability.COUNTS) else None))

    @act
    def finish(self) -> None:
        """Let the shuffle come to its end."""
        self._cycle.finish(self._complete)

    @act
    def take(self) -> list[str]:
        """Take the shuffled batch out, or all cards where there are no batches; the first to be dealt first."""
        if self._cycle.running and not self.can(Capability.BATCHES):
            raise CannotBeDone("the shuffler is shuffling")
        if self._running:
            raise CannotBeDone("a continuous shuffler gives single cards: take_card")
        cards = self._remove()
        if self.can(Capability.COUNTS):
            self.around.say(self.state())
        return [shown.name for shown in cards]

    @act
    def take_card(self) -> str:
        """Draw a card from a continuous shuffler that has been started; its name."""
        if not self._running or not self._held:
            raise CannotBeDone("only a continuous shuffler that has been started and holds cards gives single cards")
        cards = self._batches[0].cards
        shown, _ = cards.pop(self.around.chance.randrange(len(cards)))
        self._dealt += 1
        self.around.say(CardLeft(self._dealt, FaceDown(None), False))
        return shown.name

    @act
    def take_ejected(self) -> list[str]:
        """Take the cards that were ejected."""
        cards, self._ejected = self._ejected, []
        return [shown.name for shown in cards]

    @act
    def program(self, decks: int, joker: bool) -> None:
        """Tell it which deck it is to find."""
        self._programmed = Counter(list(deck(joker=joker)) * decks)

    # What goes wrong in it

    @act
    def miscount_next(self, by: int) -> None:
        """Let the next count be wrong by so many."""
        self._miscount = by

    @act
    def unreadable_next(self, cards: int) -> None:
        """Let so many cards of the next shuffle be unreadable."""
        self._unreadable = cards

    @act
    def claim_next(self) -> None:
        """Let it claim after the next shuffle that it holds just the deck that it should."""
        self._says_all_is_well = True

    @act
    def leave_order_next(self) -> None:
        """Let the next shuffle leave the cards in the order in which they were put in."""
        self._leaves_order = True

    @act
    def leave_inside_next(self, cards: int) -> None:
        """Let so many cards stay in its well when cards are next taken out or ejected."""
        self._left_inside = cards

    def _next(self) -> _Batch | None:
        """The batch that the next shuffle is of."""
        waiting = [batch for batch in self._batches if not batch.shuffled and batch.cards]
        if waiting:
            return waiting[0]
        return self._batches[0] if self._batches and not self.can(Capability.BATCHES) else None

    def _complete(self, command: int) -> None:
        batch = self._next()
        assert batch is not None, "a shuffle begins with cards inside"
        if not self._leaves_order:
            self.around.chance.shuffle(batch.cards)
        self._leaves_order = False
        batch.shuffled = True
        self._running = self.can(Capability.CONTINUOUS)
        self._dealt = 0
        self.around.say(self.state())
        counted = len(batch.cards) + self._miscount if self.can(Capability.COUNTS) else None
        self._miscount = 0
        if any(self.can(one) for one in _READS):
            self.around.say(self._found(command, batch, counted))
        self.around.say(ShuffleFinished(command, counted))

    def _found(self, command: int, batch: _Batch, counted: int | None) -> DeckRead:
        """What it finds in a batch, its own claim."""
        unreadable, self._unreadable = min(self._unreadable, len(batch.cards)), 0
        honest, self._says_all_is_well = not self._says_all_is_well, False
        backs = Counter(back for _, back in batch.cards)
        colour, most = backs.most_common(1)[0] if backs else (None, 0)
        found = Counter(shown for shown, _ in batch.cards[unreadable:])
        names = honest and self.can(Capability.IDENTIFIES)
        tells_backs = self.can(Capability.BACKS)
        return DeckRead(
            command,
            counted if honest or counted is None else self._programmed.total(),
            tuple(sorted((self._programmed - found).elements(), key=str)) if names else (),
            tuple(sorted((found - self._programmed).elements(), key=str)) if names else (),
            unreadable if names else 0,
            colour if tells_backs else None,
            len(batch.cards) - most if tells_backs and honest else 0,
            batch.number if self.can(Capability.BATCHES) else None,
        )

    def _eject(self, command_id: int) -> str | None:
        if self._cycle.running:
            return "the shuffler is shuffling"
        if self.fault is Fault.DOOR_OPEN:
            return self.not_ready()
        self._running = False
        before = self._held
        while self._held > self._left_inside:
            self._ejected += self._remove(everything=True)
        self._left_inside = 0
        self.around.say(self.state())
        self.around.say(CardsEjected(command_id, before - self._held if self.can(Capability.COUNTS) else None))
        return None

    def _remove(self, everything: bool = False) -> list[Card]:
        if self.can(Capability.BATCHES) and not everything:
            ready = [batch for batch in self._batches if batch.shuffled]
            if not ready:
                raise CannotBeDone("no batch has been shuffled")
            chosen = ready[:1]
        else:
            chosen = list(self._batches)
        self._batches = [batch for batch in self._batches if batch not in chosen]
        cards = list(chain.from_iterable(batch.cards for batch in chosen))
        stay = cards[max(0, len(cards) - self._left_inside) :]
        if stay:
            self._batches.insert(0, _Batch(chosen[0].number, stay))
        if not everything:
            self._left_inside = 0
        return [shown for shown, _ in cards[: len(cards) - len(stay)]]
