"""One table as its configuration describes it, once nothing is wrong with that."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tablectl.devices import Driver, Options, Resume
from tablectl.devices.registry import load as load_driver
from tablectl.devices.registry import load_watcher
from tablectl.devices.watcher import Watcher
from tablectl.engine.core import Core
from tablectl.engine.desk import Settings
from tablectl.engine.identity import Identity
from tablectl.engine.picture import Link, Picture, SavedPicture
from tablectl.engine.recovery import MakeCore
from tablectl.equipment import Kind
from tablectl.procedure.game import Game, Setup
from tablectl.procedure.table import Phase, TableState
from tablectl.rules import Submission
from tablectl.surveillance.broker import BrokerSettings
from tablectl.surveillance.outbox import Place

__all__ = ["DeviceConfig", "TableConfig", "UsbConfig"]

_TRAINING: Final = ".training"


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """One device of the table; `options` are the keys of its section that are its driver's own."""

    id: str
    kind: Kind
    driver: str
    port: str
    options: Options

    @property
    def place(self) -> str:
        """The port as the machine knows it: without settings, another name of the same file taken for the same."""
        scheme, colon, rest = self.port.partition("?")[0].partition(":")
        return f"{scheme}:{os.path.realpath(rest)}" if colon and rest.startswith("/") else self.port

    def make(self, resume: Resume | None = None) -> Driver:
        """The device, not yet opened; `ConfigurationError` when its driver is not there."""
        return load_driver(self.driver)(self.id, self.kind, self.port, self.options, resume=resume)


@dataclass(frozen=True, slots=True)
class UsbConfig:
    """Which USB devices may be plugged in: those of `allow`, and those that the `ports` of the devices lead to."""

    allow: tuple[str, ...]
    ports: tuple[str, ...]

    def make(self) -> Watcher:
        """Who watches; `ConfigurationError` when nobody is installed who could."""
        return load_watcher("usb")(self.allow, self.ports)


@dataclass(frozen=True, slots=True)
class TableConfig:
    """A configuration in which nothing is wrong.

    `journal` is absolute; `mqtt` is None for a table without a broker, `usb` where nobody watches for strange devices.
    """

    file: Path
    game: Game
    submission: Submission
    rules: Any
    setup: Setup
    settings: Settings
    journal: Path
    devices: tuple[DeviceConfig, ...]
    place: Place
    mqtt: BrokerSettings | None
    usb: UsbConfig | None
    identity: Identity

    def for_training(self) -> TableConfig:
        """The same table in training, with a journal and topics of its own: nothing of it touches real play."""
        if self.training:
            return self
        return replace(
            self,
            journal=self.journal.with_name(f"{self.journal.name}{_TRAINING}"),
            place=replace(self.place, training=True),
            identity=replace(self.identity, training=True),
            settings=replace(self.settings, training=True),
        )

    def changed_over(self) -> TableConfig:
        """The same table in training if it is not, or out of it."""
        if not self.training:
            return self.for_training()
        return replace(
            self,
            journal=self.journal.with_name(self.journal.name.removesuffix(_TRAINING)),
            place=replace(self.place, training=False),
            identity=replace(self.identity, training=False),
            settings=replace(self.settings, training=False),
        )

    @property
    def training(self) -> bool:
        """Whether nothing at this table is real play."""
        return self.settings.training

    @property
    def dealers(self) -> tuple[str, ...]:
        """The dealers' credentials."""
        return self.settings.dealers

    @property
    def id(self) -> str:
        """The table's id."""
        return self.settings.table

    @property
    def roster(self) -> dict[str, Kind]:
        """The table's devices and what each of them is."""
        return {device.id: device.kind for device in self.devices}

    def first_state(self) -> TableState:
        """What a table starts from that has no journal yet: it is closed, and no deck has come to it."""
        return TableState(
            round=0,
            decks=(),
            deck_number=0,
            rounds_since_count=0,
            dealing=self.setup.dealing.value,
            shuffler=self.setup.shuffler.value,
            phase=Phase.CLOSED,
        )

    @property
    def make_core(self) -> MakeCore:
        """What `engine.recovery` makes this table's core with."""

        def make(state: TableState | None, saved: SavedPicture | None, sequence: int, now: Callable[[], int]) -> Core:
            picture = Picture({device.id: Link(device.kind) for device in self.devices})
            if saved is not None:
                picture.load(saved)
            begun = self.first_state() if state is None else state
            return Core(self.game, self.rules, self.setup, self.settings, picture, self.identity, begun, sequence, now)

        return make
