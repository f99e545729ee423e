"""A whole table: emulated equipment, the real daemon in a process of its own, and the robot dealer's hands."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import itertools
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tablectl.cards import cards_of
from tablectl.daemon.config import load
from tablectl.engine.outcome import RoundFold
from tablectl.engine.scenario import RoundScript, Scenario
from tablectl.engine.script import play_one
from tablectl.engine.shoe_cards import ShoeCards
from tablectl.equipment import Capability, Kind
from tablectl.errors import ScenarioError
from tablectl.journal import Journal
from tablectl.money import Money, show
from tablectl.procedure.game import Dealing, Shuffler
from tablectl.procedure.starting import RNG, SHAKER
from tablectl.procedure.table import Table, TableState
from tablectl_hil.at_systems import has_system, meter_rules, signs_read
from tablectl_hil.by_hand import WAIT_S, ByHand, Person, TableStuck, can_be_done_by_hand
from tablectl_hil.control import Equipment, Piece, emulators
from tablectl_hil.faults import NO_FAULTS, Faults, FaultScript
from tablectl_hil.hands import Hands
from tablectl_hil.onlooker import Events, Onlooker
from tablectl_hil.real import RealDevices
from tablectl_hil.robot import FLOORPERSON, Kit, RobotDealer

__all__ = [
    "Daemon",
    "Events",
    "Hands",
    "RealTable",
    "TableStuck",
    "kit_for",
    "pieces",
    "plan",
    "run_scenario",
    "seed_journal",
    "set_meter",
    "signs",
    "table_text",
    "whole_table",
]

PANEL: Final = "panel"
STOP_S: Final = 5.0
_ARRIVE_S: Final = 10.0
_LOOK_AGAIN_S: Final = 0.05
_PR_SET_PDEATHSIG: Final = 1
_KINDS: Final = {
    "panel": Kind.PANEL,
    "shoe": Kind.SHOE,
    "shuffler": Kind.SHUFFLER,
    "wagers": Kind.WAGER_SENSORS,
    "scanner": Kind.CARD_SCANNER,
    "reader": Kind.CREDENTIAL_READER,
    "card_reader": Kind.CARD_READER,
    "progressive": Kind.PROGRESSIVE,
    "extra_roll": Kind.EXTRA_ROLL,
    "shaker": Kind.SHAKER,
    "rng": Kind.RNG,
}
"""The kinds of the devices of a kit."""

_RELIEFS: Final = ("1001", "1002")
"""Badges of dealers who relieve each other."""

_SHAKERS: Final = {6: Capability.SIX_DICE, 10: Capability.TEN_DICE}


@dataclass(frozen=True, slots=True)
class RealTable:
    """What of a table is real, who serves it, and how many seconds they have for each step."""

    devices: RealDevices
    person: Person
    wait_s: float = WAIT_S


def kit_for(scenario: Scenario, sensors: str, real: RealDevices | None = None) -> Kit:
    """The equipment for a scenario's table: ``all`` sensors, or the ``panel`` and a plain shoe alone.

    Real devices take the place of emulated ones, or come in addition to them.
    """
    everything = sensors == "all"
    by_hand = scenario.setup.dealing is Dealing.FROM_HAND
    automated = scenario.setup.dealing is Dealing.AUTOMATED_SHOE
    without = scenario.setup.dealing is Dealing.NONE
    if everything:
        kit = Kit(
            shoe=None if by_hand or without else "shoe",
            dispenses=automated,
            reads=True,
            shuffler=None if scenario.setup.shuffler is Shuffler.NONE else "shuffler",
            wagers="wagers",
            scanner=None if without else "scanner",
            reader="badges",
            card_reader="card_reader" if _has_card_reader(scenario) else None,
            progressive="progressive" if meter_rules(scenario) else None,
            extra_roll="extra_roll" if has_system(scenario, Kind.EXTRA_ROLL) else None,
            shaker="shaker" if _dice(scenario) is not None else None,
            rng="rng" if _starts_by(scenario) == RNG else None,
        )
    else:
        kit = Kit(shoe=None if by_hand or automated or without else "shoe")
    if real is None:
        return kit
    ids: dict[str, Any] = {}
    for name, kind in _KINDS.items():
        emulated = getattr(kit, name)
        ids[name] = real.find(kind) or (f"{emulated}_2" if emulated in real.ids else emulated)
    return replace(kit, **ids)


def pieces(scenario: Scenario, kit: Kit, real: RealDevices | None = None) -> list[Piece]:
    """The emulators of a kit."""
    able = [c for c, has in ((Capability.READS, kit.reads), (Capability.DISPENSES, kit.dispenses)) if has]
    counts = (Capability.COUNTS,) if scenario.setup.shuffler.counts else ()
    if scenario.setup.shuffler is Shuffler.IDENTIFYING:
        counts = (*counts, Capability.IDENTIFIES, Capability.BACKS)
    made = [
        Piece(kit.panel, Kind.PANEL, (Capability.CARD_KEYS, Capability.DIGITS)),
        Piece(kit.shoe or "", Kind.SHOE, tuple(able)),
        Piece(kit.shuffler or "", Kind.SHUFFLER, counts),
        Piece(kit.wagers or "", Kind.WAGER_SENSORS, (Capability.AMOUNTS,)),
        Piece(kit.scanner or "", Kind.CARD_SCANNER),
        Piece(kit.reader or "", Kind.CREDENTIAL_READER),
        Piece(kit.card_reader or "", Kind.CARD_READER, (Capability.SELF_TEST,)),
        Piece(kit.progressive or "", Kind.PROGRESSIVE, (Capability.METER,)),
        Piece(kit.extra_roll or "", Kind.EXTRA_ROLL),
        Piece(kit.shaker or "", Kind.SHAKER, (_dice(scenario) or Capability.THREE_DICE,)),
        Piece(kit.rng or "", Kind.RNG),
    ]
    return [piece for piece in made if piece.id and (real is None or piece.id not in real.ids)]


def _has_card_reader(scenario: Scenario) -> bool:
    """Whether the game has a reader for hole cards."""
    clauses = scenario.game.opening_clauses
    return clauses is not None and clauses.reader is not None


def _dice(scenario: Scenario) -> Capability | None:
    """The capability of the shaker that the game needs, by the number of its dice; None where it needs none."""
    clauses = scenario.game.dice
    if _starts_by(scenario) == SHAKER:
        return Capability.THREE_DICE
    if clauses is None or scenario.refused is not None:
        return None
    return _SHAKERS[clauses.number(scenario.rules)]


def _starts_by(scenario: Scenario) -> str | None:
    """How it is determined where the deal begins, in a game in which that is filed."""
    return getattr(scenario.rules, "starting_position", None)


def table_text(
    scenario: Scenario,
    chosen: Sequence[Piece],
    folder: Path,
    *,
    mqtt: tuple[str, int] | tuple[str, int, str] | None = None,
    confirm_ms: int = 0,
    bound: bool = False,
    dealers: Sequence[str] = (),
    link: Mapping[str, int] | None = None,
) -> str:
    """The configuration of the scenario's table, as TOML; `bound` devices are known by their serial numbers.

    `dealers` are credentials of dealers, `link` are settings of every device's driver.
    """
    setup = scenario.setup
    table: dict[str, Any] = {
        "id": "T1",
        "site": "hil",
        "pit": "P1",
        "game": scenario.game.id,
        "dealing": setup.dealing.value,
        "shuffler": setup.shuffler.value,
        "shuffler_mode": "continuous" if setup.continuous else "batch",
        "seats": setup.seats,
        "journal": str(folder / "journal.db"),
        "confirm_ms": confirm_ms,
    }
    if setup.minimum is not None:
        table["minimum"] = show(setup.minimum)
    if setup.maximum is not None:
        table["maximum"] = show(setup.maximum)
    lines = ["[table]", *_toml(table)]
    lines += ["", "[decks]", *_toml({"at_the_table": setup.decks, "backs": list(setup.backs)})]
    lines += ["", "[rules]", *_toml(scenario.submission.model_dump(mode="json"))]
    for piece in chosen:
        lines += ["", f"[devices.{piece.id}]", f'kind = "{piece.kind}"', 'driver = "table-device-link"']
        lines.append(f"port = {json.dumps(f'serial:{folder / piece.id}')}")
        lines += _toml(link or {})
        if bound:
            lines.append(f"serial = {json.dumps(piece.serial)}")
    if mqtt is not None:
        lines += ["", "[mqtt]", *_toml(dict(zip(("host", "port", "protocol"), mqtt, strict=False)))]
    if any(piece.kind is Kind.CREDENTIAL_READER for piece in chosen):
        lines += ["", "[people]", *_toml({"floorpersons": [FLOORPERSON], "dealers": list(dealers)})]
    return "\n".join(lines) + "\n"


def _toml(values: Mapping[str, Any]) -> list[str]:
    """Keys with their values; TOML has none that says that there is none, so such a key is left out."""
    return [f"{key} = {_toml_value(value)}" for key, value in values.items() if value is not None]


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(_toml(value)) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return json.dumps(value)


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


@contextlib.asynccontextmanager
async def whole_table(
    scenario: Scenario,
    folder: Path,
    sensors: str,
    *,
    mqtt: tuple[str, int] | tuple[str, int, str] | None = None,
    confirm_ms: int = 0,
    seed: int = 0,
    faults: FaultScript = NO_FAULTS,
    real: RealTable | None = None,
    opened: bool = True,
    dealers: Sequence[str] = (),
    link: Mapping[str, int] | None = None,
) -> AsyncIterator[tuple[Hands, Daemon]]:
    """Emulators and a running daemon for a scenario's table, all of it in `folder`; not `opened`: it is closed yet.

    `dealers` and `link` as in `table_text`.
    `ConfigurationError` lists what is wrong with the real devices' file, `ScenarioError` with the faults, and
    `TableStuck` says which real device is not there.
    """
    devices = None if real is None else real.devices
    kit = kit_for(scenario, sensors, devices)
    made = pieces(scenario, kit, devices)
    _check(faults, made, devices)
    text = table_text(scenario, made, folder, mqtt=mqtt, confirm_ms=confirm_ms, bound=True, dealers=dealers, link=link)
    by_hand = None
    if real is not None:
        text, table = real.devices.beside(text)
        by_hand = ByHand(real.devices.kinds, Onlooker(table), real.person, real.wait_s)
    config = folder / "table.toml"
    config.write_text(text, encoding="utf-8")
    daemon = Daemon(config, folder / "daemon.log")
    async with emulators(folder, [*made, *faults.spares], seed=seed) as (equipment, _process):
        if opened:
            await asyncio.to_thread(seed_journal, config, scenario)
        await set_meter(equipment, scenario, made)
        hands = Hands(equipment, kit, Events(folder / "journal.db"), lambda: daemon.running, by_hand)
        if kit.shuffler is not None and by_hand is not None and kit.shuffler in by_hand.kinds:
            await by_hand.fill(kit.shuffler, None)
        elif kit.shuffler is not None:
            await equipment.insert(kit.shuffler, [card.name for card in cards_of(scenario.game.deck)])
        await daemon.start()
        try:
            if real is not None and by_hand is not None:
                hands.kit = await _arrived(real.devices, by_hand, scenario, kit, daemon)
            yield hands, daemon
        finally:
            await daemon.stop()


def _check(faults: FaultScript, made: Sequence[Piece], real: RealDevices | None) -> None:
    """Refuse faults that cannot happen at this table, before it is set up."""
    ids = () if real is None else real.ids
    impossible = [
        f"fault.{number}: {fault.act} of {fault.device}: that device is real, and a person cannot do this to it"
        for number, fault in enumerate(faults.fault)
        if fault.device in ids and not can_be_done_by_hand(fault.act)
    ]
    if impossible:
        raise ScenarioError("\n".join(impossible))
    faults.check(made, ids)


def _check_positions(scenario: Scenario) -> None:
    """Refuse to report an irregularity at a place that the table does not have: its panel has no key for that."""
    there = scenario.game.positions(scenario.setup.seats)
    impossible = [
        f"round {number}: incidents: {incident.kind} at {incident.at}: a panel of {scenario.game.title} has no key"
        f" for {incident.position}, so that nobody can report it: `tablectl play` plays it by script"
        for number, script in enumerate(scenario.rounds, 1)
        for incident in script.incidents
        if incident.position is not None and incident.position not in there
    ]
    if impossible:
        raise ScenarioError("\n".join(impossible))


async def _arrived(real: RealDevices, by_hand: ByHand, scenario: Scenario, kit: Kit, daemon: Daemon) -> Kit:
    """Wait until the table has all real devices: the kit as they describe themselves; `TableStuck` names the others."""
    loop = asyncio.get_running_loop()
    until = loop.time() + _ARRIVE_S
    waiting = list(real.ids)
    problems: list[str] = []
    while waiting and daemon.running and loop.time() < until:
        by_hand.look()
        for device in tuple(waiting):
            link = by_hand.link(device)
            if link is None or link.up is None:
                continue
            waiting.remove(device)
            reason = by_hand.lost(device)
            unfit = real.unfit(device, link, scenario) if link.up else real.missing(device, reason)
            if unfit is not None:
                problems.append(unfit)
        await asyncio.sleep(_LOOK_AGAIN_S)
    if not daemon.running:
        raise TableStuck("the daemon has ended: see daemon.log in the table's folder (--keep)")
    problems += [real.missing(device, f"nothing has answered within {_ARRIVE_S:g} s") for device in waiting]
    if problems:
        raise TableStuck("\n".join(problems))
    shoe = None if kit.shoe is None else by_hand.link(kit.shoe)
    if kit.shoe not in by_hand.kinds or shoe is None:
        return kit
    return replace(kit, reads=shoe.can(Capability.READS), dispenses=shoe.can(Capability.DISPENSES))


def seed_journal(config: Path, scenario: Scenario) -> None:
    """Let the table begin in the state that the scenario describes: a snapshot, as if it had played before."""
    table = load(config)
    state = scenario.first_state()
    now = int(time.time())
    decks = tuple(replace(deck, since=now + deck.since) for deck in state.decks)
    state = replace(state, decks=decks, dice_since=now + (state.dice_since or 0))
    core = table.make_core(state, None, 0, lambda: int(time.time()))
    core.snapshot()
    journal = Journal.open(table.journal, boot="before")
    try:
        journal.append_now(core.drain())
    finally:
        journal.close_now()


async def set_meter(equipment: Equipment, scenario: Scenario, made: Sequence[Piece]) -> None:
    """Set the emulated meter up, if there is one, so that it shows what the scenario says."""
    rules = meter_rules(scenario)
    for piece in made:
        if piece.kind is Kind.PROGRESSIVE and rules is not None:
            await equipment.act(piece.id, "rules", **rules)


def signs(scenario: Scenario, script: RoundScript, state: TableState) -> list[Money]:
    """What the meter's sign shows whenever it is read in that round."""
    fold, _after = play_one(scenario, script, Table(scenario.game, scenario.rules, scenario.setup, state))
    return signs_read(fold.events)


