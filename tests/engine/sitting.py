"""One round at the bench, led by the robot dealer up to a moment at which a test does something of its own."""

from __future__ import annotations

from typing import Any

from tablectl import events as e
from tablectl.cards import card
from tablectl.engine.core import Core
from tablectl.engine.inputs import Input, TimerExpired
from tablectl.engine.scenario import Scenario
from tablectl.engine.script import play, play_one
from tablectl.equipment import CardLeft, CardScanned, KeyPressed, Message, WagerSpot
from tablectl.journal import RowKind
from tablectl.money import dollars
from tablectl.procedure.table import Table
from tablectl_hil.robot import Kit, RobotDealer
from tests.engine.bench import IDENTITY, Bench
from tests.engine.scenarios import fitting, without_deck


class Sitting:
    """The first round of a scenario at a table with that kit; what is done by hand goes to the core at once."""

    def __init__(self, scenario: Scenario, kit: Kit) -> None:
        self.scenario = scenario
        self.bench = Bench(scenario, fitting(scenario, kit))
        script = scenario.rounds[0]
        table = Table(scenario.game, scenario.rules, scenario.setup, scenario.first_state())
        self.robot = RobotDealer(scenario.game, script, play_one(scenario, script, table)[0].order, self.bench.kit)
        self.bench.devices.load = self.robot.shoe_load()
        self.bench.prepare(self.robot)

    @property
    def core(self) -> Core:
        assert isinstance(self.bench.core, Core)
        return self.bench.core

    @property
    def text(self) -> str:
        return self.core.prompt().text

    @property
    def lit(self) -> tuple[str, ...]:
        return self.core.prompt().lit

    def to(self, text: str) -> Sitting:
        """Let the robot deal until the panel's line begins so."""
        for _ in range(2000):
            if self.text.startswith(text):
                return self
            assert self.bench.step(self.robot), f"stuck at {self.core.prompt()}"
        raise AssertionError(f"it did not come to {text!r}: {self.text!r}")

    def finish(self) -> dict[str, Any]:
        """Let the robot deal to the end of the round; its document."""
        for _ in range(2000):
            if self.core.state.round >= 1:
                return without_deck(self.bench.document(1, self.scenario.rounds[0].wagers))
            assert self.bench.step(self.robot), f"stuck at {self.core.prompt()}"
        raise AssertionError(f"the round does not end: {self.text!r}")

    def expected(self) -> dict[str, Any]:
        """The same round by script."""
        return without_deck(play(self.scenario)["rounds"][0])

    def give(self, device: str, message: Message) -> None:
        """A message of a device."""
        self.bench.take(Input(device, message, f"boot {device}", 1))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.give("panel", KeyPressed(key))

    def put(self, seat: int, wager: str, amount: str) -> None:
        self.give("wagers", WagerSpot(seat, wager, True, dollars(amount)))

    def lift(self, seat: int, wager: str) -> None:
        self.give("wagers", WagerSpot(seat, wager, False, None))

    def take_card(self) -> None:
        """The next card leaves the shoe, and the robot has seen it leave."""
        message = self.bench.devices._card()
        assert isinstance(message, CardLeft)
        self.give("shoe", message)
        self.robot._out += 1

    def show(self, name: str) -> None:

        self.give("scanner", CardScanned(card(name)))

    @property
    def timers(self) -> list[int]:
        """How long each timer runs that is wanted, in milliseconds."""
        return [ms for _token, ms in self.core.deadlines]

    def wait(self, ms: int | None = None) -> None:
        """Let the timer run out that is wanted, or the one that runs so long."""
        token = next((token for token, runs in self.core.deadlines if ms in (None, runs)), None)
        assert token is not None, f"no such timer is wanted at {self.core.prompt()}: {self.core.deadlines}"
        self.bench.take(Input("", TimerExpired(token)))

    def restart(self) -> None:
        """The daemon is killed and starts again, with what the journal holds."""
        self.bench.start(IDENTITY)
        assert self.bench.reasons == []

    def noted(self) -> list[tuple[str, str | None, str | None]]:
        """Irregularities on the record: kind, position, clause."""
        return [
            (event.kind, None if event.position is None else str(event.position), event.cite)
            for event in self.bench.journal.events()
            if isinstance(event, e.IrregularityNoted)
        ]

    def interrupts(self) -> int:
        return sum(row.kind is RowKind.INTERRUPT for row in self.bench.journal.kept)

    def decided(self) -> list[tuple[int, str]]:
        return [(x.seat, x.verb) for x in self.bench.journal.events() if isinstance(x, e.SeatDecided)]
