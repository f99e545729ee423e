"""The acts of a round, from its shuffle to its settlement."""

from __future__ import annotations

from typing import ClassVar, Self

from tablectl import events as e
from tablectl.cards import RACK, Card, FaceDown, Position
from tablectl.money import Money
from tablectl.procedure.instructions.base import Instruction
from tablectl.procedure.instructions.integrity import DeckClaim
from tablectl.records import record, replace

__all__ = [
    "AnnounceHand",
    "Ask",
    "CardsCount",
    "Choice",
    "CloseRound",
    "CollectWagers",
    "CountCards",
    "Decision",
    "DeclareVoid",
    "Dispense",
    "Dispensed",
    "Draw",
    "Drawn",
    "Enter",
    "Expose",
    "Exposed",
    "FoundFaceUp",
    "Left",
    "NoMoreBets",
    "Note",
    "Now",
    "OpenRound",
    "OutOfService",
    "PlaceWagers",
    "PutRight",
    "RemoveDevice",
    "Settle",
    "ShoeJammed",
    "Shuffle",
    "ShuffleFault",
    "Shuffled",
    "Stake",
]

# The frame of a round ----------------------------------------------------------------------------------------------


@record
class Now(Instruction[int]):
    """The wall clock, in whole seconds since the epoch."""


@record
class Enter(Instruction[None]):
    """The round goes over to another stage."""

    stage: str


@record
class OpenRound(Instruction[None]):
    """A round begins with that deck."""

    round: int
    game: str
    deck: str
    dealing: str
    shuffler: str
    back: str
    verified: int

    def events(self, result: object) -> tuple[e.Event, ...]:
        opened = e.RoundOpened(self.round, self.game, self.deck, self.dealing, self.shuffler, self.back, self.verified)
        return (opened,)


@record
class Note(Instruction[None]):
    """An irregularity and what is done about it goes on the record."""

    kind: str
    position: Position | None
    cite: str | None
    remedies: tuple[str, ...]

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.IrregularityNoted(self.kind, self.position, self.cite, self.remedies),)


@record
class DeclareVoid(Instruction[None]):
    """All hands are void; `stands` are the spots of wagers that stay as they were settled."""

    cause: str
    cite: str
    stands: tuple[str, ...] = ()

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.RoundVoided(self.cause, self.cite, self.stands),)


@record
class CloseRound(Instruction[None]):
    """The round is over."""

    round: int
    outcome: e.Outcome
    cause: str | None
    cite: str | None
    deck: str
    disposition: e.Disposition

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.RoundClosed(self.round, self.outcome, self.cause, self.cite, self.deck, self.disposition),)


# Shuffle ------------------------------------------------------------------------------------------------------------


@record
class Shuffled:
    """The cards are shuffled and stacked; `counted` is what a counting shuffler says, else None.

    `claim` is what a device says that it has found in them.
    """

    counted: int | None
    claim: DeckClaim | None = None

    def events(self, deck: str, by: str) -> tuple[e.Event, ...]:
        """That this deck was shuffled, and the claim."""
        claimed = () if self.claim is None else (self.claim.event(deck),)
        return (*claimed, e.DeckShuffled(deck, by, self.counted))


@record
class ShuffleFault:
    """The shuffle jammed, stopped or did not complete its cycle; `kind` is the irregularity."""

    kind: str


@record
class OutOfService:
    """A device cannot be used any more; `then` is the dealing method used instead, where one was named."""

    kind: str
    device: str
    then: str | None


@record
class Shuffle(Instruction[Shuffled | ShuffleFault | OutOfService]):
    """Shuffle the deck: by the device, or by hand and confirmed. `by` is ``device`` or ``hand``."""

    interruptible: ClassVar[bool] = True
    deck: str
    by: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return result.events(self.deck, self.by) if isinstance(result, Shuffled) else ()


