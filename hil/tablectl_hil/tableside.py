"""A whole table: emulated equipment, the real daemon in a process of its own, and the robot dealer's hands."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from tablectl import events as e
from tablectl.cards import deck
from tablectl.daemon.config import load
from tablectl.engine.outcome import RoundFold
from tablectl.engine.prompts import Prompt
from tablectl.engine.rows import read_body
from tablectl.engine.scenario import Incident, RoundScript, Scenario
from tablectl.engine.script import play_one
from tablectl.equipment import Capability, Kind
from tablectl.equipment import Fault as DeviceFault
from tablectl.errors import TablectlError
from tablectl.journal import Journal, Reader, RowKind
from tablectl.money import show
from tablectl.procedure.game import Dealing, Shuffler
from tablectl.procedure.table import Table, TableState
from tablectl_hil.control import Equipment, Piece, emulators
from tablectl_hil.faults import Fault, Faults
from tablectl_hil.robot import FLOORPERSON, Act, Kit, RobotDealer, View

__all__ = [
    "Daemon",
    "Events",
    "Hands",
    "TableStuck",
    "kit_for",
    "pieces",
    "plan",
    "run_scenario",
    "seed_journal",
    "table_text",
    "whole_table",
]

PANEL: Final = "panel"
READY_S: Final = 20.0
STOP_S: Final = 5.0
STEP_S: Final = 20.0
_LOOK_AGAIN_S: Final = 0.1
_BACK_S: Final = 1.5
_PR_SET_PDEATHSIG: Final = 1
_SHUFFLER_FAULTS: Final = {"shuffler_jam": DeviceFault.JAM, "shuffle_incomplete": DeviceFault.INCOMPLETE}


class TableStuck(TablectlError):
    """The table did not go on: the daemon died, or waits for something that the robot does not do."""


def kit_for(scenario: Scenario, sensors: str) -> Kit:
    """The equipment for a scenario's table: ``all`` sensors, or the ``panel`` and a plain shoe alone."""
    everything = sensors == "all"
    by_hand = scenario.setup.dealing is Dealing.FROM_HAND
    automated = scenario.setup.dealing is Dealing.AUTOMATED_SHOE
    if not everything:
        return Kit(shoe=None if by_hand or automated else "shoe")
    return Kit(
        shoe=None if by_hand else "shoe",
        dispenses=automated,
        reads=True,
        shuffler=None if scenario.setup.shuffler is Shuffler.NONE else "shuffler",
        wagers="wagers",
        scanner="scanner",
        reader="badges",
    )


def pieces(scenario: Scenario, kit: Kit) -> list[Piece]:
    """The emulators of a kit."""
    able = [c for c, has in ((Capability.READS, kit.reads), (Capability.DISPENSES, kit.dispenses)) if has]
    counts = (Capability.COUNTS,) if scenario.setup.shuffler.counts else ()
    made = [
        Piece(PANEL, Kind.PANEL, (Capability.CARD_KEYS, Capability.DIGITS)),
        Piece(kit.shoe or "", Kind.SHOE, tuple(able)),
        Piece(kit.shuffler or "", Kind.SHUFFLER, counts),
        Piece(kit.wagers or "", Kind.WAGER_SENSORS, (Capability.AMOUNTS,)),
        Piece(kit.scanner or "", Kind.CARD_SCANNER),
        Piece(kit.reader or "", Kind.CREDENTIAL_READER),
    ]
    return [piece for piece in made if piece.id]


def table_text(
    scenario: Scenario,
    chosen: Sequence[Piece],
    folder: Path,
    *,
    mqtt: tuple[str, int] | tuple[str, int, str] | None = None,
    confirm_ms: int = 0,
) -> str:
    """The configuration of the scenario's table, as TOML."""
    setup = scenario.setup
    table: dict[str, Any] = {
        "id": "T1",
        "site": "hil",
        "pit": "P1",
        "game": scenario.game.id,
        "dealing": setup.dealing.value,
        "shuffler": setup.shuffler.value,
        "seats": setup.seats,
        "journal": str(folder / "journal.db"),
        "confirm_ms": confirm_ms,
    }
    if setup.minimum is not None:
        table["minimum"] = show(setup.minimum)
    if setup.maximum is not None:
        table["maximum"] = show(setup.maximum)
    lines = ["[table]", *_toml(table)]
    rules = scenario.submission.model_dump(mode="json")
    lines += ["", "[rules]", *_toml({key: value for key, value in rules.items() if value is not None})]
    for piece in chosen:
        lines += ["", f"[devices.{piece.id}]", f'kind = "{piece.kind}"', 'driver = "table-device-link"']
        lines.append(f"port = {json.dumps(f'serial:{folder / piece.id}')}")
    if mqtt is not None:
        lines += ["", "[mqtt]", *_toml(dict(zip(("host", "port", "protocol"), mqtt, strict=False)))]
    if any(piece.kind is Kind.CREDENTIAL_READER for piece in chosen):
        lines += ["", "[people]", f'floorpersons = ["{FLOORPERSON}"]']
    return "\n".join(lines) + "\n"


