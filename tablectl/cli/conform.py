"""`tablectl hil conform`: a driver and its device against what is required of their kind."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from tablectl.cli import EQUIPMENT, OK, WRONG
from tablectl.devices import registry
from tablectl.equipment import Capability, Kind
from tablectl.errors import ConfigurationError

__all__ = ["conform_arguments", "run_conform"]

_E = TypeVar("_E", bound=StrEnum)


def conform_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl hil conform`."""
    parser.add_argument("driver", metavar="DRIVER", help="name of an installed driver, see `tablectl devices`")
    parser.add_argument("--kind", required=True, metavar="KIND", help="kind of the device, such as shuffler")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", metavar="PORT", help="port of a real device, as in a table's configuration")
    where.add_argument("--emulate", action="store_true", help="our emulated device for that driver instead")
    parser.add_argument(
        "--over",
        choices=("serial", "bulk", "interrupt"),
        help="what an emulated device on the table device link runs over: a serial line (default), or USB endpoints",
    )
    parser.add_argument(
        "--capability",
        action="append",
        default=[],
        metavar="C",
        help="what the emulated device is able to do; may be given several times",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="K=V",
        help="an option of the driver, its value as in the configuration (text may go without quotes)",
    )
    parser.add_argument("--check", action="append", default=[], metavar="ID", help="this check alone (several: these)")
    parser.add_argument(
        "--wait", type=float, default=60.0, metavar="S", help="seconds for each step by hand (default 60)"
    )
    parser.add_argument("--quick", action="store_true", help="leave out what only waits for time to pass")
    parser.add_argument("--no-hands", action="store_true", help="run no step that needs a hand")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write a report: Markdown, or JSON where FILE ends so"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def _option(text: str) -> tuple[str, str | int | bool]:
    """An option as it is given on the command line; `ConfigurationError` for one that is none."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ConfigurationError([f"--option {text}: expected KEY=VALUE, such as serial=S-42"])
    try:
        found = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value
    return key, found if isinstance(found, (str, int)) else value


def run_conform(options: argparse.Namespace) -> int:
    """Run the checks of one kind; status 1 when one fails, 3 when the device does not come up."""
    from tablectl.daemon.logs import set_up
    from tablectl_hil import conform, conformance
    from tablectl_hil.conform_emulated import Over
    from tablectl_hil.control import Piece

    set_up("error")  # what a driver logs while it is tried is in what is printed
    driver = registry.load(options.driver)
    kind = _named(Kind, options.kind, "--kind")
    able = tuple(_named(Capability, name, "--capability") for name in options.capability)
    own = dict(_option(text) for text in options.option)
    ids = [check.id for check in conformance.checks_for(kind)]
    if options.over is not None and not options.emulate:
        raise ConfigurationError([f"--over {options.over}: only with --emulate: a real device's port says where it is"])
    unknown = [id for id in options.check if id not in ids]
    if unknown:
        raise ConfigurationError([f"--check {id}: there is no such check: expected {', '.join(ids)}" for id in unknown])

    def told(result: conformance.CheckResult) -> None:
        if not options.json:
            print(f"{result.outcome.upper():15} {result.id}: {result.reason or result.requirement}", flush=True)

    def chosen(check: conformance.Check) -> bool:
        if options.check:
            return check.id in options.check
        return not (options.quick and check.slow)

    person = conform.Terminal(options.wait, present=sys.stdin.isatty() and not options.no_hands)
    try:
        if options.emulate:
            over = None if options.over is None else Over(options.over)
            piece = Piece(conform.ID, kind, able)
            run = conform.emulated_conform(options.driver, driver, piece, own, over=over, chosen=chosen, told=told)
        else:
            run = conform.conform(
                options.driver, driver, kind, options.port, own, person=person, chosen=chosen, told=told
            )
        report = asyncio.run(run)
    except TimeoutError:
        where = options.port or "its emulated line"
        print(f"tablectl: no {kind} answers on {where}: look at `tablectl devices`", file=sys.stderr)
        return EQUIPMENT
    if options.report is not None:
        report.write(options.report)
    print(json.dumps(report.document(), indent=2) if options.json else report.verdict)
    return OK if report.conforms else WRONG


def _named(values: type[_E], name: str, where: str) -> _E:
    try:
        return values(name)
    except ValueError:
        known = ", ".join(sorted(value.value for value in values))
        raise ConfigurationError([f"{where} {name}: expected one of {known}"]) from None