@record
class RemoveDevice(Instruction[None]):
    """A device is taken away from the table, so that another method may be used."""

    device: str
    cite: str
    dealing: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DeviceRemoved(self.device, self.cite, self.dealing),)


# Wagers -------------------------------------------------------------------------------------------------------------


@record
class Stake:
    """One wager on the layout; `amount` is None where only its presence is known.

    `free`: a lammer lies there that the dealer has placed in its stead; nobody has staked anything (672a.9, 672a.10).
    """

    seat: int
    wager: str
    amount: Money | None
    hand: int = 0
    free: bool = False


@record
class CollectWagers(Instruction[tuple[Stake, ...]]):
    """Wagers are placed until the dealer is about to close them; the result is sorted by seat and list of wagers."""

    interruptible: ClassVar[bool] = True
    orderable: ClassVar[bool] = True
    wagers: tuple[str, ...]
    seats: int


@record
class PutRight(Instruction[None]):
    """Something that a player or the dealer did is not allowed: it is named, and has to be put right."""

    seat: int | None
    stage: str
    message: str
    cite: str


@record
class NoMoreBets(Instruction[None]):
    """No more bets: these stakes stand."""

    cite: str
    stakes: tuple[Stake, ...]

    def events(self, result: object) -> tuple[e.Event, ...]:
        placed = (e.WagerMade(s.seat, s.wager, s.hand, s.amount) for s in self.stakes)
        return (*placed, e.BettingLocked(self.cite))


@record
class PlaceWagers(Instruction[None]):
    """Wagers that a decision, or the lock-out of a system, has put on the layout."""

    stakes: tuple[Stake, ...]

    def events(self, result: object) -> tuple[e.Event, ...]:
        return tuple([e.WagerMade(s.seat, s.wager, s.hand, s.amount, s.free) for s in self.stakes])


# Cards --------------------------------------------------------------------------------------------------------------


@record
class Drawn:
    """A card went face down to where it was drawn for."""

    card: FaceDown


@record
class FoundFaceUp:
    """The card lay face up in the shoe or deck and went to the discard rack; None where nothing could read it."""

    card: Card | None


@record
class Draw(Instruction[Drawn | FoundFaceUp]):
    """Draw the `number`th card of the round from the shoe or hand for a place."""

    interruptible: ClassVar[bool] = True
    number: int
    to: Position

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, FoundFaceUp):
            return (e.CardDealt(self.number, RACK, result.card),)
        return (e.CardDealt(self.number, self.to, None),)


@record
class Dispensed:
    """A stack was taken: its cards in the order in which they left."""

    cards: tuple[Drawn | FoundFaceUp, ...]


@record
class ShoeJammed:
    """The automated shoe jammed, stopped, or did not deal all cards; these had left."""

    cards: tuple[Drawn | FoundFaceUp, ...]


@record
class Dispense(Instruction[Dispensed | ShoeJammed]):
    """The automated shoe gives a stack of `count` cards, the first of them the `number`th card of the round."""

    interruptible: ClassVar[bool] = True
    number: int
    count: int
    to: Position

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Dispensed | ShoeJammed)
        return tuple(
            e.CardDealt(self.number + place, RACK, item.card)
            if isinstance(item, FoundFaceUp)
            else e.CardDealt(self.number + place, self.to, None)
            for place, item in enumerate(result.cards)
        )


@record
class CardsCount:
    """A count as it shows the whole deck; if wrong, whether the cards were misdealt and where."""

    total: int
    misdealt: bool
    position: Position | None


@record
class CountCards(Instruction[CardsCount | None]):
    """Count the stub, the remainder or the deck face down; `expected` cards should be in it, `whole` in the deck.

    A count that is not `due` is made only if the dealer wants it; the result is None when none was made.
    """

    interruptible: ClassVar[bool] = True
    what: str
    expected: int
    whole: int
    cite: str
    due: bool

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.CardsCounted(self.what, result.total, self.cite),) if isinstance(result, CardsCount) else ()


