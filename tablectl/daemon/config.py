"""One table's configuration: a TOML file, read whole, refused whole, with all problems reported together.

``config/README.md`` describes every key. Paths in the file that are not absolute begin at the file's own folder.

Two digests go with every round (`Identity`), so that none is resumed under another table than it began with: `edition`
is the SHA-256 of game and filed rules, `configuration` that of everything else the engine is made from: the table's id,
methods, seats, decks, limits, `confirm_ms`, who has the say, and the devices with their kinds. Ports, drivers, the
journal's path, the broker and what else may be plugged in are in neither: they may be changed in mid-round.
"""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from tablectl import __version__
from tablectl.daemon.findings import (
    Findings,
    Key,
    Problem,
    Section,
    faulty_places,
    guess,
    known_keys,
    not_toml,
    right_keys,
    without,
)
from tablectl.daemon.sections import (
    DEFAULT_PREFIX,
    DecksSection,
    DeviceSection,
    MqttSection,
    PeopleSection,
    TableSection,
    TlsSection,
    UsbSection,
)
from tablectl.daemon.table import DeviceConfig, TableConfig, UsbConfig
from tablectl.devices import Driver
from tablectl.devices.registry import load as load_driver
from tablectl.devices.registry import load_watcher
from tablectl.engine.desk import Settings
from tablectl.engine.identity import Identity
from tablectl.equipment import Kind
from tablectl.errors import ConfigurationError
from tablectl.games import GAME_IDS
from tablectl.games import game as find_game
from tablectl.money import show
from tablectl.procedure.game import Dealing, Game, Setup, Shuffler
from tablectl.procedure.opening import check_decks, usual_decks
from tablectl.records import canonical
from tablectl.rules import Submission
from tablectl.surveillance.broker import BrokerSettings, BrokerTrouble, Tls
from tablectl.surveillance.outbox import Place

__all__ = ["DeviceConfig", "TableConfig", "UsbConfig", "load", "parse"]

M = TypeVar("M", bound=Section)

_PLAIN_PORT: Final = 1883
_TLS_PORT: Final = 8883
_RESERVED_IDS: Final = ("mqtt",)  # stands for the broker where a device's id stands
_DEPARTMENTS: Final = ("security", "finance")
"""Lists of badges of persons who witness what is done with the boxes of a poker room."""
_TOP_LEVEL: Final = ("table", "decks", "rules", "devices", "mqtt", "usb", "people")


def load(path: Path | str, *, here: bool = True) -> TableConfig:
    """Read a table's file; `ConfigurationError` carries every problem found, each a `Problem`.

    `here` False leaves out what concerns this machine and user alone: installed drivers, the journal's folder, the TLS
    files. That is for reading a journal, not for running a table.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"cannot be read: {error.strerror}; expected the table's configuration, a TOML file"
        raise ConfigurationError([Problem(path, None, "", message)]) from None
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8: store the file as UTF-8"
        raise ConfigurationError([Problem(path, None, "", message)]) from None
    return parse(text, path, here=here)


def parse(text: str, path: Path, *, here: bool = True) -> TableConfig:
    """The configuration in `text`, which is or would be at `path`; see `load`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError([not_toml(path, str(error))]) from None
    return _Reading(data, Findings(path, text), here).config()


