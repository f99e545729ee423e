"""How each act is performed at a live table: by a device where there is one, else confirmed on the dealer's panel.

What a sensor sees needs no press. A table with a panel alone plays the whole game: the dealer keys the wagers, says
when the cards are dealt, and keys the cards as they are turned up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.cards import DEALER, RANKS, SUITS, Card, FaceDown, Position, card
from tablectl.engine.desk import ALL_DEALT, Answer, Desk, Done, Performance, Taken
from tablectl.engine.incidents import SHUFFLER_FAULTS, shuffle_result
from tablectl.engine.inputs import CommandFailed, Input, TimerExpired
from tablectl.engine.menu import DIGITS, ENTER, NO, YES, Digits, Report
from tablectl.engine.prompts import Prompt, key_of, position_of
from tablectl.equipment import (
    Capability,
    CardLeft,
    CardScanned,
    CardUnreadable,
    DispenseStack,
    Fault,
    KeyPressed,
    Kind,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    StartShuffle,
)
from tablectl.money import Money, show
from tablectl.procedure import instructions as acts

__all__ = ["PERFORMANCES"]

_RANK_KEYS: Final = {f"rank_{rank}": rank for rank in RANKS}
_SUIT_KEYS: Final = {f"suit_{suit}": suit for suit in SUITS}
_CARD_KEYS: Final = (*_RANK_KEYS, *_SUIT_KEYS)


def _key(given: Input) -> str | None:
    return given.message.key if isinstance(given.message, KeyPressed) else None


# Shuffle and deck ---------------------------------------------------------------------------------------------------


class ByDevice(Performance):
    """A shuffle by the shuffler; after a fault it waits until the dealer has put that right and says so."""

    def __init__(self, act: acts.Shuffle, desk: Desk, device: str) -> None:
        self._act = act
        self._desk = desk
        self._counts = desk.picture.links[device].can(Capability.COUNTS)
        self._command_id = 0
        self._start = (device, StartShuffle())
        self.command = None if desk.shuffle_failed else self._start

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        match given.message:
            case ShuffleFinished(command, cards) if command == self._command_id:
                return Done(acts.Shuffled(cards))
            case ShuffleFailed(command, fault) if command == self._command_id:
                return self._failed(SHUFFLER_FAULTS[0] if fault is Fault.JAM else SHUFFLER_FAULTS[1])
            case CommandFailed(command) if command == self._command_id:
                return self._failed(SHUFFLER_FAULTS[1])
            case KeyPressed("shuffle") if self.command is None:
                self.command = self._start
                return Taken.HELD
            case _:
                return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        result = shuffle_result(self._act, report.incident, self._counts)
        return Taken.IGNORED if result is None else Done(result)

    def prompt(self) -> Prompt:
        if self.command is None:
            return Prompt("SHUFFLER: PUT IT RIGHT, THEN SHUFFLE", ("shuffle",))
        return Prompt("SHUFFLING")

    def _failed(self, kind: str) -> Answer:
        self._desk.shuffle_failed = True
        return Done(acts.ShuffleFault(kind))


class ByHand(Performance):
    """A shuffle that the dealer confirms: by hand, or by a shuffler that is not connected."""

    def __init__(self, act: acts.Shuffle, desk: Desk) -> None:
        self._act = act
        self._counts = act.by == "device" and desk.table.shuffler.counts
        self._whole = desk.table.game.deck

    def offer(self, given: Input) -> Answer:
        if _key(given) == "shuffled":
            return Done(acts.Shuffled(self._whole if self._counts else None))
        return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        result = shuffle_result(self._act, report.incident, self._counts)
        return Taken.IGNORED if result is None else Done(result)

    def prompt(self) -> Prompt:
        if self._act.by == "hand":
            return Prompt("SHUFFLE BY HAND, THEN SHUFFLED", ("shuffled",))
        return Prompt("SHUFFLER DONE, LIGHT GREEN? SHUFFLED", ("shuffled",))


def _shuffle(act: acts.Shuffle, desk: Desk) -> Performance:
    device = desk.picture.find(Kind.SHUFFLER) if act.by == "device" else None
    return ByHand(act, desk) if device is None else ByDevice(act, desk, device)


class Confirm(Performance):
    """An act of the dealer's that one key confirms."""

    def __init__(self, key: str, text: str) -> None:
        self._key = key
        self._text = text

    def offer(self, given: Input) -> Answer:
        return Done(None) if _key(given) == self._key else Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt(self._text, (self._key,))


