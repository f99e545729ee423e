"""One past round, rebuilt from its events in the journal: for a dispute at the table, and for the terminal.

Nothing in it comes from anywhere else than event rows, so no card is told that nobody at the table has seen.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from tablectl import events as e
from tablectl.engine.inputs import RoundFound, SettledRow
from tablectl.engine.prompts import LINE
from tablectl.engine.rows import plain, read_body
from tablectl.journal import Head, Row, RowKind
from tablectl.money import Money, show

__all__ = ["JournalRows", "Recorded", "RoundPage", "find_round", "look_up"]

_LATER_ROWS: Final = 100_000
"""Events behind a round that are looked through for corrections of it while somebody waits at the panel."""


class JournalRows(Protocol):
    """What is read of a journal."""

    def rows(
        self,
        after: int = 0,
        until: int | None = None,
        kinds: Iterable[RowKind] | None = None,
        limit: int | None = None,
    ) -> Iterator[Row]:
        """Rows after that number, in order."""

    def head(self) -> Head:
        """The end of the journal."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One event as it is recorded: its `sequence`, and when, with a mark whether that clock was synchronised."""

    sequence: int
    wall: str
    synced: bool
    event: e.Event

    @property
    def time(self) -> str:
        """The wall clock, ``2026-01-31 21:03:11.123Z``; with a ``?`` for the Z where it was not synchronised."""
        return f"{self.wall[:23].replace('T', ' ')}{'Z' if self.synced else '?'}"


@dataclass(frozen=True, slots=True)
class RoundPage:
    """One round: its events from the first to the last, and the corrections that came later.

    `dealer` is whose round it began as, empty where nobody had said so.
    """

    number: int
    dealer: str
    training: bool
    events: tuple[Recorded, ...]
    corrections: tuple[Recorded, ...]

    @property
    def opened(self) -> e.RoundOpened:
        """How the round began."""
        first = self.events[0].event
        assert isinstance(first, e.RoundOpened)
        return first

    @property
    def closed(self) -> e.RoundClosed | None:
        """How it ended, None while it has not."""
        last = self.events[-1].event
        return last if isinstance(last, e.RoundClosed) else None

    def settled(self) -> tuple[SettledRow, ...]:
        """The last settlement of each wager, with the number of its record; a void leaves what stands before it."""
        rows: dict[tuple[int, int, str, int], SettledRow] = {}
        for recorded in self.events:
            match recorded.event:
                case e.WagerSettled() as row:
                    rows[row.seat, row.hand, row.wager, row.on or 0] = SettledRow(recorded.sequence, row)
                case e.RoundVoided(stands=stands):
                    rows = {key: row for key, row in rows.items() if _spot(row.settled) in stands}
                case _:
                    pass
        return tuple(rows.values())

    def standing(self) -> tuple[e.WagerMade, ...]:
        """Wagers without a settlement."""
        done = [(row.settled.seat, row.settled.hand, row.settled.wager) for row in self.settled()]
        made: dict[tuple[int, int, str], e.WagerMade] = {}
        for recorded in self.events:
            match recorded.event:
                case e.WagerMade() as wager:
                    spot = wager.seat, wager.hand, wager.wager
                    made[spot] = e.together(made.get(spot), wager)
                case e.WagerWithdrawn() as back:
                    made.pop((back.seat, back.hand, back.wager), None)
                case _:
                    pass
        return tuple(wager for key, wager in made.items() if key not in done)

    def time_of(self, kind: type[e.Event]) -> str | None:
        """When the first event of that kind was recorded."""
        return next((recorded.time for recorded in self.events if isinstance(recorded.event, kind)), None)

    def lines(self) -> tuple[str, ...]:
        """What the panel shows of it, one line after the other."""
        opened = self.events[0]
        said = [f"ROUND {self.number} {_time(opened)} {self.opened.deck}"]
        said += [line for recorded in self.events if (line := _of_play(recorded.event))]
        said += [_of_wager(row.settled) for row in self.settled()]
        said += [f"SEAT {w.seat} {_words(w.wager)} {_amount(w.amount)}OPEN" for w in self.standing()]
        said += [_of_correction(r.event) for r in self.corrections if isinstance(r.event, e.PaymentCorrected)]
        closed = self.closed
        why = "" if closed is None or closed.cause is None else f": {_words(closed.cause)} {closed.cite or ''}".rstrip()
        said.append("NOT CLOSED" if closed is None else f"{_words(closed.outcome)} {_time(self.events[-1])}{why}")
        return tuple(line for text in said for line in textwrap.wrap(text, LINE))


def _spot(row: e.WagerSettled) -> str:
    return e.spot(row.seat, row.wager, row.hand)


def look_up(journal: JournalRows, number: int) -> RoundFound:
    """That round as the table is told of it; no lines where the journal has none of that number."""
    page = find_round(journal, number, later=_LATER_ROWS)
    return RoundFound(number, (), ()) if page is None else RoundFound(number, page.lines(), page.settled())


def find_round(journal: JournalRows, number: int, later: int | None = None) -> RoundPage | None:
    """That round, by halving the journal; corrections are looked for in so many `later` rows (None: in all)."""
    begin = _snapshot_before(journal, number)
    if begin is None:
        return None
    body = plain(begin)[2]
    dealer, training = body["state"]["dealer"], body["identity"]["training"]
    found: list[Recorded] = []
    rows = journal.rows(begin.seq, kinds=[RowKind.EVENT])
    for row in rows:
        recorded = _recorded(row)
        if isinstance(recorded.event, e.RoundOpened):
            if recorded.event.round != number:
                break
            found = [recorded]
        elif found:
            found.append(recorded)
        if found and isinstance(recorded.event, e.RoundClosed):
            break
    if not found:
        return None
    corrections = tuple(_corrections(journal, number, found[-1], begin.seq, later))
    return RoundPage(number, dealer, training, tuple(found), corrections)