class _Reading:
    """Reads one document section by section; what is wrong in one does not keep the others from being looked at."""

    def __init__(self, data: Mapping[str, Any], findings: Findings, here: bool) -> None:
        self._data = data
        self._findings = findings
        self._here = here
        self._folder = findings.file.absolute().parent

    def config(self) -> TableConfig:
        """The table, or `ConfigurationError` with everything that was found."""
        for name in self._data:
            if name not in _TOP_LEVEL:
                self._findings.add((name,), f"unknown section or key: {guess(name, _TOP_LEVEL)}")
        table, known = self._section("table", TableSection)
        decks, known_decks = self._section("decks", DecksSection)
        devices = tuple(self._devices())
        mqtt, _ = self._section("mqtt", MqttSection) if "mqtt" in self._data else (None, {})
        usb = self._usb(devices) if "usb" in self._data else None
        people, listed = self._section("people", PeopleSection)
        game, submission = self._game(known.get("game"))
        self._check_limits(known)
        self._check_setup(game, submission, known, known_decks)
        self._check_devices(devices, known)
        self._check_people(listed, devices)
        if self._here:
            self._check_journal(known.get("journal"))
            self._check_tls()
        if self._findings:
            raise self._findings.error()
        assert table is not None
        assert people is not None
        assert decks is not None
        assert game is not None
        assert submission is not None
        setup = _setup({**dict(table), **dict(decks)}, game)
        settings = Settings(
            table.id,
            table.confirm_ms,
            people.floorpersons,
            dealers=people.dealers,
            supervisors=people.supervisors,
            chips_settle_ms=table.chips_settle_ms,
            may_change_over=not table.training,
            security=people.security,
            finance=people.finance,
        )
        config = TableConfig(
            file=self._findings.file,
            game=game,
            submission=submission,
            rules=submission.filed(),
            setup=setup,
            settings=settings,
            journal=self._folder / table.journal,
            devices=devices,
            place=Place(DEFAULT_PREFIX if mqtt is None else mqtt.prefix, table.site, table.pit, table.id),
            mqtt=None if mqtt is None else self._broker(mqtt),
            usb=usb,
            identity=_identity(game, submission, setup, settings, devices),
        )
        return config.for_training() if table.training else config

    def _section(self, name: str, model: type[M]) -> tuple[M | None, dict[str, Any]]:
        """The section if all of it is right, and those of its keys that are, with defaults."""
        return self._read((name,), self._data.get(name, {}), model)

    def _read(self, key: tuple[str, ...], data: Any, model: type[M]) -> tuple[M | None, dict[str, Any]]:
        if not isinstance(data, dict):
            self._findings.add(key, f"found {data!r}: expected a section [{'.'.join(key)}]")
            return None, {}
        try:
            section = model.model_validate(data)
        except ValidationError as error:
            faulty = self._findings.add_invalid(key, model, error)
        else:
            return section, dict(iter(section))  # a driver's own key may be called keys, which dict() would call
        return None, right_keys(model, data, faulty)

    # The game and its rules

    def _game(self, name: str | None) -> tuple[Game | None, Submission | None]:
        """The game, and its submission as far as it is right: defaults stand in the places of what is not."""
        rules = self._data.get("rules", {})
        if name is None:
            return None, None
        if name not in GAME_IDS:
            self._findings.add(("table", "game"), f"game {name!r} is not known: {guess(name, GAME_IDS)}")
            return None, None
        game = find_game(name)
        if not isinstance(rules, dict):
            self._findings.add(("rules",), f"found {rules!r}: expected a section [rules]")
            return game, None
        faulty: set[Key] = set()
        try:
            submission = game.submission.model_validate(rules)
        except ValidationError as error:
            self._findings.add_invalid(("rules",), game.submission, error)
            faulty = faulty_places(error)
            try:
                submission = game.submission.model_validate(without(rules, faulty))
            except ValidationError:  # what is wrong with it is in no one key
                return game, None
        for objection in submission.objections():
            key = tuple(objection.key.split("."))
            if not any(key[: len(place)] == place for place in faulty):
                self._findings.add(("rules", *key), f"{objection.message} [{objection.cite}]: file other rules")
        return game.as_filed(submission), submission

    def _check_limits(self, known: Mapping[str, Any]) -> None:
        minimum, maximum = known.get("minimum"), known.get("maximum")
        for name, amount in (("minimum", minimum), ("maximum", maximum)):
            if amount is not None and amount <= 0:
                self._findings.add(("table", name), f'found "{show(amount)}": expected an amount above zero')
        if minimum is not None and maximum is not None and 0 < maximum < minimum:
            self._findings.add(
                ("table", "maximum"),
                f'"{show(maximum)}" is below table.minimum, which is "{show(minimum)}", so nothing could be wagered:'
                " raise the maximum or lower the minimum",
            )

    def _check_setup(
        self, game: Game | None, submission: Submission | None, known: Mapping[str, Any], decks: Mapping[str, Any]
    ) -> None:
        """What the chapter forbids in the table's set-up, as far as that is known."""
        if game is None or submission is None or not {"dealing", "shuffler"} <= set(known):
            return
        setup = _setup({**known, **decks}, game)
        for objection in game.objections(submission.filed(), setup):
            self._findings.add(("table", objection.key), f"{objection.message} [{objection.cite}]")
        if setup.continuous and setup.shuffler is Shuffler.NONE:
            message = 'table.shuffler is "none": name what shuffles without end, or leave this key out'
            self._findings.add(("table", "shuffler_mode"), message)
        for kind in (kind for kind in setup.floor_called_for if not game.knows(kind)):
            message = f"chapter {game.chapter} knows no irregularity {kind!r}: leave it out"
            self._findings.add(("table", "floor_called_for"), message)
        for objection in check_decks(game, setup) if {"at_the_table", "backs"} <= set(decks) else ():
            self._findings.add(("decks", objection.key), f"{objection.message} [{objection.cite}]")

    # Devices

    def _devices(self) -> Iterator[DeviceConfig]:
        """Every device whose kind, driver and port can be told."""
        devices = self._data.get("devices", {})
        if not isinstance(devices, dict):
            self._findings.add(("devices",), f"found {devices!r}: expected sections [devices.ID]")
            return
        for id, data in devices.items():
            key = ("devices", id)
            if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,31}", id) or id in _RESERVED_IDS:
                self._findings.add(
                    key,
                    "cannot be a device's id: expected 1 to 32 letters, digits, hyphens or underscores, beginning with"
                    f" a letter, other than {', '.join(_RESERVED_IDS)}",
                )
            device, known = self._read(key, data, DeviceSection)
            options = device.model_extra if device is not None else None
            self._misspelt(key, data)
            if device is None and self._here and "driver" in known:
                self._load(key, known["driver"])
            for name, value in (options or {}).items():
                if not isinstance(value, str | int):
                    self._findings.add((*key, name), f"found {value!r}: expected text, a whole number, true or false")
            if device is not None and all(isinstance(value, str | int) for value in (options or {}).values()):
                yield DeviceConfig(id, device.kind, device.driver, device.port, options or {})

    def _misspelt(self, key: tuple[str, ...], data: Any) -> None:
        """A driver may have keys of any name, so a mistyped one shows only by the one that is missing."""
        names = DeviceSection.model_fields
        if not isinstance(data, dict):
            return
        missing = [name for name in names if name not in data]
        for name in data:
            if name not in names and missing and (near := guess(name, missing)).startswith("did you mean"):
                self._findings.add((*key, name), f"unknown key: {near}")

    def _check_devices(self, devices: tuple[DeviceConfig, ...], known: Mapping[str, Any]) -> None:
        if self._has_no(Kind.PANEL, devices):
            self._findings.add(
                ("devices",), 'there is no panel, and without one nobody can deal: add [devices.panel], kind = "panel"'
            )
        kinds: dict[Kind, str] = {}
        ports: dict[str, str] = {}
        for device in devices:
            key = ("devices", device.id)
            other = kinds.setdefault(device.kind, device.id)
            if other != device.id:
                self._findings.add(
                    (*key, "kind"), f"{other} is a {device.kind} already, a table has one: remove one of the two"
                )
            other = ports.setdefault(device.place, device.id)
            if other != device.id:
                self._findings.add((*key, "port"), f"{other} is on this port already: give each device its own")
            self._check_use(device, known)
            if self._here:
                self._check_driver(device)

    def _has_no(self, kind: Kind, devices: tuple[DeviceConfig, ...]) -> bool:
        """Whether it is sure that there is no device of that kind: one that could not be read might be it."""
        named = self._data.get("devices", {})
        readable = isinstance(named, dict) and len(named) == len(devices)
        return readable and all(device.kind is not kind for device in devices)

    def _check_use(self, device: DeviceConfig, known: Mapping[str, Any]) -> None:
        """Equipment that the table's methods have no use for."""
        key = ("devices", device.id, "kind")
        if device.kind is Kind.SHUFFLER and known.get("shuffler") is Shuffler.NONE:
            self._findings.add(
                key, 'table.shuffler is "none": set that to plain, counting or identifying, or remove the shuffler'
            )
        dealing = known.get("dealing")
        if device.kind is Kind.SHOE and dealing in (Dealing.FROM_HAND, Dealing.NONE):
            self._findings.add(
                key, f'table.dealing is "{dealing}": set that to manual_shoe or automated_shoe, or remove the shoe'
            )

    def _load(self, key: Key, name: str) -> type[Driver] | None:
        try:
            return load_driver(name)
        except ConfigurationError as error:
            for problem in error.problems:
                self._findings.add((*key, "driver"), problem)
            return None

    def _check_driver(self, device: DeviceConfig) -> None:
        key = ("devices", device.id)
        driver = self._load(key, device.driver)
        if driver is None:
            return
        if device.kind not in driver.kinds:
            served = ", ".join(sorted(driver.kinds))
            self._findings.add((*key, "kind"), f"driver {device.driver!r} does not serve a {device.kind}, but {served}")
            return
        try:
            driver.check(device.id, device.kind, device.port, device.options)
        except ConfigurationError as error:
            for problem in error.problems:
                self._findings.add_from_driver(key, problem)
        except Exception as error:  # noqa: BLE001 - a plugin's defect must not hide the other problems
            self._findings.add(
                key,
                f"driver {device.driver!r} cannot check this section ({type(error).__name__}: {error}):"
                " tell its author, or name another driver",
            )

    def _usb(self, devices: tuple[DeviceConfig, ...]) -> UsbConfig:
        """What may be plugged in, looked at by who will watch."""
        _, known = self._section("usb", UsbSection)
        usb = UsbConfig(known.get("allow", ()), tuple(device.port for device in devices))
        if self._here:
            try:
                watcher = load_watcher("usb")
            except ConfigurationError as error:
                for problem in error.problems:
                    self._findings.add(("usb",), problem)
                return usb
            try:
                watcher.check(usb.allow, usb.ports)
            except ConfigurationError as error:
                for problem in error.problems:
                    self._findings.add(("usb", "allow"), problem)
        return usb

    # People

    def _check_people(self, people: Mapping[str, Any], devices: tuple[DeviceConfig, ...]) -> None:
        everybody = ("floorpersons", "supervisors", "dealers", *_DEPARTMENTS)
        listed = {name: tuple(people.get(name, ())) for name in everybody}
        for name, badges in listed.items():
            for badge in sorted({badge for badge in badges if badges.count(badge) > 1}):
                self._findings.add(("people", name), f"badge {badge!r} is listed twice: remove one of the two")
        for name in _DEPARTMENTS:
            for badge in sorted(
                {*listed[name]} & {badge for other in everybody if other != name for badge in listed[other]}
            ):
                self._findings.add(
                    ("people", name),
                    f"badge {badge!r} is in another list too, and nobody is his own witness: remove it",
                )
        for name in ("floorpersons", "supervisors"):
            for badge in sorted({*listed[name]} & {*listed["dealers"]}):
                self._findings.add(
                    ("people", "dealers"),
                    f"badge {badge!r} is in people.{name} too, and nobody clears faults of his own table: remove it"
                    f" here if a {name.removesuffix('s')} has it, there if a dealer has",
                )
            if listed[name] and self._has_no(Kind.CREDENTIAL_READER, devices):
                self._findings.add(
                    ("people", name),
                    "no badge can be presented, as the table has no credential_reader: add one, or list nobody, so that"
                    " the key switch of the panel counts",
                )

    # This machine

    def _check_journal(self, journal: str | None) -> None:
        if journal is None:
            return
        path, key = self._folder / journal, ("table", "journal")
        if path.is_dir():
            self._findings.add(key, f"{path} is a folder: name a file in it")
        elif not path.parent.is_dir():
            self._findings.add(key, f"there is no folder {path.parent}: make it, or name another")
        elif not _may(path.parent, os.W_OK | os.X_OK):
            self._findings.add(
                key, f"this user may not write to {path.parent}: give it to the daemon's user, or name another folder"
            )
        elif path.exists() and not _may(path, os.R_OK | os.W_OK):
            self._findings.add(key, f"this user may not write to {path}: give it to the daemon's user")

    def _check_tls(self) -> None:
        """The files of [mqtt.tls], whatever is wrong elsewhere in it and around it."""
        mqtt = self._data.get("mqtt")
        data = mqtt.get("tls") if isinstance(mqtt, dict) else None
        if not isinstance(data, dict):
            return
        key, known = ("mqtt", "tls"), known_keys(TlsSection, data)
        broken = len(known) < len(TlsSection.model_fields)
        if {"cert", "key"} <= set(known) and (known["cert"] is None) != (known["key"] is None):
            missing, broken = ("cert" if known["cert"] is None else "key"), True
            self._findings.add((*key, missing), "missing: certificate and private key go together")
        for name, file in known.items():
            if file is None or _may(path := self._folder / file, os.R_OK):
                continue
            broken = True
            what = "this user may not read" if path.exists() else "there is no file"
            self._findings.add((*key, name), f"{what} {path}: put it there, readable for the daemon's user")
        try:
            if not broken:
                self._tls(TlsSection(**known)).context()
        except BrokerTrouble as error:
            self._findings.add(key, str(error))

    def _tls(self, tls: TlsSection) -> Tls:
        cert, key = (None if file is None else self._folder / file for file in (tls.cert, tls.key))
        return Tls(self._folder / tls.ca, cert, key)

    def _broker(self, mqtt: MqttSection) -> BrokerSettings:
        return BrokerSettings(
            host=mqtt.host,
            port=mqtt.port if mqtt.port is not None else _PLAIN_PORT if mqtt.tls is None else _TLS_PORT,
            protocol=mqtt.protocol,
            tls=None if mqtt.tls is None else self._tls(mqtt.tls),
            keepalive_s=mqtt.keepalive_s,
            connect_timeout_s=mqtt.connect_timeout_s,
            window=mqtt.window,
        )


