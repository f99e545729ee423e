"""The conformance kit: what every driver and its device have to do, as checks that can be run against any of them.

A *check* is an asynchronous function with an id and a requirement in words. It is given a `Bench`, which opens the
driver and does what a hand does to the device, and it returns, or raises `Failed`, `NotApplicable` or `NotRun`. `run`
makes all checks of a kind. What all kinds have in common is in `conformance_contract`, what each kind
does beyond that in `conformance_kinds`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import itertools
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from tablectl.devices import Delivery, Device, Resume
from tablectl.equipment import (
    ANSWERS,
    Capability,
    Command,
    Description,
    DeviceState,
    DiceAge,
    KeyReleased,
    Kind,
    LinkUp,
    Message,
    Meter,
    MeterRules,
    SeatLight,
)
from tablectl.errors import CommandRefused, TablectlError
from tablectl_hil.control import Shown

__all__ = [
    "Bench",
    "Check",
    "CheckResult",
    "Failed",
    "NotApplicable",
    "NotRun",
    "Outcome",
    "Sights",
    "Watch",
    "answer",
    "begin",
    "check",
    "checks_for",
    "described",
    "perform",
    "refused",
    "require",
    "run",
    "run_check",
    "state_of",
    "up",
]

T = TypeVar("T")
DEADLINE_S = 10.0
CHECK_S = 60.0


class Outcome(StrEnum):
    """What came of a check."""

    PASS = "pass"  # noqa: S105 - a word, no password
    FAIL = "fail"
    NOT_APPLICABLE = "not_applicable"
    NOT_RUN = "not_run"


class Failed(Exception):
    """The requirement is not met; the text says what was expected and what was found."""


class NotApplicable(Exception):
    """The requirement does not concern this device, or what it is about cannot happen to it; the text says why."""


class NotRun(Exception):
    """The check could not be made: a hand, or an emulator, was needed and not there."""


class Watch:
    """One opened device and the stream of what it says, each thing with a deadline; `numbers` of all that was taken."""

    def __init__(self, device: Device, deadline_s: float = DEADLINE_S) -> None:
        self.device = device
        self.deadline_s = deadline_s
        self.numbers: list[int] = []
        self._events = device.events()

    async def next(self) -> Delivery:
        """The next delivery, not acknowledged."""
        async with asyncio.timeout(self.deadline_s):
            delivery = await anext(self._events)
        if delivery.number:
            self.numbers.append(delivery.number)
        return delivery

    async def take(self, count: int) -> list[Message]:
        """The next messages, each acknowledged."""
        messages = []
        for _ in range(count):
            delivery = await self.next()
            delivery.acknowledge()
            messages.append(delivery.message)
        return messages

    async def until(self, kind: type[T]) -> T:
        """The next message of that class; those before it are taken too."""
        while True:
            (message,) = await self.take(1)
            if isinstance(message, kind):
                return message

    async def up(self) -> Delivery:
        """Take all up to and with the device's own state that follows the next `LinkUp`; the delivery of that."""
        link_up = None
        while True:
            delivery = await self.next()
            delivery.acknowledge()
            if isinstance(delivery.message, LinkUp):
                link_up = delivery
            elif link_up is not None and delivery.number and isinstance(delivery.message, DeviceState):
                return link_up

    async def beside(self) -> Delivery:
        """The next delivery that is none of those that go with the state on connection, and no key that comes up."""
        while True:
            delivery = await self.next()
            if not accompanying(delivery.message):
                return delivery
            delivery.acknowledge()

    async def unacknowledged(self, count: int) -> list[Delivery]:
        """So many deliveries beside what goes with others; all that came before the first is acknowledged, no more."""
        found: list[Delivery] = []
        while len(found) < count:
            delivery = await self.next()
            if not accompanying(delivery.message):
                found.append(delivery)
            elif not found:
                delivery.acknowledge()
        return found


def accompanying(message: Message) -> bool:
    """Whether a message goes with the state on connection, or tells of a key that comes up, whenever that is."""
    by_itself = not getattr(message, "command", 0)
    return by_itself and isinstance(message, MeterRules | Meter | DiceAge | KeyReleased)


