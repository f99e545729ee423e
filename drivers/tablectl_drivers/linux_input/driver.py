"""The driver ``linux-input``: a box of buttons, or a badge reader that types, as a Linux input device.

Port: ``evdev:by-id/NAME`` or ``evdev:by-path/NAME``, names below ``/dev/input``; or ``evdev:?`` and attributes, joined
by ``&``, that one device alone must have: ``name``, ``phys``, ``uniq``, ``vendor`` and ``product`` (four hexadecimal
digits). Keys of both kinds:

``serial`` (text)
    what the device must give as its serial number (`uniq`), or ``VID:PID`` where it has none
``retry_ms`` and ``retry_max_ms``
    first pause before the device is opened again, and longest; see `tablectl_drivers.driving`

Of a ``panel``:

``keys`` (text)
    the buttons that are used, ``KEY=CODE`` for each: the panel's name of the key and the kernel's name or number of the
    button, such as ``bet=KEY_F1 fold=BTN_TRIGGER_HAPPY2``
``lamps`` (text)
    the lamps that there are, ``KEY=LAMP`` for each, such as ``bet=LED_NUML``
``stuck_ms`` (1000 to 600000, 10000)
    a button that is down so long is stuck
``press_ms`` (0 to 100, 5) and ``release_ms`` (0 to 500, 20)
    a button must be down, and up, for so long to count: the filter against bouncing contacts

Of a ``credential_reader``:

``length`` (0 to 64, 0)
    how many characters a badge's number has; 0: 1 to 64
``gap_ms`` (20 to 5000, 300)
    a pause of more than that between two keys spoils the number

Such a device keeps nothing: what is pressed while no driver has it open has not been pressed.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import errno
from typing import ClassVar, Final

import structlog

from tablectl.cards import RANKS, SUITS
from tablectl.devices import Health, Options, Resume
from tablectl.equipment import (
    Badge,
    BadgeUnreadable,
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
from tablectl.errors import ConfigurationError
from tablectl_drivers.buttons import Act, Buttons, Freed, Pressed, Released, Stuck
from tablectl_drivers.driving import RETRY_MS, InThread, WrongDevice, in_range, retry_problems
from tablectl_drivers.linux_input import codes, files
from tablectl_drivers.linux_input.files import InputFile
from tablectl_drivers.linux_input.frames import Decoder, Frame
from tablectl_drivers.linux_input.typist import Spoiled, Typed, Typist
from tablectl_drivers.memoryless import HeldDriver

__all__ = ["LinuxInputDriver"]

_log = structlog.get_logger(__name__)

OPEN_S: Final = 5.0
CLOSE_S: Final = 0.5
THREAD: Final = "input device"
_NUMBERS: Final = {  # key: default, least, most
    Kind.PANEL: {"stuck_ms": (10_000, 1000, 600_000), "press_ms": (5, 0, 100), "release_ms": (20, 0, 500)},
    Kind.CREDENTIAL_READER: {"length": (0, 0, 64), "gap_ms": (300, 20, 5000)},
}
_TEXTS: Final = {Kind.PANEL: ("keys", "lamps", "serial"), Kind.CREDENTIAL_READER: ("serial",)}
_DIGITS: Final = frozenset({*(f"digit_{n}" for n in range(10)), "enter"})
_CARD_KEYS: Final = frozenset({*(f"rank_{rank}" for rank in RANKS), *(f"suit_{suit}" for suit in SUITS)})


class LinuxInputDriver(HeldDriver):
    """One input device; ``drivers/LINUX_INPUT.md`` says what is supported."""

    kinds: ClassVar[frozenset[Kind]] = frozenset(_NUMBERS)

    def __init__(self, id: str, kind: Kind, port: str, options: Options, *, resume: Resume | None = None) -> None:
        """See `Driver`."""
        super().__init__(id, kind, port, options, resume=resume)
        numbers = {key: int(options.get(key, default)) for key, (default, _, _) in _NUMBERS[kind].items()}
        self._address = files.parse(port)
        self._keys = _named(str(options.get("keys", "")), codes.KEYS) if kind is Kind.PANEL else {}
        self._names = {number: key for key, number in self._keys.items()}
        self._lamps = _named(str(options.get("lamps", "")), codes.LAMPS)
        self._buttons = Buttons(
            press_s=numbers.get("press_ms", 0) / 1000,
            release_s=numbers.get("release_ms", 0) / 1000,
            stuck_s=numbers.get("stuck_ms", 0) / 1000,
        )
        self._typist = Typist(numbers.get("gap_ms", 0) / 1000, numbers.get("length", 0))
        self._files = files.FILES.get()
        self._file: InputFile | None = None
        self._decoder = Decoder()
        self._ended: asyncio.Future[str] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._attempt: InThread[InputFile] | None = None
        self._overruns = 0
        self._heard_at = 0.0

    @classmethod
    def check(cls, id: str, kind: Kind, port: str, options: Options) -> None:
        """See `Driver`."""
        where = f"[devices.{id}]"
        problems = []
        if kind not in cls.kinds:
            problems.append(
                f"{where} kind: {kind} is not served by this driver: expected {', '.join(sorted(cls.kinds))}"
            )
        try:
            files.parse(port)
        except ValueError as error:
            problems.append(f"{where} port: {error}")
        texts, numbers = _TEXTS.get(kind, ("serial",)), _NUMBERS.get(kind, {})
        known = (*texts, *numbers, *RETRY_MS)
        for key, value in options.items():
            if key not in known:
                problems.append(f"{where} {key}: unknown key: expected {', '.join(known)}")
            elif key in numbers and not in_range(value, *numbers[key][1:]):
                problems.append(
                    f"{where} {key}: {value!r}: expected a number from {numbers[key][1]} to {numbers[key][2]}"
                )
            elif key in texts and not (isinstance(value, str) and value):
                problems.append(f"{where} {key}: {value!r}: expected text")
        problems += retry_problems(where, options)
        if kind is Kind.PANEL:
            for key, names in (("keys", codes.KEYS), ("lamps", codes.LAMPS)):
                try:
                    found = _named(str(options.get(key, "")), names)
                except ValueError as error:
                    problems.append(f"{where} {key}: {error}")
                else:
                    if key == "keys" and not found:
                        problems.append(f"{where} keys: no buttons are named: expected text such as bet=KEY_F1")
        if problems:
            raise ConfigurationError(problems)

    def health(self) -> Health:
        """See `Device`; a bad frame is one before which the kernel had no room."""
        return dataclasses.replace(super().health(), bad_frames=self._overruns)

    async def _stop(self) -> None:
        self._light(frozenset())
        await super()._stop()

    def _perform(self, command: Command) -> str | None:
        if self.kind is not Kind.PANEL or not isinstance(command, ShowPrompt):
            return f"a {self.kind} takes no {type(command).__name__}"
        self._light(frozenset((*command.lit, *command.standing)))
        return None

    def _light(self, lit: frozenset[str]) -> None:
        if self._file is not None and self._lamps:
            try:
                self._file.light({lamp: key in lit for key, lamp in self._lamps.items()})
            except OSError as error:
                self._end(_reason(error))

    # One opened device after the other --------------------------------------------------------------------------------

    async def _hold(self) -> str:
        # An attempt that hangs is the only one: the next turn waits for it.
        attempt = self._attempt = self._attempt or InThread(self._open, lambda late: late.close(), THREAD)
        try:
            file = await attempt.result(OPEN_S)
        except TimeoutError:
            raise
        except asyncio.CancelledError:
            attempt.abandon()
            raise
        except OSError:
            self._attempt = None
            raise
        self._attempt = None
        return await self._hear(file)

    def _why(self, error: OSError) -> str:
        return super()._why(error) if isinstance(error, TimeoutError | WrongDevice) else _reason(error)

    def _open(self) -> InputFile:
        """Find and open the device, in a thread; only the configured one comes back."""
        file = self._files.open(self._files.find(self._address))
        try:
            serial, facts = self._options.get("serial"), file.facts
            lacking = [key for key, number in self._keys.items() if number not in facts.keys]
            lacking += [key for key, number in self._lamps.items() if number not in facts.lamps]
            if not self._address.fits(facts):
                raise WrongDevice(0, f"{facts.name!r} ({facts.ids}) is in its place")
            if serial is not None and serial != _serial(facts):
                raise WrongDevice(
                    0, f"serial number {_serial(facts)} ({facts.name}) is in its place, expected {serial}"
                )
            if lacking:
                raise WrongDevice(0, f"{facts.name!r} ({facts.ids}) has no button or lamp for {', '.join(lacking)}")
        except BaseException:
            file.close()
            raise
        return file

    async def _hear(self, file: InputFile) -> str:
        """Hear the device until it ends; why it did."""
        loop = asyncio.get_running_loop()
        self._ended = loop.create_future()
        self._file = file
        self._decoder = Decoder()
        try:
            down = file.down()
            self._typist.forget()
            self._heard_at = loop.time()
            self._buttons.reset([self._names[code] for code in down if code in self._names], self._heard_at)
            loop.add_reader(file.fileno(), self._read)
            facts = file.facts
            firmware = f"{facts.version:x}"
            description = Description(self.kind, facts.name, _serial(facts), firmware, self._capabilities())
            self._came(description, self._device_state())
            self._schedule()
            return await self._ended
        finally:
            self._file = None
            loop.remove_reader(file.fileno())
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            with contextlib.suppress(TimeoutError, OSError):
                await InThread(file.close, lambda _: None, THREAD).result(CLOSE_S)

    def _end(self, reason: str) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(reason)

    def _read(self) -> None:
        if self._file is None or self._ended is None or self._ended.done():
            return
        try:
            data = self._file.read()
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            asyncio.get_running_loop().remove_reader(self._file.fileno())
            self._end(_reason(error))
            return
        try:
            for frame in self._decoder.feed(data):
                self._take(frame, self._file)
            self._schedule()
        except Exception as error:  # noqa: BLE001 - raised again by `_hear`
            if not self._ended.done():
                self._ended.set_exception(error)

    # What it says -----------------------------------------------------------------------------------------------------

    def _take(self, frame: Frame, file: InputFile) -> None:
        now = asyncio.get_running_loop().time()
        if frame.overrun:
            self._overruns += 1
            self._typist.forget()
            self._fault(Fault.PROTOCOL, "the kernel had no room for its events: some are lost")
            down = file.down()
            self._heard_at = now
            for code in self._names:
                self._level(code, code in down, now)
            return
        # When it happened, not when it was read; but the filter's clock must not run back.
        at = self._heard_at = min(max(frame.at, self._heard_at), now)
        for change in frame.changes:
            if self.kind is Kind.PANEL:
                self._level(change.code, change.down, at)
            elif change.down:
                self._told(self._typist.down(change.code, at))

    def _level(self, code: int, down: bool, at: float) -> None:
        key = self._names.get(code)
        if key is not None:
            self._acted(self._buttons.level(key, down, at))

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

    def _told(self, said: list[Typed | Spoiled]) -> None:
        for it in said:
            match it:
                case Typed(number):
                    self._say(Badge(number))
                case Spoiled(reason):
                    self._last_error = reason
                    _log.warning("credential_unreadable", device=self.id, reason=reason)
                    self._say(BadgeUnreadable())

    def _tick(self) -> None:
        self._timer = None
        now = self._heard_at = asyncio.get_running_loop().time()
        self._acted(self._buttons.tick(now))
        self._told(self._typist.tick(now))
        self._schedule()

    def _schedule(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = min(self._buttons.deadline(), self._typist.deadline())
        if due < float("inf"):
            self._timer = asyncio.get_running_loop().call_at(due, self._tick)

    def _device_state(self) -> DeviceState:
        return DeviceState(Mode.READY, Lamp.NONE, False, None, False, Fault.STUCK if self._buttons.stuck else None)

    def _capabilities(self) -> tuple[Capability, ...]:
        able = {
            Capability.CARD_KEYS: self._keys.keys() >= _CARD_KEYS,
            Capability.DIGITS: self._keys.keys() >= _DIGITS,
            Capability.RELEASES: self.kind is Kind.PANEL,
        }
        return tuple(capability for capability, has in able.items() if has)


def _serial(facts: files.Facts) -> str:
    return facts.uniq or facts.ids


def _reason(error: OSError) -> str:
    match error.errno:
        case errno.ENODEV | errno.EIO | errno.ENXIO:
            return "it was unplugged"
        case errno.EBUSY:
            return "another program has grabbed it: let it be ended, or told not to use this device"
        case _:
            return f"the device cannot be used: {error.strerror or error}"


def _named(text: str, names: dict[str, int]) -> dict[str, int]:
    """The codes that ``bet=KEY_F1 fold=KEY_F2 …`` names; `ValueError` says what is wrong with it."""
    found: dict[str, int] = {}
    for word in text.split():
        key, equals, name = word.partition("=")
        if not key or not equals:
            raise ValueError(f"{word!r}: expected KEY=CODE, such as bet={next(iter(names))}")
        code = codes.code(name, names)
        if key in found or code in found.values():
            raise ValueError(f"{word!r}: this key or this code is there twice: expected each once")
        found[key] = code
    return found
