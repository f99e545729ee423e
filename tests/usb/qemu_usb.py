"""Boots a virtual machine, lets the tests of `guest_usb` run in it, and pulls at its cables when they ask for it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from tablectl.equipment import Kind
from tablectl_hil.control import Piece
from tablectl_hil.emulators import Emulator
from tablectl_hil.line import Line
from tests.usb.machine import Machine, boot

WHOLE_S = 300.0


class SocketLine(Line):
    """A serial line that ends in a socket of QEMU's instead of a pty."""

    async def connect(self, path: Path) -> None:
        """Lay the line, for as long as the machine runs."""
        self._reader, self._writer = await asyncio.open_unix_connection(path)

    async def carry(self) -> None:
        """Carry what comes from the machine."""
        try:
            while data := await self._reader.read(4096):
                self.inward.put_raw(data)
        finally:
            self._writer.close()

    def _write(self, data: bytes) -> None:
        self._writer.write(data)

    def unplug(self) -> None:
        """Nothing is to be done at this end."""


class SocketEmulator(Emulator):
    """An emulated device at the far end of an emulated serial adapter."""

    def __init__(self, piece: Piece) -> None:
        with TemporaryDirectory() as folder:
            super().__init__(piece, Path(folder), 0, lambda notice: None)
            self._line.unplug()
        self.line = SocketLine(Path(piece.id), self._received, self._wire_chance)
        self._line = self.line


async def pull_cables(machine: Machine) -> None:
    """Do what the tests in the machine ask for, until it is switched off."""
    async for line in machine.lines():
        print(line)
        if line == "@unplug":
            await machine.unplug("adapter")
        elif line == "@plug":
            await machine.do("device_add", driver="usb-serial", bus="usb.0", id="adapter", chardev="line", serial="A1")


async def test_in_the_machine(tmp_path: Path) -> None:
    socket = tmp_path / "line"
    devices = [
        *("-device", "qemu-xhci,id=usb"),
        *("-chardev", f"socket,path={socket},server=on,wait=off,id=line"),
        *("-device", "usb-serial,bus=usb.0,id=adapter,chardev=line,serial=A1"),
    ]
    async with asyncio.timeout(WHOLE_S), boot(tmp_path, devices) as machine:
        emulator = SocketEmulator(Piece("shoe", Kind.SHOE))
        await emulator.line.connect(socket)
        carrying = asyncio.create_task(emulator.line.carry())
        try:
            await pull_cables(machine)
        finally:
            carrying.cancel()
            await asyncio.wait([carrying])
            emulator.close()
    assert "guest-exit 0" in machine.printed, "\n".join(machine.printed[-80:])
