"""Emulated panels of bare contacts on the bench, which their drivers filter: X-keys, HID boxes, Linux input devices."""

from __future__ import annotations

import asyncio
import contextlib
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from typing import ClassVar, Final, TypeAlias

from tablectl.cards import RANKS, SUITS
from tablectl.devices import Options
from tablectl.equipment import Capability
from tablectl_drivers.linux_input.codes import KEYS, LAMPS
from tablectl_drivers.linux_input.files import FILES, Facts
from tablectl_drivers.usb.bus import BACKEND
from tablectl_hil.acts import act
from tablectl_hil.conform_device import Emulated, EmulatedDevice, InProcess, check_capabilities, refuse_key
from tablectl_hil.control import Piece, Shown
from tablectl_hil.input_box import EmulatedFiles, InputBox
from tablectl_hil.usb_backend import EmulatedBus
from tablectl_hil.usb_panels import ButtonBox, XkeysPanel

__all__ = ["BoxContacts", "Contacts", "InputContacts", "XkeysContacts", "hid_buttons", "input_panel", "xkeys"]

Place: TypeAlias = tuple[int, int]

NAMES: Final = ("bet", "fold", "next", "void", "early", "counts", "last", *(f"key_{number}" for number in range(10)))
"""Keys that the checks press."""
ABLE: Final = {
    Capability.DIGITS: (*(f"digit_{number}" for number in range(10)), "enter"),
    Capability.CARD_KEYS: (*(f"rank_{rank}" for rank in RANKS), *(f"suit_{suit}" for suit in SUITS)),
    Capability.RELEASES: (),
}
"""Keys that make a panel able to do something; it always tells of releases, as these drivers see them."""
_USB: Final = "USB checks, repeats and orders by itself, and tells when a device is gone"
_KERNEL: Final = "the kernel reads its line, hands over whole events in their order, and tells when it is gone"
_SPARE_S: Final = 0.02

# The filter of a HID panel goes by when a report is read, and a busy machine reads two of a bouncing contact late and
# apart: so its emulated fingers are quick, and its filter against bouncing slow.
HID: Final[Options] = {"press_ms": 0, "release_ms": 100, "stuck_ms": 1000, "retry_ms": 20, "retry_max_ms": 50}
INPUT: Final[Options] = {"stuck_ms": 1000, "retry_ms": 20, "retry_max_ms": 50}
_PRESS_MS: Final = 5
_RELEASE_MS: Final = 20


class Contacts(EmulatedDevice):
    """A panel of contacts and the finger that closes them, which takes as long as the driver's filter asks for."""

    def __init__(self, options: Options) -> None:
        press_s = int(options.get("press_ms", _PRESS_MS)) / 1000
        self._hold_s = press_s and press_s * 2 + _SPARE_S
        self._release_s = int(options.get("release_ms", _RELEASE_MS)) / 1000 * 1.5 + _SPARE_S
        self._up_at: dict[str, float] = {}
        self._worn_s = 0.0

    @abstractmethod
    def contact(self, key: str, closed: bool) -> None:
        """Close or open the contact of a key."""

    @act
    async def press(self, key: str, bounces: int = 0) -> None:
        """Press a key and let it go, with so many bounces of the contact at either end."""
        await self.hold(key, bounces)
        await asyncio.sleep(self._hold_s)
        if self._worn_s:
            self.contact(key, closed=False)
            await asyncio.sleep(self._worn_s)
            self.contact(key, closed=True)
            await asyncio.sleep(self._hold_s)
        self.release(key, bounces)

    @act
    async def hold(self, key: str, bounces: int = 0) -> None:
        """Press a key and stay on it."""
        loop = asyncio.get_running_loop()
        if (left := self._up_at.get(key, 0.0) + self._release_s - loop.time()) > 0:
            await asyncio.sleep(left)  # no finger is on it again before the key is up for good
        for closed in (True, *(False, True) * bounces):
            self.contact(key, closed)

    @act
    def release(self, key: str, bounces: int = 0) -> None:
        """Let a key come up."""
        for closed in (False, *(True, False) * bounces):
            self.contact(key, closed)
        self._up_at[key] = asyncio.get_running_loop().time()

    @act
    async def hold_for(self, key: str, ms: int) -> None:
        """Press a key for so long."""
        await self.hold(key)
        await asyncio.sleep(ms / 1000 + self._hold_s)
        self.release(key)

    @act
    def wear(self, ms: int) -> None:
        """Let contacts open for so long in the middle of a press: what is longer than the filter is a second press."""
        self._worn_s = ms / 1000

    @act
    def stuck_after(self, ms: int) -> None:
        """It is the driver that finds a key stuck, after ``stuck_ms``."""


