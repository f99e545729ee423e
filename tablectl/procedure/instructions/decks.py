"""The acts around a deck: how it comes, is looked through, and goes; and what a person attests."""

from __future__ import annotations

from typing import ClassVar

from tablectl import events as e
from tablectl.cards import Position
from tablectl.procedure.instructions.base import Instruction
from tablectl.records import record

__all__ = [
    "Attest",
    "Attested",
    "CloseTable",
    "Cut",
    "CutTaken",
    "NewDeck",
    "SelfTestDone",
    "IdleCards",
    "LoadShoe",
    "OfferCut",
    "OpenTable",
    "PlayerLooked",
    "ReceiveDeck",
    "RemoveDeck",
    "ShowCards",
    "StoredCards",
    "TakeStored",
    "RunSelfTest",
]


@record
class Attested:
    """The step was done; `credential` is the badge of who answers for it, empty where none was wanted."""

    credential: str


@record
class Attest(Instruction[Attested]):
    """One step that a person does and answers for, as that clause wants it.

    `step` is its name (`inspect`, `verify`, `spread`, `wash` …), `by` is ``dealer``, ``floorperson`` or ``both``,
    `deck` the deck that it is about, or empty.
    """

    interruptible: ClassVar[bool] = True
    step: str
    by: str
    deck: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, Attested)
        return (e.StepAttested(self.step, self.deck, self.by, result.credential, self.cite),)


@record
class NewDeck:
    """A deck that came to the table: its identity, colour of backs, and the badge of who brought it.

    `credential` is empty in a script. `preshuffled`: it was inspected and shuffled before it came (603a.16(u), (v)).
    """

    deck: str
    credential: str
    back: str = ""
    preshuffled: bool = False


@record
class ReceiveDeck(Instruction[NewDeck]):
    """A floorperson brings a deck; `number` is that of the deck at this table, `cards` how many it has to have.

    `backs` are the colours that it may have: not that of another deck at the table.
    """

    interruptible: ClassVar[bool] = True
    number: int
    cards: int
    backs: tuple[str, ...]

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, NewDeck)
        return (e.DeckReceived(result.deck, result.back, self.cards, result.preshuffled, result.credential),)


@record
class RemoveDeck(Instruction[None]):
    """The whole deck leaves the table."""

    deck: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DeckRemoved(self.deck, self.cite),)


@record
class PlayerLooked:
    """The first player to arrive, at that seat, has had the opportunity to look at the cards, face up or down."""

    seat: int
    face_up: bool


@record
class ShowCards(Instruction[PlayerLooked]):
    """The cards lie spread until the first player to arrive has had the opportunity to look at them.

    `face` is ``up``, ``turned_up`` as a player arrives, or ``down`` unless he asks. `seats` are the betting positions.
    """

    interruptible: ClassVar[bool] = True
    deck: str
    face: str
    seats: int
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, PlayerLooked)
        return (e.CardsShown(self.deck, result.seat, result.face_up, self.cite),)


@record
class IdleCards(ShowCards):
    """The same at a table that is open and at which nobody plays: an order may come instead of a player."""

    orderable: ClassVar[bool] = True


@record
class StoredCards:
    """What becomes of the cards that come out of the shuffler: dealt as they are, or spread as a player asks for it."""

    spread: bool


@record
class TakeStored(Instruction[StoredCards]):
    """The deck that lay spread at an idle table goes into the shuffler; `deck`, which was in it, comes into play."""

    interruptible: ClassVar[bool] = True
    deck: str
    spread: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DeckExchanged(self.deck, self.spread, self.cite),)


@record
class SelfTestDone:
    """How a device has passed its own test; None where it cannot test itself, or is not connected."""

    passed: bool | None
    detail: str = ""


@record
class RunSelfTest(Instruction[SelfTestDone]):
    """Let a device of that kind test itself, if it is connected and can; `again` once it was put right."""

    interruptible: ClassVar[bool] = True
    device: str
    cite: str
    again: bool = False

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, SelfTestDone)
        tested = result.passed is not None
        return (e.DeviceTested(self.device, bool(result.passed), result.detail, self.cite),) if tested else ()


@record
class LoadShoe(Instruction[None]):
    """The stack goes into the shoe: until then a floorperson may have it cut again (672a.5(e), 673a.5(e))."""

    interruptible: ClassVar[bool] = True
    orderable: ClassVar[bool] = True
    deck: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.StepAttested("into_the_shoe", self.deck, "dealer", "", self.cite),)


@record
class CutTaken:
    """Who cuts: a seat, or None for the dealer; `refused` are the seats that were asked before, in order."""

    by: int | None
    refused: tuple[int, ...] = ()


@record
class OfferCut(Instruction[CutTaken]):
    """Offer the cut to these seats, one after the other, until one takes it; empty places are passed over.

    `style` is that of the cut: it says how the stack is held out.
    """

    interruptible: ClassVar[bool] = True
    orderable: ClassVar[bool] = True
    seats: tuple[int, ...]
    style: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, CutTaken)
        answers = [*((number, "no_cut") for number in result.refused)]
        if result.by is not None:
            answers.append((result.by, "cut"))
        return tuple(
            event
            for number, verb in answers
            for event in (e.SeatAsked(number, ("cut", "no_cut")), e.SeatDecided(number, verb, None, ()))
        )


@record
class Cut(Instruction[None]):
    """The deck is cut in that style, by a seat or the dealer."""

    interruptible: ClassVar[bool] = True
    orderable: ClassVar[bool] = True
    deck: str
    by: Position
    style: str
    cite: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DeckCut(self.deck, self.by, self.cite),)


@record
class OpenTable(Instruction[None]):
    """The table is open for gaming."""

    day: int
    game: str
    decks: tuple[str, ...]
    dealer: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.TableOpened(self.day, self.game, self.decks, self.dealer),)


@record
class CloseTable(Instruction[None]):
    """The table is closed; `credential` is the floorperson's."""

    day: int
    credential: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.TableClosed(self.day, self.credential),)