def _snapshot_before(journal: JournalRows, number: int) -> Row | None:
    """The last snapshot that round `number` could have begun with."""
    low, high = 0, journal.head().seq
    best: Row | None = None
    while low < high:
        middle = (low + high) // 2
        row = next(journal.rows(middle, kinds=[RowKind.SNAPSHOT], limit=1), None)
        if row is None or plain(row)[2]["state"]["round"] >= number:
            high = middle
        else:
            best, low = row, row.seq
    return best


def _corrections(
    journal: JournalRows, number: int, last: Recorded, after: int, later: int | None
) -> Iterator[Recorded]:
    for row in journal.rows(after, kinds=[RowKind.EVENT], limit=later):
        if f'"$":"{e.PaymentCorrected.__name__}"' not in row.body:  # most events are none: they are not decoded
            continue
        recorded = _recorded(row)
        if isinstance(recorded.event, e.PaymentCorrected) and recorded.event.round == number:
            yield recorded


def _recorded(row: Row) -> Recorded:
    body = read_body(row, sequence=int, event=e.Event)
    return Recorded(body["sequence"], row.wall, row.synced, body["event"])


# Words ----------------------------------------------------------------------------------------------------------------


def _of_play(event: e.Event) -> str | None:
    match event:
        case e.CardsExposed():
            place = f" {event.place}" if event.place else ""
            return f"{_words(str(event.position))}{place} {' '.join(card.name for card in event.cards)}"
        case e.HandAnnounced(position, hand):
            return f"{_words(str(position))} HAS {_words(hand)}"
        case e.SeatDecided():
            cards = " ".join(card.name for card in event.cards)
            return f"SEAT {event.seat} {_words(event.verb)} {_amount(event.amount)}{cards}".rstrip()
        case e.HandsSet(position, _high, low):
            return f"{_words(str(position))} LOW {' '.join(card.name for card in low)}"
        case e.HandDeclared(seat, what):
            return f"SEAT {seat} DECLARES {_words(what)}"
        case e.WagerWithdrawn(seat, wager, _hand, amount):
            return f"SEAT {seat} {_words(wager)} {_amount(amount)}TAKEN BACK"
        case e.HoleCardPeeked(blackjack):
            return f"CARD READER: {'BLACKJACK' if blackjack else 'NO BLACKJACK'}"
        case e.DecisionsLocked():
            return "DECISIONS LOCKED"
        case e.IrregularityNoted():
            where = "" if event.position is None else f" {_words(str(event.position))}"
            return f"{_words(event.kind)}{where} {event.cite or ''}".rstrip()
        case _:
            return _of_deal(event)


def _of_deal(event: e.Event) -> str | None:
    match event:
        case e.DiceThrown(number, faces, incident):
            lie = "".join(str(face) for face in faces)
            return f"THROW {number}: {lie} {_words(incident or '')}".rstrip()
        case e.DiceCalled(face, count):
            return f"{count} DICE SHOW {face}"
        case e.NumberChosen(number):
            return f"NUMBER SHOWN: {number}"
        case e.StartChosen(position):
            return f"DEAL BEGINS AT {_words(str(position))}"
        case e.SeatsShared(seats):
            return f"SEATS {'+'.join(map(str, seats))}: ONE PLAYER"
        case e.CardsCounted():
            return f"{_words(event.what)} COUNTED: {event.total}"
        case _:
            return _of_poker(event)


def _of_poker(event: e.Event) -> str | None:
    match event:
        case e.ButtonCardShown(seat, card):
            return f"SEAT {seat} {card.name} FOR THE BUTTON"
        case e.ButtonPlaced(seat):
            return f"BUTTON SEAT {seat}"
        case e.BetPosted(seat, bet, amount):
            return f"SEAT {seat} {_words(bet)} {show(amount)}"
        case e.BetReturned(seat, amount):
            return f"SEAT {seat} {show(amount)} GOES BACK"
        case e.HandShown(seat, cards):
            return f"SEAT {seat} SHOWS {' '.join(card.name for card in cards)}"
        case e.HandConceded(seat):
            return f"SEAT {seat} CONCEDES"
        case e.PotFormed(pot, seats, amount, rake):
            taken = f" RAKE {show(rake)}" if rake else ""
            return f"POT {_words(pot)} {show(amount)}{taken} SEATS {'+'.join(map(str, seats))}"
        case e.PotAwarded(pot, seat, part, amount):
            return f"POT {_words(pot)} {_words(part)} SEAT {seat} {show(amount)}"
        case _:
            return None


def _of_wager(row: e.WagerSettled) -> str:
    hand = f" {row.hand}" if row.hand else ""
    change = "" if row.paid is None or row.collected is None else _signed(Money(row.paid - row.collected))
    return f"SEAT {row.seat} {_words(row.wager)}{hand} {_amount(row.staked)}{_words(row.result)} {change}".rstrip()


def _of_correction(event: e.PaymentCorrected) -> str:
    change = _signed(Money(event.paid - event.collected))
    return f"SEAT {event.seat} {_words(event.wager)} CORRECTED {change} BY {event.credential}"


def _signed(amount: Money) -> str:
    return f"+{show(amount)}" if amount >= 0 else show(amount)


def _amount(amount: Money | None) -> str:
    return "" if amount is None else f"{show(amount)} "


def _words(name: str) -> str:
    return name.replace("_", " ").upper()


def _time(recorded: Recorded) -> str:
    return f"{recorded.wall[11:19]}{'Z' if recorded.synced else '?'}"
