"""The live table as a pure state machine: inputs in, journal entries, prompts and wanted actuations out.

`Core` never does anything itself. Whoever runs it appends the entries as one transaction, then acknowledges the inputs,
shows the prompt and, when an intent is wanted, commits it alone and sends the command. Everything in it follows from
the snapshot it began with and the inputs since, so that recovery is the same program fed the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tablectl.engine.desk import Answer, Desk, Done, Instead, Performance, Queued, Settings, Taken
from tablectl.engine.drive import PENDING, Drive, Interrupted
from tablectl.engine.gate import Clearing
from tablectl.engine.inputs import Input
from tablectl.engine.menu import IRREGULARITY, Menu, Report
from tablectl.engine.performances import PERFORMANCES
from tablectl.engine.performances.keys import words
from tablectl.engine.picture import Latch, Picture
from tablectl.engine.prompts import LINE, Prompt
from tablectl.engine.rows import entry
from tablectl.equipment import CardLeft, Command, KeyPressed, LinkUp
from tablectl.events import Event, FaultCleared, FaultLatched, IrregularityNoted
from tablectl.journal import Entry, RowKind
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Game, Setup
from tablectl.procedure.rounds import next_procedure
from tablectl.procedure.table import Phase, Table, TableState
from tablectl.records import record

__all__ = ["Core", "Identity", "Wanted"]


@record
class Identity:
    """What a round was begun under: program version, digests of the filed rules and of the configuration."""

    version: str
    edition: str
    configuration: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """An actuation that waits for its intent: `boot` is the device's boot id as it is known now."""

    device: str
    boot: str
    command: Command


