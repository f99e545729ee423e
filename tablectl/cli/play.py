"""`tablectl play`: scenario files in, outcomes out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tablectl.cli import OK, USAGE, WRONG
from tablectl.engine.scenario import Scenario, load
from tablectl.engine.script import play
from tablectl.errors import ScenarioError

__all__ = ["play_arguments", "play_files", "run_play"]


def play_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl play`."""
    parser.add_argument("scenario", nargs="+", type=Path, metavar="SCENARIO", help="scenario file, TOML or JSON")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON (several files: a list)")


def run_play(options: argparse.Namespace) -> int:
    """Play each file by script."""
    return play_files(options.scenario, play, as_json=options.json)


def play_files(
    paths: Sequence[Path], how: Callable[[Scenario], dict[str, Any]], *, as_json: bool, stop: int = OK
) -> int:
    """Play each file that way and print the outcomes; the status is the highest of any file's."""
    status = stop
    documents: list[dict[str, Any]] = []
    for path in paths:
        try:
            document = how(load(path))
        except ScenarioError as error:
            print(error, file=sys.stderr)
            documents.append({"file": str(path), "error": {"message": str(error)}})
            status = max(status, USAGE)
            continue
        documents.append(document)
        if "error" in document:
            print(f"{path}: {_where(document['error'], len(document['rounds']) + 1)}", file=sys.stderr)
            status = max(status, WRONG)
    if as_json:
        print(json.dumps(documents if len(paths) > 1 else documents[0], indent=2))
    else:
        for path, document in zip(paths, documents, strict=True):
            print(f"{path}:")
            for number, played in enumerate(document.get("rounds", ()), 1):
                print(_round_text(number, played))
    return status


def _where(error: dict[str, Any], number: int) -> str:
    played = "" if error["stage"] == "RULES" else f"round {number}"
    parts = [played, f"seat {error['seat']}" if error["seat"] else "", error["stage"] or "", error["message"]]
    return ": ".join(part for part in parts if part) + (f" [{error['cite']}]" if error["cite"] else "")


def _round_text(number: int, played: dict[str, Any]) -> str:
    why = f" by {played['cause']} [{played['cite']}]" if played["cause"] else ""
    lines = [f"  round {number}: {played['outcome']}{why}, deck {played['deck']['disposition']}"]
    if played["remedies"]:
        lines.append(f"    remedies: {', '.join(played['remedies'])}")
    for row in played["wagers"]:
        odds = f" at {row['odds']}" if row["odds"] else ""
        hand = f" {row['hand']}" if row["hand"] else ""
        money = "" if row["paid"] is None else f" of {row['staked']}, paid {row['paid']}, returned {row['returned']}"
        lines.append(f"    seat {row['seat']} {row['wager']}{hand}: {row['result']}{odds}{money} [{row['cite']}]")
    net = ", ".join(f"seat {seat} {amount if amount is not None else '?'}" for seat, amount in played["net"].items())
    lines.append(f"    net: {net}")
    return "\n".join(lines)
