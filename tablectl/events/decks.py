"""Decks: how they come, are shuffled, counted and go."""

from __future__ import annotations

from typing import ClassVar

from tablectl.cards import Card, Position
from tablectl.events.base import Event
from tablectl.records import record

__all__ = [
    "CardsShown",
    "CardReplaced",
    "CardReplacementRefused",
    "CardSetAside",
    "DeckAccounted",
    "DeckChangeNear",
    "DeckClaimed",
    "DeckExchanged",
    "DeckCleared",
    "DeckCut",
    "DeckLoaded",
    "DeckQuestioned",
    "DeckRemoved",
    "DeckReceived",
    "StepAttested",
    "DeckShuffled",
]


@record
class DeckShuffled(Event):
    """The deck was shuffled; `counted` is what a counting shuffler says, `by` is ``hand`` or ``device``."""

    name: ClassVar[str] = "deck.shuffled"
    deck: str
    by: str
    counted: int | None


@record
class DeckRemoved(Event):
    """The whole deck left the table."""

    name: ClassVar[str] = "deck.removed"
    deck: str
    cite: str


@record
class DeckReceived(Event):
    """A deck came to the table: identity, colour of its backs, number of cards; `credential` brought it.

    `preshuffled`: it was inspected and shuffled before it came. `credential` is empty in a script.
    """

    name: ClassVar[str] = "deck.received"
    deck: str
    back: str
    cards: int
    preshuffled: bool
    credential: str


@record
class StepAttested(Event):
    """A person did one prescribed step and answers for it: `by` is ``dealer``, ``floorperson`` or ``both``.

    `deck` is the deck that it is about, or empty; `credential` is empty where no badge was wanted.
    """

    name: ClassVar[str] = "table.attested"
    step: str
    deck: str
    by: str
    credential: str
    cite: str


@record
class DeckExchanged(Event):
    """The round that is open is played with this deck, which the shuffler had kept, and not with the one `before`."""

    name: ClassVar[str] = "deck.exchanged"
    deck: str
    before: str
    cite: str


@record
class CardsShown(Event):
    """The cards lay spread before the first player to arrive, at that seat: face up, or face down as nobody asked."""

    name: ClassVar[str] = "deck.shown"
    deck: str
    seat: int
    face_up: bool
    cite: str


@record
class DeckCut(Event):
    """The deck was cut, by a seat or the dealer."""

    name: ClassVar[str] = "deck.cut"
    deck: str
    by: Position
    cite: str


@record
class DeckLoaded(Event):
    """The deck went into the shuffler, which begins to shuffle it while another one is played."""

    name: ClassVar[str] = "deck.loaded"
    deck: str
    back: str


@record
class DeckChangeNear(Event):
    """The deck has to be changed in so many minutes; said once for each deck."""

    name: ClassVar[str] = "deck.change_near"
    deck: str
    minutes: int
    cite: str


@record
class DeckClaimed(Event):
    """What a device says that it has found in the deck: its claim, and no verification, whatever it says.

    `cards` is None where it does not count; `missing` and `extra` are the cards that it names; `unreadable` and
    `odd_backs` are numbers of cards; `back` and `batch` are None where it cannot tell.
    """

    name: ClassVar[str] = "deck.claimed"
    deck: str
    device: str
    cards: int | None
    missing: tuple[Card, ...]
    extra: tuple[Card, ...]
    unreadable: int
    back: str | None
    odd_backs: int
    batch: int | None


@record
class DeckQuestioned(Event):
    """Something about the deck is in doubt: no round follows this one before a floorperson's badge clears it.

    `what` is the kind of question, `detail` says it in words, `cards` are those that it is about, where they are known.
    """

    name: ClassVar[str] = "deck.questioned"
    deck: str
    what: str
    detail: str
    cards: tuple[Card, ...]


@record
class DeckCleared(Event):
    """An open question of the deck is closed, with a floorperson's badge and a reason.

    `credential` is empty where the deck has left the table, or the card was replaced: those acts have their own.
    """

    name: ClassVar[str] = "deck.cleared"
    deck: str
    what: str
    credential: str
    reason: str


@record
class CardSetAside(Event):
    """One card was taken out of the deck; `card` is None where nobody can tell any more which one it was."""

    name: ClassVar[str] = "deck.card_set_aside"
    deck: str
    card: Card | None
    credential: str


@record
class CardReplaced(Event):
    """A card that is missing from the deck was replaced by its like, of the deck's back, with an approval."""

    name: ClassVar[str] = "deck.card_replaced"
    deck: str
    card: Card
    back: str
    credential: str


@record
class CardReplacementRefused(Event):
    """A card that was to be put into the deck is not what is missing from it, or of another back."""

    name: ClassVar[str] = "deck.replacement_refused"
    deck: str
    missing: Card
    card: Card
    back: str
    reason: str
    credential: str


@record
class DeckAccounted(Event):
    """The cards that were in a device were taken out of it and counted: `by` is ``device`` or ``dealer``."""

    name: ClassVar[str] = "deck.accounted"
    deck: str
    device: str
    cards: int
    expected: int
    by: str
