"""Real devices of a table in a run: a person does what the robot would have done, and the journal shows that it was.

What a device says of an act is waited for; what no device says (cards that are put into a shoe, a cable that is pulled)
the person confirms with Enter.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from tablectl.engine.picture import Link
from tablectl.engine.prompts import Prompt
from tablectl.equipment import (
    Badge,
    CardLeft,
    CardScanned,
    CardUnreadable,
    KeyPressed,
    Kind,
    LinkLost,
    Message,
    SeatSensor,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    WagerSpot,
)
from tablectl.errors import TablectlError
from tablectl.money import show
from tablectl_hil.onlooker import Onlooker
from tablectl_hil.robot import FLOORPERSON, Act

__all__ = ["ByHand", "Person", "TableStuck", "Terminal", "can_be_done_by_hand"]

WAIT_S: Final = 60.0
_LOOK_S: Final = 0.05


class TableStuck(TablectlError):
    """The table did not go on: the daemon died, or waits for something that nobody does."""


class Person(Protocol):
    """Somebody at the table."""

    def tell(self, text: str) -> None:
        """Say what is to be done now."""

    async def confirm(self, text: str) -> None:
        """Say what is to be done now, and return when they say that it is; `TableStuck` when nobody can."""


class Terminal:
    """The person at this terminal: told on standard error, answering with Enter."""

    def tell(self, text: str) -> None:
        """Write a line."""
        sys.stderr.write(f">>> {text}\n")
        sys.stderr.flush()

    async def confirm(self, text: str) -> None:
        """Write a line, and wait for one."""
        self.tell(f"{text}; then press Enter")
        if not await _line(sys.stdin.fileno()):
            raise TableStuck(f"nobody is at the terminal to do this: {text}")


async def _line(fd: int) -> bytes:
    """What is typed next, empty when nothing can be; the event loop goes on meanwhile."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(fd, ready.set)
    except PermissionError:  # a file, which is no terminal
        return b""
    try:
        await ready.wait()
        return os.read(fd, 4096)
    finally:
        loop.remove_reader(fd)


class ByHand:
    """The real devices `kinds`, by id, and the person who serves them, with `wait_s` seconds for each step."""

    def __init__(self, kinds: Mapping[str, Kind], onlooker: Onlooker, person: Person, wait_s: float = WAIT_S) -> None:
        self.kinds = kinds
        self.wait_s = wait_s
        self._onlooker = onlooker
        self._person = person

    def look(self) -> None:
        """Take in how the table is now."""
        self._onlooker.look()

    @property
    def prompt(self) -> Prompt:
        """What the panel shows."""
        return self._onlooker.prompt

    def order(self, device: str) -> str | None:
        """The actuation that waits for a hand at this device."""
        return self._onlooker.order(device)

    def link(self, device: str) -> Link | None:
        """How the table sees the device."""
        return self._onlooker.link(device)

    def lost(self, device: str) -> str:
        """Why the device is not there, as its driver said last."""
        reasons = [said.reason for said in self._onlooker.said(device, 0) if isinstance(said, LinkLost)]
        return reasons[-1] if reasons else "it is not there"

    async def do(self, act: Act, cards_out: int, alive: Callable[[], bool]) -> None:
        """Have an act of the robot's done, and wait until the device has said so.

        Anything that was said after the last `look` counts, so that a quick hand is not overlooked.
        """
        text = _words(act, cards_out)
        if act.name == "collect":  # where no chip lies nothing is said
            await self._confirm(text)
            return
        self._person.tell(text)
        after = self._onlooker.seq
        told: set[Message] = set()

        def done() -> bool:
            if act.name == "clear":
                self.look()
                return _is_right(self.link(act.device))
            for message in self._onlooker.said(act.device, after):
                if _says(message, act):
                    return True
                if isinstance(message, _OF.get(act.name, ())) and message not in told:
                    told.add(message)
                    self._person.tell(f"that was something else ({message}); {text}")
            return False

        await self._until(done, text, alive)

    async def act(self, device: str, act: str, **arguments: Any) -> None:
        """Have something done that no device tells of: a fault that is wanted."""
        await self._confirm(_FAULTS[act].format_map({"device": device, "for_ms": 0, **arguments}))

    async def fill(self, device: str, cards: Sequence[str] | None) -> None:
        """Have cards put in: in this order into a shoe, another whole deck into a shuffler."""
        if cards is None:
            await self._confirm(f"take the cards that are in {device} out, and put a whole deck in")
        else:
            await self._confirm(f"load {device} in this order, the first to leave first (^ face up): {' '.join(cards)}")

    async def _confirm(self, text: str) -> None:
        try:
            async with asyncio.timeout(self.wait_s):
                await self._person.confirm(text)
        except TimeoutError:
            raise TableStuck(f"nobody did this within {self.wait_s:g} s: {text}") from None

    async def _until(self, done: Callable[[], bool], text: str, alive: Callable[[], bool]) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.wait_s):
                while not done():
                    if not alive():
                        raise TableStuck(f"the daemon does not run, and nobody can take note of this: {text}")
                    await asyncio.sleep(_LOOK_S)
                return
        self.look()
        raise TableStuck(f"nobody did this within {self.wait_s:g} s: {text}; the panel shows {self.prompt.text!r}")


