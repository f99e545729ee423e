"""The drivers ``xkeys`` and ``hid-buttons``: panels of buttons on USB.

Port: ``usb:VID:PID`` as `tablectl_drivers.usb.address` has it. Keys of both:

``keys`` (text)
    the buttons that are used, ``KEY=A.B`` for each: of an X-keys column and row from 1 (``bet=1.3``), of any other box
    byte and bit of its report from 0
``stuck_ms`` (1000 to 600000, 10000)
    a button that is down so long is stuck
``press_ms`` (0 to 100, 5) and ``release_ms`` (0 to 500, 20)
    a button must be down, and up, for so long to count: the filter against bouncing contacts
``retry_ms`` and ``retry_max_ms``
    first pause before the device is opened again, and longest; see `tablectl_drivers.driving`

Of ``hid-buttons`` alone:

``report_id`` (0 to 255)
    first byte of the reports that count; without it reports have no id and all count
``inverted`` (true or false)
    a bit is 0 when its button is down

Neither kind of panel shows a line of text: it does not say `Capability.TEXT`, and the text of a prompt is dropped. An
X-keys lights the buttons that count and lets those flash whose choice stands; its red lamp stands for the beep, until
the next prompt. It is dark while no driver has it. Such a panel keeps nothing: what is pressed while no driver has it
open has not been pressed.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Final

import structlog

from tablectl.cards import RANKS, SUITS
from tablectl.devices import Health, Options, Resume
from tablectl.equipment import (
    Capability,
    Command,
    Description,
    DeviceState,
    Fault,
    KeyPressed,
    KeyReleased,
    Kind,
    Lamp,
    Mode,
    ShowPrompt,
)
from tablectl.errors import CommandTimeout, ConfigurationError, DecodeError
from tablectl_drivers.buttons import Act, Buttons, Freed, Pressed, Released, Stuck
from tablectl_drivers.driving import RETRY_MS, in_range, retry_problems
from tablectl_drivers.hid import reports
from tablectl_drivers.hid.reports import MODELS, Box, Described, LampState, Levels, Place
from tablectl_drivers.memoryless import HeldDriver
from tablectl_drivers.usb import address as usb_address
from tablectl_drivers.usb.address import Address

__all__ = ["HidButtonsDriver", "XkeysDriver"]

_log = structlog.get_logger(__name__)

_NUMBERS: Final = {  # key: default, least, most
    "stuck_ms": (10_000, 1000, 600_000),
    "press_ms": (5, 0, 100),
    "release_ms": (20, 0, 500),
}
_GREETING_S: Final = 2.0
_ACCEPT_S: Final = 1.0
_DARK_S: Final = 0.2
_FLASH: Final = 30  # about half a second
_DIGITS: Final = frozenset({*(f"digit_{n}" for n in range(10)), "enter"})
_CARD_KEYS: Final = frozenset({*(f"rank_{rank}" for rank in RANKS), *(f"suit_{suit}" for suit in SUITS)})


class _Panel(HeldDriver):
    """What both have in common: one opened device after the other, its buttons filtered, its lamps set."""

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.PANEL})
    own: ClassVar[tuple[str, ...]] = ()

    def __init__(self, id: str, kind: Kind, port: str, options: Options, *, resume: Resume | None = None) -> None:
        super().__init__(id, kind, port, options, resume=resume)
        from tablectl_drivers.usb.bus import Role  # loads pyusb, which looking at a configuration can do without
        from tablectl_drivers.usb.port import UsbOpener, UsbPort

        numbers = {key: int(options.get(key, default)) / 1000 for key, (default, _, _) in _NUMBERS.items()}
        self._address = usb_address.parse(port)
        self._keys = self._places(self._address, options)
        self._buttons = Buttons(
            press_s=numbers["press_ms"], release_s=numbers["release_ms"], stuck_s=numbers["stuck_ms"]
        )
        self._opener = UsbOpener(self._address, Role.HID, report=self._asked())
        self._usb: UsbPort | None = None
        self._ended: asyncio.Future[str] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._bad = 0

    @classmethod
    def check(cls, id: str, kind: Kind, port: str, options: Options) -> None:
        """See `Driver`."""
        where = f"[devices.{id}]"
        problems = []
        if kind not in cls.kinds:
            problems.append(f"{where} kind: {kind} is not served by this driver: expected {Kind.PANEL}")
        try:
            address = usb_address.parse(port)
        except ValueError as error:
            problems.append(f"{where} port: {error}")
        else:
            try:
                cls._places(address, options)
            except LookupError as error:
                problems.append(f"{where} port: {error.args[0]}")
            except ValueError as error:
                problems.append(f"{where} keys: {error}")
        known = ("keys", *cls.own, *_NUMBERS, *RETRY_MS)
        for key, value in options.items():
            expected = _expected(key, value)
            if key not in known:
                problems.append(f"{where} {key}: unknown key: expected {', '.join(known)}")
            elif expected is not None:
                problems.append(f"{where} {key}: {value!r}: expected {expected}")
        problems += retry_problems(where, options)
        if problems:
            raise ConfigurationError(problems)

    @classmethod
    @abstractmethod
    def _places(cls, address: Address, options: Options) -> dict[str, Place]:
        """Where each key's button is; `ValueError` for `keys`, `LookupError` for a device that is not served."""

    @abstractmethod
    def _asked(self) -> int | None:
        """The id of the input report to ask for when the device is opened; None for none."""

    @abstractmethod
    def _begin(self, first: bytes | None) -> None:
        """The device has been opened; `first` is the answer to `_asked`."""

    @abstractmethod
    def _take(self, report: bytes, at: float) -> None:
        """A report came at that time; `DecodeError` when it cannot be one."""

    def health(self) -> Health:
        """See `Device`."""
        return dataclasses.replace(super().health(), bad_frames=self._bad)

    async def send(self, command: Command, command_id: int, *, boot: str | None = None) -> None:
        """See `Device`."""
        await super().send(command, command_id, boot=boot)
        if self._usb is None:
            return
        try:
            async with asyncio.timeout(_ACCEPT_S):
                await self._usb.drained()
        except OSError as error:  # TimeoutError is one
            what = f"{type(command).__name__} (command {command_id})"
            raise CommandTimeout(f"{what}: the panel did not take it: {error}", device=self.id) from error

    async def _stop(self) -> None:
        if self._usb is not None:
            self._darken()
            with contextlib.suppress(OSError):
                async with asyncio.timeout(_DARK_S):
                    await self._usb.drained()
        await super()._stop()

    def _perform(self, command: Command) -> str | None:
        if not isinstance(command, ShowPrompt):
            return f"a {self.kind} takes no {type(command).__name__}"
        lit = dict.fromkeys(command.lit, LampState.ON) | dict.fromkeys(command.standing, LampState.FLASHING)
        self._light({key: lit.get(key, LampState.OFF) for key in self._keys}, command.beep)
        return None

    def _light(self, lamps: Mapping[str, LampState], beep: bool) -> None:
        """Set the lamps; nothing where there are none."""

    def _darken(self) -> None:
        """Put out all lamps; nothing where there are none."""

    def _write(self, report: bytes) -> None:
        if self._usb is not None:
            self._usb.write(report)

    def _held(self, down: frozenset[Place], at: float, description: Description) -> None:
        """These buttons are down as the device begins: nobody has pressed them."""
        self._buttons.reset([key for key, place in self._keys.items() if place in down], at)
        self._came(description, self._device_state())
        self._schedule()

    def _levels(self, down: frozenset[Place], at: float) -> None:
        for key, place in self._keys.items():
            self._acted(self._buttons.level(key, place in down, at))
        self._schedule()

    def _device_state(self) -> DeviceState:
        stuck = Fault.STUCK if self._buttons.stuck else None
        return DeviceState(Mode.READY, Lamp.NONE, False, None, False, stuck)

    def _describe(self, model: str, serial: str, firmware: str) -> Description:
        able = [Capability.RELEASES]
        if self._keys.keys() >= _CARD_KEYS:
            able.append(Capability.CARD_KEYS)
        if self._keys.keys() >= _DIGITS:
            able.append(Capability.DIGITS)
        return Description(self.kind, model, serial, firmware, tuple(able))

    async def _hold(self) -> str:
        """Open the device and hold it; why it ended."""
        self._ended = asyncio.get_running_loop().create_future()
        self._usb = await self._opener.open(self._received, self._end)
        try:
            self._begin(self._usb.opened.first)
            return await self._ended
        finally:
            usb, self._usb = self._usb, None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            await usb.close()

    def _received(self, report: bytes, at: float) -> None:
        try:
            self._take(report, at)
        except DecodeError as error:
            self._bad += 1
            if self._bad == 1:
                _log.warning("hid_report_not_understood", device=self.id, reason=str(error), report=report.hex())

    def _end(self, reason: str) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(reason)

    def _acted(self, acts: list[Act]) -> None:
        for act in acts:
            match act:
                case Pressed(key):
                    self._say(KeyPressed(key))
                case Released(key):
                    self._say(KeyReleased(key))
                case Stuck(key):
                    _log.error("button_stuck", device=self.id, key=key)
                    self._say(self._device_state())
                case Freed(key):
                    _log.info("button_freed", device=self.id, key=key)
                    self._say(self._device_state())

    def _tick(self) -> None:
        self._timer = None
        self._acted(self._buttons.tick(asyncio.get_running_loop().time()))
        self._schedule()

    def _schedule(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._buttons.deadline()
        if due < float("inf"):
            self._timer = asyncio.get_running_loop().call_at(due, self._tick)


class XkeysDriver(_Panel):
    """An X-keys panel: XK-24, XK-60 or XK-80."""

    def __init__(self, id: str, kind: Kind, port: str, options: Options, *, resume: Resume | None = None) -> None:
        """See `Driver`."""
        super().__init__(id, kind, port, options, resume=resume)
        self._model = MODELS[self._address.product]
        self._described: Described | None = None
        self._greeting: asyncio.TimerHandle | None = None
        self._greeted = False
        self._lamps: dict[str, LampState] = {}
        self._beeping = False

    @classmethod
    def _places(cls, address: Address, options: Options) -> dict[str, Place]:
        model = MODELS.get(address.product) if address.vendor == reports.VENDOR else None
        if model is None:
            known = ", ".join(f"usb:{reports.VENDOR:04x}:{product:04x} ({it.name})" for product, it in MODELS.items())
            raise LookupError(f"{address.ids} is no X-keys that this driver knows: expected one of {known}")
        return reports.places(str(options.get("keys", "")), 1, model.columns, model.rows)

    def _asked(self) -> int | None:
        return None  # it is asked in its own way

    def _begin(self, first: bytes | None) -> None:
        self._described = None
        self._greeted = False
        self._lamps.clear()
        loop = asyncio.get_running_loop()
        self._greeting = loop.call_later(_GREETING_S, self._end, f"it has not answered for {_GREETING_S:g} s")
        for report in (reports.describe(), reports.generate()):
            self._write(report)

    async def _hold(self) -> str:
        try:
            return await super()._hold()
        finally:
            if self._greeting is not None:
                self._greeting.cancel()
                self._greeting = None

    def _take(self, report: bytes, at: float) -> None:
        match reports.decode(self._model, report):
            case Described() as described:
                self._described = described
            case Levels(_, True, down) if not self._greeted and self._described is not None:
                self._greet(self._described, down, at)
            case Levels(_, _, down) if self._greeted:
                self._levels(down, at)
            case _:
                pass  # before it has answered, or nothing of ours

    def _greet(self, described: Described, down: frozenset[Place], at: float) -> None:
        if self._greeting is not None:
            self._greeting.cancel()
        if MODELS.get(described.product) is not self._model:
            reason = f"it says that it is product {described.product:04x}, expected an {self._model.name}"
            self._refused(reason)
            self._end(reason)
            return
        self._greeted = True
        self._darken()
        self._write(reports.flash_interval(_FLASH))
        self._write(reports.indicator(reports.GREEN, LampState.ON))
        serial = None if self._usb is None else self._usb.opened.serial
        self._held(
            down, at, self._describe(self._model.name, serial or f"unit {described.unit}", str(described.version))
        )

    def _light(self, lamps: Mapping[str, LampState], beep: bool) -> None:
        for key, state in lamps.items():
            if self._lamps.get(key, LampState.OFF) is not state:
                self._lamps[key] = state
                self._write(reports.backlight(self._model, self._keys[key], state))
        if beep is not self._beeping:
            self._beeping = beep
            self._write(reports.indicator(reports.RED, LampState.ON if beep else LampState.OFF))

    def _darken(self) -> None:
        self._lamps.clear()
        self._beeping = False
        for report in reports.all_off():
            self._write(report)
        for lamp in (reports.GREEN, reports.RED):
            self._write(reports.indicator(lamp, LampState.OFF))


class HidButtonsDriver(_Panel):
    """Any box with buttons that says them as bits of a HID report; it has no lamps."""

    own: ClassVar[tuple[str, ...]] = ("report_id", "inverted")

    def __init__(self, id: str, kind: Kind, port: str, options: Options, *, resume: Resume | None = None) -> None:
        """See `Driver`."""
        super().__init__(id, kind, port, options, resume=resume)
        report_id = self._asked() if "report_id" in options else None
        self._box = Box(report_id, frozenset(self._keys.values()), bool(options.get("inverted", False)))

    @classmethod
    def _places(cls, address: Address, options: Options) -> dict[str, Place]:
        return reports.places(str(options.get("keys", "")), 0, 64, 8)

    def _asked(self) -> int | None:
        return int(self._options.get("report_id", 0))

    def _begin(self, first: bytes | None) -> None:
        down = None
        if first is not None:
            with contextlib.suppress(DecodeError):
                down = self._box.decode(first)
        serial = None if self._usb is None else self._usb.opened.serial
        description = self._describe(f"HID {self._address.ids}", serial or "", "")
        self._held(down or frozenset(), asyncio.get_running_loop().time(), description)

    def _take(self, report: bytes, at: float) -> None:
        down = self._box.decode(report)
        if down is not None:
            self._levels(down, at)


def _expected(key: str, value: str | int | bool) -> str | None:
    """What was expected of that key; None when the value will do."""
    if key in _NUMBERS:
        _, least, most = _NUMBERS[key]
        return None if in_range(value, least, most) else f"milliseconds from {least} to {most}"
    if key == "report_id":
        return None if in_range(value, 0, 255) else "a number from 0 to 255"
    if key == "inverted":
        return None if isinstance(value, bool) else "true or false"
    if key == "keys":
        return None if isinstance(value, str) else "text such as bet=1.3 fold=2.3"
    return None
