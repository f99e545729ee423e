"""A table in one process: the core, devices made of a few lines, a journal that is a list, and the robot dealer.

The real journal, links and emulators are tested elsewhere; here every step is synchronous, so that a crash can be put
between any two of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

from tablectl.cards import FaceDown, card
from tablectl.engine.core import Core
from tablectl.engine.desk import Settings
from tablectl.engine.identity import Identity
from tablectl.engine.inputs import DaemonStarted, Input, TimerExpired
from tablectl.engine.outcome import RoundFold
from tablectl.engine.picture import Link, Picture, SavedPicture
from tablectl.engine.recovery import recover
from tablectl.engine.roundpage import look_up
from tablectl.engine.rows import entry, read_body
from tablectl.engine.scenario import Scenario
from tablectl.engine.script import play_one
from tablectl.engine.shoe_cards import ShoeCards
from tablectl.engine.stranded import Stranded
from tablectl.equipment import (
    Badge,
    Capability,
    CardLeft,
    CardPresent,
    CardScanned,
    CardsEjected,
    Description,
    DiceRead,
    Die,
    DieLies,
    DispenseStack,
    DrawNumber,
    EjectCards,
    Fault,
    HoleCardRead,
    KeyPressed,
    Kind,
    LinkUp,
    Message,
    NumberDrawn,
    ReadDice,
    ReadHoleCard,
    SelfTest,
    SelfTested,
    Shaken,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    WagerSpot,
)
from tablectl.events import Event, RoundOpened
from tablectl.journal import GENESIS, Entry, Head, Row, RowKind
from tablectl.money import dollars
from tablectl.procedure.table import Table, TableState
from tablectl_hil.at_systems import signs_read
from tablectl_hil.robot import Act, Kit, RobotDealer, View

IDENTITY = Identity("0", "rules", "configuration")
RELIEFS = ("1001", "1002")
"""Dealers who relieve each other."""

PANEL_ALONE = Kit()
PLAIN_SHOE = Kit(shoe="shoe")
ALL_SENSORS = Kit(shoe="shoe", reads=True, shuffler="shuffler", wagers="wagers", scanner="scanner", reader="reader")
NO_SCANNER = Kit(shoe="shoe", reads=True, wagers="wagers", reader="reader")


class ListJournal:
    """Rows in memory; `rows` and `last` as recovery reads them."""

    def __init__(self, rows: list[Row] | None = None) -> None:
        self.kept: list[Row] = rows or []

    def append(self, entries: list[Entry]) -> int:
        for item in entries:
            seq = len(self.kept) + 1
            digest = hashlib.sha256(f"{seq}{item.body}".encode()).hexdigest()
            self.kept.append(Row(seq, "", digest, item.kind, "boot", 0, "", False, item.step, item.body, item.secret))
        return len(self.kept)

    def rows(
        self,
        after: int = 0,
        until: int | None = None,
        kinds: Iterable[RowKind] | None = None,
        limit: int | None = None,
    ) -> Iterator[Row]:
        wanted = list(RowKind) if kinds is None else list(kinds)
        return islice((row for row in self.kept[after:until] if row.kind in wanted), limit)

    def head(self) -> Head:
        return Head(len(self.kept), self.kept[-1].hash) if self.kept else Head(0, GENESIS)

    def last(self, kind: RowKind) -> Row | None:
        return next((row for row in reversed(self.kept) if row.kind is kind), None)

    def events(self) -> list[Event]:
        return [read_body(row, event=Event)["event"] for row in self.kept if row.kind is RowKind.EVENT]


@dataclass
class Devices:
    """The equipment: what a device remembers while the daemon is away."""

    kit: Kit
    seats: int
    load: list[str] = field(default_factory=list)
    count: int = 0
    told: dict[str, tuple[int, str, int]] = field(default_factory=dict)
    jam: Callable[[int], int | None] = lambda out: None
    shuffle_faults: list[Fault] = field(default_factory=list)
    shuffle_counts: list[int] = field(default_factory=list)
    done: dict[int, Message] = field(default_factory=dict)
    spots: dict[tuple[int, str], int] = field(default_factory=dict)
    counts: bool = True
    whole: int = 52
    self_tests: list[str] = field(default_factory=list)
    shakes: int = 0
    dice: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    hole_card: bool | None = None

    def command(self, number: int, device: str, command: Any) -> Message | None:
        """Begin an actuation, or, told again, say its result again."""
        if number in self.done:
            return self.done[number]
        if isinstance(command, SelfTest):
            detail = self.self_tests.pop(0) if self.self_tests else ""
            self.done[number] = SelfTested(number, not detail, detail)
            return self.done[number]
        if isinstance(command, EjectCards):
            self.told.pop(device, None)
            self.done[number] = CardsEjected(number, self.whole if self.counts else None)
            return self.done[number]
        if isinstance(command, ReadDice):
            self.done[number] = DiceRead(number, self.shakes, tuple(_die(text) for text in self.dice))
            self.shakes = 0
            return self.done[number]
        if isinstance(command, DrawNumber):
            self.done[number] = NumberDrawn(number, self.numbers.pop(0))
            return self.done[number]
        if isinstance(command, ReadHoleCard) and self.hole_card is not None:
            self.done[number] = HoleCardRead(number, self.hole_card)
            return self.done[number]
        count = command.count if isinstance(command, DispenseStack) else 0
        self.told[device] = (number, type(command).__name__, count)
        return None

    def act(self, act: Act) -> list[tuple[str, Message]]:
        """The messages that come of what the robot does."""
        facts = act.facts
        match act.name:
            case "press":
                return [("panel", KeyPressed(facts["key"]))]
            case "badge":
                return [(act.device, Badge(facts["number"]))]
            case "put":
                spot = facts["seat"], facts["wager"]
                self.spots[spot] = dollars(facts["amount"])
                return [(act.device, WagerSpot(*spot, True, dollars(facts["amount"])))]
            case "lift":
                return [(act.device, WagerSpot(facts["seat"], facts["wager"], False, None))]
            case "take_card":
                return [(act.device, self._card())]
            case "take_stack":
                return [(act.device, self._stack(act.device))]
            case "finish":
                return [(act.device, self._shuffled(act.device))]
            case "shake":
                self.shakes += 1
                return [(act.device, Shaken(self.shakes))]
            case "arrange":
                self.dice = facts["dice"]
                return []
            case "draw_next":
                self.numbers = list(facts["numbers"])
                return []
            case "insert":
                return self._hole_card(act.device, facts["blackjack"])
            case "withdraw":
                self.hole_card = None
                return [(act.device, CardPresent(False))]
            case "show":
                return [(act.device, CardScanned(card(facts["card"])))]
            case _:
                return []

    def _card(self) -> Message:
        self.count += 1
        name = self.load.pop(0)
        seen = FaceDown(card(name.lstrip("^")) if self.kit.reads else None)
        return CardLeft(self.count, seen, self.kit.reads and name.startswith("^"))

    def _stack(self, device: str) -> Message:
        number, _order, count = self.told.pop(device)
        cards: list[FaceDown] = []
        up: list[int] = []
        while len(cards) - len(up) < count:
            name = self.load.pop(0)
            if name.startswith("^"):
                up.append(len(cards))
            cards.append(FaceDown(card(name.lstrip("^"))))
            self.count += 1
            if self.jam(self.count):
                self.done[number] = StackFailed(number, tuple(cards), Fault.JAM)
                return self.done[number]
        self.done[number] = StackTaken(number, tuple(cards), tuple(up))
        return self.done[number]

    def _hole_card(self, device: str, blackjack: bool) -> list[tuple[str, Message]]:
        self.hole_card = blackjack
        said: list[tuple[str, Message]] = [(device, CardPresent(True))]
        if device in self.told:
            number, _order, _count = self.told.pop(device)
            self.done[number] = HoleCardRead(number, blackjack)
            said.append((device, self.done[number]))
        return said

    def _shuffled(self, device: str) -> Message:
        number, _order, _count = self.told.pop(device)
        if self.shuffle_faults:
            self.done[number] = ShuffleFailed(number, self.shuffle_faults.pop(0))
        else:
            counted = self.shuffle_counts.pop(0) if self.shuffle_counts else self.whole
            self.done[number] = ShuffleFinished(number, counted if self.counts else None)
        return self.done[number]


def _die(text: str) -> Die:
    face, _, lies = text.partition(":")
    return Die(None if face == "?" else int(face), 99, DieLies(lies or "flat"))


def links(kit: Kit) -> dict[str, Link]:
    """The table's devices as the configuration names them."""
    made = {"panel": Link(Kind.PANEL)}
    kinds = {
        kit.shoe: Kind.SHOE,
        kit.shuffler: Kind.SHUFFLER,
        kit.wagers: Kind.WAGER_SENSORS,
        kit.scanner: Kind.CARD_SCANNER,
        kit.reader: Kind.CREDENTIAL_READER,
        kit.card_reader: Kind.CARD_READER,
        kit.progressive: Kind.PROGRESSIVE,
        kit.extra_roll: Kind.EXTRA_ROLL,
        kit.shaker: Kind.SHAKER,
        kit.rng: Kind.RNG,
    }
    made.update({name: Link(kind) for name, kind in kinds.items() if name is not None})
    return made


