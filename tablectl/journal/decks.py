"""The deck ledger: every deck that came to the table, who or what counted it and when, and the rounds played with it.

At a table with dice a set of dice takes the place of a deck.

It is a fold over event rows. A deck is *proven whole* by a count of all its cards that was right, by an identifying
shuffler's verdict, or by a floorperson's verification when it came. Counting is not identifying: a right number of
cards may hold one that does not belong there. What a device claims besides is kept as its claim, and proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from tablectl import events as e
from tablectl.events import Outcome
from tablectl.journal.played import Played, Rounds
from tablectl.journal.told import Stamp, Told

__all__ = ["CardAct", "Check", "Deck", "DeckLedger", "How", "Question", "Since", "Stretch", "Unseen"]


_VERIFIED: Final = ("verify", "inspect_dice")
"""Steps by which a floorperson answers for a whole deck, or together with the dealer for a set of dice."""


class How(StrEnum):
    """What a check of a deck tells: how many cards, which cards, that a person answers for it, or a device's word."""

    COUNTED = "counted"
    IDENTIFIED = "identified"
    ATTESTED = "attested"
    CLAIMED = "claimed"


class Since(StrEnum):
    """Which checks are a proof that the deck was whole: any, only those of each card's identity, or only a person's."""

    PROVEN = "proven"
    IDENTIFIED = "identified"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the whole deck: `what` was done, `by` whom (a credential, or a device), what it showed.

    `right` is None where nothing was said about whether the deck is whole. `round` is the round it was made in.
    """

    at: Stamp
    round: int | None
    what: str
    how: How
    by: str
    by_device: bool
    cards: int | None
    right: bool | None
    detail: str = ""

    def proves(self, since: Since) -> bool:
        """Whether it proves the deck whole, in that sense."""
        if not self.right or self.how is How.CLAIMED or (self.how is How.ATTESTED and self.what not in _VERIFIED):
            return False
        match since:
            case Since.PROVEN:
                return True
            case Since.IDENTIFIED:
                return self.how is not How.COUNTED
            case Since.PERSON:
                return not self.by_device


@dataclass(slots=True)
class Question:
    """Something about the deck that was in doubt, and who has cleared it; `closed` is None while it is open."""

    at: Stamp
    what: str
    detail: str
    cards: tuple[str, ...]
    closed: Stamp | None = None
    credential: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CardAct:
    """One card was ``set_aside``, ``replaced``, or ``refused`` as a replacement; `card` is empty if nobody can tell."""

    at: Stamp
    what: str
    card: str
    back: str
    credential: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unseen:
    """Rounds that were played without the controller while the deck was at the table."""

    at: Stamp
    rounds: int
    reason: str
    credential: str


Mark = Check | Question | CardAct | Unseen | Played


@dataclass(slots=True)
class Stretch:
    """What was played with a deck between two proofs that it was whole; `found` is what spoke against it meanwhile.

    `since` is None where it was never proven before, `until` while it was not proven again.
    """

    since: Check | None
    until: Check | None = None
    rounds: list[Played] = field(default_factory=list)
    unseen: list[Unseen] = field(default_factory=list)
    found: list[Check | Question | CardAct] = field(default_factory=list)

    @property
    def in_doubt(self) -> bool:
        """Whether the next proof is still to come, or something was found before it."""
        return self.until is None or bool(self.found)


@dataclass(slots=True)
class Deck:
    """One deck or batch, or a set of dice, from when it came to when it left; `came` is None if that is not recorded.

    `cards` is None where nobody has said how many it has, `dice` where it is no set of them. `rounds`, `hands` and
    `void` count what was played with it, `first_round` is the number of the first of them, `unproven` how many there
    were since it was last proven whole. `marks` is all that happened to it, in order; rounds are among them only of a
    deck that is kept.
    """

    id: str
    back: str = ""
    cards: int | None = None
    dice: int | None = None
    came: Stamp | None = None
    brought_by: str = ""
    preshuffled: bool = False
    left: Stamp | None = None
    clause: str = ""
    kept: bool = False
    rounds: int = 0
    hands: int = 0
    void: int = 0
    unproven: int = 0
    first_round: int | None = None
    last_round: Played | None = None
    split: bool = False
    marks: list[Mark] = field(default_factory=list)

    @property
    def checks(self) -> list[Check]:
        """Every check of it."""
        return [mark for mark in self.marks if isinstance(mark, Check)]

    @property
    def questions(self) -> list[Question]:
        """Every question about it."""
        return [mark for mark in self.marks if isinstance(mark, Question)]

    @property
    def card_acts(self) -> list[CardAct]:
        """Cards set aside and replaced."""
        return [mark for mark in self.marks if isinstance(mark, CardAct)]

    @property
    def unseen(self) -> list[Unseen]:
        """Gaps in the record of its rounds."""
        return [mark for mark in self.marks if isinstance(mark, Unseen)]

    def as_it_is(self) -> Deck:
        """A copy that does not change when more happens to the deck."""
        return replace(self, marks=[replace(mark) if isinstance(mark, Question) else mark for mark in self.marks])

    def proven(self, since: Since = Since.PROVEN) -> Check | None:
        """When it was last proven whole."""
        return next((check for check in reversed(self.checks) if check.proves(since)), None)

    def stretches(self, since: Since = Since.PROVEN) -> list[Stretch]:
        """What was played between the proofs, in order; the last one goes on until now or until it left."""
        made = [Stretch(None)]
        for mark in self.marks:
            now = made[-1]
            match mark:
                case Check() if mark.proves(since):
                    now.until = mark
                    made.append(Stretch(mark))
                case Check() if mark.right is False:
                    now.found.append(mark)
                case Question():
                    now.found.append(mark)
                case CardAct(what="set_aside"):
                    now.found.append(mark)
                case Unseen():
                    now.unseen.append(mark)
                case Played() if not now.rounds or now.rounds[-1] is not mark:
                    now.rounds.append(mark)
                case _:
                    pass
        return made

    def add_round(self, played: Played) -> None:
        """A card of it was dealt in that round; counts again after a proof, as the round then lies on both sides."""
        if self.last_round is not played:
            self.rounds += 1
            self.last_round = played
            self.first_round = played.number if self.first_round is None else self.first_round
        elif not self.split:
            return
        self.split = False
        self.unproven += 1
        if self.kept:
            self.marks.append(played)

    def add_check(self, check: Check) -> None:
        """It was checked."""
        self.marks.append(check)
        self.split = self.split or any(check.proves(since) for since in Since)
        if check.proves(Since.PROVEN):
            self.unproven = 0

    def end_round(self, played: Played) -> None:
        """That round, in which cards of it were dealt, is closed."""
        if self.last_round is not played:
            self.add_round(played)
        self.split = False
        self.hands += played.hands
        self.void += played.outcome == Outcome.VOID


class DeckLedger:
    """Takes the events of a journal, in order; `decks` are all that ever came.

    The rounds of the deck called `keep` are kept, of others their numbers alone. `cards_of` tells how many cards a deck
    of that game has, None if it does not know; it is asked only of a deck whose coming is not on the record.
    """

    def __init__(self, cards_of: Callable[[str], int | None] = lambda _game: None, keep: str | None = None) -> None:
        self._cards_of = cards_of
        self._rounds = Rounds()
        self._shuffler = ""
        self._unproven: list[Deck] = []
        self._keep = keep
        self._by_id: dict[str, list[Deck]] = {}
        self.decks: list[Deck] = []

    @property
    def at_table(self) -> list[Deck]:
        """The decks that are at the table, in the order in which they came."""
        return [deck for deck in self.decks if deck.left is None]

    def of(self, id: str) -> list[Deck]:
        """Every stay of that deck at the table; empty if the journal does not know it."""
        return self._by_id.get(id, [])

    def take(self, told: Told) -> None:
        """Take the next event."""
        played = self._rounds.take(told)
        match told.event:
            case e.DeckReceived() as new:
                deck = self._receive(told.at, new)
                deck.back, deck.cards, deck.preshuffled = new.back, new.cards, new.preshuffled
            case e.DiceReceived() as dice:
                self._receive(told.at, dice).dice = dice.dice
            case e.DeckRemoved(deck=id, cite=cite):
                deck = self._deck(id)
                deck.left, deck.clause = told.at, cite
            case e.RoundOpened() as opened:
                self._open_round(opened)
            case e.CardDealt() | e.DiceCalled() if played is not None:
                self._deck(played.deck).add_round(played)
            case e.RoundClosed() as closed if played is not None and played.dealt:
                self._deck(closed.deck).end_round(played)
            case e.PlayedWithout() as gap:
                for deck in self.at_table:
                    deck.marks.append(Unseen(told.at, gap.rounds, gap.reason, gap.credential))
                self._unproven = self.at_table
            case _:
                self._check(told.at, told.event, played)
                self._ask(told.at, told.event)

    # How they come

    def _receive(self, at: Stamp, new: e.DeckReceived | e.DiceReceived) -> Deck:
        deck = next((deck for deck in self.of(new.deck) if deck.came is None and deck.left is None), None)
        if deck is None:
            deck = self._new(new.deck)
        deck.came, deck.brought_by = at, new.credential
        return deck

    def _open_round(self, opened: e.RoundOpened) -> None:
        self._shuffler = opened.shuffler
        deck = self._deck(opened.deck)
        deck.back = deck.back or opened.back
        if deck.cards is None:
            deck.cards = self._cards_of(opened.game)
        if self._unproven:  # they are counted one after the other, the one in play first
            self._unproven = sorted(self.at_table, key=lambda each: each is not deck)

    def _deck(self, id: str) -> Deck:
        """The last stay of that deck; one that never came on the record is at the table all the same."""
        known = self.of(id)
        return known[-1] if known else self._new(id)

    def _new(self, id: str) -> Deck:
        deck = Deck(id, kept=id == self._keep)
        self.decks.append(deck)
        self._by_id.setdefault(id, []).append(deck)
        return deck

    # What is checked

    def _check(self, at: Stamp, event: object, played: Played | None) -> None:
        number = None if played is None else played.number
        match event:
            case e.StepAttested(step="inspect" | "verify" | "inspect_dice") if event.deck:
                by = event.credential or event.by
                check = Check(at, number, event.step, How.ATTESTED, by, False, None, True)
                self._deck(event.deck).add_check(check)
            case e.DeckShuffled(counted=int() as counted):
                deck = self._deck(event.deck)
                deck.add_check(self._count(at, number, deck, "shuffle", event.by, event.by == "device", counted))
            case e.CardsCounted():
                by = self._rounds.dealer or "dealer"
                for deck in self._counted_deck(event, played):
                    deck.add_check(self._count(at, number, deck, event.what, by, False, event.total))
            case e.DeckAccounted():
                right = event.cards == event.expected
                by, by_device = (
                    (event.device, True) if event.by == "device" else (self._rounds.dealer or "dealer", False)
                )
                self._deck(event.deck).add_check(
                    Check(at, number, f"out of the {event.device}", How.COUNTED, by, by_device, event.cards, right)
                )
            case e.DeckClaimed():
                self._claim(at, number, event)
            case _:
                pass

    def _count(
        self, at: Stamp, number: int | None, deck: Deck, what: str, by: str, by_device: bool, cards: int
    ) -> Check:
        right = None if deck.cards is None else cards == deck.cards
        return Check(at, number, what, How.COUNTED, "shuffler" if by_device else by, by_device, cards, right)

    def _counted_deck(self, event: e.CardsCounted, played: Played | None) -> list[Deck]:
        """The deck that was counted: that in play, but after a gap one deck after the other."""
        if event.what == "deck" and self._unproven:
            return [self._unproven.pop(0)]
        return self.at_table[:1] if played is None else [self._deck(played.deck)]

    def _claim(self, at: Stamp, number: int | None, event: e.DeckClaimed) -> None:
        deck = self._deck(event.deck)
        against = list(_against(event, deck))
        verdict = self._shuffler == "identifying" and event.device != "shoe"
        how = How.IDENTIFIED if verdict else How.CLAIMED
        deck.add_check(
            Check(at, number, "claim", how, event.device, True, event.cards, not against, "; ".join(against))
        )

    # What is in doubt

    def _ask(self, at: Stamp, event: object) -> None:
        match event:
            case e.DeckQuestioned():
                asked = Question(at, event.what, event.detail, _names(event.cards))
                self._deck(event.deck).marks.append(asked)
            case e.DeckCleared():
                self._clear(at, event)
            case e.CardSetAside():
                card = "" if event.card is None else event.card.name
                self._deck(event.deck).marks.append(CardAct(at, "set_aside", card, "", event.credential))
            case e.CardReplaced():
                act = CardAct(at, "replaced", event.card.name, event.back, event.credential)
                self._deck(event.deck).marks.append(act)
            case e.CardReplacementRefused():
                act = CardAct(at, "refused", event.card.name, event.back, event.credential, event.reason)
                self._deck(event.deck).marks.append(act)
            case _:
                pass

    def _clear(self, at: Stamp, event: e.DeckCleared) -> None:
        deck = self._deck(event.deck)
        for asked in deck.questions:
            if asked.closed is None and asked.what == event.what:
                asked.closed, asked.credential, asked.reason = at, event.credential, event.reason
                break
        if event.reason == "counted" and event.credential:
            number = None if self._rounds.current is None else self._rounds.current.number
            deck.add_check(
                Check(
                    at,
                    number,
                    event.what,
                    How.COUNTED,
                    event.credential,
                    False,
                    deck.cards,
                    True,
                    "to clear a question",
                )
            )


def _against(event: e.DeckClaimed, deck: Deck) -> Iterator[str]:
    """What of a device's claim speaks against the deck."""
    if event.cards is not None and deck.cards is not None and event.cards != deck.cards:
        yield f"{event.cards} cards"
    if event.missing:
        yield f"missing {' '.join(_names(event.missing))}"
    if event.extra:
        yield f"extra {' '.join(_names(event.extra))}"
    if event.unreadable:
        yield f"{event.unreadable} unreadable"
    if event.odd_backs:
        yield f"{event.odd_backs} with another back"
    if event.back is not None and deck.back and event.back != deck.back:
        yield f"backs are {event.back}"


def _names(cards: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(str(card) for card in cards)