class BringDeck(Performance):
    """A floorperson brings another deck: badge (or the key switch where there is no reader), then the dealer's key."""

    def __init__(self, act: acts.ReplaceDeck, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._credential = ""

    def offer(self, given: Input) -> Answer:
        badge = self._desk.is_floorperson(given.message)
        if badge is not None:
            self._credential = badge
            return Taken.HELD
        key = _key(given)
        if key == "floor_key" and self._desk.picture.find(Kind.CREDENTIAL_READER) is None:
            self._credential = "key switch"
            return Taken.HELD
        if key == "new_deck" and self._credential:
            return Done(acts.NewDeck(f"deck-{self._act.number}", self._credential))
        return Taken.IGNORED

    def prompt(self) -> Prompt:
        if self._credential:
            return Prompt("INSPECTED? THEN NEW DECK", ("new_deck",))
        return Prompt("NO DECK: FLOORPERSON'S BADGE", ("floor_key",))


# Wagers -------------------------------------------------------------------------------------------------------------


class Collect(Performance):
    """Wagers until "no more bets": chips that sensors see, or seat, wager, amount and enter on the panel."""

    def __init__(self, act: acts.CollectWagers, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._seat: int | None = None
        self._wager: str | None = None
        self._amount = ""

    def offer(self, given: Input) -> Answer:
        key = _key(given)
        if key is None:
            return Taken.IGNORED
        if key == "no_more_bets":
            return self._close()
        position = position_of(key)
        if position is not None and position is not DEALER and position.number <= self._act.seats:
            self._seat, self._wager, self._amount = position.number, None, ""
        elif self._seat is not None and key in self._act.wagers:
            self._wager, self._amount = key, ""
        elif self._wager is not None and (key in DIGITS or (key == "point" and "." not in self._amount)):
            self._amount += "." if key == "point" else key.removeprefix("digit_")
        elif self._wager is not None and self._seat is not None and key == ENTER:
            return self._put(self._seat, self._wager)
        else:
            return Taken.IGNORED
        return Taken.HELD

    def prompt(self) -> Prompt:
        if self._seat is None:
            seats = tuple(f"seat_{number}" for number in range(1, self._act.seats + 1))
            placed = len(self._stakes())
            return Prompt(f"WAGERS: {placed}. THEN NO MORE BETS", (*(("no_more_bets",) if placed else ()), *seats))
        if self._wager is None:
            return Prompt(f"SEAT {self._seat}: WHICH WAGER?", ("no_more_bets", *self._act.wagers))
        return Prompt(f"SEAT {self._seat} {_words(self._wager)}: {self._amount}_", (*DIGITS, "point", ENTER))

    def _put(self, seat: int, wager: str) -> Answer:
        dollars, _, cents = self._amount.partition(".")
        if len(cents) > 2 or (self._amount and not dollars):
            return Taken.IGNORED
        amount = int(dollars or 0) * 100 + int(cents.ljust(2, "0"))
        if self._amount and amount == 0:
            self._desk.picture.spots.pop((seat, wager), None)
        else:
            self._desk.picture.put(seat, wager, amount or None)
        self._seat, self._wager, self._amount = None, None, ""
        return Taken.HELD

    def _stakes(self) -> tuple[acts.Stake, ...]:
        spots = self._desk.picture.spots
        return tuple(
            acts.Stake(seat, wager, None if spot.amount is None else Money(spot.amount))
            for seat in range(1, self._act.seats + 1)
            for wager in self._act.wagers
            if (spot := spots.get((seat, wager))) is not None
        )

    def _close(self) -> Answer:
        stakes = self._stakes()
        if not stakes:
            return Taken.IGNORED
        self._desk.locked_at = self._desk.picture.order
        return Done(stakes)


# Cards --------------------------------------------------------------------------------------------------------------


class DrawCard(Performance):
    """One card: seen by the shoe as it leaves, or part of a deal that the dealer says is done."""

    def __init__(self, act: acts.Draw, desk: Desk) -> None:
        self._act = act
        self._desk = desk

    def begin(self) -> Answer:
        if self._desk.cards_are_seen:
            return Taken.HELD
        if self._act.number in self._desk.face_up_at:
            return Done(acts.FoundFaceUp(None))
        return Done(acts.Drawn(FaceDown())) if self._act.number <= self._desk.dealt_to else Taken.HELD

    def offer(self, given: Input) -> Answer:
        message = given.message
        if isinstance(message, CardLeft):
            if message.face_up or self._act.number in self._desk.face_up_at:
                return Done(acts.FoundFaceUp(message.card.card))
            return Done(acts.Drawn(message.card))
        if _key(given) == "dealt" and not self._desk.cards_are_seen:
            self._desk.dealt_to = ALL_DEALT
            return self.begin()
        return _wants_count(given, self._desk)

    def report(self, report: Report) -> Answer:
        out = report.cards_out
        if out is not None:
            self._desk.dealt_to = out
        if report.incident.kind == "card_face_up":
            self._desk.face_up_at.append(self._act.number if out is None else out + 1)
            return self.begin()
        return Taken.IGNORED

    def prompt(self) -> Prompt:
        if self._desk.cards_are_seen:
            return Prompt(f"DEAL CARD {self._act.number} TO {str(self._act.to).upper()}")
        if self._desk.picture.awaited(Kind.SHOE):
            return Prompt("WAITING FOR THE SHOE", ("dealt",))
        return Prompt("DEAL ALL CARDS, THEN DEALT", ("dealt",))


class StackByDevice(Performance):
    """One stack from the automated shoe."""

    def __init__(self, act: acts.Dispense, desk: Desk, device: str) -> None:
        self._act = act
        self._desk = desk
        self._command_id = 0
        self._doubt = False
        self.command = (device, DispenseStack(act.count))

    def intended(self, command_id: int) -> None:
        self._command_id = command_id
        self._doubt = False

    def in_doubt(self) -> bool:
        self._doubt = True
        return False

    def offer(self, given: Input) -> Answer:
        if self._doubt and _key(given) == YES:
            return Done(acts.Dispensed((acts.Drawn(FaceDown()),) * self._act.count))
        if self._doubt and _key(given) == NO:
            return Taken.AGAIN
        match given.message:
            case StackTaken(command, cards, face_up) if command == self._command_id:
                return Done(acts.Dispensed(tuple(_left(c, place in face_up) for place, c in enumerate(cards))))
            case StackFailed(command, cards) if command == self._command_id:
                return Done(acts.ShoeJammed(tuple(acts.Drawn(c) for c in cards)))
            case CommandFailed(command) if command == self._command_id:
                return Done(acts.ShoeJammed(()))
            case _:
                return _wants_count(given, self._desk)

    def report(self, report: Report) -> Answer:
        return Done(acts.ShoeJammed(())) if report.incident.kind == "shoe_jam" else Taken.IGNORED

    def prompt(self) -> Prompt:
        if self._doubt:
            return Prompt(f"DID {str(self._act.to).upper()} GET ITS STACK?", (YES, NO))
        return Prompt(f"TAKE THE STACK FOR {str(self._act.to).upper()}")


class StackByHand(Performance):
    """One stack of a deal that the dealer says is done: the automated shoe is not connected."""

    def __init__(self, act: acts.Dispense, desk: Desk) -> None:
        self._act = act
        self._desk = desk

    def begin(self) -> Answer:
        if self._desk.dealt_to < self._act.number:
            return Taken.HELD
        cards = self._cards(ALL_DEALT)
        jammed = self._desk.jammed_after
        if jammed is not None and jammed < self._act.number + len(cards) - 1:
            return Done(acts.ShoeJammed(self._cards(jammed)))
        return Done(acts.Dispensed(cards))

    def offer(self, given: Input) -> Answer:
        if _key(given) == "dealt":
            self._desk.dealt_to = ALL_DEALT
            return self.begin()
        return _wants_count(given, self._desk)

    def report(self, report: Report) -> Answer:
        out = report.cards_out if report.cards_out is not None else self._act.number - 1
        if report.incident.kind == "card_face_up":
            self._desk.face_up_at.append(out + 1)
            return Taken.HELD
        self._desk.dealt_to = out
        if report.incident.kind == "shoe_jam":
            self._desk.jammed_after = out
        return Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt("DEAL ALL STACKS, THEN DEALT", ("dealt",))

    def _cards(self, to: int) -> tuple[acts.Drawn | acts.FoundFaceUp, ...]:
        cards: list[acts.Drawn | acts.FoundFaceUp] = []
        good, number = 0, self._act.number
        while good < self._act.count and number <= to:
            face_up = number in self._desk.face_up_at
            cards.append(acts.FoundFaceUp(None) if face_up else acts.Drawn(FaceDown()))
            good += not face_up
            number += 1
        return tuple(cards)


def _dispense(act: acts.Dispense, desk: Desk) -> Performance:
    link, device = desk.picture.usable(Kind.SHOE), desk.picture.find(Kind.SHOE)
    if link is not None and device is not None and link.can(Capability.DISPENSES):
        return StackByDevice(act, desk, device)
    return StackByHand(act, desk)


def _left(face_down: FaceDown, face_up: bool) -> acts.Drawn | acts.FoundFaceUp:
    return acts.FoundFaceUp(face_down.card) if face_up else acts.Drawn(face_down)


def _wants_count(given: Input, desk: Desk) -> Answer:
    """The dealer may ask during the deal that the stub be counted even if that is not due."""
    if _key(given) != "count_stub":
        return Taken.IGNORED
    desk.count_wanted = True
    return Taken.HELD


class Count(Performance):
    """A count face down: the number that the dealer keys; if the deck is wrong, who has the wrong number."""

    def __init__(self, act: acts.CountCards, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._digits = Digits(most=3)
        self._total: int | None = None
        self._misdealt = False

    def begin(self) -> Answer:
        wanted = self._act.due or self._desk.count_wanted
        self._desk.count_wanted = False
        return Taken.HELD if wanted else Done(None)

    def offer(self, given: Input) -> Answer:
        key = _key(given)
        if key is None:
            return Taken.IGNORED
        if self._misdealt and self._total is not None:
            position = position_of(key)
            return Taken.IGNORED if position is None else Done(acts.CardsCount(self._total, True, position))
        if self._total is not None:
            if key == NO:
                return Done(acts.CardsCount(self._total, False, None))
            self._misdealt = key == YES
            return Taken.HELD if self._misdealt else Taken.IGNORED
        if self._digits.key(key):
            return Taken.HELD
        if key != ENTER or self._digits.value is None:
            return Taken.IGNORED
        self._total = self._digits.value + self._act.whole - self._act.expected
        return Done(acts.CardsCount(self._total, False, None)) if self._total == self._act.whole else Taken.HELD

    def prompt(self) -> Prompt:
        if self._misdealt:
            return Prompt("WHO HAS THE WRONG NUMBER?", tuple(key_of(place) for place in self._desk.positions()))
        if self._total is not None:
            return Prompt(f"DECK COUNTS {self._total}: CARDS MISDEALT?", (YES, NO))
        return Prompt(f"COUNT THE {self._act.what.upper()}: {self._digits.text}_", (*DIGITS, ENTER))


class Turn(Performance):
    """Cards turned up: shown to the scanner, keyed, or, where the shoe has read them, the dealer's own act alone."""

    def __init__(self, act: acts.Expose, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._read = all(face_down.card is not None for face_down in act.cards)
        self._seen: list[Card] = []
        self._rank: str | None = None

    def begin(self) -> Answer:
        by_itself = (
            self._read and self._act.position is not DEALER and not self._desk.picture.awaited(Kind.CARD_SCANNER)
        )
        return self._as_read() if by_itself else Taken.HELD

    def offer(self, given: Input) -> Answer:
        match given.message:
            case CardScanned(seen):
                return self._see(seen)
            case CardUnreadable():
                self._desk.notice = "NOT READABLE: KEY THE CARD"
                return Taken.HELD
            case KeyPressed("expose") if self._read and not self._seen:
                return self._as_read()
            case KeyPressed(key) if key in _RANK_KEYS:
                self._rank = _RANK_KEYS[key]
                return Taken.HELD
            case KeyPressed(key) if key in _SUIT_KEYS and self._rank is not None:
                keyed, self._rank = card(self._rank + _SUIT_KEYS[key]), None
                return self._see(keyed)
            case _:
                return Taken.IGNORED

    def prompt(self) -> Prompt:
        where = f"{_hand_of(self._act.position)}: "
        if self._read and not self._seen:
            return Prompt(f"{where}TURN UP, THEN EXPOSE", ("expose", *_CARD_KEYS))
        return Prompt(f"{where}CARD {len(self._seen) + 1} OF {len(self._act.cards)}", _CARD_KEYS)

    def _as_read(self) -> Answer:
        return Done(acts.Exposed(tuple(c.card for c in self._act.cards if c.card is not None)))

    def _see(self, seen: Card) -> Answer:
        if seen in self._seen:
            return Taken.IGNORED
        self._seen.append(seen)
        if len(self._seen) < len(self._act.cards):
            return Taken.HELD
        read = [c.card for c in self._act.cards]
        if self._read and all(c in read for c in self._seen):
            return self._as_read()
        if any(c is not None and c not in self._seen for c in read):
            self._desk.conflicts.append(self._act.position)
        return Done(acts.Exposed(tuple(self._seen)))  # settled from what lies on the table


def _hand_of(position: Position) -> str:
    return "DEALER" if position is DEALER else str(position).upper()


# Decisions ----------------------------------------------------------------------------------------------------------


class AskSeat(Performance):
    """A seat's choice: its key, which stands for a moment and may be replaced, or a chip on the spot that means it."""

    def __init__(self, act: acts.Ask, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._standing: str | None = None

    def begin(self) -> Answer:
        return self._chips()

    def offer(self, given: Input) -> Answer:
        match given.message:
            case TimerExpired(token):
                stands = self.deadline is not None and token == self.deadline[0]
                return self._final() if stands else Taken.IGNORED
            case KeyPressed(key):
                return self._pressed(key)
            case _:
                return self._chips()

    def prompt(self) -> Prompt:
        verbs = tuple(choice.verb for choice in self._act.choices)
        standing = () if self._standing is None else (self._standing,)
        if self._standing == "leave":
            return Prompt(f"SEAT {self._act.seat} LEAVES, WAGERS LOST? ENTER", (*verbs, ENTER), standing)
        asked = " OR ".join(_words(verb) for verb in verbs)
        return Prompt(f"SEAT {self._act.seat}: {asked}?", (f"seat_{self._act.seat}", *verbs), standing)

    def _pressed(self, key: str) -> Answer:
        position = position_of(key)
        if position is not None:
            other = position.number != self._act.seat
            return self._final() if other and self._standing not in (None, "leave") else Taken.IGNORED
        if key == ENTER:
            return Taken.IGNORED if self._standing is None else self._final()
        if key != "leave" and all(choice.verb != key for choice in self._act.choices):
            return Taken.IGNORED
        self._standing = key
        wait = self._desk.settings.confirm_ms
        if key == "leave":  # destructive: a second, different key has to follow
            self.deadline = None
            return Taken.HELD
        self.deadline = (self._desk.new_token(), wait)
        return Taken.HELD if wait else self._final()

    def _final(self) -> Answer:
        if self._standing is None or self._standing == "leave":
            return Done(acts.Left()) if self._standing else Taken.IGNORED
        choice = next(choice for choice in self._act.choices if choice.verb == self._standing)
        return Done(acts.Decision(choice.verb, choice.amount))

    def _chips(self) -> Answer:
        for choice in self._act.choices:
            if choice.wager is None:
                continue
            spot = self._desk.picture.spots.get((self._act.seat, choice.wager))
            if spot is None or spot.order <= self._desk.locked_at:
                continue
            if spot.amount is None or choice.amount is None or spot.amount == choice.amount:
                return Done(acts.Decision(choice.verb, choice.amount))
            self._desk.notice = f"SEAT {self._act.seat}: {_words(choice.wager)} MUST BE {show(choice.amount)}"
            return Taken.HELD
        return Taken.IGNORED


def _words(name: str) -> str:
    return name.replace("_", " ").upper()


PERFORMANCES: Final[Mapping[type[Any], Callable[[Any, Desk], Performance]]] = {
    acts.Shuffle: _shuffle,
    acts.RemoveDevice: lambda act, _desk: Confirm("removed", f"TAKE {_words(act.device)} AWAY, THEN REMOVED"),
    acts.ReplaceDeck: BringDeck,
    acts.CollectWagers: Collect,
    acts.Draw: DrawCard,
    acts.Dispense: _dispense,
    acts.CountCards: Count,
    acts.Expose: Turn,
    acts.Ask: AskSeat,
}
"""Acts that wait for somebody or something; all others are done as soon as they are on the record."""
