"""The acts around what a deck is made of: claims of devices, questions that are open, cards that are replaced."""

from __future__ import annotations

from tablectl import events as e
from tablectl.cards import Card
from tablectl.procedure.instructions.base import Instruction
from tablectl.records import record

__all__ = [
    "ClearQuestion",
    "CloseQuestion",
    "DeckClaim",
    "DeckQuestion",
    "NameCard",
    "NameReplacement",
    "NamedCard",
    "QuestionCleared",
    "QuestionDeck",
    "RaiseAlarm",
    "RecordClaim",
    "RefuseReplacement",
    "ReplaceCard",
    "Replacement",
    "SetCardAside",
    "WarnDeckChange",
]


@record
class DeckClaim:
    """What a device says that it has found in the cards it holds; fields as in `DeckClaimed`.

    `other_batch`: the batch that it names is not the one that was put in.
    """

    device: str
    cards: int | None
    missing: tuple[Card, ...] = ()
    extra: tuple[Card, ...] = ()
    unreadable: int = 0
    back: str | None = None
    odd_backs: int = 0
    batch: int | None = None
    other_batch: bool = False

    def event(self, deck: str) -> e.DeckClaimed:
        """The claim about that deck as it goes on the record."""
        return e.DeckClaimed(
            deck,
            self.device,
            self.cards,
            self.missing,
            self.extra,
            self.unreadable,
            self.back,
            self.odd_backs,
            self.batch,
        )


@record
class DeckQuestion:
    """Something about a deck that is in doubt, as in `DeckQuestioned`; `since` is in seconds since the epoch."""

    deck: str
    what: str
    since: int
    detail: str
    cards: tuple[Card, ...] = ()


@record
class RecordClaim(Instruction[None]):
    """A claim that a device has made by itself goes on the record."""

    deck: str
    claim: DeckClaim

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (self.claim.event(self.deck),)


@record
class QuestionDeck(Instruction[None]):
    """A deck is called into question."""

    question: DeckQuestion

    def events(self, result: object) -> tuple[e.Event, ...]:
        asked = self.question
        return (e.DeckQuestioned(asked.deck, asked.what, asked.detail, asked.cards),)


@record
class RaiseAlarm(Instruction[None]):
    """Something needs a person at once, though play goes on."""

    source: str
    kind: str
    message: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.AlarmRaised(self.source, self.kind, self.message),)


@record
class QuestionCleared:
    """A floorperson has looked; `reason` is one of those of `ClearQuestion`."""

    credential: str
    reason: str


@record
class ClearQuestion(Instruction[QuestionCleared]):
    """Wait for a floorperson's badge and a reason; `minutes` is how long the question has been open.

    With the reason ``replace_card`` it stays open until the card is replaced.
    """

    question: DeckQuestion
    minutes: int
    reasons: tuple[str, ...]

    def events(self, result: object) -> tuple[e.Event, ...]:
        assert isinstance(result, QuestionCleared)
        if result.reason == "replace_card":
            return ()
        return (e.DeckCleared(self.question.deck, self.question.what, result.credential, result.reason),)


@record
class CloseQuestion(Instruction[None]):
    """A question is closed by another act, which has its own approval: the deck has left, the card was replaced."""

    question: DeckQuestion
    reason: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.DeckCleared(self.question.deck, self.question.what, "", self.reason),)


@record
class WarnDeckChange(Instruction[None]):
    """The deck has to be changed soon; `again` when that was said before."""

    deck: str
    back: str
    minutes: int
    cite: str
    again: bool

    def events(self, result: object) -> tuple[e.Event, ...]:
        return () if self.again else (e.DeckChangeNear(self.deck, self.minutes, self.cite),)


@record
class NamedCard:
    """The card that was meant, None where nobody can tell any more which one it was."""

    card: Card | None


@record
class NameCard(Instruction[NamedCard]):
    """Name the card that is taken out of the deck."""

    deck: str


@record
class SetCardAside(Instruction[None]):
    """The card is out of the deck, which is not complete until it is replaced."""

    deck: str
    card: Card | None
    credential: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.CardSetAside(self.deck, self.card, self.credential),)


@record
class Replacement:
    """The card that is missing, the one that is to take its place, and the colour of that one's back."""

    missing: Card
    card: Card
    back: str


@record
class NameReplacement(Instruction[Replacement]):
    """Name the missing card and its replacement; `missing` are those that are known to be missing.

    `backs` are the colours that can be named, that of the deck first.
    """

    deck: str
    missing: tuple[Card, ...]
    backs: tuple[str, ...]


@record
class ReplaceCard(Instruction[None]):
    """The replacement is the missing card's like, and goes into the deck."""

    deck: str
    card: Card
    back: str
    credential: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        return (e.CardReplaced(self.deck, self.card, self.back, self.credential),)


@record
class RefuseReplacement(Instruction[None]):
    """The replacement may not go into the deck, for that reason."""

    deck: str
    replacement: Replacement
    reason: str
    credential: str

    def events(self, result: object) -> tuple[e.Event, ...]:
        named = self.replacement
        return (
            e.CardReplacementRefused(self.deck, named.missing, named.card, named.back, self.reason, self.credential),
        )