class Crash(BaseException):
    """The daemon is gone at this moment."""


class Moment(str):
    """The name of a moment, and how many rows the journal has in it."""

    __slots__ = ("rows",)
    rows: int

    def __new__(cls, name: str, rows: int) -> Moment:
        made = super().__new__(cls, name)
        made.rows = rows
        return made


class Bench:
    """One scenario at one table. `moment` is called before each commit, after it, and before each command is sent.

    `begun` is the state that the table begins in, if not that of the scenario; `self_tests` say what devices find wrong
    with themselves, one after the other. `time` is what the clock shows, in seconds; `departments` are badges of other
    departments.
    """

    time = 0
    departments: Mapping[str, tuple[str, ...]] = {}

    def __init__(
        self,
        scenario: Scenario,
        kit: Kit,
        moment: Callable[[Moment], None] = lambda _name: None,
        begun: TableState | None = None,
        self_tests: Sequence[str] = (),
    ) -> None:
        self.scenario = scenario
        self.begun = begun
        self.moment = moment
        self.kit = kit
        self.journal = ListJournal()
        counts = scenario.setup.shuffler.counts
        self.devices = Devices(kit, scenario.setup.seats, counts=counts, whole=scenario.game.deck)
        self.devices.self_tests += self_tests
        self.core: Core | Stranded
        self.reasons: list[str] = []
        self._sought: int | None = None
        self.start(IDENTITY)

    def start(self, identity: Identity) -> None:
        """The daemon starts, for the first time or again."""
        self._sought = None
        floor = ("4711",)
        self.core = recover(self.journal, self.make(identity), lambda: self.time, identity, floor)
        if isinstance(self.core, Stranded):
            self.reasons.append(self.core.reason)
        self.commit()
        self.again()
        self.take(Input("", DaemonStarted("boot")))
        for name, link in links(self.kit).items():
            able = {
                Kind.SHOE: (
                    *((Capability.READS,) if self.kit.reads else ()),
                    *((Capability.DISPENSES,) if self.kit.dispenses else ()),
                    *((Capability.RESHUFFLES, Capability.COUNTS) if self.scenario.setup.continuous else ()),
                ),
                Kind.SHUFFLER: (Capability.COUNTS,) if self.scenario.setup.shuffler.counts else (),
                Kind.WAGER_SENSORS: (Capability.AMOUNTS,),
                Kind.CARD_READER: (Capability.SELF_TEST,),
                Kind.PROGRESSIVE: (Capability.METER,),
            }.get(link.kind, ())
            self.take(Input(name, LinkUp(Description(link.kind, "bench", name, "1", able)), f"boot {name}"))

    def make(self, identity: Identity) -> Callable[..., Core]:
        def make(state: TableState | None, saved: SavedPicture | None, sequence: int, now: Callable[[], int]) -> Core:
            picture = Picture(links(self.kit))
            if saved is not None:
                picture.load(saved)
            settings = Settings(
                "T1",
                confirm_ms=700,
                floorpersons=("4711",),
                dealers=RELIEFS,
                supervisors=("4701",),
                security=self.departments.get("security", ()),
                finance=self.departments.get("finance", ()),
            )
            scenario = self.scenario
            return Core(
                scenario.game,
                scenario.rules,
                scenario.setup,
                settings,
                picture,
                identity,
                state or self.begun or scenario.first_state(),
                sequence,
                now,
            )

        return make

    def take(self, given: Input) -> None:
        """Give one input, commit, and do what is wanted."""
        self.core.take(given)
        self.commit()

    def commit(self) -> None:
        self._pass("before the commit")
        self.journal.append(self.core.drain())
        self._pass("after the commit")
        if isinstance(self.core, Stranded) and self.core.successor is not None:
            self.core = self.core.successor
        self._look_up()
        while (wanted := self.core.wanted) is not None:
            row = entry(RowKind.INTENT, None, device=wanted.device, boot=wanted.boot, command=wanted.command)
            self.core.intended(self.journal.append([row]), wanted.boot)
            self._pass("before the act")
            self.again()
            self._pass("after the act")

    def _pass(self, name: str) -> None:
        self.moment(Moment(name, len(self.journal.kept)))

    def _look_up(self) -> None:
        """Give the past round that somebody asks for at the panel, once."""
        sought, self._sought = self._sought, self.core.sought
        if self._sought is not None and self._sought != sought:
            self.take(Input("", look_up(self.journal, self._sought)))

    def again(self) -> None:
        """Give the actuations that are under way to their devices."""
        for told in self.core.under_way:
            result = self.devices.command(told.id, told.device, told.command)
            if result is not None:
                self.deliver(Input(told.device, result, f"boot {told.device}"))

    def view(self) -> View:
        return View(self.core.prompt(), {name: told[1] for name, told in self.devices.told.items()})

    def step(self, robot: RobotDealer) -> bool:
        """One act of the robot's; False when it has nothing to do."""
        return self.do(robot.act(self.view()))

    def do(self, act: Act | None) -> bool:
        """That act, or wait for the timer; False when there is nothing to wait for."""
        if act is None:
            if not self.core.deadlines:
                return False
            self.deliver(Input("", TimerExpired(self.core.deadlines[0][0])), kept=False)
            return True
        for device, message in self.devices.act(act):
            self.deliver(Input(device, message, f"boot {device}", 1))
        return True

    def deliver(self, given: Input, *, kept: bool = True) -> None:
        """A device's message: `kept` by the device until it is committed, so a crash before that delivers it again."""
        rows = len(self.journal.kept)
        try:
            self.take(given)
        except Crash:
            committed = len(self.journal.kept) > rows
            self.start(IDENTITY)
            if kept and not committed:
                self.take(given)

    def play(self, on_step: Callable[[], None] = lambda: None) -> list[dict[str, Any]]:
        """All rounds of the scenario; their documents."""
        documents = []
        state = self.scenario.first_state()
        shoe, reliefs = ShoeCards(self.scenario), cycle(RELIEFS)
        for number, listed in enumerate(self.scenario.rounds, 1):
            script = shoe.left_for(listed, number)
            table = Table(self.scenario.game, self.scenario.rules, self.scenario.setup, state)
            fold, state = play_one(self.scenario, script, table)
            shoe.played(script, fold.events)
            chips, signs = list(self.devices.spots), signs_read(fold.events)
            relief = next(reliefs) if script.new_dealer else None
            robot = RobotDealer(self.scenario.game, script, fold.order, self.kit, chips, signs, relief)
            self.devices.spots.clear()
            self.devices.load = robot.shoe_load()
            self.devices.count *= self.core.state.ready  # a shoe that goes on is not loaded anew
            self.prepare(robot)
            for _ in range(2000):
                if self.core.state.round >= number:
                    break
                assert self.step(robot), f"stuck at {self.core.prompt()} {self.view().told}"
                on_step()
            documents.append(self.document(number, script.wagers))
        return documents

    def prepare(self, robot: RobotDealer) -> None:
        """Faults of the script that the equipment has by itself."""
        for incident in list(robot.incidents):
            if self.kit.dispenses and incident.kind == "shoe_jam" and incident.at.kind == "card":
                number = incident.at.number
                self.devices.jam = lambda out, number=number: out == number  # type: ignore[misc]
                robot.incidents.remove(incident)
            elif self.kit.shuffler is not None and incident.at.kind == "shuffle":
                faults = {"shuffler_jam": Fault.JAM, "shuffle_incomplete": Fault.INCOMPLETE}
                if incident.kind in faults:
                    self.devices.shuffle_faults.append(faults[incident.kind])
                    robot.incidents.remove(incident)
                elif incident.kind == "deck_count" and incident.count is not None:
                    self.devices.shuffle_counts.append(incident.count)
                    robot.incidents.remove(incident)

    def document(self, number: int, seats: Iterable[int]) -> dict[str, Any]:
        """That round's document, from the journal's event rows alone."""
        fold = RoundFold(self.scenario.game)
        inside = False
        for row in self.journal.rows(kinds=[RowKind.EVENT]):
            if inside or RoundOpened.__name__ in row.body:
                event = read_body(row, event=Event)["event"]
                inside = event.round == number if isinstance(event, RoundOpened) else inside
                fold.extend([event] * inside)
        return fold.document(seats)
