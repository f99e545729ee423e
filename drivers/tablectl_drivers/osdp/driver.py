"""The driver ``osdp``: a credential reader that speaks OSDP 2 on an RS-485 line.

Port: ``serial:PATH?baud=N&address=A``, PATH best one below ``/dev/serial/by-id``; N is 9600 and A, 0 to 126, is 0 where
they are left out. Several readers share a line when their ports name the same path. Its own keys:

``key_file`` (text)
    file with the reader's base key (SCBK) as 32 hexadecimal digits, that nobody but its owner can read (mode 0600)
``secure_channel`` (true or false, true)
    false: a reader without a secure channel, whose cards anybody on the line can forge; then there is no ``key_file``
``install_mode`` (true or false, false)
    true: a reader that still has its maker's key is given the one of ``key_file``; no card is taken under the maker's
``format`` (``wiegand26``, ``whole`` or ``hex``; ``wiegand26``)
    how a card's bits become the badge's number
``serial`` (text)
    serial number that the reader must give, as 8 hexadecimal digits; without it any will do
``check`` (``crc`` or ``sum``; ``crc``)
    check value of the packets
``feedback`` (true or false, false)
    true: light and tone of the reader tell whether a card had a number
``poll_ms`` (10 to 1000, 200)
    time between polls
``reply_ms`` (20 to 2000, 200)
    time within which the reader must begin to answer
``lost_after_ms`` (500 to 60000, 8000)
    time without a valid answer after which the reader is lost
``retry_ms`` and ``retry_max_ms``
    first and longest pause before a lost line or reader is tried again; see `tablectl_drivers.driving`
"""

from __future__ import annotations

import os
import random
import re
import stat
from pathlib import Path
from typing import ClassVar, Final
from urllib.parse import parse_qsl, urlencode

import structlog

from tablectl.devices import Health, LinkState, Options, Resume
from tablectl.equipment import Badge, BadgeUnreadable, Command, Description, DeviceState, Fault, Kind, Lamp, Mode
from tablectl.errors import ConfigurationError, DecodeError
from tablectl_drivers.driving import RETRY_MS, in_range, retry_problems, retry_times
from tablectl_drivers.link import serial_port
from tablectl_drivers.link.serial_port import Address
from tablectl_drivers.memoryless import MemorylessDriver
from tablectl_drivers.osdp import contents, credential
from tablectl_drivers.osdp.bus import Bus
from tablectl_drivers.osdp.control_panel import ControlPanel
from tablectl_drivers.osdp.happenings import (
    Found,
    Happening,
    KeyGiven,
    KeyUnusable,
    Lost,
    Presented,
    Refused,
    Status,
    Timing,
    Unreadable,
)
from tablectl_drivers.osdp.packets import BROADCAST, Packet
from tablectl_drivers.osdp.secure_channel import DEFAULT_KEY, KEY_BYTES

__all__ = ["OsdpDriver"]

_log = structlog.get_logger(__name__)

BAUD: Final = 9600
_TIMES_MS: Final = {  # key: default, least, most
    "poll_ms": (200, 10, 1000),
    "reply_ms": (200, 20, 2000),
    "lost_after_ms": (8000, 500, 60_000),
}
_SWITCHES: Final = {"secure_channel": True, "install_mode": False, "feedback": False}
_CHOICES: Final = {"format": tuple(credential.Format), "check": ("crc", "sum")}
_KEYS: Final = ("key_file", "serial", *_SWITCHES, *_CHOICES, *_TIMES_MS, *RETRY_MS)