def _setup(known: Mapping[str, Any], game: Game) -> Setup:
    """The set-up from the keys of `[table]` and `[decks]`, as far as they are right."""
    setup = Setup(
        known["dealing"],
        known["shuffler"],
        game.seats if known.get("seats") is None else known["seats"],
        known.get("minimum"),
        known.get("maximum"),
        continuous=known.get("shuffler_mode") == "continuous",
        floor_called_for=known.get("floor_called_for", ()),
    )
    decks, backs = known.get("at_the_table"), known.get("backs", setup.backs)
    warn = known.get("warn_minutes", setup.warn_minutes)
    return replace(setup, decks=usual_decks(game, setup) if decks is None else decks, backs=backs, warn_minutes=warn)


def _identity(
    game: Game, submission: Submission, setup: Setup, settings: Settings, devices: tuple[DeviceConfig, ...]
) -> Identity:
    filed = {"game": game.id, "rules": submission.model_dump(mode="json")}
    table = {
        "table": settings.table,
        "dealing": setup.dealing.value,
        "shuffler": setup.shuffler.value,
        "shuffler_mode": "continuous" if setup.continuous else "batch",
        "seats": setup.seats,
        "decks": setup.decks,
        "backs": list(setup.backs),
        "warn_minutes": setup.warn_minutes,
        "minimum": setup.minimum,
        "maximum": setup.maximum,
        "confirm_ms": settings.confirm_ms,
        "chips_settle_ms": settings.chips_settle_ms,
        "floor_called_for": list(setup.floor_called_for),
        "floorpersons": sorted(settings.floorpersons),
        "supervisors": sorted(settings.supervisors),
        "devices": {device.id: device.kind.value for device in devices},
        **{name: sorted(badges) for name in _DEPARTMENTS if (badges := getattr(settings, name))},
    }
    edition, configuration = (hashlib.sha256(canonical(part).encode()).hexdigest() for part in (filed, table))
    return Identity(__version__, edition, configuration, game.id, setup.minimum, setup.maximum)


def _may(path: Path, how: int) -> bool:
    """Whether this process may do that with the file."""
    return os.access(path, how, effective_ids=os.access in os.supports_effective_ids)
