"""Drivers by name: the entry-point group ``tablectl.drivers``, imported on first use.

The drivers that ship with tablectl are registered in the same way as a third party's. One that cannot be imported, for
want of a library say, concerns the devices that name it and nothing else.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Final

from tablectl.devices import Driver
from tablectl.errors import ConfigurationError

__all__ = ["GROUP", "known", "load"]

GROUP: Final = "tablectl.drivers"


def known() -> dict[str, str]:
    """The names of all installed drivers in alphabetical order, each with its ``module:Class``; imports none."""
    return {point.name: point.value for point in sorted(_points(), key=lambda point: point.name)}


def load(name: str) -> type[Driver]:
    """The driver of that name.

    `ConfigurationError` when no or more than one installed distribution offers it, when it cannot be imported, or when
    what it names is no driver.
    """
    found = [point for point in _points() if point.name == name]
    if not found:
        raise _refused(
            f"driver {name!r} is not installed; installed are {', '.join(known()) or 'none'}:"
            " name one of these, or install the distribution that brings it"
        )
    if len({point.value for point in found}) > 1:
        offers = " and ".join(sorted(f"{point.value} ({_distribution(point)})" for point in found))
        raise _refused(f"driver {name!r} is offered twice, by {offers}: remove one of these distributions")
    try:
        driver = found[0].load()
    except Exception as error:  # whatever a plugin's import raises is that plugin's trouble
        raise _refused(
            f"driver {name!r} ({found[0].value}, {_distribution(found[0])}) cannot be imported:"
            f" {type(error).__name__}: {error}; install what it needs, or name another driver"
        ) from error
    if not (isinstance(driver, type) and issubclass(driver, Driver)):
        raise _refused(
            f"driver {name!r} ({found[0].value}, {_distribution(found[0])}) is no subclass of tablectl.devices.Driver:"
            " its author has to correct the entry point"
        )
    return driver


def _points() -> list[EntryPoint]:
    return list(entry_points(group=GROUP))


def _distribution(point: EntryPoint) -> str:
    return "unknown distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def _refused(problem: str) -> ConfigurationError:
    return ConfigurationError([problem])
