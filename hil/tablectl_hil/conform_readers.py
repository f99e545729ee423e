"""Emulated credential readers on the bench: one that speaks OSDP, and one that types."""

from __future__ import annotations

import contextlib
import random
import secrets
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import ClassVar, Final

from tablectl.devices import Options
from tablectl_drivers.linux_input.codes import KEYS
from tablectl_drivers.linux_input.files import FILES, Facts
from tablectl_drivers.osdp.credential import Format
from tablectl_hil.acts import act
from tablectl_hil.conform_device import Emulated, EmulatedDevice, InProcess, check_capabilities, refuse_key
from tablectl_hil.control import Piece
from tablectl_hil.input_box import EmulatedFiles, InputBox
from tablectl_hil.osdp_peripheral import Peripheral, Wires

__all__ = ["OsdpReader", "TypingReader", "osdp", "typing_reader"]

OSDP: Final[Options] = {"poll_ms": 10, "reply_ms": 200, "lost_after_ms": 1500, "retry_ms": 10, "retry_max_ms": 30}
TYPING: Final[Options] = {"retry_ms": 20, "retry_max_ms": 50}
_ADDRESS: Final = 5
_SERIAL: Final = "c0ffee01"
_PLACE: Final = "by-id/it"
_FACTS: Final = Facts("Emulated badge reader", "usb-2/input0", "KIT1", 0x08FF, 0x0009, 1, frozenset(range(1, 100)))


class OsdpReader(EmulatedDevice):
    """A credential reader on a line of its own."""

    def __init__(self, link: Path, key: bytes | None, serial: int, format: Format) -> None:
        chance = random.Random(0)
        self.reader = Peripheral("it", _ADDRESS, key, chance)
        self.reader.serial = serial
        self.wires = Wires(link, chance)
        self.wires.readers.append(self.reader)
        self._format = format

    def away(self) -> None:
        """See `EmulatedDevice`."""
        self.wires.close()

    @act
    def badge(self, number: str) -> str:
        """Hold a card to it that has that number in the driver's format."""
        match self._format:
            case Format.WIEGAND26:
                self.reader.badge(number=int(number))
            case Format.WHOLE:
                self.reader.badge(bits=f"{int(number):034b}")
            case Format.HEX:
                self.reader.badge(bits=f"{int(number, 16):0{4 * len(number)}b}")
        return number

    @act
    def badge_unreadable(self) -> None:
        """Hold a card to it that has no number in any format."""
        self.reader.badge_text("x" * 65)

    @act
    def meddle(self) -> None:
        """Open its case."""
        self.reader.tamper(open=True)

    @act
    def clear(self) -> None:
        """Close its case."""
        self.reader.tamper(open=False)

    @act
    def unplug(self) -> None:
        """Pull the adapter of its line out."""
        self.wires.unplug()

    @act
    def replug(self) -> None:
        """Put the adapter back."""
        self.wires.replug()

    @act
    def deaf(self, on: bool) -> None:
        """Let the line take no bytes."""
        self.wires.deaf(on)

    @act
    def babble(self, count: int, every_ms: int = 0) -> None:
        """Put random bytes on the line, with pauses in which an answer gets through: it carries one thing at a time."""
        self.wires.babble(count // 10, every_ms * 10)

    @act
    def wire(
        self,
        direction: str,
        lose_percent: int = 0,
        corrupt_percent: int = 0,
        duplicate_percent: int = 0,
        delay_ms: int = 0,
        merge_ms: int = 0,
        split: bool = False,
        silent: bool = False,
    ) -> None:
        """Set the faults of one direction; see `Wires`, where they come at intervals."""
        lose, corrupt, duplicate = (
            100 // percent if percent else 0 for percent in (lose_percent, corrupt_percent, duplicate_percent)
        )
        self.wires.wire(
            "out" if direction == "out" else "in",
            lose_every=lose,
            corrupt_every=corrupt,
            duplicate_every=duplicate,
            delay_ms=delay_ms,
            merge_ms=merge_ms,
            split=split,
            silent=silent,
        )


@contextlib.asynccontextmanager
async def osdp(piece: Piece, options: Options) -> AsyncIterator[Emulated]:
    """A reader for the driver ``osdp``, with a secure channel unless `options` say otherwise."""
    refuse_key(options, "key_file", "the emulated reader has a key of its own")
    check_capabilities(piece, frozenset())
    key = secrets.token_bytes(16) if options.get("secure_channel", True) else None
    with tempfile.TemporaryDirectory(prefix="tablectl-") as name:
        folder = Path(name)
        needed: dict[str, str | int | bool] = {}
        if key is not None:
            file = folder / "key"
            file.touch(0o600)
            file.write_text(key.hex(), encoding="ascii")
            needed = {"key_file": str(file)}
        port = f"serial:{folder / 'line'}?baud=115200&address={_ADDRESS}"

        def make(_: InProcess) -> EmulatedDevice:
            serial = int(str(options.get("serial", _SERIAL)), 16)
            return OsdpReader(folder / "line", key, serial, Format(str(options.get("format", Format.WIEGAND26))))

        chosen: Options = {**OSDP, **needed, **options}
        yield Emulated(InProcess(port, make), port, chosen, "emulated, on a serial line", frozenset({"key_file"}))


class TypingReader(EmulatedDevice):
    """A badge reader that types, as a Linux input device."""

    cannot: ClassVar[Mapping[str, str]] = {
        "meddle": "it does not tell when its housing is opened",
        "deaf": "nothing is sent to it",
        "wire": "the kernel reads its line, hands over whole events in their order, and tells when it is gone",
        "babble": "the kernel reads its line, and hands over nothing but events",
    }

    def __init__(self, files: EmulatedFiles, facts: Facts, length: int) -> None:
        self.box = files.add(_PLACE, InputBox(facts))
        self.ends = True
        self._length = length

    def away(self) -> None:
        """See `EmulatedDevice`."""
        self.box.unplug()

    def present(self) -> bool:
        """Whether a host has it."""
        return self.box.file is not None

    @act
    def badge(self, number: str) -> str:
        """Hold a badge to it: its number is typed, with zeros before it where it is shorter than it has to be."""
        whole = number.rjust(self._length, "0")
        self._type([f"KEY_{digit}" for digit in whole])
        return whole

    @act
    def badge_unreadable(self) -> None:
        """Hold something to it of which it types what is no number."""
        self._type(["KEY_4", "KEY_DOT", "KEY_7"])

    @act
    def unplug(self) -> None:
        """Pull its cable."""
        self.box.unplug()

    @act
    def replug(self) -> None:
        """Put its cable back."""
        self.box.plug()

    def _type(self, names: list[str]) -> None:
        self.box.tap(*(KEYS[name] for name in names), *([KEYS["KEY_ENTER"]] if self.ends else []))


@contextlib.asynccontextmanager
async def typing_reader(piece: Piece, options: Options) -> AsyncIterator[Emulated]:
    """A badge reader for the driver ``linux-input``."""
    check_capabilities(piece, frozenset())
    files = EmulatedFiles()
    token = FILES.set(files)
    facts = Facts(
        _FACTS.name,
        _FACTS.phys,
        str(options.get("serial", _FACTS.uniq)),
        _FACTS.vendor,
        _FACTS.product,
        _FACTS.version,
        _FACTS.keys,
    )
    try:
        port = f"evdev:{_PLACE}"
        equipment = InProcess(port, lambda _: TypingReader(files, facts, int(options.get("length", 0))))
        yield Emulated(equipment, port, {**TYPING, **options}, "emulated, as a Linux input device")
    finally:
        FILES.reset(token)
