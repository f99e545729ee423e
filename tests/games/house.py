"""A poker table by script with a clock, a floorperson who orders, and people who say what a test wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tablectl import events as e
from tablectl.cards import seat
from tablectl.engine.drive import Drive, Interrupted
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import Script
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.jackpot_orders import jackpot_orders
from tablectl.procedure.jackpots import BAD_BEAT, Books, Jackpot, RoomState, jackpot_of, with_jackpot
from tablectl.procedure.opening import close_table
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table, TableState

FLOOR, SUPERVISOR, SECURITY, FINANCE, DEALER = "4711", "4701", "5001", "6001", "1001"
DROP = {"drop": "1.00", "minimum_pot": "5.00"}
STACKS = {"1": "50.00", "2": "50.00", "3": "50.00"}
CHECKED_DOWN = {"1": ["call", *["check"] * 3], "2": ["check"] * 4, "3": ["call", *["check"] * 3]}
QUADS_LOSE = "Kh 9c 2c Ks 9d 3h 3c 5h 7d 4d 6s 8h 2d 9s 9h Kd 2h Kc 4c 2s"
"""Omaha: seat 1 has four kings, seat 2 four nines, seat 3 two pairs; the pot is 6.00 if everybody checks."""
FULL_LOSES = "Kh 9c 2c Ks 9d 3h 3c 5h 7d 4d 6s 8h 2d 9s Qh Kd 2h Qc 4c 2s"
"""Seat 1 has kings full of queens, seat 2 nines full of queens, seat 3 nothing that counts."""
NOTHING = "Ah Kc 2c 8s Jd 3h 3c 5h 7d 4d 6s 8h 2d 9s 9h Qd 2h Tc 4c 2s"

FOLDED: dict[str, Any] = {"stacks": STACKS, "decisions": {"3": ["fold"], "1": ["fold"]}}


def quads_lose(cards: str = QUADS_LOSE, **more: Any) -> dict[str, Any]:
    return {"stacks": STACKS, "cards": cards, "decisions": CHECKED_DOWN, **more}


@dataclass
class House:
    """One table. `said` are results of acts by their class, instead of those of a script; `now` is the clock."""

    filed: dict[str, Any] = field(default_factory=dict)
    game: str = "omaha_high"
    table: dict[str, Any] = field(default_factory=dict)
    said: dict[type[Any], Any] = field(default_factory=dict)
    now: int = 1_000_000
    state: TableState | None = None
    events: list[e.Event] = field(default_factory=list)
    asked: list[acts.AnyInstruction] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.people: dict[type[Any], Any] = {
            acts.ValidateAward: acts.Validated(FLOOR),
            acts.VerifyBadBeat: acts.Confirmed(SUPERVISOR),
            acts.VerifyHighHand: acts.Confirmed(FLOOR),
            acts.CheckTime: acts.TimeChecked(FLOOR),
            acts.EmptyBox: acts.ContentsSent(FLOOR, SECURITY),
            acts.AdjustDisplay: acts.Agreed(FINANCE),
            acts.PayJackpot: acts.PaidOut("cage", FINANCE),
            acts.Attest: acts.Attested(DEALER),
            **self.said,
        }
        self.state = replace(self.scenario().first_state(), dealer=DEALER, day=1)

    def scenario(self, *rounds: dict[str, Any]) -> Scenario:
        """That table as a scenario of these rounds."""
        return parse({"game": self.game, "rules": self.filed, "table": self.table, "round": list(rounds)})

    @property
    def possible(self) -> tuple[str, ...]:
        """The orders of the jackpots that can be given now."""
        assert self.state is not None
        scenario = self.scenario()
        return jackpot_orders(Table(scenario.game, scenario.rules, scenario.setup, self.state))

    @property
    def room(self) -> RoomState:
        assert self.state is not None
        return self.state.room

    @property
    def bad_beat(self) -> Jackpot:
        return self.room.bad_beat

    @property
    def high_hand(self) -> Jackpot:
        return self.room.high_hand

    def holds(self, kind: str = BAD_BEAT, **amounts: int) -> House:
        """Begin with a fund and a display of so many cents."""
        assert self.state is not None
        fund = Money(amounts["fund"])
        books = Books().maintained(fund)
        jackpot = replace(jackpot_of(self.room, kind), books=books, display=Money(amounts.get("display", fund)))
        self.state = replace(self.state, room=with_jackpot(self.room, kind, jackpot))
        return self

    def play(self, document: dict[str, Any], *orders: acts.Order) -> list[e.Event]:
        """One round, before whose wagers these orders are given; its events."""
        assert self.state is not None
        scenario = self.scenario(document)
        state = replace(self.state, button=seat(3))  # so that the same decisions make the same round
        table = Table(scenario.game, scenario.rules, scenario.setup, state)
        script, waiting = Script(scenario, scenario.rounds[0], table), list(orders)

        def perform(step: int, act: acts.AnyInstruction) -> object:
            if isinstance(act, acts.CollectWagers) and waiting:
                return Interrupted(waiting.pop(0))
            return self.told(act) if type(act) in self.people or isinstance(act, acts.Now) else script(step, act)

        return self.run(play_round(table), table, perform)

    def order(self, kind: str, amount: int = 0) -> list[e.Event]:
        """An order, and a round in which everybody folds to the blind."""
        return self.play(FOLDED, acts.Order(kind, FLOOR, number=amount))

    def close(self) -> list[e.Event]:
        """The table is closed."""
        assert self.state is not None
        scenario = self.scenario()
        table = Table(scenario.game, scenario.rules, scenario.setup, self.state)
        return self.run(close_table(table, FLOOR), table, lambda _step, act: self.told(act))

    def run(self, procedure: Any, table: Table, perform: Any) -> list[e.Event]:
        made: list[e.Event] = []

        def record(step: int, instruction: acts.AnyInstruction, result: object, events: tuple[e.Event, ...]) -> None:
            self.asked.append(instruction)
            made.extend(events)

        drive = Drive(procedure, table.game.transitions, record)
        assert drive.advance(perform)
        assert drive.value is not None
        self.state = drive.value
        self.events += made
        return made

    def told(self, act: acts.AnyInstruction) -> object:
        if isinstance(act, acts.Now):
            return self.now
        result = self.people.get(type(act))
        return result(act) if callable(result) else result


def only(events: Sequence[e.Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def booked(events: Sequence[e.Event], jackpot: str = BAD_BEAT) -> list[tuple[str, int]]:
    """What was booked: reason and amount."""
    return [(event.reason, event.amount) for event in only(events, e.JackpotBooked) if event.jackpot == jackpot]