def _toml(values: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_toml_value(value)}" for key, value in values.items()]


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(_toml(value)) + " }"
    return json.dumps(value)


@dataclass
class Events:
    """The event rows of a journal as they are committed, read beside the running daemon."""

    path: Path
    events: list[e.Event] = field(default_factory=list)
    upto: int = 0

    def read(self) -> list[e.Event]:
        """All events so far."""
        if self.path.exists():
            for row in Reader(self.path).rows(self.upto, kinds=[RowKind.EVENT]):
                self.upto = row.seq
                self.events.append(read_body(row, event=e.Event)["event"])
        return self.events

    def closed(self) -> int:
        """How many rounds are closed."""
        return sum(isinstance(event, e.RoundClosed) for event in self.read())

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


def _end_with_parent() -> None:
    """Let the kernel end this process politely when the one that has started it dies, however it dies (prctl(2))."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class Daemon:
    """`tablectl run` in a process of its own; its log goes to a file.

    `program` is what runs instead of ``python -m tablectl``, `options` are those of its command ``run``; `environment`
    is added to that of this process.
    """

    def __init__(
        self,
        config: Path,
        log: Path,
        *,
        program: Sequence[str] = (sys.executable, "-m", "tablectl"),
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._config = config
        self._log = log
        self._program = tuple(program)
        self._options = tuple(options)
        self._environment = dict(environment or {})
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it; it is there when the panel lights up."""
        with self._log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self._program,
                "run",
                *self._options,
                str(self._config),
                stdout=log,
                stderr=log,
                env={**os.environ, **self._environment},
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.returncode is None

    async def stop(self) -> int:
        """SIGTERM, and SIGKILL if that does not help in time; the exit status."""
        return await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """SIGKILL."""
        await self._end(signal.SIGKILL)

    async def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(how)
        try:
            async with asyncio.timeout(STOP_S):
                return await self.process.wait()
        except TimeoutError:
            self.process.kill()
            return await self.process.wait()


