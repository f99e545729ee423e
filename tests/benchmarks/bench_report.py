"""How long the report of a gaming day and the ledger of decks take over a journal of 100,000 event rows.

Run it by itself, or with `make bench`. Ratios count; the rates depend on the machine.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tablectl import events as e
from tablectl.cli import main
from tablectl.journal import Journal, Reader, RowKind
from tests.cli.ledgers import Table3, entries

ROWS = 100_000
ROUNDS_A_DAY = 300
ROUND = {
    "wagers": {str(seat): {"ante": "10.00", "pair_plus": "5.00"} for seat in range(1, 6)},
    "decisions": {str(seat): ["bet"] for seat in range(1, 6)},
}


def day(number: int, first: int, played: list[e.Event]) -> list[e.Event]:
    """A day of so many equal rounds, with one deck."""
    deck = f"deck-{number}"
    events: list[e.Event] = [
        e.DeckReceived(deck, "red", 52, preshuffled=False, credential="4711"),
        e.TableOpened(number, "three_card_poker", (deck,), "200"),
    ]
    for offset in range(ROUNDS_A_DAY):
        for event in played:
            match event:
                case e.RoundOpened() | e.RoundClosed():
                    events.append(replace(event, round=first + offset, deck=deck))
                case e.DeckShuffled() | e.DeckCut():
                    events.append(replace(event, deck=deck))
                case _:
                    events.append(event)
    return [*events, e.DeckRemoved(deck, "565.3(a)"), e.TableClosed(number, "4711")]


def write(path: Path) -> int:
    """A journal of at least so many event rows; their number."""
    table = Table3(shuffler="counting")
    table.play(**ROUND)
    journal, sequence, days = Journal.open(path, boot="bench"), 0, 0
    while sequence < ROWS:
        events = day(days + 1, days * ROUNDS_A_DAY + 1, table.events)
        journal.append_now(entries(events, sequence + 1))
        sequence, days = sequence + len(events), days + 1
    journal.close_now()
    return sequence


def timed(*words: str) -> float:
    """Seconds of one command, its output thrown away."""
    begun = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(words) == 0
    return time.perf_counter() - begun


def test_report() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        rows = write(path)
        begun = time.perf_counter()
        for _ in Reader(path).rows(kinds=[RowKind.EVENT]):
            pass
        bare = time.perf_counter() - begun
        print(f"{rows} event rows: read alone in {bare:.2f} s")
        for words in (("report", str(path)), ("journal", "decks", str(path)),
                      ("journal", "decks", str(path), "--affected", "deck-1")):  # fmt: skip
            took = timed(*words)
            print(f"{' '.join(words[:2] if words[0] == 'journal' else words[:1])}: {took:.2f} s, {took / bare:.1f} x")


if __name__ == "__main__":
    test_report()
