"""Emulated OSDP 2 credential readers in a process of their own, each line of them over a pty.

``python -m tablectl_hil.osdp_peripheral DIRECTORY --reader ID=LINE[:ADDRESS[:KEY]] …`` makes a pty for each line, links
it as ``DIRECTORY/LINE``, listens on the Unix socket ``DIRECTORY/control`` as the other emulators do
(`tablectl_hil.control`) and writes one line to its standard output when all of that is there. Readers of one line hear
each other's traffic and answer to their own address. KEY is the base key in hexadecimal; without it the reader has its
maker's key, and with ``-`` it has no secure channel.

The packets, their contents and the secure channel are the code that the driver is built from; what a reader does with
them is written here. What is *not* modelled: the speed of the line, parity and framing errors, transceivers that
collide or echo; multi-part messages, file transfer, biometrics, inputs, outputs, a display; change of address or speed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from tablectl.errors import ConfigurationError, TablectlError
from tablectl_drivers.osdp import contents as c
from tablectl_drivers.osdp.contents import Command, NakReason, Reply
from tablectl_drivers.osdp.packets import BROADCAST, MAC_BYTES, MARK, Decoder, Packet, SecurityBlock, encode
from tablectl_drivers.osdp.secure_channel import DEFAULT_KEY, KEY_BYTES, SecureChannel
from tablectl_hil.acts import CannotBeDone, act, acts_of, perform_act
from tablectl_hil.control import SOCKET
from tablectl_hil.line import Line, WireFaults

__all__ = ["Peripheral", "Place", "Wires", "main"]

_Mac: TypeAlias = Callable[[bytes], bytes]
_MOST_KEPT: Final = 64
_REQUEST: Final = 1 << 20


@dataclass(slots=True)
class Faults:
    """What goes wrong with a reader's next answers; each is counted down, except `silent` and `busy`, which stay."""

    corrupt: int = 0
    lose: int = 0
    duplicate: int = 0
    wrong_sequence: int = 0
    wrong_mac: int = 0
    replay: int = 0
    nak: int = 0
    silent: bool = False
    busy: bool = False


