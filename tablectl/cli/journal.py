"""`tablectl journal`: a table's journal shown, verified, played again, exported; a round of it, and its decks.

Everything here only reads, and works beside a running daemon.
"""

from __future__ import annotations

import argparse
import importlib.resources
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tablectl.cli import OK, WRONG
from tablectl.errors import Misuse
from tablectl.journal import Finding, Head, Reader, Row, RowKind, Verdict, read_heads, verify

__all__ = ["existing_journal", "journal_arguments", "run_journal"]

_MAGIC = b"SQLite format 3\0"
_WHERE = "the table's configuration, or the journal itself"
_MONEY = frozenset({"amount", "staked", "paid", "returned", "collected", "vigorish", "minimum", "maximum"})
_ADVICE = {
    Finding.INTACT: "",
    Finding.ALTERED: "Keep the file and its copies as they are, stop using this table's records for settlement from"
    " that row on, and compare with the heads and events that surveillance has.",
    Finding.CUT: "Rows are missing at the end. Keep the file as it is; look for a newer copy, and take the missing"
    " events from surveillance.",
    Finding.MISSING: "Nothing is begun anew over a lost journal. Look for the file, or for a copy; the events are with"
    " surveillance.",
}


def journal_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl journal`."""
    commands = parser.add_subparsers(dest="what", metavar="WHAT", required=True)

    show = _command(
        commands,
        "show",
        "print rows, one line each; face-down cards stay face down",
        _WHERE,
        "Each line: row, time in UTC (a ? behind it: the clock was not synchronised), kind, step of the round, what it"
        " says. An event begins with # and its sequence, as surveillance has it.",
    )
    show.add_argument("--round", type=int, metavar="N", help="only this round")
    show.add_argument("--events", action="store_true", help="only events")
    show.add_argument("--after", type=int, default=0, metavar="ROW", help="only rows after this one")
    show.add_argument("--json", action="store_true", help="print JSON, one row on each line")

    one = _command(commands, "round", "one round as a page: hands, decisions, wagers, times, corrections", _WHERE)
    one.add_argument("number", metavar="N", help="the round; it may also stand before PATH")
    one.add_argument("--json", action="store_true", help="print JSON")

    check = _command(commands, "verify", "tell whether it is intact, altered, cut or missing", _WHERE)
    check.add_argument(
        "--heads",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="heads that were kept elsewhere, as JSON lines with seq and hash; may be given several times",
    )
    check.add_argument("--json", action="store_true", help="print JSON")

    decks = _command(
        commands,
        "decks",
        "every deck that came, who counted it and when, the rounds played with it",
        _WHERE,
        "A count tells how many cards a deck has (counted), not which (identified). What a device claims besides proves"
        " nothing. Times are UTC (a ? behind one: the clock was not synchronised).",
    )
    decks.add_argument(
        "--affected", metavar="DECK", help="rounds, seats and wagers in doubt: those since it was last proven whole"
    )
    decks.add_argument(
        "--since",
        choices=["proven", "identified", "person"],
        default="proven",
        help="what proves it whole: a right count or better (proven, the default), only what tells which cards it has"
        " (identified), only what a person has done (person)",
    )
    decks.add_argument("--json", action="store_true", help="print JSON")

    again = _command(commands, "replay", "play all rounds again and compare every row", "the table's configuration")
    again.add_argument("--journal", type=Path, metavar="FILE", help="this journal instead of the table's own")
    again.add_argument("--json", action="store_true", help="print JSON")

    export = _command(commands, "export", "write rows as JSON lines, with their schema beside", _WHERE)
    export.add_argument("target", type=Path, metavar="TARGET", help="file to write; - for standard output")
    export.add_argument("--force", action="store_true", help="write over files that are there already")
    export.add_argument("--after", type=int, default=0, metavar="ROW", help="only rows after this one")
    export.add_argument("--until", type=int, metavar="ROW", help="only rows up to and with this one")
    export.add_argument(
        "--verifier", action="store_true", help="put verify_export.py beside, which checks it without tablectl"
    )


def _command(commands: Any, name: str, help: str, what: str, more: str | None = None) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=f"{help[0].upper()}{help[1:]}. Works beside a running daemon.", epilog=more
    )
    parser.add_argument("path", type=Path, metavar="CONFIG" if name == "replay" else "PATH", help=what)
    return parser


def run_journal(options: argparse.Namespace) -> int:
    """Do what was asked for."""
    run = {"show": _show, "round": _one_round, "verify": _verify, "decks": _decks, "replay": _replay, "export": _export}
    return run[options.what](options)


def existing_journal(path: Path) -> Path:
    """The journal that `path` is, or that the configuration there names; `Misuse` when there is none."""
    return _there(_journal(path))


def _journal(path: Path) -> Path:
    """The journal that `path` is or was, or that the configuration there names."""
    if _is_journal(path) or (path.suffix != ".toml" and not path.exists()):
        return path
    if path.suffix != ".toml" and path.name.endswith((".heads", ".lock", "-wal", "-shm")):
        raise Misuse(f"{path}: this file lies beside a journal: name the journal")
    from tablectl.daemon.config import load

    return load(path, here=False).journal


def _there(journal: Path) -> Path:
    if not journal.exists():
        raise Misuse(
            f"{journal}: there is no such journal: give {_WHERE}; a table that has never run has none yet, and what has"
            " been lost, tablectl journal verify tells"
        )
    return journal


def _is_journal(path: Path) -> bool:
    """Whether an SQLite database is there."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


# show -----------------------------------------------------------------------------------------------------------------


def _show(options: argparse.Namespace) -> int:
    reader = Reader(_there(_journal(options.path)))
    after, until = options.after, None
    if options.round is not None:
        first, until = _round(reader, options.round)
        after = max(after, first - 1)
    kinds = [RowKind.EVENT] if options.events else None
    for row in reader.rows(after, until, kinds):
        print(_json_line(row) if options.json else _text_line(row))
    return OK


def _round(reader: Reader, number: int) -> tuple[int, int | None]:
    """First and last row of a round: from the snapshot that it begins with to the one before the next round's."""
    first: int | None = None
    for row in reader.rows(kinds=[RowKind.SNAPSHOT]):
        before = json.loads(row.body)["state"]["round"]
        if first is None and before == number - 1:
            first = row.seq
        elif first is not None and before >= number:
            return first, row.seq - 1
    if first is None:
        raise Misuse(f"{reader.path}: round {number} is not in this journal: see its rounds with show --events")
    return first, None


def _json_line(row: Row) -> str:
    return json.dumps(
        {
            "seq": row.seq,
            "kind": row.kind,
            "step": row.step,
            "wall": row.wall,
            "synced": row.synced,
            "boot": row.boot,
            "body": json.loads(row.body),
        }
    )


def _text_line(row: Row) -> str:
    clock = f"{row.wall[:23]}{' ' if row.synced else '?'}".replace("T", " ")
    step = "" if row.step is None else str(row.step)
    return f"{row.seq:>7} {clock} {row.kind:<9} {step:>3}  {_words(row.kind, json.loads(row.body))}"


def _words(kind: RowKind, body: dict[str, Any]) -> str:
    """What a row says, from its body alone: identities of face-down cards are not in it."""
    match kind:
        case RowKind.EVENT:
            return f"#{body['sequence']} {_value(body['event'])}"
        case RowKind.INPUT:
            return f"{body['device'] or 'tablectl'}: {_value(body['message'])}"
        case RowKind.INTENT:
            return f"{body['device']}: {_value(body['command'])}"
        case RowKind.RESULT:
            return f"{_value(body['instruction'])} -> {_value(body['result'])}"
        case RowKind.INTERRUPT:
            return f"{_value(body['instruction'])} interrupted by {_value(body['incident'])}"
        case RowKind.LATCH:
            return f"{body['device']}: {body['fault']} {'latched' if body['set'] else 'cleared'}, {body['message']}"
        case RowKind.SNAPSHOT:
            faults = len(body["picture"]["latches"])
            return f"{_value(body['state'])}{f', faults latched: {faults}' if faults else ''}"
        case RowKind.HEAD:
            return f"row {body['seq']} has the hash {body['hash']}"


def _value(value: Any, key: str = "") -> str:
    """A value of a body in few words: a record as its name and its fields, empty ones left out."""
    if isinstance(value, dict) and value.get("$") == "FaceDown":
        return "face-down"
    if isinstance(value, dict):
        fields = (
            f"{name}={_value(each, name)}" for name, each in value.items() if name != "$" and each not in (None, [])
        )
        return " ".join([str(value.get("$", "")), *fields]).strip()
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    if key in _MONEY and isinstance(value, int):
        return f"{value // 100}.{value % 100:02}"
    return "-" if value is None else json.dumps(value) if isinstance(value, str) and " " in value else str(value)


# round ----------------------------------------------------------------------------------------------------------------


def _one_round(options: argparse.Namespace) -> int:
    from tablectl.cli.roundpage import page_document, page_text
    from tablectl.engine.roundpage import find_round

    path, number = str(options.path), options.number
    if path.isdecimal() and not number.isdecimal():
        path, number = number, path
    if not number.isdecimal():
        raise Misuse(f"{number!r} is no round: expected a number from 1")
    reader = Reader(_there(_journal(Path(path))))
    page = find_round(reader, int(number))
    if page is None:
        raise Misuse(f"{reader.path}: round {number} is not in this journal: see its rounds with show --events")
    document = page_document(page)
    print(json.dumps(document, indent=2) if options.json else page_text(document))
    return OK


# verify ---------------------------------------------------------------------------------------------------------------


def _verify(options: argparse.Namespace) -> int:
    verdict = verify(_journal(options.path), known_heads=list(_known(options.heads)))
    if options.json:
        print(json.dumps(_document(verdict), indent=2))
    else:
        print(verdict.detail)
        if _ADVICE[verdict.finding]:
            print(_ADVICE[verdict.finding])
    return OK if verdict.ok else WRONG


def _known(files: Sequence[Path]) -> Iterator[Head]:
    for file in files:
        heads = list(read_heads(file))
        if not heads:
            raise Misuse(f"{file}: there is no head in it: expected JSON lines with seq and hash")
        yield from heads


def _document(verdict: Verdict) -> dict[str, Any]:
    return {
        "finding": verdict.finding,
        "reason": verdict.reason,
        "first_bad": verdict.first_bad,
        "head": {"seq": verdict.head.seq, "hash": verdict.head.hash},
        "heads": verdict.heads,
        "detail": verdict.detail,
    }


# decks ----------------------------------------------------------------------------------------------------------------


def _decks(options: argparse.Namespace) -> int:
    from tablectl.cli.decks import print_affected, print_decks
    from tablectl.journal.decks import Since

    journal = existing_journal(options.path)
    if options.affected is None:
        print_decks(journal, as_json=options.json)
    else:
        print_affected(journal, options.affected, Since(options.since), as_json=options.json)
    return OK


# replay ---------------------------------------------------------------------------------------------------------------


def _replay(options: argparse.Namespace) -> int:
    from tablectl.daemon.config import load
    from tablectl.engine import retrace

    if _is_journal(options.path):
        raise Misuse(
            f"{options.path}: this is a journal; replay needs the table's configuration:"
            f" tablectl journal replay CONFIG --journal {options.path}"
        )
    config = load(options.path, here=False)
    reader = Reader(options.journal or config.journal)
    counted = {what.value: {finding.value: 0 for finding in retrace.Finding} for what in retrace.What}
    told = []
    # What is appended from now on is left for another time: a round under way ends with a whole transaction.
    for stretch in retrace.retrace(reader.rows(until=reader.head().seq), config.make_core, config.identity):
        counted[stretch.what][stretch.finding] += 1
        if stretch.finding is retrace.Finding.SAME:
            continue
        told.append(
            {
                "what": stretch.what,
                "round": stretch.round,
                "first": stretch.first,
                "last": stretch.last,
                "finding": stretch.finding,
                "detail": stretch.detail,
            }
        )
    if options.json:
        of_others = {f"{what}s": of for what, of in counted.items() if what is not retrace.What.ROUND}
        whole = {"journal": str(reader.path), "counts": counted[retrace.What.ROUND], **of_others, "stretches": told}
        print(json.dumps(whole, indent=2))
    else:
        _print_replay(reader.path, config.file, told, counted)
    same, different, other = (sum(of[finding] for of in counted.values()) for finding in retrace.Finding)
    return WRONG if different or (other and not same) else OK


def _print_replay(
    journal: Path, config: Path, told: Iterable[dict[str, Any]], counted: Mapping[str, Mapping[str, int]]
) -> None:
    """What came out differently or could not be played again; then rounds, openings and closings, each counted."""
    for each in told:
        name = f"round {each['round']}" if each["what"] == "round" else f"{each['what']} of the table"
        print(f"{name} (rows {each['first']} to {each['last']}): {each['detail']}")
    for what, counts in counted.items():
        if what == "round" or any(counts.values()):
            print(f"{journal}: {_come_out(what, counts)}")
    other = sum(of["other_identity"] for of in counted.values())
    if other:
        was, them = ("was", "it") if other == 1 else ("were", "them")
        print(
            f"{other} more {was} played under another version, edition or configuration than {config}:"
            f" use those of that time for {them}"
        )


def _come_out(what: str, counts: Mapping[str, int]) -> str:
    same = "1 {what} comes" if counts["same"] == 1 else "{n} {what}s come"
    return f"{same.format(what=what, n=counts['same'])} out the same, {counts['different']} differently"


# export ---------------------------------------------------------------------------------------------------------------


def _export(options: argparse.Namespace) -> int:
    from tablectl.journal import export_lines, export_rows

    journal = _there(_journal(options.path))
    if str(options.target) == "-":
        for line in export_lines(journal, after=options.after, until=options.until):
            sys.stdout.buffer.write(line)
        return OK
    verifier = options.target.with_name("verify_export.py")
    written = [options.target, options.target.with_name(f"{options.target.name}.schema.json")]
    written += [verifier] if options.verifier else []
    if not options.force and (there := [str(file) for file in written if file.exists()]):
        raise Misuse(f"{', '.join(there)}: there already: name another TARGET, or write over it with --force")
    done = export_rows(journal, options.target, after=options.after, until=options.until)
    print(f"{done.lines}: {done.rows} row{'' if done.rows == 1 else 's'}; {done.schema}: what is in them")
    if options.verifier:
        verifier.write_text((importlib.resources.files("tablectl.journal") / verifier.name).read_text("utf-8"), "utf-8")
        begin = f"--from {options.after + 1} " if options.after else ""
        print(f"{verifier}: check them with: python {verifier.name} {begin}{done.lines.name} [HEADS]")
    return OK
