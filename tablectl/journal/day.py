"""The gaming day: a fold over event rows that parts a journal into its days and adds each of them up.

A day begins with the opening of the table (decks that come, steps that are attested) and ends with its closing; what
the daemon records after a closing belongs to that day until the daemon is started again or the next opening begins. So
every event of the journal belongs to exactly one day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tablectl import events as e
from tablectl.journal.account import Account
from tablectl.journal.decks import Deck, DeckLedger
from tablectl.journal.happenings import Happenings
from tablectl.journal.jackpotbook import HouseBook
from tablectl.journal.meterbook import MeterBook
from tablectl.journal.played import Played, Rounds
from tablectl.journal.staff import Staff
from tablectl.journal.told import Stamp, Told, Unread
from tablectl.money import Money, show

__all__ = ["DayDeck", "GamingDay", "gaming_days"]

_BEGINS = (e.TableStarted, e.DeviceTested, e.DeckReceived, e.DiceReceived, e.StepAttested, e.TableOpened, e.RoundOpened)


@dataclass(frozen=True, slots=True)
class DayDeck:
    """A deck that was at the table, and how many rounds of the day were dealt from it."""

    deck: Deck
    rounds: int


class GamingDay:
    """One day: `take` its events in order, then `end` it.

    `number` is 0 where the journal begins with a table that is open, `opened` is None where the opening is not complete
    or not on the record. `open_round` is the round that is under way.
    """

    def __init__(self, first: Stamp, before: GamingDay | None, ledger: DeckLedger) -> None:
        self.number: int = 0 if before is None else before.number + 1
        self.game: str | None = None if before is None else before.game
        self.training: bool = before is not None and before.training
        self.first = self.last = first
        self.opened: Stamp | None = None
        self.closed: Stamp | None = None
        self.closed_by = ""
        self.account = Account()
        self.staff = Staff()
        self.happenings: Happenings = Happenings(None if before is None else before.happenings)
        earlier: MeterBook | None = None if before is None else before.meter
        self.meter: MeterBook = (
            MeterBook() if earlier is None else MeterBook(earlier.last, earlier.last, earlier.display)
        )
        self.house: HouseBook = HouseBook(None if before is None else before.house)
        self.open_round: Played | None = None
        self.last_round: int | None = None if before is None else before.last_round
        self.decks: list[DayDeck] = []
        self._at_table: dict[int, Deck] = {id(deck): deck for deck in ledger.at_table}
        self._dealt_from: Counter[int] = Counter()
        self._ledger = ledger
        self._sequence = 0 if before is None else before.last.sequence

    @property
    def is_day(self) -> bool:
        """Whether there was any gaming, or an opening for it; else these are events between two days."""
        return (
            self.opened is not None or self.closed is not None or bool(self.account.outcomes) or bool(self.open_round)
        )

    def take(self, told: Told, played: Played | None) -> None:
        """Take the next event, and the round that it belongs to."""
        at, event = told.at, told.event
        self.last = at
        self._in_sequence(at)
        match event:
            case e.TableOpened():
                self.number, self.game, self.opened = event.day, event.game, at
            case e.TableClosed():
                self.number, self.closed, self.closed_by = event.day, at, event.credential
            case e.TableStarted():
                self.training = event.training
            case e.RoundOpened():
                self._open_round(event)
            case e.WagerSettled() if played is not None:
                self.account.note_row(at.sequence, played, event)
            case e.PaymentCorrected():
                self.account.correct(at, event, self.first.sequence)
            case Unread(reason=reason) if reason:
                self.account.problems.append(f"event {at.sequence} ({event.kind}) cannot be read: {reason}")
            case _:
                pass
        self.staff.take(told, played)
        self.happenings.take(told, None if played is None else played.number)
        self.meter.take(at, event, None if played is None else played.number)
        self.house.take(at, event)
        if played is not None:
            self._follow(played)
        if isinstance(event, e.DeckReceived | e.DiceReceived | e.RoundOpened):
            self._see(event.deck)

    def end(self) -> None:
        """No more events: decks stay as they are now, whatever happens to them on another day."""
        self.decks = [DayDeck(deck.as_it_is(), self._dealt_from[key]) for key, deck in self._at_table.items()]

    def check(self) -> list[str]:
        """Everything that does not balance, in words; empty when all does."""
        found = [*self.account.check(), *self.meter.problems]
        complete = self.open_round is None
        found += self.house.check(complete=complete)
        if complete and self.house.pots and self.account.total.known and self.house.taken != -self.account.total.net:
            found.append(
                f"players have lost {show(Money(-self.account.total.net))} in all, the house has taken"
                f" {show(self.house.taken)} from pots"
            )
        if self.closed is not None and self.open_round is not None:
            found.append(f"round {self.open_round.number} was open when the table was closed")
        return found

    def _open_round(self, opened: e.RoundOpened) -> None:
        self.game = opened.game
        lost = self.open_round
        if lost is not None and lost.number != opened.round:
            self.account.problems.append(f"round {lost.number} was opened and never closed")
        if self.last_round is not None and opened.round != self.last_round + 1:
            self.account.problems.append(f"round {opened.round} follows round {self.last_round}: none may be missing")
        self.last_round = opened.round

    def _follow(self, played: Played) -> None:
        self.open_round = None if played.closed is not None else played
        if played.closed is None:
            return
        self.account.close(played)
        if played.dealt:
            for deck in self._see(played.deck):
                self._dealt_from[id(deck)] += 1

    def _see(self, id_: str) -> list[Deck]:
        """A deck that is at the table."""
        seen = self._ledger.of(id_)[-1:]
        self._at_table |= {id(deck): deck for deck in seen}
        return seen

    def _in_sequence(self, at: Stamp) -> None:
        if at.sequence != self._sequence + 1:
            missing = f"{self._sequence + 1} to {at.sequence - 1}"
            self.account.problems.append(f"events {missing} are missing before event {at.sequence}")
        self._sequence = at.sequence


def gaming_days(
    events: Iterable[Told], cards_of: Callable[[str], int | None] = lambda _game: None
) -> Iterator[GamingDay]:
    """The days of a journal, in order, the last one however far it has come; `cards_of` as in `DeckLedger`.

    A day that is yielded is complete, and does not change any more; none is kept by this.
    """
    ledger, rounds = DeckLedger(cards_of), Rounds()
    day: GamingDay | None = None
    for told in events:
        begins = isinstance(told.event, _BEGINS)
        if day is not None and day.closed is not None and begins:
            day.end()
            yield day
            day = GamingDay(told.at, day, ledger)
        elif day is None:
            day = GamingDay(told.at, None, ledger)
        played = rounds.take(told)
        ledger.take(told)
        day.take(told, played)
    if day is not None:
        day.end()
        yield day
