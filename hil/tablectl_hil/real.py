"""The file that names the real devices of a run: sections ``[devices.ID]`` as in a table's configuration, nothing else.

::

    [devices.shoe]
    kind = "shoe"
    driver = "table-device-link"
    port = "serial:/dev/serial/by-id/…"
    serial = "PN100234"

It is read together with the rest of the table, which the run writes itself, so that every problem is told as one of a
table's configuration is, with the file's line and key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablectl.daemon.config import TableConfig, parse
from tablectl.daemon.findings import Findings, Problem, not_toml
from tablectl.engine.picture import Link
from tablectl.engine.scenario import Scenario
from tablectl.equipment import Capability, Kind
from tablectl.errors import ConfigurationError
from tablectl.procedure.game import Dealing

__all__ = ["RealDevices", "load"]


@dataclass(frozen=True, slots=True)
class RealDevices:
    """The devices of such a file: `ids` of all its sections, `kinds` of those whose kind can be told."""

    file: Path
    text: str
    ids: tuple[str, ...]
    kinds: Mapping[str, Kind]

    def find(self, kind: Kind) -> str | None:
        """The id of the device of that kind."""
        return next((id for id, its in self.kinds.items() if its is kind), None)

    def beside(self, rest: str) -> tuple[str, TableConfig]:
        """The whole table, `rest` being the other sections; `ConfigurationError` with all that is wrong in the file."""
        text = f"{self.text.rstrip()}\n\n{rest}"
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            findings = Findings(self.file, self.text)
            findings.add(("devices",), "expected a section [devices.ID] for each device")
            raise findings.error() from None
        return text, parse(text, self.file)

    def problem(self, device: str, key: str, message: str) -> str:
        """A problem with a device, where the file names it."""
        findings = Findings(self.file, self.text)
        findings.add(("devices", device, key), message)
        return findings.error().problems[0]

    def missing(self, device: str, reason: str) -> str:
        """What is to be said of a device that is not there."""
        return self.problem(
            device, "port", f"{reason}; plug the device in, or name its port: tablectl devices lists the ports"
        )

    def unfit(self, device: str, link: Link, scenario: Scenario) -> str | None:
        """Why the scenario cannot be played with the device, by what that says of itself; None when it can."""
        dispenses = link.can(Capability.DISPENSES)
        automated = scenario.setup.dealing is Dealing.AUTOMATED_SHOE
        lacks = ""
        if link.kind is Kind.SHOE and dispenses is not automated:
            lacks = "gives stacks, and no single cards" if dispenses else "gives no stacks"
        if link.kind is Kind.SHUFFLER and scenario.setup.shuffler.counts and not link.can(Capability.COUNTS):
            lacks = "does not count the cards"
        if not lacks or link.description is None:
            return None
        named = f"{link.description.model} {link.description.serial}"
        table = f"dealing = {scenario.setup.dealing.value!r}, shuffler = {scenario.setup.shuffler.value!r}"
        return self.problem(device, "kind", f"{named} {lacks}, but the scenario's table has {table}")


def load(path: Path) -> RealDevices:
    """Read such a file as far as it can be read without the rest; `ConfigurationError` when that is not far enough."""
    try:
        text = path.read_text(encoding="utf-8")
        data: dict[str, Any] = tomllib.loads(text)
    except OSError as error:
        message = f"cannot be read: {error.strerror}; expected the real devices, a TOML file"
        raise ConfigurationError([Problem(path, None, "", message)]) from None
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8: store the file as UTF-8"
        raise ConfigurationError([Problem(path, None, "", message)]) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError([not_toml(path, str(error))]) from None
    findings = Findings(path, text)
    for name in data:
        if name != "devices":
            findings.add((name,), "unknown section or key: expected sections [devices.ID], the scenario says the rest")
    devices = data.get("devices", {})
    if not isinstance(devices, dict) or not devices:
        findings.add(("devices",), "names no device: expected a section [devices.ID] for each device that is real")
    if findings:
        raise findings.error()
    kinds = {id: Kind(section["kind"]) for id, section in devices.items() if _has_kind(section)}
    return RealDevices(path, text, tuple(devices), kinds)


def _has_kind(section: object) -> bool:
    return isinstance(section, dict) and section.get("kind") in tuple(Kind)
