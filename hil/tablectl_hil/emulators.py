"""Emulated equipment in a process of its own, speaking the table device link over ptys.

``python -m tablectl_hil.emulators DIRECTORY --device shoe=shoe:reads --device panel=panel …`` makes a pty for each
device, links it as ``DIRECTORY/ID``, listens on the Unix socket ``DIRECTORY/control`` (see `tablectl_hil.control`) and
writes one line to its standard output when all of that is there. The device's end of the link is the same code that the
driver is built from; what lies behind it is in `tablectl_hil.mechanisms`.

What is *not* modelled: the speed of a serial line (a pty is as fast as the machine), its parity and framing errors,
modem lines, USB enumeration; how long motors take (a shuffle lasts until it is told to finish); a card's wear; which
deck a card is of, but for the colour of its back in a shuffler; a chip's denomination or colour, the amount on a seat's
sensor; the badge's owner; power that fails in the middle of an act other than a shuffle or a reading. Memory is kept
over a power cycle in the process and lost when the process ends.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import secrets
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from tablectl.equipment import Message
from tablectl.errors import ConfigurationError, TablectlError
from tablectl_drivers.link.device import DeviceSession
from tablectl_hil.acts import CannotBeDone, act, acts_of, perform_act
from tablectl_hil.control import SOCKET, Piece
from tablectl_hil.line import Line, WireFaults
from tablectl_hil.mechanisms import MECHANISMS, Mechanism

__all__ = ["Emulator", "Emulators", "main"]

_LINE = 1 << 20
_MOST_UNREAD = 1 << 20


class Emulator:
    """One emulated device: a mechanism, the device's end of its link, and its wire; also the mechanism's surroundings.

    Its own acts are those of the wire and of power; the mechanism has the others.
    """

    def __init__(
        self,
        piece: Piece,
        directory: Path,
        seed: int,
        noticed: Callable[[dict[str, Any]], None],
        others: Mapping[str, Emulator] = MappingProxyType({}),
    ) -> None:
        self.id = piece.id
        self._others = others
        self.chance = random.Random(f"{seed}/{piece.id}")
        self.automatic = piece.automatic
        self._loop = asyncio.get_running_loop()
        self._noticed = noticed
        self._timer: asyncio.TimerHandle | None = None
        mechanism = MECHANISMS[piece.kind]
        self._mechanism: Mechanism = mechanism(piece.serial, piece.capabilities, self)
        self._session = DeviceSession(self._mechanism, _new_boot())
        self._wire_chance = random.Random(f"{seed}/{piece.id}/wire")
        self._line = Line(directory / piece.id, self._received, self._wire_chance)
        self._babble: asyncio.TimerHandle | None = None
        self._closed = False
        self._line.plug()

    def close(self) -> None:
        """Take the device away."""
        self._closed = True
        self._line.unplug()
        for timer in (self._timer, self._babble):
            if timer is not None:
                timer.cancel()

    @property
    def cable(self) -> Line:
        """What it is plugged in with."""
        return self._line

    def do(self, name: str, arguments: dict[str, Any]) -> Any:
        """Do the act `name`; `CannotBeDone` says why not."""
        own = name in acts_of(self)
        if not own and name not in acts_of(self._mechanism):
            known = ", ".join(sorted([*acts_of(self), *acts_of(self._mechanism)]))
            raise CannotBeDone(f"{self.id}: there is no act {name!r}: expected {known}")
        try:
            return perform_act(self if own else self._mechanism, name, arguments)
        finally:
            self._flush()

    # Surroundings of the mechanism

    def say(self, message: Message) -> None:
        """Send a message to the host."""
        self._session.say(message, self.now())

    def notice(self, what: str, **facts: Any) -> None:
        """Tell whoever controls the emulators what can be seen."""
        self._noticed({"notice": what, "device": self.id, **facts})

    def now(self) -> float:
        """The clock of the loop."""
        return self._loop.time()

    def later(self, seconds: float, then: Callable[[], None]) -> None:
        """Call `then` after that time."""

        def call() -> None:
            if not self._closed:
                then()
                self._flush()

        self._loop.call_later(seconds, call)

    # Acts on the wire and on power

    @act
    def wire(
        self,
        direction: Literal["out", "in"],
        lose: int = 0,
        corrupt: int = 0,
        duplicate: int = 0,
        lose_percent: int = 0,
        corrupt_percent: int = 0,
        duplicate_percent: int = 0,
        delay_ms: int = 0,
        merge_ms: int = 0,
        split: bool = False,
        silent: bool = False,
    ) -> None:
        """Set all faults of one direction; see `WireFaults`."""
        wire = self._line.out if direction == "out" else self._line.inward
        wire.faults = WireFaults(
            lose,
            corrupt,
            duplicate,
            lose_percent,
            corrupt_percent,
            duplicate_percent,
            delay_ms,
            merge_ms,
            split,
            silent,
        )

    @act
    def babble(self, count: int, every_ms: int = 0) -> None:
        """Send so many random bytes, once or again and again; a count of 0 ends it."""
        if self._babble is not None:
            self._babble.cancel()
            self._babble = None
        if count:
            self._line.out.put_raw(self._wire_chance.randbytes(count))
        if count and every_ms:
            self._babble = self._loop.call_later(every_ms / 1000, self.babble, count, every_ms)

    @act
    def deaf(self, on: bool) -> None:
        """Take no bytes from the line any more, or take them again."""
        self._line.deaf(on)

    @act
    def unplug(self, for_ms: int = 0) -> None:
        """Pull the cable, for good (0) or for so long."""
        self._line.unplug()
        if for_ms:
            self.later(for_ms / 1000, self._line.plug)

    @act
    def unplug_within_a_frame(self, direction: Literal["out", "in"], for_ms: int = 0) -> None:
        """Pull the cable while the next frame of that direction is on its way: half of it has gone through."""
        wire = self._line.out if direction == "out" else self._line.inward
        wire.tear_next(lambda: self.unplug(for_ms))

    @act
    def replug(self) -> None:
        """Put the cable back."""
        self._line.plug()

    @act
    def reenumerate(self, for_ms: int = 0) -> None:
        """Pull the cable for so long: the system then gives the port another name, to which the stable one leads."""
        self._line.elsewhere()
        self._line.unplug()
        self.later(for_ms / 1000, self._line.plug)

    @act
    def swap(self, other: str) -> None:
        """Exchange its cable with that of another device: each answers where the other one is expected."""
        if other not in self._others or other == self.id:
            known = ", ".join(id for id in self._others if id != self.id) or "none"
            raise CannotBeDone(f"{self.id}: there is no other device {other!r}: expected {known}")
        self._line.swap(self._others[other].cable)

    @act
    def power_cycle(self, kept: bool) -> None:
        """Take the power away and give it back; without its memory the device has a new boot id."""
        self._session.power_cycle(None if kept else _new_boot())
        self._mechanism.power_cycle(kept)

    @act
    def status(self) -> dict[str, Any]:
        """How its end of the link is doing."""
        return {
            "boot": f"{self._session.boot:08x}",
            "present": self._session.present,
            "plugged": self._line.plugged,
            "port": self._line.port,
            "unacknowledged": self._session.unacknowledged,
            "retransmits": self._session.retransmits,
            "bad_frames": self._session.bad_frames,
        }

    def _received(self, data: bytes) -> None:
        self._session.receive(data, self.now())
        self._flush()

    def _tick(self) -> None:
        self._timer = None
        self._session.tick(self.now())
        self._flush()

    def _flush(self) -> None:
        for frame in self._session.outgoing():
            self._line.out.put(frame)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._session.deadline()
        if due < float("inf"):
            self._timer = self._loop.call_at(due, self._tick)


class Emulators:
    """All devices of one process and those who control them."""

    def __init__(self, directory: Path, pieces: Sequence[Piece], seed: int) -> None:
        self._writers: set[asyncio.StreamWriter] = set()
        self._board: dict[tuple[str, str], dict[str, Any]] = {}
        self._devices: dict[str, Emulator] = {}
        self._directory = directory
        self._seed = seed
        for piece in pieces:
            self.add(piece)

    def add(self, piece: Piece) -> None:
        """Bring a device to the table; `CannotBeDone` when there is no emulator of it or one by that id."""
        if piece.kind not in MECHANISMS:
            raise CannotBeDone(f"{piece}: no emulator of this kind: expected {', '.join(sorted(MECHANISMS))}")
        if piece.id in self._devices:
            raise CannotBeDone(f"{piece}: there is a device {piece.id} already")
        self._devices[piece.id] = Emulator(piece, self._directory, self._seed, self._notice, self._devices)

    def remove(self, id: str) -> None:
        """Take a device away from the table."""
        self._device(id).close()
        del self._devices[id]
        for key in [key for key in self._board if key[0] == id]:
            del self._board[key]

    def close(self) -> None:
        """Take all devices away."""
        for device in self._devices.values():
            device.close()
        for writer in self._writers:
            writer.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection of the control socket until it ends."""
        for notice in self._board.values():
            _write(writer, notice)
        self._writers.add(writer)
        try:
            while line := await reader.readline():
                _write(writer, self._answer(line))
                await writer.drain()
        except (ConnectionError, ValueError):
            pass  # gone, or a line without end
        finally:
            self._writers.discard(writer)
            writer.close()

    def _answer(self, line: bytes) -> dict[str, Any]:
        number = None
        try:
            request = json.loads(line)
            number = request["n"]
            return {"n": number, "result": self._carry_out(request)}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return {"n": number, "error": f"{type(error).__name__}: {error} in the request {line!r}"}
        except TablectlError as error:
            return {"n": number, "error": str(error)}

    def _carry_out(self, request: dict[str, Any]) -> Any:
        match request:
            case {"add": str(text)}:
                return self.add(Piece.parse(text))
            case {"remove": str(id)}:
                return self.remove(id)
            case _:
                return self._device(request["device"]).do(request["act"], request.get("with", {}))

    def _device(self, id: str) -> Emulator:
        device = self._devices.get(id)
        if device is None:
            raise CannotBeDone(f"there is no device {id!r}: expected {', '.join(self._devices) or 'none'}")
        return device

    def _notice(self, notice: dict[str, Any]) -> None:
        key = notice["device"], notice["notice"]
        self._board[key] = notice
        if notice["notice"] == "done":
            self._board.pop((notice["device"], "told"), None)
        for writer in tuple(self._writers):
            _write(writer, notice)


