"""The live table as a pure state machine: inputs in, journal entries, prompts and wanted actuations out.

`Core` never does anything itself. Whoever runs it appends the entries as one transaction, then acknowledges the inputs,
shows the prompt and, when an intent is wanted, commits it alone and sends the command. Everything in it follows from
the snapshot it began with and the inputs since, so that recovery is the same program fed the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablectl.engine.background import Job, UnderWay, Wanted
from tablectl.engine.desk import Answer, Desk, Done, Instead, Performance, Queued, Settings, Taken
from tablectl.engine.drive import PENDING, Drive, Interrupted
from tablectl.engine.floor import Suspension
from tablectl.engine.gate import Clearing
from tablectl.engine.identity import Identity
from tablectl.engine.inputs import CommandFailed, DaemonStarted, Input, TimerExpired
from tablectl.engine.menu import IRREGULARITY, Menu, Report
from tablectl.engine.noticing import CARD_ACTS, early_card, open_menu, to_tell, told_unasked, too_early
from tablectl.engine.people import People, Standstill, floor_credential
from tablectl.engine.performances import PERFORMANCES
from tablectl.engine.picture import Latch, Picture
from tablectl.engine.prompts import Prompt
from tablectl.engine.rows import entry
from tablectl.engine.watch import Watch
from tablectl.equipment import Badge, BadgeUnreadable, CardLeft, Command, KeyPressed, Kind, LinkUp
from tablectl.events import (
    ClockStepped,
    Event,
    FaultCleared,
    FaultLatched,
    IrregularityNoted,
    PaymentCorrected,
    TableOrdered,
    TableResumed,
    TableSuspended,
)
from tablectl.journal import Entry, RowKind
from tablectl.procedure import instructions as acts
from tablectl.procedure.clock import set_clock
from tablectl.procedure.game import Game, Setup
from tablectl.procedure.orders import can_be_obeyed
from tablectl.procedure.people import DEALER_CHANGE
from tablectl.procedure.rounds import next_procedure
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Phase, Table, TableState
from tablectl.records import replace

__all__ = ["Core"]


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
        self.game, self.rules, self.setup = game, rules, setup
        self._identity = identity
        self._now = now
        self._settings = settings
        self.picture = picture
        self.state = state
        self.sequence = sequence
        self.entries: list[Entry] = []
        self.rounds_closed, self.beep = 0, False
        self.intent: int | None = None
        self.intent_boot = ""
        self._queued = [Queued(order) for order in state.orders]
        self._people = People()
        self._ready: Done | None = None
        self._performance: Performance | None = None
        self._clearing: Clearing | None = None
        self._given_up: tuple[str, ...] = ()
        self._menu: Menu | None = None
        self.picture.removed = state.removed
        self._desk = self._new_desk()
        self._watch = Watch()
        self._aside: list[tuple[acts.AnyInstruction, Performance]] = []
        self._drive: Drive[TableState] | None = None

    # What the runner does with it

    def begin(self) -> None:
        """Write the snapshot that the first round starts from, and start it unless a fault blocks it."""
        self.snapshot()
        self.resume()

    def start_over(self, state: TableState) -> None:
        """Begin with that state."""
        self.state = state
        self.begin()

    def resume(self) -> None:
        """Start from a snapshot that is in the journal already."""
        self._next_round()
        self._advance()

    def take(self, given: Input) -> None:
        """Take one input: entries are added, the round goes on as far as it can."""
        self.observe(given)
        self.beep = False
        self._doubt(given)
        if isinstance(given.message, DaemonStarted):
            self._started()
        told, standstill = self.picture.believed(given, self.acting), self._people.standstill
        if told is not None and standstill is None:
            self._go_on(told)
        elif told is not None and standstill is not None:
            self._stand_still(standstill, told)

    def observe(self, given: Input) -> None:
        """Put an input on the record, with the faults that are new with it; nothing else comes of it."""
        self.entries.append(given.entry())
        for latch in self.picture.observe(given, self.acting):
            self._latched(latch)

    def _go_on(self, given: Input) -> None:
        self.beep = self._people.touched(given, self._desk, self.prompt)
        notice, self._desk.notice = self._desk.notice, ""  # what is of use puts an end to it, and so does every key
        if isinstance(given.message, TimerExpired) and self._watched(given.message.token):
            return
        answer = self._route(given)
        if isinstance(answer, Done):
            self._ready = answer
            self._advance()
        elif isinstance(answer, Instead):
            self._performance, self.intent = answer.performance, None
        elif answer is Taken.AGAIN:
            self.intent = None
        elif answer is Taken.IGNORED:
            self.beep = self.beep or isinstance(given.message, KeyPressed | Badge)
            if not self.beep:
                self._desk.notice = self._desk.notice or notice
            if isinstance(given.message, CardLeft):
                self._card_left(given.message)
            elif (incident := told_unasked(self._desk, given.message)) is not None:
                self._unasked(incident)
            elif not self.beep and not isinstance(given.message, TimerExpired | DaemonStarted | CommandFailed):
                self._desk.notice = too_early(self._desk, given.message, self._waiting) or self._desk.notice
        still_wrong = self._watch.look(self._desk, self._waiting)
        self._desk.notice = still_wrong or self._desk.notice

    def _card_left(self, left: CardLeft) -> None:
        """A card that no act waits for: told late, of a deal that is over, or drawn in error."""
        if self._drive is None or self._desk.is_late(left):
            return
        self._people.card_left(self._desk, self.stage)
        said = early_card(self._desk, left, Stage(self.stage))
        self._interrupt(acts.Incident("drawn_in_error", exposed=left.face_up))
        self._desk.notice = "" if self._people.gap_due else said

    def _watched(self, token: int) -> bool:
        """Chips that have stayed wrong until that timer ran out are on the record, and named."""
        if token != self._watch.waits_for:
            return False
        for wrong in self._watch.expired(token, self._desk, self._waiting):
            self._interrupt(wrong.incident)
            self._desk.notice = wrong.text
        return True

    @property
    def _waiting(self) -> acts.AnyInstruction | None:
        """The act that is outstanding."""
        return None if self._drive is None else self._drive.instruction

    def _unasked(self, incident: acts.Incident) -> None:
        """An irregularity that a device has told of by itself: outside a round it is recorded, and that is all."""
        if self._drive is None:
            self._event(IrregularityNoted(incident.kind, incident.position, None, ()), None)
        else:
            self._interrupt(incident)

    def drain(self) -> list[Entry]:
        """The entries since the last call: one transaction."""
        entries, self.entries = self.entries, []
        return entries

    @property
    def wanted(self) -> Wanted | None:
        """The actuation that needs an intent now; None when there is none or it has one."""
        if self._people.standstill is not None:
            return None
        if self._wants_to_act:
            assert self._performance is not None
            assert self._performance.command is not None
            device, command = self._performance.command
            return Wanted(device, self.picture.links[device].boot, command)
        job = self._wanted_job
        return None if job is None else Wanted(job.device, self.picture.links[job.device].boot, job.command)

    @property
    def _wants_to_act(self) -> bool:
        """Whether the act that is performed needs an intent, and it is known who is told."""
        if self._performance is None or self._performance.command is None or self.intent is not None:
            return False
        return bool(self.picture.links[self._performance.command[0]].up)

    @property
    def _wanted_job(self) -> Job | None:
        return self.picture.jobs.wanted(lambda device: bool(self.picture.links[device].up))

    @property
    def acting(self) -> tuple[int, str, Command] | None:
        """Command id, device and command of the actuation that is under way in the act that is performed."""
        if self._performance is None or self._performance.command is None or self.intent is None:
            return None
        return self.intent, *self._performance.command

    @property
    def under_way(self) -> tuple[UnderWay, ...]:
        """Every actuation that is under way, in the background too."""
        acting, jobs = self.acting, self.picture.jobs.under_way
        if acting is None:
            return jobs
        number, device, command = acting
        return (UnderWay(number, device, self.intent_boot, command), *jobs)

    def intended(self, command_id: int, boot: str) -> None:
        """The intent is committed: its row's number is the command's id, given to the device under that boot id."""
        job = self._wanted_job
        if self._wants_to_act:
            assert self._performance is not None
            self.intent = command_id
            self.intent_boot = boot
            self._performance.intended(command_id)
        elif job is not None:
            self.picture.jobs.intended(job, command_id, boot)

    @property
    def deadlines(self) -> tuple[tuple[int, int], ...]:
        """Token and milliseconds of each timer that is wanted: the act's, then that of chips that lie wrong."""
        if self._people.standstill is not None:
            return ()
        act = None if self._performance is None else self._performance.deadline
        token = self._watch.waits_for
        chips = None if token is None else (token, self._settings.chips_settle_ms)
        return tuple(wanted for wanted in (act, chips) if wanted is not None)

    @property
    def stage(self) -> str:
        """The stage that the round is in."""
        return "CLOSED" if self._drive is None else self._drive.stage

    @property
    def round(self) -> int:
        """Number of the round that is played, or of the last one."""
        return self.state.round + (self._drive is not None and self.state.phase is not Phase.CLOSED)

    @property
    def table_state(self) -> TableState:
        """The table's state as it is now, in the middle of a round too."""
        return self.state if self._drive is None else self._desk.table.state

    @property
    def sought(self) -> int | None:
        """Number of the past round that somebody at the panel asks for, to be given as a `RoundFound`."""
        return None if self._people.menu is None else self._people.menu.sought

    @property
    def changes_over(self) -> bool:
        """Whether the table is to end here, and to begin in training, or to come back from it."""
        return self._people.changes_over

    @property
    def stopped(self) -> tuple[str, str] | None:
        """Why play stands still until a floorperson comes, and by whose order, empty for nobody's; else None."""
        standstill = self._people.standstill
        if standstill is not None:
            return standstill.reason, standstill.credential
        if self._clearing is not None:
            return "fault", ""
        return ("played_without", "") if self._people.gap_due else None

    def prompt(self) -> Prompt:
        """What the panel has to show now."""
        for_people = self._people.prompt(self._desk)
        if for_people is not None and (self._menu is None or self._people.standstill is not None):
            return for_people if not self._desk.notice else replace(for_people, text=self._desk.notice)
        if self._menu is not None:
            return self._menu.prompt()
        if self._clearing is not None:
            return self._people.told(self._clearing.prompt())
        shown = Prompt("WAIT") if self._performance is None else self._performance.prompt()
        floor = ("floor_key",) if self._desk.key_switch_counts and "floor_key" not in shown.lit else ()
        text = self._people.marked(shown.text, self._desk.notice)
        return replace(shown, text=text, lit=(*shown.lit, *floor, IRREGULARITY))

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
        if self._people.wants(given):
            return self._to_people(given)
        answer: Answer = Taken.IGNORED
        if self._clearing is not None:
            answer = self._clear(self._clearing, given)
        elif key == IRREGULARITY and self._drive is not None:
            acting = self.acting is not None or self.wanted is not None
            self._menu = open_menu(self._desk, self._waiting, acting=acting)
            return Taken.HELD
        elif self._performance is not None:
            answer = self._performance.offer(given)
        if answer is Taken.IGNORED and isinstance(given.message, Badge | KeyPressed):
            return self._to_people(given)
        return answer

    # People

    def _started(self) -> None:
        """The daemon runs again; a round in whose middle it is taken up goes on without asking anybody."""
        at_play = self.stage not in (Stage.OPEN, Stage.CLOSED) and self._people.standstill is None
        if self.picture.order > 1:  # the first start of all follows upon nothing
            self._people.started(at_play=at_play)
        if at_play:
            self._event(TableResumed("restart", ""), None)

    def _to_people(self, given: Input) -> Answer:
        if self._drive is None and not isinstance(given.message, Badge):
            return Taken.IGNORED
        said = self._people.offer(given, self._desk)
        match said:
            case acts.Order():
                self._order(said)
            case Suspension(reason, credential):
                self._people.standstill = Standstill(reason, credential)
                self._event(TableSuspended(reason, credential), None)
            case PaymentCorrected() | TableOrdered():
                self._event(said, None)
            case _:
                pass
        if not self._people.are_busy:
            self._advance()
        return said if isinstance(said, Taken) else Taken.HELD

    def _order(self, order: acts.Order) -> None:
        """Deliver an order where it can be obeyed; the last of two dealers is the one who comes."""
        if order.kind == DEALER_CHANGE:
            self._queued = [queued for queued in self._queued if queued.incident.kind != DEALER_CHANGE]
        self._interrupt(order)

    def _stand_still(self, standstill: Standstill, given: Input) -> None:
        """While play stands still, the equipment's messages are kept for later, and people can only let it go on."""
        credential = floor_credential(given, self._desk)
        if credential is not None:
            self._people.standstill = None
            self._event(TableResumed("suspension", credential), None)
            self._advance()
            for held in standstill.held:
                self._go_on(held)
        elif isinstance(given.message, KeyPressed | Badge | BadgeUnreadable):
            self.beep = self._people.touched(given, self._desk, self.prompt, useless=True)
        elif not isinstance(given.message, DaemonStarted):
            standstill.held.append(given)

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
        if (
            answer is Taken.AGAIN
        ):  # the act goes on without the device that is lost, which is on the record all the same
            self.intent = None
        elif answer is not Taken.IGNORED:
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
            self._clearing = Clearing(self._desk, lambda: self.picture.latches)
            return
        self._clearing = None
        self._people.next_round()
        self._desk, self._watch, self._aside = self._new_desk(), Watch(), []
        self._desk.notice = notice
        self._drive = Drive(next_procedure(self._desk.table), self.game.transitions, self._record)

    def _new_desk(self) -> Desk:
        shoe = self.picture.usable(Kind.SHOE) if self.state.ready else None  # it goes on from the round before
        out = 0 if shoe is None else shoe.cards_left
        return Desk(Table(self.game, self.rules, self.setup, self.state), self._settings, self.picture, shoe_out=out)

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
            orders = [queued.incident for queued in self._queued if isinstance(queued.incident, acts.Order)]
            self._queued = [Queued(order) for order in orders]
            self.state = replace(self.state, orders=tuple(orders))
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
        if instruction.interruptible and self._queued and self.intent is None:
            place = next((n for n, queued in enumerate(self._queued) if self._is_due(queued, instruction)), None)
            if place is not None:
                if self._performance is not None and self._performance.command is None:
                    self._aside.append((instruction.repeated(), self._performance))  # what was keyed is not lost
                was_begun = self._performance is not None
                return self._finish(Interrupted(self._queued.pop(place).incident, was_begun))
        make = PERFORMANCES.get(type(instruction))
        if make is None:
            return self._at_once(instruction)
        if self._performance is None:
            if (self._menu is not None or self._people.are_busy) and instruction.interruptible:
                return PENDING  # a report is being made: it may concern what has just happened; or an order comes
            if not isinstance(instruction, CARD_ACTS):
                self._desk.dealt_to = 0
            self._performance = self._taken_up(instruction) or make(instruction, self._desk)
            begun = self._performance.begin()
            if isinstance(begun, Done):
                return self._finish(begun.result)
        return PENDING

    def _taken_up(self, instruction: acts.AnyInstruction) -> Performance | None:
        """The performance of an act that was interrupted and is repeated."""
        place = next((n for n, (repeated, _) in enumerate(self._aside) if repeated == instruction), None)
        return None if place is None else self._aside.pop(place)[1]

    def _finish(self, result: object) -> object:
        self._performance = None
        self.intent = None
        if isinstance(result, acts.ShoeJammed):  # what the act has answered does not interrupt another one as well
            self._queued = [queued for queued in self._queued if queued.incident.kind != "shoe_jam"]
        return result

    def _is_due(self, queued: Queued, instruction: acts.AnyInstruction) -> bool:
        if isinstance(queued.incident, acts.Order):
            return can_be_obeyed(queued.incident, instruction, Stage(self.stage))
        return not (isinstance(instruction, CARD_ACTS) and getattr(instruction, "number", 0) <= queued.after)

    def _at_once(self, instruction: acts.AnyInstruction) -> object:
        match instruction:
            case acts.Now():
                return self._now()
            case acts.CheckEquipment(moment):
                return self._checked(moment)
            case _:
                self._desk.notice = to_tell(instruction, self._desk.notice)
                return None

    def _checked(self, moment: str) -> object:
        """What the equipment says of the cards; no card is dealt before the faults of shoe and shuffler are cleared."""
        if moment == "deal" and self.picture.blocking:
            self._clearing = self._clearing or Clearing(self._desk, lambda: self.picture.blocking)
            return PENDING
        given_up, self._given_up = self._given_up, ()
        return self.picture.checked(given_up)

    def _record(self, step: int, instruction: acts.AnyInstruction, result: object, events: tuple[Event, ...]) -> None:
        if isinstance(result, Interrupted):
            self.entries.append(entry(RowKind.INTERRUPT, step, instruction=instruction, incident=result.incident))
        else:
            self.entries.append(entry(RowKind.RESULT, step, instruction=instruction, result=result))
            if isinstance(result, acts.Shuffled):
                self._desk.reloaded()
            if isinstance(instruction, acts.RemoveDevice | acts.CoverDevice | acts.ReturnDevice):
                self.picture.put_away(instruction.device, away=not isinstance(instruction, acts.ReturnDevice))
        for event in events:
            self._event(event, step)

    # Rows that are no steps

    def event(self, event: Event) -> None:
        """Put an event on the record that no instruction produced."""
        self._event(event, None)
        if isinstance(event, ClockStepped):
            self.state = set_clock(self.state, event)
            self._desk.table.state = set_clock(self._desk.table.state, event)

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
        if self._drive is not None:  # before the deal of a round that is open
            if cleared.out_of_service is not None:
                self._given_up = (*self._given_up, cleared.out_of_service)
            if not self.picture.blocking:
                self._clearing = None
                self._advance()
            return Taken.HELD
        if cleared.out_of_service is not None:
            self.state = replace(self.state, out_of_service=(*self.state.out_of_service, cleared.out_of_service))
        if not self.picture.latches:
            self.resume()
        return Taken.HELD