class Hands:
    """Carries a robot's acts out on emulated equipment, and waits until the table has understood each."""

    def __init__(self, equipment: Equipment, kit: Kit, events: Events, alive: Callable[[], bool]) -> None:
        self.equipment = equipment
        self.kit = kit
        self.events = events
        self._alive = alive
        self.faults = Faults(())
        self.chips: list[tuple[int, str]] = []
        self._acted_on: View | None = None  # until the table shows that it has understood
        self._prepared: RobotDealer | None = None
        self._over: Prompt | None = None

    def view(self) -> View:
        """What can be seen at the table now."""
        shown = self.equipment.showing(PANEL)
        told = {}
        for device in (self.kit.shoe, self.kit.shuffler):
            order = None if device is None else self.equipment.told(device)
            if device is not None and order is not None:
                told[device] = str(order["order"])
        return View(Prompt(shown.text, shown.lit, shown.standing), told)

    async def deal(
        self,
        robot: RobotDealer,
        rounds: int,
        *,
        pace_s: float = 0.0,
        until: Callable[[View], bool] = lambda _view: False,
    ) -> None:
        """Let the robot deal until so many rounds are closed or `until` is true of the view; it may go on later."""
        if self._prepared is not robot:
            self._prepared = robot
            self._over = None if self._acted_on is None else self._acted_on.prompt
            await self._prepare(robot)
        while self.events.closed() < rounds and not until(self.view()):
            if not self.view().prompt.text:
                await self._lit()
                continue
            if self.view().prompt == self._over:  # the last line of the round before: a daemon may have died there
                await self._changed(self.view())
                continue
            self._over = None
            if self.view() == self._acted_on:
                await self._changed(self._acted_on)
                continue
            await self.faults.before(rounds, self.view(), robot.cards_out, self.equipment)
            act = robot.act(self.view())
            if act is None:
                await self._changed(self.view())
                continue
            if pace_s:
                await asyncio.sleep(pace_s)
            seen = self.view()
            await self._carry_out(act)
            self._acted_on = seen if act.shows else None

    async def _lit(self) -> None:
        """The panel was dark, as the daemon was away: wait until it has taken in what was done meanwhile."""
        async with asyncio.timeout(STEP_S):
            while not self.view().prompt.text:
                await self.equipment.changed()
            devices = [name for name in (PANEL, *asdict(self.kit).values()) if isinstance(name, str)]
            while any([(await self.equipment.act(name, "status"))["unacknowledged"] for name in devices]):  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_AGAIN_S)
        await asyncio.sleep(_LOOK_AGAIN_S)  # the last prompt follows the last acknowledgement

    async def _changed(self, seen: View) -> None:
        """Wait until the panel says something else, or a device wants a hand, or the panel is dark."""
        try:
            async with asyncio.timeout(STEP_S):
                while self.view() == seen:
                    await self.equipment.changed()
        except TimeoutError:
            state = "" if self._alive() else "; the daemon does not run"
            raise TableStuck(f"the table does not go on: the panel shows {seen.prompt.text!r}{state}") from None

    async def _back(self, device: str) -> None:
        """A dealer who sees a device come back lets it, before he goes on; one that stays away is not waited for."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_BACK_S):
                while not self.equipment.present(device):
                    await self.equipment.changed()
                await self._taken(device)

    async def _taken(self, device: str) -> None:
        """Wait until the daemon has acknowledged everything that the device has said."""
        async with asyncio.timeout(STEP_S):
            while (await self.equipment.act(device, "status"))["unacknowledged"]:  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_AGAIN_S / 10)

    async def _carry_out(self, act: Act) -> None:
        facts = dict(act.facts)
        if act.name == "put":
            self.chips.append((facts["seat"], facts["wager"]))
        elif act.name == "lift":
            self.chips.remove((facts["seat"], facts["wager"]))
        done = await self.equipment.act(act.device, act.name, **facts)
        while act.name == "press" and not done:  # a dark panel takes no press
            await self._lit()
            done = await self.equipment.act(act.device, act.name, **facts)
        if act.name == "take_card" and not act.shows and self.equipment.present(act.device):
            await self._taken(act.device)  # nothing is seen of it: wait until it is committed

    async def _prepare(self, robot: RobotDealer) -> None:
        """Load the cards of the round, and let the equipment have the faults of the script."""
        if self.kit.shoe is not None:
            await self._back(self.kit.shoe)
            await self.equipment.load(self.kit.shoe, robot.shoe_load())
        for incident in list(robot.incidents):
            if await self._is_the_equipments(incident):
                robot.incidents.remove(incident)

    async def _is_the_equipments(self, incident: Incident) -> bool:
        if self.kit.dispenses and self.kit.shoe and incident.kind == "shoe_jam" and incident.at.kind == "card":
            await self.equipment.act(self.kit.shoe, "jam_after", cards=incident.at.number)
            return True
        if self.kit.shuffler is None or incident.at.kind != "shuffle":
            return False
        if incident.kind in _SHUFFLER_FAULTS:
            await self.equipment.fail_next(self.kit.shuffler, _SHUFFLER_FAULTS[incident.kind])
            return True
        if incident.kind == "deck_count" and incident.count is not None:
            await self.equipment.act(self.kit.shuffler, "miscount_next", by=incident.count - 52)
            return True
        return False


@contextlib.asynccontextmanager
async def whole_table(
    scenario: Scenario,
    folder: Path,
    sensors: str,
    *,
    mqtt: tuple[str, int] | tuple[str, int, str] | None = None,
    confirm_ms: int = 0,
    seed: int = 0,
) -> AsyncIterator[tuple[Hands, Daemon]]:
    """Emulators and a running daemon for a scenario's table, all of it in `folder`."""
    kit = kit_for(scenario, sensors)
    made = pieces(scenario, kit)
    config = folder / "table.toml"
    config.write_text(table_text(scenario, made, folder, mqtt=mqtt, confirm_ms=confirm_ms), encoding="utf-8")
    daemon = Daemon(config, folder / "daemon.log")
    async with emulators(folder, made, seed=seed) as (equipment, _process):
        await asyncio.to_thread(seed_journal, config, scenario)
        if kit.shuffler is not None:
            await equipment.insert(kit.shuffler, [card.name for card in deck()])
        await daemon.start()
        try:
            yield Hands(equipment, kit, Events(folder / "journal.db"), lambda: daemon.running), daemon
        finally:
            await daemon.stop()


def seed_journal(config: Path, scenario: Scenario) -> None:
    """Let the table begin in the state that the scenario describes: a snapshot, as if it had played before."""
    table = load(config)
    state = scenario.first_state()
    state = replace(state, deck_since=int(time.time()) + state.deck_since)
    core = table.make_core(state, None, 0, lambda: int(time.time()))
    core.snapshot()
    journal = Journal.open(table.journal, boot="before")
    try:
        journal.append_now(core.drain())
    finally:
        journal.close_now()


def plan(scenario: Scenario, script: RoundScript, state: TableState) -> tuple[list[str], TableState]:
    """The acts of a round as the script has them, so that the robot knows where each card goes."""
    fold, after = play_one(scenario, script, Table(scenario.game, scenario.rules, scenario.setup, state))
    return fold.order, after


async def run_scenario(scenario: Scenario, folder: Path, sensors: str, faults: Sequence[Fault] = ()) -> dict[str, Any]:
    """Play a scenario at a real table; the outcome document, from the journal's event rows alone."""
    document: dict[str, Any] = {"game": scenario.game.id, "rounds": []}
    state = scenario.first_state()
    async with whole_table(scenario, folder, sensors) as (hands, _daemon):
        hands.faults = Faults(tuple(faults))
        for number, script in enumerate(scenario.rounds, 1):
            order, state = plan(scenario, script, state)
            robot = RobotDealer(scenario.game, script, order, hands.kit, hands.chips)
            await hands.deal(robot, number)
            hands.faults.nothing_left(number)
            fold = RoundFold(scenario.game)
            fold.extend(hands.events.round(number))
            document["rounds"].append(fold.document(script.wagers))
    return document
