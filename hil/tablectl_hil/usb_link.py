"""Emulated equipment that speaks the table device link over emulated USB, in the process of whoever drives it.

The equipment and its acts are those of `tablectl_hil.emulators`; only the wire is another one. `UsbEquipment` stands in
the place of the connection to a process of emulators. What goes on a wire can be lost, damaged and held back as there;
what USB itself can do wrong is set on the `UsbDevice`.
"""

from __future__ import annotations

import contextlib
import json
import random
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final, Protocol

from tablectl_drivers.usb.bus import BACKEND
from tablectl_hil.acts import CannotBeDone
from tablectl_hil.control import ActFailed, Equipment, Piece
from tablectl_hil.emulators import Emulator
from tablectl_hil.line import Line
from tablectl_hil.usb_backend import EmulatedBus, UsbDevice, UsbInterface

__all__ = ["PRODUCT", "VENDOR", "Sockets", "UsbEmulator", "UsbEquipment", "UsbLine", "usb_equipment"]

VENDOR: Final = 0x1209  # the vendor of open projects, and its number for tests
PRODUCT: Final = 0x0001


class Sockets(Protocol):
    """Where devices are plugged in: `EmulatedBus`, or a bus of the real kernel's."""

    def plug(self, device: UsbDevice, port: str) -> None:
        """Put a device into a socket."""

    def unplug(self, device: UsbDevice) -> None:
        """Pull it out."""


class UsbLine(Line):
    """The emulated end of a USB device: in the place of a pty a `UsbDevice` that is plugged in or not."""

    def __init__(
        self,
        bus: Sockets,
        port: str,
        serial: str | None,
        received: Callable[[bytes], None],
        chance: random.Random,
        interface: UsbInterface,
    ) -> None:
        super().__init__(Path(port), received, chance)
        self.device = UsbDevice(VENDOR, PRODUCT, serial, self._taken, (interface,))
        self.socket = port
        self._bus = bus

    @property
    def plugged(self) -> bool:
        """Whether it is in a socket."""
        return self.device.port is not None

    def plug(self) -> None:
        """Put it into its socket."""
        if not self.plugged:
            self._bus.plug(self.device, self.socket)

    def unplug(self) -> None:
        """Pull it out; what is on its way is lost."""
        self.out.cut()
        self.inward.cut()
        self._bus.unplug(self.device)

    def deaf(self, deaf: bool) -> None:
        """Take no bytes from the bus, or take them again."""
        self.device.set(deaf=deaf)

    def _taken(self, _interface: int, data: bytes) -> None:
        self._loop.call_soon_threadsafe(self.inward.put, data)

    def _write(self, data: bytes) -> None:
        self.device.send(data)


class UsbEmulator(Emulator):
    """One emulated device on the emulated bus."""

    def __init__(
        self,
        piece: Piece,
        bus: Sockets,
        port: str,
        interface: UsbInterface,
        noticed: Callable[[dict[str, Any]], None],
    ) -> None:
        with tempfile.TemporaryDirectory() as folder:  # the pty that this device does not have
            super().__init__(piece, Path(folder), 0, noticed)
            self._line.unplug()
        serial = self._mechanism.description.serial
        self.usb = UsbLine(bus, port, serial, self._received, self._wire_chance, interface)
        self._line = self.usb
        self._line.plug()


class UsbEquipment(Equipment):
    """Equipment on an emulated bus, with the acts and notices of equipment in another process."""

    def __init__(self, bus: EmulatedBus, interface: UsbInterface) -> None:
        super().__init__(Path())
        self.bus = bus
        self.devices: dict[str, UsbEmulator] = {}
        self._interface = interface

    def port(self, device: str) -> str:
        """The port of a device as it is written in a configuration."""
        usb = self.devices[device].usb.device
        return f"usb:{usb.vendor:04x}:{usb.product:04x}{'' if usb.serial is None else f'?serial={usb.serial}'}"

    async def act(self, device: str, act: str, **arguments: object) -> Any:
        """Do something to a device; what comes of it. `ActFailed` when that cannot be done."""
        try:
            return self.devices[device].do(act, json.loads(json.dumps(arguments)))
        except CannotBeDone as error:
            raise ActFailed(str(error)) from error

    async def add(self, piece: Piece) -> None:
        """Bring another device to the table, in the next free socket."""
        port = f"1-{len(self.devices) + 1}"
        self.devices[piece.id] = UsbEmulator(piece, self.bus, port, self._interface, self._noticed)

    async def remove(self, device: str) -> None:
        """Take a device away from the table."""
        self.devices.pop(device).close()

    def _noticed(self, notice: dict[str, Any]) -> None:
        self._take(dict(notice))


@contextlib.asynccontextmanager
async def usb_equipment(*pieces: Piece, interface: UsbInterface | None = None) -> AsyncIterator[UsbEquipment]:
    """Emulated USB devices for the drivers that are made within the block, in this process."""
    bus = EmulatedBus()
    token = BACKEND.set(bus)
    equipment = UsbEquipment(bus, interface or UsbInterface())
    try:
        for piece in pieces:
            await equipment.add(piece)
        yield equipment
    finally:
        for id in tuple(equipment.devices):
            await equipment.remove(id)
        BACKEND.reset(token)