class Core:
    """One table's rounds, one after the other.

    `now` gives whole seconds since the epoch. `sequence` is the last event's number.
    """

    def __init__(
        self,
        game: Game,
        rules: Any,
        setup: Setup,
        settings: Settings,
        picture: Picture,
        identity: Identity,
        state: TableState,
        sequence: int,
        now: Callable[[], int],
    ) -> None:
        self._game = game
        self._rules = rules
        self._setup = setup
        self._identity = identity
        self._now = now
        self._settings = settings
        self.picture = picture
        self.state = state
        self.sequence = sequence
        self.entries: list[Entry] = []
        self.rounds_closed = 0
        self.beep = False
        self.intent: int | None = None
        self.intent_boot = ""
        self._queued: list[Queued] = []
        self._ready: Done | None = None
        self._performance: Performance | None = None
        self._clearing: Clearing | None = None
        self._menu: Menu | None = None
        self.picture.removed = state.removed
        self._desk = self._new_desk()
        self._drive: Drive[TableState] | None = None

    # What the runner does with it

    def begin(self) -> None:
        """Write the snapshot that the first round starts from, and start it unless a fault blocks it."""
        self.snapshot()
        self.resume()

    def resume(self) -> None:
        """Start from a snapshot that is in the journal already."""
        self._next_round()
        self._advance()

    def take(self, given: Input) -> None:
        """Take one input: entries are added, the round goes on as far as it can."""
        self.entries.append(given.entry())
        self.beep = False
        for latch in self.picture.observe(given):
            self._latched(latch)
        self._doubt(given)
        notice, self._desk.notice = self._desk.notice, ""  # what is of use puts an end to it, and so does every key
        answer = self._route(given)
        if isinstance(answer, Done):
            self._ready = answer
            self._advance()
        elif isinstance(answer, Instead):
            self._performance = answer.performance
        elif answer is Taken.AGAIN:
            self.intent = None
        elif answer is Taken.IGNORED:
            self.beep = isinstance(given.message, KeyPressed)
            if not self.beep:
                self._desk.notice = self._desk.notice or notice
            if isinstance(given.message, CardLeft) and not self._desk.is_late(given.message):
                self._interrupt(acts.Incident("drawn_in_error", exposed=given.message.face_up))

    def drain(self) -> list[Entry]:
        """The entries since the last call: one transaction."""
        entries, self.entries = self.entries, []
        return entries

    @property
    def wanted(self) -> Wanted | None:
        """The actuation that needs an intent now; None when there is none or it has one."""
        if self._performance is None or self._performance.command is None or self.intent is not None:
            return None
        device, command = self._performance.command
        link = self.picture.links[device]
        return Wanted(device, link.boot, command) if link.up else None  # not before it is known who is told

    @property
    def acting(self) -> tuple[int, str, Command] | None:
        """Command id, device and command of the actuation that is under way."""
        if self._performance is None or self._performance.command is None or self.intent is None:
            return None
        return self.intent, *self._performance.command

    def intended(self, command_id: int, boot: str) -> None:
        """The intent is committed: its row's number is the command's id, given to the device under that boot id."""
        assert self._performance is not None
        self.intent = command_id
        self.intent_boot = boot
        self._performance.intended(command_id)

    @property
    def deadline(self) -> tuple[int, int] | None:
        """Token and milliseconds of the timer that is wanted, if one is."""
        return None if self._performance is None else self._performance.deadline

    @property
    def stage(self) -> str:
        """The stage that the round is in."""
        return "CLOSED" if self._drive is None else self._drive.stage

    @property
    def round(self) -> int:
        """Number of the round that is played, or of the last one."""
        return self.state.round + (self._drive is not None and self.state.phase is not Phase.CLOSED)

    def prompt(self) -> Prompt:
        """What the panel has to show now."""
        if self._menu is not None:
            return self._menu.prompt()
        if self._clearing is not None:
            return self._clearing.prompt()
        shown = Prompt("WAIT") if self._performance is None else self._performance.prompt()
        lit = (*shown.lit, IRREGULARITY)
        return replace(shown, text=self._desk.notice or shown.text, lit=lit)

    def _doubt(self, given: Input) -> None:
        """A device that comes back under another boot id does not remember what it was told."""
        acting = self.acting
        if acting is None or self._performance is None or not isinstance(given.message, LinkUp):
            return
        if given.device == acting[1] and given.boot != self.intent_boot and self._performance.in_doubt():
            self.intent = None

    # Inputs to the act that waits for them

    def _route(self, given: Input) -> Answer:
        key = given.message.key if isinstance(given.message, KeyPressed) else None
        if self._menu is not None and key is not None:
            return self._menu_key(self._menu, key)
        if self._clearing is not None:
            return self._clear(self._clearing, given)
        if key == IRREGULARITY and self._drive is not None:
            self._menu = self._open_menu()
            return Taken.HELD
        return Taken.IGNORED if self._performance is None else self._performance.offer(given)

    def _open_menu(self) -> Menu:
        table = self._desk.table
        kinds = list(dict.fromkeys(rule.kind for rule in self._game.irregularities))
        applying = [
            kind
            for kind in kinds
            if any(rule.kind == kind and table.stage in rule.window for rule in self._game.irregularities)
        ]
        waiting = None if self._drive is None else self._drive.instruction
        dealing = isinstance(waiting, acts.Draw) and not self._desk.cards_are_seen
        by_hand = isinstance(waiting, acts.Dispense) and self.acting is None and self.wanted is None
        return Menu(
            applying,
            [kind for kind in kinds if kind not in applying],
            self._game.must_name_position,
            self._desk.positions(),
            ask_cards_out=dealing or by_hand,
        )

    def _menu_key(self, menu: Menu, key: str) -> Answer:
        counted = menu.key(key)
        if menu.cancelled:
            self._menu = None
            self._advance()
            return Taken.HELD
        if menu.report is not None:
            self._menu = None
            return self._report(menu.report)
        return Taken.HELD if counted else Taken.IGNORED

    def _report(self, report: Report) -> Answer:
        performance = self._performance
        answer = Taken.IGNORED if performance is None else performance.report(report)
        if answer is not Taken.IGNORED:
            return answer
        self._interrupt(report.incident, report.cards_out or 0)
        return Taken.HELD

    def _interrupt(self, incident: acts.Incident | acts.Order, after: int = 0) -> None:
        """Deliver it where a person is awaited; during an actuation it waits for the result."""
        self._queued.append(Queued(incident, after))
        if self.intent is not None:
            return
        if self._performance is not None:
            begun = self._performance.begin()  # a report of cards that are out may have finished the act
            if isinstance(begun, Done):
                self._ready = begun
        self._advance()

    # The round

    def _next_round(self, notice: str = "") -> None:
        """Open the next round, or the gate that a latched fault is; the round does not go on by itself."""
        if self.picture.latches:
            self._clearing = Clearing(self._desk, self.picture.latches)
            return
        self._clearing = None
        self._desk = self._new_desk()
        self._desk.notice = notice
        self._drive = Drive(next_procedure(self._desk.table), self._game.transitions, self._record)

    def _new_desk(self) -> Desk:
        return Desk(Table(self._game, self._rules, self._setup, self.state), self._settings, self.picture)

    def _advance(self) -> None:
        while self._drive is not None and self._drive.advance(self._perform):
            state = self._drive.value
            assert state is not None
            self._drive = None
            self.state = replace(state, out_of_service=())
            self.picture.removed = state.removed
            self.picture.forget_keyed()
            for queued in self._queued:  # too late for the round to do anything about it
                if isinstance(queued.incident, acts.Incident):
                    self._event(IrregularityNoted(queued.incident.kind, queued.incident.position, None, ()), None)
            self._queued = [queued for queued in self._queued if isinstance(queued.incident, acts.Order)]
            self.rounds_closed += 1
            self.snapshot()
            self._next_round(self._desk.notice)

    def _perform(self, step: int, instruction: acts.AnyInstruction) -> object:
        if self._ready is not None and type(instruction) in PERFORMANCES:
            if self._desk.conflicts:  # noted before the act ends, as this may be the last one at which it can be
                self._finish(None)
                return Interrupted(acts.Incident("identity_conflict", self._desk.conflicts.pop(0)))
            result, self._ready = self._ready.result, None
            return self._finish(result)
        if instruction.interruptible and self._queued:
            place = next((n for n, queued in enumerate(self._queued) if self._is_due(queued, instruction)), None)
            if place is not None:
                return self._finish(Interrupted(self._queued.pop(place).incident))
        make = PERFORMANCES.get(type(instruction))
        if make is None:
            return self._at_once(instruction)
        if self._performance is None:
            if self._menu is not None and instruction.interruptible:
                return PENDING  # a report is being made: it may concern what has just happened
            if not isinstance(instruction, acts.Draw | acts.Dispense):
                self._desk.dealt_to = 0
            self._performance = make(instruction, self._desk)
            begun = self._performance.begin()
            if isinstance(begun, Done):
                return self._finish(begun.result)
        return PENDING

    def _finish(self, result: object) -> object:
        self._performance = None
        self.intent = None
        if isinstance(result, acts.ShoeJammed):  # what the act has answered does not interrupt another one as well
            self._queued = [queued for queued in self._queued if queued.incident.kind != "shoe_jam"]
        return result

    def _is_due(self, queued: Queued, instruction: acts.AnyInstruction) -> bool:
        if isinstance(queued.incident, acts.Order):
            return instruction.orderable
        dealing = isinstance(instruction, (acts.Draw, acts.Dispense))
        return not (dealing and getattr(instruction, "number", 0) <= queued.after)

    def _at_once(self, instruction: acts.AnyInstruction) -> object:
        match instruction:
            case acts.Now():
                return self._now()
            case acts.PutRight(seat, _stage, message, clause):
                where = "" if seat is None else f"SEAT {seat}: "
                notice = f"{where}{words(message)}"
                told = f"{notice} {clause}"
                if not self._desk.notice:  # of several the first: the others are named when that is put right
                    self._desk.notice = told if len(told) <= LINE else notice
            case _:
                pass
        return None

    def _record(self, step: int, instruction: acts.AnyInstruction, result: object, events: tuple[Event, ...]) -> None:
        if isinstance(result, Interrupted):
            self.entries.append(entry(RowKind.INTERRUPT, step, instruction=instruction, incident=result.incident))
        else:
            self.entries.append(entry(RowKind.RESULT, step, instruction=instruction, result=result))
            if isinstance(instruction, acts.RemoveDevice):
                self.picture.removed = (*self.picture.removed, instruction.device)
        for event in events:
            self._event(event, step)

    # Rows that are no steps

    def event(self, event: Event) -> None:
        """Put an event on the record that no instruction produced."""
        self._event(event, None)

    def _event(self, event: Event, step: int | None) -> None:
        self.sequence += 1
        self.entries.append(entry(RowKind.EVENT, step, sequence=self.sequence, event=event))

    def snapshot(self) -> None:
        """Write down what the next round starts from."""
        self.entries.append(
            entry(
                RowKind.SNAPSHOT,
                None,
                state=self.state,
                picture=self.picture.save(),
                identity=self._identity,
            )
        )

    def _latched(self, latch: Latch) -> None:
        self._latch_row(latch, is_set=True)
        self._event(FaultLatched(latch.device, latch.fault, latch.message), None)

    def _latch_row(self, latch: Latch, *, is_set: bool) -> None:
        self.entries.append(
            entry(RowKind.LATCH, None, device=latch.device, fault=latch.fault, message=latch.message, set=is_set)
        )

    def _clear(self, clearing: Clearing, given: Input) -> Answer:
        cleared = clearing.offer(given)
        if cleared is None:
            return Taken.HELD if clearing.counted else Taken.IGNORED
        latch = cleared.latch
        self.picture.clear(latch)
        self._latch_row(latch, is_set=False)
        self._event(FaultCleared(latch.device, latch.fault, cleared.credential, cleared.reason), None)
        if cleared.out_of_service is not None:
            self.state = replace(self.state, out_of_service=(*self.state.out_of_service, cleared.out_of_service))
        if not self.picture.latches:
            self.resume()
        return Taken.HELD