class _UsbContacts(Contacts):
    cannot: ClassVar[Mapping[str, str]] = {"meddle": "it does not tell when its housing is opened", "wire": _USB}

    def __init__(self, options: Options, panel: XkeysPanel | ButtonBox) -> None:
        super().__init__(options)
        self._usb = panel
        self._babble: asyncio.TimerHandle | None = None

    def away(self) -> None:
        """See `EmulatedDevice`."""
        self.babble(0)
        self._usb.unplug()

    def present(self) -> bool:
        """Whether a host has it."""
        return bool(self._usb.usb.claimed)

    @act
    def unplug(self) -> None:
        """Pull its cable."""
        self._usb.unplug()

    @act
    def replug(self) -> None:
        """Put its cable back."""
        self._usb.plug()

    @act
    def deaf(self, on: bool) -> None:
        """Take no reports any more."""
        self._usb.usb.set(deaf=on)

    @act
    def babble(self, count: int, every_ms: int = 0) -> None:
        """Send reports that are cut off, as if all buttons were down in them; a count of 0 ends it."""
        if self._babble is not None:
            self._babble.cancel()
            self._babble = None
        if count:
            self._usb.usb.send(self.cut_off())
            if every_ms:
                again = asyncio.get_running_loop().call_later
                self._babble = again(every_ms / 1000, self.babble, count, every_ms)

    @abstractmethod
    def cut_off(self) -> bytes:
        """A report that is cut off."""


class XkeysContacts(_UsbContacts):
    """An XK-80."""

    def __init__(self, options: Options, places: Mapping[str, Place], bus: EmulatedBus, woken: InProcess) -> None:
        loop = asyncio.get_running_loop()

        def changed() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
                loop.call_soon_threadsafe(woken.look_again)

        self.panel = XkeysPanel(bus, product=0x0441, columns=10, rows=8, changed=changed)
        super().__init__(options, self.panel)
        self._places = places

    def contact(self, key: str, closed: bool) -> None:
        """See `Contacts`."""
        (self.panel.hold if closed else self.panel.release)(self._places[key])

    def showing(self) -> Shown:
        """The keys that are lit, and those that flash."""
        lamps = dict(self.panel.lamps)
        lit, standing = (
            tuple(key for key, place in self._places.items() if lamps.get(place) == state) for state in (1, 2)
        )
        return Shown(lit=lit, standing=standing)

    def cut_off(self) -> bytes:
        """See `_UsbContacts`."""
        return b"\0\0\xff\xff"


class BoxContacts(_UsbContacts):
    """A box of buttons whose report is described by the options of its driver."""

    def __init__(self, options: Options, places: Mapping[str, Place], bus: EmulatedBus) -> None:
        inverted = bool(options.get("inverted", False))
        self._id = int(options["report_id"]) if "report_id" in options else None
        self.box = ButtonBox(bus, report_id=self._id, size=6, resting=int(inverted))
        super().__init__(options, self.box)
        self._down = int(not inverted)
        self._places = places

    def contact(self, key: str, closed: bool) -> None:
        """See `Contacts`."""
        byte, bit = self._places[key]
        self.box.set(byte - (self._id is not None), bit, self._down if closed else 1 - self._down)

    def cut_off(self) -> bytes:
        """See `_UsbContacts`."""
        return (b"" if self._id is None else bytes((self._id,))) + bytes((0xFF * self._down,))


@contextlib.asynccontextmanager
async def _on_usb(
    piece: Piece,
    options: Options,
    port: str,
    keys: Mapping[str, Place],
    make: Callable[[Options, EmulatedBus, InProcess], EmulatedDevice],
) -> AsyncIterator[Emulated]:
    refuse_key(options, "keys", "the checks name the keys of an emulated panel")
    check_capabilities(piece, frozenset(ABLE))
    bus = EmulatedBus()
    token = BACKEND.set(bus)
    text = " ".join(f"{key}={a}.{b}" for key, (a, b) in keys.items())
    chosen: Options = {**HID, "keys": text, **options}
    try:
        yield Emulated(InProcess(port, lambda it: make(chosen, bus, it)), port, chosen, "emulated, on USB")
    finally:
        BACKEND.reset(token)


