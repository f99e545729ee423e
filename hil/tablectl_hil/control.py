"""Control of the emulators from another process: what a person does to the equipment, and what can be seen on it.

The channel is a Unix socket with one JSON object on each line. A request ``{"n": 7, "device": "panel", "act": "press",
"with": {"key": "bet"}}`` is answered by ``{"n": 7, "result": …}`` or ``{"n": 7, "error": "…"}``; ``{"n": 8, "add":
"shoe=shoe:reads"}`` and ``{"n": 9, "remove": "shoe"}`` bring devices and take them away. What can be seen is told to
everybody: ``{"notice": "shows", "device": "panel", "text": …}``; who connects is told first how things stand.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tablectl.equipment import Capability, Fault, Kind, SeatLight
from tablectl.errors import ConfigurationError, TablectlError

__all__ = ["ActFailed", "Equipment", "Notice", "Piece", "Shown", "connect", "emulators"]

SOCKET: Final = "control"
READY_S: Final = 20.0
STOP_S: Final = 5.0
_LINE: Final = 1 << 20


class ActFailed(TablectlError):
    """The emulators would not or could not do an act."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of equipment to emulate.

    `automatic`: a shuffle finishes and a stack is taken at once, without the acts `finish` and `take_stack`.
    """

    id: str
    kind: Kind
    capabilities: tuple[Capability, ...] = ()
    automatic: bool = False

    @property
    def serial(self) -> str:
        """The serial number that the emulated device gives."""
        return f"EMU-{self.id}"

    def __str__(self) -> str:
        """Its form on the command line: ``ID=KIND[:CAPABILITY+…][,automatic]``."""
        able = f":{'+'.join(self.capabilities)}" if self.capabilities else ""
        return f"{self.id}={self.kind}{able}{',automatic' if self.automatic else ''}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The piece that ``ID=KIND[:CAPABILITY+…][,automatic]`` names; `ConfigurationError` for anything else."""
        id, _, rest = text.partition("=")
        rest, comma, setting = rest.partition(",")
        kind, _, able = rest.partition(":")
        try:
            capabilities = tuple(Capability(name) for name in able.split("+") if name)
            if not id or "/" in id or id.startswith(".") or id == SOCKET or (comma and setting != "automatic"):
                raise ValueError(f"{text!r}")
            return cls(id, Kind(kind), capabilities, bool(comma))
        except ValueError as error:
            raise ConfigurationError(
                [f"--device {text}: {error}: expected ID=KIND[:CAPABILITY+…][,automatic], such as shoe=shoe:reads"]
            ) from None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that can be seen on the equipment.

    ``attached`` (`present`), ``shows`` (`command`, `text`, `lit`, `standing`, and `beeps` since it was made),
    ``told`` (`command`, `order`, and `count` of a stack) when an actuation begins that a hand has to end, and ``done``
    (`command`) when its result has been said; ``lights`` (`lights`, seat 1 first), ``meter`` (`display` in cents),
    ``win`` (`seats`).
    """

    device: str
    what: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a panel shows now."""

    command: int = 0
    text: str = ""
    lit: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    beeps: int = 0


@dataclass(slots=True)
class _Board:
    """The last notice of each kind and device, which is how things stand."""

    notices: dict[tuple[str, str], Notice] = field(default_factory=dict)

    def take(self, notice: Notice) -> None:
        self.notices[notice.device, notice.what] = notice
        if notice.what == "done":
            self.notices.pop((notice.device, "told"), None)


