"""The emulated device that the driver on the bench is given.

A device on the table device link is emulated in a process of its own on a serial line, or in this one on USB; the
devices of the other shipped drivers in this one, by `conform_readers` and `conform_panels`.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeAlias

from tablectl.devices import Driver, Options
from tablectl.equipment import Kind
from tablectl.errors import ConfigurationError
from tablectl_drivers.hid.driver import HidButtonsDriver, XkeysDriver
from tablectl_drivers.link.driver import LinkDriver
from tablectl_drivers.linux_input.driver import LinuxInputDriver
from tablectl_drivers.osdp.driver import OsdpDriver
from tablectl_hil.conform_device import Emulated
from tablectl_hil.conform_panels import hid_buttons, input_panel, xkeys
from tablectl_hil.conform_readers import osdp, typing_reader
from tablectl_hil.control import Piece, emulators
from tablectl_hil.usb_backend import INTERRUPT, UsbInterface
from tablectl_hil.usb_link import PRODUCT, VENDOR, usb_equipment

__all__ = ["QUICK", "Emulated", "Over", "emulated"]

QUICK: Final[dict[str, str | int | bool]] = {"retry_ms": 20, "retry_max_ms": 50, "lost_after_ms": 2000}
"""Options that devices of the table device link are opened with here, so that nothing is waited for."""


class Over(StrEnum):
    """What the emulated table device link runs over."""

    SERIAL = "serial"
    BULK = "bulk"
    INTERRUPT = "interrupt"


_WHERE: Final = {
    Over.SERIAL: "emulated, on a serial line",
    Over.BULK: "emulated, on bulk endpoints of USB",
    Over.INTERRUPT: "emulated, on interrupt endpoints of USB, 8 bytes at a time",
}
_Family: TypeAlias = Callable[[Piece, Options], AbstractAsyncContextManager[Emulated]]


def _input_device(piece: Piece, options: Options) -> AbstractAsyncContextManager[Emulated]:
    return (input_panel if piece.kind is Kind.PANEL else typing_reader)(piece, options)


_FAMILIES: Final[dict[type[Driver], _Family]] = {
    OsdpDriver: osdp,
    XkeysDriver: xkeys,
    HidButtonsDriver: hid_buttons,
    LinuxInputDriver: _input_device,
}


def emulated(
    driver: type[Driver], piece: Piece, options: Options, over: Over | None = None
) -> AbstractAsyncContextManager[Emulated]:
    """Equipment for the driver's device of that kind and capabilities; `options` go before those that it needs itself.

    `ConfigurationError`, now or on entry, when no emulator of ours speaks the driver's protocol, or none can be what is
    wanted.
    """
    if issubclass(driver, LinkDriver):
        return _link(driver, piece, options, over or Over.SERIAL)
    if over is not None:
        raise ConfigurationError([f"--over {over}: this is for drivers of the table device link alone: leave it out"])
    for base, family in _FAMILIES.items():
        if issubclass(driver, base):
            return family(piece, options)
    served: tuple[type[Driver], ...] = (LinkDriver, *_FAMILIES)
    known = ", ".join(base.__name__ for base in served)
    raise ConfigurationError(
        [
            f"--emulate: no emulator of ours speaks the protocol of {driver.__name__}: expected a driver derived from"
            f" {known}; give --port, or check it in a test with a Bench of your own (drivers/README.md)"
        ]
    )


@contextlib.asynccontextmanager
async def _link(driver: type[Driver], piece: Piece, options: Options, over: Over) -> AsyncIterator[Emulated]:
    chosen: Options = {**QUICK, **options}
    try:
        driver.check(piece.id, piece.kind, "serial:somewhere", chosen)
    except ConfigurationError:
        chosen = options  # what is wrong is not ours, or a derived driver does not take ours
    if over is Over.SERIAL:
        with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
            async with emulators(Path(folder), []) as (equipment, _):
                yield Emulated(equipment, equipment.port(piece.id), chosen, _WHERE[over])
    else:
        interface = UsbInterface(transfer=INTERRUPT, packet=8) if over is Over.INTERRUPT else UsbInterface()
        async with usb_equipment(interface=interface) as usb:
            yield Emulated(usb, f"usb:{VENDOR:04x}:{PRODUCT:04x}", chosen, _WHERE[over])