class Sights(Protocol):
    """What can be seen at an emulated device; `NotApplicable` where it has nothing to show."""

    def showing(self) -> Shown:
        """What a panel shows."""

    def lights(self) -> tuple[SeatLight, ...]:
        """The lights of the seats, seat 1 first."""

    def present(self) -> bool:
        """Whether a host has the device."""


class Bench(ABC):
    """One device on the bench, real or emulated, with its driver."""

    kind: Kind
    emulated = False
    """Whether faults of the line, and what a device does inside, can be arranged."""
    keeps = True
    """Whether the device keeps its messages until they are acknowledged; equipment of foreign protocols may not."""
    deadline_s = DEADLINE_S

    def __init__(self) -> None:
        self._ids = itertools.count((secrets.randbits(40) << 20) + 1)

    def new_id(self) -> int:
        """A command id that the device has not had."""
        return next(self._ids)

    @abstractmethod
    def open(self, resume: Resume | None = None) -> AbstractAsyncContextManager[Device]:
        """A driver for it."""

    async def unplug(self) -> None:
        """Take its line away."""
        await self.do("Pull the device's cable out.", "unplug")

    async def replug(self) -> None:
        """Bring its line back."""
        await self.do("Put the device's cable back.", "replug")

    async def do(self, words: str, act: str, **arguments: object) -> Any:
        """Have a hand do something to the device; what came of it, None where that cannot be told.

        `words` tell a person; `act` and `arguments` an emulator. `NotRun` when there is no hand, `NotApplicable` when
        it cannot be done to a device of this driver.
        """
        raise NotRun(f"a hand is needed: {words}")

    async def arrange(self, act: str, **arguments: object) -> Any:
        """Have something happen that only an emulator can; `NotRun` with a real device, `NotApplicable` as in `do`."""
        raise NotRun(f"only with an emulated device: {act}")

    async def nudge(self, act: str, **arguments: object) -> None:
        """Have an emulator go on where a real device does so by itself."""
        if self.emulated:
            await self.arrange(act, **arguments)

    async def look(self, words: str, seen: Callable[[Sights], bool]) -> bool:
        """Whether something can be seen at the device, at last: `words` ask a person, `seen` looks at an emulator."""
        raise NotRun(f"somebody has to look: {words}")


