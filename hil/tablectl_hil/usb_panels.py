"""Emulated button panels on the emulated USB bus: an X-keys, and a box with buttons that knows nothing but its report.

The reports are written here from the maker's documentation a second time, and share no code with the driver.

What is *not* modelled: the keyboard, mouse and joystick that an X-keys can also be, its second bank of backlights
other than being put out, its memory over a power cycle, and how bright anything is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from tablectl_hil.usb_backend import HID, INTERRUPT, UsbDevice, UsbInterface
from tablectl_hil.usb_link import Sockets

__all__ = ["ButtonBox", "XkeysPanel"]

_GREEN, _RED = 6, 7


class XkeysPanel:
    """An X-keys of so many columns and rows; `lamps` are its backlights (column, row) that are on (1) or flash (2).

    `changed` is called when something on it looks different, on whatever thread that happens. Backlights that are
    `stuck` stay as they are, whatever they are told.
    """

    def __init__(
        self,
        bus: Sockets,
        *,
        port: str = "1-1",
        product: int = 0x0405,
        columns: int = 4,
        rows: int = 6,
        serial: str | None = None,
        unit: int = 0,
        outward: bool = True,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        interface = UsbInterface(0, HID, INTERRUPT, 36, outward=outward, kernel_driver=True)
        self.usb = UsbDevice(0x05F3, product, serial, self._command, (interface,))
        self.product = product
        self.unit = unit
        self.mute = self.stuck = False
        self._changed = changed
        self._bus = bus
        self._port = port
        self._columns = bytearray(columns)
        self._rows = rows
        self._seen = threading.Condition()
        self.lamps: dict[tuple[int, int], int] = {}
        self.indicators = {_GREEN: 0, _RED: 0}
        self.interval = 0
        self.plug()

    def plug(self, port: str | None = None) -> None:
        """Put it into its socket, or another one."""
        self._bus.plug(self.usb, port or self._port)

    def unplug(self) -> None:
        """Pull it out: it has no power, so it is dark."""
        self._bus.unplug(self.usb)
        with self._seen:
            self.lamps.clear()
            self.indicators = {_GREEN: 0, _RED: 0}
            self._seen.notify_all()

    def hold(self, *places: tuple[int, int]) -> None:
        """Close the contacts of these buttons, all in one report."""
        for column, row in places:
            self._columns[column - 1] |= 1 << (row - 1)
        self._report(0)

    def release(self, *places: tuple[int, int]) -> None:
        """Open the contacts of these buttons."""
        for column, row in places:
            self._columns[column - 1] &= ~(1 << (row - 1)) & 0xFF
        self._report(0)

    def seen(self, seconds: float, **lamps: int) -> bool:
        """Wait until the lamps are exactly these (``c1r3=2``) and return True; False when that takes too long."""
        wanted = {(int(name[1 : name.index("r")]), int(name[name.index("r") + 1 :])): n for name, n in lamps.items()}
        with self._seen:
            return self._seen.wait_for(lambda: self.lamps == wanted, seconds)

    def indicated(self, seconds: float, *, green: int, red: int) -> bool:
        """Wait until the two indicators are like this and return True; False when that takes too long."""
        with self._seen:
            return self._seen.wait_for(lambda: self.indicators == {_GREEN: green, _RED: red}, seconds)

    def _report(self, data_type: int) -> None:
        stamp = b"\0\0\0\0"
        self.usb.send((bytes((self.unit, data_type)) + bytes(self._columns) + stamp).ljust(32, b"\0"))

    def _command(self, _interface: int, report: bytes) -> None:
        if self.mute:
            return
        command, first, second = report[0], report[1], report[2]
        with self._seen:
            if command == 177:
                self._report(2)
            elif command == 214:
                mode = 2
                head = bytes((self.unit, 214, mode, 0, 0, 35, 32, len(self._columns), self._rows, 0xC0, 17))
                self.usb.send((head + self.product.to_bytes(2, "little")).ljust(32, b"\0"))
            elif command == 179:
                self.indicators[first] = second
            elif command == 180:
                self.interval = first
            elif command == 181:
                self._lamp(first, second)
            elif command == 182 and first == 0:
                self.lamps = {} if second == 0 and not self.stuck else self.lamps
            self._seen.notify_all()
        self._changed()

    def _lamp(self, index: int, state: int) -> None:
        if self.stuck:
            return
        place = (index // 8 + 1, index % 8 + 1)
        if state:
            self.lamps[place] = state
        else:
            self.lamps.pop(place, None)


class ButtonBox:
    """A box that says its buttons as bits of one report, all of them `resting` at first.

    `asked` says whether it also tells them when it is asked.
    """

    def __init__(
        self,
        bus: Sockets,
        *,
        report_id: int | None = None,
        size: int = 4,
        serial: str | None = "BOX1",
        asked: bool = True,
        resting: int = 0,
    ) -> None:
        interface = UsbInterface(0, HID, INTERRUPT, 8, outward=False, kernel_driver=True)
        self.usb = UsbDevice(0x1209, 0x0B0C, serial, lambda _, data: None, (interface,), asked=self._asked)
        self._id = b"" if report_id is None else bytes((report_id,))
        self._bits = bytearray([0xFF * resting]) * size
        self._tells: Final = asked
        self._bus = bus
        self.plug()

    def plug(self) -> None:
        """Put it into its socket."""
        self._bus.plug(self.usb, "1-1")

    def unplug(self) -> None:
        """Pull it out."""
        self._bus.unplug(self.usb)

    def set(self, byte: int, bit: int, level: int) -> None:
        """Set one bit of the report (bytes count without the id) and send it."""
        self._bits[byte] = self._bits[byte] & ~(1 << bit) & 0xFF | level << bit
        self.usb.send(self._id + bytes(self._bits))

    def _asked(self, _interface: int) -> bytes | None:
        return self._id + bytes(self._bits) if self._tells else None