def plan(scenario: Scenario, script: RoundScript, state: TableState) -> tuple[list[str], TableState]:
    """The acts of a round as the script has them, so that the robot knows where each card goes."""
    fold, after = play_one(scenario, script, Table(scenario.game, scenario.rules, scenario.setup, state))
    return fold.order, after


async def run_scenario(
    scenario: Scenario,
    folder: Path,
    sensors: str,
    faults: FaultScript = NO_FAULTS,
    real: RealTable | None = None,
) -> dict[str, Any]:
    """Play a scenario at a real table; the outcome document, from the journal's event rows alone."""
    _check_positions(scenario)
    document: dict[str, Any] = {"game": scenario.game.id, "rounds": []}
    state = scenario.first_state()
    shoe = ShoeCards(scenario)
    reliefs = itertools.cycle(_RELIEFS)
    dealers = _RELIEFS if any(script.new_dealer for script in scenario.rounds) else ()
    async with whole_table(scenario, folder, sensors, faults=faults, real=real, dealers=dealers) as (hands, _daemon):
        hands.faults = Faults(list(faults.fault))
        for number, listed in enumerate(scenario.rounds, 1):
            script = shoe.left_for(listed, number)
            read = signs(scenario, script, state)
            order, state = plan(scenario, script, state)
            relief = next(reliefs) if script.new_dealer else None
            robot = RobotDealer(scenario.game, script, order, hands.kit, hands.chips, read, relief)
            await hands.deal(robot, number)
            hands.faults.nothing_left(number)
            fold = RoundFold(scenario.game)
            fold.extend(hands.events.round(number))
            shoe.played(script, fold.events)
            document["rounds"].append(fold.document(script.wagers))
    return document