class Equipment:
    """A connection to running emulators; an asynchronous context manager."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._board = _Board()
        self._watchers: list[asyncio.Queue[Notice | None]] = []
        self._changed = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._over = False

    async def __aenter__(self) -> Self:
        """Connect."""
        reader, self._writer = await asyncio.open_unix_connection(self.directory / SOCKET, limit=_LINE)
        self._reader = asyncio.create_task(self._read(reader), name="emulators")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Disconnect; the emulators go on."""
        if self._reader is not None and self._writer is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
            self._writer.close()
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()

    def port(self, device: str) -> str:
        """The port of a device as it is written in a configuration."""
        return f"serial:{self.directory / device}"

    def showing(self, device: str) -> Shown:
        """What a panel shows now."""
        notice = self._board.notices.get((device, "shows"))
        if notice is None:
            return Shown()
        facts = notice.facts
        return Shown(facts["command"], facts["text"], tuple(facts["lit"]), tuple(facts["standing"]), facts["beeps"])

    def present(self, device: str) -> bool:
        """Whether a host has a session with the device."""
        notice = self._board.notices.get((device, "attached"))
        return notice is not None and bool(notice.facts["present"])

    def told(self, device: str) -> Mapping[str, Any] | None:
        """The actuation that the device has begun and not ended."""
        notice = self._board.notices.get((device, "told"))
        return None if notice is None else notice.facts

    def lights(self, device: str) -> tuple[SeatLight, ...]:
        """The seats' lights of a progressive system or extra-roll sensors, seat 1 first; empty before the first."""
        notice = self._board.notices.get((device, "lights"))
        return () if notice is None else tuple(SeatLight(light) for light in notice.facts["lights"])

    def won(self, device: str) -> tuple[int, ...]:
        """The seats whose win light is on, in the order of their wins."""
        notice = self._board.notices.get((device, "win"))
        return () if notice is None else tuple(notice.facts["seats"])

    async def notices(self) -> AsyncIterator[Notice]:
        """Everything that is seen from now on, after how things stand; it ends with the emulators."""
        queue: asyncio.Queue[Notice | None] = asyncio.Queue()
        for notice in self._board.notices.values():
            queue.put_nowait(notice)
        if self._over:
            queue.put_nowait(None)
        self._watchers.append(queue)
        try:
            while (seen := await queue.get()) is not None:
                yield seen
        finally:
            self._watchers.remove(queue)

    async def changed(self) -> None:
        """Wait for the next notice: ``while not …: await equipment.changed()`` waits until something is seen."""
        if self._over:
            raise ActFailed("the emulators have ended")
        await self._changed.wait()

    async def act(self, device: str, act: str, **arguments: object) -> Any:
        """Do something to a device; what comes of it. `ActFailed` when that cannot be done."""
        return await self._request({"device": device, "act": act, "with": arguments})

    async def add(self, piece: Piece) -> None:
        """Bring another device to the table."""
        await self._request({"add": str(piece)})

    async def remove(self, device: str) -> None:
        """Take a device away from the table, with its port."""
        await self._request({"remove": device})

    # The acts that a person at the table does most; the others go by their name through `act`.

    async def press(self, panel: str, key: str, *, bounces: int = 0) -> bool:
        """Press a key; whether the panel took it for a press (a dark panel takes none)."""
        return bool(await self.act(panel, "press", key=key, bounces=bounces))

    async def load(self, shoe: str, cards: Iterable[str]) -> None:
        """Put cards into a shoe, the first to leave first, ``^As`` lying face up."""
        await self.act(shoe, "load", cards=list(cards))

    async def take_card(self, shoe: str) -> str:
        """Draw a card by hand; its name."""
        return str(await self.act(shoe, "take_card"))

    async def take_stack(self, shoe: str) -> list[str]:
        """Take the stack that an automated shoe has dispensed; its cards, bottom to top."""
        return list(await self.act(shoe, "take_stack"))

    async def insert(self, shuffler: str, cards: Iterable[str]) -> None:
        """Put cards into a shuffler."""
        await self.act(shuffler, "insert", cards=list(cards))

    async def finish(self, shuffler: str) -> None:
        """Let the shuffle that is under way come to its end."""
        await self.act(shuffler, "finish")

    async def take(self, shuffler: str) -> list[str]:
        """Take the cards out of a shuffler, the first to be dealt first."""
        return list(await self.act(shuffler, "take"))

    async def put(self, sensors: str, seat: int, wager: str, amount: str) -> None:
        """Put chips (``"10.00"``) on a spot."""
        await self.act(sensors, "put", seat=seat, wager=wager, amount=amount)

    async def lift(self, sensors: str, seat: int, wager: str) -> None:
        """Take everything off a spot."""
        await self.act(sensors, "lift", seat=seat, wager=wager)

    async def lift_all(self, sensors: str) -> None:
        """Take everything off every spot."""
        await self.act(sensors, "lift_all")

    async def show(self, scanner: str, card: str) -> None:
        """Show a card to a scanner."""
        await self.act(scanner, "show", card=card)

    async def badge(self, reader: str, number: str) -> None:
        """Hold a badge to a credential reader."""
        await self.act(reader, "badge", number=number)

    async def fail_next(self, device: str, fault: Fault) -> None:
        """Let the device's next actuation end in a fault."""
        await self.act(device, "fail_next", fault=fault.value)

    async def clear(self, device: str) -> None:
        """Put right whatever is wrong with a device."""
        await self.act(device, "clear")

    async def unplug(self, device: str, *, for_ms: int = 0) -> None:
        """Pull a device's cable, for good (0) or for so long."""
        await self.act(device, "unplug", for_ms=for_ms)

    async def replug(self, device: str) -> None:
        """Put a device's cable back."""
        await self.act(device, "replug")

    async def power_cycle(self, device: str, *, kept: bool = True) -> None:
        """Take a device's power away and give it back, its memory `kept` or lost."""
        await self.act(device, "power_cycle", kept=kept)

    async def wire(self, device: str, direction: str = "out", **faults: int | bool) -> None:
        """Set the faults of one direction of a device's wire, ``out`` or ``in``; without any the wire is sound."""
        await self.act(device, "wire", direction=direction, **faults)

    async def _request(self, request: dict[str, Any]) -> Any:
        if self._writer is None or self._over:
            raise ActFailed(f"{request}: the emulators are not connected")
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(json.dumps({"n": number, **request}).encode() + b"\n")
            await self._writer.drain()
            return await answer
        finally:
            del self._answers[number]

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                self._take(json.loads(line))
        finally:
            self._over = True
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ActFailed("the emulators have ended"))
            for queue in self._watchers:
                queue.put_nowait(None)
            self._wake()

    def _take(self, data: dict[str, Any]) -> None:
        if "notice" in data:
            notice = Notice(data.pop("device"), data.pop("notice"), data)
            self._board.take(notice)
            for queue in self._watchers:
                queue.put_nowait(notice)
            self._wake()
            return
        answer = self._answers.get(data["n"])
        if answer is None or answer.done():
            return
        if "error" in data:
            answer.set_exception(ActFailed(data["error"]))
        else:
            answer.set_result(data["result"])

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def connect(directory: Path) -> Equipment:
    """A connection to the emulators that serve in `directory`, for ``async with``."""
    return Equipment(directory)


@contextlib.asynccontextmanager
async def emulators(
    directory: Path, pieces: Sequence[Piece], *, seed: int = 0
) -> AsyncIterator[tuple[Equipment, asyncio.subprocess.Process]]:
    """Run emulators of `pieces` in a process of their own and connect to them; the process ends with the block.

    The ports are files in `directory`, each by the id of its piece. `ActFailed` when the process does not start.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tablectl_hil.emulators",
        str(directory),
        "--until-eof",
        f"--seed={seed}",
        *(f"--device={piece}" for piece in pieces),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,  # an interrupt from the terminal is for whoever runs the emulators
    )
    try:
        if process.stdout is None or process.stdin is None:
            raise ActFailed("the emulators have no pipes")
        async with asyncio.timeout(READY_S):
            if not await process.stdout.readline():
                raise ActFailed(f"the emulators did not start: exit status {await process.wait()}, see above")
        async with connect(directory) as equipment:
            yield equipment, process
    finally:
        await _stop(process)


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End the process: politely by the end of its input, then by force."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