CheckFunction = Callable[[Bench], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement; `kinds` are those that it concerns, `needs` the capabilities, any of which makes it apply."""

    id: str
    requirement: str
    kinds: frozenset[Kind]
    needs: frozenset[Capability]
    without: frozenset[Capability]
    slow: bool
    function: CheckFunction

    def concerns(self, able: Iterable[Capability]) -> str | None:
        """Why it does not concern a device of these capabilities, or None."""
        able = frozenset(able)
        if self.needs and not self.needs & able:
            return f"the device has not the capability {' or '.join(sorted(self.needs))}"
        if self.without & able:
            return f"the device has the capability {', '.join(sorted(self.without & able))}"
        return None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one check, with the reason unless it passed."""

    id: str
    requirement: str
    outcome: Outcome
    reason: str
    seconds: float


_CHECKS: dict[str, Check] = {}
_PARTS = ("contract", "kinds", "cards", "wagers")


def check(
    id: str,
    requirement: str,
    *kinds: Kind,
    needs: Iterable[Capability] = (),
    without: Iterable[Capability] = (),
    slow: bool = False,
) -> Callable[[CheckFunction], CheckFunction]:
    """Make a function a check, of those kinds or of all; `slow` ones wait for time to pass."""

    def made(function: CheckFunction) -> CheckFunction:
        if id in _CHECKS:
            raise TypeError(f"two checks are called {id}")
        concerned = frozenset(kinds or Kind)
        _CHECKS[id] = Check(id, requirement, concerned, frozenset(needs), frozenset(without), slow, function)
        return function

    return made


def checks_for(kind: Kind) -> list[Check]:
    """All checks of a kind: first what all have in common."""
    for part in _PARTS:
        importlib.import_module(f"tablectl_hil.conformance_{part}")
    return [it for it in _CHECKS.values() if kind in it.kinds]


def require(condition: object, *what: object) -> None:
    """`Failed` unless `condition` holds; `what` says what was expected and what was found."""
    if not condition:
        raise Failed(" ".join(str(part) for part in what))


async def refused(watch: Watch, command: Command, command_id: int, why: str) -> None:
    """Require that the device refuses the command now."""
    try:
        await watch.device.send(command, command_id)
    except CommandRefused as error:
        require(watch.device.id in str(error), "a refusal has to name the device, found", error)
        return
    raise Failed(f"{type(command).__name__} has to be refused {why}, and was accepted")


async def begin(bench: Bench, watch: Watch, command: Command) -> int:
    """Give an actuation under a new id; that id."""
    command_id = bench.new_id()
    await watch.device.send(command, command_id)
    return command_id


async def answer(watch: Watch, command: Command, command_id: int, said: list[Message] | None = None) -> Message:
    """The answer to an actuation; what is said before it is taken, and put into `said`."""
    while True:
        (message,) = await watch.take(1)
        if isinstance(message, ANSWERS[type(command)]) and getattr(message, "command", None) == command_id:
            return message
        if said is not None:
            said.append(message)


async def perform(
    bench: Bench, watch: Watch, command: Command, *, nudge: str = "", said: list[Message] | None = None
) -> Message:
    """Give an actuation under a new id, `nudge` an emulator to its end, and take its one answer."""
    command_id = await begin(bench, watch, command)
    if nudge:
        await bench.nudge(nudge)
    return await answer(watch, command, command_id, said)


@contextlib.asynccontextmanager
async def up(bench: Bench, resume: Resume | None = None) -> AsyncIterator[Watch]:
    """The device, up, its state taken."""
    async with bench.open(resume) as device:
        watch = Watch(device, bench.deadline_s)
        await watch.up()
        yield watch


def state_of(message: Message) -> DeviceState:
    """The message as a state; `Failed` for another one."""
    if not isinstance(message, DeviceState):
        raise Failed(f"the state was expected, found {type(message).__name__}")
    return message


async def described(bench: Bench) -> Description:
    """What the device says of itself; `TimeoutError` when it does not come up."""
    async with bench.open() as device:
        await Watch(device, bench.deadline_s).up()
        assert device.description is not None
        return device.description


async def run_check(check: Check, bench: Bench, able: Iterable[Capability]) -> CheckResult:
    """Run one check against the bench."""
    begun = time.monotonic()
    outcome, reason = Outcome.PASS, ""
    beside = check.concerns(able)
    if beside is not None:
        outcome, reason = Outcome.NOT_APPLICABLE, beside
    else:
        try:
            async with asyncio.timeout(None if not bench.emulated else CHECK_S):
                await check.function(bench)
        except NotApplicable as error:
            outcome, reason = Outcome.NOT_APPLICABLE, str(error)
        except NotRun as error:
            outcome, reason = Outcome.NOT_RUN, str(error)
        except Failed as error:
            outcome, reason = Outcome.FAIL, str(error)
        except TimeoutError:
            outcome, reason = Outcome.FAIL, f"nothing came within {bench.deadline_s:g} s"
        except (TablectlError, OSError, ValueError, StopAsyncIteration) as error:
            outcome, reason = Outcome.FAIL, f"{type(error).__name__}: {error}"
    return CheckResult(check.id, check.requirement, outcome, reason, time.monotonic() - begun)


async def run(
    bench_of: Callable[[], AbstractAsyncContextManager[Bench]],
    kind: Kind,
    *,
    slow: bool = True,
    chosen: Callable[[Check], bool] = lambda check: True,
    told: Callable[[CheckResult], None] = lambda result: None,
) -> tuple[Description, list[CheckResult]]:
    """Run the `chosen` checks of a kind, each on a bench of its own; `told` hears of each result at once.

    `TimeoutError` when the device does not come up at all.
    """
    async with bench_of() as bench:
        description = await described(bench)
    results = []
    for one in checks_for(kind):
        if (one.slow and not slow) or not chosen(one):
            continue
        async with bench_of() as bench:
            result = await run_check(one, bench, description.capabilities)
        told(result)
        results.append(result)
    return description, results