def xkeys(piece: Piece, options: Options) -> contextlib.AbstractAsyncContextManager[Emulated]:
    """A panel for the driver ``xkeys``."""
    places = {key: (number // 8 + 1, number % 8 + 1) for number, key in enumerate(_keys(piece))}
    return _on_usb(
        piece, options, "usb:05f3:0441", places, lambda chosen, bus, it: XkeysContacts(chosen, places, bus, it)
    )


def hid_buttons(piece: Piece, options: Options) -> contextlib.AbstractAsyncContextManager[Emulated]:
    """A box of buttons for the driver ``hid-buttons``, with the report that `options` describe."""
    first = int("report_id" in options)
    places = {key: (number // 8 + first, number % 8) for number, key in enumerate(_keys(piece))}
    return _on_usb(
        piece, options, "usb:1209:0b0c?serial=BOX1", places, lambda chosen, bus, _: BoxContacts(chosen, places, bus)
    )


def _keys(piece: Piece) -> tuple[str, ...]:
    return (*NAMES, *(key for able in piece.capabilities for key in ABLE.get(able, ())))


# Linux input ----------------------------------------------------------------------------------------------------------

_PLACE: Final = "by-id/it"
_CODES: Final = [
    *(KEYS[f"BTN_TRIGGER_HAPPY{number}"] for number in range(1, 41)),
    *(KEYS[f"KEY_F{number}"] for number in range(1, 25)),
]
_LAMPS: Final = {"bet": "LED_NUML", "fold": "LED_CAPSL", "next": "LED_SCROLLL"}
_FACTS: Final = Facts(
    "Emulated button box",
    "usb-1/input0",
    "KIT1",
    0x1209,
    0x0B0C,
    0x110,
    frozenset(_CODES),
    frozenset(LAMPS[lamp] for lamp in _LAMPS.values()),
)


class InputContacts(Contacts):
    """A box of buttons with a few lamps, as a Linux input device."""

    cannot: ClassVar[Mapping[str, str]] = {
        "meddle": "it does not tell when its housing is opened",
        "deaf": "the kernel takes what is sent to it",
        "wire": _KERNEL,
        "babble": _KERNEL,
    }

    def __init__(self, options: Options, files: EmulatedFiles, facts: Facts, codes: Mapping[str, int]) -> None:
        super().__init__(options)
        self.box = files.add(_PLACE, InputBox(facts))
        self._codes = codes

    def away(self) -> None:
        """See `EmulatedDevice`."""
        self.box.unplug()

    def contact(self, key: str, closed: bool) -> None:
        """See `Contacts`."""
        self.box.set(self._codes[key], closed)

    def showing(self) -> Shown:
        """The keys that are lit; a choice that stands is lit like the others."""
        return Shown(lit=tuple(key for key, lamp in _LAMPS.items() if self.box.lamps.get(LAMPS[lamp])))

    def present(self) -> bool:
        """Whether a host has it."""
        return self.box.file is not None

    @act
    def unplug(self) -> None:
        """Pull its cable."""
        self.box.unplug()

    @act
    def replug(self) -> None:
        """Put its cable back."""
        self.box.plug()


@contextlib.asynccontextmanager
async def input_panel(piece: Piece, options: Options) -> AsyncIterator[Emulated]:
    """A box of buttons for the driver ``linux-input``."""
    for key in ("keys", "lamps"):
        refuse_key(options, key, "the checks name the keys of an emulated panel")
    check_capabilities(piece, frozenset(ABLE))
    codes = dict(zip(_keys(piece), _CODES, strict=False))
    files = EmulatedFiles()
    token = FILES.set(files)
    facts = replace(_FACTS, uniq=str(options.get("serial", _FACTS.uniq)))
    chosen: Options = {
        **INPUT,
        "keys": " ".join(f"{key}={code}" for key, code in codes.items()),
        "lamps": " ".join(f"{key}={lamp}" for key, lamp in _LAMPS.items()),
        **options,
    }
    try:
        port = f"evdev:{_PLACE}"
        equipment = InProcess(port, lambda _: InputContacts(chosen, files, facts, codes))
        yield Emulated(equipment, port, chosen, "emulated, as a Linux input device")
    finally:
        FILES.reset(token)
