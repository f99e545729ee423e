"""Journals for the ledger of decks and the report: of scripted rounds, and of events that a test writes down itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tablectl import events as e
from tablectl.engine.outcome import RoundFold
from tablectl.engine.rows import entry
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play_one
from tablectl.games import game
from tablectl.journal import Entry, Journal, Reading, Row, RowKind
from tablectl.journal.told import Told, told
from tablectl.procedure.table import Table

BEGIN = datetime(2026, 11, 29, 15, 0, tzinfo=UTC)
GAME = game("three_card_poker")
Document = dict[str, Any]


class EveryMinute:
    """A clock that goes on by one minute for each event; `synced` as long as it is asked so."""

    def __init__(self, begin: datetime = BEGIN) -> None:
        self.next = begin
        self.mono_ns = 1_000_000_000
        self.synced = True

    def read(self) -> Reading:
        wall = self.next.isoformat(timespec="microseconds").replace("+00:00", "Z")
        self.next += timedelta(minutes=1)
        self.mono_ns += 60_000_000_000
        return Reading(wall, self.mono_ns, self.synced)


def at_minute(minutes: int) -> str:
    """The clock's text for the event of that number, counted from 0."""
    return (BEGIN + timedelta(minutes=minutes)).strftime("%Y-%m-%d %H:%M:%SZ")


def entries(events: Iterable[e.Event], first: int = 1) -> list[Entry]:
    """Event rows as the daemon writes them."""
    return [entry(RowKind.EVENT, None, sequence=number, event=event) for number, event in enumerate(events, first)]


def read_back(events: Sequence[e.Event], extra: Sequence[Entry] = ()) -> list[Told]:
    """These events as they are read from a journal, one minute after the other."""
    clock, rows = EveryMinute(), []
    for seq, item in enumerate([*entries(events), *extra], 1):
        now = clock.read()
        rows.append(Row(seq, "", "", item.kind, "boot", now.mono_ns, now.wall, now.synced, None, item.body))
    return list(told(rows))


def write(path: Path, events: Sequence[e.Event], extra: Sequence[Entry] = (), *, slowly: bool = False) -> Path:
    """A journal of these events: all at once, or `slowly`, one minute after the other."""
    journal = Journal.open(path, boot="boot", clock=EveryMinute())
    everything = [*entries(events), *extra]
    try:
        for batch in ([item] for item in everything) if slowly else [everything]:
            journal.append_now(batch)
    finally:
        journal.close_now()
    return path


class Table3:
    """A table of Three Card Poker that is played by script: `events` grow, `documents` hold each round's outcome."""

    def __init__(self, events: Sequence[e.Event] = (), **table: object) -> None:
        self._setup = table
        self._state = self._scenario({"wagers": {"1": {"ante": "5.00"}}}).first_state()
        self.events: list[e.Event] = list(events)
        self.documents: list[Document] = []

    def _scenario(self, round: Document) -> Scenario:
        return parse({"game": "three_card_poker", "table": self._setup, "round": [round]})

    def play(self, **round: Any) -> Document:
        """One more round; its document as the engine's own fold has it."""
        return self.play_scenario(self._scenario(round))[0]

    def start(self, scenario: Scenario) -> None:
        """Begin as the table of that scenario does."""
        self._state = scenario.first_state()

    def play_scenario(self, scenario: Scenario) -> list[Document]:
        """All rounds of a scenario, at the state that the table has come to."""
        played = []
        for script in scenario.rounds:
            table = Table(scenario.game, scenario.rules, scenario.setup, self._state)
            fold, self._state = play_one(scenario, script, table)
            self.events += fold.events
            played.append(fold.document(script.wagers))
        self.documents += played
        return played


def document_of(events: Sequence[e.Event]) -> Document:
    """The outcome document of one round, by the engine's fold."""
    fold = RoundFold(GAME)
    fold.extend(events)
    return fold.document()


def cents(text: str) -> int:
    """``"-12.30"`` in cents, worked out here."""
    whole, part = text.removeprefix("-").split(".")
    return (-1 if text.startswith("-") else 1) * (int(whole) * 100 + int(part))


def dollars(amount: int) -> str:
    """Cents as the documents write them."""
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02}"


def added(documents: Iterable[Document], amount: str, **where: object) -> str:
    """The sum of one amount over all rows of these documents that have those values."""
    rows = (row for document in documents for row in document["wagers"])
    chosen = [row for row in rows if all(row[key] == value for key, value in where.items())]
    return dollars(sum(cents(row[amount]) for row in chosen))
