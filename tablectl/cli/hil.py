"""`tablectl hil`: the real daemon against emulated or real equipment, and the conformance kit for drivers."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablectl.cli import EQUIPMENT, OK, WRONG
from tablectl.cli.conform import conform_arguments, run_conform
from tablectl.cli.day import day_arguments, run_day, table_folder
from tablectl.cli.play import play_files
from tablectl.engine.scenario import Scenario
from tablectl.engine.script import play

__all__ = ["hil_arguments", "run_hil"]

_AMOUNTS = ("staked", "paid", "returned", "collected", "net")


def hil_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl hil`."""
    commands = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    run = commands.add_parser(
        "run",
        help="play scenario files at a real table",
        description="Play scenario files at a real table, its equipment emulated or, where a file names it, real, and"
        " print their outcome.",
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
    run.add_argument(
        "--equipment",
        type=Path,
        metavar="FILE",
        help="TOML file with a section [devices.ID] for each real device; what is to be done to it is told here",
    )
    run.add_argument(
        "--wait", type=float, default=60.0, metavar="S", help="seconds for each step at a real device (default 60)"
    )
    run.add_argument("--keep", type=Path, metavar="FOLDER", help="keep journal, configuration and log in this folder")
    day_arguments(
        commands.add_parser(
            "day",
            help="play a gaming day at a table, with everything that may go wrong in it",
            description="Play a gaming day at a table with emulated equipment, from its opening to its closing: every"
            " irregularity of the chapter that people or the equipment can bring about, two changes of dealers, and"
            " play that stands still. Then the report, the decks and the journal are compared with what happened.",
        )
    )
    conform_arguments(
        commands.add_parser(
            "conform",
            help="check a driver and its device against what is required of its kind",
            description="Check a driver and its device, real or emulated, against what is required of its kind.",
        )
    )


def run_hil(options: argparse.Namespace) -> int:
    """Run one of the commands of `tablectl hil`."""
    return {"run": _play, "day": run_day, "conform": run_conform}[options.what](options)


def _play(options: argparse.Namespace) -> int:
    """Play each file; what the chapter refuses is refused before a table is set up.

    Status 1 when a round ends otherwise than by script, and no faults were asked for that might be the reason.
    """
    from tablectl_hil.by_hand import Terminal
    from tablectl_hil.faults import NO_FAULTS
    from tablectl_hil.faults import load as load_faults
    from tablectl_hil.real import load as load_real
    from tablectl_hil.tableside import RealTable, TableStuck, run_scenario

    faults = NO_FAULTS if options.faults is None else load_faults(options.faults)
    real = None
    if options.equipment is not None:
        real = RealTable(load_real(options.equipment), Terminal(), options.wait)
    status = OK

    def at_a_table(scenario: Scenario) -> dict[str, Any]:
        nonlocal status
        scripted = play(scenario)
        playable = len(scripted["rounds"])  # no table can play what the script refuses, and it says why
        document: dict[str, Any] = {"game": scenario.game.id, "rounds": []}
        if playable:
            with table_folder(options.keep, "table-") as folder:
                rounds = replace(scenario, rounds=scenario.rounds[:playable])
                document = asyncio.run(run_scenario(rounds, folder, options.sensors, faults, real))
            for difference in _differences(scripted["rounds"], document["rounds"]):
                print(difference, file=sys.stderr)
                status = OK if faults.fault else WRONG
        if "error" in scripted:
            document["error"] = scripted["error"]
        return document

    try:
        return max(play_files(options.scenario, at_a_table, as_json=options.json), status)
    except TableStuck as error:
        print(f"tablectl: {error}", file=sys.stderr)
        return EQUIPMENT
    except KeyboardInterrupt:
        print("tablectl: given up", file=sys.stderr)
        return WRONG


def _differences(scripted: list[dict[str, Any]], played: list[dict[str, Any]]) -> Iterator[str]:
    """How rounds that were played end otherwise than by script, one line for each difference."""
    for number, (wanted, found) in enumerate(zip(scripted, played, strict=True), 1):
        amounts = all(row["staked"] is not None for row in found["wagers"])  # sensors may see presence only
        for difference in _differing("", _comparable(found, amounts), _comparable(wanted, amounts)):
            yield f"round {number} ends otherwise than by script: {difference}"


def _differing(where: str, found: Any, wanted: Any) -> Iterator[str]:
    """What differs in two documents of the same form; of lists of different lengths only where they part."""
    if isinstance(found, dict) and isinstance(wanted, dict) and found.keys() == wanted.keys():
        for key in found:
            yield from _differing(f"{where}.{key}" if where else key, found[key], wanted[key])
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for place, (one, other) in enumerate(zip(found, wanted, strict=True)):
            yield from _differing(f"{where}.{place}", one, other)
    elif isinstance(found, list) and isinstance(wanted, list):
        parts = next((n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), None)
        place = min(len(found), len(wanted)) if parts is None else parts
        here, there = (json.dumps(it[place]) if place < len(it) else "nothing" for it in (found, wanted))
        yield f"{where} has {len(found)} entries, by script {len(wanted)}; {where}.{place} is {here}, by script {there}"
    elif found != wanted:
        yield f"{where} is {json.dumps(found)}, by script {json.dumps(wanted)}"


def _comparable(played: dict[str, Any], amounts: bool) -> dict[str, Any]:
    """A round without the deck's identity, and without what depends on amounts that are not known."""
    left_out = () if amounts else _AMOUNTS
    rows = [{key: value for key, value in row.items() if key not in left_out} for row in played["wagers"]]
    rest = {key: value for key, value in played.items() if key not in left_out}
    return {**rest, "wagers": rows, "deck": played["deck"]["disposition"]}