class Peripheral:
    """One reader, without I/O: commands in, answers out. `key` None: it has no secure channel."""

    def __init__(self, id: str, address: int, key: bytes | None, chance: random.Random) -> None:
        self.id = id
        self.address = address
        self.key = key
        self.faults = Faults()
        self.heard = 0
        self.shown: list[str] = []
        self.stutters = False
        self.serial = int.from_bytes(id.encode()[-4:].rjust(4, b"\0"), "big")
        self._chance = chance
        self._tamper = self._power_failed = self._head_missing = False
        self._sayings: deque[tuple[int, bytes]] = deque(maxlen=_MOST_KEPT)
        self._before = self._answer = b""
        self._sequence = 0
        self._secure = False
        self._channel: SecureChannel | None = None

    @property
    def secure(self) -> bool:
        """Whether a secured conversation is under way."""
        return self._secure

    @property
    def identity(self) -> c.Identity:
        """What it says that it is."""
        return c.Identity(b"\x00\x1a\x2b", 7, 1, self.serial, (1, 2, 3))

    def answer(self, packet: Packet) -> list[bytes]:
        """What it sends to a packet that is on the line."""
        if packet.reply or packet.address not in (self.address, BROADCAST) or self.faults.silent:
            return []
        self.heard += 1
        if self.faults.busy:
            return [encode(self.address, 0, Reply.BUSY, reply=True, crc=packet.crc)]
        if packet.sequence and packet.sequence == self._sequence and self._answer:
            return self._sent(self._answer)  # it did not arrive: the same again, and nothing is done twice
        if packet.sequence == 0:
            self._forget()
        elif packet.sequence != self._sequence % 3 + 1:
            return self._sent(self._nak(packet, NakReason.SEQUENCE))
        self._sequence = packet.sequence
        self._before, self._answer = self._answer, self._made(packet)
        return self._sent(self._answer)

    # What a person does to it

    @act
    def badge(self, bits: str = "", number: int = 0) -> None:
        """Hold a card to it: its bits, or 26 of them with this number and right parity."""
        held = bits or _wiegand26(number)
        padded = held.ljust(-(-len(held) // 8) * 8, "0")
        data = bytes((0, 1)) + len(held).to_bytes(2, "little") + int(padded, 2).to_bytes(len(padded) // 8, "big")
        self._sayings.append((Reply.RAW, data))

    @act
    def badge_text(self, text: str) -> None:
        """Hold a card to it that it makes characters of itself."""
        self._sayings.append((Reply.FMT, bytes((0, 0, len(text))) + text.encode("ascii")))

    @act
    def stutter(self) -> None:
        """Let it say the next card twice, as a reader does that a card is left on."""
        self.stutters = True

    @act
    def press(self, digits: str) -> None:
        """Press keys of its keypad."""
        self._sayings.append((Reply.KEYPAD, bytes((0, len(digits))) + digits.encode("ascii")))

    @act
    def tamper(self, open: bool, told: bool = True) -> None:
        """Open its case or close it; `told`: it says so by itself."""
        self._tamper = open
        if told:
            self._sayings.append((Reply.LSTATR, self._local()))

    @act
    def fail_power(self, failed: bool) -> None:
        """Let its power supply fail, while it goes on by its battery, or let it return."""
        self._power_failed = failed
        self._sayings.append((Reply.LSTATR, self._local()))

    @act
    def take_head(self, missing: bool) -> None:
        """Take the head away that belongs to it, or put it back."""
        self._head_missing = missing
        self._sayings.append((Reply.RSTATR, bytes((int(missing),))))

    @act
    def power_cycle(self) -> None:
        """Take the power away and give it back: it knows nothing of any conversation and of no card."""
        self._sayings.clear()
        self._before = b""
        self._forget()

    @act
    def lose_session(self) -> None:
        """Lose the session keys, and nothing else."""
        self._secure, self._channel = False, None

    @act
    def exchange(self, serial: int, key: str = "") -> None:
        """Put another reader of the same maker in its place: new, or with that base key (``-``: no secure channel)."""
        self.power_cycle()
        self.faults = Faults()
        self.heard = 0
        self.shown.clear()
        self._tamper = self._power_failed = self._head_missing = False
        self.serial = serial
        self.key = None if key == "-" else bytes.fromhex(key) if key else DEFAULT_KEY

    @act
    def fault(
        self,
        corrupt: int = 0,
        lose: int = 0,
        duplicate: int = 0,
        wrong_sequence: int = 0,
        wrong_mac: int = 0,
        replay: int = 0,
        nak: int = 0,
        silent: bool = False,
        busy: bool = False,
    ) -> None:
        """Set all its faults; see `Faults`."""
        self.faults = Faults(corrupt, lose, duplicate, wrong_sequence, wrong_mac, replay, nak, silent, busy)

    @act
    def status(self) -> dict[str, Any]:
        """How its end of the conversation is doing."""
        return {
            "heard": self.heard,
            "secure": self._secure,
            "waiting": len(self._sayings),
            "shown": self.shown,
            "own_key": self.key not in (None, DEFAULT_KEY),
        }

    # One answer -----------------------------------------------------------------------------------------------------

    def _made(self, packet: Packet) -> bytes:
        if self.faults.nak:
            self.faults.nak -= 1
            return self._nak(packet, NakReason.RECORD)
        block = packet.security
        if packet.code in (Command.CHLNG, Command.SCRYPT):
            return self._handshake(packet)
        if not self._secure:
            unsecured = packet.code in (Command.ID, Command.CAP) or self.key is None
            if block is not None or not unsecured:
                return self._nak(packet, NakReason.UNSECURED)
            return self._said(packet, *self._do(packet.code, packet.data))
        channel = self._channel
        if (
            channel is None
            or block is None
            or not block.proven
            or not channel.verify_command(packet.covered, packet.mac)
        ):
            self.lose_session()
            return self._nak(packet, NakReason.UNSECURED)
        data = channel.decrypt_command(packet.data) if packet.data else b""
        if data is None:
            self.lose_session()
            return self._nak(packet, NakReason.UNSECURED)
        return self._said(packet, *self._do(packet.code, data))

    def _do(self, code: int, data: bytes) -> tuple[int, bytes]:
        match code:
            case Command.POLL:
                said = self._sayings.popleft() if self._sayings else (Reply.ACK, b"")
                if self.stutters and said[0] == Reply.RAW:
                    self._sayings.appendleft(said)
                    self.stutters = False
                return said
            case Command.ID:
                return Reply.PDID, bytes(self.identity)
            case Command.CAP:
                able = {c.Function.LED: (1, 1), c.Function.BUZZER: (1, 1), c.Function.SECURE_CHANNEL: (1, 1)}
                return Reply.PDCAP, bytes(c.Capabilities({int(function): value for function, value in able.items()}))
            case Command.LSTAT:
                return Reply.LSTATR, self._local()
            case Command.RSTAT:
                return Reply.RSTATR, bytes((int(self._head_missing),))
            case Command.LED if len(data) == 14:
                self.shown.append({1: "red", 2: "green"}.get(data[5], "light"))
                return Reply.ACK, b""
            case Command.BUZ if len(data) == 5:
                self.shown.append("beep" * data[4])
                return Reply.ACK, b""
            case Command.KEYSET if len(data) == 2 + KEY_BYTES and data[:2] == bytes((1, KEY_BYTES)):
                self.key = data[2:]
                return Reply.ACK, b""
            case _:
                return Reply.NAK, bytes((NakReason.UNKNOWN_COMMAND,))

    def _handshake(self, packet: Packet) -> bytes:
        block, first = packet.security, packet.code == Command.CHLNG
        if self.key is None or block is None or block.type != (0x11 if first else 0x13):
            return self._nak(packet, NakReason.SECURITY_BLOCK)
        if len(packet.data) != (8 if first else KEY_BYTES):
            return self._nak(packet, NakReason.LENGTH)
        if first:
            default = block.data[:1] == b"\0"
            if default and self.key != DEFAULT_KEY:
                return self._nak(packet, NakReason.UNSECURED)
            own_random = self._chance.randbytes(8)
            self._secure = False
            self._channel = SecureChannel(DEFAULT_KEY if default else self.key, packet.data, own_random)
            data = bytes(self.identity)[:8] + own_random + self._channel.reader_cryptogram
            return self._plain(packet, Reply.CCRYPT, data, SecurityBlock(0x12, block.data))
        if self._channel is None or not self._channel.proves_panel(packet.data):
            return self._plain(packet, Reply.RMAC_I, bytes(16), SecurityBlock(0x14, b"\xff"))
        self._secure = True
        self._channel.begin(self._channel.first_code)
        return self._plain(packet, Reply.RMAC_I, self._channel.first_code, SecurityBlock(0x14, b"\x01"))

    def _said(self, packet: Packet, code: int, data: bytes) -> bytes:
        channel = self._channel
        if not self._secure or channel is None:
            return self._plain(packet, code, data, None)
        block = SecurityBlock(0x18 if data else 0x16)
        body = channel.encrypt_reply(data) if data else b""
        return self._reply(packet, code, body, block, channel.reply_code)

    def _nak(self, packet: Packet, reason: NakReason) -> bytes:
        return self._plain(packet, Reply.NAK, bytes((reason,)), None)

    def _plain(self, packet: Packet, code: int, data: bytes, block: SecurityBlock | None) -> bytes:
        return self._reply(packet, code, data, block, None)

    def _reply(self, packet: Packet, code: int, data: bytes, block: SecurityBlock | None, mac: _Mac | None) -> bytes:
        sequence = packet.sequence
        return encode(self.address, sequence, code, data, reply=True, crc=packet.crc, security=block, mac=mac)

    def _sent(self, answer: bytes) -> list[bytes]:
        """The answer as the faults leave it; the right one is kept for when it is asked for again."""
        faults = self.faults
        if faults.lose:
            faults.lose -= 1
            return []
        if faults.replay and self._before:
            faults.replay -= 1
            return [self._before, answer]
        if faults.corrupt:
            faults.corrupt -= 1
            damaged = bytearray(answer)
            damaged[self._chance.randrange(len(answer))] ^= 1 << self._chance.randrange(8)
            return [bytes(damaged)]
        if faults.wrong_sequence:
            faults.wrong_sequence -= 1
            return [_altered(answer, sequence=2)]
        if faults.wrong_mac:
            faults.wrong_mac -= 1
            return [_altered(answer, mac=bytes(MAC_BYTES))]
        if faults.duplicate:
            faults.duplicate -= 1
            return [answer, answer]
        return [answer]

    def _local(self) -> bytes:
        return bytes((int(self._tamper), int(self._power_failed)))

    def _forget(self) -> None:
        self._sequence = 0
        self._answer = b""
        self._secure = False
        self._channel = None


def _altered(answer: bytes, *, sequence: int = 0, mac: bytes | None = None) -> bytes:
    """The answer with so many added to its sequence number, or with another code of which its check value is right."""
    (it,) = Decoder().feed(answer)
    return encode(
        it.address,
        (it.sequence + sequence) % 4,
        it.code,
        it.data,
        reply=True,
        crc=it.crc,
        security=it.security,
        mac=lambda _: it.mac if mac is None else mac,
    )


@dataclass(frozen=True, slots=True)
class Place:
    """One reader of the command line: ``ID=LINE[:ADDRESS[:KEY]]``."""

    id: str
    line: str
    address: int
    key: bytes | None

    @classmethod
    def parse(cls, text: str) -> Place:
        """The reader that the text names; `ConfigurationError` for anything else."""
        found = re.fullmatch(r"(\w+)=(\w+)(?::(\d+)(?::(-|[0-9a-fA-F]{32}))?)?", text)
        if found is None or int(found[3] or 0) >= BROADCAST:
            raise ConfigurationError([f"--reader {text}: expected ID=LINE[:ADDRESS[:KEY]], such as reader=line:0"])
        key = DEFAULT_KEY if found[4] is None else None if found[4] == "-" else bytes.fromhex(found[4])
        return cls(found[1], found[2], int(found[3] or 0), key)


class Every:
    """Lets something happen to every so manieth thing, never to two in a row; 0: never."""

    def __init__(self, every: int = 0) -> None:
        self._every = every
        self._count = 0

    def due(self) -> bool:
        """Whether it happens to the next one."""
        self._count += 1
        return self._every > 0 and self._count % self._every == 0


@dataclass(slots=True)
class _Way:
    """What goes wrong with whole packets of one direction."""

    lose: Every
    corrupt: Every
    duplicate: Every

    def gone_through(self, packet: bytes, chance: random.Random) -> list[bytes]:
        """What arrives of it."""
        if self.lose.due():
            return []
        if self.corrupt.due():
            damaged = bytearray(packet)
            damaged[chance.randrange(len(packet))] ^= 1 << chance.randrange(8)
            packet = bytes(damaged)
        return [packet, packet] if self.duplicate.due() else [packet]


class Wires:
    """A line and the readers on it.

    What a reader says is lost when three exchanges in a row fail, as nothing keeps it then; so faults come at intervals
    here, and not by chance.
    """

    def __init__(self, link: Path, chance: random.Random) -> None:
        self.readers: list[Peripheral] = []
        self._chance = chance
        self._decoder = Decoder()
        self._line = Line(link, self._received, chance)
        self._ways = {direction: _Way(Every(), Every(), Every()) for direction in ("out", "in")}
        self._babble: asyncio.TimerHandle | None = None
        self._line.plug()

    def close(self) -> None:
        """Take it away."""
        self.babble(0)
        self._line.unplug()

    @act
    def unplug(self) -> None:
        """Pull the adapter out."""
        self._line.unplug()

    @act
    def replug(self) -> None:
        """Put the adapter back, under the same name."""
        self._line.plug()

    @act
    def deaf(self, on: bool) -> None:
        """Take no bytes from the line any more, or take them again."""
        self._line.deaf(on)

    @act
    def wire(
        self,
        direction: Literal["out", "in"],
        lose_every: int = 0,
        corrupt_every: int = 0,
        duplicate_every: int = 0,
        delay_ms: int = 0,
        merge_ms: int = 0,
        split: bool = False,
        silent: bool = False,
    ) -> None:
        """Set all faults of one direction: of every so manieth packet, and of all of them."""
        wire = self._line.out if direction == "out" else self._line.inward
        wire.faults = WireFaults(delay_ms=delay_ms, merge_ms=merge_ms, split=split, silent=silent)
        self._ways[direction] = _Way(Every(lose_every), Every(corrupt_every), Every(duplicate_every))

    @act
    def babble(self, count: int, every_ms: int = 0) -> None:
        """Put so many random bytes on the line, once or again and again; a count of 0 ends it."""
        if self._babble is not None:
            self._babble.cancel()
            self._babble = None
        if count:
            self._line.out.put_raw(self._chance.randbytes(count))
        if count and every_ms:
            again = asyncio.get_running_loop().call_later
            self._babble = again(every_ms / 1000, self.babble, count, every_ms)

    def _received(self, data: bytes) -> None:
        for packet in self._decoder.feed(data):
            self._heard(packet)

    def _heard(self, packet: Packet) -> None:
        way = self._ways["in"]
        if way.lose.due() or way.corrupt.due():  # a damaged request is one that no reader takes
            return
        for _ in range(2 if way.duplicate.due() else 1):
            for reader in self.readers:
                for answer in reader.answer(packet):
                    for arrived in self._ways["out"].gone_through(answer, self._chance):
                        self._line.out.put_raw(bytes((MARK,)) + arrived)


class _Served:
    """Everything of one process, and those who control it."""

    def __init__(self, directory: Path, places: Sequence[Place], seed: int) -> None:
        self._targets: dict[str, Peripheral | Wires] = {}
        for place in places:
            chance = random.Random(f"{seed}/{place.id}")
            if place.line not in self._targets:
                self._targets[place.line] = Wires(directory / place.line, chance)
            wires = self._targets[place.line]
            if not isinstance(wires, Wires) or place.id in self._targets:
                raise ConfigurationError([f"--reader {place.id}: the name is given twice"])
            reader = Peripheral(place.id, place.address, place.key, chance)
            wires.readers.append(reader)
            self._targets[place.id] = reader

    def close(self) -> None:
        """Take all lines away."""
        for target in self._targets.values():
            if isinstance(target, Wires):
                target.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection of the control socket until it ends."""
        try:
            while line := await reader.readline():
                writer.write(json.dumps(self._answer(json.loads(line))).encode() + b"\n")
                await writer.drain()
        finally:
            writer.close()

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            target = self._targets.get(request["device"])
            if target is None:
                raise CannotBeDone(f"there is no {request['device']!r}: expected {', '.join(self._targets)}")
            if request["act"] not in acts_of(target):
                raise CannotBeDone(f"there is no act {request['act']!r}: expected {', '.join(acts_of(target))}")
            return {"n": request["n"], "result": perform_act(target, request["act"], request.get("with", {}))}
        except TablectlError as error:
            return {"n": request["n"], "error": str(error)}


def _wiegand26(number: int) -> str:
    middle = f"{number:024b}"
    return f"{middle[:12].count('1') % 2}{middle}{1 - middle[12:].count('1') % 2}"


async def _serve(directory: Path, places: Sequence[Place], seed: int) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    loop.add_reader(0, lambda: None if os.read(0, 1024) else stop.set())
    served = _Served(directory, places, seed)
    path = directory / SOCKET
    try:
        server = await asyncio.start_unix_server(served.serve, path, limit=_REQUEST)
        sys.stdout.write(json.dumps({"ready": [place.id for place in places]}) + "\n")
        sys.stdout.flush()
        await stop.wait()
        server.close()
    finally:
        served.close()
        path.unlink(missing_ok=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop or until standard input ends; exit status 0, or 2 for unusable arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m tablectl_hil.osdp_peripheral", description="Emulated OSDP 2 credential readers."
    )
    parser.add_argument("directory", type=Path, help="where the lines and the control socket appear")
    parser.add_argument("--reader", action="append", default=[], metavar="ID=LINE[:ADDRESS[:KEY]]", help="one reader")
    parser.add_argument("--seed", type=int, default=0, help="of everything that is left to chance (default 0)")
    given = parser.parse_args(arguments)
    try:
        places = [Place.parse(text) for text in given.reader]
        given.directory.mkdir(parents=True, exist_ok=True)
        (given.directory / SOCKET).unlink(missing_ok=True)
        asyncio.run(_serve(given.directory, places, given.seed))
    except ConfigurationError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
