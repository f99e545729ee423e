"""The people of a gaming day, by their credentials: who dealt which rounds and when, and what floorpersons did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tablectl import events as e
from tablectl.journal.played import Played
from tablectl.journal.told import Stamp, Told, Unread

__all__ = ["Act", "Dealer", "Staff"]

_TELLING: Final = (
    "step",
    "order",
    "what",
    "deck",
    "device",
    "fault",
    "card",
    "award",
    "rounds",
    "round",
    "seat",
    "wager",
    "reason",
)
"""Fields of an event that tell what was done, in the order in which they are told."""
_NUMBERS: Final = ("rounds", "round", "seat")


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a person did and answers for: the name of the event, and of what it speaks."""

    at: Stamp
    name: str
    detail: str


@dataclass(slots=True)
class Dealer:
    """One dealer: rounds that ended in his hands, and from when to when he was at the table (None: still there)."""

    rounds: int = 0
    times: list[tuple[Stamp, Stamp | None]] = field(default_factory=list)


class Staff:
    """Takes the events of one day. The key of a dealer, or of a floorperson without a badge, is as the event has it."""

    def __init__(self) -> None:
        self.dealers: dict[str, Dealer] = {}
        self.floor: dict[str, list[Act]] = {}
        self._at_table: str | None = None

    def take(self, told: Told, played: Played | None) -> None:
        """Take the next event of the day and the round that it belongs to."""
        event = told.event
        match event:
            case e.TableOpened(dealer=dealer) | e.DealerChanged(dealer=dealer):
                self._change(told.at, dealer)
            case e.RoundOpened() if self._at_table is None:
                self._change(told.at, "" if played is None else played.dealer)
            case e.RoundClosed() if played is not None and not played.is_closing:
                self.dealers.setdefault(played.dealer, Dealer()).rounds += 1
            case e.TableClosed():
                self._leave(told.at)
            case _:
                pass
        if not (isinstance(event, e.StepAttested) and event.by == "dealer"):
            self._note(told.at, event)

    def _change(self, at: Stamp, dealer: str) -> None:
        if self._at_table != dealer:
            self._leave(at)
            self._at_table = dealer
            self.dealers.setdefault(dealer, Dealer()).times.append((at, None))

    def _leave(self, at: Stamp) -> None:
        if self._at_table is not None:
            times = self.dealers[self._at_table].times
            times[-1] = times[-1][0], at
            self._at_table = None

    def _note(self, at: Stamp, event: e.Event | Unread) -> None:
        name = event.name
        for key in ("credential", "second"):
            credential = _field(event, key)
            if credential:
                told = ((each, _field(event, each)) for each in _TELLING)
                words = [f"{each} {text}" if each in _NUMBERS else text for each, text in told if text]
                self.floor.setdefault(credential, []).append(Act(at, name, " ".join(words)))


def _field(event: e.Event | Unread, name: str) -> str:
    value = event.fields.get(name) if isinstance(event, Unread) else getattr(event, name, None)
    return "" if value is None or isinstance(value, bool | list | tuple | dict) else str(value)
