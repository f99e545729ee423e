"""`tablectl games` and `tablectl rules`: what can be played and what can be filed."""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tablectl.cli import OK, WRONG
from tablectl.errors import ConfigurationError, Forbidden, Misuse
from tablectl.games import GAME_IDS, game
from tablectl.procedure.game import Game
from tablectl.rules import Submission, refuse
from tablectl.rules.signs import as_text, sign

__all__ = ["games_arguments", "rules_arguments", "run_games", "run_rules"]


def games_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl games`."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_games(options: argparse.Namespace) -> int:
    """List id, chapter, seats and title of every game."""
    games = [game(name) for name in GAME_IDS]
    if options.json:
        rows = [{"game": g.id, "chapter": g.chapter, "title": g.title, "seats": g.seats} for g in games]
        print(json.dumps(rows, indent=2))
        return OK
    width = max(len(g.id) for g in games)
    for g in games:
        print(f"{g.id:<{width}}  chapter {g.chapter:<5} {g.seats:>2} seats  {g.title}")
    return OK


def rules_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl rules`."""
    parser.add_argument("game", metavar="GAME", help="id of the game, see `tablectl games`")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--sign", action="store_true", help="write the text of the sign to be posted")
    parser.add_argument("--filed", metavar="FILE", type=Path, help="with the [rules] of that configuration or scenario")


def run_rules(options: argparse.Namespace) -> int:
    """Print every paytable and option of one game, each with its clause."""
    found = game(options.game)
    if options.sign:
        submission = _filed(found, options.filed)
        try:
            refuse(submission.objections())
        except Forbidden as error:
            print(f"tablectl: {error}", file=sys.stderr)
            return WRONG
        return _sign(found, submission, as_json=options.json)
    paytables, filed = found.submission.paytables(), found.submission.options()
    if options.json:
        document: dict[str, Any] = {
            "game": found.id,
            "chapter": found.chapter,
            "paytables": [
                {"wager": p.wager, "id": p.id, "cite": p.cite, "rows": [list(row) for row in p.rows]} for p in paytables
            ],
            "options": [
                {"key": o.key, "default": o.default, "values": list(o.values), "cite": o.cite, "help": o.help}
                for o in filed
            ],
        }
        print(json.dumps(document, indent=2))
        return OK
    print(f"{found.title}, chapter {found.chapter}, at most {found.seats} seats")
    for table in paytables:
        print(f"\n{table.wager}, table {table.id} [{table.cite}]")
        width = max(20, *(len(row) for row, _paid in table.rows))
        for row, paid in table.rows:
            print(f"  {row:<{width}} {paid:>12}")
    print("\noptions of the Rules Submission")
    for choice in filed:
        values = f" ({', '.join(choice.values)})" if choice.values else ""
        clause = f" [{choice.cite}]" if choice.cite else ""
        print(f"  {choice.key} = {json.dumps(choice.default)}{values}{clause}\n      {choice.help}")
    return OK


def _filed(found: Game, path: Path | None) -> Submission:
    """What is filed in that file, the shipped defaults without one; `ConfigurationError` names all that is wrong."""
    if path is None:
        return found.submission()
    from tablectl.daemon.findings import Findings, not_toml

    try:
        text = path.read_text(encoding="utf-8")
        rules = tomllib.loads(text).get("rules", {})
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError([not_toml(path, str(error))]) from None
    except (OSError, ValueError) as error:
        raise Misuse(f"{path}: {error}") from None
    try:
        return found.submission.model_validate(rules)
    except ValidationError as error:
        findings = Findings(path, text)
        findings.add_invalid(("rules",), found.submission, error)
        raise findings.error() from None


def _sign(found: Game, submission: Submission, *, as_json: bool) -> int:
    """Print the sign."""
    lines = sign(submission)
    if as_json:
        rows = [{"heading": line.heading, "text": line.text, "cite": line.cite} for line in lines]
        print(json.dumps({"game": found.id, "title": found.title, "sign": rows}, indent=2))
    else:
        print(as_text(found.title, lines))
    return OK