_OF: Final[Mapping[str, tuple[type[Any], ...]]] = {
    "press": (KeyPressed,),
    "put": (WagerSpot,),
    "lift": (WagerSpot,),
    "place": (SeatSensor,),
    "show": (CardScanned, CardUnreadable),
}
"""Acts that can be done wrongly, and what the device then says."""

_FAULTS: Final = {
    "unplug": "unplug {device} (for {for_ms} ms; 0: leave it unplugged)",
    "replug": "plug {device} in again",
    "reenumerate": "unplug {device}, and plug it into another socket after {for_ms} ms",
    "swap": "exchange the cables of {device} and {other}",
    "power_cycle": "take the power from {device} and give it back (its memory kept: {kept})",
    "fail_now": "let {device} go into this fault: {fault}",
    "fail_next": "let what {device} does next end in this fault: {fault}",
    "jam_after": "let {device} jam when {cards} cards have left it",
    "miscount_next": "let the next count of {device} be wrong by {by}: put in or take out as many cards",
    "short_next": "let {cards} cards be missing from the next stack of {device}",
    "hold": "press {key} on {device} and stay on it",
    "release": "let go of {key} on {device}",
    "door": "open the door of {device} (open: {open})",
    "meddle": "open the housing of {device}",
    "clear": "put {device} right",
}


def can_be_done_by_hand(act: str) -> bool:
    """Whether a person can do to a real device what the act does to an emulated one."""
    return act in _FAULTS


def _words(act: Act, cards_out: int) -> str:
    """What the person has to do. `cards_out` is the number of the card that leaves with this act."""
    device, facts = act.device, act.facts
    match act.name:
        case "press":
            return f"press {facts['key'].replace('_', ' ').upper()} on {device}"
        case "take_card":
            return f"take card {cards_out} from {device}"
        case "take_stack":
            return f"take the stack from {device}"
        case "finish":
            return f"let {device} finish"
        case "put":
            return f"put {facts['amount']} on {facts['wager'].upper()} of seat {facts['seat']} ({device})"
        case "lift":
            return f"take everything off {facts['wager'].upper()} of seat {facts['seat']} ({device})"
        case "place":
            return f"put {facts['amount']} on the sensor of seat {facts['seat']} ({device})"
        case "collect":
            return f"take the chips off all sensors of {device}"
        case "badge":
            whose = "a floorperson's" if facts["number"] == FLOORPERSON else "a dealer's"
            return f"hold {whose} badge to {device}"
        case "show":
            return f"show {facts['card']} to {device}"
        case "clear":
            return f"put {device} right"
        case name:
            raise TableStuck(f"{device}: nobody can be told to {name}")


def _says(message: Message, act: Act) -> bool:
    """Whether that is what the device says of the act."""
    facts = act.facts
    match message:
        case KeyPressed(key):
            return act.name == "press" and key == facts["key"]
        case CardLeft():
            return act.name == "take_card"
        case StackTaken() | StackFailed():
            return act.name == "take_stack"
        case ShuffleFinished() | ShuffleFailed():
            return act.name == "finish"
        case WagerSpot(seat, wager, present, amount) if act.name in {"put", "lift"}:
            if (seat, wager, present) != (facts["seat"], facts["wager"], act.name == "put"):
                return False
            return act.name == "lift" or amount is None or show(amount) == facts["amount"]
        case SeatSensor(seat, placed):
            return act.name == "place" and placed and seat == facts["seat"]
        case Badge():
            return act.name == "badge"
        case CardScanned(card):
            return act.name == "show" and str(card) == facts["card"]
        case _:
            return False


def _is_right(link: Link | None) -> bool:
    """Whether nothing is wrong with the device any more, as far as it says."""
    return link is not None and bool(link.up) and link.state is not None and link.state.fault is None
