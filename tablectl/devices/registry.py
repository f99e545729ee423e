"""Drivers and watchers by name: two groups of entry points, each plugin imported on first use.

Those that ship with tablectl are registered in the same way as a third party's. One that cannot be imported, for want
of a library say, concerns the devices that name it and nothing else.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Final

from tablectl.devices import Driver
from tablectl.devices.watcher import Watcher
from tablectl.errors import ConfigurationError

__all__ = ["GROUP", "WATCHERS", "known", "load", "load_watcher"]

GROUP: Final = "tablectl.drivers"
WATCHERS: Final = "tablectl.watchers"


def known() -> dict[str, str]:
    """The names of all installed drivers in alphabetical order, each with its ``module:Class``; imports none."""
    return _known(GROUP)


def load(name: str) -> type[Driver]:
    """The driver of that name.

    `ConfigurationError` when no or more than one installed distribution offers it, when it cannot be imported, or when
    what it names is no driver.
    """
    point = _point(GROUP, "driver", name)
    driver = _loaded(point, "driver")
    if not (isinstance(driver, type) and issubclass(driver, Driver)):
        raise _refused(
            f"driver {_named(point)} is no subclass of tablectl.devices.Driver:"
            " its author has to correct the entry point"
        )
    return driver


def load_watcher(name: str) -> type[Watcher]:
    """The watcher of that name; `ConfigurationError` as for a driver."""
    point = _point(WATCHERS, "watcher", name)
    watcher = _loaded(point, "watcher")
    if not (isinstance(watcher, type) and issubclass(watcher, Watcher)):
        raise _refused(
            f"watcher {_named(point)} is no subclass of tablectl.devices.watcher.Watcher:"
            " its author has to correct the entry point"
        )
    return watcher


def _point(group: str, what: str, name: str) -> EntryPoint:
    found = [point for point in _points(group) if point.name == name]
    if not found:
        raise _refused(
            f"{what} {name!r} is not installed; installed are {', '.join(_known(group)) or 'none'}:"
            " name one of these, or install the distribution that brings it"
        )
    if len({point.value for point in found}) > 1:
        offers = " and ".join(sorted(f"{point.value} ({_distribution(point)})" for point in found))
        raise _refused(f"{what} {name!r} is offered twice, by {offers}: remove one of these distributions")
    return found[0]


def _loaded(point: EntryPoint, what: str) -> object:
    try:
        return point.load()
    except Exception as error:  # whatever a plugin's import raises is that plugin's trouble
        raise _refused(
            f"{what} {_named(point)} cannot be imported: {type(error).__name__}: {error};"
            " install what it needs, or name another"
        ) from error


def _known(group: str) -> dict[str, str]:
    return {point.name: point.value for point in sorted(_points(group), key=lambda point: point.name)}


def _points(group: str) -> list[EntryPoint]:
    return list(entry_points(group=group))


def _named(point: EntryPoint) -> str:
    return f"{point.name!r} ({point.value}, {_distribution(point)})"


def _distribution(point: EntryPoint) -> str:
    return "unknown distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def _refused(problem: str) -> ConfigurationError:
    return ConfigurationError([problem])
