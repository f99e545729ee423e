"""A start that cannot simply go on: a round that has to be voided, or other limits, rules or a game that are noticed.

A round with something at stake that the program cannot resume is voided, and a floorperson has to say so. A table that
comes back under other limits, rules or another game goes on once a floorperson's badge says that the notice is posted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tablectl import events as e
from tablectl.engine.background import UnderWay, Wanted
from tablectl.engine.core import Core
from tablectl.engine.inputs import Input
from tablectl.engine.people import UNREAD
from tablectl.engine.prompts import Prompt
from tablectl.equipment import Badge, BadgeUnreadable, Command, KeyPressed
from tablectl.journal import Entry
from tablectl.money import ZERO
from tablectl.procedure.clock import set_clock
from tablectl.procedure.game import Dealing, Shuffler
from tablectl.procedure.jackpot_fold import room_after
from tablectl.procedure.table import Phase, TableState

__all__ = ["Stranded", "void_events"]

_CAUSE = "power_loss"
_NOTICED: Final = ("game", "rules", "limits")
"""Changes that players have to be given notice of."""


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
                spot = event.seat, event.wager, event.hand
                stakes[spot] = e.together(stakes.get(spot), event)
            case e.WagerWithdrawn():
                stakes.pop((event.seat, event.wager, event.hand), None)
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
                free=stake.free,
            )
        )
    dice = opened.dealing == Dealing.NONE
    stays = e.Disposition.CONTINUE if dice else e.Disposition.RESHUFFLE
    voided.append(e.RoundClosed(opened.round, e.Outcome.VOID, _CAUSE, None, opened.deck, stays))
    return voided


def _locked_out(events: Sequence[e.Event]) -> tuple[str, ...]:
    """The systems that have locked out wagers of the open round: they still count in there when these go back."""
    systems: list[str] = []
    for event in events:
        match event:
            case e.RoundOpened():
                systems.clear()
            case e.WagersLockedOut(system=system):
                systems.append(system)
            case e.LockOutUndone(system=system) if system in systems:
                systems.remove(system)
            case _:
                pass
    return tuple(systems)


def _set_up_anew(core: Core, state: TableState) -> TableState:
    """How a table goes on that is set up otherwise than before: what has left it stays away."""
    shuffler = Shuffler(state.shuffler) if "shuffler" in state.removed else core.setup.shuffler
    setup = replace(core.setup, shuffler=shuffler)
    fits = "shoe" not in state.removed and not any(core.game.objections(core.rules, setup))
    fits = fits or Dealing(state.dealing) not in core.game.dealing  # another game, which knows no such method
    return replace(state, dealing=setup.dealing.value if fits else state.dealing, shuffler=shuffler.value)


class Stranded:
    """Has the outside of a `Core`; `successor` is the table that goes on, once a floorperson has said what is asked.

    `core` is that table, not begun: it takes note of the equipment meanwhile. `events` are those since the snapshot,
    `change` says what is different from then, if anything is. Where nothing was at stake and nobody need be given
    notice, nobody is asked.
    """

    def __init__(
        self,
        reason: str,
        started: e.Event,
        events: Sequence[e.Event],
        core: Core,
        change: e.TableChanged | None,
        floorpersons: Sequence[str] = (),
    ) -> None:
        closed = [event.round for event in events if isinstance(event, e.RoundClosed)]
        self.reason = reason
        room = room_after(core.state.room, events, core.state.day)
        self.state: TableState = replace(core.state, round=max([core.state.round, *closed]), room=room)
        self.successor: Core | None = None
        self.wanted: Wanted | None = None
        self.acting: tuple[int, str, Command] | None = None
        self.under_way: tuple[UnderWay, ...] = ()
        self.deadlines: tuple[tuple[int, int], ...] = ()
        self.sought: int | None = None
        self.changes_over = False
        self.beep = False
        self.rounds_closed = 0
        self._core = core
        self._floorpersons = tuple(floorpersons)
        self._void = void_events(events)
        self._locked_out = _locked_out(events)
        self._at_stake = any(isinstance(event, e.WagerSettled) for event in self._void)
        self._change = change
        self._notice = next((what for what in _NOTICED if change is not None and what in change.what), "")
        self._badge = ""
        self._unread = False
        self._unread = False
        core.event(started)
        self._go_on()

    @property
    def entries(self) -> list[Entry]:
        """What is to be appended."""
        return self._core.entries

    @property
    def sequence(self) -> int:
        """Number of the last event."""
        return self._core.sequence

    @property
    def stage(self) -> str:
        """A round that is stranded is being voided."""
        return "VOID" if self._void else "CLOSED"

    @property
    def round(self) -> int:
        """Number of the round that is stranded, or of the last one."""
        return self.state.round + bool(self._void)

    @property
    def stopped(self) -> tuple[str, str]:
        """Why play stands still, and by whose order: nobody's."""
        return ("cannot_resume" if self._at_stake else "notice"), ""

    def take(self, given: Input) -> None:
        """Take one input: a badge, then, where wagers go back, the key VOID ROUND."""
        self._core.observe(given)
        self.beep = isinstance(given.message, KeyPressed | Badge)
        if self.successor is not None or self._core.picture.believed(given, None) is None:
            return
        if isinstance(given.message, KeyPressed | Badge | BadgeUnreadable):
            self._unread = isinstance(given.message, BadgeUnreadable) and not self._badge
            self.beep = not self._unread
        if isinstance(given.message, Badge):
            if not self._floorpersons or given.message.number in self._floorpersons:
                self._badge, self.beep = given.message.number, False
        elif given.message == KeyPressed("floor_key") and not self._floorpersons:
            self._badge, self.beep = "key switch", False
        elif given.message == KeyPressed("void_round") and self._badge and self._at_stake:
            self.beep = self._at_stake = False
            self._give_back()
            self._badge = ""  # for a notice it is asked for once more
        self._go_on()

    def drain(self) -> list[Entry]:
        """The entries since the last call: one transaction."""
        return self._core.drain()

    def event(self, event: e.Event) -> None:
        """Put an event on the record."""
        self._core.event(event)
        if isinstance(event, e.ClockStepped):
            self.state = set_clock(self.state, event)

    def intended(self, command_id: int, boot: str) -> None:
        """Nothing is done in a stranded round."""

    def prompt(self) -> Prompt:
        """What has to be done now."""
        if self._unread:
            return Prompt(UNREAD, ("floor_key",))
        if self._at_stake and self._badge:
            return Prompt(f"ROUND {self.round}: RETURN ALL WAGERS, VOID", ("void_round",))
        if self._at_stake:
            return Prompt(f"ROUND {self.round} CANNOT GO ON: FLOOR'S BADGE", ("floor_key",))
        return Prompt(f"{self._notice.upper()} CHANGED: NOTICE POSTED? BADGE", ("floor_key",))

    def _go_on(self) -> None:
        """Let the table go on, if nothing is left to be asked."""
        if self._at_stake or (self._notice and not self._badge):
            return
        self._give_back()
        change = self._change
        if change is not None:
            self.event(replace(change, credential=self._badge if self._notice else ""))
            if "game" in change.what:
                self._close()
            if change.configuration != change.configuration_before:
                self.state = _set_up_anew(self._core, self.state)
        self._core.start_over(self.state)
        self.successor = self._core

    def _give_back(self) -> None:
        """Void the round that is open: nothing of it is at stake any more."""
        for event in self._void:
            self.event(event)
        self.rounds_closed += bool(self._void)
        if self._void:
            progressive = replace(self.state.progressive, unreturned=self._locked_out)
            self.state = replace(self.state, round=self.state.round + 1, progressive=progressive)
        self._void = []

    def _close(self) -> None:
        """The other game's cards leave the table, and it opens for the new one."""
        clause = self._core.game.played_with
        for deck in self.state.decks:
            self.event(e.DeckRemoved(deck.id, clause))
        if self.state.phase is Phase.OPEN:
            self.event(e.TableClosed(self.state.day, self._badge))
        self.state = replace(self.state, decks=(), phase=Phase.CLOSED, barred=(), rounds_since_count=0)