class OsdpDriver(MemorylessDriver):
    """One credential reader; ``drivers/OSDP.md`` says what is supported."""

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CREDENTIAL_READER})

    def __init__(
        self,
        id: str,
        kind: Kind,
        port: str,
        options: Options,
        *,
        resume: Resume | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """See `Driver`; `chance` makes the challenges of the secure channel and spreads the pauses."""
        super().__init__(id, kind, port, options, resume=resume)
        self._place, self.address = _parse(port)
        times = {key: int(options.get(key, default)) / 1000 for key, (default, _, _) in _TIMES_MS.items()}
        switches = {key: bool(options.get(key, default)) for key, default in _SWITCHES.items()}
        self.reply_timeout = times["reply_ms"]
        self.retry = retry_times(options)
        self._chance = chance or random.SystemRandom()
        self._key_file = Path(str(options.get("key_file", "")))
        self._format = credential.Format(str(options.get("format", credential.Format.WIEGAND26)))
        self._feedback = switches["feedback"]
        self._panel = ControlPanel(
            self.address,
            Timing(times["poll_ms"], times["lost_after_ms"], *self.retry),
            self._chance,
            key=self._key if switches["secure_channel"] else None,
            install=switches["install_mode"],
            crc=options.get("check", "crc") == "crc",
        )
        self._bus: Bus | None = None
        self._reported: Status | None = None
        self._can: contents.Capabilities | None = None
        self._bad = 0
        self._asked_at = 0.0
        self._round_trip: float | None = None

    @classmethod
    def check(cls, id: str, kind: Kind, port: str, options: Options) -> None:
        """See `Driver`."""
        where = f"[devices.{id}]"
        problems = []
        if kind not in cls.kinds:
            problems.append(f"{where} kind: {kind} is not served by this driver: expected {', '.join(cls.kinds)}")
        try:
            _parse(port)
        except ValueError as error:
            problems.append(f"{where} port: {error}")
        problems += [f"{where} {key}: {problem}" for key, value in options.items() if (problem := _wrong(key, value))]
        problems += retry_problems(where, options)
        secured, key_file = options.get("secure_channel", True), options.get("key_file")
        if secured and key_file is None:
            problems.append(
                f"{where} key_file: it is missing: expected the path of a file with the reader's base key, or"
                " secure_channel = false for a reader that has no secure channel"
            )
        for key in ("key_file", "install_mode"):
            if not secured and options.get(key):
                problems.append(f"{where} {key}: it has no meaning with secure_channel = false: leave one of them out")
        if problems:
            raise ConfigurationError(problems)

    def health(self) -> Health:
        """See `Device`."""
        panel = self._panel
        return Health(
            state=self._state,
            bad_frames=self._bad + panel.bad,
            retransmits=panel.retransmits,
            duplicates=panel.duplicates,
            round_trip_ms=None if self._round_trip is None else self._round_trip * 1000,
            reconnects=max(0, self._ups - 1),
            last_error=self._last_error,
        )

    async def _start(self) -> None:
        try:
            self._bus = Bus.join(self._place, self, self._chance)
        except ValueError as error:
            self._went(str(error))

    async def _stop(self) -> None:
        if self._bus is not None:
            await self._bus.leave(self)
            self._bus = None

    def _perform(self, command: Command) -> str | None:
        return f"a {self.kind} takes no {type(command).__name__}"

    # As a member of its line

    @property
    def due(self) -> float:
        """See `Member`."""
        return self._panel.due

    def line_up(self, now: float) -> None:
        """See `Member`."""
        self._panel.begin(now)

    def line_lost(self, reason: str) -> None:
        """See `Member`."""
        self._went(reason)

    def request(self, now: float) -> bytes:
        """See `Member`."""
        self._asked_at = now
        data, happenings = self._panel.request(now)
        self._happened(happenings)
        return data

    def receive(self, packet: Packet, now: float) -> bool:
        """See `Member`."""
        happenings = self._panel.receive(packet, now)
        if happenings is None:
            return False
        self._round_trip = now - self._asked_at
        self._happened(happenings)
        return True

    def silent(self, now: float) -> None:
        """See `Member`."""
        self._happened(self._panel.silent(now))

    def count_bad(self, count: int) -> None:
        """See `Member`."""
        self._bad += count

    def failed(self, error: BaseException) -> None:
        """See `Member`."""
        self._failed(error)

    def _happened(self, happenings: list[Happening]) -> None:
        for happening in happenings:
            match happening:
                case Found():
                    self._found(happening)
                case Status():
                    self._status(happening)
                case Presented(card):
                    self._presented(card)
                case Unreadable(reason):
                    self._unreadable(reason)
                case KeyGiven():
                    _log.info("reader_key_given", device=self.id)
                case Lost(reason):
                    self._went(reason)
                case Refused(reason, ours=True):
                    self._went(reason)
                case Refused(reason):
                    self._refused(reason)

    def _found(self, found: Found) -> None:
        identity, self._can = found.identity, found.capabilities
        serial = f"{identity.serial:08x}"
        expected = self._options.get("serial")
        if expected is not None and serial != str(expected).lower():
            self._refused(f"serial number {serial} answers on its port, expected {expected}")
            self._panel.dismiss(self._asked_at)
            return
        firmware = ".".join(str(part) for part in identity.firmware)
        model = f"{identity.vendor.hex()}-{identity.model}.{identity.version}"
        description = Description(self.kind, model, serial, firmware, ())
        if self._state is LinkState.UP and description == self._description:
            _log.info("reader_began_anew", device=self.id)  # it was never lost, so nobody needs to know
            self._status(found.status)
            return
        self._reported = found.status
        self._came(description, _state(found.status))

    def _status(self, status: Status) -> None:
        if status != self._reported:
            self._reported = status
            _log.info("reader_status", device=self.id, tamper=status.tamper, power_failed=status.power_failed)
            self._say(_state(status))

    def _presented(self, card: contents.Card | contents.CardText) -> None:
        try:
            number = credential.number(card, self._format)
        except DecodeError as error:
            self._unreadable(str(error))
            return
        if self._state is LinkState.UP:
            self._say(Badge(number))
            self._show(good=True)

    def _unreadable(self, reason: str) -> None:
        if self._state is LinkState.UP:
            self._last_error = reason
            _log.warning("credential_unreadable", device=self.id, reason=reason)
            self._say(BadgeUnreadable())
            self._show(good=False)

    def _show(self, *, good: bool) -> None:
        if not self._feedback or self._can is None:
            return
        if self._can.has(contents.Function.LED):
            self._panel.order(contents.Command.LED, contents.led(good))
        if self._can.has(contents.Function.BUZZER):
            self._panel.order(contents.Command.BUZ, contents.buzzer(good))

    def _key(self) -> bytes:
        return _read_key(self._key_file)


def _state(status: Status) -> DeviceState:
    fault = Fault.TAMPER if status.tamper else Fault.OUT_OF_SERVICE if status.head_missing else None
    return DeviceState(Mode.READY, Lamp.NONE, False, None, status.tamper, fault)


def _parse(port: str) -> tuple[Address, int]:
    """The line and the address on it; `ValueError` says what is wrong with the port."""
    path, _, query = port.partition("?")
    if not path.startswith("serial:"):
        raise ValueError(f"{port!r} is no port of this driver: expected serial:PATH?address=A")
    settings = dict(parse_qsl(query, keep_blank_values=True))
    address = settings.pop("address", "0")
    line = serial_port.parse(f"{path}?{urlencode({'baud': str(BAUD), **settings})}")
    if not (address.isascii() and address.isdigit() and int(address) < BROADCAST):
        raise ValueError(f"{port!r} has address {address!r}: expected a number from 0 to {BROADCAST - 1}")
    return line, int(address)


def _wrong(key: str, value: str | int | bool) -> str | None:
    """What is wrong with one key of the configuration."""
    if key not in _KEYS:
        return f"unknown key: expected {', '.join(_KEYS)}"
    if key in _SWITCHES and not isinstance(value, bool):
        return f"{value!r}: expected true or false"
    if key in _CHOICES and value not in _CHOICES[key]:
        return f"{value!r}: expected {' or '.join(_CHOICES[key])}"
    if key == "serial" and not (isinstance(value, str) and re.fullmatch(r"[0-9a-fA-F]{8}", value)):
        return f"{value!r} is no serial number: expected 8 hexadecimal digits as text"
    if key == "key_file" and not (isinstance(value, str) and value):
        return "expected the path of a file as text"
    if key in _TIMES_MS:
        _, least, most = _TIMES_MS[key]
        if not in_range(value, least, most):
            return f"{value!r}: expected milliseconds from {least} to {most}"
    return None


def _read_key(path: Path) -> bytes:
    """The base key in that file; `KeyUnusable`, which never says anything of its contents."""
    try:
        with path.open("rb") as file:
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode):
                raise KeyUnusable(f"the key file {path} is no plain file")
            if facts.st_mode & 0o077:
                raise KeyUnusable(
                    f"the key file {path} can be read by others (mode {facts.st_mode & 0o777:04o}): chmod 600 it, and"
                    " give the reader a new key if it may have been read"
                )
            text = file.read(200)
    except OSError as error:
        raise KeyUnusable(f"the key file {path} cannot be read: {error.strerror or error}") from None
    if re.fullmatch(rb"\s*[0-9a-fA-F]{32}\s*", text) is None:
        raise KeyUnusable(f"the key file {path} does not hold {2 * KEY_BYTES} hexadecimal digits and nothing else")
    key = bytes.fromhex(text.decode("ascii"))
    if key == DEFAULT_KEY:
        raise KeyUnusable(f"the key file {path} holds the key that every reader has when it is new: make one at random")
    return key
