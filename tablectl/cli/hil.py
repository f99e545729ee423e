"""`tablectl hil`: the real daemon against emulated equipment, and the conformance kit for drivers and devices."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablectl.cli import EQUIPMENT
from tablectl.cli.conform import conform_arguments, run_conform
from tablectl.cli.play import play_files
from tablectl.engine.scenario import Scenario
from tablectl.engine.script import play

__all__ = ["hil_arguments", "run_hil"]


def hil_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl hil`."""
    commands = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    run = commands.add_parser(
        "run",
        help="play scenario files at a real table with emulated equipment",
        description="Play scenario files at a real table with emulated equipment and print their outcome.",
    )
    run.add_argument("scenario", nargs="+", type=Path, metavar="SCENARIO", help="scenario file, TOML or JSON")
    run.add_argument("--json", action="store_true", help="print the outcome as JSON (several files: a list)")
    run.add_argument(
        "--sensors",
        choices=("all", "panel"),
        default="all",
        help="all: every kind of equipment; panel: the dealer's panel and a plain shoe alone",
    )
    run.add_argument(
        "--faults", type=Path, metavar="FILE", help="TOML file with faults of equipment and lines, and their moments"
    )
    run.add_argument("--keep", type=Path, metavar="FOLDER", help="keep journal, configuration and log in this folder")
    conform_arguments(
        commands.add_parser(
            "conform",
            help="check a driver and its device against what is required of its kind",
            description="Check a driver and its device, real or emulated, against what is required of its kind.",
        )
    )


def run_hil(options: argparse.Namespace) -> int:
    """Run one of the commands of `tablectl hil`."""
    return run_conform(options) if options.what == "conform" else _play(options)


def _play(options: argparse.Namespace) -> int:
    """Play each file; what the chapter refuses is refused before a table is set up."""
    from tablectl_hil.faults import load
    from tablectl_hil.tableside import TableStuck, run_scenario

    faults = () if options.faults is None else load(options.faults)

    def at_a_table(scenario: Scenario) -> dict[str, Any]:
        scripted = play(scenario)
        playable = len(scripted["rounds"])  # no table can play what the script refuses, and it says why
        document: dict[str, Any] = {"game": scenario.game.id, "rounds": []}
        if playable:
            with _folder(options.keep) as folder:
                rounds = replace(scenario, rounds=scenario.rounds[:playable])
                document = asyncio.run(run_scenario(rounds, folder, options.sensors, faults))
        if "error" in scripted:
            document["error"] = scripted["error"]
        return document

    try:
        return play_files(options.scenario, at_a_table, as_json=options.json)
    except TableStuck as error:
        print(f"tablectl: {error}", file=sys.stderr)
        return EQUIPMENT


@contextlib.contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield Path(tempfile.mkdtemp(prefix="table-", dir=keep))
        return
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        yield Path(folder)
