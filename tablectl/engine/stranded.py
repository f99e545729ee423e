"""A journaled round that cannot go on: what is left is the void of its wagers, and a floorperson has to say so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tablectl import events as e
from tablectl.engine.core import Core, Wanted
from tablectl.engine.inputs import Input
from tablectl.engine.picture import SavedPicture
from tablectl.engine.prompts import Prompt
from tablectl.engine.rows import entry
from tablectl.equipment import Badge, Command, KeyPressed
from tablectl.journal import Entry, RowKind
from tablectl.money import ZERO
from tablectl.procedure.table import TableState

__all__ = ["Stranded", "void_events"]

_CAUSE = "power_loss"


def void_events(events: Sequence[e.Event]) -> list[e.Event]:
    """The events that void the open round among `events` and give every wager back: a fold over event rows alone.

    Empty when no round is open. Wagers that were settled already come back too: all hands are void.
    """
    opened: e.RoundOpened | None = None
    stakes: dict[tuple[int, str, int], e.WagerMade] = {}
    for event in events:
        match event:
            case e.RoundOpened():
                opened = event
                stakes.clear()
            case e.WagerMade():
                stakes[event.seat, event.wager, event.hand] = event
            case e.RoundClosed():
                opened = None
            case _:
                pass
    if opened is None:
        return []
    voided: list[e.Event] = [
        e.IrregularityNoted(_CAUSE, None, None, ("wagers_returned", "cards_reshuffled", "floor_called")),
        e.RoundVoided(_CAUSE, None),
    ]
    for stake in sorted(stakes.values(), key=lambda stake: -stake.seat):
        nothing = None if stake.amount is None else ZERO
        voided.append(
            e.WagerSettled(
                seat=stake.seat,
                wager=stake.wager,
                hand=stake.hand,
                staked=stake.amount,
                result=e.Result.VOID,
                odds=None,
                paid=nothing,
                returned=stake.amount,
                collected=nothing,
                cite=None,
            )
        )
    voided.append(e.RoundClosed(opened.round, e.Outcome.VOID, _CAUSE, None, opened.deck, e.Disposition.RESHUFFLE))
    return voided


class Stranded:
    """Has the outside of a `Core`; `successor` is the table that goes on, once a floorperson has voided the round.

    A round in which nothing was at stake yet is voided without asking.
    """

    def __init__(
        self,
        reason: str,
        started: e.Event,
        events: Sequence[e.Event],
        state: TableState,
        picture: SavedPicture,
        sequence: int,
        start_over: Callable[[TableState, SavedPicture, int], Core],
        floorpersons: Sequence[str] = (),
    ) -> None:
        self.reason = reason
        self.state = state
        self.sequence = sequence
        self.entries: list[Entry] = []
        self.successor: Core | None = None
        self.wanted: Wanted | None = None
        self.acting: tuple[int, str, Command] | None = None
        self.deadline: tuple[int, int] | None = None
        self.beep = False
        self.rounds_closed = 0
        self._picture = picture
        self._start_over = start_over
        self._floorpersons = tuple(floorpersons)
        self._void = void_events(events)
        self._badge = ""
        self.event(started)
        if not any(isinstance(event, e.WagerMade) for event in events):
            self._finish()

    @property
    def stage(self) -> str:
        """A stranded round is being voided."""
        return "VOID"

    @property
    def round(self) -> int:
        """Number of the round that is stranded."""
        return self.state.round + 1

    def take(self, given: Input) -> None:
        """Take one input: a badge, then the key VOID ROUND."""
        self.entries.append(given.entry())
        self.beep = isinstance(given.message, KeyPressed)
        if isinstance(given.message, Badge):
            if not self._floorpersons or given.message.number in self._floorpersons:
                self._badge = given.message.number
        elif given.message == KeyPressed("floor_key") and not self._floorpersons:
            self._badge, self.beep = "key switch", False
        elif given.message == KeyPressed("void_round") and self._badge and self.successor is None:
            self.beep = False
            self._finish()

    def drain(self) -> list[Entry]:
        """The entries since the last call: one transaction."""
        entries, self.entries = self.entries, []
        return entries

    def event(self, event: e.Event) -> None:
        """Put an event on the record."""
        self.sequence += 1
        self.entries.append(entry(RowKind.EVENT, None, sequence=self.sequence, event=event))

    def intended(self, command_id: int, boot: str) -> None:
        """Nothing is done in a stranded round."""

    def prompt(self) -> Prompt:
        """What has to be done now."""
        if self._badge:
            return Prompt(f"ROUND {self.round}: RETURN ALL WAGERS, VOID", ("void_round",))
        return Prompt(f"ROUND {self.round} CANNOT GO ON: FLOOR'S BADGE", ("floor_key",))

    def _finish(self) -> None:
        for event in self._void:
            self.event(event)
        number = self.state.round + bool(self._void)
        self.rounds_closed += bool(self._void)
        core = self._start_over(replace(self.state, round=number), self._picture, self.sequence)
        self.entries += core.drain()
        self.successor = core