def _write(writer: asyncio.StreamWriter, data: dict[str, Any]) -> None:
    if writer.transport.get_write_buffer_size() > _MOST_UNREAD:
        writer.transport.abort()
    elif not writer.is_closing():
        writer.write(json.dumps(data).encode() + b"\n")


def _new_boot() -> int:
    return secrets.randbits(32)


async def _serve(directory: Path, pieces: Sequence[Piece], seed: int, until_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if until_eof:
        standard_input = sys.stdin.fileno()
        loop.add_reader(standard_input, lambda: None if os.read(standard_input, 1024) else stop.set())
    path = directory / SOCKET
    emulated = Emulators(directory, pieces, seed)
    try:
        server = await asyncio.start_unix_server(emulated.serve, path, limit=_LINE)
        async with contextlib.AsyncExitStack() as stack:
            stack.callback(path.unlink, missing_ok=True)
            stack.callback(server.close)
            sys.stdout.write(json.dumps({"ready": [piece.id for piece in pieces]}) + "\n")
            sys.stdout.flush()
            await stop.wait()
    finally:
        emulated.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; exit status 0, or 2 for arguments that cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m tablectl_hil.emulators", description="Emulated equipment that speaks the table device link."
    )
    parser.add_argument("directory", type=Path, help="where the ports and the control socket appear")
    parser.add_argument(
        "--device",
        action="append",
        default=[],
        metavar="ID=KIND[:CAPABILITY+…][,automatic]",
        help="one piece of equipment; may be given several times",
    )
    parser.add_argument("--seed", type=int, default=0, help="of everything that is left to chance (default 0)")
    parser.add_argument("--until-eof", action="store_true", help="stop at the end of standard input as well")
    given = parser.parse_args(arguments)
    try:
        pieces = [Piece.parse(text) for text in given.device]
        ids = [piece.id for piece in pieces]
        twice = [f"--device {piece}: the id is given twice" for piece in pieces if ids.count(piece.id) > 1]
        if twice:
            raise ConfigurationError(twice)
    except ConfigurationError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    given.directory.mkdir(parents=True, exist_ok=True)
    (given.directory / SOCKET).unlink(missing_ok=True)
    asyncio.run(_serve(given.directory, pieces, given.seed, given.until_eof))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
