"""`tablectl check`: everything that is wrong in the configuration of one table or of several on one machine."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tablectl.cli import OK, USAGE
from tablectl.daemon.config import TableConfig, load
from tablectl.daemon.findings import Problem
from tablectl.errors import ConfigurationError
from tablectl.money import show

__all__ = ["check_arguments", "run_check"]


_OWN = "give each table its own"


def check_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl check`."""
    parser.add_argument(
        "config", nargs="+", type=Path, metavar="CONFIG", help="configuration file; several: tables of one machine"
    )
    parser.add_argument("--json", action="store_true", help="print JSON (several files: a list)")


def run_check(options: argparse.Namespace) -> int:
    """Read each file, then compare them; status 2 when anything is wrong."""
    documents: list[dict[str, Any]] = []
    tables: list[TableConfig] = []
    for path in options.config:
        try:
            table = load(path)
        except ConfigurationError as error:
            documents.append(_document(path, None, error.problems))
        else:
            documents.append(_document(path, table, _in_the_way(table, tables)))
            tables.append(table)
    if options.json:
        print(json.dumps(documents if len(documents) > 1 else documents[0], indent=2))
    else:
        for document in documents:
            _print(document)
    return OK if all(document["ok"] for document in documents) else USAGE


def _in_the_way(table: TableConfig, others: Sequence[TableConfig]) -> list[Problem]:
    """What a table shares with another of the same machine, and must not."""
    problems = []
    for other in others:
        if table.id == other.id:
            problems.append(
                Problem(table.file, None, "table.id", f"{other.file} is table {other.id!r} already: {_OWN} id")
            )
        if table.journal.resolve() == other.journal.resolve():
            problems.append(
                Problem(table.file, None, "table.journal", f"{other.file} has this journal already: {_OWN} file")
            )
        taken = {device.place: device.id for device in other.devices}
        problems += [
            Problem(
                table.file, None, f"devices.{device.id}.port", f"{other.file} has {taken[device.place]} there: {_OWN}"
            )
            for device in table.devices
            if device.place in taken
        ]
    return problems


def _document(path: Path, table: TableConfig | None, problems: Sequence[str]) -> dict[str, Any]:
    return {
        "file": str(path),
        "ok": not problems,
        "problems": [
            {"file": problem.file, "line": problem.line, "key": problem.key, "message": problem.message}
            if isinstance(problem, Problem)
            else {"file": str(path), "line": None, "key": "", "message": problem}
            for problem in problems
        ],
        "table": None if table is None else _table(table),
    }


def _table(table: TableConfig) -> dict[str, Any]:
    setup, broker = table.setup, table.mqtt
    return {
        "id": table.id,
        "site": table.place.site,
        "pit": table.place.pit,
        "game": table.game.id,
        "chapter": table.game.chapter,
        "dealing": setup.dealing.value,
        "shuffler": setup.shuffler.value,
        "shuffler_mode": "continuous" if setup.continuous else "batch",
        "decks": {"at_the_table": setup.decks, "backs": list(setup.backs)},
        "seats": setup.seats,
        "minimum": None if setup.minimum is None else show(setup.minimum),
        "maximum": None if setup.maximum is None else show(setup.maximum),
        "confirm_ms": table.settings.confirm_ms,
        "rules": table.submission.model_dump(mode="json"),
        "devices": [
            {"id": device.id, "kind": device.kind.value, "driver": device.driver, "port": device.port}
            for device in table.devices
        ],
        "journal": str(table.journal),
        "topics": f"{table.place.topic('#')}",
        "broker": None if broker is None else {"address": broker.name, "tls": broker.tls is not None},
        "usb": None if table.usb is None else {"allow": list(table.usb.allow)},
        "training": table.training,
        "floorpersons": list(table.settings.floorpersons),
        "supervisors": list(table.settings.supervisors),
        "dealers": list(table.dealers),
        "security": list(table.settings.security),
        "finance": list(table.settings.finance),
        "edition": table.identity.edition,
        "configuration": table.identity.configuration,
    }


def _print(document: dict[str, Any]) -> None:
    for problem in document["problems"]:
        where = problem["file"] if problem["line"] is None else f"{problem['file']}:{problem['line']}"
        print(": ".join(part for part in (where, problem["key"], problem["message"]) if part), file=sys.stderr)
    if not document["ok"]:
        return
    print(f"{document['file']}: nothing is wrong")
    for name, value in _lines(document["table"]):
        print(f"  {name:<13} {value}")


def _limits(table: dict[str, Any]) -> str:
    match table["minimum"], table["maximum"]:
        case None, None:
            return "no limits"
        case minimum, None:
            return f"minimum {minimum}, no maximum"
        case None, maximum:
            return f"no minimum, maximum {maximum}"
        case minimum, maximum:
            return f"limits {minimum} to {maximum}"
    raise AssertionError


def _lines(table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield (
        "table",
        f"{table['id']} in {table['pit']}, {table['site']}: {table['game']}, {table['seats']} seats, {_limits(table)}",
    )
    endless = ", continuous" if table["shuffler_mode"] == "continuous" else ""
    yield "dealing", f"{table['dealing']}, shuffler {table['shuffler']}{endless}"
    decks = table["decks"]
    yield "decks", f"{decks['at_the_table']} at the table, backs {' or '.join(decks['backs'])}"
    for device in table["devices"]:
        yield device["id"], f"{device['kind']}, {device['driver']} at {device['port']}"
    yield "journal", table["journal"]
    broker = table["broker"]
    if broker is None:
        yield "broker", "none: nothing is published"
    else:
        yield "broker", f"{broker['address']}{' with TLS' if broker['tls'] else ''}, topics {table['topics']}"
    usb = table["usb"]
    if usb is None:
        yield "usb", "not watched, as there is no section [usb]: a strange device is no alarm"
    else:
        yield "usb", f"watched, allowed beside the table's own devices: {', '.join(usb['allow']) or 'none'}"
    listed = [*table["floorpersons"], *table["supervisors"]]
    yield "floorpersons", ", ".join(listed) or "none listed: every badge counts that is no dealer's"
    if table["training"]:
        yield "training", "yes: nothing of it is real play"
    yield "edition", table["edition"]
    yield "configuration", table["configuration"]