@record
class Exposed:
    """The cards that lie face up now, in the order in which they were dealt."""

    cards: tuple[Card, ...]


@record
class Expose(Instruction[Exposed]):
    """Turn the cards of a position up before everybody.

    `place` numbers a community card, or one card of a hand that is dealt to be seen; else it is 0. Where it is not
    known which cards lie there, as others were thrown away unseen, they are `among` those. `dealt_up`: the card was
    dealt face up, so that nobody has to turn it.
    """

    interruptible: ClassVar[bool] = True
    position: Position
    place: int
    cards: tuple[FaceDown, ...]
    among: tuple[FaceDown, ...] = ()
    dealt_up: bool = False

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Exposed)
        return (e.CardsExposed(self.position, self.place, result.cards),)


@record
class AnnounceHand(Instruction[None]):
    """Announce the best hand of a position: `hand` is its category (563.11(g), (h))."""

    position: Position
    hand: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.HandAnnounced(self.position, self.hand, self.cite),)


# Decisions ----------------------------------------------------------------------------------------------------------


@record
class Choice:
    """One thing a seat may do. `wager` is the spot on which a chip means the same, `amount` what it must be.

    `draws`: a card that leaves the shoe means the same. `most`: the wager may be up to so many times that amount.
    `up_to`: it may be any smaller amount, too; `limit` is the clause that says so, if it is not that of the question.
    `discards` are the least and the most cards that the seat is to throw away when its turn comes. `sets`: the seat
    lays its cards down as two hands, so many of them as the low hand.
    """

    verb: str
    wager: str | None = None
    amount: Money | None = None
    draws: bool = False
    most: int = 1
    discards: tuple[int, ...] = ()
    sets: int = 0
    up_to: bool = False
    limit: str | None = None

    def times(self, number: int) -> Decision:
        """The decision for so many times the amount."""
        return Decision(self.verb, None if self.amount is None else Money(number * self.amount))

    def allows(self, amount: Money | None) -> bool:
        """Whether the wager may be of that amount, as far as the amounts are known."""
        if amount is None or self.amount is None:
            return True
        if self.up_to:
            return 0 < amount <= self.amount
        return any(amount == number * self.amount for number in range(1, self.most + 1))

    @property
    def words(self) -> str:
        """What is offered, in words: ``fold``, ``bet``, ``bet 1-3``."""
        return self.verb if self.most == 1 else f"{self.verb} 1-{self.most}"


@record
class Decision:
    """What the seat chose."""

    verb: str
    amount: Money | None = None
    cards: tuple[Card, ...] = ()


@record
class Left:
    """The player has left the table instead of deciding."""


@record
class Ask(Instruction[Decision | Left]):
    """Ask a seat to choose, by that clause; `again` when an irregularity came between.

    `hand` is above 0 when it is about a hand that a split has made.
    """

    interruptible: ClassVar[bool] = True
    seat: int
    choices: tuple[Choice, ...]
    cite: str
    again: bool = False
    hand: int = 0

    def events(self, result: object) -> tuple[e.Event, ...]:
        if isinstance(result, Decision):
            decided = e.SeatDecided(self.seat, result.verb, result.amount, result.cards)
        else:
            decided = e.SeatDecided(self.seat, "leave", None, ())
        return (decided,) if self.again else (self._asked(), decided)

    def interrupted(self) -> tuple[e.Event, ...]:
        return () if self.again else (self._asked(),)

    def _asked(self) -> e.SeatAsked:
        return e.SeatAsked(self.seat, tuple([choice.verb for choice in self.choices]), self.hand)

    def repeated(self) -> Self:
        return replace(self, again=True)


# Settlement ---------------------------------------------------------------------------------------------------------


@record
class Settle(Instruction[None]):
    """Chips of these wagers move, one after the other; amounts as in `WagerSettled`."""

    settled: tuple[e.WagerSettled, ...]

    def events(self, result: object) -> tuple[e.Event, ...]:
        return self.settled
