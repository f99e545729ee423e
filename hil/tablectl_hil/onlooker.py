"""What the journal of a running table tells whoever reads it beside the daemon."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from tablectl import events as e
from tablectl.daemon.config import TableConfig
from tablectl.engine.core import Core
from tablectl.engine.picture import Link
from tablectl.engine.prompts import Prompt
from tablectl.engine.recovery import recover
from tablectl.engine.rows import plain, read_body
from tablectl.equipment import Message
from tablectl.errors import JournalRefused
from tablectl.journal import Reader, RowKind
from tablectl.procedure.table import TableState

__all__ = ["Events", "Onlooker"]


@dataclass
class Events:
    """The event rows of a journal as they are committed, and which devices the daemon has."""

    path: Path
    events: list[e.Event] = field(default_factory=list)
    upto: int = 0
    _kinds: Counter[type[e.Event]] = field(default_factory=Counter)
    _noted: Counter[str] = field(default_factory=Counter)
    _links: dict[str, bool] = field(default_factory=dict)
    _links_upto: int = 0

    @property
    def _begun(self) -> bool:
        """Whether the journal can be read: a table that starts for the first time makes it then."""
        return self.upto > 0 or (self.path.exists() and _is_begun(self.path))

    def up(self, device: str) -> bool:
        """Whether the daemon has a link to the device."""
        if self._begun:
            for row in Reader(self.path).rows(self._links_upto, kinds=[RowKind.INPUT]):
                self._links_upto = row.seq
                body = plain(row)[2]
                match body["message"]["$"]:
                    case "LinkUp" | "LinkLost" as said:
                        self._links[body["device"]] = said == "LinkUp"
                    case "DaemonStarted":
                        self._links.clear()
                    case _:
                        pass
        return self._links.get(device, False)

    def read(self) -> list[e.Event]:
        """All events so far."""
        if self._begun:
            for row in Reader(self.path).rows(self.upto, kinds=[RowKind.EVENT]):
                self.upto = row.seq
                event = read_body(row, event=e.Event)["event"]
                self.events.append(event)
                self._kinds[type(event)] += 1
                if isinstance(event, e.IrregularityNoted):
                    self._noted[event.kind] += 1
        return self.events

    def latched(self) -> set[tuple[str, str]]:
        """The faults that are latched now, each with its device before it."""
        faults: set[tuple[str, str]] = set()
        for event in self.read():
            if isinstance(event, e.FaultLatched):
                faults.add((event.device, event.fault))
            elif isinstance(event, e.FaultCleared):
                faults.discard((event.device, event.fault))
        return faults

    def closed(self) -> int:
        """How many rounds are closed."""
        return self.count(e.RoundClosed)

    def count(self, kind: type[e.Event]) -> int:
        """How many events of that kind there are."""
        self.read()
        return self._kinds[kind]

    def noted(self, kind: str) -> int:
        """How many irregularities of that kind are on the record."""
        self.read()
        return self._noted[kind]

    def shoe_goes_on(self) -> bool:
        """Whether the next round goes on with the cards that the last one has left in the shoe."""
        for event in reversed(self.read()):
            if isinstance(event, e.DeckShuffled):
                return False
            if isinstance(event, e.RoundClosed):
                return event.disposition is e.Disposition.CONTINUE
        return False

    def round(self, number: int) -> list[e.Event]:
        """The events from the opening of that round to its close."""
        found: list[e.Event] = []
        inside = False
        for event in self.read():
            if isinstance(event, e.RoundOpened):
                inside = event.round == number
            if inside:
                found.append(event)
            inside = inside and not isinstance(event, e.RoundClosed)
        return found


def _is_begun(journal: Path) -> bool:
    """Whether there is a journal in the file already."""
    try:
        Reader(journal).head()
    except JournalRefused:
        return False
    return True


class Onlooker:
    """A table as its journal has it: the panel's line, the actuation under way, the devices and what they have said.

    All of that follows from the journal's rows, as it does after a restart. `seq` is the last row that was looked at.
    """

    def __init__(self, table: TableConfig) -> None:
        self._table = table
        self._reader = Reader(table.journal)
        self._core: Core | None = None
        self.seq = 0

    def look(self) -> None:
        """Take in what has been committed since."""
        while (head := self._reader.head().seq) != self.seq:
            core = recover(self._reader, self._table.make_core, lambda: int(time.time()), self._table.identity)
            self._core = core if isinstance(core, Core) else None
            self.seq = head

    @property
    def prompt(self) -> Prompt:
        """What the panel shows."""
        shown = Prompt("WAIT") if self._core is None else self._core.prompt()
        return replace(shown, text=shown.line())

    def state(self) -> TableState:
        """The state in which the table is, or was when its journal ended."""
        self.look()
        assert self._core is not None, "the table cannot go on from its journal"
        return self._core.table_state

    def order(self, device: str) -> str | None:
        """The actuation that the device has been given and that is not answered yet, by its name."""
        told = () if self._core is None else self._core.under_way
        return next((type(each.command).__name__ for each in told if each.device == device), None)

    def link(self, device: str) -> Link | None:
        """How the table sees the device."""
        return None if self._core is None else self._core.picture.links.get(device)

    def said(self, device: str, after: int) -> Iterator[Message]:
        """What the device has said after that row."""
        for row in self._reader.rows(after, kinds=[RowKind.INPUT]):
            if plain(row)[2]["device"] == device:
                yield read_body(row, message=Message)["message"]
